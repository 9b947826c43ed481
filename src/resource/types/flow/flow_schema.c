// The schemas of the sources of flow graphs.
#include <stddef.h>

#include "resource/types/flow/flow_source.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// The position of a field in the source, beside the field.
#define PLACE(source_type, field_name, member)                                                     \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member),                \
        .doc = "Position in the source."                                                           \
    }

#define SCHEMA(schema_name, text, source_type, schema_fields, members)                             \
    {                                                                                              \
        .name = (schema_name), .doc = (text), .size_bytes = sizeof(source_type),                   \
        .num_fields = CT_COUNT_OF(schema_fields), .fields = (schema_fields),                       \
        .identity = (members),                                                                     \
    }

// --- Nodes ---------------------------------------------------------------------------------------

static const char *reference_of_input(const char *type, const char *key) {
    const ct_flow_node_type *const node = ct_flow_find_node_type(type);
    uint32_t number = 0;
    const ct_flow_slot *const slot = node ? ct_flow_find_slot(node, false, key, &number) : NULL;
    return slot ? slot->reference : NULL;
}

static const ct_field node_fields[] = {
    {.name = "graph",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_flow_node_source, graph),
     .doc = "Of nodes of type graph: the graph that is put in their place.",
     .reference_type = "flow"},
    PLACE(ct_flow_node_source, "graph", graph_value),
    {.name = "nodes",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_flow_node_source, nodes),
     .doc = "Of nodes of type lua: where the project describes the node.",
     .reference_type = "flow_nodes"},
    PLACE(ct_flow_node_source, "nodes", nodes_value),
    {.name = "node",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_flow_node_source, node),
     .doc = "Of nodes of type lua: its name there."},
    PLACE(ct_flow_node_source, "node", node_value),
    {.name = "inputs",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_flow_node_source, inputs),
     .doc = "Values of inputs, by the names of the slots.",
     .member_reference = reference_of_input},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR2,
     AT(ct_flow_node_source, position),
     .doc = "Where the graph shows the node: [x y], y down. It is the order of events, too."},
    {.name = "comment",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_flow_node_source, comment),
     .doc = "A text for readers."},
};

const ct_schema ct_flow_node_schema = SCHEMA("flow_node", "A node of a graph.", ct_flow_node_source,
                                             node_fields, CT_SCHEMA_ID | CT_SCHEMA_TYPE);

// --- Links ---------------------------------------------------------------------------------------

#define END(member, text)                                                                          \
    {.name = #member,                                                                              \
     .type = CT_FIELD_TYPE_STRING,                                                                 \
     AT(ct_flow_link_source, member),                                                              \
     .flags = CT_FIELD_REQUIRED,                                                                   \
     .doc = (text)},                                                                               \
        PLACE(ct_flow_link_source, #member, member##_value)

static const ct_field link_fields[] = {
    END(from, "Id of the node that the link starts at."),
    END(out, "Name of its output or event out."),
    END(to, "Id of the node that the link ends at."),
    END(in, "Name of its input or event in."),
};

const ct_schema ct_flow_link_schema = SCHEMA("flow_link", "A link between two nodes.",
                                             ct_flow_link_source, link_fields, CT_SCHEMA_ID);

// --- Variables -----------------------------------------------------------------------------------

static const ct_field variable_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_flow_variable_source, name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name, which nodes and scripts use."},
    PLACE(ct_flow_variable_source, "name", name_value),
    {.name = "type",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_flow_variable_source, type),
     .flags = CT_FIELD_REQUIRED,
     .doc = "bool, number, vector3, quaternion, string, id, unit or entity."},
    PLACE(ct_flow_variable_source, "type", type_value),
    {.name = "value",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_flow_variable_source, value),
     .doc = "Value at the start. Default: 0, \"\", no rotation. Units and entities have none."},
};

const ct_schema ct_flow_variable_schema =
    SCHEMA("flow_variable", "A value that the nodes of an instance share.", ct_flow_variable_source,
           variable_fields, CT_SCHEMA_ID);

// --- For readers ---------------------------------------------------------------------------------

static const ct_field group_fields[] = {
    {.name = "title",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_flow_group_source, title),
     .doc = "What the frame shows."},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR2,
     AT(ct_flow_group_source, position),
     .doc = "Its corner at the top left."},
    {.name = "size",
     .type = CT_FIELD_TYPE_VECTOR2,
     AT(ct_flow_group_source, size),
     .doc = "Width and height."},
    {.name = "color",
     .type = CT_FIELD_TYPE_COLOR,
     AT(ct_flow_group_source, color),
     .doc = "Its colour.",
     .default_value = {1, 1, 1, 1}},
};

const ct_schema ct_flow_group_schema = SCHEMA("flow_group", "A frame around nodes, for readers.",
                                              ct_flow_group_source, group_fields, CT_SCHEMA_ID);

static const ct_field comment_fields[] = {
    {.name = "text",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_flow_comment_source, text),
     .doc = "What it says."},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR2,
     AT(ct_flow_comment_source, position),
     .doc = "Its corner at the top left."},
};

const ct_schema ct_flow_comment_schema =
    SCHEMA("flow_comment", "A text beside nodes, for readers.", ct_flow_comment_source,
           comment_fields, CT_SCHEMA_ID);

// --- The root ------------------------------------------------------------------------------------

#define ELEMENTS(member, element, text)                                                            \
    {                                                                                              \
        .name = #member, .type = CT_FIELD_TYPE_ARRAY, AT(ct_flow_source, member),                  \
        .flags = CT_FIELD_SET, .doc = (text), .schema = &(element)                                 \
    }

static const ct_field fields[] = {
    ELEMENTS(nodes, ct_flow_node_schema, "The nodes: { id type inputs position comment }."),
    ELEMENTS(links, ct_flow_link_schema, "The links: { id from out to in }."),
    ELEMENTS(variables, ct_flow_variable_schema, "Variables: { id name type value }."),
    ELEMENTS(groups, ct_flow_group_schema, "Frames: { id title position size color }."),
    ELEMENTS(comments, ct_flow_comment_schema, "Texts: { id text position }."),
};

const ct_schema ct_flow_schema =
    SCHEMA("flow", "A graph of nodes that run when something happens.", ct_flow_source, fields, 0);
