// Archives: whatever opens can be searched and read, and takes memory in proportion to its size.
//
// The first byte says how the rest is read: as an archive, or as edits of a small valid one (of its
// header, its index or its chunks). Checksums are made right, so that the checks behind them are
// reached.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resource/archive/archive_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *valid; // a small archive
static uint64_t valid_bytes;
static int file; // in memory
static char path[CT_PATH_BYTES];

// Reads `data` as edits: a position and how to change what stands there.
static void edit(uint8_t *bytes, uint64_t count, const uint8_t *data, size_t size) {
    for (; count >= 8 && size >= 4; data += 4, size -= 4) {
        const uint64_t at = (uint64_t)(data[0] | (data[1] & 63) << 8) % count;
        const uint64_t word = at & ~(uint64_t)3;
        uint32_t value = data[2] | (uint32_t)data[3] << 8;
        if (data[1] >> 6 == 0 || word + 4 > count) {
            bytes[at] = data[3];
            continue;
        }
        if (data[1] >> 6 == 1) // a large number
            value = ~value;
        else if (data[1] >> 6 == 2) // another number of the archive
            memcpy(&value, bytes + value % (count - 3), 4);
        memcpy(bytes + word, &value, 4);
    }
}

// Makes the checksums fit what they are of, as far as the header tells where that is.
static void seal(uint8_t *bytes, uint64_t count, bool with_chunks) {
    ct_archive_header h;
    if (count < sizeof(h))
        return;
    memcpy(&h, bytes, sizeof(h));
    h.magic = CT_ARCHIVE_MAGIC;
    h.version = CT_ARCHIVE_VERSION;
    h.file_bytes = count;
    memcpy(h.platform, "linux\0\0\0\0\0\0\0\0\0\0", sizeof(h.platform));
    if (h.index_offset <= count) {
        uint8_t *const index = bytes + h.index_offset;
        const uint64_t index_bytes = count - h.index_offset;
        for (uint64_t i = 0; with_chunks && i < h.num_chunks; ++i) {
            ct_archive_chunk c;
            if ((i + 1) * sizeof(c) > index_bytes)
                break;
            memcpy(&c, index + i * sizeof(c), sizeof(c));
            if (c.file_offset > count || c.packed_bytes > count - c.file_offset)
                continue;
            c.checksum = ct_content_hash(bytes + c.file_offset, c.packed_bytes);
            memcpy(index + i * sizeof(c), &c, sizeof(c));
        }
        h.index_checksum = ct_content_hash(index, index_bytes);
    }
    h.header_checksum = ct_content_hash(&h, offsetof(ct_archive_header, header_checksum));
    memcpy(bytes, &h, sizeof(h));
}

// Reads a whole item and a part of it, which must agree.
static void read_item(ct_archive_reader *reader, const ct_archive_item *item) {
    ct_error error = {0};
    uint8_t *const data = ct_archive_read_item(reader, item, test_heap(), &error);
    if (!data) {
        if (error.message[0] == 0)
            abort(); // a refusal says why
        return;
    }
    const uint64_t from = item->size_bytes / 3, count = item->size_bytes / 2;
    uint8_t *const part = ct_alloc(test_heap(), count + 1);
    if (!ct_archive_read(reader, item, from, count, part, &error) ||
        memcmp(part, data + from, count) != 0)
        abort();
    ct_free(test_heap(), part);
    ct_free(test_heap(), data);
}

// Reads the chunk in which an item begins; what lies in it whole must agree with the item.
static void read_chunk_of(ct_archive_reader *reader, const ct_archive *archive,
                          const ct_archive_item *item) {
    ct_error error = {0};
    const ct_archive_chunk *const c = &archive->chunks[item->first_chunk];
    if (item->size_bytes == 0)
        return;
    uint8_t *const chunk = ct_alloc(test_heap(), c->data_bytes);
    const uint64_t offset = item->data_offset - c->data_offset;
    if (ct_archive_read_chunk(reader, item->first_chunk, chunk, &error)) {
        const bool is_whole = item->size_bytes <= c->data_bytes - offset;
        uint8_t *const data =
            is_whole ? ct_archive_read_item(reader, item, test_heap(), &error) : NULL;
        if (is_whole && (!data || memcmp(data, chunk + offset, item->size_bytes) != 0))
            abort();
        ct_free(test_heap(), data);
    } else if (error.message[0] == 0) {
        abort();
    }
    ct_free(test_heap(), chunk);
}

static void read_archive(uint64_t count) {
    ct_error error = {0};
    ct_archive *const archive = ct_archive_open(test_heap(), path, "linux", &error);
    if (!archive) {
        if (error.message[0] == 0)
            abort();
        return;
    }
    uint64_t total = 0;
    ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
    for (uint32_t i = 0; i < archive->num_items; ++i) {
        const ct_archive_item *const item = &archive->items[i];
        if (ct_archive_find(archive, item->id, item->variant) != item)
            abort();
        total += item->size_bytes;
        read_item(reader, item);
        read_chunk_of(reader, archive, item);
    }
    if (total > count * CT_ARCHIVE_MAX_RATIO)
        abort();
    ct_archive_find(archive, ct_resource_id_of("mesh", "not there"), 0);
    ct_archive_reader_destroy(reader);
    ct_archive_close(archive);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    const archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    valid = b.bytes;
    valid_bytes = b.count;
    file = memfd_create("archive", 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const bool is_edited = data[0] % 4 != 0;
    const uint64_t count = is_edited ? valid_bytes : size - 1;
    uint8_t *const bytes = malloc(count);
    memcpy(bytes, is_edited ? valid : data + 1, count);
    const uint64_t index = ((const ct_archive_header *)valid)->index_offset;
    if (data[0] % 4 == 1)
        edit(bytes, sizeof(ct_archive_header), data + 1, size - 1);
    else if (data[0] % 4 == 2)
        edit(bytes + index, count - index, data + 1, size - 1);
    else if (data[0] % 4 == 3)
        edit(bytes + sizeof(ct_archive_header), index - sizeof(ct_archive_header), data + 1,
             size - 1);
    if (data[0] % 8 != 0)
        seal(bytes, count, data[0] % 16 < 12);
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, count, 0) != (ssize_t)count)
        abort();
    free(bytes);
    read_archive(count);
    return 0;
}
