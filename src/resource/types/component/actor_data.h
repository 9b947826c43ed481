// actor_data.h: template data of the components of physics: actors, triggers, movers.
//
// In blobs an actor or trigger is a head and the shapes behind it: data of varying size. Sources give
// them as `shapes = [ { id type ... } ]`; without, the collision shapes of the entity's own mesh
// component are used. The tags of a trigger are behind its shapes.
#pragma once
#include "resource/blob/blob_layout.h"
#include "resource/schema/schema.h"

enum {
    CT_ACTOR_MAX_SHAPES = 64,
    CT_TRIGGER_MAX_TAGS = 16,
    CT_ACTOR_GIVEN_MASK = (1 << 18) - 1, // the bits of `given` that mean a member
};

// What moves an actor.
typedef enum ct_actor_body {
    CT_ACTOR_STATIC,    // nothing; moving its node teleports it
    CT_ACTOR_DYNAMIC,   // physics; moving its node teleports it
    CT_ACTOR_KINEMATIC, // its node, with the velocity of the node; may be made dynamic
    CT_ACTOR_KEYFRAMED, // its node; never dynamic, so it may be of triangles and needs no mass
    CT_ACTOR_BODY_COUNT,
} ct_actor_body;

typedef enum ct_actor_shape_type {
    CT_ACTOR_SHAPE_BOX,
    CT_ACTOR_SHAPE_SPHERE,
    CT_ACTOR_SHAPE_CAPSULE,      // along z
    CT_ACTOR_SHAPE_CYLINDER,     // along z
    CT_ACTOR_SHAPE_PLANE,        // z = 0, solid below; static actors only
    CT_ACTOR_SHAPE_MESH,         // collision shapes of a mesh resource
    CT_ACTOR_SHAPE_HEIGHT_FIELD, // a height_field resource; never dynamic
    CT_ACTOR_SHAPE_COUNT,
} ct_actor_shape_type;

// One shape, in the space of the actor's node. Scales of the node apply when the actor is made.
typedef struct ct_actor_shape_data {
    uint32_t type;           // ct_actor_shape_type
    float position[3];       // metres
    float rotation[4];       // x y z w
    float half_size[3];      // of boxes, metres
    float radius;            // of spheres, capsules, cylinders, metres
    float height;            // of capsules (with both ends) and cylinders, metres
    ct_string_id32 part;     // of meshes: the node in the model; 0: all its collision shapes
    ct_string_id64 resource; // mesh or height_field
} ct_actor_shape_data;

// The head of an actor. Members in the order of the schema; bit n of `given` is set when the source
// gives member n: the others come from the template, or are the defaults.
typedef struct ct_actor_data {
    ct_string_id32 name;                   // for Unit.actor
    ct_string_id32 node;                   // of the scene graph; 0: the entity
    ct_string_id32 template_name;          // in the physics resource; 0: none
    uint32_t body;                         // ct_actor_body
    ct_string_id32 material;               // in the physics resource
    ct_string_id32 filter;                 // in the physics resource
    float mass;                            // kg; 0: by density
    float density;                         // kg/m^3; 0: of the material
    float linear_damping, angular_damping; // share of the velocity lost in a second, 0 to 1
    uint32_t has_gravity;
    uint32_t is_continuous; // stops at thin things at any speed
    uint32_t is_collision_enabled;
    uint32_t is_scene_query_enabled;
    uint32_t starts_asleep;
    uint32_t reports_persist; // an event in each step while it touches something
    char lock_position[4];    // axes of the world along which it does not move: "z"
    char lock_rotation[4];    // axes of the world about which it does not turn: "xy"
    uint32_t given;
    uint32_t num_shapes; // behind the head (ct_actor_shapes); 0: of the entity's mesh
} ct_actor_data;

// The head of a trigger: reports what enters and leaves.
typedef struct ct_trigger_data {
    ct_string_id32 name;
    ct_string_id32 node;   // of the scene graph, which it follows; 0: the entity
    ct_string_id32 filter; // in the physics resource
    uint32_t is_enabled;
    uint32_t num_tags;   // behind the shapes (ct_trigger_tags); 0: all actors count, and only they
    uint32_t num_shapes; // as of an actor
} ct_trigger_data;

// A character controller. A unit may have several, of which one is in use at a time: crouching is
// using another. The foot of its capsule is at the entity's position, upwards (the axis against gravity).
typedef struct ct_mover_data {
    ct_string_id32 name;   // for Unit.set_mover
    ct_string_id32 filter; // in the physics resource
    float radius, height;  // of the capsule with both ends, metres
    float max_slope_angle; // radians: steeper ground is slid down
    float step_height;     // metres that it steps up and down
    float skin;            // metres that it keeps from everything
    float mass;            // kg: what it pushes with, and weighs on things with
    float push_force;      // newtons at most against dynamic actors
    uint32_t is_active;    // at the start; of several the first
} ct_mover_data;

// The source of an actor: its head and its shapes.
typedef struct ct_actor_source {
    ct_actor_data head;
    ct_sjson_value shapes;
} ct_actor_source;

// The source of a trigger: its head, its shapes and tags.
typedef struct ct_trigger_source {
    ct_trigger_data head;
    ct_sjson_value shapes;
    ct_sjson_value tags;
} ct_trigger_source;

// The schemas of components in sources, with `shapes`, and of a shape; of the heads in blobs, which
// are the same without.
extern const ct_schema ct_actor_schema, ct_trigger_schema, ct_mover_schema, ct_actor_shape_schema;
extern const ct_schema ct_actor_head_schema, ct_trigger_head_schema;
extern const ct_blob_layout ct_actor_shape_layout; // of a shape in blobs

// Returns the shapes behind the head of an actor: num_shapes of them.
static inline const ct_actor_shape_data *ct_actor_shapes(const ct_actor_data *actor) {
    return (const ct_actor_shape_data *)(const void *)(actor + 1);
}

// Returns the shapes behind the head of a trigger: num_shapes of them.
static inline const ct_actor_shape_data *ct_trigger_shapes(const ct_trigger_data *trigger) {
    return (const ct_actor_shape_data *)(const void *)(trigger + 1);
}

// Returns the tags behind the shapes of a trigger: num_tags of them, all different and none 0. An
// instance is a multiple of 8 bytes, so one more id, which is 0, ends those with an odd number.
static inline const ct_string_id32 *ct_trigger_tags(const ct_trigger_data *trigger) {
    return (const ct_string_id32 *)(const void *)(ct_trigger_shapes(trigger) + trigger->num_shapes);
}

// Check the bytes of an instance from a blob (ct_component_type.check_instance).
bool ct_actor_check(const void *bytes, uint32_t size_bytes, ct_error *error);
bool ct_trigger_check(const void *bytes, uint32_t size_bytes, ct_error *error);
// Check a head, a shape, and the text of locked axes ("", "z", "xy"), for values from outside. Return
// false with `error`, which may be NULL.
bool ct_actor_head_check(const ct_actor_data *actor, ct_error *error);
bool ct_actor_shape_check(const ct_actor_shape_data *shape, ct_error *error);
bool ct_actor_axes_check(const char *axes, ct_error *error);

// Fills `out` with the defaults, then the members that `base` gives, then those that `top` gives.
// `base` may be NULL. Name, node, template and shapes are those of `top`.
void ct_actor_data_combine(const ct_actor_data *base, const ct_actor_data *top, ct_actor_data *out);
