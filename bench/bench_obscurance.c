// bench_obscurance.c: the passes of obscurance at half size, in a picture of 960 x 540, with 6
// samples: those of bench/obscurance, which is compiled into its own `.cuttle` folder.
//
// `obscurance_samples`: the step that takes the samples, beside a pass that reads as many texels of
// the same target and does nothing else. `obscurance_all`: all steps of obscurance with the copy of
// the picture, beside such a pass that reads as many texels as all of them. Device time, by the
// profiler's track "gpu". The time of each step goes to standard error.
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/path.h"
#include "foundation/profiler/profiler_store.h"
#include "render/renderer.h"
#include "resource/types/package_resource.h"

enum {
    WIDTH = 960,
    HEIGHT = 540,
    NUM_WARM_UP = 40,
    NUM_RUNS = 15,
    FRAMES_IN_A_RUN = 16, // of which one is measured on a CPU driver
    MAX_STEPS = 64,
};

#define PROJECT CT_BENCH_FOLDER "/obscurance"

typedef struct step_time {
    const char *name;
    double ms;
} step_time;

// The times of a measured frame's steps.
typedef struct frame_times {
    step_time steps[MAX_STEPS];
    uint32_t count;
} frame_times;

static struct {
    ct_task_manager *tasks;
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_resource_package *core, *project;
    ct_render_world_id world;
    ct_profiler_reader reader;
    frame_times times[NUM_RUNS + 1]; // the first does not count
    uint32_t next_subject, next_peer;
} b;

// --- The project ---------------------------------------------------------------------------------

static void add_box(float x, float y, float z, float width, float depth, float height) {
    const ct_string_id64 material = ct_string_id64_of("core/materials/default");
    const ct_render_object_desc desc = {
        .mesh = ct_string_id64_of("core/meshes/cube"), .materials = &material, .num_materials = 1};
    const ct_mat4 pose = ct_mat4_compose(ct_vec3_make(x, y, z), ct_quat_identity(),
                                         ct_vec3_make(width, depth, height));
    ct_render_object_create(b.renderer, b.world, &desc, &pose);
}

// A floor and a wall with boxes before it: most of the picture is within the radius of something.
static void add_scene(void) {
    b.world = ct_render_world_create(b.renderer);
    add_box(0, 0, -0.5f, 40, 40, 1);
    add_box(0, 3, 2, 40, 1, 4);
    for (int i = 0; i < 60; ++i)
        add_box((float)(i % 12) * 0.9f - 5, (float)(i / 12) * 0.9f - 2, 0.3f, 0.5f, 0.5f, 0.6f);
}

static void set_obscurance(void) {
    ct_error error = {0};
    const ct_render_given yes = {.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {1}};
    const ct_render_given taps = {.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {6}};
    const ct_render_given scale = {.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {0.5}};
    if (!ct_renderer_set_config(b.renderer, "rendering/main", &error) ||
        !ct_renderer_set_setting(b.renderer, "obscurance", &yes, &error) ||
        !ct_renderer_set_setting(b.renderer, "obscurance_taps", &taps, &error) ||
        !ct_renderer_set_setting(b.renderer, "obscurance_scale", &scale, &error))
        ct_bench_fail("cannot set up obscurance", error.message);
}

static void draw_frame(void) {
    const ct_vec3 eye = ct_vec3_make(0, -5, 2);
    const ct_render_view view = {
        .pose =
            ct_mat4_compose(eye, ct_quat_look(ct_vec3_make(0, 1, -0.35f), ct_vec3_make(0, 0, 1)),
                            ct_vec3_make(1, 1, 1)),
        .projection = ct_mat4_perspective(0.9f, (float)WIDTH / HEIGHT, 0.1f, 200.0f)};
    const float whole[4] = {0, 0, 1, 1};
    const uint64_t frame = ct_renderer_frame(b.renderer);
    ct_resource_manager_update(b.resources, frame);
    ct_renderer_render_world(b.renderer, b.world, &view, ct_string_id32_of("default"), whole, NULL,
                             0);
    ct_renderer_end_frame(b.renderer);
    ct_resource_manager_retire(b.resources, ct_renderer_completed_frame(b.renderer));
    ct_profiler_end_frame(frame);
}

// --- Times ---------------------------------------------------------------------------------------

static void note_ranges(const ct_profiler_block *block, frame_times *times) {
    const ct_profiler_event *const events = ct_profiler_block_events(block);
    for (uint32_t i = 0; i + 1 < block->num_events; ++i) {
        if (ct_profiler_event_kind(&events[i]) != CT_PROFILER_KIND_RANGE)
            continue;
        const int64_t ns =
            ct_profiler_ns_of_ticks(events[i + 1].ticks) - ct_profiler_ns_of_ticks(events[i].ticks);
        if (times->count < MAX_STEPS)
            times->steps[times->count++] =
                (step_time){ct_profiler_event_name(&events[i]), (double)ns * 1e-6};
    }
}

// Takes the next measured frame from the profiler; false when there is none yet.
static bool take_times(frame_times *times) {
    times->count = 0;
    const ct_profiler_frame *frame;
    while (times->count == 0 && (frame = ct_profiler_reader_next(&b.reader)))
        for (const ct_profiler_block *block = NULL;
             (block = ct_profiler_frame_next_block(frame, block));)
            note_ranges(block, times);
    return times->count > 0;
}

// The time of the step of this name; with `is_start`, of all whose names start so.
static double time_of(const frame_times *times, const char *name, bool is_start) {
    double sum = 0;
    for (uint32_t i = 0; i < times->count; ++i)
        if (is_start ? strncmp(times->steps[i].name, name, strlen(name)) == 0
                     : strcmp(times->steps[i].name, name) == 0)
            sum += times->steps[i].ms;
    return sum;
}

static void print_steps(const frame_times *times) {
    for (uint32_t i = 0; i < times->count; ++i)
        fprintf(stderr, "%-36s %8.3f ms\n", times->steps[i].name, times->steps[i].ms);
}

// --- The cases -----------------------------------------------------------------------------------

static void begin(void) {
    char data_folder[CT_PATH_BYTES];
    ct_error error = {0};
    ct_bench_compile(PROJECT, data_folder);
    b.tasks = ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = ct_bench_heap(), .num_workers = 1});
    b.resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = ct_bench_heap(), .data_folder = data_folder});
    b.renderer = ct_renderer_create(&(ct_renderer_desc){.allocator = ct_bench_heap(),
                                                        .tasks = b.tasks,
                                                        .resources = b.resources,
                                                        .width = WIDTH,
                                                        .height = HEIGHT},
                                    &error);
    if (!b.renderer)
        ct_bench_fail("cannot start the renderer", error.message);
    b.core = ct_bench_load(b.resources, CT_PACKAGE_CORE);
    b.project = ct_bench_load(b.resources, "all");
    set_obscurance();
    add_scene();
    for (uint32_t i = 0; i < NUM_WARM_UP; ++i)
        draw_frame();
    ct_renderer_flush(b.renderer);
    ct_profiler_start(&(ct_profiler_desc){.allocator = ct_bench_heap()});
    ct_profiler_reader_init(&b.reader, ct_bench_heap());
    for (uint32_t i = 0; i <= NUM_RUNS; ++i)
        for (uint32_t k = 0; !take_times(&b.times[i]); ++k) {
            if (k == 10 * FRAMES_IN_A_RUN)
                ct_bench_fail("cannot measure", "the device has no time stamps");
            draw_frame();
        }
    print_steps(&b.times[NUM_RUNS / 2]);
    b.next_subject = b.next_peer = 0;
}

static void end(void) {
    ct_profiler_stop();
    ct_profiler_reader_free(&b.reader);
    ct_resource_package_destroy(b.resources, b.project);
    ct_resource_package_destroy(b.resources, b.core);
    ct_renderer_destroy(b.renderer);
    ct_resource_manager_destroy(b.resources);
    ct_task_manager_destroy(b.tasks);
    ct_profiler_shutdown();
}

static const frame_times *next_times(uint32_t *next) {
    return &b.times[(*next)++ % (NUM_RUNS + 1)];
}

static double run_samples(void) {
    return time_of(next_times(&b.next_subject), "obscurance_samples", false);
}

static double run_reads_of_samples(void) {
    return time_of(next_times(&b.next_peer), "reads_samples", false);
}

static double run_all(void) {
    return time_of(next_times(&b.next_subject), "obscurance_", true);
}

static double run_reads_of_all(void) {
    return time_of(next_times(&b.next_peer), "reads_all", false);
}

static const ct_bench_case cases[] = {
    {"obscurance_samples", "6 samples", "reading as much", "ms", 3, NUM_RUNS, begin, end,
     run_samples, run_reads_of_samples},
    {"obscurance_all", "all steps", "reading as much", "ms", 3, NUM_RUNS, begin, end, run_all,
     run_reads_of_all},
};

const ct_bench_group ct_bench_obscurance = {"obscurance", cases, CT_COUNT_OF(cases)};
