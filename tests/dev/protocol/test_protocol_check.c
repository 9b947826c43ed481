// Messages against the types of their rows.
#include "dev/protocol/protocol_areas.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "support/test_support.h"

// Checks the member `x` of a text against a type; returns the error, empty where it fits.
static const char *check(const char *type, const char *text) {
    static ct_error error;
    ct_error broken = {0};
    ct_sjson *const doc =
        ct_sjson_parse(test_heap(), text, (uint32_t)strlen(text), "test", NULL, &broken);
    assert_non_null(doc);
    const ct_sjson_value value = ct_sjson_find(doc, ct_sjson_root(doc), "x");
    const bool fits = ct_protocol_check_value(type, doc, value, "x", &error);
    ct_sjson_free(doc);
    assert_int_equal(fits, error.message[0] == '\0');
    return error.message;
}

static void takes_values_of_each_type(void **state) {
    (void)state;
    static const char *const good[][2] = {
        {"string", "x = \"a\""},
        {"number", "x = -1.5"},
        {"integer", "x = 9"},
        {"boolean", "x = false"},
        {"any", "x = [{ a = 1 }]"},
        {"any", "x = null"},
        {"\"a\"|\"b\"", "x = \"b\""},
        {"string|number", "x = 3"},
        {"integer[]", "x = [1 2 3]"},
        {"integer[]", "x = []"},
        {"integer[][]", "x = [[1] []]"},
        {"(string|number)[]", "x = [1 \"a\"]"},
        {"(\"a\"|boolean)[]?", "x = [\"a\" true]"},
        {"DebuggerBreakpoint[]", "x = [{ line = 3 log = \"a\" }]"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(good); ++i)
        assert_string_equal(check(good[i][0], good[i][1]), "");
}

static void names_what_was_found_and_expected(void **state) {
    (void)state;
    static const char *const bad[][3] = {
        {"string", "x = 1", "\"x\" is 1; expected string"},
        {"number", "x = \"1\"", "\"x\" is \"1\"; expected number"},
        {"integer", "x = -1", "\"x\" is -1; expected integer"},
        {"integer", "x = 1.5", "\"x\" is 1.5; expected integer"},
        {"boolean", "x = 1", "\"x\" is 1; expected boolean"},
        {"\"a\"|\"b\"", "x = \"c\"", "\"x\" is \"c\"; expected \"a\"|\"b\""},
        {"integer[]", "x = [1 2.5]", "\"x[2]\" is 2.5; expected integer"},
        {"(string|number)[]", "x = [1 true]", "\"x[2]\" is a boolean; expected string|number"},
        {"DebuggerBreakpoint[]", "x = [{ line = 3 } { lines = 4 }]",
         "\"x[2].line\" is missing; expected integer"},
        {"DebuggerBreakpoint", "x = { line = 1 logs = \"a\" }",
         "unknown member \"x.logs\"; did you mean \"log\"?"},
        {"DebuggerBreakpoint", "x = []", "\"x\" is an array; expected DebuggerBreakpoint"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i)
        assert_string_equal(check(bad[i][0], bad[i][1]), bad[i][2]);
}

static void each_row_can_be_handled_and_has_types(void **state) {
    (void)state;
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t m = 0; m < areas[i]->num_messages; ++m) {
            const ct_protocol_message *const row = &areas[i]->messages[m];
            assert_ptr_equal(ct_protocol_message_named(row->type), row); // once in all areas
            assert_true(!row->run != !row->handle);                      // one of them
            assert_non_null(row->answer);
            assert_int_equal(row->summary[strlen(row->summary) - 1] != '.', 1);
        }
    }
    assert_null(ct_protocol_message_named("no_such_message"));
    assert_null(ct_protocol_shape_named("NoShape", 7));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_values_of_each_type),
        cmocka_unit_test(names_what_was_found_and_expected),
        cmocka_unit_test(each_row_can_be_handled_and_has_types),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
