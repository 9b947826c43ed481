#include "compiler/types/texture/worker_tga.h"

#include <string.h>

#include "foundation/error.h"

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

static void write_u16(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

bool ct_worker_tga_fill_map(const uint8_t *bytes, uint64_t size_bytes, const char *path,
                            ct_byte_array *whole, ct_error *error) {
    const uint32_t first = bytes[MAP_TYPE] ? ct_worker_tga_number(bytes + MAP_FIRST) : 0;
    const uint32_t length = ct_worker_tga_number(bytes + MAP_LENGTH);
    const uint64_t map_at = HEADER_BYTES + (uint64_t)bytes[ID_LENGTH];
    const uint32_t added = first * ((bytes[MAP_ENTRY_BITS] + 7u) / 8);
    CT_ASSERT(map_at <= size_bytes, "%s was not checked", path);
    if (first == 0)
        return true;
    if (first + length > UINT16_MAX)
        return ct_error_set(error,
                            "%s has %u entries in its colour map, from %u on; expected %d at most",
                            path, length, first, UINT16_MAX);
    ct_array_push_many(whole, bytes, map_at);
    ct_array_resize(whole, (uint32_t)map_at + added);
    ct_array_push_many(whole, bytes + map_at, size_bytes - map_at);
    write_u16(whole->items + MAP_FIRST, 0);
    write_u16(whole->items + MAP_LENGTH, first + length);
    return true;
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
