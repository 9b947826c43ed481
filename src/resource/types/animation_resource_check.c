// The validation of clips: everything that a player relies on, down to the last bit of the stream.
#include <math.h>

#include "foundation/error.h"
#include "resource/types/animation_stream.h"

#define MOST_NUMBER 1e30f // of rows, so that no sum overflows

static bool check_head(const ct_animation_resource *c, ct_error *error) {
    if (!(c->rate >= 1e-3f && c->rate <= 1e5f))
        return ct_error_set(error, "rate: found %g; expected 0.001 to 100000", (double)c->rate);
    if (c->num_frames == 0 || c->num_frames > CT_ANIMATION_MAX_FRAMES)
        return ct_error_set(error, "num_frames: found %u; expected 1 to %d", c->num_frames,
                            CT_ANIMATION_MAX_FRAMES);
    const uint32_t flags = CT_ANIMATION_LOOPS | CT_ANIMATION_ADDITIVE | CT_ANIMATION_HAS_ROOT;
    if (c->flags & ~flags)
        return ct_error_set(error, "flags: found 0x%x; expected at most 0x%x", c->flags, flags);
    if (c->num_joints == 0 || c->num_joints > CT_SKELETON_MAX_JOINTS)
        return ct_error_set(error, "num_joints: found %u; expected 1 to %d", c->num_joints,
                            CT_SKELETON_MAX_JOINTS);
    if (c->curves.count > CT_ANIMATION_MAX_CURVES)
        return ct_error_set(error, "curves: found %u; expected at most %d", c->curves.count,
                            CT_ANIMATION_MAX_CURVES);
    if (c->worst_joint >= c->num_joints)
        return ct_error_set(error, "worst_joint: found %u of %u joints", c->worst_joint,
                            c->num_joints);
    const float numbers[] = {c->tolerance, c->worst_error, c->mean_error, c->worst_time};
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i) {
        if (!(numbers[i] >= 0) || !isfinite(numbers[i]))
            return ct_error_set(error,
                                "found the tolerance %g, worst error %g, mean error %g and "
                                "time %g; expected positive numbers",
                                (double)numbers[0], (double)numbers[1], (double)numbers[2],
                                (double)numbers[3]);
    }
    return true;
}

static bool check_events(const ct_animation_resource *c, ct_error *error) {
    const ct_animation_event *const events = ct_blob_at(c, c->events.offset);
    if (c->events.count > CT_ANIMATION_MAX_EVENTS)
        return ct_error_set(error, "events: found %u; expected at most %d", c->events.count,
                            CT_ANIMATION_MAX_EVENTS);
    const float length = ct_animation_length(c);
    for (uint32_t i = 0; i < c->events.count; ++i) {
        if (!(events[i].time >= 0 && events[i].time <= length))
            return ct_error_set(error, "events[%u].time: found %g; expected 0 to %g", i,
                                (double)events[i].time, (double)length);
        if (i > 0 && events[i].time < events[i - 1].time)
            return ct_error_set(error, "events[%u].time: found %g after %g; expected sorted times",
                                i, (double)events[i].time, (double)events[i - 1].time);
    }
    return true;
}

static bool check_root(const ct_animation_resource *c, ct_error *error) {
    const ct_animation_root_key *const keys = ct_blob_at(c, c->root_keys.offset);
    if (((c->flags & CT_ANIMATION_HAS_ROOT) != 0) != (c->root_keys.count > 0))
        return ct_error_set(error, "root_keys: found %u with the flags 0x%x", c->root_keys.count,
                            c->flags);
    for (uint32_t i = 0; i < c->root_keys.count; ++i) {
        const float *const p = keys[i].position;
        if (!(fabsf(p[0]) <= MOST_NUMBER && fabsf(p[1]) <= MOST_NUMBER &&
              fabsf(p[2]) <= MOST_NUMBER && fabsf(keys[i].heading) <= MOST_NUMBER))
            return ct_error_set(error, "root_keys[%u]: its numbers are not finite", i);
        if (i == 0 ? keys[i].frame != 0 : keys[i].frame <= keys[i - 1].frame)
            return ct_error_set(error,
                                "root_keys[%u].frame: found %u; expected ascending frames "
                                "from 0",
                                i, keys[i].frame);
    }
    return true;
}

// --- Groups --------------------------------------------------------------------------------------

// Checks bits of one lane; sets whether it has keys.
static bool check_lane(const ct_animation_group *g, uint32_t l, bool *has_keys) {
    const ct_animation_lane *const lane = &g->lanes[l];
    const uint32_t numbers = ct_animation_num_numbers(g);
    const uint32_t most_value = CT_ANIMATION_MAX_VALUE_BITS;
    const uint32_t most_tangent = lane->has_derived_tangents ? 0 : CT_ANIMATION_MAX_TANGENT_BITS;
    const uint32_t most_jump_value =
        g->flags & CT_ANIMATION_GROUP_WIDE ? CT_ANIMATION_MAX_VALUE_BITS : 16;
    *has_keys = lane->duration_bits > 0;
    if (lane->duration_bits > CT_ANIMATION_MAX_DURATION_BITS || lane->is_stepped > 1 ||
        lane->has_derived_tangents > 1 || lane->tangent_shift > 15 ||
        lane->jump_place_bits > (*has_keys ? 32 : 0) || (*has_keys && !(g->tracks >> l & 1)) ||
        (lane->is_stepped && g->kind != CT_ANIMATION_TRACK_CURVE))
        return false;
    for (uint32_t i = 0; i < 4; ++i) {
        const bool is_used = *has_keys && i < numbers;
        if (lane->value_bits[i] > (is_used ? most_value : 0) ||
            lane->tangent_bits[i] > (is_used ? most_tangent : 0) ||
            lane->jump_value_bits[i] > (is_used ? most_jump_value : 0) ||
            lane->jump_tangent_bits[i] > (is_used ? CT_ANIMATION_MAX_TANGENT_BITS : 0))
            return false;
    }
    return true;
}

// The order of groups: by kind, number, and whether they have quaternions.
static uint32_t place_of(const ct_animation_group *g) {
    const uint32_t is_quaternion = g->flags & CT_ANIMATION_GROUP_QUATERNION ? 1 : 0;
    return (g->kind << 16 | g->number) << 1 | is_quaternion;
}

static bool check_group(const ct_animation_resource *c, uint32_t i, ct_error *error) {
    const ct_animation_group *const groups = ct_blob_at(c, c->groups.offset);
    const ct_animation_group *const g = &groups[i];
    const bool is_keyed = i < c->num_keyed_groups;
    if (g->kind >= CT_ANIMATION_TRACK_KIND_COUNT)
        return ct_error_set(error, "groups[%u].kind: found %u; expected 0 to %d", i, g->kind,
                            CT_ANIMATION_TRACK_KIND_COUNT - 1);
    const uint32_t count = g->kind == CT_ANIMATION_TRACK_CURVE ? c->curves.count : c->num_joints;
    if (g->number >= (count + CT_ANIMATION_LANES - 1) / CT_ANIMATION_LANES)
        return ct_error_set(error, "groups[%u].number: found %u for %u tracks", i, g->number,
                            count);
    const uint32_t num_lanes = count - CT_ANIMATION_LANES * g->number;
    const uint32_t all = num_lanes >= CT_ANIMATION_LANES ? 15 : (1u << num_lanes) - 1;
    if (g->tracks == 0 || (g->tracks & ~all))
        return ct_error_set(error, "groups[%u].tracks: found 0x%x; expected 0x1 to 0x%x", i,
                            g->tracks, all);
    const uint32_t flags =
        is_keyed ? CT_ANIMATION_GROUP_WIDE |
                       (g->kind == CT_ANIMATION_TRACK_ROTATION ? CT_ANIMATION_GROUP_QUATERNION : 0u)
                 : 0u;
    if (g->flags & ~flags)
        return ct_error_set(error, "groups[%u].flags: found 0x%x; expected at most 0x%x", i,
                            g->flags, flags);
    const uint64_t end = (uint64_t)g->first_row + ct_animation_num_group_rows(g, is_keyed);
    if (end > c->rows.count)
        return ct_error_set(error, "groups[%u].first_row: found %u of %u rows", i, g->first_row,
                            c->rows.count);
    const bool is_first = i == 0 || i == c->num_keyed_groups;
    if (!is_first && place_of(g) <= place_of(g - 1))
        return ct_error_set(error,
                            "groups[%u]: out of order; expected groups sorted by kind and "
                            "number",
                            i);
    bool any = false;
    for (uint32_t l = 0; l < CT_ANIMATION_LANES; ++l) {
        bool has_keys;
        if (!check_lane(g, l, &has_keys))
            return ct_error_set(error, "groups[%u].lanes[%u]: its bits are out of range", i, l);
        any = any || has_keys;
    }
    return any == is_keyed || ct_error_set(error,
                                           "groups[%u]: found a group %s keys among those "
                                           "%s keys",
                                           i, any ? "with" : "without", any ? "without" : "with");
}

static bool check_groups(const ct_animation_resource *c, ct_error *error) {
    if (c->groups.count > 2 * CT_ANIMATION_MAX_GROUPS ||
        c->num_keyed_groups > CT_ANIMATION_MAX_GROUPS || c->num_keyed_groups > c->groups.count)
        return ct_error_set(error, "groups: found %u with keys of %u; expected at most %d",
                            c->num_keyed_groups, c->groups.count, CT_ANIMATION_MAX_GROUPS);
    for (uint32_t i = 0; i < c->groups.count; ++i) {
        if (!check_group(c, i, error))
            return false;
    }
    const float *const numbers = ct_blob_at(c, c->rows.offset);
    for (uint64_t i = 0; i < (uint64_t)c->rows.count * CT_ANIMATION_LANES; ++i) {
        if (!(fabsf(numbers[i]) <= MOST_NUMBER))
            return ct_error_set(error, "rows[%u]: found %g; expected a finite number",
                                (uint32_t)(i / CT_ANIMATION_LANES), (double)numbers[i]);
    }
    return true;
}

// --- The stream ----------------------------------------------------------------------------------

// The active segment of a lane.
typedef struct lane_state {
    uint32_t start, end; // frames; the end of lanes without keys is never
    uint32_t place;      // in the stream, of the key at the end
    ct_animation_numbers rows[CT_ANIMATION_SEGMENT_ROWS];
} lane_state;

typedef struct simulation {
    const ct_animation_resource *clip;
    const ct_animation_group *groups;
    const uint8_t *stream, *jumps;
    uint32_t num_bits;
    uint32_t bit;      // the place in the stream
    lane_state *lanes; // four for each group with keys
} simulation;

// Makes the first key of each lane, from the first jump frame, the end of a segment at frame 0.
static void start_simulation(simulation *s) {
    uint32_t bit = 0;
    for (uint32_t i = 0; i < s->clip->num_keyed_groups * CT_ANIMATION_LANES; ++i) {
        const ct_animation_group *const g = &s->groups[i / CT_ANIMATION_LANES];
        const bool has_keys = g->lanes[i % CT_ANIMATION_LANES].duration_bits > 0;
        s->lanes[i] = (lane_state){.end = has_keys ? 0 : UINT32_MAX};
        if (has_keys)
            (void)ct_animation_read_jump(g, i % CT_ANIMATION_LANES, s->jumps, &bit,
                                         s->lanes[i].rows);
    }
}

// Reads the next key of a lane as a player does.
static bool read_lane(simulation *s, uint32_t group, uint32_t l, ct_error *error) {
    const ct_animation_group *const g = &s->groups[group];
    lane_state *const lane = &s->lanes[CT_ANIMATION_LANES * group + l];
    if (ct_animation_key_bits(&g->lanes[l]) > s->num_bits - s->bit)
        return ct_error_set(error, "stream: it ends before frame %u", lane->end);
    lane->place = s->bit;
    lane->start = lane->end;
    lane->end += ct_animation_read_key(g, l, s->stream, &s->bit, lane->rows);
    return lane->end <= s->clip->num_frames ||
           ct_error_set(error, "stream: a key of lane %u of groups[%u] is at frame %u of %u", l,
                        group, lane->end, s->clip->num_frames);
}

// Reads the keys that are needed at `frame`; returns the next such frame, or 0 with `error`.
static uint32_t simulate_frame(simulation *s, uint32_t frame, ct_error *error) {
    uint32_t next = UINT32_MAX;
    for (uint32_t i = 0; i < s->clip->num_keyed_groups * CT_ANIMATION_LANES; ++i) {
        if (s->lanes[i].end == frame &&
            !read_lane(s, i / CT_ANIMATION_LANES, i % CT_ANIMATION_LANES, error))
            return 0;
        next = s->lanes[i].end < next ? s->lanes[i].end : next;
    }
    return next;
}

static bool are_equal(ct_animation_numbers a, ct_animation_numbers b) {
    return memcmp(&a, &b, sizeof(a)) == 0;
}

// Whether a jump frame at `frame` says what the stream gives.
static bool is_jump_lane_equal(const simulation *s, const lane_state *lane, uint32_t frame,
                               ct_animation_jump_lane jump, const ct_animation_numbers *rows) {
    return jump.age == frame - lane->start && jump.place == s->bit - lane->place &&
           are_equal(rows[CT_ANIMATION_END], lane->rows[CT_ANIMATION_START]) &&
           are_equal(rows[CT_ANIMATION_END_TANGENT], lane->rows[CT_ANIMATION_START_TANGENT]) &&
           are_equal(rows[CT_ANIMATION_END_UPPER], lane->rows[CT_ANIMATION_START_UPPER]);
}

static bool check_jump(const simulation *s, uint32_t jump, ct_error *error) {
    const ct_animation_resource *const c = s->clip;
    const uint32_t *const places = ct_blob_at(c, c->jump_bits.offset);
    const uint8_t *const jumps = s->jumps + (uint64_t)jump * c->jump_bytes;
    const uint32_t frame = jump * c->jump_frames;
    if (places[jump] != s->bit)
        return ct_error_set(error, "jump_bits[%u]: found %u; expected %u", jump, places[jump],
                            s->bit);
    uint32_t bit = 0;
    for (uint32_t i = 0; i < c->num_keyed_groups * CT_ANIMATION_LANES; ++i) {
        const uint32_t g = i / CT_ANIMATION_LANES, l = i % CT_ANIMATION_LANES;
        ct_animation_numbers rows[CT_ANIMATION_SEGMENT_ROWS] = {{0}};
        if (s->groups[g].lanes[l].duration_bits == 0)
            continue;
        const ct_animation_jump_lane found =
            ct_animation_read_jump(&s->groups[g], l, jumps, &bit, rows);
        if (!is_jump_lane_equal(s, &s->lanes[i], frame, found, rows))
            return ct_error_set(error,
                                "jump_states: lane %u of groups[%u] is not at frame %u "
                                "what the stream gives",
                                l, g, frame);
    }
    return true;
}

static bool run_simulation(simulation *s, ct_error *error) {
    const ct_animation_resource *const c = s->clip;
    uint32_t jump = 0, next = 0; // the next jump frame; the next frame that needs keys
    start_simulation(s);
    while (next < c->num_frames) {
        // Jump frames before `next` have the state of now.
        for (; jump < c->jump_bits.count && jump * c->jump_frames < next; ++jump) {
            if (!check_jump(s, jump, error))
                return false;
        }
        next = simulate_frame(s, next, error);
        if (next == 0)
            return false;
    }
    for (; jump < c->jump_bits.count; ++jump) {
        if (!check_jump(s, jump, error))
            return false;
    }
    return true;
}

static bool check_stream(const ct_animation_resource *c, ct_error *error) {
    const ct_animation_group *const groups = ct_blob_at(c, c->groups.offset);
    const uint32_t num_jumps =
        c->num_keyed_groups && c->jump_frames ? (c->num_frames - 1) / c->jump_frames + 1 : 0;
    if (c->jump_frames == 0 || c->jump_bits.count != num_jumps)
        return ct_error_set(error, "jump_bits: found %u every %u frames; expected %u",
                            c->jump_bits.count, c->jump_frames, num_jumps);
    if (c->stream.count < CT_ANIMATION_STREAM_END_BYTES || c->stream.count > 1u << 28)
        return ct_error_set(error, "stream: found %u bytes; expected %d to %u", c->stream.count,
                            CT_ANIMATION_STREAM_END_BYTES, 1u << 28);
    const uint32_t jump_bytes = ct_animation_jump_bytes(groups, c->num_keyed_groups);
    if (c->jump_bytes != jump_bytes)
        return ct_error_set(error, "jump_bytes: found %u; expected %u", c->jump_bytes, jump_bytes);
    const uint64_t all_bytes =
        num_jumps ? (uint64_t)num_jumps * jump_bytes + CT_ANIMATION_STREAM_END_BYTES : 0;
    if (c->jump_states.count != all_bytes)
        return ct_error_set(error, "jump_states: found %u bytes for %u jump frames of %u",
                            c->jump_states.count, num_jumps, jump_bytes);
    if (num_jumps == 0)
        return true;
    lane_state lanes[CT_ANIMATION_LANES * CT_ANIMATION_MAX_GROUPS]; // 270 KB of the stack
    simulation s = {.clip = c,
                    .groups = groups,
                    .stream = ct_blob_at(c, c->stream.offset),
                    .jumps = ct_blob_at(c, c->jump_states.offset),
                    .num_bits = 8 * (c->stream.count - CT_ANIMATION_STREAM_END_BYTES),
                    .lanes = lanes};
    return run_simulation(&s, error);
}

bool ct_animation_validate(const void *blob, ct_error *error) {
    const ct_animation_resource *const c = blob;
    return ct_blob_check_layout(&ct_animation_layout, c, error) && check_head(c, error) &&
           check_events(c, error) && check_root(c, error) && check_groups(c, error) &&
           check_stream(c, error);
}
