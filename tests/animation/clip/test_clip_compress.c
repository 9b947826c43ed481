#include "animation/clip/clip_compress.h"

#include <math.h>

#include "animation/clip/clip_fixture.h"
#include "foundation/math/math.h"

// The largest distance of points at the shell between the clip's poses and the raw ones, computed
// plainly with matrices.
static float worst_error(const clip_fixture *c, const ct_animation_resource *clip) {
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(c->raw.skeleton, &count);
    ct_pose_group *const rest =
        ct_alloc(test_heap(), sizeof(*rest) * 2 * ct_pose_num_groups(count));
    ct_pose_group *const pose = rest + ct_pose_num_groups(count);
    ct_mat4 *const raw = ct_alloc_aligned(test_heap(), sizeof(*raw) * 2 * count, 64);
    ct_mat4 *const found = raw + count;
    ct_clip_player *const player = clip_new_player(clip);
    float worst = 0;
    ct_pose_rest(c->raw.skeleton, rest);
    for (uint32_t f = 0; f <= c->raw.num_frames; ++f) {
        ct_clip_player_move(player, (float)f / c->raw.rate);
        ct_clip_player_pose(player, rest, pose);
        for (uint32_t j = 0; j < count; ++j) {
            const ct_joint_pose *const a = &c->samples[(uint64_t)f * count + j];
            const ct_joint_pose b = ct_pose_joint(pose, j);
            raw[j] = ct_mat4_compose(a->position, a->rotation, a->scale);
            found[j] = ct_mat4_compose(b.position, b.rotation, b.scale);
            if (joints[j].parent != CT_SKELETON_NO_PARENT) {
                raw[j] = ct_mat4_mul(raw[joints[j].parent], raw[j]);
                found[j] = ct_mat4_mul(found[joints[j].parent], found[j]);
            }
            for (uint32_t axis = 0; axis < 3; ++axis) {
                ct_vec3 point = {{0, 0, 0}};
                point.raw[axis] = c->raw.skeleton->shell;
                const ct_vec3 x = ct_mat4_transform_point(raw[j], point);
                const ct_vec3 y = ct_mat4_transform_point(found[j], point);
                worst = fmaxf(worst, ct_vec3_length(ct_vec3_sub(x, y)));
            }
        }
    }
    ct_free(test_heap(), rest);
    ct_free(test_heap(), raw);
    ct_free(test_heap(), player);
    return worst;
}

static void check(uint32_t num_joints, uint32_t back, uint32_t num_frames, clip_motion motion,
                  uint64_t seed, float tolerance) {
    clip_fixture c;
    ct_blob_writer w;
    ct_clip_error error;
    clip_make(&c, num_joints, back, num_frames, motion, seed);
    c.raw.tolerance = tolerance;
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, &error);
    const float worst = worst_error(&c, clip);
    if (!(worst <= tolerance * 1.01f) || !(error.worst <= tolerance) ||
        !(error.mean <= error.worst))
        fail_msg("motion %d, %u joints, %u frames: found %g m, reported %g m at %g s, mean %g m; "
                 "expected at most %g m",
                 (int)motion, num_joints, num_frames, (double)worst, (double)error.worst,
                 (double)error.time, (double)error.mean, (double)tolerance);
    assert_true(clip->worst_error == error.worst && clip->mean_error == error.mean);
    assert_true(clip->worst_joint == error.joint && clip->worst_time == error.time);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

static void the_error_is_below_the_tolerance(void **state) {
    (void)state;
    for (uint32_t motion = 0; motion < CLIP_MOTION_COUNT; ++motion) {
        check(9, 3, 97, (clip_motion)motion, 1, 0.001f);
        check(4, 1, 40, (clip_motion)motion, 2, 0.0001f);
        check(13, 1, 60, (clip_motion)motion, 3, 0.01f);
    }
}

static void long_chains_and_wide_skeletons_are_below_it_too(void **state) {
    (void)state;
    check(40, 1, 50, CLIP_SMOOTH, 4, 0.001f);
    check(40, 1, 30, CLIP_NOISE, 5, 0.002f);
    check(65, 64, 20, CLIP_MIXED, 6, 0.001f);
    check(1, 1, 300, CLIP_SPIN, 7, 0.0005f);
}

static void short_clips_are_below_it_too(void **state) {
    (void)state;
    for (uint32_t frames = 1; frames < 12; ++frames) {
        for (uint32_t motion = 0; motion < CLIP_MOTION_COUNT; ++motion)
            check(5, 2, frames, (clip_motion)motion, frames + 10, 0.001f);
    }
}

static void random_clips_are_below_it_too(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(11, 0);
    for (uint32_t i = 0; i < test_rounds(20, 400); ++i)
        check(1 + ct_random_below(&r, 20), 1 + ct_random_below(&r, 4), 1 + ct_random_below(&r, 150),
              (clip_motion)ct_random_below(&r, CLIP_MOTION_COUNT), i + 100,
              0.0002f + 0.003f * ct_random_float(&r));
}

static void tracks_cost_what_they_move(void **state) {
    (void)state;
    clip_fixture c;
    ct_blob_writer w;
    clip_make(&c, 8, 1, 100, CLIP_REST, 1);
    const ct_animation_resource *clip = clip_compress(&c.raw, &w, NULL);
    assert_int_equal(clip->groups.count, 0); // at rest: nothing
    assert_int_equal(clip->stream.count, CT_ANIMATION_STREAM_END_BYTES);
    ct_blob_writer_free(&w);
    clip_free(&c);
    clip_make(&c, 8, 1, 100, CLIP_CONSTANT, 1);
    clip = clip_compress(&c.raw, &w, NULL);
    assert_int_equal(clip->groups.count, 2); // one value each
    assert_int_equal(clip->num_keyed_groups, 0);
    assert_int_equal(clip->rows.count, 8);
    assert_int_equal(clip->stream.count, CT_ANIMATION_STREAM_END_BYTES);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

static void smooth_motion_is_small(void **state) {
    (void)state;
    clip_fixture c;
    ct_blob_writer w;
    clip_make(&c, 30, 5, 300, CLIP_SMOOTH, 3);
    c.raw.jump_interval = 0;
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
    assert_int_equal(clip->jump_bits.count, 1);
    // Floats are 30 * 10 seconds * 30 joints * 40 bytes.
    const double bytes = (double)clip->stream.count / 30 / 10;
    if (!(bytes < 50))
        fail_msg("found %g bytes a joint and second; expected less than 50", bytes);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

static void the_same_clip_gives_the_same_bytes(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2; ++i) {
        clip_fixture c;
        ct_blob_writer a, b;
        clip_make(&c, 9, 2, 80, i ? CLIP_MIXED : CLIP_SCALE, 3);
        (void)clip_compress(&c.raw, &a, NULL);
        (void)clip_compress(&c.raw, &b, NULL);
        assert_int_equal(a.bytes.count, b.bytes.count);
        assert_memory_equal(a.bytes.items, b.bytes.items, a.bytes.count);
        ct_blob_writer_free(&a);
        ct_blob_writer_free(&b);
        clip_free(&c);
    }
}

static void additive_clips_move_from_the_identity(void **state) {
    (void)state;
    clip_fixture c;
    ct_blob_writer w;
    ct_clip_error error;
    clip_make(&c, 6, 1, 60, CLIP_SMOOTH, 8);
    c.raw.flags = CT_ANIMATION_ADDITIVE;
    for (uint32_t i = 0; i < 6 * 61; ++i) // differences: no place of their own
        c.samples[i].position = ct_vec3_make(0, 0, 0);
    const ct_animation_resource *const clip = clip_compress(&c.raw, &w, &error);
    assert_true(error.worst > 0 && error.worst <= c.raw.tolerance);
    ct_clip_player *const p = clip_new_player(clip);
    ct_pose_group identity[2], pose[2];
    ct_pose_identity(identity, 2);
    for (uint32_t f = 0; f <= 60; ++f) {
        ct_clip_player_move(p, (float)f / 30);
        ct_clip_player_pose(p, identity, pose);
        for (uint32_t j = 0; j < 6; ++j) {
            const ct_joint_pose found = ct_pose_joint(pose, j);
            const float dot = ct_quat_dot(found.rotation, c.samples[f * 6 + j].rotation);
            assert_true(fabsf(dot) > 0.999f);
            assert_true(found.position.z == 0 && found.scale.x == 1);
        }
    }
    ct_free(test_heap(), p);
    ct_blob_writer_free(&w);
    clip_free(&c);
}

static void hundred_thousand_frames_compress(void **state) {
    (void)state;
    check(1, 1, 100000, CLIP_SMOOTH, 9, 0.001f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_below_the_tolerance),
        cmocka_unit_test(long_chains_and_wide_skeletons_are_below_it_too),
        cmocka_unit_test(short_clips_are_below_it_too),
        cmocka_unit_test(random_clips_are_below_it_too),
        cmocka_unit_test(tracks_cost_what_they_move),
        cmocka_unit_test(smooth_motion_is_small),
        cmocka_unit_test(the_same_clip_gives_the_same_bytes),
        cmocka_unit_test(additive_clips_move_from_the_identity),
        cmocka_unit_test(hundred_thousand_frames_compress),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
