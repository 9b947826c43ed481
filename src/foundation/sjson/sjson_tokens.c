#include "foundation/sjson/sjson_tokens.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"

enum { SHOWN_BYTES = 60 }; // of a token in an error message

const uint8_t ct_sjson_byte_classes[256] = {
    // clang-format off
    4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    1, 2, 4, 2, 2, 2, 2, 0, 2, 2, 2, 2, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 2, 2, 0, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 6, 0, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 2, 0, 2, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    // clang-format on
};

// Indexed by the numbers of the kinds; the first and last are asserted.
const uint8_t ct_sjson_token_kinds[256] = {
    // clang-format off
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 9, 7, 9, 9, 9, 9, 0, 9, 9, 9, 9, 6, 9, 9, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 5, 9, 9, 5, 9, 9,
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 3, 9, 4, 9, 9,
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 9, 2, 9, 0,
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
    // clang-format on
};
_Static_assert(CT_SJSON_TOKEN_KIND_OPEN_OBJECT == 1 && CT_SJSON_TOKEN_KIND_WORD == 9,
               "the table of kinds follows the enumeration");

static uint8_t class_of(char c) {
    return ct_sjson_byte_class(c);
}

// --- Places and errors ---------------------------------------------------------------------------

void ct_sjson_tokenizer_place(const ct_sjson_tokenizer *t, uint32_t offset, uint32_t *line,
                              uint32_t *column) {
    const char *at = t->text;
    const char *const end = t->text + offset;
    *line = 1;
    for (;;) {
        const char *const line_end = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (!line_end)
            break;
        at = line_end + 1;
        ++*line;
    }
    *column = (uint32_t)(end - at) + 1;
}

void ct_sjson_place_in_lines(const ct_u32_array *line_starts, uint32_t offset, uint32_t *line,
                             uint32_t *column) {
    uint32_t low = 0, high = line_starts->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (line_starts->items[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    *line = low + 1;
    *column = offset - (low ? line_starts->items[low - 1] : 0) + 1;
}

bool ct_sjson_tokenizer_error(const ct_sjson_tokenizer *t, uint32_t offset, ct_error *error,
                              const char *format, ...) {
    if (!error)
        return false;
    char message[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    uint32_t line, column;
    ct_sjson_tokenizer_place(t, offset, &line, &column);
    return ct_error_set_at(error, t->file, line, column, "%s", message);
}

void ct_sjson_token_describe(const ct_sjson_tokenizer *t, ct_sjson_token token, char *out,
                             uint32_t out_bytes) {
    if (token.kind == CT_SJSON_TOKEN_KIND_END) {
        snprintf(out, out_bytes, "the end of the file");
        return;
    }
    const bool is_string =
        token.kind == CT_SJSON_TOKEN_KIND_STRING || token.kind == CT_SJSON_TOKEN_KIND_RAW_STRING;
    const uint32_t begin = token.content;
    const uint32_t bytes = ct_sjson_token_content_end(token) - begin;
    uint32_t shown = bytes < SHOWN_BYTES ? bytes : SHOWN_BYTES;
    // Does not cut in the middle of a character.
    while (shown < bytes && shown > 0 && ((uint8_t)t->text[begin + shown] & 0xc0) == 0x80)
        --shown;
    snprintf(out, out_bytes, "%s\"%.*s%s\"", is_string ? "the string " : "", (int)shown,
             t->text + begin, shown < bytes ? "…" : "");
}

// --- UTF-8 ---------------------------------------------------------------------------------------

// Checks at least the characters from `*at` to `end`, and moves `*at` past the last one.
static bool check_characters(const ct_sjson_tokenizer *t, uint32_t *at, uint32_t end,
                             ct_error *error) {
    while (*at < end) {
        const char *const s = t->text + *at;
        if (*s == 0)
            return ct_sjson_tokenizer_error(t, *at, error, "found a zero byte in the text");
        const uint32_t bytes = ct_utf8_length(s, t->size_bytes - *at);
        if (bytes == 0)
            return ct_sjson_tokenizer_error(
                t, *at, error, "found the byte 0x%02x, which is not valid UTF-8 here", (uint8_t)*s);
        *at += bytes;
    }
    return true;
}

// Checks that the text is UTF-8 without zero bytes, and finds its lines, in blocks of 64 bytes.
static bool check_text(const ct_sjson_tokenizer *t, ct_u32_array *line_starts, ct_error *error) {
    uint32_t checked = 0;
    for (uint32_t at = 0; at < t->size_bytes; at += 64) {
        const uint32_t left = t->size_bytes - at, bytes = left < 64 ? left : 64;
        const ct_sjson_block block = ct_sjson_scan_block(t->text + at, bytes);
        if (block.is_plain)
            checked = at + bytes;
        else if (!check_characters(t, &checked, at + bytes, error))
            return false;
        if (!line_starts || !block.line_ends)
            continue;
        if (line_starts->capacity - line_starts->count < 64)
            ct_array_reserve(line_starts, line_starts->count + 64ull);
        uint32_t *next = line_starts->items + line_starts->count;
        for (uint64_t ends = block.line_ends; ends; ends &= ends - 1)
            *next++ = at + (uint32_t)__builtin_ctzll(ends) + 1;
        line_starts->count = (uint32_t)(next - line_starts->items);
    }
    return true;
}

// --- Tokens --------------------------------------------------------------------------------------

bool ct_sjson_tokenizer_init(ct_sjson_tokenizer *t, const char *text, uint32_t size_bytes,
                             const char *file, ct_u32_array *line_starts, ct_error *error) {
    const uint32_t skipped = ct_utf8_mark_bytes(text, size_bytes);
    // `text` may be NULL when it is empty; no arithmetic on NULL.
    *t = (ct_sjson_tokenizer){
        .text = size_bytes ? text + skipped : "", .file = file, .size_bytes = size_bytes - skipped};
    return check_text(t, line_starts, error);
}

static bool starts_with(const ct_sjson_tokenizer *t, uint32_t at, const char *what) {
    const size_t bytes = strlen(what);
    return t->size_bytes - at >= bytes && memcmp(t->text + at, what, bytes) == 0;
}

static bool is_comment(const ct_sjson_tokenizer *t, uint32_t at) {
    return t->text[at] == '/' && (starts_with(t, at, "//") || starts_with(t, at, "/*"));
}

static bool skip_comment(ct_sjson_tokenizer *t, ct_error *error) {
    const uint32_t begin = t->at;
    const bool is_line = t->text[begin + 1] == '/';
    const char *const rest = t->text + begin + 2;
    const uint32_t rest_bytes = t->size_bytes - begin - 2;
    const char *const end =
        is_line ? memchr(rest, '\n', rest_bytes) : memmem(rest, rest_bytes, "*/", 2);
    if (end)
        t->at = (uint32_t)(end - t->text) + (is_line ? 1 : 2);
    else if (is_line)
        t->at = t->size_bytes;
    else
        return ct_sjson_tokenizer_error(t, begin, error,
                                        "the comment that starts here has no closing \"*/\"");
    return true;
}

static bool skip_blanks(ct_sjson_tokenizer *t, ct_error *error) {
    while (t->at < t->size_bytes) {
        if (class_of(t->text[t->at]) & CT_SJSON_BYTE_BLANK)
            ++t->at;
        else if (!is_comment(t, t->at))
            return true;
        else if (!skip_comment(t, error))
            return false;
    }
    return true;
}

// Reports a control character (or the end of the line) in a string.
static bool control_error(const ct_sjson_tokenizer *t, uint32_t at, ct_error *error) {
    const char c = t->text[at];
    if (c == '\n' || c == '\r')
        return ct_sjson_tokenizer_error(
            t, at, error,
            "expected the closing quote of a string, found the end of the line (write \\n, or use "
            "\"\"\" for a string over several lines)");
    return ct_sjson_tokenizer_error(
        t, at, error, "found the control character 0x%02x in a string; write \\u%04x", c, c);
}

static bool next_string(ct_sjson_tokenizer *t, ct_sjson_token *token, ct_error *error) {
    token->kind = CT_SJSON_TOKEN_KIND_STRING;
    token->num_closing = 1;
    token->content = token->begin + 1;
    const char *const text = t->text;
    uint32_t at = token->content;
    for (;;) {
        at = ct_sjson_scan_string(text, at, t->size_bytes);
        if (at >= t->size_bytes)
            return ct_sjson_tokenizer_error(t, token->begin, error,
                                            "the string that starts here has no closing quote");
        if (text[at] == '"')
            break;
        if (text[at] != '\\')
            return control_error(t, at, error);
        token->has_escapes = true;
        ++at;
        if (at < t->size_bytes && (uint8_t)text[at] >= 0x20)
            ++at; // an escaped character is part of the string; a line end is not
    }
    token->end = t->at = at + 1;
    return true;
}

static bool next_raw_string(ct_sjson_tokenizer *t, ct_sjson_token *token, ct_error *error) {
    token->kind = CT_SJSON_TOKEN_KIND_RAW_STRING;
    token->num_closing = 3;
    uint32_t at = token->begin + 3;
    if (starts_with(t, at, "\r\n"))
        at += 2;
    else if (starts_with(t, at, "\n"))
        at += 1;
    token->content = at;
    const char *const end = memmem(t->text + at, t->size_bytes - at, "\"\"\"", 3);
    if (!end)
        return ct_sjson_tokenizer_error(t, token->begin, error,
                                        "the \"\"\" string that starts here has no closing \"\"\"");
    const uint32_t content_end = (uint32_t)(end - t->text);
    token->end = t->at = content_end + 3;
    for (; at < content_end; ++at) {
        if ((uint8_t)t->text[at] < 0x20 && !(class_of(t->text[at]) & CT_SJSON_BYTE_BLANK))
            return ct_sjson_tokenizer_error(
                t, at, error, "found the control character 0x%02x in a \"\"\" string", t->text[at]);
    }
    return true;
}

static void next_word(ct_sjson_tokenizer *t, ct_sjson_token *token) {
    token->kind = CT_SJSON_TOKEN_KIND_WORD;
    uint32_t at = token->begin;
    while (at < t->size_bytes && (class_of(t->text[at]) & CT_SJSON_BYTE_WORD) && !is_comment(t, at))
        ++at;
    token->end = t->at = at;
}

static bool unknown_byte(const ct_sjson_tokenizer *t, ct_error *error) {
    const char c = t->text[t->at];
    if (c == '\'')
        return ct_sjson_tokenizer_error(t, t->at, error,
                                        "found \"'\"; strings and keys take double quotes");
    return ct_sjson_tokenizer_error(t, t->at, error,
                                    "found the control character 0x%02x between values", c);
}

bool ct_sjson_tokenizer_next_any(ct_sjson_tokenizer *t, ct_sjson_token *token, ct_error *error) {
    if (!skip_blanks(t, error))
        return false;
    *token = (ct_sjson_token){.begin = t->at, .end = t->at, .content = t->at};
    if (t->at == t->size_bytes)
        return true;
    const char c = t->text[t->at];
    if (c == '"') {
        return starts_with(t, t->at, "\"\"\"") ? next_raw_string(t, token, error)
                                               : next_string(t, token, error);
    }
    if (class_of(c) & CT_SJSON_BYTE_WORD) {
        next_word(t, token);
        return true;
    }
    token->kind = ct_sjson_token_kinds[(uint8_t)c];
    if (token->kind == CT_SJSON_TOKEN_KIND_END)
        return unknown_byte(t, error);
    token->end = ++t->at;
    return true;
}

// --- Content -------------------------------------------------------------------------------------

// Returns the value of the four hexadecimal digits at `at`, or -1.
static int32_t hex4(const ct_sjson_tokenizer *t, uint32_t at, uint32_t end) {
    if (end - at < 4)
        return -1;
    int32_t value = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        const char c = t->text[at + i];
        const int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

// Reads the character of the \u escape whose backslash is at `*at`, one or two escapes long, and
// moves `*at` past it.
static bool decode_unicode(const ct_sjson_tokenizer *t, uint32_t *at, uint32_t end, uint32_t *code,
                           ct_error *error) {
    const int32_t first = hex4(t, *at + 2, end);
    if (first < 0)
        return ct_sjson_tokenizer_error(t, *at, error,
                                        "expected four hexadecimal digits after \\u");
    *code = (uint32_t)first;
    if (first >= 0xdc00 && first <= 0xdfff)
        return ct_sjson_tokenizer_error(
            t, *at, error, "\\u%04x is the second half of a surrogate pair without the first",
            (unsigned)first);
    if (first < 0xd800 || first > 0xdbff) {
        *at += 6;
        return true;
    }
    const bool has_second = end - *at >= 12 && starts_with(t, *at + 6, "\\u");
    const int32_t second = has_second ? hex4(t, *at + 8, end) : -1;
    if (second < 0xdc00 || second > 0xdfff)
        return ct_sjson_tokenizer_error(
            t, *at, error, "\\u%04x is the first half of a surrogate pair without the second",
            (unsigned)first);
    *code = 0x10000 + (((uint32_t)first - 0xd800) << 10) + ((uint32_t)second - 0xdc00);
    *at += 12;
    return true;
}

// Reads the escape whose backslash is at `*at` and moves past it.
static bool decode_escape(const ct_sjson_tokenizer *t, uint32_t *at, uint32_t end, uint32_t *code,
                          ct_error *error) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char c = t->text[*at + 1];
    if (c == 'u')
        return decode_unicode(t, at, end, code, error);
    const char *const found = strchr(names, c);
    if (!found) {
        const int bytes = (int)ct_utf8_length(t->text + *at + 1, end - *at - 1);
        return ct_sjson_tokenizer_error(
            t, *at, error,
            "unknown escape \"\\%.*s\"; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r "
            "\\t \\uXXXX",
            bytes, t->text + *at + 1);
    }
    *code = (uint8_t)values[found - names];
    *at += 2;
    return true;
}

bool ct_sjson_token_decode(const ct_sjson_tokenizer *t, ct_sjson_token token, char *out,
                           uint32_t *bytes, ct_error *error) {
    char *const begin = out;
    const uint32_t end = ct_sjson_token_content_end(token);
    for (uint32_t at = token.content; at < end;) {
        const char *const run = t->text + at;
        const char *const escape = token.has_escapes ? memchr(run, '\\', end - at) : NULL;
        const uint32_t plain = escape ? (uint32_t)(escape - run) : end - at;
        memcpy(out, run, plain);
        out += plain;
        at += plain;
        uint32_t code = 0;
        if (escape) {
            if (!decode_escape(t, &at, end, &code, error))
                return false;
            out += ct_utf8_encode(out, code);
        }
    }
    *out = 0;
    *bytes = (uint32_t)(out - begin);
    return true;
}
