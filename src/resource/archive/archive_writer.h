// archive_writer.h: writes an archive (archive.h), chunk by chunk, to a temporary file beside it.
//
// The file is a pure function of the items, their order and the description. One thread.
#pragma once
#include "resource/archive/archive.h"
#include "resource/blob/blob_writer.h"

// Chosen by measuring chunks of 64 to 256 KiB and levels 3 to 19 (docs/formats/archive.md).
enum { CT_ARCHIVE_CHUNK_BYTES = 128 << 10, CT_ARCHIVE_LEVEL = 12 };

typedef struct ct_archive_writer_desc {
    const char *path;     // copied; its folder must exist
    const char *platform; // shorter than CT_ARCHIVE_PLATFORM_BYTES
    ct_byte_order order;  // of that platform
    uint32_t chunk_bytes; // at most CT_ARCHIVE_MAX_CHUNK_BYTES; 0: CT_ARCHIVE_CHUNK_BYTES
    int level;            // zstd's, 1 to 19; 0: CT_ARCHIVE_LEVEL
} ct_archive_writer_desc;

typedef struct ct_archive_writer ct_archive_writer;

// Starts an archive in a temporary file. Returns NULL with `error` when it cannot be written.
ct_archive_writer *ct_archive_writer_create(ct_allocator *a, const ct_archive_writer_desc *desc,
                                            ct_error *error);

// Appends an item. Add items in loading order. The data is copied or compressed before this
// returns. Returns false with `error` when writing fails; then the archive can only be destroyed.
bool ct_archive_writer_add(ct_archive_writer *w, ct_resource_id id, uint32_t variant,
                           const void *data, uint64_t size_bytes, ct_error *error);

// Writes index and header and renames the file into place, completely or not at all. Returns false
// with `error` when writing fails or a resource was added twice in one variant. Call it once, then
// destroy the writer.
bool ct_archive_writer_finish(ct_archive_writer *w, ct_error *error);

// Frees the writer (NULL is fine), and removes the temporary file if it was not finished.
void ct_archive_writer_destroy(ct_archive_writer *w);
