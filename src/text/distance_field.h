// distance_field.h: turns coverage into a signed distance field, at a lower resolution.
//
// The edge is a set of line segments between points where the coverage passes one half on the lines
// that join the centres of neighbouring pixels (distance_contour.h). A field holds for each target
// pixel the exact Euclidean distance of its centre to that edge. Time and memory are linear in the
// number of source pixels: one sweep finds the nearest crossing in each row or column, and a lower
// envelope of parabolas joins them, only in rows and columns that are sampled.
// Sources: Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions" (2012), for
// the envelope; Gustavson and Strand, "Anti-aliased Euclidean distance transform" (2011), for the
// idea of edges between pixels; "Distance Field Based Rendering of AngelCode Fonts" (Bitsquid blog,
// 2010-04-09). Any thread.
#pragma once
#include "foundation/types.h"

enum {
    CT_DISTANCE_FIELD_MAX_SIZE = 16384, // pixels of a side
    CT_DISTANCE_FIELD_MAX_SCALE = 64,
    CT_DISTANCE_FIELD_MAX_SPREAD = 64,
    CT_DISTANCE_FIELD_EDGE = 128, // the value of a pixel on the edge
};

// Returns the width or height of a field from that of its source: rounded up, so that the last
// pixel may lie partly beyond the source.
static inline uint32_t ct_distance_field_size(uint32_t source_size, uint32_t scale) {
    return (source_size + scale - 1) / scale;
}

// Computes the field of `width` x `height` bytes of coverage (255: inside; rows from the top; empty
// beyond the picture). `scale` source pixels make a target pixel, whose centre is the centre of its
// scale x scale source pixels. `target` gets ct_distance_field_size of both sides. On the edge a
// value is 128, `spread` target pixels inside 255, `spread` outside 1, and 0 farther outside.
// Numbers must be 1 to the limits above. Scratch memory, about 8 * width * height / scale bytes,
// comes from `a`.
void ct_distance_field(ct_allocator *a, const uint8_t *coverage, uint32_t width, uint32_t height,
                       uint32_t scale, uint32_t spread, uint8_t *target);

// Computes the same distances unrounded: target pixels, positive inside, limited to -(spread + 1)
// and spread + 1.
void ct_distance_field_float(ct_allocator *a, const uint8_t *coverage, uint32_t width,
                             uint32_t height, uint32_t scale, uint32_t spread, float *target);
