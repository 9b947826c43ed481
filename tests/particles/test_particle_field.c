#include "particles/particle_field.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

enum { MOST = 64 };

typedef struct fixture {
    ct_particle_fields *fields;
    uint32_t field;
    _Alignas(16) float points[3][MOST];
    _Alignas(16) float vectors[3][MOST];
} fixture;

static int start(void **state) {
    static fixture f;
    f = (fixture){.fields = ct_particle_fields_create(test_heap())};
    f.field = ct_particle_fields_find(f.fields, ct_string_id32_of("wind"));
    ct_random r = ct_random_seeded(7, 1);
    for (uint32_t i = 0; i < MOST; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            f.points[k][i] = ct_random_float_range(&r, -10, 10);
    *state = &f;
    return 0;
}

static int end(void **state) {
    ct_particle_fields_destroy(((fixture *)*state)->fields);
    return 0;
}

static void evaluate_all(fixture *f, uint32_t count) {
    const float *const points[3] = {f->points[0], f->points[1], f->points[2]};
    float *const vectors[3] = {f->vectors[0], f->vectors[1], f->vectors[2]};
    ct_particle_fields_evaluate(f->fields, f->field, points, vectors, count);
}

static ct_vec3 at(fixture *f, ct_vec3 point) {
    for (uint32_t k = 0; k < 3; ++k)
        f->points[k][0] = point.raw[k];
    evaluate_all(f, 4);
    return ct_vec3_make(f->vectors[0][0], f->vectors[1][0], f->vectors[2][0]);
}

static void assert_near(ct_vec3 v, float x, float y, float z) {
    const float expected[3] = {x, y, z};
    for (uint32_t k = 0; k < 3; ++k)
        assert_true(fabsf(v.raw[k] - expected[k]) < 1e-4f);
}

static uint32_t add(fixture *f, ct_particle_field_effect e) {
    const uint32_t id = ct_particle_fields_add(f->fields, f->field, &e);
    assert_int_not_equal(id, 0);
    return id;
}

static const ct_particle_field_effect wind = {.type = CT_PARTICLE_FIELD_WIND,
                                              .vector = {{1, 2, 3}}};

static void finds_fields_by_name(void **state) {
    fixture *const f = *state;
    const ct_string_id32 other = ct_string_id32_of("other");
    assert_int_equal(ct_particle_fields_look_up(f->fields, other), UINT32_MAX);
    assert_int_equal(ct_particle_fields_find(f->fields, other), 1);
    assert_int_equal(ct_particle_fields_find(f->fields, other), 1);
    assert_int_equal(ct_particle_fields_look_up(f->fields, other), 1);
    assert_near(at(f, ct_vec3_make(1, 2, 3)), 0, 0, 0);
}

static void adds_winds_up(void **state) {
    fixture *const f = *state;
    add(f, wind);
    add(f, (ct_particle_field_effect){.type = CT_PARTICLE_FIELD_WIND, .vector = {{10, 0, 0}}});
    assert_near(at(f, ct_vec3_make(5, 5, 5)), 11, 2, 3);
}

static void pushes_away_from_the_center(void **state) {
    fixture *const f = *state;
    add(f, (ct_particle_field_effect){
               .type = CT_PARTICLE_FIELD_PUSH, .center = {{1, 0, 0}}, .speed = 4});
    assert_near(at(f, ct_vec3_make(3, 0, 0)), 4, 0, 0);
    assert_near(at(f, ct_vec3_make(1, 0, -7)), 0, 0, -4);
    assert_near(at(f, ct_vec3_make(1, 0, 0)), 0, 0, 0);
}

static void whirls_around_the_axis(void **state) {
    fixture *const f = *state;
    const uint32_t id =
        add(f, (ct_particle_field_effect){
                   .type = CT_PARTICLE_FIELD_WHIRL, .axis = {{0, 0, 5}}, .speed = 2});
    assert_near(at(f, ct_vec3_make(3, 0, 9)), 0, 2, 0);
    assert_near(at(f, ct_vec3_make(0, 0, 9)), 0, 0, 0);
    const ct_particle_field_effect no_axis = {.type = CT_PARTICLE_FIELD_WHIRL, .speed = 2};
    assert_true(ct_particle_fields_change(f->fields, f->field, id, &no_axis));
    assert_near(at(f, ct_vec3_make(3, 0, 9)), 0, 0, 0);
}

static void waves_along_the_vector(void **state) {
    fixture *const f = *state;
    add(f, (ct_particle_field_effect){.type = CT_PARTICLE_FIELD_WAVE,
                                      .vector = {{0, 3, 0}},
                                      .center = {{0, 1, 0}},
                                      .frequency = 0.25f,
                                      .rate = 0.5f});
    assert_near(at(f, ct_vec3_make(8, 1, 0)), 0, 0, 0);
    assert_near(at(f, ct_vec3_make(8, 2, 0)), 0, 3, 0);
    assert_near(at(f, ct_vec3_make(8, 4, 0)), 0, -3, 0);
    assert_near(at(f, ct_vec3_make(8, 1.5f, 0)), 0, 3 * sqrtf(0.5f), 0);
    ct_particle_fields_update(f->fields, 1); // half a turn
    assert_near(at(f, ct_vec3_make(8, 2, 0)), 0, -3, 0);
    ct_particle_fields_update(f->fields, 1000000); // whole turns
    assert_near(at(f, ct_vec3_make(8, 2, 0)), 0, -3, 0);
    const ct_vec3 far = at(f, ct_vec3_make(0, 1e30f, 0));
    assert_true(fabsf(far.y) <= 3.001f);
}

// What flows into a small box flows out of it.
static void noise_flows_without_sources(void **state) {
    fixture *const f = *state;
    const float h = 0.01f;
    add(f, (ct_particle_field_effect){
               .type = CT_PARTICLE_FIELD_NOISE, .speed = 2, .frequency = 0.5f, .rate = 1});
    float most = 0;
    for (uint32_t i = 0; i < 50; ++i) {
        const ct_vec3 p = ct_vec3_make((float)i * 0.37f, (float)i * -0.21f, 3);
        float divergence = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            ct_vec3 before = p, after = p;
            before.raw[k] -= h, after.raw[k] += h;
            divergence += (at(f, after).raw[k] - at(f, before).raw[k]) / (2 * h);
        }
        most = fmaxf(most, ct_vec3_length(at(f, p)));
        assert_true(fabsf(divergence) < 0.02f);
    }
    assert_true(most > 1 && most < 8);
}

static void noise_changes_with_time(void **state) {
    fixture *const f = *state;
    add(f, (ct_particle_field_effect){
               .type = CT_PARTICLE_FIELD_NOISE, .speed = 1, .frequency = 1, .rate = 0.5f});
    const ct_vec3 below = at(f, ct_vec3_make(0.3f, 0.4f, -0.5f));
    ct_particle_fields_update(f->fields, 1); // it moves up by half a cell
    const ct_vec3 now = at(f, ct_vec3_make(0.3f, 0.4f, 0));
    assert_near(now, below.x, below.y, below.z);
}

static void fades_to_the_edge_of_its_radius(void **state) {
    fixture *const f = *state;
    ct_particle_field_effect e = wind;
    e.center = ct_vec3_make(0, 0, 1);
    e.radius = 4;
    add(f, e);
    assert_near(at(f, ct_vec3_make(0, 0, 3)), 1, 2, 3);
    assert_near(at(f, ct_vec3_make(0, 3, 1)), 0.5f, 1, 1.5f);
    assert_near(at(f, ct_vec3_make(0, 4, 1)), 0, 0, 0);
    assert_near(at(f, ct_vec3_make(1e30f, 1e30f, 1e30f)), 0, 0, 0);
}

static void fades_in_and_out_and_ends(void **state) {
    fixture *const f = *state;
    ct_particle_field_effect e = wind;
    e.duration = 10, e.fade_in = 2, e.fade_out = 4;
    const uint32_t id = add(f, e);
    const ct_vec3 point = ct_vec3_make(0, 0, 0);
    assert_near(at(f, point), 0, 0, 0);
    ct_particle_fields_update(f->fields, 1);
    assert_near(at(f, point), 0.5f, 1, 1.5f);
    ct_particle_fields_update(f->fields, 1);
    assert_near(at(f, point), 1, 2, 3);
    ct_particle_fields_update(f->fields, 7);
    assert_near(at(f, point), 0.25f, 0.5f, 0.75f);
    ct_particle_fields_update(f->fields, 1);
    assert_near(at(f, point), 0, 0, 0);
    assert_false(ct_particle_fields_remove(f->fields, f->field, id));
}

static void changes_and_removes_by_id(void **state) {
    fixture *const f = *state;
    const uint32_t a = add(f, wind), b = add(f, wind);
    assert_int_not_equal(a, b);
    ct_particle_field_effect e = wind;
    e.vector = ct_vec3_make(5, 0, 0);
    assert_true(ct_particle_fields_change(f->fields, f->field, b, &e));
    assert_near(at(f, ct_vec3_make(0, 0, 0)), 6, 2, 3);
    assert_true(ct_particle_fields_remove(f->fields, f->field, a));
    assert_false(ct_particle_fields_remove(f->fields, f->field, a));
    assert_false(ct_particle_fields_change(f->fields, f->field, a, &e));
    assert_near(at(f, ct_vec3_make(0, 0, 0)), 5, 0, 0);
    assert_int_not_equal(add(f, wind), a);
}

static void an_effect_that_changes_keeps_its_time(void **state) {
    fixture *const f = *state;
    ct_particle_field_effect e = wind;
    e.duration = 2;
    const uint32_t id = add(f, e);
    ct_particle_fields_update(f->fields, 1.5);
    assert_true(ct_particle_fields_change(f->fields, f->field, id, &e));
    ct_particle_fields_update(f->fields, 0.5);
    assert_false(ct_particle_fields_change(f->fields, f->field, id, &e));
}

static void refuses_effects_when_full(void **state) {
    fixture *const f = *state;
    for (uint32_t i = 0; i < CT_PARTICLE_FIELD_MAX_EFFECTS; ++i)
        add(f, wind);
    assert_int_equal(ct_particle_fields_add(f->fields, f->field, &wind), 0);
    ct_particle_fields_update(f->fields, 1);
    assert_near(at(f, ct_vec3_make(0, 0, 0)), 256, 512, 768);
}

static void add_infinite(void *user) {
    ct_particle_field_effect e = wind;
    e.radius = INFINITY;
    add(user, e);
}

static void asserts_finite_numbers(void **state) {
    test_expect_death(add_infinite, *state, "is not finite");
}

// Points next to each other do not influence each other, in any grouping.
static void is_a_function_of_the_point(void **state) {
    fixture *const f = *state;
    add(f, (ct_particle_field_effect){.type = CT_PARTICLE_FIELD_WHIRL,
                                      .center = {{1, 2, 3}},
                                      .axis = {{1, 1, 0}},
                                      .speed = 2,
                                      .radius = 12});
    add(f, (ct_particle_field_effect){
               .type = CT_PARTICLE_FIELD_WAVE, .vector = {{1, 2, 0}}, .frequency = 3, .rate = 1});
    add(f, (ct_particle_field_effect){.type = CT_PARTICLE_FIELD_PUSH, .speed = -3, .radius = 5});
    ct_particle_fields_update(f->fields, 0.37);
    evaluate_all(f, MOST);
    float all[3][MOST];
    memcpy(all, f->vectors, sizeof(all));
    for (uint32_t i = 0; i < MOST; ++i) {
        const ct_vec3 v = at(f, ct_vec3_make(f->points[0][i], f->points[1][i], f->points[2][i]));
        for (uint32_t k = 0; k < 3; ++k)
            assert_memory_equal(&v.raw[k], &all[k][i], sizeof(float));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_fields_by_name, start, end),
        cmocka_unit_test_setup_teardown(adds_winds_up, start, end),
        cmocka_unit_test_setup_teardown(pushes_away_from_the_center, start, end),
        cmocka_unit_test_setup_teardown(whirls_around_the_axis, start, end),
        cmocka_unit_test_setup_teardown(waves_along_the_vector, start, end),
        cmocka_unit_test_setup_teardown(noise_flows_without_sources, start, end),
        cmocka_unit_test_setup_teardown(noise_changes_with_time, start, end),
        cmocka_unit_test_setup_teardown(fades_to_the_edge_of_its_radius, start, end),
        cmocka_unit_test_setup_teardown(fades_in_and_out_and_ends, start, end),
        cmocka_unit_test_setup_teardown(changes_and_removes_by_id, start, end),
        cmocka_unit_test_setup_teardown(an_effect_that_changes_keeps_its_time, start, end),
        cmocka_unit_test_setup_teardown(refuses_effects_when_full, start, end),
        cmocka_unit_test_setup_teardown(asserts_finite_numbers, start, end),
        cmocka_unit_test_setup_teardown(is_a_function_of_the_point, start, end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
