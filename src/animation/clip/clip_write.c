#include "animation/clip/clip_write.h"

#include <math.h>
#include <string.h>

#include "resource/types/animation_stream.h"

enum { NEVER = 1 << 24, MOST_ROOT_FRAMES = 256 };

// A group while it is written.
typedef struct group_tracks {
    ct_animation_group group;
    const ct_clip_track *tracks[CT_ANIMATION_LANES]; // NULL: the lane has none
    uint32_t keys[CT_ANIMATION_LANES];               // the key at the active segment's end
    uint32_t places[CT_ANIMATION_LANES];             // where it is in the stream
} group_tracks;

// A bit stream.
typedef struct bit_writer {
    ct_byte_array bytes;
    uint32_t num_bits;
} bit_writer;

// What a jump frame says of a lane with keys.
typedef struct jump_lane {
    ct_animation_jump_lane lane;
    const ct_clip_key *start;
} jump_lane;

typedef struct clip_writer {
    const ct_raw_clip *raw;
    CT_ARRAY(group_tracks) groups; // with keys, then without
    CT_ARRAY(ct_animation_row) rows;
    bit_writer stream, jump_states;
    ct_u32_array jump_bits;
    CT_ARRAY(jump_lane) jumps; // for each jump frame, the lanes with keys
    uint32_t num_keyed, jump_frames;
} clip_writer;

// --- Groups --------------------------------------------------------------------------------------

static bool has_keys(const ct_clip_track *t) {
    return t && t->keys.count > 0;
}

static void fill_lane(const ct_clip_track *t, ct_animation_group *g, ct_animation_lane *lane) {
    lane->duration_bits = (uint8_t)t->duration_bits;
    lane->is_stepped = t->is_stepped;
    lane->has_derived_tangents = t->has_derived_tangents;
    lane->tangent_shift = (uint8_t)t->tangent_shift;
    for (uint32_t i = 0; i < t->num_numbers; ++i) {
        lane->value_bits[i] = (uint8_t)t->value_bits[i];
        lane->tangent_bits[i] = (uint8_t)t->tangent_bits[i];
        lane->jump_value_bits[i] = (uint8_t)t->jump_value_bits[i];
        lane->jump_tangent_bits[i] = (uint8_t)t->jump_tangent_bits[i];
    }
    if (t->is_wide)
        g->flags |= CT_ANIMATION_GROUP_WIDE;
}

// Adds the group of those of four tracks that are (not) quaternions, when there are any and they
// have keys, or none, as is wanted.
static void add_group(clip_writer *w, const ct_clip_track *tracks, uint32_t count, uint32_t number,
                      bool with_keys, bool are_quaternions) {
    group_tracks g = {.group = {.kind = tracks->kind, .number = number}};
    bool any_keys = false;
    for (uint32_t l = 0; l < CT_ANIMATION_LANES; ++l) {
        const uint32_t at = CT_ANIMATION_LANES * number + l;
        if (at >= count || !tracks[at].exists)
            continue;
        const bool is_quaternion = has_keys(&tracks[at]) && tracks[at].num_numbers == 4;
        if (is_quaternion != are_quaternions)
            continue;
        g.tracks[l] = &tracks[at];
        g.group.tracks |= 1u << l;
        if (!has_keys(&tracks[at]))
            continue;
        any_keys = true;
        fill_lane(&tracks[at], &g.group, &g.group.lanes[l]);
        if (are_quaternions)
            g.group.flags |= CT_ANIMATION_GROUP_QUATERNION;
    }
    if (g.group.tracks && any_keys == with_keys)
        ct_array_push(&w->groups, g);
}

static void add_groups(clip_writer *w, const ct_clip_tracks *tracks, bool with_keys) {
    for (uint32_t kind = 0; kind < CT_ANIMATION_TRACK_KIND_COUNT; ++kind) {
        const uint32_t count = tracks->counts[kind];
        for (uint32_t n = 0; n * CT_ANIMATION_LANES < count; ++n) {
            add_group(w, tracks->of_kind[kind], count, n, with_keys, false);
            add_group(w, tracks->of_kind[kind], count, n, with_keys, true);
        }
    }
}

// Returns number `i` of `lanes` of the evaluated numbers of a lane without keys.
static float constant_number(const group_tracks *g, uint32_t l, uint32_t i) {
    const bool is_identity = g->group.kind == CT_ANIMATION_TRACK_ROTATION && i == 3;
    return g->tracks[l] ? g->tracks[l]->constant[i] : is_identity ? 1.0f : 0.0f;
}

static void set_lane(const group_tracks *g, uint32_t l, ct_animation_row *rows) {
    const ct_clip_track *const t = g->tracks[l];
    const uint32_t n = ct_animation_num_numbers(&g->group);
    const bool is_relative = g->group.kind == CT_ANIMATION_TRACK_ROTATION && n == 3;
    for (uint32_t i = 0; i < n; ++i)
        rows[i].lanes[l] = has_keys(t) ? t->base[i] : is_relative ? 0 : constant_number(g, l, i);
    if (has_keys(t)) {
        rows[n].lanes[l] = t->value_step;
        rows[n + 1].lanes[l] = t->tangent_step;
    }
    for (uint32_t i = 0; is_relative && i < 4; ++i)
        rows[n + 2 + i].lanes[l] = has_keys(t) ? t->reference[i] : constant_number(g, l, i);
}

static void make_rows(clip_writer *w) {
    for (uint32_t i = 0; i < w->groups.count; ++i) {
        group_tracks *const g = &w->groups.items[i];
        const bool is_keyed = i < w->num_keyed;
        const uint32_t count = ct_animation_num_group_rows(&g->group, is_keyed);
        g->group.first_row = w->rows.count;
        ct_array_resize(&w->rows, w->rows.count + count);
        ct_animation_row *const rows = w->rows.items + g->group.first_row;
        memset(rows, 0, sizeof(*rows) * count);
        for (uint32_t l = 0; l < CT_ANIMATION_LANES; ++l) {
            for (uint32_t k = 0; !is_keyed && k < count; ++k)
                rows[k].lanes[l] = constant_number(g, l, k);
            if (is_keyed)
                set_lane(g, l, rows);
        }
    }
}

// --- The stream ----------------------------------------------------------------------------------

static void write_bits(bit_writer *w, uint32_t value, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i, ++w->num_bits) {
        if (w->num_bits % 8 == 0)
            ct_array_push(&w->bytes, 0);
        w->bytes.items[w->num_bits / 8] |= (uint8_t)((value >> i & 1) << w->num_bits % 8);
    }
}

// Writes a number with its sign: 0 is the least one.
static void write_signed(bit_writer *w, int32_t value, uint32_t bits) {
    write_bits(w, (uint32_t)value + (uint32_t)((1ull << bits) >> 1), bits);
}

// Fills the last byte, and writes the zeroes that readers may read.
static void end_bits(bit_writer *w) {
    for (uint32_t i = 0; i < CT_ANIMATION_STREAM_END_BYTES; ++i)
        ct_array_push(&w->bytes, 0);
}

static void write_key(bit_writer *w, const ct_clip_track *t, const ct_clip_key *key) {
    int32_t differences[4];
    ct_clip_key_differences(t, key, differences);
    write_bits(w, key->frame - key[-1].frame - 1, t->duration_bits);
    for (uint32_t i = 0; i < t->num_numbers; ++i)
        write_signed(w, differences[i], t->value_bits[i]);
    for (uint32_t i = 0; i < t->num_numbers; ++i)
        write_signed(w, key->tangents[i], t->tangent_bits[i]);
}

// Writes the keys that are needed at `frame`; returns the next frame that needs some.
static uint32_t write_frame(clip_writer *w, uint32_t frame) {
    uint32_t next = NEVER;
    for (uint32_t i = 0; i < w->num_keyed; ++i) {
        group_tracks *const g = &w->groups.items[i];
        for (uint32_t l = 0; l < CT_ANIMATION_LANES; ++l) {
            const ct_clip_track *const t = g->tracks[l];
            if (!has_keys(t))
                continue;
            const ct_clip_key *const keys = t->keys.items;
            if (keys[g->keys[l]].frame == frame) {
                ++g->keys[l];
                g->places[l] = w->stream.num_bits;
                write_key(&w->stream, t, &keys[g->keys[l]]);
            }
            next = keys[g->keys[l]].frame < next ? keys[g->keys[l]].frame : next;
        }
    }
    return next;
}

// Adds a jump frame, which is written when the bits of all places are known.
static void add_jump(clip_writer *w, uint32_t frame) {
    ct_array_push(&w->jump_bits, w->stream.num_bits);
    for (uint32_t i = 0; i < w->num_keyed; ++i) {
        group_tracks *const g = &w->groups.items[i];
        for (uint32_t l = 0; l < CT_ANIMATION_LANES; ++l) {
            if (!has_keys(g->tracks[l]))
                continue;
            const ct_clip_key *const start = &g->tracks[l]->keys.items[g->keys[l] - 1];
            const uint32_t place = w->stream.num_bits - g->places[l];
            uint8_t *const bits = &g->group.lanes[l].jump_place_bits;
            while (*bits < 32 && place >> *bits)
                ++*bits;
            ct_array_push(&w->jumps, (jump_lane){{frame - start->frame, place}, start});
        }
    }
}

static void write_jump_lane(bit_writer *w, const ct_animation_lane *lane, const jump_lane *jump) {
    write_bits(w, jump->lane.age, lane->duration_bits);
    write_bits(w, jump->lane.place, lane->jump_place_bits);
    for (uint32_t i = 0; i < 4; ++i)
        write_bits(w, (uint32_t)jump->start->values[i], lane->jump_value_bits[i]);
    for (uint32_t i = 0; i < 4; ++i)
        write_signed(w, jump->start->tangents[i], lane->jump_tangent_bits[i]);
}

static void write_jumps(clip_writer *w) {
    const jump_lane *jump = w->jumps.items;
    for (uint32_t j = 0; j < w->jump_bits.count; ++j) {
        for (uint32_t i = 0; i < w->num_keyed * CT_ANIMATION_LANES; ++i) {
            const group_tracks *const g = &w->groups.items[i / CT_ANIMATION_LANES];
            const uint32_t l = i % CT_ANIMATION_LANES;
            if (has_keys(g->tracks[l]))
                write_jump_lane(&w->jump_states, &g->group.lanes[l], jump++);
        }
        w->jump_states.num_bits = 8 * w->jump_states.bytes.count; // whole bytes
    }
    if (w->num_keyed > 0)
        end_bits(&w->jump_states);
}

static void write_stream(clip_writer *w) {
    // At most the interval; a float may be a little less than what was written.
    const double most = floor((double)w->raw->jump_interval * (double)w->raw->rate + 1e-3);
    const uint32_t num_frames = w->raw->num_frames;
    w->jump_frames = w->raw->jump_interval <= 0 || !(most < num_frames) ? num_frames
                     : most < 1                                         ? 1
                                                                        : (uint32_t)most;
    uint32_t jump = 0, next = 0;
    while (w->num_keyed > 0 && next < num_frames) {
        for (; jump < next; jump += w->jump_frames)
            add_jump(w, jump);
        next = write_frame(w, next);
    }
    for (; w->num_keyed > 0 && jump < num_frames; jump += w->jump_frames)
        add_jump(w, jump);
    end_bits(&w->stream);
    write_jumps(w);
}

// --- Around the stream ---------------------------------------------------------------------------

// Whether the frames between two are on the straight line.
static bool is_straight(const ct_raw_clip *raw, uint32_t first, uint32_t last) {
    const ct_animation_root_pose *const a = &raw->root[first], *const b = &raw->root[last];
    const float most = raw->tolerance / 4;
    for (uint32_t f = first + 1; f < last; ++f) {
        const float part = (float)(f - first) / (float)(last - first);
        for (uint32_t i = 0; i < 3; ++i) {
            const float found = a->position[i] + (b->position[i] - a->position[i]) * part;
            if (!(fabsf(found - raw->root[f].position[i]) <= most))
                return false;
        }
        // A heading moves what is a metre away.
        if (!(fabsf(a->heading + (b->heading - a->heading) * part - raw->root[f].heading) <= most))
            return false;
    }
    return true;
}

static ct_blob_array write_root(const ct_raw_clip *raw, ct_allocator *a, ct_blob_writer *w) {
    CT_ARRAY(ct_animation_root_key) keys;
    ct_array_init(&keys, a);
    for (uint32_t f = 0; raw->root && f <= raw->num_frames;) {
        ct_animation_root_key key = {.frame = f, .heading = raw->root[f].heading};
        memcpy(key.position, raw->root[f].position, sizeof(key.position));
        ct_array_push(&keys, key);
        uint32_t next = f + 1;
        while (next < raw->num_frames && next - f < MOST_ROOT_FRAMES &&
               is_straight(raw, f, next + 1))
            ++next;
        f = next;
    }
    const ct_blob_array array =
        ct_blob_write_items(w, &ct_animation_root_key_layout, keys.items, keys.count);
    ct_array_free(&keys);
    return array;
}

static ct_blob_string write_text(ct_blob_writer *w, const char *text) {
    return ct_blob_write_string(w, text ? text : "", text ? strlen(text) : 0);
}

static ct_blob_array write_events(const ct_raw_clip *raw, ct_allocator *a, ct_blob_writer *w) {
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_animation_event_layout, raw->num_events);
    ct_animation_event *const events = ct_alloc_zero(a, sizeof(*events) * (raw->num_events + 1));
    for (uint32_t i = 0; i < raw->num_events; ++i) {
        events[i].name_text = write_text(w, raw->events[i].name);
        events[i].name = ct_string_id32_of(raw->events[i].name);
        events[i].time = raw->events[i].time;
    }
    ct_blob_fill_items(w, &ct_animation_event_layout, array, events);
    ct_free(a, events);
    return array;
}

static ct_blob_array write_curves(const ct_raw_clip *raw, ct_allocator *a, ct_blob_writer *w) {
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_animation_curve_layout, raw->num_curves);
    ct_animation_curve *const curves = ct_alloc_zero(a, sizeof(*curves) * (raw->num_curves + 1));
    for (uint32_t i = 0; i < raw->num_curves; ++i) {
        const char *const object = raw->curves[i].object ? raw->curves[i].object : "";
        curves[i].object_text = write_text(w, object);
        curves[i].parameter_text = write_text(w, raw->curves[i].parameter);
        curves[i].object = ct_string_id32_of(object);
        curves[i].parameter = ct_string_id32_of(raw->curves[i].parameter);
    }
    ct_blob_fill_items(w, &ct_animation_curve_layout, array, curves);
    ct_free(a, curves);
    return array;
}

static ct_blob_array write_groups(const clip_writer *c, ct_allocator *a, ct_blob_writer *w) {
    ct_animation_group *const groups = ct_alloc(a, sizeof(*groups) * (c->groups.count + 1));
    for (uint32_t i = 0; i < c->groups.count; ++i)
        groups[i] = c->groups.items[i].group;
    const ct_blob_array array =
        ct_blob_write_items(w, &ct_animation_group_layout, groups, c->groups.count);
    ct_free(a, groups);
    return array;
}

static ct_blob_array write_bytes(const bit_writer *bits, ct_blob_writer *w) {
    return ct_blob_write_items(w, &ct_blob_u8_layout, bits->bytes.items, bits->bytes.count);
}

void ct_clip_write(const ct_raw_clip *raw, const ct_clip_tracks *tracks, const ct_clip_error *error,
                   ct_allocator *a, ct_blob_writer *w) {
    clip_writer c = {.raw = raw};
    ct_array_init(&c.groups, a);
    ct_array_init(&c.rows, a);
    ct_array_init(&c.stream.bytes, a);
    ct_array_init(&c.jump_states.bytes, a);
    ct_array_init(&c.jump_bits, a);
    ct_array_init(&c.jumps, a);
    add_groups(&c, tracks, true);
    c.num_keyed = c.groups.count;
    add_groups(&c, tracks, false);
    make_rows(&c);
    write_stream(&c);
    ct_animation_resource r = {.skeleton = raw->skeleton_name,
                               .skeleton_hash = raw->skeleton->hash,
                               .rate = raw->rate,
                               .num_frames = raw->num_frames,
                               .flags = raw->flags,
                               .num_joints = raw->skeleton->joints.count,
                               .num_keyed_groups = c.num_keyed,
                               .jump_frames = c.jump_frames,
                               .tolerance = raw->tolerance,
                               .worst_error = error->worst,
                               .mean_error = error->mean,
                               .worst_time = error->time,
                               .worst_joint = error->joint};
    ct_blob_begin(w, &ct_animation_layout);
    r.events = write_events(raw, a, w);
    r.curves = write_curves(raw, a, w);
    r.root_keys = write_root(raw, a, w);
    r.groups = write_groups(&c, a, w);
    r.rows = ct_blob_write_items(w, &ct_animation_row_layout, c.rows.items, c.rows.count);
    r.stream = write_bytes(&c.stream, w);
    r.jump_bits = ct_blob_write_items(w, &ct_blob_u32_layout, c.jump_bits.items, c.jump_bits.count);
    r.jump_states = write_bytes(&c.jump_states, w);
    r.jump_bytes = c.jump_bits.count
                       ? (r.jump_states.count - CT_ANIMATION_STREAM_END_BYTES) / c.jump_bits.count
                       : 0;
    ct_blob_end(w, &ct_animation_layout, &r);
    ct_array_free(&c.groups);
    ct_array_free(&c.rows);
    ct_array_free(&c.stream.bytes);
    ct_array_free(&c.jump_states.bytes);
    ct_array_free(&c.jump_bits);
    ct_array_free(&c.jumps);
}
