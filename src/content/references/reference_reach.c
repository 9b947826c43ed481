#include "content/references/reference_reach.h"

#include <string.h>

#include "foundation/os/path.h"
#include "project/project_setting.h"

// Files of other kinds (notes, an artist's own) are nobody's to name.
static bool is_media_kind(const char *path) {
    static const char *const extensions[] = {"png", "jpg",  "jpeg", "tga", "gltf", "glb",
                                             "bin", "fbx",  "obj",  "mtl", "bvh",  "glsl",
                                             "wav", "flac", "ogg",  "oga", "opus", "mp3"};
    for (uint32_t i = 0; i < CT_COUNT_OF(extensions); ++i) {
        if (strcmp(ct_path_extension(path), extensions[i]) == 0)
            return true;
    }
    return false;
}

static uint32_t settings_node(const ct_reference_graph *g) {
    const uint32_t file = ct_reference_index_find(g->index, CT_SETTINGS_SOURCE);
    return file == UINT32_MAX ? UINT32_MAX : g->node_of_file[file];
}

static void reach_node(ct_reference_reach *r, ct_u32_array *stack, uint32_t node) {
    if (r->is_reached[node])
        return;
    r->is_reached[node] = true;
    ct_array_push(stack, node);
}

// Every package ships, whether a script names it or puts its name together.
static bool is_package(const ct_reference_node *node) {
    return node->type && !node->is_core && strcmp(node->type->name, "package") == 0;
}

static void walk(ct_reference_reach *r, ct_allocator *a, const ct_reference_graph *g) {
    ct_u32_array stack;
    ct_array_init(&stack, a);
    const uint32_t root = settings_node(g);
    if (root != UINT32_MAX)
        reach_node(r, &stack, root);
    for (uint32_t i = 0; i < g->nodes.count; ++i) {
        if (is_package(&g->nodes.items[i]))
            reach_node(r, &stack, i);
    }
    while (stack.count > 0) {
        const ct_reference_node *const node = &g->nodes.items[stack.items[--stack.count]];
        for (uint32_t file = node->first_file + 1; file > 0; file = g->next_variant[file - 1]) {
            for (uint32_t e = g->first_edge[file - 1]; e < g->first_edge[file]; ++e)
                reach_node(r, &stack, g->edges.items[e].to);
        }
    }
}

// True when something that is used names the node, and not just by a wildcard.
static bool is_named(const ct_reference_reach *r, const ct_reference_graph *g, uint32_t node) {
    for (uint32_t i = g->first_in[node]; i < g->first_in[node + 1]; ++i) {
        const ct_reference_edge *const edge = &g->edges.items[g->in_edges[i]];
        if (edge->from != node && r->is_reached[edge->from] &&
            ct_reference_edge_kind(g, edge) != CT_MENTION_KIND_PATTERN)
            return true;
    }
    return false;
}

void ct_reference_reach_find(ct_reference_reach *reach, ct_allocator *a,
                             const ct_reference_graph *graph) {
    const uint32_t root = settings_node(graph);
    reach->is_reached = CT_NEW_ARRAY(a, bool, graph->nodes.count + 1);
    ct_array_init(&reach->dangling, a);
    ct_array_init(&reach->only_wildcards, a);
    ct_array_init(&reach->unnamed_packages, a);
    ct_array_init(&reach->unnamed_media, a);
    walk(reach, a, graph);
    for (uint32_t i = graph->nodes.count; i-- > 0;) { // nodes stand from the last path to the first
        const ct_reference_node *const node = &graph->nodes.items[i];
        if (node->is_core || i == root)
            continue;
        if (!node->type) {
            if (graph->first_in[i] == graph->first_in[i + 1] && is_media_kind(node->name))
                ct_array_push(&reach->unnamed_media, i);
        } else if (!reach->is_reached[i]) {
            ct_array_push(&reach->dangling, i);
        } else if (is_named(reach, graph, i)) {
            continue;
        } else if (is_package(node)) {
            ct_array_push(&reach->unnamed_packages, i);
        } else {
            ct_array_push(&reach->only_wildcards, i);
        }
    }
}
