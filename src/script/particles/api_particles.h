// api_particles.h: particle effects of worlds in Lua: what its modules share, and the functions of
// World for effects.
//
// An effect is a whole number, its id. One that has ended is stale: functions do nothing with it. A
// VectorField is an object whose `object` is the world and whose `data` is the field's position.
// Functions that check raise a Lua error, which names function and argument, and do not return.
#pragma once
#include "script/api_check.h"

extern const ct_lua_object_type ct_type_vector_field;

// What numbers from scripts may be: metres from the origin, sizes of effects, and others.
#define CT_PARTICLES_REACH 1e7
#define CT_PARTICLES_MOST_SCALE 1e4
#define CT_PARTICLES_MOST 1e6

// Returns the components and links of a world; raises an error when worlds have no particles.
ct_particles_components *ct_check_particles(lua_State *L, const ct_world *world);

// Returns the id of an effect, which may be stale.
ct_particle_effect_id ct_check_effect(lua_State *L, int argument);

// Returns a value for a variable: a number, which is in all components, or a Vector2, 3 or 4.
ct_vec4 ct_check_variable_value(lua_State *L, int argument);

// Raises the error that an effect has no variable with the name at `argument`.
int ct_no_such_variable(lua_State *L, int argument, const ct_particles_resource *r);

// Pushes an effect that was just started and returns 1; 0 for {0}.
int ct_push_effect(lua_State *L, ct_particle_effect_id effect);

// --- Functions of World (api_world_particles.c) --------------------------------------------------

int ct_world_are_particles_playing(lua_State *L);
int ct_world_create_particles(lua_State *L);
int ct_world_destroy_particles(lua_State *L);
int ct_world_find_particles_variable(lua_State *L);
int ct_world_link_particles(lua_State *L);
int ct_world_move_particles(lua_State *L);
int ct_world_num_particles(lua_State *L);
int ct_world_particles_position(lua_State *L);
int ct_world_seek_particles(lua_State *L);
int ct_world_set_particles_collision_filter(lua_State *L);
int ct_world_set_particles_variable(lua_State *L);
int ct_world_stop_spawning_particles(lua_State *L);
int ct_world_teleport_particles(lua_State *L);
int ct_world_unlink_particles(lua_State *L);
int ct_world_vector_field(lua_State *L);
