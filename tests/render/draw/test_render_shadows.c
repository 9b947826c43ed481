// Pictures of shadows, drawn with Vulkan's validation.
#include "foundation/math/math.h"
#include "render/golden_picture.h"

enum { WIDTH = 320, HEIGHT = 200 };

static void start_wide(render_fixture *f) {
    ct_error error = {0};
    fixture_start_with(f, fixture_data(), WIDTH, HEIGHT, true);
    if (!ct_renderer_set_config(f->renderer, "rendering/shadows", &error))
        fail_msg("%s", error.message);
}

static ct_light_data sun_data(bool casts_shadows) {
    return (ct_light_data){.type = CT_LIGHT_TYPE_DIRECTIONAL,
                           .color = {1.0f, 1.0f, 1.0f, 1.0f},
                           .intensity = 1.6f,
                           .is_enabled = true,
                           .casts_shadows = casts_shadows,
                           .shadow_depth_bias = 0.02f};
}

static ct_mat4 sun_pose(float x, float y, float z) {
    return ct_mat4_compose(ct_vec3_make(0.0f, 0.0f, 0.0f),
                           ct_quat_look(ct_vec3_make(x, y, z), ct_vec3_make(0.0f, 0.0f, 1.0f)),
                           ct_vec3_make(1.0f, 1.0f, 1.0f));
}

static ct_render_light_id add_sun(render_fixture *f, bool casts_shadows) {
    const ct_light_data data = sun_data(casts_shadows);
    const ct_mat4 pose = sun_pose(0.7f, 0.35f, -1.0f);
    return ct_render_light_create(f->renderer, f->world, &data, &pose);
}

static void add_floor(render_fixture *f) {
    const ct_mat4 pose = fixture_pose(0.0f, 0.0f, 0.0f, 200.0f);
    fixture_add_at(f, "core/meshes/plane", "materials/chalk", &pose);
}

// Rows of cubes and spheres into the distance.
static void add_avenue(render_fixture *f) {
    add_floor(f);
    for (uint32_t i = 0; i < 12; ++i) {
        const float y = (float)(i * i) * 0.6f;
        fixture_add(f, "core/meshes/cube", "materials/red", -1.2f, y, 0.5f);
        fixture_add(f, "core/meshes/sphere", "materials/gold", 1.2f, y, 0.5f);
    }
}

static void look(render_fixture *f, float x, float y, float z, float yaw, float pitch) {
    const ct_quat turn = ct_quat_mul(ct_quat_axis_angle(ct_vec3_make(0.0f, 0.0f, 1.0f), yaw),
                                     ct_quat_axis_angle(ct_vec3_make(1.0f, 0.0f, 0.0f), pitch));
    f->view.pose = ct_mat4_compose(ct_vec3_make(x, y, z), turn, ct_vec3_make(1.0f, 1.0f, 1.0f));
}

static void shadows_lie_near_and_far(void **state) {
    (void)state;
    render_fixture f;
    start_wide(&f);
    add_avenue(&f);
    add_sun(&f, true);
    look(&f, 0.0f, -4.0f, 2.4f, 0.0f, -0.3f);
    fixture_picture(&f);
    golden_expect(&f, "shadows_avenue");
    fixture_stop(&f);
}

typedef enum sphere {
    SPHERE_NONE,
    SPHERE_WITH_SHADOW,
    SPHERE_TOLD_SHADOWLESS, // once it is there
    SPHERE_MADE_SHADOWLESS,
    SPHERE_MADE_HIDDEN,
} sphere;

static void add_sphere(render_fixture *f, sphere kind) {
    const ct_string_id64 gold = ct_string_id64_of("materials/gold");
    const ct_render_object_desc desc = {.mesh = ct_string_id64_of("core/meshes/sphere"),
                                        .materials = &gold,
                                        .num_materials = 1,
                                        .is_hidden = kind == SPHERE_MADE_HIDDEN,
                                        .is_shadowless = kind == SPHERE_MADE_SHADOWLESS};
    const ct_mat4 pose = fixture_pose(1.2f, 4.0f, 0.5f, 1.0f);
    if (kind == SPHERE_NONE)
        return;
    const ct_render_object_id id = ct_render_object_create(f->renderer, f->world, &desc, &pose);
    if (kind == SPHERE_TOLD_SHADOWLESS)
        ct_render_object_set_casts_shadows(f->renderer, f->world, id, false);
}

// The picture of a sphere on the floor under a sun.
static uint8_t *sphere_picture(bool has_shadows, sphere kind) {
    render_fixture f;
    start_wide(&f);
    add_floor(&f);
    add_sphere(&f, kind);
    add_sun(&f, has_shadows);
    look(&f, 0.0f, -4.0f, 2.4f, 0.0f, -0.3f);
    fixture_picture(&f);
    uint8_t *const pixels = f.pixels;
    f.pixels = NULL;
    fixture_stop(&f);
    return pixels;
}

// No acne: beside the sphere and its shadow there is no pixel that shadows change, up to the end of
// the last cascade and beyond.
static void nothing_shades_itself(void **state) {
    (void)state;
    uint8_t *const with = sphere_picture(true, SPHERE_WITH_SHADOW);
    uint8_t *const without = sphere_picture(false, SPHERE_WITH_SHADOW);
    uint32_t num_changed = 0, least_column = WIDTH;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; ++i) {
        if (memcmp(with + i * 4, without + i * 4, 4) == 0)
            continue;
        ++num_changed;
        least_column = i % WIDTH < least_column ? i % WIDTH : least_column;
    }
    assert_true(num_changed > 100); // the shadow
    assert_true(num_changed < 1500);
    assert_true(least_column > WIDTH / 2); // to the right, where the sphere is
    ct_free(test_heap(), with);
    ct_free(test_heap(), without);
}

static void an_object_casts_none_when_it_is_told_so(void **state) {
    (void)state;
    uint8_t *const told = sphere_picture(true, SPHERE_TOLD_SHADOWLESS);
    uint8_t *const made = sphere_picture(true, SPHERE_MADE_SHADOWLESS);
    uint8_t *const without = sphere_picture(false, SPHERE_WITH_SHADOW);
    assert_memory_equal(told, without, WIDTH * HEIGHT * 4);
    assert_memory_equal(made, without, WIDTH * HEIGHT * 4);
    ct_free(test_heap(), told);
    ct_free(test_heap(), made);
    ct_free(test_heap(), without);
}

static void an_object_may_be_hidden_from_the_first(void **state) {
    (void)state;
    uint8_t *const hidden = sphere_picture(true, SPHERE_MADE_HIDDEN);
    uint8_t *const none = sphere_picture(true, SPHERE_NONE);
    assert_memory_equal(hidden, none, WIDTH * HEIGHT * 4);
    ct_free(test_heap(), hidden);
    ct_free(test_heap(), none);
}

// Moving and turning the camera moves the maps by whole texels: where a shadow's edge is in the
// world does not change. Both pictures look along the same way, so they are alike but for the
// shift, which is a whole number of pixels.
static void edges_stand_still_while_the_camera_moves(void **state) {
    (void)state;
    enum { SHIFT = 16 };
    uint8_t *pictures[2];
    for (uint32_t i = 0; i < 2; ++i) {
        render_fixture f;
        start_wide(&f);
        add_floor(&f);
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.5f);
        add_sun(&f, true);
        look(&f, 0.0f, 0.0f, 10.0f, 0.0f, -1.5707963f); // straight down
        const float height = 5.0f, pixel = height / HEIGHT;
        f.view.projection =
            ct_mat4_orthographic(-height * WIDTH / HEIGHT / 2.0f, height * WIDTH / HEIGHT / 2.0f,
                                 -height / 2.0f, height / 2.0f, 0.1f, 50.0f);
        f.view.pose.raw[3][0] = i ? pixel * SHIFT : 0.0f;
        fixture_picture(&f);
        pictures[i] = f.pixels;
        f.pixels = NULL;
        fixture_stop(&f);
    }
    uint32_t num_different = 0;
    for (uint32_t y = 0; y < HEIGHT; ++y)
        for (uint32_t x = 0; x < WIDTH - SHIFT; ++x) {
            const uint8_t *const a = pictures[0] + (y * WIDTH + x + SHIFT) * 4;
            const uint8_t *const b = pictures[1] + (y * WIDTH + x) * 4;
            num_different += abs(a[0] - b[0]) > 12;
        }
    assert_true(num_different < 40); // the cube's own edges, which may round either way
    ct_free(test_heap(), pictures[0]);
    ct_free(test_heap(), pictures[1]);
}

static void each_of_several_views_has_shadows_of_its_own(void **state) {
    (void)state;
    render_fixture f;
    start_wide(&f);
    add_avenue(&f);
    add_sun(&f, true);
    f.view.projection = ct_mat4_perspective(0.9f, 0.8f, 0.1f, 200.0f);
    const float left[4] = {0.0f, 0.0f, 0.5f, 1.0f}, right[4] = {0.5f, 0.0f, 0.5f, 1.0f};
    const float inset[4] = {0.4f, 0.05f, 0.2f, 0.3f};
    look(&f, 0.0f, -4.0f, 2.4f, 0.0f, -0.3f);
    fixture_render_to(&f, left);
    look(&f, 5.0f, 30.0f, 4.0f, 1.2f, -0.3f);
    fixture_render_to(&f, right);
    look(&f, 0.0f, 3.0f, 14.0f, 0.0f, -1.5f);
    fixture_render_to(&f, inset);
    fixture_ask_picture(&f);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    golden_expect(&f, "shadows_views");
    fixture_stop(&f);
}

// The settings that switch them off.
static void there_are_none_when_a_setting_says_so(void **state) {
    (void)state;
    static const char *const settings[] = {"shadows", "shadows_on_cpu"};
    for (uint32_t i = 0; i < CT_COUNT_OF(settings); ++i) {
        render_fixture f;
        start_wide(&f);
        add_avenue(&f);
        add_sun(&f, true);
        fixture_frame(&f);
        ct_renderer_flush(f.renderer);
        const uint32_t with = ct_renderer_stats(f.renderer).num_draws;
        ct_error error = {0};
        const ct_render_given off = {.kind = CT_RENDER_GIVEN_KIND_BOOL};
        if (!ct_renderer_set_setting(f.renderer, settings[i], &off, &error))
            fail_msg("%s", error.message);
        fixture_frame(&f);
        ct_renderer_flush(f.renderer);
        assert_true(ct_renderer_stats(f.renderer).num_draws < with);
        fixture_stop(&f);
    }
}

// Small things that stand on the floor: shadows begin where they touch it, and nothing shades
// itself, with light that falls flat.
static void shadows_begin_at_the_foot(void **state) {
    (void)state;
    render_fixture f;
    start_wide(&f);
    add_floor(&f);
    const ct_mat4 small = fixture_pose(-0.5f, 0.0f, 0.15f, 0.3f);
    const ct_mat4 ball = fixture_pose(0.3f, 0.3f, 0.25f, 0.5f);
    fixture_add_at(&f, "core/meshes/cube", "materials/red", &small);
    fixture_add_at(&f, "core/meshes/sphere", "materials/chalk", &ball);
    const ct_light_data data = sun_data(true);
    const ct_mat4 pose = sun_pose(0.8f, 0.3f, -0.35f);
    ct_render_light_create(f.renderer, f.world, &data, &pose);
    look(&f, 0.0f, -1.8f, 0.9f, 0.0f, -0.4f);
    fixture_picture(&f);
    golden_expect(&f, "shadows_near");
    fixture_stop(&f);
}

static void what_is_discarded_casts_no_shadow(void **state) {
    (void)state;
    render_fixture f;
    start_wide(&f);
    add_floor(&f);
    const ct_mat4 sheet = ct_mat4_compose(ct_vec3_make(-0.3f, 0.0f, 1.0f), ct_quat_identity(),
                                          ct_vec3_make(1.5f, 1.5f, 1.0f));
    fixture_add_at(&f, "core/meshes/plane", "materials/holes", &sheet);
    add_sun(&f, true);
    look(&f, 0.2f, -3.0f, 2.4f, 0.0f, -0.6f);
    fixture_picture(&f);
    golden_expect(&f, "shadows_holes");
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadows_lie_near_and_far),
        cmocka_unit_test(nothing_shades_itself),
        cmocka_unit_test(an_object_casts_none_when_it_is_told_so),
        cmocka_unit_test(an_object_may_be_hidden_from_the_first),
        cmocka_unit_test(edges_stand_still_while_the_camera_moves),
        cmocka_unit_test(each_of_several_views_has_shadows_of_its_own),
        cmocka_unit_test(there_are_none_when_a_setting_says_so),
        cmocka_unit_test(shadows_begin_at_the_foot),
        cmocka_unit_test(what_is_discarded_casts_no_shadow),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
