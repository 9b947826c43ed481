// memory_tree.h: the tree of allocators, where a proxy is a child of its backing allocator. It
// serves ct_memory_visit, numbers that include an allocator's descendants, and its path.
//
// Nodes are part of their allocators (root allocators and proxies) and linked under one lock. The
// thread that holds the lock may take it again.
#pragma once
#include "foundation/memory/allocator_counters.h"

typedef struct ct_memory_node {
    ct_allocator *allocator;
    ct_allocator_counters *counters; // NULL: the allocator counts by itself and has no children
    struct ct_memory_node *parent, *first_child, *next_sibling;
} ct_memory_node;

enum { CT_MEMORY_PATH_BYTES = 512 };

// Start an empty tree and end it; on the main thread, within ct_memory_init and _shutdown.
void ct_memory_tree_init(void);
void ct_memory_tree_shutdown(void);

// Lock and unlock the tree, so that it does not change in between.
void ct_memory_tree_lock(void);
void ct_memory_tree_unlock(void);

// Adds `a` below `parent`, or as a root when that is NULL. Fills `node`, which stays linked until
// it is removed. Any thread.
void ct_memory_tree_add(ct_memory_node *node, ct_allocator *a, ct_allocator_counters *counters,
                        ct_memory_node *parent);

// Removes the node; its counts stay in the numbers of its ancestors. No other thread may use its
// allocator, and it may have no children. Any thread.
void ct_memory_tree_remove(ct_memory_node *node);

// Fails when `node` has a child; the report names the child.
void ct_memory_tree_assert_no_children(ct_memory_node *node);

// Returns the numbers of a node's allocator, descendants included.
ct_allocator_stats ct_memory_tree_stats(const ct_memory_node *node);

// Returns the node after `node`, parents before children, or NULL at the end; for NULL, the first.
// Keeps `depth` up to date. Call it under the lock.
ct_memory_node *ct_memory_tree_next(const ct_memory_node *node, uint32_t *depth);

// Writes the path, which starts with the proxy over a root: `cuttle/world/physics`. A name may
// repeat the end of its parent's path (`world/physics` over `world`); the path has that part only
// once. A root's path is its name. Call it while the node lives.
void ct_memory_tree_path(const ct_memory_node *node, char path[CT_MEMORY_PATH_BYTES]);

// Returns whether `path` is `name` or ends in `/name`.
bool ct_memory_path_matches(const char *path, const char *name);

// Returns whether ct_memory_path_matches is true for a name in the comma-separated list `names`;
// NULL is an empty list.
bool ct_memory_path_matches_any(const char *path, const char *names);
