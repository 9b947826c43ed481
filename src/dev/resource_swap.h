// resource_swap.h: swaps resources whose data changed in a running game, and logs which.
#pragma once
#include "compiler/driver/compiler.h"
#include "resource/load/resource_manager.h"

// Reloads these resources, those of them that are loaded. Call it at a frame boundary, on the
// update thread. Scratch memory is from `a`. Returns how many were swapped.
uint32_t ct_resource_swap(ct_allocator *a, ct_resource_manager *resources,
                          const ct_resource_id_array *changed);
