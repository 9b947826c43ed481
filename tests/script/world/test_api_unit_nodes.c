// Nodes of units: Unit, SceneGraphComponent, and what stands on nodes or is linked to them.
#include "script/api_fixture.h"

static int set_up_robot(void **state) {
    set_up(state);
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot', Vector3(10, 0, 0)) "
                "SG = EntityManager.scene_graph_component(W)");
    return 0;
}

static void finds_nodes_by_name(void **state) {
    (void)state;
    assert_lua(&f, "Unit.num_scene_graph_items(R), Unit.node(R, 'root_point'), Unit.node(R, 'n3')",
               "4\t1\t4");
    assert_lua(&f, "Unit.has_node(R, 'n1'), Unit.has_node(R, 'n9'), Unit.has_node(C, 'n1')",
               "true\tfalse\tfalse");
    assert_lua_error(&f, "Unit.node(R, 'n9')", "argument 2 (name): the unit has no node \"n9\"");
}

static void gives_and_takes_poses_of_nodes(void **state) {
    (void)state;
    assert_lua(&f, "parts(Unit.world_position(R, 4))", "13\t0\t0");
    assert_lua(&f, "parts(Unit.local_position(R, 4))", "1\t0\t0");
    run_lua(&f, "Unit.set_local_position(R, 2, Vector3(0, 5, 0))");
    assert_lua(&f, "parts(Unit.world_position(R, 4))", "12\t5\t0");
    run_lua(&f, "Unit.set_local_scale(R, 3, Vector3(2, 2, 2))");
    assert_lua(&f, "parts(Unit.world_position(R, 4))", "13\t5\t0");
    assert_lua(&f, "parts(Unit.world_scale(R, 4))", "2\t2\t2");
    assert_lua(&f, "parts(Unit.local_scale(R, 3))", "2\t2\t2");
    run_lua(&f, "Unit.set_local_rotation(R, 3, Quaternion.from_elements(0, 0, 1, 0))");
    assert_lua(&f, "parts(Unit.local_rotation(R, 3))", "0\t0\t1\t0");
    assert_lua(&f, "parts(Unit.world_rotation(R, 4))", "0\t0\t1\t0");
    run_lua(&f, "Unit.set_local_pose(R, 3, Matrix4x4.from_translation(Vector3(0, 0, 7)))");
    assert_lua(&f, "parts(Matrix4x4.translation(Unit.world_pose(R, 4)))", "11\t5\t7");
    assert_lua(&f, "parts(Matrix4x4.translation(Unit.local_pose(R, 3)))", "0\t0\t7");
    run_lua(&f, "Unit.set_local_position(R, 1, Vector3(20, 0, 0))");
    assert_lua(&f, "parts(Unit.world_position(R, 4))", "21\t5\t7");
}

static void teleports_nodes_as_it_sets_them(void **state) {
    (void)state;
    run_lua(&f, "Unit.teleport_local_position(R, 2, Vector3(0, 0, 1)) "
                "Unit.teleport_local_scale(R, 2, Vector3(3, 3, 3)) "
                "Unit.teleport_local_rotation(R, 2, Quaternion.from_elements(0, 0, 1, 0))");
    assert_lua(&f, "parts(Unit.local_position(R, 2))", "0\t0\t1");
    assert_lua(&f, "parts(Unit.local_scale(R, 2))", "3\t3\t3");
    assert_lua(&f, "parts(Unit.local_rotation(R, 2))", "0\t0\t1\t0");
}

static void refuses_nodes_that_are_not_there(void **state) {
    (void)state;
    const char *const range = "argument 2 (i): expected a node from 1 to 4, got ";
    assert_lua_error(&f, "Unit.local_position(R, 5)", range);
    assert_lua_error(&f, "Unit.local_position(R, 0)", range);
    assert_lua_error(&f, "Unit.local_position(R, 2.5)", range);
    assert_lua_error(&f, "Unit.local_position(R, 0/0)", range);
    assert_lua_error(&f, "Unit.set_local_position(R, 2, Vector3(0/0, 0, 0))",
                     "argument 3 (position): expected a finite Vector3");
}

static void links_nodes(void **state) {
    (void)state;
    assert_lua(&f, "Unit.scene_graph_parent(R, 4), Unit.scene_graph_parent(R, 2)", "3\t1");
    assert_lua(&f, "Unit.scene_graph_parent(R, 1)", "nil");
    run_lua(&f, "Unit.scene_graph_link(R, 4, 2)");
    assert_lua(&f, "Unit.scene_graph_parent(R, 4)", "2");
    assert_lua(&f, "parts(Unit.world_position(R, 4))", "12\t0\t0");
    run_lua(&f, "Unit.scene_graph_link(R, 4) Unit.scene_graph_link(R, 2, 4)");
    assert_lua(&f, "parts(Unit.world_position(R, 3))", "13\t0\t0");
    assert_lua_error(&f, "Unit.scene_graph_link(R, 4, 3)",
                     "argument 3 (parent): node 3 is node 4, or is linked below it");
    assert_lua_error(&f, "Unit.scene_graph_link(R, 1, 3)", "argument 2 (i): node 1 is the unit");
    assert_lua_error(&f, "Unit.scene_graph_link(R, 2, 9)", "argument 3 (parent): expected a node");
}

static void copies_local_poses_between_worlds(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() S = World.spawn_unit(V, 'units/robot') "
                "Unit.set_local_position(S, 2, Vector3(0, 0, 4)) "
                "Unit.copy_scene_graph_local_from(R, S) "
                "Unit.copy_scene_graph_local_from(C, S)");
    assert_lua(&f, "parts(Unit.world_position(R, 4))", "12\t0\t4");
}

static void tells_on_which_node_its_parts_are(void **state) {
    (void)state;
    run_lua(&f, "camera, light, mesh = Unit.camera(R, 1), Unit.light(R, 1), Unit.mesh(R, 1)");
    assert_lua(&f, "Camera.node(camera), Light.node(light), Mesh.node(mesh)", "4\t4\t4");
    assert_lua(&f, "Camera.node(Unit.camera(C, 1)), Mesh.node(Unit.mesh(C, 1))", "1\t1");
    run_lua(&f, "Unit.set_local_position(R, 4, Vector3(0, 2, 0))");
    assert_lua(&f, "parts(Mesh.world_position(mesh))", "12\t2\t0");
    assert_lua(&f, "parts(Camera.world_position(camera))", "12\t2\t0");
    assert_lua(&f, "parts(Light.world_position(light))", "12\t2\t0");
    assert_lua(&f, "parts(Mesh.local_position(mesh))", "0\t2\t0");
    run_lua(&f, "Mesh.set_local_position(mesh, Vector3(0, 3, 0))");
    assert_lua(&f, "parts(Unit.local_position(R, 4))", "0\t3\t0");
}

static void boxes_lie_where_their_nodes_are(void **state) {
    (void)state;
    assert_lua(&f, "return parts(Matrix4x4.translation((Mesh.box(Unit.mesh(R, 1)))))", "13\t0\t3");
    assert_lua(&f, "return parts(Matrix4x4.translation((Unit.box(R))))", "13\t0\t3");
    run_lua(&f, "Unit.set_local_scale(R, 4, Vector3(2, 1, 1))");
    assert_lua(&f, "local pose, half = Unit.box(R) return parts(half)", "2\t2\t3");
    run_lua(&f,
            "Unit.set_local_rotation(R, 4, Quaternion.from_elements(1, 0, 0, 0))"); // half a turn
    run_lua(&f, "M = EntityManager.mesh_component(W)");
    const char *const boxes[] = {"Unit.box(R)", "Mesh.box(Unit.mesh(R, 1))",
                                 "MeshComponent.oobb(M, R, MeshComponent.instance_ids(M, R))"};
    for (uint32_t i = 0; i < CT_COUNT_OF(boxes); ++i) {
        char lua[256];
        snprintf(lua, sizeof(lua), "parts(Matrix4x4.translation((%s)))", boxes[i]);
        assert_lua(&f, lua, "13\t0\t-3");
    }
    run_lua(&f, "Unit.set_unit_visibility(R, false)");
    assert_lua(&f, "local pose, half = Unit.box(R) return parts(half)", "2\t2\t3");
    assert_lua(&f, "local pose, half = Unit.box(R, true) return parts(half)", "0\t0\t0");
}

static void tells_meshes_apart(void **state) {
    (void)state;
    run_lua(&f, "mesh = Unit.mesh(R, 1) MC = EntityManager.mesh_component(W) "
                "MeshComponent.create_with_mesh(MC, R, 'hat', 'meshes/crate')");
    assert_lua(&f, "Unit.mesh_index(R, 'hat')", "2");
    assert_lua_error(&f, "Unit.mesh_index(R, 'shoe')", "the unit has no mesh \"shoe\"");
    assert_lua(&f, "tostring(Mesh.material_slot_name(mesh, 1) == IdString32('wood'))", "true");
    assert_lua(&f, "tostring(Mesh.material_slot_name(mesh, 2) == IdString32('iron'))", "true");
    assert_lua_error(&f, "Mesh.material_slot_name(mesh, 3)", "argument 2 (triangle_index)");
}

static void tells_many_meshes_apart(void **state) {
    (void)state;
    run_lua(&f, "MC = EntityManager.mesh_component(W) "
                "for i = 2, 1030 do MeshComponent.create_with_mesh(MC, R, i, 'meshes/crate') end "
                "Mesh.set_visibility(Unit.mesh(R, 40), false)");
    assert_lua(&f,
               "Mesh.visibility(Unit.mesh(R, 8)), Mesh.visibility(Unit.mesh(R, 40)), "
               "Mesh.visibility(Unit.mesh(R, 1024)), Unit.num_meshes(R)",
               "true\tfalse\ttrue\t1030");
    assert_lua(&f, "Unit.mesh(R, 40) == Unit.mesh(R, 40), Unit.mesh(R, 8) == Unit.mesh(R, 40)",
               "true\tfalse");
    assert_lua_error(&f, "Unit.mesh(R, 1025)",
                     "Unit.mesh: argument 2 (mesh): scripts can use only 1024 meshes of an entity");
    assert_lua_error(&f, "Unit.mesh(R, 1031)", "expected an integer from 1 to 1030, got 1031");
    // One of the first gives its number to the one that had none.
    run_lua(&f, "MeshComponent.destroy(MC, (MeshComponent.instances(MC, R))) "
                "Mesh.set_visibility(Unit.mesh(R, 1024), false)");
    assert_lua(&f, "MeshComponent.get_property_by_id(MC, R, 1025, 'is_visible')", "false");
}

static void links_units_to_nodes(void **state) {
    (void)state;
    run_lua(&f, "World.link_unit(W, C, 1, R, 4) Unit.set_local_position(C, 1, Vector3(0, 0, 1))");
    assert_lua(&f, "parts(Unit.world_position(C, 1))", "13\t0\t1");
    run_lua(&f, "Unit.set_local_position(R, 2, Vector3(0, 0, 5))");
    assert_lua(&f, "parts(Unit.world_position(C, 1))", "12\t0\t6");
    assert_lua(&f, "parts(Unit.world_position(L, 1))", "12\t0\t7");
    run_lua(&f, "World.unlink_unit(W, C)");
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "12\t0\t6");
    assert_lua_error(&f, "World.link_unit(W, R, 2, C)", "expected node 1; only a whole unit");
    assert_lua_error(&f, "World.link_unit(W, C, 1, R, 5)",
                     "argument 5 (parent_node_index): expected a node from 1 to 4");
    assert_lua_error(&f, "World.link_unit(W, R, 1, R, 2)", "argument 4 (parent)");
}

static void links_entities_to_nodes(void **state) {
    (void)state;
    run_lua(&f, "TC = EntityManager.transform_component(W) "
                "TransformComponent.link_to_scene_graph(TC, C, R, 3, Vector3(0, 1, 0))");
    assert_lua(&f, "parts(Unit.world_position(C, 1))", "12\t1\t0");
    run_lua(&f, "Unit.set_local_position(R, 3, Vector3(5, 0, 0))");
    assert_lua(&f, "parts(Unit.world_position(C, 1))", "16\t1\t0");
}

static void a_manager_gives_the_same_nodes(void **state) {
    (void)state;
    assert_lua(&f, "SceneGraphComponent.num_nodes(SG, R), SceneGraphComponent.num_nodes(SG, C)",
               "4\t1");
    assert_lua(&f,
               "SceneGraphComponent.node_index(SG, R, 'n2'), "
               "SceneGraphComponent.node_index(SG, C, 'root_point')",
               "3\t1");
    assert_lua_error(&f, "SceneGraphComponent.node_index(SG, C, 'n2')", "has no node \"n2\"");
    assert_lua(&f, "SceneGraphComponent.parent(SG, R, 3), SceneGraphComponent.parent(SG, R, 1)",
               "2\tnil");
    run_lua(&f, "SceneGraphComponent.set_local_position(SG, R, 2, Vector3(0, 0, 2)) "
                "SceneGraphComponent.set_local_rotation(SG, R, 2, "
                "Quaternion.from_elements(0, 0, 1, 0)) "
                "SceneGraphComponent.set_local_scale(SG, R, 2, Vector3(2, 2, 2))");
    assert_lua(&f, "parts(SceneGraphComponent.local_position(SG, R, 2))", "0\t0\t2");
    assert_lua(&f, "parts(SceneGraphComponent.local_scale(SG, R, 2))", "2\t2\t2");
    assert_lua(&f, "parts(SceneGraphComponent.local_rotation(SG, R, 2))", "0\t0\t1\t0");
    assert_lua(&f, "parts(SceneGraphComponent.world_position(SG, R, 3))", "8\t0\t2");
    assert_lua(&f, "parts(SceneGraphComponent.world_rotation(SG, R, 3))", "0\t0\t1\t0");
    run_lua(&f, "SceneGraphComponent.set_local_pose(SG, R, 2, Matrix4x4.identity())");
    assert_lua(&f, "parts(Matrix4x4.translation(SceneGraphComponent.world_pose(SG, R, 2)))",
               "10\t0\t0");
    assert_lua(&f, "parts(Matrix4x4.translation(SceneGraphComponent.local_pose(SG, R, 3)))",
               "1\t0\t0");
    assert_lua_error(&f, "SceneGraphComponent.local_position(SG, R, 7)",
                     "argument 3 (node): expected a node from 1 to 4, got 7");
}

static void ends_scene_graphs(void **state) {
    (void)state;
    run_lua(&f, "I = SceneGraphComponent.instances(SG, R)");
    assert_lua(&f, "SceneGraphComponent.instance_ids(SG, R)", "1");
    assert_lua(&f,
               "SceneGraphComponent.lookup(SG, R, 1) == I, SceneGraphComponent.lookup(SG, R, 2)",
               "true\tnil");
    assert_lua(&f, "select('#', SceneGraphComponent.instances(SG, C))", "0");
    run_lua(&f, "mesh = Unit.mesh(R, 1) SceneGraphComponent.destroy(SG, I)");
    assert_lua(&f, "Unit.num_scene_graph_items(R)", "1");
    assert_lua(&f, "parts(Mesh.world_position(mesh))", "10\t0\t0");
    assert_lua(&f, "Mesh.node(mesh), Light.node(Unit.light(R, 1)), Camera.node(Unit.camera(R, 1))",
               "1\t1\t1");
    assert_lua(&f, "parts(Matrix4x4.translation(Mesh.box(mesh)))", "10\t0\t3");
    run_lua(&f, "SceneGraphComponent.destroy_all(SG, R)");
    assert_lua(&f, "parts(Matrix4x4.translation(Unit.box(R)))", "10\t0\t3");
    assert_lua_error(&f, "SceneGraphComponent.destroy(SG, I)",
                     "SceneGraphComponent.destroy: argument 2 (instance): expected the instance of "
                     "a scene graph, got a destroyed one");
}

#define NODE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_robot, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        NODE_TEST(finds_nodes_by_name),
        NODE_TEST(gives_and_takes_poses_of_nodes),
        NODE_TEST(teleports_nodes_as_it_sets_them),
        NODE_TEST(refuses_nodes_that_are_not_there),
        NODE_TEST(links_nodes),
        NODE_TEST(copies_local_poses_between_worlds),
        NODE_TEST(tells_on_which_node_its_parts_are),
        NODE_TEST(boxes_lie_where_their_nodes_are),
        NODE_TEST(tells_meshes_apart),
        NODE_TEST(tells_many_meshes_apart),
        NODE_TEST(links_units_to_nodes),
        NODE_TEST(links_entities_to_nodes),
        NODE_TEST(a_manager_gives_the_same_nodes),
        NODE_TEST(ends_scene_graphs),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
