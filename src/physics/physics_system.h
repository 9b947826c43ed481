// physics_system.h: what the physics of all worlds shares: the physics resource and shapes.
//
// It watches the resources of types physics, mesh and height_field. Shapes that come from resources
// are made once for each scale and shared. When resources were loaded again, it calls the worlds,
// which give their actors new shapes, materials and filters. Update thread.
#pragma once
#include "physics/bullet/bullet.h"
#include "resource/load/resource_manager.h"
#include "resource/types/height_field_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/physics_resource.h"

typedef struct ct_physics_system ct_physics_system;

// Makes the system and registers it with `resources`, before any of these types is loaded. Both must
// outlive it.
ct_physics_system *ct_physics_system_create(ct_allocator *a, ct_resource_manager *resources);

// Frees the system. All worlds must have ended.
void ct_physics_system_destroy(ct_physics_system *s);

// Sets the physics resource in use, by the setting `physics`. Worlds that exist take it at once.
void ct_physics_system_use(ct_physics_system *s, ct_string_id64 name);

// Returns the physics resource in use; one with the defaults while it is not loaded. Borrowed until
// resources change.
const ct_physics_resource *ct_physics_system_resource(const ct_physics_system *s);

// --- Shapes --------------------------------------------------------------------------------------

// A shared shape with a count of its users.
typedef struct ct_physics_shape ct_physics_shape;

// Returns the shape of these parts with `scale`, made or shared, and counts a user. Equal parts with
// equal scales of equal resources share one. Returns NULL with `error`, which does not name the actor,
// when a resource is not loaded or has no such shape, or a size becomes 0, or `is_dynamic` and there
// is no volume.
ct_physics_shape *ct_physics_shape_take(ct_physics_system *s, const ct_actor_shape_data *parts,
                                        uint32_t count, ct_vec3 scale, bool is_dynamic,
                                        ct_error *error);
void ct_physics_shape_give(ct_physics_system *s, ct_physics_shape *shape); // NULL is fine
ct_bullet_shape *ct_physics_shape_bullet(const ct_physics_shape *shape);

// --- Changes -------------------------------------------------------------------------------------

// A world that is called, on the update thread, when resources changed and all changes are in place.
// `changed_physics`: the physics resource is another; `changed_shapes`: shapes taken before are of
// old data: they stay valid until given back, and the same parts may now give another.
typedef struct ct_physics_watcher {
    void *user;
    void (*changed)(void *user, bool changed_physics, bool changed_shapes);
} ct_physics_watcher;

// Adds a world; copies `watcher`. `user` must live until it is taken out again.
void ct_physics_system_watch(ct_physics_system *s, const ct_physics_watcher *watcher);
void ct_physics_system_unwatch(ct_physics_system *s, const void *user);
