// Scripts that never end, that want all memory, that go too deep: each is an error, and the game
// goes on.
#include "foundation/os/os.h"
#include "script/fake_host.h"
#include "script/script_private.h"

static const double LIMIT_SECONDS = 0.05;
enum { MEMORY_LIMIT_MB = 8 };

static script_fixture f;

static int set_up_with_time_limit(void **state) {
    (void)state;
    f = start_script_with(
        (ct_script_desc){.time_limit_seconds = LIMIT_SECONDS, .stops_long_calls = true});
    return 0;
}

static int set_up_with_memory_limit(void **state) {
    (void)state;
    f = start_script_with(
        (ct_script_desc){.stops_long_calls = true, .memory_limit_bytes = MEMORY_LIMIT_MB << 20});
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

// --- Time ----------------------------------------------------------------------------------------

// The thread sanitizer keeps signals back until a thread calls C functions, which loops of Lua need
// not do.
static void need_signals(void) {
#ifdef __SANITIZE_THREAD__
    skip();
#endif
}

static void assert_stopped(const char *lua) {
    need_signals();
    assert_lua_error(&f, lua, " s; expected at most 0.05 s (lua.time_limit_seconds)");
    assert_lua(&f, "1 + 1", "2"); // all is as before
}

static void stops_loops(void **state) {
    (void)state;
    assert_stopped("while true do end");
    assert_stopped("repeat until false");
    assert_stopped("for i = 1, 1e15 do end");
    assert_stopped("local i = 0 while true do i = i + 1 end");
    assert_stopped("::again:: goto again");
    assert_stopped("local t = {} while true do t = {t} t = t[1] end");
}

static void stops_loops_through_functions(void **state) {
    (void)state;
    assert_stopped("local function f() return f() end f()");
    assert_stopped("local function g() local x = 0 for i = 1, 100 do x = x + i end return x end "
                   "while true do g() end");
    assert_stopped("local t = setmetatable({}, {__index = function() while true do end end}) "
                   "local x = t.y");
    assert_stopped("table.sort({3, 2, 1}, function() while true do end end)");
    assert_stopped("string.gsub('a', 'a', function() while true do end end)");
    assert_stopped("while true do local s = ('x'):rep(100):gsub('x', 'y') end");
    assert_stopped("while true do local v = Vector3(1, 2, 3) Script.set_temp_count(0) end");
}

static void stops_loops_without_compiled_code(void **state) {
    (void)state;
    assert_stopped("jit.off() while true do end");
}

static void stops_loops_in_coroutines(void **state) {
    (void)state;
    assert_stopped("coroutine.wrap(function() while true do end end)()");
    assert_stopped("while true do coroutine.resume(coroutine.create(function() "
                   "  while true do end end)) end");
    assert_stopped("local c = coroutine.wrap(function() while true do coroutine.yield() end end) "
                   "while true do c() end");
}

static void stops_those_who_catch_the_error(void **state) {
    (void)state;
    assert_stopped("while true do pcall(function() while true do end end) end");
    assert_stopped("local function f() while true do pcall(f) end end f()");
    assert_stopped("while true do xpcall(function() while true do end end, "
                   "  function() while true do end end) end");
    assert_stopped("setmetatable(_G, {__index = function() while true do end end}) "
                   "while true do pcall(function() return undefined end) end");
}

static void stops_error_handlers(void **state) {
    (void)state;
    need_signals();
    execute_lua(&f, "xpcall(error, function() while true do end end)");
    assert_false(execute_lua(&f, "error(setmetatable({}, {__tostring = function() "
                                 "while true do end end}))"));
    assert_lua(&f, "1 + 1", "2");
}

static void tells_where_a_stopped_call_was(void **state) {
    (void)state;
    need_signals();
    assert_true(boot_script(&f, "local function wait()\nwhile true do\nend\nend\n"
                                "function update()\nwait()\nend"));
    assert_false(ct_script_update(f.script, 0.1));
    assert_true(is_logged("error lua: main.lua:2: stopped after "));
    assert_true(is_logged("stack traceback:\n\tmain.lua:2: in function 'wait'\n"
                          "\tmain.lua:6: in function"));
}

static void tells_of_the_first_place_when_the_error_was_caught(void **state) {
    (void)state;
    need_signals();
    assert_true(boot_script(&f, "function update()\nwhile true do\npcall(function()\n"
                                "while true do end\nend)\nend\nend"));
    assert_false(ct_script_update(f.script, 0.1));
    assert_true(is_logged("error lua: main.lua:4: stopped after "));
}

static void goes_on_after_a_stopped_call(void **state) {
    (void)state;
    need_signals();
    assert_true(boot_script(&f, "n = 0 function update() n = n + 1\n"
                                "if n == 2 then while true do end end end"));
    assert_true(ct_script_update(f.script, 0.1));
    assert_false(ct_script_update(f.script, 0.1));
    assert_true(ct_script_update(f.script, 0.1));
    assert_lua(&f, "n", "3");
}

static void leaves_calls_alone_that_are_short(void **state) {
    (void)state;
    // A busy machine may well keep a short call waiting for as long as the others' limit.
    stop_script(&f);
    f = start_script_with((ct_script_desc){.time_limit_seconds = 1, .stops_long_calls = true});
    assert_true(boot_script(&f, "n = 0 function update() for i = 1, 100000 do n = n + 1 end end"));
    const uint64_t end = ct_os_time_ns() + 1200000000;
    while (ct_os_time_ns() < end)
        assert_true(ct_script_update(f.script, 0.1));
    assert_false(is_logged("error"));
}

// What a test waits for is logged by the watching thread.
static bool is_logged_soon(const char *text) {
    for (int i = 0; i < 500 && !is_logged(text); ++i)
        ct_os_sleep_ns(10000000);
    return is_logged(text);
}

static void tells_of_functions_that_it_cannot_stop(void **state) {
    (void)state;
    need_signals();
    assert_true(boot_script(&f, "function update()\nApplication.sleep(400)\nend"));
    assert_false(ct_script_update(f.script, 0.1)); // stopped right after
    assert_true(is_logged_soon(" s in a function that cannot be stopped, called at main.lua:2; "
                               "expected at most 0.05 s"));
}

static void only_reports_where_calls_are_not_stopped(void **state) {
    (void)state;
    need_signals();
    stop_script(&f);
    f = start_script_with((ct_script_desc){.time_limit_seconds = LIMIT_SECONDS});
    assert_true(boot_script(&f, "jit.off()\nfunction update(dt)\n"
                                "local from = os.clock()\n"
                                "while os.clock() - from < 0.3 do end\n"
                                "done = true\nend"));
    assert_true(ct_script_update(f.script, 0.1));
    assert_true(is_logged("error lua: main.lua:4: still running after "));
    assert_lua(&f, "done", "true");
}

static void gives_hooks_of_scripts_back(void **state) {
    (void)state;
    need_signals();
    stop_script(&f);
    f = start_script_with((ct_script_desc){
        .time_limit_seconds = LIMIT_SECONDS, .stops_long_calls = true, .is_unsafe = true});
    run_lua(&f, "debug.sethook(function() hooked = true end, '', 1000000)");
    execute_lua(&f, "while true do end");
    assert_lua(&f, "local f, mask, count = debug.gethook() return type(f), count",
               "function\t1000000");
}

static void survives_a_script_that_stops_the_profiler(void **state) {
    (void)state;
    need_signals();
    stop_script(&f);
    f = start_script_with((ct_script_desc){
        .time_limit_seconds = LIMIT_SECONDS, .stops_long_calls = true, .is_unsafe = true});
    assert_stopped("jit.off() require('jit.profile').stop() while true do end");
}

static void coroutines_yield_through_xpcall(void **state) {
    (void)state;
    assert_lua(&f,
               "local c = coroutine.wrap(function() "
               "  return xpcall(function(a) return a + coroutine.yield(1) end, print, 5) end) "
               "return c(), c(10)",
               "1\ttrue\t15");
    assert_lua(&f, "xpcall(error, function(e) return 'handled ' .. e end, 'it')",
               "false\thandled it");
}

// --- Memory --------------------------------------------------------------------------------------

static void assert_game_goes_on(void) {
    assert_lua(&f, "collectgarbage() return #('x'):rep(1000000)", "1000000");
    assert_true(ct_script_memory_bytes(f.script) < 4u << 20);
}

static void limits_memory_with_place_and_holder(void **state) {
    (void)state;
    assert_true(boot_script(&f, "Game = {list = {}}\nfunction update()\nlocal n = 0\n"
                                "while true do\nn = n + 1\nGame.list[n] = {n}\nend\nend"));
    assert_false(ct_script_update(f.script, 0.1));
    assert_true(is_logged("error lua: main.lua:"));
    assert_true(is_logged(": not enough memory: Lua holds "));
    assert_true(is_logged("expected at most 8.0 MiB (lua.memory_limit_mb); most of it in "
                          "the global Game ("));
    assert_true(is_logged("stack traceback:\n\tmain.lua:"));
    run_lua(&f, "Game = nil");
    assert_game_goes_on();
}

static void names_local_variables_that_hold_memory(void **state) {
    (void)state;
    assert_lua_error(&f,
                     "local things = {} while true do\nthings[#things + 1] = ('x'):rep(100) .. "
                     "#things end",
                     "most of it in the local things at console:");
    assert_game_goes_on();
}

// Every frame holds a little more, until nothing is left.
static void a_console_can_mend_a_game_that_holds_too_much(void **state) {
    (void)state;
    assert_true(boot_script(&f, "Game = {list = {}}\nfunction update()\nwhile true do\n"
                                "Game.list[#Game.list + 1] = {}\nend\nend"));
    for (int i = 0; i < 20; ++i)
        assert_false(ct_script_update(f.script, 0.1));
    assert_true(ct_script_memory_bytes(f.script) <= (MEMORY_LIMIT_MB << 20) / 4 * 5);
    run_lua(&f, "Game = {list = {}} function update() end");
    assert_true(ct_script_update(f.script, 0.1));
    assert_game_goes_on();
}

// One that is refused an allocation ends the step, too.
static void disables_instances_that_want_all_memory(void **state) {
    (void)state;
    load_script(&f, "behaviours/hoard",
                "return {update = function(self) local list = {} "
                "while self.wants == 'ever more' do list[#list + 1] = {} end "
                "if self.wants == 'much' then list = ('x'):rep(500000000) end "
                "self.n = (self.n or 0) + 1 end}");
    run_lua(&f, "W = Application.new_world() SC = EntityManager.script_component(W) I = {} "
                "for k = 1, 4 do local e = EntityManager.create(W) "
                "  I[k] = ScriptComponent.create(SC, e, 'hoard', 'behaviours/hoard') end "
                "function want(k, what) ScriptComponent.set_property(SC, I[k], 'wants', what) end "
                "function count(k) return ScriptComponent.get_property(SC, I[k], 'n') end "
                "function is_on(k) return ScriptComponent.is_enabled(SC, I[k]) end "
                "want(1, 'ever more') World.update(W, 1)");
    assert_lua(&f, "count(1), count(2), count(3), count(4), is_on(1)", "nil\t1\t1\t1\tfalse");
    run_lua(&f, "want(2, 'much')"); // the last is the first now
    assert_lua_error(&f, "World.update(W, 1)", "not enough memory: 512.0 MiB more");
    assert_lua(&f, "count(4), count(2), count(3), is_on(2)", "2\t1\t1\tfalse");
    run_lua(&f, "World.update(W, 1)");
    assert_lua(&f, "count(4), count(2), count(3)", "3\t1\t2");
    run_lua(&f, "Application.release_world(W)");
    assert_game_goes_on();
}

static void limits_single_allocations(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update()\nlocal s = ('x'):rep(500000000)\nend"));
    assert_false(ct_script_update(f.script, 0.1));
    assert_true(is_logged(
        "error lua: main.lua:2: not enough memory: 512.0 MiB more were requested than the "));
    assert_game_goes_on();
}

static void collects_garbage_after_a_refused_allocation(void **state) {
    (void)state;
    assert_true(
        boot_script(&f, "function update() local s = ('x'):rep(2^18) .. math.random() end"));
    // Well above what the engine's modules need and what the collector lets gather.
    const uint64_t limit = MEMORY_LIMIT_MB << 21;
    f.script->lua.memory.limit_bytes = f.script->lua.memory.error_bytes = limit;
    assert_lua(&f, "(pcall(string.rep, 'x', 500000000))", "false");
    for (int i = 0; i < 80; ++i) {
        assert_true(ct_script_update(f.script, 0.1));
        assert_true(ct_script_memory_bytes(f.script) < limit / 8 * 7);
    }
}

static void limits_memory_in_compiled_code(void **state) {
    (void)state;
    assert_lua_error(&f, "for i = 1, 100 do local s = {} for j = 1, 2^26 do s[j] = j end end",
                     "not enough memory");
    stop_script(&f);
    f = start_script_with((ct_script_desc){.memory_limit_bytes = MEMORY_LIMIT_MB << 20});
    assert_lua_error(&f, "local t = {} while true do t[#t + 1] = {} end", "not enough memory");
    assert_lua_error(&f, "local t = {} for i = 1, 1e9 do t['x' .. i] = i end", "not enough memory");
    assert_game_goes_on();
}

static void limits_memory_of_strings_that_double(void **state) {
    (void)state;
    assert_lua_error(&f, "local s = 'x' while true do s = s .. s end", "not enough memory");
    assert_game_goes_on();
}

static void collects_garbage_before_it_gives_up(void **state) {
    (void)state;
    // By itself the collector would wait for four times what is in use.
    assert_lua(&f,
               "collectgarbage('setpause', 400) local keep = ('k'):rep(3 * 2^20) "
               "for i = 1, 60 do local s = ('x'):rep(2^18) .. i end return #keep",
               "3145728");
}

static void scripts_may_catch_a_lack_of_memory(void **state) {
    (void)state;
    assert_lua(&f,
               "local ok, message = pcall(function() local t = {} "
               "  while true do t[#t + 1] = {#t} end end) "
               "return ok, message:match('not enough memory')",
               "false\tnot enough memory");
    assert_game_goes_on();
}

static void calls_from_outside_survive_a_lack_of_memory(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() n = (n or 0) + 1 end"));
    // From here on Lua gets nothing.
    f.script->lua.memory.limit_bytes = 1;
    f.script->lua.memory.error_bytes = 1;
    ct_script_update(f.script, 0.1);
    execute_lua(&f, "return 'a text that is not yet known'");
    reload_script(&f, "main", "function update() m = 1 end");
    ct_script_render(f.script);
    f.script->lua.memory.limit_bytes = MEMORY_LIMIT_MB << 20;
    assert_true(is_logged("not enough memory"));
    assert_true(ct_script_update(f.script, 0.1));
    assert_game_goes_on();
}

// --- Depth ---------------------------------------------------------------------------------------

static void assert_too_deep(const char *lua, const char *message) {
    assert_lua_error(&f, lua, message);
    assert_true(f.traceback.length < 4096);
    assert_lua(&f, "1 + 1", "2");
}

static void limits_recursion(void **state) {
    (void)state;
    assert_too_deep("local function f(n) return n == 0 and 0 or 1 + f(n - 1) end f(1e6)",
                    "stack overflow");
    assert_too_deep("local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) "
                    "  return 1 + t[k] end local x = t.a",
                    "stack overflow");
    assert_too_deep("local t = setmetatable({}, {}) getmetatable(t).__add = function(a, b) "
                    "  return 1 + (a + b) end local x = t + t",
                    "stack overflow");
}

static void limits_recursion_through_c(void **state) {
    (void)state;
    assert_too_deep("local function f(s) return s:gsub('.', f) end f('a')", "C stack overflow");
    assert_too_deep("local t = setmetatable({}, {}) getmetatable(t).__index = function() "
                    "  return (('a'):gsub('a', t)) end local x = t.a",
                    "C stack overflow");
    assert_too_deep("local function f() table.sort({1, 2}, f) end f()", "stack overflow");
    assert_too_deep("local function f() load(f) return nil, f() end load(f)", "stack overflow");
    assert_too_deep("local function f() coroutine.wrap(f)() end f()", ""); // or memory
    assert_too_deep("local function f() coroutine.resume(coroutine.create(function() f() end)) end "
                    "f() error('done')",
                    "done");
    assert_too_deep("local t = setmetatable({}, {__tostring = function(t) print(t) return '' end}) "
                    "print(t)",
                    "C stack overflow");
    assert_too_deep("local t = setmetatable({}, {__tostring = function(t) "
                    "  return ('%s'):format(t) .. '' end}) local s = ('%s'):format(t)",
                    "stack overflow");
    assert_too_deep("local t = {} for i = 1, 1e4 do t = {t = t} end Application.console_send(t)",
                    "tables are deeper than 64");
}

static void limits_recursion_through_protected_calls(void **state) {
    (void)state;
    assert_lua(&f,
               "local depth = 0 local function f() depth = depth + 1 pcall(f) end f() "
               "return depth > 100",
               "true");
    execute_lua(&f, "local function f() xpcall(f, f) end f()");
    assert_lua(&f, "1 + 1", "2");
}

static void limits_the_depth_of_text(void **state) {
    (void)state;
    assert_too_deep("assert(loadstring(('('):rep(1e6)))", "");
    assert_too_deep("assert(loadstring('return ' .. ('{'):rep(1e6)))", "");
    assert_too_deep("string.find(('a'):rep(1e6), ('(a?)'):rep(1e4))", "");
    assert_too_deep("string.find(('a'):rep(300000), ('a-'):rep(1000) .. 'b')", "");
}

static void survives_errors_that_raise_errors(void **state) {
    (void)state;
    assert_false(execute_lua(&f, "error(setmetatable({}, {__tostring = error}))"));
    assert_false(
        execute_lua(&f, "error(setmetatable({}, {__tostring = function() return 5 end}))"));
    assert_false(execute_lua(&f, "error()"));
    assert_false(execute_lua(&f, "error(function() end)"));
    assert_false(execute_lua(&f, "error(Vector3(1, 2, 3))"));
    assert_lua_error(&f, "table.sort({5, 3, 1, 4, 2, 9, 8, 7}, function() return true end)",
                     "invalid order function for sorting");
    assert_lua(&f, "1 + 1", "2");
}

// --- What the engine holds for Lua ---------------------------------------------------------------

static int set_up_with_small_memory(void **state) {
    (void)state;
    f = start_script_with((ct_script_desc){.memory_limit_bytes = 32 << 20});
    run_lua(&f, "W = Application.new_world()");
    return 0;
}

// Runs `lua` without end; fails unless an error about memory ends it while little is held.
static void expect_lack_of_memory(const char *lua) {
    assert_lua_error(&f, lua, "not enough memory: Lua, its worlds and their contents hold ");
    const uint64_t bytes = ct_allocator_stats_of(f.world.allocator).live_bytes;
    assert_in_range(bytes, 16 << 20, 80 << 20); // arrays double
}

static void units_count_towards_the_memory_limit(void **state) {
    (void)state;
    expect_lack_of_memory("while true do EntityManager.create(W) end");
    assert_lua_error(&f, "EntityManager.create(W)",
                     "not enough memory"); // until some are given back
}

static void broadphases_count_towards_the_memory_limit(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.create(W) B = Broadphase(1, 1)");
    expect_lack_of_memory("while true do Broadphase.add(B, E, Vector3(0, 0, 0), 1) "
                          "Script.set_temp_count(0) end");
    run_lua(&f, "Broadphase.destroy(B) EntityManager.create(W)"); // there is room again
}

static void worlds_count_towards_the_memory_limit(void **state) {
    (void)state;
    expect_lack_of_memory("while true do Application.new_world() end");
}

int main(void) {
#define TIME_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_with_time_limit, tear_down)
#define SMALL_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_with_small_memory, tear_down)
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_with_memory_limit, tear_down)
    const struct CMUnitTest tests[] = {
        SMALL_TEST(units_count_towards_the_memory_limit),
        SMALL_TEST(broadphases_count_towards_the_memory_limit),
        SMALL_TEST(worlds_count_towards_the_memory_limit),
        TIME_TEST(stops_loops),
        TIME_TEST(stops_loops_through_functions),
        TIME_TEST(stops_loops_without_compiled_code),
        TIME_TEST(stops_loops_in_coroutines),
        TIME_TEST(stops_those_who_catch_the_error),
        TIME_TEST(stops_error_handlers),
        TIME_TEST(tells_where_a_stopped_call_was),
        TIME_TEST(tells_of_the_first_place_when_the_error_was_caught),
        TIME_TEST(goes_on_after_a_stopped_call),
        TIME_TEST(gives_hooks_of_scripts_back),
        TIME_TEST(survives_a_script_that_stops_the_profiler),
        TIME_TEST(leaves_calls_alone_that_are_short),
        TIME_TEST(tells_of_functions_that_it_cannot_stop),
        TIME_TEST(only_reports_where_calls_are_not_stopped),
        TIME_TEST(coroutines_yield_through_xpcall),
        TEST(limits_memory_with_place_and_holder),
        TEST(names_local_variables_that_hold_memory),
        TEST(a_console_can_mend_a_game_that_holds_too_much),
        TEST(disables_instances_that_want_all_memory),
        TEST(limits_single_allocations),
        TEST(collects_garbage_after_a_refused_allocation),
        TEST(limits_memory_in_compiled_code),
        TEST(limits_memory_of_strings_that_double),
        TEST(collects_garbage_before_it_gives_up),
        TEST(scripts_may_catch_a_lack_of_memory),
        TEST(calls_from_outside_survive_a_lack_of_memory),
        TEST(limits_recursion),
        TEST(limits_recursion_through_c),
        TEST(limits_recursion_through_protected_calls),
        TEST(limits_the_depth_of_text),
        TEST(survives_errors_that_raise_errors),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
