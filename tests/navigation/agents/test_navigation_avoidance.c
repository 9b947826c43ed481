// The solver of avoidance and the search for neighbours, over arrays and without a mesh.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/math/math.h"
#include "navigation/agents/navigation_avoidance.h"
#include "navigation/agents/navigation_neighbours.h"
#include "support/test_support.h"

enum { MAX_DISCS = 128 };

static const float DT = 1.0f / 60;

typedef struct flat_world {
    ct_navigation_neighbours neighbours;
    ct_navigation_body bodies[MAX_DISCS];
    ct_vec2 goals[MAX_DISCS];
    float speeds[MAX_DISCS];
    uint32_t count;
    float deepest; // overlap, as a part of the radius
} flat_world;

static flat_world *flat_create(void) {
    flat_world *w = CT_NEW(test_heap(), flat_world);
    ct_navigation_neighbours_init(&w->neighbours, test_heap());
    return w;
}

static void flat_destroy(flat_world *w) {
    ct_navigation_neighbours_free(&w->neighbours);
    ct_free(test_heap(), w);
}

static ct_navigation_body *flat_add(flat_world *w, float x, float y, float goal_x, float goal_y) {
    const uint32_t i = w->count++;
    w->bodies[i] = (ct_navigation_body){.position = ct_vec3_make(x, y, 0),
                                        .radius = 0.5f,
                                        .height = 2,
                                        .index = i,
                                        .key = i,
                                        .groups = 1,
                                        .flags = CT_NAVIGATION_BODY_GIVES_WAY};
    w->goals[i] = ct_vec2_make(goal_x, goal_y);
    w->speeds[i] = 1.4f;
    return &w->bodies[i];
}

static float flat_distance(const flat_world *w, uint32_t i) {
    const float x = w->goals[i].x - w->bodies[i].position.x;
    const float y = w->goals[i].y - w->bodies[i].position.y;
    return sqrtf(x * x + y * y);
}

static void flat_step(flat_world *w) {
    for (uint32_t i = 0; i < w->count; ++i) {
        const float distance = flat_distance(w, i);
        const float speed = fminf(w->speeds[i], distance * 4);
        const float part = distance > 1e-4f ? speed / distance : 0;
        w->bodies[i].wanted = ct_vec2_make((w->goals[i].x - w->bodies[i].position.x) * part,
                                           (w->goals[i].y - w->bodies[i].position.y) * part);
    }
    ct_navigation_neighbours_build(&w->neighbours, w->bodies, w->count, 2);
    for (uint32_t i = 0; i < w->count; ++i) {
        const ct_navigation_body *const self = &w->neighbours.bodies.items[i];
        const ct_navigation_body *others[CT_NAVIGATION_MAX_AVOIDED];
        const ct_navigation_avoidance a = {
            .wanted = self->wanted,
            .max_speed = w->speeds[self->index],
            .horizon = 2,
            .dt = 0.1f,
            .num_others = ct_navigation_neighbours_find(&w->neighbours, self, 6, ~0u, others),
            .others = others};
        w->bodies[self->index].velocity = self->flags & CT_NAVIGATION_BODY_GIVES_WAY
                                              ? ct_navigation_avoid(self, &a)
                                              : self->wanted;
    }
    for (uint32_t i = 0; i < w->count; ++i) {
        w->bodies[i].position.x += w->bodies[i].velocity.x * DT;
        w->bodies[i].position.y += w->bodies[i].velocity.y * DT;
    }
    for (uint32_t i = 0; i < w->count; ++i)
        for (uint32_t k = 0; k < i; ++k) {
            const ct_navigation_body *a = &w->bodies[i], *b = &w->bodies[k];
            const float x = a->position.x - b->position.x, y = a->position.y - b->position.y;
            const float gap = sqrtf(x * x + y * y) - a->radius - b->radius;
            w->deepest = fmaxf(w->deepest, -gap / fminf(a->radius, b->radius));
        }
}

// Returns the seconds until all are within 0.3 m of their goals, or `seconds`.
static float flat_run(flat_world *w, float seconds) {
    for (uint32_t step = 0; (float)step * DT < seconds; ++step) {
        uint32_t there = 0;
        for (uint32_t i = 0; i < w->count; ++i)
            there += flat_distance(w, i) < 0.3f;
        if (there == w->count)
            return (float)step * DT;
        flat_step(w);
    }
    return seconds;
}

// --- The linear program --------------------------------------------------------------------------

static void wants_what_is_allowed(void **state) {
    (void)state;
    const ct_vec2 v = ct_navigation_solve(NULL, 0, 0, ct_vec2_make(3, 4), 10);
    assert_true(v.x == 3 && v.y == 4);
    const ct_vec2 slow = ct_navigation_solve(NULL, 0, 0, ct_vec2_make(3, 4), 1);
    assert_float_equal(slow.x, 0.6f, 1e-6f);
    assert_float_equal(slow.y, 0.8f, 1e-6f);
}

static float broken_by(const ct_navigation_half_plane *p, ct_vec2 v) {
    return -(p->direction.x * (v.y - p->point.y) - p->direction.y * (v.x - p->point.x));
}

// The solution is no worse than any velocity of a fine grid.
static void finds_the_best_velocity(void **state) {
    (void)state;
    uint32_t random = 77;
    uint32_t num_feasible = 0;
    for (uint32_t round = 0; round < test_rounds(300, 20000); ++round) {
        ct_navigation_half_plane planes[8];
        const uint32_t num_walls = test_random(&random) % 3, count = 2 + test_random(&random) % 6;
        for (uint32_t i = 0; i < count; ++i) {
            const float angle = (float)(test_random(&random) % 6283) * 0.001f;
            const ct_vec2 direction = ct_vec2_make(cosf(angle), sinf(angle));
            const float depth = (float)(test_random(&random) % 1000) * 0.002f;
            const float offset = i < num_walls ? -depth : 1 - depth;
            planes[i] = (ct_navigation_half_plane){
                ct_vec2_make(-direction.y * offset, direction.x * offset), direction};
        }
        const uint32_t walls = num_walls < count ? num_walls : count;
        const ct_vec2 wanted = ct_vec2_make((float)(test_random(&random) % 200) * 0.01f - 1, 0.3f);
        const ct_vec2 v = ct_navigation_solve(planes, walls, count, wanted, 1);
        assert_true(v.x * v.x + v.y * v.y <= 1.0001f);
        float worst = 0;
        for (uint32_t i = 0; i < count; ++i) {
            if (i < walls)
                assert_true(broken_by(&planes[i], v) <= 1e-3f);
            worst = fmaxf(worst, broken_by(&planes[i], v));
        }
        const float missed =
            (v.x - wanted.x) * (v.x - wanted.x) + (v.y - wanted.y) * (v.y - wanted.y);
        num_feasible += worst < 1e-4f;
        for (int y = -20; y <= 20; ++y)
            for (int x = -20; x <= 20; ++x) {
                const ct_vec2 tried = ct_vec2_make((float)x * 0.05f, (float)y * 0.05f);
                float tried_worst = 0;
                bool fits_walls = tried.x * tried.x + tried.y * tried.y <= 1;
                for (uint32_t i = 0; i < count; ++i) {
                    const float broken = broken_by(&planes[i], tried);
                    fits_walls &= i >= walls || broken <= 0;
                    tried_worst = fmaxf(tried_worst, broken);
                }
                if (!fits_walls)
                    continue;
                assert_true(worst <= tried_worst + 1e-3f);
                const float tried_missed = (tried.x - wanted.x) * (tried.x - wanted.x) +
                                           (tried.y - wanted.y) * (tried.y - wanted.y);
                if (tried_worst <= 0 && worst < 1e-4f)
                    assert_true(missed <= tried_missed + 1e-3f);
            }
    }
    assert_true(num_feasible > 30);
}

// --- Neighbours ----------------------------------------------------------------------------------

static void finds_the_nearest_neighbours(void **state) {
    (void)state;
    enum { COUNT = 300 };
    ct_navigation_neighbours n;
    ct_navigation_neighbours_init(&n, test_heap());
    ct_navigation_body *bodies = CT_NEW_ARRAY(test_heap(), ct_navigation_body, COUNT);
    uint32_t random = 5;
    for (uint32_t round = 0; round < test_rounds(10, 300); ++round) {
        const float size = round % 3 == 0 ? 2000 : 40;
        for (uint32_t i = 0; i < COUNT; ++i)
            bodies[i] = (ct_navigation_body){
                .position = ct_vec3_make(size * (float)(test_random(&random) % 4096) / 4096 - 20,
                                         size * (float)(test_random(&random) % 4096) / 4096 - 20,
                                         (float)(test_random(&random) % 3) * 1.5f),
                .radius = 0.3f + (float)(test_random(&random) % 100) * 0.01f,
                .height = 2,
                .index = i,
                .key = i,
                .groups = 1u << test_random(&random) % 2};
        ct_navigation_neighbours_build(&n, bodies, COUNT, 2);
        for (uint32_t i = 0; i < COUNT; ++i) {
            const ct_navigation_body *const self = &n.bodies.items[n.places.items[i]];
            assert_int_equal(self->index, i);
            const ct_navigation_body *others[CT_NAVIGATION_MAX_AVOIDED];
            const uint32_t count = ct_navigation_neighbours_find(&n, self, 5, 2, others);
            float farthest = -10;
            uint32_t num_nearer = 0, num_in_range = 0;
            for (uint32_t k = 0; k < count; ++k) {
                const float x = others[k]->position.x - self->position.x;
                const float y = others[k]->position.y - self->position.y;
                const float distance = sqrtf(x * x + y * y) - others[k]->radius;
                assert_true(distance >= farthest && others[k]->groups == 2);
                farthest = distance;
            }
            for (uint32_t k = 0; k < COUNT; ++k) {
                const float x = bodies[k].position.x - self->position.x;
                const float y = bodies[k].position.y - self->position.y;
                const float distance = sqrtf(x * x + y * y) - bodies[k].radius;
                if (k == i || bodies[k].groups != 2 ||
                    fabsf(bodies[k].position.z - self->position.z) >= 2)
                    continue;
                num_in_range += distance < 5;
                num_nearer += distance < farthest;
            }
            assert_int_equal(count, num_in_range < 12 ? num_in_range : 12);
            assert_true(num_nearer < 12);
        }
    }
    ct_free(test_heap(), bodies);
    ct_navigation_neighbours_free(&n);
}

// --- Pairs and crowds ----------------------------------------------------------------------------

static void two_head_on_pass(void **state) {
    (void)state;
    flat_world *const w = flat_create();
    flat_add(w, -8, 0, 8, 0);
    flat_add(w, 8, 0, -8, 0);
    assert_true(flat_run(w, 40) < 14); // straight: 11.4
    assert_true(w->deepest < 0.05f);
    flat_destroy(w);
}

static void one_passes_what_stands(void **state) {
    (void)state;
    flat_world *w = flat_create();
    flat_add(w, -8, 0, 8, 0);
    ct_navigation_body *const post = flat_add(w, 0, 0, 0, 0);
    post->flags = 0;
    assert_true(flat_run(w, 40) < 14);
    assert_true(w->deepest < 0.05f);
    assert_true(w->bodies[1].position.x == 0 && w->bodies[1].position.y == 0);
    flat_destroy(w);
}

static void circle_of_hundred_swaps(void **state) {
    (void)state;
    flat_world *const w = flat_create();
    for (uint32_t i = 0; i < 100; ++i) {
        const float angle = (float)i * 6.2831853f / 100;
        flat_add(w, 24 * cosf(angle), 24 * sinf(angle), -24 * cosf(angle), -24 * sinf(angle));
    }
    const float seconds = flat_run(w, 200);
    printf("circle of 100: %.1f s, overlap %.3f of a radius\n", (double)seconds,
           (double)w->deepest);
    assert_true(seconds < 80);
    assert_true(w->deepest < 0.1f); // nothing moves apart those that overlap here
    flat_destroy(w);
}

static void higher_priority_turns_less(void **state) {
    (void)state;
    flat_world *const w = flat_create();
    flat_add(w, -8, 0, 8, 0)->priority = 3;
    flat_add(w, 8, 0, -8, 0);
    float turned[2] = {0, 0};
    for (uint32_t step = 0; step < 900; ++step) {
        flat_step(w);
        for (uint32_t i = 0; i < 2; ++i)
            turned[i] = fmaxf(turned[i], fabsf(w->bodies[i].position.y));
    }
    printf("turned by %.3f and %.3f m\n", (double)turned[0], (double)turned[1]);
    assert_true(turned[0] * 4 < turned[1]);
    flat_destroy(w);
}

static void shares_add_to_one(void **state) {
    (void)state;
    ct_navigation_body a = {.flags = CT_NAVIGATION_BODY_GIVES_WAY}, b = a;
    for (uint32_t p = 0; p < 256; ++p) {
        a.priority = p & 15, b.priority = p >> 4;
        assert_float_equal(ct_navigation_share(&a, &b) + ct_navigation_share(&b, &a), 1, 1e-6f);
    }
    b.flags = 0;
    assert_true(ct_navigation_share(&a, &b) == 1 && ct_navigation_share(&b, &a) == 0);
}

static void two_in_one_place_come_apart(void **state) {
    (void)state;
    flat_world *const w = flat_create();
    flat_add(w, 0, 0, 0, 0);
    flat_add(w, 0, 0, 0, 0);
    for (uint32_t i = 0; i < 60; ++i)
        flat_step(w);
    w->deepest = 0;
    for (uint32_t i = 0; i < 60; ++i)
        flat_step(w);
    printf("two in one place: overlap %.3f of a radius\n", (double)w->deepest);
    assert_true(w->deepest < 0.1f); // both go on wanting the same place
    flat_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wants_what_is_allowed),        cmocka_unit_test(finds_the_best_velocity),
        cmocka_unit_test(finds_the_nearest_neighbours), cmocka_unit_test(two_head_on_pass),
        cmocka_unit_test(one_passes_what_stands),       cmocka_unit_test(circle_of_hundred_swaps),
        cmocka_unit_test(higher_priority_turns_less),   cmocka_unit_test(shares_add_to_one),
        cmocka_unit_test(two_in_one_place_come_apart),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
