// Normals at the edges of triangles.
//
// A sweep meets one triangle of a mesh at a time, and reports an edge between two triangles of a flat
// floor as if it stuck out. The true normal at an edge lies between those of its two triangles: where
// the surface is flat or concave there, it is the triangle's own. The neighbour is found by a short ray.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

// Cosine of the angle up to which a normal is the triangle's.
static const float SAME = 0.9998f;

typedef struct only_body {
    const ct_mover_run *run;
    uint32_t id;
} only_body;

static bool accepts_only(void *user, uint32_t id) {
    const only_body *const only = user;
    return only->id == id;
}

// Finds the surface of the same body beside an edge: at `beside` from the hit. `neighbour` looks to the
// same side as `own`; `height` is how far it is above the own triangle.
static bool find_neighbour(const ct_mover_run *run, const ct_bullet_hit *hit, ct_vec3 own,
                           ct_vec3 beside, float reach, ct_vec3 *neighbour, float *height) {
    only_body only = {run, hit->id};
    const ct_bullet_find find = {
        .kinds = CT_BULLET_FIND_SOLID,
        .filters = UINT32_MAX,
        .accepts = accepts_only,
        .user = &only,
    };
    const ct_vec3 from = ct_mover_along(ct_vec3_add(hit->position, beside), own, reach);
    ct_bullet_hit found;
    if (!ct_bullet_ray(run->world, from, ct_mover_along(from, own, -2 * reach), &find, &found))
        return false;
    const bool is_back = ct_vec3_dot(found.normal, own) < 0;
    *neighbour = ct_vec3_scale(found.normal, is_back ? -1 : 1);
    *height = ct_vec3_dot(ct_vec3_sub(found.position, hit->position), own);
    return true;
}

ct_vec3 ct_mover_edge_normal(const ct_mover_run *run, const ct_bullet_hit *hit, ct_vec3 direction) {
    ct_vec3 corners[3];
    if (hit->triangle == UINT32_MAX)
        return hit->normal;
    const ct_bullet_body *const body = ct_mover_body(run, hit->id);
    if (!body || !ct_bullet_hit_triangle(body, hit, corners))
        return hit->normal;
    ct_vec3 own = ct_vec3_normalize(
        ct_vec3_cross(ct_vec3_sub(corners[1], corners[0]), ct_vec3_sub(corners[2], corners[0])));
    float cosine = ct_vec3_dot(own, hit->normal);
    if (cosine < 0)
        own = ct_vec3_scale(own, -1);
    cosine = fabsf(cosine);
    if (cosine > SAME)
        return own;
    const ct_vec3 across = ct_vec3_normalize(ct_mover_flatten(hit->normal, own));
    const float step = run->shape->skin / 2;
    ct_vec3 other;
    float height;
    if (!find_neighbour(run, hit, own, ct_vec3_scale(across, step), 6 * step, &other, &height))
        return hit->normal; // a sharp or an open edge
    const float limit = ct_vec3_dot(own, other);
    if (height > -0.01f * step || limit > SAME) {
        // Flat or concave: the surface that it moves into.
        const bool is_own = ct_vec3_dot(own, direction) <= ct_vec3_dot(other, direction);
        return is_own ? own : other;
    }
    return cosine >= limit ? hit->normal : other;
}
