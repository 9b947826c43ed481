#include "animation/clip/clip_model.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"

void ct_clip_model_free(ct_clip_model *m) {
    ct_free(m->allocator, m->is_turning);
    ct_free(m->allocator, m->linked);
    ct_free(m->allocator, m->points.offsets);
    ct_free(m->allocator, m->centers);
    ct_free(m->allocator, m->raw_turns);
    ct_free(m->allocator, m->turns);
    ct_free(m->allocator, m->raw_origins);
    ct_free(m->allocator, m->origins);
    ct_free(m->allocator, m->points.wanted);
    ct_free(m->allocator, m->points.origin_errors);
}

// The rotation that the samples of a joint are behind: additive clips turn the rest pose.
static ct_quat base_rotation(const ct_clip_model *m, uint32_t joint) {
    ct_quat q = ct_quat_identity();
    if (m->raw->flags & CT_ANIMATION_ADDITIVE)
        memcpy(q.raw, m->joints[joint].rotation, sizeof(q.raw));
    return q;
}

// Makes room for offsets: for all frames when a joint below another moves in it or is scaled.
static void make_offsets(ct_clip_model *m) {
    bool any = false;
    for (uint64_t i = m->num_joints; i < m->num_samples * m->num_joints && !any; ++i) {
        const uint32_t j = (uint32_t)(i % m->num_joints);
        const ct_joint_pose *const s = &m->raw->samples[i], *const first = &m->raw->samples[j];
        any = memcmp(&s->scale, &first->scale, sizeof(s->scale)) != 0 ||
              (m->joints[j].parent != CT_SKELETON_NO_PARENT &&
               memcmp(&s->position, &first->position, sizeof(s->position)) != 0);
    }
    m->points.stride = any ? CT_CLIP_MOST_POINTS : 0;
    const uint64_t count = CT_CLIP_MOST_POINTS * (any ? m->num_samples : 1);
    m->points.offsets = ct_alloc(m->allocator, sizeof(ct_vec3) * count);
    m->centers = ct_alloc(m->allocator, sizeof(ct_vec3) * count);
}

void ct_clip_model_init(ct_clip_model *m, const ct_raw_clip *raw, ct_allocator *a) {
    *m = (ct_clip_model){.raw = raw, .allocator = a, .num_samples = raw->num_frames + 1ull};
    m->joints = ct_skeleton_joints(raw->skeleton, &m->num_joints);
    const uint64_t count = m->num_samples * m->num_joints;
    m->is_turning = ct_alloc_zero(a, sizeof(bool) * m->num_joints);
    m->linked = ct_alloc(a, sizeof(*m->linked) * m->num_joints);
    make_offsets(m);
    m->raw_turns = ct_alloc(a, sizeof(ct_quat) * count);
    m->turns = ct_alloc(a, sizeof(ct_quat) * count);
    m->raw_origins = ct_alloc(a, sizeof(ct_vec3) * count);
    m->origins = ct_alloc(a, sizeof(ct_vec3) * count);
    m->points.wanted = ct_alloc(a, sizeof(ct_quat) * m->num_samples);
    m->points.origin_errors = ct_alloc(a, sizeof(ct_vec3) * m->num_samples);
    ct_clip_raw_origins(raw, a, m->raw_origins);
    for (uint32_t j = 0; j < m->num_joints; ++j) {
        const uint32_t parent = m->joints[j].parent;
        const ct_quat base = base_rotation(m, j);
        ct_quat *const turns = m->raw_turns + j * m->num_samples;
        for (uint64_t f = 0; f < m->num_samples; ++f) {
            turns[f] = ct_quat_mul(base, raw->samples[f * m->num_joints + j].rotation);
            if (parent != CT_SKELETON_NO_PARENT)
                turns[f] = ct_quat_mul(m->raw_turns[parent * m->num_samples + f], turns[f]);
            turns[f] = ct_quat_unit(turns[f]);
        }
    }
}

// How much larger a joint's place is in model space than in its parent's, about.
static float parent_scale(const ct_clip_model *m, uint32_t joint, uint64_t frame) {
    const uint32_t parent = m->joints[joint].parent;
    if (parent == CT_SKELETON_NO_PARENT)
        return 1;
    ct_vec3 local = m->raw->samples[frame * m->num_joints + joint].position;
    for (uint32_t i = 0; i < 3 && (m->raw->flags & CT_ANIMATION_ADDITIVE); ++i)
        local.raw[i] += m->joints[joint].position[i];
    const ct_vec3 apart = ct_vec3_sub(m->raw_origins[joint * m->num_samples + frame],
                                      m->raw_origins[parent * m->num_samples + frame]);
    const float length = ct_vec3_length(local);
    return length > 1e-6f ? ct_vec3_length(apart) / length : 1;
}

void ct_clip_model_place(ct_clip_model *m, const ct_clip_track *t, const float *still,
                         float *samples) {
    const uint32_t parent = m->joints[t->number].parent;
    if (t->keys.count > 0)
        ct_clip_track_play(t, samples);
    for (uint64_t f = 0; f < m->num_samples; ++f) {
        const uint64_t at = t->number * m->num_samples + f, above = parent * m->num_samples + f;
        const float *const found = t->keys.count > 0 ? samples + 3 * f : still;
        const ct_vec3 raw = m->raw->samples[f * m->num_joints + t->number].position;
        ct_vec3 moved = ct_vec3_sub(ct_vec3_make(found[0], found[1], found[2]), raw);
        if (parent == CT_SKELETON_NO_PARENT) {
            m->origins[at] = ct_vec3_add(m->raw_origins[at], moved);
            continue;
        }
        moved = ct_vec3_scale(moved, parent_scale(m, t->number, f));
        // The joint's place in the frame of its parent's rotation.
        const ct_vec3 apart = ct_vec3_sub(m->raw_origins[at], m->raw_origins[above]);
        const ct_vec3 place = ct_quat_rotate(ct_quat_conjugate(m->raw_turns[above]), apart);
        m->origins[at] = ct_vec3_add(m->origins[above],
                                     ct_quat_rotate(m->turns[above], ct_vec3_add(place, moved)));
    }
}

// --- Rotations -----------------------------------------------------------------------------------

// Adds a point of the frame `f`: of what is at `center`, by `arm`.
static void add_point(ct_clip_model *m, uint64_t f, ct_vec3 center, ct_vec3 arm, float tolerance) {
    ct_clip_points *const p = &m->points;
    if (p->count == CT_CLIP_MOST_POINTS)
        return;
    m->centers[p->stride * f + p->count] = center;
    p->offsets[p->stride * f + p->count] = ct_vec3_add(center, arm);
    p->most2[p->count++] = tolerance * tolerance;
}

static bool is_linked(const ct_clip_model *m, uint32_t below, uint32_t joint) {
    uint32_t above = m->joints[below].parent;
    while (above != CT_SKELETON_NO_PARENT && above > joint && !m->is_turning[above])
        above = m->joints[above].parent;
    return above == joint;
}

// Adds the points of a joint that moves with the rotation of `joint` (or is it).
static void add_points(ct_clip_model *m, uint64_t f, uint32_t joint, uint32_t below,
                       float tolerance, float child_tolerance) {
    const uint64_t at = joint * m->num_samples + f, there = below * m->num_samples + f;
    const ct_quat back = ct_quat_conjugate(m->raw_turns[at]);
    const ct_vec3 apart = ct_vec3_sub(m->raw_origins[there], m->raw_origins[at]);
    const ct_vec3 center = ct_quat_rotate(back, apart);
    if (below != joint)
        add_point(m, f, center, ct_vec3_make(0, 0, 0), child_tolerance);
    if (below != joint && m->is_turning[below])
        return;
    const ct_quat turn = ct_quat_mul(back, m->raw_turns[there]);
    for (uint32_t i = 0; i < 3; ++i) {
        ct_vec3 axis = ct_vec3_make(0, 0, 0);
        axis.raw[i] = m->raw->skeleton->shell;
        add_point(m, f, center, ct_quat_rotate(turn, axis), tolerance);
    }
}

// Sets m->linked: the joint, and those that its rotation moves without a joint between that turns.
static void find_linked(ct_clip_model *m, uint32_t joint) {
    m->num_linked = 0;
    m->linked[m->num_linked++] = joint;
    for (uint32_t below = joint + 1; below < m->num_joints; ++below) {
        if (is_linked(m, below, joint))
            m->linked[m->num_linked++] = below;
    }
}

static void find_points(ct_clip_model *m, uint64_t f, float tolerance, float child_tolerance) {
    m->points.count = 0;
    for (uint32_t i = 0; i < m->num_linked; ++i)
        add_points(m, f, m->linked[0], m->linked[i], tolerance, child_tolerance);
}

// Inverts a symmetric, positive matrix.
static void invert3(const double m[3][3], double out[3][3]) {
    for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t c = 0; c < 3; ++c)
            out[c][r] = m[(r + 1) % 3][(c + 1) % 3] * m[(r + 2) % 3][(c + 2) % 3] -
                        m[(r + 1) % 3][(c + 2) % 3] * m[(r + 2) % 3][(c + 1) % 3];
    }
    const double size = m[0][0] * out[0][0] + m[0][1] * out[1][0] + m[0][2] * out[2][0];
    for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t c = 0; c < 3; ++c)
            out[r][c] /= size;
    }
}

// Finds the matrix that gives, for an error of the joint's origin, the small rotation that brings
// the joints below nearest to where they should be: the least sum of squares, by tolerances. Its own
// points only hold it back.
static void find_correction(const ct_clip_model *m, uint64_t f, float correction[3][3]) {
    const ct_clip_points *const p = &m->points;
    double normal[3][3] = {{0}}, cross[3][3] = {{0}}, inverse[3][3];
    for (uint32_t k = 0; k < p->count; ++k) {
        const float *const arm = p->offsets[p->stride * f + k].raw;
        const float *const center = m->centers[p->stride * f + k].raw;
        const double weight = 1 / (double)p->most2[k];
        const double o[3] = {(double)arm[0], (double)arm[1], (double)arm[2]};
        const double square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
        for (uint32_t r = 0; r < 3; ++r) {
            for (uint32_t c = 0; c < 3; ++c)
                normal[r][c] += weight * ((r == c ? square : 0) - o[r] * o[c]);
            cross[r][(r + 1) % 3] -= weight * (double)center[(r + 2) % 3];
            cross[r][(r + 2) % 3] += weight * (double)center[(r + 1) % 3];
        }
    }
    invert3((const double(*)[3])normal, inverse);
    for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t c = 0; c < 3; ++c)
            correction[r][c] = (float)-(inverse[r][0] * cross[0][c] + inverse[r][1] * cross[1][c] +
                                        inverse[r][2] * cross[2][c]);
    }
}

static ct_quat corrected(ct_quat q, const float correction[3][3], ct_vec3 e) {
    ct_quat turn = {{0, 0, 0, 1}};
    for (uint32_t r = 0; r < 3; ++r)
        turn.raw[r] =
            (correction[r][0] * e.x + correction[r][1] * e.y + correction[r][2] * e.z) / 2;
    return ct_quat_mul(q, ct_quat_unit(turn));
}

void ct_clip_model_aim(ct_clip_model *m, ct_clip_track *t, float tolerance, float child_tolerance,
                       float *samples) {
    const uint32_t parent = m->joints[t->number].parent;
    ct_quat before = base_rotation(m, t->number), last = {{0}};
    if (t->is_relative) {
        ct_quat reference;
        memcpy(reference.raw, t->reference, sizeof(reference.raw));
        before = ct_quat_mul(before, reference);
    }
    const ct_quat back = ct_quat_conjugate(before);
    float correction[3][3];
    t->points = &m->points;
    find_linked(m, t->number);
    for (uint64_t f = 0; f < m->num_samples; ++f) {
        const uint64_t at = t->number * m->num_samples + f;
        if (f == 0 || m->points.stride > 0) {
            find_points(m, f, tolerance, child_tolerance);
            find_correction(m, f, correction);
        }
        ct_quat q = m->raw_turns[at];
        const ct_vec3 e =
            ct_quat_rotate(ct_quat_conjugate(q), ct_vec3_sub(m->origins[at], m->raw_origins[at]));
        if (parent != CT_SKELETON_NO_PARENT)
            q = ct_quat_mul(ct_quat_conjugate(m->turns[parent * m->num_samples + f]), q);
        q = ct_quat_mul(back, q);
        m->points.wanted[f] = q;
        m->points.origin_errors[f] = e;
        q = corrected(q, (const float(*)[3])correction, e);
        float dot = 0;
        for (uint32_t i = 0; i < 4; ++i)
            dot += q.raw[i] * last.raw[i];
        const bool is_turned = t->is_relative ? q.raw[3] < 0 : dot < 0;
        for (uint32_t i = 0; i < 4; ++i)
            q.raw[i] = is_turned ? -q.raw[i] : q.raw[i];
        memcpy(samples + t->num_numbers * f, q.raw, sizeof(float) * t->num_numbers);
        last = q;
    }
}

void ct_clip_model_turn(ct_clip_model *m, const ct_clip_track *t, const float *still,
                        float *samples) {
    const uint32_t parent = m->joints[t->number].parent;
    const ct_quat base = base_rotation(m, t->number);
    ct_quat reference;
    memcpy(reference.raw, t->reference, sizeof(reference.raw));
    if (t->keys.count > 0)
        ct_clip_track_play(t, samples);
    for (uint64_t f = 0; f < m->num_samples; ++f) {
        ct_quat q;
        const float *const s = samples + t->num_numbers * f;
        if (t->keys.count == 0)
            memcpy(q.raw, still, sizeof(q.raw));
        else if (!t->is_relative)
            q = ct_quat_unit((ct_quat){{s[0], s[1], s[2], s[3]}});
        else
            q = ct_quat_mul(reference, ct_clip_whole_rotation(s));
        q = ct_quat_mul(base, q);
        if (parent != CT_SKELETON_NO_PARENT)
            q = ct_quat_mul(m->turns[parent * m->num_samples + f], q);
        m->turns[t->number * m->num_samples + f] = ct_quat_unit(q);
    }
}
