#include "script/particles/script_particle_events.h"

#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "foundation/profiler/profiler.h"
#include "script/behaviour/script_behaviour.h"

// Calls the behaviours of the entity, unless an earlier function has destroyed it.
static void send(lua_State *L, ct_behaviours *b, const ct_particle_ended *ended) {
    if (!ct_behaviour_first(b, ended->entity))
        return;
    const int first = lua_gettop(L) + 1;
    lua_pushnumber(L, ended->effect.value);
    ct_behaviours_dispatch_to(L, b, "particles_ended", ended->entity, first, 1);
    lua_settop(L, first - 1);
}

void ct_script_send_particle_events(lua_State *L, ct_world *world) {
    const ct_particles_components *const m = ct_world_particles_components(world);
    uint32_t count = 0;
    const ct_particle_ended *const ended =
        m ? ct_particle_links_ended(ct_particles_components_links(m), &count) : NULL;
    if (!count)
        return;
    CT_PROFILER_SCOPE("particle_events");
    ct_behaviours *const b = ct_behaviours_of(L, world);
    if (!ct_behaviour_count(b))
        return;
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    // Functions of behaviours may do anything.
    ct_particle_ended *const copies = ct_alloc(temp, sizeof(*copies) * (uint64_t)count);
    memcpy(copies, ended, sizeof(*copies) * (size_t)count);
    luaL_checkstack(L, 8, NULL);
    for (uint32_t i = 0; i < count; ++i)
        send(L, b, &copies[i]);
}
