// strings_placeholders.h: the placeholders that two texts of one key do not share.
//
// A translation should have the placeholders of the text that it translates, whatever the plural
// form. An extra one stays in the text as it is; a missing one leaves out its value.
#pragma once
#include "compiler/strings/strings_source.h"
#include "foundation/string/string_builder.h"

// A text and the document that it is in.
typedef struct ct_strings_placed_text {
    const ct_sjson *doc;
    const ct_strings_source_text *text;
} ct_strings_placed_text;

// Appends the placeholders that `text` has and `other` does not have, each once, in their order:
// "{count}, {name}". `names` must be empty. Returns false and appends nothing when there are none.
bool ct_strings_placeholders_beyond(ct_strings_placed_text text, ct_strings_placed_text other,
                                    ct_string_builder *names);
