// random_graph.h: random sources of flow graphs that compile without an error: pure nodes of the modules
// without an engine, control nodes, variables, events, graphs as nodes. Include once in a program.
#pragma once
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "resource/types/flow/flow_node_types.h"

enum {
    RANDOM_MOST_NODES = 48,
    RANDOM_MOST_SLOTS = 20,
    RANDOM_MOST_LINKS = 256,
    RANDOM_SOURCE_BYTES = 64 * 1024,
    RANDOM_NUM_TYPES = 6, // of values
};

// --- Data ----------------------------------------------------------------------------------------

typedef struct random_slot {
    char name[32];
    uint8_t kind, type;
    bool is_constant, is_taken; // is_taken: it has a link, or a value
} random_slot;

typedef struct random_node {
    const ct_flow_node_type *type;
    uint32_t id;
    int32_t x, y;
    char name[32];  // of its input `name`; "": none
    char scope[12]; // of a variable
    char graph[8];
    random_slot slots[RANDOM_MOST_SLOTS];
    uint32_t num_slots;
    char inputs[512]; // what it is given
} random_node;

typedef struct random_link {
    uint32_t from, to; // nodes
    char out[32], in[32];
} random_link;

typedef struct random_graph {
    uint32_t *random;
    uint32_t number; // of the test's round, for names that all graphs share
    bool is_inner, has_loops;
    random_node nodes[RANDOM_MOST_NODES];
    uint32_t num_nodes;
    random_link links[RANDOM_MOST_LINKS];
    uint32_t num_links;
    const struct random_graph *inner[2]; // graphs that this one may use as nodes
    const char *inner_names[2];
    uint32_t num_inner;
    char source[RANDOM_SOURCE_BYTES];
    uint32_t num_bytes;
} random_graph;

// How nodes name the types of values.
typedef struct random_type {
    ct_flow_type type;
    const char *variable, *external;
} random_type;

static const random_type random_types[RANDOM_NUM_TYPES] = {
    {CT_FLOW_TYPE_NUMBER, "numeric", "numeric"},
    {CT_FLOW_TYPE_BOOL, "bool", "boolean"},
    {CT_FLOW_TYPE_VECTOR3, "vector", "vector_3"},
    {CT_FLOW_TYPE_QUATERNION, "rotation", "quaternion"},
    {CT_FLOW_TYPE_STRING, "string", "string"},
    {CT_FLOW_TYPE_ID, "id", "id"},
};

// --- Choices -------------------------------------------------------------------------------------

static inline uint32_t random_below(random_graph *g, uint32_t count) {
    return test_random(g->random) % count;
}
static inline bool random_chance(random_graph *g, uint32_t percent) {
    return random_below(g, 100) < percent;
}
#define RANDOM_OF(g, list) (list)[random_below((g), CT_COUNT_OF(list))]

static inline void random_value(random_graph *g, ct_flow_type type, char *text, size_t bytes) {
    static const char *const numbers[] = {"0",   "1",    "-1",  "0.5",   "2",      "3",    "-2.5",
                                          "0.1", "1e22", "7",   "1e-7",  "-0.0",   "100",  "2.5",
                                          "-7",  "0.25", "1.5", "1e308", "123456", "3.14", "-1e-5"};
    static const char *const parts[] = {"0", "1", "-1", "0.5", "2", "-3.25", "0.1", "1e20"};
    static const char *const turns[] = {"0", "1", "-1", "0.5", "0.25"};
    static const char *const texts[] = {"",
                                        "a",
                                        "\xc3\xa4\xc3\xb6\xc3\xbc",
                                        "door 7",
                                        "true",
                                        "0.1",
                                        "\xf0\x9f\x90\x99 octopus",
                                        "level",
                                        "number",
                                        "a text of some words, which is longer"};
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        snprintf(text, bytes, "%s", random_chance(g, 50) ? "true" : "false");
        break;
    case CT_FLOW_TYPE_NUMBER:
        snprintf(text, bytes, "%s", RANDOM_OF(g, numbers));
        break;
    case CT_FLOW_TYPE_VECTOR3: {
        const char *const x = RANDOM_OF(g, parts), *const y = RANDOM_OF(g, parts);
        snprintf(text, bytes, "[%s %s %s]", x, y, RANDOM_OF(g, parts));
        break;
    }
    case CT_FLOW_TYPE_QUATERNION: {
        const char *const x = RANDOM_OF(g, turns), *const y = RANDOM_OF(g, turns);
        const char *const z = RANDOM_OF(g, turns);
        snprintf(text, bytes, "[%s %s %s 1]", x, y, z);
        break;
    }
    case CT_FLOW_TYPE_ANY:
        random_value(g, random_types[random_below(g, RANDOM_NUM_TYPES - 1)].type, text, bytes);
        break;
    default:
        snprintf(text, bytes, "\"%s\"", RANDOM_OF(g, texts));
    }
}

// --- Nodes ---------------------------------------------------------------------------------------

static inline random_node *random_add(random_graph *g, const char *type) {
    const uint32_t number = g->num_nodes++;
    random_node *const n = &g->nodes[number];
    assert_true(number < RANDOM_MOST_NODES);
    // Few positions, so that several nodes have the same one: then ids decide.
    *n = (random_node){.type = ct_flow_find_node_type(type),
                       .id = (number * 29 + 7) % 64,
                       .x = (int32_t)random_below(g, 4) * 100,
                       .y = (int32_t)random_below(g, 6) * 50 - 100};
    if (!n->type)
        fail_msg("there is no node type %s", type);
    for (const ct_flow_slot *s = n->type->slots; s && s->name; ++s) {
        random_slot *const slot = &n->slots[n->num_slots++];
        assert_true(n->num_slots <= RANDOM_MOST_SLOTS);
        *slot = (random_slot){.kind = s->kind, .type = s->type, .is_constant = s->is_constant};
        snprintf(slot->name, sizeof(slot->name), "%s", s->name);
    }
    return n;
}

static inline random_slot *random_find_slot(random_node *n, const char *name) {
    for (uint32_t i = 0; i < n->num_slots; ++i) {
        if (strcmp(n->slots[i].name, name) == 0)
            return &n->slots[i];
    }
    fail_msg("%s has no slot %s", n->type->name, name);
    return NULL;
}

static inline void random_give(random_node *n, const char *slot, const char *value) {
    const size_t length = strlen(n->inputs);
    random_find_slot(n, slot)->is_taken = true;
    const int added =
        snprintf(n->inputs + length, sizeof(n->inputs) - length, "%s = %s ", slot, value);
    assert_true((size_t)added < sizeof(n->inputs) - length);
}

static inline void random_give_name(random_node *n, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void random_give_name(random_node *n, const char *format, ...) {
    char text[48];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(n->name, sizeof(n->name), format, arguments);
    va_end(arguments);
    snprintf(text, sizeof(text), "\"%s\"", n->name);
    random_give(n, "name", text);
}

static inline void random_link_slots(random_graph *g, const random_node *from, const char *out,
                                     random_node *to, const char *in) {
    random_slot *const slot = random_find_slot(to, in);
    random_link link = {.from = (uint32_t)(from - g->nodes), .to = (uint32_t)(to - g->nodes)};
    snprintf(link.out, sizeof(link.out), "%s", out);
    snprintf(link.in, sizeof(link.in), "%s", in);
    slot->is_taken = slot->kind == CT_FLOW_SLOT_INPUT;
    for (uint32_t i = 0; i < g->num_links; ++i) {
        const random_link *const l = &g->links[i];
        if (l->from == link.from && l->to == link.to && strcmp(l->out, out) == 0 &&
            strcmp(l->in, in) == 0)
            return;
    }
    if (g->num_links < RANDOM_MOST_LINKS)
        g->links[g->num_links++] = link;
}

static inline void random_add_pure(random_graph *g) {
    static const char *const modules[] = {"math",    "math", "math",   "math",
                                          "convert", "data", "string", "string"};
    const char *const module = RANDOM_OF(g, modules);
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t i = 0; i < num_tables; ++i) {
        if (strcmp(tables[i].module, module) != 0)
            continue;
        const ct_flow_node_type *const type =
            &tables[i].nodes[random_below(g, tables[i].num_nodes)];
        if (type->role != CT_FLOW_ROLE_LEVEL_UNIT)
            random_add(g, type->name);
    }
}

static inline void random_add_control(random_graph *g) {
    static const char *const types[] = {"branch",
                                        "branch",
                                        "compare_numerics",
                                        "compare_objects",
                                        "counter",
                                        "counter",
                                        "delay",
                                        "delay",
                                        "for_loop",
                                        "once",
                                        "relay",
                                        "relay",
                                        "toggle",
                                        "sequence",
                                        "sequence",
                                        "randomize",
                                        "run_test",
                                        "timer",
                                        "for_loop"};
    static const char *const times[] = {"0", "0.1", "0.25", "0.5", "1", "2", "-1"};
    static const char *const ends[] = {"0", "1", "2", "3", "-1"};
    static const char *const increments[] = {"1", "1", "0.5", "2", "-1", "0"};
    random_node *const n = random_add(g, RANDOM_OF(g, types));
    const bool waits = strcmp(n->type->name, "delay") == 0 || strcmp(n->type->name, "timer") == 0;
    if (waits && random_chance(g, 85))
        random_give(n, "time", RANDOM_OF(g, times));
    if (strcmp(n->type->name, "for_loop") == 0 && random_chance(g, 90)) {
        random_give(n, "start_value", RANDOM_OF(g, ends));
        random_give(n, "end_value", RANDOM_OF(g, ends));
        random_give(n, "increment", RANDOM_OF(g, increments));
    }
}

static inline void random_add_variable(random_graph *g, bool is_set) {
    static const char *const scopes[] = {"graph", "graph", "graph", "level", "global"};
    const random_type *const t = &RANDOM_OF(g, random_types);
    char type[48], scope[16];
    snprintf(type, sizeof(type), "%s_%s_variable", is_set ? "set" : "get", t->variable);
    random_node *const n = random_add(g, type);
    snprintf(n->scope, sizeof(n->scope), "%s", RANDOM_OF(g, scopes));
    if (strcmp(n->scope, "global") == 0)
        random_give_name(n, "round_%u_%s", g->number, ct_flow_type_name(t->type));
    else
        random_give_name(n, "%s", ct_flow_type_name(t->type));
    snprintf(scope, sizeof(scope), "\"%s\"", n->scope);
    random_give(n, "scope", scope);
}

static inline void random_add_external(random_graph *g, bool is_output) {
    const uint32_t number = random_below(g, RANDOM_NUM_TYPES);
    char type[48];
    snprintf(type, sizeof(type), "external_%s_%s", is_output ? "output" : "input",
             random_types[number].external);
    random_node *const n = random_add(g, type);
    if (is_output)
        random_give_name(n, "output_%u", g->num_nodes);
    else
        random_give_name(n, "input_%u", number);
}

// Counts a variable up while it is below a number.
static inline void random_add_while(random_graph *g) {
    random_node *const get = random_add(g, "get_numeric_variable");
    random_node *const less = random_add(g, "numeric_less_than");
    random_node *const sum = random_add(g, "numeric_addition");
    random_node *const loop = random_add(g, "while_loop");
    random_node *const set = random_add(g, "set_numeric_variable");
    random_give_name(get, "number");
    random_give_name(set, "number");
    random_give(less, "b", "3");
    random_give(sum, "b", "1");
    random_link_slots(g, get, "numeric", less, "a");
    random_link_slots(g, get, "numeric", sum, "a");
    random_link_slots(g, less, "value", loop, "condition");
    random_link_slots(g, sum, "value", set, "numeric");
    random_link_slots(g, loop, "loop_body", set, "set");
}

// Doubles a text with each event, until it is cut.
static inline void random_add_growing_text(random_graph *g) {
    random_node *const get = random_add(g, "get_string_variable");
    random_node *const joined = random_add(g, "string_concatenate");
    random_node *const set = random_add(g, "set_string_variable");
    random_give_name(get, "string");
    random_give_name(set, "string");
    random_link_slots(g, get, "string", joined, "a");
    if (random_chance(g, 50))
        random_link_slots(g, get, "string", joined, "b");
    else
        random_give(joined, "b", "\"\xf0\x9f\x90\x99 and \xc3\xa4 text of some more words\"");
    random_link_slots(g, joined, "value", set, "string");
    random_link_slots(g, &g->nodes[0], "out", set, "set");
}

// Adds another graph as a node: what its external nodes are called are the slots.
static inline void random_add_graph(random_graph *g) {
    const uint32_t which = random_below(g, g->num_inner);
    const random_graph *const inner = g->inner[which];
    random_node *const n = random_add(g, "graph");
    snprintf(n->graph, sizeof(n->graph), "%s", g->inner_names[which]);
    for (uint32_t i = 0; i < inner->num_nodes && n->num_slots < RANDOM_MOST_SLOTS; ++i) {
        const random_node *const e = &inner->nodes[i];
        random_slot slot = {.type = CT_FLOW_TYPE_EVENT};
        if (e->type->role == CT_FLOW_ROLE_GRAPH_EVENT_IN)
            slot.kind = CT_FLOW_SLOT_EVENT_IN;
        else if (e->type->role == CT_FLOW_ROLE_GRAPH_EVENT_OUT)
            slot.kind = CT_FLOW_SLOT_EVENT_OUT;
        else if (e->type->role == CT_FLOW_ROLE_GRAPH_INPUT) {
            slot.kind = CT_FLOW_SLOT_INPUT;
            slot.type = ct_flow_slot_at(e->type, CT_FLOW_SLOT_OUTPUT, 0)->type;
        } else if (e->type->role == CT_FLOW_ROLE_GRAPH_OUTPUT) {
            slot.kind = CT_FLOW_SLOT_OUTPUT;
            slot.type = ct_flow_slot_at(e->type, CT_FLOW_SLOT_INPUT, 1)->type;
        } else
            continue;
        snprintf(slot.name, sizeof(slot.name), "%s", e->name);
        bool is_there = false;
        for (uint32_t k = 0; k < n->num_slots; ++k)
            is_there |= strcmp(n->slots[k].name, slot.name) == 0;
        if (!is_there)
            n->slots[n->num_slots++] = slot;
    }
}

static inline void random_add_any(random_graph *g) {
    const uint32_t choice = random_below(g, 100);
    if (choice < 42)
        random_add_pure(g);
    else if (choice < 60)
        random_add_control(g);
    else if (choice < 76)
        random_add_variable(g, true);
    else if (choice < 80)
        random_add_variable(g, false);
    else if (choice < 87)
        random_add_external(g, true);
    else if (choice < 90)
        random_add_external(g, false);
    else if (choice < 92)
        random_give_name(random_add(g, "external_out_event"), "out_%u", random_below(g, 2));
    else if (choice < 93)
        random_give_name(random_add(g, "level_event"), "sent_%u", random_below(g, 2));
    else if (choice < 94)
        random_add(g, random_chance(g, 50) ? "level_update" : "level_loaded");
    else if (choice < 95)
        random_chance(g, 50) ? random_add_while(g) : random_add_growing_text(g);
    else if (g->num_inner > 0)
        random_add_graph(g);
}

// --- Links ---------------------------------------------------------------------------------------

static inline bool random_converts(ct_flow_type from, ct_flow_type to) {
    static const uint8_t pairs[][2] = {
        {CT_FLOW_TYPE_BOOL, CT_FLOW_TYPE_NUMBER},       {CT_FLOW_TYPE_BOOL, CT_FLOW_TYPE_STRING},
        {CT_FLOW_TYPE_ID, CT_FLOW_TYPE_STRING},         {CT_FLOW_TYPE_NUMBER, CT_FLOW_TYPE_BOOL},
        {CT_FLOW_TYPE_NUMBER, CT_FLOW_TYPE_STRING},     {CT_FLOW_TYPE_NUMBER, CT_FLOW_TYPE_VECTOR3},
        {CT_FLOW_TYPE_QUATERNION, CT_FLOW_TYPE_STRING}, {CT_FLOW_TYPE_STRING, CT_FLOW_TYPE_ID},
        {CT_FLOW_TYPE_VECTOR3, CT_FLOW_TYPE_STRING},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(pairs); ++i) {
        if (pairs[i][0] == from && pairs[i][1] == to)
            return true;
    }
    return from == to || to == CT_FLOW_TYPE_ANY;
}

// Whether the values of a node depend on its inputs without an event.
static inline bool random_is_value(const random_node *n) {
    return n->type->kind == CT_FLOW_NODE_PURE || n->type->role == CT_FLOW_ROLE_GRAPH;
}

// Links an input to an output before it, or to one of a node with events.
static inline bool random_link_input(random_graph *g, random_node *to, const random_slot *in) {
    const random_node *from = NULL;
    const random_slot *found = NULL;
    uint32_t weight = 0; // of all that fit; outputs of the same type have more
    for (uint32_t i = 0; i < g->num_nodes; ++i) {
        const random_node *const n = &g->nodes[i];
        if (random_is_value(to) && random_is_value(n) && n >= to)
            continue;
        for (uint32_t k = 0; k < n->num_slots; ++k) {
            const random_slot *const out = &n->slots[k];
            if (out->kind != CT_FLOW_SLOT_OUTPUT ||
                !random_converts((ct_flow_type)out->type, (ct_flow_type)in->type))
                continue;
            const uint32_t more = out->type == in->type ? 4 : 1;
            weight += more;
            if (random_below(g, weight) < more)
                from = n, found = out;
        }
    }
    if (found)
        random_link_slots(g, from, found->name, to, in->name);
    return found != NULL;
}

static inline void random_link_event(random_graph *g, const random_node *from, const char *out) {
    enum { TRIES = 20 };
    const uint32_t number = (uint32_t)(from - g->nodes);
    const bool waits =
        strcmp(from->type->name, "delay") == 0 || strcmp(from->type->name, "timer") == 0;
    for (uint32_t try = 0; try < TRIES; ++try) {
        const bool is_back = waits || g->has_loops;
        const uint32_t first = is_back ? 0 : number + 1;
        if (first >= g->num_nodes)
            return;
        random_node *const to = &g->nodes[first + random_below(g, g->num_nodes - first)];
        if (to->num_slots == 0)
            continue;
        const random_slot *const in = &to->slots[random_below(g, to->num_slots)];
        const bool passes = from->type->role == CT_FLOW_ROLE_GRAPH_EVENT_IN &&
                            to->type->role == CT_FLOW_ROLE_GRAPH_EVENT_OUT;
        if (in->kind != CT_FLOW_SLOT_EVENT_IN || (g->is_inner && passes))
            continue;
        random_link_slots(g, from, out, to, in->name);
        return;
    }
}

static inline void random_link_node(random_graph *g, random_node *n) {
    const bool is_many =
        strcmp(n->type->name, "sequence") == 0 || strcmp(n->type->name, "randomize") == 0;
    for (uint32_t i = 0; i < n->num_slots; ++i) {
        random_slot *const s = &n->slots[i];
        if (s->kind == CT_FLOW_SLOT_INPUT && !s->is_taken) {
            char value[128];
            if (!s->is_constant && random_chance(g, 75) && random_link_input(g, n, s))
                continue;
            if (random_chance(g, 30) || strcmp(s->name, "scope") == 0)
                continue; // the default
            random_value(g, (ct_flow_type)s->type, value, sizeof(value));
            random_give(n, s->name, value);
        }
        if (s->kind != CT_FLOW_SLOT_EVENT_OUT)
            continue;
        const uint32_t choice = random_below(g, 100);
        const uint32_t count = is_many       ? choice < 30
                               : choice < 12 ? 0
                               : choice < 80 ? 1
                               : choice < 94 ? 2
                                             : 3;
        for (uint32_t k = 0; k < count; ++k)
            random_link_event(g, n, s->name);
    }
}

// --- The source ----------------------------------------------------------------------------------

static inline void random_write(random_graph *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void random_write(random_graph *g, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g->num_bytes += (uint32_t)vsnprintf(g->source + g->num_bytes,
                                        RANDOM_SOURCE_BYTES - g->num_bytes, format, arguments);
    va_end(arguments);
    assert_true(g->num_bytes < RANDOM_SOURCE_BYTES);
}

// Elements are written in any order, as it has no meaning.
static inline void random_write_graph(random_graph *g) {
    g->num_bytes = 0;
    random_write(g, "variables = [\n");
    for (uint32_t i = 0; i < RANDOM_NUM_TYPES; ++i) {
        char value[128];
        const char *const type = ct_flow_type_name(random_types[i].type);
        random_value(g, random_types[i].type, value, sizeof(value));
        random_write(g, "    { id = \"%s\"  name = \"%s\"  type = \"%s\"  ", type, type, type);
        if (random_chance(g, 70))
            random_write(g, "value = %s  ", value);
        random_write(g, "}\n");
    }
    random_write(g, "]\nnodes = [\n");
    const uint32_t first_node = random_below(g, g->num_nodes);
    for (uint32_t i = 0; i < g->num_nodes; ++i) {
        const random_node *const n = &g->nodes[(first_node + i) % g->num_nodes];
        random_write(g, "    { id = \"n%u\"  type = \"%s\"  ", n->id, n->type->name);
        if (n->graph[0])
            random_write(g, "graph = \"%s\"  ", n->graph);
        if (n->inputs[0])
            random_write(g, "inputs = { %s}  ", n->inputs);
        random_write(g, "position = [%d %d] }\n", n->x, n->y);
    }
    random_write(g, "]\nlinks = [\n");
    for (uint32_t i = g->num_links; i-- > 0;) {
        const random_link *const l = &g->links[i];
        random_write(
            g, "    { id = \"l%u\"  from = \"n%u\"  out = \"%s\"  to = \"n%u\"  in = \"%s\" }\n", i,
            g->nodes[l->from].id, l->out, g->nodes[l->to].id, l->in);
    }
    random_write(g, "]\n");
}

// Makes a graph of about `num_nodes` nodes. `random`, `number`, `is_inner` and the graphs that it may
// use are set.
static inline void random_make(random_graph *g, uint32_t num_nodes) {
    static const char *const names[] = {"in_0", "in_1"};
    g->has_loops = random_chance(g, 2);
    for (uint32_t i = 0; i < 3; ++i)
        random_give_name(random_add(g, "external_in_event"), "%s", names[i % CT_COUNT_OF(names)]);
    for (uint32_t try = 0; try < 4 * num_nodes && g->num_nodes < num_nodes; ++try)
        random_add_any(g);
    for (uint32_t i = 0; i < g->num_nodes; ++i)
        random_link_node(g, &g->nodes[i]);
    random_write_graph(g);
}
