#include "animation/clip/clip_player.h"

#include <math.h>

#include "animation/clip/clip_fixture.h"

enum { JOINTS = 11, GROUPS = (JOINTS + 3) / 4 };

static void pose_at(ct_clip_player *p, float time, ct_pose_group *pose) {
    ct_pose_group base[GROUPS];
    ct_pose_identity(base, GROUPS);
    ct_clip_player_move(p, time);
    ct_clip_player_pose(p, base, pose);
}

static void a_seek_equals_playing(void **state) {
    (void)state;
    for (uint32_t motion = 0; motion < CLIP_MOTION_COUNT; ++motion) {
        clip_fixture c;
        ct_blob_writer w;
        clip_make(&c, JOINTS, 2, 143, (clip_motion)motion, motion + 5);
        const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
        ct_clip_player *const playing = clip_new_player(clip), *const seeking =
                                                                   clip_new_player(clip);
        ct_random r = ct_random_seeded(motion, 0);
        const float length = ct_animation_length(clip);
        float time = 0;
        for (uint32_t i = 0; i < test_rounds(500, 20000); ++i) {
            ct_pose_group played[GROUPS], found[GROUPS];
            // Mostly small steps forward, some back, some far.
            const uint32_t kind = ct_random_below(&r, 20);
            time += kind == 0 ? clip_number(&r) * length : kind < 4 ? -0.05f : 0.02f;
            time = time < -0.5f || time > length + 0.5f ? 0 : time;
            pose_at(playing, time, played);
            ct_clip_player_init(seeking, clip);
            pose_at(seeking, time, found);
            assert_memory_equal(played, found, sizeof(found));
        }
        ct_free(test_heap(), playing);
        ct_free(test_heap(), seeking);
        ct_blob_writer_free(&w);
        clip_free(&c);
    }
}

// Steps of any size end where one step does.
static void any_steps_give_the_same_bits(void **state) {
    (void)state;
    clip_fixture c;
    ct_blob_writer w;
    clip_make(&c, JOINTS, 2, 200, CLIP_MIXED, 4);
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
    ct_random r = ct_random_seeded(5, 0);
    for (uint32_t i = 0; i < test_rounds(200, 5000); ++i) {
        const float target = ct_random_float(&r) * ct_animation_length(clip);
        const float step = 0.001f + ct_random_float(&r) * ct_random_float(&r);
        ct_clip_player *const forward = clip_new_player(clip), *const back = clip_new_player(clip);
        ct_pose_group a[GROUPS], b[GROUPS];
        for (float time = 0; time < target; time += step)
            ct_clip_player_move(forward, time);
        for (float time = ct_animation_length(clip); time > target; time -= step)
            ct_clip_player_move(back, time);
        pose_at(forward, target, a);
        pose_at(back, target, b);
        assert_memory_equal(a, b, sizeof(a));
        assert_true(ct_clip_player_time(forward) == target);
        ct_free(test_heap(), forward);
        ct_free(test_heap(), back);
    }
    ct_blob_writer_free(&w);
    clip_free(&c);
}

// However many places there are to start from, they are near enough, and seeks end alike.
static void jump_frames_change_no_pose(void **state) {
    (void)state;
    const struct {
        float interval;
        uint32_t frames; // at 30 Hz
    } cases[] = {{0, 100}, {1e-3f, 1}, {0.1f, 3}, {0.25f, 7}, {1, 30}, {3.3f, 99}, {1e6f, 100}};
    clip_fixture c;
    ct_blob_writer w[CT_COUNT_OF(cases)];
    ct_clip_player *players[CT_COUNT_OF(cases)];
    clip_make(&c, JOINTS, 2, 100, CLIP_MIXED, 8);
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        c.raw.jump_interval = cases[i].interval;
        const ct_animation_resource *const clip = clip_compress(&c.raw, &w[i], NULL);
        assert_int_equal(clip->jump_frames, cases[i].frames);
        assert_int_equal(clip->jump_bits.count, (100 - 1) / cases[i].frames + 1);
        players[i] = clip_new_player(clip);
    }
    ct_random r = ct_random_seeded(6, 0);
    for (uint32_t k = 0; k < test_rounds(500, 5000); ++k) {
        const float time = ct_random_float(&r) * 100 / 30;
        ct_pose_group first[GROUPS], found[GROUPS];
        pose_at(players[0], time, first);
        for (uint32_t i = 1; i < CT_COUNT_OF(cases); ++i) {
            pose_at(players[i], time, found);
            assert_memory_equal(first, found, sizeof(found));
        }
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_free(test_heap(), players[i]);
        ct_blob_writer_free(&w[i]);
    }
    clip_free(&c);
}

static void strange_times_are_clamped(void **state) {
    (void)state;
    clip_fixture c;
    ct_blob_writer w;
    clip_make(&c, JOINTS, 2, 50, CLIP_SMOOTH, 4);
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
    ct_clip_player *const p = clip_new_player(clip);
    ct_pose_group first[GROUPS], last[GROUPS], found[GROUPS];
    pose_at(p, 0, first);
    pose_at(p, ct_animation_length(clip), last);
    assert_memory_not_equal(first, last, sizeof(first));
    const struct {
        float time;
        bool is_first;
    } cases[] = {{NAN, true},    {-NAN, true}, {-1, true},        {-1e30f, true}, {-INFINITY, true},
                 {1e30f, false}, {2, false},   {INFINITY, false}, {-0.0f, true},  {1e-40f, true}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        pose_at(p, cases[i].time, found);
        if (i + 1 < CT_COUNT_OF(cases))
            assert_memory_equal(found, cases[i].is_first ? first : last, sizeof(found));
        const float time = ct_clip_player_time(p);
        assert_true(time >= 0 && time <= ct_animation_length(clip));
    }
    ct_free(test_heap(), p);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

static void joints_that_do_not_move_get_the_base(void **state) {
    (void)state;
    clip_fixture c;
    ct_blob_writer w;
    clip_make(&c, JOINTS, 2, 50, CLIP_REST, 4);
    ct_random r = ct_random_seeded(1, 0);
    clip_move_joint(&c, 5, CLIP_SMOOTH, &r);
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
    assert_int_equal(clip->groups.count, 1);
    ct_clip_player *const p = clip_new_player(clip);
    ct_pose_group base[GROUPS], pose[GROUPS];
    ct_pose_identity(base, GROUPS);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const ct_joint_pose value = {ct_random_quat(&r), {{(float)j, 1, 2}}, {{3, (float)j, 4}}};
        ct_pose_set_joint(base, j, &value);
    }
    ct_clip_player_move(p, 0.7f);
    ct_clip_player_pose(p, base, pose);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const ct_joint_pose a = ct_pose_joint(base, j), b = ct_pose_joint(pose, j);
        assert_true((memcmp(&a.rotation, &b.rotation, sizeof(a.rotation)) == 0) == (j != 5));
        assert_memory_equal(&a.position, &b.position, sizeof(a.position));
        assert_memory_equal(&a.scale, &b.scale, sizeof(a.scale));
    }
    ct_free(test_heap(), p);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

static void curves_follow_their_values(void **state) {
    (void)state;
    enum { FRAMES = 300 };
    clip_fixture c;
    ct_blob_writer w;
    float values[6][FRAMES + 1];
    clip_make(&c, 2, 1, FRAMES, CLIP_REST, 4);
    for (uint32_t f = 0; f <= FRAMES; ++f) {
        values[0][f] = sinf((float)f * 0.1f);
        values[1][f] = (float)(f / 70);              // stepped
        values[2][f] = 3.25f;                        // constant
        values[3][f] = (float)(f % 2) * 0.1f + 1e6f; // stepped, at each frame
        values[4][f] = -1000 + (float)f;             // a line
        values[5][f] = f < FRAMES ? 0.0f : 1.0f;     // stepped, at the end
    }
    ct_raw_curve curves[6];
    for (uint32_t i = 0; i < 6; ++i)
        curves[i] = (ct_raw_curve){"", "speed", values[i], i == 1 || i == 3 || i == 5};
    c.raw.curves = curves;
    c.raw.num_curves = 6;
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
    ct_clip_player *const p = clip_new_player(clip);
    const float ranges[6] = {2, 4, 0, 0.125f, FRAMES, 1};
    for (uint32_t f = 0; f <= FRAMES; ++f) {
        ct_clip_player_move(p, (float)f / 30);
        for (uint32_t i = 0; i < 6; ++i) {
            const float most = curves[i].is_stepped && i != 3 ? 0 : ranges[i] * 0.00051f;
            assert_true(fabsf(ct_clip_player_curve(p, i) - values[i][f]) <= most);
        }
        // Between two frames a stepped curve holds.
        ct_clip_player_move(p, ((float)f + 0.6f) / 30);
        assert_true(ct_clip_player_curve(p, 1) == values[1][f]);
        assert_true(ct_clip_player_curve(p, 5) == values[5][f]);
    }
    ct_free(test_heap(), p);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

static void events_and_root_motion_are_in_the_clip(void **state) {
    (void)state;
    enum { FRAMES = 90 };
    clip_fixture c;
    ct_blob_writer w;
    ct_animation_root_pose root[FRAMES + 1];
    clip_make(&c, 2, 1, FRAMES, CLIP_SMOOTH, 4);
    for (uint32_t f = 0; f <= FRAMES; ++f) {
        const float time = (float)f / 30;
        root[f] = (ct_animation_root_pose){{sinf(time), 2 * time, 0}, 7 * time};
    }
    const ct_raw_event events[2] = {{"left", 0.5f}, {"right", 3}};
    c.raw.events = events;
    c.raw.num_events = 2;
    c.raw.root = root;
    c.raw.flags = CT_ANIMATION_HAS_ROOT | CT_ANIMATION_LOOPS;
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
    const ct_animation_event *const found = ct_blob_at(clip, clip->events.offset);
    assert_int_equal(clip->events.count, 2);
    assert_int_equal(found[1].name.value, ct_string_id32_of("right").value);
    assert_string_equal(ct_blob_at(clip, found[0].name_text.offset), "left");
    assert_true(found[0].time == 0.5f && found[1].time == 3);
    assert_true(clip->root_keys.count < FRAMES && clip->root_keys.count >= 2);
    for (uint32_t f = 0; f <= FRAMES; ++f) {
        const ct_animation_root_pose at = ct_animation_root_at(clip, (float)f / 30);
        for (uint32_t i = 0; i < 3; ++i)
            assert_true(fabsf(at.position[i] - root[f].position[i]) <= 0.0003f);
        assert_true(fabsf(at.heading - root[f].heading) <= 0.0003f);
    }
    const ct_animation_root_pose last = ct_animation_root_at(clip, 1e30f);
    assert_true(last.position[1] == root[FRAMES].position[1]);
    assert_true(ct_animation_root_at(clip, NAN).heading == 0);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

// Plays all of a clip that was accepted; a sanitizer sees what is outside.
static void play_all(const ct_animation_resource *clip) {
    const uint32_t groups = ct_pose_num_groups(clip->num_joints);
    ct_pose_group *const pose = ct_alloc(test_heap(), sizeof(*pose) * 2 * groups);
    ct_clip_player *const p = clip_new_player(clip), *const seeking = clip_new_player(clip);
    ct_pose_identity(pose, groups);
    const float length = ct_animation_length(clip);
    for (uint32_t i = 0; i <= 40; ++i) {
        const float time = length * (float)i / 40;
        ct_clip_player_move(p, time);
        ct_clip_player_pose(p, pose, pose + groups);
        for (uint32_t k = 0; k < clip->curves.count; ++k)
            assert_true(isfinite(ct_clip_player_curve(p, k)));
        ct_pose_group first = pose[groups], found;
        ct_clip_player_init(seeking, clip);
        ct_clip_player_move(seeking, time);
        ct_clip_player_pose(seeking, pose, pose + groups);
        found = pose[groups];
        assert_memory_equal(&first, &found, sizeof(found));
        (void)ct_animation_root_at(clip, time);
    }
    ct_free(test_heap(), p);
    ct_free(test_heap(), seeking);
    ct_free(test_heap(), pose);
}

static void broken_blobs_are_refused_or_play(void **state) {
    (void)state;
    clip_fixture c;
    ct_blob_writer w;
    clip_make(&c, 6, 2, 60, CLIP_MIXED, 21);
    float values[61];
    for (uint32_t f = 0; f <= 60; ++f)
        values[f] = sinf((float)f);
    const ct_raw_curve curve = {"", "x", values, false};
    c.raw.curves = &curve;
    c.raw.num_curves = 1;
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
    const uint32_t bytes = w.bytes.count;
    uint8_t *const broken = ct_alloc(test_heap(), bytes);
    ct_random r = ct_random_seeded(31, 0);
    uint32_t num_refused = 0, num_accepted = 0;
    for (uint32_t i = 0; i < test_rounds(4000, 200000); ++i) {
        memcpy(broken, w.bytes.items, bytes);
        const uint32_t body = (uint32_t)sizeof(ct_blob_header);
        // Half of the changes are in what is not the stream.
        const uint32_t limit = i % 2 ? bytes : clip->stream.offset;
        for (uint32_t k = 0; k <= i % 3; ++k)
            broken[body + ct_random_below(&r, limit - body)] ^=
                (uint8_t)(1u << ct_random_below(&r, 8));
        ct_error error = {0};
        if (ct_animation_validate(broken, &error)) {
            play_all((const void *)broken);
            ++num_accepted;
        } else {
            assert_true(error.message[0] != 0);
            ++num_refused;
        }
    }
    assert_true(num_refused > 1000 && num_accepted > 10);
    ct_free(test_heap(), broken);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seek_equals_playing),
        cmocka_unit_test(any_steps_give_the_same_bits),
        cmocka_unit_test(jump_frames_change_no_pose),
        cmocka_unit_test(strange_times_are_clamped),
        cmocka_unit_test(joints_that_do_not_move_get_the_base),
        cmocka_unit_test(curves_follow_their_values),
        cmocka_unit_test(events_and_root_motion_are_in_the_clip),
        cmocka_unit_test(broken_blobs_are_refused_or_play),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
