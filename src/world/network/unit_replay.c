#include <string.h>

#include "foundation/log.h"
#include "world/network/unit_replay_private.h"

static const uint64_t default_bytes = 64u << 20;

// --- Life cycle ----------------------------------------------------------------------------------

ct_unit_replay *ct_unit_replay_create(const ct_unit_replay_desc *desc) {
    ct_allocator *const a = desc->allocator;
    ct_unit_replay *const r = ct_alloc(a, sizeof(*r));
    *r = (ct_unit_replay){.allocator = a, .world = desc->world, .speed = 1};
    ct_unit_replay_set_most_bytes(r, desc->most_bytes);
    ct_unit_frames_init(&r->frames, a);
    ct_unit_cursor_init(&r->at, a);
    ct_unit_cursor_init(&r->next, a);
    ct_hash_map_init(&r->numbers, a);
    ct_hash_map_init(&r->modes, a);
    ct_array_init(&r->recorded, a);
    ct_array_init(&r->now, a);
    ct_array_init(&r->before, a);
    ct_array_init(&r->data, a);
    ct_array_init(&r->live, a);
    ct_array_init(&r->gone, a);
    ct_array_init(&r->come, a);
    ct_array_init(&r->lines, a);
    ct_array_init(&r->texts, a);
    ct_array_init(&r->text_bytes, a);
    ct_array_init(&r->played, a);
    ct_array_init(&r->own_data, a);
    return r;
}

void ct_unit_replay_destroy(ct_unit_replay *r) {
    if (!r)
        return;
    ct_unit_replay_stop_playback(r);
    ct_unit_frames_free(&r->frames);
    ct_unit_cursor_free(&r->at);
    ct_unit_cursor_free(&r->next);
    ct_hash_map_free(&r->numbers);
    ct_hash_map_free(&r->modes);
    ct_array_free(&r->recorded);
    ct_array_free(&r->now);
    ct_array_free(&r->before);
    ct_array_free(&r->data);
    ct_array_free(&r->live);
    ct_array_free(&r->gone);
    ct_array_free(&r->come);
    ct_array_free(&r->lines);
    ct_array_free(&r->texts);
    ct_array_free(&r->text_bytes);
    ct_array_free(&r->played);
    ct_array_free(&r->own_data);
    ct_free(r->allocator, r);
}

uint32_t ct_unit_replay_num_frames(const ct_unit_replay *r) {
    return r->frames.list.count;
}

double ct_unit_replay_seconds(const ct_unit_replay *r) {
    return r->frames.list.count ? r->frames.list.items[r->frames.list.count - 1].time : 0;
}

uint64_t ct_unit_replay_bytes(const ct_unit_replay *r) {
    return r->frames.bytes.count;
}

// --- Recording -----------------------------------------------------------------------------------

// Forgets the modes of units that are dead.
static void tidy_modes(ct_unit_replay *r) {
    ct_hash_map kept;
    uint32_t count;
    ct_hash_map_init(&kept, r->allocator);
    const ct_entity *const units = ct_world_units(r->world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t *const mode = ct_hash_map_find(&r->modes, units[i].id);
        if (mode)
            ct_hash_map_set(&kept, units[i].id, *mode);
    }
    ct_hash_map_free(&r->modes);
    r->modes = kept;
}

void ct_unit_replay_set_most_bytes(ct_unit_replay *r, uint64_t most_bytes) {
    const uint64_t wanted = most_bytes ? most_bytes : default_bytes;
    r->most_bytes = wanted < CT_UNIT_REPLAY_LEAST_BYTES  ? CT_UNIT_REPLAY_LEAST_BYTES
                    : wanted > CT_UNIT_REPLAY_MOST_BYTES ? CT_UNIT_REPLAY_MOST_BYTES
                                                         : wanted;
}

void ct_unit_replay_start_recording(ct_unit_replay *r) {
    ct_unit_replay_stop_playback(r);
    if (r->is_placing)
        return;
    r->frames.bytes.count = r->frames.list.count = 0;
    r->frames.num_units = 0;
    r->at.frame = r->next.frame = UINT32_MAX;
    r->recorded.count = r->now.count = r->before.count = r->live.count = 0;
    r->lines.count = r->texts.count = r->text_bytes.count = 0;
    ct_hash_map_clear(&r->numbers);
    tidy_modes(r);
    r->is_recording = true;
}

void ct_unit_replay_stop_recording(ct_unit_replay *r) {
    r->is_recording = false;
}

bool ct_unit_replay_is_recording(const ct_unit_replay *r) {
    return r->is_recording;
}

void ct_unit_replay_set_mode(ct_unit_replay *r, ct_entity unit, ct_unit_record_mode mode) {
    if (mode == CT_UNIT_RECORD_POSE)
        ct_hash_map_erase(&r->modes, unit.id);
    else
        ct_hash_map_set(&r->modes, unit.id, mode);
}

void ct_unit_replay_add_line(ct_unit_replay *r, const ct_replay_line *line) {
    if (r->is_recording && r->lines.count < CT_UNIT_REPLAY_MAX_MARKS)
        ct_array_push(&r->lines, *line);
}

void ct_unit_replay_add_text(ct_unit_replay *r, const ct_replay_text *text) {
    if (!r->is_recording || r->texts.count >= CT_UNIT_REPLAY_MAX_MARKS)
        return;
    ct_replay_text copy = *text;
    if (copy.bytes > CT_UNIT_REPLAY_TEXT_BYTES)
        copy.bytes = CT_UNIT_REPLAY_TEXT_BYTES;
    ct_array_push_many(&r->text_bytes, (const uint8_t *)text->text, copy.bytes);
    ct_array_push(&r->texts, copy);
}

// Gives a unit that is new a number; false when there are too many.
static bool add_unit(ct_unit_replay *r, ct_entity unit, uint32_t *number) {
    *number = r->recorded.count;
    if (*number == CT_UNIT_REPLAY_MAX_UNITS) {
        ct_log_warning("world", "replay_units", "a replay records no more than %d units",
                       CT_UNIT_REPLAY_MAX_UNITS);
        return false;
    }
    ct_unit_state state = {.resource = ct_world_unit_resource(r->world, unit), .is_alive = true};
    if (!ct_unit_level_of(r->world, unit, &state.level, &state.level_unit))
        state.level.value = 0;
    ct_array_push(&r->recorded, (ct_recorded_unit){.unit = unit});
    ct_array_push(&r->now, state);
    ct_array_push(&r->before, (ct_unit_state){0});
    ct_array_push(&r->live, *number);
    ct_array_push(&r->come, *number);
    ct_hash_map_set(&r->numbers, unit.id, *number);
    return true;
}

static void look_at(ct_unit_replay *r, ct_entity unit) {
    const uint64_t mode = ct_hash_map_get(&r->modes, unit.id, CT_UNIT_RECORD_POSE);
    if (mode == CT_UNIT_RECORD_NONE)
        return;
    const uint64_t *const known = ct_hash_map_find(&r->numbers, unit.id);
    uint32_t number = known ? (uint32_t)*known : 0;
    if (!known && !add_unit(r, unit, &number))
        return;
    r->recorded.items[number].seen = r->num_recorded;
    ct_unit_state *const now = &r->now.items[number];
    const ct_unit_pose pose = ct_unit_pose_of(r->world, unit);
    ct_unit_words_of(pose.position, pose.rotation, pose.scale, now->words);
    now->data_at = r->data.count;
    const ct_data_manager *const m = ct_world_system_data(ct_world_system_of(r->world));
    const ct_data_instance data =
        mode == CT_UNIT_RECORD_DATA ? ct_data_first(m, unit) : (ct_data_instance){0};
    if (data.slot)
        ct_data_copy_values(m, data, &r->data);
    now->data_bytes = r->data.count - now->data_at;
}

// Takes units that were not seen from those that live.
static void take_gone(ct_unit_replay *r) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->live.count; ++i) {
        const uint32_t number = r->live.items[i];
        const ct_recorded_unit *const unit = &r->recorded.items[number];
        if (unit->seen == r->num_recorded) {
            r->live.items[kept++] = number;
            continue;
        }
        ct_array_push(&r->gone, number);
        ct_hash_map_erase(&r->numbers, unit->unit.id);
    }
    r->live.count = kept;
}

static void write_frame(ct_unit_replay *r, float dt) {
    const double time = ct_unit_replay_seconds(r) + (double)dt;
    const bool is_key = r->frames.list.count == 0 || time - r->key_time >= 1 ||
                        r->frames.bytes.count - r->key_at >= r->most_bytes / 4;
    const char *text = (const char *)r->text_bytes.items;
    for (uint32_t i = 0; i < r->texts.count; ++i) {
        r->texts.items[i].text = text;
        text += r->texts.items[i].bytes;
    }
    if (is_key) {
        r->key_time = r->frames.list.count ? time : 0;
        r->key_at = r->frames.bytes.count;
    }
    r->frames.num_units = r->recorded.count;
    ct_unit_frames_write(&r->frames,
                         &(ct_unit_frame_desc){.dt = dt,
                                               .is_key = is_key,
                                               .gone = r->gone.items,
                                               .num_gone = is_key ? 0 : r->gone.count,
                                               .come = is_key ? r->live.items : r->come.items,
                                               .num_come = is_key ? r->live.count : r->come.count,
                                               .live = r->live.items,
                                               .num_live = r->live.count,
                                               .now = r->now.items,
                                               .data = r->data.items,
                                               .before = r->before.items,
                                               .lines = r->lines.items,
                                               .num_lines = r->lines.count,
                                               .texts = r->texts.items,
                                               .num_texts = r->texts.count});
}

// Keeps to the bytes: the oldest go. Returns whether it could.
static bool keep_to_bytes(ct_unit_replay *r) {
    while (r->frames.bytes.count > r->most_bytes) {
        const uint32_t before = r->frames.bytes.count;
        const double first = ct_unit_replay_seconds(r);
        if (!ct_unit_frames_drop_oldest(&r->frames))
            return false;
        const uint32_t bytes = before - r->frames.bytes.count;
        r->key_at -= bytes;
        r->key_time -= first - ct_unit_replay_seconds(r);
        for (uint32_t i = 0; i < r->live.count; ++i) {
            ct_unit_state *const unit = &r->before.items[r->live.items[i]];
            if (unit->data_bytes)
                unit->data_at -= bytes;
        }
    }
    return true;
}

void ct_unit_replay_record(ct_unit_replay *r, double dt) {
    if (!r->is_recording)
        return;
    ++r->num_recorded;
    r->data.count = r->gone.count = r->come.count = 0;
    uint32_t count;
    const ct_entity *const units = ct_world_units(r->world, &count);
    for (uint32_t i = 0; i < count; ++i)
        look_at(r, units[i]);
    take_gone(r);
    write_frame(r, (float)(dt < 1e6 ? dt : 1e6));
    r->lines.count = r->texts.count = r->text_bytes.count = 0;
    const ct_unit_frame *last = &r->frames.list.items[r->frames.list.count - 1];
    if (r->frames.bytes.count - last->at <= r->most_bytes / 4 && keep_to_bytes(r))
        return;
    last = &r->frames.list.items[r->frames.list.count - 1];
    r->frames.bytes.count = last->at; // it goes: the bytes must hold
    --r->frames.list.count;
    r->is_recording = false;
    ct_log_warning("world", "replay_full",
                   "a replay ended: one frame takes more than a fourth of its %llu bytes",
                   (unsigned long long)r->most_bytes);
}
