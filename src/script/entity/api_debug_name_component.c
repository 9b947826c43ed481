#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"

extern const ct_lua_module ct_api_debug_name_component;

const ct_lua_object_type ct_type_debug_name_component = {.name = "DebugNameComponent"};

static const ct_schema *schema(void) {
    return ct_component_type_named("debug_name")->schema;
}

// An entity has at most one name, so ids are not looked at; the id of its instance is 0.
static ct_debug_name_manager *check_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_debug_name_component, NULL);
}

// --- Instances -----------------------------------------------------------------------------------

// The living entity at argument 2 when it has a name; {0} else.
static ct_entity check_named(lua_State *L) {
    const ct_debug_name_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    return ct_debug_name(m, e) ? e : (ct_entity){0};
}

// The entity whose instance is argument 2.
static ct_entity check_instance(lua_State *L, const ct_debug_name_manager *m) {
    const ct_entity e = ct_check_single_instance(L, 2);
    if (!ct_entity_is_alive(ct_lua_of(L)->entities, e) || !ct_debug_name(m, e))
        ct_instance_error(L, 2, "debug name");
    return e;
}

static int create(lua_State *L) {
    ct_debug_name_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    if (ct_debug_name(m, e))
        ct_argument_error(L, 2, "expected an entity without a name, got one with a name");
    ct_debug_name_set(m, e, "");
    return ct_push_single_instance(L, e);
}

static int destroy(lua_State *L) {
    ct_debug_name_manager *const m = check_manager(L);
    ct_debug_name_remove(m, check_instance(L, m));
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_debug_name_manager *const m = check_manager(L);
    ct_debug_name_remove(m, ct_check_entity(L, 2));
    return 0;
}

static int lookup(lua_State *L) {
    return ct_push_single_instance(L, check_named(L));
}

static int instances(lua_State *L) {
    return ct_push_single_instances(L, check_named(L));
}

static int instance_ids(lua_State *L) {
    return ct_push_single_ids(L, check_named(L));
}

// --- Properties ----------------------------------------------------------------------------------

static int push_name(lua_State *L, const ct_debug_name_manager *m, ct_entity e, int key) {
    const char *const name = ct_debug_name(m, e);
    ct_check_property(L, key, schema());
    lua_pushstring(L, name ? name : "");
    return 1;
}

static void take_name(lua_State *L, ct_debug_name_manager *m, ct_entity e, int key) {
    ct_check_property(L, key, schema());
    ct_debug_name_set(m, e, ct_check_string(L, key + 1));
}

static int get_property(lua_State *L) {
    const ct_debug_name_manager *const m = check_manager(L);
    return push_name(L, m, check_instance(L, m), 3);
}

static int get_property_by_id(lua_State *L) {
    const ct_debug_name_manager *const m = check_manager(L);
    return push_name(L, m, ct_check_entity(L, 2), 4);
}

static int set_property(lua_State *L) {
    ct_debug_name_manager *const m = check_manager(L);
    take_name(L, m, check_instance(L, m), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    ct_debug_name_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    take_name(L, m, e, 4);
    return ct_push_single_instance(L, e);
}

static const ct_lua_function functions[] = {
    {"create", create,
     "(self: DebugNameComponent, entity: Entity, id: any(integer,string)?) -> integer",
     "Gives an entity the name \"\"; returns the instance. An entity has at most one name, so the "
     "id is ignored."},
    {"destroy", destroy, "(self: DebugNameComponent, instance: integer) -> nil", "Removes a name."},
    {"destroy_all", destroy_all, "(self: DebugNameComponent, entity: Entity) -> nil",
     "Removes the name of an entity, if it has one."},
    {"get_property", get_property,
     "(self: DebugNameComponent, instance: integer, key: any(string,string[])) -> string",
     "Returns the \"name\" of an instance."},
    {"get_property_by_id", get_property_by_id,
     "(self: DebugNameComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[])) -> string",
     "Returns the \"name\" of an entity, or \"\" when it has none."},
    {"instance_ids", instance_ids, "(self: DebugNameComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's name, 0, or nothing when it has none."},
    {"instances", instances, "(self: DebugNameComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, valid until it is destroyed, or nothing when the entity "
     "has no name."},
    {"lookup", lookup,
     "(self: DebugNameComponent, entity: Entity, id: any(integer,string)?) -> integer?",
     "Returns the instance of an entity, or nil when it has no name."},
    {"set_property", set_property,
     "(self: DebugNameComponent, instance: integer, key: any(string,string[]), value: string) -> "
     "nil",
     "Sets the \"name\" of an instance; longer names are cut to 63 bytes."},
    {"set_property_by_id", set_property_by_id,
     "(self: DebugNameComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[]), value: string) -> integer",
     "Sets the \"name\" of an entity; returns the instance."},
};

const ct_lua_module ct_api_debug_name_component = {
    .name = "DebugNameComponent",
    .doc = "Names of entities for people. Get it with EntityManager.debug_name.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
