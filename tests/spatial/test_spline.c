#include "spatial/spline.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

enum { MAX_POINTS = 12, FINE = 4000 };

// A spline with its arrays.
typedef struct made {
    ct_spline s;
    ct_vec3 points[MAX_POINTS], controls[3 * MAX_POINTS + 1];
    float lengths[CT_SPLINE_STEPS * MAX_POINTS + 1];
    uint32_t num_points;
} made;

static void finish(made *m, bool is_closed) {
    const uint32_t pieces = ct_spline_num_pieces(m->num_points, is_closed);
    ct_spline_measure(m->controls, pieces, m->lengths);
    m->s = (ct_spline){m->controls, m->lengths, pieces, is_closed};
}

static void make_catmull_rom(made *m, ct_random *r, bool is_closed) {
    m->num_points = 2 + ct_random_below(r, MAX_POINTS - 2);
    ct_vec3 p = {{0, 0, 0}};
    for (uint32_t i = 0; i < m->num_points; ++i) { // unevenly spaced
        p = ct_vec3_add(p,
                        ct_vec3_scale(ct_random_unit_vec3(r), ct_random_float_range(r, 0.2f, 8)));
        m->points[i] = p;
    }
    ct_spline_from_catmull_rom(m->points, m->num_points, is_closed, m->controls);
    finish(m, is_closed);
}

static void make_bezier(made *m, ct_random *r) {
    m->num_points = 2 + ct_random_below(r, MAX_POINTS - 2);
    for (uint32_t i = 0; i < 3 * m->num_points - 2; ++i)
        m->controls[i] = ct_vec3_scale(ct_random_unit_vec3(r), ct_random_float_range(r, 1, 5));
    finish(m, false);
}

// By de Casteljau: another way to a point of a piece.
static ct_vec3 fine_point(const made *m, uint32_t i) {
    const uint32_t piece = i / FINE < m->s.num_pieces ? i / FINE : m->s.num_pieces - 1;
    const float t = (float)(i - piece * FINE) / FINE;
    ct_vec3 c[4];
    memcpy(c, &m->controls[3 * piece], sizeof(c));
    for (uint32_t n = 3; n > 0; --n) {
        for (uint32_t k = 0; k < n; ++k)
            c[k] = ct_vec3_lerp(c[k], c[k + 1], t);
    }
    return c[0];
}

static float gap(ct_vec3 a, ct_vec3 b) {
    return ct_vec3_length(ct_vec3_sub(a, b));
}

static void goes_through_its_points(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 0);
    made m;
    for (uint32_t round = 0; round < 100; ++round) {
        make_catmull_rom(&m, &r, round % 2);
        for (uint32_t i = 0; i < m.num_points; ++i)
            assert_true(gap(ct_spline_step_position(&m.s, CT_SPLINE_STEPS * i), m.points[i]) <
                        1e-5f);
        const ct_vec3 end = ct_spline_step_position(&m.s, CT_SPLINE_STEPS * m.s.num_pieces);
        assert_true(gap(end, m.points[round % 2 ? 0 : m.num_points - 1]) < 1e-5f);
    }
}

// The curve does not turn sharply where pieces meet, also where a closed one meets its start.
static void catmull_rom_is_smooth(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(2, 0);
    made m;
    for (uint32_t round = 0; round < 100; ++round) {
        make_catmull_rom(&m, &r, round % 2);
        for (uint32_t i = round % 2 ? 0 : 1; i < m.s.num_pieces; ++i) {
            const uint32_t before = i > 0 ? i - 1 : m.s.num_pieces - 1;
            const ct_vec3 in = ct_vec3_sub(m.controls[3 * before + 3], m.controls[3 * before + 2]);
            const ct_vec3 out = ct_vec3_sub(m.controls[3 * i + 1], m.controls[3 * i]);
            if (ct_vec3_length(in) < 1e-3f || ct_vec3_length(out) < 1e-3f)
                continue;
            assert_true(ct_vec3_dot(ct_vec3_normalize(in), ct_vec3_normalize(out)) > 0.9999f);
        }
    }
}

// The centripetal spline as its definition has it: Barry and Goldman's pyramid.
static ct_vec3 pyramid(const ct_vec3 p[4], float t) {
    float knots[4] = {0};
    for (uint32_t i = 1; i < 4; ++i)
        knots[i] = knots[i - 1] + sqrtf(gap(p[i], p[i - 1]));
    const float at = knots[1] + t * (knots[2] - knots[1]);
    ct_vec3 level[4];
    memcpy(level, p, sizeof(level));
    for (uint32_t i = 0; i < 3; ++i)
        level[i] = ct_vec3_lerp(p[i], p[i + 1], (at - knots[i]) / (knots[i + 1] - knots[i]));
    for (uint32_t i = 0; i < 2; ++i)
        level[i] =
            ct_vec3_lerp(level[i], level[i + 1], (at - knots[i]) / (knots[i + 2] - knots[i]));
    return ct_vec3_lerp(level[0], level[1], (at - knots[1]) / (knots[2] - knots[1]));
}

static void catmull_rom_is_as_defined(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(3, 0);
    made m;
    for (uint32_t round = 0; round < 100; ++round) {
        do
            make_catmull_rom(&m, &r, false);
        while (m.num_points < 4);
        for (uint32_t step = 0; step <= CT_SPLINE_STEPS; ++step) {
            const ct_vec3 expected = pyramid(m.points, (float)step / CT_SPLINE_STEPS);
            assert_true(gap(ct_spline_step_position(&m.s, CT_SPLINE_STEPS + step), expected) <
                        1e-4f);
        }
    }
}

// A line of two points is straight and as long as it looks.
static void two_points_are_a_line(void **state) {
    (void)state;
    made m = {.points = {{{1, 0, 0}}, {{1, 10, 0}}}, .num_points = 2};
    ct_spline_from_catmull_rom(m.points, 2, false, m.controls);
    finish(&m, false);
    assert_float_equal(ct_spline_length(&m.s), 10, 1e-5);
    for (uint32_t i = 0; i <= 10; ++i) {
        const ct_spline_place place = ct_spline_at(&m.s, (float)i);
        assert_true(gap(place.position, ct_vec3_make(1, (float)i, 0)) < 1e-4f);
        assert_true(gap(place.tangent, ct_vec3_make(0, 1, 0)) < 1e-5f);
    }
}

static void lengths_match_many_short_lines(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(4, 0);
    made m;
    for (uint32_t round = 0; round < 30; ++round) {
        if (round % 2)
            make_bezier(&m, &r);
        else
            make_catmull_rom(&m, &r, round % 4 == 0);
        double sum = 0;
        for (uint32_t i = 0; i < FINE * m.s.num_pieces; ++i) {
            if (i % (FINE / CT_SPLINE_STEPS) == 0)
                assert_float_equal(m.lengths[i / (FINE / CT_SPLINE_STEPS)], sum, 1e-4 * sum + 1e-4);
            sum += (double)gap(fine_point(&m, i), fine_point(&m, i + 1));
        }
        assert_float_equal(ct_spline_length(&m.s), sum, 1e-4 * sum);
    }
}

// Walks the fine points and looks up each by its distance.
static void distances_lead_to_the_point_there(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(5, 0);
    made m;
    for (uint32_t round = 0; round < 30; ++round) {
        if (round % 2)
            make_bezier(&m, &r);
        else
            make_catmull_rom(&m, &r, round % 4 == 0);
        double sum = 0;
        for (uint32_t i = 0; i < FINE * m.s.num_pieces; ++i) {
            const ct_vec3 p = fine_point(&m, i), next = fine_point(&m, i + 1);
            if (i % 97 == 0) {
                const ct_spline_place place = ct_spline_at(&m.s, (float)sum);
                assert_true((double)gap(place.position, p) < 2e-4 * sum + 1e-3);
                assert_float_equal(ct_vec3_length(place.tangent), 1, 1e-4);
            }
            sum += (double)gap(p, next);
        }
    }
}

static void tangents_point_along_the_curve(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(6, 0);
    made m;
    for (uint32_t round = 0; round < 50; ++round) {
        make_catmull_rom(&m, &r, false);
        const float all = ct_spline_length(&m.s);
        for (uint32_t i = 1; i < 50; ++i) {
            const float d = all * (float)i / 50, h = 1e-4f * all;
            const ct_vec3 chord =
                ct_vec3_sub(ct_spline_at(&m.s, d + h).position, ct_spline_at(&m.s, d - h).position);
            // Evenly: the distance between two places is that along the curve.
            assert_true(fabsf(ct_vec3_length(chord) - 2 * h) < 0.2f * h);
            assert_true(ct_vec3_dot(ct_vec3_normalize(chord), ct_spline_at(&m.s, d).tangent) >
                        0.97f);
        }
    }
}

static void distances_are_clamped_or_go_round(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(7, 0);
    made m;
    make_catmull_rom(&m, &r, false);
    const float all = ct_spline_length(&m.s);
    assert_true(gap(ct_spline_at(&m.s, -5).position, m.points[0]) == 0);
    assert_true(gap(ct_spline_at(&m.s, all + 5).position, m.points[m.num_points - 1]) == 0);
    assert_true(ct_spline_at(&m.s, all + 5).distance == all);
    make_catmull_rom(&m, &r, true);
    const float round = ct_spline_length(&m.s);
    assert_true(gap(ct_spline_at(&m.s, 1).position, ct_spline_at(&m.s, round + 1).position) <
                1e-3f);
    assert_true(gap(ct_spline_at(&m.s, -1).position, ct_spline_at(&m.s, round - 1).position) <
                1e-3f);
    assert_true(gap(ct_spline_at(&m.s, round).position, m.points[0]) < 1e-5f);
}

static void nearest_is_as_near_as_any_fine_point(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(8, 0);
    made m;
    for (uint32_t round = 0; round < 60; ++round) {
        if (round % 2)
            make_bezier(&m, &r);
        else
            make_catmull_rom(&m, &r, round % 4 == 0);
        for (uint32_t n = 0; n < 5; ++n) {
            const ct_vec3 p =
                ct_vec3_scale(ct_random_unit_vec3(&r), ct_random_float_range(&r, 0, 12));
            float least = 1e30f;
            for (uint32_t i = 0; i <= FINE * m.s.num_pieces; ++i)
                least = fminf(least, gap(p, fine_point(&m, i)));
            const ct_spline_place place = ct_spline_nearest(&m.s, p);
            assert_true(gap(p, place.position) <= least + 1e-4f);
            // Its distance leads back to it.
            assert_true(gap(ct_spline_at(&m.s, place.distance).position, place.position) < 2e-3f);
        }
    }
}

// A Bézier piece without handles, and one that is a single point.
static void pieces_without_handles_have_tangents(void **state) {
    (void)state;
    const ct_vec3 a = {{0, 0, 0}}, b = {{4, 0, 0}};
    made m = {.controls = {a, a, b, b, b, b, b}, .num_points = 3};
    finish(&m, false);
    assert_float_equal(ct_spline_length(&m.s), 4, 1e-4);
    for (uint32_t i = 0; i <= 8; ++i) {
        const ct_spline_place place = ct_spline_at(&m.s, 0.5f * (float)i);
        assert_true(gap(place.position, ct_vec3_make(0.5f * (float)i, 0, 0)) < 1e-3f);
    }
    for (uint32_t i = 0; i < 8; ++i)
        assert_true(gap(ct_spline_at(&m.s, 0.5f * (float)i).tangent, ct_vec3_make(1, 0, 0)) <
                    1e-4f);
    for (uint32_t i = 0; i < 7; ++i)
        m.controls[i] = b;
    finish(&m, false);
    const ct_spline_place place = ct_spline_at(&m.s, 3);
    assert_true(gap(place.position, b) == 0 && ct_vec3_length(place.tangent) == 0);
    assert_true(gap(ct_spline_nearest(&m.s, a).position, b) < 1e-5f);
}

static void bounds_enclose_the_curve(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(9, 0);
    made m;
    make_bezier(&m, &r);
    const ct_aabb box = ct_spline_bounds(&m.s);
    for (uint32_t i = 0; i <= FINE * m.s.num_pieces; i += 10) {
        const ct_vec3 p = fine_point(&m, i);
        for (uint32_t k = 0; k < 3; ++k)
            assert_true(p.raw[k] >= box.min.raw[k] - 1e-5f && p.raw[k] <= box.max.raw[k] + 1e-5f);
    }
    assert_true(box.max.x - box.min.x < 11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_through_its_points),
        cmocka_unit_test(catmull_rom_is_smooth),
        cmocka_unit_test(catmull_rom_is_as_defined),
        cmocka_unit_test(two_points_are_a_line),
        cmocka_unit_test(lengths_match_many_short_lines),
        cmocka_unit_test(distances_lead_to_the_point_there),
        cmocka_unit_test(tangents_point_along_the_curve),
        cmocka_unit_test(distances_are_clamped_or_go_round),
        cmocka_unit_test(nearest_is_as_near_as_any_fine_point),
        cmocka_unit_test(pieces_without_handles_have_tangents),
        cmocka_unit_test(bounds_enclose_the_curve),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
