// script_behaviour.h: behaviours: Lua scripts bound to many entities of a world.
//
// A behaviour is a script that returns a table of functions; an instance of it is a component of an
// entity, with a table of its own that functions get as `self`. The engine calls a behaviour once
// for each event with all its instances: either a loop that it writes for that behaviour alone (so
// that LuaJIT compiles it with the function in it), or the behaviour's own loop, `update_all`.
// Errors disable the instance in hand and the loop goes on behind it. Instances and their tables
// live in a manager of each world, which is registered as the component "script"; behaviours are
// numbered from 1 in the order in which the world met them.
//
// Deaths and spawns come from C, where Lua is not called: who died is skipped at once, and what its
// behaviour and a new one hear of it waits for the world's next update. Update thread.
#pragma once
#include <lua.h>

#include "entity/entity.h"
#include "foundation/string/string_id.h"
#include "world/world.h"

typedef struct ct_script ct_script;
typedef struct ct_behaviours ct_behaviours;

// Gives a world its manager, which ends with it; the one it has when there is one.
ct_behaviours *ct_behaviours_of(lua_State *L, ct_world *world);

// True while functions of the world's behaviours run, or scripts of new ones: it must not end.
bool ct_behaviours_are_running(ct_world *world);

// The step of a world: who died hears `destroyed`, who is new `spawned`, then all `update` with
// `dt` seconds. Raises an error when behaviours of this world run already, or when a call takes too
// long or too much memory.
void ct_behaviours_update(lua_State *L, ct_world *world, double dt);

// The world is about to end: all that have heard `spawned` hear `destroyed`.
void ct_behaviours_end(lua_State *L, ct_world *world);

// A script ran again after it was saved: what errors disabled is enabled, scripts of behaviours that
// failed are tried again, and instances of that one hear `reloaded`. Outside of calls of Lua.
void ct_behaviours_reload(ct_script *s, ct_string_id64 script);

// True when a behaviour of some world has its functions from this script.
bool ct_behaviours_have(const ct_script *s, ct_string_id64 script);

// Scripts of behaviours that failed are tried again in the next step: one has come.
void ct_behaviours_retry(ct_script *s);

// --- Instances -----------------------------------------------------------------------------------

// Instances count from 1 and are valid until one is destroyed; by its entity and its number among
// that one's (instance_table.h) one is found as long as it is there.
uint32_t ct_behaviour_count(const ct_behaviours *b);

// Gives an entity an instance of the script `name` under an id that it has not, for which there is
// room.
uint32_t ct_behaviour_create(ct_behaviours *b, ct_entity e, uint32_t id, const char *name);

// Ends an instance: it is called no more, but for `destroyed`, in the next update.
void ct_behaviour_destroy(ct_behaviours *b, uint32_t i);

// The entity's first instance, the next of the same entity, that of an id; 0: none.
uint32_t ct_behaviour_first(const ct_behaviours *b, ct_entity e);
uint32_t ct_behaviour_next(const ct_behaviours *b, uint32_t i);
uint32_t ct_behaviour_with_id(const ct_behaviours *b, ct_entity e, uint32_t id);

// The number of an instance; the entity's instance of a number, 0: none.
uint32_t ct_behaviour_number(const ct_behaviours *b, uint32_t i);
uint32_t ct_behaviour_with_number(const ct_behaviours *b, ct_entity e, uint32_t number);

// The entity of an instance, the instance's id among that one's, and the id of its script.
ct_entity ct_behaviour_entity(const ct_behaviours *b, uint32_t i);
uint32_t ct_behaviour_id(const ct_behaviours *b, uint32_t i);
ct_string_id64 ct_behaviour_script(const ct_behaviours *b, uint32_t i);

// The name of the instance's script. Borrowed for as long as the manager.
const char *ct_behaviour_script_name(const ct_behaviours *b, uint32_t i);

// False when an error disabled the instance, or ct_behaviour_enable.
bool ct_behaviour_is_enabled(const ct_behaviours *b, uint32_t i);
void ct_behaviour_enable(ct_behaviours *b, uint32_t i, bool is_enabled);

// Pushes the table that functions of the instance get as `self`.
void ct_behaviour_push_self(lua_State *L, ct_behaviours *b, uint32_t i);

// --- Events --------------------------------------------------------------------------------------

enum { CT_MAX_EVENT_ARGUMENTS = 8 };

// Runs the scripts of behaviours that have instances and were not run yet. Before instances are
// looked up for the calls below: scripts may do anything.
void ct_behaviours_load(lua_State *L, ct_behaviours *b);

// Calls the function `name` of all behaviours that have it, or of some instances (of which those
// not enabled are left out, and new ones hear `spawned` first), with the `num_arguments` values
// from `first_argument` on. Raises an error as ct_behaviours_update.
void ct_behaviours_broadcast(lua_State *L, ct_behaviours *b, const char *name, int first_argument,
                             uint32_t num_arguments);
void ct_behaviours_dispatch(lua_State *L, ct_behaviours *b, const char *name,
                            const uint32_t *instances, uint32_t count, int first_argument,
                            uint32_t num_arguments);

// Has instances hear `spawned` now, those that have not.
void ct_behaviours_spawned(lua_State *L, ct_behaviours *b, const uint32_t *instances,
                           uint32_t count);
