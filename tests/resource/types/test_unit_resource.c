#include "resource/types/unit_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_unit_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_unit(w);
    return (resource *)(void *)w->bytes.items;
}

static ct_component_instances *types_of(resource *b) {
    return ITEM(ct_component_instances, b, b->entities.component_types, 0);
}

static void accepts_units_with_unknown_components(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_unit_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_a_unit_without_entities(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->entities.num_entities = 0;
    b->entities.parents = (ct_blob_array){0, 0};
    assert_refused(ct_unit_validate, b, "the unit has no entities");
    ct_blob_writer_free(&w);
}

static void refuses_parents_that_come_after_their_children(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    *ITEM(uint32_t, b, b->entities.parents, 1) = 1;
    assert_refused(ct_unit_validate, b, "parents[1]: found 1, expected an earlier entity");
    *ITEM(uint32_t, b, b->entities.parents, 1) = 2;
    assert_refused(ct_unit_validate, b, "parents[1]: found 2");
    ct_blob_writer_free(&w);
}

static void refuses_a_second_root(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    *ITEM(uint32_t, b, b->entities.parents, 2) = CT_NO_PARENT;
    assert_refused(ct_unit_validate, b, "parents[2]: found 4294967295, expected an earlier entity");
    ct_blob_writer_free(&w);
}

static void refuses_a_root_with_a_parent(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    *ITEM(uint32_t, b, b->entities.parents, 0) = 0;
    assert_refused(ct_unit_validate, b,
                   "parents[0]: found 0, expected an earlier entity or no parent");
    ct_blob_writer_free(&w);
}

static void refuses_parents_that_are_too_few(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->entities.parents.count = 2;
    assert_refused(ct_unit_validate, b, "parents: found 2, expected 3");
    ct_blob_writer_free(&w);
}

static void refuses_owners_that_are_no_entities(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_component_instances *const c = types_of(b);
    *ITEM(uint32_t, b, c[2].entity_index, 0) = 3;
    assert_refused(ct_unit_validate, b,
                   "component_types[2].entity_index[0]: found 3, but there are only 3 entities");
    ct_blob_writer_free(&w);
}

static void refuses_owners_of_unknown_components_too(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_component_instances *const c = types_of(b);
    *ITEM(uint32_t, b, c[3].entity_index, 0) = 3;
    assert_refused(ct_unit_validate, b, "component_types[3].entity_index[0]: found 3");
    ct_blob_writer_free(&w);
}

static void refuses_nodes_before_their_parents(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_scene_graph_node_data, b, types_of(b)[1].data, 1)->parent = 2;
    assert_refused(ct_unit_validate, b,
                   "component_types[1].data[1]: found parent 2, expected a number below 2");
    ITEM(ct_scene_graph_node_data, b, types_of(b)[1].data, 1)->parent = 1;
    *ITEM(uint32_t, b, types_of(b)[1].entity_index, 0) = 1; // two graphs of one node
    assert_refused(ct_unit_validate, b,
                   "component_types[1].data[1]: found parent 1, expected a number below 1");
    ct_blob_writer_free(&w);
}

static void refuses_scene_graphs_in_pieces(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    *ITEM(uint32_t, b, types_of(b)[1].entity_index, 1) = 0;
    assert_refused(ct_unit_validate, b, "component_types[1].entity_index[1]: found 0 after 2");
    ct_blob_writer_free(&w);
}

static void refuses_known_components_of_another_size(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    types_of(b)[0].instance_bytes = 36;
    assert_refused(ct_unit_validate, b,
                   "component_types[0]: found 36 bytes for each transform, expected 40");
    ct_blob_writer_free(&w);
}

static void refuses_counts_that_differ(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    types_of(b)[0].ids.count = 2;
    assert_refused(ct_unit_validate, b, "component_types[0]: found 3 owners, 2 ids, 0 offsets");
    types_of(b)[0].ids.count = 3;
    types_of(b)[3].data.count = 2;
    assert_refused(ct_unit_validate, b,
                   "component_types[3]: found data for 2 instances, expected 1");
    ct_blob_writer_free(&w);
}

static void refuses_instances_of_varying_size_that_lie_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_component_instances *const varying = &types_of(b)[4];
    uint32_t *const offsets = ITEM(uint32_t, b, varying->offsets, 0);
    varying->offsets.count = 2;
    assert_refused(ct_unit_validate, b, "component_types[4]: found 24 bytes, expected 8");
    varying->data.count = 8;
    assert_refused(ct_unit_validate, b,
                   "component_types[4]: found data for 1 instances, expected 2");
    varying->data.count = 24;
    const ct_blob_array ends = varying->offsets;
    varying->offsets = (ct_blob_array){0, 0};
    assert_refused(ct_unit_validate, b, "component_types[4].offsets: the array is empty");
    varying->offsets = (ct_blob_array){ends.offset, 3};
    offsets[1] = 12;
    assert_refused(ct_unit_validate, b, "component_types[4].offsets[1]: found 12 after 0");
    offsets[1] = 32;
    assert_refused(ct_unit_validate, b, "component_types[4].offsets[2]: found 24 after 32");
    offsets[1] = 8;
    offsets[0] = 8;
    assert_refused(ct_unit_validate, b, "component_types[4].offsets[0]: found 8 after 0");
    offsets[0] = 0;
    varying->data.count = 32;
    assert_refused(ct_unit_validate, b, "component_types[4]: found 32 bytes, expected 24");
    varying->data.count = 24;
    varying->data.offset += 4;
    assert_refused(ct_unit_validate, b, "component_types[4]");
    varying->data.offset -= 4;
    assert_accepted(ct_unit_validate, b);
    types_of(b)[3].offsets = varying->offsets;
    assert_refused(ct_unit_validate, b, "component_types[3]: found 1 owners");
    types_of(b)[3].offsets = (ct_blob_array){0};
    varying->type = ct_string_id32_of("light"); // whose size does not vary
    assert_refused(ct_unit_validate, b, "component_types[4]: found 0 bytes for each light");
    ct_blob_writer_free(&w);
}

static void refuses_indices_of_data_that_is_not_there(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_component_instances *const shared = &types_of(b)[5];
    uint32_t *const data_index = ITEM(uint32_t, b, shared->data_index, 0);
    data_index[1] = 1;
    assert_refused(ct_unit_validate, b,
                   "component_types[5].data_index[1]: found 1, but there are only 1 data");
    data_index[1] = 0;
    shared->data_index.count = 1;
    assert_refused(ct_unit_validate, b,
                   "component_types[5].data_index: found 1 for 1 data, expected 2");
    const uint32_t index_at = shared->data_index.offset;
    shared->data_index = (ct_blob_array){0, 0};
    assert_refused(ct_unit_validate, b,
                   "component_types[5]: found data for 1 instances, expected 2");
    shared->data_index = (ct_blob_array){index_at + 2, 2};
    assert_refused(ct_unit_validate, b, "component_types[5].data_index: at offset");
    shared->data_index.offset -= 2;
    assert_accepted(ct_unit_validate, b);
    types_of(b)[0].data_index = types_of(b)[0].entity_index;
    assert_refused(ct_unit_validate, b,
                   "component_types[0].data_index: found 3 of transform, expected 0, as each "
                   "instance has its own");
    ct_blob_writer_free(&w);
}

static void refuses_actors_and_triggers_that_are_invalid(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_actor_data *const actor = ITEM(ct_actor_data, b, types_of(b)[6].data, 0);
    ct_trigger_data *const trigger = ITEM(ct_trigger_data, b, types_of(b)[7].data, 0);
    actor->num_shapes = 3;
    assert_refused(ct_unit_validate, b, "component_types[6].data[0]: 3 shapes do not take 128");
    actor->num_shapes = 2;
    actor->given = 1u << 31;
    assert_refused(ct_unit_validate, b, "component_types[6].data[0]: actor.given: found 80000000");
    actor->given = 0;
    trigger->num_shapes = UINT32_MAX;
    assert_refused(ct_unit_validate, b, "component_types[7].data[0]: found 4294967295 shapes");
    trigger->num_shapes = 1;
    assert_accepted(ct_unit_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_data_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    types_of(b)[3].instance_bytes = 0x10000000;
    assert_refused(ct_unit_validate, b, "component_types[3].data: 1 of 268435456 bytes");
    ct_blob_writer_free(&w);
}

static void refuses_owners_out_of_order(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    *ITEM(uint32_t, b, types_of(b)[4].entity_index, 1) = 1;
    assert_refused(ct_unit_validate, b, "component_types[4].entity_index[1]: found 1 after 2");
    *ITEM(uint32_t, b, types_of(b)[4].entity_index, 1) = 2;
    *ITEM(uint32_t, b, types_of(b)[0].entity_index, 1) = 0;
    assert_refused(ct_unit_validate, b,
                   "component_types[0].entity_index[1]: entity 0 has two transforms");
    ct_blob_writer_free(&w);
}

static void refuses_components_twice_or_out_of_order(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    types_of(b)[3].type = ct_string_id32_of("transform");
    assert_refused(ct_unit_validate, b,
                   "component_types[3]: transform is listed twice or out of spawn order");
    ct_blob_writer_free(&w);
}

static void refuses_poses_that_are_not_numbers(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_transform_data *const poses = ITEM(ct_transform_data, b, types_of(b)[0].data, 0);
    poses[1].position[2] = NAN;
    assert_refused(ct_unit_validate, b,
                   "component_types[0].data[1]: transform.position: number 2 is not finite");
    poses[1].position[2] = 0;
    poses[2].rotation[3] = 0;
    assert_refused(
        ct_unit_validate, b,
        "component_types[0].data[2]: transform.rotation: the rotation's length is not 1");
    poses[2].rotation[3] = 1;
    poses[0].scale[0] = INFINITY;
    assert_refused(ct_unit_validate, b,
                   "component_types[0].data[0]: transform.scale: number 0 is not finite");
    ct_blob_writer_free(&w);
}

static void refuses_flags_that_are_neither(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_mesh_data, b, types_of(b)[2].data, 0)->is_visible = 2;
    assert_refused(ct_unit_validate, b, "component_types[2].data[0]: mesh.is_visible: found 2");
    ct_blob_writer_free(&w);
}

// --- Levels --------------------------------------------------------------------------------------

static ct_level_resource *make_level(ct_blob_writer *w) {
    write_level(w);
    return (ct_level_resource *)(void *)w->bytes.items;
}

static void accepts_levels_with_many_roots_or_none(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_level_resource *const b = make_level(&w);
    assert_accepted(ct_level_validate, b);
    *ITEM(uint32_t, b, b->entities.parents, 1) = CT_NO_PARENT;
    assert_accepted(ct_level_validate, b);
    b->entities = (ct_entity_template){0};
    b->units = (ct_blob_array){0};
    assert_accepted(ct_level_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_placed_units_that_are_no_roots(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_level_resource *const b = make_level(&w);
    ITEM(ct_level_unit, b, b->units, 0)->root = 1;
    assert_refused(ct_level_validate, b, "units[0]: entity 1 is not a root");
    ITEM(ct_level_unit, b, b->units, 0)->root = 3;
    assert_refused(ct_level_validate, b, "units[0]: entity 3 is not a root");
    *ITEM(uint32_t, b, b->entities.parents, 1) = CT_NO_PARENT;
    *ITEM(uint32_t, b, b->entities.parents, 2) = 0;
    assert_refused(ct_level_validate, b, "parents[2]: found 0, which is before the last root, 1");
    ct_blob_writer_free(&w);
}

static void refuses_levels_with_damaged_templates(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_level_resource *const b = make_level(&w);
    *ITEM(uint32_t, b, b->entities.parents, 2) = 2;
    assert_refused(ct_level_validate, b,
                   "parents[2]: found 2, expected an earlier entity or no parent");
    ct_blob_writer_free(&w);
}

static void children_have_no_layer(void **state) {
    (void)state;
    const ct_schema *const child = ct_schema_find(&ct_unit_schema, "children")->schema;
    const ct_schema *const placed = ct_schema_find(&ct_level_schema, "units")->schema;
    assert_null(ct_schema_find(child, "layer"));
    assert_non_null(ct_schema_find(placed, "layer"));
    assert_int_equal(placed->size_bytes, sizeof(ct_unit_child_source));
}

// Poses are copied from one to the other by name.
static void placed_poses_are_like_transforms(void **state) {
    (void)state;
    const ct_schema *const transform = ct_component_type_named("transform")->schema;
    const ct_schema *const placed = ct_schema_find(&ct_level_schema, "units")->schema;
    for (uint32_t i = 0; i < transform->num_fields; ++i) {
        const ct_field *const field = &transform->fields[i];
        const ct_field *const same = ct_schema_find(placed, field->name);
        assert_non_null(same);
        assert_int_equal(same->type, field->type);
        assert_int_equal(same->size_bytes, field->size_bytes);
        assert_memory_equal(same->default_value, field->default_value,
                            sizeof(field->default_value));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_units_with_unknown_components),
        cmocka_unit_test(refuses_a_unit_without_entities),
        cmocka_unit_test(refuses_parents_that_come_after_their_children),
        cmocka_unit_test(refuses_a_second_root),
        cmocka_unit_test(refuses_a_root_with_a_parent),
        cmocka_unit_test(refuses_parents_that_are_too_few),
        cmocka_unit_test(refuses_owners_that_are_no_entities),
        cmocka_unit_test(refuses_owners_of_unknown_components_too),
        cmocka_unit_test(refuses_nodes_before_their_parents),
        cmocka_unit_test(refuses_scene_graphs_in_pieces),
        cmocka_unit_test(refuses_known_components_of_another_size),
        cmocka_unit_test(refuses_counts_that_differ),
        cmocka_unit_test(refuses_instances_of_varying_size_that_lie_wrong),
        cmocka_unit_test(refuses_indices_of_data_that_is_not_there),
        cmocka_unit_test(refuses_actors_and_triggers_that_are_invalid),
        cmocka_unit_test(refuses_data_outside_the_blob),
        cmocka_unit_test(refuses_owners_out_of_order),
        cmocka_unit_test(refuses_components_twice_or_out_of_order),
        cmocka_unit_test(refuses_poses_that_are_not_numbers),
        cmocka_unit_test(refuses_flags_that_are_neither),
        cmocka_unit_test(accepts_levels_with_many_roots_or_none),
        cmocka_unit_test(refuses_placed_units_that_are_no_roots),
        cmocka_unit_test(refuses_levels_with_damaged_templates),
        cmocka_unit_test(children_have_no_layer),
        cmocka_unit_test(placed_poses_are_like_transforms),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
