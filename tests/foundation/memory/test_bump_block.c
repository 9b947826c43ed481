// The blocks of allocators that only move a pointer, in the simplest of these.
#include "foundation/memory/bump_block.h"

#include "foundation/error.h"
#include "foundation/memory/poison.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

enum { ROUNDS = 100000 }; // of a slice

enum { BUFFER_BYTES = 1024 * 1024 };

// As the bootstrap allocator: its memory is used again once it is empty.
typedef struct bump_allocator {
    ct_allocator interface;
    ct_allocator_stats counters;
    char *buffer, *next;
} bump_allocator;

static void *bump_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    bump_allocator *const b = (bump_allocator *)a;
    char *const p =
        ct_bump_block_place(b->next, b->buffer + BUFFER_BYTES, size_bytes, align, &b->counters);
    CT_ASSERT(p, "the buffer is full");
    b->next = p + size_bytes;
    return p;
}

static void bump_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    bump_allocator *const b = (bump_allocator *)a;
    ct_bump_block_free(p, size_bytes, &b->counters, a->name);
    if (b->counters.live_blocks == 0)
        b->next = b->buffer;
}

static uint64_t bump_allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return ct_bump_block_size(p);
}

static void bump_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = ((bump_allocator *)a)->counters;
}

static bump_allocator bump;

static int setup(void **state) {
    (void)state;
    bump = (bump_allocator){.interface = {.allocate = bump_allocate,
                                          .free = bump_free,
                                          .allocated_size = bump_allocated_size,
                                          .stats = bump_stats,
                                          .name = "bump"},
                            .buffer = ct_alloc(test_heap(), BUFFER_BYTES)};
    bump.next = bump.buffer;
    ct_poison(bump.buffer, BUFFER_BYTES);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ct_unpoison(bump.buffer, BUFFER_BYTES);
    ct_free_sized(test_heap(), bump.buffer, BUFFER_BYTES);
    return 0;
}

static void agrees_with_a_model(void **state) {
    (void)state;
    // In short runs, after each of which the buffer starts anew.
    const uint32_t num_operations = 500;
    for (uint32_t i = 0; i < test_rounds(ROUNDS, 1000000) / num_operations; ++i)
        test_allocator_model(&(test_allocator_model_desc){.allocator = &bump.interface,
                                                          .num_operations = num_operations,
                                                          .seed = 1 + i,
                                                          .max_live = 50,
                                                          .min_bytes = 1,
                                                          .max_bytes = 1000,
                                                          .max_align = 512});
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    ct_allocator_stats counters = {0};
    char *const end = bump.buffer + BUFFER_BYTES;
    const uint64_t sizes[] = {BUFFER_BYTES - 15, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 16};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i)
        assert_null(ct_bump_block_place(bump.buffer, end, sizes[i], 16, &counters));
    assert_null(ct_bump_block_place(bump.buffer, end, 8, UINT64_C(1) << 63, &counters));
    assert_null(ct_bump_block_place(end, end, 1, 16, &counters));
    assert_int_equal(counters.total_blocks, 0);
    char *const p = ct_bump_block_place(bump.buffer, end, BUFFER_BYTES - 16, 16, &counters);
    assert_ptr_equal(p, bump.buffer + 16);
}

static void free_twice(void *user) {
    (void)user;
    void *const p = ct_alloc(&bump.interface, 10);
    void *const kept = ct_alloc(&bump.interface, 10);
    (void)kept;
    ct_free(&bump.interface, p);
    ct_free(&bump.interface, p);
}

static void free_as_larger(void *user) {
    (void)user;
    ct_free_sized(&bump.interface, ct_alloc(&bump.interface, 10), 11);
}

static void ask_for_an_absurd_block(void *user) {
    (void)user;
    (void)ct_bump_block_max_bytes(UINT64_MAX - 3, 16);
}

static void refuses_what_cannot_be(void **state) {
    (void)state;
    test_expect_death(free_twice, NULL, "allocator \"bump\": a block is freed twice");
    test_expect_death(free_as_larger, NULL,
                      "allocator \"bump\": a block of 10 bytes is freed with a size of 11");
    test_expect_death(ask_for_an_absurd_block, NULL, "out of memory: cannot allocate a block of ");
}

#ifdef CT_ADDRESS_SANITIZER
static void write_past(void *user) {
    (void)user;
    volatile char *p = ct_alloc(&bump.interface, 40);
    p[40] = 1;
}

static void write_before(void *user) {
    (void)user;
    volatile char *p = ct_alloc(&bump.interface, 40);
    p[-1] = 1;
}

static void write_after_free(void *user) {
    (void)user;
    volatile char *p = ct_alloc(&bump.interface, 40);
    ct_free(&bump.interface, (void *)p);
    p[0] = 1;
}

static void the_sanitizer_sees_its_blocks(void **state) {
    (void)state;
    test_expect_death(write_past, NULL, "use-after-poison");
    test_expect_death(write_before, NULL, "use-after-poison");
    test_expect_death(write_after_free, NULL, "use-after-poison");
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(agrees_with_a_model, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_does_not_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_cannot_be, setup, teardown),
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test_setup_teardown(the_sanitizer_sees_its_blocks, setup, teardown),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
