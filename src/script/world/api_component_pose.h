// api_component_pose.h: the functions shared by Camera, Light and Mesh: the pose of the node that
// they are on. The called module determines the type.
#pragma once
#include "lua/lua_module.h"

int ct_component_local_pose(lua_State *L);
int ct_component_local_position(lua_State *L);
int ct_component_local_rotation(lua_State *L);
int ct_component_node(lua_State *L);
int ct_component_set_local_pose(lua_State *L);
int ct_component_set_local_position(lua_State *L);
int ct_component_set_local_rotation(lua_State *L);
int ct_component_world_pose(lua_State *L);
int ct_component_world_position(lua_State *L);
int ct_component_world_rotation(lua_State *L);

// Their rows in a module's table. `type` and `noun` are string literals, "Camera" and "camera". The
// rows are in four groups, by name: a module's own functions come between them.
#define CT_COMPONENT_LOCAL_POSE_ROWS(type, noun)                                                   \
    {"local_pose", ct_component_local_pose, "(self: " type ") -> Matrix4x4",                       \
     "Returns the pose of the " noun "'s node in its parent's space."},                            \
        {"local_position", ct_component_local_position, "(self: " type ") -> Vector3",             \
         "Returns the position of the " noun "'s node in its parent's space, in metres."},         \
    {                                                                                              \
        "local_rotation", ct_component_local_rotation, "(self: " type ") -> Quaternion",           \
            "Returns the rotation of the " noun "'s node in its parent's space."                   \
    }

#define CT_COMPONENT_NODE_ROW(type, noun)                                                          \
    {                                                                                              \
        "node", ct_component_node, "(self: " type ") -> integer",                                  \
            "Returns the node of the unit that the " noun " is on; 1 is the unit itself."          \
    }

#define CT_COMPONENT_SET_LOCAL_POSE_ROWS(type, noun)                                               \
    {"set_local_pose", ct_component_set_local_pose, "(self: " type ", pose: Matrix4x4) -> nil",    \
     "Sets the pose of the " noun "'s node in its parent's space."},                               \
        {"set_local_position", ct_component_set_local_position,                                    \
         "(self: " type ", position: Vector3) -> nil",                                             \
         "Sets the position of the " noun "'s node in its parent's space, in metres."},            \
    {                                                                                              \
        "set_local_rotation", ct_component_set_local_rotation,                                     \
            "(self: " type ", rotation: Quaternion) -> nil",                                       \
            "Sets the rotation of the " noun "'s node in its parent's space."                      \
    }

#define CT_COMPONENT_WORLD_POSE_ROWS(type, noun)                                                   \
    {"world_pose", ct_component_world_pose, "(self: " type ") -> Matrix4x4",                       \
     "Returns the pose of the " noun "'s node in the world."},                                     \
        {"world_position", ct_component_world_position, "(self: " type ") -> Vector3",             \
         "Returns the position of the " noun "'s node in the world, in metres."},                  \
    {                                                                                              \
        "world_rotation", ct_component_world_rotation, "(self: " type ") -> Quaternion",           \
            "Returns the rotation of the " noun "'s node in the world."                            \
    }
