#include "compiler/types/flow/flow_compiler_fixture.h"

#define START "{ id = \"start\" type = \"unit_spawned\" }\n"
#define LINK(link, from, out, to, in)                                                              \
    "{ id = \"" link "\" from = \"" from "\" out = \"" out "\" to = \"" to "\" in = \"" in "\" "   \
    "}\n"
#define NAMED(node, type, name)                                                                    \
    "{ id = \"" node "\" type = \"" type "\" inputs = { name = \"" name "\" } }\n"

// Waits for twice the time, then says so; counts in a variable of its own.
#define LAMP                                                                                       \
    "variables = [ { id = \"1\" name = \"n\" type = \"number\" value = 5 } ]\nnodes = [\n" NAMED(  \
        "in", "external_in_event", "light") NAMED("time", "external_input_numeric",                \
                                                  "time") NAMED("on", "external_out_event", "on")  \
        NAMED("n", "external_output_numeric", "n") NAMED("get", "get_numeric_variable", "n")       \
            NAMED("set", "set_numeric_variable",                                                   \
                  "n") "{ id = \"twice\" type = \"numeric_multiplication\" inputs = { b = 2 } }\n" \
                       "{ id = \"more\" type = \"numeric_addition\" inputs = { b = 1 } }\n"        \
                       "{ id = \"wait\" type = \"delay\" }\n]\nlinks = [\n" LINK("1", "in", "out", \
                                                                                 "wait", "in")     \
                           LINK("2", "time", "numeric", "twice", "a")                              \
                               LINK("3", "twice", "value", "wait", "time")                         \
                                   LINK("4", "wait", "out", "set", "set")                          \
                                       LINK("5", "set", "out", "on", "in")                         \
                                           LINK("6", "get", "numeric", "more", "a")                \
                                               LINK("7", "more", "value", "set", "numeric")        \
                                                   LINK("8", "get", "numeric", "n", "numeric") "]"

static compile_case make(const char *source) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "flow/lamp.flow", LAMP);
    compile_case_text(&t, "g.flow", source);
    return t;
}

static void puts_graphs_in_the_place_of_nodes(void **state) {
    (void)state;
    compile_case t =
        make("nodes = [\n" START "{ id = \"a\" type = \"graph\" graph = \"flow/lamp\" inputs = { "
             "time = 4 } position = [0 2] }\n"
             "{ id = \"b\" type = \"graph\" graph = \"flow/lamp\" position = [0 1] }\n"
             "{ id = \"count\" type = \"counter\" position = [0 3] }\n"
             "{ id = \"say\" type = \"debug_print\" position = [0 4] }\n"
             "]\nlinks = [\n" LINK("1", "start", "out", "a", "light")
                 LINK("2", "start", "out", "b", "light") LINK("3", "count", "value", "b", "time")
                     LINK("4", "b", "on", "say", "in") LINK("5", "b", "on", "count", "increase")
                         LINK("6", "a", "n", "say", "text") "]");
    const ct_flow_resource *const r = compile_case_blob(&t, "flow", "g");
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    // In the order of the positions: start; b: set, twice, wait, more; a: set, wait, more; …
    const uint32_t start = flow_find(r, "unit_spawned");
    const uint32_t wait_b = flow_find(r, "delay");
    const uint32_t set_b = flow_find(r, "set_numeric_variable");
    assert_string_equal(ct_blob_at(r, infos[wait_b].path.offset), "g: graph b: delay wait");
    assert_string_equal(flow_targets(r, start, 0), "wait wait");
    assert_string_equal(flow_targets(r, wait_b, 0), "set");
    assert_string_equal(flow_targets(r, set_b, 0), "count say");
    assert_int_equal(flow_offset(r, wait_b, 0),
                     flow_output(r, flow_find(r, "numeric_multiplication"), 0));
    const uint32_t *const links = ct_blob_at(r, r->links.offset);
    const uint32_t list = flow_node(r, start)->slots[flow_node(r, start)->first_event];
    const uint32_t wait_a = flow_node_at(r, links[list + 3]);
    assert_int_equal(flow_node_at(r, links[list + 1]), wait_b);
    assert_string_equal(ct_blob_at(r, infos[wait_a].path.offset), "g: graph a: delay wait");
    assert_float_equal(flow_number(r, wait_a, 0), 8, 0);
    assert_true(infos[wait_a].id[0] != infos[wait_b].id[0]);
    // Each has a variable of its own.
    assert_int_equal(r->variables.count, 2);
    assert_int_equal(r->initials.count, 2);
    assert_true(flow_variable(r, "a/n")->offset != flow_variable(r, "b/n")->offset);
    assert_int_equal(flow_offset(r, flow_find(r, "numeric_to_string"), 0),
                     flow_variable(r, "a/n")->offset);
    assert_true(compile_case_has_include(&t, "flow/lamp.flow"));
    assert_true(has_reference(&t.answer, "flow", "flow/lamp"));
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void drops_what_nobody_uses_of_a_graph(void **state) {
    (void)state;
    compile_case t =
        make("nodes = [\n" START "{ id = \"a\" type = \"graph\" graph = \"flow/lamp\" }\n"
             "{ id = \"b\" type = \"graph\" graph = \"flow/lamp\" }\n"
             "{ id = \"say\" type = \"debug_print\" }\n"
             "]\nlinks = [\n" LINK("1", "a", "n", "say", "text")
                 LINK("2", "start", "out", "say", "in") "]");
    const ct_flow_resource *const r = compile_case_blob(&t, "flow", "g");
    assert_int_equal(flow_num_nodes(r), 3); // with a conversion
    assert_int_equal(t.answer.warnings.count, 1);
    assert_int_equal(t.answer.warnings.items[0].line, 4);
    assert_non_null(strstr(t.answer.warnings.items[0].message, "node graph b: no event"));
    compile_case_free(&t);
}

static void passes_events_through_graphs_in_order(void **state) {
    (void)state;
    compile_case t =
        make("nodes = [\n" START
             "{ id = \"a\" type = \"graph\" graph = \"flow/fork\" position = [0 5] }\n"
             "{ id = \"x\" type = \"once\" position = [0 9] }\n"
             "{ id = \"y\" type = \"once\" position = [0 8] }\n"
             "{ id = \"z\" type = \"once\" position = [0 1] }\n"
             "]\nlinks = [\n" LINK("1", "start", "out", "x", "in")
                 LINK("2", "start", "out", "a", "in") LINK("3", "a", "first", "x", "in")
                     LINK("4", "a", "second", "y", "in") LINK("5", "start", "out", "z", "in") "]");
    compile_case_text(
        &t, "flow/fork.flow",
        "nodes = [\n" NAMED(
            "in", "external_in_event",
            "in") "{ id = \"f\" type = \"external_out_event\" inputs = { name = \"first\" } "
                  "position = [0 20] }\n"
                  "{ id = \"s\" type = \"external_out_event\" inputs = { name = \"second\" } "
                  "position = [0 10] }\n]\nlinks = [\n" LINK("1", "in", "out", "f", "in")
                      LINK("2", "in", "out", "s", "in") "]");
    const ct_flow_resource *const r = compile_case_blob(&t, "flow", "g");
    assert_string_equal(flow_targets(r, flow_find(r, "unit_spawned"), 0), "z y x x");
    compile_case_free(&t);
}

// Each of a row of graphs sends its event on twice: the ways double with each.
static void gives_up_when_events_have_too_many_ways(void **state) {
    (void)state;
    enum { COUNT = 60 };
    char text[COUNT * 200];
    int length = snprintf(text, sizeof(text), "nodes = [\n" START);
    for (int i = 0; i < COUNT; ++i)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "{ id = \"%d\" type = \"graph\" graph = \"flow/twice\" }\n", i);
    length += snprintf(text + length, sizeof(text) - (size_t)length,
                       "]\nlinks = [\n" LINK("start", "start", "out", "0", "in"));
    for (int i = 0; i + 1 < COUNT; ++i)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "{ id = \"%d\" from = \"%d\" out = \"out\" to = \"%d\" in = \"in\" }\n",
                           i, i, i + 1);
    snprintf(text + length, sizeof(text) - (size_t)length, "]");
    compile_case t = make(text);
    compile_case_text(&t, "flow/twice.flow",
                      "nodes = [\n" NAMED("i", "external_in_event", "in")
                          NAMED("o", "external_out_event", "out")
                              NAMED("p", "external_out_event", "out") "]\nlinks = [\n" LINK(
                                  "1", "i", "out", "o", "in") LINK("2", "i", "out", "p", "in") "]");
    compile_case_run(&t, "flow", "g");
    compile_case_expect(&t, "flow/twice.flow", 0,
                        "events go through external events on more than 4194304 ways; split the "
                        "graph");
    compile_case_free(&t);
}

// A link goes from all external nodes of a name to all of another one: 9,000,000 links.
static void refuses_a_link_that_is_too_many(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    static char outs[COUNT * 80], ins[COUNT * 80];
    int num_out = snprintf(outs, sizeof(outs), "nodes = [\n");
    int num_in = snprintf(ins, sizeof(ins), "nodes = [\n");
    for (int i = 0; i < COUNT; ++i) {
        num_out += snprintf(
            outs + num_out, sizeof(outs) - (size_t)num_out,
            "{ id = \"%d\" type = \"external_out_event\" inputs = { name = \"o\" } }\n", i);
        num_in +=
            snprintf(ins + num_in, sizeof(ins) - (size_t)num_in,
                     "{ id = \"%d\" type = \"external_in_event\" inputs = { name = \"i\" } }\n", i);
    }
    snprintf(outs + num_out, sizeof(outs) - (size_t)num_out, "]");
    snprintf(ins + num_in, sizeof(ins) - (size_t)num_in, "]");
    compile_case t =
        make("nodes = [\n{ id = \"a\" type = \"graph\" graph = \"flow/outs\" }\n"
             "{ id = \"b\" type = \"graph\" graph = \"flow/ins\" }\n]\nlinks = [\n" LINK(
                 "1", "a", "o", "b", "i") "]");
    compile_case_text(&t, "flow/outs.flow", outs);
    compile_case_text(&t, "flow/ins.flow", ins);
    compile_case_run(&t, "flow", "g");
    compile_case_expect(&t, "g.flow", 6, "found more than 1048576 links of events");
    compile_case_free(&t);
}

static void expect(compile_case *t, const char *file, uint32_t line, const char *message) {
    compile_case_run(t, "flow", "g");
    compile_case_expect(t, file, line, message);
    compile_case_free(t);
}

static void names_the_way_of_graphs_that_contain_themselves(void **state) {
    (void)state;
    compile_case t = make("nodes = [\n{ id = \"a\" type = \"graph\" graph = \"g\" }\n]");
    expect(&t, "g.flow", 2, "node graph a: a graph cannot contain itself: g: g");
    t = make("nodes = [\n{ id = \"a\" type = \"graph\" graph = \"flow/b\" }\n]");
    compile_case_text(&t, "flow/b.flow",
                      "nodes = [\n\n{ id = \"k\" type = \"graph\" graph = \"flow/c\" }\n]");
    compile_case_text(&t, "flow/c.flow",
                      "nodes = [\n\n\n{ id = \"l\" type = \"graph\" graph = \"flow/b\" }\n]");
    expect(&t, "flow/c.flow", 4, "a graph cannot contain itself: flow/b: flow/c: flow/b");
}

static void reports_mistakes_about_graphs(void **state) {
    (void)state;
#define USE(more) "nodes = [\n" START "{ id = \"a\" type = \"graph\" " more
    compile_case t = make(USE("}\n]"));
    expect(&t, "g.flow", 3, "node graph a: `graph` is missing");
    t = make(USE("graph = \"flow/none\" }\n]"));
    expect(&t, "g.flow", 3, "flow/none");
    t = make(USE("graph = \"flow/lamp\" inputs = { tim = 2 } }\n]"));
    expect(&t, "g.flow", 3,
           "node graph a: inputs.tim: the node has no such input; did you mean \"time\"?");
    t = make(USE("graph = \"flow/lamp\" inputs = { time = \"x\" } }\n]"));
    expect(&t, "g.flow", 3, "node graph a: inputs.time: found \"x\", expected a number");
    t = make(USE("graph = \"flow/lamp\" }\n]\nlinks = [\n")
                 LINK("1", "start", "out", "a", "ligt") "]");
    expect(&t, "g.flow", 6,
           "node graph a has no input or event in \"ligt\"; did you mean \"light\"?");
    t = make(USE("graph = \"flow/lamp\" }\n]\nlinks = [\n")
                 LINK("1", "start", "unit", "a", "time") "]");
    expect(&t, "g.flow", 6,
           "the input time is a number, but the output unit of node unit_spawned "
           "start is a unit; no node converts it");
    t = make("nodes = [\n" START "{ id = \"a\" type = \"delay\" graph = \"flow/lamp\" }\n]");
    expect(&t, "g.flow", 3, "found `graph`, which only nodes of type graph have");
    t = make(USE("graph = \"flow/bad\" }\n]"));
    compile_case_text(&t, "flow/bad.flow", "nodes = [\n\n{ id = \"k\" type = \"dely\" }\n]");
    expect(&t, "flow/bad.flow", 3,
           "node k: there is no node type \"dely\"; did you mean \"delay\"?");
}

static void finds_cycles_through_graphs(void **state) {
    (void)state;
    compile_case t =
        make("nodes = [\n" START "{ id = \"a\" type = \"graph\" graph = \"flow/add\" }\n"
             "]\nlinks = [\n" LINK("1", "a", "sum", "a", "x") "]");
    compile_case_text(
        &t, "flow/add.flow",
        "nodes = [\n" NAMED("x", "external_input_numeric", "x") NAMED(
            "sum", "external_output_numeric",
            "sum") "{ id = \"add\" type = \"numeric_addition\" }\n]\nlinks = [\n" LINK("1", "x",
                                                                                       "numeric",
                                                                                       "add", "a")
            LINK("2", "add", "value", "sum", "numeric") "]");
    expect(&t, "flow/add.flow", 0, "its value depends on itself, through 3 nodes without an event");
    // Events that go in a circle without any node.
    t = make("nodes = [\n" START "{ id = \"a\" type = \"graph\" graph = \"flow/pass\" }\n"
             "]\nlinks = [\n" LINK("1", "start", "out", "a", "in")
                 LINK("2", "a", "out", "a", "in") "]");
    compile_case_text(&t, "flow/pass.flow",
                      "nodes = [\n" NAMED("i", "external_in_event", "in")
                          NAMED("o", "external_out_event",
                                "out") "]\nlinks = [\n" LINK("1", "i", "out", "o", "in") "]");
    expect(&t, "flow/pass.flow", 0,
           "an event goes through more than 1000 external events without "
           "a node between them");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_graphs_in_the_place_of_nodes),
        cmocka_unit_test(drops_what_nobody_uses_of_a_graph),
        cmocka_unit_test(passes_events_through_graphs_in_order),
        cmocka_unit_test(gives_up_when_events_have_too_many_ways),
        cmocka_unit_test(refuses_a_link_that_is_too_many),
        cmocka_unit_test(names_the_way_of_graphs_that_contain_themselves),
        cmocka_unit_test(reports_mistakes_about_graphs),
        cmocka_unit_test(finds_cycles_through_graphs),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
