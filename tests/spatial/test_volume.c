#include "spatial/volume.h"

#include <math.h>

#include "foundation/math/math.h"
#include "spatial/convex_hull.h"
#include "support/test_support.h"

// A pose of any position, rotation and uneven scale.
static ct_mat4 random_pose(ct_random *r) {
    const ct_vec3 position = ct_vec3_scale(ct_random_unit_vec3(r), 10);
    const ct_vec3 scale =
        ct_vec3_make(ct_random_float_range(r, 0.5f, 2), ct_random_float_range(r, -2, -0.5f),
                     ct_random_float_range(r, 0.5f, 2));
    return ct_mat4_compose(position, ct_random_quat(r), scale);
}

// The surface of a ring around z: not convex, with a hole.
enum { RING_SIDES = 16, RING_TRIANGLES = 2 * RING_SIDES * RING_SIDES };
static const float ring_radius = 2, ring_thickness = 0.7f;

static void make_ring(ct_vec3 *points, uint32_t *corners) {
    for (uint32_t i = 0; i < RING_SIDES; ++i) {
        for (uint32_t k = 0; k < RING_SIDES; ++k) {
            const float u = 6.2831853f * (float)i / RING_SIDES,
                        v = 6.2831853f * (float)k / RING_SIDES;
            const float d = ring_radius + ring_thickness * cosf(v);
            points[i * RING_SIDES + k] =
                ct_vec3_make(d * cosf(u), d * sinf(u), ring_thickness * sinf(v));
            const uint32_t next_i = (i + 1) % RING_SIDES, next_k = (k + 1) % RING_SIDES;
            const uint32_t quad[6] = {i * RING_SIDES + k,           next_i * RING_SIDES + k,
                                      next_i * RING_SIDES + next_k, i * RING_SIDES + k,
                                      next_i * RING_SIDES + next_k, i * RING_SIDES + next_k};
            for (uint32_t n = 0; n < 6; ++n)
                corners[6 * (i * RING_SIDES + k) + n] = quad[n];
        }
    }
}

// The angle that the triangles span around a point, in whole spheres (Van Oosterom and Strackee
// 1983): another way to the winding number.
static double spheres_around(const ct_volume *v, ct_vec3 p) {
    double sum = 0;
    for (uint32_t i = 0; i < v->num_triangles; ++i) {
        ct_vec3 c[3];
        for (uint32_t k = 0; k < 3; ++k)
            c[k] =
                ct_vec3_sub(ct_mat4_transform_point(v->pose, v->points[v->corners[3 * i + k]]), p);
        const float a = ct_vec3_length(c[0]), b = ct_vec3_length(c[1]), d = ct_vec3_length(c[2]);
        const float up = ct_vec3_dot(c[0], ct_vec3_cross(c[1], c[2]));
        const float down = a * b * d + ct_vec3_dot(c[0], c[1]) * d + ct_vec3_dot(c[0], c[2]) * b +
                           ct_vec3_dot(c[1], c[2]) * a;
        sum += 2 * atan2((double)up, (double)down);
    }
    return sum / (4 * 3.14159265358979);
}

static void boxes_and_balls_contain_what_their_pose_says(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 0);
    const ct_vec3 half = ct_vec3_make(1, 2, 3);
    for (uint32_t i = 0; i < 2000; ++i) {
        const ct_mat4 pose = random_pose(&r);
        const ct_volume box = ct_volume_box(&pose, half), ball = ct_volume_ball(&pose, 2);
        ct_vec3 local;
        for (uint32_t k = 0; k < 3; ++k)
            local.raw[k] = ct_random_float_range(&r, -4, 4);
        const ct_vec3 p = ct_mat4_transform_point(pose, local);
        const bool is_in_box = fabsf(local.x) <= 1 && fabsf(local.y) <= 2 && fabsf(local.z) <= 3;
        assert_int_equal(ct_volume_contains(&box, p), is_in_box);
        assert_int_equal(ct_volume_contains(&ball, p), ct_vec3_length(local) <= 2);
    }
}

static void borders_belong_to_boxes_and_balls(void **state) {
    (void)state;
    const ct_mat4 pose = ct_mat4_identity();
    const ct_volume box = ct_volume_box(&pose, ct_vec3_make(1, 2, 3));
    const ct_volume ball = ct_volume_ball(&pose, 2);
    assert_true(ct_volume_contains(&box, ct_vec3_make(1, 2, -3)));
    assert_false(ct_volume_contains(&box, ct_vec3_make(nextafterf(1, 2), 0, 0)));
    assert_true(ct_volume_contains(&ball, ct_vec3_make(0, 2, 0)));
    assert_false(ct_volume_contains(&ball, ct_vec3_make(0, nextafterf(2, 3), 0)));
}

static void hulls_contain_what_is_behind_their_planes(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(2, 0);
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    uint32_t num_inside = 0;
    for (uint32_t i = 0; i < 200; ++i) {
        ct_vec3 points[20];
        for (uint32_t k = 0; k < 20; ++k)
            points[k] = ct_vec3_scale(ct_random_unit_vec3(&r), 3);
        assert_int_equal(ct_convex_hull_build(&h, points, 20), CT_CONVEX_HULL_DONE);
        const ct_mat4 pose = random_pose(&r);
        const ct_volume v =
            ct_volume_convex(&pose, h.planes.items, h.planes.count, h.points.items, h.points.count,
                             h.triangles.items, h.triangles.count / 3);
        for (uint32_t k = 0; k < 50; ++k) {
            const ct_vec3 local = ct_vec3_scale(ct_random_unit_vec3(&r), 3 * ct_random_float(&r));
            const ct_vec3 p = ct_mat4_transform_point(pose, local);
            // Mirrored, the surface spans -1.
            const bool is_inside = fabs(spheres_around(&v, p)) > 0.5;
            assert_int_equal(ct_volume_contains(&v, p), is_inside);
            num_inside += is_inside;
        }
    }
    assert_true(num_inside > 2000 && num_inside < 9000);
    ct_convex_hull_free(&h);
}

static void meshes_contain_what_their_surface_winds_around(void **state) {
    (void)state;
    ct_vec3 points[RING_SIDES * RING_SIDES];
    uint32_t corners[3 * RING_TRIANGLES];
    make_ring(points, corners);
    assert_true(ct_volume_is_closed(corners, RING_TRIANGLES, test_heap()));
    ct_random r = ct_random_seeded(3, 0);
    uint32_t num_inside = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
        const ct_mat4 pose = random_pose(&r);
        const ct_volume v =
            ct_volume_mesh(&pose, points, RING_SIDES * RING_SIDES, corners, RING_TRIANGLES);
        const ct_vec3 local =
            ct_vec3_make(ct_random_float_range(&r, -3, 3), ct_random_float_range(&r, -3, 3),
                         ct_random_float_range(&r, -1, 1));
        const ct_vec3 p = ct_mat4_transform_point(pose, local);
        const bool is_inside = fabs(spheres_around(&v, p)) > 0.5;
        assert_int_equal(ct_volume_contains(&v, p), is_inside);
        num_inside += is_inside;
    }
    assert_true(num_inside > 300 && num_inside < 1700);
}

// Lines straight up through corners and edges of triangles: each counts once.
static void rays_through_edges_count_once(void **state) {
    (void)state;
    ct_vec3 points[RING_SIDES * RING_SIDES];
    uint32_t corners[3 * RING_TRIANGLES];
    make_ring(points, corners);
    const ct_mat4 pose = ct_mat4_identity();
    const ct_volume v =
        ct_volume_mesh(&pose, points, RING_SIDES * RING_SIDES, corners, RING_TRIANGLES);
    uint32_t num_tested = 0;
    for (uint32_t i = 0; i < 3 * RING_TRIANGLES; ++i) {
        const ct_vec3 a = points[corners[i]], b = points[corners[i % 3 == 2 ? i - 2 : i + 1]];
        for (uint32_t k = 0; k < 4; ++k) {
            ct_vec3 p = ct_vec3_lerp(a, b, 0.25f * (float)k);
            p.z = k % 2 ? 0.01f : -0.3f;
            const double spheres = spheres_around(&v, p);
            if (fabs(fabs(spheres) - 0.5) < 0.4) // on the surface
                continue;
            assert_int_equal(ct_volume_contains(&v, p), fabs(spheres) > 0.5);
            ++num_tested;
        }
    }
    assert_true(num_tested > 1000);
}

static const ct_vec3 cube_points[8] = {{{-1, -1, -1}}, {{1, -1, -1}}, {{-1, 1, -1}}, {{1, 1, -1}},
                                       {{-1, -1, 1}},  {{1, -1, 1}},  {{-1, 1, 1}},  {{1, 1, 1}}};
static const uint32_t cube_corners[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                          2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static void pieces_turned_inside_out_are_holes(void **state) {
    (void)state;
    ct_vec3 points[16];
    uint32_t corners[72];
    for (uint32_t i = 0; i < 8; ++i) {
        points[i] = cube_points[i];
        points[8 + i] = ct_vec3_scale(cube_points[i], 0.5f);
    }
    for (uint32_t i = 0; i < 36; ++i) {
        corners[i] = cube_corners[i];
        corners[71 - i] = 8 + cube_corners[i];
    }
    const ct_mat4 pose = ct_mat4_identity();
    const ct_volume shell = ct_volume_mesh(&pose, points, 16, corners, 24);
    assert_true(ct_volume_is_closed(corners, 24, test_heap()));
    assert_false(ct_volume_contains(&shell, ct_vec3_make(0, 0, 0)));
    assert_true(ct_volume_contains(&shell, ct_vec3_make(0.75f, 0, 0)));
    for (uint32_t i = 0; i < 36; ++i)
        corners[36 + i] = 8 + cube_corners[i]; // the right way out: both are one
    const ct_volume both = ct_volume_mesh(&pose, points, 16, corners, 24);
    assert_true(ct_volume_contains(&both, ct_vec3_make(0, 0, 0)));
    assert_true(ct_volume_contains(&both, ct_vec3_make(0.75f, 0, 0)));
}

static void open_surfaces_are_found(void **state) {
    (void)state;
    assert_true(ct_volume_is_closed(cube_corners, 12, test_heap()));
    assert_false(ct_volume_is_closed(cube_corners, 11, test_heap()));
    assert_false(ct_volume_is_closed(cube_corners, 0, test_heap()));
    uint32_t turned[36];
    for (uint32_t i = 0; i < 36; ++i)
        turned[i] = cube_corners[i];
    turned[0] = cube_corners[1]; // one triangle the wrong way round
    turned[1] = cube_corners[0];
    assert_false(ct_volume_is_closed(turned, 12, test_heap()));
}

// A cube whose sides have corners of their own is closed when they are joined.
static void joins_points_at_one_place(void **state) {
    (void)state;
    ct_vec3 points[36];
    uint32_t corners[36];
    for (uint32_t i = 0; i < 36; ++i) {
        points[i] = ct_vec3_scale(cube_points[cube_corners[i]], 0.5f);
        points[i].x -= 0.5f; // 0 and -0
        if (i % 2 && points[i].x == 0)
            points[i].x = -0.0f;
        corners[i] = i;
    }
    assert_false(ct_volume_is_closed(corners, 12, test_heap()));
    ct_volume_join_points(points, 36, corners, 12, test_heap());
    assert_true(ct_volume_is_closed(corners, 12, test_heap()));
    for (uint32_t i = 0; i < 36; ++i) {
        assert_true(corners[i] <= i);
        assert_true(points[corners[i]].x == points[i].x && points[corners[i]].y == points[i].y &&
                    points[corners[i]].z == points[i].z);
    }
}

static ct_volume ring_at(const ct_mat4 *pose) {
    static ct_vec3 points[RING_SIDES * RING_SIDES];
    static uint32_t corners[3 * RING_TRIANGLES];
    make_ring(points, corners);
    return ct_volume_mesh(pose, points, RING_SIDES * RING_SIDES, corners, RING_TRIANGLES);
}

// Volumes of all types at one pose. The hull's arrays live as long as `h`.
static void make_all(const ct_mat4 *pose, ct_convex_hull *h, ct_random *r, ct_volume out[4]) {
    ct_vec3 points[12];
    for (uint32_t k = 0; k < 12; ++k)
        points[k] = ct_vec3_scale(ct_random_unit_vec3(r), 2);
    assert_int_equal(ct_convex_hull_build(h, points, 12), CT_CONVEX_HULL_DONE);
    out[0] = ct_volume_box(pose, ct_vec3_make(1, 2, 0.5f));
    out[1] = ct_volume_ball(pose, 2);
    out[2] = ct_volume_convex(pose, h->planes.items, h->planes.count, h->points.items,
                              h->points.count, h->triangles.items, h->triangles.count / 3);
    out[3] = ring_at(pose);
}

static void bounds_fit_tightly(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(4, 0);
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    for (uint32_t i = 0; i < 5; ++i) {
        const ct_mat4 pose = random_pose(&r);
        ct_volume v[4];
        make_all(&pose, &h, &r, v);
        for (uint32_t n = 0; n < 4; ++n) {
            const ct_aabb box = ct_volume_bounds(&v[n]);
            ct_aabb found = ct_aabb_empty();
            for (uint32_t k = 0; k < 3000; ++k) {
                ct_vec3 p;
                assert_true(ct_volume_random_point(&v[n], &r, &p));
                found = ct_aabb_add_point(found, p);
            }
            for (uint32_t k = 0; k < 3; ++k) {
                const float size = box.max.raw[k] - box.min.raw[k];
                assert_true(found.min.raw[k] >= box.min.raw[k] - 1e-4f);
                assert_true(found.max.raw[k] <= box.max.raw[k] + 1e-4f);
                assert_true(found.max.raw[k] - found.min.raw[k] > 0.7f * size);
            }
        }
    }
    ct_convex_hull_free(&h);
}

// Of random points as many fall on one side of a plane as that side has of the volume, which is
// counted with points of the bounds.
static void random_points_are_inside_and_even(void **state) {
    (void)state;
    enum { COUNT = 10000 };
    ct_random r = ct_random_seeded(5, 0);
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    const ct_mat4 pose = random_pose(&r);
    ct_volume v[4];
    make_all(&pose, &h, &r, v);
    for (uint32_t n = 0; n < 4; ++n) {
        const ct_aabb box = ct_volume_bounds(&v[n]);
        const ct_vec3 normal = ct_random_unit_vec3(&r);
        const ct_vec3 middle = ct_vec3_add(ct_mat4_position(pose), ct_vec3_scale(normal, 0.3f));
        uint32_t all = 0, above = 0, random_above = 0;
        while (all < COUNT) {
            ct_vec3 p;
            for (uint32_t k = 0; k < 3; ++k)
                p.raw[k] = ct_random_float_range(&r, box.min.raw[k], box.max.raw[k]);
            if (!ct_volume_contains(&v[n], p))
                continue;
            ++all;
            above += ct_vec3_dot(normal, ct_vec3_sub(p, middle)) > 0;
        }
        for (uint32_t i = 0; i < COUNT; ++i) {
            ct_vec3 p;
            assert_true(ct_volume_random_point(&v[n], &r, &p));
            assert_true(ct_volume_contains(&v[n], p));
            random_above += ct_vec3_dot(normal, ct_vec3_sub(p, middle)) > 0;
        }
        // Five standard deviations of the difference of two counts.
        assert_true(fabs((double)above - (double)random_above) < 5 * sqrt(COUNT / 2.0));
    }
    ct_convex_hull_free(&h);
}

static void the_same_generator_gives_the_same_point(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(6, 0), again = r;
    const ct_mat4 pose = random_pose(&r);
    const ct_volume v = ring_at(&pose);
    again = r;
    ct_vec3 a, b;
    assert_true(ct_volume_random_point(&v, &r, &a) && ct_volume_random_point(&v, &again, &b));
    assert_memory_equal(&a, &b, sizeof(a));
    assert_true(ct_volume_random_point(&v, &r, &b));
    assert_memory_not_equal(&a, &b, sizeof(a));
}

static void flattened_volumes_contain_nothing(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(8, 0);
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 0, 1));
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    ct_volume v[4];
    make_all(&pose, &h, &r, v);
    ct_vec3 p = ct_vec3_make(7, 8, 9);
    for (uint32_t n = 0; n < 4; ++n) {
        assert_false(ct_volume_contains(&v[n], ct_vec3_make(0, 0, 0)));
        assert_false(ct_volume_random_point(&v[n], &r, &p));
    }
    const ct_mat4 identity = ct_mat4_identity();
    const ct_volume none = ct_volume_mesh(&identity, NULL, 0, NULL, 0);
    assert_false(ct_volume_contains(&none, ct_vec3_make(0, 0, 0)));
    assert_false(ct_volume_random_point(&none, &r, &p));
    assert_true(p.x == 7 && p.y == 8 && p.z == 9);
    const ct_volume box = ct_volume_box(&identity, ct_vec3_make(1, 1, 1));
    assert_false(ct_volume_contains(&box, ct_vec3_make(NAN, 0, 0)));
    assert_false(ct_volume_contains(&box, ct_vec3_make(INFINITY, 0, 0)));
    ct_convex_hull_free(&h);
}

// --- Lines ---------------------------------------------------------------------------------------

typedef struct line_sum {
    uint32_t count;
    ct_aabb box;
} line_sum;

static void add_line(void *user, ct_vec3 from, ct_vec3 to) {
    line_sum *const sum = user;
    ++sum->count;
    sum->box = ct_aabb_add_point(ct_aabb_add_point(sum->box, from), to);
}

static line_sum lines_of(const ct_volume *v) {
    line_sum sum = {0, ct_aabb_empty()};
    ct_volume_lines(v, add_line, &sum);
    return sum;
}

static void lines_show_the_edges(void **state) {
    (void)state;
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    assert_int_equal(ct_convex_hull_build(&h, cube_points, 8), CT_CONVEX_HULL_DONE);
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(1, 0, 0), ct_quat_identity(), ct_vec3_make(2, 1, 1));
    const ct_volume v[4] = {ct_volume_box(&pose, ct_vec3_make(1, 1, 1)), ct_volume_ball(&pose, 1),
                            ct_volume_convex(&pose, h.planes.items, h.planes.count, h.points.items,
                                             h.points.count, h.triangles.items,
                                             h.triangles.count / 3),
                            ct_volume_mesh(&pose, cube_points, 8, cube_corners, 12)};
    static const uint32_t counts[4] = {12, 72, 12, 18}; // the mesh with the diagonals of its sides
    for (uint32_t n = 0; n < 4; ++n) {
        const line_sum sum = lines_of(&v[n]);
        assert_int_equal(sum.count, counts[n]);
        assert_float_equal(sum.box.min.x, -1, 1e-5);
        assert_float_equal(sum.box.max.x, 3, 1e-5);
        assert_float_equal(sum.box.max.z, 1, 1e-5);
    }
    ct_convex_hull_free(&h);
}

static void distances_are_to_the_nearest_point(void **state) {
    (void)state;
    ct_convex_hull h;
    ct_convex_hull_init(&h, test_heap());
    assert_int_equal(ct_convex_hull_build(&h, cube_points, 8), CT_CONVEX_HULL_DONE);
    // Of all three that are as the cube: from -1 to 3 along x, -1 to 1 along y and z.
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(1, 0, 0), ct_quat_identity(), ct_vec3_make(2, 1, 1));
    const ct_volume v[3] = {ct_volume_box(&pose, ct_vec3_make(1, 1, 1)),
                            ct_volume_convex(&pose, h.planes.items, h.planes.count, h.points.items,
                                             h.points.count, h.triangles.items,
                                             h.triangles.count / 3),
                            ct_volume_mesh(&pose, cube_points, 8, cube_corners, 12)};
    for (uint32_t n = 0; n < 3; ++n) {
        assert_float_equal(ct_volume_distance(&v[n], ct_vec3_make(2.9f, 0.9f, 0), 9), 0, 0);
        assert_float_equal(ct_volume_distance(&v[n], ct_vec3_make(5, 0.5f, 0), 9), 2, 1e-5);
        assert_float_equal(ct_volume_distance(&v[n], ct_vec3_make(6, 5, 0), 9), 5, 1e-5);
        assert_float_equal(ct_volume_distance(&v[n], ct_vec3_make(0, 0, -4), 9), 3, 1e-5);
        assert_float_equal(ct_volume_distance(&v[n], ct_vec3_make(0, 0, -4), 2), 2, 0);
    }
    ct_convex_hull_free(&h);
}

static void distances_to_balls_and_to_nothing(void **state) {
    (void)state;
    const ct_mat4 twice =
        ct_mat4_compose(ct_vec3_make(0, 0, 1), ct_quat_identity(), ct_vec3_make(2, 2, 2));
    const ct_mat4 flat =
        ct_mat4_compose(ct_vec3_make(0, 0, 1), ct_quat_identity(), ct_vec3_make(2, 0, 2));
    const ct_volume ball = ct_volume_ball(&twice, 1.5f), nothing = ct_volume_ball(&flat, 1);
    assert_float_equal(ct_volume_distance(&ball, ct_vec3_make(0, 0, 3.9f), 9), 0, 0);
    assert_float_equal(ct_volume_distance(&ball, ct_vec3_make(3, 4, 1), 9), 2, 1e-5);
    assert_float_equal(ct_volume_distance(&ball, ct_vec3_make(3, 4, 1), 1), 1, 0);
    assert_float_equal(ct_volume_distance(&nothing, ct_vec3_make(0, 0, 1), 9), 9, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_balls_contain_what_their_pose_says),
        cmocka_unit_test(borders_belong_to_boxes_and_balls),
        cmocka_unit_test(hulls_contain_what_is_behind_their_planes),
        cmocka_unit_test(meshes_contain_what_their_surface_winds_around),
        cmocka_unit_test(rays_through_edges_count_once),
        cmocka_unit_test(pieces_turned_inside_out_are_holes),
        cmocka_unit_test(open_surfaces_are_found),
        cmocka_unit_test(joins_points_at_one_place),
        cmocka_unit_test(distances_are_to_the_nearest_point),
        cmocka_unit_test(distances_to_balls_and_to_nothing),
        cmocka_unit_test(bounds_fit_tightly),
        cmocka_unit_test(random_points_are_inside_and_even),
        cmocka_unit_test(the_same_generator_gives_the_same_point),
        cmocka_unit_test(flattened_volumes_contain_nothing),
        cmocka_unit_test(lines_show_the_edges),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
