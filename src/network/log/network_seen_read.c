// network_seen_read.c: items read; any bytes are allowed.
#include "network/log/network_seen.h"
#include "network/log/network_seen_private.h"
#include <string.h>

static const char CUT[] = "what the session saw is cut short";

// Reads a number of at most `most`. Beyond that, or beyond the end, `*fault` is set.
static uint64_t take_number(ct_network_seen_reader *r, uint64_t most, const char **fault) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64 && r->at < r->end; shift += 7) {
        const uint8_t byte = *r->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        if (value > most && !*fault)
            *fault = "a number of what the session saw is out of range";
        return value <= most ? value : 0;
    }
    if (!*fault)
        *fault = CUT;
    return 0;
}

static uint64_t take_bytes(ct_network_seen_reader *r, uint32_t bytes, const char **fault) {
    uint64_t value = 0;
    if (r->end - r->at < (ptrdiff_t)bytes) {
        *fault = CUT;
        return 0;
    }
    for (uint32_t i = 0; i < bytes; ++i)
        value |= (uint64_t)*r->at++ << (8 * i);
    return value;
}

static void take_values(ct_network_seen_reader *r, ct_network_seen *what, const char **fault) {
    const ct_network_config_resource *const config = r->config;
    const ct_network_record_type *const record = ct_network_seen_record(config, what);
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    if (record->num_words > 0)
        memcpy(r->words, ct_network_record_defaults(config, record), 4 * record->num_words);
    const uint32_t count = record->num_fields;
    what->fields = take_number(r, count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1, fault);
    what->words = r->words;
    what->field_bits = r->field_bits;
    for (uint64_t left = what->fields; left != 0 && !*fault; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        const ct_network_type *const type = &types[fields[i].type];
        uint32_t *const words = r->words + fields[i].first_word;
        r->field_bits[i] = (uint16_t)take_number(r, UINT16_MAX, fault);
        memset(words, 0, 4 * fields[i].num_words);
        words[0] = (uint32_t)take_number(r, UINT32_MAX, fault);
        const uint32_t used = ct_network_words_used(types, type, words[0]);
        for (uint32_t k = 1; k < used && !*fault; ++k)
            words[k] = (uint32_t)take_number(r, UINT32_MAX, fault);
        if (!*fault && !ct_network_value_check(types, type, words))
            *fault = "a value of what the session saw is out of range";
    }
}

static void take_text(ct_network_seen_reader *r, ct_network_seen *what, const char **fault) {
    const uint32_t bytes = (uint32_t)take_number(r, CT_NETWORK_SEEN_TEXT_BYTES - 1, fault);
    if (*fault || r->end - r->at < (ptrdiff_t)bytes) {
        *fault = *fault ? *fault : CUT;
        return;
    }
    for (uint32_t i = 0; i < bytes; ++i) {
        r->text[i] = (char)*r->at++;
        if (r->text[i] < 32 || r->text[i] > 126)
            *fault = "a name of what the session saw is damaged";
    }
    r->text[bytes] = 0;
    what->control = r->text;
}

static void take_parts(ct_network_seen_reader *r, uint32_t parts, ct_network_seen *what,
                       const char **fault) {
    const bool is_message = parts & SEEN_MESSAGE;
    const uint32_t num_records = is_message ? r->config->messages.count : r->config->objects.count;
    if (parts & SEEN_BITS)
        what->bits = (uint32_t)take_number(r, UINT32_MAX, fault);
    if (parts & SEEN_OBJECT)
        what->object = (uint32_t)take_number(r, UINT32_MAX, fault);
    if (parts & (SEEN_RECORD | SEEN_MESSAGE)) {
        what->record = (uint32_t)take_number(r, UINT32_MAX, fault);
        if (what->record >= num_records)
            *fault = "a type of what the session saw is unknown";
    }
    if (*fault)
        return;
    if (parts & SEEN_FROM)
        what->from = take_bytes(r, 8, fault);
    if (parts & SEEN_TO)
        what->to = take_bytes(r, 8, fault);
    if (parts & SEEN_PACKET) {
        what->acknowledged = (uint32_t)take_number(r, UINT32_MAX, fault);
        what->time = (uint32_t)take_number(r, UINT32_MAX, fault);
        const uint32_t seconds = (uint32_t)take_bytes(r, 4, fault);
        memcpy(&what->round_trip, &seconds, sizeof(seconds));
        if (!(what->round_trip >= 0 && what->round_trip < 1e6f))
            what->round_trip = 0;
    }
    if (parts & SEEN_NUMBER) {
        what->number = (uint32_t)take_number(r, UINT32_MAX, fault);
        what->num_entries = (uint32_t)take_number(r, UINT32_MAX, fault);
    }
    if (parts & SEEN_VALUES)
        take_values(r, what, fault);
    if (parts & SEEN_TEXT)
        take_text(r, what, fault);
}

void ct_network_seen_open(ct_network_seen_reader *r, const ct_network_config_resource *config,
                          ct_peer_id peer, const uint8_t *bytes, uint32_t size) {
    r->config = config;
    r->peer = peer;
    r->at = bytes;
    r->end = bytes + size;
}

bool ct_network_seen_next(ct_network_seen_reader *r, ct_network_seen *what, const char **fault) {
    *fault = NULL;
    if (r->at == r->end)
        return false;
    const uint8_t first = *r->at++;
    const uint32_t parts = ct_network_seen_parts(first & SEEN_KIND);
    *what = (ct_network_seen){
        .kind = (ct_network_seen_kind)(first & SEEN_KIND),
        .peer = r->peer,
        .is_sent = first & SEEN_SENT,
        .is_reliable = first & SEEN_RELIABLE,
        .is_dropped = first & SEEN_DROPPED,
    };
    if (parts == 0)
        *fault = "a kind of what the session saw is unknown";
    else
        take_parts(r, parts, what, fault);
    return !*fault;
}
