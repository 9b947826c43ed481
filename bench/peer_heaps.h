// peer_heaps.h: the two heaps that ours are measured against, in one process.
//
// The one that is linked (mimalloc in `release`) is this process's malloc; the other is loaded into
// a linker namespace of its own, where it has its own C library. The functions are the heaps' own,
// without a call between.
#pragma once
#include "foundation/types.h"

typedef struct ct_peer_heap {
    void *(*allocate)(size_t size_bytes);
    void (*free)(void *p);
    size_t (*usable_size)(void *p);
} ct_peer_heap;

// Found once, then the same. A heap that cannot be loaded ends the program with a message.
ct_peer_heap ct_peer_mimalloc(void);
ct_peer_heap ct_peer_glibc(void);
