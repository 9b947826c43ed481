#include "network/fields/network_record.h"

#include <string.h>

#include "foundation/error.h"
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

// The bits of a difference in each size class, by the width of the word; 0: always all bits.
typedef struct word_classes {
    uint8_t small, medium;
} word_classes;

static const word_classes classes[33] = {
    {0},     {0},     {0},     {0},     {0},     {0},     {3, 5},  {3, 5},  {4, 6},
    {4, 6},  {5, 7},  {5, 8},  {5, 8},  {6, 9},  {6, 9},  {6, 9},  {6, 10}, {6, 10},
    {7, 11}, {7, 11}, {7, 12}, {8, 12}, {8, 13}, {8, 13}, {8, 14}, {8, 14}, {8, 16},
    {8, 16}, {8, 16}, {8, 18}, {8, 20}, {8, 20}, {8, 20},
};

static inline uint32_t mask_of(uint32_t width) {
    return UINT32_MAX >> (32 - width);
}

// The difference within `width` bits, wrapped around; small numbers for small ones of both signs.
static inline uint32_t zigzag_of(uint32_t base, uint32_t word, uint32_t width) {
    const int32_t difference = (int32_t)((word - base) << (32 - width)) >> (32 - width);
    return (uint32_t)difference << 1 ^ (uint32_t)(difference >> 31);
}

// A bit of 0 and a small difference; or 1, 0 and a medium one; or 1, 1 and all bits.
static inline void write_word(ct_bit_writer *w, uint32_t base, uint32_t word, uint32_t width) {
    const word_classes c = classes[width];
    if (c.small == 0) {
        ct_bits_put(w, word, width);
        return;
    }
    const uint32_t zigzag = zigzag_of(base, word, width);
    if (zigzag >> c.small == 0) {
        ct_bits_put(w, zigzag << 1, c.small + 1u);
    } else if (zigzag >> c.medium == 0) {
        ct_bits_put(w, zigzag << 2 | 1, c.medium + 2u);
    } else {
        ct_bits_put(w, 3, 2);
        ct_bits_put(w, word, width);
    }
}

static inline uint32_t read_word(ct_bit_reader *r, uint32_t base, uint32_t width) {
    const word_classes c = classes[width];
    uint32_t bits = c.small;
    if (c.small == 0)
        return ct_bits_take(r, width);
    if (ct_bits_take(r, 1)) {
        if (ct_bits_take(r, 1))
            return ct_bits_take(r, width);
        bits = c.medium;
    }
    const uint32_t zigzag = ct_bits_take(r, bits);
    return (base + (zigzag >> 1 ^ (0 - (zigzag & 1)))) & mask_of(width);
}

// --- Records -------------------------------------------------------------------------------------

static uint64_t changed_fields(const ct_network_field *fields, uint32_t num_fields,
                               const uint32_t *base, const uint32_t *words) {
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

static inline void put_mask(ct_bit_writer *w, uint64_t mask, uint32_t count) {
    if (count > 32) {
        ct_bits_put(w, (uint32_t)mask, 32);
        ct_bits_put(w, (uint32_t)(mask >> 32), count - 32);
    } else {
        ct_bits_put(w, (uint32_t)mask, count);
    }
}

static inline uint64_t take_mask(ct_bit_reader *r, uint32_t count) {
    if (count <= 32)
        return ct_bits_take(r, count);
    const uint32_t low = ct_bits_take(r, 32);
    return (uint64_t)ct_bits_take(r, count - 32) << 32 | low;
}

static void write_changes(const ct_network_config_resource *config,
                          const ct_network_record_type *record, const uint32_t *base,
                          const uint32_t *words, ct_bit_writer *writer) {
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    const uint8_t *const widths = ct_network_record_widths(config, record);
    ct_bit_writer w = *writer;
    uint64_t changed = changed_fields(fields, record->num_fields, base, words);
    ct_bits_put(&w, 1, 1);
    put_mask(&w, changed, record->num_fields);
    for (; changed != 0; changed &= changed - 1) {
        const ct_network_field *const f = &fields[__builtin_ctzll(changed)];
        const uint32_t used = ct_network_words_used(types, &types[f->type], words[f->first_word]);
        for (uint32_t i = f->first_word; i < f->first_word + used; ++i)
            write_word(&w, base[i], words[i], widths[i]);
    }
    *writer = w;
}

void ct_network_record_write(const ct_network_config_resource *config,
                             const ct_network_record_type *record, const uint32_t *base,
                             const uint32_t *words, ct_bit_writer *w) {
    if (record->num_words == 0 || memcmp(base, words, 4 * (size_t)record->num_words) == 0)
        ct_bits_put(w, 0, 1);
    else
        write_changes(config, record, base, words, w);
    ct_bits_note_end(w);
}

static void read_field(const ct_network_type *types, const ct_network_field *f,
                       const uint8_t *widths, const uint32_t *base, uint32_t *words,
                       ct_bit_reader *r) {
    const ct_network_type *const type = &types[f->type];
    const uint32_t first = f->first_word, end = first + f->num_words;
    words[first] = read_word(r, base[first], widths[first]);
    const uint32_t used = first + ct_network_words_used(types, type, words[first]);
    for (uint32_t i = first + 1; i < used; ++i)
        words[i] = read_word(r, base[i], widths[i]);
    for (uint32_t i = used; i < end; ++i)
        words[i] = 0;
}

void ct_network_record_read(const ct_network_config_resource *config,
                            const ct_network_record_type *record, const uint32_t *base,
                            uint32_t *words, ct_bit_reader *reader) {
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    const uint8_t *const widths = ct_network_record_widths(config, record);
    ct_bit_reader r = *reader;
    if (record->num_words > 0 && words != base)
        memcpy(words, base, 4 * (size_t)record->num_words);
    if (ct_bits_take(&r, 1)) {
        for (uint64_t changed = take_mask(&r, record->num_fields); changed != 0;
             changed &= changed - 1)
            read_field(types, &fields[__builtin_ctzll(changed)], widths, base, words, &r);
    }
    *reader = r;
}

uint64_t ct_network_record_hash(const ct_network_record_type *record, const uint32_t *words) {
    return ct_content_hash(words, 4 * (uint64_t)record->num_words);
}
