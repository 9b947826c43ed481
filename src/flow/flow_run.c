// Events: the loop that runs nodes, and what nodes call in it.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "flow/flow_private.h"
#include "foundation/log.h"

enum {
    ERROR_BYTES = 4096, // with a traceback of Lua
    PATHS_BYTES = 2048, // of the nodes of a loop
    INDEX_MASK = (1 << CT_FLOW_INDEX_BITS) - 1,
};

// --- Errors --------------------------------------------------------------------------------------

// Returns whether the node may log: it did not in this second of the world's time.
static bool may_log(const ct_flow_call *c) {
    ct_flow_system *const s = c->world->system;
    const ct_flow_node_info *const info = &c->graph->infos[c->node->info];
    const uint64_t key = c->graph->name.value ^ info->id[0] ^ info->id[1] * 31 ^ c->node->info;
    const uint64_t second = (uint64_t)ct_world_time(c->world->world) + 1;
    if (ct_hash_map_get(&s->errors, key, 0) == second)
        return false;
    ct_hash_map_set(&s->errors, key, second);
    return true;
}

void ct_flow_error(ct_flow_call *c, const char *format, ...) {
    if (!may_log(c))
        return;
    char text[ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_log_error(
        "flow", "flow_node", "%s: %s",
        (const char *)ct_blob_at(c->graph->resource, c->graph->infos[c->node->info].path.offset),
        text);
}

// --- The limits ----------------------------------------------------------------------------------

// Lists the nodes that ran since the last one ran before, which is last in `recent`; all that are known
// when the loop has more.
static void list_loop(const ct_flow_graph *g, const uint32_t *recent, char *text, size_t size) {
    const uint32_t last = CT_FLOW_NUM_RECENT - 1;
    uint32_t first = last;
    while (first > 0 && recent[--first] != recent[last])
        ;
    const bool is_whole = first < last && recent[first] == recent[last];
    while (!is_whole && first < last && recent[first] == 0) // where nothing was kept yet
        ++first;
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = first; i <= last && length < size; ++i)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i > first  ? " -> "
                                   : is_whole ? ""
                                              : "… -> ",
                                   ct_flow_node_path(g, recent[i]));
}

// Ends the event, and those around it. Always returns false.
static bool cut(ct_flow_run *run) {
    for (; run; run = run->outer)
        run->is_over = true;
    return false;
}

static bool cut_by_steps(ct_flow_call *c, ct_flow_run *run) {
    char paths[PATHS_BYTES];
    if (run->is_over)
        return false;
    if (run->loop) {
        const ct_flow_node *const node = c->node;
        c->node = ct_flow_node_at(c->graph, run->loop - 1);
        ct_flow_error(c, "the event was cut after %d nodes in this loop", CT_FLOW_MAX_STEPS);
        c->node = node;
    } else {
        list_loop(c->graph, run->recent, paths, sizeof(paths));
        ct_flow_error(c, "the event was cut after %d nodes; the loop: %s", CT_FLOW_MAX_STEPS,
                      paths);
    }
    return cut(run);
}

// Keeps the last nodes before the limit for its message. Returns false at the limit.
static bool remember(ct_flow_call *c, ct_flow_run *run) {
    if (run->num_steps > CT_FLOW_MAX_STEPS)
        return cut_by_steps(c, run);
    memmove(run->recent, run->recent + 1, sizeof(run->recent) - sizeof(run->recent[0]));
    run->recent[CT_FLOW_NUM_RECENT - 1] = ct_flow_position_of(c);
    return true;
}

static bool cut_by_depth(ct_flow_call *c, ct_flow_run *run) {
    if (run->is_over)
        return false;
    ct_flow_error(c, "the event was cut: it has more than %d events within events",
                  CT_FLOW_MAX_DEPTH);
    return cut(run);
}

// --- The loop ------------------------------------------------------------------------------------

// Runs the pure nodes at a position of `pures`. The call is of no node afterwards. Inline, since most
// lists are short.
static inline __attribute__((always_inline)) void
run_pures_at(ct_flow_call *c, const ct_flow_graph *g, uint32_t place) {
    const ct_flow_function *const functions = g->functions;
    const uint32_t *const program = g->program;
    const uint32_t *at = g->pures + place;
    for (uint32_t count = *at; count > 0; --count) {
        const ct_flow_node *const node = (const ct_flow_node *)(const void *)(program + *++at);
        c->node = node;
        functions[node->type](c, 0);
    }
}

void ct_flow_run_pures(ct_flow_call *c) {
    const ct_flow_node *const node = c->node;
    if (node->pures == CT_FLOW_NONE)
        return;
    run_pures_at(c, c->graph, node->pures);
    c->node = node;
}

static bool run_within(ct_flow_call *c, ct_flow_run *run, const ct_flow_link *links,
                       uint32_t count);

// Runs a node and all that follows: the last link of an event out goes on here, those before it run within.
// Returns false when the event is over.
static bool run_from(ct_flow_call *c, ct_flow_run *run, uint32_t position, uint32_t event) {
    const ct_flow_graph *const g = c->graph;
    const ct_flow_function *const functions = g->functions;
    const uint32_t *const program = g->program;
    const uint32_t *const all_links = g->links;
    const ct_flow_node *node = (const ct_flow_node *)(const void *)(program + position);
    for (;;) {
        c->node = node;
        if (++run->num_steps > CT_FLOW_MAX_STEPS - CT_FLOW_NUM_RECENT && !remember(c, run))
            return false;
        if (node->pures != CT_FLOW_NONE) {
            run_pures_at(c, g, node->pures);
            c->node = node;
            if (run->is_over) // by Lua
                return false;
        }
        const uint32_t out = functions[node->type](c, event);
        if (run->is_over)
            return false;
        if (out == CT_FLOW_STOP)
            return true;
        const uint32_t slot = node->first_event + out;
        CT_ASSERT(slot < node->num_slots, "%s has no event out %u",
                  ct_flow_node_path(g, (uint32_t)((const uint32_t *)(const void *)node - program)),
                  out);
        const uint32_t place = node->slots[slot];
        if (place == CT_FLOW_NONE)
            return true;
        const uint32_t count = all_links[place];
        const ct_flow_link *last = (const void *)(all_links + place + 1);
        if (count != 1) {
            if (count == 0)
                return true;
            if (!run_within(c, run, last, count - 1))
                return false;
            last += count - 1;
        }
        node = (const ct_flow_node *)(const void *)(program + last->node);
        event = last->event;
    }
}

// Runs links of an event out, and comes back.
static bool run_within(ct_flow_call *c, ct_flow_run *run, const ct_flow_link *links,
                       uint32_t count) {
    if (++c->depth > CT_FLOW_MAX_DEPTH)
        return cut_by_depth(c, run);
    for (uint32_t i = 0; i < count; ++i) {
        if (!run_from(c, run, links[i].node, links[i].event))
            return false;
    }
    --c->depth;
    return true;
}

bool ct_flow_fire(ct_flow_call *c, uint32_t event_out) {
    ct_flow_run *const run = c->world->run;
    const ct_flow_node *const node = c->node;
    CT_ASSERT(run && run->call == c, "ct_flow_fire is for nodes that run");
    CT_ASSERT(event_out < node->num_slots - node->first_event, "there is no event out %u",
              event_out);
    const uint32_t place = node->slots[node->first_event + event_out];
    if (place == CT_FLOW_NONE || run->is_over)
        return !run->is_over;
    const uint32_t *const links = c->graph->links + place;
    if (!run_within(c, run, (const void *)(links + 1), links[0]))
        return false;
    c->node = node;
    return true;
}

uint32_t ct_flow_begin_loop(ct_flow_call *c) {
    ct_flow_run *const run = c->world->run;
    const uint32_t outer = run->loop;
    run->loop = ct_flow_position_of(c) + 1;
    return outer;
}

bool ct_flow_count_pass(ct_flow_call *c) {
    ct_flow_run *const run = c->world->run;
    return ++run->num_steps <= CT_FLOW_MAX_STEPS || cut_by_steps(c, run);
}

void ct_flow_end_loop(ct_flow_call *c, uint32_t outer) {
    c->world->run->loop = outer;
}

// --- Events from outside -------------------------------------------------------------------------

void ct_flow_begin_call(ct_flow_call *c, ct_flow_world *w, const ct_flow_record *r) {
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    *c = (ct_flow_call){
        .texts = g->texts, .world = w, .graph = g, .instance = ct_flow_head_of(r)->instance};
    memcpy(c->bases, g->bases, sizeof(c->bases));
    c->bases[CT_FLOW_REGION_DYNAMIC] = r->data;
}

// An event that a node of another instance starts, or one of this one, counts to that event's limits.
static void begin_run(ct_flow_world *w, ct_flow_run *run, ct_flow_call *c, uint32_t index) {
    *run = (ct_flow_run){.outer = w->run, .call = c, .index = index};
    if (w->run) {
        run->num_steps = w->run->num_steps;
        c->depth = w->run->call->depth + 1;
    }
    w->run = run;
    ++w->records.items[index].num_runs;
}

static bool end_run(ct_flow_world *w, const ct_flow_run *run) {
    ct_flow_record *const r = &w->records.items[run->index];
    w->run = run->outer;
    if (run->outer)
        run->outer->num_steps = run->num_steps;
    else
        w->num_steps += run->num_steps;
    const bool goes_on = !r->is_ended && !(run->outer && run->outer->is_over);
    if (--r->num_runs == 0 && r->is_ended)
        ct_flow_free_ended(w, run->index);
    return goes_on;
}

bool ct_flow_run_event(ct_flow_world *w, uint32_t index, uint32_t node, uint32_t event,
                       void (*prepare)(ct_flow_call *c, void *user), void *user) {
    ct_flow_call c;
    ct_flow_run run;
    const ct_flow_record *const r = &w->records.items[index];
    ct_flow_begin_call(&c, w, r);
    ++ct_flow_head_of(r)->num_events;
    c.node = ct_flow_node_at(c.graph, node);
    begin_run(w, &run, &c, index);
    if (c.depth > CT_FLOW_MAX_DEPTH)
        cut_by_depth(&c, &run);
    else {
        if (prepare)
            prepare(&c, user);
        run_from(&c, &run, node, event);
    }
    return end_run(w, &run);
}

bool ct_flow_run_pures_of(ct_flow_world *w, uint32_t index, uint32_t node) {
    ct_flow_call c;
    ct_flow_run run;
    ct_flow_begin_call(&c, w, &w->records.items[index]);
    c.node = ct_flow_node_at(c.graph, node);
    begin_run(w, &run, &c, index);
    if (c.depth > CT_FLOW_MAX_DEPTH)
        cut_by_depth(&c, &run);
    else
        ct_flow_run_pures(&c);
    return end_run(w, &run);
}

uint32_t ct_flow_start(ct_flow_world *w, ct_flow_instance i, ct_string_id32 kind,
                       ct_string_id32 key, void (*prepare)(ct_flow_call *c, void *user),
                       void *user) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    if (!r)
        return 0;
    uint32_t count, num_started = 0;
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    const uint32_t first = ct_flow_find_entries(g, kind, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const ct_flow_entry *const entry = &g->entries[first + k];
        if (entry->key.value != key.value)
            continue;
        ++num_started;
        if (!ct_flow_run_event(w, i.id & INDEX_MASK, entry->node, entry->event, prepare, user))
            break;
    }
    return num_started;
}

bool ct_flow_listens(const ct_flow_world *w, ct_flow_instance i, ct_string_id32 kind) {
    uint32_t count;
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    if (!r)
        return false;
    ct_flow_find_entries(ct_flow_graph_of(w, r), kind, &count);
    return count > 0;
}

// --- For nodes -----------------------------------------------------------------------------------

bool ct_flow_is_running(const ct_flow_world *w) {
    return w->run != NULL;
}

bool ct_flow_system_is_running(const ct_flow_system *s) {
    for (uint32_t i = 0; i < s->live.count; ++i) {
        if (s->live.items[i]->run)
            return true;
    }
    return false;
}

ct_world *ct_flow_call_world(const ct_flow_call *c) {
    return c->world->world;
}

const ct_flow_resource *ct_flow_call_graph(const ct_flow_call *c) {
    return c->graph->resource;
}

bool ct_flow_may_spawn(const ct_flow_call *c) {
    return !c->world->may_not_spawn;
}

// SplitMix64.
double ct_flow_random(ct_flow_call *c) {
    ct_flow_head *const head = (void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    uint64_t x = head->random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

uint32_t ct_flow_run_lua_node(ct_flow_call *c, uint32_t event) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    if (lua->call_node)
        return lua->call_node(lua->user, c, &c->graph->types[c->node->type], event);
    ct_flow_error(c, "there are no scripts to call");
    return CT_FLOW_STOP;
}
