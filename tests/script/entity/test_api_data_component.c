// DataComponent.
#include "script/api_fixture.h"

static int set_up_data(void **state) {
    set_up(state);
    run_lua(&f, "DC = EntityManager.data_component() E = EntityManager.create(W) "
                "I = DataComponent.create(DC, E, 'main')");
    return 0;
}

#define DATA_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_data, tear_down)

static void gives_back_what_was_set(void **state) {
    (void)state;
    run_lua(&f, "DataComponent.set_property(DC, I, 'name', 'The One') "
                "DataComponent.set_property(DC, I, {'stats', 'health'}, 100.5) "
                "DataComponent.set_property(DC, I, {'drunk'}, true) "
                "DataComponent.set_property(DC, I, 'path', {1, 2, 3.5}) "
                "DataComponent.set_property(DC, I, 'none', {})");
    assert_lua(&f,
               "DataComponent.get_property(DC, I, {'name'}), "
               "DataComponent.get_property(DC, I, {'stats', 'health'}), "
               "DataComponent.get_property(DC, I, 'drunk'), "
               "table.concat(DataComponent.get_property(DC, I, 'path'), ' '), "
               "#DataComponent.get_property(DC, I, 'none')",
               "The One\t100.5\ttrue\t1 2 3.5\t0");
    assert_lua(&f,
               "DataComponent.get_property(DC, I, 'health'), "
               "DataComponent.get_property(DC, I, {'health', 'stats'}), "
               "DataComponent.get_property(DC, I, 'stats.health')",
               "nil\tnil\tnil");
    run_lua(&f, "DataComponent.set_property(DC, I, 'name', nil) "
                "DataComponent.set_property(DC, I, 'none', 'a\\0b')");
    assert_lua(&f,
               "DataComponent.get_property(DC, I, 'name'), "
               "#DataComponent.get_property(DC, I, 'none')",
               "nil\t3");
}

static void finds_data_by_id(void **state) {
    (void)state;
    run_lua(&f, "J = DataComponent.create(DC, E, 7)");
    assert_lua(&f,
               "DataComponent.lookup(DC, E, 'main') == I, DataComponent.lookup(DC, E, 7) == J, "
               "DataComponent.lookup(DC, E, 8), select('#', DataComponent.instances(DC, E)), "
               "select(2, DataComponent.instance_ids(DC, E))",
               "true\ttrue\tnil\t2\t7");
    assert_lua(&f,
               "DataComponent.set_property_by_id(DC, E, 7, 'a', 5) == J, "
               "DataComponent.get_property_by_id(DC, E, 7, 'a'), "
               "DataComponent.get_property_by_id(DC, E, 'main', 'a')",
               "true\t5\tnil");
    assert_lua_error(&f, "DataComponent.get_property_by_id(DC, E, 8, 'a')",
                     "argument 3 (id): the entity has no data with the id");
    assert_lua_error(&f, "DataComponent.create(DC, E, 'main')",
                     "argument 3 (id): the entity already has data with the id main");
}

static void gets_and_sets_numbers_of_many(void **state) {
    (void)state;
    run_lua(&f,
            "U = {} for i = 1, 5 do U[i] = EntityManager.create(i % 2 == 0 and W or nil) "
            "DataComponent.create(DC, U[i], 'other') DataComponent.create(DC, U[i], 'main') end "
            "A = EntityArray(U) F = Float32Array({1, 2, 3, 4, 5}) "
            "DataComponent.set_numbers(DC, A, 'main', {'stats', 'health'}, F) "
            "function all(array) local t = {} for i = 1, Float32Array.size(array) do "
            "t[i] = Float32Array.get(array, i) end return table.concat(t, ' ') end");
    assert_lua(&f,
               "DataComponent.get_property_by_id(DC, U[4], 'main', {'stats', 'health'}), "
               "DataComponent.get_property_by_id(DC, U[4], 'other', {'stats', 'health'}), "
               "all(DataComponent.get_numbers(DC, U, 'main', {'stats', 'health'}, 0))",
               "4\tnil\t1 2 3 4 5");
    run_lua(&f, "DataComponent.set_property_by_id(DC, U[2], 'main', {'stats', 'health'}, 'text') "
                "DataComponent.set_property_by_id(DC, U[3], 'main', {'stats', 'health'}, nil) "
                "R = Float32Array(1)");
    assert_lua(&f,
               "DataComponent.get_numbers(DC, A, 'main', {'stats', 'health'}, -1, R) == R, all(R), "
               "all(DataComponent.get_numbers(DC, EntityArray(), 'main', 'x', 0))",
               "true\t1 -1 -1 4 5\t");
    run_lua(&f, "local function both() for i = 1, 100 do "
                "DataComponent.get_numbers(DC, A, 'main', 'health', 0, R) "
                "DataComponent.set_numbers(DC, A, 'main', 'health', R) end end "
                "jit.off() both() collectgarbage() collectgarbage('stop') local before = "
                "collectgarbage('count') both() GARBAGE = collectgarbage('count') - before "
                "collectgarbage('restart')");
    assert_lua(&f, "GARBAGE < 1", "true");
}

static void refuses_what_is_wrong_with_one_of_many(void **state) {
    (void)state;
    run_lua(&f, "U = {E, EntityManager.create(W), EntityManager.create(W)} "
                "DataComponent.create(DC, U[2], 'main') "
                "DataComponent.set_numbers(DC, {E, U[2]}, 'main', 'n', Float32Array({7, 8}))");
    assert_lua_error(&f, "DataComponent.get_numbers(DC, U, 'main', 'n', 0)",
                     "DataComponent.get_numbers: argument 2 (entities): expected a Unit with data "
                     "with the id main at index 3");
    assert_lua_error(&f, "DataComponent.set_numbers(DC, U, 'main', 'n', Float32Array(3))",
                     "DataComponent.set_numbers: argument 2 (entities)");
    assert_lua_error(&f, "DataComponent.set_numbers(DC, {E, U[2]}, 'main', 'n', Float32Array(3))",
                     "argument 5 (numbers)");
    assert_lua_error(&f,
                     "DataComponent.set_numbers(DC, {E, U[2]}, 'main', 'n', "
                     "Float32Array({1, 0/0}))",
                     "argument 5 (numbers)");
    run_lua(&f, "EntityManager.destroy(U[3])");
    assert_lua_error(&f, "DataComponent.get_numbers(DC, U, 'main', 'n', 0)",
                     "expected Unit at index 3, got");
    assert_lua(&f,
               "DataComponent.get_property(DC, I, 'n'), "
               "DataComponent.get_property_by_id(DC, U[2], 'main', 'n')",
               "7\t8");
}

static void tells_what_has_ended(void **state) {
    (void)state;
    run_lua(&f, "DataComponent.destroy(DC, I) J = DataComponent.create(DC, E, 'main')");
    assert_lua(&f, "I == J, DataComponent.get_property(DC, J, 'a')", "false\tnil");
    assert_lua_error(&f, "DataComponent.get_property(DC, I, 'a')",
                     "DataComponent.get_property: argument 2 (instance): expected an instance, got "
                     "a destroyed one");
    assert_lua_error(&f, "DataComponent.destroy(DC, I)", "DataComponent.destroy: argument 2");
    run_lua(&f, "EntityManager.destroy(E)"); // whose data ends later, which nobody sees
    assert_lua_error(&f, "DataComponent.set_property(DC, J, 'a', 1)", "got a destroyed one");
    assert_lua_error(&f, "DataComponent.lookup(DC, E, 'main')",
                     "DataComponent.lookup: argument 2 (entity): expected Unit, got a destroyed");
    run_lua(&f, "E = EntityManager.create() I = DataComponent.create(DC, E, 1) "
                "DataComponent.destroy_all(DC, E)");
    assert_lua(&f, "select('#', DataComponent.instances(DC, E))", "0");
    assert_lua_error(&f, "DataComponent.destroy(DC, I)", "got a destroyed one");
}

static void refuses_keys_and_values_of_other_types(void **state) {
    (void)state;
#define SET "DataComponent.set_property(DC, I, "
    assert_lua_error(&f, SET "5, 1)",
                     "argument 3 (key): expected string or array of strings, got number");
    assert_lua_error(&f, SET "{}, 1)", "expected an array of strings, got an empty one");
    assert_lua_error(&f, SET "{'a', 5}, 1)", "expected a string at index 2, got number");
    assert_lua_error(&f, SET "'a', print)",
                     "argument 4 (value): expected boolean, number, string, array of numbers or "
                     "nil, got function");
    assert_lua_error(&f, SET "'a')", "expected boolean, number, string, array of numbers or nil");
    assert_lua_error(&f, SET "'a', Vector3(1, 2, 3))", "got Vector3");
    assert_lua_error(&f, SET "'a', 0 / 0)", "argument 4 (value): expected a finite number");
    assert_lua_error(&f, SET "'a', 1e300)",
                     "expected a number in the range of a float, got 1e+300");
    assert_lua_error(&f, SET "'a', {1, 1e300})", "in the range of a float at index 2");
    assert_lua_error(&f, SET "'a', {1, 'b'})", "expected a number at index 2, got string");
    assert_lua_error(&f, SET "'a', {b = 1})", "expected an array of numbers, got another table");
    assert_lua_error(&f, SET "'a', string.rep('x', 66000))",
                     "argument 4 (value): the data of an instance takes at most 65536 bytes");
    assert_lua_error(&f, "DataComponent.get_property(W, I, 'a')",
                     "argument 1 (self): expected DataComponent, got World");
    assert_lua(&f, "DataComponent.get_property(DC, I, 'a')", "nil");
}

static void makes_no_garbage(void **state) {
    (void)state;
    run_lua(&f,
            "key = {'stats', 'health'} path = {1, 2, 3} "
            "function many() for i = 1, 10000 do "
            "  DataComponent.set_property(DC, I, key, i) "
            "  DataComponent.set_property(DC, I, 'path', path) "
            "  DataComponent.set_property(DC, I, 'name', i % 2 == 0 and 'a' or 'longer') "
            "  DataComponent.set_property_by_id(DC, E, 'main', 'on', true) "
            "  sum = DataComponent.get_property(DC, I, key) "
            "  DataComponent.get_property(DC, I, 'name') end end "
            "jit.off() many() collectgarbage() collectgarbage('stop') " // the compiler makes some
            "before = collectgarbage('count') many() after = collectgarbage('count') "
            "collectgarbage('restart')");
    assert_lua(&f, "after - before < 1, sum", "true\t10000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DATA_TEST(gives_back_what_was_set),
        DATA_TEST(finds_data_by_id),
        DATA_TEST(gets_and_sets_numbers_of_many),
        DATA_TEST(refuses_what_is_wrong_with_one_of_many),
        DATA_TEST(tells_what_has_ended),
        DATA_TEST(refuses_keys_and_values_of_other_types),
        DATA_TEST(makes_no_garbage),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
