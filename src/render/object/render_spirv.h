// render_spirv.h: finds the outputs of a fragment shader in its SPIR-V.
#pragma once
#include "foundation/types.h"

// Returns the locations that a fragment stage declares as outputs, bit i for location i; all bits
// when the module cannot be read, or has an output that is an array. `words` is a whole module.
// O(count) for each output.
uint32_t ct_render_spirv_outputs(const uint32_t *words, uint32_t count);
