#include "foundation/memory/slab_allocator.h"

#include <string.h>

#include "foundation/memory/poison.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

static ct_slab_allocator *start(void) {
    ct_slab_allocator *const s = CT_NEW(test_heap(), ct_slab_allocator);
    ct_slab_init(s, test_heap(), "slab");
    return s;
}

static void end(ct_slab_allocator *s) {
    ct_slab_shutdown(s);
    ct_free(test_heap(), s);
}

static void rounds_sizes_up_to_classes(void **state) {
    (void)state;
    static const uint64_t classes[] = {16,  32,  48,  64,  80,  96,  112, 128, 160, 192,
                                       224, 256, 320, 384, 448, 512, 640, 768, 896, 1024};
    ct_slab_allocator *const s = start();
    uint32_t class = 0;
    for (uint64_t size = 1; size <= 1024; ++size) {
        if (size > classes[class])
            ++class;
        char *const p = ct_alloc(&s->interface, size);
        assert_int_equal(ct_allocated_size(&s->interface, p), classes[class]);
        memset(p, 1, size);
        ct_free_sized(&s->interface, p, size);
    }
    end(s);
}

static void packs_blocks_of_a_size_into_a_slab(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    char *const first = ct_alloc(&s->interface, 100);
    char *const slab = (char *)((uint64_t)first & ~(uint64_t)(CT_SLAB_BYTES - 1));
    char *blocks[400];
    for (uint32_t i = 0; i < 400; ++i) {
        blocks[i] = ct_alloc(&s->interface, 97 + i % 16);
        assert_true(blocks[i] > slab && blocks[i] + 112 <= slab + CT_SLAB_BYTES);
    }
    assert_int_equal(ct_allocator_stats_of(&s->interface).live_bytes, 401 * 112);
    for (uint32_t i = 0; i < 400; ++i)
        ct_free(&s->interface, blocks[i]);
    ct_free(&s->interface, first);
    end(s);
}

static void gives_empty_slabs_back_but_one(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    enum { NUM_BLOCKS = 500 }; // of 1,024 bytes: eight slabs and more
    char *blocks[NUM_BLOCKS];
    for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
        blocks[i] = ct_alloc(&s->interface, 1000);
    const uint32_t num_slabs = s->slabs.count;
    assert_true(num_slabs >= 8);
    for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
        ct_free(&s->interface, blocks[i]);
    assert_int_equal(s->slabs.count, 1);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint32_t i = 0; i < 10; ++i)
        ct_free(&s->interface, ct_alloc(&s->interface, 1000));
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    end(s);
}

static void fills_slabs_with_holes_before_it_takes_another(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    enum { NUM_BLOCKS = 200 };
    char *blocks[NUM_BLOCKS];
    for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
        blocks[i] = ct_alloc(&s->interface, 900);
    const uint32_t num_slabs = s->slabs.count;
    for (uint32_t i = 0; i < NUM_BLOCKS; i += 2)
        ct_free(&s->interface, blocks[i]);
    for (uint32_t i = 0; i < NUM_BLOCKS; i += 2)
        blocks[i] = ct_alloc(&s->interface, 1024);
    assert_int_equal(s->slabs.count, num_slabs);
    for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
        ct_free_sized(&s->interface, blocks[i], i % 2 ? 900 : 1024);
    end(s);
}

static void passes_large_blocks_to_the_backing_allocator(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    const uint64_t before = ct_allocator_stats_of(test_heap()).live_blocks;
    char *p = ct_alloc(&s->interface, 1025);
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, before + 1);
    assert_int_equal(ct_allocated_size(&s->interface, p), ct_allocated_size(test_heap(), p));
    assert_int_equal(ct_allocator_stats_of(&s->interface).live_bytes,
                     ct_allocated_size(test_heap(), p));
    ct_free(&s->interface, p);
    // Small, but aligned to more than slabs can: with and without the size.
    for (uint32_t i = 0; i < 2; ++i) {
        p = ct_alloc_aligned(&s->interface, 40, 4096);
        assert_int_equal((uint64_t)p % 4096, 0);
        ct_free_sized(&s->interface, p, i ? 40 : 0);
        assert_int_equal(ct_allocator_stats_of(&s->interface).live_bytes, 0);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, before);
    end(s);
}

static void obeys_the_model_in_a_million_operations(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    test_allocator_model(&(test_allocator_model_desc){.allocator = &s->interface,
                                                      .num_operations = 700000,
                                                      .seed = 8080,
                                                      .max_live = 500,
                                                      .min_bytes = 1,
                                                      .max_bytes = 1400});
    test_allocator_model(&(test_allocator_model_desc){.allocator = &s->interface,
                                                      .num_operations = 300000,
                                                      .seed = 8081,
                                                      .max_live = 500,
                                                      .min_bytes = 1,
                                                      .max_bytes = 300,
                                                      .max_align = 4096});
    end(s);
}

// --- Misuse --------------------------------------------------------------------------------------

static void end_with_a_block(void *user) {
    ct_slab_allocator *const s = user;
    (void)ct_alloc(&s->interface, 40);
    ct_slab_shutdown(s);
}

static void free_as_larger(void *user) {
    ct_free_sized(user, ct_alloc(user, 40), 49);
}

static void reports_misuse(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    test_expect_death(end_with_a_block, s,
                      "allocator \"slab\" is destroyed but still holds 1 blocks, 48 bytes");
    test_expect_death(free_as_larger, &s->interface,
                      "a block of 48 bytes is freed with a size of 49");
    end(s);
}

#ifdef CT_BUILD_DEV
static void free_twice(void *user) {
    void *const p = ct_alloc(user, 40);
    (void)ct_alloc(user, 40);
    ct_free(user, p);
    ct_free(user, p);
}

static void free_the_middle(void *user) {
    ct_free(user, (char *)ct_alloc(user, 40) + 16);
}

static void finds_wild_pointers_in_dev(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    test_expect_death(free_twice, &s->interface, "is freed twice");
    test_expect_death(free_the_middle, &s->interface, "is not the start of a block of 48 bytes");
    end(s);
}
#endif

#ifdef CT_ADDRESS_SANITIZER
static void write_byte(void *p) {
    *(volatile char *)p = 1;
}

static void poisons_what_nobody_holds(void **state) {
    (void)state;
    ct_slab_allocator *const s = start();
    char *p = ct_alloc(&s->interface, 40), *q = ct_alloc(&s->interface, 48);
    test_expect_death(write_byte, p - 1, "use-after-poison");
    test_expect_death(write_byte, p + 40, "use-after-poison");
    test_expect_death(write_byte, q + 48, "use-after-poison");
    write_byte(q + 47);
    ct_free(&s->interface, p);
    test_expect_death(write_byte, p, "use-after-poison");
    ct_free(&s->interface, q);
    end(s);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_sizes_up_to_classes),
        cmocka_unit_test(packs_blocks_of_a_size_into_a_slab),
        cmocka_unit_test(gives_empty_slabs_back_but_one),
        cmocka_unit_test(fills_slabs_with_holes_before_it_takes_another),
        cmocka_unit_test(passes_large_blocks_to_the_backing_allocator),
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
