#include "compiler/types/navigation/worker_navigation_near.h"

#include <math.h>
#include <stdlib.h>

#include "foundation/math/math.h"
#include "spatial/convex_distance.h"

// --- Polygons ------------------------------------------------------------------------------------

static const ct_worker_navigation_tile *tile_of(const ct_worker_navigation_near *near,
                                                const ct_worker_navigation_found *found) {
    return &near->n->tiles[near->class].items[found->tile];
}

static ct_vec3 corner_of(const ct_worker_navigation_tile *tile, uint32_t triangle,
                         uint32_t corner) {
    const float *const at =
        tile->surface_vertices.items[tile->triangles.items[triangle].at[corner]].at;
    return ct_vec3_make(at[0], at[1], at[2]);
}

static ct_aabb bounds_of(const ct_worker_navigation_tile *tile, const ct_navigation_polygon *p) {
    ct_aabb box = ct_aabb_empty();
    for (uint32_t i = 0; i < 3u * p->num_triangles; ++i)
        box = ct_aabb_add_point(box, corner_of(tile, p->first_triangle + i / 3, i % 3));
    return box;
}

void ct_worker_navigation_near_init(ct_worker_navigation_near *near, const ct_worker_navigation *n,
                                    uint32_t class) {
    ct_allocator *const a = n->compile->allocator;
    *near = (ct_worker_navigation_near){.n = n, .class = class};
    CT_ARRAY(ct_aabb) boxes;
    ct_u32_array values;
    ct_array_init(&near->all, a);
    ct_array_init(&near->hits, a);
    ct_array_init(&boxes, a);
    ct_array_init(&values, a);
    for (uint32_t t = 0; t < n->tiles[class].count; ++t) {
        const ct_worker_navigation_tile *const tile = &n->tiles[class].items[t];
        for (uint32_t p = 0; p < tile->polygons.count; ++p) {
            ct_array_push(&values, near->all.count);
            ct_array_push(&boxes, bounds_of(tile, &tile->polygons.items[p]));
            ct_array_push(&near->all, (ct_worker_navigation_found){t, p});
        }
    }
    near->boxes = ct_broadphase_create(a, &(ct_broadphase_desc){.num_items = values.count + 1});
    if (values.count > 0)
        ct_broadphase_add(near->boxes, boxes.items, values.items, values.count, NULL);
}

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void ct_worker_navigation_near_box(ct_worker_navigation_near *near, ct_aabb box) {
    enum { FEW = 64 };
    ct_array_resize(&near->hits, near->hits.capacity > FEW ? near->hits.capacity : FEW);
    const uint32_t count =
        ct_broadphase_overlap_box(near->boxes, box, near->hits.items, near->hits.count);
    if (count > near->hits.count) {
        ct_array_resize(&near->hits, count);
        ct_broadphase_overlap_box(near->boxes, box, near->hits.items, count);
    }
    near->hits.count = count;
    if (count > 1)
        qsort(near->hits.items, count, sizeof(*near->hits.items), compare);
}

// --- Distances -----------------------------------------------------------------------------------

static ct_vec3 farthest_of_points(const ct_vec3 *points, uint32_t count, ct_vec3 direction) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (ct_vec3_dot(points[i], direction) > ct_vec3_dot(points[best], direction))
            best = i;
    }
    return points[best];
}

static ct_vec3 farthest_of_triangle(const void *user, ct_vec3 direction) {
    return farthest_of_points(user, 3, direction);
}

static ct_vec3 farthest_of_point(const void *user, ct_vec3 direction) {
    return farthest_of_points(user, 1, direction);
}

bool ct_worker_navigation_is_near(ct_worker_navigation_near *near, ct_vec3 point, float radius) {
    const ct_vec3 reach = ct_vec3_make(radius, radius, radius), origin = ct_vec3_make(0, 0, 0);
    const ct_convex center = {farthest_of_point, &origin};
    ct_worker_navigation_near_box(near,
                                  (ct_aabb){ct_vec3_sub(point, reach), ct_vec3_add(point, reach)});
    for (uint32_t i = 0; i < near->hits.count; ++i) {
        const ct_worker_navigation_found *const found = &near->all.items[near->hits.items[i]];
        const ct_worker_navigation_tile *const tile = tile_of(near, found);
        const ct_navigation_polygon *const p = &tile->polygons.items[found->polygon];
        for (uint32_t k = 0; k < p->num_triangles; ++k) {
            ct_vec3 corners[3];
            for (uint32_t c = 0; c < 3; ++c)
                corners[c] = ct_vec3_sub(corner_of(tile, p->first_triangle + k, c), point);
            const ct_convex triangle = {farthest_of_triangle, corners};
            if (ct_convex_is_within(&triangle, &center, radius))
                return true;
        }
    }
    return false;
}

// Sets the height of a triangle at a point of the map. False when the point is beside it.
static bool height_of(const ct_worker_navigation_tile *tile, uint32_t triangle, float x, float y,
                      float *height) {
    const ct_vec3 p[3] = {corner_of(tile, triangle, 0), corner_of(tile, triangle, 1),
                          corner_of(tile, triangle, 2)};
    float weights[3], sum = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_vec3 a = p[(i + 1) % 3], b = p[(i + 2) % 3];
        weights[i] = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        if (weights[i] < 0)
            return false;
        sum += weights[i];
    }
    if (!(sum > 0))
        return false;
    *height = (weights[0] * p[0].z + weights[1] * p[1].z + weights[2] * p[2].z) / sum;
    return true;
}

bool ct_worker_navigation_ground(ct_worker_navigation_near *near, float x, float y, float least,
                                 float most, float *height) {
    bool is_found = false;
    ct_worker_navigation_near_box(near,
                                  (ct_aabb){ct_vec3_make(x, y, least), ct_vec3_make(x, y, most)});
    for (uint32_t i = 0; i < near->hits.count; ++i) {
        const ct_worker_navigation_found *const found = &near->all.items[near->hits.items[i]];
        const ct_worker_navigation_tile *const tile = tile_of(near, found);
        const ct_navigation_polygon *const p = &tile->polygons.items[found->polygon];
        for (uint32_t k = 0; k < p->num_triangles; ++k) {
            float z;
            if (!height_of(tile, p->first_triangle + k, x, y, &z) || z < least || z > most ||
                (is_found && z <= *height))
                continue;
            *height = z;
            is_found = true;
        }
    }
    return is_found;
}
