#include <math.h>

#include "foundation/math/math.h"
#include "script/render/api_mesh.h"
#include "script/world/api_component.h"
#include "script/world/api_component_pose.h"

extern const ct_lua_module ct_api_mesh;

// --- Shared with Unit and MeshComponent ----------------------------------------------------------

const ct_mesh_resource *ct_script_mesh_resource(lua_State *L, const ct_world *world,
                                                ct_mesh_instance i) {
    return ct_resource_manager_get(ct_lua_of(L)->resources, "mesh",
                                   ct_mesh_name(ct_world_meshes(world), i));
}

const ct_mesh_resource *ct_check_mesh_resource(lua_State *L, int argument, const ct_world *world,
                                               ct_mesh_instance i) {
    const ct_mesh_resource *const r = ct_script_mesh_resource(L, world, i);
    if (!r) {
        const ct_string_id64 name = ct_mesh_name(ct_world_meshes(world), i);
        ct_argument_error(L, argument, "the mesh \"%s\" is not loaded", ct_string_id64_name(name));
    }
    return r;
}

ct_aabb ct_mesh_resource_box(const ct_mesh_resource *mesh) {
    const float *const low = mesh->bounds_min, *const high = mesh->bounds_max;
    return (ct_aabb){ct_vec3_make(low[0], low[1], low[2]), ct_vec3_make(high[0], high[1], high[2])};
}

int ct_push_box(lua_State *L, const ct_mat4 *pose, ct_aabb box) {
    ct_vec3 center = ct_vec3_make(0, 0, 0), half = center;
    if (box.min.x <= box.max.x) {
        center = ct_vec3_scale(ct_vec3_add(box.min, box.max), 0.5f);
        half = ct_vec3_scale(ct_vec3_sub(box.max, box.min), 0.5f);
    }
    const ct_mat4 to_center = ct_mat4_compose(center, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    const ct_mat4 result = ct_mat4_mul(*pose, to_center);
    ct_push_matrix4x4(L, &result);
    ct_push_vector3(L, half);
    return 2;
}

ct_mat4 ct_script_mesh_pose(const ct_world *world, ct_entity e, ct_mesh_instance i) {
    return ct_scene_graph_world(ct_world_scene_graphs(world), e,
                                ct_mesh_node(ct_world_meshes(world), i));
}

bool ct_script_set_slot_material(lua_State *L, const ct_world *world, ct_mesh_instance i,
                                 ct_string_id32 slot, ct_string_id64 material) {
    const ct_mesh_resource *const r = ct_script_mesh_resource(L, world, i);
    if (!r)
        return false;
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    bool is_there = false;
    for (uint32_t p = 0; p < r->parts.count && p < CT_MESH_MAX_MATERIALS; ++p) {
        if (parts[p].slot.value != slot.value)
            continue;
        ct_mesh_set_material(ct_world_meshes(world), i, p, material);
        is_there = true;
    }
    return is_there;
}

// --- Mesh ----------------------------------------------------------------------------------------

static const ct_mesh_resource *check_resource(lua_State *L) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    return ct_check_mesh_resource(L, 1, m.world, m.instance);
}

// The number of parts that can have a material.
static uint32_t material_count(const ct_mesh_resource *r) {
    return r->parts.count < CT_MESH_MAX_MATERIALS ? r->parts.count : CT_MESH_MAX_MATERIALS;
}

// Returns the part, from 0, for its index from 1, or its name in the model file, at argument 2.
static uint32_t check_part(lua_State *L) {
    const ct_mesh_resource *const r = check_resource(L);
    const uint32_t most = material_count(r);
    if (lua_type(L, 2) == LUA_TNUMBER)
        return (uint32_t)ct_check_integer(L, 2, 1, most) - 1;
    const ct_string_id32 slot = ct_check_id32(L, 2);
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    for (uint32_t i = 0; i < most; ++i) {
        if (parts[i].slot.value == slot.value)
            return i;
    }
    ct_argument_error(L, 2, "the mesh has no material slot with this name");
    return 0;
}

static int num_materials(lua_State *L) {
    lua_pushnumber(L, material_count(check_resource(L)));
    return 1;
}

static int material(lua_State *L) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    ct_script *const s = ct_script_of(L);
    const ct_string_id64 name =
        ct_mesh_material(ct_world_meshes(m.world), m.instance, check_part(L));
    if (!ct_resource_manager_get(s->lua.resources, "material", name))
        return ct_argument_error(L, 2, "no material is loaded in this slot");
    ct_check_object_room(L, &ct_type_material);
    ct_push_object(L, &ct_type_material, ct_world_system_renderer(s->worlds), name.value);
    return 1;
}

static int material_slot_name(lua_State *L) {
    const ct_mesh_resource *const r = check_resource(L);
    const uint32_t num_triangles = ct_mesh_num_triangles(r);
    if (num_triangles == 0)
        return ct_argument_error(L, 1, "the mesh has no triangles");
    const uint32_t first = ((uint32_t)ct_check_integer(L, 2, 1, num_triangles) - 1) * 3;
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    for (uint32_t i = 0; i < r->parts.count; ++i) {
        if (first >= parts[i].first_index && first - parts[i].first_index < parts[i].num_indices) {
            ct_push_id32(L, parts[i].slot);
            return 1;
        }
    }
    lua_pushnil(L);
    return 1;
}

static int has_material(lua_State *L) {
    const ct_mesh_resource *const r = check_resource(L);
    const ct_string_id32 slot = ct_check_id32(L, 2);
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    bool is_there = false;
    for (uint32_t i = 0; i < r->parts.count; ++i)
        is_there |= parts[i].slot.value == slot.value;
    lua_pushboolean(L, is_there);
    return 1;
}

static int set_material(lua_State *L) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    const uint32_t part = check_part(L);
    const char *const name = ct_check_resource(L, 3, "material", NULL);
    ct_mesh_set_material(ct_world_meshes(m.world), m.instance, part, ct_string_id64_of(name));
    return 0;
}

static int box(lua_State *L) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    const ct_mat4 pose = ct_script_mesh_pose(m.world, m.entity, m.instance);
    return ct_push_box(L, &pose, ct_mesh_resource_box(check_resource(L)));
}

static int bounding_volume_components(lua_State *L) {
    const ct_mesh_resource *const r = check_resource(L);
    const ct_aabb bounds = ct_mesh_resource_box(r);
    ct_push_vector3(L, bounds.min);
    ct_push_vector3(L, bounds.max);
    lua_pushnumber(L, (lua_Number)r->bounds_radius);
    return 3;
}

static int visibility(lua_State *L) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    lua_pushboolean(L, ct_mesh_is_visible(ct_world_meshes(m.world), m.instance));
    return 1;
}

static int set_visibility(lua_State *L) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    ct_mesh_set_visible(ct_world_meshes(m.world), m.instance, ct_check_boolean(L, 2));
    return 0;
}

const float *ct_check_outline(lua_State *L, int argument, ct_vec3 *color) {
    if (lua_isnoneornil(L, argument))
        return NULL;
    *color = ct_check_finite_vector3(L, argument);
    for (uint32_t i = 0; i < 3; ++i)
        if (color->raw[i] < 0 || color->raw[i] > 1)
            ct_argument_error(L, argument, "expected a color from 0 to 1, got (%g, %g, %g)",
                              (double)color->x, (double)color->y, (double)color->z);
    return color->raw;
}

static int set_outline(lua_State *L) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    ct_vec3 color;
    ct_mesh_set_outline(ct_world_meshes(m.world), m.instance, ct_check_outline(L, 2, &color));
    return 0;
}

// --- Values of its own ---------------------------------------------------------------------------

// Gives the mesh alone a value for the parameter that argument 2 names.
static int set_floats(lua_State *L, const float *values, uint32_t count) {
    const ct_script_mesh m = ct_check_mesh(L, 1);
    const ct_string_id32 name = ct_check_id32(L, 2);
    if (!ct_mesh_set_value(ct_world_meshes(m.world), m.instance, name, values, count))
        return ct_argument_error(L, 2, "no material of the mesh has an instanced variable \"%s\"",
                                 lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2)
                                                               : ct_string_id32_name(name));
    return 0;
}

static int set_scalar(lua_State *L) {
    ct_check_mesh(L, 1);
    const float value = (float)ct_check_number_in(L, 3, -3e38, 3e38);
    return set_floats(L, &value, 1);
}

static int set_vector2(lua_State *L) {
    ct_check_mesh(L, 1);
    const ct_vec2 v = ct_check_vector2(L, 3);
    if (!isfinite(v.x) || !isfinite(v.y))
        ct_argument_error(L, 3, "expected finite numbers, got (%g, %g)", (double)v.x, (double)v.y);
    return set_floats(L, v.raw, 2);
}

static int set_vector3(lua_State *L) {
    ct_check_mesh(L, 1);
    return set_floats(L, ct_check_finite_vector3(L, 3).raw, 3);
}

static int set_vector4(lua_State *L) {
    ct_check_mesh(L, 1);
    return set_floats(L, ct_check_finite_vector4(L, 3).raw, 4);
}

// --- How instances are reached
// ---------------------------------------------------------------------

static uint32_t first(const ct_world *w, ct_entity e) {
    return ct_mesh_first(ct_world_meshes(w), e).index;
}

static uint32_t next(const ct_world *w, uint32_t instance) {
    return ct_mesh_next(ct_world_meshes(w), (ct_mesh_instance){instance}).index;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    return ct_mesh_with_number(ct_world_meshes(w), e, number, CT_COMPONENT_HANDLE_BITS).index;
}

static uint32_t number_of(const ct_world *w, uint32_t instance) {
    return ct_mesh_number(ct_world_meshes(w), (ct_mesh_instance){instance});
}

static uint32_t name_of(const ct_world *w, uint32_t instance) {
    return ct_mesh_id(ct_world_meshes(w), (ct_mesh_instance){instance});
}

static uint32_t node_of(const ct_world *w, uint32_t instance) {
    return ct_mesh_node(ct_world_meshes(w), (ct_mesh_instance){instance});
}

const ct_script_component ct_component_mesh = {.type = {.name = "Mesh"},
                                               .noun = "mesh",
                                               .nouns = "meshes",
                                               .first = first,
                                               .next = next,
                                               .with_number = with_number,
                                               .number = number_of,
                                               .name = name_of,
                                               .node = node_of};

static const ct_lua_function functions[] = {
    {"bounding_volume_components", bounding_volume_components,
     "(self: Mesh) -> Vector3, Vector3, number",
     "Returns the least corner, the greatest corner and the radius of the mesh, in its own space. "
     "A "
     "skinned mesh counts as it was modelled."},
    {"box", box, "(self: Mesh) -> Matrix4x4, Vector3",
     "Returns the mesh's bounding box: its pose in the world and its half extents. A skinned mesh "
     "counts as it was modelled."},
    {"has_material", has_material, "(self: Mesh, slot_name: string) -> boolean",
     "Returns whether a part of the mesh has a material with this name in the model file."},
    CT_COMPONENT_LOCAL_POSE_ROWS("Mesh", "mesh"),
    {"material", material, "(self: Mesh, slot: any(integer,string)) -> Material",
     "Returns the material of a part, by the part's index from 1 or by the material's name in the "
     "model file."},
    {"material_slot_name", material_slot_name,
     "(mesh: Mesh, triangle_index: integer) -> IdString32?",
     "Returns the name that the material of a triangle has in the model file. Triangles count from "
     "1."},
    CT_COMPONENT_NODE_ROW("Mesh", "mesh"),
    {"num_materials", num_materials, "(self: Mesh) -> integer",
     "Returns the number of parts; each part has one material."},
    {"set_color", set_vector4, "(self: Mesh, variable: string, color: Vector4) -> nil",
     "Sets an instanced color (linear red, green, blue, alpha, from 0 to 1) for this mesh only."},
    CT_COMPONENT_SET_LOCAL_POSE_ROWS("Mesh", "mesh"),
    {"set_material", set_material,
     "(self: Mesh, slot: any(integer,string), material_resource: string(material)) -> nil",
     "Sets the material of a part, by the part's index from 1 or by the material's name in the "
     "model file."},
    {"set_outline", set_outline, "(self: Mesh, color: Vector3?) -> nil",
     "Gives the mesh an outline of a color (linear red, green and blue from 0 to 1), or, without "
     "one, none. The meshes of a unit are outlined as one."},
    {"set_scalar", set_scalar, "(self: Mesh, variable: string, value: number) -> nil",
     "Sets an instanced number for this mesh only."},
    {"set_vector2", set_vector2, "(self: Mesh, variable: string, vector2: Vector2) -> nil",
     "Sets two instanced numbers for this mesh only."},
    {"set_vector3", set_vector3, "(self: Mesh, variable: string, vector3: Vector3) -> nil",
     "Sets three instanced numbers for this mesh only."},
    {"set_vector4", set_vector4, "(self: Mesh, variable: string, vector4: Vector4) -> nil",
     "Sets four instanced numbers for this mesh only."},
    {"set_visibility", set_visibility, "(self: Mesh, visibility: boolean) -> nil",
     "Shows or hides the mesh."},
    {"visibility", visibility, "(self: Mesh) -> boolean", "Returns whether the mesh is visible."},
    CT_COMPONENT_WORLD_POSE_ROWS("Mesh", "mesh"),
};

const ct_lua_module ct_api_mesh = {
    .component = &ct_component_mesh.type,
    .name = "Mesh",
    .doc = "A mesh of a unit. Get one with Unit.mesh.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
