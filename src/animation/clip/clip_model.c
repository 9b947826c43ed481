#include "animation/clip/clip_model.h"

#include <math.h>
#include <string.h>

void ct_clip_model_free(ct_clip_model *m) {
    ct_free(m->allocator, m->is_turning);
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

void ct_clip_model_init(ct_clip_model *m, const ct_raw_clip *raw, ct_allocator *a) {
    *m = (ct_clip_model){.raw = raw, .allocator = a, .num_samples = raw->num_frames + 1ull};
    m->joints = ct_skeleton_joints(raw->skeleton, &m->num_joints);
    const uint64_t count = m->num_samples * m->num_joints;
    m->is_turning = ct_alloc_zero(a, sizeof(bool) * m->num_joints);
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

static void add_point(ct_clip_points *p, ct_vec3 offset, float tolerance) {
    if (p->count == CT_CLIP_MOST_POINTS)
        return;
    p->offsets[p->count] = offset;
    p->most2[p->count++] = tolerance * tolerance;
}

static bool is_linked(const ct_clip_model *m, uint32_t below, uint32_t joint) {
    uint32_t above = m->joints[below].parent;
    while (above != CT_SKELETON_NO_PARENT && above > joint && !m->is_turning[above])
        above = m->joints[above].parent;
    return above == joint;
}

// Adds the points of a joint that moves with the rotation of `joint` (or is it).
static void add_points(ct_clip_model *m, uint32_t joint, uint32_t below, float tolerance,
                       float child_tolerance) {
    const uint64_t middle = m->num_samples / 2, at = joint * m->num_samples + middle;
    const uint64_t there = below * m->num_samples + middle;
    const ct_quat back = ct_quat_conjugate(m->raw_turns[at]);
    const ct_vec3 apart = ct_vec3_sub(m->raw_origins[there], m->raw_origins[at]);
    const ct_vec3 origin = ct_quat_rotate(back, apart);
    if (below != joint)
        add_point(&m->points, origin, child_tolerance);
    if (below != joint && m->is_turning[below])
        return;
    const ct_quat turn = ct_quat_mul(back, m->raw_turns[there]);
    for (uint32_t i = 0; i < 3; ++i) {
        ct_vec3 axis = ct_vec3_make(0, 0, 0);
        axis.raw[i] = m->raw->skeleton->shell;
        add_point(&m->points, ct_vec3_add(origin, ct_quat_rotate(turn, axis)), tolerance);
    }
}

static void find_points(ct_clip_model *m, uint32_t joint, float tolerance, float child_tolerance) {
    m->points.count = 0;
    add_points(m, joint, joint, tolerance, child_tolerance);
    for (uint32_t below = joint + 1; below < m->num_joints; ++below) {
        if (is_linked(m, below, joint))
            add_points(m, joint, below, tolerance, child_tolerance);
    }
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
// its points nearest to where they should be: the least sum of squares, by tolerances.
static void find_correction(const ct_clip_points *p, float correction[3][3]) {
    double normal[3][3] = {{0}}, cross[3][3] = {{0}}, inverse[3][3];
    for (uint32_t k = 0; k < p->count; ++k) {
        const double weight = 1 / (double)p->most2[k];
        const double o[3] = {(double)p->offsets[k].x, (double)p->offsets[k].y,
                             (double)p->offsets[k].z};
        const double square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
        for (uint32_t r = 0; r < 3; ++r) {
            for (uint32_t c = 0; c < 3; ++c)
                normal[r][c] += weight * ((r == c ? square : 0) - o[r] * o[c]);
            cross[r][(r + 1) % 3] -= weight * o[(r + 2) % 3];
            cross[r][(r + 2) % 3] += weight * o[(r + 1) % 3];
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
    find_points(m, t->number, tolerance, child_tolerance);
    find_correction(&m->points, correction);
    t->points = &m->points;
    for (uint64_t f = 0; f < m->num_samples; ++f) {
        const uint64_t at = t->number * m->num_samples + f;
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
