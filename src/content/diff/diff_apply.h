// diff_apply.h: carries out the operations of a diff on a document, losing nothing else of it.
//
// Comments, order and formatting stay as sjson_document.h tells. All paths are of the document as
// it is before: they are looked up first, and old values compared, then the edits are made.
#pragma once
#include "content/diff/diff.h"
#include "foundation/sjson/sjson_document.h"

// Applies `diff` to `doc`. False with `error`, whose message names the operation, when a path is
// not there, something that is added is, or an old value is another one: then the document is as it
// was. Where operations are in each other's way (one changes what another removes; a list that was
// not made by ct_diff_make), some may have been made: free it. `scratch` is for the memory that it
// takes meanwhile. Linear in the document and the diff.
bool ct_diff_apply(const ct_diff *diff, ct_sjson_document *doc, ct_allocator *scratch,
                   ct_error *error);
