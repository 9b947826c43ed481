// bench_profiler.c: what a scope costs while everything is recorded and read.
//
// profiler_scope: 100,000 scopes (enter and leave), on one thread; figures are nanoseconds a scope.
// A run in which scopes were dropped says so: its figures are too good.
// - "collected by another thread": a second thread ends a frame every millisecond and a third reads
//   what was stored, as a file or a console does.
// - "frames of 1,000, same thread": this thread itself ends a frame after every 1,000 scopes, and
//   that counts; a second one reads.
// Peer: two readings of the time stamp counter and a store of their difference.
#include <stdio.h>

#include "bench.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler_store.h"

enum { NUM_SCOPES = 100000, FRAME_SCOPES = 1000, FRAME_NS = 1000000, NUM_DIFFERENCES = 4096 };

static ct_thread reader_thread, collector_thread;
static atomic_bool should_end;

// --- Threads beside the measured one -------------------------------------------------------------

static void read_frames(void *data) {
    (void)data;
    ct_profiler_reader reader;
    ct_profiler_reader_init_at_end(&reader, ct_bench_heap());
    while (!atomic_load(&should_end)) {
        const ct_profiler_frame *frame;
        while ((frame = ct_profiler_reader_next(&reader)))
            ct_bench_use(frame->size_bytes);
        ct_os_sleep_ns(FRAME_NS);
    }
    ct_profiler_reader_free(&reader);
}

static void end_frames(void *data) {
    (void)data;
    for (uint64_t frame = 1; !atomic_load(&should_end); ++frame) {
        ct_profiler_end_frame(frame);
        ct_os_sleep_ns(FRAME_NS);
    }
}

static void begin(void) {
    ct_profiler_start(&(ct_profiler_desc){.allocator = ct_bench_heap()});
    atomic_store(&should_end, false);
    reader_thread = ct_thread_start("reader", read_frames, NULL);
}

static void begin_with_collector(void) {
    begin();
    collector_thread = ct_thread_start("collector", end_frames, NULL);
}

static void end(void) {
    atomic_store(&should_end, true);
    ct_thread_join(reader_thread);
    if (ct_profiler_num_dropped() > 0)
        fprintf(stderr, "profiler_scope: %llu scopes were dropped\n",
                (unsigned long long)ct_profiler_num_dropped());
    ct_profiler_stop();
    ct_profiler_shutdown();
}

static void end_with_collector(void) {
    atomic_store(&should_end, true);
    ct_thread_join(collector_thread);
    end();
}

// --- Runs ----------------------------------------------------------------------------------------

static double run_scopes(void) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_SCOPES; ++i) {
        CT_PROFILER_SCOPE("scope");
        ct_bench_use(i);
    }
    return (ct_bench_now_ns() - start) / NUM_SCOPES;
}

static double run_frames(void) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_SCOPES / FRAME_SCOPES; ++i) {
        for (uint32_t k = 0; k < FRAME_SCOPES; ++k) {
            CT_PROFILER_SCOPE("scope");
            ct_bench_use(k);
        }
        ct_profiler_end_frame(i);
    }
    return (ct_bench_now_ns() - start) / NUM_SCOPES;
}

static double run_ticks(void) {
    static uint64_t differences[NUM_DIFFERENCES];
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_SCOPES; ++i) {
        const uint64_t before = ct_profiler_ticks();
        ct_bench_use(i);
        differences[i % NUM_DIFFERENCES] = ct_profiler_ticks() - before;
    }
    ct_bench_use((uint64_t)(uintptr_t)differences);
    return (ct_bench_now_ns() - start) / NUM_SCOPES;
}

static const ct_bench_case cases[] = {
    {.workload = "profiler_scope",
     .subject = "collected by another thread",
     .peer = "rdtsc, rdtsc, store",
     .unit = "ns",
     .goal = 2.0,
     .begin = begin_with_collector,
     .end = end_with_collector,
     .run_subject = run_scopes,
     .run_peer = run_ticks},
    {.workload = "profiler_scope",
     .subject = "frames of 1,000, same thread",
     .peer = "rdtsc, rdtsc, store",
     .unit = "ns",
     .goal = 2.0,
     .begin = begin,
     .end = end,
     .run_subject = run_frames,
     .run_peer = run_ticks},
};

const ct_bench_group ct_bench_profiler = {
    .name = "profiler", .cases = cases, .num_cases = CT_COUNT_OF(cases)};
