// Shapes with smooth edges: what their triangles cover. A recorder takes the commands.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "gui/gui.h"
#include "render/render_stream.h"
#include "support/test_support.h"

static const float turn = 6.2831853f;

typedef struct fixture {
    ct_renderer *renderer;
    ct_gui_system *system;
    ct_gui *gui; // immediate; a unit is a pixel
    uint32_t random;
} fixture;

static int start(void **state) {
    static fixture f;
    f.renderer = ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = test_heap(), .width = 800, .height = 600});
    f.system = ct_gui_system_create(
        &(ct_gui_system_desc){.allocator = test_heap(), .renderer = f.renderer});
    f.gui = ct_gui_create(f.system, &(ct_gui_desc){.world = ct_render_world_create(f.renderer),
                                                   .is_immediate = true});
    f.random = 4242;
    *state = &f;
    return 0;
}

static int end(void **state) {
    fixture *const f = *state;
    ct_gui_system_destroy(f->system);
    ct_renderer_destroy(f->renderer);
    return 0;
}

// A random number between two.
static float between(fixture *f, float from, float to) {
    return from + (to - from) * (float)(test_random(&f->random) >> 8) / 16777216.0f;
}

// --- What was drawn ------------------------------------------------------------------------------

typedef struct triangles {
    const ct_batch_vertex *vertices; // quads
    uint32_t num_quads;
} triangles;

// The quads of the frame; of one object.
static triangles drawn(const fixture *f) {
    uint64_t cursor = 0;
    const void *payload;
    const ct_render_command_header *header;
    while ((header = ct_render_stream_next(ct_renderer_stream(f->renderer), &cursor, &payload)))
        if (header->type == CT_RENDER_COMMAND_TYPE_GUI_APPEND) {
            const ct_render_command_gui_quads *const quads = payload;
            return (triangles){(const ct_batch_vertex *)(quads + 1), quads->num_quads};
        }
    return (triangles){0};
}

static void end_frame(fixture *f) {
    ct_gui_system_end_frame(f->system);
    ct_renderer_end_frame(f->renderer);
}

typedef struct corner {
    float x, y, alpha;
} corner;

// Sets the corners of a triangle; each quad has two.
static void triangle_of(const triangles *t, uint32_t index, corner out[3]) {
    static const uint32_t corners[2][3] = {{0, 1, 2}, {0, 2, 3}};
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_batch_vertex *const v = &t->vertices[index / 2 * 4 + corners[index % 2][i]];
        out[i] = (corner){v->position[0], v->position[1], (float)(v->color >> 24) / 255.0f};
    }
}

static float area_of(const corner *a, const corner *b, const corner *c) {
    return 0.5f * ((b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x));
}

// The sum of area times opacity.
static float coverage_of(const triangles *t) {
    float sum = 0;
    corner c[3];
    for (uint32_t i = 0; i < t->num_quads * 2; ++i) {
        triangle_of(t, i, c);
        sum += fabsf(area_of(&c[0], &c[1], &c[2])) * (c[0].alpha + c[1].alpha + c[2].alpha) / 3.0f;
    }
    return sum;
}

// The greatest opacity of all triangles at a point.
static float alpha_at(const triangles *t, float x, float y) {
    const corner point = {x, y, 0};
    float most = 0;
    corner c[3];
    for (uint32_t i = 0; i < t->num_quads * 2; ++i) {
        triangle_of(t, i, c);
        const float area = area_of(&c[0], &c[1], &c[2]);
        const float u = area_of(&point, &c[1], &c[2]) / area;
        const float v = area_of(&c[0], &point, &c[2]) / area;
        const float w = 1 - u - v;
        if (area != 0 && u >= -1e-4f && v >= -1e-4f && w >= -1e-4f)
            most = fmaxf(most, u * c[0].alpha + v * c[1].alpha + w * c[2].alpha);
    }
    return most;
}

static void expect_within(const triangles *t, float min_x, float min_y, float max_x, float max_y) {
    for (uint32_t i = 0; i < t->num_quads * 4; ++i) {
        const float *const p = t->vertices[i].position;
        if (!(p[0] >= min_x && p[0] <= max_x && p[1] >= min_y && p[1] <= max_y))
            fail_msg("a corner at (%g, %g) is outside of (%g, %g) to (%g, %g)", (double)p[0],
                     (double)p[1], (double)min_x, (double)min_y, (double)max_x, (double)max_y);
    }
}

// --- Rounded rectangles --------------------------------------------------------------------------

static const ct_gui_draw white = {.color = UINT32_MAX};

static void keeps_round_corners_within_a_pixel(void **state) {
    fixture *const f = *state;
    for (uint32_t i = 0; i < 20000; ++i) {
        const float far = i % 4 == 0 ? 20000.0f : 800.0f; // long lists are scrolled
        const ct_vec2 min = ct_vec2_make(between(f, -far, far), between(f, -far, far));
        const ct_vec2 size = ct_vec2_make(between(f, 0.01f, i % 3 ? 300.0f : 3.0f),
                                          between(f, 0.01f, i % 5 ? 100.0f : 3.0f));
        float radii[4];
        for (uint32_t k = 0; k < 4; ++k)
            radii[k] = i % 2 ? 1000.0f : test_random(&f->random) % 4 ? between(f, 0, 60) : 0.0f;
        const float border = i % 3 == 1 ? between(f, 1, 20) : 0.0f;
        ct_gui_rounded_rect(f->gui, &white, min, size, radii, border, UINT32_MAX);
        const triangles t = drawn(f);
        // A line thinner than a pixel has a fringe of a pixel.
        const bool is_thin = border > 0 && fminf(size.x, size.y) < 2.0f;
        const float edge = (is_thin ? 1.4143f : 1.0f) + 4e-7f * far;
        expect_within(&t, min.x - edge, min.y - edge, min.x + size.x + edge, min.y + size.y + edge);
        end_frame(f);
    }
}

// --- Lines ---------------------------------------------------------------------------------------

// Fails unless the strip is as wide as the line along the middle of each segment, and no corner
// is far from the path.
static void expect_full_width(fixture *f, const ct_vec2 *p, uint32_t count, float width,
                              bool is_closed) {
    ct_gui_polyline(f->gui, &white, p, count, width, is_closed);
    const triangles t = drawn(f);
    float min[2] = {p[0].x, p[0].y}, max[2] = {p[0].x, p[0].y};
    for (uint32_t i = 0; i < (is_closed ? count : count - 1); ++i) {
        const ct_vec2 a = p[i], b = p[(i + 1) % count];
        min[0] = fminf(min[0], b.x);
        min[1] = fminf(min[1], b.y);
        max[0] = fmaxf(max[0], b.x);
        max[1] = fmaxf(max[1], b.y);
        const float length = hypotf(b.x - a.x, b.y - a.y);
        if (length < width)
            continue;
        for (int32_t k = -4; k <= 4; ++k) {
            const float side = (0.5f * width - 0.51f) * (float)k / 4.0f / length;
            const float x = 0.5f * (a.x + b.x) + (b.y - a.y) * side;
            const float y = 0.5f * (a.y + b.y) - (b.x - a.x) * side;
            if (alpha_at(&t, x, y) < 0.98f)
                fail_msg("segment %u of %u: the opacity at (%g, %g) is %g", i, count, (double)x,
                         (double)y, (double)alpha_at(&t, x, y));
        }
    }
    const float most = 4.0f * 0.5f * (width + 1.0f) + 0.01f; // the mitre limit
    expect_within(&t, min[0] - most, min[1] - most, max[0] + most, max[1] + most);
    end_frame(f);
}

static void keeps_the_width_where_a_line_turns_back(void **state) {
    fixture *const f = *state;
    const ct_vec2 back[] = {{{10, 10}}, {{110, 10}}, {{10, 10}}};
    expect_full_width(f, back, 3, 8, false);
    const ct_vec2 shorter[] = {{{10, 10}}, {{110, 60}}, {{60, 35}}};
    expect_full_width(f, shorter, 3, 8, false);
    expect_full_width(f, shorter, 3, 8, true);
    for (float sharp = 1; sharp < 60; sharp += 2) {
        const ct_vec2 wedge[] = {{{10, 10}}, {{110, 10}}, {{10, 10 + sharp}}};
        expect_full_width(f, wedge, 3, 8, false);
        const ct_vec2 other[] = {{{10, 10}}, {{110, 10}}, {{10, 10 - sharp}}};
        expect_full_width(f, other, 3, 8, false);
        const ct_vec2 zigzag[] = {
            {{10, 10}}, {{210, 10 + sharp}}, {{10, 10 + 2 * sharp}}, {{210, 10 + 3 * sharp}}};
        expect_full_width(f, zigzag, 4, 8, false);
        expect_full_width(f, zigzag, 4, 1, false);
    }
}

static void keeps_the_width_at_points_that_are_nearly_doubled(void **state) {
    fixture *const f = *state;
    for (uint32_t i = 0; i < 16; ++i) {
        const float angle = turn * (float)i / 16.0f;
        const float x = 110 + 3e-4f * cosf(angle), y = 10 + 3e-4f * sinf(angle);
        const ct_vec2 line[] = {{{10, 10}}, {{110, 10}}, {{x, y}}, {{210, 40}}};
        expect_full_width(f, line, 4, 8, false);
        const ct_vec2 loop[] = {{{110, 10}}, {{210, 40}}, {{150, 100}}, {{x, y}}};
        expect_full_width(f, loop, 4, 8, true);
    }
    // Too few points are left: nothing is drawn.
    const ct_vec2 dot[] = {{{10, 10}}, {{10, 10}}, {{10, 10.0001f}}};
    ct_gui_polyline(f->gui, &white, dot, 3, 8, true);
    assert_int_equal(drawn(f).num_quads, 0);
}

static void keeps_the_width_of_random_lines(void **state) {
    fixture *const f = *state;
    ct_vec2 points[6];
    for (uint32_t i = 0; i < 5000; ++i) {
        const uint32_t count = 2 + test_random(&f->random) % 5;
        for (uint32_t k = 0; k < count; ++k) {
            const bool is_same = k > 1 && test_random(&f->random) % 4 == 0;
            points[k] = is_same ? points[test_random(&f->random) % (k - 1)]
                                : ct_vec2_make(between(f, 0, 400), between(f, 0, 400));
        }
        expect_full_width(f, points, count, between(f, 1.25f, 12), count > 2 && i % 2);
    }
}

// A bevel whose inner edges meet in the mitre draws no point twice.
static void draws_sharp_corners_once(void **state) {
    fixture *const f = *state;
    const ct_vec2 line[] = {{{10, 10}}, {{210, 10}}, {{10, 60}}};
    ct_gui_polyline(f->gui, &white, line, 3, 8, false);
    const triangles t = drawn(f);
    const float lengths = 200 + hypotf(200, 50);
    // Less the overlap at the corner, and with the bevel.
    assert_true(coverage_of(&t) < lengths * 8);
}

// --- Fillings ------------------------------------------------------------------------------------

// Fails unless what was drawn covers as much as `area`, within the rounding of opacities to bytes
// and `tolerance` square pixels.
static void expect_coverage(fixture *f, float area, float tolerance, const char *what, float size) {
    const triangles t = drawn(f);
    const float covered = coverage_of(&t);
    float min[2] = {INFINITY, INFINITY}, max[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < t.num_quads * 4; ++i)
        for (uint32_t k = 0; k < 2; ++k) {
            min[k] = fminf(min[k], t.vertices[i].position[k]);
            max[k] = fmaxf(max[k], t.vertices[i].position[k]);
        }
    const float rounding = 0.51f / 255.0f * (max[0] - min[0]) * (max[1] - min[1]);
    if (fabsf(covered - area) > tolerance + rounding + 1e-3f * area)
        fail_msg("%s of size %g covers %g, not %g", what, (double)size, (double)covered,
                 (double)area);
    end_frame(f);
}

// At corners the fringe covers a third of a square pixel more than it should.
static const float corners = 0.334f;

static void covers_as_much_as_its_area(void **state) {
    fixture *const f = *state;
    for (float size = 0.01f; size < 5.0f; size *= 1.07f) {
        const float tolerance = size > 1 ? corners : 0.01f;
        const float square[4] = {0}, round[4] = {1000, 1000, 1000, 1000};
        ct_gui_rounded_rect(f->gui, &white, ct_vec2_make(3, 5), ct_vec2_make(size, 40), square, 0,
                            0);
        expect_coverage(f, size * 40, tolerance, "a rectangle", size);
        ct_gui_rounded_rect(f->gui, &white, ct_vec2_make(3, 5), ct_vec2_make(40, size), square, 0,
                            0);
        expect_coverage(f, size * 40, tolerance, "a flat rectangle", size);
        ct_gui_rounded_rect(f->gui, &white, ct_vec2_make(3, 5), ct_vec2_make(size, size), square, 0,
                            0);
        expect_coverage(f, size * size, tolerance, "a square", size);
        // Segments of a circle are up to a quarter of a pixel inside of it.
        ct_gui_rounded_rect(f->gui, &white, ct_vec2_make(3, 5), ct_vec2_make(size, 40), round, 0,
                            0);
        const float caps = 0.2147f * size * size; // what round ends lack to square ones
        expect_coverage(f, size * 40 - caps, tolerance + 0.5f * caps + 0.3f * size, "a pill", size);
        ct_gui_arc(f->gui, &white, ct_vec2_make(3, 5), 0.5f * size, 0, 7, 0);
        const float disc = 0.7854f * size * size;
        expect_coverage(f, disc, fminf(0.4f * disc, tolerance + 0.4f * size), "a disc", size);
        ct_gui_arc(f->gui, &white, ct_vec2_make(3, 5), 40, 1, 1 + size / 40, 0);
        expect_coverage(f, 20 * size, 0.03f * 20 * size + corners, "a part of a disc", size);
    }
}

// Thin fillings are no wider than a pixel and their own width.
static void does_not_turn_inside_out(void **state) {
    fixture *const f = *state;
    const float radii[4] = {0.01f, 0, 0.01f, 0};
    ct_gui_rounded_rect(f->gui, &white, ct_vec2_make(10, 10), ct_vec2_make(0.02f, 30), radii, 0, 0);
    const triangles t = drawn(f);
    expect_within(&t, 9.4f, 9.4f, 10.7f, 40.6f);
    for (uint32_t i = 0; i < t.num_quads * 4; ++i)
        assert_true(t.vertices[i].color >> 24 <= 10);
}

// An opaque shape of some size is opaque.
static void keeps_larger_fillings_opaque(void **state) {
    fixture *const f = *state;
    const float radii[4] = {0};
    ct_gui_rounded_rect(f->gui, &white, ct_vec2_make(10, 10), ct_vec2_make(2, 2), radii, 0, 0);
    const triangles t = drawn(f);
    assert_true(alpha_at(&t, 11, 11) == 1.0f);
}

// At the tip of a part of a disc the opacity grows with the width, and the fringe is a pixel wide.
static void fades_towards_the_tips_of_parts_of_discs(void **state) {
    fixture *const f = *state;
    ct_gui_arc(f->gui, &white, ct_vec2_make(10, 10), 80, -0.025f, 0.025f, 0);
    const triangles t = drawn(f);
    for (float x = 2; x < 80; x += 2) {
        const float width = fminf(0.05f * x, 1.0f);
        assert_true(fabsf(alpha_at(&t, 10 + x, 10) - width) < 0.05f);
        assert_true(alpha_at(&t, 10 + x, 10.3f) > 0.3f * width);
    }
    end_frame(f);
    // The gap of a part that is almost whole is open.
    ct_gui_arc(f->gui, &white, ct_vec2_make(10, 10), 80, 0.025f, turn - 0.025f, 0);
    const triangles whole = drawn(f);
    assert_true(alpha_at(&whole, 60, 10) == 0.0f);
    assert_true(alpha_at(&whole, 60, 13) == 1.0f && alpha_at(&whole, 8, 10) == 1.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_round_corners_within_a_pixel, start, end),
        cmocka_unit_test_setup_teardown(keeps_the_width_where_a_line_turns_back, start, end),
        cmocka_unit_test_setup_teardown(keeps_the_width_at_points_that_are_nearly_doubled, start,
                                        end),
        cmocka_unit_test_setup_teardown(keeps_the_width_of_random_lines, start, end),
        cmocka_unit_test_setup_teardown(draws_sharp_corners_once, start, end),
        cmocka_unit_test_setup_teardown(covers_as_much_as_its_area, start, end),
        cmocka_unit_test_setup_teardown(does_not_turn_inside_out, start, end),
        cmocka_unit_test_setup_teardown(keeps_larger_fillings_opaque, start, end),
        cmocka_unit_test_setup_teardown(fades_towards_the_tips_of_parts_of_discs, start, end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
