#include "compiler/types/texture/texture_case.h"
#include "resource/types/height_field_resource.h"

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4 };

// Compiles a PNG of `width` x `height`, whose rows each start with their filter byte.
static void run(compile_case *t, uint32_t width, uint32_t height, uint8_t depth, uint8_t color_type,
                const uint8_t *rows, uint32_t row_bytes) {
    *t = compile_case_make();
    ct_byte_array png = raw_png(width, height, depth, color_type, (uint8_t *)rows, row_bytes);
    compile_case_file(t, "land/a.png", png.items, png.count);
    compile_case_text(t, "land/a.height_field", "source = \"land/a.png\"\nsize = [20 10 5]\n");
    compile_case_run(t, "height_field", "land/a");
    ct_array_free(&png);
}

static void expect_refusal(uint32_t width, uint32_t height, uint8_t depth, uint8_t color_type,
                           const uint8_t *rows, uint32_t row_bytes, const char *message) {
    compile_case t;
    run(&t, width, height, depth, color_type, rows, row_bytes);
    compile_case_expect(&t, "land/a.height_field", 1, message);
    compile_case_free(&t);
}

static void reads_8_bits_with_the_top_row_last(void **state) {
    (void)state;
    static const uint8_t rows[] = {0, 0, 51, 102, 0, 153, 204, 255};
    compile_case t;
    run(&t, 3, 2, 8, GREY, rows, sizeof(rows));
    const ct_height_field_resource *const h = expect_blob(&t.answer, "height_field");
    const float *const heights = ct_blob_at(h, h->heights.offset);
    static const float expected[] = {3, 4, 5, 0, 1, 2};
    assert_int_equal(h->columns, 3);
    assert_int_equal(h->rows, 2);
    assert_float_equal(h->spacing[0], 10, 0);
    assert_float_equal(h->spacing[1], 10, 0);
    assert_float_equal(h->least, 0, 0);
    assert_float_equal(h->most, 5, 0);
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i)
        assert_float_equal(heights[i], expected[i], 1e-6f);
    compile_case_free(&t);
}

static void keeps_all_16_bits(void **state) {
    (void)state;
    static const uint8_t rows[] = {0, 0x12, 0x34, 0x12, 0x35, 0, 0xff, 0xff, 0, 1};
    compile_case t;
    run(&t, 2, 2, 16, GREY, rows, sizeof(rows));
    const ct_height_field_resource *const h = expect_blob(&t.answer, "height_field");
    const float *const heights = ct_blob_at(h, h->heights.offset);
    assert_float_equal(heights[0], 5, 0);
    assert_float_equal(heights[1], 5.0f / 65535, 1e-9f);
    assert_float_equal(heights[2], 0x1234 * 5.0f / 65535, 1e-6f);
    assert_float_equal(heights[3] - heights[2], 5.0f / 65535, 1e-6f);
    assert_float_equal(h->least, heights[1], 0);
    compile_case_free(&t);
}

static void refuses_what_is_not_grey(void **state) {
    (void)state;
    static const uint8_t rows[64] = {0};
    expect_refusal(2, 2, 8, RGB, rows, 14,
                   "land/a.png has colours (RGB); expected a grey PNG of 8 or 16 bits: save it as "
                   "greyscale, without alpha");
    expect_refusal(2, 2, 16, GREY_ALPHA, rows, 18, "land/a.png has grey with alpha; expected");
}

static void refuses_sizes(void **state) {
    (void)state;
    static uint8_t rows[2 * 4099];
    expect_refusal(1, 2, 8, GREY, rows, 4,
                   "land/a.png has 1 x 2 pixels; expected 2 to 4097 along each side");
    expect_refusal(4098, 2, 8, GREY, rows, sizeof(rows), "land/a.png has 4098 x 2 pixels");
    compile_case t;
    run(&t, 4097, 2, 8, GREY, rows, 2 * 4098);
    const ct_height_field_resource *const h = expect_blob(&t.answer, "height_field");
    assert_int_equal(h->heights.count, 2 * 4097);
    assert_float_equal(h->most, 0, 0);
    compile_case_free(&t);
}

static void refuses_files_that_are_damaged(void **state) {
    (void)state;
    static const uint8_t rows[] = {0, 0, 51, 0, 102, 153};
    compile_case t = compile_case_make();
    ct_byte_array png = raw_png(2, 2, 8, GREY, (uint8_t *)rows, sizeof(rows));
    compile_case_text(&t, "land/a.height_field", "source = \"land/a.png\"\nsize = [20 10 5]\n");
    compile_case_file(&t, "land/a.png", png.items, png.count - 14);
    compile_case_run(&t, "height_field", "land/a");
    compile_case_expect(&t, "land/a.height_field", 1, "land/a.png");
    compile_case_file(&t, "land/a.png", png.items, 20);
    compile_case_run(&t, "height_field", "land/a");
    compile_case_expect(&t, "land/a.height_field", 1, "land/a.png");
    compile_case_text(&t, "land/a.png", "no picture");
    compile_case_run(&t, "height_field", "land/a");
    compile_case_expect(&t, "land/a.height_field", 1,
                        "land/a.png is not a PNG file; expected a grey .png of 8 or 16 bits");
    ct_array_free(&png);
    compile_case_free(&t);
}

static void refuses_sources_that_are_wrong(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "land/a.height_field", "source = \"land/none.png\"\nsize = [1 1 1]\n");
    compile_case_run(&t, "height_field", "land/a");
    compile_case_expect(&t, "land/a.height_field", 1, "land/none.png");
    compile_case_text(&t, "land/a.height_field", "source = \"land/none.png\"\nsize = [1 0 1]\n");
    compile_case_run(&t, "height_field", "land/a");
    compile_case_expect(&t, "land/a.height_field", 2, "size");
    compile_case_text(&t, "land/a.height_field", "source = \"land/none.png\"\n");
    compile_case_run(&t, "height_field", "land/a");
    compile_case_expect(&t, "land/a.height_field", 1, "size");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_8_bits_with_the_top_row_last),
        cmocka_unit_test(keeps_all_16_bits),
        cmocka_unit_test(refuses_what_is_not_grey),
        cmocka_unit_test(refuses_sizes),
        cmocka_unit_test(refuses_files_that_are_damaged),
        cmocka_unit_test(refuses_sources_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
