#include "foundation/proxy_allocator.h"

#include <stdio.h>

#include "foundation/allocator_counters.h"
#include "foundation/memory_tree.h"

typedef struct proxy_allocator {
    ct_allocator interface;
    ct_allocator *backing;
    ct_allocator_counters counters;
    ct_memory_node node;
    char name[64];
} proxy_allocator;

static void *proxy_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    proxy_allocator *proxy = (proxy_allocator *)a;
    void *p = proxy->backing->allocate(proxy->backing, size_bytes, align);
    ct_allocator_counters_add(&proxy->counters, ct_allocated_size(proxy->backing, p));
    return p;
}

static void proxy_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    proxy_allocator *proxy = (proxy_allocator *)a;
    ct_allocator_counters_remove(&proxy->counters, ct_allocated_size(proxy->backing, p), a->name);
    proxy->backing->free(proxy->backing, p, size_bytes);
}

static uint64_t proxy_allocated_size(ct_allocator *a, const void *p) {
    return ct_allocated_size(((proxy_allocator *)a)->backing, p);
}

static void proxy_stats(ct_allocator *a, ct_allocator_stats *stats) {
    ct_allocator_counters_read(&((proxy_allocator *)a)->counters, stats);
}

ct_allocator *ct_proxy_allocator_create(ct_allocator *backing, const char *name) {
    proxy_allocator *proxy = CT_NEW(backing, proxy_allocator);
    snprintf(proxy->name, sizeof(proxy->name), "%s", name);
    proxy->interface = (ct_allocator){.allocate = proxy_allocate,
                                      .free = proxy_free,
                                      .allocated_size = proxy_allocated_size,
                                      .stats = proxy_stats,
                                      .name = proxy->name};
    proxy->backing = backing;
    ct_memory_tree_add(&proxy->node, &proxy->interface, backing);
    return &proxy->interface;
}

void ct_proxy_allocator_destroy(ct_allocator *allocator) {
    if (!allocator)
        return;
    proxy_allocator *proxy = (proxy_allocator *)allocator;
    ct_memory_tree_remove(&proxy->node);
    ct_allocator_assert_empty(allocator);
    ct_free_sized(proxy->backing, proxy, sizeof(*proxy));
}
