#include "peer_heaps.h"

#include <dlfcn.h>

#include "foundation/error.h"

static ct_peer_heap heap_of(void *library, const char *const names[3]) {
    CT_ASSERT(library, "cannot load the peer's heap: %s", dlerror());
    // dlsym returns functions as void *, which ISO C does not allow to cast.
    union {
        void *addresses[3];
        ct_peer_heap heap;
    } found;
    for (uint32_t i = 0; i < 3; ++i) {
        found.addresses[i] = dlsym(library, names[i]);
        CT_ASSERT(found.addresses[i], "the peer's heap has no function %s", names[i]);
    }
    return found.heap;
}

static bool is_mimalloc_linked(void) {
    return dlsym(RTLD_DEFAULT, "mi_version") != NULL;
}

// Opens the heap in `name`, in its own namespace unless it is this process's malloc already.
static ct_peer_heap open_heap(const char *name, bool is_linked, const char *const names[3]) {
    if (is_linked)
        return heap_of(dlopen(name, RTLD_NOW | RTLD_LOCAL), names);
    return heap_of(dlmopen(LM_ID_NEWLM, name, RTLD_NOW | RTLD_LOCAL), names);
}

ct_peer_heap ct_peer_mimalloc(void) {
    static const char *const names[3] = {"mi_malloc", "mi_free", "mi_usable_size"};
    static ct_peer_heap heap;
    if (!heap.allocate)
        heap = open_heap("libmimalloc.so.2", is_mimalloc_linked(), names);
    return heap;
}

ct_peer_heap ct_peer_glibc(void) {
    static const char *const names[3] = {"malloc", "free", "malloc_usable_size"};
    static ct_peer_heap heap;
    if (!heap.allocate)
        heap = open_heap("libc.so.6", !is_mimalloc_linked(), names);
    return heap;
}
