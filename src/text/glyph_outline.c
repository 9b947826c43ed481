#include "text/glyph_outline.h"

#include <math.h>

static const float tolerance = 0.01f; // pixels between a curve and its lines
enum { MAX_PIECES = 64 };             // of a curve

typedef struct point {
    float x, y;
} point;

typedef struct walk {
    ct_outline_lines *lines;
    uint32_t max_lines;
    float left, top;
    point start, pen; // of the contour
} walk;

static point point_of(const walk *w, const FT_Vector *v) {
    return (point){(float)v->x / 64 - w->left, w->top - (float)v->y / 64};
}

// Returns FreeType's code for success, or another one.
static int line_to(walk *w, point to) {
    if (to.x != w->pen.x || to.y != w->pen.y) {
        if (w->lines->count >= w->max_lines)
            return 1;
        const ct_outline_line line = {w->pen.x, w->pen.y, to.x, to.y};
        ct_array_push(w->lines, line);
    }
    w->pen = to;
    return 0;
}

// How many lines a curve takes whose second differences are at most (x, y).
static uint32_t num_pieces(float x, float y, float factor) {
    const float count = ceilf(sqrtf(sqrtf(x * x + y * y) * factor / tolerance));
    return count < 1 ? 1 : count > MAX_PIECES ? MAX_PIECES : (uint32_t)count;
}

static int close_contour(walk *w) {
    return line_to(w, w->start);
}

static int on_move(const FT_Vector *to, void *user) {
    walk *const w = user;
    const int code = close_contour(w);
    w->start = w->pen = point_of(w, to);
    return code;
}

static int on_line(const FT_Vector *to, void *user) {
    return line_to(user, point_of(user, to));
}

static int on_conic(const FT_Vector *control, const FT_Vector *to, void *user) {
    walk *const w = user;
    const point a = w->pen, b = point_of(w, control), c = point_of(w, to);
    const uint32_t count = num_pieces(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y, 0.25f);
    for (uint32_t i = 1; i < count; ++i) {
        const float t = (float)i / (float)count, s = 1 - t;
        const point p = {s * s * a.x + 2 * s * t * b.x + t * t * c.x,
                         s * s * a.y + 2 * s * t * b.y + t * t * c.y};
        if (line_to(w, p) != 0)
            return 1;
    }
    return line_to(w, c);
}

static int on_cubic(const FT_Vector *control_1, const FT_Vector *control_2, const FT_Vector *to,
                    void *user) {
    walk *const w = user;
    const point a = w->pen, b = point_of(w, control_1), c = point_of(w, control_2),
                d = point_of(w, to);
    const float x = fmaxf(fabsf(a.x - 2 * b.x + c.x), fabsf(b.x - 2 * c.x + d.x));
    const float y = fmaxf(fabsf(a.y - 2 * b.y + c.y), fabsf(b.y - 2 * c.y + d.y));
    const uint32_t count = num_pieces(x, y, 0.75f);
    for (uint32_t i = 1; i < count; ++i) {
        const float t = (float)i / (float)count, s = 1 - t;
        const float fa = s * s * s, fb = 3 * s * s * t, fc = 3 * s * t * t, fd = t * t * t;
        const point p = {fa * a.x + fb * b.x + fc * c.x + fd * d.x,
                         fa * a.y + fb * b.y + fc * c.y + fd * d.y};
        if (line_to(w, p) != 0)
            return 1;
    }
    return line_to(w, d);
}

bool ct_glyph_outline_lines(const ct_freetype_api *ft, FT_Outline *outline, float left, float top,
                            uint32_t max_lines, ct_outline_lines *lines) {
    const FT_Outline_Funcs functions = {
        .move_to = on_move, .line_to = on_line, .conic_to = on_conic, .cubic_to = on_cubic};
    walk w = {.lines = lines, .max_lines = max_lines, .left = left, .top = top};
    return ft->FT_Outline_Decompose(outline, &functions, &w) == 0 && close_contour(&w) == 0;
}
