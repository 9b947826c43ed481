// import_merge.h: merges the result of an import into a source that a person may have changed.
//
// Three versions of a value are compared: the last import's (base), the file's, and this import's.
// A value that is still the last import's is updated. A value that a person changed, added or
// removed is kept, and a note reports where it differs from this import's. Objects are compared
// member by member, arrays whose elements have an `id` element by element, other arrays as a whole.
// Comments and formatting stay.
#pragma once
#include "foundation/container/array.h"
#include "foundation/sjson/sjson_document.h"

// Merges `wanted` into `file`; `base` may be NULL: then all of the file counts as a person's. Adds
// notes (each a line without the file's name; from `a`, a temp allocator) to `notes`. Returns false
// with `error` when the file cannot be edited.
bool ct_import_merge(ct_allocator *a, ct_sjson_document *file, const ct_sjson *base,
                     const ct_sjson *wanted, ct_string_array *notes, ct_error *error);

// Returns true when two values are equal, whatever their formatting and the order of members.
bool ct_import_is_same(const ct_sjson *a, ct_sjson_value v, const ct_sjson *b, ct_sjson_value w);
