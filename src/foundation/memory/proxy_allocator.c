#include "foundation/memory/proxy_allocator.h"

#include <string.h>

#include "foundation/memory/counted_allocator.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/memory_settings.h"

// For a proxy over an allocator that is no counted one (frame, temp, pool, …).
typedef struct backing_source {
    ct_memory_source source;
    ct_allocator *backing;
} backing_source;

typedef struct proxy_allocator {
    ct_counted_allocator counted;
    ct_allocator *backing; // of this struct
    backing_source own_source;
} proxy_allocator;

static void *backing_allocate(ct_memory_source *s, uint64_t size_bytes, uint64_t align) {
    ct_allocator *const backing = ((backing_source *)s)->backing;
    return backing->allocate(backing, size_bytes, align);
}

static void backing_free(ct_memory_source *s, void *p, uint64_t size_bytes) {
    ct_free_sized(((backing_source *)s)->backing, p, size_bytes);
}

static uint64_t backing_allocated_size(ct_memory_source *s, const void *p) {
    return ct_allocated_size(((backing_source *)s)->backing, p);
}

static ct_memory_source *own_source(proxy_allocator *proxy) {
    proxy->own_source = (backing_source){.source = {.allocate = backing_allocate,
                                                    .free = backing_free,
                                                    .allocated_size = backing_allocated_size},
                                         .backing = proxy->backing};
    return &proxy->own_source.source;
}

static ct_memory_source *guard_source(const char *name) {
    ct_allocator *const guard = ct_memory_guard();
    const bool is_guarded =
        guard && ct_memory_path_matches_any(name, ct_memory_settings_guarded_names());
    return is_guarded ? ct_counted_allocator_of(guard)->source : NULL;
}

static ct_memory_source *find_source(proxy_allocator *proxy, const ct_counted_allocator *parent,
                                     const char *name) {
    ct_memory_source *const guard = guard_source(name);
    if (guard)
        return guard;
    return parent ? parent->source : own_source(proxy);
}

ct_allocator *ct_proxy_allocator_create(ct_allocator *backing, const char *name) {
    proxy_allocator *const proxy =
        ct_alloc_aligned(backing, sizeof(*proxy), _Alignof(proxy_allocator));
    memset(proxy, 0, sizeof(*proxy));
    proxy->backing = backing;
    ct_counted_allocator *const parent = ct_counted_allocator_of(backing);
    ct_counted_allocator_init(&proxy->counted, find_source(proxy, parent, name), parent, name);
    return &proxy->counted.interface;
}

void ct_proxy_allocator_destroy(ct_allocator *allocator) {
    if (!allocator)
        return;
    proxy_allocator *const proxy = (proxy_allocator *)allocator;
    ct_counted_allocator_shutdown(&proxy->counted);
    ct_free_sized(proxy->backing, proxy, sizeof(*proxy));
}
