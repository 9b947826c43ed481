// A summary is: 4 bytes of mark, a byte of version, a byte that is 1 when items are left out; then
// items: bytes of kind, length of name, length of text, 8 bytes of hash (lowest first), name, text.
// Fields follow the message or object that they belong to.
#include "network/fields/network_difference.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"
#include "resource/types/network/network_config_hash.h"
#include "resource/types/network/network_value.h"

enum { VERSION = 1, HEAD_BYTES = 6, ITEM_BYTES = 11, MOST_NAME = 255, DESCRIPTION_BYTES = 128 };

static const char mark[4] = {'C', 'T', 'N', 'S'};

typedef enum item_kind { ITEM_TYPE = 1, ITEM_MESSAGE, ITEM_OBJECT, ITEM_FIELD } item_kind;

typedef struct item {
    uint32_t kind;
    uint64_t hash;
    const char *name, *text; // not terminated
    uint32_t name_bytes, text_bytes;
} item;

// --- Descriptions --------------------------------------------------------------------------------

static void describe_range(const ct_network_type *t, const char *kind, uint32_t num_parts,
                           char text[DESCRIPTION_BYTES]) {
    int at = snprintf(text, DESCRIPTION_BYTES, "%s ", kind);
    if (t->bits == CT_NETWORK_EXACT_BITS) {
        snprintf(text + at, DESCRIPTION_BYTES - (size_t)at, "without a range");
        return;
    }
    for (uint32_t i = 0; i < num_parts; ++i)
        at += snprintf(text + at, DESCRIPTION_BYTES - (size_t)at, "%g..%g ", (double)t->min[i],
                       (double)t->max[i]);
    snprintf(text + at, DESCRIPTION_BYTES - (size_t)at, "of %u bits", t->bits);
}

static void describe(const ct_network_config_resource *c, const ct_network_type *t,
                     char text[DESCRIPTION_BYTES]) {
    const char *const kind = ct_network_kind_name(t->kind);
    const ct_network_type *const types = ct_network_config_types(c);
    switch (t->kind) {
    case CT_NETWORK_INTEGER:
        snprintf(text, DESCRIPTION_BYTES, "%s %d..%d", kind, (int)t->first, (int)t->last);
        break;
    case CT_NETWORK_FLOAT:
        describe_range(t, kind, 1, text);
        break;
    case CT_NETWORK_VECTOR2:
        describe_range(t, kind, 2, text);
        break;
    case CT_NETWORK_VECTOR3:
        describe_range(t, kind, 3, text);
        break;
    case CT_NETWORK_ROTATION:
        snprintf(text, DESCRIPTION_BYTES, "%s of %u bits", kind, t->bits);
        break;
    case CT_NETWORK_STRING:
        snprintf(text, DESCRIPTION_BYTES, "%s of at most %u bytes", kind, t->max_count);
        break;
    case CT_NETWORK_LOOKUP:
        snprintf(text, DESCRIPTION_BYTES, "%s of %u names", kind, t->num_lookups);
        break;
    case CT_NETWORK_ARRAY:
        snprintf(text, DESCRIPTION_BYTES, "%s of at most %u of kind %s", kind, t->max_count,
                 ct_network_kind_name(types[t->element].kind));
        break;
    default:
        snprintf(text, DESCRIPTION_BYTES, "%s", kind);
    }
}

static item named_item(const ct_network_config_resource *c, uint32_t kind, ct_blob_string name,
                       uint64_t hash, const char *text) {
    item i = {.kind = kind, .hash = hash, .name = ct_blob_at(c, name.offset), .text = text};
    i.name_bytes = name.bytes < MOST_NAME ? name.bytes : MOST_NAME;
    while (i.name_bytes > 0 && !ct_utf8_is_valid(i.name, i.name_bytes))
        --i.name_bytes; // not in the middle of a character
    i.text_bytes = (uint32_t)strlen(text);
    return i;
}

static item type_item(const ct_network_config_resource *c, uint32_t type,
                      char text[DESCRIPTION_BYTES]) {
    const ct_network_type *const t = &ct_network_config_types(c)[type];
    describe(c, t, text);
    return named_item(c, ITEM_TYPE, t->name, ct_network_type_hash(c, t), text);
}

static item field_item(const ct_network_config_resource *c, const ct_network_record_type *r,
                       uint32_t field, char text[DESCRIPTION_BYTES]) {
    const ct_network_field *const f = &ct_network_record_fields(c, r)[field];
    describe(c, &ct_network_config_types(c)[f->type], text);
    return named_item(c, ITEM_FIELD, f->name, ct_network_field_hash(c, r, field), text);
}

static item record_item(const ct_network_config_resource *c, const ct_network_record_type *r,
                        uint32_t kind) {
    const char *const text = kind == ITEM_MESSAGE ? (r->is_reliable ? "reliable" : "unreliable")
                             : r->is_shared       ? "shared"
                                                  : "not shared";
    return named_item(c, kind, r->name, ct_network_record_type_hash(c, r), text);
}

// --- Writing -------------------------------------------------------------------------------------

typedef struct summary_writer {
    uint8_t *bytes;
    uint32_t size, capacity;
    bool is_cut;
} summary_writer;

static void write_item(summary_writer *w, item i) {
    const uint32_t bytes = ITEM_BYTES + i.name_bytes + i.text_bytes;
    w->is_cut = w->is_cut || bytes > w->capacity - w->size;
    if (w->is_cut)
        return;
    uint8_t *const to = w->bytes + w->size;
    to[0] = (uint8_t)i.kind;
    to[1] = (uint8_t)i.name_bytes;
    to[2] = (uint8_t)i.text_bytes;
    for (uint32_t k = 0; k < 8; ++k)
        to[3 + k] = (uint8_t)(i.hash >> 8 * k);
    memcpy(to + ITEM_BYTES, i.name, i.name_bytes);
    memcpy(to + ITEM_BYTES + i.name_bytes, i.text, i.text_bytes);
    w->size += bytes;
}

static void write_records(summary_writer *w, const ct_network_config_resource *c,
                          const ct_network_record_type *records, uint32_t count, uint32_t kind) {
    char text[DESCRIPTION_BYTES];
    for (uint32_t i = 0; i < count; ++i) {
        write_item(w, record_item(c, &records[i], kind));
        for (uint32_t k = 0; k < records[i].num_fields; ++k)
            write_item(w, field_item(c, &records[i], k, text));
    }
}

uint32_t ct_network_config_summary(const ct_network_config_resource *config, void *bytes,
                                   uint32_t capacity) {
    char text[DESCRIPTION_BYTES];
    summary_writer w = {.bytes = bytes, .size = HEAD_BYTES};
    w.capacity = capacity < CT_NETWORK_SUMMARY_BYTES ? capacity : CT_NETWORK_SUMMARY_BYTES;
    if (w.capacity < HEAD_BYTES)
        return 0;
    for (uint32_t i = 0; i < config->types.count; ++i)
        write_item(&w, type_item(config, i, text));
    write_records(&w, config, ct_network_config_messages(config), config->messages.count,
                  ITEM_MESSAGE);
    write_records(&w, config, ct_network_config_objects(config), config->objects.count,
                  ITEM_OBJECT);
    memcpy(w.bytes, mark, sizeof(mark));
    w.bytes[4] = VERSION;
    w.bytes[5] = w.is_cut;
    return w.size;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct summary_reader {
    const uint8_t *bytes;
    uint32_t size;
    bool is_cut;
} summary_reader;

// Reads the item at `*at`, and moves on. Returns false at the end, and for half an item.
static bool next_item(const summary_reader *r, uint32_t *at, item *out) {
    if (r->size - *at < ITEM_BYTES)
        return false;
    const uint8_t *const from = r->bytes + *at;
    *out = (item){.kind = from[0],
                  .name = (const char *)from + ITEM_BYTES,
                  .text = (const char *)from + ITEM_BYTES + from[1],
                  .name_bytes = from[1],
                  .text_bytes = from[2]};
    if (out->name_bytes + out->text_bytes > r->size - *at - ITEM_BYTES)
        return false;
    for (uint32_t k = 0; k < 8; ++k)
        out->hash |= (uint64_t)from[3 + k] << 8 * k;
    *at += ITEM_BYTES + out->name_bytes + out->text_bytes;
    return true;
}

static bool check_summary(const summary_reader *r, ct_error *error) {
    item i;
    uint32_t at = HEAD_BYTES, owner = 0;
    while (next_item(r, &at, &i)) {
        if (i.kind < ITEM_TYPE || i.kind > ITEM_FIELD || (i.kind == ITEM_FIELD && owner == 0))
            return ct_error_set(error, "found an item of kind %u before byte %u of a summary",
                                i.kind, at);
        if (i.name_bytes == 0 || !ct_utf8_is_valid(i.name, i.name_bytes) ||
            !ct_utf8_is_valid(i.text, i.text_bytes))
            return ct_error_set(error,
                                "found a name before byte %u of a summary that is empty or "
                                "not UTF-8",
                                at);
        if (i.kind != ITEM_FIELD)
            owner = i.kind == ITEM_TYPE ? 0 : i.kind;
    }
    return at == r->size ||
           ct_error_set(error, "found half an item at byte %u of a summary of %u", at, r->size);
}

static bool is_same_name(const item *a, const item *b) {
    return a->name_bytes == b->name_bytes && memcmp(a->name, b->name, a->name_bytes) == 0;
}

// Finds an item that is no field. Sets `after` to the place behind it.
static bool find_item(const summary_reader *r, const item *wanted, item *found, uint32_t *after) {
    for (*after = HEAD_BYTES; next_item(r, after, found);) {
        if (found->kind == wanted->kind && is_same_name(found, wanted))
            return true;
    }
    return false;
}

// --- The difference ------------------------------------------------------------------------------

typedef struct comparison {
    const ct_network_config_resource *config;
    summary_reader theirs;
    char text[2 * CT_NETWORK_DIFFERENCE_BYTES]; // raw; empty as long as there is no difference
} comparison;

static const char *kind_word(uint32_t kind) {
    return kind == ITEM_TYPE ? "type" : kind == ITEM_MESSAGE ? "message" : "object";
}

#define NAME(i) (int)(i)->name_bytes, (i)->name
#define TEXT(i) (int)(i)->text_bytes, (i)->text

// Writes what is different about an item that both have or only one; `where` comes before it.
static void note_item(comparison *c, const char *where, const char *word, const item *here,
                      const item *there) {
    const item *const any = here ? here : there;
    const int at = snprintf(c->text, sizeof(c->text), "%s%s \"%.*s\" is ", where, word, NAME(any));
    char *const to = c->text + at;
    const size_t left = sizeof(c->text) - (size_t)at;
    const bool is_alike = here && there && here->text_bytes == there->text_bytes &&
                          memcmp(here->text, there->text, here->text_bytes) == 0;
    if (is_alike)
        snprintf(to, left, "%.*s on both sides, with other names, elements or first value",
                 TEXT(here));
    else if (here && there)
        snprintf(to, left, "%.*s here, and %.*s there", TEXT(here), TEXT(there));
    else if (here)
        snprintf(to, left, "%.*s here, and is not there", TEXT(here));
    else
        snprintf(to, left, "%.*s there, and is not here", TEXT(there));
}

// Returns whether their record whose fields begin at `at` has a field of this name.
static bool has_field(const comparison *c, uint32_t at, const item *field) {
    item i;
    while (next_item(&c->theirs, &at, &i) && i.kind == ITEM_FIELD) {
        if (is_same_name(&i, field))
            return true;
    }
    return false;
}

static bool have_we_field(const comparison *c, const ct_network_record_type *r, const item *field) {
    char text[DESCRIPTION_BYTES];
    for (uint32_t k = 0; k < r->num_fields; ++k) {
        const item own = field_item(c->config, r, k, text);
        if (is_same_name(&own, field))
            return true;
    }
    return false;
}

static void compare_fields(comparison *c, const ct_network_record_type *r, const item *here,
                           const item *there, uint32_t first) {
    char where[MOST_NAME + 16], text[DESCRIPTION_BYTES];
    const char *const word = here->kind == ITEM_MESSAGE ? "argument" : "field";
    snprintf(where, sizeof(where), "%s \"%.*s\": ", kind_word(here->kind), NAME(here));
    uint32_t at = first;
    for (uint32_t k = 0;; ++k) {
        item theirs;
        const bool have_they = next_item(&c->theirs, &at, &theirs) && theirs.kind == ITEM_FIELD;
        const bool have_we = k < r->num_fields;
        const item own = have_we ? field_item(c->config, r, k, text) : (item){0};
        if (!have_we && !have_they)
            break;
        if (!have_they && c->theirs.is_cut)
            return;
        if (have_we && have_they && is_same_name(&own, &theirs)) {
            if (own.hash == theirs.hash)
                continue;
            note_item(c, where, word, &own, &theirs);
        } else if (have_we && !c->theirs.is_cut && !has_field(c, first, &own)) {
            note_item(c, where, word, &own, NULL);
        } else if (have_they && !have_we_field(c, r, &theirs)) {
            note_item(c, where, word, NULL, &theirs);
        } else if (have_we && have_they) {
            snprintf(c->text, sizeof(c->text), "%s%s %u is \"%.*s\" here, and \"%.*s\" there",
                     where, word, k + 1, NAME(&own), NAME(&theirs));
        } else {
            snprintf(c->text, sizeof(c->text), "%sthe %ss are not as many", where, word);
        }
        return;
    }
    note_item(c, "", kind_word(here->kind), here, there);
}

static void compare_types(comparison *c) {
    char text[DESCRIPTION_BYTES];
    for (uint32_t i = 0; i < c->config->types.count && !c->text[0]; ++i) {
        uint32_t after;
        item there;
        const item here = type_item(c->config, i, text);
        const bool is_found = find_item(&c->theirs, &here, &there, &after);
        if (is_found && there.hash != here.hash)
            note_item(c, "", "type", &here, &there);
        else if (!is_found && !c->theirs.is_cut)
            note_item(c, "", "type", &here, NULL);
    }
}

static void compare_records(comparison *c, const ct_network_record_type *records, uint32_t count,
                            uint32_t kind) {
    for (uint32_t i = 0; i < count && !c->text[0]; ++i) {
        uint32_t after;
        item there;
        const item here = record_item(c->config, &records[i], kind);
        const bool is_found = find_item(&c->theirs, &here, &there, &after);
        if (is_found && there.hash != here.hash)
            compare_fields(c, &records[i], &here, &there, after);
        else if (!is_found && !c->theirs.is_cut)
            note_item(c, "", kind_word(kind), &here, NULL);
    }
}

static bool have_we(const ct_network_config_resource *c, const item *i) {
    const ct_string_id32 id = ct_string_id32_of_bytes(i->name, i->name_bytes);
    if (i->name_bytes == MOST_NAME)
        return true; // maybe only its beginning
    if (i->kind == ITEM_MESSAGE)
        return ct_network_config_message(c, id) != UINT32_MAX;
    if (i->kind == ITEM_OBJECT)
        return ct_network_config_object(c, id) != UINT32_MAX;
    const ct_network_type *const types = ct_network_config_types(c);
    for (uint32_t k = 0; k < c->types.count; ++k) {
        if (types[k].id.value == id.value)
            return true;
    }
    return false;
}

static void find_what_only_they_have(comparison *c) {
    item i;
    for (uint32_t at = HEAD_BYTES; !c->text[0] && next_item(&c->theirs, &at, &i);) {
        if (i.kind != ITEM_FIELD && !have_we(c->config, &i))
            note_item(c, "", kind_word(i.kind), NULL, &i);
    }
}

bool ct_network_config_difference(const ct_network_config_resource *config, const void *summary,
                                  uint32_t size, char text[CT_NETWORK_DIFFERENCE_BYTES],
                                  ct_error *error) {
    const uint8_t *const bytes = summary;
    if (size < HEAD_BYTES || size > CT_NETWORK_SUMMARY_BYTES ||
        memcmp(bytes, mark, sizeof(mark)) != 0)
        return ct_error_set(error, "found %u bytes that are no summary of a network config", size);
    if (bytes[4] != VERSION || bytes[5] > 1)
        return ct_error_set(error, "found a summary of version %u, expected %d", bytes[4], VERSION);
    comparison c = {.config = config, .theirs = {bytes, size, bytes[5] == 1}};
    if (!check_summary(&c.theirs, error))
        return false;
    compare_types(&c);
    compare_records(&c, ct_network_config_messages(config), config->messages.count, ITEM_MESSAGE);
    compare_records(&c, ct_network_config_objects(config), config->objects.count, ITEM_OBJECT);
    find_what_only_they_have(&c);
    ct_utf8_write_printable(text, CT_NETWORK_DIFFERENCE_BYTES, c.text);
    return true;
}
