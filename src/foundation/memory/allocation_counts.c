#include "foundation/memory/allocation_counts.h"

#include <stdio.h>
#include <string.h>

#include "foundation/memory/memory.h"

enum { MAX_DEPTH = 32 };

typedef struct taking {
    ct_allocation_counts *counts;
    uint32_t path[MAX_DEPTH]; // the rows that the last one stands on, and itself
} taking;

static void take_row(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    taking *const t = user;
    ct_allocation_counts *const c = t->counts;
    if (c->count == CT_ALLOCATION_COUNTS_MAX || depth >= MAX_DEPTH)
        return;
    ct_allocation_count *const row = &c->items[c->count];
    snprintf(row->name, sizeof(row->name), "%s", name);
    row->depth = depth;
    row->num_blocks = stats.total_blocks;
    if (depth > 0)
        c->items[t->path[depth - 1]].num_blocks -= stats.total_blocks;
    t->path[depth] = c->count++;
}

static bool is_in(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

void ct_allocation_counts_take(ct_allocation_counts *c, const char *const *but, uint32_t num_but) {
    c->count = 0;
    c->num_blocks = 0;
    taking t = {.counts = c};
    ct_memory_visit(take_row, &t);
    for (uint32_t i = 0; i < c->count; ++i) {
        if (is_in(but, num_but, c->items[i].name))
            c->items[i].num_blocks = 0;
        c->num_blocks += c->items[i].num_blocks;
    }
}

uint64_t ct_allocation_counts_since(const ct_allocation_counts *c, uint32_t i,
                                    const ct_allocation_counts *before) {
    const ct_allocation_count *const now = &c->items[i];
    uint32_t k = 0, nth = 0; // allocators of one name are told apart by their order
    for (uint32_t j = 0; j < i; ++j)
        nth += c->items[j].depth == now->depth && strcmp(c->items[j].name, now->name) == 0;
    for (; k < before->count; ++k) {
        const ct_allocation_count *const then = &before->items[k];
        if (then->depth == now->depth && strcmp(then->name, now->name) == 0 && nth-- == 0)
            break;
    }
    const uint64_t blocks_before = k < before->count ? before->items[k].num_blocks : 0;
    return now->num_blocks > blocks_before ? now->num_blocks - blocks_before : 0;
}
