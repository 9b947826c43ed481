#include "foundation/memory/frame_allocator.h"

#include <inttypes.h>

#include "foundation/error.h"

// --- Counters ------------------------------------------------------------------------------------

static uint64_t live_blocks(const ct_frame_allocator *f) {
    return f->total_blocks - f->ended_blocks;
}

// The sum of the sizes of all blocks ever taken.
static uint64_t total_bytes(const ct_frame_allocator *f) {
    const uint64_t passed_bytes = f->passed_bytes + (f->next - f->counted_from);
    return passed_bytes - f->total_blocks * CT_BUMP_BLOCK_BYTES - f->padding_bytes;
}

static uint64_t live_bytes(const ct_frame_allocator *f) {
    return total_bytes(f) - f->ended_bytes;
}

// What lives only becomes less here, so that taking a block need not look for a new peak.
static void set_live(ct_frame_allocator *f, uint64_t blocks, uint64_t bytes) {
    if (f->peak_bytes < live_bytes(f))
        f->peak_bytes = live_bytes(f);
    f->ended_blocks = f->total_blocks - blocks;
    f->ended_bytes = total_bytes(f) - bytes;
}

static ct_allocator_stats stats_of(const ct_frame_allocator *f) {
    const uint64_t bytes = live_bytes(f);
    return (ct_allocator_stats){.live_bytes = bytes,
                                .live_blocks = live_blocks(f),
                                .peak_bytes = f->peak_bytes > bytes ? f->peak_bytes : bytes,
                                .total_blocks = f->total_blocks};
}

// --- Chunks --------------------------------------------------------------------------------------

static ct_frame_chunk *current_chunk(const ct_frame_allocator *f) {
    return &f->chunks.items[f->current];
}

static uint64_t current_offset(const ct_frame_allocator *f) {
    return f->chunks.count ? f->next - (uint64_t)current_chunk(f)->memory : 0;
}

static void set_position(ct_frame_allocator *f, uint32_t chunk, uint64_t offset) {
    f->passed_bytes += f->next - f->counted_from;
    f->current = chunk;
    f->next = f->counted_from = (uint64_t)current_chunk(f)->memory + offset;
    f->end = (uint64_t)current_chunk(f)->memory + current_chunk(f)->size_bytes;
}

static void add_chunk(ct_frame_allocator *f, uint64_t wanted_bytes) {
    const uint64_t least_bytes = wanted_bytes > f->chunk_bytes ? wanted_bytes : f->chunk_bytes;
    const uint64_t size_bytes = ct_round_up(least_bytes, CT_DEFAULT_ALIGN);
    const ct_frame_chunk chunk = {.memory = ct_alloc(f->backing, size_bytes),
                                  .size_bytes = size_bytes};
    ct_poison(chunk.memory, size_bytes);
    ct_array_push(&f->chunks, chunk);
}

// Moves on to an unused chunk of at least `wanted_bytes`. The same allocations in the same order
// find the same chunks again, since the first one that fits is brought to the front.
static void use_next_chunk(ct_frame_allocator *f, uint64_t wanted_bytes) {
    const uint64_t offset = current_offset(f);
    const uint32_t next = offset == 0 ? f->current : f->current + 1;
    if (offset)
        current_chunk(f)->used_bytes = offset;
    uint32_t found = next;
    while (found < f->chunks.count && f->chunks.items[found].size_bytes < wanted_bytes)
        ++found;
    if (found == f->chunks.count)
        add_chunk(f, wanted_bytes);
    const ct_frame_chunk chunk = f->chunks.items[found];
    f->chunks.items[found] = f->chunks.items[next];
    f->chunks.items[next] = chunk;
    set_position(f, next, 0);
}

static uint64_t used_bytes(const ct_frame_allocator *f, uint32_t chunk) {
    return chunk == f->current ? current_offset(f) : f->chunks.items[chunk].used_bytes;
}

bool ct_frame_allocator_owns(const ct_frame_allocator *f, const void *p) {
    for (uint32_t c = 0; c < f->chunks.count && c <= f->current; ++c) {
        const uint64_t offset = (uint64_t)p - (uint64_t)f->chunks.items[c].memory;
        if (offset < used_bytes(f, c))
            return true;
    }
    return false;
}

// --- Blocks --------------------------------------------------------------------------------------

void *ct_frame_take_from_next_chunk(ct_frame_allocator *f, uint64_t size_bytes) {
    use_next_chunk(f, ct_bump_block_max_bytes(size_bytes, CT_DEFAULT_ALIGN) + 15);
    return ct_frame_take(f, size_bytes);
}

// Makes room for a larger alignment: a block that counts as freed fills the gap.
static void *take_aligned(ct_frame_allocator *f, uint64_t size_bytes, uint64_t align) {
    const uint64_t wanted_bytes = ct_bump_block_max_bytes(size_bytes, align) + 15;
    if (wanted_bytes > f->end - f->next)
        use_next_chunk(f, wanted_bytes);
    const uint64_t first = f->next + CT_BUMP_BLOCK_BYTES;
    const uint64_t gap_bytes = ct_round_up(first, align) - first;
    if (gap_bytes)
        ct_frame_write_header((ct_bump_block *)f->next,
                              (gap_bytes - CT_BUMP_BLOCK_BYTES) | CT_BUMP_BLOCK_FREED);
    f->next += gap_bytes;
    f->counted_from += gap_bytes; // passed, but no block
    return ct_frame_take(f, size_bytes);
}

static void *frame_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_frame_allocator *const f = (ct_frame_allocator *)a;
    if (align <= CT_DEFAULT_ALIGN)
        return ct_frame_take(f, size_bytes);
    return take_aligned(f, size_bytes, align);
}

static void frame_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_frame_allocator *const f = (ct_frame_allocator *)a;
#ifdef CT_BUILD_DEV
    CT_ASSERT(ct_frame_allocator_owns(f, p), "allocator \"%s\": %p is not one of its blocks",
              a->name, p);
#endif
    ct_allocator_stats stats = stats_of(f);
    ct_bump_block_free(p, size_bytes, &stats, a->name);
    set_live(f, stats.live_blocks, stats.live_bytes);
    ++f->num_single_frees;
}

static uint64_t frame_allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return ct_bump_block_size(p);
}

static void frame_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = stats_of((ct_frame_allocator *)a);
}

// --- Life ----------------------------------------------------------------------------------------

ct_frame_allocator *ct_frame_allocator_create(ct_allocator *backing, const char *name,
                                              uint64_t chunk_bytes) {
    ct_frame_allocator *const f = CT_NEW(backing, ct_frame_allocator);
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
        const ct_frame_chunk chunk = f->chunks.items[i];
        ct_unpoison(chunk.memory, chunk.size_bytes);
        ct_free_sized(f->backing, chunk.memory, chunk.size_bytes);
    }
    ct_array_free(&f->chunks);
    ct_free_sized(f->backing, f, sizeof(*f));
}

ct_allocator *ct_frame_allocator_interface(ct_frame_allocator *f) {
    return &f->interface;
}

// --- Marks ---------------------------------------------------------------------------------------

ct_frame_mark ct_frame_allocator_mark(const ct_frame_allocator *f) {
    return (ct_frame_mark){.chunk = f->current,
                           .offset = current_offset(f),
                           .live_blocks = live_blocks(f),
                           .live_bytes = live_bytes(f),
                           .num_single_frees = f->num_single_frees};
}

CT_NO_ADDRESS_SANITIZER static uint64_t read_size_and_freed(const char *header) {
    return ((const ct_bump_block *)header)->size_and_freed;
}

// Ends the blocks past `mark` that were not freed one by one.
static void end_blocks_one_by_one(ct_frame_allocator *f, ct_frame_mark mark) {
    uint64_t blocks = live_blocks(f), bytes = live_bytes(f);
    for (uint32_t c = mark.chunk; c <= f->current; ++c) {
        const char *header = f->chunks.items[c].memory + (c == mark.chunk ? mark.offset : 0);
        const char *const end = f->chunks.items[c].memory + used_bytes(f, c);
        while (header < end) {
            const uint64_t size_and_freed = read_size_and_freed(header);
            const uint64_t size_bytes = size_and_freed & ~CT_BUMP_BLOCK_FREED;
            if (size_bytes == size_and_freed) {
                --blocks;
                bytes -= size_bytes;
            }
            header += ct_round_up(CT_BUMP_BLOCK_BYTES + size_bytes, CT_DEFAULT_ALIGN);
        }
    }
    set_live(f, blocks, bytes);
}

static void poison_from(ct_frame_allocator *f, ct_frame_mark mark) {
    for (uint32_t c = mark.chunk; c <= f->current; ++c) {
        const uint64_t kept_bytes = c == mark.chunk ? mark.offset : 0;
        ct_poison(f->chunks.items[c].memory + kept_bytes, used_bytes(f, c) - kept_bytes);
    }
}

void ct_frame_allocator_reset(ct_frame_allocator *f, ct_frame_mark mark) {
    CT_ASSERT(
        mark.chunk < f->current || (mark.chunk == f->current && mark.offset <= current_offset(f)),
        "allocator \"%s\": cannot reset to a mark past the current position", f->interface.name);
    if (f->chunks.count == 0)
        return;
    if (mark.num_single_frees == f->num_single_frees || (mark.chunk == 0 && mark.offset == 0))
        set_live(f, mark.live_blocks, mark.live_bytes);
    else
        end_blocks_one_by_one(f, mark);
    poison_from(f, mark);
    set_position(f, mark.chunk, mark.offset);
}
