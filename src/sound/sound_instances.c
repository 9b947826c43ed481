#include "sound/sound_system_private.h"

#include "foundation/math/math.h"

enum { SLOT_MASK = (1 << CT_SOUND_SLOT_BITS) - 1 };

_Static_assert((int)CT_SOUND_MAX_INSTANCES < (int)SLOT_MASK, "rows fit into an instance's value");

static const ct_soa_array instance_arrays[] = {
    CT_SOA_ARRAY(ct_sound_instances, generations),
    CT_SOA_ARRAY(ct_sound_instances, flags),
    CT_SOA_ARRAY(ct_sound_instances, depths),
    CT_SOA_ARRAY(ct_sound_instances, worlds),
    CT_SOA_ARRAY(ct_sound_instances, events),
    CT_SOA_ARRAY(ct_sound_instances, resources),
    CT_SOA_ARRAY(ct_sound_instances, states),
    CT_SOA_ARRAY(ct_sound_instances, next_same),
    CT_SOA_ARRAY(ct_sound_instances, previous_same),
    CT_SOA_ARRAY(ct_sound_instances, first_layers),
    CT_SOA_ARRAY(ct_sound_instances, buses),
    CT_SOA_ARRAY(ct_sound_instances, positions),
    CT_SOA_ARRAY(ct_sound_instances, last_positions),
    CT_SOA_ARRAY(ct_sound_instances, velocities),
    CT_SOA_ARRAY(ct_sound_instances, forwards),
    CT_SOA_ARRAY(ct_sound_instances, occlusions),
    CT_SOA_ARRAY(ct_sound_instances, occlusion_targets),
    CT_SOA_ARRAY(ct_sound_instances, volumes),
    CT_SOA_ARRAY(ct_sound_instances, pitches),
    CT_SOA_ARRAY(ct_sound_instances, parameters),
    CT_SOA_ARRAY(ct_sound_instances, origins),
    CT_SOA_ARRAY(ct_sound_instances, pause_clocks),
    CT_SOA_ARRAY(ct_sound_instances, stop_clocks),
    CT_SOA_ARRAY(ct_sound_instances, next_markers),
    CT_SOA_ARRAY(ct_sound_instances, follows),
    CT_SOA_ARRAY(ct_sound_instances, picks),
    CT_SOA_ARRAY(ct_sound_instances, loudness),
    CT_SOA_ARRAY(ct_sound_instances, distances),
};

static const ct_soa_array layer_arrays[] = {
    CT_SOA_ARRAY(ct_sound_layers, nexts),  CT_SOA_ARRAY(ct_sound_layers, instances),
    CT_SOA_ARRAY(ct_sound_layers, flags),  CT_SOA_ARRAY(ct_sound_layers, voices),
    CT_SOA_ARRAY(ct_sound_layers, afters), CT_SOA_ARRAY(ct_sound_layers, nodes),
    CT_SOA_ARRAY(ct_sound_layers, media),  CT_SOA_ARRAY(ct_sound_layers, levels),
    CT_SOA_ARRAY(ct_sound_layers, sent),   CT_SOA_ARRAY(ct_sound_layers, loudness),
};

void ct_sound_instances_init(ct_sound_system *s) {
    ct_soa_block_init(&s->instances.block, s->allocator, &s->instances, instance_arrays,
                      CT_COUNT_OF(instance_arrays));
    ct_soa_block_add(&s->instances.block, 1); // none
    ct_soa_block_init(&s->layers.block, s->allocator, &s->layers, layer_arrays,
                      CT_COUNT_OF(layer_arrays));
    ct_soa_block_add(&s->layers.block, 1);
    ct_hash_map_init(&s->layers_of_voices, s->allocator);
}

void ct_sound_instances_free(ct_sound_system *s) {
    ct_soa_block_free(&s->instances.block);
    ct_soa_block_free(&s->layers.block);
    ct_hash_map_free(&s->layers_of_voices);
}

// --- Instances -----------------------------------------------------------------------------------

uint32_t ct_sound_slot_of(const ct_sound_system *s, ct_sound_instance i) {
    const uint32_t slot = i.value & SLOT_MASK;
    if (slot >= s->instances.block.count || !(s->instances.flags[slot] & CT_SOUND_INSTANCE_LIVE))
        return 0;
    return ct_sound_instance_of(s, slot).value == i.value ? slot : 0;
}

ct_sound_instance ct_sound_instance_of(const ct_sound_system *s, uint32_t slot) {
    return (ct_sound_instance){s->instances.generations[slot] << CT_SOUND_SLOT_BITS | slot};
}

// Takes the row that has been free the longest, so that generations last.
static uint32_t take_row(ct_sound_instances *t) {
    const uint32_t slot = t->free_first;
    if (!slot)
        return ct_soa_block_add(&t->block, 1);
    t->free_first = t->next_same[slot];
    if (!t->free_first)
        t->free_last = 0;
    t->next_same[slot] = 0;
    return slot;
}

uint32_t ct_sound_slot_acquire(ct_sound_system *s, ct_sound_world *w) {
    ct_sound_instances *const t = &s->instances;
    if (t->num_live == CT_SOUND_MAX_INSTANCES)
        return 0;
    const uint32_t slot = take_row(t);
    ++t->num_live;
    t->flags[slot] = CT_SOUND_INSTANCE_LIVE | CT_SOUND_INSTANCE_NEW;
    t->worlds[slot] = w;
    t->depths[slot] = 0;
    t->previous_same[slot] = 0;
    t->first_layers[slot] = 0;
    t->buses[slot] = 0;
    t->positions[slot] = t->last_positions[slot] = t->velocities[slot] = (ct_vec3){0};
    t->forwards[slot] = ct_vec3_make(0, 1, 0);
    t->occlusions[slot] = t->occlusion_targets[slot] = 0;
    t->volumes[slot] = t->pitches[slot] = 1;
    t->parameters[slot] = (ct_sound_parameter_set){0};
    t->origins[slot] = 0;
    t->pause_clocks[slot] = CT_SOUND_NO_CLOCK;
    t->next_markers[slot] = 0;
    t->follows[slot].count = 0;
    t->picks[slot].count = 0;
    t->loudness[slot] = t->distances[slot] = 0;
    ct_array_push(&w->live, slot);
    return slot;
}

void ct_sound_slot_release(ct_sound_system *s, uint32_t slot) {
    ct_sound_instances *const t = &s->instances;
    CT_ASSERT(!t->first_layers[slot], "instance %u still has layers", slot);
    ct_sound_unlist_same(s, slot);
    ct_sound_parameter_clear(&s->parameters, &t->parameters[slot]);
    t->flags[slot] = 0;
    t->worlds[slot] = NULL;
    t->resources[slot] = NULL;
    ++t->generations[slot];
    t->next_same[slot] = 0;
    if (t->free_last)
        t->next_same[t->free_last] = slot;
    else
        t->free_first = slot;
    t->free_last = slot;
    --t->num_live;
}

static ct_sound_event_state *state_at(const ct_sound_system *s, uint32_t slot) {
    return &s->instances.worlds[slot]->states.items[s->instances.states[slot]];
}

static bool is_listed(const ct_sound_system *s, uint32_t slot) {
    const ct_sound_event_state *const state = state_at(s, slot);
    return state->count && (state->first == slot || s->instances.previous_same[slot]);
}

void ct_sound_list_same(ct_sound_system *s, uint32_t slot) {
    ct_sound_event_state *const state = state_at(s, slot);
    s->instances.previous_same[slot] = state->last;
    s->instances.next_same[slot] = 0;
    if (state->last)
        s->instances.next_same[state->last] = slot;
    else
        state->first = slot;
    state->last = slot;
    ++state->count;
}

void ct_sound_unlist_same(ct_sound_system *s, uint32_t slot) {
    if (!is_listed(s, slot))
        return;
    ct_sound_instances *const t = &s->instances;
    ct_sound_event_state *const state = state_at(s, slot);
    const uint32_t next = t->next_same[slot], previous = t->previous_same[slot];
    if (next)
        t->previous_same[next] = previous;
    else
        state->last = previous;
    if (previous)
        t->next_same[previous] = next;
    else
        state->first = next;
    t->next_same[slot] = t->previous_same[slot] = 0;
    --state->count;
}

double ct_sound_instance_time(const ct_sound_system *s, uint32_t slot) {
    const bool is_paused = ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PAUSED);
    const uint64_t clock = is_paused ? s->instances.pause_clocks[slot] : ct_mixer_clock(s->mixer);
    const int64_t frames = (int64_t)clock - s->instances.origins[slot];
    return frames > 0 ? (double)frames / CT_MIXER_RATE : 0;
}

// --- Layers --------------------------------------------------------------------------------------

static uint32_t take_layer(ct_sound_layers *t) {
    const uint32_t layer = t->free_first;
    if (!layer)
        return ct_soa_block_add(&t->block, 1);
    t->free_first = t->nexts[layer];
    return layer;
}

static void append_layer(ct_sound_system *s, uint32_t slot, uint32_t layer) {
    uint32_t *link = &s->instances.first_layers[slot];
    while (*link)
        link = &s->layers.nexts[*link];
    *link = layer;
    s->layers.nexts[layer] = 0;
}

static bool has_flags(const ct_sound_system *s, uint32_t layer, uint32_t flags) {
    return (s->layers.flags[layer] & flags) == flags;
}

// Counts a layer among the real ones, or no longer.
static void count_real(ct_sound_system *s, uint32_t layer, bool is_more) {
    if (!has_flags(s, layer, CT_SOUND_LAYER_REAL))
        return;
    const uint32_t is_streamed = has_flags(s, layer, CT_SOUND_LAYER_STREAMED);
    s->num_real += is_more ? 1 : UINT32_MAX;
    s->num_real_streams += is_more ? is_streamed : -is_streamed;
}

void ct_sound_layer_set_real(ct_sound_system *s, uint32_t layer, bool is_real) {
    count_real(s, layer, false);
    s->layers.flags[layer] &= ~(uint32_t)CT_SOUND_LAYER_REAL;
    s->layers.flags[layer] |= is_real ? CT_SOUND_LAYER_REAL : 0;
    count_real(s, layer, true);
    ct_mixer_set_real(s->mixer, s->layers.voices[layer], is_real);
}

void ct_sound_layer_set_media(ct_sound_system *s, uint32_t layer, const ct_sound_media *media) {
    count_real(s, layer, false);
    s->layers.media[layer] = media;
    s->layers.flags[layer] &= ~(uint32_t)CT_SOUND_LAYER_STREAMED;
    s->layers.flags[layer] |= ct_sound_is_streamed(media) ? CT_SOUND_LAYER_STREAMED : 0;
    count_real(s, layer, true);
}

uint32_t ct_sound_layer_start(ct_sound_system *s, uint32_t slot, const ct_sound_pick *pick,
                              const ct_voice_desc *desc, float loudness) {
    const ct_voice_id voice = ct_mixer_start(s->mixer, desc);
    if (!voice.value)
        return 0;
    ct_sound_layers *const t = &s->layers;
    const uint32_t layer = take_layer(t);
    t->instances[layer] = slot;
    t->flags[layer] =
        (desc->is_real ? CT_SOUND_LAYER_REAL : 0) | (pick->repeats ? 0 : CT_SOUND_LAYER_LOOPS);
    t->voices[layer] = voice;
    t->afters[layer] = desc->after;
    t->nodes[layer] = pick->node;
    t->media[layer] = desc->media;
    t->levels[layer] = pick->levels;
    t->sent[layer] = desc->params;
    t->loudness[layer] = loudness;
    append_layer(s, slot, layer);
    count_real(s, layer, true);
    ct_hash_map_set(&s->layers_of_voices, voice.value, layer);
    return layer;
}

static void free_layer(ct_sound_system *s, uint32_t layer) {
    ct_sound_layers *const t = &s->layers;
    count_real(s, layer, false);
    ct_hash_map_erase(&s->layers_of_voices, t->voices[layer].value);
    t->voices[layer] = (ct_voice_id){0};
    t->instances[layer] = 0;
    t->nexts[layer] = t->free_first;
    t->free_first = layer;
}

void ct_sound_layer_end(ct_sound_system *s, ct_voice_id voice) {
    const uint32_t layer = (uint32_t)ct_hash_map_get(&s->layers_of_voices, voice.value, 0);
    if (!layer)
        return; // of a world that is gone
    uint32_t *link = &s->instances.first_layers[s->layers.instances[layer]];
    while (*link != layer)
        link = &s->layers.nexts[*link];
    *link = s->layers.nexts[layer];
    free_layer(s, layer);
}

void ct_sound_layers_drop(ct_sound_system *s, uint32_t slot) {
    uint32_t layer = s->instances.first_layers[slot];
    s->instances.first_layers[slot] = 0;
    while (layer) {
        const uint32_t next = s->layers.nexts[layer];
        ct_mixer_stop(s->mixer, s->layers.voices[layer], 0, 0);
        free_layer(s, layer);
        layer = next;
    }
}

bool ct_sound_layer_waits(const ct_sound_system *s, uint32_t layer) {
    const ct_voice_id after = s->layers.afters[layer];
    return after.value && ct_hash_map_find(&s->layers_of_voices, after.value);
}
