// Obscurance of the core's render config: against an integral by traced rays, over time, and what it
// leaves behind when things move.
#include <math.h>

#include "foundation/math/math.h"
#include "render/effect_fixture.h"
#include "render/golden_picture.h"

enum { SETTLED = 40 }; // frames until the last ones count fully

static void start(effect_scene *s) {
    effect_start(s);
    effect_set_bool(&s->f, "obscurance", true);
    effect_set_choice(&s->f, "view", "obscurance");
}

// --- The integral --------------------------------------------------------------------------------

// What obscurance.shader takes samples of, as an integral over a disc of the picture around a point,
// in which all radii weigh the same: how far what is seen rises above the point's plane.
static double trace_obscurance(const effect_scene *s, const effect_hit *point, float radius) {
    enum { RADII = 48, ANGLES = 48 };
    const ct_vec3 eye = effect_camera_axis(s, 3);
    const ct_vec3 to = ct_vec3_scale(ct_vec3_sub(point->position, eye), 1.0f / point->distance);
    double sum = 0.0;
    for (uint32_t i = 0; i < RADII * ANGLES; ++i) {
        const float r = ((float)(i / ANGLES) + 0.5f) / RADII * radius / point->distance;
        const float angle = (float)(i % ANGLES) * 6.2831853f / ANGLES;
        const ct_vec3 aside = ct_vec3_add(ct_vec3_scale(effect_camera_axis(s, 0), r * cosf(angle)),
                                          ct_vec3_scale(effect_camera_axis(s, 2), r * sinf(angle)));
        const effect_hit hit = effect_trace(s, eye, ct_vec3_add(to, aside));
        if (hit.distance < 0.0f)
            continue;
        const ct_vec3 v = ct_vec3_sub(hit.position, point->position);
        const float v2 = ct_vec3_dot(v, v);
        const float near = fmaxf(1.0f - v2 / (radius * radius), 0.0f);
        const float bias = 0.02f * radius + 0.0005f * point->distance;
        sum += (double)(near * near * near * fmaxf(ct_vec3_dot(v, point->normal) - bias, 0.0f) /
                        (v2 + 0.01f * radius * radius));
    }
    return fmin(2.0 * (double)radius * sum / (RADII * ANGLES), 1.0);
}

// Whether all pixels around see the same side of the same box.
static bool is_inside(const effect_scene *s, uint32_t x, uint32_t y, const effect_hit *middle) {
    for (int i = 0; i < 9; ++i) {
        const float fx = ((float)x + 0.5f + 3.0f * (float)(i % 3 - 1)) / EFFECT_WIDTH;
        const float fy = ((float)y + 0.5f + 3.0f * (float)(i / 3 - 1)) / EFFECT_HEIGHT;
        const effect_hit hit = effect_trace(s, effect_camera_axis(s, 3), effect_ray(s, fx, fy));
        const ct_vec3 v = ct_vec3_sub(hit.position, middle->position);
        if (hit.distance < 0.0f || ct_vec3_dot(hit.normal, middle->normal) < 0.9f ||
            fabsf(ct_vec3_dot(v, middle->normal)) > 1e-3f)
            return false;
    }
    return true;
}

// Whether all of a disc around a pixel is seen; its radius is on a plane one metre away.
static bool is_disc_in_picture(uint32_t x, uint32_t y, float radius) {
    const float pixels = radius / tanf(0.45f) * EFFECT_HEIGHT / 2;
    return (float)x > pixels && (float)(EFFECT_WIDTH - x) > pixels && (float)y > pixels &&
           (float)(EFFECT_HEIGHT - y) > pixels;
}

typedef struct likeness {
    uint32_t num_points, num_obscured;
    double worst;           // difference of the light that is left, as a share of it
    double found, expected; // mean obscurance where there is some
} likeness;

// Compares the last picture with the integral at points all over it.
static likeness compare_with_integral(const effect_scene *s, float radius) {
    likeness like = {0};
    for (uint32_t y = 5; y < EFFECT_HEIGHT; y += 6)
        for (uint32_t x = 5; x < EFFECT_WIDTH; x += 8) {
            const effect_hit hit = effect_trace(
                s, effect_camera_axis(s, 3),
                effect_ray(s, ((float)x + 0.5f) / EFFECT_WIDTH, ((float)y + 0.5f) / EFFECT_HEIGHT));
            if (hit.distance < 0.0f || !is_inside(s, x, y, &hit) ||
                !is_disc_in_picture(x, y, radius / hit.distance))
                continue;
            const double expected = 1.0 - trace_obscurance(s, &hit, radius);
            const double found = (double)effect_grey(&s->f, x, y);
            like.worst = fmax(like.worst, fabs(found - expected) / expected);
            ++like.num_points;
            if (expected > 0.98) // a byte cannot tell it from none
                continue;
            like.found += 1.0 - found;
            like.expected += 1.0 - expected;
            ++like.num_obscured;
        }
    like.found /= like.num_obscured ? like.num_obscured : 1;
    like.expected /= like.num_obscured ? like.num_obscured : 1;
    assert_true(like.num_points > 300);
    return like;
}

// At full size, the light at each point and the mean obscurance must be right to a tenth; at half
// size, where a blur of 5 pixels is twice as wide, the light at each point.
static void expect_like_integral(effect_scene *s, const char *name, bool is_flat) {
    for (uint32_t i = 0; i < 2; ++i) {
        effect_set_number(&s->f, "obscurance_scale", i ? 0.5 : 1.0);
        effect_frames(s, SETTLED);
        fixture_picture(&s->f);
        const likeness like = compare_with_integral(s, 0.5f);
        printf("%s at %s size: %u points, worst %.3f; of %u: obscurance %.4f, expected %.4f\n",
               name, i ? "half" : "full", like.num_points, like.worst, like.num_obscured,
               like.found, like.expected);
        assert_true(like.worst <= 0.1);
        assert_true(is_flat ? like.num_obscured == 0 : like.num_obscured > 50);
        if (i == 0)
            assert_true(fabs(like.found - like.expected) <= 0.1 * like.expected);
    }
}

static void is_like_the_integral_at_a_corner(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    effect_add_box(&s, ct_vec3_make(-9, -9, -1), ct_vec3_make(9, 9, 0), "materials/chalk");
    effect_add_box(&s, ct_vec3_make(-9, 0, 0), ct_vec3_make(9, 1, 9), "materials/chalk");
    effect_add_box(&s, ct_vec3_make(-2, -9, 0), ct_vec3_make(-1, 0, 9), "materials/chalk");
    effect_look(&s, ct_vec3_make(0.8f, -2.2f, 1.2f), ct_vec3_make(-0.6f, 0, 0.2f));
    expect_like_integral(&s, "corner", false);
    fixture_stop(&s.f);
}

static void is_like_the_integral_at_a_step(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    effect_add_box(&s, ct_vec3_make(-9, -9, -1), ct_vec3_make(9, 9, 0), "materials/chalk");
    effect_add_box(&s, ct_vec3_make(-9, 0, 0), ct_vec3_make(9, 9, 0.2f), "materials/chalk");
    effect_look(&s, ct_vec3_make(0.3f, -1.5f, 1.2f), ct_vec3_make(0, 0.1f, 0));
    expect_like_integral(&s, "step", false);
    fixture_stop(&s.f);
}

static void leaves_a_floor_alone(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    effect_add_box(&s, ct_vec3_make(-90, -90, -1), ct_vec3_make(90, 90, 0), "materials/chalk");
    effect_look(&s, ct_vec3_make(0, -2, 1.2f), ct_vec3_make(0, 0, 0.6f));
    expect_like_integral(&s, "floor", true);
    fixture_stop(&s.f);
}

// A camera without perspective: the floor is white, and the corner as dark as in perspective.
static void works_without_perspective(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    s.f.view.projection = ct_mat4_orthographic(-1.6f, 1.6f, -0.9f, 0.9f, 0.1f, 20.0f);
    effect_add_box(&s, ct_vec3_make(-9, -9, -1), ct_vec3_make(9, 9, 0), "materials/chalk");
    effect_add_box(&s, ct_vec3_make(-9, 0, 0), ct_vec3_make(9, 1, 9), "materials/chalk");
    effect_look(&s, ct_vec3_make(0, -3, 3), ct_vec3_make(0, 0, 0));
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    float darkest = 1.0f;
    for (uint32_t y = 0; y < EFFECT_HEIGHT; ++y)
        darkest = fminf(darkest, effect_grey(&s.f, EFFECT_WIDTH / 2, y));
    assert_true(effect_grey(&s.f, EFFECT_WIDTH / 2, EFFECT_HEIGHT - 5) > 0.99f);
    assert_true(effect_grey(&s.f, EFFECT_WIDTH / 2, 5) > 0.99f);
    printf("without perspective: darkest %.3f\n", (double)darkest);
    assert_true(darkest > 0.3f && darkest < 0.7f);
    fixture_stop(&s.f);
}

// --- In the picture ------------------------------------------------------------------------------

static int byte_at(const effect_scene *s, uint32_t x, uint32_t y, const uint8_t *pixels) {
    return pixels[((uint64_t)y * s->f.width + x) * 4 + 1];
}

// The floor near the wall gets darker; a lamp before the wall, the sky, and the open floor do not.
static void darkens_ambient_light_only(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    effect_set_choice(&s.f, "view", "off");
    effect_set_bool(&s.f, "obscurance", false);
    effect_add_box(&s, ct_vec3_make(-9, -9, -1), ct_vec3_make(9, 9, 0), "materials/chalk");
    effect_add_box(&s, ct_vec3_make(-9, 0, 0), ct_vec3_make(0, 1, 1), "materials/chalk");
    effect_add_box(&s, ct_vec3_make(0, 0, 0), ct_vec3_make(9, 1, 1), "materials/lamp");
    effect_look(&s, ct_vec3_make(0, -3, 1.2f), ct_vec3_make(0, 0, 0.5f));
    fixture_picture(&s.f);
    uint8_t *const without = effect_keep_picture(&s.f);
    effect_set_bool(&s.f, "obscurance", true);
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    const uint32_t floor_row = EFFECT_HEIGHT * 70 / 100, left = 40, right = 280;
    int darkest = 0, darkest_lamp = 0;
    for (uint32_t y = 0; y < floor_row; ++y) {
        const int step = byte_at(&s, left, y, without) - byte_at(&s, left, y, s.f.pixels);
        darkest = step > darkest ? step : darkest;
    }
    for (uint32_t y = 0; y < EFFECT_HEIGHT * 60 / 100; ++y) {
        const int step = byte_at(&s, right, y, without) - byte_at(&s, right, y, s.f.pixels);
        darkest_lamp = step > darkest_lamp ? step : darkest_lamp;
    }
    printf("darker: %d, before the lamp %d\n", darkest, darkest_lamp);
    assert_true(darkest > 12 && darkest_lamp <= 1);
    assert_int_equal(byte_at(&s, left, 2, without), byte_at(&s, left, 2, s.f.pixels));
    assert_true(abs(byte_at(&s, left, EFFECT_HEIGHT - 3, without) -
                    byte_at(&s, left, EFFECT_HEIGHT - 3, s.f.pixels)) <= 1);
    ct_free(test_heap(), without);
    fixture_stop(&s.f);
}

// --- Over time -----------------------------------------------------------------------------------

static void add_room(effect_scene *s) {
    effect_add_box(s, ct_vec3_make(-9, -9, -1), ct_vec3_make(9, 9, 0), "materials/chalk");
    effect_add_box(s, ct_vec3_make(-9, 0.3f, 0), ct_vec3_make(9, 1, 9), "materials/chalk");
    effect_look(s, ct_vec3_make(0, -3, 1.0f), ct_vec3_make(0, 0, 0.5f));
}

// The largest and the mean difference of a channel between the last picture and another.
typedef struct difference {
    int most;
    double mean;
} difference;

static difference compare(const render_fixture *f, const uint8_t *other) {
    difference d = {0};
    const uint64_t bytes = (uint64_t)f->width * f->height * 4;
    for (uint64_t i = 0; i < bytes; ++i) {
        const int step = abs((int)f->pixels[i] - (int)other[i]);
        d.most = step > d.most ? step : d.most;
        d.mean += step;
    }
    d.mean /= (double)bytes;
    return d;
}

static void stays_when_nothing_moves(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    add_room(&s);
    effect_add_box(&s, ct_vec3_make(-0.4f, -0.4f, 0), ct_vec3_make(0.4f, 0.2f, 0.7f),
                   "materials/chalk");
    effect_frames(&s, SETTLED);
    fixture_picture(&s.f);
    uint8_t *const before = effect_keep_picture(&s.f);
    effect_frames(&s, 7);
    fixture_picture(&s.f);
    const difference turn = compare(&s.f, before); // the same directions again
    effect_frames(&s, 3);
    fixture_picture(&s.f);
    const difference other = compare(&s.f, before);
    printf("after 8 frames: most %d, mean %.3f; after 12: most %d, mean %.3f\n", turn.most,
           turn.mean, other.most, other.mean);
    assert_true(turn.most <= 3 && other.most <= 16 && other.mean < 0.8);
    ct_free(test_heap(), before);
    fixture_stop(&s.f);
}

// Slides a box along a wall and stops drawing while it moves: that picture, in the heap of tests,
// and how far the part of it that the box left is from what it becomes: the mean difference.
static double slide(double dangerous, uint8_t **moving) {
    effect_scene s;
    start(&s);
    effect_set_number(&s.f, "obscurance_dangerous", dangerous);
    effect_set_number(&s.f, "obscurance_radius", 1.0);
    effect_set_number(&s.f, "obscurance_intensity", 2.0);
    add_room(&s);
    const uint32_t box = effect_add_box(&s, ct_vec3_make(-1.6f, -0.2f, 0),
                                        ct_vec3_make(-1.0f, 0.25f, 0.9f), "materials/chalk");
    effect_frames(&s, SETTLED);
    for (uint32_t i = 0; i < 20; ++i) {
        effect_move_box(&s, box, ct_vec3_make(0.08f, 0, 0));
        fixture_frame(&s.f);
    }
    effect_move_box(&s, box, ct_vec3_make(0.08f, 0, 0));
    fixture_picture(&s.f);
    *moving = effect_keep_picture(&s.f);
    effect_frames(&s, 151); // with the picture a multiple of 8: the same directions again
    fixture_picture(&s.f);
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t y = 0; y < EFFECT_HEIGHT; ++y)
        for (uint32_t x = 0; x < EFFECT_WIDTH; ++x) {
            const effect_hit hit = effect_trace(&s, effect_camera_axis(&s, 3),
                                                effect_ray(&s, ((float)x + 0.5f) / EFFECT_WIDTH,
                                                           ((float)y + 0.5f) / EFFECT_HEIGHT));
            // The wall and the floor that it came past.
            if (hit.distance < 0.0f || hit.position.x > s.boxes[box].low.x - 0.1f ||
                hit.position.x < -1.6f || hit.position.z > 0.9f || hit.position.y < -0.4f)
                continue;
            const uint64_t i = ((uint64_t)y * EFFECT_WIDTH + x) * 4;
            sum += abs((int)s.f.pixels[i] - (int)(*moving)[i]);
            ++count;
        }
    fixture_stop(&s.f);
    assert_true(count > 1000);
    return sum / count;
}

// Puts the lower middle of two pictures beside each other and compares that with the picture of
// docs, or writes it there with CUTTLE_UPDATE_GOLDEN.
static void expect_docs_picture(const uint8_t *left, const uint8_t *right) {
    enum { LEFT = 50, TOP = 60, WIDTH = 220, HEIGHT = 110, GAP = 4, BOTH = 2 * WIDTH + GAP };
    static uint8_t both[HEIGHT][BOTH][4];
    memset(both, 255, sizeof(both));
    for (uint32_t y = 0; y < HEIGHT; ++y) {
        const uint64_t from = ((uint64_t)(TOP + y) * EFFECT_WIDTH + LEFT) * 4;
        memcpy(both[y][0], left + from, (size_t)WIDTH * 4);
        memcpy(both[y][WIDTH + GAP], right + from, (size_t)WIDTH * 4);
    }
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s/docs/pictures/obscurance_ghosts.png",
             fixture_environment("CUTTLE_SOURCE"));
    if (ct_os_environment("CUTTLE_UPDATE_GOLDEN")) {
        assert_true(stbi_write_png(path, BOTH, HEIGHT, 4, both, 0));
        return;
    }
    int width, height, channels;
    uint8_t *const shown = stbi_load(path, &width, &height, &channels, 4);
    if (!shown)
        fail_msg("%s: %s", path, stbi_failure_reason());
    assert_int_equal(width, BOTH);
    assert_int_equal(height, HEIGHT);
    const picture_difference d = golden_difference(shown, both[0][0], sizeof(both));
    stbi_image_free(shown);
    if (!golden_is_alike(d))
        fail_msg("%s differs: mean %.3f, most %d", path, d.mean, d.most);
}

static void leaves_no_ghosts_where_samples_moved(void **state) {
    (void)state;
    uint8_t *without, *with;
    const double error_without = slide(0.0, &without), error_with = slide(1.0, &with);
    printf("ghost: %.3f with the term, %.3f without\n", error_with, error_without);
    expect_docs_picture(without, with);
    assert_true(error_with * 3.0 <= error_without);
    ct_free(test_heap(), without);
    ct_free(test_heap(), with);
}

// How white the last picture is where it shows a point of the world.
static double grey_at(const effect_scene *s, float x, float y, float z) {
    const ct_vec3 v = ct_vec3_sub(ct_vec3_make(x, y, z), effect_camera_axis(s, 3));
    const float depth = ct_vec3_dot(v, effect_camera_axis(s, 1)) * tanf(0.45f);
    const float right = ct_vec3_dot(v, effect_camera_axis(s, 0)) / depth;
    const float up = ct_vec3_dot(v, effect_camera_axis(s, 2)) / depth;
    const float column = (right * EFFECT_HEIGHT + EFFECT_WIDTH) / 2;
    const float row = (1.0f - up) * EFFECT_HEIGHT / 2;
    assert_true(column >= 0 && column < EFFECT_WIDTH && row >= 0 && row < EFFECT_HEIGHT);
    return (double)effect_grey(&s->f, (uint32_t)column, (uint32_t)row);
}

// Slides a box to the right, to -0.5 to 0.1, and shows a term of the frame.
static void show_term(effect_scene *s, const char *term) {
    start(s);
    add_room(s);
    const uint32_t box = effect_add_box(s, ct_vec3_make(-1.0f, -0.2f, 0),
                                        ct_vec3_make(-0.4f, 0.2f, 0.9f), "materials/chalk");
    effect_set_choice(&s->f, "view", term);
    effect_frames(s, SETTLED);
    for (uint32_t i = 0; i < 5; ++i) {
        effect_move_box(s, box, ct_vec3_make(0.1f, 0, 0));
        if (i < 4)
            fixture_frame(&s->f);
    }
    fixture_picture(&s->f);
}

static void shows_where_depth_says_it_was_hidden(void **state) {
    (void)state;
    effect_scene s;
    show_term(&s, "obscurance_depth");
    assert_true(grey_at(&s, 1.5f, 0.3f, 0.6f) > 0.95);
    assert_true(grey_at(&s, -0.2f, -0.2f, 0.5f) > 0.95);
    assert_true(grey_at(&s, -0.64f, 0.3f, 0.5f) < 0.7); // the box was before it
    fixture_stop(&s.f);
}

static void shows_what_is_fast(void **state) {
    (void)state;
    effect_scene s;
    show_term(&s, "obscurance_velocity");
    assert_true(grey_at(&s, 1.5f, 0.3f, 0.6f) < 0.01);
    assert_true(grey_at(&s, -0.2f, -0.2f, 0.5f) > 0.25);
    fixture_stop(&s.f);
}

static void shows_samples_that_move(void **state) {
    (void)state;
    effect_scene s;
    show_term(&s, "obscurance_moving");
    assert_true(grey_at(&s, 1.5f, 0.3f, 0.6f) < 0.1);
    assert_true(grey_at(&s, 0.25f, 0.3f, 0.5f) > 0.3);
    // The box is gone from there, but the term goes down slowly.
    assert_true(grey_at(&s, -0.95f, 0.3f, 0.3f) > 0.2);
    fixture_stop(&s.f);
}

static void shows_what_counts_of_the_last_frames(void **state) {
    (void)state;
    effect_scene s;
    show_term(&s, "obscurance_similarity");
    assert_true(grey_at(&s, 1.5f, 0.3f, 0.6f) > 0.9);
    assert_true(grey_at(&s, 0.25f, 0.3f, 0.5f) < 0.7);
    fixture_stop(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_like_the_integral_at_a_corner),
        cmocka_unit_test(is_like_the_integral_at_a_step),
        cmocka_unit_test(leaves_a_floor_alone),
        cmocka_unit_test(works_without_perspective),
        cmocka_unit_test(darkens_ambient_light_only),
        cmocka_unit_test(stays_when_nothing_moves),
        cmocka_unit_test(leaves_no_ghosts_where_samples_moved),
        cmocka_unit_test(shows_where_depth_says_it_was_hidden),
        cmocka_unit_test(shows_what_is_fast),
        cmocka_unit_test(shows_samples_that_move),
        cmocka_unit_test(shows_what_counts_of_the_last_frames),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
