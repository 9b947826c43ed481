// EntityManager, TransformComponent, MeshComponent, DebugNameComponent.
#include "script/api_check.h"
#include "script/api_fixture.h"
#include "script/script_private.h"
#include "script/world/api_component.h"

static int set_up_components(void **state) {
    set_up(state);
    run_lua(&f, "TC = EntityManager.transform_component(W) MC = EntityManager.mesh_component(W) "
                "DC = EntityManager.debug_name_component() V = Application.new_world() "
                "F = World.spawn_unit(V, 'units/crate')");
    return 0;
}

#define COMPONENT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_components, tear_down)

// --- EntityManager -------------------------------------------------------------------------------

static void makes_and_ends_entities(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.create(W) N = EntityManager.create()");
    assert_lua(&f, "EntityManager.alive(E), EntityManager.alive(N), Unit.world(E) == W",
               "true\ttrue\ttrue");
    run_lua(&f, "EntityManager.destroy(E) EntityManager.destroy(N)");
    assert_lua(&f, "EntityManager.alive(E), EntityManager.alive(N)", "false\tfalse");
    assert_lua_error(&f, "EntityManager.destroy(E)",
                     "EntityManager.destroy: argument 1 (entity): expected Unit, got a destroyed");
    assert_lua_error(&f, "EntityManager.alive(W)", "EntityManager.alive: argument 1 (entity)");
    run_lua(&f, "EntityManager.destroy(C)");
    assert_lua(&f, "EntityManager.alive(L)", "false");
}

// Makes `name` a value of bits that no script can make.
static void forge(const char *name, ct_value_kind kind, uint64_t payload) {
    lua_State *const L = f.script->lua.lua;
    lua_pushlightuserdata(L, (void *)(uintptr_t)(payload << 4 | kind));
    lua_setglobal(L, name);
}

// Index 0 and generation 0 are what stands where no entity is: an id with one of them is of nobody,
// wherever it comes from, and so is that of a living one with bits above it.
static void knows_ids_that_are_never_issued(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.create(W)");
    lua_getglobal(f.script->lua.lua, "E");
    const uint32_t index = ct_entity_index(ct_check_entity(f.script->lua.lua, -1));
    lua_pop(f.script->lua.lua, 1);
    run_lua(&f, "EntityManager.destroy(E)");
    lua_getglobal(f.script->lua.lua, "C");
    const uint64_t living = ct_check_entity(f.script->lua.lua, -1).id;
    lua_pop(f.script->lua.lua, 1);
    ct_push_component(f.script->lua.lua, &ct_component_camera.type, (ct_entity){(uint32_t)living},
                      0);
    lua_pop(f.script->lua.lua, 1);
    const uint64_t forged[] = {
        ct_entity_make(index, 0).id, ct_entity_make(0, CT_ENTITY_LAST_GENERATION).id,
        UINT64_C(1) << 30 | living,  UINT64_C(1) << 31 | living,
        UINT64_C(1) << 32 | living,  UINT64_C(1) << 42 | living};
    for (uint32_t i = 0; i < CT_COUNT_OF(forged); ++i) {
        forge("X", CT_VALUE_KIND_ENTITY, forged[i]);
        forge("Y", CT_VALUE_KIND_COMPONENT,
              forged[i % 2]); // above are bits that say which component
        lua_pushnumber(f.script->lua.lua, (double)forged[i % 2]);
        lua_setglobal(f.script->lua.lua, "N");
        assert_lua(&f, "tostring(X), tostring(Y)", "Unit(destroyed)\tCamera(destroyed)");
        assert_lua(&f, "EntityManager.alive(X), Unit.alive(X)", "false\tfalse");
        run_lua(&f, "A = EntityArray() A:push(X)");
        assert_lua(&f, "A:num_alive()", "0");
        static const char *const calls[] = {
            "EntityManager.destroy(X)",
            "EntityManager.destroy_many({X})",
            "World.destroy_unit(W, X)",
            "World.destroy_units(W, {X})",
            "Unit.world(X)",
            "Unit.local_position(X, 1)",
            "Unit.set_local_position(X, 1, Vector3(1, 2, 3))",
            "Camera.near_range(Y)",
            "TransformComponent.create(TC, X)",
            "TagComponent.add_tag(EntityManager.tag_component(), X, 't')",
            "EntityManager.destroy_many(A)"};
        for (uint32_t k = 0; k < CT_COUNT_OF(calls); ++k)
            assert_lua_error(&f, calls[k], "got");
        static const char *const lookups[] = {
            "DebugNameComponent.destroy(DC, N)",
            "UnitComponent.destroy(EntityManager.unit_component(W), N)",
            "TransformComponent.destroy(TC, N)",
        };
        for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k)
            assert_lua_error(&f, lookups[k], "got");
        assert_lua(&f, "EntityManager.alive(C)", "true");
    }
    run_lua(&f, "for i = 1, 3000 do EntityManager.destroy(EntityManager.create(W)) end");
}

static void spawns_units(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.spawn(W, 'units/crate', Vector3(4, 5, 6))");
    assert_lua(&f, "Unit.is_a(E, 'units/crate')", "true");
    assert_lua(&f, "parts(Unit.world_position(E, 1))", "4\t5\t6");
    assert_lua_error(&f, "EntityManager.spawn(W, 'units/crate')",
                     "EntityManager.spawn: argument 3 (position): expected Vector3, got nil");
    assert_lua_error(&f, "EntityManager.spawn(W, 'units/none', Vector3(0, 0, 0))",
                     "EntityManager.spawn: argument 2 (entity_resource): there is no unit");
}

static void names_entities(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.create()");
    assert_lua(&f, "EntityManager.debug_name(E), EntityManager.debug_name(C)", "\tcrate");
    run_lua(&f, "EntityManager.set_debug_name(E, 'ghost')");
    assert_lua(&f, "DebugNameComponent.get_property_by_id(DC, E, nil, 'name')", "ghost");
    run_lua(&f, "DebugNameComponent.set_property_by_id(DC, E, nil, 'name', 'soul')");
    assert_lua(&f, "EntityManager.debug_name(E)", "soul");
    assert_lua_error(&f, "DebugNameComponent.get_property_by_id(DC, E, nil, 'nam')",
                     "a debug_name has no property \"nam\", did you mean \"name\"?");
    assert_lua_error(&f, "EntityManager.set_debug_name(E, 5)",
                     "EntityManager.set_debug_name: argument 2 (name): expected string");
    assert_lua_error(&f, "DebugNameComponent.get_property_by_id(TC, E, nil, 'name')",
                     "argument 1 (self): expected DebugNameComponent, got TransformComponent");
}

static void names_by_instances(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.create() I = DebugNameComponent.create(DC, E)");
    assert_lua(
        &f,
        "DebugNameComponent.lookup(DC, E) == I, DebugNameComponent.instances(DC, E) == I, "
        "DebugNameComponent.instance_ids(DC, E), DebugNameComponent.get_property(DC, I, 'name')",
        "true\ttrue\t0\t");
    run_lua(&f, "DebugNameComponent.set_property(DC, I, {'name'}, 'ghost')");
    assert_lua(&f, "EntityManager.debug_name(E)", "ghost");
    assert_lua_error(&f, "DebugNameComponent.create(DC, E)",
                     "DebugNameComponent.create: argument 2 (entity): expected an entity without");
    run_lua(&f, "DebugNameComponent.destroy(DC, I) DebugNameComponent.destroy_all(DC, E)");
    assert_lua(&f,
               "DebugNameComponent.lookup(DC, E), select('#', DebugNameComponent.instances(DC, E))",
               "nil\t0");
    assert_lua_error(&f, "DebugNameComponent.get_property(DC, I, 'name')",
                     "DebugNameComponent.get_property: argument 2 (instance): expected the "
                     "instance of a debug name, got a destroyed one");
    run_lua(&f, "I = DebugNameComponent.create(DC, E) EntityManager.destroy(E)");
    assert_lua_error(&f, "DebugNameComponent.destroy(DC, I)", "got a destroyed one");
}

// --- UnitComponent -------------------------------------------------------------------------------

static void tells_units_from_other_entities(void **state) {
    (void)state;
    run_lua(&f, "UC = EntityManager.unit_component(W) I = UnitComponent.instances(UC, C) "
                "E = EntityManager.create(W)");
    assert_lua(&f, "UnitComponent.unit(UC, L) == C, UnitComponent.unit(UC, C) == C", "true\ttrue");
    assert_lua(&f,
               "UnitComponent.lookup(UC, C) == I, UnitComponent.lookup(UC, L), "
               "UnitComponent.instance_ids(UC, C), select('#', UnitComponent.instances(UC, E))",
               "true\tnil\t0\t0");
    assert_lua(&f,
               "UnitComponent.get_property(UC, I, 'unit') ~= nil, Script.type_name("
               "UnitComponent.get_property_by_id(UC, C, nil, {'unit'}))",
               "true\tIdString64");
    assert_lua_error(&f, "UnitComponent.unit(UC, E)",
                     "UnitComponent.unit: argument 2 (entity): expected an entity of a unit");
    assert_lua_error(&f, "UnitComponent.get_property(UC, I, 'units')",
                     "a unit has no property \"units\"");
    assert_lua_error(&f, "UnitComponent.unit(UC, F)", "got one of another");
    run_lua(&f, "UnitComponent.destroy(UC, I)");
    assert_lua(&f, "Unit.alive(C), Unit.alive(L)", "false\tfalse");
    assert_lua_error(&f, "UnitComponent.destroy(UC, I)",
                     "argument 2 (instance): expected the instance of a unit, got a destroyed one");
    run_lua(&f, "UnitComponent.destroy_all(UC, E)");
    assert_lua(&f, "Unit.alive(E)", "true");
}

// --- TransformComponent --------------------------------------------------------------------------

static void gives_and_takes_poses(void **state) {
    (void)state;
    run_lua(&f, "TransformComponent.set_local_position(TC, C, Vector3(4, 5, 6)) "
                "TransformComponent.set_local_scale(TC, C, Vector3(2, 2, 2)) "
                "TransformComponent.set_local_rotation(TC, C, "
                "Quaternion.from_elements(0, 0, 1, 0))");
    assert_lua(&f, "parts(TransformComponent.local_position(TC, C))", "4\t5\t6");
    assert_lua(&f, "parts(TransformComponent.local_scale(TC, C))", "2\t2\t2");
    assert_lua(&f, "parts(TransformComponent.local_rotation(TC, C))", "0\t0\t1\t0");
    assert_lua(&f, "parts(TransformComponent.world_position(TC, L))", "4\t5\t8");
    assert_lua(&f, "parts(Matrix4x4.translation(TransformComponent.local_pose(TC, L)))", "0\t0\t1");
    run_lua(&f, "TransformComponent.set_local_pose(TC, C, Matrix4x4.identity())");
    assert_lua(&f, "parts(Matrix4x4.translation(TransformComponent.world_pose(TC, L)))", "0\t0\t1");
    assert_lua(&f, "parts(TransformComponent.world_rotation(TC, C))", "0\t0\t0\t1");
}

static void refuses_bad_poses_and_strangers(void **state) {
    (void)state;
    assert_lua_error(&f, "TransformComponent.local_position(TC, F)",
                     "TransformComponent.local_position: argument 2 (entity): expected a Unit with "
                     "a transform in this world, got one without");
    assert_lua_error(&f, "TransformComponent.set_local_position(TC, C, Vector3(0/0, 0, 0))",
                     "TransformComponent.set_local_position: argument 3 (position)");
    assert_lua_error(&f, "TransformComponent.local_position(TC, EntityManager.create(W))",
                     "argument 2 (entity): expected a Unit with a transform");
    assert_lua_error(&f, "TransformComponent.local_position(W, C)",
                     "argument 1 (self): expected TransformComponent, got World");
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua_error(&f, "TransformComponent.local_position(TC, C)",
                     "argument 2 (entity): expected Unit, got a destroyed Unit");
}

// Transforms and meshes are a world's own: one entity may have some in each.
static void has_components_in_several_worlds(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() VT, VM = EntityManager.transform_component(V), "
                "EntityManager.mesh_component(V) MC = EntityManager.mesh_component(W) "
                "X = EntityManager.create() "
                "TransformComponent.create(VT, C) TransformComponent.create(VT, X) "
                "TransformComponent.link(VT, X, C, Vector3(0, 0, 1)) "
                "TransformComponent.set_local_position(VT, C, Vector3(9, 8, 7))");
    assert_lua(&f, "parts(Unit.world_position(C, 1))", "1\t2\t3");
    assert_lua(&f, "parts(TransformComponent.world_position(TC, C))", "1\t2\t3");
    assert_lua(&f, "parts(TransformComponent.world_position(VT, X))", "9\t8\t8");
    assert_lua(&f,
               "TransformComponent.children(VT, C)[1] == X, TransformComponent.children(TC, C)[1]"
               " == L, TransformComponent.parent(VT, X) == C",
               "true\ttrue\ttrue");
    assert_lua(&f, "TransformComponent.world_positions(VT, {C, X}):get(6)", "8");
    assert_lua_error(&f, "TransformComponent.link(VT, X, L)",
                     "argument 3 (parent): expected a Unit with a transform in this world");
    assert_lua_error(&f, "TransformComponent.create(VT, C)", "expected an entity without");
    run_lua(&f, "I = MeshComponent.create_with_mesh(VM, C, 'lid', 'meshes/crate') "
                "MeshComponent.create_with_mesh(MC, C, 'lid', 'meshes/crate') "
                "MeshComponent.set_property(VM, I, 'is_visible', false)");
    assert_lua(&f,
               "MeshComponent.get_property_by_id(VM, C, 'lid', 'is_visible'), "
               "MeshComponent.get_property_by_id(MC, C, 'lid', 'is_visible')",
               "false\ttrue");
    assert_lua(&f, "parts(Matrix4x4.translation((MeshComponent.oobb(VM, C, 'lid'))))", "9\t8\t10");
    assert_lua(&f, "parts(Matrix4x4.translation((MeshComponent.oobb(MC, C, 'lid'))))", "1\t2\t6");
    assert_lua(&f, "Script.type_name(MeshComponent.mesh(MC, C, 'lid'))", "Mesh");
    assert_lua_error(&f, "MeshComponent.mesh(VM, C, 'lid')",
                     "MeshComponent.mesh: argument 2 (entity): expected an entity of this world");
    run_lua(&f, "World.update(W, 0.1) World.update(V, 0.1) H = World.state_hash(V) "
                "TransformComponent.set_local_position(TC, C, Vector3(5, 5, 5))");
    assert_lua(&f, "World.state_hash(V) == H, World.num_units(V), #World.entities(V)",
               "true\t0\t0");
    // All end with the entity; those of a world end with that.
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua(&f, "parts(TransformComponent.world_position(VT, X))", "9\t8\t8");
    assert_lua(&f, "TransformComponent.parent(VT, X)", "nil");
    run_lua(&f, "Application.release_world(V)");
    assert_lua(&f, "EntityManager.alive(X)", "true");
}

static void sets_many_positions_at_once(void **state) {
    (void)state;
    run_lua(&f, "A = World.spawn_units(W, 'units/crate', {0, 0, 0, 0, 0, 0}) "
                "TransformComponent.set_local_positions(TC, A, {1, 2, 3, 4, 5, 6})");
    assert_lua(&f, "parts(Unit.world_position(A[1], 1))", "1\t2\t3");
    assert_lua(&f, "parts(Unit.world_position(A[2], 1))", "4\t5\t6");
    run_lua(&f, "TransformComponent.set_local_positions(TC, A, {Vector3(7, 0, 0), C and "
                "Vector3(8, 0, 0)})");
    assert_lua(&f, "parts(Unit.world_position(A[2], 1))", "8\t0\t0");
    assert_lua_error(&f, "TransformComponent.set_local_positions(TC, A, {1, 2, 3})",
                     "argument 3 (positions): expected one position for each of 2 units, got 1");
    assert_lua_error(
        &f, "TransformComponent.set_local_positions(TC, {A[1], F}, {0,0,0,0,0,0})",
        "argument 2 (entities): expected a Unit with a transform in this world at index "
        "2");
    assert_lua_error(&f, "TransformComponent.set_local_positions(TC, {5}, {0, 0, 0})",
                     "expected a Unit at index 1, got number");
    assert_lua_error(&f,
                     "TransformComponent.set_local_positions(TC, {EntityManager.create(W)}, "
                     "{0, 0, 0})",
                     "expected a Unit with a transform at index 1");
    assert_lua(&f, "parts(Unit.world_position(A[1], 1))", "7\t0\t0");
}

static void links_entities(void **state) {
    (void)state;
    run_lua(&f, "U = World.spawn_unit(W, 'units/crate', Vector3(10, 0, 0)) "
                "TransformComponent.link(TC, U, C)");
    assert_lua(&f, "parts(Unit.world_position(U, 1))", "11\t2\t3");
    assert_lua(&f, "TransformComponent.parent(TC, U) == C, TransformComponent.parent(TC, C)",
               "true\tnil");
    assert_lua(&f, "#TransformComponent.children(TC, C)", "2");
    run_lua(&f, "TransformComponent.link(TC, U, C, Vector3(0, 0, 1), nil, Vector3(3, 3, 3))");
    assert_lua(&f, "parts(Unit.world_position(U, 1))", "1\t2\t4");
    assert_lua(&f, "parts(Unit.local_scale(U, 1))", "3\t3\t3");
    run_lua(&f, "TransformComponent.unlink(TC, U)");
    assert_lua(&f, "TransformComponent.parent(TC, U)", "nil");
    run_lua(&f, "TransformComponent.link_to_scene_graph(TC, U, L, 1, Vector3(0, 0, 0))");
    assert_lua(&f, "TransformComponent.parent(TC, U) == L", "true");
    assert_lua_error(&f, "TransformComponent.link_to_scene_graph(TC, U, L, 2)",
                     "argument 4 (node): expected 1, the only node");
    assert_lua_error(&f, "TransformComponent.link(TC, C, U)",
                     "TransformComponent.link: argument 3 (parent)");
    assert_lua_error(&f, "TransformComponent.link(TC, C, F)", "argument 3 (parent)");
    assert_lua_error(&f, "TransformComponent.link(TC, U, C, Vector3(0/0, 0, 0))",
                     "argument 4 (position): expected a finite Vector3");
    assert_lua(&f, "TransformComponent.parent(TC, U) == L", "true");
}

static void links_in_place(void **state) {
    (void)state;
    run_lua(&f, "TransformComponent.set_local_rotation(TC, C, "
                "Quaternion.from_elements(0, 0, 1, 0)) "
                "TransformComponent.set_local_scale(TC, C, Vector3(2, 2, 2)) "
                "U = World.spawn_unit(W, 'units/crate', Vector3(10, 0, 0)) "
                "TransformComponent.link_in_place(TC, U, C)");
    assert_lua(&f, "parts(Unit.world_position(U, 1))", "10\t0\t0");
    assert_lua(&f, "parts(Unit.local_position(U, 1))", "-4.5\t1\t-1.5");
    assert_lua(&f, "TransformComponent.parent(TC, U) == C", "true");
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot', Vector3(0, 5, 0)) "
                "TransformComponent.link_in_place(TC, U, R, 3)");
    assert_lua(&f, "parts(Unit.world_position(U, 1))", "10\t0\t0");
    assert_lua(&f, "parts(Unit.local_position(U, 1))", "8\t-5\t0");
    assert_lua_error(&f, "TransformComponent.link_in_place(TC, R, U)",
                     "TransformComponent.link_in_place: argument 3 (parent): the entity is the one "
                     "to link, or is linked below it");
    run_lua(&f, "TransformComponent.set_local_scale(TC, C, Vector3(0, 0, 0)) "
                "TransformComponent.link_in_place(TC, U, C)");
    assert_lua(&f, "parts(Unit.local_position(U, 1))", "8\t-5\t0");
}

static void tells_what_hangs_below_what(void **state) {
    (void)state;
    run_lua(&f, "U = World.spawn_unit(W, 'units/crate') TransformComponent.link(TC, U, L) "
                "K = TransformComponent.children(TC, U)[1] E = EntityArray() ");
    assert_lua(&f, "TransformComponent.root(TC, K) == C, TransformComponent.root(TC, C) == C",
               "true\ttrue");
    assert_lua(&f,
               "TransformComponent.is_below(TC, K, C), TransformComponent.is_below(TC, C, K), "
               "TransformComponent.is_below(TC, C, C)",
               "true\tfalse\tfalse");
    run_lua(&f, "D = TransformComponent.descendants(TC, C)");
    assert_lua(&f, "#D, D[1] == L, D[2] == U, D[3] == K", "3\ttrue\ttrue\ttrue");
    assert_lua(&f, "TransformComponent.descendants(TC, L, E) == E, E:size(), E:get(1) == U",
               "true\t2\ttrue");
    assert_lua(&f, "#TransformComponent.descendants(TC, K), TransformComponent.num_children(TC, C)",
               "0\t1");
    assert_lua(&f, "TransformComponent.children(TC, C, E):get(1) == L, E:size()", "true\t1");
    assert_lua_error(&f, "TransformComponent.is_below(TC, K, F)", "argument 3 (ancestor)");
}

static void makes_and_ends_transforms(void **state) {
    (void)state;
    run_lua(&f, "E = EntityManager.create(W) I = TransformComponent.create(TC, E, 'main')");
    assert_lua(&f,
               "TransformComponent.lookup(TC, E) == I, TransformComponent.instances(TC, E) == I, "
               "TransformComponent.instance_ids(TC, E)",
               "true\ttrue\t0");
    assert_lua(&f, "parts(Unit.local_scale(E, 1))", "1\t1\t1");
    assert_lua_error(&f, "TransformComponent.create(TC, E)",
                     "argument 2 (entity): expected an entity without a transform");
    run_lua(&f, "TransformComponent.destroy(TC, I)");
    assert_lua(&f, "TransformComponent.lookup(TC, E)", "nil");
    assert_lua_error(&f, "TransformComponent.destroy(TC, I)",
                     "TransformComponent.destroy: argument 2 (instance): expected the instance of "
                     "a transform, got a destroyed one");
    run_lua(&f, "TransformComponent.destroy_all(TC, C) TransformComponent.destroy_all(TC, C)");
    assert_lua(&f, "select('#', TransformComponent.instances(TC, C))", "0");
}

static void sets_transforms_by_the_names_of_their_fields(void **state) {
    (void)state;
    run_lua(&f, "I = TransformComponent.lookup(TC, C) "
                "TransformComponent.set_property(TC, I, 'position', Vector3(7, 7, 7)) "
                "TransformComponent.set_property_by_id(TC, C, nil, {'scale'}, Vector3(2, 2, 2))");
    assert_lua(&f, "parts(TransformComponent.get_property(TC, I, 'position'))", "7\t7\t7");
    assert_lua(&f, "parts(TransformComponent.get_property_by_id(TC, C, nil, 'scale'))", "2\t2\t2");
    assert_lua(&f, "parts(TransformComponent.get_property_by_id(TC, C, nil, 'rotation'))",
               "0\t0\t0\t1");
    assert_lua_error(&f, "TransformComponent.get_property(TC, I, 'postion')",
                     "argument 3 (key): a transform has no property \"postion\", did you mean "
                     "\"position\"?");
    assert_lua_error(&f, "TransformComponent.set_property(TC, I, 'scale', Vector3(1e9, 1, 1))",
                     "argument 4 (value): scale: expected a number from -1e+06 to 1e+06");
    assert_lua_error(&f, "TransformComponent.set_property(TC, I, 'scale', 3)",
                     "argument 4 (value): expected Vector3, got number");
}

// --- MeshComponent -------------------------------------------------------------------------------

static void makes_and_ends_meshes(void **state) {
    (void)state;
    run_lua(&f, "U = World.spawn_unit(W, 'units/bare') "
                "A = MeshComponent.create_with_mesh(MC, U, 'lid', 'meshes/crate') "
                "B = MeshComponent.create_with_mesh(MC, U, 7, 'meshes/crate')");
    assert_lua(&f, "MeshComponent.lookup(MC, U, 'lid') == A, MeshComponent.lookup(MC, U, 7) == B",
               "true\ttrue");
    assert_lua(&f, "MeshComponent.lookup(MC, U, 8)", "nil");
    assert_lua(&f, "select('#', MeshComponent.instances(MC, U))", "2");
    assert_lua(&f, "select(2, MeshComponent.instance_ids(MC, U))", "7");
    assert_lua_error(
        &f, "MeshComponent.create_with_mesh(MC, U, 'lid', 'meshes/crate')",
        "MeshComponent.create_with_mesh: argument 3 (id): the entity already has a mesh with");
    assert_lua_error(&f, "MeshComponent.create_with_mesh(MC, U, 'x', 'meshes/none')",
                     "argument 4 (mesh_resource): there is no mesh \"meshes/none\"");
    assert_lua_error(&f, "MeshComponent.create_with_mesh(MC, 5, 'x', 'meshes/crate')",
                     "argument 2 (entity): expected Unit, got number");
    // The box is from -1, -2, 0 to 1, 2, 6 and the triangle lies at z = 3 in it.
    run_lua(&f, "function ray(hidden, length) return MeshComponent.raycast(MC, U, 'lid', "
                "Vector3(0, 0, 10), Vector3(0, 0, -2), hidden, length) "
                "end");
    assert_lua(&f, "ray(false, 100), ray(false, 6.5)", "7\tnil");
    run_lua(&f, "MeshComponent.set_property(MC, A, 'is_visible', false)");
    assert_lua(&f, "ray(false, 100), ray(true, 100)", "nil\t7\tVector3(0, 0, 1)");
    assert_lua_error(
        &f, "MeshComponent.raycast(MC, U, 'lid', Vector3(0, 0, 0), Vector3(0, 0, 0), true, 1)",
        "MeshComponent.raycast: argument 5 (dir): expected a direction");
    run_lua(&f, "MeshComponent.destroy(MC, B)");
    assert_lua(&f, "select('#', MeshComponent.instances(MC, U))", "1");
    run_lua(&f, "MeshComponent.destroy_all(MC, U)");
    assert_lua(&f, "select('#', MeshComponent.instances(MC, U)), Unit.num_meshes(C)", "0\t2");
    assert_lua_error(&f, "MeshComponent.destroy(MC, B)",
                     "MeshComponent.destroy: argument 2 (instance): expected the instance of a "
                     "mesh, got a destroyed one");
    assert_lua_error(&f, "MeshComponent.get_property(MC, A, 'is_visible')",
                     "argument 2 (instance): expected the instance of a mesh");
    assert_lua_error(&f, "MeshComponent.destroy(MC, 0)", "expected an integer from 1 to");
}

// Others take the places of those that end, and ids are given again; instances mean neither.
static void refuses_stale_meshes(void **state) {
    (void)state;
    run_lua(&f, "U, V = World.spawn_unit(W, 'units/bare'), World.spawn_unit(W, 'units/bare') "
                "function make(e, id) "
                "  return MeshComponent.create_with_mesh(MC, e, id, 'meshes/crate') end "
                "a, b, c, other = make(U, 1), make(U, 2), make(U, 3), make(V, 1) "
                "first, third = Unit.mesh(U, 1), Unit.mesh(U, 3) MeshComponent.destroy(MC, a) "
                "MeshComponent.set_property(MC, c, 'is_visible', false)");
    assert_lua_error(&f, "MeshComponent.get_property(MC, a, 'is_visible')",
                     "MeshComponent.get_property: argument 2 (instance): expected the instance of "
                     "a mesh, got a destroyed one");
    assert_lua_error(&f, "Mesh.visibility(first)",
                     "Mesh.visibility: argument 1 (self): expected Mesh, got a destroyed Mesh");
    assert_lua(&f,
               "Mesh.visibility(third), MeshComponent.get_property(MC, b, 'is_visible'), "
               "MeshComponent.get_property(MC, other, 'is_visible'), Unit.mesh(U, 2) == third, "
               "MeshComponent.lookup(MC, U, 3) == c",
               "false\ttrue\ttrue\ttrue\ttrue");
    run_lua(&f, "make(U, 1)");
    assert_lua_error(&f, "MeshComponent.destroy(MC, a)", "got a destroyed one");
    assert_lua_error(&f, "Mesh.visibility(first)", "got a destroyed Mesh");
    run_lua(&f, "MeshComponent.destroy_all(MC, U) again = make(U, 3)"); // after it had none
    assert_lua_error(&f, "MeshComponent.destroy(MC, c)", "got a destroyed one");
    assert_lua_error(&f, "Mesh.visibility(third)", "got a destroyed Mesh");
    assert_lua(&f, "MeshComponent.get_property(MC, again, 'is_visible')", "true");
    run_lua(&f, "World.destroy_unit(W, U)");
    assert_lua_error(&f, "MeshComponent.destroy(MC, again)", "got a destroyed one");
}

static void gives_meshes_materials_and_boxes(void **state) {
    (void)state;
    run_lua(&f, "MeshComponent.create_with_mesh(MC, L, 'lid', 'meshes/crate') "
                "MeshComponent.set_material(MC, L, 'lid', 'iron', 'materials/steel')");
    assert_true(recorded()->objects[recorded()->last_object].materials[1].value ==
                ct_string_id64_of("materials/steel").value);
    assert_lua(&f, "local pose, half = MeshComponent.oobb(MC, L, 'lid') return parts(half)",
               "1\t2\t3");
    assert_lua(&f, "parts(Matrix4x4.translation((MeshComponent.oobb(MC, L, 'lid'))))", "1\t2\t7");
    assert_lua(&f, "Mesh.num_materials(MeshComponent.mesh(MC, L, 'lid'))", "2");
    assert_lua_error(&f, "MeshComponent.mesh(MC, L, 'top')",
                     "MeshComponent.mesh: argument 3 (id): the entity has no mesh with the id");
    assert_lua_error(&f, "MeshComponent.set_material(MC, L, 'lid', 'glass', 'materials/steel')",
                     "argument 4 (slot): the mesh has no slot");
    assert_lua_error(&f, "MeshComponent.set_material(MC, L, 'lid', 'iron', 'materials/gold')",
                     "argument 5 (material_resource): there is no material \"materials/gold\"");
    assert_lua_error(&f, "MeshComponent.oobb(MC, C, 1)", "is not loaded");
}

static void sets_meshes_by_the_names_of_their_fields(void **state) {
    (void)state;
    run_lua(&f, "I = MeshComponent.create_with_mesh(MC, L, 'lid', 'meshes/crate') "
                "MeshComponent.set_property(MC, I, 'is_visible', false)");
    assert_false(recorded()->objects[recorded()->last_object].is_visible);
    assert_lua(&f, "MeshComponent.get_property(MC, I, 'is_visible')", "false");
    run_lua(&f, "MeshComponent.set_property(MC, I, 'casts_shadows', false)");
    assert_false(recorded()->objects[recorded()->last_object].casts_shadows);
    assert_lua(&f, "MeshComponent.set_property_by_id(MC, L, 'lid', 'is_visible', true) == I",
               "true");
    assert_true(recorded()->objects[recorded()->last_object].is_visible);
    assert_lua(&f,
               "IdString64.equal(MeshComponent.get_property_by_id(MC, L, 'lid', 'mesh'), "
               "'meshes/crate'), #MeshComponent.get_property(MC, I, 'materials')",
               "true\t64");
    assert_lua_error(&f, "MeshComponent.set_property(MC, I, 'mesh', 'meshes/crate')",
                     "the property \"mesh\" cannot be set");
    assert_lua_error(&f, "MeshComponent.set_property(MC, I, 'node', 'lid')",
                     "the property \"node\" cannot be set");
    assert_lua_error(&f, "MeshComponent.get_property(MC, I, {'is_visible', 'x'})",
                     "expected one name; properties of a mesh have no parts");
    assert_lua_error(&f, "MeshComponent.get_property(MC, I, 'padding')",
                     "a mesh has no property \"padding\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        COMPONENT_TEST(makes_and_ends_entities),
        COMPONENT_TEST(knows_ids_that_are_never_issued),
        COMPONENT_TEST(spawns_units),
        COMPONENT_TEST(names_entities),
        COMPONENT_TEST(gives_and_takes_poses),
        COMPONENT_TEST(refuses_bad_poses_and_strangers),
        COMPONENT_TEST(has_components_in_several_worlds),
        COMPONENT_TEST(sets_many_positions_at_once),
        COMPONENT_TEST(links_entities),
        COMPONENT_TEST(names_by_instances),
        COMPONENT_TEST(tells_units_from_other_entities),
        COMPONENT_TEST(links_in_place),
        COMPONENT_TEST(tells_what_hangs_below_what),
        COMPONENT_TEST(makes_and_ends_transforms),
        COMPONENT_TEST(sets_transforms_by_the_names_of_their_fields),
        COMPONENT_TEST(makes_and_ends_meshes),
        COMPONENT_TEST(refuses_stale_meshes),
        COMPONENT_TEST(gives_meshes_materials_and_boxes),
        COMPONENT_TEST(sets_meshes_by_the_names_of_their_fields),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
