#include "dev/overlay/overlay_memory.h"

#include <stdio.h>
#include <string.h>

#include "foundation/memory/allocator.h"
#include "foundation/memory/memory.h"

enum { MAX_ROWS = 256, MAX_DEPTH = 16 };

// Filled under the tree's lock, so without an allocation; allocators past MAX_ROWS are left out.
typedef struct row_list {
    ct_overlay_memory_row rows[MAX_ROWS];
    uint32_t count;
    uint32_t parents[MAX_DEPTH + 1]; // the row at each depth of the path; MAX_ROWS: left out
    uint64_t total_bytes;
} row_list;

// The last part of a name that repeats the parent's ("worlds/world" over "worlds").
static const char *last_part(const char *name) {
    const char *const slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

// What all systems of a game are based on is left out of their paths.
static bool is_base(const char *name) {
    return strcmp(name, "heap") == 0 || strcmp(name, "cuttle") == 0 || strcmp(name, "app") == 0;
}

static uint32_t find_row(row_list *list, const char *name) {
    uint32_t i = 0;
    while (i < list->count && strcmp(list->rows[i].name, name) != 0)
        ++i;
    if (i == list->count && i < MAX_ROWS) {
        list->rows[i] = (ct_overlay_memory_row){.bytes = 0};
        snprintf(list->rows[i].name, sizeof(list->rows[i].name), "%.*s",
                 (int)sizeof(list->rows[i].name) - 1, name);
        ++list->count;
    }
    return i;
}

static void add_allocator(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    row_list *const list = user;
    const uint32_t level = depth < MAX_DEPTH ? depth : MAX_DEPTH - 1;
    const uint32_t parent = level > 0 ? list->parents[level - 1] : MAX_ROWS;
    char path[2 * CT_OVERLAY_MEMORY_NAME_BYTES];
    const bool has_parent = parent < MAX_ROWS;
    const bool shows_parent = has_parent && !is_base(list->rows[parent].name);
    snprintf(path, sizeof(path), "%s%s%.63s", shows_parent ? list->rows[parent].name : "",
             shows_parent ? "/" : "", last_part(name));
    path[CT_OVERLAY_MEMORY_NAME_BYTES - 1] = '\0';
    const uint32_t own = find_row(list, path);
    list->parents[level] = own;
    if (own < MAX_ROWS)
        list->rows[own].bytes += stats.live_bytes;
    // Counters of several threads: a child may for a moment hold more than its parent.
    if (has_parent)
        list->rows[parent].bytes -= list->rows[parent].bytes < stats.live_bytes
                                        ? list->rows[parent].bytes
                                        : stats.live_bytes;
    else if (level == 0)
        list->total_bytes += stats.live_bytes;
}

void ct_overlay_memory_count(ct_overlay_memory *memory) {
    row_list list = {.count = 0};
    ct_memory_visit(add_allocator, &list);
    *memory = (ct_overlay_memory){.total_bytes = list.total_bytes};
    while (memory->count < CT_OVERLAY_MEMORY_ROWS && memory->count < list.count) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < list.count; ++i)
            if (list.rows[i].bytes > list.rows[largest].bytes)
                largest = i;
        memory->rows[memory->count++] = list.rows[largest];
        list.rows[largest].bytes = 0;
    }
}
