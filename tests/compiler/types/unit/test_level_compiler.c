#include "compiler/types/unit/template_support.h"
#include "foundation/string/string_builder.h"

#define CRATE                                                                                      \
    "components = [ { id = \"t\" type = \"transform\" }\n"                                         \
    "  { id = \"m\" type = \"mesh\" mesh = \"crate\" } ]\n"

static const char *project_with_crate(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "crate.unit", CRATE);
    return project;
}

static ct_compile_answer compile_level(const char *project, const char *text) {
    write_text(project, "yard.level", text);
    return compile_file(project, "level", "yard");
}

static void places_units_with_pose_and_overrides(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        project_with_crate(),
        "units = [ { id = \"u1\" unit = \"crate\" position = [1 2 0] layer = \"props\" }\n"
        "  { id = \"u2\" unit = \"crate\" scale = [2 2 2]\n"
        "    overrides = [ { id = \"m\" is_visible = false } ] } ]\n"
        "script = \"levels/yard\"");
    const ct_level_resource *level = expect_blob(&answer, "level");
    const ct_level_unit *const units = ct_blob_at(level, level->units.offset);
    assert_int_equal(level->units.count, 2);
    assert_true(units[1].unit.value == ct_string_id64_of("crate").value);
    assert_int_equal(units[1].id.value, ct_string_id32_of("u2").value);
    assert_int_equal(units[1].root, 1);
    assert_true(level->script.value == ct_string_id64_of("levels/yard").value);
    const uint32_t *const parents = ct_blob_at(level, level->entities.parents.offset);
    assert_true(parents[0] == CT_NO_PARENT && parents[1] == CT_NO_PARENT);
    const ct_transform_data *transform = data_of(level, &level->entities, "transform", 0);
    expect_vector3(transform->position, 1, 2, 0);
    transform = data_of(level, &level->entities, "transform", 1);
    expect_vector3(transform->position, 0, 0, 0);
    expect_vector3(transform->scale, 2, 2, 2);
    assert_int_equal(
        ((const ct_mesh_data *)data_of(level, &level->entities, "mesh", 0))->is_visible, 1);
    assert_int_equal(
        ((const ct_mesh_data *)data_of(level, &level->entities, "mesh", 1))->is_visible, 0);
    assert_true(has_reference(&answer, "lua", "levels/yard"));
    assert_true(has_reference(&answer, "unit", "crate"));
    assert_true(has_reference(&answer, "mesh", "crate"));
    assert_true(has_include(&answer, "crate.unit"));
    ct_compile_answer_free(&answer);
}

static void compiles_an_empty_level(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(test_scratch_folder(), "{}");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    assert_int_equal(level->entities.num_entities, 0);
    assert_true(level->script.value == 0);
    ct_compile_answer_free(&answer);
}

static void refuses_an_id_that_stands_twice(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_level(project_with_crate(), "units = [ { id = \"u\" unit = \"crate\" }\n"
                                            "  { id = \"u\" unit = \"crate\" } ]");
    expect_error(&answer, "yard.level", 2, 5, "the id \"u\" is used twice here");
}

static void refuses_units_without_name(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_level(test_scratch_folder(), "units = [\n  { id = \"u\" position = [0 0 0] } ]");
    expect_error(&answer, "yard.level", 2, 3, "needs a `unit`");
}

static void refuses_elements_that_are_no_objects(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(test_scratch_folder(), "units = [ \"crate\" ]");
    expect_error(&answer, "yard.level", 1, 11, "found a string, expected");
}

static void refuses_to_remove_what_it_places(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        project_with_crate(), "units = [\n  { id = \"a\" unit = \"crate\" removed = true } ]");
    expect_error(&answer, "yard.level", 2, 29, "unit.removed: unknown member");
}

static void leaves_out_components_of_what_it_places(void **state) {
    (void)state;
    const char *const project = project_with_crate();
    write_text(project, "pile.unit", CRATE "children = [ { id = \"top\" unit = \"crate\" } ]");
    static const char *const texts[] = {
        "units = [ { id = \"u\" unit = \"pile\" } ]",
        "units = [ { id = \"u\" unit = \"pile\" overrides = [ { id = \"m\" removed = true } ] } ]",
        ("units = [ { id = \"u\" unit = \"pile\" overrides = [ { id = \"m\" removed = true } ]\n"
         "  children = [ { id = \"top\" overrides = [ { id = \"m\" removed = true } ] } ] } ]"),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_compile_answer answer = compile_level(project, texts[i]);
        const ct_level_resource *level = expect_blob(&answer, "level");
        assert_int_equal(level->entities.num_entities, 2);
        assert_int_equal(count_of(level, &level->entities, "mesh"), 2 - i);
        ct_compile_answer_free(&answer);
    }
}

static void prints_circles_of_units_that_it_places(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.unit", "children = [ { id = \"1\" unit = \"b\" } ]");
    write_text(project, "b.unit", "inherit = \"c\"");
    write_text(project, "c.unit", "\nchildren = [ { id = \"2\" unit = \"a\" } ]");
    ct_compile_answer answer =
        compile_level(project, "units = [ { id = \"u\" unit = \"b\" }\n"
                               "  { id = \"v\" unit = \"b\" } ]"); // told once
    expect_error(&answer, "c.unit", 2, 25, "a unit cannot be part of itself: a: b: a");
    write_text(project, "d.unit", "inherit = \"d\"");
    answer = compile_level(project, "units = [ { id = \"u\" unit = \"d\" } ]");
    expect_error(&answer, "d.unit", 1, 1, "a unit cannot be part of itself: d: d");
}

static void refuses_overrides_of_what_is_not_there(void **state) {
    (void)state;
    const char *const project = project_with_crate();
    write_text(project, "pile.unit", "children = [ { id = \"top\" unit = \"crate\" } ]");
    ct_compile_answer answer = compile_level(
        project, "units = [ { id = \"u\" unit = \"pile\"\n    overrides = [ { id = \"m\" } ] } ]");
    expect_error(&answer, "yard.level", 2, 21,
                 "there is no component with the id \"m\" here, so it cannot be overridden");
    answer = compile_level(project, "units = [ { id = \"u\" unit = \"crate\"\n"
                                    "    overrides = [ { id = \"n\" removed = true } ] } ]");
    expect_error(&answer, "yard.level", 2, 21,
                 "there is no component with the id \"n\" here, so it cannot be removed");
    answer = compile_level(project, "units = [ { id = \"u\" unit = \"pile\"\n"
                                    "    children = [ { id = \"low\" removed = true } ] } ]");
    expect_error(&answer, "yard.level", 2, 20,
                 "there is no child with the id \"low\" here, so it cannot be removed");
    answer = compile_level(project, "units = [ { id = \"u\" unit = \"pile\"\n"
                                    "    children = [ { id = \"top\" overrides = [\n"
                                    "      { id = \"x\" } ] } ] } ]");
    expect_error(&answer, "yard.level", 3, 9, "there is no component with the id \"x\"");
}

static void refuses_names_that_are_not_canonical(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_level(project_with_crate(), "units = [ { id = \"u\" unit = \"Crate.unit\" } ]");
    expect_error(&answer, "yard.level", 1, 22, "write \"crate\"");
}

static void tells_a_missing_unit_once_however_often_it_is_placed(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_level(test_scratch_folder(), "units = [ { id = \"a\" unit = \"no\" }\n"
                                             "  { id = \"b\" unit = \"no\" } ]");
    assert_int_equal(answer.references.count, 1);
    expect_error(&answer, "yard.level", 1, 22, "\"no.unit\" is not there");
}

static void tells_errors_of_a_unit_once_at_their_place(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "bad.unit", "components = [\n  { id = \"m\" type = \"mesh\" } ]");
    ct_compile_answer answer = compile_level(project, "units = [ { id = \"a\" unit = \"bad\" }\n"
                                                      "  { id = \"b\" unit = \"bad\" } ]");
    expect_error(&answer, "bad.unit", 2, 3, "mesh.mesh: is missing");
}

static void counts_errors_past_the_first_hundred(void **state) {
    (void)state;
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "units = [");
    for (uint32_t i = 0; i < 250; ++i)
        ct_string_builder_addf(&text, " { id = \"%u\" }", i);
    ct_string_builder_add(&text, " ]");
    ct_compile_answer answer = compile_level(test_scratch_folder(), ct_string_builder_text(&text));
    assert_int_equal(answer.errors.count, 101);
    assert_string_equal(answer.errors.items[100].message, "and 150 more errors");
    ct_compile_answer_free(&answer);
    ct_string_builder_free(&text);
}

// The runner's time limit fails a compiler that takes far too long for them.
static void compiles_ten_thousand_units(void **state) {
    (void)state;
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "units = [\n");
    for (uint32_t i = 0; i < 10000; ++i)
        ct_string_builder_addf(&text,
                               "    { id = \"%08x-0000-4000-8000-000000000000\" unit = \"crate\" "
                               "position = [%u 0 0] overrides = [ { id = \"m\" materials = "
                               "[\"wood%u\"] } ] }\n",
                               i, i, i % 7);
    ct_string_builder_add(&text, "]\n");
    ct_compile_answer answer = compile_level(project_with_crate(), ct_string_builder_text(&text));
    const ct_level_resource *const level = expect_blob(&answer, "level");
    assert_int_equal(level->entities.num_entities, 10000);
    assert_int_equal(answer.references.count, 9);
    const ct_transform_data *const last = data_of(level, &level->entities, "transform", 9999);
    expect_vector3(last->position, 9999, 0, 0);
    ct_compile_answer_free(&answer);
    ct_string_builder_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_units_with_pose_and_overrides),
        cmocka_unit_test(compiles_an_empty_level),
        cmocka_unit_test(refuses_an_id_that_stands_twice),
        cmocka_unit_test(refuses_units_without_name),
        cmocka_unit_test(refuses_elements_that_are_no_objects),
        cmocka_unit_test(refuses_to_remove_what_it_places),
        cmocka_unit_test(leaves_out_components_of_what_it_places),
        cmocka_unit_test(prints_circles_of_units_that_it_places),
        cmocka_unit_test(refuses_overrides_of_what_is_not_there),
        cmocka_unit_test(refuses_names_that_are_not_canonical),
        cmocka_unit_test(tells_a_missing_unit_once_however_often_it_is_placed),
        cmocka_unit_test(tells_errors_of_a_unit_once_at_their_place),
        cmocka_unit_test(counts_errors_past_the_first_hundred),
        cmocka_unit_test(compiles_ten_thousand_units),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
