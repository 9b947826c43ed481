// navigation_carve.c: the polygons of a tile without what stands on them.
//
// Convex minus convex: each side of the obstacle in turn cuts off what is outside of it, which is a piece.
// What remains is under the obstacle. Edges remember the line that they are on, so that pieces beside
// each other find each other (navigation_build.c).
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_private.h"

enum { MOST_POINTS = 32 };             // of a piece; with all sides of an obstacle it fits a buffer
static const double LEAST_AREA = 1e-6; // square metres; smaller pieces are left out

static void clear(ct_navigation_pieces *set) {
    set->points.count = set->pieces.count = 0;
}

static void push_whole(ct_navigation_pieces *set, const ct_navigation_cut_point *points,
                       uint32_t count, uint32_t source, uint32_t area) {
    if (set->pieces.count >= CT_NAVIGATION_MAX_POLYGONS || set->points.count + count > UINT16_MAX)
        return; // a tile cannot have more: agents do not walk there
    ct_navigation_piece piece = {.first = set->points.count,
                                 .count = count,
                                 .min_x = INFINITY,
                                 .min_y = INFINITY,
                                 .max_x = -INFINITY,
                                 .max_y = -INFINITY,
                                 .source = (uint16_t)source,
                                 .area = (uint8_t)area};
    for (uint32_t i = 0; i < count; ++i) {
        piece.min_x = fminf(piece.min_x, points[i].at.x);
        piece.min_y = fminf(piece.min_y, points[i].at.y);
        piece.max_x = fmaxf(piece.max_x, points[i].at.x);
        piece.max_y = fmaxf(piece.max_y, points[i].at.y);
    }
    ct_array_push_many(&set->points, points, count);
    ct_array_push(&set->pieces, piece);
}

// Adds a piece; one with many corners as two, on both sides of a line between two of them.
static void push_piece(ct_navigation_pieces *set, const ct_navigation_cut_polygon *p,
                       uint32_t source, uint32_t area, double tolerance) {
    if (p->count < 3 || ct_navigation_cut_area(p) < LEAST_AREA)
        return;
    if (p->count <= MOST_POINTS) {
        push_whole(set, p->points, p->count, source, area);
        return;
    }
    const ct_vec3 a = p->points[0].at, b = p->points[p->count / 2].at;
    const uint32_t tag = UINT32_C(0x80000000) | (set->points.count & 0xffff);
    const ct_navigation_cut_line line = ct_navigation_line(
        ct_vec2_make(a.x, a.y), ct_vec2_make(b.x, b.y), tag | CT_NAVIGATION_CUT, tolerance);
    ct_navigation_cut_polygon inside, outside;
    ct_navigation_split(p, &line, &inside, &outside);
    const ct_navigation_cut_polygon *const parts[2] = {&inside, &outside};
    for (uint32_t i = 0; i < 2; ++i)
        if (parts[i]->count >= 3)
            push_whole(set, parts[i]->points, parts[i]->count, source, area);
}

// The lines along the sides of a footprint.
typedef struct sides {
    uint32_t count;
    ct_navigation_cut_line lines[CT_NAVIGATION_FOOTPRINT_POINTS];
} sides;

static void sides_of(const ct_navigation_footprint *f, uint32_t number, double tolerance,
                     sides *out) {
    out->count = f->num_points;
    for (uint32_t i = 0; i < f->num_points; ++i)
        out->lines[i] = ct_navigation_line(
            f->points[i], f->points[i + 1 < f->num_points ? i + 1 : 0],
            (uint32_t)CT_NAVIGATION_CUT | (number * CT_NAVIGATION_FOOTPRINT_POINTS + i), tolerance);
}

// Whether a piece is under or above the footprint, in a part that counts.
static bool meets(const ct_navigation_cut_polygon *p, const ct_navigation_footprint *f,
                  const sides *s) {
    ct_navigation_cut_polygon inside, outside, rest = *p;
    for (uint32_t i = 0; i < s->count; ++i) {
        ct_navigation_split(&rest, &s->lines[i], &inside, &outside);
        if (inside.count < 3)
            return false;
        rest = inside;
    }
    if (ct_navigation_cut_area(&rest) < LEAST_AREA)
        return false;
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < rest.count; ++i) {
        low = fminf(low, rest.points[i].at.z);
        high = fmaxf(high, rest.points[i].at.z);
    }
    return low < f->top && high > f->bottom;
}

// Adds what a footprint leaves of a piece.
static void subtract(const ct_navigation_pieces *from, const ct_navigation_piece *piece,
                     const ct_navigation_footprint *f, const sides *s, ct_navigation_pieces *to) {
    const ct_navigation_cut_point *const points = from->points.items + piece->first;
    ct_navigation_cut_polygon rest = {.count = piece->count};
    memcpy(rest.points, points, sizeof(*points) * piece->count);
    const bool is_apart = piece->max_x <= f->min.x || piece->min_x >= f->max.x ||
                          piece->max_y <= f->min.y || piece->min_y >= f->max.y;
    if (is_apart || (int32_t)piece->area == f->area || !meets(&rest, f, s)) {
        push_whole(to, points, piece->count, piece->source, piece->area);
        return;
    }
    for (uint32_t i = 0; i < s->count; ++i) {
        ct_navigation_cut_polygon inside, outside;
        ct_navigation_split(&rest, &s->lines[i], &inside, &outside);
        push_piece(to, &outside, piece->source, piece->area, s->lines[i].tolerance);
        rest = inside;
    }
    if (f->area >= 0)
        push_piece(to, &rest, piece->source, (uint32_t)f->area, s->lines[0].tolerance);
}

// Fills `near` with the footprints that touch a polygon's bounds.
static void gather_near(ct_navigation_scratch *s, const ct_navigation_piece *bounds) {
    s->near_lines.count = 0;
    for (uint32_t i = 0; i < s->footprints.count; ++i) {
        const ct_navigation_footprint *const f = &s->footprints.items[i];
        if (f->min.x < bounds->max_x && f->max.x > bounds->min_x && f->min.y < bounds->max_y &&
            f->max.y > bounds->min_y)
            ct_array_push(&s->near_lines, i);
    }
}

static void carve_polygon(ct_navigation_scratch *s, uint32_t source, double tolerance) {
    for (uint32_t i = 0; i < s->near_lines.count; ++i) {
        const uint32_t number = s->near_lines.items[i];
        const ct_navigation_footprint *const f = &s->footprints.items[number];
        sides lines;
        sides_of(f, number, tolerance, &lines);
        clear(&s->to);
        for (uint32_t k = 0; k < s->from.pieces.count; ++k)
            subtract(&s->from, &s->from.pieces.items[k], f, &lines, &s->to);
        const ct_navigation_pieces last = s->from;
        s->from = s->to;
        s->to = last;
    }
    for (uint32_t k = 0; k < s->from.pieces.count; ++k) {
        const ct_navigation_piece *const piece = &s->from.pieces.items[k];
        push_whole(&s->pieces, s->from.points.items + piece->first, piece->count, source,
                   piece->area);
    }
}

void ct_navigation_carve(ct_navigation_scratch *s, const ct_navigation_resource *resource,
                         const ct_navigation_tile_resource *tile) {
    const ct_navigation_polygon *const polygons = ct_blob_at(resource, tile->polygons.offset);
    const ct_navigation_edge *const edges = ct_blob_at(resource, tile->edges.offset);
    const ct_vec3 *const vertices = ct_blob_at(resource, tile->vertices.offset);
    const double size = resource->tile_size;
    const double farthest = fmax(fabs(tile->x * size), fabs(tile->y * size)) + size;
    const double tolerance = 1e-5 + farthest * 2.5e-7; // what rounding to float may do
    clear(&s->pieces);
    for (uint32_t i = 0; i < tile->polygons.count; ++i) {
        const ct_navigation_polygon *const p = &polygons[i];
        ct_navigation_cut_point points[CT_NAVIGATION_MAX_EDGES];
        for (uint32_t k = 0; k < p->num_edges; ++k) {
            const uint32_t vertex = edges[p->first_edge + k].vertex;
            points[k] =
                (ct_navigation_cut_point){.at = vertices[vertex], .tag = k, .vertex = vertex};
        }
        clear(&s->from);
        push_whole(&s->from, points, p->num_edges, i, p->area);
        gather_near(s, &s->from.pieces.items[0]);
        carve_polygon(s, i, tolerance);
    }
}
