#include "content/database/picture_size.h"

#include <string.h>

static uint32_t big16(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

static uint32_t big32(const uint8_t *bytes) {
    return big16(bytes) << 16 | big16(bytes + 2);
}

static bool read_png(const uint8_t *bytes, uint64_t size_bytes, uint32_t *width, uint32_t *height) {
    static const uint8_t start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (size_bytes < 24 || memcmp(bytes, start, sizeof(start)) != 0 ||
        memcmp(bytes + 12, "IHDR", 4) != 0)
        return false;
    *width = big32(bytes + 16);
    *height = big32(bytes + 20);
    return true;
}

static bool is_frame(uint8_t marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// Segments, each with its length, up to the one that starts the frame.
static bool read_jpeg(const uint8_t *bytes, uint64_t size_bytes, uint32_t *width,
                      uint32_t *height) {
    if (size_bytes < 2 || bytes[0] != 0xff || bytes[1] != 0xd8)
        return false;
    for (uint64_t at = 2; at + 4 <= size_bytes;) {
        if (bytes[at] != 0xff)
            return false;
        const uint8_t marker = bytes[at + 1];
        if (marker == 0xff) { // fills
            ++at;
            continue;
        }
        const bool is_alone = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7);
        if (is_frame(marker)) {
            if (at + 9 > size_bytes)
                return false;
            *height = big16(bytes + at + 5);
            *width = big16(bytes + at + 7);
            return true;
        }
        const uint32_t length = is_alone ? 0 : big16(bytes + at + 2);
        if (marker == 0xd9 || marker == 0xda || (!is_alone && length < 2))
            return false;
        at += 2 + (uint64_t)length;
    }
    return false;
}

static bool read_tga(const uint8_t *bytes, uint64_t size_bytes, uint32_t *width, uint32_t *height) {
    if (size_bytes < 18 || bytes[1] > 1) // has a palette: 0 or 1
        return false;
    const uint8_t kind = bytes[2] & 7, depth = bytes[16];
    const bool is_kind = kind >= 1 && kind <= 3 && (bytes[2] & ~0xb) == 0;
    const bool is_depth = depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32;
    if (!is_kind || !is_depth)
        return false;
    *width = bytes[12] | (uint32_t)bytes[13] << 8;
    *height = bytes[14] | (uint32_t)bytes[15] << 8;
    return true;
}

bool ct_picture_size(const char *extension, const void *bytes, uint64_t size_bytes, uint32_t *width,
                     uint32_t *height) {
    static const struct {
        const char *extension;
        bool (*read)(const uint8_t *bytes, uint64_t size_bytes, uint32_t *width, uint32_t *height);
    } kinds[] = {{"png", read_png}, {"jpg", read_jpeg}, {"jpeg", read_jpeg}, {"tga", read_tga}};
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i)
        if (strcmp(extension, kinds[i].extension) == 0)
            return size_bytes > 0 && kinds[i].read(bytes, size_bytes, width, height) &&
                   *width > 0 && *height > 0;
    return false;
}
