#include "script/api_property.h"

extern const ct_script_module ct_api_debug_name_component;

static const ct_schema *schema(void) {
    return ct_component_type_named("debug_name")->schema;
}

// An entity has at most one name, so the id at argument 3 is not looked at.
static ct_debug_name_manager *check_manager(lua_State *L) {
    return ct_check_object(L, 1, CT_OBJECT_KIND_DEBUG_NAME_COMPONENT, NULL);
}

static int get_property_by_id(lua_State *L) {
    const ct_debug_name_manager *const m = check_manager(L);
    const char *const name = ct_debug_name(m, ct_check_entity(L, 2));
    ct_check_property(L, 4, schema());
    lua_pushstring(L, name ? name : "");
    return 1;
}

static int set_property_by_id(lua_State *L) {
    ct_debug_name_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_check_property(L, 4, schema());
    ct_debug_name_set(m, e, ct_check_string(L, 5));
    return 0;
}

static const ct_script_function functions[] = {
    {"get_property_by_id", get_property_by_id,
     "(self: DebugNameComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[])) -> string",
     "The \"name\" of an entity, \"\" when it has none."},
    {"set_property_by_id", set_property_by_id,
     "(self: DebugNameComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[]), value: string) -> nil",
     "Sets the \"name\" of an entity."},
};

const ct_script_module ct_api_debug_name_component = {
    .name = "DebugNameComponent",
    .doc = "Names of entities for people; see EntityManager.debug_name.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
