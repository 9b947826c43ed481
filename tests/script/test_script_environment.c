// What a script finds and what it does not; the console; what the game's functions get.
#include "script/fake_host.h"
#include "script/script_modules.h"
#include "script/script_private.h"

static script_fixture f;

static int set_up(void **state) {
    (void)state;
    f = start_script();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

// --- Modules -------------------------------------------------------------------------------------

static void lists_modules_by_name(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    assert_true(count > 30);
    for (uint32_t i = 1; i < count; ++i)
        assert_true(strcmp(modules[i - 1]->name, modules[i]->name) < 0);
}

static void makes_a_global_of_each_module(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        char lua[128];
        snprintf(lua, sizeof(lua), "type(%s)", modules[i]->name);
        assert_lua(&f, lua, "table");
        for (uint32_t k = 0; k < modules[i]->num_functions; ++k) {
            snprintf(lua, sizeof(lua), "type(%s.%s)", modules[i]->name,
                     modules[i]->functions[k].name);
            assert_lua(&f, lua, "function");
        }
    }
}

static void describes_the_whole_of_each_module(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_lua_module *const m = modules[i];
        assert_true(m->doc[0] && m->doc[strlen(m->doc) - 1] == '.');
        assert_true(!m->call == !m->call_signature);
        for (uint32_t k = 0; k < m->num_functions; ++k) {
            const ct_lua_function *const function = &m->functions[k];
            if (function->signature[0] != '(' || !strstr(function->signature, ") -> "))
                fail_msg("%s.%s: %s", m->name, function->name, function->signature);
            if (!function->doc[0] || function->doc[strlen(function->doc) - 1] != '.')
                fail_msg("%s.%s: %s", m->name, function->name, function->doc);
            if (k > 0 && strcmp(m->functions[k - 1].name, function->name) >= 0)
                fail_msg("%s.%s is not in order", m->name, function->name);
        }
    }
}

// --- What is safe --------------------------------------------------------------------------------

static void has_no_unsafe_functions(void **state) {
    (void)state;
    static const char *const names[] = {
        "io",
        "debug",
        "ffi",
        "dofile",
        "loadfile",
        "newproxy",
        "os.exit",
        "os.execute",
        "os.remove",
        "os.rename",
        "os.getenv",
        "os.tmpname",
        "os.setlocale",
        "string.dump",
        "table.clear",
        "package.loadlib",
        "package.preload",
        "package.loaders",
        "jit.util",
        "jit.opt",
        "jit.attach",
        "module",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        assert_lua(&f, names[i], "nil");
    assert_lua_error(&f, "require 'ffi'", "there is no script \"ffi\"");
    assert_lua_error(&f, "require 'io'", "there is no script \"io\"");
    assert_lua_error(&f, "require 'jit.util'", "not a script name");
    assert_lua(&f, "package.loaded.io", "nil");
    assert_lua(&f, "package.loaded.os == os and package.loaded.jit == jit", "true");
}

static void has_safe_functions(void **state) {
    (void)state;
    static const char *const names[] = {
        "os.time",        "os.clock", "os.date",      "math.sin",       "string.format",
        "table.sort",     "bit.band", "jit.on",       "jit.off",        "pcall",
        "xpcall",         "error",    "setmetatable", "coroutine.wrap", "select",
        "collectgarbage", "require",  "load",         "loadstring",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        char lua[64];
        snprintf(lua, sizeof(lua), "type(%s)", names[i]);
        assert_lua(&f, lua, "function");
    }
}

static void has_all_where_settings_ask(void **state) {
    (void)state;
    stop_script(&f);
    f = start_script_with((ct_script_desc){.is_unsafe = true});
    assert_lua(&f, "type(ffi.cdef), type(io.open), type(debug.getinfo), type(os.remove)",
               "function\tfunction\tfunction\tfunction");
    assert_lua(&f, "require 'ffi' == ffi", "true");
    assert_lua(&f, "type(require('jit.util').funcinfo)", "function");
    run_lua(&f, "ffi.cdef 'int lua_gettop(void *)'"); // a C module finds it so, too
    assert_lua(&f, "type(ffi.C.lua_gettop)", "cdata");
    assert_lua(&f, "debug.getfenv(print) == _G, debug.getfenv(Unit.alive) == _G", "true\ttrue");
}

static void refuses_bytecode(void **state) {
    (void)state;
    assert_lua(&f, "load('\\27LJ\\2\\2')", "nil\tattempt to load chunk with wrong mode");
    assert_lua(&f, "(loadstring('\\27Lua'))", "nil");
    stop_script(&f);
    f = start_script_with((ct_script_desc){.is_unsafe = true});
    assert_lua(&f, "(load(string.dump(function() end)))", "nil");
}

static void loads_text(void **state) {
    (void)state;
    assert_lua(&f, "load('return 1 + 1')()", "2");
    assert_lua(&f, "loadstring('return ...')(5)", "5");
    assert_lua(&f, "load('return x', 'name', 't', {x = 7})()", "7");
    assert_lua(&f, "load('return +', '=name')", "nil\tname:1: unexpected symbol near '+'");
    assert_lua(&f,
               "(function() local n, pieces = 0, {'return ', '1', '2', nil}\n"
               "return load(function() n = n + 1 return pieces[n] end)() end)()",
               "12");
    assert_lua_error(&f, "load(5)", "string expected, got number");
    assert_lua_error(&f, "load(function() return {} end)", "must return a string");
}

static void limits_memory(void **state) {
    (void)state;
    assert_lua_error(&f, "string.rep('x', 2^31 - 512)", "not enough memory");
    assert_true(ct_script_memory_bytes(f.script) < 16u << 20);
}

static void survives_deep_recursion(void **state) {
    (void)state;
    run_lua(&f, "function deep() return 1 + deep() end");
    assert_lua_error(&f, "deep()", "stack overflow");
    assert_lua_error(&f,
                     "local t = setmetatable({}, {}) getmetatable(t).__index = function(s, k)\n"
                     "return s[k] end return t.x",
                     "stack overflow");
}

static void prints_to_the_log(void **state) {
    (void)state;
    run_lua(&f, "print('pos', Vector3(1, 2, 3), nil, true)");
    assert_string_equal(logged, "info lua: pos\tVector3(1, 2, 3)\tnil\ttrue\n");
    run_lua(&f, "print()");
    run_lua(&f, "print('100%s %d')");
    assert_non_null(strstr(logged, "info lua: 100%s %d\n"));
}

// --- The console ---------------------------------------------------------------------------------

static void shows_results(void **state) {
    (void)state;
    assert_lua(&f, "1 + 1, 'a', nil, true", "2\ta\tnil\ttrue");
    assert_lua(&f, "x = 5", "");
    assert_lua(&f, "x", "5");
    assert_lua(&f, "return x, x", "5\t5");
    assert_lua(&f, "for i = 1, 2 do x = x + i end", "");
    assert_lua(&f, "x -- with a comment", "8");
}

static void shows_tables_shallowly(void **state) {
    (void)state;
    assert_lua(&f, "{}", "{}");
    assert_lua(&f, "{1, 2, a = 3}", "{1, 2, a = 3}");
    assert_lua(&f, "{['a b'] = 1}", "{[\"a b\"] = 1}");
    assert_lua(&f, "{[5] = 'x\"y\\n'}", "{[5] = \"x\\\"y\\n\"}");
    assert_lua(&f, "{{1}, Vector3(1, 2, 3)}", "{{...}, Vector3(1, 2, 3)}");
    assert_lua(&f, "setmetatable({}, {__tostring = function() return 'me' end})", "me");
    assert_lua(&f, "{setmetatable({}, {__tostring = function() return 'me' end})}", "{me}");
}

static void cuts_long_tables(void **state) {
    (void)state;
    const char *const got = run_lua(&f, "(function() local t = {} for i = 1, 100 do t[i] = i end\n"
                                        "return t end)()");
    assert_non_null(strstr(got, ", 64, ...}"));
    assert_null(strstr(got, "65"));
}

static void gives_message_and_traceback(void **state) {
    (void)state;
    assert_lua_error(&f, "function boom() error('no') end boom()", "console:1: no");
    assert_non_null(strstr(ct_string_builder_text(&f.traceback), "stack traceback:"));
    assert_non_null(strstr(ct_string_builder_text(&f.traceback), "in function 'boom'"));
    assert_false(ct_lua_execute(&f.script->lua, "error('no')", NULL, NULL));
}

static void reports_syntax_errors_of_statements(void **state) {
    (void)state;
    assert_lua_error(&f, "for", "console:1: '<name>' expected near '<eof>'");
}

static void shows_errors_that_are_no_strings(void **state) {
    (void)state;
    assert_lua_error(&f, "error({})", "(an error value of type table)");
    assert_lua_error(&f, "error()", "(an error value of type nil)");
    assert_lua_error(&f, "error(Vector3(1, 2, 3))", "Vector3(1, 2, 3)");
    assert_lua_error(&f, "error(setmetatable({}, {__tostring = function() return 'me' end}))",
                     "me");
}

static void restores_contexts_after_an_error(void **state) {
    (void)state;
    const uint32_t depth = ct_error_context_push("testing", "contexts");
    assert_lua_error(&f, "error('no')", "no");
    assert_int_equal(ct_error_context_depth(), depth + 1);
    ct_error_context_restore(&depth);
}

// --- The game's functions ------------------------------------------------------------------------

static void calls_the_games_functions(void **state) {
    (void)state;
    assert_true(boot_script(&f, "log = 'boot ' .. ... function init() log = log .. ' init' end\n"
                                "function update(dt) log = log .. ' update ' .. dt end\n"
                                "function render() log = log .. ' render' end\n"
                                "function shutdown() log = log .. ' shutdown' end"));
    assert_true(ct_script_init(f.script));
    assert_true(ct_script_update(f.script, 0.25));
    assert_true(ct_script_render(f.script));
    assert_true(ct_script_shutdown(f.script));
    assert_lua(&f, "log", "boot main init update 0.25 render shutdown");
}

static void passes_over_functions_that_are_not_there(void **state) {
    (void)state;
    assert_true(boot_script(&f, ""));
    assert_true(ct_script_init(f.script));
    assert_true(ct_script_update(f.script, 0.25));
    assert_true(ct_script_render(f.script));
    assert_true(ct_script_shutdown(f.script));
    assert_string_equal(logged, "");
}

static void passes_over_functions_though_globals_are_strict(void **state) {
    (void)state;
    assert_true(boot_script(&f, "setmetatable(_G, {__index = function(_, k) error(k) end})"));
    assert_true(ct_script_update(f.script, 0.25));
    assert_string_equal(logged, "");
}

static void allocates_nothing_in_frames(void **state) {
    (void)state;
    assert_true(boot_script(&f,
                            "function update(dt) local v = Vector3(dt, 0, 0) + Vector3(1, 2, 3)\n"
                            "end collectgarbage('stop') jit.off()"));
    for (uint32_t i = 0; i < 100; ++i)
        assert_true(ct_script_update(f.script, 0.25) && ct_script_render(f.script));
    const uint64_t before = ct_allocator_stats_of(f.script->lua.allocator).total_blocks;
    for (uint32_t i = 0; i < 100; ++i)
        assert_true(ct_script_update(f.script, 0.25) && ct_script_render(f.script));
    assert_int_equal(ct_allocator_stats_of(f.script->lua.allocator).total_blocks, before);
}

static void reports_a_global_that_is_no_function(void **state) {
    (void)state;
    assert_true(boot_script(&f, "update = 5"));
    assert_false(ct_script_update(f.script, 0.25));
    assert_non_null(
        strstr(logged, "expected the global \"update\" to be a function, found a number"));
}

static void reports_a_boot_script_that_is_not_there(void **state) {
    (void)state;
    assert_false(ct_script_boot(f.script, "nothing"));
    assert_non_null(strstr(logged, "error lua: there is no script \"nothing\""));
    assert_true(ct_script_update(f.script, 0.25)); // there is nothing to call
}

static void configures_garbage_collection(void **state) {
    (void)state;
    run_lua(&f, "Script.configure_garbage_collection('acceptable_garbage', 0.1,\n"
                "'minimum_collect_time_ms', 0.2)");
    assert_true(ct_script_update(f.script, 0.1));
    assert_lua_error(&f, "Script.configure_garbage_collection('speed', 1)",
                     "argument 1 (parameters): expected \"acceptable_garbage\" or "
                     "\"minimum_collect_time_ms\", got \"speed\"");
    assert_lua_error(&f, "Script.configure_garbage_collection('acceptable_garbage', -1)",
                     "argument 2 (parameters): expected a number from 0 to 10, got -1");
    assert_lua_error(&f, "Script.configure_garbage_collection()", "expected string, got nil");
}

static void describes_types_and_itself(void **state) {
    (void)state;
    assert_lua(&f, "Script.type_name(1), Script.type_name(Vector3Box()), Script.type_name()",
               "number\tVector3Box\tnil");
    assert_lua(&f, "Script.index_offset()", "1");
    assert_non_null(strstr(run_lua(&f, "(function() local s = Script.callstack() return s end)()"),
                           "console:1: in function"));
    assert_lua(&f,
               "(function() local n, b = Script.temp_count(), Script.temp_byte_count()\n"
               "Matrix4x4.identity() Vector3(1, 2, 3)\n"
               "return Script.temp_count() - n, Script.temp_byte_count() - b end)()",
               "5\t80");
    assert_lua_error(&f, "Script.set_temp_count(1000)",
                     "expected an integer from 0 to 0, got 1000");
    assert_lua(&f,
               "(function() local b = Script.temp_byte_count() Vector3(1, 2, 3)\n"
               "Script.set_temp_byte_count(b) return Script.temp_byte_count() - b end)()",
               "0");
}

static void gives_back_all_memory(void **state) {
    (void)state;
    run_lua(&f, "keep = {} for i = 1, 1000 do keep[i] = Vector3Box(i, i, i) end");
    assert_true(ct_script_memory_bytes(f.script) > 1000 * 12);
} // the tear-down asserts that nothing is left

static void finds_the_environment_of_each_state(void **state) {
    (void)state;
    lua_State *const routine = lua_newthread(f.script->lua.lua);
    assert_ptr_equal(ct_script_of(f.script->lua.lua), f.script);
    assert_ptr_equal(ct_script_of(routine), f.script);
    const ct_script_host host = make_fake_host();
    ct_script *const second = ct_script_create(&(ct_script_desc){.allocator = f.world.allocator,
                                                                 .worlds = f.world.system,
                                                                 .input = f.input,
                                                                 .actions = f.actions,
                                                                 .host = &host});
    assert_ptr_equal(ct_script_of(second->lua.lua), second);
    assert_ptr_equal(ct_script_of(lua_newthread(second->lua.lua)), second);
    assert_ptr_equal(ct_script_of(f.script->lua.lua), f.script);
    ct_script_destroy(second);
    assert_ptr_equal(ct_script_of(f.script->lua.lua), f.script);
    assert_ptr_equal(ct_script_of(routine), f.script);
    lua_pop(f.script->lua.lua, 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(lists_modules_by_name),
        TEST(makes_a_global_of_each_module),
        TEST(describes_the_whole_of_each_module),
        TEST(has_no_unsafe_functions),
        TEST(has_safe_functions),
        TEST(has_all_where_settings_ask),
        TEST(refuses_bytecode),
        TEST(loads_text),
        TEST(limits_memory),
        TEST(survives_deep_recursion),
        TEST(prints_to_the_log),
        TEST(shows_results),
        TEST(shows_tables_shallowly),
        TEST(cuts_long_tables),
        TEST(gives_message_and_traceback),
        TEST(reports_syntax_errors_of_statements),
        TEST(shows_errors_that_are_no_strings),
        TEST(restores_contexts_after_an_error),
        TEST(calls_the_games_functions),
        TEST(passes_over_functions_that_are_not_there),
        TEST(passes_over_functions_though_globals_are_strict),
        TEST(allocates_nothing_in_frames),
        TEST(reports_a_global_that_is_no_function),
        TEST(reports_a_boot_script_that_is_not_there),
        TEST(configures_garbage_collection),
        TEST(describes_types_and_itself),
        TEST(finds_the_environment_of_each_state),
        TEST(gives_back_all_memory),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
