#include "animation/clip/clip_player.h"

#include <string.h>
#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

#include "resource/types/animation_stream.h"

typedef int32_t int4 __attribute__((vector_size(16)));
typedef int64_t long2 __attribute__((vector_size(16)));
typedef uint16_t ushort4 __attribute__((vector_size(8), aligned(8), may_alias));
typedef int16_t short4 __attribute__((vector_size(8), aligned(8), may_alias));

enum {
    NEVER = 1 << 24,  // the end of lanes without keys
    JUMP_AT_LEAST = 3 // frames that a jump frame must be ahead, or reading keys is faster
};

// Where the duration of a lane is in a pair of them.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define DURATION_SHIFT(lane) ((lane) % 2 ? 0 : 32)
#else
#define DURATION_SHIFT(lane) ((lane) % 2 ? 32 : 0)
#endif

// The active keys of a group: the frames at which segments end and how long they are, then
// ct_animation_num_active_rows rows (animation_resource.h).
typedef struct active_group {
    int4 end, duration;
    ushort4 rows[];
} active_group;

struct ct_clip_player {
    const ct_animation_resource *clip;
    uint32_t frame; // the time: a frame and a part of the next, 0 to 1
    float part;
    uint32_t next; // the first frame that needs keys
    uint32_t bit;  // the place in the stream
    float time;
    uint32_t bytes; // of the player
    // Active groups follow.
};

static uint32_t active_bytes(const ct_animation_group *g) {
    return (uint32_t)ct_round_up(
        sizeof(active_group) + sizeof(ushort4) * ct_animation_num_active_rows(g), 16);
}

static active_group *first_active(const ct_clip_player *p) {
    return (active_group *)(uintptr_t)(p + 1);
}

static active_group *next_active(active_group *a, const ct_animation_group *g) {
    return (active_group *)(void *)((char *)a + active_bytes(g));
}

uint32_t ct_clip_player_bytes(const ct_animation_resource *clip) {
    const ct_animation_group *const groups = ct_blob_at(clip, clip->groups.offset);
    uint32_t bytes = sizeof(ct_clip_player);
    for (uint32_t g = 0; g < clip->num_keyed_groups; ++g)
        bytes += active_bytes(&groups[g]);
    return bytes;
}

const ct_animation_resource *ct_clip_player_clip(const ct_clip_player *p) {
    return p->clip;
}

float ct_clip_player_time(const ct_clip_player *p) {
    return p->time;
}

// --- Moving --------------------------------------------------------------------------------------

// Bit l is set where lane l of the mask is.
static uint32_t lane_bits(int4 mask) {
#ifdef __SSE4_1__
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
    return (uint32_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

// Reads a key for each lane of a group that needs one. (Whole vectors are written: a vector that is
// read soon after a part of it was written is late.)
static void read_keys(ct_clip_player *p, const ct_animation_group *g, const uint8_t *stream,
                      int4 needed, active_group *a) {
    uint64_t durations[2] = {0, 0};
    uint32_t bit = p->bit;
    for (uint32_t lanes = lane_bits(needed); lanes; lanes &= lanes - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(lanes);
        durations[l / 2] |=
            (uint64_t)ct_animation_read_key(g, l, stream, &bit, (uint16_t *)(void *)a->rows)
            << DURATION_SHIFT(l);
    }
    p->bit = bit;
    const int4 read = (int4)(long2){(int64_t)durations[0], (int64_t)durations[1]};
    a->duration = read | (a->duration & ~needed);
    a->end += read;
}

// Reads the keys that are needed at p->next, and sets it to the next such frame.
static void read_frame(ct_clip_player *p) {
    const ct_animation_group *const groups = ct_blob_at(p->clip, p->clip->groups.offset);
    const uint8_t *const stream = ct_blob_at(p->clip, p->clip->stream.offset);
    const int32_t frame = (int32_t)p->next;
    int4 next = {NEVER, NEVER, NEVER, NEVER};
    active_group *a = first_active(p);
    for (uint32_t g = 0; g < p->clip->num_keyed_groups; ++g) {
        const int4 needed = a->end == frame;
        if (lane_bits(needed))
            read_keys(p, &groups[g], stream, needed, a);
        const int4 is_less = a->end < next;
        next = (a->end & is_less) | (next & ~is_less);
        a = next_active(a, &groups[g]);
    }
    const int32_t low = next[0] < next[1] ? next[0] : next[1];
    const int32_t high = next[2] < next[3] ? next[2] : next[3];
    p->next = (uint32_t)(low < high ? low : high);
}

// Copies the active keys from a jump frame.
static void jump_to(ct_clip_player *p, uint32_t jump) {
    const ct_animation_resource *const clip = p->clip;
    const ct_animation_group *const groups = ct_blob_at(clip, clip->groups.offset);
    const uint32_t *const places = ct_blob_at(clip, clip->jump_bits.offset);
    const uint16_t *words = ct_blob_at(clip, clip->jump_states.offset);
    words += (uint64_t)jump * (clip->jump_states.count / clip->jump_bits.count);
    const int32_t frame = (int32_t)(jump * clip->jump_frames);
    int4 next = {NEVER, NEVER, NEVER, NEVER};
    active_group *a = first_active(p);
    for (uint32_t g = 0; g < clip->num_keyed_groups; ++g) {
        const ct_animation_lane *const lanes = groups[g].lanes;
        ushort4 packed;
        memcpy(&packed, words, sizeof(packed));
        const int4 times = __builtin_convertvector(packed, int4);
        const int4 bits = {lanes[0].duration_bits, lanes[1].duration_bits, lanes[2].duration_bits,
                           lanes[3].duration_bits};
        const int4 has_keys = bits != 0;
        const int4 end = frame + 1 + (times & 255);
        a->end = (end & has_keys) | (~has_keys & NEVER);
        a->duration = (times >> 8) + 1;
        const uint32_t num_words = ct_animation_jump_words(&groups[g]);
        memcpy(a->rows, words + CT_ANIMATION_LANES,
               sizeof(*words) * (num_words - CT_ANIMATION_LANES));
        const int4 is_less = a->end < next;
        next = (a->end & is_less) | (next & ~is_less);
        words += num_words;
        a = next_active(a, &groups[g]);
    }
    const int32_t low = next[0] < next[1] ? next[0] : next[1];
    const int32_t high = next[2] < next[3] ? next[2] : next[3];
    p->next = (uint32_t)(low < high ? low : high);
    p->bit = places[jump];
    p->frame = (uint32_t)frame;
}

void ct_clip_player_init(ct_clip_player *p, const ct_animation_resource *clip) {
    *p = (ct_clip_player){.clip = clip, .next = NEVER, .bytes = ct_clip_player_bytes(clip)};
    if (clip->num_keyed_groups > 0)
        jump_to(p, 0);
}

// Returns the time in frames, inside the clip. A whole frame when a float cannot say it better.
static double frame_at(const ct_animation_resource *clip, float time) {
    const double last = clip->num_frames, wanted = (double)time * (double)clip->rate;
    const double at = wanted > 0 ? (wanted < last ? wanted : last) : 0; // NaN: 0
    const double whole = (double)(uint32_t)(at + 0.5);
    return fabs(at - whole) <= at * 1.2e-7 ? whole : at;
}

// Starts to bring the player's memory near: with many players it is far away.
static void prefetch(const ct_clip_player *p) {
    for (uint32_t at = 64; at < p->bytes; at += 64)
        __builtin_prefetch((const char *)p + at, 1);
}

void ct_clip_player_move(ct_clip_player *p, float time) {
    const ct_animation_resource *const clip = p->clip;
    prefetch(p);
    const double last = clip->num_frames, at = frame_at(clip, time);
    const uint32_t frame = (uint32_t)at;
    p->time = at < last ? (at > 0 ? time : 0) : ct_animation_length(clip);
    p->part = (float)(at - (double)frame);
    if (clip->num_keyed_groups > 0) {
        const uint32_t most = clip->jump_bits.count - 1, wished = frame / clip->jump_frames;
        const uint32_t jump = wished < most ? wished : most;
        if (frame < p->frame || jump * clip->jump_frames >= p->frame + JUMP_AT_LEAST)
            jump_to(p, jump);
        // Segments that end at the last frame have no successors.
        while (p->next <= frame && p->next < clip->num_frames)
            read_frame(p);
    }
    p->frame = frame;
}

// --- Evaluation ----------------------------------------------------------------------------------

static ct_float4 four(float f) {
    return (ct_float4){f, f, f, f};
}

static ct_float4 chosen(int4 mask, ct_float4 yes, ct_float4 no) {
    return (ct_float4)((mask & (int4)yes) | (~mask & (int4)no));
}

static int4 track_mask(uint32_t tracks) {
    const int4 bits = {1, 2, 4, 8};
    return ((int32_t)tracks & bits) != 0;
}

// The root of each lane; exact on every machine.
static ct_float4 root4(ct_float4 v) {
#ifdef __SSE4_1__
    return (ct_float4)_mm_sqrt_ps((__m128)v);
#else
    return (ct_float4){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#endif
}

// Four uint16, or int16, as int32. (GCC makes four instructions of the plain conversions.)
static inline int4 widened(const ushort4 *row) {
#ifdef __SSE4_1__
    return (int4)_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)row));
#else
    return __builtin_convertvector(*row, int4);
#endif
}

static inline int4 widened_signed(const ushort4 *row) {
#ifdef __SSE4_1__
    return (int4)_mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)row));
#else
    return __builtin_convertvector(*(const short4 *)(const void *)row, int4);
#endif
}

static inline ct_float4 value_row(const ushort4 *lower, const ushort4 *upper) {
    int4 value = widened(lower);
    if (upper)
        value |= widened(upper) << 16;
    return __builtin_convertvector(value, ct_float4);
}

static inline ct_float4 tangent_row(const ushort4 *row) {
    return __builtin_convertvector(widened_signed(row), ct_float4);
}

// The functions of Hermite segments at the time, for each lane: how much of the way from the start's
// value to the end's, and the factors of the tangents.
typedef struct weights {
    ct_float4 way, start_tangent, end_tangent;
} weights;

static inline weights weights_at(const active_group *a, int32_t frame, float part) {
    const ct_float4 duration = __builtin_convertvector(a->duration, ct_float4);
    const ct_float4 left = __builtin_convertvector(a->end - frame, ct_float4) - four(part);
    const ct_float4 t = left / duration; // from 1 at the start to 0 at the end
    const ct_float4 s = four(1) - t;
    return (weights){s * s * (four(1) + t + t), s * t * t * duration, -(s * s * t) * duration};
}

// out[i] = the group's number i at the time, for `n` numbers. `n` and `is_wide` are constants.
static inline __attribute__((always_inline)) void evaluate(const active_group *a,
                                                           const ct_animation_row *rows, weights w,
                                                           uint32_t n, bool is_wide,
                                                           ct_float4 *out) {
    const ushort4 *const start = a->rows, *const end = a->rows + n;
    const ct_float4 value_step = *(const ct_float4 *)(const void *)rows[n].lanes;
    const ct_float4 tangent_step = *(const ct_float4 *)(const void *)rows[n + 1].lanes;
    for (uint32_t i = 0; i < n; ++i) {
        const ct_float4 base = *(const ct_float4 *)(const void *)rows[i].lanes;
        const ct_float4 from = value_row(&start[i], is_wide ? &start[4 * n + i] : NULL);
        const ct_float4 to = value_row(&end[i], is_wide ? &end[4 * n + i] : NULL);
        const ct_float4 tangents = w.start_tangent * tangent_row(&start[2 * n + i]) +
                                   w.end_tangent * tangent_row(&end[2 * n + i]);
        out[i] = base + value_step * (from + w.way * (to - from)) + tangent_step * tangents;
    }
}

// q = reference * the rotation whose x, y and z are `v`.
static inline void relative_rotation(const ct_animation_row *reference, const ct_float4 v[3],
                                     ct_float4 q[4]) {
    const ct_float4 *const r = (const ct_float4 *)(const void *)reference;
    const ct_float4 rest = four(1) - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const ct_float4 w = root4(chosen(rest > four(0), rest, four(0)));
    q[0] = r[3] * v[0] + r[0] * w + r[1] * v[2] - r[2] * v[1];
    q[1] = r[3] * v[1] - r[0] * v[2] + r[1] * w + r[2] * v[0];
    q[2] = r[3] * v[2] + r[0] * v[1] - r[1] * v[0] + r[2] * w;
    q[3] = r[3] * w - r[0] * v[0] - r[1] * v[1] - r[2] * v[2];
}

static inline void make_unit(ct_float4 q[4]) {
    const ct_float4 length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const int4 has_length = length2 > four(1e-20f);
    const ct_float4 scale = four(1) / root4(chosen(has_length, length2, four(1)));
    for (uint32_t i = 0; i < 4; ++i)
        q[i] = chosen(has_length, q[i] * scale, four(i == 3));
}

static inline void evaluate_rotation(const ct_animation_group *g, const active_group *a,
                                     const ct_animation_row *rows, weights w, ct_float4 q[4]) {
    const bool is_wide = g->flags & CT_ANIMATION_GROUP_WIDE;
    if (g->flags & CT_ANIMATION_GROUP_QUATERNION) {
        if (is_wide)
            evaluate(a, rows, w, 4, true, q);
        else
            evaluate(a, rows, w, 4, false, q);
        make_unit(q);
        return;
    }
    ct_float4 v[3];
    if (is_wide)
        evaluate(a, rows, w, 3, true, v);
    else
        evaluate(a, rows, w, 3, false, v);
    relative_rotation(&rows[5], v, q);
}

static inline void evaluate_vector(const ct_animation_group *g, const active_group *a,
                                   const ct_animation_row *rows, weights w, ct_float4 v[3]) {
    if (g->flags & CT_ANIMATION_GROUP_WIDE)
        evaluate(a, rows, w, 3, true, v);
    else
        evaluate(a, rows, w, 3, false, v);
}

// Writes the lanes with tracks. `n` is constant.
static inline __attribute__((always_inline)) void store(ct_float4 *to, const ct_float4 *from,
                                                        uint32_t n, int4 mask) {
    for (uint32_t i = 0; i < n; ++i)
        to[i] = chosen(mask, from[i], to[i]);
}

static void pose_group(const ct_clip_player *p, const ct_animation_group *g, const active_group *a,
                       const ct_animation_row *rows, ct_pose_group *pose) {
    const int4 mask = track_mask(g->tracks);
    const weights w = weights_at(a, (int32_t)p->frame, p->part);
    ct_float4 found[4];
    if (g->kind == CT_ANIMATION_TRACK_ROTATION) {
        evaluate_rotation(g, a, rows, w, found);
        store(pose->rotation, found, 4, mask);
        return;
    }
    evaluate_vector(g, a, rows, w, found);
    store(g->kind == CT_ANIMATION_TRACK_POSITION ? pose->position : pose->scale, found, 3, mask);
}

static void constant_group(const ct_animation_group *g, const ct_animation_row *rows,
                           ct_pose_group *pose) {
    const int4 mask = track_mask(g->tracks);
    const ct_float4 *const found = (const ct_float4 *)(const void *)rows;
    if (g->kind == CT_ANIMATION_TRACK_ROTATION)
        store(pose->rotation, found, 4, mask);
    else if (g->kind == CT_ANIMATION_TRACK_POSITION)
        store(pose->position, found, 3, mask);
    else if (g->kind == CT_ANIMATION_TRACK_SCALE)
        store(pose->scale, found, 3, mask);
}

void ct_clip_player_pose(const ct_clip_player *p, const ct_pose_group *base, ct_pose_group *pose) {
    const ct_animation_resource *const clip = p->clip;
    const ct_animation_group *const groups = ct_blob_at(clip, clip->groups.offset);
    const ct_animation_row *const rows = ct_blob_at(clip, clip->rows.offset);
    memcpy(pose, base, sizeof(*pose) * ct_pose_num_groups(clip->num_joints));
    active_group *a = first_active(p);
    for (uint32_t i = 0; i < clip->num_keyed_groups; ++i) {
        const ct_animation_group *const g = &groups[i];
        if (g->kind != CT_ANIMATION_TRACK_CURVE)
            pose_group(p, g, a, rows + g->first_row, &pose[g->number]);
        a = next_active(a, g);
    }
    for (uint32_t i = clip->num_keyed_groups; i < clip->groups.count; ++i) {
        const ct_animation_group *const g = &groups[i];
        if (g->kind != CT_ANIMATION_TRACK_CURVE)
            constant_group(g, rows + g->first_row, &pose[g->number]);
    }
}

static float curve_value(const ct_clip_player *p, const ct_animation_group *g,
                         const active_group *a, const ct_animation_row *rows, uint32_t l) {
    ct_float4 found;
    weights w = weights_at(a, (int32_t)p->frame, p->part);
    if (g->lanes[l].is_stepped) {
        // At the clip's end its last value; there is no later segment.
        const bool is_at_end = a->end[l] <= (int32_t)p->frame;
        w = (weights){four(is_at_end ? 1 : 0), four(0), four(0)};
    }
    if (g->flags & CT_ANIMATION_GROUP_WIDE)
        evaluate(a, rows, w, 1, true, &found);
    else
        evaluate(a, rows, w, 1, false, &found);
    return found[l];
}

float ct_clip_player_curve(const ct_clip_player *p, uint32_t curve) {
    const ct_animation_resource *const clip = p->clip;
    const ct_animation_group *const groups = ct_blob_at(clip, clip->groups.offset);
    const ct_animation_row *const all_rows = ct_blob_at(clip, clip->rows.offset);
    const uint32_t number = curve / CT_ANIMATION_LANES, l = curve % CT_ANIMATION_LANES;
    const active_group *a = first_active(p);
    for (uint32_t i = 0; i < clip->groups.count; ++i) {
        const ct_animation_group *const g = &groups[i];
        const bool is_wanted =
            g->kind == CT_ANIMATION_TRACK_CURVE && g->number == number && (g->tracks >> l & 1);
        if (is_wanted && i >= clip->num_keyed_groups)
            return all_rows[g->first_row].lanes[l];
        if (is_wanted)
            return curve_value(p, g, a, all_rows + g->first_row, l);
        if (i < clip->num_keyed_groups)
            a = next_active((active_group *)(uintptr_t)a, g);
    }
    return 0;
}
