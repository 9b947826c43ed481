// page_allocator.h: whole pages from the operating system behind the allocator interface.
//
// Every block begins on a page (or at a larger alignment) and has a page before it that holds its
// size; under AddressSanitizer that page and the rest of the last one are poisoned. Blocks are
// zeroed and count as what was asked for. Safe from any thread.
#pragma once
#include "foundation/memory/allocator.h"

// Makes a page allocator whose own struct is allocated from `a`. `name` is copied.
ct_allocator *ct_page_allocator_create(ct_allocator *a, const char *name);

// Ends it; asserts that nothing stands on it and that it is empty.
void ct_page_allocator_destroy(ct_allocator *pages);

// --- Reserved blocks -----------------------------------------------------------------------------

// A block that takes address space only, so that it can grow in place. `pages` is a page allocator
// or a proxy over one; the block counts as what is committed of it. These blocks are not for
// ct_free and ct_allocated_size.

// Reserves `size_bytes` (rounded up to pages) that must not be touched yet.
void *ct_pages_reserve(ct_allocator *pages, uint64_t size_bytes);

// Makes part of a reserved block usable, zeroed, or takes it back, contents and all. `p` is the
// start of a page; `size_bytes` is rounded up to pages. What is there already, or not, must not be
// committed, or taken back, again: it would be counted twice.
void ct_pages_commit(ct_allocator *pages, void *p, uint64_t size_bytes);
void ct_pages_decommit(ct_allocator *pages, void *p, uint64_t size_bytes);

// Gives a reserved block back, of which `committed_bytes` are committed.
void ct_pages_release(ct_allocator *pages, void *p, uint64_t size_bytes, uint64_t committed_bytes);
