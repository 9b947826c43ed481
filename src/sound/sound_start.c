// Starts instances: what forbids a start, which instance makes room, and the picks' voices.
#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_system_private.h"

// --- What events remember in a world -------------------------------------------------------------

ct_sound_event_state *ct_sound_state_of(ct_sound_world *w, ct_string_id64 name,
                                        const ct_sound_event_resource *e, uint32_t *position) {
    *position = (uint32_t)ct_hash_map_get(&w->event_states, name.value, UINT32_MAX);
    if (*position == UINT32_MAX) {
        *position = w->states.count;
        ct_array_push(&w->states, (ct_sound_event_state){0});
        ct_hash_map_set(&w->event_states, name.value, *position);
    }
    ct_sound_event_state *const state = &w->states.items[*position];
    if (e->num_slots > state->num_slots) { // new, or it was loaded again
        state->first_slot = w->slots.count;
        state->num_slots = e->num_slots;
        ct_array_resize(&w->slots, w->slots.count + e->num_slots);
        for (uint32_t i = state->first_slot; i < w->slots.count; ++i)
            w->slots.items[i] = UINT64_MAX; // no child has played
    }
    return state;
}

// --- Parameters ----------------------------------------------------------------------------------

static void warn_of_parameter(const ct_sound_system *s, uint32_t slot, ct_string_id32 key,
                              const ct_sound_parameter_info *info) {
    static const char *const kinds[CT_SOUND_PARAMETER_COUNT] = {"number", "string"};
    const char *const event = ct_string_id64_name(s->instances.events[slot]);
    if (info)
        ct_log_warning("sound", "sound_parameter_kind",
                       "event %s, parameter %s: found a value of another kind; expected a %s",
                       event, ct_string_id32_name(key), kinds[info->kind]);
    else
        ct_log_warning("sound", "sound_parameter_unknown",
                       "event %s: found parameter %s; expected one that the event declares", event,
                       ct_string_id32_name(key));
}

void ct_sound_set_checked(ct_sound_system *s, uint32_t slot, ct_string_id32 key,
                          ct_sound_parameter_value value, ct_sound_parameter_kind kind) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    const ct_sound_parameter_info *const info = e ? ct_sound_find_parameter(e, key) : NULL;
    if (e && (!info || info->kind != kind))
        warn_of_parameter(s, slot, key, info);
    if (!info || info->kind == kind)
        ct_sound_parameter_set_value(&s->parameters, &s->instances.parameters[slot], key, value);
}

// Sets the parameters of a start; their kinds are those that the event declares.
static void set_given(ct_sound_system *s, uint32_t slot, const ct_sound_parameter *parameters,
                      uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_sound_parameter_info *const info =
            ct_sound_find_parameter(s->instances.resources[slot], parameters[i].key);
        const ct_sound_parameter_kind kind =
            info ? (ct_sound_parameter_kind)info->kind : CT_SOUND_PARAMETER_NUMBER;
        if (info && kind == CT_SOUND_PARAMETER_NUMBER && !isfinite(parameters[i].value.number))
            ct_log_warning("sound", "sound_not_finite", "event %s: %s: found no finite number",
                           ct_string_id64_name(s->instances.events[slot]),
                           ct_string_id32_name(parameters[i].key));
        else
            ct_sound_set_checked(s, slot, parameters[i].key, parameters[i].value, kind);
    }
}

// --- Voices --------------------------------------------------------------------------------------

uint32_t ct_sound_fold(const ct_sound_media *media, bool loops, uint64_t frames) {
    const bool has_loop = media->loop_end > media->loop_begin;
    const uint64_t begin = has_loop ? media->loop_begin : 0;
    const uint64_t end = has_loop ? media->loop_end : media->num_frames;
    if (!loops)
        return frames < media->num_frames ? (uint32_t)frames : media->num_frames - 1;
    return (uint32_t)(frames < end ? frames : begin + (frames - begin) % (end - begin));
}

// Where a pick is in time, in seconds from the start of its instance, at pitch 1.
typedef struct pick_time {
    double begin, end;
    ct_voice_id voice; // {0}: it is over, or could not start
} pick_time;

static const ct_sound_media *media_of(const ct_sound_system *s, uint32_t slot, uint32_t node) {
    const ct_string_id64 name = ct_sound_node_at(s->instances.resources[slot], node)->sound;
    const ct_sound_media *const media = ct_sound_media_get(s->media, name);
    if (!media)
        ct_log_warning("sound", "sound_missing", "event %s: sound %s is not loaded",
                       ct_string_id64_name(s->instances.events[slot]), ct_string_id64_name(name));
    return media;
}

// Fills when a voice starts and at which of its frames. What follows another is counted from its end,
// which depends on its pitch.
static void place_in_time(const ct_sound_pick *pick, const ct_sound_timing *timing, double begin,
                          ct_voice_desc *desc) {
    const double played = timing->offset - begin;
    desc->start = timing->start;
    if (desc->after.value || played < 0) {
        desc->delay = ct_sound_frames_of(desc->after.value ? (double)pick->delay : -played);
        return;
    }
    const ct_sound_media *const media = desc->media;
    uint64_t frames = (uint64_t)(played * media->rate + 0.5);
    if (pick->repeats > 1) {
        // Rounding may bring it to the end, where no repeats are left: the mixer takes 0 as endless.
        const uint64_t last = (uint64_t)pick->repeats * media->num_frames - 1;
        frames = frames < last ? frames : last;
        desc->repeats = pick->repeats - (uint32_t)(frames / media->num_frames);
        desc->position = (uint32_t)(frames % media->num_frames);
    } else {
        desc->position = ct_sound_fold(media, !pick->repeats, frames);
    }
}

static void start_pick(ct_sound_system *s, uint32_t slot, const ct_sound_pick *pick,
                       const ct_sound_timing *timing, const ct_sound_hearing *hearing,
                       ct_voice_id after, pick_time *time) {
    ct_voice_desc desc = {.media = media_of(s, slot, pick->node), .after = after};
    time->begin += (double)pick->delay;
    time->end = time->begin;
    if (!desc.media)
        return;
    const double seconds = (double)desc.media->num_frames / desc.media->rate;
    time->end = pick->repeats ? time->begin + seconds * pick->repeats : INFINITY;
    if (timing->offset >= time->end || (timing->loops_only && pick->repeats))
        return;
    desc.bus = s->instances.buses[slot];
    desc.fade_frames = timing->fade_frames;
    desc.repeats = pick->repeats;
    desc.loops = !pick->repeats;
    desc.is_paused = ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PAUSED);
    place_in_time(pick, timing, time->begin, &desc);
    desc.params = ct_sound_layer_params(s, slot, hearing, &pick->levels, pick->node, desc.media);
    const float loudness = ct_sound_loudness_of(s, slot, &desc.params, desc.media);
    desc.is_real = ct_sound_admit_new(s, slot, desc.media, loudness);
    const uint32_t layer = ct_sound_layer_start(s, slot, pick, &desc, loudness);
    if (layer)
        time->voice = s->layers.voices[layer];
    else
        ++s->instances.worlds[slot]->num_refused_now;
    s->instances.loudness[slot] = fmaxf(s->instances.loudness[slot], layer ? loudness : 0);
}

uint32_t ct_sound_start_picks(ct_sound_system *s, uint32_t slot, const ct_sound_pick *picks,
                              uint32_t count, const ct_sound_timing *timing) {
    ct_sound_hearing hearing;
    ct_sound_hear_instance(s, slot, &hearing);
    pick_time times[CT_SOUND_EVENT_MAX_LAYERS] = {0};
    uint32_t num_started = 0;
    for (uint32_t i = 0; i < count; ++i) {
        ct_voice_id after = {0};
        if (picks[i].after < i) {
            times[i].begin = times[picks[i].after].end;
            after = times[picks[i].after].voice;
        }
        if (isinf(times[i].begin))
            continue; // after a loop
        start_pick(s, slot, &picks[i], timing, &hearing, after, &times[i]);
        num_started += times[i].voice.value != 0;
    }
    return num_started;
}

// --- Instances -----------------------------------------------------------------------------------

void ct_sound_find_next_marker(ct_sound_system *s, uint32_t slot) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    s->instances.next_markers[slot] = 0;
    if (!e)
        return;
    const ct_sound_marker *const markers = ct_blob_at(e, e->markers.offset);
    const float time = (float)ct_sound_instance_time(s, slot);
    uint32_t next = 0;
    while (next < e->markers.count && markers[next].seconds < time)
        ++next;
    s->instances.next_markers[slot] = next;
}

static bool is_valid_start(const ct_sound_start *start) {
    const ct_quat q = start->rotation;
    return isfinite(start->offset) && isfinite(start->fade_in) &&
           (!start->is_placed ||
            (ct_sound_is_finite3(start->position) && isfinite(q.x + q.y + q.z + q.w)));
}

// Whether the voices of an instance must start at a known clock. Others start with the next block.
static bool is_exact(const ct_sound_event_resource *e, const ct_sound_picks *picks) {
    bool is_delayed = false;
    for (uint32_t i = 0; i < picks->count; ++i)
        is_delayed |= picks->items[i].delay > 0;
    return e->tempo > 0 || picks->count > 1 || is_delayed;
}

static uint32_t start_voices(ct_sound_system *s, uint32_t slot, const ct_sound_start *start) {
    ct_sound_instances *const t = &s->instances;
    const ct_sound_event_resource *const e = t->resources[slot];
    ct_sound_world *const w = t->worlds[slot];
    ct_sound_hearing hearing;
    ct_sound_hear_instance(s, slot, &hearing);
    ct_sound_picks *const picks = &t->picks[slot];
    ct_sound_slot *const slots = w->slots.items + w->states.items[t->states[slot]].first_slot;
    picks->count = ct_sound_pick_leaves(e, 0, &hearing.scope, slots, &w->random, picks->items);
    const uint64_t clock = ct_mixer_clock(s->mixer);
    ct_sound_timing timing = {.offset = fmaxf(start->offset, 0)};
    if (start->start > clock)
        timing.start = start->start;
    else if (is_exact(e, picks))
        timing.start = clock + CT_SOUND_LEAD;
    const float fade_in = start->fade_in < 0 ? e->fade_in : start->fade_in;
    timing.fade_frames = ct_sound_frames_of(fade_in);
    t->origins[slot] =
        (int64_t)(timing.start ? timing.start : clock) - (int64_t)ct_sound_frames_of(timing.offset);
    const uint32_t num_started = ct_sound_start_picks(s, slot, picks->items, picks->count, &timing);
    ct_sound_follows_init(s, slot, &hearing.scope);
    return num_started;
}

static void fill_row(ct_sound_system *s, uint32_t slot, ct_string_id64 event,
                     const ct_sound_event_resource *e, const ct_sound_start *start,
                     uint32_t state) {
    ct_sound_instances *const t = &s->instances;
    t->events[slot] = event;
    t->resources[slot] = e;
    t->states[slot] = state;
    if (start->is_placed) {
        t->flags[slot] |= CT_SOUND_INSTANCE_PLACED;
        t->positions[slot] = t->last_positions[slot] = start->position;
        t->forwards[slot] =
            ct_vec3_normalize(ct_quat_rotate(ct_quat_unit(start->rotation), ct_vec3_make(0, 1, 0)));
    }
    ct_sound_find_instance_bus(s, slot);
}

// Returns which instance of an event ends for a new one; 0: none.
static uint32_t victim(const ct_sound_system *s, const ct_sound_event_state *state,
                       ct_sound_steal steal) {
    uint32_t best = state->first;
    for (uint32_t i = best; i && steal != CT_SOUND_STEAL_OLDEST; i = s->instances.next_same[i]) {
        const bool is_better = steal == CT_SOUND_STEAL_QUIETEST
                                   ? s->instances.loudness[i] < s->instances.loudness[best]
                                   : s->instances.distances[i] > s->instances.distances[best];
        best = is_better ? i : best;
    }
    return best;
}

static void make_room(ct_sound_system *s, const ct_sound_event_state *state,
                      const ct_sound_event_resource *e) {
    while (e->limit && state->count >= e->limit)
        ct_sound_stop_slot(s, victim(s, state, (ct_sound_steal)e->steal), 0,
                           fminf(e->fade_out, CT_SOUND_STEAL_SECONDS));
}

static void drop_row(ct_sound_system *s, uint32_t slot) {
    ct_u32_array *const live = &s->instances.worlds[slot]->live;
    CT_ASSERT(live->items[live->count - 1] == slot, "instance %u is not the last", slot);
    --live->count;
    ct_sound_slot_release(s, slot);
}

// Returns the event, or NULL when nothing starts.
static const ct_sound_event_resource *event_to_start(ct_sound_world *w, ct_string_id64 event,
                                                     const ct_sound_start *start, uint32_t depth) {
    const ct_sound_event_resource *const e = ct_sound_system_event(w->system, event);
    if (!e) {
        ct_log_warning("sound", "sound_event_missing", "sound_event %s is not loaded",
                       ct_string_id64_name(event));
        return NULL;
    }
    if (!is_valid_start(start)) {
        ct_log_warning("sound", "sound_not_finite",
                       "event %s: start: found numbers that are not finite",
                       ct_string_id64_name(event));
        return NULL;
    }
    if (depth > CT_SOUND_MAX_DEPTH) {
        ct_log_warning("sound", "sound_marker_chain",
                       "event %s: markers of events that were started by markers: found more than "
                       "%d of them, one from another",
                       ct_string_id64_name(event), CT_SOUND_MAX_DEPTH);
        return NULL;
    }
    return e;
}

// Takes those that have ended out of the list of their event, before the next update sweeps them.
static void unlist_ended(ct_sound_system *s, const ct_sound_event_state *state) {
    for (uint32_t i = state->first; i;) {
        const uint32_t next = s->instances.next_same[i];
        if (!s->instances.first_layers[i] && !ct_sound_may_go_on(s, i))
            ct_sound_unlist_same(s, i);
        i = next;
    }
}

static bool is_allowed(ct_sound_world *w, const ct_sound_event_state *state,
                       const ct_sound_event_resource *e) {
    const bool is_full = e->limit && state->count >= e->limit && e->steal == CT_SOUND_STEAL_NONE;
    const bool is_allowed = !is_full && w->time >= state->cooldown_end;
    w->num_refused += !is_allowed;
    return is_allowed;
}

ct_sound_instance ct_sound_play_deep(ct_sound_world *w, ct_string_id64 event,
                                     const ct_sound_start *start,
                                     const ct_sound_parameter *parameters, uint32_t num_parameters,
                                     uint32_t depth) {
    ct_sound_system *const s = w->system;
    const ct_sound_event_resource *const e = event_to_start(w, event, start, depth);
    if (!e)
        return (ct_sound_instance){0};
    uint32_t position;
    ct_sound_event_state *const state = ct_sound_state_of(w, event, e, &position);
    if (e->limit && state->count >= e->limit)
        unlist_ended(s, state);
    if (!is_allowed(w, state, e))
        return (ct_sound_instance){0};
    const uint32_t slot = ct_sound_slot_acquire(s, w);
    if (!slot) {
        ++w->num_refused;
        ++w->num_refused_now;
        return (ct_sound_instance){0};
    }
    fill_row(s, slot, event, e, start, position);
    s->instances.depths[slot] = depth;
    set_given(s, slot, parameters, num_parameters);
    if (!start_voices(s, slot, start) && !ct_sound_may_go_on(s, slot)) {
        ++w->num_refused;
        drop_row(s, slot);
        return (ct_sound_instance){0};
    }
    make_room(s, state, e);
    ct_sound_list_same(s, slot);
    ct_sound_find_next_marker(s, slot);
    state->cooldown_end = w->time + (double)e->cooldown;
    return ct_sound_instance_of(s, slot);
}

ct_sound_instance ct_sound_play(ct_sound_world *w, ct_string_id64 event,
                                const ct_sound_start *start, const ct_sound_parameter *parameters,
                                uint32_t num_parameters) {
    return ct_sound_play_deep(w, event, start, parameters, num_parameters, 0);
}
