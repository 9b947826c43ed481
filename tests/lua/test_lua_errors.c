// Errors of the game's functions: logged once, counted, told when they end; and argument errors.
#include "script/fake_host.h"
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

static uint32_t count_logged(const char *text) {
    uint32_t count = 0;
    for (const char *at = logged; (at = strstr(at, text)); at += strlen(text))
        ++count;
    return count;
}

static void update(uint32_t frames) {
    for (uint32_t i = 0; i < frames; ++i)
        ct_script_update(f.script, 0.1);
}

static void logs_an_error_with_file_line_and_traceback(void **state) {
    (void)state;
    assert_true(boot_script(&f, "local function deep()\nerror('no') end\n"
                                "function update()\ndeep() end"));
    assert_false(ct_script_update(f.script, 0.1));
    assert_non_null(strstr(logged, "error lua: main.lua:2: no\nstack traceback:"));
    assert_non_null(strstr(logged, "main.lua:4: in function"));
    assert_null(strstr(logged, "0x")); // no addresses of the engine's own functions
}

static void tells_the_log_where_errors_are(void **state) {
    (void)state;
    assert_true(boot_script(&f, "local function deep()\nerror('no') end\n"
                                "function update()\ndeep() end"));
    assert_false(ct_script_update(f.script, 0.1));
    assert_ptr_equal(strstr(logged_from, "main.lua:2\nstack traceback:\n"), logged_from);
    assert_non_null(strstr(logged_from, "main.lua:4: in function"));
}

static void tells_the_log_where_it_was_printed(void **state) {
    (void)state;
    assert_true(boot_script(&f, "\n\nprint('hello')"));
    assert_non_null(strstr(logged, "info lua: hello\n"));
    assert_string_equal(logged_from, "main.lua:3\n");
    run_lua(&f, "print('again') local x");
    assert_string_equal(logged_from, "console:1\n");
    ct_log_info("engine", "not of a script");
    assert_string_equal(logged_from, "console:1\n");
}

static void logs_an_error_that_comes_every_frame_once(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() error('no') end"));
    update(50);
    assert_int_equal(count_logged("main.lua:1: no"), 1);
}

static void tells_how_often_an_error_came_once_it_ends(void **state) {
    (void)state;
    assert_true(boot_script(&f, "n = 0 function update() n = n + 1\n"
                                "if n <= 10 then error('no') end end"));
    update(11);
    assert_int_equal(count_logged("[error_repeated]"), 0); // it may still come
    update(1);
    assert_int_equal(count_logged("error lua: repeated 9 times: main.lua:2: no [error_repeated]\n"),
                     1);
    update(10);
    assert_int_equal(count_logged("[error_repeated]"), 1);
}

static void tells_of_error_values_that_cannot_be_told(void **state) {
    (void)state;
    static const struct {
        const char *to_string, *told;
    } cases[] = {
        {"function() error('worse') end", "__tostring failed: main.lua:1: worse"},
        {"error", "__tostring failed: table"}, // raises the same value
        {"function() return 5 end", "__tostring gave number"},
        {"function() return nil end", "__tostring gave nil"},
        {"5", "__tostring failed: attempt to call a number value"},
        {"function() error() end", "__tostring failed: nil"},
        {"function() World.nothing() end", "__tostring failed: main.lua:1: "},
        {"function() coroutine.yield() end", "__tostring failed: "},
        {"(function() local function f() return 1 + f() end return f end)()",
         "__tostring failed: main.lua:1: stack overflow"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char lua[512], expected[256];
        logged[0] = 0;
        snprintf(lua, sizeof(lua),
                 "local bad = setmetatable({}, {__tostring = %s})\nlocal function deep()\n"
                 "error(bad) end\nfunction update() deep() end",
                 cases[i].to_string);
        if (i == 0)
            assert_true(boot_script(&f, lua));
        else
            reload_script(&f, "main", lua);
        assert_false(ct_script_update(f.script, 0.1));
        snprintf(expected, sizeof(expected), "error lua: (an error value of type table, whose %s",
                 cases[i].told);
        if (!strstr(logged, expected) || !strstr(logged, "main.lua:3: in function"))
            fail_msg("%s\nlogged: %s", lua, logged);
        assert_int_equal(count_logged("error lua"), 1);
    }
}

static void says_nothing_more_of_an_error_that_came_once(void **state) {
    (void)state;
    assert_true(boot_script(&f, "n = 0 function update() n = n + 1\n"
                                "if n == 1 then error('no') end end"));
    update(10);
    assert_int_equal(count_logged("main.lua:2: no"), 1);
    assert_int_equal(count_logged("[error_repeated]"), 0);
}

static void logs_an_error_again_after_it_had_ended(void **state) {
    (void)state;
    assert_true(boot_script(&f, "n = 0 function update() n = n + 1\n"
                                "if n == 1 or n == 5 then error('no') end end"));
    update(10);
    assert_int_equal(count_logged("main.lua:2: no"), 2);
}

static void counts_errors_that_take_turns(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() error('one') end\n"
                                "function render() error('two') end"));
    for (uint32_t i = 0; i < 20; ++i) {
        assert_false(ct_script_update(f.script, 0.1));
        assert_false(ct_script_render(f.script));
    }
    assert_int_equal(count_logged("main.lua:1: one"), 1);
    assert_int_equal(count_logged("main.lua:2: two"), 1);
}

static void logs_all_of_many_different_errors(void **state) {
    (void)state;
    assert_true(
        boot_script(&f, "n = 0 function update() n = n + 1 error('number ' .. n .. '.') end"));
    update(100);
    assert_int_equal(count_logged("error lua: main.lua:1: number "), 100);
    assert_int_equal(count_logged("[error_repeated]"), 0);
}

static void logs_an_error_again_after_a_reload(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() error('no') end"));
    update(10);
    reload_script(&f, "main", "function update() error('no') end");
    update(10);
    assert_int_equal(count_logged("error lua: main.lua:1: no"), 2);
    assert_int_equal(count_logged("error lua: repeated 9 times: main.lua:1: no"), 1);
}

static void tells_of_repeats_at_the_end(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() error('no') end"));
    update(5);
    stop_script(&f);
    assert_int_equal(count_logged("repeated 4 times: main.lua:1: no"), 1);
    f = start_script();
}

static void goes_on_after_an_error(void **state) {
    (void)state;
    assert_true(boot_script(&f, "n = 0 function update() n = n + 1 error('no') end"));
    update(3);
    assert_lua(&f, "n", "3");
}

static void gives_temporaries_of_a_failed_call_back(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() for i = 1, 100 do Vector3(1, 2, 3) end\n"
                                "error('no') end"));
    update(1);
    assert_int_equal(f.script->lua.num_temporaries, 0);
}

static void leaves_nothing_on_the_stack(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() error('no') end function render() end"));
    const int top = lua_gettop(f.script->lua.lua);
    update(3);
    assert_true(ct_script_render(f.script));
    execute_lua(&f, "error('no')");
    execute_lua(&f, "return 1, 2, 3");
    execute_lua(&f, "for");
    assert_int_equal(lua_gettop(f.script->lua.lua), top);
}

static void runs_clean_ups_of_functions_that_fail(void **state) {
    (void)state;
    load_script(&f, "a", "error('no')");
    for (uint32_t i = 0; i < 3; ++i)
        assert_lua_error(&f, "require 'a'", "a.lua:1: no");
    assert_int_equal(f.script->lua.running_scripts.count, 0);
}

// --- Argument errors -----------------------------------------------------------------------------

static void names_the_function_by_the_module_it_was_called_in(void **state) {
    (void)state;
    // One C function stands behind both.
    assert_lua_error(&f, "local v = Matrix4x4.right(5)",
                     "Matrix4x4.right: argument 1 (m): expected");
    assert_lua_error(&f, "local v = Matrix4x4.x(5)", "Matrix4x4.x: argument 1 (m): expected");
}

static void names_the_function_though_it_was_renamed(void **state) {
    (void)state;
    assert_lua_error(
        &f, "local length = Vector3.length local v = length(5)",
        "console:1: Vector3.length: argument 1 (vector): expected Vector3, got number");
}

static void names_the_function_in_protected_calls(void **state) {
    (void)state;
    assert_lua(&f, "pcall(Vector3.length, 5)",
               "false\tVector3.length: argument 1 (vector): expected Vector3, got number");
}

static void names_the_function_in_coroutines(void **state) {
    (void)state;
    assert_lua_error(
        &f, "coroutine.wrap(function() local v = Vector3.length(5) end)()",
        "console:1: Vector3.length: argument 1 (vector): expected Vector3, got number");
}

static void names_repeated_arguments(void **state) {
    (void)state;
    assert_lua_error(&f, "local v = Math.is_valid(1, 2, 3, {})",
                     "Math.is_valid: argument 4 (inputs): expected number, got table");
}

static void names_arguments_after_types_in_parentheses(void **state) {
    (void)state;
    assert_lua_error(&f, "local v = Vector3Box(1, 2, {})",
                     "Vector3Box: argument 3 (z): expected number, got table");
}

static void cuts_long_messages(void **state) {
    (void)state;
    assert_lua_error(&f, "local i = IdString32.from_hex(string.rep('x', 100000))",
                     "IdString32.from_hex: argument 1 (s): expected 1 to 8 hexadecimal digits, got "
                     "\"xxxx");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(logs_an_error_with_file_line_and_traceback),
        TEST(tells_the_log_where_errors_are),
        TEST(tells_the_log_where_it_was_printed),
        TEST(logs_an_error_that_comes_every_frame_once),
        TEST(tells_how_often_an_error_came_once_it_ends),
        TEST(says_nothing_more_of_an_error_that_came_once),
        TEST(logs_an_error_again_after_it_had_ended),
        TEST(counts_errors_that_take_turns),
        TEST(logs_all_of_many_different_errors),
        TEST(logs_an_error_again_after_a_reload),
        TEST(tells_of_repeats_at_the_end),
        TEST(goes_on_after_an_error),
        TEST(gives_temporaries_of_a_failed_call_back),
        TEST(leaves_nothing_on_the_stack),
        TEST(runs_clean_ups_of_functions_that_fail),
        TEST(names_the_function_by_the_module_it_was_called_in),
        TEST(names_the_function_though_it_was_renamed),
        TEST(names_the_function_in_protected_calls),
        TEST(names_the_function_in_coroutines),
        TEST(names_repeated_arguments),
        TEST(names_arguments_after_types_in_parentheses),
        TEST(cuts_long_messages),
        TEST(tells_of_error_values_that_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
