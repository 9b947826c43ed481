// grid_search.h: A* over a grid map, and shortest paths at any angle, for comparison.
#pragma once
#include "navigation_map.h"

// Memory of searches over one map. From the heap of the benchmarks.
typedef struct grid_search grid_search;

// Makes one; the map must outlive it.
grid_search *grid_search_create(const navigation_map *m);
void grid_search_destroy(grid_search *s); // NULL is fine

// Finds the shortest path to the eight neighbours by A* with the octile distance and a binary heap. Returns
// its length; infinite: there is no path.
double grid_search_octile(grid_search *s, const navigation_map_query *q);

// Finds the shortest path at any angle: A* over the corners of the map that are in sight of each other,
// computed exactly. `most` is the length of a path that is known. Returns the length.
double grid_search_any_angle(grid_search *s, const navigation_map_query *q, double most);
