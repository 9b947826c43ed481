// heap_allocator.h: the C heap behind the allocator interface.
//
// The one place that calls malloc, whoever provides it (mimalloc, a sanitizer, the C library). A
// block counts as malloc's usable size, which is the asked size under sanitizers. Safe from any
// thread.
#pragma once
#include "foundation/memory/allocator.h"

// Makes a heap allocator whose own struct is allocated from `a`. `name` is borrowed.
ct_allocator *ct_heap_allocator_create(ct_allocator *a, const char *name);

// Ends it; asserts that nothing stands on it and that it is empty.
void ct_heap_allocator_destroy(ct_allocator *heap);
