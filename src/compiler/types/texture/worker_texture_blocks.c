// The one place that includes stb_dxt.
#include "compiler/types/texture/worker_texture_blocks.h"

#include <string.h>

#include "compiler/types/texture/worker_texture_refine.h"
#include "foundation/memory/allocator.h"

#define STB_DXT_STATIC
#define STB_DXT_IMPLEMENTATION
#include <stb/stb_dxt.h>

enum { SIDE = 4, PIXELS = SIDE * SIDE, CHANNELS = 4 };

// The pixels of a block as stb_dxt reads them: by bytes and as words.
typedef union block {
    uint32_t words[PIXELS];
    uint8_t bytes[PIXELS * CHANNELS];
} block;

// Rows of four pixels from `x` on, of a strip of four rows.
static void read_block(const uint8_t *strip, uint32_t width, uint32_t x, block *b) {
    for (uint32_t i = 0; i < PIXELS; ++i) {
        const uint32_t column = x + i % SIDE < width ? x + i % SIDE : width - 1;
        memcpy(b->bytes + i * CHANNELS, strip + ((uint64_t)(i / SIDE) * width + column) * CHANNELS,
               CHANNELS);
    }
}

static void encode_channel(const block *b, uint32_t channel, uint32_t quality, uint8_t *out) {
    uint8_t values[PIXELS];
    for (uint32_t i = 0; i < PIXELS; ++i)
        values[i] = b->bytes[i * CHANNELS + channel];
    if (quality == CT_TEXTURE_QUALITY_BEST)
        ct_worker_refine_channel(values, out);
    else
        stb_compress_bc4_block(out, values);
}

static void encode_color(block *b, uint32_t quality, uint8_t *out) {
    for (uint32_t i = 0; i < PIXELS; ++i)
        b->bytes[i * CHANNELS + 3] = 255; // stb_dxt compares whole pixels
    stb_compress_dxt_block(out, b->bytes, false, STB_DXT_HIGHQUAL);
    if (quality == CT_TEXTURE_QUALITY_BEST)
        ct_worker_refine_color(b->bytes, out);
}

static void encode_block(block *b, uint32_t format, uint32_t quality, uint8_t *out) {
    switch (format) {
    case CT_TEXTURE_FORMAT_BC1_SRGB:
    case CT_TEXTURE_FORMAT_BC1:
        encode_color(b, quality, out);
        break;
    case CT_TEXTURE_FORMAT_BC3_SRGB:
    case CT_TEXTURE_FORMAT_BC3:
        encode_channel(b, 3, quality, out);
        encode_color(b, quality, out + 8);
        break;
    case CT_TEXTURE_FORMAT_BC4:
        encode_channel(b, 0, quality, out);
        break;
    default:
        encode_channel(b, 0, quality, out);
        encode_channel(b, 1, quality, out + 8);
        break;
    }
}

static void encode_blocks(ct_allocator *a, const ct_worker_level *l, const ct_worker_texels *t,
                          uint32_t format, uint32_t quality, uint8_t *out) {
    const uint64_t row_bytes = (uint64_t)l->width * CHANNELS;
    const uint64_t block_bytes = ct_texture_layer_bytes(format, 1, 1);
    uint8_t *const strip = ct_alloc(a, SIDE * row_bytes);
    float *const row = ct_alloc(a, row_bytes * sizeof(float));
    for (uint32_t y = 0; y < l->height; y += SIDE) {
        for (uint32_t i = 0; i < SIDE; ++i) {
            if (y + i < l->height)
                ct_worker_level_row(l, t, y + i, row, strip + i * row_bytes);
            else
                memcpy(strip + i * row_bytes, strip + (i - 1) * row_bytes, row_bytes);
        }
        for (uint32_t x = 0; x < l->width; x += SIDE, out += block_bytes) {
            block b;
            read_block(strip, l->width, x, &b);
            encode_block(&b, format, quality, out);
        }
    }
    ct_free(a, row);
    ct_free(a, strip);
}

static void encode_pixels(ct_allocator *a, const ct_worker_level *l, const ct_worker_texels *t,
                          uint32_t channels, uint8_t *out) {
    const uint64_t row_bytes = (uint64_t)l->width * CHANNELS;
    uint8_t *const bytes = ct_alloc(a, row_bytes);
    float *const row = ct_alloc(a, row_bytes * sizeof(float));
    for (uint32_t y = 0; y < l->height; ++y) {
        ct_worker_level_row(l, t, y, row, bytes);
        for (uint32_t x = 0; x < l->width; ++x, out += channels)
            memcpy(out, bytes + (uint64_t)x * CHANNELS, channels);
    }
    ct_free(a, row);
    ct_free(a, bytes);
}

void ct_worker_texture_encode(ct_allocator *a, const ct_worker_level *level,
                              const ct_worker_texels *texels, uint32_t format, uint32_t quality,
                              uint8_t *out) {
    switch (format) {
    case CT_TEXTURE_FORMAT_RGBA8_SRGB:
    case CT_TEXTURE_FORMAT_RGBA8:
        encode_pixels(a, level, texels, 4, out);
        break;
    case CT_TEXTURE_FORMAT_RG8:
        encode_pixels(a, level, texels, 2, out);
        break;
    case CT_TEXTURE_FORMAT_R8:
        encode_pixels(a, level, texels, 1, out);
        break;
    default:
        encode_blocks(a, level, texels, format, quality, out);
        break;
    }
}
