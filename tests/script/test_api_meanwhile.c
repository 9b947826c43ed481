// Things that end, and come, while the engine is about them: in loops over what it gave, in every
// event of behaviours, and when there is no room. Nothing of it may do worse than a Lua error.
#include "script/api_fixture.h"

enum { NUM_ROW_UNITS = 40 };

// A level of units in a row with a part below each; all of the 80 entities are instances of
// behaviours/meddler.
static void load_row(void) {
    static template_entity entities[2 * NUM_ROW_UNITS];
    static ct_level_unit units[NUM_ROW_UNITS];
    for (uint32_t i = 0; i < NUM_ROW_UNITS; ++i) {
        entities[2 * i] =
            (template_entity){CT_NO_PARENT, {{(float)i, 0, 0}}, "row", 1, false, false, false, 0};
        entities[2 * i + 1] =
            (template_entity){2 * i, {{0, 0, 1}}, "part", 0, false, false, false, 0};
        units[i] = (ct_level_unit){ct_string_id64_of("units/meddler"), {1000 + i}, 2 * i};
    }
    template_script = "behaviours/meddler";
    load_level(&f.world, "levels/row", entities, 2 * NUM_ROW_UNITS, units, NUM_ROW_UNITS,
               (ct_string_id64){0});
    load_unit(&f.world, "units/meddler", entities, 2);
    template_script = NULL;
}

static int set_up_row(void **state) {
    set_up(state);
    // `act` is what the event called `when` does, in the first `times` instances that hear it.
    load_script(&f, "behaviours/meddler",
                "local function on(event) return function(self) heard[event] = (heard[event] or 0) "
                "  + 1 if when == event and times > 0 then times = times - 1 "
                "  act(self) end end end "
                "return {spawned = on('spawned'), update = on('update'), "
                "destroyed = on('destroyed'), reloaded = on('reloaded'), hit = on('hit')}");
    load_row();
    run_lua(&f, "SC = EntityManager.script_component(W) heard = {} times = 0 "
                "function count() return #World.units(W) end");
    return 0;
}

#define MEANWHILE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_row, tear_down)

// --- Loops ---------------------------------------------------------------------------------------

static void loops_over_what_ends_and_comes(void **state) {
    (void)state;
    run_lua(&f, "World.load_level(W, 'levels/row') local n = 0 "
                "for _, u in ipairs(World.units(W)) do n = n + 1 "
                "  if Unit.alive(u) then World.destroy_unit(W, u) end "
                "  World.spawn_unit(W, 'units/crate') end "
                "assert(n == 41 and count() == 41)");
    run_lua(&f, "local E = World.units(W, EntityArray()) for i = 1, E:size() do "
                "  World.destroy_unit(W, E:get(i)) World.spawn_unit(W, 'units/crate') end "
                "assert(E:num_alive() == 0 and count() == 41)");
    run_lua(&f, "TG = EntityManager.tag_component() local all = World.units(W) "
                "for _, u in ipairs(all) do TagComponent.add_tag(TG, u, 'doomed') end "
                "local n = 0 for _, u in ipairs(TagComponent.get_entities(TG, 'doomed')) do "
                "  n = n + 1 if Unit.alive(u) then World.destroy_unit(W, u) end "
                "  TagComponent.add_tag(TG, World.spawn_unit(W, 'units/crate'), 'doomed') end "
                "assert(n == 41 and #TagComponent.get_entities(TG, 'doomed') == 41)");
    run_lua(&f, "B = Broadphase(5, 50) for i, u in ipairs(World.units(W)) do "
                "  Broadphase.add(B, u, Vector3(i, 0, 0), 1) end local found = {} "
                "local n = Broadphase.query(B, Vector3(0, 0, 0), 100, found) "
                "for _, u in ipairs(found) do World.destroy_unit(W, u) "
                "  Broadphase.add(B, World.spawn_unit(W, 'units/crate'), Vector3(0, 0, 0), 1) "
                "  assert(Broadphase.query(B, Vector3(0, 0, 0), 100, {}) == 41) end "
                "assert(n == 41 and Broadphase.num_items(B) == 82)");
    run_lua(&f, "local l = World.load_level(W, 'levels/row') "
                "for _, u in ipairs(Level.units(l)) do "
                "  if l and count() > 50 then World.destroy_level(W, l) l = nil end "
                "  World.spawn_unit(W, 'units/crate') end "
                "for _, m in ipairs(World.units(W)) do "
                "  for _, c in ipairs(TransformComponent.children(EntityManager."
                "transform_component(W), m)) do EntityManager.destroy(c) end end");
}

// --- Behaviours ----------------------------------------------------------------------------------

static const char *const events[] = {"spawned", "update", "destroyed", "reloaded", "hit"};

// What an instance does of the level that it is in, and what may be an error then: those of other
// worlds do it, too.
static const struct {
    const char *act, *errors[2];
} acts[] = {
    {"if EntityManager.alive(self.entity) then World.destroy_unit(W, self.entity) end", {NULL}},
    {"for _, u in ipairs(World.units(W)) do World.destroy_unit(W, u) end", {NULL}},
    {"World.destroy_level(W, L)", {"got a destroyed Level"}},
    {"World.destroy_level(W, L) L = World.load_level(W, 'levels/row')", {NULL}},
    {"World.load_level_gradually(W, 'levels/row', 0)", {NULL}},
    {"World.spawn_units(W, 'units/meddler', Float32Array(30))", {NULL}},
    {"ScriptComponent.destroy_all(SC, self.entity)", {"got a destroyed Unit"}},
    {"ScriptComponent.create(SC, self.entity, 'more', 'behaviours/meddler')",
     {"got a destroyed Unit"}},
    {"for _, u in ipairs(World.units(W)) do local i = ScriptComponent.instances(SC, u) if i then "
     "ScriptComponent.set_enabled(SC, i, false) ScriptComponent.destroy(SC, i) end end",
     {NULL}},
    {"World.update(W, 0.1)", {"World.update: behaviours of this world are being called"}},
    {"Application.release_world(W)", {"behaviours of this world are being called"}},
    {"ScriptComponent.broadcast(SC, 'hit')", {NULL}},
    {"ScriptComponent.spawned(SC, {World.spawn_unit(W, 'units/meddler')})", {NULL}},
    {"World.update(V, 0.1)", {"got a destroyed World", "are being called"}},
    {"Application.release_world(V)", {"got a destroyed World", "are being called"}},
    {"local V2 = Application.new_world() World.load_level(V2, 'levels/row') World.update(V2, 0.1) "
     "Application.release_world(V2)",
     {NULL}},
    {"for i = 1, 300 do EntityManager.destroy(EntityManager.create(W)) end", {NULL}},
    {"error('on purpose')", {"on purpose"}},
    {"collectgarbage()", {NULL}},
};

// Leads to an event of the behaviours of level L.
static void cause(const char *event) {
    if (strcmp(event, "destroyed") == 0)
        run_lua(&f, "local u = Level.units(L) for i = 1, 20 do if Unit.alive(u[i]) then "
                    "World.destroy_unit(W, u[i]) end end");
    if (strcmp(event, "hit") == 0)
        run_lua(&f, "pcall(ScriptComponent.broadcast, SC, 'hit')");
    if (strcmp(event, "reloaded") == 0) {
        const ct_resource_id id = ct_resource_id_of("lua", "behaviours/meddler");
        assert_int_equal(ct_resource_manager_reload(f.world.resources, &id, 1), 1);
        ct_resource_manager_update(f.world.resources, 1);
    }
    run_lua(&f, "World.update(W, 0.1) World.update(W, 0.1)");
}

static bool is_expected(const char *got, const char *const errors[2]) {
    return (errors[0] && strstr(got, errors[0])) || (errors[1] && strstr(got, errors[1]));
}

static void behaviours_may_do_anything_in_any_event(void **state) {
    (void)state;
    char lua[1024];
    for (uint32_t e = 0; e < CT_COUNT_OF(events); ++e) {
        for (uint32_t a = 0; a < CT_COUNT_OF(acts); ++a) {
            snprintf(lua, sizeof(lua),
                     "V = Application.new_world() World.load_level(V, 'levels/row') "
                     "World.update(V, 0.1) heard = {} when, times = 'none', 0 "
                     "L = World.load_level(W, 'levels/row') "
                     "if '%s' ~= 'spawned' then World.update(W, 0.1) end failed = nil "
                     "when, times = '%s', 3 function act(self) local ok, e = pcall(function() %s "
                     "end) if not ok then failed = e end end",
                     events[e], events[e], acts[a].act);
            run_lua(&f, lua);
            cause(events[e]);
            snprintf(lua, sizeof(lua), "when .. ' ' .. %u .. ' ' .. tostring(times < 3)", a);
            char expected[64];
            snprintf(expected, sizeof(expected), "%s %u true", events[e], a);
            assert_lua(&f, lua, expected); // it was done
            run_lua(&f, "return tostring(failed)");
            const char *const got = ct_string_builder_text(&f.result);
            if (strcmp(got, "nil") != 0 && !is_expected(got, acts[a].errors))
                fail_msg("%s: %s: %s", events[e], acts[a].act, got);
            run_lua(&f, "times = 0 for _, w in ipairs(Application.worlds()) do if w ~= W then "
                        "Application.release_world(w) end end "
                        "World.destroy_units(W, World.units(W)) World.update(W, 0.1) "
                        "assert(count() == 0)");
        }
    }
    assert_false(is_logged("assertion failed"));
}

// The level of who is called ends, and begins anew, each step.
static void levels_may_end_in_their_own_behaviours(void **state) {
    (void)state;
    run_lua(&f, "when = 'update' function act(self) World.destroy_level(W, L) "
                "L = World.load_level_gradually(W, 'levels/row', 0) times = 1 end times = 1 "
                "L = World.load_level(W, 'levels/row') heard = {} "
                "for i = 1, 20 do World.update(W, 0.1) end");
    // Every other step spawns the first units, one of which ends all when it is next updated.
    assert_lua(&f, "count() <= 41, heard.spawned > 100, heard.destroyed > 100", "true\ttrue\ttrue");
}

// --- Many ----------------------------------------------------------------------------------------

static void runs_out_of_entities_and_goes_on(void **state) {
    (void)state;
    run_lua(&f, "local n = 0 for _, u in ipairs(World.units(W)) do n = n + 1 end "
                "E = EntityArray() EntityManager.create_many(nil, 4193279 - 2 * n - 3, E)");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', Float32Array(6))",
                     "World.spawn_units: no room for 4 more entities, 4193276 of 4193279 live");
    assert_lua_error(&f, "World.load_level(W, 'levels/row')",
                     "World.load_level: no room for 80 more entities");
    assert_lua_error(&f, "World.load_level_gradually(W, 'levels/row', 0)",
                     "World.load_level_gradually: no room for 80 more entities");
    assert_lua_error(&f, "EntityManager.create_many(W, 4)", "no room for 4 more entities");
    run_lua(&f, "for i = 1, 3 do EntityManager.create() end");
    assert_lua_error(&f, "EntityManager.create()", "EntityManager.create: no room for 1 more");
    assert_lua_error(&f, "EntityManager.create(W)", "EntityManager.create: no room for 1 more");
    assert_lua_error(&f, "World.spawn_unit(W, 'units/bare')", "World.spawn_unit: no room for 1");
    assert_lua_error(&f, "EntityManager.spawn(W, 'units/bare', Vector3(0, 0, 0))",
                     "EntityManager.spawn: no room for 1");
    assert_lua(&f, "count(), pcall(EntityManager.create)",
               "1\tfalse\tEntityManager.create: no room for 1 more entities, 4193279 of 4193279 "
               "live");
    run_lua(&f, "for i = 1, 2000 do EntityManager.destroy(E:get(i)) end "
                "World.load_level(W, 'levels/row') World.update(W, 0.1) "
                "assert(count() == 41 and Unit.alive(World.spawn_unit(W, 'units/crate'))) "
                "E:remove_dead() EntityManager.destroy_many(E) World.update(W, 0.1)");
}

// Instances that fail, levels half spawned, and worlds that end in another order than they began:
// the fixture asserts at its end that nothing is left.
static void worlds_end_whole_after_errors(void **state) {
    (void)state;
    run_lua(&f, "when, act = 'update', function(self) error('on purpose') end "
                "X, Y, Z = Application.new_world(), Application.new_world(), "
                "  Application.new_world() "
                "for _, w in ipairs({X, Y, Z}) do World.load_level(w, 'levels/row') "
                "  World.load_level_gradually(w, 'levels/row', 0) times = 60 "
                "  World.update(w, 0.1) World.update(w, 0.1) end "
                "Application.release_world(Y) times = 5 World.update(X, 0.1) World.update(Z, 0.1) "
                "when, act = 'destroyed', function(self) error('at the end') end times = 9 "
                "Application.release_world(Z)");
    assert_true(is_logged("and the same for 59 more instances"));
    assert_true(is_logged("at the end"));
    assert_lua(&f, "#Application.worlds()", "3"); // and X is left to the end
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MEANWHILE_TEST(loops_over_what_ends_and_comes),
        MEANWHILE_TEST(behaviours_may_do_anything_in_any_event),
        MEANWHILE_TEST(levels_may_end_in_their_own_behaviours),
        MEANWHILE_TEST(runs_out_of_entities_and_goes_on),
        MEANWHILE_TEST(worlds_end_whole_after_errors),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
