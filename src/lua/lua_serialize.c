#include "lua/lua_serialize.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"

enum { MAX_DEPTH = 100, ID_BYTES = 17 };

// What has a type of its own in the text, by itself and in a box.
typedef struct typed {
    const char *name, *box;
    ct_value_kind kind;
    uint32_t num_floats; // 0: an id
} typed;

static const typed types[] = {
    {"Vector2", "Vector2Box", CT_VALUE_KIND_VECTOR2, 2},
    {"Vector3", "Vector3Box", CT_VALUE_KIND_VECTOR3, 3},
    {"Vector4", "Vector4Box", CT_VALUE_KIND_VECTOR4, 4},
    {"Quaternion", "QuaternionBox", CT_VALUE_KIND_QUATERNION, 4},
    {"Matrix4x4", "Matrix4x4Box", CT_VALUE_KIND_MATRIX4X4, 16},
    {"IdString32", "IdString32Box", CT_VALUE_KIND_ID32, 0},
    {"IdString64", "IdString64Box", CT_VALUE_KIND_ID64, 0},
};

// --- Writing -------------------------------------------------------------------------------------

typedef struct writing {
    ct_sjson_writer w;
    int argument; // what errors are about
} writing;

static void write_value(lua_State *L, writing *out, uint32_t depth);

static void refuse(lua_State *L, const writing *out, int index) {
    ct_argument_error(L, out->argument, "expected a value that can be written as text, got %s",
                      ct_push_value_description(L, index));
}

static void write_number(writing *out, double number) {
    if (isfinite(number)) {
        ct_sjson_write_number(&out->w, number);
        return;
    }
    ct_sjson_begin_array(&out->w);
    ct_sjson_write_string(&out->w, "number");
    ct_sjson_write_string(&out->w, isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    ct_sjson_end_array(&out->w);
}

// UTF-8 as it is; other bytes as hexadecimal digits.
static void write_string(lua_State *L, writing *out) {
    size_t bytes;
    const char *const text = lua_tolstring(L, -1, &bytes);
    if (ct_utf8_is_valid(text, bytes)) {
        ct_sjson_write_string_bytes(&out->w, text, (uint32_t)bytes);
        return;
    }
    static const char digits[] = "0123456789abcdef";
    luaL_Buffer hex;
    luaL_buffinit(L, &hex);
    for (size_t i = 0; i < bytes; ++i) {
        luaL_addchar(&hex, digits[(unsigned char)text[i] >> 4]);
        luaL_addchar(&hex, digits[text[i] & 15]);
    }
    luaL_pushresult(&hex);
    ct_sjson_begin_array(&out->w);
    ct_sjson_write_string(&out->w, "bytes");
    ct_sjson_write_string(&out->w, lua_tostring(L, -1));
    ct_sjson_end_array(&out->w);
    lua_pop(L, 1);
}

static void write_table(lua_State *L, writing *out, uint32_t depth) {
    if (depth == MAX_DEPTH)
        ct_argument_error(L, out->argument, "tables are deeper than %d; is one inside itself?",
                          MAX_DEPTH);
    luaL_checkstack(L, 8, "too many tables");
    ct_sjson_begin_array(&out->w);
    ct_sjson_write_string(&out->w, "table");
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pushvalue(L, -2);
        write_value(L, out, depth + 1);
        lua_pop(L, 1);
        write_value(L, out, depth + 1);
        lua_pop(L, 1);
    }
    ct_sjson_end_array(&out->w);
}

// The engine value on top, under the name of its type or of its box.
static void write_typed(lua_State *L, writing *out, const typed *type, const char *name) {
    const int top = lua_gettop(L);
    char id[ID_BYTES];
    ct_sjson_begin_array(&out->w);
    ct_sjson_write_string(&out->w, name);
    const float *const parts = ct_temporary_data(ct_lua_of(L), ct_value_at(L, top));
    if (!parts && type->kind != CT_VALUE_KIND_ID32)
        refuse(L, out, top);
    for (uint32_t i = 0; i < type->num_floats; ++i)
        write_number(out, (double)parts[i]);
    if (type->kind == CT_VALUE_KIND_ID32) {
        snprintf(id, sizeof(id), "%08" PRIx32, ct_check_id32(L, top).value);
        ct_sjson_write_string(&out->w, id);
    } else if (type->kind == CT_VALUE_KIND_ID64) {
        snprintf(id, sizeof(id), "%016" PRIx64, ct_check_id64(L, top).value);
        ct_sjson_write_string(&out->w, id);
    }
    ct_sjson_end_array(&out->w);
}

// The light or full userdata on top.
static void write_engine_value(lua_State *L, writing *out) {
    const char *const name = ct_value_type_name(L, -1);
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        const bool is_boxed = strcmp(types[i].box, name) == 0;
        if (!is_boxed && strcmp(types[i].name, name) != 0)
            continue;
        lua_pushvalue(L, -1);
        if (is_boxed) {
            lua_getfield(L, -1, "unbox");
            lua_insert(L, -2);
            lua_call(L, 1, 1);
        }
        write_typed(L, out, &types[i], name);
        lua_pop(L, 1);
        return;
    }
    refuse(L, out, lua_gettop(L));
}

// Writes the value on top and leaves it there.
static void write_value(lua_State *L, writing *out, uint32_t depth) {
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
        ct_sjson_write_bool(&out->w, lua_toboolean(L, -1));
        break;
    case LUA_TNUMBER:
        write_number(out, lua_tonumber(L, -1));
        break;
    case LUA_TSTRING:
        write_string(L, out);
        break;
    case LUA_TTABLE:
        write_table(L, out, depth);
        break;
    case LUA_TLIGHTUSERDATA:
    case LUA_TUSERDATA:
        write_engine_value(L, out);
        break;
    default:
        refuse(L, out, lua_gettop(L));
    }
}

int ct_lua_serialize(lua_State *L, int argument) {
    writing out = {.argument = argument};
    CT_CLEANUP(ct_string_builder_free) ct_string_builder text;
    ct_string_builder_init(&text, ct_lua_of(L)->allocator);
    ct_sjson_writer_init(&out.w, &text, CT_SJSON_STYLE_JSON);
    lua_pushvalue(L, argument);
    write_value(L, &out, 0);
    lua_pushlstring(L, ct_string_builder_text(&text), text.length);
    return 1;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct reading {
    const ct_sjson *doc;
    int argument; // what errors are about
} reading;

static void read_value(lua_State *L, const reading *in, ct_sjson_value value);

static void wrong(lua_State *L, const reading *in, ct_sjson_value value, const char *expected) {
    uint32_t line, column;
    ct_sjson_position(in->doc, value, &line, &column);
    ct_argument_error(L, in->argument, "line %u, column %u: expected %s, found %s", line, column,
                      expected, ct_sjson_type_name(ct_sjson_type_of(in->doc, value)));
}

static ct_sjson_value next_of(const reading *in, ct_sjson_value *v) {
    const ct_sjson_value value = *v;
    if (value.entry)
        *v = ct_sjson_next(in->doc, value);
    return value;
}

static void read_table(lua_State *L, const reading *in, ct_sjson_value array, ct_sjson_value at) {
    luaL_checkstack(L, 8, "too many tables");
    lua_newtable(L);
    while (at.entry) {
        const ct_sjson_value key = next_of(in, &at), value = next_of(in, &at);
        if (!value.entry)
            wrong(L, in, array, "a value for each key");
        read_value(L, in, key);
        if (lua_type(L, -1) == LUA_TNUMBER && isnan(lua_tonumber(L, -1)))
            wrong(L, in, key, "a key that is a number");
        read_value(L, in, value);
        lua_rawset(L, -3);
    }
}

static double read_number(lua_State *L, const reading *in, ct_sjson_value v) {
    if (ct_sjson_type_of(in->doc, v) == CT_SJSON_TYPE_NUMBER)
        return ct_sjson_number(in->doc, v, 0);
    read_value(L, in, v);
    if (lua_type(L, -1) != LUA_TNUMBER)
        wrong(L, in, v, "a number");
    const double number = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return number;
}

static uint64_t read_id(lua_State *L, const reading *in, ct_sjson_value v) {
    const char *const text = ct_sjson_string(in->doc, v, "");
    char *end;
    const uint64_t id = strtoull(text, &end, 16);
    if (end == text || *end)
        wrong(L, in, v, "hexadecimal digits");
    return id;
}

// Pushes what `type` says, of the values from `at` on.
static void read_typed(lua_State *L, const reading *in, const typed *type, ct_sjson_value at) {
    ct_mat4 m = ct_mat4_identity();
    for (uint32_t i = 0; i < type->num_floats; ++i)
        m.col[i / 4].raw[i % 4] = (float)read_number(L, in, next_of(in, &at));
    const float *const v = m.col[0].raw;
    switch (type->kind) {
    case CT_VALUE_KIND_VECTOR2:
        ct_push_vector2(L, (ct_vec2){{v[0], v[1]}});
        break;
    case CT_VALUE_KIND_VECTOR3:
        ct_push_vector3(L, ct_vec3_make(v[0], v[1], v[2]));
        break;
    case CT_VALUE_KIND_VECTOR4:
        ct_push_vector4(L, m.col[0]);
        break;
    case CT_VALUE_KIND_QUATERNION:
        ct_push_quaternion(L, (ct_quat){{v[0], v[1], v[2], v[3]}});
        break;
    case CT_VALUE_KIND_MATRIX4X4:
        ct_push_matrix4x4(L, &m);
        break;
    case CT_VALUE_KIND_ID32:
        ct_push_id32(L, (ct_string_id32){(uint32_t)read_id(L, in, at)});
        break;
    default:
        ct_push_id64(L, (ct_string_id64){read_id(L, in, at)});
        break;
    }
}

static void read_bytes(lua_State *L, const reading *in, ct_sjson_value v) {
    const char *const text = ct_sjson_string(in->doc, v, "");
    luaL_Buffer bytes;
    luaL_buffinit(L, &bytes);
    for (const char *c = text; c[0] && c[1]; c += 2) {
        const char pair[3] = {c[0], c[1], 0};
        luaL_addchar(&bytes, (char)strtoul(pair, NULL, 16));
    }
    luaL_pushresult(&bytes);
}

static void read_array(lua_State *L, const reading *in, ct_sjson_value array) {
    ct_sjson_value at = ct_sjson_first(in->doc, array);
    const char *const name = at.entry ? ct_sjson_string(in->doc, next_of(in, &at), "") : "";
    if (strcmp(name, "table") == 0) {
        read_table(L, in, array, at);
        return;
    }
    if (strcmp(name, "bytes") == 0) {
        read_bytes(L, in, at);
        return;
    }
    if (strcmp(name, "number") == 0) {
        lua_pushnumber(L, strtod(ct_sjson_string(in->doc, at, "nan"), NULL));
        return;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        const bool is_boxed = strcmp(types[i].box, name) == 0;
        if (!is_boxed && strcmp(types[i].name, name) != 0)
            continue;
        if (is_boxed)
            lua_getglobal(L, name);
        read_typed(L, in, &types[i], at);
        if (is_boxed)
            lua_call(L, 1, 1);
        return;
    }
    wrong(L, in, array, "the name of a type first");
}

// Pushes a value.
static void read_value(lua_State *L, const reading *in, ct_sjson_value value) {
    switch (ct_sjson_type_of(in->doc, value)) {
    case CT_SJSON_TYPE_BOOL:
        lua_pushboolean(L, ct_sjson_bool(in->doc, value, false));
        break;
    case CT_SJSON_TYPE_NUMBER:
        lua_pushnumber(L, ct_sjson_number(in->doc, value, 0));
        break;
    case CT_SJSON_TYPE_STRING:
        lua_pushlstring(L, ct_sjson_string(in->doc, value, ""),
                        ct_sjson_string_bytes(in->doc, value));
        break;
    case CT_SJSON_TYPE_ARRAY:
        luaL_checkstack(L, 8, "too many values");
        read_array(L, in, value);
        break;
    default:
        wrong(L, in, value, "a number, string, boolean or array");
    }
}

static void free_document(ct_sjson **doc) {
    ct_sjson_free(*doc);
}

int ct_lua_deserialize(lua_State *L, int argument) {
    const ct_sjson_limits limits = {.max_depth = 2 * MAX_DEPTH};
    ct_error error;
    size_t bytes;
    const char *const text = ct_check_text(L, argument, &bytes);
    CT_CLEANUP(free_document)
    ct_sjson *doc =
        ct_sjson_parse_value(ct_lua_of(L)->allocator, text, bytes, "text", &limits, &error);
    if (!doc)
        return ct_argument_error(L, argument, "line %u, column %u: %s", error.line, error.column,
                                 error.message);
    const reading in = {doc, argument};
    read_value(L, &in, ct_sjson_root(doc));
    return 1;
}
