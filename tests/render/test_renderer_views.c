// Debug views, and steps that draw a layer with another material.
#include "foundation/math/math.h"
#include "render/golden_picture.h"

enum { WIDTH = 320, HEIGHT = 180 };

static void start(render_fixture *f) {
    fixture_start_with(f, fixture_data(), WIDTH, HEIGHT, true);
    fixture_look_from(f, 0.0f, -4.0f, 0.0f);
}

static void set_view(render_fixture *f, const char *name) {
    const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = name};
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, "view", &given, &error))
        fail_msg("%s", error.message);
    fixture_picture(f);
}

static void use_config(render_fixture *f, const char *name) {
    ct_error error = {0};
    if (!ct_renderer_set_config(f->renderer, name, &error))
        fail_msg("%s", error.message);
}

static void set_bool(render_fixture *f, const char *name, bool is_on) {
    const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {is_on}};
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

static void expect_pixel(const render_fixture *f, float x, float y, int r, int g, int b) {
    const uint8_t *const p = fixture_pixel(f, x, y);
    if (abs(p[0] - r) > 2 || abs(p[1] - g) > 2 || abs(p[2] - b) > 2)
        fail_msg("found %d %d %d at %g %g, expected %d %d %d", p[0], p[1], p[2], (double)x,
                 (double)y, r, g, b);
}

// --- Views ---------------------------------------------------------------------------------------

// Two cubes, one in front of the other's half.
static void overdraw_counts_surfaces(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", -0.3f, -0.6f, 0.0f);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.3f, 0.6f, 0.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/glass_red", -1.6f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    set_view(&f, "overdraw");
    golden_expect(&f, "view_overdraw");
    expect_pixel(&f, 0.05f, 0.05f, 0, 0, 0);
    expect_pixel(&f, 0.36f, 0.5f, 51, 13, 3);
    expect_pixel(&f, 0.50f, 0.5f, 102, 26, 6);
    fixture_stop(&f);
}

static void wireframe_has_holes(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_look_from(&f, 1.6f, -2.4f, 1.4f);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.0f, 0.0f, 0.0f);
    set_view(&f, "wireframe");
    golden_expect(&f, "view_wireframe");
    uint32_t num_lit = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; ++i)
        num_lit += f.pixels[i * 4 + 1] > 0;
    assert_in_range(num_lit, 400, 2000); // filled, the cube has about 4,000 pixels
    fixture_stop(&f);
}

// The same ball nearer and farther away: white, green, yellow.
static void lod_colors_change_with_distance(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_add(&f, "meshes/ball_levels", "materials/chalk", -0.5f, -2.6f, 0.0f);
    fixture_add(&f, "meshes/ball_levels", "materials/chalk", 0.35f, 0.0f, 0.0f);
    fixture_add(&f, "meshes/ball_levels", "materials/chalk", 5.0f, 8.0f, 0.0f);
    set_view(&f, "lod");
    golden_expect(&f, "view_lod");
    const uint8_t *const near = fixture_pixel(&f, 0.33f, 0.5f);
    const uint8_t *const middle = fixture_pixel(&f, 0.55f, 0.5f);
    const uint8_t *const far = fixture_pixel(&f, 0.74f, 0.5f);
    assert_true(near[0] > 150 && near[0] == near[1] && near[0] == near[2]);
    assert_true(middle[1] > 120 && middle[0] < 60 && middle[2] < 60);
    assert_true(far[0] > 150 && far[1] > 150 && far[2] < 60);
    fixture_stop(&f);
}

static void add_two_cubes(render_fixture *f) {
    fixture_look_from(f, 0.0f, -2.4f, 1.6f);
    fixture_add(f, "core/meshes/cube", "materials/chalk", -0.7f, 0.0f, 0.0f);
    fixture_add(f, "core/meshes/cube", "materials/bumps", 0.7f, 0.0f, 0.0f);
    fixture_add_sun(f);
}

// A cube's front looks back along y, its top up.
static void normals_are_colors(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    add_two_cubes(&f);
    set_view(&f, "normals");
    golden_expect(&f, "view_normals");
    expect_pixel(&f, 0.31f, 0.60f, 128, 0, 128);
    expect_pixel(&f, 0.35f, 0.36f, 128, 128, 255);
    expect_pixel(&f, 0.05f, 0.05f, 0, 0, 0);
    fixture_stop(&f);
}

// No effect changes what a view shows.
static void effects_do_not_change_views(void **state) {
    (void)state;
    static const char *const effects[] = {"obscurance", "bloom", "auto_exposure", "depth_of_field",
                                          "motion_blur"};
    render_fixture f;
    ct_error error = {0};
    start(&f);
    add_two_cubes(&f);
    if (!ct_renderer_set_preset(f.renderer, "ultra", &error))
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < CT_COUNT_OF(effects); ++i)
        set_bool(&f, effects[i], true);
    const ct_render_given taa = {.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = "taa"};
    if (!ct_renderer_set_setting(f.renderer, "anti_aliasing", &taa, &error))
        fail_msg("%s", error.message);
    set_view(&f, "normals");
    for (uint32_t i = 0; i < 5; ++i) {
        fixture_picture(&f);
        golden_expect(&f, "view_normals");
    }
    fixture_stop(&f);
}

static void roughness_is_grey(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", -0.7f, 0.0f, 0.0f);
    fixture_add(&f, "core/meshes/cube", "materials/mirror", 0.7f, 0.0f, 0.0f);
    set_view(&f, "roughness");
    const uint8_t *const chalk = fixture_pixel(&f, 0.35f, 0.5f);
    const uint8_t *const mirror = fixture_pixel(&f, 0.65f, 0.5f);
    assert_true(chalk[0] > mirror[0] + 100 && chalk[0] == chalk[1] && chalk[0] == chalk[2]);
    fixture_stop(&f);
}

// Over flat ground: each cascade is farther up in the picture than the one before.
static void cascades_follow_each_other(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_look_from(&f, 0.0f, -4.0f, 1.5f);
    const ct_mat4 ground = fixture_pose(0.0f, 0.0f, 0.0f, 400.0f);
    fixture_add_at(&f, "core/meshes/plane", "materials/chalk", &ground);
    const ct_light_data sun = {.type = CT_LIGHT_TYPE_DIRECTIONAL,
                               .color = {1.0f, 1.0f, 1.0f, 1.0f},
                               .intensity = 1.6f,
                               .is_enabled = true,
                               .casts_shadows = true,
                               .shadow_depth_bias = 0.02f};
    const ct_mat4 pose = ct_mat4_compose(
        ct_vec3_make(0.0f, 0.0f, 0.0f),
        ct_quat_look(ct_vec3_make(0.6f, 0.5f, -1.0f), ct_vec3_make(0.0f, 0.0f, 1.0f)),
        ct_vec3_make(1.0f, 1.0f, 1.0f));
    ct_render_light_create(f.renderer, f.world, &sun, &pose);
    set_bool(&f, "shadows_on_cpu", true);
    set_view(&f, "cascades");
    golden_expect(&f, "view_cascades");
    // From below: red, green, blue, yellow, then grey.
    static const uint8_t colors[][3] = {
        {230, 77, 77}, {77, 204, 77}, {89, 115, 255}, {230, 204, 51}, {128, 128, 128}};
    uint32_t next = 0;
    for (uint32_t y = HEIGHT; y-- > 0 && next < CT_COUNT_OF(colors);) {
        const uint8_t *const p = f.pixels + ((uint64_t)y * WIDTH + WIDTH / 2) * 4;
        next += abs(p[0] - colors[next][0]) < 3 && abs(p[1] - colors[next][1]) < 3 &&
                abs(p[2] - colors[next][2]) < 3;
    }
    assert_int_equal(next, CT_COUNT_OF(colors));
    set_bool(&f, "shadows", false);
    fixture_picture(&f);
    expect_pixel(&f, 0.5f, 0.9f, 128, 128, 128);
    fixture_stop(&f);
}

// A cube that moves 4 pixels to the right, another that goes as many down.
static void expect_velocity(const char *config) {
    render_fixture f;
    start(&f);
    use_config(&f, config);
    const ct_render_object_id objects[] = {
        fixture_add(&f, "core/meshes/cube", "materials/chalk", -1.0f, 0.0f, 0.0f),
        fixture_add(&f, "core/meshes/cube", "materials/chalk", 1.0f, 0.0f, 0.0f)};
    set_view(&f, "velocity");
    fixture_picture(&f);
    expect_pixel(&f, 0.3f, 0.5f, 128, 128, 128);
    // The front is 3.5 m away, where a pixel is 3.5 * 2 * tan(0.45) / 180 m.
    const float move = 4.0f * 3.5f * 2.0f * 0.48306f / (float)HEIGHT;
    const ct_mat4 poses[] = {fixture_pose(-1.0f + move, 0.0f, 0.0f, 1.0f),
                             fixture_pose(1.0f, 0.0f, -move, 1.0f)};
    ct_render_objects_set_poses(f.renderer, f.world, objects, poses, 2);
    fixture_picture(&f);
    expect_pixel(&f, 0.3f, 0.5f, 191, 128, 128);
    expect_pixel(&f, 0.7f, 0.5f, 128, 191, 128);
    expect_pixel(&f, 0.5f, 0.1f, 128, 128, 128);
    fixture_picture(&f);
    expect_pixel(&f, 0.3f, 0.5f, 128, 128, 128);
    fixture_stop(&f);
}

static void velocity_shows_what_moves(void **state) {
    (void)state;
    expect_velocity("core/rendering/renderer");
}

static void the_picture_is_the_same_after_a_view(void **state) {
    (void)state;
    static const char *const views[] = {"wireframe", "overdraw", "normals", "roughness",
                                        "velocity",  "cascades", "lod"};
    render_fixture f;
    start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/gold", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    set_view(&f, "off");
    uint8_t *const before = ct_alloc(test_heap(), WIDTH * HEIGHT * 4);
    memcpy(before, f.pixels, WIDTH * HEIGHT * 4);
    for (uint32_t i = 0; i < CT_COUNT_OF(views); ++i) {
        set_view(&f, views[i]);
        assert_memory_not_equal(before, f.pixels, WIDTH * HEIGHT * 4);
        set_view(&f, "off");
        assert_memory_equal(before, f.pixels, WIDTH * HEIGHT * 4);
    }
    ct_free(test_heap(), before);
    fixture_stop(&f);
}

// --- Materials of steps --------------------------------------------------------------------------

// Objects keep their own values for parameters that the step's material has, too.
static void a_step_draws_with_its_material(void **state) {
    (void)state;
    static const float red[] = {1.0f, 0.0f, 0.0f, 1.0f}, green[] = {0.0f, 1.0f, 0.0f, 1.0f};
    render_fixture f;
    start(&f);
    use_config(&f, "rendering/replaced");
    const ct_render_object_id own =
        fixture_add(&f, "core/meshes/cube", "materials/gold", -1.3f, 0.0f, 0.0f);
    fixture_add(&f, "core/meshes/cube", "materials/gold", 0.0f, 0.0f, 0.0f);
    const ct_render_object_id other =
        fixture_add(&f, "core/meshes/cube", "materials/stray", 1.3f, 0.0f, 0.0f);
    ct_render_object_set_value(f.renderer, f.world, own, ct_string_id32_of("base_color"), red, 4);
    ct_render_object_set_value(f.renderer, f.world, other, ct_string_id32_of("emissive"), green, 4);
    fixture_picture(&f);
    expect_pixel(&f, 0.05f, 0.5f, 0, 0, 0);
    expect_pixel(&f, 0.28f, 0.5f, 255, 0, 0);
    expect_pixel(&f, 0.50f, 0.5f, 0, 0, 255);
    fixture_stop(&f);
}

static void a_layer_with_another_material_has_velocity(void **state) {
    (void)state;
    expect_velocity("rendering/replaced_layer");
}

static void a_step_without_a_usable_material_is_skipped(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    use_config(&f, "rendering/misfit");
    fixture_add(&f, "core/meshes/cube", "materials/gold", 0.0f, 0.0f, 0.0f);
    const uint64_t warnings = ct_log_warning_count("step_not_drawn");
    fixture_picture(&f);
    expect_pixel(&f, 0.50f, 0.5f, 0, 0, 0);
    assert_int_equal(ct_log_warning_count("step_not_drawn") - warnings, 1);
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overdraw_counts_surfaces),
        cmocka_unit_test(wireframe_has_holes),
        cmocka_unit_test(lod_colors_change_with_distance),
        cmocka_unit_test(normals_are_colors),
        cmocka_unit_test(effects_do_not_change_views),
        cmocka_unit_test(roughness_is_grey),
        cmocka_unit_test(cascades_follow_each_other),
        cmocka_unit_test(velocity_shows_what_moves),
        cmocka_unit_test(the_picture_is_the_same_after_a_view),
        cmocka_unit_test(a_step_draws_with_its_material),
        cmocka_unit_test(a_layer_with_another_material_has_velocity),
        cmocka_unit_test(a_step_without_a_usable_material_is_skipped),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
