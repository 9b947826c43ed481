#include "particles/particle_field.h"

#include <math.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/math/math_lanes.h"
#include "particles/particle_noise.h"
#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

typedef struct live_effect {
    ct_particle_field_effect effect;
    uint32_t id;
    double age; // seconds
} live_effect;

typedef struct particle_field {
    ct_string_id32 name;
    uint32_t last_id;
    CT_ARRAY(live_effect) effects; // in the order in which they were added
} particle_field;

struct ct_particle_fields {
    ct_allocator *allocator;
    CT_ARRAY(particle_field) fields;
};

ct_particle_fields *ct_particle_fields_create(ct_allocator *a) {
    ct_particle_fields *const f = ct_alloc_zero(a, sizeof(*f));
    f->allocator = a;
    ct_array_init(&f->fields, a);
    return f;
}

void ct_particle_fields_destroy(ct_particle_fields *f) {
    if (!f)
        return;
    for (uint32_t i = 0; i < f->fields.count; ++i)
        ct_array_free(&f->fields.items[i].effects);
    ct_array_free(&f->fields);
    ct_free_sized(f->allocator, f, sizeof(*f));
}

uint32_t ct_particle_fields_look_up(const ct_particle_fields *f, ct_string_id32 name) {
    for (uint32_t i = 0; i < f->fields.count; ++i)
        if (f->fields.items[i].name.value == name.value)
            return i;
    return UINT32_MAX;
}

uint32_t ct_particle_fields_find(ct_particle_fields *f, ct_string_id32 name) {
    const uint32_t found = ct_particle_fields_look_up(f, name);
    if (found != UINT32_MAX)
        return found;
    particle_field field = {.name = name};
    ct_array_init(&field.effects, f->allocator);
    ct_array_push(&f->fields, field);
    return f->fields.count - 1;
}

// --- Effects -------------------------------------------------------------------------------------

static particle_field *field_at(const ct_particle_fields *f, uint32_t field) {
    CT_ASSERT(field < f->fields.count, "field %u of %u", field, f->fields.count);
    return &f->fields.items[field];
}

static bool vec3_is_finite(ct_vec3 v) {
    return ct_floats_are_finite(v.raw, 3);
}

static void assert_valid(const ct_particle_field_effect *e) {
    const float numbers[] = {e->speed,    e->frequency, e->rate,    e->radius,
                             e->duration, e->fade_in,   e->fade_out};
    CT_ASSERT(e->type > CT_PARTICLE_FIELD_NONE && e->type < CT_PARTICLE_FIELD_TYPE_COUNT, "type %u",
              e->type);
    CT_ASSERT(vec3_is_finite(e->vector) && vec3_is_finite(e->center) && vec3_is_finite(e->axis) &&
                  ct_floats_are_finite(numbers, 7),
              "a number of an effect of a vector field is not finite");
}

// Returns the position of an effect of a field, or the number of effects.
static uint32_t effect_of(const particle_field *field, uint32_t id) {
    uint32_t i = 0;
    while (i < field->effects.count && field->effects.items[i].id != id)
        ++i;
    return i;
}

uint32_t ct_particle_fields_add(ct_particle_fields *f, uint32_t field,
                                const ct_particle_field_effect *effect) {
    assert_valid(effect);
    particle_field *const to = field_at(f, field);
    if (to->effects.count == CT_PARTICLE_FIELD_MAX_EFFECTS)
        return 0;
    do {
        to->last_id = (to->last_id & INT32_MAX) + 1;
    } while (effect_of(to, to->last_id) < to->effects.count);
    ct_array_push(&to->effects, (live_effect){.effect = *effect, .id = to->last_id});
    return to->last_id;
}

bool ct_particle_fields_change(ct_particle_fields *f, uint32_t field, uint32_t id,
                               const ct_particle_field_effect *effect) {
    assert_valid(effect);
    particle_field *const of = field_at(f, field);
    const uint32_t i = effect_of(of, id);
    if (i == of->effects.count)
        return false;
    of->effects.items[i].effect = *effect;
    return true;
}

bool ct_particle_fields_remove(ct_particle_fields *f, uint32_t field, uint32_t id) {
    particle_field *const of = field_at(f, field);
    const uint32_t i = effect_of(of, id);
    if (i == of->effects.count)
        return false;
    ct_array_erase(&of->effects, i, 1);
    return true;
}

void ct_particle_fields_update(ct_particle_fields *f, double dt) {
    for (uint32_t i = 0; i < f->fields.count; ++i) {
        particle_field *const field = &f->fields.items[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < field->effects.count; ++k) {
            live_effect e = field->effects.items[k];
            e.age += dt;
            if (e.effect.duration <= 0 || e.age < (double)e.effect.duration)
                field->effects.items[kept++] = e;
        }
        field->effects.count = kept;
    }
}

// --- Four points at a time -----------------------------------------------------------------------

// Three numbers of four points.
typedef struct lanes3 {
    ct_column x, y, z;
} lanes3;

static inline lanes3 all3(ct_vec3 v) {
    return (lanes3){ct_column_all(v.x), ct_column_all(v.y), ct_column_all(v.z)};
}

static inline lanes3 scaled(lanes3 v, ct_column by) {
    return (lanes3){v.x * by, v.y * by, v.z * by};
}

// `v` between the limits; what is not a number becomes `low`.
static inline ct_column clamped(ct_column v, float low, float high) {
    return ct_column_min(ct_column_max(v, ct_column_all(low)), ct_column_all(high));
}

static inline ct_column root(ct_column v) {
#ifdef __SSE4_1__
    return (ct_column)_mm_sqrt_ps((__m128)v);
#else
    return (ct_column){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#endif
}

static inline ct_column length_of(lanes3 v) {
    return root(v.x * v.x + v.y * v.y + v.z * v.z);
}

// `v` at the length `length`; shorter ones than a millimetre fade to 0.
static inline lanes3 at_length(lanes3 v, ct_column length) {
    return scaled(v, length / clamped(length_of(v), 0.001f, INFINITY));
}

// The sine of `turns` full turns, to 4e-6. By a polynomial: the same bits everywhere.
static inline ct_column sine_of_turns(ct_column turns) {
    const ct_column to_whole = ct_column_all(12582912); // 1.5 * 2^23: rounds what it is added to
    const ct_column quarter = ct_column_all(0.25f), half = ct_column_all(0.5f);
    ct_column t = clamped(turns - ((turns + to_whole) - to_whole), -0.5f, 0.5f);
    t = ct_column_select(t > quarter, half - t, t);
    t = ct_column_select(t < -quarter, -half - t, t);
    const ct_column x = t * ct_column_all(6.28318531f), s = x * x;
    ct_column sum = ct_column_all(-1.0f / 5040) + s * ct_column_all(1.0f / 362880);
    sum = ct_column_all(-1.0f / 6) + s * (ct_column_all(1.0f / 120) + s * sum);
    return x + x * s * sum;
}

// --- Evaluation ----------------------------------------------------------------------------------

// What of an effect is the same for all points.
typedef struct evaluation {
    uint32_t type;
    ct_vec3 center, vector, axis;
    float strength; // by its age
    float speed, frequency;
    float phase; // of a wave: turns, 0 to 1; of noise: how far it has moved, in its lattice
    float edge;  // 1 / radius; 0: no edge
} evaluation;

// The share of an effect that acts at its age.
static float strength_at(const ct_particle_field_effect *e, double age) {
    double strength = 1;
    if (e->fade_in > 0)
        strength = fmin(strength, age / (double)e->fade_in);
    if (e->fade_out > 0 && e->duration > 0)
        strength = fmin(strength, ((double)e->duration - age) / (double)e->fade_out);
    return (float)fmax(strength, 0);
}

static evaluation evaluation_of(const live_effect *live) {
    const ct_particle_field_effect *const e = &live->effect;
    const double turns = (double)e->rate * live->age;
    return (evaluation){
        .type = e->type,
        .center = e->center,
        .vector = e->vector,
        .axis = ct_vec3_normalize(e->type == CT_PARTICLE_FIELD_WAVE ? e->vector : e->axis),
        .strength = strength_at(e, live->age),
        .speed = e->speed,
        .frequency = e->frequency,
        .phase = (float)fmod(turns, e->type == CT_PARTICLE_FIELD_NOISE ? 65536 : 1),
        .edge = e->radius > 0 ? 1 / e->radius : 0,
    };
}

// 1 up to half of the radius, then down to 0 at the radius with no kink.
static inline ct_column share_within(const evaluation *e, lanes3 from_center) {
    if (e->edge == 0)
        return ct_column_all(e->strength);
    const ct_column inside = clamped(ct_column_all(2) - ct_column_all(2) * length_of(from_center) *
                                                            ct_column_all(e->edge),
                                     0, 1);
    return ct_column_all(e->strength) * inside * inside *
           (ct_column_all(3) - ct_column_all(2) * inside);
}

// Noise moves along z, so that it changes everywhere.
static inline lanes3 noise_at(const evaluation *e, lanes3 d) {
    const ct_column frequency = ct_column_all(e->frequency);
    const ct_column point[3] = {d.x * frequency, d.y * frequency,
                                d.z * frequency - ct_column_all(e->phase)};
    ct_column flow[3];
    ct_particle_curl_noise(point, flow);
    return (lanes3){flow[0], flow[1], flow[2]};
}

static inline lanes3 vectors_at(const evaluation *e, lanes3 d) {
    const lanes3 axis = all3(e->axis);
    switch (e->type) {
    case CT_PARTICLE_FIELD_PUSH:
        return at_length(d, ct_column_all(e->speed));
    case CT_PARTICLE_FIELD_WHIRL:
        return at_length((lanes3){axis.y * d.z - axis.z * d.y, axis.z * d.x - axis.x * d.z,
                                  axis.x * d.y - axis.y * d.x},
                         ct_column_all(e->speed));
    case CT_PARTICLE_FIELD_WAVE: {
        const ct_column along = axis.x * d.x + axis.y * d.y + axis.z * d.z;
        return scaled(all3(e->vector),
                      sine_of_turns(along * ct_column_all(e->frequency) - ct_column_all(e->phase)));
    }
    case CT_PARTICLE_FIELD_NOISE:
        return scaled(noise_at(e, d), ct_column_all(e->speed));
    default:
        return all3(e->vector);
    }
}

static void add_effect(const evaluation *e, const float *const points[3], float *const vectors[3],
                       uint32_t count) {
    const lanes3 center = all3(e->center);
    const ct_column *const px = (const ct_column *)(const void *)points[0];
    const ct_column *const py = (const ct_column *)(const void *)points[1];
    const ct_column *const pz = (const ct_column *)(const void *)points[2];
    ct_column *const vx = (ct_column *)(void *)vectors[0];
    ct_column *const vy = (ct_column *)(void *)vectors[1];
    ct_column *const vz = (ct_column *)(void *)vectors[2];
    for (uint32_t i = 0; i < count / 4; ++i) {
        const lanes3 d = {px[i] - center.x, py[i] - center.y, pz[i] - center.z};
        const lanes3 v = scaled(vectors_at(e, d), share_within(e, d));
        vx[i] += v.x, vy[i] += v.y, vz[i] += v.z;
    }
}

void ct_particle_fields_evaluate(const ct_particle_fields *f, uint32_t field,
                                 const float *const points[3], float *const vectors[3],
                                 uint32_t count) {
    CT_ASSERT(count % 4 == 0, "%u points: expected a multiple of 4", count);
    const particle_field *const of = field_at(f, field);
    for (uint32_t i = 0; i < 3; ++i)
        memset(vectors[i], 0, sizeof(float) * count);
    for (uint32_t i = 0; i < of->effects.count; ++i) {
        const evaluation e = evaluation_of(&of->effects.items[i]);
        if (e.strength > 0)
            add_effect(&e, points, vectors, count);
    }
}
