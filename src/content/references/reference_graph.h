// reference_graph.h: the graph of references, over an index of mentions.
//
// Nodes are the resources (one for all variants of a name) and the media files that are there; an
// edge is a mention of one of them. Nodes, and edges in the order of the files, are arrays of
// structs; by an array of offsets a file has its edges and a node those that lead to it. All of it
// points into the index, which must outlive it. Threads that only read may share it.
#pragma once
#include "content/references/reference_index.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"

typedef struct ct_reference_node {
    const ct_resource_type *type; // NULL: a media file
    const char *name;             // of the resource, without properties; of media the project path
    uint32_t first_file;          // in the index; of the variants the first, by path
    uint32_t num_files;           // 1 for media
    uint32_t next_same_name;      // number of the next resource of this name + 1, whatever its type
    bool is_core;
} ct_reference_node;

typedef struct ct_reference_edge {
    uint32_t from, to; // nodes; `from` is that of the file
    uint32_t file, mention;
} ct_reference_edge;

// A mention of what is not there.
typedef struct ct_reference_missing {
    uint32_t file, mention;
} ct_reference_missing;

typedef struct ct_reference_graph {
    ct_allocator *allocator;
    const ct_reference_index *index;
    ct_source_roots roots;
    CT_ARRAY(ct_reference_node) nodes;
    uint32_t *node_of_file; // of each file of the index
    uint32_t *next_variant; // of each file: number of the node's next file + 1
    CT_ARRAY(ct_reference_edge) edges;
    uint32_t *first_edge;                   // of each file, and the end
    uint32_t *first_in;                     // of each node, and the end: places in `in_edges`
    uint32_t *in_edges;                     // numbers of edges, by the nodes they lead to
    CT_ARRAY(ct_reference_missing) missing; // in the order of the files
    ct_hash_map by_key;                     // from a resource's key to the number of its node + 1
    ct_hash_map by_name; // from a resource's name, or a media file's path, to that + 1
} ct_reference_graph;

// Makes the graph of `index`. Memory comes from `a`, a temp allocator. `roots` as of the update
// that made the index: files that it did not walk to are looked for there before they are missing.
void ct_reference_graph_make(ct_reference_graph *graph, ct_allocator *a,
                             const ct_reference_index *index, ct_source_roots roots);

// The node of a resource, of a media file at a project path, or UINT32_MAX.
uint32_t ct_reference_graph_resource(const ct_reference_graph *graph, const char *type,
                                     const char *name);
uint32_t ct_reference_graph_media(const ct_reference_graph *graph, const char *path);

// Appends the nodes that `text` means: a resource as `name.type`, with properties or without; a
// media file by its path; a folder, and all below it. Returns how many.
uint32_t ct_reference_graph_select(const ct_reference_graph *graph, const char *text,
                                   ct_u32_array *nodes);

// What was probably meant by a text that selects nothing: as people write it, from the graph's
// allocator; NULL when nothing is near.
const char *ct_reference_graph_nearest(ct_reference_graph *graph, const char *text);

// The same of what a mention names: a name, or the path of media.
const char *ct_reference_graph_meant(ct_reference_graph *graph,
                                     const ct_reference_mention *mention);

// How a mention says it: a sure reference, a likely one, or a package's wildcard.
static inline uint32_t ct_reference_edge_kind(const ct_reference_graph *graph,
                                              const ct_reference_edge *edge) {
    return ct_reference_mentions(graph->index)[edge->mention].kind;
}

// Writes a node's name as people read it: "textures/rose.texture".
void ct_reference_node_text(const ct_reference_node *node, char text[CT_PATH_BYTES]);
