#include "resource/types/shader_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"
#include "resource/types/render_config_resource.h"

typedef ct_shader_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_shader(w);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_all_combinations_of_options(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_shader_validate, b);
    b->options.count = b->options.offset = 0;
    b->variants.count = 1;
    assert_accepted(ct_shader_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_missing_variants(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->variants.count = 1;
    assert_refused(ct_shader_validate, b, "variants: found 1, expected 2");
    ct_blob_writer_free(&w);
}

static void refuses_variants_out_of_order(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_shader_variant, b, b->variants, 1)->options = 0;
    assert_refused(ct_shader_validate, b, "variants[1]: found options 0, expected 1");
    ct_blob_writer_free(&w);
}

static void refuses_too_many_options(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->options.count = CT_SHADER_MAX_OPTIONS + 1;
    assert_refused(ct_shader_validate, b, "options: found 11, expected at most 10");
    ct_blob_writer_free(&w);
}

static void refuses_code_that_is_not_spirv(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_shader_variant *const v = ITEM(ct_shader_variant, b, b->variants, 1);
    *ITEM(uint32_t, b, v->fragment, 0) = 0x03022307;
    assert_refused(ct_shader_validate, b, "variants[1].fragment: not SPIR-V");
    v->vertex = (ct_blob_array){0, 0};
    assert_refused(ct_shader_validate, b, "variants[1].vertex: not SPIR-V");
    v->vertex = (ct_blob_array){64, 0x40000000};
    assert_refused(ct_shader_validate, b, "variants[1].vertex: 1073741824 of 4 bytes");
    ct_blob_writer_free(&w);
}

static void refuses_unknown_states(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_shader_state *const s = &ITEM(ct_shader_variant, b, b->variants, 1)->state;
    s->cull = 3;
    assert_refused(ct_shader_validate, b, "variants[1]: unknown cull 3");
    s->cull = 0;
    s->blend = 4;
    assert_refused(ct_shader_validate, b, "blend 4");
    s->blend = 0;
    s->depth_write = 2;
    assert_refused(ct_shader_validate, b, "write 2, shadows 1 and velocity 0, expected 0 or 1");
    s->depth_write = 0;
    s->velocity = 2;
    assert_refused(ct_shader_validate, b, "velocity 2, expected 0 or 1");
    s->velocity = 0;
    b->writes_velocity = 2;
    assert_refused(ct_shader_validate, b, "found writes_velocity 2");
    b->writes_velocity = 0;
    b->topology = 2;
    assert_refused(ct_shader_validate, b, "topology 2");
    b->topology = 0;
    b->vertices = CT_SHADER_VERTICES_COUNT;
    assert_refused(ct_shader_validate, b, "vertices 5");
    b->vertices = CT_SHADER_VERTICES_LINE;
    assert_refused(ct_shader_validate, b, "casts shadows, but is not for meshes");
    ct_blob_writer_free(&w);
}

static void refuses_parameters_outside_the_block(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_shader_parameter *const p = ITEM(ct_shader_parameter, b, b->parameters, 0);
    p->offset = 20;
    assert_refused(ct_shader_validate, b,
                   "parameters[0]: offset 20 is misaligned or outside the block of 32 bytes");
    p->offset = 0xfffffff0;
    assert_refused(ct_shader_validate, b, "parameters[0]");
    p->offset = 2;
    assert_refused(ct_shader_validate, b, "parameters[0]: offset 2 ");
    p->offset = 16;
    assert_accepted(ct_shader_validate, b);
    b->block_bytes = 5000;
    assert_refused(ct_shader_validate, b, "block of 5000 bytes, expected at most 4096");
    ct_blob_writer_free(&w);
}

static void refuses_instanced_parameters_that_are_not_numbered_in_order(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_error error = {0};
    ct_shader_parameter *const first = ITEM(ct_shader_parameter, b, b->parameters, 0);
    ct_shader_parameter *const second = ITEM(ct_shader_parameter, b, b->parameters, 1);
    second->instanced = 1;
    assert_true(ct_shader_validate(b, &error));
    second->instanced = 2;
    assert_refused(ct_shader_validate, b, "1 are instanced, but their numbers are not 1 to 1");
    first->instanced = 2;
    assert_refused(ct_shader_validate, b, "2 are instanced, but their numbers are not 1 to 2");
    first->instanced = 1;
    assert_true(ct_shader_validate(b, &error));
    ct_blob_writer_free(&w);
}

static void refuses_unknown_parameters(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_shader_parameter *const p = ITEM(ct_shader_parameter, b, b->parameters, 1);
    p->type = 7;
    assert_refused(ct_shader_validate, b, "parameters[1]: unknown type 7");
    p->type = CT_SHADER_PARAMETER_TYPE_SCALAR;
    p->default_value[0] = NAN;
    assert_refused(ct_shader_validate, b, "parameters[1]: its default is not finite");
    ct_blob_writer_free(&w);
}

static void refuses_textures_with_wrong_bindings_or_kinds(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_shader_texture *const t = ITEM(ct_shader_texture, b, b->textures, 1);
    t->binding = 1;
    assert_refused(ct_shader_validate, b, "textures[1]: found binding 1");
    t->binding = 0;
    assert_refused(ct_shader_validate, b, "textures[1]: found binding 0");
    t->binding = 16;
    assert_refused(ct_shader_validate, b,
                   "textures[1]: found binding 16, expected an unused one from 1 to 15");
    t->binding = 2;
    t->kind = CT_TEXTURE_KIND_COUNT;
    assert_refused(ct_shader_validate, b, "textures[1]: unknown kind 3");
    ct_blob_writer_free(&w);
}

static void refuses_compute_shaders_without_code_group_or_output(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->is_compute = 1;
    assert_refused(ct_shader_validate, b, "found a group size of 0");
    b->group_size[0] = b->group_size[1] = b->group_size[2] = 8;
    assert_refused(ct_shader_validate, b, "variants[0].compute: not SPIR-V");
    for (uint32_t i = 0; i < 2; ++i) {
        ct_shader_variant *const v = ITEM(ct_shader_variant, b, b->variants, i);
        v->compute = v->vertex;
    }
    assert_accepted(ct_shader_validate, b);
    // Some bytes that nobody else checks.
    b->outputs = (ct_blob_array){b->options.offset, 1};
    ITEM(ct_shader_output, b, b->outputs, 0)->format = CT_RENDER_FORMAT_D32F;
    assert_refused(ct_shader_validate, b, "outputs[0]: found format 7");
    b->outputs.count = 5;
    assert_refused(ct_shader_validate, b, "outputs");
    b->is_compute = 2;
    assert_refused(ct_shader_validate, b, "found is_compute 2, expected 0 or 1");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_all_combinations_of_options),
        cmocka_unit_test(refuses_missing_variants),
        cmocka_unit_test(refuses_variants_out_of_order),
        cmocka_unit_test(refuses_too_many_options),
        cmocka_unit_test(refuses_compute_shaders_without_code_group_or_output),
        cmocka_unit_test(refuses_code_that_is_not_spirv),
        cmocka_unit_test(refuses_unknown_states),
        cmocka_unit_test(refuses_parameters_outside_the_block),
        cmocka_unit_test(refuses_instanced_parameters_that_are_not_numbered_in_order),
        cmocka_unit_test(refuses_unknown_parameters),
        cmocka_unit_test(refuses_textures_with_wrong_bindings_or_kinds),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
