#include "render/object/render_lights.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "support/test_support.h"

static ct_frustum wide_frustum(void) {
    const ct_mat4 projection =
        ct_mat4_orthographic(-100.0f, 100.0f, -100.0f, 100.0f, -100.0f, 100.0f);
    return ct_frustum_from(&projection);
}

static ct_light_data shining(uint32_t type, float intensity) {
    return (ct_light_data){.type = type,
                           .color = {0.5f, 1.0f, 0.25f, 1.0f},
                           .intensity = intensity,
                           .falloff_end = 5.0f,
                           .spot_angle_start = 0.5f,
                           .spot_angle_end = 1.0f,
                           .is_enabled = true};
}

static void set_at(ct_render_lights *lights, uint32_t id, const ct_light_data *data, float x) {
    const ct_mat4 pose = ct_mat4_compose(ct_vec3_make(x, 0.0f, 0.0f), ct_quat_identity(),
                                         ct_vec3_make(1.0f, 1.0f, 1.0f));
    ct_render_lights_set(lights, (ct_render_light_id){id}, data, &pose);
}

static void add(ct_render_lights *lights, uint32_t id, uint32_t type, float intensity, float x) {
    const ct_light_data data = shining(type, intensity);
    set_at(lights, id, &data, x);
}

// The block of a camera at the origin.
static const ct_render_lights_block *choose(const ct_render_lights *lights) {
    static ct_render_lights_block block;
    const ct_frustum frustum = wide_frustum();
    memset(&block, 0, sizeof(block));
    ct_render_lights_choose(lights, &frustum, ct_vec3_make(0.0f, 0.0f, 0.0f), &block);
    return &block;
}

static void chooses_the_lights_that_matter_most(void **state) {
    (void)state;
    ct_render_lights lights;
    ct_render_lights_init(&lights, test_heap());
    for (uint32_t i = 0; i < 6; ++i)
        add(&lights, 1 + i, CT_LIGHT_TYPE_DIRECTIONAL, (float)(1 + i), 0.0f);
    for (uint32_t i = 0; i < 80; ++i)
        add(&lights, 10 + i, i % 2 ? CT_LIGHT_TYPE_POINT : CT_LIGHT_TYPE_SPOT, 1.0f,
            (float)(i + 1));
    add(&lights, 200, CT_LIGHT_TYPE_POINT, 0.0f, 0.0f);    // dark
    add(&lights, 201, CT_LIGHT_TYPE_POINT, 50.0f, 900.0f); // out of reach
    const ct_render_lights_block *const block = choose(&lights);
    assert_int_equal(block->num_directional, CT_RENDER_MAX_DIRECTIONAL_LIGHTS);
    assert_true(block->directional[0].color[1] == 6.0f && block->directional[3].color[1] == 3.0f);
    assert_true(block->directional[0].color[0] == 3.0f);
    assert_true(block->directional[0].direction[1] == 1.0f); // along forward
    assert_int_equal(block->num_local, CT_RENDER_MAX_LOCAL_LIGHTS);
    for (uint32_t i = 0; i < CT_RENDER_MAX_LOCAL_LIGHTS; ++i)
        assert_true(block->local[i].position_reach[0] == (float)(i + 1)); // the nearest first
    assert_true(block->local[0].position_reach[3] == 5.0f);
    ct_render_lights_free(&lights);
}

static void a_light_without_a_place_does_not_shine(void **state) {
    (void)state;
    ct_render_lights lights;
    ct_render_lights_init(&lights, test_heap());
    for (uint32_t type = CT_LIGHT_TYPE_DIRECTIONAL; type <= CT_LIGHT_TYPE_SPOT; ++type) {
        ct_light_data data = shining(type, 1.0f);
        data.casts_shadows = true;
        ct_mat4 pose = ct_mat4_identity();
        ct_render_lights_set(&lights, (ct_render_light_id){1 + type}, &data, &pose);
        for (uint32_t column = 1; column < 4; column += 2) { // forward and position
            pose = ct_mat4_identity();
            pose.raw[column][0] = column == 1 ? NAN : INFINITY;
            ct_render_lights_set(&lights, (ct_render_light_id){1 + type}, &data, &pose);
            assert_int_equal(choose(&lights)->num_directional + choose(&lights)->num_local, 0);
            assert_null(ct_render_lights_shadow_caster(&lights));
        }
    }
    const ct_light_data data = shining(CT_LIGHT_TYPE_POINT, 1.0f);
    set_at(&lights, 1 + CT_LIGHT_TYPE_POINT, &data, 1.0f);
    assert_int_equal(choose(&lights)->num_local, 1); // it is somewhere again
    ct_render_lights_free(&lights);
}

static void changes_and_removes_lights(void **state) {
    (void)state;
    ct_render_lights lights;
    ct_render_lights_init(&lights, test_heap());
    add(&lights, 1, CT_LIGHT_TYPE_POINT, 1.0f, 1.0f);
    add(&lights, 2, CT_LIGHT_TYPE_POINT, 1.0f, 2.0f);
    add(&lights, 1, CT_LIGHT_TYPE_POINT, 1.0f, 7.0f);
    assert_int_equal(lights.count, 2);
    assert_true(lights.items[0].position[0] == 7.0f);
    ct_render_lights_remove(&lights, (ct_render_light_id){1});
    ct_render_lights_remove(&lights, (ct_render_light_id){1});
    assert_int_equal(lights.count, 1);
    assert_int_equal(lights.items[0].id.value, 2);
    ct_render_lights_free(&lights);
}

// What the shader makes of a cone for a direction `angle` away from the axis.
static float cone_share(const ct_render_local_light *light, float angle) {
    const float direction[3] = {sinf(angle), cosf(angle), 0.0f};
    float sum = light->cone[3];
    for (uint32_t i = 0; i < 3; ++i)
        sum += light->cone[i] * direction[i];
    return sum < 0.0f ? 0.0f : sum > 1.0f ? 1.0f : sum;
}

static void a_spot_light_shines_within_its_angles(void **state) {
    (void)state;
    ct_render_lights lights;
    ct_render_lights_init(&lights, test_heap());
    add(&lights, 1, CT_LIGHT_TYPE_SPOT, 1.0f, 0.0f);
    const ct_render_local_light *const light = &choose(&lights)->local[0];
    assert_true(cone_share(light, 0.0f) == 1.0f);
    assert_true(cone_share(light, 0.499f) == 1.0f);
    assert_true(cone_share(light, 0.75f) > 0.1f && cone_share(light, 0.75f) < 0.9f);
    assert_true(cone_share(light, 1.001f) == 0.0f);
    assert_true(cone_share(light, 3.0f) == 0.0f);
    ct_render_lights_free(&lights);
}

static void a_spot_light_may_have_a_hard_edge(void **state) {
    (void)state;
    ct_render_lights lights;
    ct_render_lights_init(&lights, test_heap());
    ct_light_data data = shining(CT_LIGHT_TYPE_SPOT, 1.0f);
    data.spot_angle_start = 1.2f; // beyond the end
    set_at(&lights, 1, &data, 0.0f);
    const ct_render_local_light *const light = &choose(&lights)->local[0];
    assert_true(cone_share(light, 0.99f) == 1.0f);
    assert_true(cone_share(light, 1.01f) == 0.0f);
    ct_render_lights_free(&lights);
}

static void a_point_light_shines_to_all_sides(void **state) {
    (void)state;
    ct_render_lights lights;
    ct_render_lights_init(&lights, test_heap());
    add(&lights, 1, CT_LIGHT_TYPE_POINT, 1.0f, 0.0f);
    for (float angle = 0.0f; angle < 6.0f; angle += 0.5f)
        assert_true(cone_share(&choose(&lights)->local[0], angle) == 1.0f);
    ct_render_lights_free(&lights);
}

static void a_falloff_starts_before_its_end(void **state) {
    (void)state;
    ct_render_lights lights;
    ct_render_lights_init(&lights, test_heap());
    ct_light_data data = shining(CT_LIGHT_TYPE_POINT, 1.0f);
    data.falloff_start = 2.0f;
    set_at(&lights, 1, &data, 0.0f);
    assert_true(choose(&lights)->local[0].color_start[3] == 2.0f);
    data.falloff_start = 9.0f;
    set_at(&lights, 1, &data, 0.0f);
    const ct_render_local_light *const light = &choose(&lights)->local[0];
    assert_true(light->color_start[3] < light->position_reach[3]);
    ct_render_lights_free(&lights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_the_lights_that_matter_most),
        cmocka_unit_test(a_light_without_a_place_does_not_shine),
        cmocka_unit_test(changes_and_removes_lights),
        cmocka_unit_test(a_spot_light_shines_within_its_angles),
        cmocka_unit_test(a_spot_light_may_have_a_hard_edge),
        cmocka_unit_test(a_point_light_shines_to_all_sides),
        cmocka_unit_test(a_falloff_starts_before_its_end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
