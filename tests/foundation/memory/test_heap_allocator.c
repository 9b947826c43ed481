// The heap against a model, and what it refuses.
#include "foundation/memory/heap_allocator.h"

#include "foundation/memory/memory.h"
#include "foundation/memory/poison.h"
#include "foundation/os/os.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

enum { ROUNDS = 100000 }; // of a slice

static test_allocator_model_desc model_of(ct_allocator *a, uint32_t seed) {
    return (test_allocator_model_desc){.allocator = a,
                                       .num_operations = test_rounds(ROUNDS, 1000000),
                                       .seed = seed,
                                       .max_live = 128,
                                       .min_bytes = 1,
                                       .max_bytes = 3000,
                                       .max_align = 4096};
}

static void agrees_with_a_model(void **state) {
    (void)state;
    ct_allocator *const heap = ct_heap_allocator_create(test_heap(), "model");
    test_allocator_model_desc desc = model_of(heap, 1);
    test_allocator_model(&desc);
    ct_heap_allocator_destroy(heap);
}

static void agrees_with_a_model_at_default_alignment(void **state) {
    (void)state;
    ct_allocator *const heap = ct_heap_allocator_create(test_heap(), "model");
    test_allocator_model_desc desc = model_of(heap, 2);
    desc.max_align = 0;
    desc.max_bytes = 1200;
    test_allocator_model(&desc);
    ct_heap_allocator_destroy(heap);
}

static void run_model(void *desc) {
    test_allocator_model(desc);
}

static void agrees_with_a_model_on_several_threads(void **state) {
    (void)state;
    ct_allocator *const heap = ct_heap_allocator_create(test_heap(), "model");
    test_allocator_model_desc descs[4];
    ct_thread threads[4];
    for (uint32_t i = 0; i < 4; ++i) {
        descs[i] = model_of(heap, 7 + i);
        descs[i].num_operations /= 4;
        descs[i].is_shared = true;
        threads[i] = ct_thread_start("model", run_model, &descs[i]);
    }
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    assert_int_equal(ct_allocator_stats_of(heap).live_bytes, 0);
    assert_int_equal(ct_allocator_stats_of(heap).live_blocks, 0);
    ct_heap_allocator_destroy(heap);
}

static void aligns_the_smallest_blocks_too(void **state) {
    (void)state;
    void *blocks[64];
    for (uint64_t size_bytes = 1; size_bytes <= 16; ++size_bytes) {
        for (uint32_t i = 0; i < CT_COUNT_OF(blocks); ++i) {
            blocks[i] = ct_alloc(test_heap(), size_bytes);
            assert_int_equal((uintptr_t)blocks[i] % CT_DEFAULT_ALIGN, 0);
        }
        for (uint32_t i = 0; i < CT_COUNT_OF(blocks); ++i)
            ct_free_sized(test_heap(), blocks[i], size_bytes);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_bytes, 0);
}

static void aligns_blocks_of_a_power_of_two(void **state) {
    (void)state;
    void *blocks[64];
    for (uint64_t size_bytes = 16; size_bytes <= 8192; size_bytes *= 2) {
        for (uint64_t align = 32; align <= 8192; align *= 2) {
            for (uint32_t i = 0; i < CT_COUNT_OF(blocks); ++i) {
                blocks[i] = ct_alloc_aligned(test_heap(), size_bytes, align);
                assert_int_equal((uintptr_t)blocks[i] % align, 0);
            }
            for (uint32_t i = 0; i < CT_COUNT_OF(blocks); ++i)
                ct_free_sized(test_heap(), blocks[i], size_bytes);
        }
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_bytes, 0);
}

static void destroy(void *heap) {
    ct_heap_allocator_destroy(heap);
}

static void names_itself_when_not_empty(void **state) {
    (void)state;
    ct_allocator *const heap = ct_heap_allocator_create(test_heap(), "second");
    void *const p = ct_alloc(heap, 64);
    test_expect_death(destroy, heap,
                      "allocator \"second\" is destroyed but still holds 1 blocks, ");
    ct_free(heap, p);
    ct_heap_allocator_destroy(heap);
}

#ifdef CT_ADDRESS_SANITIZER
static void write_past(void *user) {
    volatile char *p = ct_alloc(user, 37);
    p[37] = 1;
}

static void write_past_aligned(void *user) {
    volatile char *p = ct_alloc_aligned(user, 37, 64);
    p[37] = 1;
}

static void write_after_free(void *user) {
    volatile char *p = ct_alloc(user, 37);
    ct_free(user, (void *)p);
    p[0] = 1;
}

static void the_sanitizer_sees_its_blocks(void **state) {
    (void)state;
    test_expect_death(write_past, ct_memory_heap(), "heap-buffer-overflow");
    test_expect_death(write_past_aligned, ct_memory_heap(), "heap-buffer-overflow");
    test_expect_death(write_after_free, ct_memory_heap(), "heap-use-after-free");
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_model),
        cmocka_unit_test(agrees_with_a_model_at_default_alignment),
        cmocka_unit_test(agrees_with_a_model_on_several_threads),
        cmocka_unit_test(aligns_the_smallest_blocks_too),
        cmocka_unit_test(aligns_blocks_of_a_power_of_two),
        cmocka_unit_test(names_itself_when_not_empty),
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(the_sanitizer_sees_its_blocks),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
