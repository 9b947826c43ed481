// From the text of units and levels to what is in a world: a component that a game registers, and
// those whose size varies, in several copies.
#include "foundation/math/math.h"
#include "foundation/string/string_builder.h"
#include "world/compiled_fixture.h"

// --- A component of a game -----------------------------------------------------------------------

typedef struct wheel_data {
    float radius;
    uint32_t is_driven;
    float place[3];
    ct_string_id32 axle;
} wheel_data;

#define AT(member)                                                                                 \
    .offset = offsetof(wheel_data, member), .size_bytes = sizeof(((wheel_data *)0)->member)

static const ct_field wheel_fields[] = {
    {.name = "radius",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(radius),
     .doc = "From the hub to the ground.",
     .unit = "m",
     .least = 0.1,
     .most = 2,
     .default_value = {0.5}},
    {.name = "is_driven", .type = CT_FIELD_TYPE_BOOL, AT(is_driven), .doc = "By the engine."},
    {.name = "place", .type = CT_FIELD_TYPE_VECTOR3, AT(place), .doc = "Of the hub.", .unit = "m"},
    {.name = "axle", .type = CT_FIELD_TYPE_NAME, AT(axle), .doc = "On which it is."},
};

static const ct_schema wheel_schema = {.name = "wheel",
                                       .doc = "Rolls.",
                                       .size_bytes = sizeof(wheel_data),
                                       .num_fields = CT_COUNT_OF(wheel_fields),
                                       .fields = wheel_fields,
                                       .identity =
                                           CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

static const ct_component_table_desc wheel = {&wheel_schema, CT_INSTANCE_LOOKUP_HASH,
                                              CT_COMPONENT_END_AT_ONCE, false};

static uint32_t num_wheels(const ct_world *w) {
    return ct_instance_table_count(
        ct_component_table_instances(ct_world_component_table(w, "wheel")));
}

// --- Compiling -----------------------------------------------------------------------------------

static ct_level spawn_level(ct_world *w, const char *name, float x) {
    ct_error error = {0};
    const ct_level level = ct_world_spawn_level(w, name, ct_vec3_make(x, 0, 0), ct_quat_identity(),
                                                ct_vec3_make(1, 1, 1), &error);
    if (!level.id)
        fail_msg("%s", error.message);
    return level;
}

static void a_component_of_a_game_goes_from_text_to_worlds(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    const char *const cart =
        "components = [ { id = \"t\" type = \"transform\" }\n"
        "  { id = \"l\" type = \"wheel\" axle = \"front\" radius = 1 }\n"
        "  { id = \"r\" type = \"wheel\" is_driven = true place = [1 2 3] } ]\n";
    write_text(project, "cart.unit", cart);
    write_text(
        project, "yard.level",
        "units = [ { id = \"a\" unit = \"cart\" }\n"
        "  { id = \"b\" unit = \"cart\" position = [5 0 0]\n"
        "    overrides = [ { id = \"l\" radius = 0.25 } { id = \"r\" removed = true } ] } ]");
    ct_compile_answer answer = compile_file(project, "unit", "cart");
    assert_non_null(strstr(answer.errors.items[0].message, "unknown component type \"wheel\""));
    ct_compile_answer_free(&answer);

    world_fixture f = start_world();
    ct_error error = {0};
    assert_true(ct_world_system_register_component(f.system, &wheel, &error));
    load_compiled(&f, project, "unit", "cart");
    load_compiled(&f, project, "level", "yard");
    const ct_level level = spawn_level(f.world, "yard", 0);
    ct_world *const other = ct_world_create(f.system);
    spawn_level(other, "yard", 9);
    assert_int_equal(num_wheels(f.world), 3);
    assert_int_equal(num_wheels(other), 3);
    uint32_t count;
    const ct_entity *const units = ct_level_units(f.world, level, &count);
    const ct_component_table *const wheels = ct_world_component_table(f.world, "wheel");
    const ct_instance_table *const rows = ct_component_table_instances(wheels);
    const float *const radius = ct_component_table_column(wheels, "radius");
    const uint32_t *const is_driven = ct_component_table_column(wheels, "is_driven");
    const ct_vec3 *const place = ct_component_table_column(wheels, "place");
    const ct_string_id32 *const axle = ct_component_table_column(wheels, "axle");
    const uint32_t left = ct_instance_table_first(rows, units[0]), right = rows->next[left];
    assert_true(radius[left] == 1 && radius[right] == 0.5f);
    assert_true(!is_driven[left] && is_driven[right] && place[right].z == 3);
    assert_int_equal(axle[left].value, ct_string_id32_of("front").value);
    assert_int_equal(rows->id[right], ct_string_id32_of("r").value);
    const uint32_t only = ct_instance_table_first(rows, units[1]);
    assert_true(radius[only] == 0.25f && rows->next[only] == 0);
    ct_world_destroy_units(f.world, &units[0], 1);
    assert_int_equal(num_wheels(f.world), 1);
    ct_world_destroy(other);
    ct_world_destroy_level(f.world, level);
    assert_int_equal(num_wheels(f.world), 0);

    write_text(project, "cart.unit",
               "components = [\n  { id = \"l\" type = \"wheel\"\n    radius = 3 } ]");
    answer = compile_file(project, "unit", "cart");
    expect_error(&answer, "cart.unit", 3, 5, "wheel.radius: found 3, expected 0.1 to 2 m");
    stop_world(&f);
    answer = compile_file(project, "unit", "cart"); // it ended with the system
    expect_error(&answer, "cart.unit", 2, 14, "unknown component type \"wheel\"");
}

static void a_game_says_how_many_an_entity_has(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "cart.unit",
               "components = [ { id = \"l\" type = \"wheel\" }\n"
               "  { id = \"r\" type = \"wheel\" } ]\n");
    ct_component_table_desc single = wheel;
    single.is_single = true;
    world_fixture f = start_world();
    assert_true(ct_world_system_register_component(f.system, &single, NULL));
    ct_compile_answer answer = compile_file(project, "unit", "cart");
    expect_error(&answer, "cart.unit", 2, 3, "a unit has at most one wheel");
    write_text(project, "cart.unit", "components = [ { id = \"l\" type = \"wheel\" } ]\n");
    load_compiled(&f, project, "unit", "cart");
    ct_entity roots[3];
    assert_true(ct_world_spawn_units(f.world, "cart", NULL, NULL, NULL, 3, roots, NULL));
    assert_int_equal(num_wheels(f.world), 3);
    stop_world(&f);
}

// --- Components of varying size ------------------------------------------------------------------

static const char chest[] =
    "components = [ { id = \"t\" type = \"transform\" }\n"
    "  { id = \"n\" type = \"debug_name\" name = \"chest\" }\n"
    "  { id = \"g\" type = \"tag\" tags = [\"chest\" \"wood\" \"locked\"] }\n"
    "  { id = \"d\" type = \"data\" values = { gold = 12 label = \"a longer text than fits\"\n"
    "      shape = [1 2 3 4 5 6 7] lock = { is_open = false } } }\n"
    "  { id = \"e\" type = \"data\" values = { weight = 3 } } ]\n"
    "children = [ { id = \"lid\" unit = \"lid\" } ]\n";
static const char lid[] = "components = [ { id = \"t\" type = \"transform\" }\n"
                          "  { id = \"g\" type = \"tag\" tags = [\"wood\"] }\n"
                          "  { id = \"d\" type = \"data\" values = { gold = 1 } } ]\n";

static float gold_of(const world_fixture *f, ct_entity e) {
    const ct_data_manager *const m = ct_world_system_data(f->system);
    const ct_data_value value = ct_data_get(m, ct_data_with_id(m, e, ct_string_id32_of("d").value),
                                            ct_data_key_of(&(const char *){"gold"}, 1));
    assert_int_equal(value.type, CT_DATA_TYPE_FLOAT);
    return value.number;
}

static bool has_tag(const world_fixture *f, ct_entity e, const char *tag) {
    return ct_tag_has(ct_world_system_tags(f->system), e, ct_string_id32_of(tag));
}

static void expect_chest(const world_fixture *f, ct_entity unit, float gold) {
    const ct_data_manager *const m = ct_world_system_data(f->system);
    assert_true(gold_of(f, unit) == gold);
    const ct_data_instance d = ct_data_with_id(m, unit, ct_string_id32_of("d").value);
    const ct_data_value label = ct_data_get(m, d, ct_data_key_of(&(const char *){"label"}, 1));
    assert_string_equal(label.text, "a longer text than fits");
    const ct_data_value shape = ct_data_get(m, d, ct_data_key_of(&(const char *){"shape"}, 1));
    assert_true(shape.count == 7 && shape.numbers[6] == 7);
    const char *const is_open[2] = {"lock", "is_open"};
    assert_int_equal(ct_data_get(m, d, ct_data_key_of(is_open, 2)).type, CT_DATA_TYPE_BOOL);
    const ct_data_instance e = ct_data_with_id(m, unit, ct_string_id32_of("e").value);
    const ct_data_value weight = ct_data_get(m, e, ct_data_key_of(&(const char *){"weight"}, 1));
    assert_true(weight.number == 3);
    assert_true(has_tag(f, unit, "chest") && has_tag(f, unit, "wood"));
    const ct_entity top = child_of(f->world, unit, 0);
    assert_true(gold_of(f, top) == 1);
    assert_true(has_tag(f, top, "wood") && !has_tag(f, top, "chest"));
}

// Each copy has values of its own, all of them, also where an override made those of one others.
static void data_and_tags_come_in_every_copy(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "chest.unit", chest);
    write_text(project, "lid.unit", lid);
    write_text(project, "vault.level",
               "units = [ { id = \"a\" unit = \"chest\" } { id = \"b\" unit = \"lid\" }\n"
               "  { id = \"c\" unit = \"chest\" position = [1 0 0] overrides = [\n"
               "    { id = \"d\" values = { gold = 99 } } { id = \"g\" tags = [\"chest\" "
               "\"wood\"] } ] } ]");
    world_fixture f = start_world();
    load_compiled(&f, project, "unit", "chest");
    load_compiled(&f, project, "level", "vault");
    ct_entity roots[5];
    ct_error error = {0};
    if (!ct_world_spawn_units(f.world, "chest", NULL, NULL, NULL, 5, roots, &error))
        fail_msg("%s", error.message);
    const ct_level levels[2] = {spawn_level(f.world, "vault", 10),
                                spawn_level(f.world, "vault", 20)};
    ct_data_manager *const m = ct_world_system_data(f.system);
    ct_data_set(m, ct_data_with_id(m, roots[2], ct_string_id32_of("d").value),
                ct_data_key_of(&(const char *){"gold"}, 1), ct_data_float(500), &error);
    for (uint32_t i = 0; i < 5; ++i)
        expect_chest(&f, roots[i], i == 2 ? 500 : 12);
    for (uint32_t i = 0; i < 2; ++i) {
        uint32_t count;
        const ct_entity *const units = ct_level_units(f.world, levels[i], &count);
        assert_int_equal(count, 3);
        expect_chest(&f, units[0], 12);
        assert_true(gold_of(&f, units[1]) == 1);
        expect_chest(&f, units[2], 99);
        assert_true(has_tag(&f, units[0], "locked") && !has_tag(&f, units[2], "locked"));
    }
    ct_world_destroy_level(f.world, levels[0]);
    ct_world_destroy_units(f.world, roots, 4);
    for (uint32_t i = 0; i < 2000; ++i)
        ct_world_advance(f.world, 0.01); // collects the data and tags of the dead
    expect_chest(&f, roots[4], 12);
    assert_int_equal(ct_data_count(m), 3 + 7); // of the chest, and of the other level
    stop_world(&f);
}

// --- What units have in common -------------------------------------------------------------------

enum { NUM_POSTS = 70 };

static const char post[] =
    "components = [ { id = \"t\" type = \"transform\" }\n"
    "  { id = \"m\" type = \"mesh\" mesh = \"post\" materials = [\"wood\"] }\n"
    "  { id = \"l\" type = \"light\" intensity = 3 }\n"
    "  { id = \"c\" type = \"camera\" near_range = 1 }\n"
    "  { id = \"n\" type = \"debug_name\" name = \"post\" }\n"
    "  { id = \"d\" type = \"data\" values = { gold = 12 } }\n"
    "  { id = \"g\" type = \"tag\" tags = [\"wood\"] }\n"
    "  { id = \"w\" type = \"wheel\" radius = 1 } ]";

// A level of posts, of which some say more: each third has gold, each fourth a name, each fifth a
// wheel, a mesh, a light and a camera of its own, and each seventh tags.
static void write_posts(const char *project) {
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_add(&b, "units = [\n");
    for (uint32_t i = 0; i < NUM_POSTS; ++i) {
        ct_string_builder_addf(
            &b, "{ id = \"p%u\" unit = \"post\" position = [%u 0 0] overrides = [ ", i, i);
        if (i % 3 == 0)
            ct_string_builder_add(&b, "{ id = \"d\" values = { gold = 100 } } ");
        if (i % 4 == 0)
            ct_string_builder_add(&b, "{ id = \"n\" name = \"gate\" } ");
        if (i % 5 == 0)
            ct_string_builder_add(&b, "{ id = \"w\" radius = 2 } { id = \"m\" mesh = \"gate\" } "
                                      "{ id = \"l\" intensity = 7 } "
                                      "{ id = \"c\" near_range = 0.5 } ");
        if (i % 7 == 0)
            ct_string_builder_add(&b, "{ id = \"g\" tags = [\"iron\" \"wood\"] } ");
        ct_string_builder_add(&b, "] }\n");
    }
    ct_string_builder_add(&b, "]");
    write_text(project, "post.unit", post);
    write_text(project, "posts.level", ct_string_builder_text(&b));
    ct_string_builder_free(&b);
}

static void expect_post(const world_fixture *f, ct_entity e, uint32_t i) {
    const ct_world *const w = f->world;
    const ct_component_table *const wheels = ct_world_component_table(w, "wheel");
    const uint32_t row = ct_instance_table_first(ct_component_table_instances(wheels), e);
    const float *const radius = ct_component_table_column(wheels, "radius");
    const ct_mesh_instance mesh = ct_mesh_first(ct_world_meshes(w), e);
    const ct_light_instance light = ct_light_first(ct_world_lights(w), e);
    const ct_camera_instance camera = ct_camera_first(ct_world_cameras(w), e);
    const char *const name = ct_debug_name(ct_world_system_debug_names(f->system), e);
    const bool is_gate = i % 5 == 0;
    assert_true(gold_of(f, e) == (i % 3 ? 12 : 100));
    assert_string_equal(name, i % 4 ? "post" : "gate");
    assert_true(radius[row] == (is_gate ? 2 : 1));
    assert_true(ct_mesh_name(ct_world_meshes(w), mesh).value ==
                ct_string_id64_of(is_gate ? "gate" : "post").value);
    assert_true(ct_mesh_material(ct_world_meshes(w), mesh, 0).value ==
                ct_string_id64_of("wood").value);
    assert_true(ct_light_data_of(ct_world_lights(w), light)->intensity == (is_gate ? 7 : 3));
    assert_true(ct_camera_data_of(ct_world_cameras(w), camera)->near_range == (is_gate ? 0.5f : 1));
    assert_true(has_tag(f, e, "wood"));
    assert_int_equal(has_tag(f, e, "iron"), i % 7 == 0);
    const ct_transform t = ct_transform_lookup(ct_world_transforms(w), e);
    assert_true(ct_transform_local_position(ct_world_transforms(w), t).x == (float)i);
}

static void expect_posts(const world_fixture *f, ct_level level) {
    uint32_t count;
    const ct_entity *const units = ct_level_units(f->world, level, &count);
    assert_int_equal(count, NUM_POSTS);
    for (uint32_t i = 0; i < count; ++i)
        expect_post(f, units[i], i);
}

// They come whole, bit by bit, and with the indices of others that ended: each is as it says.
static void units_that_share_data_are_what_they_say(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    world_fixture f = start_world();
    ct_error error = {0};
    assert_true(ct_world_system_register_component(f.system, &wheel, &error));
    write_posts(project);
    load_compiled(&f, project, "unit", "post");
    load_compiled(&f, project, "level", "posts");
    const ct_level slow =
        ct_world_spawn_level_gradually(f.world, "posts", ct_vec3_make(0, 0, 0), ct_quat_identity(),
                                       ct_vec3_make(1, 1, 1), 1e-9, &error);
    while (!ct_level_is_spawned(f.world, slow))
        ct_world_advance(f.world, 0.01);
    expect_posts(&f, slow);
    ct_level level = spawn_level(f.world, "posts", 0);
    for (uint32_t round = 0; round < 60; ++round) {
        expect_posts(&f, level);
        ct_world_destroy_level(f.world, level);
        level = spawn_level(f.world, "posts", 0);
    }
    expect_posts(&f, level);
    expect_posts(&f, slow);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_of_a_game_goes_from_text_to_worlds),
        cmocka_unit_test(a_game_says_how_many_an_entity_has),
        cmocka_unit_test(data_and_tags_come_in_every_copy),
        cmocka_unit_test(units_that_share_data_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
