// data_index.h: the index of a folder of compiled data.
//
// One blob, file `index`, written by the compiler as a pure function of what it compiled: each
// variant of each resource with what its compilation read or looked for, and what it refers to. It
// is for the compiler and for tools; the engine has the catalog (catalog.h). Always little-endian.
// Entries are sorted by type name, name without properties, then name.
#pragma once
#include "resource/blob/blob.h"
#include "resource/blob/id_table.h"

enum { CT_DATA_INDEX_VERSION = 6 };
#define CT_DATA_INDEX_TYPE "data_index"
#define CT_DATA_INDEX_FILE "index"

// A file that a compilation read, or looked for in vain.
typedef struct ct_data_index_include {
    ct_blob_string path;   // project path with extension; under `core/` it lies in core
    uint64_t content_hash; // XXH3-64; 0: the file was not there
} ct_data_index_include;

typedef struct ct_data_index_reference {
    ct_resource_id id;
    ct_blob_string name;
    uint32_t type;    // position in the index's types
    uint32_t include; // position of the file in which it stands, among the entry's
    uint32_t line, column;
} ct_data_index_reference;

// An error or a warning.
typedef struct ct_data_index_error {
    ct_blob_string file;
    uint32_t line, column;
    ct_blob_string message;
} ct_data_index_error;

// A type of resources, whether there are any or not.
typedef struct ct_data_index_type {
    ct_blob_string name;
    uint64_t environment; // hash of what all compilations of the type depend on beside includes
} ct_data_index_type;

typedef struct ct_data_index_entry {
    ct_resource_id id;   // of the variant: names its data
    ct_string_id64 base; // of the name without properties: what others refer to
    ct_blob_string type, name;
    ct_blob_string source; // project path of the source file
    uint64_t data_hash;    // XXH3-64 of the compiled file; 0: there is none
    uint64_t stream_hash;  // XXH3-64 of the stream beside it; 0: there is none
    uint32_t data_bytes, stream_bytes;
    ct_blob_array includes;   // ct_data_index_include, the source first
    ct_blob_array references; // ct_data_index_reference
    ct_blob_array errors;     // ct_data_index_error; not empty: failed, the data is the last good
    ct_blob_array warnings;   // ct_data_index_error; the data is good all the same
} ct_data_index_entry;

typedef struct ct_data_index {
    ct_blob_header header;
    uint64_t catalog_hash;   // XXH3-64 of the catalog file that belongs to it
    ct_blob_array slots;     // uint32_t: an id table from (type, base) to the first of its entries
    ct_blob_array entries;   // ct_data_index_entry
    ct_blob_array platforms; // ct_blob_string: the words that chose variants
    ct_blob_array types;     // ct_data_index_type
} ct_data_index;

// Checks an index whose header is right.
bool ct_data_index_validate(const void *blob, ct_error *error);

// Reads and checks `folder`/index to memory from `a` (freed with ct_free). NULL with `error` when
// it is missing or damaged.
const ct_data_index *ct_data_index_read(ct_allocator *a, const char *folder, ct_error *error);

// The first variant of the resource `id` (without properties), or NULL; the others follow it.
const ct_data_index_entry *ct_data_index_find(const ct_data_index *index, ct_resource_id id);

// The next variant of the resource that `entry` is one of, or NULL.
const ct_data_index_entry *ct_data_index_next_variant(const ct_data_index *index,
                                                      const ct_data_index_entry *entry);

// The variant of a resource that has this name, with its properties if any ("units/lamp.fr"), or
// NULL.
const ct_data_index_entry *ct_data_index_find_variant(const ct_data_index *index, const char *type,
                                                      const char *name);

// Calls `each` for every entry that `entry` refers to, at whatever depth and in all variants, and
// last for `entry` itself; once each, and what is referred to comes before what refers to it. What
// is not in the index is passed over. Memory for the walk comes from `a`.
void ct_data_index_each_needed(const ct_data_index *index, const ct_data_index_entry *entry,
                               ct_allocator *a,
                               void (*each)(void *user, const ct_data_index_entry *entry),
                               void *user);
