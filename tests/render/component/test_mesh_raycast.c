#include "render/component/mesh_raycast.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

enum { NUM_TRIANGLES = 24 };

// A blob as it lies in memory.
typedef struct ray_mesh {
    ct_mesh_resource resource;
    ct_mesh_vertex vertices[3 * NUM_TRIANGLES];
    uint32_t indices[3 * NUM_TRIANGLES];
    ct_mesh_part part;
    ct_mesh_packed_vertex packed[6];
} ray_mesh;

static float pick(ct_random *r, float least, float most) {
    return ct_random_float_range(r, least, most);
}

static ct_vec3 pick_vector(ct_random *r, float most) {
    return ct_vec3_make(pick(r, -most, most), pick(r, -most, most), pick(r, -most, most));
}

static void finish(ray_mesh *m, uint32_t num_triangles) {
    ct_aabb box = ct_aabb_empty();
    for (uint32_t i = 0; i < 3 * num_triangles; ++i) {
        const float *const p = m->vertices[m->indices[i]].position;
        box = ct_aabb_add_point(box, ct_vec3_make(p[0], p[1], p[2]));
    }
    memcpy(m->resource.bounds_min, box.min.raw, sizeof(box.min));
    memcpy(m->resource.bounds_max, box.max.raw, sizeof(box.max));
    m->resource.index_bytes = 4;
    m->resource.num_vertices = m->resource.num_indices = 3 * num_triangles;
    m->resource.vertices = (ct_blob_array){offsetof(ray_mesh, vertices), 3 * num_triangles};
    m->resource.indices = (ct_blob_array){offsetof(ray_mesh, indices), 3 * num_triangles};
    m->resource.parts = (ct_blob_array){offsetof(ray_mesh, part), 1};
    m->part.num_indices = 3 * num_triangles;
}

static void put(ray_mesh *m, uint32_t corner, ct_vec3 p) {
    memcpy(m->vertices[corner].position, p.raw, sizeof(p));
    m->indices[corner] = corner;
}

static ct_mat4 pick_pose(ct_random *r) {
    const ct_vec3 scale = ct_vec3_make(pick(r, 0.3f, 3) * (ct_random_below(r, 2) ? 1.0f : -1.0f),
                                       pick(r, 0.3f, 3), pick(r, 0.3f, 3));
    const ct_quat turn = ct_quat_axis_angle(
        ct_vec3_normalize(ct_vec3_add(pick_vector(r, 1), ct_vec3_make(0, 0, 2))), pick(r, 0, 6));
    return ct_mat4_compose(pick_vector(r, 20), turn, scale);
}

static bool is_mirrored(const ct_mat4 *pose) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(pose, &position, &rotation, &scale);
    return scale.x < 0;
}

// How far the point where the ray meets a triangle's plane lies inside the triangle, as its least
// share of the three corners; the plane is met at `t`.
static double share_of(ct_ray ray, const ct_vec3 c[3], double *t) {
    const ct_vec3 n = ct_vec3_cross(ct_vec3_sub(c[1], c[0]), ct_vec3_sub(c[2], c[0]));
    const double along = (double)ct_vec3_dot(n, ray.direction);
    *t = (double)ct_vec3_dot(n, ct_vec3_sub(c[0], ray.origin)) / along;
    if (fabs(along) < 1e-6 || *t < 0)
        return -1;
    const ct_vec3 p = ct_ray_at(ray, (float)*t);
    const double whole = (double)ct_vec3_dot(n, n);
    double least = 1;
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_vec3 part =
            ct_vec3_cross(ct_vec3_sub(c[(i + 1) % 3], p), ct_vec3_sub(c[(i + 2) % 3], p));
        least = fmin(least, (double)ct_vec3_dot(part, n) / whole);
    }
    return least;
}

// Property: the first triangle is the one that areas in the world say, but for rays through edges.
static void finds_the_first_triangle(void **state) {
    (void)state;
    static const double edge = 2e-3;
    ct_random r = ct_random_seeded(5, 3);
    uint32_t num_hits = 0;
    for (uint32_t round = 0; round < 3000; ++round) {
        static ray_mesh m;
        for (uint32_t i = 0; i < 3 * NUM_TRIANGLES; ++i)
            put(&m, i, pick_vector(&r, 4));
        finish(&m, NUM_TRIANGLES);
        const ct_mat4 pose = pick_pose(&r);
        const ct_vec3 target = ct_mat4_transform_point(pose, pick_vector(&r, 3));
        const ct_vec3 from = ct_vec3_add(target, pick_vector(&r, 15));
        const ct_ray ray = {from, ct_vec3_normalize(ct_vec3_sub(target, from))};
        const float longest = pick(&r, 1, 40);
        double sure = INFINITY, met[NUM_TRIANGLES], shares[NUM_TRIANGLES];
        ct_vec3 corners[NUM_TRIANGLES][3];
        for (uint32_t i = 0; i < NUM_TRIANGLES; ++i) {
            for (uint32_t k = 0; k < 3; ++k) {
                const float *const p = m.vertices[3 * i + k].position;
                corners[i][k] = ct_mat4_transform_point(pose, ct_vec3_make(p[0], p[1], p[2]));
            }
            shares[i] = share_of(ray, corners[i], &met[i]);
            if (shares[i] > edge && met[i] < (double)longest - 1e-3)
                sure = fmin(sure, met[i]);
        }
        ct_mesh_hit hit;
        if (!ct_mesh_raycast(&m.resource, &pose, ray, longest, &hit)) {
            assert_true(sure == INFINITY);
            continue;
        }
        ++num_hits;
        assert_true(hit.distance <= longest && (double)hit.distance < sure + 1e-2);
        assert_true(shares[hit.triangle] > -edge);
        assert_true(fabs(met[hit.triangle] - (double)hit.distance) < 1e-2);
        const ct_vec3 *const c = corners[hit.triangle];
        const ct_vec3 n =
            ct_vec3_normalize(ct_vec3_cross(ct_vec3_sub(c[1], c[0]), ct_vec3_sub(c[2], c[0])));
        assert_true(ct_vec3_dot(n, hit.normal) * (is_mirrored(&pose) ? -1.0f : 1.0f) > 0.99f);
    }
    assert_true(num_hits > 1000 && num_hits < 3000);
}

// A square of two triangles at z = 0, front side up.
static ray_mesh square(void) {
    ray_mesh m = {.resource = {.index_bytes = 4}};
    put(&m, 0, ct_vec3_make(-1, -1, 0));
    put(&m, 1, ct_vec3_make(1, -1, 0));
    put(&m, 2, ct_vec3_make(1, 1, 0));
    put(&m, 3, ct_vec3_make(-1, -1, 0));
    put(&m, 4, ct_vec3_make(1, 1, 0));
    put(&m, 5, ct_vec3_make(-1, 1, 0));
    finish(&m, 2);
    return m;
}

static void meets_both_sides_as_far_as_it_goes(void **state) {
    (void)state;
    const ray_mesh m = square();
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(0, 0, 2), ct_quat_identity(), ct_vec3_make(2, 2, 2));
    const ct_ray down = {{{1, -1, 5}}, {{0, 0, -1}}}, up = {{{-1, 1, 0}}, {{0, 0, 1}}};
    ct_mesh_hit hit = {0};
    assert_true(ct_mesh_raycast(&m.resource, &pose, down, 3, &hit));
    assert_true(hit.distance == 3 && hit.triangle == 0 && hit.normal.z == 1);
    assert_true(ct_mesh_raycast(&m.resource, &pose, up, 10, &hit));
    assert_true(hit.distance == 2 && hit.triangle == 1 && hit.normal.z == 1);
    assert_false(ct_mesh_raycast(&m.resource, &pose, down, 2.9f, &hit));
    const ct_ray beside = {{{2.5f, 0, 5}}, {{0, 0, -1}}}, away = {{{0, 0, 5}}, {{0, 0, 1}}};
    assert_false(ct_mesh_raycast(&m.resource, &pose, beside, 10, &hit));
    assert_false(ct_mesh_raycast(&m.resource, &pose, away, 10, &hit));
    assert_true(hit.distance == 2); // stayed
}

static void reads_short_indices(void **state) {
    (void)state;
    ray_mesh m = square();
    uint16_t indices[6];
    for (uint32_t i = 0; i < 6; ++i)
        indices[i] = (uint16_t)m.indices[i];
    memcpy(m.indices, indices, sizeof(indices));
    m.resource.index_bytes = 2;
    const ct_mat4 pose = ct_mat4_identity();
    const ct_ray down = {{{-0.5f, 0.5f, 5}}, {{0, 0, -1}}};
    ct_mesh_hit hit;
    assert_true(ct_mesh_raycast(&m.resource, &pose, down, 10, &hit));
    assert_int_equal(hit.triangle, 1);
}

static void reads_packed_vertices(void **state) {
    (void)state;
    ray_mesh m = square();
    m.resource.format = CT_MESH_FORMAT_PACKED;
    m.resource.vertices.offset = offsetof(ray_mesh, packed);
    m.resource.grid.point_scale = 32767.0f / 16384;
    for (uint32_t i = 0; i < 6; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            m.packed[i].position[k] = (int16_t)(m.vertices[i].position[k] * 16384);
    const ct_mat4 pose = ct_mat4_identity();
    const ct_ray down = {{{-0.5f, 0.5f, 5}}, {{0, 0, -1}}};
    ct_mesh_hit hit;
    assert_true(ct_mesh_raycast(&m.resource, &pose, down, 10, &hit));
    assert_true(hit.distance == 5 && hit.triangle == 1 && hit.normal.z == 1);
}

static void meets_the_full_level_of_detail_only(void **state) {
    (void)state;
    ray_mesh m = square();
    m.part.num_indices = 3; // the second triangle is of a coarser level
    const ct_mat4 pose = ct_mat4_identity();
    const ct_ray down = {{{-0.5f, 0.5f, 5}}, {{0, 0, -1}}};
    ct_mesh_hit hit;
    assert_false(ct_mesh_raycast(&m.resource, &pose, down, 10, &hit));
}

static void misses_what_is_flattened_to_nothing(void **state) {
    (void)state;
    const ray_mesh m = square();
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 0));
    const ct_ray down = {{{0.5f, 0, 5}}, {{0, 0, -1}}};
    ct_mesh_hit hit;
    assert_false(ct_mesh_raycast(&m.resource, &pose, down, 10, &hit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_first_triangle),
        cmocka_unit_test(meets_both_sides_as_far_as_it_goes),
        cmocka_unit_test(reads_short_indices),
        cmocka_unit_test(reads_packed_vertices),
        cmocka_unit_test(meets_the_full_level_of_detail_only),
        cmocka_unit_test(misses_what_is_flattened_to_nothing),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
