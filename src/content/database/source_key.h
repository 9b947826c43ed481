// source_key.h: names of members of SJSON objects as keys of database objects, and back.
//
// A name is its key, but for those that are empty, begin with "@", end with "[]" or hold control characters: they
// become "@=" and the name with such bytes, "[" and "%" as "%5B". Keys of values that are kept as text have "[]" at
// the end.
#pragma once
#include "database/database_value.h"
#include "foundation/string/string_builder.h"

// Appends the key of a name (without zero bytes) to `out`, with "[]" behind it when `is_text`. Returns false when it is
// longer than CT_DATABASE_MAX_KEY_BYTES.
bool ct_source_key_of(const char *name, bool is_text, ct_string_builder *out);

// Returns whether a key is of a member; others, "@order" for one, begin with "@" and are not.
bool ct_source_key_is_member(const char *key, uint32_t length);

// Appends the name of a key of a member to `out`; *is_text says whether "[]" was at its end. Returns false for a key
// that is not spelled as ct_source_key_of spells it.
bool ct_source_key_name(const char *key, uint32_t length, ct_string_builder *out, bool *is_text);
