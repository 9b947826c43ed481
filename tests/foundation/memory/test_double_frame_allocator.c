#include "foundation/memory/double_frame_allocator.h"

#include <string.h>

#include "support/allocator_model.h"
#include "support/test_support.h"

static void keeps_blocks_until_the_end_of_the_next_frame(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 4096);
    ct_allocator *const a = ct_double_frame_allocator_interface(d);
    assert_string_equal(a->name, "double");
    unsigned char *previous = NULL;
    for (uint32_t frame = 0; frame < 10; ++frame) {
        unsigned char *const p = ct_alloc(a, 100);
        memset(p, (int)frame, 100);
        for (uint32_t i = 0; previous && i < 100; ++i)
            assert_int_equal(previous[i], frame - 1);
        assert_int_equal(ct_allocator_stats_of(a).live_blocks, frame ? 2 : 1);
        previous = p;
        ct_double_frame_allocator_swap(d);
    }
    ct_double_frame_allocator_swap(d);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 0);
    assert_int_equal(ct_allocator_stats_of(a).total_blocks, 10);
    ct_double_frame_allocator_destroy(d);
}

static void takes_turns_between_two_buffers(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 4096);
    ct_allocator *const a = ct_double_frame_allocator_interface(d);
    void *const first = ct_alloc(a, 10);
    ct_double_frame_allocator_swap(d);
    void *const second = ct_frame_take(ct_double_frame_allocator_current(d), 10);
    assert_ptr_not_equal(second, first);
    ct_double_frame_allocator_swap(d);
    const ct_allocator_stats warm = ct_allocator_stats_of(test_heap());
    assert_ptr_equal(ct_alloc(a, 10), first);
    ct_double_frame_allocator_swap(d);
    assert_ptr_equal(ct_alloc(a, 10), second);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, warm.total_blocks);
    ct_double_frame_allocator_destroy(d);
}

static void counts_both_frames_together(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 4096);
    ct_allocator *const a = ct_double_frame_allocator_interface(d);
    void *const old = ct_alloc(a, 100);
    ct_double_frame_allocator_swap(d);
    void *const new = ct_alloc(a, 50);
    assert_int_equal(ct_allocated_size(a, old), 100);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 150);
    ct_free_sized(a, old, 100);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 50);
    ct_free(a, new);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 0);
    ct_double_frame_allocator_swap(d);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 0);
    assert_int_equal(ct_allocator_stats_of(a).peak_bytes, 150);
    ct_double_frame_allocator_destroy(d);
    ct_double_frame_allocator_destroy(NULL);
}

static void remembers_the_peak_over_swaps(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 4096);
    ct_allocator *const a = ct_double_frame_allocator_interface(d);
    for (uint32_t frame = 0; frame < 4; ++frame) {
        (void)ct_alloc(a, frame < 2 ? 100 : 1);
        ct_double_frame_allocator_swap(d);
    }
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 1);
    assert_int_equal(ct_allocator_stats_of(a).peak_bytes, 200);
    ct_double_frame_allocator_destroy(d);
}

static void obeys_the_model_in_a_million_operations(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 8192);
    for (uint32_t i = 0; i < 100; ++i) {
        test_allocator_model(
            &(test_allocator_model_desc){.allocator = ct_double_frame_allocator_interface(d),
                                         .num_operations = 10000,
                                         .seed = 1 + i,
                                         .max_live = 100,
                                         .min_bytes = 1,
                                         .max_bytes = 200,
                                         .max_align = 64});
        ct_double_frame_allocator_swap(d);
    }
    ct_double_frame_allocator_destroy(d);
}

static void free_twice(void *user) {
    void *const p = ct_alloc(user, 10);
    ct_free(user, p);
    ct_free(user, p);
}

static void reports_a_block_freed_twice(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 4096);
    test_expect_death(free_twice, ct_double_frame_allocator_interface(d),
                      "allocator \"double\": a block is freed twice");
    ct_double_frame_allocator_destroy(d);
}

#ifdef CT_BUILD_DEV
static void free_two_frames_late(void *user) {
    ct_double_frame_allocator *const d = user;
    void *const p = ct_alloc(ct_double_frame_allocator_interface(d), 10);
    ct_double_frame_allocator_swap(d);
    ct_double_frame_allocator_swap(d);
    ct_free(ct_double_frame_allocator_interface(d), p);
}

static void reports_a_block_freed_too_late(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 4096);
    test_expect_death(free_two_frames_late, d, "is not one of its blocks");
    ct_double_frame_allocator_destroy(d);
}
#endif

#ifdef CT_ADDRESS_SANITIZER
static void write_byte(void *p) {
    *(volatile char *)p = 1;
}

static void poisons_what_nobody_holds(void **state) {
    (void)state;
    ct_double_frame_allocator *const d =
        ct_double_frame_allocator_create(test_heap(), "double", 4096);
    char *const p = ct_alloc(ct_double_frame_allocator_interface(d), 13);
    test_expect_death(write_byte, p + 13, "use-after-poison");
    ct_double_frame_allocator_swap(d);
    write_byte(p + 12);
    ct_double_frame_allocator_swap(d);
    test_expect_death(write_byte, p, "use-after-poison");
    ct_double_frame_allocator_destroy(d);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_blocks_until_the_end_of_the_next_frame),
        cmocka_unit_test(takes_turns_between_two_buffers),
        cmocka_unit_test(counts_both_frames_together),
        cmocka_unit_test(remembers_the_peak_over_swaps),
        cmocka_unit_test(obeys_the_model_in_a_million_operations),
        cmocka_unit_test(reports_a_block_freed_twice),
#ifdef CT_BUILD_DEV
        cmocka_unit_test(reports_a_block_freed_too_late),
#endif
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(poisons_what_nobody_holds),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
