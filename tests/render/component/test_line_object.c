#include "world/recorder.h"

#include <math.h>

#include "foundation/math/math.h"
#include "render/component/line_object.h"

static const ct_vec4 white = {{1, 1, 1, 1}};
static const ct_vec3 center = {{1, 2, 3}};

static ct_vec3 vertex(const ct_line_object *l, uint32_t i) {
    const float *const p = l->vertices.items[i].position;
    return ct_vec3_make(p[0], p[1], p[2]);
}

static float distance(ct_vec3 a, ct_vec3 b) {
    return ct_vec3_length(ct_vec3_sub(a, b));
}

static void keeps_lines_until_it_is_reset(void **state) {
    (void)state;
    start_recorder(NULL);
    ct_line_object *const l = ct_line_object_create(test_heap());
    ct_line_object_add_line(l, (ct_vec4){{0.5f, 0, 0, 1}}, center, ct_vec3_make(9, 9, 9));
    assert_int_equal(l->vertices.count, 2);
    assert_true(l->vertices.items[1].position[0] == 9);
    assert_true(l->vertices.items[1].color[0] == 0.5f);
    const ct_render_world_id world = {1};
    ct_line_object_dispatch(l, recorder, world);
    ct_line_object_dispatch(l, recorder, world);
    assert_int_equal(recorded()->num_line_vertices, 4);
    ct_line_object_reset(l);
    ct_line_object_dispatch(l, recorder, world);
    assert_int_equal(recorded()->num_line_vertices, 4);
    ct_line_object_destroy(l);
    stop_recorder();
}

static void draws_axes_in_red_green_blue(void **state) {
    (void)state;
    ct_line_object *const l = ct_line_object_create(test_heap());
    const ct_mat4 pose = ct_mat4_compose(center, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    ct_line_object_add_axes(l, &pose, 2);
    assert_int_equal(l->vertices.count, 6);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        assert_true(distance(vertex(l, axis * 2), center) == 0);
        const ct_vec3 along = ct_vec3_sub(vertex(l, axis * 2 + 1), center);
        assert_true(along.raw[axis] == 2 && ct_vec3_length(along) == 2);
        for (uint32_t c = 0; c < 3; ++c)
            assert_true(l->vertices.items[axis * 2].color[c] == (c == axis ? 1.0f : 0.0f));
    }
    ct_line_object_destroy(l);
}

static void draws_the_12_edges_of_a_box(void **state) {
    (void)state;
    ct_line_object *const l = ct_line_object_create(test_heap());
    const ct_mat4 pose = ct_mat4_compose(center, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    ct_line_object_add_box(l, white, &pose, ct_vec3_make(1, 2, 3));
    assert_int_equal(l->vertices.count, 24);
    uint32_t along[3] = {0};
    for (uint32_t i = 0; i < 24; i += 2) {
        const ct_vec3 edge = ct_vec3_sub(vertex(l, i + 1), vertex(l, i));
        for (uint32_t axis = 0; axis < 3; ++axis)
            along[axis] += edge.raw[axis] == 2.0f * (float)(axis + 1);
        assert_true(distance(vertex(l, i), center) == sqrtf(14));
    }
    assert_int_equal(along[0], 4);
    assert_int_equal(along[1], 4);
    assert_int_equal(along[2], 4);
    ct_line_object_destroy(l);
}

static void closes_circles_around_their_normal(void **state) {
    (void)state;
    ct_line_object *const l = ct_line_object_create(test_heap());
    const ct_vec3 normals[] = {{{0, 0, 1}}, {{0, 0, -3}}, {{1, 0, 0}}, {{1, 2, 3}}};
    for (uint32_t n = 0; n < CT_COUNT_OF(normals); ++n) {
        ct_line_object_reset(l);
        ct_line_object_add_circle(l, white, center, 5, normals[n], 12);
        assert_int_equal(l->vertices.count, 24);
        for (uint32_t i = 0; i < 24; ++i) {
            const ct_vec3 out = ct_vec3_sub(vertex(l, i), center);
            assert_true(fabsf(ct_vec3_length(out) - 5) < 1e-4f);
            assert_true(fabsf(ct_vec3_dot(out, normals[n])) < 1e-3f);
        }
        for (uint32_t i = 1; i < 24; ++i) // the next line begins where the last ended
            assert_true(distance(vertex(l, i), vertex(l, (i + i % 2) % 24)) < 1e-4f || i % 2 == 0);
    }
    ct_line_object_destroy(l);
}

static void draws_a_sphere_of_three_circles(void **state) {
    (void)state;
    ct_line_object *const l = ct_line_object_create(test_heap());
    ct_line_object_add_sphere(l, white, center, 2, 8);
    assert_int_equal(l->vertices.count, 3 * 8 * 2);
    for (uint32_t i = 0; i < l->vertices.count; ++i)
        assert_true(fabsf(distance(vertex(l, i), center) - 2) < 1e-4f);
    ct_line_object_destroy(l);
}

static void draws_a_cone_from_its_base_to_its_tip(void **state) {
    (void)state;
    ct_line_object *const l = ct_line_object_create(test_heap());
    const ct_vec3 tip = {{1, 2, 9}};
    ct_line_object_add_cone(l, white, center, tip, 2, 8, 4);
    assert_int_equal(l->vertices.count, (8 + 4) * 2);
    for (uint32_t i = 16; i < 24; i += 2) {
        assert_true(fabsf(distance(vertex(l, i), center) - 2) < 1e-4f);
        assert_true(distance(vertex(l, i + 1), tip) == 0);
    }
    ct_line_object_destroy(l);
}

static float distance_to_segment(ct_vec3 p, ct_vec3 from, ct_vec3 to) {
    const ct_vec3 along = ct_vec3_sub(to, from);
    const float t = ct_vec3_dot(ct_vec3_sub(p, from), along) / ct_vec3_dot(along, along);
    return distance(p, ct_vec3_lerp(from, to, fminf(fmaxf(t, 0), 1)));
}

static void draws_a_capsule_on_its_surface(void **state) {
    (void)state;
    ct_line_object *const l = ct_line_object_create(test_heap());
    const ct_vec3 to = {{4, 2, 7}};
    ct_line_object_add_capsule(l, white, center, to, 2, 12);
    assert_int_equal(l->vertices.count, (2 * (12 + 6 + 6) + 4) * 2);
    float top = 0;
    for (uint32_t i = 0; i < l->vertices.count; ++i) {
        assert_true(fabsf(distance_to_segment(vertex(l, i), center, to) - 2) < 1e-3f);
        top = fmaxf(top, distance(vertex(l, i), center));
    }
    assert_true(fabsf(top - 7) < 1e-3f); // the far cap's top: a length of 5 and a radius of 2
    ct_line_object_destroy(l);
}

static void stays_finite_for_shapes_of_no_size(void **state) {
    (void)state;
    ct_line_object *const l = ct_line_object_create(test_heap());
    ct_line_object_add_capsule(l, white, center, center, 1, 0);
    ct_line_object_add_circle(l, white, center, 1, ct_vec3_make(0, 0, 0), 0);
    ct_line_object_add_cone(l, white, center, center, 1, 0, 0);
    assert_true(l->vertices.count > 0);
    for (uint32_t i = 0; i < l->vertices.count; ++i)
        assert_true(ct_vec3_is_finite(vertex(l, i)));
    ct_line_object_destroy(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_lines_until_it_is_reset),
        cmocka_unit_test(draws_axes_in_red_green_blue),
        cmocka_unit_test(draws_the_12_edges_of_a_box),
        cmocka_unit_test(closes_circles_around_their_normal),
        cmocka_unit_test(draws_a_sphere_of_three_circles),
        cmocka_unit_test(draws_a_cone_from_its_base_to_its_tip),
        cmocka_unit_test(draws_a_capsule_on_its_surface),
        cmocka_unit_test(stays_finite_for_shapes_of_no_size),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
