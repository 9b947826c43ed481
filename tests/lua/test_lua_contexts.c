// Error contexts of C functions that Lua calls, after errors, protected calls and coroutines; and
// the report of an error that nothing protects.
#include "foundation/crash/crash_child.h"
#include "foundation/error.h"
#include "script/fake_host.h"
#include "script/script_private.h"

static script_fixture f;

// The contexts at the last call of `probe` from Lua, as "a b c".
static char probed[256];

static int probe(lua_State *L) {
    (void)L;
    uint32_t count = 0;
    const ct_error_context *const contexts = ct_error_contexts(&count);
    probed[0] = 0;
    for (uint32_t i = 0; i < count; ++i)
        snprintf(probed + strlen(probed), sizeof(probed) - strlen(probed), "%s%s", i ? " " : "",
                 contexts[i].name);
    return 0;
}

// with(name, function, ...): calls the function inside a context of that name.
static int with(lua_State *L) {
    CT_ERROR_CONTEXT("calling", lua_tostring(L, 1));
    lua_call(L, lua_gettop(L) - 2, 0);
    return 0;
}

// protect(function): a protected call of ours inside the game's.
static int protect(lua_State *L) {
    CT_ERROR_CONTEXT("protecting", "protect");
    const uint32_t depth = ct_error_context_depth();
    lua_pushvalue(L, 1);
    const bool is_fine = ct_lua_call(ct_lua_of(L), 0, 0);
    assert_int_equal(ct_error_context_depth(), depth);
    lua_pushboolean(L, is_fine);
    return 1;
}

static int set_up(void **state) {
    (void)state;
    f = start_script();
    lua_register(f.script->lua.lua, "probe", probe);
    lua_register(f.script->lua.lua, "with", with);
    lua_register(f.script->lua.lua, "protect", protect);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    assert_int_equal(ct_error_context_depth(), 0);
    stop_script(&f);
    return 0;
}

// Runs `lua` inside a context and returns what `probe` saw last.
static const char *contexts_of(const char *lua) {
    CT_ERROR_CONTEXT("running", "test");
    const uint32_t depth = ct_error_context_depth();
    probed[0] = 0;
    if (!ct_lua_execute(&f.script->lua, lua, NULL, NULL))
        probe(f.script->lua.lua);
    assert_int_equal(ct_error_context_depth(), depth);
    return probed;
}

static void contexts_stand_while_lua_runs(void **state) {
    (void)state;
    assert_string_equal(contexts_of("with('a', function() with('b', probe) end)"), "test a b");
    assert_string_equal(contexts_of("with('a', function() end) probe()"), "test");
}

static void error_that_ends_the_call_pops_what_it_left(void **state) {
    (void)state;
    assert_string_equal(contexts_of("with('a', function() with('b', error, 'no') end)"), "test");
}

static void pcall_restores_the_contexts_of_where_it_stands(void **state) {
    (void)state;
    assert_string_equal(contexts_of("with('a', function()\n"
                                    "    pcall(with, 'b', function() with('c', error, 'no') end)\n"
                                    "    probe()\n"
                                    "end)"),
                        "test a");
}

static void nested_pcalls_restore_each_its_own(void **state) {
    (void)state;
    assert_string_equal(
        contexts_of("local seen = {}\n"
                    "with('a', function()\n"
                    "    pcall(with, 'b', function()\n"
                    "        pcall(with, 'c', function() pcall(with, 'd', error) error('no') end)\n"
                    "        with('e', function() probe() end)\n"
                    "        error('once more')\n"
                    "    end)\n"
                    "end)"),
        "test a b e");
    assert_string_equal(contexts_of("with('a', function()\n"
                                    "    pcall(with, 'b', function()\n"
                                    "        pcall(with, 'c', error)\n"
                                    "        error('once more')\n"
                                    "    end)\n"
                                    "    probe()\n"
                                    "end)"),
                        "test a");
}

static void handlers_of_xpcall_see_the_contexts_of_the_error(void **state) {
    (void)state;
    assert_string_equal(contexts_of("xpcall(function() with('a', error, 'no') end, probe)"),
                        "test a");
}

static void errors_of_the_engine_restore_as_those_of_scripts(void **state) {
    (void)state;
    assert_string_equal(contexts_of("with('a', function()\n"
                                    "    pcall(with, 'b', function() return nil + 1 end)\n"
                                    "    pcall(with, 'c', Vector3.x, 'no vector')\n"
                                    "    pcall(with, 'd', string.rep, 'x', 4e9)\n"
                                    "    probe()\n"
                                    "end)"),
                        "test a");
}

static void our_protected_calls_inside_the_games_restore(void **state) {
    (void)state;
    assert_string_equal(contexts_of("with('a', function()\n"
                                    "    protect(function() with('b', error, 'no') end)\n"
                                    "    probe()\n"
                                    "end)"),
                        "test a");
    assert_string_equal(contexts_of("protect(function()\n"
                                    "    pcall(with, 'b', function()\n"
                                    "        protect(function() with('c', error, 'no') end)\n"
                                    "        probe()\n"
                                    "        error('no')\n"
                                    "    end)\n"
                                    "end)"),
                        "test protect b");
}

static void coroutines_restore_the_contexts_of_who_resumes(void **state) {
    (void)state;
    assert_string_equal(contexts_of("local dies = coroutine.create(function()\n"
                                    "    with('b', function() with('c', error, 'no') end)\n"
                                    "end)\n"
                                    "with('a', function() coroutine.resume(dies) probe() end)"),
                        "test a");
    assert_string_equal(contexts_of("local waits = coroutine.wrap(function()\n"
                                    "    with('b', function() end)\n"
                                    "    coroutine.yield()\n"
                                    "    probe()\n"
                                    "end)\n"
                                    "with('a', waits)\n"
                                    "with('d', waits)"),
                        "test d");
}

static void yield_across_a_context_is_an_error_that_pops_it(void **state) {
    (void)state;
    assert_string_equal(contexts_of("local c = coroutine.create(function()\n"
                                    "    with('b', coroutine.yield)\n"
                                    "end)\n"
                                    "with('a', function() coroutine.resume(c) probe() end)"),
                        "test a");
}

static void depth_holds_over_many_errors(void **state) {
    (void)state;
    assert_string_equal(contexts_of("for i = 1, 10000 do\n"
                                    "    pcall(with, 'a', function() with('b', error, 'no') end)\n"
                                    "end\n"
                                    "probe()"),
                        "test");
}

static void raise_unprotected(void) {
    lua_State *const L = f.script->lua.lua;
    CT_ERROR_CONTEXT("calling Lua", "without protection");
    lua_getglobal(L, "fails");
    lua_call(L, 0, 0);
}

static void error_outside_protected_calls_is_reported(void **state) {
    (void)state;
    assert_true(
        ct_lua_execute(&f.script->lua, "function fails() error('no\\nway') end", NULL, NULL));
    assert_int_equal(report_of(raise_unprotected), SIGABRT);
    expect_start("When calling Lua: without protection\n"
                 "Lua panic\n"
                 "    console:1: no\n"
                 "    way\n"
                 "    stack traceback:\n");
    expect("    \tconsole:1: in function <console:1>\n");
    expect("\n    raise_unprotected (");
}

#define SCRIPT_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        SCRIPT_TEST(contexts_stand_while_lua_runs),
        SCRIPT_TEST(error_that_ends_the_call_pops_what_it_left),
        SCRIPT_TEST(pcall_restores_the_contexts_of_where_it_stands),
        SCRIPT_TEST(nested_pcalls_restore_each_its_own),
        SCRIPT_TEST(handlers_of_xpcall_see_the_contexts_of_the_error),
        SCRIPT_TEST(errors_of_the_engine_restore_as_those_of_scripts),
        SCRIPT_TEST(our_protected_calls_inside_the_games_restore),
        SCRIPT_TEST(coroutines_restore_the_contexts_of_who_resumes),
        SCRIPT_TEST(yield_across_a_context_is_an_error_that_pops_it),
        SCRIPT_TEST(depth_holds_over_many_errors),
        SCRIPT_TEST(error_outside_protected_calls_is_reported),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
