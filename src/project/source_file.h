// source_file.h: where a project path lies and what its file holds.
//
// The compiler's driver and workers and the tools for content read sources through this one place,
// so that they agree on what is there.
// Project paths under `core/` lie in the core folder, all others in the project. A file that a
// symbolic link puts outside of both folders counts as not there.
#pragma once
#include "foundation/os/os.h"
#include "foundation/os/path.h"

// The text around the path in the error of a file that is not there.
#define CT_SOURCE_MISSING_START "the file \""
#define CT_SOURCE_MISSING_END "\" is not there"

// Tells one state of a file from another. {0} is the stamp of no file.
typedef struct ct_file_stamp {
    uint64_t size_bytes;
    int64_t modified_ns, changed_ns; // as in ct_file_info
    uint64_t inode;
} ct_file_stamp;

// Returns the stamp of a file's state.
static inline ct_file_stamp ct_file_stamp_of(const ct_file_info *info) {
    return (ct_file_stamp){info->size_bytes, info->modified_ns, info->changed_ns, info->inode};
}

// Returns whether two stamps are of the same state: then the file was most likely not touched.
static inline bool ct_file_stamp_equal(ct_file_stamp a, ct_file_stamp b) {
    return a.size_bytes == b.size_bytes && a.modified_ns == b.modified_ns &&
           a.changed_ns == b.changed_ns && a.inode == b.inode;
}

// The two folders, absolute and without links; `core` NULL: nothing lies under `core/`.
typedef struct ct_source_roots {
    const char *project, *core;
} ct_source_roots;

// Writes where `path` lies to `file` of CT_PATH_BYTES, whether there is something or not. False
// when it can lie nowhere: it does not fit, or leads out of its folder by `..`.
bool ct_source_locate(const ct_source_roots *roots, const char *path, char file[CT_PATH_BYTES]);

// The content hash by which sources are known: never 0, which stands for a file that is not there.
uint64_t ct_source_hash(const void *bytes, uint64_t size_bytes);

// A file that was read.
typedef struct ct_source_content {
    uint64_t size_bytes;
    uint64_t hash;       // ct_source_hash of the content
    ct_file_stamp stamp; // of the file right before it was read
} ct_source_content;

// Reads the file at a project path to memory from `a` (freed with ct_free), followed by a zero byte
// that is not counted. NULL with `error`, and `content` zeroes, when there is no such regular file
// inside the folders.
char *ct_source_read(ct_allocator *a, const ct_source_roots *roots, const char *path,
                     ct_source_content *content, ct_error *error);

// The path of the file beside the one at `path`, which is not there, whose name is nearest to its
// own: for "did you mean". From `a`; NULL when there is none.
char *ct_source_nearest(ct_allocator *a, const ct_source_roots *roots, const char *path);

// True when `file`, absolute, is there and lies below the folder `root`, or is it, once links are
// followed.
bool ct_source_lies_below(const char *file, const char *root);
