// navigation_nearest.c: places on a mesh: the nearest polygon, heights.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_private.h"

// As fminf and fmaxf, which are calls, as they also look for numbers that are not numbers.
static inline float least_of(float a, float b) {
    return a < b ? a : b;
}
static inline float most_of(float a, float b) {
    return a > b ? a : b;
}

// --- A polygon -----------------------------------------------------------------------------------

static const ct_vec3 *corner(const ct_navigation_tile *t, const ct_navigation_face *f, uint32_t i) {
    return &t->vertices[t->edges[f->first_edge + i]];
}

static bool is_above(const ct_navigation_tile *t, const ct_navigation_face *f, float x, float y) {
    const ct_vec3 *a = corner(t, f, f->num_edges - 1u);
    for (uint32_t i = 0; i < f->num_edges; ++i) {
        const ct_vec3 *const b = corner(t, f, i);
        const float dx = b->x - a->x, dy = b->y - a->y;
        const float cross = dx * (y - a->y) - dy * (x - a->x);
        if (cross < 0 && cross * cross > 1e-8f * (dx * dx + dy * dy)) // 0.1 mm
            return false;
        a = b;
    }
    return true;
}

// The point of the polygon's edges nearest to another from above.
static ct_vec3 nearest_on_edges(const ct_navigation_tile *t, const ct_navigation_face *f,
                                ct_vec3 point) {
    float least = INFINITY;
    ct_vec3 nearest = f->center;
    const ct_vec3 *a = corner(t, f, f->num_edges - 1u);
    for (uint32_t i = 0; i < f->num_edges; ++i) {
        const ct_vec3 *const b = corner(t, f, i);
        const float dx = b->x - a->x, dy = b->y - a->y, squared = dx * dx + dy * dy;
        const float along = dx * (point.x - a->x) + dy * (point.y - a->y);
        const float s = squared > 0 ? least_of(most_of(along / squared, 0), 1) : 0;
        const ct_vec3 at = s < 1 ? ct_vec3_lerp(*a, *b, s) : *b;
        const float distance =
            (at.x - point.x) * (at.x - point.x) + (at.y - point.y) * (at.y - point.y);
        if (distance < least) {
            least = distance;
            nearest = at;
        }
        a = b;
    }
    return nearest;
}

// The height of a triangle at a point, and how far outside of it the point is: 0 inside. Flat ones from
// above have no height.
static float triangle_height(const ct_vec3 *a, const ct_vec3 *b, const ct_vec3 *c, float x, float y,
                             float *outside) {
    const float ux = b->x - a->x, uy = b->y - a->y, vx = c->x - a->x, vy = c->y - a->y;
    const float px = x - a->x, py = y - a->y, twice = ux * vy - uy * vx;
    if (!(fabsf(twice) > 1e-12f)) {
        *outside = INFINITY;
        return a->z;
    }
    const float s = (px * vy - py * vx) / twice, t = (ux * py - uy * px) / twice;
    *outside = most_of(most_of(-s, -t), most_of(s + t - 1, 0));
    return a->z + (b->z - a->z) * s + (c->z - a->z) * t;
}

static float height_of(const ct_navigation_mesh *m, const ct_navigation_tile *tile,
                       const ct_navigation_face *f, float x, float y) {
    const ct_navigation_tile_resource *const r = tile->resource;
    const ct_navigation_polygon *const p =
        (const ct_navigation_polygon *)ct_blob_at(m->resource, r->polygons.offset) + f->source;
    const ct_vec3 *const vertices = ct_blob_at(m->resource, r->surface_vertices.offset);
    const uint16_t *const triangles =
        (const uint16_t *)ct_blob_at(m->resource, r->triangles.offset) + p->first_triangle * 3;
    float least = INFINITY, height = f->center.z;
    for (uint32_t i = 0; i < p->num_triangles && least > 0; ++i) {
        const uint16_t *const v = triangles + i * 3;
        float outside;
        const float z =
            triangle_height(&vertices[v[0]], &vertices[v[1]], &vertices[v[2]], x, y, &outside);
        if (outside < least) {
            least = outside;
            height = z;
        }
    }
    return height;
}

bool ct_navigation_contains(const ct_navigation_mesh *m, ct_navigation_place p, ct_vec3 point) {
    const ct_navigation_tile *const t = &m->tiles[ct_navigation_slot_of(p)];
    return is_above(t, ct_navigation_face_at(m->tiles, p), point.x, point.y);
}

float ct_navigation_height(const ct_navigation_mesh *m, ct_navigation_place p, ct_vec3 point) {
    const ct_navigation_tile *const t = &m->tiles[ct_navigation_slot_of(p)];
    return height_of(m, t, ct_navigation_face_at(m->tiles, p), point.x, point.y);
}

ct_vec3 ct_navigation_closest_on(const ct_navigation_mesh *m, ct_navigation_place p,
                                 ct_vec3 point) {
    const ct_navigation_tile *const t = &m->tiles[ct_navigation_slot_of(p)];
    const ct_navigation_face *const f = ct_navigation_face_at(m->tiles, p);
    ct_vec3 at = is_above(t, f, point.x, point.y) ? point : nearest_on_edges(t, f, point);
    at.z = height_of(m, t, f, at.x, at.y);
    return at;
}

// --- The nearest ---------------------------------------------------------------------------------

// A query, and the best that was found. Polygons above or below the point are as far as they are higher or
// lower than agents step; among equally near ones the nearer height wins.
typedef struct nearest_query {
    const ct_navigation_mesh *mesh;
    const ct_navigation_filter *filter; // or NULL
    ct_vec3 point, reach;
    float distance, rise; // of the best: metres squared; metres
    ct_navigation_place best;
    ct_vec3 at;
} nearest_query;

static void try_face(nearest_query *q, uint32_t slot, uint32_t number, bool is_over) {
    const ct_navigation_mesh *const m = q->mesh;
    const ct_navigation_tile *const t = &m->tiles[slot];
    const ct_navigation_face *const f = &t->faces[number];
    if ((q->filter && !(q->filter->costs[f->area] < INFINITY)) ||
        m->slots[slot].arrays.is_obstructed[number])
        return;
    ct_vec3 at = is_over ? q->point : nearest_on_edges(t, f, q->point);
    const float dx = at.x - q->point.x, dy = at.y - q->point.y;
    if (fabsf(dx) > q->reach.x || fabsf(dy) > q->reach.y || dx * dx + dy * dy > q->distance)
        return;
    at.z = height_of(m, t, f, at.x, at.y);
    const float rise = fabsf(at.z - q->point.z);
    const float up = is_over ? most_of(rise - m->class->climb, 0) : rise;
    const float distance = dx * dx + dy * dy + up * up;
    if (!(rise <= q->reach.z) || distance > q->distance ||
        (distance == q->distance && rise >= q->rise))
        return;
    q->distance = distance;
    q->rise = rise;
    q->best = CT_NAVIGATION_PLACE(slot, number);
    q->at = at;
}

// Tries the faces of the point's cell that are above or below it. When one is as near as can be, it is the
// answer: all faces there are in the cell.
static void try_over(nearest_query *q, uint32_t slot, uint32_t cell) {
    const ct_navigation_tile *const t = &q->mesh->tiles[slot];
    const ct_navigation_grid *const g = &q->mesh->slots[slot].grid;
    for (uint32_t i = g->first[cell]; i < g->first[cell + 1]; ++i)
        if (is_above(t, &t->faces[g->faces[i]], q->point.x, q->point.y))
            try_face(q, slot, g->faces[i], true);
}

static float outside_of(float at, float min, float max) {
    return most_of(most_of(min - at, at - max), 0);
}

static void try_cell(nearest_query *q, uint32_t slot, uint32_t x, uint32_t y) {
    const ct_navigation_grid *const g = &q->mesh->slots[slot].grid;
    const float x0 = g->min.x + (float)x * g->cell.x, y0 = g->min.y + (float)y * g->cell.y;
    const float dx = outside_of(q->point.x, x0, x0 + g->cell.x);
    const float dy = outside_of(q->point.y, y0, y0 + g->cell.y);
    if (dx > 1e-3f || dy > 1e-3f) { // faces of a cell may be a bit outside of it
        const float distance = dx * dx + dy * dy - 1e-3f * (dx + dy);
        if (distance > q->distance)
            return;
    }
    const uint32_t cell = y * g->columns + x;
    const ct_navigation_tile *const t = &q->mesh->tiles[slot];
    for (uint32_t i = g->first[cell]; i < g->first[cell + 1]; ++i) {
        const uint32_t face = g->faces[i];
        try_face(q, slot, face, is_above(t, &t->faces[face], q->point.x, q->point.y));
    }
}

static uint32_t cell_of(float at, float min, float cell, uint32_t count) {
    const float i = floorf((at - min) / cell);
    return (uint32_t)least_of(most_of(i, 0), (float)(count - 1));
}

static void try_tile(nearest_query *q, uint32_t slot) {
    const ct_navigation_slot *const s = &q->mesh->slots[slot];
    const ct_navigation_tile_resource *const r = q->mesh->tiles[slot].resource;
    const ct_navigation_grid *const g = &s->grid;
    if (q->mesh->tiles[slot].num_faces == 0 || r->min_z - q->reach.z > q->point.z ||
        r->max_z + q->reach.z < q->point.z)
        return;
    const float width = g->cell.x * (float)g->columns, height = g->cell.y * (float)g->rows;
    const float dx = outside_of(q->point.x, g->min.x, g->min.x + width);
    const float dy = outside_of(q->point.y, g->min.y, g->min.y + height);
    if (dx > q->reach.x + 1e-3f || dy > q->reach.y + 1e-3f || dx * dx + dy * dy > q->distance)
        return;
    const uint32_t px = cell_of(q->point.x, g->min.x, g->cell.x, g->columns);
    const uint32_t py = cell_of(q->point.y, g->min.y, g->cell.y, g->rows);
    try_over(q, slot, py * g->columns + px);
    if (q->distance == 0)
        return;
    try_cell(q, slot, px, py);
    const uint32_t x0 = cell_of(q->point.x - q->reach.x, g->min.x, g->cell.x, g->columns);
    const uint32_t x1 = cell_of(q->point.x + q->reach.x, g->min.x, g->cell.x, g->columns);
    const uint32_t y0 = cell_of(q->point.y - q->reach.y, g->min.y, g->cell.y, g->rows);
    const uint32_t y1 = cell_of(q->point.y + q->reach.y, g->min.y, g->cell.y, g->rows);
    for (uint32_t y = y0; y <= y1; ++y)
        for (uint32_t x = x0; x <= x1; ++x)
            if (x != px || y != py)
                try_cell(q, slot, x, y);
}

static int32_t tile_at(double at, double size, int32_t min, int32_t max) {
    const double i = floor(at / size);
    return i <= min ? min : i >= max ? max : (int32_t)i;
}

// Tries all tiles within reach but one, which was tried.
static void try_others(nearest_query *q, uint32_t own) {
    const ct_navigation_mesh *const m = q->mesh;
    const double size = m->resource->tile_size,
                 edge = 1e-3; // polygons end at the side of their tile
    const double x = q->point.x, y = q->point.y, dx = q->reach.x + edge, dy = q->reach.y + edge;
    const int32_t x0 = tile_at(x - dx, size, m->min_x, m->max_x);
    const int32_t x1 = tile_at(x + dx, size, m->min_x, m->max_x);
    const int32_t y0 = tile_at(y - dy, size, m->min_y, m->max_y);
    const int32_t y1 = tile_at(y + dy, size, m->min_y, m->max_y);
    const int64_t cells = ((int64_t)x1 - x0 + 1) * ((int64_t)y1 - y0 + 1);
    if (cells > (int64_t)m->num_slots) {
        for (uint32_t i = 1; i < m->num_slots; ++i)
            if (i != own && m->tiles[i].version)
                try_tile(q, i);
        return;
    }
    for (int32_t ty = y0; cells > 1 && ty <= y1; ++ty)
        for (int32_t tx = x0; tx <= x1; ++tx) {
            const uint32_t slot = ct_navigation_slot_at(m, tx, ty);
            if (slot && slot != own)
                try_tile(q, slot);
        }
}

ct_navigation_place ct_navigation_nearest(const ct_navigation_mesh *m,
                                          const ct_navigation_filter *filter, ct_vec3 point,
                                          ct_vec3 reach, ct_vec3 *on_mesh) {
    nearest_query q = {.mesh = m,
                       .filter = filter,
                       .point = point,
                       .reach = reach,
                       .distance = INFINITY,
                       .rise = INFINITY};
    if (!isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z) || !(reach.x >= 0) ||
        !(reach.y >= 0) || !(reach.z >= 0) || m->class->tiles.count == 0)
        return 0;
    const double size = m->resource->tile_size;
    const uint32_t own = ct_navigation_slot_at(m, tile_at(point.x, size, m->min_x, m->max_x),
                                               tile_at(point.y, size, m->min_y, m->max_y));
    if (own)
        try_tile(&q, own);
    if (q.best == 0 || q.distance > 0)
        try_others(&q, own);
    if (q.best && on_mesh)
        *on_mesh = q.at;
    return q.best;
}

bool ct_navigation_is_connected(const ct_navigation_mesh *m, ct_navigation_place a,
                                ct_navigation_place b) {
    if (!ct_navigation_is_live(m, a) || !ct_navigation_is_live(m, b))
        return false;
    const ct_navigation_tile *const ta = &m->tiles[ct_navigation_slot_of(a)];
    const ct_navigation_tile *const tb = &m->tiles[ct_navigation_slot_of(b)];
    return ta->regions[ct_navigation_face_at(m->tiles, a)->region].island ==
           tb->regions[ct_navigation_face_at(m->tiles, b)->region].island;
}
