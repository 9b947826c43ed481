#include "resource/types/flow/flow_node_tables.h"

static const char *const scopes[] = {"graph", "level", "global", NULL};

#define NAME                                                                                       \
    CT_FLOW_IN("name", STRING, "Name of the variable.", .is_constant = true, .is_required = true)
#define SCOPE                                                                                      \
    CT_FLOW_IN("scope", STRING,                                                                    \
               "Whose variable: of this graph's instance, of the graph of its level, or one that " \
               "all graphs of the world share.",                                                   \
               .is_constant = true, .default_text = "graph", .names = scopes)

#define GET_SLOTS(slot, slot_type)                                                                 \
    .slots = CT_FLOW_SLOTS(NAME, SCOPE, CT_FLOW_OUT(slot, slot_type, "Its value."))
#define SET_SLOTS(slot, slot_type, ...)                                                            \
    .slots = CT_FLOW_SLOTS(CT_FLOW_IN(slot, slot_type, "Its new value.", __VA_ARGS__), NAME,       \
                           SCOPE, CT_FLOW_EVENT_IN("set", "Changes it."),                          \
                           CT_FLOW_EVENT_OUT("out", "Afterwards."))

// The second of each two is what the compiler puts in the place of the first when the scope is not the
// graph: it finds the variable by its name, at run time.
// clang-format off
#define GET(node, menu_name, slot, slot_type)                                                      \
    { .name = "get_" node "_variable", .menu = "Variable > Get " menu_name " Variable",            \
      .doc = "Reads a variable.", .kind = CT_FLOW_NODE_PURE, .role = CT_FLOW_ROLE_GET_VARIABLE,    \
      GET_SLOTS(slot, slot_type) },                                                                \
    { .name = "get_" node "_variable_of_scope",                                                    \
      .menu = "Variable > Scope > Get " menu_name " Variable",                                     \
      .doc = "Reads a variable of another scope.", .kind = CT_FLOW_NODE_PURE,                      \
      GET_SLOTS(slot, slot_type) }
#define SET(node, menu_name, slot, slot_type, ...)                                                 \
    { .name = "set_" node "_variable", .menu = "Variable > Set " menu_name " Variable",            \
      .doc = "Changes a variable.", .kind = CT_FLOW_NODE_ACTION,                                   \
      .role = CT_FLOW_ROLE_SET_VARIABLE, SET_SLOTS(slot, slot_type, __VA_ARGS__) },                \
    { .name = "set_" node "_variable_of_scope",                                                    \
      .menu = "Variable > Scope > Set " menu_name " Variable",                                     \
      .doc = "Changes a variable of another scope.", .kind = CT_FLOW_NODE_ACTION,                  \
      SET_SLOTS(slot, slot_type, __VA_ARGS__) }
// clang-format on

static const ct_flow_node_type nodes[] = {
    GET("bool", "Bool", "bool", BOOL),
    GET("entity", "Entity", "entity", ENTITY),
    GET("id", "Id", "id", ID),
    GET("numeric", "Numeric", "numeric", NUMBER),
    GET("rotation", "Rotation", "rotation", QUATERNION),
    GET("string", "String", "string", STRING),
    GET("unit", "Unit", "unit", UNIT),
    GET("vector", "Vector", "vector", VECTOR3),
    SET("bool", "Bool", "bool", BOOL, .is_required = false),
    SET("entity", "Entity", "entity", ENTITY, .is_required = false),
    SET("id", "Id", "id", ID, .is_required = false),
    SET("numeric", "Numeric", "numeric", NUMBER, .is_required = false),
    SET("rotation", "Rotation", "rotation", QUATERNION, .default_value = {0, 0, 0, 1}),
    SET("string", "String", "string", STRING, .is_required = false),
    SET("unit", "Unit", "unit", UNIT, .is_required = false),
    SET("vector", "Vector", "vector", VECTOR3, .is_required = false),
};

const ct_flow_node_table ct_flow_nodes_variable = {"variable", nodes, CT_COUNT_OF(nodes)};
