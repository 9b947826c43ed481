#include "lua/lua_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "foundation/sjson/sjson_writer.h"

enum { MAX_DEPTH = 64, MAX_PARTS = 4 };

typedef struct json_state {
    ct_sjson_writer w;
    int argument; // what errors are about
} json_state;

static void write_value(lua_State *L, json_state *j, uint32_t depth);

// The number of elements when the table on top is an array, 0 for an object.
static size_t array_length(lua_State *L, const json_state *j) {
    const size_t length = lua_objlen(L, -1);
    size_t num_strings = 0, num_numbers = 0;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        const int key = lua_type(L, -2);
        num_numbers += key == LUA_TNUMBER;
        num_strings += key == LUA_TSTRING;
        if (key != LUA_TNUMBER && key != LUA_TSTRING)
            ct_argument_error(L, j->argument, "expected string keys, got a %s as a key",
                              ct_value_type_name(L, -2));
        lua_pop(L, 1);
    }
    if (num_numbers != length || (length > 0 && num_strings > 0))
        ct_argument_error(
            L, j->argument,
            "expected tables with either string keys or keys 1 to n, got a mixed one");
    return length;
}

// The key below the top, a string. JSON could say a zero byte, SJSON cannot.
static const char *check_key(lua_State *L, const json_state *j) {
    const char *const key = ct_lua_name_at(L, -2);
    if (!key)
        ct_argument_error(L, j->argument, "expected keys without zero bytes, got \"%s\\0...\"",
                          lua_tostring(L, -2));
    return key;
}

// Writes the table on top of the stack.
static void write_table(lua_State *L, json_state *j, uint32_t depth) {
    if (depth == MAX_DEPTH)
        ct_argument_error(L, j->argument, "tables are deeper than %d; is one inside itself?",
                          MAX_DEPTH);
    luaL_checkstack(L, 4, "too many tables");
    const size_t length = array_length(L, j);
    if (length == 0) {
        ct_sjson_begin_object(&j->w);
        lua_pushnil(L);
        while (lua_next(L, -2)) {
            ct_sjson_write_key(&j->w, check_key(L, j));
            write_value(L, j, depth + 1);
            lua_pop(L, 1);
        }
        ct_sjson_end_object(&j->w);
        return;
    }
    ct_sjson_begin_array(&j->w);
    for (size_t i = 1; i <= length; ++i) {
        lua_rawgeti(L, -1, (int)i);
        write_value(L, j, depth + 1);
        lua_pop(L, 1);
    }
    ct_sjson_end_array(&j->w);
}

static void write_id(json_state *j, uint64_t id, int digits) {
    char text[17];
    snprintf(text, sizeof(text), "%0*" PRIx64, digits, id);
    ct_sjson_write_string(&j->w, text);
}

// Writes the engine value on top of the stack.
static void write_engine_value(lua_State *L, json_state *j) {
    static const uint8_t num_parts[] = {[CT_VALUE_KIND_VECTOR2] = 2,
                                        [CT_VALUE_KIND_VECTOR3] = 3,
                                        [CT_VALUE_KIND_VECTOR4] = 4,
                                        [CT_VALUE_KIND_QUATERNION] = 4};
    const int top = lua_gettop(L);
    const uint64_t value = ct_value_at(L, top);
    const ct_value_kind kind = ct_value_kind_of(value);
    const float *const parts = ct_temporary_data(ct_lua_of(L), value);
    const uint32_t count = (uint32_t)kind < CT_COUNT_OF(num_parts) ? num_parts[kind] : 0;
    if (kind == CT_VALUE_KIND_ID32) {
        write_id(j, ct_check_id32(L, top).value, 8);
    } else if (kind == CT_VALUE_KIND_ID64 && parts) {
        write_id(j, ct_check_id64(L, top).value, 16);
    } else if (count && parts) {
        ct_sjson_begin_array(&j->w);
        for (uint32_t i = 0; i < count; ++i)
            ct_sjson_write_number(&j->w, (double)parts[i]);
        ct_sjson_end_array(&j->w);
    } else {
        ct_argument_error(L, j->argument, "expected a value that JSON supports, got %s",
                          ct_push_value_description(L, top));
    }
}

// Writes the value on top of the stack.
static void write_value(lua_State *L, json_state *j, uint32_t depth) {
    size_t bytes;
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
        ct_sjson_write_bool(&j->w, lua_toboolean(L, -1));
        break;
    case LUA_TNUMBER:
        ct_sjson_write_number(&j->w, lua_tonumber(L, -1));
        break;
    case LUA_TSTRING: {
        const char *const text = lua_tolstring(L, -1, &bytes);
        ct_sjson_write_string_bytes(&j->w, text, (uint32_t)bytes);
        break;
    }
    case LUA_TTABLE:
        write_table(L, j, depth);
        break;
    case LUA_TLIGHTUSERDATA:
        write_engine_value(L, j);
        break;
    default:
        ct_argument_error(L, j->argument, "expected a value that JSON supports, got a %s",
                          ct_value_type_name(L, -1));
    }
}

void ct_lua_append_json(lua_State *L, int argument, ct_string_builder *out) {
    json_state j = {.argument = argument};
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table");
    ct_sjson_writer_init(&j.w, out, CT_SJSON_STYLE_JSON);
    lua_pushvalue(L, argument);
    write_table(L, &j, 0);
    lua_pop(L, 1);
}

static void push_container(lua_State *L, const ct_sjson *doc, ct_sjson_value value) {
    const int count = (int)ct_sjson_count(doc, value);
    const bool is_array = ct_sjson_type_of(doc, value) == CT_SJSON_TYPE_ARRAY;
    luaL_checkstack(L, 4, "JSON is too deep");
    lua_createtable(L, is_array ? count : 0, is_array ? 0 : count);
    int place = 0;
    ct_sjson_value v = ct_sjson_first(doc, value);
    for (; v.entry != 0; v = ct_sjson_next(doc, v)) {
        ct_lua_push_json(L, doc, v);
        if (is_array)
            lua_rawseti(L, -2, ++place);
        else
            lua_setfield(L, -2, ct_sjson_key(doc, v));
    }
}

void ct_lua_push_json(lua_State *L, const ct_sjson *doc, ct_sjson_value value) {
    switch (ct_sjson_type_of(doc, value)) {
    case CT_SJSON_TYPE_BOOL:
        lua_pushboolean(L, ct_sjson_bool(doc, value, false));
        break;
    case CT_SJSON_TYPE_NUMBER:
        lua_pushnumber(L, ct_sjson_number(doc, value, 0));
        break;
    case CT_SJSON_TYPE_STRING:
        lua_pushlstring(L, ct_sjson_string(doc, value, ""), ct_sjson_string_bytes(doc, value));
        break;
    case CT_SJSON_TYPE_ARRAY:
    case CT_SJSON_TYPE_OBJECT:
        push_container(L, doc, value);
        break;
    default:
        lua_pushnil(L);
    }
}
