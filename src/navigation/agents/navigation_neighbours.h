// navigation_neighbours.h: finds the bodies around a body, with a grid that is made again each step.
//
// Bodies are copied in the order of their cells, row by row, so a search reads a few runs of them. The
// grid repeats itself: a cell far away may share its place with one here, which costs time, never an
// answer. It has about as many cells as bodies, however far these are from each other.
#pragma once
#include "foundation/container/array.h"
#include "navigation/agents/navigation_avoidance.h"

typedef struct ct_navigation_neighbours {
    CT_ARRAY(ct_navigation_body) bodies; // by cell
    CT_ARRAY(ct_vec3) discs;             // of bodies: x, y, radius; what most searches only read
    ct_u32_array starts;                 // by cell, and one more: in `bodies`
    ct_u32_array cells;                  // of what was given, in that order
    ct_u32_array places;                 // of what was given: where it is in `bodies`
    uint32_t column_mask, row_mask;
    float cell_metres, largest_radius;
} ct_navigation_neighbours;

// Makes an empty grid, which grows with `a`.
void ct_navigation_neighbours_init(ct_navigation_neighbours *n, ct_allocator *a);
// Frees its arrays.
void ct_navigation_neighbours_free(ct_navigation_neighbours *n);

// Makes the grid of `count` bodies, whose positions are finite.
void ct_navigation_neighbours_build(ct_navigation_neighbours *n, const ct_navigation_body *bodies,
                                    uint32_t count, float cell_metres);

// Sets the nearest (at most CT_NAVIGATION_MAX_AVOIDED) bodies of `groups` whose sides are within `range`
// metres of the middle of `self`, nearest first, and that are as high as it. Returns their number. Any
// thread.
uint32_t ct_navigation_neighbours_find(const ct_navigation_neighbours *n,
                                       const ct_navigation_body *self, float range, uint32_t groups,
                                       const ct_navigation_body **others);
