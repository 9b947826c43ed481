// prompt_complete.h: completes a line at a prompt from a list of names.
#pragma once
#include "foundation/container/array.h"
#include "foundation/string/string_builder.h"

// Adds a copy of `name` unless the list has it.
void ct_prompt_add_name(ct_string_array *names, const char *name);

// Frees the list and its names, which must be copies from the list's allocator.
void ct_prompt_free_names(ct_string_array *names);

// Completes `typed`, the start of a name. Appends to `insert` the text after `typed` that all names
// with this start share. When that is empty and there are several such names, appends them to
// `list`, sorted, in columns for a terminal `columns` wide, each line with its end.
void ct_prompt_complete(const char *typed, ct_string_array *names, uint32_t columns,
                        ct_string_builder *insert, ct_string_builder *list);
