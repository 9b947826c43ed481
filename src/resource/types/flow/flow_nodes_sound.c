// Nodes of Sound. Stingray's are those of Wwise; these are Cuttle's own.
#include "resource/types/component/sound_source_data.h"
#include "resource/types/flow/flow_node_states.h"
#include "resource/types/flow/flow_node_tables.h"

#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")

static const ct_flow_node_type nodes[] = {
    {.name = "play_sound",
     .menu = "Sound > Play Sound",
     .doc = "Plays a sound event, at a unit or without a place.",
     .kind = CT_FLOW_NODE_ACTION,
     .state_bytes = CT_FLOW_WAIT_STATE_BYTES,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("event", STRING, "Name of the sound event.", .is_constant = true,
                    .is_required = true, .reference = "sound_event"),
         CT_FLOW_IN("unit", UNIT, "The unit; without a link the graph's own."),
         CT_FLOW_IN("object", STRING, "Name of a node of the unit; nothing: the unit itself."),
         CT_FLOW_IN("linked", BOOL,
                    "It plays at the unit and follows it. Otherwise, and without a unit, it has no "
                    "place, like music.",
                    .default_value = {1}),
         CT_FLOW_IN("offset", VECTOR3, "Where a linked one is from the node.", .unit = "m"),
         CT_FLOW_IN("volume", NUMBER, "A factor, from 0 to 16.", .default_value = {1}),
         CT_FLOW_IN("orphaned_policy", STRING, "What a linked one does when the unit is gone.",
                    .default_text = "stop", .names = ct_sound_orphaned_names),
         CT_FLOW_EVENT_IN("play", "Starts it. One that plays goes on."),
         CT_FLOW_EVENT_IN("stop", "Stops the one that was started last, as the event says."),
         CT_FLOW_OUT("instance", NUMBER, "The one that was started last; 0: none."),
         CT_FLOW_EVENT_OUT("played", "It plays, unless the event's limits forbid it."),
         CT_FLOW_EVENT_OUT("stopped", "It fades out."),
         CT_FLOW_EVENT_OUT("ended", "The one that was started last is silent. When this is linked, "
                                    "the node looks in each step while a sound plays."))},
    {.name = "set_bus_volume",
     .menu = "Sound > Set Bus Volume",
     .doc = "Sets a player's volume of a bus, which the user's settings keep.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots =
         CT_FLOW_SLOTS(CT_FLOW_IN("bus", STRING, "Name of the bus.", .is_required = true),
                       CT_FLOW_IN("volume", NUMBER, "From 0 to 1.", .default_value = {1}), ACTS)},
    {.name = "set_global_sound_parameter",
     .menu = "Sound > Set Global Sound Parameter",
     .doc = "Sets a parameter of all sounds that have no value of their own for it.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("parameter", STRING, "Name of the parameter.", .is_required = true),
         CT_FLOW_IN("value", NUMBER, "The number."), ACTS)},
    {.name = "set_sound_parameter",
     .menu = "Sound > Set Sound Parameter",
     .doc = "Sets a parameter of a sound that plays.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("instance", NUMBER, "What play_sound has started."),
         CT_FLOW_IN("parameter", STRING, "Name of the parameter.", .is_required = true),
         CT_FLOW_IN("value", NUMBER, "The number."), ACTS)},
};

const ct_flow_node_table ct_flow_nodes_sound = {"sound", nodes, CT_COUNT_OF(nodes)};
