// test_navigation_mesh.c: tiles, links of the level, switches, reloading.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_checks.h"

static const char *const ROOMS[] = {
    "................", //
    ".......@........", //
    ".......@........", //
    "@@@@@@@@@@@@@@@@", //
    "................", //
    "................", //
};

static ct_navigation_link make_link(float x0, float y0, float x1, float y1, uint32_t flags) {
    return (ct_navigation_link){.id = {(uint32_t)(x0 * 100 + y0)},
                                .from = {x0, y0, 0},
                                .to = {x1, y1, 0},
                                .radius = 0.5f,
                                .classes = 1,
                                .flags = flags};
}

static navigation_fixture_desc rooms_desc(const ct_navigation_link *links, uint32_t count) {
    return (navigation_fixture_desc){.rows = ROOMS,
                                     .width = 16,
                                     .height = 6,
                                     .tile_cells = 4,
                                     .links = links,
                                     .num_links = count};
}

static ct_navigation_place place(const ct_navigation_mesh *m, float x, float y) {
    return ct_navigation_nearest(m, NULL, ct_vec3_make(x, y, 0), ct_vec3_make(0.1f, 0.1f, 1), NULL);
}

static bool connects(const ct_navigation_mesh *m, float x0, float y0, float x1, float y1) {
    return ct_navigation_is_connected(m, place(m, x0, y0), place(m, x1, y1));
}

static uint32_t count_tiles(const ct_navigation_mesh *m) {
    uint32_t count, live = 0;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &count);
    for (uint32_t i = 1; i < count; ++i)
        live += tiles[i].version != 0;
    return live;
}

static void rooms_are_islands(void **state) {
    (void)state;
    const navigation_fixture_desc d = rooms_desc(NULL, 0);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    navigation_checks_all(m);
    assert_int_equal(count_tiles(m), 8);
    assert_true(connects(m, 1, 0.5f, 15, 2.5f));
    assert_true(connects(m, 1, 5, 15, 5));
    assert_false(connects(m, 1, 0.5f, 1, 5));
    assert_int_equal(place(m, 7.5f, 1.5f), 0); // a wall
    assert_float_equal(navigation_checks_area(m, -1), 78, 1e-3);
    ct_navigation_mesh_destroy(m);
    free(r);
}

static uint32_t count_link_ways(const ct_navigation_mesh *m) {
    uint32_t count, ways = 0;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &count);
    for (uint32_t i = 1; i < count; ++i)
        for (uint32_t k = 0; k < tiles[i].num_ways; ++k)
            ways += tiles[i].ways[k].link != 0;
    return ways;
}

static void links_join_islands(void **state) {
    (void)state;
    const ct_navigation_link links[] = {
        make_link(2, 2.5f, 2, 4.5f, 0),
        make_link(10, 2.5f, 10, 4.5f, CT_NAVIGATION_LINK_CLOSED | CT_NAVIGATION_LINK_BOTH_WAYS),
        make_link(50, 2, 2, 4.5f, 0), // starts on no polygon
    };
    const navigation_fixture_desc d = rooms_desc(links, 3);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    navigation_checks_all(m);
    assert_int_equal(count_link_ways(m), 1);
    assert_true(connects(m, 1, 0.5f, 1, 5));
    const uint64_t version = ct_navigation_mesh_version(m);
    ct_navigation_set_link(m, 0, true);
    assert_true(ct_navigation_mesh_version(m) != version);
    assert_true(ct_navigation_link_is_closed(m, 0));
    assert_false(connects(m, 1, 0.5f, 1, 5));
    ct_navigation_set_link(m, 1, false);
    assert_int_equal(count_link_ways(m), 2);
    assert_true(connects(m, 1, 0.5f, 1, 5));
    navigation_checks_all(m);
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, NULL);
    const ct_navigation_place from = place(m, 10, 2.5f);
    const ct_navigation_face *const f = ct_navigation_face_at(tiles, from);
    const ct_navigation_way *const w =
        &tiles[ct_navigation_slot_of(from)].ways[f->first_way + f->num_ways - 1u];
    assert_int_equal(w->link, 2);
    assert_int_equal(w->edge, 255);
    assert_int_equal(w->to, place(m, 10, 4.5f));
    assert_float_equal(w->left.x, 10, 1e-3f);
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void links_follow_their_ends(void **state) {
    (void)state;
    const ct_navigation_link link = make_link(2, 2.5f, 2, 4.5f, CT_NAVIGATION_LINK_BOTH_WAYS);
    const navigation_fixture_desc d = rooms_desc(&link, 1);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    assert_int_equal(count_link_ways(m), 2);
    ct_error error = {.message = ""};
    const ct_navigation_obstacle_desc box = {
        .position = {{2, 4.5f, 0}}, .half_size = {{1, 1}}, .height = 2, .area = -1};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m, &box, &error);
    ct_navigation_mesh_update(m, 100);
    navigation_checks_all(m);
    assert_int_equal(count_link_ways(m), 0);
    assert_false(connects(m, 1, 0.5f, 15, 5));
    ct_navigation_remove_obstacle(m, o);
    ct_navigation_mesh_update(m, 100);
    navigation_checks_all(m);
    assert_int_equal(count_link_ways(m), 2);
    ct_navigation_mesh_remove_tile(m, 0); // with its start
    assert_int_equal(count_link_ways(m), 0);
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void tiles_come_and_go(void **state) {
    (void)state;
    const navigation_fixture_desc d = rooms_desc(NULL, 0);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = test_heap(), .resource = r, .has_no_tiles = true});
    assert_int_equal(count_tiles(m), 0);
    assert_int_equal(place(m, 1, 1), 0);
    for (uint32_t i = 0; i < 8; ++i)
        ct_navigation_mesh_add_tile(m, i);
    ct_navigation_mesh_update(m, 1);
    navigation_checks_all(m);
    const ct_navigation_place p = place(m, 5, 0.5f);
    ct_navigation_mesh_add_tile(m, 1); // is there
    assert_int_equal(place(m, 5, 0.5f), p);
    assert_true(connects(m, 1, 0.5f, 15, 0.5f));
    ct_navigation_mesh_remove_tile(m, 1);
    ct_navigation_mesh_remove_tile(m, 1);
    assert_false(ct_navigation_is_live(m, p));
    assert_false(ct_navigation_is_connected(m, p, p));
    ct_navigation_mesh_update(m, 1);
    navigation_checks_all(m);
    assert_false(connects(m, 1, 0.5f, 15, 0.5f));
    ct_navigation_mesh_destroy(m);
    free(r);
}

static uint32_t version_at(const ct_navigation_mesh *m, float x, float y) {
    const uint32_t slot = ct_navigation_slot_of(place(m, x, y));
    return ct_navigation_tiles(m, NULL)[slot].version;
}

static void only_touched_tiles_change_their_version(void **state) {
    (void)state;
    const navigation_fixture_desc d = rooms_desc(NULL, 0);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    const uint32_t touched = version_at(m, 1, 0.5f), beside = version_at(m, 5, 0.5f);
    ct_error error = {.message = ""};
    ct_navigation_obstacle_desc box = {
        .position = {{2, 1, 0}}, .half_size = {{0.5f, 0.5f}}, .height = 2, .area = -1};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m, &box, &error);
    assert_int_equal(version_at(m, 0.5f, 0.2f), touched); // waits
    assert_int_equal(ct_navigation_mesh_update(m, 0), 1);
    assert_int_equal(ct_navigation_mesh_update(m, 1), 0);
    assert_int_not_equal(version_at(m, 0.5f, 0.2f), touched);
    assert_int_equal(version_at(m, 5, 0.5f), beside);
    // Where it has nothing to cut, a tile stays what it is.
    const uint32_t now = version_at(m, 0.5f, 0.2f);
    box.position = ct_vec3_make(2, 3.52f, 0);
    box.half_size = ct_vec2_make(0.01f, 0.01f);
    assert_int_not_equal(ct_navigation_add_obstacle(m, &box, &error).id, 0);
    box.position.z = 0;
    assert_true(ct_navigation_move_obstacle(m, o, ct_vec3_make(2, 1, 0), 0, &error));
    ct_navigation_mesh_update(m, 9);
    assert_int_equal(version_at(m, 0.5f, 0.2f), now);
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void obstacles_above_and_below_cut_nothing(void **state) {
    (void)state;
    const char *const rows[] = {"....", "....", "....", "....", "....", "....", "....", "...."};
    ct_navigation_resource *const r =
        navigation_fixture_make(&(navigation_fixture_desc){.rows = rows,
                                                           .width = 4,
                                                           .height = 4,
                                                           .num_layers = 2,
                                                           .layer_height = 5,
                                                           .agent_height = 2});
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    ct_error error = {.message = ""};
    ct_navigation_obstacle_desc d = {.shape = CT_NAVIGATION_CYLINDER,
                                     .position = {{2, 2, 2.1f}},
                                     .half_size = {{0.5f, 0}},
                                     .height = 2.5f,
                                     .area = -1};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m, &d, &error);
    ct_navigation_mesh_update(m, 9);
    assert_float_equal(navigation_checks_area(m, -1), 32, 1e-3); // between the floors
    assert_true(ct_navigation_move_obstacle(m, o, ct_vec3_make(2, 2, 1.5f), 0, &error));
    ct_navigation_mesh_update(m, 9);
    const double hole = 12 * tan(3.14159265 / 12);                      // around a circle of 1 m
    assert_float_equal(navigation_checks_area(m, -1), 32 - hole, 1e-3); // no room for the head
    assert_true(ct_navigation_move_obstacle(m, o, ct_vec3_make(2, 2, 2.8f), 0, &error));
    ct_navigation_mesh_update(m, 9);
    assert_float_equal(navigation_checks_area(m, -1), 32 - hole, 1e-3); // the floor above
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void areas_are_switched(void **state) {
    (void)state;
    const char *const rows[] = {"..1.."};
    const float costs[10] = {1, 3, 1, 1, 1, 1, 1, 1, 1, 0.5f};
    ct_navigation_resource *const r = navigation_fixture_make(&(navigation_fixture_desc){
        .rows = rows, .width = 5, .height = 1, .area_costs = costs, .closed_areas = 1 << 2});
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    ct_navigation_filter f = ct_navigation_filter_of(m);
    assert_true(f.costs[1] == 3 && isinf(f.costs[2]) && f.least_cost == 0.5f);
    ct_navigation_set_area(m, 1, true, 0);
    ct_navigation_set_area(m, 9, false, 7);
    assert_true(ct_navigation_area_is_closed(m, 1));
    f = ct_navigation_filter_of(m);
    assert_true(isinf(f.costs[1]) && f.costs[9] == 7 && f.least_cost == 1);
    const ct_vec3 reach = ct_vec3_make(1, 1, 1);
    ct_vec3 at;
    const ct_navigation_place p =
        ct_navigation_nearest(m, &f, ct_vec3_make(2.6f, 0.5f, 0), reach, &at);
    assert_int_equal(ct_navigation_face_at(ct_navigation_tiles(m, NULL), p)->area, 0);
    assert_float_equal(at.x, 3, 1e-4f);
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void obstructed_polygons_have_no_ways(void **state) {
    (void)state;
    const char *const rows[] = {"..1.."};
    ct_navigation_resource *const r =
        navigation_fixture_make(&(navigation_fixture_desc){.rows = rows, .width = 5, .height = 1});
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    const ct_navigation_place p = place(m, 2.5f, 0.5f);
    const uint32_t version = version_at(m, 1, 0.5f);
    ct_navigation_set_obstructed(m, p, true);
    assert_true(ct_navigation_is_obstructed(m, p));
    assert_int_not_equal(version_at(m, 1, 0.5f), version);
    assert_false(connects(m, 1, 0.5f, 4, 0.5f));
    assert_int_equal(place(m, 2.5f, 0.5f), 0);
    navigation_checks_all(m);
    ct_navigation_set_obstructed(m, p, false);
    assert_false(ct_navigation_is_obstructed(m, p));
    assert_true(connects(m, 1, 0.5f, 4, 0.5f));
    ct_navigation_set_obstructed(m, CT_NAVIGATION_PLACE(1, 4000), true); // there is none
    ct_navigation_set_obstructed(m, 0, true);
    navigation_checks_all(m);
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void reloading_keeps_what_is_the_same(void **state) {
    (void)state;
    const ct_navigation_link links[] = {make_link(2, 2.5f, 2, 4.5f, 0),
                                        make_link(10, 2.5f, 10, 4.5f, 0)};
    navigation_fixture_desc d = rooms_desc(links, 2);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    ct_error error = {.message = ""};
    const ct_navigation_obstacle_desc box = {
        .position = {{14, 1, 0}}, .half_size = {{0.3f, 0.3f}}, .height = 2, .area = -1};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m, &box, &error);
    ct_navigation_set_link(m, 1, true);
    ct_navigation_set_area(m, 3, true, 0);
    ct_navigation_mesh_update(m, 9);
    const uint32_t same = version_at(m, 13, 0.2f), other = version_at(m, 1, 0.5f);
    const char *rows[6];
    memcpy(rows, ROOMS, sizeof(rows));
    rows[0] = "@@@.............";
    rows[5] = "....@@@@........"; // a part of the second tile of this row
    rows[4] = "....@@@@........"; // and now it is gone
    d.rows = rows;
    d.links = links + 1;
    d.num_links = 1;
    ct_navigation_resource *const next = navigation_fixture_make(&d);
    ct_navigation_mesh_reload(m, next);
    free(r);
    navigation_checks_all(m);
    assert_int_equal(count_tiles(m), 7);
    assert_int_equal(version_at(m, 13, 0.2f), same);
    assert_int_not_equal(version_at(m, 1, 1.5f), other);
    assert_true(ct_navigation_link_is_closed(m, 0));
    assert_true(ct_navigation_area_is_closed(m, 3));
    assert_true(ct_navigation_obstacle_is_live(m, o));
    assert_int_equal(place(m, 14, 1), 0);
    ct_navigation_mesh *const fresh = navigation_checks_mesh(next);
    ct_navigation_add_obstacle(fresh, &box, &error);
    ct_navigation_set_link(fresh, 0, true);
    ct_navigation_mesh_update(fresh, 9);
    navigation_checks_same(m, fresh);
    ct_navigation_mesh_destroy(fresh);
    ct_navigation_mesh_destroy(m);
    free(next);
}

static void bad_obstacles_are_refused(void **state) {
    (void)state;
    const navigation_fixture_desc d = rooms_desc(NULL, 0);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    const ct_navigation_obstacle_desc good = {.half_size = {{1, 1}}, .height = 1, .area = -1};
    ct_navigation_obstacle_desc bad[9];
    for (uint32_t i = 0; i < 9; ++i)
        bad[i] = good;
    bad[0].position.x = NAN;
    bad[1].angle = INFINITY;
    bad[2].half_size.y = NAN;
    bad[3].half_size.x = -1;
    bad[4].height = -1;
    bad[5].area = 10;
    bad[6].shape = 3;
    bad[7].shape = CT_NAVIGATION_CONVEX; // has no points
    bad[8].shape = CT_NAVIGATION_CONVEX;
    bad[8].num_points = 4; // crosses itself
    bad[8].points[1] = ct_vec2_make(1, 1);
    bad[8].points[2] = ct_vec2_make(1, 0);
    bad[8].points[3] = ct_vec2_make(0, 1);
    const char *const messages[9] = {
        "the position is not finite",
        "the angle is not finite",
        "found the half size 1, nan; expected numbers from 0",
        "found the half size -1, 1; expected numbers from 0",
        "found the height -1; expected a number from 0",
        "found the area 10; expected -1 to 9",
        "found the shape 3; expected 0 to 2",
        "found 0 points; expected 3 to 12",
        "points[1] is no corner of a convex, counter-clockwise polygon"};
    for (uint32_t i = 0; i < 9; ++i) {
        ct_error error = {.message = ""};
        assert_int_equal(ct_navigation_add_obstacle(m, &bad[i], &error).id, 0);
        assert_string_equal(error.message, messages[i]);
    }
    ct_error error = {.message = ""};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m, &good, &error);
    assert_false(ct_navigation_move_obstacle(m, o, ct_vec3_make(NAN, 0, 0), 0, &error));
    ct_navigation_remove_obstacle(m, o);
    ct_navigation_remove_obstacle(m, o);
    assert_false(ct_navigation_move_obstacle(m, o, ct_vec3_make(0, 0, 0), 0, &error));
    assert_string_equal(error.message, "the obstacle was removed");
    assert_false(ct_navigation_obstacle_is_live(m, (ct_navigation_obstacle){0}));
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void strange_obstacles_cut_soundly(void **state) {
    (void)state;
    const navigation_fixture_desc d = rooms_desc(NULL, 0);
    ct_navigation_resource *const r = navigation_fixture_make(&d);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    ct_error error = {.message = ""};
    const ct_navigation_obstacle_desc strange[] = {
        {.position = {{1e30f, 0, 0}}, .half_size = {{1, 1}}, .height = 1, .area = -1},
        {.position = {{1e8f, 0, 0}}, .half_size = {{1e-3f, 1e-3f}}, .height = 1, .area = -1},
        {.position = {{2, 2, 0}}, .half_size = {{0, 0}}, .height = 0, .area = 2},
        {.position = {{2, 2, 0}}, .half_size = {{1e-6f, 3e38f}}, .height = 3e38f, .area = 2},
        {.position = {{0, 0, 0}}, .half_size = {{1e6f, 1e6f}}, .height = 1, .area = -1},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(strange); ++i)
        assert_int_not_equal(ct_navigation_add_obstacle(m, &strange[i], &error).id, 0);
    ct_navigation_mesh_update(m, 100);
    navigation_checks_all(m);
    assert_float_equal(navigation_checks_area(m, -1), 0, 1e-3);
    assert_int_equal(place(m, 1, 1), 0);
    ct_navigation_mesh_destroy(m);
    free(r);
}

// Between both sides of the middle tile, around a wall.
static void crossings_are_as_far_as_a_string_between_them(void **state) {
    (void)state;
    static const char *const rows[] = {"...........@....@@@@@@@@", "@@@@@@@@...@....@@@@@@@@",
                                       "@@@@@@@@...@....@@@@@@@@", "@@@@@@@@...@....@@@@@@@@",
                                       "@@@@@@@@...@....@@@@@@@@", "@@@@@@@@...@....@@@@@@@@",
                                       "@@@@@@@@........@@@@@@@@", "@@@@@@@@................"};
    ct_navigation_resource *const r = navigation_fixture_make(
        &(navigation_fixture_desc){.rows = rows, .width = 24, .height = 8, .tile_cells = 8});
    ct_navigation_mesh *const m = ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = test_heap(), .resource = r});
    uint32_t count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &count);
    uint32_t found = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (tiles[i].x != 1)
            continue;
        ++found;
        assert_int_equal(tiles[i].num_crossings, 2);
        const float length = sqrtf(3 * 3 + 5.5f * 5.5f) + sqrtf(5 * 5 + 1.5f * 1.5f);
        assert_float_equal(tiles[i].crossing_lengths[1], length, 1e-3f);
        assert_float_equal(tiles[i].crossing_lengths[2], length, 1e-3f);
    }
    assert_int_equal(found, 1);
    ct_navigation_mesh_destroy(m);
    free(r);
}

static void a_mesh_without_tiles_answers(void **state) {
    (void)state;
    const char *const rows[] = {"@@"};
    ct_navigation_resource *const r =
        navigation_fixture_make(&(navigation_fixture_desc){.rows = rows, .width = 2, .height = 1});
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    assert_int_equal(place(m, 1, 0.5f), 0);
    assert_false(ct_navigation_is_live(m, CT_NAVIGATION_PLACE(1, 0)));
    ct_error error = {.message = ""};
    const ct_navigation_obstacle_desc d = {.half_size = {{1, 1}}, .height = 1, .area = -1};
    assert_int_not_equal(ct_navigation_add_obstacle(m, &d, &error).id, 0);
    assert_int_equal(ct_navigation_mesh_update(m, 9), 0);
    ct_navigation_mesh_destroy(m);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms_are_islands),
        cmocka_unit_test(links_join_islands),
        cmocka_unit_test(links_follow_their_ends),
        cmocka_unit_test(tiles_come_and_go),
        cmocka_unit_test(only_touched_tiles_change_their_version),
        cmocka_unit_test(obstacles_above_and_below_cut_nothing),
        cmocka_unit_test(areas_are_switched),
        cmocka_unit_test(obstructed_polygons_have_no_ways),
        cmocka_unit_test(reloading_keeps_what_is_the_same),
        cmocka_unit_test(bad_obstacles_are_refused),
        cmocka_unit_test(strange_obstacles_cut_soundly),
        cmocka_unit_test(crossings_are_as_far_as_a_string_between_them),
        cmocka_unit_test(a_mesh_without_tiles_answers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
