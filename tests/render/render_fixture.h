// render_fixture.h: a headless renderer with validation, fed from a small compiled project.
//
// Compiled once for all test programs, by the compiler itself. Every test fails when an error was
// logged that it did not ask for.
#pragma once
#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "render/renderer.h"
#include "resource/types/package_resource.h"

enum { FIXTURE_WIDTH = 160, FIXTURE_HEIGHT = 120 };

typedef struct render_fixture {
    ct_task_manager *tasks;
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_resource_package *core, *project;
    ct_render_world_id world;
    ct_render_view view;
    uint64_t errors; // logged before
    uint8_t *pixels; // the last picture
    uint32_t width, height;
    uint32_t num_pictures; // how often one came, NULL ones included
} render_fixture;

// --- Data ----------------------------------------------------------------------------------------

static char fixture_last_error[CT_ERROR_MESSAGE_BYTES * 2];

static inline void fixture_note_error(void *user, ct_log_level level, const char *system,
                                      const char *message) {
    (void)user;
    if (level == CT_LOG_LEVEL_ERROR)
        snprintf(fixture_last_error, sizeof(fixture_last_error), "%s", message);
    fprintf(stderr, "%s: %s\n", system, message);
}

// The value of an environment variable that the test program is run with.
static inline const char *fixture_environment(const char *name) {
    const char *value = ct_os_environment(name);
    if (!value)
        fail_msg("%s is not set; run the tests through ctest", name);
    return value;
}

// A copy of tests/render/project that a test may change. The string lives until the program ends.
static inline const char *fixture_copy_project(void) {
    char source[CT_PATH_BYTES];
    ct_error error = {0};
    const char *folder = test_scratch_folder();
    ct_path_join(source, fixture_environment("CUTTLE_SOURCE"), "tests/render/project");
    if (!ct_folder_copy(source, folder, &error))
        fail_msg("%s", error.message);
    return folder;
}

static inline void fixture_compile(const char *project, const char *data) {
    const char *arguments[] = {
        fixture_environment("CUTTLE"), "compile", project, "--data-dir", data, NULL};
    ct_error error = {0};
    const ct_process process = ct_process_start(&(ct_process_desc){.arguments = arguments}, &error);
    if (!process.pid)
        fail_msg("%s", error.message);
    assert_int_equal(ct_process_wait(process), 0);
}

// The folder with the compiled project, the same for all test programs of a build: the first compiles
// it, and the others find it up to date.
static inline const char *fixture_data(void) {
    static char data[CT_PATH_BYTES];
    if (!data[0]) {
        char source[CT_PATH_BYTES];
        ct_path_join(source, fixture_environment("CUTTLE_SOURCE"), "tests/render/project");
        ct_path_join(data, fixture_environment("CUTTLE_BUILD_DIR"), "scratch/render_data");
        fixture_compile(source, data);
    }
    return data;
}

// A folder with the compiled project that a test may change, beside fixture_copy_project. The string
// lives until the program ends.
static inline const char *fixture_copy_data(void) {
    ct_error error = {0};
    const char *folder = NULL;
    // Again when a file of a moment went that a compiler had made for another test program.
    for (uint32_t i = 0; i < 10; ++i) {
        folder = test_scratch_folder();
        if (ct_folder_copy(fixture_data(), folder, &error))
            return folder;
    }
    fail_msg("%s", error.message);
    return NULL;
}

// --- Life cycle ----------------------------------------------------------------------------------

// For the next renderers: when pipelines are made, and where their cache is kept.
static ct_renderer_pipelines fixture_pipelines;
static const char *fixture_cache_folder;

static inline ct_resource_package *fixture_load(render_fixture *f, const char *name) {
    ct_error error = {0};
    ct_resource_package *package = ct_resource_package_create(f->resources, name, &error);
    if (!package)
        fail_msg("%s", error.message);
    ct_resource_package_load(f->resources, package);
    ct_resource_package_flush(f->resources, package);
    return package;
}

// Looks at the origin from `eye`.
static inline void fixture_look_from(render_fixture *f, float x, float y, float z) {
    const ct_vec3 eye = ct_vec3_make(x, y, z);
    const ct_quat rotation =
        ct_quat_look(ct_vec3_scale(eye, -1.0f), ct_vec3_make(0.0f, 0.0f, 1.0f));
    f->view.pose = ct_mat4_compose(eye, rotation, ct_vec3_make(1.0f, 1.0f, 1.0f));
}

static inline void fixture_start_with(render_fixture *f, const char *data, uint32_t width,
                                      uint32_t height, bool validation) {
    *f = (render_fixture){.errors = ct_log_error_count()};
    ct_log_add_sink(&(ct_log_sink){.write = fixture_note_error, .least = CT_LOG_LEVEL_WARNING});
    ct_error error = {0};
    ct_allocator *a = test_heap();
    f->tasks = ct_task_manager_create(&(ct_task_manager_desc){.allocator = a, .num_workers = 1});
    f->resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = a, .data_folder = data});
    f->renderer = ct_renderer_create(&(ct_renderer_desc){.allocator = a,
                                                         .tasks = f->tasks,
                                                         .resources = f->resources,
                                                         .width = width,
                                                         .height = height,
                                                         .validation = validation,
                                                         .pipelines = fixture_pipelines,
                                                         .cache_folder = fixture_cache_folder},
                                     &error);
    if (!f->renderer)
        fail_msg("%s", error.message);
    f->core = fixture_load(f, CT_PACKAGE_CORE);
    f->project = fixture_load(f, "all");
    if (!ct_renderer_set_config(f->renderer, "core/rendering/renderer", &error))
        fail_msg("%s", error.message);
    f->world = ct_render_world_create(f->renderer);
    f->view.projection = ct_mat4_perspective(0.9f, (float)width / (float)height, 0.1f, 200.0f);
    fixture_look_from(f, 1.6f, -2.4f, 1.4f);
}

static inline void fixture_start(render_fixture *f) {
    fixture_start_with(f, fixture_data(), FIXTURE_WIDTH, FIXTURE_HEIGHT, true);
}

// Fails when an error was logged since the last call.
static inline void fixture_expect_no_error(render_fixture *f) {
    ct_renderer_flush(f->renderer);
    if (ct_log_error_count() != f->errors)
        fail_msg("an error was logged: %s", fixture_last_error);
}

// Fails unless an error that contains `text` was logged last, and forgets it.
static inline void fixture_expect_error(render_fixture *f, const char *text) {
    ct_renderer_flush(f->renderer);
    assert_true(ct_log_error_count() > f->errors);
    if (!strstr(fixture_last_error, text))
        fail_msg("found \"%s\", expected \"%s\"", fixture_last_error, text);
    f->errors = ct_log_error_count();
}

static inline void fixture_stop(render_fixture *f) {
    fixture_expect_no_error(f);
    ct_resource_package_destroy(f->resources, f->project);
    ct_resource_package_destroy(f->resources, f->core);
    ct_renderer_destroy(f->renderer);
    ct_resource_manager_destroy(f->resources);
    ct_task_manager_destroy(f->tasks);
    ct_free(test_heap(), f->pixels);
    ct_log_remove_sink(fixture_note_error, NULL);
    if (ct_log_error_count() != f->errors)
        fail_msg("an error was logged at the end: %s", fixture_last_error);
}

// --- Objects -------------------------------------------------------------------------------------

static inline ct_mat4 fixture_pose(float x, float y, float z, float scale) {
    return ct_mat4_compose(ct_vec3_make(x, y, z), ct_quat_identity(),
                           ct_vec3_make(scale, scale, scale));
}

static inline ct_render_object_id fixture_add_at(render_fixture *f, const char *mesh,
                                                 const char *material, const ct_mat4 *pose) {
    const ct_string_id64 own = ct_string_id64_of(material);
    const ct_render_object_desc desc = {
        .mesh = ct_string_id64_of(mesh), .materials = &own, .num_materials = 1};
    return ct_render_object_create(f->renderer, f->world, &desc, pose);
}

static inline ct_render_object_id fixture_add(render_fixture *f, const char *mesh,
                                              const char *material, float x, float y, float z) {
    const ct_mat4 pose = fixture_pose(x, y, z, 1.0f);
    return fixture_add_at(f, mesh, material, &pose);
}

// A white light from the upper left, before the scene.
static inline ct_render_light_id fixture_add_sun(render_fixture *f) {
    const ct_light_data data = {.type = CT_LIGHT_TYPE_DIRECTIONAL,
                                .color = {1.0f, 1.0f, 1.0f, 1.0f},
                                .intensity = 1.2f,
                                .is_enabled = true};
    const ct_mat4 pose = ct_mat4_compose(
        ct_vec3_make(0.0f, 0.0f, 0.0f),
        ct_quat_look(ct_vec3_make(0.6f, 0.5f, -1.0f), ct_vec3_make(0.0f, 0.0f, 1.0f)),
        ct_vec3_make(1.0f, 1.0f, 1.0f));
    return ct_render_light_create(f->renderer, f->world, &data, &pose);
}

static inline ct_render_light_id fixture_add_point_light(render_fixture *f, ct_vec3 position,
                                                         float red, float green, float blue) {
    const ct_light_data data = {.type = CT_LIGHT_TYPE_POINT,
                                .color = {red, green, blue, 1.0f},
                                .intensity = 6.0f,
                                .falloff_end = 4.0f,
                                .is_enabled = true};
    const ct_mat4 pose = fixture_pose(position.x, position.y, position.z, 1.0f);
    return ct_render_light_create(f->renderer, f->world, &data, &pose);
}

// --- Frames --------------------------------------------------------------------------------------

static inline void fixture_render_to(render_fixture *f, const float rectangle[4]) {
    ct_renderer_render_world(f->renderer, f->world, &f->view, ct_string_id32_of("default"),
                             rectangle, NULL, 0);
}

// Draws one frame of the whole world.
static inline void fixture_frame(render_fixture *f) {
    const float whole[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    ct_resource_manager_update(f->resources, ct_renderer_frame(f->renderer));
    fixture_render_to(f, whole);
    ct_renderer_end_frame(f->renderer);
    ct_resource_manager_retire(f->resources, ct_renderer_completed_frame(f->renderer));
}

static inline void fixture_take_picture(void *user, const uint8_t *pixels, uint32_t width,
                                        uint32_t height) {
    render_fixture *f = user;
    ++f->num_pictures;
    ct_free(test_heap(), f->pixels);
    f->pixels = NULL;
    f->width = width;
    f->height = height;
    if (!pixels)
        return;
    f->pixels = ct_alloc(test_heap(), (uint64_t)width * height * 4);
    memcpy(f->pixels, pixels, (uint64_t)width * height * 4);
}

// Asks for the picture of the frame being recorded.
static inline void fixture_ask_picture(render_fixture *f) {
    ct_renderer_screenshot(f->renderer, fixture_take_picture, f);
}

// Draws one frame and waits for its picture: f->pixels, or NULL.
static inline void fixture_picture(render_fixture *f) {
    fixture_ask_picture(f);
    fixture_frame(f);
    ct_renderer_flush(f->renderer);
}

// The pixel at fractions of the last picture.
static inline const uint8_t *fixture_pixel(const render_fixture *f, float x, float y) {
    assert_non_null(f->pixels);
    const uint32_t column = (uint32_t)(x * (float)f->width);
    const uint32_t row = (uint32_t)(y * (float)f->height);
    return f->pixels + ((uint64_t)row * f->width + column) * 4;
}
