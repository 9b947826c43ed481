#include "animation/clip/clip_compress.h"

#include "animation/clip/clip_fixture.h"

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
    if (!(worst <= tolerance * 1.01f) || !(error.worst <= tolerance) || !(error.mean <= worst))
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_below_the_tolerance),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
