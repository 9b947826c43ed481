// Parts of streams: from a folder, from a bundle, and from memory behind the data.
#include "resource/load/resource_stream.h"

#include "foundation/os/os.h"
#include "resource/archive/archive_fixture.h"
#include "resource/archive/bundle_archives.h"
#include "resource/blob/platform.h"
#include "resource/catalog_fixture.h"
#include "resource/load/resource_manager.h"

static const char *folder;
static ct_resource_manager *manager;

static const catalog_item items[] = {
    {"texture", "a", NULL, 0}, {"texture", "plain", NULL, 0}, {"texture", "b", "low", 0}};

static void write_file(const char *file_name, const void *bytes, uint64_t count) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, file_name);
    assert_true(ct_file_write(path, bytes, count, false, NULL));
}

static void stream_path(char path[CT_PATH_BYTES]) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_stream_name(ct_resource_id_of("texture", "a"), file_name);
    ct_path_join(path, folder, file_name);
}

// The stream of "a": its bytes are 0, 1, 2, …
static void make_stream(ct_blob_writer *w, uint8_t stream[STREAM_FIXTURE_BYTES]) {
    write_streamed_texture(w, 0, stream);
    for (uint32_t i = 0; i < STREAM_FIXTURE_BYTES; ++i)
        stream[i] = (uint8_t)i;
    ct_blob_patch_u64(w, offsetof(ct_texture_resource, stream) + offsetof(ct_blob_stream, hash),
                      ct_content_hash(stream, STREAM_FIXTURE_BYTES));
    ct_blob_writer_finish(w);
}

static void write_folder(void) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_blob_writer w;
    uint8_t stream[STREAM_FIXTURE_BYTES];
    folder = test_scratch_folder();
    make_stream(&w, stream);
    ct_resource_file_name(ct_resource_id_of("texture", "a"), file_name);
    write_file(file_name, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    ct_resource_stream_name(ct_resource_id_of("texture", "a"), file_name);
    write_file(file_name, stream, sizeof(stream));
    write_texture(&w);
    ct_resource_file_name(ct_resource_id_of("texture", "plain"), file_name);
    write_file(file_name, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    write_catalog(folder, items, CT_COUNT_OF(items));
}

static uint64_t write_archive(const char *path) {
    ct_error error = {0};
    ct_blob_writer w;
    uint8_t stream[STREAM_FIXTURE_BYTES];
    const ct_resource_id id = ct_resource_id_of("texture", "a");
    ct_archive_writer *const archive = ct_archive_writer_create(
        test_heap(),
        &(ct_archive_writer_desc){path, CT_PLATFORM_HOST, CT_BYTE_ORDER_LITTLE, 4096, 0}, &error);
    archive_assert_ok(archive != NULL, &error);
    make_stream(&w, stream);
    archive_assert_ok(ct_archive_writer_add(archive, id, CT_BUNDLE_ITEM_DATA, w.bytes.items,
                                            w.bytes.count, &error),
                      &error);
    archive_assert_ok(
        ct_archive_writer_add(archive, id, CT_BUNDLE_ITEM_STREAM, stream, sizeof(stream), &error),
        &error);
    archive_assert_ok(ct_archive_writer_finish(archive, &error), &error);
    ct_archive_writer_destroy(archive);
    ct_blob_writer_free(&w);
    ct_archive *const opened = ct_archive_open(test_heap(), path, CT_PLATFORM_HOST, &error);
    archive_assert_ok(opened != NULL, &error);
    const uint64_t checksum = opened->index_checksum;
    ct_archive_close(opened);
    return checksum;
}

static void write_bundle(void) {
    char path[CT_PATH_BYTES];
    ct_blob_writer w;
    folder = test_scratch_folder();
    ct_path_join(path, folder, CT_BUNDLE_BASE_FILE);
    const ct_bundle_archive archive = {.index_checksum = write_archive(path)};
    write_catalog(folder, items, CT_COUNT_OF(items));
    make_catalog(&w, items, CT_COUNT_OF(items));
    const uint64_t catalog_hash = ct_content_hash(w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    start(&w, CT_BUNDLE_TYPE, CT_BUNDLE_VERSION, sizeof(ct_bundle_manifest));
    append_array(&w, offsetof(ct_bundle_manifest, archives), &archive, sizeof(archive), 1);
    const uint32_t at = ct_blob_writer_offset(&w) - (uint32_t)sizeof(archive);
    memcpy(w.bytes.items + offsetof(ct_bundle_manifest, catalog_hash), &catalog_hash, 8);
    ct_blob_patch_string(&w, at, CT_BUNDLE_BASE_FILE, (uint32_t)strlen(CT_BUNDLE_BASE_FILE));
    ct_blob_patch_string(&w, offsetof(ct_bundle_manifest, platform), CT_PLATFORM_HOST,
                         (uint32_t)strlen(CT_PLATFORM_HOST));
    ct_blob_writer_finish(&w);
    write_file(CT_BUNDLE_FILE, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
}

static void start_manager(bool is_streaming) {
    ct_error error = {0};
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    archive_assert_ok(ct_resource_manager_check_data(manager, &error), &error);
    ct_resource_manager_set_streaming(manager, is_streaming, 0);
    archive_assert_ok(ct_resource_manager_load_now(manager, "texture", "a", &error), &error);
}

static ct_resource_stream_reader reader_of(const char *name) {
    return ct_resource_manager_stream_reader(manager, "texture", ct_string_id64_of(name));
}

static void assert_reads_parts(const ct_resource_stream_reader *r) {
    uint8_t bytes[STREAM_FIXTURE_BYTES];
    ct_error error = {0};
    assert_int_equal(r->bytes, STREAM_FIXTURE_BYTES);
    archive_assert_ok(ct_resource_stream_read(r, 0, STREAM_FIXTURE_BYTES, bytes, &error), &error);
    for (uint32_t i = 0; i < STREAM_FIXTURE_BYTES; ++i)
        assert_int_equal(bytes[i], i);
    archive_assert_ok(ct_resource_stream_read(r, 13, 2, bytes, &error), &error);
    assert_int_equal(bytes[0], 13);
    assert_int_equal(bytes[1], 14);
    assert_int_equal(bytes[2], 2);
    archive_assert_ok(ct_resource_stream_read(r, STREAM_FIXTURE_BYTES - 1, 1, bytes, &error),
                      &error);
    assert_int_equal(bytes[0], STREAM_FIXTURE_BYTES - 1);
}

static void assert_refuses_parts_outside(const ct_resource_stream_reader *r) {
    uint8_t bytes[STREAM_FIXTURE_BYTES + 1];
    ct_error error = {0};
    assert_false(ct_resource_stream_read(r, 0, STREAM_FIXTURE_BYTES + 1, bytes, &error));
    assert_message(&error, "found 33 bytes from 0 on; expected a part of a stream of 32 bytes");
    assert_false(ct_resource_stream_read(r, STREAM_FIXTURE_BYTES, 1, bytes, &error));
    assert_message(&error, "found 1 bytes from 32 on");
    assert_false(ct_resource_stream_read(r, UINT64_MAX, 2, bytes, &error));
    assert_message(&error, "found 2 bytes from 18446744073709551615 on");
}

static void end_manager(void) {
    ct_resource_manager_destroy(manager);
}

static void reads_parts_from_a_folder(void **state) {
    (void)state;
    write_folder();
    start_manager(true);
    const ct_resource_stream_reader r = reader_of("a");
    assert_non_null(r.store);
    assert_reads_parts(&r);
    assert_refuses_parts_outside(&r);
    end_manager();
}

static void reads_parts_from_a_bundle(void **state) {
    (void)state;
    write_bundle();
    start_manager(true);
    const ct_resource_stream_reader r = reader_of("a");
    assert_non_null(r.store);
    assert_reads_parts(&r);
    assert_refuses_parts_outside(&r);
    end_manager();
}

static void reads_parts_from_memory(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2; ++i) {
        if (i == 0)
            write_folder();
        else
            write_bundle();
        start_manager(false);
        const ct_resource_stream_reader r = reader_of("a");
        assert_null(r.store);
        assert_reads_parts(&r);
        assert_refuses_parts_outside(&r);
        end_manager();
    }
}

static void a_file_that_is_gone_or_cut_is_an_error(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    uint8_t bytes[STREAM_FIXTURE_BYTES] = {0};
    ct_error error = {0};
    write_folder();
    start_manager(true);
    const ct_resource_stream_reader r = reader_of("a");
    stream_path(path);
    assert_true(ct_file_write(path, bytes, 5, false, NULL));
    assert_false(ct_resource_stream_read(&r, 4, 4, bytes, &error));
    assert_message(&error, "the stream has 5 bytes, expected 4 from 4 on");
    assert_true(ct_os_file_remove(path, NULL));
    assert_false(ct_resource_stream_read(&r, 0, 1, bytes, &error));
    assert_message(&error, "there is no stream beside the compiled data");
    assert_string_equal(error.file, path);
    end_manager();
}

static void reads_the_stream_of_the_variant_in_use(void **state) {
    (void)state;
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_blob_writer w;
    uint8_t stream[STREAM_FIXTURE_BYTES], byte = 0;
    ct_error error = {0};
    write_folder();
    make_stream(&w, stream);
    ct_resource_file_name(ct_resource_id_of("texture", "b.low"), file_name);
    write_file(file_name, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    ct_resource_stream_name(ct_resource_id_of("texture", "b.low"), file_name);
    write_file(file_name, stream, sizeof(stream));
    start_manager(true);
    const ct_preference_order order = {{ct_string_id64_of("low")}, 1};
    ct_resource_manager_set_preference(manager, &order);
    archive_assert_ok(ct_resource_manager_load_now(manager, "texture", "b", &error), &error);
    const ct_resource_stream_reader r = reader_of("b");
    archive_assert_ok(ct_resource_stream_read(&r, 9, 1, &byte, &error), &error);
    assert_int_equal(byte, 9);
    end_manager();
}

static void there_is_no_reader_of_what_has_no_stream(void **state) {
    (void)state;
    uint8_t byte;
    ct_error error = {0};
    write_folder();
    start_manager(true);
    ct_resource_stream_reader r = reader_of("plain"); // not online
    assert_int_equal(r.bytes, 0);
    assert_true(ct_resource_manager_load_now(manager, "texture", "plain", NULL));
    r = reader_of("plain");
    assert_int_equal(r.bytes, 0);
    assert_null(r.store);
    assert_null(r.memory);
    assert_int_equal(reader_of("unknown").bytes, 0);
    assert_int_equal(
        ct_resource_manager_stream_reader(manager, "lua", ct_string_id64_of("a")).bytes, 0);
    assert_false(ct_resource_stream_read(&r, 0, 1, &byte, &error));
    assert_message(&error, "expected a part of a stream of 0 bytes");
    end_manager();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_parts_from_a_folder),
        cmocka_unit_test(reads_parts_from_a_bundle),
        cmocka_unit_test(reads_parts_from_memory),
        cmocka_unit_test(a_file_that_is_gone_or_cut_is_an_error),
        cmocka_unit_test(reads_the_stream_of_the_variant_in_use),
        cmocka_unit_test(there_is_no_reader_of_what_has_no_stream),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
