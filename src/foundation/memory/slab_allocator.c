#include "foundation/memory/slab_allocator.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/container/bitset.h"
#include "foundation/error.h"
#include "foundation/memory/allocator_counters.h"
#include "foundation/memory/memory_leak.h"
#include "foundation/memory/poison.h"

typedef struct free_block {
    struct free_block *next;
} free_block;

// At the start of every slab. In `dev` a bit for each place where a block may begin says whether
// one is taken there.
typedef struct ct_slab {
    struct ct_slab *next, *previous; // of the class, while it has room and is not empty
    free_block *first_free;
    char *uncarved;
    char *first_block;
    uint32_t class, num_live;
#ifdef CT_BUILD_DEV
    uint64_t taken[CT_SLAB_BYTES / CT_DEFAULT_ALIGN / 64];
#endif
} slab;

#ifdef CT_ADDRESS_SANITIZER
enum { GAP_BYTES = 16 };
#else
enum { GAP_BYTES = 0 };
#endif

enum { NO_CLASS = CT_SLAB_NUM_CLASSES };

static const uint16_t class_bytes[CT_SLAB_NUM_CLASSES] = {
    16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024,
};

// --- Classes -------------------------------------------------------------------------------------

// Up to 128 bytes there are eight steps of 16; then four steps to each doubling.
static uint32_t class_of_size(uint64_t size_bytes) {
    if (size_bytes <= 128)
        return (uint32_t)((size_bytes - 1) / 16);
    const uint32_t doubling = 56 - (uint32_t)__builtin_clzll(size_bytes - 1); // 0: 129 to 256
    return 8 + 4 * doubling + (uint32_t)((size_bytes - 1) >> (5 + doubling)) % 4;
}

static uint64_t class_align(uint32_t class) {
    return class_bytes[class] & -(uint64_t)class_bytes[class];
}

// The class of blocks for this size and alignment, or NO_CLASS for the backing allocator's.
static uint32_t class_for(uint64_t size_bytes, uint64_t align) {
    if (size_bytes > CT_SLAB_MAX_BLOCK_BYTES)
        return NO_CLASS;
    uint32_t class = class_of_size(size_bytes);
    while (class < NO_CLASS && class_align(class) < align)
        ++class;
    return class;
}

static uint64_t stride_of(uint32_t class) {
    return GAP_BYTES ? ct_round_up(class_bytes[class] + GAP_BYTES, class_align(class))
                     : class_bytes[class];
}

// --- Slabs ---------------------------------------------------------------------------------------

static slab *slab_around(const void *p) {
    return (slab *)((uint64_t)p & ~(uint64_t)(CT_SLAB_BYTES - 1));
}

static bool is_in_slab(const ct_slab_allocator *s, const void *p) {
    return ct_hash_map_find(&s->slabs, (uint64_t)p / CT_SLAB_BYTES) != NULL;
}

static bool is_full(const slab *b) {
    const char *const end = (const char *)b + CT_SLAB_BYTES;
    return !b->first_free && b->uncarved + stride_of(b->class) > end;
}

static void add_open(ct_slab_allocator *s, slab *b) {
    slab **const first = &s->classes[b->class].open;
    b->previous = NULL;
    b->next = *first;
    if (b->next)
        b->next->previous = b;
    *first = b;
}

static void remove_open(ct_slab_allocator *s, slab *b) {
    if (b->next)
        b->next->previous = b->previous;
    if (b->previous)
        b->previous->next = b->next;
    else
        s->classes[b->class].open = b->next;
}

static slab *create_slab(ct_slab_allocator *s, uint32_t class) {
    slab *const b = ct_alloc_aligned(s->backing, CT_SLAB_BYTES, CT_SLAB_BYTES);
    memset(b, 0, sizeof(*b));
    ct_poison(b + 1, CT_SLAB_BYTES - sizeof(*b));
    b->class = class;
    b->first_block = (char *)b + ct_round_up(sizeof(*b) + GAP_BYTES, class_align(class));
    b->uncarved = b->first_block;
    ct_hash_map_set(&s->slabs, (uint64_t)b / CT_SLAB_BYTES, 1);
    return b;
}

static void destroy_slab(ct_slab_allocator *s, slab *b) {
    ct_hash_map_erase(&s->slabs, (uint64_t)b / CT_SLAB_BYTES);
    ct_unpoison(b, CT_SLAB_BYTES);
    ct_free_sized(s->backing, b, CT_SLAB_BYTES);
}

// A slab of the class with room for a block.
static slab *open_slab(ct_slab_allocator *s, uint32_t class) {
    ct_slab_class *const c = &s->classes[class];
    if (c->open)
        return c->open;
    slab *const b = c->empty ? c->empty : create_slab(s, class);
    c->empty = NULL;
    add_open(s, b);
    return b;
}

static void keep_or_destroy_empty(ct_slab_allocator *s, slab *b) {
    ct_slab_class *const c = &s->classes[b->class];
    if (c->empty)
        destroy_slab(s, b);
    else
        c->empty = b;
}

// --- Blocks --------------------------------------------------------------------------------------

CT_NO_ADDRESS_SANITIZER static free_block *next_free(const free_block *f) {
    return f->next;
}

CT_NO_ADDRESS_SANITIZER static void link_free(free_block *f, free_block *next) {
    f->next = next;
}

static void *take_block(ct_slab_allocator *s, uint32_t class) {
    slab *const b = open_slab(s, class);
    void *p = b->first_free;
    if (p) {
        b->first_free = next_free(p);
    } else {
        p = b->uncarved;
        b->uncarved += stride_of(class);
    }
    ++b->num_live;
    if (is_full(b))
        remove_open(s, b);
    return p;
}

static void give_block(ct_slab_allocator *s, slab *b, void *p) {
    const bool was_full = is_full(b);
    link_free(p, b->first_free);
    b->first_free = p;
    --b->num_live;
    if (b->num_live > 0) {
        if (was_full)
            add_open(s, b);
        return;
    }
    if (!was_full)
        remove_open(s, b);
    keep_or_destroy_empty(s, b);
}

// --- What callers may do wrong -------------------------------------------------------------------

#ifdef CT_BUILD_DEV
static uint32_t block_bit(const slab *b, const void *p) {
    return (uint32_t)(((uint64_t)p - (uint64_t)b) / CT_DEFAULT_ALIGN);
}

static void check_taken(slab *b, const void *p) {
    ct_bits_set(b->taken, block_bit(b, p));
}

static void check_given(const ct_slab_allocator *s, slab *b, const void *p) {
    const char *const name = s->interface.name;
    const uint64_t offset = (uint64_t)p - (uint64_t)b->first_block;
    CT_ASSERT((const char *)p >= b->first_block && offset % stride_of(b->class) == 0,
              "allocator \"%s\": %p is not the start of a block of %u bytes", name, p,
              class_bytes[b->class]);
    const uint32_t bit = block_bit(b, p);
    CT_ASSERT(ct_bits_test(b->taken, bit), "allocator \"%s\": block %p is freed twice", name, p);
    ct_bits_clear(b->taken, bit);
}
#else
static inline void check_taken(slab *b, const void *p) {
    (void)b, (void)p;
}

static inline void check_given(const ct_slab_allocator *s, slab *b, const void *p) {
    (void)s, (void)b, (void)p;
}
#endif

// --- The interface -------------------------------------------------------------------------------

static void count_taken(ct_slab_allocator *s, uint64_t block_bytes) {
    s->counters.live_bytes += block_bytes;
    ++s->counters.live_blocks;
    ++s->counters.total_blocks;
    if (s->counters.peak_bytes < s->counters.live_bytes)
        s->counters.peak_bytes = s->counters.live_bytes;
}

static void count_given(ct_slab_allocator *s, uint64_t block_bytes) {
    s->counters.live_bytes -= block_bytes;
    --s->counters.live_blocks;
}

static void *slab_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_slab_allocator *const s = (ct_slab_allocator *)a;
    const uint32_t class = class_for(size_bytes, align);
    if (class == NO_CLASS) {
        void *const large = s->backing->allocate(s->backing, size_bytes, align);
        count_taken(s, ct_allocated_size(s->backing, large));
        return large;
    }
    void *const p = take_block(s, class);
    check_taken(slab_around(p), p);
    count_taken(s, class_bytes[class]);
    ct_unpoison(p, size_bytes);
    return p;
}

// Blocks that are small but of the backing allocator are so for an alignment of more than the
// largest class has: most addresses show that they are not.
static bool is_small(const ct_slab_allocator *s, const void *p, uint64_t size_bytes) {
#ifndef CT_BUILD_DEV
    if (size_bytes && (uint64_t)p % (2 * CT_SLAB_MAX_BLOCK_BYTES))
        return size_bytes <= CT_SLAB_MAX_BLOCK_BYTES;
#endif
    return size_bytes <= CT_SLAB_MAX_BLOCK_BYTES && is_in_slab(s, p);
}

static void slab_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_slab_allocator *const s = (ct_slab_allocator *)a;
    if (!is_small(s, p, size_bytes)) {
        count_given(s, ct_allocated_size(s->backing, p));
        s->backing->free(s->backing, p, size_bytes);
        return;
    }
    slab *const b = slab_around(p);
    check_given(s, b, p);
    const uint64_t block_bytes = class_bytes[b->class];
    CT_ASSERT(size_bytes <= block_bytes,
              "allocator \"%s\": a block of %" PRIu64 " bytes is freed with a size of %" PRIu64,
              a->name, block_bytes, size_bytes);
    count_given(s, block_bytes);
    ct_poison(p, block_bytes);
    give_block(s, b, p);
}

static uint64_t slab_allocated_size(ct_allocator *a, const void *p) {
    const ct_slab_allocator *const s = (ct_slab_allocator *)a;
    return is_in_slab(s, p) ? class_bytes[slab_around(p)->class] : ct_allocated_size(s->backing, p);
}

static void slab_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = ((ct_slab_allocator *)a)->counters;
}

// --- Life ----------------------------------------------------------------------------------------

void ct_slab_init(ct_slab_allocator *s, ct_allocator *backing, const char *name) {
    *s = (ct_slab_allocator){.interface = {.allocate = slab_allocate,
                                           .free = slab_free,
                                           .allocated_size = slab_allocated_size,
                                           .stats = slab_stats,
                                           .name = name},
                             .backing = backing};
    ct_hash_map_init(&s->slabs, backing);
}

void ct_slab_shutdown(ct_slab_allocator *s) {
    ct_allocator_assert_empty(&s->interface);
    for (uint32_t class = 0; class < CT_SLAB_NUM_CLASSES; ++class)
        if (s->classes[class].empty)
            destroy_slab(s, s->classes[class].empty);
    ct_hash_map_free(&s->slabs);
    *s = (ct_slab_allocator){0};
}
