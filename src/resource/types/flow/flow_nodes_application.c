// Nodes of Application: the program.
#include "resource/types/flow/flow_node_tables.h"

static const ct_flow_node_type nodes[] = {
    {.name = "get_back_buffer_size",
     .menu = "Application > Get Back Buffer Size",
     .doc = "How large the picture is.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(CT_FLOW_OUT("width", NUMBER, "From left to right.", .unit = "pixels"),
                       CT_FLOW_OUT("height", NUMBER, "From top to bottom.", .unit = "pixels"))},
    {.name = "get_build",
     .menu = "Application > Get Build",
     .doc = "Which build of the engine runs.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CT_FLOW_OUT("build", STRING, "`dev`, `release` or `player`."))},
    {.name = "get_platform",
     .menu = "Application > Get Platform",
     .doc = "On which platform the program runs.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CT_FLOW_OUT("platform", STRING, "`linux`."))},
    {.name = "get_time_since_launch",
     .menu = "Application > Get Time Since Launch",
     .doc = "For how long the program has run. It differs from run to run: the world's time comes "
            "from Get Last Delta Time.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CT_FLOW_OUT("time", NUMBER, "Since it began.", .unit = "s"))},
    {.name = "quit",
     .menu = "Application > Quit",
     .doc = "Ends the program after this frame.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("exit_value", NUMBER, "What the program gives back: 0 to 255; 0: all is well."),
         CT_FLOW_EVENT_IN("in", "Ends it."))},
};

const ct_flow_node_table ct_flow_nodes_application = {"application", nodes, CT_COUNT_OF(nodes)};
