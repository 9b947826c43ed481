// network_seen.c: items written.
#include "network/log/network_seen.h"
#include "network/log/network_seen_private.h"
#include <string.h>

static void add_number(ct_byte_array *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        ct_array_push(out, (uint8_t)(value | 0x80));
    ct_array_push(out, (uint8_t)value);
}

static void add_bytes(ct_byte_array *out, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
        ct_array_push(out, (uint8_t)(value >> (8 * i)));
}

static void add_values(const ct_network_config_resource *config, const ct_network_seen *what,
                       ct_byte_array *out) {
    const ct_network_record_type *const record = ct_network_seen_record(config, what);
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    add_number(out, what->fields);
    for (uint64_t left = what->fields; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        const uint32_t *const words = what->words + fields[i].first_word;
        const uint32_t used = ct_network_words_used(types, &types[fields[i].type], words[0]);
        add_number(out, what->field_bits[i]);
        for (uint32_t k = 0; k < used; ++k)
            add_number(out, words[k]);
    }
}

void ct_network_seen_write(const ct_network_config_resource *config, const ct_network_seen *what,
                           ct_byte_array *out) {
    const uint32_t parts = ct_network_seen_parts(what->kind);
    ct_array_push(out, (uint8_t)((uint32_t)what->kind | (what->is_sent ? SEEN_SENT : 0) |
                                 (what->is_reliable ? SEEN_RELIABLE : 0) |
                                 (what->is_dropped ? SEEN_DROPPED : 0)));
    if (parts & SEEN_BITS)
        add_number(out, what->bits);
    if (parts & SEEN_OBJECT)
        add_number(out, what->object);
    if (parts & (SEEN_RECORD | SEEN_MESSAGE))
        add_number(out, what->record);
    if (parts & SEEN_FROM)
        add_bytes(out, what->from, 8);
    if (parts & SEEN_TO)
        add_bytes(out, what->to, 8);
    if (parts & SEEN_PACKET) {
        uint32_t seconds;
        memcpy(&seconds, &what->round_trip, sizeof(seconds));
        add_number(out, what->acknowledged);
        add_number(out, what->time);
        add_bytes(out, seconds, 4);
    }
    if (parts & SEEN_NUMBER) {
        add_number(out, what->number);
        add_number(out, what->num_entries);
    }
    if (parts & SEEN_VALUES)
        add_values(config, what, out);
    if (parts & SEEN_TEXT) {
        const uint32_t bytes = (uint32_t)strlen(what->control);
        add_number(out, bytes);
        ct_array_push_many(out, (const uint8_t *)what->control, bytes);
    }
}
