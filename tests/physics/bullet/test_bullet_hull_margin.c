// Where hulls lie: their faces are where they were given, not a margin farther out.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/bullet/bullet_scene.h"

typedef struct hull_points {
    const float *points;
    uint32_t count;
    float volume;
} hull_points;

// A metre wide; around their centres of mass. All rest on a face at this height.
static const float tetrahedron[] = {-0.5f, -0.25f, -0.25f, 0.5f, -0.25f, -0.25f,
                                    0,     0.75f,  -0.25f, 0,    -0.25f, 0.75f};
static const float wedge[] = {-0.5f, -0.5f, -0.25f, 0.5f, -0.5f, -0.25f, -0.5f, 0.5f, -0.25f,
                              0.5f,  0.5f,  -0.25f, 0.5f, -0.5f, 0.5f,   0.5f,  0.5f, 0.5f};
static const float box[] = {-0.5f,  -0.5f, -0.25f, 0.5f,   -0.5f, -0.25f, -0.5f, 0.5f,
                            -0.25f, 0.5f,  0.5f,   -0.25f, -0.5f, -0.5f,  0.25f, 0.5f,
                            -0.5f,  0.25f, -0.5f,  0.5f,   0.25f, 0.5f,   0.5f,  0.25f};
static const hull_points hulls[] = {{tetrahedron, 4, 1.0f / 6}, {wedge, 6, 0.375f}, {box, 8, 0.5f}};
static const float LYING = 0.003f; // metres that faces may be off

static ct_bullet_shape *add_hull(scene *s, const hull_points *hull, float size) {
    const ct_bullet_shape_part part = {.kind = CT_BULLET_SHAPE_CONVEX,
                                       .pose = {.rotation = scene_identity},
                                       .size = scene_at(size, size, size),
                                       .points = hull->points,
                                       .num_points = hull->count,
                                       .volume = hull->volume};
    return s->shapes[s->num_shapes++] = ct_bullet_shape_create(&part, 1);
}

static ct_rigid_pose settle(scene *s, const ct_bullet_body_desc *desc) {
    const ct_bullet_body *const body = scene_add(s, desc);
    for (uint32_t i = 0; i < 600; ++i)
        ct_bullet_world_step(s->world, SCENE_STEP);
    assert_true(ct_bullet_body_is_asleep(body));
    return ct_bullet_body_pose(body);
}

// Returns the height of the lowest corner over a plane through the origin.
static float lowest(const hull_points *hull, float size, const ct_rigid_pose *pose,
                    ct_vec3 normal) {
    float least = INFINITY;
    for (uint32_t i = 0; i < hull->count; ++i) {
        const float *const p = hull->points + 3 * i;
        const ct_vec3 at = ct_vec3_add(
            pose->position,
            ct_quat_rotate(pose->rotation, scene_at(size * p[0], size * p[1], size * p[2])));
        least = fminf(least, ct_vec3_dot(at, normal));
    }
    return least;
}

static void hulls_lie_on_a_plane(void **state) {
    (void)state;
    static const float sizes[] = {0.2f, 1, 4};
    for (uint32_t h = 0; h < CT_COUNT_OF(hulls); ++h) {
        for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
            scene s;
            scene_begin(&s, 9.81f);
            scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_PLANE, 0, 0, 0),
                       scene_at(0, 0, 0));
            const ct_bullet_body_desc desc =
                scene_desc(&s, CT_BULLET_DYNAMIC, add_hull(&s, &hulls[h], sizes[i]),
                           scene_at(0, 0, 0.26f * sizes[i]));
            const ct_rigid_pose pose = settle(&s, &desc);
            assert_float_equal(lowest(&hulls[h], sizes[i], &pose, scene_at(0, 0, 1)), 0, LYING);
            scene_end(&s);
        }
    }
}

// A hull with many corners keeps their number: its corners may be off by the margin.
static void round_hulls_lie_on_a_plane(void **state) {
    (void)state;
    enum { COUNT = 60 };
    static float points[3 * COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        const float z = 1 - 2 * ((float)i + 0.5f) / COUNT, turn = 2.4f * (float)i;
        const float around = sqrtf(1 - z * z);
        points[3 * i] = around * cosf(turn);
        points[3 * i + 1] = around * sinf(turn);
        points[3 * i + 2] = z;
    }
    const hull_points ball = {points, COUNT, 4};
    scene s;
    scene_begin(&s, 9.81f);
    scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_PLANE, 0, 0, 0),
               scene_at(0, 0, 0));
    ct_bullet_body_desc desc =
        scene_desc(&s, CT_BULLET_DYNAMIC, add_hull(&s, &ball, 1), scene_at(0, 0, 1.1f));
    desc.angular_factor = scene_at(0, 0, 0);
    const ct_rigid_pose pose = settle(&s, &desc);
    assert_float_equal(lowest(&ball, 1, &pose, scene_at(0, 0, 1)), 0, 0.01f);
    scene_end(&s);
}

// On the slanted face of a hull, too: a ramp of 20 degrees, and a crate of each kind on it.
static void hulls_lie_on_a_ramp(void **state) {
    (void)state;
    const float tangent = 0.36397f;
    const float ramp[] = {-5, -5, -5 * tangent, 5, -5, 5 * tangent,  -5, 5, -5 * tangent,
                          5,  5,  5 * tangent,  5, -5, -5 * tangent, 5,  5, -5 * tangent};
    const hull_points ramp_hull = {ramp, 6, 50 * 10 * tangent};
    const ct_vec3 normal = ct_vec3_normalize(scene_at(-tangent, 0, 1));
    for (uint32_t h = 0; h < CT_COUNT_OF(hulls); ++h) {
        scene s;
        scene_begin(&s, 9.81f);
        ct_bullet_body_desc ground =
            scene_desc(&s, CT_BULLET_STATIC, add_hull(&s, &ramp_hull, 1), scene_at(0, 0, 0));
        ground.friction = 1;
        scene_add(&s, &ground);
        ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, add_hull(&s, &hulls[h], 1),
                                              ct_vec3_scale(normal, 0.26f));
        desc.friction = 1;
        desc.pose.rotation = ct_quat_axis_angle(scene_at(0, 1, 0), -20 * 0.0174533f);
        const ct_rigid_pose pose = settle(&s, &desc);
        assert_float_equal(lowest(&hulls[h], 1, &pose, normal), 0, LYING);
        scene_end(&s);
    }
}

// Bullet's rays are off by up to a centimetre here and there.
static void rays_hit_the_faces_that_were_given(void **state) {
    (void)state;
    scene s;
    scene_begin(&s, 0);
    scene_body(&s, CT_BULLET_STATIC, add_hull(&s, &hulls[1], 1), scene_at(0, 0, 0));
    // Down onto the slope of the wedge, which rises from -0.25 at x -0.5 to 0.5 at x 0.5.
    for (float x = -0.3f; x < 0.4f; x += 0.1f) {
        ct_bullet_hit hit;
        assert_true(ct_bullet_ray(s.world, scene_at(x, 0.1f, 2), scene_at(x, 0.1f, -2),
                                  &scene_find_all, &hit));
        assert_float_equal(hit.position.z, -0.25f + 0.75f * (x + 0.5f), 0.015f);
    }
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_lie_on_a_plane),
        cmocka_unit_test(round_hulls_lie_on_a_plane),
        cmocka_unit_test(hulls_lie_on_a_ramp),
        cmocka_unit_test(rays_hit_the_faces_that_were_given),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
