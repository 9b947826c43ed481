// sjson_tokens.h: the smallest parts of SJSON text, one after the other.
//
// Below the readers: ct_sjson_parse makes its tape from these tokens, and a reader that must keep
// comments and formatting finds them between one token's end and the next one's begin. Offsets are
// bytes from the start of the text, a byte order mark not counted. Nothing is allocated.
#pragma once
#include "foundation/types.h"

typedef enum ct_sjson_token_kind {
    CT_SJSON_TOKEN_KIND_END, // the end of the text
    CT_SJSON_TOKEN_KIND_OPEN_OBJECT,
    CT_SJSON_TOKEN_KIND_CLOSE_OBJECT,
    CT_SJSON_TOKEN_KIND_OPEN_ARRAY,
    CT_SJSON_TOKEN_KIND_CLOSE_ARRAY,
    CT_SJSON_TOKEN_KIND_ASSIGN, // `=` or `:`
    CT_SJSON_TOKEN_KIND_COMMA,
    CT_SJSON_TOKEN_KIND_STRING,     // in quotes, with escapes
    CT_SJSON_TOKEN_KIND_RAW_STRING, // in three quotes
    CT_SJSON_TOKEN_KIND_WORD,       // a key without quotes, a number, true, false or null
} ct_sjson_token_kind;

typedef struct ct_sjson_token {
    ct_sjson_token_kind kind;
    uint32_t begin, end;                 // the token with its quotes
    uint32_t content_begin, content_end; // strings: what stands between the quotes
    bool has_escapes;                    // strings: decoding changes the content
} ct_sjson_token;

// Borrows text and file from its caller.
typedef struct ct_sjson_tokenizer {
    const char *text; // after a byte order mark
    const char *file; // for errors
    uint32_t size_bytes;
    uint32_t at; // the next byte to look at
} ct_sjson_tokenizer;

// Starts at the beginning of `text`, of less than 4 GiB. Returns false with `error` when the text
// is not UTF-8 or holds a zero byte; so what follows never meets either.
bool ct_sjson_tokenizer_init(ct_sjson_tokenizer *t, const char *text, uint32_t size_bytes,
                             const char *file, ct_error *error);

// Reads the next token, END once and for ever at the end. Returns false with `error` for what is no
// token: a string or comment that does not end, a control character.
bool ct_sjson_tokenizer_next(ct_sjson_tokenizer *t, ct_sjson_token *token, ct_error *error);

// Writes the content of a string or word to `out` (room for its source bytes and one more), escapes
// resolved, and a zero byte after it; `bytes` is set without that one. Returns false with `error`
// for a wrong escape.
bool ct_sjson_token_decode(const ct_sjson_tokenizer *t, const ct_sjson_token *token, char *out,
                           uint32_t *bytes, ct_error *error);

// Writes the token as errors name it (`"}"`, `the string "abc"`, `the end of the file`), shortened
// when long, to `out` of `out_bytes`.
void ct_sjson_token_describe(const ct_sjson_tokenizer *t, const ct_sjson_token *token, char *out,
                             uint32_t out_bytes);

// The length of the UTF-8 character at `s`, of which `left` bytes (at least 1) are there; 0 when it
// is none: overlong forms, surrogates and what lies past U+10FFFF included.
uint32_t ct_sjson_character_bytes(const char *s, uint64_t left);

// Line and column, counting from 1, of the byte at `offset`.
void ct_sjson_tokenizer_place(const ct_sjson_tokenizer *t, uint32_t offset, uint32_t *line,
                              uint32_t *column);

// Fills `error` (NULL is fine) with a message at `offset`. Returns false.
bool ct_sjson_tokenizer_error(const ct_sjson_tokenizer *t, uint32_t offset, ct_error *error,
                              const char *format, ...) CT_PRINTF(4, 5);
