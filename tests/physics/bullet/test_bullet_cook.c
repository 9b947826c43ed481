// Cooked hulls and trees: corners, volumes, centres of mass, what is refused.
#include "physics/bullet/bullet_cook.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "support/test_support.h"

enum { MOST_POINTS = 4096 };

static const float PI = 3.14159265f;

typedef struct point_list {
    float at[3 * MOST_POINTS];
    uint32_t count;
} point_list;

static void add_point(point_list *list, ct_vec3 p) {
    assert_true(list->count < MOST_POINTS);
    memcpy(list->at + 3 * list->count++, p.raw, 3 * sizeof(float));
}

// Adds a grid of points over the faces of a box and inside it.
static void add_box(point_list *list, ct_vec3 half, ct_quat turn, ct_vec3 at, int cells) {
    for (int i = 0; i <= cells; ++i) {
        for (int k = 0; k <= cells; ++k) {
            for (int m = 0; m <= cells; ++m) {
                const float n = 2.0f / (float)cells;
                const ct_vec3 p = {{half.x * ((float)i * n - 1), half.y * ((float)k * n - 1),
                                    half.z * ((float)m * n - 1)}};
                add_point(list, ct_vec3_add(at, ct_quat_rotate(turn, p)));
            }
        }
    }
}

// Points spread evenly over a sphere.
static void add_sphere(point_list *list, uint32_t count, float radius) {
    for (uint32_t i = 0; i < count; ++i) {
        const float z = 1 - 2 * ((float)i + 0.5f) / (float)count, r = sqrtf(1 - z * z);
        const float angle = 2.3999632f * (float)i;
        add_point(list,
                  (ct_vec3){{radius * r * cosf(angle), radius * r * sinf(angle), radius * z}});
    }
}

static float farthest_corner(const ct_bullet_hull *hull, ct_vec3 direction) {
    float most = -1e30f;
    for (uint32_t i = 0; i < hull->num_points; ++i) {
        const float *const p = hull->points + 3 * i;
        most = fmaxf(most, direction.x * p[0] + direction.y * p[1] + direction.z * p[2]);
    }
    return most;
}

static void a_hull_has_only_corners(void **state) {
    (void)state;
    static point_list list;
    const ct_vec3 half = {{1, 2, 0.5f}}, at = {{3, -4, 5}};
    const ct_quat turns[2] = {{{0, 0, 0, 1}}, {{0.18257419f, 0.36514837f, 0.5477226f, 0.7302967f}}};
    for (int i = 0; i < 2; ++i) {
        list.count = 0;
        add_box(&list, half, turns[i], at, 8);
        ct_bullet_hull hull;
        assert_true(ct_bullet_cook_hull(test_heap(), list.at, list.count, 64, &hull));
        assert_int_equal(hull.num_points, 8);
        assert_true(fabsf(hull.volume - 8) < 1e-5f * 8);
        assert_true(ct_vec3_length(ct_vec3_sub(hull.center, at)) < 1e-5f);
        const ct_vec3 along = ct_quat_rotate(turns[i], (ct_vec3){{0, 1, 0}});
        assert_true(fabsf(farthest_corner(&hull, along) - half.y) < 1e-5f);
        ct_free(test_heap(), hull.points);
    }
}

static void a_tetrahedron_balances_at_the_mean_of_its_corners(void **state) {
    (void)state;
    const float corners[] = {100, 0, 0, 103, 0, 0, 100, 2, 0, 100, 0, 1, 100.2f, 0.2f, 0.2f};
    ct_bullet_hull hull;
    assert_true(ct_bullet_cook_hull(test_heap(), corners, 5, 4, &hull));
    assert_int_equal(hull.num_points, 4);
    assert_true(fabsf(hull.volume - 1) < 1e-5f); // 3 * 2 * 1 / 6
    assert_true(fabsf(hull.center.x - 100.75f) < 1e-4f);
    assert_true(fabsf(hull.center.y - 0.5f) < 1e-5f);
    assert_true(fabsf(hull.center.z - 0.25f) < 1e-5f);
    ct_free(test_heap(), hull.points);
}

static void a_hull_with_few_corners_is_nearly_as_large(void **state) {
    (void)state;
    static point_list list;
    list.count = 0;
    add_sphere(&list, 3000, 2);
    float before = 0;
    for (uint32_t most = 8; most <= 256; most *= 2) {
        ct_bullet_hull hull;
        assert_true(ct_bullet_cook_hull(test_heap(), list.at, list.count, most, &hull));
        assert_int_equal(hull.num_points, most);
        assert_true(hull.volume > before);
        before = hull.volume;
        assert_true(ct_vec3_length(hull.center) < (most < 64 ? 0.3f : 0.05f));
        if (most == 64) // the best polyhedra with 64 corners have about 0.9 of the sphere
            assert_true(hull.volume > 0.85f * 4 / 3 * PI * 8);
        ct_free(test_heap(), hull.points);
    }
    assert_true(before > 0.95f * 4 / 3 * PI * 8);
}

static void thin_plates_keep_their_thickness(void **state) {
    (void)state;
    static point_list list;
    const ct_quat turn = {{0.18257419f, 0.36514837f, 0.5477226f, 0.7302967f}};
    list.count = 0;
    add_box(&list, (ct_vec3){{5, 5, 0.005f}}, turn, (ct_vec3){{0}}, 2);
    ct_bullet_hull hull;
    assert_true(ct_bullet_cook_hull(test_heap(), list.at, list.count, 64, &hull));
    assert_true(fabsf(hull.volume - 1) < 1e-3f);
    assert_int_equal(hull.num_points, 8);
    ct_free(test_heap(), hull.points);
}

static void flat_points_have_no_hull(void **state) {
    (void)state;
    static point_list list;
    ct_bullet_hull hull;
    const float one[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    const float line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0.1f, 0.1f, 0.1f};
    const float triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    assert_false(ct_bullet_cook_hull(test_heap(), one, 5, 64, &hull));
    assert_false(ct_bullet_cook_hull(test_heap(), line, 5, 64, &hull));
    assert_false(ct_bullet_cook_hull(test_heap(), triangle, 3, 64, &hull));
    assert_false(ct_bullet_cook_hull(test_heap(), triangle, 0, 64, &hull));
    list.count = 0;
    const ct_quat turn = {{0.18257419f, 0.36514837f, 0.5477226f, 0.7302967f}};
    add_box(&list, (ct_vec3){{5, 5, 0}}, turn, (ct_vec3){{1000, 1000, 1000}}, 4);
    assert_false(ct_bullet_cook_hull(test_heap(), list.at, list.count, 64, &hull));
    assert_null(hull.points);
}

static void the_same_points_give_the_same_hull(void **state) {
    (void)state;
    static point_list list;
    list.count = 0;
    add_sphere(&list, 1000, 1);
    ct_bullet_hull a, b;
    assert_true(ct_bullet_cook_hull(test_heap(), list.at, list.count, 32, &a));
    assert_true(ct_bullet_cook_hull(test_heap(), list.at, list.count, 32, &b));
    assert_int_equal(a.num_points, b.num_points);
    assert_memory_equal(a.points, b.points, 3 * sizeof(float) * a.num_points);
    assert_memory_equal(&a.center, &b.center, sizeof(a.center));
    ct_free(test_heap(), a.points);
    ct_free(test_heap(), b.points);
}

// --- Trees ---------------------------------------------------------------------------------------

enum { CELLS = 24, NUM_TRIANGLES = 2 * CELLS * CELLS };

static void make_ground(float *points, uint32_t *indices) {
    for (uint32_t y = 0; y <= CELLS; ++y) {
        for (uint32_t x = 0; x <= CELLS; ++x) {
            float *const p = points + 3 * (y * (CELLS + 1) + x);
            p[0] = (float)x, p[1] = (float)y, p[2] = sinf((float)x) * cosf((float)y);
        }
    }
    for (uint32_t i = 0; i < CELLS * CELLS; ++i) {
        const uint32_t at = i / CELLS * (CELLS + 1) + i % CELLS;
        const uint32_t two[6] = {at, at + 1, at + CELLS + 2, at, at + CELLS + 2, at + CELLS + 1};
        memcpy(indices + (size_t)6 * i, two, sizeof(two));
    }
}

static void a_tree_holds_every_triangle_once(void **state) {
    (void)state;
    static float points[3 * (CELLS + 1) * (CELLS + 1)];
    static uint32_t indices[3 * NUM_TRIANGLES];
    static bool seen[NUM_TRIANGLES];
    make_ground(points, indices);
    ct_bullet_tree tree;
    ct_bullet_cook_tree(test_heap(), points, (CELLS + 1) * (CELLS + 1), indices, 3 * NUM_TRIANGLES,
                        &tree);
    assert_int_equal(tree.num_nodes, 2 * NUM_TRIANGLES - 1);
    assert_int_equal(tree.nodes[0].next, -(int32_t)tree.num_nodes);
    for (uint32_t i = 0; i < tree.num_nodes; ++i) {
        const ct_bullet_tree_node *const node = &tree.nodes[i];
        for (int k = 0; k < 3; ++k)
            assert_true(node->least[k] <= node->most[k]);
        if (node->next < 0) {
            assert_true(i + (uint32_t)-node->next <= tree.num_nodes);
            continue;
        }
        assert_true(node->next < NUM_TRIANGLES && !seen[node->next]);
        seen[node->next] = true;
        for (int c = 0; c < 3; ++c) {
            for (int k = 0; k < 3; ++k) {
                const float at =
                    (points[3 * indices[3 * node->next + c] + (uint32_t)k] - tree.least[k]) *
                    tree.steps[k];
                assert_true(at >= (float)node->least[k] - 1 && at <= (float)node->most[k] + 1);
            }
        }
    }
    ct_free(test_heap(), (void *)tree.nodes);
}

static void a_tree_of_nothing_is_empty(void **state) {
    (void)state;
    ct_bullet_tree tree;
    ct_bullet_cook_tree(test_heap(), NULL, 0, NULL, 0, &tree);
    assert_int_equal(tree.num_nodes, 0);
    const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t indices[] = {0, 1, 2};
    ct_bullet_cook_tree(test_heap(), points, 3, indices, 3, &tree);
    assert_int_equal(tree.num_nodes, 1);
    assert_int_equal(tree.nodes[0].next, 0);
    ct_free(test_heap(), (void *)tree.nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hull_has_only_corners),
        cmocka_unit_test(a_tetrahedron_balances_at_the_mean_of_its_corners),
        cmocka_unit_test(a_hull_with_few_corners_is_nearly_as_large),
        cmocka_unit_test(thin_plates_keep_their_thickness),
        cmocka_unit_test(flat_points_have_no_hull),
        cmocka_unit_test(the_same_points_give_the_same_hull),
        cmocka_unit_test(a_tree_holds_every_triangle_once),
        cmocka_unit_test(a_tree_of_nothing_is_empty),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
