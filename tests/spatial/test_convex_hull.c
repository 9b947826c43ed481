#include "spatial/convex_hull.h"

#include <math.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

static ct_vec3 corner_of(const ct_convex_hull *h, uint32_t triangle, uint32_t k) {
    return h->points.items[h->triangles.items[3 * triangle + k]];
}

// The distance by which `p` is outside, in lengths of normals; negative inside.
static float outside(const ct_convex_hull *h, ct_vec3 p) {
    float most = -1e30f;
    for (uint32_t i = 0; i < h->planes.count; ++i) {
        const ct_vec4 n = h->planes.items[i];
        most = fmaxf(most, n.x * p.x + n.y * p.y + n.z * p.z - n.w);
    }
    return most;
}

// A sixth of what the triangles span: the volume, when they are closed and face outwards.
static float enclosed(const ct_convex_hull *h) {
    float sum = 0;
    for (uint32_t i = 0; i < h->triangles.count / 3; ++i)
        sum +=
            ct_vec3_dot(corner_of(h, i, 0), ct_vec3_cross(corner_of(h, i, 1), corner_of(h, i, 2)));
    return sum / 6;
}

// A closed surface of triangles has as many edges as 3/2 of them, and Euler's formula holds.
static void expect_closed(const ct_convex_hull *h) {
    const uint32_t triangles = h->triangles.count / 3;
    assert_int_equal(2 * h->points.count, triangles + 4);
    for (uint32_t i = 0; i < 3 * triangles; ++i) {
        const uint32_t from = h->triangles.items[i],
                       to = h->triangles.items[i % 3 == 2 ? i - 2 : i + 1];
        uint32_t num_back = 0;
        for (uint32_t k = 0; k < 3 * triangles; ++k)
            num_back += h->triangles.items[k] == to &&
                        h->triangles.items[k % 3 == 2 ? k - 2 : k + 1] == from;
        assert_int_equal(num_back, 1);
    }
}

static void a_box_has_six_planes_and_its_volume(void **state) {
    (void)state;
    ct_vec3 points[27];
    uint32_t count = 0; // the corners, the middles of all edges and sides, and the centre
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = -1; z <= 1; ++z)
                points[count++] = ct_vec3_make((float)x * 2, (float)y * 3, (float)z * 4);
        }
    }
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    assert_int_equal(ct_convex_hull_build(&h, points, count), CT_CONVEX_HULL_DONE);
    assert_int_equal(h.planes.count, 6);
    assert_float_equal(enclosed(&h), 4 * 6 * 8, 1e-3);
    expect_closed(&h);
    assert_float_equal(outside(&h, ct_vec3_make(2, 0, 0)), 0, 1e-5);
    assert_float_equal(outside(&h, ct_vec3_make(0, 0, 5)), 1, 1e-5);
    ct_convex_hull_free(&h);
}

// Every point is behind every plane, and every plane has a triangle on it.
static void hulls_of_random_points_contain_them(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(7, 0);
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    for (uint32_t round = 0; round < 200; ++round) {
        ct_vec3 points[CT_CONVEX_HULL_MAX_POINTS];
        const uint32_t count = 4 + ct_random_below(&r, round % 10 ? 40 : 253);
        const float size = powf(10, ct_random_float_range(&r, -3, 5));
        for (uint32_t i = 0; i < count; ++i) {
            // In a ball, on it, or on a coarse grid, where many are in one plane or the same.
            ct_vec3 p = ct_random_unit_vec3(&r);
            if (round % 3 == 0)
                p = ct_vec3_scale(p, ct_random_float(&r));
            for (uint32_t k = 0; k < 3 && round % 3 == 1; ++k)
                p.raw[k] = floorf(4 * p.raw[k]) / 4;
            points[i] = ct_vec3_scale(p, size);
        }
        if (ct_convex_hull_build(&h, points, count) == CT_CONVEX_HULL_FLAT)
            continue;
        expect_closed(&h);
        for (uint32_t i = 0; i < count; ++i)
            assert_true(outside(&h, points[i]) < 4e-6f * size);
        ct_vec3 center = {{0, 0, 0}};
        for (uint32_t i = 0; i < h.points.count; ++i)
            center =
                ct_vec3_add(center, ct_vec3_scale(h.points.items[i], 1.0f / (float)h.points.count));
        assert_true(outside(&h, center) < 0);
        assert_true(enclosed(&h) > 0);
    }
    ct_convex_hull_free(&h);
}

static void flat_points_have_no_hull(void **state) {
    (void)state;
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    ct_vec3 points[16];
    for (uint32_t i = 0; i < 16; ++i)
        points[i] = ct_vec3_make((float)(i % 4), (float)(i / 4), (float)(i % 4) + (float)(i / 4));
    assert_int_equal(ct_convex_hull_build(&h, points, 16), CT_CONVEX_HULL_FLAT); // a plane
    assert_int_equal(ct_convex_hull_build(&h, points, 4), CT_CONVEX_HULL_FLAT);  // a line
    assert_int_equal(ct_convex_hull_build(&h, points, 1), CT_CONVEX_HULL_FLAT);
    points[1] = points[2] = points[0];
    assert_int_equal(ct_convex_hull_build(&h, points, 3), CT_CONVEX_HULL_FLAT);
    assert_int_equal(h.planes.count + h.points.count + h.triangles.count, 0);
    ct_convex_hull_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_six_planes_and_its_volume),
        cmocka_unit_test(hulls_of_random_points_contain_them),
        cmocka_unit_test(flat_points_have_no_hull),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
