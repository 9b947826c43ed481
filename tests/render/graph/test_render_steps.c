// What copies, mips and compute steps leave in the picture, with Vulkan's validation of what is
// synchronised.
#include "render/golden_picture.h"

static void start(render_fixture *f, const char *config) {
    ct_error error = {0};
    fixture_start(f);
    if (!ct_renderer_set_config(f->renderer, config, &error))
        fail_msg("%s", error.message);
    fixture_add(f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add_sun(f);
}

// Two frames: the second starts from what the first left its targets in.
static void finish(render_fixture *f, const char *picture) {
    fixture_frame(f);
    fixture_picture(f);
    golden_expect(f, picture);
    fixture_stop(f);
}

static void generates_mips_and_reads_one(void **state) {
    (void)state;
    render_fixture f;
    start(&f, "rendering/mips");
    fixture_frame(&f);
    fixture_picture(&f);
    // Stripes of one pixel on the left; on the right their mean.
    const uint8_t *left = fixture_pixel(&f, 0.2f, 0.5f), *right = fixture_pixel(&f, 0.8f, 0.5f);
    assert_true((left[0] > 250) != (left[1] > 250));
    assert_in_range(right[0], 185, 190); // a half in linear light
    assert_in_range(right[1], 185, 190);
    fixture_stop(&f);
}

static void copies_between_sizes_formats_and_depths(void **state) {
    (void)state;
    render_fixture f;
    start(&f, "rendering/copies");
    finish(&f, "copies");
}

static void copies_alike_when_nothing_differs(void **state) {
    (void)state;
    render_fixture f;
    ct_error error = {0};
    const ct_render_given no = {.kind = CT_RENDER_GIVEN_KIND_BOOL};
    start(&f, "rendering/copies");
    assert_true(ct_renderer_set_setting(f.renderer, "coarse", &no, &error));
    fixture_picture(&f);
    uint8_t *const copied = f.pixels;
    f.pixels = NULL;
    assert_true(ct_renderer_set_config(f.renderer, "core/rendering/renderer", &error));
    fixture_picture(&f);
    for (uint32_t y = 0; y < f.height; ++y)
        assert_memory_equal(copied + (uint64_t)y * f.width * 4,
                            f.pixels + (uint64_t)y * f.width * 4, f.width / 2 * 4);
    ct_free(test_heap(), copied);
    fixture_stop(&f);
}

static void computes_from_inputs_to_outputs(void **state) {
    (void)state;
    render_fixture f;
    start(&f, "rendering/compute");
    finish(&f, "compute");
}

static void computes_with_parameters_of_settings(void **state) {
    (void)state;
    render_fixture f;
    ct_error error = {0};
    const ct_render_given none = {.kind = CT_RENDER_GIVEN_KIND_NUMBER};
    start(&f, "rendering/compute");
    fixture_picture(&f);
    assert_true(fixture_pixel(&f, 0.5f, 0.4f)[2] > fixture_pixel(&f, 0.5f, 0.4f)[0]);
    assert_true(ct_renderer_set_setting(f.renderer, "amount", &none, &error));
    fixture_picture(&f);
    assert_true(fixture_pixel(&f, 0.5f, 0.4f)[2] < fixture_pixel(&f, 0.5f, 0.4f)[0]);
    fixture_stop(&f);
}

static void copies_only_the_rectangle_of_its_view(void **state) {
    (void)state;
    render_fixture f;
    start(&f, "rendering/copies");
    const float right[4] = {0.5f, 0.0f, 0.5f, 1.0f};
    fixture_render_to(&f, right);
    fixture_ask_picture(&f);
    ct_renderer_end_frame(f.renderer);
    ct_renderer_flush(f.renderer);
    const uint8_t *const p = fixture_pixel(&f, 0.25f, 0.5f);
    assert_int_equal(p[0] + p[1] + p[2], 0);
    fixture_stop(&f);
}

static void remakes_all_of_it_for_another_size(void **state) {
    (void)state;
    static const char *const configs[] = {"rendering/mips", "rendering/copies",
                                          "rendering/compute"};
    for (uint32_t i = 0; i < CT_COUNT_OF(configs); ++i) {
        render_fixture f;
        start(&f, configs[i]);
        fixture_frame(&f);
        ct_renderer_resize(f.renderer, 5, 3);
        fixture_picture(&f);
        assert_int_equal(f.width, 5);
        fixture_stop(&f);
    }
}

// Draws a frame whose picture must be `pixels`.
static void expect_picture(render_fixture *f, const uint8_t *pixels) {
    fixture_picture(f);
    assert_non_null(f->pixels);
    assert_memory_equal(f->pixels, pixels, (uint64_t)f->width * f->height * 4);
    fixture_expect_no_error(f);
}

// The device is lost, and lost again after `again` calls of the recovery (0: only once).
static void lose_device(render_fixture *f, uint32_t again) {
    ct_renderer_inject_fault(f->renderer, &(ct_render_fault){.kind = CT_RENDER_FAULT_DEVICE_LOST,
                                                             .period = again,
                                                             .num_times = again ? 2 : 1});
}

static void draws_the_same_after_the_device_was_lost(void **state) {
    (void)state;
    static const char *const configs[] = {"rendering/mips", "rendering/copies",
                                          "rendering/compute"};
    for (uint32_t i = 0; i < CT_COUNT_OF(configs); ++i) {
        render_fixture f;
        start(&f, configs[i]);
        fixture_frame(&f);
        fixture_picture(&f);
        uint8_t *const pixels = f.pixels;
        f.pixels = NULL;
        lose_device(&f, 0);
        expect_picture(&f, pixels);
        for (uint32_t again = 5; again < 400; again += test_rounds(131, 31)) {
            lose_device(&f, again);
            expect_picture(&f, pixels);
        }
        expect_picture(&f, pixels);
        ct_free(test_heap(), pixels);
        fixture_stop(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generates_mips_and_reads_one),
        cmocka_unit_test(copies_between_sizes_formats_and_depths),
        cmocka_unit_test(copies_alike_when_nothing_differs),
        cmocka_unit_test(computes_from_inputs_to_outputs),
        cmocka_unit_test(computes_with_parameters_of_settings),
        cmocka_unit_test(copies_only_the_rectangle_of_its_view),
        cmocka_unit_test(remakes_all_of_it_for_another_size),
        cmocka_unit_test(draws_the_same_after_the_device_was_lost),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
