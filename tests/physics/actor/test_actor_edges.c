// What is easily got wrong about actors: every order of ends, sleepers, nodes, uneven frames, numbers
// that overflow.
#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "physics/actor/actor_fixture.h"

// --- What happened -------------------------------------------------------------------------------

// How often a pair began and ended to touch, over all updates since `heard` was cleared.
typedef struct heard {
    uint32_t begun, ended, entered, left;
} heard;

static void listen(const actor_fixture *f, heard *h) {
    uint32_t count;
    const ct_physics_event *const events = ct_physics_world_events(f->world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        h->begun += events[i].kind == CT_PHYSICS_TOUCH_BEGIN;
        h->ended += events[i].kind == CT_PHYSICS_TOUCH_END;
        h->entered += events[i].kind == CT_PHYSICS_TRIGGER_ENTER;
        h->left += events[i].kind == CT_PHYSICS_TRIGGER_LEAVE;
    }
}

static void hear(actor_fixture *f, uint32_t frames, heard *h) {
    for (uint32_t i = 0; i < frames; ++i) {
        run(f, 1);
        listen(f, h);
    }
}

static ct_actor make_ground(actor_fixture *f) {
    return make_actor(f, make_entity(f, 0, 0, -1), CT_ACTOR_STATIC, box_shape(20, 20, 1));
}

static ct_actor make_crate(actor_fixture *f, float x, float z) {
    return make_actor(f, make_entity(f, x, 0, z), CT_ACTOR_DYNAMIC, box_shape(0.5f, 0.5f, 0.5f));
}

static ct_actor make_trigger(actor_fixture *f, float x, float y, float z) {
    const ct_trigger_data head = {.is_enabled = 1};
    const ct_actor_data data = ct_trigger_actor_data(&head);
    const ct_actor_shape_data box = box_shape(2, 2, 2);
    return ct_actor_create(f->world,
                           &(ct_actor_desc){.entity = make_entity(f, x, y, z),
                                            .data = &data,
                                            .shapes = &box,
                                            .num_shapes = 1,
                                            .is_trigger = true},
                           NULL);
}

// --- Events --------------------------------------------------------------------------------------

// Three crates lie on each other on the ground: three pairs.
static void each_order_of_ends_ends_each_pair_once(void **state) {
    (void)state;
    static const uint8_t orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2},
                                        {2, 3, 0, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    for (uint32_t o = 0; o < CT_COUNT_OF(orders); ++o) {
        for (uint32_t frames_between = 0; frames_between < 3; ++frames_between) {
            actor_fixture f = start_actors();
            ct_actor actors[4] = {make_ground(&f)};
            for (uint32_t i = 1; i < 4; ++i)
                actors[i] = make_crate(&f, 0, (float)i - 0.5f);
            heard h = {0};
            hear(&f, 20 + 200 * (o & 1), &h); // awake, or asleep
            for (uint32_t i = 0; i < 4; ++i) {
                ct_actor_destroy(f.world, actors[orders[o][i]]);
                hear(&f, frames_between, &h);
            }
            hear(&f, 5, &h);
            assert_true(h.begun >= 3);
            assert_int_equal(h.begun, h.ended);
            stop_actors(&f);
        }
    }
}

// Everything that an event names is ended as soon as it is heard, as a script would.
static void ends_while_events_are_read_lose_and_double_none(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    make_ground(&f);
    for (uint32_t i = 0; i < 20; ++i)
        make_crate(&f, 1.5f * (float)(i % 5), 1 + 1.01f * (float)(i / 5));
    heard h = {0};
    for (uint32_t frame = 0; frame < 300; ++frame) {
        run(&f, 1);
        listen(&f, &h);
        uint32_t count;
        const ct_physics_event *const events = ct_physics_world_events(f.world, &count);
        for (uint32_t i = 0; i < count; ++i) {
            if (events[i].kind != CT_PHYSICS_TOUCH_BEGIN)
                continue;
            const bool a_is_crate = ct_actor_data_of(f.world, events[i].a).body == CT_ACTOR_DYNAMIC;
            ct_actor_destroy(f.world, a_is_crate ? events[i].a : events[i].b);
        }
    }
    assert_true(h.begun >= 20);
    assert_int_equal(h.begun, h.ended);
    assert_int_equal(ct_actor_count(f.world), 1);
    stop_actors(&f);
}

static void a_sleeping_pair_ends_when_one_stops_colliding(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 2; ++which) {
        actor_fixture f = start_actors();
        const ct_actor ground = make_ground(&f), crate = make_crate(&f, 0, 0.5f);
        heard h = {0};
        hear(&f, 300, &h);
        assert_true(ct_bullet_body_is_asleep(ct_actor_bullet(f.world, crate)));
        ct_actor_set_collision_enabled(f.world, which ? ground : crate, false);
        hear(&f, 30, &h);
        assert_int_equal(h.begun, 1);
        assert_int_equal(h.ended, 1);
        assert_true(ct_actor_pose(f.world, crate).position.z < 0.4f); // it falls
        stop_actors(&f);
    }
}

static void a_sleeping_crate_falls_when_its_ground_goes(void **state) {
    (void)state;
    for (uint32_t how = 0; how < 3; ++how) {
        actor_fixture f = start_actors();
        const ct_actor ground = make_ground(&f), crate = make_crate(&f, 0, 0.5f);
        heard h = {0};
        hear(&f, 300, &h);
        assert_true(ct_bullet_body_is_asleep(ct_actor_bullet(f.world, crate)));
        const ct_rigid_pose below = {{{0, 0, -50}}, {{0, 0, 0, 1}}};
        if (how == 0)
            ct_actor_destroy(f.world, ground);
        else if (how == 1)
            ct_actor_teleport(f.world, ground, below);
        else
            place(&f, ct_actor_entity(f.world, ground), 0, 0, -50);
        hear(&f, 30, &h);
        assert_true(ct_actor_pose(f.world, crate).position.z < 0);
        assert_int_equal(h.begun, 1);
        assert_int_equal(h.ended, 1);
        stop_actors(&f);
    }
}

static void a_trigger_hears_of_what_jumps_out_of_it(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    make_trigger(&f, 0, 0, 0);
    const ct_entity platform = make_entity(&f, 0, 0, 0);
    const ct_actor a = make_actor(&f, platform, CT_ACTOR_KINEMATIC, box_shape(1, 1, 1));
    heard h = {0};
    hear(&f, 60, &h);
    assert_int_equal(h.entered, 1); // also though neither ever moved
    place(&f, platform, 100, 0, 0);
    hear(&f, 5, &h);
    assert_int_equal(h.left, 1);
    place(&f, platform, 0, 0, 0);
    hear(&f, 60, &h);
    assert_int_equal(h.entered, 2);
    ct_actor_teleport(f.world, a, (ct_rigid_pose){{{100, 0, 0}}, {{0, 0, 0, 1}}});
    hear(&f, 5, &h);
    assert_int_equal(h.left, 2);
    ct_actor_teleport(f.world, a, (ct_rigid_pose){{{0, 0, 0}}, {{0, 0, 0, 1}}});
    hear(&f, 60, &h);
    assert_int_equal(h.entered, 3);
    ct_actor_destroy(f.world, a);
    hear(&f, 5, &h);
    assert_int_equal(h.left, 3);
    stop_actors(&f);
}

static void a_trigger_that_is_disabled_is_left(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor t = make_trigger(&f, 0, 0, 0);
    make_actor(&f, make_entity(&f, 0, 0, 0), CT_ACTOR_KEYFRAMED, box_shape(1, 1, 1));
    make_ground(&f);
    make_crate(&f, 0, 1.6f);
    heard h = {0};
    hear(&f, 300, &h);
    assert_int_equal(h.entered, 2);
    ct_actor_set_collision_enabled(f.world, t, false);
    hear(&f, 5, &h);
    assert_int_equal(h.left, 2);
    ct_actor_set_collision_enabled(f.world, t, true);
    hear(&f, 5, &h);
    assert_int_equal(h.entered, 4);
    stop_actors(&f);
}

static void events_are_sorted_and_say_when(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    for (uint32_t i = 0; i < 12; ++i)
        make_crate(&f, 3 * (float)(i % 6), i < 6 ? 0.55f : 1.6f);
    make_ground(&f);
    uint32_t num_seen = 0;
    for (uint32_t frame = 0; frame < 60; ++frame) {
        ct_physics_world_update(f.world, 2 * STEP);
        uint32_t count;
        const ct_physics_event *const e = ct_physics_world_events(f.world, &count);
        num_seen += count;
        for (uint32_t i = 0; i < count; ++i) {
            assert_true(e[i].time >= 0 && (double)e[i].time <= 2 * STEP + 1e-6);
            assert_true(i == 0 || e[i - 1].time <= e[i].time);
            if (i == 0 || e[i - 1].time < e[i].time)
                continue;
            assert_true(e[i - 1].a.id < e[i].a.id ||
                        (e[i - 1].a.id == e[i].a.id && e[i - 1].b.id <= e[i].b.id));
        }
    }
    assert_true(num_seen >= 12);
    stop_actors(&f);
}

// --- Nodes ---------------------------------------------------------------------------------------

static ct_scene_graph add_graph(actor_fixture *f, ct_entity e, uint32_t count) {
    ct_scene_graph_node_data nodes[4];
    for (uint32_t i = 0; i < count; ++i) {
        ct_schema_defaults(ct_component_type_named("scene_graph")->instance_schema, &nodes[i]);
        nodes[i].name.value = i + 1;
        nodes[i].parent = i;
        nodes[i].position[0] = 1;
    }
    return ct_scene_graph_create(f->graphs, e, 7, nodes, count);
}

static ct_actor make_on_node(actor_fixture *f, ct_entity e, uint32_t body, uint32_t node,
                             ct_actor_shape_data shape) {
    ct_actor_data data = actor_data(body);
    ct_error error = {0};
    data.node.value = node;
    const ct_actor a = ct_actor_create(
        f->world, &(ct_actor_desc){.entity = e, .data = &data, .shapes = &shape, .num_shapes = 1},
        &error);
    assert_int_equal(ct_actor_node(f->world, a), node);
    return a;
}

static void what_lies_on_a_static_node_sleeps(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity house = make_entity(&f, -1, 0, -1);
    add_graph(&f, house, 1);
    make_on_node(&f, house, CT_ACTOR_STATIC, 1, box_shape(20, 20, 1));
    const ct_actor crate = make_crate(&f, 0, 0.5f);
    run(&f, 300);
    assert_true(ct_bullet_body_is_asleep(ct_actor_bullet(f.world, crate)));
    stop_actors(&f);
}

static void a_dynamic_actor_moves_its_node_only(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity cart = make_entity(&f, 0, 0, 10);
    const ct_scene_graph g = add_graph(&f, cart, 2);
    const ct_actor a = make_on_node(&f, cart, CT_ACTOR_DYNAMIC, 2, box_shape(0.1f, 0.1f, 0.1f));
    assert_true(fabsf(ct_actor_pose(f.world, a).position.x - 2) < 1e-5f);
    run(&f, 30);
    const float z = ct_actor_pose(f.world, a).position.z;
    assert_true(z < 9.5f);
    assert_true(fabsf(position_of(&f, cart).z - 10) < 1e-6f);
    assert_true(fabsf(ct_scene_graph_local_position(f.graphs, g, 2).z - (z - 10)) < 0.1f);
    // Moving the node teleports it.
    ct_scene_graph_set_local_position(f.graphs, g, 2, ct_vec3_make(1, 50, 0));
    run(&f, 1);
    assert_true(fabsf(ct_actor_pose(f.world, a).position.y - 50) < 0.01f);
    ct_scene_graph_clear_changed(f.graphs);
    run(&f, 10);
    assert_true(fabsf(ct_actor_pose(f.world, a).position.y - 50) < 0.01f);
    stop_actors(&f);
}

static void kinematic_actors_follow_nodes_that_change_after_a_step(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity door = make_entity(&f, 0, 0, 0);
    const ct_scene_graph g = add_graph(&f, door, 1);
    const ct_actor a = make_on_node(&f, door, CT_ACTOR_KEYFRAMED, 1, box_shape(1, 1, 1));
    run(&f, 3);
    ct_scene_graph_set_local_position(f.graphs, g, 1, ct_vec3_make(1, 0, 3));
    ct_scene_graph_update(f.graphs);
    ct_scene_graph_clear_changed(f.graphs); // what is drawn has seen it
    run(&f, 2);
    assert_true(fabsf(ct_actor_pose(f.world, a).position.z - 3) < 1e-4f);
    stop_actors(&f);
}

static void a_change_of_scale_is_warned_of_and_ignored(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    make_ground(&f);
    const ct_actor a = make_crate(&f, 0, 0.5f);
    ct_transform_set_local_scale(f.transforms,
                                 ct_transform_lookup(f.transforms, ct_actor_entity(f.world, a)),
                                 ct_vec3_make(3, 3, 3));
    run(&f, 120);
    assert_true(fabsf(ct_actor_pose(f.world, a).position.z - 0.5f) < 0.02f);
    stop_actors(&f);
}

// --- Time ----------------------------------------------------------------------------------------

// At 50 frames a second, a frame has one step or two: the velocity is that of the node all the same.
static void velocities_do_not_depend_on_frames(void **state) {
    (void)state;
    static const double frames[] = {1.0 / 50, 1.0 / 144, 1.0 / 60, 1.0 / 23};
    for (uint32_t k = 0; k < CT_COUNT_OF(frames); ++k) {
        actor_fixture f = start_actors();
        const ct_entity lift = make_entity(&f, 0, 0, 0);
        const ct_actor a = make_actor(&f, lift, CT_ACTOR_KINEMATIC, box_shape(1, 1, 1));
        double at = 0;
        for (uint32_t i = 0; i < 200; ++i) {
            at += 2 * frames[k];
            place(&f, lift, 0, 0, (float)at);
            ct_physics_world_update(f.world, frames[k]);
            const float speed = ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).z;
            if (i > 20 && fabsf(speed - 2) > 0.05f)
                fail_msg("%g m/s at %g frames in a second", (double)speed, 1 / frames[k]);
        }
        for (uint32_t i = 0; i < 20; ++i)
            ct_physics_world_update(f.world, frames[k]);
        assert_true(fabs((double)ct_actor_pose(f.world, a).position.z - at) < 1e-3);
        assert_true(ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).z == 0);
        stop_actors(&f);
    }
}

static void an_update_of_no_time_changes_nothing(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor a = make_crate(&f, 0, 5);
    run(&f, 10);
    const ct_vec3 before = position_of(&f, ct_actor_entity(f.world, a));
    for (uint32_t i = 0; i < 10; ++i)
        ct_physics_world_update(f.world, 0);
    const ct_vec3 after = position_of(&f, ct_actor_entity(f.world, a));
    assert_memory_equal(&before, &after, sizeof(before));
    stop_actors(&f);
}

// --- Numbers that overflow -----------------------------------------------------------------------

static bool is_inside(ct_vec3 at) {
    return fabsf(at.x) < 1e9f && fabsf(at.y) < 1e9f && fabsf(at.z) < 1e9f;
}

static void what_flies_off_is_put_back_and_stopped(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor a = make_crate(&f, 9.9999e8f, 5), other = make_crate(&f, 10, 5);
    ct_bullet_body_set_velocity(ct_actor_bullet(f.world, a), ct_vec3_make(1e6f, 0, 0));
    run(&f, 30);
    assert_true(is_inside(position_of(&f, ct_actor_entity(f.world, a))));
    assert_true(is_inside(ct_actor_pose(f.world, a).position));
    assert_true(ct_bullet_body_velocity(ct_actor_bullet(f.world, a)).x == 0);
    assert_true(ct_actor_pose(f.world, other).position.z < 4.5f); // it falls on
    stop_actors(&f);
}

static void the_fastest_velocity_moves_nothing_out_of_numbers(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor a = make_crate(&f, 0, 5), other = make_crate(&f, 10, 5);
    ct_bullet_body_set_velocity(ct_actor_bullet(f.world, a), ct_vec3_make(3e38f, -3e38f, 3e38f));
    ct_bullet_body_set_angular_velocity(ct_actor_bullet(f.world, a), ct_vec3_make(0, 3e38f, 1));
    run(&f, 30);
    assert_true(is_inside(position_of(&f, ct_actor_entity(f.world, a))));
    assert_true(is_inside(ct_actor_pose(f.world, a).position));
    assert_true(ct_actor_pose(f.world, other).position.z < 4.5f);
    stop_actors(&f);
}

static void count_message(void *user, ct_log_level level, const char *system, const char *message) {
    (void)level, (void)system, (void)message;
    ++*(uint32_t *)user;
}

static void the_same_error_of_many_actors_is_a_few_lines(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    uint32_t num_lines = 0;
    ct_actor_data data = actor_data(CT_ACTOR_STATIC);
    data.filter = (ct_string_id32){12345};
    const ct_actor_shape_data box = box_shape(1, 1, 1);
    const uint64_t before = ct_log_error_count_of("actor");
    ct_log_add_sink(&(ct_log_sink){.write = count_message, .user = &num_lines});
    for (uint32_t i = 0; i < 2000; ++i) {
        ct_error error = {0};
        assert_int_not_equal(ct_actor_create(f.world,
                                             &(ct_actor_desc){.data = &data,
                                                              .pose = {.rotation = {{0, 0, 0, 1}}},
                                                              .shapes = &box,
                                                              .num_shapes = 1},
                                             &error)
                                 .id,
                             0);
    }
    ct_log_remove_sink(count_message, &num_lines);
    assert_int_equal(ct_log_error_count_of("actor") - before, 2000);
    assert_true(num_lines >= 1 && num_lines < 500);
    stop_actors(&f);
}

// --- Changing actors -----------------------------------------------------------------------------

static void an_actor_becomes_dynamic_and_back(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity e = make_entity(&f, 0, 0, 5);
    const ct_actor a = make_actor(&f, e, CT_ACTOR_KINEMATIC, box_shape(1, 1, 1));
    run(&f, 30);
    assert_true(position_of(&f, e).z == 5);
    ct_error error = {0};
    assert_true(ct_actor_set_body(f.world, a, CT_ACTOR_DYNAMIC, &error));
    run(&f, 30);
    const float z = position_of(&f, e).z;
    assert_true(z < 4.5f);
    assert_true(ct_actor_set_body(f.world, a, CT_ACTOR_STATIC, &error));
    run(&f, 30);
    assert_true(fabsf(position_of(&f, e).z - z) < 0.2f);
    assert_int_equal(ct_actor_data_of(f.world, a).body, CT_ACTOR_STATIC);
    stop_actors(&f);
}

static void an_actor_that_cannot_be_dynamic_stays_as_it_is(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor_shape_data plane = {.type = CT_ACTOR_SHAPE_PLANE, .rotation = {0, 0, 0, 1}};
    const ct_actor a = make_actor(&f, make_entity(&f, 0, 0, 0), CT_ACTOR_STATIC, plane);
    const ct_actor crate = make_crate(&f, 0, 1);
    ct_error error = {0};
    assert_false(ct_actor_set_body(f.world, a, CT_ACTOR_DYNAMIC, &error));
    assert_non_null(strstr(error.message, "a plane cannot be dynamic"));
    assert_int_equal(ct_actor_data_of(f.world, a).body, CT_ACTOR_STATIC);
    assert_non_null(ct_actor_bullet(f.world, a));
    run(&f, 60);
    assert_float_equal(position_of(&f, ct_actor_entity(f.world, crate)).z, 0.5, 0.01);
    stop_actors(&f);
}

static void an_actor_too_far_away_stays_as_it_is(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor a =
        make_actor(&f, make_entity(&f, 0, 0, 0), CT_ACTOR_STATIC, box_shape(1, 1, 1));
    ct_actor_teleport(f.world, a, (ct_rigid_pose){{{0, 1e9f, 0}}, {{0, 0, 0, 1}}});
    ct_error error = {0};
    assert_false(ct_actor_set_body(f.world, a, CT_ACTOR_DYNAMIC, &error));
    assert_string_equal(error.message, "it is at 1e+09 along y; expected numbers below 1e9");
    assert_int_equal(ct_actor_data_of(f.world, a).body, CT_ACTOR_STATIC);
    assert_non_null(ct_actor_bullet(f.world, a));
    ct_actor_teleport(f.world, a, (ct_rigid_pose){{{0, 1, 0}}, {{0, 0, 0, 1}}});
    assert_true(ct_actor_set_body(f.world, a, CT_ACTOR_DYNAMIC, &error));
    run(&f, 2);
    stop_actors(&f);
}

static void an_ended_actor_is_ignored(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor a = make_crate(&f, 0, 5);
    run(&f, 2); // it is in every list
    ct_actor_destroy(f.world, a);
    ct_actor_destroy(f.world, a);
    ct_actor_teleport(f.world, a, (ct_rigid_pose){{{1, 2, 3}}, {{0, 0, 0, 1}}});
    assert_true(ct_actor_set_body(f.world, a, CT_ACTOR_STATIC, NULL));
    ct_actor_set_damping(f.world, a, 0, 0);
    ct_actor_set_gravity_enabled(f.world, a, false);
    ct_actor_set_collision_enabled(f.world, a, false);
    ct_actor_set_scene_query_enabled(f.world, a, false);
    assert_true(ct_actor_set_filter(f.world, a, ct_string_id32_of("default")));
    assert_false(ct_actor_set_filter(f.world, a, ct_string_id32_of("nothing")));
    assert_int_equal(ct_actor_name(f.world, a).value, 0);
    assert_int_equal(ct_actor_data_of(f.world, a).given, 0);
    assert_int_equal(ct_actor_next(f.world, a).id, 0);
    assert_int_equal(ct_actor_first(f.world, ct_actor_entity(f.world, a)).id, 0);
    run(&f, 2);
    stop_actors(&f);
}

static void actors_of_an_entity_keep_their_order(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity e = make_entity(&f, 0, 0, 0);
    ct_actor actors[5];
    for (uint32_t i = 0; i < 5; ++i)
        actors[i] = make_actor(&f, e, CT_ACTOR_STATIC, box_shape(1, 1, 1));
    static const uint8_t ends[] = {2, 0, 4};
    for (uint32_t i = 0; i < CT_COUNT_OF(ends); ++i)
        ct_actor_destroy(f.world, actors[ends[i]]);
    assert_int_equal(ct_actor_first(f.world, e).id, actors[1].id);
    assert_int_equal(ct_actor_next(f.world, actors[1]).id, actors[3].id);
    assert_int_equal(ct_actor_next(f.world, actors[3]).id, 0);
    stop_actors(&f);
}

static void a_crowd_at_one_place_is_refused(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor_data data = actor_data(CT_ACTOR_DYNAMIC);
    const ct_actor_shape_data box = box_shape(1, 1, 1);
    ct_error error = {0};
    uint32_t count = 0;
    while (count < 4096 &&
           ct_actor_create(f.world,
                           &(ct_actor_desc){.entity = make_entity(&f, 1e-5f * (float)count, 0, 0),
                                            .data = &data,
                                            .shapes = &box,
                                            .num_shapes = 1},
                           &error)
               .id)
        ++count;
    assert_in_range(count, 1025, 2000);
    assert_non_null(strstr(error.message, "more than 1024 others are at its place"));
    assert_int_equal(ct_actor_count(f.world), count);
    make_actor(&f, make_entity(&f, 10, 0, 0), CT_ACTOR_DYNAMIC, box); // elsewhere
    stop_actors(&f);
}

// Why a dynamic plane on an entity was refused.
static ct_error refused_plane(actor_fixture *f, ct_entity e, ct_string_id32 name, uint32_t id,
                              bool is_trigger) {
    ct_actor_data data = actor_data(CT_ACTOR_DYNAMIC);
    data.name = name;
    ct_actor_shape_data shape = {.type = CT_ACTOR_SHAPE_PLANE, .rotation = {0, 0, 0, 1}};
    if (is_trigger)
        shape.type = CT_ACTOR_SHAPE_BOX; // of no size
    const ct_actor_desc desc = {.entity = e,
                                .component_id = id,
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1,
                                .is_trigger = is_trigger};
    ct_error error = {0};
    assert_int_equal(ct_actor_create(f->world, &desc, &error).id, 0);
    return error;
}

static void expect_start(const ct_error *error, const char *start) {
    if (strncmp(error->message, start, strlen(start)) != 0)
        fail_msg("found \"%s\", expected \"%s…\"", error->message, start);
}

static void errors_name_the_actor(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_entity e = make_entity(&f, 0, 0, 0);
    const ct_string_id32 none = {0}, known = ct_string_id32_register("crate_of_names"),
                         id = ct_string_id32_register("body_of_names");
    ct_error error = refused_plane(&f, e, known, id.value, false);
    expect_start(&error, "the actor \"crate_of_names\" of ");
    assert_non_null(strstr(error.message, "a plane cannot be dynamic"));
    error = refused_plane(&f, e, none, id.value, false);
    expect_start(&error, "the actor component \"body_of_names\" of ");
    error = refused_plane(&f, e, none, 0, true);
    expect_start(&error, "the trigger of ");
    // A text that is not known is no name to people.
    const ct_string_id32 unknown = ct_string_id32_of("nobody registers this");
    error = refused_plane(&f, e, unknown, unknown.value, false);
    expect_start(&error, "the actor of ");
    make_actor(&f, e, CT_ACTOR_STATIC, box_shape(1, 1, 1));
    error = refused_plane(&f, e, unknown, unknown.value, false);
    expect_start(&error, "the actor 2 of ");
    stop_actors(&f);
}

typedef struct kept_lines {
    uint32_t count;
    char text[8][1024];
} kept_lines;

static void keep_line(void *user, ct_log_level level, const char *system, const char *text) {
    (void)level, (void)system;
    kept_lines *const lines = user;
    if (lines->count < 8)
        snprintf(lines->text[lines->count], sizeof(lines->text[0]), "%s", text);
    ++lines->count;
}

static void a_missing_name_is_told_once_with_the_number_of_actors(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    ct_actor_data data = actor_data(CT_ACTOR_DYNAMIC);
    data.material = ct_string_id32_register("gone_wood");
    const ct_actor_shape_data box = box_shape(1, 1, 1);
    ct_error error = {0};
    for (uint32_t i = 0; i < 5; ++i) {
        const ct_actor_desc desc = {.entity = make_entity(&f, 10 * (float)i, 0, 0),
                                    .data = &data,
                                    .shapes = &box,
                                    .num_shapes = 1};
        assert_int_not_equal(ct_actor_create(f.world, &desc, &error).id, 0);
    }
    make_actor(&f, make_entity(&f, -10, 0, 0), CT_ACTOR_STATIC, box); // names what there is
    kept_lines lines = {0};
    ct_log_add_sink(&(ct_log_sink){.user = &lines, .write = keep_line});
    ct_physics_system_use(f.system, (ct_string_id64){0}); // all look their names up again
    ct_log_remove_sink(keep_line, &lines);
    assert_int_equal(lines.count, 1);
    assert_non_null(strstr(lines.text[0], "5 actors, the first is the actor"));
    assert_non_null(strstr(lines.text[0], "the physics resource has no material \"gone_wood\"; it "
                                          "has \"default\"; "));
    stop_actors(&f);
}

static void without_physics_the_values_are_those_of_the_schema(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_physics_resource *const r = ct_physics_system_resource(f.system);
    ct_physics_source s;
    ct_schema_defaults(&ct_physics_schema, &s);
    for (uint32_t i = 0; i < 3; ++i)
        assert_float_equal(r->gravity[i], s.gravity[i], 0);
    assert_float_equal(r->step, s.step, 0);
    assert_int_equal(r->max_steps, s.max_steps);
    assert_int_equal(r->solver_iterations, s.solver_iterations);
    assert_float_equal(r->sleep_linear, s.sleep_linear, 0);
    assert_float_equal(r->sleep_angular, s.sleep_angular, 0);
    stop_actors(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_order_of_ends_ends_each_pair_once),
        cmocka_unit_test(ends_while_events_are_read_lose_and_double_none),
        cmocka_unit_test(a_sleeping_pair_ends_when_one_stops_colliding),
        cmocka_unit_test(a_sleeping_crate_falls_when_its_ground_goes),
        cmocka_unit_test(a_trigger_hears_of_what_jumps_out_of_it),
        cmocka_unit_test(a_trigger_that_is_disabled_is_left),
        cmocka_unit_test(events_are_sorted_and_say_when),
        cmocka_unit_test(what_lies_on_a_static_node_sleeps),
        cmocka_unit_test(a_dynamic_actor_moves_its_node_only),
        cmocka_unit_test(kinematic_actors_follow_nodes_that_change_after_a_step),
        cmocka_unit_test(a_change_of_scale_is_warned_of_and_ignored),
        cmocka_unit_test(velocities_do_not_depend_on_frames),
        cmocka_unit_test(an_update_of_no_time_changes_nothing),
        cmocka_unit_test(what_flies_off_is_put_back_and_stopped),
        cmocka_unit_test(the_fastest_velocity_moves_nothing_out_of_numbers),
        cmocka_unit_test(the_same_error_of_many_actors_is_a_few_lines),
        cmocka_unit_test(an_actor_becomes_dynamic_and_back),
        cmocka_unit_test(an_actor_that_cannot_be_dynamic_stays_as_it_is),
        cmocka_unit_test(an_actor_too_far_away_stays_as_it_is),
        cmocka_unit_test(an_ended_actor_is_ignored),
        cmocka_unit_test(actors_of_an_entity_keep_their_order),
        cmocka_unit_test(a_crowd_at_one_place_is_refused),
        cmocka_unit_test(errors_name_the_actor),
        cmocka_unit_test(a_missing_name_is_told_once_with_the_number_of_actors),
        cmocka_unit_test(without_physics_the_values_are_those_of_the_schema),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
