#include "lua/lua_signature.h"

#include <ctype.h>
#include <string.h>

#include "foundation/error.h"

typedef struct reader {
    const char *text, *at;
    ct_error *error;
} reader;

static bool fail(reader *r, const char *expected) {
    return ct_error_set(r->error, "column %u: expected %s, found \"%.16s\"",
                        (unsigned)(r->at - r->text) + 1, expected, r->at);
}

static void skip_blanks(reader *r) {
    while (*r->at == ' ')
        ++r->at;
}

static bool is_next(reader *r, const char *token) {
    skip_blanks(r);
    if (strncmp(r->at, token, strlen(token)) != 0)
        return false;
    r->at += strlen(token);
    return true;
}

static bool is_word_char(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// Appends the word at hand to `text` of `bytes`.
static bool read_word(reader *r, char *text, size_t bytes, const char *expected) {
    skip_blanks(r);
    size_t length = strlen(text), count = 0;
    while (is_word_char(r->at[count]))
        ++count;
    if (count == 0 || length + count + 1 > bytes)
        return fail(r, expected);
    memcpy(text + length, r->at, count);
    text[length + count] = '\0';
    r->at += count;
    return true;
}

static bool append(reader *r, char *text, size_t bytes, const char *piece) {
    if (strlen(text) + strlen(piece) + 1 > bytes)
        return fail(r, "a shorter type");
    strcat(text, piece);
    return true;
}

// What kind of resource a string names, behind `string(`.
static bool read_resource(reader *r, ct_signature_part *part) {
    return read_word(r, part->resource, sizeof(part->resource), "a resource type") &&
           (is_next(r, ")") || fail(r, "\")\""));
}

// One name, with `[]` or, for a string, the type of a resource behind it or not.
static bool read_type_name(reader *r, ct_signature_part *part) {
    const size_t start = strlen(part->type);
    if (!read_word(r, part->type, sizeof(part->type), "a type"))
        return false;
    if (strcmp(part->type + start, "string") == 0 && *r->at == '(') {
        ++r->at;
        return read_resource(r, part);
    }
    return !is_next(r, "[]") || append(r, part->type, sizeof(part->type), "[]");
}

static bool read_alternatives(reader *r, ct_signature_part *part) {
    do {
        if (!read_type_name(r, part))
            return false;
        const bool has_more = is_next(r, ",");
        if (!append(r, part->type, sizeof(part->type), has_more ? "," : ")"))
            return false;
        if (!has_more)
            return is_next(r, ")") || fail(r, "\")\"");
    } while (true);
}

static bool read_type(reader *r, ct_signature_part *part) {
    if (!read_type_name(r, part))
        return false;
    if (strcmp(part->type, "any") == 0 && *r->at == '(') {
        ++r->at;
        if (!append(r, part->type, sizeof(part->type), "(") || !read_alternatives(r, part))
            return false;
    }
    if (*r->at == '?' || *r->at == '*' || *r->at == '+')
        part->mark = *r->at++;
    return true;
}

static bool read_arguments(reader *r, ct_signature *s) {
    if (!is_next(r, "("))
        return fail(r, "\"(\"");
    if (is_next(r, ")"))
        return true;
    do {
        if (s->num_arguments == CT_SIGNATURE_MAX_PARTS)
            return fail(r, "fewer arguments");
        ct_signature_part *const part = &s->arguments[s->num_arguments++];
        if (!read_word(r, part->name, sizeof(part->name), "an argument's name"))
            return false;
        if (!is_next(r, ":"))
            return fail(r, "\":\"");
        if (!read_type(r, part))
            return false;
    } while (is_next(r, ","));
    return is_next(r, ")") || fail(r, "\",\" or \")\"");
}

static bool read_results(reader *r, ct_signature *s) {
    if (!is_next(r, "->"))
        return fail(r, "\"->\"");
    do {
        if (s->num_results == CT_SIGNATURE_MAX_PARTS)
            return fail(r, "fewer results");
        if (!read_type(r, &s->results[s->num_results++]))
            return false;
    } while (is_next(r, ","));
    if (s->num_results == 1 && strcmp(s->results[0].type, "nil") == 0)
        s->num_results = 0;
    skip_blanks(r);
    return *r->at == '\0' || fail(r, "the end");
}

bool ct_signature_parse(const char *text, ct_signature *signature, ct_error *error) {
    memset(signature, 0, sizeof(*signature));
    reader r = {text, text, error};
    return read_arguments(&r, signature) && read_results(&r, signature);
}

bool ct_signature_next_type(const char **at, char name[CT_SIGNATURE_NAME_BYTES], bool *is_array) {
    if (strncmp(*at, "any(", 4) == 0)
        *at += 4;
    size_t length = 0;
    while (is_word_char((*at)[length]))
        ++length;
    if (length == 0 || length >= CT_SIGNATURE_NAME_BYTES)
        return false;
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length;
    *is_array = strncmp(*at, "[]", 2) == 0;
    *at += *is_array ? 2 : 0;
    *at += **at == ',' || **at == ')' ? 1 : 0;
    return true;
}
