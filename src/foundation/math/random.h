// random.h: repeatable random numbers: PCG-XSH-RR 64/32.
//
// A generator is 16 bytes of plain data: copy it to fork a sequence, save it to replay one. The
// same seed and stream give the same numbers in every build and on every machine, except for those
// functions that say otherwise. Streams are 2^63 different sequences of period 2^64: give every
// system its own. Not for secrets (ct_os_random_bytes is). One thread for each generator.
// From "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
// Number Generation" (O'Neill 2014); bounded numbers after "Fast Random Integer Generation in an
// Interval" (Lemire 2019).
#pragma once
#include "foundation/math/math_types.h"

// A zeroed generator is no valid one.
typedef struct ct_random {
    uint64_t state;
    uint64_t increment; // odd; picks the stream
} ct_random;

// The generator of stream `stream` (the top bit is dropped) from seed `seed`; any values.
ct_random ct_random_seeded(uint64_t seed, uint64_t stream);

// Moves on by `steps` 32-bit numbers at once; negative counts go back, as 2^64 - n. O(log steps).
void ct_random_advance(ct_random *r, uint64_t steps);

// 32 random bits: one step.
static inline uint32_t ct_random_u32(ct_random *r) {
    const uint64_t old = r->state;
    r->state = old * UINT64_C(6364136223846793005) + r->increment;
    const uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    const uint32_t turn = (uint32_t)(old >> 59);
    return shifted >> turn | shifted << (-turn & 31);
}

// 64 random bits: two steps, the first gives the high half.
static inline uint64_t ct_random_u64(ct_random *r) {
    const uint64_t high = ct_random_u32(r);
    return high << 32 | ct_random_u32(r);
}

// A number from 0 to bound - 1, all equally likely. `bound` > 0. One step, rarely more.
uint32_t ct_random_below(ct_random *r, uint32_t bound);

// As ct_random_below for 64 bits. Two steps, rarely more.
uint64_t ct_random_below_u64(ct_random *r, uint64_t bound);

// A number from `least` to `most`, both included, all equally likely. least <= most.
int64_t ct_random_range(ct_random *r, int64_t least, int64_t most);

// A multiple of 2^-24 from 0 to less than 1. One step.
static inline float ct_random_float(ct_random *r) {
    return (float)(ct_random_u32(r) >> 8) * 0x1p-24f;
}

// A multiple of 2^-53 from 0 to less than 1. Two steps.
static inline double ct_random_double(ct_random *r) {
    return (double)(ct_random_u64(r) >> 11) * 0x1p-53;
}

// A number from `least` to `most`; rounding may give `most` itself. Both finite, least <= most, and
// most - least finite.
float ct_random_float_range(ct_random *r, float least, float most);

// A number of the normal distribution with mean 0 and standard deviation 1, at most 13 from the
// mean (Marsaglia's polar method, which uses sqrt and log: the last bit may differ where the C
// library does).
double ct_random_gaussian(ct_random *r);

// A direction of length 1, all equally likely (Marsaglia 1972).
ct_vec3 ct_random_unit_vec3(ct_random *r);

// A rotation, all equally likely (Marsaglia 1972).
ct_quat ct_random_quat(ct_random *r);

// Puts `count` values into random order, all orders equally likely (Fisher and Yates).
void ct_random_shuffle(ct_random *r, uint32_t *values, uint32_t count);

// Fills `values` with 0 to count - 1 in random order.
void ct_random_permutation(ct_random *r, uint32_t *values, uint32_t count);
