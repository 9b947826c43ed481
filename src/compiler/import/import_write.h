// import_write.h: writes a set of files, all of them or none.
//
// New files and copies of the old ones are first written to a folder of their own
// (`.cuttle/import/<name>` of the project), then a journal of the changes. Only then are files put
// in their places. When one of them fails, those before it are undone; when the process is killed
// in between, the next import finds the journal and undoes them. A file that has changed since the
// import wrote it is not undone.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/path.h"

typedef struct ct_import_write {
    const char *path;     // project path, canonical
    const uint8_t *bytes; // NULL: the file is removed
    uint64_t size_bytes;
} ct_import_write;

typedef struct ct_import_writes {
    ct_allocator *allocator;
    const char *folder; // the root of the paths: the project, absolute and without links
    char stage[CT_PATH_BYTES];
    CT_ARRAY(ct_import_write) items;
} ct_import_writes;

// Starts an empty set; `name` distinguishes imports of different models. `folder` and everything
// that is added are borrowed until the run; `a` is a temp allocator. Returns false with `error`
// when the paths would be too long.
bool ct_import_writes_init(ct_import_writes *w, ct_allocator *a, const char *folder,
                           const char *name, ct_error *error);

// Adds a file to write. The path and the bytes are borrowed.
void ct_import_writes_add(ct_import_writes *w, const char *path, const void *bytes,
                          uint64_t size_bytes);

// Adds a file to remove. The path is borrowed.
void ct_import_writes_remove(ct_import_writes *w, const char *path);

// Undoes the changes of a killed run of the same name. Returns false with `error` when that fails;
// it can be tried again.
bool ct_import_writes_recover(const ct_import_writes *w, ct_error *error);

// Makes the changes. Returns false with `error`, and all files as they were, when one of them
// fails, also when a file would be outside of `folder` by a symbolic link.
bool ct_import_writes_run(const ct_import_writes *w, ct_error *error);
