// Nodes that a project writes in Lua: their file, and graphs that use them.
#include "compiler/types/flow/flow_compiler_fixture.h"

#include "resource/types/flow/flow_nodes_resource.h"

#define SLOT(id, rest) "{ id = \"" id "\" " rest " }\n"
#define DOOR                                                                                       \
    "{ id = \"1\" name = \"door\" function = \"Game.door\" menu = \"Game > Door\" slots = "        \
    "[\n" SLOT("1", "name = \"open\" kind = \"event_in\"")                                         \
        SLOT("2", "name = \"close\" kind = \"event_in\"")                                          \
            SLOT("3", "name = \"unit\" type = \"unit\"")                                           \
                SLOT("4", "name = \"speed\" type = \"number\" value = 2")                          \
                    SLOT("5", "name = \"label\" type = \"string\" value = \"shut\"")               \
                        SLOT("6", "name = \"turn\" type = \"quaternion\" value = [0 0 2 0]")       \
                            SLOT("7", "name = \"data\" kind = \"input\" type = \"any\"")           \
                                SLOT("8", "name = \"height\" kind = \"output\" type = \"number\"") \
                                    SLOT("9", "name = \"opened\" kind = \"event_out\"") "] }\n"
#define SCORE                                                                                      \
    "{ id = \"2\" name = \"score\" function = \"score\" slots = [\n" SLOT(                         \
        "1", "name = \"points\" kind = \"output\" type = \"number\"") "] }\n"
#define NODES "nodes = [\n" DOOR SCORE "]\n"
#define USE(id, node)                                                                              \
    "{ id = \"" id "\" type = \"lua\" nodes = \"flow/game\" node = \"" node "\" }\n"
#define LINK(id, from, out, to, in)                                                                \
    "{ id = \"" id "\" from = \"" from "\" out = \"" out "\" to = \"" to "\" in = \"" in "\" }\n"
#define START "{ id = \"start\" type = \"unit_spawned\" }\n"

static compile_case make(const char *graph) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "g.flow", graph);
    compile_case_text(&t, "flow/game.flow_nodes", NODES);
    return t;
}

static const ct_flow_used_type *used_type(const ct_flow_resource *r, uint32_t node) {
    return (const ct_flow_used_type *)ct_blob_at(r, r->types.offset) + flow_node(r, node)->type;
}

// --- Graphs --------------------------------------------------------------------------------------

static void puts_all_that_runs_a_node_into_the_graph(void **state) {
    (void)state;
    compile_case t =
        make("nodes = [\n" START USE("a", "door") USE("b", "door")
                 USE("s", "score") "]\n"
                                   "links = [\n" LINK("1", "start", "out", "a", "close")
                                       LINK("2", "a", "opened", "b", "open")
                                           LINK("3", "s", "points", "b", "speed") "]\n");
    const ct_flow_resource *const r = compile_case_blob(&t, "flow", "g");
    const uint32_t a = flow_find(r, "door");
    const ct_flow_used_type *const type = used_type(r, a);
    const ct_flow_used_slot *const slots = ct_blob_at(r, type->slots.offset);
    assert_string_equal(ct_blob_at(r, type->function.offset), "Game.door");
    assert_int_equal(type->slots.count, 9);
    assert_int_equal(type->num_inputs, 5);
    assert_int_equal(type->num_events_in, 2);
    assert_int_equal(type->num_outputs, 1);
    assert_int_equal(type->num_events_out, 1);
    assert_string_equal(ct_blob_at(r, slots[3].name.offset), "speed");
    assert_int_equal(slots[3].kind, CT_FLOW_SLOT_INPUT);
    assert_int_equal(slots[3].type, CT_FLOW_TYPE_NUMBER);
    assert_int_equal(slots[8].kind, CT_FLOW_SLOT_EVENT_OUT);
    // Both doors are of one type, and start each other by their events' numbers.
    assert_int_equal(r->types.count, 3);
    assert_string_equal(flow_targets(r, flow_find(r, "unit_spawned"), 0), "a");
    assert_string_equal(flow_targets(r, a, 0), "b");
    const uint32_t *const links = ct_blob_at(r, r->links.offset);
    const ct_flow_node *const start = flow_node(r, flow_find(r, "unit_spawned"));
    assert_int_equal(links[start->slots[start->first_event] + 2], 1); // close
    assert_true(compile_case_has_include(&t, "flow/game.flow_nodes"));
    assert_true(has_reference(&t.answer, "flow_nodes", "flow/game"));
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void inputs_have_the_values_of_the_file(void **state) {
    (void)state;
    compile_case t = make("nodes = [\n" START USE(
        "a", "door") "]\n"
                     "links = [\n" LINK("1", "start", "out", "a", "open") "]\n");
    const ct_flow_resource *const r = compile_case_blob(&t, "flow", "g");
    const uint32_t a = flow_find(r, "door");
    assert_int_equal(flow_offset(r, a, 0), 0); // the graph's own unit
    assert_true(flow_number(r, a, 1) == 2);
    assert_string_equal(flow_text(r, a, 2), "shut");
    assert_true(((const float *)flow_constant(r, a, 3))[2] == 1);
    assert_int_equal(flow_node(r, a)->slots[9], CT_FLOW_TYPE_EVENT); // nothing is given
    compile_case_free(&t);
    t = make("nodes = [\n" START
             "{ id = \"a\" type = \"lua\" nodes = \"flow/game\" node = \"door\"\n"
             "inputs = { speed = 3 data = [1 2 3] } } ]\n"
             "links = [\n" LINK("1", "start", "out", "a", "open") "]\n");
    const ct_flow_resource *const given = compile_case_blob(&t, "flow", "g");
    assert_true(flow_number(given, flow_find(given, "door"), 1) == 3);
    assert_int_equal(flow_node(given, flow_find(given, "door"))->slots[9], CT_FLOW_TYPE_VECTOR3);
    compile_case_free(&t);
}

// A node without events runs when an action needs its values.
static void nodes_without_events_are_pure(void **state) {
    (void)state;
    compile_case t = make(
        "nodes = [\n" START USE("s", "score") "{ id = \"say\" type = \"debug_print\" }\n]\n"
                                              "links = [\n" LINK("1", "start", "out", "say", "in")
                                                  LINK("2", "s", "points", "say", "text") "]\n");
    const ct_flow_resource *const r = compile_case_blob(&t, "flow", "g");
    const ct_flow_node *const say = flow_node(r, flow_find(r, "debug_print"));
    const uint32_t *const pures = ct_blob_at(r, r->pures.offset);
    assert_int_equal(pures[say->pures], 2); // with a conversion
    assert_int_equal(flow_node_at(r, pures[say->pures + 1]), flow_find(r, "score"));
    compile_case_free(&t);
}

static void refuses_graphs(void **state) {
    (void)state;
    static const struct {
        const char *node, *message;
    } rows[] = {
        {"{ id = \"a\" type = \"lua\" node = \"door\" }",
         "node lua a: `nodes` is missing: write the name of the .flow_nodes file"},
        {"{ id = \"a\" type = \"lua\" nodes = \"flow/game\" }",
         "node lua a: `node` is missing: write the name of the node in that file"},
        {"{ id = \"a\" type = \"lua\" nodes = \"flow/game\" node = \"dor\" }",
         "node lua a: flow/game has no node \"dor\"; did you mean \"door\"?"},
        {"{ id = \"a\" type = \"lua\" nodes = \"flow/game\" node = \"zzzzzzz\" }",
         "node lua a: flow/game has no node \"zzzzzzz\"; expected one of door, score"},
        {"{ id = \"a\" type = \"lua\" nodes = \"flow/gam\" node = \"door\" }",
         "flow/gam.flow_nodes"},
        {"{ id = \"a\" type = \"lua\" nodes = \"Flow/game\" node = \"door\" }", "Flow/game"},
        {"{ id = \"a\" type = \"lua\" nodes = \"flow/game\" node = \"door\" inputs = { sped = 3 } "
         "}",
         "node door a: inputs.sped: the node has no such input; did you mean \"speed\"?"},
        {"{ id = \"a\" type = \"lua\" nodes = \"flow/game\" node = \"door\" inputs = { speed = "
         "true } }",
         "node door a: inputs.speed: found a boolean, expected a number"},
        {"{ id = \"a\" type = \"lua\" nodes = \"flow/game\" node = \"door\" graph = \"g\" }",
         "node door a: found `graph`, which only nodes of type graph have"},
        {"{ id = \"a\" type = \"once\" nodes = \"flow/game\" }",
         "node once a: found `nodes`, which only nodes of type lua have"},
        {"{ id = \"a\" type = \"once\" node = \"door\" }",
         "node once a: found `node`, which only nodes of type lua have"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        char source[512];
        snprintf(source, sizeof(source), "nodes = [\n%s ]", rows[i].node);
        compile_case t = make(source);
        compile_case_run(&t, "flow", "g");
        compile_case_expect(&t, "g.flow", 2, rows[i].message);
        compile_case_free(&t);
    }
}

static void refuses_links(void **state) {
    (void)state;
    compile_case t = make("nodes = [\n" START USE("a", "door") "]\nlinks = [\n" LINK(
        "1", "start", "out", "a", "opne") "]\n");
    compile_case_run(&t, "flow", "g");
    compile_case_expect(&t, "g.flow", 6,
                        "node door a has no input or event in \"opne\"; did you mean \"open\"?");
    compile_case_free(&t);
    t = make("nodes = [\n" START USE("a", "door")
                 USE("b", "door") "]\nlinks = [\n" LINK("1", "a", "height", "b", "unit") "]\n");
    compile_case_run(&t, "flow", "g");
    compile_case_expect(&t, "g.flow", 7,
                        "node door b: the input unit is a unit, but the output height of node door "
                        "a is a number; no node converts it");
    compile_case_free(&t);
}

// Errors of the file are in its lines, once for a graph however often it uses it.
static void errors_of_the_file_are_reported_once(void **state) {
    (void)state;
    compile_case t = make("nodes = [\n" USE("a", "door") USE("b", "score") "]");
    compile_case_text(&t, "flow/game.flow_nodes", "nodes = [\n{ id = \"1\" name = \"door\" } ]");
    compile_case_run(&t, "flow", "g");
    assert_int_equal(t.answer.errors.count, 1);
    compile_case_expect(&t, "flow/game.flow_nodes", 2, "function: is missing");
    compile_case_free(&t);
}

// --- Files ---------------------------------------------------------------------------------------

static void keeps_nodes_for_tools(void **state) {
    (void)state;
    compile_case t = make("");
    const ct_flow_nodes_resource *const r = compile_case_blob(&t, "flow_nodes", "flow/game");
    const ct_flow_nodes_node *const nodes = ct_blob_at(r, r->nodes.offset);
    assert_int_equal(r->nodes.count, 2);
    assert_string_equal(ct_blob_at(r, nodes[0].name.offset), "door");
    assert_string_equal(ct_blob_at(r, nodes[0].function.offset), "Game.door");
    assert_string_equal(ct_blob_at(r, nodes[0].menu.offset), "Game > Door");
    assert_string_equal(ct_blob_at(r, nodes[1].menu.offset), "score"); // its name
    assert_int_equal(nodes[0].doc.offset, 0);
    assert_int_equal(nodes[0].slots.count, 9);
    assert_int_equal(nodes[1].slots.count, 1);
    compile_case_free(&t);
}

static void refuse_file(const char *source, uint32_t line, const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "flow/game.flow_nodes", source);
    compile_case_run(&t, "flow_nodes", "flow/game");
    compile_case_expect(&t, "flow/game.flow_nodes", line, message);
    compile_case_free(&t);
}

static void refuses_nodes(void **state) {
    (void)state;
#define NODE(rest) "nodes = [\n{ id = \"1\" " rest " } ]"
#define OUT SLOT("1", "name = \"n\" kind = \"output\" type = \"number\"")
    static const char *const rows[][2] = {
        {"nodes = [\n5 ]", "found a number"},
        {NODE("function = \"f\" slots = [ " OUT " ]"), "name: is missing"},
        {NODE("name = \"n\" slots = [ " OUT " ]"), "function: is missing"},
        {NODE("name = \"a b\" function = \"f\" slots = [ " OUT " ]"),
         "found the name \"a b\"; expected letters, digits and underscores"},
        {NODE("name = \"7a\" function = \"f\" slots = [ " OUT " ]"), "found the name \"7a\""},
        {NODE("name = \"\" function = \"f\" slots = [ " OUT " ]"), "found the name \"\""},
        {NODE("name = \"n\" function = \"f()\" slots = [ " OUT " ]"),
         "node n: found the function \"f()\"; expected its name, such as MyGame.open_door"},
        {NODE("name = \"n\" function = \"a..b\" slots = [ " OUT " ]"),
         "found the function \"a..b\""},
        {NODE("name = \"n\" function = \"a.\" slots = [ " OUT " ]"), "found the function \"a.\""},
        {NODE("name = \"n\" function = \"\" slots = [ " OUT " ]"), "found the function \"\""},
        {NODE("name = \"n\" functoin = \"f\" slots = [ " OUT " ]"), "did you mean \"function\"?"},
        {"nodes = [\n{ name = \"n\" function = \"f\" } ]",
         "node: found nothing, expected a string `id`; `cuttle ids` gives it one"},
        {NODE("name = \"n\" function = \"f\""),
         "node n: it has neither an event in nor an output, so it never runs; add one"},
        {NODE("name = \"n\" function = \"f\" slots = [ { id = \"1\" name = \"x\" type = \"unit\" } "
              "]"),
         "node n: it has neither an event in nor an output"},
        {NODE("name = \"n\" function = \"f\" slots = [ { id = \"1\" name = \"x\" kind = "
              "\"event_out\" } ]"),
         "node n: it has no event in, so nothing can start it; add one"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i)
        refuse_file(rows[i][0], 2, rows[i][1]);
    refuse_file("nodes = [\n" SCORE "\n{ id = \"2\" name = \"x\" function = \"f\" } ]", 6,
                "node: another one has the id \"2\"");
    refuse_file("nodes = [\n" SCORE "\n{ id = \"3\" name = \"score\" function = \"f\" } ]", 6,
                "another node has the name \"score\"");
}

static void refuses_slots(void **state) {
    (void)state;
#define IN_NODE(rest)                                                                              \
    "nodes = [ { id = \"1\" name = \"n\" function = \"f\" slots = [ " SLOT(                        \
        "1", "name = \"x\" kind = \"output\" type = \"number\"") rest "] } ]"
    static const char *const rows[][2] = {
        {IN_NODE("7"), "found a number"},
        {IN_NODE("{ name = \"a\" type = \"unit\" }"),
         "node n: slot: found nothing, expected a string `id`"},
        {IN_NODE(SLOT("1", "name = \"a\" type = \"unit\"")),
         "node n: slot: another one has the id \"1\""},
        {IN_NODE(SLOT("2", "type = \"unit\"")), "name: is missing"},
        {IN_NODE(SLOT("2", "name = \"a-b\" type = \"unit\"")),
         "node n: slot: found the name \"a-b\""},
        {IN_NODE(SLOT("2", "name = \"a\"")), "node n: slot a: `type` is missing"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"numbr\"")),
         "node n: slot a: found the type \"numbr\"; did you mean \"number\"?"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"zzzzzzzz\"")), "expected bool, number, vector3"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"event\"")), "found the type \"event\""},
        {IN_NODE(SLOT("2", "name = \"a\" kind = \"even_in\"")), "did you mean \"event_in\"?"},
        {IN_NODE(SLOT("2", "name = \"a\" kind = \"event_in\" type = \"unit\"")),
         "node n: slot a: an event has no `type`: remove it"},
        {IN_NODE(SLOT("2", "name = \"a\" kind = \"event_in\" value = 3")),
         "node n: slot a: only inputs have a `value`: remove it"},
        {IN_NODE(SLOT("2", "name = \"a\" kind = \"output\" type = \"number\" value = 3")),
         "node n: slot a: only inputs have a `value`"},
        {IN_NODE(SLOT("2", "name = \"a\" kind = \"output\" type = \"any\"")),
         "node n: slot a: an output cannot be of type any; choose the type that it has"},
        {IN_NODE(SLOT("2", "name = \"a\" kind = \"output\" type = \"material\"")),
         "an output cannot be of type material"},
        {IN_NODE(SLOT("2", "name = \"x\" kind = \"event_out\"")),
         "node n: slot x: another slot that goes out has this name"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"unit\" value = \"u\"")),
         "node n: slot a: value: found a string, expected no value: graphs link it"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"bool\" value = 1")), "expected true or false"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"vector3\" value = [1 2]")), "expected a vector"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"vector3\" value = [1 2 1e39]")),
         "expected a vector"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"quaternion\" value = [0 0 0 0]")),
         "expected a rotation"},
        {IN_NODE(SLOT("2", "name = \"a\" type = \"string\" value = \"a\\u0000b\"")),
         "expected a string"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i)
        refuse_file(rows[i][0], 2, rows[i][1]);
}

static void in_and_out_may_have_the_same_name(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "flow/game.flow_nodes",
                      IN_NODE(SLOT("2", "name = \"x\" type = \"number\"")));
    compile_case_blob(&t, "flow_nodes", "flow/game");
    compile_case_free(&t);
}

// As many `count` nodes, or slots of one node, in a line.
static void expect_limit(uint32_t count, bool are_slots, const char *message) {
    char *const source = malloc(100ull * count + 200);
    size_t at = (size_t)sprintf(source, "%s",
                                are_slots ? "nodes = [ { id = \"1\" name = \"n\" function "
                                            "= \"f\" slots = [\n"
                                          : "nodes = [\n");
    for (uint32_t i = 0; i < count; ++i)
        at += (size_t)sprintf(
            source + at,
            are_slots ? "{ id = \"%u\" name = \"n%u\" kind = \"event_in\" }\n"
                      : "{ id = \"%u\" name = \"n%u\" function = \"f\" slots = [ { id = "
                        "\"1\" name = \"o\" kind = \"event_in\" } ] }\n",
            i, i);
    sprintf(source + at, are_slots ? "] } ]" : "]");
    compile_case t = compile_case_make();
    compile_case_text(&t, "flow/game.flow_nodes", source);
    free(source);
    if (message) {
        compile_case_run(&t, "flow_nodes", "flow/game");
        compile_case_expect(&t, "flow/game.flow_nodes", are_slots ? 1 + count : 1, message);
    } else {
        compile_case_blob(&t, "flow_nodes", "flow/game");
    }
    compile_case_free(&t);
}

static void limits_nodes_and_slots(void **state) {
    (void)state;
    expect_limit(1024, false, NULL);
    expect_limit(1025, false, "found 1025 nodes, expected at most 1024: split the file");
    expect_limit(32, true, NULL);
    expect_limit(33, true, "node n: slot n32: found more than 32 slots of the kind event_in");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_all_that_runs_a_node_into_the_graph),
        cmocka_unit_test(inputs_have_the_values_of_the_file),
        cmocka_unit_test(nodes_without_events_are_pure),
        cmocka_unit_test(refuses_graphs),
        cmocka_unit_test(refuses_links),
        cmocka_unit_test(errors_of_the_file_are_reported_once),
        cmocka_unit_test(keeps_nodes_for_tools),
        cmocka_unit_test(refuses_nodes),
        cmocka_unit_test(refuses_slots),
        cmocka_unit_test(in_and_out_may_have_the_same_name),
        cmocka_unit_test(limits_nodes_and_slots),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
