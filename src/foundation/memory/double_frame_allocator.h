// double_frame_allocator.h: memory allocated in one frame lives until the end of the next.
//
// Two frame allocators take turns: a swap makes the older one current and resets it. Use it for
// data that one frame hands to the next, such as states that the renderer reads. One thread.
// From "Custom Memory Allocation in C++" (Bitsquid blog, 2010-09-21).
#pragma once
#include "foundation/memory/frame_allocator.h"

typedef struct ct_double_frame_allocator ct_double_frame_allocator;

// Makes both allocators over `backing`, with chunks as in ct_frame_allocator_create.
ct_double_frame_allocator *ct_double_frame_allocator_create(ct_allocator *backing, const char *name,
                                                            uint64_t chunk_bytes);

// Frees everything (NULL is fine).
void ct_double_frame_allocator_destroy(ct_double_frame_allocator *d);

// Returns the interface that allocates from the current frame; it frees blocks of both frames. It
// lives as long as `d`.
ct_allocator *ct_double_frame_allocator_interface(ct_double_frame_allocator *d);

// Returns this frame's allocator, for ct_frame_take; valid until the next swap.
ct_frame_allocator *ct_double_frame_allocator_current(ct_double_frame_allocator *d);

// Ends the frame: frees all memory allocated in the frame before it, and starts the next frame.
void ct_double_frame_allocator_swap(ct_double_frame_allocator *d);
