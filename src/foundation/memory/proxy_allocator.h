// proxy_allocator.h: an allocator that names and counts what one system takes from another.
//
// Proxies nest (`world` over the heap, `world/physics` over `world`), at no cost: each goes
// straight to where the memory comes from, and is counted in what it stands on by
// allocator_counters.h. Every system makes one, and destroying it asserts that the system has given
// everything back. As safe from several threads as what it stands on; about 2.5 KB.
#pragma once
#include "foundation/memory/allocator.h"

// Makes an allocator that takes from `backing` and counts. `name` is copied (63 characters).
ct_allocator *ct_proxy_allocator_create(ct_allocator *backing, const char *name);

// Ends `proxy` (NULL is fine). A block that is still live is a bug: the report names the proxy, the
// number of blocks and their bytes (memory_leak.h).
void ct_proxy_allocator_destroy(ct_allocator *proxy);
