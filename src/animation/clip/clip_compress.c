#include "animation/clip/clip_compress.h"

#include <math.h>
#include <string.h>

#include "animation/clip/clip_error.h"
#include "animation/clip/clip_write.h"

enum {
    JOINT_KINDS = CT_ANIMATION_TRACK_CURVE, // kinds of tracks that joints have
    SHARING_ROUNDS = 6,                     // in which tolerances grow, too
    MOST_ROUNDS = 32,
};

#define HOST_ORDER                                                                                 \
    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? CT_BYTE_ORDER_LITTLE : CT_BYTE_ORDER_BIG)
#define LEAST_W 0.5f        // of relative rotations: up to 120 degrees from the reference
#define CURVE_QUALITY 5e-4f // of a curve's range
#define START_SHARE 0.7f    // of the tolerance, for a joint without others below

// What is known about a track whatever the tolerance is.
typedef struct track_facts {
    float from_rest, from_constant; // the largest distance of its samples
    float fitted;                   // the tolerance of the present fit; below 0: none
} track_facts;

typedef struct compressor {
    const ct_raw_clip *raw;
    ct_allocator *allocator;
    const ct_skeleton_joint *joints;
    uint32_t num_joints;
    ct_clip_tracks tracks;
    track_facts *facts[CT_ANIMATION_TRACK_KIND_COUNT];
    ct_clip_lever *levers;
    ct_clip_fitter *fitter;
    float *shares, *best_shares; // of the tolerance, by joint
    float *worst;                // by joint
} compressor;

// --- Samples -------------------------------------------------------------------------------------

static void copy_numbers(ct_clip_track *t, const compressor *c) {
    const uint64_t stride = sizeof(ct_joint_pose) / sizeof(float) * c->num_joints;
    const ct_joint_pose *const first = &c->raw->samples[t->number];
    const float *from = t->kind == CT_ANIMATION_TRACK_ROTATION   ? first->rotation.raw
                        : t->kind == CT_ANIMATION_TRACK_POSITION ? first->position.raw
                                                                 : first->scale.raw;
    float *to = t->samples;
    for (uint32_t f = 0; f <= c->raw->num_frames; ++f, from += stride, to += t->num_numbers)
        memcpy(to, from, sizeof(float) * t->num_numbers);
}

// Half the angle between two rotations, about.
static float rotation_distance(const float *a, const float *b) {
    float same = 0, opposite = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        same += (a[i] - b[i]) * (a[i] - b[i]);
        opposite += (a[i] + b[i]) * (a[i] + b[i]);
    }
    return sqrtf(fminf(same, opposite));
}

static float number_distance(const float *a, const float *b, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrtf(sum);
}

// Gives each rotation the sign that is nearer to the one before, and sets their mean.
static void align_rotations(ct_clip_track *t, uint32_t num_frames) {
    double sum[4] = {0};
    for (uint32_t f = 0; f <= num_frames; ++f) {
        float *const q = t->samples + 4 * (uint64_t)f;
        float dot = 0;
        for (uint32_t i = 0; f > 0 && i < 4; ++i)
            dot += q[i] * q[(int32_t)i - 4];
        for (uint32_t i = 0; i < 4; ++i) {
            q[i] = dot < 0 ? -q[i] : q[i];
            sum[i] += (double)q[i];
        }
    }
    const double length =
        sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
    const bool has_mean = length > 1e-3 * (num_frames + 1);
    for (uint32_t i = 0; i < 4; ++i) {
        t->reference[i] = has_mean ? (float)(sum[i] / length) : t->samples[i];
        t->constant[i] = t->reference[i];
    }
}

static void prepare_rotation(const compressor *c, ct_clip_track *t, track_facts *facts,
                             const float *rest) {
    align_rotations(t, c->raw->num_frames);
    float least_w = 1;
    for (uint32_t f = 0; f <= c->raw->num_frames; ++f) {
        const float *const q = t->samples + 4 * (uint64_t)f;
        const float *const r = t->reference;
        least_w = fminf(least_w, q[0] * r[0] + q[1] * r[1] + q[2] * r[2] + q[3] * r[3]);
        facts->from_rest = fmaxf(facts->from_rest, rotation_distance(q, rest) * 2);
        facts->from_constant = fmaxf(facts->from_constant, rotation_distance(q, r) * 2);
    }
    t->is_relative = least_w >= LEAST_W;
}

// Makes the samples x, y and z of the rotation from the reference.
static void make_relative(ct_clip_track *t, uint32_t num_frames) {
    const ct_quat back = ct_quat_conjugate(
        (ct_quat){{t->reference[0], t->reference[1], t->reference[2], t->reference[3]}});
    t->num_numbers = 3;
    for (uint32_t f = 0; f <= num_frames; ++f) {
        ct_quat q;
        memcpy(q.raw, t->samples + 4 * (uint64_t)f, sizeof(q.raw));
        q = ct_quat_mul(back, q);
        const float sign = q.raw[3] < 0 ? -1 : 1;
        for (uint32_t i = 0; i < 3; ++i)
            t->samples[3 * (uint64_t)f + i] = q.raw[i] * sign;
    }
}

static void prepare_numbers(const compressor *c, ct_clip_track *t, track_facts *facts,
                            const float *rest) {
    const uint32_t n = t->num_numbers;
    float least[4], most[4];
    memcpy(least, t->samples, sizeof(float) * n);
    memcpy(most, t->samples, sizeof(float) * n);
    for (uint32_t f = 0; f <= c->raw->num_frames; ++f) {
        const float *const v = t->samples + (uint64_t)n * f;
        for (uint32_t i = 0; i < n; ++i) {
            least[i] = fminf(least[i], v[i]);
            most[i] = fmaxf(most[i], v[i]);
        }
        if (rest)
            facts->from_rest = fmaxf(facts->from_rest, number_distance(v, rest, n));
    }
    for (uint32_t i = 0; i < n; ++i)
        t->constant[i] = least[i] == most[i] ? least[i] : least[i] / 2 + most[i] / 2;
    facts->from_constant = number_distance(most, t->constant, n);
}

static ct_clip_track *new_tracks(compressor *c, uint32_t kind, uint32_t count) {
    static const uint32_t numbers[CT_ANIMATION_TRACK_KIND_COUNT] = {4, 3, 3, 1};
    ct_clip_track *const tracks = ct_alloc_zero(c->allocator, sizeof(*tracks) * count);
    for (uint32_t i = 0; i < count; ++i) {
        tracks[i] = (ct_clip_track){.kind = kind, .number = i, .num_numbers = numbers[kind]};
        tracks[i].samples =
            ct_alloc(c->allocator, sizeof(float) * numbers[kind] * (c->raw->num_frames + 1ull));
        ct_array_init(&tracks[i].keys, c->allocator);
    }
    c->facts[kind] = ct_alloc_zero(c->allocator, sizeof(track_facts) * count);
    for (uint32_t i = 0; i < count; ++i)
        c->facts[kind][i].fitted = -1;
    c->tracks.of_kind[kind] = tracks;
    c->tracks.counts[kind] = count;
    return tracks;
}

static void prepare_joints(compressor *c) {
    static const float identity[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    const bool is_additive = c->raw->flags & CT_ANIMATION_ADDITIVE;
    for (uint32_t kind = 0; kind < JOINT_KINDS; ++kind) {
        ct_clip_track *const tracks = new_tracks(c, kind, c->num_joints);
        for (uint32_t j = 0; j < c->num_joints; ++j) {
            const ct_skeleton_joint *const joint = &c->joints[j];
            track_facts *const facts = &c->facts[kind][j];
            copy_numbers(&tracks[j], c);
            if (kind == CT_ANIMATION_TRACK_ROTATION)
                prepare_rotation(c, &tracks[j], facts, is_additive ? identity : joint->rotation);
            else if (kind == CT_ANIMATION_TRACK_POSITION)
                prepare_numbers(c, &tracks[j], facts, is_additive ? zero : joint->position);
            else
                prepare_numbers(c, &tracks[j], facts, is_additive ? one : joint->scale);
        }
    }
    // The rotations of a group are all relative, or all have four numbers.
    ct_clip_track *const rotations = c->tracks.of_kind[CT_ANIMATION_TRACK_ROTATION];
    for (uint32_t first = 0; first < c->num_joints; first += CT_ANIMATION_LANES) {
        bool are_relative = true;
        for (uint32_t j = first; j < first + CT_ANIMATION_LANES && j < c->num_joints; ++j)
            are_relative = are_relative && rotations[j].is_relative;
        for (uint32_t j = first; j < first + CT_ANIMATION_LANES && j < c->num_joints; ++j) {
            rotations[j].is_relative = are_relative;
            if (are_relative)
                make_relative(&rotations[j], c->raw->num_frames);
        }
    }
}

static void fit_curves(compressor *c) {
    const ct_raw_clip *const raw = c->raw;
    ct_clip_track *const tracks = new_tracks(c, CT_ANIMATION_TRACK_CURVE, raw->num_curves);
    for (uint32_t i = 0; i < raw->num_curves; ++i) {
        ct_clip_track *const t = &tracks[i];
        track_facts *const facts = &c->facts[CT_ANIMATION_TRACK_CURVE][i];
        memcpy(t->samples, raw->curves[i].values, sizeof(float) * (raw->num_frames + 1ull));
        prepare_numbers(c, t, facts, NULL);
        t->exists = true;
        t->is_stepped = raw->curves[i].is_stepped;
        if (facts->from_constant == 0)
            continue;
        if (t->is_stepped)
            ct_clip_fit_steps(t, raw->num_frames);
        else
            ct_clip_fit(c->fitter, t, raw->num_frames, facts->from_constant * 2 * CURVE_QUALITY);
    }
}

// --- Rounds --------------------------------------------------------------------------------------

static void fit_track(compressor *c, uint32_t kind, uint32_t joint, float tolerance) {
    ct_clip_track *const t = &c->tracks.of_kind[kind][joint];
    track_facts *const facts = &c->facts[kind][joint];
    if (facts->fitted == tolerance)
        return;
    facts->fitted = tolerance;
    t->keys.count = 0;
    t->exists = facts->from_rest > tolerance;
    if (t->exists && facts->from_constant > tolerance)
        ct_clip_fit(c->fitter, t, c->raw->num_frames, tolerance);
}

static void fit_joints(compressor *c) {
    for (uint32_t j = 0; j < c->num_joints; ++j) {
        const float metres = c->raw->tolerance * c->shares[j];
        const ct_clip_lever *const lever = &c->levers[j];
        fit_track(c, CT_ANIMATION_TRACK_ROTATION, j, metres / fmaxf(lever->reach, 1e-6f));
        fit_track(c, CT_ANIMATION_TRACK_POSITION, j, metres / fmaxf(lever->parent_scale, 1e-6f));
        fit_track(c, CT_ANIMATION_TRACK_SCALE, j, metres / fmaxf(lever->reach, 1e-6f));
    }
}

static void write_clip(compressor *c, const ct_clip_error *error, ct_blob_writer *w) {
    ct_clip_write(c->raw, &c->tracks, error, c->allocator, w);
}

// Plays the clip as it is fitted now. Sets c->worst and the clip's size.
static ct_clip_error measure(compressor *c, uint32_t *num_bytes) {
    ct_blob_writer w;
    const ct_clip_error none = {0};
    ct_blob_writer_init(&w, c->allocator, HOST_ORDER, "animation", CT_ANIMATION_VERSION);
    write_clip(c, &none, &w);
    ct_blob_writer_finish(&w);
    const ct_animation_resource *const clip = (const void *)w.bytes.items;
    *num_bytes = clip->stream.count;
    const ct_clip_error error = ct_clip_measure(c->raw, clip, c->allocator, c->worst);
    ct_blob_writer_free(&w);
    return error;
}

// Gives each joint more or less of the tolerance, by the errors of what is below it.
static void share(compressor *c, uint32_t round) {
    const float most = c->raw->tolerance * 0.985f;
    for (uint32_t j = 0; j < c->num_joints; ++j) {
        const float ratio = most / fmaxf(c->worst[j], most * 1e-3f);
        if (ratio < 1)
            c->shares[j] *= fmaxf(ratio, 0.3f);
        else if (round < SHARING_ROUNDS)
            c->shares[j] *= fminf(ratio, 1.3f);
    }
}

// Fits until the clip is within the tolerance, and keeps the smallest that is.
static ct_clip_error fit_all(compressor *c) {
    const float tolerance = c->raw->tolerance;
    uint32_t least = UINT32_MAX;
    ct_clip_error best = {0}, error = {0};
    for (uint32_t round = 0; round < MOST_ROUNDS; ++round) {
        uint32_t num_bytes;
        fit_joints(c);
        error = measure(c, &num_bytes);
        const bool is_near = error.worst <= tolerance;
        if (is_near && num_bytes < least) {
            least = num_bytes;
            best = error;
            memcpy(c->best_shares, c->shares, sizeof(float) * c->num_joints);
        }
        if (round >= SHARING_ROUNDS && least != UINT32_MAX)
            break;
        share(c, round);
    }
    if (least == UINT32_MAX) // the last one; nothing came nearer
        return error;
    memcpy(c->shares, c->best_shares, sizeof(float) * c->num_joints);
    fit_joints(c);
    return best;
}

static void free_tracks(compressor *c) {
    for (uint32_t kind = 0; kind < CT_ANIMATION_TRACK_KIND_COUNT; ++kind) {
        for (uint32_t i = 0; i < c->tracks.counts[kind]; ++i) {
            ct_free(c->allocator, c->tracks.of_kind[kind][i].samples);
            ct_array_free(&c->tracks.of_kind[kind][i].keys);
        }
        ct_free(c->allocator, c->tracks.of_kind[kind]);
        ct_free(c->allocator, c->facts[kind]);
    }
}

void ct_clip_compress(const ct_raw_clip *raw, ct_allocator *a, ct_blob_writer *w,
                      ct_clip_error *error) {
    compressor c = {.raw = raw, .allocator = a};
    c.joints = ct_skeleton_joints(raw->skeleton, &c.num_joints);
    c.levers = ct_alloc(a, sizeof(*c.levers) * c.num_joints);
    c.shares = ct_alloc(a, sizeof(float) * c.num_joints);
    c.best_shares = ct_alloc(a, sizeof(float) * c.num_joints);
    c.worst = ct_alloc(a, sizeof(float) * c.num_joints);
    c.fitter = ct_clip_fitter_create(a);
    ct_clip_levers(raw, a, c.levers);
    for (uint32_t j = 0; j < c.num_joints; ++j)
        c.shares[j] = START_SHARE / sqrtf((float)c.levers[j].chain);
    prepare_joints(&c);
    fit_curves(&c);
    const ct_clip_error found = fit_all(&c);
    write_clip(&c, &found, w);
    if (error)
        *error = found;
    free_tracks(&c);
    ct_clip_fitter_destroy(c.fitter);
    ct_free(a, c.levers);
    ct_free(a, c.shares);
    ct_free(a, c.best_shares);
    ct_free(a, c.worst);
}
