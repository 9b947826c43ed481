// Outlines of objects: where edges are, what they cost, and what is behind other objects.
#include "render/golden_picture.h"

#include "foundation/math/math.h"
#include "render/render_skeleton.h"

enum { WIDTH = 320, HEIGHT = 180 };

static const ct_render_outline red = {.color = {1.0f, 0.0f, 0.0f}, .id = 1};
static const ct_render_outline green = {.color = {0.0f, 1.0f, 0.0f}, .id = 2};

static void start(render_fixture *f) {
    fixture_start_with(f, fixture_data(), WIDTH, HEIGHT, true);
    fixture_look_from(f, 0.0f, -4.0f, 0.0f);
}

static void set_outline(render_fixture *f, ct_render_object_id object,
                        const ct_render_outline *outline) {
    ct_render_object_set_outline(f->renderer, f->world, object, outline);
}

static void set_number(render_fixture *f, const char *name, double number) {
    const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {number}};
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

static void set_bool(render_fixture *f, const char *name, bool is_on) {
    const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {is_on}};
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

static bool is_color(const uint8_t *pixel, int r, int g, int b) {
    return abs(pixel[0] - r) < 3 && abs(pixel[1] - g) < 3 && abs(pixel[2] - b) < 3;
}

// Pixels of this colour in the last picture, between two columns.
static uint32_t count_pixels(const render_fixture *f, uint32_t begin, uint32_t end, int r, int g,
                             int b) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < f->height; ++y)
        for (uint32_t x = begin; x < end; ++x)
            count += is_color(f->pixels + ((uint64_t)y * f->width + x) * 4, r, g, b);
    return count;
}

// A copy of the last picture. The caller frees it.
static uint8_t *copy_picture(const render_fixture *f) {
    const uint64_t bytes = (uint64_t)f->width * f->height * 4;
    uint8_t *const copy = ct_alloc(test_heap(), bytes);
    memcpy(copy, f->pixels, bytes);
    return copy;
}

static void outlines_lie_around_objects(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    fixture_picture(&f);
    uint8_t *const before = copy_picture(&f);
    set_outline(&f, cube, &red);
    fixture_picture(&f);
    // The front face of the cube, 1 m wide at 3.5 m, is 53 pixels wide: none of them changes.
    uint32_t num_changed = 0;
    for (uint32_t y = 0; y < HEIGHT; ++y)
        for (uint32_t x = 0; x < WIDTH; ++x) {
            const uint64_t at = ((uint64_t)y * WIDTH + x) * 4;
            const bool is_changed = memcmp(before + at, f.pixels + at, 4) != 0;
            const bool is_inside = x >= 135 && x < 185 && y >= 65 && y < 115;
            const bool is_far = x < 125 || x >= 195 || y < 55 || y >= 125;
            assert_false(is_changed && (is_inside || is_far));
            if (is_changed)
                assert_true(is_color(f.pixels + at, 255, 0, 0));
            num_changed += is_changed;
        }
    assert_in_range(num_changed, 2 * 4 * 50, 2 * 4 * 60); // 2 pixels wide, on four sides
    set_outline(&f, cube, NULL);
    fixture_picture(&f);
    assert_memory_equal(before, f.pixels, WIDTH * HEIGHT * 4);
    ct_free(test_heap(), before);
    fixture_stop(&f);
}

static void mark(render_fixture *f, ct_render_object_id object, const ct_render_outline *outline) {
    ct_render_object_mark(f->renderer, f->world, object, outline);
}

// What a tool marks covers the game's outline, whatever the game does to it meanwhile.
static void marks_cover_outlines(void **state) {
    (void)state;
    enum { RED = 1, GREEN = 2 };
    static const struct {
        int mark, outline; // to be set: 1 and 2, a colour; 0: none; -1: as it is
        int seen;
    } steps[] = {{-1, RED, RED},     {GREEN, -1, GREEN}, {0, -1, RED},       {GREEN, -1, GREEN},
                 {-1, 0, GREEN},     {0, -1, 0},         {GREEN, -1, GREEN}, {-1, RED, GREEN},
                 {GREEN, -1, GREEN}, {0, -1, RED},       {0, -1, RED},       {-1, 0, 0}};
    const ct_render_outline *const colors[] = {NULL, &red, &green};
    render_fixture f;
    start(&f);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        if (steps[i].mark >= 0)
            mark(&f, cube, colors[steps[i].mark]);
        if (steps[i].outline >= 0)
            set_outline(&f, cube, colors[steps[i].outline]);
        fixture_picture(&f);
        assert_int_equal(count_pixels(&f, 0, WIDTH, 255, 0, 0) > 0, steps[i].seen == RED);
        assert_int_equal(count_pixels(&f, 0, WIDTH, 0, 255, 0) > 0, steps[i].seen == GREEN);
    }
    mark(&f, cube, &green); // it goes with both
    set_outline(&f, cube, &red);
    ct_render_objects_destroy(f.renderer, f.world, &cube, 1);
    fixture_picture(&f);
    assert_int_equal(count_pixels(&f, 0, WIDTH, 0, 255, 0), 0);
    fixture_stop(&f);
}

static void outlines_have_the_width_of_a_setting(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    set_outline(&f, fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.0f, 0.0f, 0.0f), &red);
    set_number(&f, "outline_width", 1.0);
    fixture_picture(&f);
    const uint32_t thin = count_pixels(&f, 0, WIDTH, 255, 0, 0);
    set_number(&f, "outline_width", 4.0);
    fixture_picture(&f);
    const uint32_t wide = count_pixels(&f, 0, WIDTH, 255, 0, 0);
    assert_in_range(wide, thin * 3, thin * 5);
    set_bool(&f, "outlines", false);
    fixture_picture(&f);
    assert_int_equal(count_pixels(&f, 0, WIDTH, 255, 0, 0), 0);
    fixture_stop(&f);
}

// The left cube is in front of the right one, which begins in the middle of the left.
static void objects_of_two_ids_have_a_line_between_them(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_render_object_id left =
        fixture_add(&f, "core/meshes/cube", "materials/chalk", -0.3f, -0.6f, 0.0f);
    const ct_render_object_id right =
        fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.3f, 0.6f, 0.0f);
    set_outline(&f, left, &red);
    set_outline(&f, right, &green);
    fixture_picture(&f);
    golden_expect(&f, "outlines");
    // In the middle row: outside left, between the two, outside right.
    uint32_t num_red = 0, num_green = 0;
    for (uint32_t x = 0; x < WIDTH; ++x) {
        const uint8_t *const pixel = f.pixels + ((uint64_t)(HEIGHT / 2) * WIDTH + x) * 4;
        num_red += is_color(pixel, 255, 0, 0);
        num_green += is_color(pixel, 0, 255, 0);
    }
    assert_int_equal(num_red, 4);
    assert_int_equal(num_green, 2);
    const ct_render_outline same = {.color = {0.0f, 1.0f, 0.0f}, .id = red.id};
    set_outline(&f, right, &same);
    fixture_picture(&f);
    num_red = 0;
    for (uint32_t x = 0; x < WIDTH; ++x)
        num_red += is_color(f.pixels + ((uint64_t)(HEIGHT / 2) * WIDTH + x) * 4, 255, 0, 0);
    assert_int_equal(num_red, 2);
    fixture_stop(&f);
}

static void outlines_behind_objects_are_dimmer(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_mat4 pose = fixture_pose(0.0f, 1.5f, 0.0f, 0.5f);
    const ct_render_object_id hidden =
        fixture_add_at(&f, "core/meshes/cube", "materials/chalk", &pose);
    fixture_add(&f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    set_outline(&f, hidden, &red);
    set_number(&f, "outline_hidden", 0.0);
    fixture_picture(&f);
    uint8_t *const without = copy_picture(&f);
    set_number(&f, "outline_hidden", 1.0);
    fixture_picture(&f);
    const uint32_t whole = count_pixels(&f, 0, WIDTH, 255, 0, 0);
    assert_in_range(whole, 100, 300);
    set_bool(&f, "outlines", false);
    fixture_picture(&f);
    assert_memory_equal(without, f.pixels, WIDTH * HEIGHT * 4);
    set_bool(&f, "outlines", true);
    set_number(&f, "outline_hidden", 0.5);
    fixture_picture(&f);
    uint32_t num_half = 0; // half of red over green, in linear light
    for (uint32_t i = 0; i < WIDTH * HEIGHT; ++i)
        num_half += abs(f.pixels[i * 4] - 188) < 3 && f.pixels[i * 4 + 2] < 3;
    assert_int_equal(num_half, whole);
    ct_free(test_heap(), without);
    fixture_stop(&f);
}

static uint32_t count_draws(render_fixture *f) {
    fixture_picture(f);
    return ct_renderer_stats(f->renderer).num_draws;
}

static void a_world_without_outlines_costs_nothing(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/chalk", 0.0f, 0.0f, 0.0f);
    const ct_render_object_id ball =
        fixture_add(&f, "core/meshes/sphere", "materials/red", 1.0f, 0.0f, 0.0f);
    set_bool(&f, "outlines", false);
    const uint32_t least = count_draws(&f);
    set_bool(&f, "outlines", true);
    assert_int_equal(count_draws(&f), least);
    set_outline(&f, cube, &red);
    set_outline(&f, cube, &green);
    assert_int_equal(count_draws(&f), least + 2); // the cube, the pass
    set_outline(&f, ball, &red);
    assert_int_equal(count_draws(&f), least + 3);
    set_outline(&f, ball, NULL);
    set_outline(&f, ball, NULL);
    ct_render_objects_destroy(f.renderer, f.world, &cube, 1);
    assert_int_equal(count_draws(&f), least - 1);
    fixture_stop(&f);
}

// Two views side by side of an object that fills the left one to its edge.
static void outlines_stay_in_their_views(void **state) {
    (void)state;
    static const float left[4] = {0.0f, 0.0f, 0.5f, 1.0f}, right[4] = {0.5f, 0.0f, 0.5f, 1.0f};
    render_fixture f;
    start(&f);
    set_number(&f, "outline_width", 8.0);
    const ct_mat4 pose = fixture_pose(0.0f, 3.0f, 0.0f, 20.0f);
    set_outline(&f, fixture_add_at(&f, "core/meshes/cube", "materials/chalk", &pose), &red);
    ct_resource_manager_update(f.resources, ct_renderer_frame(f.renderer));
    fixture_look_from(&f, 0.0f, -30.0f, 0.0f);
    f.view.pose.raw[3][0] = -12.0f; // all of the left view's right edge
    fixture_render_to(&f, left);
    fixture_look_from(&f, 0.0f, 60.0f, 0.0f);
    f.view.pose.raw[3][0] = 200.0f; // nothing
    fixture_ask_picture(&f);
    fixture_render_to(&f, right);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    assert_true(count_pixels(&f, 0, WIDTH / 2, 255, 0, 0) > 100);
    assert_int_equal(count_pixels(&f, WIDTH / 2, WIDTH, 255, 0, 0), 0);
    fixture_stop(&f);
}

// A bent bar: the outline follows the pose.
static void skinned_objects_have_outlines_of_their_poses(void **state) {
    (void)state;
    enum { NUM_BONES = 10 };
    render_fixture f;
    start(&f);
    ct_string_id32 names[NUM_BONES];
    ct_render_joint_pose joints[NUM_BONES];
    ct_mat4 at = ct_mat4_identity();
    for (uint32_t i = 0; i < NUM_BONES; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "bone%u", i);
        names[i] = ct_string_id32_of(name);
        const ct_quat turn = ct_quat_axis_angle(ct_vec3_make(0.0f, 1.0f, 0.0f), i ? 0.15f : 0.0f);
        const ct_mat4 local =
            ct_mat4_compose(ct_vec3_make(0.0f, 0.0f, i ? 2.0f / (NUM_BONES - 1) : 0.0f), turn,
                            ct_vec3_make(1.0f, 1.0f, 1.0f));
        at = ct_mat4_mul(at, local);
        for (uint32_t row = 0; row < 3; ++row)
            for (uint32_t column = 0; column < 4; ++column)
                joints[i].rows[row][column] = at.raw[column][row];
    }
    const ct_render_object_id bar =
        fixture_add(&f, "meshes/bar", "materials/checker", -0.5f, 0.0f, -1.0f);
    const ct_render_skeleton_id skeleton =
        ct_render_skeleton_create(f.renderer, f.world, names, NUM_BONES);
    ct_render_object_set_skeleton(f.renderer, f.world, bar, skeleton);
    ct_render_skeleton_set_pose(f.renderer, f.world, skeleton, joints, NUM_BONES);
    set_outline(&f, bar, &red);
    fixture_add_sun(&f);
    fixture_picture(&f);
    golden_expect(&f, "outlined_skin");
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_lie_around_objects),
        cmocka_unit_test(marks_cover_outlines),
        cmocka_unit_test(outlines_have_the_width_of_a_setting),
        cmocka_unit_test(objects_of_two_ids_have_a_line_between_them),
        cmocka_unit_test(outlines_behind_objects_are_dimmer),
        cmocka_unit_test(a_world_without_outlines_costs_nothing),
        cmocka_unit_test(outlines_stay_in_their_views),
        cmocka_unit_test(skinned_objects_have_outlines_of_their_poses),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
