#include "foundation/memory/frame_allocator.h"

#include <string.h>

#include "foundation/memory/poison.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

static void gives_blocks_one_after_the_other(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 4096);
    ct_allocator *const a = ct_frame_allocator_interface(f);
    assert_string_equal(a->name, "frame");
    char *const p = ct_alloc(a, 16);
    char *const q = ct_alloc(a, 16);
    assert_ptr_equal(q, p + 32); // a header of 16 bytes between them
    assert_int_equal(ct_allocated_size(a, p), 16);
    ct_frame_allocator_destroy(f);
}

static void gives_back_to_a_mark(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 256);
    ct_allocator *const a = ct_frame_allocator_interface(f);
    char *const kept = ct_alloc(a, 100);
    memset(kept, 7, 100);
    const ct_frame_mark mark = ct_frame_allocator_mark(f);
    void *const first = ct_alloc(a, 50);
    for (uint32_t i = 0; i < 50; ++i)
        (void)ct_alloc(a, 200);
    ct_frame_allocator_reset(f, mark);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 1);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 100);
    assert_ptr_equal(ct_alloc(a, 50), first);
    for (uint32_t i = 0; i < 100; ++i)
        assert_int_equal(kept[i], 7);
    ct_frame_allocator_destroy(f);
}

static void counts_single_frees_once(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 4096);
    ct_allocator *const a = ct_frame_allocator_interface(f);
    void *const kept = ct_alloc(a, 8);
    const ct_frame_mark mark = ct_frame_allocator_mark(f);
    void *const p = ct_alloc(a, 10);
    (void)ct_alloc(a, 20);
    ct_free_sized(a, p, 10);
    ct_free(a, kept);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 1);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 20);
    ct_frame_allocator_reset(f, mark);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 0);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 0);
    assert_int_equal(ct_allocator_stats_of(a).peak_bytes, 38);
    assert_int_equal(ct_allocator_stats_of(a).total_blocks, 3);
    ct_frame_allocator_destroy(f);
}

CT_NO_ADDRESS_SANITIZER static void spoil_header(void *p) {
    ct_bump_block_of(p)->size_and_freed = 12345;
}

static void looks_at_no_block_in_a_reset_unless_one_was_freed(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 4096);
    ct_allocator *const a = ct_frame_allocator_interface(f);
    (void)ct_frame_take(f, 8);
    const ct_frame_mark mark = ct_frame_allocator_mark(f);
    spoil_header(ct_frame_take(f, 10));
    ct_frame_allocator_reset(f, mark);
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 1);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, 8);
    ct_frame_allocator_destroy(f);
}

static void takes_inline_what_the_interface_takes(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 256);
    ct_allocator *const a = ct_frame_allocator_interface(f);
    uint64_t live_bytes = 0;
    for (uint32_t i = 1; i < 300; ++i) {
        char *const p = i % 3 ? ct_frame_take(f, i) : ct_alloc(a, i);
        assert_int_equal((uintptr_t)p % CT_DEFAULT_ALIGN, 0);
        assert_int_equal(ct_allocated_size(a, p), i);
        memset(p, 1, i);
        live_bytes += i;
    }
    assert_int_equal(ct_allocator_stats_of(a).live_blocks, 299);
    assert_int_equal(ct_allocator_stats_of(a).live_bytes, live_bytes);
    assert_int_equal(ct_allocator_stats_of(a).peak_bytes, live_bytes);
    ct_frame_allocator_destroy(f);
}

static void knows_what_it_handed_out(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 256);
    assert_false(ct_frame_allocator_owns(f, f));
    const ct_frame_mark start = ct_frame_allocator_mark(f);
    char *first = ct_frame_take(f, 100), *large = ct_frame_take(f, 1000);
    assert_true(ct_frame_allocator_owns(f, first) && ct_frame_allocator_owns(f, first + 99));
    assert_true(ct_frame_allocator_owns(f, large));
    assert_false(ct_frame_allocator_owns(f, first + 200));
    ct_frame_allocator_reset(f, start);
    assert_false(ct_frame_allocator_owns(f, first) || ct_frame_allocator_owns(f, large));
    ct_frame_allocator_destroy(f);
}

// One frame of blocks that differ in size, some larger than a chunk.
static void allocate_frame(ct_allocator *a, uint32_t seed) {
    for (uint32_t i = 0; i < 200; ++i) {
        const uint64_t size_bytes = 1 + test_random(&seed) % 700;
        memset(ct_alloc_aligned(a, size_bytes, UINT64_C(1) << test_random(&seed) % 8), 1,
               size_bytes);
    }
}

static void allocates_nothing_once_warm(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 500);
    allocate_frame(ct_frame_allocator_interface(f), 99);
    ct_frame_allocator_reset(f, (ct_frame_mark){0});
    const ct_allocator_stats warm = ct_allocator_stats_of(test_heap());
    for (uint32_t round = 0; round < 20; ++round) {
        allocate_frame(ct_frame_allocator_interface(f), 99);
        ct_frame_allocator_reset(f, (ct_frame_mark){0});
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, warm.total_blocks);
    ct_frame_allocator_destroy(f);
}

static void frees_everything_when_destroyed(void **state) {
    (void)state;
    const uint64_t before = ct_allocator_stats_of(test_heap()).live_blocks;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 500);
    allocate_frame(ct_frame_allocator_interface(f), 5);
    ct_frame_allocator_destroy(f);
    ct_frame_allocator_destroy(NULL);
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, before);
}

// --- Against a model: a list of blocks, each filled with its own byte ----------------------------

enum { MAX_BLOCKS = 512, MAX_MARKS = 16 };

typedef struct model_block {
    unsigned char *p;
    uint64_t size_bytes;
    unsigned char fill;
    bool is_freed;
} model_block;

typedef struct model_mark {
    ct_frame_mark mark;
    uint32_t num_blocks;
} model_mark;

typedef struct model {
    ct_frame_allocator *f;
    ct_allocator *a;
    model_block blocks[MAX_BLOCKS];
    uint32_t num_blocks;
    model_mark marks[MAX_MARKS]; // marks[0] is the start
    uint32_t num_marks;
    uint32_t random;
} model;

static void model_allocate(model *m) {
    if (m->num_blocks == MAX_BLOCKS)
        return;
    const uint32_t r = test_random(&m->random);
    const uint64_t align = UINT64_C(1) << r % 9;
    model_block b = {.size_bytes = 1 + (r >> 8) % ((r >> 4) % 8 == 0 ? 2000 : 60),
                     .fill = (unsigned char)(r >> 24)};
    b.p = ct_alloc_aligned(m->a, b.size_bytes, align);
    assert_int_equal((uintptr_t)b.p % align, 0);
    memset(b.p, b.fill, b.size_bytes);
    m->blocks[m->num_blocks++] = b;
}

static void model_free(model *m) {
    if (m->num_blocks == 0)
        return;
    model_block *const b = &m->blocks[test_random(&m->random) % m->num_blocks];
    if (!b->is_freed)
        ct_free_sized(m->a, b->p, test_random(&m->random) % 2 ? b->size_bytes : 0);
    b->is_freed = true;
}

static void model_set_mark(model *m) {
    if (m->num_marks < MAX_MARKS)
        m->marks[m->num_marks++] = (model_mark){ct_frame_allocator_mark(m->f), m->num_blocks};
}

static void model_reset(model *m) {
    const uint32_t i = test_random(&m->random) % m->num_marks;
    ct_frame_allocator_reset(m->f, m->marks[i].mark);
    m->num_blocks = m->marks[i].num_blocks;
    m->num_marks = i + 1;
}

static void model_check(const model *m) {
    uint64_t live_blocks = 0, live_bytes = 0;
    for (uint32_t i = 0; i < m->num_blocks; ++i) {
        const model_block b = m->blocks[i];
        if (b.is_freed)
            continue;
        ++live_blocks;
        live_bytes += b.size_bytes;
        assert_int_equal(ct_allocated_size(m->a, b.p), b.size_bytes);
        for (uint64_t k = 0; k < b.size_bytes; ++k)
            if (b.p[k] != b.fill)
                fail_msg("byte %u of block %u was overwritten", (uint32_t)k, i);
    }
    assert_int_equal(ct_allocator_stats_of(m->a).live_blocks, live_blocks);
    assert_int_equal(ct_allocator_stats_of(m->a).live_bytes, live_bytes);
}

static void agrees_with_a_list_of_blocks(void **state) {
    (void)state;
    model *const m = CT_NEW(test_heap(), model);
    m->f = ct_frame_allocator_create(test_heap(), "frame", 1000);
    m->a = ct_frame_allocator_interface(m->f);
    m->random = 4711;
    model_set_mark(m);
    const uint32_t rounds = test_rounds(5000, 500000);
    for (uint32_t i = 0; i < rounds; ++i) {
        const uint32_t action = test_random(&m->random) % 64;
        if (action < 48)
            model_allocate(m);
        else if (action < 58)
            model_free(m);
        else if (action < 62)
            model_set_mark(m);
        else
            model_reset(m);
        if (i % 8 == 0)
            model_check(m);
    }
    ct_frame_allocator_destroy(m->f);
    ct_free(test_heap(), m);
}

static void obeys_the_model_in_a_million_operations(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 10000);
    for (uint32_t i = 0; i < 100; ++i) {
        test_allocator_model(
            &(test_allocator_model_desc){.allocator = ct_frame_allocator_interface(f),
                                         .num_operations = 10000,
                                         .seed = 1 + i,
                                         .max_live = 200,
                                         .min_bytes = 1,
                                         .max_bytes = 300,
                                         .max_align = 256});
        ct_frame_allocator_reset(f, (ct_frame_mark){0});
    }
    ct_frame_allocator_destroy(f);
}

// --- Misuse --------------------------------------------------------------------------------------

static void reset_past_position(void *user) {
    ct_frame_allocator_reset(user, (ct_frame_mark){.offset = 4000});
}

static void free_twice(void *user) {
    void *const p = ct_alloc(user, 10);
    ct_free(user, p);
    ct_free(user, p);
}

#ifdef CT_BUILD_DEV
static void free_after_reset(void *user) {
    ct_frame_allocator *const f = user;
    const ct_frame_mark mark = ct_frame_allocator_mark(f);
    void *const p = ct_frame_take(f, 10);
    ct_frame_allocator_reset(f, mark);
    ct_free(ct_frame_allocator_interface(f), p);
}

static void free_from_the_stack(void *user) {
    char local[64];
    ct_free(user, local + 32);
}
#endif

static void free_with_wrong_size(void *user) {
    ct_free_sized(user, ct_alloc(user, 10), 11);
}

static void ask_too_much(void *user) {
    (void)ct_alloc(user, UINT64_MAX - 8);
}

static void reports_misuse(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "scratch", 4096);
    ct_allocator *const a = ct_frame_allocator_interface(f);
    (void)ct_alloc(a, 10);
    test_expect_death(reset_past_position, f,
                      "allocator \"scratch\": cannot reset to a mark past the current position");
    test_expect_death(free_twice, a, "allocator \"scratch\": a block is freed twice");
    test_expect_death(free_with_wrong_size, a,
                      "allocator \"scratch\": a block of 10 bytes is freed with a size of 11");
    test_expect_death(ask_too_much, a, "out of memory");
#ifdef CT_BUILD_DEV
    test_expect_death(free_after_reset, f, "is not one of its blocks");
    test_expect_death(free_from_the_stack, a, "is not one of its blocks");
#endif
    ct_frame_allocator_destroy(f);
}

#ifdef CT_ADDRESS_SANITIZER
static void write_byte(void *p) {
    *(volatile char *)p = 1;
}

static void poisons_what_nobody_holds(void **state) {
    (void)state;
    ct_frame_allocator *const f = ct_frame_allocator_create(test_heap(), "frame", 4096);
    ct_allocator *const a = ct_frame_allocator_interface(f);
    char *const p = ct_alloc(a, 13);
    char *const q = ct_alloc(a, 10);
    test_expect_death(write_byte, p - 1, "use-after-poison");
    test_expect_death(write_byte, p + 13, "use-after-poison");
    test_expect_death(write_byte, q + 10, "use-after-poison");
    ct_free(a, p);
    test_expect_death(write_byte, p, "use-after-poison");
    write_byte(q);
    ct_frame_allocator_reset(f, (ct_frame_mark){0});
    test_expect_death(write_byte, q, "use-after-poison");
    ct_frame_allocator_destroy(f);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_blocks_one_after_the_other),
        cmocka_unit_test(gives_back_to_a_mark),
        cmocka_unit_test(counts_single_frees_once),
        cmocka_unit_test(allocates_nothing_once_warm),
        cmocka_unit_test(frees_everything_when_destroyed),
        cmocka_unit_test(agrees_with_a_list_of_blocks),
        cmocka_unit_test(looks_at_no_block_in_a_reset_unless_one_was_freed),
        cmocka_unit_test(takes_inline_what_the_interface_takes),
        cmocka_unit_test(knows_what_it_handed_out),
        cmocka_unit_test(obeys_the_model_in_a_million_operations),
        cmocka_unit_test(reports_misuse),
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(poisons_what_nobody_holds),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
