// lua_signature.h: parses the signature of a binding.
//
// Bindings have their signatures as text in the yardstick's form:
//   (name: type, name: type) -> type, type
// A type is a name, an array of one (`Unit[]`), or several allowed types (`any(integer,string)`). A
// mark after it says that it is optional (`?`), or represents any number of values (`*`), or at
// least one (`+`). `string(unit)` is a string that names a resource of the type unit;
// `string(type)` is one whose type is given by the argument `type`: tools take such literals in
// scripts as references. It may be among several types, once: `any(string(material),Material)`. A lone `nil` after the arrow means no result. Tools that document the
// bindings parse signatures with this. Any thread.
#pragma once
#include "foundation/types.h"

enum {
    CT_SIGNATURE_MAX_PARTS = 24,
    CT_SIGNATURE_NAME_BYTES = 48,
    CT_SIGNATURE_TYPE_BYTES = 128,
};

typedef struct ct_signature_part {
    char name[CT_SIGNATURE_NAME_BYTES];     // of an argument; "" for a result
    char type[CT_SIGNATURE_TYPE_BYTES];     // without the mark
    char resource[CT_SIGNATURE_NAME_BYTES]; // of `string(unit)`: "unit"; else ""
    char mark;                              // '?', '*', '+', or 0: exactly one
} ct_signature_part;

// The parts of a function's signature: `num_arguments` arguments and `num_results` results.
typedef struct ct_signature {
    uint32_t num_arguments, num_results;
    ct_signature_part arguments[CT_SIGNATURE_MAX_PARTS];
    ct_signature_part results[CT_SIGNATURE_MAX_PARTS];
} ct_signature;

// Parses `text`. Returns false and sets `error`, which names the column, when the form is invalid.
bool ct_signature_parse(const char *text, ct_signature *signature, ct_error *error);

// Steps through the types in a part's `type`; start with `at` on its first byte. Writes the name of
// the next type, without `[]`, and whether it is an array. Returns false at the end.
bool ct_signature_next_type(const char **at, char name[CT_SIGNATURE_NAME_BYTES], bool *is_array);
