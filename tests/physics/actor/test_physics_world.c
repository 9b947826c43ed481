// Actors of entities: falling, following, teleports, events.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "physics/actor/actor_fixture.h"

static bool is_near(float a, float b, float tolerance) {
    return fabsf(a - b) <= tolerance;
}

static void a_dynamic_actor_moves_its_entity(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity ground = make_entity(&f, 0, 0, -1), crate = make_entity(&f, 0, 0, 2);
    make_actor(&f, ground, CT_ACTOR_STATIC, box_shape(10, 10, 1));
    const ct_actor a = make_actor(&f, crate, CT_ACTOR_DYNAMIC, box_shape(0.5f, 0.5f, 0.5f));
    run(&f, 10);
    assert_true(position_of(&f, crate).z < 2 && position_of(&f, crate).z > 1.5f);
    run(&f, 300);
    assert_true(is_near(position_of(&f, crate).z, 0.5f, 0.01f));
    assert_true(ct_bullet_body_is_asleep(ct_actor_bullet(f.world, a)));
    assert_int_equal(ct_actor_first(f.world, crate).id, a.id);
    stop_actors(&f);
}

static void poses_between_steps_are_interpolated(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity ball = make_entity(&f, 0, 0, 0);
    const ct_actor a = make_actor(&f, ball, CT_ACTOR_DYNAMIC, box_shape(1, 1, 1));
    ct_actor_set_gravity_enabled(f.world, a, false);
    ct_bullet_body_set_velocity(ct_actor_bullet(f.world, a), (ct_vec3){{6, 0, 0}});
    // Two and a half steps: the entity is half a step before the second.
    ct_physics_world_update(f.world, 2.5 * STEP);
    assert_true(is_near(ct_actor_pose(f.world, a).position.x, 0.2f, 1e-4f));
    assert_true(is_near(position_of(&f, ball).x, 0.15f, 1e-4f));
    ct_physics_world_update(f.world, 0.25 * STEP);
    assert_true(is_near(position_of(&f, ball).x, 0.175f, 1e-4f));
    ct_physics_world_update(f.world, 0);
    assert_true(is_near(position_of(&f, ball).x, 0.175f, 1e-4f));
    stop_actors(&f);
}

static void a_moved_entity_teleports_its_actor(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity crate = make_entity(&f, 0, 0, 10);
    const ct_actor a = make_actor(&f, crate, CT_ACTOR_DYNAMIC, box_shape(1, 1, 1));
    run(&f, 30);
    const float speed = ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).z;
    place(&f, crate, 100, 0, 10);
    ct_physics_world_update(f.world, 0.5 * STEP);
    // Not on the way from where it was.
    assert_true(is_near(position_of(&f, crate).x, 100, 1e-3f));
    run(&f, 1);
    assert_true(is_near(position_of(&f, crate).x, 100, 1e-3f));
    assert_true(ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).z <= speed);
    stop_actors(&f);
}

static void a_kinematic_actor_follows_with_velocity(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity platform = make_entity(&f, 0, 0, 0);
    const ct_actor a = make_actor(&f, platform, CT_ACTOR_KEYFRAMED, box_shape(1, 1, 0.1f));
    for (uint32_t i = 1; i <= 20; ++i) {
        place(&f, platform, (float)i * 0.05f, 0, 0);
        run(&f, 1);
    }
    assert_true(is_near(ct_actor_pose(f.world, a).position.x, 1, 1e-4f));
    assert_true(is_near(ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).x, 3, 0.01f));
    run(&f, 3);
    assert_true(ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).x == 0);
    assert_true(is_near(position_of(&f, platform).x, 1, 1e-4f));
    // Several steps in an update share the way.
    place(&f, platform, 2, 0, 0);
    ct_physics_world_update(f.world, 4 * STEP);
    assert_true(is_near(ct_actor_pose(f.world, a).position.x, 2, 1e-4f));
    assert_true(is_near(ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).x, 15, 0.1f));
    stop_actors(&f);
}

// A platform that goes 3 m in three steps throws the crate that is on its way.
static void a_kinematic_actor_that_jumps_pushes_nothing(void **state) {
    (void)state;
    for (uint32_t jumps = 0; jumps < 2; ++jumps) {
        actor_fixture f = start_actors();
        const ct_entity platform = make_entity(&f, 0, 0, 0), crate = make_entity(&f, 1.5f, 0, 0);
        const ct_actor a =
            make_actor(&f, platform, CT_ACTOR_KINEMATIC, box_shape(0.5f, 0.5f, 0.5f));
        const ct_actor pushed =
            make_actor(&f, crate, CT_ACTOR_DYNAMIC, box_shape(0.5f, 0.5f, 0.5f));
        ct_actor_set_gravity_enabled(f.world, pushed, false);
        run(&f, 1);
        const uint32_t teleports = ct_actor_teleports(f.world, a);
        place(&f, platform, 3, 0, 0);
        if (jumps)
            ct_actors_jump(f.world, platform);
        ct_physics_world_update(f.world, 3 * STEP);
        run(&f, 1);
        assert_true(is_near(ct_actor_pose(f.world, a).position.x, 3, 1e-4f));
        assert_int_equal(ct_actor_teleports(f.world, a), teleports + jumps);
        const float speed =
            ct_vec3_length(ct_bullet_body_velocity(ct_actor_bullet(f.world, pushed)));
        assert_true(jumps ? speed == 0 : speed > 20);
        ct_actors_jump(f.world, crate); // dynamic ones stay as they are
        assert_true(
            is_near(ct_vec3_length(ct_bullet_body_velocity(ct_actor_bullet(f.world, pushed))),
                    speed, 1e-6f));
        stop_actors(&f);
    }
}

static uint32_t count_events(const actor_fixture *f, uint32_t kind) {
    uint32_t count, found = 0;
    const ct_physics_event *const events = ct_physics_world_events(f->world, &count);
    for (uint32_t i = 0; i < count; ++i)
        found += events[i].kind == kind;
    return found;
}

static void touches_begin_and_end_once(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity ground = make_entity(&f, 0, 0, -1), crate = make_entity(&f, 0, 0, 0.6f);
    make_actor(&f, ground, CT_ACTOR_STATIC, box_shape(10, 10, 1));
    const ct_actor a = make_actor(&f, crate, CT_ACTOR_DYNAMIC, box_shape(0.5f, 0.5f, 0.5f));
    uint32_t begun = 0, ended = 0;
    for (uint32_t i = 0; i < 300; ++i) { // it falls asleep on the way
        run(&f, 1);
        begun += count_events(&f, CT_PHYSICS_TOUCH_BEGIN);
        ended += count_events(&f, CT_PHYSICS_TOUCH_END);
    }
    assert_true(ct_bullet_body_is_asleep(ct_actor_bullet(f.world, a)));
    assert_int_equal(begun, 1);
    assert_int_equal(ended, 0);
    // Woken on the spot, it goes on; teleported away, it ends.
    ct_bullet_body_wake(ct_actor_bullet(f.world, a));
    for (uint32_t i = 0; i < 300; ++i) {
        run(&f, 1);
        begun += count_events(&f, CT_PHYSICS_TOUCH_BEGIN);
        ended += count_events(&f, CT_PHYSICS_TOUCH_END);
    }
    assert_int_equal(begun, 1);
    assert_int_equal(ended, 0);
    place(&f, crate, 0, 0, 50);
    for (uint32_t i = 0; i < 5; ++i) {
        run(&f, 1);
        ended += count_events(&f, CT_PHYSICS_TOUCH_END);
    }
    assert_int_equal(ended, 1);
    stop_actors(&f);
}

static void touches_of_ended_actors_end(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity ground = make_entity(&f, 0, 0, -1), crate = make_entity(&f, 0, 0, 0.5f);
    make_actor(&f, ground, CT_ACTOR_STATIC, box_shape(10, 10, 1));
    for (uint32_t sleeps = 0; sleeps < 2; ++sleeps) {
        const ct_actor a = make_actor(&f, crate, CT_ACTOR_DYNAMIC, box_shape(0.5f, 0.5f, 0.5f));
        run(&f, sleeps ? 300 : 30);
        assert_int_equal(ct_bullet_body_is_asleep(ct_actor_bullet(f.world, a)), sleeps);
        ct_actor_destroy(f.world, a);
        assert_false(ct_actor_is_alive(f.world, a));
        run(&f, 1);
        assert_int_equal(count_events(&f, CT_PHYSICS_TOUCH_END), 1);
        uint32_t count;
        assert_true(ct_entity_equal(ct_physics_world_events(f.world, &count)[0].entity_b, crate) ||
                    ct_entity_equal(ct_physics_world_events(f.world, &count)[0].entity_a, crate));
        run(&f, 1);
        assert_int_equal(count_events(&f, CT_PHYSICS_TOUCH_END), 0);
    }
    stop_actors(&f);
}

static void triggers_tell_what_enters_and_leaves(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity gate = make_entity(&f, 0, 0, 0), ball = make_entity(&f, 0, 0, 4);
    const ct_trigger_data data = {.is_enabled = 1};
    const ct_actor_data trigger = ct_trigger_actor_data(&data);
    const ct_actor_shape_data box = box_shape(2, 2, 1);
    const ct_actor t = ct_actor_create(
        f.world,
        &(ct_actor_desc){
            .entity = gate, .data = &trigger, .shapes = &box, .num_shapes = 1, .is_trigger = true},
        NULL);
    const ct_actor b = make_actor(&f, ball, CT_ACTOR_DYNAMIC, box_shape(0.2f, 0.2f, 0.2f));
    uint32_t entered = 0, left = 0;
    for (uint32_t i = 0; i < 120; ++i) {
        run(&f, 1);
        uint32_t count;
        const ct_physics_event *const events = ct_physics_world_events(f.world, &count);
        for (uint32_t k = 0; k < count; ++k) {
            assert_int_equal(events[k].a.id, t.id);
            assert_int_equal(events[k].b.id, b.id);
        }
        entered += count_events(&f, CT_PHYSICS_TRIGGER_ENTER);
        left += count_events(&f, CT_PHYSICS_TRIGGER_LEAVE);
    }
    assert_int_equal(entered, 1);
    assert_int_equal(left, 1);
    stop_actors(&f);
}

static void children_follow_a_dynamic_parent(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity crate = make_entity(&f, 0, 0, 10), arm = make_entity(&f, 2, 0, 0);
    make_actor(&f, crate, CT_ACTOR_DYNAMIC, box_shape(0.5f, 0.5f, 0.5f));
    assert_true(ct_transform_link(f.transforms, ct_transform_lookup(f.transforms, arm),
                                  ct_transform_lookup(f.transforms, crate)));
    const ct_actor follower = make_actor(&f, arm, CT_ACTOR_KEYFRAMED, box_shape(0.1f, 0.1f, 0.1f));
    run(&f, 60);
    const float height = position_of(&f, crate).z;
    assert_true(height < 6);
    assert_true(is_near(ct_actor_pose(f.world, follower).position.z, height, 0.2f));
    assert_true(is_near(ct_actor_pose(f.world, follower).position.x, 2, 0.01f));
    stop_actors(&f);
}

static void time_beyond_the_most_steps_is_left_out(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity ball = make_entity(&f, 0, 0, 0);
    const ct_actor a = make_actor(&f, ball, CT_ACTOR_DYNAMIC, box_shape(1, 1, 1));
    ct_physics_world_update(f.world, 10);
    // Four steps, not six hundred.
    const float speed = ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).z;
    assert_true(is_near(speed, -4 * 9.82f / 60, 0.01f));
    ct_physics_world_update(f.world, 0);
    assert_true(is_near(ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).z, speed, 1e-6f));
    stop_actors(&f);
}

static void ids_are_not_reused(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity e = make_entity(&f, 0, 0, 0);
    const ct_actor first = make_actor(&f, e, CT_ACTOR_STATIC, box_shape(1, 1, 1));
    ct_actor_destroy(f.world, first);
    const ct_actor second = make_actor(&f, e, CT_ACTOR_STATIC, box_shape(1, 1, 1));
    assert_int_not_equal(first.id, second.id);
    assert_false(ct_actor_is_alive(f.world, first));
    assert_null(ct_actor_bullet(f.world, first));
    assert_int_equal(ct_actor_count(f.world), 1);
    stop_actors(&f);
}

static void a_scale_out_of_range_is_an_error(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity e = make_entity(&f, 0, 0, 0);
    ct_transform_set_local_scale(f.transforms, ct_transform_lookup(f.transforms, e),
                                 ct_vec3_make(1, 2e6f, 1));
    const ct_actor_data data = actor_data(CT_ACTOR_STATIC);
    const ct_actor_shape_data plane = {.type = CT_ACTOR_SHAPE_PLANE, .rotation = {0, 0, 0, 1}};
    ct_error error = {0};
    const ct_actor a = ct_actor_create(
        f.world, &(ct_actor_desc){.entity = e, .data = &data, .shapes = &plane, .num_shapes = 1},
        &error);
    assert_int_equal(a.id, 0);
    assert_non_null(strstr(error.message, "a scale of 1,000,000 or more"));
    stop_actors(&f);
}

static void bad_shapes_are_errors(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity e = make_entity(&f, 0, 0, 0);
    const ct_actor_data data = actor_data(CT_ACTOR_DYNAMIC);
    const ct_actor_shape_data shapes[] = {
        box_shape(0, 1, 1),
        {.type = CT_ACTOR_SHAPE_PLANE, .rotation = {0, 0, 0, 1}},
        {.type = CT_ACTOR_SHAPE_MESH, .rotation = {0, 0, 0, 1}, .resource = {17}},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(shapes); ++i) {
        ct_error error = {0};
        const ct_actor a = ct_actor_create(
            f.world,
            &(ct_actor_desc){.entity = e, .data = &data, .shapes = &shapes[i], .num_shapes = 1},
            &error);
        assert_int_equal(a.id, 0);
        assert_true(error.message[0] != 0);
    }
    assert_int_equal(ct_actor_count(f.world), 0);
    stop_actors(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dynamic_actor_moves_its_entity),
        cmocka_unit_test(poses_between_steps_are_interpolated),
        cmocka_unit_test(a_moved_entity_teleports_its_actor),
        cmocka_unit_test(a_kinematic_actor_follows_with_velocity),
        cmocka_unit_test(a_kinematic_actor_that_jumps_pushes_nothing),
        cmocka_unit_test(touches_begin_and_end_once),
        cmocka_unit_test(touches_of_ended_actors_end),
        cmocka_unit_test(triggers_tell_what_enters_and_leaves),
        cmocka_unit_test(children_follow_a_dynamic_parent),
        cmocka_unit_test(time_beyond_the_most_steps_is_left_out),
        cmocka_unit_test(ids_are_not_reused),
        cmocka_unit_test(bad_shapes_are_errors),
        cmocka_unit_test(a_scale_out_of_range_is_an_error),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
