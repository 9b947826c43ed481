#include "resource/types/material_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_material_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_material(w);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_values_or_none(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_material_validate, b);
    b->parameters = b->textures = b->options = (ct_blob_array){0, 0};
    assert_accepted(ct_material_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_a_material_without_shader(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->shader.value = 0;
    assert_refused(ct_material_validate, b, "shader: the material has no shader");
    ct_blob_writer_free(&w);
}

static void refuses_wrong_numbers_of_numbers(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_material_parameter, b, b->parameters, 0)->num_floats = 0;
    assert_refused(ct_material_validate, b, "parameters[0]: found 0 numbers, expected 1 to 4");
    ITEM(ct_material_parameter, b, b->parameters, 0)->num_floats = 5;
    assert_refused(ct_material_validate, b, "parameters[0]: found 5 numbers");
    ITEM(ct_material_parameter, b, b->parameters, 0)->num_floats = 16;
    ITEM(ct_material_parameter, b, b->parameters, 0)->value[15] = NAN;
    assert_refused(ct_material_validate, b, "parameters[0]: number 15 is not finite");
    ct_blob_writer_free(&w);
}

static void refuses_numbers_that_are_not_finite(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_material_parameter, b, b->parameters, 0)->value[1] = INFINITY;
    assert_refused(ct_material_validate, b, "parameters[0]: number 1 is not finite");
    ct_blob_writer_free(&w);
}

static void refuses_arrays_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->textures.count = 10;
    assert_refused(ct_material_validate, b, "textures: 10 of 16 bytes");
    b->textures.count = 1;
    b->options.count = CT_SHADER_MAX_OPTIONS + 1;
    assert_refused(ct_material_validate, b, "options: found 11, expected at most 10");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_values_or_none),
        cmocka_unit_test(refuses_a_material_without_shader),
        cmocka_unit_test(refuses_wrong_numbers_of_numbers),
        cmocka_unit_test(refuses_numbers_that_are_not_finite),
        cmocka_unit_test(refuses_arrays_outside_the_blob),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
