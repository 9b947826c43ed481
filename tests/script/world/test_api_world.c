// World, and how worlds end.
#include "script/api_fixture.h"

static void spawns_units(void **state) {
    (void)state;
    run_lua(&f, "U = World.spawn_unit(W, 'units/crate', Vector3(4, 5, 6), "
                "Quaternion.from_elements(0, 0, 1, 0))");
    assert_lua(&f, "parts(Unit.world_position(U, 1))", "4\t5\t6");
    assert_lua(&f, "parts(Unit.local_rotation(U, 1))", "0\t0\t1\t0");
    assert_lua(&f, "parts(Unit.local_position(World.spawn_unit(W, 'units/crate'), 1))", "0\t0\t0");
    assert_lua(&f, "World.num_units(W)", "3");
}

static void refuses_units_that_are_not_loaded(void **state) {
    (void)state;
    ct_blob_writer w;
    write_unit(&w);
    save_blob(&f, &w, "unit", "units/late");
    assert_lua_error(&f, "World.spawn_unit(W, 'units/late')",
                     "World.spawn_unit: argument 2 (unit_name): the unit \"units/late\" is not "
                     "loaded; expected it in a loaded package");
    assert_lua_error(&f, "World.spawn_unit(W, 'units/none')",
                     "World.spawn_unit: argument 2 (unit_name): there is no unit \"units/none\"");
    assert_lua_error(&f, "World.spawn_unit(W, 'units/crate', Vector3(0/0, 0, 0))",
                     "World.spawn_unit: argument 3 (position): expected a finite Vector3");
    assert_lua_error(&f,
                     "World.spawn_unit(W, 'units/crate', Vector3(0, 0, 0), "
                     "Quaternion.from_elements(0, 0, 0, 0))",
                     "World.spawn_unit: argument 4 (orientation): expected a rotation");
    assert_lua_error(&f, "World.spawn_unit(C, 'units/crate')",
                     "World.spawn_unit: argument 1 (self): expected World, got Unit");
    assert_lua(&f, "World.num_units(W)", "1");
}

static void spawns_many_units_at_once(void **state) {
    (void)state;
    run_lua(&f, "A = World.spawn_units(W, 'units/crate', {1, 2, 3, 4, 5, 6}) "
                "B = World.spawn_units(W, 'units/crate', {Vector3(7, 8, 9)})");
    assert_lua(&f, "#A, #B, World.num_units(W)", "2\t1\t4");
    assert_lua(&f, "parts(Unit.world_position(A[2], 1))", "4\t5\t6");
    assert_lua(&f, "parts(Unit.world_position(B[1], 1))", "7\t8\t9");
    assert_lua(&f, "#World.spawn_units(W, 'units/crate', {})", "0");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', {1, 2})",
                     "World.spawn_units: argument 3 (positions): expected three numbers for each");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', {1, 2, 'x'})",
                     "expected a number at index 3, got string");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', {1, 2, 0/0})",
                     "expected a finite number at index 3");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', {Vector3(1, 2, 3), C})",
                     "expected Vector3 at index 2, got Unit");
    assert_lua_error(&f, "World.spawn_units(W, 'units/crate', 5)",
                     "argument 3 (positions): expected table, got number");
    assert_lua(&f, "World.num_units(W)", "4");
}

static void destroys_units(void **state) {
    (void)state;
    run_lua(&f, "A = World.spawn_units(W, 'units/crate', {0, 0, 0, 1, 0, 0}) "
                "World.destroy_units(W, A)");
    assert_lua(&f, "Unit.alive(A[1]), Unit.alive(A[2]), Unit.alive(C)", "false\tfalse\ttrue");
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua(&f, "Unit.alive(C), World.num_units(W)", "false\t0");
    assert_lua_error(&f, "World.destroy_unit(W, C)",
                     "World.destroy_unit: argument 2 (unit): expected Unit, got a destroyed Unit");
    assert_lua_error(&f, "World.destroy_units(W, {C})",
                     "World.destroy_units: argument 2 (units): expected a Unit of this world at "
                     "index 1, got a destroyed Unit");
}

static void refuses_units_of_other_worlds(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() U = World.spawn_unit(V, 'units/crate')");
    assert_lua_error(&f, "World.destroy_unit(W, U)",
                     "World.destroy_unit: argument 2 (unit): expected a Unit of this world, got "
                     "one of another");
    assert_lua_error(&f, "World.destroy_units(W, {U})",
                     "expected a Unit of this world at index 1, got Unit of another world");
    assert_lua_error(&f, "World.link_unit(W, U, 1, C)", "World.link_unit: argument 2 (child)");
    assert_lua_error(&f, "World.link_unit(W, C, 1, U)", "World.link_unit: argument 4 (parent)");
    assert_lua_error(&f, "World.unlink_unit(W, U)", "World.unlink_unit: argument 2 (child)");
    assert_lua(&f, "Unit.alive(U)", "true");
}

static void finds_units(void **state) {
    (void)state;
    run_lua(&f, "B = World.spawn_unit(W, 'units/bare') EntityManager.set_debug_name(B, 'rock')");
    assert_lua(&f, "#World.units(W), World.units(W)[1] == C, #World.entities(W)", "2\ttrue\t3");
    assert_lua(&f, "#World.units_by_resource(W, 'units/crate')", "1");
    assert_lua(&f, "World.units_by_resource(W, 'units/bare')[1] == B", "true");
    assert_lua(&f, "World.unit_by_name(W, 'rock') == B, World.unit_by_name(W, 'sea')", "true\tnil");
    run_lua(&f, "Y = World.load_level(W, 'levels/yard')");
    assert_lua(&f, "World.unit_by_id(W, 'tree') == Level.unit_by_index(Y, 2)", "true");
    assert_lua(&f, "World.unit_by_id(W, 'bush')", "nil");
}

static void links_units(void **state) {
    (void)state;
    run_lua(&f, "U = World.spawn_unit(W, 'units/crate', Vector3(10, 0, 0)) "
                "World.link_unit(W, U, 1, C, 1)");
    assert_lua(&f, "parts(Unit.world_position(U, 1))", "11\t2\t3");
    assert_lua_error(&f, "World.link_unit(W, C, 1, U)",
                     "World.link_unit: argument 4 (parent): a unit cannot be linked to itself");
    assert_lua_error(&f, "World.link_unit(W, C, 1, C)", "World.link_unit: argument 4 (parent)");
    assert_lua_error(&f, "World.link_unit(W, U, 2, C)",
                     "World.link_unit: argument 3 (child_node_index): expected 1, the only node");
    run_lua(&f, "World.unlink_unit(W, U) Unit.set_local_position(C, 1, Vector3(0, 0, 0))");
    assert_lua(&f, "parts(Unit.world_position(U, 1))", "11\t2\t3");
}

static void loads_and_destroys_levels(void **state) {
    (void)state;
    run_lua(&f, "Y = World.load_level(W, 'levels/yard', Vector3(0, 7, 0))");
    assert_lua(&f, "World.num_level(W), World.levels(W)[1] == Y, World.num_units(W)", "1\ttrue\t3");
    assert_lua(&f, "parts(Unit.world_position(World.unit_by_id(W, 'gate'), 1))", "5\t7\t0");
    run_lua(&f, "G = World.unit_by_id(W, 'gate') World.destroy_level(W, Y)");
    assert_lua(&f, "World.num_level(W), Unit.alive(G), World.num_units(W)", "0\tfalse\t1");
    assert_lua_error(&f, "World.destroy_level(W, Y)",
                     "World.destroy_level: argument 2 (level): expected Level, got a destroyed "
                     "Level");
    assert_lua_error(&f, "World.load_level(W, 'levels/none')",
                     "World.load_level: argument 2 (name): there is no level \"levels/none\"");
    assert_lua_error(&f, "World.load_level(W, 'levels/yard', Vector3(0, 0, 1/0))",
                     "World.load_level: argument 3 (position): expected a finite Vector3");
}

static void loads_levels_over_several_steps(void **state) {
    (void)state;
    run_lua(&f, "Y = World.load_level_gradually(W, 'levels/yard', 1, Vector3(0, 7, 0))");
    assert_lua(&f, "World.num_level(W), Level.is_spawned(Y), World.num_units(W)", "1\tfalse\t1");
    run_lua(&f, "World.update(W, 0.1)");
    assert_lua(&f, "Level.is_spawned(Y), World.num_units(W)", "true\t3");
    assert_lua(&f, "parts(Unit.world_position(World.unit_by_id(W, 'gate'), 1))", "5\t7\t0");
    assert_lua(&f, "Level.is_spawned(World.load_level(W, 'levels/yard'))", "true");
    assert_lua_error(&f, "World.load_level_gradually(W, 'levels/yard', -1)",
                     "World.load_level_gradually: argument 3 (seconds): expected a number from 0");
    assert_lua_error(&f, "World.load_level_gradually(W, 'levels/none', 1)",
                     "argument 2 (name): there is no level \"levels/none\"");
}

static void refuses_levels_of_other_worlds(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() Y = World.load_level(V, 'levels/yard')");
    assert_lua_error(&f, "World.destroy_level(W, Y)",
                     "World.destroy_level: argument 2 (level): expected a Level of this world");
}

static void advances_its_time(void **state) {
    (void)state;
    run_lua(&f, "World.update(W, 0.25) World.update_scene(W, 0.5)");
    assert_lua(&f, "World.time(W), World.delta_time(W)", "0.75\t0.5");
    run_lua(&f, "World.update(W)");
    assert_lua(&f, "World.time(W)", "1.25");
    assert_lua_error(&f, "World.update(W, -1)",
                     "World.update: argument 2 (delta_time): expected a number from 0 to");
    assert_lua_error(&f, "World.update(W, 0/0)", "World.update: argument 2 (delta_time)");
}

static void sends_what_moved(void **state) {
    (void)state;
    run_lua(&f, "World.update(W, 0.1) Unit.set_local_position(C, 1, Vector3(9, 0, 0)) "
                "World.update(W, 0.1)");
    assert_true(recorded()->objects[1].pose.col[3].x == 9);
}

static void keeps_data(void **state) {
    (void)state;
    run_lua(&f, "World.set_data(W, 'a', 'b', 5)");
    assert_lua(&f, "World.get_data(W, 'a', 'b'), World.has_data(W, 'a')", "5\ttrue");
    assert_lua(&f, "World.has_data(Application.new_world(), 'a')", "false");
    assert_lua_error(&f, "World.get_data(C, 'a')", "World.get_data: argument 1 (self)");
}

static void ends_with_all_that_belongs_to_it(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() U = World.spawn_unit(V, 'units/crate') "
                "Y = World.load_level(V, 'levels/yard') O = World.create_line_object(V) "
                "P = Application.create_viewport(V, 'default') "
                "TC = EntityManager.transform_component(V) MC = EntityManager.mesh_component(V) "
                "M = Unit.camera(U, 1) "
                "Application.release_world(V)");
    static const char *const uses[][2] = {
        {"World.num_units(V)", "expected World, got a destroyed World"},
        {"Unit.world(U)", "expected Unit, got a destroyed Unit"},
        {"Level.units(Y)", "expected Level, got a destroyed Level"},
        {"LineObject.reset(O)", "expected LineObject, got a destroyed LineObject"},
        {"Viewport.set_rect(P, 0, 0, 1, 1)", "expected Viewport, got a destroyed Viewport"},
        {"TransformComponent.lookup(TC, C)", "expected TransformComponent, got a destroyed"},
        {"MeshComponent.lookup(MC, C, 'a')", "expected MeshComponent, got a destroyed"},
        {"Camera.node(M)", "expected Camera, got a destroyed Camera"},
        {"Application.release_world(V)", "expected World, got a destroyed World"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(uses); ++i)
        assert_lua_error(&f, uses[i][0], uses[i][1]);
    assert_lua(&f, "Unit.alive(C), World.num_units(W)", "true\t1");
}

static void does_not_take_a_new_world_for_an_old_one(void **state) {
    (void)state;
    run_lua(&f, "Old = Application.new_world() World.set_data(Old, 'a', 1) "
                "Application.release_world(Old) New = Application.new_world()");
    assert_lua(&f, "Old == New, World.has_data(New, 'a')", "false\tfalse");
    assert_lua_error(&f, "World.time(Old)", "expected World, got a destroyed World");
}

static void ends_what_scripts_left_with_the_environment(void **state) {
    (void)state;
    // The tear-down asserts that nothing is left.
    run_lua(&f, "for i = 1, 3 do local w = Application.new_world() "
                "World.create_line_object(w) Application.create_viewport(w, 'default') "
                "World.spawn_unit(w, 'units/crate') World.load_level(w, 'levels/yard') end");
    assert_lua(&f, "#Application.worlds()", "5");
}

static void refuses_more_handles_than_there_can_be(void **state) {
    (void)state;
    assert_lua_error(&f, "for i = 1, 20000 do World.create_line_object(W) end",
                     "World.create_line_object: Lua already has 16383 engine objects");
    assert_lua_error(&f, "Application.new_world()", "Application.new_world: Lua already has 16383");
    assert_lua_error(&f, "World.load_level(W, 'levels/yard')",
                     "World.load_level: Lua already has 16383");
    assert_lua(&f, "World.num_level(W)", "0");
    assert_int_equal(ct_world_system_num_worlds(f.world.system), 2);
}

static void updates_several_worlds(void **state) {
    (void)state;
    run_lua(&f, "A, B = Application.new_world(), Application.new_world() "
                "World.update_several({A, B}, 0.25) World.update_several({B}, 0.5)");
    assert_lua(&f, "World.time(A), World.time(B), World.delta_time(B)", "0.25\t0.75\t0.5");
    run_lua(&f, "World.update_several({}, 1)");
    run_lua(&f, "D = Application.new_world() "
                "PhysicsWorld.overlap(World.physics_world(A), function() "
                "Application.release_world(D) end, 'shape', 'sphere', 'position', Vector3(0, 0, "
                "0), 'size', 1) "
                "World.update_several({A, D, B}, 0.25)");
    assert_lua(&f, "World.time(A), World.time(B), #Application.worlds()", "0.5\t1\t4");
    assert_lua_error(&f, "World.update_several({A, B, A}, 1)",
                     "World.update_several: argument 1 (worlds): the worlds at index 1 and 3 are "
                     "the same");
    assert_lua_error(&f, "World.update_several({A, C}, 1)",
                     "argument 1 (worlds): expected World at index 2, got Unit");
    assert_lua_error(&f, "World.update_several({A, 'x'}, 1)",
                     "expected World at index 2, got string");
    assert_lua_error(&f, "World.update_several(A, 1)", "expected table, got World");
    assert_lua_error(&f, "World.update_several({A})", "argument 2 (delta_time)");
    run_lua(&f, "Application.release_world(B)");
    assert_lua_error(&f, "World.update_several({A, B}, 1)",
                     "expected World at index 2, got a destroyed World");
    assert_lua(&f, "World.time(A)", "0.5");
    run_lua(&f, "Application.release_world(A)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(spawns_units),
        API_TEST(refuses_units_that_are_not_loaded),
        API_TEST(spawns_many_units_at_once),
        API_TEST(destroys_units),
        API_TEST(refuses_units_of_other_worlds),
        API_TEST(finds_units),
        API_TEST(links_units),
        API_TEST(loads_and_destroys_levels),
        API_TEST(loads_levels_over_several_steps),
        API_TEST(refuses_levels_of_other_worlds),
        API_TEST(advances_its_time),
        API_TEST(sends_what_moved),
        API_TEST(keeps_data),
        API_TEST(ends_with_all_that_belongs_to_it),
        API_TEST(does_not_take_a_new_world_for_an_old_one),
        API_TEST(ends_what_scripts_left_with_the_environment),
        API_TEST(refuses_more_handles_than_there_can_be),
        API_TEST(updates_several_worlds),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
