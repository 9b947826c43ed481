#include "animation/pose.h"

#include <math.h>
#include <string.h>

static ct_float4 four(float f) {
    return (ct_float4){f, f, f, f};
}

// The lanes of `yes` where `mask` has all bits, of `no` where it has none.
static ct_float4 chosen(ct_float4 mask, ct_float4 yes, ct_float4 no) {
    typedef int32_t int4 __attribute__((vector_size(16)));
    return (ct_float4)(((int4)mask & (int4)yes) | (~(int4)mask & (int4)no));
}

// 1 / sqrt. Of each lane by the C library's root, which is exact on every machine.
static ct_float4 inverse_root(ct_float4 v) {
    return four(1) / (ct_float4){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
}

static ct_float4 dot4(const ct_float4 a[4], const ct_float4 b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static ct_float4 masked_weight(const ct_float4 *mask, uint32_t group, float weight) {
    return (mask ? mask[group] : four(1)) * four(weight);
}

// Makes rotations length 1; one without length becomes the identity.
static void make_unit(ct_float4 q[4]) {
    const ct_float4 length2 = dot4(q, q);
    const ct_float4 has_length = (ct_float4)(length2 > four(1e-20f));
    const ct_float4 scale = inverse_root(chosen(has_length, length2, four(1)));
    for (uint32_t i = 0; i < 4; ++i)
        q[i] = chosen(has_length, q[i] * scale, four(i == 3));
}

// out = a * b: `b` first. May not be one of them.
static void multiply(const ct_float4 a[4], const ct_float4 b[4], ct_float4 out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

// --- Single joints -------------------------------------------------------------------------------

ct_joint_pose ct_pose_joint(const ct_pose_group *pose, uint32_t joint) {
    const ct_pose_group *const g = &pose[joint / CT_POSE_LANES];
    const uint32_t l = joint % CT_POSE_LANES;
    return (ct_joint_pose){
        {{g->rotation[0][l], g->rotation[1][l], g->rotation[2][l], g->rotation[3][l]}},
        {{g->position[0][l], g->position[1][l], g->position[2][l]}},
        {{g->scale[0][l], g->scale[1][l], g->scale[2][l]}}};
}

void ct_pose_set_joint(ct_pose_group *pose, uint32_t joint, const ct_joint_pose *value) {
    ct_pose_group *const g = &pose[joint / CT_POSE_LANES];
    const uint32_t l = joint % CT_POSE_LANES;
    for (uint32_t i = 0; i < 4; ++i)
        g->rotation[i][l] = value->rotation.raw[i];
    for (uint32_t i = 0; i < 3; ++i) {
        g->position[i][l] = value->position.raw[i];
        g->scale[i][l] = value->scale.raw[i];
    }
}

void ct_pose_rest(const ct_skeleton_resource *skeleton, ct_pose_group *pose) {
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(skeleton, &count);
    ct_pose_identity(pose, ct_pose_num_groups(count));
    for (uint32_t j = 0; j < count; ++j) {
        ct_joint_pose rest;
        memcpy(rest.rotation.raw, joints[j].rotation, sizeof(joints[j].rotation));
        memcpy(rest.position.raw, joints[j].position, sizeof(joints[j].position));
        memcpy(rest.scale.raw, joints[j].scale, sizeof(joints[j].scale));
        ct_pose_set_joint(pose, j, &rest);
    }
}

void ct_pose_identity(ct_pose_group *pose, uint32_t num_groups) {
    const ct_float4 zero = four(0), one = four(1);
    for (uint32_t g = 0; g < num_groups; ++g)
        pose[g] = (ct_pose_group){{zero, zero, zero, one}, {zero, zero, zero}, {one, one, one}};
}

// --- Sums ----------------------------------------------------------------------------------------

void ct_pose_clear(ct_pose_group *sum, uint32_t num_groups) {
    memset(sum, 0, sizeof(*sum) * num_groups);
}

void ct_pose_add_weighted(ct_pose_group *sum, const ct_pose_group *pose, float weight,
                          uint32_t num_groups) {
    const ct_float4 w = four(weight);
    for (uint32_t g = 0; g < num_groups; ++g) {
        const ct_float4 is_opposite =
            (ct_float4)(dot4(sum[g].rotation, pose[g].rotation) < four(0));
        const ct_float4 w_rotation = chosen(is_opposite, -w, w);
        for (uint32_t i = 0; i < 4; ++i)
            sum[g].rotation[i] += pose[g].rotation[i] * w_rotation;
        for (uint32_t i = 0; i < 3; ++i) {
            sum[g].position[i] += pose[g].position[i] * w;
            sum[g].scale[i] += pose[g].scale[i] * w;
        }
    }
}

void ct_pose_finish(ct_pose_group *sum, float total_weight, uint32_t num_groups) {
    const ct_float4 total = four(total_weight);
    for (uint32_t g = 0; g < num_groups; ++g) {
        make_unit(sum[g].rotation);
        for (uint32_t i = 0; i < 3; ++i) {
            sum[g].position[i] /= total;
            sum[g].scale[i] /= total;
        }
    }
}

// --- Layers --------------------------------------------------------------------------------------

void ct_pose_layer(ct_pose_group *pose, const ct_pose_group *over, const ct_float4 *mask,
                   float weight, uint32_t num_groups) {
    for (uint32_t g = 0; g < num_groups; ++g) {
        const ct_float4 w = masked_weight(mask, g, weight);
        const ct_float4 keep = four(1) - w;
        const ct_float4 is_opposite =
            (ct_float4)(dot4(pose[g].rotation, over[g].rotation) < four(0));
        const ct_float4 w_rotation = chosen(is_opposite, -w, w);
        for (uint32_t i = 0; i < 4; ++i)
            pose[g].rotation[i] = pose[g].rotation[i] * keep + over[g].rotation[i] * w_rotation;
        make_unit(pose[g].rotation);
        for (uint32_t i = 0; i < 3; ++i) {
            pose[g].position[i] = pose[g].position[i] * keep + over[g].position[i] * w;
            pose[g].scale[i] = pose[g].scale[i] * keep + over[g].scale[i] * w;
        }
    }
}

void ct_pose_add_delta(ct_pose_group *pose, const ct_pose_group *delta, const ct_float4 *mask,
                       float weight, uint32_t num_groups) {
    const ct_float4 one = four(1);
    for (uint32_t g = 0; g < num_groups; ++g) {
        const ct_float4 w = masked_weight(mask, g, weight);
        // From the identity towards the delta, the shorter way.
        const ct_float4 is_opposite = (ct_float4)(delta[g].rotation[3] < four(0));
        const ct_float4 w_rotation = chosen(is_opposite, -w, w);
        ct_float4 part[4], turned[4];
        for (uint32_t i = 0; i < 3; ++i)
            part[i] = delta[g].rotation[i] * w_rotation;
        part[3] = delta[g].rotation[3] * w_rotation + (one - w);
        multiply(pose[g].rotation, part, turned);
        make_unit(turned);
        memcpy(pose[g].rotation, turned, sizeof(turned));
        for (uint32_t i = 0; i < 3; ++i) {
            pose[g].position[i] += delta[g].position[i] * w;
            pose[g].scale[i] *= one + (delta[g].scale[i] - one) * w;
        }
    }
}

void ct_pose_make_delta(ct_pose_group *pose, const ct_pose_group *reference, uint32_t num_groups) {
    for (uint32_t g = 0; g < num_groups; ++g) {
        const ct_float4 *const r = reference[g].rotation;
        const ct_float4 back[4] = {-r[0], -r[1], -r[2], r[3]};
        ct_float4 delta[4];
        multiply(back, pose[g].rotation, delta);
        make_unit(delta);
        memcpy(pose[g].rotation, delta, sizeof(delta));
        for (uint32_t i = 0; i < 3; ++i) {
            pose[g].position[i] -= reference[g].position[i];
            const ct_float4 is_flat = (ct_float4)(reference[g].scale[i] == four(0));
            pose[g].scale[i] =
                chosen(is_flat, four(1),
                       pose[g].scale[i] / chosen(is_flat, four(1), reference[g].scale[i]));
        }
    }
}

// --- Model matrices ------------------------------------------------------------------------------

// Turns columns into rows: lane l of `rows` is row l.
static void transpose(ct_float4 a, ct_float4 b, ct_float4 c, ct_float4 d, ct_float4 rows[4]) {
    const ct_float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const ct_float4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const ct_float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const ct_float4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

// The matrices of four joints to their parents.
static void compose(const ct_pose_group *g, ct_affine locals[4]) {
    const ct_float4 x = g->rotation[0], y = g->rotation[1], z = g->rotation[2], w = g->rotation[3];
    const ct_float4 one = four(1), x2 = x + x, y2 = y + y, z2 = z + z;
    const ct_float4 xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    const ct_float4 wx = w * x2, wy = w * y2, wz = w * z2;
    const ct_float4 *const s = g->scale, *const p = g->position;
    ct_float4 rows[4];
    transpose((one - (yy + zz)) * s[0], (xy - wz) * s[1], (xz + wy) * s[2], p[0], rows);
    for (uint32_t l = 0; l < 4; ++l)
        locals[l].rows[0] = rows[l];
    transpose((xy + wz) * s[0], (one - (xx + zz)) * s[1], (yz - wx) * s[2], p[1], rows);
    for (uint32_t l = 0; l < 4; ++l)
        locals[l].rows[1] = rows[l];
    transpose((xz - wy) * s[0], (yz + wx) * s[1], (one - (xx + yy)) * s[2], p[2], rows);
    for (uint32_t l = 0; l < 4; ++l)
        locals[l].rows[2] = rows[l];
}

static ct_affine multiply_affine(const ct_affine *a, const ct_affine *b) {
    typedef int32_t int4 __attribute__((vector_size(16)));
    ct_affine out;
    for (uint32_t r = 0; r < 3; ++r) {
        const ct_float4 row = a->rows[r];
        const ct_float4 place = (ct_float4)((int4)row & (int4){0, 0, 0, -1});
        out.rows[r] = four(row[0]) * b->rows[0] + four(row[1]) * b->rows[1] +
                      four(row[2]) * b->rows[2] + place;
    }
    return out;
}

void ct_pose_to_model(const ct_pose_group *pose, const uint32_t *parents, uint32_t num_joints,
                      ct_affine *models) {
    for (uint32_t first = 0; first < num_joints; first += CT_POSE_LANES) {
        ct_affine locals[CT_POSE_LANES];
        compose(&pose[first / CT_POSE_LANES], locals);
        for (uint32_t l = 0; l < CT_POSE_LANES && first + l < num_joints; ++l) {
            const uint32_t parent = parents[first + l];
            models[first + l] = parent == CT_SKELETON_NO_PARENT
                                    ? locals[l]
                                    : multiply_affine(&models[parent], &locals[l]);
        }
    }
}
