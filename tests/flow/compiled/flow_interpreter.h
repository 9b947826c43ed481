// flow_interpreter.h: runs the sources of flow graphs, naively: values are looked up through the links
// whenever an action needs them, and events are followed link by link, through graphs in graphs. It
// checks each action against a trace of what the engine did. Include once in a program.
#pragma once
#include "support/test_support.h"

#include <math.h>

#include "flow/compiled/flow_source_values.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

enum {
    NUM_INSTANCES = 2,
    MOST_OUTPUTS = 3,
    MOST_INPUTS = 4,
    MOST_SOURCES = 3,
    MOST_SOURCE_NODES = 1024, // with those of graphs in graphs
    MOST_SCOPES = 64,
    MOST_SOURCE_LINKS = 4096,
    MOST_TARGETS = 64,
    MOST_STEPS = 100000,
    MOST_DEPTH = 200,
    IS_OVER = 16, // the event of what has waited
    NO_EVENT = -1,
};

// --- The trace -----------------------------------------------------------------------------------

// A value as 128 bits: a text by its hash and length; a NaN is like all others.
typedef struct traced_value {
    uint64_t type; // of 64 bits, as values are compared with memcmp
    uint64_t bits[2];
} traced_value;

typedef struct traced_node {
    const char *path;
    uint32_t instance, event, out, num_inputs;
    traced_value inputs[MOST_INPUTS];
} traced_node;

// What a node of Random gave, in the order in which it ran.
typedef struct traced_draw {
    const char *path;
    uint32_t instance;
    bool is_used;
    source_value value;
} traced_draw;

typedef struct trace {
    traced_node *nodes;
    uint32_t num_nodes, max_nodes;
    traced_draw *draws;
    uint32_t num_draws, max_draws, num_used_draws, first_unused;
} trace;

static inline uint64_t bits_of_double(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof(bits));
    return isnan(d) ? UINT64_C(0x7ff8000000000000) : bits;
}

static inline uint64_t bits_of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return isnan(f) ? 0x7fc00000u : bits;
}

static inline traced_value traced_of(const source_value *v) {
    traced_value t = {.type = v->type};
    const float *const f = v->floats;
    switch (v->type) {
    case CT_FLOW_TYPE_BOOL:
        t.bits[0] = v->is_true;
        break;
    case CT_FLOW_TYPE_NUMBER:
        t.bits[0] = bits_of_double(v->number);
        break;
    case CT_FLOW_TYPE_VECTOR3:
    case CT_FLOW_TYPE_QUATERNION:
        t.bits[0] = bits_of_float(f[0]) << 32 | bits_of_float(f[1]);
        t.bits[1] = bits_of_float(f[2]) << 32;
        if (v->type == CT_FLOW_TYPE_QUATERNION)
            t.bits[1] |= bits_of_float(f[3]);
        break;
    case CT_FLOW_TYPE_STRING:
        t.bits[0] = ct_string_id64_of(v->text).value;
        t.bits[1] = strlen(v->text);
        break;
    case CT_FLOW_TYPE_ID:
        t.bits[0] = v->id;
        break;
    default:
        break;
    }
    return t;
}

// --- The source ----------------------------------------------------------------------------------

typedef struct source_node source_node;

typedef struct source_scope {
    const ct_sjson *doc;
    struct source_scope *parent; // NULL: the whole graph
    source_node *user;           // the node that is this graph
    uint32_t first_node, num_nodes, first_link, num_links, first_variable, num_variables;
    char path[128], variable_path[128];
} source_scope;

typedef struct source_state {
    source_value outputs[MOST_OUTPUTS];
    double due[8];
    uint32_t events[8];
    bool is_on, has_started, is_stopped;
    double value, left, last_due;
} source_state;

struct source_node {
    const ct_flow_node_type *type;
    source_scope *scope, *inner;
    ct_sjson_value inputs;
    const char *id, *name, *of_scope; // of variables
    bool is_switched;                 // an external event of a graph that is switched: a relay
    double x, y;
    uint32_t rank;
    char path[192];
    uint64_t stamp; // of the run for which the outputs of a pure node are
    source_value memo[MOST_OUTPUTS];
    source_state states[NUM_INSTANCES];
};

typedef struct source_link {
    source_node *from, *to;
    const char *out, *in;
} source_link;

typedef struct source_variable {
    char name[160];
    const char *short_name;
    const source_node *output; // of an external output
    source_value values[NUM_INSTANCES];
} source_variable;

// How often nodes of a type ran, in all graphs.
typedef struct source_count {
    const ct_flow_node_type *type;
    uint64_t count;
} source_count;

static source_count source_counts[256];

static inline source_count *count_of_type(const ct_flow_node_type *type) {
    uint32_t i = 0;
    while (source_counts[i].type && source_counts[i].type != type)
        assert_true(++i < CT_COUNT_OF(source_counts));
    source_counts[i].type = type;
    return &source_counts[i];
}

typedef struct interpreter {
    const char *names[MOST_SOURCES];
    ct_sjson *docs[MOST_SOURCES];
    uint32_t num_docs;
    source_node nodes[MOST_SOURCE_NODES];
    uint32_t num_nodes;
    source_scope scopes[MOST_SCOPES];
    uint32_t num_scopes;
    source_link links[MOST_SOURCE_LINKS];
    uint32_t num_links;
    source_variable variables[1024];
    uint32_t num_variables;
    source_variable globals[16]; // their first value counts
    uint32_t num_globals, next_rank;
    trace *trace;
    uint32_t at; // in the trace
    uint32_t instance, num_steps, depth;
    uint32_t order[NUM_INSTANCES]; // of instances in which something is due at the same time
    uint64_t stamp;
    double now;
    bool is_over; // the event was cut
    uint32_t num_cut;
} interpreter;

static inline void join_texts(char *out, size_t bytes, const char *a, const char *b,
                              const char *c) {
    assert_true(strlen(a) + strlen(b) + strlen(c) < bytes);
    strcpy(out, a);
    strcat(out, b);
    strcat(out, c);
}

static inline bool is_named(const source_node *n, const char *type) {
    return strcmp(n->type->name, type) == 0;
}

static inline source_value read_value(const ct_sjson *doc, ct_sjson_value v, ct_flow_type type) {
    const ct_sjson_type found = ct_sjson_type_of(doc, v);
    if (type == CT_FLOW_TYPE_ANY)
        type = found == CT_SJSON_TYPE_BOOL     ? CT_FLOW_TYPE_BOOL
               : found == CT_SJSON_TYPE_NUMBER ? CT_FLOW_TYPE_NUMBER
               : found == CT_SJSON_TYPE_STRING ? CT_FLOW_TYPE_STRING
               : ct_sjson_count(doc, v) == 4   ? CT_FLOW_TYPE_QUATERNION
                                               : CT_FLOW_TYPE_VECTOR3;
    source_value value = {.type = type};
    double length = 0;
    uint32_t i = 0;
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        return value_bool(ct_sjson_bool(doc, v, false));
    case CT_FLOW_TYPE_NUMBER:
        return value_number(ct_sjson_number(doc, v, 0));
    case CT_FLOW_TYPE_STRING:
        return value_text(ct_sjson_string(doc, v, ""));
    case CT_FLOW_TYPE_ID:
        return value_id(ct_string_id64_of(ct_sjson_string(doc, v, "")).value);
    default:
        for (ct_sjson_value e = ct_sjson_first(doc, v); e.entry; e = ct_sjson_next(doc, e)) {
            value.floats[i] = (float)ct_sjson_number(doc, e, 0);
            length += (double)value.floats[i] * (double)value.floats[i];
            ++i;
        }
        for (i = 0; type == CT_FLOW_TYPE_QUATERNION && i < 4; ++i)
            value.floats[i] = (float)((double)value.floats[i] / sqrt(length));
        return value;
    }
}

// --- Reading it ----------------------------------------------------------------------------------

static inline source_node *find_source_node(interpreter *t, const source_scope *s, const char *id) {
    for (uint32_t i = 0; i < s->num_nodes; ++i) {
        if (strcmp(t->nodes[s->first_node + i].id, id) == 0)
            return &t->nodes[s->first_node + i];
    }
    fail_msg("%sthere is no node %s", s->path, id);
    return NULL;
}

static inline void load_node(interpreter *t, source_scope *s, ct_sjson_value v) {
    const ct_sjson *const doc = s->doc;
    assert_true(t->num_nodes < MOST_SOURCE_NODES);
    source_node *const n = &t->nodes[t->num_nodes++];
    const ct_sjson_value position = ct_sjson_find(doc, v, "position");
    const ct_sjson_value x = ct_sjson_first(doc, position);
    *n = (source_node){
        .scope = s,
        .type = ct_flow_find_node_type(ct_sjson_string(doc, ct_sjson_find(doc, v, "type"), "")),
        .inputs = ct_sjson_find(doc, v, "inputs"),
        .id = ct_sjson_string(doc, ct_sjson_find(doc, v, "id"), ""),
        .x = ct_sjson_number(doc, x, 0),
        .y = ct_sjson_number(doc, ct_sjson_next(doc, x), 0)};
    n->name = ct_sjson_string(doc, ct_sjson_find(doc, n->inputs, "name"), "");
    n->of_scope = ct_sjson_string(doc, ct_sjson_find(doc, n->inputs, "scope"), "graph");
    const bool is_of_scope = strcmp(n->of_scope, "graph") != 0;
    char type[64];
    join_texts(type, sizeof(type), n->type->name, is_of_scope ? "_of_scope" : "", " ");
    join_texts(n->path, sizeof(n->path), s->path, type, n->id);
    uint32_t output = 0;
    for (const ct_flow_slot *slot = n->type->slots; slot && slot->name; ++slot) {
        if (slot->kind != CT_FLOW_SLOT_OUTPUT)
            continue;
        assert_true(output < MOST_OUTPUTS);
        for (uint32_t i = 0; i < NUM_INSTANCES; ++i)
            n->states[i].outputs[output] = (source_value){.type = (ct_flow_type)slot->type};
        ++output;
    }
}

static inline void add_source_variable(interpreter *t, const source_scope *s, const char *name,
                                       const source_value *value, const source_node *output) {
    assert_true(t->num_variables < CT_COUNT_OF(t->variables));
    source_variable *const v = &t->variables[t->num_variables++];
    *v = (source_variable){.short_name = name, .output = output};
    join_texts(v->name, sizeof(v->name), s->variable_path, name, "");
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i)
        v->values[i] = *value;
}

static inline source_variable *find_source_variable(interpreter *t, const source_scope *s,
                                                    const char *name) {
    for (uint32_t i = 0; i < s->num_variables; ++i) {
        if (strcmp(t->variables[s->first_variable + i].short_name, name) == 0)
            return &t->variables[s->first_variable + i];
    }
    return NULL;
}

static inline void load_variables(interpreter *t, source_scope *s) {
    const ct_sjson *const doc = s->doc;
    const ct_sjson_value array = ct_sjson_find(doc, ct_sjson_root(doc), "variables");
    s->first_variable = t->num_variables;
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        const ct_flow_type type =
            ct_flow_type_named(ct_sjson_string(doc, ct_sjson_find(doc, v, "type"), ""));
        const ct_sjson_value given = ct_sjson_find(doc, v, "value");
        const source_value value = given.entry ? read_value(doc, given, type) : value_of_type(type);
        add_source_variable(t, s, ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), ""), &value,
                            NULL);
    }
    s->num_variables = t->num_variables - s->first_variable;
    if (s->parent)
        return;
    // External inputs and outputs of the whole graph are variables.
    for (uint32_t i = 0; i < s->num_nodes; ++i) {
        const source_node *const n = &t->nodes[s->first_node + i];
        const bool is_input = n->type->role == CT_FLOW_ROLE_GRAPH_INPUT;
        if (!is_input && n->type->role != CT_FLOW_ROLE_GRAPH_OUTPUT)
            continue;
        const source_value value =
            value_of_type(is_input ? n->states[0].outputs[0].type : CT_FLOW_TYPE_EVENT);
        if (!find_source_variable(t, s, n->name))
            add_source_variable(t, s, n->name, &value, is_input ? NULL : n);
        s->num_variables = t->num_variables - s->first_variable;
    }
}

static inline void load_links(interpreter *t, source_scope *s) {
    const ct_sjson *const doc = s->doc;
    const ct_sjson_value array = ct_sjson_find(doc, ct_sjson_root(doc), "links");
    s->first_link = t->num_links;
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        assert_true(t->num_links < MOST_SOURCE_LINKS);
        source_link *const l = &t->links[t->num_links++];
        l->from = find_source_node(t, s, ct_sjson_string(doc, ct_sjson_find(doc, v, "from"), ""));
        l->to = find_source_node(t, s, ct_sjson_string(doc, ct_sjson_find(doc, v, "to"), ""));
        l->out = ct_sjson_string(doc, ct_sjson_find(doc, v, "out"), "");
        l->in = ct_sjson_string(doc, ct_sjson_find(doc, v, "in"), "");
    }
    s->num_links = t->num_links - s->first_link;
}

static inline source_scope *load_scope(interpreter *t, const char *name, source_node *user) {
    uint32_t which = 0;
    while (which < t->num_docs && strcmp(t->names[which], name) != 0)
        ++which;
    assert_true(which < t->num_docs && t->num_scopes < MOST_SCOPES);
    source_scope *const s = &t->scopes[t->num_scopes++];
    *s = (source_scope){.doc = t->docs[which], .user = user, .parent = user ? user->scope : NULL};
    if (user) {
        char graph[64];
        join_texts(graph, sizeof(graph), "graph ", user->id, ": ");
        join_texts(s->path, sizeof(s->path), s->parent->path, graph, "");
        join_texts(s->variable_path, sizeof(s->variable_path), s->parent->variable_path, user->id,
                   "/");
    } else
        join_texts(s->path, sizeof(s->path), name, ": ", "");
    const ct_sjson_value nodes = ct_sjson_find(s->doc, ct_sjson_root(s->doc), "nodes");
    s->first_node = t->num_nodes;
    s->num_nodes = ct_sjson_count(s->doc, nodes);
    for (ct_sjson_value v = ct_sjson_first(s->doc, nodes); v.entry; v = ct_sjson_next(s->doc, v))
        load_node(t, s, v);
    load_links(t, s);
    load_variables(t, s);
    uint32_t i = s->first_node;
    for (ct_sjson_value v = ct_sjson_first(s->doc, nodes); v.entry; v = ct_sjson_next(s->doc, v)) {
        const char *const graph = ct_sjson_string(s->doc, ct_sjson_find(s->doc, v, "graph"), NULL);
        if (graph)
            t->nodes[i].inner = load_scope(t, graph, &t->nodes[i]);
        ++i;
    }
    return s;
}

// Whether `a` is shown before `b`: higher, or further left, or by id.
static inline bool is_shown_before(const source_node *a, const source_node *b) {
    if (a->y != b->y)
        return a->y < b->y;
    return a->x != b->x ? a->x < b->x : strcmp(a->id, b->id) < 0;
}

// Nodes of a graph in a graph come behind the node that it is.
static inline void rank_nodes(interpreter *t, const source_scope *s) {
    const source_node *last = NULL;
    for (uint32_t k = 0; k < s->num_nodes; ++k) {
        source_node *next = NULL;
        for (uint32_t i = 0; i < s->num_nodes; ++i) {
            source_node *const n = &t->nodes[s->first_node + i];
            if ((!last || is_shown_before(last, n)) && (!next || is_shown_before(n, next)))
                next = n;
        }
        next->rank = t->next_rank++;
        if (next->inner)
            rank_nodes(t, next->inner);
        last = next;
    }
}

// Makes the external events of a graph relays, when a link switches the graph.
static inline void switch_graph(interpreter *t, const source_link *l) {
    const source_scope *const inner = l->to->inner;
    if (!inner || (strcmp(l->in, "enable") != 0 && strcmp(l->in, "disable") != 0))
        return;
    for (uint32_t i = 0; i < inner->num_nodes; ++i) {
        source_node *const n = &t->nodes[inner->first_node + i];
        if (n->type->role != CT_FLOW_ROLE_GRAPH_EVENT_IN)
            continue;
        n->is_switched = true;
        n->type = ct_flow_find_node_type("relay");
        join_texts(n->path, sizeof(n->path), inner->path, "relay ", n->id);
    }
}

static inline void load_source(interpreter *t, const char *name, const char *text) {
    ct_error error = {0};
    t->names[t->num_docs] = name;
    t->docs[t->num_docs] = ct_sjson_parse(test_heap(), text, strlen(text), name, NULL, &error);
    if (!t->docs[t->num_docs++])
        fail_msg("%s", error.message);
}

// Starts over with the sources that were loaded, of which the first is the whole.
static inline void start_interpreter(interpreter *t, trace *of_engine) {
    t->trace = of_engine;
    load_scope(t, t->names[0], NULL);
    for (uint32_t i = 0; i < t->num_links; ++i)
        switch_graph(t, &t->links[i]);
    rank_nodes(t, &t->scopes[0]);
}

static inline void end_interpreter(interpreter *t) {
    for (uint32_t i = 0; i < t->num_docs; ++i)
        ct_sjson_free(t->docs[i]);
    memset(t, 0, sizeof(*t));
}

// --- Values --------------------------------------------------------------------------------------

static inline source_value input_value(interpreter *t, const source_node *n, const char *name,
                                       ct_flow_type type, const ct_flow_slot *slot);

static inline const ct_flow_slot *nth_input(const source_node *n, uint32_t number) {
    return ct_flow_slot_at(n->type, CT_FLOW_SLOT_INPUT, number);
}

// The value of a variable of any scope that a node names.
static inline source_value *variable_place(interpreter *t, const source_node *n,
                                           ct_flow_type type) {
    if (strcmp(n->of_scope, "graph") == 0)
        return &find_source_variable(t, n->scope, n->name)->values[t->instance];
    if (strcmp(n->of_scope, "level") == 0) // the graph of the level is that of the first instance
        return &find_source_variable(t, &t->scopes[0], n->name)->values[0];
    uint32_t i = 0;
    while (i < t->num_globals && strcmp(t->globals[i].short_name, n->name) != 0)
        ++i;
    if (i == t->num_globals) {
        assert_true(i < CT_COUNT_OF(t->globals));
        t->globals[t->num_globals++] =
            (source_variable){.short_name = n->name, .values = {value_of_type(type)}};
    }
    return &t->globals[i].values[0];
}

static inline bool is_between(double n, double a, double b) {
    const double low = fmin(a, b), high = fmax(a, b);
    const double slack = (high - low) * 1e-6;
    return !(n < low - slack || n > high + slack); // what is not finite is not compared
}

// What the engine drew for a node of Random, which must be what its inputs allow.
static inline source_value drawn_value(interpreter *t, const source_node *n,
                                       const source_value *inputs) {
    trace *const r = t->trace;
    uint32_t i = r->first_unused;
    while (i < r->num_draws && (r->draws[i].is_used || r->draws[i].instance != t->instance ||
                                strcmp(r->draws[i].path, n->path) != 0))
        ++i;
    if (i == r->num_draws)
        fail_msg("%s did not draw a number", n->path);
    traced_draw *const d = &r->draws[i];
    d->is_used = true;
    ++r->num_used_draws;
    while (r->first_unused < r->num_draws && r->draws[r->first_unused].is_used)
        ++r->first_unused;
    if (is_named(n, "random_numeric"))
        assert_true(is_between(d->value.number, inputs[0].number, inputs[1].number));
    else if (is_named(n, "random_unit_vector"))
        assert_true(fabs(length_of(d->value.floats) - 1) < 1e-5);
    else
        for (uint32_t k = 0; k < 3; ++k)
            assert_true(is_between((double)d->value.floats[k], (double)inputs[0].floats[k],
                                   (double)inputs[1].floats[k]));
    return d->value;
}

// The outputs of a pure node, once for each run of an action.
static inline void run_pure(interpreter *t, source_node *n) {
    source_value inputs[MOST_INPUTS];
    if (n->stamp == t->stamp)
        return;
    ++count_of_type(n->type)->count;
    const uint32_t count = ct_flow_count_slots(n->type, CT_FLOW_SLOT_INPUT);
    assert_true(count <= MOST_INPUTS);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_flow_slot *const s = nth_input(n, i);
        inputs[i] = input_value(t, n, s->name, (ct_flow_type)s->type, s);
    }
    if (strncmp(n->type->name, "random_", 7) == 0)
        n->memo[0] = drawn_value(t, n, inputs);
    else if (!pure_node(n->type->name, inputs, n->memo))
        fail_msg("%s is not known", n->type->name);
    n->stamp = t->stamp;
}

static inline source_value output_value(interpreter *t, source_node *n, const char *name) {
    uint32_t number = 0;
    switch ((ct_flow_node_role)n->type->role) {
    case CT_FLOW_ROLE_GRAPH:
        for (uint32_t i = 0; i < n->inner->num_nodes; ++i) {
            const source_node *const e = &t->nodes[n->inner->first_node + i];
            if (e->type->role != CT_FLOW_ROLE_GRAPH_OUTPUT || strcmp(e->name, name) != 0)
                continue;
            const ct_flow_slot *const s = nth_input(e, 1);
            return input_value(t, e, s->name, (ct_flow_type)s->type, s);
        }
        fail_msg("%s has no output %s", n->path, name);
        return value_bool(false);
    case CT_FLOW_ROLE_CONSTANT: {
        const ct_flow_slot *const s = nth_input(n, 0);
        return input_value(t, n, s->name, (ct_flow_type)s->type, s);
    }
    case CT_FLOW_ROLE_GET_VARIABLE:
        return *variable_place(t, n, n->states[0].outputs[0].type);
    case CT_FLOW_ROLE_GRAPH_INPUT:
        if (!n->scope->parent)
            return find_source_variable(t, n->scope, n->name)->values[t->instance];
        return input_value(t, n->scope->user, n->name, n->states[0].outputs[0].type, NULL);
    default:
        assert_non_null(ct_flow_find_slot(n->type, true, name, &number));
        if (n->type->kind != CT_FLOW_NODE_PURE)
            return n->states[t->instance].outputs[number];
        run_pure(t, n);
        return n->memo[number];
    }
}

// `slot`: NULL for an input of a graph that is used as a node.
static inline source_value input_value(interpreter *t, const source_node *n, const char *name,
                                       ct_flow_type type, const ct_flow_slot *slot) {
    const source_scope *const s = n->scope;
    for (uint32_t i = s->first_link; i < s->first_link + s->num_links; ++i) {
        const source_link *const l = &t->links[i];
        if (l->to != n || strcmp(l->in, name) != 0)
            continue;
        const source_value v = output_value(t, l->from, l->out);
        return value_converted(&v, type);
    }
    const ct_sjson_value given = ct_sjson_find(s->doc, n->inputs, name);
    if (given.entry)
        return read_value(s->doc, given, type);
    source_value v = value_of_type(type == CT_FLOW_TYPE_ANY ? CT_FLOW_TYPE_EVENT : type);
    if (!slot)
        return v;
    if (slot->default_text)
        return value_text(slot->default_text);
    const double *const d = slot->default_value;
    v.is_true = d[0] != 0;
    v.number = d[0];
    if (type == CT_FLOW_TYPE_VECTOR3 || d[0] != 0 || d[1] != 0 || d[2] != 0)
        v.floats[0] = (float)d[0], v.floats[1] = (float)d[1], v.floats[2] = (float)d[2];
    return v;
}

// All inputs of a node, for a new run of it.
static inline uint32_t read_inputs(interpreter *t, const source_node *n, source_value *inputs) {
    const uint32_t count = ct_flow_count_slots(n->type, CT_FLOW_SLOT_INPUT);
    assert_true(count <= MOST_INPUTS);
    ++t->stamp;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_flow_slot *const s = nth_input(n, i);
        inputs[i] = input_value(t, n, s->name, (ct_flow_type)s->type, s);
    }
    return count;
}

// --- Events --------------------------------------------------------------------------------------

typedef struct target {
    source_node *node;
    uint32_t event;
} target;

typedef struct targets {
    target items[MOST_TARGETS];
    uint32_t count;
} targets;

static inline void add_target(targets *found, source_node *node, uint32_t event) {
    assert_true(found->count < MOST_TARGETS);
    uint32_t at = found->count++;
    for (; at > 0 && (found->items[at - 1].node->rank > node->rank ||
                      (found->items[at - 1].node == node && found->items[at - 1].event > event));
         --at)
        found->items[at] = found->items[at - 1];
    found->items[at] = (target){node, event};
}

// What an event out of a node is linked to in its own graph, in the order in which it is shown. Of a
// graph as a node, these are its external events.
static inline void find_linked(interpreter *t, const source_node *from, const char *out,
                               targets *found) {
    const source_scope *const s = from->scope;
    for (uint32_t i = s->first_link; i < s->first_link + s->num_links; ++i) {
        const source_link *const l = &t->links[i];
        uint32_t event = 0;
        if (l->from != from || strcmp(l->out, out) != 0)
            continue;
        if (!l->to->inner) {
            assert_non_null(ct_flow_find_slot(l->to->type, false, l->in, &event));
            add_target(found, l->to, event);
            continue;
        }
        for (uint32_t k = 0; k < l->to->inner->num_nodes; ++k) {
            source_node *const e = &t->nodes[l->to->inner->first_node + k];
            if (e->is_switched && ct_flow_find_slot(l->to->type, false, l->in, &event))
                add_target(found, e, strcmp(l->in, "enable") == 0 ? 1 : 2);
            else if ((e->is_switched || e->type->role == CT_FLOW_ROLE_GRAPH_EVENT_IN) &&
                     strcmp(e->name, l->in) == 0)
                add_target(found, e, 0);
        }
    }
}

// The nodes that run for an event out: into graphs and out of them.
static inline void follow(interpreter *t, const source_node *from, const char *out,
                          targets *found) {
    targets linked = {.count = 0};
    find_linked(t, from, out, &linked);
    for (uint32_t i = 0; i < linked.count; ++i) {
        const target *const l = &linked.items[i];
        if (l->node->scope->parent && l->node->type->role == CT_FLOW_ROLE_GRAPH_EVENT_IN)
            follow(t, l->node, "out", found);
        else if (l->node->scope->parent && l->node->type->role == CT_FLOW_ROLE_GRAPH_EVENT_OUT)
            follow(t, l->node->scope->user, l->node->name, found);
        else {
            assert_true(found->count < MOST_TARGETS);
            found->items[found->count++] = *l;
        }
    }
}

static inline void follow_number(interpreter *t, const source_node *n, uint32_t out,
                                 targets *found) {
    found->count = 0;
    follow(t, n, ct_flow_slot_at(n->type, CT_FLOW_SLOT_EVENT_OUT, out)->name, found);
}

static inline bool cut_event(interpreter *t) {
    t->num_cut += !t->is_over;
    t->is_over = true;
    return false;
}

// Compares a node that runs with the next of the trace.
static inline const traced_node *expect_traced(interpreter *t, const source_node *n, uint32_t event,
                                               const source_value *inputs, uint32_t count) {
    if (t->at == t->trace->num_nodes)
        fail_msg("%s shall run, but the engine ran no node after %u", n->path, t->at);
    const traced_node *const r = &t->trace->nodes[t->at++];
    ++count_of_type(n->type)->count;
    if (strcmp(r->path, n->path) != 0 || r->event != event || r->instance != t->instance)
        fail_msg("step %u: %s shall run by event %u in instance %u, but the engine ran %s by event "
                 "%u in instance %u",
                 t->at, n->path, event, t->instance, r->path, r->event, r->instance);
    assert_int_equal(r->num_inputs, count);
    for (uint32_t i = 0; i < count; ++i) {
        const traced_value v = traced_of(&inputs[i]);
        const traced_value *const found = &r->inputs[i];
        double number;
        memcpy(&number, &found->bits[0], sizeof(number));
        if (memcmp(&v, found, sizeof(v)) != 0)
            fail_msg("step %u: the input %s of %s is of type %s: %.17g, [%.9g %.9g %.9g %.9g], "
                     "\"%s\"; but the engine has type %s: %.17g, 0x%" PRIx64 " 0x%" PRIx64,
                     t->at, nth_input(n, i)->name, n->path, ct_flow_type_name(inputs[i].type),
                     inputs[i].number, (double)inputs[i].floats[0], (double)inputs[i].floats[1],
                     (double)inputs[i].floats[2], (double)inputs[i].floats[3], inputs[i].text,
                     ct_flow_type_name((ct_flow_type)found->type), number, found->bits[0],
                     found->bits[1]);
    }
    return r;
}

static inline int run_node(interpreter *t, source_node *n, uint32_t event,
                           const source_value *inputs, const traced_node *r);
static inline bool run_targets(interpreter *t, const targets *found, uint32_t count);

// Runs a node and what follows from it. The last of several links is no event within the event.
static inline bool run_event(interpreter *t, source_node *n, uint32_t event) {
    for (;;) {
        source_value inputs[MOST_INPUTS];
        targets found;
        if (++t->num_steps > MOST_STEPS)
            return cut_event(t);
        const uint32_t count = read_inputs(t, n, inputs);
        const traced_node *const r = expect_traced(t, n, event, inputs, count);
        const int out = run_node(t, n, event, inputs, r);
        if (t->is_over)
            return false;
        if (out == NO_EVENT)
            return true;
        follow_number(t, n, (uint32_t)out, &found);
        if (found.count == 0)
            return true;
        if (found.count > 1 && !run_targets(t, &found, found.count - 1))
            return false;
        n = found.items[found.count - 1].node;
        event = found.items[found.count - 1].event;
    }
}

static inline bool run_targets(interpreter *t, const targets *found, uint32_t count) {
    if (++t->depth > MOST_DEPTH)
        return cut_event(t);
    for (uint32_t i = 0; i < count; ++i) {
        if (!run_event(t, found->items[i].node, found->items[i].event))
            return false;
    }
    --t->depth;
    return true;
}

// Runs all that follows from an event out. Returns false when the event was cut.
static inline bool fire(interpreter *t, const source_node *n, uint32_t out) {
    targets found;
    follow_number(t, n, out, &found);
    return found.count == 0 || run_targets(t, &found, found.count);
}

// An event from outside.
static inline void start_source_event(interpreter *t, source_node *n, uint32_t event) {
    t->num_steps = t->depth = 0;
    t->is_over = false;
    run_event(t, n, event);
}

// Starts the nodes of a type and name in the order in which they are shown. `only_outermost`: not
// those of graphs in the graph.
static inline void start_source_events(interpreter *t, uint32_t instance, const char *type,
                                       const char *name, bool only_outermost) {
    uint32_t next = 0;
    for (;;) {
        source_node *first = NULL;
        for (uint32_t i = 0; i < t->num_nodes; ++i) {
            source_node *const n = &t->nodes[i];
            if (n->rank < next || !is_named(n, type) || strcmp(n->name, name) != 0 ||
                (only_outermost && n->scope->parent))
                continue;
            if (!first || n->rank < first->rank)
                first = n;
        }
        if (!first)
            return;
        t->instance = instance;
        start_source_event(t, first, 0);
        next = first->rank + 1;
    }
}

// --- Time ----------------------------------------------------------------------------------------

static inline void wait_for(interpreter *t, source_state *s, uint32_t slot, double seconds) {
    if (!(seconds >= 0))
        seconds = 0;
    s->due[slot] = fmax(t->now + seconds, nextafter(t->now, (double)INFINITY));
    s->events[slot] = IS_OVER;
}

typedef struct source_due {
    source_node *node;
    uint32_t instance, slot;
    double time;
} source_due;

// The earliest is first; then by instance, node and slot.
static inline bool is_due_before(const interpreter *t, const source_due *a, const source_due *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->instance != b->instance)
        return t->order[a->instance] < t->order[b->instance];
    return a->node != b->node ? a->node->rank < b->node->rank : a->slot < b->slot;
}

// Starts what is due at `t->now`: the earliest first.
static inline void run_due_events(interpreter *t) {
    for (;;) {
        source_due first = {.node = NULL};
        for (uint32_t i = 0; i < t->num_nodes * NUM_INSTANCES * 8; ++i) {
            source_node *const n = &t->nodes[i / (NUM_INSTANCES * 8)];
            source_due due = {.node = n, .instance = i / 8 % NUM_INSTANCES, .slot = i % 8};
            due.time = n->states[due.instance].due[due.slot];
            if (due.time > 0 && due.time <= t->now &&
                (!first.node || is_due_before(t, &due, &first)))
                first = due;
        }
        if (!first.node)
            return;
        source_state *const s = &first.node->states[first.instance];
        t->instance = first.instance;
        s->due[first.slot] = 0;
        start_source_event(t, first.node, s->events[first.slot]);
    }
}

// A step of the world, after which it is `now`.
static inline void step_source(interpreter *t, double now) {
    t->now = now;
    run_due_events(t);
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i)
        start_source_events(t, i, "level_update", "", false);
}
