#include "content/json_check.h"

#include <string.h>

#include "foundation/sjson/sjson_tokens.h"

static bool ends_value(uint8_t kind) {
    return kind == CT_SJSON_TOKEN_KIND_STRING || kind == CT_SJSON_TOKEN_KIND_WORD ||
           kind == CT_SJSON_TOKEN_KIND_CLOSE_OBJECT || kind == CT_SJSON_TOKEN_KIND_CLOSE_ARRAY;
}

static bool starts_value(uint8_t kind) {
    return kind == CT_SJSON_TOKEN_KIND_STRING || kind == CT_SJSON_TOKEN_KIND_WORD ||
           kind == CT_SJSON_TOKEN_KIND_OPEN_OBJECT || kind == CT_SJSON_TOKEN_KIND_OPEN_ARRAY;
}

// What JSON has in place of the token, which is SJSON after `last`; NULL when it is right.
static const char *expected_for(const ct_sjson_tokenizer *t, ct_sjson_token token,
                                ct_sjson_token last) {
    const uint8_t kind = token.kind;
    if (last.kind == CT_SJSON_TOKEN_KIND_END && kind != CT_SJSON_TOKEN_KIND_OPEN_OBJECT &&
        kind != CT_SJSON_TOKEN_KIND_OPEN_ARRAY)
        return "\"{\" or \"[\"";
    if (kind == CT_SJSON_TOKEN_KIND_RAW_STRING)
        return "a string in single quotation marks";
    if (ends_value(last.kind) && starts_value(kind))
        return "\",\"";
    if (last.kind == CT_SJSON_TOKEN_KIND_COMMA && !starts_value(kind))
        return "a value or key after the \",\"";
    if (kind == CT_SJSON_TOKEN_KIND_ASSIGN && t->text[token.begin] != ':')
        return "\":\"";
    return NULL;
}

bool ct_json_check(const char *text, uint64_t size_bytes, const char *file, ct_error *error) {
    ct_sjson_tokenizer t;
    if (!ct_sjson_tokenizer_init(&t, text, (uint32_t)size_bytes, file, NULL, error))
        return false;
    ct_sjson_token last = {.kind = CT_SJSON_TOKEN_KIND_END}, token;
    do {
        if (!ct_sjson_tokenizer_next(&t, &token, error))
            return false;
        const char *const comment = memchr(t.text + last.end, '/', token.begin - last.end);
        if (comment)
            return ct_sjson_tokenizer_error(&t, (uint32_t)(comment - t.text), error,
                                            "JSON has no comments");
        char found[128];
        const char *const expected = expected_for(&t, token, last);
        if (expected) {
            ct_sjson_token_describe(&t, token, found, sizeof(found));
            return ct_sjson_tokenizer_error(&t, token.begin, error,
                                            "not JSON: expected %s, found %s", expected, found);
        }
        if (token.kind == CT_SJSON_TOKEN_KIND_ASSIGN && last.kind == CT_SJSON_TOKEN_KIND_WORD)
            return ct_sjson_tokenizer_error(&t, last.begin, error,
                                            "not JSON: a key needs quotation marks");
        last = token;
    } while (token.kind != CT_SJSON_TOKEN_KIND_END);
    return true;
}
