// unit_actors.h: the dynamic actors of a unit, held still while something else moves the unit.
//
// Update thread.
#pragma once
#include "foundation/container/array.h"
#include "world/world.h"

// An actor that was dynamic, and how it moved.
typedef struct ct_held_actor {
    ct_actor actor;
    ct_rigid_pose pose;
    ct_vec3 velocity, angular_velocity;
    bool was_asleep;
} ct_held_actor;

typedef CT_ARRAY(ct_held_actor) ct_held_actors;

// Makes the dynamic actors of a living unit, also those of its parts, kinematic and adds them to
// `held`: from then on, their nodes move them.
void ct_unit_hold_actors(const ct_world *w, ct_entity unit, ct_held_actors *held);

// Makes those of them that still exist and are kinematic dynamic again. With `restores` they are where
// they were, with the velocity that they had; else they are where they are, at rest. Empties the list.
void ct_unit_free_actors(const ct_world *w, ct_held_actors *held, bool restores);
