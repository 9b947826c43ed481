#include "dev/inspect/memory_rows.h"

#include <stdio.h>
#include <string.h>

#include "foundation/memory/allocator.h"
#include "foundation/memory/memory_trace.h"

enum { SPARE_ROWS = 64 };

static void count_row(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    (void)name, (void)depth, (void)stats;
    ++*(uint32_t *)user;
}

// Runs under the tree's lock, so without an allocation: allocators made since the rows were counted have
// some room, and are left out past that.
static void keep_row(void *user, const char *name, uint32_t depth, ct_allocator_stats stats,
                     bool is_traced) {
    ct_memory_rows *const rows = user;
    if (rows->count == rows->capacity)
        return;
    ct_memory_row *const r = &rows->items[rows->count++];
    snprintf(r->name, sizeof(r->name), "%s", name);
    r->depth = depth < CT_MEMORY_ROW_DEPTH ? depth : CT_MEMORY_ROW_DEPTH - 1;
    r->stats = stats;
    r->is_traced = is_traced;
}

void ct_memory_rows_collect(ct_memory_rows *rows, ct_allocator *a) {
    uint32_t count = 0;
    ct_memory_visit(count_row, &count);
    *rows = (ct_memory_rows){.capacity = count + SPARE_ROWS, .allocator = a};
    rows->items = CT_NEW_ARRAY(a, ct_memory_row, rows->capacity);
    ct_memory_visit_traces(keep_row, rows);
}

void ct_memory_rows_free(ct_memory_rows *rows) {
    ct_free_sized(rows->allocator, rows->items, sizeof(*rows->items) * (uint64_t)rows->capacity);
    *rows = (ct_memory_rows){0};
}

// The last part of a name that repeats the parent's ("worlds/world" over "worlds").
static const char *own_name(const char *name, const char *parent) {
    const size_t length = strlen(parent);
    return strncmp(name, parent, length) == 0 && name[length] == '/' ? name + length + 1 : name;
}

void ct_memory_rows_path(const ct_memory_row *row, const char *names[CT_MEMORY_ROW_DEPTH],
                         ct_string_builder *path) {
    names[row->depth] = row->depth != 0 ? own_name(row->name, names[row->depth - 1]) : row->name;
    for (uint32_t d = 0; d <= row->depth; ++d)
        ct_string_builder_addf(path, "%s%s", d != 0 ? "/" : "", names[d]);
}
