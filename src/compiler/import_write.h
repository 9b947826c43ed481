// import_write.h: writes a set of files so that all of them come or none.
//
// Every file is written to a temporary beside its place; when all are there they are renamed, then
// files that shall go are removed. What fails before the first rename leaves everything as it was.
#pragma once
#include "foundation/array.h"

typedef struct ct_import_write {
    const char *path;
    const void *bytes;
    uint64_t size_bytes;
} ct_import_write;

typedef struct ct_import_writes {
    ct_allocator *allocator;
    const char *folder; // that paths are below
    CT_ARRAY(ct_import_write) items;
    ct_string_array removed;
} ct_import_writes;

// Starts an empty set. `folder` and everything added is borrowed until the run.
void ct_import_writes_init(ct_import_writes *w, ct_allocator *a, const char *folder);

// Adds a file to write, and one to remove.
void ct_import_writes_add(ct_import_writes *w, const char *path, const void *bytes,
                          uint64_t size_bytes);
void ct_import_writes_remove(ct_import_writes *w, const char *path);

// Does it. False with `error` when something could not be done.
bool ct_import_writes_run(ct_import_writes *w, ct_error *error);
