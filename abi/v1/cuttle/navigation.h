// navigation.h: the interface "navigation": paths and places on the navigation meshes of a world.
//
// A mesh is that of a class of agents ("human") of a .navigation; which of several meshes of a class counts
// is decided by the first point: the first that has a polygon there. Points are in the world, in metres; one
// is on a mesh when it is within the class's radius to the sides, and its height up and down.
//
// What is wrong (a world that has ended, numbers that are not finite) is logged as the error
// "plugin_bad_argument", and counts as off the mesh. A class without a mesh now is off the mesh, too.
#ifndef CUTTLE_NAVIGATION_H
#define CUTTLE_NAVIGATION_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_NAVIGATION_API "navigation"

// What became of a search.
typedef enum cuttle_path_status {
    CUTTLE_PATH_FOUND,
    CUTTLE_PATH_PARTIAL,     // to the place nearest to the goal that was reached
    CUTTLE_PATH_UNREACHABLE, // there is no path
    CUTTLE_PATH_OFF_MESH,    // the start or the goal is not on the mesh
    CUTTLE_PATH_OVER,        // `most_polygons` were looked at; a part was not allowed
} cuttle_path_status;

// What to look for.
typedef struct cuttle_path_desc {
    const char *agents; // the class; NULL: the first of each .navigation
    cuttle_vector3 from, to;
    uint32_t most_polygons; // that are looked at; 0: 4,096
    bool allows_partial;
} cuttle_path_desc;

// What was found.
typedef struct cuttle_path {
    uint32_t status;     // cuttle_path_status
    uint32_t num_points; // that the path has, also when fewer were asked for
    float length;        // metres
} cuttle_path;

// Update thread.
typedef struct cuttle_navigation_api_1 {
    // Looks for a path at once. Writes up to `most` of the points where it turns, from the start to the goal,
    // both on the mesh; links (ladders, jumps) are straight from point to point. Returns true when a path, or
    // an allowed part, was found; sets `path` in any case. Costs time for each polygon that it looks at.
    bool (*find_path)(cuttle_plugin *self, cuttle_world *world, const cuttle_path_desc *desc,
                      cuttle_vector3 *points, uint32_t most, cuttle_path *path);
    // Sets `at` to the point of the mesh nearest to `point` within `reach` metres (0: the class's radius, and
    // its height up and down; up to 10,000). Returns false when the mesh has no such point.
    bool (*nearest)(cuttle_plugin *self, cuttle_world *world, const char *agents,
                    cuttle_vector3 point, float reach, cuttle_vector3 *at);
    // Walks straight on the mesh. Returns whether it gets there; sets `at` (may be NULL) to where it ends, and
    // `normal` (may be NULL) to that of the wall, 0 without one. Off the mesh it leaves both.
    bool (*ray)(cuttle_plugin *self, cuttle_world *world, const char *agents, cuttle_vector3 from,
                cuttle_vector3 to, cuttle_vector3 *at, cuttle_vector3 *normal);
    // Sets `at` to a random point, even over the area of the polygons that begin within `radius` metres of
    // walking from a point (0: of all that can be reached from it; up to 1e6), so it may lie somewhat
    // farther. `random` is a state of the plugin: any number at first; the same one gives the same points.
    // Returns false when `from` is not on the mesh.
    bool (*random_point)(cuttle_plugin *self, cuttle_world *world, const char *agents,
                         cuttle_vector3 from, float radius, uint64_t *random, cuttle_vector3 *at);
} cuttle_navigation_api_1;

#ifdef __cplusplus
}
#endif
#endif
