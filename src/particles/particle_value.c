#include <math.h>

#include "foundation/math/math_lanes.h"
#include "particles/particle_private.h"

static const ct_particle_value *value_at(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                         uint32_t value) {
    return (const ct_particle_value *)ct_blob_at(fx->resource, e->values.offset) + value;
}

ct_vec4 ct_particle_curve(const ct_particle_effect *fx, const ct_particle_emitter *e,
                          uint32_t first_sample, float at) {
    const ct_particle_sample *const samples =
        (const ct_particle_sample *)ct_blob_at(fx->resource, e->samples.offset) + first_sample;
    const float last = CT_PARTICLES_CURVE_SAMPLES - 1;
    const float place = at > 0.0f ? (at < 1.0f ? at * last : last) : 0.0f;
    const uint32_t i = place < last ? (uint32_t)place : CT_PARTICLES_CURVE_SAMPLES - 2;
    const float share = place - (float)i;
    ct_vec4 v;
    for (uint32_t c = 0; c < 4; ++c)
        v.raw[c] = samples[i].value[c] + (samples[i + 1].value[c] - samples[i].value[c]) * share;
    return v;
}

static ct_vec4 with_variable(const ct_particle_effect *fx, const ct_particle_value *v, ct_vec4 x) {
    if (v->variable && v->variable <= fx->num_variables)
        for (uint32_t c = 0; c < 4; ++c)
            x.raw[c] *= fx->variables[v->variable - 1].raw[c];
    return x;
}

static ct_vec4 four(const float numbers[4]) {
    return (ct_vec4){{numbers[0], numbers[1], numbers[2], numbers[3]}};
}

ct_vec4 ct_particle_changing_value(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                   uint32_t value, float clock) {
    const ct_particle_value *const v = value_at(fx, e, value);
    const bool is_curve = v->source == CT_PARTICLE_SOURCE_CURVE;
    return with_variable(fx, v,
                         is_curve ? ct_particle_curve(fx, e, v->curves[0], clock) : four(v->a));
}

ct_vec4 ct_particle_birth_value(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                uint32_t value, float clock, uint32_t seed, uint32_t use) {
    const ct_particle_value *const v = value_at(fx, e, value);
    const bool is_curve =
        v->source == CT_PARTICLE_SOURCE_CURVE || v->source == CT_PARTICLE_SOURCE_CURVE_RANGE;
    ct_vec4 x = is_curve ? ct_particle_curve(fx, e, v->curves[0], clock) : four(v->a);
    if (v->source == CT_PARTICLE_SOURCE_RANGE || v->source == CT_PARTICLE_SOURCE_CURVE_RANGE) {
        const ct_vec4 most = v->source == CT_PARTICLE_SOURCE_RANGE
                                 ? four(v->b)
                                 : ct_particle_curve(fx, e, v->curves[1], clock);
        const bool is_uniform = v->flags & CT_PARTICLE_VALUE_UNIFORM;
        for (uint32_t c = 0; c < 4; ++c) {
            const float share = ct_particle_random(seed, use + (is_uniform ? 0 : c));
            x.raw[c] += (most.raw[c] - x.raw[c]) * share;
        }
    }
    return with_variable(fx, v, x);
}

double ct_particle_longest_life(const ct_particle_effect *fx, const ct_particle_emitter *e) {
    const ct_particle_value *const v = value_at(fx, e, e->lifetime);
    double life = (double)e->max_lifetime;
    if (v->variable && v->variable <= fx->num_variables)
        life *= (double)fabsf(fx->variables[v->variable - 1].x);
    return fmin(fmax(life, (double)CT_PARTICLES_LEAST_SECONDS),
                (double)CT_PARTICLES_MAX_SECONDS * 1000.0);
}
