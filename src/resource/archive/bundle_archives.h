// bundle_archives.h: the open archives of a bundle. For the resource store, and for who writes
// patches.
//
// Each has one reader behind a lock, which keeps the chunk it read last: what is read in the
// archive's order comes from each chunk once. Whole chunks are unpacked by several threads at once,
// each with a reader of its own, to blocks that their blobs stay in; the block of the last one is
// kept until the next. Functions are for any thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/archive/bundle_manifest.h"
#include "resource/load/loaded_blob.h"
#include "resource/resource_id.h"

// The variant number of archives' items: a resource's data, and the stream beside it.
enum { CT_BUNDLE_ITEM_DATA, CT_BUNDLE_ITEM_STREAM };

typedef struct ct_bundle_archives ct_bundle_archives;

// Reads the manifest of the bundle in `folder` and opens its archives. NULL with `error`.
ct_bundle_archives *ct_bundle_archives_open(ct_allocator *a, const char *folder,
                                            const char *platform, ct_error *error);
void ct_bundle_archives_close(ct_bundle_archives *b);

// Returns the manifest of the bundle; borrowed until the archives are closed.
const ct_bundle_manifest *ct_bundle_archives_manifest(const ct_bundle_archives *b);

// Returns whether an archive has the data of this resource. Reads nothing.
bool ct_bundle_archives_has(const ct_bundle_archives *b, ct_resource_id data_id);

// True when the data of a resource, or the stream beside it (`part`, CT_BUNDLE_ITEM_…), has this
// size and this ct_content_hash in the first archive that has it. Reads nothing.
bool ct_bundle_archives_has_content(const ct_bundle_archives *b, ct_resource_id data_id,
                                    uint32_t part, uint64_t size_bytes, uint64_t content_hash);

// Where the data of a resource lies.
typedef struct ct_bundle_place {
    const struct ct_archive_item *item;
    uint32_t archive;
    uint32_t offset; // in the chunk
} ct_bundle_place;

// Finds the data of a resource in the first archive that has it. False when there is none, or when
// it has not its place in one chunk, aligned for a blob: then it is read by itself. Reads nothing.
// When `before` (NULL: none) is where the one before it lies, and this one lies next to it, it is
// found faster.
bool ct_bundle_archives_place(const ct_bundle_archives *b, ct_resource_id data_id,
                              const ct_bundle_place *before, ct_bundle_place *place);

// The chunk in which `place` lies, whole, in memory from the bundle's allocator; `size_bytes` is
// set. The caller becomes a user of the block. NULL when the chunk cannot be read or is damaged:
// who then reads what lies in it one by one gets errors that name each.
ct_blob_block *ct_bundle_archives_chunk(ct_bundle_archives *b, const ct_bundle_place *place,
                                        uint32_t *size_bytes);

// Reads the data of a resource, from the first archive that has it, to memory from `a`. NULL with
// `error`.
void *ct_bundle_archives_read(ct_bundle_archives *b, ct_allocator *a, ct_resource_id data_id,
                              uint64_t *size_bytes, ct_error *error);

// Reads a part of the stream beside a resource's data to `buffer`. False with `error` when there is
// none or it ends before.
bool ct_bundle_archives_read_stream(ct_bundle_archives *b, ct_resource_id data_id, uint64_t offset,
                                    uint64_t bytes, void *buffer, ct_error *error);
