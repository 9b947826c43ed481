#include "lua/lua_machine.h"

#include <ctype.h>
#include <string.h>

// What the console runs, and how it shows what comes back.

enum { MAX_SHOWN_MEMBERS = 64, MAX_SHOWN_STRING = 128 };

// Appends what tostring makes of the value at `index`; a metamethod may raise an error.
static void append_as_string(lua_State *L, int index, ct_string_builder *out) {
    lua_getglobal(L, "tostring");
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    size_t length = 0;
    const char *const text = lua_tolstring(L, -1, &length);
    ct_string_builder_add_bytes(out, text ? text : "?", text ? (uint32_t)length : 1);
    lua_pop(L, 1);
}

static void append_quoted(lua_State *L, int index, ct_string_builder *out) {
    size_t length;
    const char *const text = lua_tolstring(L, index, &length);
    ct_string_builder_add_char(out, '"');
    for (size_t i = 0; i < length && i < MAX_SHOWN_STRING; ++i) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            ct_string_builder_add(out, "\\n");
        else if (c < ' ')
            ct_string_builder_addf(out, "\\%u", c);
        else if (c == '"' || c == '\\')
            ct_string_builder_addf(out, "\\%c", c);
        else
            ct_string_builder_add_char(out, (char)c);
    }
    ct_string_builder_add(out, length > MAX_SHOWN_STRING ? "...\"" : "\"");
}

static void append_member(lua_State *L, int index, ct_string_builder *out) {
    if (lua_type(L, index) == LUA_TSTRING)
        append_quoted(L, index, out);
    else if (lua_type(L, index) == LUA_TTABLE && !luaL_getmetafield(L, index, "__tostring"))
        ct_string_builder_add(out, "{...}");
    else
        append_as_string(L, index, out);
}

static bool is_identifier(const char *text) {
    if (!text || (!isalpha((unsigned char)*text) && *text != '_'))
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        ++text;
    return *text == 0;
}

// A key that is not the next one of a sequence.
static void append_key(lua_State *L, int index, ct_string_builder *out) {
    if (lua_type(L, index) == LUA_TSTRING && is_identifier(ct_lua_name_at(L, index))) {
        ct_string_builder_addf(out, "%s = ", lua_tostring(L, index));
        return;
    }
    ct_string_builder_add_char(out, '[');
    append_member(L, index, out);
    ct_string_builder_add(out, "] = ");
}

// `{1, 2, a = 3}`: the sequence first, the rest as Lua walks it, nothing of what is deeper.
static void append_table(lua_State *L, int index, ct_string_builder *out) {
    int shown = 0, in_sequence = 0;
    ct_string_builder_add_char(out, '{');
    lua_pushnil(L);
    while (lua_next(L, index)) {
        const int key = lua_gettop(L) - 1;
        if (shown)
            ct_string_builder_add(out, ", ");
        if (shown++ == MAX_SHOWN_MEMBERS) {
            ct_string_builder_add(out, "...");
            lua_settop(L, key - 1);
            break;
        }
        if (lua_type(L, key) == LUA_TNUMBER && lua_tonumber(L, key) == in_sequence + 1)
            ++in_sequence;
        else
            append_key(L, key, out);
        append_member(L, key + 1, out);
        lua_settop(L, key);
    }
    ct_string_builder_add_char(out, '}');
}

static void append_result(lua_State *L, int index, ct_string_builder *out) {
    if (lua_type(L, index) != LUA_TTABLE) {
        append_as_string(L, index, out);
    } else if (luaL_getmetafield(L, index, "__tostring")) {
        lua_pop(L, 1);
        append_as_string(L, index, out);
    } else {
        append_table(L, index, out);
    }
}

// Loads the text as an expression if it is one, else as statements. The function around the
// expression prevents a tail call, whose line errors would not know.
static void load_console_text(lua_State *L, const char *text, size_t bytes) {
    lua_pushliteral(L, "return (function(...) return ... end)(");
    lua_pushlstring(L, text, bytes);
    lua_pushliteral(L, "\n)");
    lua_concat(L, 3);
    size_t length;
    const char *const expression = lua_tolstring(L, -1, &length);
    if (luaL_loadbufferx(L, expression, length, "=console", "t") == 0)
        return;
    lua_pop(L, 2);
    if (luaL_loadbufferx(L, text, bytes, "=console", "t") == 0)
        return;
    static const char end[] = "'<eof>'"; // what Lua was not to find yet
    const char *const message = lua_tolstring(L, -1, &length);
    ct_lua_of(L)->is_unfinished =
        length >= sizeof(end) - 1 && strcmp(message + length - (sizeof(end) - 1), end) == 0;
    lua_error(L);
}

bool ct_lua_is_unfinished(const ct_lua *s) {
    return s->is_unfinished;
}

typedef struct console_text {
    const char *lua;
    size_t bytes;
    ct_string_builder *out;
} console_text;

static int execute(lua_State *L) {
    const console_text *const text = ct_lua_run_data(L);
    ct_string_builder *const out = text->out;
    load_console_text(L, text->lua, text->bytes);
    const int first = lua_gettop(L);
    lua_call(L, 0, LUA_MULTRET);
    const int count = lua_gettop(L) - first + 1;
    luaL_checkstack(L, 16, NULL);
    for (int i = 0; i < count; ++i) {
        if (i > 0)
            ct_string_builder_add_char(out, '\t');
        append_result(L, first + i, out);
    }
    return 0;
}

bool ct_lua_execute(ct_lua *s, const char *lua, ct_string_builder *result,
                    ct_string_builder *traceback) {
    return ct_lua_execute_bytes(s, lua, strlen(lua), result, traceback);
}

bool ct_lua_execute_bytes(ct_lua *s, const char *lua, uint32_t bytes, ct_string_builder *result,
                          ct_string_builder *traceback) {
    const uint32_t num_temporaries = s->num_temporaries;
    ct_string_builder shown;
    ct_string_builder_init(&shown, s->allocator);
    s->is_unfinished = false;
    console_text text = {lua, bytes, &shown};
    s->memory.is_console_call = true;
    const bool has_run = ct_lua_run(s, execute, &text);
    s->memory.is_console_call = false;
    const ct_string_builder *const told = has_run ? &shown : &s->error_message;
    if (result)
        ct_string_builder_add_bytes(result, ct_string_builder_text(told), told->length);
    if (!has_run && traceback)
        ct_string_builder_add(traceback, ct_string_builder_text(&s->error_traceback));
    ct_string_builder_free(&shown);
    // The console may ask often between two frames.
    s->num_temporaries =
        num_temporaries < s->num_temporaries ? num_temporaries : s->num_temporaries;
    return has_run;
}
