// The table of live blocks, and what it finds when blocks come back.
#include "foundation/memory/block_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/heap_allocator.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/poison.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

// The table is used through checked allocators where the build checks them, and is asked directly
// otherwise.
static ct_counted_allocator *checked(ct_allocator *a) {
    ct_counted_allocator *const c = ct_counted_allocator_of(a);
    assert_non_null(c);
    return c;
}

typedef struct counted_blocks {
    const ct_counted_allocator *owner;
    uint64_t count, bytes;
} counted_blocks;

static void count_block(void *user, const ct_block *b) {
    counted_blocks *const c = user;
    if (b->owner != c->owner)
        return;
    ++c->count;
    c->bytes += b->size_bytes;
}

static counted_blocks blocks_of(ct_allocator *a) {
    counted_blocks c = {.owner = checked(a)};
    ct_block_table_visit(count_block, &c);
    return c;
}

static int start_checked(void **state) {
    setenv("CUTTLE_MEMORY_CHECK", "1", 1);
    return test_group_setup(state);
}

static void keeps_every_live_block(void **state) {
    (void)state;
    ct_allocator *const a = ct_proxy_allocator_create(test_heap(), "many");
    enum { COUNT = 20000 };
    static void *blocks[COUNT];
    uint32_t random = 5;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint64_t size_bytes = 1 + test_random(&random) % 100;
        blocks[i] = ct_alloc(a, size_bytes);
        bytes += size_bytes;
    }
    assert_int_equal(blocks_of(a).count, COUNT);
    assert_int_equal(blocks_of(a).bytes, bytes);
    // In an order of no meaning, so that runs of the table are closed everywhere.
    for (uint32_t i = COUNT; i > 1; --i) {
        const uint32_t j = test_random(&random) % i;
        void *const p = blocks[i - 1];
        blocks[i - 1] = blocks[j];
        blocks[j] = p;
    }
    for (uint32_t i = 0; i < COUNT / 2; ++i)
        ct_free(a, blocks[i]);
    assert_int_equal(blocks_of(a).count, COUNT / 2);
    for (uint32_t i = COUNT / 2; i < COUNT; ++i)
        ct_free(a, blocks[i]); // each is found, or the program ends
    assert_int_equal(blocks_of(a).count, 0);
    ct_proxy_allocator_destroy(a);
}

static void forgets_the_blocks_of_one_owner(void **state) {
    (void)state;
    ct_allocator *const kept = ct_proxy_allocator_create(test_heap(), "kept");
    ct_allocator *const lost = ct_proxy_allocator_create(test_heap(), "lost");
    enum { COUNT = 3000 };
    static char places[COUNT];
    static void *blocks[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        blocks[i] = ct_alloc(kept, 8);
        ct_block_table_add(checked(lost), &places[i], 1);
    }
    assert_int_equal(blocks_of(lost).count, COUNT);
    ct_block_table_forget(checked(lost));
    assert_int_equal(blocks_of(lost).count, 0);
    assert_int_equal(blocks_of(kept).count, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i)
        ct_free_sized(kept, blocks[i], 8);
    ct_proxy_allocator_destroy(lost);
    ct_proxy_allocator_destroy(kept);
}

static void churn(void *user) {
    uint32_t random = 17;
    void *blocks[64] = {0};
    for (uint32_t i = 0; i < 20000; ++i) {
        const uint32_t slot = test_random(&random) % 64;
        ct_free(user, blocks[slot]);
        blocks[slot] = ct_alloc(user, 1 + test_random(&random) % 300);
    }
    for (uint32_t i = 0; i < 64; ++i)
        ct_free(user, blocks[i]);
}

static void serves_several_threads(void **state) {
    (void)state;
    ct_thread threads[4];
    for (uint32_t i = 0; i < 4; ++i)
        threads[i] = ct_thread_start("churn", churn, test_heap());
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    assert_int_equal(blocks_of(test_heap()).count, 0);
}

// --- What comes back wrongly ---------------------------------------------------------------------

static void free_twice(void *user) {
    void *const p = ct_alloc(user, 72);
    ct_free(user, p);
    ct_free_sized(user, p, 72);
}

static void free_in_another_heap(void *user) {
    ct_allocator *const other = ct_heap_allocator_create(user, "other");
    ct_free(user, ct_alloc(other, 33));
}

static void free_the_heaps_own(void *user) {
    ct_free(user, ct_alloc(ct_memory_heap(), 33));
}

static void free_from_the_stack(void *user) {
    char place[64];
    ct_free(user, place + 16);
}

static void free_a_literal(void *user) {
    ct_free(user, (void *)(uintptr_t) "a literal, which is no block");
}

static void free_the_inside(void *user) {
    ct_free(user, (char *)ct_alloc(user, 1000) + 48);
}

static void free_as_smaller(void *user) {
    ct_free_sized(user, ct_alloc(user, 50), 49);
}

static void free_as_larger(void *user) {
    ct_free_sized(user, ct_alloc(user, 50), 51);
}

static void names_allocator_and_block(void **state) {
    (void)state;
    ct_allocator *const a = ct_proxy_allocator_create(test_heap(), "strict");
    test_expect_death(free_twice, a, "allocator \"strict\" cannot free 0x");
    test_expect_death(free_twice, a, "it was a block of 72 bytes of \"strict\" and is freed twice");
    test_expect_death(free_in_another_heap, a, "it is a block of 33 bytes of \"other\"");
    test_expect_death(free_the_heaps_own, a, "it is a block of 33 bytes of \"heap\"");
    test_expect_death(free_from_the_stack, a, "it is on the stack");
    test_expect_death(free_a_literal, a, "it is not a block of any allocator");
    test_expect_death(free_the_inside, a,
                      "it is 48 bytes inside a block of 1000 bytes of \"strict\"");
    test_expect_death(free_as_smaller, a,
                      "allocator \"strict\": a block of 50 bytes is freed with a size of 49");
    test_expect_death(free_as_larger, a,
                      "allocator \"strict\": a block of 50 bytes is freed with a size of 51");
    ct_proxy_allocator_destroy(a);
}

static void leak(void *user) {
    ct_allocator *const a = ct_proxy_allocator_create(user, "leaky");
    (void)ct_alloc(a, 300);
    (void)ct_alloc(a, 7000);
    for (uint32_t i = 0; i < 10; ++i)
        (void)ct_alloc(a, 20 + i);
    ct_proxy_allocator_destroy(a);
}

static void a_leak_report_has_the_largest_blocks(void **state) {
    (void)state;
    test_expect_death(leak, test_heap(),
                      "allocator \"test_heap/leaky\" is destroyed but still holds 12 blocks, ");
    test_expect_death(leak, test_heap(), "; the largest:\n        7000 bytes at 0x");
    test_expect_death(leak, test_heap(), "\n        29 bytes at 0x");
}

static void child_of_a_fork(void *user) {
    // No lock is held that another thread had taken in the parent.
    for (uint32_t i = 0; i < 100; ++i)
        ct_free(user, ct_alloc(user, 100));
    CT_ASSERT(false, "the child lives");
}

static void churn_until_told(void *user) {
    atomic_bool *const may_end = user;
    while (!atomic_load(may_end))
        churn(test_heap());
}

static void children_of_a_fork_find_no_lock_taken(void **state) {
    (void)state;
#ifdef CT_ADDRESS_SANITIZER
    skip(); // its own allocator may be locked by the other thread, and stays so in the child
#endif
    atomic_bool may_end = false;
    const ct_thread thread = ct_thread_start("churn", churn_until_told, &may_end);
    for (uint32_t i = 0; i < 20; ++i)
        test_expect_death(child_of_a_fork, test_heap(), "the child lives");
    atomic_store(&may_end, true);
    ct_thread_join(thread);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_every_live_block),
        cmocka_unit_test(forgets_the_blocks_of_one_owner),
        cmocka_unit_test(serves_several_threads),
        cmocka_unit_test(names_allocator_and_block),
        cmocka_unit_test(a_leak_report_has_the_largest_blocks),
        cmocka_unit_test(children_of_a_fork_find_no_lock_taken),
    };
    return cmocka_run_group_tests(tests, start_checked, test_group_teardown);
}
