// navigation_corridor.h: the polygons that an agent still has ahead of it.
//
// A corridor is a run of polygons in a block, the first of which has the agent. Reached polygons go from
// its front; there is room in front for the way back when an agent was pushed aside. Beside each polygon
// is the version of its tile when the path was found: another one means that it is no longer the same
// polygon. Blocks have sizes of powers of two; free ones are kept, so agents that have walked for a while
// allocate nothing.
#pragma once
#include "foundation/container/array.h"
#include "navigation/navigation_mesh.h"

enum {
    CT_NAVIGATION_CORRIDOR_ROOM = 32, // least polygons of room in front of a new corridor
    CT_NAVIGATION_CORRIDOR_SIZES = 10,
};

typedef struct ct_navigation_corridor {
    ct_navigation_place *places; // `capacity`, then as many versions
    uint32_t first, count, capacity;
} ct_navigation_corridor;

typedef CT_ARRAY(void *) ct_navigation_block_array;

typedef struct ct_navigation_corridor_pool {
    ct_navigation_block_array free[CT_NAVIGATION_CORRIDOR_SIZES]; // by size
    ct_allocator *allocator;
} ct_navigation_corridor_pool;

// Makes an empty pool, and frees one.
void ct_navigation_corridor_pool_init(ct_navigation_corridor_pool *pool, ct_allocator *a);
void ct_navigation_corridor_pool_free(ct_navigation_corridor_pool *pool); // all must be cleared

// The polygons of a corridor that are left, the first of them the agent's.
static inline const ct_navigation_place *
ct_navigation_corridor_ahead(const ct_navigation_corridor *c) {
    return c->places + c->first;
}
// The versions of their tiles.
static inline uint32_t *ct_navigation_corridor_versions(const ct_navigation_corridor *c) {
    return c->places + c->capacity + c->first;
}

// Replaces the corridor with `count` polygons; those of tiles that are gone have version 0.
void ct_navigation_corridor_set(ct_navigation_corridor_pool *pool, ct_navigation_corridor *c,
                                const ct_navigation_tile *tiles, const ct_navigation_place *places,
                                uint32_t count);

// Gives the block back; the corridor is empty.
void ct_navigation_corridor_clear(ct_navigation_corridor_pool *pool, ct_navigation_corridor *c);

// Removes polygons from the front.
void ct_navigation_corridor_trim(ct_navigation_corridor *c, uint32_t count);

// Returns how many polygons, from the front, are what they were and lead to each other, in areas that
// `filter` allows.
uint32_t ct_navigation_corridor_check(const ct_navigation_corridor *c, const ct_navigation_mesh *m,
                                      const ct_navigation_filter *filter);

// Makes the corridor start with `place`, where its agent is: cuts what is behind, or adds the way back to
// it when that is short. Returns false and changes nothing when there is no such way. Any thread, for
// different corridors.
bool ct_navigation_corridor_repair(ct_navigation_corridor *c, const ct_navigation_mesh *m,
                                   const ct_navigation_filter *filter, ct_navigation_place place);

// The way from a polygon to one beside it, by an edge before by a link; NULL: they have no way.
const ct_navigation_way *ct_navigation_way_between(const ct_navigation_tile *tiles,
                                                   ct_navigation_place from,
                                                   ct_navigation_place to);
