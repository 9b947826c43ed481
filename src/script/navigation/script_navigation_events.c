// Events of agents: to behaviours.
#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "foundation/profiler/profiler.h"
#include "script/behaviour/script_behaviour.h"
#include "script/navigation/script_navigation.h"

static const char *const names[CT_NAVIGATION_EVENT_COUNT] = {
    [CT_NAVIGATION_EVENT_ARRIVED] = "navigation_arrived",
    [CT_NAVIGATION_EVENT_FAILED] = "navigation_failed",
    [CT_NAVIGATION_EVENT_LINK] = "navigation_link",
    [CT_NAVIGATION_EVENT_STUCK] = "navigation_stuck",
};

// Pushes the kind of a link, where the agent starts it and where it leads. Returns how many values; 0
// when the link is gone.
static uint32_t push_link(lua_State *L, const ct_world *world, const ct_navigation_agent_event *e) {
    const char *kind;
    ct_vec3 from, to;
    if (!ct_navigation_agent_event_link(ct_world_navigation_agents(world), e, &kind, &from, &to))
        return 0;
    lua_pushstring(L, kind);
    ct_push_vector3(L, from);
    ct_push_vector3(L, to);
    return 3;
}

// Calls the behaviours of the entity, unless an earlier function has destroyed it.
static void send(lua_State *L, ct_world *world, ct_behaviours *b,
                 const ct_navigation_agent_event *e) {
    if (!ct_behaviour_first(b, e->entity))
        return;
    const int first = lua_gettop(L) + 1;
    const bool is_link = e->type == CT_NAVIGATION_EVENT_LINK;
    const uint32_t num_arguments = is_link ? push_link(L, world, e) : 0;
    if (num_arguments || !is_link)
        ct_behaviours_dispatch_to(L, b, names[e->type], e->entity, first, num_arguments);
    lua_settop(L, first - 1);
}

void ct_script_send_navigation_events(lua_State *L, ct_world *world) {
    uint32_t count = 0;
    const ct_navigation_agent_event *const events =
        ct_navigation_agent_take_events(ct_world_navigation_agents(world), &count);
    if (!count)
        return;
    CT_PROFILER_SCOPE("navigation_events");
    ct_behaviours *const b = ct_behaviours_of(L, world);
    if (!ct_behaviour_count(b))
        return;
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    // Functions of behaviours may do anything.
    ct_navigation_agent_event *const copies = ct_alloc(temp, sizeof(*copies) * (uint64_t)count);
    memcpy(copies, events, sizeof(*copies) * (size_t)count);
    luaL_checkstack(L, 8, NULL);
    for (uint32_t i = 0; i < count; ++i)
        send(L, world, b, &copies[i]);
}
