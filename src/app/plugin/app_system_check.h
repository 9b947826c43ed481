// app_system_check.h: what the interfaces of plugins to the engine's systems share.
#pragma once
#include "app/plugin/app_plugin_check.h"
#include "foundation/math/math.h"

// Returns a world that lives; NULL for another address, without a word.
ct_world *ct_app_find_world(const ct_plugin *self, const cuttle_world *world);

// Conversions. Matrices of plugins may lie at any address.
static inline ct_vec3 ct_app_vec3(cuttle_vector3 v) {
    return ct_vec3_make(v.x, v.y, v.z);
}
static inline cuttle_vector3 ct_app_vector3(ct_vec3 v) {
    return (cuttle_vector3){v.x, v.y, v.z};
}
static inline ct_quat ct_app_quat(cuttle_quaternion q) {
    return (ct_quat){{q.x, q.y, q.z, q.w}};
}
ct_mat4 ct_app_mat4(const cuttle_matrix4 *m);

// Returns whether the three numbers are from -most to most.
bool ct_app_is_within(cuttle_vector3 v, double most);

// Returns true unless `init` of the plugin runs; else logs it, or sets `error`.
bool ct_app_may_change(const ct_plugin *self, const char *function);
bool ct_app_may_change_or(const ct_plugin *self, ct_error *error);

// Sets `error` to what `format` says of a name, with the nearest of `names`. Always returns false.
bool ct_app_unknown_name(const char *what, const char *name, const char *const *names,
                         uint32_t count, ct_error *error);

// Returns the blob of a loaded resource; NULL with `error` for a name that is NULL or not loaded.
const void *ct_app_find_resource(const ct_plugin *self, const char *type, const char *name,
                                 ct_error *error);
