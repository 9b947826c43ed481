// Meshes split into hulls: what is covered, the bounds, what cannot be split.
#include "physics/bullet/bullet_cook.h"

#include <math.h>
#include <string.h>

#include "support/test_support.h"

enum { MOST_HULLS = 64, MOST_CORNERS = 4096 };

typedef struct test_mesh {
    float points[3 * MOST_CORNERS];
    uint32_t indices[6 * MOST_CORNERS];
    uint32_t num_points, num_indices;
} test_mesh;

static const float PI = 3.14159265f;

static void add_box(test_mesh *m, ct_vec3 least, ct_vec3 most) {
    static const uint32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (uint32_t i = 0; i < 36; ++i)
        m->indices[m->num_indices++] = m->num_points + faces[i];
    for (uint32_t i = 0; i < 8; ++i) {
        float *const p = m->points + 3 * m->num_points++;
        for (uint32_t k = 0; k < 3; ++k)
            p[k] = i >> k & 1 ? most.raw[k] : least.raw[k];
    }
}

// A ring of radius 2 around z, 0.5 thick.
static void make_torus(test_mesh *m, uint32_t around, uint32_t across) {
    m->num_points = m->num_indices = 0;
    for (uint32_t i = 0; i < around; ++i) {
        for (uint32_t k = 0; k < across; ++k) {
            const float a = 2 * PI * (float)i / (float)around,
                        b = 2 * PI * (float)k / (float)across;
            float *const p = m->points + 3 * m->num_points++;
            p[0] = (2 + 0.5f * cosf(b)) * cosf(a);
            p[1] = (2 + 0.5f * cosf(b)) * sinf(a);
            p[2] = 0.5f * sinf(b);
            const uint32_t i1 = (i + 1) % around, k1 = (k + 1) % across;
            const uint32_t quad[6] = {i * across + k, i1 * across + k,  i1 * across + k1,
                                      i * across + k, i1 * across + k1, i * across + k1};
            memcpy(m->indices + m->num_indices, quad, sizeof(quad));
            m->num_indices += 6;
        }
    }
}

static uint32_t split(const test_mesh *m, uint32_t most_hulls, float concavity,
                      ct_bullet_hull *hulls) {
    const ct_bullet_decompose_desc desc = {
        .most_hulls = most_hulls, .most_points = 32, .concavity = concavity};
    return ct_bullet_decompose(test_heap(), m->points, m->num_points, m->indices, m->num_indices,
                               &desc, hulls);
}

static float free_hulls(ct_bullet_hull *hulls, uint32_t count) {
    float volume = 0;
    for (uint32_t i = 0; i < count; ++i) {
        assert_in_range(hulls[i].num_points, 4, 32);
        volume += hulls[i].volume;
        ct_free(test_heap(), hulls[i].points);
    }
    return volume;
}

static void a_ring_keeps_its_hole(void **state) {
    (void)state;
    static test_mesh m;
    static ct_bullet_hull hulls[MOST_HULLS];
    make_torus(&m, 40, 20);
    const uint32_t count = split(&m, 24, 0.05f, hulls);
    assert_in_range(count, 6, 24);
    for (uint32_t i = 0; i < count; ++i) // none reaches over the hole
        assert_true(hypotf(hulls[i].center.x, hulls[i].center.y) > 1.2f);
    const float exact = 2 * PI * PI * 2 * 0.25f, volume = free_hulls(hulls, count);
    assert_true(volume > 0.85f * exact && volume < 1.4f * exact);
}

static void the_number_of_hulls_is_bounded(void **state) {
    (void)state;
    static test_mesh m;
    static ct_bullet_hull hulls[MOST_HULLS];
    make_torus(&m, 40, 20);
    for (uint32_t most = 1; most <= 16; most *= 4) {
        const uint32_t count = split(&m, most, 0.001f, hulls);
        assert_in_range(count, 1, most);
        free_hulls(hulls, count);
    }
}

static void separate_boxes_become_a_hull_each(void **state) {
    (void)state;
    static test_mesh m;
    static ct_bullet_hull hulls[MOST_HULLS];
    m.num_points = m.num_indices = 0;
    for (uint32_t i = 0; i < 5; ++i)
        add_box(&m, (ct_vec3){{4 * (float)i, 0, 0}}, (ct_vec3){{4 * (float)i + 1, 1, 1}});
    uint32_t count = split(&m, 16, 0.05f, hulls);
    assert_int_equal(count, 5);
    assert_true(fabsf(free_hulls(hulls, count) - 5) < 1e-3f);
    // Too few hulls: the nearest boxes share one.
    count = split(&m, 3, 0.05f, hulls);
    assert_int_equal(count, 3);
    assert_true(free_hulls(hulls, count) > 5);
}

static void a_box_stays_one_hull(void **state) {
    (void)state;
    static test_mesh m;
    static ct_bullet_hull hulls[MOST_HULLS];
    m.num_points = m.num_indices = 0;
    add_box(&m, (ct_vec3){{0, 0, 0}}, (ct_vec3){{2, 3, 4}});
    const uint32_t count = split(&m, 16, 0.05f, hulls);
    assert_int_equal(count, 1);
    assert_int_equal(hulls[0].num_points, 8);
    assert_true(fabsf(free_hulls(hulls, count) - 24) < 1e-4f);
}

static void flat_meshes_are_refused(void **state) {
    (void)state;
    static ct_bullet_hull hulls[MOST_HULLS];
    static test_mesh m;
    m.num_points = m.num_indices = 0;
    assert_int_equal(split(&m, 4, 0.1f, hulls), 0);
    add_box(&m, (ct_vec3){{0, 0, 0}}, (ct_vec3){{2, 3, 0}});
    assert_int_equal(split(&m, 4, 0.1f, hulls), 0);
    m.num_points = m.num_indices = 0;
    add_box(&m, (ct_vec3){{1, 1, 1}}, (ct_vec3){{1, 1, 1}});
    assert_int_equal(split(&m, 4, 0.1f, hulls), 0);
}

static void the_same_mesh_gives_the_same_hulls(void **state) {
    (void)state;
    static ct_bullet_hull a[MOST_HULLS], b[MOST_HULLS];
    static test_mesh m;
    make_torus(&m, 24, 12);
    const uint32_t count = split(&m, 12, 0.05f, a);
    assert_int_equal(split(&m, 12, 0.05f, b), count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(a[i].num_points, b[i].num_points);
        assert_memory_equal(a[i].points, b[i].points, 3 * sizeof(float) * a[i].num_points);
    }
    free_hulls(a, count);
    free_hulls(b, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_keeps_its_hole),
        cmocka_unit_test(the_number_of_hulls_is_bounded),
        cmocka_unit_test(separate_boxes_become_a_hull_each),
        cmocka_unit_test(a_box_stays_one_hull),
        cmocka_unit_test(flat_meshes_are_refused),
        cmocka_unit_test(the_same_mesh_gives_the_same_hulls),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
