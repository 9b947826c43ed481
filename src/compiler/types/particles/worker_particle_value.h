// worker_particle_value.h: values of particle effects: reading them, and computing with them, so
// that a program needs few of them.
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/particles/particles_source.h"

struct ct_worker_particles;

// A value. Without curves it is from `a` to `b`, which are the same when it is not random; with
// curves from curves[0] to curves[1], which are the same when it is not random.
typedef struct ct_worker_value {
    ct_sjson_value at; // where it is in the source; {0}: a default
    uint32_t clock;    // ct_particle_clock, of curves
    uint32_t variable; // 1 + position; 0: none
    bool is_random, is_uniform;
    float a[4], b[4];
    const ct_particle_sample *curves[2]; // CURVE_SAMPLES each; NULL: it has no curves
} ct_worker_value;

// What a value may be.
typedef struct ct_worker_value_kind {
    const char *name; // for messages
    uint32_t num_components;
    bool takes_number; // a number gives all components
    bool is_color;     // sRGB in the source
    bool is_uniform;   // one random number for all components
    bool is_fixed;     // never random
    bool has_no_clock; // no curves: the emitter has no `duration`
    uint32_t clock;    // of its curves
    double least, most;
} ct_worker_value_kind;

// Returns a constant.
ct_worker_value ct_worker_value_of(float x, float y, float z, float w);

// Returns the value at `v`, or `otherwise` without `v` and after reporting an error.
ct_worker_value ct_worker_value_read(const struct ct_worker_particles *p, ct_sjson_value v,
                                     const ct_worker_value_kind *kind, ct_worker_value otherwise);

// Returns true when the value is always the same, without a variable.
bool ct_worker_value_is_constant(const ct_worker_value *v);

// Returns true for a constant whose first `count` components are `number`.
bool ct_worker_value_is(const ct_worker_value *v, uint32_t count, float number);

// Compute x * y, x + y, or x with component 0 of y as its component `at`. Return false, and leave
// `out`, when no value is that: both are random, or have variables that do not fit. `out` may be
// one of the two.
bool ct_worker_value_multiply(ct_allocator *a, const ct_worker_value *x, const ct_worker_value *y,
                              ct_worker_value *out);
bool ct_worker_value_add(ct_allocator *a, const ct_worker_value *x, const ct_worker_value *y,
                         ct_worker_value *out);
bool ct_worker_value_pack(ct_allocator *a, const ct_worker_value *x, uint32_t at,
                          const ct_worker_value *y, ct_worker_value *out);

// Returns the value with all components multiplied by a number.
ct_worker_value ct_worker_value_scale(ct_allocator *a, const ct_worker_value *v, float by);

// Set the smallest and the largest number of component 0, without the variable.
void ct_worker_value_bounds(const ct_worker_value *v, float *least, float *most);
