#include "foundation/memory/memory_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/os/os.h"

static struct {
    ct_mutex lock;
    bool is_started;
    ct_memory_node *first_root;
} tree;

static _Thread_local uint32_t lock_depth;

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

void ct_memory_tree_lock(void) {
    if (tree.is_started && lock_depth++ == 0)
        ct_mutex_lock(&tree.lock);
}

void ct_memory_tree_unlock(void) {
    if (tree.is_started && --lock_depth == 0)
        ct_mutex_unlock(&tree.lock);
}

// --- Links ---------------------------------------------------------------------------------------

ct_memory_node *ct_memory_tree_next(const ct_memory_node *node, uint32_t *depth) {
    if (!node) {
        *depth = 0;
        return tree.first_root;
    }
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

static ct_memory_node **first_sibling(const ct_memory_node *node) {
    return node->parent ? &node->parent->first_child : &tree.first_root;
}

void ct_memory_tree_add(ct_memory_node *node, ct_allocator *a, ct_allocator_counters *counters,
                        ct_memory_node *parent) {
    CT_ASSERT(tree.is_started, "allocator \"%s\" is created before ct_memory_init", a->name);
    ct_memory_tree_lock();
    *node = (ct_memory_node){.allocator = a, .counters = counters, .parent = parent};
    if (counters && parent)
        counters->parent = parent->counters;
    ct_memory_node **link = first_sibling(node);
    while (*link)
        link = &(*link)->next_sibling;
    *link = node;
    ct_memory_tree_unlock();
}

void ct_memory_tree_remove(ct_memory_node *node) {
    ct_memory_tree_lock();
    if (node->counters)
        ct_allocator_counters_flush_all(node->counters);
    ct_memory_node **link = first_sibling(node);
    while (*link != node)
        link = &(*link)->next_sibling;
    *link = node->next_sibling;
    ct_memory_tree_unlock();
}

void ct_memory_tree_assert_no_children(ct_memory_node *node) {
    ct_memory_tree_lock();
    const ct_memory_node *const child = node->first_child;
    ct_memory_tree_unlock();
    if (!child)
        return;
    const ct_allocator_stats stats = ct_memory_tree_stats(child);
    CT_ASSERT(!child,
              "allocator \"%s\" is destroyed before \"%s\", which uses it and holds %" PRIu64
              " blocks, %" PRIu64 " bytes",
              node->allocator->name, child->allocator->name, stats.live_blocks, stats.live_bytes);
}

// --- Numbers -------------------------------------------------------------------------------------

static void add_cells(const ct_memory_node *node, ct_counter_sum *sum) {
    if (node->counters)
        ct_allocator_counters_add_cells(node->counters, sum);
    for (const ct_memory_node *n = node->first_child; n; n = n->next_sibling)
        add_cells(n, sum);
}

ct_allocator_stats ct_memory_tree_stats(const ct_memory_node *node) {
    ct_allocator_stats stats;
    if (!node->counters) {
        node->allocator->stats(node->allocator, &stats);
        return stats;
    }
    ct_counter_sum sum = {0};
    ct_memory_tree_lock();
    add_cells(node, &sum);
    stats = ct_allocator_counters_stats(node->counters, &sum);
    ct_memory_tree_unlock();
    return stats;
}

void ct_memory_visit(void (*visit)(void *user, const char *name, uint32_t depth,
                                   ct_allocator_stats stats),
                     void *user) {
    ct_memory_tree_lock();
    uint32_t depth = 0;
    for (ct_memory_node *n = NULL; (n = ct_memory_tree_next(n, &depth));)
        visit(user, n->allocator->name, depth, ct_allocator_stats_of(n->allocator));
    ct_memory_tree_unlock();
}

// --- Paths ---------------------------------------------------------------------------------------

// How much of `name`, up to a slash, repeats the end of `path`.
static size_t repeated_length(const char *path, const char *name) {
    const size_t path_length = strlen(path);
    size_t longest = 0;
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        const size_t length = (size_t)(slash - name);
        if (length > path_length)
            break;
        const char *const end = path + path_length - length;
        if (memcmp(end, name, length) == 0 && (end == path || end[-1] == '/'))
            longest = length;
    }
    return longest;
}

void ct_memory_tree_path(const ct_memory_node *node, char path[CT_MEMORY_PATH_BYTES]) {
    const char *const name = node->allocator->name;
    const bool stands_on_root = !node->parent || !node->parent->parent;
    path[0] = 0;
    if (!stands_on_root)
        ct_memory_tree_path(node->parent, path);
    const size_t repeated = repeated_length(path, name);
    const size_t length = strlen(path);
    snprintf(path + length, CT_MEMORY_PATH_BYTES - length, "%s%s",
             length > 0 && repeated == 0 ? "/" : "", name + repeated);
}

static bool matches(const char *path, const char *name, size_t name_length) {
    const size_t length = strlen(path);
    if (name_length == 0 || name_length > length)
        return false;
    const char *const end = path + length - name_length;
    return memcmp(end, name, name_length) == 0 && (end == path || end[-1] == '/');
}

bool ct_memory_path_matches(const char *path, const char *name) {
    return matches(path, name, strlen(name));
}

bool ct_memory_path_matches_any(const char *path, const char *names) {
    while (names) {
        const char *const comma = strchr(names, ',');
        if (matches(path, names, comma ? (size_t)(comma - names) : strlen(names)))
            return true;
        names = comma ? comma + 1 : NULL;
    }
    return false;
}
