// Rays, sweeps and overlaps among actors: what filters let through, order, ties, and rays that wait.
#include "physics/query/physics_query.h"

#include <math.h>

#include "foundation/math/math.h"
#include "physics/actor/actor_fixture.h"

static const ct_physics_find all = {.kinds = 0};

static ct_actor box_at(actor_fixture *f, float x, float y, float z, uint32_t body) {
    return make_actor(f, make_entity(f, x, y, z), body, box_shape(0.5f, 0.5f, 0.5f));
}

static ct_physics_ray ray_down(float x, float y) {
    return (ct_physics_ray){{{x, y, 10}}, {{0, 0, -1}}, 20};
}

static void rays_find_the_nearest(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor low = box_at(&f, 0, 0, 0, CT_ACTOR_STATIC);
    const ct_actor high = box_at(&f, 0, 0, 5, CT_ACTOR_KEYFRAMED);
    const ct_physics_ray rays[3] = {ray_down(0, 0), ray_down(3, 0), ray_down(0.4f, 0.4f)};
    ct_physics_hit hits[3];
    bool any[3];
    assert_int_equal(ct_physics_rays(f.world, rays, 3, &all, hits), 2);
    assert_int_equal(hits[0].actor.id, high.id);
    assert_float_equal(hits[0].distance, 4.5, 1e-3);
    assert_float_equal(hits[0].position.z, 5.5, 1e-3);
    assert_float_equal(hits[0].normal.z, 1, 1e-3);
    assert_int_equal(hits[0].triangle, UINT32_MAX);
    assert_int_equal(hits[1].actor.id, 0);
    ct_physics_rays_any(f.world, rays, 3, &all, any);
    assert_true(any[0] && !any[1] && any[2]);
    ct_physics_hit two[2];
    assert_int_equal(ct_physics_ray_all(f.world, &rays[0], &all, two, 2), 2);
    assert_int_equal(two[0].actor.id, high.id);
    assert_int_equal(two[1].actor.id, low.id);
    assert_float_equal(two[1].distance, 9.5, 1e-3);
    assert_int_equal(ct_physics_ray_all(f.world, &rays[0], &all, two, 1), 1);
    assert_int_equal(two[0].actor.id, high.id);
    const ct_physics_ray none = {{{0, 0, 10}}, {{0, 0, -1}}, 0};
    assert_int_equal(ct_physics_rays(f.world, &none, 1, &all, hits), 0);
    stop_actors(&f);
}

static bool is_not(void *user, ct_actor a, ct_entity e) {
    const ct_entity *const refused = user;
    assert_int_not_equal(a.id, 0);
    return e.id != refused->id;
}

static void what_is_found_can_be_chosen(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor low = box_at(&f, 0, 0, 0, CT_ACTOR_STATIC);
    const ct_actor middle = box_at(&f, 0, 0, 3, CT_ACTOR_KEYFRAMED);
    const ct_actor high = box_at(&f, 0, 0, 6, CT_ACTOR_DYNAMIC);
    ct_entity refused = ct_actor_entity(f.world, high);
    const ct_physics_ray ray = ray_down(0, 0);
    const struct {
        ct_physics_find find;
        ct_actor expected;
    } cases[] = {
        {{.kinds = 0}, high},
        {{.kinds = CT_BULLET_FIND_STATIC}, low},
        {{.kinds = CT_BULLET_FIND_KINEMATIC}, middle},
        {{.except = high}, middle},
        {{.accepts = is_not, .user = &refused}, middle},
        {{.filter = ct_string_id32_of("default")}, high},
        {{.kinds = CT_BULLET_FIND_SENSORS}, {0}},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_physics_hit hit;
        ct_physics_rays(f.world, &ray, 1, &cases[i].find, &hit);
        assert_int_equal(hit.actor.id, cases[i].expected.id);
    }
    const ct_physics_find unknown = {.filter = ct_string_id32_of("nothing")};
    ct_physics_find_state find_state;
    ct_bullet_find bullet;
    assert_false(ct_physics_find_prepare(f.world, &unknown, &find_state, &bullet));
    ct_actor_set_scene_query_enabled(f.world, high, false);
    ct_physics_hit hit;
    ct_physics_rays(f.world, &ray, 1, &all, &hit);
    assert_int_equal(hit.actor.id, middle.id);
    stop_actors(&f);
}

static void sweeps_stop_at_what_they_meet(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor near = box_at(&f, 3, 0, 0, CT_ACTOR_STATIC);
    const ct_actor far = box_at(&f, 6, 0, 0, CT_ACTOR_STATIC);
    const ct_physics_volume volumes[] = {
        {.type = CT_ACTOR_SHAPE_BOX, .half_size = {{0.5f, 0.5f, 0.5f}}},
        {.type = CT_ACTOR_SHAPE_SPHERE, .radius = 0.5f},
        {.type = CT_ACTOR_SHAPE_CAPSULE, .radius = 0.5f, .height = 2},
        {.type = CT_ACTOR_SHAPE_CAPSULE, .radius = 0.5f, .height = 1}, // a sphere
    };
    const ct_rigid_pose from = {{{0, 0, 0}}, {{0, 0, 0, 1}}};
    for (uint32_t i = 0; i < CT_COUNT_OF(volumes); ++i) {
        ct_physics_hit hits[4];
        assert_int_equal(
            ct_physics_sweep(f.world, &volumes[i], from, ct_vec3_make(10, 0, 0), &all, hits, 1), 1);
        assert_int_equal(hits[0].actor.id, near.id);
        assert_float_equal(hits[0].distance, 2, 0.02);
        assert_float_equal(hits[0].normal.x, -1, 0.01);
        assert_int_equal(
            ct_physics_sweep(f.world, &volumes[i], from, ct_vec3_make(10, 0, 0), &all, hits, 4), 2);
        assert_int_equal(hits[1].actor.id, far.id);
        assert_float_equal(hits[1].distance, 5, 0.02);
        assert_int_equal(
            ct_physics_sweep(f.world, &volumes[i], from, ct_vec3_make(0, 10, 0), &all, hits, 4), 0);
    }
    stop_actors(&f);
}

static void overlaps_name_each_actor_once(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    ct_actor actors[30];
    for (uint32_t i = 0; i < 30; ++i)
        actors[i] = box_at(&f, (float)i, 0, 0, i % 2 ? CT_ACTOR_STATIC : CT_ACTOR_KEYFRAMED);
    const ct_physics_volume box = {.type = CT_ACTOR_SHAPE_BOX, .half_size = {{100, 0.25f, 0.25f}}};
    const ct_rigid_pose pose = {{{0, 0, 0.5f}}, {{0, 0, 0, 1}}};
    ct_physics_hit hits[64];
    assert_int_equal(ct_physics_overlap(f.world, &box, pose, &all, hits, 64), 30);
    for (uint32_t i = 0; i < 30; ++i) {
        assert_int_equal(hits[i].actor.id, actors[i].id);
        assert_float_equal(hits[i].distance, -0.25, 0.02);
    }
    assert_int_equal(ct_physics_overlap(f.world, &box, pose, &all, hits, 7), 7);
    assert_int_equal(hits[6].actor.id, actors[6].id);
    const ct_physics_volume small = {.type = CT_ACTOR_SHAPE_SPHERE, .radius = 0.1f};
    const ct_rigid_pose beside = {{{0, 3, 0}}, {{0, 0, 0, 1}}};
    assert_int_equal(ct_physics_overlap(f.world, &small, beside, &all, hits, 64), 0);
    stop_actors(&f);
}

static void the_closest_point_is_on_the_nearest_actor(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor near = box_at(&f, 3, 0, 0, CT_ACTOR_STATIC);
    box_at(&f, -5, 0, 0, CT_ACTOR_STATIC);
    ct_physics_hit hit;
    assert_true(ct_physics_closest_point(f.world, ct_vec3_make(0, 0.25f, 0), 10, &all, &hit));
    assert_int_equal(hit.actor.id, near.id);
    assert_float_equal(hit.distance, 2.5, 0.01);
    assert_float_equal(hit.position.x, 2.5, 0.01);
    assert_float_equal(hit.position.y, 0.25, 0.01);
    assert_false(ct_physics_closest_point(f.world, ct_vec3_make(0, 0, 0), 2, &all, &hit));
    assert_true(ct_physics_closest_point(f.world, ct_vec3_make(3, 0, 0), 2, &all, &hit));
    assert_true(hit.distance <= 0);
    stop_actors(&f);
}

// --- Drawing -------------------------------------------------------------------------------------

typedef struct drawn {
    uint32_t num_lines;
    float color[4];
} drawn;

static void count_line(void *user, ct_vec3 from, ct_vec3 to, const float color[4]) {
    drawn *const d = user;
    assert_true(ct_vec3_is_finite(from) && ct_vec3_is_finite(to));
    ++d->num_lines;
    for (uint32_t i = 0; i < 4; ++i)
        d->color[i] = color[i];
}

static void what_is_near_is_drawn(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    box_at(&f, 0, 0, 0, CT_ACTOR_STATIC);
    box_at(&f, 100, 0, 0, CT_ACTOR_STATIC);
    const ct_actor crate = box_at(&f, 0, 0, 0.99f, CT_ACTOR_DYNAMIC);
    run(&f, 5);
    drawn d = {.num_lines = 0};
    ct_physics_world_draw(f.world, CT_PHYSICS_DRAW_SHAPES, ct_vec3_make(0, 0, 0), 10, count_line,
                          &d);
    const uint32_t num_near = d.num_lines;
    assert_true(num_near >= 24); // the edges of two boxes
    assert_true(d.color[0] == 1 && d.color[1] == 1 && d.color[2] == 1);
    d.num_lines = 0;
    ct_physics_world_draw(f.world, CT_PHYSICS_DRAW_SHAPES, ct_vec3_make(0, 0, 0), 1000, count_line,
                          &d);
    assert_int_equal(d.num_lines, num_near / 2 * 3);
    d.num_lines = 0;
    ct_physics_world_draw(f.world, CT_PHYSICS_DRAW_CONTACTS, ct_vec3_make(0, 0, 0), 10, count_line,
                          &d);
    assert_int_equal(d.num_lines, 1);
    ct_bullet_body_sleep(ct_actor_bullet(f.world, crate));
    ct_physics_world_draw(f.world, CT_PHYSICS_DRAW_SHAPES, ct_vec3_make(0, 0, 0), 10, count_line,
                          &d);
    assert_float_equal(d.color[0], 0.5, 1e-6);
    stop_actors(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_find_the_nearest),
        cmocka_unit_test(what_is_found_can_be_chosen),
        cmocka_unit_test(sweeps_stop_at_what_they_meet),
        cmocka_unit_test(overlaps_name_each_actor_once),
        cmocka_unit_test(the_closest_point_is_on_the_nearest_actor),
        cmocka_unit_test(what_is_near_is_drawn),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
