// particle_random.h: random numbers of particles: pure functions of a seed and a number.
//
// A particle's seed is a hash of its effect's seed, its emitter and its number among the emitter's
// births. Its random numbers are hashes of that seed and a number for each use, so they are the same
// in any order, on any thread, and on the GPU (core/shaders/include/particle_steps.glsl has the same
// functions). The hash is the two-round one of "Prospecting for Hash Functions" (Wellons, 2018).
#pragma once
#include "foundation/types.h"

// Numbers of uses; those of steps follow: STEP + the step's number * 8 + value * 4.
enum {
    CT_PARTICLE_RANDOM_LIFETIME,
    CT_PARTICLE_RANDOM_SPEED = 4,
    CT_PARTICLE_RANDOM_VELOCITY = 8,
    CT_PARTICLE_RANDOM_SHAPE = 12, // eight numbers
    CT_PARTICLE_RANDOM_EVENT = 32, // of rule i: two numbers at EVENT + i * 2
    CT_PARTICLE_RANDOM_STEP = 64,
};

// Mixes the bits of `x`; one to one.
static inline uint32_t ct_particle_hash(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// Returns the seed of birth `number` of emitter `emitter`.
static inline uint32_t ct_particle_seed(uint32_t effect_seed, uint32_t emitter, uint32_t number) {
    return ct_particle_hash(effect_seed + ct_particle_hash(number ^ emitter * 0x9e3779b9u));
}

// Returns random number `use` of a seed: 0 to below 1, 24 bits.
static inline float ct_particle_random(uint32_t seed, uint32_t use) {
    return (float)(ct_particle_hash(seed ^ use * 0x9e3779b9u) >> 8) * 0x1p-24f;
}

// Returns a whole number from `least` to `most`.
static inline uint32_t ct_particle_random_between(uint32_t seed, uint32_t use, uint32_t least,
                                                  uint32_t most) {
    const uint64_t hash = ct_particle_hash(seed ^ use * 0x9e3779b9u);
    return least + (uint32_t)(hash * ((uint64_t)most - least + 1) >> 32);
}
