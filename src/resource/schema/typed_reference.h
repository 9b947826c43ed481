// typed_reference.h: references to resources where a source may give any value.
//
// Such a value has no field whose schema says that it is a name, so it says so itself, as
// { resource = "units/coin"  type = "unit" }. An object with both of these members is a reference;
// all others are not.
#pragma once
#include "resource/types/resource_types.h"

// The members of a reference, in its document.
typedef struct ct_typed_reference {
    ct_sjson_value resource; // a string with the name, when it is right
    ct_sjson_value type;     // a string with the resource's type, when it is right
} ct_typed_reference;

// Returns true for a reference, with what is in it; `reference` may be NULL.
bool ct_typed_reference_is(const ct_sjson *doc, ct_sjson_value v, ct_typed_reference *reference);

// Checks a reference and returns the name, borrowed from the document; the listener hears of it.
// Returns NULL after errors: a type that is not there, a name that is not canonical, other members.
const char *ct_typed_reference_read(const ct_sjson *doc, ct_sjson_value v,
                                    const ct_schema_listener *listener);
