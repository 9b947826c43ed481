// worker_model_files.h: the files of a model, read with ct_compile_read.
//
// A model names the files it needs as its author spelt them. In a project they have valid names:
// lower-case letters, and `_` for every character not in [a-z0-9_.-]. Names in glTF are URIs, whose
// %XX are characters (RFC 3986). When a model outside a project is described (`cuttle import`), its
// files are read by their own names, or by valid ones.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/os/path.h"

// One file, read once.
typedef struct ct_worker_model_file {
    const char *path;   // below the project, or below the folder of the model that is described
    const char *needed; // the path that the file must have in a project
    const char *bytes;
    uint64_t size_bytes;
} ct_worker_model_file;

typedef struct ct_worker_model_files {
    ct_compile *c;
    ct_sjson_value at;     // where errors are reported
    const char *gltf_path; // of a glTF model, whose other files are named by URIs; else NULL
    bool is_outside;       // the model is in no project
    bool may_lack_others;  // other files may be missing: an OBJ is complete without its materials
    CT_ARRAY(ct_worker_model_file) files;
    bool has_failed; // no more files are read: importers look for a missing one in odd places too
} ct_worker_model_files;

// Starts without files; `is_outside` for a model that is in no project.
void ct_worker_model_files_init(ct_worker_model_files *files, ct_compile *c, ct_sjson_value at,
                                bool is_outside);

// Returns the file at `path`, as the model names it, or NULL after reporting an error; without a
// report where the file may be missing.
const ct_worker_model_file *ct_worker_model_file_at(ct_worker_model_files *files, const char *path);

// Returns a file as ct_worker_model_file_at does, by a path relative to the folder of `from`.
const ct_worker_model_file *ct_worker_model_file_beside(ct_worker_model_files *files,
                                                        const char *from, const char *path);

// Returns `path` with `/` for `\\` and characters for %XX (except control characters). From the
// compilation's allocator.
const char *ct_worker_model_plain_path(ct_compile *c, const char *path);

// Writes `path` without `.` and `..` parts to `clean`. Returns false when it leads out of its
// folder, or is too long.
bool ct_worker_model_clean_path(const char *path, char clean[CT_PATH_BYTES]);

// Writes the valid name of `path`, whose parts `/` or `\\` separate. Returns false when it leads
// out of its folder by `..`, or is too long.
bool ct_worker_model_valid_path(const char *path, char valid[CT_PATH_BYTES]);
