#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/catalog.h"
#include "resource/types/resource_types.h"

#include <string.h>

// The catalog while it is put together; entries by position in loading order.
typedef struct catalog_build {
    const ct_run *run;
    ct_allocator *allocator;
    const char **types; // names, in the order of loading
    uint32_t num_types;
    CT_ARRAY(ct_catalog_entry) entries;
    CT_ARRAY(const char *) names; // of the entries
    CT_ARRAY(ct_catalog_variant) variants;
    CT_ARRAY(uint32_t) variant_resources; // position in the run's resources
    ct_u64_array properties;
    ct_u32_array references;
    ct_hash_map positions; // ct_resource_id_key of a base to position + 1
} catalog_build;

// --- Collecting ----------------------------------------------------------------------------------

static void add_variant(catalog_build *b, uint32_t i) {
    const ct_run_resource *const r = &b->run->resources.items[i];
    const uint64_t key = ct_resource_id_key(r->base);
    if (!ct_hash_map_find(&b->positions, key)) {
        const ct_catalog_entry entry = {.id = r->base, .first_variant = b->variants.count};
        ct_array_push(&b->entries, entry);
        ct_array_push(&b->names, r->base_name);
        ct_hash_map_set(&b->positions, key, b->entries.count);
    }
    ++b->entries.items[b->entries.count - 1].num_variants;
    const ct_catalog_variant variant = {.data_name = r->id.name,
                                        .first_property = b->properties.count,
                                        .num_properties = r->num_properties,
                                        .data_bytes = r->data_bytes,
                                        .stream_bytes = r->stream_bytes};
    ct_array_push(&b->variants, variant);
    ct_array_push(&b->variant_resources, i);
    for (uint32_t k = 0; k < r->num_properties; ++k)
        ct_array_push(&b->properties, ct_string_id64_of(r->properties[k]).value);
}

// The types in the order of loading: those of plugins that the run has follow the engine's.
static void find_types(catalog_build *b) {
    uint32_t count = 0, num_engine = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    ct_compiler_types(&num_engine);
    b->types = CT_NEW_ARRAY(b->allocator, const char *, count + b->run->num_types);
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_resource_type_is_registered(&types[i]))
            b->types[b->num_types++] = types[i].name;
    for (uint32_t i = num_engine; i < b->run->num_types; ++i)
        b->types[b->num_types++] = b->run->types[i].name;
}

// All resources that have data, type by type in the order of loading.
static void add_variants(catalog_build *b) {
    for (uint32_t t = 0; t < b->num_types; ++t)
        for (uint32_t i = 0; i < b->run->resources.count; ++i) {
            const ct_run_resource *const r = &b->run->resources.items[i];
            if (r->data_hash != 0 && strcmp(r->type->name, b->types[t]) == 0)
                add_variant(b, i);
        }
}

static void add_reference(catalog_build *b, ct_resource_id id) {
    const uint64_t position = ct_hash_map_get(&b->positions, ct_resource_id_key(id), 0);
    if (position > 0)
        ct_array_push(&b->references, (uint32_t)position - 1);
}

// What is up to date has its references in the old index, with their ids.
static void add_references_of(catalog_build *b, const ct_run_resource *resource) {
    if (!ct_run_is_user(resource))
        return;
    if (resource->has_record) {
        const ct_compile_answer *const record = &resource->record;
        for (uint32_t i = 0; i < record->references.count; ++i)
            add_reference(b, record->references.items[i].id);
        return;
    }
    const ct_data_index_reference *const references =
        ct_blob_at(b->run->old_index, resource->old->references.offset);
    for (uint32_t i = 0; i < resource->old->references.count; ++i)
        add_reference(b, references[i].id);
}

static void add_references(catalog_build *b) {
    for (uint32_t v = 0; v < b->variants.count; ++v) {
        ct_catalog_variant *const variant = &b->variants.items[v];
        variant->first_reference = b->references.count;
        add_references_of(b, &b->run->resources.items[b->variant_resources.items[v]]);
        variant->num_references = b->references.count - variant->first_reference;
    }
}

// --- Writing -------------------------------------------------------------------------------------

static ct_blob_array write_slots(const catalog_build *b, ct_blob_writer *w) {
    const uint32_t capacity = ct_id_table_capacity(b->entries.count);
    uint32_t *const slots = CT_NEW_ARRAY(b->allocator, uint32_t, capacity);
    for (uint32_t i = 0; i < b->entries.count; ++i)
        ct_id_table_add(slots, capacity, ct_resource_id_key(b->entries.items[i].id), i);
    return ct_blob_write_items(w, &ct_blob_u32_layout, slots, capacity);
}

static void write_catalog(const catalog_build *b, ct_blob_writer *w) {
    ct_catalog c = {.slots = {0}};
    ct_blob_begin(w, &ct_catalog_layout);
    c.slots = write_slots(b, w);
    c.entries =
        ct_blob_write_items(w, &ct_catalog_entry_layout, b->entries.items, b->entries.count);
    c.variants =
        ct_blob_write_items(w, &ct_catalog_variant_layout, b->variants.items, b->variants.count);
    c.properties =
        ct_blob_write_items(w, &ct_blob_u64_layout, b->properties.items, b->properties.count);
    c.references =
        ct_blob_write_items(w, &ct_blob_u32_layout, b->references.items, b->references.count);
    c.types = ct_blob_write_strings(w, b->types, b->num_types);
    c.names = ct_blob_write_strings(w, b->names.items, b->names.count);
    ct_blob_end(w, &ct_catalog_layout, &c);
}

static void build_catalog(const ct_run *run, ct_allocator *a, ct_blob_writer *w) {
    catalog_build b = {.run = run, .allocator = a, .positions.allocator = a};
    ct_array_init(&b.entries, a);
    ct_array_init(&b.names, a);
    ct_array_init(&b.variants, a);
    ct_array_init(&b.variant_resources, a);
    ct_array_init(&b.properties, a);
    ct_array_init(&b.references, a);
    find_types(&b);
    add_variants(&b);
    add_references(&b);
    ct_blob_writer_init(w, run->compiler->allocator,
                        ct_platform_named(run->compiler->platform)->byte_order, CT_CATALOG_TYPE,
                        CT_CATALOG_VERSION);
    write_catalog(&b, w);
    ct_blob_writer_finish(w);
}

bool ct_run_has_catalog(const ct_run *run, uint64_t hash) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, run->compiler->data_folder, CT_CATALOG_FILE);
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(run->compiler->allocator, path, &size_bytes, NULL);
    const bool result = data && ct_content_hash(data, size_bytes) == hash;
    ct_free(run->compiler->allocator, data);
    return result;
}

bool ct_run_write_catalog(const ct_run *run, uint64_t *hash, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, run->compiler->data_folder, CT_CATALOG_FILE);
    ct_blob_writer w;
    CT_TEMP_ALLOCATOR(scratch, run->compiler->allocator); // the run's is another thread's
    build_catalog(run, scratch, &w);
    *hash = ct_content_hash(w.bytes.items, w.bytes.count);
    const bool result = ct_run_has_catalog(run, *hash) ||
                        ct_file_write(path, w.bytes.items, w.bytes.count, false, error);
    ct_blob_writer_free(&w);
    return result;
}
