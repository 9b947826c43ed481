#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "lua/lua_array.h"
#include "script/api_check.h"

extern const ct_lua_module ct_api_float32_array;

// Copies the numbers of a Lua array at `argument`.
static void take_numbers(lua_State *L, int argument, uint32_t count, float *floats) {
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, argument, (int)i + 1);
        if (lua_type(L, -1) != LUA_TNUMBER)
            ct_argument_error(L, argument, "expected a number at index %u, got %s", i + 1,
                              ct_push_value_description(L, lua_gettop(L)));
        floats[i] = (float)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
}

// Makes an array from the numbers of a Lua array at `argument`.
static int make_from_table(lua_State *L, int argument) {
    const uint32_t count = ct_check_array(L, argument);
    take_numbers(L, argument, count, ct_push_array(L, CT_LUA_ARRAY_KIND_FLOATS, count)->floats);
    return 1;
}

// The module's table is argument 1.
static int make(lua_State *L) {
    if (lua_istable(L, 2))
        return make_from_table(L, 2);
    const int64_t count =
        lua_isnoneornil(L, 2) ? 0 : ct_check_integer(L, 2, 0, CT_LUA_ARRAY_MAX_ITEMS);
    ct_push_array(L, CT_LUA_ARRAY_KIND_FLOATS, (uint32_t)count);
    return 1;
}

// --- Items ---------------------------------------------------------------------------------------

// Returns the place from 0 of `size` items for the index from 1 at argument 2.
static uint32_t check_place(lua_State *L, const ct_lua_array *array, uint32_t size) {
    const uint32_t count = array->count / size;
    if (__builtin_expect(count == 0, 0))
        ct_argument_error(L, 1, "expected an array with items, got an empty one");
    return (uint32_t)(ct_check_integer(L, 2, 1, count) - 1) * size;
}

static int get(lua_State *L) {
    const ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    lua_pushnumber(L, (lua_Number)array->floats[check_place(L, array, 1)]);
    return 1;
}

static int set(lua_State *L) {
    const ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const uint32_t place = check_place(L, array, 1);
    array->floats[place] = ct_check_float(L, 3);
    return 0;
}

static int vector3(lua_State *L) {
    const ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const float *const v = array->floats + check_place(L, array, 3);
    ct_push_vector3(L, ct_vec3_make(v[0], v[1], v[2]));
    return 1;
}

static int set_vector3(lua_State *L) {
    const ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const uint32_t place = check_place(L, array, 3);
    const ct_vec3 v = ct_check_vector3(L, 3);
    memcpy(array->floats + place, v.raw, sizeof(v.raw));
    return 0;
}

static int push(lua_State *L) {
    ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const float value = ct_check_float(L, 2);
    ct_lua_array_resize(L, array, array->count + 1ull);
    array->floats[array->count - 1] = value;
    return 0;
}

static int size(lua_State *L) {
    lua_pushnumber(L, ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS)->count);
    return 1;
}

static int reserve(lua_State *L) {
    ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const int64_t count = ct_check_integer(L, 2, 0, CT_LUA_ARRAY_MAX_ITEMS);
    ct_lua_array_reserve(L, array, (uint64_t)count);
    return 0;
}

static int resize(lua_State *L) {
    ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const int64_t count = ct_check_integer(L, 2, 0, CT_LUA_ARRAY_MAX_ITEMS);
    ct_lua_array_resize(L, array, (uint64_t)count);
    return 0;
}

static int fill(lua_State *L) {
    const ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const float value = ct_check_float(L, 2);
    for (uint32_t i = 0; i < array->count; ++i)
        array->floats[i] = value;
    return 0;
}

static int copy(lua_State *L) {
    const ct_lua_array *const from = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    ct_lua_array *const to = ct_push_result_array(L, 2, CT_LUA_ARRAY_KIND_FLOATS, from->count);
    if (from->count) // an array of none may lie nowhere
        memmove(to->floats, from->floats, sizeof(*to->floats) * (uint64_t)from->count);
    return 1;
}

// No metamethod runs: the array stays as it is meanwhile.
static int assign(lua_State *L) {
    ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    const uint32_t count = ct_check_array(L, 2);
    ct_lua_array_resize(L, array, count);
    take_numbers(L, 2, count, array->floats);
    return 0;
}

static int to_table(lua_State *L) {
    const ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    if (!lua_isnoneornil(L, 2) && !lua_istable(L, 2))
        return ct_argument_type_error(L, 2, "table or nil");
    const uint32_t old = lua_isnoneornil(L, 2) ? 0 : (uint32_t)lua_objlen(L, 2);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_createtable(L, (int)array->count, 0);
        lua_replace(L, 2);
    }
    for (uint32_t i = 0; i < array->count; ++i) {
        lua_pushnumber(L, (lua_Number)array->floats[i]);
        lua_rawseti(L, 2, (int)i + 1);
    }
    for (uint32_t i = old; i > array->count; --i) {
        lua_pushnil(L);
        lua_rawseti(L, 2, (int)i);
    }
    return 1;
}

static int swap(lua_State *L) {
    ct_lua_array *const a = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    ct_lua_array *const b = ct_check_array_of(L, 2, CT_LUA_ARRAY_KIND_FLOATS);
    const ct_lua_array kept = *a;
    *a = *b;
    *b = kept;
    return 0;
}

// --- Arithmetic ----------------------------------------------------------------------------------

// One side of an operator: an array, or a number for all of the other's items.
typedef struct operand {
    const ct_lua_array *array;
    float number;
} operand;

static operand check_operand(lua_State *L, int argument) {
    operand o = {.array = ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_FLOATS)};
    if (!o.array && lua_type(L, argument) != LUA_TNUMBER)
        ct_argument_type_error(L, argument, "Float32Array or number");
    if (!o.array)
        o.number = (float)lua_tonumber(L, argument);
    return o;
}

// The two sides at arguments 1 and 2, and the result at 3, which may be one of them.
static ct_lua_array *check_operands(lua_State *L, operand *a, operand *b) {
    *a = check_operand(L, 1);
    *b = check_operand(L, 2);
    if (!a->array && !b->array)
        ct_argument_error(L, 2, "expected a Float32Array as one of the two, got two numbers");
    if (a->array && b->array && a->array->count != b->array->count)
        ct_argument_error(L, 2, "expected %u items, as many as the other array has, got %u",
                          a->array->count, b->array->count);
    const uint32_t count = a->array ? a->array->count : b->array->count;
    return ct_push_result_array(L, 3, CT_LUA_ARRAY_KIND_FLOATS, count);
}

// The three forms that an operator has.
#define APPLY(operator)                                                                            \
    operand a, b;                                                                                  \
    ct_lua_array *const result = check_operands(L, &a, &b);                                        \
    for (uint32_t i = 0; a.array && b.array && i < result->count; ++i)                             \
        result->floats[i] = a.array->floats[i] operator b.array->floats[i];                        \
    for (uint32_t i = 0; !b.array && i < result->count; ++i)                                       \
        result->floats[i] = a.array->floats[i] operator b.number;                                  \
    for (uint32_t i = 0; !a.array && i < result->count; ++i)                                       \
        result->floats[i] = a.number operator b.array->floats[i];                                  \
    return 1

static int add(lua_State *L) {
    APPLY(+);
}

static int sub(lua_State *L) {
    APPLY(-);
}

static int mul(lua_State *L) {
    APPLY(*);
}

static int divide(lua_State *L) {
    APPLY(/);
}

static int square_root(lua_State *L) {
    const ct_lua_array *const array = ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_FLOATS);
    ct_lua_array *const result = ct_push_result_array(L, 2, CT_LUA_ARRAY_KIND_FLOATS, array->count);
    for (uint32_t i = 0; i < array->count; ++i)
        result->floats[i] = sqrtf(array->floats[i]);
    return 1;
}

#define OPERANDS                                                                                   \
    "(a: any(Float32Array,number), b: any(Float32Array,number), result: Float32Array?) -> "        \
    "Float32Array"
#define INTO ", item by item, in a new array, or in `result`, which may be one of them."

static const ct_lua_function functions[] = {
    {"add", add, OPERANDS, "Returns the sums of the two" INTO},
    {"assign", assign, "(self: Float32Array, numbers: number[]) -> nil",
     "Sets the items to the numbers of a table, and their number to that of these."},
    {"copy", copy, "(self: Float32Array, result: Float32Array?) -> Float32Array",
     "Copies the items to a new array, or to `result`; returns that array."},
    {"div", divide, OPERANDS, "Returns the quotients of the two" INTO},
    {"fill", fill, "(self: Float32Array, value: number) -> nil", "Sets all items to one number."},
    {"get", get, "(self: Float32Array, i: integer) -> number",
     "Returns the item at an index, from 1."},
    {"mul", mul, OPERANDS, "Returns the products of the two" INTO},
    {"push", push, "(self: Float32Array, value: number) -> nil", "Appends an item."},
    {"reserve", reserve, "(self: Float32Array, size: integer) -> nil",
     "Reserves memory for this many items: no item added up to this size allocates."},
    {"resize", resize, "(self: Float32Array, size: integer) -> nil",
     "Changes the number of items; new ones are 0."},
    {"set", set, "(self: Float32Array, i: integer, value: number) -> nil",
     "Sets the item at an index, from 1."},
    {"set_vector3", set_vector3, "(self: Float32Array, i: integer, vector: Vector3) -> nil",
     "Sets vector `i`, from 1, which is three items, to x, y and z."},
    {"size", size, "(self: Float32Array) -> integer", "Returns the number of items."},
    {"sqrt", square_root, "(self: Float32Array, result: Float32Array?) -> Float32Array",
     "Returns the square roots of all items, in a new array, or in `result`, which may be the same "
     "array."},
    {"sub", sub, OPERANDS, "Returns the differences of the two" INTO},
    {"swap", swap, "(a: Float32Array, b: Float32Array) -> nil",
     "Exchanges the contents of two arrays, without copying."},
    {"to_table", to_table, "(self: Float32Array, result: number[]?) -> number[]",
     "Copies the items to a new table, or to `result`, and removes further elements from that. "
     "Loops "
     "over many items are quicker so than with `get`; `assign` copies them back."},
    {"vector3", vector3, "(self: Float32Array, i: integer) -> Vector3",
     "Returns vector `i`, from 1, of an array of x1, y1, z1, x2 and so on."},
};

const ct_lua_module ct_api_float32_array = {
    .name = "Float32Array",
    .doc = "An array of 32-bit floats. Functions that work on many units take and fill such "
           "arrays, without making garbage.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(size: any(integer,number[])?) -> Float32Array",
};
