// import_write.h: writes a set of files so that all of them come or none.
//
// New files and copies of the old ones are first written to a folder of their own
// (`.cuttle/import/<name>` of the project), then a journal that says what is about to change. Only
// then are files put in their places. When one cannot be, those before it are taken back; when the
// process is killed in between, the next import finds the journal and takes them back. Only what
// still is as the import left it is taken back: what somebody wrote since stays.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/path.h"

typedef struct ct_import_write {
    const char *path;     // project path, canonical
    const uint8_t *bytes; // NULL: the file is to go
    uint64_t size_bytes;
} ct_import_write;

typedef struct ct_import_writes {
    ct_allocator *allocator;
    const char *folder; // that paths are below: the project's, absolute and without links
    char stage[CT_PATH_BYTES];
    CT_ARRAY(ct_import_write) items;
} ct_import_writes;

// Starts an empty set; `name` tells imports of different models apart. `folder` and everything
// added is borrowed until the run; `a` is a temp allocator. False with `error` when the paths would
// be too long.
bool ct_import_writes_init(ct_import_writes *w, ct_allocator *a, const char *folder,
                           const char *name, ct_error *error);

// Adds a file to write, and one to remove.
void ct_import_writes_add(ct_import_writes *w, const char *path, const void *bytes,
                          uint64_t size_bytes);
void ct_import_writes_remove(ct_import_writes *w, const char *path);

// Takes back what a run of the same name that was killed has left. False with `error` when that
// cannot be done; then it can be tried again.
bool ct_import_writes_recover(const ct_import_writes *w, ct_error *error);

// Does it. False with `error`, and all files as they were, when something could not be done: also
// when a file would lie outside of `folder` by a symbolic link.
bool ct_import_writes_run(const ct_import_writes *w, ct_error *error);
