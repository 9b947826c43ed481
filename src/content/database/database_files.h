// database_files.h: the file objects of a database, and the paths that a project's files may have.
#pragma once
#include "database/database.h"
#include "foundation/container/hash_map.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

// A file object.
typedef struct ct_database_file {
    char *path;
    ct_guid object;
    bool is_seen; // for the caller
} ct_database_file;

typedef struct ct_database_files {
    ct_allocator *allocator;
    CT_ARRAY(ct_database_file) items; // by path
    ct_hash_map by_path;              // from the hash of a path to index + 1
    ct_hash_map by_object;            // the same from that of the GUID
} ct_database_files;

// Reads the set "files" of the root. Returns false with `error`, which names the object, when a path is missing,
// twice there, not allowed in a project, or a file's and a folder's at once.
bool ct_database_files_read(ct_database_files *files, ct_allocator *a, const ct_database *db,
                            ct_error *error);
void ct_database_files_free(ct_database_files *files);

// Returns the file of a path, or NULL.
ct_database_file *ct_database_files_find(const ct_database_files *files, const char *path);

// Returns whether an object is one of the files.
bool ct_database_files_find_object(const ct_database_files *files, ct_guid object);

// The GUID of the file object that an import makes for a path, unless a file that was renamed has it.
ct_guid ct_database_files_guid(const char *path);

// Returns whether a path is one of a project: relative, no hidden parts (those that start with "."), no control
// characters, not too long, UTF-8. False with `error`.
bool ct_database_files_check_path(const char *path, uint64_t length, ct_error *error);

// Returns whether a file is one of the open database's own: the file of SQLite and those that it keeps beside it.
// `path` is absolute and without links.
bool ct_database_files_is_own(ct_database *db, const char *path);

// Returns whether files with this path are SJSON: sources of resources but for Lua, and .sjson.
bool ct_database_files_is_source(const char *path);

// Returns a file's reference `root` or blob `content`; false when it has none.
bool ct_database_files_root(const ct_database *db, ct_guid file, ct_guid *root);
bool ct_database_files_content(const ct_database *db, ct_guid file, ct_database_blob *content);

// Appends the bytes that a file has by the database: its objects' text, or its content.
// Returns false with `error`.
bool ct_database_files_text(ct_allocator *a, ct_database *db, const ct_database_file *file,
                            ct_string_builder *out, ct_string_array *warnings, ct_error *error);
