#include "content/references/lua_literals.h"

#include <string.h>

#include "content/references/lua_tokens.h"

// The token behind the comma that ends the argument at `i`; the end when no other follows.
static uint32_t next_argument(const ct_lua_tokens *tokens, uint32_t i) {
    int depth = 0;
    for (; i < tokens->tokens.count && depth >= 0; ++i) {
        const ct_lua_token *const t = &tokens->tokens.items[i];
        if (t->kind != CT_LUA_TOKEN_KIND_SIGN)
            continue;
        if (depth == 0 && *t->start == ',')
            return i + 1;
        depth += strchr("([{", *t->start) != NULL;
        depth -= strchr(")]}", *t->start) != NULL;
    }
    return tokens->tokens.count;
}

// Marks the key of the look-up whose `lookup` is token `i`.
static void mark_key(const ct_lua_tokens *tokens, bool *is_key, uint32_t i) {
    uint32_t key = tokens->tokens.count;
    const bool is_call = ct_lua_token_is(tokens, i + 1, "(");
    if (i >= 1 && ct_lua_token_is(tokens, i - 1, ":"))
        key = is_call ? i + 2 : i + 1;
    else if (i >= 2 && ct_lua_token_is(tokens, i - 1, ".") &&
             ct_lua_token_is(tokens, i - 2, "Localizer") && is_call)
        key = next_argument(tokens, i + 2);
    if (key < tokens->tokens.count)
        is_key[key] = true;
}

void ct_lua_literals(ct_allocator *a, const char *lua, uint64_t bytes,
                     void (*each)(void *user, const ct_lua_literal *literal), void *user) {
    ct_lua_tokens tokens;
    ct_lua_tokens_read(&tokens, a, lua, bytes);
    const ct_lua_token *const items = tokens.tokens.items;
    const uint32_t count = tokens.tokens.count;
    bool *const is_key = CT_NEW_ARRAY(a, bool, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_lua_token_is(&tokens, i, "lookup"))
            mark_key(&tokens, is_key, i);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const bool follows_join = i > 0 && items[i - 1].kind == CT_LUA_TOKEN_KIND_JOIN;
        if (items[i].kind != CT_LUA_TOKEN_KIND_STRING || follows_join)
            continue;
        const ct_lua_literal literal = {
            .text = ct_lua_token_text(&tokens, &items[i]),
            .line = items[i].line,
            .column = items[i].column,
            .is_start = i + 1 < count && items[i + 1].kind == CT_LUA_TOKEN_KIND_JOIN,
            .is_key = is_key[i],
        };
        each(user, &literal);
    }
    ct_free(a, is_key);
    ct_lua_tokens_free(&tokens);
}
