#include "content/references/lua_tokens.h"

#include <string.h>

#include "content/move/name_spelling.h"
#include "foundation/string/hex.h"
#include "foundation/string/utf8.h"

typedef struct reader {
    const char *start, *at, *end;
    const char *line_start;
    uint32_t line;
    ct_lua_tokens *out;
} reader;

// --- Tokens --------------------------------------------------------------------------------------

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c & 0x80);
}

static char peek(const reader *r, size_t ahead) {
    return (size_t)(r->end - r->at) > ahead ? r->at[ahead] : '\0';
}

// Steps over one character, counting lines.
static void step(reader *r) {
    if (*r->at++ == '\n') {
        ++r->line;
        r->line_start = r->at;
    }
}

static void add_char(reader *r, char c) {
    ct_array_push(&r->out->texts, (uint8_t)c);
}

// The level of the long bracket that starts here, `[[` 0 and `[==[` 2; -1 when none does.
static int long_bracket(const reader *r) {
    size_t at = 1;
    if (peek(r, 0) != '[')
        return -1;
    while (peek(r, at) == '=')
        ++at;
    return peek(r, at) == '[' ? (int)at - 1 : -1;
}

// Reads a long string of `level`; `keeps`: its text. A line end right behind the bracket is none of
// it. Returns where its content begins; `content_end` is where that ends.
static const char *read_long(reader *r, int level, bool keeps, const char **content_end) {
    r->at += level + 2;
    if (peek(r, 0) == '\r')
        ++r->at;
    if (peek(r, 0) == '\n')
        step(r);
    const char *const content = r->at;
    while (r->at < r->end) {
        size_t equals = 0;
        while (*r->at == ']' && peek(r, 1 + equals) == '=')
            ++equals;
        if (*r->at == ']' && equals == (size_t)level && peek(r, 1 + equals) == ']') {
            *content_end = r->at;
            r->at += level + 2;
            return content;
        }
        if (keeps)
            add_char(r, *r->at);
        step(r);
    }
    *content_end = r->at;
    return content;
}

// Reads `u{1F600}` behind a backslash.
static void read_code_point(reader *r) {
    uint32_t code_point = 0;
    char bytes[4];
    r->at += 2;
    for (; ct_hex_digit(peek(r, 0)) >= 0; ++r->at)
        code_point = (code_point << 4 | (uint32_t)ct_hex_digit(*r->at)) & 0xffffff;
    if (peek(r, 0) == '}')
        ++r->at;
    if (code_point > 0x10ffff || (code_point >= 0xd800 && code_point < 0xe000))
        code_point = 0xfffd;
    const uint32_t count = ct_utf8_encode(bytes, code_point);
    ct_array_push_many(&r->out->texts, (const uint8_t *)bytes, count);
}

static void read_digits(reader *r) {
    uint32_t value = 0;
    for (int i = 0; i < 3 && peek(r, 0) >= '0' && peek(r, 0) <= '9'; ++i)
        value = value * 10 + (uint32_t)(*r->at++ - '0');
    add_char(r, (char)value);
}

// Reads what follows a backslash.
static void read_escape(reader *r) {
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    const char c = peek(r, 0);
    const char *const found = c ? strchr(names, c) : NULL;
    if (found) {
        add_char(r, values[found - names]);
        ++r->at;
    } else if (c >= '0' && c <= '9') {
        read_digits(r);
    } else if (c == 'x' && ct_hex_digit(peek(r, 1)) >= 0 && ct_hex_digit(peek(r, 2)) >= 0) {
        add_char(r, (char)(ct_hex_digit(peek(r, 1)) << 4 | ct_hex_digit(peek(r, 2))));
        r->at += 3;
    } else if (c == 'u' && peek(r, 1) == '{') {
        read_code_point(r);
    } else if (c == 'z') {
        for (r->at++; r->at < r->end && strchr(" \t\r\n\f\v", *r->at) && *r->at;)
            step(r);
    } else if (r->at < r->end) {
        add_char(r, c);
        step(r);
    }
}

// Reads a string in quotes; one that does not end, ends with its line. Results as of read_long.
static const char *read_quoted(reader *r, const char **content_end) {
    const char quote = *r->at++;
    const char *const content = r->at;
    while (r->at < r->end && *r->at != quote && *r->at != '\n') {
        if (*r->at == '\\') {
            ++r->at;
            read_escape(r);
        } else {
            add_char(r, *r->at++);
        }
    }
    *content_end = r->at;
    if (peek(r, 0) == quote)
        ++r->at;
    return content;
}

static void skip_comment(reader *r) {
    const char *content_end;
    r->at += 2;
    const int level = long_bracket(r);
    if (level >= 0) {
        read_long(r, level, false, &content_end);
        return;
    }
    while (r->at < r->end && *r->at != '\n')
        ++r->at;
}

static void read_string(reader *r, int level, ct_lua_token *t) {
    const char *content_end;
    const char *const content =
        level >= 0 ? read_long(r, level, true, &content_end) : read_quoted(r, &content_end);
    t->content = (uint32_t)(content - r->start);
    t->content_end = (uint32_t)(content_end - r->start);
    add_char(r, '\0');
}

static ct_lua_token read_token(reader *r) {
    ct_lua_token t = {.kind = CT_LUA_TOKEN_KIND_SIGN,
                      .start = r->at,
                      .line = r->line,
                      .column = (uint32_t)(r->at - r->line_start) + 1,
                      .text = r->out->texts.count};
    const int level = long_bracket(r);
    if (level >= 0 || *r->at == '"' || *r->at == '\'') {
        t.kind = CT_LUA_TOKEN_KIND_STRING;
        read_string(r, level, &t);
    } else if (is_name(*r->at)) {
        t.kind = CT_LUA_TOKEN_KIND_NAME;
        while (r->at < r->end && is_name(*r->at))
            ++r->at;
    } else if (*r->at == '.' && peek(r, 1) == '.') {
        t.kind = CT_LUA_TOKEN_KIND_JOIN;
        for (r->at += 2; peek(r, 0) == '.';)
            ++r->at;
    } else {
        ++r->at;
    }
    t.bytes = (uint32_t)(r->at - t.start);
    return t;
}

void ct_lua_tokens_read(ct_lua_tokens *tokens, ct_allocator *a, const char *lua, uint64_t bytes) {
    reader r = {
        .start = lua, .at = lua, .end = lua + bytes, .line_start = lua, .line = 1, .out = tokens};
    ct_array_init(&tokens->tokens, a);
    ct_array_init(&tokens->texts, a);
    while (r.at < r.end) {
        if (strchr(" \t\r\n\f\v", *r.at)) // a zero byte too
            step(&r);
        else if (*r.at == '-' && peek(&r, 1) == '-')
            skip_comment(&r);
        else
            ct_array_push(&tokens->tokens, read_token(&r));
    }
}

void ct_lua_tokens_free(ct_lua_tokens *tokens) {
    ct_array_free(&tokens->tokens);
    ct_array_free(&tokens->texts);
}

bool ct_lua_token_is(const ct_lua_tokens *tokens, uint32_t i, const char *text) {
    const ct_lua_token *const t = i < tokens->tokens.count ? &tokens->tokens.items[i] : NULL;
    return t && t->kind != CT_LUA_TOKEN_KIND_STRING && t->bytes == strlen(text) &&
           memcmp(t->start, text, t->bytes) == 0;
}
