// Units of three worlds over a session: spawning, following, owners, levels.
#include <math.h>

#include "foundation/math/math.h"
#include "world/network/units_fixture.h"

static ct_data_manager *data_of(units_fixture *f) {
    return ct_world_system_data(f->world.system);
}

static ct_data_value value_at(units_fixture *f, ct_entity unit, const char *key) {
    const ct_data_instance i = ct_data_first(data_of(f), unit);
    return i.slot ? ct_data_get(data_of(f), i, ct_data_key_of(&key, 1)) : (ct_data_value){0};
}

static void put_value(units_fixture *f, ct_entity unit, const char *key, ct_data_value value) {
    ct_data_instance i = ct_data_first(data_of(f), unit);
    if (!i.slot)
        i = ct_data_create(data_of(f), unit, 1);
    assert_true(ct_data_set(data_of(f), i, ct_data_key_of(&key, 1), value, NULL));
}

static ct_actor add_ball_actor(ct_world *w, ct_entity e) {
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.body = CT_ACTOR_DYNAMIC;
    data.has_gravity = 0;
    data.given = CT_ACTOR_GIVEN_MASK;
    const ct_actor_shape_data shape = {
        .type = CT_ACTOR_SHAPE_SPHERE, .rotation = {0, 0, 0, 1}, .radius = 0.5f};
    const ct_actor_desc desc = {.entity = e,
                                .pose = {.rotation = ct_quat_identity()},
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1};
    ct_error error = {0};
    const ct_actor actor = ct_actor_create(ct_world_physics(w), &desc, &error);
    if (!actor.id)
        fail_msg("%s", error.message);
    return actor;
}

static void spawns_and_destroys_units_at_all(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity ball = spawn_ball(f, 0, 1, 2, 3);
    const ct_network_object_id object = object_at(f, 0, ball);
    assert_int_not_equal(object, 0);
    run_units(f, 1);
    for (uint32_t i = 1; i < UNITS_NODES; ++i) {
        const ct_entity other = unit_at(f, i, object);
        assert_true(ct_world_has_unit(f->nodes[i].world, other));
        assert_int_equal(ct_world_unit_resource(f->nodes[i].world, other).value,
                         ct_string_id64_of("units/ball").value);
        assert_int_equal(object_at(f, i, other), object);
        assert_near(f, i, other, 1, 2, 3);
    }
    const ct_entity theirs = unit_at(f, 1, object);
    ct_error error = {0};
    assert_false(ct_unit_synchronizer_destroy_unit(f->nodes[1].s, theirs, &error));
    assert_non_null(strstr(error.message, "belongs to peer"));
    assert_true(ct_unit_synchronizer_destroy_unit(f->nodes[0].s, ball, &error));
    assert_false(is_alive(&f->world, ball));
    run_units(f, 1);
    assert_false(is_alive(&f->world, theirs));
    assert_int_equal(ct_unit_synchronizer_count(f->nodes[1].s), 0);
    assert_int_equal(ct_unit_synchronizer_count(f->nodes[2].s), 0);
    stop_units(f);
}

static void units_that_the_game_destroys_end_their_objects(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity mine = spawn_ball(f, 1, 0, 0, 0), kept = spawn_ball(f, 1, 5, 0, 0);
    const ct_network_object_id object = object_at(f, 1, mine), other = object_at(f, 1, kept);
    run_units(f, 1);
    ct_entity theirs = unit_at(f, 0, other);
    ct_world_destroy_units(f->nodes[1].world, &mine, 1);
    assert_int_equal(object_at(f, 1, mine), 0);
    ct_world_destroy_units(f->nodes[0].world, &theirs, 1); // of another peer: only not shown
    run_units(f, 1);
    assert_int_equal(unit_at(f, 0, object).id, 0);
    assert_int_equal(unit_at(f, 2, object).id, 0);
    assert_int_equal(unit_at(f, 0, other).id, 0);
    assert_int_not_equal(unit_at(f, 2, other).id, 0);
    assert_int_equal(unit_at(f, 1, other).id, kept.id);
    assert_int_equal(ct_network_session_object_type(f->nodes[0].node->session, object), UINT32_MAX);
    stop_units(f);
}

// --- Following -----------------------------------------------------------------------------------

static ct_entity mover, follower;
static float last_x, most_step, least_step;

static void note_follower(units_fixture *f, units_node *n) {
    if (n == &f->nodes[1] && follower.id) {
        const float x = place_at(f, 1, follower).x;
        most_step = fmaxf(most_step, x - last_x);
        least_step = fminf(least_step, x - last_x);
        last_x = x;
    }
}

static void move_evenly(units_fixture *f, units_node *n) {
    if (n == &f->nodes[0]) {
        const ct_vec3 p = place_at(f, 0, mover);
        move_to(f, 0, mover, p.x + 6.0f / 60, 0, 0);
    }
    note_follower(f, n);
}

static void others_follow_evenly_though_packets_are_lost(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    f->net.most_delay = 0.06f;
    run_units(f, 2);
    f->net.loss = 0.1f;
    mover = spawn_ball(f, 0, 0, 0, 0);
    follower = (ct_entity){0};
    f->game = move_evenly;
    run_units(f, 2);
    follower = unit_at(f, 1, object_at(f, 0, mover));
    assert_int_not_equal(follower.id, 0);
    last_x = place_at(f, 1, follower).x;
    most_step = 0, least_step = 10;
    run_units(f, 4);
    print_message("steps of 0.1 m: %g to %g m, %g m behind\n", (double)least_step,
                  (double)most_step, (double)(place_at(f, 0, mover).x - last_x));
    assert_true(most_step < 0.2f && least_step > 0.02f);
    assert_true(place_at(f, 0, mover).x - last_x < 6 * 0.4f);
    f->game = NULL;
    f->net.loss = 0;
    run_units(f, 1);
    const ct_vec3 end = place_at(f, 0, mover);
    assert_near(f, 1, follower, end.x, end.y, end.z);
    stop_units(f);
}

static void data_follows(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity ball = spawn_ball(f, 1, 0, 0, 0);
    const float list[3] = {1, 2.5f, -3};
    put_value(f, ball, "health", ct_data_float(41.6f));
    put_value(f, ball, "share", ct_data_float(0.3f));
    put_value(f, ball, "is_hot", ct_data_bool(true));
    put_value(f, ball, "label", ct_data_string("hello", 5));
    put_value(f, ball, "list", ct_data_floats(list, 3));
    put_value(f, ball, "holder", ct_data_string("00000000DEADbeef", 16));
    put_value(f, ball, "private", ct_data_float(1));
    run_units(f, 1);
    const ct_entity other = unit_at(f, 0, object_at(f, 1, ball));
    assert_true(value_at(f, other, "health").number == 42);
    assert_true(value_at(f, other, "share").number == 0.3f);
    assert_true(value_at(f, other, "is_hot").type == CT_DATA_TYPE_BOOL &&
                value_at(f, other, "is_hot").boolean);
    assert_string_equal(value_at(f, other, "label").text, "hello");
    assert_int_equal(value_at(f, other, "list").count, 3);
    assert_memory_equal(value_at(f, other, "list").numbers, list, sizeof(list));
    assert_string_equal(value_at(f, other, "holder").text, "00000000deadbeef");
    assert_int_equal(value_at(f, other, "private").type, CT_DATA_TYPE_NONE);
    // What the field does not take stays as it was.
    put_value(f, ball, "health", ct_data_string("full", 4));
    put_value(f, ball, "list", ct_data_floats((float[5]){1, 2, 3, 4, 5}, 5));
    put_value(f, ball, "label", ct_data_string("a text of more than 20 bytes", 28));
    put_value(f, ball, "share", ct_data_float(0.6f));
    run_units(f, 1);
    assert_true(value_at(f, other, "health").number == 42);
    assert_int_equal(value_at(f, other, "list").count, 3);
    assert_string_equal(value_at(f, other, "label").text, "hello");
    assert_true(value_at(f, other, "share").number == 0.6f);
    stop_units(f);
}

// --- What is not there ---------------------------------------------------------------------------

static void units_that_are_not_loaded_come_later(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    ct_unit_synchronizer_set_world(f->nodes[2].s, NULL);
    const ct_entity ball = spawn_ball(f, 0, 1, 1, 1);
    run_units(f, 0.5);
    assert_int_equal(ct_unit_synchronizer_num_waiting(f->nodes[2].s), 1);
    ct_unit_synchronizer_set_world(f->nodes[2].s, f->nodes[2].world);
    // An object of a unit that there is nowhere.
    const ct_network_record_type *const record =
        &ct_network_config_objects(f->config)[units_type(f, "ball")];
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(f->config, record),
           sizeof(*words) * record->num_words);
    assert_true(ct_network_record_set(
        f->config, record, ct_network_config_field(f->config, record, ct_string_id32_of("unit")),
        UINT32_MAX,
        &(ct_network_value){.kind = CT_NETWORK_ID, .id = ct_string_id64_of("units/late").value},
        words, NULL));
    const ct_network_object_id late = ct_network_session_create_object(
        f->nodes[0].node->session, units_type(f, "ball"), words, NULL);
    run_units(f, 0.5);
    assert_int_not_equal(unit_at(f, 2, object_at(f, 0, ball)).id, 0);
    assert_int_equal(ct_unit_synchronizer_num_waiting(f->nodes[1].s), 1);
    static const template_entity entity = {CT_NO_PARENT, {{0, 0, 0}}, "late", 0,
                                           false,        false,       false,  0};
    load_unit(&f->world, "units/late", &entity, 1);
    run_units(f, 0.1);
    assert_int_equal(ct_unit_synchronizer_num_waiting(f->nodes[1].s), 0);
    assert_int_not_equal(unit_at(f, 1, late).id, 0);
    stop_units(f);
}

static void joiners_after_the_start_get_units(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity ball = spawn_ball(f, 0, 4, 0, 0);
    run_units(f, 0.5);
    ct_unit_synchronizer_destroy(f->nodes[1].s); // one that is made later has the objects, too
    const ct_network_object_id object = object_at(f, 0, ball);
    f->nodes[1].s = ct_unit_synchronizer_create(f->world.allocator, f->nodes[1].node->session);
    ct_unit_synchronizer_set_world(f->nodes[1].s, f->nodes[1].world);
    run_units(f, 0.5);
    assert_near(f, 1, unit_at(f, 1, object), 4, 0, 0);
    stop_units(f);
}

static void refuses_types_that_fit_no_unit(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    ct_error error = {0};
    assert_int_equal(ct_unit_synchronizer_spawn_unit(f->nodes[0].s, units_type(f, "odd"),
                                                     "units/ball", NULL, NULL, &error)
                         .id,
                     0);
    assert_non_null(strstr(error.message,
                           "object type \"odd\": the field \"target\" of kind object "
                           "is no part of a unit; it could be bool, integer"));
    assert_int_equal(ct_unit_synchronizer_spawn_unit(f->nodes[0].s, units_type(f, "plain"),
                                                     "units/ball", NULL, NULL, &error)
                         .id,
                     0);
    assert_non_null(strstr(error.message, "object type \"plain\" has no field \"unit\""));
    assert_int_equal(ct_unit_synchronizer_spawn_unit(f->nodes[0].s, units_type(f, "ball"),
                                                     "units/none", NULL, NULL, &error)
                         .id,
                     0);
    assert_non_null(strstr(error.message, "units/none"));
    uint32_t count;
    ct_world_units(f->world.world, &count);
    assert_int_equal(count, 0);
    // Objects of such types from others are refused once; those without units are left alone.
    assert_int_not_equal(ct_network_session_create_object(f->nodes[0].node->session,
                                                          units_type(f, "odd"), NULL, NULL),
                         0);
    assert_int_not_equal(ct_network_session_create_object(f->nodes[0].node->session,
                                                          units_type(f, "plain"), NULL, NULL),
                         0);
    run_units(f, 0.5);
    assert_int_equal(ct_unit_synchronizer_num_waiting(f->nodes[1].s), 0);
    stop_units(f);
}

// --- Owners --------------------------------------------------------------------------------------

static void give(units_fixture *f, uint32_t from, uint32_t to, ct_network_object_id object) {
    assert_true(ct_network_session_give_object(f->nodes[from].node->session, object,
                                               f->nodes[to].node->peer, NULL));
    run_units(f, 0.5);
}

static void actors_of_others_are_kinematic(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity ball = spawn_ball(f, 0, 0, 0, 0);
    const ct_network_object_id object = object_at(f, 0, ball);
    const ct_actor actor = add_ball_actor(f->nodes[0].world, ball);
    ct_physics_world *const p = ct_world_physics(f->nodes[0].world);
    run_units(f, 0.5);
    assert_int_equal(ct_actor_data_of(p, actor).body, CT_ACTOR_DYNAMIC);
    give(f, 0, 1, object);
    assert_int_equal(ct_actor_data_of(p, actor).body, CT_ACTOR_KINEMATIC);
    const ct_entity theirs = unit_at(f, 1, object);
    const ct_actor their_actor = add_ball_actor(f->nodes[1].world, theirs);
    ct_bullet_body_set_velocity(ct_actor_bullet(ct_world_physics(f->nodes[1].world), their_actor),
                                ct_vec3_make(3, 0, 0));
    run_units(f, 1);
    const float x = place_at(f, 0, ball).x;
    assert_true(x > 1.5f && x <= place_at(f, 1, theirs).x);
    // The actor moves with its unit.
    assert_true(fabsf(ct_actor_pose(p, actor).position.x - x) < 0.15f);
    give(f, 1, 0, object);
    assert_int_equal(ct_actor_data_of(p, actor).body, CT_ACTOR_DYNAMIC);
    assert_true(fabsf(ct_bullet_body_velocity(ct_actor_bullet(p, actor)).x - 3) < 0.1f);
    assert_int_equal(ct_actor_data_of(ct_world_physics(f->nodes[1].world), their_actor).body,
                     CT_ACTOR_KINEMATIC);
    // When the synchronizer ends, so does its hold.
    ct_unit_synchronizer_destroy(f->nodes[1].s);
    f->nodes[1].s = NULL;
    assert_int_equal(ct_actor_data_of(ct_world_physics(f->nodes[1].world), their_actor).body,
                     CT_ACTOR_DYNAMIC);
    stop_units(f);
}

static float pace; // m/s

static void move_on(units_fixture *f, units_node *n) {
    if (n == &f->nodes[0]) {
        const ct_vec3 p = place_at(f, 0, mover);
        move_to(f, 0, mover, p.x + pace / 60, 0, 0);
    }
}

// Its owner puts a ball 3 m ahead at once, or goes there. In the world of another, a ball rests on the way.
static void what_leaps_pushes_nothing(void **state) {
    (void)state;
    for (uint32_t leaps = 0; leaps < 2; ++leaps) {
        units_fixture *const f = start_units();
        f->net.most_delay = 0.06f;
        run_units(f, 2);
        follower = spawn_ball(f, 1, 0, 0, 0);
        const ct_network_object_id object = object_at(f, 1, follower);
        add_ball_actor(f->nodes[1].world, follower);
        ct_entity still;
        const ct_vec3 on_the_way = ct_vec3_make(2, 0, 0);
        ct_error error = {0};
        assert_true(ct_world_spawn_units(f->nodes[1].world, "units/ball", &on_the_way, NULL, NULL,
                                         1, &still, &error));
        const ct_actor resting = add_ball_actor(f->nodes[1].world, still);
        run_units(f, 0.5);
        give(f, 1, 0, object);
        mover = unit_at(f, 0, object);
        f->game = move_on;
        const float paces[] = {1, 0, leaps ? 180 : 5, 0};
        const float ways[] = {0.5f, 0, 3, 0};
        for (uint32_t i = 0; i < 4; ++i) {
            pace = paces[i];
            run_units(f, pace > 0 ? ways[i] / pace : 1);
        }
        f->game = NULL;
        run_units(f, 1);
        const ct_physics_world *const p = ct_world_physics(f->nodes[1].world);
        const float speed = ct_vec3_length(ct_bullet_body_velocity(ct_actor_bullet(p, resting)));
        print_message("pushed with %g m/s\n", (double)speed);
        assert_near(f, 1, follower, place_at(f, 0, mover).x, 0, 0);
        assert_true(place_at(f, 0, mover).x > 3.4f);
        assert_true(leaps ? speed == 0 : speed > 2 && speed < 20);
        stop_units(f);
    }
}

// What rested and moves far before the next update is not there at once in the world of another.
static void sets_off_without_a_leap(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    f->net.most_delay = 0.06f;
    run_units(f, 2);
    mover = spawn_ball(f, 0, 0, 0, 0);
    follower = (ct_entity){0};
    f->game = move_evenly;
    run_units(f, 2);
    f->game = NULL;
    run_units(f, 1);
    follower = unit_at(f, 1, object_at(f, 0, mover));
    const ct_vec3 p = place_at(f, 0, mover);
    assert_near(f, 1, follower, p.x, p.y, p.z);
    last_x = p.x;
    most_step = 0, least_step = 10;
    move_to(f, 0, mover, p.x + 0.5f, 0, 0);
    f->game = note_follower;
    run_units(f, 0.5);
    print_message("0.5 m in steps of up to %g m\n", (double)most_step);
    assert_near(f, 1, follower, p.x + 0.5f, 0, 0);
    assert_true(most_step < 0.2f);
    stop_units(f);
}

static void stay_with_velocity(units_fixture *f, units_node *n) {
    if (n != &f->nodes[1] || !follower.id)
        return;
    move_to(f, 1, follower, 0, 0, 0);
    const ct_physics_world *const p = ct_world_physics(n->world);
    ct_bullet_body_set_velocity(ct_actor_bullet(p, ct_actor_first(p, follower)),
                                ct_vec3_make(0, 4, 0));
}

static void velocities_of_fields_come_with_units(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity ball = spawn_ball(f, 0, 0, 0, 0);
    const ct_network_object_id object = object_at(f, 0, ball);
    const ct_actor actor = add_ball_actor(f->nodes[0].world, ball);
    run_units(f, 0.5);
    follower = unit_at(f, 1, object);
    add_ball_actor(f->nodes[1].world, follower);
    give(f, 0, 1, object);
    f->game = stay_with_velocity;
    run_units(f, 1);
    const ct_physics_world *const p = ct_world_physics(f->nodes[0].world);
    assert_true(fabsf(ct_bullet_body_velocity(ct_actor_bullet(p, actor)).y) < 1);
    give(f, 1, 0, object);
    f->game = NULL;
    assert_true(fabsf(ct_bullet_body_velocity(ct_actor_bullet(p, actor)).y - 4) < 0.1f);
    stop_units(f);
}

static void move_giver(units_fixture *f, units_node *n) {
    if (n == &f->nodes[1]) {
        const ct_vec3 p = place_at(f, 1, mover);
        move_to(f, 1, mover, p.x + 6.0f / 60, 0, 0);
    }
}

// The host, which has heard of a movement later than the third, takes a unit, and leaves it at rest: the third
// gets no other update.
static void rests_where_a_new_owner_has_it(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    mover = spawn_ball(f, 1, 0, 0, 0);
    spawn_ball(f, 0, 5, 0, 0);
    const ct_network_object_id object = object_at(f, 1, mover);
    for (uint32_t i = 0; i < 6; ++i) {
        f->game = move_giver;
        run_units(f, 1 + 0.02 * i);
        f->game = NULL;
        assert_true(ct_network_session_give_object(f->nodes[0].node->session, object,
                                                   f->nodes[0].node->peer, NULL));
        run_units(f, 2);
        const ct_vec3 p = place_at(f, 0, unit_at(f, 0, object));
        assert_near(f, 2, unit_at(f, 2, object), p.x, p.y, p.z);
        give(f, 0, 1, object);
    }
    stop_units(f);
}

static void objects_of_dead_units_end_with_their_new_owner(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity ball = spawn_ball(f, 0, 0, 0, 0), other = spawn_ball(f, 0, 1, 0, 0);
    const ct_network_object_id object = object_at(f, 0, ball), second = object_at(f, 0, other);
    run_units(f, 0.5);
    // The frame in which a unit dies is that in which its object changes hands.
    const ct_entity theirs = unit_at(f, 1, object);
    assert_true(ct_network_session_give_object(f->nodes[0].node->session, object,
                                               f->nodes[1].node->peer, NULL));
    assert_true(ct_network_session_give_object(f->nodes[0].node->session, second,
                                               f->nodes[1].node->peer, NULL));
    for (uint32_t i = 0; i < 30; ++i) {
        test_network_run(&f->net, f->net.frame / 2, NULL, NULL); // the synchronizers hear nothing
        if (ct_network_session_object_owner(f->nodes[1].node->session, object) ==
            f->nodes[1].node->peer)
            break;
    }
    ct_world_destroy_units(f->nodes[1].world, &theirs, 1);
    ct_world_destroy_units(f->nodes[0].world, &other, 1);
    for (uint32_t i = 0; i < UNITS_NODES; ++i)
        ct_unit_synchronizer_receive(f->nodes[i].s, f->net.now);
    run_units(f, 1);
    assert_int_equal(ct_network_session_object_type(f->nodes[0].node->session, object), UINT32_MAX);
    assert_false(is_alive(&f->world, ball));
    assert_int_equal(unit_at(f, 0, second).id, 0);
    assert_int_not_equal(unit_at(f, 1, second).id, 0);
    stop_units(f);
}

static void units_stay_when_the_session_ends(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity ball = spawn_ball(f, 0, 0, 0, 0);
    run_units(f, 0.5);
    const ct_entity theirs = unit_at(f, 1, object_at(f, 0, ball));
    ct_network_session_shut_down(f->nodes[0].node->session, f->net.now);
    run_units(f, 1);
    assert_int_equal(ct_unit_synchronizer_count(f->nodes[0].s), 0);
    assert_int_equal(ct_unit_synchronizer_count(f->nodes[1].s), 0);
    assert_true(is_alive(&f->world, ball) && is_alive(&f->world, theirs));
    stop_units(f);
}

// --- Levels and worlds ---------------------------------------------------------------------------

static ct_entity gate_of(units_fixture *f, uint32_t node) {
    return ct_world_unit_with_id(f->nodes[node].world, ct_string_id32_of("gate").value);
}

static void spawn_hall(units_fixture *f, uint32_t node) {
    assert_int_not_equal(ct_world_spawn_level(f->nodes[node].world, "levels/hall",
                                              ct_vec3_make(0, 0, 0), ct_quat_identity(),
                                              ct_vec3_make(1, 1, 1), NULL)
                             .id,
                         0);
}

static void links_units_of_levels(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    spawn_hall(f, 0);
    spawn_hall(f, 1);
    ct_error error = {0};
    const ct_entity ball = spawn_ball(f, 0, 0, 0, 0), gate = gate_of(f, 0);
    const uint32_t door = units_type(f, "door");
    assert_int_equal(ct_unit_synchronizer_link_unit(f->nodes[0].s, ball, door, &error), 0);
    assert_non_null(strstr(error.message, "not spawned by a level"));
    const ct_network_object_id object =
        ct_unit_synchronizer_link_unit(f->nodes[0].s, gate, door, &error);
    assert_int_not_equal(object, 0);
    assert_int_equal(ct_unit_synchronizer_link_unit(f->nodes[0].s, gate, door, &error), 0);
    assert_non_null(strstr(error.message, "already"));
    const ct_quat turned = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1);
    ct_transform_set_local_rotation(ct_world_transforms(f->nodes[0].world),
                                    transform_of(f->nodes[0].world, gate), turned);
    run_units(f, 0.5);
    assert_int_equal(unit_at(f, 1, object).id, gate_of(f, 1).id);
    const ct_quat theirs = ct_transform_local_rotation(
        ct_world_transforms(f->nodes[1].world), transform_of(f->nodes[1].world, gate_of(f, 1)));
    assert_true(fabsf(ct_quat_dot(turned, theirs)) > 0.9999f);
    assert_near(f, 1, gate_of(f, 1), 5, 0, 0); // the type has no position: it stays
    assert_int_equal(ct_unit_synchronizer_num_waiting(f->nodes[2].s), 1);
    spawn_hall(f, 2); // later
    run_units(f, 0.1);
    assert_int_equal(unit_at(f, 2, object).id, gate_of(f, 2).id);
    ct_world_destroy_units(f->nodes[0].world, &gate, 1);
    run_units(f, 0.5);
    assert_int_equal(gate_of(f, 1).id, 0);
    stop_units(f);
}

static void another_world_has_the_units_of_others(void **state) {
    (void)state;
    units_fixture *const f = start_units();
    run_units(f, 2);
    const ct_entity theirs = spawn_ball(f, 0, 1, 0, 0), mine = spawn_ball(f, 1, 2, 0, 0);
    const ct_network_object_id object = object_at(f, 0, theirs), own = object_at(f, 1, mine);
    run_units(f, 0.5);
    const ct_entity old = unit_at(f, 1, object);
    ct_world *const world = ct_world_create(f->world.system);
    ct_unit_synchronizer_set_world(f->nodes[1].s, world);
    assert_false(is_alive(&f->world, old));
    assert_true(is_alive(&f->world, mine));
    ct_world_destroy(f->nodes[1].world);
    f->nodes[1].world = world;
    run_units(f, 0.5);
    assert_true(ct_world_has_unit(world, unit_at(f, 1, object)));
    assert_int_equal(unit_at(f, 0, own).id, 0);
    stop_units(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawns_and_destroys_units_at_all),
        cmocka_unit_test(units_that_the_game_destroys_end_their_objects),
        cmocka_unit_test(others_follow_evenly_though_packets_are_lost),
        cmocka_unit_test(data_follows),
        cmocka_unit_test(units_that_are_not_loaded_come_later),
        cmocka_unit_test(joiners_after_the_start_get_units),
        cmocka_unit_test(refuses_types_that_fit_no_unit),
        cmocka_unit_test(actors_of_others_are_kinematic),
        cmocka_unit_test(what_leaps_pushes_nothing),
        cmocka_unit_test(sets_off_without_a_leap),
        cmocka_unit_test(velocities_of_fields_come_with_units),
        cmocka_unit_test(rests_where_a_new_owner_has_it),
        cmocka_unit_test(objects_of_dead_units_end_with_their_new_owner),
        cmocka_unit_test(units_stay_when_the_session_ends),
        cmocka_unit_test(links_units_of_levels),
        cmocka_unit_test(another_world_has_the_units_of_others),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
