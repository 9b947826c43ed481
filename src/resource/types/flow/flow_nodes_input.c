// Nodes of Input: buttons and axes. They look in each step of the world.
#include "resource/types/flow/flow_node_states.h"
#include "resource/types/flow/flow_node_tables.h"

#define BUTTON                                                                                     \
    CT_FLOW_EVENT_OUT("pressed", "It went down in this frame."),                                   \
        CT_FLOW_EVENT_OUT("released", "It went up in this frame."),                                \
        CT_FLOW_EVENT_OUT("held", "It is down."),                                                  \
        CT_FLOW_OUT("value", NUMBER, "How far it is down, from 0 to 1.")
#define PAD                                                                                        \
    CT_FLOW_IN("controller_id", NUMBER, "Which pad, from 1 to 4.", .is_constant = true,            \
               .default_value = {1})
#define NAME(slot, text) CT_FLOW_IN(slot, STRING, text, .is_constant = true, .is_required = true)
#define STICK                                                                                      \
    PAD,                                                                                           \
        CT_FLOW_IN("thumbstick", STRING, "Which one.", .is_constant = true,                        \
                   .default_text = "left", .names = sticks),                                       \
        CT_FLOW_EVENT_OUT("out", "It has moved."),                                                 \
        CT_FLOW_OUT("axis_value", VECTOR3, "x to the right and y up, from -1 to 1.")

// clang-format off
#define POLLED(node, menu_name, text, bytes, ...)                                                  \
    { .name = (node), .menu = "Input > " menu_name, .doc = (text), .kind = CT_FLOW_NODE_ENTRY,      \
      .is_polled = true, .state_bytes = (bytes), .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
// clang-format on

static const char *const sticks[] = {"left", "right", NULL};
static const char *const mouse_axes[] = {"cursor", "mouse", "wheel", NULL};
static const char *const ps4_buttons[] = {
    "cross", "circle", "square", "triangle", "up",      "down",  "left",  "right", "l1", "r1",
    "l2",    "r2",     "l3",     "r3",       "options", "share", "touch", "ps",    NULL};

static const ct_flow_node_type nodes[] = {
    POLLED("keyboard_button", "Keyboard Button", "Starts with a key of the keyboard.", 0,
           NAME("button_name", "Name of the key as on a US keyboard, such as `space`."), BUTTON),
    POLLED("mouse_axis", "Mouse Axis", "Starts when the mouse has moved.", CT_FLOW_AXIS_STATE_BYTES,
           CT_FLOW_IN("axis_name", STRING,
                      "`cursor` (pixels from the top left), `mouse` (its movement) or `wheel`.",
                      .is_constant = true, .default_text = "mouse", .names = mouse_axes),
           CT_FLOW_EVENT_OUT("out", "It has moved."),
           CT_FLOW_OUT("value", VECTOR3, "The value in this frame.")),
    POLLED("mouse_button", "Mouse Button", "Starts with a button of the mouse.", 0,
           NAME("button_name", "Name of the button, such as `left`."), BUTTON),
    POLLED("ps4_button", "PS4 Button", "Starts with a button of a pad, by its names of a PS4.", 0,
           PAD,
           CT_FLOW_IN("button_name", STRING, "Name of the button.", .is_constant = true,
                      .is_required = true, .names = ps4_buttons),
           BUTTON),
    POLLED("ps4_thumbstick", "PS4 Thumbstick", "Starts when a stick of a pad has moved.",
           CT_FLOW_AXIS_STATE_BYTES, STICK),
    POLLED("xbox_button", "Xbox Button", "Starts with a button of a pad.", 0, PAD,
           NAME("button_name", "Name of the button, such as `a` or `left_shoulder`."), BUTTON),
    POLLED("xbox_thumbstick", "Xbox Thumbstick", "Starts when a stick of a pad has moved.",
           CT_FLOW_AXIS_STATE_BYTES, STICK),
};

const ct_flow_node_table ct_flow_nodes_input = {"input", nodes, CT_COUNT_OF(nodes)};
