#include "app/plugin/app_system_check.h"

#include <math.h>
#include <string.h>

#include "app/app_private.h"

ct_world *ct_app_find_world(const ct_plugin *self, const cuttle_world *world) {
    const ct_world_system *const s = ct_app_worlds_of(self);
    for (uint32_t i = 0; s && i < ct_world_system_num_worlds(s); ++i) {
        ct_world *const w = ct_world_system_world(s, i);
        if ((const void *)w == (const void *)world)
            return w;
    }
    return NULL;
}

ct_mat4 ct_app_mat4(const cuttle_matrix4 *m) {
    ct_mat4 own;
    memcpy(&own, m->m, sizeof(m->m));
    return own;
}

bool ct_app_is_within(cuttle_vector3 v, double most) {
    return fabs((double)v.x) <= most && fabs((double)v.y) <= most && fabs((double)v.z) <= most;
}

bool ct_app_may_change(const ct_plugin *self, const char *function) {
    return !ct_plugin_is_staging(self) ||
           ct_app_bad_argument(self, function,
                               "not in init, which changes nothing; call it from "
                               "start, reloaded, update or later");
}

bool ct_app_may_change_or(const ct_plugin *self, ct_error *error) {
    return !ct_plugin_is_staging(self) ||
           ct_error_set(error, "not in init, which changes nothing; call it from start, reloaded, "
                               "update or later");
}

bool ct_app_unknown_name(const char *what, const char *name, const char *const *names,
                         uint32_t count, ct_error *error) {
    const char *const nearest = ct_nearest_name(name, names, count);
    return ct_error_set(error, "there is no %s \"%.128s\"%s%s%s", what, name,
                        nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                        nearest ? "\"?" : "");
}

const void *ct_app_find_resource(const ct_plugin *self, const char *type, const char *name,
                                 ct_error *error) {
    ct_resource_manager *const m = ct_app_of_plugin(self)->resources;
    char nearest[CT_RESOURCE_NAME_BYTES];
    if (!name) {
        ct_error_set(error, "expected the name of a %s, got NULL", type);
        return NULL;
    }
    const void *const blob = ct_resource_manager_get(m, type, ct_string_id64_of(name));
    if (blob)
        return blob;
    if (ct_resource_manager_can_get(m, type, name))
        ct_error_set(error, "the %s \"%.255s\" is not loaded; expected it in a loaded package",
                     type, name);
    else if (ct_resource_manager_nearest(m, type, name, nearest))
        ct_error_set(error, "there is no %s \"%.255s\"; did you mean \"%.255s\"?", type, name,
                     nearest);
    else
        ct_error_set(error, "there is no %s \"%.255s\"", type, name);
    return NULL;
}
