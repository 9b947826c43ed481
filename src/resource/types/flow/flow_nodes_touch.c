// Nodes of Input > Touch: fingers on a touch panel.
#include "resource/types/flow/flow_node_tables.h"

#define CONTACT CT_FLOW_IN("contact", NUMBER, "Number of the contact; 0: the oldest.")

static const ct_flow_node_type nodes[] = {
    {.name = "get_num_touch_contacts",
     .menu = "Input > Touch > Get Num Touch Contacts",
     .doc = "How many fingers touch the panel.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CT_FLOW_OUT("value", NUMBER, "Also those that leave in this frame."))},
    {.name = "get_touch_delta_position",
     .menu = "Input > Touch > Get Touch Delta Position",
     .doc = "How far a finger moved in this frame.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         CONTACT, CT_FLOW_OUT("delta_position", VECTOR3, "y points down.", .unit = "pixels"))},
    {.name = "get_touch_position",
     .menu = "Input > Touch > Get Touch Position",
     .doc = "Where a finger is.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         CONTACT, CT_FLOW_OUT("position", VECTOR3, "From the top left.", .unit = "pixels"))},
    {.name = "get_touch_pressure",
     .menu = "Input > Touch > Get Touch Pressure",
     .doc = "How hard a finger presses.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CONTACT, CT_FLOW_OUT("pressure", NUMBER, "From 0 to 1."))},
    {.name = "is_primary_touch",
     .menu = "Input > Touch > Is Primary Touch",
     .doc = "Whether a finger is the one that has touched the panel longest.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CONTACT, CT_FLOW_OUT("value", BOOL, "Whether it is."))},
    {.name = "touch_contact",
     .menu = "Input > Touch > Touch Contact",
     .doc = "Starts for each finger on the panel, the oldest first.",
     .kind = CT_FLOW_NODE_ENTRY,
     .is_polled = true,
     .slots = CT_FLOW_SLOTS(CT_FLOW_EVENT_OUT("pressed", "It came down in this frame."),
                            CT_FLOW_EVENT_OUT("released", "It left in this frame."),
                            CT_FLOW_EVENT_OUT("held", "It is on the panel."),
                            CT_FLOW_EVENT_OUT("moved", "It moved in this frame."),
                            CT_FLOW_EVENT_OUT("stationary", "It did not move in this frame."),
                            CT_FLOW_OUT("contact", NUMBER, "Its number."))},
};

const ct_flow_node_table ct_flow_nodes_touch = {"touch", nodes, CT_COUNT_OF(nodes)};
