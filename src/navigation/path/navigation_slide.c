// navigation_slide.c: short moves over the mesh, along walls.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_geometry.h"
#include "navigation/path/navigation_walk.h"

enum { MAX_POLYGONS = 48 };

// The point of a polygon nearest to `p` from above, at the height of its edge; `p` itself, inside.
static ct_vec3 nearest_in(const ct_navigation_tile *t, const ct_navigation_face *face, ct_vec3 p) {
    ct_vec3 best = p;
    float least = INFINITY;
    bool is_inside = true;
    for (uint32_t e = 0; e < face->num_edges; ++e) {
        const uint32_t next = e + 1u < face->num_edges ? e + 1u : 0;
        const ct_vec3 a = t->vertices[t->edges[face->first_edge + e]];
        const ct_vec3 b = t->vertices[t->edges[face->first_edge + next]];
        if (ct_navigation_turn(a, b, p) >= 0)
            continue;
        is_inside = false;
        const ct_vec3 on = ct_navigation_nearest_of(a, b, p);
        const float distance = ct_navigation_flat_distance(on, p);
        if (distance < least) {
            least = distance;
            best = on;
        }
    }
    return is_inside ? p : best;
}

static bool has(const ct_navigation_place *places, uint32_t count, ct_navigation_place p) {
    for (uint32_t i = 0; i < count; ++i)
        if (places[i] == p)
            return true;
    return false;
}

ct_navigation_place ct_navigation_slide(const ct_navigation_mesh *m,
                                        const ct_navigation_filter *filter,
                                        ct_navigation_place start, ct_vec3 from, ct_vec3 to,
                                        ct_vec3 *at) {
    *at = from;
    if (!ct_navigation_is_live(m, start) || !ct_navigation_is_finite(from) ||
        !ct_navigation_is_finite(to))
        return start;
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &num_slots);
    // Ways in the circle over the move: others would be detours.
    const ct_vec3 middle = ct_vec3_lerp(from, to, 0.5f);
    const float radius = ct_navigation_flat_distance(from, to) * 0.5f + 1e-3f;
    ct_navigation_place places[MAX_POLYGONS] = {start}, best = start;
    uint32_t count = 1;
    float least = INFINITY;
    ct_vec3 found = from;
    for (uint32_t i = 0; i < count && least > 0; ++i) {
        const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(places[i])];
        const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(places[i])];
        const ct_vec3 on = nearest_in(t, face, to);
        const float distance = ct_navigation_flat_distance(on, to);
        if (distance < least) {
            least = distance;
            best = places[i];
            found = on;
        }
        for (uint32_t w = 0; w < face->num_ways && count < MAX_POLYGONS; ++w) {
            const ct_navigation_way *const way = &t->ways[face->first_way + w];
            if (!ct_navigation_may_enter(tiles, filter, way) || has(places, count, way->to))
                continue;
            const ct_vec3 near = ct_navigation_nearest_of(way->right, way->left, middle);
            if (ct_navigation_flat_distance(near, middle) <= radius)
                places[count++] = way->to;
        }
    }
    *at = found;
    at->z = ct_navigation_height(m, best, found);
    return best;
}
