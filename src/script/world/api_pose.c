#include "script/world/api_pose.h"

#include "foundation/math/math.h"

ct_script_pose ct_check_transform(lua_State *L, int argument, const ct_world *world, ct_entity e) {
    ct_transform_manager *const m = ct_world_transforms(world);
    const ct_script_pose p = {.transforms = m, .transform = ct_transform_lookup(m, e)};
    if (__builtin_expect(!p.transform.index, 0)) {
        const bool is_own = ct_world_of(ct_script_of(L)->worlds, e) == world;
        ct_argument_error(L, argument, "expected a %s with a transform%s, got one without",
                          ct_value_type_name(L, argument), is_own ? "" : " in this world");
    }
    return p;
}

ct_script_pose ct_check_node_pose(lua_State *L, int argument, const ct_world *world, ct_entity e,
                                  uint32_t node) {
    if (__builtin_expect(node == 0, 1))
        return ct_check_transform(L, argument, world, e);
    const ct_script_pose p = ct_world_node_of(world, e, node);
    return p.node ? p : ct_check_transform(L, argument, world, e);
}

ct_script_pose ct_check_any_unit_node(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    return ct_check_node_pose(L, 1, world, e, ct_check_node(L, 2, world, e));
}

uint32_t ct_script_num_nodes(const ct_world *world, ct_entity e) {
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(world);
    const ct_scene_graph g = ct_scene_graph_lookup(m, e);
    return g.index ? ct_scene_graph_num_nodes(m, g) + 1 : 1;
}

uint32_t ct_check_node(lua_State *L, int argument, const ct_world *world, ct_entity e) {
    if (__builtin_expect(lua_type(L, argument) != LUA_TNUMBER, 0))
        ct_argument_type_error(L, argument, "integer");
    const lua_Number number = lua_tonumber(L, argument);
    if (__builtin_expect(number == 1, 1))
        return 0;
    const uint32_t count = ct_script_num_nodes(world, e);
    if (count == 1)
        ct_argument_error(L, argument, "expected 1, the only node, got %.14g", number);
    if (!(number >= 1 && number <= count) || number != (lua_Number)(uint32_t)number)
        ct_argument_error(L, argument, "expected a node from 1 to %u, got %.14g", count, number);
    return (uint32_t)number - 1;
}

bool ct_script_link(lua_State *L, int argument, const ct_world *world, ct_entity child,
                    ct_entity parent, uint32_t node) {
    const ct_script_pose p = ct_check_transform(L, argument, world, parent);
    const ct_transform c = ct_transform_lookup(p.transforms, child);
    if (node == 0)
        return ct_transform_link(p.transforms, c, p.transform);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(world);
    return ct_scene_graph_attach(graphs, child, ct_scene_graph_lookup(graphs, parent), node);
}

// --- To Lua --------------------------------------------------------------------------------------

int ct_push_local_position(lua_State *L, ct_script_pose p) {
    ct_push_vector3(L, ct_world_node_local_position(p));
    return 1;
}

int ct_push_local_rotation(lua_State *L, ct_script_pose p) {
    ct_push_quaternion(L, ct_world_node_local_rotation(p));
    return 1;
}

int ct_push_local_scale(lua_State *L, ct_script_pose p) {
    ct_push_vector3(L, ct_world_node_local_scale(p));
    return 1;
}

int ct_push_local_pose(lua_State *L, ct_script_pose p) {
    const ct_mat4 m =
        ct_mat4_compose(ct_world_node_local_position(p), ct_world_node_local_rotation(p),
                        ct_world_node_local_scale(p));
    ct_push_matrix4x4(L, &m);
    return 1;
}

int ct_push_world_position(lua_State *L, ct_script_pose p) {
    ct_push_vector3(L, ct_mat4_position(ct_world_node_world(p)));
    return 1;
}

int ct_push_world_rotation(lua_State *L, ct_script_pose p) {
    ct_vec3 position, scale;
    ct_quat rotation;
    const ct_mat4 world = ct_world_node_world(p);
    ct_mat4_decompose(&world, &position, &rotation, &scale);
    ct_push_quaternion(L, rotation);
    return 1;
}

int ct_push_world_scale(lua_State *L, ct_script_pose p) {
    ct_vec3 position, scale;
    ct_quat rotation;
    const ct_mat4 world = ct_world_node_world(p);
    ct_mat4_decompose(&world, &position, &rotation, &scale);
    ct_push_vector3(L, scale);
    return 1;
}

int ct_push_world_pose(lua_State *L, ct_script_pose p) {
    const ct_mat4 world = ct_world_node_world(p);
    ct_push_matrix4x4(L, &world);
    return 1;
}

// --- From Lua ------------------------------------------------------------------------------------

int ct_take_local_position(lua_State *L, ct_script_pose p, int argument) {
    const ct_vec3 position = ct_check_finite_vector3(L, argument);
    ct_world_node_set_local_position(p, position);
    return 0;
}

int ct_take_local_rotation(lua_State *L, ct_script_pose p, int argument) {
    const ct_quat rotation = ct_check_finite_quaternion(L, argument);
    ct_world_node_set_local_rotation(p, rotation);
    return 0;
}

int ct_take_local_scale(lua_State *L, ct_script_pose p, int argument) {
    const ct_vec3 scale = ct_check_finite_vector3(L, argument);
    ct_world_node_set_local_scale(p, scale);
    return 0;
}

int ct_take_local_pose(lua_State *L, ct_script_pose p, int argument) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_check_pose(L, argument, &position, &rotation, &scale);
    if (p.node)
        ct_scene_graph_set_local_pose(p.graphs, p.graph, p.node, position, rotation, scale);
    else
        ct_transform_set_local_pose(p.transforms, p.transform, position, rotation, scale);
    return 0;
}
