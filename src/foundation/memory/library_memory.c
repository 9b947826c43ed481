#include "foundation/memory/library_memory.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"

// In front of each block.
typedef struct block {
    struct block *next, *previous;
    uint64_t size_bytes;  // as asked for
    uint64_t front_bytes; // from the start of the allocation to the block, this struct included
} block;

struct ct_library_memory {
    ct_allocator *allocator; // the proxy
    ct_allocator *backing;
    ct_mutex lock; // of the list
    block *first;
};

_Static_assert(sizeof(block) % CT_DEFAULT_ALIGN == 0, "blocks keep the default alignment");

ct_library_memory *ct_library_memory_create(ct_allocator *a, const char *name) {
    ct_library_memory *const m = CT_NEW(a, ct_library_memory);
    m->backing = a;
    m->allocator = ct_proxy_allocator_create(a, name);
    ct_mutex_init(&m->lock);
    return m;
}

ct_allocator *ct_library_memory_allocator(const ct_library_memory *m) {
    return m->allocator;
}

static void *start_of(block *b) {
    return (char *)(b + 1) - b->front_bytes;
}

static void free_block(ct_library_memory *m, block *b) {
    ct_free_sized(m->allocator, start_of(b), b->front_bytes + b->size_bytes);
}

// Frees what the library has left.
static void free_leaks(ct_library_memory *m) {
    uint64_t num_blocks = 0, num_bytes = 0;
    for (block *b = m->first; b;) {
        block *const next = b->next;
        ++num_blocks;
        num_bytes += b->size_bytes;
        free_block(m, b);
        b = next;
    }
    ct_log_warning("memory", "library_leak",
                   "the library \"%s\" did not free %" PRIu64 " blocks, %" PRIu64 " bytes",
                   m->allocator->name, num_blocks, num_bytes);
}

void ct_library_memory_destroy(ct_library_memory *m) {
    if (!m)
        return;
    if (m->first)
        free_leaks(m);
    ct_mutex_shutdown(&m->lock);
    ct_proxy_allocator_destroy(m->allocator);
    ct_free_sized(m->backing, m, sizeof(*m));
}

void *ct_library_alloc(ct_library_memory *m, uint64_t size_bytes, uint64_t align) {
    if (size_bytes == 0)
        return NULL;
    const uint64_t least = align > CT_DEFAULT_ALIGN ? align : CT_DEFAULT_ALIGN;
    // The block follows its header at the first multiple of the alignment that leaves room for it.
    const uint64_t front_bytes = (sizeof(block) + least - 1) / least * least;
    CT_REQUIRE(size_bytes <= UINT64_MAX - front_bytes,
               "out of memory: the library \"%s\" cannot allocate %" PRIu64 " bytes",
               m->allocator->name, size_bytes);
    char *const start = ct_alloc_aligned(m->allocator, front_bytes + size_bytes, least);
    block *const b = (block *)(void *)(start + front_bytes) - 1;
    *b = (block){.size_bytes = size_bytes, .front_bytes = front_bytes};
    ct_mutex_lock(&m->lock);
    b->next = m->first;
    if (m->first)
        m->first->previous = b;
    m->first = b;
    ct_mutex_unlock(&m->lock);
    return b + 1;
}

void ct_library_free(ct_library_memory *m, void *p) {
    if (!p)
        return;
    block *const b = (block *)p - 1;
    ct_mutex_lock(&m->lock);
    if (b->previous)
        b->previous->next = b->next;
    else
        m->first = b->next;
    if (b->next)
        b->next->previous = b->previous;
    ct_mutex_unlock(&m->lock);
    free_block(m, b);
}

void *ct_library_realloc(ct_library_memory *m, void *p, uint64_t size_bytes, uint64_t align) {
    void *const moved = ct_library_alloc(m, size_bytes, align);
    if (p && moved) {
        const uint64_t old_bytes = ((block *)p - 1)->size_bytes;
        memcpy(moved, p, old_bytes < size_bytes ? old_bytes : size_bytes);
    }
    ct_library_free(m, p);
    return moved;
}
