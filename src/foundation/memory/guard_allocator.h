// guard_allocator.h: every block ends at the end of a page, before one that nobody may touch.
//
// Reading or writing past a block faults at once, in any build. The few bytes between the block and
// the end of its page (alignment), and those before it on its first page, hold a pattern that is
// checked when the block comes back. Freed blocks cannot be touched either, until
// CT_GUARD_FREED_BLOCKS others or CT_GUARD_FREED_BYTES of address space were freed after them. A
// block takes three pages or more: for hunting one system's bugs (CUTTLE_MEMORY_GUARD,
// memory_settings.h), not for play. Blocks count as what was asked for. Any thread.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_GUARD_FREED_BLOCKS = 4096, CT_GUARD_FREED_BYTES = 256 * 1024 * 1024 };

// Makes a guard allocator whose own struct is allocated from `a`. `name` is copied. One at a time.
ct_allocator *ct_guard_allocator_create(ct_allocator *a, const char *name);

// Ends it; asserts that nothing stands on it and that it is empty.
void ct_guard_allocator_destroy(ct_allocator *guard);
