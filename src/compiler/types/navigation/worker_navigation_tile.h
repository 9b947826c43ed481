// worker_navigation_tile.h: the input of one tile of a class, and what becomes of it.
#pragma once
#include "compiler/types/navigation/worker_navigation.h"
#include "compiler/types/navigation/worker_recast.h"

// All that the polygons of a tile depend on. The arrays are used again for the next tile.
typedef struct ct_worker_navigation_input {
    ct_worker_navigation *n;
    uint32_t class, border;  // border: cells
    int32_t x, y;            // of the tile
    float corner[2];         // of the tile, in the level
    float least[2], most[2]; // of the tile with its border
    float base;              // height of the lowest voxels, a multiple of the cell height
    uint32_t levels;         // of voxels
    ct_worker_navigation_triangles triangles; // in the level
    CT_ARRAY(float) points;                   // the same in the tile
    ct_byte_array is_walkable;                // of each triangle
    CT_ARRAY(ct_recast_solid) solids;
    CT_ARRAY(uint32_t) marks; // that touch it, in source order
    uint64_t hash;
} ct_worker_navigation_input;

// --- worker_navigation_input.c -------------------------------------------------------------------

// Makes an input for a class, whose tiles are gathered one after the other.
void ct_worker_navigation_input_init(ct_worker_navigation_input *input, ct_worker_navigation *n,
                                     uint32_t class);

// Fills the input of the tile at a place, with its hash, but for `points` and `is_walkable`. False when
// no triangle touches it.
bool ct_worker_navigation_gather(ct_worker_navigation_input *input,
                                 const ct_worker_navigation_place *place);

// Fills the rest.
void ct_worker_navigation_set_points(ct_worker_navigation_input *input);

// --- worker_navigation_snap.c --------------------------------------------------------------------

// The triangles of an input by place on the map.
typedef struct ct_worker_navigation_snap {
    const ct_worker_navigation_input *input;
    ct_u32_array firsts, triangles; // of each cell of a coarse grid: where its triangles start
    float reach; // metres up and down within which ground is the one that is meant
} ct_worker_navigation_snap;

// Sorts the walkable triangles. The arrays are from the job's allocator and used again.
void ct_worker_navigation_snap_init(ct_worker_navigation_snap *snap,
                                    const ct_worker_navigation_input *input);

// Returns the height of the ground nearest to a point of the level, or `otherwise`.
float ct_worker_navigation_snap_height(const ct_worker_navigation_snap *snap, const float at[3],
                                       float otherwise);

// --- worker_navigation_repair.c ------------------------------------------------------------------

// Twice the area of three vertices, in square cells; positive when they turn left.
int32_t ct_worker_navigation_turn(const ct_recast_result *r, uint16_t a, uint16_t b, uint16_t c);

// Returns whether a polygon has an area, and all corners turn left or go straight on.
bool ct_worker_navigation_is_convex(const ct_recast_result *r, const ct_recast_polygon *p);

// Makes polygons of those that are not convex: Recast gives a few where it cannot cut an outline
// cleanly. Large ones are cut into triangles; flat triangles between polygons become a corner of one of
// them. What cannot be repaired stays as it is. `a` is the allocator of the result.
void ct_worker_navigation_repair(ct_allocator *a, const ct_worker_navigation_input *input,
                                 ct_recast_result *r);

// --- worker_navigation_polygons.c ----------------------------------------------------------------

// Turns what Recast made of the input into a tile, with its hashes. Returns false after an error: it is
// too much for a tile.
bool ct_worker_navigation_take(const ct_worker_navigation_input *input,
                               const ct_worker_navigation_snap *snap, ct_recast_result *result,
                               ct_worker_navigation_tile *tile);
