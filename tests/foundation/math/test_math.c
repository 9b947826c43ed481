#include <math.h>
#include <stdio.h>

#include "foundation/math/math.h"
#include "support/test_support.h"

static float random_between(uint32_t *random, float low, float high) {
    return low + (high - low) * (float)(test_random(random) & 0xffffff) / (float)0xffffff;
}

static ct_vec3 random_vec3(uint32_t *random, float size) {
    const float x = random_between(random, -size, size), y = random_between(random, -size, size);
    return ct_vec3_make(x, y, random_between(random, -size, size));
}

static ct_quat random_quat(uint32_t *random) {
    const ct_vec3 axis =
        ct_vec3_normalize(ct_vec3_add(random_vec3(random, 1), ct_vec3_make(0, 0, 0.01f)));
    return ct_quat_axis_angle(axis, random_between(random, -3, 3));
}

static void expect_vec3(ct_vec3 v, float x, float y, float z, float tolerance) {
    if (!(fabsf(v.x - x) <= tolerance && fabsf(v.y - y) <= tolerance &&
          fabsf(v.z - z) <= tolerance))
        fail_msg("got %g %g %g, expected %g %g %g", (double)v.x, (double)v.y, (double)v.z,
                 (double)x, (double)y, (double)z);
}

static ct_vec3 project(const ct_mat4 *m, float x, float y, float z) {
    const ct_vec4 clip = glms_mat4_mulv(*m, (ct_vec4){{x, y, z, 1}});
    return ct_vec3_make(clip.x / clip.w, clip.y / clip.w, clip.z / clip.w);
}

static void rotations_turn_counter_clockwise_about_their_axis(void **state) {
    (void)state;
    const ct_quat q = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)M_PI_2);
    const ct_vec3 right = ct_vec3_make(1, 0, 0);
    expect_vec3(ct_quat_rotate(q, right), 0, 1, 0, 1e-6f);
    const ct_quat about_x = ct_quat_axis_angle(right, (float)M_PI_2);
    // First about z, then about x.
    expect_vec3(ct_quat_rotate(ct_quat_mul(about_x, q), right), 0, 0, 1, 1e-6f);
    expect_vec3(ct_quat_rotate(ct_quat_identity(), right), 1, 0, 0, 0);
}

static void the_zero_vector_stays_zero(void **state) {
    (void)state;
    expect_vec3(ct_vec3_normalize(ct_vec3_make(0, 0, 0)), 0, 0, 0, 0);
}

static void compose_scales_then_rotates_then_moves(void **state) {
    (void)state;
    const ct_quat turn = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)M_PI_2);
    const ct_mat4 m = ct_mat4_compose(ct_vec3_make(10, 20, 30), turn, ct_vec3_make(2, 3, 4));
    expect_vec3(ct_mat4_transform_point(m, ct_vec3_make(1, 1, 1)), 10 - 3, 20 + 2, 34, 1e-5f);
    expect_vec3(ct_mat4_transform_direction(m, ct_vec3_make(1, 0, 0)), 0, 2, 0, 1e-6f);
    expect_vec3(ct_mat4_position(m), 10, 20, 30, 0);
}

static void expect_same_matrix(const ct_mat4 *a, const ct_mat4 *b, float tolerance) {
    for (uint32_t i = 0; i < 16; ++i)
        assert_true(fabsf(a->col[i / 4].raw[i % 4] - b->col[i / 4].raw[i % 4]) <= tolerance);
}

static void decompose_undoes_compose(void **state) {
    (void)state;
    uint32_t random = 3;
    for (uint32_t i = 0; i < test_rounds(5000, 500000); ++i) {
        const ct_vec3 position = random_vec3(&random, 100);
        const ct_quat rotation = random_quat(&random);
        ct_vec3 scale = random_vec3(&random, 2);
        scale = ct_vec3_make((i % 2 ? -1.0f : 1.0f) * (fabsf(scale.x) + 0.1f),
                             fabsf(scale.y) + 0.1f, fabsf(scale.z) + 0.1f);
        const ct_mat4 m = ct_mat4_compose(position, rotation, scale);
        ct_vec3 p, s;
        ct_quat q;
        ct_mat4_decompose(&m, &p, &q, &s);
        expect_vec3(p, position.x, position.y, position.z, 0);
        expect_vec3(s, scale.x, scale.y, scale.z, 1e-5f);
        assert_true(fabsf(glms_quat_dot(q, rotation)) > 0.9999f);
        const ct_mat4 again = ct_mat4_compose(p, q, s);
        expect_same_matrix(&again, &m, 1e-4f);
    }
}

static void decompose_of_flat_matrices_is_finite(void **state) {
    (void)state;
    for (uint32_t zeros = 1; zeros < 8; ++zeros) {
        const ct_vec3 scale =
            ct_vec3_make(zeros & 1 ? 0 : 2.0f, zeros & 2 ? 0 : 3.0f, zeros & 4 ? 0 : 4.0f);
        const ct_quat turn = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 0.5f);
        const ct_mat4 m = ct_mat4_compose(ct_vec3_make(1, 2, 3), turn, scale);
        ct_vec3 p, s;
        ct_quat q;
        ct_mat4_decompose(&m, &p, &q, &s);
        assert_true(ct_quat_is_finite(q));
        assert_true(fabsf(glms_quat_norm(q) - 1) < 1e-5f);
        expect_vec3(s, scale.x, scale.y, scale.z, 1e-5f);
        if (zeros == 1 || zeros == 2 || zeros == 4)
            assert_true(fabsf(glms_quat_dot(q, turn)) > 0.9999f);
    }
}

static void look_points_y_forward_and_z_up(void **state) {
    (void)state;
    const ct_vec3 up = ct_vec3_make(0, 0, 1);
    const ct_quat ahead = ct_quat_look(ct_vec3_make(0, 5, 0), up);
    assert_true(fabsf(glms_quat_dot(ahead, ct_quat_identity())) > 0.9999f);
    uint32_t random = 9;
    for (uint32_t i = 0; i < 1000; ++i) {
        const ct_vec3 d = ct_vec3_normalize(random_vec3(&random, 1));
        const ct_quat q = ct_quat_look(d, up);
        const ct_vec3 forward = ct_quat_rotate(q, ct_vec3_make(0, 1, 0));
        expect_vec3(forward, d.x, d.y, d.z, 1e-3f);
        // Level: right has no z, and up points up.
        assert_true(fabsf(ct_quat_rotate(q, ct_vec3_make(1, 0, 0)).z) < 1e-3f);
        assert_true(ct_quat_rotate(q, up).z > -1e-3f);
    }
}

static void look_along_up_still_gives_a_rotation(void **state) {
    (void)state;
    const ct_vec3 up = ct_vec3_make(0, 0, 1), y = ct_vec3_make(0, 1, 0);
    expect_vec3(ct_quat_rotate(ct_quat_look(up, up), y), 0, 0, 1, 1e-5f);
    const ct_vec3 down = ct_vec3_make(0, 0, -1);
    expect_vec3(ct_quat_rotate(ct_quat_look(down, up), y), 0, 0, -1, 1e-5f);
    expect_vec3(ct_quat_rotate(ct_quat_look(y, y), y), 0, 1, 0, 1e-5f);
    expect_vec3(ct_quat_rotate(ct_quat_look(ct_vec3_make(0, 0, 0), up), y), 0, 1, 0, 0);
}

static void perspective_maps_near_to_0_and_far_to_1(void **state) {
    (void)state;
    const ct_mat4 m = ct_mat4_perspective((float)M_PI_2, 2, 0.5f, 100);
    expect_vec3(project(&m, 0, 0.5f, 0), 0, 0, 0, 1e-6f);
    expect_vec3(project(&m, 0, 100, 0), 0, 0, 1, 1e-6f);
    // At 45 degrees up the point is at the top, which is y = -1 in Vulkan; width is twice as wide.
    expect_vec3(project(&m, 0, 100, 100), 0, -1, 1, 1e-5f);
    expect_vec3(project(&m, 0, 100, -100), 0, 1, 1, 1e-5f);
    expect_vec3(project(&m, 200, 100, 0), 1, 0, 1, 1e-5f);
    expect_vec3(project(&m, -200, 100, 0), -1, 0, 1, 1e-5f);
    const ct_vec4 behind = glms_mat4_mulv(m, (ct_vec4){{0, -1, 0, 1}});
    assert_true(behind.w < 0);
}

static void off_axis_perspective_maps_its_edges(void **state) {
    (void)state;
    const ct_mat4 m = ct_mat4_perspective_off_axis(-0.5f, 2, -1, 0.25f, 1, 11);
    ct_vec3 clip;
    assert_true(ct_mat4_project_point(&m, ct_vec3_make(-5, 10, 2.5f), &clip)); // left, top
    assert_true(fabsf(clip.x + 1) < 1e-5f && fabsf(clip.y + 1) < 1e-5f);
    assert_true(ct_mat4_project_point(&m, ct_vec3_make(20, 10, -10), &clip)); // right, bottom
    assert_true(fabsf(clip.x - 1) < 1e-5f && fabsf(clip.y - 1) < 1e-5f);
    assert_true(ct_mat4_project_point(&m, ct_vec3_make(1, 1, 0), &clip));
    assert_true(fabsf(clip.z) < 1e-5f);
    assert_true(ct_mat4_project_point(&m, ct_vec3_make(1, 11, 0), &clip));
    assert_true(fabsf(clip.z - 1) < 1e-5f);
    const ct_mat4 even = ct_mat4_perspective_off_axis(-2, 2, -1, 1, 0.1f, 50);
    const ct_mat4 same = ct_mat4_perspective(1.57079633f, 2, 0.1f, 50);
    for (uint32_t i = 0; i < 16; ++i)
        assert_true(fabsf(even.raw[i / 4][i % 4] - same.raw[i / 4][i % 4]) < 1e-5f);
}

static void orthographic_maps_its_box(void **state) {
    (void)state;
    const ct_mat4 m = ct_mat4_orthographic(-1, 3, -2, 8, 1, 11);
    expect_vec3(project(&m, -1, 1, -2), -1, 1, 0, 1e-6f);
    expect_vec3(project(&m, 3, 11, 8), 1, -1, 1, 1e-6f);
    expect_vec3(project(&m, 1, 6, 3), 0, 0, 0.5f, 1e-6f);
}

// --- Against double precision --------------------------------------------------------------------

// Rotates `v` by the quaternion as its definition says: q v q*.
static void rotate_exactly(ct_quat q, const double v[3], double result[3]) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double u[4] = {w * v[0] + y * v[2] - z * v[1], w * v[1] + z * v[0] - x * v[2],
                         w * v[2] + x * v[1] - y * v[0], -x * v[0] - y * v[1] - z * v[2]};
    result[0] = -u[3] * x + u[0] * w - u[1] * z + u[2] * y;
    result[1] = -u[3] * y + u[1] * w - u[2] * x + u[0] * z;
    result[2] = -u[3] * z + u[2] * w - u[0] * y + u[1] * x;
}

static void rotations_keep_lengths_and_are_those_of_the_definition(void **state) {
    (void)state;
    uint32_t random = 41;
    for (uint32_t i = 0; i < test_rounds(20000, 1000000); ++i) {
        const ct_quat q = random_quat(&random);
        const ct_vec3 v = random_vec3(&random, 10);
        const ct_vec3 turned = ct_quat_rotate(q, v);
        assert_true(fabsf(ct_vec3_length(turned) - ct_vec3_length(v)) < 1e-5f * 20);
        double expected[3];
        rotate_exactly(q, (double[3]){(double)v.x, (double)v.y, (double)v.z}, expected);
        expect_vec3(turned, (float)expected[0], (float)expected[1], (float)expected[2], 2e-5f);
        const ct_vec3 back = ct_quat_rotate(ct_quat_conjugate(q), turned);
        expect_vec3(back, v.x, v.y, v.z, 3e-5f);
    }
}

// The angle between two rotations in radians, in double precision.
static double angle_between(ct_quat a, ct_quat b) {
    double dot = 0, la = 0, lb = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        dot += (double)a.raw[i] * (double)b.raw[i];
        la += (double)a.raw[i] * (double)a.raw[i];
        lb += (double)b.raw[i] * (double)b.raw[i];
    }
    return 2 * acos(fmin(fabs(dot) / sqrt(la * lb), 1));
}

static void slerp_turns_evenly_the_shorter_way(void **state) {
    (void)state;
    uint32_t random = 42;
    for (uint32_t i = 0; i < test_rounds(5000, 300000); ++i) {
        const ct_quat a = random_quat(&random);
        ct_quat b = random_quat(&random);
        if (i % 4 == 0) // nearly the same
            b = ct_quat_mul(ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1e-3f), a);
        if (i % 2)
            b = (ct_quat){{-b.x, -b.y, -b.z, -b.w}};
        const double whole = angle_between(a, b);
        assert_true(whole <= 3.1416);
        const float t = random_between(&random, 0, 1);
        const ct_quat q = ct_quat_slerp(a, b, t);
        assert_true(fabsf(glms_quat_norm(q) - 1) < 1e-5f);
        if (whole > 3.13)
            continue; // half a turn: either way is as short
        assert_true(fabs(angle_between(a, q) - whole * (double)t) < 2e-3);
        assert_true(fabs(angle_between(q, b) - whole * (1 - (double)t)) < 2e-3);
    }
}

static void slerp_and_nlerp_start_and_end_where_they_should(void **state) {
    (void)state;
    uint32_t random = 43;
    for (uint32_t i = 0; i < 2000; ++i) {
        const ct_quat a = random_quat(&random), b = random_quat(&random);
        ct_quat (*const ways[])(ct_quat, ct_quat, float) = {ct_quat_slerp, ct_quat_nlerp};
        for (uint32_t k = 0; k < 2; ++k) {
            assert_true(fabsf(ct_quat_dot(ways[k](a, b, 0), a)) > 0.99999f);
            assert_true(fabsf(ct_quat_dot(ways[k](a, b, 1), b)) > 0.99999f);
        }
        if (fabsf(ct_quat_dot(a, b)) > 0.1f) // the middle is the same
            assert_true(fabsf(ct_quat_dot(ct_quat_slerp(a, b, 0.5f), ct_quat_nlerp(a, b, 0.5f))) >
                        0.9999f);
    }
}

static void nlerp_is_as_even_as_promised_over_a_quarter_turn(void **state) {
    (void)state;
    const ct_quat a = ct_quat_identity();
    const ct_quat b = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)M_PI_2);
    const double mean = M_PI_2 / 100;
    for (uint32_t i = 0; i < 100; ++i) {
        const double step = angle_between(ct_quat_nlerp(a, b, (float)i / 100),
                                          ct_quat_nlerp(a, b, (float)(i + 1) / 100));
        assert_true(step > 0.88 * mean && step < 1.07 * mean);
    }
}

static void euler_angles_turn_about_x_then_y_then_z(void **state) {
    (void)state;
    const ct_quat q = ct_quat_from_euler_xyz(ct_vec3_make((float)M_PI_2, 0, (float)M_PI_2));
    // About x, y goes to z; about z, z stays.
    expect_vec3(ct_quat_rotate(q, ct_vec3_make(0, 1, 0)), 0, 0, 1, 1e-6f);
    // About x, x stays; about z, x goes to y.
    expect_vec3(ct_quat_rotate(q, ct_vec3_make(1, 0, 0)), 0, 1, 0, 1e-6f);
    const ct_quat about_y = ct_quat_from_euler_xyz(ct_vec3_make(0, (float)M_PI_2, 0));
    expect_vec3(ct_quat_rotate(about_y, ct_vec3_make(0, 0, 1)), 1, 0, 0, 1e-6f);
}

static void euler_angles_come_back(void **state) {
    (void)state;
    uint32_t random = 44;
    for (uint32_t i = 0; i < test_rounds(20000, 1000000); ++i) {
        ct_vec3 angles =
            ct_vec3_make(random_between(&random, -3.1f, 3.1f), random_between(&random, -1.5f, 1.5f),
                         random_between(&random, -3.1f, 3.1f));
        const ct_vec3 got = ct_quat_to_euler_xyz(ct_quat_from_euler_xyz(angles));
        expect_vec3(got, angles.x, angles.y, angles.z, 1e-3f);
    }
    for (uint32_t i = 0; i < 2000; ++i) { // y at a quarter turn: other angles, the same rotation
        const float y = i % 2 ? (float)M_PI_2 : (float)-M_PI_2;
        const ct_quat q = ct_quat_from_euler_xyz(
            ct_vec3_make(random_between(&random, -3, 3), y, random_between(&random, -3, 3)));
        const ct_vec3 angles = ct_quat_to_euler_xyz(q);
        assert_true(angles.z == 0);
        assert_true(fabsf(ct_quat_dot(ct_quat_from_euler_xyz(angles), q)) > 0.9999f);
    }
}

static void euler_angles_at_the_poles_stay_in_their_range(void **state) {
    (void)state;
    const float quarter = (float)M_PI_2, turn = 2 * (float)M_PI;
    const ct_vec3 up = ct_quat_to_euler_xyz(ct_quat_from_euler_xyz(ct_vec3_make(4, quarter, 0)));
    expect_vec3(up, 4 - turn, quarter, 0, 1e-5f);
    const ct_vec3 down =
        ct_quat_to_euler_xyz(ct_quat_from_euler_xyz(ct_vec3_make(-4, -quarter, 0)));
    expect_vec3(down, turn - 4, -quarter, 0, 1e-5f);
    // -q is the rotation that q is.
    const ct_quat q = ct_quat_from_euler_xyz(ct_vec3_make(1, 0.5f, -2));
    const ct_quat minus_q = {{-q.x, -q.y, -q.z, -q.w}};
    expect_vec3(ct_quat_to_euler_xyz(minus_q), 1, 0.5f, -2, 1e-5f);
}

static void euler_angles_come_back_close_to_the_poles(void **state) {
    (void)state;
    const float y = (float)M_PI_2 - 0.0013f;
    for (float sign = -1; sign < 2; sign += 2) {
        const ct_quat q = ct_quat_from_euler_xyz(ct_vec3_make(0.3f, sign * y, 0.2f));
        const ct_vec3 got = ct_quat_to_euler_xyz(q);
        expect_vec3(got, 0.3f, sign * y, 0.2f, 1e-3f);
        assert_true(fabsf(got.y - sign * y) < 2e-6f);
    }
    uint32_t random = 46;
    for (uint32_t i = 0; i < test_rounds(20000, 1000000); ++i) {
        const float distance = powf(10, random_between(&random, -8, -1));
        const float near_pole = (i % 2 ? 1 : -1) * ((float)M_PI_2 - distance);
        const ct_quat q = ct_quat_from_euler_xyz(ct_vec3_make(
            random_between(&random, -3, 3), near_pole, random_between(&random, -3, 3)));
        const ct_vec3 angles = ct_quat_to_euler_xyz(q);
        assert_true(fabsf(angles.x) <= (float)M_PI && fabsf(angles.y) <= (float)M_PI_2 &&
                    fabsf(angles.z) <= (float)M_PI);
        assert_true(angle_between(ct_quat_from_euler_xyz(angles), q) < 1e-5);
    }
}

static void a_rotation_comes_back_from_its_matrix(void **state) {
    (void)state;
    uint32_t random = 45;
    for (uint32_t i = 0; i < test_rounds(10000, 500000); ++i) {
        const ct_quat q = random_quat(&random);
        const ct_mat4 m = ct_mat4_compose(random_vec3(&random, 10), q, ct_vec3_make(1, 1, 1));
        assert_true(angle_between(ct_quat_from_mat4(&m), q) < 2e-3);
    }
}

static void the_affine_inverse_is_the_inverse(void **state) {
    (void)state;
    uint32_t random = 46;
    for (uint32_t i = 0; i < test_rounds(10000, 500000); ++i) {
        ct_vec3 scale = random_vec3(&random, 2);
        for (uint32_t k = 0; k < 3; ++k)
            scale.raw[k] += copysignf(0.3f, scale.raw[k]);
        ct_mat4 m = ct_mat4_compose(random_vec3(&random, 10), random_quat(&random), scale);
        if (i % 2) // sheared
            m = ct_mat4_mul(m, ct_mat4_compose(random_vec3(&random, 1), random_quat(&random),
                                               ct_vec3_make(1, 2, 0.5f)));
        const ct_mat4 inverse = ct_mat4_inverse_affine(&m);
        const ct_mat4 product = ct_mat4_mul(m, inverse), identity = ct_mat4_identity();
        expect_same_matrix(&product, &identity, 1e-4f);
        const ct_mat4 general = ct_mat4_inverse(m);
        expect_same_matrix(&inverse, &general, 2e-4f);
        assert_true(inverse.col[0].w == 0 && inverse.col[1].w == 0 && inverse.col[2].w == 0 &&
                    inverse.col[3].w == 1);
    }
    const ct_mat4 flat =
        ct_mat4_compose(ct_vec3_make(1, 2, 3), ct_quat_identity(), ct_vec3_make(1, 0, 1));
    const ct_mat4 none = ct_mat4_inverse_affine(&flat);
    assert_false(ct_mat4_is_finite(&none));
}

static void unprojecting_undoes_projecting(void **state) {
    (void)state;
    uint32_t random = 47, seen = 0;
    const ct_vec3 start = ct_vec3_make(7, 7, 7);
    for (uint32_t i = 0; i < test_rounds(20000, 500000); ++i) {
        const ct_mat4 camera =
            ct_mat4_compose(random_vec3(&random, 10), random_quat(&random), ct_vec3_make(1, 1, 1));
        const ct_mat4 projection = i % 2 ? ct_mat4_perspective(1.2f, 1.5f, 0.5f, 30)
                                         : ct_mat4_orthographic(-5, 6, -3, 4, 0.5f, 30);
        const ct_mat4 to_clip = ct_mat4_mul(projection, ct_mat4_inverse_affine(&camera));
        const ct_mat4 from_clip = ct_mat4_inverse(to_clip);
        const ct_vec3 local = random_vec3(&random, 20);
        const ct_vec3 point = ct_mat4_transform_point(camera, local);
        ct_vec3 clip = start;
        const bool is_in_front = ct_mat4_project_point(&to_clip, point, &clip);
        if (fabsf(local.y) > 0.001f)
            assert_int_equal(is_in_front, i % 2 == 0 || local.y > 0);
        if (!is_in_front) {
            expect_vec3(clip, start.x, start.y, start.z, 0);
        } else if (local.y > 0.5f && local.y < 20) {
            ++seen;
            const ct_vec3 back = ct_mat4_unproject_point(&from_clip, clip);
            expect_vec3(back, point.x, point.y, point.z, 0.05f);
        }
    }
    assert_true(seen > 5000);
}

static ct_mat4 random_view_projection(uint32_t *random) {
    const ct_mat4 camera =
        ct_mat4_compose(random_vec3(random, 10), random_quat(random), ct_vec3_make(1, 1, 1));
    const ct_mat4 projection = test_random(random) % 2
                                   ? ct_mat4_perspective(1.2f, 1.5f, 0.5f, 30)
                                   : ct_mat4_orthographic(-5, 6, -3, 4, 0.5f, 30);
    return ct_mat4_mul(projection, ct_mat4_inverse(camera));
}

static bool is_inside_clip(const ct_mat4 *m, ct_vec3 p, float margin) {
    const ct_vec4 c = glms_mat4_mulv(*m, (ct_vec4){{p.x, p.y, p.z, 1}});
    const float w = c.w + margin;
    return fabsf(c.x) <= w && fabsf(c.y) <= w && c.z >= -margin && c.z <= w;
}

static void points_are_in_the_frustum_when_they_are_in_clip_space(void **state) {
    (void)state;
    uint32_t random = 21, inside = 0;
    for (uint32_t i = 0; i < test_rounds(20000, 1000000); ++i) {
        const ct_mat4 m = random_view_projection(&random);
        const ct_frustum f = ct_frustum_from(&m);
        const ct_vec3 p = random_vec3(&random, 25);
        const bool intersects = ct_frustum_intersects_aabb(&f, (ct_aabb){p, p});
        if (is_inside_clip(&m, p, -0.01f)) {
            assert_true(intersects);
            ++inside;
        } else if (!is_inside_clip(&m, p, 0.01f)) {
            assert_false(intersects);
        }
    }
    assert_true(inside > 100);
}

static void no_box_with_a_visible_point_is_culled(void **state) {
    (void)state;
    uint32_t random = 22, culled = 0;
    for (uint32_t i = 0; i < test_rounds(2000, 200000); ++i) {
        const ct_mat4 m = random_view_projection(&random);
        const ct_frustum f = ct_frustum_from(&m);
        const ct_vec3 center = random_vec3(&random, 25), half = random_vec3(&random, 3);
        ct_aabb box = ct_aabb_add_point(ct_aabb_empty(), ct_vec3_add(center, half));
        box = ct_aabb_add_point(box, ct_vec3_sub(center, half));
        if (ct_frustum_intersects_aabb(&f, box))
            continue;
        ++culled;
        for (uint32_t k = 0; k < 125; ++k) {
            const ct_vec3 part = ct_vec3_make((float)(k % 5) / 2 - 1, (float)(k / 5 % 5) / 2 - 1,
                                              (float)(k / 25) / 2 - 1);
            const ct_vec3 p = ct_vec3_add(center, ct_vec3_mul(half, part));
            assert_false(is_inside_clip(&m, p, -0.001f));
        }
    }
    assert_true(culled > 100);
}

static void frustum_planes_have_unit_normals_inwards(void **state) {
    (void)state;
    const ct_mat4 m = ct_mat4_perspective(1, 1, 1, 10);
    const ct_frustum f = ct_frustum_from(&m);
    const ct_vec3 middle = ct_vec3_make(0, 5, 0);
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_vec3 n = ct_vec3_make(f.planes[i].x, f.planes[i].y, f.planes[i].z);
        assert_true(fabsf(ct_vec3_length(n) - 1) < 1e-5f);
        assert_true(ct_vec3_dot(n, middle) + f.planes[i].w > 0);
    }
    assert_true(f.planes[0].x > 0 && f.planes[1].x < 0); // left, right
    assert_true(f.planes[2].z > 0 && f.planes[3].z < 0); // bottom, top
    assert_true(fabsf(f.planes[4].w + 1) < 1e-5f);       // near
    assert_true(fabsf(f.planes[5].w - 10) < 1e-4f);      // far
}

static void an_empty_box_intersects_nothing_and_merges_away(void **state) {
    (void)state;
    const ct_mat4 m = ct_mat4_perspective(1, 1, 1, 10);
    const ct_frustum f = ct_frustum_from(&m);
    assert_false(ct_frustum_intersects_aabb(&f, ct_aabb_empty()));
    const ct_aabb box = {ct_vec3_make(1, 2, 3), ct_vec3_make(4, 5, 6)};
    const ct_aabb merged = ct_aabb_merge(ct_aabb_empty(), box);
    expect_vec3(merged.min, 1, 2, 3, 0);
    expect_vec3(merged.max, 4, 5, 6, 0);
    const ct_aabb moved = ct_aabb_transform(&m, ct_aabb_empty());
    assert_true(moved.min.x > moved.max.x);
}

static void transformed_boxes_fit_their_corners(void **state) {
    (void)state;
    uint32_t random = 31;
    for (uint32_t i = 0; i < test_rounds(2000, 200000); ++i) {
        const ct_mat4 m = ct_mat4_compose(random_vec3(&random, 10), random_quat(&random),
                                          random_vec3(&random, 3));
        const ct_vec3 a = random_vec3(&random, 5), b = random_vec3(&random, 5);
        const ct_aabb box = ct_aabb_add_point(ct_aabb_add_point(ct_aabb_empty(), a), b);
        ct_aabb corners = ct_aabb_empty();
        for (uint32_t k = 0; k < 8; ++k) {
            const ct_vec3 corner =
                ct_vec3_make(k & 1 ? a.x : b.x, k & 2 ? a.y : b.y, k & 4 ? a.z : b.z);
            corners = ct_aabb_add_point(corners, ct_mat4_transform_point(m, corner));
        }
        const ct_aabb got = ct_aabb_transform(&m, box);
        expect_vec3(got.min, corners.min.x, corners.min.y, corners.min.z, 1e-4f);
        expect_vec3(got.max, corners.max.x, corners.max.y, corners.max.z, 1e-4f);
    }
}

static void finds_what_is_not_finite(void **state) {
    (void)state;
    assert_true(ct_vec3_is_finite(ct_vec3_make(1, 2, 3)));
    assert_false(ct_vec3_is_finite(ct_vec3_make(1, NAN, 3)));
    assert_false(ct_vec3_is_finite(ct_vec3_make(1, 2, -INFINITY)));
    ct_quat q = ct_quat_identity();
    assert_true(ct_quat_is_finite(q));
    q.w = NAN;
    assert_false(ct_quat_is_finite(q));
    for (uint32_t i = 0; i < 16; ++i) {
        ct_mat4 m = ct_mat4_identity();
        assert_true(ct_mat4_is_finite(&m));
        m.col[i / 4].raw[i % 4] = INFINITY;
        assert_false(ct_mat4_is_finite(&m));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_turn_counter_clockwise_about_their_axis),
        cmocka_unit_test(the_zero_vector_stays_zero),
        cmocka_unit_test(compose_scales_then_rotates_then_moves),
        cmocka_unit_test(decompose_undoes_compose),
        cmocka_unit_test(decompose_of_flat_matrices_is_finite),
        cmocka_unit_test(look_points_y_forward_and_z_up),
        cmocka_unit_test(look_along_up_still_gives_a_rotation),
        cmocka_unit_test(perspective_maps_near_to_0_and_far_to_1),
        cmocka_unit_test(off_axis_perspective_maps_its_edges),
        cmocka_unit_test(orthographic_maps_its_box),
        cmocka_unit_test(points_are_in_the_frustum_when_they_are_in_clip_space),
        cmocka_unit_test(no_box_with_a_visible_point_is_culled),
        cmocka_unit_test(frustum_planes_have_unit_normals_inwards),
        cmocka_unit_test(an_empty_box_intersects_nothing_and_merges_away),
        cmocka_unit_test(transformed_boxes_fit_their_corners),
        cmocka_unit_test(finds_what_is_not_finite),
        cmocka_unit_test(rotations_keep_lengths_and_are_those_of_the_definition),
        cmocka_unit_test(slerp_turns_evenly_the_shorter_way),
        cmocka_unit_test(slerp_and_nlerp_start_and_end_where_they_should),
        cmocka_unit_test(nlerp_is_as_even_as_promised_over_a_quarter_turn),
        cmocka_unit_test(euler_angles_turn_about_x_then_y_then_z),
        cmocka_unit_test(euler_angles_come_back),
        cmocka_unit_test(euler_angles_at_the_poles_stay_in_their_range),
        cmocka_unit_test(euler_angles_come_back_close_to_the_poles),
        cmocka_unit_test(a_rotation_comes_back_from_its_matrix),
        cmocka_unit_test(the_affine_inverse_is_the_inverse),
        cmocka_unit_test(unprojecting_undoes_projecting),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
