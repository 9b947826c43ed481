// Depth of field, motion blur, and transparent surfaces that show what is behind them.
#include "render/picture/picture_fixture.h"

// A wall in checks at a distance of 5 m, which fills most of the picture.
static void start(render_fixture *f) {
    picture_start(f, "rendering/picture");
    fixture_look_from(f, 0.0f, -6.0f, 0.0f);
    const ct_mat4 pose = fixture_pose(0.0f, 1.0f, 0.0f, 4.0f);
    fixture_add_at(f, "core/meshes/cube", "materials/checker", &pose);
    fixture_add_sun(f);
}

static ct_render_object_id add(render_fixture *f, const char *mesh, const char *material, float x,
                               float y, float z, float scale) {
    const ct_mat4 pose = fixture_pose(x, y, z, scale);
    return fixture_add_at(f, mesh, material, &pose);
}

typedef struct area {
    uint32_t left, top, right, bottom; // pixels; one past the last
} area;

// The mean difference of two pictures inside an area.
static double difference_in(const uint8_t *a, const uint8_t *b, area in) {
    double sum = 0.0;
    for (uint32_t y = in.top; y < in.bottom; ++y)
        for (uint32_t x = in.left; x < in.right; ++x)
            for (uint32_t k = 0; k < 3; ++k)
                sum += abs((int)picture_at(a, x, y)[k] - (int)picture_at(b, x, y)[k]);
    return sum / (3.0 * (in.right - in.left) * (in.bottom - in.top));
}

// The sum of the steps from pixel to pixel along a row: what is blurred has smaller ones.
static double steepest_in(const uint8_t *p, area in) {
    int most = 0;
    for (uint32_t y = in.top; y < in.bottom; ++y)
        for (uint32_t x = in.left + 1; x < in.right; ++x) {
            const int step = abs((int)picture_at(p, x, y)[1] - (int)picture_at(p, x - 1, y)[1]);
            most = step > most ? step : most;
        }
    return most;
}

static const area wall = {120, 20, 200, 160}; // of the picture
static const area wall_right = {190, 60, 230, 120};

// --- Depth of field ------------------------------------------------------------------------------

static void leaves_what_is_in_focus_as_it_is(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    uint8_t *const sharp = picture_take(&f);
    picture_switch(&f, "depth_of_field", true);
    picture_number(&f, "focus_distance", 5.0);
    picture_number(&f, "focus_aperture", 0.1);
    uint8_t *const focused = picture_take(&f);
    assert_true(difference_in(sharp, focused, wall) == 0.0);
    picture_number(&f, "focus_distance", 2.5);
    uint8_t *const blurred = picture_take(&f);
    assert_true(steepest_in(blurred, wall) < 0.5 * steepest_in(sharp, wall));
    // All of the light is still there.
    picture_number(&f, "focus_aperture", 64.0);
    uint8_t *const deep = picture_take(&f);
    assert_true(difference_in(sharp, deep, wall) == 0.0);
    picture_free(sharp);
    picture_free(focused);
    picture_free(blurred);
    picture_free(deep);
    fixture_stop(&f);
}

// A ball before the wall: its blur lies over the wall, which is sharp elsewhere.
static void blurs_what_is_near_over_what_is_sharp(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    add(&f, "core/meshes/sphere", "materials/lamp", -0.7f, -4.0f, 0.0f, 0.6f);
    uint8_t *const sharp = picture_take(&f);
    picture_switch(&f, "depth_of_field", true);
    picture_number(&f, "focus_distance", 5.0);
    picture_number(&f, "focus_aperture", 0.05);
    fixture_picture(&f);
    golden_expect(&f, "picture_focus");
    uint8_t *const near = picture_keep(&f);
    assert_true(difference_in(sharp, near, wall_right) == 0.0);
    // Outside the ball, where its edge was sharp.
    const area ball = {40, 80, 82, 100};
    assert_true(steepest_in(near, ball) < 0.6 * steepest_in(sharp, ball));
    picture_free(sharp);
    picture_free(near);
    fixture_stop(&f);
}

// A sharp ball before a blurred wall: it does not spread over the wall.
static void keeps_the_sharp_out_of_the_blurred(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    fixture_look_from(&f, 0.0f, -6.0f, 0.0f);
    add(&f, "core/meshes/sphere", "materials/lamp", 0.0f, -4.0f, 0.0f, 0.2f);
    uint8_t *const sharp = picture_take(&f);
    picture_switch(&f, "depth_of_field", true);
    picture_number(&f, "focus_distance", 2.0);
    picture_number(&f, "focus_aperture", 0.1);
    uint8_t *const focused = picture_take(&f);
    // The sky all around is of one colour, and stays so to the edge of the ball.
    for (uint32_t x = 0; x < PICTURE_WIDTH; ++x) {
        const uint8_t *const a = picture_at(sharp, x, 90), *const b = picture_at(focused, x, 90);
        const bool is_sky = abs(a[0] - picture_at(sharp, 2, 90)[0]) < 2;
        if (is_sky && abs(a[0] - b[0]) > 2)
            fail_msg("column %u of the sky became %d from %d", x, b[0], a[0]);
    }
    picture_free(sharp);
    picture_free(focused);
    fixture_stop(&f);
}

// --- Motion blur ---------------------------------------------------------------------------------

static void leaves_what_is_still_as_it_is(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_frame(&f);
    uint8_t *const sharp = picture_take(&f);
    picture_switch(&f, "motion_blur", true);
    picture_number(&f, "motion_blur_shutter", 360.0);
    fixture_frame(&f);
    uint8_t *const still = picture_take(&f);
    assert_int_equal(picture_most_difference(sharp, still), 0);
    picture_free(sharp);
    picture_free(still);
    fixture_stop(&f);
}

static void move(render_fixture *f, ct_render_object_id object, float x) {
    const ct_mat4 pose = fixture_pose(x, -4.0f, 0.0f, 0.6f);
    ct_render_objects_set_poses(f->renderer, f->world, &object, &pose, 1);
}

// The number of columns of the middle row that show some of the ball, and how many of them clearly
// more than half of it.
static void count_columns(const uint8_t *p, const uint8_t *empty, uint32_t *some, uint32_t *most) {
    *some = *most = 0;
    for (uint32_t x = 0; x < PICTURE_WIDTH; ++x) {
        const int difference = abs((int)picture_at(p, x, 90)[2] - (int)picture_at(empty, x, 90)[2]);
        *some += difference > 8;
        *most += difference > 100;
    }
}

static void smears_what_moves_along_its_path(void **state) {
    (void)state;
    render_fixture f;
    picture_start(&f, "rendering/picture");
    fixture_look_from(&f, 0.0f, -6.0f, 0.0f);
    uint8_t *const empty = picture_take(&f);
    const ct_render_object_id ball =
        add(&f, "core/meshes/sphere", "materials/lamp", -0.4f, -4.0f, 0.0f, 0.6f);
    uint32_t columns[3][2];
    static const double shutters[] = {0.0, 180.0, 360.0};
    for (uint32_t i = 0; i < 3; ++i) {
        picture_switch(&f, "motion_blur", shutters[i] > 0.0);
        picture_number(&f, "motion_blur_shutter", shutters[i]);
        move(&f, ball, -0.2f);
        fixture_frame(&f);
        move(&f, ball, 0.0f); // 0.2 m at a distance of 2 m: 18.6 pixels
        fixture_picture(&f);
        if (i == 2)
            golden_expect(&f, "picture_motion_blur");
        uint8_t *const p = picture_keep(&f);
        count_columns(p, empty, &columns[i][0], &columns[i][1]);
        picture_free(p);
    }
    // As far as the path to both sides together, and only so far.
    assert_in_range(columns[1][0], columns[0][0] + 4, columns[0][0] + 12);
    assert_in_range(columns[2][0], columns[0][0] + 10, columns[0][0] + 22);
    assert_true(columns[2][1] < columns[0][1]);
    picture_free(empty);
    fixture_stop(&f);
}

// --- What is behind ------------------------------------------------------------------------------

static void bends_what_is_behind(void **state) {
    (void)state;
    static const area middle = {140, 70, 180, 110};
    static const char *const materials[] = {"materials/picture_air", "materials/picture_glass"};
    render_fixture f;
    start(&f);
    uint8_t *const empty = picture_take(&f);
    fixture_stop(&f);
    double differences[2];
    for (uint32_t i = 0; i < 2; ++i) {
        start(&f);
        add(&f, "core/meshes/sphere", materials[i], 0.0f, -3.0f, 0.0f, 1.5f);
        picture_switch(&f, "refraction", true);
        uint8_t *const through = picture_take(&f);
        differences[i] = difference_in(empty, through, middle);
        picture_free(through);
        fixture_stop(&f);
    }
    if (differences[0] > 8.0 || differences[1] < 12.0)
        fail_msg("without bending %g, with it %g", differences[0], differences[1]);
    picture_free(empty);
}

static void blurs_behind_rough_glass(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    add(&f, "core/meshes/sphere", "materials/picture_glass", 0.8f, -3.0f, 0.0f, 1.2f);
    add(&f, "core/meshes/cube", "materials/picture_frosted", -0.8f, -3.0f, 0.0f, 1.2f);
    uint8_t *const off = picture_take(&f);
    picture_switch(&f, "refraction", true);
    fixture_picture(&f);
    golden_expect(&f, "picture_refraction");
    uint8_t *const on = picture_keep(&f);
    const area frosted = {80, 60, 110, 120};
    assert_true(steepest_in(on, frosted) < 0.4 * steepest_in(off, frosted));
    // Where the glass is not, nothing changed.
    const area beside = {150, 0, 170, 20};
    assert_true(difference_in(on, off, beside) == 0.0);
    picture_free(on);
    picture_free(off);
    fixture_stop(&f);
}

static void fades_where_surfaces_meet(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_look_from(&f, 0.0f, -6.0f, 2.0f);
    add(&f, "core/meshes/plane", "materials/picture_soft", 0.0f, -2.0f, 0.0f, 2.0f);
    uint8_t *const hard = picture_take(&f);
    picture_switch(&f, "refraction", true);
    fixture_picture(&f);
    golden_expect(&f, "picture_soft_edges");
    uint8_t *const soft = picture_keep(&f);
    // Red as before in front; where the plane meets the wall, the wall shows.
    const area front = {140, 125, 180, 135}, behind = {140, 102, 180, 108};
    assert_true(difference_in(hard, soft, front) < 2.0);
    assert_true(difference_in(hard, soft, behind) > 20.0);
    picture_free(hard);
    picture_free(soft);
    fixture_stop(&f);
}

// --- All at once ---------------------------------------------------------------------------------

static void start_all(render_fixture *f) {
    static const char *const switches[] = {"auto_exposure",  "bloom",       "grading",
                                           "depth_of_field", "motion_blur", "refraction"};
    start(f);
    add(f, "core/meshes/sphere", "materials/picture_glass", 0.8f, -3.0f, 0.0f, 1.2f);
    for (uint32_t i = 0; i < CT_COUNT_OF(switches); ++i)
        picture_switch(f, switches[i], true);
    picture_number(f, "grading_gamma", 1.2);
    picture_number(f, "vignette", 1.0);
    picture_number(f, "focus_distance", 3.0);
    picture_number(f, "focus_aperture", 0.1);
}

static void draws_in_windows_of_any_size(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{5, 3}, {1, 1}, {33, 200}, {2, 300}};
    render_fixture f;
    start_all(&f);
    fixture_frame(&f);
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        ct_renderer_resize(f.renderer, sizes[i][0], sizes[i][1]);
        fixture_frame(&f);
        fixture_picture(&f);
        assert_int_equal(f.width, sizes[i][0]);
    }
    fixture_stop(&f);
}

// Two views side by side, of which each has its own exposure, and neither shows in the other.
static void keeps_views_apart(void **state) {
    (void)state;
    static const float left[4] = {0.0f, 0.0f, 0.5f, 1.0f}, right[4] = {0.5f, 0.0f, 0.5f, 1.0f};
    render_fixture f;
    start_all(&f);
    fixture_render_to(&f, left);
    fixture_ask_picture(&f);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    uint8_t *const alone = picture_keep(&f);
    const ct_render_world_id empty = ct_render_world_create(f.renderer);
    fixture_render_to(&f, left);
    ct_renderer_render_world(f.renderer, empty, &f.view, ct_string_id32_of("default"), right, NULL,
                             0);
    fixture_ask_picture(&f);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    uint8_t *const both = picture_keep(&f);
    const area half = {0, 0, 160, 180};
    assert_true(difference_in(alone, both, half) < 0.5);
    picture_free(alone);
    picture_free(both);
    ct_render_world_destroy(f.renderer, empty);
    fixture_stop(&f);
}

static void draws_the_same_after_the_device_was_lost(void **state) {
    (void)state;
    render_fixture f;
    start_all(&f);
    fixture_frame(&f);
    uint8_t *const before = picture_take(&f);
    for (uint32_t again = 0; again < 400; again += test_rounds(197, 41)) {
        ct_renderer_inject_fault(f.renderer, &(ct_render_fault){.kind = CT_RENDER_FAULT_DEVICE_LOST,
                                                                .period = again,
                                                                .num_times = again ? 2 : 1});
        uint8_t *const after = picture_take(&f);
        assert_in_range(picture_most_difference(before, after), 0, 1);
        picture_free(after);
        fixture_expect_no_error(&f);
    }
    picture_free(before);
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_what_is_in_focus_as_it_is),
        cmocka_unit_test(blurs_what_is_near_over_what_is_sharp),
        cmocka_unit_test(keeps_the_sharp_out_of_the_blurred),
        cmocka_unit_test(leaves_what_is_still_as_it_is),
        cmocka_unit_test(smears_what_moves_along_its_path),
        cmocka_unit_test(bends_what_is_behind),
        cmocka_unit_test(blurs_behind_rough_glass),
        cmocka_unit_test(fades_where_surfaces_meet),
        cmocka_unit_test(draws_in_windows_of_any_size),
        cmocka_unit_test(keeps_views_apart),
        cmocka_unit_test(draws_the_same_after_the_device_was_lost),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
