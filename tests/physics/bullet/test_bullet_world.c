// Worlds of rigid bodies: closed forms of motion, sleep, sensors, queries.
#include "physics/bullet/bullet.h"

#include <math.h>

#include "support/test_support.h"

static const ct_bullet_find find_all = {.kinds = CT_BULLET_FIND_SOLID | CT_BULLET_FIND_SENSORS,
                                        .filters = UINT32_MAX};
static const ct_quat identity = {{0, 0, 0, 1}};
enum { EARTH = 9 };
#define STEP (1.0f / 60)

static ct_bullet_world *make_world(float gravity) {
    ct_bullet_init(test_heap());
    return ct_bullet_world_create(
        &(ct_bullet_world_desc){.gravity = {{0, 0, -gravity}}, .solver_iterations = 10});
}

static void end_world(ct_bullet_world *w) {
    ct_bullet_world_destroy(w);
    ct_bullet_quit();
}

static ct_bullet_shape *make_shape(uint32_t kind, ct_vec3 size) {
    return ct_bullet_shape_create(
        &(ct_bullet_shape_part){.kind = kind, .pose = {.rotation = identity}, .size = size}, 1);
}

// What a body is like if the test does not say otherwise.
static ct_bullet_body_desc body_desc(uint32_t id, uint32_t kind, ct_bullet_shape *shape,
                                     ct_vec3 position) {
    return (ct_bullet_body_desc){.id = id,
                                 .kind = kind,
                                 .shape = shape,
                                 .pose = {position, identity},
                                 .mass = kind == CT_BULLET_DYNAMIC ? 1 : 0,
                                 .friction = 0.5f,
                                 .linear_factor = {{1, 1, 1}},
                                 .angular_factor = {{1, 1, 1}},
                                 .sleep_linear = 0.8f,
                                 .sleep_angular = 1,
                                 .collides = UINT32_MAX};
}

static void bodies_fall_by_half_g_t_squared(void **state) {
    (void)state;
    ct_bullet_world *const w = make_world(10);
    ct_bullet_shape *const ball = make_shape(CT_BULLET_SHAPE_SPHERE, (ct_vec3){{1, 0, 0}});
    const ct_bullet_body_desc desc = body_desc(1, CT_BULLET_DYNAMIC, ball, (ct_vec3){{0, 0, 100}});
    ct_bullet_body *const b = ct_bullet_body_create(w, &desc);
    for (uint32_t i = 0; i < 60; ++i)
        ct_bullet_world_step(w, STEP);
    // Semi-implicit Euler: g h^2 (1 + 2 + ... + n) = g t^2 / 2 + g t h / 2.
    const float fallen = 100 - ct_bullet_body_pose(b).position.z;
    assert_true(fabsf(fallen - (5 + 5 * STEP)) < 1e-3f);
    uint32_t count;
    assert_int_equal(ct_bullet_world_moved(w, &count)->id, 1);
    assert_int_equal(count, 1);
    ct_bullet_body_destroy(b);
    ct_bullet_shape_destroy(ball);
    end_world(w);
}

static void a_box_comes_to_rest_and_costs_nothing_then(void **state) {
    (void)state;
    ct_bullet_world *const w = make_world(EARTH);
    ct_bullet_shape *const ground = make_shape(CT_BULLET_SHAPE_PLANE, (ct_vec3){{1, 1, 1}});
    ct_bullet_shape *const box = make_shape(CT_BULLET_SHAPE_BOX, (ct_vec3){{0.5f, 0.5f, 0.5f}});
    const ct_bullet_body_desc ground_desc =
        body_desc(1, CT_BULLET_STATIC, ground, (ct_vec3){{0, 0, 0}});
    const ct_bullet_body_desc box_desc = body_desc(2, CT_BULLET_DYNAMIC, box, (ct_vec3){{0, 0, 2}});
    ct_bullet_body *const g = ct_bullet_body_create(w, &ground_desc);
    ct_bullet_body *const b = ct_bullet_body_create(w, &box_desc);
    uint32_t count = 0, steps = 0;
    for (; !ct_bullet_body_is_asleep(b) && steps < 600; ++steps) {
        ct_bullet_world_step(w, STEP);
        if (steps == 90) {
            const ct_bullet_contact *const c = ct_bullet_world_contacts(w, &count);
            assert_int_equal(count, 1);
            assert_int_equal(c->a, 1);
            assert_int_equal(c->b, 2);
            assert_true(c->normal.z < -0.99f && c->impulse > 0); // from the box to the ground
        }
    }
    assert_true(steps < 600);
    assert_true(fabsf(ct_bullet_body_pose(b).position.z - 0.5f) < 0.01f);
    ct_bullet_world_step(w, STEP);
    ct_bullet_world_moved(w, &count);
    assert_int_equal(count, 0);
    ct_bullet_world_contacts(w, &count);
    assert_int_equal(count, 0);
    assert_true(ct_bullet_pair_is_asleep(g, b));
    // Ending the ground wakes it.
    ct_bullet_body_destroy(g);
    assert_false(ct_bullet_body_is_asleep(b));
    ct_bullet_body_destroy(b);
    ct_bullet_shape_destroy(box);
    ct_bullet_shape_destroy(ground);
    end_world(w);
}

static void queries_find_a_box(void **state) {
    (void)state;
    ct_bullet_world *const w = make_world(0);
    ct_bullet_shape *const box = make_shape(CT_BULLET_SHAPE_BOX, (ct_vec3){{1, 1, 1}});
    ct_bullet_shape *const ball = make_shape(CT_BULLET_SHAPE_SPHERE, (ct_vec3){{0.5f, 0, 0}});
    const ct_bullet_body_desc desc = body_desc(7, CT_BULLET_STATIC, box, (ct_vec3){{5, 0, 0}});
    ct_bullet_body *const b = ct_bullet_body_create(w, &desc);
    ct_bullet_hit hit;
    const ct_vec3 from = {{0, 0, 0}}, to = {{10, 0, 0}};
    assert_true(ct_bullet_ray(w, from, to, &find_all, &hit));
    assert_int_equal(hit.id, 7);
    assert_true(fabsf(hit.fraction - 0.4f) < 1e-4f && hit.normal.x < -0.99f);
    assert_true(ct_bullet_ray_any(w, from, to, &find_all));
    assert_false(ct_bullet_ray_any(w, from, (ct_vec3){{3, 0, 0}}, &find_all));
    assert_true(ct_bullet_sweep(w, ball, (ct_rigid_pose){from, identity}, to, &find_all, &hit));
    assert_true(fabsf(hit.fraction - 0.35f) < 2e-3f);
    ct_bullet_overlap overlap;
    const ct_rigid_pose near_box = {{{3.7f, 0, 0}}, identity};
    assert_int_equal(ct_bullet_overlaps(w, ball, near_box, 0, &find_all, &overlap, 1), 1);
    assert_true(fabsf(overlap.distance + 0.2f) < 1e-3f && overlap.normal.x < -0.99f);
    assert_true(ct_bullet_closest_point(w, from, 10, &find_all, &overlap));
    assert_true(fabsf(overlap.distance - 4) < 1e-2f);
    assert_true(fabsf(overlap.position.x - 4) < 1e-2f);
    ct_bullet_body_destroy(b);
    ct_bullet_shape_destroy(ball);
    ct_bullet_shape_destroy(box);
    end_world(w);
}

static void a_kinematic_body_pushes_and_then_rests(void **state) {
    (void)state;
    ct_bullet_world *const w = make_world(0);
    ct_bullet_shape *const box = make_shape(CT_BULLET_SHAPE_BOX, (ct_vec3){{1, 1, 1}});
    const ct_bullet_body_desc pusher_desc =
        body_desc(1, CT_BULLET_KINEMATIC, box, (ct_vec3){{0, 0, 0}});
    const ct_bullet_body_desc box_desc =
        body_desc(2, CT_BULLET_DYNAMIC, box, (ct_vec3){{2.5f, 0, 0}});
    ct_bullet_body *const pusher = ct_bullet_body_create(w, &pusher_desc);
    ct_bullet_body *const pushed = ct_bullet_body_create(w, &box_desc);
    for (uint32_t i = 1; i <= 60; ++i) {
        ct_bullet_body_move_to(pusher, (ct_rigid_pose){{{(float)i * STEP, 0, 0}}, identity});
        ct_bullet_world_step(w, STEP);
        if (i == 30)
            assert_true(fabsf(ct_bullet_body_velocity(pusher).x - 1) < 1e-3f);
    }
    assert_true(ct_bullet_body_pose(pushed).position.x > 2.9f);
    for (uint32_t i = 0; i < 2; ++i)
        ct_bullet_world_step(w, STEP);
    assert_true(ct_bullet_body_is_asleep(pusher));
    assert_true(ct_bullet_body_velocity(pusher).x == 0);
    ct_bullet_body_destroy(pushed);
    ct_bullet_body_destroy(pusher);
    ct_bullet_shape_destroy(box);
    end_world(w);
}

static void sensors_touch_without_force(void **state) {
    (void)state;
    ct_bullet_world *const w = make_world(10);
    ct_bullet_shape *const box = make_shape(CT_BULLET_SHAPE_BOX, (ct_vec3){{1, 1, 1}});
    const ct_bullet_body_desc sensor_desc =
        body_desc(1, CT_BULLET_SENSOR, box, (ct_vec3){{0, 0, 0}});
    const ct_bullet_body_desc box_desc = body_desc(2, CT_BULLET_DYNAMIC, box, (ct_vec3){{0, 0, 4}});
    ct_bullet_body *const sensor = ct_bullet_body_create(w, &sensor_desc);
    ct_bullet_body *const b = ct_bullet_body_create(w, &box_desc);
    uint32_t num_touching = 0, count;
    for (uint32_t i = 0; i < 120; ++i) {
        ct_bullet_world_step(w, STEP);
        ct_bullet_world_contacts(w, &count);
        num_touching += count;
    }
    assert_in_range(num_touching, 10, 60);
    assert_true(ct_bullet_body_pose(b).position.z < -10); // it fell through
    ct_bullet_body_destroy(b);
    ct_bullet_body_destroy(sensor);
    ct_bullet_shape_destroy(box);
    end_world(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_fall_by_half_g_t_squared),
        cmocka_unit_test(a_box_comes_to_rest_and_costs_nothing_then),
        cmocka_unit_test(queries_find_a_box),
        cmocka_unit_test(a_kinematic_body_pushes_and_then_rests),
        cmocka_unit_test(sensors_touch_without_force),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
