#include "render/component/mesh_component.h"
#include "script/world/api_pose.h"
#include "script/world/api_unit.h"

// --- Poses ---------------------------------------------------------------------------------------

int ct_unit_local_pose(lua_State *L) {
    return ct_push_local_pose(L, ct_check_unit_node(L));
}

int ct_unit_local_position(lua_State *L) {
    return ct_push_local_position(L, ct_check_unit_node(L));
}

int ct_unit_local_rotation(lua_State *L) {
    return ct_push_local_rotation(L, ct_check_unit_node(L));
}

int ct_unit_local_scale(lua_State *L) {
    return ct_push_local_scale(L, ct_check_unit_node(L));
}

int ct_unit_world_pose(lua_State *L) {
    return ct_push_world_pose(L, ct_check_unit_node(L));
}

int ct_unit_world_position(lua_State *L) {
    return ct_push_world_position(L, ct_check_unit_node(L));
}

int ct_unit_world_rotation(lua_State *L) {
    return ct_push_world_rotation(L, ct_check_unit_node(L));
}

int ct_unit_world_scale(lua_State *L) {
    return ct_push_world_scale(L, ct_check_unit_node(L));
}

int ct_unit_set_local_pose(lua_State *L) {
    return ct_take_local_pose(L, ct_check_unit_node(L), 3);
}

int ct_unit_set_local_position(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    const ct_world_transform t = ct_quick_unit_transform(L, s);
    const uint64_t value = ct_value_at(L, 3);
    const void *const position = ct_value_kind_of(value) == CT_VALUE_KIND_VECTOR3 // a ct_vec3
                                     ? ct_temporary_slots_at(&s->lua, value, 1)
                                     : NULL;
    if (__builtin_expect(t.transform.index != 0 && position, 1) &&
        __builtin_expect(ct_transform_move(t.transforms, t.transform, position), 1))
        return 0;
    return ct_take_local_position(L, ct_check_any_unit_node(L), 3);
}

int ct_unit_set_local_rotation(lua_State *L) {
    return ct_take_local_rotation(L, ct_check_unit_node(L), 3);
}

int ct_unit_set_local_scale(lua_State *L) {
    return ct_take_local_scale(L, ct_check_unit_node(L), 3);
}

static void let_jump(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_world_jump(world, e);
}

int ct_unit_teleport_local_pose(lua_State *L) {
    ct_unit_set_local_pose(L);
    let_jump(L);
    return 0;
}

int ct_unit_teleport_local_position(lua_State *L) {
    ct_unit_set_local_position(L);
    let_jump(L);
    return 0;
}

int ct_unit_teleport_local_rotation(lua_State *L) {
    ct_unit_set_local_rotation(L);
    let_jump(L);
    return 0;
}

int ct_unit_teleport_local_scale(lua_State *L) {
    ct_unit_set_local_scale(L);
    let_jump(L);
    return 0;
}

// --- Scene graph ---------------------------------------------------------------------------------

// The node, from 0, that argument 2 names, or UINT32_MAX.
static uint32_t find_node(lua_State *L, const ct_world *world, ct_entity e) {
    const ct_string_id32 name = ct_check_id32(L, 2);
    if (name.value == CT_ID32("root_point", 0x5e43bd96).value)
        return 0;
    const uint32_t node = ct_scene_graph_node_of(ct_world_scene_graphs(world), e, name);
    return node ? node : UINT32_MAX;
}

int ct_unit_node(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const uint32_t node = find_node(L, world, e);
    if (node == UINT32_MAX)
        return ct_argument_error(L, 2, "the unit has no node \"%s\"",
                                 ct_string_id32_name(ct_check_id32(L, 2)));
    lua_pushnumber(L, node + 1);
    return 1;
}

int ct_unit_has_node(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, find_node(L, world, e) != UINT32_MAX);
    return 1;
}

int ct_unit_num_scene_graph_items(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushnumber(L, ct_script_num_nodes(world, e));
    return 1;
}

int ct_unit_scene_graph_parent(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(world);
    const uint32_t node = ct_check_node(L, 2, world, e);
    if (node)
        lua_pushnumber(L, ct_scene_graph_parent(m, ct_scene_graph_lookup(m, e), node) + 1);
    else
        lua_pushnil(L);
    return 1;
}

int ct_unit_scene_graph_link(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_scene_graph_manager *const m = ct_world_scene_graphs(world);
    const uint32_t node = ct_check_node(L, 2, world, e);
    const uint32_t parent = lua_isnoneornil(L, 3) ? 0 : ct_check_node(L, 3, world, e);
    if (node == 0)
        return ct_argument_error(L, 2, "node 1 is the unit itself; World.link_unit links units");
    if (!ct_scene_graph_link(m, ct_scene_graph_lookup(m, e), node, parent))
        return ct_argument_error(L, 3, "node %u is node %u, or is linked below it", parent + 1,
                                 node + 1);
    return 0;
}

int ct_unit_copy_scene_graph_local_from(lua_State *L) {
    ct_world *world, *other_world;
    const ct_entity e = ct_check_unit(L, 1, &world), other = ct_check_unit(L, 2, &other_world);
    ct_scene_graph_manager *const m = ct_world_scene_graphs(world);
    const ct_scene_graph_manager *const from = ct_world_scene_graphs(other_world);
    const ct_scene_graph g = ct_scene_graph_lookup(m, e);
    const ct_scene_graph other_graph = ct_scene_graph_lookup(from, other);
    if (!g.index || !other_graph.index)
        return 0; // only the root, which stays where it is
    ct_scene_graph_copy_local(m, g, from, other_graph);
    return 0;
}
