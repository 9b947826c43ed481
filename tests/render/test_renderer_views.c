// Debug views, and steps that draw a layer with another material.
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

static void the_picture_is_the_same_after_a_view(void **state) {
    (void)state;
    static const char *const views[] = {"wireframe", "overdraw", "lod"};
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

static void use_config(render_fixture *f, const char *name) {
    ct_error error = {0};
    if (!ct_renderer_set_config(f->renderer, name, &error))
        fail_msg("%s", error.message);
}

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
        cmocka_unit_test(the_picture_is_the_same_after_a_view),
        cmocka_unit_test(a_step_draws_with_its_material),
        cmocka_unit_test(a_step_without_a_usable_material_is_skipped),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
