// What PNG files may say beside plain colours.
#include "compiler/types/texture/texture_case.h"

// A PNG of one row or more with chunks before its pixels. `interlace` is 0 or 1.
typedef struct png_case {
    uint32_t width, height;
    uint8_t depth, color_type, interlace;
    const uint8_t *palette, *transparency;
    uint32_t palette_bytes, transparency_bytes;
    const uint8_t *rows; // each begins with its filter byte
    uint32_t rows_bytes;
} png_case;

static ct_byte_array written(const png_case *p) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    ct_byte_array out = new_bytes(), header = new_bytes();
    int zlib_bytes = 0;
    uint8_t *const rows = (uint8_t *)p->rows;
    uint8_t *const zlib = stbi_zlib_compress(rows, (int)p->rows_bytes, &zlib_bytes, 8);
    ct_array_push_many(&out, signature, sizeof(signature));
    big_endian32(&header, p->width);
    big_endian32(&header, p->height);
    const uint8_t rest[] = {p->depth, p->color_type, 0, 0, p->interlace};
    ct_array_push_many(&header, rest, sizeof(rest));
    png_chunk(&out, "IHDR", header.items, header.count);
    if (p->palette)
        png_chunk(&out, "PLTE", p->palette, p->palette_bytes);
    if (p->transparency)
        png_chunk(&out, "tRNS", p->transparency, p->transparency_bytes);
    png_chunk(&out, "IDAT", zlib, (uint32_t)zlib_bytes);
    png_chunk(&out, "IEND", NULL, 0);
    ct_array_free(&header);
    ct_free(test_heap(), zlib);
    return out;
}

static void expect_pixels(const png_case *p, const uint8_t *pixels) {
    ct_byte_array png = written(p);
    ct_worker_image image = {0};
    ct_error error = {0};
    if (!ct_worker_image_decode(test_heap(), png.items, png.count, "a.png", true, &image, &error))
        fail_msg("%s", error.message);
    assert_int_equal(image.width, p->width);
    assert_int_equal(image.height, p->height);
    assert_memory_equal(image.pixels, pixels, 4ull * p->width * p->height);
    ct_free(test_heap(), image.pixels);
    ct_array_free(&png);
}

static void expect_refusal(ct_byte_array *png, const char *text) {
    ct_error error = {0};
    assert_false(decodes(png, png->count, "a.png", &error));
    if (!strstr(error.message, text))
        fail_msg("found \"%s\", expected \"%s\"", error.message, text);
    ct_array_free(png);
}

static const uint8_t palette[] = {10, 20, 30, 40, 50, 60, 70, 80, 90};

static void reads_palettes_with_alpha(void **state) {
    (void)state;
    static const uint8_t alpha[] = {255, 7}; // the third is opaque
    static const uint8_t rows[] = {0, 0x24}; // 0, 2, 1 in two bits each
    static const uint8_t pixels[] = {10, 20, 30, 255, 70, 80, 90, 255, 40, 50, 60, 7};
    expect_pixels(&(png_case){.width = 3,
                              .height = 1,
                              .depth = 2,
                              .color_type = 3,
                              .palette = palette,
                              .palette_bytes = sizeof(palette),
                              .transparency = alpha,
                              .transparency_bytes = sizeof(alpha),
                              .rows = rows,
                              .rows_bytes = sizeof(rows)},
                  pixels);
}

// As other readers do.
static void pixels_that_the_palette_does_not_have_are_black(void **state) {
    (void)state;
    static const uint8_t rows[] = {0, 0x34}; // 0, 3, 1
    static const uint8_t pixels[] = {10, 20, 30, 255, 0, 0, 0, 255, 40, 50, 60, 255};
    expect_pixels(&(png_case){.width = 3,
                              .height = 1,
                              .depth = 2,
                              .color_type = 3,
                              .palette = palette,
                              .palette_bytes = sizeof(palette),
                              .rows = rows,
                              .rows_bytes = sizeof(rows)},
                  pixels);
}

static void reads_the_transparent_colour(void **state) {
    (void)state;
    static const uint8_t grey[] = {0, 1};
    static const uint8_t bits[] = {0, 0x40}; // 0, 1, 0
    static const uint8_t of_bits[] = {0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255};
    expect_pixels(&(png_case){.width = 3,
                              .height = 1,
                              .depth = 1,
                              .transparency = grey,
                              .transparency_bytes = sizeof(grey),
                              .rows = bits,
                              .rows_bytes = sizeof(bits)},
                  of_bits);
    // Of 16 bits: the low bytes count, too.
    static const uint8_t color[] = {1, 2, 3, 4, 5, 6};
    static const uint8_t wide[] = {0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 7};
    static const uint8_t of_wide[] = {1, 3, 5, 0, 1, 3, 5, 255};
    expect_pixels(&(png_case){.width = 2,
                              .height = 1,
                              .depth = 16,
                              .color_type = 2,
                              .transparency = color,
                              .transparency_bytes = sizeof(color),
                              .rows = wide,
                              .rows_bytes = sizeof(wide)},
                  of_wide);
}

static void reads_grey_with_alpha(void **state) {
    (void)state;
    static const uint8_t rows[] = {0, 9, 8, 7, 6};
    static const uint8_t pixels[] = {9, 9, 9, 8, 7, 7, 7, 6};
    expect_pixels(
        &(png_case){
            .width = 2, .height = 1, .depth = 8, .color_type = 4, .rows = rows, .rows_bytes = 5},
        pixels);
}

static void reads_interlaced_images(void **state) {
    (void)state;
    // Where Adam7 has each pass: first column and row, and the steps.
    static const uint8_t passes[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                         {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    enum { SIDE = 11 };
    uint8_t pixels[SIDE * SIDE * 4];
    uint32_t seed = 5;
    for (uint32_t i = 0; i < sizeof(pixels); ++i)
        pixels[i] = (uint8_t)test_random(&seed);
    ct_byte_array rows = new_bytes();
    for (uint32_t p = 0; p < 7; ++p) {
        for (uint32_t y = passes[p][1]; y < SIDE; y += passes[p][3]) {
            ct_array_push(&rows, 0);
            for (uint32_t x = passes[p][0]; x < SIDE; x += passes[p][2])
                ct_array_push_many(&rows, pixels + 4 * (SIDE * y + x), 4);
        }
    }
    expect_pixels(&(png_case){.width = SIDE,
                              .height = SIDE,
                              .depth = 8,
                              .color_type = 6,
                              .interlace = 1,
                              .rows = rows.items,
                              .rows_bytes = rows.count},
                  pixels);
    ct_array_free(&rows);
}

static void says_which_checksum_is_wrong_and_where(void **state) {
    (void)state;
    static const uint8_t pixels[4] = {0};
    ct_byte_array png = png_of(1, 1, 4, pixels);
    png.items[png.count - 13] ^= 1; // the last byte before IEND
    expect_refusal(&png, "a.png cannot be read: IDAT: CRC error, before byte ");
    // Of chunks that no pixel depends on, too.
    ct_byte_array text = new_bytes();
    ct_byte_array plain = png_of(1, 1, 4, pixels);
    ct_array_push_many(&text, plain.items, 33);
    png_chunk(&text, "tEXt", (const uint8_t *)"Author", 7);
    text.items[text.count - 1] ^= 1;
    ct_array_push_many(&text, plain.items + 33, plain.count - 33);
    ct_array_free(&plain);
    expect_refusal(&text, "tEXt: CRC error");
}

static void takes_large_chunks_that_no_pixel_depends_on(void **state) {
    (void)state;
    static const uint8_t pixels[4] = {1, 2, 3, 4};
    enum { BYTES = 9000000 };
    uint8_t *const data = ct_alloc(test_heap(), BYTES);
    memset(data, 'a', BYTES);
    ct_byte_array plain = png_of(1, 1, 4, pixels), png = new_bytes();
    ct_array_push_many(&png, plain.items, 33);
    png_chunk(&png, "teST", data, BYTES);
    ct_array_push_many(&png, plain.items + 33, plain.count - 33);
    ct_error error = {0};
    assert_true(decodes(&png, png.count, "a.png", &error));
    ct_free(test_heap(), data);
    ct_array_free(&plain);
    ct_array_free(&png);
}

static void refuses_sizes_that_are_none(void **state) {
    (void)state;
    uint8_t rows[] = {0};
    ct_byte_array png = raw_png(0, 2, 8, 6, rows, sizeof(rows));
    expect_refusal(&png, "0 x 2 pixels; expected 1 to 16384");
    png = raw_png(UINT32_MAX, 2, 8, 6, rows, sizeof(rows));
    expect_refusal(&png, "4294967295 x 2 pixels; expected 1 to 16384");
    png = raw_png(1, 1, 3, 6, rows, sizeof(rows));
    expect_refusal(&png, "a.png cannot be read: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_palettes_with_alpha),
        cmocka_unit_test(pixels_that_the_palette_does_not_have_are_black),
        cmocka_unit_test(reads_the_transparent_colour),
        cmocka_unit_test(reads_grey_with_alpha),
        cmocka_unit_test(reads_interlaced_images),
        cmocka_unit_test(says_which_checksum_is_wrong_and_where),
        cmocka_unit_test(takes_large_chunks_that_no_pixel_depends_on),
        cmocka_unit_test(refuses_sizes_that_are_none),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
