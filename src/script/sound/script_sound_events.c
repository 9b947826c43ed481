#include "script/sound/script_sound_events.h"

#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "foundation/profiler/profiler.h"
#include "script/behaviour/script_behaviour.h"

// Calls the behaviours of the entity, unless an earlier function has destroyed it.
static void send(lua_State *L, ct_behaviours *b, const ct_sound_link_event *event) {
    if (!ct_behaviour_first(b, event->entity))
        return;
    const bool is_marker = event->marker.value != 0;
    const int first = lua_gettop(L) + 1;
    lua_pushnumber(L, event->instance.value);
    if (is_marker)
        ct_push_id32(L, event->marker);
    ct_behaviours_dispatch_to(L, b, is_marker ? "sound_marker" : "sound_ended", event->entity,
                              first, is_marker ? 2 : 1);
    lua_settop(L, first - 1);
}

void ct_script_send_sound_events(lua_State *L, ct_world *world) {
    const ct_sound_source_components *const m = ct_world_sound_sources(world);
    uint32_t count = 0;
    const ct_sound_link_event *const events =
        m ? ct_sound_links_events(ct_sound_source_components_links(m), &count) : NULL;
    if (!count)
        return;
    CT_PROFILER_SCOPE("sound_events");
    ct_behaviours *const b = ct_behaviours_of(L, world);
    if (!ct_behaviour_count(b))
        return;
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    // Functions of behaviours may do anything.
    ct_sound_link_event *const copies = ct_alloc(temp, sizeof(*copies) * (uint64_t)count);
    memcpy(copies, events, sizeof(*copies) * (size_t)count);
    luaL_checkstack(L, 8, NULL);
    for (uint32_t i = 0; i < count; ++i)
        send(L, b, &copies[i]);
}
