// bench_velocity.c: what it costs the processor that 10,000 objects move, with velocity and without.
//
// `render_velocity`: the time to apply the poses of 10,000 cubes in all, each in another place than
// in the frame before, and to record and submit the frame, while a step reads velocity; beside the
// same without such a step. The picture is small, and each frame waits until the device is done
// with the one before. Each run is the least of 8 frames. Uses core and samples/crates, which is compiled first.
#include <stdio.h>

#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/path.h"
#include "render/renderer.h"
#include "resource/types/package_resource.h"

enum {
    NUM_OBJECTS = 10000,
    ROW = 100,
    WIDTH = 64,
    HEIGHT = 36,
    NUM_RUNS = 15,
    FRAMES_IN_A_RUN = 8
};

#define PROJECT CT_BENCH_SAMPLES "/crates"

static struct {
    ct_task_manager *tasks;
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_resource_package *core;
    ct_render_world_id world;
    ct_render_object_id objects[NUM_OBJECTS];
    ct_mat4 poses[NUM_OBJECTS];
    bool is_shifted;
} b;

static void set_view(const char *choice) {
    ct_error error = {0};
    const ct_render_given value = {.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = choice};
    if (!ct_renderer_set_setting(b.renderer, "view", &value, &error))
        ct_bench_fail("cannot set what is shown", error.message);
}

// A square of cubes, all in the picture; each frame moves them to and fro.
static void set_poses(void) {
    const float shift = b.is_shifted ? 0.1f : 0.0f;
    b.is_shifted = !b.is_shifted;
    for (uint32_t i = 0; i < NUM_OBJECTS; ++i)
        b.poses[i] =
            ct_mat4_compose(ct_vec3_make((float)(i % ROW) - ROW / 2 + shift, (float)(i / ROW), 0),
                            ct_quat_identity(), ct_vec3_make(0.2f, 0.2f, 0.2f));
}

// Draws a frame and returns its milliseconds.
static double draw_frame(void) {
    const ct_vec3 eye = ct_vec3_make(0, -80, 60);
    const ct_render_view view = {
        .pose = ct_mat4_compose(eye, ct_quat_look(ct_vec3_make(0, 130, -60), ct_vec3_make(0, 0, 1)),
                                ct_vec3_make(1, 1, 1)),
        .projection = ct_mat4_perspective(0.9f, (float)WIDTH / HEIGHT, 0.1f, 400.0f)};
    const float whole[4] = {0, 0, 1, 1};
    const uint64_t frame = ct_renderer_frame(b.renderer);
    set_poses();
    ct_resource_manager_update(b.resources, frame);
    ct_render_objects_set_poses(b.renderer, b.world, b.objects, b.poses, NUM_OBJECTS);
    ct_renderer_render_world(b.renderer, b.world, &view, ct_string_id32_of("default"), whole, NULL,
                             0);
    ct_renderer_end_frame(b.renderer);
    ct_renderer_flush(b.renderer);
    const ct_render_stats stats = ct_renderer_stats(b.renderer);
    if (stats.num_instances != NUM_OBJECTS)
        ct_bench_fail("cannot measure", "not all objects were drawn");
    // The next frame's begin learns what is done: an empty one waits for the slot of this one.
    for (uint32_t i = 0; i < 2; ++i)
        ct_renderer_end_frame(b.renderer);
    ct_renderer_flush(b.renderer);
    ct_resource_manager_retire(b.resources, ct_renderer_completed_frame(b.renderer));
    return stats.submit_seconds * 1e3;
}

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
    if (!ct_renderer_set_config(b.renderer, "core/rendering/renderer", &error) ||
        !ct_renderer_set_preset(b.renderer, "low", &error))
        ct_bench_fail("cannot set the render config", error.message);
    b.world = ct_render_world_create(b.renderer);
    const ct_string_id64 material = ct_string_id64_of("core/materials/default");
    const ct_render_object_desc desc = {
        .mesh = ct_string_id64_of("core/meshes/cube"), .materials = &material, .num_materials = 1};
    set_poses();
    for (uint32_t i = 0; i < NUM_OBJECTS; ++i)
        b.objects[i] = ct_render_object_create(b.renderer, b.world, &desc, &b.poses[i]);
    for (uint32_t i = 0; i < 6; ++i) {
        set_view(i < 3 ? "velocity" : "off");
        draw_frame();
    }
}

static void end(void) {
    ct_resource_package_destroy(b.resources, b.core);
    ct_renderer_destroy(b.renderer);
    ct_resource_manager_destroy(b.resources);
    ct_task_manager_destroy(b.tasks);
}

// The least of several frames: other work on the machine only adds to it.
static double least_of_frames(void) {
    double least = draw_frame();
    for (uint32_t i = 1; i < FRAMES_IN_A_RUN; ++i) {
        const double ms = draw_frame();
        least = ms < least ? ms : least;
    }
    return least;
}

static double run_velocity(void) {
    set_view("velocity");
    return least_of_frames();
}

static double run_plain(void) {
    set_view("off");
    return least_of_frames();
}

static const ct_bench_case cases[] = {
    {"render_velocity", "10,000 moved, with velocity", "without", "ms", 1.2, NUM_RUNS, begin, end,
     run_velocity, run_plain},
};

const ct_bench_group ct_bench_velocity = {"render", cases, CT_COUNT_OF(cases)};
