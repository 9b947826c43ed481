#include <math.h>

#include "sound/sound_system_private.h"

uint32_t ct_sound_world_count(const ct_sound_world *w) {
    return w->live.count;
}

uint64_t ct_sound_world_refused(const ct_sound_world *w) {
    return w->num_refused;
}

ct_sound_instance_info ct_sound_world_info(const ct_sound_world *w, uint32_t index) {
    CT_ASSERT(index < w->live.count, "instance %u of %u", index, w->live.count);
    const ct_sound_system *const s = w->system;
    const uint32_t slot = w->live.items[index];
    ct_sound_instance_info info = {
        .instance = ct_sound_instance_of(s, slot),
        .event = s->instances.events[slot],
        .position = s->instances.positions[slot],
        .is_placed = ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PLACED),
        .is_paused = ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PAUSED),
        .volume =
            fmaxf(20 * log10f(fmaxf(s->instances.loudness[slot], 1e-6f)), CT_SOUND_SILENCE_DB),
        .parameters = s->instances.parameters[slot]};
    for (uint32_t i = s->instances.first_layers[slot]; i; i = s->layers.nexts[i]) {
        ++info.num_voices;
        info.num_real += (s->layers.flags[i] & CT_SOUND_LAYER_REAL) != 0;
    }
    return info;
}
