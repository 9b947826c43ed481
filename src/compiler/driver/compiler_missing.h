// compiler_missing.h: guesses which file was meant by one that is not there.
//
// A worker looks at the folder where the file should be; the driver, which has walked the whole
// project, knows where else a file of that name lies. The names are indexed when first asked for.
#pragma once
#include "project/source_scan.h"

typedef struct ct_missing_files {
    const ct_scan *scan; // borrowed
    ct_hash_map first;   // hash of a file name to position + 1 in the scan's files
    uint32_t *next;      // position + 1 of the next file of the same name, or 0; from the allocator
    ct_allocator *allocator;
} ct_missing_files;

// Starts without an index. `a` is a temp allocator, which outlives it and frees all at once.
void ct_missing_files_init(ct_missing_files *m, const ct_scan *scan, ct_allocator *a);

// If `message` says only that a file is not there (CT_SOURCE_MISSING_START, …) and the walk found
// files of its name elsewhere: the message with "did you mean" and the one whose path ends most
// alike, the first of several in the order of their paths. From the allocator. Else `message`.
const char *ct_missing_files_guess(ct_missing_files *m, const char *message);
