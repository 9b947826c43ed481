#include "cli/command.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

static const ct_command_option options[] = {
    {"size", "WxH", "a value"},
    {"json", NULL, "a switch"},
    {"o", "DIR", "a value, by one letter"},
};

static const ct_command command = {
    .name = "try",
    .operands = "A [B]",
    .least_operands = 1,
    .most_operands = 2,
    .summary = "",
    .description = "",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .takes_rest = true,
};

static bool parse(ct_command_arguments *arguments, ct_error *error, int argc, const char **argv) {
    memset(error, 0, sizeof(*error));
    return ct_command_parse(&command, argc, argv, arguments, error);
}

#define PARSE(...)                                                                                 \
    parse(&arguments, &error, (int)CT_COUNT_OF(((const char *[]){__VA_ARGS__})),                   \
          (const char *[]){__VA_ARGS__, NULL})

static void takes_operands_and_options_in_any_order(void **state) {
    (void)state;
    ct_command_arguments arguments;
    ct_error error;
    assert_true(PARSE("--json", "a", "--size", "1x2", "b"));
    assert_int_equal(arguments.num_operands, 2);
    assert_string_equal(arguments.operands[0], "a");
    assert_string_equal(arguments.operands[1], "b");
    assert_string_equal(ct_command_option_of(&command, &arguments, "size"), "1x2");
    assert_non_null(ct_command_option_of(&command, &arguments, "json"));
    assert_true(PARSE("a", "--size=3x4"));
    assert_string_equal(ct_command_option_of(&command, &arguments, "size"), "3x4");
    assert_null(ct_command_option_of(&command, &arguments, "json"));
}

static void takes_as_many_operands_as_there_are(void **state) {
    (void)state;
    enum { COUNT = 10000 };
    static const char *argv[COUNT + 1];
    for (uint32_t i = 0; i < COUNT; ++i)
        argv[i] = i == 1 ? "--json" : i % 2 == 0 ? "even" : "odd";
    ct_command any = command;
    any.most_operands = CT_COMMAND_ANY_OPERANDS;
    ct_command_arguments arguments;
    ct_error error;
    assert_true(ct_command_parse(&any, COUNT, argv, &arguments, &error));
    assert_int_equal(arguments.num_operands, COUNT - 1);
    assert_string_equal(arguments.operands[1], "even");
    assert_string_equal(arguments.operands[COUNT - 2], "odd");
    assert_null(arguments.operands[COUNT - 1]);
    assert_non_null(ct_command_option_of(&any, &arguments, "json"));
}

static void keeps_what_follows_two_dashes_for_the_game(void **state) {
    (void)state;
    ct_command_arguments arguments;
    ct_error error;
    assert_true(PARSE("a", "--", "--json", "b"));
    assert_int_equal(arguments.num_operands, 1);
    assert_int_equal(arguments.num_rest, 2);
    assert_string_equal(arguments.rest[0], "--json");
    assert_null(ct_command_option_of(&command, &arguments, "json"));
}

static void refuses_what_does_not_fit_and_says_why(void **state) {
    (void)state;
    ct_command_arguments arguments;
    ct_error error;
    assert_false(PARSE("--json"));
    assert_non_null(strstr(error.message, "expected: cuttle try A [B]"));
    assert_false(PARSE("a", "b", "c"));
    assert_non_null(strstr(error.message, "unexpected argument \"c\""));
    assert_false(PARSE("a", "--sise", "1x1"));
    assert_non_null(strstr(error.message, "did you mean \"--size\"?"));
    assert_false(PARSE("a", "-s"));
    assert_non_null(strstr(error.message, "unknown option \"-s\""));
    assert_false(PARSE("a", "--size"));
    assert_non_null(strstr(error.message, "needs a value"));
    assert_false(PARSE("a", "--json=1"));
    assert_non_null(strstr(error.message, "takes no value"));
    assert_false(PARSE("a", "--json", "--json"));
    assert_non_null(strstr(error.message, "given twice"));
}

static void takes_options_of_one_letter(void **state) {
    (void)state;
    ct_command_arguments arguments;
    ct_error error;
    assert_true(PARSE("a", "-o", "there", "--json"));
    assert_string_equal(ct_command_option_of(&command, &arguments, "o"), "there");
    assert_true(PARSE("a", "-o=here"));
    assert_string_equal(ct_command_option_of(&command, &arguments, "o"), "here");
    assert_false(PARSE("a", "--o", "there"));
    assert_false(PARSE("a", "-o"));
    assert_non_null(strstr(error.message, "option -o needs a value: -o DIR"));
    assert_false(PARSE("a", "-json"));
    assert_non_null(strstr(error.message, "unknown option \"-json\"; expected a long option"));
}

static void reads_numbers_in_a_range(void **state) {
    (void)state;
    ct_error error = {0};
    double number = 7.0;
    uint32_t count = 7;
    assert_true(ct_command_number("n", NULL, 0, 1, &number, &error));
    assert_true(number == 7.0);
    assert_true(ct_command_number("n", "0.5", 0, 1, &number, &error));
    assert_true(number == 0.5);
    assert_true(ct_command_count("n", "12", 1, 20, &count, &error));
    assert_int_equal(count, 12);
    assert_false(ct_command_count("n", "1.5", 1, 20, &count, &error));
    assert_non_null(strstr(error.message, "whole number"));
    assert_false(ct_command_number("n", "2", 0, 1, &number, &error));
    assert_non_null(strstr(error.message, "from 0 to 1"));
    assert_false(ct_command_number("n", "1x", 0, 9, &number, &error));
    assert_false(ct_command_number("n", "nan", 0, 9, &number, &error));
    assert_false(ct_command_number("n", "", 0, 9, &number, &error));
}

static void finds_every_command_with_its_help(void **state) {
    (void)state;
    uint32_t count = 0;
    const ct_command *const *commands = ct_commands(&count);
    assert_true(count >= 8);
    for (uint32_t i = 0; i < count; ++i) {
        assert_ptr_equal(ct_command_named(commands[i]->name), commands[i]);
        assert_true(commands[i]->summary[0] != '\0' && commands[i]->description[0] != '\0');
        assert_true(commands[i]->num_options <= CT_COMMAND_MAX_OPTIONS);
        for (uint32_t o = 0; o < commands[i]->num_options; ++o)
            assert_true(commands[i]->options[o].doc[0] != '\0');
    }
    assert_null(ct_command_named("nothing"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_operands_and_options_in_any_order),
        cmocka_unit_test(takes_as_many_operands_as_there_are),
        cmocka_unit_test(keeps_what_follows_two_dashes_for_the_game),
        cmocka_unit_test(refuses_what_does_not_fit_and_says_why),
        cmocka_unit_test(takes_options_of_one_letter),
        cmocka_unit_test(reads_numbers_in_a_range),
        cmocka_unit_test(finds_every_command_with_its_help),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
