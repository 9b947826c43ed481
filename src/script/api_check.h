// api_check.h: checked arguments that are worlds and what lives in them.
//
// Each raises a Lua error that names function, argument, expected and got; none returns then.
#pragma once
#include "lua/lua_check.h"
#include "script/script_private.h"

extern const ct_lua_object_type ct_type_world, ct_type_level;

// A living world.
ct_world *ct_check_world(lua_State *L, int argument);

// A living entity that belongs to a world, which is set.
ct_entity ct_check_unit(lua_State *L, int argument, ct_world **world);

// A living entity of this world.
ct_entity ct_check_unit_of(lua_State *L, int argument, const ct_world *world);

// Raises an error unless `e`, element `i` from 0 of the array at `argument`, lives in this world.
void ct_check_unit_at(lua_State *L, int argument, ct_entity e, uint32_t i, const ct_world *world);

// A living level and its world.
ct_level ct_check_level(lua_State *L, int argument, ct_world **world);

// A camera that is there, with its unit.
typedef struct ct_script_camera {
    ct_world *world;
    ct_entity entity;
    ct_camera_instance instance;
} ct_script_camera;

// A light that is there, with its unit.
typedef struct ct_script_light {
    ct_world *world;
    ct_entity entity;
    ct_light_instance instance;
} ct_script_light;

// A mesh that is there, with its unit.
typedef struct ct_script_mesh {
    ct_world *world;
    ct_entity entity;
    ct_mesh_instance instance;
} ct_script_mesh;

// The component at `argument`; an error when it or its unit has ended.
ct_script_camera ct_check_camera(lua_State *L, int argument);
ct_script_light ct_check_light(lua_State *L, int argument);
ct_script_mesh ct_check_mesh(lua_State *L, int argument);
