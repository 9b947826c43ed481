#include "script/api_fixture.h"

static int set_up_field(void **state) {
    set_up(state);
    run_lua(&f, "V, F = VectorField, World.vector_field(W, 'wind') "
                "function at(x, y, z) local v = V.evaluate(F, {Vector3(x, y, z)})[1] "
                "  return string.format('%.3g %.3g %.3g', v.x + 0, v.y + 0, v.z + 0) end");
    return 0;
}

#define FIELD_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_field, tear_down)

static void has_one_field_for_each_name(void **state) {
    (void)state;
    assert_lua(&f,
               "World.vector_field(W, 'wind') == F, World.vector_field(W, IdString32('wind')) == "
               "F, World.vector_field(W, 'other') == F",
               "true\ttrue\tfalse");
    assert_lua(&f, "at(1, 2, 3)", "0 0 0");
}

static void adds_changes_and_removes_effects(void **state) {
    (void)state;
    run_lua(&f, "a = V.add(F, 'wind', {vector = Vector3(1, 2, 3)}) "
                "b = V.add(F, 'wind', {vector = Vector3(10, 0, 0)}, {})");
    assert_lua(&f, "at(5, 5, 5)", "11 2 3");
    run_lua(&f, "V.change(F, b, 'push', {speed = 4, center = Vector3(1, 0, 0)})");
    assert_lua(&f, "at(3, 0, 0)", "5 2 3");
    run_lua(&f, "V.remove(F, a)");
    assert_lua(&f, "at(3, 0, 0)", "4 0 0");
    run_lua(&f,
            "V.remove(F, b) V.remove(F, b) V.change(F, b, 'noise', {speed = 1, frequency = 1})");
    assert_lua(&f, "at(3, 0, 0)", "0 0 0");
}

static void has_effects_of_all_kinds(void **state) {
    (void)state;
    run_lua(&f, "a = V.add(F, 'whirl', {speed = 2})");
    assert_lua(&f, "at(3, 0, 9)", "0 2 0");
    run_lua(&f, "V.change(F, a, 'whirl', {speed = 2, axis = Vector3(0, 0, -1)})");
    assert_lua(&f, "at(3, 0, 9)", "0 -2 0");
    run_lua(&f, "V.change(F, a, 'wave', {vector = Vector3(0, 3, 0), frequency = 0.25, rate = 0})");
    assert_lua(&f, "at(0, 1, 0)", "0 3 0");
    run_lua(&f, "V.change(F, a, 'noise', {speed = 3, frequency = 0.5, rate = 1})");
    assert_lua(&f, "Vector3.length(V.evaluate(F, {Vector3(0.3, 0.7, 0.2)})[1]) > 0", "true");
}

static void fades_and_ends_with_the_worlds_time(void **state) {
    (void)state;
    run_lua(&f, "a = V.add(F, 'wind', {vector = Vector3(4, 0, 0)}, "
                "{radius = 10, duration = 2, fade_in = 1, fade_out = 0.5})");
    assert_lua(&f, "at(0, 0, 0)", "0 0 0");
    run_lua(&f, "World.update(W, 0.5)");
    assert_lua(&f, "at(0, 0, 0), at(20, 0, 0)", "2 0 0\t0 0 0");
    run_lua(&f, "World.update(W, 0.5)");
    assert_lua(&f, "at(0, 0, 0), at(7.5, 0, 0)", "4 0 0\t2 0 0");
    run_lua(&f, "World.update(W, 1)");
    assert_lua(&f, "at(0, 0, 0)", "0 0 0");
}

static void evaluates_many_points(void **state) {
    (void)state;
    run_lua(
        &f,
        "V.add(F, 'push', {speed = 1}) "
        "function r() return V.evaluate(F, {Vector3(1, 0, 0), Vector3(0, -2, 0), Vector3(0, 0, 3), "
        "Vector3(-4, 0, 0), Vector3(0, 5, 0)}) end "
        "a = Float32Array(6) a:set(1, 2) a:set(5, 2)");
    assert_lua(&f, "#r(), r()[1].x, r()[2].y, r()[3].z, r()[4].x, r()[5].y", "5\t1\t-1\t1\t-1\t1");
    assert_lua(&f, "#V.evaluate(F, {}), V.evaluate(F, a)[2].y, V.evaluate(F, {0, 0, -1})[1].z",
               "0\t1\t-1");
    assert_lua_error(&f, "V.evaluate(F, {Vector3(1e8, 0, 0)})",
                     "VectorField.evaluate: argument 2 (points): point 1: expected numbers from");
}

static void refuses_wrong_names_and_values(void **state) {
    (void)state;
    assert_lua_error(&f, "V.add(F, 'winds', {})",
                     "VectorField.add: argument 2 (effect): expected \"wind\" or \"push\" or "
                     "\"whirl\" or \"wave\" or \"noise\", got \"winds\"");
    assert_lua_error(&f, "V.add(F, 'push', {sped = 1})",
                     "argument 3 (parameters): \"push\" has no parameter \"sped\", did you mean "
                     "\"speed\"?");
    assert_lua_error(&f, "V.add(F, 'wind', {vector = Vector3(1, 0, 0), altitude = 1})",
                     "\"wind\" has no parameter \"altitude\"; it has vector, center");
    assert_lua_error(&f, "V.add(F, 'wind', {})", "\"wind\" needs the parameter \"vector\"");
    assert_lua_error(&f, "V.add(F, 'wind', {vector = 3})",
                     "vector: expected a Vector3, got number");
    assert_lua_error(&f, "V.add(F, 'push', {speed = Vector3(1, 1, 1)})",
                     "speed: expected a number, got");
    assert_lua_error(&f, "V.add(F, 'push', {speed = '3'})", "speed: expected a number, got string");
    assert_lua_error(&f, "V.add(F, 'push', {speed = 0/0})", "speed: expected a number from");
    assert_lua_error(&f, "V.add(F, 'wind', {vector = Vector3(1/0, 0, 0)})",
                     "vector: expected numbers from -1e+07 to 1e+07, got inf");
    assert_lua_error(&f, "V.add(F, 'push', {speed = 1}, {radius = -1})",
                     "argument 4 (settings): radius: expected a number from 0");
    assert_lua_error(&f, "V.add(F, 'push', {speed = 1}, {duraton = 1})",
                     "\"push\" has no setting \"duraton\", did you mean \"duration\"?");
    assert_lua_error(&f, "V.add(F, 'push', {1})", "expected a table of values by name");
    assert_lua_error(&f, "V.add(F, 'push')", "argument 3 (parameters): expected table");
    assert_lua_error(&f, "V.add(F, 'push', {speed = 1}, 3)", "expected table or nil");
    assert_lua_error(&f, "V.change(F, 1, 'push', {})", "VectorField.change: argument 4");
    assert_lua(&f, "at(1, 1, 1)", "0 0 0");
}

static void has_room_for_so_many_effects(void **state) {
    (void)state;
    run_lua(&f, "for i = 1, 256 do a = V.add(F, 'push', {speed = 1}) end");
    assert_lua_error(&f, "V.add(F, 'push', {speed = 1})",
                     "VectorField.add: the field has 256 effects already; remove one, or give "
                     "them a duration");
    run_lua(&f, "V.remove(F, a) V.add(F, 'push', {speed = 1})");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIELD_TEST(has_one_field_for_each_name),  FIELD_TEST(adds_changes_and_removes_effects),
        FIELD_TEST(has_effects_of_all_kinds),     FIELD_TEST(fades_and_ends_with_the_worlds_time),
        FIELD_TEST(evaluates_many_points),        FIELD_TEST(refuses_wrong_names_and_values),
        FIELD_TEST(has_room_for_so_many_effects),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
