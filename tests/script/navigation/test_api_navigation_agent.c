// NavigationAgent: units that walk, in bulk, and what their behaviours get.
#include "script/navigation/navigation_script.h"

static void walks_and_arrives(void **state) {
    (void)state;
    run_lua(&f, "u = walker(1, 1)");
    assert_lua(&f, "NavigationAgent.has(u), NavigationAgent.has(C), NavigationAgent.state(u)",
               "true\tfalse\toff");
    run_lua(&f, "World.update(W, 0.01)");
    assert_lua(&f,
               "NavigationAgent.state(u), NavigationAgent.mesh(u) == M, "
               "NavigationAgent.goal(u)",
               "idle\ttrue\tnil");
    run_lua(&f, "NavigationAgent.move_to(u, Vector3(5, 1, 0)) run(0.5)");
    assert_lua(&f,
               "NavigationAgent.state(u), at(NavigationAgent.goal(u)), "
               "NavigationAgent.velocity(u).x > 1, NavigationAgent.wanted_velocity(u).x > 1, "
               "ats(NavigationAgent.corners(u))",
               "walking\t5 1 0\ttrue\ttrue\t5 1 0");
    run_lua(&f, "run(3)");
    assert_lua(&f, "NavigationAgent.state(u), math.abs(Unit.local_position(u, 1).x - 5) < 0.4",
               "arrived\ttrue");
    run_lua(&f, "NavigationAgent.move_to(u, Vector3(15, 1, 0)) run(0.5) NavigationAgent.stop(u) "
                "run(0.5)");
    assert_lua(&f,
               "NavigationAgent.state(u), NavigationAgent.goal(u), "
               "#NavigationAgent.corners(u)",
               "idle\tnil\t0");
    run_lua(&f, "NavigationAgent.set_speed(u, 0.5) NavigationAgent.move_to(u, Vector3(15, 1, 0)) "
                "run(1)");
    assert_lua(&f, "NavigationAgent.speed(u), Vector3.length(NavigationAgent.velocity(u)) < 0.6",
               "0.5\ttrue");
}

static void refuses_units_without_an_agent(void **state) {
    (void)state;
    static const char *const calls[] = {"move_to(C, Vector3(1, 1, 0))",
                                        "stop(C)",
                                        "state(C)",
                                        "velocity(C)",
                                        "goal(C)",
                                        "set_speed(C, 1)",
                                        "speed(C)",
                                        "end_link(C)",
                                        "corners(C)",
                                        "mesh(C)"};
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[96];
        snprintf(lua, sizeof(lua), "NavigationAgent.%s", calls[i]);
        assert_lua_error(&f, lua,
                         "argument 1 (self): expected a Unit with a navigation agent, got one "
                         "without");
    }
    run_lua(&f, "u = walker(1, 1)");
    assert_lua_error(&f, "NavigationAgent.set_speed(u, -1)",
                     "argument 2 (speed): expected a number from 0 to 1000, got -1");
    assert_lua_error(&f, "NavigationAgent.move_to(u, Vector3(0 / 0, 0, 0))",
                     "argument 2 (goal): expected a finite Vector3");
    run_lua(&f, "World.destroy_unit(W, u)");
    assert_lua_error(&f, "NavigationAgent.state(u)",
                     "argument 1 (self): expected Unit, got a destroyed Unit");
}

static void moves_many_units(void **state) {
    (void)state;
    run_lua(&f, "a, b, c = walker(1, 1), walker(1, 3), walker(1, 5) World.update(W, 0.01) "
                "NavigationAgent.move_many({a, C, b, c}, {Vector3(3, 1, 0), Vector3(9, 9, 0), "
                "Vector3(3, 3, 0), Vector3(3, 5, 0)}) run(0.5)");
    assert_lua(&f,
               "at(NavigationAgent.goal(a)), at(NavigationAgent.goal(b)), "
               "at(NavigationAgent.goal(c)), NavigationAgent.count(W)",
               "3 1 0\t3 3 0\t3 5 0\t3");
    run_lua(&f, "e, v = NavigationAgent.velocities(W)");
    assert_lua(&f, "e:size(), v:size(), e:get(2) == b, v:get(4) > 1", "3\t9\ttrue\ttrue");
    assert_lua(&f,
               "(function() local e2, v2 = NavigationAgent.velocities(W, e, v) "
               "return e2 == e, v2 == v end)()",
               "true\ttrue");
    assert_lua(&f, "NavigationAgent.states(W).walking, NavigationAgent.states(W).idle", "3\t0");
    run_lua(&f, "NavigationAgent.stop_many(EntityArray({a, C})) run(0.2)");
    assert_lua(&f, "NavigationAgent.states(W).walking, NavigationAgent.states(W).idle", "2\t1");
    run_lua(&f, "NavigationAgent.move_many({}, {}) NavigationAgent.stop_many({})");
    assert_lua_error(&f, "NavigationAgent.move_many({a, b}, {1, 2, 3})",
                     "argument 2 (goals): expected a goal for each of 2 units, got 1");
    run_lua(&f, "V = Application.new_world() d = World.spawn_unit(V, 'units/walker')");
    assert_lua_error(&f, "NavigationAgent.stop_many({a, d})",
                     "argument 1 (units): expected a Unit of this world at index 2, got Unit of "
                     "another world");
    run_lua(&f, "World.destroy_unit(W, b)");
    assert_lua_error(&f, "NavigationAgent.stop_many({a, b})", "at index 2, got a destroyed Unit");
    assert_lua_error(&f, "NavigationAgent.stop_many({b})", "at index 1");
}

// --- Events --------------------------------------------------------------------------------------

static const char ear[] =
    "local E = {} "
    "for _, event in ipairs({'arrived', 'failed', 'link', 'stuck'}) do "
    "  E['navigation_' .. event] = function(self, kind, from, to) "
    "    heard[#heard + 1] = self.name .. ' ' .. event .. (kind and ' ' .. kind .. ' from ' .. "
    "      at(from) .. ' to ' .. at(to) or '') "
    "    if self.breaks then error('ouch') end "
    "    if self.kills then World.destroy_unit(W, self.kills) end "
    "  end end return E";

static void listen(void) {
    load_script(&f, "ear", ear);
    run_lua(&f, "heard = {} "
                "function all() local t = table.concat(heard, ', ') heard = {} return t end "
                "B = EntityManager.script_component(W) "
                "function watch(u, name) "
                "  local i = ScriptComponent.create(B, u, 'ear', 'ear') "
                "  local s = ScriptComponent.state(B, i) s.name = name return s end");
}

static void calls_behaviours(void **state) {
    (void)state;
    listen();
    run_lua(&f, "a, b = walker(1, 1), walker(1, 3) watch(a, 'a') watch(b, 'b') "
                "World.update(W, 0.01) NavigationAgent.move_to(a, Vector3(3, 1, 0)) "
                "NavigationAgent.move_to(b, Vector3(99, 1, 0)) run(3)");
    assert_lua(&f, "all()", "b failed, a arrived");
    run_lua(&f, "run(1)");
    assert_lua(&f, "all()", "");
}

static void calls_behaviours_at_links(void **state) {
    (void)state;
    listen();
    run_lua(&f, "a = walker(11, 9) watch(a, 'a') World.update(W, 0.01) "
                "NavigationAgent.move_to(a, Vector3(15.5, 15.5, 0)) run(2)");
    assert_lua(&f, "all(), NavigationAgent.state(a)",
               "a link jump from 11.5 10.5 0 to 15 15 0\ton_link");
    run_lua(&f, "run(4)"); // the engine walks it
    assert_lua(&f, "all()", "a arrived");
    run_lua(&f, "NavigationAgent.move_to(a, Vector3(11, 9, 0)) run(1)");
    assert_lua(&f, "all()", "a link jump from 15 15 0 to 11.5 10.5 0");
    // The game ends it.
    run_lua(&f, "Unit.set_local_position(a, 1, Vector3(11.5, 10.5, 0)) "
                "NavigationAgent.end_link(a) World.update(W, 1 / 60)");
    assert_lua(&f, "NavigationAgent.state(a) ~= 'on_link'", "true");
    run_lua(&f, "run(3)");
    assert_lua(&f, "all()", "a arrived");
}

static void behaviours_may_destroy_units(void **state) {
    (void)state;
    listen();
    run_lua(&f, "a, b = walker(1, 1), walker(3, 3) A = watch(a, 'a') watch(b, 'b') A.kills = b "
                "World.update(W, 0.01) NavigationAgent.move_to(a, Vector3(99, 1, 0)) "
                "NavigationAgent.move_to(b, Vector3(99, 3, 0)) run(0.2)");
    assert_lua(&f, "all(), Unit.alive(b)", "a failed\tfalse");
    run_lua(&f, "A.kills = nil A.breaks = true NavigationAgent.move_to(a, Vector3(99, 1, 0)) "
                "run(0.2)");
    assert_lua(&f, "all()", "a failed");
    assert_true(is_logged("ouch"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NAVIGATION_TEST(walks_and_arrives),         NAVIGATION_TEST(refuses_units_without_an_agent),
        NAVIGATION_TEST(moves_many_units),          NAVIGATION_TEST(calls_behaviours),
        NAVIGATION_TEST(calls_behaviours_at_links), NAVIGATION_TEST(behaviours_may_destroy_units),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
