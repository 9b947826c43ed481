#include "lua/lua_array.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math_bulk.h"
#include "lua/lua_check.h"

enum { MARK = 0x43544100, LEAST_CAPACITY = 8, COLLECTED_BYTES = 4096 };

static const char *name_of(ct_lua_array_kind kind) {
    return kind == CT_LUA_ARRAY_KIND_FLOATS ? "Float32Array" : "EntityArray";
}

// --- Arrays --------------------------------------------------------------------------------------

ct_lua_array *ct_lua_array_at(lua_State *L, int index, ct_lua_array_kind kind) {
    ct_lua_array *const array = lua_touserdata(L, index);
    // Engine values are light userdata, which have no length.
    const bool is_array =
        array && lua_objlen(L, index) == sizeof(*array) && array->mark == (MARK | (uint32_t)kind);
    return is_array ? array : NULL;
}

ct_lua_array *ct_check_array_of(lua_State *L, int argument, ct_lua_array_kind kind) {
    ct_lua_array *const array = ct_lua_array_at(L, argument, kind);
    if (__builtin_expect(!array, 0))
        ct_argument_type_error(L, argument, name_of(kind));
    return array;
}

static void set_capacity(lua_State *L, ct_lua_array *array, uint64_t capacity) {
    const uint64_t size = sizeof(*array->items);
    uint32_t *const items =
        ct_lua_allocate(ct_lua_of(L), array->items, array->capacity * size, capacity * size);
    if (!items && capacity > 0)
        ct_function_error(L, "not enough memory for an array of %llu items",
                          (unsigned long long)capacity);
    array->items = items;
    array->capacity = (uint32_t)capacity;
}

void ct_lua_array_reserve(lua_State *L, ct_lua_array *array, uint64_t count) {
    if (count > CT_LUA_ARRAY_MAX_ITEMS)
        ct_function_error(L, "an array has at most %d items, not %llu", CT_LUA_ARRAY_MAX_ITEMS,
                          (unsigned long long)count);
    if (count > array->capacity) {
        const uint64_t doubled = 2 * (uint64_t)array->capacity;
        const uint64_t least = count > doubled ? count : doubled;
        set_capacity(L, array, least > LEAST_CAPACITY ? least : LEAST_CAPACITY);
    }
}

void ct_lua_array_resize(lua_State *L, ct_lua_array *array, uint64_t count) {
    ct_lua_array_reserve(L, array, count);
    if (count > array->count)
        memset(array->items + array->count, 0, (count - array->count) * sizeof(*array->items));
    array->count = (uint32_t)count;
}

// Lua knows the small size of the userdata, but not of the items: garbage arrays would pile up.
static void collect_for(lua_State *L, uint32_t count) {
    const uint64_t bytes = count * (uint64_t)sizeof(uint32_t);
    if (bytes >= COLLECTED_BYTES && !ct_lua_of(L)->memory.is_collector_stopped)
        lua_gc(L, LUA_GCSTEP, (int)(bytes >> 10));
}

ct_lua_array *ct_push_array(lua_State *L, ct_lua_array_kind kind, uint32_t count) {
    collect_for(L, count);
    ct_lua_array *const array = lua_newuserdata(L, sizeof(*array));
    *array = (ct_lua_array){.mark = MARK | (uint32_t)kind};
    luaL_getmetatable(L, name_of(kind));
    lua_setmetatable(L, -2);
    ct_lua_array_resize(L, array, count);
    return array;
}

ct_lua_array *ct_push_result_array(lua_State *L, int argument, ct_lua_array_kind kind,
                                   uint64_t count) {
    if (lua_isnoneornil(L, argument)) {
        ct_lua_array *const made = ct_push_array(L, kind, 0);
        ct_lua_array_resize(L, made, count);
        return made;
    }
    ct_lua_array *const array = ct_check_array_of(L, argument, kind);
    ct_lua_array_resize(L, array, count);
    lua_pushvalue(L, argument);
    return array;
}

void *ct_lua_scratch(ct_lua *s, uint64_t bytes) {
    if (bytes > s->scratch_bytes) {
        const uint64_t grown = bytes > 2 * s->scratch_bytes ? bytes : 2 * s->scratch_bytes;
        s->scratch = ct_realloc(s->allocator, s->scratch, s->scratch_bytes, grown);
        s->scratch_bytes = grown;
    }
    return s->scratch;
}

uint64_t ct_lua_array_bytes(lua_State *L, int index) {
    const ct_lua_array *array = ct_lua_array_at(L, index, CT_LUA_ARRAY_KIND_FLOATS);
    if (!array)
        array = ct_lua_array_at(L, index, CT_LUA_ARRAY_KIND_ENTITIES);
    return array ? array->capacity * (uint64_t)sizeof(*array->items) : 0;
}

// --- Floats --------------------------------------------------------------------------------------

const float *ct_check_floats_of(lua_State *L, int argument, uint32_t size, uint32_t count) {
    const ct_lua_array *const array = ct_check_array_of(L, argument, CT_LUA_ARRAY_KIND_FLOATS);
    if (array->count != (uint64_t)size * count)
        ct_argument_error(L, argument, "expected %u numbers for each of %u units, got %u in total",
                          size, count, array->count);
    if (!ct_floats_are_finite(array->floats, array->count)) {
        uint32_t i = 0;
        while (isfinite(array->floats[i]))
            ++i;
        ct_argument_error(L, argument, "expected finite numbers, got %g at index %u",
                          (double)array->floats[i], i + 1);
    }
    return array->floats;
}

// --- Entities ------------------------------------------------------------------------------------

uint32_t ct_check_entity_count(lua_State *L, int argument) {
    const ct_lua_array *const array = ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_ENTITIES);
    if (array)
        return array->count;
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "EntityArray or table");
    return ct_check_array(L, argument);
}

const ct_entity *ct_check_entities(lua_State *L, int argument, ct_entity *copies, uint32_t count) {
    const ct_lua_array *const array = ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_ENTITIES);
    if (array)
        return array->entities;
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, argument, (int)i + 1);
        const uint64_t value = ct_value_at(L, -1);
        if (__builtin_expect(ct_value_kind_of(value) != CT_VALUE_KIND_ENTITY, 0))
            ct_argument_error(L, argument, "expected a Unit at index %u, got %s", i + 1,
                              ct_push_value_description(L, lua_gettop(L)));
        copies[i] = ct_entity_of_bits(value >> CT_VALUE_KIND_BITS);
        lua_pop(L, 1);
    }
    return copies;
}

int ct_push_entities(lua_State *L, int argument, const ct_entity *entities, uint32_t count) {
    if (!lua_isnoneornil(L, argument)) {
        ct_lua_array *const array =
            ct_push_result_array(L, argument, CT_LUA_ARRAY_KIND_ENTITIES, count);
        if (count) // an array of none may lie nowhere
            memcpy(array->entities, entities, sizeof(*entities) * (uint64_t)count);
        return 1;
    }
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_entity(L, entities[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// --- Metatables ----------------------------------------------------------------------------------

static int collect(lua_State *L) {
    ct_lua_array *const array = lua_touserdata(L, 1);
    if (!array->items)
        return 0;
    ct_lua_allocate(ct_lua_of(L), array->items, array->capacity * (uint64_t)sizeof(*array->items),
                    0);
    array->items = NULL;
    array->count = array->capacity = 0;
    return 0;
}

static int length(lua_State *L) {
    const ct_lua_array *const array = lua_touserdata(L, 1);
    lua_pushnumber(L, array->count);
    return 1;
}

static int to_string(lua_State *L) {
    const ct_lua_array *const array = lua_touserdata(L, 1);
    const ct_lua_array_kind kind = (ct_lua_array_kind)(array->mark & 0xff);
    lua_pushfstring(L, "%s(%d)", name_of(kind), (int)array->count);
    return 1;
}

static void open_kind(lua_State *L, ct_lua_array_kind kind) {
    luaL_newmetatable(L, name_of(kind));
    lua_pushstring(L, name_of(kind));
    lua_setfield(L, -2, "__name");
    lua_pushliteral(L, "array"); // what getmetatable gives: scripts cannot reach what is in it
    lua_setfield(L, -2, "__metatable");
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, length);
    lua_setfield(L, -2, "__len");
    lua_pushcfunction(L, to_string);
    lua_setfield(L, -2, "__tostring");
    lua_getglobal(L, name_of(kind));
    CT_ASSERT(lua_istable(L, -1), "there is no module %s", name_of(kind));
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

void ct_lua_open_arrays(lua_State *L) {
    open_kind(L, CT_LUA_ARRAY_KIND_FLOATS);
    open_kind(L, CT_LUA_ARRAY_KIND_ENTITIES);
}
