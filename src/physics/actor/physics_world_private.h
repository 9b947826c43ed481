// physics_world_private.h: shared by the files of this folder.
//
// A slot holds one actor. Bodies are called by the actor's whole id, so that contacts of an actor that
// has ended are not taken for those of the next one in its slot.
//
// Touches are in two places. Those of which something is awake are an array sorted by ids, compared
// with Bullet's contacts in each step. Those that rest are linked to the slots of both actors, and not
// looked at until one of these moves, wakes or ends: then they are back in the array.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/soa_block.h"
#include "physics/actor/physics_world.h"
#include "physics/physics_system_private.h"

enum {
    CT_ACTOR_SLOT_BITS = 20,
    CT_ACTOR_SLOT_MASK = (1 << CT_ACTOR_SLOT_BITS) - 1,
    CT_ACTOR_MOST_GENERATIONS = (1 << (32 - CT_ACTOR_SLOT_BITS)) - 1,
};

// What a step does not read.
typedef struct ct_actor_record {
    ct_actor_data data; // combined with its template
    ct_physics_shape *shape;
    ct_vec3 scale; // of its node when it was made
    uint32_t component_id;
    bool is_trigger;
    bool is_warned_of_scale;
} ct_actor_record;

// Why a slot is in a list.
enum {
    CT_ACTOR_IN_MOVED = 1,   // in `moved`
    CT_ACTOR_IN_TARGETS = 2, // in `targets`
    CT_ACTOR_HAS_MOVED = 4,  // in the last step
};

// Two actors that touch. `a` < `b`.
typedef struct ct_touch {
    uint32_t a, b; // ids of actors
    ct_entity entity_a, entity_b;
    ct_vec3 position, normal;
    float impulse;
    uint8_t has_begun; // an event was sent
    uint8_t is_trigger_a, is_trigger_b;
    uint8_t padding;
} ct_touch;

// A touch that rests, linked to both slots: side 0 is `a`. 0 ends a list.
typedef struct ct_resting_touch {
    ct_touch touch;
    uint32_t next[2], previous[2];
} ct_resting_touch;

// A component that could not be made because a resource of its shapes was not loaded.
typedef struct ct_waiting_actor {
    ct_entity entity;
    uint32_t component_id;
    ct_actor_data data;
    ct_actor_shape_data *shapes; // num_shapes of them
    uint32_t num_shapes;
    bool is_trigger;
} ct_waiting_actor;

typedef struct ct_physics_step {
    void (*run)(void *user, float dt);
    void *user;
} ct_physics_step;

struct ct_physics_world {
    ct_allocator *allocator;
    ct_physics_system *system;
    ct_transform_manager *transforms;
    ct_transform_reader reader;
    ct_scene_graph_manager *graphs;
    ct_bullet_world *bullet;

    // By slot; slot 0 is unused.
    ct_soa_block soa;
    ct_bullet_body **body; // NULL: the slot is free
    ct_entity *entity;
    uint32_t *node;
    ct_rigid_pose *before, *after; // the last step; of dynamic actors
    uint8_t *lists;                // CT_ACTOR_IN_…
    uint32_t *material;            // position in the physics resource
    uint64_t *seen;                // a hash of the matrix of its node, as it was taken or written
    uint32_t *resting;             // first of its resting touches
    uint32_t *generation;
    uint32_t *next,
        *previous;         // of the same entity; `previous` of the first is the last; free: next
    ct_rigid_pose *target; // of kinematic actors and triggers, whose nodes have moved there
    double *target_time;   // when
    ct_actor_record *record;

    uint32_t first_free, num_actors;
    ct_hash_map first;                 // by entity: slot of its first actor
    ct_u32_array moved;                // slots whose poses are to be written
    ct_u32_array targets;              // slots on their way to a target
    ct_hash_map is_listed;             // entities in `changed_nodes`
    CT_ARRAY(ct_entity) changed_nodes; // entities whose scene graphs changed before this update
    CT_ARRAY(ct_waiting_actor) waiting;
    CT_ARRAY(ct_physics_step) steps;

    double time;      // at the end of the last step
    double rest;      // seconds since then
    bool has_gravity; // set by ct_physics_world_set_gravity

    CT_ARRAY(ct_touch) touches, next_touches;   // sorted by a, b
    CT_ARRAY(ct_touch) woken;                   // were resting
    CT_ARRAY(ct_resting_touch) resting_touches; // 0 is unused
    uint32_t first_free_resting;
    CT_ARRAY(ct_physics_event) events;

    // Scratch of writing.
    CT_ARRAY(ct_transform) written;
    CT_ARRAY(ct_vec3) written_positions, written_scales;
    CT_ARRAY(ct_quat) written_rotations;
    ct_u32_array written_late; // slots on nodes, or of entities with parents

    ct_string_id64 (*unit_name)(void *user, ct_entity e);
    void *unit_name_user;
};

// --- physics_actors.c ----------------------------------------------------------------------------

// Return the slot of an actor, or 0; the actor in a slot.
uint32_t ct_physics_slot(const ct_physics_world *p, ct_actor a);
ct_actor ct_physics_actor_at(const ct_physics_world *p, uint32_t slot);

// What an actor that a component describes is called in messages.
void ct_physics_describe(const ct_physics_world *p, ct_string_id32 name, ct_entity e,
                         bool is_trigger, char text[256]);

// Returns the pose of the node of an actor without its scale, which is set; false when the matrix is
// not finite.
bool ct_physics_node_pose(ct_physics_world *p, ct_entity e, uint32_t node, ct_rigid_pose *pose,
                          ct_vec3 *scale, uint64_t *hash);

// Sets what the body takes from the physics resource.
void ct_physics_apply_material(ct_physics_world *p, uint32_t slot);
void ct_physics_apply_filter(ct_physics_world *p, uint32_t slot);

// --- physics_spawn.c -----------------------------------------------------------------------------

// Tries again to make the actors that wait for resources.
void ct_physics_retry_waiting(ct_physics_world *p);
void ct_physics_free_waiting(ct_physics_world *p);
// Has a component's actor wait for its resources. Copies what it needs.
void ct_physics_wait(ct_physics_world *p, const ct_actor_desc *desc);

// --- physics_follow.c ----------------------------------------------------------------------------

// Takes the poses of nodes that changed. `now`: the time at the end of this update.
void ct_physics_follow_nodes(ct_physics_world *p, double now);
// Moves kinematic actors and triggers to where they are at `time`.
void ct_physics_move_targets(ct_physics_world *p, double time);

// --- physics_write.c -----------------------------------------------------------------------------

// Notes what the last step moved.
void ct_physics_take_moved(ct_physics_world *p);
// Writes the poses of what moved, `share` of the way from the pose before the last step.
void ct_physics_write_poses(ct_physics_world *p, float share);
// Writes the pose of one actor to its node.
void ct_physics_write_pose(ct_physics_world *p, uint32_t slot, ct_rigid_pose pose);
// Has the pose of an actor written, or not.
void ct_physics_list_moved(ct_physics_world *p, uint32_t slot);

// --- physics_touch.c -----------------------------------------------------------------------------

// Compares what touches with what touched before, and adds events. `time`: since the start of the
// world's step.
void ct_physics_find_events(ct_physics_world *p, float time);
// Takes the resting touches of an actor back into the comparison, and wakes what it touches.
void ct_physics_wake_touches(ct_physics_world *p, uint32_t slot, bool wakes_others);

// --- physics_reload.c ----------------------------------------------------------------------------

void ct_physics_changed(void *user, bool changed_physics, bool changed_shapes);
