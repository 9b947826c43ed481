// bench_sequence_alignment.c: two sequences of 10,000 elements are aligned.
//
// `edited`: numbers that are all different, one of which in fifty was replaced, removed or got a
// new neighbour, as of an array that a person edited. `few values`: both at random of a hundred
// values, which leaves much to choose. The goal in time is 100 ms. The peer fills the table of
// lengths that everybody knows, one row at a time, and only learns how long the subsequence is.
#include "bench.h"
#include "content/sequence_alignment.h"
#include "foundation/math/random.h"

enum { COUNT = 10000, NUM_VALUES = 100 };

static uint64_t a[COUNT], b[COUNT + 1];
static uint32_t row[COUNT + 1];

static void begin_edited(void) {
    ct_random random = ct_random_seeded(3, 0);
    uint32_t next = 0;
    for (uint32_t i = 0; i < COUNT; ++i)
        a[i] = i;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint64_t what = ct_random_u64(&random) % 150;
        if (what == 1)
            ++next;                          // removed
        b[i] = what == 0 ? COUNT + i : next; // new
        next += what != 0;
        if (what == 2)
            b[i] += 2 * COUNT; // replaced
    }
}

static void begin_few_values(void) {
    ct_random random = ct_random_seeded(4, 0);
    for (uint32_t i = 0; i < COUNT; ++i) {
        a[i] = ct_random_u64(&random) % NUM_VALUES;
        b[i] = ct_random_u64(&random) % NUM_VALUES;
    }
}

static double run_align(void) {
    const double start_ns = ct_bench_now_ns();
    ct_sequence_run_array runs;
    ct_array_init(&runs, ct_bench_heap());
    ct_sequence_align(a, COUNT, b, COUNT, NULL, ct_bench_heap(), &runs);
    ct_bench_use(runs.count);
    ct_array_free(&runs);
    return (ct_bench_now_ns() - start_ns) * 1e-6;
}

static double run_table(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t j = 0; j <= COUNT; ++j)
        row[j] = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        uint32_t diagonal = 0;
        for (uint32_t j = 1; j <= COUNT; ++j) {
            const uint32_t above = row[j], longest = row[j - 1] > above ? row[j - 1] : above;
            row[j] = a[i] == b[j - 1] ? diagonal + 1 : longest;
            diagonal = above;
        }
    }
    ct_bench_use(row[COUNT]);
    return (ct_bench_now_ns() - start_ns) * 1e-6;
}

static const ct_bench_case cases[] = {
    {"align", "10,000 edited", "table", "ms", 0.2, 0, begin_edited, NULL, run_align, run_table},
    {"align", "10,000 of few values", "table", "ms", 0.2, 0, begin_few_values, NULL, run_align,
     run_table},
};

const ct_bench_group ct_bench_sequence_alignment = {"content", cases, CT_COUNT_OF(cases)};
