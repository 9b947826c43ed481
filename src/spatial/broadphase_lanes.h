// broadphase_lanes.h: the wide nodes of a broadphase, and tests of all boxes of a node at once.
//
// For the broadphase's own files. A lane without a box holds a box that meets nothing: its
// minimum is far above its maximum, and both are finite, so that arithmetic with it gives no
// NaN.
#pragma once
#include <math.h>

#include "foundation/math/math.h"
#include "foundation/math/math_lanes.h"

enum { CT_BROADPHASE_LANES = 16, CT_BROADPHASE_GROUPS = CT_BROADPHASE_LANES / 4 };

#define CT_BROADPHASE_NOWHERE 1e30f

// Four boxes: min[axis][box].
typedef struct ct_broadphase_group {
    float min[3][4], max[3][4];
} ct_broadphase_group;

// A node of the tree: up to 16 boxes with what they lead to.
typedef struct ct_broadphase_node {
    ct_broadphase_group groups[CT_BROADPHASE_GROUPS];
    uint32_t children[CT_BROADPHASE_LANES]; // slots of items in a leaf, else nodes
    uint32_t values[CT_BROADPHASE_LANES];   // only in a leaf: of its items
} ct_broadphase_node;

// --- Lanes ---------------------------------------------------------------------------------------

// Returns the box of `lane` (0 to 15).
static inline ct_aabb ct_broadphase_lane(const ct_broadphase_node *n, uint32_t lane) {
    const ct_broadphase_group *const g = &n->groups[lane / 4];
    const uint32_t i = lane % 4;
    return (ct_aabb){ct_vec3_make(g->min[0][i], g->min[1][i], g->min[2][i]),
                     ct_vec3_make(g->max[0][i], g->max[1][i], g->max[2][i])};
}

// Writes the box of `lane` (0 to 15).
static inline void ct_broadphase_set_lane(ct_broadphase_node *n, uint32_t lane, ct_aabb box) {
    ct_broadphase_group *const g = &n->groups[lane / 4];
    const uint32_t i = lane % 4;
    for (uint32_t k = 0; k < 3; ++k) {
        g->min[k][i] = box.min.raw[k];
        g->max[k][i] = box.max.raw[k];
    }
}

// Writes the box that meets nothing into `lane`.
static inline void ct_broadphase_clear_lane(ct_broadphase_node *n, uint32_t lane) {
    const float far = CT_BROADPHASE_NOWHERE;
    ct_broadphase_set_lane(n, lane,
                           (ct_aabb){ct_vec3_make(far, far, far), ct_vec3_make(-far, -far, -far)});
}

// Returns the box around all lanes; those without a box do not count.
static inline ct_aabb ct_broadphase_lanes_bounds(const ct_broadphase_node *n) {
    ct_aabb box;
    for (uint32_t k = 0; k < 3; ++k) {
        ct_column low = ct_column_of(n->groups[0].min[k]), high = ct_column_of(n->groups[0].max[k]);
        for (uint32_t g = 1; g < CT_BROADPHASE_GROUPS; ++g) {
            low = ct_column_min(low, ct_column_of(n->groups[g].min[k]));
            high = ct_column_max(high, ct_column_of(n->groups[g].max[k]));
        }
        box.min.raw[k] = fminf(fminf(low[0], low[1]), fminf(low[2], low[3]));
        box.max.raw[k] = fmaxf(fmaxf(high[0], high[1]), fmaxf(high[2], high[3]));
    }
    return box;
}

// Tests of four boxes return a mask: bit i is set when box i meets the shape.

// Tests against a box; touching counts.
static inline uint32_t ct_broadphase_group_meets_box(const ct_broadphase_group *g, ct_aabb box) {
    ct_column_bits mask = ct_column_of(g->min[0]) <= ct_column_all(box.max.raw[0]);
    mask &= ct_column_of(g->max[0]) >= ct_column_all(box.min.raw[0]);
    for (uint32_t k = 1; k < 3; ++k) {
        mask &= ct_column_of(g->min[k]) <= ct_column_all(box.max.raw[k]);
        mask &= ct_column_of(g->max[k]) >= ct_column_all(box.min.raw[k]);
    }
    return ct_column_mask(mask);
}

// Returns the squared distances of four boxes from a point, computed as ct_aabb_nearest_point
// does.
static inline ct_column ct_broadphase_group_distances(const ct_broadphase_group *g, ct_vec3 point) {
    ct_column sum = ct_column_all(0);
    for (uint32_t k = 0; k < 3; ++k) {
        const ct_column p = ct_column_all(point.raw[k]);
        const ct_column nearest =
            ct_column_min(ct_column_max(p, ct_column_of(g->min[k])), ct_column_of(g->max[k]));
        sum += (p - nearest) * (p - nearest);
    }
    return sum;
}

// Tests against a sphere whose radius is not negative; touching counts.
static inline uint32_t ct_broadphase_group_meets_sphere(const ct_broadphase_group *g,
                                                        ct_sphere sphere) {
    const ct_column squares = ct_broadphase_group_distances(g, sphere.center);
    return ct_column_mask(squares <= ct_column_all(sphere.radius * sphere.radius));
}
