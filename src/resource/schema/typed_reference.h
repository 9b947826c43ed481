// typed_reference.h: references to resources where a source may give any value.
//
// Such a value has no field whose schema marks it as a name. So it marks itself, as { resource =
// "units/coin"  type = "unit" }. An object with both of these members is a reference; all others
// are not.
#pragma once
#include "resource/types/resource_types.h"

// The members of a reference, in its document.
typedef struct ct_typed_reference {
    ct_sjson_value resource; // a string with the name, if valid
    ct_sjson_value type;     // a string with the resource's type, if valid
} ct_typed_reference;

// Returns whether a value is a reference, and sets `reference` (may be NULL) to its members.
bool ct_typed_reference_is(const ct_sjson *doc, ct_sjson_value v, ct_typed_reference *reference);

// Checks a reference and returns the name, borrowed from the document; reports it to the listener.
// Returns NULL after errors: an unknown type, a name that is not canonical, other members.
const char *ct_typed_reference_read(const ct_sjson *doc, ct_sjson_value v,
                                    const ct_schema_listener *listener);
