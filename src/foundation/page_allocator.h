// page_allocator.h: whole pages from the operating system behind the allocator interface.
//
// Every block begins on a page (or at a larger alignment) and has a page before it that holds its
// size; under AddressSanitizer that page and the rest of the last one are poisoned. Blocks are
// zeroed and count as what was asked for. Safe from any thread.
#pragma once
#include "foundation/allocator.h"

// Makes a page allocator whose own struct is allocated from `a`. `name` is borrowed.
ct_allocator *ct_page_allocator_create(ct_allocator *a, const char *name);

// Ends it; asserts that nothing stands on it and that it is empty.
void ct_page_allocator_destroy(ct_allocator *pages);
