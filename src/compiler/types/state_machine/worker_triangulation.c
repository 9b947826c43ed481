#include "compiler/types/state_machine/worker_triangulation.h"

#include <math.h>

typedef struct builder {
    const ct_worker_point *points;
    ct_worker_triangulation t;
} builder;

// Twice the area of a triangle; positive when it is counter-clockwise. 0 for points that are on a
// line as far as roundings show.
static double area(const builder *b, uint32_t i, uint32_t j, uint32_t k) {
    const ct_worker_point *const p = &b->points[i], *const q = &b->points[j],
                                 *const r = &b->points[k];
    const double left = (q->x - p->x) * (r->y - p->y), right = (q->y - p->y) * (r->x - p->x);
    const double found = left - right;
    return fabs(found) <= 1e-12 * (fabs(left) + fabs(right)) ? 0 : found;
}

// Whether `d` is inside the circle around a counter-clockwise triangle, by more than roundings.
static bool is_in_circle(const builder *b, const uint32_t *t, uint32_t d) {
    const ct_worker_point *const o = &b->points[d];
    double m[3][3], size = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        m[i][0] = b->points[t[i]].x - o->x;
        m[i][1] = b->points[t[i]].y - o->y;
        m[i][2] = m[i][0] * m[i][0] + m[i][1] * m[i][1];
        size = fmax(size, m[i][2]);
    }
    const double found = m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) -
                         m[1][2] * (m[0][0] * m[2][1] - m[0][1] * m[2][0]) +
                         m[2][2] * (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
    return found > 1e-10 * size * size;
}

static void add_triangle(builder *b, uint32_t i, uint32_t j, uint32_t k) {
    const ct_state_machine_triangle t = {{i, j, k}};
    ct_array_push(&b->t.triangles, t);
}

// The position of the directed edge from `i` to `j` among the edges, or UINT32_MAX.
static uint32_t find_edge(const builder *b, uint32_t i, uint32_t j) {
    for (uint32_t e = 0; e < b->t.edges.count; ++e) {
        if (b->t.edges.items[e].points[0] == i && b->t.edges.items[e].points[1] == j)
            return e;
    }
    return UINT32_MAX;
}

// Adds a directed edge of the hull; one that has become inner goes away with its opposite.
static void add_edge(builder *b, uint32_t i, uint32_t j) {
    const uint32_t opposite = find_edge(b, j, i);
    const ct_state_machine_edge edge = {{i, j}};
    if (opposite != UINT32_MAX)
        ct_array_erase(&b->t.edges, opposite, 1);
    else
        ct_array_push(&b->t.edges, edge);
}

// Connects a point that is right of all others with the edges of the hull that it sees.
static void add_point(builder *b, uint32_t point) {
    const uint32_t count = b->t.edges.count;
    ct_state_machine_edge *const seen =
        CT_NEW_ARRAY(b->t.edges.allocator, ct_state_machine_edge, count);
    uint32_t num_seen = 0;
    for (uint32_t e = 0; e < count; ++e) {
        const uint32_t *const p = b->t.edges.items[e].points;
        if (area(b, p[0], p[1], point) < 0)
            seen[num_seen++] = b->t.edges.items[e];
    }
    for (uint32_t e = 0; e < num_seen; ++e) {
        const uint32_t i = seen[e].points[0], j = seen[e].points[1];
        add_triangle(b, j, i, point);
        ct_array_erase(&b->t.edges, find_edge(b, i, j), 1);
        add_edge(b, i, point);
        add_edge(b, point, j);
    }
    ct_free(b->t.edges.allocator, seen);
}

// The corner of a triangle that follows `corner`.
static uint32_t next(uint32_t corner) {
    return (corner + 1) % 3;
}

// Finds a triangle with the directed edge from `i` to `j`. Sets its third point.
static ct_state_machine_triangle *find_triangle(builder *b, uint32_t i, uint32_t j,
                                                uint32_t *third) {
    for (uint32_t t = 0; t < b->t.triangles.count; ++t) {
        uint32_t *const p = b->t.triangles.items[t].points;
        for (uint32_t c = 0; c < 3; ++c) {
            if (p[c] == i && p[next(c)] == j) {
                *third = p[next(next(c))];
                return &b->t.triangles.items[t];
            }
        }
    }
    return NULL;
}

// Flips one edge whose opposite point is in the circle of its triangle. Returns false when no edge has one.
static bool flip_one(builder *b) {
    for (uint32_t t = 0; t < b->t.triangles.count; ++t) {
        for (uint32_t c = 0; c < 3; ++c) {
            ct_state_machine_triangle *const one = &b->t.triangles.items[t];
            const uint32_t i = one->points[c], j = one->points[next(c)];
            const uint32_t k = one->points[next(next(c))];
            uint32_t d = 0;
            ct_state_machine_triangle *const other = find_triangle(b, j, i, &d);
            if (!other || !is_in_circle(b, one->points, d) || !(area(b, k, i, d) > 0) ||
                !(area(b, d, j, k) > 0))
                continue;
            *one = (ct_state_machine_triangle){{k, i, d}};
            *other = (ct_state_machine_triangle){{d, j, k}};
            return true;
        }
    }
    return false;
}

static bool is_before(const ct_worker_point *p, const ct_worker_point *q) {
    return p->x != q->x ? p->x < q->x : p->y < q->y;
}

// The numbers of the points from left to right.
static uint32_t *sorted(ct_allocator *a, const ct_worker_point *points, uint32_t count) {
    uint32_t *const order = CT_NEW_ARRAY(a, uint32_t, count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = i;
        for (; k > 0 && is_before(&points[i], &points[order[k - 1]]); --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return order;
}

// Points on a line, in their order.
static void add_line(builder *b, const uint32_t *order, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        const ct_state_machine_edge edge = {{order[i - 1], order[i]}};
        ct_array_push(&b->t.edges, edge);
    }
}

// Adds all points in their order. Returns false, and the edges from end to end, when all are on a
// line.
static bool add_points(builder *b, const uint32_t *order, uint32_t count) {
    // The first points may be on a line; the first that is not sees all of their edges.
    uint32_t off = 2;
    while (off < count && area(b, order[0], order[1], order[off]) == 0)
        ++off;
    if (off >= count) {
        add_line(b, order, count);
        return false;
    }
    const bool is_left = area(b, order[0], order[1], order[off]) > 0;
    for (uint32_t i = 1; i < off; ++i) {
        const uint32_t from = order[is_left ? i - 1 : i], to = order[is_left ? i : i - 1];
        add_triangle(b, from, to, order[off]);
        add_edge(b, from, to);
        add_edge(b, to, order[off]);
        add_edge(b, order[off], from);
    }
    for (uint32_t i = off + 1; i < count; ++i)
        add_point(b, order[i]);
    return true;
}

ct_worker_triangulation ct_worker_triangulate(ct_allocator *a, const ct_worker_point *points,
                                              uint32_t count) {
    builder b = {.points = points};
    ct_array_init(&b.t.triangles, a);
    ct_array_init(&b.t.edges, a);
    uint32_t *const order = sorted(a, points, count);
    const bool has_triangles = add_points(&b, order, count);
    for (uint32_t flips = 0; has_triangles && flips < count * count * 4 && flip_one(&b);)
        ++flips;
    ct_free(a, order);
    return b.t;
}
