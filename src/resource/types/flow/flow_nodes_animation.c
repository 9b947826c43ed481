// Nodes of Animation: characters.
#include "resource/types/flow/flow_node_states.h"
#include "resource/types/flow/flow_node_tables.h"

#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")
#define UNIT CT_FLOW_IN("unit", UNIT, "The character; without a link the graph's own unit.")
#define VARIABLE CT_FLOW_IN("variable", STRING, "Name of the variable.", .is_required = true)

static const ct_flow_node_type nodes[] = {
    {.name = "get_animation_clip_resource",
     .menu = "Animation > Get Animation Clip Resource",
     .doc = "Gives the name of a clip.",
     .kind = CT_FLOW_NODE_PURE,
     .role = CT_FLOW_ROLE_CONSTANT,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("resource", STRING, "Name of the clip.", .is_constant = true,
                                       .is_required = true, .reference = "animation"),
                            CT_FLOW_OUT("resource", STRING, "The name that the node was given."))},
    {.name = "get_animation_controller_variable",
     .menu = "Animation > Get Animation Controller Variable",
     .doc = "A variable of a character's state machine.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(UNIT, VARIABLE, CT_FLOW_OUT("value", NUMBER, "What it is now."))},
    {.name = "get_unit_animation_controller_root_motion",
     .menu = "Animation > Get Unit Animation Controller Root Motion",
     .doc = "How the root of a character moved in the last step.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         UNIT, ACTS,
         CT_FLOW_OUT("delta_position", VECTOR3, "By how much, in the unit's space.", .unit = "m"),
         CT_FLOW_OUT("delta_rotation", QUATERNION, "By how much it turned."),
         CT_FLOW_OUT("desired_position", VECTOR3,
                     "Where the unit would be by all of it, in its parent's space.", .unit = "m"),
         CT_FLOW_OUT("desired_rotation", QUATERNION, "How it would be turned there."))},
    {.name = "get_unit_animation_extra_curve_value",
     .menu = "Animation > Get Unit Animation Extra Curve Value",
     .doc = "The value of a curve of the clips that a character plays.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("object", STRING, "Name of the object in the clip.", .is_required = true),
         CT_FLOW_IN("parameter", STRING, "Name of its parameter.", .is_required = true), UNIT, ACTS,
         CT_FLOW_OUT("exists", BOOL, "Whether a clip that plays has the curve."),
         CT_FLOW_OUT("float_value", NUMBER, "Its value by the weights of the clips; 0 if not."))},
    {.name = "on_animation_controller_flow_events",
     .menu = "Animation > On Animation Controller Flow Events",
     .doc =
         "Starts when an animation of the graph's own unit has an event. Put one for each event.",
     .kind = CT_FLOW_NODE_ENTRY,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("name", STRING, "Name of the event.", .is_constant = true, .is_required = true),
         CT_FLOW_EVENT_OUT("out", "When it happens."))},
    {.name = "play_animation_clip",
     .menu = "Animation > Play Animation Clip",
     .doc = "Plays a clip on a character without a state machine.",
     .kind = CT_FLOW_NODE_ACTION,
     .state_bytes = CT_FLOW_CLIP_STATE_BYTES,
     .slots = CT_FLOW_SLOTS(
         UNIT,
         CT_FLOW_IN("animation", ID, "Name of the clip.", .is_required = true,
                    .reference = "animation"),
         CT_FLOW_IN("speed", NUMBER, "How fast; below 0: backwards.", .default_value = {1}),
         CT_FLOW_IN("blendtime", NUMBER, "How long it takes to fade to it.", .unit = "s"),
         CT_FLOW_IN("loop", BOOL, "It starts again at its end.", .default_value = {1}),
         CT_FLOW_EVENT_IN("play", "Fades to it."),
         CT_FLOW_EVENT_IN("stop", "It goes back to its start and stays there."),
         CT_FLOW_EVENT_IN("pause", "It stays where it is."),
         CT_FLOW_EVENT_IN("resume", "It goes on, with the speed."),
         CT_FLOW_EVENT_OUT("played", "It plays."), CT_FLOW_EVENT_OUT("stopped", "It has stopped."),
         CT_FLOW_EVENT_OUT("paused", "It pauses."), CT_FLOW_EVENT_OUT("resumed", "It goes on."))},
    {.name = "send_animation_controller_event",
     .menu = "Animation > Send Animation Controller Event",
     .doc = "Sends an event to a character's state machine.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         UNIT, CT_FLOW_IN("event", STRING, "Name of the event.", .is_required = true), ACTS)},
    {.name = "set_animation_controller_variable",
     .menu = "Animation > Set Animation Controller Variable",
     .doc = "Sets a variable of a character's state machine.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(UNIT, VARIABLE, CT_FLOW_IN("value", NUMBER, "The new value."), ACTS)},
};

const ct_flow_node_table ct_flow_nodes_animation = {"animation", nodes, CT_COUNT_OF(nodes)};
