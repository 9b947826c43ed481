// lua_signature.h: the signature of a binding, taken apart.
//
// Bindings carry their signatures as text in the yardstick's form:
//   (name: type, name: type) -> type, type
// A type is a name, an array of one (`Unit[]`), or several that go (`any(integer,string)`); a mark
// behind it says that it may be left out (`?`), or stands for any number (`*`), or for at least one
// (`+`). `string(unit)` is a string that names a resource, of type unit; `string(type)` one whose
// type the argument called `type` gives: in scripts, tools take such literals for references. `nil` alone behind the arrow: nothing comes back. What documents the bindings reads them
// with this. Any thread.
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

// A function's parts, of which there are `num_arguments` and `num_results`.
typedef struct ct_signature {
    uint32_t num_arguments, num_results;
    ct_signature_part arguments[CT_SIGNATURE_MAX_PARTS];
    ct_signature_part results[CT_SIGNATURE_MAX_PARTS];
} ct_signature;

// Takes `text` apart. False with `error`, which names the column, when it has another form.
bool ct_signature_parse(const char *text, ct_signature *signature, ct_error *error);

// Steps through the types of a part's `type`: start with `at` on its first byte. Gives the name of
// the next one, without `[]`, and whether it is an array of those. False at the end.
bool ct_signature_next_type(const char **at, char name[CT_SIGNATURE_NAME_BYTES], bool *is_array);
