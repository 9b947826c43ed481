// worker_recast.h: Recast (voxels, regions, outlines, polygons) for one tile. The only use of it.
//
// Everything is in the space of the tile: x and y from its corner, z from a base that the caller
// chooses, metres. All memory that Recast takes is from the caller's allocator. The same input gives
// the same result. One thread at a time.
#pragma once
#include "foundation/memory/allocator.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CT_RECAST_MAX_LEVELS = 8191,     // voxels above each other
    CT_RECAST_MAX_HEIGHT = 255,      // voxels of free height that are counted
    CT_RECAST_MAX_RADIUS = 120,      // voxels
    CT_RECAST_MAX_POLYGON_EDGES = 6, // that Recast makes
    CT_RECAST_EDGE_ROOM = 16,        // that a polygon has room for
    CT_RECAST_NO_GROUND = 0,         // an area
    CT_RECAST_GROUND = 1,            // what is walkable before it is painted
    CT_RECAST_WALL = 0xffff,         // what an edge leads to
    CT_RECAST_SIDE = 0xfff0, // the side of the tile: + 0 for +x, 1 for +y, 2 for -x, 3 for -y
};

// Triangles of a convex solid: what is between them is full.
typedef struct ct_recast_solid {
    uint32_t first_triangle, num_triangles;
} ct_recast_solid;

typedef struct ct_recast_desc {
    ct_allocator *allocator;
    uint32_t cells;               // along x and y of the tile
    uint32_t border;              // cells around it that are looked at
    uint32_t levels;              // 1 to CT_RECAST_MAX_LEVELS
    float cell_size, cell_height; // metres
    uint32_t ledge; // cells; spans beside deeper drops are no ground; at least `climb`
    uint32_t height, climb, radius;                 // of agents, in cells; radius below border
    float edge_error;                               // cells
    uint32_t longest_edge, least_area, merged_area; // cells; square cells
    float sample_distance, sample_error;            // of the surface, metres
    const float *points;                            // 9 for each triangle
    const uint8_t *is_walkable;                     // of each triangle
    uint32_t num_triangles;
    const ct_recast_solid *solids; // sorted by first_triangle; other triangles are a surface
    uint32_t num_solids;
    // Returns the area of ground at a point, which is `area` unless something is painted. Called
    // before (`is_cutting`) and after ground within `radius` of walls is removed. May be NULL.
    uint8_t (*paint)(void *user, bool is_cutting, const float point[3], uint8_t area);
    void *user;
} ct_recast_desc;

typedef struct ct_recast_polygon {
    uint16_t vertices[CT_RECAST_EDGE_ROOM];
    uint16_t leads_to[CT_RECAST_EDGE_ROOM]; // of the edge from vertex i to i + 1
    uint32_t num_edges;
    uint32_t first_vertex, first_triangle, num_triangles; // of the surface
    uint8_t area;
} ct_recast_polygon;

// All arrays are from the allocator.
typedef struct ct_recast_result {
    uint32_t num_vertices, num_polygons, num_surface_vertices, num_triangles;
    uint16_t (*vertices)[3];      // cells along x and y from the tile's corner, levels along z
    ct_recast_polygon *polygons;  // counter-clockwise seen from above
    float (*surface_vertices)[3]; // metres
    uint8_t (*triangles)[3];      // from the polygon's first_vertex, counter-clockwise
} ct_recast_result;

// Builds a tile. A result without polygons is no error. Returns NULL; or the name of the step that
// failed, and then the result is empty.
const char *ct_recast_build(const ct_recast_desc *desc, ct_recast_result *result);

// Frees the arrays and empties the result.
void ct_recast_result_free(ct_allocator *a, ct_recast_result *result);

#ifdef __cplusplus
}
#endif
