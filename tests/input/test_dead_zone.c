// Properties of dead zones, over many values.
#include "support/test_support.h"

#include <math.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "input/dead_zone.h"

static float length(ct_vec3 v) {
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static ct_vec3 apply(ct_dead_zone_mode mode, float size, float x, float y) {
    return ct_dead_zone_apply((ct_dead_zone){mode, size}, ct_vec3_make(x, y, 0));
}

static void raw_changes_nothing(void **state) {
    (void)state;
    const ct_vec3 v = apply(CT_DEAD_ZONE_MODE_RAW, 0.5f, 0.1f, -0.7f);
    assert_true(v.x == 0.1f && v.y == -0.7f && v.z == 0.0f);
}

static void gives_zero_inside_and_one_at_the_end(void **state) {
    (void)state;
    for (int i = 1; i < 99; ++i) {
        const float size = (float)i / 100.0f;
        assert_true(length(apply(CT_DEAD_ZONE_MODE_CIRCULAR, size, size * 0.7f, size * 0.7f)) == 0);
        assert_true(length(apply(CT_DEAD_ZONE_MODE_INDEPENDENT, size, size, -size)) == 0);
        assert_true(fabsf(apply(CT_DEAD_ZONE_MODE_CIRCULAR, size, -1, 0).x + 1) < 1e-6f);
        assert_true(fabsf(apply(CT_DEAD_ZONE_MODE_INDEPENDENT, size, 0, 1).y - 1) < 1e-6f);
    }
}

static void keeps_the_independent_components_apart(void **state) {
    (void)state;
    const ct_vec3 v = apply(CT_DEAD_ZONE_MODE_INDEPENDENT, 0.2f, 0.1f, -0.6f);
    assert_true(v.x == 0.0f);
    assert_true(fabsf(v.y + 0.5f) < 1e-6f);
}

static void circular_keeps_directions_and_stays_within_one(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(17, 0);
    for (int i = 0; i < 10000; ++i) {
        const float x = (float)ct_random_double(&r) * 2 - 1,
                    y = (float)ct_random_double(&r) * 2 - 1;
        const float size = (float)ct_random_double(&r) * 0.9f;
        const ct_vec3 v = apply(CT_DEAD_ZONE_MODE_CIRCULAR, size, x, y);
        assert_true(length(v) <= 1.0f + 1e-6f);
        assert_true(fabsf(v.x * y - v.y * x) < 1e-5f);
        assert_true(v.x * x >= 0 && v.y * y >= 0);
    }
}

static void grows_without_jumps(void **state) {
    (void)state;
    for (ct_dead_zone_mode mode = 0; mode < CT_NUM_DEAD_ZONE_MODES; ++mode) {
        float last = 0;
        for (int i = 0; i <= 1000; ++i) {
            const float value = apply(mode, 0.24f, (float)i / 1000.0f, 0).x;
            assert_true(value >= last && value - last < 0.002f);
            last = value;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_changes_nothing),
        cmocka_unit_test(gives_zero_inside_and_one_at_the_end),
        cmocka_unit_test(keeps_the_independent_components_apart),
        cmocka_unit_test(circular_keeps_directions_and_stays_within_one),
        cmocka_unit_test(grows_without_jumps),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
