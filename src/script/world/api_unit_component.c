#include <string.h>

#include "script/api_check.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_unit_component;

const ct_lua_object_type ct_type_unit_component = {.name = "UnitComponent",
                                                   .owner = CT_LUA_OWNER_OBJECT};

// Units are spawned and destroyed whole: this manager only reports them, and changes nothing else.

static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_unit_component, NULL);
}

// The entity at argument 2 when it is the root of a unit; {0} else.
static ct_entity check_root(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    return ct_world_has_unit(world, e) ? e : (ct_entity){0};
}

// The unit whose instance is argument 2.
static ct_entity check_instance(lua_State *L, const ct_world *world) {
    const ct_entity e = ct_check_single_instance(L, 2);
    if (!ct_world_has_unit(world, e))
        ct_instance_error(L, 2, "unit");
    return e;
}

static int unit(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_world_unit_of(world, ct_check_unit_of(L, 2, world));
    if (!e.id)
        ct_argument_error(L, 2, "expected an entity of a unit, got one without a unit");
    ct_push_entity(L, e);
    return 1;
}

static int lookup(lua_State *L) {
    return ct_push_single_instance(L, check_root(L));
}

static int instances(lua_State *L) {
    return ct_push_single_instances(L, check_root(L));
}

static int instance_ids(lua_State *L) {
    return ct_push_single_ids(L, check_root(L));
}

static int destroy(lua_State *L) {
    ct_world *const world = check_world_of_manager(L);
    const ct_entity e = check_instance(L, world);
    ct_world_destroy_units(world, &e, 1);
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_world *const world = check_world_of_manager(L);
    const ct_entity e = check_root(L);
    if (e.id)
        ct_world_destroy_units(world, &e, 1);
    return 0;
}

// Pushes the property named at `key`, of which there is one.
static int push_property(lua_State *L, const ct_world *world, ct_entity e, int key) {
    if (lua_istable(L, key)) {
        if (lua_objlen(L, key) > 1)
            ct_argument_error(L, key, "expected one name; properties of a unit have no parts");
        lua_rawgeti(L, key, 1);
        lua_replace(L, key);
    }
    const char *const name = ct_check_string(L, key);
    if (strcmp(name, "unit") != 0)
        ct_argument_error(L, key, "a unit has no property \"%s\"; expected \"unit\"", name);
    ct_push_id64(L, ct_world_unit_resource(world, e));
    return 1;
}

static int get_property(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    return push_property(L, world, check_instance(L, world), 3);
}

static int get_property_by_id(lua_State *L) {
    const ct_entity e = check_root(L);
    if (!e.id)
        ct_argument_error(L, 2, "expected the root of a unit, got another entity");
    return push_property(L, check_world_of_manager(L), e, 4);
}

static const ct_lua_function functions[] = {
    {"destroy", destroy, "(self: UnitComponent, instance: integer) -> nil",
     "Destroys a unit, like World.destroy_unit."},
    {"destroy_all", destroy_all, "(self: UnitComponent, entity: Entity) -> nil",
     "Destroys the unit whose root is this entity, if there is one."},
    {"get_property", get_property,
     "(self: UnitComponent, instance: integer, key: any(string,string[])) -> IdString64",
     "Returns the \"unit\" of an instance: the resource from which it was spawned."},
    {"get_property_by_id", get_property_by_id,
     "(self: UnitComponent, entity: Entity, id: any(integer,string)?, key: any(string,string[])) "
     "-> IdString64",
     "Returns the \"unit\" of an entity: the resource from which it was spawned."},
    {"instance_ids", instance_ids, "(self: UnitComponent, entity: Entity) -> integer*",
     "Returns the id, 0, of the unit whose root is this entity, or nothing if it is the root of no "
     "unit."},
    {"instances", instances, "(self: UnitComponent, entity: Entity) -> integer*",
     "Returns the instance of the unit whose root is this entity, or nothing if it is the root of "
     "no unit."},
    {"lookup", lookup,
     "(self: UnitComponent, entity: Entity, id: any(integer,string)?) -> integer?",
     "Returns the instance of the unit whose root is this entity, or nil."},
    {"unit", unit, "(self: UnitComponent, entity: Entity) -> Unit",
     "Returns the unit of which an entity is the root or, by its template, a part."},
};

const ct_lua_module ct_api_unit_component = {
    .name = "UnitComponent",
    .doc = "The units among a world's entities. Get it with EntityManager.unit_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
