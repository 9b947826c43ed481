// Parts of the picture that are read while frames go on, against screenshots of the same frames.
#include "render/renderer_picture.h"

#include "render/render_fixture.h"

typedef struct part {
    uint8_t pixels[FIXTURE_WIDTH * FIXTURE_HEIGHT * 4];
    uint32_t width, height, num_calls;
} part;

static void take(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    part *const p = user;
    p->width = pixels ? width : 0;
    p->height = pixels ? height : 0;
    ++p->num_calls;
    if (pixels)
        memcpy(p->pixels, pixels, (size_t)width * height * 4);
}

static void ask(render_fixture *f, part *p, float x, float y, float width, float height) {
    const ct_renderer_picture picture = {
        .rectangle = {x, y, width, height}, .done = take, .user = p};
    ct_renderer_read_picture(f->renderer, &picture);
}

// Frames until the device has surely finished those before.
static void go_on(render_fixture *f) {
    for (uint32_t i = 0; i < 4; ++i)
        fixture_frame(f);
    ct_renderer_flush(f->renderer);
}

// A part from pixel (x, y) on must be that of the last picture.
static void expect_part(const render_fixture *f, const part *p, uint32_t x, uint32_t y) {
    for (uint32_t row = 0; row < p->height; ++row)
        assert_memory_equal(p->pixels + 4 * (size_t)p->width * row,
                            f->pixels + 4 * ((size_t)f->width * (y + row) + x),
                            4 * (size_t)p->width);
}

static void reads_parts_of_the_frame(void **state) {
    (void)state;
    static part all, corner, outside;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    ask(&f, &all, 0, 0, 1, 1);
    ask(&f, &corner, 0.5f, 0.25f, 2, 0.5f); // only what the picture has of it
    ask(&f, &outside, 1, 0, 1, 1);
    fixture_picture(&f);
    go_on(&f);
    assert_int_equal(all.width, FIXTURE_WIDTH);
    assert_int_equal(all.height, FIXTURE_HEIGHT);
    expect_part(&f, &all, 0, 0);
    assert_int_equal(corner.width, FIXTURE_WIDTH / 2);
    assert_int_equal(corner.height, FIXTURE_HEIGHT / 2);
    expect_part(&f, &corner, FIXTURE_WIDTH / 2, FIXTURE_HEIGHT / 4);
    assert_int_equal(outside.width, 0);
    assert_int_equal(all.num_calls + corner.num_calls + outside.num_calls, 3);
    fixture_stop(&f);
}

// Each has the picture of its own frame, also where many are on their way.
static void delivers_in_the_order_of_frames(void **state) {
    (void)state;
    enum { COUNT = 6 };
    static part parts[COUNT];
    render_fixture f;
    fixture_start(&f);
    ct_render_object_id cube = {0};
    for (uint32_t i = 0; i < COUNT; ++i) {
        if (i != 0)
            ct_render_objects_destroy(f.renderer, f.world, &cube, 1);
        cube = fixture_add(&f, "core/meshes/cube", "materials/lamp", (float)i * 0.3f - 0.8f, 0, 0);
        ask(&f, &parts[i], 0, 0, 1, 1);
        fixture_frame(&f);
    }
    go_on(&f);
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_int_equal(parts[i].num_calls, 1);
        assert_int_equal(parts[i].width, FIXTURE_WIDTH);
        if (i != 0)
            assert_memory_not_equal(parts[i].pixels, parts[i - 1].pixels, sizeof(parts[i].pixels));
    }
    fixture_stop(&f);
}

static void calls_back_without_pixels_when_nothing_is_drawn_or_at_the_end(void **state) {
    (void)state;
    static part empty, late;
    render_fixture f;
    fixture_start(&f);
    ask(&f, &empty, 0, 0, 1, 1);
    ct_renderer_end_frame(f.renderer); // no view
    ct_renderer_flush(f.renderer);
    assert_int_equal(empty.num_calls, 1);
    assert_int_equal(empty.width, 0);
    fixture_frame(&f);
    ask(&f, &late, 0, 0, 1, 1);
    fixture_frame(&f);
    fixture_stop(&f);
    assert_int_equal(late.num_calls, 1);
}

// Asks for a picture of the upper left quarter, as a tool's camera sees the world.
static void draw_quarter(render_fixture *f, part *p, ct_render_world_id world) {
    const ct_renderer_picture picture = {.rectangle = {0, 0, 0.5f, 0.5f}, .done = take, .user = p};
    ct_renderer_draw_picture(f->renderer, world, &f->view, ct_string_id32_of("default"), NULL, 0,
                             &picture);
}

static void expect_red_middle(const part *p) {
    assert_int_equal(p->width, FIXTURE_WIDTH / 2);
    assert_int_equal(p->height, FIXTURE_HEIGHT / 2);
    const uint8_t *const middle =
        p->pixels + 4 * (size_t)(p->width * (p->height / 2) + p->width / 2);
    assert_true(middle[0] > middle[1] + 20);
}

static void draws_pictures_that_the_frame_does_not_show(void **state) {
    (void)state;
    static part drawn, of_no_world;
    static uint8_t before[FIXTURE_WIDTH * FIXTURE_HEIGHT * 4];
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    const ct_render_view own = f.view;
    const float right_half[4] = {0.5f, 0, 0.5f, 1};
    for (uint32_t i = 0; i < 2; ++i) {
        f.view = own;
        if (i == 1) {
            fixture_look_from(&f, 0, 0, 3);
            draw_quarter(&f, &drawn, f.world);
            draw_quarter(&f, &of_no_world, (ct_render_world_id){f.world.value + 1000});
            f.view = own;
        }
        ct_renderer_screenshot(f.renderer, fixture_take_picture, &f);
        fixture_render_to(&f, right_half); // what it leaves out stays black
        ct_renderer_end_frame(f.renderer);
        ct_renderer_flush(f.renderer);
        if (i == 0)
            memcpy(before, f.pixels, sizeof(before));
    }
    assert_memory_equal(f.pixels, before, sizeof(before));
    go_on(&f);
    expect_red_middle(&drawn);
    assert_int_equal(of_no_world.width, 0);
    assert_int_equal(of_no_world.num_calls, 1);
    fixture_stop(&f);
}

// A debugger has stopped the game: the window goes on to show the last picture of it.
static void draws_no_pictures_over_one_that_is_kept(void **state) {
    (void)state;
    static part refused, after, shown;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(&f);
    draw_quarter(&f, &after, f.world);
    fixture_picture(&f);
    draw_quarter(&f, &refused, f.world);
    ask(&f, &shown, 0, 0, 1, 1);
    ct_renderer_split_frame(f.renderer);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    assert_int_equal(refused.num_calls, 1);
    assert_int_equal(refused.width, 0);
    ct_renderer_keep_picture(f.renderer);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    expect_red_middle(&after);
    assert_int_equal(shown.width, FIXTURE_WIDTH);
    expect_part(&f, &shown, 0, 0);
    fixture_stop(&f);
}

static void takes_pictures_of_a_lost_device_back(void **state) {
    (void)state;
    static part lost, after;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_frame(&f);
    ask(&f, &lost, 0, 0, 1, 1);
    ct_renderer_inject_fault(
        f.renderer, &(ct_render_fault){.kind = CT_RENDER_FAULT_DEVICE_LOST, .num_times = 1});
    fixture_frame(&f);
    ct_renderer_flush(f.renderer);
    ask(&f, &after, 0, 0, 1, 1);
    fixture_frame(&f);
    go_on(&f);
    assert_int_equal(lost.num_calls, 1);
    assert_int_equal(after.num_calls, 1);
    assert_int_equal(after.width, FIXTURE_WIDTH);
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_parts_of_the_frame),
        cmocka_unit_test(delivers_in_the_order_of_frames),
        cmocka_unit_test(calls_back_without_pixels_when_nothing_is_drawn_or_at_the_end),
        cmocka_unit_test(draws_pictures_that_the_frame_does_not_show),
        cmocka_unit_test(draws_no_pictures_over_one_that_is_kept),
        cmocka_unit_test(takes_pictures_of_a_lost_device_back),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
