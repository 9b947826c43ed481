// A golden picture for each feature, drawn with Vulkan's validation.
#include "foundation/math/math.h"
#include "render/golden_picture.h"

static void add_floor(render_fixture *f, const char *material) {
    const ct_mat4 pose = fixture_pose(0.0f, 0.0f, -0.5f, 6.0f);
    fixture_add_at(f, "core/meshes/plane", material, &pose);
}

static void finish(render_fixture *f, const char *picture) {
    fixture_picture(f);
    golden_expect(f, picture);
    fixture_stop(f);
}

static void draws_parameters_of_the_standard_material(void **state) {
    (void)state;
    static const char *const materials[] = {"materials/red", "materials/gold", "materials/mirror",
                                            "materials/chalk", "materials/lamp"};
    render_fixture f;
    fixture_start(&f);
    for (uint32_t i = 0; i < CT_COUNT_OF(materials); ++i)
        fixture_add(&f, "core/meshes/sphere", materials[i], (float)(i % 3) * 1.1f - 1.1f,
                    (float)(i / 3) * 1.1f - 0.5f, 0.0f);
    add_floor(&f, "materials/chalk");
    fixture_add_sun(&f);
    finish(&f, "standard_material");
}

static void draws_maps_of_the_standard_material(void **state) {
    (void)state;
    static const char *const materials[] = {"materials/checker", "materials/bumps",
                                            "materials/rings", "materials/glow"};
    render_fixture f;
    fixture_start(&f);
    for (uint32_t i = 0; i < CT_COUNT_OF(materials); ++i)
        fixture_add(&f, "core/meshes/cube", materials[i], (float)(i % 2) * 1.3f - 0.65f,
                    (float)(i / 2) * 1.3f - 0.65f, 0.0f);
    fixture_add_sun(&f);
    finish(&f, "standard_maps");
}

// Meshes with and without the second stream, by the same pipelines.
static void draws_vertex_colors_and_second_coordinates(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "meshes/colors", "materials/vertex_colors", -0.6f, 0.0f, 0.6f);
    fixture_add(&f, "core/meshes/cube", "materials/vertex_colors", 0.7f, 0.0f, 0.6f);
    fixture_add(&f, "meshes/second_uv", "materials/second_uv", -0.6f, 0.0f, -0.6f);
    fixture_add(&f, "core/meshes/cube", "materials/second_uv", 0.7f, 0.0f, -0.6f);
    fixture_add_sun(&f);
    finish(&f, "vertex_streams");
}

static void filters_and_wraps_textures(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    add_floor(&f, "materials/checker"); // trilinear, repeated
    fixture_add(&f, "core/meshes/cube", "materials/clamped", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    finish(&f, "samplers");
}

// All around in one picture: front in the middle, left and right of it left and right, the back at
// both ends; the letters on all faces stand upright and are not mirrored.
static void turns_cube_maps_as_our_space_is(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/plane", "materials/panorama", 0.0f, 0.0f, 0.0f);
    finish(&f, "cube_map");
}

static void draws_layers_of_arrays(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/plane", "materials/pages", 0.0f, 0.0f, 0.0f);
    finish(&f, "texture_array");
}

static void draws_compressed_textures(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    add_floor(&f, "materials/checker");
    fixture_add(&f, "core/meshes/plane", "materials/formats", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    finish(&f, "texture_formats");
}

static uint32_t num_misfits;

static void count_misfits(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user;
    (void)level;
    (void)system;
    num_misfits += strstr(message, "the texture \"textures/checker\" is of kind 2D, but the shader "
                                   "\"shaders/panorama\" expects kind cube") != NULL;
}

static void draws_something_else_for_textures_of_another_kind(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    num_misfits = 0;
    ct_log_add_sink(&(ct_log_sink){.write = count_misfits, .least = CT_LOG_LEVEL_WARNING});
    fixture_add(&f, "core/meshes/plane", "materials/panorama_misfit", 0.0f, 0.0f, 0.0f);
    fixture_picture(&f);
    fixture_picture(&f);
    ct_log_remove_sink(count_misfits, NULL);
    assert_int_equal(num_misfits, 1);
    const uint8_t *const middle = f.pixels + (f.height / 2 * f.width + f.width / 2) * 4;
    assert_int_equal(middle[0], 0); // core/textures/black_cube
    fixture_stop(&f);
}

static void lights_by_point_lights(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    add_floor(&f, "materials/chalk");
    fixture_add(&f, "core/meshes/sphere", "materials/chalk", 0.0f, 0.0f, 0.0f);
    fixture_add_point_light(&f, ct_vec3_make(-1.2f, -0.6f, 0.6f), 1.0f, 0.1f, 0.1f);
    fixture_add_point_light(&f, ct_vec3_make(1.2f, -0.6f, 0.3f), 0.1f, 0.3f, 1.0f);
    finish(&f, "point_lights");
}

static ct_render_light_id add_spot_light(render_fixture *f, ct_vec3 position, ct_vec3 direction,
                                         float end_angle, float red, float green, float blue) {
    const ct_light_data data = {.type = CT_LIGHT_TYPE_SPOT,
                                .color = {red, green, blue, 1.0f},
                                .intensity = 14.0f,
                                .falloff_start = 2.0f,
                                .falloff_end = 6.0f,
                                .spot_angle_start = end_angle * 0.8f,
                                .spot_angle_end = end_angle,
                                .is_enabled = true};
    const ct_mat4 pose =
        ct_mat4_compose(position, ct_quat_look(direction, ct_vec3_make(0.0f, 0.1f, 1.0f)),
                        ct_vec3_make(1.0f, 1.0f, 1.0f));
    return ct_render_light_create(f->renderer, f->world, &data, &pose);
}

// A wide cone from above, and a narrow one along the floor.
static void lights_by_spot_lights(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    add_floor(&f, "materials/chalk");
    fixture_add(&f, "core/meshes/sphere", "materials/chalk", 0.0f, 0.0f, 0.0f);
    add_spot_light(&f, ct_vec3_make(0.0f, 0.0f, 1.6f), ct_vec3_make(0.0f, 0.0f, -1.0f), 0.5f, 1.0f,
                   0.9f, 0.7f);
    add_spot_light(&f, ct_vec3_make(-1.8f, -0.9f, 0.1f), ct_vec3_make(1.0f, 0.25f, -0.3f), 0.35f,
                   1.0f, 0.15f, 0.05f);
    finish(&f, "spot_lights");
}

static void keeps_normals_under_stretched_and_mirrored_poses(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const ct_mat4 flat = ct_mat4_compose(ct_vec3_make(-0.8f, 0.0f, 0.0f), ct_quat_identity(),
                                         ct_vec3_make(1.2f, 1.2f, 0.3f));
    const ct_mat4 mirrored = ct_mat4_compose(ct_vec3_make(0.7f, 0.0f, 0.0f), ct_quat_identity(),
                                             ct_vec3_make(-1.0f, 1.0f, 1.0f));
    fixture_add_at(&f, "core/meshes/sphere", "materials/red", &flat);
    fixture_add_at(&f, "core/meshes/cube", "materials/bumps", &mirrored);
    fixture_add_sun(&f);
    finish(&f, "poses");
}

static void blends_what_is_transparent_from_back_to_front(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_look_from(&f, 0.0f, -4.0f, 0.5f);
    // The nearer one is made first: only sorting puts it on top.
    fixture_add(&f, "core/meshes/cube", "materials/glass_red", -0.3f, -1.0f, 0.0f);
    fixture_add(&f, "core/meshes/cube", "materials/glass_blue", 0.3f, 1.0f, 0.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/chalk", 0.0f, 3.0f, 0.0f);
    finish(&f, "transparent");
}

static void cuts_holes_where_opacity_is_below_the_cutoff(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    // Through the holes of the front the back shows, from inside.
    fixture_add(&f, "core/meshes/cube", "materials/leaf", 0.0f, 0.0f, 0.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/red", 0.0f, 1.5f, 0.0f);
    fixture_add_sun(&f);
    finish(&f, "alpha_test");
}

static void blends_the_standard_material_where_it_is_transparent(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_look_from(&f, 0.0f, -4.0f, 0.8f);
    fixture_add(&f, "core/meshes/cube", "materials/pane", -0.5f, -1.0f, 0.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/pane", 0.2f, 0.2f, 0.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/gold", 0.0f, 1.5f, 0.0f);
    fixture_add_sun(&f);
    finish(&f, "transparent_standard");
}

// Adds the sky as core/units/skydome does.
static void add_sky(render_fixture *f, const char *material) {
    const ct_mat4 pose = fixture_pose(0.0f, 0.0f, 0.0f, 100000.0f);
    fixture_add_at(f, "core/meshes/cube", material, &pose);
}

static void draws_a_sky_behind_everything(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    add_sky(&f, "core/materials/skydome");
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.5f, -0.6f, 0.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/pane", -0.3f, 0.6f, 0.0f);
    fixture_add_sun(&f);
    // Towards the sun, from below.
    fixture_look_from(&f, 1.2f, 1.0f, -0.9f);
    finish(&f, "skydome");
}

static void draws_a_picture_as_the_sky(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    add_sky(&f, "materials/sky");
    fixture_look_from(&f, -1.0f, -3.0f, 0.2f);
    finish(&f, "skydome_picture");
}

static void draws_debug_lines_behind_what_hides_them(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.0f, 0.0f, 0.0f);
    const ct_line_vertex lines[] = {{{-2.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 1.0f}},
                                    {{2.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 0.0f, 1.0f}},
                                    {{0.0f, 0.0f, -2.0f}, {0.0f, 0.0f, 1.0f, 1.0f}},
                                    {{0.0f, 0.0f, 2.0f}, {0.0f, 1.0f, 1.0f, 1.0f}}};
    ct_render_lines(f.renderer, f.world, lines, 2);
    ct_render_lines(f.renderer, f.world, lines + 2, 2);
    finish(&f, "lines");
}

static void shows_the_error_material_where_there_is_none(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "", 0.0f, 0.0f, 0.0f);
    finish(&f, "error_material");
}

static void draws_several_worlds_into_rectangles(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    const ct_render_world_id first = f.world;
    f.world = ct_render_world_create(f.renderer);
    fixture_add(&f, "core/meshes/sphere", "materials/gold", 0.0f, 0.0f, 0.0f);
    const float right[4] = {0.5f, 0.0f, 0.4f, 0.6f};
    fixture_render_to(&f, right);
    f.world = first;
    const float left[4] = {0.1f, 0.25f, 0.4f, 0.75f};
    fixture_render_to(&f, left);
    fixture_ask_picture(&f);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    golden_expect(&f, "rectangles");
    fixture_stop(&f);
}

static void runs_another_config_with_scaled_targets(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    ct_error error = {0};
    assert_true(ct_renderer_set_config(f.renderer, "rendering/coarse", &error));
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add(&f, "core/meshes/cube", "materials/gold", -0.4f, 1.2f, 0.3f);
    finish(&f, "coarse_config");
}

static void set_color(render_fixture *f, ct_render_object_id object, float red, float green,
                      float blue) {
    const float color[4] = {red, green, blue, 1.0f};
    ct_render_object_set_value(f->renderer, f->world, object, ct_string_id32_of("base_color"),
                               color, 4);
}

// Objects of one material with colours of their own, in one call; one has none.
static void draws_instances_with_values_of_their_own(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    for (uint32_t i = 0; i < 5; ++i) {
        const ct_render_object_id cube =
            fixture_add(&f, "core/meshes/cube", "materials/red", (float)(i % 3) * 1.2f - 1.2f,
                        (float)(i / 3) * 1.2f - 0.4f, 0.0f);
        if (i > 0)
            set_color(&f, cube, i & 1 ? 0.9f : 0.05f, i & 2 ? 0.9f : 0.05f, i & 4 ? 0.9f : 0.05f);
    }
    fixture_add_sun(&f);
    fixture_picture(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_draws, 2); // all cubes, and the pass
    golden_expect(&f, "instanced_colors");
    fixture_stop(&f);
}

// What the pictures are for: the smallest change that a player would see fails the comparison.
static void notices_a_changed_light_and_a_changed_material(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "core/materials/default", 0.0f, 0.0f, 0.0f);
    const ct_render_light_id sun = fixture_add_sun(&f);
    fixture_picture(&f);
    assert_true(golden_is_alike(golden_compare(&f, "cube")));
    const ct_light_data dimmer = {.type = CT_LIGHT_TYPE_DIRECTIONAL,
                                  .color = {1.0f, 1.0f, 1.0f, 1.0f},
                                  .intensity = 0.8f,
                                  .is_enabled = true};
    const ct_mat4 pose = fixture_pose(0.0f, 0.0f, 0.0f, 1.0f);
    ct_render_light_set(f.renderer, f.world, sun, &dimmer, &pose);
    fixture_picture(&f);
    assert_false(golden_is_alike(golden_compare(&f, "cube")));
    fixture_stop(&f);

    fixture_start(&f);
    const float tinted[4] = {0.8f, 0.6f, 0.6f, 1.0f};
    fixture_add(&f, "core/meshes/cube", "core/materials/default", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    assert_true(ct_render_material_set_parameter(f.renderer,
                                                 ct_string_id64_of("core/materials/default"),
                                                 ct_string_id32_of("base_color"), tinted, 4));
    fixture_picture(&f);
    assert_false(golden_is_alike(golden_compare(&f, "cube")));
    fixture_stop(&f);
}

static void draws_a_lit_cube(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "core/materials/default", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    finish(&f, "cube");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_a_lit_cube),
        cmocka_unit_test(draws_parameters_of_the_standard_material),
        cmocka_unit_test(draws_maps_of_the_standard_material),
        cmocka_unit_test(draws_vertex_colors_and_second_coordinates),
        cmocka_unit_test(filters_and_wraps_textures),
        cmocka_unit_test(turns_cube_maps_as_our_space_is),
        cmocka_unit_test(draws_layers_of_arrays),
        cmocka_unit_test(draws_compressed_textures),
        cmocka_unit_test(draws_something_else_for_textures_of_another_kind),
        cmocka_unit_test(lights_by_point_lights),
        cmocka_unit_test(lights_by_spot_lights),
        cmocka_unit_test(keeps_normals_under_stretched_and_mirrored_poses),
        cmocka_unit_test(blends_what_is_transparent_from_back_to_front),
        cmocka_unit_test(cuts_holes_where_opacity_is_below_the_cutoff),
        cmocka_unit_test(blends_the_standard_material_where_it_is_transparent),
        cmocka_unit_test(draws_a_sky_behind_everything),
        cmocka_unit_test(draws_a_picture_as_the_sky),
        cmocka_unit_test(draws_debug_lines_behind_what_hides_them),
        cmocka_unit_test(shows_the_error_material_where_there_is_none),
        cmocka_unit_test(draws_several_worlds_into_rectangles),
        cmocka_unit_test(runs_another_config_with_scaled_targets),
        cmocka_unit_test(draws_instances_with_values_of_their_own),
        cmocka_unit_test(notices_a_changed_light_and_a_changed_material),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
