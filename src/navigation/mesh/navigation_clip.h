// navigation_clip.h: splits convex polygons, seen from above, by lines.
#pragma once
#include "foundation/math/math_types.h"

enum {
    CT_NAVIGATION_PIECE_POINTS = 64,
    CT_NAVIGATION_CUT = (int)0x40000000, // in a tag: a line that cut; else an edge of the polygon
};

// A corner; the tag says on which line the edge that starts here is.
typedef struct ct_navigation_cut_point {
    ct_vec3 at;
    uint32_t tag;
    uint32_t vertex; // of the tile's blob; UINT32_MAX: made by a cut
} ct_navigation_cut_point;

// What is to the left of it is inside.
typedef struct ct_navigation_cut_line {
    double x, y, dx, dy; // a point, and the direction, of length 1
    double tolerance;    // metres: points this near are on the line
    uint32_t tag;
} ct_navigation_cut_line;

typedef struct ct_navigation_cut_polygon {
    uint32_t count; // 0: empty
    ct_navigation_cut_point points[CT_NAVIGATION_PIECE_POINTS];
} ct_navigation_cut_polygon;

// Makes the line from a to b.
ct_navigation_cut_line ct_navigation_line(ct_vec2 a, ct_vec2 b, uint32_t tag, double tolerance);

// Splits `p`. Each part has at most one corner more, of which only CT_NAVIGATION_PIECE_POINTS fit. A part that is thinner than the
// tolerance is empty, and the other is then all of `p`; all of a thin `p` on the line is outside.
void ct_navigation_split(const ct_navigation_cut_polygon *p, const ct_navigation_cut_line *line,
                         ct_navigation_cut_polygon *inside, ct_navigation_cut_polygon *outside);

// Square metres.
double ct_navigation_cut_area(const ct_navigation_cut_polygon *p);
