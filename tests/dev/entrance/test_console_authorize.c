#include "support/test_support.h"

#include <string.h>

#include "dev/entrance/console_authorize.h"
#include "foundation/error.h"

static const char token[] = "correct horse battery";
static const char right_token[] = "correct-horse-battery";

static void other_machines_need_a_token(void **state) {
    (void)state;
    static const struct {
        const char *address, *token, *error;
    } wrong[] = {
        {"0.0.0.0", NULL, "--console-address 0.0.0.0 lets other machines connect: give a token"},
        {"192.168.1.5", NULL, "give a token"},
        {"::", NULL, "give a token"},
        {"example.com", right_token, "\"example.com\"; expected an IP address"},
        {"127.0.0.1", "short", "has 5 characters; expected 16 to 255"},
        {NULL, "", "has 0 characters"},
        {"0.0.0.0", token, "character 8 of the token"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        ct_error error = {0};
        assert_false(ct_console_check_address(wrong[i].address, wrong[i].token, &error));
        assert_non_null(strstr(error.message, wrong[i].error));
    }
    ct_error error = {0};
    assert_true(ct_console_check_address(NULL, NULL, &error));
    assert_true(ct_console_check_address("127.0.0.1", NULL, &error));
    assert_true(ct_console_check_address("::1", NULL, &error));
    assert_true(ct_console_check_address("0.0.0.0", right_token, &error));
}

static bool authorize(const char *json, ct_string_builder *answer, ct_error *reason) {
    ct_string_builder_init(answer, test_heap());
    return ct_console_authorize(test_heap(), right_token, json, (uint32_t)strlen(json), answer,
                                reason);
}

static void the_right_token_is_answered(void **state) {
    (void)state;
    ct_string_builder answer;
    ct_error reason = {0};
    assert_true(
        authorize("{type=\"authorize\" token=\"correct-horse-battery\"}", &answer, &reason));
    assert_int_equal(answer.length, 0);
    ct_string_builder_free(&answer);
    assert_true(
        authorize("{type=\"authorize\" token=\"correct-horse-battery\" id=7}", &answer, &reason));
    assert_string_equal(ct_string_builder_text(&answer), "{\"type\":\"result\",\"id\":7}");
    ct_string_builder_free(&answer);
}

static void all_else_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *json, *reason;
    } wrong[] = {
        {"{type=\"authorize\" token=\"correct-horse-batterz\"}", "the token is wrong"},
        {"{type=\"authorize\" token=\"correct-horse-battery2\"}", "the token is wrong"},
        {"{type=\"authorize\" token=\"\"}", "the token is wrong"},
        {"{type=\"authorize\" token=\"correct-horse-battery\\u0000x\"}", "the token is wrong"},
        {"{type=\"authorize\" token=7}", "the token is wrong"},
        {"{type=\"authorize\"}", "the token is wrong"},
        {"{type=\"script\" script=\"1\"}", "the first message"},
        {"{}", "the first message"},
        {"[", "expected"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        ct_string_builder answer;
        ct_error reason = {0};
        assert_false(authorize(wrong[i].json, &answer, &reason));
        assert_int_equal(answer.length, 0);
        assert_non_null(strstr(reason.message, wrong[i].reason));
    }
}

static void errors_name_the_option(void **state) {
    (void)state;
    ct_error error = {0};
    assert_false(ct_console_check_token("token-file", "short", &error));
    assert_string_equal(error.message,
                        "the token of --token-file has 5 characters; expected 16 to 255");
    assert_true(ct_console_check_token("token", right_token, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_the_option),
        cmocka_unit_test(other_machines_need_a_token),
        cmocka_unit_test(the_right_token_is_answered),
        cmocka_unit_test(all_else_is_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
