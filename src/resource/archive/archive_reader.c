#define ZSTD_STATIC_LINKING_ONLY // contexts on our allocators; the library is linked statically
#include "resource/archive/archive_reader.h"

#include <inttypes.h>
#include <string.h>

#include <zstd.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"

#define NO_CHUNK UINT32_MAX

struct ct_archive_reader {
    const ct_archive *archive;
    ct_allocator *allocator;
    ZSTD_DCtx *context;
    uint8_t *packed;   // room for the largest packed chunk
    uint8_t *unpacked; // and for the largest unpacked one
    uint32_t chunk;    // the chunk in `unpacked`, or NO_CHUNK
};

static void *zstd_allocate(void *a, size_t size_bytes) {
    return ct_alloc(a, size_bytes);
}

static void zstd_free(void *a, void *p) {
    ct_free(a, p);
}

ct_archive_reader *ct_archive_reader_create(ct_allocator *a, const ct_archive *archive) {
    ct_archive_reader *const reader = CT_NEW(a, ct_archive_reader);
    *reader = (ct_archive_reader){
        .archive = archive,
        .allocator = a,
        .context = ZSTD_createDCtx_advanced((ZSTD_customMem){zstd_allocate, zstd_free, a}),
        .packed = ct_alloc(a, archive->max_packed_bytes),
        .unpacked = ct_alloc(a, archive->max_data_bytes),
        .chunk = NO_CHUNK,
    };
    return reader;
}

void ct_archive_reader_destroy(ct_archive_reader *reader) {
    if (!reader)
        return;
    ct_allocator *const a = reader->allocator;
    ZSTD_freeDCtx(reader->context);
    ct_free_sized(a, reader->packed, reader->archive->max_packed_bytes);
    ct_free_sized(a, reader->unpacked, reader->archive->max_data_bytes);
    ct_free_sized(a, reader, sizeof(*reader));
}

// --- Chunks --------------------------------------------------------------------------------------

static bool read_bytes(int file, uint64_t offset, uint8_t *target, uint32_t size_bytes,
                       ct_error *error) {
    while (size_bytes > 0) {
        const int64_t got = ct_os_file_read_at(file, offset, target, size_bytes);
        if (got <= 0)
            return ct_error_set(error, "cannot be read: %s",
                                got == 0 ? "the archive was truncated in the meantime"
                                         : "the disk or its file system failed");
        target += got;
        offset += (uint64_t)got;
        size_bytes -= (uint32_t)got;
    }
    return true;
}

// Reads and unpacks a chunk to `target`, which has room for it.
static bool unpack(ct_archive_reader *reader, const ct_archive_chunk *c, uint8_t *target,
                   ct_error *error) {
    const bool is_packed = c->packed_bytes < c->data_bytes;
    uint8_t *const bytes = is_packed ? reader->packed : target;
    if (!read_bytes(reader->archive->file, c->file_offset, bytes, c->packed_bytes, error))
        return false;
    const uint64_t checksum = ct_content_hash(bytes, c->packed_bytes);
    if (checksum != c->checksum)
        return ct_error_set(error,
                            "is damaged: its checksum is %016" PRIx64 ", expected %016" PRIx64,
                            checksum, c->checksum);
    if (!is_packed)
        return true;
    // zstd never writes more than the size of the room it gets, whatever the chunk claims.
    const size_t got =
        ZSTD_decompressDCtx(reader->context, target, c->data_bytes, bytes, c->packed_bytes);
    if (ZSTD_isError(got))
        return ct_error_set(error, "cannot be unpacked to %u bytes: %s", c->data_bytes,
                            ZSTD_getErrorName(got));
    return got == c->data_bytes ||
           ct_error_set(error, "unpacks to %zu bytes, expected %u", got, c->data_bytes);
}

// As unpack; the message names archive, item and chunk.
static bool unpack_for(ct_archive_reader *reader, const ct_archive_item *item, uint32_t chunk,
                       uint8_t *target, ct_error *error) {
    ct_error cause = {0};
    const ct_archive_chunk *const c = &reader->archive->chunks[chunk];
    if (unpack(reader, c, target, &cause))
        return true;
    char name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_file_name(item->id, name);
    return ct_error_set_at(error, reader->archive->path, 0, 0,
                           "%s, variant %u: chunk %u at byte %" PRIu64 " %s", name, item->variant,
                           chunk, c->file_offset, cause.message);
}

// Unpacks a chunk to the reader's own room, unless it is there already.
static bool keep(ct_archive_reader *reader, const ct_archive_item *item, uint32_t chunk,
                 ct_error *error) {
    if (reader->chunk == chunk)
        return true;
    reader->chunk = NO_CHUNK;
    if (!unpack_for(reader, item, chunk, reader->unpacked, error))
        return false;
    reader->chunk = chunk;
    return true;
}

bool ct_archive_read_chunk(ct_archive_reader *reader, uint32_t chunk, void *target,
                           ct_error *error) {
    const ct_archive_chunk *const c = &reader->archive->chunks[chunk];
    ct_error cause = {0};
    return unpack(reader, c, target, &cause) ||
           ct_error_set_at(error, reader->archive->path, 0, 0, "chunk %u at byte %" PRIu64 " %s",
                           chunk, c->file_offset, cause.message);
}

// Returns the chunk with byte `data_offset` of the concatenation of all items, at or after `first`.
static uint32_t chunk_with(const ct_archive *archive, uint32_t first, uint64_t data_offset) {
    uint32_t low = first, high = archive->num_chunks - 1;
    if (data_offset - archive->chunks[first].data_offset < archive->chunks[first].data_bytes)
        return first;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (archive->chunks[middle].data_offset <= data_offset)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// --- Items ---------------------------------------------------------------------------------------

bool ct_archive_read(ct_archive_reader *reader, const ct_archive_item *item, uint64_t offset,
                     uint64_t size_bytes, void *target, ct_error *error) {
    CT_ASSERT(offset <= item->size_bytes && size_bytes <= item->size_bytes - offset,
              "%" PRIu64 " bytes from %" PRIu64 " on exceed the item of %" PRIu64, size_bytes,
              offset, item->size_bytes);
    if (size_bytes == 0)
        return true;
    const ct_archive *const archive = reader->archive;
    uint8_t *next = target;
    uint64_t at = item->data_offset + offset;
    for (uint32_t i = chunk_with(archive, item->first_chunk, at); size_bytes > 0; ++i) {
        const ct_archive_chunk *const c = &archive->chunks[i];
        const uint64_t skipped = at - c->data_offset;
        const uint64_t rest = c->data_bytes - skipped;
        const uint64_t wanted = rest < size_bytes ? rest : size_bytes;
        if (wanted == c->data_bytes && reader->chunk != i) { // all of it: directly to its place
            if (!unpack_for(reader, item, i, next, error))
                return false;
        } else {
            if (!keep(reader, item, i, error))
                return false;
            memcpy(next, reader->unpacked + skipped, (size_t)wanted);
        }
        next += wanted;
        at += wanted;
        size_bytes -= wanted;
    }
    return true;
}

void *ct_archive_read_item(ct_archive_reader *reader, const ct_archive_item *item, ct_allocator *a,
                           ct_error *error) {
    void *const data = ct_alloc(a, item->size_bytes > 0 ? item->size_bytes : 1);
    if (ct_archive_read(reader, item, 0, item->size_bytes, data, error))
        return data;
    ct_free(a, data);
    return NULL;
}
