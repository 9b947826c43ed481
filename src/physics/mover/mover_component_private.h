// mover_component_private.h: the data of the manager of movers, and what its files share.
#pragma once
#include "entity/instance_table.h"
#include "foundation/container/array.h"
#include "physics/mover/mover_component.h"

// Movers of the same settings share a capsule.
typedef struct ct_mover_kind {
    ct_mover_tools *tools; // NULL: free
    uint32_t num_users;
} ct_mover_kind;

typedef CT_ARRAY(ct_mover_kind) ct_mover_kind_array;

typedef CT_ARRAY(ct_mover_touch) ct_mover_touch_array;

struct ct_mover_manager {
    ct_instance_table table;
    ct_mover_data *data;   // `is_active`: in use now
    ct_mover_state *state; // of the one in use
    ct_vec3 *left_at;      // where its entity was after the last move: rounded by a parent's space
    uint32_t *teleports;   // of the actor that it stands on, after the last move
    uint32_t *kind;
    ct_actor *actor; // of the one in use, or {0}
    ct_mover_kind_array kinds;
    ct_mover_touch_array touches, taken; // those to take, and those that were taken last
    bool keeps_touches;
    ct_vec3 up;
    ct_physics_system *system;
    ct_physics_world *physics;
    ct_transform_manager *transforms;
    ct_allocator *allocator;
};

// Returns the place of an instance, which must exist.
uint32_t ct_mover_checked(const ct_mover_manager *m, ct_mover_instance i);
// Takes up from the world's gravity.
void ct_mover_take_gravity(ct_mover_manager *m);
// Returns the state of a mover at `position` that stands on nothing.
ct_mover_state ct_mover_state_at(const ct_mover_manager *m, ct_vec3 position);
// Writes what messages call an entity to `text`, and returns it.
const char *ct_mover_entity_name(const ct_mover_manager *m, ct_entity e, char *text,
                                 uint32_t size_bytes);

// --- mover_component_move.c ----------------------------------------------------------------------

// Returns where the entity is in the world; 0 0 0 without a transform.
ct_vec3 ct_mover_entity_position(const ct_mover_manager *m, ct_entity e);
// Make and end the actor of the mover in use at a place.
void ct_mover_make_actor(ct_mover_manager *m, uint32_t i);
void ct_mover_end_actor(ct_mover_manager *m, uint32_t i);
