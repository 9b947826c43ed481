#include "player/player_arguments.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

enum { MOST = 16 };

static const char *game[MOST];
static ct_player_arguments arguments;
static ct_error error;

static bool parse(int count, const char *const *argv) {
    assert_true(count <= MOST);
    memset(&error, 0, sizeof(error));
    return ct_player_arguments_parse(count, argv, game, &arguments, &error);
}

#define PARSE(...)                                                                                 \
    parse((int)CT_COUNT_OF(((const char *const[]){__VA_ARGS__})),                                  \
          (const char *const[]){__VA_ARGS__})

static void takes_its_own_options_in_both_forms(void **state) {
    (void)state;
    assert_true(PARSE("--data", "d", "--headless", "--frames=30", "--fixed-dt", "0.5",
                      "--size=320x180", "--screenshot", "a.png", "--log=l"));
    assert_string_equal(arguments.data_folder, "d");
    assert_true(arguments.is_headless);
    assert_int_equal(arguments.num_frames, 30);
    assert_true(arguments.fixed_step_seconds == 0.5);
    assert_int_equal(arguments.width, 320);
    assert_int_equal(arguments.height, 180);
    assert_string_equal(arguments.screenshot_path, "a.png");
    assert_string_equal(arguments.log_path, "l");
    assert_int_equal(arguments.num_game, 0);
    assert_false(arguments.wants_help || arguments.wants_version);
}

static void needs_no_argument_at_all(void **state) {
    (void)state;
    assert_true(parse(0, NULL));
    assert_null(arguments.data_folder);
    assert_int_equal(arguments.num_frames, 0);
    assert_int_equal(arguments.num_game, 0);
}

static void leaves_all_else_to_the_game_in_its_order(void **state) {
    (void)state;
    assert_true(PARSE("level", "--fast", "--headless", "-x", "--frame", "--", "--frames", "--"));
    const char *const expected[] = {"level", "--fast", "-x", "--frame", "--frames", "--"};
    assert_int_equal(arguments.num_game, CT_COUNT_OF(expected));
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i)
        assert_string_equal(arguments.game[i], expected[i]);
    assert_true(arguments.is_headless);
    assert_int_equal(arguments.num_frames, 0);
}

static void refuses_what_is_wrong_and_says_why(void **state) {
    (void)state;
    assert_false(PARSE("--data"));
    assert_string_equal(error.message, "option --data needs a value: --data DIR");
    assert_false(PARSE("--data="));
    assert_string_equal(error.message, "--data is \"\"; expected a folder");
    assert_false(PARSE("--headless=1"));
    assert_string_equal(error.message, "option --headless takes no value");
    assert_false(PARSE("--headless", "--headless"));
    assert_string_equal(error.message, "option --headless is given twice");
    assert_false(PARSE("--screenshot", "a.png"));
    assert_string_equal(error.message, "--screenshot needs --frames");
    static const char *const counts[] = {"0", "-1", "1x", "", "1000000001", " 1", "1e2"};
    for (uint32_t i = 0; i < CT_COUNT_OF(counts); ++i) {
        assert_false(PARSE("--frames", counts[i]));
        assert_non_null(strstr(error.message, "expected a whole number from 1 to 1000000000"));
    }
    static const char *const steps[] = {"0", "nan", "11", "", "1s"};
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        assert_false(PARSE("--fixed-dt", steps[i]));
        assert_non_null(strstr(error.message, "expected a number from 1e-06 to 10"));
    }
    static const char *const sizes[] = {"1", "0x1", "1x0", "1x1x", "16385x1", "", "x"};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        assert_false(PARSE("--size", sizes[i]));
        assert_non_null(strstr(error.message, "expected WxH, such as 1280x720"));
    }
}

static void help_names_every_option(void **state) {
    (void)state;
    static const char *const names[] = {"--data",       "--headless", "--frames", "--fixed-dt",
                                        "--size",       "--log",      "--help",   "--version",
                                        "--screenshot", "`--`"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        assert_non_null(strstr(ct_player_help, names[i]));
    assert_true(PARSE("--help"));
    assert_true(arguments.wants_help);
    assert_true(PARSE("--version"));
    assert_true(arguments.wants_version);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_its_own_options_in_both_forms),
        cmocka_unit_test(needs_no_argument_at_all),
        cmocka_unit_test(leaves_all_else_to_the_game_in_its_order),
        cmocka_unit_test(refuses_what_is_wrong_and_says_why),
        cmocka_unit_test(help_names_every_option),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
