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

static inline int set_up_behaviours(void **state) {
    set_up(state);
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
