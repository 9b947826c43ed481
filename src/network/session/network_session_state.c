// States of sessions as bytes, for tests: their hash, and where two of them differ.
//
// A state, in little-endian numbers: magic, hash of the config, count of objects; then for each, by
// id: id, type, owner's peer, words.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "network/session/network_session_private.h"
#include "resource/blob/content_hash.h"

enum { MAGIC = 0x5453434e, HEADER_BYTES = 16, OBJECT_BYTES = 16 };

// --- Writing -------------------------------------------------------------------------------------

static void write_number(ct_network_state_bytes *out, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
        ct_array_push(out, (uint8_t)(value >> 8 * i));
}

void ct_network_session_write_state(const ct_network_session *s, ct_network_state_bytes *out) {
    const uint32_t count = s->objects.count;
    ct_u32_array ids;
    ct_array_init(&ids, s->allocator);
    ct_array_resize(&ids, count);
    ct_network_session_objects(s, 0, ids.items, count);
    write_number(out, MAGIC, 4);
    write_number(out, s->desc.config->hash, 8);
    write_number(out, count, 4);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = ct_network_objects_find(s, ids.items[i]);
        const ct_network_session_object *const o = &s->objects.items.items[place];
        const uint32_t *const words = ct_network_objects_words(s, place);
        write_number(out, o->id, 4);
        write_number(out, o->type, 4);
        write_number(out, ct_network_peer_id_of_slot(s, o->owner), 8);
        for (uint32_t k = 0; k < s->types[o->type].num_words; ++k)
            write_number(out, words[k], 4);
    }
    ct_array_free(&ids);
}

uint64_t ct_network_session_state_hash(const ct_network_session *s) {
    ct_network_state_bytes bytes;
    ct_array_init(&bytes, s->allocator);
    ct_network_session_write_state(s, &bytes);
    const uint64_t hash = ct_content_hash(bytes.items, bytes.count);
    ct_array_free(&bytes);
    return hash;
}

// --- Comparing -----------------------------------------------------------------------------------

// Where reading a state is.
typedef struct state_reader {
    const ct_network_config_resource *config;
    const uint8_t *at, *end;
    uint32_t left; // objects
    // The object that was read last; id 0: there are no more.
    ct_network_object_id id;
    uint32_t type;
    ct_peer_id owner;
    uint32_t words[CT_NETWORK_MAX_WORDS];
} state_reader;

static uint64_t read_number(state_reader *r, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes && r->at < r->end; ++i)
        value |= (uint64_t)*r->at++ << 8 * i;
    return value;
}

// Returns NULL, or what is wrong with the bytes.
static const char *read_object(state_reader *r) {
    const ct_network_object_id last = r->id;
    r->id = 0;
    if (r->left == 0)
        return r->at == r->end ? NULL : "has bytes behind its end";
    --r->left;
    if (r->end - r->at < OBJECT_BYTES)
        return "is cut short";
    r->id = (uint32_t)read_number(r, 4);
    r->type = (uint32_t)read_number(r, 4);
    r->owner = read_number(r, 8);
    if (r->id <= last || r->type >= r->config->objects.count)
        return "has an object of an unknown type, or not in the order of ids";
    const ct_network_record_type *const type = &ct_network_config_objects(r->config)[r->type];
    if ((uint64_t)(r->end - r->at) < 4 * (uint64_t)type->num_words)
        return "is cut short";
    for (uint32_t i = 0; i < type->num_words; ++i)
        r->words[i] = (uint32_t)read_number(r, 4);
    return ct_network_record_check(r->config, type, r->words) ? NULL
                                                              : "has a field out of its range";
}

static const char *open_state(state_reader *r, const ct_network_config_resource *config,
                              const void *bytes, uint64_t size) {
    *r = (state_reader){.config = config, .at = bytes, .end = (const uint8_t *)bytes + size};
    if (size < HEADER_BYTES || read_number(r, 4) != MAGIC)
        return "is no state";
    if (read_number(r, 8) != config->hash)
        return "is of another network_config";
    r->left = (uint32_t)read_number(r, 4);
    return read_object(r);
}

static const char *name_of(const ct_network_config_resource *config, ct_blob_string name) {
    return ct_blob_at(config, name.offset);
}

static void append(char *text, uint32_t bytes, const char *format, ...) CT_PRINTF(3, 4);

static void append(char *text, uint32_t bytes, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

static void append_value(const ct_network_config_resource *config, const ct_network_value *v,
                         const ct_network_type *type, char *text, uint32_t bytes) {
    static const uint32_t num_parts[CT_NETWORK_KINDS] = {
        [CT_NETWORK_VECTOR2] = 2, [CT_NETWORK_VECTOR3] = 3, [CT_NETWORK_ROTATION] = 4};
    const ct_blob_string *const lookups = ct_blob_at(config, config->lookups.offset);
    switch (v->kind) {
    case CT_NETWORK_BOOL:
        append(text, bytes, "%s", v->boolean ? "true" : "false");
        break;
    case CT_NETWORK_INTEGER:
        append(text, bytes, "%d", v->integer);
        break;
    case CT_NETWORK_FLOAT:
        append(text, bytes, "%.9g", (double)v->number);
        break;
    case CT_NETWORK_STRING:
        append(text, bytes, "\"%.*s\"", (int)v->string.bytes, v->string.text);
        break;
    case CT_NETWORK_LOOKUP:
        append(text, bytes, "%s", name_of(config, lookups[type->first_lookup + v->lookup]));
        break;
    case CT_NETWORK_OBJECT:
        append(text, bytes, "object %u.%u", (uint32_t)v->id >> CT_NETWORK_COUNT_BITS,
               (uint32_t)v->id & CT_NETWORK_MAX_COUNT);
        break;
    case CT_NETWORK_ID:
    case CT_NETWORK_PEER:
        append(text, bytes, "%016llx", (unsigned long long)v->id);
        break;
    default:
        for (uint32_t i = 0; i < num_parts[v->kind]; ++i)
            append(text, bytes, "%s%.9g", i ? ", " : "(", (double)v->parts[i]);
        append(text, bytes, ")");
    }
}

static void format_field(const state_reader *r, uint32_t field, char *text, uint32_t bytes) {
    const ct_network_record_type *const record = &ct_network_config_objects(r->config)[r->type];
    const ct_network_field *const f = &ct_network_record_fields(r->config, record)[field];
    const ct_network_type *const types = ct_network_config_types(r->config);
    const ct_network_type *const type = &types[f->type];
    ct_network_value v = ct_network_record_get(r->config, record, field, UINT32_MAX, r->words);
    text[0] = 0;
    if (type->kind != CT_NETWORK_ARRAY) {
        append_value(r->config, &v, type, text, bytes);
        return;
    }
    const uint32_t count = v.count;
    append(text, bytes, "[");
    for (uint32_t i = 0; i < count; ++i) {
        v = ct_network_record_get(r->config, record, field, i, r->words);
        append(text, bytes, "%s", i ? ", " : "");
        append_value(r->config, &v, &types[type->element], text, bytes);
    }
    append(text, bytes, "]");
}

static bool say_difference(const state_reader r[2], ct_network_state_difference *d,
                           const char *what) {
    const ct_network_config_resource *const config = r[0].config;
    snprintf(d->message, sizeof(d->message),
             "object %u.%u of type %s: %s is %s in the first state, "
             "%s in the second",
             d->object >> CT_NETWORK_COUNT_BITS, d->object & CT_NETWORK_MAX_COUNT,
             name_of(config, ct_network_config_objects(config)[d->type].name), what, d->text[0],
             d->text[1]);
    return false;
}

// Compares the objects that both readers are at; either may be at its end.
static bool compare_objects(const state_reader r[2], ct_network_state_difference *d) {
    const ct_network_config_resource *const config = r[0].config;
    const bool is_in[2] = {r[0].id != 0 && (r[1].id == 0 || r[0].id <= r[1].id),
                           r[1].id != 0 && (r[0].id == 0 || r[1].id <= r[0].id)};
    const state_reader *const one = is_in[0] ? &r[0] : &r[1];
    const ct_network_record_type *const types = ct_network_config_objects(config);
    d->object = one->id;
    d->type = one->type;
    d->field = UINT32_MAX;
    if (!is_in[0] || !is_in[1]) {
        for (uint32_t i = 0; i < 2; ++i)
            snprintf(d->text[i], sizeof(d->text[i]), "%s", is_in[i] ? "there" : "missing");
        return say_difference(r, d, "it");
    }
    if (r[0].type != r[1].type) {
        for (uint32_t i = 0; i < 2; ++i)
            snprintf(d->text[i], sizeof(d->text[i]), "%s", name_of(config, types[r[i].type].name));
        return say_difference(r, d, "its type");
    }
    if (r[0].owner != r[1].owner) {
        for (uint32_t i = 0; i < 2; ++i)
            snprintf(d->text[i], sizeof(d->text[i]), "%016llx", (unsigned long long)r[i].owner);
        return say_difference(r, d, "its owner");
    }
    const ct_network_field *const fields = ct_network_record_fields(config, &types[d->type]);
    for (uint32_t i = 0; i < types[d->type].num_fields; ++i) {
        if (memcmp(r[0].words + fields[i].first_word, r[1].words + fields[i].first_word,
                   sizeof(uint32_t) * fields[i].num_words) == 0)
            continue;
        d->field = i;
        for (uint32_t k = 0; k < 2; ++k)
            format_field(&r[k], i, d->text[k], sizeof(d->text[k]));
        return say_difference(r, d, name_of(config, fields[i].name));
    }
    return true;
}

bool ct_network_session_compare(const ct_network_config_resource *config, const void *a,
                                uint64_t a_bytes, const void *b, uint64_t b_bytes,
                                ct_network_state_difference *difference) {
    state_reader r[2];
    *difference = (ct_network_state_difference){.type = UINT32_MAX, .field = UINT32_MAX};
    const char *wrong[2] = {open_state(&r[0], config, a, a_bytes),
                            open_state(&r[1], config, b, b_bytes)};
    while (!wrong[0] && !wrong[1]) {
        if (r[0].id == 0 && r[1].id == 0)
            return true;
        if (!compare_objects(r, difference))
            return false;
        wrong[0] = read_object(&r[0]);
        wrong[1] = read_object(&r[1]);
    }
    *difference = (ct_network_state_difference){.type = UINT32_MAX, .field = UINT32_MAX};
    snprintf(difference->message, sizeof(difference->message), "the %s state %s",
             wrong[0] ? "first" : "second", wrong[0] ? wrong[0] : wrong[1]);
    return false;
}
