// Nodes of Unit > Data: values that a unit keeps in its component `data`, by key.
#include "resource/types/flow/flow_node_tables.h"

#define OF_UNIT                                                                                    \
    CT_FLOW_IN("unit", UNIT, "The unit; without a link the graph's own."),                         \
        CT_FLOW_IN("key", STRING, "The key, such as `health` or `stats/health`.",                  \
                   .is_required = true)
#define VALUE "The value that the key has."

// clang-format off
#define GET(node, menu_name, text, slot_type)                                                      \
    { .name = "get_unit_" node "_data", .menu = "Unit > Data > Get Unit " menu_name " Data",        \
      .doc = (text), .kind = CT_FLOW_NODE_PURE,                                                    \
      .slots = CT_FLOW_SLOTS(OF_UNIT, CT_FLOW_OUT("value", slot_type, VALUE)) }
#define SET(node, menu_name, text, slot_type, ...)                                                 \
    { .name = "set_unit_" node "_data", .menu = "Unit > Data > Set Unit " menu_name " Data",        \
      .doc = (text), .kind = CT_FLOW_NODE_ACTION,                                                  \
      .slots = CT_FLOW_SLOTS(OF_UNIT, CT_FLOW_IN("value", slot_type, __VA_ARGS__),                 \
                             CT_FLOW_EVENT_IN("in", "Sets it."),                                   \
                             CT_FLOW_EVENT_OUT("out", "It is set.")) }
// clang-format on

static const ct_flow_node_type nodes[] = {
    GET("bool", "Bool", "A true or false of a unit's data; false without the key.", BOOL),
    GET("id", "Id", "An id of a unit's data; 0 without the key.", ID),
    GET("numeric", "Numeric", "A number of a unit's data; 0 without the key.", NUMBER),
    GET("rotation", "Rotation", "A rotation of a unit's data; none without the key.", QUATERNION),
    GET("string", "String", "A text of a unit's data; nothing without the key.", STRING),
    GET("vector", "Vector", "A vector of a unit's data; 0 without the key.", VECTOR3),
    SET("bool", "Bool", "Sets a true or false of a unit's data.", BOOL, "The new value."),
    SET("id", "Id", "Sets an id of a unit's data, kept as four numbers of 16 bits.", ID,
        "The new value."),
    SET("numeric", "Numeric", "Sets a number of a unit's data, kept as a float.", NUMBER,
        "The new value."),
    SET("rotation", "Rotation", "Sets a rotation of a unit's data, kept as four numbers.",
        QUATERNION, "The new value.", .default_value = {0, 0, 0, 1}),
    SET("string", "String", "Sets a text of a unit's data.", STRING, "The new value."),
    SET("vector", "Vector", "Sets a vector of a unit's data, kept as three numbers.", VECTOR3,
        "The new value."),
};

const ct_flow_node_table ct_flow_nodes_unit_data = {"unit_data", nodes, CT_COUNT_OF(nodes)};
