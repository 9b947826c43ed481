// temp_allocator.h: scratch memory for one scope.
//
// The first bytes come from a buffer inside the struct, on the caller's stack. What does not fit
// spills to the backing allocator, in chunks that grow from 4 KiB to 256 KiB, so that many small
// blocks need few of its blocks. Everything is freed when the scope ends; freeing single blocks is
// allowed and only updates the counts. One thread.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_TEMP_BUFFER_BYTES = 4096 };

typedef struct ct_temp_allocator {
    ct_allocator interface;
    ct_allocator *backing;
    void *first_spill;             // list of spilled chunks, the latest first
    char *chunk_begin, *chunk_end; // what is left of the chunk that small blocks come from
    uint64_t chunk_bytes;          // of the next one
    uint64_t used_bytes;
    ct_allocator_stats counters;
    _Alignas(16) char buffer[CT_TEMP_BUFFER_BYTES];
} ct_temp_allocator;

// Starts `t`, which spills to `backing`.
void ct_temp_allocator_init(ct_temp_allocator *t, ct_allocator *backing);

// Frees everything that was allocated from `t`.
void ct_temp_allocator_shutdown(ct_temp_allocator *t);

// Declares a temp allocator that ends with the scope, and `name`, the interface to it.
#define CT_TEMP_ALLOCATOR(name, backing_allocator)                                                 \
    CT_CLEANUP(ct_temp_allocator_shutdown) ct_temp_allocator name##_storage;                       \
    ct_temp_allocator_init(&name##_storage, backing_allocator);                                    \
    ct_allocator *const name = &name##_storage.interface
