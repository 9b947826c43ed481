#include "resource/types/level/level_members.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

// The level of the level_fixture: a tetrahedron and a sphere, a line and a marker.
typedef struct level_fixture {
    ct_blob_writer w;
    ct_level_resource *level;
    ct_level_volume *volumes;
    ct_level_spline *spline;
    ct_level_marker *marker;
} level_fixture;

static level_fixture make(void) {
    level_fixture f;
    write_level(&f.w);
    f.level = (ct_level_resource *)(void *)f.w.bytes.items;
    f.volumes = ITEM(ct_level_volume, f.level, f.level->volumes, 0);
    f.spline = ITEM(ct_level_spline, f.level, f.level->splines, 0);
    f.marker = ITEM(ct_level_marker, f.level, f.level->markers, 0);
    return f;
}

// Fails unless the level is accepted before `value` is at `place`, and refused with it.
static void refuse_number(level_fixture *f, uint32_t *place, uint32_t value, const char *message) {
    const uint32_t before = *place;
    assert_accepted(ct_level_validate, f->level);
    *place = value;
    assert_refused(ct_level_validate, f->level, message);
    *place = before;
}

static void refuse_float(level_fixture *f, float *place, float value, const char *message) {
    const float before = *place;
    assert_accepted(ct_level_validate, f->level);
    *place = value;
    assert_refused(ct_level_validate, f->level, message);
    *place = before;
}

static void refuses_volumes_out_of_range(void **state) {
    (void)state;
    level_fixture f = make();
    refuse_number(&f, &f.volumes[1].type, 4, "volumes[1].type: found 4, expected less than 4");
    refuse_float(&f, &f.volumes[1].position[2], NAN, "volumes[1]: its pose is invalid");
    refuse_float(&f, &f.volumes[1].position[2], 2e7f, "volumes[1]: its pose is invalid");
    refuse_float(&f, &f.volumes[1].rotation[3], 2, "volumes[1]: its pose is invalid");
    refuse_float(&f, &f.volumes[1].scale[1], 0, "volumes[1]: its pose is invalid");
    refuse_float(&f, &f.volumes[1].half_size[0], 0, "volumes[1].half_size: expected positive");
    refuse_float(&f, &f.volumes[1].half_size[2], INFINITY, "volumes[1].half_size: expected");
    refuse_float(&f, &f.volumes[1].environment_fade, -1, "volumes[1]: the fade or the weight");
    refuse_float(&f, &f.volumes[1].environment_fade, NAN, "volumes[1]: the fade or the weight");
    refuse_float(&f, &f.volumes[1].environment_weight, 2, "volumes[1]: the fade or the weight");
    refuse_float(&f, &f.volumes[1].reverb, NAN, "volumes[1]: its reverb or the fade of it");
    refuse_float(&f, &f.volumes[1].reverb, 25, "volumes[1]: its reverb or the fade of it");
    refuse_float(&f, &f.volumes[1].reverb_fade, -1, "volumes[1]: its reverb or the fade of it");
    f.volumes[1].mesh.value = 5;
    assert_refused(ct_level_validate, f.level, "volumes[1].mesh: expected one of mesh volumes");
    f.volumes[1].type = CT_LEVEL_VOLUME_MESH;
    assert_accepted(ct_level_validate, f.level);
    f.volumes[1].mesh.value = 0;
    assert_refused(ct_level_validate, f.level, "volumes[1].mesh: expected one of mesh volumes");
    ct_blob_writer_free(&f.w);
}

static void refuses_hulls_that_are_none(void **state) {
    (void)state;
    level_fixture f = make();
    float *const point = ITEM(float, f.level, f.volumes[0].points, 0);
    float *const plane = ITEM(float, f.level, f.volumes[0].planes, 0);
    uint32_t *const corner = ITEM(uint32_t, f.level, f.volumes[0].triangles, 11);
    refuse_number(&f, corner, 4, "volumes[0].triangles[11]: found 4, but there are only 4 points");
    refuse_float(&f, point, NAN, "volumes[0]: its hull is out of range");
    refuse_float(&f, plane + 3, INFINITY, "volumes[0]: its hull is out of range");
    refuse_number(&f, &f.volumes[0].points.count, 3, "volumes[0].points: found 3, expected 4 to");
    refuse_number(&f, &f.volumes[0].planes.count, 3, "volumes[0]: found 3 planes and 12 corners");
    refuse_number(&f, &f.volumes[0].triangles.count, 11, "volumes[0]: found 4 planes and 11");
    refuse_number(&f, &f.volumes[0].type, CT_LEVEL_VOLUME_BOX,
                  "volumes[0].points: found 4, expected 0 to 0");
    f.volumes[0].points = (ct_blob_array){0};
    f.volumes[0].type = CT_LEVEL_VOLUME_BOX;
    assert_refused(ct_level_validate, f.level,
                   "volumes[0]: found 4 planes and 12 corners of triangles, expected none");
    ct_blob_writer_free(&f.w);
}

static void refuses_splines_that_do_not_fit(void **state) {
    (void)state;
    level_fixture f = make();
    float *const length = ITEM(float, f.level, f.spline->lengths, 0);
    refuse_number(&f, &f.spline->type, 2, "splines[0]: found type 2 and closed 0");
    refuse_number(&f, &f.spline->is_closed, 2, "splines[0]: found type 0 and closed 2");
    refuse_number(&f, &f.spline->is_closed, 1,
                  "splines[0]: found 4 controls and 17 lengths for 2 pieces");
    refuse_number(&f, &f.spline->points.count, 1, "splines[0].points: found 1, expected 2 to");
    refuse_number(&f, &f.spline->lengths.count, 16, "splines[0]: found 4 controls and 16 lengths");
    refuse_number(&f, &f.spline->controls.count, 3, "splines[0]: found 3 controls");
    refuse_float(&f, ITEM(float, f.level, f.spline->controls, 5), NAN, "splines[0]: its points");
    refuse_float(&f, ITEM(float, f.level, f.spline->points, 1), 2e14f, "splines[0]: its points");
    refuse_float(&f, length, 1, "splines[0].lengths[0]: found 1, expected ascending from 0");
    refuse_float(&f, length + 3, 1.5f, "splines[0].lengths[3]: found 1.5");
    refuse_float(&f, length + 3, NAN, "splines[0].lengths[3]: found");
    ct_blob_writer_free(&f.w);
}

static void refuses_markers_without_pose(void **state) {
    (void)state;
    level_fixture f = make();
    refuse_float(&f, &f.marker->position[1], INFINITY, "markers[0]: its pose is invalid");
    refuse_float(&f, &f.marker->rotation[3], 0, "markers[0]: its pose is invalid");
    refuse_number(&f, &f.marker->name_text.offset, 0x7fffffff, "markers[0].name_text");
    ct_blob_writer_free(&f.w);
}

// Every member has an id, a name, a purpose and a layer.
static void members_have_the_same_first_fields(void **state) {
    (void)state;
    static const ct_schema *const schemas[] = {&ct_level_volume_schema, &ct_level_spline_schema,
                                               &ct_level_marker_schema};
    for (uint32_t i = 0; i < CT_COUNT_OF(schemas); ++i) {
        static const char *const names[] = {"name", "purpose", "layer"};
        assert_int_equal(schemas[i]->identity, CT_SCHEMA_ID);
        for (uint32_t k = 0; k < 3; ++k) {
            const ct_field *const field = ct_schema_find(schemas[i], names[k]);
            assert_non_null(field);
            assert_int_equal(field->offset, k * sizeof(const char *));
        }
        assert_ptr_equal(ct_schema_find(&ct_level_schema, i == 0   ? "volumes"
                                                          : i == 1 ? "splines"
                                                                   : "markers")
                             ->schema,
                         schemas[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_volumes_out_of_range),
        cmocka_unit_test(refuses_hulls_that_are_none),
        cmocka_unit_test(refuses_splines_that_do_not_fit),
        cmocka_unit_test(refuses_markers_without_pose),
        cmocka_unit_test(members_have_the_same_first_fields),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
