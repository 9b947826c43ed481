// worker_navigation_near.h: finds polygons of the finished tiles of a class by place.
#pragma once
#include "compiler/types/navigation/worker_navigation.h"
#include "spatial/broadphase.h"

// A polygon of a tile of the class.
typedef struct ct_worker_navigation_found {
    uint32_t tile, polygon;
} ct_worker_navigation_found;

// The polygons of a class. From the job's allocator.
typedef struct ct_worker_navigation_near {
    const ct_worker_navigation *n;
    uint32_t class;
    ct_broadphase *boxes; // of polygons' surfaces; values are positions in `all`
    CT_ARRAY(ct_worker_navigation_found) all;
    ct_u32_array hits; // of the last query
} ct_worker_navigation_near;

// Makes it of n->tiles[class].
void ct_worker_navigation_near_init(ct_worker_navigation_near *near, const ct_worker_navigation *n,
                                    uint32_t class);

// Sets near->hits to the polygons whose bounds meet a box, in the order of `all`.
void ct_worker_navigation_near_box(ct_worker_navigation_near *near, ct_aabb box);

// Returns whether the ground is within `radius` metres of a point.
bool ct_worker_navigation_is_near(ct_worker_navigation_near *near, ct_vec3 point, float radius);

// Sets the height of the highest ground below or above a point of the map, from `least` to `most`.
// Returns false when there is no ground.
bool ct_worker_navigation_ground(ct_worker_navigation_near *near, float x, float y, float least,
                                 float most, float *height);
