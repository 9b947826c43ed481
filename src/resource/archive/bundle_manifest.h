// bundle_manifest.h: the blob `bundle` in a bundle's data folder: which archives it consists of.
//
// Archives are asked in the order of the manifest: those of patches, the newest first, then those
// of the packages. Each is named with the checksum of its index, so that a patch laid over another
// bundle than its own is refused. docs/formats/bundle.md
#pragma once
#include "resource/blob/blob.h"

enum { CT_BUNDLE_VERSION = 1 };
#define CT_BUNDLE_TYPE "bundle"
#define CT_BUNDLE_FILE "bundle"
#define CT_BUNDLE_BASE_FILE "base.archive" // every bundle has it

typedef struct ct_bundle_archive {
    ct_blob_string file; // in the data folder: no `/`
    uint64_t index_checksum;
} ct_bundle_archive;

typedef struct ct_bundle_manifest {
    ct_blob_header header;
    uint64_t catalog_hash;   // XXH3-64 of the file `catalog`
    ct_blob_string platform; // "linux"
    ct_blob_array archives;  // ct_bundle_archive
    uint32_t num_patches;    // archives of patches: the first so many
    uint32_t
        source_platform; // offset of a zero-terminated text: whose variants it has; 0: those of
                         // `platform`, which the oldest bundles have all
} ct_bundle_manifest;

// Checks a manifest whose header is right. libc only.
bool ct_bundle_validate(const void *blob, ct_error *error);

// The platform whose variants a right manifest's bundle has: "mobile". Borrowed. libc only.
const char *ct_bundle_source_platform(const ct_bundle_manifest *manifest);
