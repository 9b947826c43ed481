#include "compiler/types/model/worker_matrix.h"

#include <math.h>
#include <string.h>

#include "foundation/math/random.h"
#include "support/test_support.h"

enum { SEED = 7 };

static void expect_near(const float *found, const float *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!(fabsf(found[i] - expected[i]) < 1e-4f))
            fail_msg("number %u is %g, expected %g", i, (double)found[i], (double)expected[i]);
    }
}

// The matrix of a pose.
static ct_worker_matrix matrix_of(const float position[3], const float q[4], const float scale[3]) {
    const float x = q[0], y = q[1], z = q[2], w = q[3];
    const float r[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    ct_worker_matrix m;
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 3; ++column)
            m.rows[row][column] = r[row][column] * scale[column];
        m.rows[row][3] = position[row];
    }
    return m;
}

static ct_worker_matrix random_pose(ct_random *random, bool is_mirrored) {
    float position[3], q[4], scale[3], length = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        q[i] = ct_random_float_range(random, -1, 1);
        length += q[i] * q[i];
    }
    for (uint32_t i = 0; i < 4; ++i)
        q[i] /= sqrtf(length);
    for (uint32_t i = 0; i < 3; ++i) {
        position[i] = ct_random_float_range(random, -10, 10);
        scale[i] = ct_random_float_range(random, 0.1f, 5);
    }
    scale[1] *= is_mirrored ? -1.0f : 1.0f;
    return matrix_of(position, q, scale);
}

static void a_pose_makes_its_matrix_again(void **state) {
    (void)state;
    ct_random random = ct_random_seeded(SEED, 0);
    for (uint32_t i = 0; i < 2000; ++i) {
        const ct_worker_matrix m = random_pose(&random, i % 2 == 1);
        float position[3], rotation[4], scale[3];
        assert_true(ct_worker_matrix_pose(&m, position, rotation, scale));
        assert_true((scale[0] < 0) == (i % 2 == 1) && scale[1] > 0 && scale[2] > 0);
        const ct_worker_matrix again = matrix_of(position, rotation, scale);
        expect_near(again.rows[0], m.rows[0], 12);
    }
}

static void a_half_turn_about_each_axis_is_a_pose(void **state) {
    (void)state;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        float q[4] = {0}, position[3] = {0}, rotation[4], scale[3] = {1, 1, 1};
        q[axis] = 1;
        const ct_worker_matrix m = matrix_of(position, q, scale);
        assert_true(ct_worker_matrix_pose(&m, position, rotation, scale));
        assert_true(fabsf(rotation[axis]) > 0.9999f);
    }
}

static void shear_is_told(void **state) {
    (void)state;
    const ct_worker_matrix m = {{{1, 0.5f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    float position[3], rotation[4], scale[3];
    assert_false(ct_worker_matrix_pose(&m, position, rotation, scale));
}

static void flat_and_empty_matrices_have_unit_rotations(void **state) {
    (void)state;
    static const ct_worker_matrix flat[] = {
        {{{0}}},
        {{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
        {{{0, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}},
        {{{1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}}},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(flat); ++i) {
        float position[3], q[4], scale[3];
        ct_worker_matrix_pose(&flat[i], position, q, scale);
        const float length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        expect_near(&length, &(float){1}, 1);
    }
}

static void products_do_the_second_first(void **state) {
    (void)state;
    ct_random random = ct_random_seeded(SEED, 1);
    for (uint32_t i = 0; i < 100; ++i) {
        const ct_worker_matrix a = random_pose(&random, false), b = random_pose(&random, true);
        const ct_worker_matrix both = ct_worker_matrix_multiply(&a, &b);
        const float v[3] = {1, -2, 0.5f};
        float by_b[3], expected[3], found[3];
        ct_worker_matrix_apply(&b, v, 1, by_b);
        ct_worker_matrix_apply(&a, by_b, 1, expected);
        ct_worker_matrix_apply(&both, v, 1, found);
        for (uint32_t k = 0; k < 3; ++k)
            assert_true(fabsf(found[k] - expected[k]) < 1e-3f);
    }
}

// A normal is at right angles to what lies in its plane, also after both were moved.
static void normals_stay_at_right_angles(void **state) {
    (void)state;
    ct_random random = ct_random_seeded(SEED, 2);
    for (uint32_t i = 0; i < 100; ++i) {
        const bool is_mirrored = i % 2 == 1;
        const ct_worker_matrix m = random_pose(&random, is_mirrored);
        float sign = 0, normal[3], along[3];
        const ct_worker_matrix n = ct_worker_matrix_normals(&m, &sign);
        assert_true(sign == (is_mirrored ? -1.0f : 1.0f));
        ct_worker_matrix_apply(&n, (const float[]){1, 2, 0}, 0, normal);
        ct_worker_matrix_apply(&m, (const float[]){2, -1, 3}, 0, along);
        const float dot = normal[0] * along[0] + normal[1] * along[1] + normal[2] * along[2];
        assert_true(fabsf(dot) < 1e-2f);
    }
}

static void numbers_that_are_none_are_found(void **state) {
    (void)state;
    ct_worker_matrix m = ct_worker_matrix_identity();
    assert_true(ct_worker_matrix_is_finite(&m));
    m.rows[2][3] = NAN;
    assert_false(ct_worker_matrix_is_finite(&m));
    m.rows[2][3] = -INFINITY;
    assert_false(ct_worker_matrix_is_finite(&m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_makes_its_matrix_again),
        cmocka_unit_test(a_half_turn_about_each_axis_is_a_pose),
        cmocka_unit_test(shear_is_told),
        cmocka_unit_test(flat_and_empty_matrices_have_unit_rotations),
        cmocka_unit_test(products_do_the_second_first),
        cmocka_unit_test(normals_stay_at_right_angles),
        cmocka_unit_test(numbers_that_are_none_are_found),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
