// api_physics_spawn.h: what PhysicsWorld and ActorComponent share to make actors.
#pragma once
#include "script/physics/api_physics.h"

// Returns what an actor is like: the names of an actor template, a collision filter and a material
// from `argument` on, each of which may be nil. Without a template, and when it is static, `body` is
// its body.
ct_actor_data ct_check_actor_data(lua_State *L, int argument, const ct_physics_world *p,
                                  uint32_t body);

// Returns a shape with the defaults of unit sources.
ct_actor_shape_data ct_plain_shape(ct_actor_shape_type type);

// Returns a size in the range of a field of shapes.
float ct_check_shape_size(lua_State *L, int argument, const char *field);

// Returns the rotation from z to the normal at `argument`.
ct_quat ct_check_plane_rotation(lua_State *L, int argument);

// Makes an actor; raises an error when that fails.
ct_actor ct_make_actor(lua_State *L, const ct_world *world, const ct_actor_desc *desc);
