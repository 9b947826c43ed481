// api_transform.h: functions of the module TransformComponent outside the file of its table
// (api_transform_component.c).
#pragma once
#include "script/world/api_pose.h"

// Returns the world whose transform manager is argument 1.
ct_world *ct_check_world_of_transforms(lua_State *L);

// Returns the transform in that world of the entity at argument 2. The entity may live in any
// world.
ct_script_pose ct_check_transform_pose(lua_State *L);

// --- api_transform_bulk.c: poses of many entities ------------------------------------------------

int ct_transforms_local_poses(lua_State *L);
int ct_transforms_local_positions(lua_State *L);
int ct_transforms_local_rotations(lua_State *L);
int ct_transforms_local_scales(lua_State *L);
int ct_transforms_set_local_poses(lua_State *L);
int ct_transforms_set_local_positions(lua_State *L);
int ct_transforms_set_local_rotations(lua_State *L);
int ct_transforms_set_local_scales(lua_State *L);
int ct_transforms_world_poses(lua_State *L);
int ct_transforms_world_positions(lua_State *L);
int ct_transforms_world_rotations(lua_State *L);

// --- api_transform_links.c: links between entities -----------------------------------------------

int ct_transforms_children(lua_State *L);
int ct_transforms_descendants(lua_State *L);
int ct_transforms_is_below(lua_State *L);
int ct_transforms_link(lua_State *L);
int ct_transforms_link_in_place(lua_State *L);
int ct_transforms_link_to_scene_graph(lua_State *L);
int ct_transforms_num_children(lua_State *L);
int ct_transforms_parent(lua_State *L);
int ct_transforms_root(lua_State *L);
int ct_transforms_unlink(lua_State *L);
