#include "content/database/picture_size.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "support/mutation.h"
#include "support/test_support.h"

static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13,
                              'I',  'H', 'D', 'R', 0,    0,    1,    0,    0, 0, 0, 3};
static const uint8_t jpeg[] = {0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 2,
                               0xff, 0x01, 0xff, 0xc2, 0, 8, 8, 1, 2,    0,    5,    1};
static const uint8_t tga[] = {0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7, 0, 32, 0};

static void expect(const char *extension, const uint8_t *bytes, uint64_t size_bytes, uint32_t width,
                   uint32_t height) {
    uint32_t w = 0, h = 0;
    assert_true(ct_picture_size(extension, bytes, size_bytes, &w, &h));
    assert_int_equal(w, width);
    assert_int_equal(h, height);
    for (uint64_t cut = 0; cut < size_bytes - 1; ++cut) { // the JPEG has a byte behind the size
        uint8_t *const part = ct_alloc(test_heap(), cut + 1);
        memcpy(part, bytes, cut);
        assert_false(ct_picture_size(extension, part, cut, &w, &h));
        ct_free(test_heap(), part);
    }
}

static void sizes_are_read(void **state) {
    (void)state;
    expect("png", png, sizeof(png), 256, 3);
    expect("jpg", jpeg, sizeof(jpeg), 5, 258);
    expect("jpeg", jpeg, sizeof(jpeg), 5, 258);
    expect("tga", tga, sizeof(tga), 256, 7);
}

static void others_have_none(void **state) {
    (void)state;
    uint32_t w, h;
    static const uint8_t none[] = {0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 32, 0};
    static const uint8_t no_kind[] = {0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 7, 0, 32, 0};
    static const uint8_t scan[] = {0xff, 0xd8, 0xff, 0xda, 0, 8, 8, 1, 2, 0, 5, 0, 0};
    assert_false(ct_picture_size("gif", png, sizeof(png), &w, &h));
    assert_false(ct_picture_size("jpg", png, sizeof(png), &w, &h));
    assert_false(ct_picture_size("png", jpeg, sizeof(jpeg), &w, &h));
    assert_false(ct_picture_size("tga", none, sizeof(none), &w, &h));
    assert_false(ct_picture_size("tga", no_kind, sizeof(no_kind), &w, &h));
    assert_false(ct_picture_size("jpg", scan, sizeof(scan), &w, &h));
}

static void pictures_of_samples_have_sizes(void **state) {
    (void)state;
    const char *const root = getenv("CUTTLE_SOURCE");
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    uint64_t bytes;
    uint32_t w, h;
    ct_path_join(path, root ? root : "../..", "samples/crates/textures/crate_color.png");
    char *const file = ct_file_read(test_heap(), path, &bytes, &error);
    if (!file)
        fail_msg("%s", error.message);
    assert_true(ct_picture_size("png", file, bytes, &w, &h));
    assert_true(w > 0 && h > 0);
    ct_free(test_heap(), file);
}

static void damaged_pictures_are_no_harm(void **state) {
    (void)state;
    static const struct {
        const char *extension;
        const uint8_t *bytes;
        size_t size;
    } pictures[] = {
        {"png", png, sizeof(png)}, {"jpg", jpeg, sizeof(jpeg)}, {"tga", tga, sizeof(tga)}};
    ct_random random = ct_random_seeded(3, 0);
    for (uint32_t round = 0; round < test_rounds(3000, 100000); ++round) {
        uint8_t bytes[64];
        uint32_t w, h;
        const uint32_t which = round % CT_COUNT_OF(pictures);
        memcpy(bytes, pictures[which].bytes, pictures[which].size);
        const size_t size = test_mutate(&random, bytes, pictures[which].size, sizeof(bytes), NULL);
        uint8_t *const exact = ct_alloc(test_heap(), size + 1);
        memcpy(exact, bytes, size);
        if (ct_picture_size(pictures[which].extension, exact, size, &w, &h))
            assert_true(w > 0 && h > 0);
        ct_free(test_heap(), exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read),
        cmocka_unit_test(others_have_none),
        cmocka_unit_test(pictures_of_samples_have_sizes),
        cmocka_unit_test(damaged_pictures_are_no_harm),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
