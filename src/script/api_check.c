#include "script/api_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

const ct_lua_component_type ct_type_camera = {.name = "Camera"};
const ct_lua_component_type ct_type_light = {.name = "Light"};
const ct_lua_component_type ct_type_mesh = {.name = "Mesh"};

// --- Worlds and what is in them ------------------------------------------------------------------

ct_world *ct_check_world(lua_State *L, int argument) {
    return ct_check_object(L, argument, &ct_type_world, NULL);
}

static ct_entity not_in_a_world(lua_State *L, int argument) {
    ct_check_entity(L, argument);
    ct_argument_error(L, argument, "expected a Unit of a world, got one that is in none");
    return (ct_entity){0};
}

ct_entity ct_check_unit(lua_State *L, int argument, ct_world **world) {
    const uint64_t value = ct_value_at(L, argument);
    const ct_entity e = ct_entity_of_bits(value >> CT_VALUE_KIND_BITS);
    *world = __builtin_expect(ct_value_kind_of(value) == CT_VALUE_KIND_ENTITY, 1)
                 ? ct_world_of(ct_script_of(L)->worlds, e)
                 : NULL;
    if (__builtin_expect(!*world, 0))
        return not_in_a_world(L, argument);
    return e;
}

ct_entity ct_check_unit_of(lua_State *L, int argument, const ct_world *world) {
    ct_world *own;
    const ct_entity e = ct_check_unit(L, argument, &own);
    if (own != world)
        ct_argument_error(L, argument, "expected a Unit of this world, got one of another");
    return e;
}

void ct_check_unit_at(lua_State *L, int argument, ct_entity e, uint32_t i, const ct_world *world) {
    const ct_world *const own = ct_world_of(ct_script_of(L)->worlds, e);
    if (__builtin_expect(own == world, 1))
        return;
    ct_push_entity(L, e);
    ct_argument_error(L, argument, "expected a Unit of this world at index %u, got %s%s", i + 1,
                      ct_push_value_description(L, lua_gettop(L)), own ? " of another world" : "");
}

ct_level ct_check_level(lua_State *L, int argument, ct_world **world) {
    uint64_t id;
    *world = ct_check_object(L, argument, &ct_type_level, &id);
    return (ct_level){(uint32_t)id};
}

// The entity and its world of a camera, light or mesh handle.
static ct_entity check_owner(lua_State *L, int argument, const ct_lua_component_type *type,
                             ct_world **world, uint32_t *which) {
    const ct_entity e = ct_check_component(L, argument, type, which);
    *world = ct_world_of(ct_script_of(L)->worlds, e);
    if (!*world)
        ct_argument_error(L, argument, "expected a %s in a world, got one that is in none",
                          type->name);
    return e;
}

static void missing_component(lua_State *L, int argument, const ct_lua_component_type *type) {
    const char *const name = type->name;
    ct_argument_error(L, argument, "expected %s, got a destroyed %s", name, name);
}

ct_script_camera ct_check_camera(lua_State *L, int argument) {
    uint32_t which;
    ct_script_camera c;
    c.entity = check_owner(L, argument, &ct_type_camera, &c.world, &which);
    const ct_camera_manager *const m = ct_world_cameras(c.world);
    c.instance = ct_camera_with_number(m, c.entity, which, CT_COMPONENT_HANDLE_BITS);
    if (!c.instance.index)
        missing_component(L, argument, &ct_type_camera);
    return c;
}

ct_script_light ct_check_light(lua_State *L, int argument) {
    uint32_t which;
    ct_script_light l;
    l.entity = check_owner(L, argument, &ct_type_light, &l.world, &which);
    const ct_light_manager *const m = ct_world_lights(l.world);
    l.instance = ct_light_with_number(m, l.entity, which, CT_COMPONENT_HANDLE_BITS);
    if (!l.instance.index)
        missing_component(L, argument, &ct_type_light);
    return l;
}

ct_script_mesh ct_check_mesh(lua_State *L, int argument) {
    uint32_t which;
    ct_script_mesh m;
    m.entity = check_owner(L, argument, &ct_type_mesh, &m.world, &which);
    const ct_mesh_manager *const meshes = ct_world_meshes(m.world);
    m.instance = ct_mesh_with_number(meshes, m.entity, which, CT_COMPONENT_HANDLE_BITS);
    if (!m.instance.index)
        missing_component(L, argument, &ct_type_mesh);
    return m;
}
