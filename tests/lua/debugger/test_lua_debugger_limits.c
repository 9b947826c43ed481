// What never returns: loops of scripts that a pause stops, evaluations and logs that end.
#include "lua/debugger/lua_debugger_fixture.h"

#include "lua/lua_check.h"

// --- Another thread ------------------------------------------------------------------------------

static ct_thread_call call;
static _Atomic int64_t lua_thread;
static _Atomic uint32_t num_asked;
static _Atomic bool has_begun;
static uint32_t num_refused; // questions that are answered with no

static void ask_for_pause(void *data) {
    ct_lua_debugger_pause(data);
}

static void ask(void *data) {
    ct_lua_debugger_ask(data);
}

static int begin(lua_State *L) {
    (void)L;
    atomic_store(&has_begun, true);
    return 0;
}

// Interrupts the thread that runs Lua, once it has begun, until it has stopped.
static void interrupt_later(void *data) {
    (void)data;
    for (uint32_t i = 0; i < 1000 && seen.num_stops == 0; ++i) {
        ct_os_sleep_ns(20000000);
        if (atomic_load(&has_begun))
            ct_thread_interrupt(atomic_load(&lua_thread), &call);
    }
}

// Runs Lua that does not end before it was stopped.
static void run_interrupted(const char *lua, void (*function)(void *data)) {
#ifdef __SANITIZE_THREAD__
    skip(); // its signals come late
#endif
    call = (ct_thread_call){function, debugger};
    lua_register(f.script->lua.lua, "begin", begin);
    atomic_store(&has_begun, false);
    atomic_store(&lua_thread, ct_thread_system_id());
    const ct_thread thread = ct_thread_start("interrupts", interrupt_later, NULL);
    run_lua(&f, lua);
    ct_thread_join(thread);
    assert_true(seen.num_stops >= 1); // the thread may have interrupted once more
    assert_int_equal(seen.stops[0].reason, CT_LUA_STOP_REASON_PAUSE);
}

// Ends the loop at the first stop.
static void set_done(uint32_t number, const ct_lua_stop *stop) {
    ct_lua_frame frame;
    ct_lua_debugger_value result;
    ct_error error = {0};
    uint32_t total;
    if (number > 0)
        return;
    assert_int_equal(ct_lua_debugger_frames(debugger, stop->coroutine, 0, 1, &frame, &total), 1);
    assert_true(ct_lua_debugger_evaluate(debugger, frame.frame, "done = true", 1, &result, &error));
}

// --- Pauses --------------------------------------------------------------------------------------

static const char loop[] = "function run()\n"
                           "  local done = false begin()\n"
                           "  while not done do\n"
                           "  end\n"
                           "end\n";

static void pauses_a_compiled_loop(void **state) {
    (void)state;
    assert_true(boot_script(&f, loop));
    seen.inside = set_done;
    run_interrupted("run()", ask_for_pause);
    assert_int_equal(seen.stops[0].line, 3);
}

static void restart(ct_script_desc wanted, ct_lua_debugger_desc desc) {
    tear_down(NULL);
    f = start_script_with(wanted);
    attach(desc);
}

// Compiled code is not interruptible there without a debugger.
static void pauses_where_long_calls_are_not_stopped(void **state) {
    (void)state;
    restart((ct_script_desc){0}, (ct_lua_debugger_desc){0});
    assert_true(boot_script(&f, loop));
    seen.inside = set_done;
    run_interrupted("run()", ask_for_pause);
    assert_int_equal(seen.stops[0].line, 3);
    assert_true(f.script->lua.is_interruptible);
    ct_lua_debugger_destroy(debugger);
    debugger = NULL;
    assert_false(f.script->lua.is_interruptible);
}

static void pauses_in_a_text_that_a_script_loads(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function run()\n"
                                "  done = false\n"
                                "  local loop = load('begin() while not done do end')\n"
                                "  loop()\n"
                                "end\n"));
    seen.inside = set_done;
    run_interrupted("run()", ask_for_pause);
}

static bool answer(void *user, ct_lua_debugger *d) {
    (void)user;
    assert_ptr_equal(d, debugger);
    assert_false(ct_lua_debugger_is_stopped(d));
    return atomic_fetch_add(&num_asked, 1) >= num_refused;
}

static void asks_whether_to_stop(void **state) {
    (void)state;
    restart((ct_script_desc){.time_limit_seconds = 20, .stops_long_calls = true},
            (ct_lua_debugger_desc){.asked = answer});
    assert_true(boot_script(&f, loop));
    seen.inside = set_done;
    atomic_store(&num_asked, 0);
    num_refused = 3;
    run_interrupted("run()", ask);
    assert_true(atomic_load(&num_asked) >= 4);
}

// --- Evaluations ---------------------------------------------------------------------------------

static const char *evaluate(const char *text, ct_lua_debugger_value *result) {
    static ct_error error;
    error.message[0] = '\0';
    const bool is_done = ct_lua_debugger_evaluate(debugger, 0, text, 0.2, result, &error);
    assert_int_equal(is_done, error.message[0] == '\0');
    return error.message;
}

static void evaluates_without_a_stop(void **state) {
    ct_lua_debugger_value result, parts[4];
    ct_error error = {0};
    uint32_t total;
    (void)state;
    assert_true(boot_script(&f, "t = {a = 1, b = 'two'}\nfunction get()\n  return t\nend\n"));
    BREAK_ON(3);
    assert_string_equal(evaluate("get()", &result), "");
    assert_no_stops();
    assert_string_equal(result.type, "table");
    assert_int_equal(result.count, 2);
    assert_int_equal(ct_lua_debugger_parts(debugger, result.value, 0, 4, parts, &total, &error), 2);
    assert_string_equal(parts[1].name, "b");
    assert_string_equal(parts[1].text, "\"two\"");
    assert_true(ct_lua_debugger_set(debugger, result.value, "a", 0, "1 + 1", &parts[0], &error));
    assert_lua(&f, "t.a", "2");
    assert_non_null(strstr(evaluate("nothing.x", &result), "nothing"));
    assert_false(ct_lua_debugger_evaluate(debugger, 7, "1", 1, &result, &error));
    // Values of before go when the machine goes on after a stop.
    assert_string_equal(evaluate("t", &result), "");
    run_lua(&f, "get()");
    ASSERT_LINES(3);
    assert_int_equal(ct_lua_debugger_parts(debugger, result.value, 0, 4, parts, &total, &error), 0);
    assert_non_null(strstr(error.message, "there is no value"));
    for (uint32_t i = 0; i < 10000; ++i)
        assert_string_equal(evaluate("t", &result), "");
    assert_int_equal(ct_lua_debugger_parts(debugger, result.value, 0, 4, parts, &total, &error), 2);
}

static int call_engine(lua_State *L) {
    lua_settop(L, 1);
    return ct_lua_call_in(L, 0, 0) == 0 ? 0 : luaL_error(L, "it failed");
}

static void ends_evaluations_that_never_return(void **state) {
    static const char *const texts[] = {
        "while true do end",
        "(function() while true do pcall(error) end end)()",
        "(function() local function f() return f() end return f() end)()",
        "coroutine.wrap(function() while true do end end)()",
        "call_engine(function() end), (function() while true do end end)()",
    };
    (void)state;
    for (uint32_t i = 0; i < 2; ++i) {
        lua_register(f.script->lua.lua, "call_engine", call_engine);
        assert_true(boot_script(&f, "x = 1\n"));
        for (uint32_t k = 0; k < CT_COUNT_OF(texts); ++k) {
            ct_lua_debugger_value result;
            const uint64_t start = ct_os_time_ns();
            assert_non_null(strstr(evaluate(texts[k], &result), "of the debugger"));
            assert_in_range(ct_os_time_ns() - start, 100000000, 5000000000);
        }
        assert_lua(&f, "x", "1");
        if (i == 0)
            restart((ct_script_desc){0}, (ct_lua_debugger_desc){0});
    }
}

// Else a loop would take as long as that each time.
static void stops_at_a_log_that_never_ends(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function run()\n"
                                "  for i = 1, 3 do\n"
                                "    x = i\n"
                                "  end\n"
                                "end\n"));
    const ct_lua_breakpoint b = {.id = 1,
                                 .script = "main.lua",
                                 .line = 3,
                                 .log = "{i} {i == 2 and (function() while true do end end)()}"};
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, NULL);
    run_lua(&f, "run()");
    assert_int_equal(seen.num_stops, 1);
    assert_int_equal(seen.stops[0].line, 3);
    assert_non_null(strstr(seen.stops[0].text, "of the debugger"));
    assert_non_null(strstr(seen.logged, "1 main.lua:3 1 false\n"));
    assert_non_null(strstr(seen.logged, "1 main.lua:3 3 false\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DEBUGGER_TEST(pauses_a_compiled_loop),
        DEBUGGER_TEST(pauses_where_long_calls_are_not_stopped),
        DEBUGGER_TEST(pauses_in_a_text_that_a_script_loads),
        DEBUGGER_TEST(asks_whether_to_stop),
        DEBUGGER_TEST(evaluates_without_a_stop),
        DEBUGGER_TEST(ends_evaluations_that_never_return),
        DEBUGGER_TEST(stops_at_a_log_that_never_ends),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
