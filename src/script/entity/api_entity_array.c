#include "lua/lua_array.h"
#include "script/api_check.h"

extern const ct_lua_module ct_api_entity_array;

static ct_lua_array *check_self(lua_State *L) {
    return ct_check_array_of(L, 1, CT_LUA_ARRAY_KIND_ENTITIES);
}

// The module's table is argument 1.
static int make(lua_State *L) {
    if (lua_isnoneornil(L, 2)) {
        ct_push_array(L, CT_LUA_ARRAY_KIND_ENTITIES, 0);
        return 1;
    }
    if (!lua_istable(L, 2))
        ct_argument_type_error(L, 2, "table");
    const uint32_t count = ct_check_array(L, 2);
    ct_lua_array *const array = ct_push_array(L, CT_LUA_ARRAY_KIND_ENTITIES, count);
    ct_check_entities(L, 2, array->entities, count);
    return 1;
}

// Returns the place from 0 for the index from 1 at argument 2.
static uint32_t check_place(lua_State *L, const ct_lua_array *array) {
    if (array->count == 0)
        ct_argument_error(L, 1, "expected an array with items, got an empty one");
    return (uint32_t)ct_check_integer(L, 2, 1, array->count) - 1;
}

static int get(lua_State *L) {
    const ct_lua_array *const array = check_self(L);
    ct_push_entity(L, array->entities[check_place(L, array)]);
    return 1;
}

static int set(lua_State *L) {
    const ct_lua_array *const array = check_self(L);
    const uint32_t place = check_place(L, array);
    array->entities[place] = ct_check_entity_id(L, 3);
    return 0;
}

static int push(lua_State *L) {
    ct_lua_array *const array = check_self(L);
    const ct_entity e = ct_check_entity_id(L, 2);
    ct_lua_array_resize(L, array, array->count + 1ull);
    array->entities[array->count - 1] = e;
    return 0;
}

static int remove_at(lua_State *L) {
    ct_lua_array *const array = check_self(L);
    const uint32_t place = check_place(L, array);
    array->entities[place] = array->entities[--array->count];
    return 0;
}

static int size(lua_State *L) {
    lua_pushnumber(L, check_self(L)->count);
    return 1;
}

static int reserve(lua_State *L) {
    ct_lua_array *const array = check_self(L);
    const int64_t count = ct_check_integer(L, 2, 0, CT_LUA_ARRAY_MAX_ITEMS);
    ct_lua_array_reserve(L, array, (uint64_t)count);
    return 0;
}

static int resize(lua_State *L) {
    ct_lua_array *const array = check_self(L);
    const int64_t count = ct_check_integer(L, 2, 0, array->count);
    ct_lua_array_resize(L, array, (uint64_t)count);
    return 0;
}

static int swap(lua_State *L) {
    ct_lua_array *const a = check_self(L);
    ct_lua_array *const b = ct_check_array_of(L, 2, CT_LUA_ARRAY_KIND_ENTITIES);
    const ct_lua_array kept = *a;
    *a = *b;
    *b = kept;
    return 0;
}

// --- Life ----------------------------------------------------------------------------------------

static int num_alive(lua_State *L) {
    const ct_lua_array *const array = check_self(L);
    const ct_entity_manager *const m = ct_lua_of(L)->entities;
    uint32_t count = 0;
    for (uint32_t i = 0; i < array->count; ++i)
        count += ct_entity_is_alive(m, array->entities[i]);
    lua_pushnumber(L, count);
    return 1;
}

static int remove_dead(lua_State *L) {
    ct_lua_array *const array = check_self(L);
    const ct_entity_manager *const m = ct_lua_of(L)->entities;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < array->count; ++i) {
        const ct_entity e = array->entities[i];
        array->entities[kept] = e;
        kept += ct_entity_is_alive(m, e);
    }
    lua_pushnumber(L, array->count - kept);
    array->count = kept;
    return 1;
}

static const ct_lua_function functions[] = {
    {"get", get, "(self: EntityArray, i: integer) -> Entity",
     "Returns the entity at an index from 1; it may have died since."},
    {"num_alive", num_alive, "(self: EntityArray) -> integer",
     "Returns how many of the entities are alive."},
    {"push", push, "(self: EntityArray, entity: Entity) -> nil", "Appends an entity."},
    {"remove", remove_at, "(self: EntityArray, i: integer) -> nil",
     "Removes the entity at an index from 1; the last entity takes its place."},
    {"remove_dead", remove_dead, "(self: EntityArray) -> integer",
     "Removes dead entities and returns how many; the others keep their order."},
    {"reserve", reserve, "(self: EntityArray, size: integer) -> nil",
     "Reserves memory for this many entities: none added up to this size allocates."},
    {"resize", resize, "(self: EntityArray, size: integer) -> nil",
     "Keeps only this many of the first entities."},
    {"set", set, "(self: EntityArray, i: integer, entity: Entity) -> nil",
     "Sets the entity at an index from 1."},
    {"size", size, "(self: EntityArray) -> integer", "Returns the number of entities."},
    {"swap", swap, "(a: EntityArray, b: EntityArray) -> nil",
     "Exchanges the contents of two arrays, without copying."},
};

const ct_lua_module ct_api_entity_array = {
    .name = "EntityArray",
    .doc = "An array of entities. Functions that work on many entities take and fill such arrays, "
           "without making garbage.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(entities: Entity[]?) -> EntityArray",
};
