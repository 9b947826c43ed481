// Shapes with smooth edges: lines, arcs, rounded rectangles.
//
// An edge is made smooth by a fringe as wide as a pixel, whose outer side is transparent: no
// multisampling, and no shader of its own, so that shapes share the batches of rectangles. (Dear
// ImGui draws its shapes in this way.)
#include <math.h>

#include "foundation/error.h"
#include "gui/gui_private.h"

static const float turn = 6.28318530717958648f;

enum { MAX_SEGMENTS = 512 }; // of a circle

// --- Paths ---------------------------------------------------------------------------------------

static void add_point(ct_gui_system *s, float x, float y) {
    ct_array_push(&s->points, ct_vec2_make(x, y));
}

// How many segments of a circle of this radius look round: a segment is never farther than a
// quarter of a pixel from the circle.
static uint32_t count_segments(float radius, float angle, float pixel) {
    const float ratio = radius > 0.0f ? 0.25f * pixel / radius : 1.0f;
    const float step = ratio < 1.0f ? 2.0f * acosf(1.0f - ratio) : 0.25f * turn;
    const float count = ceilf(fabsf(angle) / fmaxf(step, turn / (float)MAX_SEGMENTS));
    return count > 1.0f ? (uint32_t)fminf(count, (float)MAX_SEGMENTS) : 1;
}

// Adds the points of an arc; both ends.
static void add_arc(ct_gui_system *s, ct_vec2 center, float radius, float from, float to,
                    float pixel) {
    const uint32_t count = count_segments(radius, to - from, pixel);
    for (uint32_t i = 0; i <= count; ++i) {
        const float angle = from + (to - from) * (float)i / (float)count;
        add_point(s, center.x + radius * cosf(angle), center.y + radius * sinf(angle));
    }
}

static ct_vec2 direction(ct_vec2 from, ct_vec2 to) {
    const float x = to.x - from.x, y = to.y - from.y;
    const float length = sqrtf(x * x + y * y);
    return length > 0.0f ? ct_vec2_make(x / length, y / length) : ct_vec2_make(0.0f, 0.0f);
}

// Fills `normals` with the offset of each point for a distance of 1 to the right of the path: the
// mitre of the two segments that meet there, at most 4 long.
static void find_normals(ct_gui_system *s, bool is_closed) {
    enum { MITRE_LIMIT = 4 };
    const uint32_t count = s->points.count;
    const ct_vec2 *const p = s->points.items;
    s->normals.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const bool has_before = i > 0 || is_closed, has_after = i + 1 < count || is_closed;
        ct_vec2 before = has_before ? direction(p[(i + count - 1) % count], p[i])
                                    : direction(p[i], p[(i + 1) % count]);
        ct_vec2 after = has_after ? direction(p[i], p[(i + 1) % count]) : before;
        if (before.x == 0.0f && before.y == 0.0f)
            before = after;
        if (after.x == 0.0f && after.y == 0.0f)
            after = before;
        const float x = before.y + after.y, y = -before.x - after.x;
        const float square = x * x + y * y;
        // Of two unit normals with the sum n, the mitre is n * 2 / |n|^2.
        const float scale =
            fminf(2.0f / fmaxf(square, 1e-6f), (float)MITRE_LIMIT / sqrtf(fmaxf(square, 1e-6f)));
        ct_array_push(&s->normals, ct_vec2_make(x * scale, y * scale));
    }
}

// --- Strips --------------------------------------------------------------------------------------

static void set_vertex(ct_batch_vertex *v, const ct_gui_system *s, uint32_t i, float distance,
                       uint32_t color) {
    *v = (ct_batch_vertex){.position = {s->points.items[i].x + s->normals.items[i].x * distance,
                                        s->points.items[i].y + s->normals.items[i].y * distance,
                                        0.0f},
                           .color = color};
}

// Adds a strip along the path between two distances to its right.
static void add_strip(ct_gui_system *s, bool is_closed, float from, float to, uint32_t color_from,
                      uint32_t color_to) {
    const uint32_t count = s->points.count, num_segments = is_closed ? count : count - 1;
    ct_batch_vertex *v = ct_gui_add_quads(s, num_segments);
    for (uint32_t i = 0; i < num_segments; ++i, v += 4) {
        const uint32_t next = (i + 1) % count;
        set_vertex(&v[0], s, i, from, color_from);
        set_vertex(&v[1], s, next, from, color_from);
        set_vertex(&v[2], s, next, to, color_to);
        set_vertex(&v[3], s, i, to, color_to);
    }
}

static uint32_t clear_of(uint32_t color) {
    return color & 0x00ffffffu;
}

static uint32_t fade(uint32_t color, float share) {
    return clear_of(color) | (uint32_t)((float)(color >> 24) * share + 0.5f) << 24;
}

// Adds a line along the path, between two distances to its right, with a fringe on either side.
static void add_line(ct_gui_system *s, bool is_closed, float from, float to, float pixel,
                     uint32_t color) {
    const float half = 0.5f * pixel, width = to - from;
    // A line thinner than a pixel is a pixel wide and less opaque.
    if (width < pixel) {
        const float middle = 0.5f * (from + to);
        const uint32_t faded = fade(color, width / pixel);
        add_strip(s, is_closed, middle - pixel, middle, clear_of(color), faded);
        add_strip(s, is_closed, middle, middle + pixel, faded, clear_of(color));
        return;
    }
    add_strip(s, is_closed, from - half, from + half, clear_of(color), color);
    if (width > pixel)
        add_strip(s, is_closed, from + half, to - half, color, color);
    add_strip(s, is_closed, to - half, to + half, color, clear_of(color));
}

// Fills the closed path, which goes counter-clockwise around its first point: two triangles of the
// fan in each quad, then a fringe.
static void add_filling(ct_gui_system *s, float pixel, uint32_t color) {
    const float half = 0.5f * pixel;
    const uint32_t count = s->points.count;
    for (uint32_t i = 1; i + 1 < count; i += 2) {
        const uint32_t last = i + 2 < count ? i + 2 : i + 1;
        ct_batch_vertex *const v = ct_gui_add_quads(s, 1);
        set_vertex(&v[0], s, 0, -half, color);
        set_vertex(&v[1], s, i, -half, color);
        set_vertex(&v[2], s, i + 1, -half, color);
        set_vertex(&v[3], s, last, -half, color);
    }
    add_strip(s, true, -half, half, color, clear_of(color));
}

// Spreads the picture of the material over the bounds of all quads.
static void spread_uvs(ct_gui_system *s) {
    float min[2] = {INFINITY, INFINITY}, max[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < s->quads.count; ++i)
        for (uint32_t k = 0; k < 2; ++k) {
            min[k] = fminf(min[k], s->quads.items[i].position[k]);
            max[k] = fmaxf(max[k], s->quads.items[i].position[k]);
        }
    const float width = fmaxf(max[0] - min[0], 1e-6f), height = fmaxf(max[1] - min[1], 1e-6f);
    for (uint32_t i = 0; i < s->quads.count; ++i) {
        ct_batch_vertex *const v = &s->quads.items[i];
        v->uv[0] = (v->position[0] - min[0]) / width;
        v->uv[1] = 1.0f - (v->position[1] - min[1]) / height;
    }
}

static void begin(ct_gui *g) {
    ct_gui_begin_quads(g->system);
    g->system->points.count = 0;
}

static ct_gui_object_id send(ct_gui *g, const ct_gui_draw *draw) {
    spread_uvs(g->system);
    return ct_gui_send_quads(g, draw, CT_GUI_KIND_SHAPE);
}

// --- Shapes --------------------------------------------------------------------------------------

ct_gui_object_id ct_gui_polyline(ct_gui *g, const ct_gui_draw *draw, const ct_vec2 *points,
                                 uint32_t num_points, float width, bool is_closed) {
    CT_ASSERT(num_points >= 2 && num_points <= CT_GUI_MAX_POINTS, "a line of %u points",
              num_points);
    ct_gui_system *const s = g->system;
    begin(g);
    for (uint32_t i = 0; i < num_points; ++i) {
        const ct_vec2 p = points[i];
        // Points on each other have no direction between them.
        const bool is_same = s->points.count && s->points.items[s->points.count - 1].x == p.x &&
                             s->points.items[s->points.count - 1].y == p.y;
        if (!is_same)
            add_point(s, p.x, p.y);
    }
    if (s->points.count >= 2 && width > 0.0f) {
        const bool closes = is_closed && s->points.count > 2;
        find_normals(s, closes);
        add_line(s, closes, -0.5f * width, 0.5f * width, ct_gui_pixel(g), draw->color);
    }
    return send(g, draw);
}

ct_gui_object_id ct_gui_arc(ct_gui *g, const ct_gui_draw *draw, ct_vec2 center, float radius,
                            float from, float to, float width) {
    ct_gui_system *const s = g->system;
    const float pixel = ct_gui_pixel(g);
    const bool is_whole = !(fabsf(to - from) < turn);
    begin(g);
    if (!(radius > 0.0f) || from == to || !isfinite(from) || !isfinite(to))
        return send(g, draw);
    const float end = is_whole ? from + turn : to;
    if (width <= 0.0f && !is_whole)
        add_point(s, center.x, center.y);
    add_arc(s, center, radius, fminf(from, end), fmaxf(from, end), pixel);
    if (is_whole)
        --s->points.count; // the last point is the first
    find_normals(s, is_whole || width <= 0.0f);
    if (width > 0.0f)
        add_line(s, is_whole, -0.5f * width, 0.5f * width, pixel, draw->color);
    else
        add_filling(s, pixel, draw->color);
    return send(g, draw);
}

// Adds the outline of a rectangle with round corners, counter-clockwise.
static void add_round_outline(ct_gui_system *s, ct_vec2 min, ct_vec2 size, const float radii[4],
                              float pixel) {
    const float most = 0.5f * fminf(size.x, size.y);
    for (uint32_t i = 0; i < 4; ++i) {
        const float r = fminf(fmaxf(radii[i], 0.0f), most);
        const bool is_right = i == 1 || i == 2, is_top = i >= 2;
        const ct_vec2 corner =
            ct_vec2_make(min.x + (is_right ? size.x : 0.0f), min.y + (is_top ? size.y : 0.0f));
        const ct_vec2 center =
            ct_vec2_make(corner.x + (is_right ? -r : r), corner.y + (is_top ? -r : r));
        const float start = turn * (0.5f + 0.25f * (float)i); // left, then down, right, up
        if (r > 0.0f)
            add_arc(s, center, r, start, start + 0.25f * turn, pixel);
        else
            add_point(s, corner.x, corner.y);
    }
}

ct_gui_object_id ct_gui_rounded_rect(ct_gui *g, const ct_gui_draw *draw, ct_vec2 min, ct_vec2 size,
                                     const float radii[4], float border, uint32_t border_color) {
    ct_gui_system *const s = g->system;
    const float pixel = ct_gui_pixel(g);
    begin(g);
    if (!(size.x > 0.0f && size.y > 0.0f))
        return send(g, draw);
    add_round_outline(s, min, size, radii, pixel);
    find_normals(s, true);
    const float line = fminf(border, 0.5f * fminf(size.x, size.y));
    if (draw->color >> 24)
        add_filling(s, pixel, draw->color);
    if (line > 0.0f)
        add_line(s, true, -line, 0.0f, pixel, border_color);
    return send(g, draw);
}
