#include "compiler/types/model/worker_obj_polygon.h"

#include <math.h>

// A corner seen along the polygon's normal, in the ring of those that are left.
typedef struct ring_corner {
    double x, y;
    uint32_t previous, next;
    bool is_reflex, is_ear;
} ring_corner;

// Newell's: the sum over all sides, which no corner on a line spoils.
static void normal_of(const float (*p)[3], uint32_t count, double normal[3]) {
    normal[0] = normal[1] = normal[2] = 0;
    for (uint32_t i = 0, last = count - 1; i < count; last = i++) {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
            // From the first corner, so that far from the origin no digits are lost.
            normal[k] += ((double)p[last][a] - p[0][a]) * ((double)p[i][b] - p[0][b]) -
                         ((double)p[last][b] - p[0][b]) * ((double)p[i][a] - p[0][a]);
        }
    }
}

// The corners without the axis along which the polygon is largest, and twice its area there. False
// when it has none.
static bool flatten(const float (*p)[3], uint32_t count, ring_corner *ring, double *twice_area) {
    double normal[3];
    normal_of(p, count, normal);
    uint32_t axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    if (!isfinite(normal[0] + normal[1] + normal[2]) || normal[axis] == 0)
        return false;
    const uint32_t x = (axis + 1) % 3, y = (axis + 2) % 3;
    const double sign = normal[axis] < 0 ? -1 : 1;
    *twice_area = fabs(normal[axis]);
    for (uint32_t i = 0; i < count; ++i)
        ring[i] = (ring_corner){.x = sign * ((double)p[i][x] - p[0][x]),
                                .y = (double)p[i][y] - p[0][y],
                                .previous = i == 0 ? count - 1 : i - 1,
                                .next = i + 1 == count ? 0 : i + 1};
    return true;
}

// Twice the area of a triangle; positive when it turns left.
static double area(const ring_corner *a, const ring_corner *b, const ring_corner *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

// True when the fan from the first corner covers the polygon, as it does a convex one: all its
// triangles turn left, and all together not around the corner. `slack` is the area by which one may
// turn right.
static bool is_fan(const ring_corner *ring, uint32_t count, double slack) {
    double angle = 0;
    for (uint32_t i = 1; i + 1 < count; ++i) {
        const ring_corner *a = &ring[0], *b = &ring[i], *c = &ring[i + 1];
        const double twice = area(a, b, c);
        if (slack > 0 ? twice < -slack : twice <= 0)
            return false;
        if (count > 4) // two triangles are less than one turn
            angle += atan2(twice, (b->x - a->x) * (c->x - a->x) + (b->y - a->y) * (c->y - a->y));
    }
    return angle < 6.28;
}

static void add_triangle(ct_u32_array *triangles, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corners[3] = {a, b, c};
    ct_array_push_many(triangles, corners, 3);
}

static void cut_fan(uint32_t count, ct_u32_array *triangles) {
    for (uint32_t i = 1; i + 1 < count; ++i)
        add_triangle(triangles, 0, i, i + 1);
}

// --- Ears ----------------------------------------------------------------------------------------

static bool is_same_place(const ring_corner *a, const ring_corner *b) {
    return a->x == b->x && a->y == b->y;
}

static bool is_ear(const ring_corner *ring, uint32_t i) {
    const ring_corner *b = &ring[i], *a = &ring[b->previous], *c = &ring[b->next];
    if (b->is_reflex)
        return false;
    for (uint32_t k = c->next; k != b->previous; k = ring[k].next) {
        const ring_corner *const p = &ring[k];
        if (p->is_reflex && area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0 &&
            !is_same_place(p, a) && !is_same_place(p, b) && !is_same_place(p, c))
            return false;
    }
    return true;
}

static void look_at(ring_corner *ring, uint32_t i) {
    ring_corner *const b = &ring[i];
    b->is_reflex = !(area(&ring[b->previous], b, &ring[b->next]) > 0);
    b->is_ear = is_ear(ring, i);
}

// The next ear from `i` on; without one a corner that turns left, or any.
static uint32_t find_ear(const ring_corner *ring, uint32_t i) {
    uint32_t found = i;
    bool has_convex = false;
    for (uint32_t k = i, first = 1; first || k != i; k = ring[k].next, first = 0) {
        if (ring[k].is_ear)
            return k;
        if (!has_convex && !ring[k].is_reflex) {
            found = k;
            has_convex = true;
        }
    }
    return found;
}

static void clip_ears(ring_corner *ring, uint32_t count, ct_u32_array *triangles) {
    for (uint32_t i = 0; i < count; ++i)
        ring[i].is_reflex = !(area(&ring[ring[i].previous], &ring[i], &ring[ring[i].next]) > 0);
    for (uint32_t i = 0; i < count; ++i)
        ring[i].is_ear = is_ear(ring, i);
    uint32_t at = 0;
    for (uint32_t left = count; left > 3; --left) {
        const uint32_t ear = find_ear(ring, at);
        const uint32_t previous = ring[ear].previous, next = ring[ear].next;
        add_triangle(triangles, previous, ear, next);
        ring[previous].next = next;
        ring[next].previous = previous;
        look_at(ring, previous);
        look_at(ring, next);
        at = next; // not always the same corner: thin triangles around one are bad to draw
    }
    add_triangle(triangles, ring[at].previous, at, ring[at].next);
}

bool ct_worker_obj_polygon_cut(ct_allocator *scratch, const float (*points)[3], uint32_t num_points,
                               ct_u32_array *triangles) {
    ring_corner few[16];
    const uint64_t bytes = sizeof(ring_corner) * (uint64_t)num_points;
    ring_corner *const many = num_points > CT_COUNT_OF(few) ? ct_alloc(scratch, bytes) : NULL;
    ring_corner *const ring = many ? many : few;
    const bool is_large = num_points > CT_WORKER_OBJ_POLYGON_MAX;
    double size = 0;
    const bool is_cut_as_fan =
        num_points == 3 || !flatten(points, num_points, ring, &size) ||
        is_fan(ring, num_points, is_large ? size * 1e-7 : 0); // what floats lose
    if (is_cut_as_fan)
        cut_fan(num_points, triangles);
    else if (!is_large)
        clip_ears(ring, num_points, triangles);
    ct_free_sized(scratch, many, bytes);
    return is_cut_as_fan || !is_large;
}
