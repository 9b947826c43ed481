#include "content/references/reference_graph.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/types/package_resource.h"

static uint64_t name_key(const char *name) {
    return ct_string_id64_of(name).value;
}

static uint64_t resource_key(const ct_resource_type *type, const char *name) {
    return ct_resource_id_key((ct_resource_id){type->id, ct_string_id64_of(name)});
}

// --- Nodes ---------------------------------------------------------------------------------------

static uint32_t find_resource(const ct_reference_graph *g, const ct_resource_type *type,
                              const char *name) {
    const uint64_t at = ct_hash_map_get(&g->by_key, resource_key(type, name), 0);
    const ct_reference_node *const node = at ? &g->nodes.items[at - 1] : NULL;
    return node && node->type == type && strcmp(node->name, name) == 0 ? (uint32_t)at - 1
                                                                       : UINT32_MAX;
}

uint32_t ct_reference_graph_resource(const ct_reference_graph *graph, const char *type,
                                     const char *name) {
    const ct_resource_type *const known = ct_resource_type_named(type);
    return known ? find_resource(graph, known, name) : UINT32_MAX;
}

uint32_t ct_reference_graph_media(const ct_reference_graph *graph, const char *path) {
    // A resource may bear the name of media that has no extension.
    uint64_t at = ct_hash_map_get(&graph->by_name, name_key(path), 0);
    while (at > 0 && graph->nodes.items[at - 1].type)
        at = graph->nodes.items[at - 1].next_same_name;
    return at > 0 && strcmp(graph->nodes.items[at - 1].name, path) == 0 ? (uint32_t)at - 1
                                                                        : UINT32_MAX;
}

static uint32_t add_node(ct_reference_graph *g, uint32_t file, const ct_resource_type *type,
                         const char *name) {
    const uint32_t number = g->nodes.count;
    const uint64_t same_name = ct_hash_map_get(&g->by_name, name_key(name), 0);
    ct_array_push(&g->nodes, (ct_reference_node){.type = type,
                                                 .name = name,
                                                 .first_file = file,
                                                 .next_same_name = (uint32_t)same_name,
                                                 .is_core = file >= g->index->num_project});
    ct_hash_map_set(&g->by_name, name_key(name), number + 1);
    if (type)
        ct_hash_map_set(&g->by_key, resource_key(type, name), number + 1);
    return number;
}

// Files are met from the last to the first, so that the chain of variants runs in their order.
static void add_file(ct_reference_graph *g, uint32_t file) {
    const ct_reference_file *const f = &ct_reference_files(g->index)[file];
    const char *const path = ct_reference_text(g->index, f->path);
    const ct_resource_type *const type = ct_content_type_of(path);
    char name[CT_PATH_BYTES];
    uint32_t node = UINT32_MAX;
    if (type) {
        ct_content_resource_name(path, type, name);
        node = find_resource(g, type, name);
    }
    if (node == UINT32_MAX)
        node = add_node(g, file, type, type ? ct_copy_string(g->allocator, name) : path);
    ct_reference_node *const n = &g->nodes.items[node];
    g->next_variant[file] = n->num_files > 0 ? n->first_file + 1 : 0;
    n->first_file = file;
    ++n->num_files;
    g->node_of_file[file] = node;
}

static void add_nodes(ct_reference_graph *g) {
    const uint32_t count = g->index->files.count;
    g->node_of_file = CT_NEW_ARRAY(g->allocator, uint32_t, count + 1);
    g->next_variant = CT_NEW_ARRAY(g->allocator, uint32_t, count + 1);
    ct_array_reserve(&g->nodes, count);
    ct_hash_map_reserve(&g->by_key, count);
    ct_hash_map_reserve(&g->by_name, count);
    for (uint32_t i = count; i-- > 0;)
        add_file(g, i);
}

// --- Edges ---------------------------------------------------------------------------------------

static void add_edge(ct_reference_graph *g, uint32_t file, uint32_t mention, uint32_t to) {
    ct_array_push(&g->edges,
                  (ct_reference_edge){
                      .from = g->node_of_file[file], .to = to, .file = file, .mention = mention});
}

// True for a file that the walk passes over, behind a link or hidden.
static bool is_elsewhere(const ct_reference_graph *g, const char *path) {
    char file[CT_PATH_BYTES];
    return ct_source_locate(&g->roots, path, file) &&
           ct_os_file_info(file).kind == CT_FILE_KIND_FILE;
}

static void add_missing(ct_reference_graph *g, uint32_t file, uint32_t mention) {
    ct_array_push(&g->missing, (ct_reference_missing){file, mention});
}

static void resolve_media(ct_reference_graph *g, uint32_t file, uint32_t mention,
                          const ct_reference_mention *m) {
    const char *const path = ct_reference_text(g->index, m->name);
    const uint32_t node = ct_reference_graph_media(g, path);
    if (node != UINT32_MAX)
        add_edge(g, file, mention, node);
    else if (!(m->flags & CT_MENTION_OPTIONAL) && !is_elsewhere(g, path))
        add_missing(g, file, mention);
}

static void resolve_likely(ct_reference_graph *g, uint32_t file, uint32_t mention,
                           const ct_reference_mention *m) {
    const char *const name = ct_reference_text(g->index, m->name);
    uint64_t at = ct_hash_map_get(&g->by_name, name_key(name), 0);
    for (; at > 0; at = g->nodes.items[at - 1].next_same_name) {
        const ct_reference_node *const node = &g->nodes.items[at - 1];
        if (node->type && strcmp(node->name, name) == 0)
            add_edge(g, file, mention, (uint32_t)at - 1);
    }
}

static void resolve_pattern(ct_reference_graph *g, uint32_t file, uint32_t mention,
                            const ct_reference_mention *m) {
    const char *const pattern = ct_reference_text(g->index, m->name);
    const ct_resource_type *const type = ct_reference_type(m);
    for (uint32_t i = 0; i < g->nodes.count; ++i) {
        const ct_reference_node *const node = &g->nodes.items[i];
        if (node->type == type && i != g->node_of_file[file] &&
            ct_package_pattern_matches(pattern, node->name))
            add_edge(g, file, mention, i);
    }
}

static void resolve(ct_reference_graph *g, uint32_t file, uint32_t mention) {
    const ct_reference_mention *const m = &ct_reference_mentions(g->index)[mention];
    uint32_t node;
    switch ((ct_mention_kind)m->kind) {
    case CT_MENTION_KIND_RESOURCE:
        node = find_resource(g, ct_reference_type(m), ct_reference_text(g->index, m->name));
        if (node != UINT32_MAX)
            add_edge(g, file, mention, node);
        else
            add_missing(g, file, mention);
        break;
    case CT_MENTION_KIND_PATTERN:
        resolve_pattern(g, file, mention, m);
        break;
    case CT_MENTION_KIND_MEDIA:
        resolve_media(g, file, mention, m);
        break;
    case CT_MENTION_KIND_LIKELY:
        resolve_likely(g, file, mention, m);
        break;
    case CT_NUM_MENTION_KINDS:
        break;
    }
}

static void add_edges(ct_reference_graph *g) {
    const uint32_t count = g->index->files.count;
    g->first_edge = CT_NEW_ARRAY(g->allocator, uint32_t, count + 1);
    ct_array_reserve(&g->edges, g->index->mentions.count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_reference_file *const f = &ct_reference_files(g->index)[i];
        g->first_edge[i] = g->edges.count;
        for (uint32_t k = 0; k < f->num_mentions; ++k)
            resolve(g, i, f->first_mention + k);
    }
    g->first_edge[count] = g->edges.count;
}

// A counting sort by target, from the last edge to the first so that it keeps their order.
static void sort_in_edges(ct_reference_graph *g) {
    g->first_in = CT_NEW_ARRAY(g->allocator, uint32_t, g->nodes.count + 1);
    g->in_edges = CT_NEW_ARRAY(g->allocator, uint32_t, g->edges.count + 1);
    for (uint32_t i = 0; i < g->edges.count; ++i)
        ++g->first_in[g->edges.items[i].to];
    for (uint32_t i = 1; i <= g->nodes.count; ++i)
        g->first_in[i] += g->first_in[i - 1]; // the ends
    for (uint32_t i = g->edges.count; i-- > 0;)
        g->in_edges[--g->first_in[g->edges.items[i].to]] = i;
}

void ct_reference_graph_make(ct_reference_graph *graph, ct_allocator *a,
                             const ct_reference_index *index, ct_source_roots roots) {
    *graph = (ct_reference_graph){.allocator = a,
                                  .index = index,
                                  .roots = roots,
                                  .by_key.allocator = a,
                                  .by_name.allocator = a};
    ct_array_init(&graph->nodes, a);
    ct_array_init(&graph->edges, a);
    ct_array_init(&graph->missing, a);
    add_nodes(graph);
    add_edges(graph);
    sort_in_edges(graph);
}

// --- Selecting -----------------------------------------------------------------------------------

static bool lies_below(const char *name, const char *folder, size_t length) {
    return strncmp(name, folder, length) == 0 && name[length] == '/';
}

uint32_t ct_reference_graph_select(const ct_reference_graph *graph, const char *text,
                                   ct_u32_array *nodes) {
    const uint32_t count_before = nodes->count;
    const ct_resource_type *const type = ct_content_type_of(text);
    char name[CT_PATH_BYTES];
    uint32_t node = UINT32_MAX;
    if (strlen(text) >= CT_PATH_BYTES)
        return 0;
    if (type) {
        ct_content_resource_name(text, type, name);
        node = find_resource(graph, type, name);
    } else {
        node = ct_reference_graph_media(graph, text);
    }
    if (node != UINT32_MAX)
        ct_array_push(nodes, node);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '/')
        --length;
    for (uint32_t i = graph->nodes.count; node == UINT32_MAX && length > 0 && i-- > 0;) {
        if (lies_below(graph->nodes.items[i].name, text, length))
            ct_array_push(nodes, i);
    }
    return nodes->count - count_before;
}

void ct_reference_node_text(const ct_reference_node *node, char text[CT_PATH_BYTES]) {
    snprintf(text, CT_PATH_BYTES, "%.*s%s%s", CT_PATH_BYTES - 64, node->name, node->type ? "." : "",
             node->type ? node->type->name : "");
}

const char *ct_reference_graph_nearest(ct_reference_graph *graph, const char *text) {
    const char **const names = CT_NEW_ARRAY(graph->allocator, const char *, graph->nodes.count + 1);
    for (uint32_t i = 0; i < graph->nodes.count; ++i) {
        char name[CT_PATH_BYTES];
        ct_reference_node_text(&graph->nodes.items[i], name);
        names[i] = ct_copy_string(graph->allocator, name);
    }
    const char *const found = ct_nearest_resource_name(text, names, graph->nodes.count);
    for (uint32_t i = 0; !found && i < graph->nodes.count; ++i) { // its type was left out
        const ct_reference_node *const node = &graph->nodes.items[i];
        if (node->type && strcmp(node->name, text) == 0)
            return names[i];
    }
    return found;
}

const char *ct_reference_graph_meant(ct_reference_graph *graph,
                                     const ct_reference_mention *mention) {
    const ct_resource_type *const type = ct_reference_type(mention);
    const char **const names = CT_NEW_ARRAY(graph->allocator, const char *, graph->nodes.count + 1);
    uint32_t count = 0;
    for (uint32_t i = graph->nodes.count; i-- > 0;) {
        if (graph->nodes.items[i].type == type)
            names[count++] = graph->nodes.items[i].name;
    }
    const char *const found =
        ct_nearest_resource_name(ct_reference_text(graph->index, mention->name), names, count);
    ct_free(graph->allocator, names);
    return found;
}
