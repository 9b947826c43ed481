// The levels of a world that is loaded: matched by their poses, destroyed, spawned. No name is registered, as in
// the player: all is found by ids.
#include "world/world_fixture.h"

#include "foundation/math/math.h"
#include "world/save/save_fixture.h"

static const template_entity rock[] = {{.parent = CT_NO_PARENT}};

static world_fixture start(void) {
    world_fixture f = start_world();
    const ct_level_unit units[] = {{.unit = ct_string_id64_of("rock"), .id = {11}, .root = 0}};
    load_unit(&f, "rock", rock, 1);
    load_level(&f, "yard", rock, 1, units, 1, (ct_string_id64){0});
    load_level(&f, "garden", rock, 1, units, 1, (ct_string_id64){0});
    return f;
}

static ct_level spawn_level(const world_fixture *f, const char *name, float x) {
    ct_error error = {0};
    const ct_level level = ct_world_spawn_level(f->world, name, ct_vec3_make(x, 0, 0),
                                                ct_quat_identity(), ct_vec3_make(1, 1, 1), &error);
    if (!level.id)
        fail_msg("%s", error.message);
    return level;
}

static ct_entity unit_of(const world_fixture *f, ct_level level) {
    uint32_t count;
    const ct_entity *const units = ct_level_units(f->world, level, &count);
    assert_int_equal(count, 1);
    return units[0];
}

static uint32_t num_levels(const world_fixture *f) {
    uint32_t count;
    ct_world_levels(f->world, &count);
    return count;
}

// The world has the levels in another order than the save, and one of them again.
static void levels_of_one_resource_are_not_exchanged(void **state) {
    (void)state;
    world_fixture f = start();
    const ct_level first = spawn_level(&f, "yard", 0), second = spawn_level(&f, "yard", 10);
    const ct_entity kept = unit_of(&f, second);
    ct_transform_set_local_position(ct_world_transforms(f.world), transform_of(f.world, kept),
                                    ct_vec3_make(13, 0, 0));
    ct_byte_array saved = save(&f);
    ct_world_destroy_level(f.world, first);
    const ct_level again = spawn_level(&f, "yard", 0);
    uint32_t count;
    assert_int_equal(ct_world_levels(f.world, &count)[0].id, second.id);
    load(&f, &saved);
    assert_string_equal(problems, "");
    assert_int_equal(loaded_units[0].id, unit_of(&f, again).id);
    assert_int_equal(loaded_units[1].id, kept.id);
    assert_world_position(f.world, loaded_units[0], 0, 0, 0);
    assert_world_position(f.world, loaded_units[1], 13, 0, 0);
    assert_int_equal(num_levels(&f), 2);
    ct_array_free(&saved);
    stop_world(&f);
}

static void levels_that_the_save_does_not_have_are_destroyed(void **state) {
    (void)state;
    world_fixture f = start();
    const ct_level kept = spawn_level(&f, "yard", 0);
    ct_byte_array saved = save(&f);
    const ct_level near = spawn_level(&f, "yard", 1), other = spawn_level(&f, "garden", 0);
    const ct_entity near_unit = unit_of(&f, near), other_unit = unit_of(&f, other);
    load(&f, &saved);
    assert_true(ct_level_is_alive(f.world, kept));
    assert_false(ct_level_is_alive(f.world, near) || ct_level_is_alive(f.world, other));
    assert_false(is_alive(&f, near_unit) || is_alive(&f, other_unit));
    uint32_t num_lines = 0;
    for (const char *at = problems; (at = strstr(at, "is not in the save: it is destroyed")); ++at)
        ++num_lines;
    assert_int_equal(num_lines, 2);
    assert_same(&f, &saved);
    ct_array_free(&saved);
    stop_world(&f);
}

static void missing_levels_are_spawned_by_their_ids(void **state) {
    (void)state;
    world_fixture f = start();
    spawn_level(&f, "yard", 0);
    spawn_level(&f, "yard", 10);
    spawn_at(&f, "rock", 3, 0, 0);
    ct_byte_array saved = save(&f);
    ct_world_destroy(f.world);
    f.world = ct_world_create(f.system);
    const ct_level there = spawn_level(&f, "yard", 10);
    load(&f, &saved);
    assert_string_equal(problems, "");
    assert_int_equal(num_levels(&f), 2);
    assert_int_equal(loaded_units[1].id, unit_of(&f, there).id);
    assert_world_position(f.world, loaded_units[0], 0, 0, 0);
    assert_world_position(f.world, loaded_units[2], 3, 0, 0);
    ct_array_free(&saved);
    stop_world(&f);
}

// The nearest one is used, and it is said.
static void levels_at_another_place_are_named(void **state) {
    (void)state;
    world_fixture f = start();
    const ct_level first = spawn_level(&f, "yard", 10);
    ct_byte_array saved = save(&f);
    ct_world_destroy_level(f.world, first);
    spawn_level(&f, "yard", 100);
    const ct_level nearest = spawn_level(&f, "yard", 12);
    load(&f, &saved);
    assert_non_null(strstr(problems, "is at another place than it was"));
    assert_true(ct_level_is_alive(f.world, nearest));
    assert_int_equal(num_levels(&f), 1);
    assert_world_position(f.world, unit_of(&f, nearest), 10, 0, 0);
    ct_array_free(&saved);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_of_one_resource_are_not_exchanged),
        cmocka_unit_test(levels_that_the_save_does_not_have_are_destroyed),
        cmocka_unit_test(missing_levels_are_spawned_by_their_ids),
        cmocka_unit_test(levels_at_another_place_are_named),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
