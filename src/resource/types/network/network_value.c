#include "resource/types/network/network_value.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"

static const char *const kind_names[] = {
    "bool",   "integer", "float", "vector2", "vector3", "rotation",
    "string", "id",      "peer",  "object",  "lookup",  "array",
};
_Static_assert(CT_COUNT_OF(kind_names) == CT_NETWORK_KINDS, "one name a kind");

const char *ct_network_kind_name(uint32_t kind) {
    return kind < CT_NETWORK_KINDS ? kind_names[kind] : "unknown";
}

// --- Widths --------------------------------------------------------------------------------------

// How many bits the numbers 0 to `last` need; at least 1, as a word is never of width 0.
static uint8_t bits_of(uint32_t last) {
    return last == 0 ? 1 : (uint8_t)(32 - __builtin_clz(last));
}

static uint32_t range_of(const ct_network_type *type) {
    return (uint32_t)type->last - (uint32_t)type->first;
}

static uint32_t fill(uint8_t *widths, uint32_t count, uint32_t width) {
    if (widths && count <= CT_NETWORK_MAX_WORDS)
        memset(widths, (int)width, count);
    return count;
}

static uint32_t rotation_widths(const ct_network_type *type, uint8_t *widths) {
    fill(widths, 4, type->bits);
    if (widths)
        widths[0] = 2;
    return 4;
}

static uint32_t string_widths(const ct_network_type *type, uint8_t *widths) {
    const uint32_t count = 1 + (type->max_count + 3) / 4;
    fill(widths, count, 32);
    if (widths)
        widths[0] = bits_of(type->max_count);
    return count;
}

static uint32_t array_widths(const ct_network_type *types, const ct_network_type *type,
                             uint8_t *widths) {
    uint8_t element[CT_NETWORK_MAX_WORDS];
    const uint32_t words = ct_network_type_widths(types, &types[type->element], element);
    const uint64_t count = 1 + (uint64_t)words * type->max_count;
    if (words == 0 || count > CT_NETWORK_MAX_WORDS)
        return 0;
    if (widths) {
        widths[0] = bits_of(type->max_count);
        for (uint32_t i = 0; i < type->max_count; ++i)
            memcpy(widths + 1 + i * words, element, words);
    }
    return (uint32_t)count;
}

uint32_t ct_network_type_widths(const ct_network_type *types, const ct_network_type *type,
                                uint8_t widths[CT_NETWORK_MAX_WORDS]) {
    switch (type->kind) {
    case CT_NETWORK_BOOL:
        return fill(widths, 1, 1);
    case CT_NETWORK_INTEGER:
        return fill(widths, 1, bits_of(range_of(type)));
    case CT_NETWORK_FLOAT:
        return fill(widths, 1, type->bits);
    case CT_NETWORK_VECTOR2:
        return fill(widths, 2, type->bits);
    case CT_NETWORK_VECTOR3:
        return fill(widths, 3, type->bits);
    case CT_NETWORK_ROTATION:
        return rotation_widths(type, widths);
    case CT_NETWORK_STRING:
        return string_widths(type, widths);
    case CT_NETWORK_ID:
    case CT_NETWORK_PEER:
        return fill(widths, 2, 32);
    case CT_NETWORK_OBJECT:
        return fill(widths, 1, 32);
    case CT_NETWORK_LOOKUP:
        return fill(widths, 1, bits_of(type->num_lookups - 1));
    case CT_NETWORK_ARRAY:
        return array_widths(types, type, widths);
    default:
        return 0;
    }
}

// --- Numbers -------------------------------------------------------------------------------------

// The number of steps from `min` to `max`: even where the range is around 0.
static uint32_t steps_of(float min, float max, uint32_t bits) {
    const uint32_t most = (UINT32_C(1) << bits) - 1;
    return min == -max ? most - 1 : most;
}

bool ct_network_range_check(float min, float max, uint32_t bits, ct_error *error) {
    if (bits == CT_NETWORK_EXACT_BITS)
        return (min == 0 && max == 0) ||
               ct_error_set(error, "found a range and %u bits, which are for exact floats", bits);
    if (bits < CT_NETWORK_LEAST_BITS || bits > CT_NETWORK_MOST_BITS)
        return ct_error_set(error, "found %u bits, expected %d to %d, or %d for exact floats", bits,
                            CT_NETWORK_LEAST_BITS, CT_NETWORK_MOST_BITS, CT_NETWORK_EXACT_BITS);
    if (!isfinite(min) || !isfinite(max) || !(min < max))
        return ct_error_set(error, "found min %g and max %g, expected a min below the max",
                            (double)min, (double)max);
    // A float's own error is at most 2^-24 of it. Then it is less than a quarter of a step.
    const double step = ((double)max - (double)min) / steps_of(min, max, bits);
    const double least = fmax(fabs((double)min), fabs((double)max)) * 0x1p-22;
    return step >= least || ct_error_set(error,
                                         "found %u bits for %g to %g, finer than floats "
                                         "are there; write less bits",
                                         bits, (double)min, (double)max);
}

static uint32_t word_of_float(float value) {
    const float sum = value + 0.0f; // no -0: equal values have equal words
    uint32_t word;
    memcpy(&word, &sum, sizeof(word));
    return word;
}

static float float_of_word(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static uint32_t quantise(float value, float min, float max, uint32_t bits) {
    if (bits == CT_NETWORK_EXACT_BITS)
        return word_of_float(value);
    const double in_range = fmin(fmax((double)value, (double)min), (double)max);
    const double share = (in_range - (double)min) / ((double)max - (double)min);
    return (uint32_t)(share * steps_of(min, max, bits) + 0.5);
}

static float dequantise(uint32_t word, float min, float max, uint32_t bits) {
    if (bits == CT_NETWORK_EXACT_BITS)
        return float_of_word(word);
    const uint32_t steps = steps_of(min, max, bits);
    if (word == steps)
        return max;
    return (float)((double)min + (double)word / steps * ((double)max - (double)min));
}

static bool is_quantised(uint32_t word, float min, float max, uint32_t bits) {
    return bits == CT_NETWORK_EXACT_BITS ? isfinite(float_of_word(word))
                                         : word <= steps_of(min, max, bits);
}

static uint32_t num_parts(uint32_t kind) {
    return kind == CT_NETWORK_VECTOR3 ? 3 : kind == CT_NETWORK_VECTOR2 ? 2 : 1;
}

// --- Rotations -----------------------------------------------------------------------------------

static const double root_half = 0.70710678118654752;

static int32_t half_steps(uint32_t bits) {
    return (int32_t)((UINT32_C(1) << bits) - 2) / 2;
}

static double part_of_word(uint32_t word, uint32_t bits) {
    const int32_t half = half_steps(bits);
    return (double)((int32_t)word - half) / half * root_half;
}

static void read_rotation(const uint32_t *words, uint32_t bits, float q[4]) {
    double squares = 0;
    for (uint32_t i = 0, next = 1; i < 4; ++i) {
        if (i == words[0])
            continue;
        const double part = part_of_word(words[next++], bits);
        q[i] = (float)part;
        squares += part * part;
    }
    q[words[0]] = (float)sqrt(fmax(0, 1 - squares));
}

static void quantise_rotation(const float q[4], uint32_t bits, uint32_t words[4]) {
    double squares = 0;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        squares += (double)q[i] * (double)q[i];
        if (fabsf(q[i]) > fabsf(q[largest]))
            largest = i;
    }
    const int32_t half = half_steps(bits);
    const double scale = (q[largest] < 0 ? -1 : 1) / sqrt(squares) / root_half * half;
    words[0] = largest;
    for (uint32_t i = 0, next = 1; i < 4; ++i) {
        if (i == largest)
            continue;
        const double steps = fmin(fmax((double)q[i] * scale, -half), half);
        words[next++] = (uint32_t)((int32_t)floor(steps + 0.5) + half);
    }
}

// The word of a part that reads as larger than the largest, or as large and comes before it; 0:
// there is no such part.
static uint32_t find_too_large(const float q[4], uint32_t largest) {
    for (uint32_t i = 0; i < 4; ++i) {
        const float part = fabsf(q[i]);
        if (i != largest && (part > q[largest] || (part == q[largest] && i < largest)))
            return i < largest ? i + 1 : i;
    }
    return 0;
}

// Where parts are about as large, a rounded one can be larger than what is left for the largest:
// what is read would then be written with another largest part. It is rounded towards 0 instead.
static void write_rotation(const float q[4], uint32_t bits, uint32_t *words) {
    const uint32_t half = (uint32_t)half_steps(bits);
    float read[4];
    quantise_rotation(q, bits, words);
    for (;;) {
        read_rotation(words, bits, read);
        const uint32_t word = find_too_large(read, words[0]);
        if (word == 0)
            return;
        words[word] += words[word] > half ? UINT32_MAX : 1; // ±1 towards 0
    }
}

static bool is_rotation(const uint32_t *words, uint32_t bits) {
    double squares = 0;
    for (uint32_t i = 1; i < 4; ++i) {
        if (words[i] > 2 * (uint32_t)half_steps(bits))
            return false;
        const double part = part_of_word(words[i], bits);
        squares += part * part;
    }
    return words[0] < 4 && squares <= 1;
}

// --- Writing -------------------------------------------------------------------------------------

static bool write_integer(const ct_network_type *type, int32_t value, uint32_t *words) {
    const int32_t in_range = value < type->first  ? type->first
                             : value > type->last ? type->last
                                                  : value;
    words[0] = (uint32_t)in_range - (uint32_t)type->first;
    return true;
}

static bool write_parts(const ct_network_type *type, const float *parts, uint32_t *words,
                        ct_error *error) {
    const uint32_t count = num_parts(type->kind);
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(parts[i]))
            return ct_error_set(error, "found %g, expected a finite number", (double)parts[i]);
    }
    for (uint32_t i = 0; i < count; ++i)
        words[i] = quantise(parts[i], type->min[i], type->max[i], type->bits);
    return true;
}

static bool write_quaternion(const ct_network_type *type, const float q[4], uint32_t *words,
                             ct_error *error) {
    double squares = 0;
    for (uint32_t i = 0; i < 4; ++i)
        squares += (double)q[i] * (double)q[i];
    if (!isfinite(squares) || squares < 1e-12)
        return ct_error_set(error, "found (%g, %g, %g, %g), expected a rotation: a quaternion",
                            (double)q[0], (double)q[1], (double)q[2], (double)q[3]);
    write_rotation(q, type->bits, words);
    return true;
}

static bool write_string(const ct_network_type *type, const ct_network_value *value,
                         uint32_t *words, ct_error *error) {
    const uint32_t bytes = value->string.bytes;
    if (bytes > type->max_count)
        return ct_error_set(error, "found a string of %u bytes, expected at most %u", bytes,
                            type->max_count);
    if (!ct_utf8_is_valid(value->string.text, bytes))
        return ct_error_set(error, "found a string that is not UTF-8");
    // The text may be that of the words themselves.
    char text[CT_NETWORK_MAX_STRING_BYTES] = {0};
    if (bytes > 0)
        memcpy(text, value->string.text, bytes);
    words[0] = bytes;
    memcpy(words + 1, text, 4 * (size_t)(type->num_words - 1));
    return true;
}

static bool write_id(uint64_t id, uint32_t *words) {
    words[0] = (uint32_t)id;
    words[1] = (uint32_t)(id >> 32);
    return true;
}

static bool write_object(uint64_t id, uint32_t *words, ct_error *error) {
    if (id > UINT32_MAX)
        return ct_error_set(error, "found %llu, expected the id of a game object, below 2^32",
                            (unsigned long long)id);
    words[0] = (uint32_t)id;
    return true;
}

static bool write_lookup(const ct_network_type *type, uint32_t lookup, uint32_t *words,
                         ct_error *error) {
    if (lookup >= type->num_lookups)
        return ct_error_set(error, "found name number %u of a list of %u", lookup,
                            type->num_lookups);
    words[0] = lookup;
    return true;
}

static bool write_count(const ct_network_type *types, const ct_network_type *type, uint32_t count,
                        uint32_t *words, ct_error *error) {
    if (count > type->max_count)
        return ct_error_set(error, "found %u elements, expected at most %u", count,
                            type->max_count);
    const ct_network_type *const element = &types[type->element];
    for (uint32_t i = words[0]; i < count; ++i)
        ct_network_value_default(types, element, words + 1 + i * element->num_words);
    for (uint32_t i = 1 + count * element->num_words; i < type->num_words; ++i)
        words[i] = 0;
    words[0] = count;
    return true;
}

bool ct_network_value_write(const ct_network_type *types, const ct_network_type *type,
                            const ct_network_value *value, uint32_t *words, ct_error *error) {
    if (value->kind != type->kind)
        return ct_error_set(error, "found a value of kind %s, expected %s",
                            ct_network_kind_name(value->kind), ct_network_kind_name(type->kind));
    switch (type->kind) {
    case CT_NETWORK_BOOL:
        words[0] = value->boolean;
        return true;
    case CT_NETWORK_INTEGER:
        return write_integer(type, value->integer, words);
    case CT_NETWORK_FLOAT:
        return write_parts(type, &value->number, words, error);
    case CT_NETWORK_VECTOR2:
    case CT_NETWORK_VECTOR3:
        return write_parts(type, value->parts, words, error);
    case CT_NETWORK_ROTATION:
        return write_quaternion(type, value->parts, words, error);
    case CT_NETWORK_STRING:
        return write_string(type, value, words, error);
    case CT_NETWORK_ID:
    case CT_NETWORK_PEER:
        return write_id(value->id, words);
    case CT_NETWORK_OBJECT:
        return write_object(value->id, words, error);
    case CT_NETWORK_LOOKUP:
        return write_lookup(type, value->lookup, words, error);
    default:
        return write_count(types, type, value->count, words, error);
    }
}

void ct_network_value_default(const ct_network_type *types, const ct_network_type *type,
                              uint32_t *words) {
    ct_network_value value = {.kind = type->kind};
    if (type->kind == CT_NETWORK_ROTATION)
        value.parts[3] = 1;
    words[0] = 0; // an array's old length
    const bool is_written = ct_network_value_write(types, type, &value, words, NULL);
    CT_ASSERT(is_written, "a first value of kind %s", ct_network_kind_name(type->kind));
    (void)is_written;
}

// --- Reading -------------------------------------------------------------------------------------

static void read_parts(const ct_network_type *type, const uint32_t *words, float *parts) {
    const uint32_t count = num_parts(type->kind);
    for (uint32_t i = 0; i < count; ++i)
        parts[i] = dequantise(words[i], type->min[i], type->max[i], type->bits);
}

ct_network_value ct_network_value_read(const ct_network_type *type, const uint32_t *words) {
    ct_network_value value = {.kind = type->kind};
    switch (type->kind) {
    case CT_NETWORK_BOOL:
        value.boolean = words[0] != 0;
        break;
    case CT_NETWORK_INTEGER:
        value.integer = (int32_t)((uint32_t)type->first + words[0]);
        break;
    case CT_NETWORK_FLOAT:
        read_parts(type, words, &value.number);
        break;
    case CT_NETWORK_VECTOR2:
    case CT_NETWORK_VECTOR3:
        read_parts(type, words, value.parts);
        break;
    case CT_NETWORK_ROTATION:
        read_rotation(words, type->bits, value.parts);
        break;
    case CT_NETWORK_STRING:
        value.string.text = (const char *)(words + 1);
        value.string.bytes = words[0];
        break;
    case CT_NETWORK_ID:
    case CT_NETWORK_PEER:
        value.id = (uint64_t)words[1] << 32 | words[0];
        break;
    case CT_NETWORK_OBJECT:
        value.id = words[0];
        break;
    case CT_NETWORK_LOOKUP:
        value.lookup = words[0];
        break;
    default:
        value.count = words[0];
    }
    return value;
}

// --- The check -----------------------------------------------------------------------------------

static bool check_string(const ct_network_type *type, const uint32_t *words) {
    static const char zeroes[CT_NETWORK_MAX_STRING_BYTES];
    if (words[0] > type->max_count)
        return false;
    const char *const text = (const char *)(words + 1);
    const size_t left = 4 * (size_t)(type->num_words - 1) - words[0];
    return ct_utf8_is_valid(text, words[0]) && memcmp(text + words[0], zeroes, left) == 0;
}

static bool check_array(const ct_network_type *types, const ct_network_type *type,
                        const uint32_t *words) {
    if (words[0] > type->max_count)
        return false;
    const ct_network_type *const element = &types[type->element];
    for (uint32_t i = 0; i < words[0]; ++i) {
        if (!ct_network_value_check(types, element, words + 1 + i * element->num_words))
            return false;
    }
    for (uint32_t i = 1 + words[0] * element->num_words; i < type->num_words; ++i) {
        if (words[i] != 0)
            return false;
    }
    return true;
}

static bool check_parts(const ct_network_type *type, const uint32_t *words) {
    const uint32_t count = num_parts(type->kind);
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_quantised(words[i], type->min[i], type->max[i], type->bits))
            return false;
    }
    return true;
}

bool ct_network_value_check(const ct_network_type *types, const ct_network_type *type,
                            const uint32_t *words) {
    switch (type->kind) {
    case CT_NETWORK_BOOL:
        return words[0] <= 1;
    case CT_NETWORK_INTEGER:
        return words[0] <= range_of(type);
    case CT_NETWORK_FLOAT:
    case CT_NETWORK_VECTOR2:
    case CT_NETWORK_VECTOR3:
        return check_parts(type, words);
    case CT_NETWORK_ROTATION:
        return is_rotation(words, type->bits);
    case CT_NETWORK_STRING:
        return check_string(type, words);
    case CT_NETWORK_LOOKUP:
        return words[0] < type->num_lookups;
    case CT_NETWORK_ARRAY:
        return check_array(types, type, words);
    default:
        return true; // ids: any bits
    }
}
