// archive_fixture.h: small archives on disk, and their bytes for tests that damage them.
#pragma once
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/random.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "resource/archive/archive_reader.h"
#include "resource/archive/archive_writer.h"
#include "resource/blob/content_hash.h"
#include "support/test_support.h"

enum { FIXTURE_CHUNK_BYTES = 1024, FIXTURE_ITEM_BYTES = 5000, FIXTURE_NUM_ITEMS = 7 };

// What stands in the archive of write_fixture, in this order.
typedef struct fixture_item {
    const char *type, *name;
    uint32_t variant;
    uint32_t size_bytes;
    enum { FIXTURE_TEXT, FIXTURE_ZEROES, FIXTURE_NOISE } content;
} fixture_item;

static const fixture_item fixture_items[FIXTURE_NUM_ITEMS] = {
    {"texture", "a", 0, 300, FIXTURE_TEXT},    {"texture", "a", 1, 310, FIXTURE_TEXT},
    {"mesh", "a", 0, 5000, FIXTURE_NOISE},     {"unit", "empty", 0, 0, FIXTURE_TEXT},
    {"mesh", "zero", 7, 3000, FIXTURE_ZEROES}, {"lua", "tiny", 0, 5, FIXTURE_TEXT},
    {"mesh", "b", 0, 1024, FIXTURE_TEXT},
};

// The bytes of an item.
static inline void fixture_data(uint32_t i, uint8_t data[FIXTURE_ITEM_BYTES]) {
    ct_random random = ct_random_seeded(i + 1, 0);
    for (uint32_t b = 0; b < fixture_items[i].size_bytes; ++b) {
        const uint8_t noise = (uint8_t)ct_random_u32(&random);
        data[b] = fixture_items[i].content == FIXTURE_NOISE    ? noise
                  : fixture_items[i].content == FIXTURE_ZEROES ? 0
                                                               : "abcd"[noise % 4];
    }
}

static inline ct_resource_id fixture_id(uint32_t i) {
    return ct_resource_id_of(fixture_items[i].type, fixture_items[i].name);
}

static inline void archive_assert_ok(bool ok, const ct_error *error) {
    if (!ok)
        fail_msg("%s: %s", error->file, error->message);
}

// Writes the first `count` items to `path`.
static inline void write_fixture(const char *path, uint32_t count, ct_byte_order order) {
    ct_error error = {0};
    ct_archive_writer *const w = ct_archive_writer_create(
        test_heap(),
        &(ct_archive_writer_desc){path, order == CT_BYTE_ORDER_LITTLE ? "linux" : "be64", order,
                                  FIXTURE_CHUNK_BYTES, 0},
        &error);
    archive_assert_ok(w != NULL, &error);
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t data[FIXTURE_ITEM_BYTES];
        fixture_data(i, data);
        archive_assert_ok(ct_archive_writer_add(w, fixture_id(i), fixture_items[i].variant, data,
                                                fixture_items[i].size_bytes, &error),
                          &error);
    }
    archive_assert_ok(ct_archive_writer_finish(w, &error), &error);
    ct_archive_writer_destroy(w);
}

// The archive of write_fixture in memory, and where it lies on disk.
typedef struct archive_bytes {
    char path[CT_PATH_BYTES];
    uint8_t *bytes;
    uint64_t count;
    ct_archive_header *header;
    ct_archive_chunk *chunks;
    ct_archive_item *items;
    ct_archive_slot *slots;
} archive_bytes;

static inline archive_bytes read_fixture(uint32_t num_items) {
    archive_bytes b = {0};
    ct_error error = {0};
    ct_path_join(b.path, test_scratch_folder(), "a.archive");
    write_fixture(b.path, num_items, CT_BYTE_ORDER_LITTLE);
    char *const file = ct_file_read(test_heap(), b.path, &b.count, &error);
    archive_assert_ok(file != NULL, &error);
    b.bytes = (uint8_t *)file;
    b.header = (ct_archive_header *)file;
    return b;
}

// A copy of the index, aligned, that archive_seal puts back.
static inline void archive_thaw(archive_bytes *b) {
    const uint64_t bytes = b->count - b->header->index_offset;
    b->chunks = ct_alloc(test_heap(), bytes);
    memcpy(b->chunks, b->bytes + b->header->index_offset, bytes);
    b->items = (ct_archive_item *)(b->chunks + b->header->num_chunks);
    b->slots = (ct_archive_slot *)(b->items + b->header->num_items);
}

static inline void archive_seal_header(archive_bytes *b) {
    b->header->header_checksum =
        ct_content_hash(b->bytes, offsetof(ct_archive_header, header_checksum));
}

// Puts the changed index back, with checksums that fit.
static inline void archive_seal(archive_bytes *b) {
    const uint64_t bytes = b->count - b->header->index_offset;
    memcpy(b->bytes + b->header->index_offset, b->chunks, bytes);
    b->header->index_checksum = ct_content_hash(b->chunks, bytes);
    archive_seal_header(b);
}

static inline void archive_write(const archive_bytes *b, uint64_t count) {
    ct_error error = {0};
    archive_assert_ok(ct_file_write(b->path, b->bytes, count, false, &error), &error);
}

static inline void archive_bytes_free(archive_bytes *b) {
    ct_free(test_heap(), b->bytes);
    ct_free(test_heap(), b->chunks);
}

static inline void archive_assert_error(const ct_error *error, const char *text) {
    if (!strstr(error->message, text))
        fail_msg("found the error \"%s\", expected one with \"%s\"", error->message, text);
}

// Fails unless the file is refused with a message that has `text` in it and that names the file.
static inline void archive_assert_refused(const archive_bytes *b, const char *text) {
    ct_error error = {0};
    ct_archive *const archive = ct_archive_open(test_heap(), b->path, "linux", &error);
    if (archive)
        fail_msg("accepted, expected the error \"%s\"", text);
    archive_assert_error(&error, text);
    assert_string_equal(error.file, b->path);
}

static inline ct_archive *archive_assert_open(const char *path) {
    ct_error error = {0};
    ct_archive *const archive = ct_archive_open(test_heap(), path, "linux", &error);
    archive_assert_ok(archive != NULL, &error);
    return archive;
}
