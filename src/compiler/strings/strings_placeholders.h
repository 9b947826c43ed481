// strings_placeholders.h: which placeholders two texts of one key do not share.
//
// A translation should have those of the text that it translates, whatever the plural form: one
// more stays in the text as it is, one less leaves out what it stands for.
#pragma once
#include "compiler/strings/strings_source.h"
#include "foundation/string/string_builder.h"

// A text and the document that it stands in.
typedef struct ct_strings_placed_text {
    const ct_sjson *doc;
    const ct_strings_source_text *text;
} ct_strings_placed_text;

// Appends the placeholders that `text` has and `other` has not, each once, in their order:
// "{count}, {name}". False, and nothing appended, when there are none. `names` is empty before.
bool ct_strings_placeholders_beyond(ct_strings_placed_text text, ct_strings_placed_text other,
                                    ct_string_builder *names);
