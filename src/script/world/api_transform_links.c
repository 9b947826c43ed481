#include "lua/lua_array.h"
#include "script/world/api_transform.h"

// --- Links ---------------------------------------------------------------------------------------

static ct_quat optional_rotation(lua_State *L, int argument, ct_quat otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_finite_quaternion(L, argument);
}

static ct_vec3 optional_vector(lua_State *L, int argument, ct_vec3 otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_finite_vector3(L, argument);
}

static void check_link(lua_State *L, bool is_linked) {
    if (!is_linked)
        ct_argument_error(L, 3, "the entity is the one to link, or is linked below it");
}

// Links to a node with an optional new local pose at arguments `first` to `first` + 2. `has_node`:
// the node is at the argument before; otherwise it is the entity.
static int link_with_pose(lua_State *L, int first, bool has_node) {
    const ct_world *const world = ct_check_world_of_transforms(L);
    const ct_script_pose child = ct_check_transform_pose(L);
    const ct_entity parent = ct_check_entity(L, 3);
    const uint32_t node = has_node ? ct_check_node(L, first - 1, world, parent) : 0;
    ct_transform_manager *const m = child.transforms;
    const ct_transform t = child.transform;
    const ct_vec3 position = optional_vector(L, first, ct_transform_local_position(m, t));
    const ct_quat rotation = optional_rotation(L, first + 1, ct_transform_local_rotation(m, t));
    const ct_vec3 scale = optional_vector(L, first + 2, ct_transform_local_scale(m, t));
    check_link(L, ct_script_link(L, 3, world, ct_transform_entity(m, t), parent, node));
    ct_transform_set_local_pose(m, t, position, rotation, scale);
    return 0;
}

int ct_transforms_link(lua_State *L) {
    return link_with_pose(L, 4, false);
}

int ct_transforms_link_to_scene_graph(lua_State *L) {
    return link_with_pose(L, 5, true);
}

int ct_transforms_link_in_place(lua_State *L) {
    const ct_world *const world = ct_check_world_of_transforms(L);
    const ct_script_pose child = ct_check_transform_pose(L);
    const ct_entity parent = ct_check_entity(L, 3);
    const uint32_t node = lua_isnoneornil(L, 4) ? 0 : ct_check_node(L, 4, world, parent);
    const ct_entity e = ct_transform_entity(child.transforms, child.transform);
    const ct_mat4 pose = *ct_transform_world(child.transforms, child.transform);
    check_link(L, ct_script_link(L, 3, world, e, parent, node));
    ct_transform_set_world_pose(child.transforms, child.transform, &pose);
    return 0;
}

int ct_transforms_unlink(lua_State *L) {
    const ct_script_pose p = ct_check_transform_pose(L);
    ct_transform_unlink(p.transforms, p.transform);
    return 0;
}

int ct_transforms_parent(lua_State *L) {
    const ct_script_pose p = ct_check_transform_pose(L);
    const ct_transform t = ct_transform_parent(p.transforms, p.transform);
    ct_push_entity(L, t.index ? ct_transform_entity(p.transforms, t) : (ct_entity){0});
    return 1;
}

// --- Trees ---------------------------------------------------------------------------------------

static uint32_t count_children(ct_script_pose p) {
    uint32_t count = 0;
    for (ct_transform t = ct_transform_first_child(p.transforms, p.transform); t.index;
         t = ct_transform_next_sibling(p.transforms, t))
        ++count;
    return count;
}

int ct_transforms_num_children(lua_State *L) {
    lua_pushnumber(L, count_children(ct_check_transform_pose(L)));
    return 1;
}

int ct_transforms_children(lua_State *L) {
    const ct_script_pose p = ct_check_transform_pose(L);
    const uint32_t count = count_children(p);
    ct_entity *const found = ct_lua_scratch(ct_lua_of(L), sizeof(ct_entity) * (count + 1ull));
    uint32_t i = 0;
    for (ct_transform t = ct_transform_first_child(p.transforms, p.transform); t.index;
         t = ct_transform_next_sibling(p.transforms, t))
        found[i++] = ct_transform_entity(p.transforms, t);
    return ct_push_entities(L, 3, found, count);
}

int ct_transforms_descendants(lua_State *L) {
    const ct_script_pose p = ct_check_transform_pose(L);
    uint32_t count = 0;
    ct_transform t = p.transform;
    while ((t = ct_transform_next_below(p.transforms, p.transform, t)).index)
        ++count;
    ct_entity *const found = ct_lua_scratch(ct_lua_of(L), sizeof(ct_entity) * (count + 1ull));
    t = p.transform;
    for (uint32_t i = 0; i < count; ++i) {
        t = ct_transform_next_below(p.transforms, p.transform, t);
        found[i] = ct_transform_entity(p.transforms, t);
    }
    return ct_push_entities(L, 3, found, count);
}

int ct_transforms_root(lua_State *L) {
    const ct_script_pose p = ct_check_transform_pose(L);
    ct_transform top = p.transform, above;
    while ((above = ct_transform_parent(p.transforms, top)).index)
        top = above;
    ct_push_entity(L, ct_transform_entity(p.transforms, top));
    return 1;
}

int ct_transforms_is_below(lua_State *L) {
    const ct_script_pose p = ct_check_transform_pose(L);
    const ct_world *const world = ct_check_world_of_transforms(L);
    const ct_script_pose other = ct_check_transform(L, 3, world, ct_check_entity(L, 3));
    ct_transform above = ct_transform_parent(p.transforms, p.transform);
    while (above.index && above.index != other.transform.index)
        above = ct_transform_parent(p.transforms, above);
    lua_pushboolean(L, above.index != 0);
    return 1;
}
