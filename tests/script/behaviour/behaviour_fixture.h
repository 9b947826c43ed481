// behaviour_fixture.h: a script system with a world and behaviours, for their tests.
#pragma once
#include "script/api_fixture.h"
#include "script/script_private.h"

// Notes calls in `seen`.
static const char guard[] = "local M = {speed = 2} "
                            "function M.spawned(self) self.t = 0 note('spawned', self) end "
                            "function M.update(self, dt) self.t = self.t + dt * self.speed end "
                            "function M.destroyed(self) note('destroyed', self) end "
                            "function M.hit(self, by, how) note('hit ' .. by .. how, self) end "
                            "return M";

// --- Memory that lacks ---------------------------------------------------------------------------

// The allocator of Lua, which refuses once.
static struct {
    lua_Alloc real;
    void *user;
    uint32_t num_left; // before it does
} lua_memory;

// Blocks of 48 bytes are never refused: without one, LuaJIT 2.1 frees a closure by a wrong size.
static inline void *refuse_block(void *user, void *p, size_t old_size, size_t size) {
    if (size <= (p ? old_size : 0) || size == 48 || lua_memory.num_left-- > 0)
        return lua_memory.real(user, p, old_size, size);
    lua_setallocf(f.script->lua.lua, lua_memory.real, lua_memory.user);
    return NULL;
}

// refuse_memory(n): the block after the next n is refused, unless one is to be already.
static inline int refuse_memory(lua_State *L) {
    if (lua_getallocf(L, NULL) == refuse_block)
        return 0;
    lua_memory.real = lua_getallocf(L, &lua_memory.user);
    lua_memory.num_left = (uint32_t)lua_tonumber(L, 1);
    lua_setallocf(L, refuse_block, lua_memory.user);
    return 0;
}

// allow_memory(): none is.
static inline int allow_memory(lua_State *L) {
    if (lua_getallocf(L, NULL) == refuse_block)
        lua_setallocf(L, lua_memory.real, lua_memory.user);
    return 0;
}

// lack_memory(): raises that there is not enough.
static inline int lack_memory(lua_State *L) {
    lua_settop(L, 0);
    refuse_memory(L);
    lua_createtable(L, 100, 100);
    return 0;
}

// --- The fixture ---------------------------------------------------------------------------------

static inline int set_up_behaviours(void **state) {
    set_up(state);
    lua_register(f.script->lua.lua, "refuse_memory", refuse_memory);
    lua_register(f.script->lua.lua, "allow_memory", allow_memory);
    lua_register(f.script->lua.lua, "lack_memory", lack_memory);
    run_lua(&f, "seen = {} function note(what, self) seen[#seen + 1] = what .. ':' .. "
                "tostring(self.name) end "
                "function take() local t = table.concat(seen, ' ') seen = {} return t end "
                "SC = EntityManager.script_component(W) "
                "function add(name, script, id) local e = EntityManager.create(W) "
                "  local i = ScriptComponent.create(SC, e, id or 'ai', script or "
                "'behaviours/guard') "
                "  ScriptComponent.set_property(SC, i, 'name', name) return e end "
                "function self_of(e) return ScriptComponent.state(SC, ScriptComponent.lookup(SC, "
                "e, 'ai')) end "
                "function is_on(e) return ScriptComponent.is_enabled(SC, "
                "ScriptComponent.lookup(SC, e, 'ai')) end "
                "function step(dt) World.update(W, dt or 1) end");
    load_script(&f, "behaviours/guard", guard);
    return 0;
}

#define BEHAVIOUR_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_behaviours, tear_down)

// The number of times that a text stands in what was logged.
static inline uint32_t count_logged(const char *text) {
    uint32_t count = 0;
    for (const char *at = logged; (at = strstr(at, text)); ++at)
        ++count;
    return count;
}
