// Saved nodes of scene graphs: their parents, also when the unit has other nodes by now, and what is attached
// to them.
#include "world/world_fixture.h"

#include "world/save/save_fixture.h"

enum { NUM_NODES = 3 };

// A row of bytes of the kind "scene_graph".
typedef struct saved_node {
    uint32_t name, parent, parent_name;
    float position[3], rotation[4], scale[3];
} saved_node;

// A chain of nodes n1, n2, n3.
static const template_entity mast[] = {{.parent = CT_NO_PARENT, .num_nodes = NUM_NODES}};

static world_fixture start(void) {
    world_fixture f = start_world();
    load_unit(&f, "mast", mast, 1);
    return f;
}

static ct_scene_graph graph_of(const world_fixture *f, ct_entity e) {
    return ct_scene_graph_lookup(ct_world_scene_graphs(f->world), e);
}

static void link_node(const world_fixture *f, ct_entity e, uint32_t node, uint32_t parent) {
    assert_true(ct_scene_graph_link(ct_world_scene_graphs(f->world), graph_of(f, e), node, parent));
}

static void assert_parents(const world_fixture *f, ct_entity e, uint32_t first, uint32_t second,
                           uint32_t third) {
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(f->world);
    assert_int_equal(ct_scene_graph_parent(m, graph_of(f, e), 1), first);
    assert_int_equal(ct_scene_graph_parent(m, graph_of(f, e), 2), second);
    assert_int_equal(ct_scene_graph_parent(m, graph_of(f, e), 3), third);
}

// The saved nodes of the only unit.
static saved_node *nodes_of(const ct_byte_array *bytes) {
    const ct_saved_world *const w = (const ct_saved_world *)(const void *)bytes->items;
    const ct_saved_type *const types = ct_saved_at(w, &w->types);
    for (uint64_t i = 0; i < w->types.count; ++i) {
        if (strcmp(ct_saved_text(w, types[i].name), "scene_graph") != 0)
            continue;
        assert_int_equal(types[i].rows.count, 1);
        assert_true(types[i].bytes.count >= NUM_NODES * sizeof(saved_node));
        return (saved_node *)(void *)(bytes->items + types[i].bytes.offset);
    }
    fail_msg("the save has no nodes");
    return NULL;
}

static void parents_of_nodes_come_back(void **state) {
    (void)state;
    world_fixture f = start();
    const ct_entity unit = spawn_at(&f, "mast", 0, 0, 0);
    ct_byte_array chain = save(&f);
    link_node(&f, unit, 2, 0);
    link_node(&f, unit, 3, 0);
    link_node(&f, unit, 1, 3);
    link_node(&f, unit, 3, 2);
    ct_byte_array saved = save(&f);
    load(&f, &chain);
    assert_string_equal(problems, "");
    assert_parents(&f, unit, 0, 1, 2);
    assert_same(&f, &chain);
    load(&f, &saved); // n1 will be below n3, which is below it now
    assert_string_equal(problems, "");
    assert_parents(&f, unit, 3, 0, 2);
    assert_same(&f, &saved);
    ct_array_free(&chain);
    ct_array_free(&saved);
    stop_world(&f);
}

// As after a change of the unit: the save has n3, n1, n2.
static void parents_are_found_by_name_among_other_nodes(void **state) {
    (void)state;
    world_fixture f = start();
    const ct_entity unit = spawn_at(&f, "mast", 0, 0, 0);
    link_node(&f, unit, 3, 1);
    ct_byte_array saved = save(&f);
    saved_node *const nodes = nodes_of(&saved), last = nodes[2];
    nodes[2] = nodes[1];
    nodes[1] = nodes[0];
    nodes[0] = last;
    nodes[0].parent = nodes[2].parent = 2; // n1
    link_node(&f, unit, 3, 2);
    link_node(&f, unit, 2, 0);
    load(&f, &saved);
    assert_string_equal(problems, "");
    assert_parents(&f, unit, 0, 1, 1);
    ct_array_free(&saved);
    stop_world(&f);
}

static void missing_nodes_and_parents_are_named(void **state) {
    (void)state;
    world_fixture f = start();
    const ct_entity unit = spawn_at(&f, "mast", 0, 0, 0);
    ct_byte_array saved = save(&f);
    saved_node *const nodes = nodes_of(&saved);
    nodes[1].name = nodes[2].parent_name = 5; // n2 has gone
    nodes[2].position[0] = 4;
    load(&f, &saved);
    assert_non_null(strstr(problems, "2 of its saved nodes, or their parents, are not there"));
    assert_parents(&f, unit, 0, 1, 2);
    assert_true(
        ct_scene_graph_local_position(ct_world_scene_graphs(f.world), graph_of(&f, unit), 3).x ==
        4);
    ct_array_free(&saved);
    stop_world(&f);
}

static void attached_units_come_back_to_their_node(void **state) {
    (void)state;
    world_fixture f = start();
    ct_scene_graph_manager *const m = ct_world_scene_graphs(f.world);
    const ct_entity unit = spawn_at(&f, "mast", 0, 0, 0), flag = spawn_at(&f, "mast", 1, 0, 0);
    assert_true(ct_scene_graph_attach(m, flag, graph_of(&f, unit), 2));
    ct_byte_array saved = save(&f);
    assert_true(ct_scene_graph_attach(m, flag, graph_of(&f, unit), 3));
    load(&f, &saved);
    assert_string_equal(problems, "");
    assert_int_equal(ct_scene_graph_attached_to(m, flag), 2);
    ct_world_destroy_units(f.world, &flag, 1);
    load(&f, &saved);
    assert_string_equal(problems, "");
    assert_int_equal(ct_scene_graph_attached_to(m, loaded_units[1]), 2);
    assert_same(&f, &saved);
    ct_array_free(&saved);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_of_nodes_come_back),
        cmocka_unit_test(parents_are_found_by_name_among_other_nodes),
        cmocka_unit_test(missing_nodes_and_parents_are_named),
        cmocka_unit_test(attached_units_come_back_to_their_node),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
