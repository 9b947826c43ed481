// Nodes of Physics > Actor, and those of Unit that are about actors and movers.
#include "resource/types/flow/flow_node_tables.h"

#define UNIT CT_FLOW_IN("unit", UNIT, "The unit; without a link the graph's own.")
#define ACTOR CT_FLOW_IN("actor", ACTOR, "The actor.")
#define OF_UNIT                                                                                    \
    CT_FLOW_IN("unit", UNIT, "Unit with the actor; without a link the graph's own."),              \
        CT_FLOW_IN("actor", ACTOR, "The actor; without a link the unit's first.")
#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")
#define AT                                                                                         \
    CT_FLOW_IN("at", VECTOR3,                                                                      \
               "Point in the world that is pushed; without a link or a value the centre of mass.", \
               .unit = "m")

// clang-format off
#define GET(node, menu_name, text, ...)                                                            \
    { .name = (node), .menu = "Physics > Actor > " menu_name, .doc = (text),                        \
      .kind = CT_FLOW_NODE_PURE, .slots = CT_FLOW_SLOTS(ACTOR, __VA_ARGS__) }
#define SET(node, menu_name, text, ...)                                                            \
    { .name = (node), .menu = "Physics > Actor > " menu_name, .doc = (text),                        \
      .kind = CT_FLOW_NODE_ACTION, .slots = CT_FLOW_SLOTS(OF_UNIT, __VA_ARGS__) }
#define NODE(node, menu_name, node_kind, text, ...)                                                \
    { .name = (node), .menu = "Unit > " menu_name, .doc = (text),                                   \
      .kind = CT_FLOW_NODE_##node_kind, .slots = CT_FLOW_SLOTS(UNIT, __VA_ARGS__) }
// clang-format on

static const ct_flow_node_type nodes[] = {
    SET("add_actor_impulse", "Add Actor Impulse",
        "Pushes an actor with an impulse. Only actors that physics moves are pushed.",
        CT_FLOW_IN("impulse", VECTOR3, "In the space of the world.", .unit = "N s"), AT, ACTS),
    SET("add_actor_torque_impulse", "Add Actor Torque Impulse",
        "Turns an actor with an impulse. Only actors that physics moves are turned.",
        CT_FLOW_IN("impulse", VECTOR3, "About the axes of the world.", .unit = "N m s"), ACTS),
    SET("add_actor_velocity", "Add Actor Velocity",
        "Adds to the velocity of an actor. Only actors that physics moves get it.",
        CT_FLOW_IN("velocity", VECTOR3, "In the space of the world.", .unit = "m/s"), AT, ACTS),
    GET("get_actor_angular_damping", "Get Actor Angular Damping",
        "How fast an actor stops to turn.",
        CT_FLOW_OUT("damping", NUMBER,
                    "Share of its angular velocity that it loses in a second, 0 to 1.")),
    GET("get_actor_angular_velocity", "Get Actor Angular Velocity", "How fast an actor turns.",
        CT_FLOW_OUT("velocity", VECTOR3, "About the axes of the world.", .unit = "rad/s")),
    GET("get_actor_center_of_mass", "Get Actor Center Of Mass", "The centre of mass of an actor.",
        CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m")),
    GET("get_actor_linear_damping", "Get Actor Linear Damping", "How fast an actor stops to move.",
        CT_FLOW_OUT("damping", NUMBER, "Share of its velocity that it loses in a second, 0 to 1.")),
    GET("get_actor_position", "Get Actor Position",
        "Where an actor is after the last step of physics.",
        CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m")),
    GET("get_actor_rotation", "Get Actor Rotation",
        "How an actor is turned after the last step of physics.",
        CT_FLOW_OUT("rotation", QUATERNION, "In the world.")),
    GET("get_actor_unit", "Get Actor Unit", "The unit to which an actor belongs.",
        CT_FLOW_OUT("unit", UNIT, "The unit; none when a script made the actor alone.")),
    GET("get_actor_velocity", "Get Actor Velocity", "How fast an actor moves.",
        CT_FLOW_OUT("velocity", VECTOR3, "Of its centre of mass.", .unit = "m/s")),
    GET("is_actor_collision_enabled", "Is Actor Collision Enabled", "Whether an actor collides.",
        CT_FLOW_OUT("value", BOOL, "Whether it does.")),
    GET("is_actor_dynamic", "Is Actor Dynamic",
        "Whether an actor can move: physics moves it, or it is kinematic.",
        CT_FLOW_OUT("value", BOOL, "Whether it can.")),
    GET("is_actor_kinematic", "Is Actor Kinematic",
        "Whether an actor follows its node, and pushes what physics moves.",
        CT_FLOW_OUT("value", BOOL, "Whether it does.")),
    GET("is_actor_physical", "Is Actor Physical", "Whether physics moves an actor.",
        CT_FLOW_OUT("value", BOOL, "Whether it does.")),
    GET("is_actor_sleeping", "Is Actor Sleeping",
        "Whether an actor rests until something wakes it.",
        CT_FLOW_OUT("value", BOOL, "Whether it does.")),
    GET("is_actor_static", "Is Actor Static", "Whether an actor never moves by itself.",
        CT_FLOW_OUT("value", BOOL, "Whether it never does.")),
    SET("push_actor", "Push Actor",
        "Pushes an actor as if something of this mass and velocity hit it and stuck to it.",
        CT_FLOW_IN("velocity", VECTOR3, "Of what hits it.", .unit = "m/s"),
        CT_FLOW_IN("mass", NUMBER, "Of what hits it, 0 and more.", .default_value = {1},
                   .unit = "kg"),
        AT, ACTS),
    SET("put_actor_to_sleep", "Put Actor To Sleep",
        "Has an actor rest until something touches or wakes it.", ACTS),
    SET("set_actor_angular_damping", "Set Actor Angular Damping",
        "Sets how fast an actor stops to turn.",
        CT_FLOW_IN("damping", NUMBER,
                   "Share of its angular velocity that it loses in a second, 0 to 1."),
        ACTS),
    SET("set_actor_angular_velocity", "Set Actor Angular Velocity", "Sets how fast an actor turns.",
        CT_FLOW_IN("angular_velocity", VECTOR3, "About the axes of the world.", .unit = "rad/s"),
        ACTS),
    SET("set_actor_collision_enabled", "Set Actor Collision Enabled",
        "Has an actor collide, or not. Raycasts find it in any case.",
        CT_FLOW_IN("enabled", BOOL, "Whether it collides.", .default_value = {1}), ACTS),
    SET("set_actor_linear_damping", "Set Actor Linear Damping",
        "Sets how fast an actor stops to move.",
        CT_FLOW_IN("damping", NUMBER, "Share of its velocity that it loses in a second, 0 to 1."),
        ACTS),
    SET("set_actor_position", "Set Actor Position", "Moves an actor and its node at once.",
        CT_FLOW_IN("position", VECTOR3, "In the world.", .unit = "m"), ACTS),
    SET("set_actor_rotation", "Set Actor Rotation", "Turns an actor and its node at once.",
        CT_FLOW_IN("rotation", QUATERNION, "In the world.", .default_value = {0, 0, 0, 1}), ACTS),
    SET("set_actor_velocity", "Set Actor Velocity", "Sets how fast an actor moves.",
        CT_FLOW_IN("velocity", VECTOR3, "Of its centre of mass.", .unit = "m/s"), ACTS),
    SET("wake_up_actor", "Wake Up Actor", "Ends the rest of an actor.", ACTS),

    NODE("create_unit_actor", "Create Unit Actor", ACTION,
         "Makes an actor that the unit's resource describes, and that the unit does not have now.",
         CT_FLOW_IN("actor_name", STRING, "Its name in the resource.", .is_required = true),
         CT_FLOW_IN("inherit_velocity", NUMBER,
                    "Share of the velocity of the unit's first other actor that it gets."),
         ACTS),
    NODE("destroy_unit_actor", "Destroy Unit Actor", ACTION,
         "Ends an actor of a unit. What it touched is no longer touched.",
         CT_FLOW_IN("actor_name", STRING, "Its name.", .is_required = true), ACTS),
    NODE(
        "get_unit_actor", "Get Unit Actor", PURE, "An actor of a unit, by its name or number.",
        CT_FLOW_IN("actor_index", NUMBER, "Its number, from 1. Counts when there is no name.",
                   .default_value = {1}),
        CT_FLOW_IN("actor_name", STRING, "Its name."),
        CT_FLOW_OUT("actor", ACTOR, "The actor; none while an actor of this name has been ended.")),
    NODE("get_unit_mover", "Get Unit Mover", PURE, "The mover of a unit that is in use.",
         CT_FLOW_OUT("mover", MOVER, "The mover; none when the unit uses none.")),
    NODE("get_unit_num_actors", "Get Unit Num Actors", PURE, "How many actors a unit has.",
         CT_FLOW_OUT("value", NUMBER, "Their number.")),
    NODE("set_unit_mover", "Set Unit Mover", ACTION,
         "Takes another mover of a unit into use. It must fit where the unit is.",
         CT_FLOW_IN("mover_name", STRING, "Its name; \"\" for none."), ACTS),
};

const ct_flow_node_table ct_flow_nodes_actor = {"actor", nodes, CT_COUNT_OF(nodes)};
