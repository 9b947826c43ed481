// archive_reader.h: reads items of an archive.
//
// A reader keeps the chunk that it unpacked last. So reading all items in order unpacks every chunk
// once, and small items that were added together are read together. One thread at a time may use a
// reader; any number of readers may read one archive at once.
#pragma once
#include "resource/archive/archive.h"

typedef struct ct_archive_reader ct_archive_reader;

// Makes a reader of `archive`, which must outlive it. Allocates from `a` room for one chunk, packed
// and unpacked, and zstd's working memory (about 100 KB).
ct_archive_reader *ct_archive_reader_create(ct_allocator *a, const ct_archive *archive);

// Frees the reader; NULL is fine.
void ct_archive_reader_destroy(ct_archive_reader *reader);

// Reads `size_bytes` of `item`, an item of the reader's archive, from its byte `offset` on to
// `target`. The range must be inside the item. Unpacks only the chunks of the range. Returns false
// with `error`, which names the archive's file, the item and the chunk, when a chunk cannot be read
// or is damaged. Then the contents of `target` are undefined, and other chunks can still be read.
bool ct_archive_read(ct_archive_reader *reader, const ct_archive_item *item, uint64_t offset,
                     uint64_t size_bytes, void *target, ct_error *error);

// Reads the whole item to memory from `a`, aligned to CT_DEFAULT_ALIGN, owned by the caller
// (ct_free). Returns memory for an empty item too. Returns NULL with `error` like ct_archive_read.
void *ct_archive_read_item(ct_archive_reader *reader, const ct_archive_item *item, ct_allocator *a,
                           ct_error *error);

// Reads a whole chunk to `target`, which has room for its data_bytes. The reader does not keep the
// chunk. Returns false with `error`, which names the archive's file and the chunk, when it cannot
// be read or is damaged.
bool ct_archive_read_chunk(ct_archive_reader *reader, uint32_t chunk, void *target,
                           ct_error *error);
