#include "network/fields/network_record.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math_lanes.h"
#include "network/fields/network_bits_private.h"
#include "resource/blob/content_hash.h"

// --- Values --------------------------------------------------------------------------------------

static const char *field_name(const ct_network_config_resource *config, const ct_network_field *f) {
    return ct_blob_at(config, f->name.offset);
}

// The type and words of an element. Returns NULL when there is no such element.
static const ct_network_type *element_of(const ct_network_config_resource *config,
                                         const ct_network_type *array, uint32_t element,
                                         const uint32_t *words, uint32_t *first_word) {
    if (array->kind != CT_NETWORK_ARRAY || element >= words[0])
        return NULL;
    const ct_network_type *const type = &ct_network_config_types(config)[array->element];
    *first_word = 1 + element * type->num_words;
    return type;
}

bool ct_network_record_set(const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field, uint32_t element,
                           const ct_network_value *value, uint32_t *words, ct_error *error) {
    CT_ASSERT(field < record->num_fields, "field %u of %u", field, record->num_fields);
    const ct_network_field *const f = &ct_network_record_fields(config, record)[field];
    const ct_network_type *const types = ct_network_config_types(config);
    const ct_network_type *type = &types[f->type];
    uint32_t *at = words + f->first_word;
    ct_error problem = {0};
    if (element != UINT32_MAX) {
        uint32_t first_word = 0;
        const ct_network_type *const array = type;
        type = element_of(config, array, element, at, &first_word);
        if (!type && array->kind != CT_NETWORK_ARRAY)
            return ct_error_set(error, "field \"%s\" is no array", field_name(config, f));
        if (!type)
            return ct_error_set(error, "field \"%s\" has no element %u, only %u of at most %u",
                                field_name(config, f), element, at[0], array->max_count);
        at += first_word;
    }
    return ct_network_value_write(types, type, value, at, &problem) ||
           ct_error_set(error, "field \"%s\": %s", field_name(config, f), problem.message);
}

ct_network_value ct_network_record_get(const ct_network_config_resource *config,
                                       const ct_network_record_type *record, uint32_t field,
                                       uint32_t element, const uint32_t *words) {
    CT_ASSERT(field < record->num_fields, "field %u of %u", field, record->num_fields);
    const ct_network_field *const f = &ct_network_record_fields(config, record)[field];
    const ct_network_type *type = &ct_network_config_types(config)[f->type];
    const uint32_t *at = words + f->first_word;
    if (element != UINT32_MAX) {
        uint32_t first_word = 0;
        type = element_of(config, type, element, at, &first_word);
        CT_ASSERT(type, "element %u of field \"%s\"", element, field_name(config, f));
        at += first_word;
    }
    return ct_network_value_read(type, at);
}

bool ct_network_record_check(const ct_network_config_resource *config,
                             const ct_network_record_type *record, const uint32_t *words) {
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        if (!ct_network_value_check(types, &types[fields[i].type], words + fields[i].first_word))
            return false;
    }
    return true;
}

// --- Words ---------------------------------------------------------------------------------------

// A field that changed has 3 bits for its class: how many bits the difference of each word takes,
// by its width. In the last class they are the word itself, all of its bits. A field that is a
// single narrow word has no class.
enum { CLASS_BITS = 3, CLASSES = 8, ALL_BITS = CLASSES - 1, NARROW_BITS = 4, SMALL_BITS = 51 };

// X(width, bits of each class but the last) for words of 0 to 32 bits. Small differences have the
// finest steps: those from a prediction are small. Words of 2 bits, as the number of a rotation's
// largest part, take none while they are the same.
#define UP_TO_12(X, width) X(width, 2, 3, 4, 5, 6, 7, 8)
#define UP_TO_18(X, width) X(width, 2, 3, 4, 5, 6, 7, 9)
#define UP_TO_24(X, width) X(width, 2, 3, 4, 5, 7, 10, 14)
#define UP_TO_32(X, width) X(width, 2, 3, 4, 6, 9, 13, 18)
#define EACH_WIDTH(X)                                                                              \
    X(0, 0, 0, 0, 0, 0, 0, 0), X(1, 0, 0, 0, 0, 0, 0, 0), X(2, 0, 0, 0, 0, 0, 0, 0),               \
        X(3, 1, 2, 3, 3, 3, 3, 3), X(4, 1, 2, 3, 4, 4, 4, 4), X(5, 1, 2, 3, 4, 5, 5, 5),           \
        X(6, 1, 2, 3, 4, 5, 6, 6), X(7, 1, 2, 3, 4, 5, 6, 7), X(8, 1, 2, 3, 4, 5, 6, 7),           \
        UP_TO_12(X, 9), UP_TO_12(X, 10), UP_TO_12(X, 11), UP_TO_12(X, 12), UP_TO_18(X, 13),        \
        UP_TO_18(X, 14), UP_TO_18(X, 15), UP_TO_18(X, 16), UP_TO_18(X, 17), UP_TO_18(X, 18),       \
        UP_TO_24(X, 19), UP_TO_24(X, 20), UP_TO_24(X, 21), UP_TO_24(X, 22), UP_TO_24(X, 23),       \
        UP_TO_24(X, 24), UP_TO_32(X, 25), UP_TO_32(X, 26), UP_TO_32(X, 27), UP_TO_32(X, 28),       \
        UP_TO_32(X, 29), UP_TO_32(X, 30), UP_TO_32(X, 31), UP_TO_32(X, 32)

// By width and class: the bits of a word.
#define BITS(width, a, b, c, d, e, f, g)                                                           \
    { a, b, c, d, e, f, g, width }
static const uint8_t class_bits[33][CLASSES] = {EACH_WIDTH(BITS)};

// By width and the bits of the largest difference: the lowest class that has room for it.
#define CLASS(n, a, b, c, d, e, f, g)                                                              \
    ((a) < (n)) + ((b) < (n)) + ((c) < (n)) + ((d) < (n)) + ((e) < (n)) + ((f) < (n)) + ((g) < (n))
#define EIGHT(n, ...)                                                                              \
    CLASS(n, __VA_ARGS__), CLASS(n + 1, __VA_ARGS__), CLASS(n + 2, __VA_ARGS__),                   \
        CLASS(n + 3, __VA_ARGS__), CLASS(n + 4, __VA_ARGS__), CLASS(n + 5, __VA_ARGS__),           \
        CLASS(n + 6, __VA_ARGS__), CLASS(n + 7, __VA_ARGS__)
#define CLASS_ROW(width, ...)                                                                      \
    {                                                                                              \
        EIGHT(0, __VA_ARGS__), EIGHT(8, __VA_ARGS__), EIGHT(16, __VA_ARGS__),                      \
            EIGHT(24, __VA_ARGS__), CLASS(32, __VA_ARGS__)                                         \
    }
static const uint8_t classes[33][33] = {EACH_WIDTH(CLASS_ROW)};

// The class of a difference, or of all differences of a field, one or the other.
static inline uint32_t class_of(uint32_t width, uint32_t over) {
    return classes[width][over ? 32 - (uint32_t)__builtin_clz(over) : 0];
}

static inline uint32_t mask_of(uint32_t width) {
    return UINT32_MAX >> (32 - width);
}

// The difference, wrapped around in 32 bits; small numbers for small ones of both signs.
static inline uint32_t zigzag_of(uint32_t base, uint32_t word) {
    const uint32_t difference = word - base;
    return difference << 1 ^ (0 - (difference >> 31));
}

#define INLINE __attribute__((always_inline)) static inline

// Appends up to 56 bits with one store of 8 bytes, without branches. There must be room for 8 bytes.
INLINE void store_bits(ct_bit_writer *w, uint64_t value, uint32_t width) {
    w->held |= value << w->num_held;
    w->num_held += width;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(w->bytes + w->size, &w->held, 8);
#else
    const uint64_t swapped = __builtin_bswap64(w->held);
    memcpy(w->bytes + w->size, &swapped, 8);
#endif
    w->size += w->num_held >> 3;
    w->held >>= w->num_held & ~UINT32_C(7);
    w->num_held &= 7;
}

// Writes a number, vector or rotation of at most 51 bits with one store. No branches that depend on
// values: those of moving things are random.
INLINE void store_small_field(ct_bit_writer *w, bool is_rotation, uint32_t count,
                              const uint32_t *base, const uint32_t *words, uint32_t width) {
    uint32_t zigzags[4], over = 0;
    const uint32_t first = is_rotation;
#pragma GCC unroll 4
    for (uint32_t i = first; i < count; ++i) {
        zigzags[i] = zigzag_of(base[i], words[i]);
        over |= zigzags[i];
    }
    uint32_t class = class_of(width, over);
    uint64_t bits = 0;
    uint32_t num_bits = CLASS_BITS;
    if (is_rotation) { // which part is the largest: no bits as long as it is the same
        class = words[0] != base[0] ? ALL_BITS : class;
        bits = class == ALL_BITS ? words[0] << CLASS_BITS : 0;
        num_bits = class == ALL_BITS ? CLASS_BITS + 2 : CLASS_BITS;
    }
    bits |= class;
    const uint32_t each = class_bits[width][class];
#pragma GCC unroll 4
    for (uint32_t i = first; i < count; ++i) {
        const uint64_t value = class == ALL_BITS ? words[i] : zigzags[i];
        bits |= value << num_bits;
        num_bits += each;
    }
    store_bits(w, bits, num_bits);
}

INLINE void store_small(ct_bit_writer *w, uint32_t kind, uint32_t count, const uint32_t *base,
                        const uint32_t *words, uint32_t width) {
    if (count == 3)
        store_small_field(w, false, 3, base, words, width);
    else if (kind == CT_NETWORK_ROTATION)
        store_small_field(w, true, 4, base, words, width);
    else if (count == 2)
        store_small_field(w, false, 2, base, words, width);
    else
        store_small_field(w, false, 1, base, words, width);
}

// Writes the first `used` words of any field in the same form.
INLINE void store_field(ct_bit_writer *w, uint32_t used, const uint32_t *base,
                        const uint32_t *words, const uint8_t *widths) {
    uint32_t zigzags[CT_NETWORK_MAX_WORDS], class = 0;
    for (uint32_t i = 0; i < used; ++i) {
        zigzags[i] = zigzag_of(base[i], words[i]);
        const uint32_t own = class_of(widths[i], zigzags[i]);
        class = own > class ? own : class;
    }
    const uint32_t *const values = class == ALL_BITS ? words : zigzags;
    store_bits(w, class, CLASS_BITS);
    for (uint32_t i = 0; i < used; ++i)
        store_bits(w, values[i], class_bits[widths[i]][class]);
}

INLINE uint32_t read_word(ct_bit_reader *r, uint32_t class, uint32_t base, uint32_t width) {
    const uint32_t read = ct_bits_take(r, class_bits[width][class]);
    if (class == ALL_BITS)
        return read;
    return (base + (read >> 1 ^ (0 - (read & 1)))) & mask_of(width);
}

// --- Records -------------------------------------------------------------------------------------

// The config's arrays, without a call for each.
typedef struct parts {
    const ct_network_field *fields;
    const ct_network_type *types;
    const uint8_t *widths;
} parts;

static inline parts parts_of(const ct_network_config_resource *config,
                             const ct_network_record_type *record) {
    const char *const blob = (const char *)config;
    return (parts){
        (const ct_network_field *)(const void *)(blob + config->fields.offset) +
            record->first_field,
        (const ct_network_type *)(const void *)(blob + config->types.offset),
        (const uint8_t *)blob + config->widths.offset + record->first_width,
    };
}

static inline bool is_narrow(const ct_network_field *f, const uint8_t *widths) {
    return f->num_words == 1 && widths[f->first_word] <= NARROW_BITS;
}

// A bit for each of at most 64 words that differ.
static uint64_t changed_words(const uint32_t *base, const uint32_t *words, uint32_t count) {
    uint64_t changed = 0;
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        ct_column x, y;
        memcpy(&x, base + i, sizeof(x));
        memcpy(&y, words + i, sizeof(y));
        changed |= (uint64_t)ct_column_mask((ct_column_bits)x != (ct_column_bits)y) << i;
    }
    for (; i < count; ++i)
        changed |= (uint64_t)(base[i] != words[i]) << i;
    return changed;
}

static uint64_t changed_fields(const ct_network_record_type *record, const ct_network_field *fields,
                               const uint32_t *base, const uint32_t *words) {
    const uint32_t num_fields = record->num_fields;
    if (record->num_words <= 64) {
        const uint64_t in_words = changed_words(base, words, record->num_words);
        uint64_t in_fields = 0;
        for (uint32_t i = 0; i < num_fields; ++i) {
            const uint64_t own = in_words >> fields[i].first_word << (64 - fields[i].num_words);
            in_fields |= (uint64_t)(own != 0) << i;
        }
        return in_fields;
    }
    uint64_t changed = 0;
    uint32_t at = 0; // fields follow each other
    for (uint32_t i = 0; i < num_fields; ++i) {
        uint32_t differs = 0;
        for (const uint32_t end = at + fields[i].num_words; at < end; ++at)
            differs |= base[at] ^ words[at];
        changed |= (uint64_t)(differs != 0) << i;
    }
    return changed;
}

static inline uint64_t take_mask(ct_bit_reader *r, uint32_t count) {
    if (count <= 32)
        return ct_bits_take(r, count);
    const uint32_t low = ct_bits_take(r, 32);
    return (uint64_t)ct_bits_take(r, count - 32) << 32 | low;
}

// Writes a field that changed.
INLINE void store_changed(const parts *p, const ct_network_field *f, const uint32_t *base,
                          const uint32_t *words, ct_bit_writer *w) {
    const uint32_t at = f->first_word, count = f->num_words;
    const uint32_t width = p->widths[at + count - 1];
    const ct_network_type *const type = &p->types[f->type];
    if (count == 1 && width <= NARROW_BITS)
        store_bits(w, words[at], width);
    else if (type->kind <= CT_NETWORK_ROTATION && count * width <= SMALL_BITS)
        store_small(w, type->kind, count, base + at, words + at, width);
    else
        store_field(w, ct_network_words_used(p->types, type, words[at]), base + at, words + at,
                    p->widths + at);
}

// Writes to memory that has room for all words with their prefixes and 8 bytes more. `writer` holds
// less than 8 bits then.
static void store_changes(const ct_network_config_resource *config,
                          const ct_network_record_type *record, const uint32_t *base,
                          const uint32_t *words, ct_bit_writer *writer) {
    const parts p = parts_of(config, record);
    const ct_network_field *const fields = p.fields;
    ct_bit_writer w = *writer;
    uint64_t changed = changed_fields(record, fields, base, words);
    const uint32_t low = record->num_fields < 32 ? record->num_fields : 32;
    store_bits(&w, 0, 0); // less than 8 bits are held from here on
    store_bits(&w, (changed & UINT32_MAX) << 1 | 1, low + 1);
    store_bits(&w, changed >> 32, record->num_fields - low);
    for (; changed != 0; changed &= changed - 1)
        store_changed(&p, &fields[__builtin_ctzll(changed)], base, words, &w);
    *writer = w;
}

enum { MOST_RECORD_BYTES = (CT_NETWORK_MAX_WORDS * 32 + CT_NETWORK_MAX_FIELDS * 4 + 40) / 8 + 9 };

// Near the end of the packet: writes beside it, then what fits.
static void write_near_end(const ct_network_config_resource *config,
                           const ct_network_record_type *record, const uint32_t *base,
                           const uint32_t *words, ct_bit_writer *w) {
    uint8_t bytes[MOST_RECORD_BYTES];
    const uint32_t left = w->capacity - w->size;
    ct_bit_writer beside = *w;
    beside.bytes = bytes;
    beside.size = 0;
    beside.capacity = sizeof(bytes);
    store_changes(config, record, base, words, &beside);
    w->is_full = w->is_full || beside.size > left;
    const uint32_t fits = beside.size < left ? beside.size : left;
    memcpy(w->bytes + w->size, bytes, fits);
    w->size += fits;
    w->held = beside.held;
    w->num_held = beside.num_held;
}

typedef uint32_t four_words __attribute__((vector_size(16)));

static inline four_words four_of(const uint32_t *words) {
    four_words four;
    memcpy(&four, words, sizeof(four));
    return four;
}

// As memcmp, but in line: most records are short.
static inline bool are_equal(const uint32_t *a, const uint32_t *b, uint32_t count) {
    four_words differs = {0}, differs_too = {0};
    uint32_t i = 0, differs_at_end = 0;
    for (; i + 8 <= count; i += 8) {
        differs |= four_of(a + i) ^ four_of(b + i);
        differs_too |= four_of(a + i + 4) ^ four_of(b + i + 4);
    }
    if (i + 4 <= count) {
        differs |= four_of(a + i) ^ four_of(b + i);
        i += 4;
    }
    for (; i < count; ++i)
        differs_at_end |= a[i] ^ b[i];
    differs |= differs_too;
    uint64_t halves[2];
    memcpy(halves, &differs, sizeof(halves));
    return (halves[0] | halves[1] | differs_at_end) == 0;
}

__attribute__((noinline)) static void write_differing(const ct_network_config_resource *config,
                                                      const ct_network_record_type *record,
                                                      const uint32_t *base, const uint32_t *words,
                                                      ct_bit_writer *w) {
    const uint32_t most_bytes = (record->num_words * 32 + CT_NETWORK_MAX_FIELDS * 4 + 40) / 8 + 9;
    if (w->capacity - w->size >= most_bytes)
        store_changes(config, record, base, words, w);
    else
        write_near_end(config, record, base, words, w);
    ct_bits_note_end(w);
}

void ct_network_record_write(const ct_network_config_resource *config,
                             const ct_network_record_type *record, const uint32_t *base,
                             const uint32_t *words, ct_bit_writer *w) {
    if (!are_equal(base, words, record->num_words))
        write_differing(config, record, base, words, w);
    else if (w->num_held < 31 && w->capacity - w->size >= 4)
        ++w->num_held; // a bit of 0
    else
        ct_bits_write(w, 0, 1);
}

uint64_t ct_network_record_measure(const ct_network_config_resource *config,
                                   const ct_network_record_type *record, const uint32_t *base,
                                   const uint32_t *words, uint16_t bits[CT_NETWORK_MAX_FIELDS]) {
    const parts p = parts_of(config, record);
    const uint64_t changed = changed_fields(record, p.fields, base, words);
    for (uint64_t left = changed; left != 0; left &= left - 1) {
        const uint32_t field = (uint32_t)__builtin_ctzll(left);
        uint8_t bytes[MOST_RECORD_BYTES];
        ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
        store_changed(&p, &p.fields[field], base, words, &w);
        bits[field] = (uint16_t)ct_bits_written(&w);
    }
    return changed;
}

INLINE void read_field(const ct_network_type *types, const ct_network_field *f,
                       const uint8_t *widths, const uint32_t *base, uint32_t *words,
                       ct_bit_reader *r) {
    const ct_network_type *const type = &types[f->type];
    const uint32_t first = f->first_word, end = first + f->num_words;
    const uint32_t class = is_narrow(f, widths) ? ALL_BITS : ct_bits_take(r, CLASS_BITS);
    words[first] = read_word(r, class, base[first], widths[first]);
    const uint32_t used = first + ct_network_words_used(types, type, words[first]);
    for (uint32_t i = first + 1; i < used; ++i)
        words[i] = read_word(r, class, base[i], widths[i]);
    for (uint32_t i = used; i < end; ++i)
        words[i] = 0;
}

void ct_network_record_read(const ct_network_config_resource *config,
                            const ct_network_record_type *record, const uint32_t *base,
                            uint32_t *words, ct_bit_reader *reader) {
    const parts p = parts_of(config, record);
    if (record->num_words > 0 && words != base)
        memcpy(words, base, 4 * (size_t)record->num_words);
    if (!ct_bits_take(reader, 1))
        return;
    ct_bit_reader r = *reader;
    for (uint64_t changed = take_mask(&r, record->num_fields); changed != 0; changed &= changed - 1)
        read_field(p.types, &p.fields[__builtin_ctzll(changed)], p.widths, base, words, &r);
    *reader = r;
}

uint64_t ct_network_record_hash(const ct_network_record_type *record, const uint32_t *words) {
    return ct_content_hash(words, 4 * (uint64_t)record->num_words);
}
