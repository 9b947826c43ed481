// Distance fields, beside a search through every segment of the edge, and beside shapes whose
// distance is known.
#include "support/test_support.h"
#include "text/distance_field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 96, MAX_SEGMENTS = MAX_SIDE * MAX_SIDE * 2 };

static struct {
    uint32_t width, height;
    uint8_t pixels[MAX_SIDE * MAX_SIDE];
} picture;

static double segments[MAX_SEGMENTS][4];
static uint32_t num_segments;

// --- The edge, as distance_contour.h defines it --------------------------------------------------

static int at(int x, int y) {
    const bool is_there = x >= 0 && y >= 0 && x < (int)picture.width && y < (int)picture.height;
    return is_there ? picture.pixels[y * (int)picture.width + x] : 0;
}

// Where between (x, y), which is inside, and its neighbour (x + dx, y + dy) the edge is.
static double crossing_of(int x, int y, int dx, int dy) {
    const int inner = at(x, y), outer = at(x + dx, y + dy);
    const double linear = (inner - 127.5) / (inner - outer);
    int first = 0, last = 1, sum = 0;
    while (at(x + first * dx, y + first * dy) != 255) {
        --first;
        if (at(x + first * dx, y + first * dy) < at(x + (first + 1) * dx, y + (first + 1) * dy))
            return linear;
    }
    while (at(x + last * dx, y + last * dy) != 0) {
        ++last;
        if (at(x + last * dx, y + last * dy) > at(x + (last - 1) * dx, y + (last - 1) * dy))
            return linear;
    }
    if (last - first - 1 > 5)
        return linear;
    for (int i = first + 1; i < last; ++i)
        sum += at(x + i * dx, y + i * dy);
    return fmin(fmax(first + 0.5 + sum / 255.0, 0), 1);
}

static void crossing(int x, int y, int dx, int dy, double out[2]) {
    const double t =
        at(x, y) >= 128 ? crossing_of(x, y, dx, dy) : 1 - crossing_of(x + dx, y + dy, -dx, -dy);
    out[0] = x + dx * t;
    out[1] = y + dy * t;
}

static void add_segment(const double a[2], const double b[2]) {
    assert_true(num_segments < MAX_SEGMENTS);
    memcpy(segments[num_segments], a, sizeof(double) * 2);
    memcpy(segments[num_segments++] + 2, b, sizeof(double) * 2);
}

static void add_cell(int x, int y) {
    const bool tl = at(x, y) >= 128, tr = at(x + 1, y) >= 128, bl = at(x, y + 1) >= 128,
               br = at(x + 1, y + 1) >= 128;
    double sides[4][2]; // top, right, bottom, left
    uint32_t found[4], num = 0;
    if (tl != tr)
        crossing(x, y, 1, 0, sides[found[num++] = 0]);
    if (tr != br)
        crossing(x + 1, y, 0, 1, sides[found[num++] = 1]);
    if (bl != br)
        crossing(x, y + 1, 1, 0, sides[found[num++] = 2]);
    if (tl != bl)
        crossing(x, y, 0, 1, sides[found[num++] = 3]);
    if (num == 2)
        add_segment(sides[found[0]], sides[found[1]]);
    if (num != 4)
        return;
    const bool is_connected = at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1) >= 510;
    const bool cuts_top_left = tl != is_connected;
    add_segment(sides[0], sides[cuts_top_left ? 3 : 1]);
    add_segment(sides[2], sides[cuts_top_left ? 1 : 3]);
}

static void find_segments(void) {
    num_segments = 0;
    for (int y = -1; y < (int)picture.height; ++y) {
        for (int x = -1; x < (int)picture.width; ++x)
            add_cell(x, y);
    }
}

static double distance_to(const double s[4], double x, double y) {
    const double dx = s[2] - s[0], dy = s[3] - s[1], squared = dx * dx + dy * dy;
    double t = squared > 0 ? ((x - s[0]) * dx + (y - s[1]) * dy) / squared : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - s[0] - t * dx, y - s[1] - t * dy);
}

// Inside is where a ray meets the edge an odd number of times.
static double brute_distance(double x, double y, double most) {
    double best = most;
    bool is_inside = false;
    for (uint32_t i = 0; i < num_segments; ++i) {
        const double *const s = segments[i];
        best = fmin(best, distance_to(s, x, y));
        if ((s[1] <= y) != (s[3] <= y))
            is_inside ^= s[0] + (y - s[1]) / (s[3] - s[1]) * (s[2] - s[0]) > x;
    }
    return is_inside ? best : -best;
}

// --- Pictures ------------------------------------------------------------------------------------

static void start(uint32_t width, uint32_t height) {
    picture.width = width;
    picture.height = height;
    memset(picture.pixels, 0, sizeof(picture.pixels));
}

static double random_between(uint32_t *seed, double least, double most) {
    return least + (most - least) * (test_random(seed) % 100000) / 100000.0;
}

// A disc, a bar or a half-plane, added or cut out.
typedef struct shape {
    uint32_t kind;
    double x, y, size, length, cosine, sine;
} shape;

static bool is_in_shape(const shape *s, double x, double y) {
    const double dx = x - s->x, dy = y - s->y;
    const double u = dx * s->cosine + dy * s->sine, v = dy * s->cosine - dx * s->sine;
    if (s->kind == 0)
        return hypot(dx, dy) < s->size;
    if (s->kind == 1)
        return fabs(u) < s->length && fabs(v) < s->size;
    return u < 0;
}

// Draws shapes with `steps` x `steps` samples a pixel: those at odd places cut out.
static void draw(const shape *shapes, uint32_t count, int steps) {
    for (uint32_t y = 0; y < picture.height; ++y) {
        for (uint32_t x = 0; x < picture.width; ++x) {
            int sum = 0;
            for (int i = 0; i < steps * steps; ++i) {
                const double sx = x + (i % steps + 0.5) / steps - 0.5;
                const double sy = y + (i / steps + 0.5) / steps - 0.5;
                bool is_in = false;
                for (uint32_t k = 0; k < count; ++k)
                    is_in = is_in_shape(&shapes[k], sx, sy) ? k % 2 == 0 : is_in;
                sum += is_in;
            }
            picture.pixels[y * picture.width + x] =
                (uint8_t)((sum * 255 + steps * steps / 2) / (steps * steps));
        }
    }
}

static shape random_shape(uint32_t *seed) {
    const double angle = random_between(seed, 0, 6.3);
    return (shape){.kind = test_random(seed) % 3,
                   .x = random_between(seed, 0, picture.width),
                   .y = random_between(seed, 0, picture.height),
                   .size = random_between(seed, 1, 20),
                   .length = random_between(seed, 1, 40),
                   .cosine = cos(angle),
                   .sine = sin(angle)};
}

static void draw_random(uint32_t *seed) {
    shape shapes[5];
    start(1 + test_random(seed) % MAX_SIDE, 1 + test_random(seed) % MAX_SIDE);
    for (uint32_t i = 0; i < CT_COUNT_OF(shapes); ++i)
        shapes[i] = random_shape(seed);
    shapes[0].kind %= 2;
    draw(shapes, 1 + test_random(seed) % CT_COUNT_OF(shapes), 1 + (int)(test_random(seed) % 6));
}

static void draw_noise(uint32_t *seed) {
    start(1 + test_random(seed) % 40, 1 + test_random(seed) % 40);
    for (uint32_t i = 0; i < picture.width * picture.height; ++i)
        picture.pixels[i] = (uint8_t)(test_random(seed) >> 8);
}

// --- Comparing -----------------------------------------------------------------------------------

// The largest difference to the search, in target pixels.
static double largest_error(uint32_t scale, uint32_t spread) {
    static float distances[MAX_SIDE * MAX_SIDE];
    const uint32_t columns = ct_distance_field_size(picture.width, scale);
    const uint32_t rows = ct_distance_field_size(picture.height, scale);
    double largest = 0;
    find_segments();
    ct_distance_field_float(test_heap(), picture.pixels, picture.width, picture.height, scale,
                            spread, distances);
    for (uint32_t i = 0; i < columns * rows; ++i) {
        const double x = scale * (i % columns) + (scale - 1) / 2.0;
        const double y = scale * (i / columns) + (scale - 1) / 2.0;
        const double want = brute_distance(x, y, (spread + 1.0) * scale) / scale;
        const double difference = fabs(want - (double)distances[i]);
        largest = fmax(largest, difference);
    }
    return largest;
}

static void equals_a_search_on_random_shapes(void **state) {
    static const uint32_t scales[] = {1, 2, 3, 4, 5, 8};
    uint32_t seed = 1;
    double largest = 0;
    (void)state;
    for (uint32_t i = 0; i < test_rounds(120, 3000); ++i) {
        draw_random(&seed);
        const uint32_t scale = scales[i % CT_COUNT_OF(scales)], spread = 1 + i % 9;
        const double error = largest_error(scale, spread);
        largest = fmax(largest, error);
        if (error > 0.03)
            fail_msg("picture %u, scale %u, spread %u: %g pixels off", i, scale, spread, error);
    }
    print_message("largest difference %g pixels\n", largest);
}

static void equals_a_search_on_noise(void **state) {
    uint32_t seed = 7;
    (void)state;
    for (uint32_t i = 0; i < test_rounds(60, 1000); ++i) {
        draw_noise(&seed);
        const double error = largest_error(1 + i % 4, 4);
        if (error > 0.03)
            fail_msg("picture %u: %g pixels off", i, error);
    }
}

static void places_a_straight_edge_by_its_coverage(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 90; ++i) {
        const double angle = i * 0.0698;
        const shape edge = {2, 31.5 + i * 0.01, 31.3 - i * 0.013, 0, 0, cos(angle), sin(angle)};
        float distances[64 * 64];
        start(64, 64);
        draw(&edge, 1, 32);
        ct_distance_field_float(test_heap(), picture.pixels, 64, 64, 1, 8, distances);
        for (uint32_t y = 20; y < 44; ++y) {
            for (uint32_t x = 20; x < 44; ++x) {
                const double want = -((x - edge.x) * edge.cosine + (y - edge.y) * edge.sine);
                if (fabs(want) < 7)
                    assert_true(fabs(want - (double)distances[y * 64 + x]) < 0.03);
            }
        }
    }
}

static void places_a_disc_at_a_lower_resolution(void **state) {
    const shape disc = {0, 44.2, 47.7, 30, 0, 1, 0};
    float distances[12 * 12];
    (void)state;
    start(96, 96);
    draw(&disc, 1, 16);
    ct_distance_field_float(test_heap(), picture.pixels, 96, 96, 8, 4, distances);
    for (uint32_t i = 0; i < 12 * 12; ++i) {
        const double x = i % 12 * 8 + 3.5 - disc.x, y = i / 12 * 8 + 3.5 - disc.y;
        const double want = fmin(fmax((disc.size - hypot(x, y)) / 8, -5), 5);
        assert_true(fabs(want - (double)distances[i]) < 0.02);
    }
}

static void rounds_distances_to_bytes(void **state) {
    uint8_t bytes[32];
    (void)state;
    start(32, 64);
    for (uint32_t y = 0; y < 64; ++y)
        memset(picture.pixels + y * 32, 255, 16);
    uint8_t field[32 * 64];
    ct_distance_field(test_heap(), picture.pixels, 32, 64, 1, 4, field);
    memcpy(bytes, field + 32 * 32, 32);
    // Pixel 15 is half a pixel inside, 16 half a pixel outside.
    assert_int_equal(bytes[8], 255);
    assert_int_equal(bytes[12], 239);
    assert_int_equal(bytes[15], 144);
    assert_int_equal(bytes[16], 112);
    assert_int_equal(bytes[19], 17);
    assert_int_equal(bytes[20], 0);
    assert_int_equal(bytes[31], 0);
}

static void gives_zero_without_a_shape_and_255_deep_inside(void **state) {
    uint8_t bytes[MAX_SIDE * MAX_SIDE];
    (void)state;
    start(70, 33);
    ct_distance_field(test_heap(), picture.pixels, 70, 33, 3, 4, bytes);
    for (uint32_t i = 0; i < 24 * 11; ++i)
        assert_int_equal(bytes[i], 0);
    memset(picture.pixels, 255, sizeof(picture.pixels));
    ct_distance_field(test_heap(), picture.pixels, 70, 33, 3, 2, bytes);
    assert_int_equal(bytes[5 * 24 + 12], 255);
    // The picture's border is an edge.
    assert_in_range(bytes[5 * 24], 128 + 30, 128 + 34);
}

static void makes_a_field_of_a_single_pixel(void **state) {
    float distance;
    (void)state;
    start(1, 1);
    picture.pixels[0] = 255;
    ct_distance_field_float(test_heap(), picture.pixels, 1, 1, 1, 4, &distance);
    assert_true(distance > 0 && distance < 0.51f);
}

static void run_with_scale_0(void *user) {
    float distance;
    (void)user;
    ct_distance_field_float(test_heap(), picture.pixels, 1, 1, 0, 4, &distance);
}

static void refuses_scale_0(void **state) {
    (void)state;
    start(1, 1);
    test_expect_death(run_with_scale_0, NULL, "scale 0, spread 4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_a_search_on_random_shapes),
        cmocka_unit_test(equals_a_search_on_noise),
        cmocka_unit_test(places_a_straight_edge_by_its_coverage),
        cmocka_unit_test(places_a_disc_at_a_lower_resolution),
        cmocka_unit_test(rounds_distances_to_bytes),
        cmocka_unit_test(gives_zero_without_a_shape_and_255_deep_inside),
        cmocka_unit_test(makes_a_field_of_a_single_pixel),
        cmocka_unit_test(refuses_scale_0),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
