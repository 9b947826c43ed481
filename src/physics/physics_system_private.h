// physics_system_private.h: shared by physics_system.c and physics_shapes.c.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "physics/physics_system.h"

// A shape that worlds share. It is found by a hash of what it was made from.
struct ct_physics_shape {
    ct_bullet_shape *shape;
    ct_bullet_triangles *triangles; // of its meshes; borrowed by `shape`, as `heights` are
    ct_bullet_heights *heights;
    ct_actor_shape_data *parts; // what it was made from
    uint32_t num_parts, num_triangles, num_heights;
    ct_vec3 scale;
    bool is_dynamic;
    bool is_stale; // a resource has changed: nobody else gets it
    uint32_t num_users;
    uint64_t key;
    ct_physics_shape *next; // with the same key
};

struct ct_physics_system {
    ct_allocator *backing;
    ct_allocator *allocator; // proxy
    ct_resource_manager *resources;
    ct_physics_resource *defaults; // in use while `name` is not loaded
    ct_string_id64 name;
    ct_hash_map shapes; // by key: addresses of the first shape
    CT_ARRAY(ct_physics_watcher) watchers;
    ct_string_id64
        leaving; // a mesh or height field that goes offline right now, and still has data
    bool has_new_physics, has_new_shapes; // watchers will be called
};

// Marks the shapes made from this resource, so that nobody else gets them. Returns whether there are
// any.
bool ct_physics_shapes_forget(ct_physics_system *s, ct_string_id64 resource);
