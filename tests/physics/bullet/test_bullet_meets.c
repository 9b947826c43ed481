// Which boxes shapes meet, against what formulas say.
#include <math.h>

#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "physics/bullet/bullet_scene.h"

static float between(ct_random *r, float least, float most) {
    return least + (most - least) * ct_random_float(r);
}

static ct_vec3 next_vector(ct_random *r, float most) {
    const float x = between(r, -most, most), y = between(r, -most, most);
    return ct_vec3_make(x, y, between(r, -most, most));
}

static ct_rigid_pose next_pose(ct_random *r) {
    ct_quat q;
    do {
        for (uint32_t i = 0; i < 4; ++i)
            q.raw[i] = between(r, -1, 1);
    } while (!(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w > 0.1f));
    return (ct_rigid_pose){next_vector(r, 2), ct_quat_normalize(q)};
}

static ct_obb box_at(ct_rigid_pose pose, ct_vec3 half) {
    const ct_mat4 m = ct_mat4_compose(pose.position, pose.rotation, ct_vec3_make(1, 1, 1));
    return ct_obb_from_pose(&m, (ct_aabb){ct_vec3_scale(half, -1), half});
}

// A box of any size; every third is a point.
static ct_obb next_box(ct_random *r, uint32_t i) {
    const ct_vec3 half = {{between(r, 0, 1), between(r, 0, 1), between(r, 0, 1)}};
    return box_at(next_pose(r), i % 3 == 0 ? ct_vec3_make(0, 0, 0) : half);
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

// The least distance from a box to a segment of `half` along z of a pose: convex, so thirds find it.
static double distance_to_segment(const ct_obb *box, ct_rigid_pose pose, float half) {
    const ct_vec3 axis = ct_quat_rotate(pose.rotation, ct_vec3_make(0, 0, 1));
    float low = -half, high = half;
    for (uint32_t i = 0; i < 60; ++i) {
        const float a = low + (high - low) / 3, b = high - (high - low) / 3;
        const double at_a = distance_to(box, ct_vec3_add(pose.position, ct_vec3_scale(axis, a)));
        const double at_b = distance_to(box, ct_vec3_add(pose.position, ct_vec3_scale(axis, b)));
        if (at_a <= at_b)
            high = b;
        else
            low = a;
    }
    return distance_to(box, ct_vec3_add(pose.position, ct_vec3_scale(axis, low)));
}

static void boxes_spheres_and_capsules_meet_as_formulas_say(void **state) {
    (void)state;
    scene s;
    scene_begin(&s, 0);
    const ct_vec3 half = {{0.5f, 1, 1.5f}};
    const ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, half.x, half.y, half.z);
    const ct_bullet_shape *const sphere = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 1, 0, 0);
    const ct_bullet_shape *const capsule = scene_shape(&s, CT_BULLET_SHAPE_CAPSULE, 0.5f, 1, 0);
    ct_random r = ct_random_seeded(3, 0);
    uint32_t met[3] = {0};
    for (uint32_t i = 0; i < test_rounds(3000, 300000); ++i) {
        const ct_rigid_pose pose = next_pose(&r);
        const ct_obb other = next_box(&r, i), own = box_at(pose, half);
        const bool is_box_met = ct_bullet_shape_meets_box(box, pose, &other);
        assert_int_equal(is_box_met, ct_obb_intersects_obb(&own, &other));
        met[0] += is_box_met;
        const double to_center = distance_to(&other, pose.position) - 1;
        const bool is_sphere_met = ct_bullet_shape_meets_box(sphere, pose, &other);
        if (fabs(to_center) > 1e-4)
            assert_int_equal(is_sphere_met, to_center < 0);
        met[1] += is_sphere_met;
        const double to_axis = distance_to_segment(&other, pose, 1) - 0.5;
        const bool is_capsule_met = ct_bullet_shape_meets_box(capsule, pose, &other);
        if (fabs(to_axis) > 1e-3)
            assert_int_equal(is_capsule_met, to_axis < 0);
        met[2] += is_capsule_met;
    }
    assert_true(met[0] > 200 && met[1] > 200 && met[2] > 200);
    scene_end(&s);
}

static void cylinders_and_planes_meet_points_as_formulas_say(void **state) {
    (void)state;
    scene s;
    scene_begin(&s, 0);
    const ct_bullet_shape *const cylinder = scene_shape(&s, CT_BULLET_SHAPE_CYLINDER, 1, 1.5f, 0);
    const ct_bullet_shape *const plane = scene_shape(&s, CT_BULLET_SHAPE_PLANE, 1, 1, 1);
    ct_random r = ct_random_seeded(4, 0);
    uint32_t num_met = 0;
    for (uint32_t i = 0; i < test_rounds(3000, 300000); ++i) {
        const ct_rigid_pose pose = next_pose(&r);
        const ct_obb point = box_at(next_pose(&r), ct_vec3_make(0, 0, 0));
        const ct_quat back = ct_quat_conjugate(pose.rotation);
        const ct_vec3 p = ct_quat_rotate(back, ct_vec3_sub(point.center, pose.position));
        const float outwards = sqrtf(p.x * p.x + p.y * p.y) - 1, upwards = fabsf(p.z) - 1.5f;
        const bool is_met = ct_bullet_shape_meets_box(cylinder, pose, &point);
        // Bullet's edges are round.
        if (fmaxf(outwards, upwards) > 1e-3f)
            assert_false(is_met);
        else if (fmaxf(outwards, upwards) < -0.03f)
            assert_true(is_met);
        num_met += is_met;
        if (fabsf(p.z) > 1e-4f)
            assert_int_equal(ct_bullet_shape_meets_box(plane, pose, &point), p.z < 0);
    }
    assert_true(num_met > 200);
    scene_end(&s);
}

// Points inside do not touch the surface of a mesh; what reaches through it does.
static void meshes_are_surfaces(void **state) {
    (void)state;
    static const float points[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0};
    static const uint32_t indices[] = {0, 1, 2, 1, 3, 2};
    const ct_bullet_triangles triangles = {
        .points = points, .num_points = 4, .indices = indices, .num_indices = 6};
    scene s;
    scene_begin(&s, 0);
    ct_bullet_shape *const shape =
        ct_bullet_shape_create(&(ct_bullet_shape_part){.kind = CT_BULLET_SHAPE_MESH,
                                                       .pose = {.rotation = scene_identity},
                                                       .size = scene_at(1, 1, 1),
                                                       .triangles = &triangles},
                               1);
    s.shapes[s.num_shapes++] = shape;
    const ct_rigid_pose pose = {scene_at(10, 0, 0), scene_identity};
    const ct_rigid_pose above = {scene_at(11, 1, 1), scene_identity};
    const ct_obb reaching = box_at(above, scene_at(0.1f, 0.1f, 1.1f));
    const ct_obb floating = box_at(above, scene_at(0.1f, 0.1f, 0.5f));
    assert_true(ct_bullet_shape_meets_box(shape, pose, &reaching));
    assert_false(ct_bullet_shape_meets_box(shape, pose, &floating));
    scene_end(&s);
}

// The parts of a compound are where they were given, and its bounds are around them.
static void parts_are_where_they_were_given(void **state) {
    (void)state;
    scene s;
    scene_begin(&s, 0);
    const ct_bullet_shape_part parts[2] = {{.kind = CT_BULLET_SHAPE_BOX,
                                            .pose = {scene_at(5, 0, 0), scene_identity},
                                            .size = {{1, 1, 1}}},
                                           {.kind = CT_BULLET_SHAPE_SPHERE,
                                            .pose = {scene_at(-5, 0, 2), scene_identity},
                                            .size = {{1, 0, 0}}}};
    ct_bullet_shape *const both = ct_bullet_shape_create(parts, 2);
    ct_bullet_shape *const moved = ct_bullet_shape_create(&parts[1], 1);
    s.shapes[s.num_shapes++] = both, s.shapes[s.num_shapes++] = moved;
    // A quarter turn about z.
    const ct_rigid_pose pose = {scene_at(0, 0, 10), {{0, 0, 0.70710678f, 0.70710678f}}};
    const ct_vec3 at[3] = {scene_at(0, 5, 10), scene_at(0, -5, 12), scene_at(0, 0, 10)};
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_obb point = box_at((ct_rigid_pose){at[i], scene_identity}, scene_at(0, 0, 0));
        assert_int_equal(ct_bullet_shape_meets_box(both, pose, &point), i < 2);
        assert_int_equal(ct_bullet_shape_meets_box(moved, pose, &point), i == 1);
    }
    const ct_aabb bounds = ct_bullet_shape_bounds(moved, pose);
    assert_true(ct_aabb_contains_point(bounds, at[1]));
    assert_true(bounds.min.y < -5.9f && bounds.max.y > -4.1f && bounds.max.y < -3.5f);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_spheres_and_capsules_meet_as_formulas_say),
        cmocka_unit_test(cylinders_and_planes_meet_points_as_formulas_say),
        cmocka_unit_test(meshes_are_surfaces),
        cmocka_unit_test(parts_are_where_they_were_given),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
