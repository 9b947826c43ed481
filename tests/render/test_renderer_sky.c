// Light from the sky: what surfaces reflect of it, when it is captured again, and fog.
#include "render/golden_picture.h"

#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"

static ct_render_given number(double x) {
    return (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {x}};
}

static ct_render_given color(double red, double green, double blue) {
    return (ct_render_given){
        .kind = CT_RENDER_GIVEN_KIND_VECTOR, .count = 3, .numbers = {red, green, blue}};
}

static void set(render_fixture *f, const char *name, ct_render_given given) {
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

static void set_on(render_fixture *f, const char *name, bool is_on) {
    set(f, name, (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {is_on}});
}

static void set_parameter(render_fixture *f, const char *material, const char *name,
                          const float *values, uint32_t count) {
    assert_true(ct_render_material_set_parameter(f->renderer, ct_string_id64_of(material),
                                                 ct_string_id32_of(name), values, count));
}

static ct_render_object_id add_sky(render_fixture *f, ct_render_world_id world,
                                   const char *material) {
    const ct_string_id64 own = ct_string_id64_of(material);
    const ct_render_object_desc desc = {
        .mesh = ct_string_id64_of("core/meshes/cube"), .materials = &own, .num_materials = 1};
    const ct_mat4 pose = fixture_pose(0.0f, 0.0f, 0.0f, 1000.0f);
    return ct_render_object_create(f->renderer, world, &desc, &pose);
}

// Colours of the sky above, around and below, of this material.
static void paint_sky(render_fixture *f, const float zenith[4], const float horizon[4],
                      const float ground[4]) {
    static const float no_sun = 0.0f;
    set_parameter(f, "core/materials/skydome", "zenith", zenith, 4);
    set_parameter(f, "core/materials/skydome", "horizon", horizon, 4);
    set_parameter(f, "core/materials/skydome", "ground", ground, 4);
    set_parameter(f, "core/materials/skydome", "sun_size", &no_sun, 1);
}

static void paint_grey(render_fixture *f, float grey) {
    const float light[] = {grey, grey, grey, 1.0f};
    paint_sky(f, light, light, light);
}

// With the picture's curve out of the way: the screen shows colours between 0.08 and 0.76 less 0.04.
static void start(render_fixture *f) {
    fixture_start(f);
    set(f, "tone_curve", (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = "neutral"});
    set(f, "exposure", number(0.32192809)); // of the factor 0.8
    set_on(f, "sky_reflections", true);
    set(f, "sky_map_size", number(256));
    fixture_look_from(f, 0.0f, -2.0f, 0.0f);
    f->view.projection = ct_mat4_orthographic(-0.8f, 0.8f, -0.6f, 0.6f, 0.1f, 200.0f);
}

static float linear_of(uint8_t byte) {
    const float x = (float)byte / 255.0f;
    return (x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f)) + 0.04f;
}

static void expect_channel(const render_fixture *f, float x, float y, uint32_t channel,
                           float expected, float most) {
    const float found = linear_of(fixture_pixel(f, x, y)[channel]);
    if (fabsf(found - expected) > most)
        fail_msg("at %g, %g, channel %u: found %g, expected %g", (double)x, (double)y, channel,
                 (double)found, (double)expected);
}

// Every pixel is within 3 % of this light.
static void expect_all(const render_fixture *f, float light) {
    for (uint32_t i = 0; i < f->width * f->height * 4; ++i) {
        const float found = linear_of(f->pixels[i]);
        if (i % 4 != 3 && fabsf(found - light) > 0.03f * light)
            fail_msg("pixel %u, %u: found %g, expected %g", i / 4 % f->width, i / 4 / f->width,
                     (double)found, (double)light);
    }
}

// --- Reflections ---------------------------------------------------------------------------------

// A white surface in a white world is not to be seen.
static void a_white_furnace_stays_white(void **state) {
    (void)state;
    static const float white[] = {1.0f, 1.0f, 1.0f, 1.0f};
    render_fixture f;
    start(&f);
    add_sky(&f, f.world, "core/materials/skydome");
    fixture_add(&f, "core/meshes/sphere", "materials/mirror", 0.0f, 0.0f, 0.0f);
    paint_grey(&f, 0.6f);
    set_parameter(&f, "materials/mirror", "base_color", white, 4);
    for (float metallic = 0.0f; metallic <= 1.0f; metallic += 1.0f)
        for (float roughness = 0.0f; roughness <= 1.0f; roughness += 0.25f) {
            set_parameter(&f, "materials/mirror", "metallic", &metallic, 1);
            set_parameter(&f, "materials/mirror", "roughness", &roughness, 1);
            fixture_picture(&f);
            expect_all(&f, 0.6f);
        }
    fixture_stop(&f);
}

// The light of a sky picture with other colours on each side, in a direction: as skydome.shader.
static void a_mirror_shows_the_sky_behind_the_camera(void **state) {
    (void)state;
    static const float up[] = {0.2f, 0.3f, 0.7f, 1.0f}, around[] = {0.5f, 0.5f, 0.5f, 1.0f},
                       down[] = {0.6f, 0.3f, 0.2f, 1.0f}, white[] = {1.0f, 1.0f, 1.0f, 1.0f},
                       smooth = 0.0f, metal = 1.0f;
    render_fixture f;
    start(&f);
    add_sky(&f, f.world, "core/materials/skydome");
    fixture_add(&f, "core/meshes/sphere", "materials/mirror", 0.0f, 0.0f, 0.0f);
    paint_sky(&f, up, around, down);
    set_parameter(&f, "materials/mirror", "base_color", white, 4);
    set_parameter(&f, "materials/mirror", "roughness", &smooth, 1);
    set_parameter(&f, "materials/mirror", "metallic", &metal, 1);
    fixture_picture(&f);
    for (float height = -0.4f; height <= 0.41f; height += 0.1f) {
        // On the sphere of radius 0.5, rays along y.
        const float sine = height / 0.5f, mirrored_z = 2.0f * sine * sqrtf(1.0f - sine * sine);
        const float share = (1.0f - fabsf(mirrored_z)) * (1.0f - fabsf(mirrored_z));
        for (uint32_t i = 0; i < 3; ++i) {
            const float pole = mirrored_z > 0.0f ? up[i] : down[i];
            expect_channel(&f, 0.5f, 0.5f - height / 1.2f, i, pole + (around[i] - pole) * share,
                           0.04f);
        }
    }
    fixture_stop(&f);
}

static void a_rough_metal_shows_the_light_of_half_the_sky(void **state) {
    (void)state;
    static const float bright[] = {0.7f, 0.7f, 0.7f, 1.0f}, dark[] = {0.1f, 0.1f, 0.1f, 1.0f},
                       white[] = {1.0f, 1.0f, 1.0f, 1.0f}, rough = 1.0f, sharp = 1000.0f;
    render_fixture f;
    start(&f);
    add_sky(&f, f.world, "core/materials/skydome");
    fixture_add(&f, "core/meshes/sphere", "materials/mirror", 0.0f, 0.0f, 0.0f);
    paint_sky(&f, bright, dark, dark);
    set_parameter(&f, "core/materials/skydome", "sharpness", &sharp, 1);
    set_parameter(&f, "materials/mirror", "base_color", white, 4);
    for (float metallic = 0.0f; metallic <= 1.0f; metallic += 1.0f) {
        set_parameter(&f, "materials/mirror", "metallic", &metallic, 1);
        set_parameter(&f, "materials/mirror", "roughness", &rough, 1);
        fixture_picture(&f);
        expect_channel(&f, 0.5f, 0.5f, 0, 0.4f, 0.03f);   // half of each
        expect_channel(&f, 0.5f, 0.13f, 0, 0.67f, 0.07f); // nearly upward
        expect_channel(&f, 0.5f, 0.87f, 0, 0.13f, 0.05f);
    }
    fixture_stop(&f);
}

// --- Captures ------------------------------------------------------------------------------------

static uint32_t draws_of_frame(render_fixture *f) {
    fixture_frame(f);
    ct_renderer_flush(f->renderer);
    return ct_renderer_stats(f->renderer).num_draws;
}

static void captures_only_what_changed(void **state) {
    (void)state;
    static const float red[] = {0.7f, 0.1f, 0.1f, 1.0f};
    render_fixture f;
    start(&f);
    const ct_render_object_id sky = add_sky(&f, f.world, "core/materials/skydome");
    fixture_add(&f, "core/meshes/sphere", "materials/chalk", 0.0f, 0.0f, 0.0f);
    const uint32_t first = draws_of_frame(&f), few = draws_of_frame(&f);
    assert_int_equal(first, few + 6 + 5);     // squares and passes
    fixture_look_from(&f, 1.0f, -2.0f, 0.5f); // the camera and the sky's position do not matter
    ct_mat4 pose = fixture_pose(10.0f, 0.0f, 0.0f, 1000.0f);
    ct_render_objects_set_poses(f.renderer, f.world, &sky, &pose, 1);
    fixture_add(&f, "core/meshes/cube", "materials/chalk", 50.0f, 0.0f, 0.0f); // nor other objects
    assert_int_equal(draws_of_frame(&f), few);
    set_parameter(&f, "core/materials/skydome", "zenith", red, 4);
    assert_int_equal(draws_of_frame(&f), first);
    assert_int_equal(draws_of_frame(&f), few);
    pose = ct_mat4_compose(ct_vec3_make(0.0f, 0.0f, 0.0f),
                           ct_quat_axis_angle(ct_vec3_make(1.0f, 0.0f, 0.0f), 0.5f),
                           ct_vec3_make(1000.0f, 1000.0f, 1000.0f));
    ct_render_objects_set_poses(f.renderer, f.world, &sky, &pose, 1);
    assert_int_equal(draws_of_frame(&f), first);
    const ct_render_light_id sun = fixture_add_sun(&f);
    assert_int_equal(draws_of_frame(&f), first);
    ct_render_light_destroy(f.renderer, f.world, sun);
    assert_int_equal(draws_of_frame(&f), first);
    ct_renderer_resize(f.renderer, 100, 80); // targets are made again
    assert_int_equal(draws_of_frame(&f), first);
    assert_int_equal(draws_of_frame(&f), few);
    ct_render_object_set_visible(f.renderer, f.world, sky, false);
    assert_int_equal(draws_of_frame(&f), few - 1); // no sky, nothing to capture
    set_on(&f, "sky_reflections", false);
    ct_render_object_set_visible(f.renderer, f.world, sky, true);
    assert_int_equal(draws_of_frame(&f), few);
    fixture_stop(&f);
}

static void worlds_have_their_own_skies(void **state) {
    (void)state;
    static const float left[4] = {0.0f, 0.0f, 0.5f, 1.0f}, right[4] = {0.5f, 0.0f, 0.5f, 1.0f};
    const ct_string_id64 chalk = ct_string_id64_of("materials/chalk");
    const ct_render_object_desc sphere = {
        .mesh = ct_string_id64_of("core/meshes/sphere"), .materials = &chalk, .num_materials = 1};
    const ct_mat4 pose = fixture_pose(0.0f, 0.0f, 0.0f, 1.0f);
    static const float bright[] = {0.7f, 0.7f, 0.7f, 1.0f}, none = 0.0f,
                       white[] = {1.0f, 1.0f, 1.0f, 1.0f};
    render_fixture f;
    start(&f);
    const ct_render_world_id other = ct_render_world_create(f.renderer);
    add_sky(&f, f.world, "core/materials/skydome");
    add_sky(&f, other, "materials/sky");
    paint_sky(&f, bright, bright, bright);
    set_parameter(&f, "materials/sky", "intensity", &none, 1);
    set_parameter(&f, "materials/chalk", "base_color", white, 4);
    ct_render_object_create(f.renderer, f.world, &sphere, &pose);
    ct_render_object_create(f.renderer, other, &sphere, &pose);
    for (uint32_t i = 0; i < 3; ++i) {
        fixture_ask_picture(&f);
        ct_resource_manager_update(f.resources, ct_renderer_frame(f.renderer));
        fixture_render_to(&f, left);
        ct_renderer_render_world(f.renderer, other, &f.view, ct_string_id32_of("default"), right,
                                 NULL, 0);
        ct_renderer_end_frame(f.renderer);
        ct_renderer_flush(f.renderer);
        expect_channel(&f, 0.25f, 0.5f, 0, 0.7f, 0.03f);
        assert_int_equal(fixture_pixel(&f, 0.75f, 0.5f)[0], 0);
    }
    ct_render_world_destroy(f.renderer, other);
    fixture_stop(&f);
}

static void draws_the_same_after_the_device_was_lost(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    add_sky(&f, f.world, "core/materials/skydome");
    fixture_add(&f, "core/meshes/sphere", "materials/mirror", 0.0f, 0.0f, 0.0f);
    fixture_frame(&f);
    fixture_picture(&f);
    uint8_t *const pixels = f.pixels;
    f.pixels = NULL;
    for (uint32_t call = 0; call < 400; call += test_rounds(97, 31)) {
        ct_renderer_inject_fault(
            f.renderer,
            &(ct_render_fault){.kind = CT_RENDER_FAULT_DEVICE_LOST, .call = call, .num_times = 1});
        fixture_picture(&f);
        assert_non_null(f.pixels);
        assert_memory_equal(f.pixels, pixels, (uint64_t)f.width * f.height * 4);
    }
    ct_free(test_heap(), pixels);
    fixture_stop(&f);
}

// --- Fog -----------------------------------------------------------------------------------------

// What is left of the light of a grey wall that faces the camera, this far ahead of it.
static float see_wall(render_fixture *f, float distance, float height) {
    fixture_look_from(f, 0.0f, -distance, 0.0f);
    f->view.pose.raw[3][2] = height;
    fixture_picture(f);
    return linear_of(fixture_pixel(f, 0.5f, 0.5f)[0]);
}

static void fog_follows_its_formula(void **state) {
    (void)state;
    const float fog = 0.6f, wall = 0.2f;
    static const float heights[] = {0.0f, 3.0f, -4.0f};
    static const float falloffs[] = {0.0f, 0.1f, 0.5f};
    render_fixture f;
    start(&f);
    // A wall that emits light, so that nothing else counts.
    static const float black[] = {0.0f, 0.0f, 0.0f, 1.0f}, grey[] = {0.2f, 0.2f, 0.2f, 1.0f},
                       one = 1.0f;
    set_parameter(&f, "materials/mirror", "base_color", black, 4);
    set_parameter(&f, "materials/mirror", "emissive", grey, 4);
    set_parameter(&f, "materials/mirror", "emissive_intensity", &one, 1);
    const ct_mat4 pose = ct_mat4_compose(ct_vec3_make(0.0f, 0.5f, 0.0f), ct_quat_identity(),
                                         ct_vec3_make(40.0f, 1.0f, 40.0f));
    fixture_add_at(&f, "core/meshes/cube", "materials/mirror", &pose);
    set(&f, "sky_light", color(0, 0, 0));
    set(&f, "ground_light", color(0, 0, 0));
    set(&f, "fog_color", color((double)fog, (double)fog, (double)fog));
    set(&f, "fog_density", number(0.05));
    for (uint32_t i = 0; i < CT_COUNT_OF(heights); ++i)
        for (uint32_t k = 0; k < CT_COUNT_OF(falloffs); ++k)
            for (float start_at = 0.0f; start_at < 8.0f; start_at += 5.0f) {
                set(&f, "fog_falloff", number((double)falloffs[k]));
                set(&f, "fog_start", number((double)start_at));
                const float depth = 0.05f * expf(-falloffs[k] * heights[i]) * (20.0f - start_at);
                const float expected = wall * expf(-depth) + fog * (1.0f - expf(-depth));
                const float found = see_wall(&f, 20.0f, heights[i]);
                if (fabsf(found - expected) > 0.012f)
                    fail_msg("height %g, falloff %g, start %g: found %g, expected %g",
                             (double)heights[i], (double)falloffs[k], (double)start_at,
                             (double)found, (double)expected);
            }
    fixture_stop(&f);
}

static void extreme_fog_hides_all_and_no_more(void **state) {
    (void)state;
    static const float heights[] = {0.0f, 1e4f, -1e4f};
    render_fixture f;
    start(&f);
    add_sky(&f, f.world, "core/materials/skydome");
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    set(&f, "fog_color", color(0.5, 0.5, 0.5));
    set(&f, "fog_density", number(10));
    set(&f, "fog_falloff", number(10));
    for (uint32_t i = 0; i < CT_COUNT_OF(heights); ++i) {
        set(&f, "fog_height", number((double)heights[i]));
        fixture_picture(&f);
        if (heights[i] >= 0.0f)
            expect_channel(&f, 0.5f, 0.5f, 0, 0.5f, 0.02f); // before a wall at eye level
    }
    set(&f, "fog_height", number(-1e4)); // far below: nothing of it is seen
    fixture_picture(&f);
    assert_true(fixture_pixel(&f, 0.5f, 0.5f)[0] > 2 * fixture_pixel(&f, 0.5f, 0.5f)[2]);
    fixture_stop(&f);
}

static void a_picture_of_metals_under_the_sky(void **state) {
    (void)state;
    static const char *const materials[] = {"materials/mirror", "materials/gold",
                                            "materials/chalk"};
    render_fixture f;
    start(&f);
    f.view.projection = ct_mat4_perspective(0.9f, 4.0f / 3.0f, 0.1f, 200.0f);
    fixture_look_from(&f, 0.0f, -2.6f, 0.7f);
    add_sky(&f, f.world, "core/materials/skydome");
    for (uint32_t i = 0; i < CT_COUNT_OF(materials); ++i)
        fixture_add(&f, "core/meshes/sphere", materials[i], (float)i * 1.1f - 1.1f, 0.0f, 0.0f);
    const ct_mat4 floor = fixture_pose(0.0f, 0.0f, -0.5f, 60.0f);
    fixture_add_at(&f, "core/meshes/plane", "materials/chalk", &floor);
    fixture_add_sun(&f);
    set(&f, "fog_density", number(0.05));
    fixture_picture(&f);
    golden_expect(&f, "sky_metals");
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_white_furnace_stays_white),
        cmocka_unit_test(a_mirror_shows_the_sky_behind_the_camera),
        cmocka_unit_test(a_rough_metal_shows_the_light_of_half_the_sky),
        cmocka_unit_test(captures_only_what_changed),
        cmocka_unit_test(worlds_have_their_own_skies),
        cmocka_unit_test(draws_the_same_after_the_device_was_lost),
        cmocka_unit_test(fog_follows_its_formula),
        cmocka_unit_test(extreme_fog_hides_all_and_no_more),
        cmocka_unit_test(a_picture_of_metals_under_the_sky),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
