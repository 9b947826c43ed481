// bitset.h: a growing set of bits in 64-bit words, and the same operations over a caller's words.
//
// Bit i is bit i % 64 of word i / 64. Bits at and past `num_bits` of the last word are 0. A zeroed
// set with its allocator is a valid empty one. Functions on ct_bitset grow it where they set a bit;
// bits past its end read as 0. One thread.
#pragma once
#include "foundation/memory/allocator.h"

// A set that grows.
typedef struct ct_bitset {
    uint64_t *words;
    uint32_t num_bits;
    uint32_t capacity; // words allocated
    ct_allocator *allocator;
} ct_bitset;

// --- Words of the caller -------------------------------------------------------------------------

// Returns the number of words that hold `num_bits`.
static inline uint32_t ct_bits_num_words(uint32_t num_bits) {
    return num_bits / 64 + (num_bits % 64 != 0);
}
// Read, set and clear one bit; the array must hold it.
static inline bool ct_bits_test(const uint64_t *words, uint32_t bit) {
    return words[bit / 64] >> (bit % 64) & 1;
}
static inline void ct_bits_set(uint64_t *words, uint32_t bit) {
    words[bit / 64] |= UINT64_C(1) << (bit % 64);
}
static inline void ct_bits_clear(uint64_t *words, uint32_t bit) {
    words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

// Sets or clears the bits from `begin` to before `end`; begin <= end.
void ct_bits_set_range(uint64_t *words, uint32_t begin, uint32_t end);
void ct_bits_clear_range(uint64_t *words, uint32_t begin, uint32_t end);

// The number of bits that are set from `begin` to before `end`; begin <= end.
uint32_t ct_bits_count(const uint64_t *words, uint32_t begin, uint32_t end);

// The first set (or clear) bit from `begin` to before `end`, or `end` when there is none. To walk
// all: for (i = next(words, 0, n); i < n; i = next(words, i + 1, n)).
uint32_t ct_bits_next_set(const uint64_t *words, uint32_t begin, uint32_t end);
uint32_t ct_bits_next_clear(const uint64_t *words, uint32_t begin, uint32_t end);

// to = to & from, to | from, to & ~from, to ^ from, over `num_words` words. They may be the same.
void ct_bits_and(uint64_t *to, const uint64_t *from, uint32_t num_words);
void ct_bits_or(uint64_t *to, const uint64_t *from, uint32_t num_words);
void ct_bits_and_not(uint64_t *to, const uint64_t *from, uint32_t num_words);
void ct_bits_xor(uint64_t *to, const uint64_t *from, uint32_t num_words);

// --- A set that grows ----------------------------------------------------------------------------

// Makes an empty set; nothing is allocated before the first bit.
void ct_bitset_init(ct_bitset *set, ct_allocator *a);

// Frees the memory; the set is empty and usable afterwards.
void ct_bitset_free(ct_bitset *set);

// Makes the set `num_bits` long; new bits are 0, bits past the new end are forgotten.
void ct_bitset_resize(ct_bitset *set, uint32_t num_bits);

// Clears all bits; keeps length and memory.
void ct_bitset_clear_all(ct_bitset *set);

// Sets `bit` (below 2^32 - 1), lengthening the set to hold it.
void ct_bitset_set(ct_bitset *set, uint32_t bit);

// Clears `bit`; one past the end is 0 already, and the set stays as long as it is.
static inline void ct_bitset_clear(ct_bitset *set, uint32_t bit) {
    if (bit < set->num_bits)
        ct_bits_clear(set->words, bit);
}
// Returns bit `bit`; false past the end.
static inline bool ct_bitset_test(const ct_bitset *set, uint32_t bit) {
    return bit < set->num_bits && ct_bits_test(set->words, bit);
}

// The number of set bits.
static inline uint32_t ct_bitset_count(const ct_bitset *set) {
    return ct_bits_count(set->words, 0, set->num_bits);
}

// The first set bit from `begin` on, or num_bits when there is none.
static inline uint32_t ct_bitset_next(const ct_bitset *set, uint32_t begin) {
    return begin < set->num_bits ? ct_bits_next_set(set->words, begin, set->num_bits)
                                 : set->num_bits;
}

// set = set & other, set | other, set & ~other. `or` lengthens the set to the other's length.
void ct_bitset_and(ct_bitset *set, const ct_bitset *other);
void ct_bitset_or(ct_bitset *set, const ct_bitset *other);
void ct_bitset_and_not(ct_bitset *set, const ct_bitset *other);
