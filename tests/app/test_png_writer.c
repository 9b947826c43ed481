#include "app/png_writer.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

static void writes_a_png(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "picture.png");
    uint8_t pixels[4 * 6];
    memset(pixels, 200, sizeof(pixels));
    ct_error error = {0};
    assert_true(ct_png_write(path, pixels, 3, 2, &error));
    uint64_t size_bytes = 0;
    char *const file = ct_file_read(test_heap(), path, &size_bytes, &error);
    assert_non_null(file);
    assert_memory_equal(file, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(file + 12, "IHDR\0\0\0\3\0\0\0\2\x08\x02", 14); // 3 x 2, RGB
    ct_free(test_heap(), file);
}

static void appends_a_png_to_an_array(void **state) {
    (void)state;
    const uint8_t pixels[4 * 2] = {0};
    ct_byte_array file;
    ct_array_init(&file, test_heap());
    ct_array_push(&file, 'x');
    ct_error error = {0};
    assert_true(ct_png_encode(pixels, 1, 2, &file, &error));
    assert_memory_equal(file.items, "x\x89PNG\r\n\x1a\n", 9);
    assert_memory_equal(file.items + 13, "IHDR\0\0\0\1\0\0\0\2", 12);
    ct_array_free(&file);
}

static void says_when_the_file_cannot_be_written(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "nowhere/picture.png");
    const uint8_t pixel[4] = {0};
    ct_error error = {0};
    assert_false(ct_png_write(path, pixel, 1, 1, &error));
    assert_non_null(strstr(error.message, "nowhere"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_a_png),
        cmocka_unit_test(appends_a_png_to_an_array),
        cmocka_unit_test(says_when_the_file_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
