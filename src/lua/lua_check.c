#include "lua/lua_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "lua/lua_array.h"

// --- Numbers and names ---------------------------------------------------------------------------

double ct_check_number_in(lua_State *L, int argument, double least, double most) {
    const double number = ct_check_number(L, argument);
    if (!(number >= least && number <= most))
        ct_argument_error(L, argument, "expected a number from %g to %g, got %.9g", least, most,
                          number);
    return number;
}

double ct_check_field_number(lua_State *L, int argument, const ct_schema *schema,
                             const char *field) {
    const ct_field *const f = ct_schema_find(schema, field);
    CT_ASSERT(f && f->least < f->most, "%s has no field %s with a range", schema->name, field);
    return ct_check_number_in(L, argument, f->least, f->most);
}

uint32_t ct_check_name_of(lua_State *L, int argument, const char *const *names) {
    const char *const name = ct_check_string(L, argument);
    char expected[256] = "";
    for (uint32_t i = 0; names[i]; ++i) {
        if (strcmp(names[i], name) == 0)
            return i;
        const size_t length = strlen(expected);
        snprintf(expected + length, sizeof(expected) - length, "%s\"%s\"", i ? " or " : "",
                 names[i]);
    }
    return (uint32_t)ct_argument_error(L, argument, "expected %s, got \"%s\"", expected, name);
}

ct_vec4 ct_check_finite_vector4(lua_State *L, int argument) {
    const ct_vec4 v = ct_check_vector4(L, argument);
    if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z) || !isfinite(v.w))
        ct_argument_error(L, argument, "expected finite numbers, got (%g, %g, %g, %g)", (double)v.x,
                          (double)v.y, (double)v.z, (double)v.w);
    return v;
}

ct_quat ct_check_rotation_of(lua_State *L, int argument, const float *floats, uint32_t i) {
    ct_quat q;
    memcpy(&q, floats + 4 * (uint64_t)i, sizeof(q));
    if (!ct_quat_is_rotation(q))
        ct_argument_error(
            L, argument,
            "expected rotations, got (%g, %g, %g, %g), which is not a rotation, as number %u",
            (double)q.x, (double)q.y, (double)q.z, (double)q.w, i + 1);
    return ct_quat_normalize(q);
}

ct_mat4 ct_check_finite_matrix4x4(lua_State *L, int argument) {
    const ct_mat4 m = *ct_check_matrix4x4(L, argument);
    if (!ct_mat4_is_finite(&m))
        ct_argument_error(L, argument, "expected a Matrix4x4 of finite numbers");
    return m;
}

void ct_check_pose(lua_State *L, int argument, ct_vec3 *position, ct_quat *rotation,
                   ct_vec3 *scale) {
    const ct_mat4 m = ct_check_finite_matrix4x4(L, argument);
    ct_mat4_decompose(&m, position, rotation, scale);
    if (!ct_vec3_is_finite(*scale) || !ct_quat_is_finite(*rotation))
        ct_argument_error(L, argument, "expected a pose, got a Matrix4x4 with too large numbers");
}

const char *ct_push_resource_guess(lua_State *L, const char *type, const char *name) {
    char nearest[CT_RESOURCE_NAME_BYTES];
    ct_resource_manager *const m = ct_lua_of(L)->resources;
    if (ct_resource_manager_is_unwanted(m, type, name))
        return lua_pushfstring(L, ": " CT_RESOURCE_UNWANTED);
    if (!ct_resource_manager_nearest(m, type, name, nearest))
        return lua_pushfstring(L, "");
    return lua_pushfstring(L, ", did you mean \"%s\"?", nearest);
}

const char *ct_check_resource(lua_State *L, int argument, const char *type, const void **blob) {
    ct_resource_manager *const m = ct_lua_of(L)->resources;
    const char *const name = ct_check_string(L, argument);
    const void *const found = ct_resource_manager_get(m, type, ct_string_id64_of(name));
    if (!found) {
        if (ct_resource_manager_can_get(m, type, name))
            ct_argument_error(L, argument,
                              "the %s \"%s\" is not loaded; expected it in a loaded package", type,
                              name);
        ct_argument_error(L, argument, "there is no %s \"%s\"%s", type, name,
                          ct_push_resource_guess(L, type, name));
    }
    if (blob)
        *blob = found;
    return name;
}

int ct_push_single_instance(lua_State *L, ct_entity e) {
    if (e.id)
        lua_pushnumber(L, e.id);
    else
        lua_pushnil(L);
    return 1;
}

int ct_push_single_instances(lua_State *L, ct_entity e) {
    return e.id ? ct_push_single_instance(L, e) : 0;
}

int ct_push_single_ids(lua_State *L, ct_entity e) {
    if (e.id)
        lua_pushnumber(L, 0);
    return e.id ? 1 : 0;
}

ct_entity ct_check_single_instance(lua_State *L, int argument) {
    return ct_entity_of_bits(
        (uint64_t)ct_check_integer(L, argument, 1, (1ll << CT_ENTITY_BITS) - 1));
}

// Entity and number in a whole number of a double.
int ct_push_instance(lua_State *L, ct_entity e, uint32_t number) {
    lua_pushnumber(L, (lua_Number)((uint64_t)number << CT_ENTITY_BITS | e.id));
    return 1;
}

ct_entity ct_instance_entity(uint64_t instance, uint32_t *number) {
    *number = (uint32_t)(instance >> CT_ENTITY_BITS);
    return ct_entity_of_bits(instance & ((1u << CT_ENTITY_BITS) - 1));
}

ct_entity ct_check_instance(lua_State *L, int argument, uint32_t *number) {
    return ct_instance_entity((uint64_t)ct_check_integer(L, argument, 1, CT_MOST_INSTANCE), number);
}

int ct_instance_error(lua_State *L, int argument, const char *noun) {
    return ct_argument_error(L, argument, "expected the instance of a %s, got a destroyed one",
                             noun);
}

uint32_t ct_check_component_id(lua_State *L, int argument) {
    if (lua_type(L, argument) == LUA_TNUMBER)
        return (uint32_t)ct_check_integer(L, argument, 0, UINT32_MAX);
    return ct_check_id32(L, argument).value;
}

void ct_check_room(lua_State *L, const ct_component_manager *manager) {
    ct_error error = {0};
    ct_lua_ask_memory(L, CT_LUA_COMPONENT_BYTES);
    if (!ct_component_manager_has_room(manager, 1, &error))
        ct_function_error(L, "%s", error.message);
}

// --- Arrays --------------------------------------------------------------------------------------

void ct_check_entity_at(lua_State *L, int argument, ct_entity e, uint32_t i) {
    if (__builtin_expect(ct_entity_is_alive(ct_lua_of(L)->entities, e), 1))
        return;
    ct_push_entity(L, e);
    ct_argument_error(L, argument, "expected Unit at index %u, got %s", i + 1,
                      ct_push_value_description(L, lua_gettop(L)));
}

uint32_t ct_check_array(lua_State *L, int argument) {
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table");
    const size_t count = lua_objlen(L, argument);
    if (count > 1u << CT_ENTITY_INDEX_BITS << 2) // as many as entities, with numbers to spare
        ct_argument_error(L, argument, "expected fewer than %u elements",
                          1u << CT_ENTITY_INDEX_BITS << 2);
    return (uint32_t)count;
}

// Element `i`, which is to be a finite number.
static float check_number_at(lua_State *L, int argument, uint32_t i) {
    lua_rawgeti(L, argument, (int)i);
    if (lua_type(L, -1) != LUA_TNUMBER)
        ct_argument_error(L, argument, "expected a number at index %u, got %s", i,
                          ct_push_value_description(L, lua_gettop(L)));
    const float number = (float)lua_tonumber(L, -1);
    if (!isfinite(number))
        ct_argument_error(L, argument, "expected a finite number at index %u, got %g", i,
                          (double)number);
    lua_pop(L, 1);
    return number;
}

static ct_vec3 check_vector_at(lua_State *L, int argument, uint32_t i) {
    lua_rawgeti(L, argument, (int)i);
    const uint64_t value = ct_value_at(L, -1);
    const float *const v = ct_value_kind_of(value) == CT_VALUE_KIND_VECTOR3
                               ? ct_temporary_data(ct_lua_of(L), value)
                               : NULL;
    if (!v)
        ct_argument_error(L, argument, "expected Vector3 at index %u, got %s", i,
                          ct_push_value_description(L, lua_gettop(L)));
    const ct_vec3 vector = {{v[0], v[1], v[2]}};
    if (!ct_vec3_is_finite(vector))
        ct_argument_error(L, argument, "expected a finite Vector3 at index %u", i);
    lua_pop(L, 1);
    return vector;
}

const ct_vec3 *ct_check_positions(lua_State *L, int argument, ct_allocator *a, uint32_t *count) {
    const ct_lua_array *const array = ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_FLOATS);
    if (array) {
        *count = array->count / 3;
        return (const ct_vec3 *)(const void *)ct_check_floats_of(L, argument, 3, *count);
    }
    const uint32_t length = ct_check_array(L, argument);
    lua_rawgeti(L, argument, 1);
    const bool is_flat = lua_type(L, -1) == LUA_TNUMBER;
    lua_pop(L, 1);
    if (is_flat && length % 3 != 0)
        ct_argument_error(L, argument, "expected three numbers for each position, got %u in total",
                          length);
    *count = is_flat ? length / 3 : length;
    ct_vec3 *const positions = ct_alloc(a, sizeof(ct_vec3) * (uint64_t)*count);
    for (uint32_t i = 0; i < *count; ++i) {
        if (!is_flat) {
            positions[i] = check_vector_at(L, argument, i + 1);
            continue;
        }
        for (uint32_t k = 0; k < 3; ++k)
            positions[i].raw[k] = check_number_at(L, argument, 3 * i + k + 1);
    }
    return positions;
}
