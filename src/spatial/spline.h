// spline.h: curves through points: Catmull–Rom and Bézier, by distance along them.
//
// A spline is made of cubic Bézier pieces; Catmull–Rom splines are turned into them, exactly. A
// table has the length of the curve up to CT_SPLINE_STEPS places of each piece, so that a place is
// found by its distance from the start with a binary search and a few steps of Newton's method.
// Everything is in one space, metres.
#pragma once
#include "foundation/math/math_types.h"

enum { CT_SPLINE_STEPS = 16 };

// A curve with at least one piece. Arrays are borrowed.
typedef struct ct_spline {
    const ct_vec3 *controls; // 3 for each piece (a point, two handles), then the end
    const float *lengths;    // CT_SPLINE_STEPS for each piece, then that of the whole; the first 0
    uint32_t num_pieces;
    bool is_closed; // the end is the start
} ct_spline;

// Return the number of pieces through `num_points` points (at least 2), and the number of elements
// of both arrays for `num_pieces` of them.
uint32_t ct_spline_num_pieces(uint32_t num_points, bool is_closed);
uint32_t ct_spline_num_controls(uint32_t num_pieces);
uint32_t ct_spline_num_lengths(uint32_t num_pieces);

// Fills `controls` with the centripetal Catmull–Rom spline through points (Yuksel et al. 2011): it
// has no loops or cusps between neighbours, however unevenly they are spaced. Neighbours must not
// be at one place. An open spline starts and ends as if the curve went on straight.
void ct_spline_from_catmull_rom(const ct_vec3 *points, uint32_t num_points, bool is_closed,
                                ct_vec3 *controls);

// Fills `lengths` from the controls: each within about a hundred-thousandth, as long as the piece
// has no cusp (Gauss–Legendre with 5 places in each step).
void ct_spline_measure(const ct_vec3 *controls, uint32_t num_pieces, float *lengths);

// Returns the length of the curve.
static inline float ct_spline_length(const ct_spline *s) {
    return s->lengths[ct_spline_num_lengths(s->num_pieces) - 1];
}

// A place on a spline.
typedef struct ct_spline_place {
    float distance; // along the curve from its start
    ct_vec3 position;
    ct_vec3 tangent; // the direction there, of length 1; zero where all of a piece is one point
} ct_spline_place;

// Returns the place at a distance from the start. Of a closed spline the distance goes round, of an
// open one it is clamped to the ends. Finite distances only. About 0.3 us.
ct_spline_place ct_spline_at(const ct_spline *s, float distance);

// Returns the position at the start of step `i` of all, from 0 to CT_SPLINE_STEPS * num_pieces: what
// `lengths` belong to.
ct_vec3 ct_spline_step_position(const ct_spline *s, uint32_t i);

// Returns the place that is nearest to `point`; of several any. Grows with the number of pieces, of
// which those nearby take about 2 us each and the others 10 ns.
ct_spline_place ct_spline_nearest(const ct_spline *s, ct_vec3 point);

// Returns the box around the curve's controls, which encloses the curve.
ct_aabb ct_spline_bounds(const ct_spline *s);
