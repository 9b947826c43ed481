// math_types.h: the types of math.h and math_shapes.h, for what only stores and passes them.
//
// Right-handed, Z up, Y forward, metres, radians. Matrices are column-major with column vectors;
// quaternions are x y z w. Matrices are 16-byte aligned. The functions read cglm's own headers, which
// take longer to compile than most files of ours: a header includes them only when it calls them.
#pragma once
#ifdef __cplusplus
#define CGLM_USE_ANONYMOUS_STRUCT 1 // shims of C++ libraries have the same types
#endif
#include <cglm/types-struct.h>

#include "foundation/types.h"

typedef vec2s ct_vec2;   // .x .y
typedef vec3s ct_vec3;   // .x .y .z
typedef vec4s ct_vec4;   // .x .y .z .w
typedef versors ct_quat; // .x .y .z .w
typedef mat4s ct_mat4;   // .col[0] right (x), .col[1] forward (y), .col[2] up (z), .col[3] position

// An axis-aligned box; empty when a minimum exceeds its maximum.
typedef struct ct_aabb {
    ct_vec3 min, max;
} ct_aabb;

// Six planes (normal inwards in xyz, distance in w): left, right, bottom, top, near, far.
typedef struct ct_frustum {
    ct_vec4 planes[6];
} ct_frustum;

// All points within `radius` of the centre.
typedef struct ct_sphere {
    ct_vec3 center;
    float radius; // negative: empty
} ct_sphere;

// A box turned any way: all center + sum of t * axes[i] with |t| <= half.raw[i].
typedef struct ct_obb {
    ct_vec3 center;
    ct_vec3 axes[3]; // of length 1 and at right angles
    ct_vec3 half;    // half the extents along them, none negative
} ct_obb;

// All origin + t * direction with t >= 0. The direction has any length but 0; distances along the
// ray are counted in it, so with one of length 1 they are metres.
typedef struct ct_ray {
    ct_vec3 origin, direction;
} ct_ray;
