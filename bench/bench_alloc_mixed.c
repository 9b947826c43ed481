// bench_alloc_mixed.c: alloc_mixed, the heap as a game's systems use it.
//
// 10,000 live blocks; a million times free a random one and allocate 16 to 1,024 bytes (evenly
// spread) in its place, and write the first and the last byte. The figure is nanoseconds for each
// such pair. Ours goes through a proxy on the heap, counters on, and frees with the size; the peers
// are called directly.
#include "bench.h"

#include "foundation/memory/proxy_allocator.h"
#include "peer_heaps.h"

enum { NUM_SLOTS = 10000, NUM_PAIRS = 1000000, LEAST_BYTES = 16, MOST_BYTES = 1024 };

typedef struct slot {
    char *p;
    uint64_t size_bytes;
} slot;

// What happens next, drawn before the clock starts: the same for all.
typedef struct step {
    uint32_t slot, size_bytes;
} step;

static ct_allocator *proxy;
static slot *slots;
static step *steps;
static ct_peer_heap mimalloc, glibc;

static uint32_t random_number(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static uint32_t random_size(uint32_t *state) {
    return LEAST_BYTES + random_number(state) % (MOST_BYTES - LEAST_BYTES + 1);
}

static void begin(void) {
    proxy = ct_proxy_allocator_create(ct_bench_heap(), "bench/mixed");
    slots = CT_NEW_ARRAY(ct_bench_heap(), slot, NUM_SLOTS);
    steps = CT_NEW_ARRAY(ct_bench_heap(), step, NUM_PAIRS);
    uint32_t state = 2463534242;
    for (uint32_t i = 0; i < NUM_PAIRS; ++i)
        steps[i] = (step){random_number(&state) % NUM_SLOTS, random_size(&state)};
    mimalloc = ct_peer_mimalloc();
    glibc = ct_peer_glibc();
}

static void end(void) {
    ct_free(ct_bench_heap(), steps);
    ct_free(ct_bench_heap(), slots);
    ct_proxy_allocator_destroy(proxy);
}

static void touch(char *p, uint64_t size_bytes) {
    p[0] = 1;
    p[size_bytes - 1] = 2;
}

static double run_proxy(void) {
    for (uint32_t i = 0; i < NUM_SLOTS; ++i)
        slots[i] = (slot){ct_alloc(proxy, steps[i].size_bytes), steps[i].size_bytes};
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_PAIRS; ++i) {
        slot *const s = &slots[steps[i].slot];
        ct_free_sized(proxy, s->p, s->size_bytes);
        *s = (slot){ct_alloc(proxy, steps[i].size_bytes), steps[i].size_bytes};
        touch(s->p, s->size_bytes);
    }
    const double ns = ct_bench_now_ns() - start;
    for (uint32_t i = 0; i < NUM_SLOTS; ++i)
        ct_free_sized(proxy, slots[i].p, slots[i].size_bytes);
    return ns / NUM_PAIRS;
}

static double run_peer(ct_peer_heap heap) {
    for (uint32_t i = 0; i < NUM_SLOTS; ++i)
        slots[i] = (slot){heap.allocate(steps[i].size_bytes), steps[i].size_bytes};
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_PAIRS; ++i) {
        slot *const s = &slots[steps[i].slot];
        heap.free(s->p);
        *s = (slot){heap.allocate(steps[i].size_bytes), steps[i].size_bytes};
        touch(s->p, s->size_bytes);
    }
    const double ns = ct_bench_now_ns() - start;
    for (uint32_t i = 0; i < NUM_SLOTS; ++i)
        heap.free(slots[i].p);
    return ns / NUM_PAIRS;
}

static double run_mimalloc(void) {
    return run_peer(mimalloc);
}

static double run_glibc(void) {
    return run_peer(glibc);
}

static const ct_bench_case cases[] = {
    {.workload = "alloc_mixed",
     .subject = "proxy on the heap",
     .peer = "mimalloc",
     .unit = "ns",
     .goal = 1.5,
     .begin = begin,
     .end = end,
     .run_subject = run_proxy,
     .run_peer = run_mimalloc},
    {.workload = "alloc_mixed",
     .subject = "proxy on the heap",
     .peer = "glibc",
     .unit = "ns",
     .begin = begin,
     .end = end,
     .run_subject = run_proxy,
     .run_peer = run_glibc},
};

const ct_bench_group ct_bench_alloc_mixed = {"alloc", cases, CT_COUNT_OF(cases)};
