// lua_tokens.h: the tokens of Lua text, for tools that look for a few things in it.
//
// No grammar: text that is no Lua gives what can be made of it, and nothing fails. An array of
// tokens in the order of the text, and the contents of strings one after the other.
#pragma once
#include "foundation/container/array.h"

typedef enum ct_lua_token_kind {
    CT_LUA_TOKEN_KIND_NAME, // a number too
    CT_LUA_TOKEN_KIND_STRING,
    CT_LUA_TOKEN_KIND_SIGN, // one character
    CT_LUA_TOKEN_KIND_JOIN, // `..`
} ct_lua_token_kind;

typedef struct ct_lua_token {
    uint32_t kind;     // ct_lua_token_kind
    uint32_t bytes;    // in the text
    const char *start; // in the text
    uint32_t line, column;
    uint32_t text;                 // STRING: offset of what it says in the texts
    uint32_t content, content_end; // STRING: offsets in the text of what is between its quotes
} ct_lua_token;

typedef struct ct_lua_tokens {
    CT_ARRAY(ct_lua_token) tokens;
    ct_byte_array texts; // of strings, escapes resolved, each followed by a zero byte
} ct_lua_tokens;

// Reads `bytes` bytes (less than 4 GiB) of Lua. The text must outlive the tokens, whose memory
// comes from `a`.
void ct_lua_tokens_read(ct_lua_tokens *tokens, ct_allocator *a, const char *lua, uint64_t bytes);
void ct_lua_tokens_free(ct_lua_tokens *tokens);

// True when token `i` is there and is `text`, no string.
bool ct_lua_token_is(const ct_lua_tokens *tokens, uint32_t i, const char *text);

// What the string `token` says.
static inline const char *ct_lua_token_text(const ct_lua_tokens *tokens,
                                            const ct_lua_token *token) {
    return (const char *)tokens->texts.items + token->text;
}
