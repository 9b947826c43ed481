#include "world/world_fixture.h"

// Two units: a crate with a lamp, and a post; numbered so that they interleave.
static const template_entity yard[] = {
    {CT_NO_PARENT, {{1, 0, 0}}, "crate", 1, false, false, false, 0},
    {CT_NO_PARENT, {{0, 2, 0}}, "post", 1, false, false, false, 0},
    {0, {{0, 0, 1}}, "lamp", 1, false, false, true, 0},
};
static const ct_level_unit yard_units[] = {
    {{555}, {31}, 1},
    {{444}, {32}, 0},
};

static void load_yard(world_fixture *f) {
    load_level(f, "levels/yard", yard, 3, yard_units, 2, (ct_string_id64){777});
}

static ct_level spawn_yard(world_fixture *f, ct_vec3 position) {
    ct_error error = {0};
    const ct_level level = ct_world_spawn_level(f->world, "levels/yard", position,
                                                ct_quat_identity(), ct_vec3_make(1, 1, 1), &error);
    if (!level.id)
        fail_msg("%s", error.message);
    return level;
}

static void spawns_its_units_in_source_order(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level level = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    uint32_t count;
    const ct_entity *units = ct_level_units(f.world, level, &count);
    const uint32_t *ids = ct_level_unit_ids(f.world, level);
    assert_int_equal(count, 2);
    assert_int_equal(ids[0], 31);
    assert_int_equal(ids[1], 32);
    assert_world_position(f.world, units[0], 0, 2, 0);
    assert_world_position(f.world, units[1], 1, 0, 0);
    assert_world_position(f.world, child_of(f.world, units[1], 0), 1, 0, 1);
    assert_true(ct_world_unit_resource(f.world, units[0]).value == 555);
    assert_true(ct_world_unit_resource(f.world, units[1]).value == 444);
    assert_true(ct_level_script(f.world, level).value == 777);
    stop_world(&f);
}

static void moves_its_roots_by_the_pose(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level level = ct_world_spawn_level(
        f.world, "levels/yard", ct_vec3_make(100, 0, 0),
        ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.57079633f), ct_vec3_make(2, 2, 3), NULL);
    uint32_t count;
    const ct_entity *units = ct_level_units(f.world, level, &count);
    assert_world_position(f.world, units[0], 96, 0, 0);
    assert_world_position(f.world, units[1], 100, 2, 0);
    assert_world_position(f.world, child_of(f.world, units[1], 0), 100, 2, 3);
    const ct_mat4 *pose =
        ct_transform_world(ct_world_transforms(f.world), transform_of(f.world, units[1]));
    assert_true(fabsf(pose->col[0].y - 2) < 1e-5f && fabsf(pose->col[2].z - 3) < 1e-5f);
    stop_world(&f);
}

static void destroys_what_still_lives_of_it(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level a = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    const ct_level b = spawn_yard(&f, ct_vec3_make(50, 0, 0));
    uint32_t count;
    const ct_entity dying = ct_level_units(f.world, a, &count)[0];
    ct_world_destroy_units(f.world, &dying, 1);
    assert_true(ct_level_is_alive(f.world, a));
    assert_int_equal(ct_world_system_num_entities(f.system), 5);
    ct_world_destroy_level(f.world, a);
    assert_int_equal(ct_world_system_num_entities(f.system), 3);
    assert_false(ct_level_is_alive(f.world, a));
    assert_true(ct_level_is_alive(f.world, b));
    const ct_level *levels = ct_world_levels(f.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(levels[0].id, b.id);
    stop_world(&f);
}

static void refuses_stale_levels(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level level = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    ct_world *other = ct_world_create(f.system);
    assert_false(ct_level_is_alive(other, level));
    ct_world_destroy_level(f.world, level);
    const ct_level next = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    assert_int_not_equal(next.id, level.id);
    ct_world_destroy_level(f.world, level);
    ct_world_destroy_level(f.world, (ct_level){0});
    assert_true(ct_level_is_alive(f.world, next));
    uint32_t count = 9;
    assert_null(ct_level_units(f.world, level, &count));
    assert_int_equal(count, 0);
    assert_null(ct_level_unit_ids(f.world, level));
    assert_true(ct_level_script(f.world, level).value == 0);
    stop_world(&f);
}

static void refuses_a_level_that_is_not_loaded(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_error error = {0};
    const ct_level level = ct_world_spawn_level(f.world, "levels/ghost", ct_vec3_make(0, 0, 0),
                                                ct_quat_identity(), ct_vec3_make(1, 1, 1), &error);
    assert_int_equal(level.id, 0);
    assert_non_null(strstr(error.message, "the level levels/ghost is not loaded"));
    stop_world(&f);
}

static void refuses_a_pose_that_leads_nowhere(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const uint32_t before = ct_world_system_num_entities(f.system);
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level(f.world, "levels/yard", ct_vec3_make(0, 0, 0), ct_quat_identity(),
                             ct_vec3_make(3e38f, 3e38f, 3e38f), &error);
    assert_int_equal(level.id, 0);
    assert_non_null(strstr(error.message, "lands at a pose that is not finite"));
    assert_int_equal(ct_world_system_num_entities(f.system), before);
    stop_world(&f);
}

static void spawns_an_empty_level(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_level(&f, "levels/void", NULL, 0, NULL, 0, (ct_string_id64){0});
    const ct_level level = ct_world_spawn_level(f.world, "levels/void", ct_vec3_make(0, 0, 0),
                                                ct_quat_identity(), ct_vec3_make(1, 1, 1), NULL);
    assert_true(ct_level_is_alive(f.world, level));
    uint32_t count = 9;
    ct_level_units(f.world, level, &count);
    assert_int_equal(count, 0);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawns_its_units_in_source_order),
        cmocka_unit_test(moves_its_roots_by_the_pose),
        cmocka_unit_test(destroys_what_still_lives_of_it),
        cmocka_unit_test(refuses_stale_levels),
        cmocka_unit_test(refuses_a_level_that_is_not_loaded),
        cmocka_unit_test(refuses_a_pose_that_leads_nowhere),
        cmocka_unit_test(spawns_an_empty_level),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
