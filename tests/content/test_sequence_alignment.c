#include "content/sequence_alignment.h"

#include <stdio.h>
#include <string.h>

#include "support/test_support.h"

enum { MOST = 300 };

// The length of a longest common subsequence by the table that everybody knows.
static uint32_t longest(const uint64_t *a, uint32_t num_a, const uint64_t *b, uint32_t num_b) {
    static uint32_t row[MOST + 1];
    memset(row, 0, sizeof(row));
    for (uint32_t i = 0; i < num_a; ++i) {
        uint32_t diagonal = 0;
        for (uint32_t j = 1; j <= num_b; ++j) {
            const uint32_t above = row[j];
            if (a[i] == b[j - 1])
                row[j] = diagonal + 1;
            else if (row[j - 1] > above)
                row[j] = row[j - 1];
            diagonal = above;
        }
    }
    return row[num_b];
}

// Checks what is true of every answer and returns the number of elements in common.
static uint32_t check_runs(const uint64_t *a, uint32_t num_a, const uint64_t *b, uint32_t num_b,
                           const ct_sequence_run_array *runs) {
    uint32_t i = 0, j = 0, sum = 0;
    for (uint32_t r = 0; r < runs->count; ++r) {
        const ct_sequence_run run = runs->items[r];
        assert_true(run.count > 0 && run.a >= i && run.b >= j);
        assert_true(r == 0 || run.a > i || run.b > j);
        assert_true(run.a + run.count <= num_a && run.b + run.count <= num_b);
        assert_memory_equal(a + run.a, b + run.b, sizeof(*a) * run.count);
        i = run.a + run.count;
        j = run.b + run.count;
        sum += run.count;
    }
    return sum;
}

// True when a run, whole, could as well stand where it joins the one before it.
static bool could_join(const uint64_t *a, const uint64_t *b, ct_sequence_run before,
                       ct_sequence_run run) {
    const uint32_t by_a = run.a - before.a - before.count, by_b = run.b - before.b - before.count;
    return (by_a == 0 || by_b == 0) &&
           memcmp(a + run.a - by_a, b + run.b - by_b, sizeof(*a) * run.count) == 0;
}

static void check_joined(const uint64_t *a, const uint64_t *b, const ct_sequence_run_array *runs) {
    for (uint32_t r = 1; r < runs->count; ++r)
        assert_false(could_join(a, b, runs->items[r - 1], runs->items[r]));
}

static ct_sequence_run_array align(const uint64_t *a, uint32_t num_a, const uint64_t *b,
                                   uint32_t num_b, const ct_sequence_limits *limits) {
    ct_sequence_run_array runs;
    ct_array_init(&runs, test_heap());
    ct_sequence_align(a, num_a, b, num_b, limits, test_heap(), &runs);
    return runs;
}

typedef struct sequences {
    uint64_t a[MOST], b[MOST];
    uint32_t num_a, num_b;
} sequences;

// Two sequences of few or many different elements; the second often an edited first.
static void make_sequences(sequences *s, uint32_t *random) {
    const uint32_t num_values = 1 + test_random(random) % (test_random(random) % 2 ? 5 : 400);
    const uint32_t most = test_random(random) % 4 ? 40 : MOST;
    s->num_a = test_random(random) % most;
    for (uint32_t i = 0; i < s->num_a; ++i)
        s->a[i] = UINT64_C(0x9e3779b97f4a7c15) * (test_random(random) % num_values);
    const bool is_edited = test_random(random) % 3 > 0;
    const uint32_t rate = 2 + test_random(random) % 30;
    s->num_b = 0;
    for (uint32_t i = 0; is_edited && i < s->num_a && s->num_b < MOST - 2; ++i) {
        const uint32_t what = test_random(random) % rate;
        if (what == 0)
            s->b[s->num_b++] = UINT64_C(0x9e3779b97f4a7c15) * (test_random(random) % num_values);
        if (what != 1)
            s->b[s->num_b++] = s->a[i];
    }
    for (uint32_t i = test_random(random) % most; !is_edited && i > 0; --i)
        s->b[s->num_b++] = UINT64_C(0x9e3779b97f4a7c15) * (test_random(random) % num_values);
}

static void finds_a_longest_common_subsequence(void **state) {
    (void)state;
    static sequences s;
    uint32_t random = 11;
    for (uint32_t round = 0; round < test_rounds(3000, 100000); ++round) {
        make_sequences(&s, &random);
        // The table as a whole, in some halves, and cut down to single rows.
        const uint64_t bytes[] = {0, 400, 1};
        const ct_sequence_limits limits = {.rows_bytes = bytes[test_random(&random) % 3]};
        ct_sequence_run_array runs = align(s.a, s.num_a, s.b, s.num_b, &limits);
        const uint32_t length = check_runs(s.a, s.num_a, s.b, s.num_b, &runs);
        assert_int_equal(length, longest(s.a, s.num_a, s.b, s.num_b));
        check_joined(s.a, s.b, &runs);
        ct_array_free(&runs);
    }
}

static void finds_a_common_subsequence_past_the_limits(void **state) {
    (void)state;
    static sequences s;
    uint32_t random = 12;
    uint64_t sum = 0, longest_sum = 0;
    for (uint32_t round = 0; round < test_rounds(3000, 100000); ++round) {
        make_sequences(&s, &random);
        const ct_sequence_limits limits = {.rows_bytes = 1 + test_random(&random) % 500,
                                           .exact_pairs = 1 + test_random(&random) % 100};
        ct_sequence_run_array runs = align(s.a, s.num_a, s.b, s.num_b, &limits);
        sum += check_runs(s.a, s.num_a, s.b, s.num_b, &runs);
        longest_sum += longest(s.a, s.num_a, s.b, s.num_b);
        ct_array_free(&runs);
    }
    assert_true(sum <= longest_sum && sum * 10 > longest_sum * 7);
}

static void expect_runs(const char *a, const char *b, const char *expected) {
    uint64_t x[MOST], y[MOST];
    char text[MOST] = "";
    for (uint32_t i = 0; a[i]; ++i)
        x[i] = (uint64_t)a[i];
    for (uint32_t i = 0; b[i]; ++i)
        y[i] = (uint64_t)b[i];
    ct_sequence_run_array runs = align(x, (uint32_t)strlen(a), y, (uint32_t)strlen(b), NULL);
    for (uint32_t i = 0; i < runs.count; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u-%u:%u ", runs.items[i].a,
                 runs.items[i].b, runs.items[i].count);
    assert_string_equal(text, expected);
    ct_array_free(&runs);
}

static void gives_few_runs(void **state) {
    (void)state;
    expect_runs("", "", "");
    expect_runs("abc", "", "");
    expect_runs("abc", "xyz", "");
    expect_runs("abc", "abc", "0-0:3 ");
    expect_runs("abcdef", "xabcdef", "0-1:6 ");      // at the front
    expect_runs("abcdef", "abcdefx", "0-0:6 ");      // at the end
    expect_runs("abcdef", "abxdef", "0-0:2 3-3:3 "); // one replaced
    expect_runs("xaaaay", "yaaax", "1-1:3 ");
    expect_runs("abab", "ababab", "0-0:4 ");
    expect_runs("pabcq", "rabcabcs", "1-1:3 ");        // in one piece, not in three
    expect_runs("aXbbYa", "aXbccbYa", "0-0:3 3-5:3 "); // nothing that could slide
}

static void appends_to_what_is_there(void **state) {
    (void)state;
    const uint64_t a[] = {1, 2, 3};
    ct_sequence_run_array runs;
    ct_array_init(&runs, test_heap());
    ct_array_push(&runs, (ct_sequence_run){0, 0, 0});
    ct_sequence_align(a, 3, a, 3, NULL, test_heap(), &runs);
    assert_int_equal(runs.count, 2);
    assert_int_equal(runs.items[1].count, 3);
    ct_array_free(&runs);
}

// A million on both sides, of each kind that takes another way.
static void aligns_a_million(void **state) {
    (void)state;
    const uint32_t count = test_rounds(60000, 1000000);
    uint64_t *const a = CT_NEW_ARRAY(test_heap(), uint64_t, count);
    uint64_t *const b = CT_NEW_ARRAY(test_heap(), uint64_t, count);
    const ct_sequence_limits limits = {.rows_bytes = 1 << 20, .exact_pairs = UINT64_C(1) << 31};
    const uint32_t num_values[] = {1, 2, 1000, 0, count};
    for (uint32_t kind = 0; kind < 5; ++kind) {
        uint32_t random = 13;
        for (uint32_t i = 0; i < count; ++i) {
            a[i] = num_values[kind] ? test_random(&random) % num_values[kind] : i;
            b[i] = num_values[kind] ? test_random(&random) % num_values[kind] : count - i;
        }
        ct_sequence_run_array runs = align(a, count, b, count, count < 1000000 ? &limits : NULL);
        assert_true(check_runs(a, count, b, count, &runs) > 0);
        ct_array_free(&runs);
    }
    ct_free(test_heap(), a);
    ct_free(test_heap(), b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_longest_common_subsequence),
        cmocka_unit_test(finds_a_common_subsequence_past_the_limits),
        cmocka_unit_test(gives_few_runs),
        cmocka_unit_test(appends_to_what_is_there),
        cmocka_unit_test(aligns_a_million),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
