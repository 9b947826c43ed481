#include "foundation/container/buddy_pool.h"

#include <string.h>

#include "support/test_support.h"

static ct_buddy_pool *start(void) {
    ct_buddy_pool *const pool = CT_NEW(test_heap(), ct_buddy_pool);
    ct_buddy_pool_init(pool, test_heap(), "pool", 32);
    return pool;
}

static void end(ct_buddy_pool *pool) {
    ct_buddy_pool_free(pool);
    ct_free(test_heap(), pool);
}

static void allocates_nothing_before_it_is_used(void **state) {
    (void)state;
    ct_buddy_pool *const pool = start();
    assert_int_equal(ct_buddy_pool_total_bytes(pool), 0);
    void *const p = ct_buddy_pool_take(pool, 33);
    assert_int_equal(ct_buddy_pool_rounded_bytes(pool, 33), 64);
    assert_int_equal(ct_buddy_pool_rounded_bytes(pool, 1), 32);
    assert_int_equal(ct_buddy_pool_used_bytes(pool), 64);
    assert_int_equal((uintptr_t)p % 64, 0);
    assert_int_equal(ct_buddy_pool_total_bytes(pool), CT_BUDDY_POOL_FIRST_BYTES);
    ct_buddy_pool_give(pool, p, 33);
    assert_int_equal(ct_buddy_pool_used_bytes(pool), 0);
    end(pool);
}

static void adds_buffers_and_never_moves_blocks(void **state) {
    (void)state;
    enum { NUM = 2000, BYTES = 256 };
    ct_buddy_pool *const pool = start();
    static uint8_t *blocks[NUM];
    for (uint32_t i = 0; i < NUM; ++i)
        blocks[i] = memset(ct_buddy_pool_take(pool, BYTES), (int)(i % 251), BYTES);
    assert_int_equal(ct_buddy_pool_used_bytes(pool), NUM * BYTES);
    assert_true(ct_buddy_pool_total_bytes(pool) <= 4 * NUM * BYTES);
    for (uint32_t i = 0; i < NUM; ++i) {
        for (uint32_t k = 0; k < BYTES; ++k)
            assert_int_equal(blocks[i][k], i % 251);
        ct_buddy_pool_give(pool, blocks[i], BYTES);
    }
    end(pool);
}

static void gives_empty_buffers_back_but_the_newest(void **state) {
    (void)state;
    enum { NUM = 4096, BYTES = 64 };
    ct_buddy_pool *const pool = start();
    static void *blocks[NUM];
    for (uint32_t i = 0; i < NUM; ++i)
        blocks[i] = ct_buddy_pool_take(pool, BYTES);
    assert_true(pool->count > 1);
    for (uint32_t i = 0; i < NUM; ++i)
        ct_buddy_pool_give(pool, blocks[i], BYTES);
    assert_int_equal(pool->count, 1);
    end(pool);
}

static void makes_a_buffer_large_enough_for_a_large_block(void **state) {
    (void)state;
    ct_buddy_pool *const pool = start();
    uint8_t *const large = ct_buddy_pool_take(pool, 1 << 20);
    memset(large, 1, 1 << 20);
    uint8_t *const other = ct_buddy_pool_take(pool, 1 << 16);
    memset(other, 2, 1 << 16);
    assert_int_equal(large[(1 << 20) - 1], 1);
    ct_buddy_pool_give(pool, large, 1 << 20);
    ct_buddy_pool_give(pool, other, 1 << 16);
    end(pool);
}

static void end_too_early(void *pool) {
    ct_buddy_pool_free(pool);
}

static void misses_blocks_at_its_end(void **state) {
    (void)state;
    ct_buddy_pool *const pool = start();
    void *const p = ct_buddy_pool_take(pool, 32);
    test_expect_death(end_too_early, pool, "allocator \"pool\"");
    ct_buddy_pool_give(pool, p, 32);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocates_nothing_before_it_is_used),
        cmocka_unit_test(adds_buffers_and_never_moves_blocks),
        cmocka_unit_test(gives_empty_buffers_back_but_the_newest),
        cmocka_unit_test(makes_a_buffer_large_enough_for_a_large_block),
        cmocka_unit_test(misses_blocks_at_its_end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
