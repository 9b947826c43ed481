#include "resource/types/flow/flow_node_tables.h"

// clang-format off
#define NODE(node, menu_name, text, ...)                                                           \
    { .name = (node), .menu = "Event > " menu_name, .doc = (text), .kind = CT_FLOW_NODE_ENTRY,      \
      .slots = CT_FLOW_SLOTS(__VA_ARGS__) }
// clang-format on

#define OUT CT_FLOW_EVENT_OUT("out", "When it happens.")
#define ENTITY OUT, CT_FLOW_OUT("entity", ENTITY, "The entity.")
#define UNIT OUT, CT_FLOW_OUT("unit", UNIT, "The unit.")

static const ct_flow_node_type nodes[] = {
    NODE("entity_spawned", "Entity Spawned", "Starts when the entity was spawned.", ENTITY),
    NODE("entity_spawned_editor", "Entity Spawned Editor",
         "Starts when an editor has made the entity; never in a game.", ENTITY),
    NODE("entity_unspawned", "Entity Unspawned",
         "Starts before the entity is destroyed. Nodes that spawn do nothing then.", ENTITY),
    NODE("entity_unspawned_editor", "Entity Unspawned Editor",
         "Starts before an editor removes the entity; never in a game.", ENTITY),
    NODE("level_loaded", "Level Loaded",
         "Starts when all units of the level were spawned, in the graph of the level.", OUT),
    NODE("level_shutdown", "Level Shutdown",
         "Starts before the level is destroyed, in the graph of the level.", OUT),
    {.name = "level_update",
     .menu = "Event > Level Update",
     .doc = "Starts in each step of the world.",
     .kind = CT_FLOW_NODE_ENTRY,
     .is_polled = true,
     .slots = CT_FLOW_SLOTS(OUT)},
    NODE("unit_spawned", "Unit Spawned", "Starts when the unit was spawned.", UNIT),
    NODE("unit_spawned_editor", "Unit Spawned Editor",
         "Starts when an editor has made the unit; never in a game.", UNIT),
    NODE("unit_unspawned", "Unit Unspawned",
         "Starts before the unit is destroyed. Nodes that spawn do nothing then.", UNIT),
    NODE("unit_unspawned_editor", "Unit Unspawned Editor",
         "Starts before an editor removes the unit; never in a game.", UNIT),
};

const ct_flow_node_table ct_flow_nodes_event = {"event", nodes, CT_COUNT_OF(nodes)};
