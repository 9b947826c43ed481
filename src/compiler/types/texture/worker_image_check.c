// Walks the containers of PNG, JPEG and TGA files to find those that are cut short or damaged in
// ways that the decoder does not notice.
#include <string.h>

#include "compiler/types/texture/worker_tga.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "resource/types/texture_resource.h"

typedef struct reader {
    const uint8_t *bytes;
    uint64_t size_bytes;
    uint64_t at;
    const char *path;
    bool has_mips;
    ct_error *error;
} reader;

static bool has(const reader *r, uint64_t bytes) {
    return r->size_bytes - r->at >= bytes;
}

static bool truncated(const reader *r, const char *what) {
    return ct_error_set(r->error, "%s is truncated: it ends at byte %llu, inside %s", r->path,
                        (unsigned long long)r->size_bytes, what);
}

static uint32_t big_endian(const uint8_t *p, uint32_t bytes) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < bytes; ++i)
        value = value << 8 | p[i];
    return value;
}

bool ct_worker_image_check_size(const char *path, uint32_t width, uint32_t height, bool has_mips,
                                ct_error *error) {
    if (width < 1 || height < 1 || width > CT_TEXTURE_MAX_SIZE || height > CT_TEXTURE_MAX_SIZE)
        return ct_error_set(error, "%s is %u x %u pixels; expected 1 to %d on each side", path,
                            width, height, CT_TEXTURE_MAX_SIZE);
    uint64_t bytes = 4ull * width * height;
    for (uint32_t w = width, h = height; has_mips && (w > 1 || h > 1);) {
        w = w > 1 ? w / 2 : 1;
        h = h > 1 ? h / 2 : 1;
        bytes += 4ull * w * h;
    }
    return bytes <= CT_WORKER_IMAGE_MAX_BYTES ||
           ct_error_set(error, "%s is %u x %u pixels, which are %llu bytes%s; at most %d are taken",
                        path, width, height, (unsigned long long)bytes,
                        has_mips ? " with mips" : "", CT_WORKER_IMAGE_MAX_BYTES);
}

// CRC-32 of ISO 3309, as PNG uses it, four bits at a time.
static uint32_t crc32_of(const uint8_t *bytes, uint64_t count) {
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t crc = 0xffffffffu;
    for (uint64_t i = 0; i < count; ++i) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static bool check_png(reader *r) {
    r->at = 8;
    for (;;) {
        if (!has(r, 8))
            return truncated(r, "a PNG chunk's header (there is no IEND chunk)");
        const uint8_t *const chunk = r->bytes + r->at;
        const uint64_t length = big_endian(chunk, 4);
        char type[5] = {0};
        for (uint32_t i = 0; i < 4; ++i)
            type[i] = chunk[4 + i] >= 'A' && chunk[4 + i] <= 'z' ? (char)chunk[4 + i] : '?';
        char what[32] = "the PNG chunk ";
        strcat(what, type);
        if (!has(r, 12 + length))
            return truncated(r, what);
        if (crc32_of(chunk + 4, 4 + length) != big_endian(chunk + 8 + length, 4))
            return ct_error_set(r->error, "%s is damaged: the checksum of %s at byte %llu is wrong",
                                r->path, what, (unsigned long long)r->at);
        if (strcmp(type, "IHDR") == 0 && length >= 8 &&
            !ct_worker_image_check_size(r->path, big_endian(chunk + 8, 4),
                                        big_endian(chunk + 12, 4), r->has_mips, r->error))
            return false;
        r->at += 12 + length;
        if (strcmp(type, "IEND") == 0)
            return true;
    }
}

// Moves to the marker after entropy-coded data: 0xff that is not followed by a stuffed zero, a
// restart marker or a fill byte.
static bool skip_scan(reader *r) {
    for (; has(r, 2); ++r->at) {
        if (r->bytes[r->at] != 0xff)
            continue;
        const uint8_t next = r->bytes[r->at + 1];
        if (next != 0 && next != 0xff && (next < 0xd0 || next > 0xd7))
            return true;
    }
    return false;
}

// Checks the Huffman tables of a segment of `length` bytes: each has an id, the numbers of codes of
// 1 to 16 bits, and the codes' values. The decoder has room for 256 codes and does not look.
static bool check_huffman_tables(reader *r, uint64_t length) {
    for (uint64_t at = r->at + 2; at < r->at + length;) {
        uint32_t num_codes = 0;
        for (uint32_t i = 1; i <= 16 && at + i < r->at + length; ++i)
            num_codes += r->bytes[at + i];
        if (num_codes > 256 || at + 17 + num_codes > r->at + length)
            return ct_error_set(r->error,
                                "%s is damaged: the JPEG Huffman table at byte %llu has %u codes",
                                r->path, (unsigned long long)at, num_codes);
        at += 17 + num_codes;
    }
    return true;
}

static bool check_jpeg(reader *r) {
    r->at = 2;
    bool has_scan = false;
    for (;;) {
        while (has(r, 2) && r->bytes[r->at] == 0xff && r->bytes[r->at + 1] == 0xff)
            ++r->at;
        if (!has(r, 2))
            return truncated(r, "the JPEG data (there is no end marker)");
        const uint8_t marker = r->bytes[r->at + 1];
        if (r->bytes[r->at] != 0xff || marker == 0)
            return ct_error_set(r->error, "%s is damaged: expected a JPEG marker at byte %llu",
                                r->path, (unsigned long long)r->at);
        r->at += 2;
        if (marker == 0xd9)
            return has_scan ||
                   ct_error_set(r->error, "%s is damaged: a JPEG without image data", r->path);
        if (marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8))
            continue;
        const uint64_t length = has(r, 2) ? big_endian(r->bytes + r->at, 2) : 2;
        if (!has(r, length))
            return truncated(r, "a JPEG segment");
        if (marker == 0xc4 && !check_huffman_tables(r, length))
            return false;
        if (marker >= 0xc0 && marker <= 0xc2 && length >= 7 &&
            !ct_worker_image_check_size(r->path, big_endian(r->bytes + r->at + 5, 2),
                                        big_endian(r->bytes + r->at + 3, 2), r->has_mips, r->error))
            return false;
        r->at += length < 2 ? 2 : length;
        if (marker == 0xda) {
            has_scan = true;
            if (!skip_scan(r))
                return truncated(r, "the JPEG image data");
        }
    }
}

// Steps over run-length packets until they make up `pixels` pixels.
static bool check_tga_packets(reader *r, uint64_t pixels, uint32_t pixel_bytes) {
    while (pixels > 0) {
        if (!has(r, 1))
            return truncated(r, "the TGA pixels");
        const uint8_t packet = r->bytes[r->at++];
        const uint64_t count = (packet & 127u) + 1;
        const uint64_t bytes = packet & 128 ? pixel_bytes : count * pixel_bytes;
        if (!has(r, bytes))
            return truncated(r, "the TGA pixels");
        r->at += bytes;
        pixels -= count < pixels ? count : pixels;
    }
    return true;
}

static bool check_tga(reader *r) {
    if (!has(r, 18))
        return truncated(r, "the TGA header");
    const uint8_t *const h = r->bytes;
    const uint32_t kind = h[2] & 7, pixel_bytes = (h[16] + 7u) / 8;
    if ((kind != 1 && kind != 2 && kind != 3) || (h[2] & ~11u) || h[1] != (kind == 1))
        return ct_error_set(r->error,
                            "%s is not a TGA image that can be read: image type %u with "
                            "colour map type %u",
                            r->path, h[2], h[1]);
    const uint64_t map_bytes = h[1] ? (uint64_t)ct_worker_tga_number(h + 5) * ((h[7] + 7u) / 8) : 0;
    if (!ct_worker_image_check_size(r->path, ct_worker_tga_number(h + 12),
                                    ct_worker_tga_number(h + 14), r->has_mips, r->error))
        return false;
    const uint64_t pixels = (uint64_t)ct_worker_tga_number(h + 12) * ct_worker_tga_number(h + 14);
    r->at = 18;
    if (!has(r, h[0] + map_bytes))
        return truncated(r, "the TGA colour map");
    r->at += h[0] + map_bytes;
    if (h[2] & 8)
        return check_tga_packets(r, pixels, pixel_bytes);
    return has(r, pixels * pixel_bytes) || truncated(r, "the TGA pixels");
}

static bool is_png(const uint8_t *bytes, uint64_t size_bytes) {
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return size_bytes >= sizeof(png) && memcmp(bytes, png, sizeof(png)) == 0;
}

static bool is_jpeg(const uint8_t *bytes, uint64_t size_bytes) {
    return size_bytes >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8;
}

bool ct_worker_image_is_tga(const void *bytes, uint64_t size_bytes) {
    return !is_png(bytes, size_bytes) && !is_jpeg(bytes, size_bytes);
}

bool ct_worker_image_check(const void *bytes, uint64_t size_bytes, const char *path, bool has_mips,
                           ct_error *error) {
    reader r = {.bytes = bytes,
                .size_bytes = size_bytes,
                .path = path,
                .has_mips = has_mips,
                .error = error};
    if (is_png(bytes, size_bytes))
        return check_png(&r);
    if (is_jpeg(bytes, size_bytes))
        return check_jpeg(&r);
    if (strcmp(ct_path_extension(path), "tga") == 0)
        return check_tga(&r);
    return ct_error_set(error, "%s is neither a PNG nor a JPEG file (%llu bytes)", path,
                        (unsigned long long)size_bytes);
}
