// network_value.h: one value of a network config's type, as words and as a game sees it.
//
// Quantised numbers are evenly spaced from `min` to `max`, both of which are exact. A range around
// 0 (`min` is -`max`) has a step less than its bits allow, so that 0 is exact, too: the word with
// all bits set is invalid. Rotations drop the largest part of the quaternion, the other three are
// in ±√½, symmetric in the same way. Words behind the length of a string or an array are 0, and so
// are the bytes behind a string in its last word: values that are the same have the same words.
//
// Functions take the array of all types, as an array's type names that of its elements by index.
// Pure; any thread. libc only.
#pragma once
#include "resource/types/network_config_resource.h"

// The bits of a word of a quantised float, vector or rotation, and of exact floats.
enum {
    CT_NETWORK_LEAST_BITS = 2,
    CT_NETWORK_MOST_BITS = 23,
    CT_NETWORK_MOST_ROTATION_BITS = 20,
    CT_NETWORK_EXACT_BITS = 32,
};

// A value of a field as a game sees it, by the kind of its type.
typedef struct ct_network_value {
    uint32_t kind; // ct_network_kind; an array's elements are read one by one
    union {
        bool boolean;
        int32_t integer;
        float number;
        float parts[4];  // vectors: the first 2 or 3; rotation: x y z w
        uint64_t id;     // id, peer, object
        uint32_t lookup; // index in the type's list
        struct {
            const char *text; // of a value that was read: borrowed until the words change
            uint32_t bytes;
        } string;
        uint32_t count; // of an array
    };
} ct_network_value;

// Returns the name of a kind in sources and messages: "integer".
const char *ct_network_kind_name(uint32_t kind);

// Writes the width of each word of a type to `widths` (NULL: none are written). Returns how many
// words it has, 0 when they are more than CT_NETWORK_MAX_WORDS. The type must be valid but for its
// num_words, and an array's element entirely.
uint32_t ct_network_type_widths(const ct_network_type *types, const ct_network_type *type,
                                uint8_t widths[CT_NETWORK_MAX_WORDS]);

// Returns whether the range and bits of a part of a float or vector can be used: finite, min < max,
// steps that are larger than those of floats there (or, with CT_NETWORK_EXACT_BITS, min and max 0).
// Returns false with `error`.
bool ct_network_range_check(float min, float max, uint32_t bits, ct_error *error);

// Writes the words of a value. Of arrays: sets the length; elements that are new get the default of
// their type, elements that are gone become 0. Numbers are clamped and rounded to the nearest step.
// Returns false with `error`, and changes nothing, when the value is of another kind, not finite, a
// rotation of length 0, too long, not UTF-8, or an index or count that the type does not have.
bool ct_network_value_write(const ct_network_type *types, const ct_network_type *type,
                            const ct_network_value *value, uint32_t *words, ct_error *error);

// Reads the value of words that ct_network_value_check accepts. To write it again gives the same
// words.
ct_network_value ct_network_value_read(const ct_network_type *type, const uint32_t *words);

// Writes the words of the usual first value: 0 or what the range has nearest to it, false, the
// first of a list, no rotation, an empty string or array.
void ct_network_value_default(const ct_network_type *types, const ct_network_type *type,
                              uint32_t *words);

// Returns whether words are those of a value that ct_network_value_write could have written, but
// for rotations, of which it accepts all of about unit length. Reads exactly the type's words.
bool ct_network_value_check(const ct_network_type *types, const ct_network_type *type,
                            const uint32_t *words);

// Returns how many of a value's words are used: those of strings and arrays within their length,
// which the first word has; of others all. Safe for words that were not checked.
static inline uint32_t ct_network_words_used(const ct_network_type *types,
                                             const ct_network_type *type, uint32_t first_word) {
    if (type->kind != CT_NETWORK_STRING && type->kind != CT_NETWORK_ARRAY)
        return type->num_words;
    const uint32_t count = first_word < type->max_count ? first_word : type->max_count;
    return type->kind == CT_NETWORK_STRING ? 1 + (count + 3) / 4
                                           : 1 + count * types[type->element].num_words;
}
