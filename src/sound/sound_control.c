// What scripts do with instances that play.
#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_system_private.h"

static void warn_not_finite(const ct_sound_system *s, uint32_t slot, const char *what) {
    ct_log_warning("sound", "sound_not_finite", "event %s: %s: found no finite number",
                   ct_string_id64_name(s->instances.events[slot]), what);
}

// --- Ends ----------------------------------------------------------------------------------------

void ct_sound_stop_slot(ct_sound_system *s, uint32_t slot, uint64_t when, float fade) {
    ct_sound_instances *const t = &s->instances;
    const uint64_t clock = ct_mixer_clock(s->mixer);
    // A fade that waits would never end.
    const bool is_paused = (t->flags[slot] & CT_SOUND_INSTANCE_PAUSED) != 0;
    const uint32_t frames = is_paused ? 0 : ct_sound_frames_of(fade);
    const uint64_t end = (when > clock ? when : clock) + frames;
    if ((t->flags[slot] & CT_SOUND_INSTANCE_STOPPING) && end >= t->stop_clocks[slot])
        return; // it is silent earlier
    ct_sound_unlist_same(s, slot);
    t->flags[slot] |= CT_SOUND_INSTANCE_STOPPING;
    t->stop_clocks[slot] = end;
    for (uint32_t i = t->first_layers[slot]; i; i = s->layers.nexts[i])
        ct_mixer_stop(s->mixer, s->layers.voices[i], when, frames);
}

static float fade_out_of(const ct_sound_system *s, uint32_t slot, float fade) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    if (fade >= 0 && isfinite(fade))
        return fade;
    return e ? e->fade_out : 0;
}

void ct_sound_stop(ct_sound_system *s, ct_sound_instance i, float fade) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (slot)
        ct_sound_stop_slot(s, slot, 0, fade_out_of(s, slot, fade));
}

void ct_sound_stop_all(ct_sound_world *w, float fade) {
    for (uint32_t i = 0; i < w->live.count; ++i)
        ct_sound_stop_slot(w->system, w->live.items[i], 0,
                           fade_out_of(w->system, w->live.items[i], fade));
}

bool ct_sound_is_playing(const ct_sound_system *s, ct_sound_instance i) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    return slot && (s->instances.first_layers[slot] || ct_sound_may_go_on(s, slot));
}

ct_sound_world *ct_sound_world_of(const ct_sound_system *s, ct_sound_instance i) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    return slot ? s->instances.worlds[slot] : NULL;
}

ct_string_id64 ct_sound_event_of(const ct_sound_system *s, ct_sound_instance i) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    return slot ? s->instances.events[slot] : (ct_string_id64){0};
}

// --- Time ----------------------------------------------------------------------------------------

// Returns from which clock on the time of an instance that is paused now stands still. The block that
// comes still moves what plays, while it fades out; what would start in it waits.
static uint64_t freeze_clock(const ct_sound_system *s, uint32_t slot) {
    const uint64_t clock = ct_mixer_clock(s->mixer);
    const int64_t since = s->instances.origins[slot] - (int64_t)clock;
    if (s->instances.pause_clocks[slot] == clock)
        return clock; // it was resumed in this block, and stands still as before
    return clock + (uint64_t)(since >= 0 && since < CT_MIXER_BLOCK ? since : CT_MIXER_BLOCK);
}

// Moves the origin of an instance that goes on.
static void unfreeze(ct_sound_system *s, uint32_t slot) {
    const uint64_t clock = ct_mixer_clock(s->mixer);
    uint64_t *const frozen = &s->instances.pause_clocks[slot];
    if (clock < *frozen) { // in the same block: it never stood still
        *frozen = CT_SOUND_NO_CLOCK;
        return;
    }
    s->instances.origins[slot] += (int64_t)(clock - *frozen);
    *frozen = clock;
}

void ct_sound_set_paused(ct_sound_system *s, ct_sound_instance i, bool is_paused) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (!slot || ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PAUSED) == is_paused)
        return;
    if (ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_STOPPING)) {
        ct_sound_stop_slot(s, slot, 0, 0); // as above
        return;
    }
    ct_sound_instances *const t = &s->instances;
    t->flags[slot] ^= CT_SOUND_INSTANCE_PAUSED;
    if (is_paused)
        t->pause_clocks[slot] = freeze_clock(s, slot);
    else
        unfreeze(s, slot);
    for (uint32_t layer = t->first_layers[slot]; layer; layer = s->layers.nexts[layer])
        if (!(s->layers.flags[layer] & CT_SOUND_LAYER_FADES)) // these end
            ct_mixer_set_paused(s->mixer, s->layers.voices[layer], is_paused);
}

// Returns the first layer that sounds, or would if it were real.
static uint32_t first_layer(const ct_sound_system *s, uint32_t slot) {
    for (uint32_t i = s->instances.first_layers[slot]; i; i = s->layers.nexts[i])
        if (!(s->layers.flags[i] & CT_SOUND_LAYER_FADES) && !ct_sound_layer_waits(s, i))
            return i;
    return 0;
}

double ct_sound_position(const ct_sound_system *s, ct_sound_instance i) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    const uint32_t layer = slot ? first_layer(s, slot) : 0;
    const ct_sound_media *const media = s->layers.media[layer];
    if (!layer || !media)
        return 0;
    return (double)ct_mixer_position(s->mixer, s->layers.voices[layer]) / media->rate;
}

void ct_sound_seek(ct_sound_system *s, ct_sound_instance i, double seconds) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (!slot || ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_STOPPING))
        return;
    if (!isfinite(seconds)) {
        warn_not_finite(s, slot, "seek");
        return;
    }
    ct_sound_instances *const t = &s->instances;
    const double to = fmin(fmax(seconds, 0), CT_SOUND_MAX_SECONDS);
    const bool is_paused = ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PAUSED);
    const uint64_t now = ct_mixer_clock(s->mixer);
    const uint64_t clock = is_paused && t->pause_clocks[slot] < now ? t->pause_clocks[slot] : now;
    t->origins[slot] = (int64_t)clock - (int64_t)ct_sound_frames_of(to);
    ct_sound_layers_drop(s, slot);
    ct_sound_start_picks(s, slot, t->picks[slot].items, t->picks[slot].count,
                         &(ct_sound_timing){.offset = to});
    ct_sound_find_next_marker(s, slot);
}

// --- Parameters, volume, place -------------------------------------------------------------------

void ct_sound_set_number(ct_sound_system *s, ct_sound_instance i, ct_string_id32 key,
                         float number) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (slot && isfinite(number))
        ct_sound_set_checked(s, slot, key, (ct_sound_parameter_value){.number = number},
                             CT_SOUND_PARAMETER_NUMBER);
    else if (slot)
        warn_not_finite(s, slot, ct_string_id32_name(key));
}

void ct_sound_set_text(ct_sound_system *s, ct_sound_instance i, ct_string_id32 key,
                       ct_string_id32 text) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (slot)
        ct_sound_set_checked(s, slot, key, (ct_sound_parameter_value){.text = text},
                             CT_SOUND_PARAMETER_TEXT);
}

void ct_sound_set_volume(ct_sound_system *s, ct_sound_instance i, float volume) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (slot && isfinite(volume))
        s->instances.volumes[slot] = fmaxf(volume, 0);
    else if (slot)
        warn_not_finite(s, slot, "volume");
}

void ct_sound_set_pitch(ct_sound_system *s, ct_sound_instance i, float pitch) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (slot && isfinite(pitch))
        s->instances.pitches[slot] = fminf(fmaxf(pitch, CT_MIXER_MIN_STEP), CT_MIXER_MAX_STEP);
    else if (slot)
        warn_not_finite(s, slot, "pitch");
}

void ct_sound_move(ct_sound_system *s, const ct_sound_instance *instances, const ct_vec3 *positions,
                   uint32_t count, bool is_jump) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = ct_sound_slot_of(s, instances[i]);
        if (!slot)
            continue;
        if (!ct_sound_is_finite3(positions[i])) {
            warn_not_finite(s, slot, "position");
            continue;
        }
        s->instances.positions[slot] = positions[i];
        const bool is_first = !ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PLACED);
        s->instances.flags[slot] |= CT_SOUND_INSTANCE_PLACED;
        if (is_jump || is_first)
            s->instances.flags[slot] |= CT_SOUND_INSTANCE_JUMPED;
    }
}

void ct_sound_turn(ct_sound_system *s, ct_sound_instance i, ct_quat rotation) {
    const uint32_t slot = ct_sound_slot_of(s, i);
    if (!slot)
        return;
    const ct_vec3 forward =
        ct_vec3_normalize(ct_quat_rotate(ct_quat_unit(rotation), ct_vec3_make(0, 1, 0)));
    if (ct_sound_is_finite3(forward))
        s->instances.forwards[slot] = forward;
    else
        warn_not_finite(s, slot, "rotation");
}
