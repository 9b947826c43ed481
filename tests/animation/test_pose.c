#include "animation/pose.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

enum { JOINTS = 23, GROUPS = (JOINTS + CT_POSE_LANES - 1) / CT_POSE_LANES, ROUNDS = 200 };

static float number(ct_random *r) {
    return ct_random_float(r) * 2 - 1;
}

static ct_joint_pose any_joint(ct_random *r) {
    return (ct_joint_pose){
        .rotation = ct_quat_unit((ct_quat){{number(r), number(r), number(r), number(r)}}),
        .position = ct_vec3_make(number(r), number(r), number(r)),
        .scale = ct_vec3_make(1 + number(r) / 2, 1 + number(r) / 2, 1 + number(r) / 2)};
}

static void any_pose(ct_random *r, ct_pose_group *pose) {
    ct_pose_identity(pose, GROUPS);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const ct_joint_pose joint = any_joint(r);
        ct_pose_set_joint(pose, j, &joint);
    }
}

// The largest difference between two poses; rotations q and -q are the same.
static float difference(const ct_pose_group *a, const ct_pose_group *b) {
    float most = 0;
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const ct_joint_pose x = ct_pose_joint(a, j), y = ct_pose_joint(b, j);
        float dot = 0;
        for (uint32_t i = 0; i < 4; ++i)
            dot += x.rotation.raw[i] * y.rotation.raw[i];
        most = fmaxf(most, fabsf(1 - fabsf(dot)));
        for (uint32_t i = 0; i < 3; ++i) {
            most = fmaxf(most, fabsf(x.position.raw[i] - y.position.raw[i]));
            most = fmaxf(most, fabsf(x.scale.raw[i] - y.scale.raw[i]));
        }
    }
    return most;
}

static void joints_are_lanes(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 0);
    ct_pose_group pose[GROUPS];
    ct_joint_pose joints[JOINTS];
    ct_pose_identity(pose, GROUPS);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        joints[j] = any_joint(&r);
        ct_pose_set_joint(pose, j, &joints[j]);
    }
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const ct_joint_pose found = ct_pose_joint(pose, j);
        assert_memory_equal(&found.rotation, &joints[j].rotation, sizeof(found.rotation));
        assert_memory_equal(&found.position, &joints[j].position, sizeof(found.position));
        assert_memory_equal(&found.scale, &joints[j].scale, sizeof(found.scale));
    }
    assert_true(pose[GROUPS - 1].rotation[3][3] == 1); // past the last joint: the identity
}

static void blending_a_pose_with_itself_is_the_pose(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(2, 0);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        ct_pose_group pose[GROUPS], sum[GROUPS];
        any_pose(&r, pose);
        const float weights[3] = {0.2f, 0.5f, 0.3f};
        ct_pose_clear(sum, GROUPS);
        for (uint32_t i = 0; i < 3; ++i) {
            // The same rotations with the other sign.
            ct_pose_group same[GROUPS];
            memcpy(same, pose, sizeof(same));
            for (uint32_t g = 0; i == 1 && g < GROUPS; ++g) {
                for (uint32_t k = 0; k < 4; ++k)
                    same[g].rotation[k] = -same[g].rotation[k];
            }
            ct_pose_add_weighted(sum, same, weights[i], GROUPS);
        }
        ct_pose_finish(sum, weights[0] + weights[1] + weights[2], GROUPS);
        assert_true(difference(sum, pose) < 1e-6f);
        ct_pose_layer(sum, pose, NULL, 0.5f, GROUPS);
        assert_true(difference(sum, pose) < 1e-6f);
    }
}

static void layers_cover_by_weight_and_mask(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(3, 0);
    ct_pose_group below[GROUPS], over[GROUPS], pose[GROUPS];
    any_pose(&r, below);
    any_pose(&r, over);
    memcpy(pose, below, sizeof(pose));
    ct_pose_layer(pose, over, NULL, 1, GROUPS);
    assert_true(difference(pose, over) < 1e-6f);
    memcpy(pose, below, sizeof(pose));
    ct_pose_layer(pose, over, NULL, 0, GROUPS);
    assert_true(difference(pose, below) < 1e-6f);
    // Only joint 5.
    ct_float4 mask[GROUPS];
    memset(mask, 0, sizeof(mask));
    mask[1][1] = 1;
    ct_pose_layer(pose, over, mask, 1, GROUPS);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const ct_joint_pose found = ct_pose_joint(pose, j);
        const ct_joint_pose expected = ct_pose_joint(j == 5 ? over : below, j);
        for (uint32_t i = 0; i < 3; ++i)
            assert_true(fabsf(found.position.raw[i] - expected.position.raw[i]) < 1e-6f);
    }
}

static void a_delta_added_to_its_reference_is_the_pose(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(4, 0);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        ct_pose_group pose[GROUPS], reference[GROUPS], delta[GROUPS];
        any_pose(&r, pose);
        any_pose(&r, reference);
        memcpy(delta, pose, sizeof(delta));
        ct_pose_make_delta(delta, reference, GROUPS);
        ct_pose_group found[GROUPS];
        memcpy(found, reference, sizeof(found));
        ct_pose_add_delta(found, delta, NULL, 1, GROUPS);
        assert_true(difference(found, pose) < 1e-5f);
        memcpy(found, reference, sizeof(found));
        ct_pose_add_delta(found, delta, NULL, 0, GROUPS);
        assert_true(difference(found, reference) < 1e-6f);
    }
}

static void a_flat_reference_gives_finite_deltas(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(5, 0);
    ct_pose_group pose[GROUPS], reference[GROUPS];
    any_pose(&r, pose);
    any_pose(&r, reference);
    reference[0].scale[1][2] = 0;
    reference[1].rotation[0][0] = reference[1].rotation[1][0] = 0;
    reference[1].rotation[2][0] = reference[1].rotation[3][0] = 0;
    ct_pose_make_delta(pose, reference, GROUPS);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const ct_joint_pose joint = ct_pose_joint(pose, j);
        assert_true(ct_vec3_is_finite(joint.scale) && ct_quat_is_finite(joint.rotation));
    }
}

static void opposite_rotations_still_blend_to_a_rotation(void **state) {
    (void)state;
    ct_pose_group a[1], b[1], sum[1];
    ct_pose_identity(a, 1);
    ct_pose_identity(b, 1);
    for (uint32_t k = 0; k < 4; ++k)
        b[0].rotation[k] = (ct_float4){k == 0, k == 0, k == 0, k == 0}; // half a turn about x
    ct_pose_clear(sum, 1);
    ct_pose_add_weighted(sum, a, 0.5f, 1);
    ct_pose_add_weighted(sum, b, 0.5f, 1);
    ct_pose_finish(sum, 1, 1);
    const ct_quat q = ct_pose_joint(sum, 0).rotation;
    assert_true(fabsf(q.x * q.x + q.w * q.w - 1) < 1e-6f && fabsf(q.x - q.w) < 1e-6f);
}

static void model_matrices_are_products(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(6, 0);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        ct_pose_group pose[GROUPS];
        uint32_t parents[JOINTS];
        ct_mat4 expected[JOINTS];
        ct_affine found[JOINTS];
        any_pose(&r, pose);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const bool is_top = j == 0 || ct_random_below(&r, 8) == 0;
            parents[j] = is_top ? CT_SKELETON_NO_PARENT : ct_random_below(&r, j);
            const ct_joint_pose p = ct_pose_joint(pose, j);
            expected[j] = ct_mat4_compose(p.position, p.rotation, p.scale);
            if (!is_top)
                expected[j] = ct_mat4_mul(expected[parents[j]], expected[j]);
        }
        ct_pose_to_model(pose, parents, JOINTS, found);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            for (uint32_t row = 0; row < 3; ++row) {
                for (uint32_t column = 0; column < 4; ++column)
                    assert_true(fabsf(found[j].rows[row][column] -
                                      expected[j].col[column].raw[row]) < 1e-4f);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_lanes),
        cmocka_unit_test(blending_a_pose_with_itself_is_the_pose),
        cmocka_unit_test(layers_cover_by_weight_and_mask),
        cmocka_unit_test(a_delta_added_to_its_reference_is_the_pose),
        cmocka_unit_test(a_flat_reference_gives_finite_deltas),
        cmocka_unit_test(opposite_rotations_still_blend_to_a_rotation),
        cmocka_unit_test(model_matrices_are_products),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
