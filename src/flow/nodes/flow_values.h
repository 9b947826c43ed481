// flow_values.h: what nodes do with values of any type.
#pragma once
#include "flow/flow.h"

// Returns whether two inputs have the same value: of the same type, or both an entity. Texts are compared
// by their characters. Inputs without a value are equal.
bool ct_flow_inputs_equal(const ct_flow_call *c, uint32_t a, uint32_t b);

// Writes an input for a message.
void ct_flow_write_input(const ct_flow_call *c, uint32_t number, char *text, uint32_t bytes);
