#include "dev/console_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/memory/memory.h"

enum { NAME_BYTES = 64, MAX_DEPTH = 32, SPARE_ROWS = 64 };

typedef struct row {
    char name[NAME_BYTES];
    uint32_t depth;
    ct_allocator_stats stats;
} row;

// Filled under the tree's lock, so without an allocation: allocators made since the rows were
// counted have some room, and are left out past that.
typedef struct row_list {
    row *rows;
    uint32_t count, capacity;
} row_list;

static void count_row(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    (void)name, (void)depth, (void)stats;
    ++*(uint32_t *)user;
}

static void keep_row(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    row_list *const list = user;
    if (list->count == list->capacity)
        return;
    row *const r = &list->rows[list->count++];
    snprintf(r->name, sizeof(r->name), "%s", name);
    r->depth = depth;
    r->stats = stats;
}

// The last part of a name that repeats the parent's ("worlds/world" over "worlds").
static const char *own_name(const char *name, const char *parent) {
    const size_t length = strlen(parent);
    return strncmp(name, parent, length) == 0 && name[length] == '/' ? name + length + 1 : name;
}

// Writes the tree with a path in each line: the names of the allocator and its parents, from the
// root.
static void write_tree(const row_list *list, ct_string_builder *result) {
    const char *path[MAX_DEPTH];
    ct_string_builder_addf(result, "%15s %15s %10s  %s", "live bytes", "peak bytes", "blocks",
                           "allocator");
    for (uint32_t i = 0; i < list->count; ++i) {
        const row *const r = &list->rows[i];
        const uint32_t depth = r->depth < MAX_DEPTH ? r->depth : MAX_DEPTH - 1;
        path[depth] = depth != 0 ? own_name(r->name, path[depth - 1]) : r->name;
        ct_string_builder_addf(result, "\n%15" PRIu64 " %15" PRIu64 " %10" PRIu64 "  ",
                               r->stats.live_bytes, r->stats.peak_bytes, r->stats.live_blocks);
        for (uint32_t d = 0; d <= depth; ++d)
            ct_string_builder_addf(result, "%s%s", d != 0 ? "/" : "", path[d]);
    }
}

static void show_tree(ct_allocator *a, ct_string_builder *result) {
    uint32_t count = 0;
    ct_memory_visit(count_row, &count);
    row_list list = {.capacity = count + SPARE_ROWS};
    list.rows = CT_NEW_ARRAY(a, row, list.capacity);
    ct_memory_visit(keep_row, &list);
    write_tree(&list, result);
    ct_free_sized(a, list.rows, sizeof(row) * (uint64_t)list.capacity);
}

// `memory trace NAME on|off|report`; `name` and `what` are behind the word.
static bool trace(const char *name, const char *what, ct_string_builder *result, ct_error *error) {
    if (strcmp(what, "report") == 0)
        return ct_memory_trace_report(name, result, error);
    const bool is_on = strcmp(what, "on") == 0;
    if (!is_on && strcmp(what, "off") != 0)
        return ct_error_set(error, "found \"%.64s\"; expected on, off or report", what);
    if (!ct_memory_trace(name, is_on, error))
        return false;
    ct_string_builder_addf(result, "%s is %s traced", name, is_on ? "now" : "no longer");
    return true;
}

bool ct_console_run_memory(ct_console_target *target, uint32_t num_arguments,
                           const char *const *arguments, ct_string_builder *result,
                           ct_error *error) {
    if (num_arguments == 0) {
        show_tree(target->allocator, result);
        return true;
    }
    if (strcmp(arguments[0], "trace") != 0)
        return ct_error_set(error, "found \"%.64s\"; expected trace or no argument", arguments[0]);
    if (num_arguments != 3)
        return ct_error_set(error, "expected: memory trace NAME on|off|report");
    return trace(arguments[1], arguments[2], result, error);
}
