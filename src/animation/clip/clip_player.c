#include "animation/clip/clip_player.h"

#include <math.h>
#include <string.h>
#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

#include "resource/types/animation_stream.h"

typedef ct_animation_int4 int4;
typedef ct_animation_numbers numbers;

enum {
    NEVER = 1 << 24,  // the end of lanes without keys
    JUMP_AT_LEAST = 4 // frames that a jump frame must be ahead, or reading keys is faster
};

// The active segments of a group: the frames at which they end and how long they are, then the rows
// of each lane's segment (animation_stream.h).
typedef struct active_group {
    int4 end, duration;
    numbers rows[];
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
    return (uint32_t)sizeof(active_group) +
           (uint32_t)sizeof(numbers) * CT_ANIMATION_LANES * ct_animation_num_segment_rows(g);
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

static int4 least4(int4 a, int4 b) {
    const int4 is_less = a < b;
    return (a & is_less) | (b & ~is_less);
}

// Sets the next frame that needs keys: the least of the ends of lanes.
static void set_next(ct_clip_player *p, int4 ends) {
    const int32_t low = ends[0] < ends[1] ? ends[0] : ends[1];
    const int32_t high = ends[2] < ends[3] ? ends[2] : ends[3];
    p->next = (uint32_t)(low < high ? low : high);
}

// A vector with a number in a lane and 0 in the others. (Lanes that are written to memory one by one
// cannot be read as a vector soon.)
static int4 in_lane(uint32_t lane, uint32_t number) {
    static const int4 masks[CT_ANIMATION_LANES] = {
        {-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};
    return masks[lane] & (int32_t)number;
}

// Reads a key for each lane of a group that needs one.
static void read_keys(ct_clip_player *p, const ct_animation_group *g, const uint8_t *stream,
                      int4 needed, active_group *a) {
    const uint32_t num_rows = ct_animation_num_segment_rows(g);
    int4 read = {0, 0, 0, 0};
    uint32_t bit = p->bit;
    for (uint32_t lanes = lane_bits(needed); lanes; lanes &= lanes - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(lanes);
        read |= in_lane(l, ct_animation_read_key(g, l, stream, &bit, a->rows + num_rows * l));
    }
    p->bit = bit;
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
        next = least4(a->end, next);
        a = next_active(a, &groups[g]);
    }
    set_next(p, next);
}

// Starts at a jump frame: reads the starts of segments from it, their ends from the stream.
static void jump_to(ct_clip_player *p, uint32_t jump) {
    const ct_animation_resource *const clip = p->clip;
    const ct_animation_group *const groups = ct_blob_at(clip, clip->groups.offset);
    const uint8_t *const stream = ct_blob_at(clip, clip->stream.offset);
    const uint32_t *const places = ct_blob_at(clip, clip->jump_bits.offset);
    const uint8_t *const jumps = ct_blob_at(clip, clip->jump_states.offset);
    const uint8_t *const state = jumps + (uint64_t)jump * clip->jump_bytes;
    const uint32_t frame = jump * clip->jump_frames;
    int4 next = {NEVER, NEVER, NEVER, NEVER};
    uint32_t state_bit = 0;
    active_group *a = first_active(p);
    for (uint32_t i = 0; i < clip->num_keyed_groups; ++i) {
        const ct_animation_group *const g = &groups[i];
        const uint32_t num_rows = ct_animation_num_segment_rows(g);
        int4 ages = {0, 0, 0, 0}, durations = {0, 0, 0, 0};
        for (uint32_t l = 0; l < CT_ANIMATION_LANES; ++l) {
            if (g->lanes[l].duration_bits == 0)
                continue;
            numbers *const segment = a->rows + num_rows * l;
            const ct_animation_jump_lane lane =
                ct_animation_read_jump(g, l, state, &state_bit, segment);
            uint32_t bit = places[jump] - lane.place;
            durations |= in_lane(l, ct_animation_read_key(g, l, stream, &bit, segment));
            ages |= in_lane(l, lane.age);
        }
        const int4 has_keys = durations != 0;
        const int4 ends = (int32_t)frame - ages + durations;
        a->end = (ends & has_keys) | (~has_keys & NEVER);
        a->duration = durations | (~has_keys & 1); // what it is divided by
        next = least4(a->end, next);
        a = next_active(a, g);
    }
    set_next(p, next);
    p->bit = places[jump];
    p->frame = frame;
}

void ct_clip_player_init(ct_clip_player *p, const ct_animation_resource *clip) {
    const uint32_t bytes = ct_clip_player_bytes(clip);
    memset(p, 0, bytes); // lanes without keys have zeroes
    *p = (ct_clip_player){.clip = clip, .next = NEVER, .bytes = bytes};
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

static inline ct_float4 to_floats(int4 v) {
    return __builtin_convertvector(v, ct_float4);
}

// Where the first and the second of two uint16 are in a uint32.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIRST_SHIFT 16
#define SECOND_SHIFT 0
#else
#define FIRST_SHIFT 0
#define SECOND_SHIFT 16
#endif

// Two rows of four segments that follow each other, as pairs of numbers: out[0] has the first and
// the second number of the first row of each lane, out[1] the third and the fourth, out[2] and
// out[3] those of the second row.
static inline void row_pairs(const numbers *rows, uint32_t num_rows, int4 out[4]) {
    int4 lanes[CT_ANIMATION_LANES];
    for (uint32_t l = 0; l < CT_ANIMATION_LANES; ++l)
        memcpy(&lanes[l], rows + num_rows * l, sizeof(lanes[l]));
    const int4 a = __builtin_shufflevector(lanes[0], lanes[1], 0, 4, 1, 5);
    const int4 b = __builtin_shufflevector(lanes[2], lanes[3], 0, 4, 1, 5);
    const int4 c = __builtin_shufflevector(lanes[0], lanes[1], 2, 6, 3, 7);
    const int4 d = __builtin_shufflevector(lanes[2], lanes[3], 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    out[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    out[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// Number `i` of a row, of each lane. `pairs` are the two of the row.
static inline int4 unsigned_number(const int4 *pairs, uint32_t i) {
    return pairs[i / 2] >> (i % 2 ? SECOND_SHIFT : FIRST_SHIFT) & 0xffff;
}

static inline int4 signed_number(const int4 *pairs, uint32_t i) {
    return pairs[i / 2] << (16 - (i % 2 ? SECOND_SHIFT : FIRST_SHIFT)) >> 16;
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
    const uint32_t num_rows = is_wide ? CT_ANIMATION_SEGMENT_ROWS : CT_ANIMATION_START_UPPER;
    const ct_float4 value_step = *(const ct_float4 *)(const void *)rows[n].lanes;
    const ct_float4 tangent_step = *(const ct_float4 *)(const void *)rows[n + 1].lanes;
    int4 values[4], tangents[4], uppers[4];
    row_pairs(a->rows + CT_ANIMATION_START, num_rows, values);
    row_pairs(a->rows + CT_ANIMATION_START_TANGENT, num_rows, tangents);
    if (is_wide)
        row_pairs(a->rows + CT_ANIMATION_START_UPPER, num_rows, uppers);
    for (uint32_t i = 0; i < n; ++i) {
        int4 start = unsigned_number(values, i), end = unsigned_number(values + 2, i);
        if (is_wide) {
            start |= unsigned_number(uppers, i) << 16;
            end |= unsigned_number(uppers + 2, i) << 16;
        }
        const ct_float4 base = *(const ct_float4 *)(const void *)rows[i].lanes;
        const ct_float4 from = to_floats(start), to = to_floats(end);
        const ct_float4 slopes = w.start_tangent * to_floats(signed_number(tangents, i)) +
                                 w.end_tangent * to_floats(signed_number(tangents + 2, i));
        out[i] = base + value_step * (from + w.way * (to - from)) + tangent_step * slopes;
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
