// Finds the descriptions of nodes that the project writes in Lua.
#include "compiler/types/flow/worker_flow.h"

// The nodes of a .flow_nodes file, which is read once for each graph; its errors are reported then.
static const ct_worker_flow_file *read_file(ct_worker_flow *b, const ct_sjson *doc,
                                            ct_sjson_value at) {
    const ct_sjson *const source =
        ct_compile_read_resource(b->c, "flow_nodes", ct_sjson_string(doc, at, ""), doc, at);
    if (!source)
        return NULL;
    for (uint32_t i = 0; i < b->files.count; ++i) {
        if (b->files.items[i].doc == source)
            return &b->files.items[i];
    }
    ct_worker_flow_file file = {.doc = source};
    file.is_good = ct_flow_project_nodes_read(source, b->c->allocator, &b->listener, &file.nodes);
    ct_array_push(&b->files, file);
    return &b->files.items[b->files.count - 1];
}

static const char *node_advice(ct_worker_flow *b, const ct_flow_project_nodes *nodes,
                               const char *name) {
    const char **const names =
        CT_NEW_ARRAY(b->c->allocator, const char *, (uint64_t)nodes->count + 1);
    for (uint32_t i = 0; i < nodes->count; ++i)
        names[i] = nodes->nodes[i].name;
    return ct_worker_flow_advice(b, name, names, nodes->count);
}

const ct_flow_node_type *ct_worker_flow_project_type(ct_worker_flow *b, const ct_sjson *doc,
                                                     ct_sjson_value v, const char *id,
                                                     const ct_flow_node_source *source) {
    if (!source->nodes.value || !source->node) {
        ct_compile_error(b->c, doc, v, "node lua %.40s: `%s` is missing: write %s", id,
                         source->nodes.value ? "node" : "nodes",
                         source->nodes.value
                             ? "the name of the node in that file"
                             : "the name of the .flow_nodes file that has the node");
        return NULL;
    }
    const ct_worker_flow_file *const file = read_file(b, doc, source->nodes_value);
    if (!file || !file->is_good)
        return NULL;
    const ct_flow_node_type *const type = ct_flow_find_project_node(&file->nodes, source->node);
    if (!type)
        ct_compile_error(b->c, doc, source->node_value,
                         "node lua %.40s: %.128s has no node \"%.64s\"%s", id,
                         ct_sjson_string(doc, source->nodes_value, ""), source->node,
                         node_advice(b, &file->nodes, source->node));
    return type;
}
