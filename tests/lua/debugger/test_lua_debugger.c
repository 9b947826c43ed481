// Breakpoints: they are hit, each time and no more often, wherever the code runs.
#include "lua/debugger/lua_debugger_fixture.h"

// --- In calls ------------------------------------------------------------------------------------

static void stops_at_a_line(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function add(a, b)\n"
                                "  local sum = a + b\n"
                                "  return sum\n"
                                "end\n"));
    BREAK_ON(2);
    assert_lua(&f, "add(1, 2)", "3");
    ASSERT_LINES(2);
    assert_int_equal(seen.stops[0].reason, CT_LUA_STOP_REASON_BREAKPOINT);
    assert_string_equal(seen.stops[0].script, "main.lua");
    assert_int_equal(seen.stops[0].breakpoint, 1);
    BREAK_ON(3);
    assert_lua(&f, "add(1, 2)", "3");
    ASSERT_LINES(3);
    break_on(NULL, 0);
    assert_lua(&f, "add(1, 2)", "3");
    assert_no_stops();
}

static void stops_once_for_a_line_with_calls(void **state) {
    (void)state;
    assert_true(boot_script(&f,
                            "local function one() return 1 end\n"
                            "local function two(...)\n"
                            "  return ...\n"
                            "end\n"
                            "function sum()\n"
                            "  local s = one() + two(2) + pcall(one) .. tostring(pcall(error))\n"
                            "  return s\n"
                            "end\n"));
    BREAK_ON(6);
    execute_lua(&f, "sum()");
    ASSERT_LINES(6);
}

static void stops_in_functions_on_one_line(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function one() return 1 end\n"
                                "function two(...) return 2, ... end\n"));
    BREAK_ON(1, 2);
    assert_lua(&f, "one(), one(), two(3)", "1\t1\t2\t3");
    ASSERT_LINES(1, 1, 2);
}

static void stops_in_tail_calls_varargs_and_closures(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function last(n, ...)\n"
                                "  if n == 0 then\n"
                                "    return ...\n"
                                "  end\n"
                                "  return last(n - 1, ...)\n"
                                "end\n"
                                "function count()\n"
                                "  local n = 0\n"
                                "  return function()\n"
                                "    n = n + 1\n"
                                "    return n\n"
                                "  end\n"
                                "end\n"
                                "a, b = count(), count()\n"));
    BREAK_ON(5, 10);
    assert_lua(&f, "last(3, 'x')", "x");
    ASSERT_LINES(5, 5, 5);
    assert_lua(&f, "a(), a(), b()", "1\t2\t1");
    ASSERT_LINES(10, 10, 10);
}

static void stops_in_recursion(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function fibonacci(n)\n"
                                "  if n < 2 then return n end\n"
                                "  return fibonacci(n - 1) + fibonacci(n - 2)\n"
                                "end\n"));
    BREAK_ON(2);
    assert_lua(&f, "fibonacci(7)", "13");
    assert_int_equal(seen.num_stops, 41);
    seen.num_stops = 0;
    BREAK_ON(3);
    assert_lua(&f, "fibonacci(7)", "13");
    assert_int_equal(seen.num_stops, 20);
}

static void stops_in_metamethods_and_callbacks(void **state) {
    (void)state;
    assert_true(boot_script(&f, "local meta = {}\n"
                                "function meta.__add(a, b)\n"
                                "  return 7\n"
                                "end\n"
                                "function meta.__index(t, k)\n"
                                "  return k\n"
                                "end\n"
                                "t = setmetatable({}, meta)\n"
                                "function run()\n"
                                "  local x = t + 1 + t.y .. t.z\n"
                                "  return x\n"
                                "end\n"
                                "function by_size(a, b)\n"
                                "  return a < b\n"
                                "end\n"));
    BREAK_ON(3, 6, 10, 14);
    execute_lua(&f, "t + 1");
    ASSERT_LINES(3);
    execute_lua(&f, "t.x");
    ASSERT_LINES(6);
    run_lua(&f, "table.sort({2, 1}, by_size)");
    assert_true(seen.num_stops >= 1);
    assert_int_equal(seen.stops[0].line, 14);
    seen.num_stops = 0;
    run_lua(&f, "t.y = 5 run()");
    ASSERT_LINES(10, 3, 6);
}

static void stops_after_a_caught_error(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function fail()\n"
                                "  error('no')\n"
                                "end\n"
                                "function run()\n"
                                "  local ok = pcall(fail)\n"
                                "  local x = 1\n"
                                "  ok = pcall(fail)\n"
                                "  return ok\n"
                                "end\n"));
    BREAK_ON(5, 6, 7, 8);
    assert_lua(&f, "run()", "false");
    ASSERT_LINES(5, 6, 7, 8);
    assert_lua(&f, "run()", "false");
    ASSERT_LINES(5, 6, 7, 8);
}

// --- In compiled code ----------------------------------------------------------------------------

static const char hot[] = "function other(n)\n"
                          "  return n + 1\n"
                          "end\n"
                          "function add(a, b)\n"
                          "  return a + b\n"
                          "end\n"
                          "function work(n)\n"
                          "  local s = 0\n"
                          "  for i = 1, n do\n"
                          "    s = add(s, i)\n"
                          "    if i % 250000 == 0 then\n"
                          "      s = other(s)\n"
                          "    end\n"
                          "  end\n"
                          "  return s\n"
                          "end\n";

static void stops_in_code_that_was_compiled(void **state) {
    (void)state;
    assert_true(boot_script(&f, hot));
    run_lua(&f, "work(1000000)");
    BREAK_ON(2);
    run_lua(&f, "work(1000000)");
    ASSERT_LINES(2, 2, 2, 2);
    run_lua(&f, "work(1000000)");
    ASSERT_LINES(2, 2, 2, 2);
    BREAK_ON(12);
    run_lua(&f, "work(1000000)");
    ASSERT_LINES(12, 12, 12, 12);
    break_on(NULL, 0);
    run_lua(&f, "work(1000000)");
    assert_no_stops();
    BREAK_ON(5);
    run_lua(&f, "work(1000)");
    assert_int_equal(seen.num_stops, 1000);
    seen.num_stops = 0;
    BREAK_ON(2, 5);
    run_lua(&f, "work(1000)");
    assert_int_equal(seen.num_stops, 1000);
}

static void stops_each_time_in_a_function_that_gets_hot(void **state) {
    (void)state;
    assert_true(boot_script(&f, hot));
    BREAK_ON(2);
    run_lua(&f, "for i = 1, 1000 do other(i) end");
    assert_int_equal(seen.num_stops, 1000);
}

static int open_jit_util(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_JIT);
    lua_getfield(L, -1, "util");
    lua_call(L, 0, 1);
    lua_setglobal(L, "util");
    return 0;
}

// The loop is in compiled code that runs in a circle, though a function that it calls has a breakpoint.
static void leaves_other_code_compiled(void **state) {
    static const char count[] = "(function() local n = 0 for i = 1, 100 do "
                                "  local t = util.traceinfo(i) "
                                "  if t and t.linktype == 'loop' then n = n + 1 end "
                                "end return n end)()";
    (void)state;
    assert_true(boot_script(&f, hot));
    assert_true(ct_lua_run(&f.script->lua, open_jit_util, NULL));
    run_lua(&f, "work(1000000)");
    BREAK_ON(2);
    assert_lua(&f, count, "0");
    run_lua(&f, "work(1000000)");
    ASSERT_LINES(2, 2, 2, 2);
    assert_lua(&f, count, "1");
    // A compiled loop calls no hooks: there are few events of lines of it.
    const uint64_t start = ct_os_time_ns();
    run_lua(&f, "work(10000000)");
    print_message("%.2f ns an iteration\n", (double)(ct_os_time_ns() - start) * 1e-7);
    assert_int_equal(seen.num_stops, 40);
}

static void compiles_again_without_breakpoints(void **state) {
    static const char count[] = "(function() local n = 0 for i = 1, 100 do "
                                "  local t = util.traceinfo(i) "
                                "  if t and t.linktype == 'loop' then n = n + 1 end "
                                "end return n end)()";
    (void)state;
    assert_true(boot_script(&f, hot));
    assert_true(ct_lua_run(&f.script->lua, open_jit_util, NULL));
    ct_lua_breakpoint b = {.id = 1, .script = "main.lua", .line = 5, .condition = "a == 'no'"};
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, NULL);
    run_lua(&f, "work(20000)");
    assert_lua(&f, count, "0"); // LuaJIT has given up on the loop
    break_on(NULL, 0);
    run_lua(&f, "work(20000)");
    assert_lua(&f, count, "1");
    assert_no_stops();
}

// As the engine calls behaviours.
static void stops_in_what_loops_of_the_engine_call(void **state) {
    (void)state;
    assert_true(boot_script(&f, hot));
    run_lua(&f, "loop = load('local f, n = ... for i = 1, n do f(i) end', '=(update of x)') "
                "loop(other, 100000)");
    BREAK_ON(2);
    run_lua(&f, "loop(other, 3)");
    ASSERT_LINES(2, 2, 2);
    const ct_lua_breakpoint b = {.id = 1, .script = "main.lua", .line = 2, .hits = "1"};
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, NULL);
    STEPS(CT_LUA_STEP_OVER); // to the next line of a script, not in the loop
    run_lua(&f, "loop(other, 4)");
    ASSERT_LINES(2, 2);
    assert_int_equal(seen.stops[1].reason, CT_LUA_STOP_REASON_STEP);
}

// --- In coroutines -------------------------------------------------------------------------------

static void stops_in_coroutines(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function body(n)\n"
                                "  for i = 1, n do\n"
                                "    local x = coroutine.yield(i)\n"
                                "    last = x\n"
                                "  end\n"
                                "end\n"
                                "c = coroutine.wrap(body)\n"
                                "d = coroutine.create(body)\n"));
    BREAK_ON(3, 4);
    run_lua(&f, "c(3)");
    ASSERT_LINES(3);
    run_lua(&f, "for i = 1, 1000 do local x = i end");
    run_lua(&f, "c(1)");
    ASSERT_LINES(4, 3);
    run_lua(&f, "coroutine.resume(d, 2)");
    ASSERT_LINES(3);
    run_lua(&f, "c(1) coroutine.resume(d)");
    ASSERT_LINES(4, 3, 4, 3);
}

static void stops_in_coroutines_that_wait_already(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function body()\n"
                                "  local n = 0\n"
                                "  while true do\n"
                                "    n = n + 1\n"
                                "    coroutine.yield()\n"
                                "  end\n"
                                "end\n"
                                "c = coroutine.wrap(body)\n"
                                "d = coroutine.create(function() body() end)\n"
                                "function update() c() coroutine.resume(d) end\n"));
    for (int i = 0; i < 200; ++i)
        run_lua(&f, "update()");
    BREAK_ON(4);
    run_lua(&f, "update()");
    ASSERT_LINES(4, 4);
    for (int i = 0; i < 100; ++i)
        run_lua(&f, "for i = 1, 300 do local x = i end update()");
    assert_int_equal(seen.num_stops, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DEBUGGER_TEST(stops_at_a_line),
        DEBUGGER_TEST(stops_once_for_a_line_with_calls),
        DEBUGGER_TEST(stops_in_functions_on_one_line),
        DEBUGGER_TEST(stops_in_tail_calls_varargs_and_closures),
        DEBUGGER_TEST(stops_in_recursion),
        DEBUGGER_TEST(stops_in_metamethods_and_callbacks),
        DEBUGGER_TEST(stops_after_a_caught_error),
        DEBUGGER_TEST(stops_in_code_that_was_compiled),
        DEBUGGER_TEST(stops_each_time_in_a_function_that_gets_hot),
        DEBUGGER_TEST(leaves_other_code_compiled),
        DEBUGGER_TEST(compiles_again_without_breakpoints),
        DEBUGGER_TEST(stops_in_what_loops_of_the_engine_call),
        DEBUGGER_TEST(stops_in_coroutines),
        DEBUGGER_TEST(stops_in_coroutines_that_wait_already),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
