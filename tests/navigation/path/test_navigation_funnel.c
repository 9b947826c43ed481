// test_navigation_funnel.c: strings that are pulled through corridors have no needless corners.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_funnel.h"
#include "support/test_support.h"

// Turns around the origin, then moves up to kilometres away, where floats round.
typedef struct place {
    float cosine, sine, scale;
    ct_vec3 offset;
    bool is_mirrored;
} place;

static ct_vec3 put(const place *p, float x, float y) {
    x *= p->scale, y *= p->is_mirrored ? -p->scale : p->scale;
    return ct_vec3_make(p->offset.x + x * p->cosine - y * p->sine,
                        p->offset.y + x * p->sine + y * p->cosine, 0);
}

static ct_navigation_opening opening(const place *p, float left_x, float left_y, float right_x,
                                     float right_y) {
    const ct_vec3 left = put(p, left_x, left_y), right = put(p, right_x, right_y);
    return p->is_mirrored ? (ct_navigation_opening){right, left, 0}
                          : (ct_navigation_opening){left, right, 0};
}

static place random_place(uint32_t *random) {
    const float angle = (float)(test_random(random) % 6283) / 1000;
    return (place){.cosine = cosf(angle),
                   .sine = sinf(angle),
                   .scale = 0.5f + (float)(test_random(random) % 1000) / 200,
                   .offset = ct_vec3_make((float)(test_random(random) % 30000) / 10,
                                          (float)(test_random(random) % 30000) / 10, 0),
                   .is_mirrored = test_random(random) % 2};
}

static void assert_length(const place *p, const ct_navigation_opening *openings, uint32_t count,
                          ct_vec3 to, float metres) {
    const ct_navigation_place polygons[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    ct_navigation_corner corners[8];
    const uint32_t found =
        ct_navigation_pull(NULL, polygons, openings, count + 1, put(p, 0, 0), to, 0, corners, 8);
    assert_true(found >= 2);
    float length = 0;
    for (uint32_t i = 1; i < found; ++i)
        length += ct_vec3_length(ct_vec3_sub(corners[i].position, corners[i - 1].position));
    assert_float_equal(length / p->scale, metres, 2e-3f * metres);
}

// The second opening is seen along its edge: its near end is the corner, the far one is not on the way back.
static void turns_at_the_near_end_of_an_edge_that_is_seen_along(void **state) {
    (void)state;
    uint32_t random = 35;
    for (uint32_t i = 0; i < test_rounds(2000, 200000); ++i) {
        const place p = i ? random_place(&random) : (place){.cosine = 1, .scale = 1};
        const ct_navigation_opening openings[] = {opening(&p, 1, 0.5f, 1, -1),
                                                  opening(&p, 2, 0, 4, 0)};
        assert_length(&p, openings, 2, put(&p, 1, 3), 2 + sqrtf(10));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_at_the_near_end_of_an_edge_that_is_seen_along),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
