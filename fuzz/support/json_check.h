// json_check.h: sees that what the engine sends to tools is JSON. Include once in a program.
#pragma once
#include <string.h>

#include "foundation/error.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/utf8.h"

// A strict reader of JSON: sees that `at` begins with a value, and passes it.
static bool pass_value(const char **at);

static void pass_blanks(const char **at) {
    *at += strspn(*at, " \t\r\n");
}

static bool pass_string(const char **at) {
    const char *s = *at;
    if (*s++ != '"')
        return false;
    while (*s != '"') {
        const uint32_t bytes = (uint8_t)*s < 0x20 ? 0 : ct_utf8_length(s, strnlen(s, 4));
        const bool is_escape = *s == '\\';
        s += bytes;
        if (bytes == 0 || (is_escape && (*s == '\0' || !strchr("\"\\/bfnrtu", *s))))
            return false;
        if (is_escape && *s == 'u' && strspn(s + 1, "0123456789abcdefABCDEF") < 4)
            return false;
        s += is_escape;
    }
    *at = s + 1;
    return true;
}

static bool pass_digits(const char **at) {
    const size_t count = strspn(*at, "0123456789");
    *at += count;
    return count > 0;
}

static bool pass_number(const char **at) {
    *at += **at == '-';
    const bool is_zero = **at == '0';
    const char *const first = *at;
    if (!pass_digits(at) || (is_zero && *at - first > 1))
        return false;
    if (**at == '.' && (++*at, !pass_digits(at)))
        return false;
    if (**at != 'e' && **at != 'E')
        return true;
    ++*at;
    *at += **at == '-' || **at == '+';
    return pass_digits(at);
}

// Of an array, or of an object, whose members have keys.
static bool pass_items(const char **at, char end, bool has_keys) {
    ++*at;
    pass_blanks(at);
    for (bool is_first = true; **at != end; is_first = false) {
        if (!is_first && *(*at)++ != ',')
            return false;
        pass_blanks(at);
        if (has_keys && !pass_string(at))
            return false;
        pass_blanks(at);
        if (has_keys && *(*at)++ != ':')
            return false;
        if (!pass_value(at))
            return false;
    }
    ++*at;
    return true;
}

static bool pass_word(const char **at) {
    static const char *const words[] = {"null", "true", "false"};
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        const size_t bytes = strlen(words[i]);
        if (strncmp(*at, words[i], bytes) == 0) {
            *at += bytes;
            return true;
        }
    }
    return false;
}

static bool pass_value(const char **at) {
    pass_blanks(at);
    const char first = **at;
    const bool is_good = first == '{'   ? pass_items(at, '}', true)
                         : first == '[' ? pass_items(at, ']', false)
                         : first == '"' ? pass_string(at)
                         : first == '-' || (first >= '0' && first <= '9') ? pass_number(at)
                                                                          : pass_word(at);
    pass_blanks(at);
    return is_good;
}

// Asserts that a text is one JSON object.
static void check_answer(const ct_string_builder *answer) {
    const char *const text = ct_string_builder_text(answer), *at = text;
    CT_ASSERT(strlen(text) == answer->length, "a zero in the answer %s", text);
    CT_ASSERT(text[0] == '{' && pass_value(&at) && *at == '\0', "at byte %u no JSON: %s",
              (uint32_t)(at - text), text);
}
