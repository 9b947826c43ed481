#include "script/physics/api_actor_box.h"
#include "script/physics/api_physics.h"

extern const ct_lua_module ct_api_actor_box;

// A box has the actor's handle. An Actor is valid longer than a frame in any case: a box is there for
// scripts that know them from elsewhere, and gives nil once the actor has ended.

typedef struct actor_box {
    uint64_t value; // 0: no actor
} actor_box;

#define NAME "ActorBox"

static actor_box *check_box(lua_State *L) {
    if (lua_type(L, 1) == LUA_TUSERDATA && lua_getmetatable(L, 1)) {
        luaL_getmetatable(L, NAME);
        const bool is_box = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
        if (is_box)
            return lua_touserdata(L, 1);
    }
    ct_argument_type_error(L, 1, NAME);
    return NULL;
}

static uint64_t check_value(lua_State *L, int argument) {
    ct_check_actor(L, argument);
    return ct_value_at(L, argument);
}

static int make(lua_State *L) {
    const uint64_t value = lua_isnoneornil(L, 2) ? 0 : check_value(L, 2);
    actor_box *const box = lua_newuserdata(L, sizeof(*box));
    box->value = value;
    luaL_getmetatable(L, NAME);
    lua_setmetatable(L, -2);
    return 1;
}

static int store(lua_State *L) {
    actor_box *const box = check_box(L);
    box->value = check_value(L, 2);
    return 0;
}

static int unbox(lua_State *L) {
    const actor_box *const box = check_box(L);
    const ct_lua *const m = ct_lua_of(L);
    if (box->value && m->is_actor_alive && m->is_actor_alive(m, box->value))
        lua_pushlightuserdata(L, (void *)(uintptr_t)box->value);
    else
        lua_pushnil(L);
    return 1;
}

static const ct_lua_function functions[] = {
    {"store", store, "(self: ActorBox, actor: Actor) -> nil", "Stores another actor in the box."},
    {"unbox", unbox, "(self: ActorBox) -> Actor?",
     "Returns the stored actor; nil when there is none, or when it has ended."},
};

const ct_lua_module ct_api_actor_box = {
    .name = NAME,
    .doc = "Keeps an Actor. Actors are valid for longer than a frame without it.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(actor: Actor?) -> ActorBox",
};

void ct_script_open_actor_boxes(lua_State *L) {
    luaL_newmetatable(L, NAME);
    lua_pushliteral(L, NAME);
    lua_setfield(L, -2, "__name");
    lua_pushliteral(L, "box");
    lua_setfield(L, -2, "__metatable");
    lua_getglobal(L, NAME);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}
