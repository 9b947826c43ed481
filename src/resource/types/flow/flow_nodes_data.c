#include "resource/types/flow/flow_node_tables.h"

// clang-format off
#define DATA(node, menu_name, text, ...)                                                           \
    { .name = (node), .menu = "Data > " menu_name, .doc = (text), .kind = CT_FLOW_NODE_PURE,        \
      .role = CT_FLOW_ROLE_CONSTANT, .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
#define OF_LEVEL(node, menu_name, text, ...)                                                       \
    { .name = (node), .menu = "Data > " menu_name, .doc = (text), .kind = CT_FLOW_NODE_PURE,        \
      .role = CT_FLOW_ROLE_LEVEL_UNIT, .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
// clang-format on

static const ct_flow_node_type nodes[] = {
    DATA("boolean_data", "Boolean Data", "Gives a fixed true or false.",
         CT_FLOW_IN("value", BOOL, "What the node gives.", .is_constant = true),
         CT_FLOW_OUT("value", BOOL, "The value that the node was given.")),
    OF_LEVEL("entity_instance", "Entity Instance", "Gives a unit of the level as an entity.",
             CT_FLOW_IN("entity", STRING, "The `id` of the unit in the level.", .is_constant = true,
                        .is_required = true),
             CT_FLOW_OUT("entity", ENTITY, "The root of the unit; no entity when it is gone.")),
    DATA("id_data", "Id Data", "Gives the id of a fixed text.",
         CT_FLOW_IN("value", ID, "The text whose id the node gives.", .is_constant = true),
         CT_FLOW_OUT("value", ID, "The 64-bit hash of the text.")),
    OF_LEVEL("level_unit", "Level Unit", "Gives a unit of the level.",
             CT_FLOW_IN("unit", STRING, "The `id` of the unit in the level.", .is_constant = true,
                        .is_required = true),
             CT_FLOW_OUT("unit", UNIT, "The unit; no unit when it is gone.")),
    DATA("numeric_data", "Numeric Data", "Gives a fixed number.",
         CT_FLOW_IN("value", NUMBER, "What the node gives.", .is_constant = true),
         CT_FLOW_OUT("value", NUMBER, "The value that the node was given.")),
    DATA("resource_data", "Resource Data", "Gives the name of a resource of any type.",
         CT_FLOW_IN("set", STRING,
                    "Name of the resource without its type. As the type is not known, packages "
                    "do not include the resource for this node.",
                    .is_constant = true),
         CT_FLOW_OUT("value", STRING, "The name that the node was given.")),
    DATA("string_data", "String Data", "Gives a fixed text.",
         CT_FLOW_IN("value", STRING, "What the node gives.", .is_constant = true),
         CT_FLOW_OUT("value", STRING, "The value that the node was given.")),
    DATA("vector_3_data", "Vector 3Data", "Gives a fixed vector.",
         CT_FLOW_IN("value", VECTOR3, "What the node gives.", .is_constant = true),
         CT_FLOW_OUT("value", VECTOR3, "The value that the node was given.")),
};

const ct_flow_node_table ct_flow_nodes_data = {"data", nodes, CT_COUNT_OF(nodes)};
