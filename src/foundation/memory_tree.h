// memory_tree.h: which allocator stands on which, for ct_memory_visit.
//
// Nodes live inside the allocators they name (root allocators and proxies), linked under one lock.
#pragma once
#include "foundation/allocator.h"

typedef struct ct_memory_node {
    ct_allocator *allocator;
    struct ct_memory_node *parent, *first_child, *next_sibling;
} ct_memory_node;

// Starts an empty tree, and ends it; on the main thread, within ct_memory_init and _shutdown.
void ct_memory_tree_init(void);
void ct_memory_tree_shutdown(void);

// Adds `a` below the node of `backing`, or as a root when that is NULL or not in the tree. `node`
// is filled and linked until it is removed. Any thread.
void ct_memory_tree_add(ct_memory_node *node, ct_allocator *a, ct_allocator *backing);

// Takes the node out. An allocator that still stands on it is a bug: the report names it. Any
// thread.
void ct_memory_tree_remove(ct_memory_node *node);
