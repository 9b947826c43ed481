// test_navigation_carve.c: meshes after random changes are right, and the same as those made at once.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_campaign.h"

static void edits_give_what_making_at_once_gives(void **state) {
    (void)state;
    uint32_t seed = 11;
    for (uint32_t round = 0; round < test_rounds(12, 400); ++round) {
        campaign c;
        campaign_start(&c, &seed, round % 3 * 15);
        for (uint32_t step = 0; step < 10; ++step) {
            for (uint32_t i = test_random(&seed) % 5; i-- > 0;)
                campaign_change(&c, &seed);
            if (test_random(&seed) % 3 == 0)
                campaign_toggle_tile(&c, &seed);
            if (test_random(&seed) % 3 == 0)
                campaign_toggle_link(&c, &seed);
            if (test_random(&seed) % 4 == 0)
                campaign_obstruct(&c, &seed);
            if (test_random(&seed) % 4 == 0)
                campaign_make_twin(&c);
            campaign_update(&c, test_random(&seed) % 4);
        }
        navigation_checks_lengths(c.mesh);
        campaign_finish(&c);
        navigation_checks_lengths(c.mesh);
        campaign_compare(&c);
        campaign_stop(&c);
    }
}

// Clips a convex polygon by another and returns the area of what both share.
static double shared_area(const ct_vec2 *points, uint32_t count, const ct_vec2 *by,
                          uint32_t by_count) {
    double x[2][64], y[2][64];
    uint32_t n = count;
    for (uint32_t i = 0; i < n; ++i)
        x[0][i] = points[i].x, y[0][i] = points[i].y;
    for (uint32_t k = 0; k < by_count; ++k) {
        const ct_vec2 a = by[k], b = by[(k + 1) % by_count];
        const double *const ax = x[k & 1], *const ay = y[k & 1];
        double *const bx = x[~k & 1], *const by_ = y[~k & 1];
        uint32_t m = 0;
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t j = (i + 1) % n;
            const double s =
                ((double)b.x - a.x) * (ay[i] - a.y) - ((double)b.y - a.y) * (ax[i] - a.x);
            const double t =
                ((double)b.x - a.x) * (ay[j] - a.y) - ((double)b.y - a.y) * (ax[j] - a.x);
            if (s >= 0)
                bx[m] = ax[i], by_[m++] = ay[i];
            if (s * t < 0)
                bx[m] = ax[i] + (ax[j] - ax[i]) * s / (s - t),
                by_[m++] = ay[i] + (ay[j] - ay[i]) * s / (s - t);
        }
        n = m;
    }
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += x[by_count & 1][i] * y[by_count & 1][(i + 1) % n] -
               y[by_count & 1][i] * x[by_count & 1][(i + 1) % n];
    return sum * 0.5;
}

static void holes_have_the_size_of_their_obstacle(void **state) {
    (void)state;
    uint32_t seed = 5;
    const float radius = 0.3f;
    for (uint32_t round = 0; round < test_rounds(100, 5000); ++round) {
        campaign c;
        campaign_start(&c, &seed, round % 2 * 20);
        const double before = navigation_checks_area(c.mesh, -1);
        ct_navigation_obstacle_desc d = campaign_obstacle(&seed);
        d.shape = CT_NAVIGATION_BOX;
        d.position.z = 0;
        d.height = 2;
        d.area = round % 4 == 0 ? 3 : -1;
        const float grow = d.area < 0 ? radius : 0;
        const float w = d.half_size.x + grow, h = d.half_size.y + grow;
        const float cosine = cosf(d.angle), sine = sinf(d.angle);
        const ct_vec2 corners[4] = {{{-w, -h}}, {{w, -h}}, {{w, h}}, {{-w, h}}};
        ct_vec2 box[4];
        for (uint32_t i = 0; i < 4; ++i)
            box[i] = ct_vec2_make(d.position.x + corners[i].x * cosine - corners[i].y * sine,
                                  d.position.y + corners[i].x * sine + corners[i].y * cosine);
        uint32_t count;
        const ct_navigation_tile *const tiles = ct_navigation_tiles(c.mesh, &count);
        double under = 0;
        for (uint32_t i = 1; i < count; ++i)
            for (uint32_t k = 0; k < tiles[i].num_faces; ++k) {
                ct_vec2 points[16];
                const ct_navigation_face *const f = &tiles[i].faces[k];
                for (uint32_t e = 0; e < f->num_edges; ++e) {
                    const ct_vec3 v = tiles[i].vertices[tiles[i].edges[f->first_edge + e]];
                    points[e] = ct_vec2_make(v.x, v.y);
                }
                under += shared_area(points, f->num_edges, box, 4);
            }
        ct_error error = {.message = ""};
        ct_navigation_add_obstacle(c.mesh, &d, &error);
        ct_navigation_mesh_update(c.mesh, UINT32_MAX);
        navigation_checks_all(c.mesh);
        const double after = navigation_checks_area(c.mesh, -1);
        if (d.area < 0)
            assert_true(fabs(before - under - after) < 1e-4 * CAMPAIGN_SIDE);
        else
            assert_true(fabs(before - after) < 1e-4 * CAMPAIGN_SIDE &&
                        fabs(under - navigation_checks_area(c.mesh, 3)) < 1e-4 * CAMPAIGN_SIDE);
        campaign_stop(&c);
    }
}

static void obstacles_everywhere_leave_a_sound_mesh(void **state) {
    (void)state;
    uint32_t seed = 3;
    campaign c;
    campaign_start(&c, &seed, 0);
    ct_error error = {.message = ""};
    for (uint32_t i = 0; i < 1500; ++i) {
        ct_navigation_obstacle_desc d = campaign_obstacle(&seed);
        d.half_size = ct_vec2_make(0.05f, 0.05f);
        for (uint32_t k = 0; k < d.num_points; ++k)
            d.points[k] = ct_vec2_make(d.points[k].x * 0.05f, d.points[k].y * 0.05f);
        assert_int_not_equal(ct_navigation_add_obstacle(c.mesh, &d, &error).id, 0);
    }
    ct_navigation_mesh_update(c.mesh, UINT32_MAX);
    navigation_checks_all(c.mesh);
    campaign_stop(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_give_what_making_at_once_gives),
        cmocka_unit_test(holes_have_the_size_of_their_obstacle),
        cmocka_unit_test(obstacles_everywhere_leave_a_sound_mesh),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
