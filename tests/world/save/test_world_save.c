// Worlds that are saved and loaded: whole columns and single rows, fields that came and went, and bytes
// that are wrong. tests/test_save_system.py has all types of components.
#include <math.h>

#include "foundation/math/math.h"
#include "world/save/save_fixture.h"
#include "world/world_fixture.h"

typedef struct engine_data {
    float power;
    float exhaust[3];
} engine_data;

static const ct_field engine_fields[] = {
    {.name = "power",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(engine_data, power),
     .size_bytes = sizeof(float),
     .doc = "Power.",
     .unit = "W",
     .least = 0,
     .most = 1000,
     .default_value = {75}},
    {.name = "exhaust",
     .type = CT_FIELD_TYPE_VECTOR3,
     .offset = offsetof(engine_data, exhaust),
     .size_bytes = sizeof(float) * 3,
     .doc = "Place.",
     .unit = "m",
     .default_value = {1, 2, 3}},
};

static const ct_schema engine_schema = {.name = "engine",
                                        .doc = "An engine.",
                                        .size_bytes = sizeof(engine_data),
                                        .num_fields = CT_COUNT_OF(engine_fields),
                                        .fields = engine_fields,
                                        .identity =
                                            CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static const ct_component_table_desc engine = {&engine_schema, CT_INSTANCE_LOOKUP_HASH,
                                               CT_COMPONENT_END_AT_ONCE, false};

// Each with two engines.
static const template_entity plane[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "plane", 1, false, false, false, 0},
    {0, {{0, 0, 1}}, "wing", 1, false, true, true, 0},
};

static world_fixture start(void) {
    world_fixture f = start_world();
    ct_error error = {0};
    num_registered_instances = 2;
    if (!ct_world_system_register_component(f.system, &engine, &error))
        fail_msg("%s", error.message);
    ct_string_id64_register("units/plane"); // as compiled projects do
    load_unit(&f, "units/plane", plane, CT_COUNT_OF(plane));
    return f;
}

static engine_data engine_of(const world_fixture *f, ct_entity e) {
    engine_data data;
    ct_component_table *const table = ct_world_component_table(f->world, "engine");
    const uint32_t i = ct_instance_table_first(ct_component_table_instances(table), e);
    assert_int_not_equal(i, 0);
    ct_component_table_get(table, &i, 1, &data);
    return data;
}

static void set_engine(const world_fixture *f, ct_entity e, engine_data data) {
    ct_component_table *const table = ct_world_component_table(f->world, "engine");
    const uint32_t i = ct_instance_table_first(ct_component_table_instances(table), e);
    ct_component_table_set(table, &i, 1, &data);
}

typedef struct large_data {
    uint32_t choice; // bool
    float number;
    char text[20000];
} large_data;

static const ct_field large_fields[] = {
    {.name = "choice",
     .type = CT_FIELD_TYPE_BOOL,
     .offset = offsetof(large_data, choice),
     .size_bytes = sizeof(uint32_t),
     .doc = "A choice."},
    {.name = "number",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(large_data, number),
     .size_bytes = sizeof(float),
     .doc = "A number.",
     .default_value = {7}},
    {.name = "text",
     .type = CT_FIELD_TYPE_TEXT,
     .offset = offsetof(large_data, text),
     .size_bytes = 20000,
     .doc = "A text."},
};

static const ct_schema large_schema = {.name = "large",
                                       .doc = "A large component.",
                                       .size_bytes = sizeof(large_data),
                                       .num_fields = CT_COUNT_OF(large_fields),
                                       .fields = large_fields,
                                       .identity =
                                           CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static const ct_component_table_desc large = {&large_schema, CT_INSTANCE_LOOKUP_HASH,
                                              CT_COMPONENT_END_AT_ONCE, false};

// More than a page; values that the schema refuses and NaN are not restored, the others are.
static void large_components_are_restored_and_checked(void **state) {
    (void)state;
    world_fixture f = start();
    ct_error error = {0};
    large_data *const data = ct_alloc(f.allocator, sizeof(*data));
    const uint32_t id = 1;
    uint32_t i;
    assert_true(ct_world_system_register_component(f.system, &large, &error));
    ct_component_table *const table = ct_world_component_table(f.world, "large");
    const ct_entity unit = spawn_at(&f, "units/plane", 0, 0, 0);
    memset(data, 0, sizeof(*data));
    data->choice = 1;
    data->number = NAN;
    memset(data->text, 'x', sizeof(data->text));
    assert_int_not_equal(i = ct_component_table_add(table, &unit, &id, data, 1), 0);
    ct_byte_array saved = save(&f);
    for (uint32_t is_added = 0; is_added < 2; ++is_added) { // to what is there, and again
        memset(data, 0, sizeof(*data));
        data->number = 3;
        ct_component_table_set(table, &i, 1, data);
        if (is_added)
            ct_component_table_erase(table, i);
        load(&f, &saved);
        i = ct_instance_table_first(ct_component_table_instances(table), unit);
        assert_int_not_equal(i, 0);
        ct_component_table_get(table, &i, 1, data);
        assert_int_equal(data->choice, 1);
        assert_true(data->number == (is_added ? 7 : 3));
        assert_int_equal(strlen(data->text), sizeof(data->text) - 1);
    }
    ct_array_free(&saved);
    data->choice = 2;
    data->number = 5;
    ct_component_table_set(table, &i, 1, data);
    saved = save(&f);
    data->choice = 1;
    data->number = 3;
    ct_component_table_set(table, &i, 1, data);
    load(&f, &saved);
    ct_component_table_get(table, &i, 1, data);
    assert_int_equal(data->choice, 1);
    assert_true(data->number == 5);
    assert_non_null(strstr(problems, "large.choice: found 2, expected 0 to 1"));
    ct_array_free(&saved);
    ct_free_sized(f.allocator, data, sizeof(*data));
    stop_world(&f);
}

static void what_changed_is_restored(void **state) {
    (void)state;
    world_fixture f = start();
    ct_entity units[3];
    for (uint32_t i = 0; i < 3; ++i)
        units[i] = spawn_at(&f, "units/plane", (float)i, 0, 0);
    const ct_data_instance data = ct_data_create(ct_world_system_data(f.system), units[1], 1);
    const ct_data_key key = ct_data_key_of_id(ct_string_id32_of("fuel"));
    ct_data_set(ct_world_system_data(f.system), data, key, ct_data_float(5), NULL);
    ct_byte_array saved = save(&f);
    // One row of each.
    ct_transform_manager *const m = ct_world_transforms(f.world);
    ct_transform_set_local_position(m, transform_of(f.world, units[1]), ct_vec3_make(9, 9, 9));
    ct_transform_unlink(m, transform_of(f.world, child_of(f.world, units[2], 0)));
    set_engine(&f, units[2], (engine_data){1, {4, 5, 6}});
    ct_data_set(ct_world_system_data(f.system), data, key, ct_data_float(6), NULL);
    ct_debug_name_set(ct_world_system_debug_names(f.system), units[0], "other");
    load(&f, &saved);
    assert_string_equal(problems, "");
    assert_same(&f, &saved);
    assert_world_position(f.world, units[1], 1, 0, 0);
    assert_true(engine_of(&f, units[2]).power == 75);
    // Other instances than the save has: one gone, one more.
    ct_debug_name_remove(ct_world_system_debug_names(f.system), units[0]);
    ct_data_create(ct_world_system_data(f.system), units[0], 7);
    ct_world_destroy_units(f.world, &units[2], 1);
    load(&f, &saved);
    assert_same(&f, &saved);
    // As many instances as the save has, of another unit.
    ct_data_manager *const all = ct_world_system_data(f.system);
    ct_data_destroy(all, ct_data_first(all, units[1]));
    ct_data_create(all, units[0], 1);
    load(&f, &saved);
    assert_int_equal(ct_data_first(all, units[0]).slot, 0);
    assert_same(&f, &saved);
    ct_array_free(&saved);
    stop_world(&f);
}

// The floats of a field in the saved row of an entity.
static float *saved_floats(const ct_byte_array *bytes, const char *type, uint32_t entity,
                           const char *field) {
    const ct_saved_world *const w = (const ct_saved_world *)(const void *)bytes->items;
    const ct_saved_type *const types = ct_saved_at(w, &w->types);
    const ct_saved_field *const fields = ct_saved_at(w, &w->fields);
    for (uint64_t i = 0; i < w->types.count; ++i) {
        const ct_saved_type *const t = &types[i];
        if (strcmp(ct_saved_text(w, t->name), type) != 0)
            continue;
        uint8_t *row = bytes->items + t->rows.offset;
        for (uint64_t k = 0; k < t->rows.count; ++k, row += t->row_bytes) {
            for (uint32_t f = t->first_field; f < t->first_field + t->num_fields; ++f) {
                if (((const ct_saved_row *)(const void *)row)->entity == entity &&
                    strcmp(ct_saved_text(w, fields[f].name), field) == 0)
                    return (float *)(void *)(row + fields[f].offset);
            }
        }
    }
    fail_msg("the save has no %s.%s of entity %u", type, field, entity);
    return NULL;
}

enum { NUM_PLANES = 200 }; // more than are set at once

// Gives units and what is below them other poses.
static void pose_planes(const world_fixture *f, const ct_entity *units, float by) {
    ct_transform_manager *const m = ct_world_transforms(f->world);
    for (uint32_t i = 0; i < NUM_PLANES; ++i) {
        const ct_quat rotation = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), by + (float)i);
        const ct_vec3 position = ct_vec3_make(by, (float)i, 3), scale = ct_vec3_make(1, by, 2);
        ct_transform_set_local_pose(m, transform_of(f->world, units[i]), position, rotation, scale);
        if (i % 3)
            ct_transform_set_local_pose(m, transform_of(f->world, child_of(f->world, units[i], 0)),
                                        scale, rotation, position);
    }
}

// Rows whose poses are wrong, or whose parents are others now, among many that are set together.
static void poses_of_many_units_are_restored(void **state) {
    (void)state;
    world_fixture f = start();
    ct_transform_manager *const m = ct_world_transforms(f.world);
    ct_entity units[NUM_PLANES], wings[NUM_PLANES];
    for (uint32_t i = 0; i < NUM_PLANES; ++i) {
        units[i] = spawn_at(&f, "units/plane", (float)i, 0, 0);
        wings[i] = child_of(f.world, units[i], 0);
    }
    pose_planes(&f, units, 1);
    ct_byte_array saved = save(&f), wrong = save(&f);
    float *const rotation = saved_floats(&wrong, "transform", 2 * 20, "rotation");
    memset(rotation, 0, sizeof(float) * 4);
    saved_floats(&wrong, "transform", 2 * 100, "position")[1] = NAN;
    saved_floats(&wrong, "transform", 2 * 199, "scale")[2] = INFINITY;
    pose_planes(&f, units, 5);
    ct_transform_unlink(m, transform_of(f.world, wings[50]));
    assert_true(
        ct_transform_link(m, transform_of(f.world, wings[51]), transform_of(f.world, wings[52])));
    load(&f, &wrong);
    assert_non_null(strstr(problems, "the component \"transform\" of the unit \"units/plane\" is "
                                     "not restored: its rotation is not of length 1"));
    for (uint32_t i = 0; i < NUM_PLANES; ++i) {
        const ct_transform t = transform_of(f.world, units[i]);
        const ct_vec3 position = ct_transform_local_position(m, t);
        const ct_vec3 scale = ct_transform_local_scale(m, t);
        assert_true(position.x == (i == 20 || i == 100 ? 5 : 1));
        assert_true(scale.y == (i == 20 || i == 199 ? 5 : 1));
    }
    assert_int_equal(ct_transform_parent(m, transform_of(f.world, wings[51])).index,
                     transform_of(f.world, units[51]).index);
    pose_planes(&f, units, 7);
    recorded()->jumps = 0;
    load(&f, &saved);
    assert_int_equal(recorded()->jumps, NUM_PLANES + NUM_PLANES * 2 / 3); // and their wings
    assert_string_equal(problems, "");
    assert_same(&f, &saved);
    // World matrices follow, of what was not set, too.
    const ct_mat4 *const root = ct_transform_world(m, transform_of(f.world, units[150]));
    const ct_transform wing = transform_of(f.world, wings[150]);
    const ct_mat4 below = ct_mat4_mul(*root, *ct_transform_local(m, wing));
    assert_memory_equal(ct_transform_world(m, wing), &below, sizeof(below));
    assert_world_position(f.world, units[150], 1, 150, 3);
    ct_array_free(&saved);
    ct_array_free(&wrong);
    stop_world(&f);
}

// The save has fewer instances than the world, or none at all.
static void values_of_meshes_and_tags_are_restored(void **state) {
    (void)state;
    world_fixture f = start();
    ct_render_data_manager *const values = ct_world_render_data(f.world);
    ct_tag_manager *const tags = ct_world_system_tags(f.system);
    const ct_entity unit = spawn_at(&f, "units/plane", 0, 0, 0);
    for (uint32_t i = 20; i > 0; --i)
        ct_tag_add(tags, &unit, 1, (ct_string_id32){i * 7919u % 1000 + 1});
    ct_byte_array saved = save(&f);
    ct_render_data_create(values, unit, 4);
    assert_int_equal(ct_render_data_count(values), 1);
    ct_tag_remove_all(tags, &unit, 1);
    for (uint32_t i = 1; i <= 20; ++i) // in another order, which does not matter
        ct_tag_add(tags, &unit, 1, (ct_string_id32){i * 7919u % 1000 + 1});
    assert_false(ct_tag_at(tags, unit, 0).value == 20 * 7919u % 1000 + 1);
    load(&f, &saved);
    assert_int_equal(ct_render_data_count(values), 0);
    assert_same(&f, &saved);
    assert_false(ct_tag_at(tags, unit, 0).value == 20 * 7919u % 1000 + 1); // so it was not set
    ct_tag_remove(tags, &unit, 1, ct_tag_at(tags, unit, 5));
    load(&f, &saved);
    assert_int_equal(ct_tag_count(tags, unit), 20);
    assert_same(&f, &saved);
    ct_array_free(&saved);
    stop_world(&f);
}

// Gives a text of the save another character.
static void rename_text(ct_byte_array *bytes, const char *from, const char *to) {
    const ct_saved_world *const w = (const ct_saved_world *)(const void *)bytes->items;
    const size_t size = strlen(from) + 1;
    for (uint64_t i = 0; i + size <= w->texts.count; ++i) {
        char *const text = (char *)bytes->items + w->texts.offset + i;
        if (memcmp(text, from, size) == 0 && (i == 0 || text[-1] == '\0')) {
            memcpy(text, to, size);
            return;
        }
    }
    fail_msg("the save has no text \"%s\"", from);
}

static void fields_that_came_and_went_are_named(void **state) {
    (void)state;
    world_fixture f = start();
    ct_entity unit = spawn_at(&f, "units/plane", 0, 0, 0);
    set_engine(&f, unit, (engine_data){1, {4, 5, 6}});
    ct_byte_array saved = save(&f);
    rename_text(&saved, "power", "tower"); // a field that is removed; `power` is new
    ct_world_destroy_units(f.world, &unit, 1);
    load(&f, &saved);
    assert_non_null(strstr(problems,
                           "the field \"power\" of the component \"engine\" is not in the "
                           "save: it has its default"));
    assert_non_null(strstr(problems,
                           "the component \"engine\" does not have the field \"tower\" any "
                           "more: its values are left out"));
    uint32_t count;
    unit = ct_world_units(f.world, &count)[0];
    assert_int_equal(count, 1);
    const engine_data now = engine_of(&f, unit);
    assert_true(now.power == 75 && now.exhaust[0] == 4 && now.exhaust[2] == 6);
    rename_text(&saved, "engine", "enging");
    load(&f, &saved);
    assert_non_null(strstr(problems,
                           "components of the type \"enging\" do not exist any more: 4 are "
                           "left out"));
    ct_array_free(&saved);
    stop_world(&f);
}

// What a checksum does not find: each byte of a save is another one, and is loaded where the check lets
// it. Then the good bytes still bring the world back.
static void wrong_bytes_do_not_crash(void **state) {
    (void)state;
    world_fixture f = start();
    static const uint8_t flips[] = {1, 0x80, 0xff};
    uint32_t num_loaded = 0;
    const ct_entity unit = spawn_at(&f, "units/plane", 1, 2, 3);
    spawn_at(&f, "units/plane", 4, 5, 6);
    const ct_data_instance data = ct_data_create(ct_world_system_data(f.system), unit, 1);
    ct_data_set(ct_world_system_data(f.system), data, ct_data_key_of_id(ct_string_id32_of("name")),
                ct_data_string("crate", 5), NULL);
    const ct_string_id32 tag = ct_string_id32_of("red");
    ct_tag_add(ct_world_system_tags(f.system), &unit, 1, tag);
    ct_byte_array saved = save(&f), wrong = save(&f);
    for (uint32_t i = 0; i < saved.count * CT_COUNT_OF(flips); ++i) {
        const uint32_t at = i / (uint32_t)CT_COUNT_OF(flips);
        wrong.items[at] = saved.items[at] ^ flips[i % CT_COUNT_OF(flips)];
        if (ct_saved_world_check(wrong.items, wrong.count, NULL)) {
            load(&f, &wrong);
            ++num_loaded;
        }
        wrong.items[at] = saved.items[at];
        if (i % 64 == 0) {
            ct_world_advance(f.world, 1.0 / 60);
            recorded();
        }
    }
    assert_true(num_loaded > saved.count / 4);
    load(&f, &saved);
    assert_string_equal(problems, "");
    assert_same(&f, &saved);
    ct_array_free(&saved);
    ct_array_free(&wrong);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_components_are_restored_and_checked),
        cmocka_unit_test(what_changed_is_restored),
        cmocka_unit_test(poses_of_many_units_are_restored),
        cmocka_unit_test(values_of_meshes_and_tags_are_restored),
        cmocka_unit_test(fields_that_came_and_went_are_named),
        cmocka_unit_test(wrong_bytes_do_not_crash),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
