#include "resource/blob/data_buffer.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

enum { WORD = sizeof(uint32_t), MOST_VALUE_BYTES = UINT16_MAX };

const ct_data_buffer ct_data_buffer_empty = {.num_words = CT_DATA_HEAD_WORDS,
                                             .values_word = CT_DATA_HEAD_WORDS};

// --- Keys ----------------------------------------------------------------------------------------

ct_data_key ct_data_key_join(ct_data_key outer, ct_string_id32 sub_key) {
    const uint32_t m = 0x5bd1e995;
    uint32_t k = sub_key.value * m;
    k ^= k >> 24;
    uint32_t h = ((outer.hash ^ WORD) * m) ^ (k * m);
    h = (h ^ h >> 13) * m;
    return (ct_data_key){h ^ h >> 15};
}

ct_data_key ct_data_key_of(const char *const *sub_keys, uint32_t count) {
    CT_ASSERT(count > 0, "a key needs at least one sub-key%s", "");
    ct_data_key key = ct_data_key_of_id(ct_string_id32_of(sub_keys[0]));
    for (uint32_t i = 1; i < count; ++i)
        key = ct_data_key_join(key, ct_string_id32_of(sub_keys[i]));
    return key;
}

// --- Places --------------------------------------------------------------------------------------

static uint32_t words_of(uint64_t bytes) {
    return (uint32_t)((bytes + WORD - 1) / WORD);
}

// The words of counts, keys, types and values.
static uint32_t head_words(uint32_t num_keys) {
    return CT_DATA_HEAD_WORDS + num_keys + words_of(num_keys) + num_keys;
}

static uint8_t *types_of(ct_data_buffer *b) {
    return (uint8_t *)(b->words + b->num_keys);
}

static uint32_t *values_of(ct_data_buffer *b) {
    return b->words + b->num_keys + words_of(b->num_keys);
}

// Of a string or an array: where it begins and how many bytes it has, without the zero.
static uint32_t begin_of(uint32_t value) {
    return value & UINT16_MAX;
}
static uint32_t bytes_of(uint32_t value) {
    return value >> 16;
}

// The words that a string or an array of so many bytes takes; 0 for other types.
static uint32_t taken_words(ct_data_type type, uint64_t bytes) {
    if (type == CT_DATA_TYPE_STRING)
        return words_of(bytes + 1);
    return type == CT_DATA_TYPE_FLOATS ? words_of(bytes) : 0;
}

static uint32_t taken_words_at(const ct_data_buffer *b, uint32_t place) {
    const ct_data_type type = (ct_data_type)ct_data_buffer_types(b)[place];
    return taken_words(type, bytes_of(ct_data_buffer_values(b)[place]));
}

static uint64_t value_bytes(ct_data_value value) {
    const uint64_t count = value.count;
    return value.type == CT_DATA_TYPE_FLOATS ? count * sizeof(float) : count;
}

// --- Reading -------------------------------------------------------------------------------------

ct_data_value ct_data_buffer_value(const ct_data_buffer *b, uint32_t place) {
    const uint32_t value = ct_data_buffer_values(b)[place];
    const ct_data_type type = (ct_data_type)ct_data_buffer_types(b)[place];
    ct_data_value out = {.type = type};
    if (type == CT_DATA_TYPE_FLOAT) {
        memcpy(&out.number, &value, sizeof(value));
    } else if (type == CT_DATA_TYPE_BOOL) {
        out.boolean = value != 0;
    } else {
        const bool is_text = type == CT_DATA_TYPE_STRING;
        out.count = is_text ? bytes_of(value) : bytes_of(value) / (uint32_t)sizeof(float);
        out.text = (const char *)b + begin_of(value);
    }
    return out;
}

ct_data_value ct_data_buffer_get(const ct_data_buffer *b, ct_data_key key) {
    const uint32_t place = ct_data_buffer_place(b, key);
    return ct_data_buffer_has(b, place, key) ? ct_data_buffer_value(b, place) : (ct_data_value){0};
}

// --- Setting -------------------------------------------------------------------------------------

// Moves everything after `place`, from the end on, to make room for a key. There must be room.
static void open_place(ct_data_buffer *b, uint32_t place, ct_data_key key) {
    const uint32_t n = b->num_keys, after = n - place;
    uint32_t *const values = values_of(b), *const new_values = values + 1 + (n % 4 == 0);
    uint8_t *const types = types_of(b), *const new_types = types + WORD;
    memmove(new_values + place + 1, values + place, after * WORD);
    memmove(new_values, values, place * WORD);
    memmove(new_types + place + 1, types + place, after);
    memmove(new_types, types, place);
    memmove(b->words + place + 1, b->words + place, after * WORD);
    b->words[place] = key.hash;
    ++b->num_keys;
    types_of(b)[place] = CT_DATA_TYPE_FLOAT; // for now, a type without bytes below
    values_of(b)[place] = 0;
    for (uint32_t i = n + 1; i % WORD != 0; ++i)
        types_of(b)[i] = 0;
}

static void close_place(ct_data_buffer *b, uint32_t place) {
    const uint32_t n = b->num_keys, after = n - place - 1;
    uint32_t *const values = values_of(b), *const new_values = values - 1 - (n % 4 == 1);
    uint8_t *const types = types_of(b), *const new_types = types - WORD;
    memmove(b->words + place, b->words + place + 1, after * WORD);
    memmove(new_types, types, place);
    memmove(new_types + place, types + place + 1, after);
    memmove(new_values, values, place * WORD);
    memmove(new_values + place, values + place + 1, after * WORD);
    --b->num_keys;
    for (uint32_t i = n - 1; i % WORD != 0; ++i)
        types_of(b)[i] = 0;
}

// Writes a string or an array to the words that begin at `begin`.
static uint32_t put_below(ct_data_buffer *b, uint32_t begin, ct_data_value value) {
    const uint32_t bytes = (uint32_t)value_bytes(value);
    char *const to = (char *)b + begin;
    if (bytes)
        memmove(to, value.text, bytes);
    if (value.type == CT_DATA_TYPE_STRING)
        memset(to + bytes, 0, WORD - bytes % WORD); // the zero, and up to a word
    return begin | bytes << 16;
}

static void put_value(ct_data_buffer *b, uint32_t place, ct_data_value value, uint32_t old_words) {
    uint32_t word = 0;
    const uint32_t new_words = taken_words(value.type, value_bytes(value));
    if (value.type == CT_DATA_TYPE_BOOL) {
        word = value.boolean;
    } else if (value.type == CT_DATA_TYPE_FLOAT) {
        memcpy(&word, &value.number, sizeof(word));
    } else if (new_words > 0) {
        uint32_t begin = begin_of(values_of(b)[place]);
        if (new_words > old_words) {
            b->values_word = (uint16_t)(b->values_word - new_words);
            begin = b->values_word * (uint32_t)WORD;
            b->hole_words = (uint16_t)(b->hole_words + new_words);
        }
        word = put_below(b, begin, value);
    }
    b->hole_words = (uint16_t)(b->hole_words + old_words - new_words);
    types_of(b)[place] = (uint8_t)value.type;
    values_of(b)[place] = word;
}

bool ct_data_buffer_set(ct_data_buffer *b, ct_data_key key, ct_data_value value) {
    CT_ASSERT(value.type != CT_DATA_TYPE_NONE, "a value must have a type%s", "");
    if (value_bytes(value) > MOST_VALUE_BYTES)
        return false;
    const uint32_t place = ct_data_buffer_place(b, key);
    const bool is_new = !ct_data_buffer_has(b, place, key);
    const uint32_t old_words = is_new ? 0 : taken_words_at(b, place);
    const uint32_t new_words = taken_words(value.type, value_bytes(value));
    const uint32_t wanted_words =
        head_words(b->num_keys + is_new) + (new_words > old_words ? new_words : 0);
    if (wanted_words > b->values_word)
        return false;
    if (is_new)
        open_place(b, place, key);
    put_value(b, place, value, old_words);
    return true;
}

bool ct_data_buffer_remove(ct_data_buffer *b, ct_data_key key) {
    const uint32_t place = ct_data_buffer_place(b, key);
    if (!ct_data_buffer_has(b, place, key))
        return false;
    b->hole_words = (uint16_t)(b->hole_words + taken_words_at(b, place));
    close_place(b, place);
    if (b->num_keys == 0) { // only holes are left
        b->values_word = b->num_words;
        b->hole_words = 0;
    }
    return true;
}

// --- Rebuilding ----------------------------------------------------------------------------------

uint64_t ct_data_buffer_needed_bytes(const ct_data_buffer *b, ct_data_key key, ct_data_value value,
                                     int32_t num_more) {
    const uint32_t live_words = (uint32_t)b->num_words - b->values_word - b->hole_words;
    if (value.type == CT_DATA_TYPE_NONE)
        return ct_round_up(
            (head_words((uint32_t)(b->num_keys + num_more)) + (uint64_t)live_words) * WORD, 8);
    const uint32_t place = ct_data_buffer_place(b, key);
    const bool has = ct_data_buffer_has(b, place, key);
    uint64_t words = head_words((uint32_t)(b->num_keys + num_more + !has)) + (uint64_t)live_words;
    words += taken_words(value.type, value_bytes(value));
    words -= has ? taken_words_at(b, place) : 0;
    if (value_bytes(value) > MOST_VALUE_BYTES)
        words += CT_DATA_MAX_BYTES;
    return ct_round_up(words * WORD, 8);
}

// Copies what is at a place to the first free one below.
static void copy_place(const ct_data_buffer *b, uint32_t from, ct_data_buffer *to, uint32_t place) {
    const uint32_t value = ct_data_buffer_values(b)[from], words = taken_words_at(b, from);
    to->words[place] = b->words[from];
    types_of(to)[place] = ct_data_buffer_types(b)[from];
    values_of(to)[place] = value;
    if (words > 0) {
        to->values_word = (uint16_t)(to->values_word - words);
        const uint32_t begin = to->values_word * (uint32_t)WORD;
        memcpy((char *)to + begin, (const char *)b + begin_of(value), words * (uint64_t)WORD);
        values_of(to)[place] = begin | bytes_of(value) << 16;
    }
}

void ct_data_buffer_copy_without(const ct_data_buffer *b, const uint32_t *places, uint32_t count,
                                 ct_data_buffer *to, uint32_t bytes) {
    CT_ASSERT(bytes <= CT_DATA_MAX_BYTES, "a buffer of %u bytes is too large", bytes);
    const uint32_t num_keys = b->num_keys - count, head = head_words(num_keys);
    const uint16_t num_words = (uint16_t)(bytes / WORD);
    *to = (ct_data_buffer){(uint16_t)num_keys, num_words, num_words, 0};
    if (num_keys > 0)
        values_of(to)[-1] = 0; // the last types
    for (uint32_t i = 0, skipped = 0; i < b->num_keys; ++i) {
        if (skipped < count && places[skipped] == i)
            ++skipped;
        else
            copy_place(b, i, to, i - skipped);
    }
    memset((uint32_t *)(void *)to + head, 0, (to->values_word - head) * (uint64_t)WORD);
}

void ct_data_buffer_rebuild(const ct_data_buffer *b, ct_data_key key, ct_data_value value,
                            ct_data_buffer *to, uint32_t bytes) {
    if (value.type == CT_DATA_TYPE_NONE) {
        ct_data_buffer_copy_without(b, NULL, 0, to, bytes);
        return;
    }
    const uint32_t place = ct_data_buffer_place(b, key);
    ct_data_buffer_copy_without(b, &place, ct_data_buffer_has(b, place, key), to, bytes);
    const bool has_room = ct_data_buffer_set(to, key, value);
    CT_ASSERT(has_room, "%u bytes are too few", bytes);
    (void)has_room;
}

// --- Data from outside ---------------------------------------------------------------------------

static bool check_value(const ct_data_buffer *b, uint32_t place, ct_error *error) {
    const ct_data_type type = (ct_data_type)ct_data_buffer_types(b)[place];
    const uint32_t value = ct_data_buffer_values(b)[place];
    if (type == CT_DATA_TYPE_NONE || type > CT_DATA_TYPE_FLOATS)
        return ct_error_set(error, "value %u: unknown type %u", place, (uint32_t)type);
    if (type == CT_DATA_TYPE_BOOL && value > 1)
        return ct_error_set(error, "value %u: expected 0 or 1, got %u", place, value);
    if (place > 0 && b->words[place - 1] >= b->words[place])
        return ct_error_set(error, "key %u: expected more than 0x%08x, got 0x%08x", place,
                            b->words[place - 1], b->words[place]);
    const uint32_t words = taken_words_at(b, place);
    if (words == 0)
        return true;
    const uint32_t begin = begin_of(value), bytes = bytes_of(value);
    const bool is_inside =
        begin % WORD == 0 && begin / WORD >= b->values_word && begin / WORD + words <= b->num_words;
    if (!is_inside || (type == CT_DATA_TYPE_FLOATS && bytes % sizeof(float) != 0))
        return ct_error_set(
            error, "value %u: %u bytes at %u; expected whole values within %u to %u", place, bytes,
            begin, b->values_word * (uint32_t)WORD, ct_data_buffer_bytes(b));
    if (type == CT_DATA_TYPE_STRING && ((const char *)b)[begin + bytes] != 0)
        return ct_error_set(error, "value %u: the text is not terminated", place);
    return true;
}

bool ct_data_buffer_check(const void *bytes, uint32_t size_bytes, ct_error *error) {
    const ct_data_buffer *const b = bytes;
    if (size_bytes < sizeof(*b) || size_bytes > CT_DATA_MAX_BYTES ||
        size_bytes != ct_data_buffer_bytes(b))
        return ct_error_set(
            error, "found %u bytes of data; expected the size that the data state, %u to %u",
            size_bytes, (uint32_t)sizeof(*b), (uint32_t)CT_DATA_MAX_BYTES);
    if (head_words(b->num_keys) > b->values_word || b->values_word > b->num_words)
        return ct_error_set(error, "%u keys and values from word %u on do not fit in %u words",
                            b->num_keys, b->values_word, b->num_words);
    uint32_t words = b->hole_words;
    for (uint32_t i = 0; i < b->num_keys; ++i) {
        if (!check_value(b, i, error))
            return false;
        words += taken_words_at(b, i);
    }
    const uint32_t expected_words = (uint32_t)b->num_words - b->values_word;
    return words == expected_words ||
           ct_error_set(error, "values and holes take %u words, expected %u", words,
                        expected_words);
}

void ct_data_buffer_swap_bytes(ct_data_buffer *b) {
    for (uint32_t i = 0; i < b->num_keys; ++i) {
        const uint32_t value = values_of(b)[i];
        if (types_of(b)[i] == CT_DATA_TYPE_FLOATS && bytes_of(value) > 0) {
            uint32_t *const numbers = (uint32_t *)(void *)((char *)b + begin_of(value));
            for (uint32_t k = 0; k < bytes_of(value) / WORD; ++k)
                numbers[k] = __builtin_bswap32(numbers[k]);
        }
        values_of(b)[i] = __builtin_bswap32(value);
        b->words[i] = __builtin_bswap32(b->words[i]);
    }
    b->num_keys = __builtin_bswap16(b->num_keys);
    b->num_words = __builtin_bswap16(b->num_words);
    b->values_word = __builtin_bswap16(b->values_word);
    b->hole_words = __builtin_bswap16(b->hole_words);
}
