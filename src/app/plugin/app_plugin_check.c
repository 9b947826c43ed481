#include "app/plugin/app_plugin_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "app/app_private.h"
#include "foundation/log.h"

bool ct_app_bad_argument(const ct_plugin *self, const char *function, const char *format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    ct_log_error("plugin", "plugin_bad_argument", "%s called %s: %s", ct_plugin_name(self),
                 function, text);
    return false;
}

ct_world_system *ct_app_worlds_of(const ct_plugin *self) {
    return ct_app_of_plugin(self)->worlds;
}

ct_world *ct_app_check_world(const ct_plugin *self, const cuttle_world *world,
                             const char *function) {
    const ct_world_system *const s = ct_app_worlds_of(self);
    for (uint32_t i = 0; s && i < ct_world_system_num_worlds(s); ++i) {
        ct_world *const w = ct_world_system_world(s, i);
        if ((const void *)w == (const void *)world)
            return w;
    }
    ct_app_bad_argument(self, function, world ? "the world has ended" : "the world is NULL");
    return NULL;
}

bool ct_app_may_spawn(const ct_plugin *self, const ct_world *world, ct_error *error) {
    if (ct_world_is_ending(world))
        return ct_error_set(error, "the world is about to end");
    return ct_app_of_plugin(self)->num_spawn_locks == 0 ||
           ct_error_set(error, "not from here: steps of \"pose\" and \"send\", world_ended and "
                               "units_destroyed change no entities");
}
