// memory_leak.h: the check that allocators make when they end.
#pragma once
#include "foundation/memory/allocator.h"

// Fails when `a` holds a block, or got back more than it handed out. The report gives its name, the
// number of blocks and their bytes and, where each block is known, the largest, with call stacks
// when traced.
void ct_allocator_assert_empty(ct_allocator *a);
