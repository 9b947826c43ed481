// package_overlap.h: what each package of compiled data reaches, and what several of them do.
//
// Reads the catalog and the packages' blobs. Sizes are of data and streams of all variants. A
// package depends on those that it lists, and on theirs; every one on core's, which is always
// loaded.
#pragma once
#include "foundation/array.h"
#include "foundation/bitset.h"
#include "foundation/error.h"
#include "resource/catalog.h"

typedef struct ct_package_reach {
    const char *name;
    uint32_t entry;         // in the catalog
    uint64_t *reached;      // bits: entries of the catalog, packages not among them
    uint64_t *depends;      // bits: entries of packages
    uint32_t num_resources; // reached
    uint64_t data_bytes, stream_bytes;
} ct_package_reach;

// Two packages that do not depend on each other, and reach the same.
typedef struct ct_package_pair {
    uint32_t first, second; // positions of packages
    uint32_t num_resources;
    uint64_t bytes;
} ct_package_pair;

typedef struct ct_package_overlap {
    ct_allocator *allocator; // a temp allocator: all is of it
    const ct_catalog *catalog;
    CT_ARRAY(ct_package_reach) packages; // in the order of the catalog: by name
    CT_ARRAY(ct_package_pair) pairs;     // most bytes first
    ct_u32_array unreached;              // entries in no package; packages and core's are not told
} ct_package_overlap;

// Looks at the compiled data in `data_folder`. False with `error` when there is none that can be
// read.
bool ct_package_overlap_find(ct_package_overlap *o, ct_allocator *scratch, const char *data_folder,
                             ct_error *error);

// The bytes of an entry in all its variants.
uint64_t ct_package_overlap_bytes(const ct_catalog *catalog, uint32_t entry);
