#include <math.h>

#include "foundation/math/math.h"
#include "foundation/memory/memory.h"
#include "render/render_fixture.h"
#include "render/render_particles.h"

static bool is_near(const uint8_t *pixel, int red, int green, int blue) {
    return abs(pixel[0] - red) < 40 && abs(pixel[1] - green) < 40 && abs(pixel[2] - blue) < 40;
}

// The sky behind everything, as tonemapped.
static bool is_sky(const uint8_t *pixel) {
    return is_near(pixel, 173, 194, 213);
}

static void expect_center(render_fixture *f, int red, int green, int blue) {
    fixture_picture(f);
    const uint8_t *const p = fixture_pixel(f, 0.5f, 0.5f);
    if (!is_near(p, red, green, blue))
        fail_msg("found %d %d %d, expected %d %d %d", p[0], p[1], p[2], red, green, blue);
}

static void expect_sky_center(render_fixture *f) {
    fixture_picture(f);
    const uint8_t *const p = fixture_pixel(f, 0.5f, 0.5f);
    if (!is_sky(p))
        fail_msg("found %d %d %d, expected the sky", p[0], p[1], p[2]);
}

// --- Life cycle ----------------------------------------------------------------------------------

static void names_the_device(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    assert_true(strlen(ct_renderer_device_name(f.renderer)) > 3);
    fixture_stop(&f);
}

static void says_what_to_install_without_a_driver(void **state) {
    (void)state;
    char *const drivers = ct_copy_string(test_heap(), fixture_environment("VK_ICD_FILENAMES"));
    setenv("VK_ICD_FILENAMES", "/nonexistent.json", 1);
    ct_error error = {0};
    ct_allocator *const a = test_heap();
    ct_task_manager *const tasks = ct_task_manager_create(&(ct_task_manager_desc){.allocator = a});
    ct_resource_manager *const resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = a, .data_folder = "nowhere"});
    assert_null(ct_renderer_create(
        &(ct_renderer_desc){
            .allocator = a, .tasks = tasks, .resources = resources, .width = 8, .height = 8},
        &error));
    assert_non_null(strstr(error.message, "mesa-vulkan-drivers"));
    ct_resource_manager_destroy(resources);
    ct_task_manager_destroy(tasks);
    setenv("VK_ICD_FILENAMES", drivers, 1);
    ct_free(test_heap(), drivers);
}

static void ends_with_everything_still_in_it(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    fixture_frame(&f);
    fixture_frame(&f);
    fixture_stop(&f); // the leak checks of group and renderer do the rest
}

static void ends_before_its_first_frame(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_stop(&f);
}

// Keep it the same as the example in renderer.h.
static void example_of_the_header(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    ct_renderer *const r = f.renderer;
    fixture_ask_picture(&f);

    ct_error error = {0};
    if (!ct_renderer_set_config(r, "core/rendering/renderer", &error))
        ct_log_report("render", &error);
    const ct_render_world_id world = ct_render_world_create(r);
    const ct_string_id64 red = ct_string_id64_of("materials/red");
    const ct_render_object_desc desc = {
        .mesh = ct_string_id64_of("core/meshes/cube"), .materials = &red, .num_materials = 1};
    const ct_mat4 pose = ct_mat4_compose(ct_vec3_make(0.0f, 3.0f, 0.0f), ct_quat_identity(),
                                         ct_vec3_make(1.0f, 1.0f, 1.0f));
    const ct_render_object_id cube = ct_render_object_create(r, world, &desc, &pose);
    const ct_render_view view = {.pose = ct_mat4_identity(),
                                 .projection = ct_mat4_perspective(0.9f, 1.5f, 0.1f, 200.0f)};
    const float whole[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    ct_renderer_render_world(r, world, &view, ct_string_id32_of("default"), whole, NULL, 0);
    ct_renderer_end_frame(r); // it is drawn now; the next frame begins
    ct_render_objects_destroy(r, world, &cube, 1);
    ct_render_world_destroy(r, world);

    ct_renderer_flush(r);
    assert_int_equal(ct_renderer_stats(r).num_instances, 1);
    assert_true(is_sky(fixture_pixel(&f, 0.02f, 0.02f)));
    assert_false(is_sky(fixture_pixel(&f, 0.5f, 0.5f)));
    fixture_stop(&f);
}

// --- Config --------------------------------------------------------------------------------------

static void refuses_a_config_that_is_not_loaded(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    ct_error error = {0};
    assert_false(ct_renderer_set_config(f.renderer, "rendering/nothing", &error));
    assert_non_null(strstr(error.message, "\"rendering/nothing\" is not loaded"));
    expect_sky_center(&f);
    fixture_stop(&f);
}

static void knows_the_viewports_of_the_config(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    assert_true(ct_renderer_has_viewport(f.renderer, ct_string_id32_of("default")));
    assert_false(ct_renderer_has_viewport(f.renderer, ct_string_id32_of("other")));
    ct_error error = {0};
    assert_true(ct_renderer_set_config(f.renderer, "rendering/coarse", &error));
    assert_true(ct_renderer_has_viewport(f.renderer, ct_string_id32_of("other")));
    fixture_stop(&f);
}

static void draws_nothing_for_an_unknown_viewport_or_world(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const float whole[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    fixture_ask_picture(&f);
    ct_renderer_render_world(f.renderer, f.world, &f.view, ct_string_id32_of("nothing"), whole,
                             NULL, 0);
    ct_renderer_render_world(f.renderer, (ct_render_world_id){99}, &f.view,
                             ct_string_id32_of("default"), whole, NULL, 0);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    assert_true(is_near(fixture_pixel(&f, 0.5f, 0.5f), 0, 0, 0));
    fixture_stop(&f);
}

static void leaves_alone_a_target_that_shaders_do_not_write(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    ct_error error = {0};
    assert_true(ct_renderer_set_config(f.renderer, "rendering/second_target", &error));
    fixture_add(&f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    expect_center(&f, 255, 0, 0);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, 1);
    fixture_stop(&f);
}

static void tells_shaders_the_time_of_the_world(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    ct_error error = {0};
    assert_true(ct_renderer_set_config(f.renderer, "rendering/clock", &error));
    expect_center(&f, 0, 0, 0);
    ct_render_world_set_time(f.renderer, f.world, 0.5);
    expect_center(&f, 188, 188, 188); // half, as sRGB
    fixture_stop(&f);
}

// --- Objects -------------------------------------------------------------------------------------

static void draws_many_of_a_kind_in_one_call(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_look_from(&f, 0.0f, -30.0f, 20.0f);
    for (uint32_t i = 0; i < 3000; ++i)
        fixture_add(&f, i % 2 ? "core/meshes/cube" : "core/meshes/sphere", "materials/red",
                    (float)(i % 60) * 0.2f - 6.0f, (float)(i / 60) * 0.2f - 5.0f, 0.0f);
    fixture_picture(&f);
    const ct_render_stats stats = ct_renderer_stats(f.renderer);
    assert_int_equal(stats.frame, 1);
    assert_int_equal(stats.num_instances, 3000);
    assert_int_equal(stats.num_draws, 3); // cubes, spheres, the pass to the back buffer
    assert_true(stats.num_triangles > 1500 * 12);
    assert_true(stats.submit_seconds > 0.0);
    fixture_stop(&f);
}

static void leaves_out_what_is_out_of_view(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, -50.0f, 0.0f); // behind
    fixture_add(&f, "core/meshes/cube", "materials/red", 90.0f, 0.0f, 0.0f);  // beside
    const ct_mat4 huge = fixture_pose(90.0f, 0.0f, 0.0f, 200.0f);             // reaches in
    fixture_add_at(&f, "core/meshes/cube", "materials/glass_red", &huge);
    fixture_picture(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, 2);
    fixture_stop(&f);
}

static void moves_hides_and_removes_objects(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const ct_render_object_id objects[2] = {
        fixture_add(&f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f),
        fixture_add(&f, "core/meshes/cube", "materials/lamp", 0.0f, 0.0f, -3.0f)};
    expect_center(&f, 0, 255, 0);
    const ct_mat4 swapped[2] = {fixture_pose(0.0f, 0.0f, -3.0f, 1.0f),
                                fixture_pose(0.0f, 0.0f, 0.0f, 1.0f)};
    ct_render_objects_set_poses(f.renderer, f.world, objects, swapped, 2);
    expect_center(&f, 255, 215, 100);
    ct_render_object_set_visible(f.renderer, f.world, objects[1], false);
    expect_sky_center(&f);
    ct_render_object_set_visible(f.renderer, f.world, objects[1], true);
    expect_center(&f, 255, 215, 100);
    ct_render_objects_destroy(f.renderer, f.world, &objects[1], 1);
    ct_render_objects_set_poses(f.renderer, f.world, objects, swapped, 2); // one is gone
    expect_sky_center(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, 1);
    fixture_stop(&f);
}

// Many that do not move are culled in another way, which must not show.
static void draws_what_rests_as_before(void **state) {
    (void)state;
    enum { NUM_BEHIND = 4000, NUM_SEEN = 5, FRAMES_TO_REST = 60 };
    render_fixture f;
    fixture_start(&f);
    ct_render_object_id seen[NUM_SEEN], behind[NUM_BEHIND];
    for (uint32_t i = 0; i < NUM_BEHIND; ++i) {
        behind[i] = fixture_add(&f, "core/meshes/cube", "materials/flat", (float)(i % 50) - 25.0f,
                                -20.0f - (float)(i / 50), 0.0f);
        if (i % (NUM_BEHIND / NUM_SEEN) == 0)
            seen[i / (NUM_BEHIND / NUM_SEEN)] =
                fixture_add(&f, "core/meshes/sphere", "materials/gold",
                            (float)(i / (NUM_BEHIND / NUM_SEEN)) * 0.5f - 1.0f, 0.0f, 0.0f);
    }
    fixture_add_sun(&f);
    fixture_picture(&f);
    const uint64_t bytes = (uint64_t)f.width * f.height * 4;
    uint8_t *const before = ct_alloc(test_heap(), bytes);
    memcpy(before, f.pixels, bytes);
    for (uint32_t i = 0; i < FRAMES_TO_REST; ++i)
        fixture_frame(&f);
    fixture_picture(&f);
    assert_memory_equal(f.pixels, before, bytes);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, NUM_SEEN);
    ct_free(test_heap(), before);
    // Some that rested come and go, and what is last takes their places.
    const ct_mat4 here = fixture_pose(0.0f, 0.0f, 0.0f, 1.0f);
    ct_render_objects_set_poses(f.renderer, f.world, &behind[77], &here, 1);
    ct_render_object_set_visible(f.renderer, f.world, seen[0], false);
    expect_center(&f, 0, 255, 0);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, NUM_SEEN);
    ct_render_objects_destroy(f.renderer, f.world, behind, NUM_BEHIND / 4);
    fixture_picture(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, NUM_SEEN - 1);
    fixture_stop(&f);
}

static void draws_nothing_until_mesh_and_material_are_online(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/nothing", 0.0f, 0.0f, 0.0f);
    fixture_add(&f, "meshes/nothing", "materials/flat", 0.0f, 0.0f, 0.0f);
    expect_sky_center(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, 0);
    fixture_stop(&f);
}

static void goes_on_when_resources_go_offline_and_come_back(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    expect_center(&f, 0, 255, 0);
    ct_resource_package_unload(f.resources, f.project);
    expect_sky_center(&f);
    ct_resource_package_load(f.resources, f.project);
    ct_resource_package_flush(f.resources, f.project);
    expect_center(&f, 0, 255, 0);
    ct_resource_package_unload(f.resources, f.core); // mesh, tonemap and config's shaders
    fixture_picture(&f);
    ct_resource_package_load(f.resources, f.core);
    ct_resource_package_flush(f.resources, f.core);
    expect_center(&f, 0, 255, 0);
    fixture_stop(&f);
}

static void keeps_worlds_apart(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const ct_render_object_id object =
        fixture_add(&f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    const ct_render_world_id first = f.world;
    f.world = ct_render_world_create(f.renderer);
    ct_render_objects_destroy(f.renderer, f.world, &object, 1); // not of this world
    expect_sky_center(&f);
    ct_render_world_destroy(f.renderer, f.world);
    f.world = first;
    expect_center(&f, 0, 255, 0);
    fixture_stop(&f);
}

// --- Materials -----------------------------------------------------------------------------------

static void changes_an_objects_material(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const ct_render_object_id object =
        fixture_add(&f, "core/meshes/cube", "materials/lamp", 0.0f, 0.0f, 0.0f);
    ct_render_object_set_material(f.renderer, f.world, object, 0,
                                  ct_string_id64_of("materials/flat"));
    expect_center(&f, 0, 255, 0);
    fixture_stop(&f);
}

static void changes_values_and_textures_of_materials(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const ct_string_id64 flat = ct_string_id64_of("materials/flat");
    const float blue[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    fixture_add(&f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    assert_true(
        ct_render_material_set_parameter(f.renderer, flat, ct_string_id32_of("color"), blue, 4));
    expect_center(&f, 0, 0, 255);
    assert_true(ct_render_material_set_texture(f.renderer, flat, ct_string_id32_of("picture"),
                                               ct_string_id64_of("core/textures/black")));
    expect_center(&f, 0, 0, 0);
    // A texture that is not there: the shader's default.
    assert_true(ct_render_material_set_texture(f.renderer, flat, ct_string_id32_of("picture"),
                                               ct_string_id64_of("textures/nothing")));
    expect_center(&f, 0, 0, 255);
    fixture_stop(&f);
}

static void gives_materials_matrices(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const ct_string_id64 mixed = ct_string_id64_of("materials/mixed");
    const ct_string_id32 mix = ct_string_id32_of("mix"), gain = ct_string_id32_of("gain");
    fixture_add(&f, "core/meshes/cube", "materials/mixed", 0.0f, 0.0f, 0.0f);
    expect_center(&f, 0, 255, 0);
    const ct_mat4 add_blue = ct_mat4_compose(ct_vec3_make(0.0f, 0.0f, 1.0f), ct_quat_identity(),
                                             ct_vec3_make(1.0f, 1.0f, 1.0f));
    assert_true(ct_render_material_set_parameter(f.renderer, mixed, mix, add_blue.raw[0], 16));
    expect_center(&f, 255, 0, 255);
    assert_false(ct_render_material_set_parameter(f.renderer, mixed, mix, add_blue.raw[0], 4));
    assert_false(ct_render_material_set_parameter(f.renderer, mixed, gain, add_blue.raw[0], 16));
    expect_center(&f, 255, 0, 255);
    fixture_stop(&f);
}

static void refuses_unknown_materials_and_names(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const float one = 1.0f;
    const ct_string_id64 flat = ct_string_id64_of("materials/flat");
    const ct_string_id64 nothing = ct_string_id64_of("materials/nothing");
    const ct_string_id32 color = ct_string_id32_of("color"), wrong = ct_string_id32_of("wrong");
    assert_false(ct_render_material_set_parameter(f.renderer, nothing, color, &one, 1));
    assert_false(ct_render_material_set_parameter(f.renderer, flat, wrong, &one, 1));
    assert_false(ct_render_material_set_texture(f.renderer, nothing, color, flat));
    assert_false(ct_render_material_set_texture(f.renderer, flat, wrong, flat));
    fixture_stop(&f);
}

// --- Lights --------------------------------------------------------------------------------------

static void lights_come_change_and_go(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.0f, 0.0f, 0.0f);
    fixture_picture(&f);
    const int dark = fixture_pixel(&f, 0.5f, 0.5f)[0];
    const ct_render_light_id light =
        fixture_add_point_light(&f, ct_vec3_make(0.5f, -1.2f, 0.5f), 1.0f, 0.5f, 0.5f);
    fixture_picture(&f);
    const int lit = fixture_pixel(&f, 0.5f, 0.5f)[0];
    assert_true(lit > dark + 30);
    const ct_light_data off = {.type = CT_LIGHT_TYPE_POINT, .intensity = 6.0f};
    const ct_mat4 pose = ct_mat4_identity();
    ct_render_light_set(f.renderer, f.world, light, &off, &pose);
    fixture_picture(&f);
    assert_int_equal(fixture_pixel(&f, 0.5f, 0.5f)[0], dark);
    ct_render_light_destroy(f.renderer, f.world, light);
    ct_render_light_destroy(f.renderer, f.world, light); // twice does nothing
    fixture_picture(&f);
    assert_int_equal(fixture_pixel(&f, 0.5f, 0.5f)[0], dark);
    fixture_stop(&f);
}

static void draws_lines_for_one_frame_only(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const ct_line_vertex line[2] = {{{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 1.0f}},
                                    {{0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f, 1.0f}}};
    for (uint32_t i = 0; i < 6000; ++i) // more than the first buffer holds
        ct_render_lines(f.renderer, f.world, line, 2);
    fixture_picture(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_draws, 2);
    fixture_picture(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_draws, 1);
    fixture_stop(&f);
}

// --- Frames --------------------------------------------------------------------------------------

static void counts_frames_until_they_are_done(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    assert_int_equal(ct_renderer_frame(f.renderer), 1);
    assert_int_equal(ct_renderer_completed_frame(f.renderer), 0);
    for (uint64_t frame = 1; frame <= 20; ++frame) {
        assert_int_equal(ct_renderer_frame(f.renderer), frame);
        fixture_frame(&f);
        assert_true(ct_renderer_completed_frame(f.renderer) <= frame);
    }
    ct_renderer_flush(f.renderer);
    assert_int_equal(ct_renderer_completed_frame(f.renderer), 20);
    assert_int_equal(ct_renderer_stats(f.renderer).frame, 20);
    fixture_stop(&f);
}

static void resizes_and_pauses(void **state) {
    (void)state;
    render_fixture f;
    uint32_t width, height;
    fixture_start(&f);
    fixture_picture(&f);
    assert_int_equal(f.width, FIXTURE_WIDTH);
    ct_renderer_resize(f.renderer, 64, 48);
    ct_renderer_size(f.renderer, &width, &height);
    assert_true(width == 64 && height == 48);
    fixture_picture(&f);
    assert_true(f.width == 64 && f.height == 48 && is_sky(fixture_pixel(&f, 0.5f, 0.5f)));
    ct_renderer_resize(f.renderer, 0, 0);
    fixture_picture(&f);
    assert_null(f.pixels);
    fixture_frame(&f);
    ct_renderer_flush(f.renderer);
    assert_int_equal(ct_renderer_completed_frame(f.renderer), 4); // frames go on
    ct_renderer_resize(f.renderer, 200, 1);
    fixture_picture(&f);
    assert_true(f.width == 200 && f.height == 1 && is_sky(fixture_pixel(&f, 0.5f, 0.5f)));
    fixture_stop(&f);
}

static void takes_no_picture_of_a_frame_without_view(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_ask_picture(&f);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    assert_int_equal(f.num_pictures, 1);
    assert_null(f.pixels);
    fixture_stop(&f);
}

static void answers_for_a_picture_of_a_frame_that_never_was(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_picture(&f);
    fixture_ask_picture(&f);
    fixture_stop(&f);
    assert_int_equal(f.num_pictures, 2);
    f.pixels = NULL;
}

static void survives_rectangles_without_area(void **state) {
    (void)state;
    const float rectangles[][4] = {{0.0f, 0.0f, 0.0f, 0.0f},
                                   {1.0f, 1.0f, 1.0f, 1.0f},
                                   {-3.0f, 0.5f, 9.0f, 9.0f},
                                   {NAN, NAN, NAN, NAN},
                                   {0.999f, 0.999f, 0.0001f, 0.0001f}};
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < CT_COUNT_OF(rectangles); ++i)
        fixture_render_to(&f, rectangles[i]);
    ct_renderer_end_frame(f.renderer);
    fixture_stop(&f);
}

// What the renderer allocated so far, its own and not the driver's.
static void count_blocks(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    (void)depth;
    uint64_t *const total = user;
    if (strcmp(name, "render") == 0)
        *total += stats.total_blocks;
    if (strcmp(name, "vulkan") == 0)
        *total -= stats.total_blocks;
}

static void send_cloud(render_fixture *f, ct_particle_sort sort) {
    enum { COUNT = 400 };
    const ct_render_cloud_desc desc = {.material = ct_string_id64_of("core/materials/particle"),
                                       .sphere = {0.0f, 0.0f, 0.0f, 1.0f},
                                       .sort = (uint8_t)sort};
    ct_particle_instance *const instances =
        ct_render_particles_add(f->renderer, f->world, &desc, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i)
        instances[i] =
            (ct_particle_instance){.position = {0.0f, (float)(i % 7)}, .size = {0.1f, 0.1f}};
}

static void allocates_nothing_once_warm(void **state) {
    (void)state;
    enum { COUNT = 500 };
    static ct_render_object_id objects[COUNT];
    static ct_mat4 poses[COUNT];
    render_fixture f;
    fixture_start(&f);
    for (uint32_t i = 0; i < COUNT; ++i)
        objects[i] = fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    uint64_t warm = 0, later = 0;
    for (uint32_t frame = 0; frame < 30; ++frame) {
        for (uint32_t i = 0; i < COUNT; ++i)
            poses[i] = fixture_pose((float)i * 0.01f, (float)frame * 0.01f, 0.0f, 0.1f);
        ct_render_objects_set_poses(f.renderer, f.world, objects, poses, COUNT);
        ct_render_particles_begin(f.renderer, f.world);
        send_cloud(&f, CT_PARTICLE_SORT_NONE);
        send_cloud(&f, CT_PARTICLE_SORT_DISTANCE);
        fixture_frame(&f);
        ct_renderer_flush(f.renderer);
        if (frame == 9)
            ct_memory_visit(count_blocks, &warm);
    }
    ct_memory_visit(count_blocks, &later);
    assert_true(warm > 0);
    assert_int_equal(later, warm);
    fixture_stop(&f);
}

static char last_warning[CT_ERROR_MESSAGE_BYTES];

static void note_warning(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user;
    (void)system;
    if (level == CT_LOG_LEVEL_WARNING)
        snprintf(last_warning, sizeof(last_warning), "%s", message);
}

static void tells_of_layers_that_are_not_there(void **state) {
    (void)state;
    render_fixture f;
    ct_log_add_sink(&(ct_log_sink){.write = note_warning, .least = CT_LOG_LEVEL_WARNING});
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/stray", 0.0f, 0.0f, 0.0f);
    expect_sky_center(&f);
    assert_string_equal(last_warning, "the shader \"shaders/stray\" draws nothing: the "
                                      "render config has no layer \"opaq\" (did you mean "
                                      "\"opaque\"?) [unknown_layer]");
    fixture_stop(&f);
    ct_log_remove_sink(note_warning, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_device),
        cmocka_unit_test(says_what_to_install_without_a_driver),
        cmocka_unit_test(ends_with_everything_still_in_it),
        cmocka_unit_test(ends_before_its_first_frame),
        cmocka_unit_test(example_of_the_header),
        cmocka_unit_test(refuses_a_config_that_is_not_loaded),
        cmocka_unit_test(knows_the_viewports_of_the_config),
        cmocka_unit_test(draws_nothing_for_an_unknown_viewport_or_world),
        cmocka_unit_test(leaves_alone_a_target_that_shaders_do_not_write),
        cmocka_unit_test(tells_shaders_the_time_of_the_world),
        cmocka_unit_test(draws_many_of_a_kind_in_one_call),
        cmocka_unit_test(leaves_out_what_is_out_of_view),
        cmocka_unit_test(moves_hides_and_removes_objects),
        cmocka_unit_test(draws_what_rests_as_before),
        cmocka_unit_test(draws_nothing_until_mesh_and_material_are_online),
        cmocka_unit_test(goes_on_when_resources_go_offline_and_come_back),
        cmocka_unit_test(keeps_worlds_apart),
        cmocka_unit_test(changes_an_objects_material),
        cmocka_unit_test(changes_values_and_textures_of_materials),
        cmocka_unit_test(gives_materials_matrices),
        cmocka_unit_test(refuses_unknown_materials_and_names),
        cmocka_unit_test(lights_come_change_and_go),
        cmocka_unit_test(draws_lines_for_one_frame_only),
        cmocka_unit_test(counts_frames_until_they_are_done),
        cmocka_unit_test(resizes_and_pauses),
        cmocka_unit_test(takes_no_picture_of_a_frame_without_view),
        cmocka_unit_test(answers_for_a_picture_of_a_frame_that_never_was),
        cmocka_unit_test(survives_rectangles_without_area),
        cmocka_unit_test(allocates_nothing_once_warm),
        cmocka_unit_test(tells_of_layers_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
