#include "compiler/types/navigation/worker_navigation_shapes.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "physics/bullet/bullet.h"
#include "physics/bullet/bullet_cook.h"
#include "spatial/convex_hull.h"

enum {
    ROUND = 16, // corners around a capsule or a cylinder
    RINGS = 8,  // of a ball from pole to pole
    MOST_HULL_POINTS = 64,
};

static const float FARTHEST = 1e5f; // from the origin, metres: floats are too coarse beyond

static void push(ct_worker_navigation_triangles *triangles, ct_vec3 a, ct_vec3 b, ct_vec3 c) {
    ct_array_push(triangles, (ct_worker_navigation_triangle){
                                 {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}});
}

static ct_vec3 point_of(const float at[3]) {
    return ct_vec3_make(at[0], at[1], at[2]);
}

// --- Shapes --------------------------------------------------------------------------------------

// Appends the triangles of a hull that is made of few points.
static void add_small_hull(ct_allocator *a, const ct_vec3 *points, uint32_t count,
                           ct_worker_navigation_triangles *triangles) {
    ct_convex_hull hull;
    ct_convex_hull_init(&hull, a);
    ct_convex_hull_build(&hull, points, count);
    const ct_vec3 *const p = hull.points.items;
    for (uint32_t i = 0; i < hull.triangles.count; i += 3)
        push(triangles, p[hull.triangles.items[i]], p[hull.triangles.items[i + 1]],
             p[hull.triangles.items[i + 2]]);
    ct_convex_hull_free(&hull);
}

void ct_worker_navigation_add_hull(ct_worker_navigation *n, const ct_vec3 *points, uint32_t count,
                                   ct_worker_navigation_triangles *triangles) {
    ct_allocator *const a = n->compile->blob.bytes.allocator;
    ct_vec3 few[MOST_HULL_POINTS];
    ct_bullet_hull hull;
    float *const all = ct_alloc(a, 12ull * (count ? count : 1));
    for (uint32_t i = 0; i < count; ++i)
        memcpy(all + 3 * (uint64_t)i, &points[i], 12);
    ct_bullet_init(a);
    const bool is_hull = count > 3 && ct_bullet_cook_hull(a, all, count, MOST_HULL_POINTS, &hull);
    ct_bullet_quit();
    ct_free(a, all);
    if (!is_hull)
        return;
    const uint32_t num_few =
        hull.num_points < MOST_HULL_POINTS ? hull.num_points : MOST_HULL_POINTS;
    for (uint32_t i = 0; i < num_few; ++i)
        few[i] = ct_vec3_add(hull.center, point_of(hull.points + 3 * (uint64_t)i));
    ct_free(a, hull.points);
    add_small_hull(n->compile->allocator, few, num_few, triangles);
}

void ct_worker_navigation_add_box(const ct_mat4 *pose, ct_vec3 half,
                                  ct_worker_navigation_triangles *triangles) {
    static const uint8_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    ct_vec3 p[8];
    for (uint32_t i = 0; i < 8; ++i)
        p[i] = ct_mat4_transform_point(*pose, ct_vec3_make(i & 1 ? half.x : -half.x,
                                                           i & 2 ? half.y : -half.y,
                                                           i & 4 ? half.z : -half.z));
    for (uint32_t i = 0; i < 6; ++i) {
        push(triangles, p[sides[i][0]], p[sides[i][1]], p[sides[i][2]]);
        push(triangles, p[sides[i][0]], p[sides[i][2]], p[sides[i][3]]);
    }
}

// Appends what turns around z: rings of these radii at these heights, from the lowest up.
static void add_rings(const ct_mat4 *pose, const float *radii, const float *heights, uint32_t count,
                      ct_worker_navigation_triangles *triangles) {
    for (uint32_t i = 0; i < ROUND; ++i) {
        const float a = 6.2831853f * (float)i / ROUND, b = 6.2831853f * (float)(i + 1) / ROUND;
        const float ca = cosf(a), sa = sinf(a), cb = i + 1 < ROUND ? cosf(b) : 1,
                    sb = i + 1 < ROUND ? sinf(b) : 0;
        for (uint32_t k = 0; k + 1 < count; ++k) {
            const float r = radii[k], s = radii[k + 1], z = heights[k], w = heights[k + 1];
            const ct_vec3 p[4] = {ct_mat4_transform_point(*pose, ct_vec3_make(r * ca, r * sa, z)),
                                  ct_mat4_transform_point(*pose, ct_vec3_make(r * cb, r * sb, z)),
                                  ct_mat4_transform_point(*pose, ct_vec3_make(s * cb, s * sb, w)),
                                  ct_mat4_transform_point(*pose, ct_vec3_make(s * ca, s * sa, w))};
            if (r > 0)
                push(triangles, p[0], p[1], p[2]);
            if (s > 0)
                push(triangles, p[0], p[2], p[3]);
        }
    }
}

// Half balls around both ends of a straight part, which is 0 high for a ball.
static void add_capsule(const ct_mat4 *pose, float radius, float straight,
                        ct_worker_navigation_triangles *triangles) {
    float radii[RINGS + 2], heights[RINGS + 2];
    for (uint32_t i = 0; i < RINGS + 2; ++i) {
        const uint32_t ring = i <= RINGS / 2 ? i : i - 1;
        const float angle = 3.14159265f * (float)ring / RINGS;
        const bool is_pole = ring == 0 || ring == RINGS;
        radii[i] = is_pole ? 0 : radius * sinf(angle);
        heights[i] = -radius * cosf(angle) + (i <= RINGS / 2 ? -straight / 2 : straight / 2);
    }
    add_rings(pose, radii, heights, RINGS + 2, triangles);
}

void ct_worker_navigation_add_ball(const ct_mat4 *pose, float radius,
                                   ct_worker_navigation_triangles *triangles) {
    add_capsule(pose, radius, 0, triangles);
}

static void add_cylinder(const ct_mat4 *pose, float radius, float height,
                         ct_worker_navigation_triangles *triangles) {
    const float radii[4] = {0, radius, radius, 0};
    const float heights[4] = {-height / 2, -height / 2, height / 2, height / 2};
    add_rings(pose, radii, heights, 4, triangles);
}

// --- Pieces --------------------------------------------------------------------------------------

// Whether a pose turns triangles inside out.
static bool is_mirrored(const ct_mat4 *m) {
    const ct_vec3 x = ct_vec3_make(m->col[0].x, m->col[0].y, m->col[0].z);
    const ct_vec3 y = ct_vec3_make(m->col[1].x, m->col[1].y, m->col[1].z);
    const ct_vec3 z = ct_vec3_make(m->col[2].x, m->col[2].y, m->col[2].z);
    return ct_vec3_dot(ct_vec3_cross(x, y), z) < 0;
}

// Whether all corners are within the range of levels, and the triangle has an area.
static bool is_good(const ct_vec3 p[3]) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (!(fabsf(p[i].x) <= FARTHEST && fabsf(p[i].y) <= FARTHEST && fabsf(p[i].z) <= FARTHEST))
            return false;
    }
    const ct_vec3 normal = ct_vec3_cross(ct_vec3_sub(p[1], p[0]), ct_vec3_sub(p[2], p[0]));
    return ct_vec3_dot(normal, normal) > 0;
}

void ct_worker_navigation_add_triangles(ct_worker_navigation *n,
                                        const ct_worker_navigation_triangles *triangles,
                                        bool is_solid, const ct_mat4 *pose) {
    const uint32_t first = is_mirrored(pose) ? 2 : 1, second = 3 - first;
    ct_worker_navigation_piece piece = {.kind = is_solid ? CT_WORKER_NAVIGATION_SOLID
                                                         : CT_WORKER_NAVIGATION_SURFACE,
                                        .first_triangle = n->triangles.count,
                                        .bounds = ct_aabb_empty()};
    for (uint32_t i = 0; i < triangles->count; ++i) {
        const ct_worker_navigation_triangle *const t = &triangles->items[i];
        const ct_vec3 p[3] = {ct_mat4_transform_point(*pose, point_of(t->at[0])),
                              ct_mat4_transform_point(*pose, point_of(t->at[first])),
                              ct_mat4_transform_point(*pose, point_of(t->at[second]))};
        if (!is_good(p))
            continue;
        push(&n->triangles, p[0], p[1], p[2]);
        for (uint32_t k = 0; k < 3; ++k)
            piece.bounds = ct_aabb_add_point(piece.bounds, p[k]);
    }
    piece.num_triangles = n->triangles.count - piece.first_triangle;
    if (piece.num_triangles > 0)
        ct_array_push(&n->pieces, piece);
}

void ct_worker_navigation_add_simple(ct_worker_navigation *n, const ct_actor_shape_data *shape,
                                     const ct_mat4 *pose) {
    const ct_mat4 identity = ct_mat4_identity();
    ct_worker_navigation_triangles triangles;
    ct_array_init(&triangles, n->compile->allocator);
    switch (shape->type) {
    case CT_ACTOR_SHAPE_BOX:
        ct_worker_navigation_add_box(&identity, point_of(shape->half_size), &triangles);
        break;
    case CT_ACTOR_SHAPE_SPHERE:
        ct_worker_navigation_add_ball(&identity, shape->radius, &triangles);
        break;
    case CT_ACTOR_SHAPE_CAPSULE:
        add_capsule(&identity, shape->radius, fmaxf(shape->height - 2 * shape->radius, 0),
                    &triangles);
        break;
    case CT_ACTOR_SHAPE_CYLINDER:
        add_cylinder(&identity, shape->radius, shape->height, &triangles);
        break;
    default: // a plane
        ct_array_push(&n->pieces, (ct_worker_navigation_piece){.kind = CT_WORKER_NAVIGATION_PLANE,
                                                               .pose = *pose});
        return;
    }
    ct_worker_navigation_add_triangles(n, &triangles, true, pose);
}
