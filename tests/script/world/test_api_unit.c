// Unit, and the handles of its cameras, lights and meshes.
#include "script/api_fixture.h"

static void gives_and_takes_local_poses(void **state) {
    (void)state;
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "1\t2\t3");
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(4, 5, 6))");
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "4\t5\t6");
    run_lua(&f, "Unit.set_local_scale(C, 1, Vector3(1, 2, 4))");
    assert_lua(&f, "parts(Unit.local_scale(C, 1))", "1\t2\t4");
    run_lua(&f, "Unit.set_local_rotation(C, 1, Quaternion.from_elements(0, 0, 2, 0))");
    assert_lua(&f, "parts(Unit.local_rotation(C, 1))", "0\t0\t1\t0"); // normalised
    run_lua(&f, "Unit.set_local_pose(C, 1, Matrix4x4.from_translation(Vector3(7, 8, 9)))");
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "7\t8\t9");
    assert_lua(&f, "parts(Unit.local_scale(C, 1))", "1\t1\t1");
    assert_lua(&f, "parts(Matrix4x4.translation(Unit.local_pose(C, 1)))", "7\t8\t9");
}

static void teleports_as_it_sets(void **state) {
    (void)state;
    run_lua(&f, "Unit.teleport_local_position(C, 1, Vector3(4, 5, 6)) "
                "Unit.teleport_local_scale(C, 1, Vector3(3, 3, 3)) "
                "Unit.teleport_local_rotation(C, 1, Quaternion.from_elements(1, 0, 0, 0))");
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "4\t5\t6");
    assert_lua(&f, "parts(Unit.local_scale(C, 1))", "3\t3\t3");
    assert_lua(&f, "parts(Unit.local_rotation(C, 1))", "1\t0\t0\t0");
    run_lua(&f, "Unit.teleport_local_pose(C, 1, Matrix4x4.identity())");
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "0\t0\t0");
}

static void gives_world_poses(void **state) {
    (void)state;
    assert_lua(&f, "parts(Unit.world_position(L, 1))", "1\t2\t4");
    run_lua(&f, "Unit.set_local_scale(C, 1, Vector3(2, 2, 2))");
    assert_lua(&f, "parts(Unit.world_position(L, 1))", "1\t2\t5");
    assert_lua(&f, "parts(Unit.world_scale(L, 1))", "2\t2\t2");
    assert_lua(&f, "parts(Unit.world_rotation(L, 1))", "0\t0\t0\t1");
    assert_lua(&f, "parts(Matrix4x4.translation(Unit.world_pose(L, 1)))", "1\t2\t5");
}

static void refuses_poses_that_are_none(void **state) {
    (void)state;
    assert_lua_error(&f, "Unit.set_local_position(C, 1, nil)",
                     "Unit.set_local_position: argument 3 (position): expected Vector3, got nil");
    assert_lua_error(&f, "Unit.set_local_position(C, 1, Vector3(0/0, 0, 0))",
                     "Unit.set_local_position: argument 3 (position): expected a finite Vector3");
    assert_lua_error(&f, "Unit.set_local_scale(C, 1, Vector3(1/0, 0, 0))",
                     "Unit.set_local_scale: argument 3 (scale): expected a finite Vector3");
    assert_lua_error(&f, "Unit.set_local_rotation(C, 1, Quaternion.from_elements(0, 0, 0, 0))",
                     "Unit.set_local_rotation: argument 3 (rotation): expected a rotation");
    assert_lua_error(&f,
                     "Unit.set_local_pose(C, 1, "
                     "Matrix4x4.from_translation(Vector3(0/0, 0, 0)))",
                     "Unit.set_local_pose: argument 3 (pose): expected a Matrix4x4 of finite");
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "1\t2\t3");
}

static void knows_one_node(void **state) {
    (void)state;
    assert_lua(&f, "Unit.node(C, 'root_point'), Unit.num_scene_graph_items(C)", "1\t1");
    assert_lua(&f, "Unit.has_node(C, 'root_point'), Unit.has_node(C, 'hand')", "true\tfalse");
    assert_lua_error(&f, "Unit.node(C, 'hand')", "Unit.node: argument 2 (name): ");
    assert_lua_error(&f, "Unit.local_position(C, 2)",
                     "Unit.local_position: argument 2 (i): expected 1, the only node, got 2");
    assert_lua_error(&f, "Unit.local_position(C, 'hand')",
                     "Unit.local_position: argument 2 (i): expected integer, got string");
    assert_lua_error(&f, "Unit.local_position(C, '1')", "expected integer, got string");
    assert_lua_error(&f, "Unit.set_local_position(C, '1', Vector3(1, 2, 3))",
                     "Unit.set_local_position: argument 2 (i): expected integer, got string");
}

static void refuses_dead_units(void **state) {
    (void)state;
    assert_lua(&f, "Unit.alive(C), Unit.alive(L), Unit.alive(nil)", "true\ttrue\tfalse");
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua(&f, "Unit.alive(C), Unit.alive(L)", "false\tfalse");
    static const char *const calls[] = {"local_position(C, 1)",
                                        "set_local_position(C, 1, Vector3(0, 0, 0))",
                                        "world_pose(C, 1)",
                                        "debug_name(C)",
                                        "world(C)",
                                        "camera(C, 1)",
                                        "box(C)",
                                        "set_data(C, 'a', 1)",
                                        "set_unit_visibility(C, true)",
                                        "id(C)",
                                        "level(C)",
                                        "num_meshes(C)"};
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[128];
        snprintf(lua, sizeof(lua), "Unit.%s", calls[i]);
        assert_lua_error(&f, lua, "argument 1 (self): expected Unit, got a destroyed Unit");
    }
    assert_lua_error(&f, "Unit.alive(5)", "Unit.alive: argument 1");
}

static void refuses_units_without_transform_or_world(void **state) {
    (void)state;
    assert_lua_error(&f, "Unit.local_position(World.spawn_unit(W, 'units/bare'), 1)",
                     "Unit.local_position: argument 1 (self): expected a Unit with a transform");
    assert_lua_error(&f, "Unit.local_position(EntityManager.create(), 1)",
                     "Unit.local_position: argument 1 (self): expected a Unit of a world");
}

static void tells_what_it_is(void **state) {
    (void)state;
    assert_lua(&f, "Unit.debug_name(C), Unit.world(C) == W, Unit.is_a(C, 'units/crate')",
               "crate\ttrue\ttrue");
    assert_lua(&f, "Unit.is_a(C, 'units/bare'), Unit.is_a(C, IdString64('units/crate'))",
               "false\ttrue");
    assert_lua(&f, "Unit.name_hash(C) == IdString64.to_hex('units/crate')", "true");
    assert_lua(&f, "Unit.level(C), Unit.id(C)", "nil\tnil");
    run_lua(&f, "Y = World.load_level(W, 'levels/yard')");
    assert_lua(&f, "Unit.level(Level.unit_by_index(Y, 2)) == Y", "true");
    assert_lua(&f, "Unit.id(Level.unit_by_index(Y, 2)) == IdString32('tree')", "true");
}

static void finds_cameras_lights_and_meshes(void **state) {
    (void)state;
    assert_lua(&f, "Unit.num_cameras(C), Unit.num_lights(C), Unit.num_meshes(C)", "1\t1\t2");
    assert_lua(&f, "Unit.num_cameras(L), Unit.num_lights(L), Unit.num_meshes(L)", "0\t1\t0");
    assert_lua(&f, "Unit.camera(C, 'camera') == Unit.camera(C, 1)", "true");
    assert_lua(&f, "Unit.light(C, 'light') == Unit.light(C, 1)", "true");
    assert_lua(&f, "Unit.mesh(C, 1) == Unit.mesh(C, 2)", "false");
    assert_lua(&f, "Unit.has_camera(C, 'camera'), Unit.has_camera(C, 'x')", "true\tfalse");
    assert_lua(&f, "Unit.has_light(C, 'light'), Unit.has_light(C, 'x')", "true\tfalse");
    assert_lua(&f, "Unit.has_mesh(C, 'x')", "false");
    assert_lua_error(&f, "Unit.camera(C, 'eye')",
                     "Unit.camera: argument 2 (camera): the unit has no camera \"eye\"");
    assert_lua_error(&f, "Unit.camera(C, 2)",
                     "Unit.camera: argument 2 (camera): expected an integer from 1 to 1, got 2");
    assert_lua_error(&f, "Unit.camera(L, 1)", "Unit.camera: argument 1 (self)");
    assert_lua_error(&f, "Unit.light(C, 'sun')", "Unit.light: argument 2 (light)");
    assert_lua_error(&f, "Unit.mesh(C, 'hull')",
                     "Unit.mesh: argument 2 (mesh): the unit has no mesh \"hull\"");
    assert_lua_error(&f, "Unit.mesh(C, 3)", "expected an integer from 1 to 2, got 3");
}

static void finds_meshes_by_component_id(void **state) {
    (void)state;
    run_lua(&f, "MC = EntityManager.mesh_component(W) "
                "MeshComponent.create_with_mesh(MC, C, 'lid', 'meshes/crate')");
    assert_lua(&f, "Unit.has_mesh(C, 'lid'), Unit.mesh(C, 'lid') == Unit.mesh(C, 3)", "true\ttrue");
    assert_lua(&f, "Unit.mesh(C, 'lid') == MeshComponent.mesh(MC, C, 'lid')", "true");
}

static void lets_a_mesh_cast_no_shadow(void **state) {
    (void)state;
    run_lua(&f, "MC = EntityManager.mesh_component(W) "
                "Unit.set_mesh_visibility(C, 1, true, 'default') "
                "Unit.set_mesh_visibility(C, 1, false, 'shadow_caster')");
    assert_lua(&f,
               "Mesh.visibility(Unit.mesh(C, 1)), "
               "MeshComponent.get_property(MC, MeshComponent.instances(MC, C), 'casts_shadows')",
               "true\tfalse");
    assert_lua_error(&f, "Unit.set_mesh_visibility(C, 1, true, 'mirror')",
                     "expected \"default\" or \"shadow_caster\", got \"mirror\"");
}

static void shows_and_hides_meshes(void **state) {
    (void)state;
    run_lua(&f, "Unit.set_unit_visibility(C, false)");
    assert_lua(&f, "Mesh.visibility(Unit.mesh(C, 1)), Mesh.visibility(Unit.mesh(C, 2))",
               "false\tfalse");
    run_lua(&f, "Unit.set_mesh_visibility(C, 2, true)");
    assert_lua(&f, "Mesh.visibility(Unit.mesh(C, 1)), Mesh.visibility(Unit.mesh(C, 2))",
               "false\ttrue");
    assert_lua_error(&f, "Unit.set_mesh_visibility(C, 3, true)",
                     "Unit.set_mesh_visibility: argument 2 (mesh): the unit has no such mesh");
    assert_lua_error(&f, "Unit.set_mesh_visibility(C, 'hull', true)", "argument 2 (mesh)");
    assert_lua_error(&f, "Unit.set_unit_visibility(C, 1)",
                     "Unit.set_unit_visibility: argument 2 (visibility): expected boolean");
}

static void sets_materials_by_slot(void **state) {
    (void)state;
    run_lua(&f, "U = World.spawn_unit(W, 'units/bare') MC = EntityManager.mesh_component(W) "
                "MeshComponent.create_with_mesh(MC, U, 'a', 'meshes/crate') "
                "MeshComponent.create_with_mesh(MC, U, 'b', 'meshes/crate') "
                "Unit.set_material(U, 'iron', 'materials/steel')");
    for (uint32_t i = recorded()->last_object - 1; i <= recorded()->last_object; ++i) {
        assert_true(recorded()->objects[i].materials[0].value == 0);
        assert_true(recorded()->objects[i].materials[1].value ==
                    ct_string_id64_of("materials/steel").value);
    }
    assert_lua_error(&f, "Unit.set_material(U, 'glass', 'materials/steel')",
                     "Unit.set_material: argument 2 (slot_name): the unit has no mesh with a slot "
                     "\"glass\"");
    assert_lua_error(&f, "Unit.set_material(U, 'iron', 'materials/gold')",
                     "Unit.set_material: argument 3 (material_resource): there is no material "
                     "\"materials/gold\"");
}

static void gives_the_box_of_its_meshes(void **state) {
    (void)state;
    run_lua(&f, "MC = EntityManager.mesh_component(W) "
                "MeshComponent.create_with_mesh(MC, L, 'a', 'meshes/crate')");
    assert_lua(&f, "local pose, half = Unit.box(L) return parts(half)", "1\t2\t3");
    assert_lua(&f, "return parts(Matrix4x4.translation((Unit.box(L))))", "1\t2\t7");
    // Those of the crate are not loaded.
    assert_lua(&f, "local pose, half = Unit.box(C) return parts(half)", "0\t0\t0");
    assert_lua(&f, "return parts(Matrix4x4.translation((Unit.box(C))))", "1\t2\t3");
}

static void keeps_data(void **state) {
    (void)state;
    assert_lua(&f, "Unit.has_data(C, 'health'), Unit.get_data(C, 'health')", "false\tnil");
    run_lua(&f, "Unit.set_data(C, 'health', 10) Unit.set_data(C, 'items', 1, 'name', 'sword')");
    assert_lua(&f, "Unit.get_data(C, 'health'), Unit.has_data(C, 'health')", "10\ttrue");
    assert_lua(&f, "Unit.get_data(C, 'items', 1, 'name')", "sword");
    assert_lua(&f, "Unit.get_data(C, 'items', 2, 'name'), Unit.get_data(C, 'health', 'x')",
               "nil\tnil");
    assert_lua(&f, "Unit.has_data(L, 'health')", "false");
    run_lua(&f, "Unit.set_data(C, 'health', nil)");
    assert_lua(&f, "Unit.has_data(C, 'health')", "false");
    assert_lua_error(&f, "Unit.set_data(C, 'items', 1, 'name', 'first', 'x')",
                     "Unit.set_data: argument 4: expected an index of a table, got one "
                     "of a string");
    assert_lua_error(&f, "Unit.get_data(C)",
                     "Unit.get_data: argument 2 (indices): expected string or integer, got nil");
    assert_lua_error(&f, "Unit.set_data(C, 'health')",
                     "Unit.set_data: expected one or more indices and a value");
    assert_lua_error(&f, "Unit.set_data(C, {}, 1)", "expected string or integer, got table");
}

static void gives_back_the_data_of_the_dead(void **state) {
    (void)state;
    run_lua(&f, "kept = setmetatable({}, {__mode = 'k'}) "
                "local value = {} kept[value] = true "
                "Unit.set_data(L, 'value', value) value = nil collectgarbage()");
    assert_lua(&f, "next(kept) ~= nil", "true");
    run_lua(&f, "World.destroy_unit(W, C) World.update(W, 0.1) collectgarbage()");
    assert_lua(&f, "next(kept) ~= nil", "false");
}

static void moves_without_allocating(void **state) {
    (void)state;
    const char *const lua = "P = P or Vector3Box(Vector3(4, 5, 6)) local p = P:unbox() "
                            "for i = 1, 10000 do Unit.set_local_position(C, 1, p) end";
    run_lua(&f, lua);
    ct_allocator *const a = f.world.allocator;
    const uint64_t before = ct_allocator_stats_of(a).total_blocks;
    run_lua(&f, "for i = 1, 10 do end");
    const uint64_t empty = ct_allocator_stats_of(a).total_blocks - before;
    run_lua(&f, lua);
    // What compiling the text costs, whichever it is; not 10,000 blocks.
    assert_true(ct_allocator_stats_of(a).total_blocks - before - empty < 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(gives_and_takes_local_poses),
        API_TEST(teleports_as_it_sets),
        API_TEST(gives_world_poses),
        API_TEST(refuses_poses_that_are_none),
        API_TEST(knows_one_node),
        API_TEST(refuses_dead_units),
        API_TEST(refuses_units_without_transform_or_world),
        API_TEST(tells_what_it_is),
        API_TEST(finds_cameras_lights_and_meshes),
        API_TEST(finds_meshes_by_component_id),
        API_TEST(lets_a_mesh_cast_no_shadow),
        API_TEST(shows_and_hides_meshes),
        API_TEST(sets_materials_by_slot),
        API_TEST(gives_the_box_of_its_meshes),
        API_TEST(keeps_data),
        API_TEST(gives_back_the_data_of_the_dead),
        API_TEST(moves_without_allocating),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
