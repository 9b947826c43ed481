#include <math.h>
#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/api_check.h"
#include "script/behaviour/script_behaviour.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_script_component;

const ct_lua_object_type ct_type_script_component = {.name = "ScriptComponent",
                                                     .owner = CT_LUA_OWNER_OBJECT};

// Fields of an instance's table that are the engine's.
static const char *const own_fields[] = {"entity", "world", NULL};

// The world whose manager is argument 1.
static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_script_component, NULL);
}

static ct_behaviours *check_manager(lua_State *L) {
    return ct_behaviours_of(L, check_world_of_manager(L));
}

static ct_entity check_entity(lua_State *L) {
    return ct_check_entity(L, 2); // of any world
}

static int push_instance(lua_State *L, const ct_behaviours *b, uint32_t i) {
    return ct_push_instance(L, ct_behaviour_entity(b, i), ct_behaviour_number(b, i));
}

static uint32_t check_instance(lua_State *L, const ct_behaviours *b) {
    uint32_t number;
    const ct_entity e = ct_check_instance(L, 2, &number);
    const uint32_t i = ct_behaviour_with_number(b, e, number);
    if (!i)
        ct_instance_error(L, 2, "script");
    return i;
}

// The instance of the entity at argument 2 whose id is argument 3.
static uint32_t check_instance_with_id(lua_State *L, const ct_behaviours *b) {
    const ct_entity e = check_entity(L);
    const uint32_t id = ct_check_component_id(L, 3);
    const uint32_t i = ct_behaviour_with_id(b, e, id);
    if (!i)
        ct_argument_error(L, 3, "the entity has no instance with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return i;
}

// --- Instances -----------------------------------------------------------------------------------

// The script can be required: it is loaded, may be loaded now, or has run.
static void check_script(lua_State *L, int argument, const char *name) {
    const ct_script *const s = ct_script_of(L);
    if (s->lua.loads_scripts && ct_resource_manager_can_get(s->lua.resources, "lua", name))
        return;
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, name);
    const bool has_run = lua_istable(L, -1);
    lua_pop(L, 2);
    if (!has_run)
        ct_check_resource(L, argument, "lua", NULL);
}

static int create(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    const ct_entity e = check_entity(L);
    const uint32_t id = ct_check_component_id(L, 3);
    const char *const name = ct_check_string(L, 4);
    check_script(L, 4, name);
    if (ct_behaviour_with_id(b, e, id))
        return ct_argument_error(L, 3, "the entity already has an instance with the id %s",
                                 ct_string_id32_name((ct_string_id32){id}));
    ct_component_registry *const registry = ct_world_registry(check_world_of_manager(L));
    ct_check_room(L, ct_component_registry_find(registry, CT_ID32("script", 0x2cf63026)));
    return push_instance(L, b, ct_behaviour_create(b, e, id, name));
}

static int destroy(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    ct_behaviour_destroy(b, check_instance(L, b));
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    const ct_entity e = check_entity(L);
    uint32_t i;
    while ((i = ct_behaviour_first(b, e)))
        ct_behaviour_destroy(b, i);
    return 0;
}

// Pushes the instances, or their ids, of the entity at argument 2.
static int push_instances(lua_State *L, bool wants_ids) {
    const ct_behaviours *const b = check_manager(L);
    int count = 0;
    for (uint32_t i = ct_behaviour_first(b, check_entity(L)); i; i = ct_behaviour_next(b, i)) {
        luaL_checkstack(L, 2, "too many instances");
        if (wants_ids)
            lua_pushnumber(L, ct_behaviour_id(b, i));
        else
            push_instance(L, b, i);
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

static int instance_ids_with_script(lua_State *L) {
    const ct_behaviours *const b = check_manager(L);
    const ct_entity e = check_entity(L);
    const ct_string_id64 script = ct_check_id64(L, 3);
    if (lua_isnoneornil(L, 4)) {
        lua_settop(L, 3);
        lua_newtable(L);
    } else if (!lua_istable(L, 4)) {
        return ct_argument_error(L, 4, "expected table, got %s", ct_value_type_name(L, 4));
    }
    int count = 0;
    for (uint32_t i = ct_behaviour_first(b, e); i; i = ct_behaviour_next(b, i)) {
        if (ct_behaviour_script(b, i).value != script.value)
            continue;
        lua_pushnumber(L, ct_behaviour_id(b, i));
        lua_rawseti(L, 4, ++count);
    }
    lua_settop(L, 4);
    lua_pushnumber(L, count);
    return 2;
}

// True when `i` is the first of the entity's instances of the script: an entity counts once.
static bool is_first_with_script(const ct_behaviours *b, uint32_t i, ct_string_id64 script) {
    uint32_t first = ct_behaviour_first(b, ct_behaviour_entity(b, i));
    while (ct_behaviour_script(b, first).value != script.value)
        first = ct_behaviour_next(b, first);
    return first == i;
}

static int entities_with_script(lua_State *L) {
    const ct_behaviours *const b = check_manager(L);
    const ct_string_id64 script = ct_check_id64(L, 2);
    const uint32_t num_instances = ct_behaviour_count(b);
    ct_entity *const found =
        ct_lua_scratch(ct_lua_of(L), sizeof(ct_entity) * (num_instances + 1ull));
    uint32_t count = 0;
    for (uint32_t i = 1; i <= num_instances; ++i) {
        if (ct_behaviour_script(b, i).value == script.value && is_first_with_script(b, i, script))
            found[count++] = ct_behaviour_entity(b, i);
    }
    return ct_push_entities(L, 3, found, count);
}

static int lookup(lua_State *L) {
    const ct_behaviours *const b = check_manager(L);
    const ct_entity e = check_entity(L);
    const uint32_t i = ct_behaviour_with_id(b, e, ct_check_component_id(L, 3));
    if (i)
        return push_instance(L, b, i);
    lua_pushnil(L);
    return 1;
}

static int state(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    ct_behaviours_load(L, b);
    ct_behaviour_push_self(L, b, check_instance(L, b));
    return 1;
}

static int is_enabled(lua_State *L) {
    const ct_behaviours *const b = check_manager(L);
    lua_pushboolean(L, ct_behaviour_is_enabled(b, check_instance(L, b)));
    return 1;
}

static int set_enabled(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    const uint32_t i = check_instance(L, b);
    ct_behaviour_enable(b, i, ct_check_boolean(L, 3));
    return 0;
}

// --- Properties ----------------------------------------------------------------------------------

// Pushes the keys of the path at `argument`: a string, or an array of strings. Returns how many.
static int push_path(lua_State *L, int argument) {
    if (!lua_istable(L, argument)) {
        lua_pushstring(L, ct_check_string(L, argument));
        return 1;
    }
    const uint32_t count = ct_check_array(L, argument);
    if (count == 0 || count > 16)
        ct_argument_error(L, argument, "expected 1 to 16 keys, got %u", count);
    luaL_checkstack(L, 24, NULL);
    for (uint32_t k = 1; k <= count; ++k) {
        lua_rawgeti(L, argument, (int)k);
        if (lua_type(L, -1) != LUA_TSTRING)
            ct_argument_error(L, argument, "expected a string at index %u, got %s", k,
                              ct_value_type_name(L, -1));
        if (!ct_lua_name_at(L, -1))
            ct_argument_error(L, argument, "expected a string without zero bytes at index %u", k);
    }
    return (int)count;
}

static int push_property(lua_State *L, ct_behaviours *b, uint32_t i, int argument) {
    const int first = lua_gettop(L) + 1, count = push_path(L, argument);
    if (count == 1 && strcmp(lua_tostring(L, first), "script") == 0) {
        lua_pushstring(L, ct_behaviour_script_name(b, i));
        return 1;
    }
    ct_behaviour_push_self(L, b, i);
    for (int k = 0; k < count; ++k) {
        if (!lua_istable(L, -1)) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushvalue(L, first + k);
        lua_gettable(L, -2);
    }
    return 1;
}

static int get_property(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    ct_behaviours_load(L, b);
    return push_property(L, b, check_instance(L, b), 3);
}

static int get_property_by_id(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    ct_behaviours_load(L, b);
    return push_property(L, b, check_instance_with_id(L, b), 4);
}

// Replaces the table on top by its own member under the key at `key`, a new table when it has none.
static void descend(lua_State *L, int argument, int key) {
    lua_pushvalue(L, key);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, key);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    } else if (!lua_istable(L, -1)) {
        ct_argument_error(L, argument, "expected \"%s\" to be a table, found a %s",
                          lua_tostring(L, key), ct_value_type_name(L, -1));
    }
    lua_remove(L, -2);
}

static void take_property(lua_State *L, ct_behaviours *b, uint32_t i, int argument) {
    if (lua_isnone(L, argument + 1))
        ct_argument_error(L, argument + 1, "expected a value, got nothing");
    const int first = lua_gettop(L) + 1, count = push_path(L, argument);
    const char *const key = lua_tostring(L, first);
    bool is_own = strcmp(key, "script") == 0;
    for (uint32_t k = 0; own_fields[k]; ++k)
        is_own |= strcmp(key, own_fields[k]) == 0;
    if (is_own)
        ct_argument_error(L, argument, "the property \"%s\" cannot be set", key);
    ct_behaviour_push_self(L, b, i);
    for (int k = 0; k < count - 1; ++k)
        descend(L, argument, first + k);
    lua_pushvalue(L, first + count - 1);
    lua_pushvalue(L, argument + 1);
    lua_rawset(L, -3);
}

static int set_property(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    take_property(L, b, check_instance(L, b), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    const uint32_t i = check_instance_with_id(L, b);
    take_property(L, b, i, 4);
    return push_instance(L, b, i);
}

// --- Events --------------------------------------------------------------------------------------

static uint32_t count_arguments(lua_State *L, int first) {
    const int count = lua_gettop(L) >= first ? lua_gettop(L) - first + 1 : 0;
    if (count > CT_MAX_EVENT_ARGUMENTS)
        ct_function_error(L, "%d arguments for the function; the most is %d", count,
                          CT_MAX_EVENT_ARGUMENTS);
    return (uint32_t)count;
}

static int broadcast(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    const char *const name = ct_check_string(L, 2);
    ct_behaviours_broadcast(L, b, name, 3, count_arguments(L, 3));
    return 0;
}

// The instance on top, element `k` from 0 of the array at argument 3.
static uint32_t check_instance_at(lua_State *L, const ct_behaviours *b, uint32_t k) {
    const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    if (!(value >= 1 && value <= (double)CT_MOST_INSTANCE) || value != floor(value))
        ct_argument_error(L, 3, "expected an instance at index %u, got %s", k + 1,
                          ct_push_value_description(L, lua_gettop(L)));
    uint32_t number;
    const ct_entity e = ct_instance_entity((uint64_t)value, &number);
    const uint32_t i = ct_behaviour_with_number(b, e, number);
    if (!i)
        ct_argument_error(
            L, 3, "expected the instance of a script at index %u, got a destroyed one", k + 1);
    return i;
}

static int dispatch(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    const char *const name = ct_check_string(L, 2);
    const uint32_t num_arguments = count_arguments(L, 4);
    ct_behaviours_load(L, b);
    const uint32_t count = ct_check_array(L, 3);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t *const all = ct_alloc(temp, sizeof(uint32_t) * (uint64_t)count);
    for (uint32_t k = 0; k < count; ++k) {
        lua_rawgeti(L, 3, (int)k + 1);
        all[k] = check_instance_at(L, b, k);
        lua_pop(L, 1);
    }
    ct_behaviours_dispatch(L, b, name, all, count, 4, num_arguments);
    return 0;
}

static int spawned(lua_State *L) {
    ct_behaviours *const b = check_manager(L);
    ct_behaviours_load(L, b);
    const uint32_t count = ct_check_entity_count(L, 2);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_entity *const copies = ct_alloc(temp, sizeof(ct_entity) * (count + 1ull));
    const ct_entity *const entities = ct_check_entities(L, 2, copies, count);
    ct_u32_array all;
    ct_array_init(&all, temp);
    for (uint32_t k = 0; k < count; ++k) {
        ct_check_entity_at(L, 2, entities[k], k);
        uint32_t i = ct_behaviour_first(b, entities[k]);
        for (; i; i = ct_behaviour_next(b, i))
            ct_array_push(&all, i);
    }
    ct_behaviours_spawned(L, b, all.items, all.count);
    return 0;
}

static const ct_lua_function functions[] = {
    {"broadcast", broadcast,
     "(self: ScriptComponent, function_name: string, arguments: any*) -> nil",
     "Calls a function of all behaviours that have it, with their instances and up to 8 "
     "arguments."},
    {"create", create,
     "(self: ScriptComponent, entity: Entity, id: any(integer,string), script_name: string(lua)) "
     "-> integer",
     "Adds an instance of a behaviour to an entity, under an id that is unique on the entity; "
     "returns the instance."},
    {"destroy", destroy, "(self: ScriptComponent, instance: integer) -> nil",
     "Destroys an instance."},
    {"destroy_all", destroy_all, "(self: ScriptComponent, entity: Entity) -> nil",
     "Destroys all instances of an entity."},
    {"dispatch", dispatch,
     "(self: ScriptComponent, function_name: string, instances: table, arguments: any*) -> nil",
     "Calls a function once for each of these instances whose behaviour has it, with up to 8 "
     "arguments. Instances that are disabled, or whose `spawned` has not been called yet, are left "
     "out."},
    {"entities_with_script", entities_with_script,
     "(self: ScriptComponent, script_name: string, result: EntityArray?) -> "
     "any(Entity[],EntityArray)",
     "Returns the entities that have an instance of a behaviour, in no particular order: in a new "
     "table or in `result`."},
    {"get_property", get_property,
     "(self: ScriptComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns a member of an instance's table, or nil; \"script\" is the name of its behaviour."},
    {"get_property_by_id", get_property_by_id,
     "(self: ScriptComponent, entity: Entity, id: any(integer,string), key: any(string,string[])) "
     "-> any",
     "Returns a member of the table of an entity's instance, or nil."},
    {"instance_ids", instance_ids, "(self: ScriptComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's instances."},
    {"instance_ids_with_script", instance_ids_with_script,
     "(self: ScriptComponent, entity: Entity, script_name: string, result_table: table?) -> "
     "integer[], integer",
     "Returns the ids of an entity's instances of a behaviour, and their number. The ids are in a "
     "new table, or in `result_table`, where entries after them stay."},
    {"instances", instances, "(self: ScriptComponent, entity: Entity) -> integer*",
     "Returns the instances of an entity; each is valid until it is destroyed."},
    {"is_enabled", is_enabled, "(self: ScriptComponent, instance: integer) -> boolean",
     "Returns false when an error or set_enabled has disabled the instance."},
    {"lookup", lookup,
     "(self: ScriptComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"set_enabled", set_enabled,
     "(self: ScriptComponent, instance: integer, is_enabled: boolean) -> nil",
     "Stops calls of an instance's functions, or resumes them from the next update on."},
    {"set_property", set_property,
     "(self: ScriptComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets a member of an instance's table. Missing tables on the way are made."},
    {"set_property_by_id", set_property_by_id,
     "(self: ScriptComponent, entity: Entity, id: any(integer,string), key: any(string,string[]), "
     "value: any) -> integer",
     "Sets a member of the table of an entity's instance; returns the instance."},
    {"spawned", spawned, "(self: ScriptComponent, entities: any(EntityArray,Entity[])) -> nil",
     "Calls `spawned` of these entities' new instances now instead of in the next update."},
    {"state", state, "(self: ScriptComponent, instance: integer) -> table",
     "Returns the table that an instance's functions get as self."},
};

const ct_lua_module ct_api_script_component = {
    .name = "ScriptComponent",
    .doc = "The behaviours of a world's entities: scripts whose functions the engine calls. Get it "
           "with EntityManager.script_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
