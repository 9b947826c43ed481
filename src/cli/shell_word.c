#include "cli/shell_word.h"

#include <string.h>

void ct_shell_word_add(ct_string_builder *out, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        ct_string_builder_add(out, word);
        return;
    }
    ct_string_builder_add_char(out, '\'');
    for (; *word != '\0'; ++word) {
        if (*word == '\'') // ends the quotes, and begins new ones behind it
            ct_string_builder_add(out, "'\\''");
        else
            ct_string_builder_add_char(out, *word);
    }
    ct_string_builder_add_char(out, '\'');
}
