// bundle_archives.h: the open archives of a bundle, for the resource store and for writing patches.
//
// Each archive has one reader behind a lock, which keeps the last chunk. So reads in the archive's
// order unpack each chunk once. Several threads can unpack whole chunks at once, each with a reader
// of its own, to blocks that the chunk's blobs stay in. The last block is kept until the next one.
// All functions may be called on any thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/archive/bundle_manifest.h"
#include "resource/load/loaded_blob.h"
#include "resource/resource_id.h"

// The variant numbers of items in archives: a resource's data, and the stream beside it.
enum { CT_BUNDLE_ITEM_DATA, CT_BUNDLE_ITEM_STREAM };

typedef struct ct_bundle_archives ct_bundle_archives;

// Reads the manifest of the bundle in `folder` and opens its archives. Returns NULL with `error` on
// failure.
ct_bundle_archives *ct_bundle_archives_open(ct_allocator *a, const char *folder,
                                            const char *platform, ct_error *error);
void ct_bundle_archives_close(ct_bundle_archives *b);

// Returns the manifest of the bundle; borrowed until the archives are closed.
const ct_bundle_manifest *ct_bundle_archives_manifest(const ct_bundle_archives *b);

// Returns whether an archive has the data of this resource. Does not read from disk.
bool ct_bundle_archives_has(const ct_bundle_archives *b, ct_resource_id data_id);

// Returns whether the data of a resource, or the stream beside it (`part`, CT_BUNDLE_ITEM_…), has
// this size and this ct_content_hash in the first archive that has it. Does not read from disk.
bool ct_bundle_archives_has_content(const ct_bundle_archives *b, ct_resource_id data_id,
                                    uint32_t part, uint64_t size_bytes, uint64_t content_hash);

// The place of a resource's data.
typedef struct ct_bundle_place {
    const struct ct_archive_item *item;
    uint32_t archive;
    uint32_t offset; // in the chunk
} ct_bundle_place;

// Finds the data of a resource in the first archive that has it. Returns false when there is none,
// or when it is not in one chunk, aligned for a blob; such data is read by itself. Does not read
// from disk. `before` (NULL: none) is the place of the previous data; finding data next to it is
// faster.
bool ct_bundle_archives_place(const ct_bundle_archives *b, ct_resource_id data_id,
                              const ct_bundle_place *before, ct_bundle_place *place);

// Reads the whole chunk of `place` to memory from the bundle's allocator; sets `size_bytes`. The
// caller becomes a user of the block. Returns NULL when the chunk cannot be read or is damaged;
// read its data one by one then, for errors that name each.
ct_blob_block *ct_bundle_archives_chunk(ct_bundle_archives *b, const ct_bundle_place *place,
                                        uint32_t *size_bytes);

// Reads the data of a resource, from the first archive that has it, to memory from `a`. Returns
// NULL with `error` on failure.
void *ct_bundle_archives_read(ct_bundle_archives *b, ct_allocator *a, ct_resource_id data_id,
                              uint64_t *size_bytes, ct_error *error);

// Reads a part of the stream beside a resource's data to `buffer`. Returns false with `error` when
// there is no stream or it ends before the part does.
bool ct_bundle_archives_read_stream(ct_bundle_archives *b, ct_resource_id data_id, uint64_t offset,
                                    uint64_t bytes, void *buffer, ct_error *error);
