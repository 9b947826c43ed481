// Nodes of Physics > Mover.
#include "resource/types/flow/flow_node_tables.h"

#define OF_UNIT                                                                                    \
    CT_FLOW_IN("unit", UNIT, "Unit with the mover; without a link the graph's own."),              \
        CT_FLOW_IN("mover", MOVER, "The mover; without a link the one that the unit uses.")
#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")

// clang-format off
#define GET(node, menu_name, text, ...)                                                            \
    { .name = (node), .menu = "Physics > Mover > " menu_name, .doc = (text),                        \
      .kind = CT_FLOW_NODE_PURE, .slots = CT_FLOW_SLOTS(OF_UNIT, __VA_ARGS__) }
#define SET(node, menu_name, text, ...)                                                            \
    { .name = (node), .menu = "Physics > Mover > " menu_name, .doc = (text),                        \
      .kind = CT_FLOW_NODE_ACTION, .slots = CT_FLOW_SLOTS(OF_UNIT, __VA_ARGS__, ACTS) }
// clang-format on

static const ct_flow_node_type nodes[] = {
    GET("get_actor_colliding_below_mover", "Get Actor Colliding Below Mover",
        "The actor that is the ground of a mover after its last move.",
        CT_FLOW_OUT("actor", ACTOR, "The actor; none without ground.")),
    GET("get_mover_center_position", "Get Mover Center Position",
        "Where the middle of a mover's capsule is.",
        CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m")),
    GET("get_mover_collisions", "Get Mover Collisions", "What the last move of a mover met.",
        CT_FLOW_OUT("up", BOOL, "Whether it met something above."),
        CT_FLOW_OUT("down", BOOL, "Whether it found ground."),
        CT_FLOW_OUT("sides", BOOL, "Whether it met something at the side.")),
    GET("get_mover_flying_frames", "Get Mover Flying Frames",
        "For how many moves in a row a mover had no ground.",
        CT_FLOW_OUT("frames", NUMBER, "The moves.")),
    GET("get_mover_max_slope_angle", "Get Mover Max Slope Angle",
        "The slope from which on a mover slides down.",
        CT_FLOW_OUT("angle", NUMBER, "The slope.", .unit = "rad")),
    GET("get_mover_position", "Get Mover Position",
        "The lowest point of a mover: the position of its unit.",
        CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m")),
    GET("get_mover_radius", "Get Mover Radius", "The radius of a mover's capsule.",
        CT_FLOW_OUT("radius", NUMBER, "The radius.", .unit = "m")),
    GET("get_mover_standing_frames", "Get Mover Standing Frames",
        "For how many moves in a row a mover had ground.",
        CT_FLOW_OUT("frames", NUMBER, "The moves.")),
    {.name = "get_mover_unit",
     .menu = "Physics > Mover > Get Mover Unit",
     .doc = "The unit that a mover moves.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("mover", MOVER, "The mover."),
                            CT_FLOW_OUT("unit", UNIT, "The unit."))},
    SET("move_mover", "Move Mover",
        "Moves the unit of a mover at once: it slides along walls, climbs steps and pushes. Do it "
        "once in each step, also by 0, so that platforms carry the unit.",
        CT_FLOW_IN("delta_position", VECTOR3, "By how much.", .unit = "m")),
    SET("set_mover_max_slope_angle", "Set Mover Max Slope Angle",
        "Sets the slope from which on a mover slides down.",
        CT_FLOW_IN("angle", NUMBER, "The slope.", .default_value = {0.785398}, .unit = "rad")),
    SET("set_mover_position", "Set Mover Position",
        "Puts the unit of a mover elsewhere at once, also inside something.",
        CT_FLOW_IN("position", VECTOR3, "In the world.", .unit = "m")),
};

const ct_flow_node_table ct_flow_nodes_mover = {"mover", nodes, CT_COUNT_OF(nodes)};
