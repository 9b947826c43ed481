#include "foundation/math/math_shapes.h"

#include <math.h>

#include "foundation/math/random.h"
#include "support/test_support.h"

static float between(ct_random *r, float low, float high) {
    return ct_random_float_range(r, low, high);
}

static ct_vec3 random_point(ct_random *r, float size) {
    const float x = between(r, -size, size), y = between(r, -size, size);
    return ct_vec3_make(x, y, between(r, -size, size));
}

static ct_aabb random_aabb(ct_random *r, float size, float half) {
    const ct_vec3 center = random_point(r, size), reach = random_point(r, half);
    const ct_aabb box = ct_aabb_add_point(ct_aabb_empty(), ct_vec3_add(center, reach));
    return ct_aabb_add_point(box, ct_vec3_sub(center, reach));
}

static ct_obb random_obb(ct_random *r, float size, float half) {
    const ct_mat4 pose =
        ct_mat4_compose(random_point(r, size), ct_random_quat(r), ct_vec3_make(1, 1, 1));
    return ct_obb_from_pose(&pose, random_aabb(r, 0, half));
}

static void expect_vec3(ct_vec3 v, float x, float y, float z, float tolerance) {
    if (!(fabsf(v.x - x) <= tolerance && fabsf(v.y - y) <= tolerance &&
          fabsf(v.z - z) <= tolerance))
        fail_msg("got %g %g %g, expected %g %g %g", (double)v.x, (double)v.y, (double)v.z,
                 (double)x, (double)y, (double)z);
}

static void expect_float(float got, float expected, float tolerance) {
    if (!(fabsf(got - expected) <= tolerance))
        fail_msg("got %.9g, expected %.9g", (double)got, (double)expected);
}

// --- Planes --------------------------------------------------------------------------------------

static void planes_point_to_where_their_points_turn_left(void **state) {
    (void)state;
    const ct_vec4 floor_plane =
        ct_plane_from_points(ct_vec3_make(0, 0, 2), ct_vec3_make(1, 0, 2), ct_vec3_make(0, 1, 2));
    expect_float(floor_plane.z, 1, 1e-6f);
    expect_float(ct_plane_distance(floor_plane, ct_vec3_make(7, 8, 5)), 3, 1e-5f);
    expect_float(ct_plane_distance(floor_plane, ct_vec3_make(7, 8, -1)), -3, 1e-5f);
    const ct_vec4 wall = ct_plane_through(ct_vec3_make(4, 9, 9), ct_vec3_make(-1, 0, 0));
    expect_float(ct_plane_distance(wall, ct_vec3_make(1, 0, 0)), 3, 1e-6f);
    const ct_vec4 none =
        ct_plane_from_points(ct_vec3_make(0, 0, 1), ct_vec3_make(0, 0, 2), ct_vec3_make(0, 0, 3));
    assert_true(none.x == 0 && none.y == 0 && none.z == 0 && none.w == 0);
}

static void planes_hold_their_points(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 1);
    for (uint32_t i = 0; i < test_rounds(5000, 200000); ++i) {
        const ct_vec3 a = random_point(&r, 5), b = random_point(&r, 5), c = random_point(&r, 5);
        const ct_vec4 plane = ct_plane_from_points(a, b, c);
        const float tolerance = 1e-4f;
        expect_float(ct_plane_distance(plane, a), 0, tolerance);
        expect_float(ct_plane_distance(plane, b), 0, tolerance);
        expect_float(ct_plane_distance(plane, c), 0, tolerance);
    }
}

// --- Axis-aligned boxes and spheres --------------------------------------------------------------

static void boxes_that_touch_meet(void **state) {
    (void)state;
    const ct_aabb a = {ct_vec3_make(0, 0, 0), ct_vec3_make(1, 1, 1)};
    const ct_aabb touching = {ct_vec3_make(1, 1, 1), ct_vec3_make(2, 2, 2)};
    assert_true(ct_aabb_intersects_aabb(a, touching));
    assert_true(ct_aabb_contains_point(a, ct_vec3_make(1, 1, 1)));
    assert_true(ct_aabb_intersects_sphere(a, (ct_sphere){ct_vec3_make(3, 0.5f, 0.5f), 2}));
    assert_false(ct_aabb_intersects_sphere(a, (ct_sphere){ct_vec3_make(2, 2, 2), 1.7f}));
    assert_true(ct_aabb_intersects_sphere(a, (ct_sphere){ct_vec3_make(2, 2, 2), 1.8f}));
    for (uint32_t k = 0; k < 3; ++k) {
        ct_aabb beside = touching;
        beside.min.raw[k] = 1.001f;
        assert_false(ct_aabb_intersects_aabb(a, beside));
        assert_false(ct_aabb_intersects_aabb(beside, a));
        ct_vec3 outside = ct_vec3_make(0.5f, 0.5f, 0.5f);
        outside.raw[k] = -0.001f;
        assert_false(ct_aabb_contains_point(a, outside));
        outside.raw[k] = 1.001f;
        assert_false(ct_aabb_contains_point(a, outside));
    }
}

static void empty_shapes_meet_nothing(void **state) {
    (void)state;
    const ct_aabb all = {ct_vec3_make(-1e30f, -1e30f, -1e30f), ct_vec3_make(1e30f, 1e30f, 1e30f)};
    const ct_sphere none = {ct_vec3_make(0, 0, 0), -1}, unit = {ct_vec3_make(0, 0, 0), 1};
    const ct_ray ray = {ct_vec3_make(0, 0, 0), ct_vec3_make(1, 0, 0)};
    assert_true(ct_aabb_is_empty(ct_aabb_empty()));
    assert_false(ct_aabb_intersects_aabb(all, ct_aabb_empty()));
    assert_false(ct_aabb_intersects_aabb(ct_aabb_empty(), all));
    assert_false(ct_aabb_contains_point(ct_aabb_empty(), ct_vec3_make(0, 0, 0)));
    assert_false(ct_aabb_intersects_sphere(ct_aabb_empty(), unit));
    assert_false(ct_aabb_intersects_sphere(all, none));
    assert_false(ct_sphere_intersects_sphere(none, unit));
    assert_false(ct_sphere_intersects_sphere(unit, none));
    assert_false(ct_sphere_contains_point(none, none.center));
    assert_true(ct_sphere_around_aabb(ct_aabb_empty()).radius < 0);
    assert_true(ct_ray_to_aabb(ray, ct_aabb_empty()) == -1);
    assert_true(ct_ray_to_sphere(ray, none) == -1);
    assert_true(ct_sphere_merge(none, unit).radius == 1 && ct_sphere_merge(unit, none).radius == 1);
    const ct_mat4 flat =
        ct_mat4_compose(ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(0, 0, 0));
    assert_true(ct_sphere_transform(&flat, none).radius < 0);
}

static void the_nearest_point_is_in_the_box_and_nearest(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(2, 2);
    for (uint32_t i = 0; i < test_rounds(2000, 100000); ++i) {
        const ct_aabb box = random_aabb(&r, 5, 3);
        const ct_vec3 point = random_point(&r, 10), nearest = ct_aabb_nearest_point(box, point);
        assert_true(ct_aabb_contains_point(box, nearest));
        const float distance = ct_vec3_length(ct_vec3_sub(point, nearest));
        for (uint32_t k = 0; k < 20; ++k) {
            const ct_vec3 other =
                ct_vec3_make(between(&r, box.min.x, box.max.x), between(&r, box.min.y, box.max.y),
                             between(&r, box.min.z, box.max.z));
            assert_true(ct_vec3_length(ct_vec3_sub(point, other)) >= distance - 1e-5f);
        }
    }
}

static void merged_spheres_hold_both_and_touch_them(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(3, 3);
    for (uint32_t i = 0; i < test_rounds(10000, 500000); ++i) {
        const ct_sphere a = {random_point(&r, 5), between(&r, 0, 4)};
        const ct_sphere b = {random_point(&r, 5), between(&r, 0, 4)};
        const ct_sphere both = ct_sphere_merge(a, b);
        const float gap_a = both.radius - a.radius - glms_vec3_distance(both.center, a.center);
        const float gap_b = both.radius - b.radius - glms_vec3_distance(both.center, b.center);
        assert_true(gap_a > -1e-4f && gap_b > -1e-4f);
        assert_true(gap_a < 1e-4f || gap_b < 1e-4f); // one inside the other touches at least itself
        if (both.radius > fmaxf(a.radius, b.radius))
            assert_true(gap_a < 1e-4f && gap_b < 1e-4f);
    }
}

static void transformed_spheres_hold_their_transformed_points(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(4, 4);
    for (uint32_t i = 0; i < test_rounds(2000, 100000); ++i) {
        const ct_mat4 pose =
            ct_mat4_compose(random_point(&r, 10), ct_random_quat(&r), random_point(&r, 3));
        const ct_sphere sphere = {random_point(&r, 5), between(&r, 0.1f, 4)};
        ct_sphere moved = ct_sphere_transform(&pose, sphere);
        moved.radius *= 1.0001f;
        float most = 0;
        for (uint32_t k = 0; k < 100; ++k) {
            const ct_vec3 on_it =
                ct_vec3_add(sphere.center, ct_vec3_scale(ct_random_unit_vec3(&r), sphere.radius));
            const ct_vec3 at = ct_mat4_transform_point(pose, on_it);
            most = fmaxf(most, glms_vec3_distance(at, moved.center));
            assert_true(glms_vec3_distance(at, moved.center) <= moved.radius + 1e-4f);
        }
        assert_true(most > moved.radius * 0.5f);
    }
}

// --- Oriented boxes ------------------------------------------------------------------------------

static ct_vec3 corner_of(const ct_obb *box, uint32_t corner) {
    ct_vec3 at = box->center;
    for (uint32_t i = 0; i < 3; ++i) {
        const float side = corner >> i & 1 ? box->half.raw[i] : -box->half.raw[i];
        at = ct_vec3_add(at, ct_vec3_scale(box->axes[i], side));
    }
    return at;
}

static void oriented_boxes_have_the_corners_of_the_pose(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(5, 5);
    for (uint32_t i = 0; i < test_rounds(2000, 100000); ++i) {
        const ct_mat4 pose =
            ct_mat4_compose(random_point(&r, 10), ct_random_quat(&r), random_point(&r, 3));
        const ct_aabb local = random_aabb(&r, 5, 3);
        ct_obb box = ct_obb_from_pose(&pose, local);
        const ct_aabb around = ct_aabb_around_obb(&box), expected = ct_aabb_transform(&pose, local);
        expect_vec3(around.min, expected.min.x, expected.min.y, expected.min.z, 1e-3f);
        expect_vec3(around.max, expected.max.x, expected.max.y, expected.max.z, 1e-3f);
        for (uint32_t k = 0; k < 3; ++k)
            box.half.raw[k] += 1e-3f;
        for (uint32_t k = 0; k < 8; ++k) {
            const ct_vec3 corner =
                ct_vec3_make(k & 1 ? local.min.x : local.max.x, k & 2 ? local.min.y : local.max.y,
                             k & 4 ? local.min.z : local.max.z);
            assert_true(ct_obb_contains_point(&box, ct_mat4_transform_point(pose, corner)));
        }
        assert_false(ct_obb_contains_point(
            &box,
            ct_vec3_add(corner_of(&box, i % 8),
                        ct_vec3_scale(box.axes[i % 3], i % 8 >> i % 3 & 1 ? 0.01f : -0.01f))));
    }
}

// The largest gap between the boxes over many directions; a positive one proves that they miss.
static double widest_gap(const ct_obb *a, const ct_obb *b, const ct_vec3 *directions,
                         uint32_t count) {
    double widest = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        double least_a = INFINITY, most_a = -INFINITY, least_b = INFINITY, most_b = -INFINITY;
        for (uint32_t k = 0; k < 8; ++k) {
            const ct_vec3 x = corner_of(a, k), y = corner_of(b, k), d = directions[i];
            double at_a = 0, at_b = 0;
            for (uint32_t n = 0; n < 3; ++n) {
                at_a += (double)x.raw[n] * (double)d.raw[n];
                at_b += (double)y.raw[n] * (double)d.raw[n];
            }
            least_a = fmin(least_a, at_a);
            most_a = fmax(most_a, at_a);
            least_b = fmin(least_b, at_b);
            most_b = fmax(most_b, at_b);
        }
        widest = fmax(widest, fmax(least_b - most_a, least_a - most_b));
    }
    return widest;
}

// By the corners' shadows along the fifteen directions, in double precision.
static void oriented_boxes_meet_unless_a_direction_parts_them(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(6, 6);
    uint32_t num_meet = 0, num_miss = 0;
    for (uint32_t i = 0; i < test_rounds(20000, 500000); ++i) {
        const ct_obb a = random_obb(&r, 3, 3);
        ct_obb b = random_obb(&r, 3, 3);
        if (i % 4 == 0) { // edges in parallel
            for (uint32_t k = 0; k < 3; ++k)
                b.axes[k] = a.axes[(k + i / 4) % 3];
        }
        ct_vec3 directions[15];
        uint32_t count = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            directions[count++] = a.axes[k];
            directions[count++] = b.axes[k];
            for (uint32_t n = 0; n < 3; ++n) {
                const ct_vec3 d = ct_vec3_cross(a.axes[k], b.axes[n]);
                if (ct_vec3_length(d) > 0.01f)
                    directions[count++] = ct_vec3_normalize(d);
            }
        }
        const double gap = widest_gap(&a, &b, directions, count);
        if (fabs(gap) < 1e-3)
            continue;
        assert_int_equal(ct_obb_intersects_obb(&a, &b), gap < 0);
        assert_int_equal(ct_obb_intersects_obb(&b, &a), gap < 0);
        num_meet += gap < 0;
        num_miss += gap > 0;
    }
    assert_true(num_meet > 1000 && num_miss > 1000);
}

// --- Frusta --------------------------------------------------------------------------------------

static void frusta_do_not_cull_what_has_a_point_inside(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(7, 7);
    uint32_t num_culled = 0, num_kept = 0;
    for (uint32_t i = 0; i < test_rounds(5000, 200000); ++i) {
        const ct_mat4 camera =
            ct_mat4_compose(random_point(&r, 10), ct_random_quat(&r), ct_vec3_make(1, 1, 1));
        const ct_mat4 to_clip =
            ct_mat4_mul(ct_mat4_perspective(1.2f, 1.5f, 0.5f, 30), ct_mat4_inverse(camera));
        const ct_frustum f = ct_frustum_from(&to_clip);
        const ct_obb box = random_obb(&r, 20, 4);
        const ct_sphere sphere = {random_point(&r, 20), between(&r, 0, 4)};
        bool has_box_point = false, has_sphere_point = false;
        for (uint32_t k = 0; k < 30; ++k) {
            ct_vec3 p = box.center;
            for (uint32_t n = 0; n < 3; ++n)
                p = ct_vec3_add(
                    p, ct_vec3_scale(box.axes[n], between(&r, -box.half.raw[n], box.half.raw[n])));
            has_box_point |= ct_frustum_contains_point(&f, p);
            p = ct_vec3_add(sphere.center, ct_vec3_scale(ct_random_unit_vec3(&r), sphere.radius));
            has_sphere_point |= ct_frustum_contains_point(&f, p);
        }
        if (has_box_point)
            assert_true(ct_frustum_intersects_obb(&f, &box));
        if (has_sphere_point)
            assert_true(ct_frustum_intersects_sphere(
                &f, (ct_sphere){sphere.center, sphere.radius + 1e-4f}));
        num_kept += has_box_point + has_sphere_point;
        num_culled += !ct_frustum_intersects_obb(&f, &box);
        num_culled += !ct_frustum_intersects_sphere(&f, sphere);
    }
    assert_true(num_kept > 500 && num_culled > 500);
}

static void a_shape_is_culled_when_it_is_just_past_one_plane(void **state) {
    (void)state;
    const ct_mat4 m = ct_mat4_orthographic(-1, 1, -1, 1, 1, 3); // along y
    const ct_frustum f = ct_frustum_from(&m);
    const struct {
        float x, y, z;
    } sides[6] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_vec3 out = ct_vec3_make(sides[i].x, sides[i].y, sides[i].z);
        const ct_vec3 middle = ct_vec3_make(0, 2, 0);
        for (uint32_t near_or_far = 0; near_or_far < 2; ++near_or_far) {
            const ct_vec3 at = ct_vec3_add(middle, ct_vec3_scale(out, near_or_far ? 1.51f : 1.49f));
            const ct_obb box = {
                .center = at,
                .axes = {ct_vec3_make(0, 0, 1), ct_vec3_make(1, 0, 0), ct_vec3_make(0, 1, 0)},
                .half = ct_vec3_make(0.5f, 0.5f, 0.5f)};
            assert_int_equal(ct_frustum_intersects_obb(&f, &box), !near_or_far);
            assert_int_equal(ct_frustum_intersects_sphere(&f, (ct_sphere){at, 0.5f}), !near_or_far);
            assert_false(ct_frustum_contains_point(&f, at));
        }
    }
    assert_true(ct_frustum_contains_point(&f, ct_vec3_make(0, 2, 0)));
}

// --- Rays ----------------------------------------------------------------------------------------

static void rays_count_in_lengths_of_their_direction(void **state) {
    (void)state;
    const ct_ray ray = {ct_vec3_make(0, 0, 0), ct_vec3_make(2, 0, 0)};
    const ct_vec4 wall = ct_plane_through(ct_vec3_make(6, 0, 0), ct_vec3_make(-1, 0, 0));
    expect_float(ct_ray_to_plane(ray, wall), 3, 1e-6f);
    expect_float(ct_ray_to_sphere(ray, (ct_sphere){ct_vec3_make(8, 0, 0), 2}), 3, 1e-6f);
    const ct_aabb box = {ct_vec3_make(6, -1, -1), ct_vec3_make(9, 1, 1)};
    expect_float(ct_ray_to_aabb(ray, box), 3, 1e-6f);
    const ct_mat4 identity = ct_mat4_identity();
    const ct_obb turned = ct_obb_from_pose(&identity, box);
    expect_float(ct_ray_to_obb(ray, &turned), 3, 1e-6f);
    expect_float(ct_ray_to_triangle(ray, ct_vec3_make(6, -1, -1), ct_vec3_make(6, 1, -1),
                                    ct_vec3_make(6, 0, 1)),
                 3, 1e-6f);
    expect_vec3(ct_ray_at(ray, 3), 6, 0, 0, 0);
}

static void rays_meet_nothing_behind_them(void **state) {
    (void)state;
    const ct_ray ray = {ct_vec3_make(0, 0, 0), ct_vec3_make(-1, 0, 0)};
    assert_true(ct_ray_to_plane(ray, (ct_vec4){{-1, 0, 0, 6}}) == -1);
    assert_true(ct_ray_to_sphere(ray, (ct_sphere){ct_vec3_make(8, 0, 0), 2}) == -1);
    assert_true(ct_ray_to_aabb(ray, (ct_aabb){ct_vec3_make(6, -1, -1), ct_vec3_make(9, 1, 1)}) ==
                -1);
    assert_true(ct_ray_to_triangle(ray, ct_vec3_make(6, -1, -1), ct_vec3_make(6, 1, -1),
                                   ct_vec3_make(6, 0, 1)) == -1);
}

static void rays_that_start_inside_meet_at_once(void **state) {
    (void)state;
    const ct_ray ray = {ct_vec3_make(1, 1, 1), ct_vec3_make(0, 1, 0)};
    const ct_aabb box = {ct_vec3_make(0, 0, 0), ct_vec3_make(2, 2, 2)};
    assert_true(ct_ray_to_aabb(ray, box) == 0);
    assert_true(ct_ray_to_sphere(ray, (ct_sphere){ct_vec3_make(1, 0, 1), 1.5f}) == 0);
    assert_true(ct_ray_to_plane(ray, ct_plane_through(ray.origin, ct_vec3_make(1, 0, 0))) == 0);
}

static void rays_along_a_face_or_a_plane(void **state) {
    (void)state;
    const ct_aabb box = {ct_vec3_make(0, 0, 0), ct_vec3_make(2, 2, 2)};
    const ct_vec3 along = ct_vec3_make(1, 0, 0);
    expect_float(ct_ray_to_aabb((ct_ray){ct_vec3_make(-1, 2, 1), along}, box), 1, 0);
    assert_true(ct_ray_to_aabb((ct_ray){ct_vec3_make(-1, 2.001f, 1), along}, box) == -1);
    assert_true(ct_ray_to_aabb((ct_ray){ct_vec3_make(-1, -0.001f, 1), along}, box) == -1);
    const ct_vec4 level = {{0, 0, 1, -5}};
    assert_true(ct_ray_to_plane((ct_ray){ct_vec3_make(0, 0, 4), along}, level) == -1);
    assert_true(ct_ray_to_plane((ct_ray){ct_vec3_make(0, 0, 5), along}, level) == 0);
}

static void small_spheres_far_away_are_met(void **state) {
    (void)state;
    const ct_ray ray = {ct_vec3_make(0, 0, 0), ct_vec3_make(1, 0, 0)};
    expect_float(ct_ray_to_sphere(ray, (ct_sphere){ct_vec3_make(10000, 0.009f, 0), 0.01f}), 10000,
                 0.01f);
    assert_true(ct_ray_to_sphere(ray, (ct_sphere){ct_vec3_make(10000, 0.011f, 0), 0.01f}) == -1);
}

// Walks along the ray in small steps; returns where `contains` first holds, or -1.
static float march(ct_ray ray, float step, float most, bool (*contains)(const void *, ct_vec3),
                   const void *shape) {
    for (float t = 0; t < most; t += step) {
        if (contains(shape, ct_ray_at(ray, t)))
            return t;
    }
    return -1;
}

static bool sphere_contains(const void *shape, ct_vec3 p) {
    return ct_sphere_contains_point(*(const ct_sphere *)shape, p);
}

static bool aabb_contains(const void *shape, ct_vec3 p) {
    return ct_aabb_contains_point(*(const ct_aabb *)shape, p);
}

static bool obb_contains(const void *shape, ct_vec3 p) {
    return ct_obb_contains_point(shape, p);
}

// What a walk finds inside, the ray must meet there; where the ray meets, it must be in the shape,
// if that is made a little larger.
static void expect_as_marched(ct_ray ray, float got, bool (*contains)(const void *, ct_vec3),
                              const void *shape, const void *larger_shape) {
    const float step = 0.02f, marched = march(ray, step, 40, contains, shape);
    if (marched >= 0)
        assert_true(got >= marched - step - 1e-3f && got <= marched + 1e-3f);
    if (got >= 0)
        assert_true(contains(larger_shape, ct_ray_at(ray, got)));
    else
        assert_true(got == -1);
}

static void rays_meet_what_a_walk_along_them_finds(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(8, 8);
    uint32_t num_met = 0, num_missed = 0;
    for (uint32_t i = 0; i < test_rounds(1500, 50000); ++i) {
        const ct_ray ray = {random_point(&r, 8), ct_random_unit_vec3(&r)};
        const ct_sphere sphere = {random_point(&r, 6), between(&r, 0.5f, 4)};
        const ct_aabb box = random_aabb(&r, 6, 4);
        const ct_obb turned = random_obb(&r, 6, 4);
        const float to_sphere = ct_ray_to_sphere(ray, sphere), to_box = ct_ray_to_aabb(ray, box);
        const float to_turned = ct_ray_to_obb(ray, &turned);
        const ct_vec3 margin = ct_vec3_make(1e-4f, 1e-4f, 1e-4f);
        const ct_sphere larger_sphere = {sphere.center, sphere.radius + 1e-4f};
        const ct_aabb larger_box = {ct_vec3_sub(box.min, margin), ct_vec3_add(box.max, margin)};
        ct_obb larger_turned = turned;
        larger_turned.half = ct_vec3_add(turned.half, margin);
        expect_as_marched(ray, to_sphere, sphere_contains, &sphere, &larger_sphere);
        expect_as_marched(ray, to_box, aabb_contains, &box, &larger_box);
        expect_as_marched(ray, to_turned, obb_contains, &turned, &larger_turned);
        num_met += (to_sphere >= 0) + (to_box >= 0) + (to_turned >= 0);
        num_missed += (to_sphere < 0) + (to_box < 0) + (to_turned < 0);
    }
    assert_true(num_met > 200 && num_missed > 200);
}

// Rays aimed at a point of the triangle's plane that is known to be inside or outside.
static void rays_meet_triangles_where_they_are_aimed(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(9, 9);
    for (uint32_t i = 0; i < test_rounds(20000, 1000000); ++i) {
        const ct_vec3 a = random_point(&r, 5), b = random_point(&r, 5), c = random_point(&r, 5);
        const ct_vec4 plane = ct_plane_from_points(a, b, c);
        const float area = ct_vec3_length(ct_vec3_cross(ct_vec3_sub(b, a), ct_vec3_sub(c, a)));
        const float u = between(&r, -0.5f, 1), v = between(&r, -0.5f, 1);
        const ct_vec3 target = ct_vec3_add(a, ct_vec3_add(ct_vec3_scale(ct_vec3_sub(b, a), u),
                                                          ct_vec3_scale(ct_vec3_sub(c, a), v)));
        const ct_vec3 origin = random_point(&r, 10);
        const float least = fminf(fminf(u, v), 1 - u - v);
        // Slivers, grazing rays and targets on an edge are for rounding to decide.
        if (area < 1 || fabsf(ct_plane_distance(plane, origin)) < 0.5f || fabsf(least) < 0.01f)
            continue;
        const float stretch = between(&r, 0.5f, 2);
        const ct_ray ray = {origin, ct_vec3_scale(ct_vec3_sub(target, origin), stretch)};
        const float t = ct_ray_to_triangle(ray, a, b, c);
        if (least > 0)
            expect_float(t, 1 / stretch, 1e-3f);
        else
            assert_true(t == -1);
        assert_true((ct_ray_to_triangle(ray, a, c, b) >= 0) == (t >= 0)); // from either side
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_point_to_where_their_points_turn_left),
        cmocka_unit_test(planes_hold_their_points),
        cmocka_unit_test(boxes_that_touch_meet),
        cmocka_unit_test(empty_shapes_meet_nothing),
        cmocka_unit_test(the_nearest_point_is_in_the_box_and_nearest),
        cmocka_unit_test(merged_spheres_hold_both_and_touch_them),
        cmocka_unit_test(transformed_spheres_hold_their_transformed_points),
        cmocka_unit_test(oriented_boxes_have_the_corners_of_the_pose),
        cmocka_unit_test(oriented_boxes_meet_unless_a_direction_parts_them),
        cmocka_unit_test(frusta_do_not_cull_what_has_a_point_inside),
        cmocka_unit_test(a_shape_is_culled_when_it_is_just_past_one_plane),
        cmocka_unit_test(rays_count_in_lengths_of_their_direction),
        cmocka_unit_test(rays_meet_nothing_behind_them),
        cmocka_unit_test(rays_that_start_inside_meet_at_once),
        cmocka_unit_test(rays_along_a_face_or_a_plane),
        cmocka_unit_test(small_spheres_far_away_are_met),
        cmocka_unit_test(rays_meet_what_a_walk_along_them_finds),
        cmocka_unit_test(rays_meet_triangles_where_they_are_aimed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
