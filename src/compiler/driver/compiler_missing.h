// compiler_missing.h: guesses which file was meant when a file is missing.
//
// A worker sees only the folder where the file should be; the driver has walked the whole project
// and knows other files of that name. The names are indexed when they are first needed.
#pragma once
#include "project/source_scan.h"

typedef struct ct_missing_files {
    const ct_scan *scan; // borrowed
    ct_hash_map first;   // hash of a file name to position + 1 in the scan's files
    uint32_t *next;      // position + 1 of the next file of the same name, or 0; from the allocator
    ct_allocator *allocator;
} ct_missing_files;

// Starts without an index. `a` must be a temp allocator that outlives `m`, and frees everything at
// once.
void ct_missing_files_init(ct_missing_files *m, const ct_scan *scan, ct_allocator *a);

// Returns `message` with "did you mean" and a file, if the message says only that a file is missing
// (CT_SOURCE_MISSING_START, …) and the walk found files of its name elsewhere. The file is the one
// whose path ends most alike; of several, the first by path. The text is from the allocator.
// Otherwise returns `message`.
const char *ct_missing_files_guess(ct_missing_files *m, const char *message);
