// The system: graphs that are loaded, and the functions of nodes by name.
#include <string.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "resource/load/resource_manager.h"
#include "resource/types/flow/flow_pure.h"

// clang-format off
static const ct_flow_functions *const tables[] = {
    &ct_flow_run_actor,
    &ct_flow_run_animation,
    &ct_flow_run_application,
    &ct_flow_run_camera,
    &ct_flow_run_control,
    &ct_flow_run_debug,
    &ct_flow_run_effects,
    &ct_flow_run_entity,
    &ct_flow_run_events,
    &ct_flow_run_external,
    &ct_flow_run_input,
    &ct_flow_run_level,
    &ct_flow_run_light,
    &ct_flow_run_material,
    &ct_flow_run_mover,
    &ct_flow_run_navigation,
    &ct_flow_run_physics,
    &ct_flow_run_random,
    &ct_flow_run_script,
    &ct_flow_run_sound,
    &ct_flow_run_time,
    &ct_flow_run_touch,
    &ct_flow_run_unit,
    &ct_flow_run_unit_data,
    &ct_flow_run_unit_parts,
    &ct_flow_run_variable,
};
// clang-format on

// Lists the kinds of entries that run in each step of the world.
static void find_polled_kinds(ct_flow_system *s) {
    uint32_t num_tables;
    const ct_flow_node_table *const nodes = ct_flow_node_tables(&num_tables);
    for (uint32_t i = 0; i < num_tables; ++i)
        for (uint32_t n = 0; n < nodes[i].num_nodes; ++n)
            if (nodes[i].nodes[n].is_polled)
                ct_hash_map_set(&s->polled_kinds, ct_string_id32_of(nodes[i].nodes[n].name).value,
                                1);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_flow_system *ct_flow_system_create(const ct_flow_system_desc *desc) {
    ct_flow_system *const s = CT_NEW(desc->allocator, ct_flow_system);
    s->backing = desc->allocator;
    s->allocator = ct_proxy_allocator_create(desc->allocator, "flow");
    s->resources = desc->resources;
    s->worlds = desc->worlds;
    s->input = desc->input;
    s->lua = desc->lua;
    ct_array_init(&s->graphs, s->allocator);
    ct_array_init(&s->live, s->allocator);
    ct_hash_map_init(&s->graph_places, s->allocator);
    ct_hash_map_init(&s->functions, s->allocator);
    ct_hash_map_init(&s->polled_kinds, s->allocator);
    ct_hash_map_init(&s->errors, s->allocator);
    for (uint32_t i = 0; i < CT_COUNT_OF(tables); ++i)
        ct_flow_system_add_functions(s, tables[i]->rows, tables[i]->count);
    find_polled_kinds(s);
    if (ct_resource_type_named("flow"))
        ct_resource_manager_register(s->resources, "flow",
                                     &(ct_resource_callbacks){.user = s,
                                                              .online = ct_flow_graph_online,
                                                              .offline = ct_flow_graph_offline,
                                                              .reload = ct_flow_graph_reload});
    s->row = ct_flow_row;
    s->row.user = s;
    s->row_id = ct_world_system_add_row(s->worlds, &s->row);
    return s;
}

// Frees what was made for a loaded graph.
static void free_parts(const ct_flow_system *s, ct_flow_graph *g) {
    ct_free_sized(s->allocator, g->functions, sizeof(*g->functions) * (uint64_t)g->num_types);
    ct_free_sized(s->allocator, g->template, g->dynamic_bytes);
    ct_free(s->allocator, g->polled);
    ct_free_sized(s->allocator, g->references,
                  sizeof(*g->references) * (uint64_t)g->num_references);
    *g = (ct_flow_graph){.name = g->name, .index = g->index};
}

void ct_flow_system_destroy(ct_flow_system *s) {
    if (!s)
        return;
    CT_ASSERT(s->live.count == 0, "%u worlds have instances of flow graphs", s->live.count);
    ct_resource_manager_unregister(s->resources, s);
    for (uint32_t i = 0; i < s->graphs.count; ++i) {
        free_parts(s, s->graphs.items[i]);
        ct_free_sized(s->allocator, s->graphs.items[i], sizeof(ct_flow_graph));
    }
    ct_array_free(&s->graphs);
    ct_array_free(&s->live);
    ct_hash_map_free(&s->graph_places);
    ct_hash_map_free(&s->functions);
    ct_hash_map_free(&s->polled_kinds);
    ct_hash_map_free(&s->errors);
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->backing, s, sizeof(*s));
}

void ct_flow_system_set_lua(ct_flow_system *s, const ct_flow_lua *lua) {
    s->lua = *lua;
}

void ct_flow_system_add_functions(ct_flow_system *s, const ct_flow_function_row *rows,
                                  uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const bool is_new = ct_hash_map_add(&s->functions, ct_string_id64_of(rows[i].name).value,
                                            (uint64_t)(uintptr_t)&rows[i]);
        CT_ASSERT(is_new, "two functions for the node type \"%s\"", rows[i].name);
    }
}

ct_flow_world *ct_flow_world_of(const ct_flow_system *s, const ct_world *w) {
    return ct_world_manager(w, s->row_id);
}

// --- Graphs --------------------------------------------------------------------------------------

ct_flow_graph *ct_flow_find_graph(const ct_flow_system *s, ct_string_id64 name) {
    const uint64_t place = ct_hash_map_get(&s->graph_places, name.value, 0);
    return place ? s->graphs.items[place - 1] : NULL;
}

static ct_flow_function find_function(const ct_flow_system *s, const void *blob,
                                      const ct_flow_used_type *type) {
    if (type->function.offset)
        return ct_flow_run_lua_node;
    const char *const name = ct_blob_at(blob, type->name.offset);
    const uint64_t row = ct_hash_map_get(&s->functions, ct_string_id64_of(name).value, 0);
    if (row)
        return ((const ct_flow_function_row *)(uintptr_t)row)->function;
    return ct_flow_find_pure(name);
}

// Of nodes whose type this program does not know, in a graph that was reloaded.
static uint32_t run_unknown(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_error(c, "this program does not know this type of node");
    return CT_FLOW_STOP;
}

static void find_functions(const ct_flow_system *s, ct_flow_graph *g) {
    g->functions = CT_NEW_ARRAY(s->allocator, ct_flow_function, g->num_types);
    for (uint32_t i = 0; i < g->num_types; ++i) {
        g->functions[i] = find_function(s, g->resource, &g->types[i]);
        if (g->functions[i])
            continue;
        g->functions[i] = run_unknown;
        g->missing = g->missing ? g->missing : i + 1;
    }
}

static uint32_t bytes_of_type(ct_flow_type type) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        return 4;
    case CT_FLOW_TYPE_NUMBER:
    case CT_FLOW_TYPE_ID:
    case CT_FLOW_TYPE_STRING:
        return 8;
    case CT_FLOW_TYPE_VECTOR3:
        return 12;
    case CT_FLOW_TYPE_QUATERNION:
        return 16;
    default:
        return 0; // objects are zero
    }
}

static void make_template(const ct_flow_system *s, ct_flow_graph *g) {
    g->dynamic_bytes = g->resource->dynamic_bytes;
    g->template = ct_alloc_zero(s->allocator, g->dynamic_bytes);
    const ct_flow_initial *const initials = ct_blob_at(g->resource, g->resource->initials.offset);
    for (uint32_t i = 0; i < g->resource->initials.count; ++i) {
        const ct_flow_initial *const initial = &initials[i];
        g->has_level_units |= initial->level_unit != 0;
        const uint32_t region = initial->place >> 30;
        if (region != CT_FLOW_REGION_DYNAMIC)
            memcpy(g->template + initial->offset, g->bases[region] + (initial->place & 0x3fffffff),
                   bytes_of_type((ct_flow_type)initial->type));
    }
}

static void find_polled(const ct_flow_system *s, ct_flow_graph *g) {
    if (!(g->resource->flags & CT_FLOW_UPDATES))
        return;
    g->polled = CT_NEW_ARRAY(s->allocator, uint32_t, g->num_entries);
    for (uint32_t i = 0; i < g->num_entries; ++i) {
        if (ct_hash_map_find(&s->polled_kinds, g->entries[i].kind.value))
            g->polled[g->num_polled++] = i;
    }
}

// Finds the parts of a blob and makes what instances need.
static void load_parts(const ct_flow_system *s, ct_flow_graph *g, const ct_flow_resource *r) {
    *g = (ct_flow_graph){
        .name = g->name,
        .index = g->index,
        .resource = r,
        .texts = r->texts.count ? ct_blob_at(r, r->texts.offset) : "",
        .program = ct_blob_at(r, r->program.offset),
        .links = ct_blob_at(r, r->links.offset),
        .pures = ct_blob_at(r, r->pures.offset),
        .types = ct_blob_at(r, r->types.offset),
        .infos = ct_blob_at(r, r->infos.offset),
        .entries = ct_blob_at(r, r->entries.offset),
        .variables = ct_blob_at(r, r->variables.offset),
        .num_types = r->types.count,
        .num_infos = r->infos.count,
        .num_entries = r->entries.count,
        .num_variables = r->variables.count,
    };
    g->bases[CT_FLOW_REGION_NUMBERS] = (uint8_t *)(uintptr_t)ct_blob_at(r, r->numbers.offset);
    g->bases[CT_FLOW_REGION_WORDS] = (uint8_t *)(uintptr_t)ct_blob_at(r, r->words.offset);
    find_functions(s, g);
    make_template(s, g);
    find_polled(s, g);
    ct_flow_find_references(s->allocator, g);
    g->listens = ct_flow_listens_of(g);
}

void ct_flow_graph_online(void *system, ct_string_id64 name, const void *blob) {
    ct_flow_system *const s = system;
    ct_flow_graph *g = ct_flow_find_graph(s, name);
    if (g && g->resource) {
        ct_flow_graph_reload(s, name, g->resource, blob);
        return;
    }
    if (!g) {
        g = CT_NEW(s->allocator, ct_flow_graph);
        g->name = name;
        g->index = s->graphs.count;
        ct_array_push(&s->graphs, g);
        ct_hash_map_set(&s->graph_places, name.value, s->graphs.count);
    }
    load_parts(s, g, blob);
}

void ct_flow_graph_offline(void *system, ct_string_id64 name, const void *blob) {
    ct_flow_system *const s = system;
    ct_flow_graph *const g = ct_flow_find_graph(s, name);
    (void)blob;
    if (!g)
        return;
    CT_ASSERT(!ct_flow_system_is_running(s), "a flow graph goes offline in the middle of an event");
    for (uint32_t i = 0; i < s->live.count; ++i)
        ct_flow_end_of_graph(s->live.items[i], g);
    free_parts(s, g);
}

void ct_flow_graph_reload(void *system, ct_string_id64 name, const void *old_blob,
                          const void *new_blob) {
    ct_flow_system *const s = system;
    ct_flow_graph *const g = ct_flow_find_graph(s, name);
    (void)old_blob;
    if (!g)
        return;
    ct_flow_graph old = *g;
    load_parts(s, g, new_blob);
    for (uint32_t i = 0; i < s->live.count; ++i)
        ct_flow_move_to_reloaded(s->live.items[i], &old, g);
    free_parts(s, &old);
}

const char *ct_flow_node_path(const ct_flow_graph *g, uint32_t position) {
    const ct_flow_node *const node = ct_flow_node_at(g, position);
    return ct_blob_at(g->resource, g->infos[node->info].path.offset);
}

uint32_t ct_flow_find_entries(const ct_flow_graph *g, ct_string_id32 kind, uint32_t *count) {
    uint32_t first = 0, end = g->num_entries;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (g->entries[middle].kind.value < kind.value)
            first = middle + 1;
        else
            end = middle;
    }
    *count = 0;
    while (first + *count < g->num_entries && g->entries[first + *count].kind.value == kind.value)
        ++*count;
    return first;
}
