// alloc_small: 64 bytes, 1,000 allocations, then 1,000 frees in the same order; time a pair.
//
// 200 rounds a run. The pool through its inline calls and through the allocator interface
// (ct_alloc, ct_free_sized); the frame allocator inline, where a reset to a mark takes the place of
// the frees. Counters are on. The peer is mimalloc's malloc and free.
//
// The inline pool is one chain: each take loads the head of the free list, which the take before
// stored, then the link behind it. Its time may depend on how a core forwards stores: 1.8 ns
// against 4.1 ns of the interface on one, 3.9 against 2.6 ns were once seen on another.
#include "bench.h"
#include "foundation/memory/frame_allocator.h"
#include "foundation/memory/pool_allocator.h"
#include "peer_heaps.h"

enum { NUM_BLOCKS = 1000, BLOCK_BYTES = 64, NUM_ROUNDS = 200 };

static void *blocks[NUM_BLOCKS];
static ct_pool_allocator pool;
static ct_frame_allocator *frame;

static void begin_pool(void) {
    ct_pool_init(&pool, ct_bench_heap(),
                 &(ct_pool_allocator_desc){.name = "bench/pool", .block_bytes = BLOCK_BYTES});
}

static void end_pool(void) {
    ct_pool_shutdown(&pool);
}

static void begin_frame(void) {
    frame = ct_frame_allocator_create(ct_bench_heap(), "bench/frame", 1 << 20);
}

static void end_frame(void) {
    ct_frame_allocator_destroy(frame);
}

static double ns_a_pair(double start_ns) {
    return (ct_bench_now_ns() - start_ns) / NUM_ROUNDS / NUM_BLOCKS;
}

static double run_pool_inline(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
            blocks[i] = ct_pool_take(&pool);
        ct_bench_use((uint64_t)blocks);
        for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
            ct_pool_give(&pool, blocks[i]);
    }
    return ns_a_pair(start_ns);
}

static double run_pool_interface(void) {
    ct_allocator *const a = &pool.interface;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
            blocks[i] = ct_alloc(a, BLOCK_BYTES);
        for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
            ct_free_sized(a, blocks[i], BLOCK_BYTES);
    }
    return ns_a_pair(start_ns);
}

static double run_frame_inline(void) {
    ct_frame_allocator *const f = frame;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        const ct_frame_mark mark = ct_frame_allocator_mark(f);
        for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
            blocks[i] = ct_frame_take(f, BLOCK_BYTES);
        ct_bench_use((uint64_t)blocks);
        ct_frame_allocator_reset(f, mark);
    }
    return ns_a_pair(start_ns);
}

static double run_mimalloc(void) {
    const ct_peer_heap peer = ct_peer_mimalloc();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
            blocks[i] = peer.allocate(BLOCK_BYTES);
        for (uint32_t i = 0; i < NUM_BLOCKS; ++i)
            peer.free(blocks[i]);
    }
    return ns_a_pair(start_ns);
}

static const ct_bench_case cases[] = {
    {.workload = "alloc_small",
     .subject = "pool, inline",
     .peer = "mimalloc",
     .unit = "ns",
     .goal = 0.7,
     .begin = begin_pool,
     .end = end_pool,
     .run_subject = run_pool_inline,
     .run_peer = run_mimalloc},
    {.workload = "alloc_small",
     .subject = "pool, interface",
     .peer = "mimalloc",
     .unit = "ns",
     .goal = 1.0,
     .begin = begin_pool,
     .end = end_pool,
     .run_subject = run_pool_interface,
     .run_peer = run_mimalloc},
    {.workload = "alloc_small",
     .subject = "frame, inline",
     .peer = "mimalloc",
     .unit = "ns",
     .goal = 0.4,
     .begin = begin_frame,
     .end = end_frame,
     .run_subject = run_frame_inline,
     .run_peer = run_mimalloc},
};

const ct_bench_group ct_bench_alloc_small = {"alloc", cases, CT_COUNT_OF(cases)};
