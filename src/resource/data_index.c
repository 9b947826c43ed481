#include "resource/data_index.h"

#include <stdio.h>
#include <string.h>

#include "foundation/container/bitset.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "resource/resource_variant.h"

// Checks a string of entry `i`.
static bool check_text(const ct_data_index *index, ct_blob_string text, uint32_t i,
                       const char *field, ct_error *error) {
    if (ct_blob_check_string(&index->header, text, field, NULL))
        return true;
    char what[64]; // only now: writing it takes longer than checking
    snprintf(what, sizeof(what), "entries[%u].%s", i, field);
    return ct_blob_check_string(&index->header, text, what, error);
}

static bool check_list(const ct_data_index *index, ct_blob_array array, uint64_t item_bytes,
                       uint32_t align, uint32_t i, const char *field, ct_error *error) {
    if (ct_blob_check_array(&index->header, array, item_bytes, align, field, NULL))
        return true;
    char what[64];
    snprintf(what, sizeof(what), "entries[%u].%s", i, field);
    return ct_blob_check_array(&index->header, array, item_bytes, align, what, error);
}

static bool check_includes(const ct_data_index *index, const ct_data_index_entry *e, uint32_t i,
                           ct_error *error) {
    const ct_data_index_include *const includes = ct_blob_at(index, e->includes.offset);
    if (!check_list(index, e->includes, sizeof(*includes), 8, i, "includes", error))
        return false;
    for (uint32_t k = 0; k < e->includes.count; ++k) {
        if (!check_text(index, includes[k].path, i, "includes.path", error))
            return false;
    }
    return true;
}

static bool check_references(const ct_data_index *index, const ct_data_index_entry *e, uint32_t i,
                             ct_error *error) {
    const ct_data_index_reference *const references = ct_blob_at(index, e->references.offset);
    if (!check_list(index, e->references, sizeof(*references), 8, i, "references", error))
        return false;
    for (uint32_t k = 0; k < e->references.count; ++k) {
        if (!check_text(index, references[k].name, i, "references.name", error))
            return false;
        if (references[k].type >= index->types.count || references[k].include >= e->includes.count)
            return ct_error_set(
                error, "entries[%u].references: unknown type %u of %u, or file %u of %u", i,
                references[k].type, index->types.count, references[k].include, e->includes.count);
    }
    return true;
}

// Checks the errors or the warnings of an entry.
static bool check_faults(const ct_data_index *index, ct_blob_array array, uint32_t i,
                         const char *const fields[3], ct_error *error) {
    const ct_data_index_error *const faults = ct_blob_at(index, array.offset);
    if (!check_list(index, array, sizeof(*faults), 4, i, fields[0], error))
        return false;
    for (uint32_t k = 0; k < array.count; ++k) {
        if (!check_text(index, faults[k].file, i, fields[1], error) ||
            !check_text(index, faults[k].message, i, fields[2], error))
            return false;
    }
    return true;
}

static bool check_entry(const ct_data_index *index, const ct_data_index_entry *e, uint32_t i,
                        ct_error *error) {
    static const char *const error_fields[] = {"errors", "errors.file", "errors.message"};
    static const char *const warning_fields[] = {"warnings", "warnings.file", "warnings.message"};
    if (!check_text(index, e->type, i, "type", error) ||
        !check_text(index, e->name, i, "name", error) ||
        !check_text(index, e->source, i, "source", error) || !check_includes(index, e, i, error) ||
        !check_references(index, e, i, error) ||
        !check_faults(index, e->errors, i, error_fields, error) ||
        !check_faults(index, e->warnings, i, warning_fields, error))
        return false;
    const char *const name = ct_blob_at(index, e->name.offset);
    const ct_resource_id id = ct_resource_id_of(ct_blob_at(index, e->type.offset), name);
    const ct_string_id64 base = ct_string_id64_of_bytes(name, ct_data_name_base_length(name));
    return (ct_resource_id_equal(id, e->id) && base.value == e->base.value) ||
           ct_error_set(error, "entries[%u]: its ids do not match its type and name", i);
}

static ct_resource_id base_id(const ct_data_index_entry *e) {
    return (ct_resource_id){e->id.type, e->base};
}

// As strcmp, of names up to their properties.
static int compare_bases(const char *a, const char *b) {
    const uint32_t a_length = ct_data_name_base_length(a), b_length = ct_data_name_base_length(b);
    const int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order || a_length == b_length ? order : (a_length < b_length ? -1 : 1);
}

// The order of entries: by type, name without properties, name.
static int compare_entries(const ct_data_index *index, const ct_data_index_entry *a,
                           const ct_data_index_entry *b) {
    const char *const a_name = ct_blob_at(index, a->name.offset);
    const char *const b_name = ct_blob_at(index, b->name.offset);
    int order = strcmp(ct_blob_at(index, a->type.offset), ct_blob_at(index, b->type.offset));
    order = order ? order : compare_bases(a_name, b_name);
    return order ? order : strcmp(a_name, b_name);
}

static bool check_types(const ct_data_index *index, ct_error *error) {
    const ct_data_index_type *const types = ct_blob_at(index, index->types.offset);
    if (!ct_blob_check_array(&index->header, index->types, sizeof(*types), 8, "types", error))
        return false;
    for (uint32_t i = 0; i < index->types.count; ++i) {
        if (!ct_blob_check_string(&index->header, types[i].name, "types.name", error))
            return false;
    }
    return true;
}

bool ct_data_index_validate(const void *blob, ct_error *error) {
    const ct_data_index *const index = blob;
    if (index->header.size_bytes < sizeof(*index))
        return ct_error_set(error, "too small for an index");
    if (!ct_blob_check_array(&index->header, index->entries, sizeof(ct_data_index_entry), 8,
                             "entries", error) ||
        !ct_blob_check_strings(&index->header, index->platforms, "platforms", error) ||
        !check_types(index, error) ||
        !ct_id_table_check(&index->header, index->slots, index->entries.count, error))
        return false;
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < index->entries.count; ++i) {
        if (!check_entry(index, &entries[i], i, error))
            return false;
        if (i > 0 && compare_entries(index, &entries[i - 1], &entries[i]) >= 0)
            return ct_error_set(error, "entries[%u]: out of order", i);
    }
    return true;
}

const ct_data_index *ct_data_index_read(ct_allocator *a, const char *folder, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_DATA_INDEX_FILE);
    uint64_t size_bytes;
    char *const blob = ct_file_read(a, path, &size_bytes, error);
    if (!blob)
        return NULL;
    ct_error inner = {0};
    if (!ct_blob_check_header(blob, size_bytes, ct_string_id64_of(CT_DATA_INDEX_TYPE),
                              CT_DATA_INDEX_VERSION, &inner) ||
        !ct_data_index_validate(blob, &inner)) {
        ct_error_set_at(error, path, 0, 0, "the index of compiled data is refused: %.512s",
                        inner.message);
        ct_free(a, blob);
        return NULL;
    }
    return (const ct_data_index *)(const void *)blob;
}

const ct_data_index_entry *ct_data_index_find(const ct_data_index *index, ct_resource_id id) {
    const uint32_t *const slots = ct_blob_at(index, index->slots.offset);
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    const uint32_t mask = index->slots.count - 1;
    for (uint32_t i = ct_id_table_home(ct_resource_id_key(id), mask + 1);; i = (i + 1) & mask) {
        if (slots[i] == 0)
            return NULL;
        if (ct_resource_id_equal(base_id(&entries[slots[i] - 1]), id))
            return &entries[slots[i] - 1];
    }
}

const ct_data_index_entry *ct_data_index_next_variant(const ct_data_index *index,
                                                      const ct_data_index_entry *entry) {
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    const ct_data_index_entry *const next = entry + 1;
    return next < entries + index->entries.count &&
                   ct_resource_id_equal(base_id(next), base_id(entry))
               ? next
               : NULL;
}

const ct_data_index_entry *ct_data_index_find_variant(const ct_data_index *index, const char *type,
                                                      const char *name) {
    const ct_resource_id id = ct_resource_id_of(type, name);
    const ct_resource_id base = {id.type,
                                 ct_string_id64_of_bytes(name, ct_data_name_base_length(name))};
    const ct_data_index_entry *entry = ct_data_index_find(index, base);
    while (entry && !ct_resource_id_equal(entry->id, id))
        entry = ct_data_index_next_variant(index, entry);
    return entry;
}

typedef struct need_walk {
    const ct_data_index *index;
    ct_bitset seen; // of entries
    void (*each)(void *user, const ct_data_index_entry *entry);
    void *user;
} need_walk;

// As deep as references are.
static void walk_needs(need_walk *walk, const ct_data_index_entry *entry, uint32_t depth) {
    enum { MAX_DEPTH = 256 };
    const ct_data_index_entry *const entries = ct_blob_at(walk->index, walk->index->entries.offset);
    const uint32_t position = (uint32_t)(entry - entries);
    if (depth == MAX_DEPTH || ct_bitset_test(&walk->seen, position))
        return;
    ct_bitset_set(&walk->seen, position);
    const ct_data_index_reference *const references =
        ct_blob_at(walk->index, entry->references.offset);
    for (uint32_t i = 0; i < entry->references.count; ++i) {
        const ct_data_index_entry *needed = ct_data_index_find(walk->index, references[i].id);
        for (; needed; needed = ct_data_index_next_variant(walk->index, needed))
            walk_needs(walk, needed, depth + 1);
    }
    walk->each(walk->user, entry);
}

void ct_data_index_each_needed(const ct_data_index *index, const ct_data_index_entry *entry,
                               ct_allocator *a,
                               void (*each)(void *user, const ct_data_index_entry *entry),
                               void *user) {
    need_walk walk = {.index = index, .each = each, .user = user};
    ct_bitset_init(&walk.seen, a);
    ct_bitset_resize(&walk.seen, index->entries.count);
    walk_needs(&walk, entry, 0);
    ct_bitset_free(&walk.seen);
}
