// Navigation in worlds: levels with meshes, and units that walk over them.
#include <math.h>

#include "foundation/math/math.h"
#include "world/navigation_world_fixture.h"

typedef struct yard {
    world_fixture f;
    ct_level level;
} yard;

static yard start_yard(const ct_navigation_agent_data *data) {
    yard y = {.f = start_world()};
    load_navigation(&y.f, "levels/yard", make_yard());
    load_yard_level(&y.f, "levels/yard", "levels/yard");
    load_walker(&y.f, data);
    y.level = spawn_yard_here(&y.f, "levels/yard");
    return y;
}

static uint32_t num_instances_of(const world_fixture *f) {
    uint32_t count;
    ct_navigation_world_instances(ct_world_navigation(f->world), &count);
    return count;
}

static void a_unit_walks_around_a_block(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    const ct_entity e = spawn_at(&y.f, "units/walker", 8, 2, 0);
    send(&y.f, e, 8, 12);
    float nearest = 1e9f;
    uint32_t num_steps = 0;
    for (; num_steps < 1200 && status_of(&y.f, e).state != CT_NAVIGATION_ARRIVED; ++num_steps) {
        ct_world_advance(y.f.world, 1.0 / 60);
        nearest = fminf(nearest, metres_between(place_of(&y.f, e), ct_vec3_make(8, 5.5f, 0)));
    }
    assert_int_equal(status_of(&y.f, e).state, CT_NAVIGATION_ARRIVED);
    assert_true(metres_between(place_of(&y.f, e), ct_vec3_make(8, 12, 0)) < 0.5f);
    assert_true(nearest > 1.5f);  // not through the block
    assert_true(num_steps > 400); // at 1.5 m/s
    uint32_t count;
    const ct_navigation_agent_event *const events =
        ct_navigation_agent_take_events(ct_world_navigation_agents(y.f.world), &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].type, CT_NAVIGATION_EVENT_ARRIVED);
    assert_int_equal(events[0].entity.id, e.id);
    stop_world(&y.f);
}

static void a_level_has_a_mesh_until_it_ends(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    assert_int_equal(num_instances_of(&y.f), 1);
    const ct_string_id32 walker = ct_string_id32_of("walker"), giant = ct_string_id32_of("giant");
    assert_true(ct_level_navigation(y.f.world, y.level, walker).id);
    assert_true(ct_level_navigation(y.f.world, y.level, (ct_string_id32){0}).id);
    assert_false(ct_level_navigation(y.f.world, y.level, giant).id);
    assert_false(ct_level_navigation(y.f.world, (ct_level){0}, walker).id);
    const ct_entity e = spawn_at(&y.f, "units/walker", 8, 2, 0);
    send(&y.f, e, 8, 12);
    ct_world_advance(y.f.world, 0.1);
    assert_true(status_of(&y.f, e).instance.id);
    ct_world_destroy_level(y.f.world, y.level);
    assert_int_equal(num_instances_of(&y.f), 0);
    ct_world_advance(y.f.world, 0.1);
    assert_int_equal(status_of(&y.f, e).state, CT_NAVIGATION_OFF);
    assert_true(status_of(&y.f, e).has_goal);
    // Its goal is kept for another mesh.
    spawn_yard_here(&y.f, "levels/yard");
    assert_true(step_until(&y.f, e, CT_NAVIGATION_ARRIVED, 15));
    stop_world(&y.f);
}

// --- Levels --------------------------------------------------------------------------------------

static char logged[4096];

static void keep_message(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    strncat(logged, message, sizeof(logged) - strlen(logged) - 1);
}

static void listen(void) {
    static const char *const names[] = {"levels/yard", "levels/none", "units/walker"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        ct_string_id64_register(names[i]);
    ct_string_id32_register("giant");
    logged[0] = 0;
    ct_log_add_sink(&(ct_log_sink){.write = keep_message, .user = logged});
}

static void expect_logged(const char *text) {
    ct_log_remove_sink(keep_message, logged);
    if (!strstr(logged, text))
        fail_msg("\"%s\" does not have \"%s\"", logged, text);
}

static void a_turned_level_has_its_mesh_where_it_is(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    ct_world_destroy_level(y.f.world, y.level);
    const ct_vec3 position = ct_vec3_make(100, 50, 10);
    const ct_quat rotation = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 2);
    spawn_yard(&y.f, "levels/yard", position, rotation, ct_vec3_make(1, 1, 1));
    const ct_vec3 from = ct_vec3_add(position, ct_quat_rotate(rotation, ct_vec3_make(2, 2, 0)));
    const ct_vec3 to = ct_vec3_add(position, ct_quat_rotate(rotation, ct_vec3_make(13, 3, 0)));
    const ct_entity e = spawn_at(&y.f, "units/walker", from.x, from.y, from.z);
    ct_navigation_agent_move_to(ct_world_navigation_agents(y.f.world), &e, &to, 1);
    assert_true(step_until(&y.f, e, CT_NAVIGATION_ARRIVED, 15));
    assert_true(metres_between(place_of(&y.f, e), to) < 0.4f);
    stop_world(&y.f);
}

static void a_level_that_is_scaled_or_tilted_has_no_mesh(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    ct_world_destroy_level(y.f.world, y.level);
    listen();
    spawn_yard(&y.f, "levels/yard", ct_vec3_make(0, 0, 0), ct_quat_identity(),
               ct_vec3_make(2, 2, 2));
    expect_logged(
        "the level \"levels/yard\" has no navigation: found a scale of (2, 2, 2); expected");
    assert_int_equal(num_instances_of(&y.f), 0);
    listen();
    spawn_yard(&y.f, "levels/yard", ct_vec3_make(0, 0, 0),
               ct_quat_axis_angle(ct_vec3_make(1, 0, 0), 0.5f), ct_vec3_make(1, 1, 1));
    expect_logged("the level \"levels/yard\" has no navigation: found a z axis of");
    assert_int_equal(num_instances_of(&y.f), 0);
    ct_world_advance(y.f.world, 0.1);
    stop_world(&y.f);
}

static void a_level_whose_navigation_is_not_loaded_is_warned_about(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard_level(&f, "levels/yard", "levels/none");
    listen();
    spawn_yard_here(&f, "levels/yard");
    expect_logged("the level \"levels/yard\" has no navigation: \"levels/none\" is not loaded");
    assert_int_equal(num_instances_of(&f), 0);
    stop_world(&f);
}

static void names_the_unit_whose_class_is_unknown(void **state) {
    (void)state;
    ct_navigation_agent_data data = walker_data();
    data.class_name = ct_string_id32_of("giant");
    yard y = start_yard(&data);
    listen();
    const ct_entity e = spawn_at(&y.f, "units/walker", 8, 2, 0);
    spawn_at(&y.f, "units/walker", 9, 2, 0);
    ct_world_advance(y.f.world, 0.1);
    expect_logged(
        "the navigation agent of the unit \"units/walker\" has the class \"giant\", so it has no "
        "mesh; expected one of the world's navigation: \"walker\"");
    assert_int_equal(status_of(&y.f, e).state, CT_NAVIGATION_OFF);
    stop_world(&y.f);
}

static void meshes_come_with_a_gradual_level(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    ct_world_destroy_level(y.f.world, y.level);
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level_gradually(y.f.world, "levels/yard", ct_vec3_make(0, 0, 0),
                                       ct_quat_identity(), ct_vec3_make(1, 1, 1), 0.001, &error);
    assert_int_equal(num_instances_of(&y.f), 0);
    ct_world_advance(y.f.world, 0.1);
    assert_true(ct_level_navigation(y.f.world, level, (ct_string_id32){0}).id);
    ct_world_destroy_level(y.f.world, level);
    assert_int_equal(num_instances_of(&y.f), 0);
    stop_world(&y.f);
}

// --- Meshes of no level --------------------------------------------------------------------------

static void adds_meshes_that_belong_to_no_level(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    const ct_string_id64 name = ct_string_id64_register("levels/yard");
    const ct_string_id32 any = {0};
    const ct_mat4 here =
        ct_mat4_compose(ct_vec3_make(40, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1));
    ct_error error = {0};
    const ct_navigation_instance i = ct_world_add_navigation(y.f.world, name, any, here, &error);
    assert_true(i.id);
    assert_int_equal(num_instances_of(&y.f), 2);
    ct_world_destroy_level(y.f.world, y.level);
    assert_true(ct_navigation_world_has(ct_world_navigation(y.f.world), i));
    const ct_entity e = spawn_at(&y.f, "units/walker", 42, 2, 0);
    send(&y.f, e, 42, 12);
    assert_true(step_until(&y.f, e, CT_NAVIGATION_ARRIVED, 15));
    const struct {
        ct_string_id64 name;
        ct_string_id32 class_name;
        ct_mat4 pose;
        const char *message;
    } bad[] = {
        {ct_string_id64_register("levels/none"), any, here,
         "the navigation \"levels/none\" is not loaded"},
        {name, ct_string_id32_register("giant"), here,
         "\"levels/yard\" has no class \"giant\"; expected \"walker\""},
        {name, any,
         ct_mat4_compose(ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(3, 3, 3)),
         "found a scale of (3, 3, 3)"},
    };
    for (uint32_t k = 0; k < CT_COUNT_OF(bad); ++k) {
        error = (ct_error){0};
        assert_false(
            ct_world_add_navigation(y.f.world, bad[k].name, bad[k].class_name, bad[k].pose, &error)
                .id);
        if (!strstr(error.message, bad[k].message))
            fail_msg("%s", error.message);
    }
    stop_world(&y.f);
}

// --- Reload --------------------------------------------------------------------------------------

static void reload(world_fixture *f) {
    const ct_resource_id id = ct_resource_id_of("navigation", "levels/yard");
    assert_int_equal(ct_resource_manager_reload(f->resources, &id, 1), 1);
    for (uint64_t frame = 1; frame < 4; ++frame) { // the old blob is freed
        ct_resource_manager_update(f->resources, frame);
        ct_resource_manager_retire(f->resources, frame);
    }
}

static void units_walk_on_when_the_navigation_is_replaced(void **state) {
    (void)state;
    static const char *const rows[] = {
        "................", "................", "................", "................",
        "................", "................", "................", "................",
        "@@@@@@@@@@@@....", "@@@@@@@@@@@@....", "................", "................",
        "................", "................", "................", "................",
    };
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    ct_world *const second = ct_world_create(y.f.system);
    ct_error error = {0};
    assert_true(ct_world_add_navigation(second, ct_string_id64_of("levels/yard"),
                                        (ct_string_id32){0}, ct_mat4_identity(), &error)
                    .id);
    const ct_entity e = spawn_at(&y.f, "units/walker", 2, 2, 0);
    send(&y.f, e, 2, 14);
    for (uint32_t i = 0; i < 60; ++i)
        ct_world_advance(y.f.world, 1.0 / 60);
    write_navigation(&y.f, "levels/yard",
                     navigation_fixture_make(
                         &(navigation_fixture_desc){.rows = rows, .width = 16, .height = 16}));
    reload(&y.f);
    const ct_navigation_instance i = ct_level_navigation(y.f.world, y.level, (ct_string_id32){0});
    assert_int_equal(status_of(&y.f, e).instance.id, i.id);
    float most_x = 0;
    for (uint32_t k = 0; k < 1800 && status_of(&y.f, e).state != CT_NAVIGATION_ARRIVED; ++k) {
        ct_world_advance(y.f.world, 1.0 / 60);
        ct_world_advance(second, 1.0 / 60);
        most_x = fmaxf(most_x, place_of(&y.f, e).x);
    }
    assert_int_equal(status_of(&y.f, e).state, CT_NAVIGATION_ARRIVED);
    assert_true(most_x > 11.9f); // around the new wall
    stop_world(&y.f);
}

// Gives the class of a blob another name of six letters.
static ct_navigation_resource *rename_class(ct_navigation_resource *r, const char *name) {
    ct_navigation_class *const class = (ct_navigation_class *)ct_blob_at(r, r->classes.offset);
    memcpy((char *)r + class->name_text.offset, name, strlen("walker"));
    class->id = class->name = ct_string_id32_of(name);
    r->header.checksum = ct_content_hash((const char *)r + sizeof(r->header),
                                         r->header.size_bytes - sizeof(r->header));
    return r;
}

static void a_level_gets_meshes_of_new_classes_and_keeps_those_that_went(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    const ct_string_id32 runner = ct_string_id32_of("runner"), walker = ct_string_id32_of("walker");
    const ct_entity e = spawn_at(&y.f, "units/walker", 2, 2, 0);
    send(&y.f, e, 13, 2);
    ct_world_advance(y.f.world, 1.0 / 60);
    write_navigation(&y.f, "levels/yard", rename_class(make_yard(), "runner"));
    reload(&y.f);
    assert_int_equal(num_instances_of(&y.f), 2);
    assert_true(ct_level_navigation(y.f.world, y.level, runner).id);
    const ct_navigation_instance kept = ct_level_navigation(y.f.world, y.level, walker);
    assert_true(kept.id);
    ct_world_advance(y.f.world, 1.0 / 60);
    assert_int_equal(status_of(&y.f, e).state, CT_NAVIGATION_OFF);
    write_navigation(&y.f, "levels/yard", make_yard());
    reload(&y.f);
    assert_int_equal(num_instances_of(&y.f), 2);
    assert_true(step_until(&y.f, e, CT_NAVIGATION_ARRIVED, 15));
    assert_int_equal(status_of(&y.f, e).instance.id, kept.id);
    stop_world(&y.f);
}

static void a_level_gets_its_mesh_when_the_navigation_is_loaded_later(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    world_fixture f = start_world();
    load_yard_level(&f, "levels/yard", "levels/yard");
    load_walker(&f, &data);
    const ct_level level = spawn_yard_here(&f, "levels/yard");
    assert_int_equal(num_instances_of(&f), 0);
    load_navigation(&f, "levels/yard", make_yard());
    assert_int_equal(num_instances_of(&f), 1);
    assert_true(ct_level_navigation(f.world, level, (ct_string_id32){0}).id);
    stop_world(&f);
}

// --- Worlds --------------------------------------------------------------------------------------

// Hashes of frames in which units walk across each other, one ends, and one is put elsewhere.
static void run_scene(uint64_t hashes[400]) {
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    ct_entity e[12];
    for (uint32_t i = 0; i < 12; ++i) {
        e[i] = spawn_at(&y.f, "units/walker", 1.5f + (float)i, i % 2 ? 2 : 13, 0);
        send(&y.f, e[i], 13.5f - (float)i, i % 2 ? 13 : 2);
    }
    for (uint32_t frame = 0; frame < 400; ++frame) {
        if (frame == 100)
            ct_world_destroy_units(y.f.world, &e[3], 1);
        if (frame == 150)
            ct_transform_set_local_position(ct_world_transforms(y.f.world),
                                            transform_of(y.f.world, e[5]), ct_vec3_make(2, 2, 0));
        ct_world_advance(y.f.world, frame % 3 ? 1.0 / 60 : 1.0 / 47);
        hashes[frame] = ct_world_state_hash(y.f.world);
    }
    stop_world(&y.f);
}

static void each_run_gives_the_same_hashes(void **state) {
    (void)state;
    static uint64_t first[400], again[400], with_workers[400];
    run_scene(first);
    run_scene(again);
    assert_memory_equal(first, again, sizeof(first));
    world_tasks =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 3});
    run_scene(with_workers);
    ct_task_manager_destroy(world_tasks);
    world_tasks = NULL;
    assert_memory_equal(first, with_workers, sizeof(first));
}

static void settings_hold_for_all_worlds(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    ct_world_system_set_navigation(y.f.system, (ct_navigation_settings){.tiles = 7});
    ct_world *const second = ct_world_create(y.f.system);
    ct_world *const worlds[2] = {y.f.world, second};
    ct_error error = {0};
    ct_world_add_navigation(second, ct_string_id64_of("levels/yard"), (ct_string_id32){0},
                            ct_mat4_identity(), &error);
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t count;
        ct_navigation_world *const n = ct_world_navigation(worlds[k]);
        const ct_navigation_instance *const all = ct_navigation_world_instances(n, &count);
        const ct_navigation_obstacle_desc box = {.position = ct_vec3_make(2, 2, -1),
                                                 .half_size = ct_vec2_make(0.5f, 0.5f),
                                                 .height = 2,
                                                 .area = -1};
        assert_int_equal(count, 1);
        ct_navigation_add_obstacle(ct_navigation_world_parts(n, all[0]).mesh, &box, &error);
        assert_int_equal(ct_navigation_world_counts(n).waiting_tiles, 1);
    }
    ct_worlds_advance(worlds, 2, 0.1);
    for (uint32_t k = 0; k < 2; ++k)
        assert_int_equal(ct_navigation_world_counts(ct_world_navigation(worlds[k])).waiting_tiles,
                         0);
    stop_world(&y.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_walks_around_a_block),
        cmocka_unit_test(a_level_has_a_mesh_until_it_ends),
        cmocka_unit_test(a_turned_level_has_its_mesh_where_it_is),
        cmocka_unit_test(a_level_that_is_scaled_or_tilted_has_no_mesh),
        cmocka_unit_test(a_level_whose_navigation_is_not_loaded_is_warned_about),
        cmocka_unit_test(names_the_unit_whose_class_is_unknown),
        cmocka_unit_test(meshes_come_with_a_gradual_level),
        cmocka_unit_test(adds_meshes_that_belong_to_no_level),
        cmocka_unit_test(units_walk_on_when_the_navigation_is_replaced),
        cmocka_unit_test(a_level_gets_meshes_of_new_classes_and_keeps_those_that_went),
        cmocka_unit_test(a_level_gets_its_mesh_when_the_navigation_is_loaded_later),
        cmocka_unit_test(each_run_gives_the_same_hashes),
        cmocka_unit_test(settings_hold_for_all_worlds),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
