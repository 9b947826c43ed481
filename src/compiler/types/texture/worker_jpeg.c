#include "compiler/types/texture/worker_jpeg.h"

#include <setjmp.h>
#include <stdio.h> // jpeglib.h wants it

#include <jpeglib.h>

#include <jerror.h> // has codes that jpeglib.h must have switched on

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

// A progressive file has tens of scans. Each of a damaged one's may take as long as the image is
// large, at a few bytes of the file.
enum { MAX_SCANS = 500 };

// What libjpeg works with. An error sets `error` and jumps to `failed`.
typedef struct jpeg_reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    const ct_worker_image_file *file;
    ct_worker_image image;
    ct_error *error;
    jmp_buf failed;
} jpeg_reader;

// --- Errors --------------------------------------------------------------------------------------

_Noreturn static void on_error(j_common_ptr jpeg) {
    jpeg_reader *const r = jpeg->client_data;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    ct_error_set(r->error, "%s cannot be read: %s, before byte %llu", r->file->path, message,
                 (unsigned long long)(r->file->size_bytes - r->source.bytes_in_buffer));
    longjmp(r->failed, 1);
}

// True for warnings after which pixels are guessed. The others are of what some programs write and
// all read.
static bool is_damage(int message) {
    return message == JWRN_HIT_MARKER || message == JWRN_HUFF_BAD_CODE ||
           message == JWRN_ARITH_BAD_CODE || message == JWRN_MUST_RESYNC;
}

// Warnings have level -1.
static void on_message(j_common_ptr jpeg, int level) {
    if (level < 0 && is_damage(jpeg->err->msg_code))
        on_error(jpeg);
}

static void limit_scans(j_common_ptr jpeg) {
    jpeg_reader *const r = jpeg->client_data;
    if (r->jpeg.input_scan_number <= MAX_SCANS)
        return;
    ct_error_set(r->error, "%s cannot be read: it has more than %d scans", r->file->path,
                 MAX_SCANS);
    longjmp(r->failed, 1);
}

// --- Bytes ---------------------------------------------------------------------------------------

static void do_nothing(j_decompress_ptr jpeg) {
    (void)jpeg;
}

// The whole file is in the buffer from the start: libjpeg wants more than there is.
static boolean on_end(j_decompress_ptr jpeg) {
    jpeg_reader *const r = jpeg->client_data;
    ct_worker_image_truncated(r->file, "the JPEG data (there is no end marker)", r->error);
    longjmp(r->failed, 1);
}

static void skip(j_decompress_ptr jpeg, long bytes) {
    if (bytes > 0 && (size_t)bytes > jpeg->src->bytes_in_buffer)
        on_end(jpeg);
    if (bytes > 0) {
        jpeg->src->next_input_byte += bytes;
        jpeg->src->bytes_in_buffer -= (size_t)bytes;
    }
}

// --- Pixels --------------------------------------------------------------------------------------

static uint8_t product(uint32_t a, uint32_t b) {
    const uint32_t t = a * b + 128;
    return (uint8_t)((t + (t >> 8)) >> 8);
}

// Files with Adobe's marker have the paper that shows between the ink, others the ink.
static void colour_of_inks(uint8_t *pixels, uint32_t count, bool is_adobe) {
    const uint8_t flip = is_adobe ? 0 : 255;
    for (uint8_t *p = pixels; p < pixels + 4ull * count; p += 4) {
        for (uint32_t c = 0; c < 3; ++c)
            p[c] = product(p[c] ^ flip, p[3] ^ flip);
        p[3] = 255;
    }
}

static void begin(jpeg_reader *r) {
    struct jpeg_decompress_struct *const jpeg = &r->jpeg;
    jpeg->err = jpeg_std_error(&r->errors);
    r->errors.error_exit = on_error;
    r->errors.emit_message = on_message;
    jpeg->client_data = r;
    r->source = (struct jpeg_source_mgr){
        .next_input_byte = r->file->bytes,
        .bytes_in_buffer = r->file->size_bytes,
        .init_source = do_nothing,
        .fill_input_buffer = on_end,
        .skip_input_data = skip,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = do_nothing,
    };
    jpeg_create_decompress(jpeg);
    jpeg->src = &r->source;
    r->progress.progress_monitor = limit_scans;
    jpeg->progress = &r->progress;
}

// Reads the file to its end marker.
static void read_all(jpeg_reader *r) {
    struct jpeg_decompress_struct *const jpeg = &r->jpeg;
    begin(r);
    jpeg_read_header(jpeg, TRUE);
    r->image.width = jpeg->image_width;
    r->image.height = jpeg->image_height;
    if (!ct_worker_image_check_size(r->file->path, r->image.width, r->image.height,
                                    r->file->has_mips, r->error))
        longjmp(r->failed, 1);
    const bool has_inks = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    jpeg->out_color_space = has_inks ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(jpeg);
    r->image.pixels = ct_alloc(r->file->allocator, 4ull * r->image.width * r->image.height);
    while (jpeg->output_scanline < r->image.height) {
        uint8_t *row = r->image.pixels + 4ull * r->image.width * jpeg->output_scanline;
        jpeg_read_scanlines(jpeg, &row, 1);
        if (has_inks)
            colour_of_inks(row, r->image.width, jpeg->saw_Adobe_marker);
    }
    jpeg_finish_decompress(jpeg);
}

// Nothing of this frame changes between setjmp and longjmp.
static bool try_read(jpeg_reader *r) {
    if (setjmp(r->failed))
        return false;
    read_all(r);
    return true;
}

bool ct_worker_jpeg_decode(const ct_worker_image_file *file, ct_worker_image *image,
                           ct_error *error) {
    jpeg_reader r = {.file = file, .error = error};
    const bool is_read = try_read(&r);
    jpeg_destroy_decompress(&r.jpeg);
    if (is_read)
        *image = r.image;
    else
        ct_free(file->allocator, r.image.pixels);
    return is_read;
}
