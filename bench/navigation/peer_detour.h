// peer_detour.h: Detour and its crowd on the polygons of a blob of navigation, in the same tiles.
#pragma once
#include "foundation/math/math_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A mesh with one query object.
typedef struct peer_detour peer_detour;

// Metres.
typedef struct peer_detour_desc {
    float tile_size, cell_size, cell_height; // vertices are rounded to cells
    float radius, height, climb;             // of agents
    uint32_t num_tiles;
} peer_detour_desc;

enum { PEER_DETOUR_MOST_EDGES = 6 };

// Counter-clockwise seen from above, as in ct_navigation_edge.
typedef struct peer_detour_polygon {
    uint16_t vertices[PEER_DETOUR_MOST_EDGES], leads_to[PEER_DETOUR_MOST_EDGES];
    uint32_t num_edges;
} peer_detour_polygon;

typedef struct peer_detour_tile {
    int32_t x, y;
    float min_z, max_z;
    const float *vertices; // three each
    uint32_t num_vertices;
    const peer_detour_polygon *polygons;
    uint32_t num_polygons;
} peer_detour_tile;

// Makes a mesh without tiles; NULL when Detour refuses it. Tiles are added before the first query; false when
// Detour refuses one.
peer_detour *peer_detour_create(const peer_detour_desc *desc);
bool peer_detour_add(peer_detour *d, const peer_detour_tile *tile);
void peer_detour_destroy(peer_detour *d); // NULL is fine

// Returns how many times an edge at the side of a tile has more than four polygons on the other side: Detour
// links the first four.
uint32_t peer_detour_num_cut_sides(const peer_detour *d);

// An end of a query: a polygon, and its point nearest to where it was asked for.
typedef struct peer_detour_end {
    uint32_t polygon; // 0: there is no polygon
    float point[3];   // as Detour has it
} peer_detour_end;

// Finds the polygon within a metre of a point: findNearestPoly.
peer_detour_end peer_detour_nearest(peer_detour *d, ct_vec3 point);

// Finds a path with findPath and findStraightPath. Returns its length; infinite: not found. The corners
// stay in the peer until the next.
float peer_detour_find(peer_detour *d, const peer_detour_end *from, const peer_detour_end *to);

// Agents of a crowd on the mesh, sent to their goals. One crowd at a time.
typedef struct peer_detour_crowd_desc {
    const ct_vec3 *positions, *goals;
    uint32_t count;
    float radius, height, speed, acceleration;
} peer_detour_crowd_desc;
void peer_detour_crowd_begin(peer_detour *d, const peer_detour_crowd_desc *desc);
void peer_detour_crowd_end(peer_detour *d);

// Sends an agent to another goal.
void peer_detour_crowd_send(peer_detour *d, uint32_t agent, ct_vec3 goal);

// A step of the crowd, of `dt` seconds.
void peer_detour_crowd_step(peer_detour *d, float dt);
ct_vec3 peer_detour_crowd_position(const peer_detour *d, uint32_t agent);

#ifdef __cplusplus
}
#endif
