#include <string.h>

#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_private.h"

// Before each block of a plugin: so the host finds what the plugin has forgotten.
typedef struct ct_plugin_block {
    struct ct_plugin_block *previous, *next;
    void *start;         // of the whole allocation
    uint64_t size_bytes; // that the plugin asked for
} ct_plugin_block;

static void *allocate(cuttle_plugin *self, uint64_t size_bytes, uint64_t align) {
    if (size_bytes == 0)
        return NULL;
    align = align < CT_DEFAULT_ALIGN ? CT_DEFAULT_ALIGN : align;
    CT_REQUIRE((align & (align - 1)) == 0 && align <= 1 << 20 && size_bytes < (uint64_t)1 << 47,
               "%s allocates %llu bytes at a multiple of %llu; expected a power of two", self->name,
               (unsigned long long)size_bytes, (unsigned long long)align);
    const uint64_t head = ct_round_up(sizeof(ct_plugin_block), align);
    uint8_t *const start = ct_alloc_aligned(self->allocator, head + size_bytes, align);
    ct_plugin_block *const block = (ct_plugin_block *)(start + head) - 1;
    ct_mutex_lock(&self->blocks_lock);
    *block = (ct_plugin_block){.next = self->blocks, .start = start, .size_bytes = size_bytes};
    if (self->blocks)
        self->blocks->previous = block;
    self->blocks = block;
    ct_mutex_unlock(&self->blocks_lock);
    return block + 1;
}

static void free_block(cuttle_plugin *self, void *p) {
    if (!p)
        return;
    ct_plugin_block *const block = (ct_plugin_block *)p - 1;
    ct_mutex_lock(&self->blocks_lock);
    if (block->previous)
        block->previous->next = block->next;
    else
        self->blocks = block->next;
    if (block->next)
        block->next->previous = block->previous;
    ct_mutex_unlock(&self->blocks_lock);
    ct_free(self->allocator, block->start);
}

static void *reallocate(cuttle_plugin *self, void *p, uint64_t old_bytes, uint64_t new_bytes) {
    void *const moved = allocate(self, new_bytes, 0);
    if (p && moved)
        memcpy(moved, p, old_bytes < new_bytes ? old_bytes : new_bytes);
    free_block(self, p);
    return moved;
}

static uint64_t live_bytes(cuttle_plugin *self) {
    ct_allocator_stats stats;
    self->allocator->stats(self->allocator, &stats);
    return stats.live_bytes;
}

void ct_plugin_free_blocks(ct_plugin *plugin) {
    while (plugin->blocks)
        free_block(plugin, plugin->blocks + 1);
}

const cuttle_memory_api_1 ct_plugin_memory_api_1 = {
    .allocate = allocate,
    .reallocate = reallocate,
    .free = free_block,
    .live_bytes = live_bytes,
};
