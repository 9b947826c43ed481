#include "world/recorder.h"

#include "foundation/math/math.h"
#include "render/component/mesh_component.h"

typedef struct mesh_fixture {
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_mesh_manager *meshes;
    ct_render_world_id world;
} mesh_fixture;

static mesh_fixture start(void) {
    start_recorder(NULL);
    mesh_fixture f = {.transforms = ct_transform_manager_create(test_heap())};
    f.world = ct_render_world_create(recorder);
    f.graphs = ct_scene_graph_manager_create(test_heap(), f.transforms);
    f.meshes = ct_mesh_manager_create(test_heap(), recorder, f.world, f.transforms, f.graphs);
    return f;
}

static void stop(mesh_fixture *f) {
    ct_mesh_manager_destroy(f->meshes);
    ct_scene_graph_manager_destroy(f->graphs);
    ct_transform_manager_destroy(f->transforms);
    ct_render_world_destroy(recorder, f->world);
    stop_recorder();
}

static ct_transform place(mesh_fixture *f, uint32_t entity, float x) {
    return ct_transform_create(f->transforms, (ct_entity){entity}, ct_vec3_make(x, 0, 0),
                               ct_quat_identity(), ct_vec3_make(1, 1, 1));
}

static const ct_mesh_data crate = {
    .mesh = {111}, .materials = {{7}, {8}}, .is_visible = 1, .casts_shadows = 1};

static void draws_a_mesh_where_its_entity_is(void **state) {
    (void)state;
    mesh_fixture f = start();
    place(&f, 1, 5);
    ct_mesh_create(f.meshes, (ct_entity){1}, 0, &crate);
    assert_int_equal(recorded()->num_objects, 1);
    assert_true(recorded()->objects[1].mesh.value == 111);
    assert_true(recorded()->objects[1].materials[1].value == 8);
    assert_true(recorded()->objects[1].pose.col[3].x == 5);
    assert_true(recorded()->objects[1].is_visible);
    stop(&f);
}

static void draws_an_entity_without_transform_at_the_origin(void **state) {
    (void)state;
    mesh_fixture f = start();
    ct_mesh_create(f.meshes, (ct_entity){1}, 0, &crate);
    assert_true(recorded()->objects[1].pose.col[3].x == 0);
    assert_true(recorded()->objects[1].pose.col[0].x == 1);
    place(&f, 1, 9); // it gets one later
    ct_mesh_send_poses(f.meshes);
    assert_true(recorded()->objects[1].pose.col[3].x == 9);
    stop(&f);
}

static void keeps_several_meshes_of_an_entity(void **state) {
    (void)state;
    mesh_fixture f = start();
    const ct_entity e = {1};
    ct_mesh_create(f.meshes, e, 50, &crate);
    ct_mesh_create(f.meshes, e, 51, &crate);
    const ct_mesh_instance first = ct_mesh_first(f.meshes, e);
    const ct_mesh_instance second = ct_mesh_next(f.meshes, first);
    assert_int_equal(ct_mesh_id(f.meshes, first), 50);
    assert_int_equal(ct_mesh_id(f.meshes, second), 51);
    assert_int_equal(ct_mesh_next(f.meshes, second).index, 0);
    assert_int_equal(ct_mesh_with_id(f.meshes, e, 51).index, second.index);
    ct_mesh_destroy(f.meshes, first);
    assert_int_equal(ct_mesh_count(f.meshes), 1);
    assert_false(recorded()->objects[1].exists);
    assert_true(recorded()->objects[2].exists);
    assert_int_equal(ct_mesh_id(f.meshes, ct_mesh_first(f.meshes, e)), 51);
    stop(&f);
}

static void starts_hidden_when_its_data_says_so(void **state) {
    (void)state;
    mesh_fixture f = start();
    ct_mesh_data hidden = crate;
    hidden.is_visible = 0;
    ct_mesh_create(f.meshes, (ct_entity){1}, 0, &hidden);
    assert_false(recorded()->objects[1].is_visible);
    stop(&f);
}

static void hides_and_changes_material(void **state) {
    (void)state;
    mesh_fixture f = start();
    const ct_mesh_instance i = ct_mesh_create(f.meshes, (ct_entity){1}, 0, &crate);
    ct_mesh_set_visible(f.meshes, i, false);
    assert_false(recorded()->objects[1].is_visible);
    assert_false(ct_mesh_data_of(f.meshes, i).is_visible);
    ct_mesh_set_visible(f.meshes, i, true);
    assert_true(recorded()->objects[1].is_visible);
    ct_mesh_set_material(f.meshes, i, 1, (ct_string_id64){99});
    assert_true(recorded()->objects[1].materials[1].value == 99);
    assert_true(ct_mesh_data_of(f.meshes, i).materials[1].value == 99);
    stop(&f);
}

// Property: as an array of all materials would, for entities that come and go.
static void keeps_materials_of_many_parts(void **state) {
    (void)state;
    enum { MAX_ENTITIES = 40 };
    static ct_mesh_data model[MAX_ENTITIES + 1]; // mesh 0: not there
    memset(model, 0, sizeof(model));
    mesh_fixture f = start();
    uint32_t random = 5;
    for (uint32_t round = 0; round < test_rounds(3000, 100000); ++round) {
        const ct_entity e = {1 + test_random(&random) % MAX_ENTITIES};
        ct_mesh_data *data = &model[e.id];
        const ct_mesh_instance i = ct_mesh_first(f.meshes, e);
        const uint32_t part = test_random(&random) % CT_MESH_MAX_MATERIALS;
        assert_int_equal(i.index != 0, data->mesh.value != 0);
        if (!i.index && recorded()->last_object + 2 < RECORDED_MAX_ITEMS) {
            const uint32_t most = test_random(&random) % 3 ? 3 : CT_MESH_MAX_MATERIALS;
            *data = (ct_mesh_data){.mesh = {round + 1}, .is_visible = 1, .casts_shadows = 1};
            for (uint32_t p = 0; p < most; ++p)
                data->materials[p].value = test_random(&random) % 5;
            ct_mesh_create(f.meshes, e, 0, data);
        } else if (i.index && test_random(&random) % 4 == 0) {
            data->mesh.value = 0;
            ct_mesh_destroy(f.meshes, i);
        } else if (i.index) {
            data->materials[part].value = round % 7;
            ct_mesh_set_material(f.meshes, i, part, data->materials[part]);
        }
        const ct_entity other = {1 + test_random(&random) % MAX_ENTITIES};
        const ct_mesh_instance found = ct_mesh_first(f.meshes, other);
        if (!found.index)
            continue;
        const ct_mesh_data kept = ct_mesh_data_of(f.meshes, found);
        assert_memory_equal(&kept, &model[other.id], sizeof(kept));
        assert_true(ct_mesh_material(f.meshes, found, part).value == kept.materials[part].value);
    }
    stop(&f);
}

static void casts_no_shadow_when_told_so(void **state) {
    (void)state;
    mesh_fixture f = start();
    ct_mesh_data shadowless = crate;
    shadowless.casts_shadows = 0;
    const ct_mesh_instance i = ct_mesh_create(f.meshes, (ct_entity){1}, 0, &shadowless);
    assert_false(recorded()->objects[1].casts_shadows);
    ct_mesh_set_casts_shadows(f.meshes, i, true);
    assert_true(recorded()->objects[1].casts_shadows);
    assert_true(ct_mesh_data_of(f.meshes, i).casts_shadows);
    stop(&f);
}

static void copies_the_data_of_another_instance(void **state) {
    (void)state;
    mesh_fixture f = start();
    ct_mesh_instance i = ct_mesh_create(f.meshes, (ct_entity){1}, 0, &crate);
    for (uint32_t e = 2; e < 100; ++e) { // the arrays move meanwhile
        const ct_mesh_data data = ct_mesh_data_of(f.meshes, i);
        i = ct_mesh_create(f.meshes, (ct_entity){e}, 0, &data);
    }
    assert_true(recorded()->objects[99].mesh.value == 111);
    assert_true(recorded()->objects[99].materials[1].value == 8);
    stop(&f);
}

static void sends_only_what_moved_in_one_call(void **state) {
    (void)state;
    mesh_fixture f = start();
    for (uint32_t e = 1; e <= 100; ++e) {
        place(&f, e, 0);
        ct_mesh_create(f.meshes, (ct_entity){e}, 0, &crate);
    }
    ct_mesh_create(f.meshes, (ct_entity){4}, 1, &crate);
    place(&f, 200, 0); // moves, but has no mesh
    ct_mesh_send_poses(f.meshes);
    recorded()->pose_calls = recorded()->poses_sent = 0;
    ct_mesh_send_poses(f.meshes);
    assert_int_equal(recorded()->pose_calls, 0);
    for (uint32_t e = 3; e <= 4; ++e)
        ct_transform_set_local_position(f.transforms,
                                        ct_transform_lookup(f.transforms, (ct_entity){e}),
                                        ct_vec3_make((float)e, 0, 0));
    ct_transform_set_local_position(
        f.transforms, ct_transform_lookup(f.transforms, (ct_entity){200}), ct_vec3_make(1, 0, 0));
    ct_mesh_send_poses(f.meshes);
    assert_int_equal(recorded()->pose_calls, 1);
    assert_int_equal(recorded()->poses_sent, 3);
    assert_true(recorded()->objects[3].pose.col[3].x == 3);
    assert_true(recorded()->objects[4].pose.col[3].x == 4);
    assert_true(recorded()->objects[101].pose.col[3].x == 4);
    assert_true(recorded()->objects[5].pose.col[3].x == 0);
    stop(&f);
}

static void allocates_nothing_per_frame_once_warm(void **state) {
    (void)state;
    mesh_fixture f = start();
    for (uint32_t e = 1; e <= 1000; ++e) {
        place(&f, e, 0);
        ct_mesh_create(f.meshes, (ct_entity){e}, 0, &crate);
    }
    uint64_t before = 0;
    for (uint32_t frame = 0; frame < 6; ++frame) {
        for (uint32_t e = 1; e <= 1000; ++e)
            ct_transform_set_local_position(f.transforms, (ct_transform){e},
                                            ct_vec3_make((float)frame, 0, 0));
        ct_mesh_send_poses(f.meshes);
        recorded();
        if (frame == 1) // the renderer has two streams
            before = ct_allocator_stats_of(test_heap()).total_blocks;
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    assert_int_equal(recorded()->poses_sent, 6000);
    stop(&f);
}

static void ends_all_meshes_of_dying_entities_in_one_call(void **state) {
    (void)state;
    mesh_fixture f = start();
    for (uint32_t e = 1; e <= 10; ++e) {
        ct_mesh_create(f.meshes, (ct_entity){e}, 0, &crate);
        ct_mesh_create(f.meshes, (ct_entity){e}, 1, &crate);
    }
    const ct_component_manager manager = ct_mesh_component_manager(f.meshes);
    manager.entities_destroyed(f.meshes, (ct_entity[]){{2}, {77}, {9}}, 3);
    assert_int_equal(recorded()->destroy_calls, 1);
    assert_int_equal(recorded()->num_objects, 16);
    assert_int_equal(ct_mesh_count(f.meshes), 16);
    assert_int_equal(ct_mesh_first(f.meshes, (ct_entity){9}).index, 0);
    assert_int_not_equal(ct_mesh_with_id(f.meshes, (ct_entity){10}, 1).index, 0);
    stop(&f);
}

static void spawns_from_template_data(void **state) {
    (void)state;
    mesh_fixture f = start();
    const ct_component_manager manager = ct_mesh_component_manager(f.meshes);
    assert_int_equal(manager.schema->size_bytes, sizeof(ct_mesh_data));
    ct_mesh_data data[2] = {crate, crate};
    data[1].mesh.value = 222;
    data[1].materials[9].value = 99; // beyond those kept near, and not counted in the other
    data[0].materials[9].value = 99;
    data[1].num_materials = 10;
    const ct_entity owners[] = {{5}, {5}};
    const uint32_t ids[] = {60, 61};
    manager.spawn(f.meshes, &(ct_component_spawn){owners, ids, data, NULL, NULL, 2, 1});
    const ct_mesh_instance i = ct_mesh_with_id(f.meshes, (ct_entity){5}, 61);
    assert_true(ct_mesh_data_of(f.meshes, i).mesh.value == 222);
    assert_true(ct_mesh_material(f.meshes, i, 9).value == 99);
    assert_true(ct_mesh_material(f.meshes, ct_mesh_first(f.meshes, (ct_entity){5}), 9).value == 0);
    stop(&f);
}

// --- Nodes ---------------------------------------------------------------------------------------

static const ct_scene_graph_node_data nodes[2] = {
    {.name = {21}, .position = {1, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {2, 2, 2}},
    {.name = {22},
     .parent = 1,
     .position = {1, 0, 0},
     .rotation = {0, 0, 0, 1},
     .scale = {1, 1, 1}},
};

// A crate on node 22 of entity 1, and one on the entity itself.
static ct_scene_graph place_on_nodes(mesh_fixture *f) {
    ct_mesh_data on_node = crate;
    on_node.node.value = 22;
    place(f, 1, 10);
    const ct_scene_graph g = ct_scene_graph_create(f->graphs, (ct_entity){1}, 0, nodes, 2);
    ct_mesh_create(f->meshes, (ct_entity){1}, 0, &on_node);
    ct_mesh_create(f->meshes, (ct_entity){1}, 1, &crate);
    return g;
}

// As a world does once a frame.
static void send(mesh_fixture *f) {
    recorded()->poses_sent = 0;
    ct_scene_graph_update(f->graphs);
    ct_mesh_send_poses(f->meshes);
    ct_scene_graph_clear_changed(f->graphs);
}

static void draws_a_mesh_where_its_node_is(void **state) {
    (void)state;
    mesh_fixture f = start();
    place_on_nodes(&f);
    assert_true(recorded()->objects[1].pose.col[3].x == 13); // 10 + 1 + 2 * 1
    assert_true(recorded()->objects[1].pose.col[0].x == 2);
    assert_true(recorded()->objects[2].pose.col[3].x == 10);
    const ct_mesh_instance first = ct_mesh_first(f.meshes, (ct_entity){1});
    assert_int_equal(ct_mesh_node(f.meshes, first), 2);
    assert_int_equal(ct_mesh_node(f.meshes, ct_mesh_next(f.meshes, first)), 0);
    stop(&f);
}

static void follows_its_node_and_its_entity(void **state) {
    (void)state;
    mesh_fixture f = start();
    const ct_scene_graph g = place_on_nodes(&f);
    send(&f);
    ct_scene_graph_set_local_position(f.graphs, g, 1, ct_vec3_make(5, 0, 0));
    send(&f);
    assert_int_equal(recorded()->poses_sent, 1);
    assert_true(recorded()->objects[1].pose.col[3].x == 17);
    const ct_transform t = ct_transform_lookup(f.transforms, (ct_entity){1});
    ct_transform_set_local_position(f.transforms, t, ct_vec3_make(20, 0, 0));
    ct_scene_graph_set_local_position(f.graphs, g, 1, ct_vec3_make(6, 0, 0));
    send(&f);
    assert_int_equal(recorded()->poses_sent, 2); // each once, though both changed
    assert_true(recorded()->objects[1].pose.col[3].x == 28);
    assert_true(recorded()->objects[2].pose.col[3].x == 20);
    send(&f);
    assert_int_equal(recorded()->poses_sent, 0);
    stop(&f);
}

static void stays_on_the_entity_when_its_graph_ends(void **state) {
    (void)state;
    mesh_fixture f = start();
    place_on_nodes(&f);
    const ct_entity e = {1};
    send(&f);
    ct_scene_graph_destroy(f.graphs, &e, 1);
    send(&f);
    assert_true(recorded()->objects[1].pose.col[3].x == 10);
    assert_int_equal(ct_mesh_node(f.meshes, ct_mesh_first(f.meshes, e)), 0);
    stop(&f);
}

static void outlines_the_meshes_of_an_entity_as_one(void **state) {
    (void)state;
    static const float color[] = {1.0f, 0.5f, 0.25f};
    mesh_fixture f = start();
    const ct_entity e = {1}, other = {2};
    const ct_mesh_instance a = ct_mesh_create(f.meshes, e, 0, &crate);
    ct_mesh_set_outline(f.meshes, a, color);
    ct_mesh_set_outline(f.meshes, ct_mesh_create(f.meshes, e, 1, &crate), color);
    ct_mesh_set_outline(f.meshes, ct_mesh_create(f.meshes, other, 0, &crate), color);
    const recorded_object *const objects = recorded()->objects;
    assert_memory_equal(objects[1].outline, color, sizeof(color));
    assert_true(objects[1].outline[3] > 0.0f && objects[1].outline[3] <= 1.0f);
    assert_memory_equal(objects[1].outline, objects[2].outline, sizeof(objects[1].outline));
    assert_true(objects[1].outline[3] != objects[3].outline[3]);
    ct_mesh_set_outline(f.meshes, a, NULL);
    assert_true(recorded()->objects[1].outline[3] == 0.0f);
    stop(&f);
}

static void gives_all_meshes_of_an_entity_its_skeleton(void **state) {
    (void)state;
    mesh_fixture f = start();
    const ct_entity e = {1}, other = {2};
    const ct_string_id32 name = {5};
    const ct_render_skeleton_id skeleton = ct_render_skeleton_create(recorder, f.world, &name, 1);
    ct_mesh_create(f.meshes, e, 0, &crate);
    ct_mesh_create(f.meshes, other, 0, &crate);
    ct_mesh_set_skeleton(f.meshes, e, skeleton);
    ct_mesh_create(f.meshes, e, 1, &crate); // later
    assert_int_equal(recorded()->objects[1].skeleton.value, skeleton.value);
    assert_int_equal(recorded()->objects[2].skeleton.value, 0);
    assert_int_equal(recorded()->objects[3].skeleton.value, skeleton.value);
    ct_mesh_set_skeleton(f.meshes, e, (ct_render_skeleton_id){0});
    ct_mesh_create(f.meshes, e, 2, &crate);
    assert_int_equal(recorded()->objects[1].skeleton.value, 0);
    assert_int_equal(recorded()->objects[4].skeleton.value, 0);
    stop(&f);
}

static void forgets_the_skeleton_of_a_destroyed_entity(void **state) {
    (void)state;
    mesh_fixture f = start();
    const ct_entity e = {1};
    const ct_string_id32 name = {5};
    const ct_render_skeleton_id skeleton = ct_render_skeleton_create(recorder, f.world, &name, 1);
    const ct_component_manager row = ct_mesh_component_manager(f.meshes);
    ct_mesh_set_skeleton(f.meshes, e, skeleton);
    row.entities_destroyed(row.manager, &e, 1);
    ct_mesh_create(f.meshes, e, 0, &crate); // an id that came back
    assert_int_equal(recorded()->objects[1].skeleton.value, 0);
    stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_a_mesh_where_its_entity_is),
        cmocka_unit_test(draws_an_entity_without_transform_at_the_origin),
        cmocka_unit_test(keeps_several_meshes_of_an_entity),
        cmocka_unit_test(starts_hidden_when_its_data_says_so),
        cmocka_unit_test(hides_and_changes_material),
        cmocka_unit_test(keeps_materials_of_many_parts),
        cmocka_unit_test(casts_no_shadow_when_told_so),
        cmocka_unit_test(copies_the_data_of_another_instance),
        cmocka_unit_test(sends_only_what_moved_in_one_call),
        cmocka_unit_test(allocates_nothing_per_frame_once_warm),
        cmocka_unit_test(ends_all_meshes_of_dying_entities_in_one_call),
        cmocka_unit_test(spawns_from_template_data),
        cmocka_unit_test(draws_a_mesh_where_its_node_is),
        cmocka_unit_test(follows_its_node_and_its_entity),
        cmocka_unit_test(stays_on_the_entity_when_its_graph_ends),
        cmocka_unit_test(outlines_the_meshes_of_an_entity_as_one),
        cmocka_unit_test(gives_all_meshes_of_an_entity_its_skeleton),
        cmocka_unit_test(forgets_the_skeleton_of_a_destroyed_entity),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
