#include "compiler/types/texture/texture_case.h"

#include "compiler/types/texture/jpeg_sample.h"

#define UNCOMPRESSED "quality = \"uncompressed\""

// Compiles an image uncompressed and copies the pixel at (x, 0) of the mip. Returns how many mips
// there are.
static uint32_t pixel_at(const ct_byte_array *media, const char *settings, uint32_t mip, uint32_t x,
                         uint8_t rgba[4]) {
    compile_case t = compile_case_make();
    char all[256];
    snprintf(all, sizeof(all), "quality = \"uncompressed\" %s", settings);
    const ct_texture_resource *const r = compile(&t, media, "textures/a.png", all);
    memcpy(rgba, pixels_of(r, mip) + x * 4, 4);
    const uint32_t num_mips = r->mips.count;
    compile_case_free(&t);
    return num_mips;
}

static void keeps_the_pixels_of_a_png(void **state) {
    (void)state;
    const uint8_t pixels[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                              13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
    ct_byte_array png = png_of(3, 2, 4, pixels);
    compile_case t = compile_case_make();
    const ct_texture_resource *const r = compile(&t, &png, "textures/a.png", UNCOMPRESSED);
    assert_int_equal(r->width, 3);
    assert_int_equal(r->height, 2);
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_RGBA8_SRGB);
    assert_memory_equal(pixels_of(r, 0), pixels, sizeof(pixels));
    assert_true(compile_case_has_include(&t, "textures/a.png"));
    compile_case_free(&t);
    ct_array_free(&png);
}

static void writes_what_the_source_says(void **state) {
    (void)state;
    const uint8_t pixels[16] = {0};
    ct_byte_array png = png_of(2, 2, 4, pixels);
    compile_case t = compile_case_make();
    const ct_texture_resource *const r =
        compile(&t, &png, "textures/a.png",
                "color_space = \"linear\" filter = \"nearest\" wrap = \"clamp\" " UNCOMPRESSED " "
                "generate_mips = false");
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_RGBA8);
    assert_int_equal(r->filter, CT_TEXTURE_FILTER_NEAREST);
    assert_int_equal(r->wrap, CT_TEXTURE_WRAP_CLAMP);
    assert_int_equal(r->mips.count, 1);
    compile_case_free(&t);
    ct_array_free(&png);
}

static void makes_the_chain_down_to_one_pixel(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{5, 3}, {2, 1}, {1, 1}};
    const uint8_t pixels[5 * 3] = {0};
    ct_byte_array png = png_of(5, 3, 1, pixels);
    compile_case t = compile_case_make();
    const ct_texture_resource *const r = compile(&t, &png, "textures/a.png", "");
    assert_int_equal(r->mips.count, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(mips_of(r)[i].width, sizes[i][0]);
        assert_int_equal(mips_of(r)[i].height, sizes[i][1]);
    }
    compile_case_free(&t);
    ct_array_free(&png);
}

static void averages_srgb_in_linear_light(void **state) {
    (void)state;
    const uint8_t pixels[] = {0, 255};
    uint8_t rgba[4];
    ct_byte_array png = png_of(2, 1, 1, pixels);
    assert_int_equal(pixel_at(&png, "", 1, 0, rgba), 2);
    assert_int_equal(rgba[0], 188); // half the light
    assert_int_equal(rgba[3], 255);
    pixel_at(&png, "color_space = \"linear\"", 1, 0, rgba);
    assert_int_equal(rgba[0], 128);
    ct_array_free(&png);
}

static void averages_odd_sizes_over_the_whole_area(void **state) {
    (void)state;
    // Five pixels to two: each covers two and a half.
    const uint8_t row[] = {10, 20, 100, 40, 50};
    uint8_t rgba[4];
    ct_byte_array png = png_of(5, 1, 1, row);
    pixel_at(&png, "color_space = \"linear\"", 1, 0, rgba);
    assert_int_equal(rgba[0], (10 + 20 + 50) * 2 / 5);
    pixel_at(&png, "color_space = \"linear\"", 1, 1, rgba);
    assert_int_equal(rgba[0], (50 + 40 + 50) * 2 / 5);
    pixel_at(&png, "color_space = \"linear\"", 2, 0, rgba);
    assert_int_equal(rgba[0], (10 + 20 + 100 + 40 + 50) / 5);
    ct_array_free(&png);
    const uint8_t column[] = {0, 255, 0};
    png = png_of(1, 3, 1, column);
    pixel_at(&png, "color_space = \"linear\"", 1, 0, rgba);
    assert_int_equal(rgba[0], 85);
    ct_array_free(&png);
}

static void averages_alpha_as_it_is(void **state) {
    (void)state;
    const uint8_t pixels[] = {255, 255, 255, 0, 255, 255, 255, 255};
    uint8_t rgba[4];
    ct_byte_array png = png_of(2, 1, 4, pixels);
    pixel_at(&png, "", 0, 0, rgba);
    assert_int_equal(rgba[3], 0);
    pixel_at(&png, "", 1, 0, rgba);
    assert_int_equal(rgba[3], 128);
    assert_int_equal(rgba[0], 255);
    ct_array_free(&png);
}

static void keeps_a_plain_colour_in_all_mips(void **state) {
    (void)state;
    for (uint32_t value = 0; value < 256; ++value) {
        uint8_t pixels[7 * 3];
        memset(pixels, (int)value, sizeof(pixels));
        ct_byte_array png = png_of(7, 3, 1, pixels);
        compile_case t = compile_case_make();
        const ct_texture_resource *const r = compile(&t, &png, "textures/a.png", UNCOMPRESSED);
        for (uint32_t mip = 0; mip < r->mips.count; ++mip) {
            assert_int_equal(pixels_of(r, mip)[0], value);
            assert_int_equal(pixels_of(r, mip)[3], 255);
        }
        compile_case_free(&t);
        ct_array_free(&png);
    }
}

static void widens_grey_and_narrows_16_bits(void **state) {
    (void)state;
    uint8_t rows[] = {0, 0x12, 0x34, 0xab, 0xcd}; // two grey pixels of 16 bits
    uint8_t rgba[4];
    ct_byte_array png = raw_png(2, 1, 16, 0, rows, sizeof(rows));
    pixel_at(&png, "", 0, 1, rgba);
    const uint8_t expected[4] = {0xab, 0xab, 0xab, 255};
    assert_memory_equal(rgba, expected, 4);
    ct_array_free(&png);
}

static ct_byte_array jpeg_file(void) {
    ct_byte_array bytes = new_bytes();
    ct_array_push_many(&bytes, jpeg_sample, (uint32_t)sizeof(jpeg_sample));
    return bytes;
}

static void reads_jpeg(void **state) {
    (void)state;
    ct_byte_array jpeg = jpeg_file();
    compile_case t = compile_case_make();
    const ct_texture_resource *const r = compile(&t, &jpeg, "textures/a.jpg", UNCOMPRESSED);
    assert_int_equal(r->width, 16);
    assert_int_equal(r->height, 8);
    const uint8_t *const last = pixels_of(r, 0) + (16 * 8 - 1) * 4;
    assert_in_range(last[0], 195, 211);
    assert_in_range(last[1], 35, 51);
    assert_in_range(last[2], 32, 48);
    compile_case_free(&t);
    ct_array_free(&jpeg);
}

static ct_byte_array tga_of(uint32_t width, uint32_t height, const uint8_t *pixels, int is_rle) {
    ct_byte_array tga = new_bytes();
    stbi_write_tga_with_rle = is_rle;
    stbi_write_tga_to_func(append, &tga, (int)width, (int)height, 4, pixels);
    return tga;
}

static void reads_tga_with_and_without_packets(void **state) {
    (void)state;
    uint8_t pixels[6 * 2 * 4];
    for (uint32_t i = 0; i < sizeof(pixels); ++i)
        pixels[i] = (uint8_t)(i < 20 ? 7 : i);
    for (int is_rle = 0; is_rle < 2; ++is_rle) {
        ct_byte_array tga = tga_of(6, 2, pixels, is_rle);
        compile_case t = compile_case_make();
        const ct_texture_resource *const r = compile(&t, &tga, "textures/a.tga", UNCOMPRESSED);
        assert_memory_equal(pixels_of(r, 0), pixels, sizeof(pixels));
        compile_case_free(&t);
        ct_array_free(&tga);
    }
}

// The four orders of rows and pixels that bits 4 and 5 of the descriptor say.
static void reads_tga_from_each_corner(void **state) {
    (void)state;
    static const uint8_t pixels[3 * 2 * 4] = {1, 2, 3, 255, 4,  5,  6,  255, 7,  8,  9,  255,
                                              9, 8, 7, 255, 60, 50, 40, 255, 30, 20, 10, 255};
    for (uint32_t order = 0; order < 4; ++order) {
        const bool is_mirrored = order & 1, is_top_down = order & 2;
        uint8_t file[18 + 3 * 2 * 3] = {[2] = 2, [12] = 3, [14] = 2, [16] = 24};
        file[17] = (uint8_t)(order << 4);
        for (uint32_t i = 0; i < 6; ++i) {
            const uint32_t x = is_mirrored ? 2 - i % 3 : i % 3, y = is_top_down ? i / 3 : 1 - i / 3;
            for (uint32_t c = 0; c < 3; ++c)
                file[18 + 3 * i + c] = pixels[4 * (3 * y + x) + 2 - c];
        }
        ct_byte_array tga = new_bytes();
        append(&tga, file, sizeof(file));
        compile_case t = compile_case_make();
        const ct_texture_resource *const r = compile(&t, &tga, "textures/a.tga", UNCOMPRESSED);
        assert_memory_equal(pixels_of(r, 0), pixels, sizeof(pixels));
        compile_case_free(&t);
        ct_array_free(&tga);
    }
}

// A TGA with a colour map of two entries, 100 and 101, and pixels that name them.
static ct_byte_array tga_with_map(void) {
    uint8_t file[18 + 6 + 2] = {
        [1] = 1, [2] = 1, [3] = 100, [5] = 2, [7] = 24, [12] = 2, [14] = 1, [16] = 8, [17] = 32,
        3,       2,       1,         6,       5,        4,        101,      100};
    ct_byte_array tga = new_bytes();
    append(&tga, file, sizeof(file));
    return tga;
}

static void reads_a_tga_whose_colour_map_begins_later(void **state) {
    (void)state;
    static const uint8_t pixels[8] = {4, 5, 6, 255, 1, 2, 3, 255};
    ct_byte_array tga = tga_with_map();
    compile_case t = compile_case_make();
    const ct_texture_resource *const r = compile(&t, &tga, "textures/a.tga", UNCOMPRESSED);
    assert_memory_equal(pixels_of(r, 0), pixels, sizeof(pixels));
    compile_case_free(&t);
    tga.items[3] = tga.items[4] = 255; // the first entry is 65,535
    ct_error error = {0};
    assert_false(decodes(&tga, tga.count, "textures/a.tga", &error));
    assert_non_null(strstr(error.message, "2 entries in its colour map, from 65535 on"));
    ct_array_free(&tga);
}

static void refuses_every_cut(const ct_byte_array *media, const char *path, uint32_t signature) {
    ct_error error = {0};
    assert_true(decodes(media, media->count, path, &error));
    for (uint32_t count = 0; count < media->count; ++count) {
        assert_false(decodes(media, count, path, &error));
        assert_non_null(strstr(error.message, path));
        assert_non_null(strstr(error.message, count < signature ? "" : "truncated"));
    }
}

static void noise(uint8_t *pixels, uint32_t count) {
    uint32_t seed = 7;
    for (uint32_t i = 0; i < count; ++i)
        pixels[i] = (uint8_t)test_random(&seed);
}

static void refuses_a_png_cut_anywhere(void **state) {
    (void)state;
    uint8_t pixels[9 * 5 * 4];
    noise(pixels, sizeof(pixels));
    ct_byte_array png = png_of(9, 5, 4, pixels);
    refuses_every_cut(&png, "textures/cut.png", 8);
    ct_array_free(&png);
}

static void refuses_a_jpeg_cut_anywhere(void **state) {
    (void)state;
    ct_byte_array jpeg = jpeg_file();
    refuses_every_cut(&jpeg, "textures/cut.jpg", 2);
    ct_array_free(&jpeg);
}

static void refuses_a_tga_cut_anywhere(void **state) {
    (void)state;
    uint8_t pixels[9 * 5 * 4];
    noise(pixels, sizeof(pixels));
    memset(pixels, 3, 60);
    for (int is_rle = 0; is_rle < 2; ++is_rle) {
        ct_byte_array tga = tga_of(9, 5, pixels, is_rle);
        refuses_every_cut(&tga, "textures/cut.tga", 0);
        ct_array_free(&tga);
    }
    ct_byte_array tga = tga_with_map();
    refuses_every_cut(&tga, "textures/cut.tga", 0);
    ct_array_free(&tga);
}

static void refuses_a_png_with_any_flipped_bit(void **state) {
    (void)state;
    uint8_t pixels[4 * 4 * 4];
    noise(pixels, sizeof(pixels));
    ct_byte_array png = png_of(4, 4, 4, pixels);
    for (uint32_t bit = 0; bit < png.count * 8; ++bit) {
        ct_error error = {0};
        png.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(decodes(&png, png.count, "textures/flipped.png", &error));
        png.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ct_array_free(&png);
}

static void survives_damaged_jpeg_and_tga_files(void **state) {
    (void)state;
    uint8_t pixels[16 * 16 * 4];
    noise(pixels, sizeof(pixels));
    ct_byte_array jpeg = jpeg_file();
    ct_byte_array tga = tga_of(16, 16, pixels, 1);
    uint32_t seed = 42;
    for (uint32_t round = 0; round < test_rounds(300, 30000); ++round) {
        ct_byte_array *const media = round % 2 ? &jpeg : &tga;
        const uint32_t at = test_random(&seed) % media->count;
        const uint8_t old = media->items[at];
        ct_error error = {0};
        media->items[at] = (uint8_t)test_random(&seed);
        // The width and height of a header may ask for much memory, but must not read past the end.
        if (!decodes(media, media->count, round % 2 ? "a.jpg" : "a.tga", &error))
            assert_true(error.message[0] != 0);
        media->items[at] = old;
    }
    ct_array_free(&jpeg);
    ct_array_free(&tga);
}

static void refuses_huffman_tables_with_too_many_codes(void **state) {
    (void)state;
    ct_byte_array jpeg = jpeg_file();
    uint32_t at = 0;
    while (jpeg.items[at] != 0xff || jpeg.items[at + 1] != 0xc4)
        ++at;
    memset(jpeg.items + at + 5, 255, 16);
    ct_error error = {0};
    assert_false(decodes(&jpeg, jpeg.count, "a.jpg", &error));
    assert_non_null(
        strstr(error.message, "a.jpg cannot be read: Bogus Huffman table definition, before byte"));
    ct_array_free(&jpeg);
}

static void tells_where_a_damaged_image_is_named(void **state) {
    (void)state;
    const uint8_t pixels[64] = {0};
    ct_byte_array png = png_of(4, 4, 4, pixels);
    compile_case t = compile_case_make();
    compile_case_text(&t, "textures/a.texture", "// a comment\nsource = \"textures/a.png\"\n");
    compile_case_file(&t, "textures/a.png", png.items, png.count / 2);
    compile_case_run(&t, "texture", "textures/a");
    const ct_compile_fault *const e =
        compile_case_expect(&t, "textures/a.texture", 2, "textures/a.png is truncated");
    assert_int_equal(e->column, 1);
    compile_case_free(&t);
    ct_array_free(&png);
}

static void refuses_images_that_are_too_large_before_decoding(void **state) {
    (void)state;
    uint8_t rows[] = {0};
    ct_byte_array png = raw_png(CT_TEXTURE_MAX_SIZE + 1, 2, 8, 6, rows, sizeof(rows));
    ct_error error = {0};
    assert_false(decodes(&png, png.count, "a.png", &error));
    assert_non_null(strstr(error.message, "16385 x 2 pixels; expected 1 to 16384"));
    ct_array_free(&png);
}

// Of the pixels the file has none: nothing but the header is looked at.
static void refuses_textures_of_too_many_bytes_before_decoding(void **state) {
    (void)state;
    uint8_t rows[] = {0};
    ct_byte_array png = raw_png(16000, 16000, 8, 6, rows, sizeof(rows));
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.texture", "source = \"a.png\"");
    compile_case_file(&t, "a.png", png.items, png.count);
    compile_case_run(&t, "texture", "a");
    compile_case_expect(&t, "a.texture", 1,
                        "a.png is 16000 x 16000 pixels, which take 1365332856 bytes with mips; the "
                        "limit is 1073737728");
    compile_case_free(&t);
    ct_array_free(&png);
    ct_error error = {0};
    assert_true(ct_worker_image_check_size("a", 16000, 16000, false, &error));
    assert_true(ct_worker_image_check_size("a", 14189, 14189, true, &error));
    assert_false(ct_worker_image_check_size("a", 14190, 14190, true, &error));
    assert_true(ct_worker_image_check_size("a", 16383, 16383, false, &error));
    assert_false(ct_worker_image_check_size("a", 16384, 16384, false, &error));
    assert_non_null(strstr(error.message, "which take 1073741824 bytes; the limit"));
    assert_true(ct_worker_image_check_size("a", 16384, 1, true, &error));
}

static void tells_the_decoders_reason(void **state) {
    (void)state;
    uint8_t rows[] = {0, 1, 2, 3, 4}; // one pixel where the header promises four
    ct_byte_array png = raw_png(2, 2, 8, 6, rows, sizeof(rows));
    ct_error error = {0};
    assert_false(decodes(&png, png.count, "a.png", &error));
    assert_non_null(strstr(error.message, "a.png cannot be read: "));
    ct_array_free(&png);
}

static void refuses_other_files(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.texture", "source = \"a.png\"");
    compile_case_text(&t, "a.png", "an image");
    compile_case_run(&t, "texture", "a");
    compile_case_expect(&t, "a.texture", 1, "a.png is neither a PNG nor a JPEG file");
    compile_case_free(&t);
}

static void names_the_format_of_images_that_are_not_read(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.texture", "source = \"a.png\"");
    compile_case_text(&t, "a.png", "RIFF0000WEBPVP8 ");
    compile_case_run(&t, "texture", "a");
    compile_case_expect(
        &t, "a.texture", 1,
        "a.png is a WebP image, which is not supported; save it as a PNG, JPEG or TGA");
    compile_case_text(&t, "a.png", "GIF89a");
    compile_case_run(&t, "texture", "a");
    compile_case_expect(&t, "a.texture", 1, "a.png is a GIF image");
    compile_case_free(&t);
}

static void reports_a_missing_image(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.texture", "\n\nsource = \"nowhere.png\"");
    compile_case_run(&t, "texture", "a");
    compile_case_expect(&t, "a.texture", 3, "nowhere.png");
    assert_true(compile_case_has_include(&t, "nowhere.png"));
    compile_case_free(&t);
}

static void reports_a_missing_image_where_it_is_named(void **state) {
    (void)state;
    static const struct {
        const char *source;
        uint32_t line, column; // of a member its key's
    } cases[] = {
        {"category = \"color\"\n  filter = \"linear\"  source =\n\"none.png\"", 2, 22},
        {"sources = [\n \"none.png\"\n]", 2, 2},
        {"cube = { left = \"b.png\" front = \"b.png\" back = \"b.png\" up = \"b.png\"\n"
         "down = \"b.png\"  right = \"none.png\" }",
         2, 17},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        compile_case_text(&t, "a.texture", cases[i].source);
        compile_case_run(&t, "texture", "a");
        const ct_compile_fault *const fault = compile_case_expect(
            &t, "a.texture", cases[i].line, "the file \"none.png\" is not there");
        assert_int_equal(fault->column, cases[i].column);
        compile_case_free(&t);
    }
}

static void guesses_which_image_was_meant(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "images/bark.png", "an image");
    compile_case_text(&t, "images/leaf.png", "another");
    compile_case_text(&t, "images/.brak.png", "hidden");
    compile_case_text(&t, "a.texture", "source = \"images/brak.png\"");
    compile_case_run(&t, "texture", "a");
    compile_case_expect(&t, "a.texture", 1,
                        "the file \"images/brak.png\" is not there (did you mean "
                        "\"images/bark.png\"?)");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_pixels_of_a_png),
        cmocka_unit_test(writes_what_the_source_says),
        cmocka_unit_test(makes_the_chain_down_to_one_pixel),
        cmocka_unit_test(averages_srgb_in_linear_light),
        cmocka_unit_test(averages_odd_sizes_over_the_whole_area),
        cmocka_unit_test(averages_alpha_as_it_is),
        cmocka_unit_test(keeps_a_plain_colour_in_all_mips),
        cmocka_unit_test(widens_grey_and_narrows_16_bits),
        cmocka_unit_test(reads_jpeg),
        cmocka_unit_test(reads_tga_with_and_without_packets),
        cmocka_unit_test(reads_tga_from_each_corner),
        cmocka_unit_test(reads_a_tga_whose_colour_map_begins_later),
        cmocka_unit_test(refuses_a_png_cut_anywhere),
        cmocka_unit_test(refuses_a_jpeg_cut_anywhere),
        cmocka_unit_test(refuses_a_tga_cut_anywhere),
        cmocka_unit_test(refuses_a_png_with_any_flipped_bit),
        cmocka_unit_test(survives_damaged_jpeg_and_tga_files),
        cmocka_unit_test(refuses_huffman_tables_with_too_many_codes),
        cmocka_unit_test(tells_where_a_damaged_image_is_named),
        cmocka_unit_test(refuses_images_that_are_too_large_before_decoding),
        cmocka_unit_test(refuses_textures_of_too_many_bytes_before_decoding),
        cmocka_unit_test(tells_the_decoders_reason),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(names_the_format_of_images_that_are_not_read),
        cmocka_unit_test(reports_a_missing_image),
        cmocka_unit_test(reports_a_missing_image_where_it_is_named),
        cmocka_unit_test(guesses_which_image_was_meant),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
