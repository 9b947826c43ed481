// api_unit.h: functions of the module Unit outside the file of its table (api_unit.c).
#pragma once
#include <lua.h>

// --- api_unit_nodes.c: poses and the scene graph -------------------------------------------------

int ct_unit_copy_scene_graph_local_from(lua_State *L);
int ct_unit_has_node(lua_State *L);
int ct_unit_local_pose(lua_State *L);
int ct_unit_local_position(lua_State *L);
int ct_unit_local_rotation(lua_State *L);
int ct_unit_local_scale(lua_State *L);
int ct_unit_node(lua_State *L);
int ct_unit_num_scene_graph_items(lua_State *L);
int ct_unit_scene_graph_link(lua_State *L);
int ct_unit_scene_graph_parent(lua_State *L);
int ct_unit_set_local_pose(lua_State *L);
int ct_unit_set_local_position(lua_State *L);
int ct_unit_set_local_rotation(lua_State *L);
int ct_unit_set_local_scale(lua_State *L);
int ct_unit_teleport_local_pose(lua_State *L);
int ct_unit_teleport_local_position(lua_State *L);
int ct_unit_teleport_local_rotation(lua_State *L);
int ct_unit_teleport_local_scale(lua_State *L);
int ct_unit_world_pose(lua_State *L);
int ct_unit_world_position(lua_State *L);
int ct_unit_world_rotation(lua_State *L);
int ct_unit_world_scale(lua_State *L);

// --- api_unit_parts.c: cameras, lights, meshes and their materials -------------------------------

int ct_unit_box(lua_State *L);
int ct_unit_camera(lua_State *L);
int ct_unit_has_camera(lua_State *L);
int ct_unit_has_light(lua_State *L);
int ct_unit_has_mesh(lua_State *L);
int ct_unit_light(lua_State *L);
int ct_unit_mesh(lua_State *L);
int ct_unit_mesh_index(lua_State *L);
int ct_unit_mesh_pick_raycast(lua_State *L);
int ct_unit_num_cameras(lua_State *L);
int ct_unit_num_lights(lua_State *L);
int ct_unit_num_meshes(lua_State *L);
int ct_unit_set_material(lua_State *L);
int ct_unit_set_mesh_visibility(lua_State *L);
int ct_unit_set_outline(lua_State *L);
int ct_unit_set_unit_visibility(lua_State *L);
