// app_plugin_check.h: checks of what plugins pass to the interfaces of the game.
#pragma once
#include "app/plugin/app_interfaces.h"
#include "world/world.h"

_Static_assert(sizeof(cuttle_entity) == sizeof(ct_entity), "arrays of them are the same");
_Static_assert(sizeof(cuttle_vector3) == sizeof(ct_vec3) &&
                   _Alignof(cuttle_vector3) == _Alignof(ct_vec3),
               "arrays of them are the same");

// Logs that a plugin called `function` ("poses.link") with something wrong, as the error
// "plugin_bad_argument". Always returns false.
bool ct_app_bad_argument(const ct_plugin *self, const char *function, const char *format, ...)
    CT_PRINTF(3, 4);

// Returns the worlds of the plugin's game.
ct_world_system *ct_app_worlds_of(const ct_plugin *self);

// Returns a world that lives; NULL, and logs it, for another address.
ct_world *ct_app_check_world(const ct_plugin *self, const cuttle_world *world,
                             const char *function);

// Returns the world of an entity that lives in one; NULL for others.
static inline ct_world *ct_app_world_of(const ct_plugin *self, cuttle_entity e) {
    const ct_entity own = {e.id};
    return ct_entity_is_well_formed(own) ? ct_world_of(ct_app_worlds_of(self), own) : NULL;
}

// Returns whether the plugin may spawn in a world now; false with `error` that says why not.
bool ct_app_may_spawn(const ct_plugin *self, const ct_world *world, ct_error *error);

// Arrays of plugins as the engine has them.
static inline const ct_entity *ct_app_entities(const cuttle_entity *entities) {
    return (const ct_entity *)(const void *)entities;
}
