// alloc_growth: 10,000 arrays that double from 16 bytes to a random power of two of 16 to 65,536,
// in random order (fixed seed); the old bytes are copied, the new ones touched at every cache line.
//
// About 70,000 steps and 100 MB of final capacities. Two cases: the time a step (freeing the arrays
// at the end is not in it), buddy allocator beside mimalloc's malloc, memcpy and free; and the most
// memory, the end of the highest block that was ever in use, beside the sum of the final
// capacities. The buddy allocator starts anew in each run, index included, over a buffer that is
// kept, as mimalloc keeps its pages.
#include <string.h>

#include "bench.h"
#include "foundation/memory/buddy_allocator.h"
#include "foundation/memory/memory.h"
#include "peer_heaps.h"

enum {
    NUM_ARRAYS = 10000,
    FIRST_BYTES = 16,
    NUM_SIZES = 13,
    MAX_STEPS = NUM_ARRAYS * NUM_SIZES,
    LINE_BYTES = 64,
    BUFFER_BYTES = 128 << 20,
};

static struct {
    char *arrays[NUM_ARRAYS];
    uint32_t bytes[NUM_ARRAYS];
    uint32_t final_bytes[NUM_ARRAYS];
    uint16_t steps[MAX_STEPS]; // which array doubles
    uint32_t num_steps;
    char *buffer;
    char *highest_end;
} w;

static uint32_t random_number(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static double final_bytes(void) {
    double sum = 0;
    for (uint32_t i = 0; i < NUM_ARRAYS; ++i)
        sum += w.final_bytes[i];
    return sum;
}

static void begin(void) {
    static uint16_t growing[NUM_ARRAYS];
    uint32_t state = 12345;
    for (uint32_t i = 0; i < NUM_ARRAYS; ++i) {
        w.final_bytes[i] = FIRST_BYTES << random_number(&state) % NUM_SIZES;
        w.bytes[i] = 0;
        growing[i] = (uint16_t)i;
    }
    w.num_steps = 0;
    for (uint32_t num_growing = NUM_ARRAYS; num_growing > 0;) {
        const uint32_t at = random_number(&state) % num_growing;
        const uint16_t i = growing[at];
        w.steps[w.num_steps++] = i;
        w.bytes[i] = w.bytes[i] ? 2 * w.bytes[i] : FIRST_BYTES;
        if (w.bytes[i] == w.final_bytes[i])
            growing[at] = growing[--num_growing];
    }
    w.buffer = ct_alloc(ct_memory_pages(), BUFFER_BYTES);
}

static void end(void) {
    ct_free_sized(ct_memory_pages(), w.buffer, BUFFER_BYTES);
}

static void touch(char *array, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i += LINE_BYTES)
        array[i] = 1;
}

static void grow_with_buddy(ct_buddy_allocator *b) {
    for (uint32_t s = 0; s < w.num_steps; ++s) {
        const uint32_t i = w.steps[s];
        const uint32_t old_bytes = w.bytes[i];
        char *const array =
            old_bytes ? ct_buddy_grow(b, w.arrays[i], old_bytes) : ct_buddy_take(b, FIRST_BYTES);
        w.arrays[i] = array;
        w.bytes[i] = old_bytes ? 2 * old_bytes : FIRST_BYTES;
        touch(array, old_bytes, w.bytes[i]);
        if (w.highest_end < array + w.bytes[i])
            w.highest_end = array + w.bytes[i];
    }
}

static double run_buddy(void) {
    memset(w.bytes, 0, sizeof(w.bytes));
    w.highest_end = NULL;
    ct_buddy_allocator b;
    const double start_ns = ct_bench_now_ns();
    ct_buddy_init(&b, "bench/buddy", w.buffer, BUFFER_BYTES, FIRST_BYTES);
    grow_with_buddy(&b);
    const double ns = (ct_bench_now_ns() - start_ns) / w.num_steps;
    for (uint32_t i = 0; i < NUM_ARRAYS; ++i)
        ct_buddy_give_sized(&b, w.arrays[i], w.bytes[i]);
    ct_buddy_shutdown(&b);
    return ns;
}

static double run_buddy_peak(void) {
    run_buddy();
    return (double)(w.highest_end - w.buffer);
}

static double run_mimalloc(void) {
    const ct_peer_heap peer = ct_peer_mimalloc();
    memset(w.bytes, 0, sizeof(w.bytes));
    const double start_ns = ct_bench_now_ns();
    for (uint32_t s = 0; s < w.num_steps; ++s) {
        const uint32_t i = w.steps[s];
        const uint32_t old_bytes = w.bytes[i];
        w.bytes[i] = old_bytes ? 2 * old_bytes : FIRST_BYTES;
        char *const array = peer.allocate(w.bytes[i]);
        if (old_bytes) {
            memcpy(array, w.arrays[i], old_bytes);
            peer.free(w.arrays[i]);
        }
        w.arrays[i] = array;
        touch(array, old_bytes, w.bytes[i]);
    }
    const double ns = (ct_bench_now_ns() - start_ns) / w.num_steps;
    for (uint32_t i = 0; i < NUM_ARRAYS; ++i)
        peer.free(w.arrays[i]);
    return ns;
}

static const ct_bench_case cases[] = {
    {.workload = "alloc_growth",
     .subject = "buddy, time a doubling",
     .peer = "mimalloc",
     .unit = "ns",
     .goal = 1.0,
     .begin = begin,
     .end = end,
     .run_subject = run_buddy,
     .run_peer = run_mimalloc},
    {.workload = "alloc_growth",
     .subject = "buddy, peak memory",
     .peer = "sum of capacities",
     .unit = "bytes",
     .goal = 1.1,
     .begin = begin,
     .end = end,
     .run_subject = run_buddy_peak,
     .run_peer = final_bytes},
};

const ct_bench_group ct_bench_alloc_growth = {"alloc", cases, CT_COUNT_OF(cases)};
