#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_system_private.h"

// Returns the clock of the next boundary between groups of `beats` beats of an instance of music, at
// least CT_SOUND_LEAD ahead. Counts at pitch 1.
static uint64_t next_boundary(const ct_sound_system *s, uint32_t slot, uint32_t beats) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    const int64_t earliest = (int64_t)ct_mixer_clock(s->mixer) + CT_SOUND_LEAD;
    const double group = (double)beats * 60 / (double)e->tempo * CT_MIXER_RATE;
    const double first = (double)s->instances.origins[slot] + (double)e->first_beat * CT_MIXER_RATE;
    double k = fmax(ceil(((double)earliest - first) / group), 0);
    // Rounding to a frame may bring a boundary before the earliest frame.
    if (llround(first + k * group) < earliest)
        ++k;
    return (uint64_t)llround(first + k * group);
}

ct_sound_instance ct_sound_transition(ct_sound_world *w, ct_sound_instance from,
                                      ct_string_id64 event, uint32_t beats, float fade) {
    ct_sound_system *const s = w->system;
    const uint32_t slot = ct_sound_slot_of(s, from);
    const ct_sound_event_resource *const e = slot ? s->instances.resources[slot] : NULL;
    if (!e)
        return (ct_sound_instance){0};
    if (e->tempo <= 0) {
        ct_log_warning("sound", "sound_no_music",
                       "event %s: found no tempo; expected `music` to make a transition from it",
                       ct_string_id64_name(s->instances.events[slot]));
        return (ct_sound_instance){0};
    }
    const uint64_t when =
        beats ? next_boundary(s, slot, beats) : ct_mixer_clock(s->mixer) + CT_SOUND_LEAD;
    const ct_vec3 forward = s->instances.forwards[slot];
    const ct_sound_start start = {.position = s->instances.positions[slot],
                                  .rotation = ct_quat_look(forward, ct_vec3_make(0, 0, 1)),
                                  .is_placed = ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PLACED),
                                  .start = when,
                                  .fade_in = -1};
    const float fade_out = fade >= 0 && isfinite(fade) ? fade : e->fade_out;
    // Limits of the event must not end at once what is going to make room by itself.
    const bool is_counted = !ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_STOPPING);
    ct_sound_unlist_same(s, slot);
    const ct_sound_instance to = ct_sound_play(w, event, &start, NULL, 0);
    if (to.value)
        ct_sound_stop_slot(s, slot, when, fade_out);
    else if (is_counted)
        ct_sound_list_same(s, slot);
    return to;
}
