// worker_texture_levels.h: the mips of an image.
//
// Each level is the one above it averaged over the area that a pixel covers (also when a side is
// odd): colours in linear light, normals as vectors. Levels below the first are kept as floats
// while the next is made, so rounding does not add up; and nothing depends on the machine's
// mathematics library beyond what rounding hides, so that all machines make the same bytes.
#pragma once
#include "foundation/types.h"

// The meaning of the bytes of an image.
typedef struct ct_worker_texels {
    bool is_srgb;          // colours; otherwise numbers from 0 to 1
    bool is_normal;        // red, green, blue are x, y, z from -1 to 1, and of unit length
    bool is_premultiplied; // red, green, blue are to be multiplied by alpha
    float to_linear[256];
    float thresholds[255]; // of linear light: byte i + 1 begins at thresholds[i]
} ct_worker_texels;

// One level: the bytes of the decoded image (four a pixel, borrowed), or four floats a pixel.
typedef struct ct_worker_level {
    uint32_t width, height;
    const uint8_t *bytes;
    float *floats;
} ct_worker_level;

// Fills the tables.
void ct_worker_texels_init(ct_worker_texels *t, bool is_srgb, bool is_normal,
                           bool is_premultiplied);

// Makes the level below `source`, its floats from `a`.
ct_worker_level ct_worker_level_half(ct_allocator *a, const ct_worker_level *source,
                                     const ct_worker_texels *t);

// Writes row `y` as bytes, four a pixel: premultiplied, normals of unit length. `row` is scratch of
// as many floats.
void ct_worker_level_row(const ct_worker_level *l, const ct_worker_texels *t, uint32_t y,
                         float *row, uint8_t *bytes);
