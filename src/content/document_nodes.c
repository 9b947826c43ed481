#include "content/document_nodes.h"

// Notes the nodes of an entry and of all below it. Returns the entry after them.
static uint32_t note_nodes(const ct_sjson_document *doc, ct_sjson_node node, uint32_t entry,
                           ct_sjson_node *nodes) {
    nodes[entry++] = node;
    ct_sjson_node child = ct_sjson_document_first(doc, node);
    for (; child.index; child = ct_sjson_document_next(doc, child))
        entry = note_nodes(doc, child, entry, nodes);
    return entry;
}

ct_sjson_node *ct_document_nodes(ct_allocator *a, const ct_sjson_document *doc,
                                 const ct_sjson *tape) {
    ct_sjson_node *const nodes = CT_NEW_ARRAY(a, ct_sjson_node, tape->entries.count);
    const uint32_t end =
        note_nodes(doc, ct_sjson_document_root(doc), ct_sjson_root(tape).entry, nodes);
    CT_ASSERT(end == tape->entries.count, "%s: %u nodes, but %u entries", ct_sjson_file(tape), end,
              tape->entries.count);
    return nodes;
}
