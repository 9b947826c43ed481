// What a debugger shows of engine values, and sets in them. Lua calls the functions: parts(v) gives a table
// of the parts by name, list(v) their names, text(v), set(v, name, value), scope() the scope of its caller.
#include "script/behaviour/behaviour_fixture.h"

#include "script/debug/script_debug_values.h"

static ct_lua_debugger_values values(void) {
    return ct_script_debug_values(f.script);
}

static int lua_parts(lua_State *L) {
    const ct_lua_debugger_values v = values();
    const int top = lua_gettop(L);
    if (!v.expand(v.user, L, 1)) {
        assert_int_equal(lua_gettop(L), top);
        return 0;
    }
    assert_int_equal(lua_gettop(L), top + 1);
    lua_newtable(L);
    const int count = (int)lua_objlen(L, top + 1);
    for (int i = 1; i <= count; i += 2) {
        lua_rawgeti(L, top + 1, i);
        lua_rawgeti(L, top + 1, i + 1);
        assert_true(lua_isstring(L, -2) && !lua_isnil(L, -1));
        lua_rawset(L, top + 2);
    }
    lua_settop(L, top + 2);
    return 1;
}

static int lua_list(lua_State *L) {
    const ct_lua_debugger_values v = values();
    luaL_Buffer b;
    if (!v.expand(v.user, L, 1))
        return 0;
    luaL_buffinit(L, &b);
    for (int i = 1;; i += 2) {
        lua_rawgeti(L, 2, i);
        if (lua_isnil(L, -1))
            break;
        if (i > 1) {
            lua_pushstring(L, " ");
            lua_insert(L, -2);
            lua_concat(L, 2);
        }
        luaL_addvalue(&b);
    }
    lua_pop(L, 1);
    luaL_pushresult(&b);
    return 1;
}

static int lua_text(lua_State *L) {
    const ct_lua_debugger_values v = values();
    return v.describe(v.user, L, 1);
}

static int lua_set(lua_State *L) {
    const ct_lua_debugger_values v = values();
    const int top = lua_gettop(L);
    const bool is_set = v.assign(v.user, L, 1, lua_tostring(L, 2));
    assert_int_equal(lua_gettop(L), top);
    lua_pushboolean(L, is_set);
    return 1;
}

static int lua_scope(lua_State *L) {
    lua_Debug at;
    assert_true(lua_getstack(L, 1, &at));
    return ct_script_debug_behaviour(f.script, L, L, &at);
}

static void add_functions(void) {
    lua_State *const L = f.script->lua.lua;
    lua_register(L, "part_table", lua_parts);
    lua_register(L, "list", lua_list);
    lua_register(L, "text", lua_text);
    lua_register(L, "set", lua_set);
    lua_register(L, "scope", lua_scope);
    run_lua(&f, "P = part_table");
    ct_string_id64_register("levels/yard"); // as a project's catalog does
    ct_string_id64_register("units/crate");
    ct_string_id64_register("units/robot");
    ct_string_id64_register("meshes/crate");
    ct_string_id64_register("materials/oak");
    ct_string_id32_register("health");
    ct_string_id32_register("path");
    ct_string_id32_register("new");
}

static int set_up_values(void **state) {
    set_up_behaviours(state);
    add_functions();
    return 0;
}

#define VALUE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_values, tear_down)

static void shows_units(void **state) {
    (void)state;
    run_lua(&f, "TagComponent.add_tag(EntityManager.tag_component(), C, 'enemy') "
                "Unit.set_data(C, 'health', 5)");
    assert_lua(&f, "P(C).name", "crate");
    assert_lua(&f, "P(C).resource", "units/crate");
    assert_lua(&f, "P(C).world == W", "true");
    assert_lua(&f, "P(C).id > 0", "true");
    assert_lua(&f, "parts(P(C).position)", "1\t2\t3");
    assert_lua(&f, "parts(P(C).scale)", "1\t1\t1");
    assert_lua(&f, "parts(P(C).rotation)", "0\t0\t0\t1");
    assert_lua(&f, "P(C).parent", "nil");
    assert_lua(&f, "P(L).parent == C", "true");
    assert_lua(&f, "P(L).unit == C", "true");
    assert_lua(&f, "P(C).tags[1]", "enemy");
    assert_lua(&f, "P(C).set_data.health", "5");
    assert_lua(&f, "text(C)", "Unit \"crate\" (units/crate)");
    assert_lua(&f, "text(L)", "Unit \"lamp\"");
    assert_lua(&f, "text(P(C).transform)", "transform");
    assert_lua(&f, "parts(P(P(C).transform).position)", "1\t2\t3");
}

static void shows_components_and_handles(void **state) {
    (void)state;
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot') "
                "Mesh.set_material(Unit.mesh(R, 1), 'wood', 'materials/oak')");
    assert_lua(&f, "P(R).nodes", "3");
    assert_lua(&f, "P(P(R).camera).vertical_fov > 0", "true");
    assert_lua(&f, "text(P(P(R).mesh).mesh)", "IdString64 \"meshes/crate\"");
    assert_lua(&f, "type(P(P(R).mesh).materials)", "table");
    assert_lua(&f, "P(Unit.camera(R, 1)).unit == R", "true");
    assert_lua(&f, "P(Unit.camera(R, 1)).vertical_fov == P(P(R).camera).vertical_fov", "true");
    assert_lua(&f, "P(Unit.light(R, 1)).unit == R", "true");
    assert_lua(&f, "text(Unit.mesh(R, 1))", "Mesh of Unit \"robot\" (units/robot)");
    assert_lua(&f, "text(Mesh.material(Unit.mesh(R, 1), 'wood'))", "Material \"materials/oak\"");
    assert_lua(&f, "text(IdString32('never_said'))", "IdString32 \"never_said\"");
    assert_lua(&f, "text(IdString64('units/crate'))", "IdString64 \"units/crate\"");
    assert_lua(&f, "set(Unit.camera(R, 1), 'vertical_fov', 1)", "false");
    assert_lua(&f, "set(P(R).camera, 'vertical_fov', 1)", "false");
}

static void shows_worlds_and_levels(void **state) {
    (void)state;
    run_lua(&f, "Y = World.load_level(W, 'levels/yard') World.update(W, 0.5)");
    assert_lua(&f, "P(W).time", "0.5");
    assert_lua(&f, "P(W).delta_time", "0.5");
    assert_lua(&f, "P(W).levels[1] == Y", "true");
    assert_lua(&f, "text(W)", "World (3 units)");
    assert_lua(&f, "text(Y)", "Level levels/yard");
    assert_lua(&f, "text(P(W).units)", "3 units");
    assert_lua(&f, "P(Y).resource", "levels/yard");
    assert_lua(&f, "P(Y).world == W", "true");
    assert_lua(&f, "list(P(Y).units)", "[1] first [2] second");
    assert_lua(&f, "P(P(P(Y).units)['[1] first']).level == Y", "true");
    run_lua(&f, "Mine = P(Y).units World.destroy_unit(W, P(Mine)['[1] first'])");
    assert_lua(&f, "list(Mine)", "[2] second");
    run_lua(&f, "World.destroy_level(W, Y)");
    assert_lua(&f, "text(Mine)", "(destroyed)");
    assert_lua(&f, "P(Mine)", "");
    assert_lua(&f, "P(Y)", "");
    assert_lua(&f, "text(Y)", "");
}

static void shows_ten_thousand_units_in_pages(void **state) {
    (void)state;
    run_lua(&f, "for i = 1, 10049 do World.spawn_unit(W, 'units/bare') end Us = P(W).units");
    assert_lua(&f, "text(Us)", "10050 units");
    assert_lua(&f, "list(Us)", "[1..10000] [10001..10050]");
    assert_lua(&f, "select(2, list(P(Us)['[1..10000]']):gsub(' ', ' '))", "99");
    assert_lua(&f, "text(P(P(Us)['[1..10000]'])['[9901..10000]'])", "100 units");
    assert_lua(&f, "P(P(P(Us)['[1..10000]'])['[1..100]'])['[1] crate'] == C", "true");
    assert_lua(&f, "list(P(Us)['[10001..10050]']):sub(1, 15)", "[10001] [10002]");
    // Units that are gone by now.
    run_lua(&f, "Page = P(P(Us)['[1..10000]'])['[9901..10000]'] "
                "for _, u in ipairs(World.units(W)) do if u ~= C then World.destroy_unit(W, u) end "
                "end");
    assert_lua(&f, "list(Page)", "");
    assert_lua(&f, "list(Us)", "[1] crate");
}

static void knows_what_has_ended(void **state) {
    (void)state;
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot') Cam = Unit.camera(R, 1) "
                "Node = P(R).camera D = EntityManager.data_component() "
                "DataComponent.create(D, R, 'stats') Data = P(R)['data[\"stats\"]'] "
                "World.destroy_unit(W, R)");
    assert_lua(&f, "P(R)", "");
    assert_lua(&f, "text(R)", "");
    assert_lua(&f, "P(Cam)", "");
    assert_lua(&f, "text(Cam)", "");
    assert_lua(&f, "P(Node)", "");
    assert_lua(&f, "text(Node)", "(destroyed)");
    assert_lua(&f, "P(Data)", "");
    assert_lua(&f, "set(Data, 'a', 1)", "false");
    assert_lua(&f, "set(R, 'position', Vector3(0, 0, 0))", "false");
    run_lua(&f, "X = Application.new_world() XU = P(X).units "
                "X1 = World.spawn_unit(X, 'units/crate') XN = P(X1).transform "
                "Application.release_world(X)");
    assert_lua(&f, "P(X)", "");
    assert_lua(&f, "text(X)", "");
    assert_lua(&f, "P(XU)", "");
    assert_lua(&f, "text(XN)", "(destroyed)");
    assert_lua(&f, "set(XN, 'position', 1)", "false");
    assert_lua(&f, "P(Vector3(1, 2, 3))", "");
    assert_lua(&f, "P(12)", "");
    assert_lua(&f, "P({})", "");
    assert_lua(&f, "text('x')", "");
}

static void sets_poses_names_and_data(void **state) {
    (void)state;
    run_lua(&f, "D = EntityManager.data_component() I = DataComponent.create(D, C, 'stats') "
                "DataComponent.set_property(D, I, 'health', 5) "
                "DataComponent.set_property(D, I, 'path', {1, 2, 3}) "
                "DataComponent.set_property(D, I, {'a', 'b'}, 'text')");
    assert_lua(&f, "set(C, 'position', Vector3(4, 5, 6))", "true");
    assert_lua(&f, "parts(Unit.local_position(C, 1))", "4\t5\t6");
    assert_lua(&f, "set(C, 'rotation', Quaternion.from_elements(0, 0, 1, 0))", "true");
    assert_lua(&f, "parts(P(C).rotation)", "0\t0\t1\t0");
    assert_lua(&f, "set(C, 'scale', Vector3(2, 2, 2))", "true");
    assert_lua(&f, "parts(Unit.local_scale(C, 1))", "2\t2\t2");
    assert_lua(&f, "set(C, 'name', 'box')", "true");
    assert_lua(&f, "Unit.debug_name(C)", "box");
    assert_lua(&f, "set(C, 'world', 1)", "false");
    assert_lua(&f, "pcall(set, C, 'position', 7)", "false\texpected Vector3, got number");
    run_lua(&f, "N = P(C)['data[\"stats\"]']");
    assert_lua(&f, "text(N)", "data \"stats\"");
    assert_lua(&f, "P(N).health", "5");
    assert_lua(&f, "P(N).path[3]", "3");
    assert_lua(&f, "set(N, 'health', 6.5)", "true");
    assert_lua(&f, "DataComponent.get_property(D, I, 'health')", "6.5");
    assert_lua(&f, "P(N).health", "6.5");
    assert_lua(&f, "set(N, 'new', 'value')", "true");
    assert_lua(&f, "DataComponent.get_property(D, I, 'new')", "value");
    assert_lua(&f, "set(N, 'new', nil)", "true");
    assert_lua(&f, "P(N).new", "nil");
    // A key of two names has no name of its own.
    run_lua(&f, "for k, v in pairs(P(N)) do if v == 'text' then Key = k end end");
    assert_lua(&f, "set(N, Key, true)", "true");
    assert_lua(&f, "DataComponent.get_property(D, I, {'a', 'b'})", "true");
    assert_lua(&f, "pcall(set, N, 'health', {})",
               "false\texpected a boolean, number, string or nil");
}

static void shows_behaviours(void **state) {
    (void)state;
    load_script(&f, "behaviours/looker",
                "local M = {} function M.update(self, dt) Seen = scope() inner(self) end "
                "function inner(self) Inner = scope() end return M");
    run_lua(&f, "E = add('one', 'behaviours/looker') "
                "function free(self) return scope() end");
    // Its table is not made before it runs.
    run_lua(&f, "N = EntityManager.create(W) "
                "ScriptComponent.create(SC, N, 'ai', 'behaviours/looker')");
    assert_lua(&f, "P(N)['script[1] behaviours/looker']", "it has not run yet");
    run_lua(&f, "EntityManager.destroy(N)");
    run_lua(&f, "World.update(W, 1)");
    assert_lua(&f, "P(E)['script[1] behaviours/looker'] == self_of(E)", "true");
    assert_lua(&f, "P(E)['script[1] behaviours/looker'].name", "one");
    assert_lua(&f, "Seen[1], Seen[2] == self_of(E), Seen[3], Seen[4] == E",
               "self\ttrue\tunit\ttrue");
    assert_lua(&f, "Seen[5], Seen[6], Seen[7], Seen[8]",
               "script\tbehaviours/looker\tenabled\ttrue");
    assert_lua(&f, "Inner[4] == E", "true");
    assert_lua(&f, "free({})", "");
    assert_lua(&f, "free({entity = E})", "");
    assert_lua(&f, "free(setmetatable({}, {__index = function() error('ran') end}))", "");
    assert_lua(&f, "free(5)", "");
}

typedef struct buoy {
    float height;
    uint32_t kind;
    char label[8];
} buoy;

static const char *const kinds[] = {"red", "green", NULL};
static const ct_field fields[] = {
    {.name = "height",
     .offset = offsetof(buoy, height),
     .size_bytes = 4,
     .type = CT_FIELD_TYPE_FLOAT,
     .doc = "Height.",
     .least = 0,
     .most = 9,
     .default_value = {2}},
    {.name = "kind",
     .offset = offsetof(buoy, kind),
     .size_bytes = 4,
     .type = CT_FIELD_TYPE_ENUM,
     .doc = "Kind.",
     .enum_names = kinds},
    {.name = "label",
     .offset = offsetof(buoy, label),
     .size_bytes = 8,
     .type = CT_FIELD_TYPE_TEXT,
     .doc = "Label.",
     .default_text = "buoy"},
};
static const ct_schema buoys = {.name = "buoys",
                                .doc = "Float.",
                                .size_bytes = sizeof(buoy),
                                .num_fields = CT_COUNT_OF(fields),
                                .fields = fields,
                                .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static void shows_and_sets_components_of_plugins(void **state) {
    (void)state;
    ct_error error = {0};
    const ct_component_table_desc desc = {&buoys, CT_INSTANCE_LOOKUP_SPARSE,
                                          CT_COMPONENT_END_AT_ONCE, false};
    assert_true(ct_world_system_register_component(f.world.system, &desc, &error));
    run_lua(&f, "B = EntityManager.plugin_component(W, 'buoys') PC = PluginComponent "
                "PC.create(B, C, 'left') PC.create(B, C, 'right') "
                "One, Two = P(C)['buoys[1]'], P(C)['buoys[2]']");
    assert_lua(&f, "text(One)", "buoys \"left\"");
    assert_lua(&f, "P(One).height, P(One).kind, P(One).label", "2\tred\tbuoy");
    assert_lua(&f, "set(Two, 'height', 4), set(Two, 'kind', 'green'), set(Two, 'label', 'far')",
               "true\ttrue\ttrue");
    assert_lua(&f, "PC.get_property_by_id(B, C, 'right', 'height')", "4");
    assert_lua(&f, "P(Two).height, P(Two).kind, P(Two).label", "4\tgreen\tfar");
    assert_lua(&f, "P(One).height", "2");
    assert_lua(&f, "pcall(set, Two, 'height', 40)",
               "false\theight: expected a number from 0 to 9, got 40");
    assert_lua(&f, "set(Two, 'depth', 4)", "false");
    run_lua(&f, "PC.destroy_all(B, C)");
    assert_lua(&f, "list(One)", "");
    assert_lua(&f, "set(One, 'height', 4)", "false");
    ct_world_system_unregister_component(f.world.system, &buoys);
    assert_lua(&f, "list(One)", "");
    assert_lua(&f, "set(One, 'height', 4)", "false");
}

static uint64_t state_hash(void) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < ct_world_system_num_worlds(f.world.system); ++i)
        hash = hash * 31 + ct_world_state_hash(ct_world_system_world(f.world.system, i));
    return hash;
}

static void runs_nothing_and_changes_nothing(void **state) {
    (void)state;
    const uint64_t before = state_hash();
    run_lua(&f, "E = add('one') local calls = 0 "
                "World.spawn_unit(W, 'units/robot')");
    const uint64_t spawned = state_hash();
    assert_true(before != spawned);
    run_lua(&f, "for _, u in ipairs(World.units(W)) do for _, v in pairs(P(u)) do P(v) text(v) end "
                "end P(E)");
    assert_true(state_hash() == spawned);
    assert_lua(&f, "take()", "");
}

// For the call of a function: the machine is a worker's.
static int lua_as_worker(lua_State *L) {
    ct_lua *const m = &f.script->lua;
    m->parent = m;
    const int status = lua_pcall(L, lua_gettop(L) - 1, 1, 0);
    m->parent = NULL;
    return status ? lua_error(L) : 1;
}

static void gives_workers_names_of_ids_only(void **state) {
    (void)state;
    lua_register(f.script->lua.lua, "as_worker", lua_as_worker);
    run_lua(&f, "Node = P(C).transform");
    assert_lua(&f, "as_worker(P, C), as_worker(P, W), as_worker(P, Node)", "nil\tnil\tnil");
    assert_lua(&f, "as_worker(text, C), as_worker(text, W), as_worker(text, Node)",
               "nil\tnil\tnil");
    assert_lua(&f, "as_worker(text, IdString32('a_name'))", "IdString32 \"a_name\"");
    assert_lua(&f, "as_worker(set, C, 'name', 'x'), P(C).name", "false\tcrate");
    assert_lua(&f, "as_worker(scope)", "nil");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        VALUE_TEST(shows_units),
        VALUE_TEST(shows_components_and_handles),
        VALUE_TEST(shows_worlds_and_levels),
        VALUE_TEST(shows_ten_thousand_units_in_pages),
        VALUE_TEST(knows_what_has_ended),
        VALUE_TEST(sets_poses_names_and_data),
        VALUE_TEST(shows_behaviours),
        VALUE_TEST(shows_and_sets_components_of_plugins),
        VALUE_TEST(runs_nothing_and_changes_nothing),
        VALUE_TEST(gives_workers_names_of_ids_only),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
