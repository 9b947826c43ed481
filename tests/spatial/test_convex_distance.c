// Distances of convex shapes against what formulas say.
#include <math.h>

#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "spatial/convex_distance.h"
#include "support/test_support.h"

static ct_vec3 farthest_of_point(const void *point, ct_vec3 direction) {
    (void)direction;
    return *(const ct_vec3 *)point;
}

static float between(ct_random *r, float least, float most) {
    return least + (most - least) * ct_random_float(r);
}

static float next(ct_random *r, float most) {
    return between(r, -most, most);
}

static ct_vec3 next_vector(ct_random *r, float most) {
    const float x = next(r, most), y = next(r, most);
    return ct_vec3_make(x, y, next(r, most));
}

static ct_quat next_rotation(ct_random *r) {
    ct_quat q;
    do {
        q = (ct_quat){{next(r, 1), next(r, 1), next(r, 1), next(r, 1)}};
    } while (!(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w > 0.1f));
    return ct_quat_normalize(q);
}

// Some are flat, or have no size at all.
static ct_obb next_box(ct_random *r) {
    const ct_mat4 pose =
        ct_mat4_compose(next_vector(r, 3), next_rotation(r), ct_vec3_make(1, 1, 1));
    ct_vec3 half;
    for (uint32_t i = 0; i < 3; ++i)
        half.raw[i] = ct_random_float(r) < 0.2f ? 0 : between(r, 0, 2);
    return ct_obb_from_pose(&pose, (ct_aabb){ct_vec3_scale(half, -1), half});
}

static double distance_to(const ct_obb *box, ct_vec3 p) {
    double sum = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        const float along = fabsf(ct_vec3_dot(box->axes[i], ct_vec3_sub(p, box->center)));
        const double outside = fmax((double)along - (double)box->half.raw[i], 0);
        sum += outside * outside;
    }
    return sqrt(sum);
}

static void points_are_as_far_as_formulas_say(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(7, 0);
    for (uint32_t i = 0; i < test_rounds(2000, 200000); ++i) {
        const ct_obb box = next_box(&r);
        const ct_vec3 p = next_vector(&r, 5);
        const ct_convex a = {farthest_of_point, &p}, b = {ct_obb_farthest, &box};
        const double distance = distance_to(&box, p);
        const float asked = between(&r, 0, 4);
        if (fabs(distance - (double)asked) < 1e-4)
            continue;
        assert_int_equal(ct_convex_is_within(&a, &b, asked), distance < (double)asked);
        assert_int_equal(ct_convex_is_within(&b, &a, asked), distance < (double)asked);
    }
}

// What separating axes and distances say agrees, but for boxes that nearly touch.
static void boxes_meet_as_by_separating_axes(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(8, 0);
    uint32_t num_met = 0;
    for (uint32_t i = 0; i < test_rounds(3000, 300000); ++i) {
        const ct_obb x = next_box(&r), y = next_box(&r);
        const ct_convex a = {ct_obb_farthest, &x}, b = {ct_obb_farthest, &y};
        const bool meet = ct_obb_intersects_obb(&x, &y);
        num_met += meet;
        if (meet)
            assert_true(ct_convex_is_within(&a, &b, 1e-4f));
        else if (ct_convex_is_within(&a, &b, 0)) // by rounding
            assert_true(ct_convex_is_within(&a, &b, 1e-4f));
        ct_obb grown = x;
        for (uint32_t k = 0; k < 3; ++k)
            grown.half.raw[k] += 1e-3f;
        if (!ct_obb_intersects_obb(&grown, &y))
            assert_false(ct_convex_is_within(&a, &b, 0));
    }
    assert_true(num_met > 200);
}

static void the_distance_between_parallel_boxes_is_exact(void **state) {
    (void)state;
    ct_obb x = {.half = {{1, 1, 1}}}, y = {.center = {{4, 0.5f, 0}}, .half = {{1, 2, 1}}};
    for (uint32_t i = 0; i < 3; ++i)
        x.axes[i].raw[i] = y.axes[i].raw[i] = 1;
    const ct_convex a = {ct_obb_farthest, &x}, b = {ct_obb_farthest, &y};
    assert_false(ct_convex_is_within(&a, &b, 1.999f));
    assert_true(ct_convex_is_within(&a, &b, 2.001f));
    y.center.x = 2; // they touch
    assert_true(ct_convex_is_within(&a, &b, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_as_far_as_formulas_say),
        cmocka_unit_test(boxes_meet_as_by_separating_axes),
        cmocka_unit_test(the_distance_between_parallel_boxes_is_exact),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
