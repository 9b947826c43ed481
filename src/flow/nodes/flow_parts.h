// flow_parts.h: units and their parts, as nodes get them from their inputs.
//
// Each function logs an error with the node's path and returns false when what the input names is gone, or
// is not in the world of the instance. The outputs of the node stay as they are then. Update thread.
#pragma once
#include "flow/flow.h"
#include "world/world_node.h"

// A part of a unit: its entity, and its instance in the manager of its type.
typedef struct ct_flow_part {
    ct_world *world;
    ct_entity entity;
    uint32_t index; // in the manager's arrays, until instances are destroyed
} ct_flow_part;

// How the instances of a type of component are reached.
typedef struct ct_flow_part_type {
    const char *noun; // "light"
    uint32_t (*first)(const ct_world *w, ct_entity e);
    uint32_t (*with_number)(const ct_world *w, ct_entity e, uint32_t number);
    uint32_t (*node)(const ct_world *w, uint32_t index); // of the scene graph
} ct_flow_part_type;

// Gives the living unit or entity of an input.
bool ct_flow_unit_of(ct_flow_call *c, uint32_t input, ct_world **world, ct_entity *unit);

// Gives the part of input `input` + 1; without a link the first one of the unit of input `input`.
bool ct_flow_part_of(ct_flow_call *c, uint32_t input, const ct_flow_part_type *type,
                     ct_flow_part *part);

// Gives the node that the part is on.
bool ct_flow_part_node(ct_flow_call *c, uint32_t input, const ct_flow_part_type *type,
                       ct_world_node *node);

// --- Actors and movers (flow_parts_physics.c) ------------------------------------------------------

// An actor that a node works with. As an object, an actor is its entity, 0 for actors without one, and as
// `part` the id of its ct_actor, which the world does not use again soon: an object of an actor that has
// ended is known as such. With an entity and `part` 0 it is the entity's first actor. A mover is its entity
// and its number among the entity's movers (ct_mover_number).
typedef struct ct_flow_actor {
    ct_world *world;
    ct_physics_world *physics;
    ct_actor actor;
    ct_bullet_body *body; // NULL while its shapes are not loaded
} ct_flow_actor;

// Gives the actor of an input.
bool ct_flow_actor_at(ct_flow_call *c, uint32_t input, ct_flow_actor *actor);

// Gives the actor of input `unit` + 1; without a link the first one of the unit of input `unit`.
bool ct_flow_actor_of(ct_flow_call *c, uint32_t unit, ct_flow_actor *actor);

// Gives the living unit of an input, in a world with physics.
bool ct_flow_unit_with_physics(ct_flow_call *c, uint32_t input, ct_world **world, ct_entity *unit);

// Return an actor, a mover, and the unit of an entity as objects; none for what is not alive in the world.
ct_flow_object ct_flow_object_of_actor(const ct_world *w, ct_actor a);
ct_flow_object ct_flow_object_of_mover(const ct_world *w, ct_mover_instance i, ct_entity e);
ct_flow_object ct_flow_object_of_unit(const ct_world *w, ct_entity e);

// Give the vector of an input, whose numbers must be from -`most` to `most`, and a number from `least` to
// `most`.
bool ct_flow_vector3_in(ct_flow_call *c, uint32_t input, double most, ct_vec3 *v);
bool ct_flow_number_in(ct_flow_call *c, uint32_t input, double least, double most, double *number);

// --- Poses ---------------------------------------------------------------------------------------

// Run nodes of parts. Inputs 0 and 1 are the unit and the part. They set output 0 and return
// CT_FLOW_STOP.
uint32_t ct_flow_get_local_position(ct_flow_call *c, const ct_flow_part_type *type);
uint32_t ct_flow_get_local_rotation(ct_flow_call *c, const ct_flow_part_type *type);
uint32_t ct_flow_get_world_position(ct_flow_call *c, const ct_flow_part_type *type);
uint32_t ct_flow_get_world_rotation(ct_flow_call *c, const ct_flow_part_type *type);

// The setters of these nodes: input 2 is the pose; of the last, a distance, and input 3 a velocity.
void ct_flow_set_local_position(ct_flow_call *c, const ct_flow_part_type *type);
void ct_flow_set_local_rotation(ct_flow_call *c, const ct_flow_part_type *type);
void ct_flow_move(ct_flow_call *c, const ct_flow_part_type *type);

// Gives the node, by the name at input `name` ("" or "root_point": the unit itself), of the unit of
// input `unit`.
bool ct_flow_unit_node(ct_flow_call *c, uint32_t unit, uint32_t name, ct_world_node *node);

// Gives the vector of an input, which must be finite; a rotation, which is normalised.
bool ct_flow_finite_vector3(ct_flow_call *c, uint32_t input, ct_vec3 *v);
bool ct_flow_rotation(ct_flow_call *c, uint32_t input, ct_quat *q);

// Gives by how much inputs `input`, a distance, and `input` + 1, a velocity, move something in a step.
bool ct_flow_moved_by(ct_flow_call *c, uint32_t input, ct_vec3 *delta);

// Returns the level whose graph it is, or of whose unit; {0}: of none.
ct_level ct_flow_level_of(const ct_flow_call *c);

// Returns the graph's own unit; {0}: it is a level's.
ct_entity ct_flow_own_unit(const ct_flow_call *c);

// Gives the pose of the level's marker that the text of an input names; of the level itself without one.
bool ct_flow_marker(ct_flow_call *c, uint32_t input, ct_vec3 *position, ct_quat *rotation);

// Returns the rotation of a pose.
ct_quat ct_flow_rotation_of(ct_mat4 world);

// Gives the number of an input, which must be in the range of the field `field` of a component type.
bool ct_flow_field_number(ct_flow_call *c, uint32_t input, const char *component, const char *field,
                          float *number);

// Gives the position, from 0, of the text of an input in `names`, which NULL ends.
bool ct_flow_name_of(ct_flow_call *c, uint32_t input, const char *const *names, uint32_t *position);

// Returns a value as an object: an entity, or a part of one by its number.
static inline ct_flow_object ct_flow_object_of(ct_entity e, uint32_t number) {
    return (ct_flow_object){.entity = e.id, .part = number};
}
