#include "cli/lua_literals.h"

#include <string.h>

#include "foundation/array.h"
#include "foundation/string_builder.h"
#include "foundation/utf8.h"

typedef enum token_kind {
    TOKEN_NAME, // a number too
    TOKEN_STRING,
    TOKEN_SIGN, // one character
    TOKEN_JOIN, // `..`
} token_kind;

typedef struct token {
    token_kind kind;
    const char *start; // in the source
    uint32_t bytes;
    uint32_t line, column;
    uint32_t text; // STRING: offset in the texts
    bool is_key;
} token;

typedef struct reader {
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    CT_ARRAY(token) tokens;
    ct_byte_array texts; // of strings, zero-terminated
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
        r->line++;
        r->line_start = r->at;
    }
}

static void add_char(reader *r, char c) {
    ct_array_push(&r->texts, (uint8_t)c);
}

// The level of the long bracket that starts here, `[[` 0 and `[==[` 2; -1 when none does.
static int long_bracket(const reader *r) {
    size_t at = 1;
    if (peek(r, 0) != '[')
        return -1;
    while (peek(r, at) == '=')
        at++;
    return peek(r, at) == '[' ? (int)at - 1 : -1;
}

// Reads a long string of `level`; `keeps`: its text. A line end right behind the bracket is none of
// it.
static void read_long(reader *r, int level, bool keeps) {
    r->at += level + 2;
    if (peek(r, 0) == '\r')
        r->at++;
    if (peek(r, 0) == '\n')
        step(r);
    while (r->at < r->end) {
        size_t equals = 0;
        while (*r->at == ']' && peek(r, 1 + equals) == '=')
            equals++;
        if (*r->at == ']' && equals == (size_t)level && peek(r, 1 + equals) == ']') {
            r->at += level + 2;
            return;
        }
        if (keeps)
            add_char(r, *r->at);
        step(r);
    }
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads `u{1F600}` behind a backslash.
static void read_code_point(reader *r) {
    uint32_t code_point = 0;
    char bytes[4];
    r->at += 2;
    for (; hex_value(peek(r, 0)) >= 0; r->at++)
        code_point = (code_point << 4 | (uint32_t)hex_value(*r->at)) & 0xffffff;
    if (peek(r, 0) == '}')
        r->at++;
    if (code_point > 0x10ffff || (code_point >= 0xd800 && code_point < 0xe000))
        code_point = 0xfffd;
    const uint32_t count = ct_utf8_encode(bytes, code_point);
    ct_array_push_many(&r->texts, (const uint8_t *)bytes, count);
}

static void read_digits(reader *r) {
    uint32_t value = 0;
    for (int i = 0; i < 3 && peek(r, 0) >= '0' && peek(r, 0) <= '9'; i++)
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
        r->at++;
    } else if (c >= '0' && c <= '9') {
        read_digits(r);
    } else if (c == 'x' && hex_value(peek(r, 1)) >= 0 && hex_value(peek(r, 2)) >= 0) {
        add_char(r, (char)(hex_value(peek(r, 1)) << 4 | hex_value(peek(r, 2))));
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

// Reads a string in quotes; one that does not end, ends with its line.
static void read_quoted(reader *r) {
    const char quote = *r->at++;
    while (r->at < r->end && *r->at != quote && *r->at != '\n') {
        if (*r->at == '\\') {
            r->at++;
            read_escape(r);
        } else {
            add_char(r, *r->at++);
        }
    }
    if (peek(r, 0) == quote)
        r->at++;
}

static void skip_comment(reader *r) {
    r->at += 2;
    const int level = long_bracket(r);
    if (level >= 0) {
        read_long(r, level, false);
        return;
    }
    while (r->at < r->end && *r->at != '\n')
        r->at++;
}

static token read_token(reader *r) {
    token t = {.kind = TOKEN_SIGN,
               .start = r->at,
               .line = r->line,
               .column = (uint32_t)(r->at - r->line_start) + 1,
               .text = r->texts.count};
    const int level = long_bracket(r);
    if (level >= 0 || *r->at == '"' || *r->at == '\'') {
        t.kind = TOKEN_STRING;
        if (level >= 0)
            read_long(r, level, true);
        else
            read_quoted(r);
        add_char(r, '\0');
    } else if (is_name(*r->at)) {
        t.kind = TOKEN_NAME;
        while (r->at < r->end && is_name(*r->at))
            r->at++;
    } else if (*r->at == '.' && peek(r, 1) == '.') {
        t.kind = TOKEN_JOIN;
        for (r->at += 2; peek(r, 0) == '.';)
            r->at++;
    } else {
        r->at++;
    }
    t.bytes = (uint32_t)(r->at - t.start);
    return t;
}

static void read_tokens(reader *r) {
    while (r->at < r->end) {
        if (strchr(" \t\r\n\f\v", *r->at)) // a zero byte too
            step(r);
        else if (*r->at == '-' && peek(r, 1) == '-')
            skip_comment(r);
        else
            ct_array_push(&r->tokens, read_token(r));
    }
}

// --- Calls ---------------------------------------------------------------------------------------

static bool is_token(const reader *r, uint32_t i, const char *text) {
    return i < r->tokens.count && r->tokens.items[i].kind != TOKEN_STRING &&
           r->tokens.items[i].bytes == strlen(text) &&
           memcmp(r->tokens.items[i].start, text, strlen(text)) == 0;
}

// The token behind the comma that ends the argument at `i`; the end when no other follows.
static uint32_t next_argument(const reader *r, uint32_t i) {
    int depth = 0;
    for (; i < r->tokens.count && depth >= 0; i++) {
        const token *const t = &r->tokens.items[i];
        if (t->kind != TOKEN_SIGN)
            continue;
        if (depth == 0 && *t->start == ',')
            return i + 1;
        depth += strchr("([{", *t->start) != NULL;
        depth -= strchr(")]}", *t->start) != NULL;
    }
    return r->tokens.count;
}

// Marks the key of the look-up whose `lookup` is token `i`.
static void mark_key(reader *r, uint32_t i) {
    uint32_t key = r->tokens.count;
    const bool is_method = i >= 1 && is_token(r, i - 1, ":");
    if (is_method)
        key = is_token(r, i + 1, "(") ? i + 2 : i + 1;
    else if (i >= 2 && is_token(r, i - 1, ".") && is_token(r, i - 2, "Localizer") &&
             is_token(r, i + 1, "("))
        key = next_argument(r, i + 2);
    if (key < r->tokens.count && r->tokens.items[key].kind == TOKEN_STRING)
        r->tokens.items[key].is_key = true;
}

void ct_lua_literals(ct_allocator *a, const char *lua, uint64_t bytes,
                     void (*each)(void *user, const ct_lua_literal *literal), void *user) {
    reader r = {.at = lua, .end = lua + bytes, .line_start = lua, .line = 1};
    ct_array_init(&r.tokens, a);
    ct_array_init(&r.texts, a);
    read_tokens(&r);
    for (uint32_t i = 0; i < r.tokens.count; i++) {
        if (is_token(&r, i, "lookup"))
            mark_key(&r, i);
    }
    for (uint32_t i = 0; i < r.tokens.count; i++) {
        const token *const t = &r.tokens.items[i];
        const bool follows_join = i > 0 && r.tokens.items[i - 1].kind == TOKEN_JOIN;
        if (t->kind != TOKEN_STRING || follows_join)
            continue;
        const ct_lua_literal literal = {
            .text = (const char *)r.texts.items + t->text,
            .line = t->line,
            .column = t->column,
            .is_start = i + 1 < r.tokens.count && r.tokens.items[i + 1].kind == TOKEN_JOIN,
            .is_key = t->is_key,
        };
        each(user, &literal);
    }
    ct_array_free(&r.tokens);
    ct_array_free(&r.texts);
}
