#include "foundation/container/bitset.h"

#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"

// --- Words of the caller -------------------------------------------------------------------------

// The bits of word `word` that lie from `begin` to before `end`; begin < end, and the word holds
// some of them.
static uint64_t mask_of(uint32_t word, uint32_t begin, uint32_t end) {
    uint64_t mask = UINT64_MAX;
    if (word == begin / 64)
        mask <<= begin % 64;
    if (word == (end - 1) / 64)
        mask &= UINT64_MAX >> (63 - (end - 1) % 64);
    return mask;
}

void ct_bits_set_range(uint64_t *words, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin / 64; begin < end && i <= (end - 1) / 64; ++i)
        words[i] |= mask_of(i, begin, end);
}

void ct_bits_clear_range(uint64_t *words, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin / 64; begin < end && i <= (end - 1) / 64; ++i)
        words[i] &= ~mask_of(i, begin, end);
}

uint32_t ct_bits_count(const uint64_t *words, uint32_t begin, uint32_t end) {
    uint32_t count = 0;
    for (uint32_t i = begin / 64; begin < end && i <= (end - 1) / 64; ++i)
        count += (uint32_t)__builtin_popcountll(words[i] & mask_of(i, begin, end));
    return count;
}

// The first bit from `begin` to before `end` that differs from all bits of `background` (0 or all
// ones).
static uint32_t next_differing(const uint64_t *words, uint32_t begin, uint32_t end,
                               uint64_t background) {
    for (uint32_t i = begin / 64; begin < end && i <= (end - 1) / 64; ++i) {
        const uint64_t found = (words[i] ^ background) & mask_of(i, begin, end);
        if (found)
            return i * 64 + (uint32_t)__builtin_ctzll(found);
    }
    return end;
}

uint32_t ct_bits_next_set(const uint64_t *words, uint32_t begin, uint32_t end) {
    return next_differing(words, begin, end, 0);
}

uint32_t ct_bits_next_clear(const uint64_t *words, uint32_t begin, uint32_t end) {
    return next_differing(words, begin, end, UINT64_MAX);
}

void ct_bits_and(uint64_t *to, const uint64_t *from, uint32_t num_words) {
    for (uint32_t i = 0; i < num_words; ++i)
        to[i] &= from[i];
}

void ct_bits_or(uint64_t *to, const uint64_t *from, uint32_t num_words) {
    for (uint32_t i = 0; i < num_words; ++i)
        to[i] |= from[i];
}

void ct_bits_and_not(uint64_t *to, const uint64_t *from, uint32_t num_words) {
    for (uint32_t i = 0; i < num_words; ++i)
        to[i] &= ~from[i];
}

void ct_bits_xor(uint64_t *to, const uint64_t *from, uint32_t num_words) {
    for (uint32_t i = 0; i < num_words; ++i)
        to[i] ^= from[i];
}

// --- A set that grows ----------------------------------------------------------------------------

void ct_bitset_init(ct_bitset *set, ct_allocator *a) {
    *set = (ct_bitset){.allocator = a};
}

void ct_bitset_free(ct_bitset *set) {
    ct_free_sized(set->allocator, set->words, sizeof(uint64_t) * (uint64_t)set->capacity);
    ct_bitset_init(set, set->allocator);
}

void ct_bitset_resize(ct_bitset *set, uint32_t num_bits) {
    const uint32_t old_words = ct_bits_num_words(set->num_bits);
    const uint32_t new_words = ct_bits_num_words(num_bits);
    set->words =
        ct_array_grown(set->allocator, set->words, sizeof(uint64_t), &set->capacity, new_words);
    if (new_words > old_words)
        memset(set->words + old_words, 0, sizeof(uint64_t) * (uint64_t)(new_words - old_words));
    else if (num_bits % 64 != 0)
        set->words[new_words - 1] &= UINT64_MAX >> (64 - num_bits % 64);
    set->num_bits = num_bits;
}

void ct_bitset_clear_all(ct_bitset *set) {
    ct_bits_clear_range(set->words, 0, set->num_bits);
}

void ct_bitset_set(ct_bitset *set, uint32_t bit) {
    CT_REQUIRE(bit < UINT32_MAX, "bit %u is too large for a bitset", bit);
    if (bit >= set->num_bits)
        ct_bitset_resize(set, bit + 1);
    ct_bits_set(set->words, bit);
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void ct_bitset_and(ct_bitset *set, const ct_bitset *other) {
    const uint32_t num_words = ct_bits_num_words(smaller(set->num_bits, other->num_bits));
    ct_bits_and(set->words, other->words, num_words);
    if (set->num_bits > other->num_bits)
        ct_bits_clear_range(set->words, other->num_bits, set->num_bits);
}

void ct_bitset_or(ct_bitset *set, const ct_bitset *other) {
    if (set->num_bits < other->num_bits)
        ct_bitset_resize(set, other->num_bits);
    ct_bits_or(set->words, other->words, ct_bits_num_words(other->num_bits));
}

void ct_bitset_and_not(ct_bitset *set, const ct_bitset *other) {
    const uint32_t shared = ct_bits_num_words(smaller(set->num_bits, other->num_bits));
    ct_bits_and_not(set->words, other->words, shared);
}
