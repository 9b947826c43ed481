#include <string.h>

#include "script/behaviour/script_behaviour.h"
#include "script/script_private.h"

// Scripts that are saved while the game runs.

static void script_changed(void *user, ct_string_id64 name, const void *old_blob,
                           const void *new_blob) {
    (void)old_blob;
    ct_script *const s = user;
    if (s->lua.call_depth > 0)
        return; // the resource manager swaps between frames only
    ct_lua_forget_errors(&s->lua);
    const char *const script = ct_lua_known_script(&s->lua, name);
    if (s->has_boot_failed) {
        // What was mended may be a module that the boot script requires.
        if (script && strcmp(script, s->boot_name) != 0)
            ct_lua_run_changed(&s->lua, script, new_blob, false);
        ct_script_run_boot(s);
        return;
    }
    if (!script || !ct_lua_run_changed(&s->lua, script, new_blob, ct_behaviours_have(s, name)))
        return;
    ct_behaviours_reload(s, name);
    if (s->is_init_due)
        ct_script_init(s);
}

// A script that could not be loaded before may be what the boot script failed for.
static void script_came(void *user, ct_string_id64 name, const void *blob) {
    (void)name, (void)blob;
    ct_script *const s = user;
    if (s->lua.call_depth == 0)
        ct_behaviours_retry(s);
    if (s->has_boot_failed && s->lua.call_depth == 0)
        ct_script_run_boot(s);
}

void ct_script_register_reloads(ct_script *s) {
    const ct_resource_callbacks callbacks = {
        .user = s, .online = script_came, .reload = script_changed};
    ct_resource_manager_register(s->lua.resources, "lua", &callbacks);
}
