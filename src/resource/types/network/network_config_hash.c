#include "resource/types/network/network_config_hash.h"

#include <string.h>

#include "resource/blob/content_hash.h"

// The hash of `value` behind all that `hash` has.
static uint64_t with(uint64_t hash, uint64_t value) {
    uint8_t bytes[16];
    for (uint32_t i = 0; i < 8; ++i) {
        bytes[i] = (uint8_t)(hash >> 8 * i);
        bytes[8 + i] = (uint8_t)(value >> 8 * i);
    }
    return ct_content_hash(bytes, sizeof(bytes));
}

static uint64_t with_text(uint64_t hash, const void *blob, ct_blob_string text) {
    return with(hash, ct_content_hash(ct_blob_at(blob, text.offset), text.bytes));
}

static uint64_t with_float(uint64_t hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return with(hash, bits);
}

uint64_t ct_network_type_hash(const ct_network_config_resource *config,
                              const ct_network_type *type) {
    uint64_t hash = with_text(type->kind, config, type->name);
    hash = with(hash, type->bits);
    for (uint32_t i = 0; i < 3; ++i)
        hash = with_float(with_float(hash, type->min[i]), type->max[i]);
    hash = with(with(hash, (uint32_t)type->first), (uint32_t)type->last);
    hash = with(with(hash, type->max_count), type->num_words);
    if (type->kind == CT_NETWORK_ARRAY)
        hash = with(hash,
                    ct_network_type_hash(config, &ct_network_config_types(config)[type->element]));
    const ct_blob_string *const lookups = ct_blob_at(config, config->lookups.offset);
    for (uint32_t i = 0; i < type->num_lookups; ++i)
        hash = with_text(hash, config, lookups[type->first_lookup + i]);
    return hash;
}

uint64_t ct_network_field_hash(const ct_network_config_resource *config,
                               const ct_network_record_type *record, uint32_t field) {
    const ct_network_field *const f = &ct_network_record_fields(config, record)[field];
    const uint32_t *const words = ct_network_record_defaults(config, record) + f->first_word;
    uint64_t hash = with_text(0, config, f->name);
    hash = with(hash, ct_network_type_hash(config, &ct_network_config_types(config)[f->type]));
    for (uint32_t i = 0; i < f->num_words; ++i)
        hash = with(hash, words[i]);
    return hash;
}

uint64_t ct_network_record_type_hash(const ct_network_config_resource *config,
                                     const ct_network_record_type *record) {
    uint64_t hash = with_text(record->is_reliable | record->is_shared << 1, config, record->name);
    for (uint32_t i = 0; i < record->num_fields; ++i)
        hash = with(hash, ct_network_field_hash(config, record, i));
    return hash;
}

uint64_t ct_network_config_hash(const ct_network_config_resource *config) {
    uint64_t hash = with(CT_NETWORK_CONFIG_VERSION, config->types.count);
    for (uint32_t i = 0; i < config->types.count; ++i)
        hash = with(hash, ct_network_type_hash(config, &ct_network_config_types(config)[i]));
    hash = with(hash, config->messages.count);
    for (uint32_t i = 0; i < config->messages.count; ++i)
        hash =
            with(hash, ct_network_record_type_hash(config, &ct_network_config_messages(config)[i]));
    hash = with(hash, config->objects.count);
    for (uint32_t i = 0; i < config->objects.count; ++i)
        hash =
            with(hash, ct_network_record_type_hash(config, &ct_network_config_objects(config)[i]));
    return hash;
}
