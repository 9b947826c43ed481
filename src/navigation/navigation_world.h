// navigation_world.h: the navigation meshes of a world, each with its queries and agents.
//
// An instance is the mesh of one class of a `.navigation` resource, placed in a world: where a level is. Its
// pose may be turned around z and moved, no more: on it, z is up as in the world. Functions here take and
// return points in the space of the world; those of the mesh, paths and agents that an instance gives are in
// its own space (ct_navigation_to_mesh, ct_navigation_to_world).
//
// A step updates all instances in the order in which they were added: it takes the tiles that tasks have built
// again since the last step, then come queries, then agents. Then it begins tasks for tiles that obstacles have
// changed. What a step may do is counted in tiles and polygons, so it is the same on each machine.
//
// Agents of different instances avoid each other, too.
//
// One thread calls these functions. Resources are borrowed as long as an instance uses them.
#pragma once
#include "entity/transform_component.h"
#include "navigation/navigation_agents.h"

typedef struct ct_navigation_world ct_navigation_world;

// A mesh in a world; {0}: none. Stale once it was removed.
typedef struct ct_navigation_instance {
    uint32_t id;
} ct_navigation_instance;

// What a step may do, of all instances together.
typedef struct ct_navigation_settings {
    uint32_t path_polygons; // looked at by queries; 0: 20,000
    uint32_t tiles;         // built again as obstacles changed; 0: 2
} ct_navigation_settings;

typedef struct ct_navigation_world_desc {
    ct_allocator *allocator;
    ct_task_manager *tasks; // or NULL
    ct_navigation_settings settings;
} ct_navigation_world_desc;

// Makes a world without instances. Tasks are borrowed.
ct_navigation_world *ct_navigation_world_create(const ct_navigation_world_desc *desc);
// Frees it with all instances; NULL is fine.
void ct_navigation_world_destroy(ct_navigation_world *w);
// Sets what later steps may do.
void ct_navigation_world_set_settings(ct_navigation_world *w, ct_navigation_settings settings);

typedef struct ct_navigation_instance_desc {
    const ct_navigation_resource *resource;
    ct_string_id64 name;   // of the resource, for reload
    uint32_t class_number; // in the resource
    ct_mat4 pose;          // of the mesh in the world
    uint64_t user;         // for the caller: the level
} ct_navigation_instance_desc;

// Adds a mesh with all its tiles. A pose that is scaled or tilted, and one more than 4,095 instances, give
// `error` and {0}.
ct_navigation_instance ct_navigation_world_add(ct_navigation_world *w,
                                               const ct_navigation_instance_desc *desc,
                                               ct_error *error);
// Removes a mesh with its queries and agents; a stale one is left out.
void ct_navigation_world_remove(ct_navigation_world *w, ct_navigation_instance i);
bool ct_navigation_world_has(const ct_navigation_world *w, ct_navigation_instance i);

// The blob of a resource was replaced: all instances of it take the new one, and their agents go on. A class
// that it does not have any more has no tiles and no agents from then on, and ct_navigation_world_find does not
// find it. `resource` NULL: it went, and so do its instances.
void ct_navigation_world_reload(ct_navigation_world *w, ct_string_id64 name,
                                const ct_navigation_resource *resource);

// Changes whenever instances come, go, are restored, or lose or regain their class: then agents may be gone.
uint32_t ct_navigation_world_changes(const ct_navigation_world *w);

// All instances, in the order in which they were added. Valid until one is added or removed.
const ct_navigation_instance *ct_navigation_world_instances(const ct_navigation_world *w,
                                                            uint32_t *count);

// Returns the first instance of a class with a polygon within the class's height and twice its radius of a
// point of the world; else the first of the class; {0}: no instance has that class. `class_name` {0} is the
// first class of each resource.
ct_navigation_instance ct_navigation_world_find(const ct_navigation_world *w,
                                                ct_string_id32 class_name, ct_vec3 point);

// An instance's parts. It must not be stale.
typedef struct ct_navigation_parts {
    ct_navigation_mesh *mesh;
    ct_navigation_paths *paths;
    ct_navigation_agents *agents;
    ct_navigation_search *search; // for searches at once, on the update thread
    ct_string_id64 name;
    ct_string_id32 class_name;
    uint64_t user;
} ct_navigation_parts;
ct_navigation_parts ct_navigation_world_parts(const ct_navigation_world *w,
                                              ct_navigation_instance i);

// Where the mesh of an instance is.
ct_mat4 ct_navigation_world_pose(const ct_navigation_world *w, ct_navigation_instance i);
ct_vec3 ct_navigation_to_mesh(const ct_navigation_world *w, ct_navigation_instance i,
                              ct_vec3 point);
ct_vec3 ct_navigation_to_world(const ct_navigation_world *w, ct_navigation_instance i,
                               ct_vec3 point);
// The same for directions and velocities, which are only turned.
ct_vec3 ct_navigation_turn_to_mesh(const ct_navigation_world *w, ct_navigation_instance i,
                                   ct_vec3 direction);
ct_vec3 ct_navigation_turn_to_world(const ct_navigation_world *w, ct_navigation_instance i,
                                    ct_vec3 direction);

// A step of `dt` seconds.
void ct_navigation_world_step(ct_navigation_world *w, double dt);

// What the last step did, for the profiler and for drawing.
typedef struct ct_navigation_counts {
    uint32_t instances, tiles, polygons, obstacles, waiting_tiles;
    uint32_t queries, agents;
} ct_navigation_counts;
ct_navigation_counts ct_navigation_world_counts(const ct_navigation_world *w);

// All meshes, queries and agents. Saving writes to `bytes` (NULL: only counts) and returns the number of bytes.
// Restoring needs the same instances, by name and class in order; what differs or is damaged gives `error` and
// false, and changes nothing.
uint64_t ct_navigation_world_save(const ct_navigation_world *w, void *bytes);
bool ct_navigation_world_restore(ct_navigation_world *w, const void *bytes, uint64_t num_bytes,
                                 ct_error *error);
