// bundle.h: packs a folder of compiled data for players: an archive for each package, a catalog
// without names, a manifest.
//
// package_graph.h decides which archive has what: no resource is in two archives along a
// dependency. A resource that several independent packages hold is in the archive of each, so that
// each package is read from one place; the report lists these. Resources that only the engine asks
// for are in `base.archive`. docs/formats/bundle.md
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

typedef struct ct_bundle_desc {
    ct_allocator *allocator;
    const char *data_folder;     // compiled data, of a little-endian platform
    const char *platform;        // of the data
    const char *source_platform; // of the variants in it; NULL: `platform`
    const char *target_folder;   // exists and is empty
    const char *against;         // data folder of an older bundle, to make a patch for; or NULL
    // Called before each resource, on the calling thread: true ends the bundling with an error. May
    // be NULL.
    bool (*is_interrupted)(void *user);
    void *user;
} ct_bundle_desc;

// A variant of a resource in one archive: its data, the stream beside it, or both.
typedef struct ct_bundle_item {
    uint32_t entry;      // of the catalog
    uint32_t variant;    // of the catalog
    uint32_t archive;    // of the report
    uint64_t size_bytes; // of data and stream, as loaded
    const char *name;    // with the variant's properties: "ui/buttons.fr"
} ct_bundle_item;

typedef struct ct_bundle_archive_report {
    const char *package; // "" for the base and for a patch
    const char *file;
    uint32_t num_resources; // each once, whatever its variants and streams
    uint64_t size_bytes, packed_bytes;
} ct_bundle_archive_report;

// Two packages that do not depend on each other, and the resources that both hold.
typedef struct ct_bundle_overlap {
    uint32_t archives[2];
    uint32_t num_resources;
    uint64_t size_bytes;
} ct_bundle_overlap;

// What was written. All memory is from one temp allocator of the caller.
typedef struct ct_bundle_report {
    const struct ct_catalog *catalog;
    CT_ARRAY(ct_bundle_archive_report) archives;
    CT_ARRAY(ct_bundle_item) items;
    CT_ARRAY(ct_bundle_overlap) overlaps; // largest first
    uint32_t num_left_out; // resources of the project in no package and not in the base
    uint64_t catalog_bytes;
} ct_bundle_report;

// Writes the bundle's data. The report's memory is from `scratch`, a temp allocator, and ends with
// it. Returns false with `error`; the target folder may then hold anything.
bool ct_bundle_write(const ct_bundle_desc *desc, ct_allocator *scratch, ct_bundle_report *report,
                     ct_error *error);

// Returns the resource type of an item: "texture". Borrowed from the catalog.
const char *ct_bundle_item_type(const ct_bundle_report *report, const ct_bundle_item *item);
