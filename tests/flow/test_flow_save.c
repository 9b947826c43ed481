// Saved worlds with graphs of Flow: what they refer to is found again in another run, or cleared. The other
// run is a second world here: its entities, actors and numbers of parts are others.
#include "flow/flow_fixture.h"

#include "flow/flow_save.h"
#include "foundation/math/math.h"

enum { NUM_KINDS = CT_FLOW_NUM_SAVE_KINDS + 1, NUM_ACTORS = 2 };

static flow_builder b;
static char problems[4096];
static ct_entity units[16]; // of the save that was loaded last
static uint32_t num_units;
static bool has_mesh;                          // the units get a mesh with the id 78
static uint32_t trigger_output, effect_output; // offsets of outputs

static const template_entity lamp[] = {
    {.parent = CT_NO_PARENT, .num_meshes = 2, .has_camera = true, .has_light = true},
    {.parent = 0, .has_camera = true},
};

static void note_problem(void *user, const char *text) {
    const size_t used = strlen(problems);
    (void)user;
    snprintf(problems + used, sizeof(problems) - used, "%s\n", text);
}

// --- Worlds --------------------------------------------------------------------------------------

static ct_actor add_actor(ct_world *w, ct_entity e) {
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.body = CT_ACTOR_KEYFRAMED;
    data.given = CT_ACTOR_GIVEN_MASK;
    const ct_actor_shape_data shape = {
        .type = CT_ACTOR_SHAPE_SPHERE, .rotation = {0, 0, 0, 1}, .radius = 1};
    ct_error error = {0};
    const ct_actor_desc desc = {.entity = e,
                                .pose = {.rotation = ct_quat_identity()},
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1};
    const ct_actor actor = ct_actor_create(ct_world_physics(w), &desc, &error);
    if (!actor.id)
        fail_msg("%s", error.message);
    return actor;
}

static ct_mesh_instance add_mesh(ct_world *w, ct_entity e, uint32_t id) {
    ct_mesh_manager *const m = ct_world_meshes(w);
    const ct_mesh_data data = ct_mesh_data_of(m, ct_mesh_first(m, e));
    return ct_mesh_create(m, e, id, &data);
}

// The loaded units get actors, which are not saved, and a mesh, which is not loaded here, before rows are
// loaded, as from a script.
static void add_parts(ct_world_loading *l, void *user) {
    (void)user;
    for (uint32_t i = 0; i < num_units; ++i) {
        const ct_physics_world *const p = ct_world_physics(ct_world_loading_world(l));
        if (!units[i].id || ct_actor_first(p, units[i]).id) // it was called before
            continue;
        for (uint32_t k = 0; k < NUM_ACTORS; ++k)
            add_actor(ct_world_loading_world(l), units[i]);
        if (has_mesh)
            add_mesh(ct_world_loading_world(l), units[i], 78);
    }
}

static void kinds_of(const flow_fixture *f, ct_world *w, ct_save_component kinds[NUM_KINDS]) {
    ct_flow_save_kinds(ct_flow_world_of(f->system, w), kinds);
    kinds[CT_FLOW_NUM_SAVE_KINDS] = (ct_save_component){.name = "actors", .begin = add_parts};
}

static ct_byte_array save(const flow_fixture *f, ct_world *w) {
    ct_byte_array bytes;
    ct_save_component kinds[NUM_KINDS];
    kinds_of(f, w, kinds);
    ct_array_init(&bytes, f->world.allocator);
    ct_world_save(w, kinds, CT_FLOW_NUM_SAVE_KINDS, &bytes);
    return bytes;
}

static void load(const flow_fixture *f, ct_world *w, const ct_byte_array *bytes) {
    ct_error error = {0};
    ct_save_component kinds[NUM_KINDS];
    const ct_saved_world *const saved = (const ct_saved_world *)(const void *)bytes->items;
    kinds_of(f, w, kinds);
    problems[0] = '\0';
    num_units = (uint32_t)saved->units.count;
    assert_true(num_units <= CT_COUNT_OF(units));
    memset(units, 0, sizeof(units));
    const ct_world_load_desc desc = {.bytes = bytes->items,
                                     .extra = kinds,
                                     .num_extra = NUM_KINDS,
                                     .problem = note_problem,
                                     .units = units};
    if (!ct_saved_world_check(bytes->items, bytes->count, &error) ||
        !ct_world_load(w, &desc, &error))
        fail_msg("%s", error.message);
}

static uint64_t hash_of(const flow_fixture *f, ct_world *w) {
    ct_byte_array bytes = save(f, w);
    const uint64_t hash = ct_saved_world_hash(bytes.items);
    ct_array_free(&bytes);
    return hash;
}

// A graph with a variable of each type of entities and parts, and two nodes with such outputs.
static flow_builder *graph(void) {
    start_graph(&b);
    add_variable(&b, "unit", CT_FLOW_TYPE_UNIT);
    add_variable(&b, "child", CT_FLOW_TYPE_ENTITY);
    add_variable(&b, "actor", CT_FLOW_TYPE_ACTOR);
    add_variable(&b, "camera", CT_FLOW_TYPE_CAMERA);
    add_variable(&b, "light", CT_FLOW_TYPE_LIGHT);
    add_variable(&b, "mesh", CT_FLOW_TYPE_MESH);
    add_variable(&b, "material", CT_FLOW_TYPE_MATERIAL);
    add_variable(&b, "mover", CT_FLOW_TYPE_MOVER);
    const uint32_t trigger = add_entry(&b, "physics_trigger", "");
    const uint32_t effect = add_node(&b, "particle_effect");
    link_event(&b, trigger, "enter", effect, "create");
    return &b;
}

static flow_fixture start(void) {
    flow_fixture f = start_flow();
    load_graph(&f, "lamp", graph());
    trigger_output = output_offset(&b, 1, 1); // touching_actor
    effect_output = output_offset(&b, 2, 0);
    template_flow = "lamp";
    load_unit(&f.world, "lamp", lamp, CT_COUNT_OF(lamp));
    template_flow = NULL;
    return f;
}

static void *data_of(ct_flow_world *flow, ct_entity e, uint32_t offset) {
    uint32_t size;
    const uint8_t *const data = ct_flow_save(flow, ct_flow_of_unit(flow, e), &size);
    assert_true(data && offset < size);
    return (uint8_t *)(uintptr_t)data + offset;
}

static ct_flow_object *variable(ct_flow_world *flow, ct_entity e, const char *name) {
    ct_flow_type type;
    ct_flow_value *const value =
        ct_flow_find_variable(flow, ct_flow_of_unit(flow, e), ct_string_id32_of(name), &type);
    assert_non_null(value);
    return &value->object;
}

static void assert_object(const ct_flow_object *object, ct_entity e, uint32_t part,
                          uint32_t extra) {
    assert_int_equal(object->entity, e.id);
    assert_int_equal(object->part, part);
    assert_int_equal(object->extra, extra);
}

static ct_mesh_instance mesh_with_id(ct_world *w, ct_entity e, uint32_t id) {
    const ct_mesh_manager *const m = ct_world_meshes(w);
    ct_mesh_instance i = ct_mesh_first(m, e);
    while (i.index && ct_mesh_id(m, i) != id)
        i = ct_mesh_next(m, i);
    assert_int_not_equal(i.index, 0);
    return i;
}

// --- The tests -----------------------------------------------------------------------------------

static void references_are_found_in_another_run(void **state) {
    (void)state;
    flow_fixture f = start();
    ct_world *const w = f.world.world, *const other = ct_world_create(f.world.system);
    ct_flow_world *const flow = ct_flow_world_of(f.system, other);
    const ct_string_id32 name = ct_string_id32_of("shared");
    const ct_entity own = spawn_at(&f.world, "lamp", 0, 0, 0);
    const ct_entity lit = spawn_at(&f.world, "lamp", 1, 0, 0);
    const ct_entity child = child_of(w, lit, 0);
    const ct_actor actor = (add_actor(w, lit), add_actor(w, lit));
    add_actor(w, own);
    add_actor(w, own);
    ct_mesh_destroy(ct_world_meshes(w), add_mesh(w, lit, 77));
    add_mesh(w, own, 78);
    const ct_mesh_instance mesh = add_mesh(w, lit, 78);
    const uint32_t mesh_number = ct_mesh_number(ct_world_meshes(w), mesh);
    *variable(f.flow, own, "unit") = (ct_flow_object){.entity = lit.id};
    *variable(f.flow, own, "child") = (ct_flow_object){.entity = child.id};
    *variable(f.flow, own, "actor") = (ct_flow_object){lit.id, actor.id, 0};
    *variable(f.flow, own, "camera") = (ct_flow_object){
        child.id,
        ct_camera_number(ct_world_cameras(w), ct_camera_first(ct_world_cameras(w), child)), 0};
    *variable(f.flow, own, "light") = (ct_flow_object){
        lit.id, ct_light_number(ct_world_lights(w), ct_light_first(ct_world_lights(w), lit)), 0};
    *variable(f.flow, own, "mesh") = (ct_flow_object){lit.id, mesh_number, 0};
    *variable(f.flow, own, "material") = (ct_flow_object){lit.id, mesh_number, 5};
    *(ct_flow_object *)data_of(f.flow, own, trigger_output) = (ct_flow_object){lit.id, actor.id, 0};
    ct_flow_global_of(f.flow, name, CT_FLOW_TYPE_ENTITY)->value.object.entity = child.id;
    ct_byte_array saved = save(&f, w);
    // Others are there before.
    const ct_vec3 position = {{0, 0, 0}};
    ct_entity before;
    assert_true(ct_world_spawn_units(other, "lamp", &position, NULL, NULL, 1, &before, NULL));
    add_actor(other, before);
    add_actor(other, (ct_entity){0});
    has_mesh = true;
    load(&f, other, &saved);
    has_mesh = false;
    assert_string_equal(problems, "");
    const ct_entity new_own = units[0], new_lit = units[1], new_child = child_of(other, new_lit, 0);
    const ct_actor new_actor =
        ct_actor_next(ct_world_physics(other), ct_actor_first(ct_world_physics(other), new_lit));
    const uint32_t new_number =
        ct_mesh_number(ct_world_meshes(other), mesh_with_id(other, new_lit, 78));
    assert_int_not_equal(new_lit.id, lit.id);
    assert_int_not_equal(new_actor.id, actor.id);
    assert_int_not_equal(new_number, mesh_number);
    assert_object(variable(flow, new_own, "unit"), new_lit, 0, 0);
    assert_object(variable(flow, new_own, "child"), new_child, 0, 0);
    assert_object(variable(flow, new_own, "actor"), new_lit, new_actor.id, 0);
    assert_object(variable(flow, new_own, "camera"), new_child, 0, 0);
    assert_object(variable(flow, new_own, "light"), new_lit, 0, 0);
    assert_object(variable(flow, new_own, "mesh"), new_lit, new_number, 0);
    assert_object(variable(flow, new_own, "material"), new_lit, new_number, 5);
    assert_object(variable(flow, new_own, "mover"), (ct_entity){0}, 0, 0);
    assert_object(data_of(flow, new_own, trigger_output), new_lit, new_actor.id, 0);
    assert_int_equal(ct_flow_global_of(flow, name, CT_FLOW_TYPE_ENTITY)->value.object.entity,
                     new_child.id);
    assert_true(hash_of(&f, other) == ct_saved_world_hash(saved.items));
    ct_array_free(&saved);
    stop_flow(&f);
}

// What is not in the save, or ended before, is nothing afterwards. Only what lived is counted.
static void references_to_what_is_not_saved_are_cleared(void **state) {
    (void)state;
    flow_fixture f = start();
    ct_world *const w = f.world.world, *const other = ct_world_create(f.world.system);
    ct_flow_world *const flow = ct_flow_world_of(f.system, other);
    const ct_entity own = spawn_at(&f.world, "lamp", 0, 0, 0);
    const ct_entity dead = spawn_at(&f.world, "lamp", 1, 0, 0);
    const ct_entity alone = ct_world_create_entity(w); // of no unit
    const ct_actor made = add_actor(w, (ct_entity){0}), ended = add_actor(w, own);
    ct_actor_destroy(ct_world_physics(w), ended);
    ct_world_destroy_units(w, &dead, 1);
    *variable(f.flow, own, "unit") = (ct_flow_object){.entity = dead.id};
    *variable(f.flow, own, "child") = (ct_flow_object){.entity = alone.id};
    *variable(f.flow, own, "actor") = (ct_flow_object){0, made.id, 0};
    *variable(f.flow, own, "camera") = (ct_flow_object){dead.id, 0, 0};
    *variable(f.flow, own, "light") = (ct_flow_object){own.id, 1000, 0}; // there is none
    *(ct_flow_object *)data_of(f.flow, own, trigger_output) = (ct_flow_object){own.id, ended.id, 0};
    ct_flow_global_of(f.flow, ct_string_id32_of("shared"), CT_FLOW_TYPE_UNIT)->value.object.entity =
        alone.id;
    ct_byte_array saved = save(&f, w);
    load(&f, other, &saved);
    assert_non_null(strstr(problems,
                           "3 references to entities or parts of them that are not in the "
                           "save or not there are cleared"));
    static const char *const names[] = {"unit", "child", "actor", "camera", "light"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        assert_object(variable(flow, units[0], names[i]), (ct_entity){0}, 0, 0);
    assert_object(data_of(flow, units[0], trigger_output), (ct_entity){0}, 0, 0);
    assert_int_equal(ct_flow_global_of(flow, ct_string_id32_of("shared"), CT_FLOW_TYPE_UNIT)
                         ->value.object.entity,
                     0);
    ct_array_free(&saved);
    stop_flow(&f);
}

// A part that the unit does not get back is cleared, not another one of the unit.
static void missing_parts_are_cleared(void **state) {
    (void)state;
    flow_fixture f = start();
    ct_world *const w = f.world.world, *const other = ct_world_create(f.world.system);
    ct_flow_world *const flow = ct_flow_world_of(f.system, other);
    const ct_entity own = spawn_at(&f.world, "lamp", 0, 0, 0);
    ct_actor last = {0};
    for (uint32_t i = 0; i < NUM_ACTORS + 1; ++i) // one more than the unit gets back
        last = add_actor(w, own);
    *variable(f.flow, own, "actor") = (ct_flow_object){own.id, last.id, 0};
    ct_byte_array saved = save(&f, w);
    load(&f, other, &saved);
    assert_non_null(strstr(problems, "1 references to entities or parts"));
    assert_object(variable(flow, units[0], "actor"), (ct_entity){0}, 0, 0);
    ct_array_free(&saved);
    stop_flow(&f);
}

// Effects and sounds are not saved: their numbers stay as the world has them.
static void numbers_of_what_plays_stay(void **state) {
    (void)state;
    flow_fixture f = start();
    ct_world *const w = f.world.world, *const other = ct_world_create(f.world.system);
    const ct_entity own = spawn_at(&f.world, "lamp", 0, 0, 0);
    *(double *)data_of(f.flow, own, effect_output) = 7;
    ct_byte_array saved = save(&f, w);
    load(&f, other, &saved);
    assert_true(*(double *)data_of(ct_flow_world_of(f.system, other), units[0], effect_output) ==
                0);
    assert_true(hash_of(&f, other) == ct_saved_world_hash(saved.items));
    *(double *)data_of(f.flow, own, effect_output) = 9;
    variable(f.flow, own, "unit")->entity = own.id; // so that the state is restored
    load(&f, w, &saved);
    assert_true(*(double *)data_of(f.flow, own, effect_output) == 9);
    assert_int_equal(variable(f.flow, own, "unit")->entity, 0);
    ct_array_free(&saved);
    stop_flow(&f);
}

// The graph of a level, and the units of the level that it names.
static void graphs_of_levels_are_found_in_another_run(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t loaded = add_entry(&b, "level_loaded", "");
    const uint32_t kept = add_variable(&b, "kept", CT_FLOW_TYPE_UNIT);
    const uint32_t set = add_setter(&b, "set_unit_variable", kept);
    give_level_unit(&b, set, "unit", 12);
    link_event(&b, loaded, "out", set, "set");
    load_graph(&f, "level", &b);
    const uint32_t unit_offset = b.first_level_unit;
    const template_entity rocks[] = {{.parent = CT_NO_PARENT}, {.parent = CT_NO_PARENT}};
    const ct_level_unit members[] = {
        {.unit = ct_string_id64_of("rock"), .id = {11}, .root = 0},
        {.unit = ct_string_id64_of("rock"), .id = {12}, .root = 1},
    };
    load_unit(&f.world, "rock", rocks, 1);
    level_flow = ct_string_id64_of("level");
    load_level(&f.world, "level", rocks, 2, members, 2, (ct_string_id64){0});
    level_flow = (ct_string_id64){0};
    const ct_vec3 zero = {{0, 0, 0}}, one = {{1, 1, 1}};
    ct_world *const w = f.world.world, *const other = ct_world_create(f.world.system);
    const ct_level level = ct_world_spawn_level(w, "level", zero, ct_quat_identity(), one, NULL);
    assert_int_not_equal(level.id, 0);
    ct_byte_array saved = save(&f, w);
    load(&f, other, &saved);
    assert_string_equal(problems, "");
    ct_flow_world *const flow = ct_flow_world_of(f.system, other);
    uint32_t count, bytes;
    const ct_level new_level = ct_world_levels(other, &count)[0];
    const uint8_t *const data = ct_flow_save(flow, ct_flow_of_level(flow, new_level), &bytes);
    assert_non_null(data);
    assert_int_not_equal(units[1].id, ct_level_units(w, level, &count)[1].id);
    assert_object((const void *)(data + unit_offset), units[1], 0, 0);
    assert_object((const void *)(data + b.variables[kept].offset), units[1], 0, 0);
    assert_true(hash_of(&f, other) == ct_saved_world_hash(saved.items));
    ct_array_free(&saved);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_found_in_another_run),
        cmocka_unit_test(references_to_what_is_not_saved_are_cleared),
        cmocka_unit_test(missing_parts_are_cleared),
        cmocka_unit_test(numbers_of_what_plays_stay),
        cmocka_unit_test(graphs_of_levels_are_found_in_another_run),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
