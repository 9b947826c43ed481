#include "foundation/math/math.h"
#include "world/world_fixture.h"

// A crate with a lamp on it, a bulb in the lamp, and a handle.
static const template_entity crate[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "crate", 2, false, false, false, 0},
    {0, {{0, 0, 1}}, "lamp", 1, false, false, false, 0},
    {1, {{0, 0, 0.5f}}, NULL, 0, false, true, true, 0},
    {0, {{1, 0, 0}}, NULL, 1, false, false, false, 0},
};

static void walks_a_unit_from_parents_to_children(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 4);
    const ct_entity root = spawn_at(&f, "units/crate", 0, 0, 0);
    const ct_entity other = spawn_at(&f, "units/crate", 0, 0, 0);
    ct_entity seen[8] = {{0}};
    uint32_t count = 0;
    for (ct_entity e = root; e.id && count < 8; e = ct_world_next_entity(f.world, root, e)) {
        assert_int_equal(ct_world_unit_of(f.world, e).id, root.id);
        seen[count++] = e;
    }
    assert_int_equal(count, 4);
    const ct_entity lamp = child_of(f.world, root, 0);
    uint32_t of_lamp = 0;
    for (ct_entity e = lamp; e.id; e = ct_world_next_entity(f.world, lamp, e))
        ++of_lamp;
    assert_int_equal(of_lamp, 2);
    for (uint32_t i = 0; i < count; ++i)
        assert_int_not_equal(ct_world_unit_of(f.world, seen[i]).id, other.id);
    stop_world(&f);
}

static void spawns_a_unit_with_all_its_components(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    const ct_entity root = spawn_at(&f, "units/crate", 10, 20, 30);
    const ct_entity lamp = child_of(f.world, root, 0), handle = child_of(f.world, root, 1);
    const ct_entity bulb = child_of(f.world, lamp, 0);
    assert_int_equal(ct_world_system_num_entities(f.system), 4);
    assert_world_position(f.world, root, 10, 20, 30);
    assert_world_position(f.world, lamp, 10, 20, 31);
    assert_world_position(f.world, bulb, 10, 20, 31.5f);
    assert_world_position(f.world, handle, 11, 20, 30);
    assert_int_equal(ct_mesh_count(ct_world_meshes(f.world)), 4);
    assert_int_not_equal(ct_light_first(ct_world_lights(f.world), bulb).index, 0);
    assert_int_not_equal(ct_camera_first(ct_world_cameras(f.world), bulb).index, 0);
    ct_debug_name_manager *const names = ct_world_system_debug_names(f.system);
    assert_string_equal(ct_debug_name(names, root), "crate");
    assert_string_equal(ct_debug_name(names, lamp), "lamp");
    assert_null(ct_debug_name(names, bulb));
    stop_world(&f);
}

static void makes_render_objects_where_they_will_be(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    spawn_at(&f, "units/crate", 10, 20, 30);
    // Linked before the meshes spawned: the lamp's object knows its place from the start.
    assert_true(recorded()->objects[3].pose.col[3].z == 31);
    assert_true(recorded()->lights[1].pose.col[3].z == 31.5f);
    stop_world(&f);
}

static void spawns_many_by_type(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    enum { COUNT = 500 };
    ct_vec3 positions[COUNT];
    ct_quat rotations[COUNT];
    ct_vec3 scales[COUNT];
    ct_entity roots[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        positions[i] = ct_vec3_make((float)i, 0, 0);
        rotations[i] = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.57079633f);
        scales[i] = ct_vec3_make(1, 1, (float)(1 + i));
    }
    assert_true(ct_world_spawn_units(f.world, "units/crate", positions, rotations, scales, COUNT,
                                     roots, NULL));
    assert_int_equal(ct_world_system_num_entities(f.system), COUNT * 4);
    assert_int_equal(ct_mesh_count(ct_world_meshes(f.world)), COUNT * 4);
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_world_position(f.world, roots[i], (float)i, 0, 0);
        assert_world_position(f.world, child_of(f.world, roots[i], 0), (float)i, 0, (float)(1 + i));
        assert_world_position(f.world, child_of(f.world, roots[i], 1), (float)i, 1, 0);
        const ct_mesh_manager *const meshes = ct_world_meshes(f.world);
        const ct_mesh_instance first = ct_mesh_with_id(meshes, roots[i], 1);
        const ct_mesh_instance second = ct_mesh_with_id(meshes, roots[i], 2);
        assert_true(first.index && second.index && first.index != second.index);
    }
    uint32_t count;
    ct_world_units(f.world, &count);
    assert_int_equal(count, COUNT);
    stop_world(&f);
}

static void keeps_the_template_pose_without_poses(void **state) {
    (void)state;
    world_fixture f = start_world();
    const template_entity post[] = {
        {CT_NO_PARENT, {{3, 4, 5}}, NULL, 0, false, false, false, 0},
    };
    load_unit(&f, "units/post", post, 1);
    ct_entity root;
    assert_true(ct_world_spawn_units(f.world, "units/post", NULL, NULL, NULL, 1, &root, NULL));
    assert_world_position(f.world, root, 3, 4, 5);
    stop_world(&f);
}

static void refuses_a_unit_that_is_not_loaded(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_entity root = {77};
    ct_error error = {0};
    const ct_vec3 position = {{0, 0, 0}};
    assert_false(
        ct_world_spawn_units(f.world, "units/ghost", &position, NULL, NULL, 1, &root, &error));
    assert_non_null(strstr(error.message, "the unit units/ghost is not loaded"));
    assert_int_equal(root.id, 77);
    assert_int_equal(ct_world_system_num_entities(f.system), 0);
    stop_world(&f);
}

static void refuses_more_entities_than_ids(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    ct_error error = {0};
    assert_false(
        ct_world_spawn_units(f.world, "units/crate", NULL, NULL, NULL, UINT32_MAX, NULL, &error));
    assert_non_null(strstr(error.message, "no room for 17179869180 more entities"));
    assert_int_equal(ct_world_system_num_entities(f.system), 0);
    stop_world(&f);
}

static void leaves_out_components_of_unknown_types_with_a_warning(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    const uint64_t before = ct_log_warning_count("unknown_component");
    spawn_at(&f, "units/crate", 0, 0, 0);
    assert_int_equal(ct_log_warning_count("unknown_component"), before + 1);
    spawn_at(&f, "units/crate", 0, 0, 0); // told once of each resource
    assert_int_equal(ct_log_warning_count("unknown_component"), before + 1);
    stop_world(&f);
}

static void links_past_entities_without_transform(void **state) {
    (void)state;
    world_fixture f = start_world();
    const template_entity odd[] = {
        {CT_NO_PARENT, {{0, 0, 0}}, NULL, 0, false, false, false, 0},
        {0, {{0, 0, 0}}, "group", 0, true, false, false, 0},
        {1, {{0, 0, 1}}, "leaf", 0, false, false, false, 0},
    };
    load_unit(&f, "units/odd", odd, 3);
    const ct_entity root = spawn_at(&f, "units/odd", 5, 0, 0);
    const ct_entity leaf = child_of(f.world, root, 0);
    assert_world_position(f.world, leaf, 5, 0, 1);
    ct_world_destroy_units(f.world, &root, 1);
    assert_int_equal(ct_world_system_num_entities(f.system), 0);
    stop_world(&f);
}

static void meshes_and_lights_follow_the_nodes_they_are_on(void **state) {
    (void)state;
    world_fixture f = start_world();
    const template_entity robot[] = {{CT_NO_PARENT, {{0, 0, 0}}, NULL, 1, false, true, true, 3}};
    load_unit(&f, "units/robot", robot, 1);
    const ct_entity e = spawn_at(&f, "units/robot", 10, 0, 0);
    assert_true(recorded()->objects[1].pose.col[3].x == 13);
    assert_true(recorded()->lights[1].pose.col[3].x == 13);
    ct_world_advance(f.world, 0);
    recorded()->poses_sent = 0;
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(f.world);
    const ct_scene_graph g = ct_scene_graph_lookup(graphs, e);
    ct_scene_graph_set_local_position(graphs, g, 1, ct_vec3_make(5, 0, 0));
    ct_world_advance(f.world, 0);
    assert_int_equal(recorded()->poses_sent, 1);
    assert_true(recorded()->objects[1].pose.col[3].x == 17);
    assert_true(recorded()->lights[1].pose.col[3].x == 17);
    ct_world_send_changes(f.world);
    assert_int_equal(recorded()->poses_sent, 1);
    ct_mesh_jump(ct_world_meshes(f.world), e);
    assert_int_equal(recorded()->jumps, 1);
    ct_world_destroy_units(f.world, &e, 1);
    assert_int_equal(ct_scene_graph_count(graphs), 0);
    stop_world(&f);
}

static void knows_its_units(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    const ct_entity root = spawn_at(&f, "units/crate", 0, 0, 0);
    const ct_entity lamp = child_of(f.world, root, 0), loose = ct_world_create_entity(f.world);
    assert_true(ct_world_has_unit(f.world, root));
    assert_false(ct_world_has_unit(f.world, lamp));
    assert_false(ct_world_has_unit(f.world, loose));
    assert_false(ct_world_has_unit(f.world, (ct_entity){0}));
    assert_true(ct_world_unit_resource(f.world, root).value ==
                ct_string_id64_of("units/crate").value);
    assert_true(ct_world_unit_resource(f.world, lamp).value == 0);
    assert_ptr_equal(ct_world_of(f.system, root), f.world);
    assert_ptr_equal(ct_world_of(f.system, lamp), f.world);
    assert_ptr_equal(ct_world_of(f.system, loose), f.world);
    stop_world(&f);
}

static void allocates_nothing_to_spawn_and_destroy_once_warm(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    uint64_t before = 0;
    // The queue of dead entities' indices is full after 1,024; its memory doubles only then.
    for (uint32_t round = 0; round < 600; ++round) {
        if (round == 580)
            before = ct_allocator_stats_of(f.allocator).total_blocks;
        ct_entity roots[20];
        assert_true(
            ct_world_spawn_units(f.world, "units/crate", NULL, NULL, NULL, 20, roots, NULL));
        ct_world_advance(f.world, 0.01);
        ct_world_destroy_units(f.world, roots, 20);
        recorded()->last_object = recorded()->last_light = 0;
    }
    assert_int_equal(ct_allocator_stats_of(f.allocator).total_blocks, before);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_a_unit_from_parents_to_children),
        cmocka_unit_test(spawns_a_unit_with_all_its_components),
        cmocka_unit_test(makes_render_objects_where_they_will_be),
        cmocka_unit_test(spawns_many_by_type),
        cmocka_unit_test(keeps_the_template_pose_without_poses),
        cmocka_unit_test(refuses_a_unit_that_is_not_loaded),
        cmocka_unit_test(refuses_more_entities_than_ids),
        cmocka_unit_test(leaves_out_components_of_unknown_types_with_a_warning),
        cmocka_unit_test(links_past_entities_without_transform),
        cmocka_unit_test(meshes_and_lights_follow_the_nodes_they_are_on),
        cmocka_unit_test(knows_its_units),
        cmocka_unit_test(allocates_nothing_to_spawn_and_destroy_once_warm),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
