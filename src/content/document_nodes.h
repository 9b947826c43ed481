// document_nodes.h: from the values of a tape to the nodes of a document of the same text.
//
// Tools look things up on the tape, which is fast and compares well, and edit the document.
#pragma once
#include "foundation/sjson/sjson_document.h"

// The node of each entry of `tape` (ct_sjson_value), from `a`, freed with ct_free. Both are of the
// same text, and `doc` has not been edited. Linear.
ct_sjson_node *ct_document_nodes(ct_allocator *a, const ct_sjson_document *doc,
                                 const ct_sjson *tape);
