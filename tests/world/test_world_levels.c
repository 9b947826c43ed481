#include <math.h>

#include "foundation/math/math.h"
#include "world/world_fixture.h"

// Two units: a post, and a crate with a lamp.
static const template_entity yard[] = {
    {CT_NO_PARENT, {{0, 2, 0}}, "post", 1, false, false, false, 0},
    {CT_NO_PARENT, {{1, 0, 0}}, "crate", 1, false, false, false, 0},
    {1, {{0, 0, 1}}, "lamp", 1, false, false, true, 0},
};
static const ct_level_unit yard_units[] = {
    {{555}, {31}, 0},
    {{444}, {32}, 1},
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

// Fails unless each of the level's units is found by itself, and by its id in the first level that
// has it alive.
static void assert_units_are_found(world_fixture *f, ct_level level) {
    uint32_t count, place;
    const ct_entity *const units = ct_level_units(f->world, level, &count);
    const uint32_t *const ids = ct_level_unit_ids(f->world, level);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(ct_world_find_level_unit(f->world, units[i], &place).id, level.id);
        assert_int_equal(place, i);
        const ct_entity found = ct_world_unit_with_id(f->world, ids[i]);
        assert_true(ct_world_has_unit(f->world, units[i]) ? ct_world_has_unit(f->world, found)
                                                          : !ct_entity_equal(found, units[i]));
        if (found.id) {
            const ct_level of = ct_world_find_level_unit(f->world, found, &place);
            assert_int_equal(ct_level_unit_ids(f->world, of)[place], ids[i]);
        }
    }
}

static void spawns_its_units_in_source_order(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level level = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    uint32_t count;
    const ct_entity *const units = ct_level_units(f.world, level, &count);
    const uint32_t *const ids = ct_level_unit_ids(f.world, level);
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
    const ct_entity *const units = ct_level_units(f.world, level, &count);
    assert_world_position(f.world, units[0], 96, 0, 0);
    assert_world_position(f.world, units[1], 100, 2, 0);
    assert_world_position(f.world, child_of(f.world, units[1], 0), 100, 2, 3);
    const ct_mat4 *const pose =
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
    const ct_level *const levels = ct_world_levels(f.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(levels[0].id, b.id);
    stop_world(&f);
}

// Makes those who wait at the head of the queue be of the last generation.
static void reach_last_generation(ct_entity_manager *entities) {
    ct_entity e[64];
    for (uint32_t generation = 0; generation < CT_ENTITY_LAST_GENERATION;) {
        ct_entity_create(entities, e, CT_COUNT_OF(e));
        generation = ct_entity_generation(e[0]);
        ct_entity_destroy(entities, e, CT_COUNT_OF(e));
    }
}

// An entity of the last generation is still alive when the world hears of its death.
static void forgets_units_before_their_ids_come_again(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    ct_entity other;
    ct_world_create_entities(f.world, &other, 1);
    reach_last_generation(ct_world_system_entities(f.system));
    const ct_level level = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    uint32_t count, place;
    const ct_entity unit = ct_level_units(f.world, level, &count)[0];
    assert_int_equal(ct_entity_generation(unit), CT_ENTITY_LAST_GENERATION);
    assert_int_equal(ct_world_find_level_unit(f.world, unit, &place).id, level.id);
    ct_world_destroy_units(f.world, &unit, 1);
    ct_entity_destroy(ct_world_system_entities(f.system), &other,
                      1); // as all before it comes again
    assert_int_equal(ct_world_find_level_unit(f.world, unit, &place).id, 0);
    assert_int_equal(ct_level_units(f.world, level, &count)[0].id, 0);
    stop_world(&f);
}

static void finds_units_by_themselves_and_by_id(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level a = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    const ct_level b = spawn_yard(&f, ct_vec3_make(9, 0, 0));
    uint32_t count, place;
    const ct_entity *const of_a = ct_level_units(f.world, a, &count);
    const ct_entity *const of_b = ct_level_units(f.world, b, &count);
    assert_units_are_found(&f, a);
    assert_units_are_found(&f, b);
    assert_true(ct_entity_equal(ct_world_unit_with_id(f.world, 32), of_a[1]));
    assert_int_equal(ct_world_unit_with_id(f.world, 33).id, 0);
    assert_int_equal(ct_world_unit_with_id(f.world, 0).id, 0);
    const ct_entity lamp = child_of(f.world, of_a[1], 0);
    assert_int_equal(ct_world_find_level_unit(f.world, lamp, &place).id, 0);
    // A dead unit's place is kept; its id is that of the other level's unit.
    ct_world_destroy_units(f.world, &of_a[1], 1);
    assert_true(ct_entity_equal(ct_world_unit_with_id(f.world, 32), of_b[1]));
    assert_units_are_found(&f, a);
    const ct_entity last = of_b[1];
    ct_world_destroy_level(f.world, a);
    assert_units_are_found(&f, b);
    ct_world_destroy_level(f.world, b);
    assert_int_equal(ct_world_unit_with_id(f.world, 32).id, 0);
    assert_int_equal(ct_world_find_level_unit(f.world, last, &place).id, 0);
    stop_world(&f);
}

// Whoever has the id, very long after, of a unit that died is none of the level's.
static void takes_no_stranger_for_its_unit(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level level = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    uint32_t count, place;
    const ct_entity unit = ct_level_units(f.world, level, &count)[1];
    assert_int_equal(ct_world_find_level_unit(f.world, unit, &place).id, level.id);
    ct_world_destroy_units(f.world, &unit, 1);
    reuse_id(f.world, unit);
    assert_int_equal(ct_world_find_level_unit(f.world, unit, &place).id, 0);
    assert_int_equal(ct_level_units(f.world, level, &count)[1].id, 0);
    ct_world_destroy_level(f.world, level);
    assert_true(ct_world_of(f.system, unit) == f.world);
    stop_world(&f);
}

static void refuses_stale_levels(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level level = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    ct_world *const other = ct_world_create(f.system);
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

static void spawns_none_in_a_world_that_is_about_to_end(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_yard(&f);
    const ct_level level = spawn_yard(&f, ct_vec3_make(0, 0, 0));
    ct_error error = {0};
    ct_world_end_levels(f.world);
    assert_false(ct_level_is_alive(f.world, level));
    assert_false(ct_world_spawn_level(f.world, "levels/yard", ct_vec3_make(0, 0, 0),
                                      ct_quat_identity(), ct_vec3_make(1, 1, 1), &error)
                     .id);
    assert_non_null(strstr(error.message, "the world is about to end"));
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
    assert_non_null(strstr(error.message, "would get a pose that is not finite"));
    assert_int_equal(ct_world_system_num_entities(f.system), before);
    stop_world(&f);
}

// Crates in a row, each with a handle.
static void load_field(world_fixture *f, float height, uint32_t num_units) {
    static template_entity entities[200];
    static ct_level_unit units[100];
    for (uint32_t i = 0; i < num_units; ++i) {
        entities[2 * i] = (template_entity){
            CT_NO_PARENT, {{(float)i, 0, height}}, "crate", 1, false, false, false, 0};
        entities[2 * i + 1] =
            (template_entity){2 * i, {{0, 0, 1}}, "handle", 1, false, false, false, 0};
        units[i] = (ct_level_unit){{77}, {1000 + i}, 2 * i};
    }
    load_level(f, "levels/field", entities, 2 * num_units, units, num_units, (ct_string_id64){0});
}

static ct_level spawn_field_gradually(world_fixture *f) {
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level_gradually(f->world, "levels/field", ct_vec3_make(0, 0, 5),
                                       ct_quat_identity(), ct_vec3_make(1, 1, 1), 0, &error);
    if (!ct_level_is_alive(f->world, level))
        fail_msg("%s", error.message);
    return level;
}

static void spawns_a_level_over_several_steps(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_field(&f, 0, 100);
    const ct_level levels[2] = {spawn_field_gradually(&f), spawn_field_gradually(&f)};
    for (uint32_t step = 0; step <= 4; ++step) { // no budget: 64 entities in each
        const uint32_t expected = step < 4 ? step * 32 : 100;
        for (uint32_t k = 0; k < 2; ++k) {
            uint32_t count;
            const ct_entity *const units = ct_level_units(f.world, levels[k], &count);
            assert_int_equal(count, expected);
            assert_int_equal(ct_level_is_spawned(f.world, levels[k]), step == 4);
            if (count == 0)
                continue;
            assert_units_are_found(&f, levels[k]);
            const ct_entity last = units[count - 1];
            assert_int_equal(ct_level_unit_ids(f.world, levels[k])[count - 1], 999 + count);
            assert_true(ct_world_has_unit(f.world, last));
            assert_world_position(f.world, last, (float)count - 1, 0, 5);
            assert_world_position(f.world, child_of(f.world, last, 0), (float)count - 1, 0, 6);
        }
        assert_int_equal(ct_world_system_num_entities(f.system), 4 * expected);
        assert_int_equal(recorded()->num_objects, 4 * expected);
        ct_world_advance(f.world, 0.1);
    }
    stop_world(&f);
}

static void spawns_a_whole_level_in_a_step_within_budget(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_field(&f, 0, 100);
    const ct_level level =
        ct_world_spawn_level_gradually(f.world, "levels/field", ct_vec3_make(0, 0, 0),
                                       ct_quat_identity(), ct_vec3_make(1, 1, 1), 1000, NULL);
    ct_world_advance(f.world, 0.1);
    assert_true(ct_level_is_spawned(f.world, level));
    assert_int_equal(ct_world_system_num_entities(f.system), 200);
    stop_world(&f);
}

static void ends_a_level_that_is_being_spawned(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_field(&f, 0, 100);
    const ct_level before = spawn_field_gradually(&f), after = spawn_field_gradually(&f);
    ct_world_destroy_level(f.world, before);
    ct_world_advance(f.world, 0.1);
    assert_int_equal(ct_world_system_num_entities(f.system), 64);
    ct_world_destroy_level(f.world, after);
    assert_false(ct_level_is_spawned(f.world, after));
    for (uint32_t step = 0; step < 5; ++step)
        ct_world_advance(f.world, 0.1);
    assert_int_equal(ct_world_system_num_entities(f.system), 0);
    spawn_field_gradually(&f);
    ct_world_advance(f.world, 0.1);
    stop_world(&f); // in the middle
}

static void starts_a_level_anew_that_is_reloaded_meanwhile(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_field(&f, 0, 100);
    const ct_level level = spawn_field_gradually(&f);
    ct_world_advance(f.world, 0.1);
    assert_units_are_found(&f, level);
    load_field(&f, 7, 40);
    const ct_resource_id id = ct_resource_id_of("level", "levels/field");
    assert_int_equal(ct_resource_manager_reload(f.resources, &id, 1), 1);
    for (uint64_t frame = 1; frame < 4; ++frame) {
        ct_resource_manager_update(f.resources, frame);
        ct_resource_manager_retire(f.resources, frame); // the old data is gone
        ct_world_advance(f.world, 0.1);
    }
    uint32_t count;
    const ct_entity *const units = ct_level_units(f.world, level, &count);
    assert_true(ct_level_is_spawned(f.world, level));
    assert_units_are_found(&f, level);
    assert_int_equal(count, 40);
    assert_world_position(f.world, units[39], 39, 0, 12);
    assert_int_equal(ct_world_system_num_entities(f.system), 80);
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
        cmocka_unit_test(forgets_units_before_their_ids_come_again),
        cmocka_unit_test(finds_units_by_themselves_and_by_id),
        cmocka_unit_test(takes_no_stranger_for_its_unit),
        cmocka_unit_test(refuses_stale_levels),
        cmocka_unit_test(refuses_a_level_that_is_not_loaded),
        cmocka_unit_test(spawns_none_in_a_world_that_is_about_to_end),
        cmocka_unit_test(refuses_a_pose_that_leads_nowhere),
        cmocka_unit_test(spawns_a_level_over_several_steps),
        cmocka_unit_test(spawns_a_whole_level_in_a_step_within_budget),
        cmocka_unit_test(ends_a_level_that_is_being_spawned),
        cmocka_unit_test(starts_a_level_anew_that_is_reloaded_meanwhile),
        cmocka_unit_test(spawns_an_empty_level),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
