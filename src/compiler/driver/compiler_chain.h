// compiler_chain.h: the graph of references, built when errors are reported.
//
// The graph has an edge for each reference that a resource's own source makes. Chains are shortest
// ways down to a resource: from a level if one leads there, else from a package, else from a
// resource without references to it; of several, the one from the first root by type and name
// and by the first reference. The graph lives as long as the report.
#pragma once
#include "compiler/driver/compiler_run.h"

enum { CT_CHAIN_NUM_ROOTS = 3 };

// A reference to resource `to`, by its place in the source that refers.
typedef struct ct_chain_edge {
    uint32_t to, line, column;
} ct_chain_edge;

typedef struct ct_chain_graph {
    const ct_run *run;
    uint32_t *first_edges;                 // of each resource, and one more
    CT_ARRAY(ct_chain_edge) edges;         // by referring resource
    uint32_t *num_referrers;               // of each resource, packages not counted
    uint32_t *parents[CT_CHAIN_NUM_ROOTS]; // by kind of root: position + 1 of the resource that
                                           // leads to each; NULL: not built yet
    ct_hash_map by_source;                 // path's hash to position + 1
} ct_chain_graph;

// Builds the graph, all from the run's allocator. Linear in the number of references.
void ct_chain_graph_init(ct_chain_graph *graph, const ct_run *run);

// Returns the resource whose source is `path`, or `otherwise`.
uint32_t ct_chain_graph_owner(const ct_chain_graph *graph, const char *path, uint32_t otherwise);

// Returns the name of resource `at` with its type, allocated from `a`.
char *ct_chain_graph_name(const ct_chain_graph *graph, uint32_t at, ct_allocator *a);

// Appends the names from a root down to resource `at` to `names`, allocated from `a`: the root's
// with its type, `at`'s last. Returns how many; 0 when nothing refers to the resource. `num_others`
// is set to the number of other resources that refer to it, packages not counted.
uint32_t ct_chain_graph_names(ct_chain_graph *graph, uint32_t at, ct_allocator *a,
                              ct_string_array *names, uint32_t *num_others);

typedef CT_ARRAY(ct_compile_fault) ct_compile_fault_array;

// Appends an error for each circle of references among the resources whose is_member is set. The
// error is at the reference that closes the circle, and its message is `what` and the way from the
// first name back to it.
void ct_chain_graph_circles(const ct_chain_graph *graph, const bool *is_member, const char *what,
                            ct_compile_fault_array *circles);

// Adds an error to one script of each circle of scripts that require each other while they load, and
// to one of each circle of sound events whose markers play each other.
void ct_run_refuse_circles(ct_run *run);
