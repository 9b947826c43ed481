// Values in one line.
#include "lua/debugger/lua_debugger_private.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/string/utf8.h"
#include "lua/lua_array.h"

enum { MAX_SHOWN_MEMBERS = 12 };

// A text that ends where it is full.
typedef struct line {
    char *text;
    uint32_t bytes, length;
} line;

static void add(line *l, const char *format, ...) CT_PRINTF(2, 3);
static void add(line *l, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(l->text + l->length, l->bytes - l->length, format, arguments);
    va_end(arguments);
    l->length += written > 0 ? (uint32_t)written : 0;
    if (l->length >= l->bytes)
        l->length = l->bytes - 1;
}

static void add_number(lua_State *L, int index, line *l) {
    add(l, "%.14g", lua_tonumber(L, index));
}

static void add_string(lua_State *L, int index, line *l) {
    size_t length;
    const char *const text = lua_tolstring(L, index, &length);
    add(l, "\"");
    for (size_t i = 0; i < length && l->length + 8 < l->bytes; ++i) {
        const unsigned char c = (unsigned char)text[i];
        const uint32_t bytes = ct_utf8_length(text + i, length - i);
        if (bytes > 1) { // a character stays whole
            add(l, "%.*s", (int)bytes, text + i);
            i += bytes - 1;
        } else if (c == '\n')
            add(l, "\\n");
        else if (c < ' ')
            add(l, "\\%u", c);
        else if (c == '"' || c == '\\')
            add(l, "\\%c", c);
        else
            add(l, "%c", c);
    }
    add(l, l->length + 8 < l->bytes ? "\"" : "…\"");
}

// --- Engine values -------------------------------------------------------------------------------

static ct_value_kind kind_of_box(lua_State *L, int index) {
    const ct_lua *const m = ct_lua_of(L);
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return CT_VALUE_KIND_NONE;
    const void *const metatable = lua_topointer(L, -1);
    lua_pop(L, 1);
    for (uint32_t kind = 1; kind < CT_VALUE_KIND_COUNT; ++kind) {
        if (m->box_metatables[kind] == metatable)
            return (ct_value_kind)kind;
    }
    return CT_VALUE_KIND_NONE;
}

static uint32_t num_floats(ct_value_kind kind) {
    static const uint8_t counts[CT_VALUE_KIND_COUNT] = {
        [CT_VALUE_KIND_VECTOR2] = 2,    [CT_VALUE_KIND_VECTOR3] = 3,    [CT_VALUE_KIND_VECTOR4] = 4,
        [CT_VALUE_KIND_QUATERNION] = 4, [CT_VALUE_KIND_MATRIX4X4] = 16,
    };
    return kind < CT_VALUE_KIND_COUNT ? counts[kind] : 0;
}

float *ct_debugger_floats(lua_State *L, int index, uint32_t *count, ct_value_kind *kind) {
    *count = 0;
    *kind = CT_VALUE_KIND_NONE;
    if (lua_type(L, index) == LUA_TUSERDATA) {
        const ct_lua_array *const array = ct_lua_array_at(L, index, CT_LUA_ARRAY_KIND_FLOATS);
        if (array) {
            *count = array->count;
            return array->floats;
        }
        *kind = kind_of_box(L, index);
        *count = num_floats(*kind);
        return *count ? lua_touserdata(L, index) : NULL;
    }
    if (lua_type(L, index) != LUA_TLIGHTUSERDATA)
        return NULL;
    const uint64_t value = ct_value_at(L, index);
    const ct_value_kind own = ct_value_kind_of(value);
    if (num_floats(own) == 0)
        return NULL;
    float *const floats = ct_temporary_data(ct_lua_of(L), value);
    *count = floats ? num_floats(own) : 0;
    *kind = own;
    return floats;
}

static void add_floats(line *l, const float *floats, uint32_t count) {
    add(l, "(");
    for (uint32_t i = 0; i < count && l->length + 16 < l->bytes; ++i)
        add(l, "%s%.7g", i > 0 ? ", " : "", (double)floats[i]);
    add(l, ")");
}

// Names of ids, where they are known.
static void add_id(lua_State *L, int index, line *l) {
    const bool is_box = lua_type(L, index) == LUA_TUSERDATA;
    const ct_value_kind kind =
        is_box ? kind_of_box(L, index) : ct_value_kind_of(ct_value_at(L, index));
    const void *const data = is_box ? lua_touserdata(L, index)
                             : kind == CT_VALUE_KIND_ID64
                                 ? ct_temporary_data(ct_lua_of(L), ct_value_at(L, index))
                                 : NULL;
    ct_string_id64 id = {0};
    ct_string_id32 short_id = {(uint32_t)(ct_value_at(L, index) >> CT_VALUE_KIND_BITS)};
    if (data && kind == CT_VALUE_KIND_ID64)
        memcpy(&id.value, data, sizeof(id.value));
    if (data && kind == CT_VALUE_KIND_ID32)
        memcpy(&short_id.value, data, sizeof(short_id.value));
    if (kind == CT_VALUE_KIND_ID64)
        add(l, "(%s)", ct_string_id64_name(id));
    else
        add(l, "(%s)", ct_string_id32_name(short_id));
}

static bool is_id(lua_State *L, int index) {
    const ct_value_kind kind = lua_type(L, index) == LUA_TUSERDATA
                                   ? kind_of_box(L, index)
                                   : ct_value_kind_of(ct_value_at(L, index));
    const bool has_data = lua_type(L, index) == LUA_TUSERDATA || kind == CT_VALUE_KIND_ID32 ||
                          ct_temporary_data(ct_lua_of(L), ct_value_at(L, index));
    return (kind == CT_VALUE_KIND_ID32 || kind == CT_VALUE_KIND_ID64) && has_data;
}

static void add_engine_value(lua_State *L, ct_lua_debugger *d, int index, line *l) {
    uint32_t count;
    ct_value_kind kind;
    const float *const floats = ct_debugger_floats(L, index, &count, &kind);
    if (floats || (lua_type(L, index) == LUA_TUSERDATA &&
                   ct_lua_array_at(L, index, CT_LUA_ARRAY_KIND_FLOATS))) {
        add(l, "%s", ct_value_type_name(L, index));
        add_floats(l, floats, count);
        return;
    }
    if (is_id(L, index)) {
        add(l, "%s", ct_value_type_name(L, index));
        add_id(L, index, l);
        return;
    }
    const int top = lua_gettop(L);
    if (d->desc.values.describe && d->desc.values.describe(d->desc.values.user, L, index) &&
        lua_type(L, -1) == LUA_TSTRING)
        add(l, "%s", lua_tostring(L, -1));
    else
        add(l, "%s", ct_push_value_description(L, index));
    lua_settop(L, top);
}

// --- Lua's values --------------------------------------------------------------------------------

static void add_function(lua_State *L, ct_lua_debugger *d, int index, line *l) {
    lua_Debug at;
    const int top = lua_gettop(L);
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &at);
    const char *const name = ct_debugger_push_function_name(L, d, index);
    add(l, "function");
    if (name)
        add(l, " %s", name);
    if (at.what[0] != 'C' && at.source[0] == '@')
        add(l, " %s:%d", at.source + 1, at.linedefined);
    lua_settop(L, top);
}

static void add_coroutine(lua_State *L, int index, line *l) {
    lua_State *const coroutine = lua_tothread(L, index);
    const int status = lua_status(coroutine);
    lua_Debug at;
    const bool has_frames = lua_getstack(coroutine, 0, &at);
    const bool is_dead =
        (status != 0 && status != LUA_YIELD) || (!has_frames && lua_gettop(coroutine) == 0);
    const bool runs = ct_lua_of(L)->debugger->stopped_coroutine == coroutine;
    add(l, "coroutine (%s)",
        is_dead                              ? "dead"
        : runs                               ? "running"
        : status == LUA_YIELD || !has_frames ? "suspended"
                                             : "normal");
}

static bool is_identifier(const char *text, size_t length) {
    if (length == 0 || isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; ++i) {
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    }
    return true;
}

static void add_short(lua_State *L, ct_lua_debugger *d, int index, line *l);

static void add_key(lua_State *L, ct_lua_debugger *d, int index, line *l) {
    size_t length;
    if (lua_type(L, index) == LUA_TSTRING) {
        const char *const text = lua_tolstring(L, index, &length);
        if (is_identifier(text, length)) {
            add(l, "%s", text);
            return;
        }
    }
    add(l, "[");
    add_short(L, d, index, l);
    add(l, "]");
}

// `{1, 2, a = 3}`: nothing of what is deeper.
static void add_table(lua_State *L, ct_lua_debugger *d, int index, line *l) {
    int shown = 0, in_sequence = 0;
    luaL_checkstack(L, 12, NULL);
    add(l, "{");
    lua_pushnil(L);
    while (lua_next(L, index)) {
        const int key = lua_gettop(L) - 1;
        if (shown++ == MAX_SHOWN_MEMBERS || l->length + 24 > l->bytes) {
            add(l, "%s…", shown > 1 ? ", " : "");
            lua_settop(L, key - 1);
            break;
        }
        if (shown > 1)
            add(l, ", ");
        if (lua_type(L, key) == LUA_TNUMBER && lua_tonumber(L, key) == in_sequence + 1) {
            ++in_sequence;
        } else {
            add_key(L, d, key, l);
            add(l, " = ");
        }
        add_short(L, d, key + 1, l);
        lua_settop(L, key);
    }
    add(l, "}");
}

static void add_value(lua_State *L, ct_lua_debugger *d, int index, line *l) {
    switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TNONE:
        add(l, "nil");
        break;
    case LUA_TBOOLEAN:
        add(l, "%s", lua_toboolean(L, index) ? "true" : "false");
        break;
    case LUA_TNUMBER:
        add_number(L, index, l);
        break;
    case LUA_TSTRING:
        add_string(L, index, l);
        break;
    case LUA_TTABLE:
        add_table(L, d, index, l);
        break;
    case LUA_TFUNCTION:
        add_function(L, d, index, l);
        break;
    case LUA_TTHREAD:
        add_coroutine(L, index, l);
        break;
    case LUA_TLIGHTUSERDATA:
    case LUA_TUSERDATA:
        add_engine_value(L, d, index, l);
        break;
    default:
        add(l, "%s", luaL_typename(L, index));
    }
}

static void add_short(lua_State *L, ct_lua_debugger *d, int index, line *l) {
    char text[80];
    if (lua_type(L, index) == LUA_TTABLE) {
        lua_pushnil(L);
        const bool is_empty = lua_next(L, index) == 0;
        if (!is_empty)
            lua_pop(L, 2);
        add(l, is_empty ? "{}" : "{…}");
        return;
    }
    ct_debugger_write_value(L, d, index, text, sizeof(text));
    add(l, "%s", text);
}

// Makes the text valid in one line, without the part of a character at its end.
static void finish(char *text, uint32_t bytes, char *raw) {
    size_t length = strlen(raw), start = length;
    while (start > 0 && length - start < 4 && ((unsigned char)raw[start - 1] & 0xc0) == 0x80)
        --start;
    if (start > 0 && (unsigned char)raw[start - 1] >= 0xc0 &&
        ct_utf8_length(raw + start - 1, length - start + 1) == 0)
        raw[start - 1] = 0;
    ct_utf8_write_printable(text, bytes, raw);
}

static void write_line(lua_State *L, ct_lua_debugger *d, int index, char *text, uint32_t bytes,
                       void (*put)(lua_State *L, ct_lua_debugger *d, int index, line *l)) {
    char raw[CT_LUA_DEBUGGER_TEXT_BYTES];
    line l = {raw, bytes < sizeof(raw) ? bytes : (uint32_t)sizeof(raw), 0};
    raw[0] = 0;
    luaL_checkstack(L, 16, NULL);
    put(L, d, index, &l);
    finish(text, bytes, raw);
}

void ct_debugger_write_value(lua_State *L, ct_lua_debugger *d, int index, char *text,
                             uint32_t bytes) {
    write_line(L, d, index, text, bytes, add_value);
}

void ct_debugger_write_key(lua_State *L, ct_lua_debugger *d, int index, char *text,
                           uint32_t bytes) {
    write_line(L, d, index, text, bytes, add_key);
}
