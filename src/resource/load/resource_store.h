// resource_store.h: the place of compiled data, and how it is read.
//
// A store finds a resource's data by its id; it does not know which resources are loaded. It reads
// from a folder of compiled data, one file per resource, or from the archives of a bundle
// (bundle_manifest.h). Functions may be called on any thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/archive/bundle_archives.h"
#include "resource/archive/bundle_manifest.h"
#include "resource/catalog.h"

typedef struct ct_resource_store ct_resource_store;

// Opens the folder of compiled data, which need not exist yet. `a` must be safe to use on any
// thread.
ct_resource_store *ct_resource_store_open_folder(ct_allocator *a, const char *folder);

// Opens the data folder of a bundle for `platform`, with all its archives. Returns NULL with
// `error` when manifest, catalog or archives are missing, damaged, for another platform, or from
// different bundles.
ct_resource_store *ct_resource_store_open_bundle(ct_allocator *a, const char *folder,
                                                 const char *platform, ct_error *error);

// Opens `folder` as a bundle if it has a manifest, otherwise as a folder. A bundle that cannot be
// opened, or whose manifest is missing, gives an empty store, which refuses every read with the
// reason.
ct_resource_store *ct_resource_store_open(ct_allocator *a, const char *folder);

// Closes archives and frees the store; no thread may use it any more.
void ct_resource_store_close(ct_resource_store *s);

// Returns the manifest of a bundle; NULL for a folder. Borrowed.
const ct_bundle_manifest *ct_resource_store_manifest(const ct_resource_store *s);

// Returns a number that changes when the catalog does. 0: no catalog.
uint64_t ct_resource_store_catalog_stamp(const ct_resource_store *s);

// Reads the catalog to memory from `a` (freed with ct_free). Returns NULL with `error` when it is
// missing.
ct_catalog *ct_resource_store_read_catalog(const ct_resource_store *s, ct_allocator *a,
                                           ct_error *error);

// Returns whether there is data of this type and data name.
bool ct_resource_store_has(const ct_resource_store *s, ct_resource_id data_id);

// Reads and checks a resource's blob to memory from `a` (freed with ct_free). Returns NULL with
// `error`, whose file is where the data was expected.
void *ct_resource_store_read(const ct_resource_store *s, ct_allocator *a, ct_resource_id data_id,
                             ct_error *error);

// The place of data.
typedef struct ct_store_place {
    uint64_t group; // the same for data that is read together; 0: read by itself
    ct_bundle_place in_bundle;
} ct_store_place;

// Finds the place of data of this type and data name. Returns {0} also when there is none. Does not
// read from disk. Faster when it is next to `before` (NULL: none), a place of this store.
ct_store_place ct_resource_store_place(const ct_resource_store *s, ct_resource_id data_id,
                                       const ct_store_place *before);

// One of several reads to do together.
typedef struct ct_store_read {
    ct_resource_id data_id;
    ct_store_place place;
    ct_loaded_blob blob; // output; its data is NULL when it cannot be read or is refused
} ct_store_read;

// Reads and checks blobs whose places have the same group, not 0, in one go, which costs little for
// each. If they are most of the data there, they stay together in a block; otherwise each has
// memory of its own, from `a`. Free blobs with ct_loaded_blob_free. For the reason of a refusal,
// call ct_resource_store_read.
void ct_resource_store_read_together(const ct_resource_store *s, ct_allocator *a,
                                     ct_store_read *reads, uint32_t count);

// Reads `bytes` bytes (at least 1) from `offset` on of the stream beside a resource's data to
// `buffer`. Returns false with `error` when the stream is missing or ends before; the buffer's
// contents are then undefined.
bool ct_resource_store_read_stream(const ct_resource_store *s, ct_resource_id data_id,
                                   uint64_t offset, uint64_t bytes, void *buffer, ct_error *error);

// Reads and checks `folder`/catalog to memory from `a` (freed with ct_free). Returns NULL with
// `error` when it is missing or damaged.
ct_catalog *ct_catalog_read(ct_allocator *a, const char *folder, ct_error *error);
