// flow_nodes_resource.h: the blob of the nodes that a project writes in Lua, and their source.
//
// Graphs do not need the blob: their compiler reads the source (flow_project_nodes.h) and puts what
// it needs of a node into the graph. The blob is for tools that show the nodes of a running game.
#pragma once
#include "resource/types/flow/flow_resource.h"

enum { CT_FLOW_NODES_VERSION = 1 };

typedef struct ct_flow_nodes_node {
    ct_blob_string name;      // "open_door"
    ct_blob_string function;  // of Lua: "MyGame.open_door"
    ct_blob_string menu, doc; // may be missing
    ct_blob_array slots;      // ct_flow_used_slot
} ct_flow_nodes_node;

typedef struct ct_flow_nodes_resource {
    ct_blob_header header;
    ct_blob_array nodes; // ct_flow_nodes_node, in the order of the source
} ct_flow_nodes_resource;

// --- The source (docs/formats/flow_nodes.md) -----------------------------------------------------

// The root.
typedef struct ct_flow_nodes_source {
    ct_sjson_value nodes;
} ct_flow_nodes_source;

// A node.
typedef struct ct_flow_nodes_node_source {
    const char *name, *function, *menu, *doc; // NULL: not given
    ct_sjson_value name_value, function_value, slots;
} ct_flow_nodes_node_source;

// A slot.
typedef struct ct_flow_nodes_slot_source {
    const char *name, *type, *unit, *doc; // NULL: not given
    ct_sjson_value name_value, type_value, value;
    uint32_t kind; // ct_flow_slot_kind
} ct_flow_nodes_slot_source;

extern const ct_schema ct_flow_nodes_schema, ct_flow_nodes_node_schema, ct_flow_nodes_slot_schema;
extern const ct_blob_layout ct_flow_nodes_layout, ct_flow_nodes_node_layout;

// Checks a blob whose header was checked: texts are inside, nodes have names and functions, slots have kinds
// and types that go together. Returns false with `error`. libc only.
bool ct_flow_nodes_validate(const void *blob, ct_error *error);
