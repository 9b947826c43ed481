// Scene graphs in units: merged by id, sorted, checked.
#include "compiler/types/unit/template_support.h"
#include "foundation/string/string_builder.h"

#define CAR                                                                                        \
    "components = [\n"                                                                             \
    "  { id = \"t\" type = \"transform\" }\n"                                                      \
    "  { id = \"m\" type = \"mesh\" mesh = \"wheel\" node = \"wheel\" }\n"                         \
    "  { id = \"g\" type = \"scene_graph\" nodes = [\n"                                            \
    "    { id = \"1\" name = \"wheel\" parent = \"axle\" position = [1 0 0] }\n"                   \
    "    { id = \"2\" name = \"body\" scale = [2 2 2] }\n"                                         \
    "    { id = \"3\" name = \"axle\" parent = \"body\" position = [0 1 0] } ] }\n"                \
    "]\n"

static ct_compile_answer compile_unit(const char *project, const char *text) {
    write_text(project, "x.unit", text);
    return compile_file(project, "unit", "x");
}

// A unit of one scene graph with these nodes, from line 2 on.
static ct_compile_answer compile_nodes(const char *nodes) {
    char text[2048];
    snprintf(text, sizeof(text),
             "components = [ { id = \"g\" type = \"scene_graph\" nodes = [\n%s ] } ]", nodes);
    return compile_unit(test_scratch_folder(), text);
}

static ct_compile_answer compile_over_car(const char *text) {
    const char *const project = test_scratch_folder();
    write_text(project, "car.unit", CAR);
    return compile_unit(project, text);
}

// Node `number`, from 1, of all graphs of the blob.
static const ct_scene_graph_node_data *node_of(const ct_unit_resource *unit, uint32_t number) {
    return data_of(unit, &unit->entities, "scene_graph", number - 1);
}

static void expect_node(const ct_unit_resource *unit, uint32_t number, const char *name,
                        uint32_t parent) {
    const ct_scene_graph_node_data *const node = node_of(unit, number);
    assert_int_equal(node->name.value, ct_string_id32_of(name).value);
    assert_int_equal(node->parent, parent);
}

// --- Order ---------------------------------------------------------------------------------------

static void sorts_parents_before_children(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(test_scratch_folder(), CAR);
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "scene_graph"), 3);
    expect_node(unit, 1, "body", 0);
    expect_node(unit, 2, "axle", 1);
    expect_node(unit, 3, "wheel", 2);
    assert_int_equal(node_of(unit, 2)->parent_name.value, ct_string_id32_of("body").value);
    expect_vector3(node_of(unit, 1)->scale, 2, 2, 2);
    expect_vector3(node_of(unit, 3)->position, 1, 0, 0);
    assert_float_equal(node_of(unit, 3)->rotation[3], 1, 0);
    const ct_mesh_data *const mesh = data_of(unit, &unit->entities, "mesh", 0);
    assert_int_equal(mesh->node.value, ct_string_id32_of("wheel").value);
    ct_compile_answer_free(&answer);
}

static void keeps_siblings_in_the_order_of_the_source(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("{ id = \"1\" name = \"b\" parent = \"root_point\" }\n"
                                             "{ id = \"2\" name = \"b2\" parent = \"b\" }\n"
                                             "{ id = \"3\" name = \"a\" parent = \"\" }\n"
                                             "{ id = \"4\" name = \"b1\" parent = \"b\" }\n");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    expect_node(unit, 1, "b", 0);
    expect_node(unit, 2, "b2", 1);
    expect_node(unit, 3, "b1", 1);
    expect_node(unit, 4, "a", 0);
    assert_int_equal(node_of(unit, 1)->parent_name.value, 0);
    ct_compile_answer_free(&answer);
}

static void each_placed_unit_has_its_own_graph(void **state) {
    (void)state;
    ct_compile_answer answer = compile_over_car("children = [ { id = \"a\" unit = \"car\" }\n"
                                                "{ id = \"b\" unit = \"car\" } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "scene_graph"), 6);
    expect_node(unit, 4, "body", 0);
    expect_node(unit, 6, "wheel", 2);
    assert_int_equal(owner_of(unit, &unit->entities, "scene_graph", 2), 1);
    assert_int_equal(owner_of(unit, &unit->entities, "scene_graph", 3), 2);
    ct_compile_answer_free(&answer);
}

// --- Inheritance and overrides -------------------------------------------------------------------

static void inherits_changes_removes_and_adds_nodes(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_over_car("inherit = \"car\" components = [ { id = \"g\" nodes = [\n"
                         "{ id = \"1\" parent = \"body\" position = [5 0 0] }\n"
                         "{ id = \"3\" removed = true }\n"
                         "{ id = \"4\" name = \"lamp\" parent = \"wheel\" } ] } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "scene_graph"), 3);
    expect_node(unit, 1, "body", 0);
    expect_node(unit, 2, "wheel", 1);
    expect_node(unit, 3, "lamp", 2);
    expect_vector3(node_of(unit, 2)->position, 5, 0, 0);
    ct_compile_answer_free(&answer);
}

static void overrides_nodes_of_one_placed_unit_only(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_over_car("children = [ { id = \"a\" unit = \"car\" overrides = [ { id = \"g\"\n"
                         "nodes = [ { id = \"2\" position = [0 0 3] } ] } ] }\n"
                         "{ id = \"b\" unit = \"car\" } ]");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    expect_vector3(node_of(unit, 1)->position, 0, 0, 3);
    expect_vector3(node_of(unit, 1)->scale, 2, 2, 2);
    expect_vector3(node_of(unit, 4)->position, 0, 0, 0);
    ct_compile_answer_free(&answer);
}

static void refuses_new_nodes_where_a_unit_is_placed(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_over_car("children = [ { id = \"a\" unit = \"car\" overrides = [ { id = \"g\"\n"
                         "nodes = [ { id = \"9\" name = \"n\" } ] } ] } ]");
    expect_error(&answer, "x.unit", 2, 13, "there is no node with the id \"9\" here");
}

static void refuses_to_remove_nodes_that_others_hang_on(void **state) {
    (void)state;
    ct_compile_answer answer = compile_over_car("inherit = \"car\" components = [ { id = \"g\"\n"
                                                "nodes = [ { id = \"3\" removed = true } ] } ]");
    expect_error(&answer, "car.unit", 5, 31, "there is no node \"axle\"");
}

static void refuses_to_remove_nodes_that_components_are_on(void **state) {
    (void)state;
    ct_compile_answer answer = compile_over_car("inherit = \"car\" components = [ { id = \"g\"\n"
                                                "nodes = [ { id = \"1\" removed = true } ] } ]");
    expect_error(&answer, "car.unit", 3, 43, "there is no node \"wheel\"");
}

// --- Mistakes ------------------------------------------------------------------------------------

static void guesses_which_parent_was_meant(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("{ id = \"1\" name = \"body\" }\n"
                                             "{ id = \"2\" name = \"arm\" parent = \"bdoy\" }");
    expect_error(&answer, "x.unit", 3, 25, "there is no node \"bdoy\"; did you mean \"body\"?");
}

static void guesses_which_node_was_meant(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [\n"
                                            "{ id = \"c\" type = \"camera\" node = \"haed\" }\n"
                                            "{ id = \"g\" type = \"scene_graph\"\n"
                                            "  nodes = [ { id = \"1\" name = \"head\" } ] } ]");
    expect_error(&answer, "x.unit", 2, 28, "there is no node \"haed\"; did you mean \"head\"?");
}

static void refuses_a_node_without_scene_graph(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        test_scratch_folder(), "components = [\n{ id = \"l\" type = \"light\" node = \"head\" } ]");
    expect_error(&answer, "x.unit", 2, 27, "\"head\": the unit has no scene graph");
}

static void the_root_needs_no_scene_graph(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [ { id = \"l\" type = \"light\" "
                                            "node = \"root_point\" } ]");
    const ct_unit_resource *unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "light"), 1);
    ct_compile_answer_free(&answer);
}

static void refuses_a_name_twice(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_nodes("{ id = \"1\" name = \"a\" }\n{ id = \"2\" name = \"a\" }");
    expect_error(&answer, "x.unit", 3, 12, "two nodes are named \"a\"");
}

static void refuses_nodes_without_name(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("{ id = \"1\" }");
    expect_error(&answer, "x.unit", 2, 1, "this node needs a `name`");
    answer = compile_nodes("{ id = \"1\" name = \"\" }");
    expect_error(&answer, "x.unit", 2, 12, "\"\" is the name of the unit's root");
    answer = compile_nodes("{ id = \"1\" name = \"root_point\" }");
    expect_error(&answer, "x.unit", 2, 12, "\"root_point\" is the name of the unit's root");
}

static void refuses_nodes_without_id(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("{ name = \"a\" }");
    expect_error(&answer, "x.unit", 2, 1, "this node needs an `id`");
}

static void refuses_an_id_twice(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_nodes("{ id = \"1\" name = \"a\" }\n{ id = \"1\" name = \"b\" }");
    expect_error(&answer, "x.unit", 3, 3, "the id \"1\" is used twice here; every node");
}

static void refuses_types_of_nodes(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("{ id = \"1\" name = \"a\"\ntype = \"mesh\" }");
    expect_error(&answer, "x.unit", 3, 1, "node.type: unknown member");
}

static void refuses_what_is_no_node(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("12");
    expect_error(&answer, "x.unit", 2, 1, "found a number, expected");
    answer = compile_nodes("{ id = \"1\" name = \"a\" postion = [0 0 0] }");
    expect_error(&answer, "x.unit", 2, 23, "did you mean \"position\"?");
    answer = compile_nodes("{ id = \"1\" name = 3 }");
    expect_error(&answer, "x.unit", 2, 12, "node.name: found a number, expected a string");
}

static void prints_a_circle(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("{ id = \"0\" name = \"z\" parent = \"a\" }\n"
                                             "{ id = \"1\" name = \"a\" parent = \"b\" }\n"
                                             "{ id = \"2\" name = \"b\" parent = \"c\" }\n"
                                             "{ id = \"3\" name = \"c\" parent = \"a\" }\n");
    expect_error(&answer, "x.unit", 3, 23, "nodes form a circle: \"a\" on \"b\" on \"c\" on \"a\"");
}

static void refuses_a_node_that_hangs_on_itself(void **state) {
    (void)state;
    ct_compile_answer answer = compile_nodes("{ id = \"1\" name = \"a\" parent = \"a\" }");
    expect_error(&answer, "x.unit", 2, 23, "nodes form a circle: \"a\" on \"a\"");
}

static ct_compile_answer compile_many(uint32_t count) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "components = [ { id = \"g\" type = \"scene_graph\" nodes = [\n");
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_builder_addf(&text, "{ id = \"%u\" name = \"n%u\"", i, i);
        if (i)
            ct_string_builder_addf(&text, " parent = \"n%u\"", i - 1);
        ct_string_builder_add(&text, " }\n");
    }
    ct_string_builder_add(&text, "] } ]");
    const ct_compile_answer answer =
        compile_unit(test_scratch_folder(), ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    return answer;
}

static void refuses_too_many_nodes(void **state) {
    (void)state;
    ct_compile_answer answer = compile_many(CT_SCENE_GRAPH_MAX_NODES + 1);
    expect_error(&answer, "x.unit", 1, 16, "found 16385 nodes, expected at most 16384");
}

static void compiles_as_many_as_allowed_and_as_deep(void **state) {
    (void)state;
    ct_compile_answer answer = compile_many(CT_SCENE_GRAPH_MAX_NODES);
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    expect_node(unit, CT_SCENE_GRAPH_MAX_NODES, "n16383", CT_SCENE_GRAPH_MAX_NODES - 1);
    ct_compile_answer_free(&answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_parents_before_children),
        cmocka_unit_test(keeps_siblings_in_the_order_of_the_source),
        cmocka_unit_test(each_placed_unit_has_its_own_graph),
        cmocka_unit_test(inherits_changes_removes_and_adds_nodes),
        cmocka_unit_test(overrides_nodes_of_one_placed_unit_only),
        cmocka_unit_test(refuses_new_nodes_where_a_unit_is_placed),
        cmocka_unit_test(refuses_to_remove_nodes_that_others_hang_on),
        cmocka_unit_test(refuses_to_remove_nodes_that_components_are_on),
        cmocka_unit_test(guesses_which_parent_was_meant),
        cmocka_unit_test(guesses_which_node_was_meant),
        cmocka_unit_test(refuses_a_node_without_scene_graph),
        cmocka_unit_test(the_root_needs_no_scene_graph),
        cmocka_unit_test(refuses_a_name_twice),
        cmocka_unit_test(refuses_nodes_without_name),
        cmocka_unit_test(refuses_nodes_without_id),
        cmocka_unit_test(refuses_an_id_twice),
        cmocka_unit_test(refuses_types_of_nodes),
        cmocka_unit_test(refuses_what_is_no_node),
        cmocka_unit_test(prints_a_circle),
        cmocka_unit_test(refuses_a_node_that_hangs_on_itself),
        cmocka_unit_test(refuses_too_many_nodes),
        cmocka_unit_test(compiles_as_many_as_allowed_and_as_deep),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
