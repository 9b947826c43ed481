// worker_model_files.h: Assimp's view of files: those that ct_compile_read gives.
//
// A model names the files it needs as its author spelt them. In a project they have valid names:
// letters in lower case, `_` for what is not in [a-z0-9_.-]. Names in glTF are URIs, whose %XX are
// characters (RFC 3986). When a model outside of a project is
// described (`cuttle import`), its files are read by the names they have, or by valid ones.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/os/path.h"

struct aiFileIO;

// One file, read once.
typedef struct ct_worker_model_file {
    const char *path;   // below the project, or below the folder of the model that is described
    const char *needed; // the project path that a project must have it at
    const char *bytes;
    uint64_t size_bytes;
} ct_worker_model_file;

typedef struct ct_worker_model_files {
    ct_compile *c;
    ct_sjson_value at; // where errors are reported
    struct aiFileIO *io;
    const char *gltf_path; // of a glTF model, whose other files are named by URIs; NULL: of none
    bool is_outside;       // the model lies in no project
    bool may_lack_others;  // files other than the model: an OBJ is whole without its materials
    // What must hold of files other than the model before they are read; NULL: nothing.
    bool (*check_other)(const char *bytes, uint64_t size_bytes, ct_error *error);
    CT_ARRAY(ct_worker_model_file) files;
    bool has_failed; // no more files are read: Assimp looks for a missing one in odd places too
} ct_worker_model_files;

// Fills `io` for Assimp; both structs must outlive the import.
void ct_worker_model_files_init(ct_worker_model_files *files, ct_compile *c, ct_sjson_value at,
                                struct aiFileIO *io, bool is_outside);

// Returns the file at `path` as Assimp writes it, or NULL after reporting what is wrong; without a
// report where it may be missing.
const ct_worker_model_file *ct_worker_model_file_at(ct_worker_model_files *files, const char *path);

// `path` with `/` for `\\` and characters for %XX (but for control characters). From the
// compilation's allocator.
const char *ct_worker_model_plain_path(ct_compile *c, const char *path);

// Writes `path` without `.` and `..` parts to `clean`. False when it leads out of its folder, or is
// too long.
bool ct_worker_model_clean_path(const char *path, char clean[CT_PATH_BYTES]);

// Writes the valid name of `path`, whose parts `/` or `\\` separate. False when it leads out of its
// folder by `..`, or is too long.
bool ct_worker_model_valid_path(const char *path, char valid[CT_PATH_BYTES]);
