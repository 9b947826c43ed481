// memory_rows.h: the tree of allocators as rows with whole paths.
#pragma once
#include "foundation/memory/memory.h"

enum { CT_MEMORY_ROW_NAME_BYTES = 64, CT_MEMORY_ROW_DEPTH = 32 };

// An allocator. Names longer than the room are cut.
typedef struct ct_memory_row {
    char name[CT_MEMORY_ROW_NAME_BYTES];
    uint32_t depth; // at most CT_MEMORY_ROW_DEPTH - 1
    ct_allocator_stats stats;
    bool is_traced;
} ct_memory_row;

typedef struct ct_memory_rows {
    ct_memory_row *items; // parents before children
    uint32_t count, capacity;
    ct_allocator *allocator;
} ct_memory_rows;

// Collects the rows of all allocators that live now. Free them later. Any thread.
void ct_memory_rows_collect(ct_memory_rows *rows, ct_allocator *a);
void ct_memory_rows_free(ct_memory_rows *rows);

// Writes the path of a row, from its root: "heap/cuttle/world". `names` keeps what the rows before it left
// there: call it for the rows in their order.
void ct_memory_rows_path(const ct_memory_row *row, const char *names[CT_MEMORY_ROW_DEPTH],
                         ct_string_builder *path);
