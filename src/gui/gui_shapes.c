// Shapes with smooth edges: lines, arcs, rounded rectangles.
//
// An edge is made smooth by a fringe as wide as a pixel, whose outer side is transparent: no
// multisampling, and no shader of its own, so that shapes share the batches of rectangles. (Dear
// ImGui draws its shapes in this way.)
#include <float.h>
#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "gui/gui_private.h"

static const float turn = 6.28318530717958648f;

enum {
    MAX_SEGMENTS = 512, // of a circle
    MITRE_LIMIT = 4,    // times half the width of a line
};

// --- Paths ---------------------------------------------------------------------------------------

// Whether two points are so near that the direction between them is only the rounding of floats.
static bool is_near(ct_vec2 a, ct_vec2 b, float pixel) {
    const float most = fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(b.x), fabsf(b.y)));
    const float limit = 1e-3f * pixel + 4.0f * FLT_EPSILON * most;
    return fabsf(a.x - b.x) < limit && fabsf(a.y - b.y) < limit;
}

// Adds a point, unless it is on the one before.
static void add_point(ct_gui_system *s, float x, float y, float pixel) {
    const ct_vec2 point = ct_vec2_make(x, y);
    if (!s->points.count || !is_near(s->points.items[s->points.count - 1], point, pixel))
        ct_array_push(&s->points, point);
}

// Ends a closed path: drops a last point that is on the first.
static void close_path(ct_gui_system *s, float pixel) {
    const uint32_t count = s->points.count;
    if (count > 1 && is_near(s->points.items[0], s->points.items[count - 1], pixel))
        --s->points.count;
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
        add_point(s, center.x + radius * cosf(angle), center.y + radius * sinf(angle), pixel);
    }
}

// The unit vector to the right of the way between two points.
static ct_vec2 normal_of(ct_vec2 from, ct_vec2 to) {
    const float x = to.x - from.x, y = to.y - from.y;
    const float length = sqrtf(x * x + y * y);
    return length > 0.0f ? ct_vec2_make(y / length, -x / length) : ct_vec2_make(0.0f, 0.0f);
}

// The mitre of two normals that meet: the corner at a distance of 1 to the right of the path; at
// most `limit` long.
static ct_vec2 mitre_of(ct_vec2 before, ct_vec2 after, float limit) {
    const float x = before.x + after.x, y = before.y + after.y;
    const float square = fmaxf(x * x + y * y, 1e-6f);
    // Of two unit normals with the sum n, the mitre is n * 2 / |n|^2.
    const float scale = fminf(2.0f / square, limit / sqrtf(square));
    return ct_vec2_make(x * scale, y * scale);
}

static bool turns_left(ct_vec2 before, ct_vec2 after) {
    return before.x * after.y - before.y * after.x > 0.0f;
}

// Adds a corner that is sharper than the mitre limit as two, with the normals of either segment: a
// bevel. On its inner side the two edges meet in the mitre when it is not longer than `room`.
static void add_bevel(ct_gui_system *s, ct_vec2 point, ct_vec2 before, ct_vec2 after, float reach,
                      float room) {
    const float x = before.x + after.x, y = before.y + after.y, square = x * x + y * y;
    const bool is_left = turns_left(before, after);
    ct_gui_corner first = {point, before, before}, second = {point, after, after};
    // How far along the segments the mitre is, for a distance of 1.
    if (square > 0.0f && sqrtf(4.0f / square - 1.0f) * reach <= room) {
        const ct_vec2 mitre = ct_vec2_make(x * 2.0f / square, y * 2.0f / square);
        *(is_left ? &first.left : &first.right) = mitre;
        *(is_left ? &second.left : &second.right) = mitre;
    }
    ct_array_push(&s->corners, first);
    ct_array_push(&s->corners, second);
}

static float distance_of(ct_vec2 a, ct_vec2 b) {
    const float x = b.x - a.x, y = b.y - a.y;
    return sqrtf(x * x + y * y);
}

// What becomes of corners whose mitre is longer than `limit`. Those to the right, and to the left,
// are bevelled for a line that reaches this far from its path; 0: they have a shorter mitre instead.
typedef struct corner_style {
    float limit, right_reach, left_reach;
} corner_style;

static void add_corner(ct_gui_system *s, ct_vec2 last, ct_vec2 point, ct_vec2 next, ct_vec2 before,
                       ct_vec2 after, const corner_style *style) {
    const float x = before.x + after.x, y = before.y + after.y;
    const bool is_sharp = x * x + y * y < 4.0f / (style->limit * style->limit);
    const float reach = turns_left(before, after) ? style->left_reach : style->right_reach;
    if (is_sharp && reach > 0.0f) {
        const float room = 0.5f * fminf(distance_of(last, point), distance_of(point, next));
        add_bevel(s, point, before, after, reach, room);
        return;
    }
    const ct_vec2 mitre = mitre_of(before, after, style->limit);
    ct_array_push(&s->corners, ((ct_gui_corner){point, mitre, mitre}));
}

// Fills `corners` from the points. False when there are too few points.
static bool find_corners(ct_gui_system *s, bool is_closed, const corner_style *style) {
    const ct_vec2 *const p = s->points.items;
    const uint32_t count = s->points.count;
    s->corners.count = 0;
    if (count < (is_closed ? 3u : 2u))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec2 last = p[(i + count - 1) % count], next = p[(i + 1) % count];
        const bool is_start = i == 0 && !is_closed, is_end = i + 1 == count && !is_closed;
        const ct_vec2 before = is_start ? normal_of(p[i], next) : normal_of(last, p[i]);
        const ct_vec2 after = is_end ? before : normal_of(p[i], next);
        add_corner(s, last, p[i], next, before, after, style);
    }
    return true;
}

// --- Strips --------------------------------------------------------------------------------------

// A corner at a distance to the right of the path.
static ct_vec2 corner_at(const ct_gui_corner *corner, float distance) {
    const ct_vec2 normal = distance > 0.0f ? corner->right : corner->left;
    return ct_vec2_make(corner->position.x + normal.x * distance,
                        corner->position.y + normal.y * distance);
}

static void set_vertex(ct_batch_vertex *v, const ct_gui_system *s, uint32_t i, float distance,
                       uint32_t color) {
    const ct_vec2 at = corner_at(&s->corners.items[i], distance);
    *v = (ct_batch_vertex){.position = {at.x, at.y, 0.0f}, .color = color};
}

// Adds a strip along the path between two distances to its right.
static void add_strip(ct_gui_system *s, bool is_closed, float from, float to, uint32_t color_from,
                      uint32_t color_to) {
    const uint32_t count = s->corners.count, num_segments = is_closed ? count : count - 1;
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

// The area inside of the closed path at a share of the way between two distances to its right.
static float area_at(const ct_gui_system *s, float from, float to, float share) {
    ct_vec2 first = {{0.0f, 0.0f}}, last = first;
    float sum = 0.0f;
    for (uint32_t i = 0; i < s->corners.count; ++i) {
        const ct_vec2 a = corner_at(&s->corners.items[i], from);
        const ct_vec2 b = corner_at(&s->corners.items[i], to);
        const ct_vec2 at = ct_vec2_make(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share);
        if (i == 0)
            first = at;
        const ct_vec2 next = ct_vec2_make(at.x - first.x, at.y - first.y);
        sum += i == 0 ? 0.0f : last.x * next.y - last.y * next.x;
        last = next;
    }
    return 0.5f * sum;
}

// How opaque a filling of the closed path with a fringe from `inset` inside to `half` a pixel
// outside is, so that it covers as much as its area.
static float find_opacity(const ct_gui_system *s, float inset, float half) {
    // Simpson's rule is exact: the area is a square function of the share.
    const float covered = (area_at(s, -inset, half, 0.0f) + 4.0f * area_at(s, -inset, half, 0.5f) +
                           area_at(s, -inset, half, 1.0f)) /
                          6.0f;
    const float area = area_at(s, 0.0f, 0.0f, 0.0f);
    return covered > 0.0f ? fmaxf(fminf(area / covered, 1.0f), 0.0f) : 0.0f;
}

// The smallest circles are squares: a fringe has room for 0.7 of their radius.
static float inset_of(float radius, float pixel) {
    return fminf(0.5f * pixel, 0.7f * radius);
}

// Fills the closed path, which goes counter-clockwise around its first point: two triangles of the
// fan in each quad, then a fringe. `radius` is that of a circle which fits into the path. A thin
// filling has a narrower fringe inside, so that it does not turn inside out, and is less opaque.
static void add_filling(ct_gui_system *s, float pixel, float radius, uint32_t opaque) {
    const float half = 0.5f * pixel, inset = inset_of(radius, pixel);
    const uint32_t count = s->corners.count;
    uint32_t color = opaque;
    // A circle of one pixel's radius is opaque; it fades smoothly from there.
    const float share = (0.7f * radius - half) / (0.7f * pixel - half);
    if (share < 1.0f) {
        const float opacity = find_opacity(s, inset, half);
        color = fade(opaque, opacity + (1.0f - opacity) * fmaxf(share, 0.0f));
    }
    for (uint32_t i = 1; i + 1 < count; i += 2) {
        const uint32_t last = i + 2 < count ? i + 2 : i + 1;
        ct_batch_vertex *const v = ct_gui_add_quads(s, 1);
        set_vertex(&v[0], s, 0, -inset, color);
        set_vertex(&v[1], s, i, -inset, color);
        set_vertex(&v[2], s, i + 1, -inset, color);
        set_vertex(&v[3], s, last, -inset, color);
    }
    add_strip(s, true, -inset, half, color, clear_of(color));
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
    const float pixel = ct_gui_pixel(g);
    begin(g);
    for (uint32_t i = 0; i < num_points; ++i)
        add_point(s, points[i].x, points[i].y, pixel);
    if (is_closed)
        close_path(s, pixel);
    const bool closes = is_closed && s->points.count > 2;
    const float reach = fmaxf(0.5f * (width + pixel), pixel);
    if (width > 0.0f && find_corners(s, closes, &(corner_style){MITRE_LIMIT, reach, reach}))
        add_line(s, closes, -0.5f * width, 0.5f * width, pixel, draw->color);
    return send(g, draw);
}

// Half the radius of the circle that fits into a part of a disc: the fringe takes more at its tip.
static float room_in_part(float radius, float angle) {
    const float k = sinf(0.5f * fminf(angle, 0.5f * turn));
    return 0.5f * radius * k / (1.0f + k);
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
    const bool is_line = width > 0.0f;
    if (!is_line && !is_whole)
        add_point(s, center.x, center.y, pixel);
    add_arc(s, center, radius, fminf(from, end), fmaxf(from, end), pixel);
    if (is_whole)
        --s->points.count; // the last point is the first
    const float room = is_whole ? radius : room_in_part(radius, fabsf(end - from));
    // The tip of a part is to the left, as the path is counter-clockwise.
    const corner_style style = {MITRE_LIMIT, .left_reach = is_line ? 0.0f : inset_of(room, pixel)};
    if (!find_corners(s, is_whole || !is_line, &style))
        return send(g, draw);
    if (is_line)
        add_line(s, is_whole, -0.5f * width, 0.5f * width, pixel, draw->color);
    else
        add_filling(s, pixel, room, draw->color);
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
            add_point(s, corner.x, corner.y, pixel);
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
    close_path(s, pixel);
    // Turns are at most right angles: sharper ones are the rounding of very thin rectangles.
    if (!find_corners(s, true, &(corner_style){.limit = sqrtf(2.0f)}))
        return send(g, draw);
    const float most = 0.5f * fminf(size.x, size.y);
    const bool is_all_border = border >= most; // its inner edges would meet in a seam
    if (is_all_border || draw->color >> 24)
        add_filling(s, pixel, most, is_all_border ? border_color : draw->color);
    if (border > 0.0f && !is_all_border)
        add_line(s, true, -border, 0.0f, pixel, border_color);
    return send(g, draw);
}
