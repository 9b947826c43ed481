// particle_field.h: vector fields of a world: winds, whirls and pushes that particles feel.
//
// A field has a name and any number of effects that add up. Each effect has a shape in which it
// acts, fading out to its edge, and may end after a time. Evaluation is a pure function of points
// and the field's time; any number of threads may evaluate while nothing changes it. Metres and
// seconds; vectors are metres a second.
#pragma once
#include "foundation/math/math_types.h"
#include "foundation/memory/allocator.h"
#include "foundation/string/string_id.h"

typedef struct ct_particle_fields ct_particle_fields;

enum { CT_PARTICLE_FIELD_MAX_EFFECTS = 256 }; // of a field

typedef enum ct_particle_field_type {
    CT_PARTICLE_FIELD_NONE,
    CT_PARTICLE_FIELD_WIND,  // `vector`
    CT_PARTICLE_FIELD_PUSH,  // away from `center`, `speed`
    CT_PARTICLE_FIELD_WHIRL, // around `axis` through `center`, `speed`
    CT_PARTICLE_FIELD_WAVE, // `vector`, by a sine of the way along it: `frequency` (1/m), `rate` (1/s)
    CT_PARTICLE_FIELD_NOISE, // curl noise: about `speed`, `frequency` (1/m), `rate` (1/s)
    CT_PARTICLE_FIELD_TYPE_COUNT,
} ct_particle_field_type;

typedef struct ct_particle_field_effect {
    uint32_t type; // ct_particle_field_type
    ct_vec3 vector, center, axis;
    float speed, frequency, rate;
    float radius;   // around `center` in which it acts, fading from half of it on; 0: everywhere
    float duration; // seconds until it ends; 0: never
    float fade_in, fade_out; // seconds
} ct_particle_field_effect;

// Makes the fields of a world: none.
ct_particle_fields *ct_particle_fields_create(ct_allocator *a);
void ct_particle_fields_destroy(ct_particle_fields *f);

// Returns the position of the field of this name, which is made when it is new.
uint32_t ct_particle_fields_find(ct_particle_fields *f, ct_string_id32 name);

// Returns the position, or UINT32_MAX when the world has no field of this name.
uint32_t ct_particle_fields_look_up(const ct_particle_fields *f, ct_string_id32 name);

// Adds an effect and returns its id, from 1, not used again within 2^31; 0 when the field is full.
// Numbers must be finite (asserted). Copied.
uint32_t ct_particle_fields_add(ct_particle_fields *f, uint32_t field,
                                const ct_particle_field_effect *effect);

// Replaces an effect, whose time goes on. Returns false when it has ended.
bool ct_particle_fields_change(ct_particle_fields *f, uint32_t field, uint32_t id,
                               const ct_particle_field_effect *effect);

// Ends an effect. Returns false when it has ended.
bool ct_particle_fields_remove(ct_particle_fields *f, uint32_t field, uint32_t id);

// Moves time on and drops effects that have ended.
void ct_particle_fields_update(ct_particle_fields *f, double dt);

// Sets vectors[i] to the field at points[i]; arrays of x, y and z of `count` numbers, a multiple of
// 4, aligned to 16. They must not overlap. Vectors are finite where points are below 1e15.
void ct_particle_fields_evaluate(const ct_particle_fields *f, uint32_t field,
                                 const float *const points[3], float *const vectors[3],
                                 uint32_t count);
