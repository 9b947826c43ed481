#include "content/database/database_source.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content/database/source_json.h"
#include "content/database/source_key.h"
#include "foundation/sjson/sjson_writer.h"

enum { MOST_DEPTH = 512, MOST_TEXT_BYTES = 1 << 30, OPEN = 1, DONE = 2 };

typedef struct reader {
    ct_allocator *allocator;
    const ct_database *db;
    const char *path;
    ct_string_array *warnings;
    ct_error *error;
    ct_string_builder text;    // JSON
    ct_string_builder place;   // where the walk is: "units[3].values"
    CT_ARRAY(ct_guid) objects; // in the order of the text
    ct_hash_map states;        // of objects: OPEN, DONE
} reader;

typedef struct object_key {
    char *text;
    uint32_t length;
} object_key;

typedef CT_ARRAY(object_key) object_keys;

void ct_database_source_warn(ct_string_array *warnings, const char *path, const char *format, ...) {
    char message[CT_ERROR_MESSAGE_BYTES], line[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    ct_error warning;
    ct_error_set_at(&warning, path, 0, 0, "%s", message);
    ct_error_format_warning(&warning, line, sizeof(line));
    ct_array_push(warnings, ct_copy_string(warnings->allocator, line));
}

static bool fail(reader *r, ct_guid object, const char *format, ...) CT_PRINTF(3, 4);
static bool fail(reader *r, ct_guid object, const char *format, ...) {
    char message[CT_ERROR_MESSAGE_BYTES / 2], guid[CT_GUID_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    ct_guid_format(object, guid);
    const char *const place = ct_string_builder_text(&r->place);
    return ct_error_set_at(r->error, r->path, 0, 0, "object %s (%.300s): %s", guid,
                           place[0] ? place : "the top level", message);
}

// --- Keys and elements in order --------------------------------------------------------------------

static int compare_keys(const void *a, const void *b) {
    return strcmp(((const object_key *)a)->text, ((const object_key *)b)->text);
}

static void collect_keys(const reader *r, ct_guid object, object_keys *keys) {
    ct_array_init(keys, r->allocator);
    uint32_t place = 0, length;
    const char *key;
    while (ct_database_next_key(r->db, object, &place, &key, &length)) {
        if (!ct_source_key_is_member(key, length))
            continue;
        char *const copy = ct_alloc(r->allocator, (uint64_t)length + 1);
        memcpy(copy, key, length);
        copy[length] = 0;
        ct_array_push(keys, (object_key){copy, length});
    }
    if (keys->count > 1)
        qsort(keys->items, keys->count, sizeof(*keys->items), compare_keys);
}

static void free_keys(const reader *r, object_keys *keys) {
    for (uint32_t i = 0; i < keys->count; ++i)
        ct_free(r->allocator, keys->items[i].text);
    ct_array_free(keys);
}

static int compare_orders(const void *a, const void *b) {
    const ct_element_order *const first = a, *const second = b;
    const bool has_first = first->text[0] != 0, has_second = second->text[0] != 0;
    if (has_first != has_second)
        return has_first ? -1 : 1;
    const int order = strcmp(first->text, second->text);
    return order ? order : ct_guid_compare(first->element, second->element);
}

void ct_database_source_elements(const ct_database *db, ct_guid object, const char *key,
                                 uint32_t key_length, ct_element_order_array *elements) {
    const uint32_t first = elements->count;
    const ct_database_value set = ct_database_get_bytes(db, object, key, key_length);
    for (uint32_t i = 0; set.kind == CT_DATABASE_SET && i < set.set.count; ++i)
        ct_array_push(elements, (ct_element_order){.element = set.set.items[i]});
    uint32_t count = first;
    for (uint32_t i = first; i < elements->count; ++i) {
        ct_element_order *const e = &elements->items[i];
        if (!ct_database_has(db, e->element))
            continue;
        const ct_database_value order = ct_database_get(db, e->element, "@order");
        if (order.kind == CT_DATABASE_STRING &&
            ct_element_order_is(order.string.text, order.string.length))
            memcpy(e->text, order.string.text, order.string.length + 1);
        elements->items[count++] = *e;
    }
    elements->count = count;
    if (count - first > 1)
        qsort(elements->items + first, count - first, sizeof(*elements->items), compare_orders);
}

// --- Values ----------------------------------------------------------------------------------------

static bool read_object(reader *r, ct_guid object, uint32_t depth);

static void leave(reader *r, uint32_t place_length) {
    r->place.length = place_length;
    if (r->place.text)
        r->place.text[place_length] = 0;
}

static bool read_elements(reader *r, ct_guid object, const object_key *key, uint32_t depth) {
    ct_element_order_array elements;
    ct_array_init(&elements, r->allocator);
    const uint32_t num_set = ct_database_get_bytes(r->db, object, key->text, key->length).set.count;
    ct_database_source_elements(r->db, object, key->text, key->length, &elements);
    if (elements.count < num_set)
        ct_database_source_warn(r->warnings, r->path, "%s: left out %u element%s that %s not exist",
                                ct_string_builder_text(&r->place), num_set - elements.count,
                                num_set - elements.count == 1 ? "" : "s",
                                num_set - elements.count == 1 ? "does" : "do");
    bool is_read = true;
    ct_string_builder_add_char(&r->text, '[');
    for (uint32_t i = 0; is_read && i < elements.count; ++i) {
        const uint32_t place_length = r->place.length;
        ct_string_builder_addf(&r->place, "[%u]", i);
        if (i > 0)
            ct_string_builder_add_char(&r->text, ',');
        is_read = read_object(r, elements.items[i].element, depth + 1);
        if (is_read)
            leave(r, place_length);
    }
    ct_string_builder_add_char(&r->text, ']');
    ct_array_free(&elements);
    return is_read;
}

// A value that is kept as text.
static bool read_text(reader *r, ct_guid object, const object_key *key, ct_database_value value,
                      uint32_t depth) {
    if (value.kind != CT_DATABASE_STRING)
        return fail(r, object, "key \"%.200s\" holds a %s; expected a string of SJSON text",
                    key->text, ct_database_kind_name(value.kind));
    const ct_sjson_limits limits = {.max_depth = depth < MOST_DEPTH ? MOST_DEPTH - depth : 1};
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse_value(r->allocator, value.string.text, value.string.length,
                                               key->text, &limits, &error);
    if (!doc)
        return fail(r, object, "the text of key \"%.200s\" is no SJSON: %u:%u: %s", key->text,
                    error.line, error.column, error.message);
    for (uint32_t i = 1; i < doc->entries.count; ++i)
        if (doc->entries.items[i].type == CT_SJSON_TYPE_OBJECT)
            ct_array_push(&r->objects, (ct_guid){0});
    ct_source_json_write((ct_content_value){doc, ct_sjson_root(doc)}, NULL, &r->text);
    ct_sjson_free(doc);
    return true;
}

static bool read_value(reader *r, ct_guid object, const object_key *key, ct_database_value value,
                       uint32_t depth) {
    switch (value.kind) {
    case CT_DATABASE_BOOL:
        ct_string_builder_add(&r->text, value.truth ? "true" : "false");
        return true;
    case CT_DATABASE_NUMBER:
        if (!isfinite(value.number))
            return fail(r, object, "key \"%.200s\" holds %f, which SJSON cannot spell", key->text,
                        value.number);
        ct_source_json_write_number(value.number, &r->text);
        return true;
    case CT_DATABASE_STRING:
        ct_sjson_add_string(&r->text, value.string.text, value.string.length);
        return true;
    case CT_DATABASE_REFERENCE:
        return read_object(r, value.reference, depth + 1);
    case CT_DATABASE_SET:
        return read_elements(r, object, key, depth);
    case CT_DATABASE_NULL:
    case CT_DATABASE_BLOB:
    case CT_DATABASE_NUM_KINDS:
        break;
    }
    return fail(r, object,
                "key \"%.200s\" holds a %s, which SJSON cannot spell; only \"content\" of a file "
                "may be one",
                key->text, ct_database_kind_name(value.kind));
}

// --- Members ---------------------------------------------------------------------------------------

// Says which of the keys "units" and "units[]" counts when both have values, which only a merge brings about: a set
// with elements or another value before a text, a text before an empty set.
static bool is_overruled(reader *r, ct_guid object, const object_key *key, bool is_text,
                         const ct_database_value *value) {
    if (!is_text) {
        if (value->kind != CT_DATABASE_SET || value->set.count > 0)
            return false;
        ct_string_builder other;
        ct_string_builder_init(&other, r->allocator);
        ct_string_builder_addf(&other, "%s[]", key->text);
        const bool has_text = ct_database_get(r->db, object, ct_string_builder_text(&other)).kind ==
                              CT_DATABASE_STRING;
        ct_string_builder_free(&other);
        return has_text;
    }
    const bool is_empty_array = value->kind == CT_DATABASE_STRING && value->string.length == 2 &&
                                memcmp(value->string.text, "[]", 2) == 0;
    const ct_database_value other =
        ct_database_get_bytes(r->db, object, key->text, key->length - 2);
    const bool is_over =
        other.kind != CT_DATABASE_NULL && (other.kind != CT_DATABASE_SET || other.set.count > 0);
    if (is_over && !is_empty_array)
        ct_database_source_warn(r->warnings, r->path,
                                "%s%s%.*s has an array of other values, too; left those out",
                                ct_string_builder_text(&r->place), r->place.length ? "." : "",
                                (int)key->length - 2, key->text);
    return is_over;
}

static bool is_gone(reader *r, const object_key *key, const ct_database_value *value) {
    if (value->kind != CT_DATABASE_REFERENCE || ct_database_has(r->db, value->reference))
        return false;
    ct_database_source_warn(r->warnings, r->path, "%s%s%s: left out an object that does not exist",
                            ct_string_builder_text(&r->place), r->place.length ? "." : "",
                            key->text);
    return true;
}

static bool read_member(reader *r, ct_guid object, const object_key *key, uint32_t depth) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder name;
    ct_string_builder_init(&name, r->allocator);
    bool is_text;
    if (!ct_source_key_name(key->text, key->length, &name, &is_text))
        return fail(r, object, "key \"%.200s\" is not spelled as members are (source_key.h)",
                    key->text);
    ct_database_value value = ct_database_get_bytes(r->db, object, key->text, key->length);
    if (is_overruled(r, object, key, is_text, &value) || is_gone(r, key, &value))
        return true;
    value = ct_database_get_bytes(r->db, object, key->text, key->length); // a set was read
    const uint32_t place_length = r->place.length;
    ct_source_json_write_key(ct_string_builder_text(&name), &r->text);
    ct_string_builder_addf(&r->place, "%s%s", place_length ? "." : "",
                           ct_string_builder_text(&name));
    const bool is_read = is_text ? read_text(r, object, key, value, depth)
                                 : read_value(r, object, key, value, depth);
    if (is_read)
        leave(r, place_length);
    if (is_read && r->text.length > MOST_TEXT_BYTES)
        return fail(r, object, "the file would have more than %d bytes", MOST_TEXT_BYTES);
    return is_read;
}

static bool read_object(reader *r, ct_guid object, uint32_t depth) {
    const uint64_t id = ct_guid_hash(object);
    const uint64_t state = ct_hash_map_get(&r->states, id, 0);
    if (state == OPEN)
        return fail(r, object, "it holds itself: a cycle of references");
    if (state == DONE)
        return fail(r, object,
                    "it is in two places; a source is a tree, so copy it for one of "
                    "them");
    if (depth > MOST_DEPTH)
        return fail(r, object, "objects nest deeper than %d", MOST_DEPTH);
    ct_hash_map_set(&r->states, id, OPEN);
    ct_array_push(&r->objects, object);
    object_keys keys;
    collect_keys(r, object, &keys);
    ct_string_builder_add_char(&r->text, '{');
    bool is_read = true;
    for (uint32_t i = 0; is_read && i < keys.count; ++i)
        is_read = read_member(r, object, &keys.items[i], depth);
    ct_string_builder_add_char(&r->text, '}');
    free_keys(r, &keys);
    ct_hash_map_set(&r->states, id, DONE);
    return is_read;
}

// --- The whole -------------------------------------------------------------------------------------

static bool parse(reader *r, ct_database_source *source) {
    ct_error error = {0};
    source->doc = ct_sjson_parse(r->allocator, ct_string_builder_text(&r->text), r->text.length,
                                 r->path, NULL, &error);
    if (!source->doc)
        return ct_error_set_at(r->error, r->path, 0, 0, "its objects are no SJSON: %s",
                               error.message);
    const uint32_t count = source->doc->entries.count;
    source->objects = CT_NEW_ARRAY(r->allocator, ct_guid, count);
    for (uint32_t i = 1, n = 0; i < count; ++i)
        if (source->doc->entries.items[i].type == CT_SJSON_TYPE_OBJECT)
            source->objects[i] = r->objects.items[n++];
    return true;
}

bool ct_database_source_read(ct_database_source *source, ct_allocator *a, const ct_database *db,
                             ct_guid root, const char *path, ct_string_array *warnings,
                             ct_error *error) {
    *source = (ct_database_source){.allocator = a};
    reader r = {.allocator = a, .db = db, .path = path, .warnings = warnings, .error = error};
    ct_string_builder_init(&r.text, a);
    ct_string_builder_init(&r.place, a);
    ct_array_init(&r.objects, a);
    ct_hash_map_init(&r.states, a);
    const bool is_there = ct_database_has(db, root);
    const bool is_read =
        (is_there || fail(&r, root, "it does not exist, but is the file's \"root\"")) &&
        read_object(&r, root, 1) && parse(&r, source);
    ct_string_builder_free(&r.text);
    ct_string_builder_free(&r.place);
    ct_array_free(&r.objects);
    ct_hash_map_free(&r.states);
    return is_read;
}

void ct_database_source_free(ct_database_source *source) {
    ct_sjson_free(source->doc);
    ct_free(source->allocator, source->objects);
    *source = (ct_database_source){0};
}
