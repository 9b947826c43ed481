// shell_word.h: words as a POSIX shell takes them for one.
#pragma once
#include "foundation/string/string_builder.h"

// Appends `word`: as it is, or in single quotes when it has a character that the shell knows.
void ct_shell_word_add(ct_string_builder *out, const char *word);
