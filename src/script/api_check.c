#include "script/api_check.h"
#include "script/world/api_component.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

// --- Worlds and what is in them ------------------------------------------------------------------

ct_world *ct_check_world(lua_State *L, int argument) {
    return ct_check_object(L, argument, &ct_type_world, NULL);
}

static ct_entity not_in_a_world(lua_State *L, int argument) {
    ct_check_entity(L, argument);
    ct_argument_error(L, argument, "expected a Unit of a world, got one without a world");
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
        ct_argument_error(L, argument, "expected a Unit of this world, got one of another world");
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

ct_script_camera ct_check_camera(lua_State *L, int argument) {
    const ct_script_instance i = ct_check_component_instance(L, argument, &ct_component_camera);
    return (ct_script_camera){i.world, i.entity, {i.index}};
}

ct_script_light ct_check_light(lua_State *L, int argument) {
    const ct_script_instance i = ct_check_component_instance(L, argument, &ct_component_light);
    return (ct_script_light){i.world, i.entity, {i.index}};
}

ct_script_mesh ct_check_mesh(lua_State *L, int argument) {
    const ct_script_instance i = ct_check_component_instance(L, argument, &ct_component_mesh);
    return (ct_script_mesh){i.world, i.entity, {i.index}};
}
