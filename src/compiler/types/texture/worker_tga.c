#include "compiler/types/texture/worker_tga.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

// Bytes of the header.
enum {
    ID_LENGTH = 0,
    MAP_TYPE = 1,
    MAP_FIRST = 3,
    MAP_LENGTH = 5,
    MAP_ENTRY_BITS = 7,
    DESCRIPTOR = 17,
    HEADER_BYTES = 18,
    RIGHT_TO_LEFT = 0x10, // a bit of the descriptor
};

static uint32_t read_u16(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8;
}

static void write_u16(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

uint8_t *ct_worker_tga_whole_map(ct_allocator *a, const uint8_t *bytes, uint64_t size_bytes,
                                 const char *path, uint64_t *copy_bytes, ct_error *error) {
    const uint32_t first = bytes[MAP_TYPE] ? read_u16(bytes + MAP_FIRST) : 0;
    const uint32_t length = read_u16(bytes + MAP_LENGTH);
    const uint64_t map_at = HEADER_BYTES + (uint64_t)bytes[ID_LENGTH];
    const uint64_t added = (uint64_t)first * ((bytes[MAP_ENTRY_BITS] + 7u) / 8);
    if (first == 0)
        return NULL;
    if (first + length > UINT16_MAX) {
        ct_error_set(error, "%s has %u entries in its colour map, from %u on; expected %d at most",
                     path, length, first, UINT16_MAX);
        return NULL;
    }
    *copy_bytes = size_bytes + added;
    uint8_t *const copy = ct_alloc(a, *copy_bytes);
    memcpy(copy, bytes, map_at);
    memset(copy + map_at, 0, added);
    memcpy(copy + map_at + added, bytes + map_at, size_bytes - map_at);
    write_u16(copy + MAP_FIRST, 0);
    write_u16(copy + MAP_LENGTH, first + length);
    return copy;
}

void ct_worker_tga_mirror(const uint8_t *bytes, ct_worker_image *image) {
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
