#include "foundation/memory_tree.h"

#include <inttypes.h>

#include "foundation/error.h"
#include "foundation/memory.h"
#include "foundation/os.h"

static struct {
    ct_mutex lock;
    bool is_started;
    ct_memory_node *first_root;
} tree;

void ct_memory_tree_init(void) {
    ct_mutex_init(&tree.lock);
    tree.first_root = NULL;
    tree.is_started = true;
}

void ct_memory_tree_shutdown(void) {
    CT_ASSERT(!tree.first_root, "allocator \"%s\" outlives the root allocators",
              tree.first_root->allocator->name);
    tree.is_started = false;
    ct_mutex_shutdown(&tree.lock);
}

// The node after `node`, parents before children; NULL at the end.
static ct_memory_node *next_node(const ct_memory_node *node, uint32_t *depth) {
    if (node->first_child) {
        ++*depth;
        return node->first_child;
    }
    while (!node->next_sibling && node->parent) {
        node = node->parent;
        --*depth;
    }
    return node->next_sibling;
}

static ct_memory_node *find_node(const ct_allocator *a) {
    uint32_t depth = 0;
    for (ct_memory_node *n = tree.first_root; n; n = next_node(n, &depth))
        if (n->allocator == a)
            return n;
    return NULL;
}

static ct_memory_node **first_sibling(const ct_memory_node *node) {
    return node->parent ? &node->parent->first_child : &tree.first_root;
}

void ct_memory_tree_add(ct_memory_node *node, ct_allocator *a, ct_allocator *backing) {
    CT_ASSERT(tree.is_started, "allocator \"%s\" is made before ct_memory_init", a->name);
    ct_mutex_lock(&tree.lock);
    *node = (ct_memory_node){.allocator = a, .parent = backing ? find_node(backing) : NULL};
    ct_memory_node **link = first_sibling(node);
    while (*link)
        link = &(*link)->next_sibling;
    *link = node;
    ct_mutex_unlock(&tree.lock);
}

static void assert_nothing_stands_on(const ct_memory_node *node) {
    if (!node->first_child)
        return;
    ct_allocator *child = node->first_child->allocator;
    const ct_allocator_stats stats = ct_allocator_stats_of(child);
    CT_ASSERT(!node->first_child,
              "allocator \"%s\" ends before \"%s\", which stands on it and holds %" PRIu64
              " blocks, %" PRIu64 " bytes",
              node->allocator->name, child->name, stats.live_blocks, stats.live_bytes);
}

void ct_memory_tree_remove(ct_memory_node *node) {
    ct_mutex_lock(&tree.lock);
    assert_nothing_stands_on(node);
    ct_memory_node **link = first_sibling(node);
    while (*link != node)
        link = &(*link)->next_sibling;
    *link = node->next_sibling;
    ct_mutex_unlock(&tree.lock);
}

void ct_memory_visit(void (*visit)(void *user, const char *name, uint32_t depth,
                                   ct_allocator_stats stats),
                     void *user) {
    ct_mutex_lock(&tree.lock);
    uint32_t depth = 0;
    for (ct_memory_node *n = tree.first_root; n; n = next_node(n, &depth))
        visit(user, n->allocator->name, depth, ct_allocator_stats_of(n->allocator));
    ct_mutex_unlock(&tree.lock);
}
