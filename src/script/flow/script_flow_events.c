// Events that graphs send to scripts: behaviours hear them.
#include "script/api_check.h"
#include "script/behaviour/script_behaviour.h"
#include "script/flow/script_flow.h"

typedef struct sent_event {
    ct_world *world;
    ct_level level;
    ct_entity unit;
    const char *name;
} sent_event;

// Calls `flow_event(self, name)` of the behaviours of a unit.
static int send_of_unit(lua_State *L) {
    const sent_event *const e = ct_lua_run_data(L);
    const int first = lua_gettop(L) + 1;
    lua_pushstring(L, e->name);
    ct_behaviours *const b = ct_behaviours_of(L, e->world);
    ct_behaviours_load(L, b);
    ct_behaviours_dispatch_to(L, b, "flow_event", e->unit, first, 1);
    return 0;
}

// Calls `level_event(self, level, name)` of all behaviours of the world.
static int send_of_level(lua_State *L) {
    const sent_event *const e = ct_lua_run_data(L);
    const int first = lua_gettop(L) + 1;
    ct_check_object_room(L, &ct_type_level);
    ct_push_object(L, &ct_type_level, e->world, e->level.id);
    lua_pushstring(L, e->name);
    ct_behaviours *const b = ct_behaviours_of(L, e->world);
    ct_behaviours_load(L, b);
    ct_behaviours_broadcast(L, b, "level_event", first, 2);
    return 0;
}

void ct_script_send_unit_event(void *user, ct_world *w, ct_entity unit, const char *name) {
    ct_script *const s = user;
    sent_event e = {.world = w, .unit = unit, .name = name};
    if (!ct_lua_run(&s->lua, send_of_unit, &e))
        ct_lua_log_error(&s->lua);
}

void ct_script_send_level_event(void *user, ct_world *w, ct_level level, const char *name) {
    ct_script *const s = user;
    sent_event e = {.world = w, .level = level, .name = name};
    if (!ct_lua_run(&s->lua, send_of_level, &e))
        ct_lua_log_error(&s->lua);
}
