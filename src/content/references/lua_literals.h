// lua_literals.h: the string literals of a Lua source, and which of them are keys of texts.
//
// Reads Lua's tokens, not its grammar: text that is no Lua gives what can be made of it.
#pragma once
#include "foundation/types.h"

typedef struct ct_lua_literal {
    const char *text; // escapes resolved, zero-terminated; borrowed for the call
    uint32_t line, column;
    // `..` follows: what is meant starts with it. A literal that follows `..` is not reported.
    bool is_start;
    // The key of `Localizer.lookup(localizer, "key", …)` or `localizer:lookup("key", …)`.
    bool is_key;
} ct_lua_literal;

// Calls `each` for the literals of `bytes` bytes of Lua, in their order.
void ct_lua_literals(ct_allocator *a, const char *lua, uint64_t bytes,
                     void (*each)(void *user, const ct_lua_literal *literal), void *user);
