#include "resource/archive/archive_writer.h"

#include "foundation/os/os.h"
#include "resource/archive/archive_fixture.h"

static ct_archive_writer *start_writer(const char *path, ct_error *error) {
    return ct_archive_writer_create(
        test_heap(), &(ct_archive_writer_desc){.path = path, .platform = "linux"}, error);
}

static void count_entry(void *user, const char *name) {
    (void)name;
    ++*(uint32_t *)user;
}

static uint32_t num_files(const char *folder) {
    uint32_t count = 0;
    assert_true(ct_os_folder_list(folder, count_entry, &count, NULL));
    return count;
}

static void writes_the_same_bytes_each_time(void **state) {
    (void)state;
    archive_bytes a = read_fixture(FIXTURE_NUM_ITEMS), b = read_fixture(FIXTURE_NUM_ITEMS);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.bytes, b.bytes, a.count);
    archive_bytes_free(&a);
    archive_bytes_free(&b);
}

static void puts_small_items_together_and_large_ones_alone(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    const uint32_t expected[FIXTURE_NUM_ITEMS] = {0, 0, 1, 0, 6, 9, 10};
    for (uint32_t i = 0; i < FIXTURE_NUM_ITEMS; ++i)
        assert_int_equal(b.items[i].first_chunk, expected[i]);
    assert_int_equal(b.chunks[1].data_bytes, FIXTURE_CHUNK_BYTES);
    assert_int_equal(b.chunks[5].data_bytes, 5000 - 4 * FIXTURE_CHUNK_BYTES);
    archive_bytes_free(&b);
}

static void items_have_the_hash_of_their_bytes(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    for (uint32_t i = 0; i < FIXTURE_NUM_ITEMS; ++i) {
        uint8_t data[FIXTURE_ITEM_BYTES];
        fixture_data(i, data);
        assert_int_equal(b.items[i].content_hash,
                         ct_content_hash(data, fixture_items[i].size_bytes));
    }
    archive_bytes_free(&b);
}

static void stores_what_does_not_compress(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    archive_thaw(&b);
    assert_int_equal(b.chunks[1].packed_bytes, b.chunks[1].data_bytes); // noise
    assert_true(b.chunks[0].packed_bytes < b.chunks[0].data_bytes / 2); // text
    archive_bytes_free(&b);
}

// The largest chunks of the emptiest content stay within what a reader takes.
static void pads_what_compresses_too_well(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "a.archive");
    const uint32_t sizes[] = {1, 2, 255, 256, 257, 3000, 65536, 70001, 1 << 20, (1 << 20) + 1};
    uint8_t *const zeroes = CT_NEW_ARRAY(test_heap(), uint8_t, (1 << 20) + 1);
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        ct_error error = {0};
        ct_archive_writer *const w =
            ct_archive_writer_create(test_heap(),
                                     &(ct_archive_writer_desc){path, "linux", CT_BYTE_ORDER_LITTLE,
                                                               CT_ARCHIVE_MAX_CHUNK_BYTES, 19},
                                     &error);
        assert_true(ct_archive_writer_add(w, fixture_id(0), 0, zeroes, sizes[i], &error));
        archive_assert_ok(ct_archive_writer_finish(w, &error), &error);
        ct_archive_writer_destroy(w);
        ct_archive *const archive = archive_assert_open(path);
        ct_archive_reader *const reader = ct_archive_reader_create(test_heap(), archive);
        uint8_t *const data = ct_archive_read_item(reader, &archive->items[0], test_heap(), &error);
        archive_assert_ok(data != NULL, &error);
        assert_memory_equal(data, zeroes, sizes[i]);
        ct_free(test_heap(), data);
        ct_archive_reader_destroy(reader);
        ct_archive_close(archive);
    }
    ct_free(test_heap(), zeroes);
}

static void refuses_a_resource_added_twice(void **state) {
    (void)state;
    char path[CT_PATH_BYTES], name[CT_RESOURCE_FILE_NAME_BYTES];
    const char *const folder = test_scratch_folder();
    ct_error error = {0};
    ct_path_join(path, folder, "a.archive");
    ct_archive_writer *const w = start_writer(path, &error);
    assert_true(ct_archive_writer_add(w, fixture_id(0), 3, "one", 3, &error));
    assert_true(ct_archive_writer_add(w, fixture_id(0), 4, "two", 3, &error));
    assert_true(ct_archive_writer_add(w, fixture_id(0), 3, "again", 5, &error));
    assert_false(ct_archive_writer_finish(w, &error));
    ct_resource_file_name(fixture_id(0), name);
    archive_assert_error(&error, name);
    archive_assert_error(&error, "was added twice in variant 3");
    assert_string_equal(error.file, path);
    ct_archive_writer_destroy(w);
    assert_int_equal(num_files(folder), 0);
}

static void leaves_the_old_archive_until_it_has_finished(void **state) {
    (void)state;
    archive_bytes b = read_fixture(FIXTURE_NUM_ITEMS);
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, b.path);
    ct_error error = {0};
    ct_archive_writer *const w = start_writer(b.path, &error);
    assert_true(ct_archive_writer_add(w, fixture_id(0), 0, "other", 5, &error));
    ct_archive *archive = archive_assert_open(b.path);
    assert_int_equal(archive->num_items, FIXTURE_NUM_ITEMS);
    ct_archive_close(archive);
    assert_int_equal(num_files(folder), 2);
    ct_archive_writer_destroy(w);
    assert_int_equal(num_files(folder), 1);

    ct_archive_writer *const again = start_writer(b.path, &error);
    assert_true(ct_archive_writer_finish(again, &error));
    ct_archive_writer_destroy(again);
    archive = archive_assert_open(b.path);
    assert_int_equal(archive->num_items, 0);
    ct_archive_close(archive);
    archive_bytes_free(&b);
}

static void says_why_it_cannot_write(void **state) {
    (void)state;
    ct_error error = {0};
    assert_null(start_writer("/nowhere/a.archive", &error));
    archive_assert_error(&error, "cannot write the archive: cannot write /nowhere/");
    assert_string_equal(error.file, "/nowhere/a.archive");

    char path[CT_PATH_BYTES]; // in the way of the rename
    const char *const folder = test_scratch_folder();
    ct_path_join(path, folder, "a.archive");
    assert_true(ct_os_folder_make(path, &error));
    ct_archive_writer *const w = start_writer(path, &error);
    assert_false(ct_archive_writer_finish(w, &error));
    archive_assert_error(&error, "cannot write the archive: cannot rename");
    ct_archive_writer_destroy(w);
    assert_int_equal(num_files(folder), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_same_bytes_each_time),
        cmocka_unit_test(puts_small_items_together_and_large_ones_alone),
        cmocka_unit_test(items_have_the_hash_of_their_bytes),
        cmocka_unit_test(stores_what_does_not_compress),
        cmocka_unit_test(pads_what_compresses_too_well),
        cmocka_unit_test(refuses_a_resource_added_twice),
        cmocka_unit_test(leaves_the_old_archive_until_it_has_finished),
        cmocka_unit_test(says_why_it_cannot_write),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
