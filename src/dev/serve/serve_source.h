// serve_source.h: what the file server offers of one project, or of its own engine.
//
// A source lists the files of a folder with their content's hashes, and finds one by its content.
// The list of a project comes from the compiler's index, which has the hashes already. One thread.
#pragma once
#include "dev/serve/serve_manifest.h"
#include "dev/serve/serve_problems.h"
#include "dev/serve/serve_protocol.h"
#include "foundation/error.h"
#include "foundation/os/path.h"

typedef struct ct_serve_source {
    char name[CT_SERVE_PROJECT_BYTES]; // for messages and lists
    char folder[CT_PATH_BYTES];        // of the files
    ct_serve_file_array files;
    ct_hash_map positions; // ct_serve_content_key to the position of a file with it
    uint32_t revision;     // of the list; 0: it has no list yet
    bool is_broken;        // it has no list, and `problem` is why
    ct_error problem;
    ct_serve_problems problems; // in the sources, now
    uint32_t problems_revision; // of that list, from 1
} ct_serve_source;

// Makes a source without a list. `folder` may be "" until the list is read.
void ct_serve_source_init(ct_serve_source *s, ct_allocator *a, const char *name,
                          const char *folder);
void ct_serve_source_free(ct_serve_source *s);

// Reads the list of a folder of compiled data that no compiler writes to meanwhile. When it differs
// from the one before, counts `revision` up. Returns false with `error` when the index is missing
// or does not fit the catalog; the list before then stays.
bool ct_serve_source_read_data(ct_serve_source *s, ct_error *error);

// Reads the list of the engine's programs in the folder, with their hashes. Those that are missing
// are left out. Returns false with `error` when `cuttle` is missing.
bool ct_serve_source_read_engine(ct_serve_source *s, ct_error *error);

// Takes over what is wrong in the sources (copied). When it differs from what was before, counts
// `problems_revision` up.
void ct_serve_source_set_problems(ct_serve_source *s, const ct_serve_problems *problems);

// Returns a file with this content, or NULL. Borrowed until the list is read again.
const ct_serve_file *ct_serve_source_find(const ct_serve_source *s, uint64_t hash,
                                          uint32_t size_bytes);

// Opens a file of the list for reading. Returns -1 with `error`.
int ct_serve_source_open(const ct_serve_source *s, const ct_serve_file *file, ct_error *error);
