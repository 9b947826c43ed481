#include "script/entity/api_property.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

enum { MAX_FIELDS = 64 };

const ct_field *ct_check_property(lua_State *L, int argument, const ct_schema *schema) {
    const char *name;
    if (lua_istable(L, argument)) {
        if (lua_objlen(L, argument) > 1)
            ct_argument_error(L, argument, "expected one name; properties of a %s have no parts",
                              schema->name);
        lua_rawgeti(L, argument, 1);
        lua_replace(L, argument);
    }
    name = ct_check_string(L, argument);
    const ct_field *const field = ct_schema_find(schema, name);
    if (field)
        return field;
    const char *names[MAX_FIELDS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < schema->num_fields && count < MAX_FIELDS; ++i) {
        if (ct_field_is_in_source(&schema->fields[i]))
            names[count++] = schema->fields[i].name;
    }
    const char *const nearest = ct_nearest_name(name, names, count);
    const char *const article = strchr("aeiou", schema->name[0]) ? "an" : "a";
    ct_argument_error(L, argument, "%s %s has no property \"%s\"%s%s%s", article, schema->name,
                      name, nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    return NULL;
}

// --- To Lua --------------------------------------------------------------------------------------

void ct_mend_property(const ct_field *field, void *data) {
    char *const at = (char *)data + field->offset;
    uint32_t value, num_names = 0;
    if (field->type == CT_FIELD_TYPE_TEXT)
        at[field->size_bytes - 1] = 0;
    if (field->type != CT_FIELD_TYPE_ENUM)
        return;
    while (field->enum_names[num_names])
        ++num_names;
    memcpy(&value, at, sizeof(value));
    value = value < num_names ? value : 0;
    memcpy(at, &value, sizeof(value));
}

static int push_references(lua_State *L, const ct_field *field, const void *at) {
    const uint32_t count = field->size_bytes / (uint32_t)sizeof(ct_string_id64);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_id64 id;
        memcpy(&id, (const char *)at + i * sizeof(id), sizeof(id));
        ct_push_id64(L, id);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int push_floats(lua_State *L, ct_field_type type, const void *at, uint32_t size_bytes) {
    float v[4] = {0};
    memcpy(v, at, size_bytes < sizeof(v) ? size_bytes : sizeof(v));
    switch (type) {
    case CT_FIELD_TYPE_VECTOR2:
        ct_push_vector2(L, (ct_vec2){{v[0], v[1]}});
        return 1;
    case CT_FIELD_TYPE_VECTOR3:
        ct_push_vector3(L, (ct_vec3){{v[0], v[1], v[2]}});
        return 1;
    case CT_FIELD_TYPE_QUATERNION:
        ct_push_quaternion(L, (ct_quat){{v[0], v[1], v[2], v[3]}});
        return 1;
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_COLOR:
        ct_push_vector4(L, (ct_vec4){{v[0], v[1], v[2], v[3]}});
        return 1;
    default:
        lua_pushnumber(L, (lua_Number)v[0]);
        return 1;
    }
}

int ct_push_property(lua_State *L, const ct_field *field, const void *data) {
    const void *const at = (const char *)data + field->offset;
    uint32_t bits = 0;
    memcpy(&bits, at, field->size_bytes < sizeof(bits) ? field->size_bytes : sizeof(bits));
    switch (field->type) {
    case CT_FIELD_TYPE_BOOL:
        lua_pushboolean(L, bits != 0);
        return 1;
    case CT_FIELD_TYPE_INT:
        lua_pushnumber(L, (int32_t)bits);
        return 1;
    case CT_FIELD_TYPE_ENUM:
        lua_pushstring(L, field->enum_names[bits]);
        return 1;
    case CT_FIELD_TYPE_TEXT:
        lua_pushstring(L, at);
        return 1;
    case CT_FIELD_TYPE_NAME:
        ct_push_id32(L, (ct_string_id32){bits});
        return 1;
    case CT_FIELD_TYPE_REFERENCE: {
        ct_string_id64 id;
        memcpy(&id, at, sizeof(id));
        ct_push_id64(L, id);
        return 1;
    }
    case CT_FIELD_TYPE_REFERENCES:
        return push_references(L, field, at);
    default:
        return push_floats(L, field->type, at, field->size_bytes);
    }
}

// --- From Lua ------------------------------------------------------------------------------------

// Checks that a number lies in the field's range, when it has one.
static float check_range(lua_State *L, int argument, const ct_field *field, float number) {
    if (field->least < field->most && !(number >= field->least && number <= field->most))
        ct_argument_error(L, argument, "%s: expected a number from %g to %g, got %g", field->name,
                          field->least, field->most, (double)number);
    return number;
}

static void take_floats(lua_State *L, int argument, const ct_field *field, void *at) {
    float v[4] = {0};
    switch (field->type) {
    case CT_FIELD_TYPE_VECTOR2:
        memcpy(v, ct_check_vector2(L, argument).raw, sizeof(ct_vec2));
        break;
    case CT_FIELD_TYPE_VECTOR3:
        memcpy(v, ct_check_finite_vector3(L, argument).raw, sizeof(ct_vec3));
        break;
    case CT_FIELD_TYPE_QUATERNION:
        memcpy(v, ct_check_finite_quaternion(L, argument).raw, sizeof(v));
        break;
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_COLOR:
        memcpy(v, ct_check_finite_vector4(L, argument).raw, sizeof(v));
        break;
    default:
        v[0] = (float)ct_check_number(L, argument);
        break;
    }
    const uint32_t count = field->size_bytes / (uint32_t)sizeof(float);
    CT_ASSERT(count <= 4, "the field %s has %u numbers", field->name, count);
    for (uint32_t i = 0; i < count; ++i)
        check_range(L, argument, field, v[i]);
    memcpy(at, v, field->size_bytes);
}

void ct_take_property(lua_State *L, int argument, const ct_field *field, void *data) {
    void *const at = (char *)data + field->offset;
    uint32_t bits;
    switch (field->type) {
    case CT_FIELD_TYPE_BOOL:
        bits = ct_check_boolean(L, argument);
        break;
    case CT_FIELD_TYPE_INT:
        bits = (uint32_t)(int32_t)ct_check_integer(L, argument, INT32_MIN, INT32_MAX);
        check_range(L, argument, field, (float)(int32_t)bits);
        break;
    case CT_FIELD_TYPE_ENUM:
        bits = ct_check_name_of(L, argument, field->enum_names);
        break;
    case CT_FIELD_TYPE_NAME:
        bits = ct_check_id32(L, argument).value;
        break;
    case CT_FIELD_TYPE_TEXT:
        snprintf(at, field->size_bytes, "%s", ct_check_string(L, argument));
        return;
    case CT_FIELD_TYPE_FLOAT:
    case CT_FIELD_TYPE_VECTOR2:
    case CT_FIELD_TYPE_VECTOR3:
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_QUATERNION:
    case CT_FIELD_TYPE_COLOR:
        take_floats(L, argument, field, at);
        return;
    default:
        ct_argument_error(L, argument, "the property \"%s\" cannot be set", field->name);
        return;
    }
    memcpy(at, &bits, sizeof(bits));
}
