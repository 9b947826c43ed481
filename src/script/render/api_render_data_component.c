#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_render_data_component;

const ct_lua_object_type ct_type_render_data_component = {.name = "RenderDataComponent",
                                                          .owner = CT_LUA_OWNER_OBJECT};

static ct_render_data_manager *check_manager(lua_State *L) {
    return ct_world_render_data(ct_check_object(L, 1, &ct_type_render_data_component, NULL));
}

static int push_instance(lua_State *L, const ct_render_data_manager *m, ct_entity e,
                         ct_render_data_instance i) {
    return ct_push_instance(L, e, ct_render_data_number(m, i));
}

// The instance at argument 2.
static ct_render_data_instance check_instance(lua_State *L, const ct_render_data_manager *m) {
    uint32_t number;
    const ct_entity e = ct_check_instance(L, 2, &number);
    const ct_render_data_instance i =
        ct_render_data_with_number(m, e, number, CT_INSTANCE_NUMBER_BITS);
    if (!i.index)
        ct_instance_error(L, 2, "render data");
    return i;
}

// The instance of the entity at argument 2 whose id is argument 3; sets the entity.
static ct_render_data_instance check_instance_with_id(lua_State *L, const ct_render_data_manager *m,
                                                      ct_entity *e) {
    *e = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    const ct_render_data_instance i = ct_render_data_with_id(m, *e, id);
    if (!i.index)
        ct_argument_error(L, 3, "the entity has no render data with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return i;
}

// --- Instances -----------------------------------------------------------------------------------

static int create(lua_State *L) {
    ct_render_data_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    if (ct_render_data_with_id(m, e, id).index)
        ct_argument_error(L, 3, "the entity already has render data with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    const ct_component_manager manager = ct_render_data_component_manager(m);
    ct_check_room(L, &manager);
    return push_instance(L, m, e, ct_render_data_create(m, e, id));
}

static int destroy(lua_State *L) {
    ct_render_data_manager *const m = check_manager(L);
    ct_render_data_destroy(m, check_instance(L, m));
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_render_data_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_render_data_instance i;
    while ((i = ct_render_data_first(m, e)).index)
        ct_render_data_destroy(m, i);
    return 0;
}

// Pushes the instances, or their ids, of the entity at argument 2.
static int push_instances(lua_State *L, bool wants_ids) {
    const ct_render_data_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    int count = 0;
    for (ct_render_data_instance i = ct_render_data_first(m, e); i.index;
         i = ct_render_data_next(m, i), ++count) {
        luaL_checkstack(L, 2, "too many instances");
        if (wants_ids)
            lua_pushnumber(L, ct_render_data_id(m, i));
        else
            push_instance(L, m, e, i);
    }
    return count;
}

static int instances(lua_State *L) {
    return push_instances(L, false);
}

static int instance_ids(lua_State *L) {
    return push_instances(L, true);
}

static int lookup(lua_State *L) {
    const ct_render_data_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    const ct_render_data_instance i = ct_render_data_with_id(m, e, ct_check_component_id(L, 3));
    if (i.index)
        return push_instance(L, m, e, i);
    lua_pushnil(L);
    return 1;
}

// --- Values --------------------------------------------------------------------------------------

// The name at `argument`: a string, or an array of one string.
static ct_string_id32 check_key(lua_State *L, int argument) {
    if (lua_istable(L, argument)) {
        if (lua_objlen(L, argument) != 1)
            ct_argument_error(L, argument, "expected one name; render data has no parts");
        lua_rawgeti(L, argument, 1);
        lua_replace(L, argument);
    }
    return ct_string_id32_register(ct_check_string(L, argument));
}

static int push_value(lua_State *L, const ct_render_data_value *value) {
    const float *const v = value ? value->value : NULL;
    switch (value ? value->num_floats : 0) {
    case 0:
        lua_pushnil(L);
        break;
    case 1:
        lua_pushnumber(L, (lua_Number)v[0]);
        break;
    case 2:
        ct_push_vector2(L, (ct_vec2){{v[0], v[1]}});
        break;
    case 3:
        ct_push_vector3(L, ct_vec3_make(v[0], v[1], v[2]));
        break;
    default:
        ct_push_vector4(L, (ct_vec4){{v[0], v[1], v[2], v[3]}});
    }
    return 1;
}

// Copies the value at `argument` to `out` of 4 floats and returns how many it has.
static uint32_t check_value(lua_State *L, int argument, float *out) {
    uint32_t count = 1;
    switch (ct_value_kind_at(L, argument)) {
    case CT_VALUE_KIND_VECTOR2:
        memcpy(out, ct_check_vector2(L, argument).raw, sizeof(ct_vec2));
        count = 2;
        break;
    case CT_VALUE_KIND_VECTOR3:
        memcpy(out, ct_check_finite_vector3(L, argument).raw, sizeof(ct_vec3));
        return 3;
    case CT_VALUE_KIND_VECTOR4:
    case CT_VALUE_KIND_QUATERNION:
        memcpy(out, ct_check_finite_vector4(L, argument).raw, sizeof(ct_vec4));
        return 4;
    default:
        if (lua_type(L, argument) != LUA_TNUMBER)
            ct_argument_type_error(L, argument, "number or vector");
        out[0] = (float)ct_check_number(L, argument);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(out[i]))
            ct_argument_error(L, argument, "expected finite numbers, got %g", (double)out[i]);
    }
    return count;
}

static void take_value(lua_State *L, ct_render_data_manager *m, ct_render_data_instance i,
                       int key) {
    const ct_string_id32 name = check_key(L, key);
    float value[4];
    const uint32_t count = check_value(L, key + 1, value);
    if (!ct_render_data_set(m, i, name, value, count))
        ct_argument_error(L, key, "the render data already has %d values, the most that it holds",
                          CT_RENDER_DATA_MAX_VALUES);
}

static int get_property(lua_State *L) {
    const ct_render_data_manager *const m = check_manager(L);
    const ct_render_data_instance i = check_instance(L, m);
    return push_value(L, ct_render_data_get(m, i, check_key(L, 3)));
}

static int get_property_by_id(lua_State *L) {
    const ct_render_data_manager *const m = check_manager(L);
    ct_entity e;
    const ct_render_data_instance i = check_instance_with_id(L, m, &e);
    return push_value(L, ct_render_data_get(m, i, check_key(L, 4)));
}

static int set_property(lua_State *L) {
    ct_render_data_manager *const m = check_manager(L);
    take_value(L, m, check_instance(L, m), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    ct_render_data_manager *const m = check_manager(L);
    ct_entity e;
    const ct_render_data_instance i = check_instance_with_id(L, m, &e);
    take_value(L, m, i, 4);
    return push_instance(L, m, e, i);
}

static const ct_lua_function functions[] = {
    {"create", create,
     "(self: RenderDataComponent, entity: Entity, id: any(integer,string)) -> integer",
     "Adds render data without values to an entity, under an id that is unique on the entity; "
     "returns the instance."},
    {"destroy", destroy, "(self: RenderDataComponent, instance: integer) -> nil",
     "Destroys an instance; the meshes keep its values."},
    {"destroy_all", destroy_all, "(self: RenderDataComponent, entity: Entity) -> nil",
     "Destroys all render data of an entity; the meshes keep its values."},
    {"get_property", get_property,
     "(self: RenderDataComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns a value by its name: a number, a vector (colours linear), or nil."},
    {"get_property_by_id", get_property_by_id,
     "(self: RenderDataComponent, entity: Entity, id: any(integer,string), "
     "key: any(string,string[])) -> any",
     "Works like get_property, for the render data with this id of an entity."},
    {"instance_ids", instance_ids, "(self: RenderDataComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's render data."},
    {"instances", instances, "(self: RenderDataComponent, entity: Entity) -> integer*",
     "Returns the instances of an entity; each is valid until it is destroyed."},
    {"lookup", lookup,
     "(self: RenderDataComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"set_property", set_property,
     "(self: RenderDataComponent, instance: integer, key: any(string,string[]), "
     "value: any(number,Vector2,Vector3,Vector4)) -> nil",
     "Sets a value (colours linear) for the instanced parameters of this name that the materials "
     "of the entity's meshes have, now or later. An instance holds 16 values."},
    {"set_property_by_id", set_property_by_id,
     "(self: RenderDataComponent, entity: Entity, id: any(integer,string), "
     "key: any(string,string[]), value: any(number,Vector2,Vector3,Vector4)) -> integer",
     "Works like set_property, for the render data with this id of an entity; returns the "
     "instance."},
};

const ct_lua_module ct_api_render_data_component = {
    .name = "RenderDataComponent",
    .doc = "Values that all meshes of an entity have for instanced parameters of their materials. "
           "Get it with EntityManager.render_data_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
