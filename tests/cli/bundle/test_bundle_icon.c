#include "cli/bundle/bundle_icon.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

// A picture of one pixel; its data is not looked at.
static const uint8_t picture[] = {
    0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', //
    0,    0,   0,   13,  'I',  'H',  'D',  'R',  0, 0, 0,   1,   0,   0,   0, 1, 8, 0, 0,
    0,    0,   1,   2,   3,    4,    0,    0,    0, 1, 'I', 'D', 'A', 'T', 7, 1, 2, 3, 4, //
    0,    0,   0,   0,   'I',  'E',  'N',  'D',  1, 2, 3,   4,
};

static void refuse(const void *data, uint64_t bytes, const char *message) {
    ct_error error = {0};
    assert_false(ct_bundle_icon_check(data, bytes, &error));
    assert_non_null(strstr(error.message, message));
}

static void takes_a_png_file(void **state) {
    (void)state;
    ct_error error = {0};
    assert_true(ct_bundle_icon_check(picture, sizeof(picture), &error));
}

static void refuses_other_files(void **state) {
    (void)state;
    refuse("", 0, "found an empty file; expected a PNG picture");
    refuse("root:x:0:0", 10, "found a file of another format; expected a PNG picture");
    refuse("\xff\xd8\xff\xe0\0\x10JFIF", 10, "found a file of another format");
}

// Each copy is of its size, so that a sanitizer sees a read past its end.
static void refuses_files_cut_anywhere(void **state) {
    (void)state;
    for (uint64_t cut = 8; cut < sizeof(picture); ++cut) {
        uint8_t *const copy = ct_alloc(test_heap(), cut);
        memcpy(copy, picture, cut);
        refuse(copy, cut, "ends too early");
        ct_free(test_heap(), copy);
    }
}

static void refuses_a_png_file_without_a_picture(void **state) {
    (void)state;
    uint8_t copy[sizeof(picture)];
    memcpy(copy, picture, sizeof(picture));
    copy[19] = 0; // the width
    refuse(copy, sizeof(copy), "without a valid header");
    memcpy(copy, picture, sizeof(picture));
    memcpy(copy + 37, "tEXt", 4);
    refuse(copy, sizeof(copy), "without a picture");
    memset(copy + 33, 0xff, 4); // longer than the file
    refuse(copy, sizeof(copy), "ends too early");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_png_file),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(refuses_files_cut_anywhere),
        cmocka_unit_test(refuses_a_png_file_without_a_picture),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
