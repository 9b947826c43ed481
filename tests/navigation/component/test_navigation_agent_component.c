// Agents of entities: where they are on meshes, what moves them, links, events.
#include "navigation/component/navigation_unit.h"

#include <math.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/memory/proxy_allocator.h"

enum { SIZE = 32 };

// A field of 32 by 32 metres, z = 0; with `has_gap`, cut in two at x = 15, with a link across.
static ct_navigation_resource *make_field(bool has_gap) {
    static char cells[SIZE][SIZE + 1];
    const char *rows[SIZE];
    for (uint32_t y = 0; y < SIZE; ++y) {
        memset(cells[y], '.', SIZE);
        if (has_gap)
            memset(cells[y] + 14, '@', 4);
        rows[y] = cells[y];
    }
    const ct_navigation_link link = {.id = {3},
                                     .from = {13.5f, 16, 0},
                                     .to = {18.5f, 16, 0},
                                     .radius = 1,
                                     .classes = 1,
                                     .flags = CT_NAVIGATION_LINK_BOTH_WAYS};
    return navigation_fixture_make(&(navigation_fixture_desc){
        .rows = rows, .width = SIZE, .height = SIZE, .links = &link, .num_links = has_gap});
}

typedef struct play {
    navigation_unit u;
    ct_navigation_resource *resource;
    ct_navigation_instance field;
} play;

static play start_play(bool has_gap) {
    play p = {.u = navigation_unit_start(test_heap(), NULL), .resource = make_field(has_gap)};
    p.field = navigation_unit_add(&p.u, p.resource, ct_mat4_identity());
    return p;
}

static void stop_play(play *p) {
    navigation_unit_stop(&p->u);
    free(p->resource);
}

static void assert_near(ct_vec3 a, float x, float y, float metres) {
    const ct_vec3 d = ct_vec3_sub(a, ct_vec3_make(x, y, 0));
    if (!(ct_vec3_length(d) <= metres))
        fail_msg("(%g %g %g) is farther than %g from (%g %g 0)", (double)a.x, (double)a.y,
                 (double)a.z, (double)metres, (double)x, (double)y);
}

// --- What moves entities -------------------------------------------------------------------------

static void the_step_moves_and_turns_transforms(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_send(&p.u, e, 14, 4);
    navigation_unit_step(&p.u, 120);
    const ct_vec3 at = navigation_unit_at(&p.u, e);
    assert_true(at.x > 6 && at.x < 7.5f && fabsf(at.y - 4) < 0.1f);
    const ct_navigation_agent_status status = navigation_unit_status(&p.u, e);
    assert_int_equal(status.state, CT_NAVIGATION_WALKING);
    assert_int_equal(status.instance.id, p.field.id);
    assert_true(status.has_goal && status.goal.x == 14);
    assert_true(fabsf(status.velocity.x - 1.5f) < 0.05f);
    assert_near(status.position, at.x, at.y, 1e-4f);
    // y looks along x.
    const ct_mat4 *const pose =
        ct_transform_world(p.u.transforms, navigation_unit_transform(&p.u, e));
    assert_true(pose->col[1].x > 0.99f && fabsf(pose->col[1].z) < 1e-5f);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 400);
    assert_near(navigation_unit_at(&p.u, e), 14, 4, 0.3f);
    assert_false(navigation_unit_status(&p.u, e).has_goal);
    stop_play(&p);
}

static void keeps_scale_and_what_does_not_turn(void **state) {
    (void)state;
    play p = start_play(false);
    ct_navigation_agent_data data = navigation_unit_data();
    data.turns = false;
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    const ct_transform t = navigation_unit_transform(&p.u, e);
    const ct_quat rotation = ct_quat_axis_angle(ct_vec3_make(1, 0, 0), 0.5f);
    ct_transform_set_local_pose(p.u.transforms, t, ct_vec3_make(4, 4, 0), rotation,
                                ct_vec3_make(2, 3, 4));
    navigation_unit_send(&p.u, e, 10, 10);
    navigation_unit_step(&p.u, 60);
    assert_true(navigation_unit_at(&p.u, e).x > 4.5f);
    const ct_quat kept = ct_transform_local_rotation(p.u.transforms, t);
    assert_true(ct_quat_dot(kept, rotation) > 0.9999f);
    const ct_vec3 scale = ct_transform_local_scale(p.u.transforms, t);
    assert_true(scale.x == 2 && scale.y == 3 && scale.z == 4);
    stop_play(&p);
}

static void turns_no_faster_than_it_may(void **state) {
    (void)state;
    play p = start_play(false);
    ct_navigation_agent_data data = navigation_unit_data();
    data.turn_speed = 2;
    const ct_entity e = navigation_unit_walker(&p.u, &data, 16, 16);
    navigation_unit_send(&p.u, e, 16, 2); // behind it
    const ct_transform t = navigation_unit_transform(&p.u, e);
    float last = 0, most = 0;
    for (uint32_t i = 0; i < 300; ++i) {
        navigation_unit_step(&p.u, 1);
        const ct_mat4 *const pose = ct_transform_world(p.u.transforms, t);
        const float angle = atan2f(pose->col[1].y, pose->col[1].x) - 1.5707963f;
        most = fmaxf(most, fabsf(remainderf(angle - last, 6.2831853f)));
        last = angle;
    }
    assert_true(most < 2.0f / 60 * 1.01f);
    assert_true(fabsf(remainderf(last - 3.1415927f, 6.2831853f)) < 0.1f);
    stop_play(&p);
}

static void an_entity_below_a_parent_walks_in_the_world(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity parent = navigation_unit_entity(&p.u, 3, 5, 1);
    ct_transform_set_local_pose(p.u.transforms, navigation_unit_transform(&p.u, parent),
                                ct_vec3_make(3, 5, 1), ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1),
                                ct_vec3_make(2, 2, 2));
    const ct_entity e = navigation_unit_walker(&p.u, &data, 8, 8);
    assert_true(ct_transform_link(p.u.transforms, navigation_unit_transform(&p.u, e),
                                  navigation_unit_transform(&p.u, parent)));
    const ct_mat4 here =
        ct_mat4_compose(ct_vec3_make(8, 8, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1));
    ct_transform_set_world_pose(p.u.transforms, navigation_unit_transform(&p.u, e), &here);
    navigation_unit_send(&p.u, e, 14, 9);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 600);
    assert_near(navigation_unit_at(&p.u, e), 14, 9, 0.3f);
    stop_play(&p);
}

static void an_agent_follows_what_else_moves_its_entity(void **state) {
    (void)state;
    play p = start_play(false);
    ct_navigation_agent_data data = navigation_unit_data();
    data.moves = CT_NAVIGATION_MOVES_NOTHING;
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_send(&p.u, e, 14, 4);
    navigation_unit_step(&p.u, 60);
    // Held fast: it does not get on.
    assert_near(navigation_unit_at(&p.u, e), 4, 4, 1e-5f);
    assert_near(navigation_unit_status(&p.u, e).position, 4, 4, 0.1f);
    for (uint32_t i = 0; i < 600; ++i) {
        const ct_vec3 v = navigation_unit_status(&p.u, e).velocity;
        const ct_vec3 at = navigation_unit_at(&p.u, e);
        navigation_unit_put(&p.u, e, at.x + v.x / 60, at.y + v.y / 60, 0.2f);
        navigation_unit_step(&p.u, 1);
    }
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_ARRIVED);
    assert_true(navigation_unit_at(&p.u, e).x > 13.5f);
    stop_play(&p);
}

static void an_entity_that_is_put_elsewhere_goes_on_from_there(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_send(&p.u, e, 14, 4);
    navigation_unit_step(&p.u, 60);
    navigation_unit_put(&p.u, e, 14, 28, 0);
    navigation_unit_step(&p.u, 2);
    assert_near(navigation_unit_at(&p.u, e), 14, 28, 0.2f);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 1500);
    assert_near(navigation_unit_at(&p.u, e), 14, 4, 0.3f);
    // Off the mesh it stays where it was put, and waits.
    navigation_unit_send(&p.u, e, 10, 4);
    navigation_unit_put(&p.u, e, 14, 4, 40);
    navigation_unit_step(&p.u, 5);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_OFF);
    assert_true(navigation_unit_at(&p.u, e).z == 40);
    navigation_unit_put(&p.u, e, 14, 4, 0);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 600);
    assert_near(navigation_unit_at(&p.u, e), 10, 4, 0.3f);
    stop_play(&p);
}

// --- Meshes --------------------------------------------------------------------------------------

static void goes_to_the_mesh_that_it_is_on(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(100, 0, 0), ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 0.7f),
                        ct_vec3_make(1, 1, 1));
    const ct_navigation_instance other = navigation_unit_add(&p.u, p.resource, pose);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_step(&p.u, 1);
    assert_int_equal(navigation_unit_status(&p.u, e).instance.id, p.field.id);
    const ct_vec3 there = ct_mat4_transform_point(pose, ct_vec3_make(4, 4, 0));
    navigation_unit_put(&p.u, e, there.x, there.y, 0);
    navigation_unit_step(&p.u, 1);
    assert_int_equal(navigation_unit_status(&p.u, e).instance.id, other.id);
    assert_int_equal(
        ct_navigation_agents_count(ct_navigation_world_parts(p.u.world, p.field).agents), 0);
    const ct_vec3 goal = ct_mat4_transform_point(pose, ct_vec3_make(12, 20, 0));
    navigation_unit_send(&p.u, e, goal.x, goal.y);
    navigation_unit_step(&p.u, 60);
    const ct_vec3 v = navigation_unit_status(&p.u, e).velocity;
    const ct_vec3 way = ct_vec3_normalize(ct_vec3_sub(goal, there));
    assert_true(ct_vec3_dot(v, way) > 1.4f); // in the space of the world
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 1500);
    assert_near(navigation_unit_at(&p.u, e), goal.x, goal.y, 0.3f);
    stop_play(&p);
}

static void waits_for_a_mesh_and_keeps_its_goal(void **state) {
    (void)state;
    play p = start_play(false);
    ct_navigation_world_remove(p.u.world, p.field);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_send(&p.u, e, 10, 4);
    navigation_unit_step(&p.u, 3);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_OFF);
    assert_int_equal(navigation_unit_status(&p.u, e).instance.id, 0);
    assert_true(navigation_unit_status(&p.u, e).has_goal);
    for (uint32_t round = 0; round < 2; ++round) {
        p.field = navigation_unit_add(&p.u, p.resource, ct_mat4_identity());
        navigation_unit_step(&p.u, 60);
        assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_WALKING);
        ct_navigation_world_remove(p.u.world, p.field); // under it
        assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_OFF);
        navigation_unit_send(&p.u, e, 10, 4);
        ct_navigation_agent_set_speed(p.u.agents, e, 2);
        ct_navigation_agent_end_link(p.u.agents, e);
        navigation_unit_step(&p.u, 2);
    }
    ct_navigation_agent_stop(p.u.agents, &e, 1);
    navigation_unit_add(&p.u, p.resource, ct_mat4_identity());
    navigation_unit_step(&p.u, 10);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_IDLE);
    stop_play(&p);
}

static void a_class_that_does_not_exist_is_warned_about(void **state) {
    (void)state;
    play p = start_play(false);
    ct_navigation_agent_data data = navigation_unit_data();
    data.class_name = ct_string_id32_of("giant");
    const uint64_t before = ct_log_warning_count("unknown_agent_class");
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_step(&p.u, 5);
    assert_int_equal(ct_log_warning_count("unknown_agent_class"), before + 1);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_OFF);
    stop_play(&p);
}

static void the_first_class_is_that_of_agents_without(void **state) {
    (void)state;
    play p = start_play(false);
    ct_navigation_agent_data data = navigation_unit_data();
    data.class_name = (ct_string_id32){0};
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_step(&p.u, 1);
    assert_int_equal(navigation_unit_status(&p.u, e).instance.id, p.field.id);
    stop_play(&p);
}

static void goes_on_when_tiles_are_removed_and_added_below_it(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_send(&p.u, e, 12, 4);
    navigation_unit_step(&p.u, 60);
    ct_navigation_mesh *const mesh = ct_navigation_world_parts(p.u.world, p.field).mesh;
    for (uint32_t i = 0; i < 4; ++i)
        ct_navigation_mesh_remove_tile(mesh, i);
    const ct_vec3 before = navigation_unit_at(&p.u, e);
    navigation_unit_step(&p.u, 10);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_OFF);
    assert_near(navigation_unit_at(&p.u, e), before.x, before.y, 0.1f);
    for (uint32_t i = 0; i < 4; ++i)
        ct_navigation_mesh_add_tile(mesh, i);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 600);
    stop_play(&p);
}

// --- Links ---------------------------------------------------------------------------------------

static void goes_straight_over_links(void **state) {
    (void)state;
    for (uint32_t moves = 0; moves < CT_NAVIGATION_MOVES_COUNT; ++moves) {
        play p = start_play(true);
        ct_navigation_agent_data data = navigation_unit_data();
        data.moves = moves;
        const ct_entity e = navigation_unit_walker(&p.u, &data, 10, 16);
        navigation_unit_send(&p.u, e, 22, 16);
        uint32_t on_link = 0;
        for (uint32_t i = 0; i < 900; ++i) {
            navigation_unit_step(&p.u, 1);
            const ct_navigation_agent_status status = navigation_unit_status(&p.u, e);
            on_link += status.state == CT_NAVIGATION_ON_LINK;
            if (status.state == CT_NAVIGATION_ON_LINK && on_link > 1)
                assert_true(fabsf(status.velocity.x - 1.5f) < 1e-3f);
            // What the world or the game does.
            const bool is_walked =
                moves == CT_NAVIGATION_MOVES_MOVER && status.state != CT_NAVIGATION_ON_LINK;
            const ct_vec3 at = navigation_unit_at(&p.u, e);
            if (moves == CT_NAVIGATION_MOVES_NOTHING || is_walked)
                navigation_unit_put(&p.u, e, at.x + status.velocity.x / 60,
                                    at.y + status.velocity.y / 60, 0);
        }
        assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_ARRIVED);
        assert_near(navigation_unit_at(&p.u, e), 22, 16, 0.4f);
        assert_in_range(on_link, 150, 240); // 5 metres at 1.5 m/s
        uint32_t count;
        const ct_navigation_agent_event *const events =
            ct_navigation_agent_take_events(p.u.agents, &count);
        assert_int_equal(count, 2);
        assert_int_equal(events[0].type, CT_NAVIGATION_EVENT_LINK);
        assert_int_equal(events[0].link, 1);
        assert_int_equal(events[1].type, CT_NAVIGATION_EVENT_ARRIVED);
        stop_play(&p);
    }
}

static void the_game_plays_links(void **state) {
    (void)state;
    play p = start_play(true);
    ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 10, 16);
    ct_navigation_agent_set_plays_links(p.u.agents, e, true);
    navigation_unit_send(&p.u, e, 22, 16);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ON_LINK, 600);
    const ct_vec3 start = navigation_unit_at(&p.u, e);
    navigation_unit_step(&p.u, 60);
    assert_near(navigation_unit_at(&p.u, e), start.x, start.y, 1e-4f);
    for (uint32_t i = 0; i <= 30; ++i) { // a jump
        const float t = (float)i / 30;
        navigation_unit_put(&p.u, e, start.x + (18.5f - start.x) * t, 16, 4 * t * (1 - t));
        navigation_unit_step(&p.u, 1);
        assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_ON_LINK);
    }
    ct_navigation_agent_end_link(p.u.agents, e);
    ct_navigation_agent_end_link(p.u.agents, e); // it is on no link
    navigation_unit_step(&p.u, 1);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_WALKING);
    assert_near(navigation_unit_at(&p.u, e), 18.5f, 16, 0.1f);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 600);
    stop_play(&p);
}

// --- Bad input -----------------------------------------------------------------------------------

static void leaves_out_what_is_not_there(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    const ct_entity without = navigation_unit_entity(&p.u, 5, 5, 0);
    const ct_entity all[] = {without, {0}, {0xffffffff}, e};
    const ct_vec3 goals[] = {ct_vec3_make(1, 1, 0), ct_vec3_make(1, 1, 0), ct_vec3_make(1, 1, 0),
                             ct_vec3_make(NAN, 1, 0)};
    ct_navigation_agent_move_to(p.u.agents, all, goals, 4);
    ct_navigation_agent_stop(p.u.agents, all, 3);
    ct_navigation_agent_status status;
    for (uint32_t i = 0; i < 3; ++i) {
        assert_false(ct_navigation_agent_status_of(p.u.agents, all[i], &status));
        assert_false(ct_navigation_agent_has(p.u.agents, all[i]));
        assert_null(ct_navigation_agent_data_of(p.u.agents, all[i]));
        ct_navigation_agent_set_speed(p.u.agents, all[i], 1);
        ct_navigation_agent_end_link(p.u.agents, all[i]);
        ct_navigation_agent_set_plays_links(p.u.agents, all[i], true);
    }
    ct_navigation_agent_set_speed(p.u.agents, e, NAN);
    ct_navigation_agent_set_speed(p.u.agents, e, -1);
    ct_navigation_agent_set_speed(p.u.agents, e, 2000);
    assert_true(ct_navigation_agent_data_of(p.u.agents, e)->speed == 1.5f);
    navigation_unit_step(&p.u, 3);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_IDLE);
    ct_navigation_agent_before_step(p.u.agents, NAN);
    ct_navigation_world_step(p.u.world, NAN);
    ct_navigation_agent_after_step(p.u.agents, NAN);
    assert_near(navigation_unit_at(&p.u, e), 4, 4, 0.01f);
    stop_play(&p);
}

static void refuses_data_that_is_damaged(void **state) {
    (void)state;
    play p = start_play(false);
    ct_navigation_agent_data data = navigation_unit_data();
    data.radius = NAN;
    data.moves = 99;
    const uint64_t before = ct_log_warning_count("agent_refused");
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    navigation_unit_step(&p.u, 3);
    assert_int_equal(ct_log_warning_count("agent_refused"), before + 1);
    assert_int_equal(navigation_unit_status(&p.u, e).state, CT_NAVIGATION_OFF);
    stop_play(&p);
}

static void spawns_from_templates_and_ends_with_entities(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_component_manager row = ct_navigation_agent_component_manager(p.u.agents);
    const ct_navigation_agent_data data = navigation_unit_data();
    ct_entity e[4];
    for (uint32_t i = 0; i < 3; ++i)
        e[i] = navigation_unit_entity(&p.u, 4 + 3 * (float)i, 4, 0);
    ct_entity_create(p.u.entities, &e[3], 1); // without a transform
    const uint32_t ids[4] = {0}, indices[4] = {0};
    const ct_component_spawn spawn = {.owners = e,
                                      .ids = ids,
                                      .data = &data,
                                      .data_index = indices,
                                      .num_instances = 4,
                                      .num_copies = 1};
    const uint64_t before = ct_log_error_count_of("agent_without_transform");
    row.spawn(row.manager, &spawn);
    assert_int_equal(ct_log_error_count_of("agent_without_transform"), before + 1);
    assert_int_equal(ct_navigation_agent_count(p.u.agents), 3);
    navigation_unit_step(&p.u, 1);
    for (uint32_t i = 0; i < 3; ++i)
        navigation_unit_send(&p.u, e[i], 20, 4 + 4 * (float)i);
    navigation_unit_step(&p.u, 30);
    const ct_navigation_agents *const agents = ct_navigation_world_parts(p.u.world, p.field).agents;
    assert_int_equal(ct_navigation_agents_count(agents), 3);
    row.entities_destroyed(row.manager, e, 2);
    row.entities_destroyed(row.manager, e, 4);
    assert_int_equal(ct_navigation_agent_count(p.u.agents), 0);
    assert_int_equal(ct_navigation_agents_count(agents), 0);
    navigation_unit_step(&p.u, 2);
    stop_play(&p);
}

static void lists_all_by_slot(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    ct_entity e[5];
    for (uint32_t i = 0; i < 5; ++i) {
        e[i] = navigation_unit_walker(&p.u, &data, 4 + 4 * (float)i, 4);
        navigation_unit_send(&p.u, e[i], 4 + 4 * (float)i, 20);
    }
    navigation_unit_step(&p.u, 60);
    ct_navigation_agent_destroy(p.u.agents, &e[1], 1);
    const ct_navigation_agent_view all = ct_navigation_agent_all(p.u.agents);
    assert_int_equal(all.count, 4);
    for (uint32_t i = 0; i < all.count; ++i) {
        assert_int_not_equal(all.entities[i].id, e[1].id);
        const ct_vec3 at = navigation_unit_at(&p.u, all.entities[i]);
        assert_near(all.positions[i], at.x, at.y, 1e-4f);
        assert_true(all.velocities[i].y > 1.4f);
        assert_int_equal(all.states[i], CT_NAVIGATION_WALKING);
    }
    stop_play(&p);
}

// --- State ---------------------------------------------------------------------------------------

static uint64_t hash_of(const navigation_unit *u) {
    const ct_component_manager row = ct_navigation_agent_component_manager(u->agents);
    ct_state_hash hash = {0};
    row.hash(row.manager, &hash);
    return hash.value;
}

static void the_hash_sees_where_agents_go(void **state) {
    (void)state;
    play p = start_play(false), q = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    const ct_entity f = navigation_unit_walker(&q.u, &data, 4, 4);
    navigation_unit_send(&p.u, e, 14, 4);
    navigation_unit_send(&q.u, f, 14, 4);
    navigation_unit_step(&p.u, 30);
    navigation_unit_step(&q.u, 30);
    assert_true(hash_of(&p.u) == hash_of(&q.u));
    navigation_unit_send(&q.u, f, 14, 4.5f);
    assert_true(hash_of(&p.u) != hash_of(&q.u));
    navigation_unit_send(&q.u, f, 14, 4);
    assert_true(hash_of(&p.u) == hash_of(&q.u));
    ct_navigation_agent_set_speed(q.u.agents, f, 1);
    assert_true(hash_of(&p.u) != hash_of(&q.u));
    stop_play(&p);
    stop_play(&q);
}

static void restored_agents_find_their_entities(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    const ct_entity gone = navigation_unit_walker(&p.u, &data, 4, 8);
    navigation_unit_send(&p.u, e, 14, 4);
    navigation_unit_send(&p.u, gone, 14, 8);
    navigation_unit_step(&p.u, 30);
    const uint64_t num_bytes = ct_navigation_world_save(p.u.world, NULL);
    char *const bytes = malloc(num_bytes);
    ct_navigation_world_save(p.u.world, bytes);
    const ct_vec3 then = navigation_unit_at(&p.u, e);
    navigation_unit_send(&p.u, e, 4, 20);
    navigation_unit_step(&p.u, 200);
    ct_navigation_agent_destroy(p.u.agents, &gone, 1);
    const ct_entity young = navigation_unit_walker(&p.u, &data, 20, 20);
    navigation_unit_step(&p.u, 5);
    ct_error error = {0};
    assert_true(ct_navigation_world_restore(p.u.world, bytes, num_bytes, &error));
    navigation_unit_put(&p.u, e, then.x, then.y, 0); // as a game restores it
    navigation_unit_step(&p.u, 1);
    const ct_navigation_agents *const agents = ct_navigation_world_parts(p.u.world, p.field).agents;
    assert_int_equal(ct_navigation_agents_count(agents), 2);
    assert_true(navigation_unit_status(&p.u, e).goal.x == 14);
    assert_int_equal(navigation_unit_status(&p.u, young).state, CT_NAVIGATION_IDLE);
    navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 600);
    assert_near(navigation_unit_at(&p.u, e), 14, 4, 0.3f);
    free(bytes);
    stop_play(&p);
}

static void keeps_events_until_they_are_taken(void **state) {
    (void)state;
    play p = start_play(false);
    const ct_navigation_agent_data data = navigation_unit_data();
    const ct_entity e = navigation_unit_walker(&p.u, &data, 4, 4);
    for (uint32_t i = 0; i < 3; ++i) {
        navigation_unit_send(&p.u, e, 5 + (float)(i % 2), 4);
        navigation_unit_until(&p.u, e, CT_NAVIGATION_ARRIVED, 300);
        navigation_unit_step(&p.u, 2);
    }
    uint32_t count;
    const ct_navigation_agent_event *const events =
        ct_navigation_agent_take_events(p.u.agents, &count);
    assert_int_equal(count, 3);
    assert_int_equal(events[2].entity.id, e.id);
    assert_int_equal(events[2].instance.id, p.field.id);
    ct_navigation_agent_take_events(p.u.agents, &count);
    assert_int_equal(count, 0);
    stop_play(&p);
}

static void allocates_nothing_after_warm_up(void **state) {
    (void)state;
    ct_allocator *const a = ct_proxy_allocator_create(test_heap(), "navigation agents");
    play p = {.u = navigation_unit_start(a, NULL), .resource = make_field(true)};
    p.field = navigation_unit_add(&p.u, p.resource, ct_mat4_identity());
    const ct_navigation_agent_data data = navigation_unit_data();
    ct_entity e[40];
    for (uint32_t i = 0; i < 40; ++i)
        e[i] = navigation_unit_walker(&p.u, &data, 2 + 1.2f * (float)(i % 10),
                                      2 + 1.2f * (float)(i / 10));
    uint64_t warm = 0;
    for (uint32_t round = 0; round < 16; ++round) {
        if (round == 10)
            warm = ct_allocator_stats_of(a).total_blocks;
        for (uint32_t i = 0; i < 40; ++i)
            navigation_unit_send(&p.u, e[i], round % 2 ? 20 + (float)(i % 10) : 2 + (float)(i % 10),
                                 round % 2 ? 29 - (float)(i / 10) : 2 + (float)(i / 10));
        for (uint32_t k = 0; k < 60; ++k) {
            navigation_unit_step(&p.u, 1);
            uint32_t count;
            ct_navigation_agent_take_events(p.u.agents, &count);
        }
    }
    assert_int_equal(ct_allocator_stats_of(a).total_blocks, warm);
    stop_play(&p);
    ct_proxy_allocator_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_moves_and_turns_transforms),
        cmocka_unit_test(keeps_scale_and_what_does_not_turn),
        cmocka_unit_test(turns_no_faster_than_it_may),
        cmocka_unit_test(an_entity_below_a_parent_walks_in_the_world),
        cmocka_unit_test(an_agent_follows_what_else_moves_its_entity),
        cmocka_unit_test(an_entity_that_is_put_elsewhere_goes_on_from_there),
        cmocka_unit_test(goes_to_the_mesh_that_it_is_on),
        cmocka_unit_test(waits_for_a_mesh_and_keeps_its_goal),
        cmocka_unit_test(a_class_that_does_not_exist_is_warned_about),
        cmocka_unit_test(the_first_class_is_that_of_agents_without),
        cmocka_unit_test(goes_on_when_tiles_are_removed_and_added_below_it),
        cmocka_unit_test(goes_straight_over_links),
        cmocka_unit_test(the_game_plays_links),
        cmocka_unit_test(leaves_out_what_is_not_there),
        cmocka_unit_test(refuses_data_that_is_damaged),
        cmocka_unit_test(spawns_from_templates_and_ends_with_entities),
        cmocka_unit_test(lists_all_by_slot),
        cmocka_unit_test(the_hash_sees_where_agents_go),
        cmocka_unit_test(restored_agents_find_their_entities),
        cmocka_unit_test(keeps_events_until_they_are_taken),
        cmocka_unit_test(allocates_nothing_after_warm_up),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
