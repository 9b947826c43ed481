// Touches and triggers: to behaviours, and as a table.
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/profiler/profiler.h"
#include "script/behaviour/script_behaviour.h"
#include "script/physics/api_physics.h"
#include "script/physics/api_physics_world.h"
#include "script/physics/script_physics.h"

#define HIT "cuttle.physics_hit" // in the registry: the table that functions get; false in use

static const char *const names[] = {
    [CT_PHYSICS_TOUCH_BEGIN] = "touch_begin",     [CT_PHYSICS_TOUCH_PERSIST] = "touch_persist",
    [CT_PHYSICS_TOUCH_END] = "touch_end",         [CT_PHYSICS_TRIGGER_ENTER] = "trigger_enter",
    [CT_PHYSICS_TRIGGER_LEAVE] = "trigger_leave",
};

// --- As a table ----------------------------------------------------------------------------------

// Sets the field of the table below what is on top.
static void set_field(lua_State *L, const char *name) {
    lua_pushstring(L, name);
    lua_insert(L, -2);
    lua_rawset(L, -3);
}

// Fills the table on top for one side of an event: `is_b`, for the second of the pair.
static void fill_hit(lua_State *L, const ct_world *world, const ct_physics_event *e, bool is_b) {
    ct_push_actor(L, world, is_b ? e->b : e->a);
    set_field(L, "actor");
    ct_push_actor(L, world, is_b ? e->a : e->b);
    set_field(L, "other_actor");
    ct_push_vector3(L, e->position);
    set_field(L, "position");
    ct_push_vector3(L, is_b ? ct_vec3_scale(e->normal, -1) : e->normal);
    set_field(L, "normal");
    lua_pushnumber(L, (lua_Number)e->impulse);
    set_field(L, "impulse");
    lua_pushnumber(L, (lua_Number)e->time);
    set_field(L, "time");
}

// Pushes a unit that lives in the world, or nil.
static void push_unit(lua_State *L, const ct_world *world, ct_entity e) {
    const bool lives = ct_world_of(ct_script_of(L)->worlds, e) == world;
    ct_push_entity(L, lives ? e : (ct_entity){0});
}

int ct_physics_events(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    uint32_t count;
    const ct_physics_event *const events =
        ct_physics_world_events(ct_check_physics(L, world), &count);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_createtable(L, (int)count, 0);
        lua_replace(L, 2);
    }
    const uint32_t num_old = ct_check_array(L, 2);
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, 2, (int)i + 1);
        if (!lua_istable(L, -1)) {
            lua_createtable(L, 0, 9);
            lua_pushvalue(L, -1);
            lua_rawseti(L, 2, (int)i + 1);
        }
        fill_hit(L, world, &events[i], false);
        lua_pushstring(L, names[events[i].kind]);
        set_field(L, "kind");
        push_unit(L, world, events[i].entity_a);
        set_field(L, "unit");
        push_unit(L, world, events[i].entity_b);
        set_field(L, "other");
        lua_settop(L, 2);
    }
    for (uint32_t i = num_old; i > count; --i) {
        lua_pushnil(L);
        lua_rawseti(L, 2, (int)i);
    }
    return 1;
}

// --- To behaviours -------------------------------------------------------------------------------

// Pushes the table that functions get. While one has it, an update of another world makes its own.
static void take_hit(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, HIT);
    if (!lua_istable(L, -1)) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 6);
    }
    lua_pushboolean(L, false);
    lua_setfield(L, LUA_REGISTRYINDEX, HIT);
}

// Calls the behaviours of one side of an event, unless an earlier function has destroyed its entity;
// the table is at `hit`.
static void send(lua_State *L, const ct_world *world, ct_behaviours *b, const ct_physics_event *e,
                 bool is_b, int hit) {
    const ct_entity own = is_b ? e->entity_b : e->entity_a;
    if (!ct_behaviour_first(b, own))
        return;
    const int first = lua_gettop(L) + 1;
    push_unit(L, world, is_b ? e->entity_a : e->entity_b);
    lua_pushvalue(L, hit);
    fill_hit(L, world, e, is_b);
    ct_behaviours_dispatch_to(L, b, names[e->kind], own, first, 2);
    lua_settop(L, first - 1);
}

void ct_script_send_physics_events(lua_State *L, ct_world *world) {
    const ct_physics_world *const p = ct_world_physics(world);
    uint32_t count = 0;
    const ct_physics_event *const events = p ? ct_physics_world_events(p, &count) : NULL;
    if (!count)
        return;
    CT_PROFILER_SCOPE("physics_events");
    ct_behaviours *const b = ct_behaviours_of(L, world);
    if (!ct_behaviour_count(b))
        return;
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    // Functions of behaviours may do anything.
    ct_physics_event *const copies = ct_alloc(temp, sizeof(*copies) * (uint64_t)count);
    memcpy(copies, events, sizeof(*copies) * (size_t)count);
    luaL_checkstack(L, 12, NULL);
    const int top = lua_gettop(L);
    take_hit(L);
    for (uint32_t i = 0; i < count; ++i) {
        send(L, world, b, &copies[i], false, top + 1);
        send(L, world, b, &copies[i], true, top + 1);
    }
    lua_pushvalue(L, top + 1);
    lua_setfield(L, LUA_REGISTRYINDEX, HIT);
    lua_settop(L, top);
}
