// worker_navigation.h: a navigation resource while it is compiled.
//
// worker_navigation_read.c reads the source; worker_navigation_level.c finds the shapes of the level's
// units, which worker_navigation_shapes.c and worker_navigation_mesh.c turn into triangles;
// worker_navigation_sort.c finds the tiles that they touch; worker_navigation_tile.c makes the input of
// one tile and its hash, and has it built unless the former output has it; worker_navigation_polygons.c
// turns what Recast gives into our layout; worker_navigation_rules.c finds links;
// worker_navigation_report.c warns of corrections that touch nothing; worker_navigation_write.c writes.
//
// Everything is from the job's allocator and never freed singly, but for what Recast takes.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/unit/worker_level_members.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/math/math_types.h"
#include "resource/types/navigation/navigation_source.h"
#include "spatial/volume.h"

// --- The source ----------------------------------------------------------------------------------

// A class of agents, and where its object is.
typedef struct ct_worker_navigation_class {
    ct_navigation_class_source source;
    const char *id;
    ct_sjson_value at;
} ct_worker_navigation_class;

// An area, as its schema reads it.
typedef struct ct_worker_navigation_area {
    ct_navigation_area_source source;
    const char *id;
} ct_worker_navigation_area;

// A correction by a volume.
typedef struct ct_worker_navigation_mark {
    ct_navigation_volume_source source;
    ct_sjson_value at, volume_at;
    uint32_t area;   // that it paints; not of those that cut
    bool is_there;   // the level has the volume
    ct_volume shape; // in the level
    ct_aabb bounds;
    uint64_t hash; // of what it does to a tile
} ct_worker_navigation_mark;

typedef struct ct_worker_navigation_link {
    ct_navigation_link data;
    const char *kind;
    ct_sjson_value at; // the object; {0}: found by a rule
} ct_worker_navigation_link;

// A rule, with its names resolved.
typedef struct ct_worker_navigation_rule {
    ct_navigation_rule_source source;
    const char *id;
    ct_sjson_value at;
    uint32_t area, classes;
} ct_worker_navigation_rule;

// --- The ground ----------------------------------------------------------------------------------

typedef struct ct_worker_navigation_triangle {
    float at[3][3]; // in the level, counter-clockwise from where one can be
} ct_worker_navigation_triangle;

typedef CT_ARRAY(ct_worker_navigation_triangle) ct_worker_navigation_triangles;

typedef enum ct_worker_navigation_piece_kind {
    CT_WORKER_NAVIGATION_SURFACE, // triangles
    CT_WORKER_NAVIGATION_SOLID,   // triangles around a convex solid
    CT_WORKER_NAVIGATION_HEIGHTS, // a height field
    CT_WORKER_NAVIGATION_PLANE,   // without end
} ct_worker_navigation_piece_kind;

// One shape of the level.
typedef struct ct_worker_navigation_piece {
    ct_worker_navigation_piece_kind kind;
    uint32_t first_triangle, num_triangles; // SURFACE, SOLID
    ct_aabb bounds;                         // not of a PLANE
    ct_mat4 pose;                           // HEIGHTS, PLANE
    uint32_t columns, rows;                 // HEIGHTS, as in ct_height_field_resource
    float spacing[2];
    const float *heights;
} ct_worker_navigation_piece;

// --- Tiles ---------------------------------------------------------------------------------------

// A triangle of a surface, or a whole other piece, that a tile has to do with.
typedef struct ct_worker_navigation_item {
    uint32_t piece;
    uint32_t triangle; // in the piece's triangles; of a SURFACE only
} ct_worker_navigation_item;

// The items of a place in the grid, in the order of the level.
typedef struct ct_worker_navigation_place {
    int32_t x, y;
    CT_ARRAY(ct_worker_navigation_item) items;
} ct_worker_navigation_place;

// A point of the level, metres.
typedef struct ct_worker_navigation_vertex {
    float at[3];
} ct_worker_navigation_vertex;

// A triangle of the surface: positions in surface_vertices.
typedef struct ct_worker_navigation_corners {
    uint16_t at[3];
} ct_worker_navigation_corners;

// A tile of a class: `data` without its arrays, which are here.
typedef struct ct_worker_navigation_tile {
    ct_navigation_tile_resource data;
    CT_ARRAY(ct_navigation_polygon) polygons;
    CT_ARRAY(ct_navigation_edge) edges;
    CT_ARRAY(ct_worker_navigation_vertex) vertices, surface_vertices;
    CT_ARRAY(ct_worker_navigation_corners) triangles;
} ct_worker_navigation_tile;

typedef CT_ARRAY(ct_worker_navigation_tile) ct_worker_navigation_tiles;

// --- The whole -----------------------------------------------------------------------------------

typedef struct ct_worker_navigation {
    ct_compile *compile;
    ct_navigation_source source;
    const char *level; // its name
    uint32_t cells;    // along the side of a tile
    float tile_size;   // metres
    CT_ARRAY(ct_worker_navigation_class) classes;
    CT_ARRAY(ct_worker_navigation_area) areas; // the first is the ground
    CT_ARRAY(ct_worker_navigation_mark) marks;
    CT_ARRAY(ct_worker_navigation_link) links; // by hand, then those found
    CT_ARRAY(ct_worker_navigation_rule) rules;
    ct_worker_level_members members; // of the level
    ct_hash_map names;               // ct_resource_id_key to the name of what its units refer to
    ct_hash_map meshes; // id to ct_worker_navigation_mesh * (worker_navigation_shapes.h); 0: broken
    ct_worker_navigation_triangles triangles;
    CT_ARRAY(ct_worker_navigation_piece) pieces;
    CT_ARRAY(ct_worker_navigation_place) places; // sorted by y, then x
    ct_worker_navigation_tiles *tiles;           // of each class: those with polygons
    const ct_navigation_resource *former;        // NULL: no former blob can be used
    ct_hash_map former_tiles;                    // input hash to offset in it
} ct_worker_navigation;

// --- worker_navigation_read.c --------------------------------------------------------------------

// Reads the source. Returns false after errors.
bool ct_worker_navigation_read(ct_worker_navigation *n);

// --- worker_navigation_level.c -------------------------------------------------------------------

// Finds the pieces and members of the level. Returns false after errors.
bool ct_worker_navigation_read_level(ct_worker_navigation *n);

// --- worker_navigation_marks.c -------------------------------------------------------------------

// Finds the volumes of the marks in the level; warns of those that are not there. Returns false after
// errors.
bool ct_worker_navigation_place_marks(ct_worker_navigation *n);

// --- worker_navigation_sort.c --------------------------------------------------------------------

// Sets `places`. Returns false after an error.
bool ct_worker_navigation_sort(ct_worker_navigation *n);

// Returns the cells around a tile that its polygons depend on, for a class.
uint32_t ct_worker_navigation_border(const ct_worker_navigation *n, uint32_t class);

// --- worker_navigation_tile.c --------------------------------------------------------------------

// Builds all tiles of all classes, or takes them from the former output. Returns false after errors.
bool ct_worker_navigation_build(ct_worker_navigation *n);

// --- worker_navigation_rules.c -------------------------------------------------------------------

// Adds the links that the rules find. Returns false after an error.
bool ct_worker_navigation_find_links(ct_worker_navigation *n);

// --- worker_navigation_report.c ------------------------------------------------------------------

// Reports levels without ground, classes that find none, and corrections that touch nothing. Returns
// false after errors.
bool ct_worker_navigation_report(ct_worker_navigation *n);

// --- worker_navigation_write.c -------------------------------------------------------------------

// Appends the blob.
void ct_worker_navigation_write(ct_worker_navigation *n);
