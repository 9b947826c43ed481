#include "foundation/memory/guard_allocator.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/memory_settings.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

enum { ROUNDS = 100000 }; // of a slice

static ct_allocator *guard;

static int setup(void **state) {
    (void)state;
    guard = ct_guard_allocator_create(test_heap(), "guard");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ct_guard_allocator_destroy(guard);
    return 0;
}

static void agrees_with_a_model(void **state) {
    (void)state;
    test_allocator_model(
        &(test_allocator_model_desc){.allocator = guard,
                                     .num_operations = test_rounds(ROUNDS, 1000000),
                                     .seed = 1,
                                     .max_live = 64,
                                     .min_bytes = 1,
                                     .max_bytes = 10000,
                                     .max_align = 16384});
}

static void ends_blocks_at_the_end_of_a_page(void **state) {
    (void)state;
    const uint64_t page_bytes = ct_os_page_bytes();
    for (uint64_t size_bytes = 16; size_bytes < 3 * page_bytes; size_bytes += 1040) {
        char *const p = ct_alloc(guard, size_bytes);
        assert_int_equal(((uintptr_t)p + size_bytes) % page_bytes, 0);
        assert_int_equal(ct_allocated_size(guard, p), size_bytes);
        ct_free(guard, p);
    }
}

static void read_past(void *user) {
    const volatile char *p = ct_alloc(user, 64);
    (void)p[64];
}

static void write_after_free(void *user) {
    volatile char *p = ct_alloc(user, 64);
    ct_free(user, (void *)p);
    for (uint32_t i = 0; i < 100; ++i) // nobody gets the same place again soon
        ct_free(user, ct_alloc(user, 64));
    p[0] = 1;
}

static void faults_past_the_end_and_after_the_free(void **state) {
    (void)state;
    test_expect_signal(read_past, guard, SIGSEGV);
    test_expect_signal(write_after_free, guard, SIGSEGV);
}

static void write_little_past(void *user) {
    char *const p = ct_alloc(user, 61);
    p[62] = 1;
    ct_free(user, p);
}

static void write_before(void *user) {
    char *const p = ct_alloc(user, 64);
    p[-5] = 1;
    ct_free(user, p);
}

static void checks_what_lies_around_a_block(void **state) {
    (void)state;
    test_expect_death(write_little_past, guard, "a write went 1 bytes past the block of 61 bytes");
    test_expect_death(write_before, guard, "a write went 5 bytes before the block of 64 bytes");
}

static void free_twice(void *user) {
    void *const p = ct_alloc(user, 64);
    ct_free(user, p);
    ct_free(user, p);
}

static void reports_double_frees_when_checked(void **state) {
    (void)state;
    if (!ct_memory_settings_checks_blocks())
        skip();
    test_expect_death(free_twice, guard,
                      "it was a block of 64 bytes of \"guard\" and is freed twice");
}

static void ask_too_much(void *user) {
    (void)ct_alloc(user, UINT64_MAX - 100);
}

static void running_out_of_memory_ends_the_program(void **state) {
    (void)state;
    test_expect_death(ask_too_much, guard, "out of memory: allocator \"guard\" holds ");
}

static void keeps_a_bounded_number_of_freed_blocks(void **state) {
    (void)state;
    char *const first = ct_alloc(guard, 100 * 1024 * 1024);
    ct_free(guard, first);
    // Past the limits the oldest go; address space does not run out.
    for (uint32_t i = 0; i < CT_GUARD_FREED_BLOCKS + 10; ++i)
        ct_free(guard, ct_alloc(guard, 16));
    for (uint32_t i = 0; i < 20; ++i)
        ct_free(guard, ct_alloc(guard, 100 * 1024 * 1024));
    assert_int_equal(ct_allocator_stats_of(guard).live_bytes, 0);
}

#ifdef CT_BUILD_DEV
static void use_a_guarded_proxy(void *user) {
    (void)user;
    signal(SIGSEGV, SIG_DFL);
    test_group_teardown(NULL);
    setenv("CUTTLE_MEMORY_GUARD", "sound,physics", 1);
    ct_memory_init();
    ct_allocator *const world = ct_proxy_allocator_create(ct_memory_heap(), "world");
    ct_allocator *const physics = ct_proxy_allocator_create(world, "world/physics");
    ct_allocator *const bodies = ct_proxy_allocator_create(physics, "bodies");
    char *p = ct_alloc(bodies, 48); // what stands on it is guarded too
    CT_ASSERT(((uintptr_t)p + 48) % ct_os_page_bytes() == 0, "%p is not guarded", (void *)p);
    p = ct_alloc(world, 48);
    CT_ASSERT(ct_allocator_stats_of(world).live_blocks == 4, "counted elsewhere");
    ct_free(world, p);
    CT_ASSERT(false, "so far so good");
}

static void the_environment_puts_proxies_on_it(void **state) {
    (void)state;
    test_expect_death(use_a_guarded_proxy, NULL, "so far so good");
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(agrees_with_a_model, setup, teardown),
        cmocka_unit_test_setup_teardown(ends_blocks_at_the_end_of_a_page, setup, teardown),
        cmocka_unit_test_setup_teardown(faults_past_the_end_and_after_the_free, setup, teardown),
        cmocka_unit_test_setup_teardown(checks_what_lies_around_a_block, setup, teardown),
        cmocka_unit_test_setup_teardown(reports_double_frees_when_checked, setup, teardown),
        cmocka_unit_test_setup_teardown(running_out_of_memory_ends_the_program, setup, teardown),
        cmocka_unit_test_setup_teardown(keeps_a_bounded_number_of_freed_blocks, setup, teardown),
#ifdef CT_BUILD_DEV
        cmocka_unit_test(the_environment_puts_proxies_on_it),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
