// bundle_manifest.h: the blob `bundle` in a bundle's data folder: the list of the bundle's
// archives.
//
// Archives are searched in the order of the manifest: those of patches, the newest first, then
// those of the packages. The manifest has the checksum of each archive's index, so that a patch
// over the wrong bundle is refused. docs/formats/bundle.md
#pragma once
#include "resource/blob/blob.h"

enum { CT_BUNDLE_VERSION = 1 };
#define CT_BUNDLE_TYPE "bundle"
#define CT_BUNDLE_FILE "bundle"
#define CT_BUNDLE_BASE_FILE "base.archive" // in every bundle

typedef struct ct_bundle_archive {
    ct_blob_string file; // in the data folder; without `/`
    uint64_t index_checksum;
} ct_bundle_archive;

typedef struct ct_bundle_manifest {
    ct_blob_header header;
    uint64_t catalog_hash;   // XXH3-64 of the file `catalog`
    ct_blob_string platform; // "linux"
    ct_blob_array archives;  // ct_bundle_archive
    uint32_t num_patches;    // the first archives, which are those of patches
    uint32_t
        source_platform; // offset of a zero-terminated text: the platform whose variants it has; 0:
                         // `platform`, as in all of the oldest bundles
} ct_bundle_manifest;

// Validates a manifest after its header was checked. libc only.
bool ct_bundle_validate(const void *blob, ct_error *error);

// Returns the platform whose variants the bundle has ("mobile"). The manifest must be valid.
// Borrowed. libc only.
const char *ct_bundle_source_platform(const ct_bundle_manifest *manifest);
