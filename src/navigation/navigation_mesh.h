// navigation_mesh.h: the walkable polygons of a level for one class of agents, while the game runs.
//
// Tiles come and go. A tile is a copy of its part of the blob (resource/types/navigation), cut where
// obstacles are, with the links between its polygons and to those of the tiles beside. Whatever changes
// a tile builds it again and raises its version: paths and queries that have a polygon of it compare
// versions. Doors, areas and hand-made links are switched without that.
//
// Polygons, links and edges lie in arrays, so that a search touches one polygon and its links in a row.
// A region is a part of a tile that can be crossed inside of the tile; an island is a set of regions that
// are linked, found again when tiles change. Two polygons of different islands have no path.
//
// One thread changes a mesh; between changes, any number of threads read it. Everything is in the space
// of the mesh (that of the level's blob): metres, z is up.
#pragma once
#include "foundation/error.h"
#include "foundation/math/math_types.h"
#include "foundation/memory/allocator.h"
#include "foundation/task/task.h"
#include "resource/types/navigation/navigation_resource.h"

typedef struct ct_navigation_mesh ct_navigation_mesh;

// A polygon: the slot of its tile (from 1) and its number in it. 0: none. It means the same polygon as
// long as the tile has the same version.
typedef uint32_t ct_navigation_place;
enum { CT_NAVIGATION_POLYGON_BITS = 12 };
#define CT_NAVIGATION_PLACE(slot, polygon)                                                         \
    ((ct_navigation_place)(slot) << CT_NAVIGATION_POLYGON_BITS | (uint32_t)(polygon))
static inline uint32_t ct_navigation_slot_of(ct_navigation_place p) {
    return p >> CT_NAVIGATION_POLYGON_BITS;
}
static inline uint32_t ct_navigation_number_of(ct_navigation_place p) {
    return p & ((1u << CT_NAVIGATION_POLYGON_BITS) - 1);
}

// A way from a polygon to another: over a part of an edge, seen from inside, or by a link.
typedef struct ct_navigation_way {
    ct_navigation_place to;
    uint8_t edge; // of the polygon; 255: a link
    uint8_t padding;
    uint16_t link;       // index in the mesh's links, from 1; 0: none
    ct_vec3 left, right; // ends of the part of the edge; of a link, both where it starts
} ct_navigation_way;

// A polygon at run time.
typedef struct ct_navigation_face {
    uint32_t first_way, first_edge; // of the tile
    uint16_t num_ways;
    uint8_t num_edges;
    uint8_t area;
    uint16_t region; // of the tile
    uint16_t source; // the polygon of the blob that it is a part of: its surface
    ct_vec3 center;
} ct_navigation_face;

// A part of a tile that is connected inside of it.
typedef struct ct_navigation_region {
    uint32_t island;                        // from 1; changes when tiles change
    uint32_t first_crossing, num_crossings; // of the tile: to regions of other tiles
} ct_navigation_region;

enum { CT_NAVIGATION_MAX_CROSSINGS = 512 }; // of a region; more are left out

// Ways out of a region to the same other region, side by side, as one.
typedef struct ct_navigation_crossing {
    uint32_t to_slot;
    uint16_t to_region;
    uint16_t polygon; // of this tile, that has the widest way
    ct_vec3 middle;
    uint32_t is_entry; // leads here from there, by a link that has no way back
} ct_navigation_crossing;

// A tile; slot i of ct_navigation_tiles. Read-only outside of src/navigation/mesh.
typedef struct ct_navigation_tile {
    uint32_t version; // never the same for two states of the mesh's tiles; 0: the slot is free
    int32_t x, y;
    // Changes when the tile's ways and crossings are written again, as a tile beside it came, went or
    // changed. Its polygons are the same, so `version` stays; numbers of ways mean something else.
    uint64_t link_version;
    uint32_t num_faces, num_edges, num_ways, num_vertices, num_regions, num_crossings;
    const ct_navigation_face *faces;
    const ct_navigation_way *ways;
    const uint16_t *edges; // vertex at which each edge starts
    const ct_vec3 *vertices;
    const ct_navigation_region *regions;
    const ct_navigation_crossing *crossings;
    // Between the middles of crossings of one region, `num_crossings` of it squared: metres of a string inside
    // of the tile.
    const float *crossing_lengths;
    const uint32_t *first_length; // by region
    const ct_navigation_tile_resource *resource;
} ct_navigation_tile;

// --- The mesh ------------------------------------------------------------------------------------

typedef struct ct_navigation_mesh_desc {
    ct_allocator *allocator;
    const ct_navigation_resource *resource; // borrowed until the mesh is destroyed
    uint32_t number;                        // of its class
    bool has_no_tiles;                      // at first; else all are added
} ct_navigation_mesh_desc;

// Makes a mesh, with the switches that the resource says. Tiles of a few hundred polygons take less than a
// millisecond each.
ct_navigation_mesh *ct_navigation_mesh_create(const ct_navigation_mesh_desc *desc);
// Frees the mesh with its tiles; NULL is fine.
void ct_navigation_mesh_destroy(ct_navigation_mesh *m);

// Adds or removes a tile of the blob by its index in the class. Adding one that is there does nothing.
// Ways to an added tile, and islands, are right after ct_navigation_mesh_update; no way leads to one that
// was removed.
void ct_navigation_mesh_add_tile(ct_navigation_mesh *m, uint32_t tile);
void ct_navigation_mesh_remove_tile(ct_navigation_mesh *m, uint32_t tile);

// Builds tiles again that obstacles touch, in two parts. The first begins up to `max_tiles` of those that
// wait, in the order in which they were touched, with the obstacles as they are now; tasks build them until
// the second part. It ends what was begun before, if the caller did not, and returns how many it began.
// `tasks` is borrowed until the end; NULL: the end builds them itself, and the mesh is the same in both cases.
uint32_t ct_navigation_mesh_begin_update(ct_navigation_mesh *m, ct_task_manager *tasks,
                                         uint32_t max_tiles);
// The second part waits for the tasks and gives the tiles, in order, what they made; then finds ways and
// islands where anything changed. A tile that comes out the same keeps its version. One whose obstacles changed
// since the begin gets what was made, and waits again; one that was removed gets nothing. Returns
// how many tiles wait. Without a begin, only what was added or removed gets its ways and islands.
//
// Between both parts all functions here may be called: the mesh is as it was before. Saving it saves what was
// begun, so a restored mesh goes on in the same way.
uint32_t ct_navigation_mesh_end_update(ct_navigation_mesh *m);

// Both parts at once.
uint32_t ct_navigation_mesh_update(ct_navigation_mesh *m, uint32_t max_tiles);

// Another blob of the same level takes the place: tiles with the same hash stay as they are, with their
// versions. Obstacles stay, switches too, by id. Tiles that are new are added when the mesh had all of the
// old. `resource` is borrowed; the old one is not used any more.
void ct_navigation_mesh_reload(ct_navigation_mesh *m, const ct_navigation_resource *resource);

// Returns the tiles by slot, and how many slots there are (NULL: not wanted). Valid until tiles are added or
// removed; the arrays of a tile until the mesh next changes.
const ct_navigation_tile *ct_navigation_tiles(const ct_navigation_mesh *m, uint32_t *num_slots);
// Return what the mesh was made from: the blob, and its class in it.
const ct_navigation_resource *ct_navigation_mesh_resource(const ct_navigation_mesh *m);
const ct_navigation_class *ct_navigation_mesh_class(const ct_navigation_mesh *m);

// Changes whenever anything does that a query may see.
uint64_t ct_navigation_mesh_version(const ct_navigation_mesh *m);

// Returns a polygon that is live.
static inline const ct_navigation_face *ct_navigation_face_at(const ct_navigation_tile *tiles,
                                                              ct_navigation_place p) {
    return &tiles[ct_navigation_slot_of(p)].faces[ct_navigation_number_of(p)];
}

// Whether a place is a polygon of the mesh now.
bool ct_navigation_is_live(const ct_navigation_mesh *m, ct_navigation_place p);

// --- Places --------------------------------------------------------------------------------------

// What a query may use. Zero is "everything at the areas' own costs": use ct_navigation_filter_of.
typedef struct ct_navigation_filter {
    float costs[CT_NAVIGATION_MAX_AREAS]; // of a metre; infinite: closed
    float least_cost;                     // of those that are not closed
    bool without_links;
} ct_navigation_filter;

// The areas' costs, with those that are closed now.
ct_navigation_filter ct_navigation_filter_of(const ct_navigation_mesh *m);

// Returns the polygon nearest to `point` within `reach` (metres to the sides, and up and down), and the
// point on its surface; 0: there is no polygon. Polygons above and below the point are as far as they are
// farther up or down than the class's climb; among those equally near, the nearest height wins. `filter`
// NULL: closed areas count, too. `on_mesh` may be NULL. Points that are not finite have no polygon.
ct_navigation_place ct_navigation_nearest(const ct_navigation_mesh *m,
                                          const ct_navigation_filter *filter, ct_vec3 point,
                                          ct_vec3 reach, ct_vec3 *on_mesh);

// Whether a polygon is below or above `point`, seen from above.
bool ct_navigation_contains(const ct_navigation_mesh *m, ct_navigation_place p, ct_vec3 point);

// The point of a polygon nearest to `point` from above, at the height of its surface.
ct_vec3 ct_navigation_closest_on(const ct_navigation_mesh *m, ct_navigation_place p, ct_vec3 point);

// The height of the surface of a polygon at a point that it contains.
float ct_navigation_height(const ct_navigation_mesh *m, ct_navigation_place p, ct_vec3 point);

// Whether there may be a path: the same island. In constant time. Links count in both directions, areas
// that filters close are not looked at.
bool ct_navigation_is_connected(const ct_navigation_mesh *m, ct_navigation_place a,
                                ct_navigation_place b);

// --- Changes -------------------------------------------------------------------------------------

typedef struct ct_navigation_obstacle {
    uint32_t id; // 0: none
} ct_navigation_obstacle;

// What an obstacle looks like from above.
typedef enum ct_navigation_shape {
    CT_NAVIGATION_BOX,
    CT_NAVIGATION_CYLINDER,
    CT_NAVIGATION_CONVEX,
    CT_NAVIGATION_SHAPE_COUNT,
} ct_navigation_shape;

enum { CT_NAVIGATION_MAX_OBSTACLE_POINTS = 12 };

// What is in the way. Where it cuts, the radius of the class is added to its sides, and agents below it must
// have room for their height.
typedef struct ct_navigation_obstacle_desc {
    uint32_t shape;    // ct_navigation_shape
    ct_vec3 position;  // middle of its bottom
    float angle;       // around z; not of a cylinder
    ct_vec2 half_size; // of a box; of a cylinder, x is the radius
    float height;
    // Of a convex one: relative to the position, counter-clockwise, turned by the angle.
    ct_vec2 points[CT_NAVIGATION_MAX_OBSTACLE_POINTS];
    uint32_t num_points;
    int32_t area; // -1: cuts a hole; else paints, and the highest number wins
} ct_navigation_obstacle_desc;

// Adds, moves and removes obstacles: their tiles wait for ct_navigation_mesh_update. Numbers that are not
// finite, and points that are not convex, give `error` and {0} or false.
ct_navigation_obstacle ct_navigation_add_obstacle(ct_navigation_mesh *m,
                                                  const ct_navigation_obstacle_desc *desc,
                                                  ct_error *error);
bool ct_navigation_move_obstacle(ct_navigation_mesh *m, ct_navigation_obstacle o, ct_vec3 position,
                                 float angle, ct_error *error);
void ct_navigation_remove_obstacle(ct_navigation_mesh *m, ct_navigation_obstacle o);
bool ct_navigation_obstacle_is_live(const ct_navigation_mesh *m, ct_navigation_obstacle o);

// How many obstacles there are, and how many tiles wait for an update.
uint32_t ct_navigation_mesh_num_obstacles(const ct_navigation_mesh *m);
uint32_t ct_navigation_mesh_num_waiting(const ct_navigation_mesh *m);

// Switch at once. `cost` 0: the area's own. Areas and links by number in the resource. A closed link has
// no ways. Tiles keep their versions: what follows a path over a link asks whether it is closed.
void ct_navigation_set_area(ct_navigation_mesh *m, uint32_t area, bool is_closed, float cost);
void ct_navigation_set_link(ct_navigation_mesh *m, uint32_t link, bool is_closed);

// Return whether they are closed now.
bool ct_navigation_area_is_closed(const ct_navigation_mesh *m, uint32_t area);
bool ct_navigation_link_is_closed(const ct_navigation_mesh *m, uint32_t link);

// One polygon, as the yardstick's NavigationMesh.set_obstructed. Kept until its tile changes. An obstructed
// polygon has no ways, and no point is nearest to it. Its tile gets a new version, at once; places in it
// keep their meaning.
void ct_navigation_set_obstructed(ct_navigation_mesh *m, ct_navigation_place p, bool is_obstructed);
bool ct_navigation_is_obstructed(const ct_navigation_mesh *m, ct_navigation_place p);

// A polygon whose cost is multiplied, by 1 or more, as agents crowd there.
typedef struct ct_navigation_crowded {
    ct_navigation_place place;
    float factor;
} ct_navigation_crowded;

// Replaces what is crowded: sorted by place; copied. Searches see it, versions do not. Agents call this
// (navigation_agents.h).
void ct_navigation_set_crowded(ct_navigation_mesh *m, const ct_navigation_crowded *crowded,
                               uint32_t count);
// The factor of a polygon; 1 when it is not crowded.
float ct_navigation_crowding(const ct_navigation_mesh *m, ct_navigation_place place);
// A hash of what is crowded; 0: nothing.
uint64_t ct_navigation_crowd_hash(const ct_navigation_mesh *m);

// --- What a mesh has -----------------------------------------------------------------------------

// Returns the cost of a metre of an area, also while it is closed.
float ct_navigation_area_cost(const ct_navigation_mesh *m, uint32_t area);

// Sets the polygons at the ends of a link, by number in the resource, whether it is closed or not. Returns
// false when it touches no polygon at an end, or is not for this class.
bool ct_navigation_link_ends(const ct_navigation_mesh *m, uint32_t link, ct_navigation_place *from,
                             ct_navigation_place *to);

// Writes up to `max` live obstacles (NULL: none); returns how many there are.
uint32_t ct_navigation_obstacles(const ct_navigation_mesh *m, ct_navigation_obstacle *obstacles,
                                 uint32_t max);
// Returns what an obstacle looks like, until it next changes; NULL: it is not live.
const ct_navigation_obstacle_desc *ct_navigation_obstacle_of(const ct_navigation_mesh *m,
                                                             ct_navigation_obstacle o);

// --- State ---------------------------------------------------------------------------------------

// Obstacles, switches, what is crowded, and which tiles there are. Saving writes to `bytes` (NULL: only counts) and returns
// the number of bytes; restoring refuses what is of another version, level or class, or damaged, and changes
// nothing then. Slots and versions come back, too, so places in saved paths keep their meaning; so do tiles
// that waited. Tiles whose blob is another one since get new versions.
uint64_t ct_navigation_mesh_save(const ct_navigation_mesh *m, void *bytes);
bool ct_navigation_mesh_restore(ct_navigation_mesh *m, const void *bytes, uint64_t num_bytes,
                                ct_error *error);
