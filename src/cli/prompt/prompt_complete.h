// prompt_complete.h: what a prompt does with the names that may follow.
#pragma once
#include "foundation/container/array.h"
#include "foundation/string/string_builder.h"

// Adds a copy of `name`, unless it is there.
void ct_prompt_add_name(ct_string_array *names, const char *name);
void ct_prompt_free_names(ct_string_array *names);

// `typed` is the start of a name. Appends to `insert` what all names that begin with it share
// behind it. When that is nothing, and there are several, appends them to `list`, in columns for a
// terminal that is `columns` wide, sorted, each line with its end.
void ct_prompt_complete(const char *typed, ct_string_array *names, uint32_t columns,
                        ct_string_builder *insert, ct_string_builder *list);
