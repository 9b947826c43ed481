// flow_project_nodes.h: the nodes of a project, as descriptions like those of the engine's tables.
//
// A .flow_nodes file (docs/formats/flow_nodes.md) declares them; a global function of Lua runs each.
// The compiler reads it for graphs that use its nodes, and tools to show them.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/types/flow/flow_nodes_resource.h"

enum { CT_FLOW_MAX_PROJECT_NODES = 1024 }; // in a file

typedef struct ct_flow_project_nodes {
    const ct_flow_node_type *nodes; // in the order of the file
    uint32_t count;
} ct_flow_project_nodes;

// Reads all nodes of a file and reports all errors to `listener`. What it allocates from `a` is freed with
// `a` only; texts are borrowed from `doc`. Returns false after errors; `out` then has the nodes that
// could be read.
bool ct_flow_project_nodes_read(const ct_sjson *doc, ct_allocator *a,
                                const ct_schema_listener *listener, ct_flow_project_nodes *out);

// Returns the node with this name; NULL when it does not exist.
const ct_flow_node_type *ct_flow_find_project_node(const ct_flow_project_nodes *nodes,
                                                   const char *name);
