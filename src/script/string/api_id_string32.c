#include "script/script_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// IdString32: names of fields, nodes and parameters as numbers.

// What `IdString32("name")` calls; the table itself is argument 1.
static int make(lua_State *L) {
    ct_push_id32(L, ct_check_id32(L, 2));
    return 1;
}

static int equal(lua_State *L) {
    lua_pushboolean(L, ct_check_id32(L, 1).value == ct_check_id32(L, 2).value);
    return 1;
}

static int from_hex(lua_State *L) {
    const char *const text = ct_check_string(L, 1);
    const size_t length = strlen(text);
    if (length == 0 || length > 8 || strspn(text, "0123456789abcdefABCDEF") != length)
        return ct_argument_error(L, 1, "expected 1 to 8 hexadecimal digits, got \"%s\"", text);
    ct_push_id32(L, (ct_string_id32){(uint32_t)strtoul(text, NULL, 16)});
    return 1;
}

static int to_hex(lua_State *L) {
    char text[9];
    snprintf(text, sizeof(text), "%08x", (unsigned)ct_check_id32(L, 1).value);
    lua_pushstring(L, text);
    return 1;
}

static int to_string(lua_State *L) {
    lua_pushstring(L, ct_string_id32_name(ct_check_id32(L, 1)));
    return 1;
}

static const ct_lua_function functions[] = {
    {"equal", equal, "(a: IdString32, b: IdString32) -> boolean",
     "Returns whether two ids, or the ids of two strings, are equal."},
    {"from_hex", from_hex, "(s: string) -> IdString32",
     "Returns the id with these hexadecimal digits."},
    {"to_hex", to_hex, "(id: IdString32) -> string", "Returns the id as eight hexadecimal digits."},
    {"to_string", to_string, "(id: IdString32) -> string",
     "Returns the string with this id, or `#` and its hexadecimal digits when the string is "
     "unknown."},
};

const ct_lua_module ct_api_id_string32 = {
    .name = "IdString32",
    .doc = "32-bit hashes of strings (MurmurHash2).",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(s: string) -> IdString32",
};
