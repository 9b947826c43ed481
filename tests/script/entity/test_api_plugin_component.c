// PluginComponent: components of registered types from Lua.
#include "script/api_check.h"
#include "script/api_fixture.h"
#include "script/script_private.h"

typedef struct buoy {
    float height;
    uint32_t kind;
    float rotation[4];
    char label[8];
} buoy;

static const char *const kinds[] = {"red", "green", NULL};

#define AT(member)                                                                                 \
    .name = #member, .offset = offsetof(buoy, member), .size_bytes = sizeof(((buoy *)0)->member)

static const ct_field fields[] = {
    {AT(height), .type = CT_FIELD_TYPE_FLOAT, .doc = "Height.", .least = 0, .most = 9,
     .default_value = {2}},
    {AT(kind), .type = CT_FIELD_TYPE_ENUM, .doc = "Kind.", .enum_names = kinds},
    {AT(rotation), .type = CT_FIELD_TYPE_QUATERNION, .doc = "Rotation.",
     .default_value = {0, 0, 0, 1}},
    {AT(label), .type = CT_FIELD_TYPE_TEXT, .doc = "Label.", .default_text = "buoy"},
};

enum { IDENTITY = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED };
static const ct_schema one = {.name = "buoy",
                              .doc = "Floats.",
                              .size_bytes = sizeof(buoy),
                              .num_fields = CT_COUNT_OF(fields),
                              .fields = fields,
                              .identity = IDENTITY};
static const ct_schema several = {.name = "buoys",
                                  .doc = "Float.",
                                  .size_bytes = sizeof(buoy),
                                  .num_fields = CT_COUNT_OF(fields),
                                  .fields = fields,
                                  .identity = IDENTITY};

static int set_up_types(void **state) {
    ct_error error = {0};
    set_up(state);
    const ct_component_table_desc descs[] = {
        {&one, CT_INSTANCE_LOOKUP_SPARSE, CT_COMPONENT_END_AT_ONCE, true},
        {&several, CT_INSTANCE_LOOKUP_SPARSE, CT_COMPONENT_END_AT_ONCE, false}};
    for (uint32_t i = 0; i < CT_COUNT_OF(descs); ++i)
        assert_true(ct_world_system_register_component(f.world.system, &descs[i], &error));
    run_lua(&f, "B = EntityManager.plugin_component(W, 'buoy') "
                "S = EntityManager.plugin_component(W, 'buoys') PC = PluginComponent "
                "PC.create(B, C)");
    return 0;
}

#define TYPE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_types, tear_down)

static void reads_and_sets_properties(void **state) {
    (void)state;
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'height')", "2");
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'kind')", "red");
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'label')", "buoy");
    run_lua(&f, "PC.set_property_by_id(B, C, nil, 'height', 4) "
                "PC.set_property_by_id(B, C, nil, 'kind', 'green') "
                "PC.set_property_by_id(B, C, nil, 'label', 'far away')");
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'height')", "4");
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'kind')", "green");
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'label')", "far awa");
    assert_lua_error(&f, "PC.set_property_by_id(B, C, nil, 'height', 40)",
                     "height: expected a number from 0 to 9, got 40");
    assert_lua_error(&f, "PC.get_property_by_id(B, C, nil, 'heigth')",
                     "a buoy has no property \"heigth\", did you mean \"height\"?");
    assert_lua_error(&f, "PC.get_property_by_id(B, L, nil, 'height')",
                     "the entity has no such buoy component");
    assert_lua_error(&f, "PC.create(B, C)", "the entity already has this buoy component");
    assert_lua_error(&f, "EntityManager.plugin_component(W, 'snow')",
                     "no plugin has added a component type \"snow\"");
    assert_lua_error(&f, "EntityManager.plugin_component(W, 'transform')",
                     "no plugin has added a component type \"transform\"");
}

static void reads_what_no_source_could_give(void **state) {
    (void)state;
    lua_getglobal(f.script->lua.lua, "W");
    ct_component_table *const t =
        ct_world_component_table(ct_check_world(f.script->lua.lua, -1), "buoy");
    lua_pop(f.script->lua.lua, 1);
    ((uint32_t *)ct_component_table_column(t, "kind"))[1] = 77;
    memset((char *)ct_component_table_column(t, "label") + 8, 'x', 8);
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'kind')", "red");
    assert_lua(&f, "PC.get_property_by_id(B, C, nil, 'label')", "xxxxxxx");
}

static void an_entity_may_have_several(void **state) {
    (void)state;
    run_lua(&f, "PC.create(S, C, 'a') PC.create(S, C, 'b') PC.create(S, C, 7) "
                "PC.set_property_by_id(S, C, 'b', 'height', 5)");
    assert_lua(&f, "PC.get_property_by_id(S, C, nil, 'height')", "2");
    assert_lua(&f, "PC.get_property_by_id(S, C, 'b', 'height')", "5");
    assert_lua(&f, "PC.has(S, C, 7), PC.has(S, C, 8), PC.has(S, L)", "true\tfalse\tfalse");
    assert_lua(&f, "select('#', PC.instance_ids(S, C)), select(3, PC.instance_ids(S, C))", "3\t7");
    assert_lua(&f, "PC.num_instances(S), #PC.entities(S)", "3\t3");
    run_lua(&f, "PC.destroy_all(S, C)");
    assert_lua(&f, "PC.num_instances(S), PC.num_instances(B)", "0\t1");
    assert_lua_error(&f, "PC.create(S, C)", "argument 3");
}

static void takes_numbers_of_all(void **state) {
    (void)state;
    run_lua(&f, "PC.create(B, L) N = PC.get_numbers(B, 'height')");
    assert_lua(&f, "Float32Array.size(N), Float32Array.get(N, 2)", "2\t2");
    run_lua(&f, "Float32Array.set(N, 2, 3) PC.set_numbers(B, 'height', N)");
    assert_lua(&f, "PC.get_property_by_id(B, PC.entities(B)[2], nil, 'height')", "3");
    run_lua(&f, "Float32Array.set(N, 1, 10)");
    assert_lua_error(&f, "PC.set_numbers(B, 'height', N)", "expected numbers from 0 to 9, got 10");
    assert_lua_error(&f, "PC.get_numbers(B, 'label')", "expected a property of numbers");
    run_lua(&f, "R = PC.get_numbers(B, 'rotation') Float32Array.set(R, 8, 3)");
    assert_lua_error(&f, "PC.set_numbers(B, 'height', R)", "argument 3");
    run_lua(&f, "PC.set_numbers(B, 'rotation', R) PC.get_numbers(B, 'rotation', R)");
    assert_lua(&f, "Float32Array.size(R), Float32Array.get(R, 8)", "8\t1");
    run_lua(&f, "Float32Array.set(R, 8, 0)");
    assert_lua_error(&f, "PC.set_numbers(B, 'rotation', R)", "argument 3");
}

static void notices_what_has_ended(void **state) {
    (void)state;
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua(&f, "PC.num_instances(B)", "0");
    assert_lua_error(&f, "PC.create(B, C)", "argument 2");
    ct_world_system_unregister_component(f.world.system, &one);
    assert_lua_error(&f, "PC.num_instances(B)", "the component type \"buoy\" is gone");
    run_lua(&f, "Application.release_world(W)");
    assert_lua_error(&f, "PC.num_instances(S)", "argument 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TYPE_TEST(reads_and_sets_properties),  TYPE_TEST(reads_what_no_source_could_give),
        TYPE_TEST(an_entity_may_have_several), TYPE_TEST(takes_numbers_of_all),
        TYPE_TEST(notices_what_has_ended),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
