// physics_world_private.h: shared by the files of this folder.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/sort.h"
#include "physics/actor/physics_world.h"

enum { CT_ACTOR_SLOT_BITS = 20, CT_ACTOR_LAST_GENERATION = (1 << 12) - 1 };

typedef enum ct_actor_flag {
    CT_ACTOR_ALIVE = 1,
    CT_ACTOR_TRIGGER = 2,
    CT_ACTOR_ACTIVE = 4,     // in `active`: it moved in the last step, or stopped there
    CT_ACTOR_MOVED = 8,      // the last step moved it
    CT_ACTOR_FOLLOWING = 16, // in `following`: its node moved and it has not reached it yet
    CT_ACTOR_WARNED = 32,    // that its scale changed
    CT_ACTOR_LISTED = CT_ACTOR_ACTIVE | CT_ACTOR_FOLLOWING, // outlive the actor
} ct_actor_flag;

// What a step touches of an actor. Slot 0 is unused.
typedef struct ct_actor_slot {
    ct_bullet_body *body; // NULL: it has no shape yet
    ct_rigid_pose before; // of dynamic ones: before the last step,
    ct_rigid_pose after;  // and after it; of those that follow: where they are to be
    double target_time;   // when (`time` of the world)
    uint64_t seen;        // a hash of the matrix of its node, as it was last taken or written
    ct_entity entity;
    uint32_t node;
    uint32_t generation;
    uint32_t flags;          // ct_actor_flag
    uint32_t next;           // slot of the entity's next actor; of free slots: the next free one
    uint32_t first_sleeping; // of its pairs in `sleeping`; 0: none
} ct_actor_slot;

// What only making and changing touch.
typedef struct ct_actor_extra {
    ct_actor_data data; // in force
    ct_actor_shape_data *parts;
    uint32_t num_parts, component_id;
    ct_physics_shape *shape;
    ct_vec3 scale;
    uint32_t material, filter; // positions in the physics resource
    uint32_t node_place;       // in `node_actors`, from 1
    uint32_t teleports;
    ct_string_id32 *tags; // of a trigger, that it asks for; NULL: all actors count
    uint32_t num_tags;
} ct_actor_extra;

// Two actors that touch. Sorted by a, b.
typedef struct ct_touch {
    uint32_t a, b; // ids, a < b
    ct_entity entity_a, entity_b;
    ct_vec3 position, normal;
    float distance;
    uint32_t is_told; // its begin was an event
} ct_touch;

typedef CT_ARRAY(ct_touch) ct_touch_array;

// A touch of two actors that sleep, in a list of each: side 0 is `a`. 0 ends a list.
typedef struct ct_sleeping_touch {
    ct_touch touch;
    uint32_t next[2], previous[2];
} ct_sleeping_touch;

// An actor whose pose is written when those above it have theirs: first those of fewer ancestors, then
// those of lower nodes.
typedef struct ct_late_pose {
    uint32_t depth, node, slot;
} ct_late_pose;

typedef struct ct_trigger_finder ct_trigger_finder;

struct ct_physics_world {
    ct_allocator *backing;
    ct_allocator *allocator; // proxy
    ct_physics_system *system;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_transform_reader reader;
    ct_bullet_world *bullet; // made when first needed: its pools take megabytes
    ct_vec3 gravity;
    const ct_physics_resource *resource; // in force
    bool has_own_gravity;                // a script has set it
    ct_physics_entities entities;
    CT_ARRAY(ct_actor_slot) slots;
    CT_ARRAY(ct_actor_extra) extras; // as many
    uint32_t first_free, num_actors;
    ct_hash_map first_of;      // by entity: the slot of its first actor
    ct_u32_array active;       // slots, in the order in which they began to move
    ct_u32_array following;    // slots
    ct_u32_array node_actors;  // slots of kinematic actors and triggers at nodes
    double time;               // at the end of the last step
    double rest;               // seconds that no step has simulated yet
    double last_update;        // seconds of the last update
    ct_trigger_finder *finder; // of entities with tags; NULL: no trigger has asked for any
    bool has_warned_of_steps;  // that max_steps was not enough
    // Touches.
    ct_touch_array touching, next_touching; // pairs of which one is awake
    ct_touch_array woken;                   // pairs that rested, to be compared in the next step
    CT_ARRAY(ct_sleeping_touch) sleeping;   // pairs that rest; 0 is unused
    uint32_t first_free_sleeping;
    CT_ARRAY(ct_physics_event) events;
    CT_ARRAY(ct_physics_event) sorted_events; // of a step, while they are sorted
    CT_ARRAY(ct_sort_item64) event_keys;      // and their keys, twice
    // For writing in bulk.
    CT_ARRAY(ct_transform) written;
    CT_ARRAY(ct_vec3) written_positions;
    CT_ARRAY(ct_quat) written_rotations;
    CT_ARRAY(ct_vec3) written_scales;
    CT_ARRAY(ct_late_pose) written_late; // after their parents
};

// Returns the slot in the id of an actor, alive or not.
static inline uint32_t ct_actor_slot_of(ct_actor a) {
    return a.id & ((1u << CT_ACTOR_SLOT_BITS) - 1);
}

// Returns the actor that is in a slot now.
static inline ct_actor ct_actor_at(const ct_physics_world *p, uint32_t slot) {
    return (ct_actor){p->slots.items[slot].generation << CT_ACTOR_SLOT_BITS | slot};
}

// Returns the slot of a live actor; NULL otherwise.
static inline ct_actor_slot *ct_actor_find(const ct_physics_world *p, ct_actor a) {
    const uint32_t slot = ct_actor_slot_of(a);
    if (slot == 0 || slot >= p->slots.count)
        return NULL;
    ct_actor_slot *const s = &p->slots.items[slot];
    const bool is_alive = s->flags & CT_ACTOR_ALIVE;
    return is_alive && s->generation == a.id >> CT_ACTOR_SLOT_BITS ? s : NULL;
}

// Returns the rest of what belongs to a slot.
static inline ct_actor_extra *ct_actor_extra_of(const ct_physics_world *p, const ct_actor_slot *s) {
    return &p->extras.items[s - p->slots.items];
}

// --- physics_actors.c ----------------------------------------------------------------------------

// Returns the pose, and sets the scale, of a node in world space. `seen`: a hash of both, or NULL.
ct_rigid_pose ct_actor_node_pose(const ct_physics_world *p, ct_entity e, uint32_t node,
                                 ct_vec3 *scale, uint64_t *seen);

// Returns whether a pose is near enough for a body. False with `error`, which may be NULL.
bool ct_actor_check_pose(const ct_rigid_pose *pose, ct_error *error);

// Has Bullet look for what an actor touches, that others move, in the next step: it sleeps otherwise.
void ct_actor_nudge(const ct_actor_slot *s);

// Gives bodies to actors that wait for shapes, and new shapes to those whose resources changed.
void ct_actors_take_shapes(ct_physics_world *p);

// Finds materials and filters of all actors in the physics resource again.
void ct_actors_take_physics(ct_physics_world *p);

// --- actor_names.c -------------------------------------------------------------------------------

enum { CT_ACTOR_TEXT_BYTES = 384 };

// What actors name in the physics resource.
typedef enum ct_physics_name {
    CT_PHYSICS_NAME_MATERIAL,
    CT_PHYSICS_NAME_FILTER,
    CT_PHYSICS_NAME_TEMPLATE,
} ct_physics_name;

// Writes what messages call an actor: by its name or its component's id where their texts are known,
// else by its number among those of its entity.
void ct_actor_describe(const ct_physics_world *p, const ct_actor_slot *s, char *text,
                       uint32_t size_bytes);

// Logs that an actor could not be made or changed. Only some in a second: a resource that goes may
// concern all actors.
void ct_actor_log_error(const ct_physics_world *p, const ct_actor_slot *s, const ct_error *error);

// Returns the position of a name in the physics resource, or UINT32_MAX.
uint32_t ct_actor_find_name(const ct_physics_world *p, ct_physics_name kind, ct_string_id32 name);

// Logs that the physics resource does not have a name that `num_actors` have, of which `s` is the
// first.
void ct_actor_log_missing(const ct_physics_world *p, const ct_actor_slot *s, ct_physics_name kind,
                          ct_string_id32 name, uint32_t num_actors);

// --- physics_follow.c ----------------------------------------------------------------------------

// Moves actors to where their entities and nodes were moved since the last call: kinematic ones until
// `now`, the time at the end of this update.
void ct_actors_follow_nodes(ct_physics_world *p, double now);

// Moves those that follow to where they are at `time`, the end of the next step.
void ct_actors_follow_step(ct_physics_world *p, double time);

// Takes what the last step moved.
void ct_actors_take_moved(ct_physics_world *p);

// Writes the poses of active actors to their nodes: `part` of the way from before the last step to
// after it. `has_stepped`: those that the last step did not move are no longer active afterwards.
void ct_actors_write_poses(ct_physics_world *p, float part, bool has_stepped);

// Writes a pose to the actor's node at once.
void ct_actor_write_pose(ct_physics_world *p, ct_actor_slot *s, const ct_rigid_pose *pose);

// --- physics_events.c ----------------------------------------------------------------------------

// Compares what touches after a step with what did before, and adds events at `time` seconds.
void ct_physics_find_events(ct_physics_world *p, float time);

// Adds which actors are inside triggers to `hash`.
void ct_physics_hash_inside(const ct_physics_world *p, ct_state_hash *hash);

// The pairs of an actor that rest are compared again in the next step: it moved, or woke.
void ct_physics_take_pairs(ct_physics_world *p, uint32_t slot);
// The same for an actor that ends, jumps, or collides with other things: what touches it wakes.
void ct_physics_wake_pairs(ct_physics_world *p, const ct_actor_slot *s);
