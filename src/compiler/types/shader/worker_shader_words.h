// worker_shader_words.h: a part of building shaders: walks the words of GLSL.
#pragma once
#include <ctype.h>
#include <string.h>

#include "foundation/types.h"

// Returns where the text goes on behind blanks and comments.
static inline const char *ct_glsl_skip(const char *p) {
    while (*p) {
        if (isspace((unsigned char)*p)) {
            ++p;
        } else if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *const end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            break;
        }
    }
    return p;
}

// Returns true for a character of a word: a name, a keyword or a whole number.
static inline bool ct_glsl_is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// Returns the length of the word at `p`; 0 when there is none.
static inline uint32_t ct_glsl_word_length(const char *p) {
    uint32_t length = 0;
    while (ct_glsl_is_word(p[length]))
        ++length;
    return length;
}

// Moves behind `word`, or a sign, if it is at `*p` (after blanks), and returns true.
static inline bool ct_glsl_take(const char **p, const char *word) {
    const char *const at = ct_glsl_skip(*p);
    const size_t length = strlen(word);
    if (strncmp(at, word, length) != 0 || (ct_glsl_is_word(word[0]) && ct_glsl_is_word(at[length])))
        return false;
    *p = at + length;
    return true;
}
