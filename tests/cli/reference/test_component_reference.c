#include "support/test_support.h"

#include <string.h>

#include "cli/reference/component_reference.h"
#include "resource/types/component_resource.h"

typedef struct sail_data {
    float area;
} sail_data;

static const ct_field sail_fields[] = {
    {.name = "area",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(sail_data, area),
     .size_bytes = sizeof(float),
     .doc = "Catches wind.",
     .unit = "m2",
     .least = 1,
     .most = 400,
     .default_value = {25}},
};

static const ct_schema sail_schema = {.name = "sail",
                                      .doc = "Moves a boat.",
                                      .size_bytes = sizeof(sail_data),
                                      .num_fields = CT_COUNT_OF(sail_fields),
                                      .fields = sail_fields,
                                      .identity =
                                          CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static void has_what_a_game_registers(void **state) {
    (void)state;
    ct_error error = {0};
    assert_true(ct_component_type_register(&sail_schema, false, &error));
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_component_reference_markdown(&text);
    assert_non_null(strstr(ct_string_builder_text(&text), "## sail"));
    assert_non_null(strstr(ct_string_builder_text(&text), "Moves a boat."));
    assert_non_null(strstr(ct_string_builder_text(&text),
                           "| `area` | number | m2 | 1 to 400 | 25 | Catches wind. |"));
    ct_string_builder_clear(&text);
    ct_component_reference_json(&text);
    assert_non_null(strstr(ct_string_builder_text(&text), "\"sail\""));
    ct_component_type_unregister(&sail_schema);
    ct_string_builder_clear(&text);
    ct_component_reference_markdown(&text);
    assert_null(strstr(ct_string_builder_text(&text), "sail"));
    ct_string_builder_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_what_a_game_registers)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
