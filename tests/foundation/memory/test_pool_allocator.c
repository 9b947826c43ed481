#include "foundation/memory/pool_allocator.h"

#include <string.h>

#include "support/allocator_model.h"
#include "support/test_support.h"

static ct_pool_allocator *start(uint64_t block_bytes, uint64_t align, uint32_t num_blocks) {
    ct_pool_allocator *const pool = CT_NEW(test_heap(), ct_pool_allocator);
    ct_pool_init(
        pool, test_heap(),
        &(ct_pool_allocator_desc){
            .name = "pool", .block_bytes = block_bytes, .align = align, .num_blocks = num_blocks});
    return pool;
}

static void end(ct_pool_allocator *pool) {
    ct_pool_shutdown(pool);
    ct_free(test_heap(), pool);
}

static void hands_the_newest_free_block_out_first(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(64, 0, 8);
    void *first = ct_pool_take(pool), *second = ct_pool_take(pool);
    ct_pool_give(pool, first);
    ct_pool_give(pool, second);
    assert_ptr_equal(ct_pool_take(pool), second);
    assert_ptr_equal(ct_pool_take(pool), first);
    ct_pool_give(pool, first);
    ct_pool_give(pool, second);
    end(pool);
}

static void takes_a_chunk_at_a_time_and_keeps_it(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(40, 0, 10);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    void *blocks[35];
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < 35; ++i)
            memset(blocks[i] = ct_pool_take(pool), (int)i, 40);
        assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before + 4);
        for (uint32_t i = 0; i < 35; ++i)
            ct_pool_give(pool, blocks[i]);
    }
    end(pool);
}

static void aligns_every_block(void **state) {
    (void)state;
    for (uint64_t align = 1; align <= 4096; align *= 4) {
        ct_pool_allocator *const pool = start(align + 3, align, 5);
        void *blocks[12];
        for (uint32_t i = 0; i < 12; ++i) {
            blocks[i] = ct_pool_take(pool);
            assert_int_equal((uint64_t)blocks[i] % align, 0);
            memset(blocks[i], 1, align + 3);
        }
        for (uint32_t i = 0; i < 12; ++i)
            ct_pool_give(pool, blocks[i]);
        end(pool);
    }
}

static void counts_live_blocks_peak_and_total(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(48, 0, 4);
    ct_allocator *const a = &pool->interface;
    assert_int_equal(ct_allocator_stats_of(a).peak_bytes, 0);
    void *blocks[6];
    for (uint32_t i = 0; i < 6; ++i)
        blocks[i] = ct_pool_take(pool);
    for (uint32_t i = 0; i < 5; ++i)
        ct_pool_give(pool, blocks[i]);
    blocks[0] = ct_pool_take(pool);
    const ct_allocator_stats stats = ct_allocator_stats_of(a);
    assert_int_equal(stats.live_blocks, 2);
    assert_int_equal(stats.live_bytes, 96);
    assert_int_equal(stats.peak_bytes, 6 * 48);
    assert_int_equal(stats.total_blocks, 7);
    ct_pool_give(pool, blocks[0]);
    ct_pool_give(pool, blocks[5]);
    end(pool);
}

static void serves_the_interface_up_to_its_block_size(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(64, 0, 0);
    ct_allocator *const a = &pool->interface;
    char *p = ct_alloc(a, 3), *q = ct_alloc(a, 64);
    assert_int_equal(ct_allocated_size(a, p), 64);
    memset(q, 1, 64);
    ct_free(a, p);
    ct_free_sized(a, q, 64);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 0);
    end(pool);
}

static void obeys_the_model_in_a_million_operations(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(72, 32, 50);
    test_allocator_model(&(test_allocator_model_desc){.allocator = &pool->interface,
                                                      .num_operations = 1000000,
                                                      .seed = 2024,
                                                      .max_live = 300,
                                                      .min_bytes = 1,
                                                      .max_bytes = 72,
                                                      .max_align = 32});
    end(pool);
}

// --- Misuse --------------------------------------------------------------------------------------

static void ask_too_much(void *user) {
    (void)ct_alloc(user, 65);
}

static void align_too_much(void *user) {
    (void)ct_alloc_aligned(user, 8, 32);
}

static void end_with_a_block(void *user) {
    (void)ct_pool_take(user);
    ct_pool_shutdown(user);
}

static void free_as_larger(void *user) {
    ct_free_sized(user, ct_alloc(user, 10), 65);
}

static void start_without_a_size(void *user) {
    (void)user;
    (void)start(0, 0, 0);
}

static void start_with_absurd_blocks(void *user) {
    (void)user;
    (void)start(UINT64_MAX - 3, 0, 0);
}

static void reports_misuse(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(64, 0, 0);
    ct_allocator *const a = &pool->interface;
    test_expect_death(
        ask_too_much, a,
        "allocator \"pool\" has blocks of 64 bytes aligned to 16; found a request for 65 bytes");
    test_expect_death(align_too_much, a, "found a request for 8 bytes aligned to 32");
    test_expect_death(end_with_a_block, pool,
                      "allocator \"pool\" is destroyed but still holds 1 blocks, 64 bytes");
    test_expect_death(free_as_larger, a, "a block of 64 bytes is freed with a size of 65");
    test_expect_death(start_without_a_size, NULL, "pool \"pool\": cannot make blocks of 0 bytes");
    test_expect_death(start_with_absurd_blocks, NULL,
                      "pool \"pool\": cannot make blocks of 18446744073709");
    end(pool);
}

#ifdef CT_BUILD_DEV
static void give_twice(void *user) {
    void *const p = ct_pool_take(user);
    (void)ct_pool_take(user);
    ct_pool_give(user, p);
    ct_pool_give(user, p);
}

static void give_from_the_stack(void *user) {
    char local[64];
    ct_pool_give(user, local);
}

static void give_the_middle(void *user) {
    ct_pool_give(user, (char *)ct_pool_take(user) + 8);
}

static void give_to_another_pool(void *user) {
    ct_pool_give(user, ct_pool_take(start(64, 0, 0)));
}

static void finds_wild_pointers_in_dev(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(64, 0, 0);
    test_expect_death(give_twice, pool, "is freed twice");
    test_expect_death(give_from_the_stack, pool, "is not one of its blocks");
    test_expect_death(give_the_middle, pool, "is 8 bytes inside a block");
    test_expect_death(give_to_another_pool, pool, "is not one of its blocks");
    end(pool);
}
#endif

#ifdef CT_ADDRESS_SANITIZER
static void write_byte(void *p) {
    *(volatile char *)p = 1;
}

static void poisons_what_nobody_holds(void **state) {
    (void)state;
    ct_pool_allocator *const pool = start(64, 0, 4);
    char *p = ct_pool_take(pool), *q = ct_pool_take(pool);
    test_expect_death(write_byte, p - 1, "use-after-poison");
    test_expect_death(write_byte, p + 64, "use-after-poison");
    write_byte(p + 63);
    write_byte(q);
    ct_pool_give(pool, p);
    test_expect_death(write_byte, p, "use-after-poison");
    char *const small = ct_alloc(&pool->interface, 5);
    test_expect_death(write_byte, small + 5, "use-after-poison");
    ct_pool_give(pool, small);
    ct_pool_give(pool, q);
    end(pool);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_the_newest_free_block_out_first),
        cmocka_unit_test(takes_a_chunk_at_a_time_and_keeps_it),
        cmocka_unit_test(aligns_every_block),
        cmocka_unit_test(counts_live_blocks_peak_and_total),
        cmocka_unit_test(serves_the_interface_up_to_its_block_size),
        cmocka_unit_test(obeys_the_model_in_a_million_operations),
        cmocka_unit_test(reports_misuse),
#ifdef CT_BUILD_DEV
        cmocka_unit_test(finds_wild_pointers_in_dev),
#endif
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(poisons_what_nobody_holds),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
