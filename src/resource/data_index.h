// data_index.h: the index of a folder of compiled data.
//
// The index is one blob, file `index`, which the compiler writes as a pure function of what it
// compiled. It lists each variant of each resource, the files that its compilation read or looked
// for, and its references. It is for the compiler and tools; the engine has the catalog
// (catalog.h). Always little-endian. Entries are sorted by type name, name without properties, then
// name.
#pragma once
#include "resource/blob/blob.h"
#include "resource/blob/id_table.h"

enum { CT_DATA_INDEX_VERSION = 6 };
#define CT_DATA_INDEX_TYPE "data_index"
#define CT_DATA_INDEX_FILE "index"

// A file that a compilation read, or looked for without finding it.
typedef struct ct_data_index_include {
    ct_blob_string path;   // project path with extension; files in `core/` are core's
    uint64_t content_hash; // XXH3-64; 0: the file did not exist
} ct_data_index_include;

typedef struct ct_data_index_reference {
    ct_resource_id id;
    ct_blob_string name;
    uint32_t type;    // position in the index's types
    uint32_t include; // position of the file with the reference, among the entry's includes
    uint32_t line, column;
} ct_data_index_reference;

// An error or a warning.
typedef struct ct_data_index_error {
    ct_blob_string file;
    uint32_t line, column;
    ct_blob_string message;
} ct_data_index_error;

// A type of resources. Listed even when there are no resources of it.
typedef struct ct_data_index_type {
    ct_blob_string name;
    uint64_t environment; // hash of everything but includes that all compilations of the type
                          // depend on
} ct_data_index_type;

typedef struct ct_data_index_entry {
    ct_resource_id id;   // of the variant: the name of its data
    ct_string_id64 base; // of the name without properties, which others refer to
    ct_blob_string type, name;
    ct_blob_string source; // project path of the source file
    uint64_t data_hash;    // XXH3-64 of the compiled file; 0: no file
    uint64_t stream_hash;  // XXH3-64 of the stream beside it; 0: no stream
    uint32_t data_bytes, stream_bytes;
    ct_blob_array includes;   // ct_data_index_include, the source first
    ct_blob_array references; // ct_data_index_reference
    ct_blob_array errors;     // ct_data_index_error; not empty: failed, the data is the last good
    ct_blob_array warnings;   // ct_data_index_error; the data is good nevertheless
} ct_data_index_entry;

typedef struct ct_data_index {
    ct_blob_header header;
    uint64_t catalog_hash;   // XXH3-64 of the catalog file that belongs to it
    ct_blob_array slots;     // uint32_t: an id table from (type, base) to the first of its entries
    ct_blob_array entries;   // ct_data_index_entry
    ct_blob_array platforms; // ct_blob_string: the platform words that chose variants
    ct_blob_array types;     // ct_data_index_type
} ct_data_index;

// Validates an index after its header was checked. Returns false with `error`.
bool ct_data_index_validate(const void *blob, ct_error *error);

// Reads and validates `folder`/index. The memory is from `a`; free it with ct_free. Returns NULL
// with `error` when the index is missing or damaged.
const ct_data_index *ct_data_index_read(ct_allocator *a, const char *folder, ct_error *error);

// Returns the first variant of the resource `id` (without properties), or NULL. The other variants
// follow it.
const ct_data_index_entry *ct_data_index_find(const ct_data_index *index, ct_resource_id id);

// Returns the next variant of the same resource after `entry`, or NULL.
const ct_data_index_entry *ct_data_index_next_variant(const ct_data_index *index,
                                                      const ct_data_index_entry *entry);

// Returns the variant with this name, including properties, if any ("units/lamp.fr"), or NULL.
const ct_data_index_entry *ct_data_index_find_variant(const ct_data_index *index, const char *type,
                                                      const char *name);

// Calls `each` for every entry that `entry` refers to, directly or indirectly and in all variants,
// and last for `entry` itself. Each entry is visited once, after the entries it refers to.
// References that are not in the index are skipped. Memory for the walk comes from `a`.
void ct_data_index_each_needed(const ct_data_index *index, const ct_data_index_entry *entry,
                               ct_allocator *a,
                               void (*each)(void *user, const ct_data_index_entry *entry),
                               void *user);
