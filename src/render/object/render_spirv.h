// render_spirv.h: what the renderer must know of a shader's SPIR-V.
#pragma once
#include "foundation/types.h"

// The locations that a fragment stage declares as outputs, bit i for location i. All bits when the
// module cannot be read, or has an output that is an array. `words` is a whole module. O(count) for
// each output.
uint32_t ct_render_spirv_outputs(const uint32_t *words, uint32_t count);
