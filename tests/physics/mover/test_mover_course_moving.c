// The stations of the course that move: platforms, crates, walls that push; and crouching.
#include "foundation/math/math.h"
#include "physics/mover/course_check.h"

// --- Platforms -----------------------------------------------------------------------------------

static void is_carried_sideways(void **state) {
    (void)state;
    course_world *const w = course_start("platform sideways");
    course_go(w, 0, 0, 1);
    const course_walk walk = course_go(w, 0, 0, 119);
    course_expect(w, 2.975f, 0.9917f, 0.02f, 0.01f);
    assert_int_equal(walk.frames_down, 119);
    course_close(w);
}

static void walks_on_what_carries_it(void **state) {
    (void)state;
    course_world *const w = course_start("platform sideways");
    course_go(w, 0, 0, 1);
    course_go(w, -1, -0.5f, 60);
    course_expect(w, 0.5f, 0, 0.02f, 0.01f);
    course_close(w);
}

static void is_lifted(void **state) {
    (void)state;
    course_world *const w = course_start("platform rising");
    const course_walk walk = course_go(w, 0, 0, 120);
    course_expect(w, 0, 0, 4.02f, 0.02f);
    assert_int_equal(walk.frames_down, 120);
    course_close(w);
}

static void steps_up_on_a_rising_platform(void **state) {
    (void)state;
    course_world *const w = course_start("platform with step");
    course_move(w, &w->mover, &w->fall, ct_vec3_make(0, 0, 0));
    course_go(w, 0, 2, 60);
    course_expect(w, 0, 2, 2 + 0.31f, 0.03f);
    course_close(w);
}

static void sinks_with_the_ground(void **state) {
    (void)state;
    course_world *const w = course_start("platform sinking");
    w->find.kinds = CT_BULLET_FIND_SOLID;
    // It stands before the platform starts.
    course_move(w, &w->mover, &w->fall, ct_vec3_make(0, 0, 0));
    const course_walk walk = course_go(w, 0, 0, 60);
    course_expect(w, 0, 0, -3.98f, 0.02f);
    assert_int_equal(walk.frames_down, 60);
    course_close(w);
}

static void is_turned_with_the_ground(void **state) {
    (void)state;
    course_world *const w = course_start("platform turning");
    course_move(w, &w->mover, &w->fall, ct_vec3_make(0, 0, 0));
    float turned = 0;
    for (uint32_t i = 0; i < 120; ++i) {
        course_go(w, 0, 0, 1);
        turned += w->mover.contacts.turned;
    }
    course_expect(w, -2, 2, 0.02f, 0.01f);
    course_expect_near("the angle", turned, 1.5708f, 0.01f);
    course_close(w);
}

static void is_crushed_between_platform_and_ceiling(void **state) {
    (void)state;
    course_world *const w = course_start("platform crushing");
    for (uint32_t i = 0; i < 55; ++i)
        course_frame(w, ct_vec3_make(0, 0, 0));
    course_expect(w, 0, 0, 0.69f, 0.015f);
    uint32_t id;
    ct_vec3 moved;
    assert_true(ct_mover_separate(w->bullet, w->tools, &w->find, &w->mover, 0.05f, &id, &moved));
    assert_int_equal(id, 0);
    course_close(w);
}

// --- Bodies that push ----------------------------------------------------------------------------

static void is_pushed_by_a_kinematic_wall(void **state) {
    (void)state;
    course_world *const w = course_start("kinematic wall");
    const course_walk walk = course_go(w, 0, 0, 120);
    course_expect(w, 0, 1.66f, 0.02f, 0.004f);
    assert_int_equal(walk.frames_down, 120);
    // Evenly, not by jumps.
    assert_true(walk.most_step < 1.5f / 60);
    course_close(w);
}

static void is_not_pushed_through_a_wall(void **state) {
    (void)state;
    course_world *const w = course_start("crushing wall");
    for (uint32_t i = 0; i < 130; ++i)
        course_frame(w, ct_vec3_make(0, 0, 0));
    course_expect(w, 0, 1.58f, 0.02f, 0.02f);
    uint32_t id;
    ct_vec3 moved;
    assert_true(ct_mover_separate(w->bullet, w->tools, &w->find, &w->mover, 0.1f, &id, &moved));
    assert_int_equal(id, 2);
    assert_true(w->mover.position.y < 1.6f);
    course_close(w);
}

static void separates_when_there_is_room(void **state) {
    (void)state;
    course_world *const w = course_start("block");
    uint32_t id;
    ct_vec3 moved;
    assert_true(ct_mover_separate(w->bullet, w->tools, &w->find, &w->mover, 1, &id, &moved));
    assert_int_equal(id, UINT32_MAX);
    course_expect(w, 0, -0.2f, 0.02f, 0.005f);
    course_expect_near("the way", moved.y, -0.2f, 0.005f);
    assert_false(ct_mover_separate(w->bullet, w->tools, &w->find, &w->mover, 1, &id, &moved));
    course_place(w, 0, 0, 0.02f);
    assert_true(ct_mover_separate(w->bullet, w->tools, &w->find, &w->mover, 0.1f, &id, &moved));
    assert_int_equal(id, 1);
    course_close(w);
}

// --- Crates --------------------------------------------------------------------------------------

static float body_y(const course_world *w, uint32_t id) {
    return ct_bullet_body_pose(w->bodies[id]).position.y;
}

static void pushes_a_crate(void **state) {
    (void)state;
    course_world *const w = course_start("crate");
    const course_walk walk = course_go(w, 0, 2, 120);
    course_expect(w, 0, 3.9f, 0.02f, 0.2f);
    course_expect_near("the crate", body_y(w, 1), course_position(w).y + 0.92f, 0.1f);
    assert_int_equal(walk.frames_down, 120);
    course_close(w);
}

static void does_not_push_a_crate_too_heavy(void **state) {
    (void)state;
    course_world *const w = course_start("crate too heavy");
    course_go(w, 0, 2, 120);
    course_expect(w, 0, 1.08f, 0.02f, 0.01f);
    course_expect_near("the crate", body_y(w, 1), 2, 0.01f);
    course_close(w);
}

static void steps_onto_a_dynamic_body(void **state) {
    (void)state;
    course_world *const w = course_start("raft");
    course_go(w, 0, 2, 90);
    course_expect(w, 0, 3, 0.22f, 0.05f);
    assert_int_equal(w->mover.contacts.ground, 1);
    const course_walk walk = course_go(w, 0, 0, 120);
    assert_int_equal(walk.frames_down, 120);
    course_expect(w, 0, 3, 0.22f, 0.05f);
    course_close(w);
}

static void rides_on_a_dynamic_body(void **state) {
    (void)state;
    course_world *const w = course_start("raft");
    course_place(w, 0, 3, 0.22f);
    course_go(w, 0, 0, 10);
    ct_bullet_body_set_material(w->bodies[1], 0, 0, 0, 0);
    ct_bullet_body_set_velocity(w->bodies[1], ct_vec3_make(0, 1, 0));
    course_go(w, 0, 0, 60);
    const float moved = body_y(w, 1) - 3;
    assert_true(moved > 0.9f);
    course_expect(w, 0, 3 + moved, 0.22f, 0.02f);
    course_close(w);
}

static void lets_its_ground_sleep_when_it_weighs_nothing(void **state) {
    (void)state;
    course_world *const w = course_start("raft");
    ct_mover_shape shape = course_mover_shape(w->up);
    shape.mass = 0;
    ct_mover_tools_set(w->tools, &shape);
    course_place(w, 0, 3, 0.22f);
    course_go(w, 0, 0, 300);
    assert_true(ct_bullet_body_is_asleep(w->bodies[1]));
    course_close(w);
}

// --- Crouching -----------------------------------------------------------------------------------

static void crouches_where_there_is_no_room_to_stand(void **state) {
    (void)state;
    course_world *const w = course_start("crawl");
    ct_mover_shape shape = course_mover_shape(w->up);
    shape.height = 1;
    ct_mover_tools *const standing = w->tools;
    ct_mover_tools *const crouching = ct_mover_tools_create(test_heap(), &shape);
    ct_vec3 found;
    course_go(w, 0, 2, 60);
    assert_true(ct_mover_fits_at(w->bullet, crouching, &w->find, w->mover.position, 0, &found));
    assert_memory_equal(&found, &w->mover.position, sizeof(found));
    w->tools = crouching;
    course_go(w, 0, 2, 90);
    course_expect(w, 0, 5, 0.02f, 0.005f);
    assert_false(ct_mover_fits_at(w->bullet, standing, &w->find, w->mover.position, 0, &found));
    assert_false(ct_mover_fits_at(w->bullet, standing, &w->find, w->mover.position, 0.5f, &found));
    course_go(w, 0, 2, 90);
    assert_true(ct_mover_fits_at(w->bullet, standing, &w->find, w->mover.position, 0, &found));
    w->tools = standing;
    course_go(w, 0, 2, 30);
    course_expect(w, 0, 9, 0.02f, 0.005f);
    ct_mover_tools_destroy(crouching);
    course_close(w);
}

static void finds_room_beside(void **state) {
    (void)state;
    course_world *const w = course_start("block");
    const ct_vec3 wanted = w->mover.position;
    ct_vec3 found = {{7, 7, 7}};
    assert_false(ct_mover_fits_at(w->bullet, w->tools, &w->find, wanted, 0.1f, &found));
    assert_true(found.x == 7);
    assert_true(ct_mover_fits_at(w->bullet, w->tools, &w->find, wanted, 0.3f, &found));
    course_expect_near("the place", found.y, -0.2f, 0.005f);
    course_close(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_carried_sideways),
        cmocka_unit_test(walks_on_what_carries_it),
        cmocka_unit_test(is_lifted),
        cmocka_unit_test(steps_up_on_a_rising_platform),
        cmocka_unit_test(sinks_with_the_ground),
        cmocka_unit_test(is_turned_with_the_ground),
        cmocka_unit_test(is_crushed_between_platform_and_ceiling),
        cmocka_unit_test(is_pushed_by_a_kinematic_wall),
        cmocka_unit_test(is_not_pushed_through_a_wall),
        cmocka_unit_test(separates_when_there_is_room),
        cmocka_unit_test(pushes_a_crate),
        cmocka_unit_test(does_not_push_a_crate_too_heavy),
        cmocka_unit_test(steps_onto_a_dynamic_body),
        cmocka_unit_test(rides_on_a_dynamic_body),
        cmocka_unit_test(lets_its_ground_sleep_when_it_weighs_nothing),
        cmocka_unit_test(crouches_where_there_is_no_room_to_stand),
        cmocka_unit_test(finds_room_beside),
    };
    return cmocka_run_group_tests(tests, course_setup, course_teardown);
}
