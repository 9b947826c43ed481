#include <string.h>

#include "script/behaviour/script_behaviour.h"
#include "script/script_private.h"
#include "script/threads/script_threads.h"

// Scripts that are saved while the game runs.

static void script_changed(void *user, ct_string_id64 name, const void *old_blob,
                           const void *new_blob) {
    (void)old_blob, (void)new_blob;
    ct_script *const s = user;
    if (s->lua.call_depth > 0)
        return; // the resource manager swaps between frames only
    s->has_changes = true;
    ct_script_threads_note_changed(s, name);
    const char *const script = ct_lua_known_script(&s->lua, name);
    if (!s->has_boot_failed || (script && strcmp(script, s->boot_name) != 0))
        ct_lua_note_changed(&s->lua, name, ct_behaviours_have(s, name));
}

// A script that could not be loaded before may be what others failed for.
static void script_came(void *user, ct_string_id64 name, const void *blob) {
    (void)name, (void)blob;
    ct_script *const s = user;
    s->has_news |= s->lua.call_depth == 0;
}

// Runs what changed together, when all of it is there.
static void scripts_settled(void *user) {
    ct_script *const s = user;
    if (s->lua.call_depth > 0 || !(s->has_changes || s->has_news))
        return;
    const bool has_changes = s->has_changes;
    if (has_changes)
        ct_lua_forget_errors(&s->lua);
    s->has_changes = s->has_news = false;
    ct_behaviours_retry(s);
    ct_string_array ran;
    ct_array_init(&ran, s->lua.allocator);
    ct_lua_run_changed(&s->lua, &ran);
    for (uint32_t i = 0; i < ran.count; ++i)
        ct_behaviours_reload(s, ct_string_id64_of(ran.items[i]));
    ct_array_free(&ran);
    // What was mended may be a module that the boot script requires.
    if (s->has_boot_failed)
        ct_script_run_boot(s);
    else if (s->is_init_due && has_changes)
        ct_script_init(s);
}

void ct_script_register_reloads(ct_script *s) {
    const ct_resource_callbacks callbacks = {
        .user = s, .online = script_came, .reload = script_changed, .settled = scripts_settled};
    ct_resource_manager_register(s->lua.resources, "lua", &callbacks);
}
