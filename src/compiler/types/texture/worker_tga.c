// The one place that includes stb_image. Its memory comes from the allocator of the file in hand.
#include "compiler/types/texture/worker_tga.h"

#include <limits.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"

static ct_allocator *file_allocator;

#define STBI_MALLOC(bytes) ct_alloc(file_allocator, (bytes))
#define STBI_REALLOC_SIZED(p, old_bytes, new_bytes)                                                \
    ct_realloc(file_allocator, (p), (p) ? (old_bytes) : 0, (new_bytes))
#define STBI_FREE(p) ct_free(file_allocator, (p))
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_FAILURE_USERMSG
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
// For the whole file: the compiler finds unused functions at its end.
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>

// Bytes of the header.
enum {
    ID_LENGTH = 0,
    MAP_TYPE = 1,
    IMAGE_TYPE = 2,
    MAP_FIRST = 3,
    MAP_LENGTH = 5,
    MAP_ENTRY_BITS = 7,
    WIDTH = 12,
    HEIGHT = 14,
    PIXEL_BITS = 16,
    DESCRIPTOR = 17,
    HEADER_BYTES = 18,
    RIGHT_TO_LEFT = 0x10, // a bit of the descriptor
    IS_RUN_LENGTH = 8,    // a bit of the image type
};

static uint32_t read_u16(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8;
}

static void write_u16(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

// --- Checks --------------------------------------------------------------------------------------

// Steps over run-length packets from `at` on until they make up `pixels` pixels; false when they do
// not.
static bool has_packets(const ct_worker_image_file *file, uint64_t at, uint64_t pixels,
                        uint32_t pixel_bytes) {
    while (pixels > 0) {
        if (at >= file->size_bytes)
            return false;
        const uint8_t packet = file->bytes[at++];
        const uint64_t count = (packet & 127u) + 1;
        at += packet & 128 ? pixel_bytes : count * pixel_bytes;
        pixels -= count < pixels ? count : pixels;
    }
    return at <= file->size_bytes;
}

// Looks at the header, and whether all is there that it promises.
static bool check(const ct_worker_image_file *file, ct_error *error) {
    if (file->size_bytes < HEADER_BYTES)
        return ct_worker_image_truncated(file, "the TGA header", error);
    const uint8_t *const h = file->bytes;
    const uint32_t kind = h[IMAGE_TYPE] & 7, pixel_bytes = (h[PIXEL_BITS] + 7u) / 8;
    if (kind < 1 || kind > 3 || (h[IMAGE_TYPE] & ~11u) || h[MAP_TYPE] != (kind == 1))
        return ct_error_set(error,
                            "%s is not a TGA image that can be read: image type %u with colour map "
                            "type %u",
                            file->path, h[IMAGE_TYPE], h[MAP_TYPE]);
    const uint32_t width = read_u16(h + WIDTH), height = read_u16(h + HEIGHT);
    if (!ct_worker_image_check_size(file->path, width, height, file->has_mips, error))
        return false;
    const uint64_t map_bytes =
        h[MAP_TYPE] ? (uint64_t)read_u16(h + MAP_LENGTH) * ((h[MAP_ENTRY_BITS] + 7u) / 8) : 0;
    const uint64_t at = HEADER_BYTES + h[ID_LENGTH] + map_bytes;
    const uint64_t pixels = (uint64_t)width * height;
    if (at > file->size_bytes)
        return ct_worker_image_truncated(file, "the TGA colour map", error);
    const bool is_whole = h[IMAGE_TYPE] & IS_RUN_LENGTH
                              ? has_packets(file, at, pixels, pixel_bytes)
                              : file->size_bytes - at >= pixels * pixel_bytes;
    return is_whole || ct_worker_image_truncated(file, "the TGA pixels", error);
}

// --- What the decoder does not look at -----------------------------------------------------------

// Fills `whole`, which is empty, with a copy of a checked file whose colour map begins at entry 0:
// entries before the first are black. Leaves it empty when the file itself begins there. False with
// `error` when there are too many entries.
static bool fill_map(const ct_worker_image_file *file, ct_byte_array *whole, ct_error *error) {
    const uint8_t *const bytes = file->bytes;
    const uint32_t first = bytes[MAP_TYPE] ? read_u16(bytes + MAP_FIRST) : 0;
    const uint32_t length = read_u16(bytes + MAP_LENGTH);
    const uint64_t map_at = HEADER_BYTES + (uint64_t)bytes[ID_LENGTH];
    const uint32_t added = first * ((bytes[MAP_ENTRY_BITS] + 7u) / 8);
    if (first == 0)
        return true;
    if (first + length > UINT16_MAX)
        return ct_error_set(error,
                            "%s has %u entries in its colour map, from %u on; expected %d at most",
                            file->path, length, first, UINT16_MAX);
    ct_array_push_many(whole, bytes, map_at);
    ct_array_resize(whole, (uint32_t)map_at + added);
    ct_array_push_many(whole, bytes + map_at, file->size_bytes - map_at);
    write_u16(whole->items + MAP_FIRST, 0);
    write_u16(whole->items + MAP_LENGTH, first + length);
    return true;
}

// Mirrors the rows when they run from right to left in the file.
static void mirror(const uint8_t *bytes, ct_worker_image *image) {
    if (!(bytes[DESCRIPTOR] & RIGHT_TO_LEFT))
        return;
    for (uint32_t y = 0; y < image->height; ++y) {
        uint8_t *left = image->pixels + 4 * (uint64_t)image->width * y;
        uint8_t *right = left + 4 * (uint64_t)(image->width - 1);
        for (; left < right; left += 4, right -= 4) {
            uint8_t pixel[4];
            memcpy(pixel, left, 4);
            memcpy(left, right, 4);
            memcpy(right, pixel, 4);
        }
    }
}

// --- Decoding ------------------------------------------------------------------------------------

static bool decode(const ct_worker_image_file *file, const uint8_t *bytes, uint64_t size_bytes,
                   ct_worker_image *image, ct_error *error) {
    int width = 0, height = 0, channels = 0;
    if (size_bytes > INT_MAX)
        return ct_error_set(error, "%s has %llu bytes; expected less than 2 GiB", file->path,
                            (unsigned long long)size_bytes);
    file_allocator = file->allocator;
    uint8_t *const pixels =
        stbi_load_from_memory(bytes, (int)size_bytes, &width, &height, &channels, 4);
    file_allocator = NULL;
    if (!pixels)
        return ct_error_set(error, "%s cannot be read: %s", file->path, stbi_failure_reason());
    *image = (ct_worker_image){(uint32_t)width, (uint32_t)height, pixels};
    return true;
}

bool ct_worker_tga_decode(const ct_worker_image_file *file, ct_worker_image *image,
                          ct_error *error) {
    ct_byte_array whole;
    ct_array_init(&whole, file->allocator);
    const bool is_read =
        check(file, error) && fill_map(file, &whole, error) &&
        (whole.count > 0 ? decode(file, whole.items, whole.count, image, error)
                         : decode(file, file->bytes, file->size_bytes, image, error));
    ct_array_free(&whole);
    if (is_read)
        mirror(file->bytes, image);
    return is_read;
}
