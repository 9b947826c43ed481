#include "resource/types/flow/flow_nodes_resource.h"

#include <stddef.h>

#include "foundation/error.h"

// --- The source ----------------------------------------------------------------------------------

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

#define TEXT(source_type, member, text)                                                            \
    { .name = #member, .type = CT_FIELD_TYPE_STRING, AT(source_type, member), .doc = (text) }

#define REQUIRED_TEXT(source_type, member, text)                                                   \
    {                                                                                              \
        .name = #member, .type = CT_FIELD_TYPE_STRING, AT(source_type, member),                    \
        .flags = CT_FIELD_REQUIRED, .doc = (text)                                                  \
    }

// The position of a field in the source, beside the field.
#define PLACE(source_type, member)                                                                 \
    {                                                                                              \
        .name = #member, .type = CT_FIELD_TYPE_VALUE, AT(source_type, member##_value),             \
        .doc = "Position in the source."                                                           \
    }

#define ELEMENTS(source_type, member, element, text)                                               \
    {                                                                                              \
        .name = #member, .type = CT_FIELD_TYPE_ARRAY, AT(source_type, member),                     \
        .flags = CT_FIELD_SET, .doc = (text), .schema = &(element)                                 \
    }

#define SCHEMA(schema_name, text, source_type, schema_fields, members)                             \
    {                                                                                              \
        .name = (schema_name), .doc = (text), .size_bytes = sizeof(source_type),                   \
        .num_fields = CT_COUNT_OF(schema_fields), .fields = (schema_fields),                       \
        .identity = (members),                                                                     \
    }

typedef ct_flow_nodes_slot_source slot_source;
typedef ct_flow_nodes_node_source node_source;

static const ct_field slot_fields[] = {
    REQUIRED_TEXT(slot_source, name, "Name of the slot: the key in the tables of the function."),
    PLACE(slot_source, name),
    {.name = "kind",
     .type = CT_FIELD_TYPE_ENUM,
     AT(slot_source, kind),
     .doc = "What it is.",
     .enum_names = ct_flow_slot_kind_names},
    TEXT(slot_source, type,
         "Of inputs and outputs: bool, number, vector3, quaternion, string, id, unit, entity, "
         "actor, camera, light, mesh or mover; of inputs also material and any."),
    PLACE(slot_source, type),
    {.name = "value",
     .type = CT_FIELD_TYPE_VALUE,
     AT(slot_source, value),
     .doc = "Of an input that a graph neither links nor gives."},
    TEXT(slot_source, unit, "Unit of a number, such as m or s, for readers."),
    TEXT(slot_source, doc, "One line for readers."),
};

const ct_schema ct_flow_nodes_slot_schema = SCHEMA(
    "flow_nodes_slot", "A slot of a node of the project.", slot_source, slot_fields, CT_SCHEMA_ID);

static const ct_field node_fields[] = {
    REQUIRED_TEXT(node_source, name, "Unique name in the file, which graphs use."),
    PLACE(node_source, name),
    REQUIRED_TEXT(node_source, function, "Global function of Lua that runs the node."),
    PLACE(node_source, function),
    TEXT(node_source, menu, "Where editors list it: \"Game > Open Door\"."),
    TEXT(node_source, doc, "A sentence for readers."),
    ELEMENTS(node_source, slots, ct_flow_nodes_slot_schema,
             "The slots: { id name kind type value unit doc }."),
};

const ct_schema ct_flow_nodes_node_schema =
    SCHEMA("flow_nodes_node", "A node of the project.", node_source, node_fields, CT_SCHEMA_ID);

static const ct_field fields[] = {
    ELEMENTS(ct_flow_nodes_source, nodes, ct_flow_nodes_node_schema,
             "The nodes: { id name function menu doc slots }."),
};

const ct_schema ct_flow_nodes_schema = SCHEMA(
    "flow_nodes", "Nodes of Flow that functions of Lua run.", ct_flow_nodes_source, fields, 0);

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_flow_nodes_node_layout = CT_BLOB_STRUCT(
    ct_flow_nodes_node, CT_BLOB_STRING(ct_flow_nodes_node, name),
    CT_BLOB_STRING(ct_flow_nodes_node, function), CT_BLOB_STRING_OR_NONE(ct_flow_nodes_node, menu),
    CT_BLOB_STRING_OR_NONE(ct_flow_nodes_node, doc),
    CT_BLOB_ARRAY(ct_flow_nodes_node, slots, ct_flow_used_slot_layout));
const ct_blob_layout ct_flow_nodes_layout =
    CT_BLOB_ROOT(ct_flow_nodes_resource, "a list of flow nodes",
                 CT_BLOB_ARRAY(ct_flow_nodes_resource, nodes, ct_flow_nodes_node_layout));

bool ct_flow_nodes_validate(const void *blob, ct_error *error) {
    const ct_flow_nodes_resource *const r = blob;
    if (!ct_blob_check_layout(&ct_flow_nodes_layout, r, error))
        return false;
    const ct_flow_nodes_node *const nodes = ct_blob_at(r, r->nodes.offset);
    for (uint32_t i = 0; i < r->nodes.count; ++i) {
        uint32_t counts[CT_FLOW_SLOT_KIND_COUNT];
        const char *const name = ct_blob_at(r, nodes[i].name.offset);
        const char *const function = ct_blob_at(r, nodes[i].function.offset);
        if (!name[0] || !function[0])
            return ct_error_set(error, "nodes[%u]: its name or its function is missing", i);
        if (!ct_flow_check_slots(r, nodes[i].slots, "nodes", i, counts, error))
            return false;
    }
    return true;
}
