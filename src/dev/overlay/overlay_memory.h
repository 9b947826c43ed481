// overlay_memory.h: which systems hold the most memory.
//
// The named allocators of the process, each with what it holds itself, without those over it; so the
// bytes of all together are those of the process. Allocators of the same path, such as those of
// several worlds, are one. Any thread.
#pragma once
#include "foundation/types.h"

enum { CT_OVERLAY_MEMORY_ROWS = 9, CT_OVERLAY_MEMORY_NAME_BYTES = 64 };

typedef struct ct_overlay_memory_row {
    char name[CT_OVERLAY_MEMORY_NAME_BYTES]; // "render/vulkan": the path below the app
    uint64_t bytes;                          // of its own
} ct_overlay_memory_row;

typedef struct ct_overlay_memory {
    ct_overlay_memory_row rows[CT_OVERLAY_MEMORY_ROWS]; // the largest first
    uint32_t count;
    uint64_t total_bytes; // of all allocators
} ct_overlay_memory;

// Counts all allocators. Some microseconds; allocates nothing.
void ct_overlay_memory_count(ct_overlay_memory *memory);
