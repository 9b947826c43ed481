// Nodes of Physics > World, and the events of physics.
#include "resource/types/flow/flow_node_states.h"
#include "resource/types/flow/flow_node_tables.h"

static const char *const object_types[] = {"statics", "dynamics", "both", "triggers", "all", NULL};

static const ct_flow_node_type nodes[] = {
    {.name = "mover_actor_collision",
     .menu = "Event > Mover Actor Collision",
     .doc =
         "Starts after each step in which a mover of the unit ran into an actor, or stood on one. "
         "Once for each actor and move.",
     .kind = CT_FLOW_NODE_ENTRY,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_EVENT_OUT("out", "When it happens."),
         CT_FLOW_OUT("touching_unit", UNIT, "The unit of the actor; none for actors without."),
         CT_FLOW_OUT("touching_actor", ACTOR, "The actor; none when it has ended since."),
         CT_FLOW_OUT("touched_mover", MOVER, "The unit's own mover."),
         CT_FLOW_OUT("position", VECTOR3, "Where they touch, in the world.", .unit = "m"),
         CT_FLOW_OUT("normal", VECTOR3, "From the actor to the mover, of length 1."),
         CT_FLOW_OUT("motion_direction", VECTOR3,
                     "Where the mover was to move, of length 1; 0 when it was to stay."),
         CT_FLOW_OUT("motion_length", NUMBER, "How far it was to move.", .unit = "m"))},
    {.name = "mover_mover_collision",
     .menu = "Event > Mover Mover Collision",
     .doc = "Starts after each step in which a mover of the unit ran into one of another unit, or "
            "was run into by it. Once for each move.",
     .kind = CT_FLOW_NODE_ENTRY,
     .slots = CT_FLOW_SLOTS(CT_FLOW_EVENT_OUT("out", "When it happens."),
                            CT_FLOW_OUT("touching_unit", UNIT, "The other unit."),
                            CT_FLOW_OUT("touching_mover", MOVER, "The other unit's mover."),
                            CT_FLOW_OUT("touched_mover", MOVER, "The unit's own mover."))},
    {.name = "physics_collision",
     .menu = "Event > Physics Collision",
     .doc = "Starts when an actor of the unit and another actor begin or stop to touch. Weaker "
            "touches than the touch_impulse of their materials do not count.",
     .kind = CT_FLOW_NODE_ENTRY,
     .state_bytes = CT_FLOW_PHYSICS_STATE_BYTES,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_OUT("touched_actor", ACTOR, "The unit's own actor; none when it has ended."),
         CT_FLOW_OUT("touching_actor", ACTOR, "The other actor; none when it has ended."),
         CT_FLOW_OUT("touching_unit", UNIT,
                     "The unit of the other actor; none for actors without."),
         CT_FLOW_OUT("position", VECTOR3, "Where they touch, in the world.", .unit = "m"),
         CT_FLOW_OUT("normal", VECTOR3, "From the other actor to the own, of length 1."),
         CT_FLOW_OUT("separation_distance", NUMBER,
                     "How far they are apart; below 0 when they overlap.", .unit = "m"),
         CT_FLOW_OUT("impulse_force", VECTOR3, "The impulse that the own actor got.",
                     .unit = "N s"),
         CT_FLOW_EVENT_OUT("start_touch", "They begin to touch."),
         CT_FLOW_EVENT_OUT("stay_touching",
                           "They touched in a further step: when one of the actors "
                           "has reports_persist."),
         CT_FLOW_EVENT_OUT("end_touch", "They stop to touch, or one of them ends."))},
    {.name = "physics_trigger",
     .menu = "Event > Physics Trigger",
     .doc = "Starts when an actor enters or leaves a trigger of the unit, or an entity that the "
            "trigger finds by its tags.",
     .kind = CT_FLOW_NODE_ENTRY,
     .state_bytes = CT_FLOW_PHYSICS_STATE_BYTES,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_OUT("touched_actor", ACTOR, "The trigger; none when it has ended."),
         CT_FLOW_OUT("touching_actor", ACTOR,
                     "The other actor; none when it has ended, or a tag was found."),
         CT_FLOW_OUT("touching_unit", UNIT,
                     "The unit of the other actor, or with the tag; none for actors without."),
         CT_FLOW_EVENT_OUT("enter", "The other enters."),
         CT_FLOW_EVENT_OUT("leave", "The other leaves, or one of them ends."))},
    {.name = "trigger",
     .menu = "Event > Trigger",
     .doc = "Starts when an actor enters or leaves a trigger of the unit, or an entity that the "
            "trigger finds by its tags, while it is enabled, as it is at first.",
     .kind = CT_FLOW_NODE_ENTRY,
     .state_bytes = CT_FLOW_PHYSICS_STATE_BYTES,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_EVENT_IN("enable", "Starts from now on."),
         CT_FLOW_EVENT_IN("disable", "Does not start from now on."),
         CT_FLOW_EVENT_OUT("touched", "The other enters."),
         CT_FLOW_EVENT_OUT("untouched", "The other leaves, or ends."),
         CT_FLOW_OUT("touching_actor", ACTOR,
                     "The actor; none when it has ended, or a tag was found."),
         CT_FLOW_OUT("touching_unit", UNIT,
                     "The unit of the actor, or with the tag; none for actors without."))},
    {.name = "raycast",
     .menu = "Physics > World > Raycast",
     .doc = "Finds the first actor that a line in the world meets.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("object_type", STRING, "The kinds of actors that it finds.",
                    .default_text = "both", .names = object_types),
         CT_FLOW_IN("collision_filter", STRING,
                    "Finds only what actors with this filter collide with; \"\": all."),
         CT_FLOW_IN("from", VECTOR3, "Where it starts, in the world.", .unit = "m"),
         CT_FLOW_IN("direction", VECTOR3, "Where it leads; of any length.",
                    .default_value = {0, 1, 0}),
         CT_FLOW_IN("length", NUMBER, "How far it reaches.", .default_value = {10000}, .unit = "m"),
         CT_FLOW_EVENT_IN("in", "Casts the ray."), CT_FLOW_EVENT_OUT("out", "It is done."),
         CT_FLOW_OUT("hit", BOOL, "Whether it met an actor. The other outputs change only then."),
         CT_FLOW_OUT("position", VECTOR3, "Where it met the actor.", .unit = "m"),
         CT_FLOW_OUT("distance", NUMBER, "How far that is from the start.", .unit = "m"),
         CT_FLOW_OUT("normal", VECTOR3, "Of the surface, of length 1."),
         CT_FLOW_OUT("unit", UNIT, "The unit of the actor; none for actors without."),
         CT_FLOW_OUT("actor", ACTOR, "The actor."))},
    {.name = "set_world_gravity",
     .menu = "Physics > World > Set World Gravity",
     .doc = "Sets the gravity of the world.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("gravity", VECTOR3, "The acceleration.",
                                       .default_value = {0, 0, -9.82}, .unit = "m/s^2"),
                            CT_FLOW_EVENT_IN("in", "Does it."),
                            CT_FLOW_EVENT_OUT("out", "It is done."))},
};

const ct_flow_node_table ct_flow_nodes_physics = {"physics", nodes, CT_COUNT_OF(nodes)};
