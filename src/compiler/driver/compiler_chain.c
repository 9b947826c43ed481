#include "compiler/driver/compiler_chain.h"
#include "compiler/protocol/compiler_circle.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/content_hash.h"

#include <string.h>

// --- The graph -----------------------------------------------------------------------------------

static uint64_t key_of(const char *path) {
    return ct_content_hash(path, strlen(path));
}

// Adds an edge unless the reference stands in another file: what a unit that is inherited or placed
// refers to is that unit's.
static void add_edge(ct_chain_graph *graph, const ct_run_resource *from, ct_resource_id id,
                     const char *file, uint32_t line, uint32_t column) {
    const ct_run *run = graph->run;
    const uint64_t first = ct_hash_map_get(&run->by_base, ct_resource_id_key(id), 0);
    if (first == 0 || strcmp(file, from->source) != 0)
        return;
    for (uint32_t to = (uint32_t)first - 1; // all its variants
         to < run->resources.count && ct_resource_id_equal(run->resources.items[to].base, id);
         ++to) {
        ct_array_push(&graph->edges, (ct_chain_edge){to, line, column});
        const bool is_own = &run->resources.items[to] == from;
        if (!is_own && strcmp(from->type->name, "package") != 0)
            ++graph->num_referrers[to];
    }
}

static void add_edges(ct_chain_graph *graph, const ct_run_resource *from) {
    if (from->has_record) {
        for (uint32_t i = 0; i < from->record.references.count; ++i) {
            const ct_compile_referred *const r = &from->record.references.items[i];
            add_edge(graph, from, r->id, r->file, r->line, r->column);
        }
        return;
    }
    const ct_data_index *const index = graph->run->old_index;
    const ct_data_index_reference *const r = ct_blob_at(index, from->old->references.offset);
    const ct_data_index_include *const includes = ct_blob_at(index, from->old->includes.offset);
    for (uint32_t i = 0; i < from->old->references.count; ++i)
        add_edge(graph, from, r[i].id, ct_blob_at(index, includes[r[i].include].path.offset),
                 r[i].line, r[i].column);
}

void ct_chain_graph_init(ct_chain_graph *graph, const ct_run *run) {
    const uint32_t count = run->resources.count;
    *graph = (ct_chain_graph){.run = run, .by_source.allocator = run->allocator};
    graph->first_edges = CT_NEW_ARRAY(run->allocator, uint32_t, count + 1);
    graph->num_referrers = CT_NEW_ARRAY(run->allocator, uint32_t, count);
    ct_array_init(&graph->edges, run->allocator);
    for (uint32_t i = 0; i < count; ++i) {
        graph->first_edges[i] = graph->edges.count;
        if (ct_run_is_user(&run->resources.items[i]))
            add_edges(graph, &run->resources.items[i]);
        ct_hash_map_set(&graph->by_source, key_of(run->resources.items[i].source), i + 1);
    }
    graph->first_edges[count] = graph->edges.count;
}

uint32_t ct_chain_graph_owner(const ct_chain_graph *graph, const char *path, uint32_t otherwise) {
    const uint64_t at = ct_hash_map_get(&graph->by_source, key_of(path), 0);
    if (at == 0 || strcmp(graph->run->resources.items[at - 1].source, path) != 0)
        return otherwise;
    return (uint32_t)at - 1;
}

// --- Chains --------------------------------------------------------------------------------------

// Levels, packages, and what nobody refers to.
static bool is_root(const ct_chain_graph *graph, uint32_t at, uint32_t kind) {
    const char *const type = graph->run->resources.items[at].type->name;
    if (kind == 2)
        return graph->num_referrers[at] == 0;
    return strcmp(type, kind == 0 ? "level" : "package") == 0;
}

// Walks the graph in breadth from all roots of a kind. Who is a root has itself for a parent.
static const uint32_t *parents_of(ct_chain_graph *graph, uint32_t kind) {
    if (graph->parents[kind])
        return graph->parents[kind];
    ct_allocator *const a = graph->run->allocator;
    const uint32_t count = graph->run->resources.count;
    uint32_t *parents = CT_NEW_ARRAY(a, uint32_t, count), *queue = CT_NEW_ARRAY(a, uint32_t, count);
    uint32_t num_queued = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_root(graph, i, kind))
            continue;
        parents[i] = i + 1;
        queue[num_queued++] = i;
    }
    for (uint32_t i = 0; i < num_queued; ++i) {
        const uint32_t from = queue[i];
        for (uint32_t e = graph->first_edges[from]; e < graph->first_edges[from + 1]; ++e) {
            const uint32_t to = graph->edges.items[e].to;
            if (parents[to] != 0)
                continue;
            parents[to] = from + 1;
            queue[num_queued++] = to;
        }
    }
    graph->parents[kind] = parents;
    return parents;
}

static char *name_of(const ct_chain_graph *graph, uint32_t at, bool with_type, ct_allocator *a) {
    const ct_run_resource *const resource = &graph->run->resources.items[at];
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_string_builder_add(&text, resource->name);
    if (with_type)
        ct_string_builder_addf(&text, ".%s", resource->type->name);
    char *const copy = ct_copy_string(a, ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    return copy;
}

char *ct_chain_graph_name(const ct_chain_graph *graph, uint32_t at, ct_allocator *a) {
    return name_of(graph, at, true, a);
}

uint32_t ct_chain_graph_names(ct_chain_graph *graph, uint32_t at, ct_allocator *a,
                              ct_string_array *names, uint32_t *num_others) {
    *num_others = 0;
    const uint32_t *parents = NULL;
    for (uint32_t kind = 0; kind < CT_CHAIN_NUM_ROOTS; ++kind) {
        parents = parents_of(graph, kind);
        if (parents[at] != 0)
            break;
    }
    if (parents[at] == 0 || parents[at] == at + 1)
        return 0;
    uint32_t length = 1;
    for (uint32_t i = at; parents[i] != i + 1; i = parents[i] - 1)
        ++length;
    const uint32_t first = names->count;
    ct_array_resize(names, first + length);
    uint32_t step = at;
    for (uint32_t i = length; i > 0; --i, step = parents[step] - 1)
        names->items[first + i - 1] = name_of(graph, step, i == 1, a);
    const bool is_by_package =
        strcmp(graph->run->resources.items[parents[at] - 1].type->name, "package") == 0;
    *num_others = graph->num_referrers[at] - (is_by_package ? 0 : 1);
    return length;
}

// --- Circles -------------------------------------------------------------------------------------

// How far the walk is with a resource.
enum { UNSEEN, OPEN, DONE };

// A way through the graph: who stands on it, and the edge by which each goes on.
typedef struct circle_walk {
    const ct_chain_graph *graph;
    const bool *is_member;
    const char *what;
    uint8_t *states; // of each resource
    ct_u32_array steps, next_edges;
    ct_compile_fault_array *circles;
} circle_walk;

// The circle goes from step `first` to the last one and back.
static void add_circle(const circle_walk *walk, uint32_t first) {
    const ct_run *const run = walk->graph->run;
    const uint32_t *const steps = walk->steps.items + first, count = walk->steps.count - first;
    const char **const names = CT_NEW_ARRAY(run->allocator, const char *, count);
    for (uint32_t i = 0; i < count; ++i)
        names[i] = run->resources.items[steps[i]].name;
    uint32_t last = 0;
    const char *const way = ct_circle_way(run->allocator, names, count, &last);
    ct_string_builder text;
    ct_string_builder_init(&text, run->allocator);
    ct_string_builder_addf(&text, "%s%s", walk->what, way);
    const ct_chain_edge *const edge =
        &walk->graph->edges.items[walk->next_edges.items[first + last] - 1];
    const ct_compile_fault fault = {.file = run->resources.items[steps[last]].source,
                                    .line = edge->line,
                                    .column = edge->column,
                                    .message = ct_string_builder_text(&text)};
    ct_array_push(walk->circles, fault);
}

static void open_step(circle_walk *walk, uint32_t at) {
    walk->states[at] = OPEN;
    ct_array_push(&walk->steps, at);
    ct_array_push(&walk->next_edges, walk->graph->first_edges[at]);
}

// Goes on from the last resource of the way, or back.
static void go_on(circle_walk *walk) {
    const uint32_t last = walk->steps.count - 1, at = walk->steps.items[last];
    const uint32_t edge = walk->next_edges.items[last];
    if (edge == walk->graph->first_edges[at + 1]) {
        walk->states[at] = DONE;
        --walk->steps.count;
        --walk->next_edges.count;
        return;
    }
    ++walk->next_edges.items[last];
    const uint32_t to = walk->graph->edges.items[edge].to;
    if (!walk->is_member[to] || walk->states[to] == DONE)
        return;
    if (walk->states[to] == UNSEEN) {
        open_step(walk, to);
        return;
    }
    uint32_t first = last;
    while (walk->steps.items[first] != to)
        --first;
    add_circle(walk, first);
}

void ct_chain_graph_circles(const ct_chain_graph *graph, const bool *is_member, const char *what,
                            ct_compile_fault_array *circles) {
    const ct_run *const run = graph->run;
    circle_walk walk = {.graph = graph,
                        .is_member = is_member,
                        .what = what,
                        .states = CT_NEW_ARRAY(run->allocator, uint8_t, run->resources.count),
                        .circles = circles};
    ct_array_init(&walk.steps, run->allocator);
    ct_array_init(&walk.next_edges, run->allocator);
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        if (walk.states[i] != UNSEEN || !is_member[i])
            continue;
        open_step(&walk, i);
        while (walk.steps.count > 0)
            go_on(&walk);
    }
}

static void add_to_record(ct_run *run, uint32_t at, const ct_compile_fault *fault) {
    ct_run_resource *const resource = &run->resources.items[at];
    if (!resource->has_record)
        ct_run_take_entry(run, resource->old, &resource->record);
    resource->has_record = true;
    ct_compile_answer_error(&resource->record, fault);
}

// Reports circles of references among the resources of a type. Those of a circle of before have
// errors, and are compiled again: if nothing was compiled, there is no circle.
static void refuse_circles_of(ct_run *run, const char *type, const char *what) {
    bool *const is_member = CT_NEW_ARRAY(run->allocator, bool, run->resources.count);
    bool has_new = false;
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const resource = &run->resources.items[i];
        is_member[i] = strcmp(resource->type->name, type) == 0;
        has_new |= is_member[i] && resource->has_record && resource->record.references.count > 0;
    }
    if (!has_new)
        return;
    ct_chain_graph graph;
    ct_compile_fault_array circles;
    ct_chain_graph_init(&graph, run);
    ct_array_init(&circles, run->allocator);
    ct_chain_graph_circles(&graph, is_member, what, &circles);
    for (uint32_t i = 0; i < circles.count; ++i)
        add_to_record(run, ct_chain_graph_owner(&graph, circles.items[i].file, 0),
                      &circles.items[i]);
}

void ct_run_refuse_circles(ct_run *run) {
    refuse_circles_of(run, "lua", "scripts cannot require each other while they load: ");
    refuse_circles_of(run, "sound_event", "events cannot play each other in a circle: ");
}
