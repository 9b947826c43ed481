#include "resource/types/flow/flow_node_tables.h"

#define NAME(text) CT_FLOW_IN("name", STRING, text, .is_constant = true, .is_required = true)
#define SLOT_NAME NAME("Name of the slot.")

// clang-format off
#define INPUT(node, menu_name, slot, slot_type)                                                    \
    { .name = "external_input_" node, .menu = "External > Input > External Input " menu_name,      \
      .doc = "What the graph gets from outside, by name.", .kind = CT_FLOW_NODE_PURE,              \
      .role = CT_FLOW_ROLE_GRAPH_INPUT,                                                            \
      .slots = CT_FLOW_SLOTS(SLOT_NAME, CT_FLOW_OUT(slot, slot_type, "The value.")) }
#define OUTPUT(node, menu_name, slot, slot_type, ...)                                              \
    { .name = "external_output_" node, .menu = "External > Output > External Output " menu_name,   \
      .doc = "What others get from the graph, by name.", .kind = CT_FLOW_NODE_PURE,                \
      .role = CT_FLOW_ROLE_GRAPH_OUTPUT,                                                           \
      .slots = CT_FLOW_SLOTS(SLOT_NAME, CT_FLOW_IN(slot, slot_type, "The value.", __VA_ARGS__)) }
// clang-format on

static const ct_flow_node_type nodes[] = {
    {.name = "external_in_event",
     .menu = "External > External In Event",
     .doc = "Starts when a script, another graph or the graph around this one starts the event.",
     .kind = CT_FLOW_NODE_ENTRY,
     .role = CT_FLOW_ROLE_GRAPH_EVENT_IN,
     .slots = CT_FLOW_SLOTS(NAME("Name of the event."),
                            CT_FLOW_EVENT_OUT("out", "When the event starts."))},
    {.name = "external_out_event",
     .menu = "External > External Out Event",
     .doc = "Goes on in the graph around this one; of a unit or level, sends the event to scripts.",
     .kind = CT_FLOW_NODE_ACTION,
     .role = CT_FLOW_ROLE_GRAPH_EVENT_OUT,
     .slots = CT_FLOW_SLOTS(NAME("Name of the event."), CT_FLOW_EVENT_IN("in", "Goes on there."))},
    INPUT("actor", "Actor", "actor", ACTOR),
    INPUT("boolean", "Boolean", "boolean", BOOL),
    INPUT("camera", "Camera", "camera", CAMERA),
    INPUT("entity", "Entity", "entity", ENTITY),
    INPUT("id", "Id", "id_value", ID),
    INPUT("light", "Light", "light", LIGHT),
    INPUT("material", "Material", "material", MATERIAL),
    INPUT("mesh", "Mesh", "mesh", MESH),
    INPUT("mover", "Mover", "mover", MOVER),
    INPUT("numeric", "Numeric", "numeric", NUMBER),
    INPUT("quaternion", "Quaternion", "quaternion", QUATERNION),
    INPUT("string", "String", "string", STRING),
    INPUT("unit", "Unit", "unit", UNIT),
    INPUT("vector_3", "Vector 3", "vector3", VECTOR3),
    {.name = "level_event",
     .menu = "External > Level Event",
     .doc = "Sends an event of the level to scripts.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(NAME("Name of the event."), CT_FLOW_EVENT_IN("in", "Sends it."))},
    OUTPUT("actor", "Actor", "actor", ACTOR, .is_required = false),
    OUTPUT("boolean", "Boolean", "boolean", BOOL, .is_required = false),
    OUTPUT("camera", "Camera", "camera", CAMERA, .is_required = false),
    OUTPUT("entity", "Entity", "entity", ENTITY, .is_required = false),
    OUTPUT("id", "Id", "id_value", ID, .is_required = false),
    OUTPUT("light", "Light", "light", LIGHT, .is_required = false),
    OUTPUT("material", "Material", "material", MATERIAL, .is_required = false),
    OUTPUT("mesh", "Mesh", "mesh", MESH, .is_required = false),
    OUTPUT("mover", "Mover", "mover", MOVER, .is_required = false),
    OUTPUT("numeric", "Numeric", "numeric", NUMBER, .is_required = false),
    OUTPUT("quaternion", "Quaternion", "quaternion", QUATERNION, .default_value = {0, 0, 0, 1}),
    OUTPUT("string", "String", "string", STRING, .is_required = false),
    OUTPUT("unit", "Unit", "unit", UNIT, .is_required = false),
    OUTPUT("vector_3", "Vector 3", "vector3", VECTOR3, .is_required = false),
    {.name = "graph",
     .menu = "External > Flow Subroutine",
     .doc = "Another graph as a node: its external events and values are the slots.",
     .kind = CT_FLOW_NODE_ACTION,
     .role = CT_FLOW_ROLE_GRAPH,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_EVENT_IN("enable", "External events in lead into the graph again, as at first."),
         CT_FLOW_EVENT_IN("disable", "External events in do nothing from now on. What waits in "
                                     "the graph goes on."))},
};

const ct_flow_node_table ct_flow_nodes_external = {"external", nodes, CT_COUNT_OF(nodes)};
