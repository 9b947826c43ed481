// What tools have of scripts besides running them: completion, unfinished input, messages.
#include "script/fake_host.h"
#include "script/script_private.h"

static script_fixture f;
static ct_string_builder found;

static int set_up(void **state) {
    (void)state;
    f = start_script();
    ct_string_builder_init(&found, test_heap());
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_string_builder_free(&found);
    stop_script(&f);
    return 0;
}

// Completes `text`: the names must be `names` (separated by spaces), and stand from `start` on.
static void expect_names(const char *text, uint32_t start, const char *names) {
    ct_string_builder_clear(&found);
    assert_int_equal(ct_lua_complete(&f.script->lua, text, &found), start);
    for (uint32_t i = 0; i < found.length; ++i)
        found.text[i] = found.text[i] == '\n' ? ' ' : found.text[i];
    assert_string_equal(ct_string_builder_text(&found), names);
}

static void completes_globals(void **state) {
    (void)state;
    expect_names("World.update(w) Quatern", 16, "Quaternion QuaternionBox");
    expect_names("Quaternion", 0, "Quaternion QuaternionBox");
    expect_names("no_such", 0, "");
}

static void completes_members_of_tables(void **state) {
    (void)state;
    expect_names("x = World.spawn", 10, "spawn_unit spawn_units");
    execute_lua(&f, "a = {b = {first = 1, second = 2, ['no name'] = 3, [4] = 5}}");
    expect_names("print(a.b.", 10, "first second");
    expect_names("a.b.s", 4, "second");
    expect_names("a.nothing.s", 10, "");
    expect_names("a.b.first.s", 10, "");
}

static void completes_functions_only_behind_a_colon(void **state) {
    (void)state;
    execute_lua(&f, "a = {run = function() end, rank = 1}");
    expect_names("a:r", 2, "run");
}

static void completes_what_is_inherited_once(void **state) {
    (void)state;
    execute_lua(&f, "base = {walk = print, run = print} "
                    "thing = setmetatable({run = print}, {__index = base})");
    expect_names("thing.", 6, "run walk");
}

static void completes_without_running_the_game(void **state) {
    (void)state;
    execute_lua(&f, "lazy = setmetatable({}, {__index = function() ran = true end})");
    expect_names("lazy.a.b", 7, "");
    assert_true(execute_lua(&f, "return ran"));
    assert_string_equal(ct_string_builder_text(&f.result), "nil");
}

static void completes_nothing_of_what_a_call_returns(void **state) {
    (void)state;
    expect_names("World.units(w)[1].W", 18, "");
}

static void tells_input_that_ends_too_early(void **state) {
    (void)state;
    assert_false(execute_lua(&f, "if true then"));
    assert_true(ct_lua_is_unfinished(&f.script->lua));
    assert_false(execute_lua(&f, "x = [[long"));
    assert_true(ct_lua_is_unfinished(&f.script->lua));
    assert_false(execute_lua(&f, "if true the"));
    assert_false(ct_lua_is_unfinished(&f.script->lua));
    assert_false(execute_lua(&f, "error([['<eof>']], 0)"));
    assert_false(ct_lua_is_unfinished(&f.script->lua));
    assert_true(execute_lua(&f, "if true then end"));
    assert_false(ct_lua_is_unfinished(&f.script->lua));
}

// Hands a message to the game; whether it was taken without an error.
static bool receive(const char *json) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), json, strlen(json), "message", NULL, &error);
    assert_non_null(doc);
    ct_string_builder_clear(&f.result);
    ct_string_builder_clear(&f.traceback);
    const bool is_done = ct_script_receive(f.script, doc, &f.result, &f.traceback);
    ct_sjson_free(doc);
    return is_done;
}

static void hands_messages_to_the_game(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function console_receive(m) got = m end"));
    assert_true(ct_script_can_receive(f.script));
    assert_true(receive("{\"type\": \"paint\", \"color\": [1, 0.5], \"deep\": {\"on\": true}}"));
    assert_string_equal(ct_string_builder_text(&f.result), "");
    assert_true(execute_lua(&f, "return got.type, got.color[2], got.deep.on, #got.color"));
    assert_string_equal(ct_string_builder_text(&f.result), "paint\t0.5\ttrue\t2");
}

static void answers_with_what_the_game_returns(void **state) {
    (void)state;
    assert_true(boot_script(&f, "kept = {} function console_receive(m) kept.sum = m.a + m.b "
                                "return kept end"));
    assert_true(receive("{\"type\": \"add\", \"id\": \"x\", \"a\": 1, \"b\": 2}"));
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), ct_string_builder_text(&f.result),
                                         f.result.length, "answer", NULL, &error);
    assert_non_null(doc);
    const ct_sjson_value root = ct_sjson_root(doc);
    assert_string_equal(ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), ""), "result");
    assert_string_equal(ct_sjson_string(doc, ct_sjson_find(doc, root, "id"), ""), "x");
    assert_true(ct_sjson_number(doc, ct_sjson_find(doc, root, "sum"), 0) == 3);
    ct_sjson_free(doc);
    assert_true(execute_lua(&f, "return kept.id, kept.type")); // the game's table stays as it was
    assert_string_equal(ct_string_builder_text(&f.result), "nil\tnil");
}

static void tells_what_a_receiver_did_wrong(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function console_receive(m) error('no ' .. m.type) end"));
    assert_false(receive("{\"type\": \"paint\"}"));
    assert_non_null(strstr(ct_string_builder_text(&f.result), "main.lua:1: no paint"));
    assert_non_null(strstr(ct_string_builder_text(&f.traceback), "main.lua:1"));
    assert_true(execute_lua(&f, "function console_receive(m) return 5 end"));
    assert_false(receive("{\"type\": \"paint\"}"));
    assert_non_null(strstr(ct_string_builder_text(&f.result), "returned a number"));
    assert_true(execute_lua(&f, "function console_receive(m) return {f = print} end"));
    assert_false(receive("{\"type\": \"paint\"}"));
}

static void has_no_receiver_before_the_game_makes_one(void **state) {
    (void)state;
    assert_true(boot_script(&f, "x = 1"));
    assert_false(ct_script_can_receive(f.script));
    assert_true(execute_lua(&f, "console_receive = 5"));
    assert_false(ct_script_can_receive(f.script));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(completes_globals),
        TEST(completes_members_of_tables),
        TEST(completes_functions_only_behind_a_colon),
        TEST(completes_what_is_inherited_once),
        TEST(completes_without_running_the_game),
        TEST(completes_nothing_of_what_a_call_returns),
        TEST(tells_input_that_ends_too_early),
        TEST(hands_messages_to_the_game),
        TEST(answers_with_what_the_game_returns),
        TEST(tells_what_a_receiver_did_wrong),
        TEST(has_no_receiver_before_the_game_makes_one),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
