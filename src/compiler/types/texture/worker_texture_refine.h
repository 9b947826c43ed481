// worker_texture_refine.h: blocks of textures that are tried harder, for `quality = "best"`.
//
// Both start from what a fast encoder found and go on to neighbours of its end points for as long
// as the sum of squared differences becomes less. In integers: the same on every machine.
#pragma once
#include "foundation/types.h"

enum { CT_WORKER_BLOCK_PIXELS = 16 };

// Writes the block of 8 bytes of one channel (BC4) of these values.
void ct_worker_refine_channel(const uint8_t values[CT_WORKER_BLOCK_PIXELS], uint8_t block[8]);

// Replaces a colour block of 8 bytes (BC1 without holes, or BC3's) of these pixels by one that is
// not farther from them. Four bytes a pixel; alpha is not looked at.
void ct_worker_refine_color(const uint8_t pixels[4 * CT_WORKER_BLOCK_PIXELS], uint8_t block[8]);
