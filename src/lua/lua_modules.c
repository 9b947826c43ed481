#include "lua/lua_machine.h"

// A module's functions carry, as an upvalue, their place in it: errors find the names by that, and
// calls pay nothing for it.

enum { ROOM = 2 }; // places in a module's table for each member

static void push_function(lua_State *L, lua_CFunction function, uint32_t module, uint32_t place) {
    lua_pushnumber(L, (lua_Number)(module << 16 | place));
    lua_pushnumber(L, 1);
    lua_pushcclosure(L, function, 2);
}

// The table has room for more than its members, so that lookups rarely collide.
static void open_module(lua_State *L, uint32_t place) {
    const ct_lua *const m = ct_lua_of(L);
    const ct_lua_module *const module = m->modules[place];
    if (m->opens && !m->opens(module, NULL))
        return;
    lua_createtable(L, 0, ROOM * (int)(module->num_functions + module->num_constants));
    for (uint32_t i = 0; i < module->num_functions; ++i) {
        if (m->opens && !m->opens(module, &module->functions[i]))
            continue;
        push_function(L, module->functions[i].function, place, i);
        lua_setfield(L, -2, module->functions[i].name);
    }
    for (uint32_t i = 0; i < module->num_constants; ++i) {
        lua_pushnumber(L, module->constants[i].value);
        lua_setfield(L, -2, module->constants[i].name);
    }
    if (module->call) {
        lua_createtable(L, 0, 1);
        push_function(L, module->call, place, CT_LUA_CALL);
        lua_setfield(L, -2, "__call");
        lua_setmetatable(L, -2);
    }
    lua_setglobal(L, module->name);
}

void ct_lua_open_modules(lua_State *L) {
    for (uint32_t i = 0; i < ct_lua_of(L)->num_modules; ++i)
        open_module(L, i);
}

void ct_lua_open_new_modules(lua_State *L, uint32_t count) {
    ct_lua *const m = ct_lua_of(L);
    for (; m->num_modules < count; ++m->num_modules)
        open_module(L, m->num_modules);
}

void ct_lua_push_module_function(lua_State *L, uint32_t module, uint32_t place) {
    push_function(L, ct_lua_of(L)->modules[module]->functions[place].function, module, place);
}

const ct_lua_module *ct_lua_called_module(lua_State *L) {
    return ct_lua_of(L)
        ->modules[(uint32_t)lua_tonumber(L, lua_upvalueindex(CT_UPVALUE_PLACE)) >> 16];
}

bool ct_lua_running_function(lua_State *L, const ct_lua_module **module, uint32_t *function) {
    lua_Debug running;
    if (!lua_getstack(L, 0, &running) || !lua_getinfo(L, "f", &running))
        return false;
    const bool is_ours = lua_iscfunction(L, -1) && lua_getupvalue(L, -1, CT_UPVALUE_PLACE);
    const uint32_t place = is_ours ? (uint32_t)lua_tonumber(L, -1) : 0;
    lua_pop(L, is_ours ? 2 : 1);
    if (!is_ours)
        return false;
    *module = ct_lua_of(L)->modules[place >> 16];
    *function = place & 0xffff;
    return true;
}
