#include "foundation/memory/bump_block.h"

#include <inttypes.h>

#include "foundation/error.h"
#include "foundation/memory/poison.h"

CT_NO_ADDRESS_SANITIZER static uint64_t read_header(const ct_bump_block *b) {
    return b->size_and_freed;
}

CT_NO_ADDRESS_SANITIZER static void write_header(ct_bump_block *b, uint64_t size_and_freed) {
    b->size_and_freed = size_and_freed;
}

uint64_t ct_bump_block_max_bytes(uint64_t size_bytes, uint64_t align) {
    const uint64_t max_bytes = UINT64_C(1) << 62;
    CT_REQUIRE(size_bytes <= max_bytes && align <= max_bytes,
               "out of memory: cannot allocate a block of %" PRIu64 " bytes", size_bytes);
    return CT_BUMP_BLOCK_BYTES + size_bytes + (align > CT_DEFAULT_ALIGN ? align : 0);
}

void *ct_bump_block_place(char *begin, char *end, uint64_t size_bytes, uint64_t align,
                          ct_allocator_stats *counters) {
    if (align < CT_DEFAULT_ALIGN)
        align = CT_DEFAULT_ALIGN;
    const uint64_t first = (uint64_t)begin + CT_BUMP_BLOCK_BYTES;
    const uint64_t place = ct_round_up(first, align);
    if (place < first || place > (uint64_t)end || size_bytes > (uint64_t)end - place)
        return NULL;
    char *const p = begin + (place - (uint64_t)begin);
    write_header(ct_bump_block_of(p), size_bytes);
    ct_unpoison(p, size_bytes);
    counters->live_bytes += size_bytes;
    ++counters->live_blocks;
    ++counters->total_blocks;
    if (counters->peak_bytes < counters->live_bytes)
        counters->peak_bytes = counters->live_bytes;
    return p;
}

ct_bump_block *ct_bump_block_of(const void *p) {
    return (ct_bump_block *)p - 1;
}

uint64_t ct_bump_block_size(const void *p) {
    return read_header(ct_bump_block_of(p)) & ~CT_BUMP_BLOCK_FREED;
}

void ct_bump_block_free(void *p, uint64_t size_bytes, ct_allocator_stats *counters,
                        const char *name) {
    ct_bump_block *const b = ct_bump_block_of(p);
    const uint64_t size_and_freed = read_header(b);
    CT_ASSERT(!(size_and_freed & CT_BUMP_BLOCK_FREED), "allocator \"%s\": a block is freed twice",
              name);
    CT_ASSERT(size_bytes == 0 || size_bytes == size_and_freed,
              "allocator \"%s\": a block of %" PRIu64 " bytes is freed with a size of %" PRIu64,
              name, size_and_freed, size_bytes);
    counters->live_bytes -= size_and_freed;
    --counters->live_blocks;
    write_header(b, size_and_freed | CT_BUMP_BLOCK_FREED);
    ct_poison(p, size_and_freed);
}
