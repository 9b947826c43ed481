#include "script/script_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// IdString64: names of resources and types as numbers.

// What `IdString64("name")` calls; the table itself is argument 1.
static int make(lua_State *L) {
    ct_push_id64(L, ct_check_id64(L, 2));
    return 1;
}

static int equal(lua_State *L) {
    lua_pushboolean(L, ct_check_id64(L, 1).value == ct_check_id64(L, 2).value);
    return 1;
}

static int from_hex(lua_State *L) {
    const char *const text = ct_check_string(L, 1);
    const size_t length = strlen(text);
    if (length == 0 || length > 16 || strspn(text, "0123456789abcdefABCDEF") != length)
        return ct_argument_error(L, 1, "expected 1 to 16 hexadecimal digits, got \"%s\"", text);
    ct_push_id64(L, (ct_string_id64){strtoull(text, NULL, 16)});
    return 1;
}

static int to_hex(lua_State *L) {
    char text[17];
    snprintf(text, sizeof(text), "%016llx", (unsigned long long)ct_check_id64(L, 1).value);
    lua_pushstring(L, text);
    return 1;
}

static int to_string(lua_State *L) {
    const ct_string_id64 id = ct_check_id64(L, 1);
    lua_pushstring(L, ct_string_id64_name(id));
    return 1;
}

static const ct_lua_function functions[] = {
    {"equal", equal, "(a: IdString64, b: IdString64) -> boolean",
     "Returns whether two ids, or the ids of two strings, are equal."},
    {"from_hex", from_hex, "(s: string) -> IdString64",
     "Returns the id with these hexadecimal digits."},
    {"to_hex", to_hex, "(id: IdString64) -> string",
     "Returns the id as sixteen hexadecimal digits."},
    {"to_string", to_string, "(id: IdString64) -> string",
     "Returns the name of the resource or type with this id, or `#` and its hexadecimal digits "
     "when it is unknown."},
};

const ct_lua_module ct_api_id_string64 = {
    .name = "IdString64",
    .doc = "64-bit hashes of strings (MurmurHash64A).",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(s: string) -> IdString64",
};
