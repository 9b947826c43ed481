// diff_apply.h: applies the operations of a diff to a document and keeps the rest of it.
//
// Comments, order and formatting stay as sjson_document.h explains. All paths are of the document
// before any edit: they are looked up first and old values compared, then the edits are made.
#pragma once
#include "content/diff/diff.h"
#include "foundation/sjson/sjson_document.h"

// Applies `diff` to `doc`. Returns false with `error`, whose message names the operation, when a
// path is missing, a value to add exists already, or an old value differs: the document is then
// unchanged. When operations conflict (one changes what another removes; in a list that
// ct_diff_make did not make), some edits may have been made: free the document. Temporary memory is
// from `scratch`. Linear in the document and the diff.
bool ct_diff_apply(const ct_diff *diff, ct_sjson_document *doc, ct_allocator *scratch,
                   ct_error *error);
