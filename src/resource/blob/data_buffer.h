// data_buffer.h: values by hashed keys in one relocatable buffer of at most 64 KiB.
//
//     | counts | keys | types | values |  ... free ...  | strings and arrays |
//
// Keys are sorted hashes of 32 bits; types are a byte each, values 32 bits each: a bool, a float, or
// for strings and arrays of floats where they lie in the buffer and how many bytes they have, both
// in 16 bits. The head grows up, strings and arrays down, so both share the free room. One that no
// longer fits its place gets a new one and leaves a hole; holes are closed when the buffer is
// rebuilt. There are no pointers inside: a buffer is copied, saved, and compiled to, as it is.
// From "Allocation Adventures 1: The DataComponent" (Bitsquid blog, 2015-06-12).
#pragma once
#include "foundation/string/string_id.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CT_DATA_MAX_BYTES = 1 << 16 }; // of a buffer: what 16 bits address

// --- Keys ----------------------------------------------------------------------------------------

// What a list of sub-keys, {"stats", "health"}, hashes to.
typedef struct ct_data_key {
    uint32_t hash;
} ct_data_key;

// The key of a single sub-key: its 32-bit id.
static inline ct_data_key ct_data_key_of_id(ct_string_id32 sub_key) {
    return (ct_data_key){sub_key.value};
}

// The key of a list with one more sub-key: MurmurHash2, seeded with the hash so far, of the four
// bytes (little-endian) of the sub-key's 32-bit id. So {"a", "b"} is neither {"b", "a"} nor "a.b".
ct_data_key ct_data_key_join(ct_data_key outer, ct_string_id32 sub_key);

// The key of `count` sub-keys, at least one.
ct_data_key ct_data_key_of(const char *const *sub_keys, uint32_t count);

// --- Values --------------------------------------------------------------------------------------

// What a value is.
typedef enum ct_data_type {
    CT_DATA_TYPE_NONE,
    CT_DATA_TYPE_BOOL,
    CT_DATA_TYPE_FLOAT,
    CT_DATA_TYPE_STRING,
    CT_DATA_TYPE_FLOATS,
} ct_data_type;

// What is set and got. Strings and arrays are borrowed; those that come out of a buffer are valid
// until it changes. {0} is none: there is no value, or it is to be removed.
typedef struct ct_data_value {
    ct_data_type type;
    uint32_t count; // STRING: bytes without the zero at the end; FLOATS: numbers
    union {
        bool boolean;
        float number;
        const char *text; // zero-terminated when it comes out of a buffer
        const float *numbers;
    };
} ct_data_value;

// Make values. Text and numbers are borrowed.
static inline ct_data_value ct_data_bool(bool value) {
    return (ct_data_value){.type = CT_DATA_TYPE_BOOL, .boolean = value};
}
static inline ct_data_value ct_data_float(float value) {
    return (ct_data_value){.type = CT_DATA_TYPE_FLOAT, .number = value};
}
static inline ct_data_value ct_data_string(const char *text, uint32_t bytes) {
    return (ct_data_value){.type = CT_DATA_TYPE_STRING, .count = bytes, .text = text};
}
static inline ct_data_value ct_data_floats(const float *values, uint32_t count) {
    return (ct_data_value){.type = CT_DATA_TYPE_FLOATS, .count = count, .numbers = values};
}

// --- Buffers -------------------------------------------------------------------------------------

// A word is 4 bytes. Strings and arrays begin on words.
typedef struct ct_data_buffer {
    uint16_t num_keys;
    uint16_t num_words;   // of the whole
    uint16_t values_word; // where the lowest string or array begins
    uint16_t hole_words;  // between there and the end
    uint32_t words[];     // keys[num_keys]; types[num_keys], up to a whole word; values[num_keys]
} ct_data_buffer;

enum { CT_DATA_HEAD_WORDS = sizeof(ct_data_buffer) / sizeof(uint32_t) };

// A buffer without room for anything.
extern const ct_data_buffer ct_data_buffer_empty;

// Returns the size of the buffer with all that is in it.
static inline uint32_t ct_data_buffer_bytes(const ct_data_buffer *b) {
    return b->num_words * (uint32_t)sizeof(uint32_t);
}

// Of each place, 0 to num_keys - 1: its ct_data_type, and its 32 bits.
static inline const uint8_t *ct_data_buffer_types(const ct_data_buffer *b) {
    return (const uint8_t *)(b->words + b->num_keys);
}
static inline const uint32_t *ct_data_buffer_values(const ct_data_buffer *b) {
    return b->words + b->num_keys + (b->num_keys + 3u) / 4;
}

// How many of `count` numbers are smaller than `key`.
static inline uint32_t ct_data_count_smaller(const uint32_t *keys, uint32_t count, uint32_t key) {
    uint32_t smaller = 0, i = 0;
#ifdef __SSE2__ // four at a time; signed, so that the highest bit is turned
    const __m128i turn = _mm_set1_epi32(INT32_MIN);
    const __m128i wanted = _mm_xor_si128(_mm_set1_epi32((int32_t)key), turn);
    for (; i + 4 <= count; i += 4) {
        const __m128i four = _mm_loadu_si128((const __m128i *)(const void *)(keys + i));
        const __m128i less = _mm_cmplt_epi32(_mm_xor_si128(four, turn), wanted);
        smaller += (uint32_t)__builtin_popcount((unsigned)_mm_movemask_ps(_mm_castsi128_ps(less)));
    }
#endif
    for (; i < count; ++i)
        smaller += keys[i] < key;
    return smaller;
}

// How many keys are smaller than `key`: its place, where it is there. Halves what is many and counts
// what is few.
static inline uint32_t ct_data_buffer_place(const ct_data_buffer *b, ct_data_key key) {
    const uint32_t *keys = b->words;
    uint32_t count = b->num_keys;
    while (count > 8) {
        const uint32_t half = count / 2;
        keys += keys[half - 1] < key.hash ? half : 0;
        count -= half;
    }
    return (uint32_t)(keys - b->words) + ct_data_count_smaller(keys, count, key.hash);
}

// Returns true when the key at `place` is `key`: whether a search for it found it.
static inline bool ct_data_buffer_has(const ct_data_buffer *b, uint32_t place, ct_data_key key) {
    return place < b->num_keys && b->words[place] == key.hash;
}

// The value at a place, and that of a key: none where there is none.
ct_data_value ct_data_buffer_value(const ct_data_buffer *b, uint32_t place);
ct_data_value ct_data_buffer_get(const ct_data_buffer *b, ct_data_key key);

// Sets a value (not none) where there is room without a rebuild; false, and nothing is changed,
// where there is not. The value may lie in the buffer itself.
bool ct_data_buffer_set(ct_data_buffer *b, ct_data_key key, ct_data_value value);

// Removes a key; false when it is not there.
bool ct_data_buffer_remove(ct_data_buffer *b, ct_data_key key);

// The bytes, a multiple of 8, of a buffer without holes and free room that has what `b` has, this
// value, unless it is none, and `num_more` bools and floats (less than 0: as many fewer): the least
// for the functions below. May be more than CT_DATA_MAX_BYTES, which no buffer has.
uint64_t ct_data_buffer_needed_bytes(const ct_data_buffer *b, ct_data_key key, ct_data_value value,
                                     int32_t num_more);

// Writes to `to`, of `bytes` aligned to 4 (a multiple of 4), a buffer that has what `b` has, and
// this value unless it is none, without holes. The value may lie in `b`.
void ct_data_buffer_rebuild(const ct_data_buffer *b, ct_data_key key, ct_data_value value,
                            ct_data_buffer *to, uint32_t bytes);

// The same with what `b` has but for what is at `count` places, ascending.
void ct_data_buffer_copy_without(const ct_data_buffer *b, const uint32_t *places, uint32_t count,
                                 ct_data_buffer *to, uint32_t bytes);

// Checks bytes, aligned to 4, that came from outside: when true, they are a buffer that fills them,
// and no function here reads or writes outside of it. False with `error`, which may be NULL.
bool ct_data_buffer_check(const void *bytes, uint32_t size_bytes, ct_error *error);

// Turns a buffer of this machine's byte order to the other one.
void ct_data_buffer_swap_bytes(ct_data_buffer *b);
