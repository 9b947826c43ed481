// Memory for effects: blocks of sizes that are powers of two, kept for the next effect.
#include <string.h>

#include "foundation/memory/allocator.h"
#include "particles/particle_system_private.h"

enum { SMALLEST_BITS = 9, ALIGN = 64 };

static uint32_t class_of(uint64_t bytes) {
    uint32_t bits = SMALLEST_BITS;
    while ((uint64_t)1 << bits < bytes)
        ++bits;
    CT_ASSERT(bits - SMALLEST_BITS < CT_PARTICLE_NUM_CLASSES, "an effect needs %llu bytes",
              (unsigned long long)bytes);
    return bits - SMALLEST_BITS;
}

void *ct_particle_blocks_take(ct_particle_system *s, uint64_t bytes) {
    const uint32_t class = class_of(bytes);
    if (s->free_blocks[class].count)
        return s->free_blocks[class].items[--s->free_blocks[class].count];
    // Room in the list of free ones, so that giving it back allocates nothing.
    ct_array_reserve(&s->free_blocks[class], (uint64_t)++s->num_blocks[class]);
    return ct_alloc_aligned(s->allocator, (uint64_t)1 << (class + SMALLEST_BITS), ALIGN);
}

void ct_particle_blocks_give(ct_particle_system *s, void *block, uint64_t bytes) {
    if (block)
        ct_array_push(&s->free_blocks[class_of(bytes)], block);
}

void ct_particle_blocks_init(ct_particle_system *s) {
    for (uint32_t i = 0; i < CT_PARTICLE_NUM_CLASSES; ++i)
        ct_array_init(&s->free_blocks[i], s->allocator);
}

void ct_particle_blocks_shutdown(ct_particle_system *s) {
    for (uint32_t i = 0; i < CT_PARTICLE_NUM_CLASSES; ++i) {
        CT_ASSERT(s->free_blocks[i].count == s->num_blocks[i], "%u blocks of particles are in use",
                  s->num_blocks[i] - s->free_blocks[i].count);
        for (uint32_t k = 0; k < s->free_blocks[i].count; ++k)
            ct_free(s->allocator, s->free_blocks[i].items[k]);
        ct_array_free(&s->free_blocks[i]);
    }
}
