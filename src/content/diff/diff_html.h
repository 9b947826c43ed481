// diff_html.h: two versions of a file beside each other, as a page that needs nothing else.
//
// At the top are the operations (diff.h), each a link to its line. Below, the lines of
// both versions go together as far as they are equal (sequence_alignment.h), then as far as they
// are alike; in those the words that differ are marked. Stretches of equal lines are folded away,
// to be opened by a click (`<details>`, no script). Colours follow the reader's choice of light or
// dark. All text is escaped; control characters, and those that turn the direction of writing, are
// shown by their number. Any thread.
#pragma once
#include "content/diff/diff.h"
#include "foundation/string/string_builder.h"

// One version: its name, its text as it was parsed (UTF-8), and what was parsed from it.
typedef struct ct_diff_html_side {
    const char *name;
    const char *text;
    uint64_t size_bytes;
    const ct_sjson *doc;
} ct_diff_html_side;

// Appends the page. `diff` was made of the two documents. Linear in the texts, but for alignment.
void ct_diff_write_html(const ct_diff *diff, const ct_diff_html_side *from,
                        const ct_diff_html_side *to, ct_string_builder *out);
