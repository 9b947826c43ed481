#include "input/rumble.h"

#include <math.h>
#include <string.h>

static const char *const motors[CT_RUMBLE_NUM_MOTORS] = {"left", "right"};

const char *ct_rumble_motor_name(uint32_t motor) {
    return motor < CT_RUMBLE_NUM_MOTORS ? motors[motor] : NULL;
}

int32_t ct_rumble_motor_id(const char *name) {
    for (int32_t i = 0; i < CT_RUMBLE_NUM_MOTORS; ++i) {
        if (strcmp(motors[i], name) == 0)
            return i;
    }
    return -1;
}

static float duration_of(const ct_rumble_effect *e) {
    return e->attack + e->decay + e->sustain + e->release;
}

static float envelope(const ct_rumble_effect *e, float age) {
    if (age < e->attack)
        return e->attack_level * age / e->attack;
    age -= e->attack;
    if (age < e->decay)
        return e->attack_level + (e->sustain_level - e->attack_level) * age / e->decay;
    age -= e->decay;
    if (age < e->sustain)
        return e->sustain_level;
    age -= e->sustain;
    return age < e->release ? e->sustain_level * (1.0f - age / e->release) : 0.0f;
}

float ct_rumble_effect_level(const ct_rumble_effect *e, float age_seconds) {
    if (age_seconds < 0.0f)
        return 0.0f;
    const float level = envelope(e, age_seconds);
    if (e->frequency <= 0.0f)
        return level;
    const float phase = age_seconds * e->frequency;
    const float swing = 0.5f - 0.5f * cosf((phase - floorf(phase)) * 6.2831853f);
    return level * (e->offset + (1.0f - e->offset) * swing);
}

uint32_t ct_rumble_play(ct_rumble *r, uint32_t motor, const ct_rumble_effect *effect) {
    ct_rumble_playing *place = &r->effects[motor][0];
    for (uint32_t i = 0; i < CT_RUMBLE_MAX_EFFECTS; ++i) {
        ct_rumble_playing *const p = &r->effects[motor][i];
        if (p->id == 0) {
            place = p;
            break;
        }
        if (p->id < place->id)
            place = p;
    }
    r->last_id = r->last_id == INT32_MAX ? 1 : r->last_id + 1;
    *place = (ct_rumble_playing){.effect = *effect, .id = r->last_id};
    return r->last_id;
}

bool ct_rumble_is_playing(const ct_rumble *r, uint32_t motor, uint32_t id) {
    for (uint32_t i = 0; i < CT_RUMBLE_MAX_EFFECTS; ++i) {
        if (id != 0 && r->effects[motor][i].id == id)
            return true;
    }
    return false;
}

void ct_rumble_stop(ct_rumble *r, uint32_t motor, uint32_t id) {
    for (uint32_t i = 0; i < CT_RUMBLE_MAX_EFFECTS; ++i) {
        if (r->effects[motor][i].id == id)
            r->effects[motor][i].id = 0;
    }
}

void ct_rumble_stop_all(ct_rumble *r, uint32_t motor) {
    for (uint32_t i = 0; i < CT_RUMBLE_MAX_EFFECTS; ++i)
        r->effects[motor][i].id = 0;
}

void ct_rumble_advance(ct_rumble *r, float seconds) {
    for (uint32_t motor = 0; motor < CT_RUMBLE_NUM_MOTORS; ++motor) {
        for (uint32_t i = 0; i < CT_RUMBLE_MAX_EFFECTS; ++i) {
            ct_rumble_playing *const p = &r->effects[motor][i];
            p->age_seconds += seconds;
            if (p->age_seconds >= duration_of(&p->effect))
                p->id = 0;
        }
    }
}

float ct_rumble_level(const ct_rumble *r, uint32_t motor) {
    if (r->is_off)
        return 0.0f;
    float level = r->levels[motor];
    for (uint32_t i = 0; i < CT_RUMBLE_MAX_EFFECTS; ++i) {
        const ct_rumble_playing *const p = &r->effects[motor][i];
        if (p->id != 0)
            level += ct_rumble_effect_level(&p->effect, p->age_seconds);
    }
    return fminf(level, 1.0f);
}
