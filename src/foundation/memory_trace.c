// memory_trace.c: ct_memory_trace and its report (memory.h).
#include "foundation/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/block_table.h"
#include "foundation/crash.h"
#include "foundation/error.h"
#include "foundation/stack_table.h"

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
    return ct_error_set(error, "there is no allocator \"%.200s\"; there are %s", name, names);
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
    const char *name;
    stack_total *of_stack; // by number; [0] is what has none
    uint32_t num_stacks;
} totals;

static void count_block(void *user, const ct_block *block) {
    const totals *const t = user;
    if (block->stack == 0 || block->stack > t->num_stacks ||
        !ct_counted_has(block->owner, CT_COUNTED_REASON_TRACED) ||
        !is_meant(&block->owner->node, t->name))
        return;
    t->of_stack[block->stack].num_blocks++;
    t->of_stack[block->stack].num_bytes += block->size_bytes;
}

static int more_bytes_first(const void *a, const void *b) {
    const stack_total *const x = a, *const y = b;
    if (x->num_bytes != y->num_bytes)
        return x->num_bytes > y->num_bytes ? -1 : 1;
    return x->stack < y->stack ? -1 : x->stack > y->stack;
}

static void add_stack(ct_string_builder *text, const stack_total *total) {
    ct_string_builder_addf(text, "%" PRIu64 " bytes in %" PRIu64 " blocks from\n", total->num_bytes,
                           total->num_blocks);
    uint64_t frames[CT_STACK_TABLE_FRAMES];
    const uint32_t count = ct_stack_table_get(total->stack, frames);
    char lines[STACK_TEXT_BYTES];
    ct_crash_format_stack(lines, sizeof(lines), frames, count, "    ");
    ct_string_builder_add(text, lines);
}

static void add_totals(ct_string_builder *text, stack_total *sorted, uint32_t count) {
    stack_total all = {0};
    uint32_t num_used = 0;
    for (; num_used < count && sorted[num_used].num_blocks > 0; ++num_used) {
        all.num_bytes += sorted[num_used].num_bytes;
        all.num_blocks += sorted[num_used].num_blocks;
    }
    ct_string_builder_addf(text, "%" PRIu64 " bytes in %" PRIu64 " blocks from %u call stacks\n",
                           all.num_bytes, all.num_blocks, num_used);
    for (uint32_t i = 0; i < num_used && i < MAX_REPORTED_STACKS; ++i)
        add_stack(text, &sorted[i]);
    if (num_used > MAX_REPORTED_STACKS)
        ct_string_builder_addf(text, "and %u smaller ones\n", num_used - MAX_REPORTED_STACKS);
}

static bool is_traced_at_all(const char *name, ct_error *error) {
    uint32_t depth = 0, num_meant = 0, num_traced = 0;
    ct_memory_tree_lock();
    for (ct_memory_node *n = NULL; (n = next_meant(n, name, &depth)); ++num_meant)
        num_traced += ct_counted_has(ct_counted_allocator_of_node(n), CT_COUNTED_REASON_TRACED);
    if (num_meant == 0)
        no_such_allocator(name, error);
    else if (num_traced == 0)
        ct_error_set(error, "allocator \"%.200s\" is not traced", name);
    ct_memory_tree_unlock();
    return num_traced > 0;
}

bool ct_memory_trace_report(const char *name, ct_string_builder *text, ct_error *error) {
    if (!is_traced_at_all(name, error))
        return false;
    const uint32_t num_stacks = ct_stack_table_count();
    totals t = {.name = name, .num_stacks = num_stacks};
    // Not from `text`'s allocator: that may be the traced one.
    t.of_stack = CT_NEW_ARRAY(ct_memory_pages(), stack_total, (uint64_t)num_stacks + 1);
    for (uint32_t i = 0; i <= num_stacks; ++i)
        t.of_stack[i].stack = i;
    ct_memory_tree_lock(); // so that paths hold
    ct_block_table_visit(count_block, &t);
    ct_memory_tree_unlock();
    qsort(t.of_stack, (size_t)num_stacks + 1, sizeof(*t.of_stack), more_bytes_first);
    add_totals(text, t.of_stack, num_stacks + 1);
    ct_free(ct_memory_pages(), t.of_stack);
    return true;
}
