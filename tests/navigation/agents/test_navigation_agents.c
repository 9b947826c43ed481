// Agents one by one: ids, bad numbers, places off the mesh, changes of the mesh, events, memory.
#include <math.h>

#include "foundation/math/math.h"
#include "foundation/memory/proxy_allocator.h"
#include "navigation/agents/navigation_neighbours.h"
#include "navigation/agents/navigation_scene.h"

static scene *room(void) {
    scene *const s = scene_create();
    scene_open(s, 1, 1, 31, 21);
    scene_build(s);
    return s;
}

static ct_navigation_agent add(scene *s, ct_navigation_agent_desc desc, ct_error *error) {
    return ct_navigation_agents_add(s->agents, &desc, error);
}

static void refuses_bad_descs(void **state) {
    (void)state;
    scene *const s = room();
    static const struct {
        const char *what, *message;
    } rows[] = {{"position", "found position (nan, 5, 0); expected finite numbers"},
                {"radius", "found radius -1; expected a number from 0 to 100"},
                {"height", "found height inf; expected a number from 0 to 1000"},
                {"speed", "found speed nan; expected a number from 0 to 1000"},
                {"acceleration", "found acceleration -5; expected a number from 0 to 100000"},
                {"turn", "found turn speed nan; expected a number from 0 to 100000"},
                {"arrival", "found arrival -0.5; expected a number from 0 to 1000"},
                {"horizon", "found horizon 61; expected a number from 0 to 60"},
                {"priority", "found priority 16; expected 0 to 15"},
                {"cost", "found cost -1 of area 3; expected 0 or more"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        ct_navigation_agent_desc d = scene_walker(5, 5);
        switch (i) {
        case 0:
            d.position.x = NAN;
            break;
        case 1:
            d.radius = -1;
            break;
        case 2:
            d.height = INFINITY;
            break;
        case 3:
            d.speed = NAN;
            break;
        case 4:
            d.acceleration = -5;
            break;
        case 5:
            d.turn_speed = NAN;
            break;
        case 6:
            d.arrival = -0.5f;
            break;
        case 7:
            d.horizon = 61;
            break;
        case 8:
            d.priority = 16;
            break;
        default:
            d.costs[3] = -1;
            break;
        }
        ct_error error = {.line = 0};
        assert_int_equal(add(s, d, &error).id, 0);
        assert_string_equal(error.message, rows[i].message);
        assert_int_equal(add(s, d, NULL).id, 0);
    }
    assert_int_equal(ct_navigation_agents_count(s->agents), 0);
    scene_destroy(s);
}

static void dead_agents_do_nothing(void **state) {
    (void)state;
    scene *const s = room();
    const ct_navigation_agent first = add(s, scene_walker(5, 5), NULL);
    const ct_navigation_agent second = add(s, scene_walker(8, 5), NULL);
    ct_navigation_agents_remove(s->agents, first);
    ct_navigation_agents_remove(s->agents, first);
    const ct_navigation_agent third = add(s, scene_walker(12, 5), NULL);
    assert_int_equal(ct_navigation_agents_count(s->agents), 2);
    assert_true(third.id != first.id);
    const ct_navigation_agent dead[] = {first, {0}, {UINT32_MAX}, {12345}};
    const ct_vec3 goal = ct_vec3_make(20, 10, 0), goals[4] = {goal, goal, goal, goal};
    ct_navigation_agents_move_to(s->agents, dead, goals, 4);
    ct_navigation_agents_stop(s->agents, dead, 4);
    ct_navigation_agents_set_positions(s->agents, dead, goals, 4);
    ct_vec3 corners[4];
    for (uint32_t i = 0; i < 4; ++i) {
        ct_navigation_agents_place(s->agents, dead[i], goal);
        ct_navigation_agents_set_speed(s->agents, dead[i], 3);
        ct_navigation_agents_end_link(s->agents, dead[i]);
        assert_false(ct_navigation_agents_is_live(s->agents, dead[i]));
        assert_int_equal(ct_navigation_agents_index(s->agents, dead[i]), UINT32_MAX);
        assert_int_equal(ct_navigation_agents_corners(s->agents, dead[i], corners, 4), 0);
        ct_navigation_agents_remove(s->agents, dead[i]);
    }
    ct_navigation_agents_update(s->agents, SCENE_DT);
    const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
    assert_int_equal(all.count, 2);
    assert_true(all.positions[ct_navigation_agents_index(s->agents, second)].x == 8);
    assert_true(all.positions[ct_navigation_agents_index(s->agents, third)].x == 12);
    scene_destroy(s);
}

static void ignores_numbers_that_are_not_finite(void **state) {
    (void)state;
    scene *const s = room();
    scene_walk(s, 5, 5, 25, 15);
    scene_walk(s, 25, 5, 5, 15);
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 300; ++i) {
        const float b = bad[i % 3];
        const ct_vec3 points[2] = {ct_vec3_make(b, 5, 0), ct_vec3_make(5, 5, b)};
        ct_navigation_agents_move_to(s->agents, s->ids, points, 2);
        ct_navigation_agents_set_positions(s->agents, s->ids, points, 2);
        ct_navigation_agents_place(s->agents, s->ids[0], points[0]);
        ct_navigation_agents_set_speed(s->agents, s->ids[0], b);
        const ct_navigation_mover mover = {.position = ct_vec3_make(b, b, b),
                                           .velocity = ct_vec3_make(b, 0, 0),
                                           .wanted = ct_vec3_make(0, b, 0),
                                           .radius = b,
                                           .height = b};
        ct_navigation_agents_set_movers(s->agents, &mover, 1);
        ct_navigation_agents_update(s->agents, (double)b);
        ct_navigation_agents_update(s->agents, -1);
        s->num_movers = 0;
        scene_step(s);
    }
    const ct_vec3 at = scene_at(s, 0);
    assert_true(at.x > 8 && isfinite(at.y) && isfinite(at.z));
    assert_true(scene_run(s, 30));
    scene_destroy(s);
}

static void goes_off_the_mesh_and_comes_back(void **state) {
    (void)state;
    scene *s = room();
    const uint32_t i = scene_add(s, scene_walker(-20, -20));
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_OFF);
    scene_send(s, i, 20, 10);
    for (uint32_t k = 0; k < 60; ++k)
        scene_step(s);
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_OFF);
    assert_true(scene_at(s, i).x == -20);
    const ct_vec3 on = ct_vec3_make(5, 5, 0);
    ct_navigation_agents_set_positions(s->agents, &s->ids[i], &on, 1);
    assert_true(scene_run(s, 30));
    const ct_vec3 far = ct_vec3_make(-50, 0, 0);
    ct_navigation_agents_set_positions(s->agents, &s->ids[i], &far, 1);
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_OFF);
    ct_navigation_agents_place(s->agents, s->ids[i], on);
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_IDLE);
    scene_destroy(s);
}

static void fails_when_there_is_no_path(void **state) {
    (void)state;
    scene *const s = scene_create();
    scene_open(s, 1, 1, 11, 11);
    scene_open(s, 21, 1, 31, 11);
    scene_build(s);
    const uint32_t i = scene_walk(s, 3, 5, 25, 5);
    for (uint32_t k = 0; k < 900 && !s->num_failed; ++k)
        scene_step(s);
    assert_int_equal(s->num_failed, 1);
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_FAILED);
    scene_send(s, i, 9, 9);
    assert_true(scene_run(s, 20));
    scene_destroy(s);
}

static void stops_and_goes_on(void **state) {
    (void)state;
    scene *s = room();
    const uint32_t i = scene_walk(s, 3, 5, 25, 5);
    for (uint32_t k = 0; k < 120; ++k)
        scene_step(s);
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_WALKING);
    ct_vec3 corners[4];
    assert_int_equal(ct_navigation_agents_corners(s->agents, s->ids[i], corners, 4), 1);
    assert_float_equal(corners[0].x, 25, 1e-3f);
    ct_navigation_agents_stop(s->agents, &s->ids[i], 1);
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_IDLE);
    for (uint32_t k = 0; k < 60; ++k)
        scene_step(s);
    const ct_vec3 at = scene_at(s, i);
    for (uint32_t k = 0; k < 60; ++k)
        scene_step(s);
    assert_true(scene_at(s, i).x == at.x);
    scene_send(s, i, 25, 5);
    ct_navigation_agents_set_speed(s->agents, s->ids[i], 5);
    assert_true(scene_run(s, 8));
    const ct_vec3 end = scene_at(s, i);
    assert_float_equal(end.x, 25, 0.3f);
    scene_destroy(s);
}

// Speeds and turns stay within what the desc says.
static void keeps_its_limits(void **state) {
    (void)state;
    scene *s = scene_create();
    scene_open(s, 2, 2, 24, 5);
    scene_open(s, 21, 2, 24, 24);
    scene_build(s);
    ct_navigation_agent_desc d = scene_walker(3, 3);
    d.speed = 3, d.acceleration = 2, d.turn_speed = 1.5f;
    const uint32_t i = scene_add(s, d);
    scene_send(s, i, 22, 22);
    ct_vec3 before = ct_vec3_make(0, 0, 0), wanted_before = before;
    float fastest = 0;
    while (!scene_is_done(s) && s->step < 60 * 40) {
        scene_step(s);
        const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
        const ct_vec3 v = all.velocities[0];
        const float speed = ct_vec3_length(v), last = ct_vec3_length(before);
        fastest = fmaxf(fastest, speed);
        assert_true(speed <= 3.01f);
        if (!scene_is_done(s) && speed > 0.5f && last > 0.5f) {
            assert_true(speed - last <= 2 * (float)SCENE_DT + 1e-3f);
        }
        const ct_vec3 w = all.wanted[0];
        const float lengths = ct_vec3_length(w) * ct_vec3_length(wanted_before);
        if (lengths > 0.01f)
            assert_true(fabsf(w.x * wanted_before.y - w.y * wanted_before.x) <=
                        lengths * sinf(1.5f * (float)SCENE_DT) * 1.01f);
        wanted_before = w;
        before = v;
    }
    assert_true(scene_is_done(s) && fastest > 2.9f);
    scene_destroy(s);
}

static void goes_around_an_obstacle_that_was_put_before_it(void **state) {
    (void)state;
    scene *s = room();
    const uint32_t i = scene_walk(s, 3, 10, 28, 10);
    for (uint32_t k = 0; k < 120; ++k)
        scene_step(s);
    const ct_navigation_obstacle_desc wall = {.shape = CT_NAVIGATION_BOX,
                                              .position = ct_vec3_make(15, 10, -1),
                                              .half_size = ct_vec2_make(1, 5),
                                              .height = 3,
                                              .area = -1};
    assert_true(ct_navigation_add_obstacle(s->mesh, &wall, NULL).id);
    float farthest = 0;
    while (!scene_is_done(s) && s->step < 60 * 60) {
        scene_step(s);
        const ct_vec3 at = scene_at(s, i);
        farthest = fmaxf(farthest, fabsf(at.y - 10));
        assert_false(at.x > 14.1f && at.x < 15.9f && at.y > 5.1f && at.y < 14.9f);
    }
    assert_true(scene_is_done(s) && farthest > 5);
    scene_destroy(s);
}

static void stands_off_when_its_tile_goes(void **state) {
    (void)state;
    scene *const s = room();
    const uint32_t i = scene_walk(s, 3, 10, 28, 10);
    for (uint32_t k = 0; k < 120; ++k)
        scene_step(s);
    for (uint32_t tile = 0; tile < 4; ++tile)
        ct_navigation_mesh_remove_tile(s->mesh, tile);
    scene_step(s);
    assert_int_equal(scene_state(s, i), CT_NAVIGATION_OFF);
    for (uint32_t k = 0; k < 60; ++k)
        scene_step(s);
    for (uint32_t tile = 0; tile < 4; ++tile)
        ct_navigation_mesh_add_tile(s->mesh, tile);
    assert_true(scene_run(s, 40));
    scene_destroy(s);
}

static void a_closed_area_stops_it(void **state) {
    (void)state;
    scene *const s = scene_create();
    scene_open(s, 1, 1, 31, 11);
    scene_fill(s, '3', 15, 1, 17, 11);
    scene_build(s);
    const uint32_t i = scene_walk(s, 3, 5, 28, 5);
    for (uint32_t k = 0; k < 120; ++k)
        scene_step(s);
    ct_navigation_set_area(s->mesh, 3, true, 0);
    for (uint32_t k = 0; k < 900 && !s->num_failed; ++k) {
        scene_step(s);
        assert_true(scene_at(s, i).x < 15.01f);
    }
    assert_int_equal(s->num_failed, 1);
    ct_navigation_set_area(s->mesh, 3, false, 0);
    scene_send(s, i, 28, 5);
    assert_true(scene_run(s, 40));
    scene_destroy(s);
}

// The line of a wall goes on behind its end, the wall does not.
static void a_wall_ends_where_it_ends(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2; ++i) {
        scene *const s = scene_create();
        scene_open(s, 1, 10, 31, 21);
        scene_open(s, 15, 1, 31, 10);
        scene_build(s);
        scene_add(s, scene_walker(18, 10)); // walls are looked for where somebody is near
        scene_walk(s, 15.2f, i ? 10 : 9.99995f, 15.2f, 3);
        scene_walk(s, 17, 6, 17, 3);
        assert_true(scene_run(s, 10));
        scene_destroy(s);
    }
}

static void many_with_one_goal_arrive(void **state) {
    (void)state;
    scene *const s = room();
    for (uint32_t i = 0; i < 20; ++i)
        scene_walk(s, 3 + 1.3f * (float)(i % 5), 4 + 1.3f * (float)(i / 5), 24, 10);
    assert_true(scene_run(s, 60));
    assert_true(s->deepest < 0.05f);
    scene_destroy(s);
}

static void groups_that_are_not_avoided_are_passed_through(void **state) {
    (void)state;
    scene *s = room();
    ct_navigation_agent_desc ghost = scene_walker(5, 10), other = scene_walker(25, 10);
    ghost.groups = 2, ghost.avoids = 2;
    other.groups = 1, other.avoids = 1;
    scene_send(s, scene_add(s, ghost), 25, 10);
    scene_send(s, scene_add(s, other), 5, 10);
    float off = 0;
    while (!scene_is_done(s) && s->step < 60 * 30) {
        scene_step(s);
        off = fmaxf(off, fabsf(scene_at(s, 0).y - 10));
    }
    assert_true(scene_is_done(s) && off < 0.01f && s->deepest > 1);
    scene_destroy(s);
}

// Two doors: the nearer one is taken, unless a crowd is in it.
static void goes_around_a_crowd(void **state) {
    (void)state;
    for (uint32_t crowd = 0; crowd < 2; ++crowd) {
        scene *const s = scene_create();
        scene_open(s, 1, 1, 15, 21);
        scene_open(s, 17, 1, 31, 21);
        scene_fill(s, '1', 15, 5, 17, 8);
        scene_fill(s, '2', 15, 11, 17, 14);
        scene_build(s);
        for (uint32_t i = 0; crowd && i < 6; ++i)
            scene_add(s, scene_walker(15.5f + (float)(i % 2), 5.5f + (float)(i / 2)));
        for (uint32_t i = 0; i < 40; ++i)
            scene_step(s);
        const uint32_t walker = scene_walk(s, 5, 6.5f, 27, 6.5f);
        float farthest = 0;
        while (!scene_is_done(s) && s->step < 60 * 40) {
            scene_step(s);
            farthest = fmaxf(farthest, scene_at(s, walker).y);
        }
        assert_true(scene_is_done(s));
        assert_true(crowd ? farthest > 10.9f : farthest < 8);
        scene_destroy(s);
    }
}

// Floors above each other do not meet.
static void heights_that_do_not_overlap_do_not_meet(void **state) {
    (void)state;
    ct_navigation_neighbours n;
    ct_navigation_neighbours_init(&n, test_heap());
    ct_navigation_body bodies[2] = {
        {.position = ct_vec3_make(0, 0, 0), .radius = 1, .height = 2, .groups = 1},
        {.position = ct_vec3_make(0.5f, 0, 1.9f),
         .radius = 1,
         .height = 2,
         .index = 1,
         .groups = 1}};
    const ct_navigation_body *others[CT_NAVIGATION_MAX_AVOIDED];
    ct_navigation_neighbours_build(&n, bodies, 2, 2);
    assert_int_equal(ct_navigation_neighbours_find(&n, &bodies[0], 5, 1, others), 1);
    bodies[1].position.z = 2;
    ct_navigation_neighbours_build(&n, bodies, 2, 2);
    assert_int_equal(ct_navigation_neighbours_find(&n, &bodies[0], 5, 1, others), 0);
    ct_navigation_neighbours_free(&n);
}

static void allocates_nothing_after_warm_up(void **state) {
    (void)state;
    scene *const s = scene_create();
    s->allocator = ct_proxy_allocator_create(test_heap(), "agents");
    scene_open(s, 1, 1, 31, 21);
    scene_build(s);
    for (uint32_t i = 0; i < 40; ++i)
        scene_add(s, scene_walker(3 + 1.5f * (float)(i % 10), 3 + 1.5f * (float)(i / 10)));
    uint64_t warm = 0;
    uint32_t random = 3;
    for (uint32_t round = 0; round < 12; ++round) {
        if (round == 6)
            warm = ct_allocator_stats_of(s->allocator).total_blocks;
        for (uint32_t i = 0; i < 40; ++i)
            scene_send(s, i, 2 + (float)(test_random(&random) % 28),
                       2 + (float)(test_random(&random) % 18));
        for (uint32_t k = 0; k < 120; ++k)
            scene_step(s);
    }
    assert_int_equal(ct_allocator_stats_of(s->allocator).total_blocks, warm);
    ct_allocator *const allocator = s->allocator;
    scene_destroy(s);
    ct_proxy_allocator_destroy(allocator);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_descs),
        cmocka_unit_test(dead_agents_do_nothing),
        cmocka_unit_test(ignores_numbers_that_are_not_finite),
        cmocka_unit_test(goes_off_the_mesh_and_comes_back),
        cmocka_unit_test(fails_when_there_is_no_path),
        cmocka_unit_test(stops_and_goes_on),
        cmocka_unit_test(keeps_its_limits),
        cmocka_unit_test(goes_around_an_obstacle_that_was_put_before_it),
        cmocka_unit_test(stands_off_when_its_tile_goes),
        cmocka_unit_test(a_closed_area_stops_it),
        cmocka_unit_test(a_wall_ends_where_it_ends),
        cmocka_unit_test(many_with_one_goal_arrive),
        cmocka_unit_test(groups_that_are_not_avoided_are_passed_through),
        cmocka_unit_test(goes_around_a_crowd),
        cmocka_unit_test(heights_that_do_not_overlap_do_not_meet),
        cmocka_unit_test(allocates_nothing_after_warm_up),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
