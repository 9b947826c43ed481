// test_navigation_search.c: paths at once, rays, moves along walls, random points and fields.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_path_maps.h"

static ct_navigation_path find(ct_navigation_search *s, const path_map *m, ct_vec3 from,
                               ct_vec3 to) {
    ct_navigation_path path;
    ct_navigation_find_path(s, m->mesh, &(ct_navigation_path_desc){.from = from, .to = to}, &path);
    return path;
}

static void make(path_map *m, const char *const *rows, uint32_t height,
                 navigation_fixture_desc desc) {
    m->width = (uint32_t)strlen(rows[0]);
    m->height = height;
    for (uint32_t y = 0; y < height; ++y)
        memcpy(m->cells[y], rows[y], m->width + 1);
    path_map_make_mesh(m, desc);
}

// In one tile, paths are the shortest that there are.
static void finds_the_shortest_paths_nearby(void **state) {
    (void)state;
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    uint32_t random = 7;
    path_map m;
    for (uint32_t round = 0; round < test_rounds(60, 2000); ++round) {
        path_map_random(&m, &random, 12, 16);
        for (uint32_t i = 0; i < 6; ++i) {
            ct_vec3 from, to;
            if (!path_map_place(&m, &random, &from) || !path_map_place(&m, &random, &to))
                continue;
            const ct_navigation_path path = find(s, &m, from, to);
            const float octile = path_map_octile(&m, from, to);
            assert_int_equal(isfinite(octile), path.status == CT_NAVIGATION_FOUND);
            if (!isfinite(octile))
                continue;
            path_map_assert_walkable(&m, &path);
            const float shortest = path_map_shortest(&m, from, to);
            assert_true(fabsf(path.length - shortest) < 2e-3f);
        }
        path_map_free(&m);
    }
    ct_navigation_search_destroy(s);
}

// Over tiles, the estimate may be a little too high.
static void finds_short_paths_over_tiles(void **state) {
    (void)state;
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    uint32_t random = 11, count = 0;
    float longest = 0;
    double sum = 0;
    path_map m;
    for (uint32_t round = 0; round < test_rounds(60, 2000); ++round) {
        path_map_random(&m, &random, PATH_MAP_MOST - 1, 8);
        for (uint32_t i = 0; i < 8; ++i) {
            ct_vec3 from, to;
            if (!path_map_place(&m, &random, &from) || !path_map_place(&m, &random, &to))
                continue;
            const ct_navigation_path path = find(s, &m, from, to);
            const float octile = path_map_octile(&m, from, to);
            assert_int_equal(isfinite(octile), path.status == CT_NAVIGATION_FOUND);
            if (!isfinite(octile) || octile <= 0)
                continue;
            path_map_assert_walkable(&m, &path);
            longest = fmaxf(longest, path.length / octile);
            sum += (double)(path.length / octile);
            ++count;
        }
        path_map_free(&m);
    }
    printf("%u paths: %.3f of the octile length in the mean, at most %.3f\n", count, sum / count,
           (double)longest);
    assert_true(count > 100 && sum / count < 0.97);
    assert_true(longest < 1.1f);
    ct_navigation_search_destroy(s);
}

static void answers_unreachable_goals_at_once(void **state) {
    (void)state;
    static const char *const rows[] = {"....@....", "....@....", "....@....", "....@...."};
    path_map m;
    make(&m, rows, 4, (navigation_fixture_desc){.tile_cells = 4});
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    ct_navigation_path path = find(s, &m, ct_vec3_make(0.5f, 0.5f, 0), ct_vec3_make(8, 1, 0));
    assert_int_equal(path.status, CT_NAVIGATION_UNREACHABLE);
    assert_int_equal(path.num_looked_at, 0);
    ct_navigation_find_path(s, m.mesh,
                            &(ct_navigation_path_desc){.from = {{0.5f, 0.5f, 0}},
                                                       .to = {{8, 2.5f, 0}},
                                                       .allows_partial = true},
                            &path);
    assert_int_equal(path.status, CT_NAVIGATION_PARTIAL);
    const ct_vec3 end = path.corners[path.num_corners - 1].position;
    assert_true(fabsf(end.x - 4) < 1e-3f && fabsf(end.y - 2.5f) < 1e-3f);
    ct_navigation_search_destroy(s);
    path_map_free(&m);
}

static void refuses_ends_off_the_mesh_and_wrong_numbers(void **state) {
    (void)state;
    static const char *const rows[] = {"....", "....", "....", "...."};
    path_map m;
    make(&m, rows, 4, (navigation_fixture_desc){.tile_cells = 4});
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    const ct_vec3 good = ct_vec3_make(1, 1, 0);
    const ct_vec3 wrong[] = {{{NAN, 1, 0}}, {{1, INFINITY, 0}}, {{40, 1, 0}},
                             {{1, 1, 90}},  {{-1e30f, 1, 0}},   {{3e38f, -3e38f, 3e38f}}};
    for (uint32_t i = 0; i < sizeof(wrong) / sizeof(*wrong); ++i) {
        assert_int_equal(find(s, &m, wrong[i], good).status, CT_NAVIGATION_OFF_MESH);
        assert_int_equal(find(s, &m, good, wrong[i]).status, CT_NAVIGATION_OFF_MESH);
        ct_navigation_place end;
        ct_vec3 at, normal;
        const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
        const ct_navigation_place start =
            ct_navigation_nearest(m.mesh, &filter, good, ct_vec3_make(1, 1, 1), &at);
        assert_true(start != 0);
        if (isfinite(wrong[i].x) && isfinite(wrong[i].y))
            continue;
        assert_false(ct_navigation_ray(m.mesh, NULL, start, good, wrong[i], &end, &at, &normal));
        assert_int_equal(ct_navigation_slide(m.mesh, NULL, start, good, wrong[i], &at), start);
    }
    const ct_navigation_path path = find(s, &m, good, good);
    assert_int_equal(path.status, CT_NAVIGATION_FOUND);
    assert_true(path.length <= 0);
    ct_navigation_search_destroy(s);
    path_map_free(&m);
}

static void goes_around_dear_ground(void **state) {
    (void)state;
    static const char *const rows[] = {".........", ".@11111@.", ".@11111@.", "........."};
    path_map m;
    const float costs[10] = {1, 9, 1, 1, 1, 1, 1, 1, 1, 1};
    make(&m, rows, 4, (navigation_fixture_desc){.tile_cells = 16, .area_costs = costs});
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    const ct_vec3 from = ct_vec3_make(4.5f, 0.5f, 0), to = ct_vec3_make(4.5f, 3.5f, 0);
    ct_navigation_path path = find(s, &m, from, to);
    assert_int_equal(path.status, CT_NAVIGATION_FOUND);
    assert_true(path.length > 9 && path.length < 11 && path.cost < path.length + 0.1f);
    ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
    filter.costs[1] = 2;
    ct_navigation_find_path(
        s, m.mesh, &(ct_navigation_path_desc){.from = from, .to = to, .filter = &filter}, &path);
    assert_true(fabsf(path.length - 3) < 0.01f && fabsf(path.cost - 5) < 0.01f);
    filter.costs[1] = INFINITY;
    ct_navigation_find_path(
        s, m.mesh, &(ct_navigation_path_desc){.from = from, .to = to, .filter = &filter}, &path);
    assert_true(path.status == CT_NAVIGATION_FOUND && path.length > 9);
    ct_navigation_search_destroy(s);
    path_map_free(&m);
}

static void uses_links_in_their_direction(void **state) {
    (void)state;
    static const char *const rows[] = {"....@....", "....@....", "....@....", "....@...."};
    const ct_navigation_link link = {
        .from = {3.5f, 1.5f, 0}, .to = {5.5f, 1.5f, 0}, .radius = 0.5f, .cost = 1, .classes = 1};
    path_map m;
    make(&m, rows, 4, (navigation_fixture_desc){.tile_cells = 4, .links = &link, .num_links = 1});
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    const ct_vec3 left = ct_vec3_make(0.5f, 1.5f, 0), right = ct_vec3_make(8.5f, 1.5f, 0);
    ct_navigation_path path = find(s, &m, left, right);
    assert_int_equal(path.status, CT_NAVIGATION_FOUND);
    assert_true(fabsf(path.length - 8) < 0.01f && fabsf(path.cost - 9) < 0.01f);
    uint32_t num_links = 0;
    for (uint32_t i = 0; i < path.num_corners; ++i)
        num_links += path.corners[i].link == 1;
    assert_int_equal(num_links, 1);
    path_map_assert_walkable(&m, &path);
    path = find(s, &m, right, left);
    assert_int_equal(path.status, CT_NAVIGATION_UNREACHABLE);
    ct_navigation_field field = {0};
    ct_navigation_field_compute(s, m.mesh, NULL, &right, 1, ct_vec3_make(1, 1, 1), &field);
    const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
    ct_vec3 at;
    const ct_navigation_place start =
        ct_navigation_nearest(m.mesh, &filter, left, ct_vec3_make(1, 1, 1), &at);
    assert_true(fabsf(ct_navigation_field_at(m.mesh, &field, start, left, &at) - 9) < 0.1f);
    ct_navigation_field_free(s, &field);
    ct_navigation_search_destroy(s);
    path_map_free(&m);
}

static void keeps_corners_away_from_walls(void **state) {
    (void)state;
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    uint32_t random = 5, num_moved = 0;
    path_map m;
    for (uint32_t round = 0; round < test_rounds(40, 1000); ++round) {
        path_map_random(&m, &random, 24, 8);
        ct_vec3 from, to;
        if (path_map_place(&m, &random, &from) && path_map_place(&m, &random, &to)) {
            ct_navigation_path path;
            const ct_navigation_path_desc desc = {.from = from, .to = to, .corner_radius = 0.3f};
            ct_navigation_find_path(s, m.mesh, &desc, &path);
            path_map_assert_walkable(&m, &path);
            for (uint32_t i = 1; i + 1 < path.num_corners; ++i) {
                const ct_vec3 p = path.corners[i].position;
                num_moved += fabsf(p.x - roundf(p.x)) > 0.1f || fabsf(p.y - roundf(p.y)) > 0.1f;
            }
        }
        path_map_free(&m);
    }
    assert_true(num_moved > 10);
    ct_navigation_search_destroy(s);
}

static void rays_agree_with_the_map(void **state) {
    (void)state;
    uint32_t random = 3;
    path_map m;
    for (uint32_t round = 0; round < test_rounds(60, 2000); ++round) {
        path_map_random(&m, &random, 24, 8);
        const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
        for (uint32_t i = 0; i < 20; ++i) {
            ct_vec3 from, to, at, normal;
            if (!path_map_place(&m, &random, &from) || !path_map_place(&m, &random, &to))
                continue;
            to.x += 0.013f; // not through corners
            to.y += 0.0071f;
            ct_navigation_place end;
            const ct_navigation_place start =
                ct_navigation_nearest(m.mesh, &filter, from, ct_vec3_make(0.1f, 0.1f, 1), &at);
            const bool is_free =
                ct_navigation_ray(m.mesh, NULL, start, from, to, &end, &at, &normal);
            assert_int_equal(is_free, path_map_sees(&m, from, to));
            if (!is_free) {
                assert_true(path_map_sees(&m, from, ct_vec3_lerp(from, at, 0.999f)));
                assert_true(fabsf(ct_vec3_length(normal) - 1) < 1e-3f);
                assert_true(ct_vec3_dot(normal, ct_vec3_sub(to, from)) < 0);
            }
        }
        path_map_free(&m);
    }
}

static void slides_along_walls(void **state) {
    (void)state;
    static const char *const rows[] = {"......", "......", "@@@@@@"};
    path_map m;
    make(&m, rows, 3, (navigation_fixture_desc){.tile_cells = 4});
    const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
    ct_vec3 at;
    const ct_vec3 from = ct_vec3_make(1, 1.5f, 0);
    const ct_navigation_place start =
        ct_navigation_nearest(m.mesh, &filter, from, ct_vec3_make(1, 1, 1), &at);
    const ct_navigation_place end =
        ct_navigation_slide(m.mesh, &filter, start, from, ct_vec3_make(5, 3, 0), &at);
    assert_true(fabsf(at.x - 5) < 1e-3f && fabsf(at.y - 2) < 1e-3f);
    assert_true(ct_navigation_contains(m.mesh, end, ct_vec3_make(5, 1.99f, 0)));
    path_map_free(&m);
}

static void random_points_are_even_and_within_reach(void **state) {
    (void)state;
    static const char *const rows[] = {"........@...", "........@...", "........@...",
                                       "........@..."};
    path_map m;
    make(&m, rows, 4, (navigation_fixture_desc){.tile_cells = 4});
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
    const ct_vec3 from = ct_vec3_make(0.5f, 0.5f, 0);
    ct_vec3 at;
    const ct_navigation_place start =
        ct_navigation_nearest(m.mesh, &filter, from, ct_vec3_make(1, 1, 1), &at);
    uint64_t random = 1;
    uint32_t num_left = 0, num_near = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
        assert_true(ct_navigation_random(s, m.mesh, &filter, start, from, 0, &random, &at) != 0);
        assert_true(at.x <= 8.001f);
        num_left += at.x < 4;
        ct_navigation_random(s, m.mesh, &filter, start, from, 2, &random, &at);
        num_near += at.x < 4.001f;
    }
    assert_true(num_left > 420 && num_left < 580);
    assert_int_equal(num_near, 1000);
    assert_int_equal(ct_navigation_random(s, m.mesh, &filter, 0, from, 0, &random, &at), 0);
    ct_navigation_search_destroy(s);
    path_map_free(&m);
}

// Whoever walks to the field's points comes to the goal, in about the length of a path.
static void fields_lead_to_goals(void **state) {
    (void)state;
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    uint32_t random = 17;
    path_map m;
    ct_navigation_field field = {0};
    for (uint32_t round = 0; round < test_rounds(40, 1000); ++round) {
        path_map_random(&m, &random, 24, 8);
        const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
        ct_vec3 from, to, at, towards;
        if (path_map_place(&m, &random, &from) && path_map_place(&m, &random, &to)) {
            const ct_vec3 reach = ct_vec3_make(0.1f, 0.1f, 1);
            ct_navigation_field_compute(s, m.mesh, &filter, &to, 1, reach, &field);
            ct_navigation_place p = ct_navigation_nearest(m.mesh, &filter, from, reach, &at);
            const float octile = path_map_octile(&m, from, to);
            float length = 0;
            assert_int_equal(isfinite(octile),
                             isfinite(ct_navigation_field_at(m.mesh, &field, p, at, &towards)));
            for (uint32_t i = 0; isfinite(octile) && i < 200; ++i) {
                ct_navigation_field_at(m.mesh, &field, p, at, &towards);
                const ct_vec3 before = at;
                ct_vec3 normal;
                assert_true(ct_navigation_ray(m.mesh, NULL, p, before, towards, &p, &at, &normal));
                const float step = ct_vec3_length(ct_vec3_sub(at, before));
                length += step;
                if (step <= 0)
                    break;
            }
            if (isfinite(octile)) {
                assert_true(ct_vec3_length(ct_vec3_sub(at, to)) < 1e-3f);
                assert_true(length <= octile * 2 + 2);
            }
        }
        ct_navigation_field_free(s, &field);
        path_map_free(&m);
    }
    ct_navigation_search_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_shortest_paths_nearby),
        cmocka_unit_test(finds_short_paths_over_tiles),
        cmocka_unit_test(answers_unreachable_goals_at_once),
        cmocka_unit_test(refuses_ends_off_the_mesh_and_wrong_numbers),
        cmocka_unit_test(goes_around_dear_ground),
        cmocka_unit_test(uses_links_in_their_direction),
        cmocka_unit_test(keeps_corners_away_from_walls),
        cmocka_unit_test(rays_agree_with_the_map),
        cmocka_unit_test(slides_along_walls),
        cmocka_unit_test(random_points_are_even_and_within_reach),
        cmocka_unit_test(fields_lead_to_goals),
    };
    return cmocka_run_group_tests_name("navigation search", tests, test_group_setup,
                                       test_group_teardown);
}
