#include "lua/lua_module.h"
#include "lua/lua_signature.h"
#include "script/script_modules.h"
#include "support/test_support.h"

#include <string.h>

#include "foundation/error.h"

static ct_signature parsed(const char *text) {
    ct_signature s;
    ct_error error = {0};
    if (!ct_signature_parse(text, &s, &error))
        fail_msg("%s: %s", text, error.message);
    return s;
}

static void takes_arguments_and_results_apart(void **state) {
    (void)state;
    const ct_signature s =
        parsed("(self: Unit, id: any(integer,string[])?, rest: any+) -> Vector3, Unit[]");
    assert_int_equal(s.num_arguments, 3);
    assert_string_equal(s.arguments[0].name, "self");
    assert_string_equal(s.arguments[0].type, "Unit");
    assert_int_equal(s.arguments[0].mark, 0);
    assert_string_equal(s.arguments[1].type, "any(integer,string[])");
    assert_int_equal(s.arguments[1].mark, '?');
    assert_string_equal(s.arguments[2].type, "any");
    assert_int_equal(s.arguments[2].mark, '+');
    assert_int_equal(s.num_results, 2);
    assert_string_equal(s.results[0].type, "Vector3");
    assert_string_equal(s.results[1].type, "Unit[]");
}

static void nothing_goes_in_or_comes_back(void **state) {
    (void)state;
    const ct_signature s = parsed("() -> nil");
    assert_int_equal(s.num_arguments, 0);
    assert_int_equal(s.num_results, 0);
    assert_int_equal(parsed("() -> integer*").results[0].mark, '*');
}

static void knows_strings_that_name_resources(void **state) {
    (void)state;
    const ct_signature s =
        parsed("(name: string(unit)?, more: string(package)+, x: string) -> nil");
    assert_string_equal(s.arguments[0].type, "string");
    assert_string_equal(s.arguments[0].resource, "unit");
    assert_int_equal(s.arguments[0].mark, '?');
    assert_string_equal(s.arguments[1].resource, "package");
    assert_int_equal(s.arguments[1].mark, '+');
    assert_string_equal(s.arguments[2].resource, "");
    const ct_signature several = parsed("(look: any(string(material),Material)?) -> nil");
    assert_string_equal(several.arguments[0].type, "any(string,Material)");
    assert_string_equal(several.arguments[0].resource, "material");
    assert_int_equal(several.arguments[0].mark, '?');
    ct_signature broken;
    ct_error error = {0};
    assert_false(ct_signature_parse("(name: any(string(unit),Unit -> nil", &broken, &error));
    assert_false(ct_signature_parse("(name: string(unit) -> nil", &broken, &error));
    assert_false(ct_signature_parse("(name: string() -> nil", &broken, &error));
    assert_false(ct_signature_parse("(name: string(unit -> nil", &broken, &error));
}

static void steps_through_the_types_of_a_part(void **state) {
    (void)state;
    const ct_signature s = parsed("(id: any(integer,Unit[],string)?) -> Vector3");
    const char *at = s.arguments[0].type;
    char name[CT_SIGNATURE_NAME_BYTES];
    bool is_array;
    assert_true(ct_signature_next_type(&at, name, &is_array));
    assert_string_equal(name, "integer");
    assert_false(is_array);
    assert_true(ct_signature_next_type(&at, name, &is_array));
    assert_string_equal(name, "Unit");
    assert_true(is_array);
    assert_true(ct_signature_next_type(&at, name, &is_array));
    assert_string_equal(name, "string");
    assert_false(is_array);
    assert_false(ct_signature_next_type(&at, name, &is_array));
    at = s.results[0].type;
    assert_true(ct_signature_next_type(&at, name, &is_array));
    assert_string_equal(name, "Vector3");
    assert_false(ct_signature_next_type(&at, name, &is_array));
}

static void assert_refused(const char *text, const char *message) {
    ct_signature s;
    ct_error error = {0};
    assert_false(ct_signature_parse(text, &s, &error));
    if (!strstr(error.message, message))
        fail_msg("\"%s\": expected \"%s\", got \"%s\"", text, message, error.message);
}

static void refuses_other_forms(void **state) {
    (void)state;
    assert_refused("", "column 1: expected \"(\"");
    assert_refused("(a) -> nil", "column 3: expected \":\"");
    assert_refused("(a: ) -> nil", "expected a type");
    assert_refused("(a: any(integer", "expected \")\"");
    assert_refused("(a: integer b: string) -> nil", "expected \",\" or \")\"");
    assert_refused("()", "column 3: expected \"->\"");
    assert_refused("() -> ", "expected a type");
    assert_refused("() -> nil nil", "expected the end");
}

static void every_binding_has_a_signature_of_this_form(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (modules[i]->call)
            parsed(modules[i]->call_signature);
        for (uint32_t k = 0; k < modules[i]->num_functions; ++k)
            parsed(modules[i]->functions[k].signature);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_arguments_and_results_apart),
        cmocka_unit_test(nothing_goes_in_or_comes_back),
        cmocka_unit_test(knows_strings_that_name_resources),
        cmocka_unit_test(steps_through_the_types_of_a_part),
        cmocka_unit_test(refuses_other_forms),
        cmocka_unit_test(every_binding_has_a_signature_of_this_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
