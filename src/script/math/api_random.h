// api_random.h: the random numbers of Lua, which Math and other modules share.
#pragma once
#include "script/script_private.h"

// Advances a state and returns 64 random bits. SplitMix64 (Steele, Lea and Flood 2014): the state
// is a counter. That of Math.random is ct_lua_of(L)->random_state.
static inline uint64_t ct_random_next_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Returns the seed after the integer at `argument`, as the functions next_random… return it: below
// 2^32, so that it goes through Lua's numbers unharmed.
static inline uint64_t ct_check_next_seed(lua_State *L, int argument) {
    uint64_t state = (uint64_t)ct_check_integer(L, argument, -(1ll << 53), 1ll << 53);
    return ct_random_next_bits(&state) >> 32;
}
