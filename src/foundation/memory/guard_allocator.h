// guard_allocator.h: every block ends at the end of a page, right before a forbidden page.
//
// Reading or writing past a block faults at once, in any build. The few bytes between the block and
// the end of its page (alignment), and those before it on its first page, hold a pattern that is
// checked when the block is freed. Accesses to freed blocks fault too, until CT_GUARD_FREED_BLOCKS
// others or CT_GUARD_FREED_BYTES of address space were freed after them. A block takes three pages
// or more: use it to find one system's bugs (CUTTLE_MEMORY_GUARD, memory_settings.h), not to play.
// Blocks count as their requested size. Any thread.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_GUARD_FREED_BLOCKS = 4096, CT_GUARD_FREED_BYTES = 256 * 1024 * 1024 };

// Makes a guard allocator; its own struct is allocated from `a`. `name` is copied. One at a time.
ct_allocator *ct_guard_allocator_create(ct_allocator *a, const char *name);

// Ends `guard`; asserts that it has no children and is empty.
void ct_guard_allocator_destroy(ct_allocator *guard);
