// catalog_fixture.h: catalogs from a list of variants, for tests.
#pragma once
#include <stdio.h>

#include "resource/blob/blob_fixtures.h"
#include "resource/catalog.h"

enum { MAX_FIXTURE_ITEMS = 16, CATALOG_FIXTURE_DATA_BYTES = 100 };

// One variant; those of one resource stand together. `needs` is another item's position + 1; 0:
// none.
typedef struct catalog_item {
    const char *type, *name;
    const char *property; // NULL: the default variant
    uint32_t needs;
} catalog_item;

// The parts of a catalog of these items.
typedef struct catalog_parts {
    ct_catalog_entry entries[MAX_FIXTURE_ITEMS];
    const char *names[MAX_FIXTURE_ITEMS], *types[MAX_FIXTURE_ITEMS];
    ct_catalog_variant variants[MAX_FIXTURE_ITEMS];
    uint32_t entry_of[MAX_FIXTURE_ITEMS]; // of each item
    ct_string_id64 properties[MAX_FIXTURE_ITEMS];
    uint32_t references[MAX_FIXTURE_ITEMS];
    uint32_t num_entries, num_properties, num_references;
} catalog_parts;

static inline void collect_parts(catalog_parts *parts, const catalog_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_resource_id id = ct_resource_id_of(items[i].type, items[i].name);
        if (i == 0 || !ct_resource_id_equal(parts->entries[parts->num_entries - 1].id, id)) {
            parts->types[parts->num_entries] = items[i].type;
            parts->names[parts->num_entries] = items[i].name;
            parts->entries[parts->num_entries++] = (ct_catalog_entry){id, i, 0};
        }
        ++parts->entries[parts->num_entries - 1].num_variants;
        parts->entry_of[i] = parts->num_entries - 1;
        char data_name[CT_RESOURCE_NAME_BYTES];
        snprintf(data_name, sizeof(data_name), "%s%s%s", items[i].name,
                 items[i].property ? "." : "", items[i].property ? items[i].property : "");
        parts->variants[i] = (ct_catalog_variant){.data_name = ct_string_id64_of(data_name),
                                                  .first_property = parts->num_properties,
                                                  .num_properties = items[i].property != NULL,
                                                  .data_bytes = CATALOG_FIXTURE_DATA_BYTES};
        if (items[i].property)
            parts->properties[parts->num_properties++] = ct_string_id64_of(items[i].property);
    }
    for (uint32_t i = 0; i < count; ++i) {
        parts->variants[i].first_reference = parts->num_references;
        parts->variants[i].num_references = items[i].needs != 0;
        if (items[i].needs)
            parts->references[parts->num_references++] = parts->entry_of[items[i].needs - 1];
    }
}

// Starts `w` and finishes the catalog.
static inline void make_catalog(ct_blob_writer *w, const catalog_item *items, uint32_t count) {
    catalog_parts parts = {.num_entries = 0};
    uint32_t slots[4 * MAX_FIXTURE_ITEMS] = {0};
    collect_parts(&parts, items, count);
    const uint32_t capacity = ct_id_table_capacity(parts.num_entries);
    for (uint32_t i = 0; i < parts.num_entries; ++i)
        ct_id_table_add(slots, capacity, ct_resource_id_key(parts.entries[i].id), i);
    start(w, CT_CATALOG_TYPE, CT_CATALOG_VERSION, sizeof(ct_catalog));
    append_array(w, offsetof(ct_catalog, slots), slots, 4, capacity);
    append_array(w, offsetof(ct_catalog, entries), parts.entries, sizeof(ct_catalog_entry),
                 parts.num_entries);
    append_array(w, offsetof(ct_catalog, variants), parts.variants, sizeof(ct_catalog_variant),
                 count);
    append_array(w, offsetof(ct_catalog, properties), parts.properties, 8, parts.num_properties);
    append_array(w, offsetof(ct_catalog, references), parts.references, 4, parts.num_references);
    append_strings(w, offsetof(ct_catalog, types), parts.types, parts.num_entries);
    append_strings(w, offsetof(ct_catalog, names), parts.names, parts.num_entries);
    ct_blob_writer_finish(w);
}

// Writes it to a data folder.
static inline void write_catalog(const char *folder, const catalog_item *items, uint32_t count) {
    ct_blob_writer w;
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    make_catalog(&w, items, count);
    ct_path_join(path, folder, CT_CATALOG_FILE);
    assert_true(ct_file_write(path, w.bytes.items, w.bytes.count, false, &error));
    ct_blob_writer_free(&w);
}
