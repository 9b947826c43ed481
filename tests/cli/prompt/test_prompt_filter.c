// Which log messages a prompt shows.
#include "support/test_support.h"

#include <string.h>

#include "cli/prompt/prompt_filter.h"
#include "foundation/error.h"

static ct_error error;

static void shows_all_at_first(void **state) {
    (void)state;
    const ct_prompt_filter f = {0};
    assert_true(ct_prompt_filter_shows(&f, "debug", "lua", "anything"));
}

static void shows_from_a_level_on(void **state) {
    (void)state;
    ct_prompt_filter f = {0};
    assert_true(ct_prompt_filter_set_level(&f, "warning", &error));
    assert_false(ct_prompt_filter_shows(&f, "info", "lua", "x"));
    assert_true(ct_prompt_filter_shows(&f, "warning", "lua", "x"));
    assert_true(ct_prompt_filter_shows(&f, "error", "lua", "x"));
    assert_true(ct_prompt_filter_shows(&f, "of a later engine", "lua", "x"));
    assert_true(ct_prompt_filter_set_level(&f, "none", &error));
    assert_false(ct_prompt_filter_shows(&f, "error", "lua", "x"));
}

static void refuses_unknown_levels(void **state) {
    (void)state;
    ct_prompt_filter f = {.least = CT_LOG_LEVEL_ERROR};
    assert_false(ct_prompt_filter_set_level(&f, "loud", &error));
    assert_non_null(strstr(error.message, "unknown level \"loud\""));
    assert_int_equal(f.least, CT_LOG_LEVEL_ERROR);
}

static void shows_the_systems_asked_for(void **state) {
    (void)state;
    ct_prompt_filter f = {0};
    assert_true(ct_prompt_filter_set_systems(&f, " lua,  render ", &error));
    assert_int_equal(f.num_systems, 2);
    assert_true(ct_prompt_filter_shows(&f, "info", "lua", "x"));
    assert_true(ct_prompt_filter_shows(&f, "info", "render", "x"));
    assert_false(ct_prompt_filter_shows(&f, "info", "renderer", "x"));
    assert_true(ct_prompt_filter_set_systems(&f, "", &error));
    assert_true(ct_prompt_filter_shows(&f, "info", "renderer", "x"));
}

static void keeps_its_systems_when_there_are_too_many(void **state) {
    (void)state;
    ct_prompt_filter f = {0};
    assert_true(ct_prompt_filter_set_systems(&f, "lua", &error));
    assert_false(ct_prompt_filter_set_systems(&f, "1 2 3 4 5 6 7 8 9", &error));
    assert_int_equal(f.num_systems, 1);
    assert_false(ct_prompt_filter_set_systems(&f, "a_name_of_a_system_that_is_far_too_long_for_one",
                                              &error));
    assert_string_equal(f.systems[0], "lua");
}

static void shows_what_holds_a_text(void **state) {
    (void)state;
    ct_prompt_filter f = {0};
    assert_true(ct_prompt_filter_set_text(&f, "Crate", &error));
    assert_true(ct_prompt_filter_shows(&f, "info", "lua", "spawned a crate"));
    assert_false(ct_prompt_filter_shows(&f, "info", "lua", "spawned a box"));
    char text[CT_PROMPT_FILTER_TEXT_BYTES + 1];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_false(ct_prompt_filter_set_text(&f, text, &error));
    assert_string_equal(f.text, "Crate");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_all_at_first),
        cmocka_unit_test(shows_from_a_level_on),
        cmocka_unit_test(refuses_unknown_levels),
        cmocka_unit_test(shows_the_systems_asked_for),
        cmocka_unit_test(keeps_its_systems_when_there_are_too_many),
        cmocka_unit_test(shows_what_holds_a_text),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
