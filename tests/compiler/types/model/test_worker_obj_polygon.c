// Polygons become triangles that cover them and nothing else; no input makes the cutter loop.
#include "compiler/types/model/worker_obj_polygon.h"

#include <math.h>

#include "support/test_support.h"

enum { MOST = CT_WORKER_OBJ_POLYGON_MAX };
static float points[2 * MOST][3];

static double twice_area(const float *a, const float *b, const float *c) {
    return ((double)b[0] - a[0]) * ((double)c[1] - a[1]) -
           ((double)b[1] - a[1]) * ((double)c[0] - a[0]);
}

// The area of the polygon's sides in x and y.
static double polygon_area(uint32_t count) {
    double area = 0;
    for (uint32_t i = 1; i + 1 < count; ++i)
        area += twice_area(points[0], points[i], points[i + 1]);
    return area / 2;
}

// Cuts the first points. Expects count - 2 triangles that all turn one way (`are_whole`: none of
// them without area) and whose sum is the polygon.
static void expect_cover(uint32_t count, bool are_whole) {
    ct_u32_array triangles;
    ct_array_init(&triangles, test_heap());
    assert_true(
        ct_worker_obj_polygon_cut(test_heap(), (const float(*)[3])points, count, &triangles));
    assert_int_equal(triangles.count, 3 * (count - 2));
    const double area = polygon_area(count), sign = area < 0 ? -1 : 1;
    double sum = 0;
    for (uint32_t i = 0; i < triangles.count; i += 3) {
        const uint32_t *const t = triangles.items + i;
        const double twice = sign * twice_area(points[t[0]], points[t[1]], points[t[2]]);
        assert_true(are_whole ? twice > 0 : twice >= 0);
        sum += twice / 2;
    }
    assert_true(fabs(sum - fabs(area)) <= 1e-5 * fabs(area));
    ct_array_free(&triangles);
}

static void set_points(const float (*from)[2], uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        points[i][0] = from[i][0];
        points[i][1] = from[i][1];
        points[i][2] = from[i][0] * 0.5f - from[i][1] * 0.25f; // a slope
    }
}

static void turn_around(uint32_t count) {
    for (uint32_t i = 0; i < count / 2; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            const float kept = points[i][k];
            points[i][k] = points[count - 1 - i][k];
            points[count - 1 - i][k] = kept;
        }
    }
}

static void covers_concave_polygons_both_ways_around(void **state) {
    (void)state;
    static const float arrow[][2] = {{2, 0}, {0, 2}, {-2, 0}, {0, 1}};
    static const float letter[][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1},
                                      {1, 2}, {3, 2}, {3, 3}, {0, 3}};
    static const float spiral[][2] = {{0, 0}, {9, 0}, {9, 9}, {2, 9}, {2, 4}, {5, 4},
                                      {5, 6}, {4, 6}, {4, 5}, {3, 5}, {3, 8}, {8, 8},
                                      {8, 1}, {1, 1}, {1, 9}, {0, 9}};
    static const struct {
        const float (*corners)[2];
        uint32_t count;
    } cases[] = {{arrow, 4}, {letter, 8}, {spiral, 16}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        set_points(cases[i].corners, cases[i].count);
        expect_cover(cases[i].count, true);
        turn_around(cases[i].count);
        expect_cover(cases[i].count, true);
    }
}

// A hole is joined to the outside by a side that is there twice.
static void covers_polygons_with_holes(void **state) {
    (void)state;
    static const float frame[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                                     {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    set_points(frame, 10);
    expect_cover(10, true);
}

static void keeps_corners_on_a_side(void **state) {
    (void)state;
    static const float square[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {0, 2}};
    set_points(square, 6);
    expect_cover(6, true);
}

static void covers_large_polygons(void **state) {
    (void)state;
    const double turn = 6.283185307179586;
    for (uint32_t i = 0; i < 2 * MOST; ++i) {
        points[i][0] = (float)(100 + cos(turn * i / (2 * MOST)));
        points[i][1] = (float)(100 + sin(turn * i / (2 * MOST)));
        points[i][2] = 0;
    }
    ct_u32_array triangles;
    ct_array_init(&triangles, test_heap());
    assert_true(ct_worker_obj_polygon_cut(test_heap(), (const float(*)[3])points, 2 * MOST,
                                          &triangles)); // convex but for what floats lose
    assert_int_equal(triangles.count, 3 * (2 * MOST - 2));
    triangles.count = 0;
    for (uint32_t i = 0; i < MOST + 1; ++i) {
        const double radius = i % 2 ? 1 : 0.5;
        points[i][0] = (float)(radius * cos(turn * i / MOST));
        points[i][1] = (float)(radius * sin(turn * i / MOST));
    }
    assert_false(
        ct_worker_obj_polygon_cut(test_heap(), (const float(*)[3])points, MOST + 1, &triangles));
    assert_int_equal(triangles.count, 0);
    ct_array_free(&triangles);
    expect_cover(MOST, true);
}

// Random corners cross each other: there is no right answer, but always one.
static void ends_with_any_corners(void **state) {
    (void)state;
    uint32_t random = 1;
    const float odd[] = {0, 0, 1, 2, NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-45f};
    for (uint32_t round = 0; round < 3000; ++round) {
        const uint32_t count = 3 + round % 40, kinds = round % 3 == 0 ? 10 : 4;
        for (uint32_t i = 0; i < count * 3; ++i) {
            random = random * 1664525 + 1013904223;
            points[i / 3][i % 3] = odd[(random >> 16) % kinds];
        }
        ct_u32_array triangles;
        ct_array_init(&triangles, test_heap());
        assert_true(
            ct_worker_obj_polygon_cut(test_heap(), (const float(*)[3])points, count, &triangles));
        assert_int_equal(triangles.count, 3 * (count - 2));
        for (uint32_t i = 0; i < triangles.count; ++i)
            assert_true(triangles.items[i] < count);
        ct_array_free(&triangles);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_concave_polygons_both_ways_around),
        cmocka_unit_test(covers_polygons_with_holes),
        cmocka_unit_test(keeps_corners_on_a_side),
        cmocka_unit_test(covers_large_polygons),
        cmocka_unit_test(ends_with_any_corners),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
