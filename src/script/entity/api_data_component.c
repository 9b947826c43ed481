#include <math.h>

#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/api_check.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_data_component;

const ct_lua_object_type ct_type_data_component = {.name = "DataComponent"};

enum { DATA_VALUE_BYTES = 64 }; // about, beside the text or the numbers

static const int64_t most_instance =
    (INT64_C(1) << (CT_DATA_SLOT_BITS + CT_DATA_GENERATION_BITS)) - 1;

static ct_data_manager *check_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_data_component, NULL);
}

// --- Instances -----------------------------------------------------------------------------------

static int push_instance(lua_State *L, ct_data_instance i) {
    if (i.slot)
        lua_pushnumber(L, (lua_Number)((uint64_t)i.generation << CT_DATA_SLOT_BITS | i.slot));
    else
        lua_pushnil(L);
    return 1;
}

// The instance at argument 2, of a living entity.
static ct_data_instance check_instance(lua_State *L, const ct_data_manager *m) {
    const uint64_t number = (uint64_t)ct_check_integer(L, 2, 1, most_instance);
    const ct_data_instance i = {(uint32_t)(number & ((1u << CT_DATA_SLOT_BITS) - 1)),
                                (uint32_t)(number >> CT_DATA_SLOT_BITS)};
    if (!ct_data_is_valid(m, i) ||
        !ct_entity_is_alive(ct_lua_of(L)->entities, ct_data_entity(m, i)))
        ct_argument_error(L, 2, "expected an instance, got a destroyed one");
    return i;
}

// The instance of the entity at argument 2 whose id is argument 3.
static ct_data_instance check_instance_with_id(lua_State *L, const ct_data_manager *m) {
    const ct_entity e = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    const ct_data_instance i = ct_data_with_id(m, e, id);
    if (!i.slot)
        ct_argument_error(L, 3, "the entity has no data with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return i;
}

static int create(lua_State *L) {
    ct_data_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    if (ct_data_with_id(m, e, id).slot)
        ct_argument_error(L, 3, "the entity already has data with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    const ct_component_manager manager = ct_data_component_manager(m);
    ct_check_room(L, &manager);
    return push_instance(L, ct_data_create(m, e, id));
}

static int destroy(lua_State *L) {
    ct_data_manager *const m = check_manager(L);
    ct_data_destroy(m, check_instance(L, m));
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_data_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_data_destroy_all(m, &e, 1);
    return 0;
}

static int lookup(lua_State *L) {
    const ct_data_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    return push_instance(L, ct_data_with_id(m, e, ct_check_component_id(L, 3)));
}

// Pushes the instances, or their ids, of the entity at argument 2.
static int push_instances(lua_State *L, bool wants_ids) {
    const ct_data_manager *const m = check_manager(L);
    int count = 0;
    for (ct_data_instance i = ct_data_first(m, ct_check_entity(L, 2)); i.slot;
         i = ct_data_next(m, i)) {
        luaL_checkstack(L, 2, "too much data");
        if (wants_ids)
            lua_pushnumber(L, ct_data_id(m, i));
        else
            push_instance(L, i);
        ++count;
    }
    return count;
}

static int instances(lua_State *L) {
    return push_instances(L, false);
}

static int instance_ids(lua_State *L) {
    return push_instances(L, true);
}

// --- Properties ----------------------------------------------------------------------------------

static ct_string_id32 sub_key_at(lua_State *L, int index) {
    size_t bytes;
    const char *const text = lua_tolstring(L, index, &bytes);
    return ct_string_id32_of_bytes(text, bytes);
}

// The key at `argument`: a string, or an array of strings. Allocates nothing.
static ct_data_key check_key(lua_State *L, int argument) {
    if (lua_type(L, argument) == LUA_TSTRING)
        return ct_data_key_of_id(sub_key_at(L, argument));
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "string or array of strings");
    const int count = (int)lua_objlen(L, argument);
    if (count == 0)
        ct_argument_error(L, argument, "expected an array of strings, got an empty one");
    ct_data_key key = {0};
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(L, argument, i);
        if (lua_type(L, -1) != LUA_TSTRING)
            ct_argument_error(L, argument, "expected a string at index %d, got %s", i,
                              ct_value_type_name(L, -1));
        const ct_string_id32 sub_key = sub_key_at(L, -1);
        key = i == 1 ? ct_data_key_of_id(sub_key) : ct_data_key_join(key, sub_key);
        lua_pop(L, 1);
    }
    return key;
}

static int push_value(lua_State *L, ct_data_value value) {
    switch (value.type) {
    case CT_DATA_TYPE_NONE:
        lua_pushnil(L);
        break;
    case CT_DATA_TYPE_BOOL:
        lua_pushboolean(L, value.boolean);
        break;
    case CT_DATA_TYPE_FLOAT:
        lua_pushnumber(L, (lua_Number)value.number);
        break;
    case CT_DATA_TYPE_STRING:
        lua_pushlstring(L, value.text, value.count);
        break;
    case CT_DATA_TYPE_FLOATS:
        lua_createtable(L, (int)value.count, 0);
        for (uint32_t i = 0; i < value.count; ++i) {
            lua_pushnumber(L, (lua_Number)value.numbers[i]);
            lua_rawseti(L, -2, (int)i + 1);
        }
        break;
    }
    return 1;
}

// The float nearest to a finite number; `index`: of the array at `argument`, or 0.
static float check_float(lua_State *L, int argument, uint32_t index, double number) {
    const float value = (float)number;
    if (!isfinite(value) && index)
        ct_argument_error(L, argument,
                          "expected a number in the range of a float at index %u, got %g", index,
                          number);
    if (!isfinite(value))
        ct_argument_error(L, argument, "expected a number in the range of a float, got %g", number);
    return value;
}

// The numbers of the array at `argument`, which are many or none.
static ct_data_value check_floats(lua_State *L, int argument, ct_allocator *temp) {
    const uint32_t count = ct_check_array(L, argument);
    if (count > CT_DATA_MAX_BYTES / sizeof(float))
        ct_argument_error(L, argument, "expected at most %u numbers, got %u",
                          (uint32_t)(CT_DATA_MAX_BYTES / sizeof(float)), count);
    lua_pushnil(L);
    if (count == 0 && lua_next(L, argument))
        ct_argument_error(L, argument, "expected an array of numbers, got another table");
    lua_settop(L, argument);
    float *const numbers = ct_alloc(temp, sizeof(float) * ((uint64_t)count + 1));
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, argument, (int)i + 1);
        if (lua_type(L, -1) != LUA_TNUMBER)
            ct_argument_error(L, argument, "expected a number at index %u, got %s", i + 1,
                              ct_value_type_name(L, -1));
        numbers[i] = check_float(L, argument, i + 1, lua_tonumber(L, -1));
        lua_pop(L, 1);
    }
    return ct_data_floats(numbers, count);
}

static ct_data_value check_value(lua_State *L, int argument, ct_allocator *temp) {
    size_t bytes;
    switch (lua_type(L, argument)) {
    case LUA_TNIL:
        return (ct_data_value){0};
    case LUA_TBOOLEAN:
        return ct_data_bool(lua_toboolean(L, argument));
    case LUA_TNUMBER:
        return ct_data_float(check_float(L, argument, 0, ct_check_number(L, argument)));
    case LUA_TSTRING: {
        const char *const text = lua_tolstring(L, argument, &bytes);
        return ct_data_string(text, bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX);
    }
    case LUA_TTABLE:
        return check_floats(L, argument, temp);
    default:
        ct_argument_type_error(L, argument, "boolean, number, string, array of numbers or nil");
        return (ct_data_value){0};
    }
}

static void take_value(lua_State *L, ct_data_manager *m, ct_data_instance i, int key) {
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    const ct_data_key hash = check_key(L, key);
    const ct_data_value value = check_value(L, key + 1, temp);
    const uint32_t bytes = value.type == CT_DATA_TYPE_FLOATS ? 4 * value.count : value.count;
    ct_error error = {0};
    ct_lua_ask_memory(L, bytes + DATA_VALUE_BYTES);
    if (!ct_data_set(m, i, hash, value, &error))
        ct_argument_error(L, key + 1, "%s", error.message);
}

static int get_property(lua_State *L) {
    const ct_data_manager *const m = check_manager(L);
    const ct_data_instance i = check_instance(L, m);
    return push_value(L, ct_data_get(m, i, check_key(L, 3)));
}

static int get_property_by_id(lua_State *L) {
    const ct_data_manager *const m = check_manager(L);
    const ct_data_instance i = check_instance_with_id(L, m);
    return push_value(L, ct_data_get(m, i, check_key(L, 4)));
}

static int set_property(lua_State *L) {
    ct_data_manager *const m = check_manager(L);
    take_value(L, m, check_instance(L, m), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    ct_data_manager *const m = check_manager(L);
    const ct_data_instance i = check_instance_with_id(L, m);
    take_value(L, m, i, 4);
    return push_instance(L, i);
}

// --- Many at once --------------------------------------------------------------------------------

// The data of the id at argument 3 of the entities at argument 2, in the environment's scratch.
static const ct_data_instance *check_many(lua_State *L, const ct_data_manager *m, uint32_t *count) {
    *count = ct_check_entity_count(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    const uint64_t bytes = sizeof(ct_entity) + sizeof(ct_data_instance);
    ct_data_instance *const found = ct_lua_scratch(ct_lua_of(L), bytes * *count + 1);
    const ct_entity *const entities =
        ct_check_entities(L, 2, (ct_entity *)(found + *count), *count);
    for (uint32_t i = 0; i < *count; ++i) {
        ct_check_entity_at(L, 2, entities[i], i);
        found[i] = ct_data_with_id(m, entities[i], id);
        if (!found[i].slot)
            ct_argument_error(L, 2, "expected a Unit with data with the id %s at index %u",
                              ct_string_id32_name((ct_string_id32){id}), i + 1);
    }
    return found;
}

static int get_numbers(lua_State *L) {
    const ct_data_manager *const m = check_manager(L);
    uint32_t count;
    const ct_data_instance *const found = check_many(L, m, &count);
    const ct_data_key key = check_key(L, 4);
    const float otherwise = check_float(L, 5, 0, ct_check_number(L, 5));
    float *const numbers = ct_push_result_array(L, 6, CT_LUA_ARRAY_KIND_FLOATS, count)->floats;
    ct_data_get_floats(m, found, count, key, otherwise, numbers);
    return 1;
}

static int set_numbers(lua_State *L) {
    ct_data_manager *const m = check_manager(L);
    uint32_t count;
    const ct_data_instance *const found = check_many(L, m, &count);
    const ct_data_key key = check_key(L, 4);
    const float *const numbers = ct_check_floats_of(L, 5, 1, count);
    ct_error error = {0};
    if (!ct_data_set_floats(m, found, count, key, numbers, &error))
        ct_argument_error(L, 5, "%s", error.message);
    return 0;
}

static const ct_lua_function functions[] = {
    {"create", create, "(self: DataComponent, entity: Entity, id: any(integer,string)) -> integer",
     "Adds data without values to an entity, under an id that is unique on the entity; returns the "
     "instance."},
    {"destroy", destroy, "(self: DataComponent, instance: integer) -> nil",
     "Destroys an instance."},
    {"destroy_all", destroy_all, "(self: DataComponent, entity: Entity) -> nil",
     "Destroys all data of an entity."},
    {"get_numbers", get_numbers,
     "(self: DataComponent, entities: any(EntityArray,Entity[]), id: any(integer,string), "
     "key: any(string,string[]), otherwise: number, result: Float32Array?) -> Float32Array",
     "Returns the numbers of a key in the data with this id, which all these entities must have; "
     "`otherwise` where the key has no number. In a new array or in `result`."},
    {"get_property", get_property,
     "(self: DataComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns the value of a key such as \"name\" or {\"stats\", \"health\"}: a boolean, a number, "
     "a string, an array of numbers, or nil."},
    {"get_property_by_id", get_property_by_id,
     "(self: DataComponent, entity: Entity, id: any(integer,string), key: any(string,string[])) "
     "-> any",
     "Works like get_property, for the data with this id of an entity."},
    {"instance_ids", instance_ids, "(self: DataComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's data, oldest first."},
    {"instances", instances, "(self: DataComponent, entity: Entity) -> integer*",
     "Returns the instances of an entity, oldest first; each is valid until it is destroyed."},
    {"lookup", lookup, "(self: DataComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"set_numbers", set_numbers,
     "(self: DataComponent, entities: any(EntityArray,Entity[]), id: any(integer,string), "
     "key: any(string,string[]), numbers: Float32Array) -> nil",
     "Sets a key in the data with this id, which all these entities must have, to one number for "
     "each. With an error, none is set."},
    {"set_property", set_property,
     "(self: DataComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets the value of a key to a boolean, a number (stored as a 32-bit float), a string or an "
     "array of numbers, whatever its old type; nil removes it. An instance holds 64 KiB."},
    {"set_property_by_id", set_property_by_id,
     "(self: DataComponent, entity: Entity, id: any(integer,string), key: any(string,string[]), "
     "value: any) -> integer",
     "Works like set_property, for the data with this id of an entity; returns the instance."},
};

const ct_lua_module ct_api_data_component = {
    .name = "DataComponent",
    .doc = "Small amounts of data of any shape, for entities of all worlds. Get it with "
           "EntityManager.data_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
