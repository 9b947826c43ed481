// The buffer of all lists of tags: one block that doubles, and the lists move along.
#include "entity/tag_private.h"

#include <string.h>

enum { LEAST_BUFFER_BYTES = 16 * 1024, LEAF_BYTES = 16 };

static void start_buffer(ct_tag_manager *m, uint64_t bytes) {
    m->buffer_bytes = bytes;
    m->buffer = ct_alloc_aligned(m->allocator, bytes, 64);
    ct_buddy_init(&m->buddy, "tags", m->buffer, bytes, LEAF_BYTES);
}

void ct_tag_memory_init(ct_tag_manager *m) {
    start_buffer(m, LEAST_BUFFER_BYTES);
}

void ct_tag_memory_shutdown(ct_tag_manager *m) {
    ct_buddy_shutdown(&m->buddy);
    ct_free_sized(m->allocator, m->buffer, m->buffer_bytes);
}

// Moves the items of one list, whose capacity stays, from one allocator to another; returns the new
// place, NULL when there is no room.
static void *moved(ct_buddy_allocator *to, ct_buddy_allocator *from, void *items, uint32_t capacity,
                   uint64_t item_bytes) {
    const uint64_t bytes = capacity * item_bytes;
    if (!items)
        return NULL;
    void *const copy = ct_buddy_take(to, bytes);
    memcpy(copy, items, bytes);
    ct_buddy_give_sized(from, items, bytes);
    return copy;
}

#define MOVE_LIST(to, from, list)                                                                  \
    ((list)->items = moved((to), (from), (list)->items, (list)->capacity, sizeof(*(list)->items)))

// Moves everything to a buffer of `bytes`, at least twice what is there.
static void move_to(ct_tag_manager *m, uint64_t bytes) {
    ct_buddy_allocator old = m->buddy;
    void *const old_buffer = m->buffer;
    const uint64_t old_bytes = m->buffer_bytes;
    start_buffer(m, bytes);
    // The arrays of tags first: they are the large ones, and leave no holes before small ones.
    for (uint32_t i = 1; i < m->records.count; ++i) {
        MOVE_LIST(&m->buddy, &old, &m->records.items[i].signatures);
        MOVE_LIST(&m->buddy, &old, &m->records.items[i].entities);
    }
    for (uint32_t row = 1; row < m->table.soa.count; ++row) {
        ct_tag_list *const list = &m->tags[row];
        if (list->capacity)
            list->block = moved(&m->buddy, &old, list->block, list->capacity, sizeof(ct_tag_place));
    }
    ct_buddy_shutdown(&old);
    ct_free_sized(m->allocator, old_buffer, old_bytes);
}

static bool has_block(ct_tag_manager *m, uint64_t bytes) {
    void *const p = ct_buddy_try_take(&m->buddy, bytes);
    if (p)
        ct_buddy_give_sized(&m->buddy, p, bytes);
    return p != NULL;
}

void ct_tag_memory_reserve(ct_tag_manager *m, uint32_t capacity, uint64_t wanted,
                           uint64_t item_bytes) {
    if (wanted <= capacity)
        return;
    const uint64_t bytes = ct_buddy_rounded_bytes(&m->buddy, wanted * item_bytes);
    while (!has_block(m, bytes)) {
        const uint64_t twice = 2 * m->buffer_bytes;
        move_to(m, twice > 4 * bytes ? twice : 4 * bytes);
    }
}

void ct_tag_memory_grow_row(ct_tag_manager *m, uint32_t row, uint32_t count) {
    ct_tag_memory_reserve(m, 0, count, sizeof(ct_tag_place)); // lists may move
    const uint64_t bytes = ct_buddy_rounded_bytes(&m->buddy, count * sizeof(ct_tag_place));
    ct_tag_list *const list = &m->tags[row];
    const ct_tag_list old = *list;
    list->block = ct_buddy_take(&m->buddy, bytes);
    list->capacity = (uint32_t)(bytes / sizeof(ct_tag_place));
    memcpy(list->block, old.capacity ? old.block : old.few, old.count * sizeof(ct_tag_place));
    if (old.capacity)
        ct_buddy_give_sized(&m->buddy, old.block, old.capacity * sizeof(ct_tag_place));
}

void ct_tag_memory_free_row(ct_tag_manager *m, uint32_t row) {
    ct_tag_list *const list = &m->tags[row];
    if (list->capacity)
        ct_buddy_give_sized(&m->buddy, list->block, list->capacity * sizeof(ct_tag_place));
    *list = (ct_tag_list){0};
}
