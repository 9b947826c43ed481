#include "resource/archive/archive_reader.h"

#include <stdio.h>

#include "foundation/os/os.h"
#include "resource/archive/archive_fixture.h"

static void assert_item_reads(ct_archive_reader *reader, const ct_archive *archive, uint32_t i) {
    ct_error error = {0};
    uint8_t expected[FIXTURE_ITEM_BYTES];
    fixture_data(i, expected);
    void *const data = ct_archive_read_item(reader, &archive->items[i], test_heap(), &error);
    archive_assert_ok(data != NULL, &error);
    assert_memory_equal(data, expected, fixture_items[i].size_bytes);
    assert_int_equal((uintptr_t)data % CT_DEFAULT_ALIGN, 0);
    ct_free(test_heap(), data);
}

static void reads_items_in_any_order(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    ct_archive *const archive = archive_assert_open(b.path);
    ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
    for (uint32_t i = 0; i < FIXTURE_NUM_ITEMS; ++i)
        assert_item_reads(reader, archive, i);
    for (uint32_t i = 0; i < 100; ++i)
        assert_item_reads(reader, archive, i * 5 % FIXTURE_NUM_ITEMS);
    ct_archive_reader_destroy(reader);
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

static void reads_every_part_of_an_item(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    ct_archive *const archive = archive_assert_open(b.path);
    ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
    ct_random random = ct_random_seeded(3, 0);
    for (uint32_t round = 0; round < 2000; ++round) {
        const uint32_t i = ct_random_u32(&random) % FIXTURE_NUM_ITEMS;
        const uint32_t size = fixture_items[i].size_bytes;
        const uint32_t from = ct_random_u32(&random) % (size + 1);
        const uint32_t count = ct_random_u32(&random) % (size - from + 1);
        uint8_t expected[FIXTURE_ITEM_BYTES], part[FIXTURE_ITEM_BYTES + 1];
        ct_error error = {0};
        fixture_data(i, expected);
        part[count] = 0x5a;
        archive_assert_ok(ct_archive_read(reader, &archive->items[i], from, count, part, &error),
                          &error);
        if (count > 0)
            assert_memory_equal(part, expected + from, count);
        assert_int_equal(part[count], 0x5a);
    }
    ct_archive_reader_destroy(reader);
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

// The item each chunk of the fixture is the first to serve.
static bool touches(const ct_archive *archive, uint32_t item, uint32_t chunk) {
    const ct_archive_item *const it = &archive->items[item];
    const ct_archive_chunk *const c = &archive->chunks[chunk];
    return it->size_bytes > 0 && it->data_offset < c->data_offset + c->data_bytes &&
           c->data_offset < it->data_offset + it->size_bytes;
}

static void refuses_a_damaged_chunk_and_reads_the_rest(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    for (uint32_t c = 0; c < b.header->num_chunks; ++c) {
        const uint64_t at = b.chunks[c].file_offset + b.chunks[c].packed_bytes / 2;
        b.bytes[at] ^= 0x10;
        archive_write(&b, b.count);
        b.bytes[at] ^= 0x10;
        ct_archive *const archive = archive_assert_open(b.path);
        ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
        for (uint32_t i = 0; i < FIXTURE_NUM_ITEMS; ++i) {
            if (!touches(archive, i, c)) {
                assert_item_reads(reader, archive, i);
                continue;
            }
            char chunk[32], name[CT_RESOURCE_FILE_NAME_BYTES];
            ct_error error = {0};
            snprintf(chunk, sizeof(chunk), ": chunk %u at byte ", c);
            ct_resource_file_name(fixture_id(i), name);
            assert_null(ct_archive_read_item(reader, &archive->items[i], test_heap(), &error));
            archive_assert_error(&error, "is damaged: its checksum is ");
            archive_assert_error(&error, chunk);
            archive_assert_error(&error, name);
            assert_string_equal(error.file, b.path);
        }
        ct_archive_reader_destroy(reader);
        ct_archive_close(archive);
    }
    archive_bytes_free(&b);
}

// Gives chunk `c` other bytes of the same number, with checksums that fit.
static void replace_chunk(archive_bytes *b, uint32_t c, const uint8_t *bytes, uint32_t count) {
    assert_true(count <= b->chunks[c].packed_bytes);
    uint8_t *const at = b->bytes + b->chunks[c].file_offset;
    memset(at, 0, b->chunks[c].packed_bytes);
    memcpy(at, bytes, count);
    b->chunks[c].checksum = ct_content_hash(at, b->chunks[c].packed_bytes);
    archive_seal(b);
    archive_write(b, b->count);
}

static void assert_item_refused(const archive_bytes *b, uint32_t i, const char *text) {
    ct_error error = {0};
    ct_archive *const archive = archive_assert_open(b->path);
    ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
    assert_null(ct_archive_read_item(reader, &archive->items[i], test_heap(), &error));
    archive_assert_error(&error, text);
    ct_archive_reader_destroy(reader);
    ct_archive_close(archive);
}

static void refuses_chunks_that_are_not_what_they_say(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    // Bytes that zstd did not write.
    replace_chunk(&b, 0, (const uint8_t *)"nonsense", 8);
    assert_item_refused(&b, 0, "cannot be unpacked to 610 bytes");
    // A frame whose size says 2^50: magic, 8 bytes of size and one segment, an empty last block.
    const uint8_t bomb[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0};
    replace_chunk(&b, 0, bomb, sizeof(bomb));
    assert_item_refused(&b, 0, "cannot be unpacked to 610 bytes");
    // Frames that unpack to nothing.
    uint8_t nothing[610] = {0x50, 0x2a, 0x4d, 0x18};
    const uint32_t body = b.chunks[0].packed_bytes - 8;
    nothing[4] = (uint8_t)body, nothing[5] = (uint8_t)(body >> 8);
    replace_chunk(&b, 0, nothing, b.chunks[0].packed_bytes);
    assert_item_refused(&b, 0, "unpacks to 0 bytes, expected 610");
    archive_bytes_free(&b);
}

// A chunk that unpacks to 128 KiB, said to be 610 bytes.
static void refuses_a_chunk_that_unpacks_to_more(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    // One segment of 2 bytes' size field (less 256), a last block of the run-length kind.
    const uint32_t block = (128u << 10) << 3 | 1 << 1 | 1;
    const uint8_t frame[] = {0x28,
                             0xb5,
                             0x2f,
                             0xfd,
                             0x00,
                             0x58,
                             (uint8_t)block,
                             (uint8_t)(block >> 8),
                             (uint8_t)(block >> 16),
                             'x'};
    replace_chunk(&b, 0, frame, sizeof(frame));
    assert_item_refused(&b, 0, "cannot be unpacked to 610 bytes: ");
    archive_bytes_free(&b);
}

static void says_that_the_file_was_cut_meanwhile(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    ct_archive *const archive = archive_assert_open(b.path);
    ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
    ct_error error = {0};
    // In place: ct_file_write would make another file.
    ct_os_file_close(ct_os_file_open_write(b.path, NULL));
    assert_null(ct_archive_read_item(reader, &archive->items[0], test_heap(), &error));
    archive_assert_error(&error, "truncated in the meantime");
    ct_archive_reader_destroy(reader);
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

static void takes_nothing_after_it_was_made(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    ct_archive *const archive = archive_assert_open(b.path);
    ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    uint8_t data[FIXTURE_ITEM_BYTES];
    for (uint32_t i = 0; i < FIXTURE_NUM_ITEMS; ++i)
        assert_true(ct_archive_read(reader, &archive->items[i], 0, archive->items[i].size_bytes,
                                    data, NULL));
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_archive_reader_destroy(reader);
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

typedef struct read_thread {
    const ct_archive *archive;
    uint32_t seed;
    uint32_t num_wrong;
} read_thread;

static void read_at_random(void *user) {
    read_thread *const t = user;
    ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), t->archive);
    ct_random random = ct_random_seeded(t->seed, 0);
    for (uint32_t round = 0; round < 500; ++round) {
        const uint32_t i = ct_random_u32(&random) % FIXTURE_NUM_ITEMS;
        uint8_t expected[FIXTURE_ITEM_BYTES], data[FIXTURE_ITEM_BYTES];
        fixture_data(i, expected);
        const uint32_t size = fixture_items[i].size_bytes;
        if (!ct_archive_read(reader, &t->archive->items[i], 0, size, data, NULL) ||
            (size > 0 && memcmp(data, expected, size) != 0))
            ++t->num_wrong;
    }
    ct_archive_reader_destroy(reader);
}

static void threads_read_one_archive_at_once(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    ct_archive *const archive = archive_assert_open(b.path);
    read_thread threads[4];
    ct_thread handles[4];
    for (uint32_t i = 0; i < 4; ++i) {
        threads[i] = (read_thread){archive, i + 1, 0};
        handles[i] = ct_thread_start("reader", read_at_random, &threads[i]);
    }
    for (uint32_t i = 0; i < 4; ++i) {
        ct_thread_join(handles[i]);
        assert_int_equal(threads[i].num_wrong, 0);
    }
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_items_in_any_order),
        cmocka_unit_test(reads_every_part_of_an_item),
        cmocka_unit_test(refuses_a_damaged_chunk_and_reads_the_rest),
        cmocka_unit_test(refuses_chunks_that_are_not_what_they_say),
        cmocka_unit_test(refuses_a_chunk_that_unpacks_to_more),
        cmocka_unit_test(says_that_the_file_was_cut_meanwhile),
        cmocka_unit_test(takes_nothing_after_it_was_made),
        cmocka_unit_test(threads_read_one_archive_at_once),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
