// navigation_path.h: paths over a mesh, at once or spread over steps of the world.
//
// A search has three parts. Crossings of tiles and the lengths between them, which tiles keep, give how
// far it is to the goal; with that as its estimate, A* over polygons looks at little beside the way.
// The funnel then pulls a string through the polygons. Islands answer at once where there is no path.
//
// A query is a struct in an array, which ct_navigation_paths_update advances by a number of polygons a
// step, in the order in which queries were added; tasks advance several at a time. What is searched
// never depends on time or on the number of threads: only on the budget. Nodes of a search lie in a pool
// of the search, found by hashing the polygon, so any number of searches share a mesh.
#pragma once
#include "foundation/task/task.h"
#include "navigation/navigation_mesh.h"

enum {
    CT_NAVIGATION_MAX_CORRIDOR = 8192, // polygons of a path
    CT_NAVIGATION_MAX_CORNERS = 2048,
};

// A point where a path turns, or a link begins or ends.
typedef struct ct_navigation_corner {
    ct_vec3 position;
    ct_navigation_place polygon;
    uint32_t link; // that begins here, as in ct_navigation_way; 0: none
} ct_navigation_corner;

typedef enum ct_navigation_status {
    CT_NAVIGATION_WAITING,
    CT_NAVIGATION_FOUND,
    CT_NAVIGATION_PARTIAL,     // to the polygon nearest to the goal that was reached
    CT_NAVIGATION_UNREACHABLE, // there is no path
    CT_NAVIGATION_OFF_MESH,    // the start or the goal is on no polygon
    CT_NAVIGATION_OVER, // the deadline or the most polygons were passed; partial was not asked
    CT_NAVIGATION_STATUS_COUNT,
} ct_navigation_status;

typedef struct ct_navigation_path_desc {
    ct_vec3 from, to;
    ct_vec3 reach; // for the polygons of the ends; 0: radius, radius, height of the class
    const ct_navigation_filter *filter; // copied; NULL: ct_navigation_filter_of
    float corner_radius;   // metres that corners keep from walls, more than the class's radius; 0
    uint32_t max_polygons; // looked at; 0: all
    uint32_t deadline;     // updates after which it answers what it has; 0: none
    bool allows_partial;
    uint32_t user; // for the caller
} ct_navigation_path_desc;

// Owned by the code that made it. Arrays of the allocator.
typedef struct ct_navigation_path {
    ct_navigation_status status;
    float length; // metres along the corners
    float cost;
    uint32_t num_corners, num_polygons, num_looked_at;
    ct_navigation_corner *corners; // from the start to the goal, both on the mesh
    ct_navigation_place *polygons; // corridor
    uint64_t version;              // of the mesh, when it was found
} ct_navigation_path;

// --- At once -------------------------------------------------------------------------------------

// Memory of searches, one thread at a time; grows to what the largest needed.
typedef struct ct_navigation_search ct_navigation_search;
ct_navigation_search *ct_navigation_search_create(ct_allocator *a);
void ct_navigation_search_destroy(ct_navigation_search *s); // NULL is fine

// Fills `path`, whose arrays belong to the search until its next use.
void ct_navigation_find_path(ct_navigation_search *s, const ct_navigation_mesh *m,
                             const ct_navigation_path_desc *desc, ct_navigation_path *path);

// The corners of a corridor whose first polygon has `from` and whose last has `to`. Returns their number,
// at most `max`; the last is `to` only when all fit.
uint32_t ct_navigation_funnel(const ct_navigation_mesh *m, const ct_navigation_place *polygons,
                              uint32_t count, ct_vec3 from, ct_vec3 to, float corner_radius,
                              ct_navigation_corner *corners, uint32_t max);

// Walks straight from a point of `start` towards `to`, over polygons that the filter allows. Returns
// whether it got there; sets where it ended, on the mesh, and the normal of the wall (0: none).
bool ct_navigation_ray(const ct_navigation_mesh *m, const ct_navigation_filter *filter,
                       ct_navigation_place start, ct_vec3 from, ct_vec3 to,
                       ct_navigation_place *end, ct_vec3 *at, ct_vec3 *normal);

// Moves a point over the mesh towards `to`, sliding along walls, through at most 48 polygons.
ct_navigation_place ct_navigation_slide(const ct_navigation_mesh *m,
                                        const ct_navigation_filter *filter,
                                        ct_navigation_place start, ct_vec3 from, ct_vec3 to,
                                        ct_vec3 *at);

// A random point, even over the area of the polygons within `radius` metres of walking from `from`
// (0: of the whole island). `random` is the state of a stream (foundation/random). 0: no polygon.
ct_navigation_place ct_navigation_random(ct_navigation_search *s, const ct_navigation_mesh *m,
                                         const ct_navigation_filter *filter,
                                         ct_navigation_place start, ct_vec3 from, float radius,
                                         uint64_t *random, ct_vec3 *at);

// --- Over steps ----------------------------------------------------------------------------------

typedef struct ct_navigation_paths ct_navigation_paths;

typedef struct ct_navigation_query {
    uint32_t id; // 0: none. Ids are used again once a query was taken
} ct_navigation_query;

typedef struct ct_navigation_paths_desc {
    ct_allocator *allocator;
    const ct_navigation_mesh *mesh;
    ct_task_manager *tasks; // or NULL
    uint32_t budget;        // polygons looked at in an update, of all queries; 0: 20,000
} ct_navigation_paths_desc;

// Makes an empty array of queries. The mesh and the tasks are borrowed; the allocator is used in tasks.
ct_navigation_paths *ct_navigation_paths_create(const ct_navigation_paths_desc *desc);
// Frees all queries and answers; NULL is fine.
void ct_navigation_paths_destroy(ct_navigation_paths *p);
// Sets the polygons of an update, at least 32; 0: 20,000.
void ct_navigation_paths_set_budget(ct_navigation_paths *p, uint32_t budget);

// Adds a query, which is answered in an update. Points that are not finite are off the mesh.
ct_navigation_query ct_navigation_paths_add(ct_navigation_paths *p,
                                            const ct_navigation_path_desc *desc);
// Ends a query, answered or not. One that is over is fine.
void ct_navigation_paths_cancel(ct_navigation_paths *p, ct_navigation_query q);

// Advances the queries. One that has looked at a tile that changed starts over; so does one without a filter of
// its own when areas were switched. The second time, one that allows partial answers starts over for 256
// polygons at most; others, and at a third time all, answer CT_NAVIGATION_OVER. When what is crowded changes, it
// starts over, too; after the second time it ignores crowds. Runs after ct_navigation_mesh_end_update, and
// waits for its tasks.
void ct_navigation_paths_update(ct_navigation_paths *p);

// Queries that were answered and not yet taken, in the order in which they were added.
uint32_t ct_navigation_paths_answered(const ct_navigation_paths *p, ct_navigation_query *queries,
                                      uint32_t max);
// The answer; valid until it is taken. Its status is WAITING until the query is answered.
const ct_navigation_path *ct_navigation_paths_answer(const ct_navigation_paths *p,
                                                     ct_navigation_query q, uint32_t *user);
void ct_navigation_paths_take(ct_navigation_paths *p, ct_navigation_query q); // ends it
uint32_t ct_navigation_paths_count(const ct_navigation_paths *p);

// Waiting queries, and answers that were not taken. Restoring needs a mesh that was restored, and looks again at
// what searches had looked at: they answer in the same updates as without saving.
uint64_t ct_navigation_paths_save(const ct_navigation_paths *p, void *bytes);
bool ct_navigation_paths_restore(ct_navigation_paths *p, const void *bytes, uint64_t num_bytes,
                                 ct_error *error);

// --- Fields --------------------------------------------------------------------------------------

// Distances from all polygons to the nearest of some goals: one field serves any number of agents.
typedef struct ct_navigation_field {
    uint64_t version;          // of the mesh
    uint32_t num_places;       // of the arrays, by first[slot] + number
    uint32_t *first;           // by slot; num_slots + 1
    float *distances;          // from `points`: metres by cost; infinite: unreachable
    ct_vec3 *points;           // where the way to `next` is left, or the goal
    ct_navigation_place *next; // towards the goal; 0: is one, or unreachable
    uint32_t num_slots;
} ct_navigation_field;

// Computes a field (again). Arrays grow with the allocator of the search.
void ct_navigation_field_compute(ct_navigation_search *s, const ct_navigation_mesh *m,
                                 const ct_navigation_filter *filter, const ct_vec3 *goals,
                                 uint32_t num_goals, ct_vec3 reach, ct_navigation_field *field);
void ct_navigation_field_free(ct_navigation_search *s, ct_navigation_field *field);
// The distance from a point of a polygon, and the point to walk to. Infinite: unreachable, or of
// another version of the mesh.
float ct_navigation_field_at(const ct_navigation_mesh *m, const ct_navigation_field *field,
                             ct_navigation_place p, ct_vec3 from, ct_vec3 *towards);
