#include "spatial/convex_hull.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"

// A number of doubles for each point: products of floats keep their digits.
typedef struct point {
    double x, y, z;
} point;

// A triangle of the hull so far.
typedef struct face {
    uint32_t corners[3]; // counter-clockwise from outside
    bool is_visible;     // from the point that is added
    point normal;        // of length 1
    double offset;       // dot(normal, corner)
} face;

enum { MAX_FACES = 2 * CT_CONVEX_HULL_MAX_POINTS };

typedef struct builder {
    point points[CT_CONVEX_HULL_MAX_POINTS];
    uint32_t num_points;
    double epsilon;            // metres that count as nothing
    face faces[2 * MAX_FACES]; // new ones come before the visible ones go
    uint32_t num_faces;
} builder;

static point sub(point a, point b) {
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(point a, point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point cross(point a, point b) {
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double length(point a) {
    return sqrt(dot(a, a));
}

static double height_over(const builder *b, const face *f, uint32_t i) {
    return dot(f->normal, b->points[i]) - f->offset;
}

static void add_face(builder *b, uint32_t i, uint32_t j, uint32_t k) {
    const point p = b->points[i];
    point n = cross(sub(b->points[j], p), sub(b->points[k], p));
    const double l = length(n);
    if (l > 0)
        n = (point){n.x / l, n.y / l, n.z / l};
    CT_ASSERT(b->num_faces < CT_COUNT_OF(b->faces), "a hull of %u points has too many faces",
              b->num_points);
    b->faces[b->num_faces++] = (face){.corners = {i, j, k}, .normal = n, .offset = dot(n, p)};
}

// --- The first tetrahedron -----------------------------------------------------------------------

// The two points that are furthest apart along an axis. Returns their distance along it.
static double find_line(const builder *b, uint32_t ends[2]) {
    double most = 0;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        uint32_t low = 0, high = 0;
        for (uint32_t i = 1; i < b->num_points; ++i) {
            low = (&b->points[i].x)[axis] < (&b->points[low].x)[axis] ? i : low;
            high = (&b->points[i].x)[axis] > (&b->points[high].x)[axis] ? i : high;
        }
        const double extent = (&b->points[high].x)[axis] - (&b->points[low].x)[axis];
        if (extent > most) {
            most = extent;
            ends[0] = low;
            ends[1] = high;
        }
    }
    return most;
}

// The point that is furthest from the line through `a` and `b`, and the one furthest from the plane
// through all three. False when it is in that plane.
static bool find_rest(const builder *b, uint32_t corners[4]) {
    const point p = b->points[corners[0]], along = sub(b->points[corners[1]], p);
    double most = 0;
    for (uint32_t i = 0; i < b->num_points; ++i) {
        const double distance = length(cross(along, sub(b->points[i], p))) / length(along);
        if (distance > most) {
            most = distance;
            corners[2] = i;
        }
    }
    if (most <= b->epsilon)
        return false;
    const point n = cross(along, sub(b->points[corners[2]], p));
    const double scale = 1 / length(n);
    most = 0;
    for (uint32_t i = 0; i < b->num_points; ++i) {
        const double distance = fabs(dot(n, sub(b->points[i], p))) * scale;
        if (distance > most) {
            most = distance;
            corners[3] = i;
        }
    }
    return most > b->epsilon;
}

static bool start(builder *b) {
    uint32_t c[4] = {0};
    const double extent = find_line(b, c);
    b->epsilon = 1e-6 * extent;
    if (extent == 0 || !find_rest(b, c))
        return false;
    add_face(b, c[0], c[1], c[2]);
    if (height_over(b, &b->faces[0], c[3]) > 0) {
        const uint32_t last = c[1];
        c[1] = c[2];
        c[2] = last;
        b->num_faces = 0;
        add_face(b, c[0], c[1], c[2]);
    }
    add_face(b, c[0], c[3], c[1]);
    add_face(b, c[1], c[3], c[2]);
    add_face(b, c[2], c[3], c[0]);
    return true;
}

// --- Adding points -------------------------------------------------------------------------------

// Whether a face that the point does not see has the edge from `from` to `to`.
static bool is_horizon(const builder *b, uint32_t num_faces, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < num_faces; ++i) {
        const uint32_t *const c = b->faces[i].corners;
        for (uint32_t k = 0; k < 3; ++k) {
            if (c[k] == to && c[(k + 1) % 3] == from)
                return !b->faces[i].is_visible;
        }
    }
    return false;
}

static void add_point(builder *b, uint32_t i) {
    const uint32_t old = b->num_faces;
    bool is_outside = false;
    for (uint32_t f = 0; f < old; ++f) {
        b->faces[f].is_visible = height_over(b, &b->faces[f], i) > b->epsilon;
        is_outside = is_outside || b->faces[f].is_visible;
    }
    if (!is_outside)
        return;
    for (uint32_t f = 0; f < old; ++f) {
        const uint32_t *const c = b->faces[f].corners;
        for (uint32_t k = 0; k < 3 && b->faces[f].is_visible; ++k) {
            if (is_horizon(b, old, c[k], c[(k + 1) % 3]))
                add_face(b, c[k], c[(k + 1) % 3], i);
        }
    }
    uint32_t kept = 0;
    for (uint32_t f = 0; f < b->num_faces; ++f) {
        if (!b->faces[f].is_visible)
            b->faces[kept++] = b->faces[f];
    }
    b->num_faces = kept;
}

// --- The result ----------------------------------------------------------------------------------

static void add_plane(const builder *b, const face *f, ct_convex_hull *hull) {
    double offset = f->offset; // all points are behind the plane
    for (uint32_t i = 0; i < b->num_points; ++i)
        offset = fmax(offset, dot(f->normal, b->points[i]));
    const ct_vec4 plane = {
        {(float)f->normal.x, (float)f->normal.y, (float)f->normal.z, (float)offset}};
    for (uint32_t i = 0; i < hull->planes.count; ++i) {
        const ct_vec4 other = hull->planes.items[i];
        const ct_vec3 n = ct_vec3_make(plane.x, plane.y, plane.z);
        const ct_vec3 d = ct_vec3_sub(n, ct_vec3_make(other.x, other.y, other.z));
        if (ct_vec3_dot(d, d) < 1e-10f && fabs((double)(plane.w - other.w)) <= b->epsilon)
            return; // that of another triangle of the same side
    }
    ct_array_push(&hull->planes, plane);
}

static void write_hull(const builder *b, const ct_vec3 *points, ct_convex_hull *hull) {
    uint32_t places[CT_CONVEX_HULL_MAX_POINTS]; // 0: no corner; else from 1
    bool are_used[CT_CONVEX_HULL_MAX_POINTS] = {false};
    for (uint32_t f = 0; f < b->num_faces; ++f) {
        for (uint32_t k = 0; k < 3; ++k)
            are_used[b->faces[f].corners[k]] = true;
    }
    for (uint32_t i = 0; i < b->num_points; ++i) {
        places[i] = hull->points.count;
        if (are_used[i])
            ct_array_push(&hull->points, points[i]);
    }
    for (uint32_t f = 0; f < b->num_faces; ++f) {
        for (uint32_t k = 0; k < 3; ++k)
            ct_array_push(&hull->triangles, places[b->faces[f].corners[k]]);
        add_plane(b, &b->faces[f], hull);
    }
}

void ct_convex_hull_init(ct_convex_hull *hull, ct_allocator *a) {
    ct_array_init(&hull->points, a);
    ct_array_init(&hull->planes, a);
    ct_array_init(&hull->triangles, a);
}

void ct_convex_hull_free(ct_convex_hull *hull) {
    ct_array_free(&hull->points);
    ct_array_free(&hull->planes);
    ct_array_free(&hull->triangles);
}

ct_convex_hull_result ct_convex_hull_build(ct_convex_hull *hull, const ct_vec3 *points,
                                           uint32_t count) {
    CT_ASSERT(count >= 1 && count <= CT_CONVEX_HULL_MAX_POINTS, "a hull of %u points", count);
    hull->points.count = hull->planes.count = hull->triangles.count = 0;
    builder *const b = CT_NEW(hull->points.allocator, builder);
    b->num_points = count;
    for (uint32_t i = 0; i < count; ++i)
        b->points[i] = (point){(double)points[i].x, (double)points[i].y, (double)points[i].z};
    const bool is_solid = start(b);
    for (uint32_t i = 0; i < count && is_solid; ++i)
        add_point(b, i);
    if (is_solid)
        write_hull(b, points, hull);
    ct_free_sized(hull->points.allocator, b, sizeof(*b));
    return is_solid ? CT_CONVEX_HULL_DONE : CT_CONVEX_HULL_FLAT;
}
