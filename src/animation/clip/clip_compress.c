#include "animation/clip/clip_compress.h"

#include <math.h>
#include <string.h>

#include "animation/clip/clip_model.h"
#include "animation/clip/clip_write.h"

enum {
    JOINT_KINDS = CT_ANIMATION_TRACK_CURVE, // kinds of tracks that joints have
    SHARING_ROUNDS = 10,                    // in which tolerances grow, too
    LONG_SHARING_ROUNDS = 3,
    LONG_FRAMES = 20000, // of a clip that gets fewer rounds
    MOST_ROUNDS = 32,
};

#define HOST_ORDER                                                                                 \
    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? CT_BYTE_ORDER_LITTLE : CT_BYTE_ORDER_BIG)
#define LEAST_W 0.5f        // of relative rotations: up to 120 degrees from the reference
#define CURVE_QUALITY 5e-4f // of a curve's range
// Parts of the tolerance: of origins of joints, which move all that is below, and of scales.
#define CHILD_PART 0.5f
#define POSITION_PART 0.4f
#define SCALE_PART 0.3f

// What is known about a track whatever the tolerance is.
typedef struct track_facts {
    float from_rest, from_constant; // the largest distance of its samples
} track_facts;

typedef struct compressor {
    const ct_raw_clip *raw;
    ct_allocator *allocator;
    const ct_skeleton_joint *joints;
    uint32_t num_joints;
    uint64_t num_samples; // of a track
    ct_clip_tracks tracks;
    track_facts *facts[CT_ANIMATION_TRACK_KIND_COUNT];
    float *samples; // of the track that is looked at: 4 * num_samples
    ct_clip_model model;
    ct_clip_lever *levers;
    ct_clip_fitter *fitter;
    float *shares, *best_shares; // of the tolerance, by joint
    float *worst;                // by joint
} compressor;

// --- Samples -------------------------------------------------------------------------------------

static const float *raw_numbers(const compressor *c, uint32_t kind, uint32_t joint,
                                uint64_t frame) {
    const ct_joint_pose *const s = &c->raw->samples[frame * c->num_joints + joint];
    return kind == CT_ANIMATION_TRACK_ROTATION   ? s->rotation.raw
           : kind == CT_ANIMATION_TRACK_POSITION ? s->position.raw
                                                 : s->scale.raw;
}

static const float *rest_numbers(const compressor *c, uint32_t kind, uint32_t joint) {
    static const float identity[4] = {0, 0, 0, 1}, zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    static const float *const differences[JOINT_KINDS] = {identity, zero, one};
    const ct_skeleton_joint *const j = &c->joints[joint];
    if (c->raw->flags & CT_ANIMATION_ADDITIVE)
        return differences[kind];
    return kind == CT_ANIMATION_TRACK_ROTATION   ? j->rotation
           : kind == CT_ANIMATION_TRACK_POSITION ? j->position
                                                 : j->scale;
}

static float dot4(const float *a, const float *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Half the angle between two rotations, about.
static float rotation_distance(const float *a, const float *b) {
    const float sign = dot4(a, b) < 0 ? -1 : 1;
    float sum = 0;
    for (uint32_t i = 0; i < 4; ++i)
        sum += (a[i] - sign * b[i]) * (a[i] - sign * b[i]);
    return sqrtf(sum);
}

static float number_distance(const float *a, const float *b, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrtf(sum);
}

// Sets the reference of a rotation: the mean.
static void find_mean(const compressor *c, ct_clip_track *t) {
    double sum[4] = {0};
    float last[4] = {0};
    for (uint64_t f = 0; f < c->num_samples; ++f) {
        const float *const q = raw_numbers(c, CT_ANIMATION_TRACK_ROTATION, t->number, f);
        const float sign = f > 0 && dot4(q, last) < 0 ? -1 : 1;
        for (uint32_t i = 0; i < 4; ++i) {
            last[i] = q[i] * sign;
            sum[i] += (double)last[i];
        }
    }
    const double length =
        sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
    const bool has_mean = length > 1e-3 * (double)c->num_samples;
    for (uint32_t i = 0; i < 4; ++i) {
        t->reference[i] = has_mean ? (float)(sum[i] / length) : last[i];
        t->constant[i] = t->reference[i];
    }
}

static void prepare_rotation(const compressor *c, ct_clip_track *t, track_facts *facts) {
    const float *const rest = rest_numbers(c, t->kind, t->number);
    find_mean(c, t);
    float least_w = 1;
    for (uint64_t f = 0; f < c->num_samples; ++f) {
        const float *const q = raw_numbers(c, t->kind, t->number, f);
        least_w = fminf(least_w, fabsf(dot4(q, t->reference)));
        facts->from_rest = fmaxf(facts->from_rest, rotation_distance(q, rest) * 2);
        facts->from_constant = fmaxf(facts->from_constant, rotation_distance(q, t->reference) * 2);
    }
    t->is_relative = least_w >= LEAST_W;
    t->num_numbers = t->is_relative ? 3 : 4;
}

// Sets the constant of a track of `n` numbers: the middle of its range.
static void prepare_numbers(const compressor *c, ct_clip_track *t, track_facts *facts,
                            const float *numbers, uint64_t stride, const float *rest) {
    const uint32_t n = t->num_numbers;
    float least[4], most[4];
    memcpy(least, numbers, sizeof(float) * n);
    memcpy(most, numbers, sizeof(float) * n);
    for (uint64_t f = 0; f < c->num_samples; ++f, numbers += stride) {
        for (uint32_t i = 0; i < n; ++i) {
            least[i] = fminf(least[i], numbers[i]);
            most[i] = fmaxf(most[i], numbers[i]);
        }
        if (rest)
            facts->from_rest = fmaxf(facts->from_rest, number_distance(numbers, rest, n));
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
        tracks[i].samples = c->samples;
        ct_array_init(&tracks[i].keys, c->allocator);
    }
    c->facts[kind] = ct_alloc_zero(c->allocator, sizeof(track_facts) * count);
    c->tracks.of_kind[kind] = tracks;
    c->tracks.counts[kind] = count;
    return tracks;
}

static void prepare_joints(compressor *c) {
    const uint64_t stride = sizeof(ct_joint_pose) / sizeof(float) * c->num_joints;
    for (uint32_t kind = 0; kind < JOINT_KINDS; ++kind) {
        ct_clip_track *const tracks = new_tracks(c, kind, c->num_joints);
        for (uint32_t j = 0; j < c->num_joints; ++j) {
            if (kind == CT_ANIMATION_TRACK_ROTATION)
                prepare_rotation(c, &tracks[j], &c->facts[kind][j]);
            else
                prepare_numbers(c, &tracks[j], &c->facts[kind][j], raw_numbers(c, kind, j, 0),
                                stride, rest_numbers(c, kind, j));
        }
    }
}

static void fit_curves(compressor *c) {
    const ct_raw_clip *const raw = c->raw;
    ct_clip_track *const tracks = new_tracks(c, CT_ANIMATION_TRACK_CURVE, raw->num_curves);
    for (uint32_t i = 0; i < raw->num_curves; ++i) {
        ct_clip_track *const t = &tracks[i];
        track_facts *const facts = &c->facts[CT_ANIMATION_TRACK_CURVE][i];
        memcpy(t->samples, raw->curves[i].values, sizeof(float) * c->num_samples);
        prepare_numbers(c, t, facts, t->samples, 1, NULL);
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

// --- Fits ----------------------------------------------------------------------------------------

// Decides whether a track exists and has keys at this tolerance; returns whether it has keys.
static bool start_fit(compressor *c, uint32_t kind, uint32_t joint, float tolerance) {
    ct_clip_track *const t = &c->tracks.of_kind[kind][joint];
    t->keys.count = 0;
    t->exists = c->facts[kind][joint].from_rest > tolerance;
    return t->exists && c->facts[kind][joint].from_constant > tolerance;
}

static void fit_numbers(compressor *c, uint32_t kind, uint32_t joint, float tolerance) {
    if (!start_fit(c, kind, joint, tolerance))
        return;
    for (uint64_t f = 0; f < c->num_samples; ++f)
        memcpy(c->samples + 3 * f, raw_numbers(c, kind, joint, f), sizeof(float) * 3);
    ct_clip_fit(c->fitter, &c->tracks.of_kind[kind][joint], c->raw->num_frames, tolerance);
}

// The numbers of a track without keys.
static const float *still_numbers(const compressor *c, const ct_clip_track *t) {
    return t->exists ? t->constant : rest_numbers(c, t->kind, t->number);
}

// Fits the tracks of a joint whose parents are fitted.
static void fit_joint(compressor *c, uint32_t joint) {
    const ct_clip_lever *const lever = &c->levers[joint];
    const float metres = c->raw->tolerance * c->shares[joint];
    const float child_metres = metres * CHILD_PART;
    ct_clip_track *const position = &c->tracks.of_kind[CT_ANIMATION_TRACK_POSITION][joint];
    ct_clip_track *const rotation = &c->tracks.of_kind[CT_ANIMATION_TRACK_ROTATION][joint];
    fit_numbers(c, CT_ANIMATION_TRACK_POSITION, joint,
                metres * POSITION_PART / fmaxf(lever->parent_scale, 1e-6f));
    ct_clip_model_place(&c->model, position, still_numbers(c, position), c->samples);
    const float angle = child_metres / fmaxf(lever->link, 1e-6f);
    if (start_fit(c, CT_ANIMATION_TRACK_ROTATION, joint, angle)) {
        ct_clip_model_aim(&c->model, rotation, metres, child_metres, c->samples);
        ct_clip_fit(c->fitter, rotation, c->raw->num_frames, angle);
    }
    ct_clip_model_turn(&c->model, rotation, still_numbers(c, rotation), c->samples);
    fit_numbers(c, CT_ANIMATION_TRACK_SCALE, joint,
                metres * SCALE_PART / fmaxf(lever->reach, 1e-6f));
}

// Fits all tracks of joints, parents first.
static void fit_joints(compressor *c) {
    for (uint32_t j = 0; j < c->num_joints; ++j)
        fit_joint(c, j);
}

// --- Rounds --------------------------------------------------------------------------------------

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

static uint32_t num_sharing_rounds(const compressor *c) {
    return c->raw->num_frames < LONG_FRAMES ? SHARING_ROUNDS : LONG_SHARING_ROUNDS;
}

// Gives each joint more or less of the tolerance, by the errors of what is below it.
static void share(compressor *c, uint32_t round) {
    const float most = c->raw->tolerance * 0.985f;
    for (uint32_t j = 0; j < c->num_joints; ++j) {
        const float ratio = most / fmaxf(c->worst[j], most * 1e-3f);
        if (ratio < 1)
            c->shares[j] *= fmaxf(ratio, 0.3f);
        else if (round < num_sharing_rounds(c))
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
        if (round >= num_sharing_rounds(c) && least != UINT32_MAX)
            break;
        share(c, round);
    }
    if (least == UINT32_MAX) // the last one; nothing came nearer
        return error;
    memcpy(c->shares, c->best_shares, sizeof(float) * c->num_joints);
    fit_joints(c);
    return best;
}

static void init(compressor *c) {
    ct_allocator *const a = c->allocator;
    c->joints = ct_skeleton_joints(c->raw->skeleton, &c->num_joints);
    c->num_samples = c->raw->num_frames + 1ull;
    c->samples = ct_alloc(a, sizeof(float) * 4 * c->num_samples);
    ct_clip_model_init(&c->model, c->raw, a);
    c->levers = ct_alloc(a, sizeof(*c->levers) * c->num_joints);
    c->shares = ct_alloc(a, sizeof(float) * c->num_joints);
    c->best_shares = ct_alloc(a, sizeof(float) * c->num_joints);
    c->worst = ct_alloc(a, sizeof(float) * c->num_joints);
    c->fitter = ct_clip_fitter_create(a);
}

// Finds levers and the shares to start with.
static void prepare_shares(compressor *c) {
    bool *const turns = c->model.is_turning;
    for (uint32_t j = 0; j < c->num_joints; ++j) {
        const track_facts *const facts = &c->facts[CT_ANIMATION_TRACK_ROTATION][j];
        const float distance = fminf(facts->from_rest, facts->from_constant);
        turns[j] = distance * c->raw->skeleton->shell > c->raw->tolerance / 4;
        c->shares[j] = 1;
    }
    ct_clip_levers(c->raw, turns, c->allocator, c->levers);
}

static void free_all(compressor *c) {
    ct_allocator *const a = c->allocator;
    for (uint32_t kind = 0; kind < CT_ANIMATION_TRACK_KIND_COUNT; ++kind) {
        for (uint32_t i = 0; i < c->tracks.counts[kind]; ++i)
            ct_array_free(&c->tracks.of_kind[kind][i].keys);
        ct_free(a, c->tracks.of_kind[kind]);
        ct_free(a, c->facts[kind]);
    }
    ct_free(a, c->samples);
    ct_clip_model_free(&c->model);
    ct_free(a, c->levers);
    ct_free(a, c->shares);
    ct_free(a, c->best_shares);
    ct_free(a, c->worst);
    ct_clip_fitter_destroy(c->fitter);
}

void ct_clip_compress(const ct_raw_clip *raw, ct_allocator *a, ct_blob_writer *w,
                      ct_clip_error *error) {
    compressor c = {.raw = raw, .allocator = a};
    init(&c);
    prepare_joints(&c);
    prepare_shares(&c);
    fit_curves(&c);
    const ct_clip_error found = fit_all(&c);
    write_clip(&c, &found, w);
    if (error)
        *error = found;
    free_all(&c);
}
