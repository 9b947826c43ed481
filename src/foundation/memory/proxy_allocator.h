// proxy_allocator.h: an allocator that names and counts what one system takes from another.
//
// Proxies nest (`world` over the heap, `world/physics` over `world`) at no cost: each goes straight
// to the source of the memory, and allocator_counters.h adds its counts to its backing allocator.
// Every system makes one; destroying it asserts that the system has freed everything. A proxy is as
// thread-safe as its backing allocator and takes about 2.5 KB.
#pragma once
#include "foundation/memory/allocator.h"

// Makes an allocator that takes its memory from `backing` and counts it. `name` is copied (63
// characters).
ct_allocator *ct_proxy_allocator_create(ct_allocator *backing, const char *name);

// Ends `proxy` (NULL is fine). A block that is still live is a bug: the report gives the proxy's
// name, the number of blocks and their bytes (memory_leak.h).
void ct_proxy_allocator_destroy(ct_allocator *proxy);
