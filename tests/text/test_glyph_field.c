#include "text/glyph_field.h"

#include "support/test_support.h"

#include <math.h>

enum { SIDE = 64, SPREAD = 6 };

static void add_polygon(ct_outline_lines *lines, const float *xy, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t next = (i + 1) % count;
        const ct_outline_line line = {xy[2 * i], xy[2 * i + 1], xy[2 * next], xy[2 * next + 1]};
        ct_array_push(lines, line);
    }
}

static void add_box(ct_outline_lines *lines, float x0, float y0, float x1, float y1) {
    add_polygon(lines, (const float[]){x0, y0, x1, y0, x1, y1, x0, y1}, 4);
}

static void draw(const ct_outline_lines *lines, uint8_t pixels[SIDE * SIDE]) {
    assert_true(ct_glyph_field(test_heap(), lines, SIDE, SIDE, SPREAD, pixels));
}

static double distance_to(const ct_outline_line *l, double x, double y) {
    const double dx = l->x1 - l->x0, dy = l->y1 - l->y0;
    double t = ((x - l->x0) * dx + (y - l->y0) * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - l->x0 - t * dx, y - l->y0 - t * dy);
}

static bool is_inside(const ct_outline_lines *lines, double x, double y) {
    int winding = 0;
    for (uint32_t i = 0; i < lines->count; ++i) {
        const ct_outline_line *const l = &lines->items[i];
        if ((l->y0 <= y) == (l->y1 <= y))
            continue;
        const double at = l->x0 + (y - l->y0) / (l->y1 - l->y0) * (l->x1 - l->x0);
        winding += at <= x ? (l->y1 > l->y0 ? 1 : -1) : 0;
    }
    return winding != 0;
}

static double pixels_of(uint8_t value) {
    return (value - 128) * (double)SPREAD / 127;
}

// The greatest difference in pixels from the distance that is computed one line at a time.
static double worst_error(const ct_outline_lines *lines, const uint8_t *pixels) {
    double worst = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        const double x = i % SIDE + 0.5, y = i / SIDE + 0.5;
        double distance = SPREAD;
        for (uint32_t k = 0; k < lines->count; ++k)
            distance = fmin(distance, distance_to(&lines->items[k], x, y));
        const double expected = is_inside(lines, x, y) ? distance : -distance;
        const double found = pixels[i] == 0 ? -SPREAD : pixels_of(pixels[i]);
        worst = fmax(worst, fabs(found - expected));
    }
    return worst;
}

// Stars, whose corners are in order around their middle: without overlaps.
static void equals_brute_force_on_random_shapes(void **state) {
    (void)state;
    uint32_t seed = 7;
    double worst = 0;
    for (uint32_t round = 0; round < 100; ++round) {
        ct_outline_lines lines;
        uint8_t pixels[SIDE * SIDE];
        float xy[32];
        const uint32_t count = 3 + test_random(&seed) % 14;
        ct_array_init(&lines, test_heap());
        for (uint32_t i = 0; i < count; ++i) {
            const float angle = 6.2831853f * (float)i / (float)count;
            const float radius = 4 + (float)(test_random(&seed) % 1800) / 100;
            xy[2 * i] = SIDE / 2 + radius * cosf(angle);
            xy[2 * i + 1] = SIDE / 2 + radius * sinf(angle);
        }
        add_polygon(&lines, xy, count);
        draw(&lines, pixels);
        worst = fmax(worst, worst_error(&lines, pixels));
        ct_array_free(&lines);
    }
    print_message("worst error of 100 shapes: %.4f pixels\n", worst);
    assert_true(worst < 0.05);
}

static void ignores_lines_inside_of_overlaps(void **state) {
    (void)state;
    ct_outline_lines lines, whole;
    uint8_t pixels[SIDE * SIDE], expected[SIDE * SIDE];
    ct_array_init(&lines, test_heap());
    ct_array_init(&whole, test_heap());
    add_box(&lines, 10, 20, 40, 44);
    add_box(&lines, 30, 24, 54, 40); // overlaps the first
    add_box(&lines, 16, 26, 24, 36); // inside of the first
    draw(&lines, pixels);
    add_polygon(&whole,
                (const float[]){10, 20, 40, 20, 40, 24, 54, 24, 54, 40, 40, 40, 40, 44, 10, 44}, 8);
    draw(&whole, expected);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i)
        assert_in_range(pixels[i] + 3, expected[i], expected[i] + 6);
    ct_array_free(&lines);
    ct_array_free(&whole);
}

static void cuts_holes_of_the_other_direction(void **state) {
    (void)state;
    ct_outline_lines lines;
    uint8_t pixels[SIDE * SIDE];
    ct_array_init(&lines, test_heap());
    add_box(&lines, 10, 10, 54, 54);
    add_polygon(&lines, (const float[]){20, 20, 20, 44, 44, 44, 44, 20}, 4);
    draw(&lines, pixels);
    assert_true(worst_error(&lines, pixels) < 0.05);
    assert_int_equal(pixels[32 * SIDE + 32], 0);
    assert_true(pixels[15 * SIDE + 32] > 220);
    ct_array_free(&lines);
}

static void has_nothing_inside_of_nothing(void **state) {
    (void)state;
    ct_outline_lines lines;
    uint8_t pixels[SIDE * SIDE];
    ct_array_init(&lines, test_heap());
    draw(&lines, pixels);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i)
        assert_int_equal(pixels[i], 0);
    ct_array_free(&lines);
}

// Crafted outlines would take minutes.
static void refuses_too_much_work(void **state) {
    (void)state;
    enum { LARGE = 1024 };
    ct_outline_lines lines;
    uint8_t *const pixels = ct_alloc(test_heap(), LARGE * LARGE);
    ct_array_init(&lines, test_heap());
    for (uint32_t i = 0; i < 1000; ++i)
        add_polygon(&lines, (const float[]){40, 40, 980, 980, 980, 40}, 3);
    assert_false(ct_glyph_field(test_heap(), &lines, LARGE, LARGE, 32, pixels));
    ct_array_free(&lines);
    ct_free(test_heap(), pixels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force_on_random_shapes),
        cmocka_unit_test(ignores_lines_inside_of_overlaps),
        cmocka_unit_test(cuts_holes_of_the_other_direction),
        cmocka_unit_test(has_nothing_inside_of_nothing),
        cmocka_unit_test(refuses_too_much_work),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
