// Who allocated between two moments.
#include "foundation/memory/allocation_counts.h"

#include <string.h>

#include "foundation/memory/proxy_allocator.h"
#include "support/test_support.h"

// The blocks that allocators of this name handed out in between.
static uint64_t blocks_of(const ct_allocation_counts *c, const ct_allocation_counts *before,
                          const char *name) {
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < c->count; ++i)
        blocks +=
            strcmp(c->items[i].name, name) == 0 ? ct_allocation_counts_since(c, i, before) : 0;
    return blocks;
}

// Tables of blocks that builds with checks keep.
static const char *const trace[] = {"trace"};

static void tells_who_allocated_of_its_own(void **state) {
    (void)state;
    ct_allocator *const outer = ct_proxy_allocator_create(test_heap(), "outer");
    ct_allocator *const inner = ct_proxy_allocator_create(outer, "inner");
    ct_allocator *const other = ct_proxy_allocator_create(outer, "other");
    static ct_allocation_counts before, after;
    ct_allocation_counts_take(&before, trace, 1);
    void *blocks[6];
    for (uint32_t i = 0; i < 6; ++i)
        blocks[i] = ct_alloc(i < 3 ? inner : i < 5 ? outer : other, 100);
    ct_allocation_counts_take(&after, trace, 1);
    assert_int_equal(blocks_of(&after, &before, "inner"), 3);
    assert_int_equal(blocks_of(&after, &before, "outer"), 2);
    assert_int_equal(blocks_of(&after, &before, "other"), 1);
    assert_int_equal(after.num_blocks - before.num_blocks, 6);

    // Freeing changes nothing; who is not to be counted is left out, also of the sum.
    for (uint32_t i = 0; i < 6; ++i)
        ct_free(i < 3 ? inner : i < 5 ? outer : other, blocks[i]);
    const char *const but[] = {"inner", "other", "trace"};
    ct_allocation_counts_take(&before, but, 3);
    ct_free(inner, ct_alloc(inner, 10));
    ct_free(outer, ct_alloc(outer, 10));
    ct_allocation_counts_take(&after, but, 3);
    assert_int_equal(blocks_of(&after, &before, "inner"), 0);
    assert_int_equal(after.num_blocks - before.num_blocks, 1);
    ct_proxy_allocator_destroy(other);
    ct_proxy_allocator_destroy(inner);
    ct_proxy_allocator_destroy(outer);
}

static void tells_allocators_of_one_name_apart(void **state) {
    (void)state;
    ct_allocator *const first = ct_proxy_allocator_create(test_heap(), "twin");
    ct_allocator *const second = ct_proxy_allocator_create(test_heap(), "twin");
    static ct_allocation_counts before, after;
    ct_free(first, ct_alloc(first, 10));
    ct_allocation_counts_take(&before, NULL, 0);
    ct_free(second, ct_alloc(second, 10));
    ct_allocator *const third = ct_proxy_allocator_create(test_heap(), "twin"); // is new
    ct_free(third, ct_alloc(third, 10));
    ct_allocation_counts_take(&after, NULL, 0);
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < after.count; ++i)
        num_found += strcmp(after.items[i].name, "twin") == 0;
    assert_int_equal(num_found, 3);
    assert_int_equal(blocks_of(&after, &before, "twin"), 2);
    ct_proxy_allocator_destroy(third);
    ct_proxy_allocator_destroy(second);
    ct_proxy_allocator_destroy(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_who_allocated_of_its_own),
        cmocka_unit_test(tells_allocators_of_one_name_apart),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
