// The list of files on the wire: what was written is read, and nothing that is wrong.
#include "support/test_support.h"

#include <string.h>

#include "dev/serve/serve_manifest.h"
#include "foundation/error.h"

static const ct_serve_file good[] = {
    {.id = {{1}, {2}}, .base = {2}, .hash = 0x0123456789abcdef, .size_bytes = 64},
    {.id = {{1}, {2}},
     .base = {2},
     .hash = 5,
     .size_bytes = UINT32_MAX,
     .kind = CT_SERVE_FILE_KIND_STREAM},
    {.hash = 9, .size_bytes = 1, .kind = CT_SERVE_FILE_KIND_CATALOG},
};

// Writes a list and reads it; `expected` is the error, or NULL.
static void expect(const ct_serve_file *files, uint32_t count, const char *expected) {
    ct_byte_array bytes;
    ct_serve_file_array read;
    ct_error error = {0};
    ct_array_init(&bytes, test_heap());
    ct_array_init(&read, test_heap());
    ct_serve_manifest_write(files, count, &bytes);
    assert_int_equal(ct_serve_manifest_read(bytes.items, bytes.count, &read, &error), !expected);
    if (expected)
        assert_non_null(strstr(error.message, expected));
    assert_int_equal(read.count, expected ? 0 : count);
    for (uint32_t i = 0; i < read.count; ++i) {
        assert_true(ct_resource_id_equal(read.items[i].id, files[i].id));
        assert_true(read.items[i].hash == files[i].hash);
        assert_int_equal(read.items[i].size_bytes, files[i].size_bytes);
        assert_int_equal(read.items[i].kind, files[i].kind);
        assert_true(read.items[i].base.value == files[i].base.value);
    }
    ct_array_free(&bytes);
    ct_array_free(&read);
}

static void what_was_written_is_read(void **state) {
    (void)state;
    expect(good, 3, NULL);
    const ct_serve_file engine = {
        .id.name = {1}, .hash = 3, .size_bytes = 9, .kind = CT_SERVE_FILE_KIND_ENGINE};
    expect(&engine, 1, NULL);
}

static void numbers_are_big_endian(void **state) {
    (void)state;
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_serve_manifest_write(good, 1, &bytes);
    assert_int_equal(bytes.count, CT_SERVE_FILE_WIRE_BYTES);
    assert_int_equal(bytes.items[24], 0x01);
    assert_int_equal(bytes.items[31], 0xef);
    assert_int_equal(bytes.items[35], 64);
    ct_array_free(&bytes);
}

static void wrong_lists_are_refused(void **state) {
    (void)state;
    ct_serve_file files[3];
    memcpy(files, good, sizeof(files));
    expect(files, 0, "must end with its only catalog");
    expect(files, 2, "must end with its only catalog");
    files[1].kind = CT_SERVE_FILE_KIND_CATALOG;
    expect(files, 3, "must end with its only catalog");
    files[1].kind = CT_SERVE_FILE_KIND_ENGINE;
    files[1].id.name.value = 0;
    expect(files, 3, "must end with its only catalog");
    files[1].id.name.value = CT_SERVE_NUM_ENGINE_FILES;
    expect(files, 3, "file 1 of 3 is an unknown program");
    files[1].kind = (ct_serve_file_kind)99;
    expect(files, 3, "file 1 of 3 is of an unknown kind, 99");
    files[1] = files[0];
    expect(files, 3, "file 1 of 3 is listed twice");
    files[1] = good[1];
    files[1].size_bytes = 0;
    expect(files, 3, "file 1 of 3 is empty");
}

static void half_a_file_is_refused(void **state) {
    (void)state;
    ct_byte_array bytes;
    ct_serve_file_array read;
    ct_error error = {0};
    ct_array_init(&bytes, test_heap());
    ct_array_init(&read, test_heap());
    ct_serve_manifest_write(good, 3, &bytes);
    for (uint32_t i = 0; i < bytes.count; ++i)
        assert_false(ct_serve_manifest_read(bytes.items, i, &read, &error));
    ct_array_free(&bytes);
    ct_array_free(&read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(numbers_are_big_endian),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(half_a_file_is_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
