#include "support/test_support.h"

#include <math.h>

#include "compiler/types/state_machine/worker_triangulation.h"
#include "foundation/math/random.h"

static double area(const ct_worker_point *p, const uint32_t *t) {
    const ct_worker_point a = p[t[0]], b = p[t[1]], c = p[t[2]];
    return 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

// Whether `d` is in the circle around a triangle, by the distance from its centre.
static bool is_in_circle(const ct_worker_point *p, const uint32_t *t, uint32_t d) {
    const ct_worker_point a = p[t[0]], b = p[t[1]], c = p[t[2]];
    const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
    const double w = 2 * (bx * cy - by * cx);
    const double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / w;
    const double uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / w;
    const double dx = p[d].x - a.x - ux, dy = p[d].y - a.y - uy;
    return sqrt(dx * dx + dy * dy) < sqrt(ux * ux + uy * uy) * (1 - 1e-6);
}

// The area inside the hull, by its edges, which go around it.
static double hull_area(const ct_worker_point *p, const ct_worker_triangulation *t) {
    double sum = 0;
    for (uint32_t i = 0; i < t->edges.count; ++i) {
        const ct_worker_point a = p[t->edges.items[i].points[0]];
        const ct_worker_point b = p[t->edges.items[i].points[1]];
        sum += 0.5 * (a.x * b.y - a.y * b.x);
    }
    return sum;
}

static void check(const ct_worker_point *p, uint32_t count) {
    ct_worker_triangulation t = ct_worker_triangulate(test_heap(), p, count);
    double sum = 0;
    bool is_used[64] = {false};
    for (uint32_t i = 0; i < t.triangles.count; ++i) {
        const uint32_t *const corners = t.triangles.items[i].points;
        assert_true(area(p, corners) > 0);
        sum += area(p, corners);
        for (uint32_t k = 0; k < 3; ++k)
            is_used[corners[k]] = true;
        for (uint32_t k = 0; k < count; ++k)
            assert_false(is_in_circle(p, corners, k));
    }
    for (uint32_t i = 0; i < count; ++i)
        assert_true(is_used[i]);
    // They cover the hull once: triangles, and edges by Euler's formula.
    assert_true(fabs(sum - hull_area(p, &t)) < 1e-9 * (1 + sum));
    assert_int_equal(t.triangles.count, 2 * count - 2 - t.edges.count);
    ct_array_free(&t.triangles);
    ct_array_free(&t.edges);
}

static void covers_the_hull_with_delaunay_triangles(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 1);
    for (uint32_t round = 0; round < 500; ++round) {
        ct_worker_point p[32];
        const uint32_t count = 3 + ct_random_below(&r, 30);
        for (uint32_t i = 0; i < count; ++i)
            p[i] = (ct_worker_point){ct_random_double(&r) * 4, ct_random_double(&r) * 4};
        check(p, count);
    }
}

static void takes_grids(void **state) {
    (void)state;
    ct_worker_point p[25];
    for (uint32_t size = 2; size <= 5; ++size) {
        for (uint32_t i = 0; i < size * size; ++i)
            p[i] = (ct_worker_point){(double)(i % size), (double)(i / size)};
        check(p, size * size);
    }
    // Eight directions around a centre: all on one circle.
    p[8] = (ct_worker_point){0, 0};
    for (uint32_t i = 0; i < 8; ++i)
        p[i] = (ct_worker_point){(double)(float)cos(i * 0.785398163397448),
                                 (double)(float)sin(i * 0.785398163397448)};
    check(p, 9);
}

static void joins_points_on_a_line(void **state) {
    (void)state;
    const ct_worker_point p[] = {{2, 4}, {0, 0}, {3, 6}, {1, 2}};
    ct_worker_triangulation t = ct_worker_triangulate(test_heap(), p, 4);
    assert_int_equal(t.triangles.count, 0);
    assert_int_equal(t.edges.count, 3);
    static const uint32_t order[] = {1, 3, 0, 2};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(t.edges.items[i].points[0], order[i]);
        assert_int_equal(t.edges.items[i].points[1], order[i + 1]);
    }
    ct_array_free(&t.triangles);
    ct_array_free(&t.edges);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_the_hull_with_delaunay_triangles),
        cmocka_unit_test(takes_grids),
        cmocka_unit_test(joins_points_on_a_line),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
