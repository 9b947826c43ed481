// Parts of values, and those of them that are no values of Lua.
#include <stdio.h>
#include <string.h>

#include "script/debug/script_debug_private.h"

enum { NAME_BYTES = 128 };

static const char metatable_name[] = "ct_debug_node";

ct_debug_parts ct_debug_parts_begin(lua_State *L) {
    luaL_checkstack(L, 8, "too many values");
    lua_newtable(L);
    return (ct_debug_parts){.L = L, .table = lua_gettop(L)};
}

void ct_debug_parts_add(ct_debug_parts *p, const char *name) {
    if (lua_isnil(p->L, -1)) { // the length of the array would not be known
        lua_pop(p->L, 1);
        return;
    }
    lua_pushstring(p->L, name);
    lua_rawseti(p->L, p->table, ++p->count);
    lua_rawseti(p->L, p->table, ++p->count);
}

void ct_debug_parts_add_numbered(ct_debug_parts *p, const char *name, uint32_t number) {
    char text[NAME_BYTES];
    snprintf(text, sizeof(text), "%s[%u]", name, number);
    ct_debug_parts_add(p, text);
}

void ct_debug_push_node(lua_State *L, const ct_debug_node *node) {
    ct_debug_node *const copy = lua_newuserdata(L, sizeof(*copy));
    *copy = *node;
    luaL_newmetatable(L, metatable_name);
    lua_setmetatable(L, -2);
}

const ct_debug_node *ct_debug_node_at(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    lua_pushstring(L, metatable_name);
    lua_rawget(L, LUA_REGISTRYINDEX);
    const bool is_node = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return is_node ? lua_touserdata(L, index) : NULL;
}

bool ct_debug_has_world(const ct_script *s, const ct_world *world) {
    for (uint32_t i = 0; i < ct_world_system_num_worlds(s->worlds); ++i)
        if (ct_world_system_world(s->worlds, i) == world)
            return true;
    return false;
}

bool ct_debug_has_entity(const ct_script *s, const ct_world *world, ct_entity e) {
    return ct_debug_has_world(s, world) && ct_world_of(s->worlds, e) == world;
}
