// The stations of the course that stand still: steps, ramps, walls, ceilings, edges.
//
// Bullet rounds the edges of boxes by a margin of 4 cm: what only touches an edge comes up to 17 mm
// nearer than to a sharp one.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/course_check.h"

// --- Ground and steps ----------------------------------------------------------------------------

static void walks_on_flat_ground_with_two_sweeps(void **state) {
    (void)state;
    course_world *const w = course_start("flat");
    course_go(w, 0, 2, 1);
    const course_walk walk = course_go(w, 0, 2, 59);
    course_expect(w, 0, 2, 0.02f, 0.002f);
    assert_int_equal(walk.frames_down, 59);
    assert_int_equal(walk.frames_sides, 0);
    assert_int_equal(walk.most_sweeps, 2);
    assert_int_equal(w->mover.standing_frames, 60);
    assert_int_equal(w->mover.flying_frames, 0);
    assert_int_equal(w->mover.contacts.ground, 0);
    course_expect_near("the slope", w->mover.contacts.ground_slope, 0, 0.01f);
    course_close(w);
}

static void keeps_its_bits_while_it_stands(void **state) {
    (void)state;
    const char *const stations[] = {"flat", "mesh floor", "ramp easy", "inner corner", "stairs"};
    for (uint32_t i = 0; i < CT_COUNT_OF(stations); ++i) {
        course_world *const w = course_start(stations[i]);
        course_go(w, 1, 2.3f, 75);
        course_go(w, 0, 0, 5);
        const ct_vec3 before = w->mover.position;
        course_go(w, 0, 0, 60);
        assert_memory_equal(&before, &w->mover.position, sizeof(before));
        course_close(w);
    }
}

static void walks_up_stairs(void **state) {
    (void)state;
    course_world *const w = course_start("stairs");
    const course_walk walk = course_go(w, 0, 1.5f, 240);
    course_expect(w, 0, 6, 1.62f, 0.02f);
    assert_int_equal(walk.frames_down, 240);
    course_close(w);
}

static void walks_slowly_up_stairs(void **state) {
    (void)state;
    course_world *const w = course_start("stairs");
    const course_walk walk = course_go(w, 0, 0.3f, 1200);
    course_expect(w, 0, 6, 1.62f, 0.02f);
    assert_int_equal(walk.frames_down, 1200);
    course_close(w);
}

static void walks_down_stairs_and_stays_on_them(void **state) {
    (void)state;
    course_world *const w = course_start("stairs");
    course_place(w, 0, 7, 1.62f);
    const course_walk walk = course_go(w, 0, -1.5f, 240);
    course_expect(w, 0, 1, 0.02f, 0.01f);
    assert_int_equal(walk.frames_down, 240);
    assert_int_equal(walk.frames_sides, 0);
    course_close(w);
}

static void stops_at_a_step_too_high(void **state) {
    (void)state;
    course_world *const w = course_start("step too high");
    const course_walk walk = course_go(w, 0, 2, 120);
    course_expect(w, 0, 2.5876f, 0.02f, 0.02f);
    assert_int_equal(walk.frames_down, 120);
    assert_true(walk.frames_sides > 30);
    course_close(w);
}

static void climbs_a_step_that_just_fits(void **state) {
    (void)state;
    course_world *const w = course_start("step just fits");
    course_go(w, 0, 2, 120);
    course_expect(w, 0, 4, 0.31f, 0.03f);
    course_close(w);
}

static void climbs_turning_stairs(void **state) {
    (void)state;
    course_world *const w = course_start("spiral");
    course_place(w, -0.1874f, -0.8452f, 0.02f); // 25 degrees before the first step
    for (uint32_t i = 0; i < 600; ++i) {
        const ct_vec3 p = course_position(w);
        const float x = p.x + 2, y = p.y, radius = sqrtf(x * x + y * y);
        if (atan2f(y, x) < -1 || atan2f(y, x) > 3.1f)
            break;
        // Along the circle, and back to it.
        const float out = 2 - radius;
        course_go(w, (-y * 1.5f + x * out) / radius, (x * 1.5f + y * out) / radius, 1);
        assert_true(w->mover.contacts.down);
    }
    course_expect(w, -4, 0.08f, 1.82f, 0.1f);
    course_close(w);
}

static void walks_over_a_gap_narrower_than_itself(void **state) {
    (void)state;
    course_world *const w = course_start("gap in floor");
    const course_walk walk = course_go(w, 0, 2, 180);
    course_expect(w, 0, 6, 0.02f, 0.02f);
    assert_true(walk.least_z > -0.02f);
    assert_int_equal(walk.frames_down, 180);
    course_close(w);
}

static void falls_off_a_ledge(void **state) {
    (void)state;
    course_world *const w = course_start("ledge");
    const course_walk walk = course_go(w, 0, 2, 180);
    course_expect(w, 0, 6, -1.98f, 0.02f);
    // 2 m take 0.64 s; the edge lets go of it a little later.
    assert_in_range(180 - walk.frames_down, 30, 42);
    course_close(w);
}

static void does_not_land_on_an_edge_beside_it(void **state) {
    (void)state;
    course_world *const w = course_start("ledge");
    course_place(w, 0, 2.34f, 0.8f); // 0.34 m of its radius are beside the edge
    course_go(w, 0, 0, 120);
    course_expect(w, 0, 2.4f, -1.98f, 0.05f);
    course_place(w, 0, 2.2f, 0.8f);
    w->fall = 0;
    w->mover.contacts.down = false;
    course_go(w, 0, 0, 120);
    course_expect(w, 0, 2.2f, -0.05f, 0.05f);
    course_close(w);
}

// --- Ramps ---------------------------------------------------------------------------------------

static void climbs_a_ramp_below_the_limit_at_full_speed_on_the_map(void **state) {
    (void)state;
    course_world *const w = course_start("ramp below limit");
    const course_walk walk = course_go(w, 0, 2, 90);
    course_expect(w, 0, 3, 1.1715f, 0.02f);
    assert_int_equal(walk.frames_down, 90);
    course_expect_near("the slope", w->mover.contacts.ground_slope, 0.7767f, 0.01f);
    course_close(w);
}

static void stops_at_a_ramp_above_the_limit(void **state) {
    (void)state;
    course_world *const w = course_start("ramp above limit");
    const course_walk walk = course_go(w, 0, 2, 120);
    course_expect(w, 0, 1.8239f, 0.02f, 0.02f);
    assert_int_equal(walk.frames_down, 120);
    assert_true(walk.frames_sides > 30);
    course_close(w);
}

static void slides_down_a_ramp_too_steep(void **state) {
    (void)state;
    course_world *const w = course_start("ramp steep");
    course_place(w, 0, 4, 4.5f);
    course_go(w, 0, 0, 240);
    course_expect(w, 0, 1.7575f, 0.02f, 0.03f);
    assert_true(w->mover.contacts.down);
    course_close(w);
}

static void does_not_climb_a_ramp_too_steep_by_jumping(void **state) {
    (void)state;
    course_world *const w = course_start("ramp steep");
    course_go(w, 0, 2, 60);
    float most_z = 0;
    for (uint32_t i = 0; i < 5; ++i) {
        w->fall = -2;
        most_z = fmaxf(most_z, course_go(w, 0, 2, 60).most_z);
    }
    // As high as it jumps on flat ground.
    course_expect_near("the highest position", most_z, 0.02f + 0.2039f, 0.02f);
    course_close(w);
}

static void stays_on_a_ramp_on_the_way_down(void **state) {
    (void)state;
    course_world *const w = course_start("ramp easy");
    course_place(w, 0, 9, 2.3294f);
    const course_walk walk = course_go(w, 0, -3, 120);
    course_expect(w, 0, 3, 0.6623f, 0.02f);
    assert_int_equal(walk.frames_down, 120);
    course_close(w);
}

static void slides_along_a_ceiling_over_a_ramp(void **state) {
    (void)state;
    course_world *const w = course_start("ramp under ceiling");
    course_go(w, 0, 2, 120);
    const ct_vec3 there = course_position(w);
    // Head and ceiling meet at z = 0.68: 1.03 m up the ramp.
    course_expect(w, 0, 3.0306f, 0.68f, 0.01f);
    const course_walk still = course_go(w, 0, 2, 60);
    assert_true(still.most_change < 1e-3f);
    const course_walk walk = course_go(w, 1.5f, 2, 90);
    course_expect(w, 2.25f, there.y, there.z, 0.02f);
    assert_int_equal(walk.frames_up, 90);
    course_close(w);
}

static void stands_still_on_a_ramp(void **state) {
    (void)state;
    course_world *const w = course_start("ramp easy");
    course_place(w, 0, 4, 1.3f);
    course_go(w, 0, 0, 30);
    const course_walk walk = course_go(w, 0, 0, 120);
    course_expect(w, 0, 4, 1.2397f, 0.01f);
    assert_true(walk.most_change < 1e-4f);
    course_close(w);
}

static void stands_in_a_crease_of_slopes_too_steep(void **state) {
    (void)state;
    course_world *const w = course_start("crease");
    course_place(w, 0.05f, 0, 1);
    course_go(w, 0, 0, 90);
    course_expect(w, 0, 0, 0.44f, 0.02f);
    const course_walk still = course_go(w, 0, 0, 60);
    assert_true(still.most_change < 1e-3f);
    assert_int_equal(still.frames_down, 60);
    course_go(w, 0, 2, 60);
    course_expect(w, 0, 2, 0.44f, 0.03f);
    course_close(w);
}

// --- Walls ---------------------------------------------------------------------------------------

static void stands_still_in_an_inner_corner(void **state) {
    (void)state;
    course_world *const w = course_start("inner corner");
    course_go(w, 1.5f, 2, 240);
    course_expect(w, 1.58f, 2.58f, 0.02f, 0.005f);
    const course_walk walk = course_go(w, 1.5f, 2, 120);
    assert_true(walk.most_change < 1e-3f);
    assert_int_equal(walk.frames_sides, 120);
    course_expect(w, 1.58f, 2.58f, 0.02f, 0.005f);
    course_close(w);
}

static void slides_along_a_wall(void **state) {
    (void)state;
    course_world *const w = course_start("inner corner");
    course_place(w, -4, 2, 0.02f);
    course_go(w, 1, 2, 30);
    const course_walk walk = course_go(w, 1, 2, 240);
    course_expect(w, 0.5f, 2.58f, 0.02f, 0.01f);
    course_expect_near("the least step", walk.least_step, 1.0f / 60, 1e-3f);
    course_expect_near("the greatest step", walk.most_step, 1.0f / 60, 1e-3f);
    course_close(w);
}

static void keeps_off_a_wall_at_a_small_angle(void **state) {
    (void)state;
    course_world *const w = course_start("inner corner");
    for (uint32_t degrees = 1; degrees < 10; degrees += 2) {
        course_place(w, -4, 2.55f, 0.02f);
        course_go(w, 3, 3 * tanf(0.017453f * (float)degrees), 60);
        float back = 0;
        for (uint32_t i = 0; i < 50; ++i) {
            const float y = course_position(w).y;
            course_go(w, 3, 3 * tanf(0.017453f * (float)degrees), 1);
            back = fmaxf(back, y - course_position(w).y);
        }
        // The smaller the angle, the later the sweep sees the wall.
        course_expect(w, 1.5f, 2.589f, 0.02f, 0.01f);
        assert_true(back < 1e-4f);
    }
    course_close(w);
}

static void moves_off_a_wall_that_is_too_near(void **state) {
    (void)state;
    course_world *const w = course_start("inner corner");
    course_place(w, -4, 2.598f, 0.02f);
    course_go(w, 3, 0.8f, 100);
    course_expect(w, 1, 2.59f, 0.02f, 0.002f);
    course_close(w);
}

static void passes_an_edge_that_it_grazes(void **state) {
    (void)state;
    course_world *const w = course_start("outer corner");
    course_place(w, -0.19f, 0, 0.02f);
    course_go(w, 0, 2, 240);
    course_expect(w, -0.21f, 8, 0.02f, 0.02f);
    course_close(w);
}

static void goes_round_an_outer_corner(void **state) {
    (void)state;
    course_world *const w = course_start("outer corner");
    course_go(w, 0, 2, 240);
    course_expect(w, -0.21f, 7.85f, 0.02f, 0.05f);
    course_close(w);
}

static void stands_still_in_an_acute_corner(void **state) {
    (void)state;
    course_world *const w = course_start("acute corner");
    course_go(w, 0.3f, 2, 240);
    course_expect(w, 0, 3.16f, 0.02f, 0.02f);
    const course_walk walk = course_go(w, 0.3f, 2, 120);
    assert_true(walk.most_change < 1e-3f);
    course_close(w);
}

static void does_not_go_through_a_thin_wall_at_100_metres_a_second(void **state) {
    (void)state;
    course_world *const w = course_start("thin wall");
    course_go(w, 0, 100, 10);
    course_expect(w, 0, 3.575f, 0.02f, 0.01f);
    course_close(w);
}

static void goes_through_a_doorway_two_skins_wider(void **state) {
    (void)state;
    course_world *const w = course_start("doorway");
    course_go(w, 0, 2, 180);
    course_expect(w, 0, 6, 0.02f, 0.01f);
    course_close(w);
}

static void does_not_enter_a_gap_narrower_than_itself(void **state) {
    (void)state;
    course_world *const w = course_start("gap in wall");
    course_go(w, 0, 2, 180);
    course_expect(w, 0, 2.796f, 0.02f, 0.02f);
    const course_walk walk = course_go(w, 0, 2, 60);
    assert_true(walk.most_change < 1e-3f);
    course_close(w);
}

static void leaves_what_it_starts_in(void **state) {
    (void)state;
    course_world *const w = course_start("block");
    course_frame(w, ct_vec3_make(0, 0, 0));
    course_check_free(w);
    course_expect(w, 0, -0.2f, 0.02f, 0.03f);
    course_close(w);
}

// --- Ceilings ------------------------------------------------------------------------------------

static void stops_at_a_low_ceiling(void **state) {
    (void)state;
    course_world *const w = course_start("low ceiling");
    course_go(w, 0, 2, 180);
    course_expect(w, 0, 2.709f, 0.02f, 0.02f);
    course_close(w);
}

static void walks_under_a_ceiling_that_is_high_enough(void **state) {
    (void)state;
    course_world *const w = course_start("high enough ceiling");
    course_go(w, 0, 2, 240);
    course_expect(w, 0, 8, 0.02f, 0.01f);
    course_close(w);
}

static void stops_at_a_sloped_ceiling(void **state) {
    (void)state;
    course_world *const w = course_start("sloped ceiling");
    const course_walk walk = course_go(w, 0, 2, 120);
    course_expect(w, 0, 1.991f, 0.02f, 0.02f);
    assert_int_equal(walk.frames_down, 120);
    assert_true(walk.frames_up > 30);
    const course_walk still = course_go(w, 0, 2, 60);
    assert_true(still.most_change < 1e-3f);
    course_close(w);
}

static void hits_its_head_when_it_jumps_under_an_overhang(void **state) {
    (void)state;
    course_world *const w = course_start("overhang");
    course_go(w, 0, 0, 5);
    w->fall = -6;
    const course_walk walk = course_go(w, 0, 0, 60);
    course_expect_near("the highest position", walk.most_z, 0.68f, 0.01f);
    assert_true(walk.frames_up > 0);
    assert_in_range(60 - walk.frames_down, 10, 40);
    course_expect(w, 0, 0, 0.02f, 0.005f);
    course_close(w);
}

// --- Other directions, and again ----------------------------------------------------------------

static void check_stairs_turned(ct_quat rotation) {
    course_world *const w = course_open(test_heap(), "stairs", rotation);
    const course_walk walk = course_go(w, 0, 1.5f, 240);
    course_expect(w, 0, 6, 1.62f, 0.02f);
    assert_int_equal(walk.frames_down, 240);
    course_go(w, 0, -1.5f, 240);
    course_expect(w, 0, 0, 0.02f, 0.03f);
    course_close(w);
}

static void takes_y_as_up(void **state) {
    (void)state;
    check_stairs_turned(ct_quat_axis_angle(ct_vec3_make(1, 0, 0), -1.57079633f));
}

static void takes_any_direction_as_up(void **state) {
    (void)state;
    check_stairs_turned(ct_quat_axis_angle(ct_vec3_make(1, 2, 3), 1));
    check_stairs_turned(ct_quat_axis_angle(ct_vec3_make(1, 0, 0), 3.14159265f));
}

static void gives_the_same_bits_again(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(course_stations); ++i) {
        ct_mover_state results[2];
        for (uint32_t run = 0; run < 2; ++run) {
            course_world *const w = course_start(course_stations[i].name);
            for (uint32_t frame = 0; frame < 60; ++frame)
                course_frame(w, ct_vec3_make(0.7f, 2, 0));
            results[run] = w->mover;
            course_close(w);
        }
        assert_memory_equal(&results[0].position, &results[1].position, sizeof(ct_vec3));
        assert_int_equal(results[0].contacts.sweeps, results[1].contacts.sweeps);
        assert_int_equal(results[0].standing_frames, results[1].standing_frames);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_on_flat_ground_with_two_sweeps),
        cmocka_unit_test(keeps_its_bits_while_it_stands),
        cmocka_unit_test(walks_up_stairs),
        cmocka_unit_test(walks_slowly_up_stairs),
        cmocka_unit_test(walks_down_stairs_and_stays_on_them),
        cmocka_unit_test(stops_at_a_step_too_high),
        cmocka_unit_test(climbs_a_step_that_just_fits),
        cmocka_unit_test(climbs_turning_stairs),
        cmocka_unit_test(walks_over_a_gap_narrower_than_itself),
        cmocka_unit_test(falls_off_a_ledge),
        cmocka_unit_test(does_not_land_on_an_edge_beside_it),
        cmocka_unit_test(climbs_a_ramp_below_the_limit_at_full_speed_on_the_map),
        cmocka_unit_test(stops_at_a_ramp_above_the_limit),
        cmocka_unit_test(slides_down_a_ramp_too_steep),
        cmocka_unit_test(does_not_climb_a_ramp_too_steep_by_jumping),
        cmocka_unit_test(stays_on_a_ramp_on_the_way_down),
        cmocka_unit_test(slides_along_a_ceiling_over_a_ramp),
        cmocka_unit_test(stands_still_on_a_ramp),
        cmocka_unit_test(stands_in_a_crease_of_slopes_too_steep),
        cmocka_unit_test(stands_still_in_an_inner_corner),
        cmocka_unit_test(slides_along_a_wall),
        cmocka_unit_test(keeps_off_a_wall_at_a_small_angle),
        cmocka_unit_test(moves_off_a_wall_that_is_too_near),
        cmocka_unit_test(passes_an_edge_that_it_grazes),
        cmocka_unit_test(goes_round_an_outer_corner),
        cmocka_unit_test(stands_still_in_an_acute_corner),
        cmocka_unit_test(does_not_go_through_a_thin_wall_at_100_metres_a_second),
        cmocka_unit_test(goes_through_a_doorway_two_skins_wider),
        cmocka_unit_test(does_not_enter_a_gap_narrower_than_itself),
        cmocka_unit_test(leaves_what_it_starts_in),
        cmocka_unit_test(stops_at_a_low_ceiling),
        cmocka_unit_test(walks_under_a_ceiling_that_is_high_enough),
        cmocka_unit_test(stops_at_a_sloped_ceiling),
        cmocka_unit_test(hits_its_head_when_it_jumps_under_an_overhang),
        cmocka_unit_test(takes_y_as_up),
        cmocka_unit_test(takes_any_direction_as_up),
        cmocka_unit_test(gives_the_same_bits_again),
    };
    return cmocka_run_group_tests(tests, course_setup, course_teardown);
}
