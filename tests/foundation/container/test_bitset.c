#include "foundation/container/bitset.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/test_support.h"

static void is_empty_without_memory(void **state) {
    (void)state;
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_bitset set = {.allocator = test_heap()};
    assert_false(ct_bitset_test(&set, 0));
    ct_bitset_clear(&set, 7);
    ct_bitset_clear_all(&set);
    assert_int_equal(ct_bitset_count(&set), 0);
    assert_int_equal(ct_bitset_next(&set, 0), 0);
    ct_bitset_free(&set);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

static void grows_to_the_bit_that_is_set(void **state) {
    (void)state;
    ct_bitset set;
    ct_bitset_init(&set, test_heap());
    ct_bitset_set(&set, 200);
    assert_int_equal(set.num_bits, 201);
    assert_true(ct_bitset_test(&set, 200));
    assert_false(ct_bitset_test(&set, 199));
    assert_false(ct_bitset_test(&set, 201));
    assert_int_equal(ct_bitset_count(&set), 1);
    ct_bitset_clear(&set, 200);
    ct_bitset_clear(&set, 100000); // past the end: nothing
    assert_int_equal(set.num_bits, 201);
    assert_int_equal(ct_bitset_count(&set), 0);
    ct_bitset_free(&set);
}

static void forgets_what_lies_past_a_new_end(void **state) {
    (void)state;
    ct_bitset set;
    ct_bitset_init(&set, test_heap());
    for (uint32_t i = 0; i < 200; ++i)
        ct_bitset_set(&set, i);
    ct_bitset_resize(&set, 70);
    assert_int_equal(ct_bitset_count(&set), 70);
    ct_bitset_resize(&set, 200);
    assert_int_equal(ct_bitset_count(&set), 70);
    assert_false(ct_bitset_test(&set, 70));
    ct_bitset_resize(&set, 64);
    assert_int_equal(ct_bitset_count(&set), 64);
    ct_bitset_resize(&set, 0);
    ct_bitset_resize(&set, 128);
    assert_int_equal(ct_bitset_count(&set), 0);
    ct_bitset_free(&set);
}

static void combines_sets_of_different_lengths(void **state) {
    (void)state;
    ct_bitset a, b;
    ct_bitset_init(&a, test_heap());
    ct_bitset_init(&b, test_heap());
    ct_bitset_set(&a, 1);
    ct_bitset_set(&a, 2);
    ct_bitset_set(&b, 2);
    ct_bitset_set(&b, 300);
    ct_bitset_or(&a, &b);
    assert_int_equal(ct_bitset_count(&a), 3);
    assert_true(ct_bitset_test(&a, 300));
    ct_bitset_resize(&b, 3); // holds bit 2
    ct_bitset_and_not(&a, &b);
    assert_int_equal(ct_bitset_count(&a), 2);
    assert_true(ct_bitset_test(&a, 300));
    ct_bitset_set(&b, 1);
    ct_bitset_and(&a, &b); // what the other is too short for goes
    assert_int_equal(ct_bitset_count(&a), 1);
    assert_true(ct_bitset_test(&a, 1));
    assert_int_equal(a.num_bits, 301);
    ct_bitset_free(&a);
    ct_bitset_free(&b);
}

// --- Against a model: an array of flags ----------------------------------------------------------

enum { NUM_BITS = 517, NUM_WORDS = 9 };

typedef struct model {
    uint64_t words[NUM_WORDS];
    bool flags[NUM_BITS];
} model;

static void check_range(const model *m, uint32_t begin, uint32_t end) {
    uint32_t count = 0, first_set = end, first_clear = end;
    for (uint32_t i = begin; i < end; ++i) {
        count += m->flags[i];
        if (m->flags[i] && first_set == end)
            first_set = i;
        if (!m->flags[i] && first_clear == end)
            first_clear = i;
    }
    assert_int_equal(ct_bits_count(m->words, begin, end), count);
    assert_int_equal(ct_bits_next_set(m->words, begin, end), first_set);
    assert_int_equal(ct_bits_next_clear(m->words, begin, end), first_clear);
}

static void change(model *m, uint32_t *random, uint32_t begin, uint32_t end) {
    switch (test_random(random) % 8) {
    case 0:
        ct_bits_set_range(m->words, begin, end);
        memset(m->flags + begin, true, end - begin);
        break;
    case 1:
        ct_bits_clear_range(m->words, begin, end);
        memset(m->flags + begin, false, end - begin);
        break;
    case 2:
    case 3:
    case 4:
        if (begin < end) {
            ct_bits_set(m->words, begin);
            m->flags[begin] = true;
        }
        break;
    default:
        if (begin < end) {
            ct_bits_clear(m->words, begin);
            m->flags[begin] = false;
        }
    }
}

static void words_agree_with_flags(void **state) {
    (void)state;
    model *const m = CT_NEW(test_heap(), model);
    uint32_t random = 4242;
    for (uint32_t round = 0; round < test_rounds(100000, 1000000); ++round) {
        uint32_t begin = test_random(&random) % (NUM_BITS + 1);
        uint32_t end = test_random(&random) % (NUM_BITS + 1);
        if (begin > end) {
            const uint32_t swap = begin;
            begin = end;
            end = swap;
        }
        change(m, &random, begin, round % 2 ? end : begin + (end - begin) % 70);
        check_range(m, begin, end);
        const uint32_t i = test_random(&random) % NUM_BITS;
        assert_int_equal(ct_bits_test(m->words, i), m->flags[i]);
    }
    assert_true(m->words[NUM_WORDS - 1] >> NUM_BITS % 64 == 0);
    ct_free(test_heap(), m);
}

static void growing_sets_agree_with_flags(void **state) {
    (void)state;
    static bool flags[NUM_BITS];
    memset(flags, 0, sizeof(flags));
    ct_bitset set;
    ct_bitset_init(&set, test_heap());
    uint32_t random = 17, most = 1;
    for (uint32_t round = 0; round < test_rounds(300000, 3000000); ++round) {
        if (round % 500 == 0 && most < NUM_BITS)
            ++most;
        const uint32_t i = test_random(&random) % most;
        flags[i] = test_random(&random) % 2;
        if (flags[i])
            ct_bitset_set(&set, i);
        else
            ct_bitset_clear(&set, i);
        const uint32_t k = test_random(&random) % NUM_BITS;
        assert_int_equal(ct_bitset_test(&set, k), flags[k]);
    }
    uint32_t next = ct_bitset_next(&set, 0);
    for (uint32_t i = 0; i < set.num_bits; ++i) {
        assert_int_equal(i == next, flags[i]);
        if (i == next)
            next = ct_bitset_next(&set, i + 1);
    }
    assert_int_equal(next, set.num_bits);
    ct_bitset_free(&set);
}

static void bulk_operations_are_those_of_single_bits(void **state) {
    (void)state;
    uint32_t random = 3;
    for (uint32_t round = 0; round < 1000; ++round) {
        uint64_t a[3], b[3], results[4][3];
        for (uint32_t i = 0; i < 3; ++i) {
            a[i] = (uint64_t)test_random(&random) << 32 | test_random(&random);
            b[i] = (uint64_t)test_random(&random) << 32 | test_random(&random);
        }
        for (uint32_t i = 0; i < 4; ++i)
            memcpy(results[i], a, sizeof(a));
        ct_bits_and(results[0], b, 3);
        ct_bits_or(results[1], b, 3);
        ct_bits_and_not(results[2], b, 3);
        ct_bits_xor(results[3], b, 3);
        for (uint32_t i = 0; i < 192; ++i) {
            const bool x = ct_bits_test(a, i), y = ct_bits_test(b, i);
            assert_int_equal(ct_bits_test(results[0], i), x && y);
            assert_int_equal(ct_bits_test(results[1], i), x || y);
            assert_int_equal(ct_bits_test(results[2], i), x && !y);
            assert_int_equal(ct_bits_test(results[3], i), x != y);
        }
    }
}

static void knows_the_number_of_words(void **state) {
    (void)state;
    assert_int_equal(ct_bits_num_words(0), 0);
    assert_int_equal(ct_bits_num_words(1), 1);
    assert_int_equal(ct_bits_num_words(64), 1);
    assert_int_equal(ct_bits_num_words(65), 2);
    assert_int_equal(ct_bits_num_words(UINT32_MAX), UINT32_C(1) << 26);
}

// Room for 2^32 bits in 2 MiB of memory, which stands there again and again.
enum { SHARED_BYTES = 2 * 1024 * 1024, MOST_BYTES = 512 * 1024 * 1024 };

static uint64_t *map_most_words(void) {
    const int file = memfd_create("bits", 0);
    assert_true(file >= 0 && ftruncate(file, SHARED_BYTES) == 0);
    char *const all = mmap(NULL, MOST_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED);
    for (uint32_t at = 0; at < MOST_BYTES; at += SHARED_BYTES)
        assert_true(mmap(all + at, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                         file, 0) == all + at);
    assert_int_equal(close(file), 0);
    return (uint64_t *)all;
}

static void keeps_what_two_of_the_longest_sets_share(void **state) {
    (void)state;
    uint64_t *const words = map_most_words();
    memset(words, 0xaa, SHARED_BYTES);
    ct_bitset a = {.words = words, .num_bits = UINT32_MAX};
    const ct_bitset b = {.words = words, .num_bits = UINT32_MAX - 1};
    ct_bitset_and(&a, &b); // the last bit of `a` is clear
    for (uint32_t i = 0; i < SHARED_BYTES; ++i)
        if (((const uint8_t *)words)[i] != 0xaa)
            fail_msg("byte %u was changed", i);
    assert_int_equal(munmap(words, MOST_BYTES), 0);
}

static void set_the_last_number(void *set) {
    ct_bitset_set(set, UINT32_MAX);
}

static void refuses_the_bit_after_the_longest_set(void **state) {
    (void)state;
    ct_bitset set;
    ct_bitset_init(&set, test_heap());
    test_expect_death(set_the_last_number, &set, "bit 4294967295 is too large for a bitset");
    ct_bitset_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_empty_without_memory),
        cmocka_unit_test(grows_to_the_bit_that_is_set),
        cmocka_unit_test(forgets_what_lies_past_a_new_end),
        cmocka_unit_test(combines_sets_of_different_lengths),
        cmocka_unit_test(words_agree_with_flags),
        cmocka_unit_test(growing_sets_agree_with_flags),
        cmocka_unit_test(bulk_operations_are_those_of_single_bits),
        cmocka_unit_test(knows_the_number_of_words),
        cmocka_unit_test(keeps_what_two_of_the_longest_sets_share),
        cmocka_unit_test(refuses_the_bit_after_the_longest_set),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
