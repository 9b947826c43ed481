// worker_model_files.h: Assimp's view of the project's files: those that ct_compile_read gives.
#pragma once
#include "compiler/compile.h"

struct aiFileIO;

// One file, read once.
typedef struct ct_worker_model_file {
    const char *path;
    const char *bytes;
    uint64_t size_bytes;
} ct_worker_model_file;

typedef struct ct_worker_model_files {
    ct_compile *c;
    ct_sjson_value at; // where errors are reported
    CT_ARRAY(ct_worker_model_file) files;
    bool has_failed; // no more files are read: Assimp looks for a missing one in odd places too
} ct_worker_model_files;

// Fills `io` for Assimp; both structs must outlive the import.
void ct_worker_model_files_init(ct_worker_model_files *files, ct_compile *c, ct_sjson_value at,
                                struct aiFileIO *io);

// Returns the file at `path` as Assimp writes it, or NULL after reporting what is wrong.
const ct_worker_model_file *ct_worker_model_file_at(ct_worker_model_files *files, const char *path);
