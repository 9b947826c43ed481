// Sound_source components: the head and the event's parameters.
#include <string.h>

#include "compiler/types/unit/template_support.h"
#include "resource/types/component/sound_source_data.h"

static const char *project; // of one test

static int start(void **state) {
    (void)state;
    project = test_scratch_folder();
    write_text(project, "knock.sound_event",
               "parameters = { force = 0.5  material = \"wood\" }\nplay = \"knock\"\n");
    return 0;
}

// Compiles a unit with this component in line 2 and on.
static ct_compile_answer compile(const char *members) {
    char text[1024];
    snprintf(text, sizeof(text), "components = [ { id = \"s\" type = \"sound_source\"\n%s } ]\n",
             members);
    write_text(project, "x.unit", text);
    return compile_file(project, "unit", "x");
}

static void expect_refusal(const char *members, uint32_t line, uint32_t column,
                           const char *message) {
    ct_compile_answer answer = compile(members);
    expect_error(&answer, "x.unit", line, column, message);
}

static void expect_number(const ct_sound_source_data *data, uint32_t i, const char *name,
                          float number) {
    const ct_sound_source_parameter *const p = &ct_sound_source_data_parameters(data)[i];
    assert_int_equal(p->name.value, ct_string_id32_of(name).value);
    assert_int_equal(p->is_text, 0);
    assert_memory_equal(&p->bits, &number, sizeof(number));
}

static void expect_text(const ct_sound_source_data *data, uint32_t i, const char *name,
                        const char *text) {
    const ct_sound_source_parameter *const p = &ct_sound_source_data_parameters(data)[i];
    assert_int_equal(p->name.value, ct_string_id32_of(name).value);
    assert_int_equal(p->is_text, 1);
    assert_int_equal(p->bits, ct_string_id32_of(text).value);
}

static void writes_the_head_and_its_parameters(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile("event = \"knock\" position = [1 2 3] orphaned = \"detach\" volume = -6\n"
                "plays_at_spawn = false parameters = { force = 2  material = \"steel\" }");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    const ct_sound_source_data *const data =
        varying_data_of(unit, &unit->entities, "sound_source", 0);
    assert_int_equal(data->event.value, ct_string_id64_of("knock").value);
    expect_vector3(data->position, 1, 2, 3);
    assert_int_equal(data->orphaned, CT_SOUND_ORPHANED_DETACH);
    assert_int_equal(data->plays_at_spawn, 0);
    assert_float_equal(data->volume, -6, 0);
    assert_int_equal(data->num_parameters, 2);
    expect_number(data, 0, "force", 2);
    expect_text(data, 1, "material", "steel");
    ct_compile_answer_free(&answer);
}

static void merges_parameters_by_name(void **state) {
    (void)state;
    write_text(project, "base.unit",
               "components = [ { id = \"s\" type = \"sound_source\" event = \"knock\"\n"
               "  parameters = { force = 2 material = \"steel\" } } ]");
    write_text(project, "heir.unit",
               "inherit = \"base\" components = [ { id = \"s\" orphaned = \"detach\"\n"
               "  parameters = { force = 3 material = null } } ]");
    ct_compile_answer answer = compile_file(project, "unit", "heir");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    const ct_sound_source_data *const data =
        varying_data_of(unit, &unit->entities, "sound_source", 0);
    assert_int_equal(data->orphaned, CT_SOUND_ORPHANED_DETACH);
    assert_int_equal(data->num_parameters, 1);
    expect_number(data, 0, "force", 3);
    ct_compile_answer_free(&answer);
}

static void refers_to_its_event(void **state) {
    (void)state;
    ct_compile_answer answer = compile("event = \"knock\"");
    expect_blob(&answer, "unit");
    assert_int_equal(answer.references.count, 1);
    assert_string_equal(answer.references.items[0].type, "sound_event");
    assert_string_equal(answer.references.items[0].name, "knock");
    ct_compile_answer_free(&answer);
}

static void refuses_parameters_that_the_event_has_not(void **state) {
    (void)state;
    expect_refusal("event = \"knock\"\n  parameters = { froce = 2 }", 3, 18,
                   "the event has no parameter \"froce\"; did you mean \"force\"?");
    expect_refusal("event = \"knock\"\n  parameters = { temperature = 2 }", 3, 18,
                   "the event has no parameter \"temperature\"; add it to knock.sound_event");
}

static void refuses_wrong_values(void **state) {
    (void)state;
    expect_refusal("event = \"knock\"\n  parameters = { force = \"2\" }", 3, 18,
                   "found a string; the event's parameter \"force\" is a number");
    expect_refusal("event = \"knock\"\n  parameters = { material = 2 }", 3, 18,
                   "found a number; the event's parameter \"material\" is a string");
    expect_refusal("event = \"knock\"\n  parameters = { force = [1] }", 3, 18,
                   "found an array, expected a number or a string");
    expect_refusal("event = \"knock\"\n  parameters = { force = 1e300 }", 3, 18,
                   "expected a number that fits into a float");
    expect_refusal("event = \"knock\" orphaned = \"gone\"", 2, 17, "expected one of: stop, detach");
    expect_refusal("event = \"knock\" volume = 30", 2, 17, "30");
}

// Its own compile reports what is wrong with the event.
static void takes_all_parameters_of_an_event_it_cannot_read(void **state) {
    (void)state;
    write_text(project, "knock.sound_event", "parameters = { force = ");
    ct_compile_answer answer = compile("event = \"knock\" parameters = { any = 2 }");
    expect_blob(&answer, "unit");
    ct_compile_answer_free(&answer);
    answer = compile("event = \"missing\" parameters = { any = 2 }");
    expect_blob(&answer, "unit");
    ct_compile_answer_free(&answer);
}

#define SOURCE_TEST(test) cmocka_unit_test_setup(test, start)

int main(void) {
    const struct CMUnitTest tests[] = {
        SOURCE_TEST(writes_the_head_and_its_parameters),
        SOURCE_TEST(merges_parameters_by_name),
        SOURCE_TEST(refers_to_its_event),
        SOURCE_TEST(refuses_parameters_that_the_event_has_not),
        SOURCE_TEST(refuses_wrong_values),
        SOURCE_TEST(takes_all_parameters_of_an_event_it_cannot_read),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
