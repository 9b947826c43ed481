// What does not fit, what goes away meanwhile, and callbacks that change what they are told of.
#include "world/world_fixture.h"

#include "foundation/math/math.h"
#include "resource/types/package_resource.h"

static const template_entity crate[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "crate", 1, false, false, true, 0},
    {0, {{0, 0, 1}}, "lamp", 1, false, true, false, 0},
};

enum { NUM_FIELD_UNITS = 100 };

// A level of crates in a row, each with a handle: 200 entities.
static void load_field(world_fixture *f) {
    static template_entity entities[2 * NUM_FIELD_UNITS];
    static ct_level_unit units[NUM_FIELD_UNITS];
    for (uint32_t i = 0; i < NUM_FIELD_UNITS; ++i) {
        entities[2 * i] =
            (template_entity){CT_NO_PARENT, {{(float)i, 0, 0}}, "crate", 1, false, false, false, 0};
        entities[2 * i + 1] =
            (template_entity){2 * i, {{0, 0, 1}}, "handle", 0, false, false, true, 0};
        units[i] = (ct_level_unit){{77}, {1000 + i}, 2 * i};
    }
    load_level(f, "levels/field", entities, 2 * NUM_FIELD_UNITS, units, NUM_FIELD_UNITS,
               (ct_string_id64){0});
}

static ct_level spawn_field(ct_world *w, bool is_gradual, ct_error *error) {
    const ct_vec3 origin = ct_vec3_make(0, 0, 0), one = ct_vec3_make(1, 1, 1);
    return is_gradual
               ? ct_world_spawn_level_gradually(w, "levels/field", origin, ct_quat_identity(), one,
                                                0, error)
               : ct_world_spawn_level(w, "levels/field", origin, ct_quat_identity(), one, error);
}

static uint32_t num_entities(const world_fixture *f) {
    return ct_world_system_num_entities(f->system);
}

static uint32_t num_level_units(const world_fixture *f, ct_level level) {
    uint32_t count;
    ct_level_units(f->world, level, &count);
    return count;
}

// --- 4 million entities --------------------------------------------------------------------------

static const uint32_t most = CT_ENTITY_MAX_INDICES - CT_ENTITY_MINIMUM_FREE - 1;

// Makes entities of no world until only `left` more fit. Free what is returned.
static ct_entity *fill_up(world_fixture *f, uint32_t left, uint32_t *count) {
    *count = most - num_entities(f) - left;
    ct_entity *const all = ct_alloc(test_heap(), sizeof(ct_entity) * (uint64_t)*count);
    ct_entity_create(ct_world_system_entities(f->system), all, *count);
    return all;
}

static void spawns_nothing_that_does_not_fit(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 2);
    load_field(&f);
    uint32_t count;
    ct_entity *const others = fill_up(&f, 5, &count);
    ct_entity roots[3] = {{7}, {7}, {7}};
    ct_error error = {0};
    assert_false(ct_world_spawn_units(f.world, "units/crate", NULL, NULL, NULL, 3, roots, &error));
    assert_string_equal(error.message, "no room for 6 more entities, 4193274 of 4193279 live");
    assert_int_equal(roots[0].id, 7);
    error = (ct_error){0};
    assert_int_equal(spawn_field(f.world, false, &error).id, 0);
    assert_non_null(strstr(error.message, "no room for 200 more entities"));
    assert_int_equal(spawn_field(f.world, true, &error).id, 0);
    assert_int_equal(num_entities(&f), most - 5);
    assert_int_equal(recorded()->num_objects + recorded()->num_lights, 0);
    // What fits is spawned, and the rest when others have ended.
    assert_true(ct_world_spawn_units(f.world, "units/crate", NULL, NULL, NULL, 2, roots, &error));
    assert_false(
        ct_world_spawn_units(f.world, "units/crate", NULL, NULL, NULL, 1, roots + 2, &error));
    ct_entity_destroy(ct_world_system_entities(f.system), others, 5000);
    const ct_level level = spawn_field(f.world, false, &error);
    assert_int_equal(num_level_units(&f, level), NUM_FIELD_UNITS);
    ct_world_advance(f.world, 0.1);
    ct_world_destroy_level(f.world, level);
    ct_world_destroy_units(f.world, roots, 2);
    ct_entity_destroy(ct_world_system_entities(f.system), others, count);
    assert_int_equal(num_entities(&f), 0);
    ct_free(test_heap(), others);
    stop_world(&f);
}

static void cuts_off_a_level_that_finds_no_room(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_field(&f);
    const ct_level level = spawn_field(f.world, true, NULL);
    ct_world_advance(f.world, 0.1);
    assert_int_equal(num_level_units(&f, level), 32);
    uint32_t count;
    ct_entity *const others = fill_up(&f, 70, &count);
    const uint64_t before = ct_log_error_count_of("level_cut_off");
    ct_world_advance(f.world, 0.1); // 64 fit
    assert_int_equal(num_level_units(&f, level), 64);
    ct_world_advance(f.world, 0.1);
    assert_int_equal(ct_log_error_count_of("level_cut_off"), before + 1);
    assert_true(ct_level_is_spawned(f.world, level));
    ct_world_advance(f.world, 0.1);
    assert_int_equal(num_level_units(&f, level), 64);
    assert_int_equal(ct_log_error_count_of("level_cut_off"), before + 1);
    ct_world_destroy_level(f.world, level);
    assert_int_equal(num_entities(&f), count);
    ct_free(test_heap(), others);
    stop_world(&f);
}

// --- Data that goes away -------------------------------------------------------------------------

static void write_package(const world_fixture *f) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[2048];
    const ct_resource_id level = ct_resource_id_of("level", "levels/field");
    ct_error error = {0};
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "package", CT_PACKAGE_VERSION);
    const uint32_t resources = ct_blob_write_array_field(&w);
    ct_blob_write_zeroes(&w, sizeof(ct_package_resource) - sizeof(ct_blob_header) -
                                 sizeof(ct_blob_array));
    ct_blob_writer_align(&w, 8);
    ct_blob_patch_array(&w, resources, ct_blob_writer_offset(&w), 1);
    ct_blob_write_u64(&w, level.type.value);
    ct_blob_write_u64(&w, level.name.value);
    ct_blob_writer_finish(&w);
    ct_resource_file_name(ct_resource_id_of("package", "packages/late"), file_name);
    snprintf(path, sizeof(path), "%s/%s", f->folder, file_name);
    if (!ct_file_write(path, w.bytes.items, w.bytes.count, false, &error))
        fail_msg("%s", error.message);
    ct_blob_writer_free(&w);
}

// A world that has the level's data on disk only.
static world_fixture start_with_package(void) {
    world_fixture f = start_world();
    load_field(&f);
    write_package(&f);
    end_world(&f);
    begin_world(&f);
    return f;
}

static void cuts_off_a_level_whose_package_is_unloaded(void **state) {
    (void)state;
    world_fixture f = start_with_package();
    ct_error error = {0};
    ct_resource_package *const p = ct_resource_package_create(f.resources, "packages/late", &error);
    if (!p)
        fail_msg("%s", error.message);
    ct_resource_package_load_now(f.resources, p);
    const ct_level level = spawn_field(f.world, true, &error);
    assert_true(ct_level_is_alive(f.world, level));
    ct_world_advance(f.world, 0.1);
    ct_resource_package_unload(f.resources, p);
    for (uint64_t frame = 1; frame < 4; ++frame) { // the data is gone for good
        ct_resource_manager_update(f.resources, frame);
        ct_resource_manager_retire(f.resources, frame);
    }
    const uint64_t before = ct_log_error_count_of("level_cut_off");
    ct_world_advance(f.world, 0.1);
    assert_int_equal(ct_log_error_count_of("level_cut_off"), before + 1);
    assert_int_equal(num_level_units(&f, level), 32);
    assert_true(ct_level_is_spawned(f.world, level));
    assert_int_equal(spawn_field(f.world, true, &error).id, 0);
    assert_non_null(strstr(error.message, "the level levels/field is not loaded"));
    ct_resource_package_load_now(f.resources, p); // its loss is final
    ct_world_advance(f.world, 0.1);
    assert_int_equal(num_level_units(&f, level), 32);
    ct_world_destroy_level(f.world, level);
    assert_int_equal(num_entities(&f), 0);
    ct_resource_package_destroy(f.resources, p);
    stop_world(&f);
}

// --- Callbacks -----------------------------------------------------------------------------------

typedef struct meddler {
    world_fixture *f;
    ct_level doomed;     // ended at the first call
    uint32_t num_spawns; // that it still makes
    uint32_t num_told;
    ct_entity extra; // ended, too
} meddler;

static void meddle(void *user, const ct_entity *entities, uint32_t count) {
    meddler *const m = user;
    ct_world *const w = m->f->world;
    m->num_told += count;
    for (uint32_t i = 0; i < count; ++i)
        assert_true(is_alive(m->f, entities[i]));
    if (m->extra.id) {
        const ct_entity extra = m->extra;
        m->extra = (ct_entity){0};
        ct_entity_destroy(ct_world_system_entities(m->f->system), &extra, 1);
    }
    if (m->doomed.id) {
        const ct_level doomed = m->doomed;
        m->doomed = (ct_level){0};
        ct_world_destroy_level(w, doomed);
    }
    if (m->num_spawns) {
        --m->num_spawns;
        ct_entity root;
        assert_true(ct_world_spawn_units(w, "units/crate", NULL, NULL, NULL, 1, &root, NULL));
        spawn_field(w, true, NULL);
    }
}

// Deaths that lead to others, to the end of the level itself, and to more levels.
static void callbacks_may_end_and_spawn(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 2);
    load_field(&f);
    meddler m = {.f = &f, .num_spawns = 3};
    ct_entity_manager_add_callback(ct_world_system_entities(f.system), meddle, &m);
    const ct_level level = spawn_field(f.world, false, NULL);
    m.doomed = level;
    m.extra = spawn_at(&f, "units/crate", 0, 0, 0);
    const ct_entity unit = ct_level_units(f.world, level, &(uint32_t){0})[50];
    ct_world_destroy_units(f.world, &unit, 1);
    assert_false(ct_level_is_alive(f.world, level));
    assert_int_equal(m.num_told, 202);
    assert_int_equal(num_entities(&f), 6); // three crates
    uint32_t num_levels;
    ct_world_levels(f.world, &num_levels);
    assert_int_equal(num_levels, 3); // that have not begun
    for (uint32_t step = 0; step < 4; ++step)
        ct_world_advance(f.world, 0.1);
    assert_int_equal(num_entities(&f), 606);
    ct_entity_manager_remove_callback(ct_world_system_entities(f.system), meddle, &m);
    stop_world(&f);
}

// A level that starts anew ends what it has spawned, and by that itself or others.
static void callbacks_may_end_a_level_that_is_being_spawned(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 3; ++which) {
        world_fixture f = start_world();
        load_unit(&f, "units/crate", crate, 2);
        load_field(&f);
        ct_level levels[3];
        for (uint32_t i = 0; i < 3; ++i)
            levels[i] = spawn_field(f.world, true, NULL);
        ct_world_advance(f.world, 0.1);
        load_level(&f, "levels/field", crate, 2, &(ct_level_unit){{77}, {1}, 0}, 1,
                   (ct_string_id64){0});
        const ct_resource_id id = ct_resource_id_of("level", "levels/field");
        assert_int_equal(ct_resource_manager_reload(f.resources, &id, 1), 1);
        ct_resource_manager_update(f.resources, 1);
        ct_resource_manager_retire(f.resources, 1);
        meddler m = {.f = &f, .doomed = levels[which], .num_spawns = 40};
        ct_entity_manager_add_callback(ct_world_system_entities(f.system), meddle, &m);
        ct_world_advance(f.world, 0.1);
        ct_world_advance(f.world, 0.1);
        assert_false(ct_level_is_alive(f.world, levels[which]));
        for (uint32_t i = 0; i < 3; ++i)
            assert_int_equal(num_level_units(&f, levels[i]), i != which);
        ct_entity_manager_remove_callback(ct_world_system_entities(f.system), meddle, &m);
        stop_world(&f);
    }
}

// --- Several worlds ------------------------------------------------------------------------------

// Worlds that end in every order, with levels half spawned in them and components of each other's
// entities, leave nothing behind (of memory, too: their allocators are asserted to be empty).
static void worlds_end_in_any_order(void **state) {
    (void)state;
    static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 2);
    load_field(&f);
    for (uint32_t k = 0; k < 6; ++k) {
        ct_world *worlds[3];
        ct_entity units[3][2];
        for (uint32_t i = 0; i < 3; ++i) {
            worlds[i] = ct_world_create(f.system);
            assert_true(ct_world_spawn_units(worlds[i], "units/crate", NULL, NULL, NULL, 2,
                                             units[i], NULL));
            spawn_field(worlds[i], i != 0, NULL);
            ct_world_advance(worlds[i], 0.1);
        }
        for (uint32_t i = 0; i < 3; ++i) { // each has a mesh and a transform in the next world
            ct_world *const other = worlds[(i + 1) % 3];
            ct_mesh_create(ct_world_meshes(other), units[i][0], 9, &(ct_mesh_data){.mesh = {1}});
            ct_transform_create(ct_world_transforms(other), units[i][0], ct_vec3_make(1, 2, 3),
                                ct_quat_identity(), ct_vec3_make(1, 1, 1));
        }
        ct_world_destroy(worlds[orders[k][0]]);
        for (uint32_t i = 0; i < 3; ++i) {
            assert_int_equal(is_alive(&f, units[i][0]), i != orders[k][0]);
            if (i != orders[k][0])
                ct_world_advance(worlds[i], 0.1);
        }
        ct_world_destroy(worlds[orders[k][1]]);
        ct_world_advance(worlds[orders[k][2]], 0.1);
        assert_int_equal(ct_world_system_num_worlds(f.system), 2);
        ct_world_destroy(worlds[orders[k][2]]);
        assert_int_equal(num_entities(&f), 0);
        assert_int_equal(recorded()->num_objects + recorded()->num_lights, 0);
        assert_int_equal(recorded()->num_worlds, 1);
    }
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawns_nothing_that_does_not_fit),
        cmocka_unit_test(cuts_off_a_level_that_finds_no_room),
        cmocka_unit_test(cuts_off_a_level_whose_package_is_unloaded),
        cmocka_unit_test(callbacks_may_end_and_spawn),
        cmocka_unit_test(callbacks_may_end_a_level_that_is_being_spawned),
        cmocka_unit_test(worlds_end_in_any_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
