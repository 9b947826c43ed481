#include "foundation/memory/block_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/stack_table.h"
#include "foundation/os/os.h"

enum { NUM_SHARDS = 16, FIRST_CAPACITY = 128, NUM_FREED = 64, NAME_BYTES = 40 };

// A block that came back not long ago.
typedef struct freed_block {
    uint64_t address, size_bytes;
    char owner[NAME_BYTES];
} freed_block;

typedef struct shard {
    ct_mutex lock;
    ct_block *blocks; // linear probing by address; address 0: free
    uint32_t count, capacity;
    uint32_t num_freed;
    freed_block freed[NUM_FREED]; // a ring
} shard;

static struct {
    ct_allocator *memory;
    bool is_started;
    shard shards[NUM_SHARDS];
} table;

// --- Life ----------------------------------------------------------------------------------------

static void lock_all(void) {
    if (!table.is_started)
        return;
    ct_memory_tree_lock();
    for (uint32_t i = 0; i < NUM_SHARDS; ++i)
        ct_mutex_lock(&table.shards[i].lock);
    ct_stack_table_lock();
}

static void unlock_all(void) {
    if (!table.is_started)
        return;
    ct_stack_table_unlock();
    for (uint32_t i = NUM_SHARDS; i-- > 0;)
        ct_mutex_unlock(&table.shards[i].lock);
    ct_memory_tree_unlock();
}

void ct_block_table_init(ct_allocator *memory) {
    static bool is_fork_safe;
    if (!is_fork_safe)
        ct_os_at_fork(lock_all, unlock_all);
    is_fork_safe = true;
    ct_stack_table_init(memory);
    table.memory = memory;
    for (uint32_t i = 0; i < NUM_SHARDS; ++i)
        ct_mutex_init(&table.shards[i].lock);
    table.is_started = true;
}

void ct_block_table_shutdown(void) {
    table.is_started = false;
    for (uint32_t i = 0; i < NUM_SHARDS; ++i) {
        shard *const s = &table.shards[i];
        ct_free(table.memory, s->blocks);
        ct_mutex_shutdown(&s->lock);
        *s = (shard){0};
    }
    ct_stack_table_shutdown();
}

bool ct_block_table_is_started(void) {
    return table.is_started;
}

// --- One shard -----------------------------------------------------------------------------------

static uint64_t hash_of(uint64_t address) {
    return (address >> 4) * UINT64_C(0x9e3779b97f4a7c15);
}

static shard *shard_of(uint64_t address) {
    return &table.shards[hash_of(address) >> 60];
}

static uint32_t home_of(const shard *s, uint64_t address) {
    return (uint32_t)(hash_of(address) >> 24) & (s->capacity - 1);
}

// The block at `address` of `owner`, or of anyone when that is NULL. Blocks of one address lie in
// one run: allocators that stand on others outside the tree may hand out the same again.
static ct_block *find(const shard *s, uint64_t address, const ct_counted_allocator *owner) {
    if (s->capacity == 0)
        return NULL;
    for (uint32_t i = home_of(s, address); s->blocks[i].address; i = (i + 1) & (s->capacity - 1)) {
        if (s->blocks[i].address == address && (!owner || s->blocks[i].owner == owner))
            return &s->blocks[i];
    }
    return NULL;
}

static void place(shard *s, ct_block block) {
    uint32_t i = home_of(s, block.address);
    while (s->blocks[i].address)
        i = (i + 1) & (s->capacity - 1);
    s->blocks[i] = block;
}

static void grow(shard *s) {
    ct_block *const old = s->blocks;
    const uint32_t old_capacity = s->capacity;
    s->capacity = old_capacity ? 2 * old_capacity : FIRST_CAPACITY;
    s->blocks = CT_NEW_ARRAY(table.memory, ct_block, s->capacity);
    for (uint32_t i = 0; i < old_capacity; ++i)
        if (old[i].address)
            place(s, old[i]);
    ct_free(table.memory, old);
}

// Closes the gap in the run, so that no tombstones are needed.
static void take_out(shard *s, ct_block *block) {
    const uint32_t mask = s->capacity - 1;
    uint32_t gap = (uint32_t)(block - s->blocks);
    for (uint32_t i = (gap + 1) & mask; s->blocks[i].address; i = (i + 1) & mask) {
        const uint32_t home = home_of(s, s->blocks[i].address);
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            s->blocks[gap] = s->blocks[i];
            gap = i;
        }
    }
    s->blocks[gap] = (ct_block){0};
    --s->count;
}

static void remember_freed(shard *s, const ct_block *block) {
    freed_block *const freed = &s->freed[s->num_freed++ % NUM_FREED];
    freed->address = block->address;
    freed->size_bytes = block->size_bytes;
    memcpy(freed->owner, block->owner->name, NAME_BYTES - 1); // its rest stays zero
}

// --- What is wrong with a pointer ----------------------------------------------------------------

typedef struct description {
    uint64_t address;
    char text[256];
} description;

static void describe_if_inside(void *user, const ct_block *b) {
    description *const d = user;
    if (d->address > b->address && d->address - b->address < b->size_bytes)
        snprintf(d->text, sizeof(d->text),
                 "it is %" PRIu64 " bytes inside a block of %" PRIu64 " bytes of \"%s\"",
                 d->address - b->address, b->size_bytes, b->owner->name);
}

static bool describe_known(description *d) {
    shard *const s = shard_of(d->address);
    ct_mutex_lock(&s->lock);
    const ct_block *const live = find(s, d->address, NULL);
    const freed_block *freed = NULL;
    for (uint32_t i = 0; i < NUM_FREED; ++i)
        if (s->freed[i].address == d->address)
            freed = &s->freed[i];
    if (live)
        snprintf(d->text, sizeof(d->text), "it is a block of %" PRIu64 " bytes of \"%s\"",
                 live->size_bytes, live->owner->name);
    else if (freed)
        snprintf(d->text, sizeof(d->text),
                 "it was a block of %" PRIu64 " bytes of \"%s\" and is freed twice",
                 freed->size_bytes, freed->owner);
    ct_mutex_unlock(&s->lock);
    return live || freed;
}

static _Noreturn void report_unknown(const ct_counted_allocator *owner, const void *p) {
    description d = {.address = (uint64_t)(uintptr_t)p};
    if (!describe_known(&d)) {
        ct_block_table_visit(describe_if_inside, &d);
        if (!d.text[0])
            snprintf(d.text, sizeof(d.text), "%s",
                     ct_os_is_on_stack(p) ? "it is on the stack"
                                          : "it is not a block of any allocator");
    }
    CT_ASSERT(false, "allocator \"%s\" cannot free %p: %s", owner->name, p, d.text);
    __builtin_unreachable();
}

static void check_size(const ct_block *block, uint64_t size_bytes) {
    CT_ASSERT(size_bytes == 0 || size_bytes == block->size_bytes,
              "allocator \"%s\": a block of %" PRIu64 " bytes is freed with a size of %" PRIu64,
              block->owner->name, block->size_bytes, size_bytes);
}

// --- Blocks --------------------------------------------------------------------------------------

// Leaves out what stands between ct_alloc and here: this file, and counted_allocator.c.
__attribute__((noinline)) static uint32_t this_stack(void) {
    uint64_t frames[CT_STACK_TABLE_FRAMES];
    const uint32_t count = ct_os_call_stack(frames, CT_STACK_TABLE_FRAMES, 3);
    return count ? ct_stack_table_add(frames, count) : 0;
}

void ct_block_table_add(ct_counted_allocator *owner, const void *p, uint64_t size_bytes) {
    const bool is_traced = ct_counted_has(owner, CT_COUNTED_REASON_TRACED);
    const ct_block block = {.address = (uint64_t)(uintptr_t)p,
                            .owner = owner,
                            .size_bytes = size_bytes,
                            .stack = is_traced ? this_stack() : 0};
    shard *const s = shard_of(block.address);
    ct_mutex_lock(&s->lock);
    // Asked again under the lock: a block that is added after its allocator was forgotten would
    // stay for ever.
    if (ct_counted_allocator_keeps_blocks(owner)) {
        ct_block *const stale = find(s, block.address, owner);
        if (4 * (uint64_t)(s->count + 1) > 3 * (uint64_t)s->capacity)
            grow(s);
        if (stale)
            *find(s, block.address, owner) = block;
        else
            place(s, block);
        s->count += !stale;
    }
    ct_mutex_unlock(&s->lock);
}

void ct_block_table_remove(ct_counted_allocator *owner, const void *p, uint64_t size_bytes) {
    const uint64_t address = (uint64_t)(uintptr_t)p;
    shard *const s = shard_of(address);
    ct_mutex_lock(&s->lock);
    ct_block *const found = find(s, address, owner);
    const ct_block block = found ? *found : (ct_block){0};
    if (found) {
        remember_freed(s, found);
        take_out(s, found);
    }
    ct_mutex_unlock(&s->lock);
    if (found)
        check_size(&block, size_bytes);
    else if (ct_counted_has(owner, CT_COUNTED_REASON_CHECKED))
        report_unknown(owner, p);
}

void ct_block_table_forget(const ct_counted_allocator *owner) {
    for (uint32_t i = 0; i < NUM_SHARDS; ++i) {
        shard *const s = &table.shards[i];
        ct_mutex_lock(&s->lock);
        // Taking one out may move another to its place, or past the end around to the start.
        for (uint32_t at = 0; at < s->capacity; ++at)
            while (s->blocks[at].address && s->blocks[at].owner == owner)
                take_out(s, &s->blocks[at]);
        ct_mutex_unlock(&s->lock);
    }
}

void ct_block_table_visit(void (*visit)(void *user, const ct_block *block), void *user) {
    for (uint32_t i = 0; i < NUM_SHARDS; ++i) {
        shard *const s = &table.shards[i];
        ct_mutex_lock(&s->lock);
        for (uint32_t at = 0; at < s->capacity; ++at)
            if (s->blocks[at].address)
                visit(user, &s->blocks[at]);
        ct_mutex_unlock(&s->lock);
    }
}
