#include "script/world/api_component_pose.h"
#include "script/world/api_pose.h"

extern const ct_lua_module ct_api_camera, ct_api_light;

// The node that the component at argument 1 is on, 0 for its entity, which is set with its world.
static uint32_t check_node(lua_State *L, const ct_world **world, ct_entity *e) {
    const ct_lua_module *const module = ct_lua_called_module(L);
    if (module == &ct_api_camera) {
        const ct_script_camera c = ct_check_camera(L, 1);
        *world = c.world;
        *e = c.entity;
        return ct_camera_node(ct_world_cameras(c.world), c.instance);
    }
    if (module == &ct_api_light) {
        const ct_script_light l = ct_check_light(L, 1);
        *world = l.world;
        *e = l.entity;
        return ct_light_node(ct_world_lights(l.world), l.instance);
    }
    const ct_script_mesh m = ct_check_mesh(L, 1);
    *world = m.world;
    *e = m.entity;
    return ct_mesh_node(ct_world_meshes(m.world), m.instance);
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
