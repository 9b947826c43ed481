#include "cli/deps/deps_tree.h"

#include <stdio.h>

// A node whose neighbours are being walked.
typedef struct step {
    uint32_t first, count; // its neighbours in `neighbours`
    uint32_t next;
} step;

typedef struct tree_walk {
    ct_allocator *allocator;
    const ct_reference_graph *graph;
    bool is_backwards;
    bool *is_seen;           // nodes that were met
    uint32_t *last_of;       // the node + 1 that last had it as a neighbour: each is told once
    ct_u32_array neighbours; // of the nodes on the way
    CT_ARRAY(step) steps;
} tree_walk;

static void init_walk(tree_walk *w, ct_allocator *a, const ct_reference_graph *graph,
                      bool is_backwards) {
    *w = (tree_walk){.allocator = a, .graph = graph, .is_backwards = is_backwards};
    w->is_seen = CT_NEW_ARRAY(a, bool, graph->nodes.count + 1);
    w->last_of = CT_NEW_ARRAY(a, uint32_t, graph->nodes.count + 1);
    ct_array_init(&w->neighbours, a);
    ct_array_init(&w->steps, a);
}

static void add_neighbour(tree_walk *w, uint32_t node, uint32_t neighbour) {
    if (w->last_of[neighbour] == node + 1 || neighbour == node)
        return;
    w->last_of[neighbour] = node + 1;
    ct_array_push(&w->neighbours, neighbour);
}

// Starts on the neighbours of a node, which was not met before.
static void enter(tree_walk *w, uint32_t node) {
    const ct_reference_graph *const g = w->graph;
    step s = {.first = w->neighbours.count};
    w->is_seen[node] = true;
    if (w->is_backwards) {
        for (uint32_t i = g->first_in[node]; i < g->first_in[node + 1]; ++i)
            add_neighbour(w, node, g->edges.items[g->in_edges[i]].from);
    } else {
        for (uint32_t f = g->nodes.items[node].first_file + 1; f > 0; f = g->next_variant[f - 1]) {
            for (uint32_t e = g->first_edge[f - 1]; e < g->first_edge[f]; ++e)
                add_neighbour(w, node, g->edges.items[e].to);
        }
    }
    s.count = w->neighbours.count - s.first;
    ct_array_push(&w->steps, s);
}

// --- The tree ------------------------------------------------------------------------------------

static bool has_neighbours(const tree_walk *w, uint32_t node) {
    const ct_reference_graph *const g = w->graph;
    if (w->is_backwards)
        return g->first_in[node] < g->first_in[node + 1];
    for (uint32_t f = g->nodes.items[node].first_file + 1; f > 0; f = g->next_variant[f - 1]) {
        if (g->first_edge[f - 1] < g->first_edge[f])
            return true;
    }
    return false;
}

static void print_line(const tree_walk *w, uint32_t node, uint32_t depth, bool is_cut) {
    char text[CT_PATH_BYTES];
    ct_reference_node_text(&w->graph->nodes.items[node], text);
    printf("%*s%s%s\n", (int)(2 * depth), "", text, is_cut ? " …" : "");
}

static void print_node(tree_walk *w, uint32_t node) {
    const bool is_seen = w->is_seen[node];
    print_line(w, node, w->steps.count, is_seen && has_neighbours(w, node));
    if (!is_seen)
        enter(w, node);
}

void ct_deps_tree_print(ct_allocator *a, const ct_reference_graph *graph, const uint32_t *nodes,
                        uint32_t count, bool is_backwards) {
    tree_walk w;
    init_walk(&w, a, graph, is_backwards);
    for (uint32_t i = 0; i < count; ++i) {
        if (w.is_seen[nodes[i]])
            continue; // it stands below another
        print_node(&w, nodes[i]);
        while (w.steps.count > 0) {
            step *const top = &w.steps.items[w.steps.count - 1];
            if (top->next == top->count) {
                w.neighbours.count = top->first;
                --w.steps.count;
            } else {
                print_node(&w, w.neighbours.items[top->first + top->next++]);
            }
        }
    }
}

// --- Graphviz ------------------------------------------------------------------------------------

static void print_quoted(const ct_reference_node *node) {
    char text[CT_PATH_BYTES];
    ct_reference_node_text(node, text);
    putchar('"');
    for (const char *c = text; *c; ++c) {
        if (*c == '"' || *c == '\\')
            putchar('\\');
        putchar((unsigned char)*c < ' ' ? ' ' : *c);
    }
    putchar('"');
}

static void print_arrow(const ct_reference_graph *g, const ct_reference_edge *edge) {
    const uint32_t kind = ct_reference_edge_kind(g, edge);
    printf("  ");
    print_quoted(&g->nodes.items[edge->from]);
    printf(" -> ");
    print_quoted(&g->nodes.items[edge->to]);
    printf("%s\n", kind == CT_MENTION_KIND_LIKELY || kind == CT_MENTION_KIND_PATTERN
                       ? " [style=dashed]"
                       : "");
}

// Marks all that is met from the nodes on.
static void see_all(tree_walk *w, const uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!w->is_seen[nodes[i]])
            enter(w, nodes[i]);
        while (w->steps.count > 0) {
            step *const top = &w->steps.items[w->steps.count - 1];
            if (top->next == top->count) {
                w->neighbours.count = top->first;
                --w->steps.count;
                continue;
            }
            const uint32_t node = w->neighbours.items[top->first + top->next++];
            if (!w->is_seen[node])
                enter(w, node);
        }
    }
}

void ct_deps_dot_print(ct_allocator *a, const ct_reference_graph *graph, const uint32_t *nodes,
                       uint32_t count, bool is_backwards) {
    tree_walk w;
    init_walk(&w, a, graph, is_backwards);
    see_all(&w, nodes, count);
    printf("digraph references {\n  rankdir=LR\n  node [shape=box]\n");
    for (uint32_t i = 0; i < graph->nodes.count; ++i) {
        if (!w.is_seen[i])
            continue;
        printf("  ");
        print_quoted(&graph->nodes.items[i]);
        printf("%s\n", graph->nodes.items[i].type ? "" : " [shape=note]");
    }
    uint32_t *const last_from = CT_NEW_ARRAY(a, uint32_t, graph->nodes.count + 1);
    for (uint32_t i = 0; i < graph->edges.count; ++i) {
        const ct_reference_edge *const e = &graph->edges.items[i];
        if (!w.is_seen[e->from] || !w.is_seen[e->to] || last_from[e->to] == e->from + 1)
            continue;
        last_from[e->to] = e->from + 1;
        print_arrow(graph, e);
    }
    printf("}\n");
}
