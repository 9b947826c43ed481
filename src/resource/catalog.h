// catalog.h: the engine's list of all compiled data: the resources, their variants, and the
// references of each.
//
// The catalog is one blob, file `catalog` beside the data, in the destination's layout. Entries are
// in loading order: by type, with the types that others need first, then by name. A hash table
// inside the blob finds them. The compiler writes it as a pure function of its entries. libc only.
#pragma once
#include "resource/blob/blob_layout.h"
#include "resource/blob/id_table.h"
#include "resource/resource_variant.h"

enum { CT_CATALOG_VERSION = 2 };
#define CT_CATALOG_TYPE "catalog"
#define CT_CATALOG_FILE "catalog"
#define CT_CATALOG_NONE UINT32_MAX // no entry

// A resource with all its variants.
typedef struct ct_catalog_entry {
    ct_resource_id id;
    uint32_t first_variant, num_variants; // at least one
} ct_catalog_entry;

// A variant: the data that is loaded for a resource.
typedef struct ct_catalog_variant {
    ct_string_id64 data_name; // names the data, with the entry's type
    uint32_t first_property, num_properties;
    uint32_t first_reference, num_references;
    uint32_t data_bytes;   // of the blob
    uint32_t stream_bytes; // of the stream beside it; 0: no stream
} ct_catalog_variant;

typedef struct ct_catalog {
    ct_blob_header header;
    ct_blob_array slots;      // uint32_t: an id table over the entries
    ct_blob_array entries;    // ct_catalog_entry
    ct_blob_array variants;   // ct_catalog_variant, those of an entry together
    ct_blob_array properties; // ct_string_id64
    ct_blob_array references; // uint32_t: positions of entries
    ct_blob_array types;      // ct_blob_string: names of the types; empty in shipped data
    ct_blob_array names;      // ct_blob_string, of the entries; empty in shipped data
} ct_catalog;

extern const ct_blob_layout ct_catalog_layout, ct_catalog_entry_layout, ct_catalog_variant_layout;

// Validates a catalog after its header was checked. Returns false with `error`.
bool ct_catalog_validate(const void *blob, ct_error *error);

// Returns the entries, `entries.count` of them; borrowed from the catalog.
static inline const ct_catalog_entry *ct_catalog_entries(const ct_catalog *c) {
    return (const ct_catalog_entry *)ct_blob_at(c, c->entries.offset);
}

// Returns the position of the entry of `id`, or CT_CATALOG_NONE.
static inline uint32_t ct_catalog_find(const ct_catalog *c, ct_resource_id id) {
    const uint32_t *const slots = (const uint32_t *)ct_blob_at(c, c->slots.offset);
    const ct_catalog_entry *const entries = ct_catalog_entries(c);
    const uint32_t mask = c->slots.count - 1;
    for (uint32_t i = ct_id_table_home(ct_resource_id_key(id), mask + 1);; i = (i + 1) & mask) {
        if (slots[i] == 0)
            return CT_CATALOG_NONE;
        if (ct_resource_id_equal(entries[slots[i] - 1].id, id))
            return slots[i] - 1;
    }
}

// Like ct_catalog_find, but faster when the entry is at `guess`.
static inline uint32_t ct_catalog_find_near(const ct_catalog *c, ct_resource_id id,
                                            uint32_t guess) {
    return guess < c->entries.count && ct_resource_id_equal(ct_catalog_entries(c)[guess].id, id)
               ? guess
               : ct_catalog_find(c, id);
}

// Returns the most preferred variant of entry `position`, or NULL when all its variants have
// properties that `order` does not list.
const ct_catalog_variant *ct_catalog_choose(const ct_catalog *c, uint32_t position,
                                            const ct_preference_order *order);

// Returns the name of entry `position`, or NULL in shipped data. Borrowed from the catalog.
const char *ct_catalog_name(const ct_catalog *c, uint32_t position);
