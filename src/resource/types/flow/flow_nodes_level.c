// Nodes of Level.
#include "resource/types/flow/flow_node_tables.h"

static const ct_flow_node_type nodes[] = {
    {.name = "change_level",
     .menu = "Level > Change Level",
     .doc =
         "Asks the game for another level: calls its global Lua function `change_level` with the "
         "name, as only the game knows what it has to end before.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("name", STRING, "Name of the level.", .is_required = true,
                                       .reference = "level"),
                            CT_FLOW_EVENT_IN("in", "Asks for it."),
                            CT_FLOW_EVENT_OUT("out", "The game has been asked."))},
    {.name = "get_marker_position_rotation",
     .menu = "Level > Get Marker Position Rotation",
     .doc = "Where a marker of the level is, and how it is turned.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(CT_FLOW_IN("marker", STRING, "Name of the marker.", .is_required = true),
                       CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m"),
                       CT_FLOW_OUT("rotation", QUATERNION, "In the world."))},
    {.name = "get_trigger_properties",
     .menu = "Level > Get Trigger Properties",
     .doc = "Where a volume of the level is, and how large.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("volume", STRING, "Name of the volume.", .is_required = true),
         CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m"),
         CT_FLOW_OUT("rotation", QUATERNION, "In the world."),
         CT_FLOW_OUT("radius", VECTOR3,
                     "Half of a box's size without its scale; a sphere's radius, three times.",
                     .unit = "m"),
         CT_FLOW_OUT("scale", VECTOR3, "By what the size is multiplied."))},
    {.name = "trigger_level_flow_event",
     .menu = "Level > Trigger Level Flow Event",
     .doc = "Starts an external in event of the level's graph.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("event", STRING, "Name of the event.", .is_required = true),
                            CT_FLOW_EVENT_IN("in", "Starts it."))},
};

const ct_flow_node_table ct_flow_nodes_level = {"level", nodes, CT_COUNT_OF(nodes)};
