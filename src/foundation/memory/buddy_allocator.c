#include "foundation/memory/buddy_allocator.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator_counters.h"
#include "foundation/memory/memory_leak.h"
#include "foundation/memory/poison.h"

typedef ct_buddy_free_block free_block;

// The two bits of a block in the index. Blocks that are not split have neither.
enum { IS_SPLIT = 1, ONE_HALF_IS_FREE = 2, BLOCKS_PER_WORD = 16 };

// --- Sizes and places ----------------------------------------------------------------------------

static inline uint32_t log2_rounded_up(uint64_t value) {
    return value <= 1 ? 0 : 64 - (uint32_t)__builtin_clzll(value - 1);
}

static inline uint64_t bytes_of(uint32_t order) {
    return UINT64_C(1) << order;
}

// The order of blocks for `size_bytes`, which may be more than the whole tree.
static inline uint32_t order_for(const ct_buddy_allocator *b, uint64_t size_bytes) {
    const uint32_t order = log2_rounded_up(size_bytes);
    return order > b->leaf_order ? order : b->leaf_order;
}

// Blocks are numbered as in a heap: the whole is 1, the halves of i are 2 i and 2 i + 1. Returns
// the one of this order at or around the address.
static inline uint64_t block_at(const ct_buddy_allocator *b, uint64_t address, uint32_t order) {
    return (address - b->origin) >> order;
}

static inline uint64_t address_of(const ct_buddy_allocator *b, uint64_t block, uint32_t order) {
    return b->origin + (block << order);
}

// --- The index -----------------------------------------------------------------------------------

CT_NO_ADDRESS_SANITIZER static inline bool has_bit(const ct_buddy_allocator *b, uint64_t block,
                                                   uint32_t bit) {
    return b->index[block / BLOCKS_PER_WORD] >> block % BLOCKS_PER_WORD * 2 & bit;
}

CT_NO_ADDRESS_SANITIZER static inline void flip_bits(ct_buddy_allocator *b, uint64_t block,
                                                     uint32_t bits) {
    b->index[block / BLOCKS_PER_WORD] ^= bits << block % BLOCKS_PER_WORD * 2;
}

// The order of the taken block at or around the address: the first of which the parent is split. No
// less than `least`.
static uint32_t order_of_block(const ct_buddy_allocator *b, uint64_t address, uint32_t least) {
    uint32_t order = least;
    while (order < b->top_order && !has_bit(b, block_at(b, address, order + 1), IS_SPLIT))
        ++order;
    return order;
}

// --- Free blocks ---------------------------------------------------------------------------------

CT_NO_ADDRESS_SANITIZER static inline void add_free(ct_buddy_allocator *b, uint64_t address,
                                                    uint32_t order) {
    free_block *f = (free_block *)address, *first = b->free_blocks[order];
    f->next = first;
    f->previous = NULL;
    if (first)
        first->previous = f;
    b->free_blocks[order] = f;
    b->free_orders |= bytes_of(order);
}

// Takes the newest free block of the order, of which there is one, off its list.
CT_NO_ADDRESS_SANITIZER static inline uint64_t pop_free(ct_buddy_allocator *b, uint32_t order) {
    const free_block *const f = b->free_blocks[order];
    free_block *const next = f->next;
    b->free_blocks[order] = next;
    if (next)
        next->previous = NULL;
    else
        b->free_orders &= ~bytes_of(order);
    return (uint64_t)f;
}

CT_NO_ADDRESS_SANITIZER static inline void remove_free(ct_buddy_allocator *b, uint64_t address,
                                                       uint32_t order) {
    const free_block *const f = (const free_block *)address;
    if (f->next)
        f->next->previous = f->previous;
    if (f->previous)
        f->previous->next = f->next;
    else if (!(b->free_blocks[order] = f->next))
        b->free_orders &= ~bytes_of(order);
}

// --- Blocks --------------------------------------------------------------------------------------

// Returns the address of a block of `wanted`, or 0. Takes the smallest that will do and halves it,
// as often as it must; the right halves are free.
static uint64_t take_block(ct_buddy_allocator *b, uint32_t wanted) {
    const uint64_t large_enough = wanted <= b->top_order ? b->free_orders >> wanted : 0;
    if (!large_enough)
        return 0;
    uint32_t order = wanted + (uint32_t)__builtin_ctzll(large_enough);
    const uint64_t address = pop_free(b, order);
    uint64_t block = block_at(b, address, order);
    flip_bits(b, block / 2, ONE_HALF_IS_FREE); // of block 0 for the whole, which is nobody's
    for (; order > wanted; block *= 2) {
        flip_bits(b, block, IS_SPLIT | ONE_HALF_IS_FREE);
        --order;
        add_free(b, address + bytes_of(order), order);
    }
    return address;
}

// Frees a block and merges it with its buddy, and so on up, as far as they are free.
static void give_block(ct_buddy_allocator *b, uint64_t address, uint32_t order) {
    uint64_t block = block_at(b, address, order);
    while (block > 1 && has_bit(b, block / 2, ONE_HALF_IS_FREE)) {
        remove_free(b, address_of(b, block ^ 1, order), order);
        block /= 2;
        flip_bits(b, block, IS_SPLIT | ONE_HALF_IS_FREE);
        ++order;
    }
    flip_bits(b, block / 2, ONE_HALF_IS_FREE);
    add_free(b, address_of(b, block, order), order);
}

// --- What callers may do wrong -------------------------------------------------------------------

#ifdef CT_BUILD_DEV
static bool is_leaf_address(const ct_buddy_allocator *b, uint64_t address) {
    return address >= b->begin && address < b->end && address % bytes_of(b->leaf_order) == 0;
}

// The links may be whatever a caller has in its block: they are only followed to where blocks are.
CT_NO_ADDRESS_SANITIZER static bool looks_free(const ct_buddy_allocator *b, const free_block *f,
                                               uint32_t order) {
    if (!f->previous)
        return b->free_blocks[order] == f;
    return is_leaf_address(b, (uint64_t)f->previous) && f->previous->next == f;
}

CT_NO_ADDRESS_SANITIZER static bool is_free(const ct_buddy_allocator *b, uint64_t address,
                                            uint32_t order) {
    if (!looks_free(b, (const free_block *)address, order))
        return false;
    const free_block *f = b->free_blocks[order];
    while (f && (uint64_t)f != address)
        f = f->next;
    return f != NULL;
}

static void check_block(const ct_buddy_allocator *b, const void *p) {
    const char *const name = b->interface.name;
    const uint64_t address = (uint64_t)p;
    CT_ASSERT(is_leaf_address(b, address), "allocator \"%s\": %p is not one of its blocks", name,
              p);
    const uint32_t order = order_of_block(b, address, b->leaf_order);
    const uint64_t begin = address_of(b, block_at(b, address, order), order);
    CT_ASSERT(!is_free(b, begin, order), "allocator \"%s\": block %p is freed twice", name, p);
    CT_ASSERT(begin == address,
              "allocator \"%s\": %p is %" PRIu64 " bytes inside a block of size %" PRIu64, name, p,
              address - begin, bytes_of(order));
}

static void check_sized_block(const ct_buddy_allocator *b, const void *p, uint64_t size_bytes) {
    check_block(b, p);
    const uint32_t order = order_of_block(b, (uint64_t)p, b->leaf_order);
    CT_ASSERT(size_bytes && order_for(b, size_bytes) == order,
              "allocator \"%s\": a block of %" PRIu64 " bytes is freed with a size of %" PRIu64,
              b->interface.name, bytes_of(order), size_bytes);
}
#else
static inline void check_block(const ct_buddy_allocator *b, const void *p) {
    (void)b, (void)p;
}

static inline void check_sized_block(const ct_buddy_allocator *b, const void *p,
                                     uint64_t size_bytes) {
    (void)b, (void)p, (void)size_bytes;
}
#endif

_Noreturn static void run_out(const ct_buddy_allocator *b, uint64_t size_bytes) {
    CT_FAIL("a free block that is large enough",
            "out of memory: allocator \"%s\" holds %" PRIu64 " of %" PRIu64
            " bytes and cannot allocate %" PRIu64 " more",
            b->interface.name, b->counters.live_bytes, b->end - b->begin, size_bytes);
}

// --- Counted operations --------------------------------------------------------------------------

static inline void count_taken(ct_buddy_allocator *b, uint64_t block_bytes) {
    b->counters.live_bytes += block_bytes;
    ++b->counters.live_blocks;
    ++b->counters.total_blocks;
    if (b->counters.peak_bytes < b->counters.live_bytes)
        b->counters.peak_bytes = b->counters.live_bytes;
}

static inline void count_given(ct_buddy_allocator *b, uint64_t block_bytes) {
    b->counters.live_bytes -= block_bytes;
    --b->counters.live_blocks;
}

// A block of `old_bytes` has doubled; `both_bytes` of the two were live at once.
static inline void count_grown(ct_buddy_allocator *b, uint64_t old_bytes, uint64_t both_bytes) {
    const uint64_t most_bytes = b->counters.live_bytes - old_bytes + both_bytes;
    b->counters.live_bytes += old_bytes;
    ++b->counters.total_blocks;
    if (b->counters.peak_bytes < most_bytes)
        b->counters.peak_bytes = most_bytes;
}

static inline void *try_take(ct_buddy_allocator *b, uint32_t order) {
    void *const p = (void *)take_block(b, order);
    if (!p)
        return NULL;
    count_taken(b, bytes_of(order));
    ct_unpoison(p, bytes_of(order));
    return p;
}

static inline void give(ct_buddy_allocator *b, void *p, uint32_t order) {
    count_given(b, bytes_of(order));
    ct_poison(p, bytes_of(order));
    give_block(b, (uint64_t)p, order);
}

void *ct_buddy_try_take(ct_buddy_allocator *b, uint64_t size_bytes) {
    return try_take(b, order_for(b, size_bytes));
}

void *ct_buddy_take(ct_buddy_allocator *b, uint64_t size_bytes) {
    void *const p = try_take(b, order_for(b, size_bytes));
    if (__builtin_expect(!p, 0))
        run_out(b, size_bytes);
    return p;
}

void ct_buddy_give(ct_buddy_allocator *b, void *p) {
    check_block(b, p);
    give(b, p, order_of_block(b, (uint64_t)p, b->leaf_order));
}

void ct_buddy_give_sized(ct_buddy_allocator *b, void *p, uint64_t size_bytes) {
    check_sized_block(b, p, size_bytes);
    give(b, p, order_for(b, size_bytes));
}

// Makes the taken block of `order` and its free buddy one taken block; returns its address.
static void *take_buddy_in(ct_buddy_allocator *b, uint64_t block, uint32_t order) {
    const uint64_t buddy = address_of(b, block ^ 1, order);
    remove_free(b, buddy, order);
    flip_bits(b, block / 2, IS_SPLIT | ONE_HALF_IS_FREE);
    ct_unpoison((void *)buddy, bytes_of(order));
    count_grown(b, bytes_of(order), bytes_of(order + 1));
    return (void *)address_of(b, block & ~UINT64_C(1), order);
}

// The buddy is not free, so there is nothing to merge with.
static void *move_to_larger(ct_buddy_allocator *b, void *p, uint32_t order, uint64_t kept_bytes) {
    void *const grown = (void *)take_block(b, order + 1);
    if (__builtin_expect(!grown, 0))
        run_out(b, bytes_of(order + 1));
    count_grown(b, bytes_of(order), bytes_of(order) + bytes_of(order + 1));
    ct_unpoison(grown, bytes_of(order + 1));
    memcpy(grown, p, kept_bytes);
    ct_poison(p, bytes_of(order));
    flip_bits(b, block_at(b, (uint64_t)p, order + 1), ONE_HALF_IS_FREE);
    add_free(b, (uint64_t)p, order);
    return grown;
}

void *ct_buddy_grow(ct_buddy_allocator *b, void *p, uint64_t size_bytes) {
    if (size_bytes == 0)
        size_bytes = ct_buddy_block_bytes(b, p);
    check_sized_block(b, p, size_bytes);
    const uint32_t order = order_for(b, size_bytes);
    const uint64_t block = block_at(b, (uint64_t)p, order);
    if (block == 1)
        run_out(b, bytes_of(order + 1));
    if (!has_bit(b, block / 2, ONE_HALF_IS_FREE))
        return move_to_larger(b, p, order, size_bytes);
    void *const grown = take_buddy_in(b, block, order);
    return grown == p ? p : memcpy(grown, p, size_bytes);
}

uint64_t ct_buddy_block_bytes(const ct_buddy_allocator *b, const void *p) {
    check_block(b, p);
    return bytes_of(order_of_block(b, (uint64_t)p, b->leaf_order));
}

uint64_t ct_buddy_rounded_bytes(const ct_buddy_allocator *b, uint64_t size_bytes) {
    return bytes_of(order_for(b, size_bytes));
}

// --- The interface -------------------------------------------------------------------------------

static void *buddy_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_buddy_allocator *const b = (ct_buddy_allocator *)a;
    CT_ASSERT((b->end & (align - 1)) == 0,
              "allocator \"%s\": the end of its buffer allows alignment up to %" PRIu64
              ", found %" PRIu64,
              a->name, b->end & -b->end, align);
    const uint64_t wanted_bytes = size_bytes > align ? size_bytes : align;
    void *const p = ct_buddy_try_take(b, wanted_bytes);
    if (!p)
        run_out(b, size_bytes);
    ct_poison(p, ct_buddy_rounded_bytes(b, wanted_bytes));
    ct_unpoison(p, size_bytes);
    return p;
}

// A block that had to be aligned is larger than its size says, so the index has the last word.
static void buddy_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_buddy_allocator *const b = (ct_buddy_allocator *)a;
    check_block(b, p);
    const uint32_t least = size_bytes ? order_for(b, size_bytes) : b->leaf_order;
    CT_ASSERT(least == b->leaf_order ||
                  (least <= b->top_order && !has_bit(b, block_at(b, (uint64_t)p, least), IS_SPLIT)),
              "allocator \"%s\": a smaller block is freed with a size of %" PRIu64 " bytes",
              a->name, size_bytes);
    give(b, p, order_of_block(b, (uint64_t)p, least));
}

static uint64_t buddy_allocated_size(ct_allocator *a, const void *p) {
    return ct_buddy_block_bytes((ct_buddy_allocator *)a, p);
}

static void buddy_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = ((ct_buddy_allocator *)a)->counters;
}

// --- Life ----------------------------------------------------------------------------------------

static uint64_t index_bytes(uint64_t num_leaves) {
    // Blocks that are no leaves are numbered from 1 on.
    const uint64_t num_numbers = UINT64_C(1) << log2_rounded_up(num_leaves);
    const uint64_t num_words = (num_numbers + BLOCKS_PER_WORD - 1) / BLOCKS_PER_WORD;
    return num_words * sizeof(uint32_t);
}

uint64_t ct_buddy_overhead_bytes(uint64_t buffer_bytes, uint64_t leaf_bytes) {
    return ct_round_up(index_bytes(buffer_bytes / leaf_bytes), leaf_bytes) +
           buffer_bytes % leaf_bytes;
}

// Splits down to the border between the taken head of the tree and what can be handed out, and
// makes that free. The head stays whole: the index says nothing about what is in it.
static void free_all(ct_buddy_allocator *b) {
    uint64_t block = 1;
    for (uint32_t order = b->top_order; order-- > b->leaf_order;) {
        const uint64_t middle = address_of(b, 2 * block + 1, order);
        const bool is_right_free = b->begin <= middle;
        flip_bits(b, block, is_right_free ? IS_SPLIT | ONE_HALF_IS_FREE : IS_SPLIT);
        if (is_right_free)
            add_free(b, middle, order);
        if (b->begin == middle)
            return;
        block = 2 * block + !is_right_free;
    }
}

void ct_buddy_init(ct_buddy_allocator *b, const char *name, void *buffer, uint64_t buffer_bytes,
                   uint64_t leaf_bytes) {
    CT_ASSERT(leaf_bytes >= CT_BUDDY_LEAST_LEAF_BYTES && (leaf_bytes & (leaf_bytes - 1)) == 0,
              "the size of a leaf must be a power of two and at least %d, found %" PRIu64,
              CT_BUDDY_LEAST_LEAF_BYTES, leaf_bytes);
    const uint64_t first = ct_round_up((uint64_t)buffer, leaf_bytes);
    const uint64_t end = ((uint64_t)buffer + buffer_bytes) & ~(leaf_bytes - 1);
    const uint64_t num_leaves = end > first ? (end - first) / leaf_bytes : 0;
    const uint64_t head_bytes = ct_round_up(index_bytes(num_leaves), leaf_bytes);
    CT_ASSERT(num_leaves * leaf_bytes > head_bytes,
              "a buffer of %" PRIu64 " bytes is too small for leaves of size %" PRIu64,
              buffer_bytes, leaf_bytes);
    *b = (ct_buddy_allocator){.interface = {.allocate = buddy_allocate,
                                            .free = buddy_free,
                                            .allocated_size = buddy_allocated_size,
                                            .stats = buddy_stats,
                                            .name = name},
                              .begin = first + head_bytes,
                              .end = end,
                              .index = (uint32_t *)first,
                              .leaf_order = log2_rounded_up(leaf_bytes),
                              .buffer = buffer,
                              .buffer_bytes = buffer_bytes};
    b->top_order = b->leaf_order + log2_rounded_up(num_leaves);
    CT_ASSERT(b->top_order <= CT_BUDDY_MAX_ORDER, "a buffer of %" PRIu64 " bytes is too large",
              buffer_bytes);
    b->origin = end - 2 * bytes_of(b->top_order);
    memset(b->index, 0, index_bytes(num_leaves));
    ct_poison(buffer, buffer_bytes);
    free_all(b);
}

void ct_buddy_shutdown(ct_buddy_allocator *b) {
    ct_allocator_assert_empty(&b->interface);
    ct_unpoison(b->buffer, b->buffer_bytes);
    *b = (ct_buddy_allocator){0};
}
