// api_check.h: argument checks for worlds and the things in them.
//
// When a check fails, it raises a Lua error with the function, the argument, the expected and the
// actual value, and does not return.
#pragma once
#include "lua/lua_check.h"
#include "script/script_private.h"

extern const ct_lua_object_type ct_type_world, ct_type_level;

// Returns a living world.
ct_world *ct_check_world(lua_State *L, int argument);

// Returns a living entity that belongs to a world, and sets `world`.
ct_entity ct_check_unit(lua_State *L, int argument, ct_world **world);

// Returns a living entity of this world.
ct_entity ct_check_unit_of(lua_State *L, int argument, const ct_world *world);

// Raises an error unless `e`, element `i` from 0 of the array at `argument`, lives in this world.
void ct_check_unit_at(lua_State *L, int argument, ct_entity e, uint32_t i, const ct_world *world);

// Returns a living level and sets its world.
ct_level ct_check_level(lua_State *L, int argument, ct_world **world);

// An existing camera with its unit.
typedef struct ct_script_camera {
    ct_world *world;
    ct_entity entity;
    ct_camera_instance instance;
} ct_script_camera;

// An existing light with its unit.
typedef struct ct_script_light {
    ct_world *world;
    ct_entity entity;
    ct_light_instance instance;
} ct_script_light;

// An existing mesh with its unit.
typedef struct ct_script_mesh {
    ct_world *world;
    ct_entity entity;
    ct_mesh_instance instance;
} ct_script_mesh;

// Return the component at `argument`; raise an error when it or its unit has been destroyed.
ct_script_camera ct_check_camera(lua_State *L, int argument);
ct_script_light ct_check_light(lua_State *L, int argument);
ct_script_mesh ct_check_mesh(lua_State *L, int argument);
