// bench_crowd.c: 1,000 characters with state machines: those of samples/crowd.
//
// The sample is compiled into its own `.cuttle` folder when it is not up to date. Without it,
// without core beside the program or without a Vulkan device the program ends with what is missing.
//
// `animation_crowd`: the sample, all of it but drawing, with one worker: `--unseen --posed`, so
// that every character is posed in every frame, in steps of 1/60 s. The frames of the first 25
// seconds are the warm-up: by then all have waved. The first row is the CPU time of a frame, of all
// threads of the process (update, worker, render, loaders), beside the limit of 4 ms. The second is
// how many blocks were allocated after the warm-up by all allocators but Lua's, which compiles at
// times of its own, and the graphics driver's; the limit is none, for which the peer is one.
//
// `animation_machine`: the state machines alone, a step of 1/60 s for 1,000 of them without poses,
// a third of them in another state than the others. The peer is a loop that moves a time on and
// wraps it, for each of the two layers. Time for each machine.
#include <stdio.h>
#include <time.h>

#include "animation/machine/state_machine.h"
#include "app/app.h"
#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "foundation/math/random.h"
#include "foundation/memory/allocation_counts.h"
#include "resource/load/resource_manager.h"

enum {
    NUM_CHARACTERS = 1000,
    NUM_LAYERS = 2,
    MAX_CLIPS = 8,
    NUM_WARM_UP = 1500, // frames
    FRAMES_IN_A_RUN = 60,
    NUM_RUNS = 15,
    NUM_FRAMES = NUM_WARM_UP + FRAMES_IN_A_RUN * NUM_RUNS,
};

#define PROJECT CT_BENCH_SAMPLES "/crowd"
#define STEP (1.0 / 60)
#define LIMIT_MS 4.0

// --- The sample's data ---------------------------------------------------------------------------

static char data_folder[CT_PATH_BYTES];

// --- The whole sample ----------------------------------------------------------------------------

static double frame_ms[NUM_RUNS]; // CPU time of a frame, by run
static uint32_t num_frames, next_run;
static double start_ms;
static uint64_t num_blocks;
static ct_allocation_counts counts, counts_before;

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void count_blocks(ct_allocation_counts *c) {
    static const char *const not_counted[] = {"lua", "vulkan", "trace"};
    ct_allocation_counts_take(c, not_counted, CT_COUNT_OF(not_counted));
}

// Names what was allocated, on standard error: the row only tells how much.
static void tell_blocks(void) {
    for (uint32_t i = 0; i < counts.count; ++i) {
        const uint64_t blocks = ct_allocation_counts_since(&counts, i, &counts_before);
        if (blocks)
            fprintf(stderr, "cuttle_bench: %u blocks allocated by \"%s\" after the warm-up\n",
                    (uint32_t)blocks, counts.items[i].name);
    }
}

static void begin_frame(void *user, ct_app *app) {
    (void)user, (void)app;
    const uint32_t frame = num_frames++;
    if (frame < NUM_WARM_UP || (frame - NUM_WARM_UP) % FRAMES_IN_A_RUN != 0)
        return;
    const double now_ms = cpu_ms();
    if (frame > NUM_WARM_UP)
        frame_ms[(frame - NUM_WARM_UP) / FRAMES_IN_A_RUN - 1] =
            (now_ms - start_ms) / FRAMES_IN_A_RUN;
    else
        count_blocks(&counts_before);
    count_blocks(&counts);
    start_ms = cpu_ms();
}

static void begin_crowd(void) {
    static const char *const arguments[] = {"--unseen", "--posed"};
    ct_bench_compile(PROJECT, data_folder);
    num_frames = next_run = 0;
    const ct_app_hooks hooks = {.frame_begin = begin_frame};
    const ct_app_desc desc = {.allocator = ct_bench_heap(),
                              .project_folder = PROJECT,
                              .data_folder = data_folder,
                              .hooks = &hooks,
                              .is_headless = true,
                              .is_unpaced = true,
                              .num_frames = NUM_FRAMES + 1,
                              .fixed_step_seconds = STEP,
                              .has_workers = true,
                              .num_workers = 1,
                              .width = 64,
                              .height = 36,
                              .arguments = arguments,
                              .num_arguments = CT_COUNT_OF(arguments)};
    ct_app_summary summary;
    if (ct_app_run(&desc, &summary) != 0 || num_frames != NUM_FRAMES + 1)
        ct_bench_fail("cannot run the sample crowd",
                      "`cuttle run samples/crowd --headless` tells why");
    num_blocks = counts.num_blocks - counts_before.num_blocks;
    tell_blocks();
}

static double run_crowd(void) {
    return frame_ms[next_run++ % NUM_RUNS];
}

static double run_limit(void) {
    return LIMIT_MS;
}

static double run_blocks(void) {
    return (double)num_blocks;
}

static double run_one(void) {
    return 1;
}

// --- State machines alone ------------------------------------------------------------------------

// What the plain loop knows of a layer.
typedef struct plain_layer {
    float time, speed, length;
} plain_layer;

static ct_resource_manager *resources;
static ct_state_machine *machines[NUM_CHARACTERS];
static plain_layer plain[NUM_CHARACTERS][NUM_LAYERS];

static void make_machines(const ct_state_machine_resource *r) {
    const ct_animation_resource *clips[MAX_CLIPS];
    const ct_string_id64 *const names = ct_blob_at(r, r->clips.offset);
    if (r->clips.count > MAX_CLIPS)
        ct_bench_fail("cannot make the state machines", "the sample has more clips than expected");
    for (uint32_t i = 0; i < r->clips.count; ++i)
        clips[i] = ct_resource_manager_get(resources, "animation", names[i]);
    ct_random random = ct_random_seeded(3, 0);
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i) {
        ct_state_machine *const m = machines[i] =
            ct_state_machine_create(ct_bench_heap(), r, clips);
        const float tempo = 0.85f + 0.35f * ct_random_float(&random);
        ct_state_machine_set_variable(
            m, ct_state_machine_find_variable(m, ct_string_id32_of("tempo")), tempo);
        if (i % 3 != 0)
            ct_state_machine_send(m, ct_string_id32_of("walk"));
        ct_state_machine_update(m, 1 + 5 * ct_random_float(&random));
        for (uint32_t k = 0; k < NUM_LAYERS; ++k)
            plain[i][k] = (plain_layer){0, tempo, 1.1f + 2.1f * (float)(i % 3 == 0)};
    }
}

static void begin_machine(void) {
    ct_error error = {0};
    ct_bench_compile(PROJECT, data_folder);
    resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = ct_bench_heap(), .data_folder = data_folder});
    const char *const name = "animations/rabbit";
    if (!ct_resource_manager_load_needed_now(resources, "state_machine", name, &error))
        ct_bench_fail("cannot load the sample's state machine", error.message);
    make_machines(ct_resource_manager_get(resources, "state_machine", ct_string_id64_of(name)));
}

static void end_machine(void) {
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i)
        ct_state_machine_destroy(machines[i]);
    ct_resource_manager_end_all(resources);
    ct_resource_manager_destroy(resources);
}

static double run_machines(void) {
    uint64_t sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i)
        sum += ct_state_machine_update(machines[i], (float)STEP).num_samples;
    const double result = (ct_bench_now_ns() - start_ns) / NUM_CHARACTERS;
    ct_bench_use(sum);
    return result;
}

static double run_plain(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i) {
        for (uint32_t k = 0; k < NUM_LAYERS; ++k) {
            plain_layer *const l = &plain[i][k];
            l->time += (float)STEP * l->speed;
            l->time -= l->time >= l->length ? l->length : 0;
        }
    }
    const double result = (ct_bench_now_ns() - start_ns) / NUM_CHARACTERS;
    ct_bench_use((uint64_t)(plain[7][1].time * 1000));
    return result;
}

static const ct_bench_case cases[] = {
    {"animation_crowd", "1,000, all threads", "the most it may take", "ms", 1, NUM_RUNS - 1,
     begin_crowd, NULL, run_crowd, run_limit},
    {"animation_crowd", "allocated after warm-up", "1", "blocks", 0.5, 1, NULL, NULL, run_blocks,
     run_one},
    {"animation_machine", "1,000 of two layers", "adding to times", "ns", 0, 0, begin_machine,
     end_machine, run_machines, run_plain},
};

const ct_bench_group ct_bench_crowd = {"animation", cases, CT_COUNT_OF(cases)};
