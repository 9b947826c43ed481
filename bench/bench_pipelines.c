// bench_pipelines.c: the frame in which 50 objects first appear, each with a material of its own
// that chooses another variant of core/shaders/pbr: what the render thread takes to record and
// submit it, without waiting for the device. The materials were loaded some frames before.
//
// `pipelines_appear`: with pipelines that were made ahead, beside those that are made when drawn.
// `pipelines_again`: the same, beside the frame after it. Each run has a renderer of its own. The
// project is written and compiled beside the program.
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "render/renderer.h"
#include "resource/types/package_resource.h"

enum { NUM_MATERIALS = 50, WIDTH = 320, HEIGHT = 180 };

static struct {
    char data_folder[CT_PATH_BYTES];
    ct_task_manager *tasks;
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_resource_package *core, *project;
    ct_render_world_id world;
} b;

// --- The project ---------------------------------------------------------------------------------

static void write_source(const char *folder, const char *name, const char *text) {
    char path[CT_PATH_BYTES], parent[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(path, folder, name);
    ct_path_folder(parent, path);
    if (!ct_folder_create(parent, &error) ||
        !ct_file_write(path, text, strlen(text), false, &error))
        ct_bench_fail("cannot write a source", error.message);
}

// Material number `i` has the options that the bits of `i` say.
static void write_material(const char *folder, uint32_t i) {
    static const char *const options[] = {"base_color_map",         "normal_map",
                                          "metallic_roughness_map", "emissive_map",
                                          "vertex_color",           "double_sided"};
    char name[64], text[512];
    snprintf(name, sizeof(name), "materials/m%u.material", i);
    int length = snprintf(text, sizeof(text), "shader = \"core/shaders/pbr\"\noptions = [");
    for (uint32_t k = 0; k < CT_COUNT_OF(options); ++k)
        if (i >> k & 1)
            length += snprintf(text + length, sizeof(text) - (size_t)length, " \"%s\"", options[k]);
    snprintf(text + length, sizeof(text) - (size_t)length, " ]\n");
    write_source(folder, name, text);
}

static void write_project(const char *folder) {
    write_source(folder, "settings.config", "boot_script = \"main\"\nboot_package = \"all\"\n");
    write_source(folder, "main.lua", "-- bench_pipelines.c runs no script; a project has one.\n");
    write_source(folder, "all.package", "material = [\"*\"]\n");
    for (uint32_t i = 0; i < NUM_MATERIALS; ++i)
        write_material(folder, i);
}

static void begin(void) {
    char program[CT_PATH_BYTES], beside[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_os_executable_path(program);
    ct_path_folder(beside, program);
    ct_path_join(folder, beside, "bench_pipelines");
    write_project(folder);
    ct_bench_compile(folder, b.data_folder);
}

// --- A run ---------------------------------------------------------------------------------------

static void start(ct_renderer_pipelines mode) {
    ct_error error = {0};
    b.tasks = ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = ct_bench_heap(), .num_workers = 1});
    b.resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = ct_bench_heap(), .data_folder = b.data_folder});
    b.renderer = ct_renderer_create(&(ct_renderer_desc){.allocator = ct_bench_heap(),
                                                        .tasks = b.tasks,
                                                        .resources = b.resources,
                                                        .width = WIDTH,
                                                        .height = HEIGHT,
                                                        .pipelines = mode},
                                    &error);
    if (!b.renderer)
        ct_bench_fail("cannot start the renderer", error.message);
    b.core = ct_bench_load(b.resources, CT_PACKAGE_CORE);
    b.project = ct_bench_load(b.resources, "all");
    if (!ct_renderer_set_config(b.renderer, "core/rendering/renderer", &error))
        ct_bench_fail("cannot use the render config", error.message);
    b.world = ct_render_world_create(b.renderer);
}

static void stop(void) {
    ct_resource_package_destroy(b.resources, b.project);
    ct_resource_package_destroy(b.resources, b.core);
    ct_renderer_destroy(b.renderer);
    ct_resource_manager_destroy(b.resources);
    ct_task_manager_destroy(b.tasks);
}

static void add_objects(void) {
    for (uint32_t i = 0; i < NUM_MATERIALS; ++i) {
        char name[64];
        snprintf(name, sizeof(name), "materials/m%u", i);
        const ct_string_id64 material = ct_string_id64_of(name);
        const ct_render_object_desc desc = {.mesh = ct_string_id64_of("core/meshes/cube"),
                                            .materials = &material,
                                            .num_materials = 1};
        const ct_mat4 pose =
            ct_mat4_compose(ct_vec3_make((float)(i % 10) - 4.5f, 12.0f, (float)(i / 10) - 2.0f),
                            ct_quat_identity(), ct_vec3_make(0.4f, 0.4f, 0.4f));
        ct_render_object_create(b.renderer, b.world, &desc, &pose);
    }
}

// Returns the milliseconds that the render thread took.
static double draw_frame(void) {
    const ct_render_view view = {
        .pose = ct_mat4_identity(),
        .projection = ct_mat4_perspective(0.9f, (float)WIDTH / HEIGHT, 0.1f, 200.0f)};
    const float whole[4] = {0, 0, 1, 1};
    ct_resource_manager_update(b.resources, ct_renderer_frame(b.renderer));
    ct_renderer_render_world(b.renderer, b.world, &view, ct_string_id32_of("default"), whole, NULL,
                             0);
    ct_renderer_end_frame(b.renderer);
    ct_renderer_flush(b.renderer);
    ct_resource_manager_retire(b.resources, ct_renderer_completed_frame(b.renderer));
    return ct_renderer_stats(b.renderer).submit_seconds * 1e3;
}

static void measure(ct_renderer_pipelines mode, double *first, double *second) {
    start(mode);
    for (uint32_t i = 0; i < 3; ++i)
        draw_frame();
    add_objects();
    *first = draw_frame();
    if (ct_renderer_stats(b.renderer).num_instances < NUM_MATERIALS)
        ct_bench_fail("cannot measure", "not all objects were drawn");
    *second = draw_frame();
    stop();
}

static double run_ahead(void) {
    double first, second;
    measure(CT_RENDERER_PIPELINES_AHEAD, &first, &second);
    return first;
}

static double run_when_drawn(void) {
    double first, second;
    measure(CT_RENDERER_PIPELINES_WHEN_DRAWN, &first, &second);
    return first;
}

static double run_again(void) {
    double first, second;
    measure(CT_RENDERER_PIPELINES_AHEAD, &first, &second);
    return second;
}

static const ct_bench_case cases[] = {
    {"pipelines_appear", "made ahead", "made when drawn", "ms", 0.2, 5, begin, NULL, run_ahead,
     run_when_drawn},
    {"pipelines_again", "first frame", "the frame after", "ms", 2, 5, begin, NULL, run_ahead,
     run_again},
};

const ct_bench_group ct_bench_pipelines = {"pipelines", cases, CT_COUNT_OF(cases)};
