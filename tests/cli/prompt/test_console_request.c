// What is typed at a console, as messages.
#include "support/test_support.h"

#include "cli/prompt/console_request.h"
#include "foundation/error.h"

// `file`: the path that the answer is for.
static void expect_request(const char *line, const char *expected, const char *expected_file) {
    ct_string_builder json, file;
    ct_string_builder_init(&json, test_heap());
    ct_string_builder_init(&file, test_heap());
    ct_console_write_line(line, "7", &json, &file);
    assert_string_equal(ct_string_builder_text(&json), expected);
    assert_string_equal(ct_string_builder_text(&file), expected_file);
    ct_string_builder_free(&json);
    ct_string_builder_free(&file);
}

static void expect_line(const char *line, const char *expected) {
    expect_request(line, expected, "");
}

static void sends_lua(void **state) {
    (void)state;
    expect_line("1 + \"2\"", "{\"type\":\"script\",\"id\":\"7\",\"script\":\"1 + \\\"2\\\"\"}");
}

static void sends_commands_with_their_words(void **state) {
    (void)state;
    expect_line("pause",
                "{\"type\":\"command\",\"id\":\"7\",\"command\":\"pause\",\"arguments\":[]}");
    expect_line("  memory  \"my file.png\" ",
                "{\"type\":\"command\",\"id\":\"7\",\"command\":\"memory\",\"arguments\":"
                "[\"my file.png\"]}");
}

static void keeps_the_file_of_a_screenshot_to_itself(void **state) {
    (void)state;
    static const char request[] =
        "{\"type\":\"command\",\"id\":\"7\",\"command\":\"screenshot\",\"arguments\":[]}";
    expect_request("screenshot", request, "screenshot.png");
    expect_request("screenshot 'my file.png'", request, "my file.png");
    expect_request("screenshot ../a.png", request, "../a.png");
    expect_line("screenshot ''",
                "{\"type\":\"command\",\"id\":\"7\",\"command\":\"screenshot\",\"arguments\":"
                "[\"\"]}");
    expect_line("screenshot a.png b.png",
                "{\"type\":\"command\",\"id\":\"7\",\"command\":\"screenshot\",\"arguments\":"
                "[\"a.png\",\"b.png\"]}");
}

static void takes_variables_with_names_of_commands_for_lua(void **state) {
    (void)state;
    expect_line("memory = 5", "{\"type\":\"script\",\"id\":\"7\",\"script\":\"memory = 5\"}");
    expect_line("help.me", "{\"type\":\"script\",\"id\":\"7\",\"script\":\"help.me\"}");
    expect_line("help ~= 1", "{\"type\":\"script\",\"id\":\"7\",\"script\":\"help ~= 1\"}");
    expect_line("help .. 1", "{\"type\":\"script\",\"id\":\"7\",\"script\":\"help .. 1\"}");
}

static void reads_addresses(void **state) {
    (void)state;
    char host[16];
    uint16_t port = 0;
    ct_error error = {0};
    assert_true(ct_console_parse_address("::1:64000", host, sizeof(host), &port, &error));
    assert_string_equal(host, "::1");
    assert_int_equal(port, 64000);
    assert_false(ct_console_parse_address("host", host, sizeof(host), &port, &error));
    assert_false(ct_console_parse_address(":64000", host, sizeof(host), &port, &error));
    assert_false(ct_console_parse_address("host:0", host, sizeof(host), &port, &error));
    assert_false(ct_console_parse_address("host:65536", host, sizeof(host), &port, &error));
    assert_false(ct_console_parse_address("host:1x", host, sizeof(host), &port, &error));
    assert_false(ct_console_parse_address("a_very_long_host:1", host, sizeof(host), &port, &error));
}

static void tells_addresses_from_lua(void **state) {
    (void)state;
    assert_true(ct_console_is_like_address("127.0.0.1:99999"));
    assert_true(ct_console_is_like_address("[::1]:0"));
    assert_true(ct_console_is_like_address("my-host.local:1"));
    assert_false(ct_console_is_like_address("my host:1"));
    assert_false(ct_console_is_like_address("print('a:1')"));
    assert_false(ct_console_is_like_address("unit:1x"));
    assert_false(ct_console_is_like_address("unit:"));
    assert_false(ct_console_is_like_address(":1"));
    assert_false(ct_console_is_like_address("memory"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_lua),
        cmocka_unit_test(sends_commands_with_their_words),
        cmocka_unit_test(keeps_the_file_of_a_screenshot_to_itself),
        cmocka_unit_test(takes_variables_with_names_of_commands_for_lua),
        cmocka_unit_test(reads_addresses),
        cmocka_unit_test(tells_addresses_from_lua),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
