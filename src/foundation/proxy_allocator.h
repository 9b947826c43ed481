// proxy_allocator.h: an allocator that names and counts what one system takes from another.
//
// Proxies nest (`world` over the heap, `world/physics` over `world`). Every system makes one, and
// destroying it asserts that the system has given everything back. Thread-safe when its backing is.
#pragma once
#include "foundation/allocator.h"

// Makes an allocator that forwards to `backing` and counts. `name` is copied (63 characters).
ct_allocator *ct_proxy_allocator_create(ct_allocator *backing, const char *name);

// Ends `proxy` (NULL is fine). A block that is still live is a bug: the report names the proxy, the
// number of blocks and their bytes.
void ct_proxy_allocator_destroy(ct_allocator *proxy);
