#include "support/test_support.h"

#include <math.h>

#include "foundation/math/math.h"
#include "render/component/camera_component.h"

typedef struct camera_fixture {
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_camera_manager *cameras;
} camera_fixture;

static camera_fixture start(void) {
    ct_transform_manager *const transforms = ct_transform_manager_create(test_heap());
    ct_scene_graph_manager *const graphs = ct_scene_graph_manager_create(test_heap(), transforms);
    return (camera_fixture){transforms, graphs, ct_camera_manager_create(test_heap(), graphs)};
}

static void stop(camera_fixture *f) {
    ct_camera_manager_destroy(f->cameras);
    ct_scene_graph_manager_destroy(f->graphs);
    ct_transform_manager_destroy(f->transforms);
}

static const ct_camera_data eye = {.name = {5},
                                   .projection = CT_CAMERA_PROJECTION_PERSPECTIVE,
                                   .vertical_fov = 1.57079633f,
                                   .near_range = 1,
                                   .far_range = 100,
                                   .orthographic_height = 10};

// Where a point of camera space lands on the screen: x right, y down, from -1 to 1; depth 0 to 1.
static ct_vec3 project(ct_mat4 projection, ct_vec3 p) {
    const ct_vec4 clip = glms_mat4_mulv(projection, (ct_vec4){{p.x, p.y, p.z, 1}});
    return ct_vec3_make(clip.x / clip.w, clip.y / clip.w, clip.z / clip.w);
}

static void assert_near(ct_vec3 a, ct_vec3 b) {
    if (!(ct_vec3_length(ct_vec3_sub(a, b)) < 1e-4f))
        fail_msg("(%g %g %g) is not (%g %g %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x,
                 (double)b.y, (double)b.z);
}

static void projects_in_perspective(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    const ct_mat4 p = ct_camera_projection_of(f.cameras, i, 0, 2);
    // At a distance of 10 a quarter turn sees 10 up and, at this aspect, 20 to the right.
    assert_near(project(p, ct_vec3_make(20, 10, 10)),
                ct_vec3_make(1, -1, project(p, ct_vec3_make(0, 10, 0)).z));
    assert_near(project(p, ct_vec3_make(0, 1, 0)), ct_vec3_make(0, 0, 0));
    assert_near(project(p, ct_vec3_make(0, 100, 0)), ct_vec3_make(0, 0, 1));
    stop(&f);
}

static void projects_orthographically(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    ct_camera_data_of(f.cameras, i)->projection = CT_CAMERA_PROJECTION_ORTHOGRAPHIC;
    const ct_mat4 p = ct_camera_projection_of(f.cameras, i, 0, 2);
    assert_near(project(p, ct_vec3_make(10, 1, 5)), ct_vec3_make(1, -1, 0));
    assert_near(project(p, ct_vec3_make(-10, 100, -5)), ct_vec3_make(-1, 1, 1));
    stop(&f);
}

static void sees_between_its_edges_whatever_the_aspect(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    ct_camera_eye *const second = ct_camera_eye_of(f.cameras, i, 1);
    second->perspective = (ct_camera_edges){-1, 3, -0.5f, 2};
    second->orthographic = (ct_camera_edges){-4, 8, -2, 6};
    for (uint32_t k = 0; k < 2; ++k) {
        const ct_mat4 p = ct_camera_projection_of(f.cameras, i, 1, k ? 0.5f : 2);
        assert_near(project(p, ct_vec3_make(-1, 1, 2)), ct_vec3_make(-1, -1, 0));
        assert_near(project(p, ct_vec3_make(300, 100, -50)), ct_vec3_make(1, 1, 1));
    }
    const ct_mat4 other = ct_camera_projection_of(f.cameras, i, 0, 1);
    assert_near(project(other, ct_vec3_make(1, 1, 1)), ct_vec3_make(1, -1, 0));
    ct_camera_data_of(f.cameras, i)->projection = CT_CAMERA_PROJECTION_ORTHOGRAPHIC;
    const ct_mat4 box = ct_camera_projection_of(f.cameras, i, 1, 2);
    assert_near(project(box, ct_vec3_make(-4, 1, 6)), ct_vec3_make(-1, -1, 0));
    assert_near(project(box, ct_vec3_make(8, 100, -2)), ct_vec3_make(1, 1, 1));
    stop(&f);
}

static void sees_from_each_eye(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_quat left = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.57079633f);
    ct_transform_create(f.transforms, (ct_entity){1}, ct_vec3_make(1, 2, 3), left,
                        ct_vec3_make(2, 2, 2));
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    assert_int_equal(ct_camera_mode_of(f.cameras, i), CT_CAMERA_MODE_MONO);
    ct_camera_eye_of(f.cameras, i, 1)->position = ct_vec3_make(0.5f, 0, 0);
    ct_camera_eye_of(f.cameras, i, 1)->rotation = left;
    const ct_mat4 second = ct_camera_view(f.cameras, i, 1, 1).pose;
    assert_near(ct_mat4_position(second), ct_vec3_make(1, 2.5f, 3)); // its right is the world's y
    assert_near(ct_mat4_transform_direction(second, ct_vec3_make(0, 1, 0)), ct_vec3_make(0, -1, 0));
    assert_near(ct_mat4_position(ct_camera_view(f.cameras, i, 0, 1).pose), ct_vec3_make(1, 2, 3));
    stop(&f);
}

static void stays_finite_for_a_window_without_size(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    const ct_mat4 p = ct_camera_projection_of(f.cameras, i, 0, 0);
    assert_true(ct_mat4_is_finite(&p));
    const ct_mat4 q = ct_camera_projection_of(f.cameras, i, 0, NAN);
    assert_true(ct_mat4_is_finite(&q));
    stop(&f);
}

static void sees_from_its_entity_without_its_scale(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_quat turn = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.57079633f);
    ct_transform_create(f.transforms, (ct_entity){1}, ct_vec3_make(1, 2, 3), turn,
                        ct_vec3_make(5, -2, 3));
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    const ct_mat4 pose = ct_camera_view(f.cameras, i, 0, 1).pose;
    assert_near(ct_mat4_position(pose), ct_vec3_make(1, 2, 3));
    for (uint32_t axis = 0; axis < 3; ++axis)
        assert_true(fabsf(glms_vec4_norm(pose.col[axis]) - 1) < 1e-5f);
    const ct_vec3 forward = ct_mat4_transform_direction(pose, ct_vec3_make(0, 1, 0));
    assert_near(forward, ct_vec3_make(1, 0, 0)); // the mirrored y axis of the turned entity
    stop(&f);
}

static void sees_from_the_origin_without_transform(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    const ct_mat4 pose = ct_camera_view(f.cameras, i, 0, 1).pose;
    const ct_mat4 identity = ct_mat4_identity();
    assert_memory_equal(&pose, &identity, sizeof(pose));
    stop(&f);
}

static void survives_an_entity_of_no_size(void **state) {
    (void)state;
    camera_fixture f = start();
    ct_transform_create(f.transforms, (ct_entity){1}, ct_vec3_make(1, 2, 3), ct_quat_identity(),
                        ct_vec3_make(0, 0, 0));
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    const ct_mat4 pose = ct_camera_view(f.cameras, i, 0, 1).pose;
    assert_true(ct_mat4_is_finite(&pose));
    assert_near(ct_mat4_position(pose), ct_vec3_make(1, 2, 3));
    stop(&f);
}

static void keeps_several_cameras_of_an_entity(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_component_manager manager = ct_camera_component_manager(f.cameras);
    assert_int_equal(manager.schema->size_bytes, sizeof(ct_camera_data));
    ct_camera_data data[2] = {eye, eye};
    data[1].name.value = 6;
    const ct_entity entities[] = {{4}, {5}};
    const ct_entity owners[] = {{5}, {5}};
    const uint32_t ids[] = {60, 61};
    manager.spawn(f.cameras, &(ct_component_spawn){owners, ids, data, NULL, NULL, 2, 1});
    const ct_camera_instance first = ct_camera_first(f.cameras, (ct_entity){5});
    const ct_camera_instance second = ct_camera_next(f.cameras, first);
    assert_int_equal(ct_camera_data_of(f.cameras, first)->name.value, 5);
    assert_int_equal(ct_camera_data_of(f.cameras, second)->name.value, 6);
    manager.entities_destroyed(f.cameras, &entities[1], 1);
    assert_int_equal(ct_camera_first(f.cameras, (ct_entity){5}).index, 0);
    stop(&f);
}

static void sees_from_its_node(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_entity e = {1};
    ct_camera_data on_node = eye;
    on_node.node.value = 21;
    const ct_scene_graph_node_data node = {
        .name = {21}, .position = {1, 2, 3}, .rotation = {0, 0, 0, 1}, .scale = {-4, 4, 4}};
    ct_transform_create(f.transforms, e, ct_vec3_make(10, 0, 0), ct_quat_identity(),
                        ct_vec3_make(1, 1, 1));
    const ct_scene_graph g = ct_scene_graph_create(f.graphs, e, 0, &node, 1);
    const ct_camera_instance i = ct_camera_create(f.cameras, e, 0, &on_node);
    assert_int_equal(ct_camera_node(f.cameras, i), 1);
    assert_near(ct_mat4_position(ct_camera_view(f.cameras, i, 0, 1).pose), ct_vec3_make(11, 2, 3));
    ct_scene_graph_set_local_position(f.graphs, g, 1, ct_vec3_make(0, 0, 5));
    const ct_mat4 pose = ct_camera_view(f.cameras, i, 0, 1).pose; // without an update between
    assert_near(ct_mat4_position(pose), ct_vec3_make(10, 0, 5));
    assert_near(ct_mat4_transform_direction(pose, ct_vec3_make(1, 0, 0)), ct_vec3_make(1, 0, 0));
    stop(&f);
}

static void each_camera_and_each_cut_is_a_shot(void **state) {
    (void)state;
    camera_fixture f = start();
    const ct_camera_instance i = ct_camera_create(f.cameras, (ct_entity){1}, 0, &eye);
    const ct_camera_instance other = ct_camera_create(f.cameras, (ct_entity){2}, 0, &eye);
    const uint32_t shot = ct_camera_view(f.cameras, i, 0, 1).shot;
    assert_int_equal(ct_camera_view(f.cameras, i, 0, 1).shot, shot);
    assert_int_not_equal(ct_camera_view(f.cameras, other, 0, 1).shot, shot);
    ct_camera_cut(f.cameras, i);
    const uint32_t next = ct_camera_view(f.cameras, i, 0, 1).shot;
    assert_int_not_equal(next, shot);
    assert_int_not_equal(next, ct_camera_view(f.cameras, other, 0, 1).shot);
    assert_int_equal(ct_camera_view(f.cameras, i, 1, 1).shot, next);
    stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projects_in_perspective),
        cmocka_unit_test(projects_orthographically),
        cmocka_unit_test(sees_between_its_edges_whatever_the_aspect),
        cmocka_unit_test(sees_from_each_eye),
        cmocka_unit_test(stays_finite_for_a_window_without_size),
        cmocka_unit_test(sees_from_its_entity_without_its_scale),
        cmocka_unit_test(sees_from_the_origin_without_transform),
        cmocka_unit_test(survives_an_entity_of_no_size),
        cmocka_unit_test(keeps_several_cameras_of_an_entity),
        cmocka_unit_test(sees_from_its_node),
        cmocka_unit_test(each_camera_and_each_cut_is_a_shot),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
