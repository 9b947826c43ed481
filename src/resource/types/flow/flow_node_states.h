// flow_node_states.h: how many bytes the states of nodes take whose functions are in src/flow.
//
// Compiled graphs reserve them. src/flow asserts that they are those of its structs.
#pragma once

enum {
    CT_FLOW_WAIT_STATE_BYTES = 104,
    CT_FLOW_TIMER_STATE_BYTES = 128,
    CT_FLOW_COUNTER_STATE_BYTES = 16,
    CT_FLOW_SWITCH_STATE_BYTES = 8,
    CT_FLOW_CLIP_STATE_BYTES = 8,
    CT_FLOW_AXIS_STATE_BYTES = 16,
    CT_FLOW_PHYSICS_STATE_BYTES = 8,
    CT_FLOW_NAVIGATION_STATE_BYTES = 8,
};
