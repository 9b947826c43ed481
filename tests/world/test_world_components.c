#include "world/world_fixture.h"

typedef struct engine_data {
    float power;
    float exhaust[3];
} engine_data;

#define AT(member)                                                                                 \
    .offset = offsetof(engine_data, member), .size_bytes = sizeof(((engine_data *)0)->member)

static const ct_field engine_fields[] = {
    {.name = "power",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(power),
     .doc = "Power.",
     .unit = "W",
     .least = 0,
     .most = 1000,
     .default_value = {75}},
    {.name = "exhaust",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(exhaust),
     .doc = "Place.",
     .unit = "m",
     .default_value = {1, 2, 3}},
};

static const ct_schema engine_schema = {.name = "engine",
                                        .doc = "An engine.",
                                        .size_bytes = sizeof(engine_data),
                                        .num_fields = CT_COUNT_OF(engine_fields),
                                        .fields = engine_fields,
                                        .identity =
                                            CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static const ct_component_table_desc engine = {&engine_schema, CT_INSTANCE_LOOKUP_HASH,
                                               CT_COMPONENT_END_AT_ONCE, false};

// Each with two engines.
static const template_entity plane[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "plane", 1, false, false, false, 0},
    {0, {{0, 0, 1}}, "wing", 1, false, false, false, 0},
};

static world_fixture start_with_engines(void) {
    world_fixture f = start_world();
    ct_error error = {0};
    num_registered_instances = 2;
    if (!ct_world_system_register_component(f.system, &engine, &error))
        fail_msg("%s", error.message);
    load_unit(&f, "units/plane", plane, CT_COUNT_OF(plane));
    return f;
}

static uint32_t num_engines(const ct_world *w) {
    return ct_instance_table_count(
        ct_component_table_instances(ct_world_component_table(w, "engine")));
}

static void spawns_and_ends_a_registered_component(void **state) {
    (void)state;
    world_fixture f = start_with_engines();
    const ct_entity unit = spawn_at(&f, "units/plane", 1, 2, 3);
    const ct_component_table *const engines = ct_world_component_table(f.world, "engine");
    assert_int_equal(num_engines(f.world), 4);
    const float *const power = ct_component_table_column(engines, "power");
    const ct_vec3 *const exhaust = ct_component_table_column(engines, "exhaust");
    const ct_instance_table *const t = ct_component_table_instances(engines);
    const uint32_t first = ct_instance_table_first(t, unit);
    assert_true(power[first] == 75 && exhaust[first].y == 2);
    assert_int_equal(t->id[first], 1);
    assert_int_equal(t->id[t->next[first]], 2);
    spawn_at(&f, "units/plane", 0, 0, 0);
    assert_int_equal(num_engines(f.world), 8);
    ct_world_destroy_units(f.world, &unit, 1);
    assert_int_equal(num_engines(f.world), 4);
    stop_world(&f);
    assert_null(ct_component_type_named("engine"));
}

static void takes_a_component_out_of_worlds(void **state) {
    (void)state;
    world_fixture f = start_with_engines();
    const ct_entity unit = spawn_at(&f, "units/plane", 0, 0, 0);
    ct_world_system_unregister_component(f.system, &engine_schema);
    ct_world_system_unregister_component(f.system, &engine_schema); // is ignored
    assert_null(ct_world_component_table(f.world, "engine"));
    assert_null(ct_component_type_named("engine"));
    spawn_at(&f, "units/plane", 0, 0, 0); // without engines, with a warning
    ct_world_destroy_units(f.world, &unit, 1);
    ct_world_advance(f.world, 0.1);
    ct_error error = {0};
    assert_true(ct_world_system_register_component(f.system, &engine, &error));
    spawn_at(&f, "units/plane", 0, 0, 0);
    assert_int_equal(num_engines(f.world), 4);
    stop_world(&f);
}

static void gives_each_world_a_table(void **state) {
    (void)state;
    world_fixture f = start_with_engines();
    ct_world *const later = ct_world_create(f.system);
    const ct_entity here = spawn_at(&f, "units/plane", 0, 0, 0);
    assert_int_equal(num_engines(f.world), 4);
    assert_int_equal(num_engines(later), 0);
    // An entity may have one in another world, too; both end with it.
    const engine_data data = {5, {0, 0, 0}};
    const uint32_t id = 9;
    ct_component_table_add(ct_world_component_table(later, "engine"), &here, &id, &data, 1);
    assert_int_equal(num_engines(later), 1);
    ct_world_destroy_units(f.world, &here, 1);
    assert_int_equal(num_engines(f.world) + num_engines(later), 0);
    ct_world_destroy(later);
    assert_null(ct_world_component_table(f.world, "motor"));
    assert_null(ct_world_component_table(f.world, "mesh"));
    stop_world(&f);
}

// What the one had that had the same id, very long ago.
static void inherits_nothing(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_error error = {0};
    static const ct_component_table_desc lazy = {&engine_schema, CT_INSTANCE_LOOKUP_HASH,
                                                 CT_COMPONENT_END_LAZY, false};
    assert_true(ct_world_system_register_component(f.system, &lazy, &error));
    ct_tag_manager *const tags = ct_world_system_tags(f.system);
    ct_data_manager *const data = ct_world_system_data(f.system);
    ct_debug_name_manager *const names = ct_world_system_debug_names(f.system);
    const ct_entity first = ct_world_create_entity(f.world);
    const engine_data engine_of_first = {5, {0, 0, 0}};
    const uint32_t id = 9;
    ct_component_table_add(ct_world_component_table(f.world, "engine"), &first, &id,
                           &engine_of_first, 1);
    ct_tag_add(tags, &first, 1, ct_string_id32_of("boss"));
    ct_data_create(data, first, 1);
    ct_data_create(data, first, 2);
    ct_debug_name_set(names, first, "boss");
    ct_world_destroy_units(f.world, &first, 1);
    reuse_id(f.world, first);
    assert_int_equal(ct_tag_count(tags, first), 0);
    assert_int_equal(ct_data_first(data, first).slot, 0);
    assert_null(ct_debug_name(names, first));
    assert_int_equal(num_engines(f.world), 0);
    stop_world(&f);
}

static void refuses_more_components_than_fit(void **state) {
    (void)state;
    enum { NUM_PLANES = 600000 }; // with 16 engines on each of two entities
    world_fixture f = start_world();
    static const ct_component_table_desc sparse = {&engine_schema, CT_INSTANCE_LOOKUP_SPARSE,
                                                   CT_COMPONENT_END_AT_ONCE, false};
    ct_error error = {0};
    num_registered_instances = 16;
    assert_true(ct_world_system_register_component(f.system, &sparse, &error));
    load_unit(&f, "units/plane", plane, CT_COUNT_OF(plane));
    spawn_at(&f, "units/plane", 0, 0, 0);
    ct_entity *const roots = CT_NEW_ARRAY(test_heap(), ct_entity, NUM_PLANES);
    assert_false(
        ct_world_spawn_units(f.world, "units/plane", NULL, NULL, NULL, NUM_PLANES, roots, &error));
    assert_non_null(strstr(error.message,
                           "no room for 19200000 more components of the type engine; it has "
                           "32 of at most 16777215"));
    assert_int_equal(ct_world_system_num_entities(f.system), 2);
    assert_int_equal(num_engines(f.world), 32);
    ct_free(test_heap(), roots);
    stop_world(&f);
}

static void refuses_a_name_that_is_taken(void **state) {
    (void)state;
    world_fixture f = start_with_engines();
    ct_error error = {0};
    assert_false(ct_world_system_register_component(f.system, &engine, &error));
    assert_string_equal(error.message,
                        "the component type \"engine\" exists already; choose another name");
    ct_schema mesh = engine_schema;
    mesh.name = "mesh";
    assert_false(ct_world_system_register_component(
        f.system, &(ct_component_table_desc){.schema = &mesh}, &error));
    stop_world(&f);
}

static void refuses_more_types_than_there_can_be(void **state) {
    (void)state;
    world_fixture f = start_world();
    static ct_schema schemas[CT_MAX_COMPONENT_TYPES];
    static char names[CT_MAX_COMPONENT_TYPES][16];
    ct_error error = {0};
    uint32_t count = 0;
    for (; count < CT_MAX_COMPONENT_TYPES; ++count) {
        snprintf(names[count], sizeof(names[count]), "part_%u", count);
        schemas[count] = engine_schema;
        schemas[count].name = names[count];
        if (!ct_world_system_register_component(
                f.system, &(ct_component_table_desc){.schema = &schemas[count]}, &error))
            break;
    }
    assert_true(count > 40 && count < CT_MAX_COMPONENT_TYPES);
    assert_non_null(strstr(error.message, "the most that are supported"));
    assert_non_null(ct_world_component_table(f.world, "part_40"));
    stop_world(&f);
    assert_null(ct_component_type_named("part_0"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawns_and_ends_a_registered_component),
        cmocka_unit_test(gives_each_world_a_table),
        cmocka_unit_test(takes_a_component_out_of_worlds),
        cmocka_unit_test(inherits_nothing),
        cmocka_unit_test(refuses_more_components_than_fit),
        cmocka_unit_test(refuses_a_name_that_is_taken),
        cmocka_unit_test(refuses_more_types_than_there_can_be),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
