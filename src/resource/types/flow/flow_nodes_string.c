#include "resource/types/flow/flow_node_tables.h"

// clang-format off
#define NODE(node, menu_name, text, ...)                                                           \
    { .name = (node), .menu = "Utilities > String > " menu_name, .doc = (text),                     \
      .kind = CT_FLOW_NODE_PURE, .is_foldable = true, .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
// clang-format on
#define A_AND_B                                                                                    \
    CT_FLOW_IN("a", STRING, "The first text."), CT_FLOW_IN("b", STRING, "The second text.")

static const ct_flow_node_type nodes[] = {
    NODE("string_concatenate", "Concatenate", "Joins two texts.", A_AND_B,
         CT_FLOW_OUT("value", STRING,
                     "a, then b. At most 239 bytes: what is longer is cut after a whole "
                     "character.")),
    NODE("string_equal", "Equal", "Returns whether two texts are the same.", A_AND_B,
         CT_FLOW_OUT("value", BOOL, "True when all bytes are the same; case counts.")),
    NODE("string_length", "Length", "Counts the characters of a text.",
         CT_FLOW_IN("string", STRING, "The text."),
         CT_FLOW_OUT("value", NUMBER, "Number of code points, not of bytes.")),
    NODE("string_not_equal", "Not Equal", "Returns whether two texts differ.", A_AND_B,
         CT_FLOW_OUT("value", BOOL, "False when all bytes are the same.")),
};

const ct_flow_node_table ct_flow_nodes_string = {"string", nodes, CT_COUNT_OF(nodes)};
