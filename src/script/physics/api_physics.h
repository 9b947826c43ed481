// api_physics.h: the physics of worlds in Lua: what its modules share.
//
// An Actor is a light value with the actor's id and a number that its world's physics has in this
// environment (lua/lua_values.h). It is stale once the actor or the world has ended. PhysicsWorld
// and ActorComponent are objects whose `object` is the world; a Mover is a component of its entity.
// Functions that check raise a Lua error, which names function and argument, and do not return.
#pragma once
#include "physics/actor/physics_world.h"
#include "script/api_check.h"
#include "script/world/api_component.h"

extern const ct_lua_object_type ct_type_physics_world;
extern const ct_script_component ct_component_mover;

// What half sizes and radii from scripts may be, in metres: as those of actors' shapes.
#define CT_PHYSICS_LEAST_SIZE 1e-4
#define CT_PHYSICS_MOST_SIZE 1e5

// --- Actors (script_physics.c) -------------------------------------------------------------------

// A living actor. `body` is NULL while its shapes are not loaded.
typedef struct ct_script_actor {
    ct_world *world;
    ct_physics_world *physics;
    ct_actor actor;
    ct_bullet_body *body;
} ct_script_actor;

// Pushes an actor of this world; nil for {0} and for one that has ended.
void ct_push_actor(lua_State *L, const ct_world *world, ct_actor a);

// Returns the actor at `argument`.
ct_script_actor ct_check_actor(lua_State *L, int argument);

// Returns the actor at `argument`, which must be of this world.
ct_script_actor ct_check_actor_of(lua_State *L, int argument, const ct_world *world);

// Push and check the instance of an actor for ActorComponent: a number with what its handle has.
int ct_push_actor_instance(lua_State *L, const ct_world *world, ct_actor a);
ct_actor ct_check_actor_instance(lua_State *L, int argument, const ct_world *world);

// --- Worlds --------------------------------------------------------------------------------------

// Returns the physics of a world; raises an error when worlds have no physics.
ct_physics_world *ct_check_physics(lua_State *L, const ct_world *world);

// Returns the world of the PhysicsWorld at argument 1.
ct_world *ct_check_physics_world(lua_State *L);

// --- Arguments (api_physics_check.c) -------------------------------------------------------------

// Return a position and an offset, within CT_PHYSICS_REACH, a velocity, within
// CT_PHYSICS_MOST_SPEED, and another vector, within CT_PHYSICS_MOST.
ct_vec3 ct_check_place(lua_State *L, int argument);
ct_vec3 ct_check_offset(lua_State *L, int argument);
ct_vec3 ct_check_velocity(lua_State *L, int argument);
ct_vec3 ct_check_motion(lua_State *L, int argument);
// Return a size, and half the size of a box along each axis, from CT_PHYSICS_LEAST_SIZE to
// CT_PHYSICS_MOST_SIZE.
float ct_check_size(lua_State *L, int argument);
ct_vec3 ct_check_half_size(lua_State *L, int argument);

// Returns a gravity in the range of the physics resource.
ct_vec3 ct_check_gravity(lua_State *L, int argument);

// Returns a pose without its scale.
ct_rigid_pose ct_check_rigid_pose(lua_State *L, int argument);

// Return the name of a collision filter, material or actor template of the physics resource.
ct_string_id32 ct_check_filter(lua_State *L, int argument, const ct_physics_world *p);
ct_string_id32 ct_check_material_name(lua_State *L, int argument, const ct_physics_world *p);
ct_string_id32 ct_check_actor_template(lua_State *L, int argument, const ct_physics_world *p);

// Returns the actor with the name or the number from 1 at `argument` among those of an entity, and
// sets `number`, unless NULL, to its number; {0} when there is none with this name.
ct_actor ct_find_actor(lua_State *L, int argument, const ct_world *world, ct_entity e,
                       uint32_t *number);
