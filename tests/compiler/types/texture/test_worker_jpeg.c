// What JPEG files may hold beside baseline YCbCr; written by libjpeg.
#include "compiler/types/texture/texture_case.h"

#include <jpeglib.h>

enum { SIDE = 32 };

typedef struct jpeg_case {
    J_COLOR_SPACE from, to; // of `pixel`, and of the file
    uint8_t pixel[4];       // of the whole image
    bool is_progressive, is_arithmetic;
    bool has_adobe; // the marker of CMYK and YCCK
} jpeg_case;

static ct_byte_array written(const jpeg_case *j) {
    struct jpeg_compress_struct c = {0};
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    uint8_t row[SIDE * 4];
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &bytes, &count);
    c.image_width = c.image_height = SIDE;
    c.in_color_space = j->from;
    c.input_components = j->from == JCS_GRAYSCALE ? 1 : j->from == JCS_CMYK ? 4 : 3;
    jpeg_set_defaults(&c);
    jpeg_set_colorspace(&c, j->to);
    jpeg_set_quality(&c, 95, TRUE);
    c.write_Adobe_marker = j->has_adobe;
    c.arith_code = j->is_arithmetic;
    if (j->is_progressive)
        jpeg_simple_progression(&c);
    for (int i = 0; i < SIDE * c.input_components; ++i)
        row[i] = j->pixel[i % c.input_components];
    jpeg_start_compress(&c, TRUE);
    while (c.next_scanline < SIDE) {
        uint8_t *rows[] = {row};
        jpeg_write_scanlines(&c, rows, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    ct_byte_array out = new_bytes();
    ct_array_push_many(&out, bytes, (uint32_t)count);
    free(bytes);
    return out;
}

static void expect_color(const jpeg_case *j, uint8_t r, uint8_t g, uint8_t b) {
    ct_byte_array jpeg = written(j);
    ct_worker_image image = {0};
    ct_error error = {0};
    if (!ct_worker_image_decode(test_heap(), jpeg.items, jpeg.count, "a.jpg", true, &image, &error))
        fail_msg("%s", error.message);
    assert_int_equal(image.width, SIDE);
    assert_int_equal(image.height, SIDE);
    const uint8_t expected[4] = {r, g, b, 255};
    for (uint32_t i = 0; i < SIDE * SIDE * 4; ++i)
        assert_in_range(image.pixels[i] + 2, expected[i % 4], expected[i % 4] + 4);
    ct_free(test_heap(), image.pixels);
    ct_array_free(&jpeg);
}

static void expect_refusal(const ct_byte_array *jpeg, const char *text) {
    ct_error error = {0};
    assert_false(decodes(jpeg, jpeg->count, "a.jpg", &error));
    if (!strstr(error.message, text))
        fail_msg("found \"%s\", expected \"%s\"", error.message, text);
}

static void reads_every_kind_of_coding(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4; ++i)
        expect_color(&(jpeg_case){.from = JCS_RGB,
                                  .to = JCS_YCbCr,
                                  .pixel = {200, 100, 50},
                                  .is_progressive = i & 1,
                                  .is_arithmetic = i & 2},
                     200, 100, 50);
}

static void reads_every_colour_space(void **state) {
    (void)state;
    expect_color(&(jpeg_case){.from = JCS_GRAYSCALE, .to = JCS_GRAYSCALE, .pixel = {77}}, 77, 77,
                 77);
    expect_color(&(jpeg_case){.from = JCS_RGB, .to = JCS_RGB, .pixel = {200, 100, 50}}, 200, 100,
                 50);
}

static void reads_inks_as_adobe_writes_them(void **state) {
    (void)state;
    // The paper that shows between the inks: 200 * 128 / 255, ...
    jpeg_case inks = {
        .from = JCS_CMYK, .to = JCS_CMYK, .pixel = {200, 100, 50, 128}, .has_adobe = true};
    expect_color(&inks, 100, 50, 25);
    inks.to = JCS_YCCK;
    expect_color(&inks, 100, 50, 25);
}

static void reads_inks_without_adobes_marker_as_ink(void **state) {
    (void)state;
    expect_color(&(jpeg_case){.from = JCS_CMYK, .to = JCS_CMYK, .pixel = {55, 155, 205, 127}}, 100,
                 50, 25);
}

static uint32_t find_marker(const ct_byte_array *jpeg, uint8_t marker) {
    uint32_t at = 0;
    while (jpeg->items[at] != 0xff || jpeg->items[at + 1] != marker)
        ++at;
    return at;
}

static const jpeg_case plain = {.from = JCS_RGB, .to = JCS_YCbCr, .pixel = {200, 100, 50}};

// Libraries fill the rest with grey and warn.
static void refuses_pixels_that_end_early(void **state) {
    (void)state;
    ct_byte_array jpeg = written(&plain);
    const uint32_t scan = find_marker(&jpeg, 0xda);
    const uint32_t keep = scan + 2 + 12 + 4; // the scan's header, and four bytes of its data
    jpeg.items[keep] = 0xff;
    jpeg.items[keep + 1] = 0xd9;
    jpeg.count = keep + 2;
    expect_refusal(&jpeg, "a.jpg cannot be read: Corrupt JPEG data: premature end of data segment");
    ct_array_free(&jpeg);
}

static void takes_bytes_between_scan_and_end(void **state) {
    (void)state;
    ct_byte_array jpeg = written(&plain);
    const uint8_t end[] = {0, 0, 0, 0xff, 0xd9};
    jpeg.count -= 2;
    ct_array_push_many(&jpeg, end, sizeof(end));
    ct_error error = {0};
    assert_true(decodes(&jpeg, jpeg.count, "a.jpg", &error));
    ct_array_free(&jpeg);
}

static void refuses_sizes_before_decoding(void **state) {
    (void)state;
    ct_byte_array jpeg = written(&plain);
    const uint32_t frame = find_marker(&jpeg, 0xc0);
    jpeg.items[frame + 7] = 0x40; // the width: 16,416
    expect_refusal(&jpeg, "a.jpg is 16416 x 32 pixels; expected 1 to 16384");
    jpeg.items[frame + 5] = 0x3f;
    jpeg.items[frame + 7] = 0x3f;
    expect_refusal(&jpeg, "with mips; the limit is");
    ct_array_free(&jpeg);
}

// A few bytes for each would keep the decoder busy for as long as the image is large.
static void refuses_files_of_many_scans(void **state) {
    (void)state;
    ct_byte_array jpeg = written(
        &(jpeg_case){.from = JCS_RGB, .to = JCS_YCbCr, .pixel = {9, 9, 9}, .is_progressive = true});
    const uint32_t first = find_marker(&jpeg, 0xda);
    uint32_t end = first + 2;
    while (jpeg.items[end] != 0xff || jpeg.items[end + 1] == 0)
        ++end;
    ct_byte_array many = new_bytes();
    ct_array_push_many(&many, jpeg.items, first);
    for (uint32_t i = 0; i < 600; ++i)
        ct_array_push_many(&many, jpeg.items + first, end - first);
    ct_array_push_many(&many, jpeg.items + end, jpeg.count - end);
    expect_refusal(&many, "a.jpg cannot be read: it has more than 500 scans");
    ct_array_free(&many);
    ct_array_free(&jpeg);
}

static void refuses_files_without_an_image(void **state) {
    (void)state;
    ct_byte_array jpeg = new_bytes();
    const uint8_t bytes[] = {0xff, 0xd8, 0xff, 0xd9};
    ct_array_push_many(&jpeg, bytes, sizeof(bytes));
    expect_refusal(&jpeg, "a.jpg cannot be read: ");
    ct_array_free(&jpeg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind_of_coding),
        cmocka_unit_test(reads_every_colour_space),
        cmocka_unit_test(reads_inks_as_adobe_writes_them),
        cmocka_unit_test(reads_inks_without_adobes_marker_as_ink),
        cmocka_unit_test(refuses_pixels_that_end_early),
        cmocka_unit_test(takes_bytes_between_scan_and_end),
        cmocka_unit_test(refuses_sizes_before_decoding),
        cmocka_unit_test(refuses_files_of_many_scans),
        cmocka_unit_test(refuses_files_without_an_image),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
