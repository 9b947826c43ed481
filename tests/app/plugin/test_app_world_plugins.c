// Worlds as plugins have them: their components, steps and observers over reloads, and the functions of
// the interfaces, with dead entities and worlds.
#include <math.h>
#include <unistd.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/libraries/world_user.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "plugin/plugin_host.h"
#include "world/world_fixture.h"

static probe shared;
static const probe_api_1 probe_api = {&shared};
static ct_app app;

typedef struct fixture {
    world_fixture world;
    char folder[CT_PATH_BYTES], library[CT_PATH_BYTES];
} fixture;

static const template_entity stone[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "stone", 0, false, false, false, 2},
    {0, {{0, 0, 1}}, "moss", 0, false, false, false, 0},
};

static const cuttle_world_api_1 *const world = &ct_app_world_api_1;
static const cuttle_poses_api_1 *const poses = &ct_app_poses_api_1;
static const cuttle_data_api_1 *const data = &ct_app_data_api_1;
static const cuttle_components_api_1 *const components = &ct_app_components_api_1;

// --- A game of worlds and plugins alone ----------------------------------------------------------

static void begin(fixture *f, const char *name) {
    static ct_plugin_interface interfaces[32];
    *f = (fixture){.world = start_world()};
    shared = (probe){0};
    app = (ct_app){.allocator = test_heap(), .worlds = f->world.system};
    ct_plugin_host_desc desc = {.allocator = test_heap(), .user = &app};
    const ct_plugin_interface *const own = ct_app_interfaces(&desc.num_interfaces);
    memcpy(interfaces, own, sizeof(*own) * desc.num_interfaces);
    interfaces[desc.num_interfaces++] = (ct_plugin_interface){PROBE_API, 1, &probe_api};
    desc.interfaces = interfaces;
    snprintf(f->folder, sizeof(f->folder), "%s/%s", f->world.folder, name);
    desc.copies_folder = f->folder;
    app.plugins = ct_plugin_host_create(&desc);
    snprintf(f->library, sizeof(f->library), "%s/world_user.so", f->world.folder);
}

static void finish(fixture *f) {
    stop_world(&f->world);
    app.worlds = NULL;
    ct_plugin_host_destroy(app.plugins);
    assert_null(ct_component_type_named("drift"));
    assert_int_equal(app.num_spawn_locks, 0);
    assert_int_equal(app.num_reading, 0);
}

static void build(fixture *f, const char *library) {
    char path[CT_PATH_BYTES];
    uint64_t bytes;
    ct_error error = {0};
    snprintf(path, sizeof(path), "%s/tests/plugins/%s.so", ct_os_environment("CUTTLE_BUILD_DIR"),
             library);
    char *const file = ct_file_read(test_heap(), path, &bytes, &error);
    assert_non_null(file);
    assert_true(ct_file_write(f->library, file, bytes, false, &error));
    ct_free(test_heap(), file);
}

static bool load(fixture *f, const char *library, ct_error *error) {
    build(f, library);
    *error = (ct_error){0};
    return ct_plugin_host_load_one(app.plugins, &(ct_plugin_entry){"world_user", f->library},
                                   error);
}

static void must_load(fixture *f, const char *library) {
    ct_error error;
    if (!load(f, library, &error))
        fail_msg("%s", error.message);
}

static bool reload(fixture *f, const char *library, ct_error *error) {
    build(f, library);
    *error = (ct_error){0};
    return ct_plugin_host_reload(app.plugins, "world_user", error);
}

static void must_reload(fixture *f, const char *library) {
    ct_error error;
    if (!reload(f, library, &error))
        fail_msg("%s", error.message);
}

static cuttle_world *world_of(const fixture *f) {
    return (cuttle_world *)f->world.world;
}

static cuttle_components *drifts(const fixture *f) {
    return components->find(shared.self, world_of(f), "drift", NULL);
}

static void spawn(fixture *f, uint32_t count, cuttle_entity *units) {
    cuttle_vector3 *const at = ct_alloc(test_heap(), sizeof(*at) * count);
    cuttle_error error = {0};
    for (uint32_t i = 0; i < count; ++i)
        at[i] = (cuttle_vector3){(float)(i % 100), (float)(i / 100), 0};
    if (!world->spawn_units(shared.self, world_of(f), "units/stone", at, NULL, NULL, count, units,
                            &error))
        fail_msg("%s", error.message);
    ct_free(test_heap(), at);
}

// Drifting stones, each with a speed of its own.
static void spawn_drifting(fixture *f, uint32_t count, cuttle_entity *units) {
    spawn(f, count, units);
    drift *const each = ct_alloc(test_heap(), sizeof(*each) * count);
    cuttle_error error = {0};
    for (uint32_t i = 0; i < count; ++i)
        each[i] = (drift){(float)(i % 7), {0.5f, 1, (float)(i % 3)}};
    if (components->add(shared.self, drifts(f), units, NULL, each, count, &error) == CUTTLE_NO_ROW)
        fail_msg("%s", error.message);
    ct_free(test_heap(), each);
}

static cuttle_vector3 position_of(cuttle_entity e) {
    cuttle_vector3 position = {0};
    assert_true(poses->world_position(shared.self, e, 0, &position));
    return position;
}

// --- Steps and reloads ---------------------------------------------------------------------------

enum { MANY = 10000 };

// Returns the hash after 40 steps, with a reload before every other one.
static uint64_t drift_on(bool reloads, const char *name) {
    static cuttle_entity units[MANY];
    fixture f;
    begin(&f, name);
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    spawn_drifting(&f, MANY, units);
    for (uint32_t i = 0; i < 40; ++i) {
        if (reloads && i % 2 == 0)
            must_reload(&f, i % 4 == 0 ? "world_user_2" : "world_user_1");
        ct_world_advance(f.world.world, 1.0 / 60);
        if (reloads)
            assert_int_equal(shared.number, i % 4 < 2 ? 2 : 1);
    }
    assert_int_equal(shared.num_steps, 40);
    assert_int_equal(components->count(drifts(&f)), MANY);
    assert_int_equal(shared.num_started, 1);
    const watch *const w = world->observer_data(shared.self, world_of(&f), "watch");
    assert_int_equal(w->num_units, MANY);
    const uint64_t hash = world->state_hash(shared.self, world_of(&f));
    // 6 m/s along y for two thirds of a second.
    const cuttle_vector3 at = position_of(units[6]);
    assert_true(fabsf(at.y - 4) < 1e-3f && fabsf(at.x - 8) < 1e-3f);
    finish(&f);
    return hash;
}

static void moves_thousands_the_same_each_time_and_over_reloads(void **state) {
    (void)state;
    const uint64_t hash = drift_on(false, "once");
    assert_true(hash != 0);
    assert_true(drift_on(false, "twice") == hash);
    assert_true(drift_on(true, "reloading") == hash);
}

static void steps_of_a_library_loaded_later_run_in_worlds_that_exist(void **state) {
    (void)state;
    fixture f;
    begin(&f, "copies");
    const uint32_t num_steps = ct_world_system_schedule(f.world.system)->num_steps;
    ct_world_advance(f.world.world, 0.1);
    must_load(&f, "world_user_1");
    const ct_world_schedule *const schedule = ct_world_system_schedule(f.world.system);
    assert_int_equal(schedule->num_steps, num_steps + 2);
    uint32_t at = 0;
    while (strcmp(schedule->steps[at].step->name, "drift") != 0)
        ++at;
    // After the engine's of its phase.
    assert_int_equal(schedule->steps[at].step->phase, CT_WORLD_PHASE_SIMULATE);
    assert_int_equal(schedule->steps[at + 1].step->phase, CT_WORLD_PHASE_REACT);
    assert_string_equal(schedule->rows[schedule->steps[at].row]->name, "drift");
    ct_world_advance(f.world.world, 0.1);
    assert_int_equal(shared.num_steps, 1);
    assert_int_equal(shared.num_reads, 1);
    ct_world_send_changes(f.world.world);
    assert_int_equal(shared.num_steps, 1);
    assert_int_equal(shared.num_reads, 2);
    must_reload(&f, "world_user_2");
    at = 0;
    while (strcmp(schedule->steps[at].step->name, "drift") != 0)
        ++at;
    assert_int_equal(schedule->steps[at].step->phase, CT_WORLD_PHASE_REACT);
    assert_int_equal(schedule->num_steps, num_steps + 2);
    finish(&f);
}

static void unloads_without_worlds(void **state) {
    (void)state;
    fixture f;
    ct_error error = {0};
    begin(&f, "copies");
    const uint32_t num_steps = ct_world_system_schedule(f.world.system)->num_steps;
    must_load(&f, "world_user_1");
    assert_false(ct_plugin_host_unload(app.plugins, "world_user", &error));
    assert_non_null(strstr(error.message, "component type \"drift\" cannot be taken away now"));
    ct_world_destroy(f.world.world);
    assert_int_equal(shared.num_ended, 1);
    assert_true(ct_plugin_host_unload(app.plugins, "world_user", &error));
    assert_null(ct_component_type_named("drift"));
    assert_int_equal(ct_world_system_schedule(f.world.system)->num_steps, num_steps);
    f.world.world = ct_world_create(f.world.system);
    ct_world_advance(f.world.world, 0.1);
    must_load(&f, "world_user_1");
    ct_world_advance(f.world.world, 0.1);
    assert_int_equal(shared.num_steps, 1);
    finish(&f);
}

// --- Observers -----------------------------------------------------------------------------------

static void hears_of_worlds_units_and_levels(void **state) {
    (void)state;
    fixture f;
    cuttle_entity units[3];
    cuttle_error error = {0};
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    const ct_level_unit level_units[] = {{{1}, {7}, 0}};
    load_level(&f.world, "levels/beach", stone, CT_COUNT_OF(stone), level_units, 1,
               (ct_string_id64){0});
    must_load(&f, "world_user_1");
    assert_int_equal(shared.num_started, 1); // the world was there before
    spawn(&f, 3, units);
    assert_int_equal(shared.num_spawned, 3);
    world->destroy(shared.self, world_of(&f), units, 2);
    world->destroy(shared.self, world_of(&f), units, 2); // dead
    assert_int_equal(shared.num_destroyed, 2);
    const cuttle_level level =
        world->spawn_level(shared.self, world_of(&f), "levels/beach", NULL, NULL, NULL, &error);
    assert_true(level.id != 0 && shared.num_levels == 1 && shared.num_spawned == 4);
    cuttle_entity found;
    assert_int_equal(world->level_units(shared.self, world_of(&f), level, &found, 1), 1);
    assert_int_equal(world->unit_by_id(shared.self, world_of(&f), (cuttle_id32){7}).id, found.id);
    assert_int_equal(world->level_of(shared.self, found).id, level.id);
    world->destroy_level(shared.self, world_of(&f), level);
    world->destroy_level(shared.self, world_of(&f), level);
    assert_int_equal(shared.num_levels_destroyed, 1);
    assert_false(world->is_level_alive(shared.self, world_of(&f), level));
    ct_world *const second = ct_world_create(f.world.system);
    assert_int_equal(shared.num_started, 2);
    const watch *const first = world->observer_data(shared.self, world_of(&f), "watch");
    assert_int_equal(first->num_units, 1);
    ct_world_destroy(second);
    assert_int_equal(shared.num_ended, 1);
    ct_world_destroy(f.world.world);
    assert_int_equal(shared.num_ended, 2);
    assert_int_equal(shared.num_destroyed, 4);
    finish(&f);
}

static void observers_end_with_the_library_that_adds_them(void **state) {
    (void)state;
    fixture f;
    begin(&f, "copies");
    must_load(&f, "world_user_1");
    must_reload(&f, "world_fault_10"); // FAULT_NO_OBSERVER
    assert_int_equal(shared.num_ended, 1);
    assert_null(world->observer_data(shared.self, world_of(&f), "watch"));
    must_reload(&f, "world_user_1");
    assert_int_equal(shared.num_started, 2);
    finish(&f);
    assert_int_equal(shared.num_ended, 2);
}

static void names_data_of_observers_in_the_old_library(void **state) {
    (void)state;
    fixture f;
    begin(&f, "copies");
    must_load(&f, "world_fault_12"); // FAULT_STATIC_DATA
    const uint64_t before = ct_log_error_count_of("plugin_keeps_old");
    must_reload(&f, "world_user_1");
    assert_int_equal(ct_log_error_count_of("plugin_keeps_old"), before + 1);
    const watch *const own = world->observer_data(shared.self, world_of(&f), "watch");
    assert_int_equal(own->num_units, 0); // so its library stayed open
    must_reload(&f, "world_user_2");
    assert_int_equal(ct_log_error_count_of("plugin_keeps_old"), before + 1);
    finish(&f);
}

#ifndef CT_SANITIZE // sanitizers have the signals

static void refuses_a_library_whose_observer_crashes_while_it_is_brought_in(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f, "copies");
    ct_world *const second = ct_world_create(f.world.system);
    const uint32_t num_steps = ct_world_system_schedule(f.world.system)->num_steps;
    assert_false(load(&f, "world_fault_13", &error)); // FAULT_CRASH
    assert_non_null(strstr(error.message, "the observer of worlds \"watch\": it crashed: "
                                          "Segmentation fault"));
    assert_int_equal(shared.num_ended, 0); // it is not called after that
    assert_int_equal(ct_world_system_schedule(f.world.system)->num_steps, num_steps);
    must_load(&f, "world_fault_10"); // has no observer
    assert_false(reload(&f, "world_fault_13", &error));
    must_reload(&f, "world_user_1");
    assert_int_equal(shared.num_started, 2);
    ct_world_advance(f.world.world, 0.1);
    assert_int_equal(shared.number, 1);
    ct_world_destroy(second);
    finish(&f);
}

#endif

static void refuses_to_spawn_where_the_world_is_read(void **state) {
    (void)state;
    fixture f;
    cuttle_entity units[2];
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    spawn(&f, 2, units);
    shared.spawns_when_reading = true;
    ct_world_advance(f.world.world, 0.1);
    assert_false(shared.has_spawned);
    assert_non_null(strstr(shared.message, "steps of \"pose\" and \"send\""));
    shared.message[0] = 0;
    world->destroy(shared.self, world_of(&f), units, 1);
    assert_false(shared.has_spawned);
    assert_non_null(strstr(shared.message, "units_destroyed"));
    uint32_t count;
    ct_world_units(f.world.world, &count);
    assert_int_equal(count, 1);
    finish(&f);
    assert_string_equal(shared.message, "the world is about to end");
}

// --- What is refused -----------------------------------------------------------------------------

static void refuses_to_load(const char *library, const char *message) {
    fixture f;
    ct_error error;
    begin(&f, library);
    const uint32_t num_steps = ct_world_system_schedule(f.world.system)->num_steps;
    assert_false(load(&f, library, &error));
    if (!strstr(error.message, message))
        fail_msg("%s: %s", library, error.message);
    assert_int_equal(ct_world_system_schedule(f.world.system)->num_steps, num_steps);
    assert_null(ct_component_type_named("drift"));
    assert_int_equal(shared.num_started, shared.num_ended);
    ct_world_advance(f.world.world, 0.1);
    finish(&f);
}

static void refuses_what_is_wrong_with_a_library(void **state) {
    (void)state;
    refuses_to_load("world_fault_1", "the step \"drift\" has the phase \"later\"; expected "
                                     "\"animate\", \"simulate\"");
    refuses_to_load("world_fault_2", "the step \"drift\" has no function `run`");
    refuses_to_load("world_fault_3", "the observer \"watch\" has no function `world_started`");
    refuses_to_load(
        "world_fault_5",
        "the component \"drift\": field 0 (speed) has a size that is not that of its type");
    refuses_to_load("world_fault_7", "the component type \"transform\" exists already");
    refuses_to_load("world_fault_8", "the step of worlds \"drift\" was added before");
    refuses_to_load("world_fault_9", "no wind today");
    refuses_to_load("world_fault_11", "the component type \"light\" exists already");
}

static void refuses_other_fields_while_there_are_worlds(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    cuttle_entity units[2];
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    spawn_drifting(&f, 2, units);
    assert_false(reload(&f, "world_fault_4", &error));
    assert_string_equal(error.message, "the component type \"drift\" cannot change while the game "
                                       "runs: the field \"velocity\" was \"speed\"");
    assert_false(reload(&f, "world_fault_6", &error));
    assert_string_equal(error.message,
                        "the new library does not add the component type \"drift\" any more: "
                        "there are worlds that may have such components");
    assert_int_equal(components->count(drifts(&f)), 2);
    ct_world_advance(f.world.world, 0.1);
    assert_int_equal(shared.number, 1);
    ct_world_destroy(f.world.world);
    must_reload(&f, "world_fault_4");
    f.world.world = ct_world_create(f.world.system);
    cuttle_error why = {0};
    assert_non_null(components->column(drifts(&f), "velocity", CUTTLE_FIELD_FLOAT, &why));
    assert_null(components->column(drifts(&f), "speed", CUTTLE_FIELD_FLOAT, &why));
    assert_string_equal(why.message, "the component drift has no field \"speed\"");
    finish(&f);
}

// --- Functions -----------------------------------------------------------------------------------

static uint32_t num_bad;
static void count_bad(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)system;
    num_bad += level == CT_LOG_LEVEL_ERROR && strstr(message, "world_user called ") != NULL;
}

static void dead_entities_and_worlds_are_noticed(void **state) {
    (void)state;
    fixture f;
    cuttle_entity units[2];
    cuttle_error error = {0};
    cuttle_vector3 at = {1, 2, 3};
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    cuttle_plugin *const self = shared.self;
    spawn_drifting(&f, 2, units);
    world->destroy(self, world_of(&f), units, 1);
    const cuttle_entity wrong[] = {units[0], {0}, {UINT32_MAX}, {1}};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        assert_false(world->is_entity_alive(self, wrong[i]));
        assert_null(world->world_of(self, wrong[i]));
        assert_int_equal(world->unit_of(self, wrong[i]).id, 0);
        assert_true(world->unit_resource(self, wrong[i]).value == 0);
        assert_string_equal(world->debug_name(self, wrong[i]), "");
        assert_int_equal(world->level_of(self, wrong[i]).id, 0);
        assert_false(poses->set_local_position(self, wrong[i], 0, &at));
        assert_false(poses->world_position(self, wrong[i], 0, &at));
        assert_int_equal(poses->num_nodes(self, wrong[i]), 0);
        assert_false(poses->link(self, units[1], wrong[i], 0));
        assert_false(data->has_tag(self, wrong[i], (cuttle_id32){5}));
        data->add_tag(self, &wrong[i], 1, (cuttle_id32){5});
        assert_false(data->set_number(self, wrong[i], (cuttle_id32){0}, "a", 1));
        assert_int_equal(components->row(drifts(&f), wrong[i]), CUTTLE_NO_ROW);
        assert_int_equal(components->add(self, drifts(&f), &wrong[i], NULL, NULL, 1, &error),
                         CUTTLE_NO_ROW);
        assert_non_null(strstr(error.message, "is dead or in no world"));
        world->destroy(self, world_of(&f), &wrong[i], 1);
        components->remove(drifts(&f), &wrong[i], 1);
    }
    cuttle_vector3 many[4] = {{7, 7, 7}};
    assert_int_equal(poses->world_positions(self, world_of(&f), wrong, 4, many), 0);
    assert_true(many[0].x == 0 && at.x == 1);
    assert_int_equal(poses->set_local_positions(self, world_of(&f), wrong, 4, many), 0);
    cuttle_world *const ended = world_of(&f);
    ct_world_destroy(f.world.world);
    ct_log_add_sink(&(ct_log_sink){.write = count_bad});
    num_bad = 0;
    assert_false(world->is_alive(self, ended));
    assert_int_equal(num_bad, 0);
    assert_true(world->time(self, ended) == 0);
    assert_false(
        world->spawn_units(self, ended, "units/stone", NULL, NULL, NULL, 1, units, &error));
    assert_string_equal(error.message, "the world has ended");
    assert_null(components->find(self, ended, "drift", &error));
    assert_int_equal(world->units(self, ended, NULL, 0), 0);
    assert_int_equal(poses->world_positions(self, ended, wrong, 4, many), 0);
    assert_int_equal(num_bad, 5);
    ct_log_remove_sink(count_bad, NULL);
    finish(&f);
}

static void spawning_says_what_is_wrong(void **state) {
    (void)state;
    fixture f;
    cuttle_entity unit;
    cuttle_error error = {0};
    const cuttle_vector3 bad = {NAN, 0, 0};
    const cuttle_quaternion zero = {0, 0, 0, 0}, twice = {0, 0, 0, 2};
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    cuttle_plugin *const self = shared.self;
    cuttle_world *const w = world_of(&f);
    assert_false(world->spawn_units(self, w, "units/none", NULL, NULL, NULL, 1, &unit, &error));
    assert_string_equal(error.message, "the unit units/none is not loaded");
    assert_false(world->spawn_units(self, w, "units/stone", &bad, NULL, NULL, 1, &unit, NULL));
    assert_false(world->spawn_units(self, w, "units/stone", NULL, NULL, &bad, 1, &unit, &error));
    assert_string_equal(error.message, "scale 0 is not finite");
    assert_false(world->spawn_units(self, w, "units/stone", NULL, &zero, NULL, 1, &unit, &error));
    assert_string_equal(error.message, "rotation 0 is not finite, or has no length");
    assert_false(
        world->spawn_units(self, w, "units/stone", NULL, NULL, NULL, UINT32_MAX, &unit, &error));
    assert_int_equal(world->spawn_level(self, w, "levels/none", &bad, NULL, NULL, &error).id, 0);
    assert_int_equal(world->spawn_level(self, w, "levels/none", NULL, NULL, NULL, &error).id, 0);
    assert_int_equal(world->units(self, w, NULL, 0), 0);
    assert_true(world->spawn_units(self, w, "units/stone", NULL, &twice, NULL, 1, &unit, &error));
    cuttle_quaternion rotation;
    assert_true(poses->local_rotation(self, unit, 0, &rotation));
    assert_true(fabsf(rotation.w - 1) < 1e-6f);
    finish(&f);
}

static void finds_units(void **state) {
    (void)state;
    fixture f;
    cuttle_entity units[3], found[3], plain;
    cuttle_error error = {0};
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    cuttle_plugin *const self = shared.self;
    cuttle_world *const w = world_of(&f);
    spawn(&f, 3, units);
    assert_int_equal(world->units(self, w, found, 2), 3);
    assert_int_equal(found[1].id, units[1].id);
    const cuttle_id64 id = world->id64("units/stone");
    assert_true(world->unit_resource(self, units[0]).value == id.value);
    assert_int_equal(world->units_of_resource(self, w, id, found, 3), 3);
    assert_int_equal(world->units_of_resource(self, w, world->id64("units/x"), NULL, 0), 0);
    assert_string_equal(world->debug_name(self, units[2]), "stone");
    assert_int_equal(world->unit_by_name(self, w, "stone").id, units[0].id);
    assert_int_equal(world->unit_by_name(self, w, "moss").id, 0); // a part
    assert_true(world->create_entities(self, w, 1, &plain, &error));
    assert_ptr_equal(world->world_of(self, plain), w);
    assert_int_equal(world->unit_of(self, plain).id, 0);
    const ct_entity moss = child_of(f.world.world, (ct_entity){units[1].id}, 0);
    assert_int_equal(world->unit_of(self, (cuttle_entity){moss.id}).id, units[1].id);
    cuttle_world *all[2];
    assert_int_equal(world->worlds(self, all, 2), 1);
    assert_ptr_equal(all[0], w);
    finish(&f);
}

static void sets_and_reads_poses(void **state) {
    (void)state;
    fixture f;
    cuttle_entity units[2];
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    cuttle_plugin *const self = shared.self;
    spawn(&f, 2, units);
    uint32_t node = 9;
    assert_int_equal(poses->num_nodes(self, units[0]), 3);
    assert_false(poses->find_node(self, units[0], "n9", &node));
    assert_true(poses->find_node(self, units[0], "n2", &node));
    assert_int_equal(node, 2);
    const cuttle_pose pose = {{1, 2, 3}, {0, 0, 2, 0}, {2, 2, 2}}; // half a turn about z
    cuttle_pose read;
    assert_true(poses->set_local_pose(self, units[0], 0, &pose));
    assert_true(poses->local_pose(self, units[0], 0, &read));
    assert_true(read.position.z == 3 && fabsf(read.rotation.z - 1) < 1e-6f && read.scale.x == 2);
    cuttle_vector3 at;
    assert_true(poses->world_position(self, units[0], 2, &at)); // 2 m along x, turned and twice
    assert_true(fabsf(at.x + 3) < 1e-5f && fabsf(at.y - 2) < 1e-5f);
    assert_true(poses->set_local_position(self, units[0], 2, &(cuttle_vector3){5, 0, 0}));
    assert_true(poses->world_position(self, units[0], 2, &at));
    assert_true(fabsf(at.x + 11) < 1e-5f);
    assert_false(poses->world_position(self, units[0], 3, &at)); // there is no such node
    assert_false(poses->set_local_scale(self, units[0], 3, &at));
    assert_false(poses->set_local_position(self, units[0], 0, &(cuttle_vector3){INFINITY, 0, 0}));
    assert_false(poses->set_local_rotation(self, units[0], 0, &(cuttle_quaternion){0, 0, 0, 0}));
    assert_true(poses->link(self, units[1], units[0], 0));
    assert_false(poses->link(self, units[0], units[1], 0)); // a circle
    assert_true(poses->set_local_position(self, units[1], 0, &(cuttle_vector3){0, 0, 1}));
    assert_true(fabsf(position_of(units[1]).z - 5) < 1e-5f);
    assert_true(poses->unlink(self, units[1]));
    cuttle_matrix4 matrix;
    assert_true(poses->world_pose(self, units[1], 0, &matrix));
    assert_true(fabsf(matrix.m[14] - 5) < 1e-5f);
    matrix.m[14] = 8;
    assert_true(poses->set_world_pose(self, units[1], &matrix));
    assert_true(fabsf(position_of(units[1]).z - 8) < 1e-5f);
    matrix.m[3] = NAN;
    assert_false(poses->set_world_pose(self, units[1], &matrix));
    poses->jump(self, units[1]);
    finish(&f);
}

static void sets_and_reads_many_poses(void **state) {
    (void)state;
    enum { COUNT = 700 }; // more than two blocks
    static cuttle_entity units[COUNT];
    static cuttle_vector3 at[COUNT];
    static cuttle_pose all[COUNT];
    static cuttle_matrix4 matrices[COUNT];
    fixture f;
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    cuttle_plugin *const self = shared.self;
    cuttle_world *const w = world_of(&f);
    spawn(&f, COUNT, units);
    for (uint32_t i = 0; i < COUNT; ++i)
        at[i] = (cuttle_vector3){(float)i, 1, 2};
    at[300].y = NAN;
    world->destroy(self, w, &units[5], 1);
    assert_int_equal(poses->set_local_positions(self, w, units, COUNT, at), COUNT - 2);
    assert_int_equal(poses->world_positions(self, w, units, COUNT, at), COUNT - 1);
    assert_true(at[699].x == 699 && at[5].x == 0 && at[300].x == 0 && at[300].y == 3);
    assert_int_equal(poses->local_poses(self, w, units, COUNT, all), COUNT - 1);
    for (uint32_t i = 0; i < COUNT; ++i)
        all[i].scale.z = 3;
    all[5].rotation = (cuttle_quaternion){0, 0, 0, 1};
    all[7].rotation.x = INFINITY;
    assert_int_equal(poses->set_local_poses(self, w, units, COUNT, all), COUNT - 2);
    assert_int_equal(poses->world_poses(self, w, units, COUNT, matrices), COUNT - 1);
    assert_true(matrices[699].m[10] == 3 && matrices[7].m[10] == 1 && matrices[5].m[10] == 0);
    assert_int_equal(poses->local_positions(self, w, units + 6, 1, at), 1);
    assert_true(at[0].x == 6);
    finish(&f);
}

static void sets_and_reads_data(void **state) {
    (void)state;
    fixture f;
    cuttle_entity units[3], found[3];
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    cuttle_plugin *const self = shared.self;
    spawn(&f, 3, units);
    const cuttle_id32 wet = world->id32("wet"), big = world->id32("big"), any = {0};
    data->add_tag(self, units, 3, wet);
    data->add_tag(self, units, 1, big);
    data->add_tag(self, units, 1, any); // reported
    assert_true(data->has_tag(self, units[2], wet));
    assert_int_equal(data->find_tagged(self, world_of(&f), &wet, 1, &big, 1, found, 3), 2);
    assert_int_equal(data->find_tagged(self, world_of(&f), &wet, 1, NULL, 0, NULL, 0), 3);
    assert_int_equal(data->find_tagged(self, world_of(&f), NULL, 0, NULL, 0, NULL, 0), 0);
    data->remove_tag(self, units, 2, wet);
    assert_false(data->has_tag(self, units[0], wet));
    double number = 7;
    bool flag = false;
    char text[4];
    uint32_t length;
    assert_false(data->get_number(self, units[0], any, "stats/health", &number));
    assert_true(data->set_number(self, units[0], any, "stats/health", 0.5));
    assert_true(data->get_number(self, units[0], any, "stats/health", &number));
    assert_true(number == 0.5);
    const char *const keys[] = {"stats", "health"};
    ct_data_manager *const m = ct_world_system_data(f.world.system);
    const ct_data_instance first = ct_data_first(m, (ct_entity){units[0].id});
    assert_true(ct_data_get(m, first, ct_data_key_of(keys, 2)).number == 0.5f);
    assert_false(data->get_bool(self, units[0], any, "stats/health", &flag));
    assert_true(data->set_bool(self, units[0], any, "flag", true));
    assert_true(data->get_bool(self, units[0], any, "flag", &flag) && flag);
    assert_true(data->set_text(self, units[0], world->id32("other"), "name", "pebble"));
    assert_false(data->get_text(self, units[0], any, "name", text, sizeof(text), &length));
    assert_true(
        data->get_text(self, units[0], world->id32("other"), "name", text, sizeof(text), &length));
    assert_string_equal(text, "peb");
    assert_int_equal(length, 6);
    assert_false(data->set_number(self, units[0], any, "", 1));
    assert_false(data->set_number(self, units[0], any, "a//b", 1));
    assert_false(data->set_number(self, units[0], any, "a", INFINITY));
    assert_false(data->set_text(self, units[0], any, "a", NULL));
    assert_true(data->remove(self, units[0], any, "flag"));
    assert_false(data->remove(self, units[0], any, "flag"));
    finish(&f);
}

static void adds_reads_and_ends_components(void **state) {
    (void)state;
    fixture f;
    cuttle_entity units[4];
    cuttle_error error = {0};
    begin(&f, "copies");
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    must_load(&f, "world_user_1");
    cuttle_plugin *const self = shared.self;
    cuttle_components *const c = drifts(&f);
    assert_null(components->find(self, world_of(&f), "snow", &error));
    assert_string_equal(error.message, "no plugin has added a component type \"snow\"");
    spawn(&f, 4, units);
    assert_int_equal(components->add(self, c, units, NULL, NULL, 3, &error), 0);
    assert_int_equal(components->count(c), 3);
    assert_null(components->ids(c));
    float *const speed = components->column(c, "speed", CUTTLE_FIELD_FLOAT, &error);
    assert_true(speed[0] == 2 && speed[2] == 2); // the default
    assert_null(components->column(c, "speed", CUTTLE_FIELD_INT, &error));
    assert_string_equal(error.message, "the field drift.speed has another type");
    assert_null(components->column(c, NULL, CUTTLE_FIELD_INT, NULL));
    assert_int_equal(components->add(self, c, &units[2], NULL, NULL, 2, &error), CUTTLE_NO_ROW);
    assert_string_equal(error.message,
                        "an entity has or would have two drift components; it may have one");
    const drift fast = {1000, {0, 0, 0}};
    assert_int_equal(components->add(self, c, &units[3], NULL, &fast, 1, &error), CUTTLE_NO_ROW);
    assert_string_equal(error.message, "drift.speed: found 1000, expected 0 to 100");
    drift all[4];
    const uint32_t rows[] = {2, 0}, wrong[] = {3};
    assert_true(components->get(c, NULL, 3, all));
    assert_true(all[1].direction[1] == 1);
    all[0].speed = 5;
    all[1].speed = 6;
    assert_true(components->set(c, rows, 2, all));
    assert_true(speed[2] == 5 && speed[0] == 6);
    assert_false(components->get(c, wrong, 1, all));
    assert_false(components->set(c, NULL, 4, all));
    assert_int_equal(components->row(c, units[2]), 2);
    assert_int_equal(components->next_row(c, 2), CUTTLE_NO_ROW);
    assert_int_equal(components->next_row(c, 99), CUTTLE_NO_ROW);
    components->remove_row(c, 99);
    components->remove_row(c, 0); // the last moves there
    assert_int_equal(components->entities(c)[0].id, units[2].id);
    assert_int_equal(components->row(c, units[0]), CUTTLE_NO_ROW);
    world->destroy(self, world_of(&f), &units[2], 1);
    assert_int_equal(components->count(c), 1);
    components->remove(c, units, 4);
    assert_int_equal(components->count(c), 0);
    must_reload(&f, "world_user_2"); // its default is another
    assert_int_equal(components->add(self, c, units, NULL, NULL, 1, &error), 0);
    assert_true(*(const float *)components->column(c, "speed", CUTTLE_FIELD_FLOAT, NULL) == 3);
    components->remove(c, units, 1);
    ct_world *const other = ct_world_create(f.world.system);
    cuttle_components *const there =
        components->find(self, (const cuttle_world *)other, "drift", &error);
    assert_int_equal(components->add(self, there, units, NULL, NULL, 1, &error), CUTTLE_NO_ROW);
    assert_non_null(strstr(error.message, "is of another world"));
    ct_world_destroy(other);
    finish(&f);
}

static void units_are_spawned_with_components(void **state) {
    (void)state;
    fixture f;
    cuttle_entity unit;
    begin(&f, "copies");
    must_load(&f, "world_user_1");
    num_registered_instances = 1;
    load_unit(&f.world, "units/stone", stone, CT_COUNT_OF(stone));
    num_registered_instances = 0;
    spawn(&f, 1, &unit);
    assert_int_equal(components->count(drifts(&f)), 2); // the stone and its moss
    assert_int_equal(components->row(drifts(&f), unit), 0);
    ct_world_advance(f.world.world, 1);
    assert_true(position_of(unit).y == 2);
    finish(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_thousands_the_same_each_time_and_over_reloads),
        cmocka_unit_test(steps_of_a_library_loaded_later_run_in_worlds_that_exist),
        cmocka_unit_test(unloads_without_worlds),
        cmocka_unit_test(hears_of_worlds_units_and_levels),
        cmocka_unit_test(observers_end_with_the_library_that_adds_them),
        cmocka_unit_test(names_data_of_observers_in_the_old_library),
#ifndef CT_SANITIZE
        cmocka_unit_test(refuses_a_library_whose_observer_crashes_while_it_is_brought_in),
#endif
        cmocka_unit_test(refuses_to_spawn_where_the_world_is_read),
        cmocka_unit_test(refuses_what_is_wrong_with_a_library),
        cmocka_unit_test(refuses_other_fields_while_there_are_worlds),
        cmocka_unit_test(dead_entities_and_worlds_are_noticed),
        cmocka_unit_test(spawning_says_what_is_wrong),
        cmocka_unit_test(finds_units),
        cmocka_unit_test(sets_and_reads_poses),
        cmocka_unit_test(sets_and_reads_many_poses),
        cmocka_unit_test(sets_and_reads_data),
        cmocka_unit_test(adds_reads_and_ends_components),
        cmocka_unit_test(units_are_spawned_with_components),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
