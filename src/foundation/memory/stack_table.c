#include "foundation/memory/stack_table.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

typedef struct call_stack {
    uint64_t hash;
    uint64_t count;
    uint64_t frames[CT_STACK_TABLE_FRAMES];
} call_stack;

static struct {
    ct_allocator *memory;
    ct_mutex lock;
    call_stack *stacks; // [0] is none
    uint32_t *slots;    // numbers by hash, linear probing; twice as many as stacks fit
    uint32_t count, capacity;
} table;

enum { FIRST_CAPACITY = 256 };

void ct_stack_table_init(ct_allocator *memory) {
    table.memory = memory;
    ct_mutex_init(&table.lock);
}

void ct_stack_table_shutdown(void) {
    ct_free(table.memory, table.stacks);
    ct_free(table.memory, table.slots);
    table.stacks = NULL;
    table.slots = NULL;
    table.count = table.capacity = 0;
    ct_mutex_shutdown(&table.lock);
}

static uint32_t *find_slot(uint64_t hash, const uint64_t *frames, uint32_t count) {
    const uint32_t mask = 2 * table.capacity - 1;
    for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
        const uint32_t number = table.slots[i];
        const call_stack *const s = &table.stacks[number];
        if (number == 0 || (s->hash == hash && s->count == count &&
                            memcmp(s->frames, frames, count * sizeof(*frames)) == 0))
            return &table.slots[i];
    }
}

static void grow(void) {
    const uint32_t capacity = table.capacity ? 2 * table.capacity : FIRST_CAPACITY;
    table.stacks = ct_realloc(table.memory, table.stacks, table.capacity * sizeof(*table.stacks),
                              capacity * sizeof(*table.stacks));
    ct_free(table.memory, table.slots);
    table.slots = CT_NEW_ARRAY(table.memory, uint32_t, 2 * (uint64_t)capacity);
    table.capacity = capacity;
    for (uint32_t i = 1; i <= table.count; ++i) {
        const call_stack *const s = &table.stacks[i];
        *find_slot(s->hash, s->frames, (uint32_t)s->count) = i;
    }
}

static uint64_t hash_of(const uint64_t *frames, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; ++i) {
        hash = (hash ^ frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

uint32_t ct_stack_table_add(const uint64_t *frames, uint32_t count) {
    CT_ASSERT(count > 0, "a call stack must have at least 1 frame, found %u", count);
    if (count > CT_STACK_TABLE_FRAMES)
        count = CT_STACK_TABLE_FRAMES;
    const uint64_t hash = hash_of(frames, count);
    ct_mutex_lock(&table.lock);
    if (table.count + 1 >= table.capacity)
        grow();
    uint32_t *const slot = find_slot(hash, frames, count);
    if (*slot == 0) {
        *slot = ++table.count;
        call_stack *const s = &table.stacks[*slot];
        *s = (call_stack){.hash = hash, .count = count};
        memcpy(s->frames, frames, count * sizeof(*frames));
    }
    const uint32_t number = *slot;
    ct_mutex_unlock(&table.lock);
    return number;
}

uint32_t ct_stack_table_get(uint32_t stack, uint64_t frames[CT_STACK_TABLE_FRAMES]) {
    ct_mutex_lock(&table.lock);
    const bool is_known = stack > 0 && stack <= table.count;
    const uint32_t count = is_known ? (uint32_t)table.stacks[stack].count : 0;
    if (is_known)
        memcpy(frames, table.stacks[stack].frames, count * sizeof(*frames));
    ct_mutex_unlock(&table.lock);
    CT_ASSERT(is_known, "unknown call stack %u", stack);
    return count;
}

uint32_t ct_stack_table_count(void) {
    ct_mutex_lock(&table.lock);
    const uint32_t count = table.count;
    ct_mutex_unlock(&table.lock);
    return count;
}

void ct_stack_table_lock(void) {
    ct_mutex_lock(&table.lock);
}

void ct_stack_table_unlock(void) {
    ct_mutex_unlock(&table.lock);
}
