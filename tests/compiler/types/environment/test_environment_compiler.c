#include "compiler/compile_case.h"
#include "resource/types/environment_resource.h"

static compile_case make(void) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "base.render_config",
                      "settings = { mist = { type = \"number\" default = 0.5 least = 0 most = 1\n"
                      "    environment = true }\n"
                      "  tint = { type = \"color\" default = [1 1 1] environment = true }\n"
                      "  shadows = true }\n"
                      "line_shader = \"no/such\" error_material = \"no/such\"");
    compile_case_text(&t, "heir.render_config",
                      "inherit = \"base\"\n"
                      "settings = { mode = { choices = [\"a\" \"b\"] default = \"a\"\n"
                      "    environment = true } }");
    return t;
}

static const ct_environment_value *find(const ct_environment_resource *e, const char *name) {
    const ct_environment_value *const values = ct_blob_at(e, e->values.offset);
    for (uint32_t i = 0; i < e->values.count; ++i) {
        if (strcmp(ct_blob_at(e, values[i].name_text.offset), name) == 0)
            return &values[i];
    }
    return NULL;
}

static void reads_values_by_the_settings_of_the_config_and_what_it_inherits(void **state) {
    (void)state;
    compile_case t = make();
    compile_case_text(&t, "dusk.environment",
                      "render_config = \"heir\"\n"
                      "values = { mist = 0.25 tint = [0.5 0 1] mode = \"b\" }");
    const ct_environment_resource *const e = compile_case_blob(&t, "environment", "dusk");
    assert_int_equal(e->values.count, 3);
    const ct_environment_value *const tint = find(e, "tint");
    assert_float_equal(find(e, "mist")->value[0], 0.25f, 0);
    assert_int_equal(find(e, "mist")->type, CT_RENDER_SETTING_TYPE_NUMBER);
    assert_int_equal(find(e, "mist")->name.value, ct_string_id32_of("mist").value);
    assert_float_equal(find(e, "mode")->value[0], 1, 0);
    assert_float_equal(tint->value[0], 0.2140f, 1e-3f); // linear
    assert_float_equal(tint->value[3], 1, 0);
    assert_true(compile_case_has_include(&t, "base.render_config"));
    assert_true(compile_case_has_include(&t, "heir.render_config"));
    assert_true(has_reference(&t.answer, "render_config", "heir"));
    assert_false(has_reference(&t.answer, "shader", "no/such"));
    compile_case_free(&t);
}

static void starts_from_its_parent(void **state) {
    (void)state;
    compile_case t = make();
    compile_case_text(&t, "dusk.environment",
                      "render_config = \"heir\" values = { mist = 0.25 mode = \"b\" }");
    compile_case_text(&t, "night.environment",
                      "parent = \"dusk\" values = { mist = 1 mode = null tint = [0 0 0] }");
    const ct_environment_resource *const e = compile_case_blob(&t, "environment", "night");
    assert_int_equal(e->values.count, 2);
    assert_float_equal(find(e, "mist")->value[0], 1, 0);
    assert_null(find(e, "mode"));
    assert_true(compile_case_has_include(&t, "dusk.environment"));
    compile_case_free(&t);
}

static void refuse(const char *source, uint32_t line, const char *message) {
    compile_case t = make();
    compile_case_text(&t, "bad.environment", source);
    compile_case_run(&t, "environment", "bad");
    compile_case_expect(&t, "bad.environment", line, message);
    compile_case_free(&t);
}

static void refuses_values_that_do_not_fit(void **state) {
    (void)state;
#define HEIR "render_config = \"heir\"\n"
    refuse(HEIR "values = { mist = 2 }", 2, "mist: found 2, expected a number from 0 to 1");
    refuse(HEIR "values = { mist = \"thick\" }", 2, "mist: found a string");
    refuse(HEIR "values = { mist = 1e400 }", 2, "");
    refuse(HEIR "values = { tint = [1 2] }", 2, "tint is a color: expected an array of 3 or 4");
    refuse(HEIR "values = { tint = [1 2 0] }", 2, "tint: found 2, expected a number from 0 to 1");
    refuse(HEIR "values = { mode = \"c\" }", 2, "mode: found \"c\", expected one of: a, b");
    refuse(HEIR "values = 5", 2, "values");
    refuse(HEIR "value = {}", 2, "did you mean \"values\"");
}

static void refuses_settings_that_are_not_for_environments(void **state) {
    (void)state;
    refuse(HEIR "values = {\n mits = 1 }", 3,
           "heir.render_config has no setting \"mits\"; did you mean \"mist\"?");
    refuse(HEIR "values = { entirely_else = 1 }", 2, "has no setting \"entirely_else\"; the first");
    refuse(HEIR "values = { shadows = false }", 2,
           "environments may not set \"shadows\": write environment = true in its declaration, "
           "shadows = { … }, in the settings of base.render_config");
}

static void refuses_parents_and_configs_that_are_not_there(void **state) {
    (void)state;
    refuse("parent = \"none\"", 1, "none");
    refuse("render_config = \"none\"", 1, "none");
    refuse("parent = \"bad\"", 1, "an environment cannot be its own parent");
    refuse(HEIR "parent = 5", 2, "parent");
}

static void reports_errors_of_a_parent_at_their_place(void **state) {
    (void)state;
    compile_case t = make();
    compile_case_text(&t, "dusk.environment", HEIR "values = {\n mist = 7 }");
    compile_case_text(&t, "bad.environment", "parent = \"dusk\"");
    compile_case_run(&t, "environment", "bad");
    compile_case_expect(&t, "dusk.environment", 3, "mist: found 7");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values_by_the_settings_of_the_config_and_what_it_inherits),
        cmocka_unit_test(starts_from_its_parent),
        cmocka_unit_test(refuses_values_that_do_not_fit),
        cmocka_unit_test(refuses_settings_that_are_not_for_environments),
        cmocka_unit_test(refuses_parents_and_configs_that_are_not_there),
        cmocka_unit_test(reports_errors_of_a_parent_at_their_place),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
