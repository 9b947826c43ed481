#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/types/resource_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The nearest name of a missing resource costs a look at all of its type: for so many, no more.
enum { MAX_NEAREST = 200 };

// --- Plan ----------------------------------------------------------------------------------------

// The hash that the file of an include has now. Each text stands in the index once, and many
// resources include the same few files.
static uint64_t hash_now(ct_run *run, uint32_t path_offset) {
    const uint64_t *const known = ct_hash_map_find(&run->known_hashes, path_offset);
    if (known)
        return *known;
    const uint64_t hash = ct_scan_hash(&run->scan, ct_blob_at(run->old_index, path_offset));
    ct_hash_map_set(&run->known_hashes, path_offset, hash);
    return hash;
}

// True when source and includes are as they were.
static bool has_same_includes(ct_run *run, const ct_run_resource *resource) {
    const ct_data_index_entry *const entry = resource->old;
    const ct_data_index_include *const includes =
        ct_blob_at(run->old_index, entry->includes.offset);
    if (entry->includes.count == 0 ||
        strcmp(ct_blob_at(run->old_index, includes[0].path.offset), resource->source) != 0 ||
        ct_scan_file_hash(&run->scan, resource->file) != includes[0].content_hash)
        return false;
    for (uint32_t i = 1; i < entry->includes.count; ++i) {
        const char *const path = ct_blob_at(run->old_index, includes[i].path.offset);
        if (!ct_scan_is_unknown(&run->scan, path) &&
            hash_now(run, includes[i].path.offset) != includes[i].content_hash)
            return false;
    }
    return true;
}

// True when nothing that went into the last compilation has changed and its data is there.
static bool is_up_to_date(ct_run *run, const ct_run_resource *resource) {
    return resource->old->errors.count == 0 && resource->data_hash != 0 &&
           ct_run_has_same_environment(run, resource->type) && has_same_includes(run, resource);
}

// True for the settings that a game starts with, when it prefers no property yet: what they name
// must be there in a variant without any.
static bool is_read_at_start(const ct_run_resource *resource) {
    return !ct_run_is_user(resource) && resource->num_properties == 0;
}

static bool has_missing_references(const ct_run *run, const ct_run_resource *resource) {
    if (!run->has_lost_entries)
        return false;
    const ct_hash_map *const there = is_read_at_start(resource) ? &run->by_id : &run->by_base;
    const ct_data_index_entry *const entry = resource->old;
    const ct_data_index_reference *const r = ct_blob_at(run->old_index, entry->references.offset);
    for (uint32_t i = 0; i < entry->references.count; ++i)
        if (!ct_hash_map_find(there, ct_resource_id_key(r[i].id)))
            return true;
    return false;
}

// True when data and stream are there as the index says. A stream that it does not speak of means
// nothing.
static bool has_data_of_index(ct_run *run, const ct_run_resource *resource) {
    const ct_data_index_entry *const old = resource->old;
    return old->data_hash != 0 &&
           ct_run_data_hash(run, resource, CT_RUN_FILE_KIND_DATA) == old->data_hash &&
           (old->stream_hash == 0 ||
            ct_run_data_hash(run, resource, CT_RUN_FILE_KIND_STREAM) == old->stream_hash);
}

static void take_data_of_index(ct_run_resource *resource) {
    resource->data_hash = resource->old->data_hash;
    resource->data_bytes = resource->old->data_bytes;
    resource->stream_hash = resource->old->stream_hash;
    resource->stream_bytes = resource->old->stream_bytes;
}

static void plan_resource(ct_run *run, ct_run_resource *resource) {
    resource->must_compile = true;
    if (!resource->old)
        return;
    // Data that is not what the index says is no good data to keep.
    if (has_data_of_index(run, resource))
        take_data_of_index(resource);
    resource->must_compile = !is_up_to_date(run, resource);
    if (resource->must_compile)
        ct_worker_pool_prepare(run->compiler->pool, 1); // unless a changed source has told already
    if (!resource->must_compile && has_missing_references(run, resource)) {
        ct_run_take_entry(run, resource->old, &resource->record);
        resource->has_record = true;
        ct_run_check_references(run, resource);
    }
}

// Finds what the old index says of each resource. Both have the same order, so that most are found
// side by side.
static void find_entries(ct_run *run) {
    const ct_data_index *const index = run->old_index;
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    uint32_t next = 0, num_found = 0;
    for (uint32_t i = 0; i < index->entries.count; ++i) {
        const bool is_next = next < run->resources.count &&
                             ct_resource_id_equal(run->resources.items[next].id, entries[i].id);
        const uint64_t key = ct_resource_id_key(entries[i].id);
        const uint64_t at = is_next ? next + 1 : ct_hash_map_get(&run->by_id, key, 0);
        if (at == 0 || !ct_resource_id_equal(run->resources.items[at - 1].id, entries[i].id))
            continue;
        run->resources.items[at - 1].old = &entries[i];
        next = (uint32_t)at;
        ++num_found;
    }
    run->has_lost_entries = num_found < index->entries.count;
}

void ct_run_plan(ct_run *run) {
    if (run->old_index) {
        ct_hash_map_reserve(&run->known_hashes, 2 * run->old_index->entries.count);
        find_entries(run);
    }
    for (uint32_t i = 0; i < run->resources.count; ++i)
        plan_resource(run, &run->resources.items[i]);
}

// --- References ----------------------------------------------------------------------------------

// The first variant of a resource, or NULL when it is not in the project.
static const ct_run_resource *find_base(const ct_run *run, ct_resource_id id) {
    const uint64_t at = ct_hash_map_get(&run->by_base, ct_resource_id_key(id), 0);
    return at > 0 ? &run->resources.items[at - 1] : NULL;
}

// A source of this resource for another platform, or NULL.
static const char *source_elsewhere(const ct_run *run, ct_resource_id id) {
    for (uint32_t i = 0; i < run->elsewhere.count; ++i)
        if (ct_resource_id_equal(run->elsewhere.items[i].base, id))
            return run->elsewhere.items[i].source;
    return NULL;
}

// The first type, by name, of which there is a resource of this name, or NULL.
static const char *type_that_has(const ct_run *run, ct_string_id64 name) {
    const char *first = NULL;
    uint32_t num_types = 0;
    const ct_resource_type *const types = ct_resource_types(&num_types);
    for (uint32_t i = 0; i < num_types; ++i) {
        const ct_resource_id id = {types[i].id, name};
        const ct_run_resource *const base = find_base(run, id);
        if (base && ct_resource_id_equal(base->base, id) &&
            (!first || strcmp(types[i].name, first) < 0))
            first = types[i].name;
    }
    return first;
}

// The resources of a type, which stand together: sets `first` and returns how many.
static uint32_t resources_of_type(const ct_run *run, const char *type, uint32_t *first) {
    uint32_t begin = 0;
    while (begin < run->resources.count &&
           strcmp(run->resources.items[begin].type->name, type) != 0)
        ++begin;
    uint32_t end = begin;
    while (end < run->resources.count && strcmp(run->resources.items[end].type->name, type) == 0)
        ++end;
    *first = begin;
    return end - begin;
}

const char *ct_run_nearest(ct_run *run, const char *type, const char *name) {
    const uint64_t key = ct_resource_id_key(ct_resource_id_of(type, name));
    const uint64_t *const known = ct_hash_map_find(&run->nearest, key);
    if (known)
        return (const char *)(uintptr_t)*known;
    if (run->nearest.count >= MAX_NEAREST)
        return NULL;
    if (!run->names) {
        run->names = CT_NEW_ARRAY(run->allocator, const char *, run->resources.count);
        for (uint32_t i = 0; i < run->resources.count; ++i)
            run->names[i] = run->resources.items[i].base_name;
    }
    uint32_t first = 0;
    const uint32_t count = resources_of_type(run, type, &first);
    const char *const nearest =
        count > 0 ? ct_nearest_resource_name(name, run->names + first, count) : NULL;
    ct_hash_map_set(&run->nearest, key, (uint64_t)(uintptr_t)nearest);
    return nearest;
}

// The compile function may have told at the same place that the file is missing; then the message
// that knows the other resources takes its stead.
static void set_error(ct_compile_answer *record, const ct_compile_referred *reference,
                      const char *message) {
    for (uint32_t i = 0; i < record->errors.count; ++i) {
        ct_compile_fault *const fault = &record->errors.items[i];
        if (fault->line == reference->line && fault->column == reference->column &&
            strcmp(fault->file, reference->file) == 0) {
            fault->message = message;
            return;
        }
    }
    ct_array_push(&record->errors, (ct_compile_fault){.file = reference->file,
                                                      .line = reference->line,
                                                      .column = reference->column,
                                                      .message = message});
}

static const char *article_of(const char *type) {
    return strchr("aeio", type[0]) ? "an" : "a"; // a unit
}

// Writes to `message` that something is missing, and what may have been meant.
static void describe_missing(ct_run *run, const ct_compile_referred *reference,
                             char message[CT_ERROR_MESSAGE_BYTES]) {
    const char *const elsewhere = source_elsewhere(run, reference->id);
    const char *const nearest =
        elsewhere ? NULL : ct_run_nearest(run, reference->type, reference->name);
    const char *const other = elsewhere || nearest ? NULL : type_that_has(run, reference->id.name);
    int length = snprintf(message, CT_ERROR_MESSAGE_BYTES, "%s \"%s\" is missing", reference->type,
                          reference->name);
    length = length < CT_ERROR_MESSAGE_BYTES ? length : CT_ERROR_MESSAGE_BYTES - 1;
    if (elsewhere)
        snprintf(message + length, CT_ERROR_MESSAGE_BYTES - (size_t)length,
                 " for the platform %s (there is \"%s\")", run->compiler->source_platform,
                 elsewhere);
    else if (nearest)
        snprintf(message + length, CT_ERROR_MESSAGE_BYTES - (size_t)length,
                 " (did you mean \"%s\"?)", nearest);
    else if (other)
        snprintf(message + length, CT_ERROR_MESSAGE_BYTES - (size_t)length,
                 " (there is %s %s with that name)", article_of(other), other);
}

// Writes to `message` that no variant is there at the start; `base` is one that comes too late.
static void describe_late(const ct_run_resource *base, char message[CT_ERROR_MESSAGE_BYTES]) {
    snprintf(message, CT_ERROR_MESSAGE_BYTES,
             "%s \"%s\" has only variants with properties (\"%s\"), but a game starts without "
             "preferred properties; expected \"%s.%s\"",
             base->type->name, base->base_name, base->source, base->base_name, base->type->name);
}

bool ct_run_is_user(const ct_run_resource *resource) {
    return strcmp(resource->type->name, "config") != 0;
}

void ct_run_check_references(ct_run *run, ct_run_resource *resource) {
    ct_compile_answer *const record = &resource->record;
    const bool is_at_start = is_read_at_start(resource);
    uint32_t count = 0;
    for (uint32_t i = 0; i < record->references.count; ++i) {
        ct_compile_referred *const reference = &record->references.items[count];
        *reference = record->references.items[i];
        count +=
            ct_run_type_named(run, reference->type) != NULL; // else it is an error, and no more
        const ct_run_resource *const base = find_base(run, reference->id);
        if (base && strcmp(base->base_name, reference->name) == 0) {
            reference->type = base->type->name;
            reference->name = base->base_name;
        }
        char message[CT_ERROR_MESSAGE_BYTES];
        if (!base)
            describe_missing(run, reference, message);
        else if (is_at_start && !ct_hash_map_find(&run->by_id, ct_resource_id_key(base->base)))
            describe_late(base, message);
        else
            continue;
        set_error(record, reference, ct_copy_string(run->allocator, message));
    }
    record->references.count = count;
}
