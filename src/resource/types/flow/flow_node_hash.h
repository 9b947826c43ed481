// flow_node_hash.h: one number for all that the compiler takes from descriptions of nodes.
//
// It is part of the key of compiled graphs, so that graphs are compiled again when a node has got other
// slots. Texts for readers do not count. Any thread.
#pragma once
#include "resource/types/flow/flow_node_types.h"

// Returns the number for some tables.
uint64_t ct_flow_hash_of_tables(const ct_flow_node_table *tables, uint32_t count);

// Returns the number for the tables of the engine.
uint64_t ct_flow_node_hash(void);
