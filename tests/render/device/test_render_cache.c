// The file of the pipeline cache: only what it was written as is read.
#include "support/test_support.h"

#include <string.h>

#include "foundation/error.h"
#include "render/device/render_cache.h"
#include "resource/blob/content_hash.h"

enum { DATA_BYTES = 100, FILE_BYTES = sizeof(ct_render_cache_header) + DATA_BYTES };

static const ct_render_device_identity identity = {
    .vendor = 1, .device = 2, .driver_version = 3, .uuid = {4, 5, 6}};

// As a file lies in memory.
static union {
    ct_render_cache_header header;
    uint8_t bytes[FILE_BYTES];
} file;

static void sign(uint64_t size_bytes) {
    const uint64_t from = offsetof(ct_render_cache_header, data_bytes);
    file.header.checksum = ct_content_hash(file.bytes + from, size_bytes - from);
}

static void write_file(void) {
    memset(file.bytes, 7, FILE_BYTES);
    file.header = (ct_render_cache_header){.magic = CT_RENDER_CACHE_MAGIC,
                                           .version = CT_RENDER_CACHE_VERSION,
                                           .data_bytes = DATA_BYTES,
                                           .identity = identity};
    sign(FILE_BYTES);
}

// Fails when the file is read, or refused with another error.
static void expect_refused(uint64_t size_bytes, const char *text) {
    ct_error error = {0};
    uint64_t data_bytes;
    assert_null(ct_render_cache_read(file.bytes, size_bytes, &identity, &data_bytes, &error));
    assert_int_equal(data_bytes, 0);
    if (!strstr(error.message, text))
        fail_msg("found \"%s\", expected \"%s\"", error.message, text);
}

static void reads_what_was_written(void **state) {
    (void)state;
    ct_error error = {0};
    uint64_t data_bytes;
    write_file();
    const uint8_t *const data =
        ct_render_cache_read(file.bytes, FILE_BYTES, &identity, &data_bytes, &error);
    assert_non_null(data);
    assert_int_equal(data_bytes, DATA_BYTES);
    assert_int_equal(data[0], 7);
    assert_int_equal(data[DATA_BYTES - 1], 7);
}

static void refuses_a_file_of_any_other_length(void **state) {
    (void)state;
    write_file();
    for (uint32_t i = 0; i < sizeof(ct_render_cache_header); ++i)
        expect_refused(i, "expected a header");
    for (uint32_t i = sizeof(ct_render_cache_header); i < FILE_BYTES; ++i)
        expect_refused(i, "behind the header");
    file.header.data_bytes = UINT64_MAX - 20;
    sign(FILE_BYTES);
    expect_refused(FILE_BYTES, "behind the header");
}

static void refuses_a_file_in_which_any_bit_is_wrong(void **state) {
    (void)state;
    for (uint32_t i = 0; i < FILE_BYTES * 8; ++i) {
        write_file();
        file.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        expect_refused(FILE_BYTES, "");
    }
}

static void refuses_a_file_for_another_version_device_or_driver(void **state) {
    (void)state;
    write_file();
    file.header.version = CT_RENDER_CACHE_VERSION + 1;
    expect_refused(FILE_BYTES, "found version 2, expected 1");
    write_file();
    file.header.magic = 0;
    expect_refused(FILE_BYTES, "not a pipeline cache");
    write_file();
    ++file.header.identity.vendor;
    sign(FILE_BYTES);
    expect_refused(FILE_BYTES, "another device or driver");
    write_file();
    ++file.header.identity.driver_version;
    sign(FILE_BYTES);
    expect_refused(FILE_BYTES, "another device or driver");
    write_file();
    file.header.identity.uuid[15] ^= 1;
    sign(FILE_BYTES);
    expect_refused(FILE_BYTES, "another device or driver");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(refuses_a_file_of_any_other_length),
        cmocka_unit_test(refuses_a_file_in_which_any_bit_is_wrong),
        cmocka_unit_test(refuses_a_file_for_another_version_device_or_driver),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
