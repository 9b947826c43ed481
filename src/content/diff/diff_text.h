// diff_text.h: operations of a diff as lines for people.
//
//     units[id=8f].position = [1 2 3] → [1 2 4]
//     + units[id=9a] = { id = "9a" unit = "units/crate" }
//     - points[3] = 7
//     ~ units[id=8f] moved before units[id=9a]
//
// Indices count from 0: of what is added in the second document, of all else in the first. Keys and
// ids that are not plain words are in quotes. Everything is on one line; control characters and
// invisible characters are escaped. Reads no state: any thread.
#pragma once
#include "content/diff/diff.h"
#include "foundation/string/string_builder.h"

// Appends the path to `step`; `the root` for 0.
void ct_diff_write_path(const ct_diff *diff, uint32_t step, ct_string_builder *out);

// Appends a value on one line as SJSON; past `most_bytes` the rest becomes `…`.
void ct_diff_write_brief(ct_content_value value, uint32_t most_bytes, ct_string_builder *out);

// Appends an operation, without line end; `is_colored`: with the escapes of terminals around what
// goes and comes.
void ct_diff_write_operation(const ct_diff *diff, const ct_diff_operation *operation,
                             bool is_colored, ct_string_builder *out);
