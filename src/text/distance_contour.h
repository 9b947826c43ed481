// distance_contour.h: the edge of a shape given by coverage, between the pixels.
//
// Pixel (x, y) has its centre at x, y. It is inside from a coverage of 128 on; pixels beyond the
// picture are empty. Between the centres of two neighbours of which one is inside lies a crossing.
// Where coverage falls from 255 to 0 over few pixels in line, the crossing is where an edge with
// that coverage cuts the line: exact for every straight edge, since coverage is area. Elsewhere (a
// shallow edge, a thin stroke) it is where linear interpolation between the centres gives one half.
// The edge joins the crossings of each cell of four centres by line segments (marching squares). In
// a cell whose diagonals differ, the mean of the four decides which pair is connected.
//
// Bits say which pixels are inside: areas without an edge are skipped 64 pixels at a time. libc
// only. A contour may be read by several threads.
#pragma once
#include "foundation/types.h"

typedef struct ct_distance_contour {
    const uint8_t *coverage; // borrowed
    int32_t width, height;
    uint64_t *bits;     // rows -1 to height; pixel x of a row is bit x + 1
    uint32_t row_words; // of bits, with one more at the end
    ct_allocator *allocator;
} ct_distance_contour;

// Finds out which pixels are inside. `coverage` is borrowed until the shutdown; memory for the bits
// comes from `a`.
void ct_distance_contour_init(ct_distance_contour *c, ct_allocator *a, const uint8_t *coverage,
                              uint32_t width, uint32_t height);

// Frees the bits.
void ct_distance_contour_shutdown(ct_distance_contour *c);

// Returns the bits of row `y` (-1 to height).
static inline const uint64_t *ct_distance_contour_row(const ct_distance_contour *c, int32_t y) {
    return c->bits + (uint64_t)(y + 1) * c->row_words;
}

// Returns how far (0 to 1) the crossing between pixel (x, y) and its right neighbour, or with
// `is_down` the one below, is from (x, y). One of the two must be inside and the other not.
float ct_distance_contour_crossing(const ct_distance_contour *c, int32_t x, int32_t y,
                                   bool is_down);

// Returns whether a point is inside: `x` and `y` are both whole, or both whole and a half.
bool ct_distance_contour_is_inside(const ct_distance_contour *c, float x, float y);

// Returns the squared distance of a point to the nearest segment, or `best` when none is nearer
// than that.
float ct_distance_contour_nearest(const ct_distance_contour *c, float x, float y, float best);
