// The components of one entity as rows of fields.
#include "world/world_fixture.h"

#include "world/save/world_inspect.h"

typedef struct engine_data {
    float power;
    uint32_t number;
} engine_data;

static const ct_field engine_fields[] = {
    {.name = "power",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(engine_data, power),
     .size_bytes = sizeof(float),
     .doc = "Power.",
     .default_value = {75}},
    {.name = "number",
     .type = CT_FIELD_TYPE_INT,
     .offset = offsetof(engine_data, number),
     .size_bytes = sizeof(uint32_t),
     .doc = "Number."},
};

static const ct_schema engine_schema = {.name = "engine",
                                        .doc = "An engine.",
                                        .size_bytes = sizeof(engine_data),
                                        .num_fields = CT_COUNT_OF(engine_fields),
                                        .fields = engine_fields,
                                        .identity =
                                            CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static const template_entity plane[] = {
    {CT_NO_PARENT, {{1, 2, 3}}, "plane", 0, false, true, true, 0},
};

static const ct_inspected_component *find(const ct_world_inspection *n, const char *type,
                                          uint32_t place) {
    uint32_t count;
    const ct_inspected_component *const all = ct_world_inspected(n, &count);
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(all[i].type, type) == 0 && all[i].place == place)
            return &all[i];
    return NULL;
}

static float number(const ct_inspected_component *c, const char *field) {
    float value;
    for (uint32_t i = 0; i < c->num_fields; ++i)
        if (strcmp(c->fields[i].name, field) == 0) {
            memcpy(&value, c->row + c->fields[i].offset, sizeof(value));
            return value;
        }
    fail_msg("%s has no field %s", c->type, field);
    return 0.0f;
}

static void reads_components_of_all_kinds(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_error error = {0};
    const ct_component_table_desc engine = {&engine_schema, CT_INSTANCE_LOOKUP_HASH,
                                            CT_COMPONENT_END_AT_ONCE, false};
    assert_true(ct_world_system_register_component(f.system, &engine, &error));
    load_unit(&f, "units/plane", plane, CT_COUNT_OF(plane));
    ct_entity unit;
    assert_true(ct_world_spawn_units(f.world, "units/plane", NULL, NULL, NULL, 1, &unit, &error));
    ct_component_table *const table = ct_world_component_table(f.world, "engine");
    const ct_entity owners[] = {unit, unit};
    const uint32_t ids[] = {7, 8};
    const engine_data data[] = {{50, 1}, {60, 2}};
    const uint32_t first = ct_component_table_add(table, owners, ids, data, 2);

    const uint64_t hash = ct_world_state_hash(f.world);
    ct_world_inspection *n = ct_world_inspect(f.world, unit, NULL);
    assert_true(number(find(n, "transform", 0), "position") == 1.0f);
    assert_true(number(find(n, "engine", 0), "power") + number(find(n, "engine", 1), "power") ==
                110.0f);
    assert_int_equal(find(n, "engine", 0)->id + find(n, "engine", 1)->id, 15);
    assert_null(find(n, "engine", 2));
    ct_world_inspection_free(n);

    n = ct_world_inspect(f.world, unit, "engine");
    assert_null(find(n, "transform", 0));
    assert_non_null(find(n, "engine", 1));
    ct_world_inspection_free(n);

    n = ct_world_inspect_instance(f.world, unit, "engine", first);
    assert_true(number(find(n, "engine", 0), "power") == 50.0f);
    assert_null(find(n, "engine", 1));
    ct_world_inspection_free(n);
    assert_true(ct_world_state_hash(f.world) == hash);
    stop_world(&f);
}

// Sets the fields of a row in place.
static void put(uint8_t *row, const ct_inspected_component *c, const char *field,
                const void *value) {
    for (uint32_t i = 0; i < c->num_fields; ++i) {
        if (strcmp(c->fields[i].name, field) == 0)
            memcpy(row + c->fields[i].offset, value, c->fields[i].size_bytes);
    }
}

static void sets_fields_and_leaves_others(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_error error = {0};
    const ct_component_table_desc engine = {&engine_schema, CT_INSTANCE_LOOKUP_HASH,
                                            CT_COMPONENT_END_AT_ONCE, false};
    assert_true(ct_world_system_register_component(f.system, &engine, &error));
    load_unit(&f, "units/plane", plane, CT_COUNT_OF(plane));
    ct_entity units[2];
    assert_true(ct_world_spawn_units(f.world, "units/plane", NULL, NULL, NULL, 2, units, &error));
    ct_transform_manager *const m = ct_world_transforms(f.world);
    assert_true(
        ct_transform_link(m, ct_transform_lookup(m, units[0]), ct_transform_lookup(m, units[1])));
    const uint32_t id = 7;
    const engine_data data = {50, 1};
    ct_component_table_add(ct_world_component_table(f.world, "engine"), units, &id, &data, 1);

    uint8_t row[256];
    const float position[3] = {4, 5, 6}, power = 60;
    ct_world_inspection *n = ct_world_inspect(f.world, units[0], NULL);
    const ct_inspected_component *c = find(n, "transform", 0);
    memcpy(row, c->row, c->row_bytes);
    put(row, c, "position", position);
    assert_true(ct_world_inspect_set(f.world, units[0], c->type, c->instance, row, &error));
    c = find(n, "engine", 0);
    memcpy(row, c->row, c->row_bytes);
    put(row, c, "power", &power);
    assert_true(ct_world_inspect_set(f.world, units[0], c->type, c->instance, row, &error));
    const float not_a_rotation[4] = {0};
    c = find(n, "transform", 0);
    memcpy(row, c->row, c->row_bytes);
    put(row, c, "rotation", not_a_rotation);
    assert_false(ct_world_inspect_set(f.world, units[0], c->type, c->instance, row, &error));
    assert_string_equal(error.message, "its rotation is not of length 1");
    assert_false(ct_world_inspect_set(f.world, units[0], "motor", 1, row, &error));
    assert_string_equal(error.message, "there is no component \"motor\"");
    ct_world_inspection_free(n);

    n = ct_world_inspect(f.world, units[0], NULL);
    assert_true(number(find(n, "transform", 0), "position") == 4.0f);
    assert_true(number(find(n, "engine", 0), "power") == 60.0f);
    ct_world_inspection_free(n);
    // It is still linked.
    const ct_transform parent = ct_transform_parent(m, ct_transform_lookup(m, units[0]));
    assert_int_equal(ct_transform_entity(m, parent).id, units[1].id);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_components_of_all_kinds),
                                       cmocka_unit_test(sets_fields_and_leaves_others)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
