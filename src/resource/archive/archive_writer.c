#define ZSTD_STATIC_LINKING_ONLY // contexts on our allocators; the library is linked statically
#include "resource/archive/archive_writer.h"

#include <string.h>

#include <zstd.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"

// A frame of zstd that unpacks to nothing: its magic and its size, then ignored bytes.
enum { SKIPPABLE_MAGIC = 0x184D2A50, SKIPPABLE_HEADER_BYTES = 8 };

struct ct_archive_writer {
    ct_allocator *allocator;
    ct_archive_writer_desc desc; // path and platform are copies
    char temporary[CT_PATH_BYTES];
    int file; // -1 once closed
    ZSTD_CCtx *context;
    uint8_t *pending; // the chunk that small items are added to; room for chunk_bytes
    uint32_t pending_bytes;
    uint8_t *packed; // room for the largest compressed chunk
    size_t packed_capacity;
    CT_ARRAY(ct_archive_chunk) chunks;
    CT_ARRAY(ct_archive_item) items;
    uint64_t file_offset; // where the next chunk goes
    uint64_t data_offset; // of the next item in the concatenation of all items
};

static void *zstd_allocate(void *a, size_t size_bytes) {
    return ct_alloc(a, size_bytes);
}

static void zstd_free(void *a, void *p) {
    ct_free(a, p);
}

static bool write_failed(const ct_archive_writer *w, const ct_error *cause, ct_error *error) {
    return ct_error_set_at(error, w->desc.path, 0, 0, "cannot write the archive: %s",
                           cause->message);
}

static bool write_at(const ct_archive_writer *w, uint64_t offset, const void *bytes, uint64_t count,
                     ct_error *error) {
    ct_error cause = {0};
    return ct_os_file_write_at(w->file, offset, bytes, count, &cause) ||
           write_failed(w, &cause, error);
}

// --- Life ----------------------------------------------------------------------------------------

ct_archive_writer *ct_archive_writer_create(ct_allocator *a, const ct_archive_writer_desc *desc,
                                            ct_error *error) {
    CT_ASSERT(strlen(desc->platform) < CT_ARCHIVE_PLATFORM_BYTES, "\"%s\" is too long",
              desc->platform);
    CT_ASSERT(desc->chunk_bytes <= CT_ARCHIVE_MAX_CHUNK_BYTES, "chunks of %u bytes are too large",
              desc->chunk_bytes);
    ct_archive_writer *const w = CT_NEW(a, ct_archive_writer);
    w->allocator = a;
    w->desc = *desc;
    w->desc.path = ct_copy_string(a, desc->path);
    w->desc.platform = ct_copy_string(a, desc->platform);
    if (w->desc.chunk_bytes == 0)
        w->desc.chunk_bytes = CT_ARCHIVE_CHUNK_BYTES;
    if (w->desc.level == 0)
        w->desc.level = CT_ARCHIVE_LEVEL;
    w->context = ZSTD_createCCtx_advanced((ZSTD_customMem){zstd_allocate, zstd_free, a});
    w->pending = ct_alloc(a, w->desc.chunk_bytes);
    w->packed_capacity = ZSTD_compressBound(w->desc.chunk_bytes) + SKIPPABLE_HEADER_BYTES;
    w->packed = ct_alloc(a, w->packed_capacity);
    ct_array_init(&w->chunks, a);
    ct_array_init(&w->items, a);
    w->file_offset = sizeof(ct_archive_header);
    w->file = -1;
    ct_error cause = {0};
    if (ct_file_temporary_path(w->desc.path, w->temporary, &cause))
        w->file = ct_os_file_open_write(w->temporary, &cause);
    if (w->file >= 0)
        return w;
    write_failed(w, &cause, error);
    ct_archive_writer_destroy(w);
    return NULL;
}

void ct_archive_writer_destroy(ct_archive_writer *w) {
    if (!w)
        return;
    ct_allocator *const a = w->allocator;
    if (w->file >= 0) {
        ct_os_file_close(w->file);
        ct_os_file_remove(w->temporary, NULL);
    }
    ZSTD_freeCCtx(w->context);
    ct_free(a, w->pending);
    ct_free(a, w->packed);
    ct_array_free(&w->chunks);
    ct_array_free(&w->items);
    ct_free(a, (char *)w->desc.path);
    ct_free(a, (char *)w->desc.platform);
    ct_free_sized(a, w, sizeof(*w));
}

// --- Chunks --------------------------------------------------------------------------------------

// Lengthens the packed form of `count` bytes to the minimum that a reader accepts, with a frame
// that unpacks to nothing.
static size_t pad(const ct_archive_writer *w, size_t packed_bytes, uint32_t count) {
    const size_t least = (count + CT_ARCHIVE_MAX_RATIO - 1) / CT_ARCHIVE_MAX_RATIO;
    if (packed_bytes >= least)
        return packed_bytes;
    const size_t body = least - packed_bytes > SKIPPABLE_HEADER_BYTES
                            ? least - packed_bytes - SKIPPABLE_HEADER_BYTES
                            : 0;
    uint8_t *const frame = w->packed + packed_bytes;
    memset(frame, 0, SKIPPABLE_HEADER_BYTES + body);
    for (uint32_t i = 0; i < 4; ++i) {
        frame[i] = (uint8_t)((uint32_t)SKIPPABLE_MAGIC >> 8 * i);
        frame[4 + i] = (uint8_t)(body >> 8 * i);
    }
    return packed_bytes + SKIPPABLE_HEADER_BYTES + body;
}

// Compresses `count` bytes (1 to chunk_bytes) and writes them as the next chunk.
static bool write_chunk(ct_archive_writer *w, const uint8_t *bytes, uint32_t count,
                        ct_error *error) {
    const uint8_t *stored = w->packed;
    size_t stored_bytes =
        ZSTD_compressCCtx(w->context, w->packed, w->packed_capacity, bytes, count, w->desc.level);
    CT_ASSERT(!ZSTD_isError(stored_bytes), "zstd: %s", ZSTD_getErrorName(stored_bytes));
    stored_bytes = pad(w, stored_bytes, count);
    if (stored_bytes >= count) {
        stored = bytes;
        stored_bytes = count;
    }
    const uint64_t data_offset = w->chunks.count > 0
                                     ? w->chunks.items[w->chunks.count - 1].data_offset +
                                           w->chunks.items[w->chunks.count - 1].data_bytes
                                     : 0;
    ct_array_push(&w->chunks, (ct_archive_chunk){
                                  .file_offset = w->file_offset,
                                  .data_offset = data_offset,
                                  .checksum = ct_content_hash(stored, stored_bytes),
                                  .packed_bytes = (uint32_t)stored_bytes,
                                  .data_bytes = count,
                              });
    w->file_offset += stored_bytes;
    return write_at(w, w->file_offset - stored_bytes, stored, stored_bytes, error);
}

static bool write_pending(ct_archive_writer *w, ct_error *error) {
    const uint32_t count = w->pending_bytes;
    w->pending_bytes = 0;
    return count == 0 || write_chunk(w, w->pending, count, error);
}

bool ct_archive_writer_add(ct_archive_writer *w, ct_resource_id id, uint32_t variant,
                           const void *data, uint64_t size_bytes, ct_error *error) {
    const uint32_t chunk_bytes = w->desc.chunk_bytes;
    const bool is_large = size_bytes >= chunk_bytes;
    if ((is_large || size_bytes > chunk_bytes - w->pending_bytes) && !write_pending(w, error))
        return false;
    const bool is_empty = size_bytes == 0;
    ct_array_push(&w->items, (ct_archive_item){
                                 .id = id,
                                 .data_offset = is_empty ? 0 : w->data_offset,
                                 .size_bytes = size_bytes,
                                 .content_hash = ct_content_hash(data, size_bytes),
                                 .variant = variant,
                                 .first_chunk = is_empty ? 0 : w->chunks.count,
                             });
    w->data_offset += size_bytes;
    if (is_empty)
        return true;
    if (!is_large) {
        memcpy(w->pending + w->pending_bytes, data, (size_t)size_bytes);
        w->pending_bytes += (uint32_t)size_bytes;
        return true;
    }
    const uint8_t *const bytes = data;
    for (uint64_t at = 0; at < size_bytes; at += chunk_bytes) {
        const uint64_t rest = size_bytes - at;
        if (!write_chunk(w, bytes + at, rest < chunk_bytes ? (uint32_t)rest : chunk_bytes, error))
            return false;
    }
    return true;
}

// --- Index ---------------------------------------------------------------------------------------

// At most half full, so that searches are short.
static uint32_t slots_for(uint32_t num_items) {
    uint32_t num_slots = 2;
    while (num_slots / 2 < num_items)
        num_slots *= 2;
    return num_slots;
}

// Puts item `i` in its slot. Returns false with `error` when its resource is there already.
static bool place(const ct_archive_writer *w, ct_archive_slot *slots, uint32_t num_slots,
                  uint32_t i, ct_error *error) {
    const ct_archive_item *const item = &w->items.items[i];
    const uint64_t key = ct_resource_id_key(item->id);
    const uint32_t shift = (uint32_t)(64 - __builtin_ctz(num_slots));
    uint32_t at = ct_archive_home(key, item->variant, shift);
    for (; slots[at].item != 0; at = (at + 1) & (num_slots - 1)) {
        const ct_archive_item *const other = &w->items.items[slots[at].item - 1];
        if (other->variant != item->variant || !ct_resource_id_equal(other->id, item->id))
            continue;
        char name[CT_RESOURCE_FILE_NAME_BYTES];
        ct_resource_file_name(item->id, name);
        return ct_error_set_at(error, w->desc.path, 0, 0, "%s was added twice in variant %u", name,
                               item->variant);
    }
    slots[at] = (ct_archive_slot){key, i + 1, item->variant};
    return true;
}

static void append_index(const ct_archive_writer *w, const ct_archive_slot *slots,
                         uint32_t num_slots, ct_blob_writer *index) {
    for (uint32_t i = 0; i < w->chunks.count; ++i) {
        const ct_archive_chunk *const c = &w->chunks.items[i];
        ct_blob_write_u64(index, c->file_offset);
        ct_blob_write_u64(index, c->data_offset);
        ct_blob_write_u64(index, c->checksum);
        ct_blob_write_u32(index, c->packed_bytes);
        ct_blob_write_u32(index, c->data_bytes);
    }
    for (uint32_t i = 0; i < w->items.count; ++i) {
        const ct_archive_item *const item = &w->items.items[i];
        ct_blob_write_u64(index, item->id.type.value);
        ct_blob_write_u64(index, item->id.name.value);
        ct_blob_write_u64(index, item->data_offset);
        ct_blob_write_u64(index, item->size_bytes);
        ct_blob_write_u64(index, item->content_hash);
        ct_blob_write_u32(index, item->variant);
        ct_blob_write_u32(index, item->first_chunk);
    }
    for (uint32_t i = 0; i < num_slots; ++i) {
        ct_blob_write_u64(index, slots[i].key);
        ct_blob_write_u32(index, slots[i].item);
        ct_blob_write_u32(index, slots[i].variant);
    }
}

static void append_header(const ct_archive_writer *w, const ct_blob_writer *index,
                          uint32_t num_slots, ct_blob_writer *header) {
    char platform[CT_ARCHIVE_PLATFORM_BYTES] = {0};
    memcpy(platform, w->desc.platform, strlen(w->desc.platform));
    ct_blob_write_u32(header, CT_ARCHIVE_MAGIC);
    ct_blob_write_u32(header, CT_ARCHIVE_VERSION);
    ct_blob_write_bytes(header, platform, sizeof(platform));
    ct_blob_write_u64(header, w->file_offset + index->bytes.count);
    ct_blob_write_u64(header, w->file_offset);
    ct_blob_write_u64(header, ct_content_hash(index->bytes.items, index->bytes.count));
    ct_blob_write_u32(header, w->chunks.count);
    ct_blob_write_u32(header, w->items.count);
    ct_blob_write_u32(header, num_slots);
    ct_blob_write_u32(header, 0);
    ct_blob_write_u64(header, ct_content_hash(header->bytes.items, header->bytes.count));
}

static bool write_index(const ct_archive_writer *w, const ct_archive_slot *slots,
                        uint32_t num_slots, ct_error *error) {
    ct_blob_writer index = {.order = w->desc.order}, header = {.order = w->desc.order};
    ct_array_init(&index.bytes, w->allocator);
    ct_array_init(&header.bytes, w->allocator);
    append_index(w, slots, num_slots, &index);
    append_header(w, &index, num_slots, &header);
    const bool result = write_at(w, w->file_offset, index.bytes.items, index.bytes.count, error) &&
                        write_at(w, 0, header.bytes.items, header.bytes.count, error);
    ct_array_free(&index.bytes);
    ct_array_free(&header.bytes);
    return result;
}

bool ct_archive_writer_finish(ct_archive_writer *w, ct_error *error) {
    const uint32_t num_slots = slots_for(w->items.count);
    ct_archive_slot *const slots = CT_NEW_ARRAY(w->allocator, ct_archive_slot, num_slots);
    bool result = write_pending(w, error);
    for (uint32_t i = 0; result && i < w->items.count; ++i)
        result = place(w, slots, num_slots, i, error);
    result = result && write_index(w, slots, num_slots, error);
    ct_free(w->allocator, slots);
    if (!result)
        return false;
    ct_os_file_close(w->file);
    w->file = -1;
    ct_error cause = {0};
    if (ct_os_file_rename(w->temporary, w->desc.path, &cause))
        return true;
    ct_os_file_remove(w->temporary, NULL);
    return write_failed(w, &cause, error);
}
