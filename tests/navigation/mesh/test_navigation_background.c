// test_navigation_background.c: tiles built beside changes, with and without tasks, saved in the middle.
#include "foundation/math/math.h"
#include "navigation/mesh/navigation_campaign.h"

static ct_task_manager *make_tasks(uint32_t num_workers) {
    ct_task_manager *const tasks = ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = num_workers});
    ct_task_register_thread(tasks, 1);
    return tasks;
}

static void change_all(campaign *c, uint32_t *seed) {
    for (uint32_t i = test_random(seed) % 4; i-- > 0;)
        campaign_change(c, seed);
    if (test_random(seed) % 3 == 0)
        campaign_toggle_tile(c, seed);
    if (test_random(seed) % 3 == 0)
        campaign_toggle_link(c, seed);
    if (test_random(seed) % 4 == 0)
        campaign_obstruct(c, seed);
}

static void end_both(campaign *c) {
    const uint32_t left = ct_navigation_mesh_end_update(c->mesh);
    assert_int_equal(ct_navigation_mesh_end_update(c->twin), left);
    navigation_checks_all(c->mesh);
    navigation_checks_same(c->mesh, c->twin);
    uint32_t count, other_count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(c->mesh, &count);
    const ct_navigation_tile *const others = ct_navigation_tiles(c->twin, &other_count);
    assert_int_equal(count, other_count);
    for (uint32_t i = 1; i < count; ++i)
        assert_int_equal(tiles[i].version, others[i].version);
}

// The mesh has tasks, its twin does not. Twins are made before, between and after both parts of an update.
static void tasks_and_saves_change_nothing(void **state) {
    (void)state;
    uint32_t seed = 21;
    ct_task_manager *const tasks = make_tasks(2);
    for (uint32_t round = 0; round < test_rounds(10, 400); ++round) {
        campaign c;
        campaign_start(&c, &seed, round % 3 * 15);
        campaign_make_twin(&c);
        for (uint32_t step = 0; step < 12; ++step) {
            change_all(&c, &seed);
            const uint32_t most = test_random(&seed) % 5;
            assert_int_equal(ct_navigation_mesh_begin_update(c.mesh, tasks, most),
                             ct_navigation_mesh_begin_update(c.twin, NULL, most));
            change_all(&c, &seed);
            if (test_random(&seed) % 3 == 0)
                campaign_make_twin(&c);
            change_all(&c, &seed);
            if (test_random(&seed) % 8)
                end_both(&c); // else the next begin does it
        }
        campaign_finish(&c);
        campaign_compare(&c);
        campaign_stop(&c);
    }
    ct_task_manager_destroy(tasks);
}

static const char *const ROWS[] = {"........", "........", "........", "........",
                                   "........", "........", "........", "........"};

static ct_navigation_resource *resource(uint32_t width) {
    return navigation_fixture_make(&(navigation_fixture_desc){
        .rows = ROWS, .width = width, .height = 8, .tile_cells = 4, .radius = 0.1f});
}

static ct_navigation_obstacle add_box(ct_navigation_mesh *m, float x, float y) {
    const ct_navigation_obstacle_desc d = {
        .position = {{x, y, 0}}, .half_size = {{0.4f, 0.4f}}, .height = 2, .area = -1};
    ct_error error = {.message = ""};
    return ct_navigation_add_obstacle(m, &d, &error);
}

static bool is_hole(const ct_navigation_mesh *m, float x, float y) {
    return ct_navigation_nearest(m, NULL, ct_vec3_make(x, y, 0), ct_vec3_make(0.01f, 0.01f, 1),
                                 NULL) == 0;
}

static void a_tile_that_changed_in_between_waits_again(void **state) {
    (void)state;
    ct_navigation_resource *const r = resource(8);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    ct_task_manager *const tasks = make_tasks(1);
    const ct_navigation_obstacle box = add_box(m, 2, 2);
    assert_int_equal(ct_navigation_mesh_begin_update(m, tasks, 9), 1);
    assert_false(is_hole(m, 2, 2)); // until the end, all is as it was
    ct_error error = {.message = ""};
    assert_true(ct_navigation_move_obstacle(m, box, ct_vec3_make(1, 3, 0), 0, &error));
    assert_int_equal(ct_navigation_mesh_end_update(m), 1);
    assert_true(is_hole(m, 2, 2) && !is_hole(m, 1, 3)); // where it was when the update began
    assert_int_equal(ct_navigation_mesh_begin_update(m, tasks, 9), 1);
    assert_int_equal(ct_navigation_mesh_end_update(m), 0);
    assert_true(!is_hole(m, 2, 2) && is_hole(m, 1, 3));
    ct_navigation_mesh_destroy(m);
    ct_task_manager_destroy(tasks);
    free(r);
}

static void tiles_that_go_get_nothing(void **state) {
    (void)state;
    ct_navigation_resource *const r = resource(8);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    ct_task_manager *const tasks = make_tasks(1);
    add_box(m, 2, 2);
    add_box(m, 6, 6);
    assert_int_equal(ct_navigation_mesh_begin_update(m, tasks, 9), 2);
    ct_navigation_mesh_remove_tile(m, 0);
    assert_int_equal(ct_navigation_mesh_end_update(m), 0);
    assert_true(is_hole(m, 1, 1) && is_hole(m, 6, 6) && !is_hole(m, 2, 6));
    navigation_checks_all(m);
    add_box(m, 2, 6);
    ct_navigation_mesh_begin_update(m, tasks, 9);
    ct_navigation_mesh_destroy(m); // waits for the task
    ct_task_manager_destroy(tasks);
    free(r);
}

static void reloading_has_tiles_wait_again(void **state) {
    (void)state;
    ct_navigation_resource *const r = resource(8), *const next = resource(7);
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    ct_task_manager *const tasks = make_tasks(1);
    add_box(m, 2, 2);
    add_box(m, 6, 6);
    add_box(m, 2, 6);
    assert_int_equal(ct_navigation_mesh_begin_update(m, tasks, 2), 2);
    ct_navigation_mesh_reload(m, next);
    free(r);
    assert_int_equal(ct_navigation_mesh_end_update(m), 3);
    assert_int_equal(ct_navigation_mesh_update(m, 1), 2);
    assert_true(is_hole(m, 2, 2) && !is_hole(m, 2, 6)); // in the order in which they were touched
    ct_navigation_mesh_update(m, 9);
    ct_navigation_mesh *const fresh = navigation_checks_mesh(next);
    add_box(fresh, 2, 2);
    add_box(fresh, 6, 6);
    add_box(fresh, 2, 6);
    ct_navigation_mesh_update(fresh, 9);
    navigation_checks_same(m, fresh);
    ct_navigation_mesh_destroy(fresh);
    ct_navigation_mesh_destroy(m);
    ct_task_manager_destroy(tasks);
    free(next);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_and_saves_change_nothing),
        cmocka_unit_test(a_tile_that_changed_in_between_waits_again),
        cmocka_unit_test(tiles_that_go_get_nothing),
        cmocka_unit_test(reloading_has_tiles_wait_again),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
