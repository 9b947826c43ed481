// machine_expression.h: evaluates the expressions of state machines.
//
// A program of words for a stack of floats (state_machine_resource.h). Every result that is not
// finite (a division by zero, an overflow) becomes 0, so that NaN and infinity never come out. True
// is 1; everything but 0 counts as true. Pure. Any thread.
#pragma once
#include "resource/types/state_machine_resource.h"

// Returns the value of an expression of a valid resource; `otherwise` for CT_STATE_MACHINE_NONE.
// `variables` has a finite value for each variable of the resource.
float ct_machine_expression(const ct_state_machine_resource *r, uint32_t expression,
                            const float *variables, float otherwise);
