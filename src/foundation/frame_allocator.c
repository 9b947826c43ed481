#include "foundation/frame_allocator.h"

#include "foundation/array.h"
#include "foundation/bump_block.h"
#include "foundation/error.h"
#include "foundation/poison.h"

typedef struct frame_chunk {
    char *memory;
    uint64_t size_bytes;
} frame_chunk;

// Chunks 0 to `current` are in use, `current` up to `offset`; later ones wait to be used again.
struct ct_frame_allocator {
    ct_allocator interface;
    ct_allocator *backing;
    uint64_t chunk_bytes;
    CT_ARRAY(frame_chunk) chunks;
    uint32_t current;
    uint64_t offset;
    ct_bump_block *last; // newest block, from which all older ones are linked
    ct_allocator_stats counters;
};

static void add_chunk(ct_frame_allocator *f, uint64_t wanted_bytes) {
    const uint64_t size_bytes = wanted_bytes > f->chunk_bytes ? wanted_bytes : f->chunk_bytes;
    const frame_chunk chunk = {ct_alloc(f->backing, size_bytes), size_bytes};
    ct_poison(chunk.memory, size_bytes);
    ct_array_push(&f->chunks, chunk);
}

// Moves on to an unused chunk of at least `wanted_bytes`. The same allocations in the same order
// find the same chunks again, since the first one that fits is brought to the front.
static void use_next_chunk(ct_frame_allocator *f, uint64_t wanted_bytes) {
    const uint32_t next = f->offset == 0 ? f->current : f->current + 1;
    uint32_t found = next;
    while (found < f->chunks.count && f->chunks.items[found].size_bytes < wanted_bytes)
        ++found;
    if (found == f->chunks.count)
        add_chunk(f, wanted_bytes);
    const frame_chunk chunk = f->chunks.items[found];
    f->chunks.items[found] = f->chunks.items[next];
    f->chunks.items[next] = chunk;
    f->current = next;
    f->offset = 0;
}

static char *place_block(ct_frame_allocator *f, uint64_t size_bytes, uint64_t align) {
    if (f->chunks.count == 0)
        return NULL;
    const frame_chunk chunk = f->chunks.items[f->current];
    return ct_bump_block_place(chunk.memory + f->offset, chunk.memory + chunk.size_bytes,
                               size_bytes, align, f->last, &f->counters);
}

static void *frame_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_frame_allocator *f = (ct_frame_allocator *)a;
    char *p = place_block(f, size_bytes, align);
    if (!p) {
        use_next_chunk(f, ct_bump_block_max_bytes(size_bytes, align));
        p = place_block(f, size_bytes, align);
    }
    f->last = ct_bump_block_of(p);
    f->offset = (uint64_t)(p + size_bytes - f->chunks.items[f->current].memory);
    return p;
}

static void frame_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_bump_block_free(p, size_bytes, &((ct_frame_allocator *)a)->counters, a->name);
}

static uint64_t frame_allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return ct_bump_block_size(p);
}

static void frame_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = ((ct_frame_allocator *)a)->counters;
}

ct_frame_allocator *ct_frame_allocator_create(ct_allocator *backing, const char *name,
                                              uint64_t chunk_bytes) {
    ct_frame_allocator *f = CT_NEW(backing, ct_frame_allocator);
    f->interface = (ct_allocator){.allocate = frame_allocate,
                                  .free = frame_free,
                                  .allocated_size = frame_allocated_size,
                                  .stats = frame_stats,
                                  .name = name};
    f->backing = backing;
    f->chunk_bytes = chunk_bytes;
    ct_array_init(&f->chunks, backing);
    return f;
}

void ct_frame_allocator_destroy(ct_frame_allocator *f) {
    if (!f)
        return;
    for (uint32_t i = 0; i < f->chunks.count; ++i) {
        const frame_chunk chunk = f->chunks.items[i];
        ct_unpoison(chunk.memory, chunk.size_bytes);
        ct_free_sized(f->backing, chunk.memory, chunk.size_bytes);
    }
    ct_array_free(&f->chunks);
    ct_free_sized(f->backing, f, sizeof(*f));
}

ct_allocator *ct_frame_allocator_interface(ct_frame_allocator *f) {
    return &f->interface;
}

ct_frame_mark ct_frame_allocator_mark(const ct_frame_allocator *f) {
    return (ct_frame_mark){f->current, f->offset};
}

static bool is_in_chunk(frame_chunk chunk, const void *p) {
    return (const char *)p >= chunk.memory && (const char *)p < chunk.memory + chunk.size_bytes;
}

// Ends the blocks past `mark`, newest first. To the start there is nothing to walk.
static void end_blocks(ct_frame_allocator *f, ct_frame_mark mark) {
    if (mark.chunk == 0 && mark.offset == 0) {
        f->last = NULL;
        f->counters.live_bytes = f->counters.live_blocks = 0;
        return;
    }
    const frame_chunk *chunks = f->chunks.items;
    for (uint32_t c = f->current;; --c) {
        const char *kept = c == mark.chunk ? chunks[c].memory + mark.offset : chunks[c].memory;
        while (f->last && is_in_chunk(chunks[c], f->last) && (const char *)f->last >= kept)
            f->last = ct_bump_block_end(f->last, &f->counters);
        if (c == mark.chunk)
            return;
    }
}

static void poison_from(ct_frame_allocator *f, ct_frame_mark mark) {
    for (uint32_t c = mark.chunk; c < f->chunks.count && c <= f->current; ++c) {
        const uint64_t kept_bytes = c == mark.chunk ? mark.offset : 0;
        const frame_chunk chunk = f->chunks.items[c];
        ct_poison(chunk.memory + kept_bytes, chunk.size_bytes - kept_bytes);
    }
}

void ct_frame_allocator_reset(ct_frame_allocator *f, ct_frame_mark mark) {
    CT_ASSERT(mark.chunk < f->current || (mark.chunk == f->current && mark.offset <= f->offset),
              "allocator \"%s\" is reset to a mark past its position", f->interface.name);
    end_blocks(f, mark);
    poison_from(f, mark);
    f->current = mark.chunk;
    f->offset = mark.offset;
}
