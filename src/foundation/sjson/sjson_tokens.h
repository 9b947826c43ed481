// sjson_tokens.h: splits SJSON text into tokens.
//
// The readers build on it: ct_sjson_parse makes its tape from these tokens, and a reader that must
// keep comments and formatting finds them between the end of one token and the begin of the next.
// Offsets are bytes from the start of the text, without a byte order mark. Nothing is allocated.
#pragma once
#include "foundation/container/array.h"
#include "foundation/sjson/sjson_scan.h"

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

// Sixteen bytes, so that it fits in two registers.
typedef struct ct_sjson_token {
    uint8_t kind;        // ct_sjson_token_kind
    bool has_escapes;    // strings: decoding changes the content
    uint8_t num_closing; // strings: the quotes at the end
    uint32_t begin, end; // the token with its quotes
    uint32_t content;    // where the text between the quotes begins; it ends before the last ones
} ct_sjson_token;

// Returns the offset where the content of a token ends, before its closing quotes.
static inline uint32_t ct_sjson_token_content_end(ct_sjson_token token) {
    return token.end - token.num_closing;
}

// Borrows text and file from its caller.
typedef struct ct_sjson_tokenizer {
    const char *text; // after a byte order mark
    const char *file; // for errors
    uint32_t size_bytes;
    uint32_t at; // the next byte to look at
} ct_sjson_tokenizer;

// Starts at the beginning of `text`, which must be shorter than 4 GiB. Returns false with `error`
// when the text is not UTF-8 or contains a zero byte, so later reads meet neither. Appends the
// offsets of the second and later lines to `line_starts` (NULL is fine).
bool ct_sjson_tokenizer_init(ct_sjson_tokenizer *t, const char *text, uint32_t size_bytes,
                             const char *file, ct_u32_array *line_starts, ct_error *error);

// Reads the next token; at the end, returns END and then again on every call. Returns false with
// `error` for an invalid token: a string or comment that does not end, a control character.
__attribute__((always_inline)) static inline bool
ct_sjson_tokenizer_next(ct_sjson_tokenizer *t, ct_sjson_token *token, ct_error *error);

// Writes the content of a string or word to `out` (with room for its source bytes plus one), with
// escapes resolved, and a zero byte after it; `bytes` does not count that byte. Returns false with
// `error` for an invalid escape.
bool ct_sjson_token_decode(const ct_sjson_tokenizer *t, ct_sjson_token token, char *out,
                           uint32_t *bytes, ct_error *error);

// Writes the token as errors name it (`"}"`, `the string "abc"`, `the end of the file`), shortened
// if long, to `out` of `out_bytes`.
void ct_sjson_token_describe(const ct_sjson_tokenizer *t, ct_sjson_token token, char *out,
                             uint32_t out_bytes);

// Sets the line and column, starting at 1, of the byte at `offset`.
void ct_sjson_tokenizer_place(const ct_sjson_tokenizer *t, uint32_t offset, uint32_t *line,
                              uint32_t *column);

// Finds them with the array that ct_sjson_tokenizer_init filled, without the text. Logarithmic.
void ct_sjson_place_in_lines(const ct_u32_array *line_starts, uint32_t offset, uint32_t *line,
                             uint32_t *column);

// Fills `error` (NULL is fine) with a message at `offset`. Returns false.
bool ct_sjson_tokenizer_error(const ct_sjson_tokenizer *t, uint32_t offset, ct_error *error,
                              const char *format, ...) CT_PRINTF(4, 5);

// --- Behind ct_sjson_tokenizer_next --------------------------------------------------------------

// The kind of token that starts with each byte; END for "/" and for bytes that start none.
extern const uint8_t ct_sjson_token_kinds[256];

// Reads any token, including those that the inline part leaves: comments, escapes, raw strings, the
// end, errors.
bool ct_sjson_tokenizer_next_any(ct_sjson_tokenizer *t, ct_sjson_token *token, ct_error *error);

// Calls ct_sjson_tokenizer_next_any so that `token` can stay in registers.
static inline bool ct_sjson_tokenizer_next_rest(ct_sjson_tokenizer *t, ct_sjson_token *token,
                                                ct_error *error) {
    ct_sjson_token any; // its address is taken, so the address of `token` need not be
    const bool ok = ct_sjson_tokenizer_next_any(t, &any, error);
    *token = any;
    return ok;
}

// Most of a text is blanks, punctuation, words, and strings without escapes. They are read here,
// where the compiler sees them together with the reader.
__attribute__((always_inline)) static inline bool
ct_sjson_tokenizer_next(ct_sjson_tokenizer *t, ct_sjson_token *token, ct_error *error) {
    const char *const text = t->text;
    const uint32_t end = t->size_bytes;
    uint32_t at = t->at;
    if (at < end && ct_sjson_is_blank(text[at])) {
        ++at;
        if (at < end && ct_sjson_is_blank(text[at]))
            at = ct_sjson_scan_blanks(text, at + 1, end);
    }
    t->at = at;
    if (at == end)
        return ct_sjson_tokenizer_next_rest(t, token, error);
    const uint8_t kind = ct_sjson_token_kinds[(uint8_t)text[at]];
    uint32_t stop = at + 1, num_quotes = 0;
    if (kind == CT_SJSON_TOKEN_KIND_WORD) {
        stop = ct_sjson_scan_word(text, stop, end);
        if (stop < end && text[stop] == '/')
            return ct_sjson_tokenizer_next_rest(t, token, error);
    } else if (kind == CT_SJSON_TOKEN_KIND_STRING) {
        stop = ct_sjson_scan_string(text, stop, end);
        // Two quotes are an empty string or the start of a raw one.
        if (stop == end || text[stop] != '"' || stop == at + 1)
            return ct_sjson_tokenizer_next_rest(t, token, error);
        num_quotes = 1;
        ++stop;
    } else if (kind == CT_SJSON_TOKEN_KIND_END) {
        return ct_sjson_tokenizer_next_rest(t, token, error);
    }
    token->kind = kind;
    token->has_escapes = false;
    token->num_closing = (uint8_t)num_quotes;
    token->begin = at;
    token->end = stop;
    token->content = at + num_quotes;
    t->at = stop;
    return true;
}
