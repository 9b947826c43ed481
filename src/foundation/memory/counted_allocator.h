// counted_allocator.h: the common part of heap, page and guard allocators and all proxies.
//
// A counted allocator takes memory from a source, counts it, and is a node of the memory tree. When
// it is checked or traced, it keeps each live block in the block table. A proxy uses the source of
// its backing allocator: however deep proxies nest, an allocation goes straight to the source and
// is counted once.
//
// `dev` builds check every block; CUTTLE_MEMORY_CHECK=0 or 1 in the environment changes that in any
// build.
#pragma once
#include "foundation/memory/allocator_counters.h"
#include "foundation/memory/memory_tree.h"

// Where memory comes from. It must be as thread-safe as the allocators over it promise to be.
typedef struct ct_memory_source {
    // Returns NULL when out of memory.
    void *(*allocate)(struct ct_memory_source *s, uint64_t size_bytes, uint64_t align);
    void (*free)(struct ct_memory_source *s, void *p, uint64_t size_bytes); // 0: unknown
    uint64_t (*allocated_size)(struct ct_memory_source *s, const void *p);
    bool is_exact; // allocated_size is the requested size
    // Replace ct_counted_allocate and ct_counted_free in the interface, and pass on to those all
    // blocks for which ct_counted_is_small is false. NULL: no replacement.
    void *(*allocate_small)(ct_allocator *a, uint64_t size_bytes, uint64_t align);
    void (*free_small)(ct_allocator *a, void *p, uint64_t size_bytes);
} ct_memory_source;

// Small blocks, of CT_COUNTED_LEAST_BYTES to CT_COUNTED_SMALL_BYTES, take the fast path of a source
// unless there is a reason against it. Reasons are bits above the range of sizes. (Even smaller
// blocks are rare, and mimalloc aligns them to 8 bytes only.)
enum { CT_COUNTED_LEAST_BYTES = 9, CT_COUNTED_SMALL_BYTES = CT_COUNTED_LEAST_BYTES + 1023 };
typedef enum ct_counted_reason {
    CT_COUNTED_REASON_CHECKED = 1 << 10,
    CT_COUNTED_REASON_TRACED = 1 << 11,
    // A small block was aligned beyond the default: when it is freed, its size no longer gives its
    // usable size.
    CT_COUNTED_REASON_ALIGNED = 1 << 12,
    CT_COUNTED_REASON_FAILING = 1 << 13, // allocations are counted until one fails on purpose
} ct_counted_reason;

// Private except for `interface`; part of the struct of each allocator of this kind.
typedef struct ct_counted_allocator {
    ct_allocator interface;
    ct_memory_source *source;
    _Atomic uint32_t reasons; // of ct_counted_reason
    bool can_be_traced;       // false for what the block table itself uses
    ct_memory_node node;
    char name[64];
    ct_allocator_counters counters;
} ct_counted_allocator;

// Starts `c`, which must be zeroed, over `source`, in the tree below `parent` (NULL: a root).
// `name` is copied (63 characters).
void ct_counted_allocator_init(ct_counted_allocator *c, ct_memory_source *source,
                               ct_counted_allocator *parent, const char *name);

// Removes `c` from the tree. Fails when it has children or is not empty.
void ct_counted_allocator_shutdown(ct_counted_allocator *c);

// Returns the counted allocator behind an interface, or NULL when it is of another kind.
ct_counted_allocator *ct_counted_allocator_of(ct_allocator *a);

// Returns the counted allocator of a node of the tree, or NULL when it is of another kind.
ct_counted_allocator *ct_counted_allocator_of_node(const ct_memory_node *node);

// The general functions of ct_allocator.
void *ct_counted_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align);
void ct_counted_free(ct_allocator *a, void *p, uint64_t size_bytes);

// Returns whether any of `reasons` (of ct_counted_reason) is set.
static inline bool ct_counted_has(const ct_counted_allocator *c, uint32_t reasons) {
    return (atomic_load_explicit(&c->reasons, memory_order_relaxed) & reasons) != 0;
}

// Returns whether a block of `size_bytes` takes the fast path of its source: its size is small, and
// there is no reason against it.
static inline bool ct_counted_is_small(const ct_counted_allocator *c, uint64_t size_bytes) {
    const uint64_t reasons = atomic_load_explicit(&c->reasons, memory_order_relaxed);
    return ((size_bytes - CT_COUNTED_LEAST_BYTES) | reasons) < CT_COUNTED_REASON_CHECKED;
}

// Returns whether its blocks are in the block table.
bool ct_counted_allocator_keeps_blocks(const ct_counted_allocator *c);

// Switches the recording of call stacks on or off. Any time, any thread.
void ct_counted_allocator_set_traced(ct_counted_allocator *c, bool is_traced);

// Ends the program with the out-of-memory report of `a`.
_Noreturn void ct_allocator_out_of_memory(ct_allocator *a, uint64_t size_bytes);
