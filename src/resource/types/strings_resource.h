// strings_resource.h: the blob of strings: the texts of one language by key.
//
// Keys are in an array of entries sorted by their 32-bit ids, each once. A look-up is a binary
// search that also compares the key's text, so that an unknown key is never taken for another. An
// entry has a run of forms: the first is the plural form `other` (a text without plural forms has
// only that), the others follow by category. The language's plural rules are in the blob too
// (plural_rules.h). libc only.
#pragma once
#include "resource/types/plural_rules.h"
#include "resource/types/resource_types.h"

enum {
    CT_STRINGS_VERSION = 1,
    CT_STRINGS_KEY_BYTES = 256,     // of a key, with its terminator
    CT_STRINGS_LANGUAGE_BYTES = 36, // of a language tag, with its terminator
};

typedef struct ct_strings_form {
    uint32_t category; // ct_plural
    ct_blob_string text;
} ct_strings_form;

typedef struct ct_strings_entry {
    ct_string_id32 id; // of the key
    ct_blob_string key;
    uint32_t first_form, num_forms;
} ct_strings_entry;

typedef struct ct_strings_resource {
    ct_blob_header header;
    ct_blob_string language; // "fr", "pt-br"
    ct_blob_array entries;   // ct_strings_entry
    ct_blob_array forms;     // ct_strings_form
    ct_blob_array rules;     // ct_plural_relation
} ct_strings_resource;

extern const ct_blob_layout ct_strings_layout, ct_strings_entry_layout, ct_strings_form_layout,
    ct_plural_relation_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_strings_validate(const void *blob, ct_error *error);

// Returns the entry of a key of `bytes` bytes, or NULL. O(log n).
const ct_strings_entry *ct_strings_find(const ct_strings_resource *strings, const char *key,
                                        uint64_t bytes);

// Returns the text of an entry for the number `*count`. Returns the form `other` when `count` is
// NULL or the entry does not have the number's form. Borrowed from the blob.
ct_blob_string ct_strings_text(const ct_strings_resource *strings, const ct_strings_entry *entry,
                               const double *count);

// --- Placeholders --------------------------------------------------------------------------------

// Placeholders in texts are in braces, `{count}`. Their names are letters, digits and `_` and do
// not start with a digit; `{{` and `}}` are literal braces.
typedef enum ct_strings_piece_kind {
    CT_STRINGS_PIECE_NONE,
    CT_STRINGS_PIECE_TEXT,        // shown unchanged
    CT_STRINGS_PIECE_PLACEHOLDER, // the name
    CT_STRINGS_PIECE_WRONG,       // a brace that is neither; shown unchanged
} ct_strings_piece_kind;

typedef struct ct_strings_piece {
    ct_strings_piece_kind kind;
    const char *text; // borrowed from the whole text
    uint32_t bytes;
} ct_strings_piece;

// Takes the first piece of the text from `*at` to `end`, and moves `*at` behind it. Returns false
// at the end.
bool ct_strings_next_piece(const char **at, const char *end, ct_strings_piece *piece);
