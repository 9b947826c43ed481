#include "lua/lua_machine.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "foundation/math/math.h"

// The metatable shared by all light userdata, and that of numbers. LuaJIT compares light userdata
// by their bits, without a metatable, so `==` works for units and 32-bit ids, but not for the
// numbers in two vectors (use Vector3.equal).

enum { TEXT_BYTES = 512, NUMBER_BYTES = 32 };

static uint32_t num_parts(ct_value_kind kind) {
    switch (kind) {
    case CT_VALUE_KIND_VECTOR2:
        return 2;
    case CT_VALUE_KIND_VECTOR3:
        return 3;
    case CT_VALUE_KIND_VECTOR4:
    case CT_VALUE_KIND_QUATERNION:
        return 4;
    default:
        return 0;
    }
}

static void push_parts(lua_State *L, ct_value_kind kind, const float v[4]) {
    switch (kind) {
    case CT_VALUE_KIND_VECTOR2:
        ct_push_vector2(L, (ct_vec2){{v[0], v[1]}});
        break;
    case CT_VALUE_KIND_VECTOR3:
        ct_push_vector3(L, (ct_vec3){{v[0], v[1], v[2]}});
        break;
    case CT_VALUE_KIND_VECTOR4:
        ct_push_vector4(L, (ct_vec4){{v[0], v[1], v[2], v[3]}});
        break;
    default:
        ct_push_quaternion(L, (ct_quat){{v[0], v[1], v[2], v[3]}});
        break;
    }
}

// The parts of a vector or quaternion of this frame, or NULL.
static const float *parts_at(lua_State *L, int index, ct_value_kind *kind) {
    const uint64_t value = ct_value_at(L, index);
    *kind = ct_value_kind_of(value);
    return num_parts(*kind) ? ct_temporary_data(ct_lua_of(L), value) : NULL;
}

static int operator_error(lua_State *L, const char *operator) {
    const char *const left = ct_push_value_description(L, 1);
    const char *const right = ct_push_value_description(L, 2);
    return luaL_error(L, "operator %s: expected compatible values, got %s and %s", operator, left,
                      right);
}

// --- Arithmetic ----------------------------------------------------------------------------------

// a + scale * b of two vectors of one kind.
static int add_scaled(lua_State *L, const char *operator, float scale) {
    ct_value_kind kind_a, kind_b;
    const float *const a = parts_at(L, 1, &kind_a);
    const float *const b = parts_at(L, 2, &kind_b);
    if (!a || !b || kind_a != kind_b)
        return operator_error(L, operator);
    float sum[4];
    for (uint32_t i = 0; i < 4; ++i)
        sum[i] = a[i] + scale * b[i];
    push_parts(L, kind_a, sum);
    return 1;
}

static int add(lua_State *L) {
    return add_scaled(L, "+", 1);
}

static int subtract(lua_State *L) {
    return add_scaled(L, "-", -1);
}

static int push_scaled(lua_State *L, ct_value_kind kind, const float *v, float factor) {
    const float scaled[4] = {v[0] * factor, v[1] * factor, v[2] * factor, v[3] * factor};
    push_parts(L, kind, scaled);
    return 1;
}

static int multiply_quaternions(lua_State *L) {
    ct_push_quaternion(L, ct_quat_mul(ct_check_quaternion(L, 1), ct_check_quaternion(L, 2)));
    return 1;
}

// `a` and `b` are NULL when of an earlier frame.
static int multiply_matrices(lua_State *L, const float *a, const float *b) {
    if (!a || !b)
        return operator_error(L, "*");
    ct_mat4 left, right;
    memcpy(&left, a, sizeof(left));
    memcpy(&right, b, sizeof(right));
    const ct_mat4 product = ct_mat4_mul(left, right);
    ct_push_matrix4x4(L, &product);
    return 1;
}

static int multiply(lua_State *L) {
    ct_value_kind kind_a, kind_b;
    const float *const a = parts_at(L, 1, &kind_a);
    const float *const b = parts_at(L, 2, &kind_b);
    if (a && lua_type(L, 2) == LUA_TNUMBER)
        return push_scaled(L, kind_a, a, (float)lua_tonumber(L, 2));
    if (b && lua_type(L, 1) == LUA_TNUMBER)
        return push_scaled(L, kind_b, b, (float)lua_tonumber(L, 1));
    if (a && b && kind_a == CT_VALUE_KIND_QUATERNION && kind_b == CT_VALUE_KIND_QUATERNION)
        return multiply_quaternions(L);
    if (kind_a == CT_VALUE_KIND_MATRIX4X4 && kind_b == CT_VALUE_KIND_MATRIX4X4)
        return multiply_matrices(L, ct_temporary_data(ct_lua_of(L), ct_value_at(L, 1)),
                                 ct_temporary_data(ct_lua_of(L), ct_value_at(L, 2)));
    return operator_error(L, "*");
}

static int divide(lua_State *L) {
    ct_value_kind kind;
    const float *const v = parts_at(L, 1, &kind);
    if (!v || lua_type(L, 2) != LUA_TNUMBER)
        return operator_error(L, "/");
    return push_scaled(L, kind, v, (float)(1.0 / lua_tonumber(L, 2)));
}

static int negate(lua_State *L) {
    ct_value_kind kind;
    const float *const v = parts_at(L, 1, &kind);
    if (!v)
        return luaL_error(L, "operator -: expected a vector or Quaternion, got %s",
                          ct_push_value_description(L, 1));
    return push_scaled(L, kind, v, -1);
}

// --- Members -------------------------------------------------------------------------------------

// The place of the part that the key at 2 names, or NULL.
static float *part_at(lua_State *L) {
    const uint64_t value = ct_value_at(L, 1);
    const uint32_t count = num_parts(ct_value_kind_of(value));
    size_t bytes = 0;
    const char *const key = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &bytes) : "";
    static const char names[] = "xyzw";
    const char *const name = bytes == 1 && key[0] ? strchr(names, key[0]) : NULL;
    if (!name)
        return NULL;
    const uint32_t part = (uint32_t)(name - names);
    float *const parts = part < count ? ct_temporary_data(ct_lua_of(L), value) : NULL;
    return parts ? parts + part : NULL;
}

// The function `name` of the module `module`, or NULL. Of any module when that is NULL: the first
// whose function of this name takes the instance of a component.
static const ct_lua_function *find_function(const ct_lua *m, const char *module, const char *name,
                                            const ct_lua_module **found) {
    for (uint32_t i = 0; i < m->num_modules; ++i) {
        *found = m->modules[i];
        if (module && strcmp((*found)->name, module) != 0)
            continue;
        for (uint32_t k = 0; k < (*found)->num_functions; ++k) {
            const ct_lua_function *const function = &(*found)->functions[k];
            if (strcmp(function->name, name) == 0 &&
                (module || strstr(function->signature, "instance: integer")))
                return function;
        }
    }
    return NULL;
}

// Writes the name of a type as scripts call a value of it: "TransformComponent" is
// transform_component.
static void variable_name(const char *type, char name[NUMBER_BYTES]) {
    uint32_t length = 0;
    for (const char *c = type; *c && length + 2 < NUMBER_BYTES; ++c) {
        if (isupper((unsigned char)*c) && c > type && !isdigit((unsigned char)c[-1]))
            name[length++] = '_';
        name[length++] = (char)tolower((unsigned char)*c);
    }
    name[length] = 0;
}

// Raises the error that says what to write instead of `unit:local_position(1)`, when a module has
// such a function.
static void refuse_method(lua_State *L, const char *key) {
    const ct_lua_module *module;
    const uint64_t value = ct_value_at(L, 1);
    if (ct_temporary_slots(ct_value_kind_of(value)) && !ct_temporary_data(ct_lua_of(L), value))
        return; // of an earlier frame, which matters more
    const char *const type = ct_value_type_name(L, 1);
    const ct_lua_function *const function = find_function(ct_lua_of(L), type, key, &module);
    if (!function)
        return;
    char variable[NUMBER_BYTES];
    variable_name(type, variable);
    luaL_error(L, "member '%s': a value of the type %s has no methods; write %s.%s(%s%s)", key,
               type, type, key, variable, strchr(function->signature, ',') ? ", ..." : "");
}

static int member_error(lua_State *L) {
    if (lua_type(L, 2) == LUA_TSTRING && ct_lua_name_at(L, 2))
        refuse_method(L, lua_tostring(L, 2));
    const char *const got = ct_push_value_description(L, 1);
    const char *const key =
        lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    const uint32_t count = num_parts(ct_value_kind_at(L, 1));
    static const char *const members[] = {"none", "none", "x and y", "x, y and z", "x, y, z and w"};
    return luaL_error(L, "member '%s': %s has no such member (its members: %s)", key, got,
                      members[count]);
}

static int read_member(lua_State *L) {
    const float *const part = part_at(L);
    if (!part)
        return member_error(L);
    lua_pushnumber(L, (lua_Number)*part);
    return 1;
}

// Instances of components are numbers.
static int read_member_of_number(lua_State *L) {
    const char *const key =
        lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    const ct_lua_module *module;
    if (!find_function(ct_lua_of(L), NULL, key, &module))
        return luaL_error(L, "attempt to index a number value (member '%s')", key);
    char variable[NUMBER_BYTES];
    variable_name(module->name, variable);
    return luaL_error(L,
                      "attempt to index a number value (member '%s'); the instance of a component "
                      "is an argument, as in %s.%s(%s, instance)",
                      key, module->name, key, variable);
}

static int write_member(lua_State *L) {
    float *const part = part_at(L);
    if (!part)
        return member_error(L);
    if (lua_type(L, 3) != LUA_TNUMBER)
        return luaL_error(L, "member '%s': expected number, got %s", lua_tostring(L, 2),
                          ct_push_value_description(L, 3));
    *part = (float)lua_tonumber(L, 3);
    return 0;
}

// --- Text ----------------------------------------------------------------------------------------

// The shortest text that reads back to the same float.
static void float_text(float f, char text[NUMBER_BYTES]) {
    for (int digits = 6; digits <= 9; ++digits) {
        snprintf(text, NUMBER_BYTES, "%.*g", digits, (double)f);
        float back = 0;
        if (sscanf(text, "%f", &back) == 1 && back == f)
            return;
    }
}

static void push_floats(lua_State *L, const char *name, const float *parts, uint32_t count) {
    char text[TEXT_BYTES], number[NUMBER_BYTES];
    int at = snprintf(text, sizeof(text), "%s(", name);
    for (uint32_t i = 0; i < count; ++i) {
        float_text(parts[i], number);
        at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%s", i ? ", " : "", number);
    }
    lua_pushfstring(L, "%s)", text);
}

static void push_matrix_text(lua_State *L, const float *m) {
    float axes[12];
    for (uint32_t i = 0; i < 12; ++i)
        axes[i] = m[i / 3 * 4 + i % 3];
    push_floats(L, "Matrix4x4", axes, 12);
}

static void push_id64_text(lua_State *L, const float *data) {
    ct_string_id64 id;
    memcpy(&id.value, data, sizeof(id.value));
    lua_pushfstring(L, "IdString64(%s)", ct_string_id64_name(id));
}

static void push_temporary_text(lua_State *L, ct_lua *s, uint64_t value) {
    const ct_value_kind kind = ct_value_kind_of(value);
    const float *const data = ct_temporary_data(s, value);
    if (!data)
        lua_pushfstring(L, "%s(of an earlier frame)", ct_value_kind_name(kind));
    else if (kind == CT_VALUE_KIND_MATRIX4X4)
        push_matrix_text(L, data);
    else if (kind == CT_VALUE_KIND_ID64)
        push_id64_text(L, data);
    else
        push_floats(L, ct_value_kind_name(kind), data, num_parts(kind));
}

// An entity or a component of one: with the entity's debug name when it has one.
static void push_entity_text(lua_State *L, const ct_lua *m, uint64_t value) {
    const ct_entity e = ct_entity_of_value(value);
    const char *const kind = ct_value_type_name(L, 1);
    if (!ct_entity_is_alive(m->entities, e)) {
        lua_pushfstring(L, "%s(destroyed)", kind);
        return;
    }
    char which[NUMBER_BYTES] = "", number[NUMBER_BYTES];
    if (ct_value_kind_of(value) == CT_VALUE_KIND_COMPONENT)
        snprintf(which, sizeof(which), ", %u", ct_component_number_of_value(value) + 1);
    snprintf(number, sizeof(number), "#%u", ct_entity_index(e));
    const char *const name = m->debug_names ? ct_debug_name(m->debug_names, e) : NULL;
    lua_pushfstring(L, "%s(%s%s)", kind, name && name[0] ? name : number, which);
}

static void push_object_text(lua_State *L, const ct_lua *m, uint64_t value) {
    const ct_lua_object *const slot = ct_object_of(m, value);
    const char *const type = ct_value_type_name(L, 1);
    if (slot)
        lua_pushfstring(L, "%s(#%d)", type, (int)(slot - m->objects.items));
    else
        lua_pushfstring(L, "%s(destroyed)", type);
}

static int to_string(lua_State *L) {
    ct_lua *const s = ct_lua_of(L);
    const uint64_t value = ct_value_at(L, 1);
    const ct_value_kind kind = ct_value_kind_of(value);
    if (ct_temporary_slots(kind)) {
        push_temporary_text(L, s, value);
    } else if (kind == CT_VALUE_KIND_OBJECT) {
        push_object_text(L, s, value);
    } else if (kind == CT_VALUE_KIND_ACTOR) {
        const bool is_alive = s->is_actor_alive && s->is_actor_alive(s, value);
        lua_pushfstring(L, is_alive ? "Actor(#%d)" : "Actor(destroyed)",
                        (int)(ct_actor_of_value(value) & 0xfffff)); // its place
    } else if (kind == CT_VALUE_KIND_ID32) {
        const ct_string_id32 id = {(uint32_t)(value >> CT_VALUE_KIND_BITS)};
        lua_pushfstring(L, "IdString32(%s)", ct_string_id32_name(id));
    } else if (kind == CT_VALUE_KIND_NONE || kind == CT_VALUE_KIND_ADDRESS ||
               kind > CT_VALUE_KIND_ACTOR) {
        lua_pushstring(L, ct_value_kind_name(kind));
    } else {
        push_entity_text(L, s, value);
    }
    return 1;
}

static int concatenate(lua_State *L) {
    for (int i = 1; i <= 2; ++i) {
        if (lua_type(L, i) == LUA_TLIGHTUSERDATA) {
            lua_pushcfunction(L, to_string);
            lua_pushvalue(L, i);
            lua_call(L, 1, 1);
        } else if (lua_isstring(L, i)) {
            lua_pushvalue(L, i);
        } else {
            return operator_error(L, "..");
        }
    }
    lua_concat(L, 2);
    return 1;
}

void ct_lua_open_metatable(lua_State *L) {
    static const luaL_Reg operators[] = {
        {"__add", add},
        {"__sub", subtract},
        {"__mul", multiply},
        {"__div", divide},
        {"__unm", negate},
        {"__index", read_member},
        {"__newindex", write_member},
        {"__tostring", to_string},
        {"__concat", concatenate},
        {NULL, NULL},
    };
    lua_pushlightuserdata(L, NULL);
    lua_newtable(L);
    luaL_register(L, NULL, operators);
    lua_pushliteral(L, "engine value"); // what getmetatable gives: scripts cannot change it
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pushnumber(L, 0);
    lua_newtable(L);
    lua_pushcfunction(L, read_member_of_number);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "number");
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 2);
}
