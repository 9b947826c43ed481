#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "lua/lua_machine.h"

enum { ERROR_BYTES = 512, NAME_BYTES = 64 };

static const uint64_t ENTITY_MASK = (1u << CT_ENTITY_BITS) - 1;

const char *ct_value_kind_name(ct_value_kind kind) {
    static const char *const names[] = {
        [CT_VALUE_KIND_NONE] = "nothing",        [CT_VALUE_KIND_ENTITY] = "Unit",
        [CT_VALUE_KIND_VECTOR2] = "Vector2",     [CT_VALUE_KIND_VECTOR3] = "Vector3",
        [CT_VALUE_KIND_VECTOR4] = "Vector4",     [CT_VALUE_KIND_QUATERNION] = "Quaternion",
        [CT_VALUE_KIND_MATRIX4X4] = "Matrix4x4", [CT_VALUE_KIND_ID32] = "IdString32",
        [CT_VALUE_KIND_ID64] = "IdString64",     [CT_VALUE_KIND_COMPONENT] = "component",
        [CT_VALUE_KIND_OBJECT] = "object",       [CT_VALUE_KIND_ADDRESS] = "light userdata",
        [CT_VALUE_KIND_ACTOR] = "Actor",
    };
    return (uint32_t)kind < CT_COUNT_OF(names) ? names[kind] : "light userdata";
}

ct_value_kind ct_value_kind_at(lua_State *L, int index) {
    const ct_value_kind kind = ct_value_kind_of(ct_value_at(L, index));
    return kind == CT_VALUE_KIND_ADDRESS ? CT_VALUE_KIND_NONE : kind;
}

static const char *value_type_name(const ct_lua *m, uint64_t value) {
    const ct_value_kind kind = ct_value_kind_of(value);
    const ct_lua_object_type *const object =
        kind == CT_VALUE_KIND_OBJECT ? ct_object_type_of(m, value) : NULL;
    const ct_lua_component_type *const component =
        kind == CT_VALUE_KIND_COMPONENT ? ct_component_type_of_value(m, value) : NULL;
    return object ? object->name : component ? component->name : ct_value_kind_name(kind);
}

// Only boxes are full userdata with a `__name`.
static const char *userdata_type_name(lua_State *L, int index) {
    const char *name = "userdata";
    if (!lua_getmetatable(L, index))
        return name;
    lua_pushliteral(L, "__name");
    lua_rawget(L, -2);
    if (lua_type(L, -1) == LUA_TSTRING)
        name = lua_tostring(L, -1); // lives on in the metatable
    lua_pop(L, 2);
    return name;
}

const char *ct_value_type_name(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TNONE:
        return "nil";
    case LUA_TLIGHTUSERDATA:
        return value_type_name(ct_lua_of(L), ct_value_at(L, index));
    case LUA_TUSERDATA:
        return userdata_type_name(L, index);
    default:
        return luaL_typename(L, index);
    }
}

// --- Errors --------------------------------------------------------------------------------------

// Writes the name of the `argument`-th parameter of `(a: number, b: Vector3*) -> nil`. A last
// parameter that repeats is used for all that follow. Commas in a type's parentheses do not count.
static void argument_name(const char *signature, int argument, char name[NAME_BYTES]) {
    name[0] = 0;
    if (!signature || *signature++ != '(')
        return;
    int depth = 0;
    for (int i = 1; *signature && *signature != ')'; ++i) {
        signature += strspn(signature, " ");
        const size_t length = strcspn(signature, ":,?) ");
        snprintf(name, NAME_BYTES, "%.*s", (int)length, signature);
        if (i == argument)
            return;
        for (; *signature && (depth > 0 || (*signature != ',' && *signature != ')')); ++signature)
            depth += *signature == '(' ? 1 : *signature == ')' ? -1 : 0;
        const bool repeats = signature[-1] == '*' || signature[-1] == '+';
        if (*signature != ',' && !repeats)
            name[0] = 0;
        signature += *signature == ',';
    }
}

// Writes the name of the function that runs, as scripts know it; and its signature, or NULL.
static const char *running_function(lua_State *L, char name[NAME_BYTES], bool *is_call) {
    const ct_lua_module *module = NULL;
    uint32_t function = 0;
    *is_call = false;
    if (ct_lua_running_function(L, &module, &function)) {
        *is_call = function == CT_LUA_CALL;
        snprintf(name, NAME_BYTES, "%s%s%s", module->name, *is_call ? "" : ".",
                 *is_call ? "" : module->functions[function].name);
        return *is_call ? module->call_signature : module->functions[function].signature;
    }
    lua_Debug at;
    const bool has_name = lua_getstack(L, 0, &at) && lua_getinfo(L, "n", &at) && at.name;
    snprintf(name, NAME_BYTES, "%s", has_name ? at.name : "function");
    return NULL;
}

int ct_argument_error(lua_State *L, int argument, const char *format, ...) {
    char text[ERROR_BYTES], function[NAME_BYTES], parameter[NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    bool is_call;
    const char *const signature = running_function(L, function, &is_call);
    const int shown = argument - is_call; // what is called comes first
    argument_name(signature, shown, parameter);
    luaL_where(L, 1);
    if (parameter[0])
        lua_pushfstring(L, "%s: argument %d (%s): %s", function, shown, parameter, text);
    else
        lua_pushfstring(L, "%s: argument %d: %s", function, shown, text);
    lua_concat(L, 2);
    return lua_error(L);
}

int ct_function_error(lua_State *L, const char *format, ...) {
    char text[ERROR_BYTES], function[NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    bool is_call;
    running_function(L, function, &is_call);
    luaL_where(L, 1);
    lua_pushfstring(L, "%s: %s", function, text);
    lua_concat(L, 2);
    return lua_error(L);
}

static bool is_dead(const ct_lua *s, uint64_t value) {
    switch (ct_value_kind_of(value)) {
    case CT_VALUE_KIND_ENTITY:
    case CT_VALUE_KIND_COMPONENT:
        return !ct_entity_is_alive(s->entities, ct_entity_of_value(value));
    case CT_VALUE_KIND_OBJECT:
        return !ct_object_of(s, value);
    case CT_VALUE_KIND_ACTOR:
        return !s->is_actor_alive || !s->is_actor_alive(s, value);
    default:
        return false;
    }
}

const char *ct_push_value_description(lua_State *L, int index) {
    const ct_lua *const s = ct_lua_of(L);
    const char *const name = ct_value_type_name(L, index);
    const uint64_t value = ct_value_at(L, index);
    if (ct_temporary_slots(ct_value_kind_of(value)) && !ct_temporary_data(s, value)) {
        const char *const article = strchr("AEIOU", name[0]) ? "an" : "a";
        return lua_pushfstring(L, "%s %s of an earlier frame (keep it in %s %sBox)", article, name,
                               article, name);
    }
    if (is_dead(s, value))
        return lua_pushfstring(L, "a destroyed %s", name);
    return lua_pushfstring(L, "%s", name);
}

int ct_argument_type_error(lua_State *L, int argument, const char *expected) {
    const char *const got = ct_push_value_description(L, argument);
    return ct_argument_error(L, argument, "expected %s, got %s", expected, got);
}

// --- Temporaries ---------------------------------------------------------------------------------

uint32_t ct_temporary_slots(ct_value_kind kind) {
    static const uint8_t slots[1 << CT_VALUE_KIND_BITS] = {
        [CT_VALUE_KIND_VECTOR2] = 1,    [CT_VALUE_KIND_VECTOR3] = 1,   [CT_VALUE_KIND_VECTOR4] = 1,
        [CT_VALUE_KIND_QUATERNION] = 1, [CT_VALUE_KIND_MATRIX4X4] = 4, [CT_VALUE_KIND_ID64] = 1,
    };
    return slots[kind];
}

float *ct_temporary_data(const ct_lua *s, uint64_t value) {
    const uint32_t slots = ct_temporary_slots(ct_value_kind_of(value));
    return slots ? ct_temporary_slots_at(s, value, slots) : NULL;
}

static void grow_temporaries(lua_State *L, ct_lua *s, uint32_t wanted) {
    if (wanted > CT_MAX_TEMPORARIES)
        ct_function_error(L,
                          "a frame has at most %d temporaries (reuse them in long loops with "
                          "Script.temp_count and Script.set_temp_count)",
                          CT_MAX_TEMPORARIES);
    const uint32_t grown = 2 * s->max_temporaries;
    s->temporaries = ct_realloc(s->allocator, s->temporaries,
                                (uint64_t)s->max_temporaries * CT_TEMPORARY_SLOT_BYTES,
                                (uint64_t)grown * CT_TEMPORARY_SLOT_BYTES);
    s->max_temporaries = grown;
}

static inline float *push_slots(lua_State *L, ct_value_kind kind, uint32_t slots) {
    ct_lua *const s = ct_lua_of(L);
    const uint32_t place = s->num_temporaries;
    if (__builtin_expect(place + slots > s->max_temporaries, 0))
        grow_temporaries(L, s, place + slots);
    s->num_temporaries = place + slots;
    const uint64_t payload = (uint64_t)s->frame << CT_TEMPORARY_PLACE_BITS | place;
    lua_pushlightuserdata(L, (void *)(uintptr_t)(payload << CT_VALUE_KIND_BITS | kind));
    return s->temporaries[place].raw;
}

uint32_t ct_temporary_count(lua_State *L) {
    return ct_lua_of(L)->num_temporaries;
}

void ct_set_temporary_count(lua_State *L, uint32_t count) {
    ct_lua *const s = ct_lua_of(L);
    const uint32_t kept = count > s->least_temporaries ? count : s->least_temporaries;
    s->num_temporaries = kept < s->num_temporaries ? kept : s->num_temporaries;
}

// --- Pushing -------------------------------------------------------------------------------------

static void push_value(lua_State *L, ct_value_kind kind, uint64_t payload) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)(payload << CT_VALUE_KIND_BITS | kind));
}

void ct_push_entity(lua_State *L, ct_entity e) {
    if (e.id == 0)
        lua_pushnil(L);
    else
        push_value(L, CT_VALUE_KIND_ENTITY, e.id & ENTITY_MASK);
}

void ct_push_vector2(lua_State *L, ct_vec2 v) {
    float *const slot = push_slots(L, CT_VALUE_KIND_VECTOR2, 1);
    slot[0] = v.x, slot[1] = v.y, slot[2] = slot[3] = 0;
}

void ct_push_vector3(lua_State *L, ct_vec3 v) {
    float *const slot = push_slots(L, CT_VALUE_KIND_VECTOR3, 1);
    slot[0] = v.x, slot[1] = v.y, slot[2] = v.z, slot[3] = 0;
}

void ct_push_vector4(lua_State *L, ct_vec4 v) {
    memcpy(push_slots(L, CT_VALUE_KIND_VECTOR4, 1), v.raw, sizeof(v.raw));
}

void ct_push_quaternion(lua_State *L, ct_quat q) {
    memcpy(push_slots(L, CT_VALUE_KIND_QUATERNION, 1), q.raw, sizeof(q.raw));
}

void ct_push_matrix4x4(lua_State *L, const ct_mat4 *m) {
    const ct_mat4 copy = *m; // `m` may lie among the temporaries, which may move
    memcpy(push_slots(L, CT_VALUE_KIND_MATRIX4X4, 4), copy.raw, sizeof(copy.raw));
}

void ct_push_id32(lua_State *L, ct_string_id32 id) {
    push_value(L, CT_VALUE_KIND_ID32, id.value);
}

void ct_push_id64(lua_State *L, ct_string_id64 id) {
    float *const slot = push_slots(L, CT_VALUE_KIND_ID64, 1);
    memset(slot, 0, CT_TEMPORARY_SLOT_BYTES);
    memcpy(slot, &id.value, sizeof(id.value));
}

// --- Components ----------------------------------------------------------------------------------

// Where the parts of a component's handle begin: the entity's id is in front.
enum {
    NUMBER_PLACE = CT_VALUE_KIND_BITS + CT_ENTITY_BITS,
    LOW_NUMBER_BITS = 5,
    TYPE_PLACE = NUMBER_PLACE + LOW_NUMBER_BITS, // the first of the bits that LuaJIT takes few of
    TYPE_BITS = 6,
    HIGH_NUMBER_PLACE = TYPE_PLACE + TYPE_BITS,
};

_Static_assert(TYPE_PLACE == 39, "below are the bits of which LuaJIT takes all values");
_Static_assert(1 << TYPE_BITS == CT_MAX_COMPONENT_TYPES_IN_LUA, "as many types as bits");

static uint32_t type_number_of(uint64_t value) {
    return (uint32_t)(value >> TYPE_PLACE) & (CT_MAX_COMPONENT_TYPES_IN_LUA - 1);
}

const ct_lua_component_type *ct_component_type_of_value(const ct_lua *m, uint64_t value) {
    return m->component_types[type_number_of(value)];
}

// The number of a type of components; new ones get the next.
static uint32_t number_type(ct_lua *m, const ct_lua_component_type *type) {
    for (uint32_t i = 0; i < m->num_component_types; ++i) {
        if (m->component_types[i] == type)
            return i;
    }
    CT_REQUIRE(m->num_component_types < CT_MAX_COMPONENT_TYPES_IN_LUA,
               "more than %d types of components in Lua", CT_MAX_COMPONENT_TYPES_IN_LUA);
    m->component_types[m->num_component_types] = type;
    return m->num_component_types++;
}

// Raises an error when LuaJIT would not take the upper bits of a handle.
static void check_segment(lua_State *L, ct_lua *m, uint32_t type, uint32_t high) {
    if (__builtin_expect(m->component_segments[type] >> high & 1, 1))
        return;
    if (m->num_component_segments == CT_MAX_COMPONENT_SEGMENTS)
        ct_function_error(L,
                          "Lua cannot hold more components: too many were made, on single units");
    m->component_segments[type] |= 1u << high;
    ++m->num_component_segments;
}

void ct_push_component(lua_State *L, const ct_lua_component_type *type, ct_entity e,
                       uint32_t number) {
    ct_lua *const m = ct_lua_of(L);
    const uint64_t type_number = number_type(m, type);
    const uint64_t low = number & ((1u << LOW_NUMBER_BITS) - 1);
    const uint64_t high = (number & (CT_MAX_COMPONENT_HANDLES - 1)) >> LOW_NUMBER_BITS;
    check_segment(L, m, (uint32_t)type_number, (uint32_t)high);
    const uint64_t value = high << HIGH_NUMBER_PLACE | type_number << TYPE_PLACE |
                           low << NUMBER_PLACE | (e.id & ENTITY_MASK) << CT_VALUE_KIND_BITS |
                           CT_VALUE_KIND_COMPONENT;
    lua_pushlightuserdata(L, (void *)(uintptr_t)value);
}

uint32_t ct_component_number_of_value(uint64_t value) {
    const uint32_t low = (uint32_t)(value >> NUMBER_PLACE) & ((1u << LOW_NUMBER_BITS) - 1);
    return low | (uint32_t)(value >> HIGH_NUMBER_PLACE) << LOW_NUMBER_BITS;
}

// --- Actors --------------------------------------------------------------------------------------

// Where the parts of an actor's handle begin: its id is in front.
enum {
    ACTOR_WORLD_PLACE = CT_VALUE_KIND_BITS + 32,
    LOW_WORLD_BITS = TYPE_PLACE - ACTOR_WORLD_PLACE, // the rest is where components have their type
};

_Static_assert(CT_ACTOR_WORLD_BITS - LOW_WORLD_BITS <= TYPE_BITS, "the rest has room there");

void ct_push_actor_value(lua_State *L, uint32_t world, uint32_t actor) {
    CT_ASSERT(world < 1u << CT_ACTOR_WORLD_BITS, "a physics has the number %u", world);
    if (world >> LOW_WORLD_BITS)
        check_segment(L, ct_lua_of(L), world >> LOW_WORLD_BITS, 0);
    const uint64_t value = (uint64_t)world << ACTOR_WORLD_PLACE |
                           (uint64_t)actor << CT_VALUE_KIND_BITS | CT_VALUE_KIND_ACTOR;
    lua_pushlightuserdata(L, (void *)(uintptr_t)value);
}

uint32_t ct_actor_of_value(uint64_t value) {
    return (uint32_t)(value >> CT_VALUE_KIND_BITS);
}

uint32_t ct_actor_world_of_value(uint64_t value) {
    return (uint32_t)(value >> ACTOR_WORLD_PLACE) & ((1u << CT_ACTOR_WORLD_BITS) - 1);
}

// --- Checked reading -----------------------------------------------------------------------------

ct_entity ct_check_entity(lua_State *L, int argument) {
    const uint64_t value = ct_value_at(L, argument);
    const ct_entity e = ct_entity_of_bits(value >> CT_VALUE_KIND_BITS);
    if (__builtin_expect(ct_value_kind_of(value) != CT_VALUE_KIND_ENTITY ||
                             !ct_entity_is_alive(ct_lua_of(L)->entities, e),
                         0))
        ct_argument_type_error(L, argument, "Unit");
    return e;
}

ct_entity ct_check_entity_id(lua_State *L, int argument) {
    const uint64_t value = ct_value_at(L, argument);
    if (ct_value_kind_of(value) != CT_VALUE_KIND_ENTITY)
        ct_argument_type_error(L, argument, "Unit");
    return ct_entity_of_bits(value >> CT_VALUE_KIND_BITS);
}

ct_entity ct_check_component(lua_State *L, int argument, const ct_lua_component_type *type,
                             uint32_t *number) {
    const ct_lua *const m = ct_lua_of(L);
    const uint64_t value = ct_value_at(L, argument);
    const ct_entity e = ct_entity_of_value(value);
    if (__builtin_expect(ct_value_kind_of(value) != CT_VALUE_KIND_COMPONENT ||
                             ct_component_type_of_value(m, value) != type ||
                             !ct_entity_is_alive(m->entities, e),
                         0))
        ct_argument_type_error(L, argument, type->name);
    *number = ct_component_number_of_value(value);
    return e;
}

// As ct_check_temporary; `slots` are those of the kind.
static inline float *check_slots(lua_State *L, int argument, ct_value_kind kind, uint32_t slots) {
    const uint64_t value = ct_value_at(L, argument);
    float *const data =
        ct_value_kind_of(value) == kind ? ct_temporary_slots_at(ct_lua_of(L), value, slots) : NULL;
    if (__builtin_expect(!data, 0))
        ct_argument_type_error(L, argument, ct_value_kind_name(kind));
    return data;
}

float *ct_check_temporary(lua_State *L, int argument, ct_value_kind kind) {
    return check_slots(L, argument, kind, ct_temporary_slots(kind));
}

ct_vec2 ct_check_vector2(lua_State *L, int argument) {
    const float *const v = check_slots(L, argument, CT_VALUE_KIND_VECTOR2, 1);
    return (ct_vec2){{v[0], v[1]}};
}

static inline ct_vec3 check_vector3(lua_State *L, int argument) {
    const float *const v = check_slots(L, argument, CT_VALUE_KIND_VECTOR3, 1);
    return (ct_vec3){{v[0], v[1], v[2]}};
}

ct_vec3 ct_check_vector3(lua_State *L, int argument) {
    return check_vector3(L, argument);
}

// A vector of four parts; `kind` is what an error expects.
static const float *check_four(lua_State *L, int argument, ct_value_kind kind) {
    const ct_value_kind got = ct_value_kind_at(L, argument);
    const bool fits = got == CT_VALUE_KIND_VECTOR4 || got == CT_VALUE_KIND_QUATERNION;
    return ct_check_temporary(L, argument, fits ? got : kind);
}

ct_vec4 ct_check_vector4(lua_State *L, int argument) {
    const float *const v = check_four(L, argument, CT_VALUE_KIND_VECTOR4);
    return (ct_vec4){{v[0], v[1], v[2], v[3]}};
}

ct_quat ct_check_quaternion(lua_State *L, int argument) {
    const float *const v = check_four(L, argument, CT_VALUE_KIND_QUATERNION);
    return (ct_quat){{v[0], v[1], v[2], v[3]}};
}

const ct_mat4 *ct_check_matrix4x4(lua_State *L, int argument) {
    return (const ct_mat4 *)(const void *)ct_check_temporary(L, argument, CT_VALUE_KIND_MATRIX4X4);
}

const char *ct_check_text(lua_State *L, int argument, size_t *bytes) {
    if (lua_type(L, argument) != LUA_TSTRING)
        ct_argument_type_error(L, argument, "string");
    return lua_tolstring(L, argument, bytes);
}

const char *ct_lua_name_at(lua_State *L, int index) {
    size_t bytes;
    const char *const text = lua_tolstring(L, index, &bytes);
    return memchr(text, 0, bytes) ? NULL : text;
}

// The string at `argument`, without zero bytes.
static const char *check_name(lua_State *L, int argument) {
    const char *const name = ct_lua_name_at(L, argument);
    if (!name)
        ct_argument_error(L, argument, "expected a string without zero bytes, got \"%s\\0...\"",
                          lua_tostring(L, argument));
    return name;
}

const char *ct_check_string(lua_State *L, int argument) {
    if (lua_type(L, argument) != LUA_TSTRING)
        ct_argument_type_error(L, argument, "string");
    return check_name(L, argument);
}

ct_string_id32 ct_check_id32(lua_State *L, int argument) {
    const uint64_t value = ct_value_at(L, argument);
    if (ct_value_kind_of(value) == CT_VALUE_KIND_ID32)
        return (ct_string_id32){(uint32_t)(value >> CT_VALUE_KIND_BITS)};
    if (lua_type(L, argument) != LUA_TSTRING)
        ct_argument_type_error(L, argument, "IdString32 or string");
    return ct_string_id32_register(check_name(L, argument));
}

ct_string_id64 ct_check_id64(lua_State *L, int argument) {
    if (lua_type(L, argument) == LUA_TSTRING)
        return ct_string_id64_register(check_name(L, argument));
    const uint64_t value = ct_value_at(L, argument);
    const float *const slot = ct_value_kind_of(value) == CT_VALUE_KIND_ID64
                                  ? ct_temporary_slots_at(ct_lua_of(L), value, 1)
                                  : NULL;
    if (!slot)
        ct_argument_type_error(L, argument, "IdString64 or string");
    ct_string_id64 id;
    memcpy(&id.value, slot, sizeof(id.value));
    return id;
}

float ct_check_float(lua_State *L, int argument) {
    if (__builtin_expect(lua_type(L, argument) != LUA_TNUMBER, 0))
        ct_argument_type_error(L, argument, "number");
    return (float)lua_tonumber(L, argument);
}

double ct_check_number(lua_State *L, int argument) {
    if (__builtin_expect(lua_type(L, argument) != LUA_TNUMBER, 0))
        ct_argument_type_error(L, argument, "number");
    const double number = lua_tonumber(L, argument);
    if (!isfinite(number))
        ct_argument_error(L, argument, "expected a finite number, got %g", number);
    return number;
}

int64_t ct_check_integer(lua_State *L, int argument, int64_t least, int64_t most) {
    if (__builtin_expect(lua_type(L, argument) != LUA_TNUMBER, 0))
        ct_argument_type_error(L, argument, "integer");
    const double number = lua_tonumber(L, argument);
    // The limits are below 2^53 in all that Lua asks for, so doubles compare exactly.
    if (!(number >= (double)least && number <= (double)most) || number != floor(number))
        ct_argument_error(L, argument, "expected an integer from %lld to %lld, got %.14g",
                          (long long)least, (long long)most, number);
    return (int64_t)number;
}

bool ct_check_boolean(lua_State *L, int argument) {
    if (lua_type(L, argument) != LUA_TBOOLEAN)
        ct_argument_type_error(L, argument, "boolean");
    return lua_toboolean(L, argument);
}

ct_vec3 ct_check_finite_vector3(lua_State *L, int argument) {
    const ct_vec3 v = check_vector3(L, argument);
    if (__builtin_expect(!ct_vec3_is_finite(v), 0))
        ct_argument_error(L, argument, "expected a finite Vector3, got Vector3(%g, %g, %g)",
                          (double)v.x, (double)v.y, (double)v.z);
    return v;
}

ct_quat ct_check_finite_quaternion(lua_State *L, int argument) {
    const ct_quat q = ct_check_quaternion(L, argument);
    if (!ct_quat_is_rotation(q))
        ct_argument_error(
            L, argument,
            "expected a rotation, got Quaternion(%g, %g, %g, %g), which is not a rotation",
            (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    return ct_quat_normalize(q);
}

ct_vec3 ct_optional_vector3(lua_State *L, int argument, ct_vec3 otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_vector3(L, argument);
}
