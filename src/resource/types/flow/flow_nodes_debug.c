#include "resource/types/flow/flow_node_tables.h"

static const char *const comparisons[] = {"equal",   "unequal",          "less", "less_or_equal",
                                          "greater", "greater_or_equal", NULL};

// clang-format off
#define NODE(node, menu_name, text, ...)                                                           \
    { .name = (node), .menu = "Debug > " menu_name, .doc = (text), .kind = CT_FLOW_NODE_ACTION,     \
      .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
// clang-format on

#define IN CT_FLOW_EVENT_IN("in", "Does it.")
#define OUT CT_FLOW_EVENT_OUT("out", "Afterwards.")
#define COMPARISON                                                                                 \
    CT_FLOW_IN("assert", STRING, "What is expected: a is … to b.", .is_constant = true,            \
               .default_text = "equal", .names = comparisons)

static const ct_flow_node_type nodes[] = {
    NODE("assert", "Assert", "Logs an error when two values are not as expected.", COMPARISON,
         CT_FLOW_IN("a", ANY, "The first value."), CT_FLOW_IN("b", ANY, "The second value."), IN,
         OUT),
    NODE("debug_print", "Debug Print", "Writes a text to the log.",
         CT_FLOW_IN("label", STRING, "What the text is about."),
         CT_FLOW_IN("text", STRING, "The text."), IN, OUT),
    NODE("print_to_screen", "Print To Screen",
         "Writes a text to the log, and shows it for some seconds over a game that `cuttle run` "
         "shows in "
         "a window.",
         CT_FLOW_IN("color", VECTOR3, "Red, green and blue on the screen.",
                    .default_value = {1, 1, 1}),
         CT_FLOW_IN("label", STRING, "What the text is about."),
         CT_FLOW_IN("text", STRING, "The text."), IN, OUT),
    NODE("run_test", "Run Test", "Runs a test: what follows, with its nodes Test Assert.",
         CT_FLOW_EVENT_IN("start", "Starts."), CT_FLOW_EVENT_OUT("start", "The test."),
         CT_FLOW_EVENT_OUT("completed", "When all of it that does not wait is over."),
         CT_FLOW_EVENT_OUT("success", "After that, when nothing failed.")),
    NODE("test_assert", "Test Assert",
         "Logs an error when two values are not as expected, and makes the test fail.", COMPARISON,
         CT_FLOW_IN("a", ANY, "The first value."), CT_FLOW_IN("b", ANY, "The second value."), IN,
         OUT),
};

const ct_flow_node_table ct_flow_nodes_debug = {"debug", nodes, CT_COUNT_OF(nodes)};
