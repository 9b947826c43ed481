// heap_allocator.h: the C heap behind the allocator interface.
//
// The only place that calls malloc, which comes from mimalloc, a sanitizer or the C library. A
// block counts as malloc's usable size, which is the requested size under sanitizers. Safe from any
// thread.
#pragma once
#include "foundation/memory/allocator.h"

// Makes a heap allocator; its own struct is allocated from `a`. `name` is borrowed.
ct_allocator *ct_heap_allocator_create(ct_allocator *a, const char *name);

// Ends `heap`; asserts that it has no children and is empty.
void ct_heap_allocator_destroy(ct_allocator *heap);
