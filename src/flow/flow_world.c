// The part of each world: its row, and the events that units, levels and steps start.
#include <string.h>

#include "flow/flow_private.h"
#include "foundation/log.h"
#include "resource/types/component_resource.h"

// --- The component -------------------------------------------------------------------------------

static const ct_soa_array arrays[] = {
    CT_SINGLE_INSTANCE_TABLE_ARRAYS(ct_flow_world, components),
    CT_SOA_ARRAY(ct_flow_world, component_graphs),
    CT_SOA_ARRAY(ct_flow_world, component_ids),
};

static void spawn(void *manager, const ct_component_spawn *spawn_desc) {
    ct_flow_world *const w = manager;
    const ct_flow_component_data *const data = spawn_desc->data;
    const uint32_t count = ct_component_spawn_count(spawn_desc);
    const uint32_t first =
        ct_instance_table_add_many(&w->components, spawn_desc->owners, NULL, count);
    for (uint32_t i = 0; i < count; ++i) {
        w->component_graphs[first + i] = data[ct_component_spawn_data(spawn_desc, i)].graph;
        w->component_ids[first + i] = spawn_desc->ids[i];
    }
    ct_array_push_many(&w->spawned, spawn_desc->owners, count);
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_flow_world *const w = manager;
    for (uint32_t i = 0; i < count && w->of_units.count > 0; ++i)
        ct_flow_end_of_entity(w, entities[i]);
    ct_instance_table_erase_entities(&w->components, entities, count);
}

static void hash(const void *manager, ct_state_hash *state) {
    ct_flow_hash(manager, state);
}

static void destroy(void *manager) {
    ct_flow_world *const w = manager;
    ct_flow_system *const s = w->system;
    CT_ASSERT(!w->run, "a world ended in the middle of an event of a flow graph");
    for (uint32_t i = 0; i < s->live.count; ++i) {
        if (s->live.items[i] == w) {
            ct_array_erase(&s->live, i, 1);
            break;
        }
    }
    for (uint32_t i = 0; i < w->pools.count; ++i)
        ct_flow_pool_free(w, &w->pools.items[i]);
    ct_array_free(&w->pools);
    ct_array_free(&w->records);
    ct_array_free(&w->polling);
    ct_array_free(&w->starting);
    ct_array_free(&w->spawned);
    ct_array_free(&w->called);
    ct_array_free(&w->waiting);
    ct_array_free(&w->globals);
    ct_hash_map_free(&w->global_places);
    ct_hash_map_free(&w->of_units);
    ct_hash_map_free(&w->of_levels);
    ct_instance_table_free(&w->components);
    ct_free_sized(w->allocator, w, sizeof(*w));
}

static ct_flow_system *system_of(const ct_world *w) {
    const ct_world_schedule *const schedule = ct_world_system_schedule(ct_world_system_of(w));
    uint32_t row = 0;
    while (schedule->rows[row]->create != ct_flow_row.create)
        ++row;
    return schedule->rows[row]->user;
}

static void *create(ct_world *world, ct_component_manager *component) {
    ct_allocator *const a = ct_world_allocator(world);
    ct_flow_world *const w = CT_NEW(a, ct_flow_world);
    w->system = system_of(world);
    w->world = world;
    w->allocator = a;
    ct_array_init(&w->records, a);
    ct_array_init(&w->pools, a);
    ct_array_init(&w->polling, a);
    ct_array_init(&w->starting, a);
    ct_array_init(&w->spawned, a);
    ct_array_init(&w->called, a);
    ct_array_init(&w->waiting, a);
    ct_array_init(&w->globals, a);
    ct_hash_map_init(&w->global_places, a);
    ct_hash_map_init(&w->of_units, a);
    ct_hash_map_init(&w->of_levels, a);
    ct_array_push(&w->records, (ct_flow_record){0});
    ct_instance_table_init(&w->components, a, w, arrays, CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_HASH);
    ct_array_push(&w->system->live, w);
    *component = (ct_component_manager){.type_name = "flow",
                                        .schema = ct_component_type_named("flow")->schema,
                                        .manager = w,
                                        .spawn = spawn,
                                        .entities_destroyed = entities_destroyed,
                                        .hash = hash,
                                        .destroy = destroy};
    return w;
}

// --- Units ---------------------------------------------------------------------------------------

static void report(const ct_error *error) {
    ct_log_error("flow", "flow_create", "%s", error->message);
}

void ct_flow_start_of_unit(ct_flow_world *w, ct_entity unit, ct_string_id32 kind,
                           void (*prepare)(ct_flow_call *c, void *user), void *user) {
    const uint32_t first = w->starting.count;
    for (uint32_t at = (uint32_t)ct_hash_map_get(&w->of_units, unit.id, 0); at;
         at = w->records.items[at].next) {
        const ct_flow_head *const head = ct_flow_head_of(&w->records.items[at]);
        ct_array_push(&w->starting, (ct_flow_instance){head->instance});
    }
    const uint32_t end = w->starting.count;
    for (uint32_t i = first; i < end; ++i)
        ct_flow_start(w, w->starting.items[i], kind, (ct_string_id32){0}, prepare, user);
    w->starting.count = first;
}

static void start_of_unit(ct_flow_world *w, ct_entity unit, ct_string_id32 kind) {
    ct_flow_start_of_unit(w, unit, kind, NULL, NULL);
}

static ct_string_id64 graph_of(const ct_flow_world *w, ct_entity e) {
    const uint32_t i = ct_instance_table_first(&w->components, e);
    return i ? w->component_graphs[i] : (ct_string_id64){0};
}

// Makes instances for entities, of those with the same graph that follow each other at once. Those
// that have ended have no graph.
static void create_for(ct_flow_world *w, const ct_entity *entities, uint32_t count) {
    for (uint32_t first = 0; first < count;) {
        const ct_string_id64 graph = graph_of(w, entities[first]);
        uint32_t end = first + 1;
        while (end < count && graph_of(w, entities[end]).value == graph.value)
            ++end;
        ct_error error = {0};
        if (graph.value &&
            !ct_flow_create(w, graph, entities + first, (ct_level){0}, end - first, NULL, &error))
            report(&error);
        first = end;
    }
}

// Gives the graph of a level those of its units that exist now.
static void find_units_of(const ct_flow_world *w, ct_level level) {
    const ct_flow_record *const r = ct_flow_record_of(w, ct_flow_of_level(w, level));
    if (r && ct_flow_graph_of(w, r)->has_level_units)
        ct_flow_write_level_units(w, r);
}

// Entities that a unit consists of may have graphs, too. All that were spawned are of these units, or of such
// that a row has spawned meanwhile.
static void units_spawned(ct_world *world, void *manager, const ct_entity *units, uint32_t count) {
    ct_flow_world *const w = manager;
    const uint32_t first = w->called.count, end = first + w->spawned.count;
    uint32_t place;
    (void)count;
    if (first == end)
        return;
    ct_array_push_many(&w->called, w->spawned.items, w->spawned.count);
    w->spawned.count = 0;
    if (w->of_levels.count > 0) // all are of one level, or of none
        find_units_of(w, ct_world_find_level_unit(world, units[0], &place));
    create_for(w, w->called.items + first, end - first);
    for (uint32_t i = first; i < end; ++i)
        w->num_parts += !ct_world_has_unit(world, w->called.items[i]);
    for (uint32_t i = first; i < end; ++i) {
        ct_flow_start_spawned(w, w->called.items[i]);
    }
    w->called.count = first;
}

// Lists a unit, and the entities that it consists of, if any may have a graph.
static void call_unit(ct_flow_world *w, ct_entity unit) {
    ct_array_push(&w->called, unit);
    if (w->num_parts == 0)
        return;
    for (ct_entity e = ct_world_next_entity(w->world, unit, unit); e.id;
         e = ct_world_next_entity(w->world, unit, e)) {
        if (ct_flow_of_unit(w, e).id)
            ct_array_push(&w->called, e);
    }
}

static void units_destroyed(ct_world *world, void *manager, const ct_entity *units,
                            uint32_t count) {
    ct_flow_world *const w = manager;
    const uint32_t first = w->called.count;
    const bool may_not_spawn = w->may_not_spawn;
    (void)world;
    if (w->of_units.count == 0)
        return;
    w->may_not_spawn = true;
    for (uint32_t i = 0; i < count; ++i)
        call_unit(w, units[i]);
    const uint32_t end = w->called.count;
    for (uint32_t i = first; i < end; ++i) {
        start_of_unit(w, w->called.items[i], CT_ID32("unit_unspawned", 0x6a93d437));
        start_of_unit(w, w->called.items[i], CT_ID32("entity_unspawned", 0xf696340a));
        ct_flow_end_of_entity(w, w->called.items[i]);
    }
    w->called.count = first;
    w->may_not_spawn = may_not_spawn;
}

// --- Levels --------------------------------------------------------------------------------------

// The graph is there before the units, so that theirs can start its events.
static void level_started(ct_world *world, void *manager, ct_level level) {
    ct_flow_world *const w = manager;
    const ct_string_id64 graph = ct_level_flow(world, level);
    ct_error error = {0};
    if (graph.value && !ct_flow_create(w, graph, NULL, level, 1, NULL, &error))
        report(&error);
}

static void level_spawned(ct_world *world, void *manager, ct_level level) {
    ct_flow_world *const w = manager;
    const ct_flow_instance instance = ct_flow_of_level(w, level);
    ct_flow_record *const r = ct_flow_record_of(w, instance);
    (void)world;
    if (!r)
        return;
    find_units_of(w, level);
    r->is_loaded = true;
    ct_flow_start(w, instance, CT_ID32("level_loaded", 0x654d4c72), (ct_string_id32){0}, NULL,
                  NULL);
}

static void level_destroyed(ct_world *world, void *manager, ct_level level) {
    ct_flow_world *const w = manager;
    const ct_flow_instance instance = ct_flow_of_level(w, level);
    const ct_flow_record *const r = ct_flow_record_of(w, instance);
    (void)world;
    if (r && r->is_loaded)
        ct_flow_start(w, instance, CT_ID32("level_shutdown", 0x1a35f963), (ct_string_id32){0}, NULL,
                      NULL);
    ct_flow_destroy(w, &instance, 1);
}

// --- Steps ---------------------------------------------------------------------------------------

// Starts the entries of an instance that run in each step.
static void poll(ct_flow_world *w, const ct_flow_graph *g, ct_flow_instance instance) {
    const uint32_t index = instance.id & ((1u << CT_FLOW_INDEX_BITS) - 1);
    for (uint32_t i = 0; i < g->num_polled; ++i) {
        const ct_flow_entry *const entry = &g->entries[g->polled[i]];
        if (!ct_flow_run_event(w, index, entry->node, entry->event, NULL, NULL))
            return;
    }
}

// Polls an instance. Returns false when it has ended, or its graph was reloaded and has no such entries.
static bool poll_again(ct_flow_world *w, ct_flow_instance instance) {
    ct_flow_record *const r = ct_flow_record_of(w, instance);
    if (!r)
        return false;
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    r->is_polled = g->num_polled > 0;
    poll(w, g, instance);
    return g->num_polled > 0 && ct_flow_is_alive(w, instance);
}

// Those that are made in the meantime wait for the next step.
static void poll_all(ct_flow_world *w) {
    const uint32_t count = w->polling.count;
    uint32_t num_kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_flow_instance instance = w->polling.items[i];
        if (poll_again(w, instance))
            w->polling.items[num_kept++] = instance;
    }
    if (num_kept < count)
        ct_array_erase(&w->polling, num_kept, count - num_kept);
}

static void step(ct_world *world, void *manager, double dt) {
    (void)world, (void)dt;
    ct_flow_start_animation_events(manager);
    ct_flow_run_due(manager);
    ct_flow_run_physics_events(manager);
    ct_flow_run_navigation_events(manager);
    poll_all(manager);
}

const ct_world_row ct_flow_row = {
    .name = "flow",
    .create = create,
    .steps = {{"flow", CT_WORLD_PHASE_REACT, step, false}},
    .units_spawned = units_spawned,
    .units_destroyed = units_destroyed,
    .level_started = level_started,
    .level_spawned = level_spawned,
    .level_destroyed = level_destroyed,
};
