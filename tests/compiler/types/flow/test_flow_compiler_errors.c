#include "compiler/types/flow/flow_compiler_fixture.h"

#include "foundation/container/array.h"

// The head of each source: the nodes that the rows link are in lines 1 and 2.
#define NODES "nodes = [ { id = \"s\" type = \"unit_spawned\" } { id = \"d\" type = \"delay\" }\n"
#define LINKED(from, out, to, in)                                                                  \
    NODES "]\nlinks = [\n { id = \"1\" from = \"" from "\" out = \"" out "\"\n  to = \"" to        \
          "\" in = \"" in "\" } ]"

static void refuse_rows(const char *const rows[][2], uint32_t count, uint32_t line) {
    for (uint32_t i = 0; i < count; ++i)
        flow_refuse(rows[i][0], line, rows[i][1]);
}

static void refuses_nodes(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {NODES "5 ]", "found a number"},
        {NODES "{ type = \"delay\" } ]", "node: found nothing, expected a string `id`"},
        {NODES "{ id = 7 type = \"delay\" } ]", "node: found a number, expected a string `id`"},
        {NODES "{ id = \"\" type = \"delay\" } ]", "found an empty `id`"},
        {NODES "{ id = \"d\" type = \"delay\" } ]", "another node has the id \"d\""},
        {NODES "{ id = \"n\" } ]", "node n: found nothing, expected a string `type`"},
        {NODES "{ id = \"n\" type = 3 } ]", "node n: found a number, expected a string `type`"},
        {NODES "{ id = \"n\" type = \"dealy\" } ]",
         "node n: there is no node type \"dealy\"; did you mean \"delay\"?"},
        {NODES "{ id = \"n\" type = \"zzzzzzzzzzzzzz\" } ]", "`cuttle flow-nodes` lists them"},
        {NODES "{ id = \"n\" type = \"delay\" input = { } } ]", "did you mean \"inputs\"?"},
        {NODES "{ id = \"n\" type = \"delay\" position = [1] } ]", "position"},
        {NODES "{ id = \"n\" type = \"delay\" inputs = 3 } ]",
         "node delay n: inputs: found a number, expected an object"},
        {NODES "{ id = \"n\" type = \"delay\" inputs = { tim = 3 } } ]",
         "node delay n: inputs.tim: the node has no such input; did you mean \"time\"?"},
        {NODES "{ id = \"n\" type = \"delay\" inputs = { in = 3 } } ]",
         "node delay n: inputs.in is an event, which has no value: link it"},
        {NODES "{ id = \"n\" type = \"delay\" inputs = { time = true } } ]",
         "node delay n: inputs.time: found a boolean, expected a number"},
        {NODES "{ id = \"n\" type = \"branch\" inputs = { condition = 1 } } ]",
         "inputs.condition: found a number, expected true or false"},
        {NODES "{ id = \"n\" type = \"vector_length\" inputs = { vector = [1 2] } } ]",
         "inputs.vector: found an array, expected a vector [x y z]"},
        {NODES "{ id = \"n\" type = \"vector_length\" inputs = { vector = [1 2 1e39] } } ]",
         "expected a vector [x y z]"},
        {NODES "{ id = \"n\" type = \"rotate_vector\" inputs = { rotation = [0 0 0 0] } } ]",
         "inputs.rotation"},
        {NODES "{ id = \"n\" type = \"debug_print\" inputs = { text = 5 } } ]",
         "inputs.text: found a number, expected a string"},
        {NODES "{ id = \"n\" type = \"debug_print\" inputs = { text = \"a\\u0000b\" } } ]",
         "inputs.text: found \"a\", expected a string"},
        {NODES "{ id = \"n\" type = \"assert\" inputs = { assert = \"equals\" } } ]",
         "inputs.assert: found \"equals\"; did you mean \"equal\"?"},
        {NODES "{ id = \"n\" type = \"assert\" inputs = { a = { } } } ]",
         "inputs.a: found an object, expected true, false, a number"},
        {NODES "{ id = \"n\" type = \"set_unit_variable\" inputs = { unit = \"x\" } } ]",
         "inputs.unit is a unit, which a source cannot give: link it"},
        {NODES "{ id = \"n\" type = \"level_unit\" } ]",
         "node level_unit n: the input unit is missing; give it in `inputs`"},
        {NODES "{ id = \"n\" type = \"get_numeric_variable\" inputs = { name = \"x\" } } ]",
         "node get_numeric_variable n: the graph has no variable \"x\"; it has none of any name"},
        {NODES
         "{ id = \"n\" type = \"external_in_event\" inputs = { name = \"node_a1e87612\" } } "
         "{ id = \"m\" type = \"external_in_event\" inputs = { name = \"node_ab7114c4\" } } ]",
         "\" have the same 32-bit id: rename one"},
        {NODES "{ id = \"n\" type = \"external_input_numeric\" inputs = { name = \"\" } } ]",
         "its name is empty"},
    };
    refuse_rows(rows, CT_COUNT_OF(rows), 2);
}

static void refuses_links(void **state) {
    (void)state;
    static const char *const from[][2] = {
        {LINKED("q", "out", "d", "in"), "a link names the node \"q\", which does not exist"},
        {LINKED("s", "ou", "d", "in"),
         "node unit_spawned s has no output or event out \"ou\"; did you mean \"out\"?"},
        {LINKED("d", "in", "d", "in"),
         "node delay d has no output or event out \"in\" (it is on the other side)"},
        {LINKED("s", "unit", "d", "in"), "node delay d: in is an event, but unit of node "
                                         "unit_spawned s is a value; link events to events"},
        {LINKED("s", "out", "d", "time"), "node delay d: time is a value, but out of node "
                                          "unit_spawned s is an event"},
        {LINKED("s", "unit", "d", "time"),
         "node delay d: the input time is a number, but the output unit of node unit_spawned s is "
         "a unit; no node converts it"},
    };
    refuse_rows(from, CT_COUNT_OF(from), 4);
    static const char *const to[][2] = {
        {LINKED("s", "out", "e", "in"), "a link names the node \"e\", which does not exist"},
        {LINKED("s", "out", "d", "inn"), "node delay d has no input or event in \"inn\"; did you"},
    };
    refuse_rows(to, CT_COUNT_OF(to), 5);
    flow_refuse(NODES "]\nlinks = [\n{ id = \"1\" from = \"s\" out = \"out\" to = \"d\" } ]", 4,
                "in");
    flow_refuse(NODES "]\nlinks = [\n{ from = \"s\" out = \"out\" to = \"d\" in = \"in\" } ]", 4,
                "link: found nothing, expected a string `id`");
    flow_refuse("nodes = [ { id = \"a\" type = \"counter\" } { id = \"b\" type = \"delay\" } ]\n"
                "links = [ { id = \"1\" from = \"a\" out = \"value\" to = \"b\" in = \"time\" }\n"
                "{ id = \"2\" from = \"a\" out = \"value\" to = \"b\" in = \"time\" } ]",
                3, "node delay b: the input time has another link already; an input has one");
    flow_refuse("nodes = [ { id = \"a\" type = \"numeric_data\" }\n"
                "{ id = \"b\" type = \"numeric_data\" } ]\n"
                "links = [ { id = \"1\" from = \"a\" out = \"value\" to = \"b\" in = \"value\" } ]",
                3,
                "node numeric_data b: the input value is part of the graph and cannot be linked");
}

static void reports_only_the_cause_of_a_node_that_cannot_be_read(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "g.flow",
                      "nodes = [ { id = \"s\" type = \"unit_spawned\" }\n"
                      "{ id = \"d\" type = \"dely\" } ]\nlinks = [\n"
                      "{ id = \"1\" from = \"s\" out = \"out\" to = \"d\" in = \"in\" } ]");
    compile_case_run(&t, "flow", "g");
    assert_int_equal(t.answer.errors.count, 1);
    compile_case_expect(&t, "g.flow", 2, "node d: there is no node type \"dely\"");
    compile_case_free(&t);
}

static void warns_of_links_that_are_there_twice(void **state) {
    (void)state;
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, NODES "]\nlinks = [ { id = \"1\" from = \"s\" out = \"out\" to = \"d\" in = \"in\" }\n"
                  "{ id = \"2\" from = \"s\" out = \"out\" to = \"d\" in = \"in\" } ]");
    assert_string_equal(flow_targets(r, flow_find(r, "unit_spawned"), 0), "d");
    expect_warning(&t.answer, "g.flow", 4, 1, "another link has the same ends");
    compile_case_free(&t);
}

static void refuses_variables(void **state) {
    (void)state;
#define VARIABLES "variables = [ { id = \"1\" name = \"score\" type = \"number\" }\n"
    static const char *const rows[][2] = {
        {VARIABLES "{ id = \"2\" name = \"score\" type = \"bool\" } ]",
         "there are two variables \"score\": rename one"},
        {VARIABLES "{ id = \"2\" name = \"\" type = \"bool\" } ]",
         "the name of a variable is empty"},
        {VARIABLES "{ id = \"1\" name = \"b\" type = \"bool\" } ]",
         "another variable has the id \"1\""},
        {VARIABLES "{ id = \"2\" name = \"b\" type = \"vector\" } ]",
         "variable b: there is no type \"vector\" of variables; did you mean \"vector3\"?"},
        {VARIABLES "{ id = \"2\" name = \"b\" type = \"event\" } ]",
         "variable b: there is no type \"event\" of variables"},
        {VARIABLES "{ id = \"2\" name = \"b\" type = \"bool\" value = 1 } ]",
         "variable b: value: found a number, expected true or false"},
        {VARIABLES "{ id = \"2\" name = \"b\" type = \"unit\" value = \"x\" } ]",
         "variable b: value is a unit, which a source cannot give"},
        {VARIABLES "] nodes = [ { id = \"n\" type = \"get_numeric_variable\" inputs = { name = "
                   "\"scor\" } } ]",
         "the graph has no variable \"scor\"; did you mean \"score\"?"},
        {VARIABLES "] nodes = [ { id = \"n\" type = \"get_bool_variable\" inputs = { name = "
                   "\"score\" } } ]",
         "the variable \"score\" is a number, but the node is for a bool"},
        {VARIABLES "] nodes = [ { id = \"n\" type = \"external_output_numeric\" inputs = { name = "
                   "\"score\" } } ]",
         "the graph has another variable, external input or output \"score\": rename one"},
    };
    refuse_rows(rows, CT_COUNT_OF(rows), 2);
}

static void refuses_groups_and_comments(void **state) {
    (void)state;
    flow_refuse("groups = [\n{ id = \"1\" titel = \"x\" } ]", 2, "did you mean \"title\"?");
    flow_refuse("groups = [\n{ title = \"x\" } ]", 2,
                "group: found nothing, expected a string `id`");
    flow_refuse("comments = [\n{ id = \"1\" text = 3 } ]", 2, "text: found a number");
    flow_refuse("node = [ ]", 1, "did you mean \"nodes\"?");
    flow_refuse("nodes = 5", 1, "nodes: found a number");
}

static void names_the_nodes_of_a_cycle_of_values(void **state) {
    (void)state;
    flow_refuse("nodes = [ { id = \"a\" type = \"numeric_addition\" }\n"
                "{ id = \"b\" type = \"numeric_absolute\" } ]\nlinks = [\n"
                "{ id = \"1\" from = \"a\" out = \"value\" to = \"b\" in = \"numeric\" }\n"
                "{ id = \"2\" from = \"b\" out = \"value\" to = \"a\" in = \"b\" } ]",
                1,
                "node numeric_addition a: its value depends on itself, through 2 nodes without an "
                "event: numeric_absolute b, numeric_addition a; put a variable or a node with an "
                "event between them");
    // A node with an event keeps its value.
    compile_case t;
    const ct_flow_resource *const r = flow_blob(
        &t, "nodes = [ { id = \"s\" type = \"unit_spawned\" }\n"
            "{ id = \"a\" type = \"numeric_addition\" } { id = \"b\" type = \"counter\" } "
            "]\nlinks = [\n"
            "{ id = \"0\" from = \"s\" out = \"out\" to = \"b\" in = \"increase\" }\n"
            "{ id = \"1\" from = \"a\" out = \"value\" to = \"b\" in = \"increment\" }\n"
            "{ id = \"2\" from = \"b\" out = \"value\" to = \"a\" in = \"b\" } ]");
    assert_int_equal(flow_num_nodes(r), 3);
    compile_case_free(&t);
}

static void push(ct_byte_array *text, const char *format, uint32_t i) {
    char line[256];
    const int length = snprintf(line, sizeof(line), format, i, i, i, i);
    ct_array_push_many(text, (const uint8_t *)line, (uint32_t)length);
}

// Fails unless a graph of `count` nodes of a type is refused.
static void refuse_many(const char *head, const char *node, uint32_t count, const char *link,
                        const char *message) {
    ct_byte_array text;
    ct_array_init(&text, test_heap());
    push(&text, head, 0);
    for (uint32_t i = 0; i < count; ++i)
        push(&text, node, i);
    push(&text, "] links = [\n", 0);
    for (uint32_t i = 0; *link && i < count; ++i)
        push(&text, link, i);
    push(&text, "]", 0);
    ct_array_push(&text, 0);
    flow_refuse((const char *)text.items, 0, message);
    ct_array_free(&text);
}

static void refuses_graphs_that_are_too_large(void **state) {
    (void)state;
    refuse_many("nodes = [\n", "{ id = \"%u\" type = \"delay\" }\n", 1000000, "",
                "found 1000000 nodes, with those of graphs that are used as nodes; expected at "
                "most 65536: split the graph");
    refuse_many("nodes = [ { id = \"s\" type = \"unit_spawned\" }\n",
                "{ id = \"%u\" type = \"delay\" }\n", 12000,
                "{ id = \"%u\" from = \"s\" out = \"out\" to = \"%u\" in = \"in\" }\n",
                "an instance of the graph takes more than 1048576 bytes: found 12001 nodes");
    // Each has a node that converts its input besides.
    refuse_many("nodes = [ { id = \"s\" type = \"counter\" }\n"
                "{ id = \"u\" type = \"unit_spawned\" }\n",
                "{ id = \"%u\" type = \"branch\" }\n", 40000,
                "{ id = \"a%u\" from = \"u\" out = \"out\" to = \"%u\" in = \"in\" }\n"
                "{ id = \"b%u\" from = \"s\" out = \"value\" to = \"%u\" in = \"condition\" }\n",
                "found 80002 nodes, with those that convert values between slots; expected at most "
                "65536: split the graph");
}

// With advice for each this would take hours.
static void many_mistakes_take_little_time(void **state) {
    (void)state;
    refuse_many(
        "nodes = [ { id = \"a_node_with_a_long_name\" type = \"delay\" }\n",
        "{ id = \"a_node_with_the_name_%u\" type = \"delay\" }\n", 10000,
        "{ id = \"%u\" from = \"node_with_the_name_%u\" out = \"o\" to = \"x\" in = \"in\" }\n",
        "a link names the node \"node_with_the_name_0\", which does not exist; did you "
        "mean \"a_node_with_the_name_0\"?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_nodes),
        cmocka_unit_test(refuses_links),
        cmocka_unit_test(reports_only_the_cause_of_a_node_that_cannot_be_read),
        cmocka_unit_test(warns_of_links_that_are_there_twice),
        cmocka_unit_test(refuses_variables),
        cmocka_unit_test(refuses_groups_and_comments),
        cmocka_unit_test(names_the_nodes_of_a_cycle_of_values),
        cmocka_unit_test(refuses_graphs_that_are_too_large),
        cmocka_unit_test(many_mistakes_take_little_time),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
