#include "resource/types/flow/flow_node_tables.h"

static const ct_flow_node_type nodes[] = {
    {.name = "get_last_delta_time",
     .menu = "Utilities > Time > Get Last Delta Time",
     .doc = "Returns how long the last step of the world was.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CT_FLOW_OUT("time", NUMBER, "Its time.", .unit = "s"))},
};

const ct_flow_node_table ct_flow_nodes_time = {"time", nodes, CT_COUNT_OF(nodes)};
