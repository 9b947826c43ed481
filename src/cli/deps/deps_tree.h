// deps_tree.h: the references from some resources on, at whatever depth, as a tree or for Graphviz.
#pragma once
#include "content/references/reference_graph.h"

// Prints the tree below each of `count` nodes: what they refer to, or, backwards, who refers to
// them; two spaces more for each step. What was printed before is followed by `…` and not again by
// what is below it. Memory from `a`.
void ct_deps_tree_print(ct_allocator *a, const ct_reference_graph *graph, const uint32_t *nodes,
                        uint32_t count, bool is_backwards);

// Prints the same references as a graph in the language of Graphviz's dot: an arrow from who refers
// to what is referred to; dashed where it is likely or by a wildcard.
void ct_deps_dot_print(ct_allocator *a, const ct_reference_graph *graph, const uint32_t *nodes,
                       uint32_t count, bool is_backwards);
