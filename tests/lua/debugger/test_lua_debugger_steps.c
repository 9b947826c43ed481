// Steps, pauses, errors and time limits.
#include "lua/debugger/lua_debugger_fixture.h"

#define INTO CT_LUA_STEP_INTO
#define OVER CT_LUA_STEP_OVER
#define OUT CT_LUA_STEP_OUT

// --- Steps ---------------------------------------------------------------------------------------

static const char calls[] = "function inner(a)\n"
                            "  local b = a\n"
                            "  return b\n"
                            "end\n"
                            "function outer()\n"
                            "  local x = inner(1)\n"
                            "  x = x + inner(2)\n"
                            "  pcall(inner, 3)\n"
                            "  return inner(x)\n"
                            "end\n"
                            "function update()\n"
                            "  outer()\n"
                            "  last = 1\n"
                            "end\n";

static void steps_over_calls(void **state) {
    (void)state;
    assert_true(boot_script(&f, calls));
    BREAK_ON(6);
    STEPS(OVER, OVER, OVER, OVER, OVER);
    run_lua(&f, "update()");
    ASSERT_LINES(6, 7, 8, 9, 13, 14);
    assert_int_equal(seen.stops[1].reason, CT_LUA_STOP_REASON_STEP);
}

static void steps_into_calls(void **state) {
    (void)state;
    assert_true(boot_script(&f, calls));
    BREAK_ON(6);
    STEPS(INTO, INTO, INTO, INTO, INTO, INTO);
    run_lua(&f, "update()");
    ASSERT_LINES(6, 2, 3, 7, 2, 3, 7);
}

static void steps_out_of_calls(void **state) {
    (void)state;
    assert_true(boot_script(&f, calls));
    BREAK_ON(2);
    STEPS(OUT, OVER, OUT);
    run_lua(&f, "update()");
    ASSERT_LINES(2, 7, 2, 7, 2, 2);
    STEPS(CT_LUA_STEP_CONTINUE, CT_LUA_STEP_CONTINUE, CT_LUA_STEP_CONTINUE, OUT, OVER);
    run_lua(&f, "update()");
    ASSERT_LINES(2, 2, 2, 2, 13, 14);
}

static void steps_from_call_to_call_of_the_engine(void **state) {
    (void)state;
    assert_true(boot_script(&f, calls));
    BREAK_ON(13);
    STEPS(OVER, OVER, OVER);
    run_lua(&f, "update()");
    ASSERT_LINES(13, 14);
    run_lua(&f, "update()");
    assert_int_equal(seen.stops[0].line, 12);
}

static void steps_over_errors(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function fail()\n"
                                "  local x = nil\n"
                                "  x = x + 1\n"
                                "end\n"
                                "function run()\n"
                                "  pcall(fail)\n"
                                "  local y = 1\n"
                                "  return y\n"
                                "end\n"));
    BREAK_ON(3);
    STEPS(OVER, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(3, 7, 8);
    BREAK_ON(6);
    STEPS(OVER, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(6, 7, 8);
    BREAK_ON(2);
    STEPS(OUT, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(2, 7, 8);
}

static void steps_through_recursion(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function sum(n)\n"
                                "  if n == 0 then return 0 end\n"
                                "  local rest = sum(n - 1)\n"
                                "  return n + rest\n"
                                "end\n"));
    ct_lua_breakpoint b = {.id = 7, .script = "main.lua", .line = 3, .hits = "1"};
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, NULL);
    STEPS(OVER);
    run_lua(&f, "sum(5)");
    ASSERT_LINES(3, 4);
    ct_lua_debugger_set_breakpoints(debugger, NULL, 0, NULL);
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, NULL);
    STEPS(INTO, INTO, INTO, OUT, OVER);
    run_lua(&f, "sum(5)");
    ASSERT_LINES(3, 2, 3, 2, 4, 4);
}

static void steps_into_coroutines_and_out_of_them(void **state) {
    (void)state;
    static const char text[] = "function body()\n"
                               "  local a = 1\n"
                               "  coroutine.yield(a)\n"
                               "  local b = 2\n"
                               "end\n"
                               "function run()\n"
                               "  local c = coroutine.wrap(body)\n"
                               "  local x = c()\n"
                               "  x = c()\n"
                               "  return x\n"
                               "end\n";
    assert_true(boot_script(&f, text));
    BREAK_ON(8);
    STEPS(OVER, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(8, 9, 10);
    STEPS(INTO, INTO, INTO, INTO, INTO);
    run_lua(&f, "run()");
    ASSERT_LINES(8, 2, 3, 9, 4, 5);
    BREAK_ON(3);
    STEPS(OVER, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(3, 9, 10);
    BREAK_ON(2);
    STEPS(OUT, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(2, 9, 10);
    BREAK_ON(4);
    STEPS(OVER, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(4, 5, 10);
}

static void steps_do_not_stop_in_the_engines_lua(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function run()\n"
                                "  for k, v in pairs({1, 2}) do\n"
                                "    last = v\n"
                                "  end\n"
                                "  xpcall(error, print)\n"
                                "end\n"));
    BREAK_ON(2);
    STEPS(INTO, INTO, INTO, INTO, INTO, INTO);
    run_lua(&f, "run()");
    ASSERT_LINES(2, 3, 2, 3, 2, 5, 6);
}

static void steps_into_metamethods(void **state) {
    (void)state;
    assert_true(boot_script(&f, "local t = setmetatable({}, {__add = function(a, b)\n"
                                "  return 5\n"
                                "end})\n"
                                "function run()\n"
                                "  local x = t + 1\n"
                                "  return x\n"
                                "end\n"));
    BREAK_ON(5);
    STEPS(INTO, OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(5, 2, 6);
    STEPS(OVER);
    run_lua(&f, "run()");
    ASSERT_LINES(5, 6);
}

// --- Pauses --------------------------------------------------------------------------------------

static void pauses_at_the_next_line(void **state) {
    (void)state;
    assert_true(boot_script(&f, calls));
    ct_lua_debugger_pause(debugger);
    STEPS(OVER);
    run_lua(&f, "update()");
    ASSERT_LINES(12, 13);
    assert_int_equal(seen.stops[0].reason, CT_LUA_STOP_REASON_PAUSE);
    assert_int_equal(seen.stops[1].reason, CT_LUA_STOP_REASON_STEP);
    run_lua(&f, "update()");
    assert_no_stops();
}

static void ask_for_pause(void *data) {
    ct_lua_debugger_pause(data);
}

static ct_thread_call pause_call;
static _Atomic int64_t lua_thread;
static void pause_later(void *data) {
    (void)data;
    ct_os_sleep_ns(200000000);
    ct_thread_interrupt(atomic_load(&lua_thread), &pause_call);
}

static void end_loop(uint32_t number, const ct_lua_stop *stop) {
    ct_lua_frame frame;
    ct_lua_debugger_value result;
    uint32_t total;
    ct_error error = {0};
    (void)number;
    assert_int_equal(ct_lua_debugger_frames(debugger, stop->coroutine, 0, 1, &frame, &total), 1);
    if (!ct_lua_debugger_evaluate(debugger, frame.frame, "done = true", 1, &result, &error))
        fail_msg("%s", error.message);
}

static void pauses_in_compiled_loops(void **state) {
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    assert_true(boot_script(&f, "function run()\n"
                                "  local done = false\n"
                                "  local n = 0\n"
                                "  while not done do\n"
                                "    n = n + 1\n"
                                "  end\n"
                                "  return 'done'\n"
                                "end\n"));
    pause_call = (ct_thread_call){ask_for_pause, debugger};
    atomic_store(&lua_thread, ct_thread_system_id());
    const ct_thread thread = ct_thread_start("pauses", pause_later, NULL);
    seen.inside = end_loop;
    assert_lua(&f, "run()", "done");
    ct_thread_join(thread);
    assert_int_equal(seen.num_stops, 1);
    assert_int_equal(seen.stops[0].reason, CT_LUA_STOP_REASON_PAUSE);
    assert_in_range(seen.stops[0].line, 4, 6);
}

// --- Errors --------------------------------------------------------------------------------------

static const char errors[] = "function fail()\n"
                             "  local t = nil\n"
                             "  return t.x\n"
                             "end\n"
                             "function catch()\n"
                             "  return (pcall(fail))\n"
                             "end\n"
                             "function again()\n"
                             "  local ok, message = pcall(fail)\n"
                             "  error(message, 0)\n"
                             "end\n"
                             "function wrapped()\n"
                             "  coroutine.wrap(fail)()\n"
                             "end\n"
                             "function resumed()\n"
                             "  return coroutine.resume(coroutine.create(fail))\n"
                             "end\n"
                             "function handled()\n"
                             "  return (xpcall(fail, function(m) return m end))\n"
                             "end\n";

static void stops_never_at_errors(void **state) {
    (void)state;
    assert_true(boot_script(&f, errors));
    assert_false(execute_lua(&f, "fail()"));
    assert_no_stops();
}

static void stops_at_uncaught_errors(void **state) {
    (void)state;
    assert_true(boot_script(&f, errors));
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_UNCAUGHT);
    assert_false(execute_lua(&f, "fail()"));
    ASSERT_LINES(3);
    assert_int_equal(seen.stops[0].reason, CT_LUA_STOP_REASON_ERROR);
    assert_non_null(strstr(seen.stops[0].text, "attempt to index local 't' (a nil value)"));
    assert_lua(&f, "catch()", "false");
    assert_lua(&f, "handled()", "false");
    run_lua(&f, "resumed()");
    assert_no_stops();
    assert_false(execute_lua(&f, "again()"));
    ASSERT_LINES(10);
    assert_false(execute_lua(&f, "wrapped()"));
    ASSERT_LINES(13);
    assert_false(execute_lua(&f, "local x = y + 1")); // of the console's own text
    assert_no_stops();
    assert_false(execute_lua(&f, "fail()"));
    assert_false(execute_lua(&f, "fail()"));
    ASSERT_LINES(3, 3);
}

static void stops_at_all_errors_once(void **state) {
    (void)state;
    assert_true(boot_script(&f, errors));
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_ALL);
    assert_lua(&f, "catch()", "false");
    ASSERT_LINES(3);
    assert_lua(&f, "handled()", "false");
    ASSERT_LINES(3);
    assert_false(execute_lua(&f, "again()"));
    ASSERT_LINES(3);
    assert_false(execute_lua(&f, "wrapped()"));
    ASSERT_LINES(3);
    run_lua(&f, "resumed()");
    ASSERT_LINES(3);
    run_lua(&f, "catch() catch()");
    ASSERT_LINES(3, 3);
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_UNCAUGHT);
    assert_lua(&f, "catch()", "false");
    run_lua(&f, "resumed()");
    assert_no_stops();
}

static void yields_through_pcall_when_all_errors_stop(void **state) {
    (void)state;
    assert_true(boot_script(&f, errors));
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_ALL);
    assert_lua(&f,
               "local c = coroutine.wrap(function() "
               "  return pcall(function(a) return a + coroutine.yield(1) end, 5) end) "
               "return c(), c(10)",
               "1\ttrue\t15");
    assert_lua(&f, "pcall(error, 'x')", "false\tx");
    assert_lua(&f, "select('#', pcall(function() return nil, nil end))", "3");
    assert_lua(&f, "coroutine.resume(coroutine.create(function(...) return ... end), 1, nil)",
               "true\t1\tnil");
}

static void survives_errors_of_full_stacks(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function deep(n)\n"
                                "  return 1 + deep(n + 1)\n"
                                "end\n"
                                "function handle()\n"
                                "  error('in the handler')\n"
                                "end\n"));
    for (int which = 0; which < 3; ++which) {
        ct_lua_debugger_stop_on_errors(debugger, (ct_lua_stop_on_errors)which);
        assert_false(execute_lua(&f, "deep(1)"));
        assert_lua(&f, "(pcall(deep, 1))", "false");
        assert_lua(&f, "(xpcall(deep, handle, 1))", "false");
        assert_lua(&f, "(xpcall(error, handle, 1))", "false");
        assert_lua(&f, "(coroutine.resume(coroutine.create(deep), 1))", "false");
        assert_lua(&f, "1 + 1", "2");
    }
    seen.num_stops = 0;
}

// --- Time ----------------------------------------------------------------------------------------

static void stops_where_a_call_takes_too_long(void **state) {
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    tear_down(NULL);
    f = start_script_with((ct_script_desc){.time_limit_seconds = 0.05, .stops_long_calls = true});
    attach((ct_lua_debugger_desc){0});
    assert_true(boot_script(&f, "function run()\n"
                                "  while true do end\n"
                                "end\n"));
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_UNCAUGHT);
    assert_lua_error(&f, "run()", "main.lua:2: stopped after ");
    ASSERT_LINES(2);
    assert_int_equal(seen.stops[0].reason, CT_LUA_STOP_REASON_TIME_LIMIT);
    assert_lua(&f, "1 + 1", "2");
}

static void wait_long(uint32_t number, const ct_lua_stop *stop) {
    (void)number, (void)stop;
    ct_os_sleep_ns(200000000);
}

static void time_that_it_is_stopped_does_not_count(void **state) {
    (void)state;
    tear_down(NULL);
    f = start_script_with((ct_script_desc){.time_limit_seconds = 0.1, .stops_long_calls = true});
    attach((ct_lua_debugger_desc){0});
    assert_true(boot_script(&f, "function run()\n"
                                "  local x = 1\n"
                                "  return x\n"
                                "end\n"));
    BREAK_ON(2);
    seen.inside = wait_long;
    assert_lua(&f, "run()", "1");
    ASSERT_LINES(2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DEBUGGER_TEST(steps_over_calls),
        DEBUGGER_TEST(steps_into_calls),
        DEBUGGER_TEST(steps_out_of_calls),
        DEBUGGER_TEST(steps_from_call_to_call_of_the_engine),
        DEBUGGER_TEST(steps_over_errors),
        DEBUGGER_TEST(steps_through_recursion),
        DEBUGGER_TEST(steps_into_coroutines_and_out_of_them),
        DEBUGGER_TEST(steps_do_not_stop_in_the_engines_lua),
        DEBUGGER_TEST(steps_into_metamethods),
        DEBUGGER_TEST(pauses_at_the_next_line),
        DEBUGGER_TEST(pauses_in_compiled_loops),
        DEBUGGER_TEST(stops_never_at_errors),
        DEBUGGER_TEST(stops_at_uncaught_errors),
        DEBUGGER_TEST(stops_at_all_errors_once),
        DEBUGGER_TEST(yields_through_pcall_when_all_errors_stop),
        DEBUGGER_TEST(survives_errors_of_full_stacks),
        DEBUGGER_TEST(stops_where_a_call_takes_too_long),
        DEBUGGER_TEST(time_that_it_is_stopped_does_not_count),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
