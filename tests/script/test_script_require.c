// require, Script.load, and what happens when a script changes.
#include "resource/catalog_fixture.h"
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

// --- require -------------------------------------------------------------------------------------

static void runs_a_required_script_once(void **state) {
    (void)state;
    load_script(&f, "scripts/player", "count = (count or 0) + 1 return {name = ...}");
    assert_lua(&f, "require 'scripts/player' == require 'scripts/player'", "true");
    assert_lua(&f, "count, require('scripts/player').name", "1\tscripts/player");
    assert_lua(&f, "package.loaded['scripts/player'].name", "scripts/player");
}

static void gives_true_for_a_script_that_returns_nothing(void **state) {
    (void)state;
    load_script(&f, "a", "");
    assert_lua(&f, "require 'a'", "true");
}

static void says_which_script_is_missing(void **state) {
    (void)state;
    assert_lua_error(&f, "require 'scripts/player'", "there is no script \"scripts/player\"");
    write_script(&f, "scripts/player", "");
    assert_lua_error(
        &f, "require 'scripts/player'",
        "the script \"scripts/player\" is not loaded; expected it in a loaded package");
    assert_lua_error(
        &f, "require 'Scripts/Player'",
        "\"Scripts/Player\" is not a script name; expected a name like \"scripts/player\"");
    assert_lua_error(&f, "require ''", "not a script name");
    assert_lua_error(&f, "require {}", "string expected, got table");
}

static void guesses_which_script_was_meant(void **state) {
    (void)state;
    write_catalog(f.world.folder, &(catalog_item){.type = "lua", .name = "scripts/player"}, 1);
    assert_lua_error(&f, "require 'scripts/plaier'",
                     "there is no script \"scripts/plaier\", did you mean \"scripts/player\"?");
    assert_lua_error(&f, "Script.load('script/player')", "did you mean \"scripts/player\"?");
    assert_lua_error(&f, "require 'weather'", "there is no script \"weather\"");
}

static void says_that_no_variant_is_wanted(void **state) {
    (void)state;
    const catalog_item only_french = {.type = "lua", .name = "v/only", .property = "fr"};
    write_catalog(f.world.folder, &only_french, 1);
    assert_lua_error(&f, "require 'v/only'",
                     "there is no script \"v/only\": it has variants only with properties that are "
                     "not preferred");
}

static void refuses_scripts_that_require_each_other(void **state) {
    (void)state;
    load_script(&f, "a", "require 'b'");
    load_script(&f, "b", "require 'a'");
    assert_lua_error(&f, "require 'a'", "b.lua:1: the script \"a\" requires itself");
}

static void names_the_chain_of_scripts_that_require_each_other(void **state) {
    (void)state;
    load_script(&f, "a", "require 'b'");
    load_script(&f, "b", "require 'c'");
    load_script(&f, "c", "require 'b'");
    assert_lua_error(&f, "require 'a'", "c.lua:1: the script \"b\" requires itself: b -> c -> b");
}

static void tells_who_required_a_script_that_failed(void **state) {
    (void)state;
    load_script(&f, "a", "\nrequire 'b'");
    load_script(&f, "b", "\n\nrequire 'c'");
    load_script(&f, "c", "error('no')");
    assert_lua_error(&f, "require 'a'", "c.lua:1: no");
    const char *const trace = ct_string_builder_text(&f.traceback);
    const char *const by_b = strstr(trace, "b.lua:3: in main chunk");
    assert_non_null(by_b);
    assert_non_null(strstr(by_b, "a.lua:2: in main chunk"));
}

static void runs_a_script_that_failed_again(void **state) {
    (void)state;
    load_script(&f, "a", "assert(ready, 'not yet') return 5");
    assert_lua_error(&f, "require 'a'", "not yet");
    assert_lua_error(&f, "require 'a'", "not yet");
    run_lua(&f, "ready = true");
    assert_lua(&f, "require 'a'", "5");
}

static void runs_a_script_that_failed_under_pcall_again(void **state) {
    (void)state;
    load_script(&f, "a", "error('no')");
    load_script(&f, "b", "local ok = pcall(require, 'a') return tostring(ok)");
    assert_lua(&f, "require 'b'", "false");
    assert_lua(&f, "(pcall(require, 'a'))", "false"); // not "being required"
    assert_lua_error(&f, "require 'a'", "a.lua:1: no");
}

static void names_file_and_line_of_errors(void **state) {
    (void)state;
    load_script(&f, "scripts/player", "\n\nlocal v = nil + 1");
    assert_lua_error(&f, "require 'scripts/player'", "scripts/player.lua:3: attempt to perform");
}

static void requires_lua_libraries(void **state) {
    (void)state;
    assert_lua(&f, "require 'bit' == bit, require 'string' == string", "true\ttrue");
}

static void loads_a_script_as_a_function(void **state) {
    (void)state;
    load_script(&f, "a", "return 'ran', ...");
    assert_lua(&f, "Script.load('a')(5)", "ran\t5");
    assert_lua(&f, "Script.exists('a'), Script.exists('b')", "true\tfalse");
    write_script(&f, "b", "");
    assert_lua(&f, "Script.exists('b')", "true"); // though it is not loaded
    assert_lua_error(&f, "Script.load('c')", "there is no script \"c\"");
}

static void refuses_bytecode_in_a_resource(void **state) {
    (void)state;
    load_script(&f, "a", "\033LJ\002\002");
    assert_lua_error(&f, "require 'a'", "attempt to load chunk with wrong mode");
}

// --- Reload --------------------------------------------------------------------------------------

static void runs_a_changed_script_in_the_same_environment(void **state) {
    (void)state;
    assert_true(boot_script(&f, "Game = Game or {} function value() return 1 end"));
    run_lua(&f, "Game.score = 7");
    reload_script(&f, "main", "Game = Game or {} function value() return 2 end");
    assert_lua(&f, "value(), Game.score", "2\t7");
}

static void leaves_scripts_alone_that_nobody_used(void **state) {
    (void)state;
    load_script(&f, "a", "");
    reload_script(&f, "a", "ran = true");
    assert_lua(&f, "ran", "nil");
}

static void gives_holders_of_a_module_its_new_functions(void **state) {
    (void)state;
    load_script(&f, "a", "return {value = function() return 1 end, kept = 5}");
    run_lua(&f, "a = require 'a' a.state = 'mine'");
    reload_script(&f, "a",
                  "return setmetatable({value = function() return 2 end}, {__index =\n"
                  "function(_, key) return 'no ' .. key end})");
    assert_lua(&f, "a.value(), a.kept, a.state, a == require 'a', a.new",
               "2\t5\tmine\ttrue\tno new");
}

static void replaces_a_result_that_is_no_table(void **state) {
    (void)state;
    load_script(&f, "a", "return 1");
    run_lua(&f, "a = require 'a'");
    reload_script(&f, "a", "return 2");
    assert_lua(&f, "require 'a'", "2");
    reload_script(&f, "a", "return {3}");
    assert_lua(&f, "require 'a'", "{3}");
}

static void runs_a_loaded_script_again(void **state) {
    (void)state;
    load_script(&f, "a", "value = 1");
    run_lua(&f, "Script.load('a')()");
    reload_script(&f, "a", "value = 2");
    assert_lua(&f, "value", "2");
    assert_lua(&f, "package.loaded.a", "nil");
}

static void keeps_the_old_functions_when_the_new_run_fails(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() return 1 end function value() return 1 end"));
    reload_script(&f, "main", "new = 5 function value() return 2 end error('half way')");
    assert_lua(&f, "value(), new", "1\tnil");
    assert_non_null(strstr(logged, "error lua: main.lua:1: half way\nstack traceback:"));
    assert_true(ct_script_update(f.script, 0.1));
}

static void keeps_a_modules_members_when_the_new_run_fails(void **state) {
    (void)state;
    load_script(&f, "a", "return {value = 1}");
    run_lua(&f, "a = require 'a'");
    reload_script(&f, "a", "error('no')");
    assert_lua(&f, "a.value, require 'a' == a", "1\ttrue");
    reload_script(&f, "a", "return {value = 2}");
    assert_lua(&f, "a.value", "2");
}

static void boots_and_inits_a_boot_script_once_it_is_mended(void **state) {
    (void)state;
    assert_false(boot_script(&f, "error('broken')"));
    assert_true(ct_script_init(f.script)); // there is nothing to call yet
    assert_true(ct_script_update(f.script, 0.1));
    reload_script(&f, "main", "order = 'boot' function init() order = order .. ' init' end");
    assert_lua(&f, "order", "boot init");
    reload_script(&f, "main", "order = order .. ' again'");
    assert_lua(&f, "order", "boot init again"); // init runs once
}

static void boots_once_a_script_it_requires_is_mended(void **state) {
    (void)state;
    load_script(&f, "a", "error('broken')");
    assert_false(boot_script(&f, "require 'a' booted = true"));
    reload_script(&f, "a", "return {}");
    assert_lua(&f, "booted", "true");
}

static void boots_once_a_script_it_requires_comes(void **state) {
    (void)state;
    assert_false(boot_script(&f, "require 'a' booted = true"));
    load_script(&f, "a", "return {}");
    ct_resource_manager_update(f.world.resources, 1);
    assert_lua(&f, "booted", "true");
}

static void inits_again_when_init_failed(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function init() error('broken') end"));
    assert_false(ct_script_init(f.script));
    reload_script(&f, "main", "function init() done = true end");
    assert_lua(&f, "done", "true");
}

static int load_another(lua_State *L) {
    (void)L;
    load_script(&f, "another", "");
    ct_resource_manager_update(f.world.resources, 1);
    return 0;
}

// A resource that comes while the boot script runs (it flushes a package, say) starts no second
// run.
static void does_not_boot_again_while_the_boot_script_runs(void **state) {
    (void)state;
    assert_false(boot_script(&f, "error('broken')"));
    lua_pushcfunction(f.script->lua.lua, load_another);
    lua_setglobal(f.script->lua.lua, "load_another");
    reload_script(&f, "main", "count = (count or 0) + 1 load_another()");
    assert_lua(&f, "count", "1");
}

// Saves texts of loaded scripts together, as a checkout of another branch does.
static void reload_two(const char *first, const char *first_lua, const char *second,
                       const char *second_lua) {
    const ct_resource_id ids[] = {ct_resource_id_of("lua", first),
                                  ct_resource_id_of("lua", second)};
    write_script(&f, first, first_lua);
    write_script(&f, second, second_lua);
    assert_int_equal(ct_resource_manager_reload(f.world.resources, ids, 2), 2);
}

static void runs_what_others_require_first_when_both_changed(void **state) {
    (void)state;
    load_script(&f, "a", "return {value = 1}");
    assert_true(boot_script(&f, "runs = (runs or 0) + 1 copy = require('a').value"));
    reload_two("main", "runs = runs + 1 copy = require('a').new", "a", "return {new = 2}");
    assert_lua(&f, "copy, runs", "2\t2");
    assert_string_equal(logged, "");
}

static void says_nothing_of_a_script_that_fails_only_before_others_ran(void **state) {
    (void)state;
    load_script(&f, "late", "return {}");
    load_script(&f, "early", "return {}");
    run_lua(&f, "require 'early' late = require 'late'");
    reload_two("early", "late.new() return {}", "late", "return {new = function() end}");
    assert_string_equal(logged, "");
}

static void runs_a_script_that_failed_again_when_another_changed(void **state) {
    (void)state;
    load_script(&f, "late", "return {}");
    load_script(&f, "early", "value = 1");
    run_lua(&f, "require 'early' late = require 'late'");
    reload_script(&f, "early", "value = late.new()");
    assert_non_null(strstr(logged, "error lua: early.lua:1: attempt to call field 'new'"));
    reload_script(&f, "late", "return {new = function() return 2 end}");
    assert_lua(&f, "value", "2");
}

static void runs_a_script_that_failed_again_when_another_comes(void **state) {
    (void)state;
    assert_true(boot_script(&f, "value = 1"));
    reload_script(&f, "main", "value = require('a').value");
    assert_lua(&f, "value", "1");
    load_script(&f, "a", "return {value = 2}");
    ct_resource_manager_update(f.world.resources, 1);
    assert_lua(&f, "value", "2");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(runs_a_required_script_once),
        TEST(gives_true_for_a_script_that_returns_nothing),
        TEST(says_which_script_is_missing),
        TEST(guesses_which_script_was_meant),
        TEST(says_that_no_variant_is_wanted),
        TEST(refuses_scripts_that_require_each_other),
        TEST(names_the_chain_of_scripts_that_require_each_other),
        TEST(tells_who_required_a_script_that_failed),
        TEST(runs_a_script_that_failed_again),
        TEST(runs_a_script_that_failed_under_pcall_again),
        TEST(names_file_and_line_of_errors),
        TEST(requires_lua_libraries),
        TEST(loads_a_script_as_a_function),
        TEST(refuses_bytecode_in_a_resource),
        TEST(runs_a_changed_script_in_the_same_environment),
        TEST(leaves_scripts_alone_that_nobody_used),
        TEST(gives_holders_of_a_module_its_new_functions),
        TEST(replaces_a_result_that_is_no_table),
        TEST(runs_a_loaded_script_again),
        TEST(keeps_the_old_functions_when_the_new_run_fails),
        TEST(keeps_a_modules_members_when_the_new_run_fails),
        TEST(boots_and_inits_a_boot_script_once_it_is_mended),
        TEST(boots_once_a_script_it_requires_is_mended),
        TEST(boots_once_a_script_it_requires_comes),
        TEST(inits_again_when_init_failed),
        TEST(does_not_boot_again_while_the_boot_script_runs),
        TEST(runs_what_others_require_first_when_both_changed),
        TEST(says_nothing_of_a_script_that_fails_only_before_others_ran),
        TEST(runs_a_script_that_failed_again_when_another_changed),
        TEST(runs_a_script_that_failed_again_when_another_comes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
