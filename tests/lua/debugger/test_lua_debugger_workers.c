// A worker's machine, which has a parent: it is made on this thread, and runs on another, while the
// parent's debugger waits.
#include "lua/debugger/lua_debugger_fixture.h"

#include "lua/lua_watch.h"

static const char script[] = "function add(a, b)\n"
                             "  local sum = a + b\n"
                             "  return sum\n"
                             "end\n"
                             "function work(n)\n"
                             "  local s = 0\n"
                             "  for i = 1, n do\n"
                             "    s = add(s, i)\n"
                             "  end\n"
                             "  return s\n"
                             "end\n"
                             "function hang()\n"
                             "  local done = false\n"
                             "  while not done do\n"
                             "  end\n"
                             "end\n";

static struct {
    ct_allocator *allocator;
    ct_lua lua;
    ct_lua_debugger *debugger;
    const char *text; // that the other thread runs
    bool has_run;
    _Atomic int64_t thread;
    _Atomic uint32_t num_stops;
    uint32_t lines[64];
    ct_lua_stop_reason reason;
    char local[CT_LUA_DEBUGGER_TEXT_BYTES], error[256];
} worker;

static void show_frame(ct_lua_debugger *d, const ct_lua_stop *stop) {
    ct_lua_frame frame;
    ct_lua_debugger_value result;
    uint32_t total;
    ct_error error = {0};
    assert_int_equal(ct_lua_debugger_frames(d, stop->coroutine, 0, 1, &frame, &total), 1);
    if (stop->reason == CT_LUA_STOP_REASON_PAUSE) {
        assert_true(ct_lua_debugger_evaluate(d, frame.frame, "done = true", 1, &result, &error));
        return;
    }
    assert_true(ct_lua_debugger_evaluate(d, frame.frame, "a + b", 1, &result, &error));
    snprintf(worker.local, sizeof(worker.local), "%s", result.text);
    assert_false(ct_lua_debugger_evaluate(d, frame.frame, "(function() while true do end end)()",
                                          0.1, &result, &error));
    snprintf(worker.error, sizeof(worker.error), "%.250s", error.message);
}

static void stop_worker(void *user, ct_lua_debugger *d, const ct_lua_stop *stop) {
    (void)user;
    const uint32_t number = atomic_load(&worker.num_stops);
    assert_int_equal(ct_thread_system_id(), atomic_load(&worker.thread));
    assert_true(ct_lua_debugger_is_stopped(d));
    worker.reason = stop->reason;
    worker.lines[number % CT_COUNT_OF(worker.lines)] = stop->place.line;
    if (number == 0)
        show_frame(d, stop);
    if (number == 0 && stop->reason == CT_LUA_STOP_REASON_BREAKPOINT)
        ct_lua_debugger_go_on(d, CT_LUA_STEP_OVER);
    atomic_store(&worker.num_stops, number + 1);
}

static int run_text(lua_State *L) {
    const char *const text = ct_lua_run_data(L);
    if (luaL_loadstring(L, text) != 0)
        lua_error(L);
    lua_call(L, 0, 0);
    return 0;
}

static int load_worker_script(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    if (luaL_loadbuffer(L, script, sizeof(script) - 1, "@worker.lua") != 0)
        lua_error(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "worker.lua");
    lua_call(L, 0, 0);
    return 0;
}

static bool is_array(const ct_lua_module *module, const ct_lua_function *function) {
    (void)function;
    return strcmp(module->name, "Float32Array") == 0 || strcmp(module->name, "EntityArray") == 0;
}

static int set_up_worker(void **state) {
    set_up(state);
    memset(&worker, 0, sizeof(worker));
    worker.allocator = ct_proxy_allocator_create(f.world.allocator, "worker");
    const ct_lua_desc desc = {.allocator = worker.allocator,
                              .entities = f.script->lua.entities,
                              .resources = f.script->lua.resources,
                              .modules = f.script->lua.modules,
                              .num_modules = f.script->lua.num_modules,
                              .opens = is_array,
                              .time_limit_seconds = 20,
                              .stops_long_calls = true,
                              .parent = &f.script->lua};
    ct_lua_init(&worker.lua, &desc);
    const ct_lua_newest before = ct_lua_enter(&worker.lua);
    assert_true(ct_lua_run(&worker.lua, load_worker_script, NULL));
    worker.debugger = ct_lua_debugger_create(
        worker.allocator, &(ct_lua_debugger_desc){.machine = &worker.lua, .stopped = stop_worker});
    ct_lua_leave(before);
    return 0;
}

static int tear_down_worker(void **state) {
    const ct_lua_newest before = ct_lua_enter(&worker.lua);
    ct_lua_debugger_destroy(worker.debugger);
    assert_true(ct_lua_run(&worker.lua, run_text, (void *)"assert(work(1000) == 500500)"));
    ct_lua_leave(before);
    ct_lua_watch_destroy(worker.lua.watch);
    ct_lua_shutdown(&worker.lua);
    ct_proxy_allocator_destroy(worker.allocator); // asserts that it is empty
    return tear_down(state);
}

static void run_on_thread(void *data) {
    (void)data;
    const ct_lua_newest before = ct_lua_enter(&worker.lua);
    atomic_store(&worker.thread, ct_thread_system_id());
    worker.has_run = ct_lua_run(&worker.lua, run_text, (void *)(uintptr_t)worker.text);
    ct_lua_leave(before);
}

static void run_worker(const char *text) {
    worker.text = text;
    ct_thread_join(ct_thread_start("worker", run_on_thread, NULL));
    if (!worker.has_run)
        fail_msg("%s", ct_string_builder_text(&worker.lua.error_message));
}

static void set_breakpoint(uint32_t line, const char *condition) {
    const ct_lua_breakpoint b = {
        .id = 1, .script = "worker.lua", .line = line, .condition = condition};
    ct_lua_breakpoint_place place;
    const ct_lua_newest before = ct_lua_enter(&worker.lua);
    ct_lua_debugger_set_breakpoints(worker.debugger, &b, line ? 1 : 0, &place);
    ct_lua_leave(before);
    assert_true(line == 0 || place.is_verified);
}

static void stops_and_steps_in_a_worker(void **state) {
    (void)state;
    run_worker("work(1000)");
    assert_int_equal(worker.num_stops, 0);
    set_breakpoint(2, "b == 500");
    run_worker("work(1000)");
    assert_int_equal(worker.num_stops, 2);
    assert_int_equal(worker.lines[0], 2);
    assert_int_equal(worker.lines[1], 3);
    assert_string_equal(worker.local, "125250");
    assert_non_null(strstr(worker.error, "of the debugger"));
    set_breakpoint(0, NULL);
    run_worker("work(1000)");
    assert_int_equal(worker.num_stops, 2);
    assert_int_equal(seen.num_stops, 0); // of the parent's debugger
}

static void has_breakpoints_of_its_own(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    BREAK_ON(2);
    run_worker("work(10)");
    assert_int_equal(worker.num_stops, 0);
    run_lua(&f, "work(2)");
    ASSERT_LINES(2, 2);
    set_breakpoint(3, NULL);
    run_lua(&f, "work(2)");
    ASSERT_LINES(2, 2);
    run_worker("work(2)");
    assert_int_equal(worker.lines[0], 3);
}

static void pause_worker(void *data) {
    (void)data;
    if (ct_lua_newest_here.machine == &worker.lua)
        ct_lua_debugger_pause(worker.debugger);
}

static void pauses_a_worker_that_never_returns(void **state) {
    static const ct_thread_call call = {pause_worker, NULL};
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); // its signals come late
#endif
    worker.text = "hang()";
    const ct_thread thread = ct_thread_start("worker", run_on_thread, NULL);
    while (atomic_load(&worker.num_stops) == 0) {
        ct_os_sleep_ns(20000000);
        if (atomic_load(&worker.thread))
            ct_thread_interrupt(atomic_load(&worker.thread), &call);
    }
    ct_thread_join(thread);
    assert_true(worker.has_run);
    assert_int_equal(worker.reason, CT_LUA_STOP_REASON_PAUSE);
    assert_int_equal(worker.lines[0], 14);
}

#define WORKER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_worker, tear_down_worker)

int main(void) {
    const struct CMUnitTest tests[] = {
        WORKER_TEST(stops_and_steps_in_a_worker),
        WORKER_TEST(has_breakpoints_of_its_own),
        WORKER_TEST(pauses_a_worker_that_never_returns),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
