#include <math.h>

#include "compiler/types/unit/template_support.h"
#include "resource/types/level/level_members.h"
#include "spatial/spline.h"

static ct_compile_answer compile_level(const char *text) {
    const char *const project = test_scratch_folder();
    write_text(project, "yard.level", text);
    return compile_file(project, "level", "yard");
}

static void refuse(const char *text, uint32_t line, uint32_t column, const char *message) {
    ct_compile_answer answer = compile_level(text);
    expect_error(&answer, "yard.level", line, column, message);
}

static const void *item(const void *blob, ct_blob_array array, uint32_t i, uint32_t bytes) {
    assert_true(i < array.count);
    return ct_blob_at(blob, array.offset + i * bytes);
}

static const char *text_of(const void *blob, ct_blob_string s) {
    return ct_blob_at(blob, s.offset);
}

// --- What comes of them --------------------------------------------------------------------------

static void compiles_boxes_and_spheres(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        "volumes = [\n"
        "  { id = \"v1\" name = \"room\" half_size = [1 2 3] position = [4 5 6] scale = [1 -1 2]\n"
        "    rotation_degrees = [0 0 180] purpose = \"fog\" layer = \"air\" }\n"
        "  { id = \"v2\" name = \"ball\" type = \"sphere\" radius = 3 } ]");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    assert_int_equal(level->volumes.count, 2);
    const ct_level_volume *const v = ct_blob_at(level, level->volumes.offset);
    assert_int_equal(v[0].type, CT_LEVEL_VOLUME_BOX);
    assert_int_equal(v[0].id.value, ct_string_id32_of("v1").value);
    assert_int_equal(v[0].name.value, ct_string_id32_of("room").value);
    assert_int_equal(v[0].purpose.value, ct_string_id32_of("fog").value);
    assert_string_equal(text_of(level, v[0].name_text), "room");
    assert_string_equal(text_of(level, v[0].purpose_text), "fog");
    expect_vector3(v[0].position, 4, 5, 6);
    expect_vector3(v[0].half_size, 1, 2, 3);
    expect_vector3(v[0].scale, 1, -1, 2);
    assert_float_equal(fabsf(v[0].rotation[2]), 1, 1e-6);
    assert_int_equal(v[1].type, CT_LEVEL_VOLUME_SPHERE);
    assert_int_equal(v[1].purpose.value, 0);
    assert_string_equal(text_of(level, v[1].purpose_text), "");
    expect_vector3(v[1].half_size, 3, 3, 3);
    assert_int_equal(v[1].points.count, 0);
    ct_compile_answer_free(&answer);
}

static void compiles_hulls(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        "volumes = [ { id = \"v\" name = \"tent\" type = \"convex\" points = [\n"
        "  [0 0 0] [2 0 0] [0 2 0] [2 2 0] [1 1 3] [1 1 1] ] } ]"); // the last one is inside
    const ct_level_resource *const level = expect_blob(&answer, "level");
    const ct_level_volume *const v = ct_blob_at(level, level->volumes.offset);
    assert_int_equal(v->points.count, 5);
    assert_int_equal(v->planes.count, 5);
    assert_int_equal(v->triangles.count, 3 * 6);
    expect_vector3(item(level, v->points, 4, 12), 1, 1, 3);
    ct_compile_answer_free(&answer);
}

static void compiles_references_to_meshes(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        "volumes = [ { id = \"v\" name = \"cave\" type = \"mesh\" mesh = \"meshes/cave\" } ]");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    const ct_level_volume *const v = ct_blob_at(level, level->volumes.offset);
    assert_true(v->mesh.value == ct_string_id64_of("meshes/cave").value);
    assert_true(has_reference(&answer, "mesh", "meshes/cave"));
    ct_compile_answer_free(&answer);
}

static void compiles_environments_of_volumes(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        "volumes = [ { id = \"v\" name = \"cave\" environment = \"caves/wet\"\n"
        "  environment_fade = 3 environment_weight = 0.5 environment_priority = -2 }\n"
        "  { id = \"w\" name = \"hall\" environment = \"caves/dry\" } ]");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    const ct_level_volume *const v = ct_blob_at(level, level->volumes.offset);
    assert_true(v[0].environment.value == ct_string_id64_of("caves/wet").value);
    assert_float_equal(v[0].environment_fade, 3, 0);
    assert_float_equal(v[0].environment_weight, 0.5f, 0);
    assert_int_equal(v[0].environment_priority, -2);
    assert_float_equal(v[1].environment_fade, 2, 0);
    assert_float_equal(v[1].environment_weight, 1, 0);
    assert_int_equal(v[1].environment_priority, 0);
    assert_true(has_reference(&answer, "environment", "caves/wet"));
    ct_compile_answer_free(&answer);
}

static void compiles_reverbs_of_volumes(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_level("volumes = [ { id = \"v\" name = \"cave\" reverb = -6 reverb_fade = 3 }\n"
                      "  { id = \"w\" name = \"hall\" } ]");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    const ct_level_volume *const v = ct_blob_at(level, level->volumes.offset);
    assert_float_equal(v[0].reverb, -6, 0);
    assert_float_equal(v[0].reverb_fade, 3, 0);
    assert_float_equal(v[1].reverb, CT_LEVEL_NO_REVERB, 0);
    assert_float_equal(v[1].reverb_fade, 2, 0);
    ct_compile_answer_free(&answer);
}

static void compiles_splines_placed_in_the_level(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        "splines = [ { id = \"s\" name = \"road\" purpose = \"cars\" position = [10 0 0]\n"
        "  rotation_degrees = [0 0 90] scale = [2 1 1]\n"
        "  points = [ [0 0 0] [1 0 0] { position = [3 0 0] } ] } ]");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    const ct_level_spline *const s = ct_blob_at(level, level->splines.offset);
    assert_int_equal(s->type, CT_LEVEL_SPLINE_CATMULL_ROM);
    assert_int_equal(s->is_closed, 0);
    assert_string_equal(text_of(level, s->name_text), "road");
    assert_int_equal(s->purpose.value, ct_string_id32_of("cars").value);
    assert_int_equal(s->points.count, 3);
    expect_vector3(item(level, s->points, 2, 12), 10, 6, 0);
    assert_int_equal(s->controls.count, 7);
    expect_vector3(item(level, s->controls, 3, 12), 10, 2, 0);
    expect_vector3(item(level, s->controls, 6, 12), 10, 6, 0);
    const float *const lengths = ct_blob_at(level, s->lengths.offset);
    assert_int_equal(s->lengths.count, 2 * CT_LEVEL_SPLINE_STEPS + 1);
    assert_float_equal(lengths[CT_LEVEL_SPLINE_STEPS], 2, 1e-4);
    assert_float_equal(lengths[2 * CT_LEVEL_SPLINE_STEPS], 6, 1e-4);
    ct_compile_answer_free(&answer);
}

static void compiles_beziers_with_handles(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        "splines = [ { id = \"s\" name = \"ring\" type = \"bezier\" is_closed = true\n"
        "  position = [0 0 1] points = [\n"
        "  { position = [0 0 0] handle_in = [0 -1 0] handle_out = [0 1 0] } [5 0 0] ] } ]");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    const ct_level_spline *const s = ct_blob_at(level, level->splines.offset);
    assert_int_equal(s->type, CT_LEVEL_SPLINE_BEZIER);
    assert_int_equal(s->is_closed, 1);
    static const float expected[7][3] = {{0, 0, 1}, {0, 1, 1},  {5, 0, 1}, {5, 0, 1},
                                         {5, 0, 1}, {0, -1, 1}, {0, 0, 1}};
    assert_int_equal(s->controls.count, 7);
    for (uint32_t i = 0; i < 7; ++i)
        expect_vector3(item(level, s->controls, i, 12), expected[i][0], expected[i][1],
                       expected[i][2]);
    ct_compile_answer_free(&answer);
}

static void compiles_markers(void **state) {
    (void)state;
    ct_compile_answer answer = compile_level(
        "markers = [ { id = \"m\" name = \"start\" position = [1 2 3] purpose = \"spawn\"\n"
        "  rotation = [0 0 0 2] } ]");
    const ct_level_resource *const level = expect_blob(&answer, "level");
    const ct_level_marker *const m = ct_blob_at(level, level->markers.offset);
    assert_string_equal(text_of(level, m->name_text), "start");
    assert_int_equal(m->purpose.value, ct_string_id32_of("spawn").value);
    expect_vector3(m->position, 1, 2, 3);
    assert_float_equal(m->rotation[3], 1, 1e-6);
    ct_compile_answer_free(&answer);
}

// --- What is refused -----------------------------------------------------------------------------

static void refuses_members_without_name_or_id(void **state) {
    (void)state;
    refuse("volumes = [ { id = \"v\" } ]", 1, 13, "volume.name: is missing");
    refuse("splines = [ { name = \"s\" points = [ [0 0 0] [1 0 0] ] } ]", 1, 13,
           "this spline needs an `id`");
    refuse("markers = [ { id = \"m\" name = \"\" } ]", 1, 24, "found an empty name");
    refuse("markers = [\n  \"start\" ]", 2, 3, "found a string, expected an object");
    refuse("volumes = [ { id = \"v\" name = \"v\" tag = 5 } ]", 1, 35,
           "volume.tag: unknown member");
}

static void refuses_names_and_ids_used_twice(void **state) {
    (void)state;
    refuse("volumes = [ { id = \"a\" name = \"v\" }\n  { id = \"b\" name = \"v\" } ]", 2, 14,
           "the name \"v\" is used by two volumes; choose another");
    refuse("markers = [ { id = \"a\" name = \"v\" }\n  { id = \"a\" name = \"w\" } ]", 2, 5,
           "the id \"a\" is used twice here");
    // Names of different kinds may be the same.
    ct_compile_answer answer =
        compile_level("volumes = [ { id = \"a\" name = \"v\" } ]\n"
                      "splines = [ { id = \"a\" name = \"v\" points = [ [0 0 0] [1 0 0] ] } ]\n"
                      "markers = [ { id = \"a\" name = \"v\" } ]");
    expect_blob(&answer, "level");
    ct_compile_answer_free(&answer);
}

static void refuses_volumes_of_no_size(void **state) {
    (void)state;
    refuse("volumes = [ { id = \"v\" name = \"v\"\n  half_size = [1 0 1] } ]", 2, 18,
           "volume.half_size[1]: found 0, expected 0.0001 to 1e+06 m");
    refuse("volumes = [ { id = \"v\" name = \"v\" type = \"sphere\"\n  radius = -1 } ]", 2, 3,
           "volume.radius: found -1");
    refuse("volumes = [ { id = \"v\" name = \"v\"\n  scale = [1 0 1] } ]", 2, 3,
           "found a scale of 0, which leaves no size");
    refuse("splines = [ { id = \"v\" name = \"v\" points = [ [0 0 0] [1 0 0] ]\n"
           "  scale = [0 1 1] } ]",
           2, 3, "found a scale of 0");
}

static void refuses_hulls_of_too_few_points(void **state) {
    (void)state;
    refuse("volumes = [\n  { id = \"v\" name = \"v\" type = \"convex\" } ]", 2, 3,
           "found 0 points, expected 4 to 256 of a convex volume");
    refuse("volumes = [ { id = \"v\" name = \"v\" type = \"convex\"\n"
           "  points = [ [0 0 0] [1 0 0] [0 1 0] ] } ]",
           2, 3, "found 3 points, expected 4 to 256 of a convex volume");
    refuse("volumes = [ { id = \"v\" name = \"v\" type = \"convex\"\n"
           "  points = [ [0 0 0] [1 0 0] [0 1 0] [1 1 0] [5 3 0] ] } ]",
           2, 3, "all points are in one plane");
}

static void refuses_points_that_are_none(void **state) {
    (void)state;
#define HULL(point)                                                                                \
    "volumes = [ { id = \"v\" name = \"v\" type = \"convex\"\n  points = [ [0 0 0] [1 0 0] [0 1 "  \
    "0] "                                                                                          \
    "\n  " point " ] } ]"
    refuse(HULL("[0 0]"), 3, 3, "found an array of another length, expected a point [x y z]");
    refuse(HULL("5"), 3, 3, "found a number, expected a point [x y z]");
    refuse(HULL("[0 \"a\" 0]"), 3, 6, "found a string, expected a number");
    refuse(HULL("[0 0 2e7]"), 3, 8, "found 2e+07, expected -1e+07 to 1e+07");
}

static void refuses_mesh_volumes_without_mesh(void **state) {
    (void)state;
    refuse("volumes = [\n  { id = \"v\" name = \"v\" type = \"mesh\" } ]", 2, 3,
           "this mesh volume needs a `mesh`");
    refuse("volumes = [ { id = \"v\" name = \"v\"\n  type = \"tube\" } ]", 2, 3,
           "volume.type: found \"tube\", expected one of: box, sphere, convex, mesh");
}

static void refuses_splines_of_too_few_points(void **state) {
    (void)state;
    refuse("splines = [\n  { id = \"v\" name = \"v\" } ]", 2, 3, "spline.points: is missing");
    refuse("splines = [ { id = \"v\" name = \"v\"\n  points = [ [0 0 0] ] } ]", 2, 3,
           "found 1 points, expected 2 to 65536");
    refuse("splines = [ { id = \"v\" name = \"v\" points = [ [0 0 0]\n  [1 0 0] [1 0 0] ] } ]", 2,
           3, "this point is within 0.1 mm of the next one; remove it");
    refuse("splines = [ { id = \"v\" name = \"v\" is_closed = true points = [ [0 0 0] [1 0 0]\n"
           "  [0 0 0] ] } ]",
           2, 3, "within 0.1 mm of the next one, the first of the closed spline; remove it");
    refuse("splines = [ { id = \"v\" name = \"v\" points = [ [0 0 0]\n"
           "  { position = [1 0 0] handle_in = [1 0 0] } ] } ]",
           2, 24, "found `handle_in`, which only points of a spline of the type \"bezier\" have");
    refuse("splines = [ { id = \"v\" name = \"v\" type = \"bezier\" points = [ [0 0 0]\n"
           "  { handle_in = [1 0 0] } ] } ]",
           2, 3, "point.position: is missing");
}

static void warns_of_members_of_other_types(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_level("volumes = [ { id = \"v\" name = \"v\"\n  radius = 3 } ]");
    expect_warning(&answer, "yard.level", 2, 3,
                   "`radius` has no effect: it is for volumes of the type \"sphere\", and this "
                   "one's is \"box\"");
    ct_compile_answer_free(&answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_boxes_and_spheres),
        cmocka_unit_test(compiles_hulls),
        cmocka_unit_test(compiles_references_to_meshes),
        cmocka_unit_test(compiles_environments_of_volumes),
        cmocka_unit_test(compiles_reverbs_of_volumes),
        cmocka_unit_test(compiles_splines_placed_in_the_level),
        cmocka_unit_test(compiles_beziers_with_handles),
        cmocka_unit_test(compiles_markers),
        cmocka_unit_test(refuses_members_without_name_or_id),
        cmocka_unit_test(refuses_names_and_ids_used_twice),
        cmocka_unit_test(refuses_volumes_of_no_size),
        cmocka_unit_test(refuses_hulls_of_too_few_points),
        cmocka_unit_test(refuses_points_that_are_none),
        cmocka_unit_test(refuses_mesh_volumes_without_mesh),
        cmocka_unit_test(refuses_splines_of_too_few_points),
        cmocka_unit_test(warns_of_members_of_other_types),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
