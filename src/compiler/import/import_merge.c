#include "compiler/import/import_merge.h"

#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_id.h"

// A value of one of the three versions; doc NULL is none.
typedef struct version {
    const ct_sjson *doc;
    ct_sjson_value value;
} version;

typedef struct merger {
    ct_allocator *allocator;
    ct_sjson_document *file;
    ct_string_array *notes;
    ct_error *error;
    bool has_failed;
} merger;

// The three versions of one value; `node` is that of the file, for edits.
typedef struct trio {
    ct_sjson_node node;
    version file, base, wanted;
} trio;

// --- Comparing -----------------------------------------------------------------------------------

static bool exists(version v) {
    return v.doc && v.value.entry;
}

static ct_sjson_type type_of(version v) {
    return exists(v) ? ct_sjson_type_of(v.doc, v.value) : CT_SJSON_TYPE_NONE;
}

static bool is_same_list(const ct_sjson *a, ct_sjson_value v, const ct_sjson *b, ct_sjson_value w) {
    ct_sjson_value x = ct_sjson_first(a, v), y = ct_sjson_first(b, w);
    for (; x.entry && y.entry; x = ct_sjson_next(a, x), y = ct_sjson_next(b, y)) {
        if (!ct_import_is_same(a, x, b, y))
            return false;
    }
    return !x.entry && !y.entry;
}

static bool is_same_object(const ct_sjson *a, ct_sjson_value v, const ct_sjson *b,
                           ct_sjson_value w) {
    if (ct_sjson_count(a, v) != ct_sjson_count(b, w))
        return false;
    for (ct_sjson_value x = ct_sjson_first(a, v); x.entry; x = ct_sjson_next(a, x)) {
        const ct_sjson_value y = ct_sjson_find(b, w, ct_sjson_key(a, x));
        if (!y.entry || !ct_import_is_same(a, x, b, y))
            return false;
    }
    return true;
}

bool ct_import_is_same(const ct_sjson *a, ct_sjson_value v, const ct_sjson *b, ct_sjson_value w) {
    const ct_sjson_type type = ct_sjson_type_of(a, v);
    if (type != ct_sjson_type_of(b, w))
        return false;
    switch (type) {
    case CT_SJSON_TYPE_BOOL:
        return ct_sjson_bool(a, v, false) == ct_sjson_bool(b, w, false);
    case CT_SJSON_TYPE_NUMBER:
        return ct_sjson_number(a, v, 0) == ct_sjson_number(b, w, 0);
    case CT_SJSON_TYPE_STRING:
        return ct_sjson_string_bytes(a, v) == ct_sjson_string_bytes(b, w) &&
               memcmp(ct_sjson_string(a, v, ""), ct_sjson_string(b, w, ""),
                      ct_sjson_string_bytes(a, v)) == 0;
    case CT_SJSON_TYPE_ARRAY:
        return is_same_list(a, v, b, w);
    case CT_SJSON_TYPE_OBJECT:
        return is_same_object(a, v, b, w);
    default:
        return true;
    }
}

static bool is_same(version a, version b) {
    if (!exists(a) || !exists(b))
        return exists(a) == exists(b);
    return ct_import_is_same(a.doc, a.value, b.doc, b.value);
}

static const char *id_of(version v) {
    if (type_of(v) != CT_SJSON_TYPE_OBJECT)
        return NULL;
    return ct_sjson_string(v.doc, ct_sjson_find(v.doc, v.value, "id"), NULL);
}

// An array of which every element is an object with an `id`.
static bool has_ids(version v) {
    if (type_of(v) != CT_SJSON_TYPE_ARRAY)
        return false;
    for (ct_sjson_value e = ct_sjson_first(v.doc, v.value); e.entry; e = ct_sjson_next(v.doc, e)) {
        if (!id_of((version){v.doc, e}))
            return false;
    }
    return true;
}

// --- Notes and edits -----------------------------------------------------------------------------

// The value as a source has it: as a member of its own, without key and line end.
static const char *source_text(const merger *m, version v) {
    ct_string_builder b;
    ct_string_builder_init(&b, m->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &b, CT_SJSON_STYLE_SJSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "v");
    ct_sjson_write_value(&w, v.doc, v.value);
    ct_sjson_end_object(&w);
    while (b.length > 0 && b.text[b.length - 1] == '\n')
        b.text[--b.length] = 0;
    return b.text + strlen("v = ");
}

static char *text_of(const merger *m, version v) {
    ct_string_builder b;
    ct_string_builder_init(&b, m->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &b, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, v.doc, v.value);
    return b.text;
}

static void note(merger *m, const char *path, const char *what, version wanted) {
    ct_string_builder b;
    ct_string_builder_init(&b, m->allocator);
    ct_string_builder_addf(&b, "%s: %s", path, what);
    if (exists(wanted)) {
        const char *const text = text_of(m, wanted);
        ct_string_builder_addf(&b, " (the model has %.200s%s)", text,
                               strlen(text) > 200 ? "..." : "");
    }
    ct_array_push(m->notes, b.text);
}

static void set_value(merger *m, ct_sjson_node node, version wanted) {
    const char *const text = source_text(m, wanted);
    if (!ct_sjson_document_set(m->file, node, text, strlen(text), m->error))
        m->has_failed = true;
}

static void insert_member(merger *m, ct_sjson_node object, const char *key, version wanted) {
    const char *const text = source_text(m, wanted);
    if (!ct_sjson_document_insert_member(m->file, object, (ct_sjson_node){0}, key, text,
                                         strlen(text), m->error)
             .index)
        m->has_failed = true;
}

static void insert_element(merger *m, ct_sjson_node array, version wanted) {
    const char *const text = source_text(m, wanted);
    if (!ct_sjson_document_insert_element(m->file, array, (ct_sjson_node){0}, text, strlen(text),
                                          m->error)
             .index)
        m->has_failed = true;
}

// --- Merging -------------------------------------------------------------------------------------

static void merge_value(merger *m, const trio *t, const char *path);

// Decides what becomes of a value that the file lacks. True when it is to be inserted.
static bool is_to_be_inserted(merger *m, const trio *t, const char *path) {
    if (!exists(t->wanted))
        return false;
    if (exists(t->base)) {
        if (!is_same(t->base, t->wanted))
            note(m, path, "was removed by hand and is not restored", t->wanted);
        return false;
    }
    return true;
}

// Removes what the model no longer has, unless a person changed it.
static void remove_vanished(merger *m, const trio *t, const char *path) {
    if (!exists(t->base))
        return; // a person's own
    if (is_same(t->file, t->base))
        ct_sjson_document_remove(m->file, t->node);
    else
        note(m, path, "is no longer in the model, but was changed by hand and is kept",
             (version){0});
}

static const char *join(const merger *m, const char *path, const char *name) {
    ct_string_builder b;
    ct_string_builder_init(&b, m->allocator);
    ct_string_builder_addf(&b, "%s%s%s", path, *path ? "." : "", name);
    return b.text;
}

static version member(version object, const char *key) {
    if (type_of(object) != CT_SJSON_TYPE_OBJECT)
        return (version){0};
    return (version){object.doc, ct_sjson_find(object.doc, object.value, key)};
}

static void merge_member(merger *m, const trio *t, const char *key, const char *path) {
    const trio inner = {.node = ct_sjson_document_find(m->file, t->node, key),
                        .file = member(t->file, key),
                        .base = member(t->base, key),
                        .wanted = member(t->wanted, key)};
    const char *const inner_path = join(m, path, key);
    if (exists(inner.file) && exists(inner.wanted))
        merge_value(m, &inner, inner_path);
    else if (exists(inner.file))
        remove_vanished(m, &inner, inner_path);
    else if (is_to_be_inserted(m, &inner, inner_path))
        insert_member(m, t->node, key, inner.wanted);
}

static void merge_object(merger *m, const trio *t, const char *path) {
    const version w = t->wanted, b = t->base;
    for (ct_sjson_value v = ct_sjson_first(w.doc, w.value); v.entry; v = ct_sjson_next(w.doc, v))
        merge_member(m, t, ct_sjson_key(w.doc, v), path);
    if (type_of(b) != CT_SJSON_TYPE_OBJECT)
        return;
    for (ct_sjson_value v = ct_sjson_first(b.doc, b.value); v.entry; v = ct_sjson_next(b.doc, v)) {
        const char *const key = ct_sjson_key(b.doc, v);
        if (!exists(member(w, key)))
            merge_member(m, t, key, path);
    }
}

// The elements of an array by their ids.
typedef struct element_map {
    version array;
    ct_hash_map entries; // of the tape, by the id's hash
} element_map;

static element_map map_elements(const merger *m, version array) {
    element_map map = {.array = array, .entries = {.allocator = m->allocator}};
    if (type_of(array) != CT_SJSON_TYPE_ARRAY)
        return map;
    for (ct_sjson_value e = ct_sjson_first(array.doc, array.value); e.entry;
         e = ct_sjson_next(array.doc, e)) {
        const char *const id = id_of((version){array.doc, e});
        if (id)
            ct_hash_map_set(&map.entries, ct_string_id64_of(id).value, e.entry);
    }
    return map;
}

static version element(const element_map *map, uint64_t id) {
    const uint32_t entry = (uint32_t)ct_hash_map_get(&map->entries, id, 0);
    return entry ? (version){map->array.doc, {entry}} : (version){0};
}

// "mesh" or "wheel" for people, the id where there is neither.
static const char *label_of(version v) {
    static const char *const keys[] = {"name", "node", "type", "id"};
    for (uint32_t i = 0; i < CT_COUNT_OF(keys); ++i) {
        const char *const text =
            ct_sjson_string(v.doc, ct_sjson_find(v.doc, v.value, keys[i]), NULL);
        if (text && *text)
            return text;
    }
    return "?";
}

// The elements that the file has, in its order. Nodes of the document and values of the tape stand
// in the same order, for nothing was edited in this array yet.
static void merge_known_elements(merger *m, const trio *t, const element_map *base,
                                 const element_map *wanted, const char *path) {
    const version f = t->file;
    ct_sjson_node node = ct_sjson_document_first(m->file, t->node), next;
    for (ct_sjson_value e = ct_sjson_first(f.doc, f.value); e.entry;
         e = ct_sjson_next(f.doc, e), node = next) {
        next = ct_sjson_document_next(m->file, node);
        const char *const id = id_of((version){f.doc, e});
        if (!id)
            continue;
        const uint64_t hash = ct_string_id64_of(id).value;
        const trio inner = {.node = node,
                            .file = {f.doc, e},
                            .base = element(base, hash),
                            .wanted = element(wanted, hash)};
        const char *const inner_path = join(m, path, label_of(inner.file));
        if (exists(inner.wanted))
            merge_value(m, &inner, inner_path);
        else
            remove_vanished(m, &inner, inner_path);
    }
}

static void merge_elements(merger *m, const trio *t, const char *path) {
    const element_map file = map_elements(m, t->file), base = map_elements(m, t->base),
                      wanted = map_elements(m, t->wanted);
    merge_known_elements(m, t, &base, &wanted, path);
    const version w = t->wanted;
    for (ct_sjson_value e = ct_sjson_first(w.doc, w.value); e.entry; e = ct_sjson_next(w.doc, e)) {
        const uint64_t hash = ct_string_id64_of(id_of((version){w.doc, e})).value;
        const trio inner = {.base = element(&base, hash), .wanted = {w.doc, e}};
        if (!exists(element(&file, hash)) &&
            is_to_be_inserted(m, &inner, join(m, path, label_of(inner.wanted))))
            insert_element(m, t->node, inner.wanted);
    }
}

// A value that file and import both have.
static void merge_value(merger *m, const trio *t, const char *path) {
    if (m->has_failed || is_same(t->file, t->wanted))
        return;
    const ct_sjson_type type = type_of(t->wanted);
    if (type == CT_SJSON_TYPE_OBJECT && type_of(t->file) == type)
        merge_object(m, t, path);
    else if (has_ids(t->wanted) && type_of(t->file) == CT_SJSON_TYPE_ARRAY &&
             (ct_sjson_count(t->wanted.doc, t->wanted.value) > 0 || has_ids(t->base)))
        merge_elements(m, t, path);
    else if (is_same(t->file, t->base))
        set_value(m, t->node, t->wanted);
    else if (!is_same(t->base, t->wanted))
        note(m, path, "was changed by hand and is kept", t->wanted);
}

bool ct_import_merge(ct_allocator *a, ct_sjson_document *file, const ct_sjson *base,
                     const ct_sjson *wanted, ct_string_array *notes, ct_error *error) {
    merger m = {.allocator = a, .file = file, .notes = notes, .error = error};
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_sjson_document_write(file, &text);
    const ct_sjson *const tape = ct_sjson_parse(a, ct_string_builder_text(&text), text.length,
                                                ct_sjson_document_file(file), NULL, error);
    if (!tape)
        return false;
    const trio t = {.node = ct_sjson_document_root(file),
                    .file = {tape, ct_sjson_root(tape)},
                    .base = {base, base ? ct_sjson_root(base) : (ct_sjson_value){0}},
                    .wanted = {wanted, ct_sjson_root(wanted)}};
    merge_value(&m, &t, "");
    return !m.has_failed;
}
