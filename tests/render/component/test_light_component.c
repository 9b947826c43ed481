#include "world/recorder.h"

#include "foundation/math/math.h"
#include "render/component/light_component.h"

typedef struct light_fixture {
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_light_manager *lights;
    ct_render_world_id world;
} light_fixture;

static light_fixture start(void) {
    start_recorder(NULL);
    light_fixture f = {.transforms = ct_transform_manager_create(test_heap())};
    f.world = ct_render_world_create(recorder);
    f.graphs = ct_scene_graph_manager_create(test_heap(), f.transforms);
    f.lights = ct_light_manager_create(test_heap(), recorder, f.world, f.transforms, f.graphs);
    return f;
}

static void stop(light_fixture *f) {
    ct_light_manager_destroy(f->lights);
    ct_scene_graph_manager_destroy(f->graphs);
    ct_transform_manager_destroy(f->transforms);
    ct_render_world_destroy(recorder, f->world);
    stop_recorder();
}

static ct_transform place(light_fixture *f, uint32_t entity, float x) {
    return ct_transform_create(f->transforms, (ct_entity){entity}, ct_vec3_make(x, 0, 0),
                               ct_quat_identity(), ct_vec3_make(1, 1, 1));
}

static const ct_light_data lamp = {
    .name = {5}, .type = CT_LIGHT_TYPE_POINT, .intensity = 10, .is_enabled = 1};

static void shines_where_its_entity_is(void **state) {
    (void)state;
    light_fixture f = start();
    place(&f, 1, 4);
    ct_light_create(f.lights, (ct_entity){1}, 0, &lamp);
    ct_light_create(f.lights, (ct_entity){2}, 0, &lamp);
    assert_true(recorded()->lights[1].pose.col[3].x == 4);
    assert_true(recorded()->lights[1].data.intensity == 10);
    assert_true(recorded()->lights[2].pose.col[3].x == 0);
    stop(&f);
}

static void sends_what_moved_or_changed_once(void **state) {
    (void)state;
    light_fixture f = start();
    ct_transform t[4];
    for (uint32_t e = 1; e <= 3; ++e) {
        t[e] = place(&f, e, 0);
        ct_light_create(f.lights, (ct_entity){e}, 0, &lamp);
    }
    ct_light_send_changes(f.lights);
    recorded()->light_sets = 0;
    ct_light_send_changes(f.lights);
    assert_int_equal(recorded()->light_sets, 0);
    ct_transform_set_local_position(f.transforms, t[2], ct_vec3_make(6, 0, 0));
    ct_light_data bright = lamp;
    bright.intensity = 99;
    ct_light_set_data(f.lights, ct_light_first(f.lights, (ct_entity){3}), &bright);
    assert_true(recorded()->lights[3].data.intensity == 10);
    ct_light_send_changes(f.lights);
    assert_int_equal(recorded()->light_sets, 2);
    assert_true(recorded()->lights[2].pose.col[3].x == 6);
    assert_true(recorded()->lights[3].data.intensity == 99);
    ct_light_send_changes(f.lights);
    assert_int_equal(recorded()->light_sets, 2);
    stop(&f);
}

static void keeps_several_lights_of_an_entity(void **state) {
    (void)state;
    light_fixture f = start();
    ct_light_data other = lamp;
    other.name.value = 6;
    ct_light_create(f.lights, (ct_entity){1}, 0, &lamp);
    ct_light_create(f.lights, (ct_entity){1}, 1, &other);
    const ct_light_instance first = ct_light_first(f.lights, (ct_entity){1});
    const ct_light_instance second = ct_light_next(f.lights, first);
    assert_int_equal(ct_light_data_of(f.lights, first)->name.value, 5);
    assert_int_equal(ct_light_data_of(f.lights, second)->name.value, 6);
    assert_int_equal(ct_light_count(f.lights), 2);
    stop(&f);
}

static void ends_with_its_entity(void **state) {
    (void)state;
    light_fixture f = start();
    for (uint32_t e = 1; e <= 3; ++e) {
        ct_light_create(f.lights, (ct_entity){e}, 0, &lamp);
        ct_light_create(f.lights, (ct_entity){e}, 1, &lamp);
    }
    const ct_component_manager manager = ct_light_component_manager(f.lights);
    manager.entities_destroyed(f.lights, (ct_entity[]){{1}, {9}}, 2);
    assert_int_equal(recorded()->num_lights, 4);
    assert_int_equal(ct_light_count(f.lights), 4);
    assert_int_equal(ct_light_first(f.lights, (ct_entity){1}).index, 0);
    stop(&f);
}

static void spawns_from_template_data(void **state) {
    (void)state;
    light_fixture f = start();
    const ct_component_manager manager = ct_light_component_manager(f.lights);
    assert_int_equal(manager.schema->size_bytes, sizeof(ct_light_data));
    const ct_entity owner = {5};
    const uint32_t id = 60;
    manager.spawn(f.lights, &(ct_component_spawn){&owner, &id, &lamp, NULL, NULL, 1, 1});
    assert_int_not_equal(ct_light_first(f.lights, (ct_entity){5}).index, 0);
    assert_true(recorded()->lights[1].data.name.value == 5);
    stop(&f);
}

static void shines_from_its_node(void **state) {
    (void)state;
    light_fixture f = start();
    const ct_entity e = {1};
    ct_light_data on_node = lamp;
    on_node.node.value = 21;
    const ct_scene_graph_node_data node = {
        .name = {21}, .position = {1, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    place(&f, 1, 4);
    const ct_scene_graph g = ct_scene_graph_create(f.graphs, e, 0, &node, 1);
    const ct_light_instance i = ct_light_create(f.lights, e, 0, &on_node);
    ct_light_create(f.lights, e, 1, &lamp);
    assert_int_equal(ct_light_node(f.lights, i), 1);
    assert_true(recorded()->lights[1].pose.col[3].x == 5);
    ct_light_send_changes(f.lights);
    ct_scene_graph_clear_changed(f.graphs);
    ct_scene_graph_set_local_position(f.graphs, g, 1, ct_vec3_make(7, 0, 0));
    recorded()->light_sets = 0;
    ct_light_send_changes(f.lights);
    assert_true(recorded()->lights[1].pose.col[3].x == 11);
    assert_int_equal(recorded()->light_sets, 1); // not the one on the entity
    stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shines_where_its_entity_is),
        cmocka_unit_test(sends_what_moved_or_changed_once),
        cmocka_unit_test(keeps_several_lights_of_an_entity),
        cmocka_unit_test(ends_with_its_entity),
        cmocka_unit_test(spawns_from_template_data),
        cmocka_unit_test(shines_from_its_node),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
