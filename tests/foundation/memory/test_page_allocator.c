#include "foundation/memory/page_allocator.h"

#include <signal.h>
#include <string.h>

#include "foundation/memory/memory.h"
#include "foundation/memory/poison.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

enum { ROUNDS = 100000 }; // of a slice

static void agrees_with_a_model(void **state) {
    (void)state;
    ct_allocator *const pages = ct_page_allocator_create(test_heap(), "model");
    test_allocator_model(
        &(test_allocator_model_desc){.allocator = pages,
                                     .num_operations = test_rounds(ROUNDS, 1000000),
                                     .seed = 1,
                                     .max_live = 64,
                                     .min_bytes = 1,
                                     .max_bytes = 30000,
                                     .max_align = 65536});
    ct_page_allocator_destroy(pages);
}

static void gives_zeroed_pages(void **state) {
    (void)state;
    const uint64_t *const p = ct_alloc(ct_memory_pages(), 65536);
    assert_int_equal((uintptr_t)p % ct_os_page_bytes(), 0);
    for (uint32_t i = 0; i < 65536 / 8; ++i)
        assert_int_equal(p[i], 0);
    ct_free(ct_memory_pages(), (void *)p);
}

// --- Reserved blocks -----------------------------------------------------------------------------

enum { RESERVED_BYTES = 64 * 1024 * 1024, MIB = 1024 * 1024 };

static void a_reserved_block_grows_in_place(void **state) {
    (void)state;
    ct_allocator *const a = ct_proxy_allocator_create(ct_memory_pages(), "grown");
    char *const p = ct_pages_reserve(a, RESERVED_BYTES);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 1);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 0);
    for (uint32_t i = 0; i < 8; ++i) {
        ct_pages_commit(a, p + (uint64_t)i * MIB, MIB);
        assert_int_equal(p[(uint64_t)i * MIB + 77], 0);
        memset(p + (uint64_t)i * MIB, 1 + (int)i, MIB);
    }
    for (uint32_t i = 0; i < 8; ++i)
        assert_int_equal(p[(uint64_t)i * MIB + MIB - 1], 1 + i);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 8 * MIB);
    ct_pages_release(a, p, RESERVED_BYTES, 8 * MIB);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 0);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 0);
    assert_int_equal(ct_allocator_stats_of(a).peak_bytes, 8 * MIB);
    ct_proxy_allocator_destroy(a);
}

static void decommitted_pages_come_back_zeroed(void **state) {
    (void)state;
    ct_allocator *const a = ct_memory_pages();
    char *const p = ct_pages_reserve(a, RESERVED_BYTES);
    ct_pages_commit(a, p, 2 * MIB);
    memset(p, 5, 2 * MIB);
    ct_pages_decommit(a, p + MIB, MIB);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, MIB);
    ct_pages_commit(a, p + MIB, MIB);
    assert_int_equal(p[MIB - 1], 5);
    assert_int_equal(p[MIB], 0);
    ct_pages_release(a, p, RESERVED_BYTES, 2 * MIB);
}

static void write_uncommitted(void *user) {
    volatile char *p = user;
    p[2 * MIB] = 1;
}

static void write_decommitted(void *user) {
    ct_pages_decommit(ct_memory_pages(), (char *)user + MIB, MIB);
    volatile char *p = user;
    p[MIB] = 1;
}

static void what_is_not_committed_cannot_be_touched(void **state) {
    (void)state;
    char *const p = ct_pages_reserve(ct_memory_pages(), RESERVED_BYTES);
    ct_pages_commit(ct_memory_pages(), p, 2 * MIB);
    test_expect_signal(write_uncommitted, p, SIGSEGV);
    test_expect_signal(write_decommitted, p, SIGSEGV);
    ct_pages_release(ct_memory_pages(), p, RESERVED_BYTES, 2 * MIB);
}

static void reserve_from_the_heap(void *user) {
    (void)ct_pages_reserve(user, MIB);
}

static void reserve_too_much(void *user) {
    (void)ct_pages_reserve(user, UINT64_C(1) << 60);
}

static void refuses_what_cannot_be_reserved(void **state) {
    (void)state;
    test_expect_death(reserve_from_the_heap, test_heap(),
                      "allocator \"test_heap\" is not a page allocator or a proxy over one");
    test_expect_death(reserve_too_much, ct_memory_pages(),
                      "out of memory: allocator \"pages\" holds ");
}

static void leak_a_reserved_block(void *user) {
    (void)user;
    ct_allocator *const a = ct_proxy_allocator_create(ct_memory_pages(), "leaky");
    ct_pages_commit(a, ct_pages_reserve(a, RESERVED_BYTES), 10);
    ct_proxy_allocator_destroy(a);
}

static void reports_reserved_blocks_that_are_left(void **state) {
    (void)state;
    test_expect_death(leak_a_reserved_block, NULL,
                      "allocator \"leaky\" is destroyed but still holds 1 blocks, 4096 bytes");
}

#ifdef CT_ADDRESS_SANITIZER
static void write_past(void *user) {
    volatile char *p = user;
    p[100] = 1;
}

static void write_before(void *user) {
    volatile char *p = user;
    p[-1] = 1;
}

static void write_after_free(void *user) {
    ct_free(ct_memory_pages(), user);
    volatile char *p = user;
    p[0] = 1;
}

static void the_sanitizer_sees_its_blocks(void **state) {
    (void)state;
    char *const p = ct_alloc(ct_memory_pages(), 100);
    test_expect_death(write_past, p, "use-after-poison");
    test_expect_death(write_before, p, "use-after-poison");
    test_expect_death(write_after_free, p, "AddressSanitizer: SEGV");
    ct_free(ct_memory_pages(), p);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_model),
        cmocka_unit_test(gives_zeroed_pages),
        cmocka_unit_test(a_reserved_block_grows_in_place),
        cmocka_unit_test(decommitted_pages_come_back_zeroed),
        cmocka_unit_test(what_is_not_committed_cannot_be_touched),
        cmocka_unit_test(refuses_what_cannot_be_reserved),
        cmocka_unit_test(reports_reserved_blocks_that_are_left),
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(the_sanitizer_sees_its_blocks),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
