// navigation_draw.h: lines that show a mesh, its agents and paths, for debugging.
//
// Lines are in the space of the mesh, a little above it. Nothing is kept or allocated, except where a
// function says so. Any thread, while the mesh and the agents do not change.
#pragma once
#include "navigation/navigation_agents.h"

// What is drawn.
enum {
    CT_NAVIGATION_DRAW_POLYGONS = 1,    // their edges, coloured by area; walls are brighter
    CT_NAVIGATION_DRAW_TILES = 2,       // squares around the tiles
    CT_NAVIGATION_DRAW_ISLANDS = 4,     // the edges of polygons, coloured by island
    CT_NAVIGATION_DRAW_CROSSINGS = 8,   // between tiles, and the lengths between them
    CT_NAVIGATION_DRAW_LINKS = 16,      // arches; red: closed, grey: an end touches no polygon
    CT_NAVIGATION_DRAW_OBSTACLES = 32,  // their shapes
    CT_NAVIGATION_DRAW_AGENTS = 64,     // circles, coloured by state
    CT_NAVIGATION_DRAW_PATHS = 128,     // the corners ahead of agents
    CT_NAVIGATION_DRAW_VELOCITIES = 256 // green, and what agents want: yellow
};

// Gets a line; the colour is linear red, green, blue and alpha.
typedef void (*ct_navigation_line)(void *user, ct_vec3 from, ct_vec3 to, const float color[4]);

// Draws what `flags` says of a mesh. Obstacles: allocates from `a` for the duration of the call.
void ct_navigation_draw_mesh(const ct_navigation_mesh *m, uint32_t flags, ct_allocator *a,
                             ct_navigation_line line, void *user);

// Draws what `flags` says of agents of a mesh.
void ct_navigation_draw_agents(const ct_navigation_agents *agents, const ct_navigation_mesh *m,
                               uint32_t flags, ct_navigation_line line, void *user);

// Draws a path: the polygons of its corridor that the mesh still has, and its corners.
void ct_navigation_draw_path(const ct_navigation_mesh *m, const ct_navigation_place *polygons,
                             uint32_t num_polygons, const ct_navigation_corner *corners,
                             uint32_t num_corners, ct_navigation_line line, void *user);
