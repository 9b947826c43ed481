#include "foundation/memory/counted_allocator.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/block_table.h"
#include "foundation/memory/memory_leak.h"
#include "foundation/memory/memory_settings.h"

// --- Blocks --------------------------------------------------------------------------------------

bool ct_counted_allocator_keeps_blocks(const ct_counted_allocator *c) {
    return ct_counted_has(c, CT_COUNTED_REASON_CHECKED | CT_COUNTED_REASON_TRACED);
}

_Noreturn void ct_allocator_out_of_memory(ct_allocator *a, uint64_t size_bytes) {
    char path[CT_MEMORY_PATH_BYTES];
    const ct_counted_allocator *const c = ct_counted_allocator_of(a);
    if (c)
        ct_memory_tree_path(&c->node, path);
    else
        snprintf(path, sizeof(path), "%s", a->name);
    const ct_allocator_stats stats = ct_allocator_stats_of(a);
    CT_REQUIRE(false,
               "out of memory: allocator \"%s\" holds %" PRIu64
               " bytes and cannot allocate %" PRIu64 " more",
               path, stats.live_bytes, size_bytes);
    __builtin_unreachable();
}

static void add_reason(ct_counted_allocator *c, uint32_t reason) {
    if (!ct_counted_has(c, reason))
        atomic_fetch_or_explicit(&c->reasons, reason, memory_order_relaxed);
}

void *ct_counted_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_counted_allocator *const c = (ct_counted_allocator *)a;
    const bool fails =
        ct_counted_has(c, CT_COUNTED_REASON_FAILING) && ct_memory_settings_fails_now();
    void *const p = fails ? NULL : c->source->allocate(c->source, size_bytes, align);
    if (!p)
        ct_allocator_out_of_memory(a, size_bytes);
    if (align > CT_DEFAULT_ALIGN && size_bytes <= CT_COUNTED_SMALL_BYTES)
        add_reason(c, CT_COUNTED_REASON_ALIGNED);
    ct_allocator_counters_add(&c->counters, c->source->allocated_size(c->source, p));
    if (ct_counted_allocator_keeps_blocks(c))
        ct_block_table_add(c, p, size_bytes);
    return p;
}

void ct_counted_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_counted_allocator *const c = (ct_counted_allocator *)a;
    // First of all: the source may trip over what is none of its blocks, and from the source on
    // another thread may get the same address.
    if (ct_counted_allocator_keeps_blocks(c))
        ct_block_table_remove(c, p, size_bytes);
    const uint64_t usable_bytes = c->source->allocated_size(c->source, p);
    const bool fits = c->source->is_exact ? size_bytes == 0 || size_bytes == usable_bytes
                                          : size_bytes <= usable_bytes;
    CT_ASSERT(fits,
              "allocator \"%s\": a block of %" PRIu64 " bytes is freed with a size of %" PRIu64,
              a->name, usable_bytes, size_bytes);
    ct_allocator_counters_remove(&c->counters, usable_bytes);
    c->source->free(c->source, p, size_bytes);
}

static uint64_t counted_allocated_size(ct_allocator *a, const void *p) {
    const ct_counted_allocator *const c = (ct_counted_allocator *)a;
    return c->source->allocated_size(c->source, p);
}

static uint64_t at_least_0(uint64_t value) {
    return (int64_t)value < 0 ? 0 : value;
}

static void counted_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = ct_memory_tree_stats(&((ct_counted_allocator *)a)->node);
    stats->live_bytes = at_least_0(stats->live_bytes);
    stats->live_blocks = at_least_0(stats->live_blocks);
}

ct_counted_allocator *ct_counted_allocator_of(ct_allocator *a) {
    return a->stats == counted_stats ? (ct_counted_allocator *)a : NULL;
}

ct_counted_allocator *ct_counted_allocator_of_node(const ct_memory_node *node) {
    return ct_counted_allocator_of(node->allocator);
}

// --- Life ----------------------------------------------------------------------------------------

// Under the tree's lock, so that nothing falls between a switch of tracing and a new proxy.
static void find_reasons(ct_counted_allocator *c, const ct_counted_allocator *parent) {
    c->can_be_traced = ct_block_table_is_started();
    if (!c->can_be_traced)
        return;
    if (ct_memory_settings_failing_allocation() != 0)
        add_reason(c, CT_COUNTED_REASON_FAILING);
    if (ct_memory_settings_checks_blocks())
        add_reason(c, CT_COUNTED_REASON_CHECKED);
    char path[CT_MEMORY_PATH_BYTES];
    ct_memory_tree_path(&c->node, path);
    if ((parent && ct_counted_has(parent, CT_COUNTED_REASON_TRACED)) ||
        ct_memory_path_matches_any(path, ct_memory_settings_traced_names()))
        add_reason(c, CT_COUNTED_REASON_TRACED);
}

void ct_counted_allocator_init(ct_counted_allocator *c, ct_memory_source *source,
                               ct_counted_allocator *parent, const char *name) {
    snprintf(c->name, sizeof(c->name), "%s", name);
    c->interface = (ct_allocator){.allocate = source->allocate_small ? source->allocate_small
                                                                     : ct_counted_allocate,
                                  .free = source->free_small ? source->free_small : ct_counted_free,
                                  .allocated_size = counted_allocated_size,
                                  .stats = counted_stats,
                                  .name = c->name};
    c->source = source;
    ct_memory_tree_lock();
    ct_memory_tree_add(&c->node, &c->interface, &c->counters, parent ? &parent->node : NULL);
    find_reasons(c, parent);
    ct_memory_tree_unlock();
}

void ct_counted_allocator_shutdown(ct_counted_allocator *c) {
    ct_memory_tree_assert_no_children(&c->node);
    ct_allocator_assert_empty(&c->interface);
    ct_memory_tree_remove(&c->node);
}

void ct_counted_allocator_set_traced(ct_counted_allocator *c, bool is_traced) {
    if (is_traced)
        add_reason(c, CT_COUNTED_REASON_TRACED);
    else
        atomic_fetch_and_explicit(&c->reasons, ~(uint32_t)CT_COUNTED_REASON_TRACED,
                                  memory_order_relaxed);
}
