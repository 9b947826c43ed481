// Smaller pictures, and the parts of one that differ from another, against a plain search.
#include "dev/frames/frame_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/memory/memory.h"
#include "support/test_support.h"

static void fits_into_a_size_and_never_grows(void **state) {
    (void)state;
    static const uint32_t cases[][6] = {
        {1280, 720, 640, 360, 640, 360}, {1280, 720, 640, 640, 640, 360},
        {320, 200, 640, 360, 320, 200},  {100, 1000, 640, 360, 36, 360},
        {4096, 1, 16, 16, 16, 1},        {1, 4096, 64, 64, 1, 64},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        uint32_t width, height;
        ct_frame_fit(cases[i][0], cases[i][1], cases[i][2], cases[i][3], &width, &height);
        assert_int_equal(width, cases[i][4]);
        assert_int_equal(height, cases[i][5]);
    }
}

static void shrinks_to_the_mean_of_what_is_covered(void **state) {
    (void)state;
    uint8_t picture[4 * 4 * 4], small[2 * 2 * 4];
    for (uint32_t i = 0; i < sizeof(picture); ++i)
        picture[i] = (uint8_t)(i * 3);
    ct_frame_shrink(picture, 4, 4, small, 2, 2);
    for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t sum =
            (uint32_t)picture[c] + picture[4 + c] + picture[16 + c] + picture[20 + c];
        assert_int_equal(small[c], (sum + 2) / 4);
    }
    // Of one colour stays so, whatever the sizes.
    for (uint32_t width = 1; width <= 4; ++width) {
        uint8_t even[4 * 4 * 4], out[4 * 4 * 4];
        memset(even, 77, sizeof(even));
        memset(out, 0, sizeof(out));
        ct_frame_shrink(even, 4, 4, out, width, 3);
        for (uint32_t i = 0; i < width * 3 * 4; ++i)
            assert_int_equal(out[i], 77);
    }
    ct_frame_shrink(picture, 4, 4, picture, 4, 4);
    assert_int_equal(picture[5], 15);
}

// Each pixel that differs must be in exactly one part, and no part beyond the picture.
static void expect_cover(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height,
                         const ct_frame_part_array *parts) {
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < parts->count; ++i) {
                const ct_frame_part p = parts->items[i];
                count += x >= p.x && y >= p.y && x < p.x + p.width && y < p.y + p.height;
            }
            assert_true(count <= 1);
            if (memcmp(a + 4 * (y * width + x), b + 4 * (y * width + x), 4) != 0)
                assert_int_equal(count, 1);
        }
    }
    for (uint32_t i = 0; i < parts->count; ++i) {
        assert_true(parts->items[i].x + parts->items[i].width <= width);
        assert_true(parts->items[i].y + parts->items[i].height <= height);
    }
}

static void finds_all_that_differs(void **state) {
    (void)state;
    enum { MOST = 300 };
    uint8_t *const a = calloc(MOST * MOST, 4), *const b = calloc(MOST * MOST, 4);
    ct_frame_part_array parts;
    ct_array_init(&parts, test_heap());
    srand(1);
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t width = 1 + (uint32_t)rand() % MOST, height = 1 + (uint32_t)rand() % MOST;
        memcpy(b, a, MOST * MOST * 4);
        for (int i = rand() % 5; i > 0; --i)
            b[(uint32_t)rand() % (width * height * 4)] ^= (uint8_t)(1 + rand() % 255);
        ct_frame_find_changes(b, a, width, height, &parts);
        expect_cover(a, b, width, height, &parts);
        if (memcmp(a, b, (size_t)width * height * 4) == 0)
            assert_int_equal(parts.count, 0);
    }
    ct_array_free(&parts);
    free(a);
    free(b);
}

static void joins_what_lies_together(void **state) {
    (void)state;
    enum { WIDTH = 640, HEIGHT = 360 };
    uint8_t *const a = calloc(WIDTH * HEIGHT, 4), *const b = calloc(WIDTH * HEIGHT, 4);
    ct_frame_part_array parts;
    ct_array_init(&parts, test_heap());
    for (uint32_t y = 70; y < 180; ++y)
        memset(b + 4 * (WIDTH * y + 140), 9, 4 * 50); // two rows of one tile
    ct_frame_find_changes(b, a, WIDTH, HEIGHT, &parts);
    assert_int_equal(parts.count, 1);
    assert_int_equal(parts.items[0].x, 128);
    assert_int_equal(parts.items[0].y, 64);
    assert_int_equal(parts.items[0].width, 64);
    assert_int_equal(parts.items[0].height, 128);
    memset(b, 9, WIDTH * 200 * 4); // more than half
    ct_frame_find_changes(b, a, WIDTH, HEIGHT, &parts);
    assert_int_equal(parts.count, 1);
    assert_int_equal(parts.items[0].width, WIDTH);
    assert_int_equal(parts.items[0].height, HEIGHT);
    ct_frame_find_changes(b, NULL, WIDTH, HEIGHT, &parts);
    assert_int_equal(parts.count, 1);
    ct_array_free(&parts);
    free(a);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_into_a_size_and_never_grows),
        cmocka_unit_test(shrinks_to_the_mean_of_what_is_covered),
        cmocka_unit_test(finds_all_that_differs),
        cmocka_unit_test(joins_what_lies_together),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
