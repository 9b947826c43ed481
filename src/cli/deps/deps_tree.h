// deps_tree.h: prints the references of some resources, at any depth, as a tree or for Graphviz.
#pragma once
#include "content/references/reference_graph.h"

// Prints the tree below each of `count` nodes: what they refer to, or, backwards, what refers to
// them; two more spaces for each step. A node that was printed before is followed by `…` and its
// tree is left out. Memory is from `a`.
void ct_deps_tree_print(ct_allocator *a, const ct_reference_graph *graph, const uint32_t *nodes,
                        uint32_t count, bool is_backwards);

// Prints the same references as a graph in the language of Graphviz's dot: an arrow from the node
// that refers to the other; dashed when the reference is only likely or by a wildcard.
void ct_deps_dot_print(ct_allocator *a, const ct_reference_graph *graph, const uint32_t *nodes,
                       uint32_t count, bool is_backwards);
