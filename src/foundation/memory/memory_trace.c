// ct_memory_trace and its report (memory.h), too.
#include "foundation/memory/memory_trace.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/container/sort.h"
#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/memory/block_table.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/stack_table.h"

// --- Names ---------------------------------------------------------------------------------------

// The path may also be told from the root down, as the console shows it.
static bool is_named(const ct_memory_node *node, const char *name) {
    char path[CT_MEMORY_PATH_BYTES];
    ct_memory_tree_path(node, path);
    if (ct_memory_path_matches(path, name))
        return true;
    const ct_memory_node *root = node;
    while (root->parent)
        root = root->parent;
    const size_t length = strlen(root->allocator->name);
    return root != node && strncmp(name, root->allocator->name, length) == 0 &&
           name[length] == '/' && strcmp(name + length + 1, path) == 0;
}

// Whether `node` or one that it stands on has the name.
static bool is_meant(const ct_memory_node *node, const char *name) {
    while (node && !is_named(node, name))
        node = node->parent;
    return node != NULL;
}

static bool can_be_traced(const ct_memory_node *node) {
    const ct_counted_allocator *const c = ct_counted_allocator_of_node(node);
    return c && c->can_be_traced;
}

static bool no_such_allocator(const char *name, ct_error *error) {
    char names[CT_ERROR_MESSAGE_BYTES / 2] = "";
    size_t length = 0;
    uint32_t depth = 0;
    for (ct_memory_node *n = NULL; (n = ct_memory_tree_next(n, &depth));) {
        char path[CT_MEMORY_PATH_BYTES];
        ct_memory_tree_path(n, path);
        const size_t path_length = strlen(path);
        if (!can_be_traced(n) || length + path_length + 3 > sizeof(names))
            continue;
        if (length > 0) {
            memcpy(names + length, ", ", 2);
            length += 2;
        }
        memcpy(names + length, path, path_length + 1);
        length += path_length;
    }
    return ct_error_set(error, "unknown allocator \"%.200s\"; the allocators are %s", name, names);
}

// The next allocator after `node` (NULL: the first) that `name` means.
static ct_memory_node *next_meant(ct_memory_node *node, const char *name, uint32_t *depth) {
    while ((node = ct_memory_tree_next(node, depth)))
        if (can_be_traced(node) && is_meant(node, name))
            return node;
    return NULL;
}

// --- The switch ----------------------------------------------------------------------------------

static void switch_one(ct_counted_allocator *c, bool is_on) {
    ct_counted_allocator_set_traced(c, is_on);
    if (!ct_counted_allocator_keeps_blocks(c))
        ct_block_table_forget(c);
}

bool ct_memory_trace(const char *name, bool is_on, ct_error *error) {
    uint32_t depth = 0, num_switched = 0;
    ct_memory_tree_lock();
    for (ct_memory_node *n = NULL; (n = next_meant(n, name, &depth)); ++num_switched)
        switch_one(ct_counted_allocator_of_node(n), is_on);
    if (num_switched == 0)
        no_such_allocator(name, error);
    ct_memory_tree_unlock();
    return num_switched > 0;
}

// --- The report ----------------------------------------------------------------------------------

enum { MAX_REPORTED_STACKS = 64, STACK_TEXT_BYTES = 8192 };

typedef struct stack_total {
    uint64_t num_bytes, num_blocks;
    uint32_t stack;
} stack_total;

typedef struct totals {
    ct_hash_map owners;    // the addresses of the traced allocators that are meant
    stack_total *of_stack; // by number; [0] is what has none
    uint32_t num_stacks;
} totals;

static void count_block(void *user, const ct_block *block) {
    const totals *const t = user;
    if (block->stack == 0 || block->stack > t->num_stacks ||
        !ct_hash_map_get(&t->owners, (uint64_t)block->owner, 0))
        return;
    ++t->of_stack[block->stack].num_blocks;
    t->of_stack[block->stack].num_bytes += block->size_bytes;
}

// Judges each allocator once, as it takes its path. Under the lock of the tree.
static bool find_owners(const char *name, ct_hash_map *owners, ct_error *error) {
    uint32_t depth = 0, num_meant = 0;
    for (ct_memory_node *n = NULL; (n = next_meant(n, name, &depth)); ++num_meant) {
        const ct_counted_allocator *const c = ct_counted_allocator_of_node(n);
        if (ct_counted_has(c, CT_COUNTED_REASON_TRACED))
            ct_hash_map_set(owners, (uint64_t)c, 1);
    }
    if (num_meant == 0)
        return no_such_allocator(name, error);
    return owners->count > 0 || ct_error_set(error, "allocator \"%.200s\" is not traced", name);
}

// Brings the stacks that have blocks to the front; returns how many they are.
static uint32_t keep_used(stack_total *of_stack, uint32_t count) {
    uint32_t num_used = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (of_stack[i].num_blocks > 0)
            of_stack[num_used++] = of_stack[i];
    return num_used;
}

static void visit_stack(const stack_total *total,
                        void (*visit)(void *user, const ct_memory_traced_stack *stack),
                        void *user) {
    uint64_t frames[CT_STACK_TABLE_FRAMES];
    const uint32_t count = ct_stack_table_get(total->stack, frames);
    char lines[STACK_TEXT_BYTES];
    ct_crash_format_stack(lines, sizeof(lines), frames, count, "");
    visit(user, &(ct_memory_traced_stack){total->num_bytes, total->num_blocks, lines});
}

// Most bytes first.
static void visit_stacks(const stack_total *used, uint32_t count, uint32_t most,
                         void (*visit)(void *user, const ct_memory_traced_stack *stack), void *user,
                         ct_allocator *a) {
    uint64_t *const keys = CT_NEW_ARRAY(a, uint64_t, count);
    uint32_t *const order = CT_NEW_ARRAY(a, uint32_t, count);
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = ~used[i].num_bytes;
    ct_sort_order64(keys, order, count, a);
    for (uint32_t i = 0; i < count && i < most; ++i)
        visit_stack(&used[order[i]], visit, user);
    ct_free(a, keys);
    ct_free(a, order);
}

static void sum_up(const stack_total *used, uint32_t count, ct_memory_traced_sums *sums) {
    *sums = (ct_memory_traced_sums){.num_stacks = count};
    for (uint32_t i = 0; i < count; ++i) {
        sums->num_bytes += used[i].num_bytes;
        sums->num_blocks += used[i].num_blocks;
    }
}

bool ct_memory_trace_visit(const char *name, uint32_t most, ct_memory_traced_sums *sums,
                           void (*visit)(void *user, const ct_memory_traced_stack *stack),
                           void *user, ct_error *error) {
    ct_allocator *const a = ct_memory_pages(); // not the caller's: that may be the traced one
    totals t = {.num_stacks = ct_stack_table_count()};
    const uint32_t num_totals = t.num_stacks + 1;
    ct_hash_map_init(&t.owners, a);
    t.of_stack = CT_NEW_ARRAY(a, stack_total, num_totals);
    for (uint32_t i = 0; i < num_totals; ++i)
        t.of_stack[i].stack = i;
    ct_memory_tree_lock(); // so that owners live
    const bool is_traced = find_owners(name, &t.owners, error);
    if (is_traced)
        ct_block_table_visit(count_block, &t);
    ct_memory_tree_unlock();
    if (is_traced) {
        const uint32_t num_used = keep_used(t.of_stack, num_totals);
        sum_up(t.of_stack, num_used, sums);
        visit_stacks(t.of_stack, num_used, most, visit, user, a);
    }
    ct_free(a, t.of_stack);
    ct_hash_map_free(&t.owners);
    return is_traced;
}

bool ct_memory_is_traced(const char *name) {
    uint32_t depth = 0;
    bool is_traced = false;
    ct_memory_tree_lock();
    for (ct_memory_node *n = NULL; (n = next_meant(n, name, &depth)) && !is_traced;)
        is_traced = ct_counted_has(ct_counted_allocator_of_node(n), CT_COUNTED_REASON_TRACED);
    ct_memory_tree_unlock();
    return is_traced;
}

void ct_memory_visit_traces(void (*visit)(void *user, const char *name, uint32_t depth,
                                          ct_allocator_stats stats, bool is_traced),
                            void *user) {
    uint32_t depth = 0;
    ct_memory_tree_lock();
    for (ct_memory_node *n = NULL; (n = ct_memory_tree_next(n, &depth));) {
        const bool is_traced = can_be_traced(n) && ct_counted_has(ct_counted_allocator_of_node(n),
                                                                  CT_COUNTED_REASON_TRACED);
        visit(user, n->allocator->name, depth, ct_allocator_stats_of(n->allocator), is_traced);
    }
    ct_memory_tree_unlock();
}

static void add_lines(ct_string_builder *text, const char *lines) {
    while (*lines != '\0') {
        const char *const end = strchr(lines, '\n');
        const uint32_t bytes = end ? (uint32_t)(end - lines) + 1 : (uint32_t)strlen(lines);
        ct_string_builder_add(text, "    ");
        ct_string_builder_add_bytes(text, lines, bytes);
        lines += bytes;
    }
}

static void add_stack(void *user, const ct_memory_traced_stack *stack) {
    ct_string_builder *const text = user;
    ct_string_builder_addf(text, "%" PRIu64 " bytes in %" PRIu64 " blocks from\n", stack->num_bytes,
                           stack->num_blocks);
    add_lines(text, stack->lines);
}

bool ct_memory_trace_report(const char *name, ct_string_builder *text, ct_error *error) {
    ct_memory_traced_sums sums;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder stacks;
    ct_string_builder_init(&stacks, ct_memory_pages());
    if (!ct_memory_trace_visit(name, MAX_REPORTED_STACKS, &sums, add_stack, &stacks, error))
        return false;
    ct_string_builder_addf(text, "%" PRIu64 " bytes in %" PRIu64 " blocks from %u call stacks\n",
                           sums.num_bytes, sums.num_blocks, sums.num_stacks);
    ct_string_builder_add_bytes(text, ct_string_builder_text(&stacks), stacks.length);
    if (sums.num_stacks > MAX_REPORTED_STACKS)
        ct_string_builder_addf(text, "and %u smaller ones\n",
                               sums.num_stacks - MAX_REPORTED_STACKS);
    return true;
}
