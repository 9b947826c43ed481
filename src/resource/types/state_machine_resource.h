// state_machine_resource.h: the blob of a state machine: clips, variables, layers, states,
// transitions.
#pragma once
#include "resource/types/skeleton_resource.h"

enum { CT_STATE_MACHINE_VERSION = 1 };

// A layer: its states play on the joints of its mask, over or added to the layers below.
typedef struct ct_state_machine_layer {
    ct_string_id32 name;
    uint32_t is_additive; // bool: poses are added, not blended over
    uint32_t first_mask;  // in `masks`: a float for each joint of the skeleton; UINT32_MAX: all 1
    uint32_t first_state, num_states;
} ct_state_machine_layer;

typedef struct ct_state_machine_resource {
    ct_blob_header header;
    ct_string_id64 skeleton;  // resource
    uint64_t structure_hash;  // of layers, states and variables: whose saved states fit
    uint32_t num_mask_joints; // joints of the skeleton when it was compiled
    uint32_t padding;
    ct_blob_array clips;  // ct_resource_id, type animation
    ct_blob_array layers; // ct_state_machine_layer
    ct_blob_array masks;  // float
    // To come: variables, states, nodes of blend trees, transitions, conditions, expressions.
} ct_state_machine_resource;
