#include "text/glyph_field.h"

#include <math.h>

enum { MAX_STEPS = 1 << 28 }; // pixels that all lines visit, or pairs of lines that are compared

// Overlapping contours are cut into pieces of this length in pixels.
static const float piece_length = 0.25f;

typedef struct field {
    ct_allocator *allocator;
    uint32_t width, height;
    float spread;
    int32_t *windings; // of each pixel
    float *squares;    // of distances, each at most spread * spread
} field;

// --- Windings ------------------------------------------------------------------------------------

// Where a line crosses a row's middle; the row is in its range.
static float crossing(const ct_outline_line *l, float y) {
    return l->x0 + (y - l->y0) * ((l->x1 - l->x0) / (l->y1 - l->y0));
}

static bool crosses(const ct_outline_line *l, float y) {
    return (l->y0 <= y) != (l->y1 <= y);
}

// Notes at each pixel how the winding changes from the one to the left.
static void note_crossings(field *f, const ct_outline_line *l) {
    const float top = fminf(l->y0, l->y1), bottom = fmaxf(l->y0, l->y1);
    const int32_t first = (int32_t)fmaxf(floorf(top - 0.5f), 0);
    const int32_t last = (int32_t)fminf(ceilf(bottom - 0.5f), (float)f->height - 1);
    for (int32_t row = first; row <= last; ++row) {
        const float y = (float)row + 0.5f;
        if (!crosses(l, y))
            continue;
        const float column = fmaxf(ceilf(crossing(l, y) - 0.5f), 0);
        if (column < (float)f->width)
            f->windings[(uint32_t)row * f->width + (uint32_t)column] += l->y1 > l->y0 ? 1 : -1;
    }
}

// Sets the windings. Returns whether contours overlap somewhere.
static bool find_windings(field *f, const ct_outline_lines *lines) {
    bool has_overlaps = false;
    for (uint32_t i = 0; i < lines->count; ++i)
        note_crossings(f, &lines->items[i]);
    for (uint32_t y = 0; y < f->height; ++y) {
        int32_t *const row = f->windings + (uint64_t)y * f->width;
        int32_t winding = 0;
        for (uint32_t x = 0; x < f->width; ++x) {
            row[x] = winding += row[x];
            has_overlaps |= winding > 1 || winding < -1;
        }
    }
    return has_overlaps;
}

// --- Overlaps ------------------------------------------------------------------------------------

static bool is_inside(const ct_outline_lines *lines, float x, float y) {
    int32_t winding = 0;
    for (uint32_t i = 0; i < lines->count; ++i) {
        const ct_outline_line *const l = &lines->items[i];
        if (crosses(l, y) && crossing(l, y) <= x)
            winding += l->y1 > l->y0 ? 1 : -1;
    }
    return winding != 0;
}

// True for a short line that has the shape on one side only.
static bool is_edge(const ct_outline_lines *lines, const ct_outline_line *l, float length) {
    const float x = (l->x0 + l->x1) / 2, y = (l->y0 + l->y1) / 2;
    const float aside = 0.01f / length;
    const float dx = -(l->y1 - l->y0) * aside, dy = (l->x1 - l->x0) * aside;
    return is_inside(lines, x + dx, y + dy) != is_inside(lines, x - dx, y - dy);
}

static float length_of(const ct_outline_line *l) {
    const float dx = l->x1 - l->x0, dy = l->y1 - l->y0;
    return sqrtf(dx * dx + dy * dy);
}

static float num_pieces(const ct_outline_line *l) {
    return fmaxf(ceilf(length_of(l) / piece_length), 1);
}

// Appends the pieces of all lines that are edges of the shape. Returns false when that takes too
// long.
static bool keep_edges(const ct_outline_lines *lines, ct_outline_lines *edges) {
    double steps = 0;
    for (uint32_t i = 0; i < lines->count; ++i)
        steps += 2.0 * lines->count * num_pieces(&lines->items[i]);
    if (steps > MAX_STEPS)
        return false;
    for (uint32_t i = 0; i < lines->count; ++i) {
        const ct_outline_line l = lines->items[i];
        const float count = num_pieces(&l), length = length_of(&l) / count;
        for (float k = 0; k < count; ++k) {
            const float from = k / count, to = (k + 1) / count;
            const ct_outline_line piece = {l.x0 + (l.x1 - l.x0) * from, l.y0 + (l.y1 - l.y0) * from,
                                           l.x0 + (l.x1 - l.x0) * to, l.y0 + (l.y1 - l.y0) * to};
            if (is_edge(lines, &piece, length))
                ct_array_push(edges, piece);
        }
    }
    return true;
}

// --- Distances -----------------------------------------------------------------------------------

// The pixels whose middles are near a line: from first to before last.
typedef struct box {
    int32_t x0, y0, x1, y1;
} box;

static box box_of(const field *f, const ct_outline_line *l) {
    return (box){
        .x0 = (int32_t)fmaxf(floorf(fminf(l->x0, l->x1) - f->spread), 0),
        .y0 = (int32_t)fmaxf(floorf(fminf(l->y0, l->y1) - f->spread), 0),
        .x1 = (int32_t)fminf(ceilf(fmaxf(l->x0, l->x1) + f->spread), (float)f->width),
        .y1 = (int32_t)fminf(ceilf(fmaxf(l->y0, l->y1) + f->spread), (float)f->height),
    };
}

static void visit(field *f, const ct_outline_line *l) {
    const box b = box_of(f, l);
    const float dx = l->x1 - l->x0, dy = l->y1 - l->y0;
    const float scale = 1 / (dx * dx + dy * dy);
    for (int32_t y = b.y0; y < b.y1; ++y) {
        float *const row = f->squares + (uint64_t)y * f->width;
        const float py = (float)y + 0.5f - l->y0;
        for (int32_t x = b.x0; x < b.x1; ++x) {
            const float px = (float)x + 0.5f - l->x0;
            const float along = (px * dx + py * dy) * scale;
            const float t = along < 0 ? 0 : along > 1 ? 1 : along;
            const float ex = px - t * dx, ey = py - t * dy;
            const float square = ex * ex + ey * ey;
            row[x] = square < row[x] ? square : row[x];
        }
    }
}

static bool find_distances(field *f, const ct_outline_lines *lines) {
    double steps = 0;
    for (uint32_t i = 0; i < lines->count; ++i) {
        const box b = box_of(f, &lines->items[i]);
        steps += (double)(b.x1 - b.x0) * (b.y1 - b.y0);
    }
    if (steps > MAX_STEPS)
        return false;
    for (uint64_t i = 0; i < (uint64_t)f->width * f->height; ++i)
        f->squares[i] = f->spread * f->spread;
    for (uint32_t i = 0; i < lines->count; ++i)
        visit(f, &lines->items[i]);
    return true;
}

static uint8_t value_of(const field *f, uint64_t i) {
    const float scaled = sqrtf(f->squares[i]) * (127 / f->spread) + 0.5f;
    if (f->windings[i] != 0)
        return (uint8_t)(128 + (int32_t)scaled);
    return f->squares[i] < f->spread * f->spread ? (uint8_t)(128 - (int32_t)scaled) : 0;
}

static bool fill(field *f, const ct_outline_lines *lines, uint8_t *pixels) {
    ct_outline_lines edges;
    ct_array_init(&edges, f->allocator);
    const bool has_overlaps = find_windings(f, lines);
    const bool is_done = (!has_overlaps || keep_edges(lines, &edges)) &&
                         find_distances(f, has_overlaps ? &edges : lines);
    for (uint64_t i = 0; is_done && i < (uint64_t)f->width * f->height; ++i)
        pixels[i] = value_of(f, i);
    ct_array_free(&edges);
    return is_done;
}

bool ct_glyph_field(ct_allocator *a, const ct_outline_lines *lines, uint32_t width, uint32_t height,
                    uint32_t spread, uint8_t *pixels) {
    const uint64_t count = (uint64_t)width * height;
    field f = {.allocator = a,
               .width = width,
               .height = height,
               .spread = (float)spread,
               .windings = CT_NEW_ARRAY(a, int32_t, count),
               .squares = CT_NEW_ARRAY(a, float, count)};
    const bool is_done = fill(&f, lines, pixels);
    ct_free_sized(a, f.squares, count * sizeof(float));
    ct_free_sized(a, f.windings, count * sizeof(int32_t));
    return is_done;
}
