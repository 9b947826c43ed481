// The rows of worlds: a component whose manager, steps and calls are added from above `world`.
#include "foundation/math/math.h"
#include "world/wind_component.h"
#include "world/world_fixture.h"

// --- What its row heard --------------------------------------------------------------------------

static struct heard {
    char order[256]; // a letter for each call
    uint32_t num_spawned, num_destroyed, num_levels;
    ct_entity last_destroyed;
    ct_entity destroys[4]; // these units when one is destroyed
    bool destroys_spawned; // the first unit that is spawned is destroyed at once
    double dt;
    bool had_components; // units were whole when they were about to be destroyed
} heard;

static void note(char letter) {
    const size_t length = strlen(heard.order);
    assert_true(length + 1 < sizeof(heard.order));
    heard.order[length] = letter;
}

static void blow(ct_world *w, void *manager, double dt) {
    (void)w;
    note('b');
    heard.dt = dt;
    wind_blow(manager, dt);
}

static void gust(ct_world *w, void *manager, double dt) {
    (void)w, (void)manager, (void)dt;
    note('g');
}

static void units_spawned(ct_world *w, void *manager, const ct_entity *units, uint32_t count) {
    const wind_manager *const m = manager;
    note('+');
    heard.num_spawned += count;
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(ct_world_has_unit(w, units[i]));
        assert_int_not_equal(ct_instance_table_first(&m->table, units[i]), 0);
    }
    if (heard.destroys_spawned)
        ct_world_destroy_units(w, units, 1);
    heard.destroys_spawned = false;
}

static void units_destroyed(ct_world *w, void *manager, const ct_entity *units, uint32_t count) {
    const wind_manager *const m = manager;
    note('-');
    heard.num_destroyed += count;
    heard.last_destroyed = units[count - 1];
    heard.had_components = ct_instance_table_first(&m->table, units[0]) != 0;
    ct_world_destroy_units(w, heard.destroys, CT_COUNT_OF(heard.destroys));
}

static void level_spawned(ct_world *w, void *manager, ct_level level) {
    (void)manager;
    assert_true(ct_level_is_spawned(w, level));
    note('L');
    ++heard.num_levels;
}

static void level_destroyed(ct_world *w, void *manager, ct_level level) {
    (void)manager;
    uint32_t count;
    ct_level_units(w, level, &count);
    assert_true(count > 0);
    note('l');
    --heard.num_levels;
    ct_world_destroy_level(w, level); // it ends once
}

static const ct_world_row wind_row = {
    .name = "wind",
    .component = &wind_schema,
    .is_single = true,
    .create = create_wind,
    .steps = {{"gust", CT_WORLD_PHASE_REACT, gust, false},
              {"blow", CT_WORLD_PHASE_SIMULATE, blow, false}},
    .units_spawned = units_spawned,
    .units_destroyed = units_destroyed,
    .level_spawned = level_spawned,
    .level_destroyed = level_destroyed,
};

// --- Tests ---------------------------------------------------------------------------------------

static const template_entity kite[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "kite", 0, false, false, false, 0},
};

static ct_world_row_id wind;

static world_fixture start_with_wind(void) {
    world_fixture f = start_world();
    heard = (struct heard){0};
    ct_world_destroy(f.world); // rows come before the first world
    wind = ct_world_system_add_row(f.system, &wind_row);
    f.world = ct_world_create(f.system);
    num_registered_instances = 1;
    load_unit(&f, "units/kite", kite, CT_COUNT_OF(kite));
    return f;
}

static void spawns_moves_and_ends_a_component_of_a_row(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    const wind_manager *const m = ct_world_manager(f.world, wind);
    const ct_entity unit = spawn_at(&f, "units/kite", 1, 0, 0);
    assert_int_equal(ct_instance_table_count(&m->table), 1);
    ct_world_advance(f.world, 0.5);
    assert_world_position(f.world, unit, 2, 0, 0);
    assert_true(heard.dt == 0.5);
    ct_world_send_changes(f.world); // no step before POSE
    assert_string_equal(heard.order, "+bg");
    ct_world_destroy_units(f.world, &unit, 1);
    assert_int_equal(ct_instance_table_count(&m->table), 0);
    assert_true(heard.had_components);
    assert_int_equal(heard.last_destroyed.id, unit.id);
    assert_string_equal(heard.order, "+bg-");
    stop_world(&f);
    assert_null(ct_component_type_named("wind")); // templates know it no longer
}

static struct { uint32_t num_steps, num_started, num_ended; } late;

static void late_step(ct_world *w, void *manager, double dt) {
    (void)dt;
    assert_ptr_equal(manager, &late);
    assert_false(ct_world_system_can_change_rows(ct_world_system_of(w)));
    ++late.num_steps;
}

static void late_started(ct_world *w, void *manager) {
    assert_ptr_equal(manager, &late);
    assert_ptr_equal(ct_world_system_world(ct_world_system_of(w), 1), w); // it is there
    ++late.num_started;
}

static void late_ended(ct_world *w, void *manager) {
    uint32_t count;
    assert_ptr_equal(manager, &late);
    ct_world_units(w, &count);
    assert_int_equal(count, 0);
    ++late.num_ended;
}

static const ct_world_row late_row = {.name = "late",
                                      .steps = {{"late", CT_WORLD_PHASE_ANIMATE, late_step, false},
                                                {"later", CT_WORLD_PHASE_SEND, late_step, false}},
                                      .world_started = late_started,
                                      .world_ended = late_ended,
                                      .user = &late};

static void takes_and_drops_rows_without_a_manager_while_worlds_exist(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    memset(&late, 0, sizeof(late));
    const ct_world_schedule before = *ct_world_system_schedule(f.system);
    const ct_world_row_id id = ct_world_system_add_row(f.system, &late_row);
    assert_ptr_equal(ct_world_manager(f.world, id), &late);
    const ct_world_schedule *const schedule = ct_world_system_schedule(f.system);
    assert_int_equal(schedule->first_send_step, before.first_send_step + 1);
    ct_world_advance(f.world, 0.1);
    ct_world_send_changes(f.world);
    assert_int_equal(late.num_steps, 3);
    ct_world *const other = ct_world_create(f.system);
    spawn_at(&f, "units/kite", 0, 0, 0);
    ct_world_destroy(other);
    assert_int_equal(late.num_started, 1);
    assert_int_equal(late.num_ended, 1);
    ct_world_system_remove_row(f.system, id);
    assert_int_equal(schedule->num_steps, before.num_steps);
    assert_int_equal(schedule->first_send_step, before.first_send_step);
    assert_memory_equal(schedule->steps, before.steps, sizeof(before.steps[0]) * before.num_steps);
    assert_int_equal(schedule->num_rows, before.num_rows + 1); // others keep their ids
    ct_world_advance(f.world, 0.1);
    assert_int_equal(late.num_steps, 3);
    assert_int_equal(ct_world_system_add_row(f.system, &late_row).index, id.index); // in its place
    ct_world_advance(f.world, 0.1);
    assert_int_equal(late.num_steps, 5);
    assert_true(ct_world_system_can_change_rows(f.system));
    stop_world(&f);
    assert_int_equal(late.num_ended, 2);
}

static void phases_have_names(void **state) {
    (void)state;
    for (uint32_t i = 1; i < CT_WORLD_NUM_PHASES; ++i)
        assert_int_equal(ct_world_phase_named(ct_world_phase_name((ct_world_phase)i)), i);
    assert_int_equal(ct_world_phase_named("none"), CT_WORLD_PHASE_NONE);
    assert_int_equal(ct_world_phase_named("later"), CT_WORLD_PHASE_NONE);
}

static void gives_each_world_a_manager(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    ct_world *const second = ct_world_create(f.system);
    assert_ptr_not_equal(ct_world_manager(f.world, wind), ct_world_manager(second, wind));
    ct_world_destroy(second);
    stop_world(&f);
}

static void calls_rows_once_for_many_units(void **state) {
    (void)state;
    enum { NUM_UNITS = 20 };
    world_fixture f = start_with_wind();
    ct_entity units[NUM_UNITS];
    ct_error error = {0};
    assert_true(
        ct_world_spawn_units(f.world, "units/kite", NULL, NULL, NULL, NUM_UNITS, units, &error));
    assert_string_equal(heard.order, "+");
    assert_int_equal(heard.num_spawned, NUM_UNITS);
    ct_entity_destroy(ct_world_system_entities(f.system), units, NUM_UNITS); // by whomever
    assert_string_equal(heard.order, "+-");
    assert_int_equal(heard.num_destroyed, NUM_UNITS);
    stop_world(&f);
}

static void lets_a_row_destroy_others_meanwhile(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    const ct_entity a = spawn_at(&f, "units/kite", 0, 0, 0);
    const ct_entity b = spawn_at(&f, "units/kite", 0, 0, 0);
    heard.destroys[0] = b;
    ct_world_destroy_units(f.world, &a, 1);
    assert_false(is_alive(&f, a) || is_alive(&f, b));
    assert_int_equal(heard.num_destroyed, 2);
    const wind_manager *const m = ct_world_manager(f.world, wind);
    assert_int_equal(ct_instance_table_count(&m->table), 0);
    stop_world(&f);
}

// How many units the row behind the wind's heard of.
static struct { uint32_t num_spawned, num_destroyed; } second;

static void second_spawned(ct_world *w, void *manager, const ct_entity *units, uint32_t count) {
    (void)manager;
    second.num_spawned += count;
    for (uint32_t i = 0; i < count; ++i)
        assert_true(ct_world_has_unit(w, units[i]));
}

static void second_destroyed(ct_world *w, void *manager, const ct_entity *units, uint32_t count) {
    (void)manager;
    second.num_destroyed += count;
    for (uint32_t i = 0; i < count; ++i)
        assert_true(ct_world_has_unit(w, units[i]));
    ct_world_destroy_units(w, heard.destroys, 1);
}

static const ct_world_row second_row = {
    .name = "second", .units_spawned = second_spawned, .units_destroyed = second_destroyed};

static world_fixture start_with_two_rows(void) {
    world_fixture f = start_with_wind();
    memset(&second, 0, sizeof(second));
    ct_world_destroy(f.world);
    ct_world_system_add_row(f.system, &second_row);
    f.world = ct_world_create(f.system);
    return f;
}

// Units that are destroyed together, or that destroy each other and themselves: each row hears once
// of each, and whoever hangs on them by template ends.
static void each_row_hears_once_of_each_unit(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 3; ++round) {
        world_fixture f = start_with_two_rows();
        ct_entity units[3];
        for (uint32_t i = 0; i < 3; ++i)
            units[i] = spawn_at(&f, "units/kite", 0, 0, 0);
        memcpy(heard.destroys, units, sizeof(units));
        ct_world_destroy_units(f.world, units, 1 + round);
        assert_int_equal(heard.num_destroyed, 3);
        assert_int_equal(second.num_destroyed, 3);
        memset(heard.destroys, 0, sizeof(heard.destroys));
        for (uint32_t i = 0; i < 3; ++i)
            assert_false(is_alive(&f, units[i]));
        ct_entity later[3]; // nothing is left of the dead where indices come again
        for (uint32_t i = 0; i < 1024; ++i) {
            memset(heard.order, 0, sizeof(heard.order));
            assert_true(
                ct_world_spawn_units(f.world, "units/kite", NULL, NULL, NULL, 3, later, NULL));
            ct_world_destroy_units(f.world, later, 3);
        }
        assert_int_equal(second.num_destroyed, 3 + 3 * 1024);
        stop_world(&f);
    }
}

static void later_rows_hear_of_units_that_are_there(void **state) {
    (void)state;
    world_fixture f = start_with_two_rows();
    ct_entity units[2];
    heard.destroys_spawned = true;
    assert_true(ct_world_spawn_units(f.world, "units/kite", NULL, NULL, NULL, 2, units, NULL));
    assert_int_equal(heard.num_spawned, 2);
    assert_int_equal(second.num_spawned, 1);
    stop_world(&f);
}

static void calls_rows_for_units_that_end_with_their_world(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    spawn_at(&f, "units/kite", 0, 0, 0);
    spawn_at(&f, "units/kite", 0, 0, 0);
    ct_world_destroy(f.world);
    assert_int_equal(heard.num_destroyed, 2);
    assert_true(heard.had_components);
    stop_world(&f);
}

// A level of `count` kites.
static void load_kites(world_fixture *f, uint32_t count) {
    template_entity entities[200];
    ct_level_unit units[200];
    assert_true(count <= CT_COUNT_OF(entities));
    for (uint32_t i = 0; i < count; ++i) {
        entities[i] = kite[0];
        units[i] = (ct_level_unit){ct_string_id64_of("units/kite"), {i + 1}, i};
    }
    load_level(f, "levels/kites", entities, count, units, count, (ct_string_id64){0});
}

static void calls_rows_when_levels_come_and_go(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    load_kites(&f, 3);
    ct_error error = {0};
    const ct_level level = ct_world_spawn_level(f.world, "levels/kites", ct_vec3_make(0, 0, 0),
                                                ct_quat_identity(), ct_vec3_make(1, 1, 1), &error);
    assert_int_not_equal(level.id, 0);
    assert_int_equal(heard.num_spawned, 3);
    assert_int_equal(heard.num_levels, 1);
    ct_world_destroy_level(f.world, level);
    assert_string_equal(heard.order, "+Ll-");
    assert_int_equal(heard.num_destroyed, 3);
    stop_world(&f);
}

static void calls_rows_for_each_slice_of_a_gradual_level(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    load_kites(&f, 130); // slices of 64
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level_gradually(f.world, "levels/kites", ct_vec3_make(0, 0, 0),
                                       ct_quat_identity(), ct_vec3_make(1, 1, 1), 0, &error);
    assert_string_equal(heard.order, "");
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(heard.num_levels, 0);
        ct_world_advance(f.world, 0.1);
    }
    assert_true(ct_level_is_spawned(f.world, level));
    assert_int_equal(heard.num_spawned, 130);
    assert_int_equal(heard.num_levels, 1);
    assert_string_equal(heard.order, "+bg+bg+Lbg");
    stop_world(&f);
}

// What no row heard the spawning of, none hears the end of.
static void a_level_that_ends_half_spawned_was_never_there(void **state) {
    (void)state;
    world_fixture f = start_with_wind();
    load_kites(&f, 130);
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level_gradually(f.world, "levels/kites", ct_vec3_make(0, 0, 0),
                                       ct_quat_identity(), ct_vec3_make(1, 1, 1), 0, &error);
    ct_world_advance(f.world, 0.1);
    ct_world_destroy_level(f.world, level);
    assert_string_equal(heard.order, "+bg-");
    stop_world(&f);
}

static void keeps_steps_in_the_order_of_phases_and_rows(void **state) {
    (void)state;
    static const ct_world_row early = {.name = "early",
                                       .steps = {{"early", CT_WORLD_PHASE_SIMULATE, gust, false}}};
    ct_world_schedule s;
    ct_world_schedule_init(&s);
    const uint32_t num_before = s.num_steps;
    ct_world_schedule_add(&s, &wind_row);
    ct_world_schedule_add(&s, &early);
    assert_int_equal(s.num_steps, num_before + 3);
    static const char *const names[] = {"levels",
                                        "collect garbage",
                                        "tidy transforms",
                                        "characters",
                                        "navigation",
                                        "physics",
                                        "blow",
                                        "early",
                                        "time",
                                        "triggers",
                                        "forget ended effects",
                                        "forget sound events",
                                        "gust",
                                        "pose new characters",
                                        "scene graphs",
                                        "particles",
                                        "sounds",
                                        "meshes",
                                        "lights",
                                        "skins",
                                        "physics lines",
                                        "send particles",
                                        "clear changes"};
    assert_int_equal(s.num_steps, CT_COUNT_OF(names));
    for (uint32_t i = 0; i < s.num_steps; ++i)
        assert_string_equal(s.steps[i].step->name, names[i]);
    assert_string_equal(s.steps[s.first_send_step].step->name, "pose new characters");
}

static void add_late(void *user) {
    ct_world_system_add_row(user, &wind_row);
}

static void refuses_rows_after_the_first_world(void **state) {
    (void)state;
    world_fixture f = start_world();
    test_expect_death(add_late, f.system, "the row \"wind\" must be added while no world exists");
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawns_moves_and_ends_a_component_of_a_row),
        cmocka_unit_test(gives_each_world_a_manager),
        cmocka_unit_test(takes_and_drops_rows_without_a_manager_while_worlds_exist),
        cmocka_unit_test(phases_have_names),
        cmocka_unit_test(calls_rows_once_for_many_units),
        cmocka_unit_test(lets_a_row_destroy_others_meanwhile),
        cmocka_unit_test(each_row_hears_once_of_each_unit),
        cmocka_unit_test(later_rows_hear_of_units_that_are_there),
        cmocka_unit_test(calls_rows_for_units_that_end_with_their_world),
        cmocka_unit_test(calls_rows_when_levels_come_and_go),
        cmocka_unit_test(calls_rows_for_each_slice_of_a_gradual_level),
        cmocka_unit_test(a_level_that_ends_half_spawned_was_never_there),
        cmocka_unit_test(keeps_steps_in_the_order_of_phases_and_rows),
        cmocka_unit_test(refuses_rows_after_the_first_world),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
