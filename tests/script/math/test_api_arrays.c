// Float32Array and EntityArray.
#include "script/api_fixture.h"

static void gets_and_sets_items_from_1(void **state) {
    (void)state;
    run_lua(&f, "A = Float32Array(3) Float32Array.set(A, 2, 5)");
    assert_lua(&f, "A:get(1), A:get(2), A:get(3), A:size(), #A, tostring(A)",
               "0\t5\t0\t3\t3\tFloat32Array(3)");
    assert_lua(&f, "Script.type_name(A), getmetatable(A)", "Float32Array\tarray");
    run_lua(&f, "A = Float32Array({1, 2, 3}) A:push(0.5) A:fill(A:get(4))");
    assert_lua(&f, "A:get(1), A:get(4), A:size()", "0.5\t0.5\t4");
    run_lua(&f, "A:resize(1) A:resize(2) A:reserve(100) A:reserve(0)");
    assert_lua(&f, "A:get(1), A:get(2), Float32Array():size()", "0.5\t0\t0");
    run_lua(&f, "A:resize(6) A:set_vector3(2, Vector3(7, 8, 9))");
    assert_lua(&f, "parts(A:vector3(2))", "7\t8\t9");
    run_lua(&f, "B = Float32Array({4}) A:swap(B)");
    assert_lua(&f, "A:size(), B:size(), A:get(1), B:get(4)", "1\t6\t4\t7");
}

static void floats_are_copied_to_tables_and_back(void **state) {
    (void)state;
    run_lua(&f, "A = Float32Array({1, 2.5, -3}) T = A:to_table() K = {9, 9, 9, 9, 9, x = 1}");
    assert_lua(&f, "#T, T[1], T[2], T[3], A:to_table(K) == K, #K, K[3], K[4], K.x",
               "3\t1\t2.5\t-3\ttrue\t3\t-3\tnil\t1");
    assert_lua(&f, "#Float32Array():to_table(K), next(Float32Array():to_table())", "0\tnil");
    run_lua(&f, "A:assign({4, 5, 6, 7})");
    assert_lua(&f, "#A, A:get(1), A:get(4)", "4\t4\t7");
    run_lua(&f, "A:assign({8})");
    assert_lua(&f, "#A, A:get(1)", "1\t8");
    assert_lua_error(&f, "A:assign({1, 'x'})", "expected a number at index 2, got");
    assert_lua_error(&f, "A:assign()", "Float32Array.assign: argument 2 (numbers): expected table");
    assert_lua_error(&f, "A:to_table(5)",
                     "Float32Array.to_table: argument 2 (result): expected table");
}

static void refuses_what_is_out_of_range(void **state) {
    (void)state;
    run_lua(&f, "A = Float32Array(3)");
    assert_lua_error(&f, "A:get(0)",
                     "Float32Array.get: argument 2 (i): expected an integer from 1 to 3, got 0");
    assert_lua_error(&f, "A:set(4, 1)", "Float32Array.set: argument 2 (i)");
    assert_lua_error(&f, "A:get(1.5)", "expected an integer from 1 to 3, got 1.5");
    assert_lua_error(&f, "A:set(1, 'x')", "Float32Array.set: argument 3 (value): expected number");
    assert_lua_error(&f, "A:resize(-1)", "Float32Array.resize: argument 2 (size)");
    assert_lua_error(&f, "A:reserve(-1)", "Float32Array.reserve: argument 2 (size)");
    assert_lua_error(&f, "A:reserve(1e9)", "Float32Array.reserve: argument 2 (size)");
    assert_lua_error(&f, "Float32Array():get(1)", "argument 1 (self): expected an array with");
    assert_lua_error(&f, "Float32Array.get({}, 1)",
                     "argument 1 (self): expected Float32Array, got");
    assert_lua_error(&f, "Float32Array.get(EntityArray(), 1)", "got EntityArray");
    assert_lua_error(&f, "Float32Array.get(Vector3Box(), 1)", "got Vector3Box");
    assert_lua_error(&f, "Float32Array.get(C, 1)", "expected Float32Array, got Unit");
    assert_lua_error(&f, "Float32Array({1, 'x'})", "expected a number at index 2, got string");
    assert_lua_error(&f, "A:vector3(2)", "expected an integer from 1 to 1, got 2");
    assert_lua_error(&f, "Vector3Box.unbox(A)", "expected Vector3Box, got Float32Array");
}

static void calculates_item_by_item(void **state) {
    (void)state;
    run_lua(&f, "A = Float32Array({1, 2, 3, 4, 5}) B = Float32Array({5, 4, 3, 2, 1}) "
                "function all(a) local t = {} for i = 1, a:size() do t[i] = a:get(i) end "
                "return table.concat(t, ' ') end");
    assert_lua(&f, "all(Float32Array.add(A, B)), all(Float32Array.sub(A, B))",
               "6 6 6 6 6\t-4 -2 0 2 4");
    assert_lua(&f, "all(Float32Array.mul(A, 2)), all(Float32Array.div(60, A))",
               "2 4 6 8 10\t60 30 20 15 12");
    assert_lua(&f, "all(Float32Array.sub(1, A)), all(Float32Array.div(A, 2))",
               "0 -1 -2 -3 -4\t0.5 1 1.5 2 2.5");
    run_lua(&f, "Float32Array.mul(A, A, A)");
    assert_lua(&f, "all(A), all(A:sqrt(B)), all(B)", "1 4 9 16 25\t1 2 3 4 5\t1 2 3 4 5");
    assert_lua(&f, "Float32Array.add(A, 1, B) == B, all(A:copy(B)), all(A:copy())",
               "true\t1 4 9 16 25\t1 4 9 16 25");
    assert_lua_error(&f, "Float32Array.add(A, Float32Array(4))",
                     "Float32Array.add: argument 2 (b): expected 5 items, as many as the other "
                     "array has, got 4");
    assert_lua_error(&f, "Float32Array.add(1, 2)", "Float32Array.add: argument 2 (b)");
    assert_lua_error(&f, "Float32Array.add(A, C)", "expected Float32Array or number, got Unit");
    assert_lua_error(&f, "Float32Array.add(A, 1, {})",
                     "argument 3 (result): expected Float32Array");
}

// They hold no memory: nothing may copy from there.
static void takes_arrays_of_none(void **state) {
    (void)state;
    run_lua(&f, "A = Float32Array() B = Float32Array(0) A:fill(1) A:swap(B) A:resize(0)");
    assert_lua(&f, "#A:copy(), A:copy(B) == B, #A:sqrt(), A:sqrt(B) == B", "0\ttrue\t0\ttrue");
    assert_lua(&f, "#Float32Array.add(A, B), #Float32Array.div(A, 2), #Float32Array.sub(1, A, B)",
               "0\t0\t0");
    run_lua(&f, "D = Float32Array({1, 2}) A:copy(D)");
    assert_lua(&f, "#D", "0");
    run_lua(&f, "E = EntityArray() E:swap(EntityArray({})) E:resize(0)");
    assert_lua(&f, "E:size(), E:num_alive(), E:remove_dead()", "0\t0\t0");
}

static void keeps_entities_that_may_die(void **state) {
    (void)state;
    run_lua(&f, "A = EntityArray({C, L}) A:push(World.spawn_unit(W, 'units/bare'))");
    assert_lua(&f, "A:get(1) == C, A:get(2) == L, A:size(), #A, tostring(A)",
               "true\ttrue\t3\t3\tEntityArray(3)");
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua(&f, "A:size(), A:num_alive(), Unit.alive(A:get(1))", "3\t1\tfalse");
    assert_lua(&f, "A:remove_dead(), A:size(), A:num_alive()", "2\t1\t1");
    run_lua(&f, "E = A:get(1) A:set(1, E) A:push(C) A:remove(1)");
    assert_lua(&f, "A:get(1) == C, A:size()", "true\t1");
    run_lua(&f, "B = EntityArray() A:swap(B) B:resize(0)");
    assert_lua(&f, "A:size(), B:size()", "0\t0");
    assert_lua_error(&f, "A:get(1)", "EntityArray.get: argument 1 (self): expected an array with");
    assert_lua_error(&f, "A:push(5)", "EntityArray.push: argument 2 (entity): expected Unit");
    run_lua(&f, "A:reserve(50)");
    assert_lua(&f, "A:size()", "0");
    assert_lua_error(&f, "A:reserve(-1)", "EntityArray.reserve: argument 2 (size)");
    assert_lua_error(&f, "A:resize(1)", "EntityArray.resize: argument 2 (size)");
    assert_lua_error(&f, "EntityArray({5})", "expected a Unit at index 1, got number");
    assert_lua_error(&f, "EntityArray.get(Float32Array(1), 1)", "got Float32Array");
}

static void gives_memory_back_that_nobody_holds(void **state) {
    (void)state;
    run_lua(&f, "collectgarbage()");
    const uint64_t before = ct_script_memory_bytes(f.script);
    run_lua(&f, "for i = 1, 1000 do local a = Float32Array(100000) a:push(1) end");
    // Had none been collected, 400 MB would be held.
    assert_true(ct_script_memory_bytes(f.script) < before + (100u << 20));
    run_lua(&f, "collectgarbage() collectgarbage()");
    assert_true(ct_script_memory_bytes(f.script) < before + 100000);
}

static int set_up_small(void **state) {
    (void)state;
    f = start_api_with((ct_script_desc){.memory_limit_bytes = 32 << 20});
    return 0;
}

static void keeps_within_the_limit_of_memory(void **state) {
    (void)state;
    assert_lua_error(&f, "A = Float32Array(20000000)",
                     "Float32Array: not enough memory for an array of 20000000 items");
    assert_lua(&f, "A, Float32Array(10):size()", "nil\t10");
    assert_lua_error(&f, "T = {} for i = 1, 100 do T[i] = Float32Array(250000) end",
                     "most of it in the global T");
    assert_lua_error(&f, "Float32Array(1e9)", "expected an integer from 0 to");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(gets_and_sets_items_from_1),
        API_TEST(floats_are_copied_to_tables_and_back),
        API_TEST(refuses_what_is_out_of_range),
        API_TEST(calculates_item_by_item),
        API_TEST(takes_arrays_of_none),
        API_TEST(keeps_entities_that_may_die),
        API_TEST(gives_memory_back_that_nobody_holds),
        cmocka_unit_test_setup_teardown(keeps_within_the_limit_of_memory, set_up_small, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
