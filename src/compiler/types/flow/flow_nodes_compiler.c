// Compiles the nodes that a project writes in Lua: checks them, and keeps what tools show.
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/flow/worker_flow.h"

static ct_blob_string write_text(ct_blob_writer *w, const char *text) {
    return text[0] ? ct_blob_write_string(w, text, strlen(text)) : (ct_blob_string){0};
}

// One statement for each part: the order of their bytes is the same with every C compiler.
static ct_flow_nodes_node write_node(ct_compile *c, const ct_flow_node_type *type) {
    ct_flow_nodes_node n;
    n.name = write_text(&c->blob, type->name);
    n.function = write_text(&c->blob, type->function);
    n.menu = write_text(&c->blob, type->menu);
    n.doc = write_text(&c->blob, type->doc);
    n.slots = ct_worker_flow_write_slots(c, type);
    return n;
}

bool ct_compile_flow_nodes(ct_compile *c) {
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_flow_project_nodes read;
    if (!ct_flow_project_nodes_read(c->doc, c->allocator, &listener, &read))
        return false;
    ct_blob_writer *const w = &c->blob;
    ct_flow_nodes_node *const nodes =
        CT_NEW_ARRAY(c->allocator, ct_flow_nodes_node, (uint64_t)read.count + 1);
    ct_flow_nodes_resource r = {.nodes = {0}};
    ct_blob_begin(w, &ct_flow_nodes_layout);
    r.nodes = ct_blob_reserve_items(w, &ct_flow_nodes_node_layout, read.count);
    for (uint32_t i = 0; i < read.count; ++i)
        nodes[i] = write_node(c, &read.nodes[i]);
    ct_blob_fill_items(w, &ct_flow_nodes_node_layout, r.nodes, nodes);
    ct_blob_end(w, &ct_flow_nodes_layout, &r);
    return true;
}
