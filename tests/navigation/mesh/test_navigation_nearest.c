// test_navigation_nearest.c: the nearest polygon, heights, and whether polygons that touch have ways.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_checks.h"

enum { SIDE = 30 };

static float number(uint32_t *seed, float least, float most) {
    return least + (most - least) * (float)(test_random(seed) % 100001) / 100000;
}

typedef struct scene {
    ct_navigation_resource *resource;
    ct_navigation_mesh *mesh;
    float heights[2 * SIDE * SIDE];
    char text[2 * SIDE * SIDE];
    const char *rows[2 * SIDE];
} scene;

// Two floors, the second 3 m above the first.
static void start(scene *s, uint32_t *seed, uint32_t walls, uint32_t num_obstacles) {
    for (uint32_t i = 0; i < 2 * SIDE * SIDE; ++i) {
        s->text[i] = test_random(seed) % 100 < walls ? '@' : ".....1"[test_random(seed) % 6];
        s->heights[i] = (float)(test_random(seed) % 30 / 28) * 0.4f + (i < SIDE * SIDE ? 0 : 3);
    }
    for (uint32_t i = 0; i < 2 * SIDE; ++i)
        s->rows[i] = s->text + i * SIDE;
    s->resource = navigation_fixture_make(&(navigation_fixture_desc){.rows = s->rows,
                                                                     .width = SIDE,
                                                                     .height = SIDE,
                                                                     .num_layers = 2,
                                                                     .heights = s->heights,
                                                                     .tile_cells = 8,
                                                                     .radius = 0.25f});
    s->mesh = navigation_checks_mesh(s->resource);
    for (uint32_t i = 0; i < num_obstacles; ++i) {
        const ct_navigation_obstacle_desc d = {
            .shape = test_random(seed) % 2,
            .position = {{number(seed, 0, SIDE), number(seed, 0, SIDE),
                          (float)(test_random(seed) % 2) * 3}},
            .angle = number(seed, 0, 3),
            .half_size = {{number(seed, 0.1f, 3), number(seed, 0.1f, 3)}},
            .height = 1,
            .area = test_random(seed) % 3 ? -1 : 2};
        ct_error error = {.message = ""};
        assert_int_not_equal(ct_navigation_add_obstacle(s->mesh, &d, &error).id, 0);
    }
    ct_navigation_mesh_update(s->mesh, 1000);
}

static void stop(scene *s) {
    ct_navigation_mesh_destroy(s->mesh);
    free(s->resource);
}

// The distance by which nearest polygons are chosen, of a face; INFINITY: it is out of reach.
static float distance_of(const ct_navigation_mesh *m, const ct_navigation_filter *f,
                         ct_navigation_place p, ct_vec3 point, ct_vec3 reach) {
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, NULL);
    if (f && isinf(f->costs[ct_navigation_face_at(tiles, p)->area]))
        return INFINITY;
    const ct_vec3 at = ct_navigation_closest_on(m, p, point);
    const ct_vec3 d = ct_vec3_sub(at, point);
    if (fabsf(d.x) > reach.x || fabsf(d.y) > reach.y || fabsf(d.z) > reach.z)
        return INFINITY;
    const float climb = ct_navigation_mesh_class(m)->climb;
    const float up =
        ct_navigation_contains(m, p, point) ? fmaxf(fabsf(d.z) - climb, 0) : fabsf(d.z);
    return sqrtf(d.x * d.x + d.y * d.y + up * up);
}

static void finds_what_looking_at_all_finds(void **state) {
    (void)state;
    uint32_t seed = 21;
    for (uint32_t round = 0; round < test_rounds(3, 60); ++round) {
        scene s;
        start(&s, &seed, 20, 20);
        ct_navigation_filter filter = ct_navigation_filter_of(s.mesh);
        filter.costs[1] = INFINITY;
        uint32_t count;
        const ct_navigation_tile *const tiles = ct_navigation_tiles(s.mesh, &count);
        for (uint32_t i = 0; i < 60; ++i) {
            const ct_vec3 point = ct_vec3_make(number(&seed, -3, SIDE + 3),
                                               number(&seed, -3, SIDE + 3), number(&seed, -2, 5));
            const ct_vec3 reach = ct_vec3_make(number(&seed, 0, i % 5 ? 3 : 40),
                                               number(&seed, 0, 3), number(&seed, 0, 3));
            const ct_navigation_filter *const f = i % 2 ? &filter : NULL;
            float least = INFINITY;
            for (uint32_t t = 1; t < count; ++t)
                for (uint32_t k = 0; k < tiles[t].num_faces; ++k)
                    least = fminf(least,
                                  distance_of(s.mesh, f, CT_NAVIGATION_PLACE(t, k), point, reach));
            ct_vec3 at = ct_vec3_make(0, 0, 0);
            const ct_navigation_place p = ct_navigation_nearest(s.mesh, f, point, reach, &at);
            assert_int_equal(p != 0, least < INFINITY);
            if (p == 0)
                continue;
            assert_float_equal(distance_of(s.mesh, f, p, point, reach), least, 1e-3f);
            const ct_vec3 closest = ct_navigation_closest_on(s.mesh, p, point);
            assert_true(ct_vec3_length(ct_vec3_sub(closest, at)) < 1e-4f);
        }
        stop(&s);
    }
}

static void points_that_are_not_finite_have_no_polygon(void **state) {
    (void)state;
    uint32_t seed = 3;
    scene s;
    start(&s, &seed, 0, 0);
    const float strange[] = {NAN, INFINITY, -INFINITY};
    const ct_vec3 reach = ct_vec3_make(1, 1, 1);
    for (uint32_t i = 0; i < 9; ++i) {
        ct_vec3 point = ct_vec3_make(5, 5, 0);
        point.raw[i % 3] = strange[i / 3];
        assert_int_equal(ct_navigation_nearest(s.mesh, NULL, point, reach, NULL), 0);
    }
    const ct_vec3 point = ct_vec3_make(1e38f, -1e38f, 0);
    assert_int_equal(ct_navigation_nearest(s.mesh, NULL, point, reach, NULL), 0);
    const ct_vec3 all = ct_vec3_make(INFINITY, INFINITY, INFINITY);
    assert_int_not_equal(ct_navigation_nearest(s.mesh, NULL, ct_vec3_make(-500, 99, 8), all, NULL),
                         0);
    assert_int_equal(
        ct_navigation_nearest(s.mesh, NULL, ct_vec3_make(5, 5, 0), ct_vec3_make(1, NAN, 1), NULL),
        0);
    stop(&s);
}

static void heights_are_those_of_the_surface(void **state) {
    (void)state;
    // A cell of its own height slopes at its sides only: corners have means of four cells.
    const char *const rows[] = {"....", "....", "....", "...."};
    const float heights[16] = {0, 0, 0, 0, 0, 0.4f, 0, 0};
    ct_navigation_resource *const r = navigation_fixture_make(
        &(navigation_fixture_desc){.rows = rows, .width = 4, .height = 4, .heights = heights});
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    const ct_vec3 reach = ct_vec3_make(0.1f, 0.1f, 1);
    ct_vec3 at;
    const ct_navigation_place p =
        ct_navigation_nearest(m, NULL, ct_vec3_make(1.5f, 1.5f, 0), reach, &at);
    assert_int_not_equal(p, 0);
    assert_float_equal(at.z, 0.1f, 1e-4f);
    assert_int_not_equal(ct_navigation_nearest(m, NULL, ct_vec3_make(0.5f, 1, 0), reach, &at), 0);
    assert_float_equal(at.z, 0.05f, 1e-4f);
    const ct_vec3 far = ct_navigation_closest_on(m, p, ct_vec3_make(9, 1.5f, 7));
    assert_float_equal(far.x, 2, 1e-4f);
    assert_float_equal(far.z, ct_navigation_height(m, p, far), 1e-6f);
    ct_navigation_mesh_destroy(m);
    free(r);
}

// Whether a face has a way over an edge that is open at a point of it.
static bool has_way_at(const ct_navigation_tile *tiles, ct_navigation_place from, uint32_t edge,
                       ct_vec3 point) {
    const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(from)];
    const ct_navigation_face *const f = ct_navigation_face_at(tiles, from);
    for (uint32_t i = 0; i < f->num_ways; ++i) {
        const ct_navigation_way *const w = &t->ways[f->first_way + i];
        if (w->edge != edge)
            continue;
        const double x = (double)w->left.x - w->right.x, y = (double)w->left.y - w->right.y;
        const double length = sqrt(x * x + y * y);
        const double along = ((point.x - w->right.x) * x + (point.y - w->right.y) * y) / length;
        if (along > -0.02 && along < length + 0.02)
            return true;
    }
    return false;
}

// Looks beyond a point of each edge: what is there can be reached over it.
static void check_edge(const scene *s, ct_navigation_place p, uint32_t edge, uint32_t *seed,
                       uint32_t *found) {
    const ct_navigation_tile *const tiles = ct_navigation_tiles(s->mesh, NULL);
    const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(p)];
    const ct_navigation_face *const f = ct_navigation_face_at(tiles, p);
    const ct_vec3 a = t->vertices[t->edges[f->first_edge + edge]];
    const ct_vec3 b = t->vertices[t->edges[f->first_edge + (edge + 1) % f->num_edges]];
    const ct_vec3 along = ct_vec3_sub(b, a);
    const float length = ct_vec3_length(along);
    if (length < 0.05f)
        return;
    const ct_vec3 on_edge = ct_vec3_lerp(a, b, number(seed, 0.2f, 0.8f));
    const ct_vec3 out = ct_vec3_make(along.y / length, -along.x / length, 0);
    const ct_vec3 beyond = ct_vec3_add(on_edge, ct_vec3_scale(out, 2e-3f));
    const ct_vec3 farther = ct_vec3_add(on_edge, ct_vec3_scale(out, 4e-3f));
    const ct_vec3 reach = ct_vec3_make(0, 0, 0.4f);
    const ct_navigation_place there = ct_navigation_nearest(s->mesh, NULL, beyond, reach, NULL);
    if (there == 0 || there == p || !ct_navigation_contains(s->mesh, there, farther))
        return;
    ++*found;
    assert_true(has_way_at(tiles, p, edge, on_edge));
}

static void polygons_that_touch_have_ways(void **state) {
    (void)state;
    uint32_t seed = 77, found = 0;
    for (uint32_t round = 0; round < test_rounds(6, 200); ++round) {
        scene s;
        start(&s, &seed, round % 3 * 10, round % 4 * 12);
        uint32_t count;
        const ct_navigation_tile *const tiles = ct_navigation_tiles(s.mesh, &count);
        for (uint32_t t = 1; t < count; ++t)
            for (uint32_t k = 0; k < tiles[t].num_faces; ++k)
                for (uint32_t e = 0; e < tiles[t].faces[k].num_edges; ++e)
                    check_edge(&s, CT_NAVIGATION_PLACE(t, k), e, &seed, &found);
        stop(&s);
    }
    assert_true(found > 10000);
}

// Which cells a flood over the grid reaches from a cell, on the first floor.
static void flood(const scene *s, uint32_t from, bool *reached) {
    uint32_t stack[SIDE * SIDE], count = 0;
    memset(reached, 0, SIDE * SIDE);
    reached[from] = true;
    stack[count++] = from;
    while (count) {
        const uint32_t at = stack[--count], x = at % SIDE, y = at / SIDE;
        const uint32_t next[4] = {x + 1 < SIDE ? at + 1 : at, y + 1 < SIDE ? at + SIDE : at,
                                  x ? at - 1 : at, y ? at - SIDE : at};
        for (uint32_t i = 0; i < 4; ++i)
            if (s->text[next[i]] != '@' && !reached[next[i]]) {
                reached[next[i]] = true;
                stack[count++] = next[i];
            }
    }
}

static void islands_are_what_a_flood_over_the_grid_reaches(void **state) {
    (void)state;
    uint32_t seed = 31;
    for (uint32_t round = 0; round < test_rounds(6, 200); ++round) {
        scene s;
        start(&s, &seed, 38, 0);
        ct_navigation_place places[SIDE * SIDE];
        for (uint32_t i = 0; i < SIDE * SIDE; ++i)
            places[i] = ct_navigation_nearest(
                s.mesh, NULL,
                ct_vec3_make((float)(i % SIDE) + 0.5f, (float)(i / SIDE) + 0.5f, 0.2f),
                ct_vec3_make(0, 0, 1), NULL);
        for (uint32_t i = 0; i < 20; ++i) {
            const uint32_t from = test_random(&seed) % (SIDE * SIDE);
            assert_int_equal(places[from] != 0, s.text[from] != '@');
            if (places[from] == 0)
                continue;
            bool reached[SIDE * SIDE];
            flood(&s, from, reached);
            for (uint32_t k = 0; k < SIDE * SIDE; ++k)
                if (places[k])
                    assert_int_equal(ct_navigation_is_connected(s.mesh, places[from], places[k]),
                                     reached[k]);
        }
        stop(&s);
    }
}

static void crossings_know_how_far_it_is(void **state) {
    (void)state;
    // Two tiles with a gap at each end of a wall; inside of the second it is 8 m between the gaps.
    const char *const rows[] = {"..........", "....@.....", "....@.....", "....@.....",
                                ".........."};
    ct_navigation_resource *const r = navigation_fixture_make(
        &(navigation_fixture_desc){.rows = rows, .width = 10, .height = 5, .tile_cells = 5});
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    navigation_checks_all(m);
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, NULL);
    for (uint32_t i = 1; i <= 2; ++i) {
        assert_int_equal(tiles[i].num_regions, 1);
        assert_int_equal(tiles[i].num_crossings, 2);
        assert_float_equal(tiles[i].crossings[0].middle.y, 0.5f, 1e-5f);
        assert_float_equal(tiles[i].crossings[1].middle.y, 4.5f, 1e-5f);
        assert_float_equal(tiles[i].crossings[0].middle.x, 5, 1e-5f);
        assert_int_equal(tiles[i].crossings[0].to_slot, 3 - i);
        assert_float_equal(tiles[i].crossing_lengths[0], 0, 0);
    }
    assert_float_equal(tiles[2].crossing_lengths[1], 4, 1e-4f);
    // Around the wall, over the middles of ways.
    assert_true(tiles[1].crossing_lengths[1] > 5.2f && tiles[1].crossing_lengths[1] < 8.5f);
    ct_navigation_mesh_destroy(m);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_looking_at_all_finds),
        cmocka_unit_test(points_that_are_not_finite_have_no_polygon),
        cmocka_unit_test(heights_are_those_of_the_surface),
        cmocka_unit_test(polygons_that_touch_have_ways),
        cmocka_unit_test(islands_are_what_a_flood_over_the_grid_reaches),
        cmocka_unit_test(crossings_know_how_far_it_is),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
