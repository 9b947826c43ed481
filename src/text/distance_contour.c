#include "text/distance_contour.h"

#include <math.h>
#include <string.h>

#include "foundation/memory/allocator.h"

// More pixels of partial coverage in line than this are no cut through an edge.
enum { MOST_PARTIAL = 5 };

// --- Bits ----------------------------------------------------------------------------------------

// One bit for each of eight pixels, the first lowest: whether its top bit is set.
static uint64_t inside_of_eight(const uint8_t *pixels) {
    uint64_t v;
    memcpy(&v, pixels, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return (((v & 0x8080808080808080u) >> 7) * 0x0102040810204080u) >> 56;
}

// Sets the bits of pixels `at` to `at` + 63, or to the end of the row, in the lowest places.
static uint64_t inside_of_word(const uint8_t *row, uint32_t at, uint32_t width) {
    uint64_t bits = 0;
    uint32_t i = 0;
    for (; i < 64 && at + i + 8 <= width; i += 8)
        bits |= inside_of_eight(row + at + i) << i;
    for (; i < 64 && at + i < width; ++i)
        bits |= (uint64_t)(row[at + i] >> 7) << i;
    return bits;
}

void ct_distance_contour_init(ct_distance_contour *c, ct_allocator *a, const uint8_t *coverage,
                              uint32_t width, uint32_t height) {
    *c = (ct_distance_contour){.coverage = coverage,
                               .width = (int32_t)width,
                               .height = (int32_t)height,
                               .row_words = (width + 2 + 63) / 64 + 1,
                               .allocator = a};
    c->bits = ct_alloc_array_zero(a, sizeof(uint64_t), (uint64_t)c->row_words * (height + 2));
    for (uint32_t y = 0; y < height; ++y) {
        uint64_t *const bits = c->bits + (uint64_t)(y + 1) * c->row_words;
        const uint8_t *const row = coverage + (uint64_t)y * width;
        uint64_t carry = 0;
        for (uint32_t k = 0; k * 64 < width + 1; ++k) {
            const uint64_t word = inside_of_word(row, k * 64, width);
            bits[k] = word << 1 | carry;
            carry = word >> 63;
        }
    }
}

void ct_distance_contour_shutdown(ct_distance_contour *c) {
    ct_free(c->allocator, c->bits);
    *c = (ct_distance_contour){0};
}

// --- Crossings -----------------------------------------------------------------------------------

static int32_t coverage_at(const ct_distance_contour *c, int32_t x, int32_t y) {
    const bool is_there = x >= 0 && y >= 0 && x < c->width && y < c->height;
    return is_there ? c->coverage[(uint64_t)y * (uint32_t)c->width + (uint32_t)x] : 0;
}

// Pixels of partial coverage in line.
typedef struct partial_run {
    int32_t sum, count;
} partial_run;

// Adds the pixels from (x, y) on in a direction until one that is `end` (0 or 255). False when the
// coverage turns back before, or too many are partial.
static bool add_run(const ct_distance_contour *c, int32_t x, int32_t y, int32_t dx, int32_t dy,
                    int32_t end, partial_run *run) {
    int32_t previous = 255 - end;
    for (;; x += dx, y += dy) {
        const int32_t value = coverage_at(c, x, y);
        if (value == end)
            return true;
        if (run->count == MOST_PARTIAL || (end == 0 ? value > previous : value < previous))
            return false;
        run->sum += value;
        ++run->count;
        previous = value;
    }
}

// As ct_distance_contour_crossing, from the pixel that is inside; (dx, dy) leads to the other one.
static float crossing_from_inside(const ct_distance_contour *c, int32_t x, int32_t y, int32_t dx,
                                  int32_t dy) {
    const int32_t inner = coverage_at(c, x, y), outer = coverage_at(c, x + dx, y + dy);
    if (inner == 255 && outer == 0)
        return 0.5f;
    partial_run run = {0};
    if (!add_run(c, x, y, -dx, -dy, 255, &run))
        return ((float)inner - 127.5f) / (float)(inner - outer);
    const int32_t num_inner = run.count;
    if (!add_run(c, x + dx, y + dy, dx, dy, 0, &run))
        return ((float)inner - 127.5f) / (float)(inner - outer);
    const float place = 0.5f - (float)num_inner + (float)run.sum * (1.0f / 255.0f);
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

float ct_distance_contour_crossing(const ct_distance_contour *c, int32_t x, int32_t y,
                                   bool is_down) {
    const int32_t dx = is_down ? 0 : 1, dy = is_down ? 1 : 0;
    if (coverage_at(c, x, y) >= 128)
        return crossing_from_inside(c, x, y, dx, dy);
    return 1 - crossing_from_inside(c, x + dx, y + dy, -dx, -dy);
}

// --- Cells ---------------------------------------------------------------------------------------

// The corners of a cell, as bits.
enum {
    TOP_LEFT = 1,
    TOP_RIGHT = 2,
    BOTTOM_LEFT = 4,
    BOTTOM_RIGHT = 8,
};

// The corners that are inside, of the cell between (x, y) and (x + 1, y + 1); -1 to the last pixel.
static uint32_t corners_of(const ct_distance_contour *c, int32_t x, int32_t y) {
    const uint32_t at = (uint32_t)(x + 1);
    const uint64_t *const top = ct_distance_contour_row(c, y) + at / 64;
    const uint64_t *const bottom = top + c->row_words;
    const uint32_t shift = at % 64;
    // The bit after the last of a word is the first of the next.
    const uint64_t t = top[0] >> shift | (shift == 63 ? top[1] << 1 : 0);
    const uint64_t b = bottom[0] >> shift | (shift == 63 ? bottom[1] << 1 : 0);
    return (uint32_t)((t & 3) | (b & 3) << 2);
}

static bool is_saddle(uint32_t corners) {
    return corners == (TOP_LEFT | BOTTOM_RIGHT) || corners == (TOP_RIGHT | BOTTOM_LEFT);
}

// Whether the two corners of a saddle that are inside are connected.
static bool is_connected(const ct_distance_contour *c, int32_t x, int32_t y) {
    return coverage_at(c, x, y) + coverage_at(c, x + 1, y) + coverage_at(c, x, y + 1) +
               coverage_at(c, x + 1, y + 1) >=
           2 * 255;
}

// Whether the centre of a cell is inside.
static bool is_center_inside(const ct_distance_contour *c, int32_t x, int32_t y) {
    const uint32_t corners = corners_of(c, x, y);
    const int num_inside = __builtin_popcount(corners);
    if (num_inside != 2)
        return num_inside > 2;
    if (is_saddle(corners))
        return is_connected(c, x, y);
    const bool is_upright = corners == (TOP_LEFT | BOTTOM_LEFT) || //
                            corners == (TOP_RIGHT | BOTTOM_RIGHT);
    const float sum = is_upright ? ct_distance_contour_crossing(c, x, y, false) +
                                       ct_distance_contour_crossing(c, x, y + 1, false)
                                 : ct_distance_contour_crossing(c, x, y, true) +
                                       ct_distance_contour_crossing(c, x + 1, y, true);
    return (corners & TOP_LEFT) ? sum >= 1 : sum <= 1;
}

bool ct_distance_contour_is_inside(const ct_distance_contour *c, float x, float y) {
    const int32_t left = (int32_t)floorf(x), top = (int32_t)floorf(y);
    if (x != (float)left)
        return left < c->width && top < c->height && is_center_inside(c, left, top);
    return coverage_at(c, left, top) >= 128;
}

// --- Segments ------------------------------------------------------------------------------------

// A point of a cell's edge, from the cell's top left corner.
typedef struct cell_point {
    float x, y;
} cell_point;

static float squared_to_segment(cell_point p, cell_point a, cell_point b) {
    const float abx = b.x - a.x, aby = b.y - a.y, apx = p.x - a.x, apy = p.y - a.y;
    const float squared = abx * abx + aby * aby;
    float t = squared > 0 ? (apx * abx + apy * aby) / squared : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const float dx = apx - t * abx, dy = apy - t * aby;
    return dx * dx + dy * dy;
}

// The squared distance of `p` (from the cell's top left corner) to the cell's segments.
static float squared_to_cell(const ct_distance_contour *c, int32_t x, int32_t y, cell_point p) {
    const uint32_t corners = corners_of(c, x, y);
    cell_point points[4]; // on the cell's top, right, bottom and left side
    uint32_t found[4], num_found = 0;
    const bool tl = corners & TOP_LEFT, tr = corners & TOP_RIGHT, bl = corners & BOTTOM_LEFT,
               br = corners & BOTTOM_RIGHT;
    if (tl != tr) {
        points[0] = (cell_point){ct_distance_contour_crossing(c, x, y, false), 0};
        found[num_found++] = 0;
    }
    if (tr != br) {
        points[1] = (cell_point){1, ct_distance_contour_crossing(c, x + 1, y, true)};
        found[num_found++] = 1;
    }
    if (bl != br) {
        points[2] = (cell_point){ct_distance_contour_crossing(c, x, y + 1, false), 1};
        found[num_found++] = 2;
    }
    if (tl != bl) {
        points[3] = (cell_point){0, ct_distance_contour_crossing(c, x, y, true)};
        found[num_found++] = 3;
    }
    if (num_found == 0)
        return INFINITY;
    if (num_found == 2)
        return squared_to_segment(p, points[found[0]], points[found[1]]);
    // A saddle: segments cut off two corners, those outside when the others are connected.
    const bool cuts_top_left = tl != is_connected(c, x, y);
    const float first = squared_to_segment(p, points[0], points[cuts_top_left ? 3 : 1]);
    const float second = squared_to_segment(p, points[2], points[cuts_top_left ? 1 : 3]);
    return first < second ? first : second;
}

// The bits of 64 pixels of a row from `x` on; those outside of the row are 0.
static uint64_t bits_from(const ct_distance_contour *c, const uint64_t *row, int32_t x) {
    const uint32_t at = (uint32_t)(x + 1), shift = at % 64;
    const uint64_t low = row[at / 64] >> shift;
    const bool has_next = at / 64 + 1 < c->row_words;
    return shift > 0 && has_next ? low | row[at / 64 + 1] << (64 - shift) : low;
}

// Tries the cells of row `y` from `left` to `right` in which there is an edge.
static float nearest_in_row(const ct_distance_contour *c, float px, float py, int32_t left,
                            int32_t right, int32_t y, float best) {
    for (int32_t x = left; x <= right; x += 63) {
        const uint64_t top = bits_from(c, ct_distance_contour_row(c, y), x);
        const uint64_t bottom = bits_from(c, ct_distance_contour_row(c, y + 1), x);
        uint64_t mixed = (top ^ top >> 1) | (top ^ bottom) | (bottom ^ bottom >> 1);
        const int32_t num = right - x + 1 < 63 ? right - x + 1 : 63;
        mixed &= (1ull << num) - 1;
        for (; mixed; mixed &= mixed - 1) {
            const int32_t cell = x + __builtin_ctzll(mixed);
            const float dx = px < (float)cell       ? (float)cell - px
                             : px > (float)cell + 1 ? px - (float)cell - 1
                                                    : 0;
            const float dy = py < (float)y       ? (float)y - py
                             : py > (float)y + 1 ? py - (float)y - 1
                                                 : 0;
            if (dx * dx + dy * dy >= best)
                continue;
            const float squared =
                squared_to_cell(c, cell, y, (cell_point){px - (float)cell, py - (float)y});
            best = squared < best ? squared : best;
        }
    }
    return best;
}

float ct_distance_contour_nearest(const ct_distance_contour *c, float x, float y, float best) {
    const float reach = sqrtf(best);
    const int32_t left = (int32_t)floorf(fmaxf(x - reach, -1));
    const int32_t top = (int32_t)floorf(fmaxf(y - reach, -1));
    const int32_t right = (int32_t)floorf(fminf(x + reach, (float)c->width - 1));
    const int32_t bottom = (int32_t)floorf(fminf(y + reach, (float)c->height - 1));
    for (int32_t row = top; row <= bottom; ++row)
        best = nearest_in_row(c, x, y, left, right, row, best);
    return best;
}
