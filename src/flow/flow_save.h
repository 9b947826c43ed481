// flow_save.h: the state of flow graphs as a kind of saved worlds (world/save/world_save.h).
//
// Saved are all variables, outputs and waiting nodes of the graphs of units and levels, and the variables
// that all graphs share. A graph that changed since keeps its start state, which is reported. Update
// thread.
#pragma once
#include "flow/flow.h"
#include "world/save/world_save.h"

enum { CT_FLOW_NUM_SAVE_KINDS = 3 };

// Fills in the kinds of a world: graphs of units, of levels, and what they share.
void ct_flow_save_kinds(ct_flow_world *w, ct_save_component kinds[CT_FLOW_NUM_SAVE_KINDS]);
