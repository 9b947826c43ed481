// bench_task.c: tasks beside oneTBB, both with two threads: the calling one and a worker.
//
//   task_empty     a million tasks that do nothing, in batches of 1,024 under one parent: ns
//                  a task.
//   task_forkjoin  fib(27): for each n of 2 and more a task for n - 1, n - 2 on the spot, then a
//                  wait (317,810 tasks, no cut-off): ms.
//   task_frame     12 stages, each 2 tasks of 20 us that depend on the stage before; ideal is
//                  240 us. Again after 5 ms without work, when all threads sleep: us. One frame a
//                  run, so that min and max show how single frames fare.
//   parallel_for   a million floats: 16 square roots each; a * b + c each, from three arrays: us.
#include <math.h>

#include "bench.h"
#include "foundation/os/os.h"
#include "foundation/task/task.h"
#include "peer_tbb.h"

enum {
    NUM_THREADS = 2,
    NUM_BATCHES = 977,
    BATCH = 1024,
    ARRAY = 64, // tasks added at a time
    FIBONACCI = 27,
    NUM_STAGES = 12,
    STAGE_NS = 20000,
    NUM_FLOATS = 1000000,
    GRAIN = 4096,
    NUM_LOOPS = 20, // in a run
    FRAME_RUNS = 101,
};

static ct_task_manager *tasks;
static float *floats[4];

static void begin(void) {
    tasks = ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = ct_bench_heap(), .num_workers = NUM_THREADS - 1});
    ct_task_register_thread(tasks, 1);
    peer_tbb_begin(NUM_THREADS);
}

static void end(void) {
    peer_tbb_end();
    ct_task_manager_destroy(tasks);
}

// --- task_empty ----------------------------------------------------------------------------------

static void do_nothing(void *data) {
    (void)data;
}

static double run_empty(void) {
    ct_task_desc descs[ARRAY];
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_BATCHES; ++i) {
        const ct_task_id all = ct_task_open(tasks, "batch", (ct_task_id){0});
        for (uint32_t k = 0; k < ARRAY; ++k)
            descs[k] = (ct_task_desc){.name = "empty", .run = do_nothing, .parent = all};
        for (uint32_t k = 0; k < BATCH; k += ARRAY)
            ct_task_add_array(tasks, descs, ARRAY, NULL);
        ct_task_complete(tasks, all);
        ct_task_wait(tasks, all);
    }
    return (ct_bench_now_ns() - start) / (NUM_BATCHES * BATCH);
}

static double run_empty_tbb(void) {
    const double start = ct_bench_now_ns();
    peer_tbb_empty(NUM_BATCHES, BATCH);
    return (ct_bench_now_ns() - start) / (NUM_BATCHES * BATCH);
}

// --- task_forkjoin -------------------------------------------------------------------------------

typedef struct fork_data {
    uint32_t n;
    uint64_t result;
} fork_data;

static uint64_t fibonacci(uint32_t n);

static void run_fork(void *data) {
    fork_data *const f = data;
    f->result = fibonacci(f->n);
}

static uint64_t fibonacci(uint32_t n) {
    if (n < 2)
        return n;
    fork_data f = {.n = n - 1};
    const ct_task_id task = ct_task_add(
        tasks,
        &(ct_task_desc){.name = "fork", .run = run_fork, .data = &f, .parent = ct_task_current()});
    const uint64_t b = fibonacci(n - 2);
    ct_task_wait(tasks, task);
    return f.result + b;
}

static double run_forkjoin(void) {
    const double start = ct_bench_now_ns();
    fork_data f = {.n = FIBONACCI};
    ct_task_wait(tasks,
                 ct_task_add(tasks, &(ct_task_desc){.name = "root", .run = run_fork, .data = &f}));
    ct_bench_use(f.result);
    return (ct_bench_now_ns() - start) / 1e6;
}

static double run_forkjoin_tbb(void) {
    const double start = ct_bench_now_ns();
    ct_bench_use(peer_tbb_fibonacci(FIBONACCI));
    return (ct_bench_now_ns() - start) / 1e6;
}

// --- task_frame ----------------------------------------------------------------------------------

static void be_busy(void) {
    const uint64_t until = ct_os_time_ns() + STAGE_NS;
    while (ct_os_time_ns() < until) {
    }
}

static void run_stage(void *data) {
    (void)data;
    be_busy();
}

static void do_frame(void) {
    ct_task_id last = {0};
    for (uint32_t i = 0; i < NUM_STAGES; ++i) {
        const ct_task_id stage = ct_task_open(tasks, "stage", (ct_task_id){0});
        const ct_task_desc half = {.name = "half",
                                   .run = run_stage,
                                   .parent = stage,
                                   .dependency = last,
                                   .never_waits = true};
        ct_task_add_array(tasks, (ct_task_desc[]){half, half}, 2, NULL);
        ct_task_complete(tasks, stage);
        last = stage;
    }
    ct_task_wait(tasks, last);
}

static void do_frame_tbb(void) {
    peer_tbb_stages(NUM_STAGES, be_busy);
}

static double time_of(void (*frame)(void)) {
    const double start = ct_bench_now_ns();
    frame();
    return (ct_bench_now_ns() - start) / 1e3;
}

static double run_frame(void) {
    do_frame();
    return time_of(do_frame);
}

static double run_frame_tbb(void) {
    do_frame_tbb();
    return time_of(do_frame_tbb);
}

static double run_frame_after_idle(void) {
    ct_os_sleep_ns(5000000);
    return time_of(do_frame);
}

static double run_frame_after_idle_tbb(void) {
    ct_os_sleep_ns(5000000);
    return time_of(do_frame_tbb);
}

static double ideal_frame(void) {
    return NUM_STAGES * STAGE_NS / 1e3;
}

// --- parallel_for --------------------------------------------------------------------------------

static void begin_floats(void) {
    begin();
    for (uint32_t i = 0; i < CT_COUNT_OF(floats); ++i) {
        floats[i] = CT_NEW_ARRAY(ct_bench_heap(), float, NUM_FLOATS);
        for (uint32_t k = 0; k < NUM_FLOATS; ++k)
            floats[i][k] = (float)(k % 1000) + 1.0f;
    }
}

static void end_floats(void) {
    for (uint32_t i = 0; i < CT_COUNT_OF(floats); ++i)
        ct_free_sized(ct_bench_heap(), floats[i], sizeof(float) * NUM_FLOATS);
    end();
}

static void take_roots(void *data, uint32_t first, uint32_t last) {
    (void)data;
    for (uint32_t i = first; i < last; ++i) {
        float x = floats[1][i];
        for (uint32_t k = 0; k < 16; ++k)
            x = sqrtf(x + 1.0f);
        floats[0][i] = x;
    }
}

static void multiply_and_add(void *data, uint32_t first, uint32_t last) {
    (void)data;
    for (uint32_t i = first; i < last; ++i)
        floats[0][i] = floats[1][i] * floats[2][i] + floats[3][i];
}

typedef void (*loop_body)(void *data, uint32_t first, uint32_t last);

static double time_loops(loop_body run) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_LOOPS; ++i)
        ct_task_parallel_for(tasks, NUM_FLOATS, GRAIN, run, NULL);
    return (ct_bench_now_ns() - start) / NUM_LOOPS / 1e3;
}

static double time_loops_tbb(loop_body run) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_LOOPS; ++i)
        peer_tbb_for(NUM_FLOATS, run, NULL);
    return (ct_bench_now_ns() - start) / NUM_LOOPS / 1e3;
}

static double run_roots(void) {
    return time_loops(take_roots);
}

static double run_roots_tbb(void) {
    return time_loops_tbb(take_roots);
}

static double run_multiply_and_add(void) {
    return time_loops(multiply_and_add);
}

static double run_multiply_and_add_tbb(void) {
    return time_loops_tbb(multiply_and_add);
}

// --- The table -----------------------------------------------------------------------------------

static const ct_bench_case cases[] = {
    {.workload = "task_empty",
     .subject = "tasks",
     .peer = "TBB",
     .unit = "ns",
     .goal = 0.7,
     .begin = begin,
     .end = end,
     .run_subject = run_empty,
     .run_peer = run_empty_tbb},
    {.workload = "task_forkjoin",
     .subject = "tasks",
     .peer = "TBB",
     .unit = "ms",
     .goal = 1.0,
     .begin = begin,
     .end = end,
     .run_subject = run_forkjoin,
     .run_peer = run_forkjoin_tbb},
    {.workload = "task_frame",
     .subject = "tasks",
     .peer = "ideal",
     .unit = "us",
     .goal = 1.04,
     .num_runs = FRAME_RUNS,
     .begin = begin,
     .end = end,
     .run_subject = run_frame,
     .run_peer = ideal_frame},
    {.workload = "task_frame",
     .subject = "tasks, after 5 ms idle",
     .peer = "ideal",
     .unit = "us",
     .goal = 1.2,
     .num_runs = FRAME_RUNS,
     .begin = begin,
     .end = end,
     .run_subject = run_frame_after_idle,
     .run_peer = ideal_frame},
    {.workload = "task_frame",
     .subject = "tasks",
     .peer = "TBB",
     .unit = "us",
     .num_runs = FRAME_RUNS,
     .begin = begin,
     .end = end,
     .run_subject = run_frame,
     .run_peer = run_frame_tbb},
    {.workload = "task_frame",
     .subject = "tasks, after 5 ms idle",
     .peer = "TBB",
     .unit = "us",
     .num_runs = FRAME_RUNS,
     .begin = begin,
     .end = end,
     .run_subject = run_frame_after_idle,
     .run_peer = run_frame_after_idle_tbb},
    {.workload = "parallel_for",
     .subject = "16 square roots",
     .peer = "TBB",
     .unit = "us",
     .goal = 1.05,
     .begin = begin_floats,
     .end = end_floats,
     .run_subject = run_roots,
     .run_peer = run_roots_tbb},
    {.workload = "parallel_for",
     .subject = "a * b + c",
     .peer = "TBB",
     .unit = "us",
     .goal = 1.05,
     .begin = begin_floats,
     .end = end_floats,
     .run_subject = run_multiply_and_add,
     .run_peer = run_multiply_and_add_tbb},
};

const ct_bench_group ct_bench_task = {
    .name = "task", .cases = cases, .num_cases = CT_COUNT_OF(cases)};
