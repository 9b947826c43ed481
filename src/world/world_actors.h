// world_actors.h: actors that the resources of units describe, which scripts and flow graphs make and
// end. Update thread.
#pragma once
#include "foundation/error.h"
#include "resource/types/component/actor_data.h"
#include "world/world.h"

// An actor at the root of a unit's resource.
typedef struct ct_described_actor {
    const ct_actor_data *data; // in the blob, borrowed until resources change; NULL: there is none
    uint32_t component_id;
} ct_described_actor;

// Returns the actor that the resource of a unit describes at its root: the one with a number from 1 in the
// order of the resource; with `number` 0 the first with this name.
ct_described_actor ct_world_described_actor(const ct_world *w, ct_entity unit, ct_string_id32 name,
                                            uint32_t number);

// Returns whether the unit has an actor that was made for it.
bool ct_world_has_described_actor(const ct_world *w, ct_entity unit,
                                  const ct_described_actor *described);

// Gives an actor of a unit `share` (0 and more) of the velocity that the unit's first other actor has at
// the actor's centre of mass. Does nothing when it is the first, or one has no body yet.
void ct_world_inherit_velocity(const ct_world *w, ct_entity unit, ct_actor a, float share);
