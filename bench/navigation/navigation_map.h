// navigation_map.h: grid maps with queries, in the form of the MovingAI benchmark (Sturtevant, "Benchmarks
// for Grid-Based Pathfinding", 2012), and their meshes.
//
// A cell is a metre; the first row is at y = 0. Tiles are 32 m. All maps stay in memory until
// navigation_maps_end.
#pragma once
#include "foundation/container/array.h"
#include "foundation/math/math.h"
#include "peer_detour.h"
#include "resource/types/navigation/navigation_resource.h"

// A query between middles of cells, and the shortest path over the grid: in the directions of its eight
// neighbours, without cutting corners.
typedef struct navigation_map_query {
    uint32_t from_x, from_y, to_x, to_y; // cells
    double octile;                       // metres
} navigation_map_query;

typedef struct navigation_map {
    char name[64];
    uint32_t width, height;
    char *cells;       // by row; '.': ground
    const char **rows; // into `cells`; not terminated
    CT_ARRAY(navigation_map_query) queries;
    uint32_t num_left_out;            // queries of the file with an end that is no ground
    ct_navigation_resource *resource; // polygons of at most six edges; of the C library's heap
} navigation_map;

typedef CT_ARRAY(navigation_map) navigation_map_array;

// Reads each `.map` of a folder with its `.map.scen`; NULL: makes one. Ends the program when one cannot be
// read. Nothing when that was done.
void navigation_maps_begin(const char *folder);

// Frees them.
void navigation_maps_end(void);

// Returns the maps, at least one.
const navigation_map_array *navigation_maps(void);

// Makes a map of a town: blocks of houses of `block` cells, streets of `street` cells between them, and a
// yard with doors in some. Free it with navigation_map_free.
navigation_map navigation_map_town(uint32_t size, uint32_t block, uint32_t street);
void navigation_map_free(navigation_map *m);

// Makes Detour's mesh of the same polygons in the same tiles. Ends the program when Detour refuses it.
peer_detour *navigation_map_detour(const navigation_map *m);

// Returns whether a cell is ground; outside of the map there is no ground.
static inline bool navigation_map_is_ground(const navigation_map *m, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < m->width && y < m->height &&
           m->cells[(uint64_t)y * m->width + (uint64_t)x] == '.';
}

// The middle of a cell.
static inline ct_vec3 navigation_map_point(uint32_t x, uint32_t y) {
    return ct_vec3_make((float)x + 0.5f, (float)y + 0.5f, 0);
}
