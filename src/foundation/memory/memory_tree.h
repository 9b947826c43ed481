// memory_tree.h: which allocator stands on which: for ct_memory_visit, for numbers that include
// what stands on an allocator, and for its path.
//
// Nodes live inside the allocators they name (root allocators and proxies), linked under one lock,
// which the thread that holds it may take again.
#pragma once
#include "foundation/memory/allocator_counters.h"

typedef struct ct_memory_node {
    ct_allocator *allocator;
    ct_allocator_counters *counters; // NULL: the allocator counts by itself, nothing stands on it
    struct ct_memory_node *parent, *first_child, *next_sibling;
} ct_memory_node;

enum { CT_MEMORY_PATH_BYTES = 512 };

// Starts an empty tree, and ends it; on the main thread, within ct_memory_init and _shutdown.
void ct_memory_tree_init(void);
void ct_memory_tree_shutdown(void);

// Around what must see the tree as it is.
void ct_memory_tree_lock(void);
void ct_memory_tree_unlock(void);

// Adds `a` below `parent`, or as a root when that is NULL. `node` is filled and linked until it is
// removed. Any thread.
void ct_memory_tree_add(ct_memory_node *node, ct_allocator *a, ct_allocator_counters *counters,
                        ct_memory_node *parent);

// Takes the node out; what it counted stays in the numbers of those it stood on. No other thread
// may use its allocator, and nothing may stand on it. Any thread.
void ct_memory_tree_remove(ct_memory_node *node);

// Fails when an allocator stands on that of `node`; the report names it.
void ct_memory_tree_assert_no_children(ct_memory_node *node);

// The numbers of a node's allocator and all that stands on it.
ct_allocator_stats ct_memory_tree_stats(const ct_memory_node *node);

// The node after `node` in its tree, parents before children, or NULL at the end; `depth` goes
// along. NULL for the first. Under the lock.
ct_memory_node *ct_memory_tree_next(const ct_memory_node *node, uint32_t *depth);

// Writes the path, from the proxy on a root down: `cuttle/world/physics`. A name may repeat the end
// of the path it stands on (`world/physics` over `world`); that is not doubled. A root's path is
// its name. While the node lives.
void ct_memory_tree_path(const ct_memory_node *node, char path[CT_MEMORY_PATH_BYTES]);

// Whether `path` is `name` or ends in `/name`.
bool ct_memory_path_matches(const char *path, const char *name);

// As ct_memory_path_matches for one of the names in a list with commas between; NULL is an empty
// list.
bool ct_memory_path_matches_any(const char *path, const char *names);
