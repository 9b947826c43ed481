#include "navigation/mesh/navigation_clip.h"

#include <math.h>

#include "foundation/math/math.h"

ct_navigation_cut_line ct_navigation_line(ct_vec2 a, ct_vec2 b, uint32_t tag, double tolerance) {
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double length = sqrt(dx * dx + dy * dy);
    return (ct_navigation_cut_line){
        .x = a.x,
        .y = a.y,
        .dx = dx / length,
        .dy = dy / length,
        .tolerance = tolerance,
        .tag = tag,
    };
}

// The point between a and b where the line is, from its distances to them. The order of a and b does not
// matter, so polygons that share an edge get the same point.
static ct_navigation_cut_point crossing_of(ct_vec3 a, ct_vec3 b, double a_distance,
                                           double b_distance, uint32_t tag) {
    if (b.x < a.x || (b.x == a.x && b.y < a.y)) {
        const ct_vec3 point = a;
        const double distance = a_distance;
        a = b, a_distance = b_distance;
        b = point, b_distance = distance;
    }
    const double t = a_distance / (a_distance - b_distance);
    return (ct_navigation_cut_point){
        .at = ct_vec3_make((float)(a.x + ((double)b.x - a.x) * t),
                           (float)(a.y + ((double)b.y - a.y) * t),
                           (float)(a.z + ((double)b.z - a.z) * t)),
        .tag = tag,
        .vertex = UINT32_MAX,
    };
}

// Polygons that are not quite convex may cross a line often: what does not fit is left out.
static void push(ct_navigation_cut_polygon *part, ct_navigation_cut_point point) {
    if (part->count < CT_NAVIGATION_PIECE_POINTS)
        part->points[part->count++] = point;
}

// Adds what the edge from corner `i` gives to the part on the side `sign` (1 or -1).
static void add_edge(ct_navigation_cut_polygon *part, int sign, const ct_navigation_cut_polygon *p,
                     uint32_t i, const double *distances, const int *sides, uint32_t tag) {
    const uint32_t j = i + 1 < p->count ? i + 1 : 0;
    const int from = sides[i] * sign, to = sides[j] * sign;
    ct_navigation_cut_point a = p->points[i];
    const ct_vec3 end = p->points[j].at;
    const uint32_t own_tag = a.tag;
    if (from == 0 && to < 0)
        a.tag = tag; // goes along the line to where the polygon comes back
    if (from >= 0)
        push(part, a);
    if (from * to < 0)
        push(part, crossing_of(a.at, end, distances[i], distances[j], from > 0 ? tag : own_tag));
}

void ct_navigation_split(const ct_navigation_cut_polygon *p, const ct_navigation_cut_line *line,
                         ct_navigation_cut_polygon *inside, ct_navigation_cut_polygon *outside) {
    double distances[CT_NAVIGATION_PIECE_POINTS];
    int sides[CT_NAVIGATION_PIECE_POINTS];
    bool has_inside = false, has_outside = false;
    inside->count = outside->count = 0;
    for (uint32_t i = 0; i < p->count; ++i) {
        const ct_vec3 at = p->points[i].at;
        const double d = line->dx * (at.y - line->y) - line->dy * (at.x - line->x);
        distances[i] = d;
        sides[i] = d > line->tolerance ? 1 : d < -line->tolerance ? -1 : 0;
        has_inside |= sides[i] > 0;
        has_outside |= sides[i] < 0;
    }
    if (!has_inside || !has_outside) {
        *(has_inside ? inside : outside) = *p;
        return;
    }
    for (uint32_t i = 0; i < p->count; ++i) {
        add_edge(inside, 1, p, i, distances, sides, line->tag);
        add_edge(outside, -1, p, i, distances, sides, line->tag);
    }
}

double ct_navigation_cut_area(const ct_navigation_cut_polygon *p) {
    double twice = 0;
    for (uint32_t i = 1; i + 1 < p->count; ++i) {
        const ct_vec3 o = p->points[0].at, a = p->points[i].at, b = p->points[i + 1].at;
        twice +=
            ((double)a.x - o.x) * ((double)b.y - o.y) - ((double)a.y - o.y) * ((double)b.x - o.x);
    }
    return twice * 0.5;
}
