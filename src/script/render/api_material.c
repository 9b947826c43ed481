#include <math.h>

#include "script/api_check.h"
#include "script/render/api_mesh.h"

// A material's handle bears its name; the object behind it is the renderer.

extern const ct_lua_module ct_api_material;

const ct_lua_object_type ct_type_material = {.name = "Material"};

typedef struct material_handle {
    ct_renderer *renderer;
    ct_string_id64 name;
} material_handle;

// A material that is loaded.
static material_handle check_material(lua_State *L) {
    uint64_t name;
    ct_renderer *const r = ct_check_object(L, 1, &ct_type_material, &name);
    ct_resource_manager *const m = ct_lua_of(L)->resources;
    const material_handle h = {r, {name}};
    if (!ct_resource_manager_get(m, "material", h.name))
        ct_argument_error(L, 1, "the material \"%s\" is no longer loaded",
                          ct_string_id64_name(h.name));
    return h;
}

// Describes the name at argument 2, and raises the error that there is none.
static int unknown(lua_State *L, material_handle h, const char *what) {
    const char *const name = ct_string_id64_name(h.name);
    if (lua_type(L, 2) == LUA_TSTRING)
        return ct_argument_error(L, 2, "the material \"%s\" has no %s \"%s\"", name, what,
                                 lua_tostring(L, 2));
    return ct_argument_error(L, 2, "the material \"%s\" has no %s with the id %s", name, what,
                             ct_string_id32_name(ct_check_id32(L, 2)));
}

static int set_floats(lua_State *L, material_handle h, const float *values, uint32_t count) {
    if (!ct_render_material_set_parameter(h.renderer, h.name, ct_check_id32(L, 2), values, count))
        return unknown(L, h, count > 4 ? "matrix" : "variable");
    return 0;
}

static int set_scalar(lua_State *L) {
    const material_handle h = check_material(L);
    ct_check_id32(L, 2);
    const float value = (float)ct_check_number_in(L, 3, -3e38, 3e38);
    return set_floats(L, h, &value, 1);
}

static int set_vector2(lua_State *L) {
    const material_handle h = check_material(L);
    ct_check_id32(L, 2);
    if (ct_value_kind_at(L, 3) == CT_VALUE_KIND_VECTOR3)
        return set_floats(L, h, ct_check_finite_vector3(L, 3).raw, 2);
    const ct_vec2 v = ct_check_vector2(L, 3);
    if (!isfinite(v.x) || !isfinite(v.y))
        ct_argument_error(L, 3, "expected finite numbers, got (%g, %g)", (double)v.x, (double)v.y);
    return set_floats(L, h, v.raw, 2);
}

static int set_vector3(lua_State *L) {
    const material_handle h = check_material(L);
    ct_check_id32(L, 2);
    return set_floats(L, h, ct_check_finite_vector3(L, 3).raw, 3);
}

static int set_vector4(lua_State *L) {
    const material_handle h = check_material(L);
    ct_check_id32(L, 2);
    return set_floats(L, h, ct_check_finite_vector4(L, 3).raw, 4);
}

static int set_matrix4x4(lua_State *L) {
    const material_handle h = check_material(L);
    ct_check_id32(L, 2);
    const ct_mat4 m = ct_check_finite_matrix4x4(L, 3);
    return set_floats(L, h, m.raw[0], 16);
}

static int set_texture(lua_State *L) {
    const material_handle h = check_material(L);
    const ct_string_id32 slot = ct_check_id32(L, 2);
    const ct_string_id64 texture = ct_string_id64_of(ct_check_resource(L, 3, "texture", NULL));
    if (!ct_render_material_set_texture(h.renderer, h.name, slot, texture))
        return unknown(L, h, "texture");
    return 0;
}

static int id(lua_State *L) {
    ct_push_id64(L, check_material(L).name);
    return 1;
}

static const ct_lua_function functions[] = {
    {"id", id, "(self: Material) -> IdString64", "Returns the id of the material's name."},
    {"set_color", set_vector4, "(self: Material, variable: string, color: Vector4) -> nil",
     "Sets a color (linear red, green, blue, alpha, from 0 to 1) for all users of the material."},
    {"set_matrix4x4", set_matrix4x4, "(self: Material, variable: string, value: Matrix4x4) -> nil",
     "Sets a matrix for all users of the material."},
    {"set_scalar", set_scalar, "(self: Material, variable: string, value: number) -> nil",
     "Sets a number for all users of the material."},
    {"set_texture", set_texture, "(self: Material, slot: string, texture: string(texture)) -> nil",
     "Sets a loaded texture for all users of the material."},
    {"set_vector2", set_vector2, "(self: Material, variable: string, vector2: Vector2) -> nil",
     "Sets two numbers for all users of the material; the z of a Vector3 is ignored."},
    {"set_vector3", set_vector3, "(self: Material, variable: string, vector3: Vector3) -> nil",
     "Sets three numbers for all users of the material."},
    {"set_vector4", set_vector4, "(self: Material, variable: string, vector4: Vector4) -> nil",
     "Sets four numbers for all users of the material."},
};

const ct_lua_module ct_api_material = {
    .name = "Material",
    .doc = "The look of surfaces. Get one with Mesh.material. All meshes that use a material share "
           "it; changes last until it is reloaded.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
