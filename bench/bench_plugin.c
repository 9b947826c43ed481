// bench_plugin.c: what it costs that plugins call through structs of functions.
//
// `plugin_call`: a function of a library, called through an interface that was asked for by name and
// version; the peer calls the same work as an exported function of that library, as programs do that
// are linked with it. Each call needs the result of the one before.
#include "bench.h"
#include "callee/bench_callee.h"

enum { NUM_CALLS = 4000000 };

static const bench_callee_api_1 *callee;

static void begin(void) {
    callee = bench_callee_get_api("callee", 1);
}

static double run_interface(void) {
    const double start = ct_bench_now_ns();
    uint32_t value = 1;
    for (uint32_t i = 0; i < NUM_CALLS; ++i)
        value = callee->add(value, i);
    ct_bench_use(value);
    return (ct_bench_now_ns() - start) / NUM_CALLS;
}

static double run_exported(void) {
    const double start = ct_bench_now_ns();
    uint32_t value = 1;
    for (uint32_t i = 0; i < NUM_CALLS; ++i)
        value = bench_callee_add(value, i);
    ct_bench_use(value);
    return (ct_bench_now_ns() - start) / NUM_CALLS;
}

static const ct_bench_case cases[] = {
    {.workload = "plugin_call",
     .subject = "through an interface",
     .peer = "an exported function",
     .unit = "ns",
     .goal = 1.1,
     .begin = begin,
     .run_subject = run_interface,
     .run_peer = run_exported},
};

const ct_bench_group ct_bench_plugin = {
    .name = "plugin", .cases = cases, .num_cases = sizeof(cases) / sizeof(cases[0])};
