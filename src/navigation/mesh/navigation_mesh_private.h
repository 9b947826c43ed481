// navigation_mesh_private.h: what the files of src/navigation/mesh share.
//
// A tile is made in two steps. First its core, from the blob and footprints of obstacles: faces, ways
// inside of the tile, regions, a grid to find faces. Then its links: ways out of it, by its sides and
// by links of the level, crossings and their lengths. Both write a new block, which has all arrays of the
// tile; the second copies what the first made.
#pragma once
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/task/task.h"
#include "navigation/mesh/navigation_clip.h"
#include "navigation/navigation_mesh.h"
#include "navigation/navigation_string.h"

enum {
    CT_NAVIGATION_FOOTPRINT_POINTS = 2 * CT_NAVIGATION_MAX_OBSTACLE_POINTS,
    CT_NAVIGATION_OBSTACLE_BITS = 20, // of its id: the index; the generation is above
    CT_NAVIGATION_MAX_OBSTACLES = (1 << CT_NAVIGATION_OBSTACLE_BITS) - 2,
};

// An obstacle, grown by the radius of the class: counter-clockwise.
typedef struct ct_navigation_footprint {
    int32_t area;
    uint32_t num_points;
    float bottom, top; // meets ground from here to there
    ct_vec2 min, max;
    ct_vec2 points[CT_NAVIGATION_FOOTPRINT_POINTS];
} ct_navigation_footprint;

// An obstacle, or a free place for one, whose generation the next one has.
typedef struct ct_navigation_obstacle_slot {
    ct_navigation_obstacle_desc desc;
    uint32_t generation;
    bool is_live;
} ct_navigation_obstacle_slot;

// An edge on a side of its tile: t along the side, z at both ends.
typedef struct ct_navigation_side {
    float t0, t1, z0, z1, across;
    uint16_t face;
    uint8_t edge;
    uint8_t side;
} ct_navigation_side;

// Cells with the faces that touch them.
typedef struct ct_navigation_grid {
    ct_vec2 min, cell; // metres
    uint32_t columns, rows;
    uint32_t *first; // columns * rows + 1
    uint16_t *faces;
} ct_navigation_grid;

// How many of each a tile has.
typedef struct ct_navigation_counts {
    uint32_t faces, edges, vertices, ways, regions, crossings, lengths, sides, cells, cell_faces,
        footprints;
} ct_navigation_counts;

// The tile's arrays, to be written.
typedef struct ct_navigation_arrays {
    ct_navigation_face *faces;
    ct_navigation_way *ways;
    uint16_t *edges;
    ct_vec3 *vertices;
    ct_navigation_region *regions;
    ct_navigation_crossing *crossings;
    float *lengths;
    uint32_t *first_length;
    ct_navigation_side *sides;
    uint32_t *cell_first;
    uint16_t *cell_faces;
    ct_navigation_footprint *footprints;
    uint8_t *is_obstructed; // by face
} ct_navigation_arrays;

// What is private of a slot; beside ct_navigation_tile.
typedef struct ct_navigation_slot {
    void *block;
    ct_navigation_counts counts;
    ct_navigation_arrays arrays;
    ct_navigation_grid grid;
    uint32_t first_side[5];
    uint32_t tile; // in the class
    uint64_t hash; // of the blob's tile
    bool is_waiting, is_unlinked;
    bool is_begun; // a job builds it (navigation_background.c)
} ct_navigation_slot;

// Ends of a link of the level; 0: there is no polygon, or it is not of this class.
typedef struct ct_navigation_link_state {
    ct_navigation_place from, to;
    ct_vec3 from_point, to_point;
    bool is_closed;
} ct_navigation_link_state;

// --- Scratch -------------------------------------------------------------------------------------

typedef struct ct_navigation_piece {
    uint32_t first, count; // of the points
    float min_x, min_y, max_x, max_y;
    uint16_t source;
    uint8_t area;
} ct_navigation_piece;

// Pieces with their corners.
typedef struct ct_navigation_pieces {
    CT_ARRAY(ct_navigation_cut_point) points;
    CT_ARRAY(ct_navigation_piece) pieces;
} ct_navigation_pieces;

// An edge of a face that may lead to another face of the tile: t along its line.
typedef struct ct_navigation_record {
    uint64_t key; // line, then t0
    float t0, t1;
    uint16_t face;
    uint8_t edge;
    bool is_backward;
    uint32_t padding;
} ct_navigation_record;

// A way that was found, of face `face`; over the side `side`, or 4: by a link.
typedef struct ct_navigation_found {
    uint64_t key;
    ct_navigation_way way;
    float t0, t1;
    uint16_t face, region, to_region;
    uint16_t side;
} ct_navigation_found;

// A portal that a search may go on from.
typedef struct ct_navigation_heap_item {
    float key;
    uint32_t portal;
} ct_navigation_heap_item;

// A way inside of a tile, with its way back.
typedef struct ct_navigation_portal {
    ct_vec3 middle, left, right; // as seen from the first face
    uint32_t faces[2];
} ct_navigation_portal;

// How a portal was reached.
typedef struct ct_navigation_reached {
    ct_navigation_string string; // beyond it
    float length;                // of the string to its middle
    uint32_t before, face;       // the portal before, and the face that it leads into
} ct_navigation_reached;

typedef struct ct_navigation_scratch {
    ct_navigation_pieces pieces, from, to;
    CT_ARRAY(ct_navigation_footprint) footprints; // of the tile
    ct_u32_array near_lines;                      // those that touch a polygon
    CT_ARRAY(ct_vec3) vertices;
    CT_ARRAY(uint16_t) edges;
    CT_ARRAY(ct_navigation_face) faces;
    CT_ARRAY(uint8_t) closed; // faces that are obstructed
    CT_ARRAY(ct_navigation_record) records, sorted_records;
    CT_ARRAY(ct_navigation_side) sides;
    CT_ARRAY(ct_navigation_found) found, sorted_found;
    CT_ARRAY(ct_navigation_crossing) crossings;
    CT_ARRAY(uint16_t) crossing_regions;
    ct_u32_array parents, islands, first_regions;
    CT_ARRAY(ct_navigation_heap_item) heap;
    CT_ARRAY(ct_navigation_reached) reached; // by portal
    CT_ARRAY(ct_navigation_portal) portals;
    ct_u32_array first_portals, face_portals; // by face
    ct_u32_array targets;                     // crossings by face
    ct_u32_array by_middle;                   // crossings of a region
} ct_navigation_scratch;

// The core of a tile as it is built. Building reads and writes only what is in it, and the tile of the
// blob, so cores may be built in tasks.
typedef struct ct_navigation_core {
    ct_allocator *allocator; // of the block
    const ct_navigation_resource *resource;
    const ct_navigation_tile_resource *tile;
    uint32_t slot;
    ct_navigation_scratch *scratch; // with the footprints
    const uint8_t *obstructed;      // by face; used when there are as many faces
    uint32_t num_obstructed;
    // What comes out.
    void *block;
    ct_navigation_counts counts;
    ct_navigation_arrays arrays;
    ct_navigation_grid grid;
    uint32_t first_side[5];
} ct_navigation_core;

// A tile that is built between ct_navigation_mesh_begin_update and ct_navigation_mesh_end_update.
typedef struct ct_navigation_job {
    ct_navigation_core core; // `block` NULL: not built yet
    ct_navigation_scratch scratch;
    ct_task_id task; // {0}: the end builds it
    bool is_dropped; // its tile went
} ct_navigation_job;

// --- The mesh ------------------------------------------------------------------------------------

// The place of a tile in the grid.
typedef struct ct_navigation_tile_at {
    int32_t x, y;
} ct_navigation_tile_at;

struct ct_navigation_mesh {
    ct_allocator *allocator;
    const ct_navigation_resource *resource;
    const ct_navigation_class *class;
    uint32_t number;
    uint32_t num_slots, max_slots;
    ct_navigation_tile *tiles;
    ct_navigation_slot *slots;
    ct_hash_map by_place; // x and y to slot
    ct_u32_array free_slots;
    int32_t min_x, min_y, max_x, max_y; // of the class's tiles
    uint64_t version,
        newest_version;         // restoring goes back to an old one; new ones are never the same
    uint32_t last_version;      // of a tile
    uint64_t last_link_version; // of a tile; never goes back
    CT_ARRAY(ct_navigation_obstacle_slot) obstacles;
    CT_ARRAY(ct_navigation_footprint) obstacle_footprints;
    ct_u32_array free_obstacles;
    ct_u32_array waiting;               // slots, in the order in which they were touched
    ct_task_manager *tasks;             // of the jobs; NULL: they have no tasks
    CT_ARRAY(ct_navigation_job *) jobs; // the first `num_jobs` were begun; the rest are spare
    uint32_t num_jobs;
    ct_u32_array unlinked;                   // slots
    CT_ARRAY(ct_navigation_tile_at) changed; // tiles whose links of the level are to be found again
    bool islands_are_old;
    CT_ARRAY(ct_navigation_link_state) links;
    bool area_is_closed[CT_NAVIGATION_MAX_AREAS];
    float area_costs[CT_NAVIGATION_MAX_AREAS];
    ct_navigation_filter filter;
    CT_ARRAY(ct_navigation_crowded) crowded; // sorted by place
    uint64_t crowd_hash;
    ct_navigation_scratch scratch;
};

// Returns the tiles of the mesh's class.
static inline const ct_navigation_tile_resource *
ct_navigation_class_tiles(const ct_navigation_mesh *m) {
    return (const ct_navigation_tile_resource *)ct_blob_at(m->resource, m->class->tiles.offset);
}

// Returns the key of a place of the grid for hash maps.
static inline uint64_t ct_navigation_tile_key(int32_t x, int32_t y) {
    return (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
}

// The slot of the tile at a place of the grid; 0: it is not there.
static inline uint32_t ct_navigation_slot_at(const ct_navigation_mesh *m, int32_t x, int32_t y) {
    const uint64_t *found = ct_hash_map_find(&m->by_place, ct_navigation_tile_key(x, y));
    return found ? (uint32_t)*found : 0;
}

// Gives the mesh a version that it never had.
static inline void ct_navigation_new_version(ct_navigation_mesh *m) {
    m->version = ++m->newest_version;
}

// --- Parts of the work ---------------------------------------------------------------------------

// Sets the tile's and slot's arrays in `block` for `counts`; with NULL only counts. Returns the bytes.
uint64_t ct_navigation_lay_out(const ct_navigation_counts *counts, void *block,
                               ct_navigation_arrays *arrays);
// Gives a slot its new block; frees the old one.
void ct_navigation_take_block(ct_navigation_mesh *m, uint32_t slot, void *block,
                              const ct_navigation_counts *counts,
                              const ct_navigation_arrays *arrays);

// Sets the allocator of the arrays of an empty scratch; frees them.
void ct_navigation_init_scratch(ct_navigation_scratch *s, ct_allocator *a);
void ct_navigation_free_scratch(ct_navigation_scratch *s);

// Fills `pieces` with the polygons of a tile without `footprints`.
void ct_navigation_carve(ct_navigation_scratch *s, const ct_navigation_resource *resource,
                         const ct_navigation_tile_resource *tile);

// Fills `footprints` of a scratch with those that touch a tile, in the order in which they are applied.
void ct_navigation_gather_footprints(const ct_navigation_mesh *m,
                                     const ct_navigation_tile_resource *tile,
                                     ct_navigation_scratch *s);

// Fills `scratch.footprints` with those that the tile in a slot was made with.
void ct_navigation_use_footprints(ct_navigation_mesh *m, uint32_t slot);

// Builds a core.
void ct_navigation_build_core(ct_navigation_core *core);
// Gives its tile a core that was built, and the block to the mesh. Lists the tile, and its neighbours when it
// has changed, for ct_navigation_link_tiles.
void ct_navigation_use_core(ct_navigation_mesh *m, const ct_navigation_core *core);

// Both at once for the tile in a slot, with `scratch.footprints`. `keeps_obstructed`: it has the same
// faces as before.
void ct_navigation_build(ct_navigation_mesh *m, uint32_t slot, bool keeps_obstructed);

// Begins a job for the tile in a slot, whose footprints the caller sets in its scratch. Not started.
ct_navigation_job *ct_navigation_begin_job(ct_navigation_mesh *m, uint32_t slot);
// Drops the job of a slot, if there is one.
void ct_navigation_drop_job(ct_navigation_mesh *m, uint32_t slot);
// Waits for all jobs and drops them. `keeps_waiting`: their tiles wait again, before others.
void ct_navigation_drop_jobs(ct_navigation_mesh *m, bool keeps_waiting);
void ct_navigation_free_jobs(ct_navigation_mesh *m);

// Makes ways and islands where anything changed.
void ct_navigation_refresh(ct_navigation_mesh *m);

// Lists a slot, or all beside a tile, for ct_navigation_link_tiles.
void ct_navigation_unlink(ct_navigation_mesh *m, uint32_t slot);
void ct_navigation_unlink_around(ct_navigation_mesh *m, int32_t x, int32_t y);

// Makes ways out of all listed tiles, and their crossings.
void ct_navigation_link_tiles(ct_navigation_mesh *m);

// Fills the lengths between the crossings of a tile; lengths that `old` has stay (NULL: none).
void ct_navigation_measure(ct_navigation_mesh *m, uint32_t slot, const ct_navigation_arrays *arrays,
                           const ct_navigation_counts *counts);

// Numbers the islands by the crossings of all tiles.
void ct_navigation_find_islands(ct_navigation_mesh *m);

// Computes the footprint of a valid obstacle.
void ct_navigation_footprint_of(const ct_navigation_class *class,
                                const ct_navigation_obstacle_desc *desc,
                                ct_navigation_footprint *footprint);
// Whether an obstacle may be added; `error` says what is wrong with it.
bool ct_navigation_check_obstacle(const ct_navigation_mesh *m, const ct_navigation_obstacle_desc *d,
                                  ct_error *error);
// Has the tiles that a footprint touches wait.
void ct_navigation_touch(ct_navigation_mesh *m, const ct_navigation_footprint *footprint);
bool ct_navigation_footprint_touches(const ct_navigation_mesh *m, const ct_navigation_footprint *f,
                                     const ct_navigation_tile_resource *tile);

// Makes room for `count` slots.
void ct_navigation_reserve_slots(ct_navigation_mesh *m, uint32_t count);
// Puts a tile of the class into a slot (0: a free one), without building it.
uint32_t ct_navigation_take_slot(ct_navigation_mesh *m, uint32_t tile, uint32_t slot);
void ct_navigation_free_slot(ct_navigation_mesh *m, uint32_t slot);
// After areas were switched.
void ct_navigation_refresh_filter(ct_navigation_mesh *m);
