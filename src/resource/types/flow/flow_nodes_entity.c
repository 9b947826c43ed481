// Nodes of Entity: poses and spawning. An entity of a level or package is a unit.
#include "resource/types/flow/flow_node_tables.h"

#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")
#define ENTITY CT_FLOW_IN("entity", ENTITY, "The entity; without a link the graph's own unit.")

static const ct_flow_node_type nodes[] = {
    {.name = "entity_resource",
     .menu = "Entity > Entity Resource",
     .doc = "Gives the name of a unit resource.",
     .kind = CT_FLOW_NODE_PURE,
     .role = CT_FLOW_ROLE_CONSTANT,
     .slots =
         CT_FLOW_SLOTS(CT_FLOW_IN("resource", STRING, "Name of the unit resource.",
                                  .is_constant = true, .is_required = true, .reference = "unit"),
                       CT_FLOW_OUT("resource", STRING, "The name that the node was given."))},
    {.name = "get_entity_local_position",
     .menu = "Entity > Get Entity Local Position",
     .doc = "Where an entity is in its parent's space.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         ENTITY, CT_FLOW_OUT("position", VECTOR3, "Relative to its parent.", .unit = "m"))},
    {.name = "get_entity_local_rotation",
     .menu = "Entity > Get Entity Local Rotation",
     .doc = "How an entity is turned in its parent's space.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(ENTITY, CT_FLOW_OUT("rotation", QUATERNION, "Relative to its parent."))},
    {.name = "get_entity_unit",
     .menu = "Entity > Get Entity Unit",
     .doc = "The unit that an entity is the root of, or a part of.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(ENTITY, CT_FLOW_OUT("unit", UNIT, "The unit; none for others."))},
    {.name = "get_entity_world_position",
     .menu = "Entity > Get Entity World Position",
     .doc = "Where an entity is.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(ENTITY, CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m"))},
    {.name = "get_entity_world_rotation",
     .menu = "Entity > Get Entity World Rotation",
     .doc = "How an entity is turned.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(ENTITY, CT_FLOW_OUT("rotation", QUATERNION, "In the world."))},
    {.name = "set_entity_local_position",
     .menu = "Entity > Set Entity Local Position",
     .doc = "Puts an entity somewhere in its parent's space.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         ENTITY, CT_FLOW_IN("position", VECTOR3, "Relative to its parent.", .unit = "m"), ACTS)},
    {.name = "set_entity_local_rotation",
     .menu = "Entity > Set Entity Local Rotation",
     .doc = "Turns an entity in its parent's space.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(ENTITY,
                            CT_FLOW_IN("rotation", QUATERNION, "Relative to its parent.",
                                       .default_value = {0, 0, 0, 1}),
                            ACTS)},
    {.name = "set_entity_world_position",
     .menu = "Entity > Set Entity World Position",
     .doc = "Puts an entity somewhere.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(ENTITY, CT_FLOW_IN("position", VECTOR3, "In the world.", .unit = "m"),
                            ACTS)},
    {.name = "set_entity_world_rotation",
     .menu = "Entity > Set Entity World Rotation",
     .doc = "Turns an entity.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         ENTITY, CT_FLOW_IN("rotation", QUATERNION, "In the world.", .default_value = {0, 0, 0, 1}),
         ACTS)},
    {.name = "spawn_entity",
     .menu = "Entity > Spawn Entity",
     .doc = "Spawns a unit where its resource says, and ends it again.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots =
         CT_FLOW_SLOTS(CT_FLOW_IN("entity", STRING, "Name of the unit resource.",
                                  .is_constant = true, .is_required = true, .reference = "unit"),
                       CT_FLOW_EVENT_IN("spawn", "Spawns one."),
                       CT_FLOW_EVENT_IN("unspawn", "Ends the one that was spawned last."),
                       CT_FLOW_OUT("spawned_entity", ENTITY, "The one that was spawned last."),
                       CT_FLOW_EVENT_OUT("spawned", "It is there."),
                       CT_FLOW_EVENT_OUT("unspawned", "It is gone."))},
};

const ct_flow_node_table ct_flow_nodes_entity = {"entity", nodes, CT_COUNT_OF(nodes)};
