// worker_model_files.h: the files that a model consists of, which ct_compile_read gives.
//
// A model names the files it needs as its author spelt them. In a project they have valid names:
// letters in lower case, `_` for what is not in [a-z0-9_.-]. Names in glTF are URIs, whose %XX are
// characters (RFC 3986). When a model outside of a project is
// described (`cuttle import`), its files are read by the names they have, or by valid ones.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/os/path.h"

// One file, read once.
typedef struct ct_worker_model_file {
    const char *path;   // below the project, or below the folder of the model that is described
    const char *needed; // the project path that a project must have it at
    const char *bytes;
    uint64_t size_bytes;
} ct_worker_model_file;

typedef struct ct_worker_model_files {
    ct_compile *c;
    ct_sjson_value at;     // where errors are reported
    const char *gltf_path; // of a glTF model, whose other files are named by URIs; NULL: of none
    bool is_outside;       // the model lies in no project
    bool may_lack_others;  // files other than the model: an OBJ is whole without its materials
    CT_ARRAY(ct_worker_model_file) files;
    bool has_failed; // no more files are read: importers look for a missing one in odd places too
} ct_worker_model_files;

// Starts without files; `is_outside` for a model that lies in no project.
void ct_worker_model_files_init(ct_worker_model_files *files, ct_compile *c, ct_sjson_value at,
                                bool is_outside);

// Returns the file at `path`, as the model names it, or NULL after reporting what is wrong; without a
// report where it may be missing.
const ct_worker_model_file *ct_worker_model_file_at(ct_worker_model_files *files, const char *path);

// As ct_worker_model_file_at, of a path from the folder of the file `from`.
const ct_worker_model_file *ct_worker_model_file_beside(ct_worker_model_files *files,
                                                        const char *from, const char *path);

// `path` with `/` for `\\` and characters for %XX (but for control characters). From the
// compilation's allocator.
const char *ct_worker_model_plain_path(ct_compile *c, const char *path);

// Writes `path` without `.` and `..` parts to `clean`. False when it leads out of its folder, or is
// too long.
bool ct_worker_model_clean_path(const char *path, char clean[CT_PATH_BYTES]);

// Writes the valid name of `path`, whose parts `/` or `\\` separate. False when it leads out of its
// folder by `..`, or is too long.
bool ct_worker_model_valid_path(const char *path, char valid[CT_PATH_BYTES]);
