// data_buffer.h: values by hashed keys in one relocatable buffer of at most 64 KiB.
//
//     | counts | keys | types | values |  ... free ...  | strings and arrays |
//
// Keys are sorted 32-bit hashes. A type is a byte, a value 32 bits: a bool, a float, or, for
// strings and arrays of floats, their offset in the buffer and their size in bytes, 16 bits each.
// The head grows up, strings and arrays grow down, and both share the free room. A string or array
// that no longer fits its place gets a new place and leaves a hole; rebuilding the buffer closes
// the holes. There are no pointers inside, so a buffer can be copied, saved and compiled without
// changes. From "Allocation Adventures 1: The DataComponent" (Bitsquid blog, 2015-06-12).
#pragma once
#include "foundation/string/string_id.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CT_DATA_MAX_BYTES = 1 << 16 }; // largest buffer: the range of 16 bits

// --- Keys ----------------------------------------------------------------------------------------

// The hash of a list of sub-keys, such as {"stats", "health"}.
typedef struct ct_data_key {
    uint32_t hash;
} ct_data_key;

// Returns the key of a single sub-key: its 32-bit id.
static inline ct_data_key ct_data_key_of_id(ct_string_id32 sub_key) {
    return (ct_data_key){sub_key.value};
}

// Returns the key of a list with one more sub-key: MurmurHash2, seeded with the hash so far, of the
// four bytes (little-endian) of the sub-key's 32-bit id. So {"a", "b"} differs from {"b", "a"} and
// from "a.b".
ct_data_key ct_data_key_join(ct_data_key outer, ct_string_id32 sub_key);

// Returns the key of `count` sub-keys, at least one.
ct_data_key ct_data_key_of(const char *const *sub_keys, uint32_t count);

// --- Values --------------------------------------------------------------------------------------

// The type of a value.
typedef enum ct_data_type {
    CT_DATA_TYPE_NONE,
    CT_DATA_TYPE_BOOL,
    CT_DATA_TYPE_FLOAT,
    CT_DATA_TYPE_STRING,
    CT_DATA_TYPE_FLOATS,
} ct_data_type;

// A value to set or to get. Strings and arrays are borrowed; those from a buffer are valid until it
// changes. {0} is no value: none exists, or it is to be removed.
typedef struct ct_data_value {
    ct_data_type type;
    uint32_t count; // STRING: bytes without the zero at the end; FLOATS: numbers
    union {
        bool boolean;
        float number;
        const char *text; // zero-terminated when it comes from a buffer
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
    uint16_t num_words;   // of the whole buffer
    uint16_t values_word; // where the lowest string or array begins
    uint16_t hole_words;  // between there and the end
    uint32_t words[];     // keys[num_keys]; types[num_keys], up to a whole word; values[num_keys]
} ct_data_buffer;

enum { CT_DATA_HEAD_WORDS = sizeof(ct_data_buffer) / sizeof(uint32_t) };

// An empty buffer without free room.
extern const ct_data_buffer ct_data_buffer_empty;

// Returns the size of the whole buffer.
static inline uint32_t ct_data_buffer_bytes(const ct_data_buffer *b) {
    return b->num_words * (uint32_t)sizeof(uint32_t);
}

// Return the arrays of ct_data_type and of 32-bit values, for places 0 to num_keys - 1.
static inline const uint8_t *ct_data_buffer_types(const ct_data_buffer *b) {
    return (const uint8_t *)(b->words + b->num_keys);
}
static inline const uint32_t *ct_data_buffer_values(const ct_data_buffer *b) {
    return b->words + b->num_keys + (b->num_keys + 3u) / 4;
}

// Returns how many of `count` numbers are smaller than `key`.
static inline uint32_t ct_data_count_smaller(const uint32_t *keys, uint32_t count, uint32_t key) {
    uint32_t smaller = 0, i = 0;
#ifdef __SSE2__ // four at a time; signed, so the highest bit is flipped
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

// Returns how many keys are smaller than `key`; this is the key's place if it exists. Uses binary
// search while many are left, then counts.
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

// Returns whether the key at `place` is `key`, to test the result of a search.
static inline bool ct_data_buffer_has(const ct_data_buffer *b, uint32_t place, ct_data_key key) {
    return place < b->num_keys && b->words[place] == key.hash;
}

// Return the value at a place, and that of a key: {0} when the key does not exist.
ct_data_value ct_data_buffer_value(const ct_data_buffer *b, uint32_t place);
ct_data_value ct_data_buffer_get(const ct_data_buffer *b, ct_data_key key);

// Sets a value (not {0}) when there is room without a rebuild. Otherwise returns false and changes
// nothing. The value may be inside the buffer itself.
bool ct_data_buffer_set(ct_data_buffer *b, ct_data_key key, ct_data_value value);

// Removes a key. Returns false when it does not exist.
bool ct_data_buffer_remove(ct_data_buffer *b, ct_data_key key);

// Returns the bytes, a multiple of 8, of a buffer without holes and free room that has the contents
// of `b`, this value (unless it is {0}) and `num_more` bools and floats (below 0: as many fewer).
// This is the least size for the functions below. It may exceed CT_DATA_MAX_BYTES, the maximum of a
// buffer.
uint64_t ct_data_buffer_needed_bytes(const ct_data_buffer *b, ct_data_key key, ct_data_value value,
                                     int32_t num_more);

// Writes to `to`, of `bytes` aligned to 4 (a multiple of 4), a buffer without holes that has the
// contents of `b` and this value, unless it is {0}. The value may be inside `b`.
void ct_data_buffer_rebuild(const ct_data_buffer *b, ct_data_key key, ct_data_value value,
                            ct_data_buffer *to, uint32_t bytes);

// The same with the contents of `b` except those at `count` places, ascending.
void ct_data_buffer_copy_without(const ct_data_buffer *b, const uint32_t *places, uint32_t count,
                                 ct_data_buffer *to, uint32_t bytes);

// Checks untrusted bytes, aligned to 4. When true, they are a buffer of exactly this size, and no
// function here reads or writes outside of it. Returns false with `error`, which may be NULL.
bool ct_data_buffer_check(const void *bytes, uint32_t size_bytes, ct_error *error);

// Converts a buffer from this machine's byte order to the other one.
void ct_data_buffer_swap_bytes(ct_data_buffer *b);
