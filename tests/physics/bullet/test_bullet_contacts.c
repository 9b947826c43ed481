// What touches: contacts while awake and asleep, sensors, filters, bodies that end while they touch.
#include <math.h>

#include "physics/bullet/bullet_scene.h"

static scene s;

static ct_bullet_shape *unit_box(void) {
    return scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
}

static ct_bullet_body *add_ground(void) {
    return scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 20, 20, 1),
                      scene_at(0, 0, -1));
}

static void steps_until_asleep(const ct_bullet_body *b) {
    for (uint32_t i = 0; i < 900 && !ct_bullet_body_is_asleep(b); ++i)
        scene_steps(&s, 1);
    assert_true(ct_bullet_body_is_asleep(b));
}

static void a_box_that_lands_carries_its_weight(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_body *const ground = add_ground();
    ct_bullet_body *const box = scene_body(&s, CT_BULLET_DYNAMIC, unit_box(), scene_at(0, 0, 1.5f));
    assert_null(scene_contact(&s, ground, box));
    scene_steps(&s, 5);
    assert_null(scene_contact(&s, ground, box));
    scene_steps(&s, 55);
    const ct_bullet_contact *const c = scene_contact(&s, ground, box);
    assert_non_null(c);
    assert_true(c->normal.z < -0.999f && fabsf(c->position.z) < 0.05f);
    assert_true(fabsf(c->impulse - 10 * SCENE_STEP) < 0.1f * 10 * SCENE_STEP); // m g dt
    assert_false(ct_bullet_pair_is_asleep(ground, box));
    ct_bullet_body_set_velocity(box, scene_at(0, 0, 5));
    scene_steps(&s, 5);
    assert_null(scene_contact(&s, ground, box));
    assert_false(ct_bullet_pair_is_asleep(ground, box));
    scene_end(&s);
}

static void pairs_that_sleep_rest_until_they_are_woken(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_body *const ground = add_ground();
    ct_bullet_shape *const box = unit_box();
    ct_bullet_body *const low = scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 0.5f));
    ct_bullet_body *const high = scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 1.5f));
    steps_until_asleep(low);
    assert_true(ct_bullet_body_is_asleep(high));
    scene_steps(&s, 2);
    uint32_t count;
    ct_bullet_world_contacts(s.world, &count);
    assert_int_equal(count, 0);
    assert_true(ct_bullet_pair_is_asleep(ground, low));
    assert_true(ct_bullet_pair_is_asleep(low, high));
    assert_false(ct_bullet_pair_is_asleep(ground, high)); // they never touched
    // In each step a pair is listed or rests, from the shot that wakes them on.
    ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, box, scene_at(-3, 0, 0.55f));
    desc.velocity = scene_at(6, 0, 0);
    desc.mass = 0.1f;
    scene_add(&s, &desc);
    uint32_t num_listed = 0;
    for (uint32_t i = 0; i < 60; ++i) {
        scene_steps(&s, 1);
        const bool is_listed = scene_contact(&s, ground, low) != NULL;
        assert_true(is_listed != ct_bullet_pair_is_asleep(ground, low));
        num_listed += is_listed;
    }
    assert_in_range(num_listed, 10, 59);
    scene_end(&s);
}

static void bodies_may_end_while_they_touch(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_body *const ground = add_ground();
    ct_bullet_shape *const box = unit_box();
    for (uint32_t i = 0; i < 30; ++i)
        scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 0.5f + (float)i));
    uint32_t count;
    for (uint32_t i = 0; i < 28; ++i) {
        scene_steps(&s, i % 4);
        scene_pop(&s);
        const ct_bullet_contact *const c = ct_bullet_world_contacts(s.world, &count);
        for (uint32_t k = 0; k < count; ++k)
            assert_true(c[k].b <= s.num_bodies); // none of what ended
        if (i % 4)
            assert_non_null(scene_contact(&s, ground, s.bodies[1])); // the others are still known
    }
    // Asking first changes nothing.
    scene_steps(&s, 30);
    assert_non_null(scene_contact(&s, ground, s.bodies[1]));
    scene_pop(&s);
    scene_pop(&s);
    ct_bullet_world_contacts(s.world, &count);
    assert_int_equal(count, 0);
    scene_end(&s);
}

static void a_shot_that_was_stopped_may_end(void **state) {
    (void)state;
    scene_begin(&s, 0);
    scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.05f, 5, 5),
               scene_at(10, 0, 0));
    ct_bullet_body_desc desc =
        scene_desc(&s, CT_BULLET_DYNAMIC, scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.1f, 0, 0),
                   scene_at(0, 0, 0));
    desc.flags = CT_BULLET_CONTINUOUS;
    desc.velocity = scene_at(300, 0, 0);
    ct_bullet_body *const shot = scene_add(&s, &desc);
    uint32_t count, num_contacts = 0;
    float impulse = 0; // newton seconds
    for (uint32_t i = 0; i < 10 && impulse < 200; ++i) {
        scene_steps(&s, 1);
        const ct_bullet_contact *const c = scene_contact(&s, s.bodies[0], shot);
        impulse += c ? c->impulse : 0;
        num_contacts += c != NULL;
    }
    assert_true(impulse > 200 && impulse < 310); // it is stopped
    assert_in_range(num_contacts, 2, 3);         // foreseen, then there
    scene_pop(&s);
    ct_bullet_world_contacts(s.world, &count);
    assert_int_equal(count, 0);
    scene_steps(&s, 2);
    scene_end(&s);
}

// --- Sensors -------------------------------------------------------------------------------------

static void sensors_notice_what_sleeps(void **state) {
    (void)state;
    scene_begin(&s, 10);
    add_ground();
    ct_bullet_shape *const box = unit_box();
    ct_bullet_body *const b = scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 0.5f));
    ct_bullet_body *const k = scene_body(&s, CT_BULLET_KINEMATIC, box, scene_at(0.6f, 0, 2));
    steps_until_asleep(b);
    // One that appears around them.
    ct_bullet_body *const sensor = scene_body(
        &s, CT_BULLET_SENSOR, scene_shape(&s, CT_BULLET_SHAPE_BOX, 2, 2, 2), scene_at(0, 0, 1));
    scene_steps(&s, 1);
    assert_non_null(scene_contact(&s, sensor, b));
    assert_non_null(scene_contact(&s, sensor, k));
    assert_true(ct_bullet_body_is_asleep(b)); // nothing was woken
    scene_steps(&s, 2);
    assert_null(scene_contact(&s, sensor, b));
    assert_true(ct_bullet_pair_is_asleep(sensor, b));
    assert_true(ct_bullet_pair_is_asleep(sensor, k));
    assert_true(ct_bullet_body_is_asleep(sensor));
    // One that is put elsewhere and back, or follows something.
    ct_bullet_body_set_pose(sensor, (ct_rigid_pose){scene_at(9, 0, 1), scene_identity});
    scene_steps(&s, 2);
    assert_false(ct_bullet_pair_is_asleep(sensor, b));
    ct_bullet_body_move_to(sensor, (ct_rigid_pose){scene_at(0, 0, 1), scene_identity});
    scene_steps(&s, 1);
    assert_non_null(scene_contact(&s, sensor, b));
    assert_true(ct_bullet_body_is_asleep(b));
    scene_end(&s);
}

static void sensors_notice_what_appears_asleep(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const box = unit_box();
    ct_bullet_body *const sensor = scene_body(
        &s, CT_BULLET_SENSOR, scene_shape(&s, CT_BULLET_SHAPE_BOX, 2, 2, 2), scene_at(0, 0, 0));
    scene_steps(&s, 5);
    assert_true(ct_bullet_body_is_asleep(sensor));
    ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, box, scene_at(1, 0, 0));
    desc.flags = CT_BULLET_STARTS_ASLEEP;
    ct_bullet_body *const b = scene_add(&s, &desc);
    ct_bullet_body *const k = scene_body(&s, CT_BULLET_KINEMATIC, box, scene_at(-1, 0, 0));
    scene_steps(&s, 1);
    assert_non_null(scene_contact(&s, sensor, b));
    assert_non_null(scene_contact(&s, sensor, k));
    assert_true(ct_bullet_body_is_asleep(b));
    // A kinematic body that walks in, and out.
    ct_bullet_body_set_pose(k, (ct_rigid_pose){scene_at(-9, 0, 0), scene_identity});
    scene_steps(&s, 2);
    assert_null(scene_contact(&s, sensor, k));
    assert_false(ct_bullet_pair_is_asleep(sensor, k));
    scene_end(&s);
}

static void sensors_keep_nobody_awake_and_push_nobody(void **state) {
    (void)state;
    scene_begin(&s, 10);
    add_ground();
    ct_bullet_shape *const box = unit_box();
    ct_bullet_body *const sensor = scene_body(
        &s, CT_BULLET_SENSOR, scene_shape(&s, CT_BULLET_SHAPE_BOX, 2, 2, 2), scene_at(0, 0, 1));
    ct_bullet_body *const b = scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 4));
    uint32_t num_inside = 0;
    for (uint32_t i = 0; i < 300 && !ct_bullet_body_is_asleep(b); ++i) {
        scene_steps(&s, 1);
        const ct_bullet_contact *const c = scene_contact(&s, sensor, b);
        num_inside += c != NULL;
        assert_true(!c || c->impulse == 0);
    }
    assert_true(num_inside > 60);
    assert_true(ct_bullet_body_is_asleep(b));
    assert_true(fabsf(ct_bullet_body_pose(b).position.x) < 0.01f);
    // A sensor that moves each step wakes nobody, either.
    for (uint32_t i = 0; i < 60; ++i) {
        ct_bullet_body_move_to(sensor,
                               (ct_rigid_pose){scene_at(0.01f * (float)i, 0, 1), scene_identity});
        scene_steps(&s, 1);
        assert_true(ct_bullet_body_is_asleep(b));
        assert_non_null(scene_contact(&s, sensor, b));
    }
    scene_end(&s);
}

// --- Filters -------------------------------------------------------------------------------------

// Drops a box on the ground. Returns whether it lands.
static bool lands(uint32_t filter, uint32_t collides, uint32_t ground_collides, uint32_t flags) {
    scene_begin(&s, 10);
    ct_bullet_body_desc desc = scene_desc(
        &s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 20, 20, 1), scene_at(0, 0, -1));
    desc.filter = 31;
    desc.collides = ground_collides;
    scene_add(&s, &desc);
    desc = scene_desc(&s, CT_BULLET_DYNAMIC, unit_box(), scene_at(0, 0, 0.6f));
    desc.filter = filter;
    desc.collides = collides;
    desc.flags = flags;
    ct_bullet_body *const b = scene_add(&s, &desc);
    scene_steps(&s, 60);
    const bool has_landed = ct_bullet_body_pose(b).position.z > 0.4f;
    scene_end(&s);
    return has_landed;
}

static void both_filters_must_agree(void **state) {
    (void)state;
    assert_true(lands(4, 1u << 31, 1u << 4, 0));
    assert_false(lands(4, 1u << 31, 1u << 5, 0));
    assert_false(lands(4, 1u << 30, 1u << 4, 0));
    assert_false(lands(4, 0, UINT32_MAX, 0));
    assert_false(lands(4, UINT32_MAX, UINT32_MAX, CT_BULLET_NO_COLLISION));
    assert_true(lands(0, UINT32_MAX, UINT32_MAX, 0));
}

static void filters_change_while_bodies_touch(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_body *const ground = add_ground();
    ct_bullet_body *const b = scene_body(&s, CT_BULLET_DYNAMIC, unit_box(), scene_at(0, 0, 0.5f));
    steps_until_asleep(b);
    ct_bullet_body_set_filter(ground, 7, 1u << 9);
    scene_steps(&s, 30);
    assert_null(scene_contact(&s, ground, b));
    assert_true(ct_bullet_body_pose(b).position.z < 0);
    ct_bullet_body_set_pose(b, (ct_rigid_pose){scene_at(0, 0, 0.5f), scene_identity});
    ct_bullet_body_set_velocity(b, scene_at(0, 0, 0));
    ct_bullet_body_set_filter(b, 9, 1u << 7);
    scene_steps(&s, 30);
    assert_non_null(scene_contact(&s, ground, b));
    assert_true(ct_bullet_body_pose(b).position.z > 0.45f);
    ct_bullet_body_set_flags(b, CT_BULLET_NO_COLLISION);
    scene_steps(&s, 30);
    assert_true(ct_bullet_body_pose(b).position.z < 0);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_that_lands_carries_its_weight),
        cmocka_unit_test(pairs_that_sleep_rest_until_they_are_woken),
        cmocka_unit_test(bodies_may_end_while_they_touch),
        cmocka_unit_test(a_shot_that_was_stopped_may_end),
        cmocka_unit_test(sensors_notice_what_sleeps),
        cmocka_unit_test(sensors_notice_what_appears_asleep),
        cmocka_unit_test(sensors_keep_nobody_awake_and_push_nobody),
        cmocka_unit_test(both_filters_must_agree),
        cmocka_unit_test(filters_change_while_bodies_touch),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
