// memory.h: the interface "memory": memory that the engine counts under the plugin's name.
//
// What is allocated stays over a reload (keep the pointer in a state) and must be freed at the latest
// in the last `shutdown`; what is left then is reported with its size, and freed.
#ifndef CUTTLE_MEMORY_H
#define CUTTLE_MEMORY_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_MEMORY_API "memory"

// Any thread. Running out of memory ends the program with a report.
typedef struct cuttle_memory_api_1 {
    // Returns `size_bytes` of memory at a multiple of `align`, a power of two (0: 16); NULL for 0
    // bytes. Not cleared.
    void *(*allocate)(cuttle_plugin *self, uint64_t size_bytes, uint64_t align);
    // Returns a block of `new_bytes` with the first bytes of `p` (NULL is fine), which is freed;
    // aligned to 16.
    void *(*reallocate)(cuttle_plugin *self, void *p, uint64_t old_bytes, uint64_t new_bytes);
    // Frees a block; NULL is fine.
    void (*free)(cuttle_plugin *self, void *p);
    // Returns the bytes that the plugin holds.
    uint64_t (*live_bytes)(cuttle_plugin *self);
} cuttle_memory_api_1;

#ifdef __cplusplus
}
#endif
#endif
