#include "foundation/memory/proxy_allocator.h"

#include <stdio.h>
#include <string.h>

#include "foundation/memory/frame_allocator.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/memory_settings.h"
#include "foundation/memory/poison.h"
#include "foundation/os/os.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

enum { ROUNDS = 100000 }; // of a slice

static void counts_what_goes_through_it(void **state) {
    (void)state;
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "sound");
    assert_string_equal(proxy->name, "sound");
    void *const a = ct_alloc(proxy, 100);
    void *const b = ct_alloc(proxy, 1000);
    const uint64_t a_bytes = ct_allocated_size(proxy, a), b_bytes = ct_allocated_size(proxy, b);
    assert_true(a_bytes >= 100 && b_bytes >= 1000);
    assert_int_equal(ct_allocator_stats_of(proxy).live_bytes, a_bytes + b_bytes);
    ct_free_sized(proxy, a, 100);
    const ct_allocator_stats stats = ct_allocator_stats_of(proxy);
    assert_int_equal(stats.live_blocks, 1);
    assert_int_equal(stats.live_bytes, b_bytes);
    assert_int_equal(stats.peak_bytes, a_bytes + b_bytes);
    assert_int_equal(stats.total_blocks, 2);
    ct_free(proxy, b); // of unknown size
    assert_int_equal(ct_allocator_stats_of(proxy).live_bytes, 0);
    ct_proxy_allocator_destroy(proxy);
}

static void counts_in_every_proxy_below(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_allocator *const physics = ct_proxy_allocator_create(world, "world/physics");
    const ct_allocator_stats before = ct_allocator_stats_of(world);
    void *const p = ct_alloc(physics, 64);
    const uint64_t bytes = ct_allocated_size(physics, p);
    assert_int_equal(ct_allocator_stats_of(world).live_bytes, before.live_bytes + bytes);
    assert_int_equal(ct_allocator_stats_of(world).live_blocks, before.live_blocks + 1);
    assert_int_equal(ct_allocator_stats_of(physics).live_bytes, bytes);
    ct_free(physics, p);
    ct_proxy_allocator_destroy(physics);
    assert_int_equal(ct_allocator_stats_of(world).live_blocks, 0);
    ct_proxy_allocator_destroy(world);
}

static void passes_the_alignment_on(void **state) {
    (void)state;
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "aligned");
    for (uint32_t i = 0; i < 16; ++i) {
        void *const p = ct_alloc_aligned(proxy, 1, 4096);
        assert_int_equal((uintptr_t)p % 4096, 0);
        ct_free(proxy, p);
    }
    ct_proxy_allocator_destroy(proxy);
}

static void copies_and_cuts_its_name(void **state) {
    (void)state;
    char name[101];
    memset(name, 'n', 100);
    name[100] = 0;
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), name);
    name[0] = 'x';
    assert_int_equal(strlen(proxy->name), 63);
    assert_int_equal(proxy->name[0], 'n');
    ct_proxy_allocator_destroy(proxy);
}

static void find_frame_proxy(void *user, const char *name, uint32_t depth,
                             ct_allocator_stats stats) {
    if (strcmp(name, "over_frame") == 0 && depth == 0 && stats.live_blocks == 1)
        *(bool *)user = true;
}

static void stands_on_allocators_outside_the_tree(void **state) {
    (void)state;
    ct_frame_allocator *const frame = ct_frame_allocator_create(test_heap(), "frame", 4096);
    ct_allocator *const proxy =
        ct_proxy_allocator_create(ct_frame_allocator_interface(frame), "over_frame");
    void *const p = ct_alloc(proxy, 10);
    bool found = false;
    ct_memory_visit(find_frame_proxy, &found);
    assert_true(found);
    ct_free(proxy, p);
    ct_proxy_allocator_destroy(proxy);
    ct_frame_allocator_destroy(frame);
}

static void destroying_none_is_fine(void **state) {
    (void)state;
    ct_proxy_allocator_destroy(NULL);
}

static void destroy(void *proxy) {
    ct_proxy_allocator_destroy(proxy);
}

static void names_itself_when_not_empty(void **state) {
    (void)state;
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "particles");
    void *const a = ct_alloc(proxy, 10);
    void *const b = ct_alloc(proxy, 500);
    char report[128];
    snprintf(report, sizeof(report),
             "allocator \"test_heap/particles\" is destroyed but still holds 2 blocks, %llu bytes",
             (unsigned long long)ct_allocator_stats_of(proxy).live_bytes);
    test_expect_death(destroy, proxy, report);
    ct_free(proxy, a);
    ct_free(proxy, b);
    ct_proxy_allocator_destroy(proxy);
}

static void names_the_proxy_that_stands_on_it(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_allocator *const gui = ct_proxy_allocator_create(world, "world/gui");
    test_expect_death(destroy, world,
                      "allocator \"world\" is destroyed before \"world/gui\", which uses it and "
                      "holds 0 blocks, 0 bytes");
    ct_proxy_allocator_destroy(gui);
    ct_proxy_allocator_destroy(world);
}

typedef struct foreign_block {
    ct_allocator *allocator;
    void *block;
} foreign_block;

static void free_foreign(void *user) {
    const foreign_block *const f = user;
    ct_free(f->allocator, f->block);
}

static void refuses_blocks_it_did_not_give_when_checked(void **state) {
    (void)state;
    if (!ct_memory_settings_checks_blocks())
        skip();
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "strict");
    foreign_block foreign = {proxy, ct_alloc(test_heap(), 10)};
    char report[128];
    snprintf(report, sizeof(report),
             "allocator \"strict\" cannot free %p: it is a block of 10 bytes of \"test_heap\"",
             foreign.block);
    test_expect_death(free_foreign, &foreign, report);
    ct_free(test_heap(), foreign.block);
    ct_proxy_allocator_destroy(proxy);
}

// Where nobody knows whose a block is, the numbers tell at the end.
static void free_foreign_and_end(void *user) {
    free_foreign(user);
    ct_proxy_allocator_destroy(((foreign_block *)user)->allocator);
}

static void finds_too_many_frees_at_the_end(void **state) {
    (void)state;
    if (ct_memory_settings_checks_blocks())
        skip();
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "strict");
    foreign_block foreign = {proxy, ct_alloc(test_heap(), 10)};
    test_expect_death(
        free_foreign_and_end, &foreign,
        "allocator \"test_heap/strict\" is destroyed, and more was freed than allocated: -1 ");
    ct_free(test_heap(), foreign.block);
    ct_proxy_allocator_destroy(proxy);
}

// --- Against the model ---------------------------------------------------------------------------

static test_allocator_model_desc model_of(ct_allocator *a, uint32_t seed) {
    return (test_allocator_model_desc){.allocator = a,
                                       .num_operations = test_rounds(ROUNDS, 1000000),
                                       .seed = seed,
                                       .max_live = 100,
                                       .min_bytes = 1,
                                       .max_bytes = 2000,
                                       .max_align = 256};
}

static void agrees_with_a_model(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_allocator *const physics = ct_proxy_allocator_create(world, "world/physics");
    test_allocator_model_desc desc = model_of(physics, 3);
    test_allocator_model(&desc);
    ct_proxy_allocator_destroy(physics);
    desc = model_of(world, 5); // again without alignments, which small blocks of the heap like less
    desc.max_align = 0;
    test_allocator_model(&desc);
    ct_proxy_allocator_destroy(world);
}

static void agrees_with_a_model_over_pages(void **state) {
    (void)state;
    ct_allocator *const proxy = ct_proxy_allocator_create(ct_memory_pages(), "big");
    test_allocator_model_desc desc = model_of(proxy, 7);
    desc.num_operations /= 10; // two calls of the system for each
    test_allocator_model(&desc);
    ct_proxy_allocator_destroy(proxy);
}

static void run_model(void *desc) {
    test_allocator_model(desc);
}

static void agrees_with_a_model_on_several_threads(void **state) {
    (void)state;
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "shared");
    test_allocator_model_desc descs[4];
    ct_thread threads[4];
    for (uint32_t i = 0; i < 4; ++i) {
        descs[i] = model_of(proxy, 11 + i);
        descs[i].num_operations /= 4;
        descs[i].is_shared = true;
        threads[i] = ct_thread_start("model", run_model, &descs[i]);
    }
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    assert_int_equal(ct_allocator_stats_of(proxy).live_bytes, 0);
    assert_int_equal(ct_allocator_stats_of(proxy).live_blocks, 0);
    ct_proxy_allocator_destroy(proxy);
}

#ifdef CT_ADDRESS_SANITIZER
static void write_past(void *user) {
    volatile char *p = ct_alloc(user, 40);
    p[40] = 1;
}

static void write_after_free(void *user) {
    volatile char *p = ct_alloc(user, 40);
    ct_free(user, (void *)p);
    p[0] = 1;
}

static void the_sanitizer_sees_its_blocks(void **state) {
    (void)state;
    ct_allocator *const proxy = ct_proxy_allocator_create(test_heap(), "seen");
    test_expect_death(write_past, proxy, "heap-buffer-overflow");
    test_expect_death(write_after_free, proxy, "heap-use-after-free");
    ct_proxy_allocator_destroy(proxy);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_goes_through_it),
        cmocka_unit_test(counts_in_every_proxy_below),
        cmocka_unit_test(passes_the_alignment_on),
        cmocka_unit_test(copies_and_cuts_its_name),
        cmocka_unit_test(stands_on_allocators_outside_the_tree),
        cmocka_unit_test(destroying_none_is_fine),
        cmocka_unit_test(names_itself_when_not_empty),
        cmocka_unit_test(names_the_proxy_that_stands_on_it),
        cmocka_unit_test(refuses_blocks_it_did_not_give_when_checked),
        cmocka_unit_test(finds_too_many_frees_at_the_end),
        cmocka_unit_test(agrees_with_a_model),
        cmocka_unit_test(agrees_with_a_model_over_pages),
        cmocka_unit_test(agrees_with_a_model_on_several_threads),
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(the_sanitizer_sees_its_blocks),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
