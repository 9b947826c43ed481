// TAA and FXAA of the core's render config: against the mean of many pictures, over time, and over
// changes of what they read.
#include "render/effect_fixture.h"

#include <math.h>

#include "foundation/math/math.h"
#include "render/renderer_picture.h"

enum { SETTLED = 48, SAMPLES = 16 };

// Edges of all directions before a floor and the sky.
static void start(effect_scene *s, const char *anti_aliasing) {
    effect_start(s);
    effect_set_choice(&s->f, "anti_aliasing", anti_aliasing);
    effect_set_number(&s->f, "taa_sharpness", 0.0);
    effect_add_box(s, ct_vec3_make(-9, -9, -1), ct_vec3_make(9, 9, 0), "materials/chalk");
    effect_add_box(s, ct_vec3_make(-0.8f, -0.5f, 0), ct_vec3_make(0.2f, 0.5f, 1), "materials/red");
    effect_add_box(s, ct_vec3_make(0.5f, 0.2f, 0), ct_vec3_make(0.7f, 0.4f, 1.6f),
                   "materials/lamp");
    effect_look(s, ct_vec3_make(1.4f, -2.6f, 1.5f), ct_vec3_make(0, 0, 0.5f));
    fixture_add_sun(&s->f);
}

// A byte of the picture as a share of white, in light.
static double light_of(uint8_t byte) {
    const double v = byte / 255.0;
    return v > 0.04045 ? pow((v + 0.055) / 1.055, 2.4) : v / 12.92;
}

static double halton(uint32_t i, uint32_t base) {
    double result = 0.0, f = 1.0;
    for (; i; i /= base) {
        f /= base;
        result += f * (i % base);
    }
    return result;
}

// Moves the picture by fractions of a pixel.
static ct_mat4 shifted(ct_mat4 projection, double x, double y) {
    for (uint32_t i = 0; i < 4; ++i) {
        projection.col[i].x += (float)(2.0 * x / EFFECT_WIDTH) * projection.col[i].w;
        projection.col[i].y += (float)(2.0 * y / EFFECT_HEIGHT) * projection.col[i].w;
    }
    return projection;
}

// The mean of many pictures without anti-aliasing, each moved by a part of a pixel: light of all
// channels, in the heap of tests.
static double *draw_reference(effect_scene *s) {
    const uint64_t count = (uint64_t)EFFECT_WIDTH * EFFECT_HEIGHT * 3;
    double *const sums = ct_alloc(test_heap(), count * sizeof(double));
    memset(sums, 0, count * sizeof(double));
    effect_set_choice(&s->f, "anti_aliasing", "off");
    const ct_mat4 projection = s->f.view.projection;
    for (uint32_t k = 1; k <= SAMPLES; ++k) {
        s->f.view.projection = shifted(projection, halton(k, 2) - 0.5, halton(k, 3) - 0.5);
        fixture_picture(&s->f);
        for (uint64_t i = 0; i < count; ++i)
            sums[i] += light_of(s->f.pixels[i / 3 * 4 + i % 3]) / SAMPLES;
    }
    s->f.view.projection = projection;
    return sums;
}

// How far the last picture is from a reference: the root of the mean square, in light.
static double error_to(const effect_scene *s, const double *reference) {
    const uint64_t count = (uint64_t)EFFECT_WIDTH * EFFECT_HEIGHT * 3;
    double sum = 0.0;
    for (uint64_t i = 0; i < count; ++i) {
        const double step = light_of(s->f.pixels[i / 3 * 4 + i % 3]) - reference[i];
        sum += step * step;
    }
    return sqrt(sum / (double)count);
}

static int most_difference(const effect_scene *s, const uint8_t *picture) {
    int most = 0;
    for (uint64_t i = 0; i < (uint64_t)EFFECT_WIDTH * EFFECT_HEIGHT * 4; ++i) {
        const int step = abs((int)s->f.pixels[i] - (int)picture[i]);
        most = step > most ? step : most;
    }
    return most;
}

// --- TAA -----------------------------------------------------------------------------------------

static void taa_comes_near_many_samples(void **state) {
    (void)state;
    effect_scene s;
    start(&s, "off");
    double *const reference = draw_reference(&s);
    fixture_picture(&s.f);
    const double off = error_to(&s, reference);
    effect_set_choice(&s.f, "anti_aliasing", "taa");
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    const double taa = error_to(&s, reference);
    printf("error without %.5f, with TAA %.5f\n", off, taa);
    // Eight offsets are used over and over: fewer samples than the reference has.
    assert_true(taa * 2.0 < off && taa < 0.01);
    ct_free(test_heap(), reference);
    fixture_stop(&s.f);
}

static void taa_stays_when_nothing_moves(void **state) {
    (void)state;
    effect_scene s;
    start(&s, "taa");
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    uint8_t *const before = effect_keep_picture(&s.f);
    effect_frames(&s, 4);
    fixture_picture(&s.f);
    const int most = most_difference(&s, before);
    printf("still: most %d\n", most);
    assert_true(most <= 20);
    ct_free(test_heap(), before);
    fixture_stop(&s.f);
}

static void ignore_picture(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    uint32_t *const count = user;
    *count += pixels && width == EFFECT_WIDTH / 2 && height == EFFECT_HEIGHT / 2;
}

// Views of tools neither cut the camera nor leave anything in what the next frame takes from this one.
static void taa_is_the_same_with_pictures_for_tools(void **state) {
    (void)state;
    enum { COUNT = 12 };
    uint8_t *before = NULL;
    uint32_t num_pictures = 0;
    for (uint32_t round = 0; round < 2; ++round) {
        effect_scene s;
        start(&s, "taa");
        for (uint32_t i = 0; i < COUNT; ++i) {
            effect_look(&s, ct_vec3_make(-2, -2, 3 + 0.1f * (float)i), ct_vec3_make(0, 0, 0.5f));
            const ct_renderer_picture picture = {
                .rectangle = {0, 0, 0.5f, 0.5f}, .done = ignore_picture, .user = &num_pictures};
            if (round == 1)
                ct_renderer_draw_picture(s.f.renderer, s.f.world, &s.f.view,
                                         ct_string_id32_of("default"), NULL, 0, &picture);
            effect_look(&s, ct_vec3_make(1.4f + 0.02f * (float)i, -2.6f, 1.5f),
                        ct_vec3_make(0, 0, 0.5f));
            effect_frames(&s, 1);
        }
        fixture_picture(&s.f);
        if (round == 0)
            before = effect_keep_picture(&s.f);
        else
            assert_int_equal(most_difference(&s, before), 0);
        effect_frames(&s, 4); // all pictures come
        fixture_stop(&s.f);
    }
    assert_int_equal(num_pictures, COUNT);
    ct_free(test_heap(), before);
}

// Whether the pixels around one are about as bright as it in the last picture: there is no edge.
static bool is_flat(const effect_scene *s, uint32_t x, uint32_t y) {
    int most = 0;
    for (uint32_t i = 0; i < 25; ++i) {
        const uint32_t px = x + i % 5 - 2, py = y + i / 5 - 2;
        for (uint32_t channel = 0; channel < 3; ++channel) {
            const int step = s->f.pixels[(py * EFFECT_WIDTH + px) * 4 + channel] -
                             s->f.pixels[(y * EFFECT_WIDTH + x) * 4 + channel];
            most = abs(step) > most ? abs(step) : most;
        }
    }
    return most < 8;
}

// While a box moves, surfaces and what it leaves free look as they do without TAA.
static void taa_leaves_no_ghosts(void **state) {
    (void)state;
    effect_scene s;
    start(&s, "taa");
    effect_frames(&s, SETTLED);
    for (uint32_t i = 0; i < 12; ++i) {
        effect_move_box(&s, 1, ct_vec3_make(-0.06f, 0, 0));
        fixture_picture(&s.f);
    }
    uint8_t *const moving = effect_keep_picture(&s.f);
    effect_set_choice(&s.f, "anti_aliasing", "off");
    fixture_picture(&s.f);
    int most = 0;
    uint32_t count = 0;
    for (uint32_t y = 2; y < EFFECT_HEIGHT - 2; ++y)
        for (uint32_t x = 2; x < EFFECT_WIDTH - 2; ++x) {
            if (!is_flat(&s, x, y))
                continue;
            const uint32_t at = (y * EFFECT_WIDTH + x) * 4;
            for (uint32_t i = at; i < at + 3; ++i)
                most =
                    abs(s.f.pixels[i] - moving[i]) > most ? abs(s.f.pixels[i] - moving[i]) : most;
            ++count;
        }
    printf("moving: most %d of %u flat pixels\n", most, count);
    assert_true(count > 30000 && most <= 16);
    ct_free(test_heap(), moving);
    fixture_stop(&s.f);
}

// A material that shines infinitely bright for a frame leaves nothing behind.
static void taa_heals_what_is_no_number(void **state) {
    (void)state;
    static const float bad[] = {INFINITY, -INFINITY, NAN};
    const float good = 2.0f;
    const ct_string_id64 lamp = ct_string_id64_of("materials/lamp");
    const ct_string_id32 name = ct_string_id32_of("emissive_intensity");
    effect_scene s;
    start(&s, "taa");
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    uint8_t *const before = effect_keep_picture(&s.f);
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        assert_true(ct_render_material_set_parameter(s.f.renderer, lamp, name, &bad[i], 1));
        effect_frames(&s, 2);
        assert_true(ct_render_material_set_parameter(s.f.renderer, lamp, name, &good, 1));
        effect_frames(&s, SETTLED - 3);
        fixture_picture(&s.f);
        assert_true(most_difference(&s, before) <= 8);
    }
    ct_free(test_heap(), before);
    fixture_stop(&s.f);
}

// The sum of all steps between neighbours in a row of the last picture.
static double steepness(const effect_scene *s) {
    double sum = 0.0;
    for (uint32_t i = 4; i < EFFECT_WIDTH * EFFECT_HEIGHT * 4; ++i) {
        const double step = s->f.pixels[i] - s->f.pixels[i - 4];
        sum += i / 4 % EFFECT_WIDTH ? step * step : 0.0;
    }
    return sum;
}

static void taa_gives_sharpness_back(void **state) {
    (void)state;
    effect_scene s;
    start(&s, "taa");
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    const double soft = steepness(&s);
    effect_set_number(&s.f, "taa_sharpness", 1.0);
    fixture_picture(&s.f);
    assert_true(steepness(&s) > 1.1 * soft);
    fixture_stop(&s.f);
}

// --- FXAA ----------------------------------------------------------------------------------------

static void fxaa_smooths_edges(void **state) {
    (void)state;
    effect_scene s;
    start(&s, "off");
    double *const reference = draw_reference(&s);
    fixture_picture(&s.f);
    const double off = error_to(&s, reference);
    uint8_t *const sharp = effect_keep_picture(&s.f);
    effect_set_choice(&s.f, "anti_aliasing", "fxaa");
    fixture_picture(&s.f);
    const double fxaa = error_to(&s, reference);
    printf("error without %.5f, with FXAA %.5f\n", off, fxaa);
    assert_true(fxaa < off * 0.75);
    // Surfaces stay as they are.
    const uint64_t middle =
        ((uint64_t)EFFECT_HEIGHT * 15 / 16 * EFFECT_WIDTH + EFFECT_WIDTH / 2) * 4;
    assert_memory_equal(s.f.pixels + middle, sharp + middle, 64);
    ct_free(test_heap(), sharp);
    ct_free(test_heap(), reference);
    fixture_stop(&s.f);
}

// --- Everything at once --------------------------------------------------------------------------

static void set_all(effect_scene *s) {
    effect_set_choice(&s->f, "anti_aliasing", "taa");
    effect_set_bool(&s->f, "obscurance", true);
}

static void render_halves(effect_scene *s) {
    static const float halves[2][4] = {{0, 0, 0.5f, 1}, {0.5f, 0, 0.5f, 1}};
    ct_resource_manager_update(s->f.resources, ct_renderer_frame(s->f.renderer));
    for (uint32_t i = 0; i < 2; ++i)
        fixture_render_to(&s->f, halves[i]);
    ct_renderer_end_frame(s->f.renderer);
    ct_resource_manager_retire(s->f.resources, ct_renderer_completed_frame(s->f.renderer));
}

// Two views of the same beside each other are alike up to the line between them.
static void keeps_views_apart(void **state) {
    (void)state;
    effect_scene s;
    start(&s, "taa");
    set_all(&s);
    s.f.view.projection =
        ct_mat4_perspective(0.9f, EFFECT_WIDTH / 2.0f / EFFECT_HEIGHT, 0.1f, 200.0f);
    for (uint32_t i = 0; i < SETTLED; ++i)
        render_halves(&s);
    fixture_ask_picture(&s.f);
    render_halves(&s);
    ct_renderer_flush(s.f.renderer);
    int most = 0;
    for (uint32_t y = 0; y < EFFECT_HEIGHT; ++y)
        for (uint32_t x = 0; x < EFFECT_WIDTH / 2 * 4; ++x) {
            const uint8_t *const left = s.f.pixels + (uint64_t)y * EFFECT_WIDTH * 4 + x;
            const int step = abs(left[0] - left[EFFECT_WIDTH / 2 * 4]);
            most = step > most ? step : most;
        }
    printf("halves: most %d\n", most);
    assert_true(most <= 2);
    fixture_stop(&s.f);
}

// The first picture after a cut is the one that a view begins with.
static void forgets_everything_at_a_cut(void **state) {
    (void)state;
    effect_scene s;
    start(&s, "taa");
    set_all(&s);
    fixture_picture(&s.f);
    uint8_t *const first = effect_keep_picture(&s.f);
    const ct_mat4 pose = s.f.view.pose;
    effect_look(&s, ct_vec3_make(-2.0f, -2.0f, 1.0f), ct_vec3_make(0.4f, 0, 0.5f));
    s.f.view.shot = 1;
    effect_frames(&s, SETTLED);
    s.f.view.pose = pose;
    s.f.view.shot = 2;
    fixture_picture(&s.f);
    assert_int_equal(most_difference(&s, first), 0);
    ct_free(test_heap(), first);
    fixture_stop(&s.f);
}

static void survives_other_sizes(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{200, 120}, {33, 7}, {1, 1}, {EFFECT_WIDTH, EFFECT_HEIGHT}};
    effect_scene s;
    start(&s, "taa");
    set_all(&s);
    effect_frames(&s, 4 * SETTLED);
    fixture_picture(&s.f);
    uint8_t *const before = effect_keep_picture(&s.f);
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        ct_renderer_resize(s.f.renderer, sizes[i][0], sizes[i][1]);
        effect_frames(&s, 3);
        fixture_picture(&s.f);
        assert_int_equal(s.f.width, sizes[i][0]);
    }
    effect_frames(&s, 4 * SETTLED);
    fixture_picture(&s.f);
    const int most = most_difference(&s, before);
    printf("after other sizes: most %d\n", most);
    assert_true(most <= 24);
    ct_free(test_heap(), before);
    fixture_stop(&s.f);
}

static void reload(effect_scene *s, const char *shader) {
    const ct_resource_id id = ct_resource_id_of("shader", shader);
    effect_frames(s, 1);
    assert_int_equal(ct_resource_manager_reload(s->f.resources, &id, 1), 1);
    effect_frames(s, 3);
}

static void survives_a_reload_of_each_shader(void **state) {
    (void)state;
    static const char *const shaders[] = {
        "core/shaders/obscurance_depth",
        "core/shaders/obscurance_mip",
        "core/shaders/obscurance",
        "core/shaders/obscurance_reproject",
        "core/shaders/obscurance_blur",
        "core/shaders/obscurance_apply",
        "core/shaders/taa",
        "core/shaders/taa_sharpen",
    };
    effect_scene s;
    start(&s, "taa");
    set_all(&s);
    effect_frames(&s, 4 * SETTLED);
    fixture_picture(&s.f);
    uint8_t *const before = effect_keep_picture(&s.f);
    for (uint32_t i = 0; i < CT_COUNT_OF(shaders); ++i)
        reload(&s, shaders[i]);
    fixture_picture(&s.f);
    assert_true(most_difference(&s, before) <= 20);
    effect_set_choice(&s.f, "anti_aliasing", "fxaa");
    reload(&s, "core/shaders/fxaa");
    effect_set_choice(&s.f, "view", "obscurance_similarity");
    reload(&s, "core/shaders/obscurance_view");
    ct_free(test_heap(), before);
    fixture_stop(&s.f);
}

static void refuses_values_out_of_range(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double value;
        const char *expected;
    } cases[] = {
        {"taa_sharpness", 2, "taa_sharpness is 2; expected a number from 0 to 1"},
        {"obscurance_radius", 0, "obscurance_radius is 0; expected a number from 0.01 to 100"},
        {"obscurance_intensity", -1, "obscurance_intensity is -1; expected a number from 0 to 4"},
        {"obscurance_taps", 0, "obscurance_taps is 0; expected a whole number from 1 to 32"},
        {"obscurance_scale", 2, "obscurance_scale is 2; expected a number from 0.25 to 1"},
        {"obscurance_dangerous", 2, "obscurance_dangerous is 2; expected a number from 0 to 1"},
    };
    effect_scene s;
    ct_error error = {0};
    start(&s, "off");
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const ct_render_given value = {.kind = CT_RENDER_GIVEN_KIND_NUMBER,
                                       .numbers = {cases[i].value}};
        assert_false(ct_renderer_set_setting(s.f.renderer, cases[i].name, &value, &error));
        if (!strstr(error.message, cases[i].expected))
            fail_msg("found \"%s\", expected \"%s\"", error.message, cases[i].expected);
    }
    const ct_render_given choice = {.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = "msaa"};
    assert_false(ct_renderer_set_setting(s.f.renderer, "anti_aliasing", &choice, &error));
    fixture_stop(&s.f);
}

// With history of all kinds: none of it is there on the next device.
static void builds_up_again_after_the_device_was_lost(void **state) {
    (void)state;
    static const char *const switches[] = {"obscurance", "auto_exposure", "bloom", "grading"};
    effect_scene s;
    start(&s, "taa");
    for (uint32_t i = 0; i < CT_COUNT_OF(switches); ++i)
        effect_set_bool(&s.f, switches[i], true);
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    uint8_t *const before = effect_keep_picture(&s.f);
    for (uint32_t again = 0; again < 200; again += test_rounds(97, 13)) {
        ct_renderer_inject_fault(s.f.renderer,
                                 &(ct_render_fault){.kind = CT_RENDER_FAULT_DEVICE_LOST,
                                                    .period = again,
                                                    .num_times = again ? 2 : 1});
        effect_frames(&s, SETTLED);
        fixture_picture(&s.f);
        assert_true(most_difference(&s, before) <= 8);
        fixture_expect_no_error(&s.f);
    }
    ct_free(test_heap(), before);
    fixture_stop(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taa_comes_near_many_samples),
        cmocka_unit_test(taa_stays_when_nothing_moves),
        cmocka_unit_test(taa_is_the_same_with_pictures_for_tools),
        cmocka_unit_test(taa_leaves_no_ghosts),
        cmocka_unit_test(taa_heals_what_is_no_number),
        cmocka_unit_test(builds_up_again_after_the_device_was_lost),
        cmocka_unit_test(taa_gives_sharpness_back),
        cmocka_unit_test(fxaa_smooths_edges),
        cmocka_unit_test(forgets_everything_at_a_cut),
        cmocka_unit_test(keeps_views_apart),
        cmocka_unit_test(survives_other_sizes),
        cmocka_unit_test(survives_a_reload_of_each_shader),
        cmocka_unit_test(refuses_values_out_of_range),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
