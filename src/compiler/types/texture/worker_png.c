#include "compiler/types/texture/worker_png.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

// What libpng works with. An error sets `error` and jumps to `failed`.
typedef struct png_reader {
    const ct_worker_image_file *file;
    uint64_t at; // of the next byte
    png_structp png;
    png_infop info;
    bool is_grey; // one number of 16 bits a pixel, else four of 8
    uint32_t width, height;
    uint8_t *pixels;
    ct_error *error;
    jmp_buf failed;
} png_reader;

static void *allocate(png_structp png, png_alloc_size_t bytes) {
    return ct_alloc(png_get_mem_ptr(png), bytes);
}

static void release(png_structp png, void *p) {
    ct_free(png_get_mem_ptr(png), p);
}

static void on_error(png_structp png, const char *message) {
    png_reader *const r = png_get_error_ptr(png);
    ct_error_set(r->error, "%s cannot be read: %s, before byte %llu", r->file->path, message,
                 (unsigned long long)r->at);
    longjmp(r->failed, 1);
}

// Warnings are about what no pixel depends on.
static void on_warning(png_structp png, const char *message) {
    (void)png, (void)message;
}

static void read_bytes(png_structp png, uint8_t *out, size_t bytes) {
    png_reader *const r = png_get_io_ptr(png);
    if (r->file->size_bytes - r->at < bytes) {
        char what[] = "the PNG chunk ????";
        const bool is_header = (png_get_io_state(png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR;
        for (uint32_t i = 0; i < 4; ++i)
            what[14 + i] = (char)(png_get_io_chunk_type(png) >> (24 - 8 * i));
        ct_worker_image_truncated(
            r->file, is_header ? "a PNG chunk's header (there is no IEND chunk)" : what, r->error);
        longjmp(r->failed, 1);
    }
    memcpy(out, r->file->bytes + r->at, bytes);
    r->at += bytes;
}

// What is no grey image, in words.
static const char *color_of(png_reader *r) {
    switch (png_get_color_type(r->png, r->info)) {
    case PNG_COLOR_TYPE_GRAY:
        return NULL;
    case PNG_COLOR_TYPE_GRAY_ALPHA:
        return "grey with alpha";
    case PNG_COLOR_TYPE_PALETTE:
        return "a palette of colours";
    default:
        return "colours (RGB)";
    }
}

static void take_grey(png_reader *r) {
    const char *const color = color_of(r);
    if (color) {
        ct_error_set(r->error,
                     "%s has %s; expected a grey PNG of 8 or 16 bits: save it as greyscale, "
                     "without alpha",
                     r->file->path, color);
        longjmp(r->failed, 1);
    }
    png_set_expand_16(r->png);
    png_set_strip_alpha(r->png);
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(r->png);
}

static void take_colors(png_reader *r) {
    png_set_expand(r->png);
    png_set_strip_16(r->png);
    png_set_gray_to_rgb(r->png);
    png_set_add_alpha(r->png, 255, PNG_FILLER_AFTER);
}

// Sets up libpng to take chunks of any length but keep none that the pixels do not depend on.
static void begin(png_reader *r) {
    r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, on_error, on_warning,
                                      r->file->allocator, allocate, release);
    CT_REQUIRE(r->png, "libpng does not have version %s", PNG_LIBPNG_VER_STRING);
    r->info = png_create_info_struct(r->png);
    png_set_read_fn(r->png, r, read_bytes);
    png_set_crc_action(r->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_chunk_malloc_max(r->png, 0);
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(r->png, r->info);
    if (r->is_grey)
        take_grey(r);
    else
        take_colors(r);
}

static void read_rows(png_reader *r) {
    const int num_passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    r->width = png_get_image_width(r->png, r->info);
    r->height = png_get_image_height(r->png, r->info);
    const uint64_t row_bytes = (r->is_grey ? 2ull : 4ull) * r->width;
    CT_ASSERT(png_get_rowbytes(r->png, r->info) == row_bytes, "%s: rows of %zu bytes",
              r->file->path, png_get_rowbytes(r->png, r->info));
    r->pixels = ct_alloc(r->file->allocator, row_bytes * r->height);
    for (int pass = 0; pass < num_passes; ++pass) {
        for (uint32_t y = 0; y < r->height; ++y)
            png_read_row(r->png, r->pixels + row_bytes * y, NULL);
    }
}

// Reads the file to its end, in which checksums may be wrong, too.
static void read_all(png_reader *r) {
    begin(r);
    read_rows(r);
    png_read_end(r->png, NULL);
}

// Nothing of this frame changes between setjmp and longjmp.
static bool try_read(png_reader *r) {
    if (setjmp(r->failed))
        return false;
    read_all(r);
    return true;
}

static uint32_t big_endian(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// The size is in the first chunk, after its length and name. libpng would refuse some with less to
// say. False: there is no such chunk, which libpng will report.
static bool read_size(const ct_worker_image_file *file, uint32_t size[2]) {
    if (file->size_bytes < 24 || memcmp(file->bytes + 12, "IHDR", 4) != 0)
        return false;
    size[0] = big_endian(file->bytes + 16);
    size[1] = big_endian(file->bytes + 20);
    return true;
}

static bool decode(png_reader *r) {
    const bool is_read = try_read(r);
    png_destroy_read_struct(&r->png, &r->info, NULL);
    if (!is_read)
        ct_free(r->file->allocator, r->pixels);
    return is_read;
}

bool ct_worker_png_decode(const ct_worker_image_file *file, ct_worker_image *image,
                          ct_error *error) {
    png_reader r = {.file = file, .error = error};
    uint32_t size[2];
    if (read_size(file, size) &&
        !ct_worker_image_check_size(file->path, size[0], size[1], file->has_mips, error))
        return false;
    if (!decode(&r))
        return false;
    *image = (ct_worker_image){r.width, r.height, r.pixels};
    return true;
}

bool ct_worker_png_decode_grey(const ct_worker_image_file *file, uint32_t least, uint32_t most,
                               ct_worker_grey_image *image, ct_error *error) {
    png_reader r = {.file = file, .error = error, .is_grey = true};
    uint32_t size[2];
    if (read_size(file, size) &&
        (size[0] < least || size[0] > most || size[1] < least || size[1] > most))
        return ct_error_set(error, "%s has %u x %u pixels; expected %u to %u along each side",
                            file->path, size[0], size[1], least, most);
    if (!decode(&r))
        return false;
    *image = (ct_worker_grey_image){r.width, r.height, (uint16_t *)(void *)r.pixels};
    return true;
}
