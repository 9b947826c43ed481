// Functions over many entities, and that they leave no garbage.
#include "script/api_fixture.h"

static int set_up_many(void **state) {
    set_up(state);
    run_lua(&f,
            "TC = EntityManager.transform_component(W) V = Application.new_world() "
            "F = World.spawn_unit(V, 'units/crate') "
            "A = World.spawn_units(W, 'units/crate', Float32Array({1, 2, 3, 4, 5, 6, 7, 8, 9}), "
            "nil, EntityArray()) "
            "function all(a) local t = {} for i = 1, a:size() do t[i] = a:get(i) end "
            "return table.concat(t, ' ') end");
    return 0;
}

#define MANY_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_many, tear_down)

static void spawns_into_an_array(void **state) {
    (void)state;
    assert_lua(&f, "A:size(), Unit.is_a(A:get(3), 'units/crate')", "3\ttrue");
    assert_lua(&f, "all(TransformComponent.world_positions(TC, A))", "1 2 3 4 5 6 7 8 9");
    run_lua(&f, "B = EntityArray() R = World.spawn_units(W, 'units/crate', {0, 0, 0}, "
                "Float32Array({0, 0, 2, 0}), B)");
    assert_lua(&f, "R == B, parts(Unit.local_rotation(B:get(1), 1))", "true\t0\t0\t1\t0");
    assert_lua(&f,
               "World.units(W, B):size() == World.num_units(W), "
               "World.units_by_resource(W, 'units/crate', B):size(), "
               "World.entities(W, B):size() > 9",
               "true\t5\ttrue");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', Float32Array(4))",
                     "World.spawn_units: argument 3 (positions): expected 3 numbers for each");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', Float32Array({0, 0/0, 0}))",
                     "argument 3 (positions): expected finite numbers");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', Float32Array(3), Float32Array(4))",
                     "argument 4 (rotations): expected rotations");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', Float32Array(3), nil, {})",
                     "argument 5 (result): expected EntityArray");
    assert_lua(&f, "World.num_units(W)", "5");
}

// Rotations of any length are normalised, by functions for one and for many.
static void takes_the_same_rotations_for_one_and_for_many(void **state) {
    (void)state;
    static const char *const rotations[] = {"0, 0, 1e20, 0", "0, 0, 3e38, 0", "0, 0, 1e-5, 0",
                                            "0, 0, 7, 0"};
    char lua[512];
    for (uint32_t i = 0; i < CT_COUNT_OF(rotations); ++i) {
        snprintf(lua, sizeof(lua),
                 "Unit.set_local_rotation(C, 1, Quaternion.from_elements(%s)) "
                 "TransformComponent.set_local_rotations(TC, {A:get(1)}, Float32Array({%s})) "
                 "B = World.spawn_units(W, 'units/crate', {0, 0, 0}, Float32Array({%s}), "
                 "EntityArray())",
                 rotations[i], rotations[i], rotations[i]);
        run_lua(&f, lua);
        assert_lua(&f, "parts(Unit.local_rotation(C, 1))", "0\t0\t1\t0");
        assert_lua(&f, "parts(Unit.local_rotation(A:get(1), 1))", "0\t0\t1\t0");
        assert_lua(&f, "parts(Unit.local_rotation(B:get(1), 1))", "0\t0\t1\t0");
    }
    static const char *const others[] = {"0, 0, 0, 0", "0, 0, 1e-20, 0", "0, 0, 1/0, 0",
                                         "0, 0, 0/0, 0"};
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        snprintf(lua, sizeof(lua), "Unit.set_local_rotation(C, 1, Quaternion.from_elements(%s))",
                 others[i]);
        assert_lua_error(&f, lua, "argument 3 (rotation): expected a rotation");
        snprintf(lua, sizeof(lua),
                 "TransformComponent.set_local_rotations(TC, {A:get(1)}, Float32Array({%s}))",
                 others[i]);
        assert_lua_error(&f, lua, "argument 3 (rotations): expected");
    }
}

static void gets_what_it_sets(void **state) {
    (void)state;
    run_lua(&f, "P = Float32Array({9, 8, 7, 6, 5, 4, 3, 2, 1}) "
                "TransformComponent.set_local_positions(TC, A, P) "
                "S = Float32Array({1, 1, 1, -2, 2, 2, 0, 1, 1}) "
                "TransformComponent.set_local_scales(TC, A, S) "
                "R = Float32Array({0, 0, 0, 1, 0, 0, 3, 0, 0, 1, 0, 0}) "
                "TransformComponent.set_local_rotations(TC, A, R)");
    assert_lua(&f, "all(TransformComponent.local_positions(TC, A))", "9 8 7 6 5 4 3 2 1");
    assert_lua(&f, "all(TransformComponent.local_scales(TC, A))", "1 1 1 -2 2 2 0 1 1");
    assert_lua(&f, "all(TransformComponent.local_rotations(TC, A))", "0 0 0 1 0 0 1 0 0 1 0 0");
    assert_lua(&f, "parts(Unit.world_position(TransformComponent.children(TC, A:get(2))[1], 1))",
               "6\t5\t6");
    run_lua(&f, "M = TransformComponent.local_poses(TC, A) "
                "B = World.spawn_units(W, 'units/crate', Float32Array(9), nil, EntityArray()) "
                "TransformComponent.set_local_poses(TC, B, M)");
    assert_lua(&f, "M:size(), all(TransformComponent.world_positions(TC, B))",
               "48\t9 8 7 6 5 4 3 2 1");
    assert_lua(&f,
               "all(TransformComponent.world_poses(TC, B)) == all(M), "
               "TransformComponent.world_rotations(TC, B, R) == R, R:get(4)",
               "true\ttrue\t1");
}

static void takes_tables_too(void **state) {
    (void)state;
    run_lua(&f,
            "T = {A:get(1), A:get(2)} "
            "TransformComponent.set_local_positions(TC, T, {Vector3(1, 0, 0), Vector3(2, 0, 0)})");
    assert_lua(&f, "all(TransformComponent.local_positions(TC, T))", "1 0 0 2 0 0");
    assert_lua(&f, "TransformComponent.local_positions(TC, {}):size()", "0");
}

static void changes_nothing_when_one_is_wrong(void **state) {
    (void)state;
    const struct {
        const char *lua, *message;
    } cases[] = {
        {"TransformComponent.set_local_positions(TC, A, Float32Array(6))",
         "TransformComponent.set_local_positions: argument 3 (positions): expected one position "
         "for each of 3 units, got 2"},
        {"TransformComponent.set_local_positions(TC, A, Float32Array({0, 0, 0, 0, 0, 0, 0, 0, "
         "1/0}))",
         "argument 3 (positions): expected finite numbers, got inf at index 9"},
        {"TransformComponent.set_local_scales(TC, A, Float32Array({0/0, 0, 0, 0, 0, 0, 0, 0, 0}))",
         "TransformComponent.set_local_scales: argument 3 (scales): expected finite numbers"},
        {"TransformComponent.set_local_rotations(TC, A, Float32Array(12))",
         "argument 3 (rotations): expected rotations, got (0, 0, 0, 0), which is not a rotation, "
         "as number 1"},
        {"TransformComponent.set_local_poses(TC, A, Float32Array(9))",
         "argument 3 (poses): expected 16 numbers for each of 3 units, got 9 in total"},
        {"TransformComponent.set_local_positions(TC, EntityArray({A:get(1), F}), Float32Array(6))",
         "argument 2 (entities): expected a Unit with a transform in this world at index 2"},
        {"TransformComponent.local_positions(TC, 5)",
         "argument 2 (entities): expected EntityArray or table, got number"},
        {"TransformComponent.local_positions(TC, A, A)",
         "argument 3 (result): expected Float32Array, got EntityArray"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        assert_lua_error(&f, cases[i].lua, cases[i].message);
    assert_lua(&f, "all(TransformComponent.world_positions(TC, A))", "1 2 3 4 5 6 7 8 9");
}

static void names_the_dead(void **state) {
    (void)state;
    run_lua(&f, "World.destroy_unit(W, A:get(2))");
    assert_lua_error(&f, "TransformComponent.set_local_positions(TC, A, Float32Array(9))",
                     "argument 2 (entities): expected Unit at index 2, got a destroyed Unit");
    assert_lua_error(&f, "World.destroy_units(W, A)",
                     "World.destroy_units: argument 2 (units): expected a Unit of this world at "
                     "index 2");
    assert_lua_error(&f, "EntityManager.destroy_many(A)",
                     "EntityManager.destroy_many: argument 1 (entities): expected a living Unit at "
                     "index 2");
    run_lua(&f, "A:remove_dead() World.destroy_units(W, A)");
    assert_lua(&f, "A:num_alive(), World.num_units(W)", "0\t1");
}

static void makes_and_ends_many_entities(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.create_many(W, 100, EntityArray()) "
                "T = EntityManager.create_many(nil, 2)");
    assert_lua(&f, "E:num_alive(), #T, Unit.world(E:get(100)) == W", "100\t2\ttrue");
    run_lua(&f, "EntityManager.destroy_many(E) EntityManager.destroy_many(T)");
    assert_lua(&f, "E:num_alive(), EntityManager.alive(T[1])", "0\tfalse");
    assert_lua_error(&f, "EntityManager.create_many(W, 4194304)", "no room for 4194304 more");
    assert_lua_error(&f, "EntityManager.create_many(W, -1)", "argument 2 (count)");
}

static void leaves_no_garbage(void **state) {
    (void)state;
    run_lua(
        &f,
        "P = Float32Array(9) M = Float32Array(48) Q = Float32Array(12) U = EntityArray() "
        "u = A:get(1) "
        "function calls(n) "
        "local v = Vector3(1, 2, 3) local temporaries = Script.temp_count() "
        "for i = 1, n do "
        "Unit.set_local_position(u, 1, v) Unit.local_position(u, 1) "
        "Unit.world_pose(u, 1) Unit.alive(u) Unit.num_meshes(u) "
        "TransformComponent.set_local_positions(TC, A, P) "
        "TransformComponent.local_rotations(TC, A, Q) "
        "TransformComponent.set_local_rotations(TC, A, Q) "
        "TransformComponent.world_poses(TC, A, M) "
        "TransformComponent.children(TC, u, U) "
        "Float32Array.add(P, 1, P) P:set(1, i) P:get(1) A:get(2) A:num_alive() "
        "World.units(W, U) "
        "Script.set_temp_count(temporaries) end end jit.off() calls(1000)"); // LuaJIT keeps what it compiles
    assert_lua(&f,
               "(function() collectgarbage() collectgarbage('stop') "
               "local before = collectgarbage('count') calls(20000) "
               "local grown = collectgarbage('count') - before collectgarbage('restart') "
               "return grown < 1 end)()",
               "true");
}

static void spawns_and_destroys_without_garbage(void **state) {
    (void)state;
    run_lua(&f, "E = EntityArray() X = Float32Array({1, 2, 3}) "
                "function churn(n) for i = 1, n do "
                "World.spawn_units(W, 'units/crate', X, nil, E) World.destroy_units(W, E) "
                "EntityManager.create_many(W, 3, E) EntityManager.destroy_many(E) end end "
                "jit.off() churn(500)");
    assert_lua(&f,
               "(function() collectgarbage() collectgarbage('stop') "
               "local before = collectgarbage('count') churn(1000) "
               "local grown = collectgarbage('count') - before collectgarbage('restart') "
               "return grown < 1 end)()",
               "true");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MANY_TEST(spawns_into_an_array), MANY_TEST(takes_the_same_rotations_for_one_and_for_many),
        MANY_TEST(spawns_into_an_array), MANY_TEST(gets_what_it_sets),
        MANY_TEST(takes_tables_too),     MANY_TEST(changes_nothing_when_one_is_wrong),
        MANY_TEST(names_the_dead),       MANY_TEST(makes_and_ends_many_entities),
        MANY_TEST(leaves_no_garbage),    MANY_TEST(spawns_and_destroys_without_garbage),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
