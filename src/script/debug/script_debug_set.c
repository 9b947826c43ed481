// Setting parts of engine values.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "script/api_check.h"
#include "script/debug/script_debug_private.h"
#include "script/entity/api_property.h"

bool ct_debug_set_unit(const ct_script *s, lua_State *L, ct_world *world, ct_entity e,
                       const char *name) {
    const int value = lua_gettop(L);
    (void)world;
    if (strcmp(name, "name") == 0) {
        ct_debug_name_set(ct_world_system_debug_names(s->worlds), e, ct_check_string(L, value));
        return true;
    }
    const ct_world_transform t = ct_world_transform_of(s->worlds, e);
    if (!t.transform.index)
        return false;
    if (strcmp(name, "position") == 0)
        ct_transform_set_local_position(t.transforms, t.transform,
                                        ct_check_finite_vector3(L, value));
    else if (strcmp(name, "rotation") == 0)
        ct_transform_set_local_rotation(t.transforms, t.transform,
                                        ct_check_finite_quaternion(L, value));
    else if (strcmp(name, "scale") == 0)
        ct_transform_set_local_scale(t.transforms, t.transform, ct_check_finite_vector3(L, value));
    else
        return false;
    return true;
}

// The row of a component of a plugin; 0 when it is gone.
static uint32_t row_of(const ct_component_table *table, ct_entity e, uint32_t place) {
    const ct_instance_table *const rows = ct_component_table_instances(table);
    uint32_t row = ct_instance_table_first(rows, e);
    for (; row && place > 0; --place)
        row = rows->next ? rows->next[row] : 0;
    return row;
}

bool ct_debug_set_component(lua_State *L, const ct_debug_node *node, const char *name) {
    const int value = lua_gettop(L);
    ct_component_table *const table = ct_world_component_table(node->world, node->type);
    const uint32_t row = table ? row_of(table, node->entity, node->place) : 0;
    const ct_schema *const schema = table ? ct_component_table_schema(table) : NULL;
    const ct_field *const field = schema ? ct_schema_find(schema, name) : NULL;
    if (!row || !field || !ct_field_is_in_source(field))
        return false;
    void *const data = lua_newuserdata(L, schema->size_bytes);
    ct_component_table_get(table, &row, 1, data);
    ct_take_property(L, value, field, data);
    ct_component_table_set(table, &row, 1, data);
    lua_settop(L, value);
    return true;
}

// The key that is shown by this name, or the one that the name makes.
static ct_data_key key_of(const ct_script *s, ct_data_instance i, const char *name) {
    ct_data_key found = ct_data_key_of_id(ct_string_id32_of(name));
    ct_byte_array values;
    ct_array_init(&values, s->lua.allocator);
    ct_data_copy_values(ct_world_system_data(s->worlds), i, &values);
    const ct_data_buffer *const buffer = (const void *)values.items;
    for (uint32_t k = 0; k < buffer->num_keys; ++k)
        if (strcmp(ct_string_id32_name((ct_string_id32){buffer->words[k]}), name) == 0)
            found.hash = buffer->words[k];
    ct_array_free(&values);
    return found;
}

bool ct_debug_set_data(const ct_script *s, lua_State *L, const ct_debug_node *node,
                       const char *name) {
    ct_data_manager *const m = ct_world_system_data(s->worlds);
    const ct_data_instance i = ct_data_with_id(m, node->entity, node->id);
    const int top = lua_gettop(L);
    ct_data_value value = {0};
    size_t bytes;
    if (!i.slot)
        return false;
    if (lua_type(L, top) == LUA_TBOOLEAN)
        value = ct_data_bool(lua_toboolean(L, top));
    else if (lua_type(L, top) == LUA_TNUMBER)
        value = ct_data_float((float)lua_tonumber(L, top));
    else if (lua_type(L, top) == LUA_TSTRING) {
        const char *const text = lua_tolstring(L, top, &bytes);
        value = ct_data_string(text, bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX);
    } else if (!lua_isnil(L, top)) {
        luaL_error(L, "expected a boolean, number, string or nil");
    }
    if (value.type == CT_DATA_TYPE_FLOAT && !isfinite(value.number))
        luaL_error(L, "expected a number in the range of a float");
    ct_error error = {0};
    if (!ct_data_set(m, i, key_of(s, i, name), value, &error))
        luaL_error(L, "%s", error.message);
    return true;
}
