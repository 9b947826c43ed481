#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_system_private.h"

// Of both sides, so that a mono sound has the power that it has between two speakers.
#define HALF_POWER 0.70710678f
#define STEREO_POWER 1.41421356f
#define MOST_GAIN 16.0f // 24 dB

static float nearest_distance(const ct_sound_world *w, ct_vec3 position) {
    float nearest = w->num_listeners ? INFINITY : 0;
    for (uint32_t i = 0; i < w->num_listeners; ++i) {
        const ct_vec3 to = ct_vec3_sub(w->listeners[i].position, position);
        nearest = fminf(nearest, ct_vec3_length(to));
    }
    return nearest;
}

static void hear_place(ct_sound_system *s, uint32_t slot, ct_sound_hearing *hearing) {
    const ct_sound_instances *const t = &s->instances;
    const ct_sound_world *const w = t->worlds[slot];
    const ct_sound_spatial *const spatial = &t->resources[slot]->spatial;
    s->instances.distances[slot] = nearest_distance(w, t->positions[slot]);
    hearing->scope.built_in[CT_SOUND_BUILT_IN_DISTANCE] = t->distances[slot];
    if (!spatial->is_spatial)
        return;
    const ct_sound_emitter emitter = {t->positions[slot], t->forwards[slot], t->velocities[slot],
                                      t->occlusions[slot]};
    hearing->heard = ct_sound_hear_loudest(spatial, w->listeners, w->num_listeners, &emitter);
    hearing->scope.built_in[CT_SOUND_BUILT_IN_ANGLE] = hearing->heard.angle;
    hearing->is_heard = true;
}

void ct_sound_hear_instance(ct_sound_system *s, uint32_t slot, ct_sound_hearing *hearing) {
    const ct_sound_instances *const t = &s->instances;
    *hearing = (ct_sound_hearing){.scope = {.parameters = &s->parameters,
                                            .instance = t->parameters[slot],
                                            .global = s->globals}};
    float *const built_in = hearing->scope.built_in;
    built_in[CT_SOUND_BUILT_IN_SPEED] = ct_vec3_length(t->velocities[slot]);
    built_in[CT_SOUND_BUILT_IN_OCCLUSION] = t->occlusions[slot];
    built_in[CT_SOUND_BUILT_IN_TIME] = (float)ct_sound_instance_time(s, slot);
    if (t->flags[slot] & CT_SOUND_INSTANCE_PLACED)
        hear_place(s, slot, hearing);
}

static float bounded(float value, float least, float most) {
    return isfinite(value) ? fminf(fmaxf(value, least), most) : least;
}

ct_voice_params ct_sound_layer_params(const ct_sound_system *s, uint32_t slot,
                                      const ct_sound_hearing *hearing,
                                      const ct_sound_levels *levels, uint32_t node,
                                      const ct_sound_media *media) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    ct_sound_levels sum = *levels;
    if (node != CT_SOUND_NO_NODE)
        ct_sound_levels_add_curves(&sum, e, ct_sound_node_at(e, node), &hearing->scope);
    const bool is_stereo = media && media->num_channels > 1;
    const float gain = ct_sound_gain_of_db(sum.volume) * sum.gain * s->instances.volumes[slot];
    float sides[2] = {is_stereo ? 1 : HALF_POWER, is_stereo ? 1 : HALF_POWER};
    float pitch = ct_sound_pitch_of_semitones(sum.pitch) * s->instances.pitches[slot];
    float low_pass = sum.low_pass;
    if (hearing->is_heard) {
        for (uint32_t i = 0; i < 2; ++i)
            sides[i] = hearing->heard.gains[i] * (is_stereo ? STEREO_POWER : 1);
        pitch *= hearing->heard.pitch;
        low_pass = fminf(low_pass, hearing->heard.low_pass);
    }
    const float place_send = s->instances.worlds[slot]->place_send;
    return (ct_voice_params){
        .gains = {bounded(gain * sides[0], 0, MOST_GAIN), bounded(gain * sides[1], 0, MOST_GAIN)},
        .send = bounded(ct_sound_gain_of_db(sum.send) * place_send, 0, MOST_GAIN),
        .pitch = bounded(pitch, CT_MIXER_MIN_STEP, CT_MIXER_MAX_STEP),
        .low_pass = bounded(low_pass, 10, CT_SOUND_OPEN_HZ)};
}

float ct_sound_loudness_of(const ct_sound_system *s, uint32_t slot, const ct_voice_params *params,
                           const ct_sound_media *media) {
    return fmaxf(params->gains[0], params->gains[1]) * (media ? media->gain : 1) *
           s->buses.gains[s->instances.buses[slot]];
}

static bool are_equal(const ct_voice_params *a, const ct_voice_params *b) {
    return a->gains[0] == b->gains[0] && a->gains[1] == b->gains[1] && a->send == b->send &&
           a->pitch == b->pitch && a->low_pass == b->low_pass;
}

void ct_sound_update_instance(ct_sound_system *s, uint32_t slot) {
    if (!s->instances.resources[slot])
        return; // as it was until it has faded
    ct_sound_hearing hearing;
    ct_sound_hear_instance(s, slot, &hearing);
    ct_sound_follow_switches(s, slot, &hearing);
    ct_sound_layers *const t = &s->layers;
    float loudest = 0;
    for (uint32_t i = s->instances.first_layers[slot]; i; i = t->nexts[i]) {
        const ct_voice_params params =
            ct_sound_layer_params(s, slot, &hearing, &t->levels[i], t->nodes[i], t->media[i]);
        t->loudness[i] = ct_sound_loudness_of(s, slot, &params, t->media[i]);
        loudest = fmaxf(loudest, t->loudness[i]);
        if (are_equal(&params, &t->sent[i]))
            continue;
        ct_mixer_set_params(s->mixer, t->voices[i], &params);
        t->sent[i] = params;
    }
    s->instances.loudness[slot] = loudest;
}
