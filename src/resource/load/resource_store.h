// resource_store.h: where compiled data lies, and how it is read.
//
// A store finds a resource's data by its id; it knows nothing of what is loaded. It reads from a
// folder of compiled data, one file per resource, or from the archives of a bundle
// (bundle_manifest.h). Functions are for any thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/archive/bundle_archives.h"
#include "resource/archive/bundle_manifest.h"
#include "resource/catalog.h"

typedef struct ct_resource_store ct_resource_store;

// Opens the folder of compiled data, which need not be there yet. `a` must be safe from any thread.
ct_resource_store *ct_resource_store_open_folder(ct_allocator *a, const char *folder);

// Opens the data folder of a bundle for `platform`, with all its archives. NULL with `error` when
// manifest, catalog or archives are missing, damaged, for another platform, or not of one bundle.
ct_resource_store *ct_resource_store_open_bundle(ct_allocator *a, const char *folder,
                                                 const char *platform, ct_error *error);

// Opens what `folder` is: a bundle when it has a manifest. A bundle that cannot be opened, or
// that has lost its manifest, gives a store that has nothing, and refuses every read with the
// reason.
ct_resource_store *ct_resource_store_open(ct_allocator *a, const char *folder);

// Closes archives and frees the store; no thread may use it.
void ct_resource_store_close(ct_resource_store *s);

// The manifest of a bundle; NULL for a folder. Borrowed.
const ct_bundle_manifest *ct_resource_store_manifest(const ct_resource_store *s);

// A number that changes when the catalog does. 0: there is none.
uint64_t ct_resource_store_catalog_stamp(const ct_resource_store *s);

// Reads the catalog to memory from `a` (freed with ct_free). NULL with `error` when there is none.
ct_catalog *ct_resource_store_read_catalog(const ct_resource_store *s, ct_allocator *a,
                                           ct_error *error);

// True when there is data of this type and data name.
bool ct_resource_store_has(const ct_resource_store *s, ct_resource_id data_id);

// Reads and checks a resource's blob to memory from `a` (freed with ct_free). NULL with `error`,
// whose file is where it was looked for.
void *ct_resource_store_read(const ct_resource_store *s, ct_allocator *a, ct_resource_id data_id,
                             ct_error *error);

// Where data lies.
typedef struct ct_store_place {
    uint64_t group; // the same for what is read together; 0: it is read by itself
    ct_bundle_place in_bundle;
} ct_store_place;

// Finds the place of data of this type and data name; {0} also when there is none. Reads nothing.
// It is found faster when it lies next to `before` (NULL: none), a place of this store.
ct_store_place ct_resource_store_place(const ct_resource_store *s, ct_resource_id data_id,
                                       const ct_store_place *before);

// What is read together with others.
typedef struct ct_store_read {
    ct_resource_id data_id;
    ct_store_place place;
    ct_loaded_blob blob; // is set; its data is NULL when it cannot be read or is refused
} ct_store_read;

// Reads and checks blobs whose places have one group, not 0: in one go, which costs little for
// each. Where they are most of what lies there they stay together in a block; else each has memory
// of its own, from `a`. Blobs are freed with ct_loaded_blob_free. Why one is refused
// ct_resource_store_read tells.
void ct_resource_store_read_together(const ct_resource_store *s, ct_allocator *a,
                                     ct_store_read *reads, uint32_t count);

// Reads `bytes` bytes (at least 1) from `offset` on of the stream beside a resource's data to
// `buffer`. False with `error` when there is no such stream or it ends before; the buffer's content
// means nothing then.
bool ct_resource_store_read_stream(const ct_resource_store *s, ct_resource_id data_id,
                                   uint64_t offset, uint64_t bytes, void *buffer, ct_error *error);

// Reads and checks `folder`/catalog to memory from `a` (freed with ct_free). NULL with `error` when
// it is missing or damaged.
ct_catalog *ct_catalog_read(ct_allocator *a, const char *folder, ct_error *error);
