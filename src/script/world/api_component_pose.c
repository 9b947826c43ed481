#include "script/world/api_component_pose.h"
#include "script/world/api_component.h"
#include "script/world/api_pose.h"

// The node that the component at argument 1 is on, 0 for its entity, which is set with its world.
static uint32_t check_node(lua_State *L, const ct_world **world, ct_entity *e) {
    const ct_script_component *const c =
        (const ct_script_component *)(const void *)ct_lua_called_module(L)->component;
    const ct_script_instance i = ct_check_component_instance(L, 1, c);
    *world = i.world;
    *e = i.entity;
    return c->node(i.world, i.index);
}

static ct_script_pose check_pose(lua_State *L) {
    const ct_world *world;
    ct_entity e;
    const uint32_t node = check_node(L, &world, &e);
    return ct_check_node_pose(L, 1, world, e, node);
}

int ct_component_node(lua_State *L) {
    const ct_world *world;
    ct_entity e;
    lua_pushnumber(L, check_node(L, &world, &e) + 1);
    return 1;
}

int ct_component_local_pose(lua_State *L) {
    return ct_push_local_pose(L, check_pose(L));
}

int ct_component_local_position(lua_State *L) {
    return ct_push_local_position(L, check_pose(L));
}

int ct_component_local_rotation(lua_State *L) {
    return ct_push_local_rotation(L, check_pose(L));
}

int ct_component_set_local_pose(lua_State *L) {
    return ct_take_local_pose(L, check_pose(L), 2);
}

int ct_component_set_local_position(lua_State *L) {
    return ct_take_local_position(L, check_pose(L), 2);
}

int ct_component_set_local_rotation(lua_State *L) {
    return ct_take_local_rotation(L, check_pose(L), 2);
}

int ct_component_world_pose(lua_State *L) {
    return ct_push_world_pose(L, check_pose(L));
}

int ct_component_world_position(lua_State *L) {
    return ct_push_world_position(L, check_pose(L));
}

int ct_component_world_rotation(lua_State *L) {
    return ct_push_world_rotation(L, check_pose(L));
}
