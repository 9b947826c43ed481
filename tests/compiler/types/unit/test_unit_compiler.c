#include "compiler/types/unit/template_support.h"

#include <math.h>

#define LAMP                                                                                       \
    "components = [\n"                                                                             \
    "    { id = \"t\" type = \"transform\" position = [0 0 1] scale = [2 2 2] }\n"                 \
    "    { id = \"l\" type = \"light\" intensity = 3 light_type = \"point\" }\n"                   \
    "]\n"

static const char *project_with_lamp(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "lamp.unit", LAMP);
    return project;
}

static ct_compile_answer compile_unit(const char *project, const char *text) {
    write_text(project, "x.unit", text);
    return compile_file(project, "unit", "x");
}

// --- One unit ------------------------------------------------------------------------------------

static void keeps_components_in_spawn_order(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(),
                     "components = [\n"
                     "  { id = \"m\" type = \"mesh\" mesh = \"crate\" materials = [\"wood\"] }\n"
                     "  { id = \"t\" type = \"transform\" position = [1 2 3] }\n"
                     "]\n");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(unit->entities.num_entities, 1);
    const ct_component_instances *const types =
        ct_blob_at(unit, unit->entities.component_types.offset);
    assert_int_equal(unit->entities.component_types.count, 2);
    assert_int_equal(types[0].type.value, ct_string_id32_of("transform").value);
    assert_int_equal(types[1].type.value, ct_string_id32_of("mesh").value);
    const uint32_t *const ids = ct_blob_at(unit, types[1].ids.offset);
    assert_int_equal(ids[0], ct_string_id32_of("m").value);
    const ct_transform_data *const transform = data_of(unit, &unit->entities, "transform", 0);
    expect_vector3(transform->position, 1, 2, 3);
    expect_vector3(transform->scale, 1, 1, 1);
    const ct_mesh_data *const mesh = data_of(unit, &unit->entities, "mesh", 0);
    assert_true(mesh->mesh.value == ct_string_id64_of("crate").value);
    assert_true(mesh->materials[0].value == ct_string_id64_of("wood").value);
    assert_int_equal(mesh->num_materials, 1);
    assert_true(has_reference(&answer, "mesh", "crate"));
    assert_true(has_reference(&answer, "material", "wood"));
    ct_compile_answer_free(&answer);
}

// A unit with a mesh of `count` materials: m0, m1, …
static ct_compile_answer compile_materials(uint32_t count) {
    char text[4096] = "components = [\n  { id = \"m\" type = \"mesh\" mesh = \"crate\"\n"
                      "    materials = [";
    for (uint32_t i = 0; i < count; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "\"m%u\" ", i);
    strcat(text, "] }\n]\n");
    return compile_unit(test_scratch_folder(), text);
}

static void a_mesh_has_up_to_64_materials(void **state) {
    (void)state;
    ct_compile_answer answer = compile_materials(64);
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    const ct_mesh_data *const mesh = data_of(unit, &unit->entities, "mesh", 0);
    assert_true(mesh->materials[8].value == ct_string_id64_of("m8").value);
    assert_true(mesh->materials[63].value == ct_string_id64_of("m63").value);
    assert_int_equal(mesh->num_materials, 64);
    ct_compile_answer_free(&answer);
    answer = compile_materials(65);
    expect_error(&answer, "x.unit", 3, 5,
                 "mesh.materials: found an array of 65, expected an array of up to 64 names of a "
                 "material");
}

static void what_units_have_in_common_stands_there_once(void **state) {
    (void)state;
    const char *const project = project_with_lamp();
    write_text(project, "x.unit",
               "children = [ { id = \"a\" unit = \"lamp\" }\n"
               "  { id = \"b\" unit = \"lamp\" overrides = [ { id = \"l\" intensity = 5 } ] }\n"
               "  { id = \"c\" unit = \"lamp\" } { id = \"d\" unit = \"lamp\" } ]");
    ct_compile_answer answer = compile_file(project, "unit", "x");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "light"), 4);
    const ct_component_instances *const lights = instances_of(unit, &unit->entities, "light");
    assert_int_equal(lights->data.count, 2);
    const uint32_t expected[4] = {0, 1, 0, 0};
    assert_int_equal(lights->data_index.count, 4);
    assert_memory_equal(ct_blob_at(unit, lights->data_index.offset), expected, sizeof(expected));
    for (uint32_t i = 0; i < 4; ++i) {
        const ct_light_data *const light = data_of(unit, &unit->entities, "light", i);
        assert_true(light->intensity == (i == 1 ? 5 : 3));
    }
    // Transforms are read end to end, though they are the same here.
    const ct_component_instances *const poses = instances_of(unit, &unit->entities, "transform");
    assert_int_equal(poses->data_index.count, 0);
    assert_int_equal(poses->data.count, 4);
    ct_compile_answer_free(&answer);
    answer = compile_unit(project, "children = [ { id = \"a\" unit = \"lamp\" } ]");
    const ct_unit_resource *const single = expect_blob(&answer, "unit");
    assert_int_equal(instances_of(single, &single->entities, "light")->data_index.count, 0);
    ct_compile_answer_free(&answer);
}

static void expect_half_root_z(const ct_transform_data *transform) {
    assert_true(fabsf(transform->rotation[2] - 0.70710678f) < 1e-6f);
    assert_true(fabsf(transform->rotation[3] - 0.70710678f) < 1e-6f);
}

static void rotations_in_degrees_and_others_override_each_other(void **state) {
    (void)state;
    const char *const project = project_with_lamp();
    write_text(project, "turned.unit",
               "components = [ { id = \"t\" type = \"transform\" rotation_degrees = [0 0 90] } ]\n"
               "children = [ { id = \"c\" unit = \"lamp\" rotation = [1 0 0 0] } ]");
    write_text(project, "heir.unit",
               "inherit = \"turned\"\n"
               "components = [ { id = \"t\" rotation = [0 0 0 1] } ]\n"
               "children = [ { id = \"c\" rotation_degrees = [0 0 90] } ]");
    ct_compile_answer answer = compile_file(project, "unit", "turned");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    expect_half_root_z(data_of(unit, &unit->entities, "transform", 0));
    ct_compile_answer_free(&answer);
    answer = compile_file(project, "unit", "heir");
    unit = expect_blob(&answer, "unit");
    const ct_transform_data *const root = data_of(unit, &unit->entities, "transform", 0);
    assert_true(root->rotation[2] == 0 && root->rotation[3] == 1);
    const ct_transform_data *const child = data_of(unit, &unit->entities, "transform", 1);
    expect_half_root_z(child);
    expect_vector3(child->position, 0, 0, 1);
    ct_compile_answer_free(&answer);
    answer =
        compile_unit(project, "children = [ { id = \"a\" unit = \"lamp\" rotation = [1 0 0 0]\n"
                              "  overrides = [ { id = \"t\" rotation_degrees = [0 0 90] } ] "
                              "} ]");
    unit = expect_blob(&answer, "unit");
    expect_half_root_z(data_of(unit, &unit->entities, "transform", 0));
    ct_compile_answer_free(&answer);
    answer =
        compile_unit(project, "components = [ { id = \"g\" type = \"scene_graph\" nodes = [\n"
                              "  { id = \"n\" name = \"n\" rotation_degrees = [0 0 90] } ] } ]");
    unit = expect_blob(&answer, "unit");
    const ct_scene_graph_node_data *const node = data_of(unit, &unit->entities, "scene_graph", 0);
    assert_true(fabsf(node->rotation[2] - 0.70710678f) < 1e-6f);
    ct_compile_answer_free(&answer);
}

static void refuses_two_rotations_of_a_child(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "children = [ { id = \"a\" unit = \"lamp\"\n"
                                          "  rotation = [0 0 0 1]\n"
                                          "  rotation_degrees = [0 0 90] } ]");
    expect_error(&answer, "x.unit", 3, 3,
                 "child.rotation_degrees: found a second rotation beside `rotation`");
}

static void compiles_an_empty_unit(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(test_scratch_folder(), "{}");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    assert_int_equal(unit->entities.num_entities, 1);
    assert_int_equal(unit->entities.component_types.count, 0);
    ct_compile_answer_free(&answer);
}

static void names_known_component_types(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [\n  { id = \"a\" type = \"box\" } ]");
    expect_error(&answer, "x.unit", 2, 14, "unknown component type \"box\"; expected one of");
}

static void refuses_an_id_that_stands_twice(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [\n"
                                            "  { id = \"a\" type = \"transform\" }\n"
                                            "  { id = \"a\" type = \"light\" }\n]");
    expect_error(&answer, "x.unit", 3, 5, "the id \"a\" is used twice here");
}

static void refuses_components_without_id(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [\n  { type = \"transform\" } ]");
    expect_error(&answer, "x.unit", 2, 3, "needs an `id`");
}

static void refuses_components_that_are_no_objects(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(test_scratch_folder(), "components = [ 12 ]");
    expect_error(&answer, "x.unit", 1, 16, "found a number, expected a component");
}

static void refuses_a_second_transform(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [\n"
                                            "  { id = \"a\" type = \"transform\" }\n"
                                            "  { id = \"b\" type = \"transform\" }\n]");
    expect_error(&answer, "x.unit", 3, 3, "at most one transform");
}

static void allows_several_lights(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [ { id = \"a\" type = \"light\" }\n"
                                            "  { id = \"b\" type = \"light\" } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "light"), 2);
    ct_compile_answer_free(&answer);
}

static void needs_required_fields(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [\n  { id = \"m\" type = \"mesh\" } ]");
    expect_error(&answer, "x.unit", 2, 3, "mesh.mesh: is missing");
}

static void tells_all_errors(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        test_scratch_folder(), "components = [\n"
                               "  { id = \"t\" type = \"transform\" postion = [0 0 0] scale = 2 }\n"
                               "  { id = \"b\" type = \"box\" }\n]");
    assert_int_equal(answer.errors.count, 3);
    ct_compile_answer_free(&answer);
}

// --- Inheritance ---------------------------------------------------------------------------------

static void inherits_and_overrides_field_by_field(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "inherit = \"lamp\"\n"
                                          "components = [ { id = \"t\" position = [5 0 0] }\n"
                                          "  { id = \"c\" type = \"camera\" } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    const ct_transform_data *const transform = data_of(unit, &unit->entities, "transform", 0);
    expect_vector3(transform->position, 5, 0, 0);
    expect_vector3(transform->scale, 2, 2, 2);
    const ct_light_data *const light = data_of(unit, &unit->entities, "light", 0);
    assert_float_equal(light->intensity, 3, 0);
    assert_int_equal(light->type, CT_LIGHT_TYPE_POINT);
    assert_int_equal(count_of(unit, &unit->entities, "camera"), 1);
    assert_true(has_include(&answer, "lamp.unit"));
    assert_true(has_reference(&answer, "unit", "lamp"));
    ct_compile_answer_free(&answer);
}

static void drops_what_is_removed(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "inherit = \"lamp\"\n"
                                          "components = [ { id = \"l\" removed = true } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "light"), 0);
    assert_int_equal(count_of(unit, &unit->entities, "transform"), 1);
    ct_compile_answer_free(&answer);
}

static void refuses_to_remove_what_is_not_there(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "inherit = \"lamp\"\n"
                                          "components = [ { id = \"no\" removed = true } ]");
    expect_error(&answer, "x.unit", 2, 18, "no component with the id \"no\"");
}

static void refuses_more_beside_a_removal(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        project_with_lamp(), "inherit = \"lamp\"\n"
                             "components = [ { id = \"l\" removed = true range = 3 } ]");
    expect_error(&answer, "x.unit", 2, 42,
                 "found `range`, expected only the id of a component that is removed");
    answer = compile_unit(project_with_lamp(), "inherit = \"lamp\"\n"
                                               "components = [ { id = \"l\" removed = \"yes\" } ]");
    expect_error(&answer, "x.unit", 2, 27, "found a string, expected true or false");
}

static void tells_that_a_new_component_inherits_no_type(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "inherit = \"lamp\"\n"
                                          "components = [ { id = \"nope\" range = 3 } ]");
    expect_error(&answer, "x.unit", 2, 16,
                 "this component needs a `type`, because no inherited component has its id");
}

static void refuses_another_type_for_an_inherited_id(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "inherit = \"lamp\"\n"
                                          "components = [ { id = \"t\" type = \"mesh\" } ]");
    expect_error(&answer, "x.unit", 2, 27, "is of type \"transform\"");
}

static void fills_required_fields_of_what_it_inherits(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "base.unit", "components = [ { id = \"m\" type = \"mesh\" } ]");
    ct_compile_answer answer =
        compile_unit(project, "inherit = \"base\" components = [ { id = \"m\" mesh = \"b\" } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "mesh"), 1);
    ct_compile_answer_free(&answer);
}

static void forgets_references_that_are_overridden(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "base.unit",
               "components = [ { id = \"m\" type = \"mesh\" mesh = \"a\" materials = [\"w\"] } ]");
    ct_compile_answer answer =
        compile_unit(project, "inherit = \"base\" components = [ { id = \"m\" mesh = \"b\" } ]");
    expect_blob(&answer, "unit");
    assert_false(has_reference(&answer, "mesh", "a"));
    assert_true(has_reference(&answer, "mesh", "b"));
    assert_true(has_reference(&answer, "material", "w"));
    ct_compile_answer_free(&answer);
}

static void tells_errors_of_inherited_files_at_their_place(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "base.unit",
               "components = [\n  { id = \"t\" type = \"transform\"\n    scale = \"big\" } ]");
    ct_compile_answer answer = compile_unit(project, "inherit = \"base\"");
    expect_error(&answer, "base.unit", 3, 5, "expected an array of 3 numbers");
}

static void tells_a_missing_inherited_unit_at_its_mention(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(test_scratch_folder(), "\ninherit = \"no\"");
    assert_true(has_include(&answer, "no.unit"));
    expect_error(&answer, "x.unit", 2, 1, "\"no.unit\" is not there");
}

static void prints_a_cycle_of_inheritance(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.unit", "inherit = \"b\"");
    write_text(project, "b.unit", "inherit = \"x\"");
    ct_compile_answer answer = compile_unit(project, "inherit = \"a\"");
    expect_error(&answer, "x.unit", 1, 1, "a unit cannot be part of itself: a: b: x: a");
}

static void prints_a_unit_that_inherits_itself(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(test_scratch_folder(), "\n  inherit = \"x\"");
    expect_error(&answer, "x.unit", 2, 3, "a unit cannot be part of itself: x: x");
}

// --- Children ------------------------------------------------------------------------------------

static void flattens_children_parents_first(void **state) {
    (void)state;
    const char *const project = project_with_lamp();
    write_text(project, "pair.unit",
               "components = [ { id = \"t\" type = \"transform\" } ]\n"
               "children = [ { id = \"1\" unit = \"lamp\" } { id = \"2\" unit = \"lamp\" } ]");
    ct_compile_answer answer =
        compile_unit(project, "components = [ { id = \"t\" type = \"transform\" } ]\n"
                              "children = [ { id = \"p\" unit = \"pair\" position = [9 0 0] } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(unit->entities.num_entities, 4);
    const uint32_t *const parents = ct_blob_at(unit, unit->entities.parents.offset);
    assert_true(parents[0] == CT_NO_PARENT);
    assert_int_equal(parents[1], 0);
    assert_int_equal(parents[2], 1);
    assert_int_equal(parents[3], 1);
    const ct_transform_data *const placed = data_of(unit, &unit->entities, "transform", 1);
    expect_vector3(placed->position, 9, 0, 0);
    assert_int_equal(owner_of(unit, &unit->entities, "transform", 1), 1);
    assert_int_equal(owner_of(unit, &unit->entities, "light", 1), 3);
    ct_compile_answer_free(&answer);
}

static void a_child_without_pose_keeps_its_own(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        project_with_lamp(), "children = [ { id = \"a\" unit = \"lamp\" rotation = [0 0 2 0] } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    const ct_transform_data *const transform = data_of(unit, &unit->entities, "transform", 0);
    expect_vector3(transform->position, 0, 0, 1);
    expect_vector3(transform->scale, 2, 2, 2);
    assert_float_equal(transform->rotation[2], 1, 1e-6);
    ct_compile_answer_free(&answer);
}

static void overrides_components_of_one_child_only(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        project_with_lamp(), "children = [ { id = \"a\" unit = \"lamp\" overrides = [ { id = \"l\" "
                             "intensity = 7 } ] } { id = \"b\" unit = \"lamp\" } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    const ct_light_data *const first = data_of(unit, &unit->entities, "light", 0);
    const ct_light_data *const second = data_of(unit, &unit->entities, "light", 1);
    assert_float_equal(first->intensity, 7, 0);
    assert_int_equal(first->type, CT_LIGHT_TYPE_POINT);
    assert_float_equal(second->intensity, 3, 0);
    ct_compile_answer_free(&answer);
}

static void overrides_children_of_children(void **state) {
    (void)state;
    const char *const project = project_with_lamp();
    write_text(project, "pair.unit",
               "children = [ { id = \"1\" unit = \"lamp\" } { id = \"2\" unit = \"lamp\" } ]");
    ct_compile_answer answer =
        compile_unit(project, "children = [ { id = \"p\" unit = \"pair\" children = [\n"
                              "  { id = \"1\" removed = true }\n"
                              "  { id = \"2\" position = [4 0 0] overrides = [ { id = \"l\" "
                              "intensity = 8 } ] } ] } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(unit->entities.num_entities, 3);
    const ct_light_data *const light = data_of(unit, &unit->entities, "light", 0);
    assert_float_equal(light->intensity, 8, 0);
    const ct_transform_data *const transform = data_of(unit, &unit->entities, "transform", 0);
    expect_vector3(transform->position, 4, 0, 0);
    ct_compile_answer_free(&answer);
}

static void inherited_children_are_overridden_by_id(void **state) {
    (void)state;
    const char *const project = project_with_lamp();
    write_text(project, "base.unit",
               "children = [ { id = \"1\" unit = \"lamp\" position = [1 1 1] overrides = [ { id = "
               "\"l\" intensity = 5 } ] } ]");
    ct_compile_answer answer =
        compile_unit(project, "inherit = \"base\" children = [ { id = \"1\" scale = [3 3 3] }\n"
                              "  { id = \"2\" unit = \"lamp\" } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(unit->entities.num_entities, 3);
    const ct_transform_data *const transform = data_of(unit, &unit->entities, "transform", 0);
    expect_vector3(transform->position, 1, 1, 1);
    expect_vector3(transform->scale, 3, 3, 3);
    const ct_light_data *const light = data_of(unit, &unit->entities, "light", 0);
    assert_float_equal(light->intensity, 5, 0);
    ct_compile_answer_free(&answer);
}

static void refuses_overrides_of_unknown_components(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "children = [ { id = \"a\" unit = \"lamp\"\n"
                                          "  overrides = [ { id = \"no\" intensity = 2 } ] } ]");
    expect_error(&answer, "x.unit", 2, 19, "no component with the id \"no\"");
}

static void refuses_overrides_of_unknown_children(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_lamp(), "children = [ { id = \"a\" unit = \"lamp\"\n"
                                          "  children = [ { id = \"no\" } ] } ]");
    expect_error(&answer, "x.unit", 2, 18, "no child with the id \"no\"");
}

static void refuses_to_place_what_has_no_transform(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "sun.unit", "components = [ { id = \"l\" type = \"light\" } ]");
    ct_compile_answer answer =
        compile_unit(project, "children = [ { id = \"a\" unit = \"sun\"\n  position = [0 0 1] } ]");
    expect_error(&answer, "x.unit", 2, 3, "sun has no transform component");
}

static void refuses_children_without_unit(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "children = [\n  { id = \"a\" } ]");
    expect_error(&answer, "x.unit", 2, 3, "needs a `unit`");
}

static void refuses_unknown_members_of_children(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        project_with_lamp(), "children = [\n  { id = \"a\" unit = \"lamp\" postion = [0 0 0] } ]");
    expect_error(&answer, "x.unit", 2, 28, "did you mean \"position\"?");
}

static void refuses_types_of_children(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        project_with_lamp(), "children = [\n  { id = \"a\" unit = \"lamp\" type = \"mesh\" } ]");
    expect_error(&answer, "x.unit", 2, 28, "child.type: unknown member");
}

static void prints_a_cycle_of_children(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.unit", "children = [ { id = \"1\" unit = \"x\" } ]");
    ct_compile_answer answer = compile_unit(project, "children = [ { id = \"1\" unit = \"a\" } ]");
    expect_error(&answer, "x.unit", 1, 25, "a unit cannot be part of itself: a: x: a");
}

static void prints_a_unit_that_nests_itself(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "children = [\n  { id = \"1\" unit = \"x\" } ]");
    expect_error(&answer, "x.unit", 2, 14, "a unit cannot be part of itself: x: x");
}

static void prints_a_cycle_through_an_inherited_child(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.unit", "inherit = \"x\"");
    ct_compile_answer answer = compile_unit(project, "children = [ { id = \"1\" unit = \"a\" } ]");
    assert_true(answer.errors.count >= 1);
    assert_non_null(
        strstr(answer.errors.items[0].message, "a unit cannot be part of itself: a: x: a"));
    ct_compile_answer_free(&answer);
}

static void stops_at_too_many_entities(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    char text[2048] = "";
    for (char level = 'a'; level < 'g'; ++level) {
        int length = snprintf(text, sizeof(text), "children = [");
        for (uint32_t i = 0; i < 16 && level > 'a'; ++i)
            length += snprintf(text + length, sizeof(text) - (size_t)length,
                               " { id = \"%u\" unit = \"%c\" }", i, level - 1);
        snprintf(text + length, sizeof(text) - (size_t)length, " ]");
        char path[16];
        snprintf(path, sizeof(path), "%c.unit", level);
        write_text(project, path, text);
    }
    ct_compile_answer answer = compile_file(project, "unit", "f");
    // Each e is 69,905 of them, so f and 15 are just as many as may be.
    expect_error(&answer, "f.unit", 1, 391, "with this e there are more than 1048576 entities");
    write_text(project, "big.level",
               "units = [\n  { id = \"1\" unit = \"e\" }\n  { id = \"2\" unit = \"d\" }\n"
               "  { id = \"3\" unit = \"e\"\n    children = [] }\n  { id = \"4\" unit = \"f\" } ]");
    answer = compile_file(project, "level", "big");
    expect_error(&answer, "big.level", 6, 14, "with this f there are more than 1048576 entities");
    write_text(project, "base.unit",
               "children = [\n  { id = \"1\" unit = \"e\" }\n  { id = \"2\" unit = \"f\" } ]");
    write_text(project, "heir.unit", "inherit = \"base\"");
    answer = compile_file(project, "unit", "heir");
    expect_error(&answer, "base.unit", 3, 14, "with this f there are more than 1048576 entities");
}

// --- The document --------------------------------------------------------------------------------

// The pages that describe the components of units; a component is on one of them.
static const char *const documents[] = {"docs/formats/unit.md", "docs/formats/unit_physics.md"};

// Expects that a page says `**type**: …` with every field in backquotes, in one paragraph.
static void expect_documented(char *pages[], const char *type, const ct_schema *schema) {
    char title[64], field[64];
    snprintf(title, sizeof(title), "**%s**:", type);
    const char *paragraph = NULL;
    for (uint32_t i = 0; i < CT_COUNT_OF(documents) && !paragraph; ++i)
        paragraph = strstr(pages[i], title);
    if (!paragraph)
        fail_msg("the pages of units say nothing of %s", type);
    const char *const end = strstr(paragraph, "\n\n");
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        snprintf(field, sizeof(field), "`%s`", schema->fields[i].name);
        const char *const at = strstr(paragraph, field);
        if (ct_field_is_in_source(&schema->fields[i]) && (!at || (end && at > end)))
            fail_msg("the pages of units say nothing of %s.%s", type, schema->fields[i].name);
    }
}

static void every_component_field_is_documented(void **state) {
    (void)state;
    const char *const source = getenv("CUTTLE_SOURCE");
    if (!source)
        skip();
    char *pages[CT_COUNT_OF(documents)];
    for (uint32_t i = 0; i < CT_COUNT_OF(documents); ++i) {
        char path[CT_PATH_BYTES];
        uint64_t size_bytes = 0;
        ct_path_join(path, source, documents[i]);
        pages[i] = ct_file_read(test_heap(), path, &size_bytes, NULL);
        assert_non_null(pages[i]);
    }
    uint32_t count = 0;
    const ct_component_type *const types = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        expect_documented(pages, types[i].name, types[i].schema);
        if (types[i].instance_schema)
            expect_documented(pages, types[i].name, types[i].instance_schema);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(documents); ++i)
        ct_free(test_heap(), pages[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_components_in_spawn_order),
        cmocka_unit_test(a_mesh_has_up_to_64_materials),
        cmocka_unit_test(what_units_have_in_common_stands_there_once),
        cmocka_unit_test(rotations_in_degrees_and_others_override_each_other),
        cmocka_unit_test(refuses_two_rotations_of_a_child),
        cmocka_unit_test(compiles_an_empty_unit),
        cmocka_unit_test(names_known_component_types),
        cmocka_unit_test(refuses_an_id_that_stands_twice),
        cmocka_unit_test(refuses_components_without_id),
        cmocka_unit_test(refuses_components_that_are_no_objects),
        cmocka_unit_test(refuses_a_second_transform),
        cmocka_unit_test(allows_several_lights),
        cmocka_unit_test(needs_required_fields),
        cmocka_unit_test(tells_all_errors),
        cmocka_unit_test(inherits_and_overrides_field_by_field),
        cmocka_unit_test(drops_what_is_removed),
        cmocka_unit_test(refuses_to_remove_what_is_not_there),
        cmocka_unit_test(refuses_more_beside_a_removal),
        cmocka_unit_test(tells_that_a_new_component_inherits_no_type),
        cmocka_unit_test(refuses_another_type_for_an_inherited_id),
        cmocka_unit_test(fills_required_fields_of_what_it_inherits),
        cmocka_unit_test(forgets_references_that_are_overridden),
        cmocka_unit_test(tells_errors_of_inherited_files_at_their_place),
        cmocka_unit_test(tells_a_missing_inherited_unit_at_its_mention),
        cmocka_unit_test(prints_a_cycle_of_inheritance),
        cmocka_unit_test(prints_a_unit_that_inherits_itself),
        cmocka_unit_test(prints_a_unit_that_nests_itself),
        cmocka_unit_test(flattens_children_parents_first),
        cmocka_unit_test(a_child_without_pose_keeps_its_own),
        cmocka_unit_test(overrides_components_of_one_child_only),
        cmocka_unit_test(overrides_children_of_children),
        cmocka_unit_test(inherited_children_are_overridden_by_id),
        cmocka_unit_test(refuses_overrides_of_unknown_components),
        cmocka_unit_test(refuses_overrides_of_unknown_children),
        cmocka_unit_test(refuses_to_place_what_has_no_transform),
        cmocka_unit_test(refuses_children_without_unit),
        cmocka_unit_test(refuses_unknown_members_of_children),
        cmocka_unit_test(refuses_types_of_children),
        cmocka_unit_test(prints_a_cycle_of_children),
        cmocka_unit_test(prints_a_cycle_through_an_inherited_child),
        cmocka_unit_test(stops_at_too_many_entities),
        cmocka_unit_test(every_component_field_is_documented),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
