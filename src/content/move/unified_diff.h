// unified_diff.h: a change of files as the text that `git apply` and `patch` read.
#pragma once
#include "foundation/string/string_builder.h"

// One file. `from` NULL: it is made; `to` NULL: it is removed.
typedef struct ct_diff_file {
    const char *from, *to;
    const char *old_text, *new_text; // NULL: none, or of a rename both: they are the same
    uint64_t old_bytes, new_bytes;
} ct_diff_file;

// Appends the lines of a file: hunks with three lines of context, renames and binary contents in
// git's format.
void ct_unified_diff_write(ct_string_builder *out, const ct_diff_file *file);
