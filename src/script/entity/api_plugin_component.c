// Components that plugins, or programs around the engine, have registered: tables of plain data
// (entity/component_table.h), read and written by their schemas.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "lua/lua_array.h"
#include "script/api_check.h"
#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"

extern const ct_lua_module ct_api_plugin_component;

const ct_lua_object_type ct_type_plugin_component = {.name = "PluginComponent",
                                                     .owner = CT_LUA_OWNER_OBJECT};

// A table, and the world that it is of.
typedef struct table_at_1 {
    ct_world *world;
    ct_component_table *table;
    const ct_schema *schema;
    const ct_instance_table *rows;
} table_at_1;

static table_at_1 check_table(lua_State *L) {
    table_at_1 t;
    uint64_t type;
    t.world = ct_check_object(L, 1, &ct_type_plugin_component, &type);
    const char *const name = ct_string_id32_name((ct_string_id32){(uint32_t)type});
    t.table = ct_world_component_table(t.world, name);
    if (!t.table)
        ct_argument_error(L, 1, "the component type \"%s\" is gone", name);
    t.schema = ct_component_table_schema(t.table);
    t.rows = ct_component_table_instances(t.table);
    return t;
}

// Pushes the handle of a world's components of the type at argument 2.
int ct_push_plugin_component(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_string(L, 2);
    if (!ct_world_component_table(world, name))
        ct_argument_error(L, 2, "no plugin has added a component type \"%s\"", name);
    ct_push_object(L, &ct_type_plugin_component, world, ct_string_id32_register(name).value);
    return 1;
}

// --- Rows ----------------------------------------------------------------------------------------

// Returns the row of an entity with the id at argument 3; nil: the first. 0: there is none.
static uint32_t find_row(lua_State *L, const table_at_1 *t, ct_entity e) {
    uint32_t row = ct_instance_table_first(t->rows, e);
    if (lua_isnoneornil(L, 3) || !t->rows->id)
        return row;
    const uint32_t id = ct_check_component_id(L, 3);
    while (row && t->rows->id[row] != id)
        row = t->rows->next[row];
    return row;
}

static uint32_t check_row(lua_State *L, const table_at_1 *t) {
    const uint32_t row = find_row(L, t, ct_check_entity(L, 2));
    if (!row)
        ct_argument_error(L, 2, "the entity has no such %s component", t->schema->name);
    return row;
}

static int create(lua_State *L) {
    const table_at_1 t = check_table(L);
    const ct_entity e = ct_check_unit_of(L, 2, t.world);
    const bool is_single = ct_component_table_is_single(t.table);
    const uint32_t id = is_single ? 0 : ct_check_component_id(L, 3);
    if (find_row(L, &t, e))
        ct_argument_error(L, 2, "the entity already has this %s component", t.schema->name);
    const ct_component_manager manager = ct_component_table_manager(t.table);
    ct_check_room(L, &manager);
    void *const data = ct_lua_scratch(ct_lua_of(L), t.schema->size_bytes);
    ct_schema_defaults(t.schema, data);
    ct_component_table_add(t.table, &e, is_single ? NULL : &id, data, 1);
    return 0;
}

static int destroy_all(lua_State *L) {
    const table_at_1 t = check_table(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_component_table_erase_entities(t.table, &e, 1);
    return 0;
}

static int has(lua_State *L) {
    const table_at_1 t = check_table(L);
    lua_pushboolean(L, find_row(L, &t, ct_check_entity(L, 2)) != 0);
    return 1;
}

static int instance_ids(lua_State *L) {
    const table_at_1 t = check_table(L);
    int count = 0;
    for (uint32_t row = ct_instance_table_first(t.rows, ct_check_entity(L, 2)); row; ++count) {
        luaL_checkstack(L, 1, "too many instances");
        lua_pushnumber(L, t.rows->id ? t.rows->id[row] : 0);
        row = t.rows->next ? t.rows->next[row] : 0;
    }
    return count;
}

static int entities(lua_State *L) {
    const table_at_1 t = check_table(L);
    return ct_push_entities(L, 2, t.rows->entity + 1, ct_instance_table_count(t.rows));
}

static int num_instances(lua_State *L) {
    const table_at_1 t = check_table(L);
    lua_pushnumber(L, ct_instance_table_count(t.rows));
    return 1;
}

// --- Values --------------------------------------------------------------------------------------

static int get_property(lua_State *L) {
    const table_at_1 t = check_table(L);
    const uint32_t row = check_row(L, &t);
    const ct_field *const field = ct_check_property(L, 4, t.schema);
    void *const data = ct_lua_scratch(ct_lua_of(L), t.schema->size_bytes);
    ct_component_table_get(t.table, &row, 1, data);
    ct_mend_property(field, data);
    return ct_push_property(L, field, data);
}

static int set_property(lua_State *L) {
    const table_at_1 t = check_table(L);
    const uint32_t row = check_row(L, &t);
    const ct_field *const field = ct_check_property(L, 4, t.schema);
    void *const data = ct_lua_scratch(ct_lua_of(L), t.schema->size_bytes);
    ct_component_table_get(t.table, &row, 1, data);
    ct_take_property(L, 5, field, data);
    ct_component_table_set(t.table, &row, 1, data);
    return 0;
}

// Returns the field at argument 2, of numbers, and how many it has.
static const ct_field *check_numbers(lua_State *L, const table_at_1 *t, uint32_t *num_floats) {
    const ct_field *const field = ct_check_property(L, 2, t->schema);
    if (field->type < CT_FIELD_TYPE_FLOAT || field->type > CT_FIELD_TYPE_COLOR)
        ct_argument_error(L, 2, "expected a property of numbers or vectors, got \"%s\"",
                          field->name);
    *num_floats = field->size_bytes / (uint32_t)sizeof(float);
    return field;
}

static int get_numbers(lua_State *L) {
    const table_at_1 t = check_table(L);
    uint32_t size;
    const ct_field *const field = check_numbers(L, &t, &size);
    const uint32_t count = ct_instance_table_count(t.rows);
    float *const numbers =
        ct_push_result_array(L, 3, CT_LUA_ARRAY_KIND_FLOATS, (uint64_t)count * size)->floats;
    const float *const column = ct_component_table_column(t.table, field->name);
    if (count > 0)
        memcpy(numbers, column + size, sizeof(*numbers) * (uint64_t)count * size);
    return 1;
}

static int set_numbers(lua_State *L) {
    const table_at_1 t = check_table(L);
    uint32_t size;
    const ct_field *const field = check_numbers(L, &t, &size);
    const uint32_t count = ct_instance_table_count(t.rows);
    const float *const numbers = ct_check_floats_of(L, 3, size, count);
    const bool has_range = field->least < field->most && field->type != CT_FIELD_TYPE_COLOR;
    for (uint64_t i = 0; has_range && i < (uint64_t)count * size; ++i) {
        if (!((double)numbers[i] >= field->least && (double)numbers[i] <= field->most))
            ct_argument_error(L, 3, "%s: expected numbers from %g to %g, got %g", field->name,
                              field->least, field->most, (double)numbers[i]);
    }
    const bool is_rotation = field->type == CT_FIELD_TYPE_QUATERNION;
    for (uint32_t i = 0; is_rotation && i < count; ++i)
        ct_check_rotation_of(L, 3, numbers, i); // before anything is set
    float *const column = ct_component_table_column(t.table, field->name);
    if (count > 0)
        memcpy(column + size, numbers, sizeof(*numbers) * (uint64_t)count * size);
    for (uint32_t i = 0; is_rotation && i < count; ++i) {
        const ct_quat rotation = ct_check_rotation_of(L, 3, numbers, i);
        memcpy(column + (i + 1ull) * size, &rotation, sizeof(rotation));
    }
    return 0;
}

#define ID "The id may be nil: the first, and for types of which an entity has one."

static const ct_lua_function functions[] = {
    {"create", create, "(self: PluginComponent, entity: Entity, id: any(integer,string)?) -> nil",
     "Gives an entity a component with the defaults of its type. Where an entity may have several, "
     "each needs an id."},
    {"destroy_all", destroy_all, "(self: PluginComponent, entity: Entity) -> nil",
     "Ends the components of this type that an entity has."},
    {"entities", entities,
     "(self: PluginComponent, result: EntityArray?) -> any(Entity[],EntityArray)",
     "Returns the entity of each component, in the order of get_numbers, in a new table or in "
     "`result`."},
    {"get_numbers", get_numbers,
     "(self: PluginComponent, key: string, result: Float32Array?) -> Float32Array",
     "Returns a property of all components: a number of each, or the numbers of its vector. The "
     "order changes when components are made or end."},
    {"get_property_by_id", get_property,
     "(self: PluginComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[])) -> any",
     "Returns a property of an entity's component. " ID},
    {"has", has, "(self: PluginComponent, entity: Entity, id: any(integer,string)?) -> boolean",
     "Returns whether an entity has a component. " ID},
    {"instance_ids", instance_ids, "(self: PluginComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's components."},
    {"num_instances", num_instances, "(self: PluginComponent) -> integer",
     "Returns the number of components."},
    {"set_numbers", set_numbers,
     "(self: PluginComponent, key: string, numbers: Float32Array) -> nil",
     "Sets a property of all components, in the order of entities."},
    {"set_property_by_id", set_property,
     "(self: PluginComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[]), value: any) -> nil",
     "Sets a property of an entity's component, in the range that its type gives. " ID},
};

const ct_lua_module ct_api_plugin_component = {
    .name = "PluginComponent",
    .doc = "The components of a world that have a type of a plugin. Get it with "
           "EntityManager.plugin_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
