// Which voices are real. A voice that is paused, or quieter than CT_SOUND_SILENCE_DB after everything
// (its gains and those of its buses), is never real. Of the others the most audible are, by this order:
// events of priority 255 before all others; then the louder, in steps of about 1.5 dB, where one that
// is real already counts 2 dB more; then the higher priority; then what started earlier.
// What waits for its start, or for another voice of a chain, counts as if it sounded: it must be real
// when its time comes.
#include "foundation/profiler/profiler.h"
#include "sound/sound_system_private.h"

enum { FIRST_RANK = 255, LOUDNESS_SHIFT = 21 };

#define REAL_BONUS 1.26f      // 2 dB
#define SILENCE 1.5848932e-5f // CT_SOUND_SILENCE_DB as a factor

// Returns a number that is lower for voices that come earlier.
static uint64_t order_key(const ct_sound_system *s, uint32_t slot, float loudness, bool is_real) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    const uint64_t priority = e ? e->priority : 0;
    const float counted = loudness * (is_real ? REAL_BONUS : 1);
    // The exponent and two bits below it.
    const uint64_t step = ct_sort_key_of_float(counted) >> LOUDNESS_SHIFT;
    return ~((uint64_t)(priority == FIRST_RANK) << 63 | step << 32 | priority);
}

static bool is_audible(const ct_sound_system *s, uint32_t slot, float loudness) {
    return !ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PAUSED) && loudness > SILENCE;
}

// Calls `each` for all layers of all worlds, in the order in which they started.
static void each_layer(ct_sound_system *s,
                       void (*each)(ct_sound_system *s, uint32_t slot, uint32_t layer)) {
    for (uint32_t i = 0; i < s->worlds.count; ++i) {
        const ct_u32_array *const live = &s->worlds.items[i]->live;
        for (uint32_t k = 0; k < live->count; ++k)
            for (uint32_t layer = s->instances.first_layers[live->items[k]]; layer;
                 layer = s->layers.nexts[layer])
                each(s, live->items[k], layer);
    }
}

static void add_candidate(ct_sound_system *s, uint32_t slot, uint32_t layer) {
    s->layers.flags[layer] &= ~(uint32_t)CT_SOUND_LAYER_CHOSEN;
    const float loudness = s->layers.loudness[layer];
    if (!is_audible(s, slot, loudness))
        return;
    const bool is_real = (s->layers.flags[layer] & CT_SOUND_LAYER_REAL) != 0;
    ct_array_push(&s->candidates, (ct_sort_item64){order_key(s, slot, loudness, is_real), layer});
}

static void choose(ct_sound_system *s) {
    uint32_t num_chosen = 0, num_streams = 0;
    for (uint32_t i = 0; i < s->candidates.count && num_chosen < s->most_real; ++i) {
        const uint32_t layer = (uint32_t)s->candidates.items[i].index;
        const bool has_stream = (s->layers.flags[layer] & CT_SOUND_LAYER_STREAMED) != 0;
        if (has_stream && num_streams == CT_SOUND_MAX_STREAMS)
            continue;
        num_streams += has_stream;
        ++num_chosen;
        s->layers.flags[layer] |= CT_SOUND_LAYER_CHOSEN;
    }
}

static void make_virtual(ct_sound_system *s, uint32_t slot, uint32_t layer) {
    (void)slot;
    const uint32_t both = CT_SOUND_LAYER_REAL | CT_SOUND_LAYER_CHOSEN;
    if ((s->layers.flags[layer] & both) == CT_SOUND_LAYER_REAL)
        ct_sound_layer_set_real(s, layer, false);
}

static void make_real(ct_sound_system *s, uint32_t slot, uint32_t layer) {
    (void)slot;
    const uint32_t both = CT_SOUND_LAYER_REAL | CT_SOUND_LAYER_CHOSEN;
    if ((s->layers.flags[layer] & both) == CT_SOUND_LAYER_CHOSEN)
        ct_sound_layer_set_real(s, layer, true);
}

void ct_sound_admit(ct_sound_system *s) {
    CT_PROFILER_SCOPE("sound_admit");
    s->candidates.count = 0;
    each_layer(s, add_candidate);
    ct_array_reserve(&s->candidates_scratch, s->candidates.count);
    ct_sort_items64(s->candidates.items, s->candidates_scratch.items, s->candidates.count);
    choose(s);
    each_layer(s, make_virtual);
    each_layer(s, make_real);
}

// Returns the real layer that comes last; 0 when none comes after `key`.
static uint32_t last_real(const ct_sound_system *s, uint64_t key) {
    uint32_t last = 0;
    for (uint32_t i = 1; i < s->layers.block.count; ++i) {
        if (!s->layers.voices[i].value || !(s->layers.flags[i] & CT_SOUND_LAYER_REAL))
            continue;
        const uint64_t other = order_key(s, s->layers.instances[i], s->layers.loudness[i], true);
        if (other > key) {
            key = other;
            last = i;
        }
    }
    return last;
}

bool ct_sound_admit_new(ct_sound_system *s, uint32_t slot, const ct_sound_media *media,
                        float loudness) {
    if (!is_audible(s, slot, loudness))
        return false;
    if (ct_sound_is_streamed(media) && s->num_real_streams == CT_SOUND_MAX_STREAMS)
        return false;
    if (s->num_real < s->most_real)
        return true;
    const uint32_t last = last_real(s, order_key(s, slot, loudness, false));
    if (last)
        ct_sound_layer_set_real(s, last, false);
    return last != 0;
}
