// Network: what the network_config has.
#include "foundation/math/math.h"
#include "resource/types/network/network_value.h"
#include "script/network/api_network.h"

static void set_number(lua_State *L, const char *name, double number) {
    lua_pushnumber(L, number);
    lua_setfield(L, -2, name);
}

static void set_text(lua_State *L, const char *name, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

// Pushes an array of the names and types of a record's fields.
static void push_fields(lua_State *L, const ct_network_config_resource *config,
                        const ct_network_record_type *record) {
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    lua_createtable(L, (int)record->num_fields, 0);
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        lua_createtable(L, 0, 2);
        set_text(L, "name", ct_blob_at(config, fields[i].name.offset));
        set_text(L, "type", ct_blob_at(config, types[fields[i].type].name.offset));
        lua_rawseti(L, -2, (int)i + 1);
    }
}

int ct_networks_message_info(lua_State *L) {
    const ct_network_config_resource *const config = ct_check_network(L)->config;
    const uint32_t message = ct_check_network_message(L, 1, config);
    const ct_network_record_type *const record = &ct_network_config_messages(config)[message];
    lua_createtable(L, 0, 5);
    set_text(L, "name", ct_blob_at(config, record->name.offset));
    set_number(L, "index", message);
    lua_pushboolean(L, record->is_reliable != 0);
    lua_setfield(L, -2, "reliable");
    set_number(L, "priority", (double)record->priority);
    push_fields(L, config, record);
    lua_setfield(L, -2, "args");
    return 1;
}

int ct_networks_object_info(lua_State *L) {
    const ct_network_config_resource *const config = ct_check_network(L)->config;
    const uint32_t object = ct_check_network_object(L, 1, config);
    const ct_network_record_type *const record = &ct_network_config_objects(config)[object];
    lua_createtable(L, 0, 6);
    set_text(L, "name", ct_blob_at(config, record->name.offset));
    set_number(L, "index", object);
    lua_pushboolean(L, record->is_shared != 0);
    lua_setfield(L, -2, "shared");
    set_number(L, "priority", (double)record->priority);
    set_number(L, "rate", (double)record->rate);
    push_fields(L, config, record);
    lua_setfield(L, -2, "fields");
    return 1;
}

// Sets `min` and `max`: numbers, or vectors of this frame.
static void set_range(lua_State *L, const ct_network_type *type) {
    const float *const ends[2] = {type->min, type->max};
    for (uint32_t i = 0; i < 2; ++i) {
        const float *const e = ends[i];
        if (type->kind == CT_NETWORK_FLOAT)
            lua_pushnumber(L, (double)e[0]);
        else if (type->kind == CT_NETWORK_VECTOR2)
            ct_push_vector2(L, ct_vec2_make(e[0], e[1]));
        else
            ct_push_vector3(L, ct_vec3_make(e[0], e[1], e[2]));
        lua_setfield(L, -2, i == 0 ? "min" : "max");
    }
}

int ct_networks_type_info(lua_State *L) {
    const ct_network_config_resource *const config = ct_check_network(L)->config;
    const ct_network_type *const types = ct_network_config_types(config);
    const ct_network_type *const type = &types[ct_check_network_type(L, 1, config)];
    lua_newtable(L);
    set_text(L, "name", ct_blob_at(config, type->name.offset));
    set_text(L, "type", ct_network_kind_name(type->kind));
    if (type->kind >= CT_NETWORK_FLOAT && type->kind <= CT_NETWORK_ROTATION)
        set_number(L, "bits", type->bits);
    if (type->kind >= CT_NETWORK_FLOAT && type->kind <= CT_NETWORK_VECTOR3 &&
        type->bits != CT_NETWORK_EXACT_BITS)
        set_range(L, type);
    if (type->kind == CT_NETWORK_INTEGER) {
        set_number(L, "min", type->first);
        set_number(L, "max", type->last);
    }
    if (type->kind == CT_NETWORK_STRING || type->kind == CT_NETWORK_ARRAY)
        set_number(L, "max_size", type->max_count);
    if (type->kind == CT_NETWORK_ARRAY)
        set_text(L, "element", ct_blob_at(config, types[type->element].name.offset));
    if (type->kind == CT_NETWORK_LOOKUP) {
        lua_createtable(L, (int)type->num_lookups, 0);
        for (uint32_t i = 0; i < type->num_lookups; ++i) {
            lua_pushstring(L, ct_network_config_lookup(config, type, i));
            lua_rawseti(L, -2, (int)i + 1);
        }
        lua_setfield(L, -2, "values");
    }
    return 1;
}
