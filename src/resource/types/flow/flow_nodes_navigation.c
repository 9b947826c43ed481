// Nodes of Navigation: agents, paths and places, switches; and the events of agents.
#include "resource/types/flow/flow_node_states.h"
#include "resource/types/flow/flow_node_tables.h"

#define AGENT CT_FLOW_IN("unit", UNIT, "Unit with the agent; without a link the graph's own.")
#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")
#define CLASS                                                                                      \
    CT_FLOW_IN("class", STRING, "Class of agents whose mesh it is; \"\": the first of each mesh.")
#define FROM CT_FLOW_IN("from", VECTOR3, "Where it starts, in the world.", .unit = "m")
#define TO CT_FLOW_IN("to", VECTOR3, "Where it leads, in the world.", .unit = "m")
#define OF_LEVEL                                                                                   \
    " In the meshes of the graph's level, of all classes; in all of the world for graphs of no "   \
    "level."

static const ct_flow_node_type nodes[] = {
    {.name = "navigation_agent_event",
     .menu = "Event > Navigation Agent",
     .doc = "Starts after each step in which something happened to the agent of the unit.",
     .kind = CT_FLOW_NODE_ENTRY,
     .state_bytes = CT_FLOW_NAVIGATION_STATE_BYTES,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_EVENT_OUT("arrived", "It is at its goal."),
         CT_FLOW_EVENT_OUT("failed", "There is no path, or it is at the end of one that does not "
                                     "lead to the goal."),
         CT_FLOW_EVENT_OUT("link_started", "It starts a link."),
         CT_FLOW_EVENT_OUT("stuck", "It has not come nearer for 2 seconds; it searches again."),
         CT_FLOW_OUT("kind", STRING, "The kind of the link."),
         CT_FLOW_OUT("from", VECTOR3, "Where the link starts, in the world.", .unit = "m"),
         CT_FLOW_OUT("to", VECTOR3, "Where the link leads, in the world.", .unit = "m"))},
    {.name = "end_navigation_link",
     .menu = "Navigation > Agent > End Navigation Link",
     .doc = "Ends the link that an agent is on, which the game has played: it walks on from where "
            "its unit is.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(AGENT, ACTS)},
    {.name = "get_navigation_agent",
     .menu = "Navigation > Agent > Get Navigation Agent",
     .doc = "What an agent does.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         AGENT,
         CT_FLOW_OUT("state", STRING,
                     "idle, searching, walking, on_link, arrived, failed, or off: on no mesh."),
         CT_FLOW_OUT("velocity", VECTOR3, "How it moves.", .unit = "m/s"),
         CT_FLOW_OUT("has_goal", BOOL, "Whether it has a goal."),
         CT_FLOW_OUT("goal", VECTOR3, "The goal, in the world.", .unit = "m"))},
    {.name = "move_navigation_agent",
     .menu = "Navigation > Agent > Move Navigation Agent",
     .doc = "Sends an agent to a goal: it searches a path and walks.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         AGENT, CT_FLOW_IN("goal", VECTOR3, "Where it goes, in the world.", .unit = "m"), ACTS)},
    {.name = "set_navigation_agent_speed",
     .menu = "Navigation > Agent > Set Navigation Agent Speed",
     .doc = "Sets the highest speed of an agent.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         AGENT,
         CT_FLOW_IN("speed", NUMBER, "From 0 to 1000.", .default_value = {1.5}, .unit = "m/s"),
         ACTS)},
    {.name = "stop_navigation_agent",
     .menu = "Navigation > Agent > Stop Navigation Agent",
     .doc = "Ends the walk of an agent. On a link it stops at its end.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(AGENT, ACTS)},
    {.name = "find_navigation_path",
     .menu = "Navigation > Mesh > Find Navigation Path",
     .doc = "Finds the shortest path over a mesh, at once.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CLASS, FROM, TO, CT_FLOW_EVENT_IN("in", "Searches."),
         CT_FLOW_EVENT_OUT("found", "There is a path."),
         CT_FLOW_EVENT_OUT("not_found", "There is no path, or an end is off the mesh."),
         CT_FLOW_OUT("length", NUMBER, "Of the path. It changes only when one is found.",
                     .unit = "m"))},
    {.name = "get_nearest_navigation_point",
     .menu = "Navigation > Mesh > Get Nearest Navigation Point",
     .doc = "The point of a mesh that is nearest to a point.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         CLASS, CT_FLOW_IN("point", VECTOR3, "In the world.", .unit = "m"),
         CT_FLOW_IN("reach", NUMBER, "How far away it may be.", .default_value = {2}, .unit = "m"),
         CT_FLOW_OUT("found", BOOL, "Whether there is one within the reach."),
         CT_FLOW_OUT("position", VECTOR3, "It; the point itself when no such point is near.",
                     .unit = "m"))},
    {.name = "get_random_navigation_point",
     .menu = "Navigation > Mesh > Get Random Navigation Point",
     .doc = "A random point of a mesh that can be walked to, all equally likely.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         CLASS, CT_FLOW_IN("from", VECTOR3, "From where, in the world.", .unit = "m"),
         CT_FLOW_IN("radius", NUMBER, "How far it may be to walk; 0: any distance.", .unit = "m"),
         CT_FLOW_OUT("found", BOOL, "Whether the start is on a mesh."),
         CT_FLOW_OUT("position", VECTOR3, "The point; the start itself off the mesh.",
                     .unit = "m"))},
    {.name = "is_navigation_connected",
     .menu = "Navigation > Mesh > Is Navigation Connected",
     .doc =
         "Whether there may be a path between two points: links count in both directions, closed "
         "areas as if open. Quick.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CLASS, FROM, TO, CT_FLOW_OUT("value", BOOL, "Whether there may be."))},
    {.name = "set_navigation_area",
     .menu = "Navigation > Mesh > Set Navigation Area",
     .doc = "Opens or closes an area, or changes its cost, at once." OF_LEVEL,
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("area", STRING, "Its name.", .is_required = true),
                            CT_FLOW_IN("closed", BOOL, "Whether no path leads through it."),
                            CT_FLOW_IN("cost", NUMBER, "Of a metre; 0: the area's own."), ACTS)},
    {.name = "set_navigation_link",
     .menu = "Navigation > Mesh > Set Navigation Link",
     .doc = "Opens or closes a link, at once." OF_LEVEL,
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("link", STRING, "Its id.", .is_required = true),
         CT_FLOW_IN("open", BOOL, "Whether paths may use it.", .default_value = {1}), ACTS)},
};

const ct_flow_node_table ct_flow_nodes_navigation = {"navigation", nodes, CT_COUNT_OF(nodes)};
