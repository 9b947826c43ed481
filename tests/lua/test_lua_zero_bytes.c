// Strings of Lua with zero bytes: texts go whole to the engine, names are refused.
#include "foundation/log.h"
#include "script/api_fixture.h"

static char message[128 * 1024]; // the last that was logged
static uint32_t message_bytes;

static void keep_message(void *user, ct_log_level level, const char *system, const char *text) {
    (void)user, (void)level, (void)system;
    message_bytes = ct_log_bytes_of_message();
    memcpy(message, text, message_bytes);
}

static int set_up_sink(void **state) {
    set_up(state);
    message_bytes = 0;
    ct_log_add_sink(&(ct_log_sink){.write = keep_message});
    return 0;
}

static int tear_down_sink(void **state) {
    ct_log_remove_sink(keep_message, NULL);
    return tear_down(state);
}

static void expect_bytes(const char *got, uint32_t num_got, const char *expected, uint32_t bytes) {
    assert_int_equal(num_got, bytes);
    assert_memory_equal(got, expected, bytes);
}
#define EXPECT_BYTES(got, num_got, literal)                                                        \
    expect_bytes((got), (num_got), (literal), sizeof(literal) - 1)

static void print_logs_the_whole_text(void **state) {
    (void)state;
    run_lua(&f, "print('a\\0b', 'c')");
    EXPECT_BYTES(message, message_bytes, "a\0b\tc");
}

static void long_print_is_cut_and_says_how_much(void **state) {
    (void)state;
    run_lua(&f, "print(('x'):rep(1000000) .. 'é')");
    assert_true(message_bytes <= CT_LOG_MAX_BYTES);
    message[message_bytes] = 0;
    char note[64];
    const uint32_t kept = (uint32_t)strspn(message, "x");
    snprintf(note, sizeof(note), "… (%u more bytes)", 1000002 - kept);
    assert_string_equal(message + kept, note);
}

static void console_runs_and_returns_whole_texts(void **state) {
    (void)state;
    run_lua(&f, "'a\\0b'");
    EXPECT_BYTES(f.result.text, f.result.length, "a\0b");
    run_lua(&f, "{['a\\0b'] = 1}");
    EXPECT_BYTES(f.result.text, f.result.length, "{[\"a\\0b\"] = 1}");
    static const char lua[] = "#'a\0b'";
    ct_string_builder_clear(&f.result);
    assert_true(
        ct_lua_execute_bytes(&f.script->lua, lua, sizeof(lua) - 1, &f.result, &f.traceback));
    EXPECT_BYTES(f.result.text, f.result.length, "3");
}

static void errors_keep_their_whole_message(void **state) {
    (void)state;
    assert_false(execute_lua(&f, "error('a\\0b', 0)"));
    EXPECT_BYTES(f.result.text, f.result.length, "a\0b");
    assert_false(execute_lua(&f, "error(setmetatable({}, {__tostring = function() "
                                 "error('a\\0b', 0) end}))"));
    EXPECT_BYTES(f.result.text, f.result.length,
                 "(an error value of type table, whose __tostring failed: a\0b)");
    assert_false(execute_lua(&f, "error('c\\0d', 0)"));
    ct_lua_log_error(&f.script->lua);
    EXPECT_BYTES(message, message_bytes < 3 ? message_bytes : 3, "c\0d");
}

static void errors_that_differ_behind_a_zero_byte_are_two(void **state) {
    (void)state;
    execute_lua(&f, "error('a\\0b', 0)");
    ct_lua_log_error(&f.script->lua);
    message_bytes = 0;
    execute_lua(&f, "error('a\\0c', 0)");
    ct_lua_log_error(&f.script->lua);
    EXPECT_BYTES(message, message_bytes < 3 ? message_bytes : 3, "a\0c");
}

static void names_are_refused(void **state) {
    (void)state;
    static const char *const calls[] = {
        "require('main\\0x')",
        "load('return 1', 'name\\0x')",
        "World.spawn_unit(W, 'units/thing\\0x')",
        "Application.config('settings\\0x')",
        "Application.can_get('unit\\0', 'units/thing')",
        "Application.set_user_setting('k\\0x', 5)",
        "Application.set_render_setting('a\\0', 1)",
        "Application.set_render_setting('a', 'b\\0')",
        "Application.console_send { type = 'x', ['a\\0b'] = 1 }",
        "Window.set_title(nil, 'a\\0b')",
        "FileSystem.initialize('my_game\\0x')",
        "IdString32('a\\0b')",
        "IdString64('a\\0b')",
        "EntityManager.set_debug_name(C, 'a\\0b')",
        "Unit.node(C, 'root\\0b')",
        "ScriptComponent.broadcast(EntityManager.script_component(W), 'event\\0x')",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i)
        assert_lua_error(&f, calls[i], "without zero bytes");
}

static void members_of_vectors_have_one_letter(void **state) {
    (void)state;
    assert_lua_error(&f, "Vector3(1, 2, 3)['x\\0y']", "has no such member");
}

static void texts_stay_whole_in_saves(void **state) {
    (void)state;
    assert_lua(&f,
               "#Script.deserialize(Script.serialize('a\\0b')), "
               "Script.deserialize(Script.serialize({ ['a\\0b'] = 1 }))['a\\0b']",
               "3\t1");
}

#define ZERO_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_sink, tear_down_sink)

int main(void) {
    const struct CMUnitTest tests[] = {
        ZERO_TEST(print_logs_the_whole_text),
        ZERO_TEST(long_print_is_cut_and_says_how_much),
        ZERO_TEST(console_runs_and_returns_whole_texts),
        ZERO_TEST(errors_keep_their_whole_message),
        ZERO_TEST(errors_that_differ_behind_a_zero_byte_are_two),
        ZERO_TEST(names_are_refused),
        ZERO_TEST(members_of_vectors_have_one_letter),
        ZERO_TEST(texts_stay_whole_in_saves),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
