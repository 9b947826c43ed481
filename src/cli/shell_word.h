// shell_word.h: quotes words for a POSIX shell.
#pragma once
#include "foundation/string/string_builder.h"

// Appends `word` as it is, or in single quotes when it has a character that is special to the
// shell.
void ct_shell_word_add(ct_string_builder *out, const char *word);
