// double_frame_allocator.h: what is allocated in a frame lives until the end of the next one.
//
// Two frame allocators take turns: a swap makes the older one current and resets it. For what one
// frame hands to the next, as states that the renderer reads. One thread.
// From "Custom Memory Allocation in C++" (Bitsquid blog, 2010-09-21).
#pragma once
#include "foundation/memory/frame_allocator.h"

typedef struct ct_double_frame_allocator ct_double_frame_allocator;

// Makes the two over `backing`, with chunks as ct_frame_allocator_create has them.
ct_double_frame_allocator *ct_double_frame_allocator_create(ct_allocator *backing, const char *name,
                                                            uint64_t chunk_bytes);

// Frees everything (NULL is fine).
void ct_double_frame_allocator_destroy(ct_double_frame_allocator *d);

// The interface to allocate from the current frame through; it takes back blocks of both. Lives as
// long as `d`.
ct_allocator *ct_double_frame_allocator_interface(ct_double_frame_allocator *d);

// This frame's allocator, for ct_frame_take; until the next swap.
ct_frame_allocator *ct_double_frame_allocator_current(ct_double_frame_allocator *d);

// Ends the frame: frees all that was allocated in the one before it, and starts the next.
void ct_double_frame_allocator_swap(ct_double_frame_allocator *d);
