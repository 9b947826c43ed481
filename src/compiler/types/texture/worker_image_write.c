#include "compiler/types/texture/worker_image_write.h"

#include <png.h>
#include <string.h>

#include "foundation/error.h"

// --- PNG -----------------------------------------------------------------------------------------

static void *allocate(png_structp png, png_alloc_size_t bytes) {
    return ct_alloc(png_get_mem_ptr(png), bytes);
}

static void release(png_structp png, void *p) {
    ct_free(png_get_mem_ptr(png), p);
}

// Nothing from outside can cause one: the file grows in memory.
static void on_error(png_structp png, const char *message) {
    (void)png;
    CT_FAIL("a PNG file is written", "%s", message);
}

static void on_warning(png_structp png, const char *message) {
    (void)png, (void)message;
}

static void write_bytes(png_structp png, uint8_t *bytes, size_t count) {
    ct_byte_array *const file = png_get_io_ptr(png);
    ct_array_push_many(file, bytes, count);
}

static void flush(png_structp png) {
    (void)png;
}

void ct_worker_png_write_grey(const uint8_t *pixels, uint32_t width, uint32_t height,
                              ct_byte_array *file) {
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning,
                                                file->allocator, allocate, release);
    CT_REQUIRE(png, "libpng does not have version %s", PNG_LIBPNG_VER_STRING);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, file, write_bytes, flush);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < height; ++y)
        png_write_row(png, pixels + (uint64_t)y * width);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

// --- TGA -----------------------------------------------------------------------------------------

void ct_worker_tga_write_grey(const uint8_t *pixels, uint32_t width, uint32_t height,
                              ct_byte_array *file) {
    enum { GREY = 3, ROWS_FROM_TOP = 0x20 };
    const uint8_t header[18] = {
        [2] = GREY,
        [12] = (uint8_t)width,
        [13] = (uint8_t)(width >> 8),
        [14] = (uint8_t)height,
        [15] = (uint8_t)(height >> 8),
        [16] = 8,
        [17] = ROWS_FROM_TOP,
    };
    ct_array_push_many(file, header, sizeof(header));
    ct_array_push_many(file, pixels, (uint64_t)width * height);
}
