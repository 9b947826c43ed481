// Particles components: the head and the effect's variables.
#include "compiler/types/unit/template_support.h"
#include "resource/types/component/particles_data.h"

static const char *project; // of one test

static int start(void **state) {
    (void)state;
    project = test_scratch_folder();
    write_text(project, "smoke.particles",
               "variables = { strength = 1  wind = [0 0 0] }\nemitters = []\n");
    return 0;
}

// Compiles a unit with this component in line 2 and on.
static ct_compile_answer compile(const char *members) {
    char text[1024];
    snprintf(text, sizeof(text), "components = [ { id = \"p\" type = \"particles\"\n%s } ]\n",
             members);
    write_text(project, "x.unit", text);
    return compile_file(project, "unit", "x");
}

static void expect_refusal(const char *members, uint32_t line, uint32_t column,
                           const char *message) {
    ct_compile_answer answer = compile(members);
    expect_error(&answer, "x.unit", line, column, message);
}

static void expect_variable(const ct_particles_data *data, uint32_t i, const char *name, float x,
                            float y, float z, float w) {
    const ct_particles_data_variable *const v = &ct_particles_data_variables(data)[i];
    const float expected[4] = {x, y, z, w};
    assert_int_equal(v->name.value, ct_string_id32_of(name).value);
    assert_memory_equal(v->value, expected, sizeof(expected));
}

static void writes_the_head_and_its_variables(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile("effect = \"smoke\" position = [1 2 3] orphaned = \"detach\"\n"
                "plays_at_spawn = false variables = { strength = 2  wind = [1 0.5 0] }");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    const ct_particles_data *const data = varying_data_of(unit, &unit->entities, "particles", 0);
    assert_int_equal(data->effect.value, ct_string_id64_of("smoke").value);
    expect_vector3(data->position, 1, 2, 3);
    assert_int_equal(data->orphaned, CT_PARTICLES_ORPHANED_DETACH);
    assert_int_equal(data->plays_at_spawn, 0);
    assert_int_equal(data->num_variables, 2);
    expect_variable(data, 0, "strength", 2, 2, 2, 2);
    expect_variable(data, 1, "wind", 1, 0.5f, 0, 0);
    ct_compile_answer_free(&answer);
}

static void merges_variables_by_name(void **state) {
    (void)state;
    write_text(project, "base.unit",
               "components = [ { id = \"p\" type = \"particles\" effect = \"smoke\"\n"
               "  variables = { strength = 2 wind = [1 1 1] } } ]");
    write_text(project, "heir.unit",
               "inherit = \"base\" components = [ { id = \"p\" orphaned = \"destroy\"\n"
               "  variables = { strength = 3 wind = null } } ]");
    ct_compile_answer answer = compile_file(project, "unit", "heir");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    const ct_particles_data *const data = varying_data_of(unit, &unit->entities, "particles", 0);
    assert_int_equal(data->orphaned, CT_PARTICLES_ORPHANED_DESTROY);
    assert_int_equal(data->num_variables, 1);
    expect_variable(data, 0, "strength", 3, 3, 3, 3);
    ct_compile_answer_free(&answer);
}

static void refers_to_its_effect(void **state) {
    (void)state;
    ct_compile_answer answer = compile("effect = \"smoke\"");
    expect_blob(&answer, "unit");
    assert_int_equal(answer.references.count, 1);
    assert_string_equal(answer.references.items[0].type, "particles");
    assert_string_equal(answer.references.items[0].name, "smoke");
    ct_compile_answer_free(&answer);
}

static void refuses_variables_that_the_effect_has_not(void **state) {
    (void)state;
    expect_refusal("effect = \"smoke\"\n  variables = { strenght = 2 }", 3, 17,
                   "the effect has no variable \"strenght\"; did you mean \"strength\"?");
    expect_refusal("effect = \"smoke\"\n  variables = { temperature = 2 }", 3, 17,
                   "the effect has no variable \"temperature\"; add it to smoke.particles");
}

static void refuses_wrong_values(void **state) {
    (void)state;
    expect_refusal("effect = \"smoke\"\n  variables = { strength = \"2\" }", 3, 17,
                   "found a string, expected a number");
    expect_refusal("effect = \"smoke\"\n  variables = { strength = [1] }", 3, 17,
                   "found 1 numbers, expected a number, or an array of 2 to 4");
    expect_refusal("effect = \"smoke\"\n  variables = { strength = [1 true] }", 3, 31,
                   "expected a number");
    expect_refusal("effect = \"smoke\"\n  variables = { strength = 1e300 }", 3, 17,
                   "expected a number that fits into a float");
    expect_refusal("effect = \"smoke\" orphaned = \"gone\"", 2, 18,
                   "expected one of: stop, destroy, detach");
}

// Its own compile reports what is wrong with the effect.
static void takes_all_variables_of_an_effect_it_cannot_read(void **state) {
    (void)state;
    write_text(project, "smoke.particles", "variables = { strength = ");
    ct_compile_answer answer = compile("effect = \"smoke\" variables = { any = 2 }");
    expect_blob(&answer, "unit");
    ct_compile_answer_free(&answer);
    answer = compile("effect = \"missing\" variables = { any = 2 }");
    expect_blob(&answer, "unit");
    ct_compile_answer_free(&answer);
}

#define PARTICLES_TEST(test) cmocka_unit_test_setup(test, start)

int main(void) {
    const struct CMUnitTest tests[] = {
        PARTICLES_TEST(writes_the_head_and_its_variables),
        PARTICLES_TEST(merges_variables_by_name),
        PARTICLES_TEST(refers_to_its_effect),
        PARTICLES_TEST(refuses_variables_that_the_effect_has_not),
        PARTICLES_TEST(refuses_wrong_values),
        PARTICLES_TEST(takes_all_variables_of_an_effect_it_cannot_read),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
