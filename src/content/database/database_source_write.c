#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "content/database/database_source.h"
#include "content/database/source_json.h"
#include "content/database/source_key.h"
#include "content/merge/array_kind.h"
#include "content/sequence_alignment.h"
#include "resource/blob/content_hash.h"

typedef struct writer {
    ct_allocator *allocator;
    ct_database *db;
    const ct_database_source *old;
    ct_hash_map olds; // objects that the old text had
    ct_hash_map
        used; // objects that the new text has: first those that it keeps, then new ones, too
    ct_error *error;
} writer;

// Where an object is: what the schema says, and what was there.
typedef struct spot {
    ct_content_place place;
    ct_content_value old; // {0}: nothing
} spot;

static bool write_object(writer *w, ct_guid object, spot at, ct_content_value value);

// --- Single changes --------------------------------------------------------------------------------

bool ct_database_source_change(ct_database *db, ct_database_operation_type type, ct_guid object,
                               const char *key, const ct_database_value *value, ct_error *error) {
    const ct_database_operation operation = {.type = type,
                                             .object = object,
                                             .key = key,
                                             .key_length = key ? (uint32_t)strlen(key) : 0,
                                             .value = value ? *value : (ct_database_value){0}};
    return ct_database_change(db, &operation, error);
}

// 0 and -0 are different texts.
static bool is_same(const ct_database_value *a, const ct_database_value *b) {
    return ct_database_value_is_equal(a, b) &&
           (a->kind != CT_DATABASE_NUMBER ||
            memcmp(&a->number, &b->number, sizeof(a->number)) == 0);
}

bool ct_database_source_set(ct_database *db, ct_guid object, const char *key,
                            const ct_database_value *value, ct_error *error) {
    const ct_database_value there = ct_database_get(db, object, key);
    return is_same(&there, value) ||
           ct_database_source_change(db, CT_DATABASE_CHANGE_KEY, object, key, value, error);
}

static bool change_element(writer *w, ct_database_operation_type type, ct_guid object,
                           const char *key, ct_guid element) {
    const ct_database_value value = {.kind = CT_DATABASE_REFERENCE, .reference = element};
    return ct_database_source_change(w->db, type, object, key, &value, w->error);
}

static void use(writer *w, ct_guid object) {
    ct_hash_map_set(&w->used, ct_guid_hash(object), 1);
}

// An object of the text has it, or one that is elsewhere by now: in another file, or what it is named by has changed.
static bool is_taken(const writer *w, ct_guid guid) {
    const uint64_t id = ct_guid_hash(guid);
    return ct_hash_map_find(&w->used, id) ||
           (!ct_hash_map_find(&w->olds, id) && ct_database_has(w->db, guid));
}

// Returns the GUID of a name that is not taken.
static ct_guid make_guid(writer *w, ct_guid parent, ct_string_builder *name) {
    ct_guid guid = ct_guid_make_named(parent, ct_string_builder_text(name));
    while (is_taken(w, guid)) {
        ct_string_builder_add_char(name, '+');
        guid = ct_guid_make_named(parent, ct_string_builder_text(name));
    }
    use(w, guid);
    return guid;
}

// --- Arrays of objects -----------------------------------------------------------------------------

// The elements of an array: of the new text, what each was in the old one ({0}: new), and the object.
typedef struct elements {
    uint32_t count;
    ct_content_value *values, *olds;
    ct_element_order *orders;
} elements;

static elements elements_of(writer *w, ct_content_value array) {
    elements e = {.count = ct_sjson_count(array.doc, array.value)};
    e.values = CT_NEW_ARRAY(w->allocator, ct_content_value, e.count);
    e.olds = CT_NEW_ARRAY(w->allocator, ct_content_value, e.count);
    e.orders = CT_NEW_ARRAY(w->allocator, ct_element_order, e.count);
    ct_sjson_value v = ct_sjson_first(array.doc, array.value);
    for (uint32_t i = 0; v.entry; v = ct_sjson_next(array.doc, v), ++i)
        e.values[i] = (ct_content_value){array.doc, v};
    return e;
}

static void free_elements(writer *w, elements *e) {
    ct_free(w->allocator, e->values);
    ct_free(w->allocator, e->olds);
    ct_free(w->allocator, e->orders);
}

static uint64_t *hashes_of(writer *w, ct_content_value array, uint32_t count) {
    uint64_t *const hashes = CT_NEW_ARRAY(w->allocator, uint64_t, count);
    ct_sjson_value v = {0};
    if (count > 0)
        v = ct_sjson_first(array.doc, array.value);
    for (uint32_t i = 0; i < count; v = ct_sjson_next(array.doc, v), ++i)
        hashes[i] = ct_value_hash((ct_content_value){array.doc, v});
    return hashes;
}

// Pairs elements without ids: those that are equal, in order, and between them as many as went.
static void align(writer *w, ct_content_value old, ct_content_value array, elements *e) {
    const elements before = elements_of(w, old);
    uint64_t *const from = hashes_of(w, old, before.count);
    uint64_t *const to = hashes_of(w, array, e->count);
    ct_sequence_run_array runs;
    ct_array_init(&runs, w->allocator);
    ct_sequence_align(from, before.count, to, e->count, NULL, w->allocator, &runs);
    ct_array_push(&runs, (ct_sequence_run){before.count, e->count, 0});
    uint32_t at_from = 0, at_to = 0;
    for (uint32_t r = 0; r < runs.count; ++r) {
        const ct_sequence_run run = runs.items[r];
        const bool is_paired = run.a - at_from == run.b - at_to;
        for (uint32_t i = 0; is_paired && i < run.b - at_to; ++i)
            e->olds[at_to + i] = before.values[at_from + i];
        for (uint32_t i = 0; i < run.count; ++i)
            e->olds[run.b + i] = before.values[run.a + i];
        at_from = run.a + run.count;
        at_to = run.b + run.count;
    }
    ct_array_free(&runs);
    ct_free(w->allocator, from);
    ct_free(w->allocator, to);
    elements unused = before;
    free_elements(w, &unused);
}

// Finds what each element was. Returns the key of ids, NULL for arrays without.
static const char *match_elements(writer *w, spot at, ct_content_value array, elements *e) {
    const bool has_old = ct_source_json_is_objects(at.old);
    const ct_content_value versions[] = {has_old ? at.old : (ct_content_value){0}, array};
    ct_array_match match;
    ct_array_match_make(&match, w->allocator, at.place, versions, CT_COUNT_OF(versions));
    const char *const id_key = match.kind == CT_ARRAY_KIND_IDENTITY ? match.id_key : NULL;
    for (uint32_t i = 0; id_key && i < e->count; ++i) {
        const ct_sjson_value old = match.rows.items[match.orders[1].items[i]].elements[0];
        if (old.entry)
            e->olds[i] = (ct_content_value){at.old.doc, old};
    }
    if (!id_key && has_old)
        align(w, at.old, array, e);
    ct_array_match_free(&match);
    return id_key;
}

static ct_guid old_object(const writer *w, ct_content_value old) {
    return w->old->objects[old.value.entry];
}

// Gives each element its object: that of what it was, or a new one.
static void name_elements(writer *w, ct_guid parent, const char *key, const char *id_key,
                          elements *e) {
    for (uint32_t i = 0; i < e->count; ++i)
        if (ct_content_value_is(e->olds[i]))
            e->orders[i].element = old_object(w, e->olds[i]);
    ct_string_builder name;
    ct_string_builder_init(&name, w->allocator);
    for (uint32_t i = 0; i < e->count; ++i) {
        if (ct_content_value_is(e->olds[i]))
            continue;
        ct_string_builder_clear(&name);
        ct_string_builder_add(&name, key);
        if (id_key) {
            ct_string_builder_addf(&name, "[%s=", id_key);
            ct_source_json_write(ct_array_element_id(e->values[i], id_key), NULL, &name);
            ct_string_builder_add_char(&name, ']');
        } else {
            ct_string_builder_addf(&name, "#%016" PRIx64, ct_value_hash(e->values[i]));
        }
        e->orders[i].element = make_guid(w, parent, &name);
    }
    ct_string_builder_free(&name);
}

static int compare_guids(const void *a, const void *b) {
    return ct_guid_compare(*(const ct_guid *)a, *(const ct_guid *)b);
}

// Brings a set to the given elements, sorted, by adding and removing.
static bool change_set(writer *w, ct_guid object, const char *key, const ct_guid *items,
                       uint32_t count) {
    CT_ARRAY(ct_guid) there;
    ct_array_init(&there, w->allocator);
    const ct_database_value set = ct_database_get(w->db, object, key);
    if (set.kind == CT_DATABASE_SET)
        ct_array_push_many(&there, set.set.items, set.set.count);
    bool is_done = true;
    for (uint32_t i = 0, k = 0; is_done && (i < there.count || k < count);) {
        const int order = i == there.count ? 1
                          : k == count     ? -1
                                           : ct_guid_compare(there.items[i], items[k]);
        if (order < 0)
            is_done = change_element(w, CT_DATABASE_REMOVE_FROM_SET, object, key, there.items[i]);
        else if (order > 0)
            is_done = change_element(w, CT_DATABASE_ADD_TO_SET, object, key, items[k]);
        i += order <= 0;
        k += order >= 0;
    }
    ct_array_free(&there);
    return is_done;
}

// A set that is new is one change; else what came and went are changes, as others may change it, too.
static bool set_elements(writer *w, ct_guid object, const char *key, bool is_new,
                         const elements *e) {
    ct_guid *const items = CT_NEW_ARRAY(w->allocator, ct_guid, e->count);
    for (uint32_t i = 0; i < e->count; ++i)
        items[i] = e->orders[i].element;
    if (e->count > 1)
        qsort(items, e->count, sizeof(*items), compare_guids);
    const ct_database_kind kind = ct_database_get(w->db, object, key).kind;
    const bool is_other = kind != CT_DATABASE_NULL && kind != CT_DATABASE_SET;
    const ct_database_value set = {.kind = CT_DATABASE_SET,
                                   .set = {.items = items, .count = e->count}};
    const bool is_done =
        is_new || is_other
            ? ct_database_source_change(w->db, CT_DATABASE_CHANGE_KEY, object, key, &set, w->error)
            : change_set(w, object, key, items, e->count);
    ct_free(w->allocator, items);
    return is_done;
}

static void read_orders(writer *w, elements *e) {
    for (uint32_t i = 0; i < e->count; ++i) {
        if (!ct_content_value_is(e->olds[i]))
            continue;
        const ct_database_value order = ct_database_get(w->db, e->orders[i].element, "@order");
        if (order.kind == CT_DATABASE_STRING &&
            ct_element_order_is(order.string.text, order.string.length))
            memcpy(e->orders[i].text, order.string.text, order.string.length + 1);
    }
}

static bool write_elements(writer *w, ct_guid object, bool is_new, const char *name,
                           const char *key, spot at, ct_content_value array) {
    elements e = elements_of(w, array);
    const char *const id_key = match_elements(w, at, array, &e);
    name_elements(w, object, name, id_key, &e);
    read_orders(w, &e);
    ct_element_order_assign(e.orders, e.count, !is_new, w->allocator);
    bool is_done = set_elements(w, object, key, is_new, &e);
    for (uint32_t i = 0; is_done && i < e.count; ++i) {
        const spot below = {ct_content_place_of_element(at.place, e.values[i]), e.olds[i]};
        const char *const text = e.orders[i].text;
        const ct_database_value order = {.kind = CT_DATABASE_STRING,
                                         .string = {text, (uint32_t)strlen(text)}};
        is_done = write_object(w, e.orders[i].element, below, e.values[i]) &&
                  (!e.orders[i].is_new ||
                   ct_database_source_set(w->db, e.orders[i].element, "@order", &order, w->error));
    }
    free_elements(w, &e);
    return is_done;
}

// --- Members ---------------------------------------------------------------------------------------

static bool is_text(ct_content_value v) {
    const ct_sjson_type type = ct_content_value_type(v);
    return type == CT_SJSON_TYPE_NULL ||
           (type == CT_SJSON_TYPE_ARRAY && !ct_source_json_is_objects(v));
}

static bool write_text(writer *w, ct_guid object, const char *key, ct_content_value v) {
    ct_string_builder text;
    ct_string_builder_init(&text, w->allocator);
    ct_source_json_write(v, NULL, &text);
    const ct_database_value value = {.kind = CT_DATABASE_STRING,
                                     .string = {ct_string_builder_text(&text), text.length}};
    const bool is_done = ct_database_source_set(w->db, object, key, &value, w->error);
    ct_string_builder_free(&text);
    return is_done;
}

static bool write_child(writer *w, ct_guid object, const char *name, const char *key, spot at,
                        ct_content_value v) {
    ct_database_value value = {.kind = CT_DATABASE_REFERENCE};
    if (ct_content_value_type(at.old) == CT_SJSON_TYPE_OBJECT) {
        value.reference = old_object(w, at.old);
    } else {
        ct_string_builder text;
        ct_string_builder_init(&text, w->allocator);
        ct_string_builder_add(&text, name);
        value.reference = make_guid(w, object, &text);
        ct_string_builder_free(&text);
    }
    return ct_database_source_set(w->db, object, key, &value, w->error) &&
           write_object(w, value.reference, at, v);
}

static bool write_value(writer *w, ct_guid object, bool is_new, const char *key, spot at,
                        ct_content_value v) {
    const char *const name = ct_sjson_key(v.doc, v.value);
    ct_database_value value = {0};
    switch (ct_content_value_type(v)) {
    case CT_SJSON_TYPE_BOOL:
        value.kind = CT_DATABASE_BOOL;
        value.truth = ct_sjson_bool(v.doc, v.value, false);
        break;
    case CT_SJSON_TYPE_NUMBER:
        value.kind = CT_DATABASE_NUMBER;
        value.number = ct_sjson_number(v.doc, v.value, 0);
        break;
    case CT_SJSON_TYPE_STRING:
        value.kind = CT_DATABASE_STRING;
        value.string.text = ct_sjson_string(v.doc, v.value, "");
        value.string.length = ct_sjson_string_bytes(v.doc, v.value);
        break;
    case CT_SJSON_TYPE_OBJECT:
        return write_child(w, object, name, key, at, v);
    case CT_SJSON_TYPE_ARRAY:
        return is_text(v) ? write_text(w, object, key, v)
                          : write_elements(w, object, is_new, name, key, at, v);
    case CT_SJSON_TYPE_NONE:
    case CT_SJSON_TYPE_NULL:
        return write_text(w, object, key, v);
    }
    return ct_database_source_set(w->db, object, key, &value, w->error);
}

// Removes the keys of members that the text no longer has.
static bool drop_keys(writer *w, ct_guid object, const ct_hash_map *wanted) {
    ct_string_builder keys; // each with a zero behind it
    ct_string_builder_init(&keys, w->allocator);
    uint32_t place = 0, length;
    const char *key;
    while (ct_database_next_key(w->db, object, &place, &key, &length)) {
        if (ct_source_key_is_member(key, length) &&
            !ct_hash_map_find(wanted, ct_content_hash(key, length))) {
            ct_string_builder_add_bytes(&keys, key, length);
            ct_string_builder_add_char(&keys, 0);
        }
    }
    bool is_done = true;
    for (uint32_t at = 0; is_done && at < keys.length; at += (uint32_t)strlen(keys.text + at) + 1)
        is_done = ct_database_source_change(w->db, CT_DATABASE_CHANGE_KEY, object, keys.text + at,
                                            NULL, w->error);
    ct_string_builder_free(&keys);
    return is_done;
}

static bool write_members(writer *w, ct_guid object, bool is_new, spot at, ct_content_value value,
                          ct_hash_map *wanted) {
    ct_member_finder olds;
    ct_member_finder_init(&olds, w->allocator, at.old);
    ct_string_builder key;
    ct_string_builder_init(&key, w->allocator);
    bool is_done = true;
    ct_sjson_value v = ct_sjson_first(value.doc, value.value);
    for (; is_done && v.entry; v = ct_sjson_next(value.doc, v)) {
        const ct_content_value member = {value.doc, v};
        const char *const name = ct_sjson_key(value.doc, v);
        const spot below = {ct_content_place_of_member(at.place, name),
                            ct_member_finder_find(&olds, name)};
        ct_string_builder_clear(&key);
        ct_source_key_of(name, is_text(member), &key);
        ct_hash_map_set(wanted, ct_content_hash(key.text, key.length), 1);
        is_done = write_value(w, object, is_new, key.text, below, member);
    }
    ct_string_builder_free(&key);
    ct_member_finder_free(&olds);
    return is_done;
}

static bool write_object(writer *w, ct_guid object, spot at, ct_content_value value) {
    const bool is_new = !ct_database_has(w->db, object);
    if (is_new &&
        !ct_database_source_change(w->db, CT_DATABASE_CREATE, object, NULL, NULL, w->error))
        return false;
    ct_hash_map wanted;
    ct_hash_map_init(&wanted, w->allocator);
    const bool is_done = write_members(w, object, is_new, at, value, &wanted) &&
                         (is_new || drop_keys(w, object, &wanted));
    ct_hash_map_free(&wanted);
    return is_done;
}

// --- What is kept ----------------------------------------------------------------------------------

static void keep_object(writer *w, spot at, ct_content_value value);

static void keep_elements(writer *w, spot at, ct_content_value array) {
    elements e = elements_of(w, array);
    match_elements(w, at, array, &e);
    for (uint32_t i = 0; i < e.count; ++i)
        if (ct_content_value_is(e.olds[i]))
            keep_object(w, (spot){ct_content_place_of_element(at.place, e.values[i]), e.olds[i]},
                        e.values[i]);
    free_elements(w, &e);
}

// Marks the objects of the old text that the new one keeps as used, before new ones get names.
static void keep_object(writer *w, spot at, ct_content_value value) {
    use(w, old_object(w, at.old));
    ct_member_finder olds;
    ct_member_finder_init(&olds, w->allocator, at.old);
    ct_sjson_value v = ct_sjson_first(value.doc, value.value);
    for (; v.entry; v = ct_sjson_next(value.doc, v)) {
        const ct_content_value member = {value.doc, v};
        const char *const name = ct_sjson_key(value.doc, v);
        const spot below = {ct_content_place_of_member(at.place, name),
                            ct_member_finder_find(&olds, name)};
        if (!ct_content_value_is(below.old))
            continue;
        if (ct_content_value_type(member) == CT_SJSON_TYPE_OBJECT &&
            ct_content_value_type(below.old) == CT_SJSON_TYPE_OBJECT)
            keep_object(w, below, member);
        else if (ct_source_json_is_objects(member) && ct_source_json_is_objects(below.old))
            keep_elements(w, below, member);
    }
    ct_member_finder_free(&olds);
}

// --- The whole -------------------------------------------------------------------------------------

// The object of the top level: the one it was, or one with a new name.
static ct_guid find_root(writer *w, ct_guid file) {
    if (w->old->doc)
        return w->old->objects[1];
    const ct_database_value there = ct_database_get(w->db, file, "root");
    if (there.kind == CT_DATABASE_REFERENCE) // its objects are no source
        ct_hash_map_set(&w->olds, ct_guid_hash(there.reference), 1);
    ct_string_builder name;
    ct_string_builder_init(&name, w->allocator);
    ct_string_builder_add(&name, "root");
    const ct_guid root = make_guid(w, file, &name);
    ct_string_builder_free(&name);
    return root;
}

static void note_olds(writer *w) {
    for (uint32_t i = 1; w->old->doc && i < w->old->doc->entries.count; ++i)
        if (!ct_guid_is_none(w->old->objects[i]))
            ct_hash_map_set(&w->olds, ct_guid_hash(w->old->objects[i]), 1);
}

// Destroys the objects of the old text that `used` does not have (NULL: all).
static bool destroy_objects(ct_database *db, const ct_database_source *old, const ct_hash_map *used,
                            ct_error *error) {
    for (uint32_t i = 1; old->doc && i < old->doc->entries.count; ++i) {
        const ct_guid object = old->objects[i];
        if (!ct_guid_is_none(object) && ct_database_has(db, object) &&
            !(used && ct_hash_map_find(used, ct_guid_hash(object))) &&
            !ct_database_source_change(db, CT_DATABASE_DESTROY, object, NULL, NULL, error))
            return false;
    }
    return true;
}

bool ct_database_source_write(ct_allocator *a, ct_database *db, ct_guid file, const char *path,
                              const ct_database_source *old, const ct_sjson *doc, ct_error *error) {
    writer w = {.allocator = a, .db = db, .old = old, .error = error};
    ct_hash_map_init(&w.used, a);
    ct_hash_map_init(&w.olds, a);
    note_olds(&w);
    const ct_content_value top = {doc, ct_sjson_root(doc)};
    spot at = {.place = ct_content_place_of_file(path)};
    if (old->doc) {
        at.old = (ct_content_value){old->doc, ct_sjson_root(old->doc)};
        keep_object(&w, at, top);
    }
    const ct_database_value root = {.kind = CT_DATABASE_REFERENCE,
                                    .reference = find_root(&w, file)};
    const bool is_done = ct_database_source_set(db, file, "root", &root, error) &&
                         write_object(&w, root.reference, at, top) &&
                         destroy_objects(db, old, &w.used, error);
    ct_hash_map_free(&w.used);
    ct_hash_map_free(&w.olds);
    return is_done;
}

bool ct_database_source_remove(ct_database *db, ct_guid file, const ct_database_source *old,
                               ct_error *error) {
    const ct_database_value none = {0};
    return ct_database_source_set(db, file, "root", &none, error) &&
           destroy_objects(db, old, NULL, error);
}

// --- Checking --------------------------------------------------------------------------------------

static bool check_object(ct_allocator *a, const ct_sjson *doc, ct_sjson_value object,
                         ct_error *error);

static bool check_text(ct_allocator *a, const ct_sjson *doc, ct_sjson_value v, ct_error *error) {
    uint64_t length = ct_sjson_string_bytes(doc, v);
    if (is_text((ct_content_value){doc, v})) {
        ct_string_builder text;
        ct_string_builder_init(&text, a);
        ct_source_json_write((ct_content_value){doc, v}, NULL, &text);
        length = text.length;
        ct_string_builder_free(&text);
    }
    return length <= CT_DATABASE_MAX_STRING_BYTES ||
           ct_sjson_error(doc, v, error,
                          "a value of %" PRIu64 " bytes; a key of a database holds at most %d",
                          length, CT_DATABASE_MAX_STRING_BYTES);
}

static bool check_member(ct_allocator *a, const ct_sjson *doc, ct_sjson_value v, ct_error *error) {
    const char *const name = ct_sjson_key(doc, v);
    ct_string_builder key;
    ct_string_builder_init(&key, a);
    const bool fits = ct_source_key_of(name, true, &key);
    ct_string_builder_free(&key);
    if (!fits)
        return ct_sjson_error(doc, v, error,
                              "a name of %zu bytes; a key of a database has at most %d",
                              strlen(name), CT_DATABASE_MAX_KEY_BYTES);
    if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_OBJECT)
        return check_object(a, doc, v, error);
    if (!ct_source_json_is_objects((ct_content_value){doc, v}))
        return check_text(a, doc, v, error);
    ct_sjson_value e = ct_sjson_first(doc, v);
    while (e.entry && check_object(a, doc, e, error))
        e = ct_sjson_next(doc, e);
    return e.entry == 0;
}

static bool check_object(ct_allocator *a, const ct_sjson *doc, ct_sjson_value object,
                         ct_error *error) {
    ct_sjson_value v = ct_sjson_first(doc, object);
    while (v.entry && check_member(a, doc, v, error))
        v = ct_sjson_next(doc, v);
    return v.entry == 0;
}

bool ct_database_source_check(ct_allocator *a, const ct_sjson *doc, ct_error *error) {
    return check_object(a, doc, ct_sjson_root(doc), error);
}
