#include "foundation/string/utf8.h"
#include "script/api_check.h"

extern const ct_lua_module ct_api_utf8;

static int valid(lua_State *L) {
    size_t bytes;
    const char *const text = ct_check_text(L, 1, &bytes);
    lua_pushboolean(L, ct_utf8_is_valid(text, bytes));
    return 1;
}

// The first and the last byte of the character that holds a byte; a byte of no valid character
// stands for itself.
static int location(lua_State *L) {
    size_t bytes;
    const char *const text = ct_check_text(L, 1, &bytes);
    if (bytes == 0)
        return ct_argument_error(L, 1, "expected a non-empty string");
    const size_t at = (size_t)ct_check_integer(L, 2, 1, (int64_t)bytes) - 1;
    size_t first = at, last = at;
    for (size_t start = at > 3 ? at - 3 : 0; start <= at; ++start) {
        const uint32_t length = ct_utf8_length(text + start, bytes - start);
        if (length > at - start) {
            first = start;
            last = start + length - 1;
            break;
        }
    }
    lua_pushnumber(L, (double)first + 1);
    lua_pushnumber(L, (double)last + 1);
    return 2;
}

// What is no UTF-8 stays as it is.
static int push_mapped(lua_State *L, uint32_t (*map)(uint32_t code_point)) {
    size_t bytes;
    const char *const text = ct_check_text(L, 1, &bytes);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (size_t at = 0; at < bytes;) {
        const uint32_t length = ct_utf8_length(text + at, bytes - at);
        char mapped[4];
        if (length == 0)
            luaL_addchar(&buffer, text[at]);
        else
            luaL_addlstring(&buffer, mapped,
                            ct_utf8_encode(mapped, map(ct_utf8_decode(text + at))));
        at += length == 0 ? 1 : length;
    }
    luaL_pushresult(&buffer);
    return 1;
}

static int lower(lua_State *L) {
    return push_mapped(L, ct_utf8_lower);
}

static int upper(lua_State *L) {
    return push_mapped(L, ct_utf8_upper);
}

// --- Grapheme clusters ---------------------------------------------------------------------------

typedef uint32_t find_cluster(ct_text *t, const char *text, uint32_t num_bytes, uint32_t at);

static int push_cluster(lua_State *L, find_cluster *find) {
    ct_gui_system *const guis = ct_script_of(L)->gui;
    size_t bytes;
    const char *const text = ct_check_text(L, 1, &bytes);
    if (!guis)
        return ct_function_error(L, "this program has no text");
    if (bytes > INT32_MAX)
        return ct_argument_error(L, 1, "expected at most %d bytes", INT32_MAX);
    const uint32_t at = (uint32_t)ct_check_integer(L, 2, 1, (int64_t)bytes + 1) - 1;
    lua_pushnumber(L, find(ct_gui_system_text(guis), text, (uint32_t)bytes, at) + 1.0);
    return 1;
}

static int next_grapheme(lua_State *L) {
    return push_cluster(L, ct_text_next_cluster);
}

static int previous_grapheme(lua_State *L) {
    return push_cluster(L, ct_text_previous_cluster);
}

static const ct_lua_function functions[] = {
    {"location", location, "(string: string, index: integer) -> integer, integer",
     "Returns the first and last byte of the character that contains the byte `index`. Bytes count "
     "from 1."},
    {"lower", lower, "(string: string) -> string",
     "Returns the text in lower case, letter by letter, independent of language."},
    {"next_grapheme", next_grapheme, "(string: string, index: integer) -> integer",
     "Returns the first byte of the next character after the byte `index`, as readers count "
     "characters: a letter with its accents, a flag, an emoji of several parts. #string + 1 after "
     "the last."},
    {"previous_grapheme", previous_grapheme, "(string: string, index: integer) -> integer",
     "Returns the first byte of the last character that starts before the byte `index`, as readers "
     "count characters; 1 before the first. `index` may be #string + 1."},
    {"upper", upper, "(string: string) -> string",
     "Returns the text in upper case, letter by letter, independent of language."},
    {"valid", valid, "(string: string) -> boolean", "Returns whether the text is valid UTF-8."},
};

const ct_lua_module ct_api_utf8 = {
    .name = "Utf8",
    .doc = "Text as UTF-8 characters. Lua's own string functions work on bytes.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
