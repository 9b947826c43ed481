#include "support/test_support.h"

#include <math.h>
#include <string.h>

#include "animation/machine/machine_expression.h"
#include "compiler/types/state_machine/worker_expression.h"
#include "foundation/error.h"
#include "foundation/math/random.h"

static const char *const names[] = {"speed", "grounded", "x"};
static const float values[] = {3, 1, -2.5f};

// A resource with one program.
typedef struct program {
    ct_state_machine_resource resource;
    ct_state_machine_expression expression;
    float constants[600];
    uint32_t words[600];
} program;

static ct_worker_expressions start(void) {
    ct_worker_expressions e = {.variables = names, .num_variables = CT_COUNT_OF(names)};
    ct_array_init(&e.words, test_heap());
    ct_array_init(&e.constants, test_heap());
    return e;
}

static void stop(ct_worker_expressions *e) {
    ct_array_free(&e->words);
    ct_array_free(&e->constants);
}

// Compiles and evaluates; the value has to be finite.
static bool evaluate(const char *text, float *value, ct_error *error) {
    static program p;
    ct_worker_expressions e = start();
    const bool is_fine = ct_worker_expression(&e, text, (uint32_t)strlen(text), error);
    if (is_fine) {
        p.resource = (ct_state_machine_resource){
            .variables = {0, CT_COUNT_OF(names)},
            .expressions = {(uint32_t)offsetof(program, expression), 1},
            .words = {(uint32_t)offsetof(program, words), e.words.count},
            .constants = {(uint32_t)offsetof(program, constants), e.constants.count}};
        p.expression = (ct_state_machine_expression){0, e.words.count};
        memcpy(p.words, e.words.items, sizeof(uint32_t) * e.words.count);
        if (e.constants.count > 0)
            memcpy(p.constants, e.constants.items, sizeof(float) * e.constants.count);
        *value = ct_machine_expression(&p.resource, 0, values, 0);
        assert_true(isfinite(*value));
    } else {
        assert_int_equal(e.words.count, 0);
        assert_int_equal(e.constants.count, 0);
    }
    stop(&e);
    return is_fine;
}

static void expect(const char *text, float expected) {
    float value = 0;
    ct_error error = {0};
    if (!evaluate(text, &value, &error))
        fail_msg("%s: %s", text, error.message);
    if (fabsf(value - expected) > 1e-5f)
        fail_msg("%s is %g, expected %g", text, (double)value, (double)expected);
}

static void expect_fault(const char *text, uint32_t column, const char *message) {
    float value;
    ct_error error = {0};
    if (evaluate(text, &value, &error))
        fail_msg("%s is accepted", text);
    if (!strstr(error.message, message) || error.column != column)
        fail_msg("%s: found %u \"%s\", expected %u \"%s\"", text, error.column, error.message,
                 column, message);
}

static void computes(void **state) {
    (void)state;
    expect("1 + 2 * 3", 7);
    expect("(1 + 2) * 3", 9);
    expect("10 - 2 - 3", 5);
    expect("12 / 2 / 3", 2);
    expect("-2 * -3", 6);
    expect("--2", 2);
    expect("7 % 3", 1);
    expect("-7 % 3", 2);
    expect("1.5e1 + .5", 15.5f);
    expect("speed * x", -7.5f);
    expect("min(3, 1, 2) + max(1, 5)", 6);
    expect("clamp(speed, 0, 2)", 2);
    expect("abs(x) + sin(0) + cos(0)", 3.5f);
    expect("lerp(2, 4, 0.25)", 2.5f);
    expect("select(speed > 2, 10, 20)", 10);
    expect("true + false", 1);
}

static void compares_and_decides(void **state) {
    (void)state;
    expect("speed > 2 and grounded", 1);
    expect("speed > 2 and not grounded", 0);
    expect("not speed > 5", 1);
    expect("0 or 0 and 1", 0);
    expect("1 or 0 and 0", 1);
    expect("2 == 2 and 2 != 3 and 2 < 3 and 2 <= 2 and 3 > 2 and 3 >= 3", 1);
    expect("1 + 1 == 2", 1);
    expect("2 and 3", 1);
}

static void never_gives_nan_or_infinity(void **state) {
    (void)state;
    expect("1 / 0", 0);
    expect("speed / (speed - 3)", 0);
    expect("5 % 0", 0);
    expect("1e38 * 1e38", 0);
    expect("1e38 * 1e38 - 1e38 * 1e38", 0);
    expect("0 / 0 == 0", 1);
    expect("sin(1e38) * 0", 0);
    expect("lerp(1e38, -1e38, 1e38)", 0);
}

static void says_what_is_wrong_and_where(void **state) {
    (void)state;
    expect_fault("", 1, "found \"the end of the text\", expected a number");
    expect_fault("1 +", 4, "found \"the end of the text\", expected a number");
    expect_fault("1 2", 3, "found \"2\", expected an operator or the end");
    expect_fault("speed = 2", 7, "found \"=\"; write == to compare");
    expect_fault("!grounded", 1, "found \"!\"; write not");
    expect_fault("1 && 2", 3, "found \"&\"; write and");
    expect_fault("1 | 2", 3, "found \"|\"; write or");
    expect_fault("sped > 2", 1, "there is no variable \"sped\"; did you mean \"speed\"?");
    expect_fault("2 * nonsense", 5, "there is no variable \"nonsense\"; the first is \"speed\"");
    expect_fault("foo(1)", 1, "there is no function \"foo\"; there are min, max");
    expect_fault("lerp(1, 2)", 1, "lerp has 2 arguments, expected 3");
    expect_fault("min(1)", 1, "min has 1 argument, expected 2 or more");
    expect_fault("(1 + 2", 7, "expected )");
    expect_fault("abs(1", 6, "expected a comma or )");
    expect_fault("1.2.3", 1, "\"1.2.3\" is not a number");
    expect_fault("0x10", 1, "is not a number");
    expect_fault("1e99", 1, "is not a number");
    expect_fault("1 # b", 3, "found \"#\"");
    ct_worker_expressions none = {.num_variables = 0};
    ct_error error = {0};
    ct_array_init(&none.words, test_heap());
    ct_array_init(&none.constants, test_heap());
    assert_false(ct_worker_expression(&none, "a", 1, &error));
    assert_string_equal(error.message, "there is no variable \"a\"; add it to `variables`");
    stop(&none);
}

static void limits_depth_and_length(void **state) {
    (void)state;
    char text[4096];
    memset(text, '(', 2000);
    strcpy(text + 2000, "1");
    float value;
    ct_error error = {0};
    assert_false(evaluate(text, &value, &error));
    assert_non_null(strstr(error.message, "too deep"));
    memset(text, '-', 2000);
    assert_false(evaluate(text, &value, &error));
    // A stack of 33 values.
    text[0] = 0;
    for (uint32_t i = 0; i < 31; ++i)
        strcat(text, "1+(");
    strcat(text, "1");
    for (uint32_t i = 0; i < 31; ++i)
        strcat(text, ")");
    assert_true(evaluate(text, &value, &error));
    assert_true(value == 32);
    strcpy(text, "1");
    for (uint32_t i = 0; i < 300; ++i)
        strcat(text, "+1");
    assert_false(evaluate(text, &value, &error));
    assert_non_null(strstr(error.message, "too long"));
}

// Random texts of the language's words are refused with a place, or give a finite number.
static void takes_any_text(void **state) {
    (void)state;
    static const char *const parts[] = {
        "speed", "x",  "1",   "0",  "2.5", "(", ")",    "+",     "-",       "*",    "/", "%",
        "<",     "==", "and", "or", "not", ",", "min(", "lerp(", "select(", "abs(", "=", "#"};
    ct_random r = ct_random_seeded(5, 1);
    uint32_t num_fine = 0;
    for (uint32_t round = 0; round < 20000; ++round) {
        char text[256] = "";
        const uint32_t count = 1 + ct_random_below(&r, 9);
        for (uint32_t i = 0; i < count; ++i) {
            strcat(text, parts[ct_random_below(&r, CT_COUNT_OF(parts))]);
            strcat(text, " ");
        }
        float value;
        ct_error error = {0};
        if (evaluate(text, &value, &error))
            ++num_fine;
        else
            assert_true(error.column >= 1 && error.column <= strlen(text) + 1 && error.message[0]);
    }
    assert_true(num_fine > 300);
}

static void knows_names(void **state) {
    (void)state;
    assert_true(ct_worker_expression_is_name("speed_2"));
    assert_true(ct_worker_expression_is_name("_a"));
    assert_false(ct_worker_expression_is_name("2a"));
    assert_false(ct_worker_expression_is_name(""));
    assert_false(ct_worker_expression_is_name("a-b"));
    assert_false(ct_worker_expression_is_name("not"));
    assert_false(ct_worker_expression_is_name("min"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes),
        cmocka_unit_test(compares_and_decides),
        cmocka_unit_test(never_gives_nan_or_infinity),
        cmocka_unit_test(says_what_is_wrong_and_where),
        cmocka_unit_test(limits_depth_and_length),
        cmocka_unit_test(takes_any_text),
        cmocka_unit_test(knows_names),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
