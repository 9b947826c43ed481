#include "resource/types/flow/flow_node_states.h"
#include "resource/types/flow/flow_node_tables.h"

// clang-format off
#define NODE(node, menu_name, text, bytes, ...)                                                    \
    { .name = (node), .menu = "Flow Control > " menu_name, .doc = (text),                          \
      .kind = CT_FLOW_NODE_ACTION, .state_bytes = (bytes), .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
// clang-format on

#define EIGHT_OUT(text)                                                                            \
    CT_FLOW_EVENT_OUT("out_1", text), CT_FLOW_EVENT_OUT("out_2", text),                            \
        CT_FLOW_EVENT_OUT("out_3", text), CT_FLOW_EVENT_OUT("out_4", text),                        \
        CT_FLOW_EVENT_OUT("out_5", text), CT_FLOW_EVENT_OUT("out_6", text),                        \
        CT_FLOW_EVENT_OUT("out_7", text), CT_FLOW_EVENT_OUT("out_8", text)

static const ct_flow_node_type nodes[] = {
    NODE("branch", "Branch", "Goes on in one of two ways.", 0,
         CT_FLOW_IN("condition", BOOL, "Which way to go."), CT_FLOW_EVENT_IN("in", "Looks."),
         CT_FLOW_EVENT_OUT("true", "When the condition is true."),
         CT_FLOW_EVENT_OUT("false", "When the condition is false.")),
    NODE("compare_numerics", "Compare Numerics",
         "Goes on in all ways that are true of two numbers, in their order.", 0,
         CT_FLOW_IN("a", NUMBER, "The first number."),
         CT_FLOW_IN("b", NUMBER, "The second number."), CT_FLOW_EVENT_IN("compare", "Compares."),
         CT_FLOW_EVENT_OUT("less", "When a is less than b."),
         CT_FLOW_EVENT_OUT("less_or_equal", "When a is less than b or equal to it."),
         CT_FLOW_EVENT_OUT("equal", "When a is equal to b."),
         CT_FLOW_EVENT_OUT("greater_or_equal", "When a is greater than b or equal to it."),
         CT_FLOW_EVENT_OUT("greater", "When a is greater than b.")),
    NODE("compare_objects", "Compare Objects", "Compares two values of any type.", 0,
         CT_FLOW_IN("a", ANY, "The first value."), CT_FLOW_IN("b", ANY, "The second value."),
         CT_FLOW_EVENT_IN("compare", "Compares."),
         CT_FLOW_EVENT_OUT("equal", "When they are the same."),
         CT_FLOW_EVENT_OUT("unequal", "When they differ, or are of different types.")),
    NODE("counter", "Counter", "Counts events.", CT_FLOW_COUNTER_STATE_BYTES,
         CT_FLOW_IN("start_value", NUMBER, "Where it starts."),
         CT_FLOW_IN("increment", NUMBER, "By how much an event changes it.", .default_value = {1}),
         CT_FLOW_EVENT_IN("increase", "Adds the increment."),
         CT_FLOW_EVENT_IN("decrease", "Subtracts the increment."),
         CT_FLOW_EVENT_IN("reset", "Goes back to the start."),
         CT_FLOW_EVENT_OUT("changed", "After each of these."),
         CT_FLOW_OUT("value", NUMBER, "The count; 0 before the first event.")),
    NODE("delay", "Delay",
         "Goes on after a time. Up to 8 events may wait; a further one is an error and lost.",
         CT_FLOW_WAIT_STATE_BYTES, CT_FLOW_IN("time", NUMBER, "How long to wait.", .unit = "s"),
         CT_FLOW_EVENT_IN("in", "Starts to wait."),
         CT_FLOW_EVENT_OUT("out", "When the time is over.")),
    NODE("for_loop", "For Loop",
         "Counts from a number to another one, which is included, as Lua does.", 0,
         CT_FLOW_IN("start_value", NUMBER, "The first number."),
         CT_FLOW_IN("end_value", NUMBER, "The last number."),
         CT_FLOW_IN("increment", NUMBER, "From one to the next; 0 is an error.",
                    .default_value = {1}),
         CT_FLOW_EVENT_IN("in", "Starts."), CT_FLOW_EVENT_OUT("loop_body", "For each number."),
         CT_FLOW_EVENT_OUT("completed", "After the last one."),
         CT_FLOW_OUT("current_value", NUMBER, "The number.")),
    NODE("once", "Once", "Lets only the first event through.", CT_FLOW_SWITCH_STATE_BYTES,
         CT_FLOW_EVENT_IN("in", "Goes through once."),
         CT_FLOW_EVENT_OUT("out", "For the first event.")),
    NODE("randomize", "Randomize", "Goes on in one of the ways that are linked, by chance.", 0,
         CT_FLOW_EVENT_IN("in", "Chooses."), EIGHT_OUT("One of the ways.")),
    NODE("relay", "Relay", "Lets events through while it is enabled, as it is at first.",
         CT_FLOW_SWITCH_STATE_BYTES, CT_FLOW_EVENT_IN("in", "Goes through."),
         CT_FLOW_EVENT_IN("enable", "Lets events through from now on."),
         CT_FLOW_EVENT_IN("disable", "Holds events up from now on."),
         CT_FLOW_EVENT_IN("toggle", "Changes between the two."),
         CT_FLOW_OUT("enabled", BOOL,
                     "Whether events go through; false before the node first runs."),
         CT_FLOW_EVENT_OUT("out", "For events that go through.")),
    NODE("sequence", "Sequence", "Goes on in several ways, one after the other.", 0,
         CT_FLOW_EVENT_IN("in", "Starts."),
         EIGHT_OUT("With all that follows, before the next one.")),
    NODE(
        "timer", "Timer", "Goes on after a time, again and again if it loops.",
        CT_FLOW_TIMER_STATE_BYTES,
        CT_FLOW_IN("time", NUMBER, "From the start to the end.", .unit = "s"),
        CT_FLOW_IN("loop", BOOL, "Whether it starts again at its end."),
        CT_FLOW_EVENT_IN("in", "Starts from the beginning."),
        CT_FLOW_EVENT_IN("enable", "Goes on where it was stopped."),
        CT_FLOW_EVENT_IN("disable", "Stops the time."),
        CT_FLOW_EVENT_OUT("out", "When the time is over; once in a step at most."),
        CT_FLOW_OUT("enabled", BOOL, "Whether the time goes on; false before the node first runs."),
        CT_FLOW_OUT("loop_count", NUMBER, "How often the time was over since the start.")),
    NODE("toggle", "Toggle", "Goes on in one way and in the other by turns.",
         CT_FLOW_SWITCH_STATE_BYTES, CT_FLOW_EVENT_IN("in", "Counts, from 0."),
         CT_FLOW_EVENT_OUT("even", "For the first event, the third one, and so on."),
         CT_FLOW_EVENT_OUT("odd", "For the others.")),
    NODE("while_loop", "While Loop",
         "Goes on while a condition is true; it is looked at before each time.", 0,
         CT_FLOW_IN("condition", BOOL, "Whether to go on."), CT_FLOW_EVENT_IN("in", "Starts."),
         CT_FLOW_EVENT_OUT("loop_body", "Each time."),
         CT_FLOW_EVENT_OUT("completed", "When the condition is false."),
         CT_FLOW_OUT("loop_count", NUMBER, "How often it went on before.")),
};

const ct_flow_node_table ct_flow_nodes_control = {"control", nodes, CT_COUNT_OF(nodes)};
