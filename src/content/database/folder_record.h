// folder_record.h: what a project's folder and a branch of a database last agreed on.
//
// JSON in `.cuttle/database/<GUID of the branch>.json` of the project: for each path the blob that the file's bytes
// would be. It is a note for the next import or export, and may be lost: they then compare more, and stop
// where they could overwrite an edit.
#pragma once
#include "database/database_value.h"
#include "foundation/container/hash_map.h"

// A file, by its project path.
typedef struct ct_folder_entry {
    char *path;
    ct_database_blob blob;
} ct_folder_entry;

// What both sides had of each file. {0} is not valid: use ct_folder_record_init.
typedef struct ct_folder_record {
    ct_allocator *allocator;
    bool is_found; // it was read from a file
    CT_ARRAY(ct_folder_entry) entries;
    ct_hash_map by_path; // from the hash of a path to index + 1
} ct_folder_record;

// Makes an empty record.
void ct_folder_record_init(ct_folder_record *record, ct_allocator *a);
void ct_folder_record_free(ct_folder_record *record);

// Returns the entry of a path, or NULL. Valid until the record changes.
const ct_folder_entry *ct_folder_record_find(const ct_folder_record *record, const char *path);

// Sets the entry of a path, which is copied.
void ct_folder_record_set(ct_folder_record *record, const char *path, const ct_database_blob *blob);

// Reads the record of a branch in the folder `project`. Returns false with `error` when there is one that cannot be
// read; the record is then empty. None is fine: then is_found is false.
bool ct_folder_record_read(ct_folder_record *record, const char *project, ct_guid branch,
                           ct_error *error);

// Writes it.
bool ct_folder_record_write(const ct_folder_record *record, const char *project, ct_guid branch,
                            ct_error *error);

// The blob that `bytes` would be.
ct_database_blob ct_folder_record_blob_of(ct_allocator *a, const void *bytes, uint64_t size_bytes);

// Returns whether two blobs are the same.
bool ct_folder_record_is_equal(const ct_database_blob *a, const ct_database_blob *b);
