#include "resource/types/flow/flow_node_tables.h"

// clang-format off
#define NODE(node, menu_name, text, ...)                                                           \
    { .name = (node), .menu = "Convert > " menu_name, .doc = (text), .kind = CT_FLOW_NODE_PURE,     \
      .is_foldable = true, .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
// clang-format on

static const ct_flow_node_type nodes[] = {
    NODE("bool_to_numeric", "Bool To Numeric", "Makes 1 of true and 0 of false.",
         CT_FLOW_IN("bool", BOOL, "What to convert."), CT_FLOW_OUT("value", NUMBER, "1 or 0.")),
    NODE("bool_to_string", "Bool To String", "Makes the text true or false.",
         CT_FLOW_IN("bool", BOOL, "What to convert."),
         CT_FLOW_OUT("value", STRING, "\"true\" or \"false\".")),
    NODE("id_to_string", "Id To String", "Writes an id as a text.",
         CT_FLOW_IN("id", ID, "What to convert."),
         CT_FLOW_OUT("value", STRING,
                     "\"#\" and 16 hexadecimal digits. What the id was made of is "
                     "not kept.")),
    NODE("numeric_to_bool", "Numeric To Bool", "Returns whether a number is not 0.",
         CT_FLOW_IN("numeric", NUMBER, "What to convert."),
         CT_FLOW_OUT("value", BOOL, "False for 0, -0 and what is not a number (NaN).")),
    NODE("numeric_to_string", "Numeric To String", "Writes a number as a text.",
         CT_FLOW_IN("numeric", NUMBER, "What to convert."),
         CT_FLOW_OUT("value", STRING,
                     "The shortest text that reads back to the same number: \"3\", "
                     "\"0.1\", \"1e22\"; \"inf\", \"-inf\", \"nan\".")),
    NODE("numeric_to_vector", "Numeric To Vector", "Makes a vector of one number.",
         CT_FLOW_IN("numeric", NUMBER, "What to convert."),
         CT_FLOW_OUT("value", VECTOR3, "The number as x, y and z.")),
    NODE(
        "rotation_to_string", "Rotation To String", "Writes a rotation as a text.",
        CT_FLOW_IN("rotation", QUATERNION, "What to convert.", .default_value = {0, 0, 0, 1}),
        CT_FLOW_OUT("value", STRING,
                    "\"Quaternion(x, y, z, w)\"; each part in its shortest form that reads back.")),
    NODE("string_to_id", "String To Id", "Makes the id of a text, as names of resources have it.",
         CT_FLOW_IN("string", STRING, "What to convert."),
         CT_FLOW_OUT("value", ID, "The 64-bit hash of the text; 0 for the empty text.")),
    NODE("vector_to_string", "Vector To String", "Writes a vector as a text.",
         CT_FLOW_IN("vector", VECTOR3, "What to convert."),
         CT_FLOW_OUT("value", STRING,
                     "\"Vector3(x, y, z)\"; each part in its shortest form that reads back.")),
};

const ct_flow_node_table ct_flow_nodes_convert = {"convert", nodes, CT_COUNT_OF(nodes)};
