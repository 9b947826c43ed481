#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "world/network/unit_replay_private.h"

// --- Units ---------------------------------------------------------------------------------------

static void hide(ct_unit_replay *r, ct_played_unit *p) {
    ct_mesh_manager *const m = ct_world_meshes(r->world);
    p->is_hidden = true;
    p->visible.count = 0;
    for (ct_entity e = p->unit; e.id; e = ct_world_next_entity(r->world, p->unit, e)) {
        for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
            ct_array_push(&p->visible, ct_mesh_is_visible(m, i));
            ct_mesh_set_visible(m, i, false);
        }
    }
}

static void show(ct_unit_replay *r, ct_played_unit *p) {
    ct_mesh_manager *const m = ct_world_meshes(r->world);
    uint32_t k = 0;
    p->is_hidden = false;
    for (ct_entity e = p->unit; e.id; e = ct_world_next_entity(r->world, p->unit, e)) {
        for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
            if (k < p->visible.count)
                ct_mesh_set_visible(m, i, p->visible.items[k++] != 0);
        }
    }
}

// Replaces the values of a unit's data by those of a buffer; makes the component when it has none.
static void set_data(const ct_unit_replay *r, ct_entity unit, const ct_data_buffer *from) {
    ct_data_manager *const m = ct_world_system_data(ct_world_system_of(r->world));
    ct_data_instance instance = ct_data_first(m, unit);
    const ct_component_manager manager = ct_data_component_manager(m);
    ct_error error = {0};
    if (!instance.slot && ct_component_manager_has_room(&manager, 1, &error))
        instance = ct_data_create(m, unit, ct_string_id32_of("replay").value);
    if (!instance.slot)
        return;
    ct_byte_array now;
    ct_array_init(&now, r->allocator);
    ct_data_copy_values(m, instance, &now);
    const ct_data_buffer *const old = (const ct_data_buffer *)(const void *)now.items;
    for (uint32_t i = 0; i < old->num_keys; ++i) {
        const ct_data_key key = {old->words[i]};
        if (ct_data_buffer_get(from, key).type == CT_DATA_TYPE_NONE)
            ct_data_set(m, instance, key, (ct_data_value){0}, NULL);
    }
    for (uint32_t i = 0; i < from->num_keys; ++i)
        ct_data_set(m, instance, (ct_data_key){from->words[i]}, ct_data_buffer_value(from, i),
                    NULL);
    ct_array_free(&now);
}

static bool is_there(const ct_unit_replay *r, const ct_played_unit *p) {
    return p->unit.id && ct_world_has_unit(r->world, p->unit);
}

// Notes how a unit is, and holds its actors.
static void take_over(ct_unit_replay *r, ct_played_unit *p) {
    p->pose = ct_unit_pose_of(r->world, p->unit);
    const ct_data_manager *const m = ct_world_system_data(ct_world_system_of(r->world));
    const ct_data_instance data = ct_data_first(m, p->unit);
    p->own_data_at = r->own_data.count;
    if (data.slot) {
        p->has_own_data = true;
        ct_data_copy_values(m, data, &r->own_data);
    }
    p->own_data_bytes = r->own_data.count - p->own_data_at;
    ct_unit_hold_actors(r->world, p->unit, &p->actors);
}

static void give_back(ct_unit_replay *r, ct_played_unit *p) {
    if (!is_there(r, p))
        return;
    if (p->is_spawned) {
        ct_world_destroy_units(r->world, &p->unit, 1);
        return;
    }
    if (p->is_hidden)
        show(r, p);
    ct_unit_set_pose(r->world, p->unit, &p->pose, true);
    if (p->has_own_data && p->data_at)
        set_data(r, p->unit,
                 (const ct_data_buffer *)(const void *)(r->own_data.items + p->own_data_at));
    else if (p->data_at)
        ct_data_destroy_all(ct_world_system_data(ct_world_system_of(r->world)), &p->unit, 1);
    ct_unit_free_actors(r->world, &p->actors, true);
}

// Finds or makes the unit of a number that lives in the frame. False: there is none.
static bool have_unit(ct_unit_replay *r, ct_played_unit *p, const ct_unit_state *s,
                      const ct_unit_pose *pose) {
    if (is_there(r, p))
        return true;
    if (p->is_missing)
        return false;
    ct_error error = {0};
    p->is_spawned = ct_world_spawn_unit_of(r->world, s->resource, pose->position, pose->rotation,
                                           pose->scale, &p->unit, &error);
    p->is_hidden = false;
    p->data_at = p->data_bytes = 0;
    p->actors.count = 0;
    p->is_missing = !p->is_spawned;
    if (p->is_missing) {
        p->unit = (ct_entity){0};
        ct_log_warning("world", "replay_unit_missing", "a replay does not show a unit: %s",
                       error.message);
        return false;
    }
    ct_unit_hold_actors(r->world, p->unit, &p->actors);
    return true;
}

// --- Frames --------------------------------------------------------------------------------------

static ct_unit_pose pose_of(const ct_unit_state *s) {
    ct_unit_pose pose;
    ct_unit_words_pose(s->words, &pose.position, &pose.rotation, &pose.scale);
    return pose;
}

static ct_unit_pose pose_between(const ct_unit_state *a, const ct_unit_state *b, float share) {
    ct_unit_pose pose = pose_of(a);
    if (!b || share <= 0 || !b->is_alive || memcmp(a->words, b->words, sizeof(a->words)) == 0)
        return pose;
    const ct_unit_pose after = pose_of(b);
    pose.position = ct_vec3_lerp(pose.position, after.position, share);
    pose.rotation = ct_quat_nlerp(pose.rotation, after.rotation, share);
    pose.scale = ct_vec3_lerp(pose.scale, after.scale, share);
    return pose;
}

static void place(ct_unit_replay *r, uint32_t number, float share, bool jumps) {
    ct_played_unit *const p = &r->played.items[number];
    const ct_unit_state *const s = number < r->at.units.count ? &r->at.units.items[number] : NULL;
    if (p->is_free)
        return;
    if (!s || !s->is_alive) {
        if (!is_there(r, p))
            return;
        if (p->is_spawned)
            ct_world_destroy_units(r->world, &p->unit, 1);
        else if (!p->is_hidden)
            hide(r, p);
        return;
    }
    const ct_unit_state *const next =
        number < r->next.units.count ? &r->next.units.items[number] : NULL;
    const ct_unit_pose pose = pose_between(s, next, share);
    if (!have_unit(r, p, s, &pose))
        return;
    if (p->is_hidden) {
        show(r, p);
        jumps = true;
    }
    ct_unit_set_pose(r->world, p->unit, &pose, jumps);
    if (!s->data_bytes || (s->data_at == p->data_at && s->data_bytes == p->data_bytes))
        return;
    p->data_at = s->data_at;
    p->data_bytes = s->data_bytes;
    set_data(r, p->unit,
             (const ct_data_buffer *)(const void *)(r->frames.bytes.items + s->data_at));
}

// Returns the last frame that is not behind `time`.
static uint32_t frame_at(const ct_unit_replay *r, double time) {
    uint32_t first = 0, count = r->frames.list.count;
    while (count > 1) {
        const uint32_t half = count / 2;
        if (r->frames.list.items[first + half].time <= time)
            first += half;
        count -= half;
    }
    return first;
}

// Shows the moment `time`.
static void show_time(ct_unit_replay *r, uint32_t frame, bool jumps) {
    const ct_unit_frame *const list = r->frames.list.items;
    ct_error error = {0};
    float share = 0;
    bool is_good = ct_unit_cursor_seek(&r->at, &r->frames, frame, &error);
    if (is_good && frame + 1 < r->frames.list.count && r->time > list[frame].time) {
        const double step = list[frame + 1].time - list[frame].time;
        share = step > 0 ? (float)((r->time - list[frame].time) / step) : 0;
        is_good = ct_unit_cursor_seek(&r->next, &r->frames, frame + 1, &error);
    }
    if (!is_good) { // frames were checked when they came
        ct_log_error("world", "replay_damaged", "a replay does not go on: %s", error.message);
        return;
    }
    r->is_placing = true;
    for (uint32_t i = 0; i < r->played.count; ++i)
        place(r, i, share, jumps);
    r->is_placing = false;
    if (r->ends_soon)
        ct_unit_replay_stop_playback(r);
}

// --- Playback ------------------------------------------------------------------------------------

// Finds the units of a file that levels spawned: each for the first number that has it.
static void find_level_units(ct_unit_replay *r) {
    ct_unit_cursor cursor;
    ct_hash_map claimed;
    ct_unit_cursor_init(&cursor, r->allocator);
    ct_hash_map_init(&claimed, r->allocator);
    for (uint32_t i = 0; i < r->frames.list.count; ++i) {
        if (!r->frames.list.items[i].is_key && i + 1 < r->frames.list.count)
            continue;
        if (!ct_unit_cursor_seek(&cursor, &r->frames, i, NULL))
            break;
        for (uint32_t k = 0; k < cursor.units.count; ++k) {
            const ct_unit_state *const s = &cursor.units.items[k];
            if (!s->is_alive || !s->level.value || r->played.items[k].unit.id)
                continue;
            const ct_entity unit = ct_unit_of_level(r->world, s->level, s->level_unit);
            if (unit.id && ct_hash_map_add(&claimed, unit.id, k))
                r->played.items[k].unit = unit;
        }
    }
    ct_hash_map_free(&claimed);
    ct_unit_cursor_free(&cursor);
}

bool ct_unit_replay_start_playback(ct_unit_replay *r, ct_error *error) {
    if (r->frames.list.count == 0)
        return ct_error_set(error, "the replay has no frames; record or load some first");
    if (r->is_placing)
        return ct_error_set(error, "the replay is placing units; start it again afterwards");
    ct_unit_replay_stop_playback(r);
    r->is_recording = false;
    ct_array_resize(&r->played, r->frames.num_units);
    r->own_data.count = 0;
    for (uint32_t i = 0; i < r->played.count; ++i) {
        r->played.items[i] = (ct_played_unit){.actors = {.allocator = r->allocator},
                                              .visible = {.allocator = r->allocator}};
        if (i < r->recorded.count)
            r->played.items[i].unit = r->recorded.items[i].unit;
    }
    if (r->recorded.count == 0)
        find_level_units(r);
    for (uint32_t i = 0; i < r->played.count; ++i) {
        if (is_there(r, &r->played.items[i]))
            take_over(r, &r->played.items[i]);
    }
    r->is_playing = true;
    r->time = 0;
    show_time(r, 0, true);
    return true;
}

void ct_unit_replay_stop_playback(ct_unit_replay *r) {
    r->ends_soon = r->is_placing;
    if (!r->is_playing || r->is_placing)
        return;
    r->is_playing = false;
    for (uint32_t i = 0; i < r->played.count; ++i) {
        give_back(r, &r->played.items[i]);
        ct_array_free(&r->played.items[i].actors);
        ct_array_free(&r->played.items[i].visible);
    }
    r->played.count = 0;
}

bool ct_unit_replay_is_playing(const ct_unit_replay *r) {
    return r->is_playing;
}

void ct_unit_replay_set_speed(ct_unit_replay *r, float speed) {
    r->speed = speed;
}

float ct_unit_replay_speed(const ct_unit_replay *r) {
    return r->speed;
}

void ct_unit_replay_play(ct_unit_replay *r, double dt) {
    if (!r->is_playing || r->is_placing)
        return;
    const double end = ct_unit_replay_seconds(r), time = r->time + dt * (double)r->speed;
    r->time = time < 0 ? 0 : time < end ? time : end;
    show_time(r, frame_at(r, r->time), false);
}

void ct_unit_replay_set_frame(ct_unit_replay *r, uint32_t frame) {
    if (!r->is_playing || r->is_placing)
        return;
    const uint32_t last = r->frames.list.count - 1;
    if (frame > last)
        frame = last;
    r->time = r->frames.list.items[frame].time;
    show_time(r, frame, true);
}

uint32_t ct_unit_replay_frame(const ct_unit_replay *r) {
    if (r->is_playing)
        return r->at.frame == UINT32_MAX ? 0 : r->at.frame;
    return r->frames.list.count ? r->frames.list.count - 1 : 0;
}

void ct_unit_replay_free_unit(ct_unit_replay *r, ct_entity unit) {
    for (uint32_t i = 0; i < r->played.count; ++i) {
        ct_played_unit *const p = &r->played.items[i];
        if (p->unit.id != unit.id || !is_there(r, p))
            continue;
        p->is_free = true;
        if (p->is_hidden)
            show(r, p);
    }
}

const ct_replay_line *ct_unit_replay_lines(const ct_unit_replay *r, uint32_t *count) {
    *count = r->is_playing ? r->at.lines.count : 0;
    return r->at.lines.items;
}

const ct_replay_text *ct_unit_replay_texts(const ct_unit_replay *r, uint32_t *count) {
    *count = r->is_playing ? r->at.texts.count : 0;
    return r->at.texts.items;
}
