#include "foundation/memory/allocator_counters.h"

#include "foundation/error.h"
#include "foundation/os/os.h"

_Thread_local uint32_t ct_counters_cell_offset;

// --- Threads -------------------------------------------------------------------------------------

// Whether a cell was looked for; there may be none, and a thread that ends has none any more.
static _Thread_local bool has_asked;

_Static_assert(CT_COUNTERS_THREADS == 32, "a bit for each thread that has a cell");
static _Atomic uint32_t used_cells;

// What the thread frees after this, as other things of it end, goes to the shared cell.
static void give_cell_back(void) {
    const uint32_t bit = UINT32_C(1) << (ct_counters_cell_offset / sizeof(ct_counter_cell) - 1);
    ct_counters_cell_offset = 0;
    // The next owner goes on from the numbers that this thread wrote.
    atomic_fetch_and_explicit(&used_cells, ~bit, memory_order_release);
}

// Returns false when all are taken.
static bool take_cell(void) {
    has_asked = true;
    uint32_t used = atomic_load_explicit(&used_cells, memory_order_relaxed);
    uint32_t bit = 0;
    do {
        if (used == UINT32_MAX)
            return false;
        bit = (uint32_t)__builtin_ctz(~used);
    } while (!atomic_compare_exchange_weak_explicit(&used_cells, &used, used | UINT32_C(1) << bit,
                                                    memory_order_acquire, memory_order_relaxed));
    ct_counters_cell_offset = (bit + 1) * (uint32_t)sizeof(ct_counter_cell);
    ct_os_at_thread_end(give_cell_back);
    return true;
}

// --- Counting ------------------------------------------------------------------------------------

static void raise_peak(_Atomic int64_t *peak_bytes, int64_t candidate) {
    int64_t peak = ct_counter_get(peak_bytes);
    while (candidate > peak &&
           !atomic_compare_exchange_weak_explicit(peak_bytes, &peak, candidate,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void flush(ct_allocator_counters *c, ct_counter_cell *cell) {
    const int64_t live = atomic_exchange_explicit(&cell->live_bytes, 0, memory_order_relaxed);
    const int64_t peak = atomic_exchange_explicit(&cell->peak_bytes, 0, memory_order_relaxed);
    const uint64_t taken = atomic_exchange_explicit(&cell->num_taken, 0, memory_order_relaxed);
    const uint64_t given = atomic_exchange_explicit(&cell->num_given, 0, memory_order_relaxed);
    for (; c; c = c->parent) {
        atomic_fetch_add_explicit(&c->num_taken, taken, memory_order_relaxed);
        atomic_fetch_add_explicit(&c->num_given, given, memory_order_relaxed);
        const int64_t before =
            atomic_fetch_add_explicit(&c->live_bytes, live, memory_order_relaxed);
        raise_peak(&c->peak_bytes, before + peak);
    }
}

static void change_shared_cell(ct_allocator_counters *c, int64_t more_bytes) {
    ct_counter_cell *const cell = &c->cells[0];
    const int64_t live =
        atomic_fetch_add_explicit(&cell->live_bytes, more_bytes, memory_order_relaxed) + more_bytes;
    raise_peak(&cell->peak_bytes, live);
    if (live > CT_COUNTERS_FLUSH_BYTES || live < -CT_COUNTERS_FLUSH_BYTES)
        flush(c, cell);
}

// The calling thread's cell, or NULL when there is none for it.
static ct_counter_cell *own_cell(ct_allocator_counters *c) {
    if (ct_counters_cell_offset == 0 && (has_asked || !take_cell()))
        return NULL;
    return (ct_counter_cell *)((char *)c->cells + ct_counters_cell_offset);
}

static void change_own_cell(ct_allocator_counters *c, ct_counter_cell *cell, int64_t more_bytes) {
    const int64_t live = ct_counter_get(&cell->live_bytes) + more_bytes;
    ct_counter_set(&cell->live_bytes, live);
    if (live > ct_counter_get(&cell->peak_bytes))
        ct_counter_set(&cell->peak_bytes, live);
    if (live > CT_COUNTERS_FLUSH_BYTES || live < -CT_COUNTERS_FLUSH_BYTES)
        flush(c, cell);
}

void ct_allocator_counters_add_slow(ct_allocator_counters *c, uint64_t size_bytes) {
    ct_counter_cell *const cell = own_cell(c);
    if (cell) {
        ct_counter_increment(&cell->num_taken);
        change_own_cell(c, cell, (int64_t)size_bytes);
    } else {
        atomic_fetch_add_explicit(&c->cells[0].num_taken, 1, memory_order_relaxed);
        change_shared_cell(c, (int64_t)size_bytes);
    }
}

void ct_allocator_counters_remove_slow(ct_allocator_counters *c, uint64_t size_bytes) {
    ct_counter_cell *const cell = own_cell(c);
    if (cell) {
        ct_counter_increment(&cell->num_given);
        change_own_cell(c, cell, -(int64_t)size_bytes);
    } else {
        atomic_fetch_add_explicit(&c->cells[0].num_given, 1, memory_order_relaxed);
        change_shared_cell(c, -(int64_t)size_bytes);
    }
}

void ct_allocator_counters_change(ct_allocator_counters *c, int64_t more_bytes) {
    change_shared_cell(c, more_bytes);
}

void ct_allocator_counters_flush_all(ct_allocator_counters *c) {
    for (uint32_t i = 0; i < CT_COUNT_OF(c->cells); ++i)
        flush(c, &c->cells[i]);
}

// --- Reading -------------------------------------------------------------------------------------

void ct_allocator_counters_add_cells(const ct_allocator_counters *c, ct_counter_sum *sum) {
    for (uint32_t i = 0; i < CT_COUNT_OF(c->cells); ++i) {
        const ct_counter_cell *const cell = &c->cells[i];
        sum->live_bytes += ct_counter_get(&cell->live_bytes);
        sum->num_taken += atomic_load_explicit(&cell->num_taken, memory_order_relaxed);
        sum->num_given += atomic_load_explicit(&cell->num_given, memory_order_relaxed);
    }
}

// How far the live bytes of one of the own cells were above what they are now.
static int64_t largest_excursion(const ct_allocator_counters *c) {
    int64_t largest = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(c->cells); ++i) {
        const int64_t excursion =
            ct_counter_get(&c->cells[i].peak_bytes) - ct_counter_get(&c->cells[i].live_bytes);
        if (excursion > largest)
            largest = excursion;
    }
    return largest;
}

ct_allocator_stats ct_allocator_counters_stats(const ct_allocator_counters *c,
                                               const ct_counter_sum *sum) {
    const uint64_t taken =
        atomic_load_explicit(&c->num_taken, memory_order_relaxed) + sum->num_taken;
    const uint64_t given =
        atomic_load_explicit(&c->num_given, memory_order_relaxed) + sum->num_given;
    const int64_t live = ct_counter_get(&c->live_bytes) + sum->live_bytes;
    const int64_t peak_now = live + largest_excursion(c);
    const int64_t peak = ct_counter_get(&c->peak_bytes);
    return (ct_allocator_stats){
        .live_bytes = (uint64_t)live,
        .live_blocks = taken - given,
        .peak_bytes = (uint64_t)(peak > peak_now ? peak : peak_now),
        .total_blocks = taken,
    };
}
