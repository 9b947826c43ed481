// script_physics_private.h: what an environment keeps of physics; shared by the files of this folder.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "script/physics/api_physics_find.h"

enum { CT_SCRIPT_MOST_PHYSICS = 1 << CT_ACTOR_WORLD_BITS };

// A ray or an overlap with a function, which waits for the next step of its world.
typedef struct ct_script_pending {
    ct_script_find find;
    ct_physics_ray ray;
    bool is_overlap;
    int callback; // reference in Lua's registry, which this owns; LUA_NOREF: it is done
} ct_script_pending;

struct ct_script_physics {
    // By number; 0 is unused. A number is used again after all others were.
    ct_world *worlds[CT_SCRIPT_MOST_PHYSICS];
    ct_hash_map disabled[CT_SCRIPT_MOST_PHYSICS]; // of each world: ct_script_disabled_actors
    uint32_t last;                                // number that was given last
    uint32_t recent;                              // of the world that was looked up last
    CT_ARRAY(ct_script_pending) pending;          // in the order of asking
    uint32_t num_answering;                       // calls of ct_script_answer_pending
    uint32_t num_answered;                        // of `pending`, in these calls
};

// Returns what the environment keeps, and makes it when there is nothing yet.
struct ct_script_physics *ct_script_physics_of(ct_script *s);

// Returns the actors of a world that Unit.disable_physics took out of its physics, by the actor's
// slot, as api_unit_actors.c stores them. An entry of an actor that ended stays until the slot's next
// actor is disabled, or the world ends.
ct_hash_map *ct_script_disabled_actors(lua_State *L, const ct_world *world);

// Has a query wait for the next step of its world. Raises an error when too many wait.
void ct_script_wait(lua_State *L, const ct_script_pending *pending);
