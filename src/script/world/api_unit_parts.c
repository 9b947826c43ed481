#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "render/component/mesh_raycast.h"
#include "script/render/api_mesh.h"
#include "script/world/api_component.h"
#include "script/world/api_unit.h"

// --- Cameras, lights, meshes ---------------------------------------------------------------------

int ct_unit_num_cameras(lua_State *L) {
    return ct_unit_num_components(L, &ct_component_camera);
}

int ct_unit_camera(lua_State *L) {
    return ct_unit_component(L, &ct_component_camera);
}

int ct_unit_has_camera(lua_State *L) {
    return ct_unit_has_component(L, &ct_component_camera);
}

int ct_unit_num_lights(lua_State *L) {
    return ct_unit_num_components(L, &ct_component_light);
}

int ct_unit_light(lua_State *L) {
    return ct_unit_component(L, &ct_component_light);
}

int ct_unit_has_light(lua_State *L) {
    return ct_unit_has_component(L, &ct_component_light);
}

int ct_unit_num_meshes(lua_State *L) {
    return ct_unit_num_components(L, &ct_component_mesh);
}

int ct_unit_mesh(lua_State *L) {
    return ct_unit_component(L, &ct_component_mesh);
}

int ct_unit_has_mesh(lua_State *L) {
    return ct_unit_has_component(L, &ct_component_mesh);
}

// The mesh, and its place from 0, of the name at argument 2.
static ct_mesh_instance find_mesh(lua_State *L, const ct_world *world, ct_entity e,
                                  uint32_t *place) {
    const uint32_t id = ct_check_id32(L, 2).value;
    return (ct_mesh_instance){ct_find_component(&ct_component_mesh, world, e, id, place)};
}

int ct_unit_mesh_index(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    uint32_t place;
    if (!find_mesh(L, world, e, &place).index)
        return ct_no_such_component(L, "mesh");
    lua_pushnumber(L, place + 1);
    return 1;
}

int ct_unit_set_unit_visibility(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const bool is_visible = ct_check_boolean(L, 2);
    ct_mesh_manager *const m = ct_world_meshes(world);
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i))
        ct_mesh_set_visible(m, i, is_visible);
    return 0;
}

int ct_unit_set_outline(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_vec3 color;
    const float *const outline = ct_check_outline(L, 2, &color);
    ct_mesh_manager *const m = ct_world_meshes(world);
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i))
        ct_mesh_set_outline(m, i, outline);
    return 0;
}

// True when the visibility that is set is that of the mesh's shadow (argument 4), not of itself.
static bool check_concerns_shadow(lua_State *L) {
    if (lua_isnoneornil(L, 4))
        return false;
    const char *const context = ct_check_string(L, 4);
    if (strcmp(context, "shadow_caster") == 0)
        return true;
    if (strcmp(context, "default") != 0)
        ct_argument_error(L, 4, "expected \"default\" or \"shadow_caster\", got \"%.64s\"",
                          context);
    return false;
}

int ct_unit_set_mesh_visibility(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_mesh_manager *const m = ct_world_meshes(world);
    uint32_t which;
    if (lua_type(L, 2) == LUA_TNUMBER)
        which = (uint32_t)ct_check_integer(L, 2, 1, UINT32_MAX) - 1;
    else
        find_mesh(L, world, e, &which);
    const bool is_visible = ct_check_boolean(L, 3);
    const bool concerns_shadow = check_concerns_shadow(L);
    ct_mesh_instance i = ct_mesh_first(m, e);
    while (i.index && which--)
        i = ct_mesh_next(m, i);
    if (!i.index)
        return ct_argument_error(L, 2, "the unit has no such mesh");
    if (concerns_shadow)
        ct_mesh_set_casts_shadows(m, i, is_visible);
    else
        ct_mesh_set_visible(m, i, is_visible);
    return 0;
}

int ct_unit_set_material(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_string_id32 slot = ct_check_id32(L, 2);
    const ct_string_id64 material = ct_string_id64_of(ct_check_resource(L, 3, "material", NULL));
    const ct_mesh_manager *const m = ct_world_meshes(world);
    bool has_set = false;
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i))
        has_set |= ct_script_set_slot_material(L, world, i, slot, material);
    return has_set ? 0 : ct_no_such_component(L, "mesh with a slot");
}

int ct_unit_mesh_pick_raycast(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_vec3 from = ct_check_finite_vector3(L, 2), direction = ct_check_finite_vector3(L, 3);
    const float length = ct_vec3_length(direction);
    if (!(length > 0 && isfinite(length)))
        return ct_argument_error(L, 3, "expected a direction, got a Vector3 of length %g",
                                 (double)length);
    const ct_ray ray = {from, ct_vec3_scale(direction, 1 / length)};
    const double longest = ct_check_number_in(L, 4, 0, 1e7);
    const bool includes_hidden = !lua_isnoneornil(L, 5) && ct_check_boolean(L, 5);
    const ct_mesh_manager *const m = ct_world_meshes(world);
    ct_mesh_hit hit = {.distance = (float)longest};
    uint32_t place = 0, hit_place = 0; // from 1
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
        ++place;
        const ct_mesh_resource *const r = ct_script_mesh_resource(L, world, i);
        if (!r || (!includes_hidden && !ct_mesh_is_visible(m, i)))
            continue;
        const ct_mat4 pose = ct_script_mesh_pose(world, e, i);
        ct_mesh_hit own;
        if (!ct_mesh_raycast(r, &pose, ray, hit.distance, &own) ||
            (hit_place && own.distance == hit.distance))
            continue;
        hit = own;
        hit_place = place;
    }
    if (!hit_place) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushnumber(L, (lua_Number)hit.distance);
    ct_push_vector3(L, hit.normal);
    lua_pushnumber(L, hit_place);
    lua_pushnumber(L, hit.triangle + 1);
    return 4;
}

// The box around the unit's meshes in its own space; empty at its origin when it has none.
int ct_unit_box(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const bool ignores_hidden = !lua_isnoneornil(L, 2) && ct_check_boolean(L, 2);
    const ct_mesh_manager *const m = ct_world_meshes(world);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(world);
    const ct_scene_graph g = ct_scene_graph_lookup(graphs, e);
    ct_aabb around = ct_aabb_empty();
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
        const ct_mesh_resource *const r = ct_script_mesh_resource(L, world, i);
        if (!r || (ignores_hidden && !ct_mesh_is_visible(m, i)))
            continue;
        const uint32_t node = ct_mesh_node(m, i);
        const ct_mat4 pose = ct_scene_graph_pose(graphs, g, node);
        const ct_aabb own = ct_mesh_resource_box(r);
        around = ct_aabb_merge(around, node ? ct_aabb_transform(&pose, own) : own);
    }
    const ct_mat4 pose = ct_scene_graph_world(graphs, e, 0);
    return ct_push_box(L, &pose, around);
}
