#include "resource/archive/archive.h"

#include <unistd.h>

#include "resource/archive/archive_fixture.h"

static void finds_what_was_added_and_nothing_else(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    ct_archive *const archive = archive_assert_open(b.path);
    assert_int_equal(archive->num_items, FIXTURE_NUM_ITEMS);
    for (uint32_t i = 0; i < FIXTURE_NUM_ITEMS; ++i) {
        const ct_archive_item *const item =
            ct_archive_find(archive, fixture_id(i), fixture_items[i].variant);
        assert_ptr_equal(item, &archive->items[i]); // in the order they were added
        assert_int_equal(item->size_bytes, fixture_items[i].size_bytes);
    }
    assert_null(ct_archive_find(archive, ct_resource_id_of("texture", "a"), 2));
    assert_null(ct_archive_find(archive, ct_resource_id_of("unit", "a"), 0));
    assert_null(ct_archive_find(archive, (ct_resource_id){0}, 0));
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

// Two resources of which ct_resource_id_key is the same are still two.
static void tells_resources_with_one_key_apart(void **state) {
    (void)state;
    const ct_resource_id one = {{1}, {2}};
    ct_resource_id other = {{3}, {0}};
    other.name.value = ct_resource_id_key(one) ^ ct_resource_id_key(other);
    assert_int_equal(ct_resource_id_key(one), ct_resource_id_key(other));
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "a.archive");
    ct_archive_writer *const w = ct_archive_writer_create(
        test_heap(), &(ct_archive_writer_desc){.path = path, .platform = "linux"}, NULL);
    assert_true(ct_archive_writer_add(w, one, 0, "one", 3, NULL));
    assert_true(ct_archive_writer_add(w, other, 0, "other", 5, NULL));
    assert_true(ct_archive_writer_finish(w, NULL));
    ct_archive_writer_destroy(w);
    ct_archive *const archive = archive_assert_open(path);
    assert_int_equal(ct_archive_find(archive, one, 0)->size_bytes, 3);
    assert_int_equal(ct_archive_find(archive, other, 0)->size_bytes, 5);
    ct_archive_close(archive);
}

static void opens_an_archive_of_nothing(void **state) {
    (void)state;
    archive_bytes b = read_fixture(0);
    ct_archive *const archive = archive_assert_open(b.path);
    assert_int_equal(archive->num_items, 0);
    assert_int_equal(archive->num_chunks, 0);
    assert_null(ct_archive_find(archive, fixture_id(0), 0));
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

static void refuses_what_is_no_archive_file(void **state) {
    (void)state;
    ct_error error = {0};
    assert_null(ct_archive_open(test_heap(), "/nowhere/a.archive", "linux", &error));
    archive_assert_error(&error, "cannot read /nowhere/a.archive: No such file");
    assert_null(ct_archive_open(test_heap(), "/dev/zero", "linux", &error));
    archive_assert_error(&error, "it is not a regular file");
    assert_null(ct_archive_open(test_heap(), test_scratch_folder(), "linux", &error));
    archive_assert_error(&error, "it is not a regular file");
}

static void refuses_archives_cut_anywhere(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    for (uint64_t count = b.count; count-- > 0;) {
        assert_int_equal(truncate(b.path, (off_t)count), 0);
        archive_assert_refused(&b, "cut: found");
    }
    b.bytes[b.count] = 0; // ct_file_read has room for one more
    archive_write(&b, b.count + 1);
    archive_assert_refused(&b, "longer than when it was written");
    archive_bytes_free(&b);
}

static void refuses_every_flipped_bit_of_header_and_index(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    for (uint64_t at = 0; at < b.count; ++at) {
        if (at == sizeof(ct_archive_header))
            at = b.header->index_offset;
        const uint8_t bit = (uint8_t)(1u << at % 8);
        b.bytes[at] ^= bit;
        archive_write(&b, b.count);
        archive_assert_refused(&b, at < 4                           ? "not an archive"
                                   : at < 8                         ? "another version"
                                   : at < sizeof(ct_archive_header) ? "checksum of its header"
                                                                    : "checksum of its index");
        b.bytes[at] ^= bit;
    }
    archive_bytes_free(&b);
}

static void refuses_another_version_platform_and_byte_order(void **state) {
    (void)state;
    archive_bytes b = read_fixture(1);
    b.header->version = 1;
    archive_write(&b, b.count);
    archive_assert_refused(&b, "another version: found 1, expected 2");

    b.header->version = CT_ARCHIVE_VERSION;
    memcpy(b.header->platform, "windows", 8);
    archive_seal_header(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "for another platform: found \"windows\", expected \"linux\"");

    memset(b.header->platform, 'x', sizeof(b.header->platform)); // no zero at its end
    archive_seal_header(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "found \"xxxxxxxxxxxxxxx\", expected");

    write_fixture(b.path, 1, CT_BYTE_ORDER_BIG);
    archive_assert_refused(&b, "other byte order");
    archive_bytes_free(&b);
}

// --- Hostile archives, whose checksums fit -------------------------------------------------------

// One field of a fixture set to a value, and what the refusal says.
typedef struct hostile_field {
    enum { IN_HEADER, IN_CHUNK, IN_ITEM, IN_SLOT } place;
    uint32_t item; // of the array
    size_t offset, bytes;
    uint64_t value;
    const char *text;
} hostile_field;

#define HEADER(field, value, text)                                                                 \
    {                                                                                              \
        IN_HEADER, 0, offsetof(ct_archive_header, field), sizeof(((ct_archive_header *)0)->field), \
            (value), (text)                                                                        \
    }
#define CHUNK(i, field, value, text)                                                               \
    {                                                                                              \
        IN_CHUNK, (i), offsetof(ct_archive_chunk, field), sizeof(((ct_archive_chunk *)0)->field),  \
            (value), (text)                                                                        \
    }
#define ITEM(i, field, value, text)                                                                \
    {                                                                                              \
        IN_ITEM, (i), offsetof(ct_archive_item, field), sizeof(((ct_archive_item *)0)->field),     \
            (value), (text)                                                                        \
    }

// Chunk 0 holds items 0 and 1, chunks 1 to 5 item 2, chunks 6 to 8 item 4, then 5, then 6.
static const hostile_field hostile_fields[] = {
    HEADER(file_bytes, 1, "longer than when it was written"),
    HEADER(file_bytes, UINT64_MAX, "cut: found"),
    HEADER(index_offset, 0, "its index goes from"),
    HEADER(index_offset, UINT64_MAX, "its index goes from"),
    HEADER(index_offset, 80, "its index goes from"),
    HEADER(num_chunks, UINT32_MAX, "its index goes from"),
    HEADER(num_chunks, 0, "its index goes from"),
    HEADER(num_items, UINT32_MAX, "expected a larger power of two"),
    HEADER(num_items, 1, "its index goes from"),
    HEADER(num_slots, 0, "expected a larger power of two"),
    HEADER(num_slots, 1, "expected a larger power of two"),
    HEADER(num_slots, 4, "expected a larger power of two"),
    HEADER(num_slots, 15, "expected a larger power of two"),
    HEADER(num_slots, 1u << 31, "its index goes from"),
    CHUNK(0, file_offset, 0, "chunk 0 is at 0"),
    CHUNK(1, file_offset, UINT64_MAX, "chunk 1 is at"),
    CHUNK(1, data_offset, 0, "chunk 1 is at"),
    CHUNK(1, data_offset, UINT64_MAX, "chunk 1 is at"),
    CHUNK(0, packed_bytes, 0, "a compression bomb"),
    CHUNK(0, packed_bytes, 1, "a compression bomb"),
    CHUNK(0, packed_bytes, UINT32_MAX, "and no fewer"),
    CHUNK(0, packed_bytes, 611, "and no fewer"),
    CHUNK(0, packed_bytes, 300, "chunk 1 is at"),
    CHUNK(0, data_bytes, 0, "and no fewer"),
    CHUNK(0, data_bytes, 1, "and no fewer"),
    CHUNK(0, data_bytes, UINT32_MAX, "at most 1048576"),
    CHUNK(0, data_bytes, CT_ARCHIVE_MAX_CHUNK_BYTES + 1, "at most 1048576"),
    CHUNK(0, data_bytes, CT_ARCHIVE_MAX_CHUNK_BYTES, "a compression bomb"),
    CHUNK(10, data_bytes, 1000, "ends after the last chunk"),
    CHUNK(10, data_bytes, 1025, "its items end at"),
    CHUNK(10, packed_bytes, 1000, "overlaps the index"),
    CHUNK(10, packed_bytes, 200, "its chunks end at"),
    ITEM(0, data_offset, 1, "item 0 is at 1; expected 0"),
    ITEM(1, data_offset, 0, "item 1 is at 0; expected 300"),
    ITEM(1, data_offset, UINT64_MAX, "item 1 is at"),
    ITEM(0, size_bytes, UINT64_MAX, "ends after the last chunk"),
    ITEM(0, size_bytes, 301, "item 1 is at 300; expected 301"),
    ITEM(0, size_bytes, 0, "item 1 is at 300; expected 0"),
    ITEM(1, size_bytes, 0, "is empty, but is"),
    ITEM(2, first_chunk, 2, "is not in chunk 2"),
    ITEM(2, first_chunk, 0, "is not in chunk 0"),
    ITEM(2, first_chunk, 11, "is in chunk 11, but there are only 11"),
    ITEM(2, first_chunk, UINT32_MAX, "is in chunk 4294967295, but there are only 11"),
    ITEM(3, first_chunk, 1, "is empty, but is in chunk 1"),
    ITEM(3, data_offset, 1, "is empty"),
    ITEM(0, variant, 9, "another key than item 0"),
    ITEM(0, id.name, 9, "another key than item 0"),
    ITEM(0, id.type, 9, "another key than item 0"),
};

static void set_field(archive_bytes *b, const hostile_field *f) {
    char *const starts[] = {(char *)b->header, (char *)(b->chunks + f->item),
                            (char *)(b->items + f->item), (char *)(b->slots + f->item)};
    if (f->bytes == 4)
        *(uint32_t *)(starts[f->place] + f->offset) = (uint32_t)f->value;
    else
        *(uint64_t *)(starts[f->place] + f->offset) = f->value;
}

static void refuses_every_field_that_lies(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(hostile_fields); ++i) {
        archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
        archive_thaw(&b);
        assert_int_equal(b.header->num_chunks, 11);
        assert_int_equal(b.header->num_slots, 16);
        if (hostile_fields[i].place == IN_HEADER) {
            set_field(&b, &hostile_fields[i]);
            archive_seal_header(&b);
        } else {
            set_field(&b, &hostile_fields[i]);
            archive_seal(&b);
        }
        archive_write(&b, b.count);
        archive_assert_refused(&b, hostile_fields[i].text);
        archive_bytes_free(&b);
    }
}

// Items add up to more than 64 bits hold: no sum of sizes wraps around.
static void refuses_sizes_that_wrap_around(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    b.items[0].size_bytes = UINT64_MAX - 9;
    b.items[1].data_offset = UINT64_MAX - 9;
    b.items[1].size_bytes = 10 + 610;
    archive_seal(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "item 0 of 18446744073709551606 bytes ends after");
    archive_bytes_free(&b);
}

static void refuses_a_resource_that_is_there_twice(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    b.items[1].variant = 0; // as item 0
    for (uint32_t i = 0; i < b.header->num_slots; ++i) {
        if (b.slots[i].item == 2)
            b.slots[i].variant = 0;
    }
    archive_seal(&b);
    archive_write(&b, b.count);
    ct_error error = {0};
    assert_null(ct_archive_open(test_heap(), b.path, "linux", &error));
    // The second one's place may be out of reach instead.
    if (!strstr(error.message, "does not lead to"))
        archive_assert_error(&error, "is in variant 0 twice");
    archive_bytes_free(&b);
}

static uint32_t taken_slot(const archive_bytes *b, uint32_t item) {
    for (uint32_t i = 0; i < b->header->num_slots; ++i) {
        if (b->slots[i].item == item + 1)
            return i;
    }
    fail_msg("item %u has no place", item);
    return 0;
}

static void refuses_tables_that_lose_an_item(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    const uint32_t a = taken_slot(&b, 0), c = taken_slot(&b, 2);
    const ct_archive_slot kept = b.slots[a];

    b.slots[a] = (ct_archive_slot){0}; // gone
    archive_seal(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "6 used slots for 7 items");

    b.slots[a] = b.slots[c]; // another twice
    archive_seal(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "does not lead to item 0");

    b.slots[a] = kept;
    b.slots[a].item = FIXTURE_NUM_ITEMS + 1;
    archive_seal(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "has item 8, but there are only 7");

    b.slots[a] = kept;
    b.slots[a].item = 0; // empty, but with a key
    archive_seal(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "has item 0, but there are only 7");
    archive_bytes_free(&b);
}

// A table without an empty place would keep a search going for ever.
static void refuses_a_full_table(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    for (uint32_t i = 0; i < b.header->num_slots; ++i) {
        if (b.slots[i].item == 0)
            b.slots[i] = b.slots[taken_slot(&b, 0)];
    }
    archive_seal(&b);
    archive_write(&b, b.count);
    archive_assert_refused(&b, "16 used slots for 7 items");
    archive_bytes_free(&b);
}

static void takes_memory_for_the_index_only(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    ct_allocator *const a = test_heap();
    const uint64_t before = ct_allocator_stats_of(a).live_bytes;
    ct_archive *const archive = archive_assert_open(b.path);
    const uint64_t taken = ct_allocator_stats_of(a).live_bytes - before;
    assert_true(taken < b.count - b.header->index_offset + sizeof(*archive) + CT_PATH_BYTES);
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_added_and_nothing_else),
        cmocka_unit_test(tells_resources_with_one_key_apart),
        cmocka_unit_test(opens_an_archive_of_nothing),
        cmocka_unit_test(refuses_what_is_no_archive_file),
        cmocka_unit_test(refuses_archives_cut_anywhere),
        cmocka_unit_test(refuses_every_flipped_bit_of_header_and_index),
        cmocka_unit_test(refuses_another_version_platform_and_byte_order),
        cmocka_unit_test(refuses_every_field_that_lies),
        cmocka_unit_test(refuses_sizes_that_wrap_around),
        cmocka_unit_test(refuses_a_resource_that_is_there_twice),
        cmocka_unit_test(refuses_tables_that_lose_an_item),
        cmocka_unit_test(refuses_a_full_table),
        cmocka_unit_test(takes_memory_for_the_index_only),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
