#include "foundation/math/math_shapes.h"

#include <math.h>

// --- Planes --------------------------------------------------------------------------------------

ct_vec4 ct_plane_from_points(ct_vec3 a, ct_vec3 b, ct_vec3 c) {
    const ct_vec3 normal = ct_vec3_cross(ct_vec3_sub(b, a), ct_vec3_sub(c, a));
    return ct_plane_through(a, ct_vec3_normalize(normal));
}

// --- Axis-aligned boxes --------------------------------------------------------------------------

bool ct_aabb_contains_point(ct_aabb box, ct_vec3 point) {
    return point.x >= box.min.x && point.x <= box.max.x && point.y >= box.min.y &&
           point.y <= box.max.y && point.z >= box.min.z && point.z <= box.max.z;
}

bool ct_aabb_intersects_aabb(ct_aabb a, ct_aabb b) {
    return !ct_aabb_is_empty(a) && !ct_aabb_is_empty(b) && a.min.x <= b.max.x &&
           b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
           b.min.z <= a.max.z;
}

ct_vec3 ct_aabb_nearest_point(ct_aabb box, ct_vec3 point) {
    return glms_vec3_minv(glms_vec3_maxv(point, box.min), box.max);
}

bool ct_aabb_intersects_sphere(ct_aabb box, ct_sphere sphere) {
    return !ct_aabb_is_empty(box) &&
           ct_sphere_contains_point(sphere, ct_aabb_nearest_point(box, sphere.center));
}

// --- Spheres -------------------------------------------------------------------------------------

ct_sphere ct_sphere_around_aabb(ct_aabb box) {
    if (ct_aabb_is_empty(box))
        return (ct_sphere){.radius = -1};
    return (ct_sphere){ct_aabb_center(box), ct_vec3_length(ct_aabb_half(box))};
}

ct_sphere ct_sphere_merge(ct_sphere a, ct_sphere b) {
    if (a.radius < 0)
        return b;
    if (b.radius < 0)
        return a;
    const ct_vec3 way = ct_vec3_sub(b.center, a.center);
    const float distance = ct_vec3_length(way);
    if (distance + b.radius <= a.radius)
        return a;
    if (distance + a.radius <= b.radius)
        return b;
    const float radius = (distance + a.radius + b.radius) * 0.5f;
    const float moved = (radius - a.radius) / distance;
    return (ct_sphere){ct_vec3_add(a.center, ct_vec3_scale(way, moved)), radius};
}

static ct_vec3 column(const ct_mat4 *m, uint32_t i) {
    return ct_vec3_make(m->col[i].x, m->col[i].y, m->col[i].z);
}

ct_sphere ct_sphere_transform(const ct_mat4 *m, ct_sphere sphere) {
    if (sphere.radius < 0)
        return sphere;
    float most = 0;
    for (uint32_t i = 0; i < 3; ++i)
        most = fmaxf(most, ct_vec3_dot(column(m, i), column(m, i)));
    return (ct_sphere){ct_mat4_transform_point(*m, sphere.center), sphere.radius * sqrtf(most)};
}

bool ct_sphere_contains_point(ct_sphere sphere, ct_vec3 point) {
    const ct_vec3 way = ct_vec3_sub(point, sphere.center);
    return sphere.radius >= 0 && ct_vec3_dot(way, way) <= sphere.radius * sphere.radius;
}

bool ct_sphere_intersects_sphere(ct_sphere a, ct_sphere b) {
    if (a.radius < 0 || b.radius < 0)
        return false;
    return ct_sphere_contains_point((ct_sphere){a.center, a.radius + b.radius}, b.center);
}

// --- Oriented boxes ------------------------------------------------------------------------------

ct_obb ct_obb_from_pose(const ct_mat4 *pose, ct_aabb local) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(pose, &position, &rotation, &scale);
    const ct_vec3 half = ct_aabb_half(local);
    const ct_mat4 turned = ct_mat4_compose(position, rotation, ct_vec3_make(1, 1, 1));
    ct_obb box = {.center = ct_mat4_transform_point(*pose, ct_aabb_center(local))};
    for (uint32_t i = 0; i < 3; ++i) {
        box.axes[i] = column(&turned, i);
        box.half.raw[i] = half.raw[i] * fabsf(scale.raw[i]);
    }
    return box;
}

ct_aabb ct_aabb_around_obb(const ct_obb *box) {
    ct_vec3 reach = ct_vec3_make(0, 0, 0);
    for (uint32_t i = 0; i < 3; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            reach.raw[k] += fabsf(box->axes[i].raw[k]) * box->half.raw[i];
    return (ct_aabb){ct_vec3_sub(box->center, reach), ct_vec3_add(box->center, reach)};
}

// A vector of the box's space in terms of its axes.
static ct_vec3 in_axes(const ct_obb *box, ct_vec3 v) {
    return ct_vec3_make(ct_vec3_dot(v, box->axes[0]), ct_vec3_dot(v, box->axes[1]),
                        ct_vec3_dot(v, box->axes[2]));
}

bool ct_obb_contains_point(const ct_obb *box, ct_vec3 point) {
    const ct_vec3 at = in_axes(box, ct_vec3_sub(point, box->center));
    return fabsf(at.x) <= box->half.x && fabsf(at.y) <= box->half.y && fabsf(at.z) <= box->half.z;
}

// Two boxes seen from the first: the axes of the second as columns, and where its centre is.
typedef struct obb_pair {
    const float *a, *b;   // half extents
    float turn[3][3];     // turn[i][j]: axis j of b along axis i of a
    float absolute[3][3]; // their absolute values, and a little more
    ct_vec3 way;          // from the centre of a to that of b, in the axes of a
} obb_pair;

// Adds so much to the cosines that the cross product of nearly parallel edges, a zero vector with
// rounding errors for a direction, separates nothing.
static const float parallel_margin = 1e-6f;

static bool is_separated_by_face(const obb_pair *p) {
    for (uint32_t i = 0; i < 3; ++i) {
        const float reach =
            p->b[0] * p->absolute[i][0] + p->b[1] * p->absolute[i][1] + p->b[2] * p->absolute[i][2];
        if (fabsf(p->way.raw[i]) > p->a[i] + reach)
            return true;
    }
    for (uint32_t j = 0; j < 3; ++j) {
        const float reach =
            p->a[0] * p->absolute[0][j] + p->a[1] * p->absolute[1][j] + p->a[2] * p->absolute[2][j];
        const float distance = p->way.raw[0] * p->turn[0][j] + p->way.raw[1] * p->turn[1][j] +
                               p->way.raw[2] * p->turn[2][j];
        if (fabsf(distance) > p->b[j] + reach)
            return true;
    }
    return false;
}

// The directions at right angles to an edge of each.
static bool is_separated_by_edges(const obb_pair *p) {
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (uint32_t j = 0; j < 3; ++j) {
            const uint32_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const float reach_a = p->a[i1] * p->absolute[i2][j] + p->a[i2] * p->absolute[i1][j];
            const float reach_b = p->b[j1] * p->absolute[i][j2] + p->b[j2] * p->absolute[i][j1];
            const float distance =
                p->way.raw[i2] * p->turn[i1][j] - p->way.raw[i1] * p->turn[i2][j];
            if (fabsf(distance) > reach_a + reach_b)
                return true;
        }
    }
    return false;
}

bool ct_obb_intersects_obb(const ct_obb *a, const ct_obb *b) {
    obb_pair pair = {.a = a->half.raw, .b = b->half.raw};
    pair.way = in_axes(a, ct_vec3_sub(b->center, a->center));
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            pair.turn[i][j] = ct_vec3_dot(a->axes[i], b->axes[j]);
            pair.absolute[i][j] = fabsf(pair.turn[i][j]) + parallel_margin;
        }
    }
    return !is_separated_by_face(&pair) && !is_separated_by_edges(&pair);
}

// --- Frusta --------------------------------------------------------------------------------------

bool ct_frustum_intersects_sphere(const ct_frustum *f, ct_sphere sphere) {
    if (sphere.radius < 0)
        return false;
    for (uint32_t i = 0; i < 6; ++i) {
        if (ct_plane_distance(f->planes[i], sphere.center) < -sphere.radius)
            return false;
    }
    return true;
}

bool ct_frustum_intersects_obb(const ct_frustum *f, const ct_obb *box) {
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_vec4 plane = f->planes[i];
        const ct_vec3 along = in_axes(box, ct_vec3_make(plane.x, plane.y, plane.z));
        const float reach = fabsf(along.x) * box->half.x + fabsf(along.y) * box->half.y +
                            fabsf(along.z) * box->half.z;
        if (ct_plane_distance(plane, box->center) < -reach)
            return false;
    }
    return true;
}

bool ct_frustum_contains_point(const ct_frustum *f, ct_vec3 point) {
    return ct_frustum_intersects_sphere(f, (ct_sphere){.center = point});
}

// --- Rays ----------------------------------------------------------------------------------------

float ct_ray_to_plane(ct_ray ray, ct_vec4 plane) {
    const float distance = ct_plane_distance(plane, ray.origin);
    if (distance == 0)
        return 0;
    const float speed = ct_vec3_dot(ct_vec3_make(plane.x, plane.y, plane.z), ray.direction);
    const float t = -distance / speed;
    return t >= 0 && t < INFINITY ? t : -1;
}

float ct_ray_to_sphere(ct_ray ray, ct_sphere sphere) {
    if (sphere.radius < 0)
        return -1;
    const ct_vec3 way = ct_vec3_sub(sphere.center, ray.origin);
    if (ct_vec3_dot(way, way) <= sphere.radius * sphere.radius)
        return 0;
    // The square of the distance of the centre from the line, without the cancellation that the
    // textbook's discriminant has for small spheres far away (Haines et al., Ray Tracing Gems 7).
    const float length_squared = ct_vec3_dot(ray.direction, ray.direction);
    const float nearest = ct_vec3_dot(way, ray.direction) / length_squared;
    const ct_vec3 beside = ct_vec3_sub(way, ct_vec3_scale(ray.direction, nearest));
    const float rest = sphere.radius * sphere.radius - ct_vec3_dot(beside, beside);
    if (rest < 0 || nearest < 0)
        return -1;
    return fmaxf(nearest - sqrtf(rest / length_squared), 0);
}

// Narrows [*enter, *leave], part of the ray, to where it is from `low` to `high` on one axis.
static bool clip_to_slab(float from, float speed, float low, float high, float *enter,
                         float *leave) {
    if (speed == 0)
        return from >= low && from <= high;
    const float a = (low - from) / speed, b = (high - from) / speed;
    *enter = fmaxf(*enter, fminf(a, b));
    *leave = fminf(*leave, fmaxf(a, b));
    return *enter <= *leave;
}

float ct_ray_to_aabb(ct_ray ray, ct_aabb box) {
    float enter = 0, leave = INFINITY;
    if (ct_aabb_is_empty(box))
        return -1;
    for (uint32_t i = 0; i < 3; ++i) {
        if (!clip_to_slab(ray.origin.raw[i], ray.direction.raw[i], box.min.raw[i], box.max.raw[i],
                          &enter, &leave))
            return -1;
    }
    return enter;
}

float ct_ray_to_obb(ct_ray ray, const ct_obb *box) {
    const ct_ray inside = {in_axes(box, ct_vec3_sub(ray.origin, box->center)),
                           in_axes(box, ray.direction)};
    return ct_ray_to_aabb(inside, (ct_aabb){ct_vec3_scale(box->half, -1), box->half});
}

float ct_ray_to_triangle(ct_ray ray, ct_vec3 a, ct_vec3 b, ct_vec3 c) {
    const ct_vec3 edge_b = ct_vec3_sub(b, a), edge_c = ct_vec3_sub(c, a);
    const ct_vec3 across = ct_vec3_cross(ray.direction, edge_c);
    const float determinant = ct_vec3_dot(edge_b, across);
    if (determinant == 0)
        return -1;
    const ct_vec3 way = ct_vec3_sub(ray.origin, a);
    const float u = ct_vec3_dot(way, across) / determinant;
    const ct_vec3 other = ct_vec3_cross(way, edge_b);
    const float v = ct_vec3_dot(ray.direction, other) / determinant;
    const float t = ct_vec3_dot(edge_c, other) / determinant;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : -1;
}
