#include "foundation/math/math_bulk.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

enum { MOST = 70, GUARD = 0x5a };

static float between(ct_random *r, float low, float high) {
    return ct_random_float_range(r, low, high);
}

static ct_vec3 random_point(ct_random *r, float size) {
    const float x = between(r, -size, size), y = between(r, -size, size);
    return ct_vec3_make(x, y, between(r, -size, size));
}

static ct_frustum random_frustum(ct_random *r) {
    const ct_mat4 camera =
        ct_mat4_compose(random_point(r, 10), ct_random_quat(r), ct_vec3_make(1, 1, 1));
    const ct_mat4 projection = ct_random_below(r, 2) ? ct_mat4_perspective(1.2f, 1.5f, 0.5f, 30)
                                                     : ct_mat4_orthographic(-5, 6, -3, 4, 0.5f, 30);
    const ct_mat4 to_clip = ct_mat4_mul(projection, ct_mat4_inverse(camera));
    return ct_frustum_from(&to_clip);
}

static void culls_spheres_as_one_by_one(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 1);
    static float spheres[MOST][4];
    uint8_t visible[MOST + 1];
    uint32_t num_seen = 0, num_culled = 0;
    for (uint32_t round = 0; round < test_rounds(3000, 100000); ++round) {
        const ct_frustum f = random_frustum(&r);
        const uint32_t count = ct_random_below(&r, MOST + 1);
        for (uint32_t i = 0; i < count; ++i) {
            const ct_vec3 center = random_point(&r, 25);
            memcpy(spheres[i], center.raw, sizeof(center.raw));
            spheres[i][3] = between(&r, -0.5f, 5);
        }
        memset(visible, GUARD, sizeof(visible));
        ct_frustum_cull_spheres(&f, (const float(*)[4])spheres, count, visible);
        for (uint32_t i = 0; i < count; ++i) {
            const ct_sphere sphere = {ct_vec3_make(spheres[i][0], spheres[i][1], spheres[i][2]),
                                      spheres[i][3]};
            assert_int_equal(visible[i], ct_frustum_intersects_sphere(&f, sphere));
            num_seen += visible[i];
            num_culled += !visible[i];
        }
        assert_int_equal(visible[count], GUARD);
    }
    assert_true(num_seen > 1000 && num_culled > 1000);
}

static void culls_boxes_as_one_by_one(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(2, 2);
    static float bounds[6][MOST];
    const ct_aabb_arrays boxes = {bounds[0], bounds[1], bounds[2], bounds[3], bounds[4], bounds[5]};
    uint8_t visible[MOST + 1];
    uint32_t num_seen = 0, num_culled = 0;
    for (uint32_t round = 0; round < test_rounds(3000, 100000); ++round) {
        const ct_frustum f = random_frustum(&r);
        const uint32_t count = ct_random_below(&r, MOST + 1);
        for (uint32_t i = 0; i < count; ++i) {
            const ct_vec3 min = random_point(&r, 25);
            for (uint32_t k = 0; k < 3; ++k) {
                bounds[k][i] = min.raw[k];
                bounds[k + 3][i] = min.raw[k] + between(&r, -0.2f, 6); // some are empty
            }
        }
        memset(visible, GUARD, sizeof(visible));
        ct_frustum_cull_aabbs(&f, &boxes, count, visible);
        for (uint32_t i = 0; i < count; ++i) {
            const ct_aabb box = {ct_vec3_make(bounds[0][i], bounds[1][i], bounds[2][i]),
                                 ct_vec3_make(bounds[3][i], bounds[4][i], bounds[5][i])};
            assert_int_equal(visible[i], ct_frustum_intersects_aabb(&f, box));
            num_seen += visible[i];
            num_culled += !visible[i];
        }
        assert_int_equal(visible[count], GUARD);
    }
    assert_true(num_seen > 1000 && num_culled > 1000);
}

// The plain formulas in double precision.
static double entry(const ct_mat4 *m, uint32_t row, uint32_t column) {
    return (double)m->col[column].raw[row];
}

static void expect_near(ct_vec3 got, const double expected[3], double tolerance) {
    for (uint32_t i = 0; i < 3; ++i)
        assert_true(fabs((double)got.raw[i] - expected[i]) <= tolerance);
}

static void transforms_points_and_directions(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(3, 3);
    ct_vec3 from[MOST], points[MOST + 1], directions[MOST];
    for (uint32_t round = 0; round < test_rounds(300, 10000); ++round) {
        const ct_mat4 m =
            ct_mat4_compose(random_point(&r, 10), ct_random_quat(&r), random_point(&r, 2));
        const uint32_t count = ct_random_below(&r, MOST + 1);
        for (uint32_t i = 0; i < count; ++i)
            points[i] = from[i] = random_point(&r, 10);
        points[count] = ct_vec3_make(1, 2, 3);
        ct_mat4_transform_directions(&m, points, directions, count);
        ct_mat4_transform_points(&m, points, points, count); // in place
        for (uint32_t i = 0; i < count; ++i) {
            double expected[3];
            for (uint32_t row = 0; row < 3; ++row) {
                expected[row] = 0;
                for (uint32_t k = 0; k < 3; ++k)
                    expected[row] += entry(&m, row, k) * (double)from[i].raw[k];
            }
            expect_near(directions[i], expected, 1e-5);
            for (uint32_t row = 0; row < 3; ++row)
                expected[row] += entry(&m, row, 3);
            expect_near(points[i], expected, 1e-5);
        }
        assert_true(points[count].x == 1 && points[count].y == 2 && points[count].z == 3);
    }
}

static void expect_same_matrix(const ct_mat4 *got, const ct_mat4 *expected, float tolerance) {
    for (uint32_t i = 0; i < 16; ++i)
        assert_true(fabsf(got->col[i / 4].raw[i % 4] - expected->col[i / 4].raw[i % 4]) <=
                    tolerance);
}

static void composes_as_one_by_one(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(4, 4);
    static ct_vec3 positions[MOST], scales[MOST];
    static ct_quat rotations[MOST];
    static ct_mat4 results[MOST + 1];
    for (uint32_t round = 0; round < test_rounds(300, 10000); ++round) {
        const uint32_t count = ct_random_below(&r, MOST + 1);
        for (uint32_t i = 0; i < count; ++i) {
            positions[i] = random_point(&r, 100);
            rotations[i] = ct_random_quat(&r);
            scales[i] = random_point(&r, 3);
        }
        memset(results, GUARD, sizeof(results));
        ct_mat4_compose_many(positions, rotations, scales, results, count);
        for (uint32_t i = 0; i < count; ++i) {
            const ct_mat4 expected = ct_mat4_compose(positions[i], rotations[i], scales[i]);
            expect_same_matrix(&results[i], &expected, 3e-6f);
            const ct_mat4 one = ct_mat4_compose_one(positions[i], rotations[i], scales[i]);
            assert_memory_equal(&results[i], &one, sizeof(one));
        }
        for (uint32_t i = 0; i < sizeof(ct_mat4); ++i)
            assert_int_equal(((const uint8_t *)&results[count])[i], GUARD);
    }
}

static void multiplies_many_by_one(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(5, 5);
    static ct_mat4 b[MOST], results[MOST];
    const ct_mat4 a = ct_mat4_mul(
        ct_mat4_perspective(1, 1.5f, 0.1f, 100),
        ct_mat4_compose(random_point(&r, 5), ct_random_quat(&r), ct_vec3_make(1, 1, 1)));
    for (uint32_t i = 0; i < MOST; ++i)
        b[i] = ct_mat4_compose(random_point(&r, 5), ct_random_quat(&r), random_point(&r, 2));
    ct_mat4_mul_many(&a, b, results, MOST);
    for (uint32_t i = 0; i < MOST; ++i) {
        for (uint32_t row = 0; row < 4; ++row) {
            for (uint32_t column = 0; column < 4; ++column) {
                double sum = 0;
                for (uint32_t k = 0; k < 4; ++k)
                    sum += entry(&a, row, k) * entry(&b[i], k, column);
                assert_true(fabs(entry(&results[i], row, column) - sum) < 2e-5);
            }
        }
    }
    ct_mat4_mul_many(&a, b, b, MOST); // in place
    assert_memory_equal(b, results, sizeof(b));
}

static void finds_the_box_around_points(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(6, 6);
    ct_vec3 points[MOST];
    assert_true(ct_aabb_is_empty(ct_aabb_around_points(NULL, 0)));
    for (uint32_t count = 1; count <= MOST; ++count) {
        ct_aabb expected = ct_aabb_empty();
        for (uint32_t i = 0; i < count; ++i) {
            points[i] = random_point(&r, 9);
            expected = ct_aabb_add_point(expected, points[i]);
        }
        const ct_aabb got = ct_aabb_around_points(points, count);
        assert_memory_equal(&got, &expected, sizeof(got));
    }
}

static uint64_t mixed(uint64_t hash, const void *bytes, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// The bits of these results are the same from gcc and clang, optimised or not; lockstep games and
// golden pictures rest on it. Nothing here calls the C library but for square roots.
static void gives_the_same_bits_in_every_build(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(7, 7);
    static ct_vec3 positions[MOST], scales[MOST], moved[MOST];
    static ct_quat rotations[MOST];
    static ct_mat4 poses[MOST];
    for (uint32_t i = 0; i < MOST; ++i) {
        positions[i] = random_point(&r, 100);
        rotations[i] = ct_random_quat(&r);
        scales[i] = random_point(&r, 3);
    }
    ct_mat4_compose_many(positions, rotations, scales, poses, MOST);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < MOST; ++i) {
        const ct_mat4 inverse = ct_mat4_inverse_affine(&poses[i]);
        ct_mat4_transform_points(&inverse, positions, moved, MOST);
        hash = mixed(hash, moved, sizeof(moved));
        ct_vec3 position, scale;
        ct_quat rotation;
        ct_mat4_decompose(&poses[i], &position, &rotation, &scale);
        hash = mixed(hash, &rotation, sizeof(rotation));
        hash = mixed(hash, &scale, sizeof(scale));
    }
    ct_mat4_mul_many(&poses[0], poses, poses, MOST);
    hash = mixed(hash, poses, sizeof(poses));
    if (hash != UINT64_C(0x8e02873cee73d24a))
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(culls_spheres_as_one_by_one),
        cmocka_unit_test(culls_boxes_as_one_by_one),
        cmocka_unit_test(transforms_points_and_directions),
        cmocka_unit_test(composes_as_one_by_one),
        cmocka_unit_test(multiplies_many_by_one),
        cmocka_unit_test(finds_the_box_around_points),
        cmocka_unit_test(gives_the_same_bits_in_every_build),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
