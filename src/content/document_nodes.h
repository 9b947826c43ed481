// document_nodes.h: from the values of a tape to the nodes of a document of the same text.
//
// Tools search and compare on the tape, which is fast, and edit the document.
#pragma once
#include "foundation/sjson/sjson_document.h"

// Returns the node of each entry of `tape` (ct_sjson_value), from `a`; free it with ct_free. Both
// must be of the same text, and `doc` not edited. Linear.
ct_sjson_node *ct_document_nodes(ct_allocator *a, const ct_sjson_document *doc,
                                 const ct_sjson *tape);
