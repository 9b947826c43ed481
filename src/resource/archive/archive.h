// archive.h: one file that holds the compiled data of a package, compressed.
//
// The file is a header, chunks one after the other, and the index. The stored items are placed end
// to end in the order in which they were added, which is the loading order. These bytes are cut
// into chunks, and each chunk is compressed by itself with zstd, so that any part can be read
// without the rest. An item that is smaller than a chunk is in one chunk; a larger one has chunks
// of its own. The index is three arrays, used as stored: chunks, items, and a hash table from
// resource and variant to item. All numbers are in the byte order of the archive's platform.
//
// Opening reads and checks the whole index. Afterwards all its offsets, sizes and counts are safe
// to use. A chunk's contents are checked by its checksum when it is read (archive_reader.h). The
// hashes of items are for tools that compare archives; the engine does not check them. Memory use
// is proportional to the file: the index is stored uncompressed, and a chunk has at most
// CT_ARCHIVE_MAX_CHUNK_BYTES and unpacks to at most CT_ARCHIVE_MAX_RATIO times its size in the
// file. docs/formats/archive.md
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/resource_id.h"

enum {
    CT_ARCHIVE_MAGIC = 0x52415443, // "CTAR" in little-endian
    CT_ARCHIVE_VERSION = 2,
    CT_ARCHIVE_PLATFORM_BYTES = 16,
    CT_ARCHIVE_MAX_CHUNK_BYTES = 1 << 20,
    CT_ARCHIVE_MAX_RATIO = 256,
};

// 72 bytes at the start of the file.
typedef struct ct_archive_header {
    uint32_t magic;
    uint32_t version;
    char platform[CT_ARCHIVE_PLATFORM_BYTES]; // "linux", padded with zeroes
    uint64_t file_bytes;                      // of the whole file
    uint64_t index_offset;                    // the index goes from here to the end of the file
    uint64_t index_checksum;                  // XXH3-64
    uint32_t num_chunks;
    uint32_t num_items;
    uint32_t num_slots; // a power of two above num_items
    uint32_t zero;
    uint64_t header_checksum; // XXH3-64 of the bytes before it
} ct_archive_header;

// A run of the items' bytes. Chunks are end to end, both in the file and in their contents.
typedef struct ct_archive_chunk {
    uint64_t file_offset;
    uint64_t data_offset;  // of its first byte, in the concatenation of all items
    uint64_t checksum;     // XXH3-64 of the bytes in the file
    uint32_t packed_bytes; // in the file; equal to data_bytes: not compressed
    uint32_t data_bytes;   // 1 to CT_ARCHIVE_MAX_CHUNK_BYTES
} ct_archive_chunk;

typedef struct ct_archive_item {
    ct_resource_id id;
    uint64_t data_offset; // in the concatenation of all items; 0 when empty
    uint64_t size_bytes;
    uint64_t content_hash; // XXH3-64 of its bytes: distinguishes contents without reading them
    uint32_t variant;      // which of the resource's variants; the writer defines the numbers
    uint32_t first_chunk;  // the chunk of data_offset; 0 when empty
} ct_archive_item;

// A slot of the hash table. Collisions continue at the next slot.
typedef struct ct_archive_slot {
    uint64_t key;     // ct_resource_id_key
    uint32_t item;    // its number + 1; 0: empty, and then all members are 0
    uint32_t variant; // of the item
} ct_archive_slot;

typedef struct ct_archive {
    const ct_archive_chunk *chunks;
    const ct_archive_item *items;
    const ct_archive_slot *slots;
    uint32_t num_chunks, num_items, num_slots;
    uint32_t slot_shift;                       // 64 - log2(num_slots)
    uint32_t max_packed_bytes, max_data_bytes; // of the largest chunks
    uint64_t index_checksum;                   // from the header: identifies the archive
    int file;
    void *index; // the three arrays
    char *path;
    ct_allocator *allocator;
} ct_archive;

// Opens an archive for `platform` ("linux") and checks header and index. Returns NULL with `error`
// (its file is `path`) when the file cannot be read, is truncated, damaged, inconsistent, of
// another version or for another platform. Owned by the caller. Costs one read and a pass over the
// index; uses memory for the index, from `a`.
ct_archive *ct_archive_open(ct_allocator *a, const char *path, const char *platform,
                            ct_error *error);

// Closes the file and frees the archive (NULL is fine). Destroy its readers first.
void ct_archive_close(ct_archive *archive);

// Used by ct_archive_find: returns the first slot to try for a key in a table of 2^(64 - shift)
// slots.
static inline uint32_t ct_archive_home(uint64_t key, uint32_t variant, uint32_t shift) {
    const uint64_t product = (key + variant) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(((product ^ product >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> shift);
}

// Returns the item of a resource in this variant, or NULL. Any thread; valid until the archive is
// closed.
static inline const ct_archive_item *ct_archive_find(const ct_archive *archive, ct_resource_id id,
                                                     uint32_t variant) {
    const uint64_t key = ct_resource_id_key(id);
    for (uint32_t i = ct_archive_home(key, variant, archive->slot_shift);;
         i = (i + 1) & (archive->num_slots - 1)) {
        const ct_archive_slot *const slot = &archive->slots[i];
        if (slot->item == 0)
            return NULL;
        if (slot->key == key && slot->variant == variant) {
            const ct_archive_item *const item = &archive->items[slot->item - 1];
            if (ct_resource_id_equal(item->id, id))
                return item;
        }
    }
}
