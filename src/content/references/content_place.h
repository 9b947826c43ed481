// content_place.h: what the schemas say of a value, on a walk down a source file.
//
// A walk starts with the place of the file's root, known by the file's type (its extension), and
// asks for the place of each member or element that it goes down to. What no schema speaks of has
// the place {0}. Places are values that borrow only constant tables. Any thread.
#pragma once
#include "content/value_compare.h"
#include "resource/schema/schema.h"

typedef struct ct_content_place {
    const ct_schema *schema; // of the object here; NULL: not known
    const ct_field *field;   // that holds the value; NULL for roots, elements and the unknown
    // Of an element that does not say which of these it is; NULL-terminated; NULL: no such element.
    const ct_schema *const *schemas;
} ct_content_place;

// The place of the root of a file of this path ("levels/yard.fr.level"), of which only the
// extension is read; {0} for a type without schema.
ct_content_place ct_content_place_of_file(const char *path);

// The place of the member `key` of an object.
ct_content_place ct_content_place_of_member(ct_content_place object, const char *key);

// The place of an element of an array. Where the schema leaves open what the elements are
// (components), one with a `type` has the schema of that component type, and the members of one
// without are those of the first schema that knows them.
ct_content_place ct_content_place_of_element(ct_content_place array, ct_content_value element);
