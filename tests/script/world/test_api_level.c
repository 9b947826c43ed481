// Level.
#include "script/api_fixture.h"

static int set_up_level(void **state) {
    set_up(state);
    run_lua(&f, "Y = World.load_level(W, 'levels/yard')");
    return 0;
}

#define LEVEL_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_level, tear_down)

static void gives_its_units(void **state) {
    (void)state;
    assert_lua(&f, "#Level.units(Y), Level.units(Y)[2] == Level.unit_by_index(Y, 2)", "2\ttrue");
    assert_lua(&f, "parts(Unit.world_position(Level.unit_by_index(Y, 1), 1))", "5\t0\t0");
    assert_lua(&f, "Level.unit_index(Y, Level.unit_by_index(Y, 2)), Level.unit_index(Y, C)",
               "2\tnil");
    assert_lua_error(&f, "Level.unit_by_index(Y, 3)",
                     "Level.unit_by_index: argument 2 (index): expected an integer from 1 to 2");
    assert_lua_error(&f, "Level.unit_index(Y, 5)",
                     "Level.unit_index: argument 2 (unit): expected Unit, got number");
}

static void keeps_the_places_of_dead_units(void **state) {
    (void)state;
    run_lua(&f, "World.destroy_unit(W, Level.unit_by_index(Y, 1))");
    assert_lua(&f, "#Level.units(Y), Level.unit_by_index(Y, 1)", "1\tnil");
    assert_lua(&f, "Level.unit_index(Y, Level.units(Y)[1])", "2");
}

static void knows_the_places_of_units_to_come(void **state) {
    (void)state;
    run_lua(&f, "G = World.load_level_gradually(W, 'levels/yard', 0)");
    assert_lua(&f, "#Level.units(G), Level.unit_by_index(G, 1), Level.unit_by_index(G, 2)",
               "0\tnil\tnil");
    assert_lua_error(&f, "Level.unit_by_index(G, 3)",
                     "Level.unit_by_index: argument 2 (index): expected an integer from 1 to 2");
    run_lua(&f, "World.update(W, 0.1)");
    assert_lua(&f, "Level.unit_by_index(G, 2) == Level.units(G)[2]", "true");
}

static void tells_its_world_and_script(void **state) {
    (void)state;
    assert_lua(&f, "Level.world(Y) == W", "true");
    // No index of names was written, as in players: a script that is not loaded shows as its id.
    assert_lua(&f, "Level.script(Y):find(IdString64.to_hex('scripts/yard'), 1, true) ~= nil",
               "true");
    load_script(&f, "scripts/yard", "return {greeting = 'from the yard'}");
    assert_lua(&f, "Level.script(Y), require(Level.script(Y)).greeting",
               "scripts/yard\tfrom the yard");
}

static void gives_its_entities_and_pose(void **state) {
    (void)state;
    assert_lua(&f, "#Level.entities(Y)", "2");
    // What is linked to a unit, at any depth, is the level's too.
    run_lua(&f, "local a = World.spawn_unit(W, 'units/crate') "
                "local b = World.spawn_unit(W, 'units/crate') "
                "World.link_unit(W, a, 1, Level.unit_by_index(Y, 1), 1) "
                "World.link_unit(W, b, 1, a, 1)");
    assert_lua(&f, "#Level.entities(Y)", "6"); // two crates of two entities each
    run_lua(&f, "World.destroy_unit(W, Level.unit_by_index(Y, 2))");
    assert_lua(&f, "#Level.entities(Y)", "5");
    run_lua(&f, "Z = World.load_level(W, 'levels/yard', Vector3(1, 2, 3), "
                "Quaternion(Vector3(0, 0, 1), math.pi), Vector3(2, 2, 2))");
    assert_lua(&f, "parts(Matrix4x4.translation(Level.pose(Z)))", "1\t2\t3");
    assert_lua(&f, "Vector3.distance(Matrix4x4.x(Level.pose(Z)), Vector3(-2, 0, 0)) < 1e-6",
               "true");
    assert_lua(&f, "Matrix4x4.equal(Level.pose(Y), Matrix4x4.identity())", "true");
}

// The parts of what `list` gives, by name.
static const char list_entities[] =
    "function list(e) "
    "  local names = {} "
    "  for i = 1, #e do "
    "    names[i] = e[i] == Level.unit_by_index(Y, 1) and 'gate' or "
    "               e[i] == Level.unit_by_index(Y, 2) and 'tree' or NAMES[e[i]] or '?' "
    "  end "
    "  return table.concat(names, ' ') "
    "end "
    "function crate(name) "
    "  local e = World.spawn_unit(W, 'units/crate') "
    "  NAMES[e] = name "
    "  NAMES[TransformComponent.children(T, e)[1]] = name .. '_lamp' "
    "  return e "
    "end "
    "T = EntityManager.transform_component(W) "
    "NAMES = {}";

static void gives_each_entity_once(void **state) {
    (void)state;
    run_lua(&f, list_entities);
    run_lua(&f, "World.link_unit(W, crate('a'), 1, Level.unit_by_index(Y, 2), 1) "
                "World.link_unit(W, crate('b'), 1, Level.unit_by_index(Y, 2), 1)");
    assert_lua(&f, "list(Level.entities(Y))", "gate tree a a_lamp b b_lamp");
    // One unit of the level hangs on another, and comes with it: below the first, or before itself.
    run_lua(&f, "World.link_unit(W, Level.unit_by_index(Y, 2), 1, Level.unit_by_index(Y, 1), 1) "
                "World.link_unit(W, crate('c'), 1, Level.unit_by_index(Y, 1), 1)");
    assert_lua(&f, "list(Level.entities(Y))", "gate tree a a_lamp b b_lamp c c_lamp");
    run_lua(&f, "World.unlink_unit(W, Level.unit_by_index(Y, 2)) "
                "World.link_unit(W, Level.unit_by_index(Y, 1), 1, Level.unit_by_index(Y, 2), 1)");
    assert_lua(&f, "list(Level.entities(Y))", "gate c c_lamp tree a a_lamp b b_lamp");
}

static void gives_its_entities_in_an_array(void **state) {
    (void)state;
    run_lua(&f, "A = EntityArray({C, C, C})");
    assert_lua(&f, "Level.entities(Y, A) == A, A:size(), A:get(1) == Level.unit_by_index(Y, 1)",
               "true\t2\ttrue");
    assert_lua_error(&f, "Level.entities(Y, 5)",
                     "Level.entities: argument 2 (result): expected EntityArray, got number");
}

static void keeps_data(void **state) {
    (void)state;
    run_lua(&f, "Level.set_data(Y, 'a', 1)");
    assert_lua(&f, "Level.get_data(Y, 'a'), Level.has_data(Y, 'b')", "1\tfalse");
    assert_lua(&f, "Level.has_data(World.load_level(W, 'levels/yard'), 'a')", "false");
}

static void is_refused_once_destroyed(void **state) {
    (void)state;
    run_lua(&f, "World.destroy_level(W, Y)");
    static const char *const calls[] = {"units(Y)",    "unit_by_index(Y, 1)", "world(Y)",
                                        "script(Y)",   "get_data(Y, 'a')",    "set_data(Y, 'a', 1)",
                                        "has_data(Y)", "unit_index(Y, C)",    "entities(Y)",
                                        "pose(Y)"};
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[64];
        snprintf(lua, sizeof(lua), "Level.%s", calls[i]);
        assert_lua_error(&f, lua, "argument 1 (self): expected Level, got a destroyed Level");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LEVEL_TEST(gives_its_units),
        LEVEL_TEST(keeps_the_places_of_dead_units),
        LEVEL_TEST(knows_the_places_of_units_to_come),
        LEVEL_TEST(tells_its_world_and_script),
        LEVEL_TEST(gives_its_entities_and_pose),
        LEVEL_TEST(gives_each_entity_once),
        LEVEL_TEST(gives_its_entities_in_an_array),
        LEVEL_TEST(keeps_data),
        LEVEL_TEST(is_refused_once_destroyed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
