#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"

#include <string.h>

// --- Environments --------------------------------------------------------------------------------

static void add_text(ct_byte_array *bytes, const char *text) {
    ct_array_push_many(bytes, (const uint8_t *)text, (uint32_t)strlen(text) + 1);
}

static void add_number(ct_byte_array *bytes, uint64_t number) {
    uint8_t little_endian[8];
    for (uint32_t i = 0; i < 8; ++i)
        little_endian[i] = (uint8_t)(number >> (8 * i));
    ct_array_push_many(bytes, little_endian, 8);
}

static uint64_t environment_of(const ct_run *run, const ct_compiler_type *type) {
    ct_byte_array bytes;
    ct_array_init(&bytes, run->compiler->allocator);
    add_text(&bytes, type->name);
    add_text(&bytes, run->compiler->platform);
    add_text(&bytes, run->compiler->source_platform);
    add_number(&bytes, type->version);
    if (type->tables_hash)
        add_number(&bytes, type->tables_hash());
    if (type->schema_hash)
        add_number(&bytes, type->schema_hash);
    add_number(&bytes, ct_resource_type_named(type->name)->version);
    if (type->needs_listing)
        add_number(&bytes, run->listing_hash);
    const uint64_t environment = ct_content_hash(bytes.items, bytes.count);
    ct_array_free(&bytes);
    return environment;
}

// What an index says of a type, or NULL. It has nearly always the same types, in the same order.
static const ct_data_index_type *old_type(const ct_data_index *index, const char *name,
                                          uint32_t guess) {
    if (!index)
        return NULL;
    const ct_data_index_type *const old = ct_blob_at(index, index->types.offset);
    const uint32_t count = index->types.count;
    if (guess < count && strcmp(ct_blob_at(index, old[guess].name.offset), name) == 0)
        return &old[guess];
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(ct_blob_at(index, old[i].name.offset), name) == 0)
            return &old[i];
    return NULL;
}

void ct_run_set_environments(ct_run *run) {
    run->environments = CT_NEW_ARRAY(run->allocator, ct_run_environment, run->num_types);
    const ct_data_index *const index = run->old_index;
    run->has_types_of_index = index && index->types.count == run->num_types;
    for (uint32_t i = 0; i < run->num_types; ++i) {
        ct_run_environment *const environment = &run->environments[i];
        const ct_data_index_type *const old = old_type(index, run->types[i].name, i);
        environment->hash = environment_of(run, &run->types[i]);
        environment->is_as_before = old && old->environment == environment->hash;
        run->has_types_of_index &=
            old ==
            (const ct_data_index_type *)ct_blob_at(index, index ? index->types.offset : 0) + i;
    }
}

bool ct_run_has_same_environment(const ct_run *run, const ct_compiler_type *type) {
    return run->environments[type - run->types].is_as_before;
}

const ct_compiler_type *ct_run_type_named(const ct_run *run, const char *name) {
    for (uint32_t i = 0; i < run->num_types; ++i)
        if (run->types[i].name == name)
            return &run->types[i];
    for (uint32_t i = 0; i < run->num_types; ++i)
        if (strcmp(run->types[i].name, name) == 0)
            return &run->types[i];
    return NULL;
}

// --- Reading -------------------------------------------------------------------------------------

ct_compile_fault ct_run_old_warning(const ct_run *run, const ct_data_index_entry *entry,
                                    uint32_t i) {
    const ct_data_index *const index = run->old_index;
    const ct_data_index_error *const warning =
        (const ct_data_index_error *)ct_blob_at(index, entry->warnings.offset) + i;
    return (ct_compile_fault){.file = ct_blob_at(index, warning->file.offset),
                              .line = warning->line,
                              .column = warning->column,
                              .message = ct_blob_at(index, warning->message.offset)};
}

void ct_run_take_entry(ct_run *run, const ct_data_index_entry *entry, ct_compile_answer *record) {
    const ct_data_index *const index = run->old_index;
    ct_compile_answer_init(record, run->allocator);
    const ct_data_index_include *const includes = ct_blob_at(index, entry->includes.offset);
    ct_array_reserve(&record->includes, entry->includes.count);
    ct_array_reserve(&record->references, entry->references.count);
    for (uint32_t i = 0; i < entry->includes.count; ++i)
        ct_array_push(&record->includes,
                      (ct_compile_include){.path = ct_blob_at(index, includes[i].path.offset),
                                           .content_hash = includes[i].content_hash});
    for (uint32_t i = 0; i < entry->warnings.count; ++i)
        ct_array_push(&record->warnings, ct_run_old_warning(run, entry, i));
    const ct_data_index_type *const types = ct_blob_at(index, index->types.offset);
    const ct_data_index_reference *const r = ct_blob_at(index, entry->references.offset);
    for (uint32_t i = 0; i < entry->references.count; ++i)
        ct_array_push(&record->references,
                      (ct_compile_referred){.type = ct_blob_at(index, types[r[i].type].name.offset),
                                            .name = ct_blob_at(index, r[i].name.offset),
                                            .file = record->includes.items[r[i].include].path,
                                            .line = r[i].line,
                                            .column = r[i].column,
                                            .include = r[i].include,
                                            .id = r[i].id});
}

// --- Writing -------------------------------------------------------------------------------------

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the index is used without conversion");
_Static_assert(sizeof(ct_data_index) == 72 && sizeof(ct_data_index_type) == 16 &&
                   sizeof(ct_data_index_entry) == 104 && sizeof(ct_data_index_include) == 16 &&
                   sizeof(ct_data_index_reference) == 40 && sizeof(ct_data_index_error) == 24,
               "no padding between members, whose bytes would be undefined");

// The index under way. A text that stands in it already is not written again: names and paths of
// one resource stand in many others.
typedef struct index_writer {
    ct_blob_writer w;
    ct_hash_map texts;    // content hash to offset
    ct_hash_map pointers; // of texts, that do not change meanwhile, to length << 32 | offset
} index_writer;

// Where a text stands, which is written when it does not yet.
static uint32_t offset_of(index_writer *iw, const char *text, uint32_t bytes) {
    ct_blob_writer *const w = &iw->w;
    const uint64_t key = ct_content_hash(text, bytes);
    const uint64_t known = ct_hash_map_get(&iw->texts, key, 0);
    if (known > 0 && strcmp((const char *)w->bytes.items + known, text) == 0)
        return (uint32_t)known;
    const uint32_t offset = ct_blob_write_bytes(w, text, bytes + 1);
    ct_hash_map_set(&iw->texts, key, offset);
    return offset;
}

static ct_blob_string write_text(index_writer *iw, const char *text) {
    const uint64_t key = (uint64_t)(uintptr_t)text;
    const uint64_t known = ct_hash_map_get(&iw->pointers, key, 0);
    if (known > 0)
        return (ct_blob_string){(uint32_t)known, (uint32_t)(known >> 32)};
    const uint32_t bytes = (uint32_t)strlen(text);
    const uint32_t offset = offset_of(iw, text, bytes);
    ct_hash_map_set(&iw->pointers, key, (uint64_t)bytes << 32 | offset);
    return (ct_blob_string){offset, bytes};
}

// Room for the items of an array, which put_item fills: texts come behind it.
static ct_blob_array begin_array(index_writer *iw, uint32_t count, uint32_t item_bytes) {
    ct_blob_writer_align(&iw->w, 8);
    const uint32_t offset = ct_blob_write_zeroes(&iw->w, (uint64_t)count * item_bytes);
    return count > 0 ? (ct_blob_array){offset, count} : (ct_blob_array){0};
}

static void put_item(index_writer *iw, ct_blob_array array, uint32_t i, const void *item,
                     uint32_t item_bytes) {
    memcpy(iw->w.bytes.items + array.offset + (size_t)i * item_bytes, item, item_bytes);
}

static ct_blob_array write_includes(index_writer *iw, const ct_compile_answer *record) {
    const ct_blob_array array =
        begin_array(iw, record->includes.count, sizeof(ct_data_index_include));
    for (uint32_t i = 0; i < record->includes.count; ++i) {
        const ct_compile_include *const include = &record->includes.items[i];
        const ct_data_index_include item = {.path = write_text(iw, include->path),
                                            .content_hash = include->content_hash};
        put_item(iw, array, i, &item, sizeof(item));
    }
    return array;
}

// References are of types of the run (ct_run_check_references).
static uint32_t position_of(const ct_run *run, const char *type) {
    const ct_compiler_type *const of = ct_run_type_named(run, type);
    return of ? (uint32_t)(of - run->types) : 0;
}

static ct_blob_array write_references(const ct_run *run, index_writer *iw,
                                      const ct_compile_answer *record) {
    const ct_blob_array array =
        begin_array(iw, record->references.count, sizeof(ct_data_index_reference));
    for (uint32_t i = 0; i < record->references.count; ++i) {
        const ct_compile_referred *const r = &record->references.items[i];
        const ct_data_index_reference item = {.id = r->id,
                                              .name = write_text(iw, r->name),
                                              .type = position_of(run, r->type),
                                              .include = r->include,
                                              .line = r->line,
                                              .column = r->column};
        put_item(iw, array, i, &item, sizeof(item));
    }
    return array;
}

// Writes errors or warnings.
static ct_blob_array write_faults(index_writer *iw, const ct_compile_fault *faults,
                                  uint32_t count) {
    const ct_blob_array array = begin_array(iw, count, sizeof(ct_data_index_error));
    for (uint32_t i = 0; i < count; ++i) {
        ct_data_index_error item = {.line = faults[i].line, .column = faults[i].column};
        item.file = write_text(iw, faults[i].file);
        item.message = write_text(iw, faults[i].message);
        put_item(iw, array, i, &item, sizeof(item));
    }
    return array;
}

static ct_data_index_entry write_entry(const ct_run *run, index_writer *iw,
                                       const ct_run_resource *resource) {
    const ct_compile_answer *const record = &resource->record;
    ct_data_index_entry entry = {.id = resource->id,
                                 .base = resource->base.name,
                                 .data_hash = resource->data_hash,
                                 .stream_hash = resource->stream_hash,
                                 .data_bytes = resource->data_bytes,
                                 .stream_bytes = resource->stream_bytes};
    entry.type = write_text(iw, resource->type->name);
    entry.name = write_text(iw, resource->name);
    entry.source = write_text(iw, resource->source);
    entry.includes = write_includes(iw, record);
    entry.references = write_references(run, iw, record);
    entry.errors = write_faults(iw, record->errors.items, record->errors.count);
    entry.warnings = write_faults(iw, record->warnings.items, record->warnings.count);
    return entry;
}

static bool is_first_variant(const ct_run *run, uint32_t i) {
    const uint64_t key = ct_resource_id_key(run->resources.items[i].base);
    return ct_hash_map_get(&run->by_base, key, 0) == i + 1;
}

static ct_blob_array write_slots(const ct_run *run, index_writer *iw) {
    const uint32_t capacity = ct_id_table_capacity(run->num_listed);
    uint32_t *const slots = CT_NEW_ARRAY(run->allocator, uint32_t, capacity);
    for (uint32_t i = 0; i < run->resources.count; ++i)
        if (is_first_variant(run, i))
            ct_id_table_add(slots, capacity, ct_resource_id_key(run->resources.items[i].base), i);
    return (ct_blob_array){ct_blob_write_u32_array(&iw->w, slots, capacity), capacity};
}

static ct_blob_array write_types(const ct_run *run, index_writer *iw) {
    const ct_blob_array array = begin_array(iw, run->num_types, sizeof(ct_data_index_type));
    for (uint32_t i = 0; i < run->num_types; ++i) {
        const ct_data_index_type item = {.name = write_text(iw, run->types[i].name),
                                         .environment = run->environments[i].hash};
        put_item(iw, array, i, &item, sizeof(item));
    }
    return array;
}

static ct_blob_array write_platforms(const ct_run *run, index_writer *iw) {
    const ct_blob_array array = begin_array(iw, run->platform_words.count, sizeof(ct_blob_string));
    for (uint32_t i = 0; i < run->platform_words.count; ++i) {
        const ct_blob_string item = write_text(iw, run->platform_words.items[i]);
        put_item(iw, array, i, &item, sizeof(item));
    }
    return array;
}

// With a place for the catalog's hash.
static void write_index(const ct_run *run, index_writer *iw) {
    const uint32_t begin = sizeof(ct_blob_header);
    ct_blob_write_zeroes(&iw->w, sizeof(ct_data_index) - begin);
    ct_data_index index = {.types = write_types(run, iw)};
    index.slots = write_slots(run, iw);
    index.platforms = write_platforms(run, iw);
    index.entries = begin_array(iw, run->resources.count, sizeof(ct_data_index_entry));
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_data_index_entry entry = write_entry(run, iw, &run->resources.items[i]);
        put_item(iw, index.entries, i, &entry, sizeof(entry));
    }
    memcpy(iw->w.bytes.items + begin, (const uint8_t *)&index + begin, sizeof(index) - begin);
}

// --- Patching ------------------------------------------------------------------------------------

static bool is_text(const ct_data_index *index, ct_blob_string field, const char *text) {
    return strcmp(ct_blob_at(index, field.offset), text) == 0;
}

static bool has_same_includes(const ct_data_index *index, const ct_data_index_entry *old,
                              const ct_compile_answer *record) {
    const ct_data_index_include *const includes = ct_blob_at(index, old->includes.offset);
    bool result = old->includes.count == record->includes.count;
    for (uint32_t i = 0; result && i < record->includes.count; ++i)
        result = is_text(index, includes[i].path, record->includes.items[i].path);
    return result;
}

static bool has_same_references(const ct_data_index *index, const ct_data_index_entry *old,
                                const ct_compile_answer *record) {
    const ct_data_index_reference *const references = ct_blob_at(index, old->references.offset);
    const ct_data_index_type *const types = ct_blob_at(index, index->types.offset);
    bool result = old->references.count == record->references.count;
    for (uint32_t i = 0; result && i < record->references.count; ++i) {
        const ct_compile_referred *const r = &record->references.items[i];
        result = references[i].include == r->include &&
                 is_text(index, types[references[i].type].name, r->type) &&
                 is_text(index, references[i].name, r->name);
    }
    return result;
}

// True when what an entry says differs from the old one in numbers at most.
static bool has_same_texts(const ct_run *run, const ct_run_resource *resource) {
    const ct_data_index_entry *const old = resource->old;
    if (!resource->has_record)
        return true;
    return old->errors.count == 0 && resource->record.errors.count == 0 &&
           old->warnings.count == 0 && resource->record.warnings.count == 0 &&
           is_text(run->old_index, old->source, resource->source) &&
           has_same_includes(run->old_index, old, &resource->record) &&
           has_same_references(run->old_index, old, &resource->record);
}

static bool has_same_platforms(const ct_run *run) {
    const ct_data_index *const index = run->old_index;
    const ct_blob_string *const words = ct_blob_at(index, index->platforms.offset);
    bool result = index->platforms.count == run->platform_words.count;
    for (uint32_t i = 0; result && i < run->platform_words.count; ++i)
        result = is_text(index, words[i], run->platform_words.items[i]);
    return result;
}

static bool has_same_environments(const ct_run *run) {
    bool result = run->has_types_of_index;
    for (uint32_t i = 0; result && i < run->num_types; ++i)
        result = run->environments[i].is_as_before;
    return result;
}

// True when the index that is there needs other numbers only, as after a change of values: all of
// it stays where it is.
static bool can_patch(const ct_run *run) {
    const ct_data_index *const index = run->old_index;
    if (!index || index->entries.count != run->resources.count || !has_same_platforms(run) ||
        !has_same_environments(run))
        return false;
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const resource = &run->resources.items[i];
        if (resource->old != &entries[i] || !has_same_texts(run, resource))
            return false;
    }
    return true;
}

// True when all data is there that was, in the sizes that it had: where no text is new either, the
// catalog is the same.
static bool has_same_sizes(const ct_run *run) {
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const r = &run->resources.items[i];
        if ((r->data_hash != 0) != (r->old->data_hash != 0) ||
            r->data_bytes != r->old->data_bytes || r->stream_bytes != r->old->stream_bytes)
            return false;
    }
    return true;
}

static void patch_u64(ct_blob_writer *w, uint64_t at, uint64_t value) {
    ct_blob_patch_u32(w, (uint32_t)at, (uint32_t)value);
    ct_blob_patch_u32(w, (uint32_t)at + 4, (uint32_t)(value >> 32));
}

static void patch_entry(ct_blob_writer *w, uint64_t at, const ct_run_resource *resource) {
    patch_u64(w, at + offsetof(ct_data_index_entry, data_hash), resource->data_hash);
    patch_u64(w, at + offsetof(ct_data_index_entry, stream_hash), resource->stream_hash);
    ct_blob_patch_u32(w, (uint32_t)at + offsetof(ct_data_index_entry, data_bytes),
                      resource->data_bytes);
    ct_blob_patch_u32(w, (uint32_t)at + offsetof(ct_data_index_entry, stream_bytes),
                      resource->stream_bytes);
    const ct_compile_answer *const record = &resource->record;
    for (uint32_t i = 0; i < record->includes.count; ++i)
        patch_u64(w,
                  resource->old->includes.offset + i * sizeof(ct_data_index_include) +
                      offsetof(ct_data_index_include, content_hash),
                  record->includes.items[i].content_hash);
    for (uint32_t i = 0; i < record->references.count; ++i) {
        const uint64_t item =
            resource->old->references.offset + i * sizeof(ct_data_index_reference);
        ct_blob_patch_u32(w, (uint32_t)item + offsetof(ct_data_index_reference, line),
                          record->references.items[i].line);
        ct_blob_patch_u32(w, (uint32_t)item + offsetof(ct_data_index_reference, column),
                          record->references.items[i].column);
    }
}

// Copies the old index after the header, and sets the numbers that are new.
static void patch_index(const ct_run *run, uint64_t catalog_hash, ct_blob_writer *w) {
    const ct_data_index *const index = run->old_index;
    ct_blob_write_bytes(w, &index->header + 1, index->header.size_bytes - sizeof(index->header));
    patch_u64(w, offsetof(ct_data_index, catalog_hash), catalog_hash);
    for (uint32_t i = 0; i < run->resources.count; ++i)
        if (run->resources.items[i].has_record)
            patch_entry(w, index->entries.offset + i * sizeof(ct_data_index_entry),
                        &run->resources.items[i]);
}

// --- All -----------------------------------------------------------------------------------------

// True when the index would be the one that is there.
static bool is_unchanged(const ct_run *run) {
    if (!run->old_index || run->old_index->entries.count != run->resources.count ||
        !has_same_environments(run))
        return false;
    for (uint32_t i = 0; i < run->resources.count; ++i)
        if (run->resources.items[i].must_compile || run->resources.items[i].has_record)
            return false;
    return true;
}

// What is up to date has its record in the old index only.
static void take_missing_records(ct_run *run) {
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        ct_run_resource *const resource = &run->resources.items[i];
        if (!resource->has_record)
            ct_run_take_entry(run, resource->old, &resource->record);
        resource->has_record = true;
    }
}

// The catalog, whose hash goes to the index, while another thread makes and writes it.
typedef struct catalog_work {
    const ct_run *run;
    uint64_t hash;
    bool is_written;
    ct_error error;
} catalog_work;

static void write_catalog(void *user) {
    catalog_work *const work = user;
    work->is_written = ct_run_write_catalog(work->run, &work->hash, &work->error);
}

// About as many as the index will have.
static uint64_t estimate_bytes(const ct_run *run) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const r = &run->resources.items[i];
        bytes += sizeof(ct_data_index_entry) + 3 * strlen(r->source) +
                 r->record.includes.count * sizeof(ct_data_index_include) +
                 r->record.references.count * sizeof(ct_data_index_reference);
    }
    return bytes;
}

static bool make_index(ct_run *run, ct_blob_writer *w, ct_error *error) {
    take_missing_records(run);
    catalog_work work = {.run = run};
    const ct_thread thread = ct_thread_start("catalog", write_catalog, &work);
    index_writer iw = {.w = *w,
                       .texts.allocator = run->compiler->allocator,
                       .pointers.allocator = run->compiler->allocator};
    ct_array_reserve(&iw.w.bytes, estimate_bytes(run));
    ct_hash_map_reserve(&iw.texts, run->resources.count * 3);
    ct_hash_map_reserve(&iw.pointers, run->resources.count * 3);
    write_index(run, &iw);
    ct_hash_map_free(&iw.texts);
    ct_hash_map_free(&iw.pointers);
    *w = iw.w;
    ct_thread_join(thread);
    if (!work.is_written && error)
        *error = work.error;
    patch_u64(w, offsetof(ct_data_index, catalog_hash), work.hash);
    return work.is_written;
}

// The old index with other numbers, and a catalog where sizes are others.
static bool make_patched_index(const ct_run *run, ct_blob_writer *w, ct_error *error) {
    uint64_t catalog_hash = run->old_index->catalog_hash;
    const bool has_catalog = has_same_sizes(run) && ct_run_has_catalog(run, catalog_hash);
    if (!has_catalog && !ct_run_write_catalog(run, &catalog_hash, error))
        return false;
    patch_index(run, catalog_hash, w);
    return true;
}

static bool write_file(const ct_run *run, const ct_blob_writer *w, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, run->compiler->data_folder, CT_DATA_INDEX_FILE);
    const bool is_same = run->old_index && run->old_index->header.size_bytes == w->bytes.count &&
                         memcmp(run->old_index, w->bytes.items, w->bytes.count) == 0;
    return is_same || ct_file_write(path, w->bytes.items, w->bytes.count, false, error);
}

bool ct_run_write_index(ct_run *run, ct_error *error) {
    if (is_unchanged(run) && ct_run_has_catalog(run, run->old_index->catalog_hash))
        return true;
    ct_blob_writer w;
    ct_blob_writer_init(&w, run->compiler->allocator, CT_BYTE_ORDER_LITTLE, CT_DATA_INDEX_TYPE,
                        CT_DATA_INDEX_VERSION);
    if (run->old_index)
        ct_array_reserve(&w.bytes, run->old_index->header.size_bytes + 4096);
    bool result = can_patch(run) ? make_patched_index(run, &w, error) : make_index(run, &w, error);
    if (result) {
        ct_blob_writer_finish(&w);
        result = write_file(run, &w, error);
    }
    ct_blob_writer_free(&w);
    return result;
}
