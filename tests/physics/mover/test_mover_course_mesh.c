// The stations of the course that are made of triangles: no edge inside a surface stops a mover.
#include "physics/mover/course_check.h"

static void walks_over_the_edges_of_a_mesh_floor(void **state) {
    (void)state;
    course_world *const w = course_start("mesh floor");
    course_go(w, 1.3f, 3, 1);
    const course_walk walk = course_go(w, 1.3f, 3, 119);
    course_expect(w, 2.6f, 6, 0.02f, 0.003f);
    assert_int_equal(walk.frames_down, 119);
    assert_int_equal(walk.frames_sides, 0);
    course_expect_near("the highest position", walk.most_z, 0.02f, 0.003f);
    course_expect_near("the lowest position", walk.least_z, 0.02f, 0.003f);
    course_expect_near("the least step", walk.least_step, 0.054493f, 1e-4f);
    assert_int_equal(walk.most_sweeps, 2);
    course_close(w);
}

static void falls_at_100_metres_a_second_onto_a_mesh_floor(void **state) {
    (void)state;
    course_world *const w = course_start("mesh floor");
    course_place(w, 0.1f, 0.3f, 20);
    w->fall = 100;
    course_go(w, 0, 0, 20);
    course_expect(w, 0.1f, 0.3f, 0.02f, 0.003f);
    course_close(w);
}

static void walks_over_a_hill(void **state) {
    (void)state;
    course_world *const w = course_start("mesh hill");
    const course_walk walk = course_go(w, 0, 3, 240);
    course_expect(w, 0, 12, 0.02f, 0.01f);
    assert_int_equal(walk.frames_down, 240);
    assert_int_equal(walk.frames_sides, 0);
    course_expect_near("the least step", walk.least_step, 0.05f, 1e-3f);
    course_expect_near("the greatest step", walk.most_step, 0.05f, 1e-3f);
    course_close(w);
}

static void walks_across_a_hill(void **state) {
    (void)state;
    course_world *const w = course_start("mesh hill");
    course_place(w, -2, 3.5f, 0.7f);
    course_go(w, 0, 0, 30);
    const course_walk walk = course_go(w, 2, 0.3f, 120);
    // 20 degrees: z is that of the plane, and what the sphere is above it.
    course_expect(w, 2, 4.1f, 0.7643f + 0.0470f, 0.01f);
    assert_int_equal(walk.frames_sides, 0);
    assert_int_equal(walk.frames_down, 120);
    course_close(w);
}

static void walks_over_a_ridge(void **state) {
    (void)state;
    course_world *const w = course_start("mesh ridge");
    const course_walk walk = course_go(w, 0.2f, 3, 240);
    course_expect(w, 0.8f, 12, 0.02f, 0.01f);
    assert_int_equal(walk.frames_down, 240);
    assert_int_equal(walk.frames_sides, 0);
    course_close(w);
}

static void climbs_stairs_of_triangles(void **state) {
    (void)state;
    course_world *const w = course_start("mesh stairs");
    const course_walk up = course_go(w, 0, 2, 180);
    course_expect(w, 0, 6, 1.27f, 0.02f);
    assert_int_equal(up.frames_down, 180);
    const course_walk down = course_go(w, 0, -2, 180);
    course_expect(w, 0, 0, 0.02f, 0.02f);
    assert_int_equal(down.frames_down, 180);
    course_close(w);
}

static void slides_along_a_wall_of_triangles(void **state) {
    (void)state;
    course_world *const w = course_start("mesh wall");
    course_place(w, -5, 2, 0.02f);
    course_go(w, 2, 1.5f, 60);
    const course_walk walk = course_go(w, 2, 1.5f, 180);
    course_expect(w, 3, 2.58f, 0.02f, 0.01f);
    course_expect_near("the least step", walk.least_step, 2.0f / 60, 5e-4f);
    course_expect_near("the greatest step", walk.most_step, 2.0f / 60, 5e-4f);
    assert_int_equal(walk.frames_down, 180);
    course_close(w);
}

static void stands_still_against_a_wall_of_triangles(void **state) {
    (void)state;
    course_world *const w = course_start("mesh wall");
    course_go(w, 0, 3, 90);
    const course_walk walk = course_go(w, 0, 3, 60);
    assert_true(walk.most_change < 1e-3f);
    course_expect(w, 0, 2.58f, 0.02f, 0.01f);
    course_close(w);
}

static void walks_over_bumps(void **state) {
    (void)state;
    course_world *const w = course_start("bumps");
    course_place(w, 0, 0, 0.4f);
    course_go(w, 0, 0, 30);
    const course_walk walk = course_go(w, 0, 3, 240);
    const ct_vec3 p = course_position(w);
    course_expect(w, 0, 12, p.z, 0.1f);
    assert_true(walk.least_z > 0 && walk.most_z < 0.4f);
    assert_int_equal(walk.frames_down, 240);
    assert_int_equal(walk.frames_sides, 0);
    course_close(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_over_the_edges_of_a_mesh_floor),
        cmocka_unit_test(falls_at_100_metres_a_second_onto_a_mesh_floor),
        cmocka_unit_test(walks_over_a_hill),
        cmocka_unit_test(walks_across_a_hill),
        cmocka_unit_test(walks_over_a_ridge),
        cmocka_unit_test(climbs_stairs_of_triangles),
        cmocka_unit_test(slides_along_a_wall_of_triangles),
        cmocka_unit_test(stands_still_against_a_wall_of_triangles),
        cmocka_unit_test(walks_over_bumps),
    };
    return cmocka_run_group_tests(tests, course_setup, course_teardown);
}
