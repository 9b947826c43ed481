#include "sound/event/sound_spatial.h"

#include <math.h>

#include "foundation/math/math.h"
#include "sound/event/sound_curves.h"

static const float degrees = 57.2957795f; // of a radian

static inline float clamp(float x, float least, float most) {
    const float above = x > least ? x : least;
    return above < most ? above : most;
}

// Where a distance is between the least (0) and the most (1).
static float distance_share(const ct_sound_spatial *s, float distance) {
    return clamp((distance - s->least_distance) / (s->most_distance - s->least_distance), 0, 1);
}

float ct_sound_attenuation_at(const ct_sound_spatial *s, float distance) {
    const float held = clamp(distance, s->least_distance, s->most_distance);
    switch ((ct_sound_attenuation)s->attenuation) {
    case CT_SOUND_ATTENUATION_INVERSE:
        return s->least_distance / (s->least_distance + s->rolloff * (held - s->least_distance));
    case CT_SOUND_ATTENUATION_LINEAR:
        return 1 - distance_share(s, distance);
    case CT_SOUND_ATTENUATION_CURVE:
    case CT_SOUND_ATTENUATION_COUNT:
        break;
    }
    return 1;
}

// The dB of the cone at an angle (degrees) from the forward axis.
static float cone_volume(const ct_sound_spatial *s, float angle) {
    const float inner = 0.5f * s->cone_inner, outer = 0.5f * s->cone_outer;
    if (angle <= inner)
        return 0;
    return angle >= outer ? s->cone_volume : s->cone_volume * (angle - inner) / (outer - inner);
}

// The low-pass frequency behind something: on a logarithmic scale, as it is heard.
static float occluded_low_pass(const ct_sound_spatial *s, float occlusion) {
    if (!(occlusion > 0) || !(s->occlusion_low_pass > 0))
        return CT_SOUND_OPEN_HZ;
    return CT_SOUND_OPEN_HZ * powf(s->occlusion_low_pass / CT_SOUND_OPEN_HZ, occlusion);
}

// The factor of the pitch; `away` is the direction from the listener to the source.
static float doppler(const ct_sound_spatial *s, const ct_sound_listener *listener,
                     const ct_sound_emitter *source, ct_vec3 away) {
    if (s->doppler == 0)
        return 1;
    const float above = CT_SPEED_OF_SOUND + s->doppler * ct_vec3_dot(listener->velocity, away);
    const float below = CT_SPEED_OF_SOUND + s->doppler * ct_vec3_dot(source->velocity, away);
    if (!(below > 0)) // it comes as fast as its sound
        return 4;
    return clamp(above / below, 0.25f, 4);
}

// Gains of equal power.
static void pan_gains(float pan, float gain, float gains[2]) {
    const float quarter = 0.785398163f;
    const float angle = (1 + clamp(pan, -1, 1)) * quarter;
    gains[0] = gain * cosf(angle);
    gains[1] = gain * sinf(angle);
}

static const ct_sound_heard everywhere = {
    .gains = {1, 1}, .pitch = 1, .low_pass = CT_SOUND_OPEN_HZ};

ct_sound_heard ct_sound_hear(const ct_sound_spatial *s, const ct_sound_listener *listener,
                             const ct_sound_emitter *source) {
    const ct_vec3 between = ct_vec3_sub(source->position, listener->position);
    ct_sound_heard heard = everywhere;
    heard.distance = ct_vec3_length(between);
    float pan = 0;
    if (heard.distance > 0) {
        const ct_vec3 away = ct_vec3_scale(between, 1 / heard.distance);
        const ct_vec3 right = ct_quat_rotate(listener->rotation, ct_vec3_make(1, 0, 0));
        pan = ct_vec3_dot(away, right);
        heard.angle = acosf(clamp(-ct_vec3_dot(source->forward, away), -1, 1)) * degrees;
        if (s->is_spatial)
            heard.pitch = doppler(s, listener, source, away);
    }
    if (!s->is_spatial)
        return heard;
    const float share = distance_share(s, heard.distance);
    const float spread = s->spread_near + (s->spread_far - s->spread_near) * share;
    const float occlusion = clamp(source->occlusion, 0, 1);
    const float volume = cone_volume(s, heard.angle) + s->occlusion_volume * occlusion;
    const float gain = ct_sound_attenuation_at(s, heard.distance) * ct_sound_gain_of_db(volume);
    pan_gains(pan * (1 - spread), gain, heard.gains);
    heard.low_pass = occluded_low_pass(s, occlusion);
    return heard;
}

static float power(const ct_sound_heard *heard) {
    return heard->gains[0] * heard->gains[0] + heard->gains[1] * heard->gains[1];
}

ct_sound_heard ct_sound_hear_loudest(const ct_sound_spatial *s, const ct_sound_listener *listeners,
                                     uint32_t count, const ct_sound_emitter *source) {
    ct_sound_heard loudest = everywhere;
    if (count == 0) {
        if (s->is_spatial)
            pan_gains(0, 1, loudest.gains);
        return loudest;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const ct_sound_heard heard = ct_sound_hear(s, &listeners[i], source);
        const float more = power(&heard) - power(&loudest);
        if (i == 0 || more > 0 || (more == 0 && heard.distance < loudest.distance))
            loudest = heard;
    }
    return loudest;
}
