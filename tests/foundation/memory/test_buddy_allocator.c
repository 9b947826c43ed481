#include "foundation/memory/buddy_allocator.h"

#include <string.h>

#include "foundation/memory/memory.h"
#include "foundation/memory/poison.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

enum { LEAF_BYTES = 16 };

// A page-aligned buffer with an allocator over it.
typedef struct fixture {
    ct_buddy_allocator b;
    char *buffer;
    uint64_t buffer_bytes;
} fixture;

static fixture *start(uint64_t buffer_bytes, uint64_t leaf_bytes) {
    fixture *const f = CT_NEW(test_heap(), fixture);
    f->buffer = ct_alloc_aligned(test_heap(), buffer_bytes, 4096);
    f->buffer_bytes = buffer_bytes;
    ct_buddy_init(&f->b, "buddy", f->buffer, buffer_bytes, leaf_bytes);
    return f;
}

static void end(fixture *f) {
    ct_buddy_shutdown(&f->b);
    ct_free_sized(test_heap(), f->buffer, f->buffer_bytes);
    ct_free(test_heap(), f);
}

// --- Sizes, places, growth -----------------------------------------------------------------------

static void rounds_blocks_up_to_powers_of_two_and_a_leaf(void **state) {
    (void)state;
    fixture *const f = start(65536, 32);
    static const uint64_t sizes[][2] = {{1, 32},   {32, 32},   {33, 64},     {64, 64},
                                        {65, 128}, {100, 128}, {8191, 8192}, {8193, 16384}};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        void *const p = ct_buddy_take(&f->b, sizes[i][0]);
        assert_int_equal(ct_buddy_block_bytes(&f->b, p), sizes[i][1]);
        assert_int_equal(ct_buddy_rounded_bytes(&f->b, sizes[i][0]), sizes[i][1]);
        assert_int_equal(ct_allocated_size(&f->b.interface, p), sizes[i][1]);
        assert_int_equal((uint64_t)p % (sizes[i][1] < 4096 ? sizes[i][1] : 4096), 0);
        ct_buddy_give_sized(&f->b, p, sizes[i][0]);
    }
    end(f);
}

static void hands_out_all_but_the_stated_overhead(void **state) {
    (void)state;
    for (uint64_t leaf_bytes = 16; leaf_bytes <= 64; leaf_bytes *= 2)
        for (uint64_t bytes = 2 * leaf_bytes; bytes < 4200; bytes += 1 + bytes / 13) {
            fixture *f = start(bytes, leaf_bytes);
            uint64_t num_leaves = 0;
            void *leaves[512];
            while ((leaves[num_leaves] = ct_buddy_try_take(&f->b, leaf_bytes)))
                memset(leaves[num_leaves++], 1, leaf_bytes);
            assert_int_equal(num_leaves * leaf_bytes,
                             bytes - ct_buddy_overhead_bytes(bytes, leaf_bytes));
            while (num_leaves > 0)
                ct_buddy_give(&f->b, leaves[--num_leaves]);
            end(f);
        }
}

static void states_its_overhead(void **state) {
    (void)state;
    assert_int_equal(ct_buddy_overhead_bytes(256, 16), 16); // 32 bits, rounded up to a leaf
    assert_int_equal(ct_buddy_overhead_bytes(1 << 20, 16), 1 << 14);
    assert_int_equal(ct_buddy_overhead_bytes(1 << 20, 128), 1 << 11);
    assert_int_equal(ct_buddy_overhead_bytes((1 << 20) + 16, 16), 1 << 15);
    assert_int_equal(ct_buddy_overhead_bytes((1 << 20) + 15, 16), (1 << 14) + 15);
}

// The buffer stands in the middle of bytes that must not change, at any address and of any size.
static void never_touches_what_is_outside_an_odd_buffer(void **state) {
    (void)state;
    static unsigned char around[4096];
    uint32_t random = 77;
    for (uint32_t round = 0; round < 500; ++round) {
        const uint32_t bytes = 64 + test_random(&random) % 1500;
        const uint32_t before = 600 + test_random(&random) % 100;
        memset(around, 0xa5, sizeof(around));
        ct_buddy_allocator b;
        ct_buddy_init(&b, "buddy", around + before, bytes, LEAF_BYTES);
        unsigned char *blocks[100];
        uint32_t num_blocks = 0;
        for (uint64_t size = 512; size >= LEAF_BYTES; size /= 2)
            while ((blocks[num_blocks] = ct_buddy_try_take(&b, size))) {
                assert_true(blocks[num_blocks] >= around + before);
                assert_true(blocks[num_blocks] + size <= around + before + bytes);
                memset(blocks[num_blocks++], 0x5a, size);
            }
        while (num_blocks > 0)
            ct_buddy_give(&b, blocks[--num_blocks]);
        ct_buddy_shutdown(&b);
        for (uint32_t i = 0; i < sizeof(around); ++i)
            if ((i < before || i >= before + bytes) && around[i] != 0xa5)
                fail_msg("byte %d around a buffer of %u was written", (int)i - (int)before, bytes);
    }
}

static void merges_until_the_largest_block_is_free_again(void **state) {
    (void)state;
    fixture *const f = start(1 << 16, LEAF_BYTES);
    const uint64_t free_orders = f->b.free_orders;
    void *blocks[1000];
    for (uint32_t i = 0; i < 1000; ++i)
        blocks[i] = ct_buddy_take(&f->b, 1 + i % 50);
    uint32_t random = 5;
    for (uint32_t n = 1000; n > 0; --n) {
        const uint32_t i = test_random(&random) % n;
        ct_buddy_give(&f->b, blocks[i]);
        blocks[i] = blocks[n - 1];
    }
    assert_int_equal(f->b.free_orders, free_orders);
    void *const half = ct_buddy_take(&f->b, 1 << 15);
    assert_ptr_equal(half, f->buffer + (1 << 15));
    ct_buddy_give(&f->b, half);
    end(f);
}

static void grows_in_place_when_the_right_buddy_is_free(void **state) {
    (void)state;
    fixture *const f = start(4096, LEAF_BYTES);
    char *const p = ct_buddy_take(&f->b, 1024);
    assert_ptr_equal(p, f->buffer + 1024); // the index has the first quarter split up
    char *const q = ct_buddy_take(&f->b, 1024);
    assert_ptr_equal(q, f->buffer + 2048);
    memset(q, 3, 1024);
    assert_ptr_equal(ct_buddy_grow(&f->b, q, 1024), q);
    assert_int_equal(ct_buddy_block_bytes(&f->b, q), 2048);
    for (uint32_t i = 0; i < 1024; ++i)
        assert_int_equal(q[i], 3);
    memset(q, 4, 2048);
    const ct_allocator_stats stats = ct_allocator_stats_of(&f->b.interface);
    assert_int_equal(stats.live_blocks, 2);
    assert_int_equal(stats.live_bytes, 1024 + 2048);
    assert_int_equal(stats.peak_bytes, 1024 + 2048);
    assert_int_equal(stats.total_blocks, 3);
    ct_buddy_give_sized(&f->b, p, 1024);
    ct_buddy_give_sized(&f->b, q, 2048);
    end(f);
}

static void grows_into_the_left_buddy_when_that_is_free(void **state) {
    (void)state;
    fixture *const f = start(4096, LEAF_BYTES);
    char *const first = ct_buddy_take(&f->b, 1024);
    char *const left = ct_buddy_take(&f->b, 1024);
    char *const right = ct_buddy_take(&f->b, 1024);
    assert_ptr_equal(right, left + 1024);
    memset(right, 9, 1024);
    ct_buddy_give(&f->b, left);
    assert_ptr_equal(ct_buddy_grow(&f->b, right, 0), left);
    for (uint32_t i = 0; i < 1024; ++i)
        assert_int_equal(left[i], 9);
    assert_int_equal(ct_buddy_block_bytes(&f->b, left), 2048);
    ct_buddy_give(&f->b, left);
    ct_buddy_give(&f->b, first);
    end(f);
}

static void grows_by_moving_when_the_buddy_is_taken(void **state) {
    (void)state;
    fixture *const f = start(8192, LEAF_BYTES);
    char *const first = ct_buddy_take(&f->b, 1024);
    char *const p = ct_buddy_take(&f->b, 1024);
    char *const q = ct_buddy_take(&f->b, 1024);
    memset(p, 6, 1000);
    char *const grown = ct_buddy_grow(&f->b, p, 1000);
    assert_ptr_not_equal(grown, p);
    for (uint32_t i = 0; i < 1000; ++i)
        assert_int_equal(grown[i], 6);
    assert_int_equal(ct_buddy_block_bytes(&f->b, grown), 2048);
    assert_int_equal(ct_allocator_stats_of(&f->b.interface).live_bytes, 4096);
    assert_int_equal(ct_allocator_stats_of(&f->b.interface).peak_bytes, 5120); // while it copied
    assert_ptr_equal(ct_buddy_take(&f->b, 1024), p);                           // it was given back
    ct_buddy_give(&f->b, p);
    ct_buddy_give(&f->b, q);
    ct_buddy_give(&f->b, first);
    ct_buddy_give(&f->b, grown);
    end(f);
}

static void frees_aligned_blocks_by_their_asked_size(void **state) {
    (void)state;
    fixture *const f = start(1 << 16, LEAF_BYTES);
    ct_allocator *const a = &f->b.interface;
    for (uint64_t align = 16; align <= 4096; align *= 2) {
        char *const p = ct_alloc_aligned(a, 20, align);
        assert_int_equal((uint64_t)p % align, 0);
        assert_int_equal(ct_allocated_size(a, p), align < 32 ? 32 : align);
        ct_free_sized(a, p, 20);
    }
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 0);
    end(f);
}

static void returns_null_when_nothing_is_large_enough(void **state) {
    (void)state;
    fixture *const f = start(4096, LEAF_BYTES);
    assert_null(ct_buddy_try_take(&f->b, 4096)); // the index is in the way
    assert_null(ct_buddy_try_take(&f->b, 4097));
    assert_null(ct_buddy_try_take(&f->b, UINT64_MAX));
    assert_int_equal(ct_allocator_stats_of(&f->b.interface).total_blocks, 0);
    end(f);
}

// --- Every sequence of a few operations on sixteen leaves ----------------------------------------

enum { NUM_LEAVES = 16, TINY_BYTES = NUM_LEAVES * LEAF_BYTES, MAX_DEPTH = 8 };

typedef struct tiny_block {
    uint32_t leaf, num_leaves;
    unsigned char fill;
} tiny_block;

// The allocator, its buffer, and what must be true of both.
typedef struct tiny {
    ct_buddy_allocator b;
    unsigned char buffer[TINY_BYTES];
    tiny_block live[MAX_DEPTH];
    uint32_t num_live;
    uint32_t taken; // bit i: leaf i
    unsigned char num_fills;
} tiny;

// The copies of buffers go back to where the allocator was made. Copied by hand: in the sanitizer's
// eyes what is free may not be read.
static _Alignas(4096) unsigned char tiny_buffer[TINY_BYTES];
static uint64_t num_sequences;

CT_NO_ADDRESS_SANITIZER static void save(tiny *t) {
    for (uint32_t i = 0; i < TINY_BYTES / 8; ++i)
        ((volatile uint64_t *)t->buffer)[i] = ((volatile uint64_t *)tiny_buffer)[i];
}

CT_NO_ADDRESS_SANITIZER static void restore(const tiny *t) {
    for (uint32_t i = 0; i < TINY_BYTES / 8; ++i)
        ((volatile uint64_t *)tiny_buffer)[i] = ((const volatile uint64_t *)t->buffer)[i];
    ct_poison(tiny_buffer, TINY_BYTES);
    for (uint32_t i = 0; i < t->num_live; ++i)
        ct_unpoison(tiny_buffer + t->live[i].leaf * LEAF_BYTES,
                    (uint64_t)t->live[i].num_leaves * LEAF_BYTES);
}

static uint32_t leaf_mask(uint32_t leaf, uint32_t num_leaves) {
    return ((UINT32_C(1) << num_leaves) - 1) << leaf;
}

static void *tiny_address(tiny_block block) {
    return tiny_buffer + block.leaf * LEAF_BYTES;
}

// Whether an aligned run of leaves is free: with all merges done, that is when there is a block.
static bool has_room(const tiny *t, uint32_t num_leaves) {
    for (uint32_t leaf = 0; leaf < NUM_LEAVES; leaf += num_leaves)
        if ((t->taken & leaf_mask(leaf, num_leaves)) == 0)
            return true;
    return false;
}

static void check_tiny(tiny *t) {
    uint64_t live_bytes = 0;
    for (uint32_t i = 0; i < t->num_live; ++i) {
        const tiny_block block = t->live[i];
        const uint64_t bytes = (uint64_t)block.num_leaves * LEAF_BYTES;
        const unsigned char *const p = tiny_address(block);
        live_bytes += bytes;
        if (ct_buddy_block_bytes(&t->b, p) != bytes)
            fail_msg("leaf %u: %u bytes are expected", block.leaf, (uint32_t)bytes);
        for (uint64_t k = 0; k < bytes; ++k)
            if (p[k] != block.fill)
                fail_msg("byte %u of leaf %u was overwritten", (uint32_t)k, block.leaf);
    }
    if (t->b.counters.live_bytes != live_bytes || t->b.counters.live_blocks != t->num_live)
        fail_msg("the counters are wrong");
}

static void fill_block(tiny *t, tiny_block *block) {
    block->fill = ++t->num_fills;
    memset(tiny_address(*block), block->fill, (uint64_t)block->num_leaves * LEAF_BYTES);
}

// Returns whether anything changed.
static bool tiny_take(tiny *t, uint32_t num_leaves) {
    unsigned char *const p = ct_buddy_try_take(&t->b, (uint64_t)num_leaves * LEAF_BYTES);
    if (!p != !has_room(t, num_leaves))
        fail_msg("%u leaves: %s", num_leaves, p ? "given without room" : "refused though free");
    if (!p)
        return false;
    tiny_block block = {.leaf = (uint32_t)(p - tiny_buffer) / LEAF_BYTES, .num_leaves = num_leaves};
    const uint32_t mask = leaf_mask(block.leaf, num_leaves);
    if (block.leaf % num_leaves || block.leaf + num_leaves > NUM_LEAVES || t->taken & mask)
        fail_msg("leaf %u is not free for %u", block.leaf, num_leaves);
    t->taken |= mask;
    fill_block(t, &block);
    t->live[t->num_live++] = block;
    return true;
}

static tiny_block remove_live(tiny *t, uint32_t i) {
    const tiny_block block = t->live[i];
    t->taken &= ~leaf_mask(block.leaf, block.num_leaves);
    t->live[i] = t->live[--t->num_live];
    return block;
}

static void tiny_give(tiny *t, uint32_t i) {
    ct_buddy_give(&t->b, tiny_address(remove_live(t, i)));
}

static void tiny_give_sized(tiny *t, uint32_t i) {
    const tiny_block block = remove_live(t, i);
    const uint64_t asked_bytes = (uint64_t)block.num_leaves * LEAF_BYTES - (block.fill % 8);
    ct_buddy_give_sized(&t->b, tiny_address(block), asked_bytes);
}

// Returns whether it could.
static bool tiny_grow(tiny *t, uint32_t i) {
    const tiny_block old = t->live[i];
    const uint32_t num_leaves = 2 * old.num_leaves;
    const uint32_t buddy = old.leaf ^ old.num_leaves;
    const bool takes_buddy = (t->taken & leaf_mask(buddy, old.num_leaves)) == 0;
    if (!takes_buddy && !has_room(t, num_leaves))
        return false;
    unsigned char *const p =
        ct_buddy_grow(&t->b, tiny_address(old), old.fill % 2 ? 0 : num_leaves * 8);
    tiny_block block = {.leaf = (uint32_t)(p - tiny_buffer) / LEAF_BYTES, .num_leaves = num_leaves};
    t->taken &= ~leaf_mask(old.leaf, old.num_leaves);
    if (takes_buddy && block.leaf != (old.leaf & buddy))
        fail_msg("leaf %u does not grow into its buddy", old.leaf);
    if (block.leaf % num_leaves || t->taken & leaf_mask(block.leaf, num_leaves))
        fail_msg("leaf %u is not free for %u", block.leaf, num_leaves);
    for (uint32_t k = 0; k < old.num_leaves * LEAF_BYTES; ++k)
        if (p[k] != old.fill)
            fail_msg("byte %u was lost when growing", k);
    t->taken |= leaf_mask(block.leaf, num_leaves);
    fill_block(t, &block);
    t->live[i] = block;
    return true;
}

static void run_sequences(const tiny *before, uint32_t depth);

// What was just done: count it, check the state, and go on from there.
static void go_on(tiny *t, uint32_t depth) {
    ++num_sequences;
    check_tiny(t);
    if (depth > 1) {
        save(t);
        run_sequences(t, depth - 1);
    }
}

// Freeing with and without the size leads to the same bytes, so that one of them is gone on from.
static void give_both_ways(const tiny *before, uint32_t i, uint32_t depth) {
    tiny sized = *before, unsized = *before;
    restore(before);
    tiny_give_sized(&sized, i);
    check_tiny(&sized);
    save(&sized);
    restore(before);
    tiny_give(&unsized, i);
    save(&unsized);
    if (memcmp(&sized, &unsized, sizeof(tiny)) != 0)
        fail_msg("sized and unsized frees differ");
    ++num_sequences;
    go_on(&unsized, depth);
}

static void run_sequences(const tiny *before, uint32_t depth) {
    for (uint32_t num_leaves = 1; num_leaves <= NUM_LEAVES; num_leaves *= 2) {
        tiny t = *before;
        restore(before);
        if (tiny_take(&t, num_leaves))
            go_on(&t, depth);
        else
            ++num_sequences; // those that go on from here are shorter ones
    }
    for (uint32_t i = 0; i < before->num_live; ++i) {
        give_both_ways(before, i, depth);
        tiny t = *before;
        restore(before);
        if (tiny_grow(&t, i))
            go_on(&t, depth);
    }
}

static void obeys_the_model_in_every_short_sequence(void **state) {
    (void)state;
    tiny *const t = CT_NEW(test_heap(), tiny);
    ct_buddy_init(&t->b, "tiny", tiny_buffer, TINY_BYTES, LEAF_BYTES);
    t->taken = 1; // the index
    save(t);
    const uint32_t depth =
#ifdef CT_SANITIZE
        test_rounds(6, MAX_DEPTH);
#else
        MAX_DEPTH;
#endif
    run_sequences(t, depth);
    print_message("%llu sequences of up to %u operations\n", (unsigned long long)num_sequences,
                  depth);
    assert_true(num_sequences > 50000);
    restore(t);
    ct_buddy_shutdown(&t->b);
    ct_free(test_heap(), t);
}

// --- Many random operations ----------------------------------------------------------------------

static void obeys_the_model_in_a_million_operations(void **state) {
    (void)state;
    fixture *const f = start((8 << 20) - 48, LEAF_BYTES);
    // The buffer ends on a multiple of 16 only.
    test_allocator_model(&(test_allocator_model_desc){.allocator = &f->b.interface,
                                                      .num_operations = 1000000,
                                                      .seed = 31337,
                                                      .max_live = 256,
                                                      .min_bytes = 1,
                                                      .max_bytes = 3000,
                                                      .max_live_bytes = 600000,
                                                      .max_align = 16});
    end(f);
}

static void obeys_the_model_with_large_alignments(void **state) {
    (void)state;
    fixture *const f = start(4 << 20, 64);
    test_allocator_model(&(test_allocator_model_desc){.allocator = &f->b.interface,
                                                      .num_operations = 200000,
                                                      .seed = 99,
                                                      .max_live = 200,
                                                      .min_bytes = 1,
                                                      .max_bytes = 1000,
                                                      .max_align = 4096});
    end(f);
}

// --- Misuse --------------------------------------------------------------------------------------

static void take_too_much(void *user) {
    (void)ct_buddy_take(user, 4096);
}

static void allocate_absurdly(void *user) {
    (void)ct_alloc(user, UINT64_MAX);
}

static void align_absurdly(void *user) {
    (void)ct_alloc_aligned(user, 16, UINT64_C(1) << 63);
}

static void end_with_a_block(void *user) {
    (void)ct_buddy_take(user, 100);
    ct_buddy_shutdown(user);
}

static void start_in_too_little(void *user) {
    ct_buddy_allocator b;
    ct_buddy_init(&b, "b", user, 31, LEAF_BYTES);
}

static void start_with_odd_leaves(void *user) {
    ct_buddy_allocator b;
    ct_buddy_init(&b, "b", user, 4096, 24);
}

static void free_as_larger(void *user) {
    ct_allocator *const a = &((ct_buddy_allocator *)user)->interface;
    ct_free_sized(a, ct_alloc(a, 16), 1000);
}

static void reports_misuse(void **state) {
    (void)state;
    fixture *const f = start(4096, LEAF_BYTES);
    ct_buddy_allocator *const b = &f->b;
    void *const held = ct_buddy_take(b, 64);
    test_expect_death(
        take_too_much, b,
        "out of memory: allocator \"buddy\" holds 64 of 4032 bytes and cannot allocate "
        "4096 more");
    test_expect_death(allocate_absurdly, &b->interface,
                      "cannot allocate 18446744073709551615 more");
    test_expect_death(align_absurdly, &b->interface, ", found 922337203685477");
    test_expect_death(end_with_a_block, b,
                      "allocator \"buddy\" is destroyed but still holds 2 blocks, 192 bytes");
    test_expect_death(start_in_too_little, f->buffer, "a buffer of 31 bytes is too small");
    test_expect_death(start_with_odd_leaves, f->buffer,
                      "a leaf must be a power of two and at least 16");
    test_expect_death(free_as_larger, b, "a smaller block is freed with a size of 1000 bytes");
    ct_buddy_give(b, held);
    end(f);
}

#ifdef CT_BUILD_DEV
static void give_twice(void *user) {
    void *const p = ct_buddy_take(user, 100);
    (void)ct_buddy_take(user, 100);
    ct_buddy_give(user, p);
    ct_buddy_give(user, p);
}

// Merged into a larger free block meanwhile.
static void give_merged_twice(void *user) {
    void *p = ct_buddy_take(user, 16), *q = ct_buddy_take(user, 16);
    ct_buddy_give(user, p);
    ct_buddy_give(user, q);
    ct_buddy_give(user, q);
}

static void give_from_the_stack(void *user) {
    char local[16];
    ct_buddy_give(user, local);
}

static void give_the_index(void *user) {
    ct_buddy_give(user, ((ct_buddy_allocator *)user)->index);
}

static void give_the_middle(void *user) {
    ct_buddy_give(user, (char *)ct_buddy_take(user, 100) + 16);
}

static void give_an_odd_address(void *user) {
    ct_buddy_give(user, (char *)ct_buddy_take(user, 100) + 1);
}

static void give_with_a_wrong_size(void *user) {
    ct_buddy_give_sized(user, ct_buddy_take(user, 100), 64);
}

static void grow_what_was_freed(void *user) {
    void *const p = ct_buddy_take(user, 100);
    ct_buddy_give(user, p);
    (void)ct_buddy_grow(user, p, 100);
}

static void finds_wild_pointers_in_dev(void **state) {
    (void)state;
    fixture *const f = start(4096, LEAF_BYTES);
    ct_buddy_allocator *const b = &f->b;
    test_expect_death(give_twice, b, "is freed twice");
    test_expect_death(give_merged_twice, b, "is freed twice");
    test_expect_death(give_from_the_stack, b, "allocator \"buddy\": 0x");
    test_expect_death(give_the_index, b, "is not one of its blocks");
    test_expect_death(give_the_middle, b, "is 16 bytes inside a block of size 128");
    test_expect_death(give_an_odd_address, b, "is not one of its blocks");
    test_expect_death(give_with_a_wrong_size, b, "a block of 128 bytes is freed with a size of 64");
    test_expect_death(grow_what_was_freed, b, "is freed twice");
    end(f);
}

// A caller's own list, with its links where those of a free block would be.
static void takes_no_list_of_the_caller_for_free_blocks(void **state) {
    (void)state;
    fixture *const f = start(4096, LEAF_BYTES);
    ct_buddy_free_block *nodes[8];
    for (uint32_t i = 0; i < 8; ++i) {
        nodes[i] = ct_buddy_take(&f->b, 64);
        *nodes[i] = (ct_buddy_free_block){.previous = i ? nodes[i - 1] : NULL};
        if (i)
            nodes[i - 1]->next = nodes[i];
    }
    for (uint32_t i = 0; i < 8; i += 2)
        ct_buddy_give(&f->b, nodes[i + 1]);
    for (uint32_t i = 0; i < 8; i += 2)
        ct_buddy_give(&f->b, nodes[i]);
    end(f);
}
#endif

#ifdef CT_ADDRESS_SANITIZER
static void write_byte(void *p) {
    *(volatile char *)p = 1;
}

static void poisons_what_nobody_holds(void **state) {
    (void)state;
    fixture *const f = start(4096, LEAF_BYTES);
    char *const p = ct_buddy_take(&f->b, 100);
    test_expect_death(write_byte, p + 128, "use-after-poison");
    test_expect_death(write_byte, f->buffer, "use-after-poison"); // the index
    write_byte(p + 127);
    char *const q = ct_alloc(&f->b.interface, 101);
    test_expect_death(write_byte, q + 101, "use-after-poison");
    ct_buddy_give(&f->b, p);
    test_expect_death(write_byte, p, "use-after-poison");
    char *const grown = ct_buddy_grow(&f->b, q, 101);
    test_expect_death(write_byte, grown + 256, "use-after-poison");
    write_byte(grown + 255);
    ct_buddy_give(&f->b, grown);
    test_expect_death(write_byte, grown, "use-after-poison");
    ct_buddy_shutdown(&f->b);
    memset(f->buffer, 1, f->buffer_bytes); // the caller's again
    ct_free_sized(test_heap(), f->buffer, f->buffer_bytes);
    ct_free(test_heap(), f);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_blocks_up_to_powers_of_two_and_a_leaf),
        cmocka_unit_test(hands_out_all_but_the_stated_overhead),
        cmocka_unit_test(states_its_overhead),
        cmocka_unit_test(never_touches_what_is_outside_an_odd_buffer),
        cmocka_unit_test(merges_until_the_largest_block_is_free_again),
        cmocka_unit_test(grows_in_place_when_the_right_buddy_is_free),
        cmocka_unit_test(grows_into_the_left_buddy_when_that_is_free),
        cmocka_unit_test(grows_by_moving_when_the_buddy_is_taken),
        cmocka_unit_test(frees_aligned_blocks_by_their_asked_size),
        cmocka_unit_test(returns_null_when_nothing_is_large_enough),
        cmocka_unit_test(obeys_the_model_in_every_short_sequence),
        cmocka_unit_test(obeys_the_model_in_a_million_operations),
        cmocka_unit_test(obeys_the_model_with_large_alignments),
        cmocka_unit_test(reports_misuse),
#ifdef CT_BUILD_DEV
        cmocka_unit_test(finds_wild_pointers_in_dev),
        cmocka_unit_test(takes_no_list_of_the_caller_for_free_blocks),
#endif
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(poisons_what_nobody_holds),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
