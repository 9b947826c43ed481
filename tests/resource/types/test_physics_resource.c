#include "resource/types/physics_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_physics_resource resource;

// Makes the blob of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_physics(w);
    assert_accepted(ct_physics_validate, w->bytes.items);
    return (resource *)(void *)w->bytes.items;
}

static void refuses_settings_out_of_range(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const p = make(&w);
    float *const numbers[] = {&p->gravity[1], &p->step, &p->sleep_linear, &p->sleep_angular,
                              &p->rest_distance};
    static const char *const names[] = {"gravity", "step", "sleep_linear", "sleep_angular",
                                        "rest_distance"};
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i) {
        const float value = *numbers[i];
        *numbers[i] = NAN;
        assert_refused(ct_physics_validate, p, names[i]);
        *numbers[i] = -1e5f;
        assert_refused(ct_physics_validate, p, names[i]);
        *numbers[i] = value;
    }
    p->max_steps = 0;
    assert_refused(ct_physics_validate, p, "max_steps: found 0, which is out of range");
    p->max_steps = 1;
    p->solver_iterations = 1001;
    assert_refused(ct_physics_validate, p, "solver_iterations: found 1001, which is out of range");
    ct_blob_writer_free(&w);
}

static void refuses_materials(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const p = make(&w);
    ct_physics_material *const m = ITEM(ct_physics_material, p, p->materials, 1);
    m->restitution = 1.5f;
    assert_refused(ct_physics_validate, p, "materials[1].restitution: found 1.5, which is out");
    m->restitution = 1;
    m->density = 0;
    assert_refused(ct_physics_validate, p, "materials[1].density: found 0, which is out");
    m->density = 1;
    m->name.value ^= 1;
    assert_refused(ct_physics_validate, p, "materials[1]: its id does not match its name");
    m->name.value ^= 1;
    const ct_blob_array all = p->materials;
    p->materials = (ct_blob_array){0, 0};
    assert_refused(ct_physics_validate, p, "materials: found 0; expected 1 to 256");
    p->materials = all;
    assert_accepted(ct_physics_validate, p);
    ct_blob_writer_free(&w);
}

static void refuses_pairs(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const p = make(&w);
    ct_physics_pair *const pair = ITEM(ct_physics_pair, p, p->pairs, 0);
    pair->b = 2;
    assert_refused(ct_physics_validate, p, "pairs[0]: found materials 0 and 2 of 2");
    *pair = (ct_physics_pair){1, 0, 1};
    assert_refused(ct_physics_validate, p, "pairs[0]: found materials 1 and 0 of 2");
    *pair = (ct_physics_pair){0, 1, INFINITY};
    assert_refused(ct_physics_validate, p, "pairs[0].touch_impulse: found inf, which is out");
    ct_blob_writer_free(&w);
}

static void refuses_filters(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const p = make(&w);
    ct_physics_filter *const filters = ITEM(ct_physics_filter, p, p->filters, 0);
    filters[0].collides = 1;
    assert_refused(ct_physics_validate, p, "filters[1].collides: not symmetric with filters[0]");
    filters[0].collides = 7;
    assert_refused(ct_physics_validate, p, "filters[0].collides: found 7; there are 2 filters");
    filters[0].collides = 3;
    filters[1].name.value ^= 1;
    assert_refused(ct_physics_validate, p, "filters[1]: its id does not match its name");
    p->filters = (ct_blob_array){0, 0};
    assert_refused(ct_physics_validate, p, "filters: found 0; expected 1 to 32");
    ct_blob_writer_free(&w);
}

static void refuses_templates(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const p = make(&w);
    ct_physics_template *const t = ITEM(ct_physics_template, p, p->templates, 0);
    t->actor.body = CT_ACTOR_BODY_COUNT;
    assert_refused(ct_physics_validate, p, "templates[0].actor: ");
    t->actor.body = 0;
    t->actor.num_shapes = 1;
    assert_refused(ct_physics_validate, p, "templates[0].actor: found 1 shapes, expected 0");
    t->actor.num_shapes = 0;
    memset(t->actor.lock_position, 'x', sizeof(t->actor.lock_position));
    assert_refused(ct_physics_validate, p, "templates[0].actor: ");
    ct_blob_writer_free(&w);
}

static void finds_the_impulse_of_a_pair(void **state) {
    (void)state;
    ct_blob_writer w;
    const resource *const p = make(&w);
    assert_float_equal(ct_physics_touch_impulse(p, 1, 0), 3, 0);
    assert_float_equal(ct_physics_touch_impulse(p, 0, 0), 1, 0);
    assert_float_equal(ct_physics_touch_impulse(p, 1, 1), 2, 0);
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_settings_out_of_range),
        cmocka_unit_test(refuses_materials),
        cmocka_unit_test(refuses_pairs),
        cmocka_unit_test(refuses_filters),
        cmocka_unit_test(refuses_templates),
        cmocka_unit_test(finds_the_impulse_of_a_pair),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
