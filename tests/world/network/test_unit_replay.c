// Replays of units: what was recorded plays, all is as before afterwards, files, bounds.
#include <math.h>

#include "foundation/math/math.h"
#include "world/network/unit_replay.h"
#include "world/world_fixture.h"

static world_fixture f;
static ct_unit_replay *replay;
static ct_entity ball;

static int set_up(void **state) {
    (void)state;
    static const template_entity thing = {CT_NO_PARENT, {{0, 0, 0}}, "thing", 1,
                                          false,        false,       false,   0};
    f = start_world();
    load_unit(&f, "units/ball", &thing, 1);
    const ct_level_unit unit = {ct_string_id64_of("units/ball"), ct_string_id32_of("gate"), 0};
    load_level(&f, "levels/hall", &thing, 1, &unit, 1, (ct_string_id64){0});
    replay =
        ct_unit_replay_create(&(ct_unit_replay_desc){.allocator = f.allocator, .world = f.world});
    ball = spawn_at(&f, "units/ball", 0, 0, 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_unit_replay_destroy(replay);
    stop_world(&f);
    return 0;
}

static void move_to(ct_entity e, float x) {
    const ct_transform t = transform_of(f.world, e);
    ct_transform_set_local_pose(ct_world_transforms(f.world), t, ct_vec3_make(x, 0, 1),
                                ct_quat_axis_angle(ct_vec3_make(0, 0, 1), x / 10),
                                ct_vec3_make(1, 1, 1));
}

static float x_of(ct_entity e) {
    return ct_transform_local_position(ct_world_transforms(f.world), transform_of(f.world, e)).x;
}

static void assert_x(ct_entity e, float x) {
    if (!(fabsf(x_of(e) - x) < 0.002f))
        fail_msg("%g is not %g", (double)x_of(e), (double)x);
}

static void assert_number(float a, float b) {
    if (!(fabsf(a - b) < 0.002f))
        fail_msg("%g is not %g", (double)a, (double)b);
}

// In frame i the ball is at x = i.
static void record(uint32_t num_frames) {
    ct_unit_replay_start_recording(replay);
    for (uint32_t i = 0; i < num_frames; ++i) {
        move_to(ball, (float)i);
        ct_unit_replay_record(replay, 0.1);
    }
    ct_unit_replay_stop_recording(replay);
}

static void start(void) {
    ct_error error = {0};
    if (!ct_unit_replay_start_playback(replay, &error))
        fail_msg("%s", error.message);
}

static uint32_t num_units(void) {
    uint32_t count;
    ct_world_units(f.world, &count);
    return count;
}

static void plays_what_was_recorded(void **state) {
    (void)state;
    record(35);
    assert_int_equal(ct_unit_replay_num_frames(replay), 35);
    assert_true(fabs(ct_unit_replay_seconds(replay) - 3.4) < 1e-5);
    move_to(ball, -7);
    start();
    assert_x(ball, 0);
    static const uint32_t frames[] = {5, 34, 33, 12, 11, 12, 13, 0, 29};
    for (uint32_t i = 0; i < CT_COUNT_OF(frames); ++i) {
        ct_unit_replay_set_frame(replay, frames[i]);
        assert_int_equal(ct_unit_replay_frame(replay), frames[i]);
        assert_x(ball, (float)frames[i]);
        const ct_quat q =
            ct_transform_local_rotation(ct_world_transforms(f.world), transform_of(f.world, ball));
        assert_true(fabsf(ct_quat_dot(q, ct_quat_axis_angle(ct_vec3_make(0, 0, 1),
                                                            (float)frames[i] / 10))) > 0.99999f);
    }
    ct_unit_replay_set_frame(replay, 1000);
    assert_int_equal(ct_unit_replay_frame(replay), 34);
    ct_unit_replay_stop_playback(replay);
    assert_x(ball, -7);
    assert_false(ct_unit_replay_is_playing(replay));
}

static void goes_on_at_any_speed(void **state) {
    (void)state;
    record(35);
    start();
    ct_unit_replay_play(replay, 0.25); // between frames
    assert_x(ball, 2.5f);
    ct_unit_replay_set_speed(replay, 0.1f);
    ct_unit_replay_play(replay, 1);
    assert_x(ball, 3.5f);
    ct_unit_replay_set_speed(replay, -1);
    ct_unit_replay_play(replay, 0.15);
    assert_x(ball, 2);
    ct_unit_replay_play(replay, 100);
    assert_x(ball, 0);
    ct_unit_replay_set_speed(replay, 1);
    ct_unit_replay_play(replay, 100);
    assert_x(ball, 34);
}

static void refuses_to_play_nothing(void **state) {
    (void)state;
    ct_error error = {0};
    assert_false(ct_unit_replay_start_playback(replay, &error));
    assert_non_null(strstr(error.message, "no frames"));
    ct_unit_replay_set_frame(replay, 3);
    ct_unit_replay_play(replay, 1);
    ct_unit_replay_stop_playback(replay);
    assert_int_equal(ct_unit_replay_frame(replay), 0);
}

static bool is_visible(ct_entity e) {
    return ct_mesh_is_visible(ct_world_meshes(f.world), ct_mesh_first(ct_world_meshes(f.world), e));
}

static void units_come_and_go(void **state) {
    (void)state;
    ct_entity second = {0};
    ct_unit_replay_start_recording(replay);
    for (uint32_t i = 0; i < 30; ++i) {
        if (i == 5)
            second = spawn_at(&f, "units/ball", 100, 0, 0);
        if (i == 15)
            ct_world_destroy_units(f.world, &second, 1);
        ct_unit_replay_record(replay, 0.1);
    }
    const ct_entity later = spawn_at(&f, "units/ball", 50, 0, 0);
    ct_unit_replay_record(replay, 0.1);
    ct_unit_replay_stop_recording(replay);
    start();
    assert_int_equal(num_units(), 2);
    assert_false(is_visible(later));
    ct_unit_replay_set_frame(replay, 7);
    assert_int_equal(num_units(), 3); // one is spawned for it
    ct_unit_replay_set_frame(replay, 20);
    assert_int_equal(num_units(), 2);
    ct_unit_replay_set_frame(replay, 30);
    assert_true(is_visible(later));
    ct_unit_replay_set_frame(replay, 14);
    ct_world_destroy_units(f.world, &ball, 1); // the game may: it is spawned again
    ct_unit_replay_set_frame(replay, 13);
    assert_int_equal(num_units(), 3);
    ct_unit_replay_stop_playback(replay);
    assert_int_equal(num_units(), 1);
    assert_true(is_visible(later));
}

static void data_is_recorded_where_asked(void **state) {
    (void)state;
    ct_data_manager *const m = ct_world_system_data(f.system);
    const ct_data_instance data = ct_data_create(m, ball, 1);
    static const char *const name = "text", *const number = "number", *const other = "other";
    const ct_data_key key = ct_data_key_of(&name, 1), key2 = ct_data_key_of(&number, 1);
    const ct_entity second = spawn_at(&f, "units/ball", 1, 0, 0);
    const ct_data_instance not_asked = ct_data_create(m, second, 1);
    ct_unit_replay_start_recording(replay);
    ct_unit_replay_set_mode(replay, ball, CT_UNIT_RECORD_DATA);
    for (uint32_t i = 0; i < 30; ++i) {
        ct_data_set(m, data, key, ct_data_string(i < 20 ? "early" : "late", i < 20 ? 5 : 4), NULL);
        ct_data_set(m, data, key2, ct_data_float((float)(i / 10)), NULL);
        ct_data_set(m, not_asked, key2, ct_data_float((float)i), NULL);
        ct_unit_replay_record(replay, 0.1);
    }
    ct_data_set(m, data, key2, (ct_data_value){0}, NULL);
    ct_data_set(m, data, ct_data_key_of(&other, 1), ct_data_bool(true), NULL);
    start();
    ct_unit_replay_set_frame(replay, 15);
    assert_string_equal(ct_data_get(m, data, key).text, "early");
    assert_number(ct_data_get(m, data, key2).number, 1);
    assert_int_equal(ct_data_get(m, data, ct_data_key_of(&other, 1)).type, CT_DATA_TYPE_NONE);
    assert_number(ct_data_get(m, not_asked, key2).number, 29);
    ct_unit_replay_set_frame(replay, 25);
    assert_string_equal(ct_data_get(m, data, key).text, "late");
    ct_unit_replay_stop_playback(replay);
    assert_int_equal(ct_data_get(m, data, key2).type, CT_DATA_TYPE_NONE);
    assert_true(ct_data_get(m, data, ct_data_key_of(&other, 1)).boolean);
}

static void units_without_a_mode_are_left_alone(void **state) {
    (void)state;
    const ct_entity second = spawn_at(&f, "units/ball", 1, 0, 0);
    ct_unit_replay_set_mode(replay, second, CT_UNIT_RECORD_NONE);
    record(10);
    start();
    move_to(second, 70);
    ct_unit_replay_set_frame(replay, 5);
    assert_x(second, 70);
    ct_unit_replay_free_unit(replay, ball); // as a camera
    move_to(ball, 80);
    ct_unit_replay_set_frame(replay, 6);
    assert_x(ball, 80);
    ct_unit_replay_stop_playback(replay);
    assert_x(second, 70);
    assert_x(ball, 9);
}

static void marks_are_of_their_frame(void **state) {
    (void)state;
    ct_unit_replay_start_recording(replay);
    for (uint32_t i = 0; i < 25; ++i) {
        char text[32];
        snprintf(text, sizeof(text), "frame %u", i);
        ct_unit_replay_add_text(replay, &(ct_replay_text){.color = {{1, 2, 3, 4}},
                                                          .position = {{(float)i, 0, 0}},
                                                          .is_on_screen = i % 2,
                                                          .text = text,
                                                          .bytes = (uint32_t)strlen(text)});
        ct_unit_replay_add_text(replay, &(ct_replay_text){.text = "more", .bytes = 4});
        if (i == 12)
            ct_unit_replay_add_line(replay, &(ct_replay_line){.to = {{1, 2, 3}}});
        ct_unit_replay_record(replay, 0.1);
    }
    uint32_t count;
    ct_unit_replay_texts(replay, &count);
    assert_int_equal(count, 0);
    start();
    ct_unit_replay_set_frame(replay, 13);
    const ct_replay_text *const texts = ct_unit_replay_texts(replay, &count);
    assert_int_equal(count, 2);
    assert_int_equal(texts[0].bytes, 8);
    assert_memory_equal(texts[0].text, "frame 13", 8);
    assert_true(texts[0].is_on_screen);
    assert_memory_equal(texts[1].text, "more", 4);
    ct_unit_replay_lines(replay, &count);
    assert_int_equal(count, 0);
    ct_unit_replay_set_frame(replay, 12);
    assert_number(ct_unit_replay_lines(replay, &count)[0].to.z, 3);
    assert_int_equal(count, 1);
}

// --- Actors --------------------------------------------------------------------------------------

static void actors_go_on_as_before(void **state) {
    (void)state;
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.body = CT_ACTOR_DYNAMIC;
    data.has_gravity = 0;
    data.given = CT_ACTOR_GIVEN_MASK;
    const ct_actor_shape_data shape = {
        .type = CT_ACTOR_SHAPE_SPHERE, .rotation = {0, 0, 0, 1}, .radius = 0.5f};
    const ct_actor_desc desc = {.entity = ball,
                                .pose = {.rotation = ct_quat_identity()},
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1};
    ct_error error = {0};
    ct_physics_world *const p = ct_world_physics(f.world);
    const ct_actor actor = ct_actor_create(p, &desc, &error);
    assert_int_not_equal(actor.id, 0);
    ct_bullet_body_set_velocity(ct_actor_bullet(p, actor), ct_vec3_make(2, 0, 0));
    ct_unit_replay_start_recording(replay);
    for (uint32_t i = 0; i < 60; ++i) {
        ct_world_advance(f.world, 1.0 / 60);
        ct_unit_replay_record(replay, 1.0 / 60);
    }
    const float x = x_of(ball), speed = ct_bullet_body_velocity(ct_actor_bullet(p, actor)).x;
    assert_true(x > 1);
    start();
    assert_int_equal(ct_actor_data_of(p, actor).body, CT_ACTOR_KINEMATIC);
    for (uint32_t i = 0; i < 30; ++i) {
        ct_unit_replay_play(replay, 1.0 / 60);
        ct_world_advance(f.world, 1.0 / 60);
    }
    assert_true(x_of(ball) < x - 0.5f);
    ct_unit_replay_stop_playback(replay);
    assert_int_equal(ct_actor_data_of(p, actor).body, CT_ACTOR_DYNAMIC);
    assert_true(fabsf(x_of(ball) - x) < 2.0f / 50); // a step of physics
    assert_number(ct_bullet_body_velocity(ct_actor_bullet(p, actor)).x, speed);
    for (uint32_t i = 0; i < 30; ++i)
        ct_world_advance(f.world, 1.0 / 60);
    assert_true(x_of(ball) > x + 0.9f);
}

// --- Bounds --------------------------------------------------------------------------------------

static void resting_units_take_no_room(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 1000; ++i)
        spawn_at(&f, "units/ball", (float)i, 0, 0);
    ct_unit_replay_start_recording(replay);
    ct_unit_replay_record(replay, 0.01);
    const uint64_t first = ct_unit_replay_bytes(replay);
    for (uint32_t i = 0; i < 99; ++i) {
        move_to(ball, (float)i * 0.1f);
        ct_unit_replay_record(replay, 0.01);
    }
    print_message("1,001 units: %u bytes for a key frame, %u for 99 frames in which one moves\n",
                  (uint32_t)first, (uint32_t)(ct_unit_replay_bytes(replay) - first));
    assert_true(first < 1001 * 50 && ct_unit_replay_bytes(replay) - first < 99 * 48);
}

static void the_oldest_seconds_go(void **state) {
    (void)state;
    ct_unit_replay_destroy(replay);
    replay = ct_unit_replay_create(&(ct_unit_replay_desc){
        .allocator = f.allocator, .world = f.world, .most_bytes = CT_UNIT_REPLAY_LEAST_BYTES});
    for (uint32_t i = 0; i < 50; ++i)
        spawn_at(&f, "units/ball", (float)i, 0, 0);
    ct_unit_replay_set_mode(replay, ball, CT_UNIT_RECORD_DATA);
    static const float values[500] = {1}; // in key frames only
    assert_true(ct_data_set(ct_world_system_data(f.system),
                            ct_data_create(ct_world_system_data(f.system), ball, 1),
                            (ct_data_key){5}, ct_data_floats(values, 500), NULL));
    ct_unit_replay_start_recording(replay);
    for (uint32_t i = 0; i < 3000; ++i) {
        move_to(ball, (float)i * 0.1f);
        ct_unit_replay_record(replay, 0.02);
        assert_true(ct_unit_replay_bytes(replay) <= CT_UNIT_REPLAY_LEAST_BYTES);
    }
    assert_true(ct_unit_replay_is_recording(replay));
    const uint32_t count = ct_unit_replay_num_frames(replay);
    assert_true(count > 400 && count < 3000);
    start();
    assert_x(ball, (float)(3000 - count) * 0.1f);
    ct_unit_replay_set_frame(replay, count - 1);
    assert_x(ball, 2999 * 0.1f);
    ct_unit_replay_stop_playback(replay);
    // One that is too large ends it.
    for (uint32_t i = 0; i < 1000; ++i)
        spawn_at(&f, "units/ball", (float)i, 0, 0);
    ct_unit_replay_start_recording(replay);
    ct_unit_replay_record(replay, 0.02);
    assert_false(ct_unit_replay_is_recording(replay));
    assert_int_equal(ct_unit_replay_num_frames(replay), 0);
}

// --- Files ---------------------------------------------------------------------------------------

static void files_play_in_another_world(void **state) {
    (void)state;
    ct_error error = {0};
    char path[2048];
    snprintf(path, sizeof(path), "%s/a.replay", f.folder);
    const ct_level level = ct_world_spawn_level(f.world, "levels/hall", ct_vec3_make(0, 0, 0),
                                                ct_quat_identity(), ct_vec3_make(1, 1, 1), &error);
    assert_int_not_equal(level.id, 0);
    record(25);
    assert_true(ct_unit_replay_save(replay, path, &error));
    ct_world *const world = ct_world_create(f.system);
    ct_world_spawn_level(world, "levels/hall", ct_vec3_make(9, 0, 0), ct_quat_identity(),
                         ct_vec3_make(1, 1, 1), &error);
    ct_unit_replay *const other =
        ct_unit_replay_create(&(ct_unit_replay_desc){.allocator = f.allocator, .world = world});
    if (!ct_unit_replay_load(other, path, &error))
        fail_msg("%s", error.message);
    assert_int_equal(ct_unit_replay_num_frames(other), 25);
    assert_true(ct_unit_replay_start_playback(other, &error));
    uint32_t count;
    ct_world_units(world, &count);
    assert_int_equal(count, 2); // the level's is found, the ball is spawned
    const ct_entity gate = ct_world_unit_with_id(world, ct_string_id32_of("gate").value);
    assert_world_position(world, gate, 0, 0, 0);
    ct_unit_replay_stop_playback(other);
    ct_world_units(world, &count);
    assert_int_equal(count, 1);
    assert_world_position(world, gate, 9, 0, 0);
    ct_unit_replay_destroy(other);
    ct_world_destroy(world);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    ct_error error = {0};
    char path[2048];
    snprintf(path, sizeof(path), "%s/b.replay", f.folder);
    record(12);
    assert_true(ct_unit_replay_save(replay, path, &error));
    uint64_t size;
    char *const bytes = ct_file_read(test_heap(), path, &size, &error);
    for (uint64_t i = 0; i < size; ++i) {
        bytes[i] ^= 0x10;
        assert_false(ct_unit_replay_load_bytes(replay, bytes, size, path, &error));
        bytes[i] ^= 0x10;
        assert_false(ct_unit_replay_load_bytes(replay, bytes, i, path, &error));
    }
    assert_int_equal(ct_unit_replay_num_frames(replay), 12); // as before
    assert_true(ct_unit_replay_load_bytes(replay, bytes, size, path, &error));
    start();
    assert_false(ct_unit_replay_load_bytes(replay, bytes, size, path, &error));
    assert_non_null(strstr(error.message, "plays"));
    ct_unit_replay_stop_playback(replay);
    assert_false(ct_unit_replay_load(replay, "/nowhere/c.replay", &error));
    ct_free(test_heap(), bytes);
}

#define REPLAY_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        REPLAY_TEST(plays_what_was_recorded),      REPLAY_TEST(goes_on_at_any_speed),
        REPLAY_TEST(refuses_to_play_nothing),      REPLAY_TEST(units_come_and_go),
        REPLAY_TEST(data_is_recorded_where_asked), REPLAY_TEST(units_without_a_mode_are_left_alone),
        REPLAY_TEST(marks_are_of_their_frame),     REPLAY_TEST(actors_go_on_as_before),
        REPLAY_TEST(resting_units_take_no_room),   REPLAY_TEST(the_oldest_seconds_go),
        REPLAY_TEST(files_play_in_another_world),  REPLAY_TEST(damaged_files_are_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
