// merge_apply.h: makes the edits of a merge plan in MINE's text.
#pragma once
#include "content/merge/merge_plan.h"
#include "foundation/sjson/sjson_document.h"

// Makes a document of the text and tape of a side, THEIRS or MINE, in which what the edits need is
// open. Takes the tape over, and borrows the text as ct_sjson_document_outline does.
ct_sjson_document *ct_merge_outline(const ct_merge_plan *plan, ct_merge_side side, ct_sjson *tape,
                                    const char *text, uint64_t size_bytes);

// Makes the edits in `mine`, an outline: what is not touched stays byte for byte, and what comes
// from `theirs` is written as it looks around its new place. False with `error` when the result
// would pass the limits of SJSON documents; what `mine` is then means nothing.
bool ct_merge_apply(const ct_merge_plan *plan, const ct_sjson_document *theirs,
                    ct_sjson_document *mine, ct_error *error);
