#include "spatial/convex_distance.h"

#include <math.h>

#include "foundation/math/math.h"

enum { MOST_ROUNDS = 48 };
static const float nothing = 1e-11f; // of the square of a distance

// Up to four points of the difference of two shapes.
typedef struct simplex {
    ct_vec3 points[4];
    uint32_t count;
} simplex;

static ct_vec3 point_between(ct_vec3 a, ct_vec3 b, float t) {
    return ct_vec3_add(a, ct_vec3_scale(ct_vec3_sub(b, a), t));
}

static ct_vec3 keep_one(simplex *s, ct_vec3 a) {
    s->points[0] = a;
    s->count = 1;
    return a;
}

static ct_vec3 keep_two(simplex *s, ct_vec3 a, ct_vec3 b, float t) {
    s->points[0] = a, s->points[1] = b;
    s->count = 2;
    return point_between(a, b, t);
}

// --- The point nearest to the origin -------------------------------------------------------------

// Each returns that point and keeps the corners of the part that has it.

static ct_vec3 nearest_of_segment(simplex *s) {
    const ct_vec3 a = s->points[0], b = s->points[1], ab = ct_vec3_sub(b, a);
    const float along = -ct_vec3_dot(a, ab), length = ct_vec3_dot(ab, ab);
    if (along <= 0)
        return keep_one(s, a);
    return along >= length ? keep_one(s, b) : keep_two(s, a, b, along / length);
}

static ct_vec3 nearest_of_triangle(simplex *s) {
    const ct_vec3 a = s->points[0], b = s->points[1], c = s->points[2];
    const ct_vec3 ab = ct_vec3_sub(b, a), ac = ct_vec3_sub(c, a);
    const float d1 = -ct_vec3_dot(ab, a), d2 = -ct_vec3_dot(ac, a);
    if (d1 <= 0 && d2 <= 0)
        return keep_one(s, a);
    const float d3 = -ct_vec3_dot(ab, b), d4 = -ct_vec3_dot(ac, b);
    if (d3 >= 0 && d4 <= d3)
        return keep_one(s, b);
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return keep_two(s, a, b, d1 / (d1 - d3));
    const float d5 = -ct_vec3_dot(ab, c), d6 = -ct_vec3_dot(ac, c);
    if (d6 >= 0 && d5 <= d6)
        return keep_one(s, c);
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return keep_two(s, a, c, d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6)
        return keep_two(s, b, c, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const float sum = va + vb + vc;
    if (!(sum > 0)) // no area
        return keep_one(s, a);
    return ct_vec3_add(a, ct_vec3_add(ct_vec3_scale(ab, vb / sum), ct_vec3_scale(ac, vc / sum)));
}

// Whether the origin is on the other side of a face than the fourth corner, or the corners are in one
// plane.
static bool is_before_face(ct_vec3 a, ct_vec3 b, ct_vec3 c, ct_vec3 fourth) {
    const ct_vec3 normal = ct_vec3_cross(ct_vec3_sub(b, a), ct_vec3_sub(c, a));
    const ct_vec3 way = ct_vec3_sub(fourth, a);
    const float height = ct_vec3_dot(way, normal);
    const float flat = 1e-6f * ct_vec3_length(way) * ct_vec3_length(normal);
    return fabsf(height) <= flat || -ct_vec3_dot(a, normal) * height < 0;
}

static ct_vec3 nearest_of_tetrahedron(simplex *s) {
    static const uint8_t faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    ct_vec3 nearest = ct_vec3_make(0, 0, 0);
    simplex best = *s;
    float least = INFINITY;
    for (uint32_t i = 0; i < 4; ++i) {
        const ct_vec3 *const p = s->points;
        simplex face = {.points = {p[faces[i][0]], p[faces[i][1]], p[faces[i][2]]}, .count = 3};
        if (!is_before_face(face.points[0], face.points[1], face.points[2], p[faces[i][3]]))
            continue;
        const ct_vec3 point = nearest_of_triangle(&face);
        const float square = ct_vec3_dot(point, point);
        if (square < least) {
            least = square;
            nearest = point;
            best = face;
        }
    }
    *s = best;
    return nearest; // the origin when it is inside
}

static ct_vec3 nearest_of(simplex *s) {
    switch (s->count) {
    case 1:
        return s->points[0];
    case 2:
        return nearest_of_segment(s);
    case 3:
        return nearest_of_triangle(s);
    default:
        return nearest_of_tetrahedron(s);
    }
}

// --- Two shapes ----------------------------------------------------------------------------------

static ct_vec3 farthest_of_difference(const ct_convex *a, const ct_convex *b, ct_vec3 direction) {
    return ct_vec3_sub(a->farthest(a->user, direction),
                       b->farthest(b->user, ct_vec3_scale(direction, -1)));
}

static bool has_point(const simplex *s, ct_vec3 p) {
    for (uint32_t i = 0; i < s->count; ++i) {
        if (s->points[i].x == p.x && s->points[i].y == p.y && s->points[i].z == p.z)
            return true;
    }
    return false;
}

bool ct_convex_is_within(const ct_convex *a, const ct_convex *b, float distance) {
    simplex s = {.count = 1};
    s.points[0] = farthest_of_difference(a, b, ct_vec3_make(1, 0, 0));
    ct_vec3 nearest = s.points[0];
    float square = ct_vec3_dot(nearest, nearest);
    // What is as near as rounding allows touches.
    const float most = fmaxf(distance * distance, nothing * square);
    for (uint32_t i = 0; i < MOST_ROUNDS && square > most; ++i) {
        const ct_vec3 p = farthest_of_difference(a, b, ct_vec3_scale(nearest, -1));
        const float along = ct_vec3_dot(nearest, p); // times the length of `nearest`
        if (along > 0 && along * along > most * square)
            return false; // a plane at this distance separates them
        if (square - along <= 1e-6f * square || has_point(&s, p))
            break;
        s.points[s.count++] = p;
        nearest = nearest_of(&s);
        const float closer = ct_vec3_dot(nearest, nearest);
        if (s.count == 4 || closer >= square) // the origin is inside; or no better is found
            return s.count == 4 || closer <= most;
        square = closer;
    }
    return square <= most;
}

ct_vec3 ct_obb_farthest(const void *obb, ct_vec3 direction) {
    const ct_obb *const box = obb;
    ct_vec3 out = box->center;
    for (uint32_t i = 0; i < 3; ++i) {
        const float side = ct_vec3_dot(box->axes[i], direction) < 0 ? -1.0f : 1.0f;
        out = ct_vec3_add(out, ct_vec3_scale(box->axes[i], side * box->half.raw[i]));
    }
    return out;
}
