// flow_source.h: the fields that the schemas read from the source of a flow graph
// (docs/formats/flow.md).
//
// What is in `inputs` depends on the type of the node: the compiler reads it by the description of
// the type (flow_node_types.h).
#pragma once
#include "resource/types/flow/flow_resource.h"

// The root.
typedef struct ct_flow_source {
    ct_sjson_value nodes, links, variables, groups, comments;
} ct_flow_source;

// A node. Its `id` and `type` are beside the fields.
typedef struct ct_flow_node_source {
    ct_string_id64 graph, nodes; // of nodes of type graph; of type lua
    const char *node;            // of type lua: which of these nodes; NULL: not given
    ct_sjson_value graph_value, nodes_value, node_value, inputs;
    const char *comment; // NULL: none
    float position[2];
} ct_flow_node_source;

// A link.
typedef struct ct_flow_link_source {
    const char *from, *out, *to, *in;
    ct_sjson_value from_value, out_value, to_value, in_value;
} ct_flow_link_source;

// A variable.
typedef struct ct_flow_variable_source {
    const char *name, *type;
    ct_sjson_value name_value, type_value, value;
} ct_flow_variable_source;

// A frame around nodes.
typedef struct ct_flow_group_source {
    const char *title;
    float position[2], size[2], color[4];
} ct_flow_group_source;

// A text beside nodes.
typedef struct ct_flow_comment_source {
    const char *text;
    float position[2];
} ct_flow_comment_source;

extern const ct_schema ct_flow_node_schema, ct_flow_link_schema, ct_flow_variable_schema,
    ct_flow_group_schema, ct_flow_comment_schema;
