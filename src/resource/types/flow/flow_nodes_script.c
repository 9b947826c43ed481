// Nodes of Script: calls of Lua.
#include "resource/types/flow/flow_node_tables.h"

#define ARGUMENTS                                                                                  \
    CT_FLOW_IN("arg1", ANY, "First argument."), CT_FLOW_IN("arg2", ANY, "Second argument."),       \
        CT_FLOW_IN("arg3", ANY, "Third argument."), CT_FLOW_IN("arg4", ANY, "Fourth argument."),   \
        CT_FLOW_IN("arg5", ANY, "Fifth argument."), CT_FLOW_EVENT_IN("in", "Calls it."),           \
        CT_FLOW_EVENT_OUT("out", "It has returned.")

static const ct_flow_node_type nodes[] = {
    {.name = "lua",
     .menu = "Script > Lua",
     .doc = "A node of the project: its .flow_nodes file has the slots, and a function of Lua runs "
            "it.",
     .kind = CT_FLOW_NODE_ACTION,
     .role = CT_FLOW_ROLE_LUA,
     .slots = (const ct_flow_slot[]){{0}}},
    {.name = "script_call_global",
     .menu = "Script > Script Call Global",
     .doc = "Calls a global function of Lua. Arguments behind the last one that is given are left "
            "out.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("function", STRING, "Its name, such as `MyGame.open_door`.",
                                       .is_constant = true, .is_required = true),
                            ARGUMENTS)},
    {.name = "script_do_string",
     .menu = "Script > Script Do String",
     .doc = "Runs Lua. The arguments are `...` there.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("script", STRING, "Some lines of Lua.", .is_constant = true,
                                       .is_required = true),
                            ARGUMENTS)},
};

const ct_flow_node_table ct_flow_nodes_script = {"script", nodes, CT_COUNT_OF(nodes)};
