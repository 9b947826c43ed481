// Conditions, hits, logs, places; scripts that are loaded later or again; detaching; two machines.
#include "lua/debugger/lua_debugger_fixture.h"

static const char script[] = "function step(i)\n"
                             "  local x = i * 2\n"
                             "\n"
                             "  -- nothing here\n"
                             "  return x\n"
                             "end\n"
                             "\n"
                             "function run(n)\n"
                             "  local sum = 0\n"
                             "  for i = 1, n do\n"
                             "    sum = sum + step(i)\n"
                             "  end\n"
                             "  return sum\n"
                             "end\n";

static ct_lua_breakpoint_place set(ct_lua_breakpoint b) {
    ct_lua_breakpoint_place place;
    b.id = b.id ? b.id : 5;
    b.script = b.script ? b.script : "main.lua";
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, &place);
    return place;
}

static void assert_hits(const char *hits, uint32_t count) {
    ct_lua_debugger_set_breakpoints(debugger, NULL, 0, NULL);
    set((ct_lua_breakpoint){.line = 2, .hits = hits});
    run_lua(&f, "run(20)");
    assert_int_equal(seen.num_stops, count);
    seen.num_stops = 0;
}

static void stops_when_conditions_are_true(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    set((ct_lua_breakpoint){.line = 5, .condition = "i % 7 == 0 and x == 2 * i"});
    assert_lua(&f, "run(20)", "420");
    ASSERT_LINES(5, 5);
    set((ct_lua_breakpoint){.line = 5, .condition = "x = 1"}); // a statement has no value
    assert_lua(&f, "run(3)", "3");
    assert_no_stops();
    set((ct_lua_breakpoint){.line = 5, .condition = "Vector3(i, 0, 0).x > 100000"});
    run_lua(&f, "for i = 1, 100 do run(1000) end");
    assert_true(f.script->lua.num_temporaries < 100);
}

static void stops_where_conditions_fail(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    set((ct_lua_breakpoint){.line = 5, .condition = "missing.x"});
    run_lua(&f, "run(1)");
    assert_non_null(strstr(seen.stops[0].text, "missing.x: "));
    assert_non_null(strstr(seen.stops[0].text, "attempt to index global 'missing'"));
    ASSERT_LINES(5);
    const ct_lua_breakpoint_place place = set((ct_lua_breakpoint){.line = 5, .condition = "i +"});
    assert_false(place.is_verified);
    assert_non_null(strstr(place.message, "unexpected symbol near '<eof>'"));
    run_lua(&f, "run(1)");
    assert_no_stops();
}

static void counts_hits(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    assert_hits("5", 1);
    assert_hits(">5", 15);
    assert_hits(">=5", 16);
    assert_hits("%5", 4);
    assert_hits(" >= 5 ", 0);
    assert_int_equal(set((ct_lua_breakpoint){.line = 2, .hits = "%3"}).line, 2);
    run_lua(&f, "run(2)");
    assert_no_stops();
    set((ct_lua_breakpoint){.line = 2, .hits = "%3"}); // goes on counting
    run_lua(&f, "run(1)");
    ASSERT_LINES(2);
    const char *const bad[] = {"x", "0", "-1", "5x", ">", "99999999999999"};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        const ct_lua_breakpoint_place place = set((ct_lua_breakpoint){.line = 2, .hits = bad[i]});
        assert_false(place.is_verified);
        assert_non_null(strstr(place.message, "expected hits like 5, >5, >=5 or %5, got "));
    }
}

static void logs(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    set((ct_lua_breakpoint){.line = 5, .log = "i is {i}, {'text'} {({i})[1] + 1} {nothing.x} {"});
    assert_lua(&f, "run(2)", "6");
    assert_no_stops();
    assert_string_equal(
        seen.logged,
        "5 main.lua:5 i is 1, text 2 debugger:1: attempt to index global 'nothing' (a nil value) "
        "{\n"
        "5 main.lua:5 i is 2, text 3 debugger:1: attempt to index global 'nothing' (a nil value) "
        "{\n");
    assert_false(set((ct_lua_breakpoint){.line = 5, .log = "{i i}"}).is_verified);
}

static void moves_to_lines_with_code(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    ct_lua_breakpoint_place place = set((ct_lua_breakpoint){.line = 3});
    assert_true(place.is_verified);
    assert_int_equal(place.line, 5);
    run_lua(&f, "run(1)");
    ASSERT_LINES(5);
    assert_int_equal(set((ct_lua_breakpoint){.line = 7}).line, 8);
    place = set((ct_lua_breakpoint){.line = 99});
    assert_false(place.is_verified);
    assert_string_equal(place.message, "main.lua has no code at line 99 or behind it");
    ct_u32_array lines;
    ct_array_init(&lines, f.world.allocator);
    ct_lua_debugger_lines(debugger, "main.lua", 1, 12, &lines);
    const uint32_t expected[] = {1, 2, 5, 6, 8, 9, 10, 11};
    assert_int_equal(lines.count, CT_COUNT_OF(expected));
    assert_memory_equal(lines.items, expected, sizeof(expected));
    lines.count = 0;
    ct_lua_debugger_lines(debugger, "missing.lua", 1, 12, &lines);
    assert_int_equal(lines.count, 0);
    ct_array_free(&lines);
}

static void places_breakpoints_when_a_script_is_loaded(void **state) {
    (void)state;
    const ct_lua_breakpoint_place place = set((ct_lua_breakpoint){.line = 1});
    assert_false(place.is_verified);
    assert_string_equal(place.message, "main.lua has not run yet");
    assert_true(boot_script(&f, "x = 1\nx = 2\n"));
    ASSERT_LINES(1); // in the chunk itself
    assert_string_equal(seen.loaded, "+main.lua 5@1\n");
}

static void finds_lines_again_after_a_reload(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function get()\n  return 1\nend\n"));
    set((ct_lua_breakpoint){.line = 2});
    run_lua(&f, "old = get get()");
    ASSERT_LINES(2);
    seen.loaded[0] = 0;
    ct_string_array ran;
    ct_array_init(&ran, f.world.allocator);
    reload_script(&f, "main", "function get()\n\n\n  return 2\nend\n");
    assert_true(ct_lua_note_changed(&f.script->lua, ct_string_id64_of("main"), false));
    ct_lua_run_changed(&f.script->lua, &ran);
    ct_array_free(&ran);
    assert_non_null(strstr(seen.loaded, "*main.lua 5@4\n"));
    assert_lua(&f, "get()", "2");
    ASSERT_LINES(4);
    set((ct_lua_breakpoint){.line = 4});
    for (int i = 0; i < 200; ++i)
        assert_lua(&f, "old()", "1");
    assert_lua(&f, "get()", "2");
    ASSERT_LINES(4);
}

static void stops_with_ten_thousand_breakpoints(void **state) {
    (void)state;
    ct_string_builder text;
    ct_string_builder_init(&text, f.world.allocator);
    for (int i = 0; i < 100; ++i) {
        ct_string_builder_addf(&text, "function f%d()\n", i);
        for (int k = 0; k < 98; ++k)
            ct_string_builder_addf(&text, "  x = %d\n", k);
        ct_string_builder_addf(&text, "end\n");
    }
    assert_true(boot_script(&f, ct_string_builder_text(&text)));
    ct_string_builder_free(&text);
    ct_lua_breakpoint *const b = CT_NEW_ARRAY(f.world.allocator, ct_lua_breakpoint, 10000);
    ct_lua_breakpoint_place *const places =
        CT_NEW_ARRAY(f.world.allocator, ct_lua_breakpoint_place, 10000);
    for (uint32_t i = 0; i < 10000; ++i)
        b[i] = (ct_lua_breakpoint){.id = i + 1, .script = "main.lua", .line = i + 1};
    ct_lua_debugger_set_breakpoints(debugger, b, 10000, places);
    for (uint32_t i = 0; i < 10000; ++i)
        assert_true(places[i].is_verified);
    run_lua(&f, "for i = 1, 10 do f99() f5() end");
    assert_int_equal(seen.num_stops, 2 * 10 * 99);
    assert_int_equal(seen.stops[98].line, 10000);
    ct_free_sized(f.world.allocator, b, sizeof(*b) * 10000);
    ct_free_sized(f.world.allocator, places, sizeof(*places) * 10000);
}

// --- Detaching -----------------------------------------------------------------------------------

static int detach(lua_State *L) {
    (void)L;
    ct_lua_debugger_destroy(debugger);
    debugger = NULL;
    return 0;
}

static int attach_in_call(lua_State *L) {
    (void)L;
    attach((ct_lua_debugger_desc){0});
    BREAK_ON(5);
    return 0;
}

static void detaches_and_attaches_inside_of_calls(void **state) {
    (void)state;
    lua_State *const L = f.script->lua.lua;
    lua_pushcfunction(L, detach);
    lua_setglobal(L, "detach");
    lua_pushcfunction(L, attach_in_call);
    lua_setglobal(L, "attach");
    assert_true(boot_script(&f, "function run()\n"
                                "  local x = 1\n"
                                "  detach()\n"
                                "  attach()\n"
                                "  local y = 1\n"
                                "  return x + y\n"
                                "end\n"));
    BREAK_ON(2, 5);
    assert_lua(&f, "run()", "2");
    assert_int_equal(seen.num_stops, 1);
    assert_int_equal(seen.stops[0].line, 5);
    run_lua(&f, "detach()");
    assert_lua(&f, "(function() local s = 0 for i = 1, 1000000 do s = s + i end return s end)()",
               "500000500000");
}

static void leaves_nothing_behind(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    for (int i = 0; i < 50; ++i) {
        BREAK_ON(2, 5, 9);
        STEPS(CT_LUA_STEP_INTO);
        run_lua(&f, "run(1)");
        seen.num_stops = 0;
        ct_lua_debugger_destroy(debugger);
        attach((ct_lua_debugger_desc){0});
    }
    ct_lua_debugger_destroy(debugger);
    debugger = NULL;
    assert_null(lua_gethook(f.script->lua.lua));
    assert_lua(&f, "(jit.status())", "true");
}

static void takes_the_hook_back_from_scripts(void **state) {
    (void)state;
    tear_down(NULL);
    f = start_script_with((ct_script_desc){.stops_long_calls = true, .is_unsafe = true});
    attach((ct_lua_debugger_desc){0});
    assert_true(boot_script(&f, script));
    BREAK_ON(2);
    run_lua(&f, "debug.sethook(function() end, 'c')");
    run_lua(&f, "run(1)");
    ASSERT_LINES(2);
    break_on(NULL, 0);
    assert_lua(&f, "type((debug.gethook()))", "function");
    run_lua(&f, "debug.sethook()");
}

// --- Two machines --------------------------------------------------------------------------------

typedef struct other_machine {
    ct_allocator *allocator;
    ct_entity_manager *entities;
    ct_resource_manager *resources;
    uint32_t num_stops, num_wrong;
} other_machine;

static void stop_other(void *user, ct_lua_debugger *d, const ct_lua_stop *stop) {
    other_machine *const o = user;
    ct_lua_frame found;
    ct_lua_debugger_value result;
    uint32_t total;
    ct_error error = {0};
    ++o->num_stops;
    const bool is_right = ct_lua_debugger_frames(d, stop->coroutine, 0, 1, &found, &total) == 1 &&
                          ct_lua_debugger_evaluate(d, found.frame, "a + 1", 1, &result, &error) &&
                          strcmp(result.text, "8") == 0;
    o->num_wrong += !is_right;
    ct_lua_debugger_go_on(d, o->num_stops % 3 ? CT_LUA_STEP_CONTINUE : CT_LUA_STEP_OVER);
}

static int run_own_script(lua_State *L) {
    static const char text[] = "local function add(a)\n  local b = a\n  return b\nend\n"
                               "return function() for i = 1, 500 do add(7) end end";
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    if (luaL_loadbuffer(L, text, strlen(text), "@own.lua") != 0)
        lua_error(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "own.lua");
    lua_call(L, 0, 1);
    lua_setglobal(L, "run");
    return 0;
}

static int call_own_script(lua_State *L) {
    lua_getglobal(L, "run");
    lua_call(L, 0, 0);
    return 0;
}

static bool is_array(const ct_lua_module *module, const ct_lua_function *function) {
    (void)function;
    return strcmp(module->name, "Float32Array") == 0 || strcmp(module->name, "EntityArray") == 0;
}

static void run_machine(void *data) {
    other_machine *const o = data;
    ct_lua *const m = CT_NEW(o->allocator, ct_lua);
    ct_lua_init(m, &(ct_lua_desc){.allocator = o->allocator,
                                  .entities = o->entities,
                                  .resources = o->resources,
                                  .modules = f.script->lua.modules,
                                  .num_modules = f.script->lua.num_modules,
                                  .opens = is_array,
                                  .stops_long_calls = true});
    assert_true(ct_lua_run(m, run_own_script, NULL));
    ct_lua_debugger *const d = ct_lua_debugger_create(
        o->allocator, &(ct_lua_debugger_desc){.machine = m, .user = o, .stopped = stop_other});
    ct_lua_breakpoint b = {.id = 1, .script = "own.lua", .line = 2};
    ct_lua_debugger_set_breakpoints(d, &b, 1, NULL);
    assert_true(ct_lua_run(m, call_own_script, NULL));
    ct_lua_debugger_destroy(d);
    ct_lua_shutdown(m);
    ct_free_sized(o->allocator, m, sizeof(*m));
}

static void debugs_two_machines_at_once(void **state) {
    (void)state;
    other_machine others[2];
    ct_thread threads[2];
    for (uint32_t i = 0; i < 2; ++i) {
        others[i] = (other_machine){.allocator = ct_proxy_allocator_create(test_heap(), "machine"),
                                    .entities = f.script->lua.entities,
                                    .resources = f.script->lua.resources};
        threads[i] = ct_thread_start("machine", run_machine, &others[i]);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        ct_thread_join(threads[i]);
        assert_true(others[i].num_stops > 500);
        assert_int_equal(others[i].num_wrong, 0);
        ct_proxy_allocator_destroy(others[i].allocator);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DEBUGGER_TEST(stops_when_conditions_are_true),
        DEBUGGER_TEST(stops_where_conditions_fail),
        DEBUGGER_TEST(counts_hits),
        DEBUGGER_TEST(logs),
        DEBUGGER_TEST(moves_to_lines_with_code),
        DEBUGGER_TEST(places_breakpoints_when_a_script_is_loaded),
        DEBUGGER_TEST(finds_lines_again_after_a_reload),
        DEBUGGER_TEST(stops_with_ten_thousand_breakpoints),
        DEBUGGER_TEST(detaches_and_attaches_inside_of_calls),
        DEBUGGER_TEST(leaves_nothing_behind),
        DEBUGGER_TEST(takes_the_hook_back_from_scripts),
        DEBUGGER_TEST(debugs_two_machines_at_once),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
