// navigation_resource.h: the blob of a level's navigation: walkable polygons in tiles, for each class of
// agents.
//
// From "A* is Overrated" (Bitsquid blog, 2010-10-20): the graph is made automatically from the level,
// and corrections by hand survive when it is made again. A class of agents has a mesh of its own, as
// what a wide agent can walk on is no part of what a narrow one can. A mesh is a grid of square tiles
// along x and y; all floors above each other are in the same tile. A tile is complete by itself: its
// offsets lead to arrays of its own, which lie together, so it can be loaded without others and
// compared by its hash. Edges of polygons at the side of a tile are linked to the tile beside when
// both are loaded.
//
// Everything is in the space of the level: metres, z is up.
#pragma once
#include "resource/blob/blob_layout.h"

enum {
    CT_NAVIGATION_VERSION = 1,
    CT_NAVIGATION_MAX_CLASSES = 8,
    CT_NAVIGATION_MAX_AREAS = 64,
    CT_NAVIGATION_MAX_LINKS = 65536,
    CT_NAVIGATION_MAX_TILES = 65535,    // of a mesh
    CT_NAVIGATION_MAX_POLYGONS = 4095,  // of a tile
    CT_NAVIGATION_MAX_VERTICES = 65535, // of a tile, and of its surface
    CT_NAVIGATION_MAX_EDGES = 16,       // of a polygon; compiled ones have at most 6
    CT_NAVIGATION_GROUND = 0,           // the area of what no volume paints
};

// What an edge leads to, beside polygons of its tile: 0 … CT_NAVIGATION_MAX_POLYGONS - 1.
enum {
    CT_NAVIGATION_EDGE_WALL = 0xffff,
    // The side of the tile: added to 0 for +x, 1 for +y, 2 for -x, 3 for -y.
    CT_NAVIGATION_EDGE_SIDE = 0xfff0,
};

// The edge i of a polygon leads from its vertex to that of edge i + 1, counter-clockwise seen from
// above.
typedef struct ct_navigation_edge {
    uint16_t vertex; // in the tile's vertices
    uint16_t leads_to;
} ct_navigation_edge;

// A convex polygon, seen from above.
typedef struct ct_navigation_polygon {
    uint32_t first_edge;
    uint32_t first_triangle;
    uint16_t num_triangles; // of the surface
    uint8_t num_edges;
    uint8_t area;
} ct_navigation_polygon;

typedef struct ct_navigation_tile_resource {
    int32_t x, y;           // the tile covers x * tile_size to (x + 1) * tile_size
    float min_z, max_z;     // of its vertices
    uint64_t hash;          // XXH3-64 of all that follows it: of polygons, edges, vertices, surface
    uint64_t input_hash;    // of what it was made from: the same input gives the same tile
    ct_blob_array polygons; // ct_navigation_polygon
    ct_blob_array edges;    // ct_navigation_edge, those of a polygon in a row
    ct_blob_array vertices; // float[3]
    ct_blob_array surface_vertices; // float[3]; follow the ground closer than polygons do
    ct_blob_array triangles;        // uint16_t[3] into surface_vertices, counter-clockwise
} ct_navigation_tile_resource;

// A class of agents, and its mesh.
typedef struct ct_navigation_class {
    ct_string_id32 id, name;
    float radius, height; // metres; the mesh keeps this distance from walls
    float climb;          // metres that agents step up
    float slope;          // radians that they walk up
    ct_blob_string name_text;
    ct_blob_array tiles; // ct_navigation_tile_resource, sorted by y, then x
} ct_navigation_class;

typedef struct ct_navigation_area {
    ct_string_id32 id, name;
    float cost;     // of a metre, against 1; at least 0.01. Filters may have others
    uint32_t flags; // CT_NAVIGATION_AREA_…
    ct_blob_string name_text;
} ct_navigation_area;
enum { CT_NAVIGATION_AREA_CLOSED = 1 }; // at first: a door that is shut

// A way between two points that polygons do not show: a jump, a ladder, a teleporter. Made by hand, or
// found by a rule.
typedef struct ct_navigation_link {
    ct_string_id32 id;   // of the source; of those found by a rule, from the rule and the place
    ct_string_id32 kind; // "jump": chosen by the game, which plays something
    float from[3], to[3];
    float radius; // metres around the ends in which the mesh must be
    float cost;   // added to the length, in metres
    uint32_t area;
    uint32_t classes; // a bit for each class
    uint32_t flags;   // CT_NAVIGATION_LINK_…
    ct_blob_string kind_text;
} ct_navigation_link;
enum {
    CT_NAVIGATION_LINK_BOTH_WAYS = 1,
    CT_NAVIGATION_LINK_CLOSED = 2, // at first
    CT_NAVIGATION_LINK_FOUND = 4,  // by a rule
};

typedef struct ct_navigation_resource {
    ct_blob_header header;
    float tile_size;              // metres
    float cell_size, cell_height; // metres, of the voxels that it was made from
    uint32_t padding;
    ct_string_id64 level;
    ct_blob_array classes; // ct_navigation_class, at least one
    ct_blob_array areas;   // ct_navigation_area; the first is the ground
    ct_blob_array links;   // ct_navigation_link
} ct_navigation_resource;

extern const ct_blob_layout ct_navigation_layout, ct_navigation_class_layout,
    ct_navigation_tile_layout, ct_navigation_polygon_layout, ct_navigation_edge_layout,
    ct_navigation_area_layout, ct_navigation_link_layout;
extern const ct_blob_layout ct_navigation_vertex_layout;   // float[3]
extern const ct_blob_layout ct_navigation_triangle_layout; // uint16_t[3]

// Checks a blob whose header was checked: its layout, then ct_navigation_resource_check. Returns false
// with `error`. libc only.
bool ct_navigation_validate(const void *blob, ct_error *error);

// Checks a blob whose header and layout were checked: counts, indices, finite numbers, convex polygons,
// edges that lead back. Returns false with `error`, which names the place: "classes[0].tiles[2]: …".
// libc only.
bool ct_navigation_resource_check(const void *blob, ct_error *error);
