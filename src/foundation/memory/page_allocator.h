// page_allocator.h: whole pages from the operating system behind the allocator interface.
//
// Every block begins on a page (or at a larger alignment). The page before it holds its size; under
// AddressSanitizer that page and the rest of the last one are poisoned. Blocks are zeroed and count
// as their requested size. Safe from any thread.
#pragma once
#include "foundation/memory/allocator.h"

// Makes a page allocator; its own struct is allocated from `a`. `name` is copied.
ct_allocator *ct_page_allocator_create(ct_allocator *a, const char *name);

// Ends `pages`; asserts that it has no children and is empty.
void ct_page_allocator_destroy(ct_allocator *pages);

// --- Reserved blocks -----------------------------------------------------------------------------

// A reserved block takes address space only, so that it can grow in place. `pages` is a page
// allocator or a proxy over one; only the committed bytes of the block count. Do not pass these
// blocks to ct_free or ct_allocated_size.

// Reserves `size_bytes` (rounded up to pages). They must not be accessed before they are committed.
void *ct_pages_reserve(ct_allocator *pages, uint64_t size_bytes);

// Commit makes part of a reserved block usable and zeroed; decommit gives it back and drops its
// contents. `p` is the start of a page; `size_bytes` is rounded up to pages. Do not commit what is
// committed, nor decommit what is not: it would be counted twice.
void ct_pages_commit(ct_allocator *pages, void *p, uint64_t size_bytes);
void ct_pages_decommit(ct_allocator *pages, void *p, uint64_t size_bytes);

// Gives back a reserved block of which `committed_bytes` are committed.
void ct_pages_release(ct_allocator *pages, void *p, uint64_t size_bytes, uint64_t committed_bytes);
