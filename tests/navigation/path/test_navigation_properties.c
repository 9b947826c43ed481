// test_navigation_properties.c: what holds for paths on random meshes that were carved and linked.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_path_maps.h"

enum { LINKS = 12, SIDE = 40 };

static float number(uint32_t *random, float least, float most) {
    return least + (most - least) * (float)(test_random(random) % 10001) / 10000;
}

// A map with obstacles, heights and (when asked) links, one-way and two-way.
static void make_map(path_map *m, uint32_t *random, uint32_t num_links) {
    static float heights[SIDE * SIDE];
    ct_navigation_link links[LINKS];
    m->width = m->height = SIDE;
    const uint32_t walls = 10 + test_random(random) % 35;
    for (uint32_t y = 0; y < SIDE; ++y) {
        for (uint32_t x = 0; x < SIDE; ++x)
            m->cells[y][x] = test_random(random) % 100 < walls ? '@' : '.';
        m->cells[y][SIDE] = 0;
    }
    for (uint32_t i = 0; i < SIDE * SIDE; ++i)
        heights[i] = (float)(test_random(random) % 40 / 36) * 0.4f;
    for (uint32_t i = 0; i < LINKS; ++i)
        links[i] = (ct_navigation_link){
            .id = {i + 1},
            .from = {number(random, 0, SIDE), number(random, 0, SIDE), 0},
            .to = {number(random, 0, SIDE), number(random, 0, SIDE), 0},
            .radius = 1,
            .cost = number(random, 0, 3),
            .classes = 1,
            .flags = test_random(random) % 2 ? CT_NAVIGATION_LINK_BOTH_WAYS : 0};
    path_map_make_mesh(
        m, (navigation_fixture_desc){.tile_cells = 7 + test_random(random) % 12,
                                     .heights = test_random(random) % 2 ? heights : NULL,
                                     .radius = 0.2f,
                                     .links = links,
                                     .num_links = num_links});
    for (uint32_t i = test_random(random) % 12; i-- > 0;) {
        const ct_navigation_obstacle_desc d = {
            .shape = test_random(random) % 2,
            .position = {{number(random, 0, SIDE), number(random, 0, SIDE), 0}},
            .angle = number(random, 0, 3),
            .half_size = {{number(random, 0.1f, 4), number(random, 0.1f, 4)}},
            .height = 2,
            .area = test_random(random) % 4 ? -1 : 2};
        assert_int_not_equal(ct_navigation_add_obstacle(m->mesh, &d, NULL).id, 0);
    }
    ct_navigation_mesh_update(m->mesh, UINT32_MAX);
}

static ct_navigation_place random_place(const path_map *m, uint32_t *random, ct_vec3 *at) {
    const ct_vec3 p = ct_vec3_make(number(random, 0, SIDE), number(random, 0, SIDE), 0);
    return ct_navigation_nearest(m->mesh, NULL, p, ct_vec3_make(0.2f, 0.2f, 2), at);
}

// The places of a corridor are neighbours, and the corners lie in its places.
static void assert_corridor(const path_map *m, const ct_navigation_path *path) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m->mesh, &num_slots);
    for (uint32_t i = 0; i < path->num_polygons; ++i) {
        assert_true(ct_navigation_is_live(m->mesh, path->polygons[i]));
        bool is_linked = i + 1 == path->num_polygons;
        const ct_navigation_face *const f = ct_navigation_face_at(tiles, path->polygons[i]);
        const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(path->polygons[i])];
        for (uint32_t k = 0; k < f->num_ways && !is_linked; ++k)
            is_linked = t->ways[f->first_way + k].to == path->polygons[i + 1];
        assert_true(is_linked);
    }
    float length = 0;
    for (uint32_t i = 0; i + 1 < path->num_corners; ++i)
        length +=
            ct_vec3_length(ct_vec3_sub(path->corners[i + 1].position, path->corners[i].position));
    assert_true(fabsf(length - path->length) <= 1e-3f * (1 + length));
}

// Islands say whether there is a path, where links lead back.
static void connectivity_agrees_with_search(void **state) {
    (void)state;
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    uint32_t random = 31, num_found = 0, num_apart = 0, num_partial = 0;
    for (uint32_t round = 0; round < test_rounds(25, 1500); ++round) {
        path_map m;
        make_map(&m, &random, 0);
        for (uint32_t i = 0; i < 30; ++i) {
            ct_vec3 from, to;
            const ct_navigation_place a = random_place(&m, &random, &from);
            const ct_navigation_place b = random_place(&m, &random, &to);
            if (!a || !b)
                continue;
            ct_navigation_path path;
            const ct_navigation_path_desc desc = {.from = from,
                                                  .to = to,
                                                  .corner_radius = i % 3 == 0 ? 0.3f : 0,
                                                  .allows_partial = i % 5 == 0};
            ct_navigation_find_path(s, m.mesh, &desc, &path);
            const bool is_connected = ct_navigation_is_connected(m.mesh, a, b);
            assert_int_equal(path.status, is_connected          ? CT_NAVIGATION_FOUND
                                          : desc.allows_partial ? CT_NAVIGATION_PARTIAL
                                                                : CT_NAVIGATION_UNREACHABLE);
            path_map_assert_walkable(&m, &path);
            assert_corridor(&m, &path);
            num_found += is_connected;
            num_apart += !is_connected;
            num_partial += path.status == CT_NAVIGATION_PARTIAL;
        }
        path_map_free(&m);
    }
    printf("%u paths walked, %u ends apart, %u partial\n", num_found, num_apart, num_partial);
    assert_true(num_found > 200 && num_apart > 40 && num_partial > 5);
    ct_navigation_search_destroy(s);
}

// The least cost over polygons' ways: Dijkstra's algorithm over middles of ways is too long, so a path may be
// shorter, and the estimate lets it be a little longer: with links, one of some thousands is longer by a fifth.
static void links_are_used_where_they_are_shorter(void **state) {
    (void)state;
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    uint32_t random = 33, num_compared = 0, num_by_link = 0;
    float longest = 0;
    double sum = 0;
    ct_navigation_field field = {0};
    for (uint32_t round = 0; round < test_rounds(40, 1500); ++round) {
        path_map m;
        make_map(&m, &random, LINKS);
        const ct_navigation_filter filter = ct_navigation_filter_of(m.mesh);
        ct_vec3 to;
        if (!random_place(&m, &random, &to)) {
            path_map_free(&m);
            continue;
        }
        ct_navigation_field_compute(s, m.mesh, &filter, &to, 1, ct_vec3_make(0.2f, 0.2f, 2),
                                    &field);
        for (uint32_t i = 0; i < 10; ++i) {
            ct_vec3 from, towards;
            const ct_navigation_place a = random_place(&m, &random, &from);
            if (!a)
                continue;
            ct_navigation_path path;
            ct_navigation_find_path(s, m.mesh, &(ct_navigation_path_desc){.from = from, .to = to},
                                    &path);
            const float by_field = ct_navigation_field_at(m.mesh, &field, a, from, &towards);
            assert_int_equal(path.status == CT_NAVIGATION_FOUND, isfinite(by_field));
            if (path.status != CT_NAVIGATION_FOUND)
                continue;
            path_map_assert_walkable(&m, &path);
            assert_corridor(&m, &path);
            for (uint32_t k = 0; k < path.num_corners; ++k)
                if (path.corners[k].link) {
                    ++num_by_link;
                    break;
                }
            const float ratio = (path.cost + 0.5f) / (by_field + 0.5f);
            longest = fmaxf(longest, ratio);
            sum += (double)ratio;
            ++num_compared;
        }
        path_map_free(&m);
        ct_navigation_field_free(s, &field);
        field = (ct_navigation_field){0};
    }
    printf("%u paths, %u by a link; cost against a field: mean %.3f, longest %.3f\n", num_compared,
           num_by_link, sum / num_compared, (double)longest);
    assert_true(num_compared > 100 && num_by_link > 8);
    assert_true(longest < 1.25f && sum / num_compared < 0.93);
    ct_navigation_search_destroy(s);
}

// A drop of 4 m beside a way around of 200 m, over many tiles.
static void links_without_a_way_back_are_found(void **state) {
    (void)state;
    path_map m = {.width = 47, .height = 9};
    for (uint32_t y = 0; y < m.height; ++y) {
        memset(m.cells[y], y >= 4 && y < 7 ? '@' : '.', m.width);
        m.cells[y][m.width] = 0;
        m.cells[y][46] = '.'; // the way around
    }
    const ct_navigation_link link = {
        .from = {1.5f, 3.5f, 0}, .to = {1.5f, 7.5f, 0}, .radius = 0.5f, .cost = 1, .classes = 1};
    path_map_make_mesh(&m,
                       (navigation_fixture_desc){.tile_cells = 4, .links = &link, .num_links = 1});
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    const ct_vec3 above = ct_vec3_make(9.5f, 0.5f, 0), below = ct_vec3_make(9.5f, 8.5f, 0);
    ct_navigation_path path;
    ct_navigation_find_path(s, m.mesh, &(ct_navigation_path_desc){.from = above, .to = below},
                            &path);
    assert_int_equal(path.status, CT_NAVIGATION_FOUND);
    assert_true(path.length < 22);
    ct_navigation_find_path(s, m.mesh, &(ct_navigation_path_desc){.from = below, .to = above},
                            &path);
    assert_int_equal(path.status, CT_NAVIGATION_FOUND);
    assert_true(path.length > 70);
    ct_navigation_set_link(m.mesh, 0, true);
    ct_navigation_find_path(s, m.mesh, &(ct_navigation_path_desc){.from = above, .to = below},
                            &path);
    assert_true(path.status == CT_NAVIGATION_FOUND && path.length > 70);
    ct_navigation_search_destroy(s);
    path_map_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connectivity_agrees_with_search),
        cmocka_unit_test(links_are_used_where_they_are_shorter),
        cmocka_unit_test(links_without_a_way_back_are_found),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
