#include "foundation/memory/memory_leak.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/memory/allocator_counters.h"
#include "foundation/memory/block_table.h"
#include "foundation/memory/stack_table.h"

enum { NUM_LARGEST = 5, REPORT_BYTES = 3800 };

typedef struct largest_blocks {
    const ct_counted_allocator *owner;
    ct_block blocks[NUM_LARGEST]; // largest first; address 0: none
} largest_blocks;

static void keep_if_large(void *user, const ct_block *block) {
    largest_blocks *const l = user;
    if (block->owner != l->owner || block->size_bytes <= l->blocks[NUM_LARGEST - 1].size_bytes)
        return;
    uint32_t at = NUM_LARGEST - 1;
    for (; at > 0 && l->blocks[at - 1].size_bytes < block->size_bytes; --at)
        l->blocks[at] = l->blocks[at - 1];
    l->blocks[at] = *block;
}

typedef struct report {
    char text[REPORT_BYTES];
    size_t length;
} report;

CT_PRINTF(2, 3) static void add(report *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(r->text + r->length, REPORT_BYTES - r->length, format, arguments);
    va_end(arguments);
    r->length += length > 0 ? (size_t)length : 0;
    if (r->length >= REPORT_BYTES)
        r->length = REPORT_BYTES - 1;
}

static void add_block(report *r, const ct_block *block) {
    add(r, "\n    %" PRIu64 " bytes at 0x%" PRIx64, block->size_bytes, block->address);
    if (block->stack == 0)
        return;
    uint64_t frames[CT_STACK_TABLE_FRAMES];
    const uint32_t count = ct_stack_table_get(block->stack, frames);
    char lines[REPORT_BYTES];
    ct_crash_format_stack(lines, sizeof(lines), frames, count, "        ");
    add(r, " from\n%s", lines);
    if (r->length > 0 && r->text[r->length - 1] == '\n')
        r->text[--r->length] = 0;
}

static void add_blocks(report *r, const ct_counted_allocator *c) {
    if (!ct_counted_allocator_keeps_blocks(c))
        return;
    largest_blocks largest = {.owner = c};
    ct_block_table_visit(keep_if_large, &largest);
    if (largest.blocks[0].address)
        add(r, "; the largest:");
    for (uint32_t i = 0; i < NUM_LARGEST && largest.blocks[i].address; ++i)
        add_block(r, &largest.blocks[i]);
}

void ct_allocator_assert_empty(ct_allocator *a) {
    const ct_counted_allocator *const c = ct_counted_allocator_of(a);
    // Not ct_allocator_stats_of, which hides what fell below 0.
    const ct_allocator_stats stats = c ? ct_memory_tree_stats(&c->node) : ct_allocator_stats_of(a);
    if (stats.live_blocks == 0 && stats.live_bytes == 0)
        return;
    char path[CT_MEMORY_PATH_BYTES];
    snprintf(path, sizeof(path), "%s", a->name);
    if (c)
        ct_memory_tree_path(&c->node, path);
    CT_ASSERT((int64_t)stats.live_blocks >= 0 && (int64_t)stats.live_bytes >= 0,
              "allocator \"%s\" is destroyed, and more was freed than allocated: %" PRId64
              " blocks, %" PRId64 " bytes",
              path, (int64_t)stats.live_blocks, (int64_t)stats.live_bytes);
    report r = {.length = 0};
    add(&r, "allocator \"%s\" is destroyed but still holds %" PRIu64 " blocks, %" PRIu64 " bytes",
        path, stats.live_blocks, stats.live_bytes);
    if (c)
        add_blocks(&r, c);
    CT_ASSERT(stats.live_blocks == 0 && stats.live_bytes == 0, "%s", r.text);
}
