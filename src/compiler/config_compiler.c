// Compiles configs: any SJSON document, as a flat array of nodes, level by level, so that the
// children of a container stand together.
#include "compiler/compiler_types.h"
#include "resource/config_resource.h"

#include <string.h>

// A node and where the fields are that its strings are patched into.
typedef struct queued_node {
    ct_sjson_value value;
    uint32_t first_child;
    uint32_t at; // offset of the node in the blob
} queued_node;

typedef CT_ARRAY(queued_node) queued_node_array;

// All values of the document, breadth first.
static void queue_nodes(const ct_sjson *doc, queued_node_array *nodes) {
    ct_array_push(nodes, (queued_node){.value = ct_sjson_root(doc)});
    for (uint32_t i = 0; i < nodes->count; ++i) {
        const ct_sjson_value parent = nodes->items[i].value;
        if (ct_sjson_count(doc, parent) > 0)
            nodes->items[i].first_child = nodes->count;
        for (ct_sjson_value v = ct_sjson_first(doc, parent); v.entry; v = ct_sjson_next(doc, v))
            ct_array_push(nodes, (queued_node){.value = v});
    }
}

static double number_of(const ct_sjson *doc, ct_sjson_value v) {
    if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_BOOL)
        return ct_sjson_bool(doc, v, false) ? 1 : 0;
    return ct_sjson_number(doc, v, 0);
}

// ct_config_node without its strings.
static uint32_t write_node(ct_blob_writer *w, const ct_sjson *doc, const queued_node *node) {
    const uint32_t at = ct_blob_write_u32(w, ct_sjson_type_of(doc, node->value));
    ct_blob_write_array_field(w); // key
    ct_blob_write_u32(w, node->first_child);
    ct_blob_write_u32(w, ct_sjson_count(doc, node->value));
    ct_blob_write_array_field(w); // text
    ct_blob_write_u32(w, 0);
    ct_blob_write_double(w, number_of(doc, node->value));
    return at;
}

static void patch_strings(ct_blob_writer *w, const ct_sjson *doc, const queued_node *node) {
    const char *key = ct_sjson_key(doc, node->value);
    if (key)
        ct_blob_patch_string(w, node->at + offsetof(ct_config_node, key), key,
                             (uint32_t)strlen(key));
    if (ct_sjson_type_of(doc, node->value) == CT_SJSON_TYPE_STRING)
        ct_blob_patch_string(w, node->at + offsetof(ct_config_node, text),
                             ct_sjson_string(doc, node->value, ""),
                             ct_sjson_string_bytes(doc, node->value));
}

bool ct_compile_config(ct_compile *c) {
    queued_node_array nodes;
    ct_array_init(&nodes, c->allocator);
    queue_nodes(c->doc, &nodes);
    const uint32_t field = ct_blob_write_array_field(&c->blob);
    ct_blob_writer_align(&c->blob, 8);
    ct_blob_patch_array(&c->blob, field, ct_blob_writer_offset(&c->blob), nodes.count);
    for (uint32_t i = 0; i < nodes.count; ++i)
        nodes.items[i].at = write_node(&c->blob, c->doc, &nodes.items[i]);
    for (uint32_t i = 0; i < nodes.count; ++i)
        patch_strings(&c->blob, c->doc, &nodes.items[i]);
    return true;
}
