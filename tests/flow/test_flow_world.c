// Units and levels with graphs, what waits, and what runs in each step.
#include "flow/flow_fixture.h"

static flow_builder b;
static flow_fixture *fixture;

// A graph that notes 1 when its unit was spawned, and 2 before it is destroyed.
static flow_builder *unit_graph(void) {
    start_graph(&b);
    add_note(&b, add_entry(&b, "unit_spawned", ""), "out", 1);
    add_note(&b, add_entry(&b, "unit_unspawned", ""), "out", 2);
    return &b;
}

static flow_fixture start_with_unit(flow_builder *graph) {
    flow_fixture f = start_flow();
    load_graph(&f, "lamp", graph);
    template_flow = "lamp";
    load_unit(&f.world, "lamp", &(template_entity){.parent = CT_NO_PARENT}, 1);
    template_flow = NULL;
    load_unit(&f.world, "rock", &(template_entity){.parent = CT_NO_PARENT}, 1);
    return f;
}

static void units_start_and_end_their_graphs(void **state) {
    (void)state;
    flow_fixture f = start_with_unit(unit_graph());
    const ct_entity rock = spawn_at(&f.world, "rock", 0, 0, 0);
    assert_no_notes();
    assert_int_equal(ct_flow_of_unit(f.flow, rock).id, 0);
    const ct_entity lamp = spawn_at(&f.world, "lamp", 0, 0, 0);
    ASSERT_NOTES(1);
    const ct_flow_instance i = ct_flow_of_unit(f.flow, lamp);
    assert_true(ct_flow_is_alive(f.flow, i));
    ct_world_destroy_units(f.world.world, &lamp, 1);
    ASSERT_NOTES(2);
    assert_false(ct_flow_is_alive(f.flow, i));
    assert_int_equal(ct_flow_num_instances(f.flow), 0);
    spawn_at(&f.world, "lamp", 0, 0, 0);
    stop_flow(&f); // with the world
    ASSERT_NOTES(1, 2);
}

static void units_without_their_graph_are_spawned(void **state) {
    (void)state;
    flow_fixture f = start_with_unit(unit_graph());
    const uint64_t errors = ct_log_error_count_of("flow_create");
    ct_flow_graph_offline(f.system, ct_string_id64_of("lamp"), f.blobs[0]);
    const ct_entity lamp = spawn_at(&f.world, "lamp", 0, 0, 0);
    assert_true(is_alive(&f.world, lamp));
    assert_no_notes();
    assert_int_equal(ct_log_error_count_of("flow_create"), errors + 1);
    stop_flow(&f);
}

static void event_knows_its_unit(void **state) {
    (void)state;
    start_graph(&b);
    const uint32_t spawned = add_entry(&b, "unit_spawned", "");
    const uint32_t variable = add_variable(&b, "who", CT_FLOW_TYPE_UNIT);
    const uint32_t set = add_setter(&b, "set_unit_variable", variable);
    link_value(&b, spawned, "unit", set, "unit");
    link_event(&b, spawned, "out", set, "set");
    flow_fixture f = start_with_unit(&b);
    const ct_entity lamp = spawn_at(&f.world, "lamp", 0, 0, 0);
    const ct_flow_instance i = ct_flow_of_unit(f.flow, lamp);
    assert_int_equal(variable_of(&f, i, "who")->object.entity, lamp.id);
    stop_flow(&f);
}

// Each entity of a unit may have a graph, whose own unit the entity is.
static void entities_of_units_have_graphs(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    load_graph(&f, "lamp", unit_graph());
    template_flow = "lamp";
    const template_entity pair[] = {
        {.parent = CT_NO_PARENT}, {.parent = 0}, {.parent = 1}, {.parent = 0}};
    load_unit(&f.world, "pair", pair, CT_COUNT_OF(pair));
    template_flow = NULL;
    const ct_entity first = spawn_at(&f.world, "pair", 0, 0, 0);
    const ct_entity second = spawn_at(&f.world, "pair", 0, 0, 0);
    ASSERT_NOTES(1, 1, 1, 1, 1, 1, 1, 1);
    uint32_t count = 0;
    for (ct_entity e = first; e.id; e = ct_world_next_entity(f.world.world, first, e)) {
        const ct_flow_instance i = ct_flow_of_unit(f.flow, e);
        assert_true(ct_flow_is_alive(f.flow, i));
        assert_int_equal(ct_flow_head_of(ct_flow_record_of(f.flow, i))->unit.entity, e.id);
        ++count;
    }
    assert_int_equal(count, 4);
    ct_world_destroy_units(f.world.world, &first, 1);
    ASSERT_NOTES(2, 2, 2, 2);
    assert_int_equal(ct_flow_num_instances(f.flow), 4);
    ct_world_destroy_units(f.world.world, &second, 1);
    ASSERT_NOTES(2, 2, 2, 2);
    assert_int_equal(ct_flow_num_instances(f.flow), 0);
    stop_flow(&f);
}

static void destroy_own_unit(ct_flow_call *c, double value) {
    const ct_flow_head *const head = (const void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    const ct_entity unit = {(uint32_t)head->unit.entity};
    if (value == 1) {
        ct_world_destroy_units(fixture->world.world, &unit, 1);
        assert_false(is_alive(&fixture->world, unit));
    }
    assert_true(value == 1 || !ct_flow_may_spawn(c));
}

// The event before its end runs within; nothing follows after it.
static void unit_may_be_destroyed_by_its_own_graph(void **state) {
    (void)state;
    start_graph(&b);
    const uint32_t one = add_note(&b, add_entry(&b, "unit_spawned", ""), "out", 1);
    add_note(&b, one, "out", 3);
    add_note(&b, add_entry(&b, "unit_unspawned", ""), "out", 2);
    flow_fixture f = start_with_unit(&b);
    fixture = &f;
    note_also = destroy_own_unit;
    spawn_at(&f.world, "lamp", 0, 0, 0);
    ASSERT_NOTES(1, 2);
    assert_int_equal(ct_flow_num_instances(f.flow), 0);
    stop_flow(&f);
}

static void spawn_another(ct_flow_call *c, double value) {
    if (value == 1 && ct_flow_may_spawn(c))
        spawn_at(&fixture->world, "lamp", 0, 0, 0);
}

static void graphs_that_spawn_themselves_are_cut(void **state) {
    (void)state;
    flow_fixture f = start_with_unit(unit_graph());
    fixture = &f;
    note_also = spawn_another;
    const uint64_t errors = num_errors();
    spawn_at(&f.world, "lamp", 0, 0, 0);
    assert_true(num_errors() > errors);
    assert_in_range(ct_flow_num_instances(f.flow), CT_FLOW_MAX_DEPTH / 2, CT_FLOW_MAX_DEPTH + 2);
    note_also = NULL;
    stop_flow(&f);
}

static void destroy_the_next(ct_flow_call *c, double value) {
    uint32_t count;
    const ct_entity *const units = ct_world_units(fixture->world.world, &count);
    const ct_flow_head *const head = (const void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    for (uint32_t i = 0; value == 1 && i < count; ++i) {
        const ct_entity unit = units[i];
        if (unit.id != head->unit.entity) {
            ct_world_destroy_units(fixture->world.world, &unit, 1);
            return;
        }
    }
}

// The second of two that are spawned together ends before its event.
static void units_may_destroy_those_spawned_with_them(void **state) {
    (void)state;
    flow_fixture f = start_with_unit(unit_graph());
    fixture = &f;
    note_also = destroy_the_next;
    ct_entity roots[2];
    ct_error error = {0};
    assert_true(ct_world_spawn_units(f.world.world, "lamp", NULL, NULL, NULL, 2, roots, &error));
    ASSERT_NOTES(1, 2);
    assert_int_equal(ct_flow_num_instances(f.flow), 1);
    stop_flow(&f);
}

static void levels_start_and_end_their_graphs(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    add_note(&b, add_entry(&b, "level_loaded", ""), "out", 1);
    add_note(&b, add_entry(&b, "level_shutdown", ""), "out", 2);
    load_graph(&f, "yard", &b);
    level_flow = ct_string_id64_of("yard");
    load_level(&f.world, "yard", NULL, 0, NULL, 0, (ct_string_id64){0});
    level_flow = (ct_string_id64){0};
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level(f.world.world, "yard", (ct_vec3){{0, 0, 0}}, (ct_quat){{0, 0, 0, 1}},
                             (ct_vec3){{1, 1, 1}}, &error);
    assert_int_not_equal(level.id, 0);
    ASSERT_NOTES(1);
    const ct_flow_instance i = ct_flow_of_level(f.flow, level);
    assert_true(ct_flow_is_alive(f.flow, i));
    ct_world_destroy_level(f.world.world, level);
    ASSERT_NOTES(2);
    assert_false(ct_flow_is_alive(f.flow, i));
    stop_flow(&f);
}

// A graph that names the second unit of its level, and one that the level does not have.
static flow_builder *graph_of_units(void) {
    start_graph(&b);
    const uint32_t loaded = add_entry(&b, "level_loaded", "");
    const uint32_t again = add_entry(&b, "external_in_event", "again");
    const char *const names[] = {"lamp", "none"};
    const uint32_t ids[] = {22, 33};
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t variable = add_variable(&b, names[k], CT_FLOW_TYPE_UNIT);
        const uint32_t set = add_setter(&b, "set_unit_variable", variable);
        give_level_unit(&b, set, "unit", ids[k]);
        link_event(&b, loaded, "out", set, "set");
        link_event(&b, again, "out", set, "set");
    }
    return &b;
}

// Spawns a level with that graph; `units` gets its two units.
static ct_level spawn_yard(flow_fixture *f, const ct_entity **units) {
    load_graph(f, "yard", graph_of_units());
    const template_entity entities[2] = {{.parent = CT_NO_PARENT}, {.parent = CT_NO_PARENT}};
    const ct_level_unit level_units[2] = {{.id = {11}, .root = 0}, {.id = {22}, .root = 1}};
    level_flow = ct_string_id64_of("yard");
    load_level(&f->world, "yard", entities, 2, level_units, 2, (ct_string_id64){0});
    level_flow = (ct_string_id64){0};
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level(f->world.world, "yard", (ct_vec3){{0, 0, 0}}, (ct_quat){{0, 0, 0, 1}},
                             (ct_vec3){{1, 1, 1}}, &error);
    uint32_t count;
    *units = ct_level_units(f->world.world, level, &count);
    assert_int_equal(count, 2);
    return level;
}

static void graphs_of_levels_know_their_units(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_entity *units;
    const ct_flow_instance i = ct_flow_of_level(f.flow, spawn_yard(&f, &units));
    assert_int_equal(variable_of(&f, i, "lamp")->object.entity, units[1].id);
    assert_int_equal(variable_of(&f, i, "none")->object.entity, 0);
    stop_flow(&f);
}

static void graphs_of_levels_know_their_units_after_a_reload(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_entity *units;
    const ct_flow_instance i = ct_flow_of_level(f.flow, spawn_yard(&f, &units));
    load_graph(&f, "yard", graph_of_units());
    variable_of(&f, i, "lamp")->object.entity = 0;
    start_event(&f, i, "again");
    assert_int_equal(variable_of(&f, i, "lamp")->object.entity, units[1].id);
    stop_flow(&f);
}

// Units of the level are those of this run, not those of the run that saved.
static void restored_graphs_of_levels_know_their_units(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    const ct_entity *units;
    const ct_flow_instance i = ct_flow_of_level(f.flow, spawn_yard(&f, &units));
    uint32_t num_bytes;
    const void *const data = ct_flow_save(f.flow, i, &num_bytes);
    uint32_t *const copy = ct_alloc(test_heap(), num_bytes);
    memcpy(copy, data, num_bytes);
    for (uint32_t k = 0; k < num_bytes / sizeof(*copy); ++k)
        copy[k] += copy[k] == units[1].id; // the number of another entity
    ct_error error = {0};
    assert_true(ct_flow_restore(f.flow, i, copy, num_bytes, &error));
    start_event(&f, i, "again");
    assert_int_equal(variable_of(&f, i, "lamp")->object.entity, units[1].id);
    ct_free(test_heap(), copy);
    stop_flow(&f);
}

// Loads a level "yard" of `count` units, each with a graph that starts "hello" in the level's graph. That
// notes 1 for it, 2 when the level is loaded, and 3 when it ends.
static void load_yard_of_lamps(flow_fixture *f, uint32_t count) {
    start_graph(&b);
    const uint32_t send = add_node(&b, "trigger_level_flow_event");
    give_text(&b, send, "event", "hello");
    link_event(&b, add_entry(&b, "unit_spawned", ""), "out", send, "in");
    load_graph(f, "lamp", &b);
    start_graph(&b);
    const uint32_t hello = add_note(&b, add_entry(&b, "external_in_event", "hello"), "out", 1);
    const uint32_t set =
        add_setter(&b, "set_unit_variable", add_variable(&b, "lamp", CT_FLOW_TYPE_UNIT));
    give_level_unit(&b, set, "unit", 2);
    link_event(&b, hello, "out", set, "set");
    add_note(&b, add_entry(&b, "level_loaded", ""), "out", 2);
    add_note(&b, add_entry(&b, "level_shutdown", ""), "out", 3);
    load_graph(f, "yard", &b);
    template_entity entities[200];
    ct_level_unit units[200];
    for (uint32_t i = 0; i < count; ++i) {
        entities[i] = (template_entity){.parent = CT_NO_PARENT};
        units[i] = (ct_level_unit){.id = {i + 1}, .root = i};
    }
    level_flow = ct_string_id64_of("yard");
    template_flow = "lamp";
    load_level(&f->world, "yard", entities, count, units, count, (ct_string_id64){0});
    template_flow = NULL;
    level_flow = (ct_string_id64){0};
}

static ct_level begin_yard(const flow_fixture *f) {
    ct_error error = {0};
    return ct_world_spawn_level_gradually(f->world.world, "yard", (ct_vec3){{0, 0, 0}},
                                          (ct_quat){{0, 0, 0, 1}}, (ct_vec3){{1, 1, 1}}, 0, &error);
}

static void units_reach_the_graph_of_their_level_when_they_spawn(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    load_yard_of_lamps(&f, 2);
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level(f.world.world, "yard", (ct_vec3){{0, 0, 0}}, (ct_quat){{0, 0, 0, 1}},
                             (ct_vec3){{1, 1, 1}}, &error);
    ASSERT_NOTES(1, 1, 2);
    uint32_t count;
    const ct_entity second = ct_level_units(f.world.world, level, &count)[1];
    const ct_flow_instance i = ct_flow_of_level(f.flow, level);
    assert_int_equal(variable_of(&f, i, "lamp")->object.entity, second.id);
    ct_world_destroy_level(f.world.world, level);
    ASSERT_NOTES(3);
    assert_int_equal(ct_flow_num_instances(f.flow), 0);
    stop_flow(&f);
}

static void levels_that_spawn_gradually_have_one_graph(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    load_yard_of_lamps(&f, 150);
    const ct_level level = begin_yard(&f);
    assert_no_notes();
    uint32_t num_steps = 0;
    for (; !ct_level_is_spawned(f.world.world, level); ++num_steps) {
        advance(&f, 0.1);
        uint32_t count;
        ct_level_units(f.world.world, level, &count);
        assert_int_equal(ct_flow_num_instances(f.flow), count + 1);
        assert_int_equal(notes.count, count + (count == 150));
    }
    assert_in_range(num_steps, 2, 150);
    notes.count = 0;
    ct_world_destroy_level(f.world.world, level);
    ASSERT_NOTES(3);
    stop_flow(&f);
}

static void a_level_that_ends_half_spawned_was_never_loaded(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    load_yard_of_lamps(&f, 150);
    const ct_level level = begin_yard(&f);
    advance(&f, 0.1);
    assert_in_range(notes.count, 64, 149);
    notes.count = 0;
    ct_world_destroy_level(f.world.world, level);
    assert_no_notes();
    assert_int_equal(ct_flow_num_instances(f.flow), 0);
    stop_flow(&f);
}

// --- Steps ---------------------------------------------------------------------------------------

static void level_update_runs_in_each_step(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t note = add_note(&b, add_entry(&b, "level_update", ""), "out", 0);
    const uint32_t time = add_node(&b, "get_last_delta_time");
    link_value(&b, time, "time", note, "value");
    const ct_flow_instance first = make_graph(&f, &b);
    const ct_flow_instance second = make_instance(&f, "test");
    advance(&f, 0.25);
    ASSERT_NOTES(0.25, 0.25);
    ct_flow_destroy(f.flow, &first, 1);
    advance(&f, 0.5);
    ASSERT_NOTES(0.5);
    ct_flow_destroy(f.flow, &second, 1);
    advance(&f, 0.5);
    assert_no_notes();
    assert_int_equal(f.flow->polling.count, 0);
    stop_flow(&f);
}

static flow_builder *delay_graph(void) {
    start_graph(&b);
    const uint32_t delay = add_node(&b, "delay");
    const uint32_t time = add_variable(&b, "time", CT_FLOW_TYPE_NUMBER);
    read_variable(&b, time, delay, "time");
    link_event(&b, add_entry(&b, "external_in_event", "go"), "out", delay, "in");
    add_note(&b, delay, "out", 1);
    return &b;
}

static void what_waits_costs_nothing(void **state) {
    (void)state;
    enum { COUNT = 10000 };
    flow_fixture f = start_flow();
    load_graph(&f, "test", delay_graph());
    for (uint32_t k = 0; k < COUNT; ++k) {
        const ct_flow_instance i = make_instance(&f, "test");
        variable_of(&f, i, "time")->number = 100 + k % 7;
        start_event(&f, i, "go");
    }
    const uint64_t steps = f.flow->num_steps;
    ct_allocator *const memory = ct_world_allocator(f.world.world);
    const uint64_t blocks = ct_allocator_stats_of(memory).total_blocks;
    for (uint32_t k = 0; k < 50; ++k)
        advance(&f, 1);
    assert_int_equal(f.flow->num_steps, steps);
    assert_int_equal(f.flow->num_waits_looked, 0);
    assert_int_equal(ct_allocator_stats_of(memory).total_blocks, blocks);
    assert_no_notes();
    for (uint32_t k = 0; k < 57; ++k)
        advance(&f, 1);
    assert_int_equal(notes.count, COUNT);
    assert_int_equal(f.flow->num_waits_looked, COUNT);
    notes.count = 0;
    stop_flow(&f);
}

static void the_earliest_is_first(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    start_graph(&b);
    const uint32_t go = add_entry(&b, "external_in_event", "go");
    const double times[] = {3, 1, 2, 1, 5, 4};
    for (uint32_t k = 0; k < CT_COUNT_OF(times); ++k) {
        const uint32_t delay = add_node(&b, "delay");
        give_number(&b, delay, "time", times[k]);
        link_event(&b, go, "out", delay, "in");
        add_note(&b, delay, "out", times[k] * 10 + k);
    }
    const ct_flow_instance i = make_graph(&f, &b);
    start_event(&f, i, "go");
    advance(&f, 10);
    ASSERT_NOTES(11, 13, 22, 30, 45, 54); // equal ones by their nodes
    stop_flow(&f);
}

static void waits_of_those_that_end_are_forgotten(void **state) {
    (void)state;
    flow_fixture f = start_flow();
    load_graph(&f, "test", delay_graph());
    for (uint32_t k = 0; k < 20000; ++k) {
        const ct_flow_instance i = make_instance(&f, "test");
        variable_of(&f, i, "time")->number = 5;
        start_event(&f, i, "go");
        ct_flow_destroy(f.flow, &i, 1);
    }
    assert_in_range(f.flow->waiting.count, 0, 4096);
    advance(&f, 10);
    assert_no_notes();
    assert_int_equal(f.flow->waiting.count, 0);
    stop_flow(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_start_and_end_their_graphs),
        cmocka_unit_test(units_without_their_graph_are_spawned),
        cmocka_unit_test(event_knows_its_unit),
        cmocka_unit_test(entities_of_units_have_graphs),
        cmocka_unit_test(unit_may_be_destroyed_by_its_own_graph),
        cmocka_unit_test(graphs_that_spawn_themselves_are_cut),
        cmocka_unit_test(units_may_destroy_those_spawned_with_them),
        cmocka_unit_test(levels_start_and_end_their_graphs),
        cmocka_unit_test(graphs_of_levels_know_their_units),
        cmocka_unit_test(graphs_of_levels_know_their_units_after_a_reload),
        cmocka_unit_test(restored_graphs_of_levels_know_their_units),
        cmocka_unit_test(units_reach_the_graph_of_their_level_when_they_spawn),
        cmocka_unit_test(levels_that_spawn_gradually_have_one_graph),
        cmocka_unit_test(a_level_that_ends_half_spawned_was_never_loaded),
        cmocka_unit_test(level_update_runs_in_each_step),
        cmocka_unit_test(what_waits_costs_nothing),
        cmocka_unit_test(the_earliest_is_first),
        cmocka_unit_test(waits_of_those_that_end_are_forgotten),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
