// frame_tiles.h: makes pictures smaller, and finds the parts of one that differ from another.
//
// Pictures are rows of RGBA of 8 bits from the top, without gaps. Any thread.
#pragma once
#include "foundation/container/array.h"

enum { CT_FRAME_TILE = 64, CT_FRAME_MAX_SIDE = 4096 }; // pixels

// A part of a picture, in pixels from the top left.
typedef struct ct_frame_part {
    uint32_t x, y, width, height;
} ct_frame_part;

typedef CT_ARRAY(ct_frame_part) ct_frame_part_array;

// Returns the largest size of the shape of `width` x `height` that fits into `most_width` x `most_height` and is
// not larger than it; sides are at least 1.
void ct_frame_fit(uint32_t width, uint32_t height, uint32_t most_width, uint32_t most_height,
                  uint32_t *fit_width, uint32_t *fit_height);

// Writes `from` at a size that is not larger, each pixel as the mean of those that it covers. `to` has 4 bytes for
// each of its pixels; it may be `from` when the sizes are equal.
void ct_frame_shrink(const uint8_t *from, uint32_t width, uint32_t height, uint8_t *to,
                     uint32_t to_width, uint32_t to_height);

// Replaces `parts` by rectangles of whole tiles that cover all that differs between two pictures of one size. When
// that is more than half of the picture, it is one part. `before` may be NULL: all of it.
void ct_frame_find_changes(const uint8_t *picture, const uint8_t *before, uint32_t width,
                           uint32_t height, ct_frame_part_array *parts);
