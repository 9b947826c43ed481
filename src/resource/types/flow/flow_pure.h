// flow_pure.h: the functions of nodes that depend on their inputs alone: math, conversions, strings.
//
// Arithmetic is that of IEEE 754 doubles, as KHR_interactivity defines it (docs/flow_arithmetic.md lists where
// Flow differs). Pure functions: any thread.
#pragma once
#include "resource/types/flow/flow_call.h"

// Returns the function of a node type by its name; NULL for nodes that need more than their inputs.
ct_flow_function ct_flow_find_pure(const char *name);
