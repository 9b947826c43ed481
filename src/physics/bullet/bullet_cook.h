// bullet_cook.h: what is computed of collision shapes when they are compiled.
//
// For compile functions, in the worker. The same input gives the same numbers in every process of
// one build of Bullet, whose version belongs into cache keys (ct_bullet_cook_version). Any thread.
// Arguments must be finite (asserted).
#pragma once
#include "physics/bullet/bullet.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns a number that changes with the build of Bullet: 32400 for 3.24.
uint32_t ct_bullet_cook_version(void);

// A convex hull. Free `points` with the allocator of the call.
typedef struct ct_bullet_hull {
    float *points; // x y z of its corners, relative to `center`
    uint32_t num_points;
    ct_vec3 center; // of mass
    float volume;   // cubic metres
} ct_bullet_hull;

// Makes the hull of points, with at most `most_points` corners (4 or more): those are left out that
// change it least. Returns false when the points are in a plane or nearly so: there is no volume.
bool ct_bullet_cook_hull(ct_allocator *a, const float *points, uint32_t num_points,
                         uint32_t most_points, ct_bullet_hull *hull);

// Makes the tree of a triangle mesh. Free `tree->nodes` with `a`.
void ct_bullet_cook_tree(ct_allocator *a, const float *points, uint32_t num_points,
                         const uint32_t *indices, uint32_t num_indices, ct_bullet_tree *tree);

// How to split a mesh into hulls.
typedef struct ct_bullet_decompose_desc {
    uint32_t most_hulls;  // 1 to 64
    uint32_t most_points; // corners of each hull
    float concavity;      // metres that the hulls may differ from the mesh by
} ct_bullet_decompose_desc;

// Splits a mesh into convex hulls (HACD). Returns how many it wrote to `hulls` (most_hulls), whose
// points the caller frees; 0: it could not be split.
uint32_t ct_bullet_decompose(ct_allocator *a, const float *points, uint32_t num_points,
                             const uint32_t *indices, uint32_t num_indices,
                             const ct_bullet_decompose_desc *desc, ct_bullet_hull *hulls);

#ifdef __cplusplus
}
#endif
