// peer_recast.h: the tiles of a level by Recast's own functions.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The settings of all tiles, in cells and metres as the worker gives them to Recast.
typedef struct peer_recast_settings {
    float cell_size, cell_height, slope; // metres, radians
    int cells, border, height, climb, ledge, radius;
    float edge_error;
    int longest_edge, least_area, merged_area;
    float sample_distance, sample_error;
} peer_recast_settings;

// Triangles of a tile: y is up, and they are clockwise from above.
typedef struct peer_recast_tile {
    float corner[2];   // of the tile, metres
    float least, most; // heights
    const float *points;
    const int *corners; // three for each triangle
    int num_points, num_triangles;
} peer_recast_tile;

// Builds a tile from voxels to the detailed surface and frees it. Returns the number of its polygons; -1: a
// step failed.
int peer_recast_build(const peer_recast_settings *s, const peer_recast_tile *t);

#ifdef __cplusplus
}
#endif
