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

static const ct_lua_function functions[] = {
    {"location", location, "(string: string, index: integer) -> integer, integer",
     "Returns the first and last byte of the character that contains the byte `index`. Bytes count "
     "from 1."},
    {"lower", lower, "(string: string) -> string",
     "Returns the text in lower case, letter by letter, independent of language."},
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
