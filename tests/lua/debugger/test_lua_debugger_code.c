// Which code breakpoints reach, and what is compiled again after them.
#include "lua/debugger/lua_debugger_fixture.h"

#include "lua/lua_chunks.h"

static const char count_loops[] = "(function() local n = 0 for i = 1, 200 do "
                                  "  local t = util.traceinfo(i) "
                                  "  if t and t.linktype == 'loop' then n = n + 1 end "
                                  "end return n end)()";

static int open_jit_util(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_JIT);
    lua_getfield(L, -1, "util");
    lua_call(L, 0, 1);
    lua_setglobal(L, "util");
    return 0;
}

static void boot(const char *lua) {
    assert_true(boot_script(&f, lua));
    assert_true(ct_lua_run(&f.script->lua, open_jit_util, NULL));
}

static void reload(const char *lua) {
    ct_string_array ran;
    ct_array_init(&ran, f.world.allocator);
    reload_script(&f, "main", lua);
    assert_true(ct_lua_note_changed(&f.script->lua, ct_string_id64_of("main"), false));
    ct_lua_run_changed(&f.script->lua, &ran);
    ct_array_free(&ran);
}

// Sets a breakpoint on a line, and returns where it is.
static ct_lua_breakpoint_place break_at(uint32_t line) {
    const ct_lua_breakpoint b = {.id = 1, .script = "main.lua", .line = line};
    ct_lua_breakpoint_place place;
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, &place);
    assert_true(place.is_verified);
    return place;
}

// --- Older code ----------------------------------------------------------------------------------

static const char first_version[] = "function get()\n"
                                    "  return 1\n"
                                    "end\n";

static void reaches_closures_from_before_a_reload(void **state) {
    (void)state;
    boot(first_version);
    run_lua(&f, "old = get");
    run_lua(&f, "function work(n) for i = 1, n do old() end end work(1000)");
    reload("function get()\n  return 2\nend\n");
    const ct_lua_breakpoint_place place = break_at(2);
    assert_non_null(strstr(place.message, "from before a change of main.lua may still run"));
    run_lua(&f, "work(100)");
    assert_int_equal(seen.num_stops, 100);
    seen.num_stops = 0;
    assert_lua(&f, "get(), old()", "2\t1");
    ASSERT_LINES(2, 2);
    break_on(NULL, 0);
    run_lua(&f, "work(1000)");
    assert_no_stops();
    assert_lua(&f, count_loops, "1"); // the old function is compiled again, too
    run_lua(&f, "old = nil jit.flush() collectgarbage()"); // compiled code keeps functions
    assert_string_equal(break_at(2).message, "");
}

static void reaches_closures_after_many_reloads(void **state) {
    char text[128];
    (void)state;
    boot("held = {}\nheld[0] = function()\n  return 0\nend\n");
    for (int i = 1; i <= 20; ++i) {
        snprintf(text, sizeof(text), "held[%d] = function()\n\n  return %d\nend\n", i, i);
        reload(text);
    }
    BREAK_ON(3);
    run_lua(&f, "for i = 0, 20 do held[i]() end");
    assert_int_equal(seen.num_stops, 21);
    seen.num_stops = 0;
    run_lua(&f, "for i = 0, 19 do held[i] = nil end");
    lua_gc(f.script->lua.lua, LUA_GCCOLLECT, 0);
    lua_getfield(f.script->lua.lua, LUA_REGISTRYINDEX, CT_LUA_OLD_CODE);
    lua_getfield(f.script->lua.lua, -1, "main.lua");
    assert_true(lua_istable(f.script->lua.lua, -1));
    lua_pushnil(f.script->lua.lua);
    assert_false(lua_next(f.script->lua.lua, -2)); // nothing of it is left
    lua_pop(f.script->lua.lua, 2);
}

// --- jit.off -------------------------------------------------------------------------------------

static const char switched[] = "function inner(n)\n"
                               "  return n + 1\n"
                               "end\n"
                               "function work(n)\n"
                               "  local s = 0\n"
                               "  for i = 1, n do\n"
                               "    s = inner(s)\n"
                               "  end\n"
                               "  return s\n"
                               "end\n";

static void leaves_functions_off_that_scripts_switched_off(void **state) {
    (void)state;
    boot(switched);
    run_lua(&f, "jit.off(work) work(1000)");
    assert_lua(&f, count_loops, "0");
    BREAK_ON(5); // in it
    break_on(NULL, 0);
    run_lua(&f, "work(1000)");
    assert_lua(&f, count_loops, "0");
    BREAK_ON(2); // in another
    break_on(NULL, 0);
    run_lua(&f, "work(1000)");
    assert_lua(&f, count_loops, "0");
    run_lua(&f, "jit.on(work) work(1000)");
    assert_lua(&f, count_loops, "1");
    run_lua(&f, "jit.flush()");
    BREAK_ON(5);
    run_lua(&f, "jit.off(work)"); // while it is off for the breakpoint
    break_on(NULL, 0);
    run_lua(&f, "work(1000)");
    assert_lua(&f, count_loops, "0");
    BREAK_ON(2);
    run_lua(&f, "jit.on(inner) work(300)"); // still stops
    assert_int_equal(seen.num_stops, 300);
}

static void keeps_what_jit_off_takes(void **state) {
    (void)state;
    boot("jit.off(true, true)\n"
         "function outer(n)\n"
         "  local s = 0\n"
         "  for i = 1, n do\n"
         "    s = s + i\n"
         "  end\n"
         "  return s\n"
         "end\n"
         "function other(n)\n"
         "  local s = 0\n"
         "  for i = 1, n do\n"
         "    s = s + i\n"
         "  end\n"
         "  return s\n"
         "end\n"
         "jit.on(other)\n");
    run_lua(&f, "outer(1000)");
    assert_lua(&f, count_loops, "0");
    BREAK_ON(3, 10);
    break_on(NULL, 0);
    run_lua(&f, "outer(1000)");
    assert_lua(&f, count_loops, "0");
    run_lua(&f, "other(1000)");
    assert_lua(&f, count_loops, "1");
    assert_lua(&f, "(pcall(jit.off, 5))", "false");
    assert_lua(&f, "(pcall(jit.on, print))", "false");
    assert_lua(&f, "jit.off() return (jit.status())", "false");
    assert_lua(&f, "jit.on() return (jit.status())", "true");
}

static void leaves_the_compiler_off_when_scripts_switch_it_off_in_a_step(void **state) {
    (void)state;
    boot("function run(off)\n"
         "  local x = 1\n"
         "  if off then jit.off() else jit.on() end\n"
         "  return x\n"
         "end\n");
    BREAK_ON(2);
    STEPS(CT_LUA_STEP_OVER, CT_LUA_STEP_OVER);
    run_lua(&f, "run(true)");
    ASSERT_LINES(2, 3, 4);
    assert_lua(&f, "(jit.status())", "false");
    STEPS(CT_LUA_STEP_OVER, CT_LUA_STEP_OVER);
    run_lua(&f, "run(false)");
    ASSERT_LINES(2, 3, 4);
    assert_lua(&f, "(jit.status())", "true");
}

// --- Loops of the engine -------------------------------------------------------------------------

static int keep_loop(lua_State *L) {
    lua_settop(L, 1);
    ct_lua_keep_loop(L);
    return 1;
}

// LuaJIT gives up on a loop that calls what is not compiled.
static void compiles_loops_of_the_engine_again(void **state) {
    (void)state;
    boot(switched);
    lua_register(f.script->lua.lua, "keep_loop", keep_loop);
    run_lua(&f, "loop = keep_loop(load('local f, n = ... for i = 1, n do f(i) end', '=(update)'))");
    const ct_lua_breakpoint b = {
        .id = 1, .script = "main.lua", .line = 2, .condition = "n == 'no'"};
    ct_lua_debugger_set_breakpoints(debugger, &b, 1, NULL);
    run_lua(&f, "loop(inner, 20000)");
    assert_lua(&f, count_loops, "0");
    ct_lua_debugger_destroy(debugger);
    debugger = NULL;
    run_lua(&f, "loop(inner, 20000)");
    assert_lua(&f, count_loops, "1");
}

// --- Errors that functions in locals catch -------------------------------------------------------

static void stops_at_errors_that_kept_functions_catch(void **state) {
    (void)state;
    boot("local pcall, xpcall, resume = pcall, xpcall, coroutine.resume\n"
         "local wrap, create = coroutine.wrap, coroutine.create\n"
         "function fail()\n"
         "  error('no')\n"
         "end\n"
         "function catch()\n"
         "  return (pcall(fail))\n"
         "end\n"
         "function resumed()\n"
         "  return (resume(create(fail)))\n"
         "end\n"
         "function wrapped()\n"
         "  return (pcall(wrap(fail)))\n"
         "end\n"
         "function many(n)\n"
         "  local s = 0\n"
         "  for i = 1, n do\n"
         "    if not pcall(fail) then s = s + 1 end\n"
         "  end\n"
         "  return s\n"
         "end\n");
    assert_lua(&f, "many(500)", "500"); // compiled
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_ALL);
    assert_lua(&f, "catch()", "false");
    ASSERT_LINES(4);
    assert_lua(&f, "resumed()", "false");
    ASSERT_LINES(4);
    assert_lua(&f, "wrapped()", "false");
    ASSERT_LINES(4);
    assert_lua(&f, "many(2)", "2");
    ASSERT_LINES(4, 4);
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_UNCAUGHT);
    assert_lua(&f, "catch(), resumed(), wrapped(), many(500)", "false\tfalse\tfalse\t500");
    assert_no_stops();
}

static void pcall_is_as_in_lua(void **state) {
    (void)state;
    assert_lua(&f, "pcall(function(...) return select('#', ...), ... end, nil, 2, nil)",
               "true\t3\tnil\t2\tnil");
    assert_lua(&f, "(select(2, pcall(error, {}))) ~= nil", "true");
    assert_lua(&f, "select(2, pcall(pcall))", "bad argument #1 to '?' (value expected)");
    assert_lua(&f, "coroutine.wrap(function() return pcall(coroutine.yield, 4) end)()", "4");
    assert_lua(&f, "(select(2, pcall(function() error('x', 2) end)))", "x");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DEBUGGER_TEST(reaches_closures_from_before_a_reload),
        DEBUGGER_TEST(reaches_closures_after_many_reloads),
        DEBUGGER_TEST(leaves_functions_off_that_scripts_switched_off),
        DEBUGGER_TEST(keeps_what_jit_off_takes),
        DEBUGGER_TEST(leaves_the_compiler_off_when_scripts_switch_it_off_in_a_step),
        DEBUGGER_TEST(compiles_loops_of_the_engine_again),
        DEBUGGER_TEST(stops_at_errors_that_kept_functions_catch),
        DEBUGGER_TEST(pcall_is_as_in_lua),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
