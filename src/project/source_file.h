// source_file.h: finds the files of project paths and reads their content.
//
// The compiler's driver and workers and the tools for content all read sources with it, so that
// they agree on which files exist. Project paths under `core/` are in the core folder, all others
// in the project. A file that a symbolic link puts outside both folders counts as missing.
#pragma once
#include "foundation/os/os.h"
#include "foundation/os/path.h"

// The text around the path in the error for a missing file.
#define CT_SOURCE_MISSING_START "the file \""
#define CT_SOURCE_MISSING_END "\" is not there"

// Identifies a state of a file. {0} is the stamp of no file.
typedef struct ct_file_stamp {
    uint64_t size_bytes;
    int64_t modified_ns, changed_ns; // as in ct_file_info
    uint64_t inode;
} ct_file_stamp;

// Returns the stamp of a file's state.
static inline ct_file_stamp ct_file_stamp_of(const ct_file_info *info) {
    return (ct_file_stamp){info->size_bytes, info->modified_ns, info->changed_ns, info->inode};
}

// Returns whether two stamps are of the same state: then the file has most likely not changed.
static inline bool ct_file_stamp_equal(ct_file_stamp a, ct_file_stamp b) {
    return a.size_bytes == b.size_bytes && a.modified_ns == b.modified_ns &&
           a.changed_ns == b.changed_ns && a.inode == b.inode;
}

// The two folders, absolute and without links. `core` NULL: there are no files under `core/`.
typedef struct ct_source_roots {
    const char *project, *core;
} ct_source_roots;

// Writes the file path of the project path `path` to `file` of CT_PATH_BYTES, whether a file exists
// there or not. False when there can be none: the path is too long, or `..` leads out of its
// folder.
bool ct_source_locate(const ct_source_roots *roots, const char *path, char file[CT_PATH_BYTES]);

// Returns the content hash of a source. It is never 0, the hash of a missing file.
uint64_t ct_source_hash(const void *bytes, uint64_t size_bytes);

// The result of reading a file.
typedef struct ct_source_content {
    uint64_t size_bytes;
    uint64_t hash;       // ct_source_hash of the content
    ct_file_stamp stamp; // of the file just before it was read
} ct_source_content;

// Reads the file at a project path into memory from `a` (free it with ct_free), followed by a zero
// byte that does not count. NULL with `error`, and `content` all zeros, when there is no such
// regular file inside the folders.
char *ct_source_read(ct_allocator *a, const ct_source_roots *roots, const char *path,
                     ct_source_content *content, ct_error *error);

// Returns, for a missing file at `path`, the path of the file in the same folder with the most
// similar name, for "did you mean". From `a`; NULL when there is none.
char *ct_source_nearest(ct_allocator *a, const ct_source_roots *roots, const char *path);

// Returns whether `file` (absolute path) exists and, after links are followed, is the folder `root`
// or below it.
bool ct_source_lies_below(const char *file, const char *root);
