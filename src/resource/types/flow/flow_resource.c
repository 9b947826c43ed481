#include "resource/types/flow/flow_resource.h"

typedef ct_flow_resource flow;

// --- Layouts -------------------------------------------------------------------------------------

const ct_blob_layout ct_flow_used_slot_layout =
    CT_BLOB_STRUCT(ct_flow_used_slot, CT_BLOB_STRING(ct_flow_used_slot, name),
                   CT_BLOB_NUMBERS(4, ct_flow_used_slot, kind, type));
const ct_blob_layout ct_flow_used_type_layout =
    CT_BLOB_STRUCT(ct_flow_used_type, CT_BLOB_STRING(ct_flow_used_type, name),
                   CT_BLOB_STRING_OR_NONE(ct_flow_used_type, function),
                   CT_BLOB_ARRAY(ct_flow_used_type, slots, ct_flow_used_slot_layout),
                   CT_BLOB_NUMBERS(4, ct_flow_used_type, num_inputs, state_bytes));
const ct_blob_layout ct_flow_node_info_layout = CT_BLOB_STRUCT(
    ct_flow_node_info, CT_BLOB_NUMBERS(8, ct_flow_node_info, id, id),
    CT_BLOB_STRING(ct_flow_node_info, path), CT_BLOB_NUMBERS(4, ct_flow_node_info, node, padding));
const ct_blob_layout ct_flow_initial_layout = CT_BLOB_ALL_NUMBERS(ct_flow_initial, 4);
const ct_blob_layout ct_flow_entry_layout = CT_BLOB_ALL_NUMBERS(ct_flow_entry, 4);
const ct_blob_layout ct_flow_variable_layout =
    CT_BLOB_STRUCT(ct_flow_variable, CT_BLOB_STRING(ct_flow_variable, name_text),
                   CT_BLOB_NUMBERS(4, ct_flow_variable, name, flags));

const ct_blob_layout ct_flow_layout = CT_BLOB_ROOT(
    flow, "a flow graph", CT_BLOB_NUMBERS(4, flow, dynamic_bytes, flags),
    CT_BLOB_ARRAY(flow, types, ct_flow_used_type_layout),
    CT_BLOB_ARRAY(flow, infos, ct_flow_node_info_layout),
    CT_BLOB_ARRAY(flow, program, ct_blob_u32_layout),
    CT_BLOB_ARRAY(flow, links, ct_blob_u32_layout), CT_BLOB_ARRAY(flow, pures, ct_blob_u32_layout),
    CT_BLOB_ARRAY(flow, numbers, ct_blob_u64_layout),
    CT_BLOB_ARRAY(flow, words, ct_blob_u32_layout), CT_BLOB_ARRAY(flow, texts, ct_blob_u8_layout),
    CT_BLOB_ARRAY(flow, initials, ct_flow_initial_layout),
    CT_BLOB_ARRAY(flow, entries, ct_flow_entry_layout),
    CT_BLOB_ARRAY(flow, variables, ct_flow_variable_layout));
