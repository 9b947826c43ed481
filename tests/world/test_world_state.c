// The hash of what a world's entities are like: the same for the same, however it came about.
#include "world/world_fixture.h"

static const ct_field engine_fields[] = {{.name = "power",
                                          .type = CT_FIELD_TYPE_FLOAT,
                                          .size_bytes = sizeof(float),
                                          .doc = "Power.",
                                          .default_value = {75}}};
static const ct_schema engine_schema = {.name = "engine",
                                        .doc = "An engine.",
                                        .size_bytes = sizeof(float),
                                        .num_fields = 1,
                                        .fields = engine_fields,
                                        .identity =
                                            CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static const template_entity crate[] = {
    {.parent = CT_NO_PARENT, .num_meshes = 1, .num_nodes = 3},
    {.parent = 0, .position = {{1, 0, 0}}},
};

static world_fixture start_with_crates(void) {
    world_fixture f = start_world();
    ct_error error = {0};
    num_registered_instances = 1;
    const ct_component_table_desc engine = {.schema = &engine_schema};
    if (!ct_world_system_register_component(f.system, &engine, &error))
        fail_msg("%s", error.message);
    load_unit(&f, "units/crate", crate, CT_COUNT_OF(crate));
    return f;
}

static void each_part_of_the_state_counts(void **state) {
    (void)state;
    world_fixture f = start_with_crates();
    assert_int_equal(ct_world_state_hash(f.world), 0);
    const ct_entity unit = spawn_at(&f, "units/crate", 1, 2, 3);
    uint64_t hashes[32];
    uint32_t count = 0;
    ct_transform_manager *const transforms = ct_world_transforms(f.world);
    hashes[count++] = ct_world_state_hash(f.world);

    ct_transform_set_local_position(transforms, transform_of(f.world, unit), (ct_vec3){{1, 2, 4}});
    hashes[count++] = ct_world_state_hash(f.world);

    ct_transform_unlink(transforms, transform_of(f.world, child_of(f.world, unit, 0)));
    hashes[count++] = ct_world_state_hash(f.world);

    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(f.world);
    for (uint32_t node = 1; node <= 3; ++node) {
        ct_scene_graph_set_local_position(graphs, ct_scene_graph_lookup(graphs, unit), node,
                                          (ct_vec3){{0, 9, 0}});
        hashes[count++] = ct_world_state_hash(f.world);
    }

    ct_tag_add(ct_world_system_tags(f.system), &unit, 1, ct_string_id32_of("red"));
    hashes[count++] = ct_world_state_hash(f.world);
    ct_tag_add(ct_world_system_tags(f.system), &unit, 1, ct_string_id32_of("blue"));
    hashes[count++] = ct_world_state_hash(f.world);

    ct_data_manager *const data = ct_world_system_data(f.system);
    const ct_data_instance instance = ct_data_create(data, unit, 3);
    const ct_data_value values[] = {ct_data_float(1), ct_data_float(2), ct_data_bool(true),
                                    ct_data_string("a", 1), ct_data_string("b", 1)};
    for (uint32_t i = 0; i < CT_COUNT_OF(values); ++i) {
        ct_data_set(data, instance, (ct_data_key){77}, values[i], NULL);
        hashes[count++] = ct_world_state_hash(f.world);
    }
    ct_data_set(data, instance, (ct_data_key){78}, ct_data_float(0), NULL);
    hashes[count++] = ct_world_state_hash(f.world);

    const ct_component_table *const engines = ct_world_component_table(f.world, "engine");
    ((float *)ct_component_table_column(engines, "power"))[1] = 80;
    hashes[count++] = ct_world_state_hash(f.world);

    spawn_at(&f, "units/crate", 1, 2, 3);
    hashes[count++] = ct_world_state_hash(f.world);

    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < i; ++k)
            assert_true(hashes[i] != hashes[k]);
    }
    assert_true(ct_world_state_hash(f.world) == hashes[count - 1]);
    stop_world(&f);
}

// Brings entities into a state by two ways; in one of them others come and go meanwhile, so that
// managers keep them elsewhere.
static uint64_t hash_after(bool goes_round) {
    world_fixture f = start_with_crates();
    ct_entity units[8];
    for (uint32_t i = 0; i < 8; ++i)
        units[i] = spawn_at(&f, "units/crate", (float)i, 0, 0);
    const ct_scene_graph_node_data nodes[2] = {
        {.name = {1}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
        {.name = {2},
         .parent_name = {1},
         .parent = 1,
         .rotation = {0, 0, 0, 1},
         .scale = {2, 2, 2}}};
    for (uint32_t i = 0; i < 2; ++i) // in the one or the other order
        ct_scene_graph_create(ct_world_scene_graphs(f.world),
                              child_of(f.world, units[goes_round ? i : 1 - i], 0), 1, nodes, 2);
    ct_transform_manager *const transforms = ct_world_transforms(f.world);
    const ct_string_id32 red = ct_string_id32_of("red"), blue = ct_string_id32_of("blue");
    ct_tag_manager *const tags = ct_world_system_tags(f.system);
    ct_data_manager *const data = ct_world_system_data(f.system);
    const ct_data_instance instance = ct_data_create(data, units[2], 1);
    for (uint32_t i = 0; i < 12; ++i) { // more than a slot has room for
        const uint32_t key = goes_round ? 12 - i : i + 1;
        ct_data_set(data, instance, (ct_data_key){key}, ct_data_float((float)key), NULL);
    }
    if (goes_round) {
        ct_world_destroy_units(f.world, &units[0], 1);
        ct_tag_add(tags, &units[5], 1, blue);
        ct_tag_add(tags, &units[3], 2, red);
        ct_tag_remove(tags, &units[5], 1, blue);
        ct_transform_set_local_position(transforms, transform_of(f.world, units[6]),
                                        (ct_vec3){{7, 7, 7}});
        ct_transform_set_local_position(transforms, transform_of(f.world, units[6]),
                                        (ct_vec3){{6, 1, 0}});
        for (uint32_t i = 0; i < 100; ++i)
            ct_world_advance(f.world, 0.1);
    } else {
        ct_tag_add(tags, &units[4], 1, red);
        ct_tag_add(tags, &units[3], 1, red);
        ct_transform_set_local_position(transforms, transform_of(f.world, units[6]),
                                        (ct_vec3){{6, 1, 0}});
        ct_tag_add(tags, &units[0], 1, red); // ends with its entity, at once for the hash
        ct_world_destroy_units(f.world, &units[0], 1);
    }
    const uint64_t hash = ct_world_state_hash(f.world);
    stop_world(&f);
    return hash;
}

static void the_way_does_not_count(void **state) {
    (void)state;
    assert_true(hash_after(false) == hash_after(true));
}

static void other_worlds_do_not_count(void **state) {
    (void)state;
    world_fixture f = start_with_crates();
    const ct_entity unit = spawn_at(&f, "units/crate", 1, 2, 3);
    (void)unit;
    const uint64_t before = ct_world_state_hash(f.world);
    ct_world *const first = f.world;
    f.world = ct_world_create(f.system);
    const ct_entity other = spawn_at(&f, "units/crate", 1, 2, 3);
    ct_tag_add(ct_world_system_tags(f.system), &other, 1, ct_string_id32_of("red"));
    assert_true(ct_world_state_hash(first) == before);
    assert_true(ct_world_state_hash(f.world) != before); // its entities are others
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_of_the_state_counts),
        cmocka_unit_test(the_way_does_not_count),
        cmocka_unit_test(other_worlds_do_not_count),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
