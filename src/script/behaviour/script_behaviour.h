// script_behaviour.h: behaviours: Lua scripts bound to many entities of a world.
//
// A behaviour is a script that returns a table of functions. An instance of it is a component of an
// entity, with its own table that functions get as `self`. For each event, the engine calls a
// behaviour once with all its instances: with a loop that the engine generates for that behaviour
// alone (so that LuaJIT compiles it together with the function), or with the behaviour's own loop,
// `update_all`. An error disables the current instance, and the loop goes on after it. Instances
// and their tables are in a manager of each world, which is registered as the component "script".
// Behaviours are numbered from 1 in the order in which the world met them.
//
// Deaths and spawns happen in C, where Lua must not be called: dead instances are skipped at once,
// but `destroyed` of their behaviours and `spawned` of new instances are called in the world's next
// update. Update thread.
#pragma once
#include <lua.h>

#include "entity/entity.h"
#include "foundation/string/string_id.h"
#include "world/world.h"

typedef struct ct_script ct_script;
typedef struct ct_behaviours ct_behaviours;

// Gives a world its manager, which ends with the world; returns the existing one if there is one.
ct_behaviours *ct_behaviours_of(lua_State *L, ct_world *world);

// Returns whether functions of the world's behaviours, or scripts of new ones, are running. The
// world must not end then.
bool ct_behaviours_are_running(ct_world *world);

// Steps a world: calls `destroyed` of dead instances, `spawned` of new ones, then `update` of all
// with `dt` seconds. Raises an error when behaviours of this world are running already, or when a
// call takes too long or too much memory.
void ct_behaviours_update(lua_State *L, ct_world *world, double dt);

// Calls `destroyed` of all instances whose `spawned` was called. The world is about to end.
void ct_behaviours_end(lua_State *L, ct_world *world);

// Handles a script that ran again after it was saved: enables instances that errors had disabled,
// retries scripts of failed behaviours, and calls `reloaded` of that script's instances. Outside of
// Lua calls.
void ct_behaviours_reload(ct_script *s, ct_string_id64 script);

// Returns whether a behaviour of some world has its functions from this script.
bool ct_behaviours_have(const ct_script *s, ct_string_id64 script);

// Makes the next step retry the scripts of failed behaviours, since a script was added.
void ct_behaviours_retry(ct_script *s);

// --- Instances -----------------------------------------------------------------------------------

// Instances count from 1 and are valid until one is destroyed; by its entity and its number among
// that one's (instance_table.h) one is found as long as it is there.
uint32_t ct_behaviour_count(const ct_behaviours *b);

// Gives an entity an instance of the script `name`, under an id that is not used on the entity yet.
// There must be room for it.
uint32_t ct_behaviour_create(ct_behaviours *b, ct_entity e, uint32_t id, const char *name);

// The same for the script with this id, whose name need not be known.
uint32_t ct_behaviour_create_of(ct_behaviours *b, ct_entity e, uint32_t id, ct_string_id64 script);

// Ends an instance. It is not called any more, except `destroyed` in the next update.
void ct_behaviour_destroy(ct_behaviours *b, uint32_t i);

// Return the entity's first instance, the next one of the same entity, and the one with an id; 0
// when there is none.
uint32_t ct_behaviour_first(const ct_behaviours *b, ct_entity e);
uint32_t ct_behaviour_next(const ct_behaviours *b, uint32_t i);
uint32_t ct_behaviour_with_id(const ct_behaviours *b, ct_entity e, uint32_t id);

// Return the number of an instance, and the entity's instance with a number, 0 when there is none.
uint32_t ct_behaviour_number(const ct_behaviours *b, uint32_t i);
uint32_t ct_behaviour_with_number(const ct_behaviours *b, ct_entity e, uint32_t number);

// Return the entity of an instance, the instance's id on the entity, and the id of its script.
ct_entity ct_behaviour_entity(const ct_behaviours *b, uint32_t i);
uint32_t ct_behaviour_id(const ct_behaviours *b, uint32_t i);
ct_string_id64 ct_behaviour_script(const ct_behaviours *b, uint32_t i);

// Returns the name of the instance's script. Borrowed; lives as long as the manager.
const char *ct_behaviour_script_name(const ct_behaviours *b, uint32_t i);

// Returns false when an error or ct_behaviour_enable has disabled the instance.
bool ct_behaviour_is_enabled(const ct_behaviours *b, uint32_t i);
void ct_behaviour_enable(ct_behaviours *b, uint32_t i, bool is_enabled);

// Returns whether ct_behaviour_enable has disabled the instance, whatever errors did.
bool ct_behaviour_is_off(const ct_behaviours *b, uint32_t i);

// Pushes the table that the instance's functions get as `self`.
void ct_behaviour_push_self(lua_State *L, ct_behaviours *b, uint32_t i);

// --- Events --------------------------------------------------------------------------------------

enum { CT_MAX_EVENT_ARGUMENTS = 8 };

// Runs the scripts of behaviours that have instances and have not run yet. Call it before instances
// are looked up for the calls below: scripts may do anything.
void ct_behaviours_load(lua_State *L, ct_behaviours *b);

// Calls the function `name` of all behaviours that have it, or of some instances, with the
// `num_arguments` values from `first_argument` on. For some instances, disabled ones are left out,
// and `spawned` of new ones is called first. Raises errors like ct_behaviours_update.
void ct_behaviours_broadcast(lua_State *L, ct_behaviours *b, const char *name, int first_argument,
                             uint32_t num_arguments);
void ct_behaviours_dispatch(lua_State *L, ct_behaviours *b, const char *name,
                            const uint32_t *instances, uint32_t count, int first_argument,
                            uint32_t num_arguments);

// As ct_behaviours_dispatch, for all instances of an entity; none when it has ended.
void ct_behaviours_dispatch_to(lua_State *L, ct_behaviours *b, const char *name, ct_entity e,
                               int first_argument, uint32_t num_arguments);

// Calls `spawned` now of those instances for which it has not been called yet.
void ct_behaviours_spawned(lua_State *L, ct_behaviours *b, const uint32_t *instances,
                           uint32_t count);
