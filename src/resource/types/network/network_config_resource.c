#include "resource/types/network_config_resource.h"

const ct_blob_layout ct_network_type_layout = CT_BLOB_STRUCT(
    ct_network_type, CT_BLOB_NUMBERS(4, ct_network_type, id, id),
    CT_BLOB_STRING(ct_network_type, name), CT_BLOB_NUMBERS(4, ct_network_type, kind, num_words));

const ct_blob_layout ct_network_field_layout = CT_BLOB_STRUCT(
    ct_network_field, CT_BLOB_NUMBERS(4, ct_network_field, id, id),
    CT_BLOB_STRING(ct_network_field, name), CT_BLOB_NUMBERS(4, ct_network_field, type, num_words));

const ct_blob_layout ct_network_record_type_layout =
    CT_BLOB_STRUCT(ct_network_record_type, CT_BLOB_NUMBERS(4, ct_network_record_type, id, id),
                   CT_BLOB_STRING(ct_network_record_type, name),
                   CT_BLOB_NUMBERS(4, ct_network_record_type, first_field, is_shared));

const ct_blob_layout ct_network_config_layout =
    CT_BLOB_ROOT(ct_network_config_resource, "a network config",
                 CT_BLOB_NUMBERS(8, ct_network_config_resource, hash, hash),
                 CT_BLOB_ARRAY(ct_network_config_resource, types, ct_network_type_layout),
                 CT_BLOB_ARRAY(ct_network_config_resource, messages, ct_network_record_type_layout),
                 CT_BLOB_ARRAY(ct_network_config_resource, objects, ct_network_record_type_layout),
                 CT_BLOB_ARRAY(ct_network_config_resource, fields, ct_network_field_layout),
                 CT_BLOB_ARRAY(ct_network_config_resource, widths, ct_blob_u8_layout),
                 CT_BLOB_ARRAY(ct_network_config_resource, defaults, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(ct_network_config_resource, lookups, ct_blob_string_layout));

// --- Arrays --------------------------------------------------------------------------------------

const ct_network_type *ct_network_config_types(const ct_network_config_resource *config) {
    return ct_blob_at(config, config->types.offset);
}

const ct_network_record_type *ct_network_config_messages(const ct_network_config_resource *config) {
    return ct_blob_at(config, config->messages.offset);
}

const ct_network_record_type *ct_network_config_objects(const ct_network_config_resource *config) {
    return ct_blob_at(config, config->objects.offset);
}

const ct_network_field *ct_network_record_fields(const ct_network_config_resource *config,
                                                 const ct_network_record_type *record) {
    const ct_network_field *const fields = ct_blob_at(config, config->fields.offset);
    return fields + record->first_field;
}

const uint8_t *ct_network_record_widths(const ct_network_config_resource *config,
                                        const ct_network_record_type *record) {
    const uint8_t *const widths = ct_blob_at(config, config->widths.offset);
    return widths + record->first_width;
}

const uint32_t *ct_network_record_defaults(const ct_network_config_resource *config,
                                           const ct_network_record_type *record) {
    const uint32_t *const defaults = ct_blob_at(config, config->defaults.offset);
    return defaults + record->first_width;
}

const char *ct_network_config_lookup(const ct_network_config_resource *config,
                                     const ct_network_type *type, uint32_t index) {
    const ct_blob_string *const lookups = ct_blob_at(config, config->lookups.offset);
    return ct_blob_at(config, lookups[type->first_lookup + index].offset);
}

// --- Look-up -------------------------------------------------------------------------------------

static uint32_t find_record(const ct_network_record_type *records, uint32_t count,
                            ct_string_id32 id) {
    uint32_t first = 0, last = count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (records[middle].id.value < id.value)
            first = middle + 1;
        else
            last = middle;
    }
    return first < count && records[first].id.value == id.value ? first : UINT32_MAX;
}

uint32_t ct_network_config_message(const ct_network_config_resource *config, ct_string_id32 id) {
    return find_record(ct_network_config_messages(config), config->messages.count, id);
}

uint32_t ct_network_config_object(const ct_network_config_resource *config, ct_string_id32 id) {
    return find_record(ct_network_config_objects(config), config->objects.count, id);
}

uint32_t ct_network_config_field(const ct_network_config_resource *config,
                                 const ct_network_record_type *record, ct_string_id32 id) {
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        if (fields[i].id.value == id.value)
            return i;
    }
    return UINT32_MAX;
}
