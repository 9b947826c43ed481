// api_pose.h: poses of entities as Unit, Camera, Light, Mesh and TransformComponent give and take
// them.
#pragma once
#include "script/api_check.h"

// The transform of an entity.
typedef struct ct_script_pose {
    ct_transform_manager *transforms;
    ct_transform transform;
} ct_script_pose;

// The transform of an entity of `world`, which stands at `argument`; an error when it has none.
ct_script_pose ct_check_transform(lua_State *L, int argument, const ct_world *world, ct_entity e);

// Push a value and return 1.
int ct_push_local_position(lua_State *L, ct_script_pose p);
int ct_push_local_rotation(lua_State *L, ct_script_pose p);
int ct_push_local_scale(lua_State *L, ct_script_pose p);
int ct_push_local_pose(lua_State *L, ct_script_pose p);
int ct_push_world_position(lua_State *L, ct_script_pose p);
int ct_push_world_rotation(lua_State *L, ct_script_pose p);
int ct_push_world_scale(lua_State *L, ct_script_pose p);
int ct_push_world_pose(lua_State *L, ct_script_pose p);

// Set from the value at `argument` and return 0.
int ct_take_local_position(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_rotation(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_scale(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_pose(lua_State *L, ct_script_pose p, int argument);
