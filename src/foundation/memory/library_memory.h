// library_memory.h: memory for third-party libraries that accept our allocation functions.
//
// A proxy with the library's name (counted, traced and shown like any other) that also offers what
// C libraries and drivers expect: any alignment, reallocation without the old size, any thread.
// Blocks are linked, at 32 bytes each, because a library's leak is not our bug: leaked blocks are
// reported and freed, where a proxy would end the program.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_library_memory ct_library_memory;

// Makes the memory of the library `name`, over `a`, which must be safe from any thread.
ct_library_memory *ct_library_memory_create(ct_allocator *a, const char *name);

// Ends `m` (NULL is fine) after the library's last call. Blocks that are left cause a warning
// (library_leak) and are freed.
void ct_library_memory_destroy(ct_library_memory *m);

// Returns the proxy, for its statistics. It lives as long as `m`.
ct_allocator *ct_library_memory_allocator(const ct_library_memory *m);

// Returns `size_bytes` at a multiple of `align` (a power of two; 0 means 16); NULL for 0 bytes.
void *ct_library_alloc(ct_library_memory *m, uint64_t size_bytes, uint64_t align);

// Like C's realloc: `p` may be NULL; 0 bytes free it and return NULL. Pass the `align` that `p` was
// made with.
void *ct_library_realloc(ct_library_memory *m, void *p, uint64_t size_bytes, uint64_t align);

// Frees `p`; NULL is fine.
void ct_library_free(ct_library_memory *m, void *p);
